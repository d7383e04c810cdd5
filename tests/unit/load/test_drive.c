/* Runs against a server of the test's own, in a time of its own: what is measured is known
 * exactly. */
#include "test.h"

#include <string.h>

#include "load/join.h"
#include "load/result.h"

#define MS INT64_C(1000000)
#define MOST_EVENTS 4096

#define TOKEN "data: {\"choices\":[{\"text\":\"a\"}]}\n\n"
#define LAST \
    "data: {\"choices\":[{\"text\":\"a\",\"finish_reason\":\"length\"}],\"usage\":" \
    "{\"prompt_tokens\":7,\"completion_tokens\":4}}\n\ndata: [DONE]\n\n"

static const char token_event[] = TOKEN, last_event[] = LAST,
                  whole_answer[] = TOKEN TOKEN TOKEN LAST;

/* Something that will happen. */
struct fake_event {
    int64_t at;
    void *stream;
    const char *text; /* NULL: the end */
    int status;
    enum net_end end;
};

/* A server that answers one request at a time: after `first` the first of four tokens, and one
 * each `gap`. From `stall_from` on it does nothing for `stall`, once. */
struct fake {
    struct load_drive *drive;
    int64_t now, free_at, first, gap, stall_from, stall;
    bool parallel; /* it answers any number at a time */
    int status;    /* of every n-th request, when `fault_each` > 0 */
    int64_t fault_each, hang_each, sent;
    int64_t late;   /* by which the client's clock is late each time it wakes up */
    bool by_kernel; /* the kernel says when answers came, however late it looks */
    bool together;  /* all of an answer comes at once */
    struct fake_event events[MOST_EVENTS];
    size_t count;
};

static int64_t fake_now(void *ctx)
{
    return ((struct fake *)ctx)->now;
}

static void plan_event(struct fake *f, int64_t at, void *stream, const char *text, int status,
                       enum net_end end)
{
    assert_true(f->count < MOST_EVENTS);
    f->events[f->count++] = (struct fake_event){at, stream, text, status, end};
}

/* When work that takes so long ends, when it begins then. */
static int64_t after_work(const struct fake *f, int64_t from, int64_t time)
{
    int64_t to = from + time;

    return f->stall > 0 && from < f->stall_from + f->stall && to > f->stall_from ? to + f->stall
                                                                                 : to;
}

static bool fake_send(void *ctx, struct str body, void *stream, struct error *err)
{
    struct fake *f = ctx;
    int64_t at = f->parallel || f->free_at < f->now ? f->now : f->free_at;

    (void)err;
    assert_true(body.len > 0);
    f->sent++;
    if (f->hang_each > 0 && f->sent % f->hang_each == 0) {
        plan_event(f, f->now + 3000 * MS, stream, NULL, 0, NET_TIMED_OUT);
        return true;
    }
    if (f->fault_each > 0 && f->sent % f->fault_each == 0) {
        plan_event(f, at + MS, stream, "{\"error\":{\"message\":\"no\"}}", f->status,
                   NET_ANSWERED);
        plan_event(f, at + MS, stream, NULL, f->status, NET_ANSWERED);
        return true;
    }
    at = after_work(f, at, f->first);
    if (f->together) {
        plan_event(f, at, stream, whole_answer, 200, NET_ANSWERED);
        plan_event(f, at, stream, NULL, 200, NET_ANSWERED);
        return true;
    }
    plan_event(f, at, stream, token_event, 200, NET_ANSWERED);
    for (int i = 0; i < 3; i++) {
        at = after_work(f, at, f->gap);
        plan_event(f, at, stream, i == 2 ? last_event : token_event, 200, NET_ANSWERED);
    }
    plan_event(f, at, stream, NULL, 200, NET_ANSWERED);
    f->free_at = at;
    return true;
}

