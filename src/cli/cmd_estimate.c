/* stint estimate */
#include <math.h>

#include "cli/commands.h"
#include "cli/estimate_print.h"

/* A cell made by one of the writers of numbers. */
static void cell(struct table *t, double n, void (*write)(double n, struct buf *out))
{
    struct buf text = buf_new(t->arena->alloc, 64);

    write(n, &text);
    if (text.failed != ERROR_NONE)
        t->failed = true;
    table_text(t, buf_text(&text));
    buf_free(&text);
}

static void add_row(struct table *t, const struct estimate_sweep_row *s)
{
    table_text(t, s->value);
    table_cell(t, s->fits ? "yes" : "NO");
    cell(t, s->memory_gb, number_write);
    cell(t, s->step_s, seconds_write);
    cell(t, s->rate, number_write);
    cell(t, s->hours, number_write);
    view_amount(t, s->cost);
    table_text(t, !s->fits && s->why.len > 0 ? s->why : s->setting);
    table_style(t, s->fits ? STYLE_PLAIN : STYLE_WARN);
}

/* A title that only the result knows. */
static const char *title(const struct view *view, struct str text, const char *otherwise)
{
    struct error err = {0};
    const char *copy = text.len > 0 ? str_dup(text, view->arena, &err) : otherwise;

    if (copy == NULL)
        view->out->failed = ERROR_MEMORY;
    return copy == NULL ? otherwise : copy;
}

/* Without an amount of data there are no hours, without a price no costs. */
static bool any_known(const struct estimate *res, bool cost)
{
    const struct estimate_sweep_row *rows = res->sweep.at;

    for (size_t i = 0; i < res->sweep.len; i++)
        if (cost ? rows[i].cost.nano != MONEY_UNKNOWN : !isnan(rows[i].hours))
            return true;
    return false;
}

static void print_sweep(const struct view *view, const struct estimate *res)
{
    const struct estimate_sweep_row *rows = res->sweep.at;
    bool timed = any_known(res, false), priced = any_known(res, true);
    const struct table_column columns[] = {
        {.title = title(view, res->sweep_key, "value"), .right = true},
        {.title = "fits"},
        {.title = "GB", .right = true},
        {.title = "step", .right = true},
        {.title = title(view, res->rate_unit, "tokens/s"), .right = true},
        {.title = "hours", .right = true, .hidden = !timed},
        {.title = "cost", .right = true, .hidden = !priced},
        {.title = "with", .shrink = true},
    };
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->sweep.len; i++)
        add_row(&t, &rows[i]);
    buf_char(view->out, '\n');
    table_write(&t, &view->term, view->out);
}

/* The formula, the same with its numbers, the value: the signs of equality line up. */
static void print_formula(const struct view *view, const struct estimate_formula *f)
{
    size_t left = term_columns(f->name) + 1;
    struct buf value = buf_new(view->arena->alloc, 128);

    view_wrap(f->formula, left + 2, 0, view->out);
    buf_char(view->out, '\n');
    if (f->numbers.len > 0) {
        buf_pad(view->out, ' ', left);
        buf_adds(view->out, "= ");
        view_wrap(f->numbers, left + 2, left + 2, view->out);
        buf_char(view->out, '\n');
    }
    if (str_eq(f->unit, STR("parameters")))
        large_write(f->value, &value);
    else
        number_write(f->value, &value);
    buf_addf(&value, "%s%.*s", f->unit.len > 0 ? " " : "", STR_ARG(f->unit));
    buf_pad(view->out, ' ', left);
    buf_adds(view->out, "= ");
    buf_add_safe(view->out, buf_text(&value));
    buf_char(view->out, '\n');
    if (value.failed != ERROR_NONE)
        view->out->failed = value.failed;
    buf_free(&value);
}

/* Formulas, and where the equivalents of the carbon are from. */
static void print_formulas(const struct view *view, const struct estimate *res)
{
    const struct rows *rows = &res->formulas;
    const struct estimate_formula *formulas = rows->at;

    if (rows->len == 0)
        return;
    buf_addf(view->out, "\n%sHOW%s\n", term_style_on(&view->term, STYLE_BOLD),
             term_style_off(&view->term, STYLE_BOLD));
    for (size_t i = 0; i < rows->len; i++)
        print_formula(view, &formulas[i]);
    for (size_t i = 0; i < res->equivalents.len; i++) {
        view_wrap(res->equivalents.at[i], 2, 0, view->out);
        buf_adds(view->out, ":\n  ");
        view_wrap(res->equivalent_sources.at[i], 2, 2, view->out);
        buf_char(view->out, '\n');
    }
}

static void print_estimate(const struct view *view, const void *result)
{
    const struct estimate *res = result;

    if (res->sweep.len > 0) { /* what was assumed for one row is not so for the next */
        estimate_sweep_head(view, res);
        print_sweep(view, res);
        return;
    }
    estimate_head(view, res);
    estimate_memory_section(view, res);
    if (str_eq(res->kind, STR("infer")))
        estimate_serving_section(view, res);
    else
        estimate_training_section(view, res);
    estimate_energy_section(view, res);
    estimate_cost_section(view, res);
    print_formulas(view, res);
    estimate_notes(view, res);
}

const struct command cmd_estimate = {
    .name = "estimate",
    .op = &op_estimate,
    .about =
        "What a job needs and costs on given hardware: memory of the fullest GPU, time,\n"
        "energy, carbon and money, each with the range in which 8 of 10 measured values\n"
        "lie. JOB is a file, or just a model with options. What the job leaves open gets\n"
        "its usual value, which is printed. --sweep tries the values of one key, --explain\n"
        "shows each formula with the numbers in it.",
    .examples = "stint estimate examples/llama-7b-lora.yaml --on H100x8\n"
                "stint estimate llama-3-8b --method lora --tokens 25M --on 4090\n"
                "stint estimate llama-2-7b --on A100x8 --sweep zero=0..3\n"
                "stint estimate llama-3-8b --serve --on H100\n"
                "stint estimate llama-2-7b --on A100x8 --explain",
    .print = print_estimate,
};
