#include "advise/economics/infer_case.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "estimate/model/choose.h"
#include "job/choices.h"
#include "job/source.h"
#include "unit/shown.h"

#define SETS_MAX 64
#define MEASURED_MOST 1000000 /* requests in work on a machine */

static const struct field result_fields[] = {
    FIELD(TEXT, infer_result, name, .help = "job name"),
    FIELD(TEXT, infer_result, model, .help = "served model"),
    FIELD_AS("rate", NUMBER, infer_result, answer.rate,
             .help = "mean request rate, requests/s"),
    FIELD_AS("peak_rate", NUMBER, infer_result, answer.peak_rate,
             .help = "peak request rate, requests/s"),
    FIELD_AS("requests_month", NUMBER, infer_result, answer.requests_month,
             .help = "requests per month of 30 days"),
    FIELD(NUMBER, infer_result, input, .help = "tokens per request; null: none"),
    FIELD(NUMBER, infer_result, output, .help = "tokens per answer; null: none"),
    FIELD(TEXT, infer_result, traffic, .help = "traffic: constant, or the shape or file given"),
    FIELD(TEXT, infer_result, pattern, .help = "pattern: constant, variable or bursty"),
    FIELD(SHARE, infer_result, cache_hits, .help = "share of requests answered by a cache"),
    FIELD(SHARE, infer_result, prompt_cache, .help = "share of input cached by a hosted API"),
    FIELD(PER_KWH, infer_result, electricity, .help = "electricity price for edge devices"),
    FIELD_AS("deployments", LIST, infer_result, answer.rows, .row = &infer_row_fields,
             .help = "cheapest deployment of each kind, the best first, conditional ones last"),
    FIELD_AS("volumes", LIST, infer_result, answer.volumes, .row = &plan_volume_fields,
             .help = "cheapest kind at each rate"),
    FIELD_AS("break_evens", LIST, infer_result, answer.evens, .row = &infer_even_fields,
             .help = "break-even of each pair"),
    FIELD_AS("batching", LIST, infer_result, answer.batching, .row = &infer_batching_fields,
             .help = "cost with and without dynamic batching"),
    FIELD_AS("batch_cost", USD, infer_result, answer.batch_cost,
             .help = "monthly cost of the same requests as a batch on the GPU machine"),
    FIELD_AS("batch_hours", NUMBER, infer_result, answer.batch_hours,
             .help = "machine-hours of the batch"),
    FIELD_AS("decisions", LIST, infer_result, answer.decisions, .row = &infer_decision_fields,
             .help = "rules of thumb, and the cost of following them"),
    FIELD_AS("paybacks", LIST, infer_result, answer.paybacks, .row = &infer_payback_fields,
             .help = "maximum costs at which an optimization pays back"),
    FIELD_AS("compression", LIST, infer_result, answer.compressions,
             .row = &infer_compression_fields,
             .help = "kinds of compression, by published ranges, with --compression"),
    FIELD_AS("hours", LIST, infer_result, answer.hours, .row = &infer_hour_fields,
             .help = "hours of the best deployment, where traffic varies"),
    FIELD_AS("autoscaling", LIST, infer_result, answer.scaling, .row = &infer_scaling_fields,
             .help = "numbers for an autoscaler, where traffic varies"),
    FIELD(LIST, infer_result, excluded, .row = &plan_excluded_fields,
          .help = "unusable options"),
    FIELD(DAY, infer_result, prices_from, .help = "oldest price considered"),
    FIELD(DAY, infer_result, prices_to, .help = "newest price considered"),
    FIELD(TEXTS, infer_result, notes, .help = "assumptions"),
    FIELD(TEXT, infer_result, svg, .help = "file that was written"),
};

const struct field_set infer_result_fields = FIELD_SET(struct infer_result, result_fields);

/* ---- checks ---- */

/* What was measured belongs together: a time, and the machine that took it. */
static bool check_infer_measured(const struct infer_request *r, struct error *err)
{
    bool machine = r->offer.len > 0 || r->price.nano != MONEY_UNKNOWN;

    if (r->latency.ns > 0 && !machine) {
        error_set(err, ERROR_USAGE, "--latency: on which machine was it measured?");
        error_hint(err, "add --offer aws/g4dn.xlarge, or --price 0.53usd/hr");
        return false;
    }
    if (!(r->latency.ns > 0) && (machine || r->batch > 0 || r->concurrency > 0)) {
        error_set(err, ERROR_USAGE, "--%s needs the time of a request that was measured",
                  r->offer.len > 0                 ? "offer"
                  : r->price.nano != MONEY_UNKNOWN ? "price"
                  : r->batch > 0                   ? "batch"
                                                   : "concurrency");
        error_hint(err, "add --latency 45ms");
        return false;
    }
    if (r->batch > MEASURED_MOST || r->concurrency > MEASURED_MOST)
        return error_fail(err, ERROR_USAGE, "--batch and --concurrency are at most %d",
                          MEASURED_MOST);
    return true;
}

