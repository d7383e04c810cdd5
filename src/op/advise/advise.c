/* advise - what to change, and what it saves. */
#include "op/advise/advise.h"

#include <math.h>

#include "advise/rules/custom.h"
#include "base/fs.h"
#include "doc/notes.h"
#include "estimate/money/terms.h"
#include "op/advise/advise_bills.h"
#include "op/advise/advise_commitment.h"
#include "op/advise/advise_job.h"
#include "op/advise/advise_recorded.h"
#include "op/advise/price_works.h"
#include "op/advise_facts.h"
#include "op/context.h"
#include "op/data_measure.h"
#include "op/job_source.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/options.h"
#include "report/figures.h"

#define NOTES_MAX 8
#define PERIOD_DAYS 30
#define WORKS_MOST 1000 /* that are looked at: the most expensive */
#define ADVISE_DATA_TABLES \
    (TABLE_BIT(TABLE_TRANSFER) | TABLE_BIT(TABLE_REGIONS) | TABLE_BIT(TABLE_PROVIDERS) | \
     TABLE_BIT(TABLE_STORAGE))
#define RULES_FILE "rules.yaml"
#define RULES_MAX ((size_t)1 << 20)

static const struct field request[] = {
    FIELD_AS("of", TEXT, advise_request, source.job, .value = "RUN|JOB", .operand = true,
             .help = "run, job file or model (default: all runs of the period)"),
    OP_SINCE_UNTIL(advise_request, days, "30d"),
    FIELD_AS("category", TEXTS, advise_request, filter.category, .value = "LIST",
             .help = "categories to include: compute, training, serving, storage, carbon"),
    FIELD_AS("effort", CHOICE, advise_request, filter.effort, .value = "EFFORT",
             .choices = advise_effort_names, .help = "maximum effort: minutes, hours or days"),
    FIELD_AS("min_savings", USD, advise_request, filter.min_saving, .value = "AMOUNT",
             .help = "minimum savings of a finding: 5usd"),
    FIELD(USD, advise_request, expensive, .value = "AMOUNT",
          .help = "cost above which a run is expensive: 5usd"),
    FIELD(TEXT, advise_request, rules, .local = true, .value = "FILE",
          .help = "file of your own rules (default: rules.yaml beside the configuration)"),
    FIELD(COUNT, advise_request, most_jobs, .value = "N", .positive = true,
          .help = "look only at the N most expensive jobs, and not at all runs together"),
    FIELD_AS("all", FLAG, advise_request, filter.all,
             .help = "show dismissed and applied findings as well"),
    FIELD(TEXT, advise_request, on, .value = "GPU[xN]", .also = accelerator_options,
          .help = "GPUs a job runs on: H100x8"),
    FIELD(TEXT, advise_request, offer, .value = "OFFER",
          .help = "machine a job runs on: aws/p5.48xlarge"),
    FIELD(RATE, advise_request, price, .value = "PRICE",
          .help = "price of one machine for a job, instead of the catalog's: 12usd/hr"),
    FIELD(TEXT, advise_request, svg, .value = "FILE", .output = true,
          .help = "draw the savings to FILE as SVG"),
    JOB_SOURCE_OPTIONS(advise_request),
    JOB_DATA_OPTIONS(advise_request),
};

struct advise_call {
    struct op_context *ctx;
    const struct advise_request *req;
    struct advise_result *res;
    struct advise_answer *answer;
    struct ledger *ledger;  /* NULL: there is none */
    bool recorded;          /* there is one */
    struct ledger_run *run; /* that is asked about; NULL: none */
    struct advise_run *runs;
    size_t run_count;
    struct advise_decision *decisions;
    size_t decision_count;
    const struct ledger_work_job *jobs; /* of runs */
    size_t job_count;
};

/* ---- facts ---- */

/* The works of the period, the runs of those that cost most, and the money of the others. */
static bool read_advised_works(struct advise_call *c, double scale, struct error *err)
{
    struct advise_result *res = c->res;
    struct advise_facts *facts = &c->answer->facts;
    size_t most = c->req->most_jobs > 0 ? (size_t)c->req->most_jobs : WORKS_MOST;
    struct ledger_works works;

    if (!ledger_works(c->ledger, facts->from, facts->until, c->ctx->arena, &works, err))
        return false;
    for (size_t i = 0; i < works.count; i++) {
        works.at[i].wanted = i < most;
        res->runs += works.at[i].runs;
        if (i >= most)
            facts->rest.part[PART_UNSEEN] += usd_double(works.at[i].cost) * scale;
    }
    res->jobs_left_out = works.count > most ? (int64_t)(works.count - most) : 0;
    return advise_runs_read(c->ctx, c->ledger, &works, &c->runs, &c->run_count, err) &&
           ledger_jobs(c->ledger, facts->from, facts->until, c->ctx->arena, &c->jobs,
                       &c->job_count, err);
}

