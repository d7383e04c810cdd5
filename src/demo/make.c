/* The quarter, drawn day by day: which run begins when, on which machine, and how it ends. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/draw.h"
#include "demo/team.h"

#define HOUR INT64_C(3600)
#define RUNS_MAX 4096
#define SEED UINT64_C(0x5717d3305717d330)
#define WEEK 7
#define RESTART_S 1500 /* until a spot machine is there again */

/* ---- machines ---- */

/* The catalog's current row of the machine. */
static const struct machine *catalog_row(const struct catalog *catalog,
                                         const struct demo_machine *m)
{
    for (size_t i = 0; i < catalog->tables[TABLE_OFFERS].len; i++) {
        const struct machine *row = CATALOG_ROW(catalog, TABLE_OFFERS, machine, i);
        bool spot = strcmp(m->market, "spot") == 0;

        if (row->fact.current && str_eq(row->provider, str_from(m->provider)) &&
            (str_eq(row->region, str_from(m->region)) || str_eq(row->region, STR("*"))) &&
            str_eq(row->instance, str_from(m->instance)) &&
            machine_price(row, spot ? MARKET_SPOT : MARKET_ON_DEMAND).nano != MONEY_UNKNOWN)
            return row;
    }
    return NULL;
}

static bool resolve_machine(const struct catalog *catalog, struct demo_machine *m,
                            struct arena *arena, struct error *err)
{
    const struct machine *row = catalog_row(catalog, m);
    const struct region *region =
        region_find(catalog, str_from(m->provider), str_from(m->region));
    struct buf source = buf_new(arena->alloc, 4096);
    enum name_match match;
    struct error ignored = {0};

    if (row == NULL)
        return error_fail(err, ERROR_ABSENT,
                          "the catalog has no price of %s/%s/%s: the demo needs it",
                          m->provider, m->region, m->instance);
    m->list = row->on_demand;
    m->rate = strcmp(m->market, "spot") == 0 ? row->spot : row->on_demand;
    m->gpus = (int)row->count;
    m->accelerator = accelerator_find(catalog, row->accelerator, &match, &ignored);
    m->carbon =
        region != NULL && isfinite(region->carbon_g_kwh) ? region->carbon_g_kwh : WORLD_G_KWH;
    m->carbon *= region != NULL && isfinite(region->pue) ? region->pue : USUAL_PUE;
    buf_adds(&source, "its offer, price from ");
    day_write(row->fact.date, &source);
    return buf_keep(&source, arena, &m->source, err) &&
           machine_name(row->provider, str_from(m->region), (struct str){0}, row->instance,
                        arena, &m->offer, err);
}

/* ---- drawing ---- */

struct maker {
    struct arena *arena;
    struct demo *demo;
    struct demo_run *runs;
    size_t count;
    const struct demo_machine *machines;
    uint64_t state; /* of the draws */
    struct error *err;
};

static bool draw_chance(struct maker *m, int of_100)
{
    return draw_below(&m->state, 100) < (size_t)of_100;
}

/* From 1 - spread to 1 + spread, mostly near 1. */
static double draw_around(struct maker *m, double spread)
{
    double one = (double)draw_below(&m->state, 1001) / 1000;
    double two = (double)draw_below(&m->state, 1001) / 1000;

    return 1 + spread * (one + two - 1);
}

static void draw_hex(struct maker *m, char *to, size_t digits)
{
    for (size_t i = 0; i < digits; i++)
        to[i] = "0123456789abcdef"[draw_below(&m->state, 16)];
    to[digits] = '\0';
}

/* A UUIDv7 whose time is the run's. */
static void draw_id(struct maker *m, stamp at, char to[static LEDGER_ID])
{
    char random[21];
    uint64_t ms = (uint64_t)at.s * 1000;

    draw_hex(m, random, 20);
    (void)snprintf(to, LEDGER_ID, "%08x-%04x-7%.3s-8%.3s-%.12s", (unsigned)(ms >> 16),
                   (unsigned)(ms & 0xffff), random, random + 3, random + 6);
}

static void draw_machine_id(struct maker *m, const struct demo_run *run,
                            struct demo_attempt *attempt)
{
    char hex[17];

