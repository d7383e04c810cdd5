#include "spot/mix.h"

#include <math.h>

#include "base/num.h"
#include "catalog/network.h"
#include "spot/fleet.h"
#include "spot/hazard.h"

#define HOUR 3600.0
#define JOBS_MAX 1000
#define MACHINES_MAX 100000
#define RUNS 200
#define SEED 1
#define TRIES 4 /* offers simulated: the closed form is good enough to leave out the others */

/* Started over until a machine lasts for all of it: each try costs as much of a life as falls
 * into the job's time. */
static double cost_of_tries(const struct mix_job *job, const struct mix_terms *terms,
                            const struct mix_offer *offer)
{
    struct hazard h = hazard_of(offer->life->lose);
    double hours = (job->work + terms->delay) / HOUR, lasts = hazard_survive(&h, hours);

    return lasts > 1e-6 ? offer->spot * job->gang * hazard_mean(&h, hours) / lasts : INFINITY;
}

static struct outlook_ask outlook_ask_of(const struct mix_job *job,
                                         const struct mix_terms *terms,
                                         const struct mix_offer *offer)
{
    return (struct outlook_ask){
        .job = {.work = job->work,
                .deadline = job->deadline,
                .delay = terms->delay,
                .gang = job->gang,
                .by_second = true,
                .save_takes = terms->save_takes,
                .notice = terms->notice},
        .spot = offer->spot,
        /* Without a deadline it is only compared with. */
        .on_demand = isnan(offer->on_demand) ? offer->spot + 1 : offer->on_demand,
        .life = offer->life,
        .policy = terms->policy,
        .seed = terms->seed,
        .runs = terms->runs,
    };
}

/* Those that the closed form finds cheapest, cheapest first. */
struct ranked {
    size_t at[TRIES];
    double usd[TRIES];
    size_t len;
};

static void rank_offers(const struct mix_job *job, const struct mix_terms *terms,
                        const struct mix_offer *offers, size_t count, struct ranked *out)
{
    out->len = 0;
    for (size_t i = 0; i < count; i++) {
        struct outlook_ask ask = outlook_ask_of(job, terms, &offers[i]);
        size_t at = out->len;
        double cost;

        if (job->deadline > 0 && isnan(offers[i].on_demand))
            continue;
        cost = job->once ? cost_of_tries(job, terms, &offers[i]) : outlook_quick(&ask).usd;
        for (; at > 0 && !(out->usd[at - 1] <= cost); at--)
            if (at < TRIES) {
                out->at[at] = out->at[at - 1];
                out->usd[at] = out->usd[at - 1];
            }
        if (at == TRIES)
            continue;
        out->at[at] = i;
        out->usd[at] = cost;
        if (out->len < TRIES)
            out->len++;
    }
}

static bool choose_mix_on_demand(struct mix_choice *out, enum mix_reason reason,
                                 struct error *err)
{
    if (isnan(out->on_demand_usd)) {
        error_set(err, ERROR_UNFIT, "it needs on-demand, and no such machine passes");
        error_hint(err, "raise --max-price, or leave out another filter");
        return false;
    }
    out->spot = false;
    out->reason = reason;
    out->usd = out->on_demand_usd;
    out->usd_p90 = NAN;
    return true;
}

static void choose_mix_spot(struct mix_choice *out, size_t offer, double mean, double p90)
{
    out->spot = true;
    out->reason = isnan(out->on_demand_usd) ? MIX_ONLY : MIX_CHEAPER;
    out->offer = offer;
    out->usd = mean;
    out->usd_p90 = p90;
}

/* Nothing bounds the time of a job that starts over: with a deadline it cannot be promised. */
static bool choose_once(const struct mix_job *job, const struct ranked *best,
                        struct mix_choice *out, struct error *err)
{
    out->spot_usd = best->len > 0 ? best->usd[0] : INFINITY;
    if (job->deadline > 0)
        return choose_mix_on_demand(out, MIX_TIGHT, err);
    if (best->len == 0 || isinf(out->spot_usd) || out->spot_usd >= out->on_demand_usd)
        return choose_mix_on_demand(out, MIX_MORE_EXPENSIVE, err);
    choose_mix_spot(out, best->at[0], out->spot_usd, NAN);
    return true;
}

/* Simulate the best: of those that are surely cheaper than on-demand, the cheapest. */
static bool choose_best(const struct mix_job *job, const struct mix_terms *terms,
                        const struct mix_offer *offers, const struct ranked *best,
                        struct arena *scratch, struct mix_choice *out, struct error *err)
{
    double limit = isnan(out->on_demand_usd) ? (double)INFINITY : out->on_demand_usd;
    double least = INFINITY;

