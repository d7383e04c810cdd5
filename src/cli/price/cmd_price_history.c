/* stint price history */
#include <math.h>
#include <string.h>

#include "base/fs.h"
#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/price/price_history.h"
#include "unit/shown.h"

static void put_history_percent(const struct view *view, double share, const char *sign)
{
    if (isnan(share))
        buf_char(view->out, '?');
    else
        buf_addf(view->out, "%s%.*f %%", share > 0 ? sign : "", fabs(share) < 0.1 ? 1 : 0,
                 share * 100);
}

/* The trend as bars, one for each piece; blank where there was no price. */
static void put_bars(const struct view *view, const struct rows *trend)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const plain[] = {"_", ".", "-", ":", "=", "+", "*", "#"};
    const char *term = env_get("TERM");
    const char *const *bars = term != NULL && strcmp(term, "dumb") == 0 ? plain : blocks;
    const struct history_piece *pieces = trend->at;
    double low = NAN, high = NAN;

    for (size_t i = 0; i < trend->len; i++) {
        low = fmin(low, pieces[i].price); /* of a NaN and a number fmin() is the number */
        high = fmax(high, pieces[i].price);
    }
    for (size_t i = 0; i < trend->len; i++) {
        double part = high > low ? (pieces[i].price - low) / (high - low) : 0.5;

        if (isnan(pieces[i].price))
            buf_char(view->out, ' ');
        else
            buf_adds(view->out, bars[(size_t)(part * 7.999)]);
    }
}

static void put_now(const struct view *view, const struct history_series *s)
{
    view_label(view, "price");
    if (!s->gone && currency_unset(s->current.currency)) {
        buf_adds(view->out, "unknown: no data since ");
        view_moment(view, s->since);
    } else if (s->gone) {
        buf_adds(view->out, s->since.s > 0 ? "gone since " : "not known in this window");
        view_moment(view, s->since);
    } else {
        value_price(&s->current, view->out);
        buf_adds(view->out, " since ");
        view_moment(view, s->since);
    }
    buf_adds(view->out, "; last seen ");
    view_moment(view, s->seen);
    buf_char(view->out, '\n');
}

/* Did it have one price and no gap? */
static bool never_moved(const struct history_series *s)
{
    return s->changes == 0 && !s->gone && s->covered >= 1;
}

static int gap_days(const struct data_gap *gap)
{
    return gap->to.n - gap->from.n + 1;
}

/* What is not known of the window: days without data, and the time before the first price. */
static void put_gaps(const struct view *view, const struct history_series *s)
{
    const struct data_gap *gaps = s->gaps.at, *longest = gaps;
    int days = 0;

    for (size_t i = 0; i < s->gaps.len; i++) {
        days += gap_days(&gaps[i]);
        longest = gap_days(&gaps[i]) > gap_days(longest) ? &gaps[i] : longest;
    }
    if (s->gaps.len > 0) {
        view_label(view, "gaps");
        buf_addf(view->out, "no data for %d day%s, ", days, days == 1 ? "" : "s");
        if (s->gaps.len > 1)
            buf_addf(view->out, "in %zu gaps; the longest ", s->gaps.len);
        day_write(longest->from, view->out);
        buf_adds(view->out, " to ");
        day_write(longest->to, view->out);
        buf_adds(view->out, ": left out of all numbers\n");
    }
    if (s->from.s < s->first.s) {
        view_label(view, "stored since");
        view_moment(view, s->first);
        buf_char(view->out, '\n');
    }
}

static void put_history_range(const struct view *view, const struct history_series *s)
{
    if (!(s->covered > 0)) {
        put_gaps(view, s);
        return;
    }
    view_label(view, "min, mean, max");
    value_price(&s->min, view->out);
    buf_adds(view->out, "  ");
    value_price(&s->mean, view->out);
    buf_adds(view->out, "  ");
    value_price(&s->max, view->out);
    if (!isnan(s->change) && s->changes > 0) {
        buf_adds(view->out, "; ");
        put_history_percent(view, s->change, "+");
        buf_addf(view->out, " over %lld change%s", (long long)s->changes,
                 s->changes == 1 ? "" : "s");
    }
    buf_char(view->out, '\n');
    if (!isnan(s->cheaper_than)) {
        view_label(view, "rank");
        buf_addf(view->out, "cheaper than %s of the time; as cheap or cheaper %s\n",
                 percent_text(s->cheaper_than).text, percent_text(s->percentile).text);
    }
    if (s->covered < s->observed) {
        view_label(view, "gone");
        put_history_percent(view, 1 - s->covered / s->observed, "");
        buf_adds(view->out, " of the time\n");
    }
    put_gaps(view, s);
}

/* What no market does: check it before trusting the other numbers. */
static void put_jumps(const struct view *view, const struct history_series *s)
{
    bool up = s->largest_jump > 1;

    if (s->jumps == 0)
        return;
    view_label(view, "jumps");
    buf_addf(view->out, "%lld of ten times or more; the largest to ", (long long)s->jumps);
    if (!up)
        buf_adds(view->out, "1/");
    num_write_fixed(up ? s->largest_jump : 1 / s->largest_jump, 1, view->out);
    buf_adds(view->out, up ? " times on " : " on ");
    view_moment(view, s->jump_at);
    buf_adds(view->out, ": possibly an error of the feed\n");
}

