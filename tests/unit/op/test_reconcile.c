/* Bills and runs laid onto each other, through the ledger. */
#include "account_world.h"

#include "op/account/reconcile.h"
#include "op/op.h"

#define OFFER "aws/us-east-1/g5.xlarge"

static struct reconciliation ask(struct world *w, const char *month)
{
    struct reconcile_request request = {.days.month = str_from(month)};
    struct reconciliation res = {.sums = {0}};
    struct error err = {0};

    if (!op_reconcile.run(&w->ctx, &request, &res, &err))
        fail_msg("%s", err.text);
    return res;
}

/* The only run there is. */
static const struct reconcile_run *the_run(const struct reconciliation *res)
{
    assert_int_equal(res->runs.len, 1);
    return res->runs.at;
}

static const struct reconcile_sums *the_sums(const struct reconciliation *res)
{
    assert_int_equal(res->sums.len, 1);
    return res->sums.at;
}

/* Hour by hour, with its disk and traffic beside it in the same name. */
static void hours_are_added_up(void **state)
{
    struct world *w = *state;
    struct account_line lines[12];
    struct reconciliation res;

    account_record(
        w, &(struct account_run){"bert", "i-01", NULL, OFFER, AT(5, 2), 4 * HOUR, 4 * DOLLAR});
    for (int h = 0; h < 10; h++)
        lines[h] = (struct account_line){"i-01", "1.00", AT(5, h), HOUR, .quantity = "1"};
    lines[10] = (struct account_line){"i-01",          "2",          AT(5, 0),        24 * HOUR,
                                      .quantity = "7", .unit = "GB", .meter = "Bytes"};
    lines[11] = (struct account_line){"i-01", "-2", AT(5, 0), 24 * HOUR, .charge = "Credit"};
    account_bill_of(w, lines, ARRAY_LEN(lines));
    res = ask(w, "2026-10");
    assert_decimal(the_run(&res)->billed, "4");
    assert_near(the_run(&res)->off, 0, 1e-9);
    assert_decimal(the_sums(&res)->idle, "6");
    assert_decimal(the_sums(&res)->untracked, "0");
    assert_decimal(the_sums(&res)->other, "0");
}

/* Google Cloud bills cores, memory and GPUs of one machine by the hour of each. */
static void meters_beside_each_other_are_one_time(void **state)
{
    static const char id[] = "//compute.googleapis.com/projects/1/zones/z/instance/42";
    struct world *w = *state;
    struct account_line lines[30];
    struct reconciliation res;

    account_record(w, &(struct account_run){"bert", "42", NULL, "gcp/us-east-1/a2-highgpu-8g",
                                            AT(5, 0), 5 * HOUR, 20 * DOLLAR});
    for (int h = 0; h < 10; h++) {
        lines[3 * h] = (struct account_line){id,
                                             "3",
                                             AT(5, h),
                                             HOUR,
                                             .quantity = "8",
                                             .unit = "hour",
                                             .meter = "A100 GPU",
                                             .provider = "Google Cloud",
                                             .type = "a2-highgpu-8g"};
        lines[3 * h + 1] = lines[3 * h + 2] = lines[3 * h];
        lines[3 * h + 1].quantity = "96";
        lines[3 * h + 1].meter = "Core";
        lines[3 * h + 1].cost = "0.75";
        lines[3 * h + 2].quantity = "680";
        lines[3 * h + 2].unit = "gibibyte hour";
        lines[3 * h + 2].meter = "Ram";
        lines[3 * h + 2].cost = "0.25";
    }
    account_bill_of(w, lines, ARRAY_LEN(lines));
    res = ask(w, "2026-10");
    assert_decimal(the_run(&res)->billed, "20");
    assert_int_equal(the_run(&res)->how, RECONCILE_RESOURCE);
    assert_near(((const struct reconcile_resource *)res.resources.at)->hours, 10, 1e-9);
}

