/* SkyPilot's catalogs: each cloud's oddities, in small. */
#include "checks.h"

#define HEADER \
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice," \
    "Region,AvailabilityZone\n"

static struct collected c;

static int free_collected(void **state)
{
    (void)state;
    collect_free(&c);
    return 0;
}

static const struct quote *read_one(const char *provider, const char *row)
{
    char text[2048];

    (void)snprintf(text, sizeof text, HEADER "%s\n", row);
    if (!collect(&c, &feed_skypilot, provider, text))
        fail_msg("%s", c.err.text);
    if (c.bad > 0)
        fail_msg("%s", c.first_bad);
    assert_int_equal(c.len, 1);
    return &c.quotes[0];
}

static void read_oddity(const char *provider, const char *path)
{
    collect_file(&c, &feed_skypilot, provider, path);
    if (!c.ok)
        fail_msg("%s", c.err.text);
}

static void assert_price(const struct quote *q, int64_t on_demand, int64_t spot)
{
    assert_non_null(q);
    assert_int_equal(q->price[MARKET_ON_DEMAND], on_demand);
    assert_int_equal(q->price[MARKET_SPOT], spot);
    for (int m = MARKET_SPOT + 1; m < MARKET_COUNT; m++)
        assert_int_equal(q->price[m], PRICE_UNSAID);
}

static void assert_memory(const struct quote *q, double gib)
{
    assert_true(isnan(gib) ? isnan(q->gpu_memory_gib) : fabs(q->gpu_memory_gib - gib) < 0.01);
}

static void a_row_is_a_quote(void **state)
{
    const struct quote *q =
        read_one("aws", "p4d.24xlarge,A100,8.0,96.0,1152.0,\"{'Gpus': [{'Name': 'A100', "
                        "'Manufacturer': 'NVIDIA', 'Count': 8, 'MemoryInfo': {'SizeInMiB': "
                        "40960}}], 'TotalGpuMemoryInMiB': 327680}\",21.957642,9.8317,"
                        "us-east-1,use1-az6");

    (void)state;
    assert_str_equal(q->provider, "aws");
    assert_str_equal(q->region, "us-east-1");
    assert_str_equal(q->zone, "use1-az6");
    assert_str_equal(q->instance, "p4d.24xlarge");
    assert_str_equal(q->accelerator, "A100-SXM-40GB");
    assert_true(q->count == 8 && q->vcpus == 96 && q->memory_gib == 1152);
    assert_memory(q, 40);
    assert_price(q, INT64_C(21957642000), INT64_C(9831700000));
    assert_string_equal(q->currency.code, "USD");
    assert_int_equal(q->flags, 0);
    assert_int_equal(q->at.s, COLLECT_DAY);
    assert_true(isnan(q->reliability));
    assert_int_equal(c.summary.rows, 1);
}

static void columns_are_found_by_their_names(void **state)
{
    const struct quote *q;

    (void)state;
    read_oddity("elsewhere", ODDITIES "skypilot_order.csv");
    assert_int_equal(c.bad, 0);
    assert_int_equal(c.len, 3);
    assert_price(last_quote(&c, "north1", "", "box-1"), USD(1.25), PRICE_NONE);
    q = last_quote(&c, "south, west", "", "box-2");
    assert_price(q, USD(2.5), USD(0.75));
    assert_memory(q, 24);
    q = last_quote(&c, "*", "", "box-3");
    assert_price(q, USD(3), PRICE_NONE);
    assert_true(isnan(q->vcpus) && isnan(q->memory_gib));
    assert_str_equal(q->accelerator, "L4");
}

static void unusable_rows_are_reported_with_their_line(void **state)
{
    (void)state;
    read_oddity("elsewhere", ODDITIES "skypilot_bad.csv");
    assert_int_equal(c.len, 2);
    assert_int_equal(c.bad, 8);
    assert_int_equal(c.summary.rows, 11);
    assert_int_equal(c.summary.ignored, 1);
    assert_string_equal(c.first_bad, "f:4: Price: 'free' is not a price");
    c.strict = true;
    assert_false(collect(&c, &feed_skypilot, "elsewhere",
                         HEADER "a,T4,1,1,1,,1,1,r,z\nb,T4,1,1\nc,T4,1,1,1,,1,1,r,z\n"));
    assert_int_equal(c.err.kind, ERROR_INPUT);
    assert_string_equal(c.err.text, "f:3: 4 fields where the first line names 10");
    assert_int_equal(c.len, 1);
}

