/* Rules about where a job runs: machines that the planner would rent instead. */
#include <math.h>

#include "advise/explain/change.h"
#include "advise/rules/job_change.h"
#include "unit/shown.h"
#include "unit/time.h"

/* The planner's best of that market; NULL where it found none. */
static const struct advise_option *planned(const struct advise_job *job, bool spot)
{
    const struct advise_option *o = job->options.at;

    for (size_t i = 0; i < job->options.len; i++)
        if ((o[i].market == MARKET_SPOT) == spot)
            return &o[i];
    return NULL;
}

/* The same machines: the planner chose other settings, which other rules look at. */
static bool is_on_this_offer(const struct advise_job *job, const struct advise_option *o)
{
    return str_eq(o->offer, job->input->place->offer) &&
           (job->monthly || o->gpus == job->base->gpus);
}

static void write_place_amount(const struct advising *a, usd amount, struct buf *out)
{
    usd_write_estimate(amount, out);
    buf_adds(out, " a ");
    buf_add(out, a->facts->per);
}

/* "39min58s, $0.996 a run" */
static void write_place_time(const struct advising *a, double hours, usd amount,
                             struct buf *out)
{
    if (hours > 0) {
        span_write(span_hours(hours), out);
        buf_adds(out, ", ");
    }
    write_place_amount(a, amount, out);
}

static bool find_planned(struct advising *a, bool spot, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    const struct advise_option *o = planned(job, spot);
    bool counted = !job->monthly || job->given->infer.rate > 0; /* without a rate: no month */
    double now = advise_money_sum(a->money, PARTS_ALL);
    double hours = job->monthly ? 0 : job->base->wall_hours;
    struct finding_draft d;

    if (o == NULL || !counted || !(now > 0) || o->cost.nano == MONEY_UNKNOWN ||
        (!spot && is_on_this_offer(job, o)))
        return true;
    d = finding_begin(a);
    write_place_time(a, hours, usd_from(now), &d.evidence);
    buf_adds(&d.evidence, " as it is; ");
    write_place_time(a, hours > 0 ? o->hours : 0, o->cost, &d.evidence);
    buf_addf(&d.evidence, " on %lldx %.*s at ", (long long)o->gpus, STR_ARG(o->gpu));
    advise_write_offer(o->offer, &d.evidence);
    buf_adds(&d.evidence, ", price from ");
    day_write(o->date, &d.evidence);
    if (o->interruptions > 0)
        buf_addf(&d.evidence, ", %.2g interruptions expected", o->interruptions);
    buf_adds(&d.action, "stint plan ");
    buf_add(&d.action, job->typed);
    buf_adds(&d.action, "; stint run --offer ");
    advise_write_offer(o->offer, &d.action);
    buf_addf(&d.action, ":%s -- COMMAND", market_names[o->market]);
    if (hours > 0 && o->hours > 0)
        d.risk = advise_risk_of_time(d.risk, o->hours / hours);
    buf_adds(&d.method, "the best plan of 'stint plan', with its 80 % range");
    d.saving = (struct saving){now - usd_double(o->cost_high), now - usd_double(o->cost),
                               now - usd_double(o->cost_low)};
    return finding_end(a, &d, err);
}

static bool find_planned_machine(struct advising *a, struct error *err)
{
    return find_planned(a, false, err);
}

/* Of a model that serves, what interruptions cost is not known. */
static bool find_planned_spot(struct advising *a, struct error *err)
{
    return a->facts->job->monthly || find_planned(a, true, err);
}

/* ---- fewer machines ---- */

static bool can_compare(const struct advise_job *job)
{
    return job->given->kind == JOB_TRAIN && job->base->fits && usd_double(job->base->total) > 0;
}

static bool is_change_in_time(const struct advise_job *job, const struct job_change *change)
{
    span deadline = job->given->limits.deadline;

    return !(deadline.ns > 0) || change->after.hours.value <= span_in_hours(deadline);
}

/* So many machines of those that the job has now. */
static struct estimate_place fewer_of(const struct estimate_place *now, int64_t machines)
{
    struct estimate_place place = *now;

    place.machines = machines;
    place.hardware.gpus = machines * now->hardware.per_node;
    if (machines == 1)
        place.hardware.network_gb_s = 0;
    return place;
}

static void write_estimate_machines(const struct estimate *e, struct buf *out)
{
    buf_addf(out, "%lld x %lld %.*s: ", (long long)e->nodes, (long long)(e->gpus / e->nodes),
             STR_ARG(e->accelerator));
    change_write_amount(CHANGE_TIME, 3600 * e->hours.value, false, out);
    buf_adds(out, ", ");
    change_write_amount(CHANGE_COST, usd_double(e->total), false, out);
}

static double network_share(const struct estimate *e)
{
    const struct estimate_part *parts = e->step.at;

    for (size_t i = 0; i < e->step.len; i++)
        if (str_eq(parts[i].name, STR("data parallel")))
            return parts[i].share;
    return 0;
}

