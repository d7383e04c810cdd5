/* Drawing: the list of runs as wide as the terminal, or the details of one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "cli/run/cmd_top.h"
#include "cli/runs_view.h"
#include "render/columns.h"

#define GB 1e9
#define NAME_LEAST 10
#define NAME_MOST 40
#define BAR_CELLS 6
#define HEAD 4   /* rows above the list */
#define LABEL 11 /* columns of the names on the left */
#define TALL 40  /* rows of a terminal that has room for taller pictures */

/* Overwrite a row; but do not erase from the last column on, where the cursor stays after a
 * full row. */
static void put_top_row(const struct top_view *view, int row, struct str text,
                        enum term_style style, struct buf *out)
{
    struct str cut = view->printed ? text : term_cut(text, (size_t)view->columns);

    if (!view->printed)
        buf_addf(out, "\033[%d;1H", row);
    buf_adds(out, term_style_on(&view->term, style));
    buf_add(out, cut);
    buf_adds(out, term_style_off(&view->term, style));
    if (view->printed)
        buf_char(out, '\n');
    else if (term_columns(cut) < (size_t)view->columns)
        buf_adds(out, "\033[K");
}

/* Write line->text in this style as the next row, and empty it. Rows past the last but one are
 * left out: the last is for keys. */
static void top_row(struct top_line *line, enum term_style style)
{
    if (line->view->printed || line->row < line->view->rows - 1)
        put_top_row(line->view, ++line->row, buf_text(&line->text), style, line->out);
    buf_clear(&line->text);
}

static const char *top_state(const struct live_run *run)
{
    return run->silent ? "silent" : "running";
}

static void top_money(usd amount, struct buf *out)
{
    double dollars = usd_double(amount);

    if (isnan(dollars)) {
        buf_char(out, '?');
        return;
    }
    buf_char(out, '$');
    num_write_fixed(dollars, dollars != 0 && fabs(dollars) < 0.01 ? 4 : 2, out);
}

/* "███░░ 52%" of `cells`; nothing when the share is not known. */
static void top_bar(const struct top_view *view, double share, int cells, struct buf *out)
{
    if (isnan(share))
        return;
    for (int i = 0; i < cells; i++) {
        bool full = i < (int)(fmin(share, 1) * cells);

        buf_adds(out,
                 view->utf8 ? (full ? "\342\226\210" : "\342\226\221") : (full ? "#" : "-"));
    }
    buf_addf(out, " %3.0f%%", num_percent_used(fmin(share, 9.99)));
}

/* ---- the list ---- */

/* From left to right, by the titles of live_run_columns; `rank`: which have precedence when
 * there is little room. */
static const struct list_column {
    const char *title;
    int width, rank;
} columns[] = {
    {"name", NAME_LEAST, 0}, /* the remaining width */
    {"state", 7, 8},         {"time", 6, 3},
    {"cost", 9, 1},          {"of budget", 11, 4}, /* as a bar */
    {"$/hr", 8, 2},          {"busy", 5, 5},
    {"GPU GB", 9, 9},        {"W", 5, 10},
    {"cores", 5, 12},        {"step", 13, 11},
    {"loss", 8, 7},          {"left", 6, 6},
    {"in all", 9, 13},       {"score", 5, 14},
    {"user", 8, 15},         {"host", 16, 16},
};

#define LIST_COLUMNS ARRAY_LEN(columns)

/* How wide each is; 0 when there is no room for it. */
static void choose_columns(int room, const struct top_result *now,
                           int widths[static LIST_COLUMNS])
{
    const struct live_run *runs = now->runs.at;
    int used = NAME_LEAST, longest = NAME_LEAST;

    memset(widths, 0, LIST_COLUMNS * sizeof widths[0]);
    for (int rank = 1; rank < (int)LIST_COLUMNS; rank++)
        for (size_t i = 1; i < LIST_COLUMNS; i++)
            if (columns[i].rank == rank && used + 1 + columns[i].width <= room) {
                widths[i] = columns[i].width;
                used += 1 + widths[i];
            }
    for (size_t i = 0; i < now->runs.len; i++)
        if (term_columns(runs[i].run.start.name) > (size_t)longest)
            longest = (int)fmin((double)term_columns(runs[i].run.start.name), NAME_MOST);
    widths[0] = NAME_LEAST + room - used;
    widths[0] = widths[0] > longest ? longest : widths[0];
}