static void google_s_machines_are_added_up(void **state)
{
    const struct quote *q;

    (void)state;
    read_oddity("gcp", ODDITIES "skypilot_gcp.csv");
    assert_int_equal(c.bad, 0);
    assert_int_equal(c.len, 8);
    assert_int_equal(c.summary.ignored, 2); /* n1-standard-8; 16 A100 without their host */
    q = last_quote(&c, "here1", "here1-a", "a2-highgpu-1g");
    assert_price(q, USD(3.25), USD(0.75));
    assert_str_equal(q->accelerator, "A100-SXM-40GB");
    assert_true(q->vcpus == 12 && q->memory_gib == 85 && q->count == 1);
    assert_null(last_quote(&c, "here1", "here1-b", "a2-highgpu-1g"));
    assert_price(last_quote(&c, "here1", "here1-a", "n1-highmem-8+2xT4"), USD(1.15), USD(0.2));
    q = last_quote(&c, "here1", "here1-a", "n1-highmem-8+1xV100");
    assert_price(q, USD(2.95), PRICE_NONE); /* no spot for one of them: none for both */
    assert_str_equal(q->accelerator, "V100-SXM2-16GB");
    assert_price(last_quote(&c, "here1", "here1-a", "a4-highgpu-8g"), USD(90), USD(40));
    assert_price(last_quote(&c, "here1", "here1-b", "g2-standard-4"), USD(0.7), USD(0.35));
    assert_price(last_quote(&c, "here1", "here1-b", "g2-standard-8"), USD(0.85), USD(0.45));
    q = last_quote(&c, "here1", "here1-a", "tpu-v4-8");
    assert_price(q, USD(12.88), USD(3.5));
    assert_str_equal(q->accelerator, "TPUv4");
    assert_true(q->count == 4); /* the name counts cores */
    q = last_quote(&c, "here1", "here1-a", "tpu-v5litepod-4");
    assert_str_equal(q->accelerator, "TPUv5e");
    assert_true(q->count == 4); /* this one chips */
}

static void vast_s_cards_are_named_in_the_machine_s_name(void **state)
{
    const struct quote *q;

    (void)state;
    read_oddity("vast", ODDITIES "skypilot_vast.csv");
    assert_int_equal(c.len, 3);
    q = &c.quotes[0];
    assert_str_equal(q->region, "Arizona, US, NA");
    assert_str_equal(q->accelerator, "RTX4070TiSuper");
    assert_memory(q, 15.99);                /* the row has that of all four */
    assert_price(q, USD(0.77), PRICE_NONE); /* 0.00 is not a price */
    assert_str_equal(c.quotes[1].accelerator, "A100-PCIe-40GB");
    assert_str_equal(c.quotes[2].accelerator, "H100-NVL-94GB");
}

static void cheapest_of_two_rows_is_used(void **state)
{
    (void)state;
    read_oddity("aws", ODDITIES "skypilot_twice.csv");
    assert_int_equal(c.len, 4); /* the second time with the valid price */
    assert_price(last_quote(&c, "us-east-1", "use1-az4", "p4de.24xlarge"), USD(27.5),
                 USD(24.25));
    assert_price(last_quote(&c, "us-east-1", "use1-az4", "p4d.24xlarge"), USD(21.5), USD(9.5));
}

static void many_machines_are_distinguished(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    size_t room = 3000 * 40, len;
    char *text = arena_array(&arena, char, room, &err);

    (void)state;
    len = (size_t)snprintf(text, room, "%s", HEADER);
    for (int i = 0; i < 3000; i++)
        len += (size_t)snprintf(text + len, room - len, "m%d,T4,1,,,,%d,,r,z\n", i, 1 + i);
    assert_true(collect_text(&c, &feed_skypilot, "x", (struct str){text, len}));
    assert_int_equal(c.len, 3000);
    for (int i = 0; i < 3000; i++)
        assert_int_equal(c.quotes[i].price[MARKET_ON_DEMAND], (1 + i) * INT64_C(1000000000));
    arena_free(&arena);
}

static void floors_of_auctions_are_marked(void **state)
{
    (void)state;
    assert_int_equal(
        read_one("mithril", "a100-80gb.sxm.8x,A100,8,204,1520,,0.08,0.08,r,")->flags,
        QUOTE_FLOOR);
    assert_int_equal(read_one("elsewhere", "a,A100,8,204,1520,,0.08,,r,")->flags, QUOTE_FLOOR);
    assert_int_equal(read_one("elsewhere", "a,A100,8,204,1520,,0.09,,r,")->flags, 0);
    assert_int_equal(read_one("elsewhere", "a,A100,8,204,1520,,,,r,")->flags, 0);
}

