/* Daily spending: events as they would have been reported, and the forecast of a month. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "series/daily.h"

#define DAYS 200

static const struct anomaly_options options = {.least = 20, .share = 0.2};

/* A week that repeats, and noise that is always the same. */
static void fill(double *amount, size_t count, double level)
{
    static const double week[] = {1, 1.02, 0.98, 1.01, 0.99, 0.6, 0.5};
    uint64_t state = 7;

    for (size_t i = 0; i < count; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        amount[i] = level * week[i % 7] * (0.97 + 0.06 * (double)(state >> 40) / (1 << 24));
    }
}

static struct daily series_of(const double *amount, size_t len)
{
    return (struct daily){{20001}, amount, len}; /* 2024-10-05 */
}

static size_t find(const double *amount, size_t len, struct arena *arena,
                   const struct anomaly **out)
{
    struct daily series = series_of(amount, len);
    struct error err;
    size_t count;

    assert_true(daily_anomalies(&series, &options, arena, out, &count, &err));
    return count;
}

static void a_spike_is_one_event(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *found;
    double amount[DAYS] = {0};

    (void)state;
    fill(amount, DAYS, 500);
    amount[100] *= 3;
    amount[101] *= 3;
    assert_int_equal(find(amount, DAYS, &arena, &found), 1);
    assert_int_equal(found[0].first, 100);
    assert_int_equal(found[0].seen, 100);
    assert_int_equal(found[0].last, 101);
    assert_int_equal(found[0].direction, ANOMALY_UP);
    assert_false(found[0].goes_on);
    assert_near(found[0].actual, amount[100] + amount[101], 1e-9);
    assert_near(found[0].expected, found[0].actual / 3, 0.1 * found[0].actual);
    assert_true(found[0].low < amount[100] / 3 && amount[100] / 3 < found[0].high);
    arena_free(&arena);
}

/* A new level is reported once, and is normal after three weeks: going back is another
 * event. */
/* Jobs of many sizes, and one day in five without any: the middle is about 600. */
static void fill_spiky(double *amount, size_t count)
{
    uint64_t state = 11;

    for (size_t i = 0; i < count; i++) {
        double sum = 0;

        for (int k = 0; k < 12; k++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            sum += (double)(state >> 40) / (1 << 24);
        }
        amount[i] = (state >> 20) % 5 == 0 ? 0 : 600 * exp(0.65 * (sum - 6));
    }
}

static void runaways_in_spiky_spending_are_found(void **state)
{
    static const double days[] = {6223, 5610, 6203};
    struct arena arena = test_arena();
    const struct anomaly *found;
    double amount[DAYS] = {0};

    (void)state;
    fill_spiky(amount, DAYS);
    assert_int_equal(find(amount, DAYS, &arena, &found), 0);
    memcpy(&amount[120], days, sizeof days);
    for (size_t i = 150; i < 156; i++) /* a machine that was left on */
        amount[i] += 3500;
    assert_int_equal(find(amount, DAYS, &arena, &found), 2);
    assert_int_equal(found[0].first, 120);
    assert_int_equal(found[0].last, 122);
    assert_int_equal(found[0].direction, ANOMALY_UP);
    assert_true(found[0].high > 2000 && found[0].high < 6223);
    assert_int_equal(found[1].first, 150);
    assert_in_range(found[1].last, 155, 156); /* the next day is large, too */
    arena_free(&arena);
}

/* A machine is left on at noon and turned off at noon: the first and the last day have half of
 * its cost, and belong to the event with their money. */
static void runaway_has_all_its_days(void **state)
{
    static const double part[] = {0.5, 1, 1, 1, 0.5};
    struct arena arena = test_arena();
    const struct anomaly *found;
    double amount[DAYS] = {0}, spent = 0;

    (void)state;
    fill_spiky(amount, DAYS);
    for (size_t i = 0; i < 5; i++) {
        amount[120 + i] += part[i] * 6000;
        spent += amount[120 + i];
    }
    amount[119] = amount[125] = 300; /* usual days beside it */
    assert_int_equal(find(amount, DAYS, &arena, &found), 1);
    assert_int_equal(found[0].first, 120);
    assert_int_equal(found[0].last, 124);
    assert_near(found[0].actual, spent, 1e-6);
    assert_int_equal(found[0].parts, 5);
    arena_free(&arena);
}

