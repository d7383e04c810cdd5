#include "fill_practice.h"

#include <math.h>
#include <stdio.h>

#include "ledger/budgets.h"
#include "writes.h"

#define NOW INT64_C(1794700800) /* 2026-11-15, the clock of the command-line cases */
#define HOUR INT64_C(3600)
#define DAY (24 * HOUR)
#define SECOND INT64_C(1000000000)
#define DOLLAR INT64_C(1000000000)
#define CLOUD "lambda/us-east-1/gpu_1x_a100_sxm4"

/* A run on one GPU for $2 an hour. Costs of 0 are none. */
struct practiced {
    const char *name, *market, *team, *digest, *reason;
    int days_ago, hours;
    enum ledger_state state;
    double busy, estimated, budget;
    bool saves, local, unpriced;
};

static usd dollars_or_none(double amount)
{
    return amount > 0 ? usd_from(amount) : USD_UNKNOWN;
}

static struct ledger_totals totals_of(const struct practiced *p, stamp started)
{
    struct ledger_totals t;

    ledger_totals_unknown(&t);
    t.at = (stamp){started.s + p->hours * HOUR};
    t.elapsed = (span){p->hours * HOUR * SECOND};
    if (!p->unpriced)
        t.cost = t.compute = (usd){p->local ? 4 * DOLLAR / 10 : 2 * DOLLAR * p->hours};
    t.gpu = STR("NVIDIA A100-SXM4-80GB");
    t.gpus = 1;
    t.gpu_busy = p->busy;
    if (p->saves)
        t.checkpoint_bytes = 1e9;
    return t;
}

static bool add_run(struct ledger *ledger, int number, const struct practiced *p,
                    struct error *err)
{
    struct str tags[] = {str_from(p->team)};
    struct ledger_start start = {.name = str_from(p->name),
                                 .folder = STR("/home/ann/nlp"),
                                 .command = STR("python train.py"),
                                 .user = STR("ann"),
                                 .host = STR("node-1"),
                                 .digest = str_from(p->digest),
                                 .offer = str_from(p->local ? "" : CLOUD),
                                 .market = str_from(p->market),
                                 .price_source = STR("its offer, 2026-08-01"),
                                 .rate = {p->local || p->unpriced ? MONEY_UNKNOWN : 2 * DOLLAR},
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = dollars_or_none(p->budget),
                                 .estimated_cost = dollars_or_none(p->estimated),
                                 .estimated_time = {-1},
                                 .tags = {tags, p->team != NULL ? 1 : 0},
                                 .started = {NOW - p->days_ago * DAY + 6 * HOUR},
                                 .pid = -1,
                                 .pid_started = -1};
    struct ledger_totals t = totals_of(p, start.started);
    struct ledger_ending ending = {p->state, p->state == RUN_DONE ? 0 : 1,
                                   p->reason != NULL ? p->reason : ""};
    int attempt;

    (void)snprintf(start.id, sizeof start.id, "019d4000-0000-7000-8000-00000000%04d", number);
    return ledger_begin(ledger, &start, &attempt, err) &&
           ledger_end(ledger, start.id, 1, &ending, &t, err);
}

/* An anomaly that began so many days ago, acknowledged after some hours. */
static bool add_anomaly(struct ledger *ledger, int64_t key, int days_ago, int hours,
                        struct error *err)
{
    stamp began = {NOW - days_ago * DAY};
    char name[32];
    struct ledger_finding finding = {.alert = {.kind = STR("anomaly"),
                                               .severity = STR("warning"),
                                               .title = STR("unusual costs"),
                                               .words = STR("more than expected"),
                                               .began = began}};
    struct ledger_seen seen = {.by = STR("ann")};
    bool found;

    (void)snprintf(name, sizeof name, "anomaly/%lld", (long long)key);
    finding.alert.dedup = str_from(name);
    return ledger_findings(ledger, &finding, 1, began, err) &&
           ledger_alert_acknowledge(ledger, key, &seen, (stamp){began.s + hours * HOUR}, &found,
                                    err) &&
           found;
}

bool fill_practice(struct ledger *ledger, struct error *err)
{
    static const struct practiced runs[] = {
        {"bert", "on-demand", "team=nlp", "a", NULL, 75, 10, RUN_DONE, .4, 16, 0, 1, 0, 0},
        {"bert", "on-demand", "team=nlp", "a", NULL, 70, 10, RUN_DONE, .4, 20, 0, 1, 0, 0},
        {"bert-large", "on-demand", "team=nlp", "b", NULL, 65, 10, RUN_FAILED, .4, 0, 0, 0, 0,
         0},
        {"vit", "spot", "team=vision", "c", NULL, 60, 10, RUN_DONE, .8, 25, 30, 1, 0, 0},
        {"vit-2", "spot", NULL, "d", NULL, 40, 10, RUN_DONE, .8, 0, 30, 1, 0, 0},
        {"style-lora", "spot", "team=vision", "e", NULL, 20, 1, RUN_DONE, .8, 2, 0, 0, 0, 0},
        {"style-lora", "", NULL, "f", NULL, 15, 4, RUN_DONE, .9, 0, 0, 0, 1, 0},
        {"face-lora", "spot", "team=vision", "g", NULL, 10, 1, RUN_DONE, .8, 2.5, 5, 0, 0, 0},
        {"sweep", "on-demand", "team=nlp", "h", "budget", 5, 2, RUN_STOPPED, .2, 0, 4, 0, 0, 0},
        {"probe", "on-demand", NULL, "i", NULL, 3, 1, RUN_DONE, NAN, 0, 0, 0, 0, 1},
    };

    for (int i = 0; i < (int)ARRAY_LEN(runs); i++)
        if (!add_run(ledger, i + 1, &runs[i], err))
            return false;
    return add_anomaly(ledger, 1, 30, 6, err) && add_anomaly(ledger, 2, 12, 10, err);
}

bool fill_steady(struct ledger *ledger, struct error *err)
{
    struct practiced daily = {"daily",  "on-demand", "team=nlp", "a", NULL,  0,     5,
                              RUN_DONE, .8,          0,          0,   false, false, false};

    for (int i = 1; i <= 120; i++) {
        daily.days_ago = i;
        if (!add_run(ledger, i, &daily, err))
            return false;
    }
    return true;
}
