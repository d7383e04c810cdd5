/* Bills from files into the ledger: classified, compared with their own totals, stopped,
 * starved. */
#include "world.h"

#include <unistd.h>

#include "ledger/budgets.h"
#include "op/bill/bill_import.h"
#include "op/ledger_open.h"
#include "op/op.h"

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
    w->ctx.watch.stopped = stopped;
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
static bool import_with(struct world *w, const char *name, struct import_request request,
                        struct import_result *out, struct error *err)
{
    struct import_request all = {0};
    struct str file;

    file = str_from(str_dup(str_from(path_of(name)), &w->arena, err));
    assert_true(fields_reset(op_import.request, &all, &w->arena, err));
    assert_true(fields_reset(op_import.result, out, &w->arena, err));
    request.files = (struct strs){&file, 1};
    return op_run(&w->ctx, &op_import, &request, out, err);
}

static bool import(struct world *w, const char *name, struct import_result *out,
                   struct error *err)
{
    return import_with(w, name, (struct import_request){0}, out, err);
}

static void refused(struct world *w, const char *text, const char *words, const char *hint)
{
    struct import_result out;
    struct error err = {0};

    put("bad.csv", text);
    for (int dry = 0; dry < 2; dry++) { /* a rehearsal says the same */
        assert_false(import_with(w, "bad.csv", (struct import_request){.dry_run = dry == 1},
                                 &out, &err));
        assert_int_equal(err.kind, ERROR_INPUT);
        if (strstr(err.text, words) == NULL)
            fail_msg("'%s' is not in '%s'", words, err.text);
        if (strstr(err.hint, hint) == NULL)
            fail_msg("'%s' is not in '%s'", hint, err.hint);
    }
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
    assert_str_equal(bills[0].bill.period, "2026-05");
    assert_str_equal(bills[0].bill.bill.provider, "AWS");
    assert_int_equal(bills[0].bill.billed.amount.coefficient, 1502);
    assert_int_equal(bills[0].bill.billed.amount.scale, 3);
    assert_int_equal(bills[0].replaced, 0);
    assert_true(import(w, "may.csv", &out, &err));
    bills = out.bills.at;
    assert_int_equal(bills[0].replaced, 1);
    assert_int_equal(bills[0].replaced_imported.s, 1794700800); /* 2026-11-15 */
}

static void who_stops_it_changes_nothing(void **state)
{
    struct world *w = *state;
    struct import_result out;
    struct error err = {0};

    put("may.csv", HEAD LINE("1.5", "01", P5));
    stop_after = 0;
    assert_false(import(w, "may.csv", &out, &err));
    assert_int_equal(err.kind, ERROR_STOPPED);
    assert_non_null(strstr(err.text, "nothing was changed"));
    err = (struct error){0};
    assert_null(op_ledger(&w->ctx, LEDGER_READ, &err)); /* there was no ledger before either */
    assert_int_equal(err.kind, ERROR_ABSENT);
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

#define SHORT_HEAD \
    "BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,BillingPeriodStart," \
    "BillingPeriodEnd,ChargeCategory,ChargePeriodStart,ChargePeriodEnd,ProviderName\n"
#define SHORT(account, currency, start_end) \
    "1,1," account "," currency ",2026-05-01T00:00:00Z,2026-06-01T00:00:00Z,Usage," start_end \
    ",AWS\n"
#define MAY_1 "2026-05-01T00:00:00Z,2026-05-01T01:00:00Z"

/* A currency that there is not is refused, unless the user says which it is. */
static void a_currency_is_one_that_there_is(void **state)
{
    static const char *const texts[] = {SHORT_HEAD SHORT("111", "MC", MAY_1),
                                        SHORT_HEAD SHORT("111", "XXQ", MAY_1),
                                        SHORT_HEAD SHORT("111", "", MAY_1)};
    struct world *w = *state;
    struct import_result out;
    struct error err = {0};
    const struct import_bill_view *bills;

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        refused(w, texts[i], "BillingCurrency", "--currency USD");
        assert_true(import_with(w, "bad.csv", (struct import_request){.currency = STR("eur")},
                                &out, &err));
        bills = out.bills.at;
        assert_string_equal(bills[0].bill.billed.currency.code, "EUR");
    }
    put("lower.csv", SHORT_HEAD SHORT("222", "usd", MAY_1));
    assert_true(import_with(w, "lower.csv", (struct import_request){.currency = STR("EUR")},
                            &out, &err));
    bills = out.bills.at;
    assert_string_equal(bills[0].bill.billed.currency.code, "USD");
    assert_non_null(strstr(w->said, "--currency is not used"));
    assert_false(import_with(w, "lower.csv", (struct import_request){.currency = STR("XXQ")},
                             &out, &err));
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_false(import_with(
        w, "lower.csv", (struct import_request){.add = true, .replace = true}, &out, &err));
    assert_int_equal(err.kind, ERROR_USAGE);
}