    for (size_t i = 0; i < best->len; i++) {
        struct outlook_ask ask = outlook_ask_of(job, terms, &offers[best->at[i]]);
        struct outlook o;

        if (!outlook_run(&ask, scratch, &o, err)) {
            if (err->kind != ERROR_UNFIT)
                return false;
            *err = (struct error){0}; /* saving does not fit, but without it on-demand does */
            continue;
        }
        out->spot_usd = fmin(out->spot_usd, o.usd);
        if (o.usd < least && outlook_beats(&o, limit)) {
            least = o.usd;
            choose_mix_spot(out, best->at[i], o.usd, o.usd_p90);
        }
    }
    if (isfinite(least))
        return true;
    if (isnan(out->spot_usd))
        return choose_mix_on_demand(out, MIX_TIGHT, err);
    return choose_mix_on_demand(out, out->spot_usd < limit ? MIX_UNSURE : MIX_MORE_EXPENSIVE,
                                err);
}

bool mix_choose(const struct mix_job *job, const struct mix_terms *terms,
                const struct mix_offer *offers, size_t count, struct arena *scratch,
                struct mix_choice *out, struct error *err)
{
    double seconds = job->work + terms->delay;
    struct ranked best;

    *out = (struct mix_choice){.usd_p90 = NAN, .spot_usd = NAN};
    out->on_demand_usd = terms->on_demand * job->gang * seconds / HOUR;
    if (job->deadline > 0 && job->deadline < seconds) {
        error_set(err, ERROR_UNFIT, "not even on-demand makes a deadline of %.4g h",
                  job->deadline / HOUR);
        error_hint(err, "the earliest that can be promised is %.4g h", seconds / HOUR);
        return false;
    }
    if (job->critical)
        return choose_mix_on_demand(out, MIX_CRITICAL, err);
    rank_offers(job, terms, offers, count, &best);
    if (job->once)
        return choose_once(job, &best, out, err);
    return choose_best(job, terms, offers, &best, scratch, out, err);
}

/* ---- jobs as the user writes them, on offers ---- */

static const char *const reason_names[] = {
    [MIX_CHEAPER] = "costs less",
    [MIX_ONLY] = "no on-demand machine passes",
    [MIX_CRITICAL] = "critical",
    [MIX_MORE_EXPENSIVE] = "spot would cost more",
    [MIX_UNSURE] = "spot saves no more than chance, or may not end",
    [MIX_TIGHT] = "the deadline leaves no time for losses",
};

static const struct field row_fields[] = {
    FIELD(TEXT, mix_row, job, .help = "job name"),
    FIELD(ENUM, mix_row, market, .names = market_names, .only = MARKETS_LISTED,
          .help = "market chosen: spot or on-demand"),
    FIELD(TEXT, mix_row, offer, .help = "machine with the lowest cost there"),
    FIELD(ENUM, mix_row, reason, FIELD_NAMES(reason_names), .help = "reason for the choice"),
    FIELD(COUNT, mix_row, machines, .help = "machines at once"),
    FIELD(NUMBER, mix_row, hours, .help = "hours of work"),
    FIELD(NUMBER, mix_row, deadline_h, .help = "hours until the deadline"),
    FIELD(NUMBER, mix_row, history_days,
          .help = "spot: days of data that the risk is based on"),
    FIELD(NUMBER, mix_row, span_days, .help = "spot: days from the first to the last of them"),
    FIELD(USD, mix_row, cost_usd, .help = "expected cost"),
    FIELD(USD, mix_row, p90_usd, .help = "simulated: 90th percentile of the cost"),
    FIELD(USD, mix_row, on_demand_usd, .help = "cost on the cheapest on-demand machine"),
};

static const struct field_set row_set = FIELD_SET(struct mix_row, row_fields);

static const struct field fields[] = {
    FIELD(LIST, mix, jobs, .row = &row_set, .help = "mix of jobs"),
    FIELD(USD, mix, jobs_usd, .help = "expected cost of all jobs"),
    FIELD(USD, mix, jobs_on_demand_usd,
          .help = "cost of all jobs on the cheapest on-demand machine"),
    FIELD_AS("jobs_savings", NUMBER, mix, jobs_saving, .help = "savings as a share of that"),
};

const struct field_set mix_fields = FIELD_SET(struct mix, fields);

