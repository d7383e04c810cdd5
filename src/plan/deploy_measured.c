/* Machines on which the user measured how long a request takes: nothing of them is modelled but
 * the queue before them. */
#include <math.h>

#include "plan/deploy_internal.h"

struct measured_probe {
    const struct job_slo *slo;
    const struct deploy *deploy;
};

static bool measured_keeps(void *ctx, double rate)
{
    const struct measured_probe *p = ctx;
    struct serving_load load = deploy_queue(p->deploy, 1, rate);

    return serving_keeps_up(p->slo, &load);
}

/* "45 ms, batches of 8, 2 at once, 1x T4" */
static struct str measured_setting(struct choosing *c, const struct deploy_measured *m)
{
    char time[32], batch[48] = "", parallel[48] = "", gpus[64] = "";

    deploy_time_words(m->seconds, time);
    if (m->batch > 1)
        (void)snprintf(batch, sizeof batch, ", batches of %.0f", m->batch);
    if (m->concurrency > 1)
        (void)snprintf(parallel, sizeof parallel, ", %.0f at once", m->concurrency);
    if (m->accelerators > 0)
        (void)snprintf(gpus, sizeof gpus, ", %lldx %.*s", (long long)m->accelerators,
                       STR_ARG(m->accelerator));
    return plan_words(c->w, c->err, "%s%s%s%s%s", time, batch, parallel, gpus,
                      m->spot ? ", on spot" : "");
}

bool deploy_add_measured(struct choosing *c)
{
    const struct deploy_measured *m = c->facts->measured;
    struct deploy d = deploy_none(DEPLOY_MEASURED);
    struct measured_probe probe = {&c->job->infer.slo, &d};
    char why[DEPLOY_REASON], time[32];
    struct fact fact;

    if (m == NULL)
        return true;
    /* Who measured there may rent there. */
    fact = (struct fact){.date = m->date, .source = m->source, .layer = 1};
    d.offer = m->offer;
    d.product = m->instance;
    d.accelerator = m->accelerator;
    d.provider = m->provider;
    d.region = m->region;
    d.source = m->source;
    d.date = m->date;
    d.price = m->price;
    d.service_s = d.first_s = m->seconds;
    d.at_once = m->batch * m->concurrency;
    d.setting = measured_setting(c, m);
    if (m->date.n != DAY_UNKNOWN.n)
        deploy_age_price(c, &fact, &d);
    d.start_s = deploy_start_s(c, m->provider, 0);
    d.most_rate = deploy_find_most(measured_keeps, &probe, fmax(DEPLOY_LEAST_RATE, c->rate));
    if (d.setting.at == NULL)
        return false;
    if (!(d.most_rate > 0)) {
        deploy_time_words(m->seconds, time);
        deploy_why(why, "a request takes %s, longer than the latency target", time);
        return deploy_exclude(c, DEPLOY_MEASURED, d.offer, why);
    }
    d.warm = deploy_queue(&d, 1, c->rate / fmax(1, ceil(c->rate / d.most_rate - 1e-9)));
    deploy_remember(c, &d);
    return deploy_consider(c, &d, why) ||
           (c->err->kind == ERROR_NONE && deploy_exclude(c, DEPLOY_MEASURED, d.offer, why));
}