static bool fake_wait(void *ctx, int64_t until, struct error *err)
{
    struct fake *f = ctx;
    struct fake_event event;
    struct net_moment when;
    struct net_ended ended;
    size_t next = 0;

    (void)err;
    for (size_t i = 1; i < f->count; i++)
        if (f->events[i].at < f->events[next].at)
            next = i;
    if (f->count == 0 || f->events[next].at > until) {
        f->now = (until > f->now ? until : f->now) + f->late;
        return true;
    }
    event = f->events[next];
    memmove(&f->events[next], &f->events[next + 1],
            (f->count - next - 1) * sizeof f->events[0]);
    f->count--;
    if (event.at > f->now)
        f->now = event.at;
    when = (struct net_moment){f->by_kernel ? event.at : f->now, f->by_kernel};
    ended = (struct net_ended){
        .end = event.end, .status = event.status, .problem = "timed out", .when = when};
    if (event.text != NULL)
        (void)load_arrived(f->drive, event.stream, event.status, str_from(event.text), &when);
    else
        load_done(f->drive, event.stream, &ended);
    return true;
}

static struct load_options options_of(double rate, double seconds)
{
    struct load_options o = {
        .arrivals = {.rate = rate, .rate_end = rate, .shape = INFINITY, .speed = 1},
        .prompts = {.prefix_groups = 1, .seed = 1, .words_per_token = 1},
        .format = {.api = API_COMPLETIONS, .model = STR("m"), .stream = true},
        .max_s = seconds,
        .drain_s = 30,
        .most = 1000,
        .target = {NAN, NAN, NAN},
        .attain = NAN,
        .seed = 1};
    struct error err;

    assert_true(length_parse(STR("10"), &o.prompts.input, &err));
    assert_true(length_parse(STR("4"), &o.prompts.output, &err));
    return o;
}

static void run_fake(struct fake *f, const struct load_options *options, struct arena *arena,
                     struct load_run *run, struct load_result *result)
{
    const struct load_wire wire = {f, fake_now, fake_send, fake_wait};
    struct error err;

    f->drive = load_drive_new(options, arena, &err);
    assert_non_null(f->drive);
    assert_true(load_drive(f->drive, &wire, run, &err));
    load_drive_free(f->drive);
    assert_true(
        load_result_of(options, run, 0.01, (usd_per_hour){3600000000000}, arena, result, &err));
}

