/* stint estimate */
#include <math.h>
#include <stdio.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/estimate/estimate.h"
#include "op/op.h"
#include "unit/shown.h"

#define LINE_MAX_BYTES 4096
#define LEFT 16 /* columns of a label, as view_label() */

/* A line that is being put together; estimate_line_end() writes it after its label, wrapped,
 * when there is anything in it. */
static struct buf estimate_line_new(const struct view *view)
{
    return buf_new(view->arena->alloc, LINE_MAX_BYTES);
}

static void estimate_line_end(const struct view *view, const char *label, enum term_style style,
                              struct buf *text)
{
    if (text->len > 0) {
        buf_adds(view->out, term_style_on(&view->term, style));
        view_label(view, label);
        view_wrap(buf_text(text), LEFT, LEFT, view->out);
        buf_adds(view->out, term_style_off(&view->term, style));
        buf_char(view->out, '\n');
    }
    buf_free_part(text, view->out);
}

/* ---- what is estimated, its memory and its time ---- */

/* The name of a choice; empty when it does not apply. */
static struct str name_of_choice(const struct estimate *res, const char *choice)
{
    return field_text(field_find(op_estimate.result, str_from(choice)), res);
}

#define BAR 40 /* columns for the whole */
#define SECONDS_PER_HOUR 3600.0

/* "x" or, after something else, ", x". */
static void write_item(struct buf *line, const char *before, struct str text)
{
    if (text.len == 0)
        return;
    buf_adds(line, line->len > 0 ? ", " : "");
    buf_adds(line, before);
    buf_add(line, text);
}

static void write_estimate_degree(struct buf *line, bool *first, const char *name, int64_t n,
                                  int64_t above)
{
    if (n <= above)
        return;
    buf_addf(line, "%s%s %lld", *first ? ": " : ", ", name, (long long)n);
    *first = false;
}

static void model_line(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    buf_add(&line, res->model.len > 0 ? res->model : STR("a model known by its speed"));
    if (!isnan(res->params)) {
        buf_adds(&line, ": ");
        value_large(res->params, &line);
        buf_adds(&line, " parameters");
    }
    if (res->active_params < res->params) {
        buf_adds(&line, ", ");
        value_large(res->active_params, &line);
        buf_adds(&line, " active");
    }
    if (res->assumed)
        buf_adds(&line, " (shape assumed)");
    if (res->objective > OBJECTIVE_SFT && res->objective < OBJECTIVE_COUNT) {
        buf_adds(&line, ", ");
        buf_add(&line, name_of_choice(res, "objective"));
    }
    if (name_of_choice(res, "method").len > 0) {
        buf_adds(&line, ", ");
        buf_add(&line, name_of_choice(res, "method"));
        if (res->trained_params < res->params) {
            buf_adds(&line, " trains ");
            value_large(res->trained_params, &line);
        }
    }
    estimate_line_end(view, res->kind == JOB_INFER ? "serve" : "train", STYLE_BOLD, &line);
}

/* `whole`: with what a sweep may change. */
static void setting_line(const struct view *view, const struct estimate *res, bool whole)
{
    struct buf line = estimate_line_new(view);

    write_item(&line, "", res->precision);
    write_item(&line, "", name_of_choice(res, "optimizer"));
    write_item(&line, "", res->framework);
    if (whole)
        write_item(&line, "recompute ", name_of_choice(res, "recompute"));
    if (whole && res->offload != OFFLOAD_NONE)
        write_item(&line, "offload ", name_of_choice(res, "offload"));
    if (!whole && res->sequence > 1)
        buf_addf(&line, ", sequences of %lld tokens", (long long)res->sequence);
    if (line.len == 0)
        buf_char(&line, '?');
    estimate_line_end(view, "with", STYLE_PLAIN, &line);
}

static void write_degrees(struct buf *line, const struct estimate *res)
{
    bool first = true;

    write_estimate_degree(line, &first, "data", res->data, 1);
    write_estimate_degree(line, &first, "tensor", res->tensor, 1);
    write_estimate_degree(line, &first, "pipeline", res->pipeline, 1);
    write_estimate_degree(line, &first, "virtual", res->virtual_pipeline, 1);
    write_estimate_degree(line, &first, "context", res->context, 1);
    write_estimate_degree(line, &first, "expert", res->expert, 1);
    write_estimate_degree(line, &first, "ZeRO", res->zero, 0);
}

