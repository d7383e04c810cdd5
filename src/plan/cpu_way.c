/* Training on a machine without a GPU, where the model is so small that it costs no more. */
#include "plan/cpu_way.h"

#include <math.h>

#include "estimate/serving/cpu.h"
#include "estimate/step/cpu_step.h"
#include "estimate/step/step.h"
#include "plan/deploy_internal.h"

#define MOST_FLOP 1e17       /* of a job: a day on 16 vCPUs */
#define NOT_MUCH_MORE 1.25   /* of the best plan's cost: what is worth naming */
#define AS_CHEAP 1.05        /* of the lowest cost, within which the fastest is taken */
#define STATE_GIB_BYTES 20.0 /* of memory for a parameter, with gradients and states */
#define LEAST_GIB 2.0        /* PyTorch, data, activations */

/* A machine that would do. */
struct cpu_way {
    const struct machine *machine;
    double hours, work_h, usd;
};

struct cpu_ways {
    struct choosing at;
    const struct plan *best;
    struct cpu_step step;
    double steps;
};

static struct cpu_ways cpu_ways_of(struct planning *w, const struct deploy_facts *facts,
                                   const struct plan *best, struct error *err)
{
    const struct setup *s = &best->way.setup;
    struct step step = estimate_step(s, w->constants);

    return (struct cpu_ways){.at = {.w = w, .facts = facts, .job = w->job, .err = err},
                             .best = best,
                             .step = cpu_step_of(s, step.model_flop * (double)s->gpus),
                             .steps = best->way.hours * 3600 / best->way.step_s};
}

bool plan_may_be_on_cpu(struct planning *w, const struct plan *best)
{
    struct choosing c = {.w = w, .job = w->job};
    const struct setup *s = &best->way.setup;

    return !best->way.serves && w->job->arch_known && best->way.trials_parallel <= 1 &&
           s->alignment.objective == OBJECTIVE_SFT && s->method != METHOD_QLORA &&
           best->way.step_s > 0 && isfinite(best->way.hours) && !deploy_only_gpus(&c) &&
           best->place->market != MARKET_OWN;
}

static bool cpu_way_of(struct cpu_ways *c, const struct machine *m, struct cpu_way *out)
{
    const struct catalog *catalog = c->at.facts->catalog;
    const struct cpu_kind *cpu = cpu_find(catalog, m->provider, m->instance);
    const struct provider *seller = provider_find(catalog, m->provider);
    double need = LEAST_GIB + STATE_GIB_BYTES * c->step.params / (double)BYTES_PER_GIB;
    double setup_h = seller != NULL && seller->setup_s > 0 ? seller->setup_s / 3600 : 0;
    char why[DEPLOY_REASON];

    if (!m->fact.current || m->on_demand.nano == MONEY_UNKNOWN || cpu == NULL ||
        !(m->memory_gib >= need) ||
        deploy_barred(&c->at, m->provider, m->region, m->fact.date, why))
        return false;
    out->machine = m;
    out->work_h = c->steps * cpu_step_seconds(&c->step, cpu, m->vcpus) / 3600;
    out->hours = setup_h + out->work_h;
    out->usd = out->hours * usd_per_hour_double(m->on_demand);
    return true;
}

/* The fastest of those that cost little more than the cheapest; without a machine: there is
 * none. */
static void find_cpu_way(struct cpu_ways *c, struct cpu_way *out)
{
    const struct catalog *catalog = c->at.facts->catalog;
    size_t count = catalog->tables[TABLE_CPU_OFFERS].len;
    double least = INFINITY, soonest = INFINITY;
    struct cpu_way way;

    for (size_t i = 0; i < count; i++)
        if (cpu_way_of(c, CATALOG_ROW(catalog, TABLE_CPU_OFFERS, machine, i), &way))
            least = fmin(least, way.usd);
    for (size_t i = 0; i < count; i++)
        if (cpu_way_of(c, CATALOG_ROW(catalog, TABLE_CPU_OFFERS, machine, i), &way) &&
            way.usd <= AS_CHEAP * least && way.hours < soonest) {
            soonest = way.hours;
            *out = way;
        }
}

static bool cpu_row(struct cpu_ways *c, const struct cpu_way *way, struct plan_row *row)
{
    const struct machine *m = way->machine;
    struct planning *w = c->at.w;
    struct guess work = guess_of(way->work_h, CPU_SPREAD);
    double price = usd_per_hour_double(m->on_demand), setup_h = way->hours - way->work_h;

    if (!fields_reset(&plan_row_fields, row, w->arena, c->at.err) ||
        !machine_name(m->provider, m->region, STR(""), m->instance, w->arena, &row->offer,
                      c->at.err))
        return false;
    row->role = STR("on a CPU");
    row->provider = m->provider;
    row->region = m->region;
    row->instance = m->instance;
    row->market = MARKET_ON_DEMAND;
    row->gpus = 0;
    row->machines = 1;
    row->hours = (struct guess){way->hours, setup_h + work.low, setup_h + work.high};
    row->cost = usd_about(way->usd);
    row->cost_low = usd_about(price * row->hours.low);
    row->cost_high = usd_about(price * row->hours.high);
    row->price = m->on_demand;
    row->price_date = m->fact.date;
    row->price_age_days = day_of(w->now).n - m->fact.date.n;
    row->more_usd = way->usd - usd_double(c->best->total.expected);
    row->more_hours = way->hours - c->best->hours;
    row->setting = plan_words(w, c->at.err, "fp32, %.3g vCPUs", m->vcpus);
    return row->setting.at != NULL;
}

bool plan_add_cpu_way(struct planning *w, const struct deploy_facts *facts,
                      const struct plan *best, struct plan_result *res, struct error *err)
{
    struct cpu_ways c = cpu_ways_of(w, facts, best, err);
    double budget = usd_double(w->problem.limits.budget);
    struct plan_row *rows;
    struct cpu_way way = {0};

    if (!(c.step.flop * c.steps <= MOST_FLOP))
        return true;
    find_cpu_way(&c, &way);
    if (way.machine == NULL || !(way.usd <= NOT_MUCH_MORE * usd_double(best->total.expected)) ||
        way.usd > budget || way.hours > w->problem.limits.deadline_h)
        return true;
    rows = arena_array(w->arena, struct plan_row, 1, err);
    if (rows == NULL || !cpu_row(&c, &way, rows))
        return false;
    res->on_cpu = (struct rows){rows, 1};
    return true;
}