static bool period_facts(struct advise_call *c, struct error *err)
{
    struct advise_result *res = c->res;
    struct advise_facts *facts = &c->answer->facts;
    struct advise_money rest;
    stamp from, to;
    day until;
    double scale;

    if (!days_asked_parse(op_today(c->ctx), &c->req->days, PERIOD_DAYS, &res->since, &until,
                          err))
        return false;
    if (until.n == DAY_UNKNOWN.n)
        until = (day){op_today(c->ctx).n + 1};
    res->kind = STR("period");
    res->until = (day){until.n - 1};
    scale = ADVISE_MONTH_DAYS / ((double)until.n - (double)res->since.n);
    from = facts->from = (stamp){(int64_t)res->since.n * SECONDS_PER_DAY};
    to = facts->until = (stamp){(int64_t)until.n * SECONDS_PER_DAY};
    if (c->ledger != NULL && !read_advised_works(c, scale, err))
        return false;
    rest = facts->rest;
    if (!advise_facts_of(c->ctx, c->runs, c->run_count,
                         (struct advise_unit){scale, STR("month")}, facts, &res->unpriced, err))
        return false;
    facts->from = from;
    facts->until = to;
    facts->rest = rest;
    return c->ledger == NULL || c->req->most_jobs > 0 ||
           op_advise_bills(c->ctx, c->ledger, res->since, until, scale, facts, err);
}

/* "bert (aaaa0001)": what is decided about its work holds for it, too. */
static bool read_advised_run(struct advise_call *c, struct error *err)
{
    struct advise_result *res = c->res;
    struct buf text = buf_new(c->ctx->arena->alloc, (size_t)1 << 16);
    struct advise_facts *facts = &c->answer->facts;
    struct ledger_work_job *job;

    res->kind = STR("run");
    res->runs = 1;
    res->since = res->until = DAY_UNKNOWN;
    buf_add(&text, c->run->start.name);
    buf_addf(&text, " (%.*s)", STR_ARG(ledger_short(c->run->start.id)));
    if (!buf_keep(&text, c->ctx->arena, &res->of, err) ||
        !advise_run_from(c->ctx, c->ledger, c->run, &c->runs, err))
        return false;
    c->run_count = 1;
    job = arena_array(c->ctx->arena, struct ledger_work_job, 1, err);
    if (job == NULL || !ledger_job(c->ledger, c->run->start.id, c->ctx->arena, &job->job, err))
        return false;
    job->name = c->runs[0].name;
    job->project = c->runs[0].project;
    c->jobs = job;
    c->job_count = job->job.len > 0;
    return advise_facts_of(c->ctx, c->runs, 1, (struct advise_unit){1, STR("run")}, facts,
                           &res->unpriced, err);
}

/* Is it a run? What has the name of a file or of a model is a job. */
static bool find_advised_run(struct advise_call *c, struct str name, struct error *err)
{
    struct ledger_run *run = arena_array(c->ctx->arena, struct ledger_run, 1, err);
    struct error why = {0};

    if (run == NULL)
        return false;
    if (c->ledger == NULL || str_ends(name, STR(".yaml")) || str_ends(name, STR(".yml")) ||
        str_ends(name, STR(".json")))
        return true;
    if (ledger_find(c->ledger, name, c->ctx->arena, run, &why)) {
        c->run = run;
        return true;
    }
    if (why.kind == ERROR_ABSENT)
        return true;
    *err = why;
    return false;
}

/* What to choose from, beside findings. */
static bool job_tables(struct advise_call *c, struct error *err)
{
    const struct advise_job *job = c->answer->facts.job;
    struct advise_result *res = c->res;

    if (advise_filter_category(&c->req->filter, ADVISE_SERVING)) {
        if (!advise_job_compression(c->ctx, job, &res->compression, err))
            return false;
        if (res->compression.len > 0)
            res->compression_unit = str_from(compression_unit(job->input->job));
    }
    return !advise_filter_category(&c->req->filter, ADVISE_CARBON) ||
           advise_job_cleaner(c->ctx, job, &res->cleaner, err);
}