/* In smooth spending as well: it is seen on its second day, and began on the first. */
static void moderate_event_begins_when_the_level_rose(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *found;
    double amount[DAYS] = {0};

    (void)state;
    fill(amount, DAYS, 500);
    amount[100] *= 1.3;
    for (size_t i = 101; i < 105; i++)
        amount[i] *= 2.5;
    amount[105] *= 1.3;
    assert_int_equal(find(amount, DAYS, &arena, &found), 1);
    assert_int_equal(found[0].seen, 101);
    assert_int_equal(found[0].first, 100);
    assert_int_equal(found[0].last, 105);
    arena_free(&arena);
}

/* A large job on a day alone: the third one within two months is known. */
static void large_jobs_that_repeat_are_known(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *found;
    double amount[DAYS] = {0};

    (void)state;
    fill_spiky(amount, DAYS);
    for (size_t i = 100; i < DAYS; i += 13)
        amount[i] = 14000;
    assert_int_equal(find(amount, DAYS, &arena, &found), 2);
    assert_int_equal(found[0].first, 100);
    assert_int_equal(found[1].first, 113);
    arena_free(&arena);
}

static void spiky_spending_that_stops_is_reported(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *found;
    double amount[DAYS] = {0};

    (void)state;
    fill_spiky(amount, DAYS);
    for (size_t i = 130; i < 150; i++)
        amount[i] = 0;
    assert_int_equal(find(amount, DAYS, &arena, &found), 1);
    assert_int_equal(found[0].direction, ANOMALY_DOWN);
    assert_true(found[0].first >= 127 && found[0].first <= 130 && found[0].seen < 142);
    arena_free(&arena);
}

static void shift_is_reported_once(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *found;
    double amount[DAYS] = {0};

    (void)state;
    fill(amount, DAYS, 500);
    for (size_t i = 80; i < 150; i++)
        amount[i] *= 1.8;
    assert_int_equal(find(amount, DAYS, &arena, &found), 2);
    assert_int_equal(found[0].first, 80);
    assert_in_range(found[0].seen, 80, 81);
    assert_int_equal(found[0].last, 100);
    assert_int_equal(found[1].direction, ANOMALY_DOWN);
    assert_in_range(found[1].seen, 150, 152);
    arena_free(&arena);
}

static void growth_is_reported(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *found;
    double amount[DAYS] = {0};
    size_t count;

    (void)state;
    fill(amount, DAYS, 500);
    for (size_t i = 100; i < DAYS; i++)
        amount[i] *= fmin(2, exp(0.05 * (double)(i - 99)));
    count = find(amount, DAYS, &arena, &found);
    assert_int_equal(count, 1);
    assert_in_range(found[0].seen, 101, 114);
    arena_free(&arena);
}

static void an_event_at_the_end_goes_on(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *found;
    double amount[DAYS] = {0};

    (void)state;
    fill(amount, DAYS, 500);
    amount[DAYS - 1] = 0;
    assert_int_equal(find(amount, DAYS, &arena, &found), 1);
    assert_int_equal(found[0].direction, ANOMALY_DOWN);
    assert_true(found[0].goes_on);
    arena_free(&arena);
}

/* Days without spending at any time: the other days are judged as usual, and only many in a row
 * are an event. */
static void days_without_spending_are_no_event(void **state)
{
    struct arena arena = test_arena();
    double amount[160] = {0};
    const struct anomaly *found;
    size_t count;

    (void)state;
    fill(amount, 160, 300);
    for (size_t i = 0; i < 160; i++) {
        if (i * 7919 % 10 < 3)
            amount[i] = 0;
        if (i >= 100 && i < 110)
            amount[i] *= 2;
    }
    count = find(amount, 160, &arena, &found);
    assert_int_equal(count, 1);
    assert_int_equal(found[0].direction, ANOMALY_UP);
    assert_in_range(found[0].seen, 100, 109);
    fill(amount, 160, 300);
    for (size_t i = 0; i < 160; i++)
        if (i * 7919 % 10 < 3 || i >= 145)
            amount[i] = 0;
    count = find(amount, 160, &arena, &found);
    assert_int_equal(count, 1);
    assert_int_equal(found[0].direction, ANOMALY_DOWN);
    assert_true(found[0].goes_on);
    arena_free(&arena);
}

