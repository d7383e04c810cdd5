/* The list of what runs, as wide as the terminal. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "cli/cmd_top.h"

#define GB 1e9
#define NAME_LEAST 10
#define NAME_MOST 40
#define BAR_CELLS 6
#define HEAD 4 /* rows above the list */

/* At the start of a row. What was there goes; but not from the last column on, where the cursor
 * stays after a row that is full. */
static void put_row(const struct top_view *view, int row, struct str text,
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

void top_row(struct top_line *line, enum term_style style)
{
    if (line->view->printed || line->row < line->view->rows - 1)
        put_row(line->view, ++line->row, buf_text(&line->text), style, line->out);
    buf_clear(&line->text);
}

bool top_over(const struct top_run *run)
{
    return run->projected.nano > 0 && run->budget.nano > 0 &&
           run->projected.nano > run->budget.nano;
}

void top_money(usd amount, struct buf *out)
{
    double dollars = usd_double(amount);

    if (isnan(dollars)) {
        buf_char(out, '?');
        return;
    }
    buf_char(out, '$');
    num_write_fixed(dollars, dollars != 0 && fabs(dollars) < 0.01 ? 4 : 2, out);
}

void top_bar(const struct top_view *view, double share, int cells, struct buf *out)
{
    if (isnan(share))
        return;
    for (int i = 0; i < cells; i++) {
        bool full = i < (int)(fmin(share, 1) * cells);

        buf_adds(out,
                 view->utf8 ? (full ? "\342\226\210" : "\342\226\221") : (full ? "#" : "-"));
    }
    buf_addf(out, " %3.0f%%", fmin(share, 9.99) * 100); /* rounded as the money is */
}

static void put_name(const struct top_view *view, const struct top_run *run, struct buf *out)
{
    (void)view;
    buf_add_safe(out, run->name);
}

static void put_state(const struct top_view *view, const struct top_run *run, struct buf *out)
{
    (void)view;
    buf_add(out, run->state);
}

static void put_time(const struct top_view *view, const struct top_run *run, struct buf *out)
{
    (void)view;
    if (run->elapsed.ns >= 0)
        top_span(run->elapsed, out);
}

static void put_cost(const struct top_view *view, const struct top_run *run, struct buf *out)
{
    (void)view;
    top_money(run->cost, out);
}

static void put_budget(const struct top_view *view, const struct top_run *run, struct buf *out)
{
    top_bar(view, run->of_budget, BAR_CELLS, out);
}

static void put_rate(const struct top_view *view, const struct top_run *run, struct buf *out)
{
    (void)view;
    top_money((usd){run->rate.nano}, out);
}

static void put_busy(const struct top_view *view, const struct top_run *run, struct buf *out)
{
    (void)view;
    if (!isnan(run->gpu_busy))
        buf_addf(out, "%.0f%%", run->gpu_busy * 100);
}

static void put_memory(const struct top_view *view, const struct top_run *run, struct buf *out)
{
    double memory = isnan(run->gpu_memory_run) ? run->gpu_memory : run->gpu_memory_run;

    (void)view;
    if (!isnan(memory) && !isnan(run->gpu_memory_total))
        buf_addf(out, "%.0f/%.0f", memory / GB, run->gpu_memory_total / GB);
    else if (!isnan(memory))
        buf_addf(out, "%.1f", memory / GB);
}

static void put_watts(const struct top_view *view, const struct top_run *run, struct buf *out)
{
    (void)view;
    if (!isnan(run->watts))
        buf_addf(out, "%.0f", run->watts);
}

static void put_cores(const struct top_view *view, const struct top_run *run, struct buf *out)
{
    (void)view;
    if (!isnan(run->cpu_cores))
        num_write_fixed(run->cpu_cores, 1, out);
}

static void put_step(const struct top_view *view, const struct top_run *run, struct buf *out)
{
    (void)view;
    if (!isnan(run->step))
        buf_addf(out, "%.0f", run->step);
    if (!isnan(run->step) && !isnan(run->steps))
        buf_addf(out, "/%.0f", run->steps);
}

static void put_loss(const struct top_view *view, const struct top_run *run, struct buf *out)
{
    (void)view;
    if (!isnan(run->loss))
        top_number(run->loss, out);
}

static void put_left(const struct top_view *view, const struct top_run *run, struct buf *out)
{
    (void)view;
    if (run->left.ns >= 0)
        top_span(run->left, out);
}

static void put_projected(const struct top_view *view, const struct top_run *run,
                          struct buf *out)
{
    (void)view;
    if (run->projected.nano != MONEY_UNKNOWN)
        top_money(run->projected, out);
    if (top_over(run))
        buf_char(out, '!');
}

static void put_score(const struct top_view *view, const struct top_run *run, struct buf *out)
{
    (void)view;
    if (!isnan(run->score))
        buf_addf(out, "%.0f", run->score);
}

static void put_where(const struct top_view *view, const struct top_run *run, struct buf *out)
{
    (void)view;
    buf_add_safe(out, run->user);
    buf_char(out, '@');
    buf_add_safe(out, run->host);
}

/* In the order in which they stand; `rank`: who goes first when there is little room. */
static const struct column {
    const char *title;
    int width, rank;
    bool left;
    void (*put)(const struct top_view *view, const struct top_run *run, struct buf *out);
} columns[] = {
    {"name", NAME_LEAST, 0, true, put_name}, /* has what is left */
    {"state", 7, 8, true, put_state},        {"time", 6, 3, false, put_time},
    {"cost", 9, 1, false, put_cost},         {"of budget", 11, 4, false, put_budget},
    {"$/hr", 8, 2, false, put_rate},         {"GPU", 4, 5, false, put_busy},
    {"GPU GB", 9, 9, false, put_memory},     {"W", 5, 10, false, put_watts},
    {"cores", 5, 12, false, put_cores},      {"step", 13, 11, false, put_step},
    {"loss", 8, 7, false, put_loss},         {"left", 6, 6, false, put_left},
    {"in all", 9, 13, false, put_projected}, {"score", 5, 14, false, put_score},
    {"where", 20, 15, true, put_where},
};

#define COLUMNS ARRAY_LEN(columns)

/* How wide each is; 0 when there is no room for it. */
static void choose_columns(int room, const struct top_result *now, int widths[static COLUMNS])
{
    const struct top_run *runs = now->runs.at;
    int used = NAME_LEAST, longest = NAME_LEAST;

    memset(widths, 0, COLUMNS * sizeof widths[0]);
    for (int rank = 1; rank < (int)COLUMNS; rank++)
        for (size_t i = 1; i < COLUMNS; i++)
            if (columns[i].rank == rank && used + 1 + columns[i].width <= room) {
                widths[i] = columns[i].width;
                used += 1 + widths[i];
            }
    for (size_t i = 0; i < now->runs.len; i++)
        if (term_columns(runs[i].name) > (size_t)longest)
            longest = (int)fmin((double)term_columns(runs[i].name), NAME_MOST);
    widths[0] = NAME_LEAST + room - used;
    widths[0] = widths[0] > longest ? longest : widths[0];
}

/* A cell of just this width: cut with "~", or filled with blanks. */
static void put_cell(struct buf *out, struct str text, int width, bool left)
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

static void put_columns(struct top_line *line, const int *widths, const struct top_run *run)
{
    struct buf cell = buf_new(line->out->alloc, (size_t)1 << 16);

    for (size_t i = 0; i < COLUMNS; i++) {
        if (widths[i] == 0)
            continue;
        buf_clear(&cell);
        if (run != NULL)
            columns[i].put(line->view, run, &cell);
        else
            buf_adds(&cell, columns[i].title);
        buf_adds(&line->text, i > 0 ? " " : "");
        put_cell(&line->text, buf_text(&cell), widths[i], columns[i].left);
    }
    buf_free(&cell);
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static void draw_head(struct top_line *line, const struct top_result *now)
{
    const char *dot = line->view->utf8 ? " \302\267 " : " | ";
    struct buf *text = &line->text;

    buf_addf(text, "stint top%s%lld run%s on %lld machine%s%s", dot, (long long)now->running,
             plural(now->running), (long long)now->machines, plural(now->machines), dot);
    top_money((usd){now->rate.nano}, text);
    buf_adds(text, "/hr now");
    if (now->rate_unknown > 0)
        buf_addf(text, ", %lld of unknown price", (long long)now->rate_unknown);
    buf_addf(text, "%s%.*s", dot, STR_ARG(now->at));
    top_row(line, STYLE_BOLD);

    buf_adds(text, "spent today ");
    top_money(now->today, text);
    buf_addf(text, "%sthis month ", dot);
    top_money(now->month, text);
    if (now->budget.currency[0] != '\0') {
        buf_adds(text, " of ");
        money_write(&now->budget, text);
        buf_char(text, ' ');
        top_bar(line->view, now->of_budget, 10, text);
    }
    if (now->month_unknown > 0)
        buf_addf(text, "%s%lld of unknown cost", dot, (long long)now->month_unknown);
    top_row(line, now->of_budget >= 0.9 ? STYLE_WARN : STYLE_PLAIN);
    top_row(line, STYLE_PLAIN);
}

static void draw_run(struct top_line *line, const int *widths, const struct top_run *run,
                     bool chosen)
{
    bool late = str_eq(run->state, STR("silent")) || top_over(run);

    put_columns(line, widths, run);
    if (!chosen) {
        top_row(line, late || run->of_budget >= 0.9 ? STYLE_WARN : STYLE_PLAIN);
        return;
    }
    buf_adds(line->out, "\033[7m");
    top_row(line, STYLE_PLAIN);
    buf_adds(line->out, "\033[0m");
}

static void draw_list(struct top_line *line, const struct top_result *now)
{
    const struct top_run *runs = now->runs.at, *chosen = top_selected(line->view, now);
    size_t room = (size_t)(line->view->rows > HEAD + 1 ? line->view->rows - HEAD - 1 : 1);
    size_t place, first = 0;
    int widths[COLUMNS];

    choose_columns(line->view->columns, now, widths);
    put_columns(line, widths, NULL);
    top_row(line, STYLE_DIM);
    if (chosen == NULL) {
        buf_adds(&line->text, now->none_yet ? "nothing was run yet: " : "nothing runs: ");
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

static void draw_keys(struct top_line *line, const struct top_result *now)
{
    const struct top_view *view = line->view;
    const struct top_run *run = top_selected(view, now);
    enum term_style style = view->confirm || view->message[0] != '\0' ? STYLE_WARN : STYLE_DIM;
    struct buf *text = &line->text;

    if (view->confirm && run != NULL) {
        buf_adds(text, "stop ");
        buf_add_safe(text, run->name);
        buf_adds(text, " in good order? y: yes, any other key: no");
    } else if (view->message[0] != '\0') {
        buf_add_safe(text, str_from(view->message));
    } else {
        buf_addf(text, "q quit  %s select  enter %s  s sort by %s  x stop",
                 view->utf8 ? "\342\206\221\342\206\223" : "j/k",
                 view->details ? "list" : "details", top_sorts[view->sort]);
    }
    put_row(view, view->rows, buf_text(text), style, line->out);
}

void top_draw(const struct top_view *view, const struct top_result *now, struct buf *out)
{
    struct top_line line = {
        .view = view, .out = out, .text = buf_new(out->alloc, (size_t)1 << 16)};
    const struct top_run *run = top_selected(view, now);

    if (view->rows > 0 && view->columns > 0) {
        draw_head(&line, now);
        if (view->details && run != NULL)
            top_draw_details(&line, run, now);
        else
            draw_list(&line, now);
        while (line.row < view->rows - 1) /* nothing stays of what was there before */
            top_row(&line, STYLE_PLAIN);
        draw_keys(&line, now);
    }
    buf_free(&line.text);
}
