#include "estimate/place.h"

#include <math.h>

#include "estimate/model/settings.h"
#include "estimate/money/terms.h"
#include "job/choices.h"

/* ---- offers ---- */

static bool offer_is(const struct machine *v, const struct offer_name *name)
{
    /* An offer without a region is in all of them. */
    struct str region = str_eq(v->region, STR("*")) ? name->region : v->region;

    return offer_name_matches(name, v->provider, region, name->zone, v->instance);
}

bool place_refuse_absent(const struct machine *machines, size_t count,
                         const struct offer_name *name, struct error *err)
{
    struct suggestion near = {.wanted = name->instance};

    for (size_t i = 0; i < count; i++)
        suggestion_try(&near, machines[i].instance);
    error_set(err, ERROR_ABSENT, "there is no offer '%.*s'", STR_ARG(name->text));
    if (near.best.len > 0)
        error_hint(err, "did you mean '%.*s'? 'stint price list' shows all",
                   STR_ARG(near.best));
    else
        error_hint(err, "'stint price list' shows all");
    return false;
}

bool place_check_market(const struct offer_name *name, struct error *err)
{
    if (name->market <= MARKET_SPOT)
        return true;
    error_set(err, ERROR_USAGE, "'%.*s': only prices on-demand and on spot are estimated",
              STR_ARG(name->text));
    error_hint(err, "leave out ':%s', and set its price with --price",
               market_names[name->market]);
    return false;
}

bool place_check_gpu(const struct machine *offer, const struct accelerator *wanted,
                     struct error *err)
{
    if (wanted == NULL || wanted == offer->gpu)
        return true;
    error_set(err, ERROR_USAGE, "%.*s has %.*s, not %.*s", STR_ARG(offer->name),
              STR_ARG(offer->accelerator), STR_ARG(wanted->name));
    error_hint(err, "leave out --on, or the offer");
    return false;
}

/* ---- candidates ---- */

/* Machines for at least `gpus`; 0: one machine. */
static int64_t machines_for_gpus(const struct machine *v, int64_t gpus)
{
    return gpus > 0 ? (gpus + v->count - 1) / v->count : 1;
}

#define HOLDS_SHARE 0.9 /* of the GPUs' memory, that weights may take */

static enum weights served_weights(const struct job *job)
{
    enum weights weights = WEIGHTS_FP16;

    if (job->kind == JOB_INFER && job->infer.weights.len > 0)
        (void)weights_of(job->infer.weights, &weights);
    return weights;
}

/* Copies that serve need no network between them, unless one does not fit in a machine. */
static bool needs_joining(const struct place_search *s, const struct machine *v,
                          int64_t machines)
{
    const struct job_infer *t = &s->job->infer;

    if (machines == 1 || s->job->kind == JOB_TRAIN || !s->job->arch_known)
        return machines > 1;
    if (t->tensor > 0 || t->pipeline > 0)
        return choose_or_one(t->tensor) * choose_or_one(t->pipeline) > v->count;
    return arch_count(&s->job->arch).total * weights_bytes(served_weights(s->job)) >
           HOLDS_SHARE * v->gpu->memory_gb * BYTES_PER_GB * (double)v->count;
}

/* Do memory and disk suffice to load the model, and to keep what the job keeps? Yes where they
 * are not known. */
static bool holds_job(const struct place_search *s, const struct place_candidate *c)
{
    const struct machine *v = c->machine;

    if (c->join.row != NULL && job_disk_bytes(s->job) > c->join.row->disk_gb * BYTES_PER_GB)
        return false;
    if (s->least_host > 0 && !(machine_host_bytes(v) >= s->least_host))
        return false;
    if (!s->job->arch_known || !(v->memory_gib > 0))
        return true;
    return loading_host_bytes(&s->job->arch, weights_bytes(served_weights(s->job)),
                              (double)c->machines) <= v->memory_gib * BYTES_PER_GIB;
}

static struct place_candidate candidate_of(const struct place_search *s,
                                           const struct machine *v, int64_t gpus)
{
    int64_t needed = machines_for_gpus(v, gpus);
    struct place_candidate c = {.machine = v,
                                .join = machine_joining(s->catalog, v, s->supply)};

    c.machines = joining_rented(&c.join, needed);
    c.joined = !needs_joining(s, v, c.machines) || c.join.joins;
    c.enough = c.machines <= c.join.supply;
    c.holds = holds_job(s, &c);
    return c;
}

/* Those that can work together first, and of which there are enough (if of none, one whose
 * limit is published); then those that hold the job, and whose price is neither an outlier nor
 * too old; then the fewest machines, since links are faster than networks; then the cheapest.
 */
