/* One run: what it is, how it goes, and what happened to it. */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "cli/cmd_top.h"
#include "cli/runs_view.h"

#define GB 1e9
#define LABEL 11 /* columns of the names on the left */
#define TALL 40  /* rows of a terminal that has room for taller pictures */

static void label(struct top_line *line, const char *name)
{
    buf_addf(&line->text, "%-*s", LABEL, name);
}

static void draw_what(struct top_line *line, const struct top_run *run)
{
    struct buf *text = &line->text;

    buf_add_safe(text, run->name);
    buf_addf(text, "  %.*s  %.*s", STR_ARG(run->short_id), STR_ARG(run->state));
    if (run->silent_s > 15)
        buf_addf(text, " for %.0f s", run->silent_s);
    if (run->attempts > 1)
        buf_addf(text, "  attempt %lld", (long long)run->attempts);
    if (!isnan(run->score))
        buf_addf(text, "  score %.0f", run->score);
    top_row(line, STYLE_BOLD);
    label(line, "command");
    buf_add_safe(text, run->command);
    top_row(line, STYLE_PLAIN);
    label(line, "where");
    buf_add_safe(text, run->user);
    buf_char(text, '@');
    buf_add_safe(text, run->host);
    buf_char(text, ' ');
    buf_add_safe(text, run->folder);
    top_row(line, STYLE_PLAIN);
    label(line, "since");
    buf_add(text, run->started);
    buf_adds(text, run->elapsed.ns >= 0 ? ", ran for " : "");
    if (run->elapsed.ns >= 0)
        top_span(run->elapsed, text);
    top_row(line, STYLE_PLAIN);
}

static void draw_money(struct top_line *line, const struct top_run *run)
{
    bool over = top_over(run);
    struct buf *text = &line->text;

    label(line, "cost");
    top_money(run->cost, text);
    if (run->budget.nano != MONEY_UNKNOWN) {
        buf_adds(text, " of ");
        top_money(run->budget, text);
        buf_char(text, ' ');
        top_bar(line->view, run->of_budget, 20, text);
    }
    buf_adds(text, ", ");
    top_money((usd){run->rate.nano}, text);
    buf_adds(text, "/hr");
    if (run->machine_rate.nano != MONEY_UNKNOWN && run->machine_rate.nano != run->rate.nano) {
        buf_adds(text, " of ");
        top_money((usd){run->machine_rate.nano}, text);
        buf_adds(text, "/hr");
        view_share(text, run->pays, run->sharers,
                   usd_per_hour_double(run->rate) / usd_per_hour_double(run->machine_rate),
                   true);
    }
    top_row(line, run->of_budget >= 0.9 ? STYLE_WARN : STYLE_PLAIN);
    label(line, "goes on");
    if (run->left.ns >= 0) {
        top_span(run->left, text);
        buf_adds(text, " at this pace");
        if (run->projected.nano != MONEY_UNKNOWN) {
            buf_adds(text, ", ");
            top_money(run->projected, text);
            buf_adds(text, over ? " in all: more than the budget" : " in all");
        }
    } else {
        buf_adds(text, "? (it does not say how much is left)");
    }
    top_row(line, over ? STYLE_WARN : STYLE_PLAIN);
}

static void draw_use(struct top_line *line, const struct top_run *run)
{
    struct buf *text = &line->text;

    label(line, "uses");
    if (run->gpus > 0) {
        buf_addf(text, "%lldx ", (long long)run->gpus);
        buf_add_safe(text, run->gpu);
    } else {
        buf_adds(text, "no GPU");
    }
    view_device_memory(text, run->gpu_memory, run->gpu_memory_total, run->gpu_memory_run);
    if (!isnan(run->cpu_cores)) {
        buf_adds(text, ", ");
        num_write_fixed(run->cpu_cores, 1, text);
        buf_adds(text, " cores");
    }
    if (!isnan(run->memory))
        buf_addf(text, ", %.1f GB of memory", run->memory / GB);
    top_row(line, STYLE_PLAIN);
    if (isnan(run->step))
        return;
    label(line, "step");
    buf_addf(text, "%.0f", run->step);
    if (!isnan(run->steps))
        buf_addf(text, " of %.0f", run->steps);
    if (!isnan(run->steps_rate)) {
        buf_adds(text, ", ");
        top_number(run->steps_rate, text);
        buf_adds(text, " a second");
    }
    top_row(line, STYLE_PLAIN);
}

/* A picture: numbers as columns of blocks. */
struct graph {
    const char *name;
    struct numbers values;
    double low, high; /* NaN: those of the values */
    char now[32];     /* the last value, in words */
};

