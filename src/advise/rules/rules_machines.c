/* Rules about where work runs and how it is paid for: machines, markets, hours, commitments. */
#include <math.h>

#include "advise/rules/right_size.h"
#include "advise/rules/rule.h"
#include "advise/rules/spot_place.h"
#include "base/num.h"
#include "unit/shown.h"

#define SPOT_SHORT_HOURS 4.0 /* a run that can begin again */
#define ESTIMATE_RATIO 0.7   /* estimated over measured time, below which it is slow */
#define ESTIMATE_ERROR 0.2   /* of an estimate of the time */
#define SCALE_RUNS 2         /* of each number of GPUs */
#define EXPENSIVE_SHARE 0.3  /* of the last EXPENSIVE_RUNS */
#define EXPENSIVE_RUNS 20
#define SECONDS_PER_HOUR 3600.0
#define HOURS_PER_MONTH 720 /* of 30 days: the unit of savings */

/* ---- helpers ---- */

static double machine_dollars(usd amount)
{
    return amount.nano != MONEY_UNKNOWN ? usd_double(amount) : 0;
}

static double machine_money(const struct advise_work *w)
{
    return advise_money_sum(&w->money, PARTS_MACHINE);
}

/* What another machine or price would change. */
static double useful_money(const struct advise_work *w)
{
    return advise_money_sum(&w->money, PARTS_USEFUL);
}

/* Work of which no run ends well needs no other machine: why it fails is the finding. */
static bool always_fails(const struct advise_work *w)
{
    return w->done == 0 && w->failed > 0;
}

/* Of GPUs while the work is not idle: idle time is a finding of its own. */
static double busy_utilization(const struct advise_work *w)
{
    double all = machine_money(w), idle = w->money.part[PART_IDLE];

    return all > idle && idle > 0 ? fmin(1, w->utilization * all / (all - idle))
                                  : w->utilization;
}

/* "8 runs, 28 GPU-hours, 34 % utilization, 22 % of 40 GB used" */
static void write_machine_use(const struct advise_work *w, struct buf *out)
{
    double gpu_hours = span_in_hours(w->gpu_time);

    buf_addf(out, "%lld run%s, %s %s", (long long)w->runs, w->runs == 1 ? "" : "s",
             num_about(gpu_hours > 0 ? gpu_hours : span_in_hours(w->time)).text,
             gpu_hours > 0 ? "GPU-hours" : "machine-hours");
    if (w->gpu.len > 0) {
        buf_adds(out, " of ");
        buf_add(out, w->gpu);
    }
    if (!isnan(w->utilization))
        buf_addf(out, ", %s utilization", percent_text(w->utilization).text);
    if (!isnan(w->memory_used)) {
        buf_addf(out, ", %s of ", percent_text(w->memory_used).text);
        bytes_write(w->memory_total, out);
        buf_adds(out, " used");
    }
}

/* "aws/us-east-1/g5.xlarge (1 x A10G): $27.5 a month" */
static void write_machine_option(const struct advising *a, const struct advise_option *o,
                                 struct buf *out)
{
    buf_add(out, o->offer);
    if (o->gpus > 0) {
        buf_addf(out, " (%lldx ", (long long)o->gpus);
        buf_add(out, o->gpu);
        buf_char(out, ')');
    }
    buf_adds(out, ": ");
    usd_write_estimate(usd_from(usd_double(o->cost) * a->work->scale), out);
    buf_adds(out, " a ");
    buf_add(out, a->facts->per);
    buf_adds(out, ", price from ");
    day_write(o->date, out);
    if (!isnan(o->time) && fabs(o->time - 1) >= 0.05)
        buf_addf(out, ", %.2g times the time", o->time);
}

/* What the work's machines cost now, less what they would cost there: of what is neither idle,
 * failed nor repeated. */
static struct saving option_saving(const struct advise_work *w, const struct advise_option *o)
{
    double now = machine_money(w), useful = useful_money(w) / now;
    double high = o->cost_high.nano != MONEY_UNKNOWN ? usd_double(o->cost_high) : (double)NAN;
    double low = o->cost_low.nano != MONEY_UNKNOWN ? usd_double(o->cost_low) : (double)NAN;

    return (struct saving){useful * (now - high * w->scale),
                           useful * (now - usd_double(o->cost) * w->scale),
                           useful * (now - low * w->scale)};
}

