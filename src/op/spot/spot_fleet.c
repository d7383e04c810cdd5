/* spot.fleet - machines of several zones and types for a capacity, at the wanted risk. */
#include "op/spot/spot_fleet.h"

#include <math.h>

#include "spot/fleet.h"

#define POOLS 24 /* looked at: the cheapest for what they may cost in the end */

static const struct field request[] = {
    FIELD(COUNT, spot_fleet_request, gpus, .value = "N", .positive = true,
          .help = "GPUs that are wanted at once, in all"),
    FIELD(TEXT, spot_fleet_request, gpu, .value = "GPU",
          .help = "only this accelerator, such as H100"),
    FIELD(FLAG, spot_fleet_request, any_form,
          .help = "every form of the GPU's family, PCIe and less memory too"),
    FIELD(COUNT, spot_fleet_request, count, .value = "N", .positive = true,
          .help = "only machines with at least so many GPUs"),
    FIELD_AS("provider", TEXTS, spot_fleet_request, providers, .value = "LIST",
             .help = "only these, such as aws,gcp"),
    FIELD_AS("region", TEXTS, spot_fleet_request, regions, .value = "LIST",
             .help = "only these; 'us-*' matches"),
    FIELD(RATE, spot_fleet_request, max_price, .value = "PRICE",
          .help = "of one machine, on spot or on demand, such as 30usd/hr"),
    FIELD_AS("for", SPAN, spot_fleet_request, length, .value = "TIME", .positive = true,
             .hours = true, .fallback = "24h", .help = "how long it is needed"),
    FIELD(SHARE, spot_fleet_request, max_risk, .value = "SHARE",
          .help = "at most this chance to lose more than --lost-share, such as 5%"),
    FIELD(SHARE, spot_fleet_request, lost_share, .value = "SHARE", .fallback = "50%",
          .help = "of the GPUs: losing more at once is the bad case"),
    FIELD(SHARE, spot_fleet_request, max_lost, .value = "SHARE",
          .help = "at most this share of the GPUs lost, in the mean"),
    FIELD(FLAG, spot_fleet_request, no_on_demand, .help = "no on-demand machines among them"),
    FIELD_AS("job", TEXTS, spot_fleet_request, jobs, .value = "JOB",
             .help = "train:48h, with :MACHINES, :critical, :once or :by=60h after it: which "
                     "jobs go on spot"),
    FIELD_AS("jobs", TEXT, spot_fleet_request, job_file, .value = "FILE",
             .help = "such jobs, one a line; # starts a comment"),
    FIELD(SPAN, spot_fleet_request, delay, .value = "TIME", .fallback = "6min",
          .help = "jobs: from getting a machine until work goes on"),
    FIELD(SPAN, spot_fleet_request, checkpoint, .value = "TIME",
          .help = "jobs: what saving takes; without it no work is lost"),
};

static const struct field pool_fields[] = {
    FIELD(TEXT, fleet_row, offer, .help = "provider/region/zone/instance"),
    FIELD(TEXT, fleet_row, market, .help = "spot or on-demand"),
    FIELD(TEXT, fleet_row, accelerator, .help = "what it has"),
    FIELD(COUNT, fleet_row, machines, .help = "how many to take"),
    FIELD(NUMBER, fleet_row, gpus, .help = "of one machine"),
    FIELD(RATE, fleet_row, price, .help = "of one machine"),
    FIELD(RATE, fleet_row, per_gpu, .help = "of one GPU"),
    FIELD(RATE, fleet_row, sum, .help = "of all machines of this row"),
    FIELD(SHARE, fleet_row, risk, .help = "modelled: of losing them within the time"),
};

static const struct field_set pool_set = FIELD_SET(struct fleet_row, pool_fields);

