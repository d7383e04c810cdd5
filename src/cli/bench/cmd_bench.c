/* stint bench */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/bench/bench.h"
#include "op/op.h"
#include "unit/shown.h"
#include "unit/time.h"

/* ---- one run ---- */

static void write_latency(double seconds, struct buf *out)
{
    if (isnan(seconds))
        buf_char(out, '-');
    else
        value_seconds(seconds, out);
}

static void latency_cell(struct table *t, double seconds, bool endless)
{
    char text[48];
    struct buf out = buf_within(text, sizeof text);

    if (isnan(seconds) && endless)
        buf_adds(&out, "no end");
    else
        write_latency(seconds, &out);
    table_text(t, buf_text(&out));
}

/* "19.8 ms to 20.3 ms": of the 99th percentile. */
static void interval_cell(struct table *t, const struct load_quantile *q)
{
    char text[96];
    struct buf out = buf_within(text, sizeof text);

    if (!isnan(q->low)) {
        write_latency(q->low, &out);
        if (isnan(q->high)) {
            buf_adds(&out, " or more");
        } else {
            buf_adds(&out, " to ");
            write_latency(q->high, &out);
        }
    }
    table_text(t, buf_text(&out));
}

static void latency_row(struct table *t, const char *name, const struct load_stat *s)
{
    bool endless = s->beyond > 0;

    if (s->count == 0)
        return;
    table_cell(t, "%s", name);
    latency_cell(t, s->mean.value, endless);
    latency_cell(t, s->p50.value, false);
    latency_cell(t, s->p90.value, endless);
    latency_cell(t, s->p95.value, endless);
    latency_cell(t, s->p99.value, endless);
    latency_cell(t, s->p999.value, endless);
    interval_cell(t, &s->p99);
}

static void print_latencies(const struct view *view, const struct load_result *r)
{
    static const struct table_column columns[] = {
        {.title = "latency"},
        {.title = "mean", .right = true},
        {.title = "p50", .right = true},
        {.title = "p90", .right = true, .optional = true},
        {.title = "p95", .right = true},
        {.title = "p99", .right = true},
        {.title = "p99.9", .right = true, .optional = true},
        {.title = "p99, 95 % interval", .optional = true},
    };
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    latency_row(&t, "first token", &r->first_token);
    latency_row(&t, "per token", &r->per_token);
    latency_row(&t, "gap between pieces", &r->gap);
    latency_row(&t, "longest gap", &r->longest_gap);
    latency_row(&t, "complete answer", &r->total);
    buf_char(view->out, '\n');
    table_write(&t, &view->term, view->out);
    buf_char(view->out, '\n');
}

/* "5 requests/s", "16 users", "trace" */
static void put_bench_load(const struct load_result *r, const char *per_second, struct buf *out)
{
    if (!isnan(r->rate))
        buf_addf(out, "%s%s", num_figures(r->rate).text, per_second);
    else if (r->users > 0)
        buf_addf(out, "%lld user%s", (long long)r->users, num_plural(r->users));
    else
        buf_adds(out, "trace");
}

static void print_load(const struct view *view, const struct load_result *r)
{
    struct buf *out = view->out;

    view_label(view, "endpoint");
    buf_add_safe(out, r->url);
    if (r->model.len > 0) {
        buf_adds(out, " (");
        buf_add_safe(out, r->model);
        buf_char(out, ')');
    }
    buf_char(out, '\n');
    view_label(view, "load");
    put_bench_load(r, " requests/s", out);
    buf_addf(out, ", %s s measured after %s s of warm-up (end: %s)\n",
             num_about(r->measured_s).text, num_about(r->warmup_s).text,
             load_end_names[r->ended]);
}

static void print_load_requests(const struct view *view, const struct load_result *r)
{
    const struct load_error_row *errors = r->errors.at;
    struct buf *out = view->out;

    view_label(view, "requests");
    value_count((double)r->answered, out);
    buf_adds(out, " answered");
    for (size_t i = 0; i < r->errors.len; i++)
        buf_addf(out, ", %lld %.*s", (long long)errors[i].count, STR_ARG(errors[i].what));
    if (!isnan(r->mean_input))
        buf_addf(out, "; on average %s tokens in, %s out", num_about(r->mean_input).text,
                 num_about(r->mean_output).text);
    buf_char(out, '\n');
    if (r->first_error.len > 0) {
        view_label(view, "first failure");
        buf_add_safe(out, r->first_error);
        buf_char(out, '\n');
    }
}