static bool same_market(const struct advise_work *w, const struct advise_option *o)
{
    return str_eq(w->market, str_from(market_names[o->market]));
}

/* ---- right-sizing ---- */

/* The cheapest machine of the same provider and market with another GPU. */
static const struct advise_option *other_gpu(const struct advise_work *w, bool faster)
{
    const struct advise_option *o = w->options.at;

    for (size_t i = 0; i < w->options.len; i++)
        if (str_eq(o[i].provider, w->provider) && same_market(w, &o[i]) &&
            !str_eq(o[i].gpu, w->gpu) && (!faster || o[i].time < 1))
            return &o[i];
    return NULL;
}

static bool find_right_size(struct advising *a, struct error *err)
{
    const struct advise_work *w = a->work;
    enum right_size size = right_size_of(busy_utilization(w), w->memory_used);
    const struct advise_option *o;
    struct finding_draft d;

    if (size == SIZE_UNKNOWN || size == SIZE_GOOD || always_fails(w))
        return true;
    o = other_gpu(w, size == SIZE_LARGER);
    if (o == NULL)
        return true;
    d = finding_begin(a);
    write_machine_use(w, &d.evidence);
    buf_adds(&d.evidence, ": ");
    buf_adds(&d.evidence, right_size_words[size]);
    buf_adds(&d.action, "stint run --offer ");
    buf_add(&d.action, o->offer);
    buf_addf(&d.action, ":%s -- COMMAND", market_names[o->market]);
    buf_adds(&d.method, "the same work on ");
    write_machine_option(a, o, &d.method);
    buf_addf(&d.method, "; time by %s; 80 %% range of price and time",
             o->estimated ? "the estimator" : "data sheets");
    if (o->usable_gb > 0 && o->need_gb > 0)
        buf_addf(&d.method,
                 "; its memory: at most %.3g of %.3g GB needed (90th percentile), %s left",
                 o->need_gb, o->usable_gb, percent_text(1 - o->need_gb / o->usable_gb).text);
    d.saving = option_saving(w, o);
    d.risk = advise_risk_of_time(d.risk, o->time);
    if (size == SIZE_LARGER && !o->estimated) {
        buf_adds(&d.method,
                 "; the speedup is from data sheets and uncertain, so the savings may be zero");
        d.saving.low = 0;
    }
    return finding_end(a, &d, err);
}

/* ---- another provider or region ---- */

/* Another GPU of the same provider is right-sizing where the matrix asks for it. */
static bool is_right_sizing(const struct advise_work *w, const struct advise_option *o)
{
    enum right_size size = right_size_of(busy_utilization(w), w->memory_used);

    return str_eq(o->provider, w->provider) && !str_eq(o->gpu, w->gpu) && size != SIZE_GOOD &&
           size != SIZE_UNKNOWN;
}

static bool is_place(const struct advise_work *w, const struct advise_option *o)
{
    return same_market(w, o) && !str_eq(o->offer, w->offer) && !is_right_sizing(w, o);
}

/* Of the places that can be relied on, with an account and a price that is not old, the one
 * that saves most for certain; else the cheapest of all. */
static const struct advise_option *other_place(const struct advise_work *w)
{
    const struct advise_option *o = w->options.at, *cheapest = NULL, *sure = NULL;
    double most = FINDING_LEAST * machine_money(w);

    for (size_t i = 0; i < w->options.len; i++) {
        if (!is_place(w, &o[i]))
            continue;
        cheapest = cheapest == NULL ? &o[i] : cheapest;
        if (o[i].account && !o[i].stale && option_saving(w, &o[i]).low > most) {
            most = option_saving(w, &o[i]).low;
            sure = &o[i];
        }
    }
    return sure != NULL ? sure : cheapest;
}

