#include "checks.h"

/* A price list from the members of products, on-demand and reserved terms. */
#define FILE_OF(products, on_demand, reserved) \
    "{\"offerCode\":\"AmazonEC2\",\"publicationDate\":\"2026-02-28T00:00:00Z\"," \
    "\"products\":{" products "},\"terms\":{\"OnDemand\":{" on_demand \
    "},\"Reserved\":{" reserved "}}}"
#define PRODUCT(sku, more) \
    "\"" sku "\":{\"sku\":\"" sku "\",\"productFamily\":\"Compute Instance\",\"attributes\":{" \
    "\"locationType\":\"AWS Region\",\"tenancy\":\"Shared\",\"operatingSystem\":\"Linux\"," \
    "\"capacitystatus\":\"Used\",\"preInstalledSw\":\"NA\"," more "}}"
#define G5(sku, region) \
    PRODUCT(sku, "\"instanceType\":\"g5.xlarge\",\"gpu\":\"1\",\"regionCode\":\"" region "\"")
#define RATE(unit, price) "{\"unit\":\"" unit "\",\"pricePerUnit\":{" price "}}"
#define TERM(code, rates) "\"" code "\":{\"priceDimensions\":{" rates "}}"
#define SOLD(sku, price) "\"" sku "\":{" TERM(sku ".T", "\"R\":" RATE("Hrs", price)) "}"
#define RESERVED(code, years, offering, option, rates) \
    "\"" code "\":{\"termAttributes\":{\"LeaseContractLength\":\"" years \
    "\",\"OfferingClass\":\"" offering "\",\"PurchaseOption\":\"" option \
    "\"},\"priceDimensions\":{" rates "}}"
#define QUOTE(region, prices) \
    region " g5.xlarge A10G x1 gpu_gib=null vcpus=4 gib=16 " prices " 2026-02-28T00:00:00Z\n"
#define SUMMARY "published=2026-02-28T00:00:00Z"

static void check(const char *text, const char *expected)
{
    check_story(&feed_aws_offers, "", str_from(text), expected);
}

static void reads_a_machine_and_its_price(void **state)
{
    (void)state;
    check(FILE_OF(G5("A", "us-east-1"), SOLD("A", "\"USD\":\"1.0060000000\""), ""),
          QUOTE("us-east-1", "on-demand=1.006 USD") "rows=1 ignored=0 " SUMMARY "\n");
    check(FILE_OF(G5("A", "us-east-1") "," G5("B", "eu-west-1"),
                  SOLD("B", "\"USD\":\"2\"") "," SOLD("A", "\"USD\":\"1\""), ""),
          QUOTE("us-east-1", "on-demand=1 USD")
              QUOTE("eu-west-1", "on-demand=2 USD") "rows=2 ignored=0 " SUMMARY "\n");
    check(FILE_OF("", "", ""), "rows=0 ignored=0 " SUMMARY "\n");
}

static void takes_yuan_where_there_are_no_dollars(void **state)
{
    (void)state;
    check(FILE_OF(G5("A", "cn-north-1"), SOLD("A", "\"CNY\":\"9.5\""), ""),
          QUOTE("cn-north-1", "on-demand=9.5 CNY") "rows=1 ignored=0 " SUMMARY "\n");
    check(FILE_OF(G5("A", "cn-north-1"), SOLD("A", "\"CNY\":\"9.5\",\"USD\":\"1.5\""), ""),
          QUOTE("cn-north-1", "on-demand=1.5 USD") "rows=1 ignored=0 " SUMMARY "\n");
    check(FILE_OF(G5("A", "cn-north-1"), SOLD("A", "\"USD\":\"1.5\",\"CNY\":\"9.5\""), ""),
          QUOTE("cn-north-1", "on-demand=1.5 USD") "rows=1 ignored=0 " SUMMARY "\n");
    check(FILE_OF(G5("A", "cn-north-1"), SOLD("A", "\"CNY\":\"9.5\""),
                  "\"A\":{" RESERVED("A.R", "1yr", "standard", "No Upfront",
                                     "\"R\":" RATE("Hrs", "\"USD\":\"1\"")) "}"),
          "bad: f:1: prices in CNY and USD\n" QUOTE(
              "cn-north-1", "on-demand=9.5 CNY") "rows=1 ignored=0 " SUMMARY "\n");
}