static void memory_is_that_of_one_card(void **state)
{
#define INFO(name, count, size) \
    "\"{'Gpus': [{'Name': '" name "', 'Count': " count ", 'MemoryInfo': {'SizeInMiB': " size \
    "}}], 'TotalGpuMemoryInMiB': 1}\""
    (void)state;
    assert_memory(read_one("runpod", "2x_L4,L4,2,,," INFO("L4", "2", "24") ",1,,US,US-TX-1"),
                  24);
    assert_memory(read_one("primeintellect",
                           "x__2xV100,V100,2.0,,,\"{\"\"Gpus\"\":[{\"\"Name\"\":\"\"V100\"\","
                           "\"\"MemoryInfo\"\":{\"\"SizeInMiB\"\":32768}}]}\",1,,US,z"),
                  16);
    assert_memory(read_one("seeweb", "e,L4,2,,," INFO("L4", "2", "0") ",1,,r,"), NAN);
    assert_memory(read_one("hyperstack", "e,L40,1,,,\"{'Manufacturer': null, 'MemoryInfo': "
                                         "{'SizeInMiB': 49152}}\",1,,r,"),
                  48);
    assert_memory(read_one("ibm", "e,V100,1,,,V100,1,,r,"), NAN);
    /* A share: the memory of the complete card. */
    assert_memory(read_one("aws", "g6f.large,L4,0.125,2,8," INFO(
                                      "L4", "0.125", "2861") ",0.2,0.08,us-east-1,use1-az1"),
                  22.35);
    assert_true(c.quotes[0].count == 0.125);
    assert_str_equal(c.quotes[0].accelerator, "L4");
}

