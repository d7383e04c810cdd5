/* Products that are paid by use: functions and containers, with a GPU and without. */
#include <math.h>

#include "base/num.h"
#include "plan/deploy_internal.h"

#define UNKNOWN_TERMS "how it bills, starts and stops is not known"

/* Bytes of a request or its answer: text, or a picture that is not compressed. */
static double payload_bytes(const struct job *job, const struct serving *request)
{
    double side =
        request->resolution > 0 ? (double)request->resolution : (double)job->arch.resolution;

    if (job->arch.kind == ARCH_IMAGE || job->arch.kind == ARCH_VIT)
        return 3 * side * side;
    return BYTES_PER_TOKEN * fmax(request->input, request->output);
}

/* What holds of a product whatever the size of its instances. */
static bool product_holds(const struct choosing *c, const struct deploy *d,
                          char why[static DEPLOY_REASON])
{
    struct serving request = {.arch = &c->job->arch};
    char seconds[32], most[32];
    double sent;

    choose_request(&c->job->infer, &request, NULL);
    sent = payload_bytes(c->job, &request) / 1e6;
    if (sent > d->terms->payload_mb) {
        deploy_why(why, "a request has %s MB, at most %s are allowed", num_about(sent).text,
                   num_about(d->terms->payload_mb).text);
        return false;
    }
    if (d->service_s > d->terms->timeout_s) {
        deploy_time_words(d->service_s, seconds);
        deploy_time_words(d->terms->timeout_s, most);
        deploy_why(why, "a request takes %s, at most %s are allowed", seconds, most);
        return false;
    }
    return true;
}

static struct deploy deploy_of_product(const struct choosing *c, const struct serverless *row,
                                       const struct serverless_terms *terms, struct str offer)
{
    bool settable = str_eq(terms->idle_settable, STR("yes"));
    enum deployment kind = row->accelerator.len > 0 ? DEPLOY_SERVERLESS_GPU : DEPLOY_SERVERLESS;
    struct deploy none = deploy_none(kind);

    return (struct deploy){
        .kind = kind,
        .start_s = none.start_s,
        .usd_request = none.usd_request,
        .wear_usd = none.wear_usd,
        .input_share = none.input_share,
        .offer = offer,
        .provider = row->provider,
        .region = row->region,
        .product = row->product,
        .accelerator = row->accelerator,
        .basis = terms->basis,
        .most_rate = INFINITY,
        .functions = row->accelerator.len == 0,
        .idle_s =
            settable && c->job->infer.idle_timeout.ns > 0 ? deploy_idle_s(c) : terms->idle_s,
        .price = USD_PER_HOUR_UNKNOWN,
        .copies_each = 1,
        .machines_each = 1,
        .paid = row,
        .terms = terms,
    };
}

static bool starts_known(const struct serverless_terms *t)
{
    return !isnan(t->idle_s) && !isnan(t->start_s) && !isnan(t->load_gb_s);
}

static double cold_start_s(const struct serverless_terms *terms, double weights)
{
    return terms->start_s + weights / (1e9 * terms->load_gb_s);
}

/* Instances from the smallest that holds it to the largest that there is. */
struct size_walk {
    double need, memory, vcpus; /* memory in GiB; vcpus of the last one, 0: none yet */
};

/* In the steps of the smallest that is sold. */
static double in_steps(double memory, double step)
{
    return step > 0 ? ceil(memory / step - 1e-9) * step : memory;
}

static bool next_size(const struct serverless_terms *t, struct size_walk *w)
{
    double most = t->memory_high_gb > 0 ? t->memory_high_gb : INFINITY;
    bool tied = t->gb_per_vcpu > 0;

    if (w->need > most)
        return false;
    if (tied) {
        if (w->memory >= most)
            return false;
        w->memory =
            w->memory > 0 ? fmin(most, 1.5 * w->memory) : fmax(w->need, t->memory_low_gb);
        w->memory = fmin(most, in_steps(w->memory, t->memory_low_gb));
        w->vcpus =
            fmin(w->memory / t->gb_per_vcpu, t->vcpus_high > 0 ? t->vcpus_high : INFINITY);
        return true;
    }
    do
        w->vcpus = w->vcpus > 0 ? 2 * w->vcpus : t->vcpus_low;
    while (w->vcpus <= t->vcpus_high && w->need > w->vcpus * most / t->vcpus_high);
    w->memory = in_steps(fmax(w->need, t->memory_low_gb), t->memory_low_gb);
    return w->vcpus <= t->vcpus_high;
}