/* Jobs that last for days, and pauses of one to five days between them: another idle day
 * follows most of them, so that a pause of twelve is less rare than twelve idle days by
 * themselves. */
static void pauses_between_long_jobs_are_no_event(void **state)
{
    static const size_t work[] = {9, 12, 7, 10, 14}, pause[] = {5, 3, 4, 5, 1};
    struct arena arena = test_arena();
    double amount[DAYS], longer[DAYS];
    const struct anomaly *found;
    size_t at = 0;

    (void)state;
    fill(amount, DAYS, 300);
    for (size_t k = 0; at < 140; k++) {
        at += work[k % 5];
        for (size_t end = at + pause[k % 5]; at < end; at++)
            amount[at] = 0;
    }
    memcpy(longer, amount, sizeof longer);
    for (size_t i = at + 3; i < at + 15; i++) /* twelve days, and work goes on */
        amount[i] = 0;
    assert_int_equal(find(amount, DAYS, &arena, &found), 0);
    for (size_t i = DAYS - 20; i < DAYS; i++) /* twenty days are one */
        longer[i] = 0;
    assert_int_equal(find(longer, DAYS, &arena, &found), 1);
    assert_int_equal(found[0].direction, ANOMALY_DOWN);
    arena_free(&arena);
}

/* A weekend that is always off does not make the idle days beside it rarer. */
static void weekends_off_are_no_part_of_a_pause(void **state)
{
    struct arena arena = test_arena();
    double amount[DAYS];
    const struct anomaly *found;

    (void)state;
    fill(amount, DAYS, 300);
    for (size_t i = 0; i < DAYS; i++)
        if (i % 7 >= 5 || i % 13 == 2 || i % 11 == 6)
            amount[i] = 0;
    for (size_t i = 150; i < 157; i++) /* a week: five working days */
        amount[i] = 0;
    for (size_t i = 157; i < 163; i++)
        amount[i] = i % 7 < 5 ? 300 : 0;
    assert_int_equal(find(amount, DAYS, &arena, &found), 0);
    arena_free(&arena);
}

/* Work that begins after weeks of nothing is one event; then its own days are normal, and a
 * moderate event among them is reported. */
static void new_work_soon_is_normal(void **state)
{
    struct arena arena = test_arena();
    double amount[160] = {0};
    const struct anomaly *found;
    size_t count;

    (void)state;
    fill(amount, 160, 300);
    for (size_t i = 0; i < 160; i++)
        amount[i] *= i < 60 ? 0.01 : i >= 105 && i < 112 ? 1.5 : 1;
    count = find(amount, 160, &arena, &found);
    assert_int_equal(count, 2);
    assert_in_range(found[0].seen, 60, 61);
    assert_true(found[0].stayed);
    assert_in_range(found[1].seen, 105, 111);
    arena_free(&arena);
}

static void small_amounts_are_no_event(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *found;
    double amount[DAYS] = {0};

    (void)state;
    fill(amount, DAYS, 5);
    amount[100] = 20;
    assert_int_equal(find(amount, DAYS, &arena, &found), 0);
    amount[100] = 30;
    assert_int_equal(find(amount, DAYS, &arena, &found), 1);
    arena_free(&arena);
}

/* The month's first day costs more each month: that is no event, not even the first time. */
static void fees_come_each_month(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *found;
    double amount[DAYS] = {0};

    (void)state;
    fill(amount, DAYS, 500);
    for (size_t i = 0; i < DAYS; i++) {
        stamp at = {((int64_t)20001 + (int64_t)i) * SECONDS_PER_DAY};

        if (stamp_month(at).s == at.s)
            amount[i] += 900;
    }
    assert_int_equal(find(amount, DAYS, &arena, &found), 0);
    arena_free(&arena);
}

