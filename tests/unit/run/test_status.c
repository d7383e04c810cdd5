#include "run/terminal/status.h"

#include <string.h>

#include "test.h"
#include "unit/time.h"

static const struct run_facts unknown = {
    .elapsed = {-1},
    .cost = {MONEY_UNKNOWN},
    .budget = {MONEY_UNKNOWN},
    .rate = {MONEY_UNKNOWN},
    .projected = {MONEY_UNKNOWN},
    .left = {-1},
    .budget_left = {-1},
    .step = NAN,
    .steps = NAN,
    .loss = NAN,
    .gpu_busy = NAN,
    .gpu_memory_share = NAN,
    .gpu_memory_total = NAN,
    .cpu_cores = NAN,
    .memory = NAN,
    .watts = NAN,
    .score = NAN,
    .phase = PHASE_TRAIN,
};

static struct run_facts everything(void)
{
    return (struct run_facts){
        .elapsed = {610 * INT64_C(1000000000)},
        .cost = usd_from(0.42),
        .budget = usd_from(5),
        .rate = {INT64_C(2490000000)},
        .projected = usd_from(5.62),
        .left = {7500 * INT64_C(1000000000)},
        .budget_left = {6600 * INT64_C(1000000000)},
        .step = 1200,
        .steps = 4000,
        .loss = 2.3123,
        .gpu_busy = 0.87,
        .gpu_memory_share = 0.7625,
        .gpu_memory_total = 80e9,
        .gpus = 1,
        .cpu_cores = 3.24,
        .memory = 6.1e9,
        .watts = 412,
        .score = 71.4,
        .phase = PHASE_DATA,
    };
}

static struct buf out;

static struct str line(const struct run_facts *facts, unsigned width, bool color, bool utf8)
{
    struct term term = {.tty = true, .color = color, .width = width};
    struct error err;

    buf_free(&out);
    out = buf_new(&alloc_system, 4096);
    status_line(facts, &term, utf8, &out);
    assert_true(buf_ok(&out, &err));
    return buf_text(&out);
}

static void test_complete_line(void **state)
{
    struct run_facts facts = everything();

    (void)state;
    assert_str_equal(line(&facts, 200, false, true),
                     "$0.42 of $5.00 "
                     "[\342\226\221\342\226\221\342\226\221\342\226\221\342\226\221\342\226\221"
                     "\342\226\221\342\226\221\342\226\221\342\226\221] 8% \302\267 $2.49/hr "
                     "\302\267 GPU 87% "
                     "61/80 GB \302\267 412 W \302\267 step 1200/4000 loss 2.31"
                     " \302\267 data wait \302\267 score 71 \302\267 2h05m left \302\267 $5.62 "
                     "in all! \302\267 "
                     "after 10m");
    facts.cost = usd_from(2.6);
    assert_str_equal(line(&facts, 100, false, false),
                     "$2.60 of $5.00 [##---] 52% | $2.49/hr | GPU 87% | step 1200/4000 | "
                     "2h05m left | $5.62 in all!");
    assert_str_equal(line(&facts, 60, false, false),
                     "$2.60 of $5.00 [##---] 52% | $2.49/hr | $5.62 in all!");
    assert_str_equal(line(&facts, 40, false, false), "$2.60 of $5.00 [##---] 52% | $2.49/hr");
    assert_str_equal(line(&facts, 20, false, false), "$2.60 of $5.00");
    facts.projected = usd_from(4.5);
    assert_str_equal(line(&facts, 60, false, false),
                     "$2.60 of $5.00 [##---] 52% | $2.49/hr | GPU 87% | 2h05m left");
    facts.gpus = 8;
    facts.gpu_memory_total = NAN;
    assert_str_equal(
        line(&facts, 110, false, false),
        "$2.60 of $5.00 [##---] 52% | $2.49/hr | 8 GPUs 87% | step 1200/4000 loss 2.31 | "
        "2h05m left | $4.50 in all");
}

/* Processor and watts never take the place of the loss or the step. */
static void test_the_processor_comes_late(void **state)
{
    struct run_facts facts = everything();

    (void)state;
    facts.gpu_busy = facts.gpu_memory_share = NAN;
    facts.gpus = 0;
    facts.cpu_cores = 0;
    facts.watts = 0;
    facts.phase = PHASE_TRAIN;
    facts.projected = usd_from(4.5);
    facts.cost = usd_from(0.36);
    facts.budget = usd_from(1);
    assert_str_equal(line(&facts, 100, false, false),
                     "$0.36 of $1.00 [#----] 36% | $2.49/hr | step 1200/4000 loss 2.31 | "
                     "2h05m left | $4.50 in all!");
    assert_str_equal(line(&facts, 80, false, false),
                     "$0.36 of $1.00 [#----] 36% | $2.49/hr | 2h05m left | $4.50 in all!");
    assert_str_equal(line(&facts, 20, false, false), "$0.36 of $1.00");
    assert_str_equal(line(&facts, 130, false, false),
                     "$0.36 of $1.00 [###-------] 36% | $2.49/hr | CPU 0.0 cores | step "
                     "1200/4000 loss 2.31 | score 71 | 2h05m left | $4.50 in all!");
}

