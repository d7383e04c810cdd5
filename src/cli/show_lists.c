#include "cli/show_lists.h"

#include <math.h>

#include "base/num.h"
#include "cli/estimate_print.h"
#include "cli/runs_view.h"
#include "unit/size.h"

#define PICTURE_COLUMNS 60
#define METRIC_COLUMNS 16

static void put_bytes(double n, struct buf *out)
{
    bytes_write(bytes_from(n), out);
}

static void use_gpu(const struct view *view, const struct show_result *res)
{
    const struct run_view *run = &res->run;

    if (run->gpus <= 0 && run->gpu.len == 0) /* none, or nobody knows */
        return;
    view_label(view, "GPU");
    if (run->gpus >= 0)
        buf_addf(view->out, "%lldx ", (long long)run->gpus);
    buf_add_safe(view->out, run->gpu.len > 0 ? run->gpu : STR("?"));
    if (!isnan(run->gpu_busy))
        buf_addf(view->out, ", busy %.0f %% of the time", run->gpu_busy * 100);
    if (view_shares_device(res->gpu_memory_peak, res->gpu_memory_run)) {
        view_device_memory(view->out, res->gpu_memory_peak, res->gpu_memory_total,
                           res->gpu_memory_run);
    } else if (!isnan(res->gpu_memory_peak)) {
        buf_adds(view->out, ", at most ");
        put_bytes(res->gpu_memory_peak, view->out);
        buf_adds(view->out, " of ");
        put_bytes(res->gpu_memory_total, view->out);
    }
    buf_char(view->out, '\n');
}

static void use_machine(const struct view *view, const struct show_result *res)
{
    if (!isnan(res->cpu_cores)) {
        view_label(view, "processor");
        number_write(res->cpu_cores, view->out);
        buf_adds(view->out, " cores busy in the mean\n");
    }
    if (!isnan(res->memory_peak)) {
        view_label(view, "memory");
        buf_adds(view->out, "at most ");
        put_bytes(res->memory_peak, view->out);
        buf_char(view->out, '\n');
    }
    if (!isnan(res->read) || !isnan(res->written)) {
        view_label(view, "storage");
        put_bytes(res->read, view->out);
        buf_adds(view->out, " read, ");
        put_bytes(res->written, view->out);
        buf_adds(view->out, " written\n");
    }
    if (!isnan(res->received) || !isnan(res->sent)) {
        view_label(view, "network");
        put_bytes(res->received, view->out);
        buf_adds(view->out, " received, ");
        put_bytes(res->sent, view->out);
        buf_adds(view->out, " sent, by the whole machine\n");
    }
}

void show_use(const struct view *view, const struct show_result *res)
{
    const struct run_view *run = &res->run;

    use_gpu(view, res);
    use_machine(view, res);
    if (!isnan(run->score)) {
        view_label(view, "score");
        buf_addf(view->out, "%.0f of 100", run->score);
        if (!isnan(res->seed_score))
            buf_addf(view->out, "; %.0f by utilisation and memory alone", res->seed_score);
        buf_char(view->out, '\n');
    }
    if (!isnan(run->step)) {
        view_label(view, "progress");
        buf_adds(view->out, "step ");
        count_write(run->step, view->out);
        if (!isnan(run->steps)) {
            buf_adds(view->out, " of ");
            count_write(run->steps, view->out);
        }
        buf_char(view->out, '\n');
    }
    if (!isnan(run->loss) || !isnan(run->best)) {
        view_label(view, "metric");
        runs_metric(run->loss, view->out);
        buf_adds(view->out, " at last, ");
        runs_metric(run->best, view->out);
        buf_adds(view->out, " at its best\n");
    }
}