static bool find_cheaper_place(struct advising *a, struct error *err)
{
    const struct advise_work *w = a->work;
    const struct advise_option *o = other_place(w);
    double move;
    bool near;
    struct finding_draft d;

    if (o == NULL || w->electricity || always_fails(w))
        return true;
    near = str_eq(o->provider, w->provider) && str_eq(o->region, w->region);
    move = near ? 0 : machine_dollars(w->egress);
    d = finding_begin(a);
    write_machine_use(w, &d.evidence);
    buf_adds(&d.evidence, " at ");
    buf_add(&d.evidence, w->offer);
    buf_adds(&d.action, "stint run --offer ");
    buf_add(&d.action, o->offer);
    buf_addf(&d.action, ":%s -- COMMAND", market_names[o->market]);
    buf_adds(&d.method, "the same work on ");
    write_machine_option(a, o, &d.method);
    if (!o->account) {
        buf_adds(&d.method, "; you have no known account there ('providers' in the "
                            "configuration lists yours), so the savings may be zero");
    } else if (o->stale) {
        buf_adds(&d.method, "; the price is old, so the savings may be zero");
    } else if (near) {
        buf_adds(&d.method, "; the data is there");
    } else if (w->egress.nano != MONEY_UNKNOWN) {
        buf_addf(&d.method, "; moving %s GB of data there once: ", num_about(w->data_gb).text);
        usd_write_estimate(usd_from(move), &d.method);
    } else {
        buf_adds(&d.method,
                 "; the cost of moving the data there is unknown, so the savings may be zero");
    }
    d.saving = option_saving(w, o);
    d.saving.low = (near || w->egress.nano != MONEY_UNKNOWN) && o->account && !o->stale
                       ? d.saving.low - move
                       : 0;
    d.saving.mid -= move;
    d.saving.high -= move;
    return finding_end(a, &d, err);
}

/* ---- the same machine in another region ---- */

/* Its data is moved there once. */
static void take_move_of_data(const struct advise_work *w, struct finding_draft *d)
{
    double move = machine_dollars(w->egress);

    if (w->egress.nano != MONEY_UNKNOWN) {
        buf_addf(&d->method, "; moving %s GB of data there once: ", num_about(w->data_gb).text);
        usd_write_estimate(usd_from(move), &d->method);
    } else {
        buf_adds(&d->method,
                 "; what moving the data costs is not known: range from half of it");
        d->saving.low /= 2;
    }
    d->saving.low -= move;
    d->saving.mid -= move;
    d->saving.high -= move;
}

static bool find_cheaper_region(struct advising *a, struct error *err)
{
    const struct advise_work *w = a->work;
    const struct advise_region *r = &w->region_best;
    double saved = useful_money(w) * (1 - r->share);
    struct finding_draft d;

    if (!(r->share > 0) || always_fails(w))
        return true;
    d = finding_begin(a);
    write_machine_use(w, &d.evidence);
    buf_adds(&d.evidence, " at ");
    buf_add(&d.evidence, w->offer);
    buf_addf(&d.evidence, "; the same machine costs %s less elsewhere",
             percent_text(1 - r->share).text);
    buf_adds(&d.action, "stint run --offer ");
    buf_add(&d.action, r->offer);
    buf_adds(&d.action, ":on-demand -- COMMAND");
    buf_adds(&d.method, "price from ");
    day_write(r->date, &d.method);
    d.saving = (struct saving){saved, saved, saved};
    take_move_of_data(w, &d);
    if (w->serves) {
        buf_adds(&d.method, "; a service must be near its users, so the savings may be zero");
        d.saving.low = 0;
    }
    return finding_end(a, &d, err);
}

/* ---- spot ---- */

/* Machines that serve it at once, on average: at least one. */
static double replicas_now(const struct advising *a)
{
    double period = a->facts->from.s >= 0 && a->facts->until.s > a->facts->from.s
                        ? (double)(a->facts->until.s - a->facts->from.s) / SECONDS_PER_HOUR
                        : INFINITY;

    return fmax(1, span_in_hours(a->work->time) / period);
}

/* The time on spot, over the time without interruptions. With checkpoints an interruption costs
 * a restart; without, the run begins again, having lost half of itself on average. A service
 * must answer meanwhile: it needs one replica more than now. */
static double spot_time_on_machine(const struct advising *a, double losses)
{
    const struct advise_work *w = a->work;
    double hours = span_in_hours(w->mean_time), lost = 1 - exp(-losses);

    if (w->serves)
        return 1 + 1 / replicas_now(a) + losses * SPOT_RESTART_HOURS / hours;
    if (w->checkpoints || hours > SPOT_SHORT_HOURS) /* long runs are to save some first */
        return 1 + losses * SPOT_RESTART_HOURS / hours;
    return lost < 1 ? 1 + 0.5 * lost / (1 - lost) : INFINITY;
}

