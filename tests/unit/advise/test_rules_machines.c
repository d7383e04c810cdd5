/* Rules about machines and markets: where they apply with an exact saving, where they must not,
 * and at their thresholds. */
#include "advise_world.h"

#include <string.h>

#include "advise/rules/right_size.h"

static struct advise_option options[4];
static size_t option_count;

/* Eight runs of an hour at $2/hr, 20 % busy, 20 of 80 GB. */
static struct advise_work *eight_runs(void)
{
    run_count = 0;
    option_count = 0;
    for (int i = 0; i < 8; i++) {
        struct advise_run *r = add_run("bert", 1);

        r->busy = 0.2;
        r->memory_peak = 20e9;
        r->memory_total = 80e9;
    }
    make_works(1);
    return (struct advise_work *)(uintptr_t)work_at(0);
}

static void add_option(const char *offer, const char *provider, const char *gpu,
                       enum market market, double cost, double time)
{
    options[option_count++] = (struct advise_option){.offer = str_from(offer),
                                                     .provider = str_from(provider),
                                                     .gpu = str_from(gpu),
                                                     .market = market,
                                                     .gpus = 1,
                                                     .cost = usd_from(cost),
                                                     .cost_low = usd_from(cost * 0.9),
                                                     .cost_high = usd_from(cost * 1.2),
                                                     .egress = USD_UNKNOWN,
                                                     .time = time,
                                                     .account = true,
                                                     .date = {20500}};
}

static const struct finding *find_with_options(struct advise_work *w, const char *rule)
{
    w->options = (struct rows){options, option_count};
    apply_rules();
    return finding_of(rule);
}

/* ---- the matrix ---- */