static void find_range(struct graph *graph)
{
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < graph->values.len; i++)
        if (isfinite(graph->values.at[i])) {
            low = fmin(low, graph->values.at[i]);
            high = fmax(high, graph->values.at[i]);
        }
    if (!(high >= low)) {
        graph->low = graph->high = NAN; /* nothing is known */
        return;
    }
    graph->low = isnan(graph->low) ? low : graph->low;
    graph->high = isnan(graph->high) ? high : graph->high;
}

/* One column of one row of it: `row` from the bottom, of `height`. */
static void put_block(const struct top_view *view, double share, int row, int height,
                      struct buf *out)
{
    static const char *const blocks[] = {" ",
                                         "\342\226\201",
                                         "\342\226\202",
                                         "\342\226\203",
                                         "\342\226\204",
                                         "\342\226\205",
                                         "\342\226\206",
                                         "\342\226\207",
                                         "\342\226\210"};
    static const char *const plain[] = {" ", ".", ".", ".", ":", ":", ":", "|", "|"};
    /* A value that is not known is a gap, and an infinite one is cut off before it becomes an
     * int: that cast is undefined for what does not fit. */
    double filled = isnan(share) ? 0 : fmin(fmax(share, 0), 1) * height * 8 + 0.5 - row * 8;
    int eighths = (int)fmin(fmax(filled, 0), 8);

    if (!isnan(share) && row == 0 && eighths < 1)
        eighths = 1; /* known, and the least */
    buf_adds(out, view->utf8 ? blocks[eighths] : plain[eighths]);
}

static void draw_graph(struct top_line *line, struct graph *graph)
{
    int height = line->view->rows >= TALL ? 4 : 1;
    size_t room =
        line->view->columns > LABEL + 12 ? (size_t)line->view->columns - LABEL - 12 : 1;
    size_t count = graph->values.len < room ? graph->values.len : room;
    double reach;

    find_range(graph);
    reach = graph->high - graph->low;
    if (isnan(reach))
        return;
    for (int row = height - 1; row >= 0; row--) {
        label(line, row == height - 1 ? graph->name : "");
        for (size_t i = 0; i < count; i++) {
            size_t at =
                count > 1 ? i * (graph->values.len - 1) / (count - 1) : graph->values.len - 1;
            double share = (graph->values.at[at] - graph->low) / reach;

            put_block(line->view, reach > 0 ? share : 0.5, row, height, &line->text);
        }
        buf_addf(&line->text, " %s", row == 0 ? graph->now : "");
        top_row(line, STYLE_GOOD);
    }
}

static void draw_graphs(struct top_line *line, const struct top_run *run,
                        const struct top_result *now)
{
    struct graph busy = {"GPU busy", now->busy, 0, 1, ""};
    struct graph watts = {"power", now->watts, 0, NAN, ""};
    struct graph loss = {"loss", now->loss, NAN, NAN, ""};
    struct buf text = buf_new(line->out->alloc, sizeof loss.now - 1);

    if (!isnan(run->gpu_busy))
        (void)snprintf(busy.now, sizeof busy.now, "%.0f%%", run->gpu_busy * 100);
    if (!isnan(run->watts))
        (void)snprintf(watts.now, sizeof watts.now, "%.0f W", run->watts);
    if (!isnan(run->loss)) {
        top_number(run->loss, &text);
        (void)snprintf(loss.now, sizeof loss.now, "%.*s", STR_ARG(buf_text(&text)));
    }
    buf_free(&text);
    top_row(line, STYLE_PLAIN);
    draw_graph(line, &busy);
    draw_graph(line, &watts);
    draw_graph(line, &loss);
}

void top_draw_details(struct top_line *line, const struct top_run *run,
                      const struct top_result *now)
{
    const struct top_event *events = now->events.at;

    draw_what(line, run);
    draw_money(line, run);
    draw_use(line, run);
    draw_graphs(line, run, now);
    top_row(line, STYLE_PLAIN);
    for (size_t i = 0; i < now->events.len; i++) {
        buf_addf(&line->text, "%.*s  ", STR_ARG(events[i].at));
        buf_add_safe(&line->text, events[i].kind);
        buf_adds(&line->text, "  ");
        buf_add_safe(&line->text, events[i].text);
        top_row(line, STYLE_PLAIN);
    }
    if (now->events.len == 0) {
        buf_adds(&line->text, "nothing has happened to it yet");
        top_row(line, STYLE_DIM);
    }
}