static double spot_saving_on_machine(const struct advising *a, double losses)
{
    const struct advise_spot *s = &a->work->spot;
    double share = usd_per_hour_double(s->spot) / usd_per_hour_double(s->on_demand);

    return useful_money(a->work) * (1 - share * spot_time_on_machine(a, losses));
}

static void write_spot_action(const struct advise_work *w, struct buf *out)
{
    if (w->serves)
        buf_adds(out, "one replica more behind a load balancer, each on spot, and on demand "
                      "while spot is sold out: ");
    else if (!w->checkpoints)
        buf_adds(out, "save checkpoints and resume from them, then: ");
    buf_adds(out, "stint run --offer ");
    buf_add(out, w->spot.elsewhere ? w->spot.offer : w->offer);
    buf_adds(out, ":spot -- COMMAND");
}

static void write_spot_method(const struct advising *a, struct buf *out)
{
    const struct advise_work *w = a->work;
    double more = 100 * (spot_time_on_machine(a, w->spot.losses) - 1);

    buf_adds(out, "spot price from ");
    day_write(w->spot.date, out);
    if (w->serves)
        buf_addf(out,
                 ", %.0f %% more machine time: one replica more than the %.3g now, 10 min for "
                 "each restart; range: the 80 %% range of interruptions, ",
                 more, replicas_now(a));
    else
        buf_addf(out, ", %.0f %% more time for interruptions (%s); range: their 80 %% range, ",
                 more,
                 w->checkpoints || span_in_hours(w->mean_time) > SPOT_SHORT_HOURS
                     ? "10 min for each restart"
                     : "the run begins again");
    buf_add(out, w->spot.method);
}

/* A run that saves checkpoints, or is short, loses little with its machine. */
static bool spot_is_safe(const struct advise_work *w)
{
    return !w->serves && (w->checkpoints || span_in_hours(w->mean_time) <= SPOT_SHORT_HOURS);
}

static bool find_machine_spot(struct advising *a, struct error *err)
{
    const struct advise_work *w = a->work;
    const struct advise_spot *s = &w->spot;
    struct finding_draft d;

    if (!str_eq(w->market, STR("on-demand")) || !(s->spot.nano > 0) ||
        !(s->on_demand.nano > 0) || isnan(s->losses) || !(w->mean_time.ns > 0) ||
        w->interactive == w->runs || always_fails(w))
        return true;
    d = finding_begin(a);
    write_machine_use(w, &d.evidence);
    buf_adds(&d.evidence, " on demand; spot is ");
    usd_per_hour_write(s->spot, &d.evidence);
    if (s->elsewhere) {
        buf_adds(&d.evidence, " at ");
        buf_add(&d.evidence, s->offer);
    }
    buf_adds(&d.evidence, " instead of ");
    usd_per_hour_write(s->on_demand, &d.evidence);
    buf_addf(&d.evidence, ", %.2g interruptions expected in a run", s->losses);
    if (w->serves)
        buf_adds(&d.evidence, "; it serves");
    write_spot_action(w, &d.action);
    write_spot_method(a, &d.method);
    d.saving = (struct saving){spot_saving_on_machine(a, s->losses_high),
                               spot_saving_on_machine(a, s->losses),
                               spot_saving_on_machine(a, s->losses_low)};
    if (s->elsewhere)
        take_move_of_data(w, &d);
    if (!(d.saving.mid > 0)) { /* it pays where machines last longer than on average */
        d.saving = (struct saving){0, d.saving.high, d.saving.high};
        buf_adds(
            &d.method,
            "; the savings assume few interruptions; with the average number they are zero");
    }
    if (!spot_is_safe(w)) {
        buf_adds(&d.method, w->serves ? "; a service must answer while a machine is replaced"
                                      : "; no checkpoint of these long runs is known");
        buf_adds(&d.method, ", so the savings may be zero");
        d.saving.low = 0;
    }
    d.risk = w->checkpoints && !w->serves ? RISK_LOW : RISK_MEDIUM;
    d.effort = w->serves ? EFFORT_DAYS : w->checkpoints ? EFFORT_MINUTES : EFFORT_HOURS;
    return finding_end(a, &d, err);
}

/* ---- a cheaper hour ---- */