static void check_reserved(const char *terms, const char *prices)
{
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct buf expected = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    buf_addf(&text, FILE_OF(G5("A", "us-east-1"), "", "\"A\":{%s}"), terms);
    if (prices[0] != '\0')
        buf_addf(&expected, QUOTE("us-east-1", "%s USD"), prices);
    buf_addf(&expected, "rows=1 ignored=%d " SUMMARY "\n", prices[0] == '\0');
    buf_char(&expected, '\0');
    assert_true(buf_ok(&text, &err) && buf_ok(&expected, &err));
    check_story(&feed_aws_offers, "", buf_text(&text), expected.at);
    buf_free(&text);
    buf_free(&expected);
}

#define HOURLY(price) "\"H\":" RATE("Hrs", "\"USD\":\"" price "\"")
#define FEE(price) "\"Q\":" RATE("Quantity", "\"USD\":\"" price "\"")
#define NONE_1Y RESERVED("N", "1yr", "standard", "No Upfront", HOURLY("0.6"))
#define PART_1Y \
    RESERVED("P", "1yr", "standard", "Partial Upfront", HOURLY("0.2") "," FEE("2628"))
#define ALL_1Y RESERVED("A", "1yr", "standard", "All Upfront", FEE("3504") "," HOURLY("0"))

static void nothing_upfront_goes_before_a_part_before_all(void **state)
{
    (void)state;
    check_reserved(NONE_1Y, "reserved-1y=0.6");
    check_reserved(PART_1Y, "reserved-1y=0.5"); /* 2628/8760 + 0.2 */
    check_reserved(ALL_1Y, "reserved-1y=0.4");
    check_reserved(NONE_1Y "," PART_1Y "," ALL_1Y, "reserved-1y=0.6");
    check_reserved(ALL_1Y "," PART_1Y "," NONE_1Y, "reserved-1y=0.6");
    check_reserved(ALL_1Y "," PART_1Y, "reserved-1y=0.5");
    check_reserved(PART_1Y "," ALL_1Y, "reserved-1y=0.5");
    check_reserved(RESERVED("A", "3yr", "standard", "All Upfront", FEE("1107643")),
                   "reserved-3y=42.147754947"); /* more than any price of an hour */
    check_reserved(RESERVED("A", "3yr", "standard", "No Upfront", HOURLY("0.3")) "," NONE_1Y,
                   "reserved-1y=0.6 reserved-3y=0.3");
}

static void other_terms_are_left_out(void **state)
{
    (void)state;
    check_reserved(RESERVED("C", "1yr", "convertible", "No Upfront", HOURLY("0.6")), "");
    check_reserved(RESERVED("C", "2yr", "standard", "No Upfront", HOURLY("0.6")), "");
    check_reserved(RESERVED("C", "1yr", "standard", "Heavy", HOURLY("0.6")), "");
    check_reserved(RESERVED("C", "1yr", "standard", "No Upfront", HOURLY("0.0000000000")), "");
    check_reserved(RESERVED("C", "1yr", "standard", "No Upfront", FEE("3504")), "");
    check_reserved(RESERVED("C", "1yr", "standard", "Partial Upfront", FEE("3504")), "");
    check_reserved(RESERVED("C", "1yr", "standard", "Partial Upfront", HOURLY("0.2")), "");
    check_reserved(TERM("C", HOURLY("0.6")), "");
    check_reserved("", "");
}

#define ODD(machine) "us-east-1 " machine " USD 2026-03-01T12:00:00Z\n"

static void reads_oddities(void **state)
{
    (void)state;
    check_file(
        &feed_aws_offers, "", ODDITIES "aws-offers.json",
        "bad: f:420: a machine without its regionCode\n"
        "bad: f:439: gpu: 'many' is not a number of GPUs\n"
        "bad: f:884: 'free' is not a price\n"
        "bad: f:900: a price that is neither in USD nor in CNY\n" ODD(
            "g5.xlarge A10G x1 gpu_gib=24 vcpus=4 gib=16 on-demand=1.006 reserved-1y=0.634 "
            "reserved-3y=0.434")
            ODD("g4dn.metal T4 x8 gpu_gib=16 vcpus=96 gib=384 on-demand=7.824")
        /* In parts: 262800.5 / 26280 + 10. All of it upfront comes behind. */
        ODD("p5.48xlarge H100-SXM-80GB x8 gpu_gib=80 vcpus=192 gib=2048 on-demand=55.04 "
            "reserved-1y=10 reserved-3y=20.000019026")
            ODD("trn1.32xlarge Trainium1 x16 gpu_gib=null vcpus=128 gib=512 on-demand=21.5")
                ODD("g6e.96xlarge L40S x16 gpu_gib=48 vcpus=384 gib=3072 on-demand=60.1")
                    ODD("g9e.2xlarge aws g9e x0.5 gpu_gib=null vcpus=null gib=null "
                        "on-demand=0.75")
                        ODD("g6.xlarge L4 x1 gpu_gib=null vcpus=4 gib=16 on-demand=0.8048")
                            ODD("g4dn.xlarge T4 x1 gpu_gib=null vcpus=4 gib=16 on-demand=0.5")
                                ODD("g5.12xlarge A10G x4 gpu_gib=24 vcpus=4 gib=16 "
                                    "reserved-1y=3.5") "rows=26 ignored=15 "
                                                       "published=2026-03-01T12:00:00Z\n");
}