static void the_matrix_has_an_answer_for_every_pair(void **state)
{
    static const struct {
        double utilization, memory;
        enum right_size size;
    } rows[] = {
        /* the seed's rows */
        {0.2, 0.3, SIZE_SMALLEST},
        {0.45, 0.5, SIZE_SMALLER},
        {0.7, 0.7, SIZE_GOOD},
        {0.9, 0.9, SIZE_LARGER},
        {0.2, 0.85, SIZE_MEMORY},   /* the seed's code: OPTIMAL */
        {0.55, 0.55, SIZE_SMALLER}, /* the seed's code: OPTIMAL */
        {0.88, 0.88, SIZE_LARGER},  /* the seed's code: OPTIMAL */
        {0.7, 0.3, SIZE_GOOD},      /* the seed's matrix has no row */
        /* thresholds */
        {0.2999, 0.3999, SIZE_SMALLEST},
        {0.3, 0.3999, SIZE_SMALLER},
        {0.2999, 0.4, SIZE_SMALLER},
        {0.5999, 0.5999, SIZE_SMALLER},
        {0.6, 0.5999, SIZE_GOOD},
        {0.5999, 0.6, SIZE_MEMORY},
        {0.85, 0.86, SIZE_GOOD},
        {0.8501, 0.8501, SIZE_LARGER},
        {NAN, 0.5, SIZE_UNKNOWN},
        {0.5, NAN, SIZE_UNKNOWN},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        assert_int_equal(right_size_of(rows[i].utilization, rows[i].memory), rows[i].size);
}

/* ---- right-sizing ---- */

/* $16 now, $6 on an A10G: $10; 20 % more there: $8.80; 10 % less: $10.60. */
static void a_smaller_gpu_of_the_same_provider_is_found(void **state)
{
    struct advise_work *w = eight_runs();
    const struct finding *f;

    (void)state;
    add_option("gcp/us-central1/g2", "gcp", "L4", MARKET_ON_DEMAND, 4, 2);
    add_option("aws/us-east-1/g5.xlarge", "aws", "A10G", MARKET_ON_DEMAND, 6, 1.5);
    options[1].need_gb = 18;
    options[1].usable_gb = 24;
    f = find_with_options(w, "right-size");
    assert_non_null(strstr(f->method.at, "at most 18 of 24 GB needed (90th percentile), 25 % "
                                         "left"));
    assert_saves(f, 8.8, 10, 10.6);
    assert_str_equal(f->evidence, "8 runs, 8 GPU-hours of A100-80GB-SXM, 20 % utilization, 25 "
                                  "% of 80 GB used: the GPU is much too large");
    assert_str_equal(f->action, "stint run --offer aws/us-east-1/g5.xlarge:on-demand -- "
                                "COMMAND");
}

static void a_gpu_that_fits_stays(void **state)
{
    struct advise_work *w = eight_runs();

    (void)state;
    add_option("aws/us-east-1/g5.xlarge", "aws", "A10G", MARKET_ON_DEMAND, 6, 1.5);
    w->utilization = 0.6;
    assert_null(find_with_options(w, "right-size"));
    w->utilization = 0.5999;
    assert_non_null(find_with_options(w, "right-size"));
    w->utilization = NAN;
    assert_null(find_with_options(w, "right-size"));
}

/* Above 85 % of both only a faster GPU counts; more expensive ones are no finding. */
static void a_larger_gpu_must_be_faster_and_cheaper(void **state)
{
    struct advise_work *w = eight_runs();

    (void)state;
    w->utilization = w->memory_used = 0.9;
    add_option("aws/us-east-1/g5.xlarge", "aws", "A10G", MARKET_ON_DEMAND, 6, 1.5);
    assert_null(find_with_options(w, "right-size"));
    add_option("aws/us-east-1/p5", "aws", "H100", MARKET_ON_DEMAND, 17, 0.4);
    assert_null(find_with_options(w, "right-size"));
    options[1].cost = usd_from(12);
    assert_near(usd_double(find_with_options(w, "right-size")->saving), 4, 1e-9);
}

/* ---- another place ---- */

/* $16 now, $4 there, and $1 for moving 11 GB once. */
static void moving_the_data_is_subtracted(void **state)
{
    struct advise_work *w = eight_runs();

    (void)state;
    add_option("gcp/us-central1/g2", "gcp", "L4", MARKET_ON_DEMAND, 4, 2);
    w->data_gb = 11;
    w->egress = usd_from(1);
    assert_saves(find_with_options(w, "cheaper-place"), 16 - 4.8 - 1, 16 - 4 - 1, 16 - 3.6 - 1);
    w->egress = usd_from(12);
    assert_null(find_with_options(w, "cheaper-place"));
    w->egress = usd_from(11.84); /* what is left is 1 % */
    assert_non_null(find_with_options(w, "cheaper-place"));
    w->egress = USD_UNKNOWN; /* moving the data may cost all of it */
    assert_saves(find_with_options(w, "cheaper-place"), 0, 12, 16 - 3.6);
}

/* $16 now, a quarter less in another region, and $1 for moving the data once. */
static void the_same_machine_in_another_region_is_found(void **state)
{
    struct advise_work *w = eight_runs();

    (void)state;
    assert_null(find_with_options(w, "cheaper-region"));
    w->region_best = (struct advise_region){STR("aws/us-east-2/p4d"), 0.75, {20500}};
    assert_saves(find_with_options(w, "cheaper-region"), 2, 4, 4); /* data not known */
    assert_false(finding_of("cheaper-region")->possible);
    w->egress = usd_from(1);
    assert_saves(find_with_options(w, "cheaper-region"), 3, 3, 3);
    w->serves = true;
    assert_true(find_with_options(w, "cheaper-region")->possible);
}

/* An account elsewhere, and an old price, are not certain. */
static void a_place_without_an_account_may_save_nothing(void **state)
{
    struct advise_work *w = eight_runs();

    (void)state;
    add_option("gcp/us-central1/g2", "gcp", "L4", MARKET_ON_DEMAND, 4, 2);
    w->data_gb = 1;
    w->egress = usd_from(0);
    assert_false(find_with_options(w, "cheaper-place")->possible);
    options[0].account = false;
    assert_saves(find_with_options(w, "cheaper-place"), 0, 12, 16 - 3.6);
    assert_true(finding_of("cheaper-place")->possible);
    options[0].account = options[0].stale = true;
    assert_true(find_with_options(w, "cheaper-place")->possible);
}

/* Why it fails is the finding, not where it fails for less. */
static void work_that_always_fails_needs_no_other_machine(void **state)
{
    struct advise_work *w = eight_runs();

    (void)state;
    add_option("aws/us-east-1/g5.xlarge", "aws", "A10G", MARKET_ON_DEMAND, 6, 1.5);
    assert_non_null(find_with_options(w, "right-size"));
    w->done = 0;
    w->failed = 8;
    assert_null(find_with_options(w, "right-size"));
    assert_null(finding_of("cheaper-place"));
}

/* Three quarters idle: of the rest the GPU is busy for 80 %, and fits. */
static void idle_time_is_no_reason_for_a_smaller_gpu(void **state)
{
    struct advise_work *w = eight_runs();
    double all = advise_money_sum(&w->money, PARTS_MACHINE);

    (void)state;
    add_option("aws/us-east-1/g5.xlarge", "aws", "A10G", MARKET_ON_DEMAND, 6, 1.5);
    assert_non_null(find_with_options(w, "right-size"));
    w->money =
        (struct advise_money){.part = {[PART_IDLE] = 0.75 * all, [PART_TRAIN] = 0.25 * all}};
    assert_null(find_with_options(w, "right-size"));
}

static void other_markets_are_no_cheaper_place(void **state)
{
    struct advise_work *w = eight_runs();

    (void)state;
    add_option("gcp/us-central1/g2", "gcp", "L4", MARKET_SPOT, 1, 2);
    add_option("aws/us-east-1/g5.xlarge", "aws", "A10G", MARKET_ON_DEMAND, 6, 1.5);
    assert_null(find_with_options(w, "cheaper-place"));
}

/* ---- spot ---- */

static void set_spot(struct advise_work *w, double spot, double losses)
{
    w->spot = (struct advise_spot){.on_demand = {INT64_C(2000000000)},
                                   .spot = {(int64_t)(spot * 1e9)},
                                   .losses = losses,
                                   .losses_low = losses / 2,
                                   .losses_high = losses * 2,
                                   .date = {20500}};
}

/* Half the price; 0.6 interruptions of 10 min in an hour are 10 %: 16 x (1 - 0.5 x 1.1). */
static void spot_with_checkpoints_pays_restarts(void **state)
{
    struct advise_work *w = eight_runs();

    (void)state;
    w->checkpoints = true;
    set_spot(w, 1, 0.6);
    assert_saves(find_with_options(w, "spot"), 16 * (1 - 0.5 * 1.2), 16 * (1 - 0.5 * 1.1),
                 16 * (1 - 0.5 * 1.05));
    assert_int_equal(finding_of("spot")->risk, RISK_LOW);
}

/* Lost in half of the runs (ln 2): half a run more for each. */
static void spot_without_checkpoints_begins_again(void **state)
{
    struct advise_work *w = eight_runs();

    (void)state;
    set_spot(w, 1, 0.6931471805599453);
    assert_near(usd_double(find_with_options(w, "spot")->saving), 16 * (1 - 0.5 * 1.5), 1e-6);
    assert_int_equal(finding_of("spot")->risk, RISK_MEDIUM);
}

/* Hours of work without a checkpoint: spot may cost more than it saves. */
static void long_runs_without_checkpoints_are_a_question(void **state)
{
    struct advise_work *w = eight_runs();

    (void)state;
    w->checkpoints = false;
    set_spot(w, 1, 0.1);
    assert_false(find_with_options(w, "spot")->possible);
    w->mean_time = span_hours(12);
    assert_true(find_with_options(w, "spot")->possible);
    w->checkpoints = true;
    assert_false(find_with_options(w, "spot")->possible);
}

/* A service on one machine needs two on spot: at a quarter of the price half is saved, less
 * 10 min of each hour for 0.6 interruptions: 16 x (1 - 0.25 x (2 + 0.1)). Half the price saves
 * nothing. */
static void a_service_on_spot_needs_another_replica(void **state)
{
    struct advise_work *w = eight_runs();
    const struct finding *f;

    (void)state;
    w->serves = true;
    set_spot(w, 0.5, 0.6);
    f = find_with_options(w, "spot");
    assert_saves(f, 0, 16 * (1 - 0.25 * 2.1), 16 * (1 - 0.25 * 2.05));
    assert_true(f->possible);
    assert_int_equal(f->risk, RISK_MEDIUM);
    assert_int_equal(f->effort, EFFORT_DAYS);
    assert_non_null(strstr(f->action.at, "one replica more behind a load balancer"));
    set_spot(w, 1, 0.6);
    assert_null(find_with_options(w, "spot"));
    /* Eight hours in a period of two: four replicas, of which a fifth is a quarter more. */
    facts.from = (stamp){DAY0};
    facts.until = (stamp){DAY0 + 7200};
    assert_near(usd_double(find_with_options(w, "spot")->saving),
                16 * (1 - 0.5 * (1 + 1 / 4.0 + 0.1)), 1e-6);
}

/* Servers have no steps and save nothing; a training script called serve.py does. */
static void a_service_is_known_by_its_runs(void **state)
{
    (void)state;
    add_run("serve", 1)->serves = true;
    make_works(1);
    assert_true(work_at(0)->serves);
    runs[0].steps = 10;
    make_works(1);
    assert_false(work_at(0)->serves);
    runs[0].steps = NAN;
    runs[0].checkpoints = true;
    make_works(1);
    assert_false(work_at(0)->serves);
}

static void spot_must_save_something(void **state)
{
    struct advise_work *w = eight_runs();

    (void)state;
    w->checkpoints = true;
    set_spot(w, 1.99, 0.6);
    assert_null(find_with_options(w, "spot"));
    set_spot(w, 1.7999, 0.6); /* 0.9 x 1.1 = 0.99: a hundredth */
    assert_non_null(find_with_options(w, "spot"));
    set_spot(w, 1.8001, 0.6);
    assert_null(find_with_options(w, "spot"));
    set_spot(w, 1, NAN); /* the risk is not known */
    assert_null(find_with_options(w, "spot"));
    set_spot(w, 1, 0.6);
    w->market = STR("spot");
    assert_null(find_with_options(w, "spot"));
    w->market = STR("on-demand");
    w->interactive = 8; /* notebooks */
    assert_null(find_with_options(w, "spot"));
}

/* ---- hours ---- */

static void a_measured_pattern_is_used(void **state)
{
    struct advise_work *w = eight_runs();

    (void)state;
    w->hour_now = 1.1;
    w->hour_best = 0.88;
    w->hour_when = STR("at 03:00 UTC on a weekday");
    assert_saves(find_with_options(w, "cheaper-hour"), 1.6, 3.2, 3.2);
    w->hour_now = 1;
    w->hour_best = 0.99; /* a hundredth */
    assert_non_null(find_with_options(w, "cheaper-hour"));
    w->hour_best = 0.9901;
    assert_null(find_with_options(w, "cheaper-hour"));
    w->hour_now = w->hour_best;
    assert_null(find_with_options(w, "cheaper-hour"));
    w->hour_now = NAN;
    assert_null(find_with_options(w, "cheaper-hour"));
}

/* ---- number of GPUs ---- */

static void add_scaled(int64_t gpus, int runs_of_it, double cost)
{
    for (int i = 0; i < runs_of_it; i++) {
        struct advise_run *r = add_run("big", 1);

        r->gpus = gpus;
        r->cost = usd_from(cost);
        r->part[PART_TRAIN] = r->cost;
    }
}

/* Three runs on 16 GPUs for $10, two on 8 for $6: $12. */
static void more_gpus_that_cost_more_do_not_pay(void **state)
{
    (void)state;
    add_scaled(16, 3, 10);
    add_scaled(8, 2, 6);
    assert_saves(find_by("fewer-gpus"), 6, 12, 12);
}

static void more_gpus_that_cost_less_pay(void **state)
{
    (void)state;
    add_scaled(16, 3, 5);
    add_scaled(8, 2, 6);
    assert_null(find_by("fewer-gpus"));
    run_count = 0;
    add_scaled(16, 3, 10);
    add_scaled(8, 1, 6); /* one run shows little */
    assert_null(find_by("fewer-gpus"));
}

/* ---- slower than estimated ---- */

/* 2 h instead of 1: $4 of which $2 were estimated. An estimate 20 % higher: $2.40. */
static void steps_beyond_the_estimate_are_saved(void **state)
{
    (void)state;
    add_run("bert", 2)->estimated_hours = 1;
    assert_saves(find_by("slower-than-estimated"), 1.6, 2, 2.4);
}

/* Stalls have a rule of their own: of $4 only $2.50 are steps. */
static void stalls_are_not_counted_again(void **state)
{
    struct advise_run *r = add_run("bert", 2);

    (void)state;
    r->estimated_hours = 1;
    spend_on(r, PART_DATA, 1.5);
    assert_near(usd_double(find_by("slower-than-estimated")->saving), 0.5, 1e-9);
}

static void seventy_percent_is_as_estimated(void **state)
{
    (void)state;
    add_run("bert", 1)->estimated_hours = 0.7;
    assert_null(find_by("slower-than-estimated"));
    runs[0].estimated_hours = 0.6999;
    assert_non_null(find_by("slower-than-estimated"));
}

/* ---- expensive runs (seed 000) ---- */

/* Of 20 runs, 7 for $8 and 13 for $2: 35 % above $5, by $21. */
static void many_runs_above_the_amount(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++)
        add_run(i % 2 == 0 ? "a" : "b", i < 7 ? 4 : 1);
    make_works(1);
    facts.limit = usd_from(5);
    apply_rules();
    assert_saves(finding_of("expensive-runs"), 10.5, 21, 21);
    assert_str_equal(finding_of("expensive-runs")->evidence,
                     "7 of the last 20 runs cost more than $5.00");
}