static const struct field result[] = {
    FIELD(LIST, spot_fleet_result, pools, .row = &pool_set, .help = "what to take"),
    FIELD(COUNT, spot_fleet_result, gpus, .help = "in all: as wanted, or a few more"),
    FIELD(COUNT, spot_fleet_result, candidates, .help = "pools to choose from"),
    FIELD(NUMBER, spot_fleet_result, hours, .help = "within which the risks are"),
    FIELD(RATE, spot_fleet_result, price, .help = "of all at first"),
    FIELD(RATE, spot_fleet_result, expected,
          .help = "of all, with on-demand in the place of what is lost"),
    FIELD(RATE, spot_fleet_result, on_demand,
          .help = "as many GPUs on demand, in whole machines; null: none passes"),
    FIELD(NUMBER, spot_fleet_result, saving, .help = "expected, of on-demand, a share"),
    FIELD(SHARE, spot_fleet_result, risk, .help = "of losing more than lost_share"),
    FIELD(SHARE, spot_fleet_result, lost_share, .help = "of the GPUs: the bad case"),
    FIELD(SHARE, spot_fleet_result, lost, .help = "of the wanted GPUs, in the mean"),
    FIELD(FLAG, spot_fleet_result, exact, .help = "no other choice is cheaper"),
    FIELD(RECORD, spot_fleet_result, age, .row = &price_age_fields,
          .help = "how old the prices are"),
    FIELD(LIST, spot_fleet_result, jobs, .row = &mix_row_fields, .help = "the mix"),
    FIELD(USD, spot_fleet_result, jobs_usd, .help = "of all jobs, expected"),
    FIELD(USD, spot_fleet_result, jobs_on_demand_usd,
          .help = "of all jobs on the cheapest machine on demand"),
    FIELD(NUMBER, spot_fleet_result, jobs_saving, .help = "of that, a share"),
};

struct search {
    struct op_context *ctx;
    const struct spot_fleet_request *req;
    const struct spot_offer *offers[FLEET_POOLS_MAX];
    struct fleet_pool pools[FLEET_POOLS_MAX];
    size_t count;                       /* the last may be on-demand */
    const struct spot_offer *on_demand; /* the cheapest that passes; NULL: none does */
    const struct spot_offer *stand_in;  /* the cheapest whatever --max-price is */
};

static bool ask_market(struct op_context *ctx, const struct spot_fleet_request *req,
                       struct price_spot_result *res, struct error *err)
{
    struct price_spot_request ask;

    if (!fields_reset(op_price_spot.request, &ask, ctx->arena, err) ||
        !fields_reset(op_price_spot.result, res, ctx->arena, err))
        return false;
    ask.gpu = req->gpu;
    ask.any_form = req->any_form;
    ask.providers = req->providers;
    ask.regions = req->regions;
    ask.count = req->count;
    ask.length = req->length;
    ask.all_zones = true;
    ask.limit = INT32_MAX;
    return op_price_spot.run(ctx, &ask, res, err);
}

/* A number for each (provider, GPU) and each region of them: what fails together. */
static void number_groups(struct search *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct spot_offer *a = s->offers[i];

        s->pools[i].family = s->pools[i].group = i;
        for (size_t k = i; k-- > 0;) {
            const struct spot_offer *b = s->offers[k];

            if (!str_eq(a->provider, b->provider) || !str_eq(a->accelerator, b->accelerator))
                continue;
            s->pools[i].family = s->pools[k].family;
            if (str_eq(a->region, b->region))
                s->pools[i].group = s->pools[k].group;
        }
    }
}

/* Under --max-price, which is of one machine in whatever market? */
static bool cheap_enough(const struct spot_fleet_request *req, usd_per_hour price)
{
    return req->max_price.nano == MONEY_UNKNOWN || price.nano <= req->max_price.nano;
}

static bool sound(const struct spot_offer *o)
{
    return !o->doubtful && o->count == floor(o->count) && o->count >= 1 &&
           o->count <= FLEET_UNITS_MAX;
}

bool fleet_usable(const struct spot_fleet_request *req, const struct spot_offer *o)
{
    return sound(o) && cheap_enough(req, o->price);
}

