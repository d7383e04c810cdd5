/* Each rule about waste: where it applies with an exact saving, where it must not, and at its
 * threshold. Runs are an hour of training at $2/hr. */
#include "advise_world.h"

#include <string.h>

/* ---- idle time ---- */

/* 4 hours, of which 1 idle at $2/hr: 50 min beyond the guard; 30 min; 59 min. */
static void idle_time_beyond_the_guard_is_saved(void **state)
{
    const struct finding *f;

    (void)state;
    spend_on(add_run("bert", 4), PART_IDLE, 2);
    f = find_by("idle-time");
    assert_saves(f, 1, 2 * 50 / 60.0, 2 * 59 / 60.0);
    assert_str_equal(f->evidence,
                     "1 run, 4 GPU-hours; nothing was busy for $2.00 of $8.00 (25 %)");
    assert_near(f->share, 2 * 50 / 60.0 / 8, 1e-9);
}

static void idle_time_of_the_guard_itself_is_not(void **state)
{
    (void)state;
    spend_on(add_run("bert", 1), PART_IDLE, 2 * 10 / 60.0);
    assert_null(find_by("idle-time"));
    spend_on(add_run("bert", 1), PART_IDLE, 2 * 12 / 60.0);
    assert_saves(find_by("idle-time"), 0, 2 * 2 / 60.0, 2 * (9 + 11) / 60.0);
}

static void notebooks_have_a_longer_guard(void **state)
{
    struct advise_run *r = add_run("jupyter", 4);

    (void)state;
    r->interactive = true;
    spend_on(r, PART_IDLE, 4); /* 2 hours */
    assert_saves(find_by("notebook-idle"), 2, 3, 2 * 110 / 60.0);
    assert_null(finding_of("idle-time"));
    runs[0].part[PART_IDLE] = usd_from(1); /* 30 min: as long as the guard */
    assert_null(find_by("notebook-idle"));
}

/* ---- start-up ---- */

static struct advise_run *add_start(double minutes)
{
    struct advise_run *r = add_run("bert", 1);

    r->startup_hours = minutes / 60;
    r->steps = 100;
    spend_on(r, PART_STARTUP, 2 * minutes / 60);
    return r;
}

/* 20 and 5 min: 15 min are saved; at twice the fastest 10; at half of it 17.5 and 2.5. */
static void start_up_is_as_fast_as_the_fastest(void **state)
{
    (void)state;
    add_start(20);
    add_start(5);
    assert_saves(find_by("startup-time"), 2 * 10 / 60.0, 2 * 15 / 60.0, 2 * 20 / 60.0);
}

static void start_up_needs_two_runs_and_a_tenth_of_the_cost(void **state)
{
    (void)state;
    add_start(20);
    assert_null(find_by("startup-time"));
    run_count = 0;
    add_start(10); /* 12 of 120 min: a tenth */
    add_start(2);
    assert_non_null(find_by("startup-time"));
    run_count = 0;
    add_start(9.9);
    add_start(2);
    assert_null(find_by("startup-time"));
}

/* ---- idle GPUs ---- */

static void idle_gpus_cost_their_part(void **state)
{
    (void)state;
    (void)add_run("bert", 1);
    assert_null(find_by("idle-gpus"));
    runs[0].idle_gpus =
        (struct idle_devices){.devices = 8, .idle = 1, .share = 0.97, .waste = 0.1, .cost = 1};
    assert_saves(find_by("idle-gpus"), 0.1, 0.1, 0.1);
    assert_non_null(strstr(find_by("idle-gpus")->evidence.at,
                           "1 of 8 GPUs was idle for 97 % of the time, while others worked: "));
    (void)add_run("bert", 1);
    runs[1].idle_gpus =
        (struct idle_devices){.devices = 8, .idle = 2, .share = 0.9, .waste = 0.2, .cost = 1};
    assert_saves(find_by("idle-gpus"), 0.3, 0.3, 0.3);
    assert_non_null(
        strstr(find_by("idle-gpus")->evidence.at, "2 of 8 GPUs were idle for 90 %"));
    assert_non_null(strstr(find_by("idle-gpus")->evidence.at, "2 of 2 runs had idle GPUs"));
}

