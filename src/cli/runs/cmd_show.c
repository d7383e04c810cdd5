/* stint show */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/runs/device_view.h"
#include "cli/runs_view.h"
#include "op/runs/show.h"
#include "report/records.h"
#include "unit/shown.h"
#include "unit/size.h"

#define VIEW_LEFT 16 /* as view_label() */
#define PICTURE_COLUMNS 60
#define METRIC_COLUMNS 16

static void print_show_text(const struct view *view, const char *label, struct str text)
{
    if (text.len == 0)
        return;
    view_label(view, label);
    view_wrap(text, VIEW_LEFT, VIEW_LEFT, view->out);
    buf_char(view->out, '\n');
}

static void put_show_dollars(const struct view *view, usd amount)
{
    value_dollars(usd_double(amount), view->out);
}

static void texts_line(const struct view *view, const char *label, const struct strs *list)
{
    for (size_t i = 0; i < list->len; i++)
        print_show_text(view, i == 0 ? label : "", list->at[i]);
}

/* ---- what it is, what it cost ---- */

/* "?" when unknown. */
static void write_span(span s, struct buf *out)
{
    if (s.ns < 0)
        buf_char(out, '?');
    else
        span_write(s, out);
}

/* Its state, from when to when. */
static void print_show_head(const struct view *view, const struct show_result *res)
{
    const struct ledger_run *run = &res->run;
    const struct ledger_start *start = &run->start;
    struct buf why = buf_new(view->arena->alloc, 512);

    print_show_text(view, "run", str_from(start->id));
    print_show_text(view, "name", start->name);
    view_label(view, "state");
    buf_adds(view->out, ledger_state_word(run->state, run->reason));
    run_write_why(run, &why);
    if (why.len > 0) {
        buf_adds(view->out, " (");
        buf_add(view->out, buf_text(&why));
        buf_char(view->out, ')');
    }
    buf_free_part(&why, view->out);
    if (run->state == RUN_LOST) {
        buf_adds(view->out, ": its supervisor is gone; last update ");
        value_time(run->heard, true, view->out);
    }
    buf_char(view->out, '\n');
    view_label(view, "started");
    value_time(start->started, true, view->out);
    buf_adds(view->out, " UTC, took ");
    write_span(run->totals.elapsed, view->out);
    buf_char(view->out, '\n');
    print_show_text(view, "command", start->command);
    print_show_text(view, "folder", start->folder);
    print_show_text(view, "commit", start->commit);
    if (str_eq(start->origin, STR("added"))) {
        view_label(view, "added by hand");
        buf_adds(view->out, "by ");
        buf_add_safe(view->out, start->user.len > 0 ? start->user : STR("?"));
        buf_adds(view->out, ": not run under 'stint run', so nothing was metered\n");
    } else if (ledger_origin_given(start->origin)) {
        view_label(view, "imported");
        buf_adds(view->out, str_eq(start->origin, STR("mlflow")) ? "from MLflow" : "from W&B");
        buf_adds(view->out, ", run by ");
        buf_add_safe(view->out, start->user.len > 0 ? start->user : STR("?"));
        buf_adds(view->out, " on ");
        buf_add_safe(view->out, start->host.len > 0 ? start->host : STR("?"));
        buf_adds(view->out, ": nothing was metered\n");
    } else if (start->user.len > 0 || start->host.len > 0) {
        view_label(view, "by");
        buf_add_safe(view->out, start->user.len > 0 ? start->user : STR("?"));
        buf_adds(view->out, " on ");
        buf_add_safe(view->out, start->host.len > 0 ? start->host : STR("?"));
        buf_char(view->out, '\n');
    }
    texts_line(view, "tags", &start->tags);
    texts_line(view, "environment", &start->facts);
}