static void what_is_no_machine_is_none(void **state)
{
    static const struct account_line lines[] = {
        {"arn:aws:ec2:us-east-1:1:volume/vol-1", "1", AT(5, 0), 24 * HOUR, .quantity = "24"},
        {"natgateway/nat-1", "2", AT(5, 0), 24 * HOUR, .quantity = "24"},
        {"arn:aws:ec2:us-east-1:1:reserved-instances/r", "4", AT(5, 0), 24 * HOUR,
         .quantity = "24", .status = "Unused"},
        {"i-01", "8", AT(5, 0), 24 * HOUR, .quantity = "24", .charge = "Purchase"},
        {NULL, "16", AT(5, 0), 24 * HOUR, .charge = "Tax"},
        {"fn", "32", AT(5, 0), 24 * HOUR, .quantity = "9", .unit = "GB-Seconds", .type = ""},
    };
    struct world *w = *state;
    struct reconciliation res;

    /* By type and time, were there one of them that could be its own. */
    account_record(
        w, &(struct account_run){"bert", NULL, NULL, OFFER, AT(5, 0), 20 * HOUR, DOLLAR});
    account_bill_of(w, lines, ARRAY_LEN(lines));
    res = ask(w, "2026-10");
    assert_int_equal(the_run(&res)->how, RECONCILE_NOT);
    assert_decimal(the_sums(&res)->other, "63");
    assert_int_equal(res.resources.len, 0);
    assert_int_equal(res.estimated_only.nano, DOLLAR);
}

/* A run over the end of the month: each month has its days of it. */
static void a_run_over_the_end_of_a_month(void **state)
{
    struct world *w = *state;
    static const struct account_line lines[] = {
        {"i-01", "24", AT(31, 0), 24 * HOUR, .quantity = "24"},
    };
    struct reconciliation res;

    account_record(w, &(struct account_run){"bert", "i-01", NULL, OFFER, AT(31, 18), 24 * HOUR,
                                            24 * DOLLAR});
    account_bill_of(w, lines, 1);
    res = ask(w, "2026-10");
    assert_decimal(the_run(&res)->billed, "6");
    assert_int_equal(the_run(&res)->metered.nano, 6 * DOLLAR);
    assert_near(the_run(&res)->off, 0, 1e-9);
    res = ask(w, "2026-11");
    assert_int_equal(the_run(&res)->metered.nano, 18 * DOLLAR);
    assert_int_equal(res.estimated_only.nano, 18 * DOLLAR);
    assert_true(res.no_bills);
    res = ask(w, "");
    /* Bills cover a quarter of it: bill and meter are not compared. */
    assert_true(isnan(the_run(&res)->off));
    assert_near(the_run(&res)->covered, 0.25, 1e-9);
    assert_int_equal(res.estimated_only.nano, 18 * DOLLAR);
    assert_int_equal(res.days.len, 2);
}

/* Preempted, and gone on on another machine that is billed in euros. */
static void attempts_on_two_machines(void **state)
{
    static const struct account_line lines[] = {
        {"i-01", "10", AT(5, 0), 24 * HOUR, .quantity = "10"},
        {"i-02", "20", AT(5, 0), 24 * HOUR, .quantity = "10"},
        {"i-03", "7", AT(5, 0), 24 * HOUR, .quantity = "7", .currency = "EUR"},
    };
    struct world *w = *state;
    struct reconciliation res;

    account_record(
        w, &(struct account_run){"bert", "i-01", NULL, OFFER, AT(5, 0), 5 * HOUR, 5 * DOLLAR});
    account_record(
        w, &(struct account_run){NULL, "i-02", NULL, OFFER, AT(5, 5), 10 * HOUR, 5 * DOLLAR});
    account_record(
        w, &(struct account_run){NULL, "i-03", NULL, OFFER, AT(5, 15), 7 * HOUR, DOLLAR});
    account_bill_of(w, lines, ARRAY_LEN(lines));
    res = ask(w, "2026-10");
    assert_decimal(the_run(&res)->billed, "25");
    assert_string_equal(the_run(&res)->currency.code, "USD");
    assert_int_equal(the_run(&res)->metered.nano, 11 * DOLLAR);
    assert_int_equal(res.sums.len, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct reconcile_sums *sums = (const struct reconcile_sums *)res.sums.at + i;

        assert_decimal(sums->matched,
                       currency_is(sums->currency, (struct currency){"EUR"}) ? "7" : "25");
    }
}