static void hardware_line(const struct view *view, const struct estimate *res, bool whole)
{
    struct buf line = estimate_line_new(view);

    if (res->gpus > 1)
        buf_addf(&line, "%lldx ", (long long)res->gpus);
    buf_add(&line, res->accelerator);
    if (res->nodes > 1)
        buf_addf(&line, " in %lld machines", (long long)res->nodes);
    if (whole)
        write_degrees(&line, res);
    estimate_line_end(view, "on", STYLE_PLAIN, &line);
}

/* By what the machines are joined, and since when that is known. */
static void network_line(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    buf_addf(&line, "%s Gbit/s%s", num_figures(res->network_gbit_s).text,
             res->network.len > 0 ? " " : "");
    buf_add(&line, res->network);
    buf_adds(&line, " for each machine");
    if (res->network_date.n != DAY_UNKNOWN.n) {
        buf_adds(&line, ", as of ");
        day_write(res->network_date, &line);
    }
    estimate_line_end(view, "network", STYLE_PLAIN, &line);
}

static void print_estimate_batch(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    value_count(res->global_batch, &line);
    if (res->sequence > 1)
        buf_addf(&line, " x %lld tokens", (long long)res->sequence);
    if (res->micro_batch > 0 && (res->accumulation > 1 || res->data > 1)) {
        buf_addf(&line, ": micro-batch %lld", (long long)res->micro_batch);
        if (res->accumulation > 1)
            buf_addf(&line, " x %lld accumulated", (long long)res->accumulation);
        if (res->data > 1)
            buf_addf(&line, " x %lld data parallel", (long long)res->data);
    }
    estimate_line_end(view, "batch", STYLE_PLAIN, &line);
}

static void estimate_head(const struct view *view, const struct estimate *res)
{
    bool known = res->model.len > 0;

    model_line(view, res);
    if (known)
        setting_line(view, res, true);
    hardware_line(view, res, true);
    if (res->nodes > 1 && !isnan(res->network_gbit_s))
        network_line(view, res);
    if (known && !isnan(res->global_batch))
        print_estimate_batch(view, res);
}

static void estimate_sweep_head(const struct view *view, const struct estimate *res)
{
    if (res->model.len == 0) /* the job without changes is impossible; the rows show more */
        return;
    model_line(view, res);
    setting_line(view, res, false);
    hardware_line(view, res, res->kind != JOB_TRAIN);
}

/* "  weights            13.5 GB   29 %  ###########" for each part that there is. */
static void print_estimate_parts(const struct view *view, const struct rows *rows,
                                 void (*write)(double amount, struct buf *out))
{
    const struct estimate_part *part = rows->at;

    for (size_t i = 0; i < rows->len; i++) {
        struct buf amount = buf_new(view->arena->alloc, 64);
        double share = fmin(1, fmax(0, part[i].share));

        if (!(part[i].amount > 0))
            continue;
        write(part[i].amount, &amount);
        buf_addf(view->out, "  %-*.*s %9.*s %4ld %%", LEFT, STR_ARG(part[i].name),
                 (int)amount.len, buf_text(&amount).at, lround(100 * share));
        if (lround(share * BAR) > 0)
            buf_adds(view->out, "  ");
        buf_pad(view->out, '#', (size_t)lround(share * BAR));
        buf_char(view->out, '\n');
        buf_free_part(&amount, view->out);
    }
}

static void gigabytes(double gb, struct buf *out)
{
    value_number(gb, out);
    buf_adds(out, " GB");
}