static void print_price(const struct view *view, const struct show_result *res)
{
    const struct ledger_start *start = &res->run.start;
    bool known = start->rate.nano != MONEY_UNKNOWN || start->electricity.nano != MONEY_UNKNOWN;

    if (!known && start->offer.len == 0 && start->price_source.len > 0) {
        print_show_text(view, "price", start->price_source); /* explains why it is not known */
        return;
    }
    view_label(view, "price");
    if (start->rate.nano != MONEY_UNKNOWN) {
        usd_per_hour_write(start->rate, view->out);
        view_share(view->out, res->run.totals.pays, res->review.sharers, res->review.share,
                   res->run.state == RUN_RUNNING);
    } else if (start->electricity.nano != MONEY_UNKNOWN) {
        buf_adds(view->out, "electricity at $");
        nano_write(start->electricity.nano, view->out);
        buf_adds(view->out, "/kWh");
    } else {
        buf_char(view->out, '?');
    }
    if (start->offer.len > 0) {
        buf_adds(view->out, ", ");
        buf_add_safe(view->out, start->offer);
    }
    if (start->market.len > 0) {
        buf_char(view->out, ' ');
        buf_add_safe(view->out, start->market);
    }
    buf_char(view->out, '\n');
    print_show_text(view, "", start->price_source);
}

static size_t amount_width(usd amount, struct arena *arena)
{
    struct buf text = buf_new(arena->alloc, 64);
    size_t width;

    value_dollars(usd_double(amount), &text);
    width = text.len;
    buf_free(&text);
    return width;
}

/* Those that are not zero, with their amounts aligned. */
static void print_show_parts(const struct view *view, const char *label,
                             const struct rows *list)
{
    const struct run_part *parts = list->at;
    size_t widest = 0;

    for (size_t i = 0; i < list->len; i++) {
        size_t width = parts[i].cost.nano != 0 ? amount_width(parts[i].cost, view->arena) : 0;

        widest = width > widest ? width : widest;
    }
    for (size_t i = 0; i < list->len; i++) {
        if (parts[i].cost.nano == 0)
            continue;
        view_label(view, label);
        label = "";
        buf_addf(view->out, "%-12.*s", STR_ARG(parts[i].item));
        buf_pad(view->out, ' ', widest - amount_width(parts[i].cost, view->arena));
        put_show_dollars(view, parts[i].cost);
        if (!isnan(parts[i].share))
            buf_addf(view->out, "  %3.0f %%", parts[i].share * 100);
        buf_char(view->out, '\n');
    }
}

/* The size of checkpoints and the cost of keeping them: not part of the cost, since it is not
 * known how long they are kept. */
static void print_show_kept(const struct view *view, const struct show_result *res)
{
    if (!(res->run.totals.checkpoint_bytes > 0))
        return;
    view_label(view, "checkpoints");
    bytes_write((bytes){(uint64_t)res->run.totals.checkpoint_bytes}, view->out);
    buf_adds(view->out, " kept");
    if (res->review.checkpoint_month.nano != MONEY_UNKNOWN) {
        buf_adds(view->out, ": ");
        put_show_dollars(view, res->review.checkpoint_month);
        buf_adds(view->out, " a month in the provider's object store, not in the cost");
    }
    buf_char(view->out, '\n');
}

static void put_over(const struct view *view, const char *what, double over)
{
    if (!isnan(over))
        buf_addf(view->out, "; %s %s %s than that", what, percent_text(fabs(over)).text,
                 over < 0 ? "less" : "more");
}

static void print_show_estimate(const struct view *view, const struct show_result *res)
{
    const struct ledger_start *start = &res->run.start;

    if (start->estimated_cost.nano == MONEY_UNKNOWN && start->estimated_time.ns < 0)
        return;
    view_label(view, "estimate");
    put_show_dollars(view, start->estimated_cost);
    buf_adds(view->out, ", ");
    write_span(start->estimated_time, view->out);
    put_over(view, "it cost", res->review.cost_over_estimate);
    put_over(view, "it took", res->review.time_over_estimate);
    buf_char(view->out, '\n');
}