static void a_machine_without_hours_is_there_all_day(void **state)
{
    static const struct account_line lines[] = {{"i-01", "24", AT(5, 0), .seconds = 24 * HOUR}};
    struct world *w = *state;
    struct reconciliation res;

    account_record(
        w, &(struct account_run){"bert", "i-01", NULL, OFFER, AT(5, 0), 6 * HOUR, DOLLAR});
    account_bill_of(w, lines, 1);
    res = ask(w, "2026-10");
    assert_decimal(the_run(&res)->billed, "6");
    assert_true(isnan(((const struct reconcile_resource *)res.resources.at)->hours));
}

/* ---- whatever the bill and the runs: nothing is lost or made ---- */

static uint64_t random_state;

static uint64_t draw(uint64_t below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % below;
}

#define LINES 60
#define RUNS 12

static void random_account(struct world *w)
{
    static char cost[LINES][40], quantity[LINES][16], resource[LINES][16];
    static const char *const units[] = {"Hrs", "Hours", "GB", "seconds", "100 Hours"};
    static const char *const charges[] = {"Usage", "Usage", "Usage", "Credit", "Tax"};
    struct account_line lines[LINES];

    for (size_t i = 0; i < LINES; i++) {
        uint64_t machine = draw(7);
        bool daily = draw(2) == 0;
        const char *sign = draw(9) == 0 ? "-" : "";
        unsigned long long dollars = draw(30), nano = draw(1000000000), rest = draw(1000000);
        unsigned long long hours = draw(daily ? 24 : 2), tenths = draw(10);
        int on_day = (int)draw(4) + 1, hour = daily ? 0 : (int)draw(24);

        (void)snprintf(cost[i], sizeof cost[i], "%s%llu.%09llu%06llu", sign, dollars, nano,
                       rest);
        (void)snprintf(quantity[i], sizeof quantity[i], "%llu.%llu", hours, tenths);
        (void)snprintf(resource[i], sizeof resource[i], "i-%02llu",
                       (unsigned long long)machine);
        lines[i] = (struct account_line){.cost = cost[i],
                                         .from = AT(on_day, hour),
                                         .seconds = daily ? 24 * HOUR : HOUR,
                                         .currency = machine == 6 ? "EUR" : NULL,
                                         .type = machine < 4 ? "g5.xlarge" : ""};
        lines[i].resource = draw(10) == 0 ? NULL : resource[i];
        lines[i].quantity = draw(8) == 0 ? NULL : quantity[i];
        lines[i].unit = units[draw(ARRAY_LEN(units))];
        lines[i].meter = draw(2) == 0 ? "BoxUsage" : "Other";
        lines[i].charge = charges[draw(ARRAY_LEN(charges))];
        lines[i].status = draw(9) == 0 ? "Unused" : NULL;
        lines[i].tags = draw(6) == 0 ? "{\"\"run\"\":\"\"r3\"\"}" : NULL;
    }
    account_bill_of(w, lines, LINES);
}

static void random_runs(struct world *w)
{
    static char name[RUNS][8], machine[RUNS][8];

    for (size_t i = 0; i < RUNS; i++) {
        struct account_run run = {0};
        int on_day = (int)draw(4) + 1, hour = (int)draw(24);

        (void)snprintf(name[i], sizeof name[i], "r%zu", i);
        (void)snprintf(machine[i], sizeof machine[i], "i-%02d", (int)draw(8));
        run.name = draw(4) == 0 && i > 0 ? NULL : name[i];
        run.machine = draw(2) == 0 ? machine[i] : NULL;
        run.offer = draw(3) > 0 ? OFFER : NULL;
        run.from = AT(on_day, hour);
        run.seconds = (int64_t)draw(200000);
        run.nano = (int64_t)draw(1000) * 12345678;
        account_record(w, &run);
    }
}

