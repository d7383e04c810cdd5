/* Rules about power, for those who pay for it: machines of one's own. */
#include <math.h>

#include "advise/rules/rule.h"
#include "base/num.h"
#include "estimate/kernels/power_limit.h"
#include "estimate/money/energy.h"
#include "unit/shown.h"

#define WATTS_LEAST 0.7 /* of the board's limit: below, clocks are not what it waits for */
#define SLOWER_MOST 1.05
#define LIMIT_STEP 5   /* percent of the board's limit */
#define LIMIT_LEAST 50 /* percent: drivers refuse much less */

static const struct accelerator *power_gpu(const struct advising *a)
{
    enum name_match match;
    const struct catalog *catalog = a->facts->catalog;

    return catalog != NULL && a->work->gpu.len > 0
               ? accelerator_search(catalog, a->work->gpu, &match)
               : NULL;
}

/* The share of the machine's energy that its boards take. */
static double boards_share(const struct advising *a, const struct accelerator *gpu)
{
    const struct advise_work *w = a->work;

    if (w->gpu_energy > 0 && w->gpu_energy <= 1)
        return w->gpu_energy;
    return w->watts * (double)w->gpus /
           node_watts(gpu, w->gpus, w->watts, false, a->facts->constants);
}

/* Energy of the machine under the limit, of what it takes now: boards draw less, and all of it
 * for longer. */
static double energy_left(double share, double draw, double time)
{
    return (share * draw + 1 - share) * time;
}

/* The limit that saves most of those that slow steps down by 5 % at most; NaN: none does. */
static double best_limit(const struct advising *a, const struct accelerator *gpu, double share)
{
    double best = NAN, least = 1;

    for (int percent = 100; percent >= LIMIT_LEAST; percent -= LIMIT_STEP) {
        double limit = percent * gpu->tdp_w / 100;
        struct limited_time t = limited_time(gpu, a->work->watts, limit, a->facts->constants);
        double left = energy_left(share, limit / a->work->watts, t.expected);

        if (limit < a->work->watts && t.expected <= SLOWER_MOST && left < least) {
            least = left;
            best = limit;
        }
    }
    return best;
}

static bool add_limit(struct advising *a, const struct accelerator *gpu, double limit,
                      double share, struct error *err)
{
    const struct advise_work *w = a->work;
    struct limited_time t = limited_time(gpu, w->watts, limit, a->facts->constants);
    double money = advise_money_sum(a->money, a->rule->parts), draw = limit / w->watts;
    double all = advise_money_sum(a->money, PARTS_MACHINE);
    double hours = span_in_hours(w->time) * w->scale * money / all;
    double saved = money * (1 - energy_left(share, draw, t.expected));
    struct finding_draft d = finding_begin(a);

    buf_addf(&d.evidence,
             "%lld run%s, %s GPU-hours of %.*s at %.0f of %.0f W; electricity is paid",
             (long long)w->runs, w->runs == 1 ? "" : "s",
             num_about(span_in_hours(w->gpu_time)).text, STR_ARG(w->gpu), w->watts, gpu->tdp_w);
    buf_addf(&d.action, "sudo nvidia-smi -pl %.0f, on the machine (until it is started again)",
             limit);
    buf_addf(&d.method, "steps take %s more time (%.1f to %s), %s h a ",
             percent_text(t.expected - 1).text, 100 * (t.low - 1),
             percent_text(t.high - 1).text, num_about(hours * (t.expected - 1)).text);
    buf_add(&d.method, a->facts->per);
    buf_addf(&d.method,
             "; GPUs are %s of the machine's energy and draw %s less; electricity "
             "only: it pays while an hour of waiting is worth less than ",
             percent_text(share).text, percent_text(1 - draw).text);
    usd_write_estimate(usd_from(saved / (hours * (t.expected - 1))), &d.method);
    d.saving = (struct saving){money * (1 - energy_left(share, draw, t.high)), saved,
                               money * (1 - energy_left(share, draw, t.low))};
    return finding_end(a, &d, err);
}

static bool find_limit(struct advising *a, struct error *err)
{
    const struct advise_work *w = a->work;
    const struct accelerator *gpu = power_gpu(a);
    double share, limit;

    if (!w->electricity || gpu == NULL || a->facts->constants == NULL || w->gpus < 1 ||
        !str_eq(gpu->vendor, STR("NVIDIA")) || !(w->watts >= WATTS_LEAST * gpu->tdp_w) ||
        !(w->watts <= 1.5 * gpu->tdp_w))
        return true;
    share = boards_share(a, gpu);
    limit = best_limit(a, gpu, share);
    return isnan(limit) || add_limit(a, gpu, limit, share, err);
}

static const struct advise_rule rules[] = {
    {.name = "power-limit",
     .title = "limit the power of GPUs",
     .category = ADVISE_CARBON,
     .effort = EFFORT_MINUTES,
     .risk = RISK_LOW,
     .lever = LEVER_POWER,
     .parts = PART_BIT(PART_TRAIN) | PART_BIT(PART_UNSEEN),
     .uses = "power of GPUs during steps; only where you pay for electricity",
     .applies = "GPUs of NVIDIA that draw 70 % of their limit or more",
     .computed = "energy of the machine under the limit that saves most of those that take 5 % "
                 "more time at most; range: published slowdowns",
     .source = "constants power_limit of the catalog: three published measurements",
     .find = find_limit},
};

const struct advise_rules advise_power_rules = ADVISE_RULES(rules);