    draw_hex(m, hex, 16);
    attempt->machine_id[0] = '\0';
    if (strcmp(run->machine->provider, "aws") == 0)
        (void)snprintf(attempt->machine_id, sizeof attempt->machine_id, "i-0%s", hex);
    else if (strcmp(run->machine->provider, "gcp") == 0)
        (void)snprintf(attempt->machine_id, sizeof attempt->machine_id, "%06u%012u",
                       100000 + (unsigned)draw_below(&m->state, 900000),
                       (unsigned)draw_below(&m->state, 2000000000));
}

/* A server and a notebook keep their machine. */
static void choose_demo_machine(struct maker *m, const struct demo_run *run,
                                struct demo_attempt *attempt)
{
    draw_machine_id(m, run, attempt);
    for (size_t i = 0; run->work->one_machine && i < m->count; i++)
        if (m->runs[i].work == run->work) {
            memcpy(attempt->machine_id, m->runs[i].attempts[0].machine_id,
                   sizeof attempt->machine_id);
            return;
        }
}

/* ---- one run ---- */

static bool keep_demo_text(struct maker *m, struct str *out, const char *format, int number)
{
    struct buf text = buf_new(m->arena->alloc, 4096);

    for (const char *at = format; *at != '\0'; at++)
        if (at[0] == '%' && at[1] == 'd') {
            buf_addf(&text, "%d", number);
            at++;
        } else {
            buf_char(&text, *at);
        }
    return buf_keep(&text, m->arena, out, m->err);
}

/* How the attempt ends after so much of its work, and whether another follows. */
static bool end_attempt(struct maker *m, struct demo_run *run, double done, bool may_move)
{
    const struct demo_fates *f = &run->work->fates;
    struct demo_attempt *a = &run->attempts[run->attempt_count - 1];

    a->state = RUN_DONE;
    a->reason = "";
    a->to = 1;
    if (may_move && draw_chance(m, f->loses_machine)) {
        a->state = RUN_PREEMPTED;
        a->status = 143;
        a->reason = "notice";
        a->to = done + (1 - done) * (0.25 + (double)draw_below(&m->state, 50) / 100);
        return true;
    }
    if (draw_chance(m, f->fails)) {
        a->state = RUN_FAILED;
        a->status = draw_chance(m, 50) ? 137 : 1;
        a->to = done + (1 - done) * (0.1 + (double)draw_below(&m->state, 80) / 100);
    } else if (draw_chance(m, f->hits_budget)) {
        a->state = RUN_STOPPED;
        a->status = 143;
        a->reason = "budget";
        a->to = done + (1 - done) * 0.55;
    } else if (run->work->one_machine) {
        a->state = RUN_STOPPED;
        a->status = 143;
        a->reason = "user";
    }
    return false;
}

/* The attempts of a run of so many hours, one after the other. */
static void make_attempts(struct maker *m, struct demo_run *run, stamp start, double hours)
{
    double done = 0;
    bool again = true;

    for (int i = 0; again && i < DEMO_ATTEMPTS; i++) {
        struct demo_attempt *a = &run->attempts[run->attempt_count++];

        a->start = start;
        a->from = done;
        choose_demo_machine(m, run, a);
        again = end_attempt(m, run, done, i + 1 < DEMO_ATTEMPTS);
        /* A restart repeats what no checkpoint has: a few minutes. */
        a->seconds = llround((a->to - a->from) * hours * HOUR) + (i > 0 ? 420 : 0);
        if (!again)
            a->seconds += llround(run->idle_h * HOUR);
        done = a->to;
        start.s += a->seconds + RESTART_S;
    }
}

/* A budget stops the run at its amount: what was left to do is not done. */
static void stop_at_budget(struct demo_run *run)
{
    struct demo_attempt *last = &run->attempts[run->attempt_count - 1];
    int64_t most = run->budget.nano > 0
                       ? run->budget.nano / (run->machine->rate.nano / HOUR + 1)
                       : INT64_MAX;

    if (last->seconds <= most && strcmp(last->reason, "budget") != 0)
        return;
    if (last->seconds > most) {
        last->to = last->from + (last->to - last->from) * (double)most / (double)last->seconds;
        last->seconds = most;
    }
    last->state = RUN_STOPPED;
    last->status = 143;
    last->reason = "budget";
}

