/* validate - how far predictions are from measured rows, and the constants fitted anew. */
#include "op/estimate/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/fs.h"
#include "base/num.h"
#include "doc/compress.h"
#include "op/context.h"
#include "op/estimate/validate_work.h"
#include "op/op.h"
#include "truth/constants_file.h"

/* validate of the kind "choice": would the GPU that we pick have been the cheapest? */

struct choosing {
    struct op_context *ctx;
    struct validate_work training, serving;
    struct machine *offers;
    size_t offer_count;
    struct way *ways;
    size_t way_count;
    struct choices choices; /* with the same number of GPUs */
};

#define FILE_MAX ((size_t)256 << 20)
#define MOST_SOURCES 200 /* each takes a fit of its own */

static bool validate_read(struct op_context *ctx, struct str file, char **path,
                          struct str *text, struct error *err)
{
    *path = str_dup(file, ctx->arena, err);
    return *path != NULL && fs_read(*path, FILE_MAX, ctx->arena, text, err) &&
           unpack_text(text, *path, FILE_MAX, ctx->arena, err);
}

/* Add the points of a file. */
static bool validate_add(struct validate_work *w, const char *path, struct str text,
                         struct error *err)
{
    struct op_context *ctx = w->ctx;
    struct points more;
    struct point *all;

    if (!points_read(w->kind, text, path, &ctx->catalog, &more, ctx->arena, err))
        return false;
    all = arena_array(ctx->arena, struct point, w->points.len + more.len + 1, err);
    if (all == NULL)
        return false;
    if (w->points.len > 0)
        memcpy(all, w->points.at, w->points.len * sizeof *all);
    if (more.len > 0)
        memcpy(all + w->points.len, more.at, more.len * sizeof *all);
    w->points = (struct points){all, w->points.len + more.len, w->points.rows + more.rows};
    points_settle(w->points.at, w->points.len);
    return true;
}

/* A file of serving has the length of prompts, one of training that of sequences. */
static bool read_choice_files(struct choosing *w, struct strs files, struct error *err)
{
    for (size_t f = 0; f < files.len; f++) {
        struct str text, rest, names;
        bool serving;
        char *path;

        if (!validate_read(w->ctx, files.at[f], &path, &text, err))
            return false;
        rest = text;
        names = str_cut(&rest, '\n');
        serving = str_has_nocase(names, STR("input_len"));
        if (!validate_add(serving ? &w->serving : &w->training, path, text, err))
            return false;
    }
    return true;
}

/* Do machines of this kind share links, so that their size does not matter? */
static bool is_rack(const struct accelerator *gpu)
{
    return str_glob(gpu->link, STR("*72*"));
}

/* The least that one pays an hour for so many: whole machines, each with as many GPUs as the
 * row had in one. */
static const struct machine *cheapest(const struct choosing *w, const struct way *way,
                                      double *price)
{
    const struct machine *best = NULL;

    for (size_t i = 0; i < w->offer_count; i++) {
        const struct machine *v = &w->offers[i];
        int64_t machines;
        double cost;

        if (v->gpu != way->gpu || v->on_demand.nano == MONEY_UNKNOWN || v->count < 1 ||
            (v->count < way->per_node && !is_rack(way->gpu)))
            continue;
        machines = (way->gpus + v->count - 1) / v->count;
        cost = (double)machines * (double)v->on_demand.nano;
        if (best == NULL || cost < *price) {
            best = v;
            *price = cost;
        }
    }
    if (best != NULL)
        *price /= 1e9;
    return best;
}

static void validate_reason_add(struct validate_reasons *reasons, struct str why, int64_t rows)
{
    size_t k = 0;

    while (k < reasons->len && !str_eq(reasons->at[k].reason, why))
        k++;
    if (k == reasons->len)
        reasons->at[reasons->len++] = (struct validate_reason){.reason = why};
    reasons->at[k].rows += rows;
}

