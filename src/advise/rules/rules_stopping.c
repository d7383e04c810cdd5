/* The rule of early stopping: what runs did after their metric was best. */
#include <math.h>

#include "advise/rules/rule.h"
#include "advise/rules/stopping.h"
#include "unit/shown.h"

#define RUNS_LEAST 2 /* one run may be chance */

/* Runs of a work whose evaluations are known. */
struct stopped_runs {
    int64_t judged, stopped;
    bool loses;
    double money[ADVISE_STOPS]; /* of their steps, that is saved */
    double share;               /* of the time at which they end then, summed */
    const struct advise_run *last;
};

static void add_stopped_run(const struct advise_run *run, struct stopped_runs *sum)
{
    double steps = usd_double(run->part[PART_TRAIN]);

    if (run->metric_name.len == 0 || isnan(run->stopping[STOP_AS_ADVISED]))
        return;
    sum->judged++;
    sum->last = run;
    if (run->stopping[STOP_AS_ADVISED] < 0)
        sum->loses = true;
    if (!(run->stopping[STOP_AS_ADVISED] > 0) || !(steps > 0))
        return;
    sum->stopped++;
    sum->share += 1 - run->stopping[STOP_AS_ADVISED];
    for (int i = 0; i < ADVISE_STOPS; i++)
        sum->money[i] += steps * fmax(0, run->stopping[i]);
}

static bool find_stopping(struct advising *a, struct error *err)
{
    const struct advise_run *const *runs = a->work->list.at;
    struct stopped_runs sum = {0};
    struct finding_draft d;

    for (size_t i = 0; i < a->work->list.len; i++)
        add_stopped_run(runs[i], &sum);
    if (sum.judged < RUNS_LEAST || sum.stopped == 0 || sum.loses)
        return true;
    d = finding_begin(a);
    buf_addf(&d.evidence,
             "%lld of %lld runs with %.*s would have ended at %s of their time, with the "
             "same best value",
             (long long)sum.stopped, (long long)sum.judged, STR_ARG(sum.last->metric_name),
             percent_text(sum.share / (double)sum.stopped).text);
    buf_addf(&d.action, "stint run --early-stop %.*s:%s,patience=%d,rule=patience -- COMMAND",
             STR_ARG(sum.last->metric_name), sum.last->metric_rises ? "max" : "min",
             STOPPING_PATIENCE);
    buf_addf(&d.method, "steps after %d values without a better one; range: after %d, after %d",
             STOPPING_PATIENCE, STOPPING_PATIENCE + 2, STOPPING_PATIENCE - 1);
    d.saving = (struct saving){.low = a->work->scale * sum.money[STOP_LATER],
                               .mid = a->work->scale * sum.money[STOP_AS_ADVISED],
                               .high = a->work->scale * sum.money[STOP_SOONER]};
    return finding_end(a, &d, err);
}

static const struct advise_rule rules[] = {
    {.name = "early-stopping",
     .title = "stop when the metric no longer improves",
     .category = ADVISE_TRAINING,
     .effort = EFFORT_MINUTES,
     .risk = RISK_LOW,
     .lever = LEVER_STEPS,
     .scope = SCOPE_WORK,
     .parts = PART_BIT(PART_TRAIN),
     .uses = "evaluation metrics of runs (val_, eval_, test_), 5 values or more",
     .applies = "two runs or more, and in none a better value came after the stop",
     .computed = "cost of the steps after three values without a better one",
     .source = "recorded metrics",
     .find = find_stopping},
};

const struct advise_rules advise_stopping_rules = ADVISE_RULES(rules);
