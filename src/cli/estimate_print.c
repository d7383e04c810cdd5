/* What is estimated, its memory and its time, as a person reads it. */
#include "cli/estimate_print.h"

#include <math.h>

#include "base/num.h"

#define BAR 40 /* columns for the whole */
#define SECONDS_PER_HOUR 3600.0

/* "x" or, when something stands before it, ", x". */
static void item(struct buf *line, const char *before, struct str text)
{
    if (text.len == 0)
        return;
    buf_adds(line, line->len > 0 ? ", " : "");
    buf_adds(line, before);
    buf_add(line, text);
}

static void degree(struct buf *line, bool *first, const char *name, int64_t n, int64_t above)
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
        large_write(res->params, &line);
        buf_adds(&line, " parameters");
    }
    if (res->active_params < res->params) {
        buf_adds(&line, ", ");
        large_write(res->active_params, &line);
        buf_adds(&line, " active");
    }
    if (res->assumed)
        buf_adds(&line, " (shape assumed)");
    if (res->method.len > 0) {
        buf_adds(&line, ", ");
        buf_add(&line, res->method);
        if (res->trained_params < res->params) {
            buf_adds(&line, " trains ");
            large_write(res->trained_params, &line);
        }
    }
    estimate_line_end(view, str_eq(res->kind, STR("infer")) ? "serve" : "train", STYLE_BOLD,
                      &line);
}

/* `whole`: with what a sweep may change. */
static void setting_line(const struct view *view, const struct estimate *res, bool whole)
{
    struct buf line = estimate_line_new(view);

    item(&line, "", res->precision);
    item(&line, "", res->optimizer);
    item(&line, "", res->framework);
    if (whole)
        item(&line, "recompute ", res->recompute);
    if (whole && !str_eq(res->offload, STR("none")))
        item(&line, "offload ", res->offload);
    if (!whole && res->sequence > 1)
        buf_addf(&line, ", sequences of %lld tokens", (long long)res->sequence);
    if (line.len == 0)
        buf_char(&line, '?');
    estimate_line_end(view, "with", STYLE_PLAIN, &line);
}

static void degrees(struct buf *line, const struct estimate *res)
{
    bool first = true;

    degree(line, &first, "data", res->data, 1);
    degree(line, &first, "tensor", res->tensor, 1);
    degree(line, &first, "pipeline", res->pipeline, 1);
    degree(line, &first, "context", res->context, 1);
    degree(line, &first, "expert", res->expert, 1);
    degree(line, &first, "ZeRO", res->zero, 0);
}

static void hardware_line(const struct view *view, const struct estimate *res,
                          bool whole)
{
    struct buf line = estimate_line_new(view);

    if (res->gpus > 1)
        buf_addf(&line, "%lld x ", (long long)res->gpus);
    buf_add(&line, res->accelerator);
    if (res->nodes > 1)
        buf_addf(&line, " in %lld machines", (long long)res->nodes);
    if (whole)
        degrees(&line, res);
    estimate_line_end(view, "on", STYLE_PLAIN, &line);
}

