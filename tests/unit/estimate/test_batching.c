/* Continuous batching against what is known of queues. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "estimate/serving/batching.h"

/* A pass takes one second, whatever it reads, and nothing is written. */
static struct batching_costs one_second(void)
{
    struct batching_costs c = {0};

    for (int i = 0; i < BATCHING_POINTS; i++)
        c.tokens[i] = 1;
    return c;
}

/* A server like one GPU: 8 ms to read the weights, 30 us of arithmetic for a token. */
static struct batching_costs like_a_gpu(void)
{
    struct batching_costs c = {
        .pass = 1e-3, .past = 8192, .context = 1e-8, .delay = 1, .last = 1e-4, .before = 0.02};

    for (int i = 0; i < BATCHING_POINTS; i++) {
        double n = batching_point(i);

        c.tokens[i] = fmax(8e-3, n * 3e-5);
        c.writes[i] = fmax(8e-3, n * 3e-5) + n * 5e-6;
        c.reads[0][i] = n * 1e-9;
        c.reads[1][i] = n * 1e-9 + 8192 * 2e-9;
    }
    return c;
}

static const struct batching_limits one_at_a_time = {
    .sequences = 1e9, .cache = 1e12, .budget = 1, .apart = true};
static const struct batching_limits roomy = {.sequences = 256, .cache = 1e12, .budget = 8192};
static const struct batching_load chats = {.input = 1024, .output = 256, .spread = 0.1};

static struct batching_result run_at(double rate, double clients,
                                     const struct batching_limits *limits)
{
    struct batching_costs c = like_a_gpu();
    struct batching_load load = chats;

    load.rate = rate;
    load.clients = clients;
    return batching_run(&c, limits, &load);
}

static void near(double got, double expected, double share)
{
    if (!(fabs(got / expected - 1) <= share))
        fail_msg("%g, not %g", got, expected);
}

/* Pollaczek and Khinchine: of fixed service, the mean wait is load / (2 (1 - load)) of it. */
static void one_server_makes_wait_as_is_known(void **state)
{
    struct batching_costs c = one_second();

    (void)state;
    for (double busy = 0.2; busy < 0.95; busy += 0.1) {
        struct batching_load load = {.rate = busy, .input = 1};
        struct batching_result r = batching_run(&c, &one_at_a_time, &load);

        near(r.first.mean - 1, busy / 2 / (1 - busy), busy < 0.75 ? 0.1 : 0.25);
        near(r.requests_s, busy, 0.05);
        near(r.busy, busy, 0.05);
        assert_true(r.first.p50 <= r.first.p95 && r.first.p95 <= r.first.p99);
    }
}

/* All come at once, one is read in a second: the k-th waits k seconds. */
static void a_crowd_is_read_one_after_the_other(void **state)
{
    struct batching_costs c = one_second();
    struct batching_load load = {.clients = 100, .input = 1, .measured = 100};
    struct batching_result r = batching_run(&c, &one_at_a_time, &load);

    (void)state;
    near(r.first.mean, 50.5, 1e-9);
    near(r.first.p50, 51, 1e-9);
    near(r.first.p99, 100, 1e-9);
    near(r.requests_s, 1, 1e-9);
    near(r.busy, 1, 1e-9);
}

/* In flight = rate x time, whatever happens inside. */
static void what_comes_in_goes_out(void **state)
{
    (void)state;
    for (double clients = 1; clients <= 512; clients *= 2) {
        struct batching_result r = run_at(0, clients, &roomy);

        near(r.requests_s * r.request.mean, clients, 0.03);
        near(r.tokens_s, r.requests_s * 256, 0.03);
        assert_true(r.batch <= 256 && r.busy <= 1 + 1e-9);
    }
    for (double rate = 0.5; rate < 20; rate *= 2) {
        struct batching_result r = run_at(rate, 0, &roomy);

        near(r.requests_s, rate, 0.05);
        near(r.tokens_s, rate * 256, 0.05);
    }
}

/* One sequence alone: a reading pass, then a step for each token. */
static void one_request_takes_its_passes(void **state)
{
    struct batching_costs c = like_a_gpu();
    struct batching_load load = {.clients = 1, .input = 1024, .output = 256};
    struct batching_result r = batching_run(&c, &roomy, &load);
    double read = 1e-3 + 1024 * 3e-5 + 1024 * 1024e-9 + 1e-4;
    double step = 1e-3 + 8e-3 + 5e-6 + 1e-8 * (1024 + 128);

    (void)state;
    near(r.first.mean, 0.02 + read, 1e-3);
    near(r.token.mean, step, 1e-3);
    near(r.request.mean, 0.02 + read + 255 * step, 1e-3);
    near(r.context, 1024 + 128, 0.01);
}

