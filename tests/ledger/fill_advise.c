#include "fill_advise.h"

#include <math.h>
#include <stdio.h>

#include "writes.h"

#define NOVEMBER INT64_C(1793491200) /* 2026-11-01 */
#define HOUR INT64_C(3600)
#define SECOND INT64_C(1000000000)

/* A work: runs that all do the same, each so many minutes of every phase. */
struct doing {
    const char *name, *project, *command, *offer, *market, *gpu;
    double rate; /* dollars an hour */
    int64_t minutes[LEDGER_PHASES];
    double busy, memory, memory_of; /* share; bytes */
    enum ledger_state state;
    int status;
    const char *digest;
    int runs, apart; /* hours */
    const char *job; /* NULL: not known */
};

static unsigned number;

static struct ledger_start start_of(const struct doing *d, int64_t started, struct str *tag)
{
    struct ledger_start start = {.name = str_from(d->name),
                                 .folder = STR("/home/ann/work"),
                                 .command = str_from(d->command),
                                 .user = STR("ann"),
                                 .host = STR("node-1"),
                                 .commit = STR("4f1c2aa90b7e"),
                                 .offer = str_from(d->offer),
                                 .market = str_from(d->market),
                                 .price_source = STR("its offer, 2026-11-01"),
                                 .rate = {llround(d->rate * 1e9)},
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = USD_UNKNOWN,
                                 .estimated_cost = USD_UNKNOWN,
                                 .estimated_time = {-1},
                                 .digest = str_from(d->digest),
                                 .job = str_from(d->job != NULL ? d->job : ""),
                                 .tags = {tag, d->project != NULL},
                                 .started = {started},
                                 .pid = -1,
                                 .pid_started = -1};

    (void)snprintf(start.id, sizeof start.id, "019d4000-0000-7000-8000-00000000%04u",
                   ++number % 10000);
    return start;
}

static struct ledger_totals totals_of(const struct doing *d, const struct ledger_start *start)
{
    struct ledger_totals t;
    int64_t minutes = 0;

    ledger_totals_unknown(&t);
    t.compute.nano = 0;
    for (int i = 0; i < LEDGER_PHASES; i++) {
        t.phase[i] = usd_from(d->rate * (double)d->minutes[i] / 60);
        t.compute.nano += t.phase[i].nano;
        minutes += d->minutes[i];
    }
    t.at = (stamp){start->started.s + minutes * 60};
    t.elapsed = (span){minutes * 60 * SECOND};
    t.cost = t.compute;
    t.gpu = str_from(d->gpu);
    t.gpus = 1;
    t.gpu_busy = d->busy;
    t.gpu_memory_peak = d->memory;
    t.gpu_memory_total = d->memory_of;
    if (d->minutes[PHASE_TRAIN] > 0 && d->state == RUN_DONE) {
        t.step = (double)d->minutes[PHASE_TRAIN] * 60;
        t.step_s = 1;
        t.startup_s = (double)d->minutes[PHASE_SETUP] * 60;
    }
    return t;
}

static bool add_run(struct ledger *ledger, const struct doing *d, int64_t started,
                    struct error *err)
{
    char text[80];
    struct str tag;
    struct ledger_start start;
    struct ledger_totals t;
    int attempt;

    (void)snprintf(text, sizeof text, "project=%s", d->project != NULL ? d->project : "");
    tag = str_from(text);
    start = start_of(d, started, &tag);
    t = totals_of(d, &start);
    return ledger_begin(ledger, &start, &attempt, err) &&
           ledger_end(ledger, start.id, 1, &(struct ledger_ending){d->state, d->status, ""}, &t,
                      err);
}