/* A cell of just this width: cut with "~", or filled with blanks. */
static void put_top_cell(struct buf *out, struct str text, int width, bool left)
{
    size_t taken = term_columns(text), room = (size_t)width;

    if (taken > room) {
        buf_add(out, term_cut(text, room - 1));
        buf_char(out, '~');
        return;
    }
    if (!left)
        buf_pad(out, ' ', room - taken);
    buf_add(out, text);
    if (left)
        buf_pad(out, ' ', room - taken);
}

static const struct column *live_column(const char *title)
{
    const struct column *at = live_run_columns[PLACE_SCREEN].at;

    while (strcmp(at->title, title) != 0)
        at++;
    return at;
}

static void put_columns(struct top_line *line, const int *widths, const struct live_run *run)
{
    struct buf cell = buf_new(line->out->alloc, (size_t)1 << 16);
    const struct column *column;

    for (size_t i = 0; i < LIST_COLUMNS; i++) {
        if (widths[i] == 0)
            continue;
        buf_clear(&cell);
        column = live_column(columns[i].title);
        if (run == NULL)
            buf_adds(&cell, columns[i].title);
        else if (column->form == COLUMN_USED)
            top_bar(line->view, run->run.budget_share, BAR_CELLS, &cell);
        else
            column_write(column, &live_run_fields, run, &cell);
        buf_adds(&line->text, i > 0 ? " " : "");
        put_top_cell(&line->text, buf_text(&cell), widths[i],
                     !column_right(column, &live_run_fields));
    }
    buf_free(&cell);
}

static void draw_head(struct top_line *line, const struct top_result *now)
{
    const char *dot = line->view->utf8 ? " \302\267 " : " | ";
    struct buf *text = &line->text;

    buf_addf(text, "stint top%s%lld run%s on %lld machine%s%s", dot,
             (long long)now->sum.running, num_plural(now->sum.running),
             (long long)now->sum.machines, num_plural(now->sum.machines), dot);
    top_money((usd){now->sum.rate.nano}, text);
    buf_adds(text, "/hr now");
    if (now->sum.rate_unknown > 0)
        buf_addf(text, ", %lld of unknown price", (long long)now->sum.rate_unknown);
    buf_adds(text, dot);
    stamp_write(now->at, text);
    top_row(line, STYLE_BOLD);

    buf_adds(text, "spent today ");
    top_money(now->spent.today, text);
    buf_addf(text, "%sthis month ", dot);
    top_money(now->spent.month, text);
    if (!currency_unset(now->spent.budget.currency)) {
        buf_adds(text, " of ");
        money_write(&now->spent.budget, text);
        buf_char(text, ' ');
        top_bar(line->view, now->spent.share, 10, text);
    }
    if (now->spent.month_unknown > 0)
        buf_addf(text, "%s%lld of unknown cost", dot, (long long)now->spent.month_unknown);
    top_row(line, now->spent.share >= 0.9 ? STYLE_WARN : STYLE_PLAIN);
    top_row(line, STYLE_PLAIN);
}

static void draw_run(struct top_line *line, const int *widths, const struct live_run *run,
                     bool chosen)
{
    put_columns(line, widths, run);
    if (!chosen) {
        top_row(line, live_run_style(run));
        return;
    }
    buf_adds(line->out, "\033[7m");
    top_row(line, STYLE_PLAIN);
    buf_adds(line->out, "\033[0m");
}

static void draw_list(struct top_line *line, const struct top_result *now)
{
    const struct live_run *runs = now->runs.at, *chosen = top_selected(line->view, now);
    size_t room = (size_t)(line->view->rows > HEAD + 1 ? line->view->rows - HEAD - 1 : 1);
    size_t place, first = 0;
    int widths[LIST_COLUMNS];

    choose_columns(line->view->columns, now, widths);
    put_columns(line, widths, NULL);
    top_row(line, STYLE_DIM);
    if (chosen == NULL) {
        buf_adds(&line->text,
                 now->no_ledger ? "nothing has been run yet: " : "nothing is running: ");
        buf_adds(&line->text, "'stint run -- COMMAND' starts something");
        top_row(line, STYLE_PLAIN);
        return;
    }
    place = (size_t)(chosen - runs);
    if (now->runs.len > room && place >= room / 2) { /* the chosen one in the middle */
        first = place - room / 2;
        first = first > now->runs.len - room ? now->runs.len - room : first;
    }
    for (size_t i = first; i < now->runs.len && i < first + room; i++)
        draw_run(line, widths, &runs[i], &runs[i] == chosen);
}