/* "  4 GPUs        engine                61.2 GB  busy 55 %": what holds different models. */
static void print_gpu_groups(const struct view *view, const struct estimate *res)
{
    const struct estimate_group *group = res->groups.at;
    struct buf line = estimate_line_new(view);

    if (res->groups.len == 0)
        return;
    buf_addf(&line, "%s of all GPU time is idle", percent_text(res->idle).text);
    estimate_line_end(view, "GPUS", STYLE_BOLD, &line);
    for (size_t i = 0; i < res->groups.len; i++) {
        struct buf memory = buf_new(view->arena->alloc, 64);

        gigabytes(group[i].memory_gb, &memory);
        buf_addf(view->out, "  %-4lld %-28.*s %9.*s  busy %s\n", (long long)group[i].gpus,
                 STR_ARG(group[i].models), (int)memory.len, buf_text(&memory).at,
                 percent_text(group[i].busy).text);
        buf_free_part(&memory, view->out);
    }
}

#define NO_CHANCE 0.005 /* or all of it: not worth a word */
#define FULL_CHANCE 0.995

static void estimate_memory_section(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    if (isnan(res->memory_gb)) { /* work that is known by its speed alone */
        buf_adds(&line, "? not known for a model that is given by its speed");
        estimate_line_end(view, "MEMORY", STYLE_BOLD, &line);
        return;
    }
    buf_adds(&line, res->fits ? "fits" : res->tight ? "may not fit" : "DOES NOT FIT");
    if (res->chance > NO_CHANCE && res->chance < FULL_CHANCE)
        buf_addf(&line, " (chance %s)", percent_text(res->chance).text);
    buf_adds(&line, ": ");
    value_within(res->memory_gb, res->memory_low_gb, res->memory_high_gb, "GB", &line);
    buf_adds(&line, " of ");
    value_number(res->usable_gb, &line);
    buf_adds(&line, res->gpus > 1 ? " GB usable on each GPU" : " GB usable");
    buf_char(view->out, '\n');
    estimate_line_end(view, "MEMORY", res->fits ? STYLE_GOOD : STYLE_WARN, &line);
    print_estimate_parts(view, &res->memory, gigabytes);
    print_gpu_groups(view, res);
    if (res->host_gb > 0) {
        line = estimate_line_new(view);
        value_number(res->host_gb, &line);
        buf_adds(&line, " GB of the machine's memory");
        if (!isnan(res->host_usable_gb)) {
            buf_adds(&line, ", which has ");
            value_number(res->host_usable_gb, &line);
            buf_adds(&line, " GB");
        }
        buf_adds(&line, "; it is worth ");
        usd_per_hour_write(res->host_low, &line);
        buf_adds(&line, " to ");
        usd_per_hour_write(res->host_high, &line);
        buf_adds(&line, " of the machine's price");
        estimate_line_end(view, res->offload == OFFLOAD_NONE ? "paged" : "offloaded",
                          STYLE_PLAIN, &line);
    }
}

static void rate_into(struct buf *line, const struct estimate *res)
{
    value_number(res->rate.value, line);
    buf_char(line, ' ');
    buf_add(line, res->rate_unit.len > 0 ? res->rate_unit : STR("tokens/s"));
}

/* What a long run loses, when it does. */
static void goodput_line(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    if (!(res->goodput < 1))
        return;
    buf_addf(&line, "%s: ", percent_text(res->goodput).text);
    value_seconds((1 - res->goodput) * res->hours.value * SECONDS_PER_HOUR, &line);
    buf_adds(&line, " of it lost");
    if (!isnan(res->failures_day)) {
        buf_adds(&line, " to slow steps, ");
        value_number(res->failures_day, &line);
        buf_adds(&line, " failures a day, saves and evaluation");
    }
    estimate_line_end(view, "goodput", STYLE_PLAIN, &line);
}

