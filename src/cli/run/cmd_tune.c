/* stint tune */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/run/tune.h"
#include "unit/shown.h"
#include "unit/size.h"

static bool write_tune_error(const struct column *column, const void *row, struct buf *out)
{
    const struct tune_point *size = row;

    (void)column;
    if (!isnan(size->rate) && isnan(size->spread))
        buf_char(out, '?');
    else if (!isnan(size->rate))
        value_share(size->spread, out);
    return true;
}

/* Of the device (the column's index is 1), or of the machine. */
static bool write_memory(const struct column *column, const void *row, struct buf *out)
{
    const struct tune_point *size = row;
    double memory = column->index > 0 ? size->device_memory : size->memory;

    if (!isnan(memory))
        bytes_write(bytes_from(memory), out);
    return true;
}

/* Without a price (the column's index is 0) the best is the fastest. */
static bool write_note(const struct column *column, const void *row, struct buf *out)
{
    const struct tune_point *size = row;

    if (size->best)
        buf_adds(out, column->index > 0 ? "lowest cost" : "fastest");
    if (size->recommended)
        buf_addf(out, "%srecommended", out->len > 0 ? ", " : "");
    if (size->note[0] != '\0')
        buf_addf(out, "%s%s", out->len > 0 ? "; " : "", size->note);
    return true;
}

static enum term_style style_of_size(const void *row)
{
    const struct tune_point *size = row;

    return size->recommended ? STYLE_GOOD : isnan(size->rate) ? STYLE_WARN : STYLE_PLAIN;
}

static void print_tune_sizes(const struct view *view, const struct tune_result *res)
{
    bool priced = res->price.nano != MONEY_UNKNOWN;
    const struct column columns[] = {
        COLUMN("batch", batch),
        COLUMN("samples/s", samples_per_s, .form = COLUMN_FIGURES),
        COLUMN("+-", error, .optional = true, .cell = write_tune_error),
        COLUMN("device memory", device_memory, .if_any = true, .unknown = "-",
               .cell = write_memory, .index = 1),
        COLUMN("memory", memory, .optional = true, .unknown = "-", .cell = write_memory),
        COLUMN("per million", million, .hidden = !priced, .unknown = "-"),
        COLUMN("note", note, .shrink = true, .unknown = "", .cell = write_note,
               .index = priced),
    };

    view_rows(view, &op_tune, res, "sizes", COLUMNS(columns, .style = style_of_size));
    buf_char(view->out, '\n');
}

static const struct tune_point *tune_point_of(const struct tune_result *res, int64_t batch)
{
    const struct tune_point *rows = res->sizes.at;

    for (size_t i = 0; i < res->sizes.len; i++)
        if (rows[i].batch == batch)
            return &rows[i];
    return NULL;
}

static void print_tune_choice(const struct view *view, const struct tune_result *res)
{
    const struct tune_point *best = tune_point_of(res, res->best);
    const struct tune_point *small = tune_point_of(res, res->recommended);

    view_label(view, res->price.nano != MONEY_UNKNOWN ? "lowest cost" : "fastest");
    buf_addf(view->out, "batch %lld", (long long)best->batch);
    if (best->million.nano != MONEY_UNKNOWN) {
        buf_adds(view->out, ", ");
        usd_write(best->million, view->out);
        buf_adds(view->out, " per million samples");
    }
    buf_adds(view->out, " (");
    num_write_fixed(best->rate, best->rate >= 100 ? 0 : 2, view->out);
    buf_addf(view->out, " samples/s, from %.*s)\n", STR_ARG(best->method));
    view_label(view, "recommended");
    buf_addf(view->out, "batch %lld", (long long)small->batch);
    if (small != best)
        buf_addf(view->out, ": %s slower than the fastest; the smallest within %s",
                 percent_text(1 - small->rate / best->rate).text, percent_text(res->near).text);
    buf_char(view->out, '\n');
}

static void print_reason(const struct view *view)
{
    buf_char(view->out, '\n');
    view_text(view,
              STR("Smaller batches reach the same loss with as many samples or fewer, and "
                  "leave memory free: among sizes that cost about the same, the smallest is "
                  "better. The learning rate depends on the batch size."));
}

static void print_tune(const struct view *view, const void *result)
{
    const struct tune_result *res = result;

    print_tune_sizes(view, res);
    if (res->best >= 0)
        print_tune_choice(view, res);
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
    .group = {"the batch size with the lowest cost", .stage = CLI_BEFORE},
    .about = "Runs your command once for each batch size, which replaces {}, doubling from the "
             "lowest, and measures samples per second, memory and the cost of a million "
             "samples. Ends when memory runs out or two doublings in a row gain little. The "
             "speed is read from the command's output: samples/s, steps (tqdm, Hugging Face, "
             "Lightning, ...), --samples-pattern, or --samples for one that ends by itself. "
             "Each size is printed on standard error when it is known, the table at the end.",
    .examples = "stint tune --batch 8..512 --price '$2.49/hr' -- python bench.py --batch {}\n"
                "stint tune --batch 1..64 --fine --csv sizes.csv -- python train.py --bs={} "
                "--max-steps 200",
    .print = print_tune,
};
