#include "checks.h"

#include "base/part.h"

/* Without the loadable part there is nothing to test: the test is skipped. */
static void need_the_part(void)
{
    struct error err = {0};

    if (part_open("xml", 1, &err) == NULL)
        test_skip("%s (%s)", err.text, err.hint);
}

#define ROW(price, at, zone) \
    "{\"AvailabilityZone\":\"" zone "\",\"InstanceType\":\"g5.xlarge\"," \
    "\"ProductDescription\":\"Linux/UNIX\",\"SpotPrice\":" price ",\"Timestamp\":\"" at "\"}"
#define A_ROW ROW("\"0.4\"", "2026-02-28T01:00:00+00:00", "us-east-1b")
#define A_QUOTE \
    "us-east-1/us-east-1b g5.xlarge A10G x1 gpu_gib=null vcpus=4 gib=16 spot=0.4 USD " \
    "2026-02-28T01:00:00Z\n"

static void reads_pages(void **state)
{
    (void)state;
    check_story(&feed_aws_spot, "", STR("{\"SpotPriceHistory\":[" A_ROW "]}"),
                A_QUOTE "rows=1 ignored=0\n");
    check_story(&feed_aws_spot, "",
                STR("{\"NextToken\":\"\",\"SpotPriceHistory\":[" A_ROW "]}"),
                A_QUOTE "rows=1 ignored=0\n");
    check_story(&feed_aws_spot, "", STR("{\"NextToken\":null,\"SpotPriceHistory\":[]}"),
                "rows=0 ignored=0\n");
    check_story(
        &feed_aws_spot, "",
        STR("{\"NextToken\":\"x\",\"SpotPriceHistory\":[" A_ROW "],\"More\":{\"a\":[1]}}"),
        A_QUOTE "rows=1 ignored=0 next=x\n");
    check_story(&feed_aws_spot, "",
                STR("{\"NextToken\":\"x\",\"SpotPriceHistory\":[" A_ROW "]}\n"
                    "{\"SpotPriceHistory\":[" A_ROW "]}\n"),
                A_QUOTE A_QUOTE "rows=2 ignored=0\n");
    check_story(&feed_aws_spot, "", STR("[" A_ROW "," A_ROW "]"),
                A_QUOTE A_QUOTE "rows=2 ignored=0\n");
    check_story(&feed_aws_spot, "",
                STR("[" ROW("0.4", "2026-02-28T02:00:00.5+01:00", "us-east-1b") "]"),
                A_QUOTE "rows=1 ignored=0\n"); /* a number is as good */
}

#define ODD_QUOTES(a, b, c, d, e, f) \
    "us-east-1/use1-az2 g5.xlarge A10G x1 gpu_gib=null vcpus=4 gib=16 spot=0.4153 USD " \
    "2026-03-01T04:02:10Z\n" \
    "us-east-1/us-east-1c g5.xlarge A10G x1 gpu_gib=null vcpus=4 gib=16 spot=0.42 USD " \
    "2026-03-01T04:02:10Z\n" \
    "us-west-2/usw2-lax1-az1 g4dn.xlarge T4 x1 gpu_gib=null vcpus=4 gib=16 spot=0.2 USD " \
    "2026-03-01T04:02:10Z\n" \
    "eu-west-1/new9-az1 p4d.24xlarge A100-SXM-40GB x8 gpu_gib=null vcpus=96 gib=1152 " \
    "spot=11.5724 USD 2026-03-01T04:02:10Z\n" \
    "bad: f:" a ": 'moon-1a' is not a zone of a known region\n" \
    "bad: f:" b ": SpotPrice: '0.000000' is not a price\n" \
    "bad: f:" c ": SpotPrice: '-1' is not a price\n" \
    "bad: f:" d ": Timestamp: 'yesterday' is not a moment\n" \
    "bad: f:" e ": there is no SpotPrice\n" \
    "us-east-1/us-east-1a p4d.24xlarge A100-SXM-40GB x8 gpu_gib=null vcpus=96 gib=1152 " \
    "spot=11.6 USD 2026-08-22T00:00:00Z\n" \
    "bad: f:" f ": 'us-east-1-is-the-name-of-a-zone-too-long' is longer than 32 bytes\n" \
    "rows=16 ignored=5 next=abc\n"

static void reads_oddities(void **state)
{
    (void)state;
    check_file(&feed_aws_spot, "", ODDITIES "aws-spot.json",
               ODD_QUOTES("72", "79", "86", "93", "99", "118"));
    need_the_part();
    check_file(&feed_aws_spot_xml, "", ODDITIES "aws-spot.xml",
               ODD_QUOTES("68", "75", "82", "89", "96", "114"));
}

#define SHARED_QUOTE(zone) \
    "us-east-1/" zone " g5.xlarge A10G x1 gpu_gib=null vcpus=4 gib=16 spot=0.4153 USD " \
    "2026-03-01T04:02:10Z\n"