/* ---- one run: what it is, its progress, its events ---- */

static void put_label(struct top_line *line, const char *name)
{
    buf_addf(&line->text, "%-*s", LABEL, name);
}

static void draw_what(struct top_line *line, const struct live_run *run)
{
    struct buf *text = &line->text;

    buf_add_safe(text, run->run.start.name);
    buf_addf(text, "  %.*s  %s", STR_ARG(ledger_short(run->run.start.id)), top_state(run));
    if (run->silent_s > 15)
        buf_addf(text, " for %.0f s", run->silent_s);
    if (run->run.attempt_count > 1)
        buf_addf(text, "  attempt %d", run->run.attempt_count);
    if (!isnan(run->run.totals.score))
        buf_addf(text, "  score %.0f", run->run.totals.score);
    top_row(line, STYLE_BOLD);
    put_label(line, "command");
    buf_add_safe(text, run->run.start.command);
    top_row(line, STYLE_PLAIN);
    put_label(line, "where");
    buf_add_safe(text, run->run.start.user);
    buf_char(text, '@');
    buf_add_safe(text, run->host);
    buf_char(text, ' ');
    buf_add_safe(text, run->run.start.folder);
    top_row(line, STYLE_PLAIN);
    put_label(line, "since");
    stamp_write(run->run.start.started, text);
    buf_adds(text, run->run.totals.elapsed.ns >= 0 ? ", ran for " : "");
    if (run->run.totals.elapsed.ns >= 0)
        status_span(run->run.totals.elapsed, "", text);
    top_row(line, STYLE_PLAIN);
}

static void draw_money(struct top_line *line, const struct live_run *run)
{
    bool over = live_run_over(run);
    struct buf *text = &line->text;

    put_label(line, "cost");
    top_money(run->run.totals.cost, text);
    if (run->run.start.budget.nano != MONEY_UNKNOWN) {
        buf_adds(text, " of ");
        top_money(run->run.start.budget, text);
        buf_char(text, ' ');
        top_bar(line->view, run->run.budget_share, 20, text);
    }
    buf_adds(text, ", ");
    top_money((usd){run->rate.nano}, text);
    buf_adds(text, "/hr");
    if (run->machine_rate.nano != MONEY_UNKNOWN && run->machine_rate.nano != run->rate.nano) {
        buf_adds(text, " of ");
        top_money((usd){run->machine_rate.nano}, text);
        buf_adds(text, "/hr");
        view_share(text, run->run.totals.pays, run->run.totals.sharers,
                   usd_per_hour_double(run->rate) / usd_per_hour_double(run->machine_rate),
                   true);
    }
    top_row(line, run->run.budget_share >= 0.9 ? STYLE_WARN : STYLE_PLAIN);
    put_label(line, "remaining");
    if (run->left.ns >= 0) {
        status_span(run->left, "", text);
        buf_adds(text, " at this pace");
        if (run->projected.nano != MONEY_UNKNOWN) {
            buf_adds(text, ", ");
            top_money(run->projected, text);
            buf_adds(text, over ? " in total: more than the budget" : " in total");
        }
    } else {
        buf_adds(text, "? (it does not report how much is left)");
    }
    top_row(line, over ? STYLE_WARN : STYLE_PLAIN);
}

static void draw_run_use(struct top_line *line, const struct live_run *run)
{
    struct buf *text = &line->text;

    put_label(line, "uses");
    if (run->run.totals.gpus > 0) {
        buf_addf(text, "%dx ", run->run.totals.gpus);
        buf_add_safe(text, run->run.totals.gpu);
    } else {
        buf_adds(text, "no GPU");
    }
    view_device_memory(text, run->now.gpu_memory, run->run.totals.gpu_memory_total,
                       run->now.gpu_memory_run);
    if (!isnan(run->now.cpu_cores)) {
        buf_adds(text, ", ");
        num_write_fixed(run->now.cpu_cores, 1, text);
        buf_adds(text, " cores");
    }
    if (!isnan(run->now.memory))
        buf_addf(text, ", %.1f GB of memory", run->now.memory / GB);
    top_row(line, STYLE_PLAIN);
    if (isnan(run->run.totals.step))
        return;
    put_label(line, "step");
    buf_addf(text, "%.0f", run->run.totals.step);
    if (!isnan(run->run.totals.steps))
        buf_addf(text, " of %.0f", run->run.totals.steps);
    if (!isnan(run->steps_rate)) {
        buf_adds(text, ", ");
        status_number(run->steps_rate, text);
        buf_adds(text, " a second");
    }
    top_row(line, STYLE_PLAIN);
}

