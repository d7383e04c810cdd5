/* stint gpu fit */
#include "cli/commands.h"
#include "cli/number_view.h"
#include "cli/view.h"
#include "op/facts/gpu_fit.h"

static void add_row(struct table *t, const struct gpu_fit_option *o, bool first)
{
    table_cell(t, "%s%s", o->smallest ? "*" : " ", o->cheapest ? "$" : " ");
    table_text(t, first ? o->mode : STR(""));
    table_text(t, first ? o->with : STR(""));
    table_cell(t, "%lld x %.*s", (long long)o->count, STR_ARG(o->gpu));
    view_number(t, o->memory_gb, 1);
    view_number(t, o->usable_gb, 1);
    table_text(t, o->setting.len > 0 ? o->setting : STR("-"));
    if (o->price.nano == MONEY_UNKNOWN) { /* no machine has so many */
        table_cell(t, "-");
        table_cell(t, "-");
        table_cell(t, "-");
    } else {
        view_rate(t, o->price);
        if (o->machines > 1)
            table_cell(t, "%lld x %.*s", (long long)o->machines, STR_ARG(o->offer));
        else
            table_text(t, o->offer);
        view_age(t, o->price_age_days);
    }
    table_style(t, o->smallest || o->cheapest ? STYLE_GOOD : STYLE_PLAIN);
}

static bool same_use(const struct gpu_fit_option *a, const struct gpu_fit_option *b)
{
    return str_eq(a->mode, b->mode) && str_eq(a->with, b->with);
}

static void print_missing(const struct view *view, const struct rows *rows)
{
    const struct gpu_fit_missing *missing = rows->at;

    for (size_t i = 0; i < rows->len; i++) {
        const struct gpu_fit_missing *m = &missing[i];

        buf_addf(view->out, "%.*s, %.*s: nothing asked for holds it", STR_ARG(m->mode),
                 STR_ARG(m->with));
        if (m->would.len > 0)
            buf_addf(view->out, "; %.*s would", STR_ARG(m->would));
        buf_char(view->out, '\n');
    }
}

static void print_title(const struct view *view, const struct gpu_fit_result *res)
{
    buf_add_safe(view->out, res->model);
    buf_adds(view->out, ": ");
    large_write(res->params, view->out);
    buf_addf(view->out, " parameters, a batch of %lld", (long long)res->batch);
    if (res->sequence > 1)
        buf_addf(view->out, " x %lld tokens", (long long)res->sequence);
    buf_adds(view->out, "\n\n");
}

static void print_gpu_fit(const struct view *view, const void *result)
{
    static const struct table_column columns[] = {
        {.title = ""},
        {.title = "for"},
        {.title = "with"},
        {.title = "GPUs"},
        {.title = "GB", .right = true},
        {.title = "of", .right = true},
        {.title = "split", .optional = true},
        {.title = "per hour", .right = true},
        {.title = "at", .shrink = true},
        {.title = "age", .right = true, .optional = true},
    };
    const struct gpu_fit_result *res = result;
    const struct gpu_fit_option *options = res->options.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    print_title(view, res);
    for (size_t i = 0; i < res->options.len; i++)
        add_row(&t, &options[i], i == 0 || !same_use(&options[i - 1], &options[i]));
    table_write(&t, &view->term, view->out);
    buf_char(view->out, '\n');
    print_missing(view, &res->missing);
    buf_adds(
        view->out,
        "* least memory in all, $ cheapest on demand; GB needed on the fullest GPU, of what\n"
        "is usable; training recomputes activations and shards with ZeRO 3\n");
    if (res->age.total > 0)
        view_price_age(view, &res->age);
}

const struct command cmd_gpu_fit = {
    .name = "gpu fit",
    .op = &op_gpu_fit,
    .about = "The smallest GPUs, and how many of them, that hold a model: for inference with\n"
             "weights of 4, 8 and 16 bits, for QLoRA, LoRA (rank 16 on every matrix) and for\n"
             "training all of it in bf16; each with the memory needed and the cheapest price.\n"
             "Counts are powers of two. MODEL is a name, a size or a config.json.",
    .examples = "stint gpu fit llama-3-8b\n"
                "stint gpu fit 70B --sequence 4096 --max-gpus 8\n"
                "stint gpu fit mixtral-8x7b --gpu 'H*'",
    .print = print_gpu_fit,
};