static void odd_series_are_judged_too(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *found;
    double amount[DAYS] = {0};

    (void)state;
    memset(amount, 0, sizeof amount);
    assert_int_equal(find(amount, DAYS, &arena, &found), 0);
    assert_int_equal(find(amount, 1, &arena, &found), 0);
    assert_int_equal(find(amount, 0, &arena, &found), 0);
    amount[150] = 19;
    assert_int_equal(find(amount, DAYS, &arena, &found), 0);
    amount[150] = 100; /* something new */
    assert_int_equal(find(amount, DAYS, &arena, &found), 1);
    assert_near(found[0].expected, 0, 1e-9);
    for (size_t i = 0; i < DAYS; i++)
        amount[i] = 250;
    assert_int_equal(find(amount, DAYS, &arena, &found), 0);
    amount[120] = -400; /* a credit */
    assert_int_equal(find(amount, DAYS, &arena, &found), 1);
    assert_int_equal(found[0].direction, ANOMALY_DOWN);
    for (size_t i = 0; i < DAYS; i++)
        amount[i] = -250;
    assert_int_equal(find(amount, DAYS, &arena, &found), 0);
    for (size_t i = 0; i < DAYS; i++)
        amount[i] = NAN;
    assert_int_equal(find(amount, DAYS, &arena, &found), 0);
    amount[3] = INFINITY;
    amount[50] = 1e300;
    assert_int_equal(find(amount, DAYS, &arena, &found), 0);
    arena_free(&arena);
}

static void unknown_days_are_passed_over(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *found;
    double amount[DAYS] = {0};

    (void)state;
    fill(amount, DAYS, 500);
    for (size_t i = 60; i < 75; i++)
        amount[i] = NAN;
    amount[110] = amount[111] = NAN;
    amount[109] *= 3;
    amount[112] *= 3;
    assert_int_equal(find(amount, DAYS, &arena, &found), 1);
    assert_int_equal(found[0].first, 109);
    assert_int_equal(found[0].last, 112);
    assert_near(found[0].actual, amount[109] + amount[112], 1e-9);
    arena_free(&arena);
}

/* What comes later changes no earlier verdict. */
static void verdicts_are_of_their_day(void **state)
{
    struct arena arena = test_arena();
    const struct anomaly *full, *part;
    double amount[DAYS] = {0};
    size_t count, some;

    (void)state;
    fill(amount, DAYS, 500);
    for (size_t i = 60; i < 66; i++)
        amount[i] *= 2;
    for (size_t i = 120; i < DAYS; i++)
        amount[i] *= 1.6;
    amount[90] = 0;
    amount[170] *= 4;
    count = find(amount, DAYS, &arena, &full);
    assert_true(count >= 4);
    for (size_t len = 1; len < DAYS; len++) {
        some = find(amount, len, &arena, &part);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(full[i].seen < len, i < some);
            if (i >= some)
                continue;
            assert_int_equal(part[i].first, full[i].first);
            assert_int_equal(part[i].seen, full[i].seen);
            assert_int_equal(part[i].direction, full[i].direction);
            assert_near(part[i].score, full[i].score, 0);
        }
    }
    arena_free(&arena);
}

/* ---- forecast ---- */

static struct forecast forecast_month(const double *amount, size_t len, int32_t from,
                                      int32_t until, struct arena *arena)
{
    struct daily series = series_of(amount, len);
    struct forecast f;
    struct error err;

    assert_true(
        daily_forecast(&series, (day){20001 + from}, (day){20001 + until}, arena, &f, &err));
    assert_true(f.low <= f.rest && f.rest <= f.high);
    assert_near(f.total, f.spent + f.rest, 1e-6);
    return f;
}

static void month_is_forecast(void **state)
{
    struct arena arena = test_arena();
    double amount[DAYS] = {0}, truth = 0, spent = 0;
    struct forecast f;

    (void)state;
    fill(amount, DAYS, 500);
    for (size_t i = 88; i < 119; i++) /* 2025-01 */
        truth += amount[i];
    for (size_t i = 88; i < 97; i++)
        spent += amount[i];
    f = forecast_month(amount, 97, 88, 119, &arena);
    assert_near(f.spent, spent, 1e-9);
    assert_near(f.total / truth, 1, 0.015);
    assert_true(f.total_low < truth && truth < f.total_high);
    assert_string_equal(f.method, "weekday means");
    assert_int_equal(f.days_used, 97);
    arena_free(&arena);
}