static bool find_prices(struct choosing *w, struct validate_result *res,
                        struct validate_reasons *reasons, struct error *err)
{
    const struct machine_query filter = {.kind = STR("cloud"),
                                         .market = STR("on-demand"),
                                         .min_memory = BYTES_UNKNOWN,
                                         .max_price = USD_PER_HOUR_UNKNOWN,
                                         .max_age = SPAN_UNKNOWN};

    if (!op_machines(w->ctx, &filter, &w->offers, &w->offer_count, err))
        return false;
    for (size_t i = 0; i < w->offer_count; i++)
        op_price_age(w->ctx, w->offers[i].fact.date, &res->prices);
    for (size_t i = 0; i < w->way_count; i++) {
        struct way *way = &w->ways[i];
        struct buf why = buf_new(w->ctx->arena->alloc, 256);
        const char *text;

        if (way->stated > 0 && way->stated != way->gpus) {
            validate_reason_add(
                reasons, STR("the row names another number of GPUs than it is predicted for"),
                1);
            continue;
        }
        if (cheapest(w, way, &way->price) != NULL)
            continue;
        buf_addf(&why, "no machine with so many %.*s is offered", STR_ARG(way->gpu->name));
        text = buf_ok(&why, err) ? str_dup(buf_text(&why), w->ctx->arena, err) : NULL;
        buf_free(&why);
        if (text == NULL)
            return false;
        validate_reason_add(reasons, str_from(text), 1);
    }
    return true;
}

static bool predict_all(struct validate_work *w, struct error *err)
{
    w->held = arena_array(w->ctx->arena, struct held, w->points.len + 1, err);
    if (w->held == NULL)
        return false;
    for (size_t i = 0; i < w->points.len; i++) {
        w->held[i].point = &w->points.at[i];
        if (w->points.at[i].reason == NULL)
            w->held[i].guess = point_predict(&w->points.at[i], &w->constants);
    }
    return true;
}

/* Predict the points of each source by constants that have not seen it. */
static bool predict_left_out(struct validate_work *w, struct error *err)
{
    const struct score *sources;
    struct rows found;

    if (!predict_all(w, err) ||
        !score_groups(w->held, w->points.len, SCORE_SOURCE, 0, &found, w->ctx->arena, err))
        return false;
    sources = found.at;
    if (found.len > MOST_SOURCES) {
        error_set(err, ERROR_INPUT,
                  "%zu sources are too many to leave out one by one (%d at most)", found.len,
                  MOST_SOURCES);
        error_hint(err, "the text of the column 'source' before an '@' names a source");
        return false;
    }
    for (size_t s = 0; s < found.len; s++) {
        struct fit_options options = {
            .kind = truth_kind_names[w->kind], .leave_out = true, .without = sources[s].name};
        struct constants c = w->constants;

        if (sources[s].scored == 0)
            continue;
        if (!constants_fit(&w->ctx->catalog, &w->points, &options, &c, w->ctx->arena, err))
            return false;
        for (size_t i = 0; i < w->points.len; i++)
            if (w->points.at[i].reason == NULL &&
                str_eq(w->points.at[i].source, sources[s].name))
                w->held[i].guess = point_predict(&w->points.at[i], &c);
    }
    return true;
}

/* Predict all points; when `left_out`, each source by constants fitted without it. */
static bool validate_predict(struct validate_work *w, bool left_out, struct error *err)
{
    return left_out ? predict_left_out(w, err) : predict_all(w, err);
}

/* The ways of both kinds in one list. */
static bool gather(struct choosing *w, bool left_out, struct error *err)
{
    struct way *training, *serving;
    size_t trained, served;

    if (!validate_predict(&w->training, left_out, err) ||
        !validate_predict(&w->serving, left_out, err) ||
        !ways_read(w->training.held, w->training.points.len, &training, &trained, w->ctx->arena,
                   err) ||
        !ways_read(w->serving.held, w->serving.points.len, &serving, &served, w->ctx->arena,
                   err))
        return false;
    w->way_count = trained + served;
    w->ways = arena_array(w->ctx->arena, struct way, w->way_count + 1, err);
    if (w->ways == NULL)
        return false;
    memcpy(w->ways, training, trained * sizeof *training);
    memcpy(w->ways + trained, serving, served * sizeof *serving);
    /* Which setting we choose depends on all constants: those that saw every row. */
    for (size_t i = 0; i < trained && !left_out; i++)
        if (!way_own(&w->ways[i], &w->training.constants, &w->ways[i].own, w->ctx->arena, err))
            return false;
    return true;
}