/* What is known of a cost that is not; true when there is something. */
static bool put_least(const struct view *view, const struct show_result *res)
{
    const struct run_part *parts = res->review.costs.at;
    bool any = false;

    for (size_t i = 0; i < res->review.costs.len && res->run.totals.cost.nano == MONEY_UNKNOWN;
         i++) {
        if (parts[i].cost.nano == 0)
            continue;
        buf_adds(view->out, any ? " and " : "at least ");
        put_show_dollars(view, parts[i].cost);
        buf_addf(view->out, " (%.*s)", STR_ARG(parts[i].item));
        any = true;
    }
    if (any)
        buf_adds(view->out, "; the machine's price is not known");
    return any;
}

static void print_show_money(const struct view *view, const struct show_result *res)
{
    const struct ledger_run *run = &res->run;

    print_price(view, res);
    view_label(view, "cost");
    if (!put_least(view, res))
        put_show_dollars(view, run->totals.cost);
    if (run->start.budget.nano != MONEY_UNKNOWN) {
        buf_adds(view->out, " of a budget of ");
        put_show_dollars(view, run->start.budget);
        if (!isnan(run->budget_share))
            buf_addf(view->out, " (%.0f %%)", num_percent_used(run->budget_share));
    }
    buf_char(view->out, '\n');
    if (res->review.costs.len > 1)
        print_show_parts(view, "made of", &res->review.costs);
    print_show_parts(view, "paid for", &res->review.phases);
    print_show_estimate(view, res);
    if (res->review.cost_per_step.nano != MONEY_UNKNOWN) {
        view_label(view, "cost per step");
        put_show_dollars(view, res->review.cost_per_step);
        buf_char(view->out, '\n');
    }
    print_show_kept(view, res);
}

static void print_show_energy(const struct view *view, const struct show_result *res)
{
    const struct ledger_totals *t = &res->run.totals;

    view_label(view, "energy");
    joule_write_metered((joule){t->joules}, view->out);
    if (!isnan(t->joules)) {
        if (!isnan(t->energy_error))
            buf_addf(view->out, " within %.0f %%", t->energy_error * 100);
        buf_adds(view->out, ", ");
        buf_add_safe(view->out, t->energy_method.len > 0 ? t->energy_method : STR("?"));
        buf_adds(view->out, "; ");
        watt_write((watt){res->review.mean_watts}, view->out);
        buf_adds(view->out, " on average");
    }
    if (!isnan(t->gpu_joules)) {
        buf_adds(view->out, "; GPUs ");
        joule_write_metered((joule){t->gpu_joules}, view->out);
    }
    if (!isnan(t->cpu_joules)) {
        buf_adds(view->out, "; processor ");
        joule_write_metered((joule){t->cpu_joules}, view->out);
    }
    buf_char(view->out, '\n');
    view_label(view, "carbon");
    gram_co2_write_metered((gram_co2){t->grams}, view->out);
    buf_char(view->out, '\n');
}

/* ---- usage ---- */

static void put_show_bytes(double n, struct buf *out)
{
    bytes_write(bytes_from(n), out);
}

static void print_gpu_use(const struct view *view, const struct show_result *res)
{
    const struct ledger_totals *t = &res->run.totals;

    if (t->gpus <= 0 && t->gpu.len == 0) /* none, or not known */
        return;
    view_label(view, "GPU");
    if (t->gpus >= 0)
        buf_addf(view->out, "%dx ", t->gpus);
    buf_add_safe(view->out, t->gpu.len > 0 ? t->gpu : STR("?"));
    if (!isnan(t->gpu_busy))
        buf_addf(view->out, ", busy %s of the time", percent_text(t->gpu_busy).text);
    if (view_shares_device(t->gpu_memory_peak, t->gpu_memory_run)) {
        view_device_memory(view->out, t->gpu_memory_peak, t->gpu_memory_total,
                           t->gpu_memory_run);
    } else if (!isnan(t->gpu_memory_peak)) {
        buf_adds(view->out, ", at most ");
        put_show_bytes(t->gpu_memory_peak, view->out);
        buf_adds(view->out, " of ");
        put_show_bytes(t->gpu_memory_total, view->out);
    }
    buf_char(view->out, '\n');
}

