/* validate of the kind "choice": would the GPU that we pick have been the cheapest? */
#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/fs.h"
#include "base/num.h"
#include "op/estimate/validate_work.h"

struct choosing {
    struct op_context *ctx;
    struct validate_work training, serving;
    struct offer_view *offers;
    size_t offer_count;
    struct way *ways;
    size_t way_count;
    struct choices choices; /* with the same number of GPUs */
};

/* A file of serving has the length of prompts, one of training that of sequences. */
static bool read_files(struct choosing *w, struct strs files, struct error *err)
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
static const struct offer_view *cheapest(const struct choosing *w, const struct way *way,
                                         double *price)
{
    const struct offer_view *best = NULL;

    for (size_t i = 0; i < w->offer_count; i++) {
        const struct offer_view *v = &w->offers[i];
        int64_t machines;
        double cost;

        if (v->spec != way->gpu || v->on_demand.nano == MONEY_UNKNOWN || v->count < 1 ||
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

static bool find_prices(struct choosing *w, struct validate_result *res,
                        struct validate_reasons *reasons, struct error *err)
{
    const struct offer_filter filter = {.kind = STR("cloud"),
                                        .market = STR("on-demand"),
                                        .min_memory = BYTES_UNKNOWN,
                                        .max_price = USD_PER_HOUR_UNKNOWN,
                                        .max_age = SPAN_UNKNOWN};

    if (!offers_select(w->ctx, &filter, &w->offers, &w->offer_count, err))
        return false;
    for (size_t i = 0; i < w->offer_count; i++)
        price_age_add(&res->prices, w->offers[i].date, w->ctx);
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

static void add_number(struct buf *out, double n)
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
    add_number(out, way->measured);
    add_number(out, way->predicted);
    add_number(out, way->own);
    add_number(out, way->price);
    add_number(out, way_cost(way) / way_cost(c->best));
    add_number(out, way->price / way->predicted / way_cost(c->best));
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

bool validate_choice(struct op_context *ctx, const struct validate_request *req,
                     const struct constants *constants, struct validate_result *res,
                     struct error *err)
{
    struct choosing w = {
        .ctx = ctx,
        .training = {.ctx = ctx, .kind = TRUTH_TRAINING, .constants = *constants},
        .serving = {.ctx = ctx, .kind = TRUTH_INFERENCE, .constants = *constants}};
    struct validate_reasons reasons = {0};
    size_t points;

    if (!read_files(&w, req->files, err) || !gather(&w, req->leave_one_source_out, err))
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
    price_age_warn(&res->prices, ctx);
    res->kind = STR("choice");
    res->rows = (int64_t)(w.training.points.rows + w.serving.points.rows);
    res->median_ape = res->p90_ape = res->median_ratio = res->inside_range = NAN;
    res->left_out = req->leave_one_source_out;
    res->not_scored = (struct rows){reasons.at, reasons.len};
    return req->per_row.len == 0 || write_cases(&w, req->per_row, err);
}