static bool score(struct choosing *w, struct validate_result *res,
                  struct validate_reasons *reasons, struct error *err)
{
    struct choices open;
    struct way *copy = arena_array(w->ctx->arena, struct way, w->way_count + 1, err);

    if (copy == NULL)
        return false;
    memcpy(copy, w->ways, w->way_count * sizeof *copy);
    if (!choices_find(w->ways, w->way_count, false, &w->choices, w->ctx->arena, err) ||
        !choices_find(copy, w->way_count, true, &open, w->ctx->arena, err) ||
        !choices_score(&w->choices, &res->choices, w->ctx->arena, err) ||
        !choices_score(&open, &res->choices_open, w->ctx->arena, err))
        return false;
    if (w->choices.alone > 0)
        validate_reason_add(reasons,
                            STR("the work was measured on fewer than three kinds of GPU"),
                            w->choices.alone);
    res->scored = (int64_t)w->choices.len;
    return true;
}

static void add_choice_number(struct buf *out, double n)
{
    buf_char(out, ',');
    if (isfinite(n))
        num_write(n, out);
}

/* One kind of GPU of a choice: what it cost and would have, and who picked it. */
static void write_way(const struct choice *c, size_t number, const struct way *way,
                      struct buf *out)
{
    bool training = way->point->metric == METRIC_TRAINING;
    bool more = false;

    buf_addf(out, "%zu,", number);
    csv_write_field(c->set, out);
    buf_char(out, ',');
    csv_write_field(c->model, out);
    buf_char(out, ',');
    choice_words(c, out);
    buf_addf(out, ",%lld,", (long long)way->gpus);
    csv_write_field(way->gpu->name, out);
    buf_char(out, ',');
    csv_write_field(way->point->id, out);
    buf_addf(out, ",%s/s", !training ? "requests" : way->point->samples ? "samples" : "tokens");
    add_choice_number(out, way->measured);
    add_choice_number(out, way->predicted);
    add_choice_number(out, way->own);
    add_choice_number(out, way->price);
    add_choice_number(out, way_cost(way) / way_cost(c->best));
    add_choice_number(out, way->price / way->predicted / way_cost(c->best));
    buf_adds(out, ",\""); /* names of pickers have commas, but no quotes */
    for (int p = 0; p < PICK_COUNT; p++)
        if (c->pick[p] == way) {
            buf_addf(out, "%s%s", more ? "; " : "", picker_names[p]);
            more = true;
        }
    buf_adds(out, "\"\n");
}

/* Each kind of each choice once, in its best setting, and what else was picked. */
static bool write_cases(const struct choosing *w, struct str path, struct error *err)
{
    struct buf out = buf_new(w->ctx->arena->alloc, BUF_MAX_OUTPUT);
    char *name = str_dup(path, w->ctx->arena, err);
    bool ok;

    buf_adds(&out, "case,set,model,work,gpus,gpu,id,unit,measured,predicted,own_setting,"
                   "usd_per_hour,cost_over_best,predicted_over_best,picked_by\n");
    for (size_t i = 0; i < w->choices.len; i++) {
        const struct choice *c = &w->choices.at[i];

        for (size_t k = 0; k < c->len; k++)
            if (k == 0 || c->ways[k].gpu != c->ways[k - 1].gpu ||
                c->pick[PICK_SETTING] == &c->ways[k])
                write_way(c, i + 1, &c->ways[k], &out);
    }
    ok = name != NULL && buf_ok(&out, err) &&
         fs_replace(name, (struct str){out.at, out.len}, err);
    buf_free(&out);
    return ok;
}

