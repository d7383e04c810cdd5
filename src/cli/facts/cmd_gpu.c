/* stint gpu list, stint gpu show */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/facts/gpu.h"

/* A GPU without offers has no price; that is not an unknown price. */
static bool write_offered(const struct column *column, const void *row, struct buf *out)
{
    const struct gpu_facts *gpu = row;

    (void)column;
    buf_adds(out, gpu->offers > 0 ? "" : "-");
    return gpu->offers <= 0;
}

static void print_gpu_list(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("name", name),
        COLUMN("year", year, .optional = true),
        COLUMN("GB", memory_gb),
        COLUMN("GB/s", bandwidth_gb_s),
        COLUMN("bf16", bf16_tflops),
        COLUMN("fp16", fp16_tflops, .optional = true),
        COLUMN("fp8", fp8_tflops),
        COLUMN("link GB/s", link_gb_s, .optional = true),
        COLUMN("W", tdp_w),
        COLUMN("from/hr", cheapest, .cell = write_offered),
        COLUMN("spot/hr", cheapest_spot, .cell = write_offered),
        COLUMN("age", cheapest_days, .form = COLUMN_AGE),
    };
    const struct gpu_list_result *res = result;

    view_rows(view, &op_gpu_list, res, "gpus", COLUMNS(columns));
    buf_addf(
        view->out,
        "\n%zu accelerator%s; dense TFLOPS, memory bandwidth and board power of the data "
        "sheet;\nprices: the lowest for one GPU, maybe of a larger machine ('stint gpu show "
        "NAME' shows it)\n",
        res->gpus.len, res->gpus.len == 1 ? "" : "s");
    if (res->age.total > 0)
        view_price_age(view, &res->age);
}

static void number_line(const struct view *view, const char *name, double n, const char *unit)
{
    if (isnan(n))
        return;
    view_label(view, name);
    num_write(n, view->out);
    buf_addf(view->out, " %s\n", unit);
}

static void print_gpu_text(const struct view *view, const char *name, struct str text)
{
    if (text.len == 0)
        return;
    view_label(view, name);
    buf_add_safe(view->out, text);
    buf_char(view->out, '\n');
}

/* "$0.35/hr at vast/x/8x, one of 8 GPUs at $2.77/hr (2025-10-27, 384 days old)" */
static void price_line(const struct view *view, const char *name, const struct gpu_price *p)
{
    if (p->price.nano == MONEY_UNKNOWN)
        return;
    view_label(view, name);
    usd_per_hour_write(p->price, view->out);
    buf_adds(view->out, " at ");
    buf_add_safe(view->out, p->offer);
    if (p->count > 1) {
        buf_addf(view->out, ", one of %lld GPUs at ", (long long)p->count);
        usd_per_hour_write(usd_per_hour_times(p->price, p->count), view->out);
    }
    buf_adds(view->out, " (");
    day_write(p->date, view->out);
    buf_addf(view->out, ", %lld day%s old)\n", (long long)p->days, p->days == 1 ? "" : "s");
}

static void names_line(const struct view *view, const struct strs *names)
{
    if (names->len == 0)
        return;
    view_label(view, "also called");
    for (size_t i = 0; i < names->len && i < 12; i++) {
        buf_adds(view->out, i > 0 ? ", " : "");
        buf_add_safe(view->out, names->at[i]);
    }
    buf_adds(view->out, names->len > 12 ? ", ...\n" : "\n");
}

static void name_line(const struct view *view, const struct accelerator *g)
{
    const struct str facts[] = {g->vendor, g->architecture, g->form};
    const char *before = " (";

    view_label(view, "name");
    buf_add_safe(view->out, g->name);
    for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
        if (facts[i].len == 0)
            continue;
        buf_adds(view->out, before);
        buf_add_safe(view->out, facts[i]);
        before = ", ";
    }
    if (g->year > 0)
        buf_addf(view->out, "%s%lld", before, (long long)g->year);
    buf_adds(view->out, before[0] == ',' || g->year > 0 ? ")\n" : "\n");
}

static void print_gpu_show(const struct view *view, const void *result)
{
    const struct gpu_show_result *res = result;
    const struct accelerator *g = &res->gpu.gpu;

    name_line(view, g);
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
    print_gpu_text(view, "link", g->link);
    if (g->link_gb_s > 0)
        number_line(view, "", g->link_gb_s, "GB/s each way");
    number_line(view, "board power", g->tdp_w, "W");
    view_label(view, "offers");
    buf_addf(view->out, "%lld in the catalog\n", (long long)res->gpu.offers);
    price_line(view, "cheapest", &res->gpu.cheapest);
    price_line(view, "cheapest spot", &res->gpu.cheapest_spot);
    print_gpu_text(view, "notes", g->fact.notes);
    view_label(view, "source");
    buf_add_safe(view->out, g->fact.source);
    buf_adds(view->out, " (");
    day_write(g->fact.date, view->out);
    buf_adds(view->out, ")\n");
}

const struct command cmd_gpu_list = {
    .name = "gpu list",
    .op = &op_gpu_list,
    .group = {"what accelerators can do and where they are cheapest", .stage = CLI_BEFORE},
    .about = "Lists the accelerators of the catalog: memory, bandwidth, dense peaks, power, "
             "and the lowest price for one of them for an hour.",
    .examples = "stint gpu list --min-memory 80GB --sort bf16\n"
                "stint gpu list --vendor AMD",
    .print = print_gpu_list,
};

const struct command cmd_gpu_show = {
    .name = "gpu show",
    .op = &op_gpu_show,
    .about = "Shows the facts about one accelerator, with their source, and where it is "
             "cheapest. Other names work, too: a100, 'RTX 4090', h100-sxm.",
    .examples = "stint gpu show h100\n"
                "stint gpu show 'RTX 4090'",
    .print = print_gpu_show,
};
