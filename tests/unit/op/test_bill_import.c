/* Bills from files into the ledger: classified, compared with their own totals, stopped, starved. */
#include "world.h"

#include <unistd.h>

#include "ledger/budgets.h"
#include "op/bill_classify.h"
#include "op/bill_import.h"
#include "op/ledger_open.h"

#define HEAD \
    "BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,BillingPeriodStart," \
    "BillingPeriodEnd,ChargeCategory,ChargePeriodStart,ChargePeriodEnd,ProviderName," \
    "ServiceCategory,ServiceName,PricingCategory,SkuPriceDetails,Tags,ResourceId\n"
#define LINE(amount, day, more) \
    amount "," amount ",111,USD,2026-05-01T00:00:00Z,2026-06-01T00:00:00Z,Usage,2026-05-" day \
           "T00:00:00Z,2026-05-" day "T01:00:00Z,AWS,Compute,Amazon EC2,Dynamic," more "\n"
#define P5 \
    "\"{\"\"InstanceType\"\":\"\"p5.48xlarge\"\"}\",\"{\"\"user:CostCenter\"\":\"\"42\"\"}\"," \
    "i-1"

static char folder[64], ledger_file[100];
static int stop_after = -1;

static bool stopped(void)
{
    return stop_after >= 0 && stop_after-- == 0;
}

static int make(void **state)
{
    struct world *w;

    (void)snprintf(folder, sizeof folder, "/tmp/stint-import-XXXXXX");
    if (mkdtemp(folder) == NULL || world_make(state) != 0)
        return 1;
    w = *state;
    (void)snprintf(ledger_file, sizeof ledger_file, "%s/ledger.db", folder);
    w->settings.ledger = str_from(ledger_file);
    stop_after = -1;
    w->ctx.stopped = stopped;
    return 0;
}

static int unmake(void **state)
{
    char command[200];

    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    return world_end(state) + system(command);
}

static const char *path_of(const char *name)
{
    static char path[120];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "wb");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Import a file of the test's folder. */
static bool import(struct world *w, const char *name, struct import_result *out,
                   struct error *err)
{
    struct import_request request = {0};
    struct str file;

    file = str_from(str_dup(str_from(path_of(name)), &w->arena, err));
    assert_true(fields_reset(op_import.request, &request, &w->arena, err));
    assert_true(fields_reset(op_import.result, out, &w->arena, err));
    request.files = (struct strs){&file, 1};
    return op_run(&w->ctx, &op_import, &request, out, err);
}

static void a_bill_is_imported(void **state)
{
    struct world *w = *state;
    struct import_result out;
    struct error err = {0};
    const struct import_bill_view *bills;
    const struct import_file_view *files;

    put("may.csv", HEAD LINE("1.5", "01", P5) LINE("2E-3", "03", P5));
    if (!import(w, "may.csv", &out, &err))
        fail_msg("%s", err.text);
    bills = out.bills.at;
    files = out.files.at;
    assert_int_equal(out.bills.len, 1);
    assert_int_equal(out.lines, 2);
    assert_true(files[0].equal);
    assert_str_equal(files[0].column, "BilledCost");
    assert_str_equal(bills[0].period, "2026-05");
    assert_str_equal(bills[0].provider, "AWS");
    assert_int_equal(bills[0].billed.amount.coefficient, 1502);
    assert_int_equal(bills[0].billed.amount.scale, 3);
    assert_int_equal(bills[0].replaced, 0);
    assert_true(import(w, "may.csv", &out, &err));
    bills = out.bills.at;
    assert_int_equal(bills[0].replaced, 1);
    assert_str_equal(bills[0].replaced_imported, "2026-11-15T00:00:00Z");
}

static void who_stops_it_changes_nothing(void **state)
{
    struct world *w = *state;
    struct import_result out;
    struct error err = {0};
    const struct ledger_bill *bills;
    struct ledger *l;
    size_t count;

    put("may.csv", HEAD LINE("1.5", "01", P5));
    stop_after = 0;
    assert_false(import(w, "may.csv", &out, &err));
    assert_int_equal(err.kind, ERROR_STOPPED);
    assert_non_null(strstr(err.text, "nothing was changed"));
    l = op_ledger(&w->ctx, LEDGER_READ, &err);
    assert_non_null(l);
    assert_true(ledger_bills(l, &w->arena, &bills, &count, &err));
    assert_int_equal(count, 0);
    ledger_close(l);
}

/* The same account and time under another name may be the same money. */
static void what_may_be_there_twice_is_said(void **state)
{
    struct world *w = *state;
    struct import_result out;
    struct error err = {0};

    put("may.csv", HEAD LINE("1.5", "01", P5));
    put("other.csv",
        "BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,BillingPeriodStart,"
        "BillingPeriodEnd,ChargeCategory,ChargePeriodStart,ChargePeriodEnd,"
        "ProviderName,ServiceCategory,ServiceName\n"
        "1.5,1.5,111,USD,2026-05-01T00:00:00Z,2026-06-01T00:00:00Z,Usage,"
        "2026-05-01T00:00:00Z,2026-05-02T00:00:00Z,Reseller,Compute,EC2\n");
    assert_true(import(w, "may.csv", &out, &err));
    assert_string_equal(w->said, "");
    assert_true(import(w, "other.csv", &out, &err));
    assert_non_null(
        strstr(w->said, "bill 1 of AWS is for the same account and time as bill 2"));
}

