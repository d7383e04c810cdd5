/* Runs with several attempts, runs that were lost, and money by when it was spent. */
#include "ledgers.h"

#include <sys/wait.h>

static int next_attempt(struct ledger *l, struct ledger_start *start)
{
    start->resume = true;
    start->started = ledger_now;
    ledger_new_id(ledger_now, start->id);
    return begin_run(l, start);
}

static void failed_run_is_resumed(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start first = start_of("bert"), next = start_of("bert");
    struct ledger_checkpoint c = {.path = STR("/w/1"), .at = {NOW + 70}, .cost = USD_UNKNOWN};
    struct error err = {0};
    struct ledger_run run;

    (void)state;
    (void)begin_run(l, &first);
    assert_true(ledger_checkpoint(l, first.id, 1, &c, &err));
    end_run(l, &first, 1, 100, RUN_FAILED);
    ledger_now.s += 200;
    next.budget = (usd){9 * DOLLAR};
    assert_int_equal(next_attempt(l, &next), 2);
    assert_string_equal(next.id, first.id);
    tick_run(l, &next, 2, 50, NULL);
    run = read_run(l, "bert");
    assert_int_equal(run.attempt_count, 2);
    assert_int_equal(run.attempts[0].state, RUN_FAILED);
    assert_int_equal(run.attempts[1].number, 2);
    assert_int_equal(run.state, RUN_RUNNING);
    assert_near(run.attempts[1].totals.lost_s, 30, 0); /* since the checkpoint */
    assert_near(run.totals.lost_s, 30, 0);
    assert_int_equal(run.totals.cost.nano, 150 * DOLLAR);
    assert_int_equal(run.totals.elapsed.ns, 150 * DOLLAR);
    assert_int_equal(run.interruptions, 0);
    assert_int_equal(run.start.started.s, NOW);
    assert_int_equal(run.start.budget.nano, 9 * DOLLAR); /* the newest record */
    end_run(l, &next, 2, 60, RUN_DONE);
    assert_int_equal(next_attempt(l, &next), 1); /* a successful run is not resumed */
    assert_int_equal(count_runs(l, everything), 2);
    ledger_close(l);
}

static void a_process_that_was_let_go_of_lost_no_work(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start first = start_of("bert"), next = start_of("bert");
    struct ledger_ending ending = {
        .state = RUN_STOPPED, .status = -1, .reason = LEDGER_DETACHED};
    struct ledger_query detached = {
        .state = STR("detached"), .since = {-1}, .until = {-1}, .limit = 0};
    struct ledger_totals t;
    struct error err = {0};
    struct ledger_run run;

    (void)state;
    (void)begin_run(l, &first);
    t = totals_after(&first, 100);
    assert_true(ledger_end(l, first.id, 1, &ending, &t, &err));
    run = read_run(l, "bert");
    assert_string_equal(ledger_state_word(run.state, run.reason), "detached");
    assert_string_equal(ledger_state_word(RUN_STOPPED, STR("exit-unknown")), "ended");
    assert_string_equal(ledger_state_word(RUN_STOPPED, STR("budget")), "stopped");
    assert_string_equal(ledger_state_word(RUN_FAILED, STR("detached")), "failed");
    assert_int_equal(count_runs(l, detached), 1);
    ledger_now.s += 200;
    assert_int_equal(next_attempt(l, &next), 2);
    run = read_run(l, "bert");
    assert_true(isnan(run.attempts[1].totals.lost_s));
    assert_int_equal(count_runs(l, detached), 0); /* it is metered again */
    ledger_close(l);
}

static void another_name_or_folder_is_another_run(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start first = start_of("bert"), next = start_of("bert");

    (void)state;
    (void)begin_run(l, &first);
    end_run(l, &first, 1, 100, RUN_STOPPED);
    next.folder = STR("/home/ann/other");
    assert_int_equal(next_attempt(l, &next), 1);
    end_run(l, &next, 1, 1, RUN_DONE);
    next = start_of("gpt");
    assert_int_equal(next_attempt(l, &next), 1);
    end_run(l, &next, 1, 1, RUN_DONE);
    next = start_of("bert");
    next.resume = false;
    assert_int_equal(begin_run(l, &next), 1);
    assert_string_not_equal(next.id, first.id);
    ledger_close(l);
}

static void run_to_resume_may_be_named(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start old = start_of("bert"), done = start_of("bert"), next = start_of("gpt");

    (void)state;
    (void)begin_run(l, &old);
    end_run(l, &old, 1, 10, RUN_FAILED);
    done.started.s += 20;
    (void)begin_run(l, &done);
    end_run(l, &done, 1, 10, RUN_DONE);
    ledger_now.s += 100;
    next.started = ledger_now;
    memcpy(next.resume_id, old.id, sizeof next.resume_id); /* whatever it is called now */
    assert_int_equal(begin_run(l, &next), 2);
    assert_string_equal(next.id, old.id);
    end_run(l, &next, 2, 10, RUN_FAILED);
    next = start_of("bert"); /* by its name: the newest ended well, so this is another */
    assert_int_equal(next_attempt(l, &next), 1);
    assert_string_not_equal(next.id, old.id);
    ledger_close(l);
}