/* ---- machine set-up ---- */

/* The second begins 6 min after the first has ended: $0.50 less $0.20 for waiting. */
static void machines_are_set_up_once(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct advise_run *r = add_run("bert", 1.9);

        spend_on(r, PART_SETUP, 0.5);
    }
    assert_saves(find_by("machine-setup"), 0.3, 0.3, 0.3);
    runs[1].offer = STR("gcp/us-central1/a2");
    assert_null(find_by("machine-setup"));
}

/* After an hour's waiting ($2) nothing of $2.50 but $0.50 is left; after more, nothing. */
static void machines_wait_an_hour_at_most(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        spend_on(add_run("bert", 1), PART_SETUP, i == 0 ? 0 : 1.9);
    runs[0].ended.s = runs[1].started.s - 3600;
    runs[1].rate = (usd_per_hour){INT64_C(1000000000)};
    assert_saves(find_by("machine-setup"), 0, 0.9, 0.9);
    runs[0].ended.s--;
    assert_null(find_by("machine-setup"));
}

/* ---- data ---- */

/* Stalls of $1 beside steps of $1: a loader that takes $2 takes $1 with twice the workers,
 * which is hidden; with 1.5 times, $1.33, of which $0.33 is left. */
static void a_faster_loader_hides_behind_the_steps(void **state)
{
    (void)state;
    spend_on(add_run("bert", 1), PART_DATA, 1);
    assert_saves(find_by("data-stalls"), 1 - 1 / 3.0, 1, 1);
}

/* Stalls of $1.80, steps of $0.20: twice as fast leaves $0.80, 1.5 times $1.13. */
static void a_loader_that_is_far_too_slow_stays_so(void **state)
{
    (void)state;
    spend_on(add_run("bert", 1), PART_DATA, 1.8);
    assert_saves(find_by("data-stalls"), 1.8 - (2 / 1.5 - 0.2), 1, 1.8);
}

static void stalls_below_a_twentieth_are_none(void **state)
{
    (void)state;
    spend_on(add_run("bert", 1), PART_DATA, 0.1);
    assert_non_null(find_by("data-stalls"));
    run_count = 0;
    spend_on(add_run("bert", 1), PART_DATA, 0.0999);
    assert_null(find_by("data-stalls"));
}

/* ---- checkpoints ---- */

/* $0.10 of saves, $0.40 lost: half the interval makes $0.20 + $0.20. */
static void the_interval_balances_saves_and_losses(void **state)
{
    struct advise_run *r = add_run("bert", 1);
    const struct finding *f;

    (void)state;
    spend_on(r, PART_SAVE, 0.1);
    r->lost_hours = 0.2;
    f = find_by("checkpoint-interval");
    assert_saves(f, 0, 0.1, 0.1);
    assert_str_equal(f->action,
                     "save 2 times as often; 'stint spot interval' computes the time");
}

static void saves_without_losses_are_halved(void **state)
{
    (void)state;
    spend_on(add_run("bert", 1), PART_SAVE, 0.4);
    assert_saves(find_by("checkpoint-interval"), 0, 0.2, 0.2);
}

static void a_good_interval_stays(void **state)
{
    struct advise_run *r = add_run("bert", 1);

    (void)state;
    spend_on(r, PART_SAVE, 0.2);
    r->lost_hours = 0.1;
    assert_null(find_by("checkpoint-interval"));
    run_count = 0;
    spend_on(add_run("bert", 1), PART_SAVE, 0.04); /* 2 %: its half is 1 % */
    assert_non_null(find_by("checkpoint-interval"));
    run_count = 0;
    spend_on(add_run("bert", 1), PART_SAVE, 0.0399);
    assert_null(find_by("checkpoint-interval"));
}

/* ---- failures ---- */

static void fail_run(double hours, int status)
{
    struct advise_run *r = add_run("bert", hours);

    r->ending = ENDED_FAILED;
    r->status = status;
}

/* Three of an hour: 55 min each beyond a trial. Two of the same cause: one of them was
 * known. */
