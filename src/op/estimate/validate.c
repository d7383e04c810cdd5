/* validate - how far predictions are from measured rows, and the constants fitted anew. */
#include "op/estimate/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/fs.h"
#include "base/num.h"
#include "doc/compress.h"
#include "op/estimate/constants_file.h"
#include "op/estimate/validate_work.h"

#define FILE_MAX ((size_t)256 << 20)
#define MOST_SOURCES 200 /* each takes a fit of its own */

bool validate_read(struct op_context *ctx, struct str file, char **path, struct str *text,
                   struct error *err)
{
    *path = str_dup(file, ctx->arena, err);
    return *path != NULL && fs_read(*path, FILE_MAX, ctx->arena, text, err) &&
           unpack_text(text, *path, FILE_MAX, ctx->arena, err);
}

bool validate_add(struct validate_work *w, const char *path, struct str text, struct error *err)
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

bool validate_predict(struct validate_work *w, bool left_out, struct error *err)
{
    return left_out ? predict_left_out(w, err) : predict_all(w, err);
}

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
    return req->save.len == 0 || constants_save(w->ctx, &w->constants, req->save, err);
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

void validate_reason_add(struct validate_reasons *reasons, struct str why, int64_t rows)
{
    size_t k = 0;

    while (k < reasons->len && !str_eq(reasons->at[k].reason, why))
        k++;
    if (k == reasons->len)
        reasons->at[reasons->len++] = (struct validate_reason){.reason = why};
    reasons->at[k].rows += rows;
}

void validate_reasons_count(const struct validate_work *w, struct validate_reasons *reasons)
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

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
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
    .run = run,
};