static void print_machine_use(const struct view *view, const struct show_result *res)
{
    const struct ledger_totals *t = &res->run.totals;

    if (!isnan(res->review.cpu_cores)) {
        view_label(view, "processor");
        value_number(res->review.cpu_cores, view->out);
        buf_adds(view->out, " cores busy on average\n");
    }
    if (!isnan(t->memory_peak)) {
        view_label(view, "memory");
        buf_adds(view->out, "at most ");
        put_show_bytes(t->memory_peak, view->out);
        buf_char(view->out, '\n');
    }
    if (!isnan(t->read) || !isnan(t->written)) {
        view_label(view, "storage");
        put_show_bytes(t->read, view->out);
        buf_adds(view->out, " read, ");
        put_show_bytes(t->written, view->out);
        buf_adds(view->out, " written\n");
    }
    if (!isnan(t->received) || !isnan(t->sent)) {
        view_label(view, "network");
        put_show_bytes(t->received, view->out);
        buf_adds(view->out, " received, ");
        put_show_bytes(t->sent, view->out);
        buf_adds(view->out, str_eq(res->run.start.origin, STR(LEDGER_TRANSFER))
                                ? " sent\n"
                                : " sent, by the entire machine\n");
    }
}

static void print_show_use(const struct view *view, const struct show_result *res)
{
    const struct ledger_totals *t = &res->run.totals;

    print_gpu_use(view, res);
    view_devices(view, &res->devices, &res->idle);
    print_machine_use(view, res);
    if (!isnan(t->score)) {
        view_label(view, "score");
        buf_addf(view->out, "%.0f/100", t->score);
        if (!isnan(t->seed_score))
            buf_addf(view->out, "; %.0f by utilization and memory alone", t->seed_score);
        buf_char(view->out, '\n');
    }
    if (!isnan(t->step)) {
        view_label(view, "progress");
        buf_adds(view->out, "step ");
        value_count(t->step, view->out);
        if (!isnan(t->steps)) {
            buf_adds(view->out, " of ");
            value_count(t->steps, view->out);
        }
        buf_char(view->out, '\n');
    }
    if (!isnan(t->loss) || !isnan(t->best)) {
        view_label(view, "metric");
        runs_metric(t->loss, view->out);
        buf_adds(view->out, " at the end, ");
        runs_metric(t->best, view->out);
        buf_adds(view->out, " at best\n");
    }
}

/* The mean of what is known of a part; NaN when nothing is. */
static double mean_of_slice(const double *values, size_t from, size_t to)
{
    double sum = 0;
    size_t known = 0;

    for (size_t i = from; i < to; i++)
        if (isfinite(values[i])) {
            sum += values[i];
            known++;
        }
    return known > 0 ? sum / (double)known : NAN;
}

/* Numbers as bars, joined to at most `columns`: the least is the lowest bar, the most the
 * highest; blank where none is known. */
static void write_bars(const double *values, size_t count, size_t columns, bool utf8,
                       struct buf *out)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const plain[] = {"_", ".", "-", ":", "=", "+", "*", "#"};
    size_t bars = count < columns ? count : columns;
    double low = NAN, high = NAN;

    for (size_t i = 0; i < bars; i++) {
        double mean = mean_of_slice(values, i * count / bars, (i + 1) * count / bars);

        low = fmin(low, mean); /* of a NaN and a number fmin() is the number */
        high = fmax(high, mean);
    }
    for (size_t i = 0; i < bars; i++) {
        double mean = mean_of_slice(values, i * count / bars, (i + 1) * count / bars);
        double part = high > low ? (mean - low) / (high - low) : 0.5;

        if (isnan(mean))
            buf_char(out, ' ');
        else
            buf_adds(out, (utf8 ? blocks : plain)[(size_t)(part * 7.999)]);
    }
}