static void reads_the_shared_sample(void **state)
{
    (void)state;
    check_file(&feed_aws_offers, "", SAMPLES "aws_offer_ec2_minimal.json",
               "us-east-1 g5.xlarge A10G x1 gpu_gib=24 vcpus=4 gib=16 on-demand=1.006 "
               "reserved-1y=0.634 USD 2026-03-01T00:00:00Z\n"
               "rows=1 ignored=0 published=2026-03-01T00:00:00Z\n");
}

static void the_order_of_members_does_not_matter(void **state)
{
    (void)state;
    check("{\"products\":{\"A\":{\"attributes\":{\"regionCode\":\"us-east-1\",\"gpu\":1,"
          "\"preInstalledSw\":\"NA\",\"capacitystatus\":\"Used\",\"operatingSystem\":\"Linux\","
          "\"tenancy\":\"Shared\",\"locationType\":\"AWS Region\",\"more\":{\"x\":[]},"
          "\"instanceType\":\"g5.xlarge\"},\"productFamily\":\"Compute Instance\"},"
          "\"B\":{\"attributes\":{\"a\":1},\"productFamily\":\"Storage\",\"c\":[{}]}},"
          "\"terms\":{\"Reserved\":{},\"Savings\":[1],\"OnDemand\":{\"B\":7,\"A\":{\"T\":{"
          "\"priceDimensions\":{\"R\":{\"pricePerUnit\":{\"USD\":1.5},\"beginRange\":\"0\","
          "\"unit\":\"Hrs\"}}}}}},\"offerCode\":\"AmazonEC2\"}",
          "us-east-1 g5.xlarge A10G x1 gpu_gib=null vcpus=4 gib=16 on-demand=1.5 USD "
          "2026-08-22T00:00:00Z\nrows=2 ignored=1\n");
}

static void refuses_other_files(void **state)
{
    (void)state;
    check("[]", "! f:1: this is not an object\n");
    check("{}", "! f: there are no 'products' in it\n");
    check("{\"products\":{}}", "! f: there are no 'terms' in it\n");
    check("{\"terms\":{},\"products\":{}}",
          "! f: 'terms' come before 'products', which AWS's own files never have\n");
    check("{\"products\":{},\"products\":{}}", "! f: there are two 'products'\n");
    check("{\"offerCode\":\"AmazonS3\"}",
          "! f: this is the price list of 'AmazonS3', not of AmazonEC2\n");
    check("{\"publicationDate\":\"now\"}", "! f:1: publicationDate: 'now' is not a moment\n");
    check("{\"products\":\n[]}", "! f:2: 'products' is not an object\n");
    check("{\"products\":{\"A\":\n\n1}}", "! f:3: a product is not an object\n");
    check("{\"products\":{\"A\":{\"productFamily\":\"Compute Instance\",\"attributes\":7}}}",
          "! f:1: 'attributes' is not an object\n");
    check("{\"products\":{},\"terms\":1}", "! f:1: 'terms' is not an object\n");
    check("{\"products\":{},\"terms\":{\"OnDemand\":1}}",
          "! f:1: a kind of terms is not an object\n");
    check(FILE_OF(G5("A", "us-east-1"), "\"A\":1", ""),
          "! f:1: the terms of a product is not an object\n");
    check(FILE_OF(G5("A", "us-east-1"), "\"A\":{\"T\":1}", ""),
          "! f:1: a term is not an object\n");
    check(FILE_OF("", "", "") "x", "! f:1:119: expected nothing more after the document\n");
    check("{\"products\":{\"A\":{\"x\":01}}}", "! f:1:23: '01' is not a JSON number\n");
}