static void add_sums(struct decimal to[4], const struct reconcile_sums *s)
{
    struct decimal parts = {0};

    account_add(&parts, s->matched);
    account_add(&parts, s->idle);
    account_add(&parts, s->untracked);
    account_add(&parts, s->other);
    assert_int_equal(decimal_cmp(parts, s->billed), 0);
    account_add(&to[0], s->billed);
    account_add(&to[1], s->matched);
    account_add(&to[2], s->other);
    account_add(&to[3], s->untracked);
}

static void check_sums(const struct reconciliation *res)
{
    struct decimal sums[4] = {{0}}, days[4] = {{0}}, rows[2] = {{0}}, runs = {0};
    usd metered = {0}, only = {0};

    for (size_t i = 0; i < res->sums.len; i++)
        add_sums(sums, (const struct reconcile_sums *)res->sums.at + i);
    for (size_t i = 0; i < res->days.len; i++) {
        const struct reconcile_day *d = (const struct reconcile_day *)res->days.at + i;

        add_sums(days, &d->sums);
        metered = usd_add(metered, d->metered);
        only = usd_add(only, d->estimated_only);
    }
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(decimal_cmp(sums[i], days[i]), 0);
    assert_int_equal(metered.nano, res->metered.nano);
    assert_int_equal(only.nano, res->estimated_only.nano);
    for (size_t i = 0; i < res->resources.len; i++) {
        const struct reconcile_resource *m =
            (const struct reconcile_resource *)res->resources.at + i;

        account_add(&rows[0], m->billed);
        account_add(&rows[1], m->matched);
    }
    assert_true(decimal_add(rows[0], sums[2], &rows[0])); /* and what is no machine */
    assert_int_equal(decimal_cmp(rows[0], sums[0]), 0);
    assert_int_equal(decimal_cmp(rows[1], sums[1]), 0);
    for (size_t i = 0; i < res->runs.len; i++) {
        const struct reconcile_run *r = (const struct reconcile_run *)res->runs.at + i;

        if (r->how != RECONCILE_NOT)
            account_add(&runs, r->billed);
    }
    /* A run on machines of two currencies tells one of them. */
    assert_true(res->sums.len > 1 || decimal_cmp(runs, sums[1]) == 0);
}

static void one_round(uint64_t seed)
{
    void *state = NULL;
    struct reconciliation res;

    assert_int_equal(account_make(&state), 0);
    random_state = seed;
    random_account(state);
    random_runs(state);
    res = ask(state, "");
    check_sums(&res);
    res = ask(state, "2026-10");
    check_sums(&res);
    assert_int_equal(account_end(&state), 0);
}

static void sums_add_up(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++)
        one_round(seed);
}

static void want_of_memory_is_survived(void **state)
{
    static const char *const requests[][2] = {{"reconcile", "{\"month\":\"2026-10\"}"}};
    static const struct account_line lines[] = {
        {"i-01", "10", AT(5, 0), 24 * HOUR, .quantity = "10",
         .tags = "{\"\"run\"\":\"\"bert\"\"}"},
        {"i-02", "20", AT(5, 0), 24 * HOUR, .quantity = "10"},
    };
    struct world *w = *state;

    account_record(
        w, &(struct account_run){"bert", "i-01", NULL, OFFER, AT(5, 0), 5 * HOUR, 5 * DOLLAR});
    account_bill_of(w, lines, ARRAY_LEN(lines));
    world_survives(w, requests, ARRAY_LEN(requests));
}

int group_reconcile(void)
{
    const struct CMUnitTest tests[] = {
        account_test(hours_are_added_up),
        account_test(meters_beside_each_other_are_one_time),
        account_test(what_is_no_machine_is_none),
        account_test(a_run_over_the_end_of_a_month),
        account_test(attempts_on_two_machines),
        account_test(a_machine_without_hours_is_there_all_day),
        cmocka_unit_test(sums_add_up),
        account_test(want_of_memory_is_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
