/* What is recorded of a run is what is read back. */
#include "ledgers.h"

static void run_is_read_back_exactly(void **state)
{
    struct str tags[] = {STR("team=nlp"), STR("trial")}, facts[] = {STR("os=Debian 12")};
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    struct ledger_run run;

    (void)state;
    start.tags = (struct strs){tags, 2};
    start.facts = (struct strs){facts, 1};
    start.commit = STR("abcdef0123");
    start.budget = (usd){5 * DOLLAR};
    start.electricity = (usd_per_kwh){DOLLAR / 5};
    start.storage_month = (usd_per_gb){23000000};
    start.estimated_cost = (usd){3 * DOLLAR};
    start.estimated_time = (span){7200 * DOLLAR};
    assert_int_equal(begin_run(l, &start), 1);
    tick_run(l, &start, 1, 10, NULL);
    run = read_run(l, start.id);
    assert_string_equal(run.start.id, start.id);
    assert_str_equal(run.start.name, "bert");
    assert_str_equal(run.start.folder, "/home/ann/work");
    assert_str_equal(run.start.command, "python train.py");
    assert_str_equal(run.start.user, "ann");
    assert_str_equal(run.start.host, "box");
    assert_str_equal(run.start.commit, "abcdef0123");
    assert_int_equal(run.start.tags.len, 2);
    assert_str_equal(run.start.tags.at[0], "team=nlp");
    assert_str_equal(run.start.tags.at[1], "trial");
    assert_int_equal(run.start.facts.len, 1);
    assert_str_equal(run.start.facts.at[0], "os=Debian 12");
    assert_str_equal(run.start.offer, "aws/us-east-1/p5.48xlarge");
    assert_str_equal(run.start.market, "spot");
    assert_str_equal(run.start.price_source, "--price");
    assert_int_equal(run.start.rate.nano, 2 * DOLLAR);
    assert_int_equal(run.start.electricity.nano, DOLLAR / 5);
    assert_int_equal(run.start.budget.nano, 5 * DOLLAR);
    assert_int_equal(run.start.storage_month.nano, 23000000);
    assert_int_equal(run.start.estimated_cost.nano, 3 * DOLLAR);
    assert_int_equal(run.start.estimated_time.ns, 7200 * DOLLAR);
    assert_int_equal(run.start.started.s, NOW);
    assert_int_equal(run.heard.s, NOW + 10);
    assert_int_equal(run.ended.s, -1);
    assert_int_equal(run.state, RUN_RUNNING);
    ledger_close(l);
}

static void every_total_has_its_own_column(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    struct ledger_totals t = {.at = {NOW + 1},
                              .elapsed = {2},
                              .cost = {3},
                              .compute = {4},
                              .setup = {5},
                              .storage = {6},
                              .transfer = {7},
                              .extra = {8},
                              .phase = {{9}, {10}, {11}, {12}, {13}, {14}},
                              .joules = 15,
                              .gpu_joules = 16,
                              .cpu_joules = 17,
                              .energy_method = STR("counter"),
                              .energy_error = 18,
                              .grams = 19,
                              .cpu_s = 20,
                              .memory_peak = 21,
                              .read = 22,
                              .written = 23,
                              .received = 24,
                              .sent = 25,
                              .gpu_busy = 26,
                              .gpu_memory_peak = 27,
                              .gpu_memory_total = 28,
                              .gpus = 29,
                              .gpu = STR("NVIDIA H200"),
                              .score = 30,
                              .seed_score = 31,
                              .step = 32,
                              .steps = 33,
                              .loss = 34,
                              .best = 35,
                              .lost_s = 36};
    struct error err = {0};
    struct ledger_totals got;
    struct ledger_run run;

    (void)state;
    (void)begin_run(l, &start);
    assert_true(ledger_tick(l, start.id, 1, &t, NULL, &err));
    run = read_run(l, "last");
    got = run.attempts[0].totals;
    assert_str_equal(got.energy_method, "counter");
    assert_str_equal(got.gpu, "NVIDIA H200");
    got.energy_method = t.energy_method; /* the same text elsewhere */
    got.gpu = t.gpu;
    assert_memory_equal(&got.elapsed, &t.elapsed,
                        offsetof(struct ledger_totals, gpus) -
                            offsetof(struct ledger_totals, elapsed));
    assert_int_equal(got.gpus, 29);
    assert_near(got.score, 30, 0);
    assert_near(got.seed_score, 31, 0);
    assert_near(got.step, 32, 0);
    assert_near(got.steps, 33, 0);
    assert_near(got.loss, 34, 0);
    assert_near(got.best, 35, 0);
    assert_near(got.lost_s, 36, 0);
    ledger_close(l);
}

