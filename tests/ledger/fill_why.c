#include "fill_why.h"

#include <math.h>
#include <stdio.h>

#include "writes.h"

#define OCTOBER INT64_C(1791158400)  /* 2026-10-05 */
#define NOVEMBER INT64_C(1793836800) /* 2026-11-05 */
#define HOUR INT64_C(3600)
#define SECOND INT64_C(1000000000)
#define A100 "lambda/us-east-1/gpu_1x_a100_sxm4"
#define H100 "lambda/us-east-1/gpu_1x_h100_sxm5"
#define NANO_PER_SECOND(rate) ((rate) / 3600)

/* An hour of steps of 1 s on a machine for $3.60/hr, 5 minutes of set-up, 3 of checkpoints. */
#define PLAN \
    "{\"gpu\":\"A100-SXM-80GB\",\"framework\":\"hf\",\"accumulation\":1,\"step_s\":1," \
    "\"machines\":1,\"price\":\"3.6\",\"lines\":{\"compute\":{\"amount\":\"3.6\",\"hours\":1}" \
    "," \
    "\"setup\":{\"amount\":\"0.3\",\"hours\":0.083}," \
    "\"checkpoints\":{\"amount\":\"0.18\",\"hours\":0.05}," \
    "\"storage\":{\"amount\":\"0.02\",\"hours\":0}}}"

/* What a run did, in seconds of each phase. */
struct doing {
    const char *name, *offer;
    int64_t rate; /* nano-dollars an hour */
    int64_t phase[LEDGER_PHASES];
    double steps, step_s;
    bool planned, without_phases;
};

static struct ledger_start start_of(int number, const struct doing *d, int64_t started)
{
    static const struct str tags[] = {{"team=nlp", 8}, {"project=search", 14}};
    struct ledger_start start = {.name = str_from(d->name),
                                 .folder = STR("/home/ann/nlp"),
                                 .command = STR("python train.py"),
                                 .user = STR("ann"),
                                 .host = STR("node-1"),
                                 .offer = str_from(d->offer),
                                 .market = STR("on-demand"),
                                 .price_source = STR("its offer, 2026-11-01"),
                                 .rate = {d->rate},
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = USD_UNKNOWN,
                                 .estimated_cost = d->planned ? (usd){4100000000} : USD_UNKNOWN,
                                 .estimated_time = {d->planned ? 4080 * SECOND : -1},
                                 .features = d->planned ? STR(PLAN) : (struct str){0},
                                 .constants = STR("test"),
                                 .tags = {tags, 2},
                                 .started = {started},
                                 .pid = -1,
                                 .pid_started = -1};

    (void)snprintf(start.id, sizeof start.id, "019d3000-0000-7000-8000-00000000%04d", number);
    return start;
}

static struct ledger_totals totals_of(const struct doing *d, const struct ledger_start *start)
{
    struct ledger_totals t;
    int64_t seconds = 0;

    ledger_totals_unknown(&t);
    t.compute.nano = 0;
    for (int i = 0; i < LEDGER_PHASES; i++) {
        usd cost = {d->phase[i] * NANO_PER_SECOND(d->rate)};

        t.compute.nano += cost.nano;
        seconds += d->phase[i];
        if (!d->without_phases)
            t.phase[i] = cost;
    }
    t.at = (stamp){start->started.s + seconds};
    t.elapsed = (span){seconds * SECOND};
    t.setup = (usd){300000000};
    t.storage = (usd){20000000};
    t.cost.nano = t.compute.nano + t.setup.nano + t.storage.nano;
    t.gpu = str_eq(start->offer, STR(H100)) ? STR("NVIDIA H100 80GB HBM3")
                                            : STR("NVIDIA A100-SXM4-80GB");
    t.gpus = 1;
    t.step = d->steps;
    t.step_s = d->step_s;
    return t;
}

static bool add_run(struct ledger *ledger, int number, const struct doing *d, int64_t started,
                    struct error *err)
{
    struct ledger_start start = start_of(number, d, started);
    struct ledger_totals t = totals_of(d, &start);
    int attempt;

    return ledger_begin(ledger, &start, &attempt, err) &&
           ledger_end(ledger, start.id, 1, &(struct ledger_ending){RUN_DONE, 0, ""}, &t, err);
}

