/* fill.c - a ledger with a few runs of every kind, always the same: for command-line cases.
 * fill FILE [advise | brief | costs | planned CONSTANTS | machines | repeats | practice |
 * steady | why | stalls | devices | stopping | home | jobs]: with "advise" a month with waste;
 * with "jobs" runs whose jobs are known; with "brief" two runs, for those who try it again and
 * again; with "costs" bills as well; with "planned" runs that were predicted with these
 * constants; with "machines" runs that know the machine they were on; with "repeats" the same
 * work a few times, and then other work; with "practice" runs whose shares are easily computed;
 * with "steady" $10 a day; with "why" planned runs that each have one cause of their cost; with
 * "stalls" runs that wait for data inside steps; with "devices" runs on eight GPUs, of which
 * one was idle; with "stopping" runs that go on after their metric was best; with "home" kept
 * checkpoints and a machine of one's own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fill_advise.h"
#include "fill_costs.h"
#include "fill_devices.h"
#include "fill_home.h"
#include "fill_practice.h"
#include "fill_stopping.h"
#include "fill_why.h"
#include "ledger/ledger.h"
#include "ledger/runs/metrics.h"
#include "writes.h"

#define NOW INT64_C(1794700800) /* 2026-11-15, the clock of the command-line cases */
#define HOUR INT64_C(3600)
#define SECOND INT64_C(1000000000)

static struct ledger *ledger;
static struct error err;

static void must(bool ok)
{
    if (ok)
        return;
    error_print(&err, stderr);
    exit(1);
}

static usd dollars(double amount)
{
    return usd_from(amount);
}

static struct ledger_start start_of(const char *id, const char *name, int64_t started)
{
    struct ledger_start start = {.name = str_from(name),
                                 .folder = STR("/home/ann/nlp"),
                                 .command = STR("python train.py --lr 3e-4"),
                                 .user = STR("ann"),
                                 .host = STR("ip-10-0-0-7"),
                                 .commit = STR("4f1c2aa90b7e"),
                                 .offer = STR("aws/us-east-1/g5.xlarge"),
                                 .market = STR("spot"),
                                 .price_source = STR("spot history of 2026-11-14"),
                                 .rate = {4 * SECOND / 10},
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = USD_UNKNOWN,
                                 .estimated_cost = USD_UNKNOWN,
                                 .estimated_time = {-1},
                                 .started = {started},
                                 .pid = -1,
                                 .pid_started = -1};

    (void)snprintf(start.id, sizeof start.id, "%s", id);
    return start;
}

/* The totals of a run on a GPU after this many seconds, at $0.40 an hour. */
static struct ledger_totals totals_at(const struct ledger_start *start, int64_t seconds)
{
    double cost = (double)seconds / 3600 * 0.4;
    struct ledger_totals t;

    ledger_totals_unknown(&t);
    t.at = (stamp){start->started.s + seconds};
    t.elapsed = (span){seconds * SECOND};
    t.compute = dollars(cost);
    t.storage = dollars(cost / 20);
    t.cost = dollars(cost * 1.05);
    t.phase[0] = dollars(cost * 0.15);
    t.phase[1] = dollars(cost * 0.05);
    t.phase[2] = dollars(cost * 0.75);
    t.phase[4] = dollars(cost * 0.05);
    t.joules = (double)seconds * 210;
    t.gpu_joules = (double)seconds * 170;
    t.cpu_joules = (double)seconds * 40;
    t.energy_method = STR("counter");
    t.energy_error = 0.05;
    t.grams = t.joules / 3.6e6 * 380;
    t.cpu_s = (double)seconds * 1.6;
    t.memory_peak = 6.5e9;
    t.read = 12e9;
    t.written = 3e9;
    t.received = 1.5e9;
    t.sent = 2e6;
    t.gpu_busy = 0.83;
    t.gpu_memory_peak = 9.5e9;
    t.gpu_memory_total = 24e9;
    t.gpus = 1;
    t.gpu = STR("NVIDIA A10G");
    t.score = 61;
    t.seed_score = 70;
    return t;
}