static void batch_line(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    count_write(res->global_batch, &line);
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

void estimate_head(const struct view *view, const struct estimate *res)
{
    bool known = res->model.len > 0;

    model_line(view, res);
    if (known)
        setting_line(view, res, true);
    hardware_line(view, res, true);
    if (known && !isnan(res->global_batch))
        batch_line(view, res);
}

void estimate_sweep_head(const struct view *view, const struct estimate *res)
{
    if (res->model.len == 0) /* the job as it stands is impossible; the rows say more */
        return;
    model_line(view, res);
    setting_line(view, res, false);
    hardware_line(view, res, !str_eq(res->kind, STR("train")));
}

/* "  weights            13.5 GB   29 %  ###########" for each part that there is. */
static void parts(const struct view *view, const struct rows *rows,
                  void (*write)(double amount, struct buf *out))
{
    const struct estimate_part *part = rows->at;

    for (size_t i = 0; i < rows->len; i++) {
        struct buf amount = buf_new(view->arena->alloc, 64);
        double share = fmin(1, fmax(0, part[i].share));

        if (!(part[i].amount > 0)) {
            buf_free(&amount);
            continue;
        }
        write(part[i].amount, &amount);
        buf_addf(view->out, "  %-*.*s %9.*s %4ld %%", ESTIMATE_LEFT, STR_ARG(part[i].name),
                 (int)amount.len, buf_text(&amount).at, lround(100 * share));
        if (lround(share * BAR) > 0)
            buf_adds(view->out, "  ");
        buf_pad(view->out, '#', (size_t)lround(share * BAR));
        buf_char(view->out, '\n');
        if (amount.failed != ERROR_NONE)
            view->out->failed = amount.failed;
        buf_free(&amount);
    }
}

static void gigabytes(double gb, struct buf *out)
{
    number_write(gb, out);
    buf_adds(out, " GB");
}

void estimate_memory_section(const struct view *view, const struct estimate *res)
{
    struct guess total = {res->memory_gb, res->memory_low_gb, res->memory_high_gb};
    struct buf line = estimate_line_new(view);

    if (isnan(res->memory_gb)) { /* work that is known by its speed alone */
        buf_adds(&line, "? not known for a model that is given by its speed");
        estimate_line_end(view, "MEMORY", STYLE_BOLD, &line);
        return;
    }
    buf_adds(&line, !res->fits                             ? "DOES NOT FIT: "
                    : res->memory_high_gb > res->usable_gb ? "probably fits: "
                                                           : "fits: ");
    range_write(total, "GB", &line);
    buf_adds(&line, " of ");
    number_write(res->usable_gb, &line);
    buf_adds(&line, res->gpus > 1 ? " GB usable on each GPU" : " GB usable");
    buf_char(view->out, '\n');
    estimate_line_end(view, "MEMORY", res->fits ? STYLE_GOOD : STYLE_WARN, &line);
    parts(view, &res->memory, gigabytes);
    if (res->host_gb > 0) {
        line = estimate_line_new(view);
        number_write(res->host_gb, &line);
        buf_adds(&line, " GB of the machine's memory");
        if (!isnan(res->host_usable_gb)) {
            buf_adds(&line, ", which has ");
            number_write(res->host_usable_gb, &line);
            buf_adds(&line, " GB");
        }
        estimate_line_end(view, "offloaded", STYLE_PLAIN, &line);
    }
}

static void rate_into(struct buf *line, const struct estimate *res)
{
    number_write(res->rate.value, line);
    buf_char(line, ' ');
    buf_add(line, res->rate_unit.len > 0 ? res->rate_unit : STR("tokens/s"));
}

static void training_line(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);
    struct guess s = {res->hours.value * SECONDS_PER_HOUR, res->hours.low * SECONDS_PER_HOUR,
                      res->hours.high * SECONDS_PER_HOUR};

    seconds_range_write(s, &line);
    if (isnan(res->hours.value)) {
        buf_adds(&line, " how much data? say --tokens, --examples or --set steps=N");
    } else {
        const char *before = ": ";

        if (res->steps > 0) {
            buf_adds(&line, before);
            count_write(ceil(res->steps), &line);
            buf_adds(&line, " steps");
            before = ", ";
        }
        if (res->tokens > 0) {
            buf_adds(&line, before);
            if (res->tokens < 1e5)
                count_write(res->tokens, &line);
            else
                large_write(res->tokens, &line);
            buf_adds(&line, str_eq(res->rate_unit, STR("samples/s")) ? " samples" : " tokens");
            before = ", ";
        }
        if (res->epochs > 0 && res->epochs != 1) {
            buf_adds(&line, before);
            buf_addf(&line, "%.3g", res->epochs);
            buf_adds(&line, " epochs");
        }
    }
    estimate_line_end(view, "training", STYLE_PLAIN, &line);
    if (res->wall_hours > 1.01 * res->hours.value) {
        line = estimate_line_new(view);
        seconds_write(res->wall_hours * SECONDS_PER_HOUR, &line);
        buf_adds(&line, " with set-up, moving data, evaluation and what is done again");
        estimate_line_end(view, "in all", STYLE_PLAIN, &line);
    }
}