/* Lost after 40 minutes, 10 of which no checkpoint has; it goes on on another machine. */
static bool add_restarted(struct ledger *ledger, int number, const struct doing *d,
                          int64_t started, struct error *err)
{
    struct ledger_start start = start_of(number, d, started);
    struct doing first = *d, second = *d;
    struct ledger_checkpoint saved = {
        .path = STR("out/step-1800"), .at = {started + 30 * 60}, .bytes = 1e9, .step = 1800};
    struct ledger_totals t;
    int attempt;

    first.phase[PHASE_TRAIN] = 2400;
    first.phase[PHASE_CHECKPOINT] = 0;
    first.steps = 2400;
    t = totals_of(&first, &start);
    if (!ledger_begin(ledger, &start, &attempt, err) ||
        !ledger_checkpoint(ledger, start.id, 1, &saved, err) ||
        !ledger_end(ledger, start.id, 1, &(struct ledger_ending){RUN_PREEMPTED, 143, "notice"},
                    &t, err))
        return false;
    start.started.s += HOUR;
    start.resume = true;
    second.phase[PHASE_SETUP] = 120;
    second.phase[PHASE_TRAIN] = 1800;
    t = totals_of(&second, &start);
    return ledger_begin(ledger, &start, &attempt, err) &&
           ledger_end(ledger, start.id, 2, &(struct ledger_ending){RUN_DONE, 0, ""}, &t, err);
}

bool fill_why(struct ledger *ledger, struct error *err)
{
    static const struct doing runs[] = {
        {"as-planned", A100, 3600000000, {0, 0, 3600, 0, 180, 0}, 3600, 1, true, false},
        {"slow-data", A100, 3600000000, {60, 1200, 3600, 0, 180, 0}, 3600, 1, true, false},
        {"slow-steps", A100, 3600000000, {0, 0, 4500, 0, 180, 0}, 3600, 1.25, true, false},
        {"other-price", A100, 4680000000, {0, 0, 3600, 0, 180, 0}, 3600, 1, true, false},
        {"idle", H100, 7200000000, {30, 0, 1800, 60, 90, 600}, 3600, 0.5, false, false},
        {"unseen", A100, 3600000000, {0, 0, 7200, 0, 0, 0}, NAN, NAN, true, true},
    };
    static const struct doing restarted = {
        "restarted", A100, 3600000000, {0, 0, 3600, 0, 180, 0}, 3600, 1, true, false};
    static const struct doing cheaper = {"october", A100, 3240000000, {0, 0, 3600, 0, 0, 0},
                                         3600,      1,    false,      false};

    for (int i = 0; i < (int)ARRAY_LEN(runs); i++)
        if (!add_run(ledger, i + 1, &runs[i], NOVEMBER + i * 4 * HOUR, err))
            return false;
    return add_restarted(ledger, 7, &restarted, NOVEMBER + 48 * HOUR, err) &&
           add_run(ledger, 8, &cheaper, OCTOBER, err) &&
           add_run(ledger, 9, &cheaper, OCTOBER + 24 * HOUR, err);
}

#define MOMENTS 20

/* Steps of 1.25 s instead of 1 s. `busy`, `cores`: what samples show; NaN: none. */
static bool add_waiting(struct ledger *ledger, int number, const char *name, double busy,
                        double cores, const struct ledger_metric *metric, struct error *err)
{
    const struct doing d = {name, A100, 3600000000, {0, 0, 4500, 0, 180, 0},
                            3600, 1.25, true,       false};
    struct ledger_start start = start_of(number, &d, NOVEMBER + number * 4 * HOUR);
    struct ledger_totals t = totals_of(&d, &start);
    int attempt;

    if (!ledger_begin(ledger, &start, &attempt, err))
        return false;
    for (int i = 0; i < MOMENTS && !isnan(busy); i++) {
        struct ledger_sample s = {.at_s = i * 10,
                                  .cost = NAN,
                                  .watts = NAN,
                                  .gpu_busy = busy,
                                  .gpu_memory = NAN,
                                  .cpu_cores = cores,
                                  .memory = NAN,
                                  .step = i * 8,
                                  .loss = NAN,
                                  .rate = 0.8,
                                  .gpu_memory_run = NAN};

        if (!ledger_tick(ledger, start.id, 1, &t, &s, err))
            return false;
    }
    if (metric != NULL && !ledger_metrics_put(ledger, start.id, 1, metric, 1, err))
        return false;
    return ledger_end(ledger, start.id, 1, &(struct ledger_ending){RUN_DONE, 0, ""}, &t, err);
}

bool fill_stalls(struct ledger *ledger, struct error *err)
{
    static const double times[] = {10, 20, 30}, steps[] = {8, 16, 24},
                        values[] = {200, 250, 300};
    const struct ledger_metric metric = {.name = STR("train_data_time_ms"),
                                         .told = 3,
                                         .first = 200,
                                         .last = 300,
                                         .last_step = 24,
                                         .low = 200,
                                         .low_step = 8,
                                         .high = 300,
                                         .high_step = 24,
                                         .times = {times, 3},
                                         .steps = {steps, 3},
                                         .values = {values, 3}};

    return add_waiting(ledger, 1, "printed", NAN, NAN, &metric, err) &&
           add_waiting(ledger, 2, "loaders-busy", 0.8, 6, NULL, err) &&
           add_waiting(ledger, 3, "asleep", 0.8, 0.3, NULL, err) &&
           add_waiting(ledger, 4, "one-core", 0.8, 1, NULL, err) &&
           add_waiting(ledger, 5, "gpu-busy", 0.98, 6, NULL, err);
}