/* An attempt, recorded every ten seconds: the loss falls from 4 to 1, by half in `half` steps.
 * No sum of products, so that its digits are the same on every processor. */
static struct ledger_totals train(const struct ledger_start *start, int attempt,
                                  int64_t seconds, double first_step, double half)
{
    struct ledger_totals t = totals_at(start, 0);

    for (int64_t s = 10; s <= seconds; s += 10) {
        double step = first_step + (double)s * 2, loss = 1 + 3 * half / (half + step);
        struct ledger_sample sample = {.at_s = (double)s,
                                       .gpu_memory_run = NAN,
                                       .watts = 205 + (double)(s % 40) / 4,
                                       .gpu_busy = s < 60 ? 0.05 : 0.9,
                                       .gpu_memory = 9.5e9,
                                       .cpu_cores = 1.6,
                                       .memory = 6.5e9,
                                       .step = step,
                                       .loss = loss,
                                       .rate = 2};

        t = totals_at(start, s);
        sample.cost = usd_double(t.cost);
        t.step = step;
        t.steps = 2000;
        t.loss = t.best = loss;
        must(ledger_tick(ledger, start->id, attempt, &t, &sample, &err));
    }
    return t;
}

static void checkpoint(const struct ledger_start *start, int attempt, const char *path,
                       int64_t at, double step, bool kept)
{
    struct ledger_checkpoint c = {.path = str_from(path),
                                  .at = {start->started.s + at},
                                  .bytes = 1.2e9,
                                  .step = step,
                                  .metric = 2,
                                  .took_s = 4.5,
                                  .cost = dollars((double)at / 3600 * 0.42),
                                  .best = kept};

    must(ledger_checkpoint(ledger, start->id, attempt, &c, &err));
    if (!kept)
        must(ledger_checkpoint_gone(ledger, start->id, c.path, (stamp){c.at.s + 400}, &err));
}

/* Metrics that were printed: a loss and a validation loss. */
static void metrics(const struct ledger_start *start, int attempt)
{
    static const double times[] = {200, 400, 600, 800}, steps[] = {400, 800, 1200, 1600};
    static const double losses[] = {2.5, 1.875, 1.625, 1.5}, checked[] = {2.75, 2, 2.25, 2.5};
    const struct ledger_metric list[] = {
        {.name = STR("loss"),
         .told = 2000,
         .first = 4,
         .last = 1.5,
         .last_step = 2000,
         .low = 1.375,
         .low_step = 1950,
         .high = 4,
         .high_step = 1,
         .times = {times, 4},
         .steps = {steps, 4},
         .values = {losses, 4}},
        {.name = STR("val_loss"),
         .told = 5,
         .odd = 1,
         .first = 2.75,
         .last = 2.5,
         .last_step = 1600,
         .low = 2,
         .low_step = 800,
         .high = 2.75,
         .high_step = 400,
         .times = {times, 4},
         .steps = {steps, 4},
         .values = {checked, 4}},
    };

    must(ledger_metrics_put(ledger, start->id, attempt, list, 2, &err));
}