static void print_throughput(const struct view *view, const struct load_result *r)
{
    struct buf *out = view->out;

    view_label(view, "throughput");
    buf_addf(out, "%s requests/s, %s output tokens/s", num_about(r->answered_per_s).text,
             num_about(r->output_per_s).text);
    if (!isnan(r->input_per_s))
        buf_addf(out, ", %s input tokens/s", num_about(r->input_per_s).text);
    buf_adds(out, r->counted || isnan(r->output_per_s)
                      ? "\n"
                      : " (pieces: the server counts no tokens)\n");
    if (isnan(r->good.value))
        return;
    view_label(view, "goodput");
    buf_addf(out, "%s requests/s; ", num_about(r->goodput).text);
    value_share(r->good.value, out);
    buf_adds(out, " meet the target (95 % interval ");
    value_share_range(r->good.low, r->good.high, out);
    buf_adds(out, ")\n");
}

static void print_money(const struct view *view, const struct load_result *r)
{
    struct buf *out = view->out;

    if (r->price.nano == MONEY_UNKNOWN)
        return;
    view_label(view, "cost");
    usd_write_estimate(r->per_million_output, out);
    buf_adds(out, " per million output tokens, ");
    usd_write_estimate(r->per_1000, out);
    buf_adds(out, " per 1,000 requests at ");
    usd_per_hour_write(r->price, out);
    buf_char(out, '\n');
}

static void print_load_energy(const struct view *view, const struct load_result *r)
{
    struct buf *out = view->out;

    view_label(view, "energy");
    if (isnan(r->joules_per_token)) {
        buf_adds(out, "unknown: ");
        buf_add_safe(out, r->energy);
    } else {
        buf_addf(out, "%s J per output token, GPUs idle ",
                 num_figures(r->joules_per_token).text);
        value_share(r->idle, out);
        buf_adds(out, " of the time (");
        buf_add_safe(out, r->energy);
        buf_char(out, ')');
    }
    buf_char(out, '\n');
}

static void print_belief(const struct view *view, const struct load_result *r)
{
    struct buf *out = view->out;

    view_label(view, r->valid ? "client" : "INVALID");
    if (!r->valid) {
        buf_add_safe(out, r->invalid);
        buf_char(out, '\n');
        return;
    }
    value_share(r->client_busy, out);
    buf_adds(out, " of a processor; 99 % of requests sent within ");
    write_latency(r->late.p99.value, out);
    buf_adds(out, " of their time");
    if (r->by_kernel > 0) {
        buf_adds(out, "; ");
        value_share(r->by_kernel, out);
        buf_adds(out, " of arrivals timed by the kernel");
    }
    buf_char(out, '\n');
}

static void print_one_load(const struct view *view, const struct load_result *r)
{
    print_load(view, r);
    print_load_requests(view, r);
    if (r->at_once > 0) {
        view_label(view, "not streamed");
        buf_addf(view->out,
                 "%lld answers came in one piece: their tokens have no times of their own\n",
                 (long long)r->at_once);
    }
    if (r->answered > 0) {
        print_latencies(view, r);
        print_throughput(view, r);
        print_money(view, r);
        print_load_energy(view, r);
    }
    if (!isnan(r->quality)) {
        view_label(view, "quality");
        buf_addf(view->out, "%s\n", num_figures(r->quality).text);
    }
    print_belief(view, r);
}

/* ---- several ---- */

static bool write_load_place(const struct column *column, const void *row, struct buf *out)
{
    (void)column;
    put_bench_load(row, "/s", out);
    return true;
}

/* By the column's index: which latency, at which percentile. */
static bool write_run_latency(const struct column *column, const void *row, struct buf *out)
{
    const struct load_result *r = row;
    const struct load_quantile *const of[] = {&r->first_token.p50, &r->first_token.p99,
                                              &r->per_token.p50, &r->total.p99};
    const struct load_stat *const stats[] = {&r->first_token, &r->first_token, &r->per_token,
                                             &r->total};

    if (isnan(of[column->index]->value) && stats[column->index]->beyond > 0)
        buf_adds(out, "no end");
    else
        write_latency(of[column->index]->value, out);
    return true;
}