/* Of the sizes of a product, the cheapest whatever the rate. */
struct size_best {
    struct deploy at;
    double usd;
};

static void remember_size(const struct choosing *c, const struct deploy *d,
                          struct size_best *best)
{
    struct deploy_cost cost;

    if (!deploy_month(d, &c->demand, c->rate, &cost) || !(cost.usd < best->usd))
        return;
    best->at = *d;
    best->usd = cost.usd;
}

/* One size of a product on vCPUs. */
static bool try_product_size(struct choosing *c, const struct deploy *base,
                             struct cpu_serving *s, const struct size_walk *size,
                             struct size_best *best, char why[static DEPLOY_REASON])
{
    struct deploy d = *base;
    double merit;

    s->vcpus = size->vcpus;
    d.vcpus = size->vcpus;
    d.memory_gb = size->memory;
    d.size = (struct serverless_size){.vcpus = size->vcpus, .memory_gb = size->memory};
    if (!deploy_on_cpu(c, s, size->memory, &d, why, &merit))
        return false;
    d.most_rate = INFINITY;
    d.warm = queue_load(d.service_s, d.first_s, 0);
    d.cold_s = cold_start_s(d.terms, cpu_weight_bytes(s));
    if (!product_holds(c, &d, why))
        return false;
    d.setting = plan_words(c->w, c->err, "%s, %.3g vCPU%s, %.3g GiB", cpu_precision_name(s),
                           size->vcpus, deploy_plural(size->vcpus), size->memory);
    if (d.setting.at == NULL)
        return false;
    remember_size(c, &d, best);
    return deploy_consider(c, &d, why);
}

static bool add_functions(struct choosing *c, const struct deploy *base)
{
    static const struct cpu_kind unknown; /* whose memory is enough to exclude it */
    const struct cpu_kind *cpu = cpu_find(c->facts->catalog, base->provider, base->product);
    struct size_walk size = {0};
    struct size_best best = {.usd = INFINITY};
    char why[DEPLOY_REASON] = "", last[DEPLOY_REASON] = "";
    struct cpu_serving s;
    bool any = false;

    if (deploy_only_gpus(c))
        return deploy_exclude(c, base->kind, base->offer, "only GPUs are allowed");
    if (!choose_cpu_serving(c->job, cpu != NULL ? cpu : &unknown, 1, &s, c->err))
        return false;
    size.need = cpu_serving_bytes(&s) / (double)BYTES_PER_GIB;
    if (size.need > base->terms->memory_high_gb) {
        deploy_why_memory(why, size.need, "GiB of memory", base->terms->memory_high_gb);
        return deploy_exclude(c, base->kind, base->offer, why);
    }
    if (cpu == NULL)
        return deploy_exclude(c, base->kind, base->offer, "the speed of its CPU is not known");
    if (!starts_known(base->terms))
        return deploy_exclude(c, base->kind, base->offer, UNKNOWN_TERMS);
    while (next_size(base->terms, &size)) {
        if (try_product_size(c, base, &s, &size, &best, why))
            any = true;
        else
            deploy_why(last, "%s", why);
    }
    if (best.usd < INFINITY)
        deploy_remember(c, &best.at);
    return c->err->kind == ERROR_NONE &&
           (any || deploy_exclude(c, base->kind, base->offer,
                                  last[0] != '\0' ? last : "no size fits"));
}

/* Is the GPU one that the user allows and the software runs on? As its machines say. */
static bool gpu_barred(const struct choosing *c, const struct accelerator *gpu)
{
    for (size_t i = 0; i < c->w->place_count; i++)
        if (c->w->places[i].machine->gpu == gpu)
            return (c->w->places[i].bars & (BAR_GPU | BAR_SOFTWARE)) != 0;
    return false;
}