static void running_run_is_not_resumed(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start first = start_of("bert"), next = start_of("bert");

    (void)state;
    (void)begin_run(l, &first);
    assert_int_equal(next_attempt(l, &next), 1);
    assert_string_not_equal(next.id, first.id);
    assert_int_equal(read_run(l, first.id).state, RUN_RUNNING);
    ledger_close(l);
}

/* A process that has ended, and when it began. */
static void of_the_dead(struct ledger_start *start)
{
    pid_t child = fork();

    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    start->pid = child;
}

static void lost_run_is_closed_when_resumed(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start first = start_of("bert"), next = start_of("bert");
    struct ledger_run run;

    (void)state;
    of_the_dead(&first);
    (void)begin_run(l, &first);
    tick_run(l, &first, 1, 40, NULL);
    assert_int_equal(read_run(l, "bert").state, RUN_LOST);
    assert_int_equal(read_run(l, "bert").ended.s, -1);
    ledger_now.s += 1000;
    assert_int_equal(next_attempt(l, &next), 2);
    run = read_run(l, "bert");
    assert_int_equal(run.attempts[0].state, RUN_LOST);
    assert_int_equal(run.attempts[0].ended.s, NOW + 40); /* its last record */
    assert_near(run.attempts[1].totals.lost_s, 40, 0);   /* nothing was saved */
    assert_int_equal(run.interruptions, 0);
    ledger_close(l);
}

/* Its process records its end and is gone between the read of its row and the look at it. */
static struct ledger *ending_ledger;
static struct ledger_start *ending_run;

static stamp end_when_asked(void *ctx)
{
    struct ledger_start *start = ending_run;

    (void)ctx;
    ending_run = NULL;
    if (start != NULL)
        end_run(ending_ledger, start, 1, 40, RUN_DONE);
    return ledger_now;
}

static void a_run_that_ends_while_it_is_read_is_not_lost(void **state)
{
    const struct ledger_query lost = {
        .state = STR("lost"), .since = {-1}, .until = {-1}, .limit = 0};
    struct ledger *writer = open_ledger(LEDGER_WRITE), *reader;
    struct ledger_start runs[3] = {start_of("bert"), start_of("bert"), start_of("bert")};

    (void)state;
    ending_ledger = writer;
    for (int i = 0; i < 3; i++) {
        of_the_dead(&runs[i]);
        (void)begin_run(writer, &runs[i]);
        tick_run(writer, &runs[i], 1, 20, NULL);
    }
    reader = open_ledger(LEDGER_READ);
    ledger_clock.today = end_when_asked;
    ending_run = &runs[0];
    assert_int_equal(read_run(reader, runs[0].id).state, RUN_DONE);
    ending_run = &runs[1];
    assert_int_equal(count_runs(reader, lost), 1); /* the third */
    assert_null(ending_run);
    assert_int_equal(read_run(reader, runs[1].id).state, RUN_DONE);
    ledger_close(reader);
    ledger_close(writer);
}

static void a_run_lost_after_a_notice_was_preempted(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start first = start_of("bert"), next = start_of("bert");
    struct error err = {0};
    struct ledger_run run;

    (void)state;
    of_the_dead(&first);
    (void)begin_run(l, &first);
    assert_true(ledger_event(l, first.id, 1, ledger_now, "notice", STR("in 2 min"), &err));
    assert_int_equal(read_run(l, "bert").state, RUN_PREEMPTED);
    assert_int_equal(next_attempt(l, &next), 2);
    run = read_run(l, "bert");
    assert_int_equal(run.attempts[0].state, RUN_PREEMPTED);
    assert_int_equal(run.interruptions, 1);
    ledger_close(l);
}

static void live_supervisors_are_recognized(void **state)
{
    struct ledger_start start = start_of("x");
    struct ledger_supervisor here = {.pid = start.pid,
                                     .pid_started = start.pid_started,
                                     .namespace = ledger_namespace(),
                                     .boot = start.boot,
                                     .host = STR("box"),
                                     .heard = {NOW}};
    struct ledger_supervisor who = here;
    char host[256];

    (void)state;
    assert_true(here.namespace > 0);
    assert_true(ledger_alive(
        &who, (stamp){NOW + 100000})); /* it is on this machine: silence means nothing */
    who.pid_started++;
    assert_false(ledger_alive(&who, (stamp){NOW})); /* another has its number now */
    who = here;
    who.namespace ++; /* in a container, where numbers mean something else */
    assert_true(ledger_alive(&who, (stamp){NOW + 119}));
    assert_false(ledger_alive(&who, (stamp){NOW + 121}));
    who = here;
    who.boot = STR("another"); /* another machine */
    assert_true(ledger_alive(&who, (stamp){NOW + 119}));
    assert_false(ledger_alive(&who, (stamp){NOW + 121}));
    assert_int_equal(gethostname(host, sizeof host), 0);
    who.host = str_from(host); /* this one, before it booted */
    assert_true(ledger_alive(&who, (stamp){NOW + 10}));
    assert_false(ledger_alive(&who, (stamp){NOW + 20}));
    who.boot = STR(""); /* unknown */
    assert_true(ledger_alive(&who, (stamp){NOW + 119}));
    assert_false(ledger_alive(&who, (stamp){NOW + 121}));
}

