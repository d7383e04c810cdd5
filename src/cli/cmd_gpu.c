/* stint gpu list, stint gpu show */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/gpu.h"

static void print_list(const struct view *view, const void *result)
{
    static const struct table_column columns[] = {
        {.title = "name"},
        {.title = "year", .right = true, .optional = true},
        {.title = "GB", .right = true},
        {.title = "GB/s", .right = true},
        {.title = "bf16", .right = true},
        {.title = "fp16", .right = true, .optional = true},
        {.title = "fp8", .right = true},
        {.title = "link GB/s", .right = true, .optional = true},
        {.title = "W", .right = true},
        {.title = "from/hr", .right = true},
        {.title = "spot/hr", .right = true},
    };
    const struct gpu_list_result *res = result;
    const struct gpu_view *gpus = res->gpus.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->gpus.len; i++) {
        const struct gpu_view *g = &gpus[i];

        table_text(&t, g->name);
        table_cell(&t, "%lld", (long long)g->year);
        view_number(&t, g->memory_gb, 0);
        view_number(&t, g->bandwidth_gb_s, 0);
        view_number(&t, g->bf16_tflops, 0);
        view_number(&t, g->fp16_tflops, 0);
        view_number(&t, g->fp8_tflops, 0);
        view_number(&t, g->link_gb_s, 0);
        view_number(&t, g->tdp_w, 0);
        if (g->offers > 0) {
            view_rate(&t, g->cheapest);
            view_rate(&t, g->cheapest_spot);
        } else { /* nobody sells it: not an unknown price */
            table_cell(&t, "-");
            table_cell(&t, "-");
        }
    }
    table_write(&t, &view->term, view->out);
    buf_addf(
        view->out,
        "\n%zu accelerators; dense TFLOPS, memory bandwidth and board power of the data "
        "sheet;\nprices are the lowest for one GPU in the catalog ('stint gpu show NAME' has "
        "where and when)\n",
        res->gpus.len);
}

static void number_line(const struct view *view, const char *name, double n, const char *unit)
{
    struct buf text = buf_new(view->out->alloc, 64);

    if (isnan(n))
        return;
    num_write(n, &text);
    view_line(view, name, "%.*s %s", STR_ARG(buf_text(&text)), unit);
    buf_free(&text);
}

static void price_line(const struct view *view, const char *name, usd_per_hour price,
                       struct str offer, day date)
{
    struct buf text = buf_new(view->out->alloc, 256);

    if (price.nano == MONEY_UNKNOWN)
        return;
    usd_per_hour_write(price, &text);
    buf_adds(&text, " at ");
    buf_add(&text, offer);
    buf_adds(&text, " (");
    day_write(date, &text);
    buf_addf(&text, ", %d days old)", view->today.n - date.n);
    view_line(view, name, "%.*s", (int)text.len, text.at != NULL ? text.at : "");
    buf_free(&text);
}

static void names_line(const struct view *view, const struct strs *names)
{
    struct buf text = buf_new(view->out->alloc, 4096);

    for (size_t i = 0; i < names->len && i < 12; i++) {
        buf_adds(&text, i > 0 ? ", " : "");
        buf_add(&text, names->at[i]);
    }
    if (names->len > 0)
        view_line(view, "also called", "%.*s%s", (int)text.len, text.at != NULL ? text.at : "",
                  names->len > 12 ? ", ..." : "");
    buf_free(&text);
}

static void print_show(const struct view *view, const void *result)
{
    const struct gpu_show_result *res = result;
    const struct gpu_view *g = &res->gpu;
    struct buf date = buf_new(view->out->alloc, 64);

    view_line(view, "name", "%.*s (%.*s, %.*s, %lld, %.*s)", STR_ARG(g->name),
              STR_ARG(g->vendor), STR_ARG(g->architecture), (long long)g->year,
              STR_ARG(g->form));
    names_line(view, &res->names);
    number_line(view, "memory", g->memory_gb, "GB");
    number_line(view, "bandwidth", g->bandwidth_gb_s, "GB/s");
    number_line(view, "fp32", g->fp32_tflops, "TFLOPS");
    number_line(view, "tf32", g->tf32_tflops, "TFLOPS dense");
    number_line(view, "bf16", g->bf16_tflops, "TFLOPS dense");
    number_line(view, "fp16", g->fp16_tflops, "TFLOPS dense");
    number_line(view, "fp8", g->fp8_tflops, "TFLOPS dense");
    number_line(view, "int8", g->int8_tops, "TOPS dense");
    number_line(view, "fp4", g->fp4_tflops, "TFLOPS dense");
    if (g->link.len > 0 && g->link_gb_s > 0)
        number_line(view, "link", g->link_gb_s, "GB/s each way");
    number_line(view, "board power", g->tdp_w, "W");
    view_line(view, "offers", "%lld in the catalog", (long long)g->offers);
    price_line(view, "cheapest", g->cheapest, g->cheapest_offer, g->cheapest_date);
    price_line(view, "cheapest spot", g->cheapest_spot, g->cheapest_spot_offer,
               g->cheapest_spot_date);
    if (g->notes.len > 0)
        view_line(view, "notes", "%.*s", (int)g->notes.len, g->notes.at);
    day_write(g->date, &date);
    view_line(view, "source", "%.*s (%.*s)", (int)g->source.len, g->source.at,
              STR_ARG(buf_text(&date)));
    buf_free(&date);
}

const struct command cmd_gpu_list = {
    .name = "gpu list",
    .op = &op_gpu_list,
    .about =
        "Every accelerator of the catalog: memory, bandwidth, dense peaks, power, and the\n"
        "lowest price for one of it for an hour.",
    .examples = "stint gpu list --min-memory 80GB --sort bf16\n"
                "stint gpu list --vendor AMD",
    .print = print_list,
};

const struct command cmd_gpu_show = {
    .name = "gpu show",
    .op = &op_gpu_show,
    .about =
        "All that is known of one accelerator, with its source, and where it is cheapest.\n"
        "Any name people use will do: a100, 'RTX 4090', h100-sxm.",
    .examples = "stint gpu show h100\n"
                "stint gpu show 'RTX 4090'",
    .print = print_show,
};