/* A spike that has passed is spent, and does not come again; a fee does. */
static void fees_come_again_and_spikes_do_not(void **state)
{
    struct arena arena = test_arena();
    double amount[DAYS] = {0};
    struct forecast plain, f;

    (void)state;
    fill(amount, DAYS, 500);
    plain = forecast_month(amount, 80, 88, 119, &arena);
    amount[70] += 3000;
    f = forecast_month(amount, 80, 88, 119, &arena);
    assert_near(f.rest, plain.rest, 0.01 * plain.rest);
    amount[70] -= 3000;
    amount[27] += 900; /* 2024-11-01 */
    amount[57] += 900;
    f = forecast_month(amount, 80, 88, 119, &arena);
    assert_near(f.rest, plain.rest + 900, 0.02 * plain.rest);
    assert_string_equal(f.method, "weekday means, with monthly fees");
    arena_free(&arena);
}

static void growth_goes_on(void **state)
{
    struct arena arena = test_arena();
    double amount[DAYS] = {0}, truth = 0;
    struct forecast f;

    (void)state;
    fill(amount, DAYS, 500);
    for (size_t i = 0; i < DAYS; i++)
        amount[i] *= exp(0.004 * (double)i);
    for (size_t i = 88; i < 119; i++)
        truth += amount[i];
    f = forecast_month(amount, 88, 88, 119, &arena);
    assert_near(f.total / truth, 1, 0.03);
    assert_string_equal(f.method, "weekday means with growth");
    arena_free(&arena);
}

/* An event that stayed is the level now: earlier days no longer count. */
static void new_level_is_used(void **state)
{
    struct arena arena = test_arena();
    double amount[DAYS] = {0}, truth = 0;
    struct forecast f;

    (void)state;
    fill(amount, DAYS, 500);
    for (size_t i = 90; i < DAYS; i++)
        amount[i] *= 2;
    for (size_t i = 119; i < 147; i++) /* 2025-02 */
        truth += amount[i];
    f = forecast_month(amount, 119, 119, 147, &arena);
    assert_near(f.total / truth, 1, 0.02);
    assert_true(f.total_high - f.total_low < 0.1 * truth);
    arena_free(&arena);
}

/* Weekends without spending have none to come, and take nothing off the other days. */
static void days_off_stay_off(void **state)
{
    struct arena arena = test_arena();
    double amount[DAYS] = {0}, truth = 0;
    struct forecast f;

    (void)state;
    fill(amount, DAYS, 500);
    for (size_t i = 0; i < DAYS; i++)
        if (i % 7 >= 5)
            amount[i] = 0;
    for (size_t i = 88; i < 119; i++)
        truth += amount[i];
    f = forecast_month(amount, 97, 88, 119, &arena);
    assert_near(f.total / truth, 1, 0.015);
    f = forecast_month(amount, 96, 96, 98, &arena); /* days 5 and 6 of a week */
    assert_near(f.rest, 0, 1);
    arena_free(&arena);
}