/* 6 of 20 are 30 %: not more. Older runs do not count. */
static void thirty_percent_is_not_many(void **state)
{
    (void)state;
    for (int i = 0; i < 26; i++)
        add_run("a", i < 12 ? 4 : 1);
    make_works(1);
    facts.limit = usd_from(5);
    apply_rules();
    assert_null(finding_of("expensive-runs"));
    runs[25].cost = usd_from(6);
    runs[25].part[PART_TRAIN] = usd_from(6);
    make_works(1);
    facts.limit = usd_from(5);
    apply_rules();
    assert_non_null(finding_of("expensive-runs"));
    facts.limit = USD_UNKNOWN; /* no amount is set */
    apply_rules();
    assert_null(finding_of("expensive-runs"));
}

/* ---- commitments ---- */

/* $60 to $120 a year: $5 to $10 a month, of $16. */
static void a_recommended_commitment_is_a_finding(void **state)
{
    (void)state;
    eight_runs();
    facts.commitment = (struct advise_commitment){.saving = usd_from(90),
                                                  .saving_low = usd_from(60),
                                                  .saving_high = usd_from(120),
                                                  .commit = {INT64_C(2000000000)},
                                                  .term_months = 12,
                                                  .utilization = 0.9,
                                                  .hours = 720};
    apply_rules();
    assert_saves(finding_of("commitment"), 5, 7.5, 10);
    facts.commitment.saving = usd_from(1.92); /* $0.16 of $16 */
    apply_rules();
    assert_non_null(finding_of("commitment"));
    facts.commitment.saving = usd_from(1.91);
    apply_rules();
    assert_null(finding_of("commitment"));
    facts.commitment.saving_low = (usd){0};
    apply_rules();
    assert_null(finding_of("commitment"));
}

