/* What a run can take: zones with their prices, regions, windows. */
#include <math.h>
#include <string.h>

#include "op/spot/simulate_sweep.h"
#include "op/spot/trace_files.h"

/* Moving a checkpoint, as SkyNomad measured it (arXiv 2601.06520), in bits a second: what a
 * start takes beyond the transfer inside a region, which the start delay has. */
#define SAME_REGION 9.72e9
#define SAME_CONTINENT 8.20e9
#define ELSEWHERE 3.59e9

static double dollars(usd_per_hour price)
{
    return price.nano == MONEY_UNKNOWN ? NAN : (double)price.nano / 1e9;
}

static bool no_price(const struct sweep_zone *zone, const char *which, struct error *err)
{
    error_set(err, ERROR_INPUT, "the trace of '%.*s' has no %s price", STR_ARG(zone->trace.id),
              which);
    error_hint(err, "give --on-demand and --spot, such as --on-demand '$3.06/hr'");
    return false;
}

static bool price_zone(const struct sweep *s, struct sweep_zone *zone, struct error *err)
{
    const struct trace *t = &zone->trace;

    zone->on_demand = dollars(s->request->on_demand);
    zone->spot = dollars(s->request->spot);
    if (isnan(zone->on_demand))
        zone->on_demand = t->on_demand;
    if (isnan(zone->spot)) {
        zone->price = t->price;
        zone->spot = t->spot;
    }
    if (isnan(zone->on_demand))
        return no_price(zone, "on-demand", err);
    if (isnan(zone->spot) && zone->price == NULL)
        return no_price(zone, "spot", err);
    return true;
}

/* The region that the zone's name starts with: "us-west-2" of "us-west-2a_v100_1". */
static void find_region(const struct op_context *ctx, struct sweep_zone *zone)
{
    const struct rows *known = &ctx->catalog.tables[TABLE_REGIONS];
    size_t longest = 0;

    zone->region = zone->trace.id;
    for (size_t i = 0; i < known->len; i++) {
        const struct region *r = CATALOG_ROW(&ctx->catalog, TABLE_REGIONS, region, i);

        if (r->region.len <= longest || str_eq(r->region, STR("*")) ||
            !str_starts(zone->trace.id, r->region))
            continue;
        longest = r->region.len;
        zone->region = r->region;
        zone->provider = r->provider;
    }
}

static void number_regions(struct sweep *s)
{
    for (size_t z = 0; z < s->zone_count; z++) {
        size_t same = 0;

        while (same < z && !str_eq(s->zones[same].region, s->zones[z].region))
            same++;
        s->zones[z].region_number = same < z ? s->zones[same].region_number : s->regions++;
    }
}

/* What moving the checkpoint from one region to another costs. */
static bool egress_between(const struct sweep *s, const struct sweep_zone *from,
                           const struct sweep_zone *to, double *out, struct error *err)
{
    bytes size = s->request->checkpoint_size;
    usd amount = {0};

    if (s->request->egress.nano != MONEY_UNKNOWN)
        amount = usd_for_bytes(s->request->egress, size.n);
    else if (from->provider.len == 0)
        amount = USD_UNKNOWN;
    else
        amount = transfer_cost(
            &s->ctx->catalog, from->provider,
            str_eq(from->provider, to->provider) ? STR("inter-region") : STR("internet"), size);
    *out = usd_double(amount);
    if (!isnan(*out))
        return true;
    error_set(err, ERROR_INPUT, "what it costs to move a checkpoint from '%.*s' is not known",
              STR_ARG(from->region));
    error_hint(err, "give it: --egress '$0.02/GB'");
    return false;
}

static double carry_between(const struct sweep *s, const struct sweep_zone *from,
                            const struct sweep_zone *to)
{
    double bits = (double)s->request->checkpoint_size.n * 8;
    struct str a = from->region, b = to->region;
    bool near = str_eq(str_cut(&a, '-'), str_cut(&b, '-'));

    return bits / (near ? SAME_CONTINENT : ELSEWHERE) - bits / SAME_REGION;
}

static const struct sweep_zone *zone_in(const struct sweep *s, size_t region)
{
    const struct sweep_zone *zone = s->zones;

    while (zone->region_number != region)
        zone++;
    return zone;
}

static bool price_moves(struct sweep *s, struct error *err)
{
    size_t n = s->regions;
    double *egress, *carry;

    if (s->request->checkpoint_size.n == UINT64_MAX || n < 2)
        return true;
    egress = arena_array(s->ctx->arena, double, n *n, err);
    carry = arena_array(s->ctx->arena, double, n *n, err);
    if (egress == NULL || carry == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            const struct sweep_zone *from = zone_in(s, i), *to = zone_in(s, k);

            if (i == k)
                continue;
            carry[i * n + k] = carry_between(s, from, to);
            if (!egress_between(s, from, to, &egress[i * n + k], err))
                return false;
        }
    s->egress = egress;
    s->carry = carry;
    return true;
}