static void put_trend(const struct view *view, const struct history_series *s)
{
    if (!(s->covered > 0))
        return;
    view_label(view, "trend");
    put_bars(view, &s->trend);
    buf_adds(view->out, "\n");
    view_label(view, "");
    view_moment(view, s->from);
    buf_adds(view->out, " to ");
    view_moment(view, s->until);
    buf_char(view->out, '\n');
}

static void put_moves(const struct view *view, const struct history_series *s)
{
    if (isnan(s->daily))
        return;
    view_label(view, "moves");
    put_history_percent(view, s->daily, "");
    buf_adds(view->out, " a day (standard deviation)");
    if (!isnan(s->weekly)) {
        buf_adds(view->out, ", ");
        put_history_percent(view, s->weekly, "");
        buf_adds(view->out, " a week (mean; 95 of 100 weeks below ");
        put_history_percent(view, s->weekly_p95, "");
        buf_char(view->out, ')');
    }
    buf_char(view->out, '\n');
    if (s->daily_range > 0.01) {
        view_label(view, "");
        put_history_percent(view, s->daily_range, "");
        buf_adds(view->out, " between the highest and the lowest of a day (mean)\n");
    }
}

/* Seven ratios fit in a line; of 168 only the two ends. */
static void put_pattern(const struct view *view, const char *label,
                        const struct history_pattern *p)
{
    const struct history_slot *slots = p->slots.at;

    if (p->found == PATTERN_TOO_SHORT)
        return;
    view_label(view, label);
    if (p->found == PATTERN_TOO_COARSE) {
        buf_adds(view->out, "unknown: changes are seen once a day\n");
        return;
    }
    if (p->slots.len == 0) {
        buf_addf(view->out, "no pattern beyond chance in %lld weeks\n", (long long)p->weeks);
        return;
    }
    for (size_t i = 0; i < p->slots.len && p->slots.len == WEEK_DAYS; i++) {
        buf_add_safe(view->out, slots[i].slot);
        buf_addf(view->out, " %.3f%s", slots[i].ratio, i + 1 < p->slots.len ? "  " : "\n");
    }
    if (p->slots.len == WEEK_DAYS)
        view_label(view, "");
    buf_adds(view->out, "cheapest ");
    buf_add_safe(view->out, p->cheapest);
    buf_adds(view->out, ", most expensive ");
    buf_add_safe(view->out, p->most_expensive);
    buf_adds(view->out, " UTC: ");
    put_history_percent(view, p->swing, "");
    buf_addf(view->out, " apart, over %lld weeks\n", (long long)p->weeks);
}

static void put_history_series(const struct view *view, const struct history_series *s,
                               bool zones)
{
    buf_addf(view->out, "\n%s", term_style_on(&view->term, STYLE_BOLD));
    buf_adds(view->out, market_names[s->market]);
    buf_adds(view->out, term_style_off(&view->term, STYLE_BOLD));
    if (zones) {
        buf_adds(view->out, " of ");
        buf_add_safe(view->out, s->offer);
    }
    buf_adds(view->out, ", by ");
    buf_add_safe(view->out, s->feed.feed);
    buf_adds(view->out, " (");
    buf_adds(view->out, confidence_names[s->feed.confidence]);
    buf_adds(view->out, ")\n");
    put_now(view, s);
    if (never_moved(s)) {
        view_label(view, "moves");
        buf_adds(view->out, "not at all in this window\n");
    } else {
        put_history_range(view, s);
        put_jumps(view, s);
        put_trend(view, s);
        put_moves(view, s);
        put_pattern(view, "by weekday", &s->weekdays);
        put_pattern(view, "by hour", &s->hours);
    }
    for (size_t i = 0; i < s->doubts.len; i++) {
        view_label(view, "doubtful");
        buf_add_safe(view->out, s->doubts.at[i]);
        buf_char(view->out, '\n');
    }
}

static void print_price_history(const struct view *view, const void *result)
{
    const struct price_history_result *res = result;
    const struct history_series *rows = res->series.at;
    bool zones = false;

    for (size_t i = 1; i < res->series.len; i++)
        zones |= !str_eq(rows[i].offer, rows[0].offer);
    buf_add_safe(view->out, res->offer);
    buf_adds(view->out, ": ");
    num_write(res->chosen.count, view->out);
    buf_adds(view->out, "x ");
    buf_add_safe(view->out, res->chosen.accelerator);
    buf_addf(view->out, ", %lld days\n", (long long)res->days);
    for (size_t i = 0; i < res->series.len; i++)
        put_history_series(view, &rows[i], zones);
    buf_adds(view->out, "\nthe machine for an hour; means are weighted by time\n");
}

const struct command cmd_price_history = {
    .name = "price history",
    .op = &op_price_history,
    .about = "Shows what one machine cost over the last days: lowest, mean, highest and "
             "current price, how often it was higher, how much it moves, and patterns by day "
             "and hour of the week. Each market and each feed is shown separately: feeds that "
             "differ are not averaged. Omitted parts of OFFER select the cheapest.",
    .examples = "stint price history p4d.24xlarge:spot\n"
                "stint price history aws/us-east-1/p5.48xlarge --days 90\n"
                "stint price history gcp/a2-highgpu-1g --market spot --zones --json",
    .print = print_price_history,
};