static void validate_reasons_count(const struct validate_work *w,
                                   struct validate_reasons *reasons)
{
    for (size_t i = 0; i < w->points.len; i++) {
        const struct point *p = &w->points.at[i];

        if (p->reason != NULL)
            validate_reason_add(reasons, str_from(p->reason), 1);
        else if (p->out_of_memory)
            validate_reason_add(reasons, STR("ran out of memory: asked only whether it fits"),
                                1);
    }
}

/* Validate of the kind "choice": the request's files are of training or of inference. */
static bool validate_choice(struct op_context *ctx, const struct validate_request *req,
                            const struct constants *constants, struct validate_result *res,
                            struct error *err)
{
    struct choosing w = {
        .ctx = ctx,
        .training = {.ctx = ctx, .kind = TRUTH_TRAINING, .constants = *constants},
        .serving = {.ctx = ctx, .kind = TRUTH_INFERENCE, .constants = *constants}};
    struct validate_reasons reasons = {0};
    size_t points;

    if (!read_choice_files(&w, req->files, err) || !gather(&w, req->leave_one_source_out, err))
        return false;
    points = w.training.points.len + w.serving.points.len;
    /* Each point can bring one, its way another. */
    reasons.at = arena_array(ctx->arena, struct validate_reason, 2 * points + 2, err);
    if (reasons.at == NULL)
        return false;
    validate_reasons_count(&w.training, &reasons);
    validate_reasons_count(&w.serving, &reasons);
    if (!find_prices(&w, res, &reasons, err) || !score(&w, res, &reasons, err))
        return false;
    op_price_age_warn(ctx, &res->prices);
    res->kind = STR("choice");
    res->rows = (int64_t)(w.training.points.rows + w.serving.points.rows);
    res->median_ape = res->p90_ape = res->median_ratio = res->inside_range = NAN;
    res->left_out = req->leave_one_source_out;
    res->not_scored = (struct rows){reasons.at, reasons.len};
    return req->per_row.len == 0 || write_cases(&w, req->per_row, err);
}

/* ---- the fields of validate's request and result ---- */

/* Those of truth_kind_names, and what is asked of rows of two kinds. */
static const char *const kinds[] = {"training", "memory", "inference",
                                    "energy",   "choice", NULL};

static bool fit(struct validate_work *w, const struct validate_request *req,
                struct validate_result *res, struct error *err)
{
    struct constants before = w->constants;
    struct fit_options options = {.kind = truth_kind_names[w->kind],
                                  .from_values = !req->from_priors};
    char *group = str_dup(req->group, w->ctx->arena, err);
    struct validate_constant *changed;
    size_t n = 0;

    if (group == NULL)
        return false;
    if (req->group.len > 0)
        options.kind = group;
    if (!constants_fit(&w->ctx->catalog, &w->points, &options, &w->constants, w->ctx->arena,
                       err))
        return false;
    changed = arena_array(w->ctx->arena, struct validate_constant, CONSTANT_COUNT, err);
    if (changed == NULL)
        return false;
    for (size_t i = 0; i < CONSTANT_COUNT; i++)
        if (before.at[i] != w->constants.at[i])
            changed[n++] = (struct validate_constant){.name = str_from(constant_names[i]),
                                                      .before = before.at[i],
                                                      .after = w->constants.at[i]};
    res->constants = (struct rows){changed, n};
    return req->save.len == 0 ||
           constants_save(&w->ctx->catalog, &w->constants, op_today(w->ctx), req->save,
                          w->ctx->arena, err);
}