static void training_line(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);
    struct guess s = {res->hours.value * SECONDS_PER_HOUR, res->hours.low * SECONDS_PER_HOUR,
                      res->hours.high * SECONDS_PER_HOUR};

    value_seconds_within(s.value, s.low, s.high, &line);
    if (isnan(res->hours.value)) {
        buf_adds(&line, " how much data? add --tokens, --examples or --set steps=N");
    } else {
        const char *before = ": ";

        if (res->steps > 0) {
            buf_adds(&line, before);
            value_count(ceil(res->steps), &line);
            buf_adds(&line, " steps");
            before = ", ";
        }
        if (res->tokens > 0) {
            buf_adds(&line, before);
            if (res->tokens < 1e5)
                value_count(res->tokens, &line);
            else
                value_large(res->tokens, &line);
            buf_adds(&line, str_eq(res->rate_unit, STR("samples/s")) ? " samples" : " tokens");
            before = ", ";
        }
        if (res->epochs > 0 && res->epochs != 1) {
            buf_adds(&line, before);
            buf_adds(&line, num_about(res->epochs).text);
            buf_adds(&line, " epochs");
        }
    }
    estimate_line_end(view, "training", STYLE_PLAIN, &line);
    goodput_line(view, res);
    if (res->wall_hours > 1.01 * res->hours.value) {
        line = estimate_line_new(view);
        value_seconds(res->wall_hours * SECONDS_PER_HOUR, &line);
        buf_adds(&line, " with setup, moving data, evaluation and repeated work");
        estimate_line_end(view, "in all", STYLE_PLAIN, &line);
    }
}

static void estimate_training_section(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    buf_char(view->out, '\n');
    value_seconds_within(res->step_s.value, res->step_s.low, res->step_s.high, &line);
    buf_adds(&line, " a step: ");
    rate_into(&line, res);
    if (!isnan(res->mfu))
        buf_addf(&line, ", MFU %s", percent_text(res->mfu).text);
    estimate_line_end(view, "TIME", STYLE_BOLD, &line);
    print_estimate_parts(view, &res->step, value_seconds);
    training_line(view, res);
}

static void guess_line(const struct view *view, const char *label, struct guess s)
{
    struct buf line = estimate_line_new(view);

    if (isnan(s.value))
        return;
    value_seconds_within(s.value, s.low, s.high, &line);
    estimate_line_end(view, label, STYLE_PLAIN, &line);
}

static void write_quantile(struct buf *line, const char *name, double seconds)
{
    if (isnan(seconds))
        return;
    buf_addf(line, "%s%s ", line->len > 0 ? ", " : "", name);
    value_seconds(seconds, line);
}

static void latency_line(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    if (res->utilization >= 1)
        buf_adds(&line, "grows without end: more requests come than it can answer");
    write_quantile(&line, "p50", res->p50_s);
    write_quantile(&line, "p95", res->p95_s);
    write_quantile(&line, "p99", res->p99_s);
    write_quantile(&line, "first token p95", res->first_p95_s);
    write_quantile(&line, "per token p95", res->token_p95_s);
    estimate_line_end(view, "latency", STYLE_PLAIN, &line);
}

static void load_line(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    if (!isnan(res->replicas)) {
        value_count(res->replicas, &line);
        buf_adds(&line, res->replicas == 1 ? " replica" : " replicas");
    }
    if (res->utilization >= 1)
        buf_addf(&line, "%smore than it can do", line.len > 0 ? " needed: " : "");
    else if (!isnan(res->utilization))
        buf_addf(&line, "%s%ld %% busy", line.len > 0 ? ", " : "",
                 lround(100 * res->utilization));
    estimate_line_end(view, "load", STYLE_PLAIN, &line);
}

/* The most that memory leaves room for. */
static void largest_line(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    if (res->max_batch > 0) {
        buf_adds(&line, "a batch of ");
        value_count(res->max_batch, &line);
    }
    if (res->max_context > 0) {
        buf_adds(&line, line.len > 0 ? ", or one sequence of " : "one sequence of ");
        value_count(res->max_context, &line);
        buf_adds(&line, " tokens");
    }
    estimate_line_end(view, "holds", STYLE_PLAIN, &line);
}

static void estimate_serving_section(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    buf_char(view->out, '\n');
    rate_into(&line, res);
    if (res->micro_batch > 0)
        buf_addf(&line, " with a batch of %lld", (long long)res->micro_batch);
    estimate_line_end(view, "TIME", STYLE_BOLD, &line);
    print_estimate_parts(view, &res->step, value_seconds);
    largest_line(view, res);
    if (!isnan(res->decode_s.value)) /* otherwise it is the complete request */
        guess_line(view, "first token", res->prefill_s);
    guess_line(view, "decode step", res->decode_s);
    guess_line(view, "request", res->request_s);
    latency_line(view, res);
    load_line(view, res);
}

/* Energy, carbon and cost of an estimate, and what was assumed, as a person reads it. */