/* "96% 0% 97%": one that is idle beside the others is seen at once. */
static void draw_devices(struct top_line *line, const struct numbers *devices)
{
    if (devices->len < 2)
        return;
    put_label(line, "each GPU");
    for (size_t i = 0; i < devices->len; i++) {
        buf_adds(&line->text, i > 0 ? " " : "");
        if (isnan(devices->at[i]))
            buf_char(&line->text, '?');
        else
            buf_addf(&line->text, "%.0f%%", devices->at[i] * 100);
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
        put_label(line, row == height - 1 ? graph->name : "");
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

static void draw_graphs(struct top_line *line, const struct live_run *run,
                        const struct top_result *now)
{
    struct graph busy = {"GPU busy", now->details.busy, 0, 1, ""};
    struct graph watts = {"power", now->details.watts, 0, NAN, ""};
    struct graph loss = {"loss", now->details.loss, NAN, NAN, ""};
    struct buf text = buf_new(line->out->alloc, sizeof loss.now - 1);

    if (!isnan(run->now.gpu_busy))
        (void)snprintf(busy.now, sizeof busy.now, "%.0f%%", run->now.gpu_busy * 100);
    if (!isnan(run->now.watts))
        (void)snprintf(watts.now, sizeof watts.now, "%.0f W", run->now.watts);
    if (!isnan(run->run.totals.loss)) {
        status_number(run->run.totals.loss, &text);
        (void)snprintf(loss.now, sizeof loss.now, "%.*s", STR_ARG(buf_text(&text)));
    }
    buf_free(&text);
    top_row(line, STYLE_PLAIN);
    draw_graph(line, &busy);
    draw_graph(line, &watts);
    draw_graph(line, &loss);
}

void top_draw_details(struct top_line *line, const struct live_run *run,
                      const struct top_result *now)
{
    const struct ledger_happening *events = now->details.events.at;

    draw_what(line, run);
    draw_money(line, run);
    draw_run_use(line, run);
    draw_devices(line, &now->details.devices);
    draw_graphs(line, run, now);
    top_row(line, STYLE_PLAIN);
    for (size_t i = 0; i < now->details.events.len; i++) {
        stamp_write(events[i].at, &line->text);
        buf_adds(&line->text, "  ");
        buf_add_safe(&line->text, events[i].kind);
        buf_adds(&line->text, "  ");
        buf_add_safe(&line->text, events[i].text);
        top_row(line, STYLE_PLAIN);
    }
    if (now->details.events.len == 0) {
        buf_adds(&line->text, "no events yet");
        top_row(line, STYLE_DIM);
    }
}

/* ---- the screen ---- */

static void draw_keys(struct top_line *line, const struct top_result *now)
{
    const struct top_view *view = line->view;
    const struct live_run *run = top_selected(view, now);
    enum term_style style = view->confirm || view->message[0] != '\0' ? STYLE_WARN : STYLE_DIM;
    struct buf *text = &line->text;

    if (view->confirm && run != NULL) {
        buf_adds(text, "stop ");
        buf_add_safe(text, run->run.start.name);
        buf_adds(text, "? It saves first. y: yes, any other key: no");
    } else if (view->message[0] != '\0') {
        buf_add_safe(text, str_from(view->message));
    } else {
        buf_addf(text, "q quit  %s select  enter %s  s sort by %s  x stop",
                 view->utf8 ? "\342\206\221\342\206\223" : "j/k",
                 view->details ? "list" : "details", top_sorts[view->sort]);
    }
    put_top_row(view, view->rows, buf_text(text), style, line->out);
}

void top_draw(const struct top_view *view, const struct top_result *now, struct buf *out)
{
    struct top_line line = {
        .view = view, .out = out, .text = buf_new(out->alloc, (size_t)1 << 16)};
    const struct live_run *run = top_selected(view, now);

    if (view->rows > 0 && view->columns > 0) {
        draw_head(&line, now);
        if (view->details && run != NULL)
            top_draw_details(&line, run, now);
        else
            draw_list(&line, now);
        while (line.row < view->rows - 1) /* erase what was there before */
            top_row(&line, STYLE_PLAIN);
        draw_keys(&line, now);
    }
    buf_free(&line.text);
}