/* One line of bars with what the least and the most are. */
static void picture(const struct view *view, const struct rows *list, size_t offset,
                    const char *label, void (*put)(double value, struct buf *out), bool utf8)
{
    const struct show_sample *samples = list->at;
    double low = NAN, high = NAN;
    double *values;
    struct error ignored = {0};

    values = arena_array(view->arena, double, list->len, &ignored);
    if (values == NULL) {
        view->out->failed = ERROR_MEMORY;
        return;
    }
    for (size_t i = 0; i < list->len; i++) {
        const void *sample = &samples[i].sample;

        values[i] = *(const double *)(const void *)((const unsigned char *)sample + offset);
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    if (!(high > low)) /* nothing is known, or it never moved */
        return;
    view_label(view, label);
    runs_bars(values, list->len, PICTURE_COLUMNS, utf8, view->out);
    buf_adds(view->out, "  ");
    put(low, view->out);
    buf_adds(view->out, " to ");
    put(high, view->out);
    buf_char(view->out, '\n');
}

static void put_percent(double value, struct buf *out)
{
    buf_addf(out, "%.0f %%", value * 100);
}

static void put_watts(double value, struct buf *out)
{
    watt_write((watt){value}, out);
}

static void put_cores(double value, struct buf *out)
{
    number_write(value, out);
    buf_adds(out, " cores");
}

static void put_rate(double value, struct buf *out)
{
    number_write(value, out);
    buf_adds(out, " steps/s");
}

void show_pictures(const struct view *view, const struct show_result *res, bool utf8)
{
#define OF(member) offsetof(struct ledger_sample, member)
    const struct rows *samples = &res->samples;
    size_t before;

    if (samples->len < 2)
        return;
    buf_char(view->out, '\n');
    before = view->out->len;
    picture(view, samples, OF(gpu_busy), "GPU busy", put_percent, utf8);
    picture(view, samples, OF(cpu_cores), "processor", put_cores, utf8);
    picture(view, samples, OF(watts), "power", put_watts, utf8);
    picture(view, samples, OF(rate), "speed", put_rate, utf8);
    picture(view, samples, OF(loss), "metric", runs_metric, utf8);
    if (view->out->len == before && before > 0) /* nothing moved: no empty line either */
        view->out->len--;
#undef OF
}

static void when_cell(struct table *t, struct str at)
{
    struct buf text = buf_new(t->arena->alloc, 64);

    runs_when(at, true, &text);
    runs_cell(t, &text);
}

static void span_cell(struct table *t, span s)
{
    struct buf text = buf_new(t->arena->alloc, 64);

    runs_span(s, &text);
    runs_cell(t, &text);
}

/* A cell that `put` writes; "-" when the value is not known. */
static void cell(struct table *t, double n, void (*put)(double value, struct buf *out))
{
    struct buf text = buf_new(t->arena->alloc, 64);

    if (!isnan(n))
        put(n, &text);
    runs_cell(t, &text);
}

/* A value, and the step it was at. */
static void value_cell(struct table *t, double value, double step)
{
    struct buf text = buf_new(t->arena->alloc, 128);

    if (!isnan(value)) {
        runs_metric(value, &text);
        if (!isnan(step)) {
            buf_adds(&text, " at ");
            count_write(step, &text);
        }
    }
    runs_cell(t, &text);
}

void show_metrics(const struct view *view, const struct show_result *res, bool utf8)
{
    static const struct table_column columns[] = {
        {.title = "metric"},
        {.title = "values", .right = true, .optional = true},
        {.title = "first", .right = true, .optional = true},
        {.title = "last", .right = true},
        {.title = "lowest, at step", .right = true},
        {.title = "highest, at step", .right = true},
        {.title = "over time", .optional = true},
    };
    const struct show_metric *rows = res->metrics.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    if (res->metrics.len == 0)
        return;
    for (size_t i = 0; i < res->metrics.len; i++) {
        struct buf bars = buf_new(view->arena->alloc, 512);

        if (res->attempts.len > 1)
            table_cell(&t, "%.*s (attempt %lld)", STR_ARG(rows[i].name),
                       (long long)rows[i].attempt);
        else
            table_text(&t, rows[i].name);
        view_count(&t, rows[i].values);
        cell(&t, rows[i].first, runs_metric);
        cell(&t, rows[i].last, runs_metric);
        value_cell(&t, rows[i].low, rows[i].low_step);
        value_cell(&t, rows[i].high, rows[i].high_step);
        if (rows[i].points.len > 1 && rows[i].high > rows[i].low)
            runs_bars(rows[i].points.at, rows[i].points.len, METRIC_COLUMNS, utf8, &bars);
        runs_cell(&t, &bars);
    }
    buf_char(view->out, '\n');
    table_write(&t, &view->term, view->out);
}

void show_attempts(const struct view *view, const struct show_result *res)
{
    static const struct table_column columns[] = {
        {.title = "attempt", .right = true},
        {.title = "started (UTC)"},
        {.title = "took", .right = true},
        {.title = "cost", .right = true},
        {.title = "state"},
        {.title = "step", .right = true, .optional = true},
        {.title = "work lost before", .right = true, .optional = true},
        {.title = "where", .shrink = true, .optional = true},
    };
    const struct show_attempt *rows = res->attempts.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    if (res->attempts.len < 2)
        return;
    for (size_t i = 0; i < res->attempts.len; i++) {
        view_count(&t, rows[i].number);
        when_cell(&t, rows[i].started);
        span_cell(&t, rows[i].took);
        runs_dollars(&t, rows[i].cost);
        table_text(&t, rows[i].state);
        cell(&t, rows[i].step, count_write);
        cell(&t, rows[i].lost_s, seconds_write);
        table_text(&t, rows[i].host.len > 0 ? rows[i].host : STR("-"));
    }
    buf_char(view->out, '\n');
    table_write(&t, &view->term, view->out);
}

/* Only when the price changed: the first is said above. */
void show_prices(const struct view *view, const struct show_result *res)
{
    static const struct table_column columns[] = {
        {.title = "price from (UTC)"},
        {.title = "an hour", .right = true},
        {.title = "offer", .shrink = true},
        {.title = "source", .shrink = true, .optional = true},
    };
    const struct show_price *rows = res->prices.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);
    bool moved = false;

    for (size_t i = 1; i < res->prices.len; i++)
        moved |=
            rows[i].price.nano != rows[0].price.nano || !str_eq(rows[i].offer, rows[0].offer);
    if (!moved)
        return;
    for (size_t i = 0; i < res->prices.len; i++) {
        when_cell(&t, rows[i].from);
        view_rate(&t, rows[i].price);
        table_text(&t, rows[i].offer.len > 0 ? rows[i].offer : STR("-"));
        table_text(&t, rows[i].source.len > 0 ? rows[i].source : STR("-"));
    }
    buf_char(view->out, '\n');
    table_write(&t, &view->term, view->out);
}