static bool same_moments(const struct trace *a, const struct trace *b, struct error *err)
{
    if (a->gap != b->gap)
        return error_fail(err, ERROR_INPUT, "--roam: '%.*s' has ticks of %d s, '%.*s' of %d s",
                          STR_ARG(a->id), a->gap, STR_ARG(b->id), b->gap);
    if (a->start.s != b->start.s && a->start.s >= 0 && b->start.s >= 0)
        return error_fail(err, ERROR_INPUT,
                          "--roam: '%.*s' and '%.*s' do not start at the same time",
                          STR_ARG(a->id), STR_ARG(b->id));
    return true;
}

/* Zones that one job moves over must be of the same moments. */
static bool check_roam(const struct sweep *s, struct error *err)
{
    if (s->zone_count > SIM_ZONES_MAX)
        return error_fail(err, ERROR_INPUT, "--roam: %zu zones are more than %d", s->zone_count,
                          SIM_ZONES_MAX);
    for (size_t z = 1; z < s->zone_count; z++)
        if (!same_moments(&s->zones[0].trace, &s->zones[z].trace, err))
            return false;
    return true;
}

static void fit_lives(struct sweep *s)
{
    for (size_t z = 0; z < s->zone_count; z++)
        lifetimes_fit(&s->zones[z].trace, s->job.gang, &s->zones[z].life);
}

/* Nobody asked for so many at once, so that nobody knows whether they could be had. */
static void warn_gang(const struct sweep *s)
{
    for (size_t z = 0; z < s->zone_count; z++) {
        const struct trace *t = &s->zones[z].trace;

        if (s->job.gang <= t->nodes)
            continue;
        op_say(s->ctx, VOICE_WARN,
               "the trace of '%.*s' is of %d at a time: a gang of %d is never there on spot",
               STR_ARG(t->id), t->nodes, s->job.gang);
        return;
    }
}

static bool describe(struct sweep *s, struct error *err)
{
    struct buf text = buf_new(s->ctx->arena->alloc, 64 * 1024);
    bool ok;

    if (s->copies > 0)
        buf_addf(&text, "%zu made-up traces of each zone (seed %lld), modelled on ", s->copies,
                 (long long)s->seed);
    if (s->modelled)
        buf_adds(&text, "machines that were watched elsewhere");
    for (size_t i = 0; i < s->request->traces.len; i++)
        buf_addf(&text, "%s%.*s", i > 0 ? ", " : "", STR_ARG(s->request->traces.at[i]));
    ok = buf_ok(&text, err);
    s->source =
        (struct str){ok ? str_dup(buf_text(&text), s->ctx->arena, err) : NULL, text.len};
    buf_free(&text);
    return s->source.at != NULL;
}

/* The trace of a model: only its length counts, since all runs are on made-up ones. */
static bool make_blank(struct sweep *s, struct error *err)
{
    struct trace *t = &s->model.trace;
    double longest = 0;

    for (size_t i = 0; i < s->deadline_count; i++)
        longest = fmax(longest, s->deadlines[i]);
    if (longest / t->gap >= (double)TRACE_TICKS_MAX)
        return error_fail(err, ERROR_INPUT, "a deadline of %.4g h is too far away",
                          longest / 3600);
    t->ticks = (size_t)(longest / t->gap) + 1;
    t->nodes_at = arena_array(s->ctx->arena, uint8_t, t->ticks, err);
    return t->nodes_at != NULL;
}

bool sweep_zones(struct sweep *s, struct error *err)
{
    const struct simulate_request *req = s->request;
    struct traces all, picked = {&s->model.trace, 1};

    if (s->modelled) {
        if (!make_blank(s, err))
            return false;
    } else if (!trace_files_read(s->ctx, req->traces, req->ones, req->zones, &all, &s->sum,
                                 err) ||
               !traces_pick(s->ctx, &all, req->zones, &picked, err)) {
        return false;
    }
    s->zones = arena_array(s->ctx->arena, struct sweep_zone, picked.len, err);
    if (s->zones == NULL)
        return false;
    s->zone_count = picked.len;
    for (size_t z = 0; z < picked.len; z++) {
        s->zones[z].trace = picked.at[z];
        if (!price_zone(s, &s->zones[z], err))
            return false;
    }
    s->regions = 1;
    if (req->roam) {
        s->regions = 0;
        if (!check_roam(s, err) ||
            !op_catalog(s->ctx, TABLE_BIT(TABLE_REGIONS) | TABLE_BIT(TABLE_TRANSFER), err))
            return false;
        for (size_t z = 0; z < s->zone_count; z++)
            find_region(s->ctx, &s->zones[z]);
        number_regions(s);
        if (!price_moves(s, err))
            return false;
    }
    warn_gang(s);
    if (s->modelled)
        s->zones[0].life = s->model.life;
    else if (s->copies > 0)
        fit_lives(s);
    return describe(s, err);
}