/* One line of bars, with the lowest and the highest value. */
static void print_picture(const struct view *view, const struct rows *list, size_t offset,
                          const char *label, void (*put)(double value, struct buf *out),
                          bool utf8)
{
    const struct ledger_moment *samples = list->at;
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
    write_bars(values, list->len, PICTURE_COLUMNS, utf8, view->out);
    buf_adds(view->out, "  ");
    put(low, view->out);
    buf_adds(view->out, " to ");
    put(high, view->out);
    buf_char(view->out, '\n');
}

static void put_show_watts(double value, struct buf *out)
{
    watt_write((watt){value}, out);
}

static void put_show_cores(double value, struct buf *out)
{
    value_number(value, out);
    buf_adds(out, " cores");
}

static void put_show_rate(double value, struct buf *out)
{
    value_number(value, out);
    buf_adds(out, " steps/s");
}

static void print_pictures(const struct view *view, const struct show_result *res, bool utf8)
{
#define OF(member) offsetof(struct ledger_sample, member)
    const struct rows *samples = &res->details.samples;
    size_t before;

    if (samples->len < 2)
        return;
    buf_char(view->out, '\n');
    before = view->out->len;
    print_picture(view, samples, OF(gpu_busy), "GPU busy", value_share, utf8);
    print_picture(view, samples, OF(cpu_cores), "processor", put_show_cores, utf8);
    print_picture(view, samples, OF(watts), "power", put_show_watts, utf8);
    print_picture(view, samples, OF(rate), "speed", put_show_rate, utf8);
    print_picture(view, samples, OF(loss), "metric", runs_metric, utf8);
    if (view->out->len == before && before > 0) /* nothing moved: no empty line either */
        view->out->len--;
#undef OF
}

/* ---- lists ---- */

/* A number of the row: its offset is the column's index. */
static double show_column_number(const struct column *column, const void *row)
{
    return *(const double *)(const void *)((const unsigned char *)row + column->index);
}

static bool write_show_number(const struct column *column, const void *row, struct buf *out,
                              void (*put)(double value, struct buf *out))
{
    double value = show_column_number(column, row);

    if (!isnan(value))
        put(value, out);
    return true;
}

static bool write_show_count(const struct column *column, const void *row, struct buf *out)
{
    return write_show_number(column, row, out, value_count);
}

static bool write_show_metric(const struct column *column, const void *row, struct buf *out)
{
    return write_show_number(column, row, out, runs_metric);
}

static bool write_show_seconds(const struct column *column, const void *row, struct buf *out)
{
    return write_show_number(column, row, out, value_seconds);
}

static bool write_bytes(const struct column *column, const void *row, struct buf *out)
{
    return write_show_number(column, row, out, put_show_bytes);
}

static void print_show_list(const struct view *view, const struct show_result *res,
                            const char *name, const struct columns *columns)
{
    buf_char(view->out, '\n');
    view_rows(view, &op_show, res, name, columns);
}

/* "loss (attempt 2)" where there are several, which the column's index marks. */
static bool write_metric_name(const struct column *column, const void *row, struct buf *out)
{
    const struct ledger_metric *metric = row;

    buf_add(out, metric->name);
    if (column->index > 0)
        buf_addf(out, " (attempt %d)", metric->attempt);
    return true;
}

/* A value, and the step it was at, which is the member after it. */
static bool write_metric_extreme(const struct column *column, const void *row, struct buf *out)
{
    struct column step = *column;

    step.index += (int)sizeof(double);
    if (isnan(show_column_number(column, row)))
        return true;
    runs_metric(show_column_number(column, row), out);
    if (!isnan(show_column_number(&step, row))) {
        buf_adds(out, " at ");
        value_count(show_column_number(&step, row), out);
    }
    return true;
}