static bool bad_job(struct str text, const char *why, struct error *err)
{
    error_set(err, ERROR_USAGE, "job '%.*s': %s", STR_ARG(text), why);
    error_hint(err, "write NAME:HOURS, then any of :MACHINES, :critical, :once, :by=TIME, such "
                    "as train:48h:4:by=60h");
    return false;
}

static bool parse_seconds(struct str text, double *seconds)
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

static bool add_mix_word(struct str text, struct str word, struct mix_job *out,
                         struct error *err)
{
    int64_t machines;

    if (str_eq_nocase(word, STR("critical"))) {
        out->critical = true;
    } else if (str_eq_nocase(word, STR("once"))) {
        out->once = true;
    } else if (str_starts(word, STR("by="))) {
        if (!parse_seconds((struct str){word.at + 3, word.len - 3}, &out->deadline))
            return bad_job(text, "its deadline is not a time", err);
    } else if (num_int(word, &machines)) {
        if (machines < 1 || machines > MACHINES_MAX)
            return bad_job(text, "it needs 1 to 100000 machines", err);
        out->gang = (int32_t)machines;
    } else {
        return bad_job(text, "what follows the hours is not known", err);
    }
    return true;
}

bool mix_job_parse(struct str text, struct str *name, struct mix_job *out, struct error *err)
{
    struct str rest = text;

    *out = (struct mix_job){.gang = 1};
    *name = str_trim(str_cut(&rest, ':'));
    if (name->len == 0)
        return bad_job(text, "it has no name", err);
    if (!parse_seconds(str_trim(str_cut(&rest, ':')), &out->work))
        return bad_job(text, "its hours of work are not a time", err);
    while (rest.len > 0)
        if (!add_mix_word(text, str_trim(str_cut(&rest, ':')), out, err))
            return false;
    return true;
}

/* Jobs of the options, then those of the file. */
struct job_list {
    struct str *names;
    struct mix_job *jobs;
    size_t len;
};

static bool add_mix_job(struct job_list *l, struct str text, struct error *err)
{
    if (l->len == JOBS_MAX)
        return error_fail(err, ERROR_INPUT, "there are more than %d jobs", JOBS_MAX);
    if (!mix_job_parse(text, &l->names[l->len], &l->jobs[l->len], err))
        return false;
    l->len++;
    return true;
}

static bool add_mix_file(const struct mix_ask *ask, struct job_list *l, struct error *err)
{
    struct str text = ask->text;
    size_t line = 0;

    while (text.len > 0) {
        struct str row = str_cut(&text, '\n');
        struct str job = str_trim(str_cut(&row, '#'));

        line++;
        if (job.len == 0 || add_mix_job(l, job, err))
            continue;
        err->kind = ERROR_INPUT;
        error_context(err, "line %zu", line);
        error_place(err, ask->file);
        return false;
    }
    return true;
}

static bool read_jobs(const struct mix_ask *ask, struct arena *arena, struct job_list *l,
                      struct error *err)
{
    l->names = arena_array(arena, struct str, JOBS_MAX, err);
    l->jobs = arena_array(arena, struct mix_job, JOBS_MAX, err);
    if (l->names == NULL || l->jobs == NULL)
        return false;
    for (size_t i = 0; i < ask->jobs.len; i++)
        if (!add_mix_job(l, ask->jobs.at[i], err))
            return false;
    if (!add_mix_file(ask, l, err))
        return false;
    if (l->len > 0)
        return true;
    error_set(err, ERROR_INPUT, "'%s' holds no jobs", ask->file);
    error_hint(err, "write one a line, such as train:48h:4:by=60h");
    return false;
}

/* How many of the offers that pass have a risk that is known, and one that is not. */
struct risks_known {
    size_t known, unknown;
    struct str why; /* of the first unknown one */
};

/* The machines that jobs may go on. */
struct job_machines {
    const struct spot_offer **rows;
    struct mix_offer *offers;
    size_t len;
    const struct spot_offer *on_demand; /* the cheapest; NULL: none passes */
    struct risks_known risks;
};

/* The hours of a job are those of any machine that passes: note when these are unlike. */
static void note_unlike(const struct messages *messages, const struct job_machines *m)
{
    for (size_t i = 1; i < m->len; i++)
        if (m->rows[i]->count != m->rows[0]->count ||
            !str_eq(m->rows[i]->accelerator, m->rows[0]->accelerator)) {
            message_note(
                messages,
                "the jobs' hours are assumed to be the same on every machine that passes; "
                "--gpu and --count restrict them");
            return;
        }
}