static bool read_facts(struct advise_call *c, struct error *err)
{
    const struct place_request place = {
        .on = c->req->on, .offer = c->req->offer, .price = c->req->price};
    struct str of = c->req->source.job;

    c->answer->facts = (struct advise_facts){.limit = USD_UNKNOWN};
    if (of.len == 0)
        return period_facts(c, err);
    if (!job_is_text(of) && !find_advised_run(c, of, err))
        return false;
    if (c->run != NULL)
        return read_advised_run(c, err);
    c->res->kind = STR("job");
    c->res->runs = -1;
    c->res->since = c->res->until = DAY_UNKNOWN;
    if (!advise_job_facts(c->ctx, &c->req->source, &place, &c->answer->facts, err)) {
        if (err->kind == ERROR_ABSENT &&
            str_starts(str_from(err->text), STR("there is no model"))) {
            error_set(err, ERROR_ABSENT, "there is no run, job file or model '%.*s'",
                      STR_ARG(of));
            error_hint(
                err,
                c->ledger == NULL
                    ? "no run is recorded yet ('stint run -- COMMAND' records one); 'stint "
                      "catalog show models' lists models"
                    : "'stint runs' lists runs, 'stint catalog show models' models");
        }
        return false;
    }
    c->res->of = c->answer->facts.job_name;
    return job_tables(c, err);
}

/* The data of a folder alone: what it saves of a transfer from one's own machine or a cloud. */
static bool add_data_alone(struct advise_call *c, struct error *err)
{
    const struct job_source *source = &c->req->source;
    struct job_input *in = arena_array(c->ctx->arena, struct job_input, 1, err);
    struct data_case data = {
        .folder = source->data, .at = source->data_at, .catalog = &c->ctx->catalog};

    if (in == NULL || !job_reset(&in->job, c->ctx->arena, err))
        return false;
    in->job.kind = JOB_TRAIN;
    in->job.train.data.path = source->data;
    in->job.train.data.at = source->data_at;
    return op_catalog(c->ctx, ADVISE_DATA_TABLES, err) &&
           cost_terms_check(&in->job, &c->ctx->catalog, err) && op_job_data(c->ctx, in, err) &&
           op_data_measure(c->ctx, in->data_folder, in->data, &data, err) &&
           data_ways(&data, c->ctx->arena, &c->res->data, err);
}

static bool add_data(struct advise_call *c, struct error *err)
{
    const struct advise_facts *facts = &c->answer->facts;

    if (facts->data != NULL)
        c->res->data = *facts->data;
    return facts->data != NULL || c->req->source.data.len == 0 || add_data_alone(c, err);
}

/* ---- applied findings ---- */

/* Was it applied, and is it about what is asked? Of a run: about its work. */
static bool is_followed(const struct advise_call *c, const struct advise_decision *d)
{
    return d->state == FINDING_APPLIED &&
           (c->run == NULL || (c->run_count == 1 && str_eq(d->name, c->runs[0].name) &&
                               str_eq(d->project, c->runs[0].project)));
}

/* Runs of the works that something was applied to, from before the first decision on. */
static bool read_followed(struct advise_call *c, stamp since, struct advise_run **runs,
                          size_t *count, struct error *err)
{
    struct ledger_works works;

    if (!ledger_works(c->ledger, since, (stamp){-1}, c->ctx->arena, &works, err))
        return false;
    for (size_t w = 0; w < works.count; w++)
        for (size_t i = 0; i < c->decision_count && !works.at[w].wanted; i++)
            works.at[w].wanted = is_followed(c, &c->decisions[i]) &&
                                 str_eq(works.at[w].name, c->decisions[i].name) &&
                                 str_eq(works.at[w].project, c->decisions[i].project);
    return advise_runs_read(c->ctx, c->ledger, &works, runs, count, err);
}

/* Runs of the time before the oldest decision, so that each can be compared with it. */
static bool follow_up(struct advise_call *c, struct error *err)
{
    stamp now = op_now(c->ctx), since = now;
    struct advise_run *runs;
    struct followup *rows;
    struct rows works;
    size_t count, n = 0;
    int64_t unpriced;

    for (size_t i = 0; i < c->decision_count; i++)
        if (is_followed(c, &c->decisions[i])) {
            n++;
            if (c->decisions[i].at.s < since.s)
                since = c->decisions[i].at;
        }
    if (n == 0 || str_eq(c->res->kind, STR("job")))
        return true;
    since.s -= FOLLOWUP_DAYS * SECONDS_PER_DAY;
    rows = arena_array(c->ctx->arena, struct followup, n, err);
    if (rows == NULL || !read_followed(c, since, &runs, &count, err) ||
        !advise_works(runs, count, 1, c->ctx->arena, &works, &unpriced, err))
        return false;
    n = 0;
    for (size_t i = 0; i < c->decision_count; i++)
        if (is_followed(c, &c->decisions[i]) &&
            !followup_measure(&c->decisions[i], runs, count - (size_t)unpriced, now,
                              c->ctx->arena, &rows[n++], err))
            return false;
    c->res->applied = (struct rows){rows, n};
    return true;
}