bool infer_check(const struct infer_case *c, struct error *err)
{
    const struct infer_request *r = c->request;

    if (c->varies && !isnan(c->traffic.peak) && r->source.rate.len > 0) {
        error_set(err, ERROR_USAGE, "--rate and the rates of %.*s contradict each other",
                  STR_ARG(r->traffic));
        error_hint(err, "leave out --rate");
        return false;
    }
    if (!(r->cache_hits < 1)) {
        error_set(err, ERROR_USAGE,
                  "--cache-hits 100%%: a cache that answers everything needs no model");
        error_hint(err, "--cache-hits 30%%");
        return false;
    }
    if (!(r->speedup > 1 && r->speedup <= 1e6)) {
        error_set(err, ERROR_USAGE, "--speedup must be above 1, and at most a million");
        error_hint(err, "--speedup 2 halves the compute");
        return false;
    }
    if (r->payback_months > 1200)
        return error_fail(err, ERROR_USAGE, "--payback-months must be 1 to 1200");
    return check_infer_measured(r, err);
}

bool infer_check_job(const struct infer_case *c, const struct job *job, struct error *err)
{
    bool file_rates = c->varies && !isnan(c->traffic.peak);

    if (!file_rates && !(job->infer.rate > 0)) {
        error_set(err, ERROR_USAGE, "how many requests are there?");
        error_hint(err, "add --rate 20/s (also 5000/h, 3M/month), or --traffic day.csv");
        return false;
    }
    if (!job->arch_known)
        return error_fail(err, ERROR_INPUT,
                          "the ways to deploy need a known model, not a measured rate");
    if (c->varies && job->infer.hours_per_day > 0 && job->infer.hours_per_day < 24) {
        error_set(err, ERROR_USAGE, "hours_per_day and --traffic contradict each other");
        error_hint(err, "leave out one: --traffic says which hours have requests");
        return false;
    }
    return true;
}

static struct str edge_name(const struct catalog *catalog, size_t i)
{
    return CATALOG_ROW(catalog, TABLE_EDGE, edge_device, i)->device;
}

/* The devices are few enough to be named; hosted models are not. */
static void hint_infer_names(const struct catalog *catalog, enum catalog_table table,
                             struct error *err)
{
    char text[sizeof err->hint] = "";

    if (table != TABLE_EDGE) {
        error_hint(err, "'stint catalog show %s' lists them", catalog_tables[table].name);
        return;
    }
    for (size_t i = 0; i < catalog->tables[TABLE_EDGE].len; i++) {
        size_t len = strlen(text);

        (void)snprintf(text + len, sizeof text - len, "%s%.*s", i > 0 ? ", " : "",
                       STR_ARG(edge_name(catalog, i)));
    }
    error_hint(err, "known: %s", text);
}

/* Does the pattern match a name of the table? One that matches nothing is a typo. */
static bool check_infer_name(const struct catalog *catalog, enum catalog_table table,
                             struct str wanted, struct error *err)
{
    struct suggestion s = {.wanted = wanted};

    for (size_t i = 0; i < catalog->tables[table].len; i++) {
        struct str name = table == TABLE_EDGE
                              ? edge_name(catalog, i)
                              : CATALOG_ROW(catalog, table, token_price, i)->model;

        if (strs_match((struct strs){&wanted, 1}, name))
            return true;
        suggestion_try(&s, name);
    }
    error_set(err, ERROR_ABSENT, "there is no %s '%.*s'",
              table == TABLE_EDGE ? "edge device" : "hosted model", STR_ARG(wanted));
    if (!suggestion_hint(&s, err))
        hint_infer_names(catalog, table, err);
    return false;
}

bool infer_check_names(const struct infer_request *request, const struct catalog *catalog,
                       struct error *err)
{
    for (size_t i = 0; i < request->devices.len; i++)
        if (!check_infer_name(catalog, TABLE_EDGE, request->devices.at[i], err))
            return false;
    for (size_t i = 0; i < request->apis.len; i++)
        if (!check_infer_name(catalog, TABLE_TOKEN_PRICES, request->apis.at[i], err))
            return false;
    return true;
}

/* ---- the job ---- */

