#include "checks.h"

#define ATTRIBUTES \
    "{\"locationType\":\"AWS Region\",\"tenancy\":\"Shared\",\"operatingSystem\":\"Linux\"," \
    "\"capacitystatus\":\"Used\",\"preInstalledSw\":\"NA\",\"regionCode\":\"us-east-1\"," \
    "\"gpu\":\"1\",\"instanceType\":\"g5.xlarge\"}"
#define PRODUCT "{\"productFamily\":\"Compute Instance\",\"attributes\":" ATTRIBUTES "}"
#define TERMS \
    "{\"OnDemand\":{\"A.T\":{\"priceDimensions\":{\"A.T.R\":{\"unit\":\"Hrs\"," \
    "\"pricePerUnit\":{\"USD\":\"1.006\"}}}}}}"
#define DOCUMENT \
    "{\"product\":" PRODUCT ",\"serviceCode\":\"AmazonEC2\",\"terms\":" TERMS \
    ",\"publicationDate\":\"2026-02-28T00:00:00Z\"}"
#define QUOTE \
    "us-east-1 g5.xlarge A10G x1 gpu_gib=null vcpus=4 gib=16 on-demand=1.006 USD " \
    "2026-02-28T00:00:00Z\n"
#define PUBLISHED " published=2026-02-28T00:00:00Z"

static void check(const char *text, const char *expected)
{
    check_story(&feed_aws_products, "", str_from(text), expected);
}

static void reads_products_that_are_objects(void **state)
{
    (void)state;
    check("{\"PriceList\":[" DOCUMENT "]}", QUOTE "rows=1 ignored=0" PUBLISHED "\n");
    check("{\"PriceList\":[{\"terms\":" TERMS ",\"product\":" PRODUCT
          ",\"publicationDate\":\"2026-02-28T00:00:00.000Z\"}]}",
          QUOTE "rows=1 ignored=0" PUBLISHED "\n");
    check("{\"PriceList\":[{\"product\":" PRODUCT ",\"terms\":{\"Other\":[1]}}]}",
          "rows=1 ignored=1\n");
    check("{\"PriceList\":[]}", "rows=0 ignored=0\n");
}

static void reads_products_that_are_strings(void **state)
{
    (void)state;
    check("{\"PriceList\":[\"{\\\"product\\\":{\\\"productFamily\\\":\\\"Storage\\\"}}\"]}",
          "rows=1 ignored=1\n");
}

static void reads_products_one_after_the_other(void **state)
{
    (void)state;
    check(DOCUMENT "\n" DOCUMENT "\n", QUOTE QUOTE "rows=2 ignored=0" PUBLISHED "\n");
}

static void reports_the_next_page(void **state)
{
    (void)state;
    check("{\"PriceList\":[],\"NextToken\":\"a/b+c==\"}", "rows=0 ignored=0 next=a/b+c==\n");
    check("{\"NextToken\":\"a\",\"PriceList\":[]}", "rows=0 ignored=0 next=a\n");
    check("{\"PriceList\":[],\"NextToken\":\"\"}", "rows=0 ignored=0\n");
    check("{\"PriceList\":[],\"NextToken\":null}", "rows=0 ignored=0\n");
    check("{\"PriceList\":[],\"NextToken\":\"a\"} {\"PriceList\":[]}", "rows=0 ignored=0\n");
    check("{\"PriceList\":[]} {\"PriceList\":[],\"NextToken\":\"b\"}",
          "rows=0 ignored=0 next=b\n");
}

static void reads_oddities(void **state)
{
    (void)state;
    check_file(
        &feed_aws_products, "", ODDITIES "aws-products.json",
        "us-east-1 g5.xlarge A10G x1 gpu_gib=24 vcpus=4 gib=16 on-demand=1.006 "
        "reserved-1y=0.634 USD 2026-03-01T12:00:00Z\n"
        "cn-north-1 g6.2xlarge L4 x1 gpu_gib=24 vcpus=4 gib=16 on-demand=16.5 CNY "
        "2026-08-22T00:00:00Z\n"
        "bad: f:46: in a product's own JSON: line 1, column 14: the text ends inside an "
        "object\n"
        "bad: f:47: in a product's own JSON: line 1, column 1: unknown word 'not'\n"
        "bad: f:48: in a product's own JSON: line 1: it is not an object\n"
        "bad: f:49: a product is neither a string nor an object\n"
        "bad: f:50: a product is neither a string nor an object\n"
        "bad: f:58: there is no 'product' in it\n"
        "bad: f:59: a machine without its regionCode\n"
        "bad: f:61: in a product's own JSON: line 1: publicationDate: 'today' is not a moment\n"
        "rows=12 ignored=2 published=2026-03-01T12:00:00Z next=page=two&x\n");
}

static void reads_the_shared_sample(void **state)
{
    (void)state;
    check_file(&feed_aws_products, "", SAMPLES "aws_get_products.json",
               "us-east-1 g5.xlarge A10G x1 gpu_gib=24 vcpus=4 gib=16 on-demand=1.006 USD "
               "2026-03-01T00:00:00Z\nrows=1 ignored=0 published=2026-03-01T00:00:00Z "
               "next=eyJhbGciOi...\n");
}

static void refuses_other_shapes(void **state)
{
    (void)state;
    check("", "! f: there is neither a 'PriceList' nor a 'product' in it\n");
    check("{}", "! f: there is neither a 'PriceList' nor a 'product' in it\n");
    check("[]", "! f:1: this is not an object\n");
    check("{\"PriceList\":{}}", "! f:1: 'PriceList' is not an array\n");
    check("{\"PriceList\":[{\"product\":1}]}", "! f:1: a product is not an object\n");
    check("{\"product\":{},\n\"terms\":1}", "! f:2: 'terms' is not an object\n");
    check("{\"PriceList\":[\n\"x", "! f:2:3: the text ends inside a string\n");
}

static void a_cut_answer_is_refused(void **state)
{
    (void)state;
    check_cut(&feed_aws_products, "",
              STR("{\"NextToken\":\"\",\"PriceList\":[\"{}\"," DOCUMENT "]}"), false);
}

static void survives_every_failing_allocation(void **state)
{
    (void)state;
    check_memory(
        &feed_aws_products, "",
        STR("{\"NextToken\":\"a\",\"PriceList\":[\"{\\\"product\\\":{}}\"," DOCUMENT "]}"));
}

static void passes_on_errors_of_the_sink(void **state)
{
    (void)state;
    check_sink(&feed_aws_products, "", STR(DOCUMENT));
    check_strict(&feed_aws_products, "", STR("{\"PriceList\":[\n\"[]\"]}"),
                 "f:2: in a product's own JSON: line 1: it is not an object");
}

int group_aws_products(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_products_that_are_objects),
        cmocka_unit_test(reads_products_that_are_strings),
        cmocka_unit_test(reads_products_one_after_the_other),
        cmocka_unit_test(reports_the_next_page),
        cmocka_unit_test(reads_oddities),
        cmocka_unit_test(reads_the_shared_sample),
        cmocka_unit_test(refuses_other_shapes),
        cmocka_unit_test(a_cut_answer_is_refused),
        cmocka_unit_test(survives_every_failing_allocation),
        cmocka_unit_test(passes_on_errors_of_the_sink),
    };

    return cmocka_run_group_tests(tests, load_facts, free_facts);
}