static const struct field request[] = {
    FIELD(CHOICE, validate_request, kind, .value = "KIND", .operand = true, .required = true,
          .choices = kinds, .help = "training, memory, inference, energy or choice"),
    FIELD(TEXTS, validate_request, files, .value = "FILE", .operand = true, .required = true,
          .help = "measured rows, CSV with the columns of docs/accuracy.md"),
    FIELD(FLAG, validate_request, leave_one_source_out,
          .help = "predict each source by constants fitted without it"),
    FIELD(FLAG, validate_request, fit, .help = "fit the constants to these rows first"),
    FIELD(FLAG, validate_request, from_priors,
          .help = "fit from what was known before any row, not from the values in use"),
    FIELD(TEXT, validate_request, group, .value = "GROUP",
          .help = "fit the constants of this group (their fitted_on), not the kind's"),
    FIELD(TEXT, validate_request, per_row, .value = "OUT.csv",
          .help = "write every prediction to this file"),
    FIELD(TEXT, validate_request, save, .value = "OUT.csv",
          .help = "write the fitted constants to this file"),
};

static const struct field score_fields[] = {
    FIELD(TEXT, score, name, .help = "of the group"),
    FIELD(COUNT, score, rows, .help = "of the file"),
    FIELD(COUNT, score, scored, .help = "predictions held against a measurement"),
    FIELD(NUMBER, score, median_ape, .help = "|predicted/measured - 1|, the middle one"),
    FIELD(NUMBER, score, p90_ape, .help = "nine of ten are below"),
    FIELD(NUMBER, score, median_ratio, .help = "predicted/measured"),
    FIELD(NUMBER, score, inside_range, .help = "share between the 10th and 90th percentile"),
};

static const struct field_set score_set = FIELD_SET(struct score, score_fields);

static const struct field reason_fields[] = {
    FIELD(TEXT, validate_reason, reason, .help = "why not"),
    FIELD(COUNT, validate_reason, rows, .help = "how many"),
};

static const struct field_set reason_set = FIELD_SET(struct validate_reason, reason_fields);

static const struct field constant_fields[] = {
    FIELD(TEXT, validate_constant, name, .help = "of the constant"),
    FIELD(TEXT, validate_constant, unit, .help = "of its value"),
    FIELD(NUMBER, validate_constant, before, .help = "in use"),
    FIELD(NUMBER, validate_constant, after, .help = "fitted to these rows"),
};

static const struct field_set constant_set =
    FIELD_SET(struct validate_constant, constant_fields);

static const struct field choice_fields[] = {
    FIELD(TEXT, choice_score, set, .help = "kind of work; 'all' is every one"),
    FIELD(TEXT, choice_score, picker, .help = "what the GPU was picked by"),
    FIELD(COUNT, choice_score, cases, .help = "the same work on three kinds of GPU or more"),
    FIELD(COUNT, choice_score, models, .help = "of which the cases are"),
    FIELD(NUMBER, choice_score, within,
          .help = "share that cost at most 1.05 times the best, as measured"),
    FIELD(NUMBER, choice_score, within_models, .help = "mean of the shares of the models"),
    FIELD(NUMBER, choice_score, regret, .help = "measured cost over the best, less 1: mean"),
    FIELD(NUMBER, choice_score, worst, .help = "the largest of those"),
    FIELD(TEXT, choice_score, without,
          .help = "source of most cases, left out of the set 'less largest'"),
};

static const struct field_set choice_set = FIELD_SET(struct choice_score, choice_fields);

