/* Our own CSV: every column by both of its names, and what is wrong with a row in one line. */
#include "checks.h"

#define DATED " 2026-08-22T00:00:00Z\n"

static void check(const char *text, const char *expected)
{
    check_story(&feed_own, "", str_from(text), expected);
}

static void every_column_is_read(void **state)
{
    static const char expected[] =
        "acme north/n-1 box-8 H100-SXM-80GB x8 gpu_gib=80 vcpus=192 gib=2048 on-demand=20.5 "
        "spot=7.25 reserved-1y=15 reliability=0.99 USD 2026-11-01T00:00:00Z\nrows=1 "
        "ignored=0\n";

    (void)state;
    check("provider,region,zone,instance,accelerator,count,gpu_memory_gib,vcpus,memory_gib,"
          "reliability,on_demand_usd_h,spot_usd_h,price,market,currency,date,source,notes\n"
          "acme,north,n-1,box-8,H100-SXM-80GB,8,80,192,2048,0.99,20.50,7.25,15,reserved-1y,USD,"
          "2026-11-01,a letter,\"for us, only\"\n",
          expected);
    /* The other names, in another order, with blanks and capitals. */
    check("Price_H, GPU ,gpus,cloud,region,availability_zone,instance_type,gpu_mem_gib,vCPU,"
          "mem_gib,reliability,on_demand,SPOT,market,currency,date\n"
          " 15 ,H100-SXM-80GB,8,acme,north,n-1,box-8,80,192,2048,0.99,20.5,7.25,RESERVED-1Y,"
          "usd,2026-11-01\n",
          expected);
}

static void what_is_left_out_is_unknown(void **state)
{
    (void)state;
    check("provider,instance,accelerator,price\nacme,box,H100-SXM-80GB,2.5\n",
          "acme * box H100-SXM-80GB x1 gpu_gib=null vcpus=null gib=null on-demand=2.5 "
          "USD" DATED "rows=1 ignored=0\n");
    /* A name that the catalog has not is kept; a family's member is chosen by the memory. */
    check("provider,instance,accelerator,gpu_memory_gib,price\nacme,a,Frobnicator 9,,2\n"
          "acme,b,A100,80,3\n",
          "acme * a Frobnicator 9 x1 gpu_gib=null vcpus=null gib=null on-demand=2 USD" DATED
          "acme * b A100-SXM-80GB x1 gpu_gib=80 vcpus=null gib=null on-demand=3 USD" DATED
          "rows=2 ignored=0\n");
    /* Without a price the row says nothing about any market. */
    check("provider,instance,accelerator,price\nacme,box,T4,\n",
          "acme * box T4 x1 gpu_gib=null vcpus=null gib=null USD" DATED "rows=1 ignored=0\n");
}

static void a_machine_that_the_catalog_knows_needs_no_more(void **state)
{
    (void)state;
    check("provider,region,instance,price,market\naws,us-east-1,g5.xlarge,0.9,\n"
          "aws,us-east-1,p4d.24xlarge,9,spot\n",
          "aws us-east-1 g5.xlarge A10G x1 gpu_gib=null vcpus=4 gib=16 on-demand=0.9 USD" DATED
          "aws us-east-1 p4d.24xlarge A100-SXM-40GB x8 gpu_gib=null vcpus=96 gib=1152 spot=9 "
          "USD" DATED "rows=2 ignored=0\n");
    /* The row's own values come first. */
    check("provider,instance,vcpus,count,price\naws,g5.xlarge,8,2,0.9\n",
          "aws * g5.xlarge A10G x2 gpu_gib=null vcpus=8 gib=16 on-demand=0.9 USD" DATED
          "rows=1 ignored=0\n");
}

static void the_provider_may_come_from_elsewhere(void **state)
{
    static const char text[] = "instance,accelerator,price\nbox,T4,1\n",
                      both[] =
                          "provider,instance,accelerator,price\nacme,box,T4,1\n,box,T4,2\n";

    (void)state;
    check_story(&feed_own, "who", STR(text),
                "who * box T4 x1 gpu_gib=null vcpus=null gib=null on-demand=1 USD" DATED
                "rows=1 ignored=0\n");
    check(text, "bad: f:2: the provider is missing\nrows=1 ignored=0\n");
    check_story(&feed_own, "who", STR(both),
                "acme * box T4 x1 gpu_gib=null vcpus=null gib=null on-demand=1 USD" DATED
                "who * box T4 x1 gpu_gib=null vcpus=null gib=null on-demand=2 USD" DATED
                "rows=2 ignored=0\n");
}

