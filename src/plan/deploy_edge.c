/* Devices that one buys, and that serve where they are: wear and electricity. */
#include <math.h>

#include "plan/deploy_internal.h"

#define EDGE_PROVIDER STR("edge") /* of their CPUs, in TABLE_CPUS */
#define ROOM 0.9                  /* of the memory, that a model may take */
#define PRICE_DOUBT \
    0.262 /* purchase prices and lives are estimates: 30 % either way, judgment */

static bool probe_gpu(struct choosing *c, const struct edge_device *row, struct deploy *d,
                      char why[static DEPLOY_REASON])
{
    const struct accelerator *gpu = accelerator_named(c->facts->catalog, row->accelerator);
    struct gpu_probe probe;

    if (gpu == NULL) {
        deploy_why(why, "its accelerator is not known");
        return false;
    }
    d->accelerator = gpu->name;
    if (!deploy_probe_gpu(c, gpu, 1, 1, 1, &probe, d)) {
        deploy_why(why, "it does not fit, or a request takes longer than the latency target");
        return false;
    }
    d->setting = plan_words(c->w, c->err, "%s%s, %.*s", weights_names[probe.serving.weights],
                            deploy_engine_words(&probe.serving), STR_ARG(gpu->name));
    return d->setting.at != NULL;
}

static bool probe_cpu(struct choosing *c, const struct edge_device *row, struct deploy *d,
                      char why[static DEPLOY_REASON])
{
    const struct cpu_kind *cpu = cpu_find(c->facts->catalog, EDGE_PROVIDER, row->device);
    struct cpu_serving s;
    double merit;

    if (cpu == NULL || isnan(row->vcpus)) {
        deploy_why(why, "the speed of its CPU is not known");
        return false;
    }
    d->vcpus = row->vcpus;
    d->memory_gb = row->memory_gib;
    if (!choose_cpu_serving(c->job, cpu, row->vcpus, &s, c->err) ||
        !deploy_on_cpu(c, &s, row->memory_gib > 0 ? ROOM * row->memory_gib : INFINITY, d, why,
                       &merit))
        return false;
    d->setting = plan_words(c->w, c->err, "%s, %.3g cores", cpu_precision_name(&s), row->vcpus);
    return d->setting.at != NULL;
}

/* Is it the user's own? Those of the built-in table are examples of what one could buy. */
static bool is_owned(const struct choosing *c, const struct edge_device *row)
{
    return row->fact.layer > 0 || c->facts->devices.len > 0;
}

static bool add_device(struct choosing *c, const struct edge_device *row,
                       char why[static DEPLOY_REASON])
{
    struct deploy d = deploy_none(DEPLOY_EDGE);

    d.offer = d.product = row->device;
    d.provider = EDGE_PROVIDER;
    d.region = STR("*");
    d.source = row->fact.source;
    d.date = row->fact.date;
    d.wear_usd = usd_double(row->purchase_usd) / (row->years * 12);
    d.price_width = PRICE_DOUBT;
    d.idle_w = row->idle_w;
    d.load_w = row->load_w;
    d.usd_kwh = usd_double((usd){c->facts->electricity.nano});
    if (!is_owned(c, row))
        d.condition = STR("if you buy and run it; space, network and care are not counted");
    if (!(row->accelerator.len > 0 ? probe_gpu(c, row, &d, why) : probe_cpu(c, row, &d, why)))
        return c->err->kind == ERROR_NONE;
    (void)deploy_consider(c, &d, why);
    return c->err->kind == ERROR_NONE;
}

bool deploy_add_edge(struct choosing *c)
{
    const struct catalog *catalog = c->facts->catalog;
    char why[DEPLOY_REASON] = "no device is known";

    if (deploy_only_gpus(c))
        return deploy_exclude(c, DEPLOY_EDGE, STR("*"), "only the GPUs named are allowed");
    for (size_t i = 0; i < catalog->tables[TABLE_EDGE].len; i++) {
        const struct edge_device *row = CATALOG_ROW(catalog, TABLE_EDGE, edge_device, i);

        if (row->purchase_usd.nano == 0 && !is_owned(c, row))
            continue; /* the users' own, which a service can count on only if it says so */
        if (strs_match(c->facts->devices, row->device) && !add_device(c, row, why))
            return false;
    }
    return c->have[DEPLOY_EDGE] || deploy_exclude(c, DEPLOY_EDGE, STR("*"), why);
}