/* $2 an hour around the clock is a work of 720 h; 8 h of another come behind it. */
static void a_commitment_is_for_the_steadiest_work(void **state)
{
    const struct finding *f;

    (void)state;
    run_count = 0;
    for (int i = 0; i < 8; i++)
        (void)add_run("bert", 1);
    (void)add_run("serve", 720);
    make_works(1);
    assert_str_equal(work_at(0)->name, "serve");
    facts.commitment = (struct advise_commitment){.saving = usd_from(6000),
                                                  .saving_low = usd_from(6000),
                                                  .saving_high = usd_from(6000),
                                                  .commit = {INT64_C(2000000000)},
                                                  .term_months = 36,
                                                  .utilization = 1,
                                                  .hours = 720};
    apply_rules();
    f = finding_of("commitment");
    assert_saves(f, 500, 500, 500);
    assert_near(f->by_subject[0], 500, 1e-9);
    assert_near(f->by_subject[1], 0, 1e-9);
    facts.commitment.commit.nano = INT64_C(2011111111); /* $8 a month more: half of bert */
    apply_rules();
    f = finding_of("commitment");
    assert_near(f->by_subject[0], 500 * 1440 / 1448.0, 1e-3);
    assert_near(f->by_subject[1], 500 * 8 / 1448.0, 1e-3);
    facts.commitment = (struct advise_commitment){0};
}