static bool find_cheaper_hour(struct advising *a, struct error *err)
{
    const struct advise_work *w = a->work;
    struct finding_draft d;

    if (!(w->hour_now > 0) || !(w->hour_best < w->hour_now))
        return true;
    d = finding_begin(a);
    write_machine_use(w, &d.evidence);
    buf_addf(&d.evidence, "; prices when it ran were %.3g times the week's mean", w->hour_now);
    buf_adds(&d.action, "start it ");
    buf_add(&d.action, w->hour_when);
    buf_addf(&d.method, "%.3g times the week's mean then, as measured", w->hour_best);
    d.saving.mid = useful_money(w) * (1 - w->hour_best / w->hour_now);
    d.saving.low = 0.5 * d.saving.mid; /* half of the runs can wait */
    return finding_end(a, &d, err);
}

/* ---- more GPUs that do not pay ---- */

/* Runs that ended well with this many GPUs. */
struct scale {
    int64_t gpus, runs;
    double cost, hours;
};

#define SCALES_MAX 16

static size_t list_scales(const struct advise_work *w, struct scale *out)
{
    const struct advise_run *const *runs = w->list.at;
    size_t count = 0, k;

    for (size_t i = 0; i < w->list.len; i++) {
        if (runs[i]->ending != ENDED_WELL || runs[i]->gpus < 1 || !str_eq(runs[i]->gpu, w->gpu))
            continue;
        for (k = 0; k < count && out[k].gpus != runs[i]->gpus; k++)
            ;
        if (k == SCALES_MAX)
            continue;
        if (k == count)
            out[count++] = (struct scale){.gpus = runs[i]->gpus};
        out[k].runs++;
        out[k].cost += machine_dollars(runs[i]->cost);
        out[k].hours += runs[i]->hours;
    }
    return count;
}

static double mean_cost(const struct scale *s)
{
    return s->cost / (double)s->runs;
}

static bool find_scale(struct advising *a, struct error *err)
{
    const struct advise_work *w = a->work;
    struct scale scales[SCALES_MAX];
    size_t count = list_scales(w, scales), best = 0;
    double saving = 0;
    const struct scale *most = NULL;
    struct finding_draft d;

    for (size_t i = 0; i < count; i++)
        if (scales[i].runs >= SCALE_RUNS && (scales[best].runs < SCALE_RUNS ||
                                             mean_cost(&scales[i]) < mean_cost(&scales[best])))
            best = i;
    for (size_t i = 0; i < count; i++)
        if (scales[i].gpus > scales[best].gpus && scales[i].runs >= SCALE_RUNS &&
            scales[best].runs >= SCALE_RUNS) {
            saving += scales[i].cost - (double)scales[i].runs * mean_cost(&scales[best]);
            if (most == NULL || scales[i].gpus > most->gpus)
                most = &scales[i];
        }
    if (most == NULL)
        return true;
    d = finding_begin(a);
    buf_addf(&d.evidence, "%lld runs on %lld GPUs cost ", (long long)most->runs,
             (long long)most->gpus);
    usd_write_estimate(usd_from(mean_cost(most)), &d.evidence);
    buf_adds(&d.evidence, " each in ");
    span_write(span_hours(most->hours / (double)most->runs), &d.evidence);
    buf_addf(&d.evidence, ", %lld on %lld ", (long long)scales[best].runs,
             (long long)scales[best].gpus);
    usd_write_estimate(usd_from(mean_cost(&scales[best])), &d.evidence);
    buf_adds(&d.evidence, " in ");
    span_write(span_hours(scales[best].hours / (double)scales[best].runs), &d.evidence);
    buf_addf(&d.action, "run it on %lld GPU%s when the time allows it",
             (long long)scales[best].gpus, scales[best].gpus == 1 ? "" : "s");
    buf_adds(&d.method, "runs on more GPUs at the mean cost of those; range: half of them");
    d.saving = (struct saving){saving * w->scale / 2, saving * w->scale, NAN};
    return finding_end(a, &d, err);
}

/* ---- slower than estimated ---- */

/* Training beyond the estimate; stalls, idle time and the like have rules of their own. */
static double beyond_estimate(const struct advise_work *w, double estimate)
{
    double steps = w->money.part[PART_TRAIN] + w->money.part[PART_UNSEEN];

    return fmax(0, steps - machine_money(w) / w->slowdown * estimate);
}