static void a_line_has_dimensions(void **state)
{
    struct world *w = *state;
    struct bill_line line = {0};
    struct dimensions of;
    struct error err = {0};
    struct ledger *l = op_ledger(&w->ctx, LEDGER_WRITE, &err);
    struct bill_classifier *c;

    assert_non_null(l);
    if (!ledger_document_put(l, "allocation",
                             STR("rules:\n  - when: {service: Amazon EC2}\n"
                                 "    set: {team: nlp}\n"),
                             STR("ann"), (stamp){1}, &err))
        fail_msg("%s", err.text);
    c = bill_classifier_open(&w->ctx, l, &err);
    if (c == NULL)
        fail_msg("%s", err.text);
    line.of[FOCUS_ServiceProviderName] = STR("Amazon Web Services, Inc.");
    line.of[FOCUS_ProviderName] = STR("other");
    line.of[FOCUS_ServiceName] = STR("Amazon EC2");
    line.of[FOCUS_ServiceCategory] = STR("Compute");
    line.of[FOCUS_BillingAccountId] = STR("111");
    line.of[FOCUS_SubAccountId] = STR("222");
    line.of[FOCUS_SubAccountName] = STR("research");
    line.of[FOCUS_RegionId] = STR("us-east-1");
    line.of[FOCUS_ChargeCategory] = STR("Usage");
    line.of[FOCUS_PricingCategory] = STR("Dynamic");
    line.of[FOCUS_SkuPriceDetails] =
        STR("{\"x\":{\"InstanceType\":\"no\"},\"InstanceType\":\"ml.p5.48xlarge\","
            "\"StorageClass\":\"Glacier\"}");
    line.of[FOCUS_Tags] = STR("{\"user:Project\":\"llm\",\"cost-centre\":\"42\"}");
    for (int round = 0; round < 2; round++) { /* the second finds the instance at once */
        bill_classify(c, &line, &of);
        assert_str_equal(of.of[DIMENSION_provider], "AWS");
        assert_str_equal(of.of[DIMENSION_service], "Amazon EC2");
        assert_str_equal(of.of[DIMENSION_category], "Compute");
        assert_str_equal(of.of[DIMENSION_account], "111");
        assert_str_equal(of.of[DIMENSION_sub_account], "research");
        assert_str_equal(of.of[DIMENSION_region], "us-east-1");
        assert_str_equal(of.of[DIMENSION_charge], "Usage");
        assert_str_equal(of.of[DIMENSION_pricing], "spot");
        assert_str_equal(of.of[DIMENSION_instance], "ml.p5.48xlarge");
        assert_str_equal(of.of[DIMENSION_gpu], "H100");
        assert_str_equal(of.of[DIMENSION_tier], "Glacier");
        assert_str_equal(of.of[DIMENSION_team], "nlp"); /* by the rule */
        assert_str_equal(of.of[DIMENSION_project], "llm");
        assert_str_equal(of.of[DIMENSION_cost_centre], "42");
        assert_str_equal(of.of[DIMENSION_owner], "");
    }
    line.of[FOCUS_SkuPriceDetails] = STR("{\"InstanceType\": broken");
    line.of[FOCUS_PricingCategory] = (struct str){0};
    line.of[FOCUS_Tags] = STR("none");
    bill_classify(c, &line, &of);
    assert_str_equal(of.of[DIMENSION_instance], "");
    assert_str_equal(of.of[DIMENSION_pricing], "");
    assert_str_equal(of.of[DIMENSION_project], "");
    assert_true(bill_classifier_ok(c, &err));
    bill_classifier_close(c);
    ledger_close(l);
}

static void memory_runs_out(void **state)
{
    struct world *w = *state;
    struct import_result out;
    struct error err = {0};
    char requests[3][400];
    const char *calls[][2] = {
        {"import", requests[0]}, {"import", requests[1]}, {"bills", "{}"}};

    put("may.csv", HEAD LINE("1.5", "01", P5) LINE("2E-3", "03", P5));
    put("m-Manifest.json", "{\"assemblyId\":\"a\",\"reportKeys\":[\"x/may.csv\"],"
                           "\"billingPeriod\":{\"start\":\"20260501T000000.000Z\","
                           "\"end\":\"20260601T000000.000Z\"}}");
    (void)snprintf(requests[0], sizeof requests[0], "{\"files\":[\"%s\"],\"dry_run\":true}",
                   folder);
    (void)snprintf(requests[1], sizeof requests[1], "{\"files\":[\"%s/may.csv\"]}", folder);
    assert_true(import(w, "may.csv", &out, &err)); /* makes the ledger */
    world_survives(w, (const char *const(*)[2])calls, ARRAY_LEN(calls));
}

#define test(name) cmocka_unit_test_setup_teardown(name, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_bill_is_imported),
        test(who_stops_it_changes_nothing),
        test(what_may_be_there_twice_is_said),
        test(a_line_has_dimensions),
        test(memory_runs_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