#define EVENTS_SHOWN 40 /* the first and the last of them */

/* "...; 2979 before it left out" */
static void event_text(struct table *t, const struct show_event *event)
{
    if (event->left_out > 0)
        table_cell(t, "%.*s%s%lld before it left out", STR_ARG(event->text),
                   event->text.len > 0 ? "; " : "", (long long)event->left_out);
    else
        table_text(t, event->text);
}

void show_events(const struct view *view, const struct show_result *res)
{
    static const struct table_column columns[] = {
        {.title = "at (UTC)"},
        {.title = "attempt", .right = true, .optional = true},
        {.title = "event"},
        {.title = "about", .shrink = true},
    };
    const struct show_event *rows = res->events.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    size_t count = res->events.len, ends = EVENTS_SHOWN / 2;

    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        if (count > EVENTS_SHOWN && i >= ends && i < count - ends)
            continue;
        when_cell(&t, rows[i].at);
        view_count(&t, rows[i].attempt);
        table_text(&t, rows[i].kind);
        event_text(&t, &rows[i]);
    }
    buf_char(view->out, '\n');
    table_write(&t, &view->term, view->out);
    if (count > EVENTS_SHOWN)
        buf_addf(view->out, "%zu more events are left out here; --json lists them\n",
                 count - 2 * ends);
}

/* Dates of files are a few milliseconds coarse. */
static void put_took(double value, struct buf *out)
{
    if (value < 0.01)
        buf_adds(out, "<10 ms");
    else
        seconds_write(value, out);
}

void show_checkpoints(const struct view *view, const struct show_result *res)
{
    static const struct table_column columns[] = {
        {.title = "checkpoint", .shrink = true},
        {.title = "at (UTC)"},
        {.title = "step", .right = true},
        {.title = "size", .right = true, .optional = true},
        {.title = "took", .right = true, .optional = true},
        {.title = "metric", .right = true},
        {.title = "cost by then", .right = true},
        {.title = "now"},
    };
    const struct show_checkpoint *rows = res->checkpoints.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    if (res->checkpoints.len == 0)
        return;
    for (size_t i = 0; i < res->checkpoints.len; i++) {
        table_text(&t, rows[i].path);
        when_cell(&t, rows[i].at);
        cell(&t, rows[i].step, count_write);
        cell(&t, rows[i].bytes, put_bytes);
        cell(&t, rows[i].took_s, put_took);
        cell(&t, rows[i].metric, runs_metric);
        runs_dollars(&t, rows[i].cost);
        table_cell(&t, "%s%s", rows[i].kept ? "kept" : "removed", rows[i].best ? ", best" : "");
    }
    buf_char(view->out, '\n');
    table_write(&t, &view->term, view->out);
}