static void what_contradicts_itself_is_refused(void **state)
{
    struct world *w = *state;

    refused(w, "billed_cost," SHORT_HEAD "9," SHORT("111", "USD", MAY_1),
            "the columns 'billed_cost' and 'BilledCost' are the same amount", "one of them");
    refused(w,
            "{\"BilledCost\":1,\"BilledCost\":2,\"EffectiveCost\":1,\"BillingAccountId\":\"1\","
            "\"BillingCurrency\":\"USD\",\"ChargePeriodStart\":\"2026-05-01\","
            "\"ChargePeriodEnd\":\"2026-05-02\",\"ChargeCategory\":\"Usage\","
            "\"ProviderName\":\"AWS\"}\n",
            "'BilledCost' is there twice", "");
    refused(w, SHORT_HEAD SHORT("111", "USD", "2026-05-02T00:00:00Z,2026-05-01T00:00:00Z"),
            "bad.csv:2: ChargePeriodEnd is before the start", "nothing was changed");
    refused(w,
            SHORT_HEAD "1,1,111,USD,2026-06-01T00:00:00Z,2026-05-01T00:00:00Z,Usage,"
                       "2026-05-01T00:00:00Z,2026-05-01T01:00:00Z,AWS\n",
            "bad.csv:2: BillingPeriodEnd is before the start", "");
    refused(w,
            SHORT_HEAD "1.000000000000000000000000000000000000001,1,111,USD,2026-05-01,"
                       "2026-06-01,Usage,2026-05-01,2026-05-02,AWS\n",
            "38 digits", "");
}

/* Blanks around an account are none of it; one that is almost another is said. */
static void accounts_are_told_apart(void **state)
{
    struct world *w = *state;
    struct import_result out;
    struct error err = {0};
    const struct import_bill_view *bills;

    put("a.csv", SHORT_HEAD SHORT(" Team A ", "USD", MAY_1));
    put("b.csv", SHORT_HEAD SHORT("teamA", "USD", MAY_1));
    assert_true(import(w, "a.csv", &out, &err));
    bills = out.bills.at;
    assert_str_equal(bills[0].bill.bill.account, "Team A");
    assert_string_equal(w->said, "");
    assert_true(import(w, "b.csv", &out, &err));
    assert_non_null(strstr(w->said, "'teamA' differs from 'Team A' of bill 1 only in case"));
}

/* What had to be assumed is said, with a date of the file itself. */
static void assumptions_are_said(void **state)
{
    struct world *w = *state;
    struct import_result out;
    struct error err = {0};

    put("azure.csv",
        "Date,MeterCategory,MeterId,ConsumedService,SubscriptionId,ResourceId,Cost,"
        "MeterName,UnitOfMeasure\n"
        "4/30/2026,Storage,m,c,s,r,1.5,n,1 GB\n");
    if (!import(w, "azure.csv", &out, &err))
        fail_msg("%s", err.text);
    assert_non_null(strstr(w->said, "dates such as 4/30/2026 are read with the month first"));
    assert_non_null(strstr(w->said, "so US dollars are assumed"));
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

int group_bill_import(void)
{
    const struct CMUnitTest tests[] = {
        test(a_bill_is_imported),
        test(who_stops_it_changes_nothing),
        test(what_may_be_there_twice_is_said),
        test(a_currency_is_one_that_there_is),
        test(what_contradicts_itself_is_refused),
        test(accounts_are_told_apart),
        test(assumptions_are_said),
        test(memory_runs_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