/* One that went as predicted. */
static void good_run(void)
{
    struct str tags[] = {STR("team=nlp"), STR("project=search")};
    struct str facts[] = {STR("os=Debian 12"), STR("python=3.11.2"), STR("torch=2.3.0")};
    struct ledger_start start =
        start_of("019d0001-0000-7000-8000-0000aaaa0001", "bert", NOW - 30 * HOUR);
    struct ledger_totals t;
    int attempt;

    start.tags = (struct strs){tags, 2};
    start.facts = (struct strs){facts, 3};
    start.budget = dollars(0.25);
    start.storage_month = (usd_per_gb){23000000};
    start.estimated_cost = dollars(0.11);
    start.estimated_time = (span){800 * SECOND};
    must(ledger_begin(ledger, &start, &attempt, &err));
    must(ledger_event(ledger, start.id, 1, (stamp){start.started.s + 60}, "phase",
                      STR("train, after 60 s of set-up"), &err));
    t = train(&start, 1, 1000, 0, 500);
    checkpoint(&start, 1, "out/step-800", 400, 800, false);
    checkpoint(&start, 1, "out/step-1600", 800, 1600, true);
    metrics(&start, 1);
    t.checkpoint_bytes = 1.2e9;
    must(ledger_event(ledger, start.id, 1, t.at, "budget-50", STR("$0.125 of $0.25"), &err));
    must(ledger_end(ledger, start.id, 1, &(struct ledger_ending){RUN_DONE, 0, ""}, &t, &err));
}

/* One that lost its machine, went on on another at another price, and ended well. */
static void interrupted_run(void)
{
    struct str tags[] = {STR("team=nlp"), STR("project=ads")};
    struct str facts[] = {STR("os=Debian 12"), STR("python=3.12.1"), STR("torch=2.3.0")};
    struct ledger_start start =
        start_of("019d0002-0000-7000-8000-0000bbbb0002", "bert-wide", NOW - 20 * HOUR);
    struct ledger_totals t;
    int attempt;

    start.command = STR("python train.py --lr 3e-4 --wide");
    start.commit = STR("91d20c3f55aa");
    start.tags = (struct strs){tags, 2};
    start.facts = (struct strs){facts, 3};
    must(ledger_begin(ledger, &start, &attempt, &err));
    t = train(&start, 1, 600, 0, 300);
    checkpoint(&start, 1, "wide/step-900", 450, 900, true);
    must(ledger_event(ledger, start.id, 1, t.at, "notice", STR("the cloud takes it in 2 min"),
                      &err));
    must(ledger_end(ledger, start.id, 1, &(struct ledger_ending){RUN_PREEMPTED, 143, "notice"},
                    &t, &err));
    start.started.s += 2 * HOUR;
    start.resume = true;
    start.host = STR("ip-10-0-0-9");
    start.rate = (usd_per_hour){SECOND / 2};
    must(ledger_begin(ledger, &start, &attempt, &err));
    t = train(&start, 2, 500, 900, 300);
    metrics(&start, 2);
    must(ledger_end(ledger, start.id, 2, &(struct ledger_ending){RUN_DONE, 0, ""}, &t, &err));
}

/* Without a GPU, and without a price. */
static void small_run(const char *id, const char *name, int64_t ago, enum ledger_state how,
                      int status)
{
    struct ledger_start start = start_of(id, name, NOW - ago);
    struct ledger_totals t;
    int attempt;

    start.rate = USD_PER_HOUR_UNKNOWN;
    start.offer = start.market = start.price_source = start.commit = (struct str){0};
    start.command = STR("./prepare.sh");
    must(ledger_begin(ledger, &start, &attempt, &err));
    ledger_totals_unknown(&t);
    t.at = (stamp){start.started.s + 42};
    t.elapsed = (span){42 * SECOND};
    t.cpu_s = 80;
    t.memory_peak = 2.5e8;
    must(ledger_tick(ledger, start.id, attempt, &t, NULL, &err));
    if (how != RUN_RUNNING && how != RUN_LOST)
        must(ledger_end(ledger, start.id, attempt, &(struct ledger_ending){how, status, ""}, &t,
                        &err));
}

static void stopped_run(void)
{
    struct ledger_start start =
        start_of("019d0005-0000-7000-8000-0000eeee0005", "vit", NOW - 5 * HOUR);
    struct ledger_totals t;
    int attempt;

    start.budget = dollars(0.04);
    must(ledger_begin(ledger, &start, &attempt, &err));
    t = train(&start, 1, 340, 0, 5000);
    must(ledger_end(ledger, start.id, 1, &(struct ledger_ending){RUN_STOPPED, 143, "budget"},
                    &t, &err));
}