/* Half as many machines, a quarter, ... one: the cheapest that is in time. */
static bool find_fewer(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    const double *c = job->input->constants->at;
    struct estimate_place places[16];
    struct job_change change, best = {.possible = false};
    struct finding_draft d;
    int64_t machines = job->input->place->machines;

    if (!can_compare(job) || job->base->nodes < 2)
        return true;
    for (size_t i = 0; i < ARRAY_LEN(places) && machines > 1; i++) {
        machines /= 2;
        places[i] = fewer_of(job->input->place, machines);
        change = (struct job_change){.place = &places[i], .anew = true};
        if (!job_change_estimate(job, hypot(c[C_spread_setting], c[C_spread_machines]),
                                 a->arena, &change, err))
            return false;
        if (change.possible && is_change_in_time(job, &change) &&
            (!best.possible || change.saving.mid > best.saving.mid))
            best = change;
    }
    if (!best.possible || !job_change_pays(&best, job->base->total))
        return true;
    d = finding_begin(a);
    write_estimate_machines(job->base, &d.evidence);
    buf_adds(&d.evidence, "; ");
    write_estimate_machines(&best.after, &d.evidence);
    if (network_share(job->base) > 0)
        buf_addf(&d.evidence, "; gradients take %s of a step, then %s",
                 percent_text(network_share(job->base)).text,
                 percent_text(network_share(&best.after)).text);
    d.risk = advise_risk_of_time(d.risk, best.time);
    buf_addf(&d.action, "--on %.*sx%lld, if %.2g times the time is soon enough",
             STR_ARG(best.after.accelerator), (long long)best.after.gpus, best.time);
    buf_adds(&d.method, "estimated cost of both at the same price of a machine, without the "
                        "errors they share");
    d.saving = best.saving;
    return finding_end(a, &d, err);
}

/* ---- where the data is ---- */

/* The machines in the region of the data; NULL: there are none, or the job is there. */
static const struct estimate_place *place_of_data(const struct advise_job *job)
{
    const struct estimate_place *p = job->regions.at, *now = job->input->place;
    struct str region = job->given->train.data.at, provider = str_cut(&region, '/');

    if (provider.len == 0 || region.len == 0 ||
        (str_eq_nocase(provider, now->provider) && str_eq_nocase(region, now->region)))
        return NULL;
    for (size_t i = 0; i < job->regions.len; i++)
        if (str_eq_nocase(p[i].provider, provider) && str_eq_nocase(p[i].region, region))
            return &p[i];
    return NULL;
}

static bool find_planned_region(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    struct job_change change = {.possible = false};
    struct finding_draft d;

    if (!can_compare(job))
        return true;
    change.place = place_of_data(job);
    if (change.place == NULL)
        return true;
    if (!job_change_estimate(job, 0, a->arena, &change, err))
        return false;
    if (!change.possible)
        return true;
    d = finding_begin(a);
    buf_addf(&d.evidence, "the data is at %.*s; ", STR_ARG(job->given->train.data.at));
    change_write_amount(CHANGE_COST, usd_double(job->base->total), false, &d.evidence);
    buf_addf(&d.evidence, " at %.*s, of which ", STR_ARG(job->input->place->offer));
    change_write_amount(CHANGE_COST, a->money->part[PART_TRANSFER], false, &d.evidence);
    buf_adds(&d.evidence, " for moving data; ");
    change_write_amount(CHANGE_COST, usd_double(change.after.total), false, &d.evidence);
    buf_addf(&d.evidence, " at %.*s", STR_ARG(change.place->offer));
    buf_adds(&d.action, "stint run --offer ");
    advise_write_offer(change.place->offer, &d.action);
    buf_addf(&d.action, ":%s -- COMMAND", market_names[change.place->market]);
    buf_adds(&d.method, "estimated cost of both on the same GPUs, transfer included");
    d.saving = change.saving;
    return finding_end(a, &d, err);
}

static const struct advise_rule rules[] = {
    {.name = "fewer-machines",
     .title = "use fewer machines",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_MINUTES,
     .risk = RISK_NONE,
     .lever = LEVER_MACHINE,
     .scope = SCOPE_JOB,
     .parts = PARTS_ALL,
     .uses = "a job on several machines, and its deadline",
     .applies = "half as many, a quarter, ... or one cost 3 % less and meet the deadline",
     .computed = "estimated cost of both at the same price of a machine",
     .source = "the estimator: docs/accuracy.md",
     .find = find_fewer},
    {.name = "data-region",
     .title = "run where the data is",
     .category = ADVISE_STORAGE,
     .effort = EFFORT_MINUTES,
     .risk = RISK_NONE,
     .lever = LEVER_MACHINE,
     .scope = SCOPE_JOB,
     .parts = PARTS_ALL,
     .uses = "data.at of the job, and machines with the same GPUs in that region",
     .applies = "the job runs elsewhere, and costs less there with the transfer",
     .computed = "estimated cost of both, with egress and the time that moving takes",
     .source = "prices of the store and the catalog; table transfer",
     .find = find_planned_region},
    {.name = "cheaper-machine",
     .title = "rent the machine that the planner would",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_MINUTES,
     .risk = RISK_LOW,
     .lever = LEVER_MACHINE,
     .scope = SCOPE_JOB,
     .parts = PARTS_ALL,
     .uses = "all machines and settings that the planner knows for the job",
     .applies = "another machine does the job for less, without spot",
     .computed = "cost of the best plan against the cost where the job runs",
     .source = "prices of the store and the catalog; the estimator",
     .find = find_planned_machine},
    {.name = "spot-machine",
     .title = "run the job on spot",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_HOURS,
     .risk = RISK_MEDIUM,
     .lever = LEVER_MACHINE,
     .scope = SCOPE_JOB,
     .parts = PARTS_ALL,
     .uses = "spot prices and the interruptions of watched machines",
     .applies = "spot does the job for less, with the time that interruptions cost",
     .computed = "cost of the best plan on spot against the cost where the job runs",
     .source = "prices of the store and the catalog; 'stint spot risk'",
     .find = find_planned_spot},
};

const struct advise_rules advise_place_rules = ADVISE_RULES(rules);