bool fleet_on_demand(const struct spot_fleet_request *req, const struct spot_offer *o)
{
    return sound(o) && o->on_demand.nano > 0 && cheap_enough(req, o->on_demand);
}

/* USD an hour of so many GPUs in whole machines on demand. */
static double whole(const struct spot_offer *o, int64_t gpus)
{
    return usd_per_hour_double(o->on_demand) * ceil((double)gpus / o->count);
}

/* The cheapest on demand: of those that pass, and of all, which stands in for what is lost. */
static void find_on_demand(struct search *s, const struct price_spot_result *market)
{
    const struct spot_offer *rows = market->offers.at;
    int64_t gpus = s->req->gpus;

    for (size_t i = 0; i < market->offers.len; i++) {
        const struct spot_offer *o = &rows[i];

        if (!sound(o) || o->on_demand.nano <= 0)
            continue;
        if (s->stand_in == NULL || whole(o, gpus) < whole(s->stand_in, gpus))
            s->stand_in = o;
        if (fleet_on_demand(s->req, o) &&
            (s->on_demand == NULL || whole(o, gpus) < whole(s->on_demand, gpus)))
            s->on_demand = o;
    }
}

/* Of a GPU, with what stands in for it when it is lost. */
static double expected_unit(const struct search *s, const struct spot_offer *o)
{
    double half = o->risk / 2, price = usd_per_hour_double(o->price) / o->count;

    if (s->stand_in == NULL)
        return price;
    return price * (1 - half) +
           usd_per_hour_double(s->stand_in->on_demand) / s->stand_in->count * half;
}

/* Those of a known risk that are expected to cost least, as many as can be searched well. */
static void take_offers(struct search *s, const struct price_spot_result *market,
                        size_t *unknown)
{
    const struct spot_offer *rows = market->offers.at;

    for (size_t i = 0; i < market->offers.len; i++) {
        const struct spot_offer *o = &rows[i];
        size_t at = s->count;

        if (!fleet_usable(s->req, o))
            continue;
        if (isnan(o->risk)) {
            (*unknown)++;
            continue;
        }
        for (; at > 0 && expected_unit(s, s->offers[at - 1]) > expected_unit(s, o); at--)
            s->offers[at] = s->offers[at - 1];
        s->offers[at] = o;
        if (s->count < POOLS)
            s->count++;
    }
    for (size_t i = 0; i < s->count; i++)
        s->pools[i] = (struct fleet_pool){.price = usd_per_hour_double(s->offers[i]->price),
                                          .risk = s->offers[i]->risk,
                                          .units = (int64_t)s->offers[i]->count};
    number_groups(s);
}

static bool add_on_demand(struct search *s)
{
    const struct spot_offer *o = s->on_demand;

    if (o == NULL || s->req->no_on_demand)
        return false;
    s->offers[s->count] = o;
    s->pools[s->count] = (struct fleet_pool){.price = usd_per_hour_double(o->on_demand),
                                             .units = (int64_t)o->count,
                                             .family = s->count,
                                             .group = s->count};
    s->count++;
    return true;
}

static bool show(struct search *s, const struct fleet_choice *c, bool base,
                 struct spot_fleet_result *res, struct error *err)
{
    struct fleet_row *rows = arena_array(s->ctx->arena, struct fleet_row, s->count, err);
    size_t count = 0;

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < s->count; i++) {
        const struct spot_offer *o = s->offers[i];
        bool on_demand = base && i + 1 == s->count;
        usd_per_hour price = on_demand ? o->on_demand : o->price;

        if (c->count[i] == 0)
            continue;
        rows[count++] = (struct fleet_row){
            .offer = o->offer,
            .market = on_demand ? STR("on-demand") : STR("spot"),
            .accelerator = o->accelerator,
            .machines = c->count[i],
            .gpus = o->count,
            .price = price,
            .per_gpu = usd_per_hour_share(price, (int64_t)o->count),
            .sum = usd_per_hour_times(price, c->count[i]),
            .risk = s->pools[i].risk,
        };
    }
    res->pools = (struct rows){rows, count};
    res->gpus = c->units;
    res->price.nano = usd_from(c->price).nano;
    res->expected.nano = usd_about(c->expected).nano;
    res->risk = c->risk;
    res->lost = c->lost;
    res->exact = c->exact;
    return true;
}