/* "slo.p95=200ms" from "p95=200ms". */
static bool add_infer_set(struct str *sets, size_t *count, const char *before, struct str what,
                          struct arena *arena, struct error *err)
{
    struct buf text = buf_new(arena->alloc, strlen(before) + what.len);

    if (what.len == 0)
        return true;
    if (*count == SETS_MAX)
        return error_fail(err, ERROR_USAGE, "more than %d settings are given", SETS_MAX);
    buf_adds(&text, before);
    buf_add(&text, what);
    return buf_keep(&text, arena, &sets[(*count)++], err);
}

static bool check_slo(struct str text, struct error *err)
{
    static const char *const names[] = {"p50", "p95", "p99", "first_token", NULL};
    struct str value = text, what = str_cut(&value, '=');

    if (value.len > 0 && choice_of(names, what) >= 0)
        return true;
    error_set(err, ERROR_USAGE, "--slo: '%.*s' is not WHAT=TIME", STR_ARG(text));
    error_hint(err, "--slo p95=200ms; also p50, p99 and first_token");
    return false;
}

bool infer_source(const struct infer_request *r, bool file, struct arena *arena,
                  struct job_source *out, struct error *err)
{
    struct str *sets = arena_array(arena, struct str, SETS_MAX, err);
    size_t count = 0;

    if (sets == NULL)
        return false;
    for (size_t i = 0; i < r->source.set.len; i++)
        if (!add_infer_set(sets, &count, "", r->source.set.at[i], arena, err))
            return false;
    for (size_t i = 0; i < r->slo.len; i++)
        if (!check_slo(r->slo.at[i], err) ||
            !add_infer_set(sets, &count, "slo.", r->slo.at[i], arena, err))
            return false;
    if (!add_infer_set(sets, &count, "input=", r->input_size, arena, err) ||
        !add_infer_set(sets, &count, "output=", r->output_size, arena, err))
        return false;
    *out = r->source;
    out->job = r->job;
    out->serve = !file;
    out->set = (struct strs){sets, count};
    return true;
}

bool infer_peak_rate(const struct infer_case *c, const struct job *job, struct arena *arena,
                     struct str *out, struct error *err)
{
    double peak = c->varies && !isnan(c->traffic.peak) ? c->traffic.peak : job->infer.rate;
    struct buf text = buf_new(arena->alloc, 64);

    if (c->varies && isnan(c->traffic.peak))
        peak /= deploy_mean_share(&c->traffic.shape);
    num_write(peak * (1 - c->request->cache_hits), &text);
    return buf_keep(&text, arena, out, err);
}

/* ---- the answer ---- */

struct infer_ask infer_ask_of(const struct infer_case *c, const struct deploy_set *set,
                              const struct plan_result *planned)
{
    const struct job *job = c->job;
    struct serving one = {.arch = &job->arch};
    bool pictures = job->arch.kind == ARCH_IMAGE || job->arch.kind == ARCH_VIT;
    double hours = job->infer.hours_per_day;

    choose_request(&job->infer, &one, NULL);
    return (struct infer_ask){.set = set,
                              .plan = planned,
                              .traffic = c->varies ? &c->traffic.shape : NULL,
                              .slo = &job->infer.slo,
                              .cache_hits = c->request->cache_hits,
                              .input = pictures ? 0 : one.input,
                              .output = model_writes(&job->arch) ? one.output : 0,
                              .hours_per_day = hours > 0 && hours < 24 ? hours : 24,
                              .half = !str_eq(job->infer.weights, STR("fp32")),
                              .speedup = c->request->speedup,
                              .months = (double)c->request->payback_months};
}

static bool has_way(const struct deploy_set *set, enum deployment kind)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->at[i].kind == kind)
            return true;
    return false;
}

/* The notes of the search, then those of serving. */
struct infer_notes {
    const struct deploy_set *set;
    struct arena *arena;
    struct str *at;
    size_t count;
};

#define SERVING_NOTES 8 /* at most */

/* What was asked for by name and serves nothing here: why not. */
static bool note_unusable(struct infer_notes *n, const struct rows *excluded,
                          enum deployment kind, const struct strs *named, struct error *err)
{
    const struct str name = str_from(deployment_names[kind]);
    const struct plan_excluded *rows = excluded->at;
    struct buf text = buf_new(n->arena->alloc, 1024);
    size_t i = 0;

