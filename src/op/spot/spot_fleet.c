/* spot.fleet - machines of several zones and types for a capacity, at the wanted risk. */
#include "op/spot/spot_fleet.h"

#include <math.h>

#include "base/fs.h"
#include "base/num.h"
#include "op/context.h"
#include "op/op.h"
#include "op/spot/spot_source.h"
#include "spot/fleet.h"

/* ---- the jobs of spot.fleet: how they are written, and which of them go on spot ---- */

#define FILE_MAX ((size_t)1 << 20)
#define JOBS_MAX 1000
#define MACHINES_MAX 100000
#define RUNS 200
#define SEED 1

static const struct field mix_fields[] = {
    FIELD(TEXT, mix_row, job, .help = "its name"),
    FIELD(TEXT, mix_row, market, .help = "where it goes: spot or on-demand"),
    FIELD(TEXT, mix_row, offer, .help = "on which machine: the one that costs least there"),
    FIELD(TEXT, mix_row, reason, .help = "why"),
    FIELD(COUNT, mix_row, machines, .help = "at once"),
    FIELD(NUMBER, mix_row, hours, .help = "of work"),
    FIELD(NUMBER, mix_row, deadline_h, .help = "hours until it must be done"),
    FIELD(USD, mix_row, cost_usd, .help = "expected"),
    FIELD(USD, mix_row, p90_usd, .help = "simulated: 90 % of runs cost at most this"),
    FIELD(USD, mix_row, on_demand_usd, .help = "on the cheapest machine on demand"),
};

const struct field_set mix_row_fields = FIELD_SET(struct mix_row, mix_fields);

static bool bad_job(struct str text, const char *why, struct error *err)
{
    error_set(err, ERROR_USAGE, "job '%.*s': %s", STR_ARG(text), why);
    error_hint(err, "write NAME:HOURS, then any of :MACHINES, :critical, :once, :by=TIME, such "
                    "as train:48h:4:by=60h");
    return false;
}

static bool time_of(struct str text, double *seconds)
{
    struct error ignored = {0};
    double number;
    span s;

    if (num_double(text, &number) && number > 0 && number < 1e6) {
        *seconds = number * 3600;
        return true;
    }
    if (!span_parse(text, &s, &ignored) || s.ns <= 0)
        return false;
    *seconds = span_in_seconds(s);
    return *seconds < 1e6 * 3600;
}

static bool add_word(struct str text, struct str word, struct mix_job *out, struct error *err)
{
    int64_t machines;

    if (str_eq_nocase(word, STR("critical"))) {
        out->critical = true;
    } else if (str_eq_nocase(word, STR("once"))) {
        out->once = true;
    } else if (str_starts(word, STR("by="))) {
        if (!time_of((struct str){word.at + 3, word.len - 3}, &out->deadline))
            return bad_job(text, "its deadline is no time", err);
    } else if (num_int(word, &machines)) {
        if (machines < 1 || machines > MACHINES_MAX)
            return bad_job(text, "it needs 1 to 100000 machines", err);
        out->gang = (int32_t)machines;
    } else {
        return bad_job(text, "what follows the hours is not known", err);
    }
    return true;
}

bool fleet_job_parse(struct str text, struct str *name, struct mix_job *out, struct error *err)
{
    struct str rest = text;

    *out = (struct mix_job){.gang = 1};
    *name = str_trim(str_cut(&rest, ':'));
    if (name->len == 0)
        return bad_job(text, "it has no name", err);
    if (!time_of(str_trim(str_cut(&rest, ':')), &out->work))
        return bad_job(text, "its hours of work are no time", err);
    while (rest.len > 0)
        if (!add_word(text, str_trim(str_cut(&rest, ':')), out, err))
            return false;
    return true;
}

/* Jobs of the options, then those of the file. */
struct job_list {
    struct str *names;
    struct mix_job *jobs;
    size_t len;
};

static bool add_job(struct job_list *l, struct str text, struct error *err)
{
    if (l->len == JOBS_MAX)
        return error_fail(err, ERROR_INPUT, "there are more than %d jobs", JOBS_MAX);
    if (!fleet_job_parse(text, &l->names[l->len], &l->jobs[l->len], err))
        return false;
    l->len++;
    return true;
}