static void running_run(void)
{
    struct ledger_start start =
        start_of("019d0006-0000-7000-8000-0000ffff0006", "gpt", NOW - 120);
    int attempt;

    must(ledger_begin(ledger, &start, &attempt, &err));
    (void)train(&start, 1, 120, 0, 900);
}

/* One that was predicted to take an hour, and took this many. */
/* One that was predicted steps of 1 s; `step_s` NaN: it recorded none. */
static void planned_run(int number, const char *features, const char *constants, double step_s,
                        const char *gpu)
{
    char id[LEDGER_ID];
    struct ledger_start start;
    struct ledger_totals t;
    int attempt;

    (void)snprintf(id, sizeof id, "019d1000-0000-7000-8000-00000000%04d", number);
    start = start_of(id, "planned", NOW - (60 - number) * 24 * HOUR);
    start.estimated_time = (span){HOUR * SECOND};
    start.estimated_cost = dollars(0.42);
    start.features = str_from(features);
    start.constants = str_from(constants);
    must(ledger_begin(ledger, &start, &attempt, &err));
    t = totals_at(&start, (int64_t)HOUR);
    t.step_s = step_s;
    t.startup_s = isnan(step_s) ? (double)NAN : 8 + number;
    t.gpu_memory_peak = t.gpu_memory_run = 42e9;
    t.gpu_watts = 380;
    t.gpu = str_from(gpu);
    must(ledger_end(ledger, start.id, 1, &(struct ledger_ending){RUN_DONE, 0, ""}, &t, &err));
}

#define A100 \
    "{\"gpu\":\"A100-SXM-80GB\",\"framework\":\"hf\",\"step_s\":1,\"memory_gb\":40," \
    "\"board_w\":380,\"setting\":\"lora bf16, sequence 512\",\"model\":"

static void planned_runs(const char *constants)
{
    static const char llama[] = A100 "\"llama-2-7b\",\"correction\":null}";
    static const char again[] = A100 "\"llama-2-7b\",\"correction\":1.25}";
    static const char phi[] = A100 "\"phi-2\"}";
    static const char h100[] = "{\"gpu\":\"H100-SXM-80GB\",\"framework\":null,\"step_s\":1}";
    static const char sxm_a100[] = "NVIDIA A100-SXM4-80GB",
                      sxm_h100[] = "NVIDIA H100 80GB HBM3";

    planned_run(1, llama, constants, 1.2, sxm_a100);
    planned_run(2, llama, constants, 1.3, sxm_a100);
    planned_run(3, llama, constants, 1.25, sxm_a100);
    planned_run(4, again, constants, 1,
                sxm_a100); /* as it was corrected: as long as the others */
    planned_run(5, phi, constants, 1.2, sxm_a100);
    planned_run(6, h100, constants, 0.9, sxm_h100);
    planned_run(7, h100, constants, 10, sxm_h100); /* another job */
    planned_run(8, h100, "0.0-older", 1.5, sxm_h100);
    planned_run(9, h100, constants, NAN, sxm_h100);
    planned_run(10, h100, constants, 1.8, sxm_a100); /* not where it was planned */
}

/* On a machine that it knows, from an hour of the 10th of November on; a preempted one goes on
 * on another after half of its time, over midnight. */
