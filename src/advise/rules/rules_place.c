/* Rules about where a job runs: machines that the planner would rent instead. */
#include <math.h>

#include "advise/rules/rule.h"

/* The planner's best of that market; NULL where it found none. */
static const struct advise_option *planned(const struct advise_job *job, bool spot)
{
    const struct advise_option *o = job->options.at;

    for (size_t i = 0; i < job->options.len; i++)
        if ((o[i].market == MARKET_SPOT) == spot)
            return &o[i];
    return NULL;
}

static void write_amount(const struct advising *a, usd amount, struct buf *out)
{
    usd_write_estimate(amount, out);
    buf_adds(out, " a ");
    buf_add(out, a->facts->per);
}

static bool find_planned(struct advising *a, bool spot, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    const struct advise_option *o = planned(job, spot);
    bool counted = !job->monthly || job->given->infer.rate > 0; /* without a rate: no month */
    double now = advise_money_sum(a->money, PARTS_ALL);
    struct finding_draft d;

    if (o == NULL || !counted || !(now > 0) || o->cost.nano == MONEY_UNKNOWN)
        return true;
    d = finding_begin(a);
    write_amount(a, usd_from(now), &d.evidence);
    buf_adds(&d.evidence, " as it is; ");
    write_amount(a, o->cost, &d.evidence);
    buf_addf(&d.evidence, " on %lld x %.*s at ", (long long)o->gpus, STR_ARG(o->gpu));
    buf_add(&d.evidence, o->offer);
    buf_adds(&d.evidence, ", price from ");
    day_write(o->date, &d.evidence);
    if (o->interruptions > 0)
        buf_addf(&d.evidence, ", %.2g interruptions expected", o->interruptions);
    buf_adds(&d.action, "stint plan ");
    buf_add(&d.action, job->typed);
    buf_adds(&d.action, "; stint run --offer ");
    buf_add(&d.action, o->offer);
    buf_addf(&d.action, ":%s -- COMMAND", market_names[o->market]);
    buf_adds(&d.method, "the best plan of 'stint plan', with its 80 % range");
    d.saving = (struct saving){now - usd_double(o->cost_high), now - usd_double(o->cost),
                               now - usd_double(o->cost_low)};
    return finding_end(a, &d, err);
}

static bool find_machine(struct advising *a, struct error *err)
{
    return find_planned(a, false, err);
}

/* Of a model that serves, what interruptions cost is not known. */
static bool find_spot(struct advising *a, struct error *err)
{
    return a->facts->job->monthly || find_planned(a, true, err);
}

static const struct advise_rule rules[] = {
    {.name = "cheaper-machine",
     .title = "rent the machine that the planner would",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_MINUTES,
     .risk = RISK_LOW,
     .lever = LEVER_MACHINE,
     .scope = SCOPE_JOB,
     .parts = PARTS_ALL,
     .looks_at = "all machines and settings that the planner knows for the job",
     .applies = "another machine does the job for less, without spot",
     .computed = "cost of the best plan against the cost where the job runs",
     .source = "prices of the store and the catalog; the estimator",
     .find = find_machine},
    {.name = "spot-machine",
     .title = "run the job on spot",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_HOURS,
     .risk = RISK_MEDIUM,
     .lever = LEVER_MACHINE,
     .scope = SCOPE_JOB,
     .parts = PARTS_ALL,
     .looks_at = "spot prices and the interruptions of watched machines",
     .applies = "spot does the job for less, with the time that interruptions cost",
     .computed = "cost of the best plan on spot against the cost where the job runs",
     .source = "prices of the store and the catalog; 'stint spot risk'",
     .find = find_spot},
};

const struct advise_rules advise_place_rules = ADVISE_RULES(rules);