static void attempts_are_summed(void **state)
{
    struct ledger_attempt a[3] = {0};
    struct ledger_totals sum;

    (void)state;
    for (int i = 0; i < 3; i++) {
        ledger_totals_unknown(&a[i].totals);
        a[i].totals.at.s = NOW + i;
        a[i].totals.elapsed.ns = (i + 1) * 100 * DOLLAR;
        a[i].totals.cost.nano = 10;
        a[i].totals.phase[2].nano = 4;
        a[i].totals.joules = 1000;
        a[i].totals.energy_method = STR("counter");
        a[i].totals.gpu_busy = i == 0 ? 0.5 : 0.8;
        a[i].totals.memory_peak = 100 - i;
        a[i].totals.gpus = i;
    }
    a[1].totals.step = 50;
    ledger_sum(a, 3, &sum);
    assert_int_equal(sum.cost.nano, 30);
    assert_int_equal(sum.compute.nano, MONEY_UNKNOWN);
    assert_int_equal(sum.phase[2].nano, 12);
    assert_int_equal(sum.elapsed.ns, 600 * DOLLAR);
    assert_near(sum.joules, 3000, 0);
    assert_str_equal(sum.energy_method, "counter");
    assert_near(sum.gpu_busy, (0.5 * 100 + 0.8 * 500) / 600, 1e-12);
    assert_near(sum.memory_peak, 100, 0);
    assert_int_equal(sum.gpus, 2);
    assert_near(sum.step, 50, 0); /* the last that is known */
    assert_int_equal(sum.at.s, NOW + 2);

    a[1].totals.cost = USD_UNKNOWN;
    a[1].totals.joules = NAN;
    a[2].totals.energy_method = STR("sampled");
    ledger_sum(a, 3, &sum);
    assert_int_equal(sum.cost.nano, MONEY_UNKNOWN);
    assert_true(isnan(sum.joules));
    assert_str_equal(sum.energy_method, "mixed");

    ledger_totals_unknown(&a[1].totals); /* lost before its first record */
    a[1].totals.lost_s = 5;
    ledger_sum(a, 3, &sum);
    assert_int_equal(sum.cost.nano, 20);
    assert_near(sum.lost_s, 5, 0);
    ledger_sum(&a[1], 1, &sum);
    assert_int_equal(sum.cost.nano, MONEY_UNKNOWN);
}

static usd spent_since(struct ledger *l, int64_t since, int64_t expected_unknown)
{
    struct error err = {0};
    int64_t unknown;
    usd out;

    if (!ledger_spent(l, (stamp){since}, &out, &unknown, &err))
        fail_msg("%s", err.text);
    assert_int_equal(unknown, expected_unknown);
    return out;
}

static void cost_is_counted_when_it_is_spent(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start even = start_of("even"), late = start_of("late");
    struct ledger_sample s = sample_at(50);
    struct ledger_totals t;
    struct error err = {0};

    (void)state;
    assert_int_equal(spent_since(l, 0, 0).nano, 0); /* before there are tables */
    (void)begin_run(l, &even);
    assert_int_equal(spent_since(l, NOW, 0).nano, 0); /* it has just begun */
    end_run(l, &even, 1, 100, RUN_DONE);
    assert_int_equal(spent_since(l, NOW, 0).nano, 100 * DOLLAR);
    assert_int_equal(spent_since(l, NOW + 25, 0).nano, 75 * DOLLAR);
    assert_int_equal(spent_since(l, NOW + 100, 0).nano, 0);
    assert_int_equal(spent_since(l, NOW + 101, 0).nano, 0);

    (void)begin_run(l, &late); /* all of its money after the first 50 s */
    s.cost = 0;
    tick_run(l, &late, 1, 50, &s);
    s.at_s = 60;
    s.cost = 80;
    t = totals_after(&late, 60);
    t.cost.nano = 80 * DOLLAR;
    assert_true(ledger_tick(l, late.id, 1, &t, &s, &err));
    assert_int_equal(spent_since(l, NOW + 25, 0).nano, (75 + 80) * DOLLAR);
    assert_int_equal(spent_since(l, NOW + 55, 0).nano, (45 + 40) * DOLLAR);
    ledger_close(l);
}

int group_resume(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(failed_run_is_resumed),
        ledger_test(a_process_that_was_let_go_of_lost_no_work),
        ledger_test(another_name_or_folder_is_another_run),
        ledger_test(run_to_resume_may_be_named),
        ledger_test(running_run_is_not_resumed),
        ledger_test(lost_run_is_closed_when_resumed),
        ledger_test(a_run_that_ends_while_it_is_read_is_not_lost),
        ledger_test(a_run_lost_after_a_notice_was_preempted),
        ledger_test(live_supervisors_are_recognized),
        ledger_test(attempts_are_summed),
        ledger_test(cost_is_counted_when_it_is_spent),
    };

    return run_on_engines(tests);
}