static void few_days_give_a_wider_range(void **state)
{
    struct arena arena = test_arena();
    double amount[DAYS] = {0};
    struct daily series = series_of(amount, 2);
    struct forecast few, more;
    struct error err;

    (void)state;
    fill(amount, DAYS, 500);
    assert_false(daily_forecast(&series, (day){20001}, (day){20032}, &arena, &few, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_string_equal(err.text, "2 days of spending known: not enough for a forecast");
    few = forecast_month(amount, 3, 0, 31, &arena);
    assert_string_equal(few.method, "run rate");
    assert_int_equal(few.days_used, 3);
    more = forecast_month(amount, 60, 60, 91, &arena);
    assert_true((few.high - few.low) / few.rest > (more.high - more.low) / more.rest);
    arena_free(&arena);
}

static void unusual_months_are_forecast_too(void **state)
{
    struct arena arena = test_arena();
    double amount[DAYS] = {0};
    struct forecast f;

    (void)state;
    memset(amount, 0, sizeof amount);
    f = forecast_month(amount, 60, 57, 88, &arena);
    assert_near(f.total, 0, 0);
    assert_near(f.total_high, 0, 0);
    for (size_t i = 0; i < DAYS; i++)
        amount[i] = 10;
    f = forecast_month(amount, 60, 57, 88, &arena);
    assert_near(f.total, 310, 1e-9);
    f = forecast_month(amount, 100, 57, 88, &arena); /* it is over */
    assert_near(f.total_high, 310, 1e-9);
    assert_near(f.rest, 0, 0);
    amount[58] = NAN; /* not known: expected */
    f = forecast_month(amount, 100, 57, 88, &arena);
    assert_near(f.spent, 300, 1e-9);
    assert_near(f.rest, 10, 1e-9);
    for (size_t i = 0; i < DAYS; i++)
        amount[i] = -10;
    f = forecast_month(amount, 60, 57, 88, &arena);
    assert_near(f.total, -310, 1e-6);
    arena_free(&arena);
}

/* An event that goes on may stay or pass: the range is wider. */
static void events_widen_the_range(void **state)
{
    struct arena arena = test_arena();
    double amount[DAYS] = {0};
    struct forecast plain, f;

    (void)state;
    fill(amount, DAYS, 500);
    plain = forecast_month(amount, 91, 88, 119, &arena);
    amount[89] *= 2;
    amount[90] *= 2;
    f = forecast_month(amount, 91, 88, 119, &arena);
    assert_true(f.rest > 1.1 * plain.rest && f.rest < 1.9 * plain.rest);
    assert_true(f.high - f.low > 3 * (plain.high - plain.low));
    arena_free(&arena);
}

static void memory_may_run_out(void **state)
{
    double amount[DAYS] = {0};
    struct daily series = series_of(amount, DAYS);
    bool ok = false;

    (void)state;
    fill(amount, DAYS, 500);
    for (size_t allow = 0; !ok; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        const struct anomaly *found;
        struct forecast f;
        struct error err;
        size_t count;

        ok = daily_anomalies(&series, &options, &arena, &found, &count, &err) &&
             daily_forecast(&series, (day){20001}, (day){20230}, &arena, &f, &err);
        if (!ok)
            assert_int_equal(err.kind, ERROR_MEMORY);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
        assert_true(allow < 100);
    }
}

int group_daily(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spike_is_one_event),
        cmocka_unit_test(runaways_in_spiky_spending_are_found),
        cmocka_unit_test(runaway_has_all_its_days),
        cmocka_unit_test(moderate_event_begins_when_the_level_rose),
        cmocka_unit_test(large_jobs_that_repeat_are_known),
        cmocka_unit_test(spiky_spending_that_stops_is_reported),
        cmocka_unit_test(shift_is_reported_once),
        cmocka_unit_test(growth_is_reported),
        cmocka_unit_test(an_event_at_the_end_goes_on),
        cmocka_unit_test(days_without_spending_are_no_event),
        cmocka_unit_test(pauses_between_long_jobs_are_no_event),
        cmocka_unit_test(weekends_off_are_no_part_of_a_pause),
        cmocka_unit_test(new_work_soon_is_normal),
        cmocka_unit_test(small_amounts_are_no_event),
        cmocka_unit_test(fees_come_each_month),
        cmocka_unit_test(odd_series_are_judged_too),
        cmocka_unit_test(unknown_days_are_passed_over),
        cmocka_unit_test(verdicts_are_of_their_day),
        cmocka_unit_test(month_is_forecast),
        cmocka_unit_test(fees_come_again_and_spikes_do_not),
        cmocka_unit_test(growth_goes_on),
        cmocka_unit_test(new_level_is_used),
        cmocka_unit_test(days_off_stay_off),
        cmocka_unit_test(few_days_give_a_wider_range),
        cmocka_unit_test(unusual_months_are_forecast_too),
        cmocka_unit_test(events_widen_the_range),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