static void failures_end_in_the_first_minutes(void **state)
{
    double each = 2 * 55 / 60.0;
    const struct finding *f;

    (void)state;
    fail_run(1, 137);
    fail_run(1, 137);
    fail_run(1, 1);
    add_run("bert", 1);
    f = find_by("failed-runs");
    assert_saves(f, each, 3 * each, 6);
    assert_str_equal(f->evidence, "3 of 4 runs failed: $6.00 of $8.00 (75 %); 2 x killed "
                                  "(status 137: mostly out of memory), 1 x exit status 1");
}

static void failures_of_five_minutes_are_trials(void **state)
{
    (void)state;
    fail_run(5 / 60.0, 1);
    assert_null(find_by("failed-runs"));
    run_count = 0;
    fail_run(6 / 60.0, 1);
    assert_saves(find_by("failed-runs"), 0, 2 / 60.0, 0.2);
    run_count = 0;
    add_run("bert", 1)->ending = ENDED_STOPPED;
    assert_null(find_by("failed-runs"));
}

/* ---- repeats ---- */

static void repeated_runs_are_saved(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        add_run("bert", 1)->digest = STR("d1");
        runs[i].metric = i < 2 ? 0.5 : NAN;
    }
    assert_saves(find_by("repeated-runs"), 2, 4, 4);
    runs[1].digest = STR("d2");
    runs[2].digest = STR("d3");
    assert_null(find_by("repeated-runs"));
}

/* Results within a thousandth are the same; beyond, it was another seed. */
static void another_result_is_no_repeat(void **state)
{
    (void)state;
    add_run("bert", 1)->metric = 0.5;
    add_run("bert", 1)->metric = 0.5004;
    runs[0].digest = runs[1].digest = STR("d1");
    assert_saves(find_by("repeated-runs"), 2, 2, 2);
    run_count = 0;
    add_run("bert", 1)->metric = 0.5;
    add_run("bert", 1)->metric = 0.5006;
    runs[0].digest = runs[1].digest = STR("d1");
    assert_null(find_by("repeated-runs"));
}

/* ---- machines that stay on ---- */

/* $10 beyond 10 min after each run, $6 beyond an hour, $12 in all; two periods a month. */
static void machines_that_stay_on_are_found(void **state)
{
    (void)state;
    add_run("bert", 1);
    make_works(1);
    facts.left_on = (struct advise_left_on){.machines = 1,
                                            .name = STR("i-0123"),
                                            .hours = 24,
                                            .idle = 20,
                                            .saving = {6, 10, 12},
                                            .scale = 2};
    facts.rest.part[PART_BETWEEN] = 24;
    apply_rules();
    assert_saves(finding_of("machines-left-on"), 12, 20, 24);
    assert_int_equal(finding_of("machines-left-on")->about, SUBJECT_ALL);
    facts.left_on.saving.mid = 0.12; /* 0.24 of 26: less than 1 % */
    apply_rules();
    assert_null(finding_of("machines-left-on"));
    facts.left_on.saving.mid = 0.131;
    apply_rules();
    assert_non_null(finding_of("machines-left-on"));
    facts.left_on.machines = 0;
    apply_rules();
    assert_null(finding_of("machines-left-on"));
}

/* ---- all of them ---- */

/* A saving of just 1 % is one, less is none; amounts are scaled to the month. */
static void small_savings_are_none(void **state)
{
    (void)state;
    add_run("bert", 99);
    add_run("bert", 1)->digest = STR("d1");
    runs[0].digest = STR("d1");
    make_works(3);
    apply_rules();
    assert_saves(finding_of("repeated-runs"), 0, 6, 6);
    runs[0].cost = usd_from(199);
    assert_null(find_by("repeated-runs"));
}

static bool find_unknown(struct advising *a, struct error *err)
{
    struct finding_draft d = finding_begin(a);

    d.saving = (struct saving){1, NAN, 3};
    return finding_end(a, &d, err);
}

static void a_saving_that_is_not_known_is_none(void **state)
{
    const struct advise_rule rule = {.name = "x", .title = "x", .parts = PARTS_ALL};
    struct advising a = {.rule = &rule, .arena = &arena, .out = &found};
    struct error err = {0};

    (void)state;
    add_run("bert", 1);
    make_works(1);
    found = (struct findings){.arena = &arena};
    a.money = &work_at(0)->money;
    assert_true(find_unknown(&a, &err));
    assert_int_equal(found.count, 0);
}