void estimate_training_section(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    buf_char(view->out, '\n');
    seconds_range_write(res->step_s, &line);
    buf_adds(&line, " a step: ");
    rate_into(&line, res);
    if (!isnan(res->mfu))
        buf_addf(&line, ", MFU %.1f %%", 100 * res->mfu);
    estimate_line_end(view, "TIME", STYLE_BOLD, &line);
    parts(view, &res->step, seconds_write);
    training_line(view, res);
}

static void guess_line(const struct view *view, const char *label, struct guess s)
{
    struct buf line = estimate_line_new(view);

    if (isnan(s.value)) {
        buf_free(&line);
        return;
    }
    seconds_range_write(s, &line);
    estimate_line_end(view, label, STYLE_PLAIN, &line);
}

static void quantile(struct buf *line, const char *name, double seconds)
{
    if (isnan(seconds))
        return;
    buf_addf(line, "%s%s ", line->len > 0 ? ", " : "", name);
    seconds_write(seconds, line);
}

static void latency_line(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    if (res->utilisation >= 1)
        buf_adds(&line, "grows without end: more requests come than it can answer");
    quantile(&line, "p50", res->p50_s);
    quantile(&line, "p95", res->p95_s);
    quantile(&line, "p99", res->p99_s);
    quantile(&line, "first token p95", res->first_p95_s);
    if (line.len > 0)
        estimate_line_end(view, "latency", STYLE_PLAIN, &line);
    else
        buf_free(&line);
}

static void load_line(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    if (!isnan(res->replicas)) {
        count_write(res->replicas, &line);
        buf_adds(&line, res->replicas == 1 ? " replica" : " replicas");
    }
    if (res->utilisation >= 1)
        buf_addf(&line, "%smore than it can do", line.len > 0 ? " needed: " : "");
    else if (!isnan(res->utilisation))
        buf_addf(&line, "%s%ld %% busy", line.len > 0 ? ", " : "",
                 lround(100 * res->utilisation));
    if (line.len > 0)
        estimate_line_end(view, "load", STYLE_PLAIN, &line);
    else
        buf_free(&line);
}

/* The most that memory leaves room for. */
static void largest_line(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    if (res->max_batch > 0) {
        buf_adds(&line, "a batch of ");
        count_write(res->max_batch, &line);
    }
    if (res->max_context > 0) {
        buf_adds(&line, line.len > 0 ? ", or one sequence of " : "one sequence of ");
        count_write(res->max_context, &line);
        buf_adds(&line, " tokens");
    }
    if (line.len > 0)
        estimate_line_end(view, "holds", STYLE_PLAIN, &line);
    else
        buf_free(&line);
}

void estimate_serving_section(const struct view *view, const struct estimate *res)
{
    struct buf line = estimate_line_new(view);

    buf_char(view->out, '\n');
    rate_into(&line, res);
    if (res->micro_batch > 0)
        buf_addf(&line, " with a batch of %lld", (long long)res->micro_batch);
    estimate_line_end(view, "TIME", STYLE_BOLD, &line);
    parts(view, &res->step, seconds_write);
    largest_line(view, res);
    if (!isnan(res->decode_s.value)) /* otherwise it is the whole request */
        guess_line(view, "first token", res->prefill_s);
    guess_line(view, "decode step", res->decode_s);
    guess_line(view, "request", res->request_s);
    latency_line(view, res);
    load_line(view, res);
}