static bool add_file(struct op_context *ctx, struct str file, struct job_list *l,
                     struct error *err)
{
    const char *path = str_dup(file, ctx->arena, err);
    struct str text;
    size_t line = 0;

    if (path == NULL || !fs_read(path, FILE_MAX, ctx->arena, &text, err))
        return false;
    while (text.len > 0) {
        struct str row = str_cut(&text, '\n');
        struct str job = str_trim(str_cut(&row, '#'));

        line++;
        if (job.len == 0 || add_job(l, job, err))
            continue;
        err->kind = ERROR_INPUT;
        error_context(err, "line %zu", line);
        error_place(err, path);
        return false;
    }
    return true;
}

static bool read_jobs(struct op_context *ctx, const struct spot_fleet_request *req,
                      struct job_list *l, struct error *err)
{
    l->names = arena_array(ctx->arena, struct str, JOBS_MAX, err);
    l->jobs = arena_array(ctx->arena, struct mix_job, JOBS_MAX, err);
    if (l->names == NULL || l->jobs == NULL)
        return false;
    for (size_t i = 0; i < req->jobs.len; i++)
        if (!add_job(l, req->jobs.at[i], err))
            return false;
    if (req->job_file.len > 0 && !add_file(ctx, req->job_file, l, err))
        return false;
    if (l->len > 0)
        return true;
    error_set(err, ERROR_INPUT, "'%.*s' holds no jobs", STR_ARG(req->job_file));
    error_hint(err, "write one a line, such as train:48h:4:by=60h");
    return false;
}

/* The machines that jobs may go on. */
struct job_machines {
    const struct spot_offer **rows;
    struct spot_place *places;
    struct mix_offer *offers;
    size_t len;
    const struct spot_offer *on_demand; /* the cheapest; NULL: none passes */
};