/* vCPUs and memory beside the GPU, where they are billed: what it takes to load the model. */
static struct serverless_size beside_gpu(const struct choosing *c,
                                         const struct serverless_terms *t)
{
    double host = loading_host_bytes(&c->job->arch, 2, 1) / (double)BYTES_PER_GIB;

    return (struct serverless_size){
        .vcpus = t->vcpus_low > 0 ? fmax(2, t->vcpus_low) : 0,
        .memory_gb = t->memory_low_gb > 0
                         ? in_steps(fmax(host, t->memory_low_gb), t->memory_low_gb)
                         : 0};
}

static bool add_gpu_product(struct choosing *c, const struct deploy *base)
{
    const struct accelerator *gpu = accelerator_named(c->facts->catalog, base->accelerator);
    struct deploy d = *base;
    struct gpu_probe probe;
    struct error ignored = {0};
    char why[DEPLOY_REASON];

    if (gpu == NULL)
        return deploy_exclude(c, d.kind, d.offer, "its GPU is not known");
    if (!starts_known(d.terms))
        return deploy_exclude(c, d.kind, d.offer, UNKNOWN_TERMS);
    if (gpu_barred(c, gpu))
        return deploy_exclude(c, d.kind, d.offer, "its GPU is not among those allowed");
    if (!deploy_probe_gpu(c, gpu, 1, 1, 1, &probe, &d)) {
        bool chosen = choose_serving(&probe.job, &probe.hw, probe.constants, &probe.serving,
                                     NULL, &ignored);

        if (chosen && serving_holds(&probe.serving, probe.constants) < 1)
            deploy_why_memory(why, deploy_weight_bytes(&probe.serving) / 1e9,
                              "GB on the GPU for weights alone", gpu->memory_gb);
        else
            deploy_why(why, "a request takes longer than the latency target");
        return deploy_exclude(c, d.kind, d.offer, why);
    }
    d.size = beside_gpu(c, d.terms);
    d.vcpus = d.size.vcpus > 0 ? d.size.vcpus : NAN;
    d.memory_gb = d.size.memory_gb > 0 ? d.size.memory_gb : NAN;
    d.cold_s = cold_start_s(d.terms, arch_count(&c->job->arch).total *
                                         weights_bytes(probe.serving.weights));
    d.setting = plan_words(c->w, c->err, "%s%s, %.*s", weights_names[probe.serving.weights],
                           deploy_engine_words(&probe.serving), STR_ARG(gpu->name));
    if (d.setting.at == NULL)
        return false;
    if (d.size.memory_gb > d.terms->memory_high_gb) {
        deploy_why_memory(why, d.size.memory_gb, "GiB of memory to load it",
                          d.terms->memory_high_gb);
        return deploy_exclude(c, d.kind, d.offer, why);
    }
    return (product_holds(c, &d, why) && deploy_consider(c, &d, why)) ||
           deploy_exclude(c, d.kind, d.offer, why);
}

bool deploy_add_products(struct choosing *c, bool with_gpus)
{
    const struct catalog *catalog = c->facts->catalog;

    for (size_t i = 0; i < catalog->tables[TABLE_SERVERLESS].len; i++) {
        const struct serverless *row = CATALOG_ROW(catalog, TABLE_SERVERLESS, serverless, i);
        const struct serverless_terms *terms = serverless_terms_find(catalog, row);
        bool gpu = row->accelerator.len > 0;
        enum deployment kind = gpu ? DEPLOY_SERVERLESS_GPU : DEPLOY_SERVERLESS;
        char why[DEPLOY_REASON];
        struct deploy d;
        struct str offer;
        bool ok;

        if (gpu && !with_gpus)
            continue;
        if (!machine_name(row->provider, row->region, STR(""), row->product, c->w->arena,
                          &offer, c->err))
            return false;
        if (deploy_barred(c, row->provider, row->region, row->fact.date, why)) {
            ok = deploy_exclude(c, kind, offer, why);
        } else if (terms == NULL) {
            ok = deploy_exclude(c, kind, offer, UNKNOWN_TERMS);
        } else {
            d = deploy_of_product(c, row, terms, offer);
            deploy_age_price(c, &row->fact, &d);
            ok = gpu ? add_gpu_product(c, &d) : add_functions(c, &d);
        }
        if (!ok)
            return false;
    }
    return true;
}