/* 42.6 % of a dollar are 43 cents, and 43 %. */
static void test_shares_are_rounded_as_money(void **state)
{
    struct run_facts facts = unknown;

    (void)state;
    facts.cost = usd_from(0.426);
    facts.budget = usd_from(1);
    assert_str_equal(line(&facts, 80, false, false), "$0.43 of $1.00 [##---] 43%");
    facts.cost = usd_from(0.424);
    assert_str_equal(line(&facts, 80, false, false), "$0.42 of $1.00 [##---] 42%");
}

static void test_unknown_is_left_out(void **state)
{
    struct run_facts facts = unknown;

    (void)state;
    assert_str_equal(line(&facts, 200, true, true), "");
    facts.cost = usd_from(0.0031);
    assert_str_equal(line(&facts, 80, false, false), "$0.0031");
    facts.budget = usd_from(0); /* a share of nothing is not a number */
    assert_str_equal(line(&facts, 80, false, false), "$0.0031 of $0.00");
    facts.budget = USD_UNKNOWN;
    facts.cpu_cores = 1;
    facts.step = 7;
    facts.loss = 0.00002;
    assert_str_equal(line(&facts, 80, false, false),
                     "$0.0031 | CPU 1.0 cores | step 7 loss 2.0e-5");
    facts.budget_left = (span){50 * INT64_C(1000000000)};
    facts.loss = 1234.5;
    assert_str_equal(line(&facts, 80, false, false),
                     "$0.0031 | CPU 1.0 cores | step 7 loss 1234 | budget lasts 50s");
}

static void test_colors(void **state)
{
    struct run_facts facts = unknown;

    (void)state;
    facts.cost = usd_from(1);
    facts.budget = usd_from(10);
    assert_str_equal(line(&facts, 80, true, false),
                     "$1.00 of $10.00 \033[32m[-----] 10%\033[0m");
    facts.cost = usd_from(7.5);
    facts.projected = usd_from(11);
    assert_str_equal(line(&facts, 80, true, false),
                     "$7.50 of $10.00 \033[33m[###--] 75%\033[0m\033[2m | "
                     "\033[0m\033[33m$11.00 in all!\033[0m");
    facts.projected = usd_from(10);
    assert_str_equal(line(&facts, 80, true, false),
                     "$7.50 of $10.00 \033[33m[###--] 75%\033[0m\033[2m | "
                     "\033[0m$10.00 in all");
    facts.cost = usd_from(25);
    assert_str_equal(line(&facts, 40, false, false), "$25.00 of $10.00 [#####] 250%");
}

/* Visible columns: colors take none. */
static size_t seen(struct str text)
{
    size_t columns = 0;
    bool inside = false;

    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '\033')
            inside = true;
        else if (!inside)
            columns += ((unsigned char)text.at[i] & 0xC0) != 0x80;
        else if (text.at[i] == 'm')
            inside = false;
    }
    return columns;
}

static void test_never_wider(void **state)
{
    struct run_facts facts = everything();
    static const double costs[] = {0, 0.001, 3, 99.999, 123456, 9e9};

    (void)state;
    for (unsigned width = 20; width <= 200; width++)
        for (size_t i = 0; i < ARRAY_LEN(costs); i++)
            for (int kind = 0; kind < 4; kind++) {
                facts.cost = facts.projected = usd_from(costs[i]);
                facts.step = costs[i] * 1e6;
                if (seen(line(&facts, width, kind & 1, kind & 2)) > width)
                    fail_msg("%zu columns of %u", seen(buf_text(&out)), width);
                assert_true(width < 40 || out.len > 8);
            }
}

static void test_heartbeat(void **state)
{
    struct run_facts facts = everything();

    (void)state;
    buf_clear(&out);
    status_heartbeat(&facts, &out);
    assert_str_equal(buf_text(&out),
                     "10m $0.42 of $5.00 ($2.49/hr), step 1200 of 4000, loss 2.31, GPU "
                     "87 %, about 2h 05m to go, $5.62 in all, which is over the budget");
    facts = unknown;
    facts.elapsed = (span){90061 * INT64_C(1000000000)};
    buf_clear(&out);
    status_heartbeat(&facts, &out);
    assert_str_equal(buf_text(&out), "1d 01h");
    buf_free(&out);
}

static void test_no_memory(void **state)
{
    struct failing_alloc failing = {.allow = 0};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct run_facts facts = everything();
    struct term term = {.tty = true, .width = 80};

    (void)state;
    for (size_t allow = 0; allow < 6; allow++) {
        struct buf small = buf_new(&alloc, 4096);

        failing.allow = allow;
        status_line(&facts, &term, true, &small);
        buf_free(&small);
        assert_int_equal(failing.held, 0);
    }
}

int group_status(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complete_line),
        cmocka_unit_test(test_unknown_is_left_out),
        cmocka_unit_test(test_colors),
        cmocka_unit_test(test_never_wider),
        cmocka_unit_test(test_heartbeat),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_the_processor_comes_late),
        cmocka_unit_test(test_shares_are_rounded_as_money),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