static void markets_have_their_names(void **state)
{
    struct collected c = {0};
    char text[128];

    (void)state;
    for (int m = 0; m < MARKET_COUNT; m++) {
        (void)snprintf(text, sizeof text, "instance,accelerator,price,market\nbox,T4,2,%s\n",
                       market_names[m]);
        assert_true(collect(&c, &feed_own, "acme", text));
        assert_int_equal(c.len, 1);
        for (int other = 0; other < MARKET_COUNT; other++)
            assert_int_equal(c.quotes[0].price[other], other == m ? USD(2) : PRICE_UNSAID);
    }
    collect_free(&c);
}

static void amounts_may_be_of_other_currencies(void **state)
{
    (void)state;
    check("provider,instance,accelerator,price,currency\nacme,a,T4,1.5,EUR\nacme,b,T4,2,jpy\n"
          "acme,c,T4,3,\n",
          "acme * a T4 x1 gpu_gib=null vcpus=null gib=null on-demand=1.5 EUR" DATED
          "acme * b T4 x1 gpu_gib=null vcpus=null gib=null on-demand=2 JPY" DATED
          "acme * c T4 x1 gpu_gib=null vcpus=null gib=null on-demand=3 USD" DATED
          "rows=3 ignored=0\n");
    check("provider,instance,accelerator,on_demand,currency\nacme,a,T4,1.5,EUR\n"
          "acme,a,T4,,EUR\nacme,a,T4,1.5,USD\n",
          "bad: f:2: a price in dollars and the currency 'EUR'\n"
          "acme * a T4 x1 gpu_gib=null vcpus=null gib=null EUR" DATED
          "acme * a T4 x1 gpu_gib=null vcpus=null gib=null on-demand=1.5 USD" DATED
          "rows=3 ignored=0\n");
    check("provider,instance,accelerator,spot,currency\nacme,a,T4,1.5,EUR\n",
          "bad: f:2: a price in dollars and the currency 'EUR'\nrows=1 ignored=0\n");
}

/* One row, and why it cannot be used. */
static void refuses(const char *header, const char *row, const char *why)
{
    char text[512], expected[512];

    (void)snprintf(text, sizeof text, "%s\n%s\n", header, row);
    (void)snprintf(expected, sizeof expected, "bad: f:2: %s\nrows=1 ignored=0\n", why);
    check(text, expected);
}

static void bad_rows_are_reported_and_the_others_read(void **state)
{
    static const char header[] =
        "provider,instance,accelerator,count,price,market,currency,date,vcpus,reliability";

    (void)state;
    refuses(header, "acme,box", "2 fields where the first line names 10");
    refuses(header, ",box,T4,1,1,,,,,", "the provider is missing");
    refuses(header, "acme,,T4,1,1,,,,,", "the instance is missing");
    refuses(header, "acme,box,,1,1,,,,,", "which accelerator is in 'box'?");
    refuses(header, "acme,box,T4,none,1,,,,,", "count: 'none' is not a number");
    refuses(header, "acme,box,T4,-1,1,,,,,", "count: '-1' is not zero or more");
    refuses(header, "acme,box,T4,0,1,,,,,", "count: a machine has at least a part of one");
    refuses(header, "acme,box,T4,1,free,,,,,", "price: 'free' is not a price");
    refuses(header, "acme,box,T4,1,-1,,,,,", "price: '-1' is not a price");
    refuses(header, "acme,box,T4,1,0,,,,,", "price: '0' is not a price");
    refuses(header, "acme,box,T4,1,1000001,,,,,", "price: '1000001' is not a price");
    refuses(header, "acme,box,T4,1,1,auction,,,,", "market: 'auction' is not a market");
    refuses(header, "acme,box,T4,1,1,,BTC,,,", "currency: 'BTC' is not a currency");
    refuses(header, "acme,box,T4,1,1,,,yesterday,,", "date: 'yesterday' is not a date");
    refuses(header, "acme,box,T4,1,1,,,2026-02-30,,", "date: '2026-02-30' is not a date");
    refuses(header, "acme,box,T4,1,1,,,,many,", "vcpus: 'many' is not a number");
    refuses(header, "acme,box,T4,1,1,,,,,1.5", "reliability: '1.5' is not a share from 0 to 1");
    refuses("provider,instance,accelerator,spot", "acme,box,T4,x",
            "spot_usd_h: 'x' is not a "
            "price");
    refuses("provider,instance,accelerator,on_demand_usd_h", "acme,box,T4,x",
            "on_demand_usd_h: 'x' is not a price");
    refuses("provider,instance,accelerator,price,gpu_memory_gib", "acme,box,T4,1,x",
            "gpu_memory_gib: 'x' is not a number");
    refuses("provider,instance,accelerator,price,memory_gib", "acme,box,T4,1,x",
            "memory_gib: 'x' is not a number");
    check(
        "# ours\nprovider,instance,accelerator,price\n\nacme,a,T4,1\n# no longer\nacme,b,T4,?\n"
        "acme,c,T4,3\n",
        "acme * a T4 x1 gpu_gib=null vcpus=null gib=null on-demand=1 USD" DATED
        "bad: f:6: price: '?' is not a price\n"
        "acme * c T4 x1 gpu_gib=null vcpus=null gib=null on-demand=3 USD" DATED
        "rows=3 ignored=0\n");
    check_strict(&feed_own, "acme", STR("instance,accelerator,price\nbox,T4,?\nbox,T4,1\n"),
                 "f:2: price: '?' is not a price");
}

