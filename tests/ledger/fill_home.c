#include "fill_home.h"

#include <math.h>
#include <stdio.h>

#include "writes.h"

#define NOVEMBER INT64_C(1793491200) /* 2026-11-01 */
#define HOUR INT64_C(3600)
#define SECOND INT64_C(1000000000)
#define CHECKPOINTS 8

static struct ledger_start start_of(const char *name, int number)
{
    struct ledger_start start = {.name = str_from(name),
                                 .folder = STR("/home/ann/work"),
                                 .command = STR("python train.py"),
                                 .user = STR("ann"),
                                 .host = STR("node-1"),
                                 .rate = {MONEY_UNKNOWN},
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = USD_UNKNOWN,
                                 .estimated_cost = USD_UNKNOWN,
                                 .estimated_time = {-1},
                                 .started = {NOVEMBER + number * 30 * HOUR},
                                 .pid = -1,
                                 .pid_started = -1};

    (void)snprintf(start.id, sizeof start.id, "019d4000-0000-7000-8000-00000002%04d", number);
    return start;
}

/* All of it steps. */
static struct ledger_totals totals_of(const struct ledger_start *start, int64_t hours,
                                      double cost)
{
    struct ledger_totals t;

    ledger_totals_unknown(&t);
    for (int i = 0; i < LEDGER_PHASES; i++)
        t.phase[i] = usd_from(i == PHASE_TRAIN ? cost : 0);
    t.cost = t.compute = usd_from(cost);
    t.at = (stamp){start->started.s + hours * HOUR};
    t.elapsed = (span){hours * HOUR * SECOND};
    t.step = 1000;
    t.step_s = (double)(hours * HOUR) / 1000;
    return t;
}

/* Eight checkpoints of 100 GB: the first is gone, the second the best. */
static bool add_checkpoints(struct ledger *ledger, const struct ledger_start *start,
                            struct error *err)
{
    for (int i = 0; i < CHECKPOINTS; i++) {
        char path[40];
        struct ledger_checkpoint c = {.at = {start->started.s + 60 * (i + 1)},
                                      .bytes = 100e9,
                                      .step = i,
                                      .metric = NAN,
                                      .took_s = 30,
                                      .cost = USD_UNKNOWN,
                                      .best = i == 1};

        (void)snprintf(path, sizeof path, "/data/out/step-%d", i);
        c.path = str_from(path);
        if (!ledger_checkpoint(ledger, start->id, 1, &c, err) ||
            (i == 0 &&
             !ledger_checkpoint_gone(ledger, start->id, c.path, (stamp){c.at.s + 10}, err)))
            return false;
    }
    return true;
}

/* Ten hours at $2/hr; the store takes $0.02 a GB and month. */
static bool add_rented(struct ledger *ledger, struct error *err)
{
    struct ledger_start start = start_of("llama", 1);
    struct ledger_totals t = totals_of(&start, 10, 20);
    int attempt;

    start.rate.nano = 2 * SECOND;
    start.storage_month.nano = SECOND / 50;
    t.checkpoint_bytes = 700e9;
    return ledger_begin(ledger, &start, &attempt, err) &&
           add_checkpoints(ledger, &start, err) &&
           ledger_end(ledger, start.id, attempt, &(struct ledger_ending){RUN_DONE, 0, ""}, &t,
                      err);
}

/* A day on an RTX 3090 at 345 W, of 460 W at the wall: 11.04 kWh at $0.30. */
static bool add_own(struct ledger *ledger, struct error *err)
{
    struct ledger_start start = start_of("gpt2", 2);
    struct ledger_totals t = totals_of(&start, 24, 3.312);
    int attempt;

    start.electricity.nano = 3 * SECOND / 10;
    t.gpu = STR("NVIDIA GeForce RTX 3090");
    t.gpus = 1;
    t.gpu_busy = 0.97;
    t.gpu_watts = 345;
    t.gpu_joules = 345.0 * 24 * 3600;
    t.joules = 460.0 * 24 * 3600;
    return ledger_begin(ledger, &start, &attempt, err) &&
           ledger_end(ledger, start.id, attempt, &(struct ledger_ending){RUN_DONE, 0, ""}, &t,
                      err);
}

bool fill_home(struct ledger *ledger, struct error *err)
{
    return add_rented(ledger, err) && add_own(ledger, err);
}
