/* Published bills, where available: the total of each, to the last digit, as python3's decimal
 * sums it up. */
#include "base/fs.h"
#include "bills.h"
#include "doc/compress.h"

struct file {
    const char *path; /* below finops/data of STINT_TEST_DATA */
    enum bill_format format;
    int lines;
    const char *total, *effective;
};

static const struct file files[] = {
    {"focus/real_1.0/focus_sample_1.0_1000rows.csv.gz", BILL_FOCUS, 1000, "20.52022672899",
     "14.97651418586"},
    {"focus/generated/1.2_aws_focus_1_2_cost_and_usage_aws.csv.gz", BILL_FOCUS, 2000,
     "43609.50102914537658", "12654.18316414537658"},
    {"focus/generated/1.2_azure_focus_1_2_cost_and_usage_azure.csv.gz", BILL_FOCUS, 2000,
     "63148.60765811476295", "35571.55776911476295"},
    {"focus/generated/1.2_gcp_focus_1_2_cost_and_usage_gcp.csv.gz", BILL_FOCUS, 2000,
     "47772.07172486564359", "20095.57689086564359"},
    {"focus/generated/1.3_aws_focus_1_3_cost_and_usage_aws.csv.gz", BILL_FOCUS, 2000,
     "40699.80300653937507", "11416.62952153937507"},
    {"focus/generated/1.3_azure_focus_1_3_cost_and_usage_azure.csv.gz", BILL_FOCUS, 2000,
     "52379.41101578038051", "24892.06213178038051"},
    {"focus/generated/1.3_gcp_focus_1_3_cost_and_usage_gcp.csv.gz", BILL_FOCUS, 2000,
     "39360.94932703425930", "16011.93534203425930"},
    {"focus/generated/1.4_aws_synthetic_focus_1_4_cost_and_usage.csv.gz", BILL_FOCUS, 2000,
     "40699.80300653937507", "11416.62952153937507"},
    {"focus/generated/1.4_azure_synthetic_focus_1_4_cost_and_usage.csv.gz", BILL_FOCUS, 2000,
     "52379.41101578038051", "24892.06213178038051"},
    {"focus/generated/1.4_gcp_synthetic_focus_1_4_cost_and_usage.csv.gz", BILL_FOCUS, 2000,
     "39360.94932703425930", "16011.93534203425930"},
    {"focus/spec_examples/saas_examples/simple_agreements/simple_saas_agreements_c.csv",
     BILL_FOCUS, 3, "35800", "35800"},
    {"focus/spec_examples/saas_examples/spend_agreements/saas_spend_agreements_b2.csv",
     BILL_FOCUS, 14, "1200", "1200"},
    {"focus/spec_examples/saas_examples/virtual_currency_pricing_model_a2.csv", BILL_FOCUS, 3,
     "0", "1230"},
    {"aws_cur/cur1_anonymous_focus_converters.csv.gz", BILL_AWS_CUR, 1281, "1.68230869740",
     "1.68230869740"},
    {"aws_cur/koku_test_cur.csv.gz", BILL_AWS_CUR, 19, "0.0827499841274349353",
     "0.0827499841274349353"},
    {"aws_cur/koku_aws_2023-06-01.csv.gz", BILL_AWS_CUR, 3, "30", "0.3"},
    {"oci/oci_cost_report.csv.gz", BILL_OCI, 506, "2.523589325400648027",
     "2.523589325400648027"},
};

static void check(const struct file *file, const char *path)
{
    struct error err = {0};
    struct fs_stream stream = {.fd = fs_open(path, &err), .name = path};
    struct unpacker *unpacker =
        unpack_open(fs_source(&stream), path, UINT64_C(1) << 30, &alloc_system, &err);
    struct bill_options options = {
        .alloc = &alloc_system, .name = path, .format = BILL_FORMATS};
    struct bill *bill = bill_open(unpack_source(unpacker), &options, &err);
    struct decimal billed = {0}, effective = {0};
    struct bill_line line;
    const char *column;
    int lines = 0;

    if (bill == NULL)
        fail_msg("%s: %s", file->path, err.text);
    while (bill_next(bill, &line, &err)) {
        lines++;
        assert_true(decimal_add(billed, line.billed, &billed));
        assert_true(decimal_add(effective, line.effective, &effective));
        assert_true(line.end.s >= line.start.s && line.period_end.s > line.period_start.s);
        assert_true(line.of[FOCUS_ProviderName].at != NULL);
        assert_true(line.of[FOCUS_BillingCurrency].len == 3);
    }
    if (bill_failed(bill))
        fail_msg("%s: %s", file->path, err.text);
    assert_int_equal(bill_about(bill)->format, file->format);
    assert_int_equal(lines, file->lines);
    assert_decimal(bill_file_total(bill, &column), file->total);
    assert_decimal(billed, file->total);
    assert_decimal(effective, file->effective);
    bill_close(bill);
    unpack_close(unpacker);
}

static void totals(void **state)
{
    struct test_path path;
    size_t missing = 0;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        char name[256];

        (void)snprintf(name, sizeof name, "finops/data/%s", files[i].path);
        if (test_data_there(name, &path))
            check(&files[i], path.text);
        else
            missing++;
    }
    if (missing > 0)
        test_skip("%zu of %zu bills: %s", missing, ARRAY_LEN(files), path.missing);
}

int group_totals(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(totals)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
