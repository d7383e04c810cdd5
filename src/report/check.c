#include "report/check.h"

#include <math.h>

#include "unit/shown.h"
#include "unit/time.h"

/* A name as a code span, in which there is no markup and no mention of a user: its fence is
 * longer than any run of backticks in it. */
static void put_markdown_name(struct str name, struct buf *out)
{
    size_t run = 0, longest = 0;

    for (size_t i = 0; i < name.len; i++) {
        run = name.at[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    buf_pad(out, '`', longest + 1);
    if (longest > 0)
        buf_char(out, ' ');
    buf_add_safe(out, name);
    if (longest > 0)
        buf_char(out, ' ');
    buf_pad(out, '`', longest + 1);
}

static void put_guess(const struct change_side *side, enum change_measure measure,
                      struct guess g, struct buf *out)
{
    bool exact = side->source == CHANGE_RUN || side->source == CHANGE_REPORT;

    if (isnan(g.value)) {
        buf_adds(out, "unknown");
        return;
    }
    change_write_amount(measure, g.value, exact, out);
    if (!(g.low < g.high))
        return;
    buf_adds(out, " (");
    change_write_amount(measure, g.low, exact, out);
    buf_adds(out, " to ");
    change_write_amount(measure, g.high, exact, out);
    buf_char(out, ')');
}

static void put_markdown_row(const struct check_result *res, const struct change_row *row,
                             bool compared, struct buf *out)
{
    bool bad = row->verdict == CHANGE_TOO_HIGH || row->verdict == CHANGE_OVER;

    buf_addf(out, "| %s | ", change_measure_names[row->measure]);
    if (compared) {
        put_guess(&res->before, row->measure, row->before, out);
        buf_adds(out, " | ");
    }
    put_guess(&res->after, row->measure, row->after, out);
    buf_adds(out, " | ");
    if (compared) {
        if (isnan(row->change))
            buf_adds(out, "unknown");
        else
            value_change(row->change, out);
        buf_adds(out, " | ");
    }
    buf_addf(out, bad ? "**%s** |\n" : "%s |\n",
             row->verdict == CHANGE_UNKNOWN && !compared ? ""
                                                         : change_verdict_names[row->verdict]);
}

static void put_side(const char *label, const struct change_side *side, struct buf *out)
{
    buf_addf(out, "- %s: %s ", label, change_source_names[side->source]);
    put_markdown_name(side->name, out);
    if (side->unit.len > 0 && !isnan(side->amount[CHANGE_COST].value)) {
        buf_adds(out, ", cost of a ");
        buf_add_safe(out, side->unit);
    }
    if (side->offer.len > 0) {
        buf_adds(out, ", on ");
        put_markdown_name(side->offer, out);
    }
    if (side->price.nano > 0) {
        buf_adds(out, " at ");
        usd_per_hour_write(side->price, out);
    }
    if (side->price_date.n != DAY_UNKNOWN.n) {
        buf_adds(out, ", price from ");
        day_write(side->price_date, out);
    }
    if (side->variation >= 0) {
        buf_adds(out, ", varies by ");
        value_share(side->variation, out);
        buf_adds(out, " (");
        buf_add_safe(out, side->variation_from);
        buf_char(out, ')');
    }
    buf_char(out, '\n');
}

void check_markdown(const struct check_result *res, struct buf *out)
{
    const struct change_row *rows = res->change.rows.at;
    bool compared = res->before.name.len > 0;

    buf_addf(out, "### Cost check: %s\n\n", res->change.passed ? "passed" : "failed");
    buf_adds(out, compared ? "| | before | after | change | |\n|---|---:|---:|---:|---|\n"
                           : "| | now | |\n|---|---:|---|\n");
    for (size_t i = 0; i < res->change.rows.len; i++)
        put_markdown_row(res, &rows[i], compared, out);
    buf_char(out, '\n');
    buf_add(out, res->change.verdict);
    buf_adds(out, "\n\n");
    if (compared)
        put_side("before", &res->before, out);
    put_side(compared ? "after" : "checked", &res->after, out);
}
