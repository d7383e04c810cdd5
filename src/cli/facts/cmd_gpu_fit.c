/* stint gpu fit */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/facts/gpu_fit.h"
#include "unit/shown.h"

/* The use is only written in its first row: rows are in one array. */
static bool write_fit_use(const struct column *column, const void *row, struct buf *out)
{
    const struct gpu_fit_option *o = row;

    (void)column;
    (void)out;
    return !o->smallest;
}

static enum term_style style_of_fit(const void *row)
{
    const struct gpu_fit_option *o = row;

    return o->smallest || o->cheapest ? STYLE_GOOD : STYLE_PLAIN;
}

/* No machine with so many is for rent: that is no unknown price. */
static const struct column columns[] = {
    COLUMN("", smallest, .yes = "*", .no = " ", .marks = {{"cheapest", "$"}}),
    COLUMN("for", mode, .cell = write_fit_use, .unknown = ""),
    COLUMN("with", with, .cell = write_fit_use, .unknown = ""),
    COLUMN("GPUs", gpu, .times = "count"),
    COLUMN("GB", memory_gb, .decimals = 1),
    COLUMN("of", usable_gb, .decimals = 1),
    COLUMN("split", setting, .optional = true),
    COLUMN("per hour", price, .unknown = "-"),
    COLUMN("at", offer, .times = "machines", .several = true, .shrink = true),
    COLUMN("age", price_age_days, .form = COLUMN_AGE, .optional = true),
};

static void print_missing_gpus(const struct view *view, const struct rows *rows)
{
    const struct gpu_fit_missing *missing = rows->at;

    for (size_t i = 0; i < rows->len; i++) {
        const struct gpu_fit_missing *m = &missing[i];

        buf_addf(view->out, "%.*s, %.*s: none of the requested GPUs fits it", STR_ARG(m->mode),
                 STR_ARG(m->with));
        if (m->would.len > 0)
            buf_addf(view->out, "; %.*s would", STR_ARG(m->would));
        buf_char(view->out, '\n');
    }
}

static void print_fit_title(const struct view *view, const struct gpu_fit_result *res)
{
    buf_add_safe(view->out, res->model);
    buf_adds(view->out, ": ");
    value_large(res->params, view->out);
    buf_addf(view->out, " parameters, a batch of %lld", (long long)res->batch);
    if (res->sequence > 1)
        buf_addf(view->out, " x %lld tokens", (long long)res->sequence);
    buf_adds(view->out, "\n\n");
}

static void print_gpu_fit(const struct view *view, const void *result)
{
    const struct gpu_fit_result *res = result;

    print_fit_title(view, res);
    view_rows(view, &op_gpu_fit, res, "options", COLUMNS(columns, .style = style_of_fit));
    buf_char(view->out, '\n');
    print_missing_gpus(view, &res->fit.missing);
    view_wrap(
        STR("* least memory in total, $ cheapest on demand; GB needed on the fullest GPU, of "
            "what is usable; training recomputes activations and shards with ZeRO 3"),
        0, 0, view->out);
    buf_char(view->out, '\n');
    if (res->note.len > 0) {
        view_wrap(res->note, 0, 0, view->out);
        buf_char(view->out, '\n');
    }
    if (res->age.total > 0)
        view_price_age(view, &res->age);
}

const struct command cmd_gpu_fit = {
    .name = "gpu fit",
    .op = &op_gpu_fit,
    .about = "Lists the smallest GPUs, and their number, that fit a model: for inference with "
             "weights of 4, 8 and 16 bits, for QLoRA, LoRA (rank 16 on every matrix) and for "
             "full training in bf16; each with the memory needed and the cheapest price. "
             "Counts are powers of two. MODEL is a name, a size or a config.json.",
    .examples = "stint gpu fit llama-3-8b\n"
                "stint gpu fit 70B --sequence 4096 --max-gpus 8\n"
                "stint gpu fit mixtral-8x7b --gpu 'H*'",
    .print = print_gpu_fit,
};