bool place_is_better(const struct place_candidate *a, const struct place_candidate *b,
                     enum market market)
{
    if (a->joined != b->joined)
        return a->joined;
    if (a->enough != b->enough)
        return a->enough;
    if (!a->enough && a->join.assumed != b->join.assumed)
        return !a->join.assumed;
    if (a->holds != b->holds)
        return a->holds;
    if (machine_trust(a->machine, market)->premium !=
        machine_trust(b->machine, market)->premium)
        return machine_trust(a->machine, market)->premium <
               machine_trust(b->machine, market)->premium;
    if (a->machines != b->machines)
        return a->machines < b->machines;
    return usd_per_hour_compare(machine_ranked(a->machine, market),
                                machine_ranked(b->machine, market)) < 0;
}

struct place_candidate place_best(const struct place_search *s, const struct machine *machines,
                                  size_t count, const struct offer_name *name, int64_t gpus)
{
    struct place_candidate best = {.machine = NULL}, c;

    for (size_t i = 0; i < count; i++) {
        const struct machine *v = &machines[i];

        if ((name != NULL && !offer_is(v, name)) ||
            machine_price(v, s->market).nano == MONEY_UNKNOWN)
            continue;
        c = candidate_of(s, v, gpus);
        if (best.machine == NULL || place_is_better(&c, &best, s->market))
            best = c;
    }
    return best;
}

bool place_refuse_apart(const struct place_candidate *c, struct error *err)
{
    const struct machine *v = c->machine;
    const struct network *row = c->join.row;

    if (row != NULL)
        error_set(err, ERROR_UNFIT, "machines of %.*s cannot be joined for one job%s%.*s%s",
                  STR_ARG(v->name), row->fact.notes.len > 0 ? " (" : "",
                  STR_ARG(row->fact.notes), row->fact.notes.len > 0 ? ")" : "");
    else
        error_set(err, ERROR_UNFIT,
                  "it is unknown whether machines of %.*s can be joined for one job",
                  STR_ARG(v->name));
    error_hint(err,
               "take one machine (%lld GPU%s), leave out the offer, or add their network to "
               "your networks.csv",
               (long long)v->count, v->count == 1 ? "" : "s");
    return false;
}

/* Of two such machines the better one is enough. */
static bool same_kind(const struct machine *a, const struct machine *b, enum place_choice by)
{
    return by == PLACES_BY_GPU
               ? a->gpu == b->gpu && a->count == b->count
               : str_eq(a->provider, b->provider) && str_eq(a->region, b->region);
}

size_t place_best_of_kinds(const struct place_search *s, const struct machine *machines,
                           size_t count, const struct estimate_place *now, enum place_choice by,
                           struct place_candidate *kept)
{
    int64_t gpus = by == PLACES_BY_REGION ? now->hardware.gpus : 0;
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        const struct machine *v = &machines[i];
        struct place_candidate c;
        size_t k = 0;

        if (v->gpu == NULL || machine_price(v, s->market).nano == MONEY_UNKNOWN ||
            machine_trust(v, s->market)->outlier ||
            (by == PLACES_BY_REGION &&
             (str_eq(v->region, STR("*")) || v->count != now->hardware.per_node)))
            continue;
        c = candidate_of(s, v, gpus);
        if (!c.joined || !c.enough || !c.holds)
            continue;
        while (k < n && !same_kind(kept[k].machine, v, by))
            k++;
        if (k == n || place_is_better(&c, &kept[k], s->market))
            kept[k] = c;
        n += k == n;
    }
    return n;
}

/* ---- places ---- */

void place_take(const struct place_search *s, const struct place_candidate *c, int64_t gpus,
                struct estimate_place *p)
{
    const struct machine *v = c->machine;
    const struct price_trust *trust = machine_trust(v, s->market);

    *p = (struct estimate_place){.offer = v->name,
                                 .provider = v->provider,
                                 .region = v->region,
                                 .instance = v->instance,
                                 .market = s->market,
                                 .price = machine_price(v, s->market),
                                 .price_date = v->fact.date,
                                 .price_age_days = v->age_days,
                                 .vcpus = v->vcpus,
                                 .price_width = trust->width,
                                 .price_unchanged = trust->unchanged,
                                 .stale = trust->stale,
                                 .mostly_old = trust->old && !trust->aside,
                                 .outlier = trust->outlier,
                                 .machines = c->machines,
                                 .join = c->join};
    p->hardware = (struct hardware){
        .gpu = v->gpu,
        .gpus = gpus > 0 ? gpus : v->count * c->machines,
        .per_node = v->count,
        .host_bytes = machine_host_bytes(v),
        .network_gb_s = c->join.gb_s,
        .network_doubt = c->join.gb_s > 0 ? c->join.doubt : ASSUMED_NETWORK_DOUBT,
        .sockets = c->join.sockets,
        .apart = !c->join.joins,
    };
    p->host_bytes = p->hardware.host_bytes;
    p->disk_bytes = c->join.row != NULL ? c->join.row->disk_gb * BYTES_PER_GB : NAN;
}