static bool add_demo_run(struct maker *m, const struct demo_work *work, stamp start, int trial)
{
    struct demo_run *run = &m->runs[m->count];
    double hours = work->hours * draw_around(m, work->spread);
    char digest[33];

    if (m->count >= RUNS_MAX)
        return error_fail(m->err, ERROR_FAILED, "the demo has too many runs");
    *run = (struct demo_run){.work = work,
                             .machine = &m->machines[work->machine],
                             .hours = hours,
                             .idle_h = work->idle_h,
                             .budget = work->budget.nano > 0 ? work->budget : USD_UNKNOWN};
    run->pace = work->pace * draw_around(m, 0.08);
    run->seed = m->state;
    draw_id(m, start, run->id);
    draw_hex(m, digest, 16);
    make_attempts(m, run, start, hours);
    stop_at_budget(run);
    if (run->attempts[run->attempt_count - 1].start.s +
            run->attempts[run->attempt_count - 1].seconds >
        m->demo->today.n * SECONDS_PER_DAY)
        return true; /* it would not be over yet */
    if (!keep_demo_text(m, &run->command, work->command, trial) ||
        !keep_demo_text(m, &run->digest, digest, 0))
        return false;
    run->name = str_from(work->name);
    if (m->count > 0 && draw_chance(m, work->fates.repeats)) /* the same once more */
        for (size_t i = m->count; i-- > 0;)
            if (m->runs[i].work == work && m->runs[i].attempts[0].state == RUN_DONE) {
                run->digest = m->runs[i].digest;
                run->command = m->runs[i].command;
                break;
            }
    m->count++;
    return true;
}

static bool make_day(struct maker *m, int number)
{
    day date = {m->demo->today.n - DEMO_DAYS + number};
    bool weekend = date.n - day_week_start(date).n >= 5;

    for (const struct demo_work *w = demo_works; w < demo_works + demo_work_count; w++) {
        int trials = w->trials > 0 ? w->trials : 1;
        stamp start = {date.n * SECONDS_PER_DAY + w->at * HOUR};
        int64_t late = (int64_t)draw_below(&m->state, (size_t)(3 * HOUR));
        bool runs = draw_chance(m, weekend ? w->on_weekend : w->on_weekday);

        if (w->hours >= 168) { /* a server: the next one when a week is over */
            runs = number % 7 == 0;
            late = 0;
        }
        start.s += w->at > 0 ? late : 0;
        if (number < w->first || number > w->last || !runs)
            continue;
        for (int t = 0; t < trials; t++) {
            if (!add_demo_run(m, w, start, t + 1))
                return false;
            start.s += 60 + (int64_t)draw_below(&m->state, 300);
        }
    }
    return true;
}

/* The weekday on which the quarter ends moves every draw: of each, one in which the machine
 * that was left on stands out of the days around it, as the commands that find it need. */
static uint64_t seed_of(day today)
{
    static const uint64_t seeds[WEEK] = {SEED, 9, 9, 7, SEED, 8, SEED}; /* from Monday */

    return seeds[(today.n - day_week_start(today).n) % WEEK];
}

static int by_demo_start(const void *a, const void *b)
{
    const struct demo_run *one = a, *two = b;

    return (one->attempts[0].start.s > two->attempts[0].start.s) -
           (one->attempts[0].start.s < two->attempts[0].start.s);
}

bool demo_make(const struct catalog *catalog, day today, struct str constants,
               struct arena *arena, struct demo *out, struct error *err)
{
    struct demo_machine *machines = arena_array(arena, struct demo_machine, MACHINE_COUNT, err);
    struct maker m = {.arena = arena,
                      .demo = out,
                      .runs = arena_array(arena, struct demo_run, RUNS_MAX + 1, err),
                      .machines = machines,
                      .state = seed_of(today),
                      .err = err};

    if (machines == NULL || m.runs == NULL)
        return false;
    memcpy(machines, demo_machines, sizeof demo_machines);
    for (size_t i = 0; i < MACHINE_COUNT; i++)
        if (!resolve_machine(catalog, &machines[i], arena, err))
            return false;
    *out = (struct demo){.today = today, .constants = constants, .machines = machines};
    for (int number = 0; number < DEMO_DAYS; number++)
        if (!make_day(&m, number))
            return false;
    qsort(m.runs, m.count, sizeof *m.runs, by_demo_start);
    out->runs = m.runs;
    out->run_count = m.count;
    return true;
}
