#include "test.h"

#include <math.h>
#include <string.h>

#include "plan/pack.h"

#define MOST_JOBS 64
#define MOST_WAYS (MOST_JOBS * 6)
#define LONGEST_WAIT 14 /* hours inside a session that trying everything looks at */

struct instance {
    struct pack_job jobs[MOST_JOBS];
    size_t after[MOST_JOBS][4];
    size_t job_count;
    struct pack_way ways[MOST_WAYS];
    size_t way_count;
    struct pack_limits limits;
};

static uint64_t dice = 1;

static size_t roll(size_t below)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(dice >> 33) % below;
}

/* --- what a packing must keep, and what it costs: written down once more --- */

struct run { /* a session */
    double rate, setup, work, minimum, step, fixed;
    double start, end;
    size_t jobs, place;
    int64_t machines;
};

static void run_add(struct run *r, const struct pack_way *w)
{
    r->rate = fmax(r->rate, w->usd_h);
    r->setup = fmax(r->setup, w->setup_h);
    r->minimum = fmax(r->minimum, w->minimum_h);
    r->step = fmax(r->step, w->step_h);
    r->work += w->hours;
    r->fixed += w->usd_fixed;
    r->place = w->place;
    r->machines = w->machines;
    r->jobs++;
}

static double run_usd(const struct run *r, double length)
{
    double billed = r->step > 0 ? ceil(length / r->step - 1e-9) * r->step : length;

    return r->rate * fmax(billed, r->minimum) + r->fixed;
}

/* No more sessions at once than allowed: looked at whenever one starts. */
static void check_parallel(const struct instance *in, const struct run *runs, size_t count)
{
    for (size_t s = 0; s < count && in->limits.parallel > 0; s++) {
        size_t at_once = 0;

        for (size_t t = 0; t < count; t++)
            at_once +=
                runs[t].start <= runs[s].start + 1e-6 && runs[t].end > runs[s].start + 1e-6;
        assert_true(at_once <= in->limits.parallel);
    }
}

static void check(const struct instance *in, const struct pack_result *r)
{
    struct run runs[MOST_JOBS] = {{0}};
    double start[MOST_JOBS], end[MOST_JOBS], sum = 0, last = 0;
    bool seen[MOST_JOBS] = {0};

    assert_int_equal(r->slot_count, in->job_count);
    for (size_t i = 0; i < r->slot_count; i++) {
        const struct pack_slot *s = &r->slots[i];
        struct run *run = &runs[s->session];

        assert_true(s->job < in->job_count && s->way < in->way_count);
        assert_true(s->session < r->sessions);
        assert_false(seen[s->job]);
        seen[s->job] = true;
        assert_int_equal(in->ways[s->way].job, s->job);
        assert_near(s->end_h - s->start_h, in->ways[s->way].hours, 1e-6);
        assert_true(i == 0 || s->start_h >= r->slots[i - 1].start_h);
        assert_true(s->end_h <= in->jobs[s->job].deadline_h + 1e-6);
        if (run->jobs > 0) { /* the same machines, one after the other */
            assert_int_equal(run->place, in->ways[s->way].place);
            assert_int_equal(run->machines, in->ways[s->way].machines);
            assert_true(s->start_h >= run->end - 1e-6);
        } else {
            run->start = s->start_h;
        }
        run->end = s->end_h;
        run_add(run, &in->ways[s->way]);
        start[s->job] = s->start_h;
        end[s->job] = s->end_h;
        last = fmax(last, s->end_h);
    }
    for (size_t j = 0; j < in->job_count; j++)
        for (size_t a = 0; a < in->jobs[j].after_count; a++)
            assert_true(start[j] >= end[in->jobs[j].after[a]] - 1e-6);
    for (size_t s = 0; s < r->sessions; s++) {
        assert_true(runs[s].jobs > 0);
        runs[s].start -= runs[s].setup;
        assert_true(runs[s].start >= -1e-6);
        assert_true(runs[s].end - runs[s].start <= in->limits.session_h + 1e-6);
        sum += run_usd(&runs[s], runs[s].end - runs[s].start);
    }
    check_parallel(in, runs, r->sessions);
    assert_near(r->usd, sum, 1e-6);
    assert_near(r->hours, last, 1e-6);
    if (!isnan(r->alone_usd))
        assert_true(r->usd <= r->alone_usd + 1e-6);
}

