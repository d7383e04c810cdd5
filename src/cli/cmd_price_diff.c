/* stint price diff */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/price/price_diff.h"

static void change_cell(struct table *t, const struct price_change *c)
{
    if (isnan(c->change))
        table_text(t, c->kind);
    else
        table_cell(t, "%s%.*f %%", c->change > 0 ? "+" : "", fabs(c->change) < 0.001 ? 2 : 1,
                   c->change * 100);
}

static void price_cell(struct table *t, const struct money *price)
{
    if (price->currency[0] == '\0')
        table_text(t, STR("-")); /* there was none, which is known */
    else
        view_price(t, price);
}

static void print_totals(const struct view *view, const struct price_diff_result *res)
{
    buf_addf(view->out, "%lld of %lld prices changed", (long long)res->changed,
             (long long)res->compared);
    if (res->changed > 0) {
        buf_addf(view->out, " (%lld up, %lld down), median ", (long long)res->up,
                 (long long)res->down);
        buf_adds(view->out, res->median > 0 ? "+" : "");
        num_write_fixed(res->median * 100, 1, view->out);
        buf_adds(view->out, " %");
    }
    buf_addf(view->out, "; %lld appeared; %lld gone\n", (long long)res->appeared,
             (long long)res->gone);
    if (res->unknown > 0)
        buf_addf(view->out,
                 "%lld more are priced now but were unknown then: their history starts later\n",
                 (long long)res->unknown);
    if (res->unseen > 0)
        buf_addf(view->out, "%lld not seen since: nobody knows whether they changed\n",
                 (long long)res->unseen);
    if (res->jumped > 0)
        buf_addf(view->out,
                 "%lld jumped ten times or more at once: possibly an error of the feed\n",
                 (long long)res->jumped);
}

static void print_price_diff(const struct view *view, const void *result)
{
    struct table_column columns[] = {
        {.title = ""},
        {.title = "change", .right = true},
        {.title = "from", .right = true},
        {.title = "to", .right = true},
        {.title = "market"},
        {.title = "offer", .shrink = true},
        {.title = "gpus", .optional = true},
        {.title = "feed", .optional = true},
    };
    const struct price_diff_result *res = result;
    const struct price_change *rows = res->changes.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);
    int64_t all = res->changed + res->appeared + res->gone;

    columns[0].hidden = true;
    columns[7].hidden = !res->several_feeds;
    for (size_t i = 0; i < res->changes.len; i++) {
        columns[0].hidden &= !rows[i].jump;
        table_text(&t, rows[i].jump ? STR("!") : STR(""));
        change_cell(&t, &rows[i]);
        price_cell(&t, &rows[i].before);
        price_cell(&t, &rows[i].after);
        table_text(&t, rows[i].market);
        table_text(&t, rows[i].offer);
        table_cell(&t, "%.4gx %.*s", rows[i].count, STR_ARG(rows[i].accelerator));
        table_text(&t, rows[i].feed);
        table_style(&t, rows[i].jump ? STYLE_WARN : STYLE_PLAIN);
    }
    if (res->changes.len > 0) {
        table_write(&t, &view->term, view->out);
        buf_char(view->out, '\n');
    }
    if (!columns[0].hidden)
        buf_adds(view->out, "! ten times or more, up or down\n");
    if ((int64_t)res->changes.len < all)
        buf_addf(view->out, "the first %zu of %lld; --limit N shows more\n", res->changes.len,
                 (long long)all);
    print_totals(view, res);
    buf_adds(view->out, "between ");
    buf_add_safe(view->out, res->from);
    buf_adds(view->out, " and ");
    buf_add_safe(view->out, res->to);
    buf_adds(view->out, "; the machine for an hour\n");
}

const struct command cmd_price_diff = {
    .name = "price diff",
    .op = &op_price_diff,
    .about =
        "Which prices changed between two days: before, after, and by how much; what\n"
        "appeared and what is gone. A day means its end; 7d means a week ago. Offers of\n"
        "which nothing is known at the first day are counted as unknown, not as new; those\n"
        "that nobody saw since the first day as not seen, not as unchanged. Changes below\n"
        "0.01 % are rounding and do not count; those of ten times or more are marked.",
    .examples = "stint price diff 2026-08-01 2026-11-01\n"
                "stint price diff 7d --provider aws --gpu H100 --market spot\n"
                "stint price diff yesterday today --min-change 5% --sort price",
    .print = print_price_diff,
};