/* ---- prices and users' rules ---- */

static bool price_facts(struct advise_call *c, struct error *err)
{
    struct advise_facts *facts = &c->answer->facts;

    if (facts->works.len == 0 && facts->bills.resources == 0)
        return true;
    if (!op_catalog(c->ctx, TABLE_BIT(TABLE_STORAGE), err))
        return false;
    advise_keep_prices(&c->ctx->catalog, facts);
    return (facts->works.len == 0 || advise_price_works(c->ctx, facts, err)) &&
           (c->job_count == 0 ||
            advise_recorded_jobs(c->ctx, c->jobs, c->job_count, facts, &c->res->notes, err)) &&
           (!str_eq(c->res->kind, STR("period")) || c->req->most_jobs > 0 ||
            advise_price_commitment(c->ctx, c->res->since, c->res->until, facts, err));
}

/* The file that is named, or the one beside the configuration, which need not be there. */
static bool apply_own_rules(struct advise_call *c, struct error *err)
{
    struct arena *arena = c->ctx->arena;
    bool named = c->req->rules.len > 0;
    struct custom_rules rules;
    struct error why = {0};
    struct str text;
    struct strs notes;
    char *path =
        named ? str_dup(c->req->rules, arena, err) : settings_path(RULES_FILE, arena, &why);

    if (path == NULL)
        return !named && why.kind != ERROR_MEMORY; /* there is no home */
    if (!fs_read(path, RULES_MAX, arena, &text, &why)) {
        if (!named && why.kind == ERROR_ABSENT)
            return true;
        *err = why;
        return false;
    }
    if (!custom_rules_read(text, path, arena, &rules, err) ||
        !custom_rules_apply(&rules, &c->answer->facts, &c->answer->findings, &notes, err))
        return false;
    for (size_t i = 0; i < notes.len && c->res->notes.len < NOTES_MAX; i++)
        if (!note_add(&c->res->notes, arena, err, "%.*s", STR_ARG(notes.at[i])))
            return false;
    return true;
}

/* ---- the answer ---- */

bool advise_answer(struct op_context *ctx, const struct advise_request *req,
                   struct advise_answer *answer, struct advise_result *res, struct error *err)
{
    struct advise_call *c = arena_array(ctx->arena, struct advise_call, 1, err);
    bool ok;

    if (c == NULL)
        return false;
    *c = (struct advise_call){.ctx = ctx, .req = req, .res = res, .answer = answer};
    answer->findings = (struct findings){.arena = ctx->arena, .log = ctx->messages.log};
    res->runs = res->jobs_left_out = 0;
    ok = op_ledger_there(ctx, &c->ledger, err);
    c->recorded = c->ledger != NULL;
    ok = ok && read_facts(c, err);
    if (ok && c->ledger != NULL)
        ok = advise_decisions_read(c->ledger, ctx->arena, &c->decisions, &c->decision_count,
                                   err) &&
             follow_up(c, err);
    ledger_close(c->ledger);
    if (!ok || !price_facts(c, err) || !add_data(c, err))
        return false;
    answer->facts.limit = req->expensive;
    res->per = answer->facts.per;
    res->works = (int64_t)answer->facts.works.len + res->jobs_left_out;
    if (!advise_apply(&answer->facts, &answer->findings, err) || !apply_own_rules(c, err) ||
        !advise_add_notes(&answer->facts, c->recorded, ctx->arena, res, err))
        return false;
    findings_decided(&answer->findings, c->decisions, c->decision_count);
    findings_sort(&answer->findings);
    return true;
}

static bool advise_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct advise_request *req = in;
    struct advise_result *res = out;
    struct advise_answer *answer = arena_array(ctx->arena, struct advise_answer, 1, err);

    if (answer == NULL || !advise_filter_check(&req->filter, err))
        return false;
    if (req->source.job.len > 0 && (req->days.since.len > 0 || req->days.until.len > 0)) {
        error_set(err, ERROR_USAGE, "--since and --until are for all runs, not for '%.*s'",
                  STR_ARG(req->source.job));
        error_hint(err, "'stint advise --since 90d'");
        return false;
    }
    if (!advise_answer(ctx, req, answer, res, err) ||
        !advise_show(&req->filter, &answer->facts, &answer->findings, ctx->arena, res, err))
        return false;
    res->svg = req->svg;
    return req->svg.len == 0 ||
           advise_figure(res, (struct figure_origin){op_today(ctx), ctx->demo}, ctx->arena,
                         err);
}

const struct op op_advise = {
    .name = "advise",
    .schema = "stint.advise/1",
    .summary = "find what to change, and what it saves",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct advise_request, request),
    .result = &advise_fields,
    .run = advise_run,
};