/* --- everything tried: ways, sessions, orders, queues, lengths; all times are whole hours --- */

struct brute {
    const struct instance *in;
    size_t way[8], session[8], sessions;
    struct run runs[8];
    size_t order[8], from[9]; /* jobs by session */
    size_t after[8], line[8];
    bool followed[8];
    double length[8];
    double best;
    bool alone;
};

static void raise(int *to, int at_least, bool *changed)
{
    if (*to < at_least) {
        *to = at_least;
        *changed = true;
    }
}

/* Are there times with sessions that are no longer than these? */
static bool feasible(const struct brute *b)
{
    int at[8] = {0};
    bool changed = true;

    for (int pass = 0; changed; pass++) {
        changed = false;
        if (pass > 200)
            return false;
        for (size_t s = 0; s < b->sessions; s++) {
            const struct run *r = &b->runs[s];
            size_t first = b->order[b->from[s]], last = b->order[b->from[s + 1] - 1], prev;
            int ready = 0;

            if (b->after[s] != SIZE_MAX) {
                prev = b->order[b->from[b->after[s] + 1] - 1];
                ready = at[prev] + (int)b->in->ways[b->way[prev]].hours;
            }
            raise(&at[first], ready + (int)r->setup, &changed);
            for (size_t i = b->from[s] + 1; i < b->from[s + 1]; i++)
                raise(&at[b->order[i]],
                      at[b->order[i - 1]] + (int)b->in->ways[b->way[b->order[i - 1]]].hours,
                      &changed);
            raise(&at[first],
                  at[last] + (int)b->in->ways[b->way[last]].hours + (int)r->setup -
                      (int)b->length[s],
                  &changed);
        }
        for (size_t j = 0; j < b->in->job_count; j++) {
            for (size_t a = 0; a < b->in->jobs[j].after_count; a++) {
                size_t before = b->in->jobs[j].after[a];

                raise(&at[j], at[before] + (int)b->in->ways[b->way[before]].hours, &changed);
            }
            if (at[j] + b->in->ways[b->way[j]].hours > b->in->jobs[j].deadline_h)
                return false;
        }
    }
    return true;
}

static void try_lengths(struct brute *b, size_t s)
{
    double sum = 0, whole;

    for (size_t t = 0; t < b->sessions; t++)
        sum += run_usd(&b->runs[t], t < s ? b->length[t] : b->runs[t].setup + b->runs[t].work);
    if (sum >= b->best - 1e-9)
        return;
    if (s == b->sessions) {
        if (feasible(b))
            b->best = sum;
        return;
    }
    whole = b->runs[s].setup + b->runs[s].work;
    for (double more = 0; more <= (b->runs[s].jobs > 1 ? LONGEST_WAIT : 0); more++) {
        if (whole + more > b->in->limits.session_h)
            break;
        b->length[s] = whole + more;
        try_lengths(b, s + 1);
    }
}

static void swap(size_t *a, size_t *b)
{
    size_t kept = *a;

    *a = *b;
    *b = kept;
}

static void try_orders(struct brute *b, size_t s, size_t at)
{
    while (s < b->sessions && at == b->from[s + 1])
        s++;
    if (s == b->sessions) {
        try_lengths(b, 0);
        return;
    }
    for (size_t i = at; i < b->from[s + 1]; i++) {
        swap(&b->order[at], &b->order[i]);
        try_orders(b, s, at + 1);
        swap(&b->order[at], &b->order[i]);
    }
}

static void try_queues(struct brute *b, size_t at, size_t lanes)
{
    size_t most = b->in->limits.parallel;

    if (at == b->sessions) {
        try_orders(b, 0, 0);
        return;
    }
    for (size_t i = at; i < b->sessions; i++) {
        swap(&b->line[at], &b->line[i]);
        if (most == 0 || lanes < most) {
            b->after[b->line[at]] = SIZE_MAX;
            try_queues(b, at + 1, lanes + 1);
        }
        for (size_t k = 0; k < at && most > 0; k++) {
            if (b->followed[b->line[k]])
                continue;
            b->followed[b->line[k]] = true;
            b->after[b->line[at]] = b->line[k];
            try_queues(b, at + 1, lanes);
            b->followed[b->line[k]] = false;
        }
        swap(&b->line[at], &b->line[i]);
        if (most == 0)
            break; /* nobody queues: one line is as good as another */
    }
}