static void unknown_stays_unknown(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    struct ledger_totals t, *got;
    struct error err = {0};
    struct ledger_run run;

    (void)state;
    start.rate = USD_PER_HOUR_UNKNOWN;
    (void)begin_run(l, &start);
    ledger_totals_unknown(&t);
    t.at = (stamp){NOW + 1};
    t.elapsed = (span){DOLLAR};
    assert_true(ledger_end(l, start.id, 1, &(struct ledger_ending){RUN_DONE, 0, ""}, &t, &err));
    run = read_run(l, "last");
    got = &run.totals;
    assert_int_equal(run.start.rate.nano, MONEY_UNKNOWN);
    assert_int_equal(run.start.budget.nano, MONEY_UNKNOWN);
    assert_int_equal(run.start.estimated_time.ns, -1);
    assert_int_equal(got->cost.nano, MONEY_UNKNOWN);
    for (int i = 0; i < LEDGER_PHASES; i++)
        assert_int_equal(got->phase[i].nano, MONEY_UNKNOWN);
    assert_true(isnan(got->joules) && isnan(got->grams) && isnan(got->gpu_busy));
    assert_true(isnan(got->step) && isnan(got->loss) && isnan(got->lost_s));
    assert_int_equal(got->gpus, -1);
    assert_int_equal(got->gpu.len, 0);
    ledger_close(l);
}

static void end_has_its_reason(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    struct ledger_totals t = totals_after(&start, 60);
    struct error err = {0};
    struct ledger_run run;

    (void)state;
    (void)begin_run(l, &start);
    assert_true(ledger_end(l, start.id, 1, &(struct ledger_ending){RUN_STOPPED, 143, "budget"},
                           &t, &err));
    run = read_run(l, "bert");
    assert_int_equal(run.state, RUN_STOPPED);
    assert_int_equal(run.status, 143);
    assert_str_equal(run.reason, "budget");
    assert_int_equal(run.ended.s, NOW + 60);
    assert_int_equal(run.totals.cost.nano, 60 * DOLLAR);
    ledger_close(l);
}

static void events_and_checkpoints_come_in_order(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    struct ledger_checkpoint c = {.path = STR("/w/step-100"),
                                  .at = {NOW + 30},
                                  .bytes = 1e9,
                                  .step = 100,
                                  .metric = NAN,
                                  .took_s = 2.5,
                                  .cost = {DOLLAR}};
    const struct ledger_happening *events;
    const struct ledger_checkpoint *list;
    struct error err = {0};
    size_t count;

    (void)state;
    (void)begin_run(l, &start);
    assert_true(ledger_event(l, start.id, 1, (stamp){NOW + 2}, "phase", STR("train"), &err));
    assert_true(ledger_event(l, start.id, 1, (stamp){NOW + 1}, "clock-jump", STR(""), &err));
    assert_true(ledger_events(l, start.id, &ledger_arena, &events, &count, &err));
    assert_int_equal(count, 2); /* in the order recorded: the clock may jump */
    assert_str_equal(events[0].kind, "phase");
    assert_str_equal(events[0].text, "train");
    assert_int_equal(events[0].at.s, NOW + 2);
    assert_int_equal(events[0].attempt, 1);
    assert_str_equal(events[1].kind, "clock-jump");
    assert_int_equal(events[1].text.len, 0);

    assert_true(ledger_checkpoint(l, start.id, 1, &c, &err));
    c.path = STR("/w/step-50");
    c.at.s = NOW + 15;
    assert_true(ledger_checkpoint(l, start.id, 1, &c, &err));
    c.step = 50;
    assert_true(ledger_checkpoint(l, start.id, 1, &c, &err)); /* recorded again */
    assert_true(ledger_checkpoint_gone(l, start.id, c.path, (stamp){NOW + 40}, &err));
    assert_true(ledger_checkpoints(l, start.id, &ledger_arena, &list, &count, &err));
    assert_int_equal(count, 2);
    assert_str_equal(list[0].path, "/w/step-50");
    assert_near(list[0].step, 50, 0);
    assert_int_equal(list[0].gone.s, NOW + 40);
    assert_str_equal(list[1].path, "/w/step-100");
    assert_int_equal(list[1].gone.s, -1);
    assert_near(list[1].bytes, 1e9, 0);
    assert_true(isnan(list[1].metric));
    assert_int_equal(list[1].cost.nano, DOLLAR);
    ledger_close(l);
}