/* Serving has no end: its energy and carbon are those of an hour. */
static bool is_serving(const struct estimate *res)
{
    return res->kind == JOB_INFER;
}

/* In the largest unit that leaves more than ten of it: each is a thousand of the one before. */
static void write_in(struct guess g, const char *const *units, const char *after,
                     struct buf *out)
{
    char unit[32];

    while (g.value >= 1e4 && units[1] != NULL) {
        g = (struct guess){g.value / 1000, g.low / 1000, g.high / 1000};
        units++;
    }
    (void)snprintf(unit, sizeof unit, "%s%s", units[0], after);
    value_within(g.value, g.low, g.high, unit, out);
}

#define SHOWN_EQUIVALENTS 3 /* car, phone, trees; --json has all */

static void carbon_line(const struct view *view, const struct estimate *res)
{
    static const char *const units[] = {"kg", "t", "kt", NULL};
    struct buf line = estimate_line_new(view);

    write_in(res->carbon_kg, units, is_serving(res) ? " CO2e an hour" : " CO2e", &line);
    if (isnan(res->carbon_kg.value)) {
        buf_adds(&line, ": the region's power is not known");
    } else {
        buf_adds(&line, " at ");
        value_number(res->carbon_g_kwh, &line);
        buf_adds(&line, " g/kWh");
        if (res->region.len > 0 && !str_eq(res->region, STR("*"))) {
            buf_adds(&line, " in ");
            buf_add(&line, res->region);
        }
    }
    estimate_line_end(view, "carbon", STYLE_PLAIN, &line);
    for (size_t i = 0; i < res->equivalents.len && i < SHOWN_EQUIVALENTS; i++) {
        line = estimate_line_new(view);
        buf_adds(&line, "as much as ");
        buf_add(&line, res->equivalents.at[i]);
        estimate_line_end(view, "", STYLE_PLAIN, &line);
    }
    if (res->offset_low.nano >= 10 * 1000 * 1000) { /* a cent */
        line = estimate_line_new(view);
        usd_write_estimate(res->offset_low, &line);
        buf_addf(&line, " to avoid as much elsewhere ($%.2f a tonne), ", res->offset_low_usd_t);
        usd_write_estimate(res->offset_high, &line);
        buf_addf(&line, " to remove it from the air permanently ($%.0f a tonne)",
                 res->offset_high_usd_t);
        estimate_line_end(view, "offset", STYLE_PLAIN, &line);
    }
}

/* The sections, in their order. Each is left out when it has nothing to say. */
static void estimate_energy_section(const struct view *view, const struct estimate *res)
{
    static const char *const units[] = {"kWh", "MWh", "GWh", NULL};
    struct buf line = estimate_line_new(view);

    buf_char(view->out, '\n');
    if (isnan(res->watts)) {
        buf_adds(&line, "? the power of the board is not known");
        estimate_line_end(view, "ENERGY", STYLE_BOLD, &line);
        return;
    }
    value_number(res->watts, &line);
    buf_adds(&line, res->nodes > 1 ? " W for each machine" : " W at the wall");
    if (!isnan(res->energy_kwh.value)) {
        buf_adds(&line, ": ");
        write_in(res->energy_kwh, units, is_serving(res) ? " an hour" : "", &line);
        if (!isnan(res->pue)) {
            buf_adds(&line, " with PUE ");
            value_number(res->pue, &line);
        }
    }
    estimate_line_end(view, "ENERGY", STYLE_BOLD, &line);
    if (!isnan(res->energy_kwh.value))
        carbon_line(view, res);
}

static void money_range(struct guess dollars, struct buf *out)
{
    usd_write_estimate(usd_from(dollars.value), out);
    if (!(dollars.low < dollars.high)) /* also when they are unknown */
        return;
    buf_adds(out, " (");
    usd_write_estimate(usd_from(dollars.low), out);
    buf_adds(out, " to ");
    usd_write_estimate(usd_from(dollars.high), out);
    buf_char(out, ')');
}