static void try_packing(struct brute *b)
{
    double sum = 0;
    size_t at = 0;

    memset(b->runs, 0, sizeof b->runs);
    for (size_t s = 0; s < b->sessions; s++) {
        b->from[s] = at;
        b->line[s] = s;
        b->followed[s] = false;
        for (size_t j = 0; j < b->in->job_count; j++) {
            if (b->session[j] != s)
                continue;
            run_add(&b->runs[s], &b->in->ways[b->way[j]]);
            b->order[at++] = j;
        }
        if (b->runs[s].setup + b->runs[s].work > b->in->limits.session_h)
            return;
        sum += run_usd(&b->runs[s], b->runs[s].setup + b->runs[s].work);
    }
    b->from[b->sessions] = at;
    if (sum < b->best - 1e-9)
        try_queues(b, 0, 0);
}

static void try_jobs(struct brute *b, size_t job)
{
    if (job == b->in->job_count) {
        try_packing(b);
        return;
    }
    for (size_t w = 0; w < b->in->way_count; w++) {
        const struct pack_way *way = &b->in->ways[w];

        if (way->job != job)
            continue;
        b->way[job] = w;
        for (size_t s = 0; s <= b->sessions; s++) {
            bool fits = s == b->sessions || !b->alone;

            for (size_t j = 0; j < job; j++)
                fits &=
                    b->session[j] != s || (b->in->ways[b->way[j]].place == way->place &&
                                           b->in->ways[b->way[j]].machines == way->machines);
            if (!fits)
                continue;
            b->session[job] = s;
            b->sessions += s == b->sessions;
            try_jobs(b, job + 1);
            b->session[job] = SIZE_MAX;
            for (b->sessions = 0; true; b->sessions++) {
                bool used = false;

                for (size_t j = 0; j < job; j++)
                    used |= b->session[j] == b->sessions;
                if (!used)
                    break;
            }
        }
    }
}

static double brute_force(const struct instance *in, bool alone)
{
    struct brute b = {.in = in, .best = INFINITY, .alone = alone};

    try_jobs(&b, 0);
    return b.best;
}

/* --- random ones --- */

static void random_instance(struct instance *in, size_t jobs, size_t places)
{
    size_t must;

    memset(in, 0, sizeof *in);
    in->job_count = jobs;
    in->limits.session_h = roll(3) == 0 ? (double)(6 + roll(10)) : INFINITY;
    in->limits.parallel = roll(3) == 0 ? 1 + roll(2) : 0;
    for (size_t j = 0; j < jobs; j++) {
        in->jobs[j].deadline_h = roll(2) == 0 ? (double)(4 + roll(6 * jobs)) : INFINITY;
        in->jobs[j].after = in->after[j];
        for (size_t a = 0; a < j && in->jobs[j].after_count < 2; a++)
            if (roll(3) == 0)
                in->after[j][in->jobs[j].after_count++] = a;
        must = roll(places);
        for (size_t k = 0; k < places; k++) {
            if (k != must && roll(2) == 0)
                continue;
            in->ways[in->way_count++] = (struct pack_way){.job = j,
                                                          .place = k,
                                                          .machines = 1 + (int64_t)k % 2,
                                                          .hours = (double)(1 + roll(4)),
                                                          .setup_h = (double)roll(5),
                                                          .usd_h = 1 + (double)k * 1.5,
                                                          .usd_fixed = (double)roll(3),
                                                          .minimum_h = k == 1 ? 3 : 0,
                                                          .step_h = k == 2   ? 2
                                                                    : k == 1 ? 1
                                                                             : 0};
        }
    }
}

/* Hours that sessions wait inside. */
static double waiting(const struct pack_result *r)
{
    double sum = 0, end[MOST_JOBS];

    for (size_t s = 0; s < r->sessions; s++)
        end[s] = NAN;
    for (size_t i = 0; i < r->slot_count; i++) {
        double gap = r->slots[i].start_h - end[r->slots[i].session];

        sum += gap > 1e-6 ? gap : 0;
        end[r->slots[i].session] = r->slots[i].end_h;
    }
    return sum;
}