static bool find_slow(struct advising *a, struct error *err)
{
    const struct advise_work *w = a->work;
    struct finding_draft d;

    if (!(w->slowdown > 0) || !(1 / w->slowdown < ESTIMATE_RATIO))
        return true;
    d = finding_begin(a);
    buf_addf(
        &d.evidence, "%lld run%s took %.2g times as long as estimated (efficiency %.0f %%)",
        (long long)w->estimates, w->estimates == 1 ? "" : "s", w->slowdown, 100 / w->slowdown);
    buf_adds(&d.action, "'stint why ");
    buf_add(&d.action, w->name);
    buf_adds(&d.action, "' shows where the time went; 'stint tune -- COMMAND' finds the batch "
                        "size with the lowest cost");
    buf_adds(&d.method,
             "cost of steps beyond the estimate; range: an estimate 20 % higher, 20 % "
             "lower");
    d.saving = (struct saving){beyond_estimate(w, 1 + ESTIMATE_ERROR), beyond_estimate(w, 1),
                               beyond_estimate(w, 1 - ESTIMATE_ERROR)};
    return finding_end(a, &d, err);
}

/* ---- expensive runs ---- */

/* The last runs of all works. */
static size_t last_runs(const struct advise_facts *facts, const struct advise_run **out)
{
    const struct advise_work *works = facts->works.at;
    size_t count = 0;

    for (size_t w = 0; w < facts->works.len; w++) {
        const struct advise_run *const *runs = works[w].list.at;

        for (size_t i = 0; i < works[w].list.len; i++) {
            size_t at = count;

            while (at > 0 && out[at - 1]->started.s < runs[i]->started.s)
                at--;
            if (at >= EXPENSIVE_RUNS)
                continue;
            count += count < EXPENSIVE_RUNS;
            for (size_t k = count - 1; k > at; k--)
                out[k] = out[k - 1];
            out[at] = runs[i];
        }
    }
    return count;
}

static bool find_expensive(struct advising *a, struct error *err)
{
    const struct advise_run *runs[EXPENSIVE_RUNS];
    const struct advise_work *works = a->facts->works.at;
    size_t count, above = 0;
    double limit = usd_double(a->facts->limit), excess = 0;
    struct finding_draft d;

    if (!(limit > 0))
        return true;
    count = last_runs(a->facts, runs);
    for (size_t i = 0; i < count; i++)
        if (machine_dollars(runs[i]->cost) > limit) {
            above++;
            excess += machine_dollars(runs[i]->cost) - limit;
        }
    if (!((double)above > EXPENSIVE_SHARE * (double)count))
        return true;
    d = finding_begin(a);
    buf_addf(&d.evidence, "%zu of the last %zu runs cost more than ", above, count);
    usd_write(a->facts->limit, &d.evidence);
    buf_adds(&d.action, "stint run --budget ");
    num_write(limit, &d.action);
    buf_adds(&d.action, "usd -- COMMAND stops a run there, with its last checkpoint saved");
    buf_adds(&d.method,
             "what these runs cost beyond that amount; range: for half of them it is "
             "worth more");
    d.saving.mid = excess * works[0].scale;
    d.saving.low = d.saving.mid / 2;
    return finding_end(a, &d, err);
}

/* ---- commitments ---- */

/* How much of the hours it ran: the steadiest work fills a commitment first. */
static double steadiness(const struct advise_facts *facts, const struct advise_work *w)
{
    double share = span_in_hours(w->time) / facts->commitment.hours;

    return str_eq(w->market, STR("on-demand")) && share > 0 ? fmin(1, share) : 0;
}

/* The steadiest work that is not taken yet; their number: there is none. */
static size_t steadiest_work(const struct advise_facts *facts, const bool *taken)
{
    const struct advise_work *works = facts->works.at;
    size_t best = facts->works.len;

    for (size_t i = 0; i < facts->works.len; i++)
        if (!taken[i] && steadiness(facts, &works[i]) > 0 &&
            (best == facts->works.len ||
             steadiness(facts, &works[i]) > steadiness(facts, &works[best])))
            best = i;
    return best;
}

/* What a commitment saves of each subject. It covers the steady load, so it goes to on-demand
 * works in the order of their steadiness, each as far as it is covered, and then to what is of
 * no work. NULL with the error set when memory runs out. */