static void reads_the_shared_samples(void **state)
{
    (void)state;
    check_file(&feed_aws_spot, "", SAMPLES "aws_describe_spot_price_history.json",
               "us-east-1/use1-az1 p4d.24xlarge A100-SXM-40GB x8 gpu_gib=null vcpus=96 "
               "gib=1152 spot=11.5724 USD 2026-03-01T05:17:33Z\n" SHARED_QUOTE(
                   "use1-az2") "rows=2 ignored=0\n");
    need_the_part();
    check_file(&feed_aws_spot_xml, "", SAMPLES "aws_describe_spot_price_history.xml",
               SHARED_QUOTE("us-east-1b") "rows=1 ignored=0\n");
}

static void refuses_other_shapes(void **state)
{
    (void)state;
    check_story(&feed_aws_spot, "", STR(""), "! f: there is no 'SpotPriceHistory' in it\n");
    check_story(&feed_aws_spot, "", STR("{}"), "! f: there is no 'SpotPriceHistory' in it\n");
    check_story(&feed_aws_spot, "", STR("\n7"),
                "! f:2: this is neither an object nor an array\n");
    check_story(&feed_aws_spot, "", STR("{\"SpotPriceHistory\":\n{}}"),
                "! f:2: 'SpotPriceHistory' is not an array\n");
    check_story(&feed_aws_spot, "", STR("{\"SpotPriceHistory\":[1]}"),
                "! f:1: a row is not an object\n");
    check_story(&feed_aws_spot, "", STR("{\"SpotPriceHistory\":[{]}"),
                "! f:1:23: expected a key in double quotes or '}'\n");
}

static void a_cut_answer_is_refused(void **state)
{
    (void)state;
    check_cut(&feed_aws_spot, "", STR("{\"NextToken\":\"x\",\"SpotPriceHistory\":[" A_ROW "]}"),
              false);
}

#define XML_HEAD "<DescribeSpotPriceHistoryResponse>"
#define XML_TAIL "</DescribeSpotPriceHistoryResponse>"
#define XML_ROW \
    "<item><instanceType>g5.xlarge</instanceType><spotPrice>0.4</spotPrice>" \
    "<productDescription>Linux/UNIX</productDescription>" \
    "<availabilityZone>us-east-1b</availabilityZone>" \
    "<timestamp>2026-02-28T01:00:00.000Z</timestamp></item>"

static void reads_xml(void **state)
{
    (void)state;
    need_the_part();
    check_story(&feed_aws_spot_xml, "",
                STR(XML_HEAD "<spotPriceHistorySet>" XML_ROW XML_ROW
                             "</spotPriceHistorySet><nextToken/>" XML_TAIL),
                A_QUOTE A_QUOTE "rows=2 ignored=0\n");
    check_story(&feed_aws_spot_xml, "",
                STR(XML_HEAD "<nextToken>a&amp;b</nextToken><spotPriceHistorySet/>" XML_TAIL),
                "rows=0 ignored=0 next=a&b\n");
    check_story(&feed_aws_spot_xml, "",
                STR(XML_HEAD "<otherSet>" XML_ROW "</otherSet>" XML_TAIL),
                "rows=0 ignored=0\n");
    check_story(&feed_aws_spot_xml, "", STR("<Response><Errors/></Response>"),
                "! f:1: <Response> is not a <DescribeSpotPriceHistoryResponse>\n");
    check_story(&feed_aws_spot_xml, "", STR(XML_HEAD "<a></b>"), "! f:1:40: mismatched tag\n");
    check_cut(&feed_aws_spot_xml, "",
              STR(XML_HEAD "<spotPriceHistorySet>" XML_ROW "</spotPriceHistorySet>" XML_TAIL),
              false);
}

static void survives_every_failing_allocation(void **state)
{
    (void)state;
    check_memory(&feed_aws_spot, "",
                 STR("{\"NextToken\":\"x\",\"SpotPriceHistory\":[" A_ROW "]}"));
    need_the_part();
    check_memory(&feed_aws_spot_xml, "",
                 STR(XML_HEAD "<spotPriceHistorySet>" XML_ROW
                              "</spotPriceHistorySet><nextToken>x</nextToken>" XML_TAIL));
}

static void passes_on_errors_of_source_and_sink(void **state)
{
    struct pieces dead = {STR("{\"SpotPriceHistory\":["), 5, true};
    struct collected c = {0};

    (void)state;
    check_sink(&feed_aws_spot, "", STR("[" A_ROW "]"));
    assert_false(collect_once(&c, &feed_aws_spot, "", dead, &alloc_system));
    assert_string_equal(c.err.text, "the line went dead");
    collect_free(&c);
    check_strict(&feed_aws_spot, "", STR("[\n" ROW("\"x\"", "", "us-east-1b") "]"),
                 "f:2: Timestamp: '' is not a moment");
}

int group_aws_spot(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_pages),
        cmocka_unit_test(reads_oddities),
        cmocka_unit_test(reads_the_shared_samples),
        cmocka_unit_test(refuses_other_shapes),
        cmocka_unit_test(a_cut_answer_is_refused),
        cmocka_unit_test(reads_xml),
        cmocka_unit_test(survives_every_failing_allocation),
        cmocka_unit_test(passes_on_errors_of_source_and_sink),
    };

    return cmocka_run_group_tests(tests, load_facts, free_facts);
}