double place_host_need(const struct job *job, const struct hardware *hw,
                       const struct constants *c)
{
    struct error ignored = {0};
    struct setup s;
    struct memory m;

    if (job->kind != JOB_TRAIN || !job->arch_known ||
        !choose_training(job, hw, c, &s, NULL, &ignored))
        return 0;
    if (!setup_fits(&s, hw, c))
        return INFINITY;
    m = estimate_memory(&s, c);
    return m.host > 0 ? hardware_host_used(hw, &s, &m) / HOST_SHARE : 0;
}

struct place_candidate place_best_roomy(struct place_search *s, const struct machine *machines,
                                        size_t count, const struct hardware *usual,
                                        const struct constants *c)
{
    const struct place_candidate none = {.machine = NULL};
    double tried = hardware_host_bytes(usual);
    struct hardware unlimited = *usual;

    unlimited.host_bytes = INFINITY;
    if (isinf(place_host_need(s->job, &unlimited, c)))
        return none;
    for (;;) {
        struct place_candidate best;
        struct estimate_place trial;

        s->least_host = nextafter(tried, INFINITY);
        best = place_best(s, machines, count, NULL, usual->gpus);
        if (best.machine == NULL || !best.joined || !best.holds)
            return none;
        place_take(s, &best, usual->gpus, &trial);
        if (!isinf(place_host_need(s->job, &trial.hardware, c)))
            return best;
        tried = trial.host_bytes;
    }
}

/* It is the price that matters: another machine may have more memory, what is usual at
 * least. */
void place_forget_small_host(struct hardware *hw)
{
    struct hardware usual = *hw;

    usual.host_bytes = NAN;
    if (!(hw->host_bytes > hardware_host_bytes(&usual)))
        hw->host_bytes = NAN;
}

void place_assume(const struct place_search *s, int64_t gpus, const struct accelerator *gpu,
                  const struct place_candidate *single, struct estimate_place *p)
{
    int64_t node = single->machine != NULL ? single->machine->count : 8;

    p->price = USD_PER_HOUR_UNKNOWN;
    p->market = s->market;
    p->hardware = (struct hardware){.gpu = gpu,
                                    .gpus = gpus,
                                    .per_node = gpus < node ? gpus : node,
                                    .host_bytes = NAN,
                                    .network_doubt = ASSUMED_NETWORK_DOUBT};
    p->machines = (gpus + p->hardware.per_node - 1) / p->hardware.per_node;
    p->host_bytes = p->disk_bytes = p->vcpus = NAN;
    p->join = (struct joining){.gb_s = NAN, .least = 1, .step = 1, .supply = p->machines};
    p->not_sold = single->machine != NULL;
}

/* ---- what may be wrong with its price ---- */

/* "price 386 days old, 80 % range $10.5 to $21.2/hr" */
static void write_price_age(const struct estimate_place *place, struct buf *out)
{
    buf_addf(out, "%lld days old", (long long)place->price_age_days);
    if (!(place->price_width > 0))
        return;
    buf_adds(out, ", 80 % range ");
    usd_per_hour_write(rate_low(place->price, place->price_width), out);
    buf_adds(out, " to ");
    usd_per_hour_write(rate_high(place->price, place->price_width), out);
}

void place_warn(const struct estimate_place *place, const struct messages *messages)
{
    struct buf text = buf_new(&alloc_system, 400);

    if (place->offer.len > 0 && place->outlier)
        message_warn(
            messages,
            "the price of %.*s is far below those of other regions and was seen on one "
            "day only; 'stint price doctor' shows it",
            STR_ARG(place->offer));
    if (place->offer.len > 0 && place->stale) {
        if (place->mostly_old && place->chosen)
            buf_addf(&text, "most prices of %.*s are too old: this one is ",
                     STR_ARG(place->hardware.gpu->name));
        else
            buf_adds(&text, "the price is ");
        write_price_age(place, &text);
        message_warn(messages, "%.*s; 'stint price fetch skypilot' updates prices",
                     (int)text.len, text.at != NULL ? text.at : "...");
    } else if (place->offer.len > 0 && place->price_age_days < 0) {
        message_warn(messages, "the price is dated in the future");
    }
    buf_free(&text);
}