static void every_rule_says_all_about_itself(void **state)
{
    struct error err = {0};
    struct rows rows;
    const struct advise_rule_row *r;

    (void)state;
    assert_true(advise_rules_list(&arena, &rows, &err));
    assert_true(rows.len > 0);
    r = rows.at;
    for (size_t i = 0; i < rows.len; i++) {
        assert_true(r[i].name.len > 0 && r[i].title.len > 0 && r[i].uses.len > 0 &&
                    r[i].applies.len > 0 && r[i].computed.len > 0 && r[i].source.len > 0);
        assert_non_null(advise_rule_named(r[i].name));
        assert_true(r[i].name.len < ADVISE_ID_MAX - 10); /* ids have all of it */
        for (size_t k = 0; k < i; k++)
            assert_false(str_eq(r[i].name, r[k].name));
    }
    assert_null(advise_rule_named(STR("no-such-rule")));
}

/* ---- data that is moved again ---- */

/* 100 GB of egress for $9, as `data sync` records it. */
static struct advise_run *add_sync(const char *command, double bytes_sent)
{
    struct advise_run *r = add_run("data sync", 1);

    r->transfer = true;
    r->command = str_from(command);
    r->sent = bytes_sent;
    r->cost = r->part[PART_TRANSFER] = usd_from(9);
    r->part[PART_TRAIN] = USD_UNKNOWN;
    return r;
}

static void data_that_moves_again_is_kept(void **state)
{
    const struct finding *f;

    (void)state;
    add_sync("stint data sync photos gpu7:photos", 100e9);
    add_sync("stint data sync photos gpu8:photos", 100e9);
    facts.keep_low = 0.02;
    facts.keep_high = 0.1;
    assert_null(find_by("moved-again")); /* twice is not often */
    add_sync("stint data sync photos gpu9:photos", 99e9);
    f = find_by("moved-again");
    assert_saves(f, 18 - 10, 18 - 2, 18);
    assert_str_equal(f->evidence, "'photos' was moved 3 times, 100 GB each, together $27.0");
}

static void a_sync_of_what_changed_is_not_again(void **state)
{
    (void)state;
    add_sync("stint data sync photos gpu7:photos", 100e9);
    add_sync("stint data sync photos gpu7:photos", 1e9);
    add_sync("stint data sync photos gpu7:photos", 1e9);
    add_sync("stint data sync texts gpu7:texts", 100e9);
    facts.keep_low = 0.02;
    facts.keep_high = 0.1;
    assert_null(find_by("moved-again"));
}

static void keeping_may_cost_more(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        add_sync("stint data sync photos gpu7:photos", 100e9);
    facts.keep_low = 1;
    facts.keep_high = 2;
    assert_null(find_by("moved-again"));
}

int group_rules_waste(void)
{
    const struct CMUnitTest tests[] = {
        world_test(idle_time_beyond_the_guard_is_saved),
        world_test(idle_time_of_the_guard_itself_is_not),
        world_test(notebooks_have_a_longer_guard),
        world_test(start_up_is_as_fast_as_the_fastest),
        world_test(start_up_needs_two_runs_and_a_tenth_of_the_cost),
        world_test(idle_gpus_cost_their_part),
        world_test(machines_are_set_up_once),
        world_test(machines_wait_an_hour_at_most),
        world_test(a_faster_loader_hides_behind_the_steps),
        world_test(a_loader_that_is_far_too_slow_stays_so),
        world_test(stalls_below_a_twentieth_are_none),
        world_test(the_interval_balances_saves_and_losses),
        world_test(saves_without_losses_are_halved),
        world_test(a_good_interval_stays),
        world_test(failures_end_in_the_first_minutes),
        world_test(failures_of_five_minutes_are_trials),
        world_test(repeated_runs_are_saved),
        world_test(another_result_is_no_repeat),
        world_test(machines_that_stay_on_are_found),
        world_test(small_savings_are_none),
        world_test(a_saving_that_is_not_known_is_none),
        world_test(every_rule_says_all_about_itself),
        world_test(data_that_moves_again_is_kept),
        world_test(a_sync_of_what_changed_is_not_again),
        world_test(keeping_may_cost_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