static void the_accelerator_is_the_right_one(void **state)
{
    static const struct {
        const char *provider, *row, *accelerator;
    } cases[] = {
        {"aws", "p4de.24xlarge,A100-80GB,8,,," INFO("A100", "8", "81920") ",1,,r,z",
         "A100-SXM-80GB"},
        {"aws", "p3dn.24xlarge,V100-32GB,8,,," INFO("V100", "8", "32768") ",1,,r,z",
         "V100-SXM2-32GB"},
        {"aws", "inf2.xlarge,Inferentia2,1,,,,1,,r,z", "Inferentia2"},
        {"aws", "trn1.2xlarge,Trainium,1,,,,1,,r,z", "Trainium1"},
        {"aws", "g7.9xlarge,RTX PRO 4500,1,,," INFO("RTX PRO 4500", "1", "32768") ",1,,r,z",
         "RTXPRO4500-SE"},
        {"azure", "Standard_NC24rs_v3,V100,4,,,V100,1,,r,", "V100-PCIe"},
        {"azure", "Standard_NC40ads_H100_v5,H100,1,,,H100,1,,r,", "H100-NVL-94GB"},
        {"cudo", "epyc-genoa-a100-pcie_3x,A100,3,,," INFO("A100", "3", "81920") ",1,,r,",
         "A100-PCIe-80GB"},
        {"elsewhere", "x,A100,1,,,A100,1,,r,", "A100-SXM-40GB"},
        {"elsewhere", "x,V100,1,,,V100,1,,r,", "V100-SXM2-16GB"},
        {"elsewhere", "x,V100,1,,," INFO("V100", "1", "32510") ",1,,r,", "V100-SXM2-32GB"},
        {"elsewhere", "x,RTX6000,1,,," INFO("RTX6000", "1", "98304") ",1,,r,",
         "RTXPRO6000-Blackwell-SE"},
        {"elsewhere", "x,RTX6000,1,,,,1,,r,", "QuadroRTX6000"},
        {"fluidstack", "x,H100-NVLINK,8,,,,1,,r,", "H100-SXM-80GB"},
        {"lambda", "gpu_9x_h100_pcie,H100,9,,," INFO("H100", "9", "81920") ",1,,r,",
         "H100-PCIe-80GB"},
        {"runpod", "3x_A100-80GB_SECURE,A100-80GB,3,,," INFO("A100 PCIe", "3", "80") ",1,,r,",
         "A100-PCIe-80GB"},
        {"runpod", "1x_PRO-6000-MIG-24GB_SECURE,PRO-6000-MIG-24GB,1,,,,1,,r,",
         "RTXPRO6000-MIG-24GB"},
        {"scaleway", "x,H100,1,,," INFO("NVIDIA H100 PCIe", "1", "81559") ",1,,r,",
         "H100-PCIe-80GB"},
        {"shadeform", "who_H100-sxm5x2,H100,2,,," INFO("H100", "2", "80") ",1,,r,",
         "H100-SXM-80GB"},
        {"shadeform", "denvr_Gaudi2x4,GAUDI2,4,,,,1,,r,", "Gaudi2"},
        {"elsewhere", "x,Frobnicator 9,4,,,,1,,r,", "Frobnicator 9"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct quote *q = read_one(cases[i].provider, cases[i].row);

        if (!str_eq(q->accelerator, str_from(cases[i].accelerator)))
            fail_msg("%s: '%.*s' where '%s' is meant", cases[i].row, STR_ARG(q->accelerator),
                     cases[i].accelerator);
    }
#undef INFO
}

static void a_machine_that_the_catalog_knows_is_counted_as_it_is(void **state)
{
    (void)state;
    assert_true(
        read_one("azure", "Standard_ND96isr_H100_v5,H100,12,96,1900,H100,98,,r,")->count == 8);
    assert_true(read_one("azure", "Standard_NV4as_v4,Radeon MI25,1,4,14,,0.2,,r,")->count ==
                0.125);
}

static void missing_spot_column_means_unknown(void **state)
{
    (void)state;
    assert_true(collect(&c, &feed_skypilot, "x",
                        "InstanceType,Price,Region,AcceleratorName,AcceleratorCount\n"
                        "a,1,r,T4,1\n"));
    assert_price(&c.quotes[0], USD(1), PRICE_UNSAID);
}

static void provider_must_be_given(void **state)
{
    (void)state;
    assert_false(collect(&c, &feed_skypilot, "", HEADER));
    assert_int_equal(c.err.kind, ERROR_USAGE);
    assert_string_equal(c.err.text, "f: the file does not name the provider of its prices");
    assert_string_equal(c.err.hint, "set it with --provider, such as --provider aws");
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
    (void)state;
    assert_false(collect(&c, &feed_skypilot, "x", ""));
    assert_string_equal(c.err.text, "f: the file is empty: the first line names the columns");
    assert_false(collect(&c, &feed_skypilot, "x", "InstanceType,Price,Region\na,1,r\n"));
    assert_string_equal(c.err.text, "f: the column 'AcceleratorName' is missing");
    assert_false(collect(&c, &feed_skypilot, "x", HEADER "a,\"T4"));
    assert_string_equal(c.err.text, "f:2: a quoted field is never closed");
}

static void other_files_are_not_recognized(void **state)
{
    static const char *const heads[] = {
        "Tag,Region,OS,OSVersion,ImageId,CreationDate\n",
        "InstanceType,OnDemandInstanceCode,SpotInstanceCode\n",
        "GPU,MemoryGB,Manufacturer\n",
        "InstanceType,Price\nRegion\n",
        "",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(heads); i++)
        assert_ptr_not_equal(feed_format_of(str_from(heads[i])), &feed_skypilot);
    assert_ptr_equal(feed_format_of(STR("\"Region\", price ,INSTANCETYPE\r\n")),
                     &feed_skypilot);
}

static void running_out_of_memory_is_an_error(void **state)
{
    struct arena arena = test_arena();
    struct str text;

    (void)state;
    file_text(ODDITIES "skypilot_gcp.csv", &arena, &text);
    check_memory(&feed_skypilot, "gcp", text);
    arena_free(&arena);
}

static void a_cut_file_is_read_or_refused(void **state)
{
    struct arena arena = test_arena();
    struct str text;

    (void)state;
    file_text(ODDITIES "skypilot_order.csv", &arena, &text);
    check_cut(&feed_skypilot, "elsewhere", text, true);
    check_sink(&feed_skypilot, "elsewhere", text);
    arena_free(&arena);
}

int group_skypilot(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, free_collected)
    const struct CMUnitTest tests[] = {
        TEST(a_row_is_a_quote),
        TEST(columns_are_found_by_their_names),
        TEST(unusable_rows_are_reported_with_their_line),
        TEST(google_s_machines_are_added_up),
        TEST(vast_s_cards_are_named_in_the_machine_s_name),
        TEST(cheapest_of_two_rows_is_used),
        TEST(many_machines_are_distinguished),
        TEST(floors_of_auctions_are_marked),
        TEST(memory_is_that_of_one_card),
        TEST(the_accelerator_is_the_right_one),
        TEST(a_machine_that_the_catalog_knows_is_counted_as_it_is),
        TEST(missing_spot_column_means_unknown),
        TEST(provider_must_be_given),
        TEST(a_file_that_cannot_be_read_is_named),
        TEST(other_files_are_not_recognized),
        TEST(running_out_of_memory_is_an_error),
        TEST(a_cut_file_is_read_or_refused),
    };

    return cmocka_run_group_tests(tests, load_facts, free_facts);
}