static bool write_course(const struct column *column, const void *row, struct buf *out)
{
    const struct ledger_metric *metric = row;

    if (metric->values.len > 1 && metric->high > metric->low)
        write_bars(metric->values.at, metric->values.len, METRIC_COLUMNS, column->index > 0,
                   out);
    return true;
}

static void print_show_metrics(const struct view *view, const struct show_result *res)
{
#define OF(member) .index = offsetof(struct ledger_metric, member)
    const struct column columns[] = {
        COLUMN("metric", name, .cell = write_metric_name,
               .index = res->details.attempts.len > 1),
        COLUMN("values", values, .optional = true),
        COLUMN("first", first, .optional = true, .cell = write_show_metric, OF(first)),
        COLUMN("last", last, .cell = write_show_metric, OF(last)),
        COLUMN("lowest, at step", low, .cell = write_metric_extreme, OF(low)),
        COLUMN("highest, at step", high, .cell = write_metric_extreme, OF(high)),
        COLUMN_CELL("over time", write_course, .optional = true, .index = term_utf8()),
    };
#undef OF

    _Static_assert(offsetof(struct ledger_metric, low_step) ==
                       offsetof(struct ledger_metric, low) + sizeof(double),
                   "write_extreme() reads the step after the value");
    if (res->details.metrics.len > 0)
        print_show_list(view, res, "metrics", COLUMNS(columns));
}

static bool write_event_state(const struct column *column, const void *row, struct buf *out)
{
    const struct ledger_attempt *attempt = row;

    (void)column;
    buf_adds(out, ledger_state_word(attempt->state, attempt->reason));
    return true;
}

static void print_attempts(const struct view *view, const struct show_result *res)
{
    static const struct column columns[] = {
        COLUMN("attempt", number),
        COLUMN("started (UTC)", started, .form = COLUMN_SECONDS),
        COLUMN("took", duration),
        COLUMN("cost", cost, .form = COLUMN_FINE),
        COLUMN("state", state, .cell = write_event_state),
        COLUMN("step", step, .optional = true, .cell = write_show_count,
               .index = offsetof(struct ledger_attempt, totals.step)),
        COLUMN("work lost before", lost_s, .optional = true, .cell = write_show_seconds,
               .index = offsetof(struct ledger_attempt, totals.lost_s)),
        COLUMN("where", host, .optional = true, .shrink = true),
    };

    if (res->details.attempts.len > 1)
        print_show_list(view, res, "attempts", COLUMNS(columns));
}

/* Only when the price changed: the first is printed above. */
static void print_prices(const struct view *view, const struct show_result *res)
{
    static const struct column columns[] = {
        COLUMN("price from (UTC)", from, .form = COLUMN_SECONDS),
        COLUMN("an hour", price),
        COLUMN("offer", offer, .shrink = true),
        COLUMN("source", source, .optional = true, .shrink = true),
    };
    const struct ledger_price *prices = res->details.prices.at;
    bool changed = false;

    for (size_t i = 1; i < res->details.prices.len; i++)
        changed |= prices[i].rate.nano != prices[0].rate.nano ||
                   !str_eq(prices[i].offer, prices[0].offer);
    if (changed)
        print_show_list(view, res, "prices", COLUMNS(columns));
}

#define EVENTS_SHOWN 40 /* the first and the last of them */

/* "...; 2979 before it left out" */
static bool write_event(const struct column *column, const void *row, struct buf *out)
{
    const struct ledger_happening *event = row;

    (void)column;
    buf_add(out, event->text);
    if (event->left_out > 0)
        buf_addf(out, "%s%lld before it left out", event->text.len > 0 ? "; " : "",
                 (long long)event->left_out);
    return true;
}