/* Offers of unknown risk may look cheap only because they were not watched. */
static void note_unknown(const struct mix_ask *ask, const struct risks_known *r)
{
    if (r->unknown > 0 && r->known > 0 && !ask->unknown_noted)
        message_note(ask->messages,
                     "%zu left out, their risk is unknown: 'stint price spot --for 24h' "
                     "explains why",
                     r->unknown);
    else if (r->unknown > 0 && r->known == 0)
        message_note(ask->messages,
                     "the risk of %s unknown (%.*s): jobs on spot rest on machines watched "
                     "elsewhere alone",
                     r->unknown == 1 ? "this offer is" : "all these offers is",
                     STR_ARG(r->why));
}

/* How long machines of all these offers last, whichever job goes on them: NULL where one is not
 * for spot. */
static bool model_offers(const struct mix_ask *ask, struct rows offers, struct arena *arena,
                         const struct spot_place **out, struct error *err)
{
    const struct spot_offer *rows = offers.at;
    struct spot_place *places = arena_array(arena, struct spot_place, offers.len, err);

    for (size_t i = 0; places != NULL && i < offers.len; i++) {
        if (!fleet_passes_spot(&rows[i], ask->max_price))
            continue;
        places[i].spot = usd_per_hour_double(rows[i].price);
        places[i].on_demand = usd_per_hour_double(rows[i].on_demand);
        if (!spot_place_model(&rows[i], ask->catalog, arena, &places[i], err))
            return false;
        out[i] = &places[i];
    }
    return places != NULL;
}

/* Can so many of these machines work on one job? */
static bool can_join(const struct mix_ask *ask, const struct spot_offer *offer, int64_t gang)
{
    struct machine machine = {.provider = offer->provider,
                              .region = offer->region,
                              .instance = offer->instance,
                              .count = (int64_t)offer->count};
    struct joining j;

    if (gang == 1)
        return true;
    j = machine_joining(ask->catalog, &machine, ask->supply);
    return joining_allows(&j, gang) && joining_rented(&j, gang) == gang;
}

static void count_risk(struct risks_known *r, const struct spot_offer *offer)
{
    bool unknown = offer->risk_unknown.len > 0;

    r->known += !unknown;
    r->unknown += unknown;
    if (r->why.len == 0)
        r->why = offer->risk_unknown;
}

/* Those of unknown risk, while there are others. */
static void drop_unknown(struct job_machines *m)
{
    size_t kept = 0;

    for (size_t i = 0; i < m->len; i++) {
        if (m->rows[i]->risk_unknown.len > 0 && m->risks.known > 0)
            continue;
        m->rows[kept] = m->rows[i];
        m->offers[kept++] = m->offers[i];
    }
    m->len = kept;
}

/* The machines for jobs on so many of them. */
static bool find_mix_machines(const struct mix_ask *ask, struct rows offers,
                              const struct spot_place *const *places, int64_t gang,
                              struct arena *arena, struct job_machines *m, struct error *err)
{
    const struct spot_offer *rows = offers.at;
    usd_per_hour least = USD_PER_HOUR_UNKNOWN; /* which comes last */
    size_t apart = 0;

    *m = (struct job_machines){
        .rows = arena_array(arena, const struct spot_offer *, offers.len, err),
        .offers = arena_array(arena, struct mix_offer, offers.len, err)};
    if (m->rows == NULL || m->offers == NULL)
        return false;
    for (size_t i = 0; i < offers.len; i++) {
        bool base = fleet_passes_on_demand(&rows[i], ask->max_price);

        if (!can_join(ask, &rows[i], gang)) {
            apart++;
            continue;
        }
        if (base && usd_per_hour_compare(rows[i].on_demand, least) < 0) {
            m->on_demand = &rows[i];
            least = rows[i].on_demand;
        }
        if (places[i] == NULL)
            continue;
        m->offers[m->len] = (struct mix_offer){
            places[i]->spot, base ? places[i]->on_demand : NAN, &places[i]->life};
        count_risk(&m->risks, &rows[i]);
        m->rows[m->len++] = &rows[i];
    }
    drop_unknown(m);
    if (apart > 0)
        message_note(ask->messages,
                     "%zu of %zu offers left out for jobs on %lld machines, which cannot be "
                     "joined there or are not known to be available (--supply)",
                     apart, offers.len, (long long)gang);
    if (m->len > 0 || m->on_demand != NULL)
        return true;
    error_set(err, ERROR_UNFIT, "no machine passes the filters");
    error_hint(err, "leave out a filter, or raise --max-price");
    return false;
}