static void machine_run(int number, const char *name, const char *machine, const char *next,
                        int64_t hours)
{
    char id[LEDGER_ID], fact[LEDGER_ID + 80];
    struct str facts[1];
    struct ledger_start start;
    struct ledger_totals t;
    int attempt;

    (void)snprintf(id, sizeof id, "019d2000-0000-7000-8000-00000000%04d", number);
    start = start_of(id, name, NOW - 5 * 24 * HOUR + (number * 2 + 10) * HOUR);
    (void)snprintf(fact, sizeof fact, "machine=%s", machine);
    facts[0] = str_from(fact);
    start.facts = (struct strs){facts, machine[0] != '\0'};
    must(ledger_begin(ledger, &start, &attempt, &err));
    t = totals_at(&start, hours * HOUR);
    if (next == NULL) {
        must(ledger_end(ledger, id, 1, &(struct ledger_ending){RUN_DONE, 0, ""}, &t, &err));
        return;
    }
    must(ledger_end(ledger, id, 1, &(struct ledger_ending){RUN_PREEMPTED, 143, "notice"}, &t,
                    &err));
    (void)snprintf(fact, sizeof fact, "machine=%s", next);
    start.started.s += hours * HOUR;
    start.resume = true;
    must(ledger_begin(ledger, &start, &attempt, &err));
    t = totals_at(&start, hours * HOUR);
    must(ledger_end(ledger, id, attempt, &(struct ledger_ending){RUN_DONE, 0, ""}, &t, &err));
}

/* The same work, on one day after another. */
static void repeated_run(int number, const char *digest, int64_t seconds)
{
    char id[LEDGER_ID];
    struct ledger_start start;
    struct ledger_totals t;
    int attempt;

    (void)snprintf(id, sizeof id, "019d3000-0000-7000-8000-00000000%04d", number);
    start = start_of(id, "nightly", NOW - (20 - number) * 24 * HOUR);
    start.digest = str_from(digest);
    must(ledger_begin(ledger, &start, &attempt, &err));
    t = totals_at(&start, seconds);
    must(ledger_end(ledger, start.id, 1, &(struct ledger_ending){RUN_DONE, 0, ""}, &t, &err));
}

static void repeated_runs(void)
{
    repeated_run(1, "a", 3600);
    repeated_run(2, "a", 3900);
    repeated_run(3, "a", 3400);
    repeated_run(4, "a", 3650);
    repeated_run(5, "b", 4200); /* 15 % more: within what repeats differ by */
    repeated_run(6, "c", 5400); /* not within it */
    repeated_run(7, "d", 3500);
}

/* Ledgers of other files. */
static const struct {
    const char *name;
    bool (*fill)(struct ledger *ledger, struct error *err);
} ledgers[] = {
    {"costs", fill_costs},       {"jobs", fill_jobs},         {"advise", fill_advise},
    {"home", fill_home},         {"stopping", fill_stopping}, {"why", fill_why},
    {"practice", fill_practice}, {"steady", fill_steady},     {"stalls", fill_stalls},
    {"devices", fill_devices},
};

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    ledger =
        ledger_open(argv[1], LEDGER_WRITE, (span){SECOND}, &clock_system, &alloc_system, &err);
    must(ledger != NULL);
    for (size_t i = 0; argc > 2 && i < ARRAY_LEN(ledgers); i++)
        if (strcmp(argv[2], ledgers[i].name) == 0) {
            must(ledgers[i].fill(ledger, &err));
            ledger_close(ledger);
            return 0;
        }
    if (argc > 2 && strcmp(argv[2], "brief") != 0) {
        if (strcmp(argv[2], "planned") == 0 && argc > 3)
            planned_runs(argv[3]);
        if (strcmp(argv[2], "repeats") == 0)
            repeated_runs();
        if (strcmp(argv[2], "machines") == 0) {
            machine_run(1, "one", "i-01", NULL, 6);
            machine_run(2, "two", "i-02", "i-03", 6);
            machine_run(3, "three", "", NULL, 2);
        }
        ledger_close(ledger);
        return 0;
    }
    if (argc == 2) {
        good_run();
        interrupted_run();
    }
    small_run("019d0003-0000-7000-8000-0000cccc0003", "prepare", 10 * HOUR, RUN_FAILED, 3);
    stopped_run();
    if (argc == 2) {
        small_run("019d0004-0000-7000-8000-0000dddd0004", "prepare", 8 * HOUR, RUN_LOST, 0);
        running_run();
    }
    ledger_close(ledger);
    return 0;
}
