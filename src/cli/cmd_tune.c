/* stint tune */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/run/tune.h"

static void size_cell(struct table *t, bytes size)
{
    struct buf text = buf_new(t->arena->alloc, 64);

    bytes_write(size, &text);
    t->failed |= text.failed != ERROR_NONE;
    table_text(t, size.n == BYTES_UNKNOWN.n ? STR("-") : buf_text(&text));
    buf_free(&text);
}

/* Three figures or more: "812", "81.2", "8.12". */
static void rate_cell(struct table *t, double rate)
{
    if (isnan(rate))
        table_cell(t, "-");
    else
        view_number(t, rate, rate >= 100 ? 0 : rate >= 10 ? 1 : 2);
}

static void error_cell(struct table *t, double error)
{
    if (isnan(error))
        table_cell(t, "?");
    else
        table_cell(t, "%.1f %%", error * 100);
}

/* What is least: without a price nobody knows what it costs. */
static const char *least(const struct tune_result *res)
{
    return res->price.nano != MONEY_UNKNOWN ? "least cost" : "least time a sample";
}

static void note_cell(struct table *t, const struct tune_result *res,
                      const struct tune_row *row)
{
    struct buf text = buf_new(t->arena->alloc, 1024);

    if (row->best)
        buf_adds(&text, least(res));
    if (row->recommended)
        buf_addf(&text, "%srecommended", text.len > 0 ? ", " : "");
    if (row->note.len > 0)
        buf_adds(&text, text.len > 0 ? "; " : "");
    buf_add(&text, row->note);
    t->failed |= text.failed != ERROR_NONE;
    table_text(t, buf_text(&text));
    buf_free(&text);
}

static void print_sizes(const struct view *view, const struct tune_result *res)
{
    struct table_column columns[] = {
        {.title = "batch", .right = true},
        {.title = "samples/s", .right = true},
        {.title = "+-", .right = true, .optional = true},
        {.title = "device memory", .right = true, .hidden = true},
        {.title = "memory", .right = true, .optional = true},
        {.title = "per million", .right = true, .hidden = res->price.nano == MONEY_UNKNOWN},
        {.title = "note", .shrink = true},
    };
    const struct tune_row *rows = res->sizes.at;
    struct table t;

    for (size_t i = 0; i < res->sizes.len; i++)
        columns[3].hidden &= rows[i].device_memory.n == BYTES_UNKNOWN.n;
    t = table_new(columns, ARRAY_LEN(columns), view->arena);
    for (size_t i = 0; i < res->sizes.len; i++) {
        view_count(&t, rows[i].batch);
        rate_cell(&t, rows[i].samples_per_s);
        if (isnan(rows[i].samples_per_s))
            table_cell(&t, "-");
        else
            error_cell(&t, rows[i].error);
        size_cell(&t, rows[i].device_memory);
        size_cell(&t, rows[i].memory);
        if (rows[i].million.nano == MONEY_UNKNOWN)
            table_cell(&t, "-");
        else
            view_amount(&t, rows[i].million);
        note_cell(&t, res, &rows[i]);
        table_style(&t, rows[i].recommended            ? STYLE_GOOD
                        : isnan(rows[i].samples_per_s) ? STYLE_WARN
                                                       : STYLE_PLAIN);
    }
    table_write(&t, &view->term, view->out);
    buf_char(view->out, '\n');
}

static const struct tune_row *row_of(const struct tune_result *res, int64_t batch)
{
    const struct tune_row *rows = res->sizes.at;

    for (size_t i = 0; i < res->sizes.len; i++)
        if (rows[i].batch == batch)
            return &rows[i];
    return NULL;
}

static void print_choice(const struct view *view, const struct tune_result *res)
{
    const struct tune_row *best = row_of(res, res->best);
    const struct tune_row *small = row_of(res, res->recommended);

    view_label(view, res->price.nano != MONEY_UNKNOWN ? "least cost" : "least time");
    buf_addf(view->out, "batch %lld", (long long)best->batch);
    if (best->million.nano != MONEY_UNKNOWN) {
        buf_adds(view->out, ", ");
        usd_write(best->million, view->out);
        buf_adds(view->out, " per million samples");
    }
    buf_adds(view->out, " (");
    num_write_fixed(best->samples_per_s, best->samples_per_s >= 100 ? 0 : 2, view->out);
    buf_addf(view->out, " samples/s, from %.*s)\n", STR_ARG(best->method));
    view_label(view, "recommended");
    buf_addf(view->out, "batch %lld", (long long)small->batch);
    if (small != best)
        buf_addf(view->out, ": %.1f %% slower than the fastest; the smallest within %.0f %%",
                 (1 - small->samples_per_s / best->samples_per_s) * 100, res->near * 100);
    buf_char(view->out, '\n');
}

static void print_reason(const struct view *view)
{
    buf_char(view->out, '\n');
    view_text(view,
              STR("Smaller batches reach the same loss with as many samples or fewer, and "
                  "leave memory free: of sizes that cost about as little the smallest is "
                  "the better one. The learning rate goes with the batch size."));
}

static void print_tune(const struct view *view, const void *result)
{
    const struct tune_result *res = result;

    print_sizes(view, res);
    if (res->best >= 0)
        print_choice(view, res);
    else
        buf_adds(view->out, "no size could be measured\n");
    view_label(view, "ended");
    buf_add_safe(view->out, res->ended);
    buf_char(view->out, '\n');
    if (res->price_source.len > 0) {
        view_label(view, "price");
        usd_per_hour_write(res->price, view->out);
        buf_adds(view->out, " (");
        buf_add_safe(view->out, res->price_source);
        buf_adds(view->out, ")\n");
    }
    if (res->csv.len > 0) {
        view_label(view, "written to");
        buf_add_safe(view->out, res->csv);
        buf_char(view->out, '\n');
    }
    if (res->best >= 0 && res->best != res->recommended)
        print_reason(view);
}

const struct command cmd_tune = {
    .name = "tune",
    .op = &op_tune,
    .about =
        "Runs your command once for each batch size, {} standing for it, doubling from the\n"
        "lowest on, and measures samples a second, memory and what a million samples cost.\n"
        "Ends where memory runs out or two doublings in a row gain little. The speed is\n"
        "read from what the command prints: samples/s, steps (tqdm, Hugging Face,\n"
        "Lightning, ...), --samples-pattern, or --samples for one that ends by itself.\n"
        "Each size is told on standard error when it is known, the table at the end.",
    .examples = "stint tune --batch 8..512 --price '$2.49/hr' -- python bench.py --batch {}\n"
                "stint tune --batch 1..64 --fine --csv sizes.csv -- python train.py --bs={} "
                "--max-steps 200",
    .print = print_tune,
};