static void more_load_never_helps(void **state)
{
    struct batching_result before = run_at(0.5, 0, &roomy);

    (void)state;
    for (double rate = 1; rate < 20; rate *= 1.4) {
        struct batching_result r = run_at(rate, 0, &roomy);

        assert_true(r.token.mean >= before.token.mean * 0.999);
        assert_true(r.request.mean >= before.request.mean * 0.999);
        assert_true(r.first.p95 >= before.first.p95 * 0.95);
        before = r;
    }
}

/* More clients make more tokens, up to the places that there are. */
static void places_limit_the_batch(void **state)
{
    struct batching_limits few = roomy;
    struct batching_result some = run_at(0, 16, &roomy), all = run_at(0, 256, &roomy), over;

    (void)state;
    assert_true(all.tokens_s > 2 * some.tokens_s);
    few.sequences = 16;
    over = run_at(0, 64, &few);
    assert_true(over.batch <= 16);
    near(over.tokens_s, some.tokens_s, 0.05); /* the others wait */
    assert_true(over.first.p50 > 2 * over.request.p50 / 4);
}

static void short_pieces_delay_others_less(void **state)
{
    struct batching_costs c = like_a_gpu();
    struct batching_limits pieces = roomy;
    struct batching_load load = {.rate = 0.5, .input = 8000, .output = 100, .spread = 0.1};
    struct batching_result whole = batching_run(&c, &roomy, &load), parts;

    (void)state;
    pieces.budget = 512;
    parts = batching_run(&c, &pieces, &load);
    assert_true(parts.first.p50 > whole.first.p50);
    assert_true(parts.token.p50 < 3 * whole.token.p50);
}

/* Who reads first answers sooner, and writes in longer gaps. */
static void prompts_first_delays_tokens(void **state)
{
    struct batching_limits first = roomy;
    struct batching_result mixed = run_at(15, 0, &roomy), apart;

    (void)state;
    first.apart = true;
    apart = run_at(15, 0, &first);
    assert_true(apart.token.mean > mixed.token.mean);
}

static void a_full_cache_puts_requests_off(void **state)
{
    struct batching_limits full = roomy, careful = roomy;
    struct batching_result often, never, free = run_at(0, 128, &roomy);

    (void)state;
    full.cache = careful.cache = 40 * 1280.0;
    careful.reserves = true;
    often = run_at(0, 128, &full);
    never = run_at(0, 128, &careful);
    assert_true(free.again == 0 && never.again == 0 && often.again > 0);
    assert_true(never.batch <= 45 && often.batch > never.batch);
    assert_true(often.tokens_s < free.tokens_s && never.tokens_s < free.tokens_s);
}

static void what_is_cached_is_not_read(void **state)
{
    struct batching_costs c = like_a_gpu();
    struct batching_load load = chats;
    struct batching_result none, most;

    (void)state;
    load.clients = 64;
    none = batching_run(&c, &roomy, &load);
    load.cached = 0.9;
    most = batching_run(&c, &roomy, &load);
    assert_true(most.first.p50 < none.first.p50);
    assert_true(most.tokens_s > 1.2 * none.tokens_s);
}

static void the_same_is_the_same(void **state)
{
    struct batching_result a = run_at(10, 0, &roomy), b = run_at(10, 0, &roomy);

    (void)state;
    assert_true(memcmp(&a, &b, sizeof a) == 0);
}

/* Nothing to do, no room, no end: an answer all the same. */
static void absurd_loads_end(void **state)
{
    static const double sizes[] = {0, 1, 1e8};
    struct batching_costs c = like_a_gpu();

    (void)state;
    for (int k = 0; k < 54; k++) {
        struct batching_limits l = {.sequences = k % 2 == 0 ? 1 : 1e9,
                                    .cache = k / 2 % 3 == 0 ? -1 : 1e9 * (k / 2 % 3 - 1),
                                    .budget = 8192};
        struct batching_load load = {.rate = k >= 27 ? 1e-9 : 0,
                                     .clients = 1e7,
                                     .input = sizes[k / 3 % 3],
                                     .output = sizes[k / 9 % 3]};
        struct batching_result r = batching_run(&c, &l, &load);

        assert_true(r.busy >= 0 && r.requests_s >= 0);
    }
}

int group_batching(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_server_makes_wait_as_is_known),
        cmocka_unit_test(a_crowd_is_read_one_after_the_other),
        cmocka_unit_test(what_comes_in_goes_out),
        cmocka_unit_test(one_request_takes_its_passes),
        cmocka_unit_test(more_load_never_helps),
        cmocka_unit_test(places_limit_the_batch),
        cmocka_unit_test(short_pieces_delay_others_less),
        cmocka_unit_test(prompts_first_delays_tokens),
        cmocka_unit_test(a_full_cache_puts_requests_off),
        cmocka_unit_test(what_is_cached_is_not_read),
        cmocka_unit_test(the_same_is_the_same),
        cmocka_unit_test(absurd_loads_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
