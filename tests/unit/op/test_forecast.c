/* Months foreseen and days judged, from a ledger with a bill. */
#include "world.h"

#include <unistd.h>

#include "base/fs.h"
#include "op/budget/anomalies.h"
#include "op/budget/forecast.h"
#include "op/context.h"
#include "op/op.h"

#define DAYS 120 /* of a bill that ends yesterday */

static char folder[64], ledger_path[100], bill_path[100], request_text[200];

static double price_of(int i, bool spot)
{
    double week = (i % 7) < 2 ? 0.5 : 1, noise = 1 + (double)((i * 7919) % 100 - 50) / 2000;

    if (!spot)
        return 40 * week * noise;
    return 200 * week * noise * (i >= DAYS - 3 ? 3 : 1);
}

static void write_bill(struct world *w)
{
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    buf_adds(&text,
             "BilledCost,EffectiveCost,BillingCurrency,ChargePeriodStart,ChargePeriodEnd,"
             "ChargeCategory,ProviderName,ServiceName,BillingAccountId,"
             "BillingPeriodStart,BillingPeriodEnd,RegionId,ResourceId\n");
    for (int i = 0; i < DAYS; i++)
        for (int k = 0; k < 3; k++) {
            day on = {op_today(&w->ctx).n - DAYS + i};
            double cost = k < 2 ? price_of(i, k == 1) : 3;

            buf_addf(&text, "%.2f,%.2f,USD,", cost, cost);
            day_write(on, &text);
            buf_adds(&text, "T00:00:00Z,");
            day_write((day){on.n + 1}, &text);
            buf_addf(&text, "T00:00:00Z,Usage,AWS,%s,1,", k == 2 ? "Store" : "Compute");
            day_write(day_month_start(on), &text);
            buf_adds(&text, "T00:00:00Z,");
            day_write(day_month_add(on, 1), &text);
            buf_addf(&text, "T00:00:00Z,region-%d,r\n", k);
        }
    assert_true(buf_ok(&text, &err));
    assert_true(fs_replace(bill_path, buf_text(&text), &err));
    buf_free(&text);
}

static int forecast_make(void **state)
{
    struct world *w;
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    bool ok;

    (void)snprintf(folder, sizeof folder, "/tmp/stint-forecast-XXXXXX");
    if (mkdtemp(folder) == NULL || world_make(state) != 0)
        return 1;
    (void)snprintf(ledger_path, sizeof ledger_path, "%s/ledger.db", folder);
    (void)snprintf(bill_path, sizeof bill_path, "%s/bill.csv", folder);
    (void)snprintf(request_text, sizeof request_text, "{\"files\":[\"%s\"]}", bill_path);
    w = *state;
    w->settings.ledger = str_from(ledger_path);
    write_bill(w);
    ok = op_call(&w->ctx, op_find(STR("import")), str_from(request_text), &out, &err);
    buf_free(&out);
    return ok ? 0 : 1;
}

static int forecast_end(void **state)
{
    char command[200];
    int status = world_end(state);

    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return status != 0 ? status : system(command);
}

#define forecast_test(name) cmocka_unit_test_setup_teardown(name, forecast_make, forecast_end)

static void months_are_exact_so_far(void **state)
{
    struct world *w = *state;
    struct forecast_request req;
    struct forecast_result res = {0};
    struct error err = {0};
    const struct forecast_row *total;
    double spent = 0, rest;

    assert_true(fields_reset(op_forecast.request, &req, &w->arena, &err));
    assert_true(op_run(&w->ctx, &op_forecast, &req, &res, &err));
    assert_int_equal(res.forecast.totals.len, 1);
    total = res.forecast.totals.at;
    for (int i = DAYS - 14; i < DAYS; i++) /* from the first of November */
        spent +=
            round(price_of(i, false) * 100) / 100 + round(price_of(i, true) * 100) / 100 + 3;
    assert_near(decimal_double(total->spent.amount), spent, 1e-6);
    assert_int_equal(res.forecast.days_left, 16);
    assert_int_equal(res.forecast.known_until.n, op_today(&w->ctx).n - 1);
    rest = decimal_double(total->forecast.amount) - spent;
    assert_true(rest > 16 * 190 && rest < 16 * 600); /* the event may go on, or pass */
    assert_true(decimal_cmp(total->low.amount, total->forecast.amount) < 0);
    assert_true(decimal_cmp(total->forecast.amount, total->high.amount) < 0);
}

static void events_name_what_moved(void **state)
{
    struct world *w = *state;
    struct anomalies_request req;
    struct anomalies_result res = {0};
    struct error err = {0};
    const struct anomaly_row *row;

    assert_true(fields_reset(op_anomalies.request, &req, &w->arena, &err));
    assert_true(op_run(&w->ctx, &op_anomalies, &req, &res, &err));
    assert_int_equal(res.events.series, 2);
    assert_int_equal(res.count, 1);
    assert_int_equal(res.events.going_on, 1);
    row = res.events.rows.at;
    assert_str_equal(row->value[0], "Compute");
    assert_int_equal(row->direction, ANOMALY_UP);
    assert_true(row->goes_on);
    assert_str_equal(row->cause, "region=region-1");
    assert_true(row->explains > 0.9);
    assert_int_equal(row->first.n, op_today(&w->ctx).n - 3);
    assert_int_equal(row->last.n, op_today(&w->ctx).n - 1);
    assert_true(row->note.at == NULL);
}

static void without_a_bill_of_late_days(void **state)
{
    struct world *w = *state;
    static const stamp later = {1794700800 + 4 * 86400};
    struct forecast_request req;
    struct forecast_result res = {0};
    struct error err = {0};

    w->clock = clock_fixed(&later);
    assert_true(fields_reset(op_forecast.request, &req, &w->arena, &err));
    assert_true(op_run(&w->ctx, &op_forecast, &req, &res, &err));
    assert_int_equal(res.forecast.known_until.n,
                     op_today(&w->ctx).n - 5); /* not zero: not known */
    assert_int_equal(res.forecast.days_left, 16);
}

static void memory_may_run_out(void **state)
{
    static const char *const requests[][2] = {
        {"forecast", "{\"by\":[\"service\"]}"},
        {"anomalies", "{\"by\":[\"service\",\"region\"]}"},
    };

    world_survives(*state, requests, ARRAY_LEN(requests));
}

int group_forecast(void)
{
    const struct CMUnitTest tests[] = {
        forecast_test(months_are_exact_so_far),
        forecast_test(events_name_what_moved),
        forecast_test(without_a_bill_of_late_days),
        forecast_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