/* Work is told in hours of any machine that passes, so that unlike ones are worth a word. */
static void say_unlike(const struct op_context *ctx, const struct job_machines *m)
{
    for (size_t i = 1; i < m->len; i++)
        if (m->rows[i]->count != m->rows[0]->count ||
            !str_eq(m->rows[i]->accelerator, m->rows[0]->accelerator)) {
            message_note(
                &ctx->messages,
                "the jobs' hours are taken to be the same on every machine that passes: "
                "--gpu and --count say which");
            return;
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

static bool fleet_usable(const struct spot_fleet_request *req, const struct spot_offer *o)
{
    return sound(o) && cheap_enough(req, o->price);
}

static bool fleet_on_demand(const struct spot_fleet_request *req, const struct spot_offer *o)
{
    return sound(o) && o->on_demand.nano > 0 && cheap_enough(req, o->on_demand);
}

static bool find_machines(struct op_context *ctx, const struct spot_fleet_request *req,
                          const struct rows *market, struct job_machines *m, struct error *err)
{
    const struct spot_offer *rows = market->at;
    usd_per_hour least = USD_PER_HOUR_UNKNOWN; /* which comes last */

    m->rows = arena_array(ctx->arena, const struct spot_offer *, market->len, err);
    m->places = arena_array(ctx->arena, struct spot_place, market->len, err);
    m->offers = arena_array(ctx->arena, struct mix_offer, market->len, err);
    if (m->rows == NULL || m->places == NULL || m->offers == NULL)
        return false;
    for (size_t i = 0; i < market->len; i++) {
        struct spot_place *p = &m->places[m->len];
        bool base = fleet_on_demand(req, &rows[i]);

        if (base && usd_per_hour_compare(rows[i].on_demand, least) < 0) {
            m->on_demand = &rows[i];
            least = rows[i].on_demand;
        }
        if (!fleet_usable(req, &rows[i]))
            continue;
        p->spot = usd_per_hour_double(rows[i].price);
        p->on_demand = usd_per_hour_double(rows[i].on_demand);
        if (!offer_lifetimes(ctx, &rows[i], p, err))
            return false;
        m->offers[m->len] = (struct mix_offer){p->spot, base ? p->on_demand : NAN, &p->life};
        m->rows[m->len++] = &rows[i];
    }
    say_unlike(ctx, m);
    if (m->len > 0 || m->on_demand != NULL)
        return true;
    error_set(err, ERROR_UNFIT, "no machine passes the filters");
    error_hint(err, "leave out a filter, or raise --max-price");
    return false;
}

static struct mix_row row_of(struct str name, const struct mix_job *job,
                             const struct job_machines *m, const struct mix_choice *c)
{
    static const char *const reasons[] = {
        [MIX_CHEAPER] = "costs less",
        [MIX_ONLY] = "no on-demand machine passes",
        [MIX_CRITICAL] = "critical",
        [MIX_DEARER] = "spot would cost more",
        [MIX_UNSURE] = "spot saves no more than chance, or may not end",
        [MIX_TIGHT] = "the deadline leaves no time for losses",
    };
    const struct spot_offer *on = c->spot ? m->rows[c->offer] : m->on_demand;

    return (struct mix_row){.job = name,
                            .offer = on != NULL ? on->offer : (struct str){0},
                            .market = c->spot ? STR("spot") : STR("on-demand"),
                            .reason = str_from(reasons[c->reason]),
                            .machines = job->gang,
                            .hours = job->work / 3600,
                            .deadline_h = job->deadline > 0 ? job->deadline / 3600 : NAN,
                            .cost_usd = usd_about(c->usd),
                            .p90_usd = usd_about(c->usd_p90),
                            .on_demand_usd = usd_about(c->on_demand_usd)};
}

static void add_up(const struct mix_row *rows, size_t count, struct spot_fleet_result *res)
{
    res->jobs_usd = res->jobs_on_demand_usd = (usd){0};
    for (size_t i = 0; i < count; i++) {
        res->jobs_usd = usd_add(res->jobs_usd, rows[i].cost_usd);
        res->jobs_on_demand_usd = usd_add(res->jobs_on_demand_usd, rows[i].on_demand_usd);
    }
    res->jobs = (struct rows){rows, count};
    res->jobs_saving = 1 - usd_double(res->jobs_usd) / usd_double(res->jobs_on_demand_usd);
}

/* The mix of the request's jobs on the machines of the market (struct spot_offer). */
static bool fleet_mix(struct op_context *ctx, const struct spot_fleet_request *req,
                      const struct rows *market, struct spot_fleet_result *res,
                      struct error *err)
{
    struct arena scratch = {.alloc = ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct job_list list = {0};
    struct job_machines m = {0};
    struct mix_terms terms = {.on_demand = NAN,
                              .delay = span_in_seconds(req->delay),
                              .save_takes = span_in_seconds(req->checkpoint),
                              .policy = &policy_stint,
                              .seed = SEED,
                              .runs = RUNS};
    struct mix_row *rows;
    int64_t gang = 1;

    if (!read_jobs(ctx, req, &list, err) || !find_machines(ctx, req, market, &m, err))
        return false;
    if (m.on_demand != NULL)
        terms.on_demand = usd_per_hour_double(m.on_demand->on_demand);
    rows = arena_array(ctx->arena, struct mix_row, list.len, err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < list.len; i++) {
        struct mix_choice c;
        bool ok = mix_choose(&list.jobs[i], &terms, m.offers, m.len, &scratch, &c, err);

        arena_free(&scratch);
        if (!ok) {
            error_context(err, "job '%.*s'", STR_ARG(list.names[i]));
            return false;
        }
        if (c.spot && list.jobs[i].gang > gang)
            gang = list.jobs[i].gang;
        rows[i] = row_of(list.names[i], &list.jobs[i], &m, &c);
    }
    offer_gang_warn(ctx, gang);
    add_up(rows, list.len, res);
    return true;
}

/* ---- the operation ---- */

#define POOLS 24 /* looked at: the cheapest for what they may cost in the end */

static const struct field request[] = {
    FIELD(COUNT, spot_fleet_request, gpus, .value = "N", .positive = true,
          .help = "GPUs that are wanted at once, in all"),
    FIELD(TEXT, spot_fleet_request, gpu, .value = "GPU", .also = accelerator_options,
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
          .help = "at most this share of the GPUs lost, on average"),
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
    FIELD(SHARE, spot_fleet_result, lost, .help = "of the wanted GPUs, on average"),
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
        message_note(&s->ctx->messages,
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
        message_note(&s->ctx->messages,
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

static bool spot_fleet_run(struct op_context *ctx, const void *in, void *out, struct error *err)
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
    .run = spot_fleet_run,
};