static void names_that_are_too_long_are_bad_rows(void **state)
{
    static const char thirty_three[] = "123456789012345678901234567890123";
    char text[1024];

    (void)state;
    (void)snprintf(text, sizeof text, FILE_OF(G5("%s", "us-east-1"), "", ""), thirty_three,
                   thirty_three);
    check(text, "bad: f:1: a SKU is longer than 32 bytes\nrows=1 ignored=0 " SUMMARY "\n");
    (void)snprintf(text, sizeof text, FILE_OF(G5("A", "%s"), "", ""), thirty_three);
    check(text, "bad: f:1: regionCode '123456789012345678901234567890123' is longer than 32 "
                "bytes\nrows=1 ignored=0 " SUMMARY "\n");
}

static void a_cut_file_is_refused(void **state)
{
    (void)state;
    check_cut(&feed_aws_offers, "",
              STR(FILE_OF(G5("A", "us-east-1"), SOLD("A", "\"USD\":\"1\""), NONE_1Y)), false);
}

/* A file with one machine too many: generated, since it is large. */
struct flood {
    size_t next;
    struct buf piece;
    size_t given;
};

static ptrdiff_t read_flood(void *ctx, char *to, size_t room, struct error *err)
{
    struct flood *f = ctx;
    size_t len;

    if (f->given == f->piece.len) {
        buf_clear(&f->piece);
        f->given = 0;
        if (f->next == 0)
            buf_adds(&f->piece, "{\"products\":{");
        buf_addf(&f->piece, G5("%zu", "us-east-1") ",", f->next, f->next);
        f->next++;
        assert_true(buf_ok(&f->piece, err));
    }
    len = f->piece.len - f->given;
    len = len < room ? len : room;
    memcpy(to, f->piece.at + f->given, len);
    f->given += len;
    return (ptrdiff_t)len;
}

static void a_flood_of_machines_ends_at_the_limit(void **state)
{
    struct flood flood = {.piece = buf_new(&alloc_system, 4096)};
    struct collected h = collected_new();
    struct feed_sink sink = {collect_quote, collect_bad, &h};
    struct feed_summary summary = {0};
    struct feed_reading feed = {.source = {read_flood, &flood},
                                .name = "f",
                                .known = known,
                                .alloc = &alloc_system,
                                .sink = &sink,
                                .summary = &summary};
    struct error err = {0};

    (void)state;
    assert_false(feed_read(&feed_aws_offers, &feed, &err));
    assert_string_equal(err.text,
                        "f: there are more than 32768 machines with accelerators in it");
    assert_int_equal(h.len, 0);
    buf_free(&flood.piece);
    collect_free(&h);
}

static void two_products_of_one_sku_are_one(void **state)
{
    (void)state;
    check(
        FILE_OF(G5("A", "us-east-1") "," G5("A", "us-east-1"), SOLD("A", "\"USD\":\"1\""), ""),
        QUOTE("us-east-1", "on-demand=1 USD") "rows=2 ignored=0 " SUMMARY "\n");
}

static void survives_every_failing_allocation(void **state)
{
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    (void)state;
    buf_adds(&text, "{\"products\":{");
    for (int i = 0; i < 70; i++) /* so that their table grows */
        buf_addf(&text, "%s" G5("%d", "us-east-1"), i > 0 ? "," : "", i, i);
    buf_adds(&text, "},\"terms\":{}}");
    assert_true(buf_ok(&text, &err));
    check_memory(&feed_aws_offers, "", buf_text(&text));
    buf_free(&text);
}

static void passes_on_errors_of_the_sink(void **state)
{
    (void)state;
    check_sink(&feed_aws_offers, "",
               STR(FILE_OF(G5("A", "us-east-1"), SOLD("A", "\"USD\":\"1\""), "")));
}

int group_aws_offers(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_machine_and_its_price),
        cmocka_unit_test(takes_yuan_where_there_are_no_dollars),
        cmocka_unit_test(nothing_upfront_goes_before_a_part_before_all),
        cmocka_unit_test(other_terms_are_left_out),
        cmocka_unit_test(reads_oddities),
        cmocka_unit_test(reads_the_shared_sample),
        cmocka_unit_test(the_order_of_members_does_not_matter),
        cmocka_unit_test(refuses_other_files),
        cmocka_unit_test(names_that_are_too_long_are_bad_rows),
        cmocka_unit_test(a_cut_file_is_refused),
        cmocka_unit_test(a_flood_of_machines_ends_at_the_limit),
        cmocka_unit_test(two_products_of_one_sku_are_one),
        cmocka_unit_test(survives_every_failing_allocation),
        cmocka_unit_test(passes_on_errors_of_the_sink),
    };

    return cmocka_run_group_tests(tests, load_facts, free_facts);
}