/* Jobs that follow each other on two sets of machines with a long set-up: it may be cheaper to
 * wait than to set up again. */
static void crossing_instance(struct instance *in, size_t jobs)
{
    random_instance(in, jobs, 2);
    in->way_count = 0;
    for (size_t j = 0; j < jobs; j++) {
        if (j > 0 && roll(4) != 0) {
            in->jobs[j].after_count = 1;
            in->after[j][0] = j - 1;
        }
        in->ways[in->way_count++] = (struct pack_way){.job = j,
                                                      .place = j % 2,
                                                      .machines = 1,
                                                      .hours = (double)(1 + roll(3)),
                                                      .setup_h = (double)(2 + roll(4)),
                                                      .usd_h = 1 + (double)roll(3),
                                                      .minimum_h = (double)(roll(2) * 7),
                                                      .step_h = (double)roll(4)};
    }
}

static void equal_to_trying_everything(void **state)
{
    size_t unfit = 0, proven = 0, solved = 0, saved = 0, waited = 0;

    (void)state;
    for (int i = 0; i < 2000; i++) {
        struct arena arena = test_arena();
        struct pack_result r;
        struct error err = {0};
        struct instance in;
        double best;

        if (i % 4 == 0)
            crossing_instance(&in, 3 + roll(3));
        else
            random_instance(&in, 1 + roll(5), 1 + roll(3));
        best = brute_force(&in, false);
        if (!pack(in.jobs, in.job_count, in.ways, in.way_count, &in.limits, &arena, &r, &err)) {
            assert_int_equal(err.kind, ERROR_UNFIT);
            if (best < INFINITY)
                fail_msg("instance %d: unfit ('%s') instead of $%g", i, err.text, best);
            unfit++;
        } else {
            double alone = brute_force(&in, true);

            check(&in, &r);
            if (fabs(r.usd - best) > 1e-6)
                fail_msg("instance %d: $%g instead of $%g", i, r.usd, best);
            if (alone < INFINITY ? fabs(r.alone_usd - alone) > 1e-6 : !isnan(r.alone_usd))
                fail_msg("instance %d: alone $%g instead of $%g", i, r.alone_usd, alone);
            proven += r.exact;
            saved += alone < INFINITY && r.usd < alone - 1e-6;
            waited += waiting(&r) > 0;
            solved++;
        }
        arena_free(&arena);
    }
    assert_int_equal(proven, solved);
    assert_true(unfit > 50 && saved > 300 && waited > 20); /* worth something as a test */
}

/* As a search has them: fractions, ten jobs, six places, billing by the minute and the hour. */
static void real_instance(struct instance *in, size_t jobs)
{
    memset(in, 0, sizeof *in);
    in->job_count = jobs;
    in->limits.session_h = roll(2) == 0 ? 24 : INFINITY;
    in->limits.parallel = roll(3) == 0 ? 2 : 0;
    for (size_t j = 0; j < jobs; j++) {
        double work = 0.5 + (double)roll(100) / 15;

        in->jobs[j].deadline_h = roll(4) == 0 ? 30 + 10 * (double)roll(jobs) : INFINITY;
        in->jobs[j].after = in->after[j];
        if (j > 0 && roll(4) == 0)
            in->after[j][in->jobs[j].after_count++] = roll(j);
        for (size_t k = 0; k < 6; k++)
            in->ways[in->way_count++] =
                (struct pack_way){.job = j,
                                  .place = k,
                                  .machines = 1,
                                  .hours = work / (1 + 0.3 * (double)k),
                                  .setup_h = 0.1 + (double)roll(20) / 60,
                                  .usd_h = 1 + 0.31 * (double)k + 0.1 * (double)(k % 3),
                                  .usd_fixed = (double)roll(100) / 100,
                                  .minimum_h = k % 2 == 0 ? 0 : 1.0 / 60,
                                  .step_h = k == 3 ? 1 : 1.0 / 60};
    }
}

static bool solve(const struct instance *in, struct arena *arena, struct pack_result *r,
                  struct error *err)
{
    return pack(in->jobs, in->job_count, in->ways, in->way_count, &in->limits, arena, r, err);
}