static const struct field result[] = {
    FIELD(TEXT, validate_result, kind, .help = "of the rows"),
    FIELD(COUNT, validate_result, rows, .help = "of the files"),
    FIELD(COUNT, validate_result, scored, .help = "predictions held against a measurement"),
    FIELD(NUMBER, validate_result, median_ape,
          .help = "|predicted/measured - 1|, the middle one"),
    FIELD(NUMBER, validate_result, p90_ape, .help = "nine of ten are below"),
    FIELD(NUMBER, validate_result, median_ratio, .help = "predicted/measured"),
    FIELD(NUMBER, validate_result, inside_range, .help = "share between the percentiles"),
    FIELD(LIST, validate_result, by_source, .row = &score_set, .help = "who measured"),
    FIELD(LIST, validate_result, by_gpu, .row = &score_set, .help = "on what"),
    FIELD(LIST, validate_result, by_set, .row = &score_set, .help = "kind of work"),
    FIELD(LIST, validate_result, by_metric, .row = &score_set, .help = "what was measured"),
    FIELD(LIST, validate_result, not_scored, .row = &reason_set, .help = "and why"),
    FIELD(COUNT, validate_result, oom_rows, .help = "that ran out of memory"),
    FIELD(COUNT, validate_result, oom_said_to_fit, .help = "of those"),
    FIELD(COUNT, validate_result, ran_rows, .help = "training rows that ran"),
    FIELD(COUNT, validate_result, ran_said_not_to_fit, .help = "of those"),
    FIELD(FLAG, validate_result, left_out, .help = "each source was predicted without it"),
    FIELD(LIST, validate_result, constants, .row = &constant_set, .help = "after a fit"),
    FIELD(LIST, validate_result, choices, .row = &choice_set,
          .help = "is the GPU picked the cheapest: with the same number of GPUs"),
    FIELD(LIST, validate_result, choices_open, .row = &choice_set,
          .help = "likewise, with as many of each kind as were best"),
    FIELD(RECORD, validate_result, prices, .row = &price_age_fields, .help = "of the choices"),
};

const struct field_set validate_request_fields = FIELD_SET(struct validate_request, request);
const struct field_set validate_result_fields = FIELD_SET(struct validate_result, result);

/* ---- the operation ---- */

static bool read_files(struct validate_work *w, struct strs files, struct error *err)
{
    for (size_t f = 0; f < files.len; f++) {
        struct str text;
        char *path;

        if (!validate_read(w->ctx, files.at[f], &path, &text, err) ||
            !validate_add(w, path, text, err))
            return false;
    }
    return true;
}

/* What counts at the top: of inference prefill and decode; of the others the one there is. */
static unsigned top_metrics(enum truth_kind kind)
{
    return kind == TRUTH_INFERENCE ? 1u << METRIC_PREFILL | 1u << METRIC_DECODE : 0;
}

static bool score_metrics(struct validate_work *w, struct rows *out, struct error *err)
{
    struct score *scores = arena_array(w->ctx->arena, struct score, METRIC_COUNT, err);
    size_t n = 0;

    if (scores == NULL)
        return false;
    for (int m = 0; m < METRIC_COUNT; m++) {
        struct score_filter f = {.name = str_from(metric_names[m]), .metrics = 1u << m};

        if (!score_points(w->held, w->points.len, &f, &scores[n], w->ctx->arena, err))
            return false;
        n += scores[n].rows > 0;
    }
    *out = (struct rows){scores, n};
    return true;
}

static bool count_reasons(struct validate_work *w, struct rows *out, struct error *err)
{
    struct validate_reasons reasons = {
        .at = arena_array(w->ctx->arena, struct validate_reason, w->points.len + 1, err)};

    if (reasons.at == NULL)
        return false;
    validate_reasons_count(w, &reasons);
    *out = (struct rows){reasons.at, reasons.len};
    return true;
}

static bool summarise(struct validate_work *w, struct validate_result *res, struct error *err)
{
    struct score_filter all = {.metrics = top_metrics(w->kind)};
    struct fit_check fits = check_fits(w->held, w->points.len, &w->constants);
    struct score top;

    if (!score_points(w->held, w->points.len, &all, &top, w->ctx->arena, err) ||
        !score_groups(w->held, w->points.len, SCORE_SOURCE, all.metrics, &res->by_source,
                      w->ctx->arena, err) ||
        !score_groups(w->held, w->points.len, SCORE_GPU, all.metrics, &res->by_gpu,
                      w->ctx->arena, err) ||
        !score_groups(w->held, w->points.len, SCORE_SET, all.metrics, &res->by_set,
                      w->ctx->arena, err) ||
        !score_metrics(w, &res->by_metric, err) || !count_reasons(w, &res->not_scored, err))
        return false;
    res->kind = str_from(truth_kind_names[w->kind]);
    res->rows = (int64_t)w->points.rows;
    res->scored = top.scored;
    res->median_ape = top.median_ape;
    res->p90_ape = top.p90_ape;
    res->median_ratio = top.median_ratio;
    res->inside_range = top.inside_range;
    if (w->kind == TRUTH_MEMORY) {
        res->oom_rows = fits.out_of_memory;
        res->oom_said_to_fit = fits.wrongly_fits;
        res->ran_rows = fits.ran;
        res->ran_said_not_to_fit = fits.wrongly_refused;
    }
    return true;
}

