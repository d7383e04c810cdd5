/* stint price diff */

#include "cli/commands.h"
#include "cli/view.h"
#include "op/price/price_diff.h"
#include "unit/shown.h"

/* No price at one of the moments is known: "-", not "?". */
static const struct column columns[] = {
    COLUMN("", jump, .yes = "!", .unknown = "", .if_any = true),
    COLUMN("change", change, .form = COLUMN_CHANGE, .otherwise = "kind"),
    COLUMN("from", before, .form = COLUMN_PRICE, .unknown = "-"),
    COLUMN("to", after, .form = COLUMN_PRICE, .unknown = "-"),
    COLUMN("market", market),
    COLUMN("offer", offer, .shrink = true),
    COLUMN("gpus", accelerator, .times = "count", .optional = true),
    COLUMN("feed", feed, .optional = true),
};

static enum term_style style_of_change(const void *row)
{
    return ((const struct price_change *)row)->jump ? STYLE_WARN : STYLE_PLAIN;
}

/* What could not be compared, and which days to give instead. */
static void print_unobserved(const struct view *view, const struct price_diff *res)
{
    const struct data_gap *gaps = res->gaps.at;

    if (res->unobserved == 0)
        return;
    buf_addf(view->out, "%lld price%s not compared: no data", (long long)res->unobserved,
             res->unobserved == 1 ? "" : "s");
    for (size_t i = 0; i < res->gaps.len; i++) {
        buf_adds(view->out, i == 0 ? " from " : ", nor from ");
        day_write(gaps[i].from, view->out);
        buf_adds(view->out, " to ");
        day_write(gaps[i].to, view->out);
    }
    buf_adds(view->out, "\nthe nearest days with data: ");
    for (size_t i = 0; i < res->gaps.len; i++) {
        buf_adds(view->out, i == 0 ? "" : ", ");
        day_write((day){gaps[i].from.n - 1}, view->out);
        buf_adds(view->out, ", ");
        day_write((day){gaps[i].to.n + 1}, view->out);
    }
    buf_char(view->out, '\n');
}

static void print_diff_totals(const struct view *view, const struct price_diff *res)
{
    bool nothing = res->compared == 0 && res->appeared == 0 && res->gone == 0;

    if (nothing)
        buf_adds(view->out, "no price is known on both days");
    else
        buf_addf(view->out, "%lld of %lld prices changed", (long long)res->changed,
                 (long long)res->compared);
    if (res->changed > 0) {
        buf_addf(view->out, " (%lld up, %lld down), median ", (long long)res->up,
                 (long long)res->down);
        value_change(res->median, view->out);
    }
    if (nothing)
        buf_char(view->out, '\n');
    else
        buf_addf(view->out, "; %lld appeared; %lld gone\n", (long long)res->appeared,
                 (long long)res->gone);
    print_unobserved(view, res);
    if (res->unknown > 0)
        buf_addf(view->out,
                 "%lld more are priced now but were unknown then: their history starts later\n",
                 (long long)res->unknown);
    if (res->unseen > 0)
        buf_addf(view->out, "%lld not seen since: they may have changed\n",
                 (long long)res->unseen);
    if (res->jumped > 0)
        buf_addf(view->out,
                 "%lld jumped ten times or more at once: possibly an error of the feed\n",
                 (long long)res->jumped);
}

static void print_price_diff(const struct view *view, const void *result)
{
    const struct price_diff_result *res = result;
    const struct price_diff *diff = &res->diff;
    const struct price_change *rows = diff->changes.at;
    int64_t all = diff->changed + diff->appeared + diff->gone;
    bool jumps = false;

    for (size_t i = 0; i < diff->changes.len; i++)
        jumps |= rows[i].jump;
    if (diff->changes.len > 0) {
        struct columns shown = {columns, ARRAY_LEN(columns) - !diff->several_feeds,
                                .style = style_of_change};

        view_rows(view, &op_price_diff, res, "changes", &shown);
        buf_char(view->out, '\n');
    }
    if (jumps)
        buf_adds(view->out, "! ten times or more, up or down\n");
    if ((int64_t)diff->changes.len < all)
        buf_addf(view->out, "the first %zu of %lld; --limit N shows more\n", diff->changes.len,
                 (long long)all);
    print_diff_totals(view, diff);
    buf_adds(view->out, "between ");
    view_moment(view, res->from);
    buf_adds(view->out, " and ");
    view_moment(view, res->to);
    buf_adds(view->out, "; the machine for an hour\n");
}

const struct command cmd_price_diff = {
    .name = "price diff",
    .op = &op_price_diff,
    .about = "Shows which prices changed between two days: before, after, and by how much; "
             "what is new and what is gone. A day means its end; 7d means a week ago. Prices "
             "in a gap of the data on one of the days are not compared. Offers that were not "
             "observed on the first day are counted as unknown, not as new; those not observed "
             "since then as not seen, not as unchanged. Changes below 0.01 % are rounding and "
             "do not count; those of ten times or more are marked.",
    .examples = "stint price diff 2026-08-01 2026-11-01\n"
                "stint price diff 7d --provider aws --gpu H100 --market spot\n"
                "stint price diff yesterday today --min-change 5% --sort price",
    .print = print_price_diff,
};