#define COMMITTED_REST (PART_BIT(PART_UNSEEN) | PART_BIT(PART_UNUSED))
#define MOVED_REST \
    (PART_BIT(PART_FOR_SPOT) | PART_BIT(PART_FOR_REGION) | PART_BIT(PART_FOR_NEWER) | \
     PART_BIT(PART_FOR_NIGHTS))
static const double *commitment_by_subject(const struct advising *a, double saving,
                                           struct error *err)
{
    const struct advise_facts *facts = a->facts;
    const struct advise_work *works = facts->works.at;
    size_t count = facts->works.len, rest = count + (facts->job != NULL), at;
    double *out = arena_array(a->arena, double, count + 2, err);
    bool *taken = arena_array(a->arena, bool, count + 1, err);
    double load = usd_per_hour_double(facts->commitment.commit) * HOURS_PER_MONTH, covered = 0;
    double moved; /* of machines that are to be on spot, elsewhere, newer, or off at night */

    if (out == NULL || taken == NULL)
        return NULL;
    while (load > covered && (at = steadiest_work(facts, taken)) < count) {
        taken[at] = true;
        out[at] = fmin(load - covered, useful_money(&works[at]));
        covered += out[at];
    }
    /* Beside works: those that were not looked at, and machines of accounts without runs. */
    out[rest] = fmax(0, fmin(load - covered, advise_money_sum(&facts->rest, COMMITTED_REST)));
    covered += out[rest];
    /* The part of the load that other findings may make cheaper is not committed to; what they
     * make cheaper for certain is not in the load. */
    moved = fmax(0, advise_money_sum(&facts->rest, MOVED_REST) -
                        facts->commitment.left_out * facts->bills.scale);
    for (size_t i = 0; i <= rest; i++)
        out[i] *=
            covered > 0 ? saving / (moved > 0 ? fmin(load, covered + moved) : covered) : 0;
    return out;
}

static bool find_commitment(struct advising *a, struct error *err)
{
    const struct advise_commitment *c = &a->facts->commitment;
    const double *by_subject;
    struct finding_draft d;

    if (!(c->saving_low.nano > 0))
        return true;
    by_subject = commitment_by_subject(a, usd_double(c->saving) / 12, err);
    if (by_subject == NULL)
        return false;
    d = finding_begin(a);
    d.by_subject = by_subject;
    buf_addf(&d.evidence, "%.0f hours of load; a commitment of ", c->hours);
    usd_per_hour_write(c->commit, &d.evidence);
    buf_addf(&d.evidence, " for %lld months would be used for %s", (long long)c->term_months,
             percent_text(c->utilization).text);
    if (c->left_out > 0) {
        buf_adds(&d.evidence, "; ");
        usd_write(usd_about(c->left_out * a->facts->bills.scale), &d.evidence);
        buf_adds(&d.evidence, " a month of machines that other findings move is left out");
    }
    buf_adds(&d.action, "'stint commitments' shows what to buy, what is owed, and what happens "
                        "when the load falls");
    buf_adds(&d.method, "the exact optimum over the hours observed, at the lower published "
                        "discount; its saving at the middle of the published range");
    d.saving.mid = usd_double(c->saving) / 12;
    d.saving.low = usd_double(c->saving_low) / 12;
    d.saving.high = usd_double(c->saving_high) / 12;
    d.source = c->source;
    return finding_end(a, &d, err);
}

/* ---- the table ---- */