static bool write_target_share(const struct column *column, const void *row, struct buf *out)
{
    const struct load_result *r = row;

    (void)column;
    value_share(r->good.value, out);
    return true;
}

static enum term_style style_of_run(const void *row)
{
    return ((const struct load_result *)row)->valid ? STYLE_PLAIN : STYLE_WARN;
}

static void print_runs(const struct view *view, const struct bench_result *res)
{
    const struct load_result *runs = res->runs.at;
    bool two = !str_eq(runs[0].url, runs[res->runs.len - 1].url);
    bool target = res->target.len > 0, priced = runs[0].price.nano != MONEY_UNKNOWN;
    const struct column columns[] = {
        COLUMN("endpoint", url, .hidden = !two, .shrink = true),
        COLUMN("load", requests_per_s, .cell = write_load_place, .side = COLUMN_RIGHT),
        COLUMN("answered/s", answered_per_s, .form = COLUMN_FIGURES),
        COLUMN("failed", failed, .if_any = true),
        COLUMN("first token p50", first_token_s, .cell = write_run_latency, .index = 0,
               .side = COLUMN_RIGHT),
        COLUMN("p99", first_token_s, .cell = write_run_latency, .index = 1,
               .side = COLUMN_RIGHT),
        COLUMN("per token p50", per_token_s, .cell = write_run_latency, .index = 2,
               .side = COLUMN_RIGHT),
        COLUMN("answer p99", total_s, .cell = write_run_latency, .index = 3,
               .side = COLUMN_RIGHT),
        COLUMN("output tokens/s", output_per_s, .form = COLUMN_FIGURES),
        COLUMN("meet target", good, .cell = write_target_share, .hidden = !target,
               .side = COLUMN_RIGHT),
        COLUMN("per M output", per_million_output, .form = COLUMN_ESTIMATE, .hidden = !priced,
               .unknown = "?"),
        COLUMN("J per token", joules_per_token, .form = COLUMN_FIGURES, .if_any = true),
        COLUMN("quality", quality, .form = COLUMN_FIGURES, .if_any = true),
        COLUMN("", invalid, .unknown = "", .shrink = true, .if_any = true),
    };

    view_rows(view, &op_bench, res, "runs", COLUMNS(columns, .style = style_of_run));
    buf_char(view->out, '\n');
}

static void print_search(const struct view *view, const struct bench_result *res)
{
    if (res->target.len == 0)
        return;
    view_label(view, "target");
    buf_add_safe(view->out, res->target);
    buf_char(view->out, '\n');
    if (isnan(res->best_rate) && isnan(res->too_high))
        return;
    view_label(view, "highest rate");
    if (isnan(res->best_rate))
        buf_addf(view->out, "below %s requests/s: no rate that was tried meets the target\n",
                 num_figures(res->too_high).text);
    else if (isnan(res->too_high))
        buf_addf(view->out, "%s requests/s or more\n", num_figures(res->best_rate).text);
    else
        buf_addf(view->out, "%s requests/s; %s do not meet it\n",
                 num_figures(res->best_rate).text, num_figures(res->too_high).text);
}

/* ---- two endpoints ---- */

static bool write_change(const struct column *column, const void *row, struct buf *out)
{
    const struct load_difference *d = row;

    (void)column;
    if (isnan(d->change.value))
        return true;
    buf_adds(out, d->change.value < 0 ? "-" : "+");
    value_seconds(fabs(d->change.value), out);
    if (!isnan(d->change.low)) {
        buf_adds(out, " (");
        buf_adds(out, d->change.low < 0 ? "-" : "+");
        value_seconds(fabs(d->change.low), out);
        buf_adds(out, " to ");
        buf_adds(out, d->change.high < 0 ? "-" : "+");
        value_seconds(fabs(d->change.high), out);
        buf_char(out, ')');
    }
    return true;
}

static void print_changes(const struct view *view, const struct bench_result *res)
{
    static const struct column columns[] = {
        COLUMN("same requests", what),
        COLUMN("first", first_s, .form = COLUMN_LENGTH),
        COLUMN("second", second_s, .form = COLUMN_LENGTH),
        COLUMN("second less first", change_s, .cell = write_change),
        COLUMN("", sure, .yes = "", .no = "could be chance"),
    };

    view_rows(view, &op_bench, res, "changes", COLUMNS(columns));
    buf_char(view->out, '\n');
}

