/* The jobs of spot.fleet: how they are written, and which of them go on spot. */
#include <math.h>

#include "base/fs.h"
#include "base/num.h"
#include "op/spot/spot_fleet.h"
#include "op/spot/spot_source.h"

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
            op_say(ctx, VOICE_NOTE,
                   "the jobs' hours are taken to be the same on every machine that passes: "
                   "--gpu and --count say which");
            return;
        }
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

bool fleet_mix(struct op_context *ctx, const struct spot_fleet_request *req,
               const struct rows *market, struct spot_fleet_result *res, struct error *err)
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