static bool choose(struct search *s, const struct price_spot_result *market,
                   struct spot_fleet_result *res, struct error *err)
{
    struct arena scratch = {.alloc = s->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct fleet_wish wish = {.capacity = s->req->gpus,
                              .lost_share = s->req->lost_share,
                              .max_risk = s->req->max_risk,
                              .max_lost = s->req->max_lost,
                              .replace = NAN};
    struct fleet_choice choice;
    size_t unknown = 0;
    bool base, ok;

    find_on_demand(s, market);
    take_offers(s, market, &unknown);
    if (unknown > 0)
        op_say(s->ctx, VOICE_NOTE,
               "%zu left out, their risk is unknown: 'stint price spot "
               "--for 24h' tells why",
               unknown);
    res->candidates = (int64_t)s->count;
    if (s->stand_in != NULL) {
        wish.replace = usd_per_hour_double(s->stand_in->on_demand);
        wish.replace_units = (int64_t)s->stand_in->count;
    }
    base = add_on_demand(s);
    if (s->count == 0) {
        error_set(err, ERROR_UNFIT, "no machine of a known risk passes the filters");
        error_hint(err, "leave out a filter, or raise --max-price");
        return false;
    }
    ok = fleet_choose(s->pools, s->count, &wish, &scratch, &choice, err) &&
         show(s, &choice, base, res, err);
    arena_free(&scratch);
    if (!ok && err->kind == ERROR_UNFIT && !base)
        error_hint(err, "raise --max-risk, add providers or regions, or let on-demand in");
    if (!ok)
        return false;
    if (s->on_demand != NULL) {
        double on_demand = whole(s->on_demand, s->req->gpus);

        res->on_demand.nano = usd_from(on_demand).nano;
        res->saving = 1 - choice.expected / on_demand;
    }
    if (!choice.exact)
        op_say(s->ctx, VOICE_NOTE,
               "there are too many ways to try all: a cheaper one may exist");
    return true;
}

static bool check(const struct spot_fleet_request *req, struct error *err)
{
    if (req->gpus < 1 && req->jobs.len == 0 && req->job_file.len == 0) {
        error_set(err, ERROR_USAGE, "how many GPUs, or which jobs?");
        error_hint(err, "stint spot fleet --gpus 64 --gpu H100 --max-risk 5%%, or --job "
                        "train:48h:by=60h");
        return false;
    }
    if (req->gpus > FLEET_UNITS_MAX)
        return error_fail(err, ERROR_USAGE, "--gpus is at most %d", FLEET_UNITS_MAX);
    return true;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct spot_fleet_request *req = in;
    struct spot_fleet_result *res = out;
    struct search s = {.ctx = ctx, .req = req};
    struct price_spot_result market;

    if (!check(req, err) || !ask_market(ctx, req, &market, err))
        return false;
    res->age = market.age;
    res->hours = span_in_hours(req->length);
    res->lost_share = req->lost_share;
    if (req->gpus > 0 && !choose(&s, &market, res, err))
        return false;
    if (req->jobs.len == 0 && req->job_file.len == 0)
        return true;
    return fleet_mix(ctx, req, &market.offers, res, err);
}

const struct op op_spot_fleet = {
    .name = "spot.fleet",
    .schema = "stint.spot.fleet/1",
    .summary = "spread machines over zones and jobs over markets",
    .request = &(const struct field_set)FIELD_SET(struct spot_fleet_request, request),
    .result = &(const struct field_set)FIELD_SET(struct spot_fleet_result, result),
    .run = run,
};
