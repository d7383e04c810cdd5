/* validate - how far predictions are from measured rows, and the constants fitted anew. */
#include "op/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/fs.h"
#include "base/num.h"
#include "doc/compress.h"
#include "op/constants_file.h"

#define FILE_MAX ((size_t)256 << 20)
#define MOST_SOURCES 200 /* each takes a fit of its own */

static const struct field request[] = {
    FIELD(CHOICE, validate_request, kind, .value = "KIND", .operand = true, .required = true,
          .choices = truth_kind_names, .help = "training, memory, inference or energy"),
    FIELD(TEXTS, validate_request, files, .value = "FILE...", .operand = true, .required = true,
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
};

struct work {
    struct op_context *ctx;
    enum truth_kind kind;
    struct points points;
    struct held *held;
    struct constants constants;
};

static bool read_files(struct work *w, struct strs files, struct error *err)
{
    struct op_context *ctx = w->ctx;

    for (size_t f = 0; f < files.len; f++) {
        char *path = str_dup(files.at[f], ctx->arena, err);
        struct points more;
        struct point *all;
        struct str text;

        if (path == NULL || !fs_read(path, FILE_MAX, ctx->arena, &text, err) ||
            !unpack_text(&text, path, FILE_MAX, ctx->arena, err) ||
            !points_read(w->kind, text, path, &ctx->catalog, &more, ctx->arena, err))
            return false;
        all = arena_array(ctx->arena, struct point, w->points.len + more.len + 1, err);
        if (all == NULL)
            return false;
        if (w->points.len > 0)
            memcpy(all, w->points.at, w->points.len * sizeof *all);
        if (more.len > 0)
            memcpy(all + w->points.len, more.at, more.len * sizeof *all);
        w->points = (struct points){all, w->points.len + more.len, w->points.rows + more.rows};
    }
    points_settle(w->points.at, w->points.len);
    return true;
}

static bool predict_all(struct work *w, struct error *err)
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
static bool predict_left_out(struct work *w, struct error *err)
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

static bool fit(struct work *w, const struct validate_request *req, struct validate_result *res,
                struct error *err)
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

static bool score_metrics(struct work *w, struct rows *out, struct error *err)
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

static bool count_reasons(struct work *w, struct rows *out, struct error *err)
{
    struct validate_reason *reasons =
        arena_array(w->ctx->arena, struct validate_reason, w->points.len + 1, err);
    size_t n = 0;

    if (reasons == NULL)
        return false;
    for (size_t i = 0; i < w->points.len; i++) {
        const struct point *p = &w->points.at[i];
        struct str why = str_from(p->reason);
        size_t k = 0;

        if (p->reason == NULL && p->out_of_memory)
            why = STR("ran out of memory: asked only whether it fits");
        else if (p->reason == NULL)
            continue;
        while (k < n && !str_eq(reasons[k].reason, why))
            k++;
        if (k == n)
            reasons[n++].reason = why;
        reasons[k].rows++;
    }
    *out = (struct rows){reasons, n};
    return true;
}

static bool summarise(struct work *w, struct validate_result *res, struct error *err)
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

static bool write_rows(const struct work *w, struct str path, struct error *err)
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
    struct work w = {.ctx = ctx,
                     .kind = (enum truth_kind)choice_of(truth_kind_names, req->kind)};

    if (!req->fit && (req->save.len > 0 || req->from_priors || req->group.len > 0)) {
        error_set(err, ERROR_USAGE, "--save, --from-priors and --group are for a fit");
        error_hint(err, "add --fit");
        return false;
    }
    if (!op_catalog(ctx,
                    TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES) |
                        TABLE_BIT(TABLE_MODELS) | TABLE_BIT(TABLE_IMAGE_MODELS) |
                        TABLE_BIT(TABLE_CONSTANTS),
                    err) ||
        !constants_load(&ctx->catalog, &w.constants, err) || !read_files(&w, req->files, err))
        return false;
    if (req->fit && !fit(&w, req, res, err))
        return false;
    res->left_out = req->leave_one_source_out;
    if (!(req->leave_one_source_out ? predict_left_out(&w, err) : predict_all(&w, err)) ||
        !summarise(&w, res, err))
        return false;
    return req->per_row.len == 0 || write_rows(&w, req->per_row, err);
}

const struct op op_validate = {
    .name = "validate",
    .schema = "stint.validate/1",
    .summary = "hold predictions against measured rows: the error",
    .request = &(const struct field_set)FIELD_SET(struct validate_request, request),
    .result = &(const struct field_set)FIELD_SET(struct validate_result, result),
    .run = run,
};