static void duplicates_come_one_after_the_other(void **state)
{
    (void)state; /* the store keeps the later one */
    check("provider,instance,accelerator,price\nacme,a,T4,1\nacme,a,T4,2\n",
          "acme * a T4 x1 gpu_gib=null vcpus=null gib=null on-demand=1 USD" DATED
          "acme * a T4 x1 gpu_gib=null vcpus=null gib=null on-demand=2 USD" DATED
          "rows=2 ignored=0\n");
}

static void a_header_with_a_mistake_is_refused(void **state)
{
    struct collected c = {0};

    (void)state;
    check("", "! f: the file is empty: the first line names the columns\n");
    check("# only a remark\n", "! f: the file is empty: the first line names the columns\n");
    check("provider,instance,price,price_h\n", "! f:1: the column 'price_h' is there twice\n");
    check("# ours\n\nprovider,region,Region\n", "! f:3: the column 'Region' is there twice\n");
    check("provider,instance,accelerator,\"pri", "! f:1: a quoted field is never closed\n");
    assert_false(collect(&c, &feed_own, "", "provider,instance,acelerator,price\n"));
    assert_string_equal(c.err.text, "f:1: there is no column 'acelerator'");
    assert_string_equal(c.err.hint, "did you mean 'accelerator'?");
    assert_false(collect(&c, &feed_own, "", "provider,instance,what on earth\n"));
    assert_string_equal(c.err.hint, "'stint help price import' lists the columns");
    collect_free(&c);
}

static void failures_are_reported(void **state)
{
    static const char text[] = "provider,instance,accelerator,price\nacme,a,\"T4\",1\n"
                               "aws,g5.xlarge,,2\n";
    struct collected c = {0};

    (void)state;
    check_cut(&feed_own, "acme", STR(text), true);
    check_memory(&feed_own, "", STR(text));
    check_sink(&feed_own, "", STR(text));
    assert_false(
        collect_once(&c, &feed_own, "", (struct pieces){STR(text), 5, true}, &alloc_system));
    assert_string_equal(c.err.text, "the line went dead");
    collect_free(&c);
}

static void its_header_is_recognized(void **state)
{
    static const char *const ours[] = {
        "provider,instance,price\n",
        "cloud,instance_type,on_demand\n",
        "Instance , GPU, Spot_USD_h\r\n",
        "# prices of ours\n\n# for a while\ninstance,market,price\n",
        "\"provider\",\"instance\",\"price\"\n",
        "instance,accelerator,price", /* no line yet after it */
    };
    static const char *const others[] = {
        "",
        "\n",
        "# provider,instance,price\n",
        "provider,region,price\n",
        "provider,instance,accelerator,count\n",
        "instance,price\n",
        "instance,price\nprovider\n",
        "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\n",
        "{\"provider\":1,\"instance\":2,\"price\":3}",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ours); i++)
        if (!feed_own.recognize(str_from(ours[i])))
            fail_msg("not recognized: %s", ours[i]);
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (feed_own.recognize(str_from(others[i])))
            fail_msg("recognized: %s", others[i]);
    /* The log of changes has columns of ours: it comes before. */
    assert_ptr_equal(feed_format_of(STR("date,instance_type,accelerator,count,zone_or_region,"
                                        "on_demand_usd_h,spot_usd_h\n")),
                     &feed_changes);
}

int group_own(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_column_is_read),
        cmocka_unit_test(what_is_left_out_is_unknown),
        cmocka_unit_test(a_machine_that_the_catalog_knows_needs_no_more),
        cmocka_unit_test(the_provider_may_come_from_elsewhere),
        cmocka_unit_test(markets_have_their_names),
        cmocka_unit_test(amounts_may_be_of_other_currencies),
        cmocka_unit_test(bad_rows_are_reported_and_the_others_read),
        cmocka_unit_test(duplicates_come_one_after_the_other),
        cmocka_unit_test(a_header_with_a_mistake_is_refused),
        cmocka_unit_test(failures_are_reported),
        cmocka_unit_test(its_header_is_recognized),
    };

    return cmocka_run_group_tests(tests, load_facts, free_facts);
}