static void offer_line(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    buf_add(&line, res->offer.len > 0 ? res->offer : STR("at the price given"));
    buf_adds(&line, ", ");
    if (res->machines > 1)
        buf_addf(&line, "%lldx ", (long long)res->machines);
    usd_per_hour_write(res->price, &line);
    if (res->market.len > 0) {
        buf_char(&line, ' ');
        buf_add(&line, res->market);
    }
    if (res->price_date.n != DAY_UNKNOWN.n) {
        buf_adds(&line, ", price from ");
        day_write(res->price_date, &line);
        if (res->price_age_days >= 0)
            buf_addf(&line, " (%lld day%s old)", (long long)res->price_age_days,
                     res->price_age_days == 1 ? "" : "s");
    }
    if (res->price_low.nano < res->price_high.nano) {
        buf_adds(&line, ", now ");
        usd_per_hour_write(res->price_low, &line);
        buf_adds(&line, " to ");
        usd_per_hour_write(res->price_high, &line);
    } else if (res->price_age_days > 7) {
        value_unchanged(res->price_unchanged, &line);
    }
    estimate_line_end(view, "offer", STYLE_PLAIN, &line);
}

static void cost_lines(const struct view *view, const struct rows *rows)
{
    const struct estimate_line *lines = rows->at;

    for (size_t i = 0; i < rows->len; i++) {
        struct buf amount = buf_new(view->arena->alloc, 64);

        if (lines[i].amount.nano == 0) /* a phase that this job does not have */
            continue;
        usd_write_estimate(lines[i].amount, &amount);
        buf_addf(view->out, "  %-*.*s %9.*s\n", LEFT, STR_ARG(lines[i].name), (int)amount.len,
                 buf_text(&amount).at);
        buf_free_part(&amount, view->out);
    }
}

/* "$0.41 ($0.32 to $0.52) for a million output tokens" */
static void output_line(const struct view *view, const char *label, const char *what,
                        struct guess dollars)
{
    struct buf line = estimate_line_new(view);

    money_range(dollars, &line);
    buf_addf(&line, " for %s", what);
    estimate_line_end(view, label, label[0] != '\0' ? STYLE_BOLD : STYLE_PLAIN, &line);
}

static void serving_cost(const struct view *view, const struct estimate *res)
{
    bool tokens = !isnan(res->usd_per_million_tokens.value);

    if (tokens)
        output_line(view, "COST", "a million output tokens, input included",
                    res->usd_per_million_tokens);
    output_line(view, tokens ? "" : "COST", "1,000 predictions", res->usd_per_thousand);
}

static void training_cost(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    money_range((struct guess){usd_double(res->total), usd_double(res->total_low),
                               usd_double(res->total_high)},
                &line);
    if (isnan(res->hours.value))
        buf_adds(&line, ": the time is not known; add --tokens");
    estimate_line_end(view, "COST", STYLE_BOLD, &line);
    if (res->total.nano != MONEY_UNKNOWN)
        cost_lines(view, &res->cost);
}

static void estimate_cost_section(const struct view *view, const struct estimate *res)
{
    buf_char(view->out, '\n');
    if (res->price.nano == MONEY_UNKNOWN) {
        struct buf line = estimate_line_new(view);

        buf_adds(&line, "? no price of ");
        value_times((double)res->gpus, res->accelerator, &line);
        buf_adds(&line, " is known: --price 20usd/hr sets one");
        estimate_line_end(view, "COST", STYLE_BOLD, &line);
        return;
    }
    if (is_serving(res))
        serving_cost(view, res);
    else
        training_cost(view, res);
    offer_line(view, res);
}

static void estimate_notes(const struct view *view, const struct estimate *res)
{
    const struct str label = STR("note: ");

    if (res->notes.len > 0)
        buf_char(view->out, '\n');
    for (size_t i = 0; i < res->notes.len; i++) {
        buf_add(view->out, label);
        view_wrap(res->notes.at[i], label.len, label.len, view->out);
        buf_char(view->out, '\n');
    }
}

/* ---- a sweep, formulas, and the command ---- */

static bool write_fits(const struct column *column, const void *row, struct buf *out)
{
    const struct estimate_sweep_row *s = row;

    (void)column;
    buf_adds(out, s->fits ? "yes" : s->tight ? "maybe" : "NO");
    return true;
}