static void print_show_events(const struct view *view, const struct show_result *res)
{
    static const struct column columns[] = {
        COLUMN("at (UTC)", at, .form = COLUMN_SECONDS),
        COLUMN("attempt", attempt, .optional = true),
        COLUMN("event", kind, .unknown = ""),
        COLUMN("about", text, .shrink = true, .unknown = "", .cell = write_event),
    };
    const struct ledger_happening *events = res->details.events.at;
    size_t count = res->details.events.len, ends = EVENTS_SHOWN / 2;
    struct table_rows shown = {&ledger_event_fields, events, count};
    struct column_table t = columns_new(COLUMNS(columns), shown.row, view->arena);

    if (count == 0)
        return;
    shown.len = count > EVENTS_SHOWN ? ends : count;
    columns_add(&t, &shown);
    if (count > EVENTS_SHOWN) {
        shown.at = events + count - ends;
        columns_add(&t, &shown);
    }
    buf_char(view->out, '\n');
    columns_write(&t, &view->term, view->out);
    if (count > EVENTS_SHOWN)
        buf_addf(view->out, "%zu more events are left out here; --json lists them\n",
                 count - 2 * ends);
}

/* File times have a resolution of a few milliseconds. */
static void put_saving(double value, struct buf *out)
{
    if (value < 0.01)
        buf_adds(out, "<10 ms");
    else
        value_seconds(value, out);
}

static bool write_save_time(const struct column *column, const void *row, struct buf *out)
{
    return write_show_number(column, row, out, put_saving);
}

static bool write_show_kept(const struct column *column, const void *row, struct buf *out)
{
    const struct ledger_checkpoint *checkpoint = row;

    (void)column;
    buf_addf(out, "%s%s", checkpoint->kept ? "kept" : "removed",
             checkpoint->best ? ", best" : "");
    return true;
}

static void print_show_checkpoints(const struct view *view, const struct show_result *res)
{
#define OF(member) .index = offsetof(struct ledger_checkpoint, member)
    static const struct column columns[] = {
        COLUMN("checkpoint", path, .shrink = true, .unknown = ""),
        COLUMN("at (UTC)", at, .form = COLUMN_SECONDS),
        COLUMN("step", step, .cell = write_show_count, OF(step)),
        COLUMN("size", bytes, .optional = true, .cell = write_bytes, OF(bytes)),
        COLUMN("took", took_s, .optional = true, .cell = write_save_time, OF(took_s)),
        COLUMN("metric", metric, .cell = write_show_metric, OF(metric)),
        COLUMN("cost by then", cost, .form = COLUMN_FINE),
        COLUMN_CELL("now", write_show_kept),
    };
#undef OF

    if (res->details.checkpoints.len > 0)
        print_show_list(view, res, "checkpoints", COLUMNS(columns));
}

/* ---- together ---- */

static void print_run_show(const struct view *view, const void *result)
{
    const struct show_result *res = result;

    print_show_head(view, res);
    buf_char(view->out, '\n');
    print_show_money(view, res);
    buf_char(view->out, '\n');
    print_show_energy(view, res);
    print_show_use(view, res);
    print_pictures(view, res, term_utf8());
    print_show_metrics(view, res);
    print_attempts(view, res);
    print_prices(view, res);
    print_show_events(view, res);
    print_show_checkpoints(view, res);
    if (res->review.verdict.len > 0)
        buf_char(view->out, '\n');
    texts_line(view, "verdict", &res->review.verdict);
}

const struct command cmd_show = {
    .name = "show",
    .op = &op_show,
    .group = {"everything recorded about a run", .stage = CLI_AFTER},
    .about = "Shows everything recorded about a run: its command, commit and price, its cost "
             "by part, energy with its method, use of the machine, progress, attempts, events, "
             "checkpoints, and a verdict. A run is named by the end (or the start) of its id, "
             "by its name (the newest of that name), or as 'last'.",
    .examples = "stint show last\n"
                "stint show 1a2b3c4d\n"
                "stint show bert-large --json",
    .print = print_run_show,
};