bool fill_advise(struct ledger *ledger, struct error *err)
{
    static const struct doing works[] = {
        {"bert",
         "nlp",
         "python train.py",
         "gcp/us-central1/a2-highgpu-1g",
         "on-demand",
         "NVIDIA A100-SXM4-40GB",
         3.67,
         {4, 0, 150, 6, 2, 48},
         0.34,
         9e9,
         40e9,
         RUN_DONE,
         0,
         "",
         8,
         26,
         NULL},
        {"resnet",
         NULL,
         "python imagenet.py",
         "aws/us-east-1/g5.xlarge",
         "on-demand",
         "NVIDIA A10G",
         1.006,
         {3, 60, 90, 3, 1, 0},
         0.62,
         18e9,
         24e9,
         RUN_DONE,
         0,
         "",
         6,
         30,
         NULL},
        {"llama",
         "nlp",
         "python sft.py",
         "aws/us-east-1/g5.xlarge",
         "on-demand",
         "NVIDIA A10G",
         1.006,
         {20, 0, 40, 0, 0, 0},
         0.9,
         23.5e9,
         24e9,
         RUN_FAILED,
         137,
         "",
         4,
         20,
         NULL},
        {"eval",
         NULL,
         "python eval.py --all",
         "aws/us-east-1/g5.xlarge",
         "on-demand",
         "NVIDIA A10G",
         1.006,
         {1, 0, 119, 0, 0, 0},
         0.8,
         16e9,
         24e9,
         RUN_DONE,
         0,
         "77aa01",
         3,
         40,
         NULL},
        {"jupyter",
         NULL,
         "jupyter lab --no-browser",
         "aws/us-east-1/g5.xlarge",
         "on-demand",
         "NVIDIA A10G",
         1.006,
         {0, 0, 60, 0, 0, 420},
         0.05,
         4e9,
         24e9,
         RUN_STOPPED,
         143,
         "",
         2,
         70,
         NULL},
    };

    for (size_t w = 0; w < ARRAY_LEN(works); w++)
        for (int i = 0; i < works[w].runs; i++)
            if (!add_run(ledger, &works[w],
                         NOVEMBER + (int64_t)w * 2 * HOUR + i * works[w].apart * HOUR, err))
                return false;
    return true;
}

#define ON_A100 \
    "python train.py", "gcp/us-central1/a2-highgpu-1g", "on-demand", "NVIDIA A100-SXM4-40GB", \
        3.6

bool fill_jobs(struct ledger *ledger, struct error *err)
{
    static const char sft[] =
        "{\"schema\":\"stint.job/1\",\"kind\":\"train\",\"job\":{\"name\":\"sft\",\"train\":{"
        "\"model\":\"llama-2-7b\",\"method\":\"lora\",\"sequence\":2048,\"global_batch\":16,"
        "\"recompute\":\"full\",\"search\":{\"trials\":50}}}}";
    static const char serve[] = "{\"schema\":\"stint.job/1\",\"kind\":\"infer\",\"job\":{"
                                "\"infer\":{\"model\":\"llama-2-7b\",\"rate\":2}}}";
    static const char unknown[] = "{\"schema\":\"stint.job/1\",\"kind\":\"train\",\"job\":{"
                                  "\"train\":{\"model\":\"no-such-model\"}}}";
    static const struct doing works[] = {
        {"sft",
         "nlp",
         ON_A100,
         {5, 0, 50, 5, 0, 0},
         0.95,
         36e9,
         40e9,
         RUN_DONE,
         0,
         "",
         3,
         26,
         sft},
        {"api",
         NULL,
         ON_A100,
         {5, 0, 50, 5, 0, 0},
         0.95,
         36e9,
         40e9,
         RUN_DONE,
         0,
         "",
         1,
         26,
         serve},
        {"odd",
         NULL,
         ON_A100,
         {5, 0, 40, 5, 0, 0},
         0.95,
         36e9,
         40e9,
         RUN_DONE,
         0,
         "",
         1,
         26,
         unknown},
    };

    number = 0;
    for (size_t w = 0; w < ARRAY_LEN(works); w++)
        for (int i = 0; i < works[w].runs; i++)
            if (!add_run(ledger, &works[w],
                         NOVEMBER + ((int64_t)i * works[w].apart + (int64_t)w * 3 + 2) * HOUR,
                         err))
                return false;
    return true;
}
