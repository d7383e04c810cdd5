#include "spot/mix.h"

#include <math.h>

#include "spot/hazard.h"

#define HOUR 3600.0

/* Begun anew until a machine lasts for all of it: each try costs as much of a life as falls
 * into the job's time. */
static double cost_of_tries(const struct mix_job *job, const struct mix_machine *m)
{
    struct hazard h = hazard_of(m->life->lose);
    double hours = (job->work + m->delay) / HOUR, lasts = hazard_survive(&h, hours);

    return lasts > 1e-6 ? m->spot * job->gang * hazard_mean(&h, hours) / lasts : INFINITY;
}

static bool ask(const struct mix_job *job, const struct mix_machine *m, struct arena *scratch,
                struct outlook *out, struct error *err)
{
    struct outlook_ask question = {
        .job = {.work = job->work,
                .deadline = job->deadline,
                .delay = m->delay,
                .gang = job->gang,
                .by_second = true,
                .save_takes = m->save_takes,
                .notice = m->notice},
        .spot = m->spot,
        .on_demand = m->on_demand,
        .life = m->life,
        .policy = m->policy,
        .seed = m->seed,
        .runs = m->runs,
    };

    return outlook_run(&question, scratch, out, err);
}

static void on_demand(struct mix_choice *out, enum mix_reason reason)
{
    out->spot = false;
    out->reason = reason;
    out->usd = out->on_demand_usd;
}

bool mix_choose(const struct mix_job *job, const struct mix_machine *machine,
                struct arena *scratch, struct mix_choice *out, struct error *err)
{
    double seconds = job->work + machine->delay;
    struct outlook o;

    *out = (struct mix_choice){.usd_p90 = NAN, .spot_usd = NAN};
    out->on_demand_usd = machine->on_demand * job->gang * seconds / HOUR;
    if (job->deadline > 0 && job->deadline < seconds) {
        error_set(err, ERROR_UNFIT, "not even on-demand makes a deadline of %.4g h",
                  job->deadline / HOUR);
        error_hint(err, "the earliest that can be promised is %.4g h", seconds / HOUR);
        return false;
    }
    if (job->critical) {
        on_demand(out, MIX_CRITICAL);
        return true;
    }
    if (job->once) {
        /* Nothing bounds its time: with a deadline it cannot be promised. */
        out->spot_usd = cost_of_tries(job, machine);
        if (job->deadline > 0)
            on_demand(out, MIX_TIGHT);
        else if (out->spot_usd >= out->on_demand_usd)
            on_demand(out, MIX_DEARER);
        else
            *out = (struct mix_choice){.spot = true,
                                       .usd = out->spot_usd,
                                       .usd_p90 = NAN,
                                       .spot_usd = out->spot_usd,
                                       .on_demand_usd = out->on_demand_usd};
        return true;
    }
    if (!ask(job, machine, scratch, &o, err)) {
        if (err->kind != ERROR_UNFIT)
            return false;
        *err = (struct error){0}; /* saving does not fit, but without it on-demand does */
        on_demand(out, MIX_TIGHT);
        return true;
    }
    out->spot_usd = o.usd;
    if (o.worth) {
        out->spot = true;
        out->usd = o.usd;
        out->usd_p90 = o.usd_p90;
    } else {
        on_demand(out, o.usd < o.on_demand_usd ? MIX_UNSURE : MIX_DEARER);
    }
    return true;
}