static bool write_setting(const struct column *column, const void *row, struct buf *out)
{
    const struct estimate_sweep_row *s = row;

    (void)column;
    if (s->fits || s->reason.len == 0)
        return false;
    buf_add(out, s->reason);
    return true;
}

static enum term_style style_of_variant(const void *row)
{
    return ((const struct estimate_sweep_row *)row)->fits ? STYLE_PLAIN : STYLE_WARN;
}

/* A title that only the result knows. */
static const char *title_or(const struct view *view, struct str text, const char *otherwise)
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

static bool offers_differ(const struct estimate *res)
{
    const struct estimate_sweep_row *rows = res->sweep.at;

    for (size_t i = 0; i < res->sweep.len; i++)
        if (!str_eq(rows[i].offer, res->offer))
            return true;
    return false;
}

static void print_sweep(const struct view *view, const struct estimate *res)
{
    const struct column columns[] = {
        COLUMN(title_or(view, res->sweep_key, "value"), value, .side = COLUMN_RIGHT),
        COLUMN_CELL("fits", write_fits),
        COLUMN("GB", memory_gb, .form = COLUMN_FIGURES, .unknown = "?"),
        COLUMN("step", step_s, .form = COLUMN_LENGTH, .unknown = "?"),
        COLUMN(title_or(view, res->rate_unit, "tokens/s"), rate, .form = COLUMN_FIGURES,
               .unknown = "?"),
        COLUMN("hours", hours, .form = COLUMN_FIGURES, .unknown = "?",
               .hidden = !any_known(res, false)),
        COLUMN("cost", cost, .form = COLUMN_ESTIMATE, .hidden = !any_known(res, true)),
        COLUMN("offer", offer, .hidden = !offers_differ(res)),
        COLUMN("with", setting, .cell = write_setting, .shrink = true, .unknown = ""),
    };

    buf_char(view->out, '\n');
    view_rows(view, &op_estimate, res, "sweep", COLUMNS(columns, .style = style_of_variant));
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
        value_large(f->value, &value);
    else
        value_number(f->value, &value);
    buf_addf(&value, "%s%.*s", f->unit.len > 0 ? " " : "", STR_ARG(f->unit));
    buf_pad(view->out, ' ', left);
    buf_adds(view->out, "= ");
    buf_add_safe(view->out, buf_text(&value));
    buf_char(view->out, '\n');
    buf_free_part(&value, view->out);
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

static void print_job_estimate(const struct view *view, const void *result)
{
    const struct estimate *res = result;

    if (res->sweep.len > 0) { /* what was assumed for one row is not so for the next */
        estimate_sweep_head(view, res);
        print_sweep(view, res);
        view_not_used(view, &res->not_used);
        return;
    }
    estimate_head(view, res);
    estimate_memory_section(view, res);
    if (res->kind == JOB_INFER)
        estimate_serving_section(view, res);
    else
        estimate_training_section(view, res);
    estimate_energy_section(view, res);
    estimate_cost_section(view, res);
    print_formulas(view, res);
    estimate_notes(view, res);
    view_not_used(view, &res->not_used);
}

const struct command cmd_estimate = {
    .name = "estimate",
    .op = &op_estimate,
    .group = {"memory, time, energy and cost of a job on given hardware", CLI_BEFORE,
              .first = true},
    .about = "Estimates the needs and the cost of a job on given hardware: memory of the "
             "fullest GPU, time, energy, carbon and money, each with the range that contains 8 "
             "of 10 measured values. JOB is a file, or just a model with options. Unspecified "
             "settings are printed with the values they get: usual precision and software; the "
             "simplest parallelism, sharding, recomputation and micro-batch within 3 % of the "
             "fastest, as in plans. --sweep tries the values of one key and keeps the rest; "
             "--explain shows each formula with its numbers.",
    .examples = "stint estimate examples/llama-7b-lora.yaml --on H100x8\n"
                "stint estimate llama-3-8b --method lora --tokens 25M --on 4090\n"
                "stint estimate llama-2-7b --on A100x8 --sweep zero=0..3\n"
                "stint estimate llama-3-8b --serve --on H100\n"
                "stint estimate llama-2-7b --on A100x8 --explain",
    .print = print_job_estimate,
};