static const struct advise_rule rules[] = {
    {.name = "right-size",
     .title = "use a GPU that fits",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_MINUTES,
     .risk = RISK_LOW,
     .lever = LEVER_MACHINE,
     .parts = PARTS_USEFUL,
     .uses = "GPU utilization and peak GPU memory of a job; prices and times of other GPUs "
             "of its provider",
     .applies =
         "utilization below 30 % or 60 % with memory below 40 % or 60 % (a smaller GPU), "
         "utilization below 60 % with more memory (as much memory, fewer cores), both "
         "above 85 % (a larger GPU); and the other GPU costs less",
     .computed = "cost of the same work there: today's price, time by data sheets, set-up "
                 "included",
     .source = "decision matrix of the ML Cost Optimization guide, its gaps closed",
     .find = find_right_size},
    {.name = "cheaper-place",
     .title = "use a cheaper machine elsewhere",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_HOURS,
     .risk = RISK_MEDIUM,
     .lever = LEVER_MACHINE,
     .parts = PARTS_USEFUL,
     .uses = "today's prices of all providers for machines with enough memory",
     .applies = "the same work costs less elsewhere, in the same market",
     .computed = "cost there, set-up included, and what moving the data that a run reads costs "
                 "at the present provider's egress price; where that is not known, the range "
                 "begins at nothing",
     .source = "prices of the store and the catalog",
     .find = find_cheaper_place},
    {.name = "cheaper-region",
     .title = "use the same machine in a cheaper region",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_HOURS,
     .risk = RISK_LOW,
     .lever = LEVER_MACHINE,
     .parts = PARTS_USEFUL,
     .uses = "on-demand prices of the job's machine type in other regions of its provider",
     .applies = "it costs 5 % less or more there",
     .computed = "the difference, less what moving the data that a run reads costs; where that "
                 "is not known, the range begins at half",
     .source = "prices of the store and the catalog",
     .find = find_cheaper_region},
    {.name = "spot",
     .title = "use spot machines",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_MINUTES,
     .risk = RISK_LOW,
     .lever = LEVER_MACHINE,
     .parts = PARTS_USEFUL,
     .uses = "spot and on-demand price of the job's own machine, also in other regions; "
             "interruptions of its "
             "provider's machines",
     .applies = "it runs on demand, and spot costs less with its interruptions",
     .computed = "spot price x (1 + time lost): 10 min for each interruption with checkpoints, "
                 "half a run for each lost one without; a service needs one replica more",
     .source = "interruption model of watched machines ('stint spot risk')",
     .find = find_machine_spot},
    {.name = "cheaper-hour",
     .title = "start at a cheaper hour",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_MINUTES,
     .risk = RISK_NONE,
     .lever = LEVER_HOUR,
     .parts = PARTS_USEFUL,
     .uses = "measured patterns of prices by day and hour, and when runs began",
     .applies = "a pattern is measured for the provider and market, and saves 1 % or more",
     .computed = "mean multiplier of the hours of the runs against the lowest",
     .source = "table price_hours of the catalog ('stint catalog show price_hours')",
     .find = find_cheaper_hour},
    {.name = "fewer-gpus",
     .title = "use fewer GPUs",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_MINUTES,
     .risk = RISK_LOW,
     .lever = LEVER_MACHINE,
     .parts = PARTS_USEFUL,
     .uses = "runs of a job on different numbers of one GPU",
     .applies = "2 runs or more of each ended well, and fewer GPUs cost less for a run",
     .computed = "runs on more GPUs at the mean cost of those on fewer",
     .source = "measured",
     .find = find_scale},
    {.name = "slower-than-estimated",
     .title = "find what makes steps slow",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_HOURS,
     .risk = RISK_NONE,
     .lever = LEVER_KERNELS,
     .parts = PART_BIT(PART_TRAIN) | PART_BIT(PART_UNSEEN),
     .uses = "measured and estimated time of runs with an estimate",
     .applies = "estimated over measured time is below 70 %",
     .computed = "cost of steps beyond the estimate",
     .source = "efficiency threshold of the LoRA cost guide (70 %)",
     .find = find_slow},
    {.name = "expensive-runs",
     .title = "stop runs at a budget",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_MINUTES,
     .risk = RISK_HIGH,
     .lever = LEVER_STEPS,
     .scope = SCOPE_PERIOD,
     .parts = PARTS_MACHINE,
     .uses = "cost of the last 20 runs, and the amount given with --expensive",
     .applies = "more than 30 % of them cost more than that amount",
     .computed = "their cost beyond it",
     .source = "rule of the LoRA cost guide (20 runs, 30 %)",
     .find = find_expensive},
    {.name = "commitment",
     .title = "commit to the steady part",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_HOURS,
     .risk = RISK_MEDIUM,
     .lever = LEVER_MACHINE,
     .scope = SCOPE_PERIOD,
     .parts = PARTS_USEFUL | PART_BIT(PART_UNUSED),
     .uses = "the load hour by hour, and published discounts",
     .applies = "'stint commitments' recommends one",
     .computed = "a year's saving at the middle of the published discounts, divided by 12",
     .source = "table commitments of the catalog",
     .find = find_commitment},
};

const struct advise_rules advise_machine_rules = ADVISE_RULES(rules);