static struct arena run_arena(void)
{
    return (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
}

/* 10 requests a second, each 20 ms to its first token and 10 ms for each more: nothing
 * waits. */
static void times_are_those_of_the_server(void **state)
{
    struct fake f = {.first = 20 * MS, .gap = 10 * MS, .now = 12345};
    struct load_options o = options_of(10, 60);
    struct arena arena = run_arena();
    struct load_result r;
    struct load_run run;

    (void)state;
    run_fake(&f, &o, &arena, &run, &r);
    assert_int_equal(r.ended, LOAD_END_TIME);
    assert_int_equal(r.requests, 599);
    assert_int_equal(r.failed, 0);
    assert_near(r.first_token.p50.value, 0.020, 1e-9);
    assert_near(r.first_token.p999.value, 0.020, 1e-9);
    assert_near(r.per_token.mean.value, 0.010, 1e-9);
    assert_near(r.total.mean.value, 0.050, 1e-9);
    assert_near(r.gap.p50.value, 0.010, 0.010 * 0.001);
    assert_int_equal(r.gap.count, 599 * 3);
    assert_near(r.output_per_s, 40, 0.1);
    assert_near(r.input_per_s, 70, 0.2);
    assert_near(r.answered_per_s, 10, 0.02);
    assert_true(r.valid);
    assert_true(r.counted);
    /* $3,600 an hour is a dollar a second: a tenth of it for each request. */
    assert_near(usd_double(r.per_1000), 100, 0.2);
    assert_near(usd_double(r.per_million_output), 25000, 50);
    arena_free(&arena);
}

/* A server that stalls for 2 s in 60 s. Requests that were meant to be sent then are late for
 * their users, however few could be sent: this fails where latency counts from the moment of
 * sending. Of 599 requests those meant for these two seconds, and for the queue behind, waited:
 * more than 3 %. */
static void requests_that_could_not_be_sent_count_as_late(void **state)
{
    struct fake f = {
        .first = 20 * MS, .gap = 10 * MS, .stall_from = 30000 * MS, .stall = 2000 * MS};
    struct load_options o = options_of(10, 60);
    struct arena arena = run_arena();
    struct load_result r;
    struct load_run run;

    (void)state;
    o.most = 1; /* as a client has it that waits for each answer */
    run_fake(&f, &o, &arena, &run, &r);
    assert_near(r.total_sent.p99.value, 0.050, 1e-6);
    assert_true(r.total.p99.value > 1.5);
    assert_near(r.total.most, 2.05, 0.1);
    assert_true(r.total.mean.value > 1.5 * r.total_sent.mean.value);
    /* It says so, since its client was the bottleneck. */
    assert_false(r.valid);
    assert_true(str_starts(r.invalid, STR("requests waited")));
    arena_free(&arena);
}

static void users_wait_for_their_answers(void **state)
{
    struct fake f = {.first = 20 * MS, .gap = 10 * MS, .parallel = true};
    struct load_options o = options_of(1, 10);
    struct arena arena = run_arena();
    struct load_result r;
    struct load_run run;

    (void)state;
    o.arrivals = (struct arrival_plan){.kind = ARRIVAL_USERS, .users = 5, .think_s = 0.05};
    run_fake(&f, &o, &arena, &run, &r);
    assert_int_equal(r.most_open, 5);
    assert_int_equal(r.requests, 500); /* 10 s of 100 ms each, 5 users */
    assert_near(r.total.p99.value, 0.050, 1e-9);
    assert_true(r.valid);
    arena_free(&arena);
}

static void warmup_is_not_measured(void **state)
{
    struct fake f = {.first = 20 * MS,
                     .gap = 10 * MS,
                     .stall_from = 1000 * MS,
                     .stall = 500 * MS,
                     .parallel = true};
    struct load_options o = options_of(10, 20);
    struct arena arena = run_arena();
    struct load_result r;
    struct load_run run;

    (void)state;
    o.warmup_s = 5;
    run_fake(&f, &o, &arena, &run, &r);
    assert_near(r.measured_s, 20, 1e-6);
    assert_int_equal(r.requests, 200);
    assert_near(r.total.most, 0.05, 1e-9);
    assert_near(r.answered_per_s, 10, 0.1);
    arena_free(&arena);
}

static void failures_are_counted_by_kind(void **state)
{
    struct fake f = {.first = 20 * MS,
                     .gap = 10 * MS,
                     .fault_each = 10,
                     .status = 429,
                     .hang_each = 7,
                     .parallel = true};
    struct load_options o = options_of(10, 14);
    const struct load_error_row *rows;
    struct arena arena = run_arena();
    struct load_result r;
    struct load_run run;

    (void)state;
    run_fake(&f, &o, &arena, &run, &r);
    rows = r.errors.at;
    assert_int_equal(r.requests, 139);
    assert_int_equal(r.errors.len, 2);
    assert_str_equal(rows[0].what, "timed out");
    assert_int_equal(rows[0].count, 19);
    assert_str_equal(rows[1].what, "too many requests");
    assert_int_equal(rows[1].count, 12);
    /* The seventh request hangs, but the tenth is refused before that is known. */
    assert_str_equal(r.first_error, "too many requests (429): no");
    /* What hangs is later than all others: more than one in ten has no end. */
    assert_int_equal(r.total.beyond, 19);
    assert_near(r.total.p50.value, 0.05, 1e-9);
    assert_true(isnan(r.total.p99.value));
    assert_true(isnan(r.total.mean.value));
    arena_free(&arena);
}

static void nothing_but_failures_ends_it(void **state)
{
    struct fake f = {.fault_each = 1, .status = 401};
    struct load_options o = options_of(10, 600);
    struct arena arena = run_arena();
    struct load_result r;
    struct load_run run;

    (void)state;
    run_fake(&f, &o, &arena, &run, &r);
    assert_int_equal(r.ended, LOAD_END_FAILING);
    assert_int_equal(r.requests, 20);
    assert_false(r.valid);
    assert_str_equal(r.first_error, "refused (401): no");
    arena_free(&arena);
}

static void it_ends_when_means_are_known(void **state)
{
    struct fake f = {.first = 20 * MS, .gap = 10 * MS, .parallel = true};
    struct load_options o = options_of(50, 600);
    struct arena arena = run_arena();
    struct load_result r;
    struct load_run run;

    (void)state;
    o.precision = 0.05;
    run_fake(&f, &o, &arena, &run, &r);
    assert_int_equal(r.ended, LOAD_END_PRECISE);
    assert_true(r.measured_s >= 5 && r.measured_s < 7);
    o = options_of(50, 600);
    o.requests = 77;
    f = (struct fake){.first = 20 * MS, .gap = 10 * MS, .parallel = true};
    run_fake(&f, &o, &arena, &run, &r);
    assert_int_equal(r.ended, LOAD_END_REQUESTS);
    assert_int_equal(r.requests, 77);
    arena_free(&arena);
}

/* One at a time, 50 ms each: 20 a second is the most; at 30 the queue grows without end. */
static void a_target_is_decided_early(void **state)
{
    struct fake f = {.first = 20 * MS, .gap = 10 * MS};
    struct load_options o = options_of(30, 600);
    struct arena arena = run_arena();
    struct load_result r;
    struct load_run run;

    (void)state;
    o.target.total = 0.5;
    o.attain = 0.99;
    run_fake(&f, &o, &arena, &run, &r);
    assert_int_equal(r.ended, LOAD_END_DECIDED);
    assert_false(load_result_meets(&r, 0.99));
    assert_true(r.measured_s < 30);
    o = options_of(15, 600);
    o.target.total = 0.5;
    o.attain = 0.99;
    f = (struct fake){.first = 20 * MS, .gap = 10 * MS};
    run_fake(&f, &o, &arena, &run, &r);
    assert_int_equal(r.ended, LOAD_END_DECIDED);
    assert_true(load_result_meets(&r, 0.99));
    arena_free(&arena);
}

/* A client that wakes up 10 ms late each time measured itself. */
static void a_late_client_invalidates_the_run(void **state)
{
    struct fake f = {.first = 20 * MS, .gap = 10 * MS, .parallel = true, .late = 10 * MS};
    struct load_options o = options_of(20, 30);
    struct arena arena = run_arena();
    struct load_result r;
    struct load_run run;

    (void)state;
    run_fake(&f, &o, &arena, &run, &r);
    assert_false(r.valid);
    assert_true(str_starts(r.invalid, STR("the client sent")));
    assert_near(r.late.p99.value, 0.010, 1e-3);
    arena_free(&arena);
}

/* One that looks late at what its kernel has timed measures the server all the same; its
 * requests are still late. */
static void a_kernel_that_notes_arrivals_makes_late_looks_harmless(void **state)
{
    struct fake f = {
        .first = 20 * MS, .gap = 10 * MS, .parallel = true, .late = 8 * MS, .by_kernel = true};
    struct load_options o = options_of(20, 30);
    struct arena arena = run_arena();
    struct load_result r;
    struct load_run run;

    (void)state;
    run_fake(&f, &o, &arena, &run, &r);
    assert_near(r.first_token_sent.p99.value, 0.020, 1e-9);
    assert_near(r.per_token.p99.value, 0.010, 1e-9);
    assert_near(r.by_kernel, 1, 1e-9);
    assert_false(r.valid);
    assert_true(str_starts(r.invalid, STR("the client sent")));
    arena_free(&arena);
}

/* Of pieces that are found together only the last came when the kernel says: it notes segments,
 * not pieces, and may have joined them. */
static void pieces_that_came_together_are_not_all_timed(void **state)
{
    struct fake f = {.first = 20 * MS, .parallel = true, .by_kernel = true};
    struct load_options o = options_of(20, 5);
    struct arena arena = run_arena();
    struct load_result r;
    struct load_run run;

    (void)state;
    f.together = true;
    run_fake(&f, &o, &arena, &run, &r);
    assert_near(r.by_kernel, 0.25, 1e-9);
    f = (struct fake){.first = 20 * MS, .parallel = true};
    run_fake(&f, &o, &arena, &run, &r);
    assert_near(r.by_kernel, 0, 1e-9);
    arena_free(&arena);
}

/* The second server is 5 ms slower: by pairs that is sure at once. */
static void two_runs_are_compared_request_by_request(void **state)
{
    struct fake a = {.first = 20 * MS, .gap = 10 * MS, .parallel = true},
                b = {.first = 25 * MS, .gap = 10 * MS, .parallel = true};
    struct load_options o = options_of(10, 20);
    const struct load_difference *d;
    struct arena arena = run_arena();
    struct load_run first, second;
    struct load_result r;
    struct error err;
    struct rows rows;

    (void)state;
    run_fake(&a, &o, &arena, &first, &r);
    run_fake(&b, &o, &arena, &second, &r);
    assert_true(load_compare(&first, &second, &arena, &rows, &err));
    d = rows.at;
    assert_int_equal(rows.len, 3);
    assert_near(d[0].change.value, 0.005, 1e-9);
    assert_true(d[0].sure);
    assert_near(d[1].change.value, 0, 1e-9);
    assert_false(d[1].sure);
    assert_near(d[2].second, 0.055, 1e-9);
    arena_free(&arena);
}

/* The turns of an endpoint, one after the other, are one run: counts, rates and gaps of
 * both. */
static void turns_become_one_run(void **state)
{
    struct load_options o = options_of(10, 20);
    struct arena arena = run_arena(), scratch = run_arena();
    struct load_run all = {0}, turn;
    struct load_result r;
    struct error err;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct fake f = {.first = (i == 0 ? 20 : 40) * MS, .gap = 10 * MS, .parallel = true};

        o.first = i * 1000;
        run_fake(&f, &o, &scratch, &turn, &r);
        assert_true(load_run_join(&all, &turn, 30 * i, &arena, &err));
    }
    arena_free(&scratch);
    assert_true(
        load_result_of(&o, &all, 0.01, (usd_per_hour){3600000000000}, &arena, &r, &err));
    assert_int_equal(r.requests, 2 * 199);
    assert_near(r.measured_s, 40, 1e-6);
    assert_near(r.answered_per_s, 10, 0.1);
    assert_near(r.first_token.mean.value, 0.030, 1e-9);
    assert_near(r.first_token.most, 0.040, 1e-9);
    assert_int_equal(r.gap.count, 2 * 199 * 3);
    assert_near(r.gap.p50.value, 0.010, 0.010 * 0.001);
    assert_true(all.samples[199].intended >= 30000 * MS);
    assert_int_equal(all.samples[199].number, 1000);
    assert_true(load_run_precise(&all, 0.5, arena.alloc));
    assert_false(load_run_precise(&all, 0.001, arena.alloc));
    arena_free(&arena);
}

int group_drive(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_those_of_the_server),
        cmocka_unit_test(requests_that_could_not_be_sent_count_as_late),
        cmocka_unit_test(users_wait_for_their_answers),
        cmocka_unit_test(warmup_is_not_measured),
        cmocka_unit_test(failures_are_counted_by_kind),
        cmocka_unit_test(nothing_but_failures_ends_it),
        cmocka_unit_test(it_ends_when_means_are_known),
        cmocka_unit_test(a_target_is_decided_early),
        cmocka_unit_test(a_late_client_invalidates_the_run),
        cmocka_unit_test(a_kernel_that_notes_arrivals_makes_late_looks_harmless),
        cmocka_unit_test(pieces_that_came_together_are_not_all_timed),
        cmocka_unit_test(turns_become_one_run),
        cmocka_unit_test(two_runs_are_compared_request_by_request),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