static void add_number(struct buf *out, double n)
{
    buf_char(out, ',');
    if (isfinite(n))
        num_write(n, out);
}

static const char *unit_of(const struct point *p)
{
    if (p->metric == METRIC_TRAINING)
        return p->samples ? "samples/s per GPU" : "tokens/s per GPU";
    return metric_units[p->metric];
}

static bool write_rows(const struct validate_work *w, struct str path, struct error *err)
{
    struct buf out = buf_new(w->ctx->arena->alloc, BUF_MAX_OUTPUT);
    char *name = str_dup(path, w->ctx->arena, err);
    bool ok;

    buf_adds(&out, "id,metric,unit,measured,predicted,low,high,ape,reason\n");
    for (size_t i = 0; i < w->points.len; i++) {
        const struct held *h = &w->held[i];
        const struct point *p = h->point;
        bool predicted = p->reason == NULL;

        csv_write_field(p->id, &out);
        buf_addf(&out, ",%s,%s", metric_names[p->metric], unit_of(p));
        add_number(&out, p->measured);
        add_number(&out, predicted ? h->guess.value : NAN);
        add_number(&out, predicted ? h->guess.low : NAN);
        add_number(&out, predicted ? h->guess.high : NAN);
        add_number(&out, predicted ? fabs(h->guess.value / p->measured - 1) : NAN);
        buf_char(&out, ',');
        csv_write_field(str_from(p->reason), &out);
        buf_char(&out, '\n');
    }
    ok = name != NULL && buf_ok(&out, err) &&
         fs_replace(name, (struct str){out.at, out.len}, err);
    buf_free(&out);
    return ok;
}

static bool validate_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct validate_request *req = in;
    struct validate_result *res = out;
    int kind = choice_of(truth_kind_names, req->kind);
    struct validate_work w = {.ctx = ctx, .kind = (enum truth_kind)kind};

    if (!req->fit && (req->save.len > 0 || req->from_priors || req->group.len > 0)) {
        error_set(err, ERROR_USAGE, "--save, --from-priors and --group are for a fit");
        error_hint(err, "add --fit");
        return false;
    }
    if (kind < 0 && req->fit) {
        error_set(err, ERROR_USAGE, "choices have no constants of their own to fit");
        error_hint(err, "fit 'training' or 'inference', and validate with what --save wrote");
        return false;
    }
    if (!op_catalog(ctx,
                    TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES) |
                        TABLE_BIT(TABLE_MODELS) | TABLE_BIT(TABLE_IMAGE_MODELS) |
                        TABLE_BIT(TABLE_CONSTANTS),
                    err) ||
        !constants_load(&ctx->catalog, &w.constants, err))
        return false;
    if (kind < 0)
        return validate_choice(ctx, req, &w.constants, res, err);
    if (!read_files(&w, req->files, err))
        return false;
    if (req->fit && !fit(&w, req, res, err))
        return false;
    res->left_out = req->leave_one_source_out;
    if (!validate_predict(&w, req->leave_one_source_out, err) || !summarise(&w, res, err))
        return false;
    return req->per_row.len == 0 || write_rows(&w, req->per_row, err);
}

const struct op op_validate = {
    .name = "validate",
    .schema = "stint.validate/1",
    .summary = "compare predictions with measurements",
    .request = &validate_request_fields,
    .result = &validate_result_fields,
    .run = validate_run,
};