static void a_price_holds_until_the_end(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    struct error err = {0};
    const struct ledger_price *prices;
    size_t count;

    (void)state;
    (void)begin_run(l, &start);
    assert_true(ledger_prices(l, start.id, &ledger_arena, &prices, &count, &err));
    assert_int_equal(count, 1);
    assert_int_equal(prices[0].until.s, -1); /* it holds */
    end_run(l, &start, 1, 300, RUN_FAILED);
    start.started.s += 1000;
    start.resume = true;
    start.rate.nano = DOLLAR;
    assert_int_equal(begin_run(l, &start), 2);
    assert_true(ledger_prices(l, start.id, &ledger_arena, &prices, &count, &err));
    assert_int_equal(count, 2);
    assert_int_equal(prices[0].attempt, 1);
    assert_int_equal(prices[0].from.s, NOW);
    assert_int_equal(prices[0].until.s, NOW + 300);
    assert_int_equal(prices[0].rate.nano, 2 * DOLLAR);
    assert_str_equal(prices[0].source, "--price");
    assert_int_equal(prices[1].from.s, NOW + 1000);
    assert_int_equal(prices[1].rate.nano, DOLLAR);
    ledger_close(l);
}

/* Removing one does not change its time, cost or attempt. */
static struct ledger_checkpoint checkpoint_at(struct ledger *l, const char *id,
                                              const char *path)
{
    const struct ledger_checkpoint *list;
    struct error err = {0};
    size_t count;

    assert_true(ledger_checkpoints(l, id, &ledger_arena, &list, &count, &err));
    for (size_t i = 0; i < count; i++)
        if (str_eq(list[i].path, str_from(path)))
            return list[i];
    fail_msg("no checkpoint %s", path);
    return (struct ledger_checkpoint){0};
}

static void a_checkpoint_that_is_gone_stays_known(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    struct ledger_checkpoint c = {.path = STR("/w/1"),
                                  .at = {NOW + 50},
                                  .bytes = 7,
                                  .metric = 0.5,
                                  .cost = {3 * DOLLAR},
                                  .metric_name = STR("val_loss"),
                                  .best = true};
    struct ledger_checkpoint known;
    struct error err = {0};

    (void)state;
    (void)begin_run(l, &start);
    assert_true(ledger_checkpoint(l, start.id, 1, &c, &err));
    end_run(l, &start, 1, 90, RUN_FAILED);
    start.started.s += 1000;
    start.resume = true;
    assert_int_equal(begin_run(l, &start), 2);
    assert_near(read_run(l, start.id).totals.lost_s, 40, 0);
    c.path = STR("/w/2");
    c.at.s = NOW + 1050;
    assert_true(ledger_checkpoint(l, start.id, 2, &c, &err)); /* the best now */
    known = checkpoint_at(l, start.id, "/w/1");
    assert_false(known.best);
    assert_int_equal(known.gone.s, -1);
    assert_true(ledger_checkpoint_gone(l, start.id, STR("/w/1"), (stamp){NOW + 1060}, &err));
    known = checkpoint_at(l, start.id, "/w/1");
    assert_str_equal(known.path, "/w/1");
    assert_int_equal(known.at.s, NOW + 50);
    assert_int_equal(known.gone.s, NOW + 1060);
    assert_int_equal(known.cost.nano, 3 * DOLLAR);
    assert_true(checkpoint_at(l, start.id, "/w/2").best);
    assert_str_equal(known.metric_name, "val_loss");
    assert_true(ledger_checkpoint_gone(l, start.id, STR("/w/3"), ledger_now, &err));
    ledger_close(l);
}

int group_ledger(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(run_is_read_back_exactly),
        ledger_test(every_total_has_its_own_column),
        ledger_test(unknown_stays_unknown),
        ledger_test(end_has_its_reason),
        ledger_test(events_and_checkpoints_come_in_order),
        ledger_test(a_price_holds_until_the_end),
        ledger_test(a_checkpoint_that_is_gone_stays_known),
    };

    return run_on_engines(tests);
}