static void ten_jobs_in_six_places(void **state)
{
    size_t proven = 0, solved = 0;

    (void)state;
    for (int i = 0; i < 12; i++) {
        struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
        struct pack_result r, again;
        struct error err = {0};
        struct instance in;

        real_instance(&in, 10);
        if (solve(&in, &arena, &r, &err)) {
            check(&in, &r);
            assert_true(solve(&in, &arena, &again, &err));
            assert_memory_equal(r.slots, again.slots, r.slot_count * sizeof r.slots[0]);
            solved++;
            proven += r.exact;
        }
        arena_free(&arena);
    }
    assert_true(solved >= 10 && proven * 10 >= solved * 8);
}

static void many_jobs_are_never_dearer_than_alone(void **state)
{
    size_t solved = 0;
    double usd = 0, alone = 0;

    (void)state;
    for (int i = 0; i < 12; i++) {
        struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
        struct pack_result r;
        struct error err = {0};
        struct instance in;

        real_instance(&in, i == 0 ? 60 : 11 + roll(15));
        if (solve(&in, &arena, &r, &err)) {
            check(&in, &r);
            assert_false(r.exact);
            solved++;
            if (!isnan(r.alone_usd)) {
                usd += r.usd;
                alone += r.alone_usd;
            }
        } else {
            assert_int_equal(err.kind, ERROR_UNFIT);
        }
        arena_free(&arena);
    }
    assert_true(solved >= 9);
    assert_true(usd < 0.97 * alone); /* it is worth the trouble */
}

/* What is improved step by step is near the best: jobs that both can do. */
static void few_steps_come_near_the_best(void **state)
{
    double exact = 0, padded = 0;

    (void)state;
    for (int i = 0; i < 10; i++) {
        struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
        struct pack_result r;
        struct error err = {0};
        struct instance in;

        real_instance(&in, 9);
        if (solve(&in, &arena, &r, &err)) {
            double best = r.usd;
            bool proven = r.exact;

            /* Two more jobs that are nothing, so that there are too many to try all. */
            for (size_t j = 9; j < 11; j++) {
                in.jobs[j] = (struct pack_job){.deadline_h = INFINITY, .after = in.after[j]};
                in.ways[in.way_count++] =
                    (struct pack_way){.job = j, .place = 7, .machines = 1};
            }
            in.job_count = 11;
            if (in.limits.parallel == 0 && solve(&in, &arena, &r, &err)) {
                assert_false(r.exact);
                check(&in, &r);
                exact += best;
                padded += r.usd;
                assert_true(!proven || r.usd >= best - 1e-6);
            }
        }
        arena_free(&arena);
    }
    assert_true(exact > 0 && padded < exact * 1.02);
}

static struct instance two_jobs(void)
{
    struct instance in = {.job_count = 2,
                          .jobs = {{.deadline_h = INFINITY}, {.deadline_h = INFINITY}},
                          .ways = {{.job = 0, .hours = 2, .setup_h = 1, .usd_h = 3},
                                   {.job = 1, .hours = 4, .setup_h = 1, .usd_h = 3}},
                          .way_count = 2,
                          .limits = {.session_h = INFINITY}};

    return in;
}

static void set_up_is_paid_once(void **state)
{
    struct arena arena = test_arena();
    struct instance in = two_jobs();
    struct pack_result r;
    struct error err = {0};

    (void)state;
    assert_true(solve(&in, &arena, &r, &err));
    check(&in, &r);
    assert_near(r.usd, 21, 1e-9); /* 1 + 2 + 4 hours */
    assert_near(r.alone_usd, 24, 1e-9);
    assert_int_equal(r.sessions, 1);
    assert_true(r.exact);
    in.limits.session_h = 6;
    assert_true(solve(&in, &arena, &r, &err));
    assert_int_equal(r.sessions, 2);
    assert_near(r.usd, 24, 1e-9);
    assert_near(r.hours, 5, 1e-9);
    in.limits.parallel = 1;
    assert_true(solve(&in, &arena, &r, &err));
    assert_near(r.hours, 8, 1e-9);
    in.job_count = 0;
    assert_true(solve(&in, &arena, &r, &err));
    assert_int_equal(r.slot_count, 0);
    assert_near(r.usd, 0, 0);
    arena_free(&arena);
}