    while (i < excluded->len && !str_eq(rows[i].deployment, name))
        i++;
    if (named->len == 0 || has_way(n->set, kind) || i == excluded->len)
        return true;
    buf_add(&text, name);
    for (size_t k = 0; k < named->len; k++) {
        if (named->at[k].len > 0)
            buf_adds(&text, k > 0 ? ", " : " ");
        buf_add_safe(&text, named->at[k]);
    }
    buf_adds(&text, " cannot be used: ");
    buf_add(&text, rows[i].reason);
    return buf_keep(&text, n->arena, &n->at[n->count++], err);
}

static bool note_cache(struct infer_notes *n, double hits, struct error *err)
{
    struct buf text = buf_new(n->arena->alloc, 512);

    buf_addf(&text,
             "a cache answers %.3g %% of the requests, which count as predictions; the cache "
             "itself is not priced",
             100 * hits);
    return buf_keep(&text, n->arena, &n->at[n->count++], err);
}

/* "the trace covers 58.6 min: its mean rate counts all day" */
static bool note_trace(struct infer_notes *n, const struct traffic *traffic, struct error *err)
{
    struct buf text = buf_new(n->arena->alloc, 512);

    buf_adds(&text, "the trace covers ");
    value_seconds(traffic->covered, &text);
    buf_adds(&text, traffic_covers_day(traffic)
                        ? ": the rate of each of its hours, counted from its first request, "
                          "repeats"
                        : ", less than a day: its mean rate counts all day");
    return buf_keep(&text, n->arena, &n->at[n->count++], err);
}

/* Who pays for devices: you, with the price of your electricity, or who owns them. */
static bool note_devices(struct infer_notes *n, usd_per_kwh electricity, struct error *err)
{
    struct buf text = buf_new(n->arena->alloc, 512);

    for (size_t i = 0; i < n->set->count; i++)
        if (n->set->at[i].kind == DEPLOY_EDGE && n->set->at[i].wear_usd <= 0) {
            n->at[n->count++] = STR("your users buy and charge the devices: they cost you "
                                    "nothing");
            return true;
        }
    buf_addf(&text, "edge devices pay $%.3g/kWh (country or electricity in the settings)",
             usd_double((usd){electricity.nano}));
    return buf_keep(&text, n->arena, &n->at[n->count++], err);
}

static bool write_infer_notes(const struct infer_case *c, const struct infer_ask *ask,
                              const struct strs *notes, struct arena *arena,
                              struct infer_result *out, struct error *err)
{
    struct infer_notes n = {.set = ask->set, .arena = arena};
    const struct strs machine = {&c->request->offer, c->request->latency.ns > 0};

    n.at = arena_array(arena, struct str, notes->len + SERVING_NOTES, err);
    if (n.at == NULL)
        return false;
    for (; n.count < notes->len; n.count++)
        n.at[n.count] = notes->at[n.count];
    if (has_way(ask->set, DEPLOY_API))
        n.at[n.count++] = STR("a hosted API serves the published weights, as it chooses to "
                              "store them; your own weights need another way");
    if (has_way(ask->set, DEPLOY_MEASURED))
        n.at[n.count++] = STR("the measured machine: your latency, as often as --batch and "
                              "--concurrency say; the queue before it is modelled");
    if ((c->varies && c->traffic.covered > 0 && !note_trace(&n, &c->traffic, err)) ||
        !note_unusable(&n, &out->excluded, DEPLOY_MEASURED, &machine, err) ||
        !note_unusable(&n, &out->excluded, DEPLOY_API, &c->request->apis, err) ||
        !note_unusable(&n, &out->excluded, DEPLOY_EDGE, &c->request->devices, err) ||
        (c->request->cache_hits > 0 && !note_cache(&n, c->request->cache_hits, err)) ||
        (has_way(ask->set, DEPLOY_EDGE) && !note_devices(&n, out->electricity, err)))
        return false;
    out->notes = (struct strs){n.at, n.count};
    return true;
}

bool infer_describe(const struct infer_case *c, const struct infer_ask *ask,
                    const struct strs *notes, struct arena *arena, struct infer_result *res,
                    struct error *err)
{
    const struct job *job = c->job;

    res->name = job->name;
    res->model = job->infer.model.len > 0 ? job->infer.model : job_shown(c->request->job);
    res->input = ask->input > 0 ? ask->input : NAN;
    res->output = ask->output > 0 ? ask->output : NAN;
    res->traffic = c->varies ? c->request->traffic : STR("constant");
    res->pattern = str_from(traffic_pattern_names[traffic_pattern(ask->traffic)]);
    res->cache_hits = c->request->cache_hits;
    res->prompt_cache = c->request->prompt_cache;
    res->excluded = ask->plan->excluded;
    res->explain = c->request->explain;
    return write_infer_notes(c, ask, notes, arena, res, err);
}