/* Machines for each number of them that a job needs. */
static bool find_all_machines(const struct mix_ask *ask, const struct job_list *list,
                              struct rows offers, struct arena *arena, struct job_machines *out,
                              struct error *err)
{
    const struct spot_place **places =
        arena_array(arena, const struct spot_place *, offers.len + 1, err);
    size_t widest = 0;

    if (places == NULL || !model_offers(ask, offers, arena, places, err))
        return false;
    for (size_t i = 0; i < list->len; i++) {
        size_t same = 0;

        while (list->jobs[same].gang != list->jobs[i].gang)
            same++;
        if (same < i) {
            out[i] = out[same];
        } else if (!find_mix_machines(ask, offers, places, list->jobs[i].gang, arena, &out[i],
                                      err)) {
            error_context(err, "job '%.*s'", STR_ARG(list->names[i]));
            return false;
        }
        widest = out[i].len > out[widest].len ? i : widest;
    }
    note_unknown(ask, &out[widest].risks);
    note_unlike(ask->messages, &out[widest]);
    return true;
}

static struct mix_row mix_row_of(struct str name, const struct mix_job *job,
                                 const struct job_machines *m, const struct mix_choice *c)
{
    const struct spot_offer *on = c->spot ? m->rows[c->offer] : m->on_demand;

    return (struct mix_row){.job = name,
                            .offer = on != NULL ? on->offer : (struct str){0},
                            .market = c->spot ? MARKET_SPOT : MARKET_ON_DEMAND,
                            .reason = c->reason,
                            .machines = job->gang,
                            .hours = job->work / 3600,
                            .deadline_h = job->deadline > 0 ? job->deadline / 3600 : NAN,
                            .history_days = c->spot ? on->history_days : NAN,
                            .span_days = c->spot ? on->span_days : NAN,
                            .cost_usd = usd_about(c->usd),
                            .p90_usd = usd_about(c->usd_p90),
                            .on_demand_usd = usd_about(c->on_demand_usd)};
}

static void add_up_mix(const struct mix_row *rows, size_t count, struct mix *res)
{
    res->jobs_usd = res->jobs_on_demand_usd = (usd){0};
    for (size_t i = 0; i < count; i++) {
        res->jobs_usd = usd_add(res->jobs_usd, rows[i].cost_usd);
        res->jobs_on_demand_usd = usd_add(res->jobs_on_demand_usd, rows[i].on_demand_usd);
    }
    res->jobs = (struct rows){rows, count};
    res->jobs_saving = 1 - usd_double(res->jobs_usd) / usd_double(res->jobs_on_demand_usd);
}

bool mix_offers(const struct mix_ask *ask, struct rows offers, struct arena *arena,
                struct mix *res, struct error *err)
{
    struct arena scratch = {.alloc = arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct job_list list = {0};
    struct job_machines *machines;
    struct mix_terms terms = {.on_demand = NAN,
                              .delay = span_in_seconds(ask->delay),
                              .save_takes = span_in_seconds(ask->checkpoint),
                              .policy = &policy_stint,
                              .seed = SEED,
                              .runs = RUNS};
    struct mix_row *rows;
    int64_t gang = 1;

    if (!read_jobs(ask, arena, &list, err))
        return false;
    rows = arena_array(arena, struct mix_row, list.len, err);
    machines = arena_array(arena, struct job_machines, list.len, err);
    if (rows == NULL || machines == NULL ||
        !find_all_machines(ask, &list, offers, arena, machines, err))
        return false;
    for (size_t i = 0; i < list.len; i++) {
        const struct job_machines *m = &machines[i];
        struct mix_choice c;
        bool ok;

        terms.on_demand =
            m->on_demand != NULL ? usd_per_hour_double(m->on_demand->on_demand) : (double)NAN;
        ok = mix_choose(&list.jobs[i], &terms, m->offers, m->len, &scratch, &c, err);
        arena_free(&scratch);
        if (!ok) {
            error_context(err, "job '%.*s'", STR_ARG(list.names[i]));
            return false;
        }
        if (c.spot && list.jobs[i].gang > gang)
            gang = list.jobs[i].gang;
        rows[i] = mix_row_of(list.names[i], &list.jobs[i], m, &c);
    }
    spot_gang_warn(ask->messages, gang);
    add_up_mix(rows, list.len, res);
    return true;
}