/* ---- functions and commands ---- */

static bool write_batch_time(const struct column *column, const void *row, struct buf *out)
{
    const struct bench_batch *b = row;
    const double of[] = {b->time.mean.value, b->time.p50.value, b->time.p99.value};

    write_latency(of[column->index], out);
    return true;
}

static void print_batches(const struct view *view, const struct bench_result *res)
{
    const struct bench_batch *rows = res->batches.at;
    bool priced = res->batches.len > 0 && rows[0].per_1000.nano != MONEY_UNKNOWN;
    const struct column columns[] = {
        COLUMN("batch", batch),
        COLUMN("calls", calls, .optional = true),
        COLUMN("mean", time_s, .cell = write_batch_time, .index = 0, .side = COLUMN_RIGHT),
        COLUMN("p50", time_s, .cell = write_batch_time, .index = 1, .side = COLUMN_RIGHT),
        COLUMN("p99", time_s, .cell = write_batch_time, .index = 2, .side = COLUMN_RIGHT),
        COLUMN("items/s", items_per_s, .form = COLUMN_FIGURES),
        COLUMN("per 1,000", per_1000, .form = COLUMN_ESTIMATE, .hidden = !priced,
               .unknown = "?"),
        COLUMN("per million", per_million, .form = COLUMN_ESTIMATE, .hidden = !priced,
               .unknown = "?"),
    };

    view_label(view, "measured");
    buf_add_safe(view->out, res->measured);
    buf_adds(view->out, "\n\n");
    view_rows(view, &op_bench, res, "batches", COLUMNS(columns));
}

/* ---- all ---- */

static void print_bench_file(const struct view *view, const char *what, struct str name)
{
    if (name.len == 0)
        return;
    view_label(view, what);
    buf_add_safe(view->out, name);
    buf_char(view->out, '\n');
}

static void print_bench(const struct view *view, const void *result)
{
    const struct bench_result *res = result;

    if (res->batches.len > 0)
        print_batches(view, res);
    if (res->runs.len == 1)
        print_one_load(view, res->runs.at);
    else if (res->runs.len > 1)
        print_runs(view, res);
    if (res->changes.len > 0)
        print_changes(view, res);
    print_search(view, res);
    if (res->price_source.len > 0)
        print_bench_file(view, "price", res->price_source);
    print_bench_file(view, "requests in", res->csv);
    print_bench_file(view, "drawn to", res->svg);
    print_bench_file(view, "row added to", res->share_row);
    print_bench_file(view, "recorded as", res->run);
}

const struct command cmd_bench = {
    .name = "bench",
    .op = &op_bench,
    .group = {"latency, throughput and cost of a server under load", .stage = CLI_BEFORE},
    .about =
        "Sends requests to an inference server (OpenAI-compatible, or the interfaces of TGI, "
        "llama.cpp, Ollama, SGLang and Triton), times each token as it arrives, and says what "
        "a million tokens and 1,000 requests cost.\n"
        "With --rate, requests are sent at their moments whatever has been answered, as users "
        "who do not wait for each other do, and latency counts from the intended moment. With "
        "--users, each sends when its last request is answered. A run that the client itself "
        "delayed is marked invalid (exit status 1). Ctrl-C gives the result so far.\n"
        "The key is read from OPENAI_API_KEY and written nowhere. --python and --command time "
        "any function or program by batch size.",
    .examples =
        "stint bench http://127.0.0.1:8000 --rate 5/s --price '$2.49/hr'\n"
        "stint bench --start 'vllm serve Qwen/Qwen2.5-7B-Instruct' --users 32\n"
        "stint bench http://127.0.0.1:8000 --find-rate --slo first_token=500ms,token=50ms\n"
        "stint bench http://127.0.0.1:8000 --rate 1/s,2/s,4/s,8/s --svg curve.svg\n"
        "stint bench http://fp16:8000 http://int4:8000 --rate 5/s --accuracy ./quality.sh\n"
        "stint bench http://127.0.0.1:8000 --trace requests.csv --csv out.csv\n"
        "stint bench --python model:predict --batch 1,8,32 --price '$0.53/hr'",
    .print = print_bench,
};