int group_rules_machines(void)
{
    const struct CMUnitTest tests[] = {
        world_test(the_matrix_has_an_answer_for_every_pair),
        world_test(a_smaller_gpu_of_the_same_provider_is_found),
        world_test(a_gpu_that_fits_stays),
        world_test(a_larger_gpu_must_be_faster_and_cheaper),
        world_test(moving_the_data_is_subtracted),
        world_test(the_same_machine_in_another_region_is_found),
        world_test(other_markets_are_no_cheaper_place),
        world_test(a_place_without_an_account_may_save_nothing),
        world_test(work_that_always_fails_needs_no_other_machine),
        world_test(idle_time_is_no_reason_for_a_smaller_gpu),
        world_test(long_runs_without_checkpoints_are_a_question),
        world_test(spot_with_checkpoints_pays_restarts),
        world_test(spot_without_checkpoints_begins_again),
        world_test(a_service_on_spot_needs_another_replica),
        world_test(a_service_is_known_by_its_runs),
        world_test(spot_must_save_something),
        world_test(a_measured_pattern_is_used),
        world_test(more_gpus_that_cost_more_do_not_pay),
        world_test(more_gpus_that_cost_less_pay),
        world_test(steps_beyond_the_estimate_are_saved),
        world_test(stalls_are_not_counted_again),
        world_test(seventy_percent_is_as_estimated),
        world_test(many_runs_above_the_amount),
        world_test(thirty_percent_is_not_many),
        world_test(a_recommended_commitment_is_a_finding),
        world_test(a_commitment_is_for_the_steadiest_work),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