static void refused(const struct instance *in, enum error_kind kind, const char *text)
{
    struct arena arena = test_arena();
    struct pack_result r;
    struct error err = {0};

    assert_false(solve(in, &arena, &r, &err));
    assert_int_equal(err.kind, kind);
    assert_string_equal(err.text, text);
    arena_free(&arena);
}

static void what_cannot_be_is_said(void **state)
{
    static const size_t zero = 0, one = 1, two = 2, nine = 9;
    struct instance in = two_jobs();

    (void)state;
    in.jobs[0].after = &one;
    in.jobs[1].after = &zero;
    in.jobs[0].after_count = in.jobs[1].after_count = 1;
    refused(&in, ERROR_INPUT, "jobs wait for each other in a circle: 0 after 1 after 0");
    in = two_jobs(); /* a third behind a circle, and one that waits for itself */
    in.job_count = 3;
    in.ways[in.way_count++] = (struct pack_way){.job = 2, .hours = 1};
    in.jobs[0] = (struct pack_job){INFINITY, &one, 1};
    in.jobs[1] = (struct pack_job){INFINITY, &two, 1};
    in.jobs[2] = (struct pack_job){INFINITY, &two, 1};
    refused(&in, ERROR_INPUT, "jobs wait for each other in a circle: 2 after 2");
    in.jobs[2] = (struct pack_job){INFINITY, &nine, 1};
    refused(&in, ERROR_INPUT, "job 2 waits for one that is not there");
    in = two_jobs();
    in.jobs[1].deadline_h = 4.5;
    refused(&in, ERROR_UNFIT, "job 1 cannot be done within 4.5 h: it takes 5 h");
    in = two_jobs();
    in.jobs[1].after = &zero;
    in.jobs[1].after_count = 1;
    in.jobs[1].deadline_h = 6.5;
    refused(&in, ERROR_UNFIT, "job 1 cannot be done within 6.5 h: it takes 7 h");
    in = two_jobs();
    in.jobs[0].deadline_h = in.jobs[1].deadline_h = 5;
    in.limits.parallel = 1;
    refused(&in, ERROR_UNFIT,
            "there is no way to keep all deadlines with so few sessions at once");
    in = two_jobs();
    in.limits.session_h = 4;
    refused(&in, ERROR_UNFIT, "job 1 takes 5 h with its set-up, and a session lasts 4 h");
    in.limits.session_h = 0;
    refused(&in, ERROR_INPUT, "a session must last longer than nothing");
    in = two_jobs();
    in.ways[1].hours = NAN;
    refused(&in, ERROR_INPUT, "way 1 of packing makes no sense");
    in = two_jobs();
    in.jobs[1].deadline_h = NAN;
    refused(&in, ERROR_INPUT, "the deadline of job 1 is not known");
    in = two_jobs();
    in.way_count = 1;
    refused(&in, ERROR_INPUT, "job 1 has nowhere to run");
}

static void memory_may_run_out(void **state)
{
    (void)state;
    for (size_t jobs = 4; jobs <= 12; jobs += 8) {
        struct instance in;
        bool ok = false;

        real_instance(&in, jobs);
        for (size_t allow = 0; !ok; allow++) {
            struct failing_alloc failing = {.allow = allow};
            struct alloc alloc = {failing_get, failing_put, &failing};
            struct arena arena = {.alloc = &alloc};
            struct pack_result r;
            struct error err = {0};

            assert_true(allow < 200);
            ok = solve(&in, &arena, &r, &err);
            assert_int_equal(err.kind, ok ? ERROR_NONE : ERROR_MEMORY);
            arena_free(&arena);
            assert_int_equal(failing.held, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_to_trying_everything),
        cmocka_unit_test(ten_jobs_in_six_places),
        cmocka_unit_test(many_jobs_are_never_dearer_than_alone),
        cmocka_unit_test(few_steps_come_near_the_best),
        cmocka_unit_test(set_up_is_paid_once),
        cmocka_unit_test(what_cannot_be_is_said),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests_name("plan/pack", tests, NULL, NULL);
}
