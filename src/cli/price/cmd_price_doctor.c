/* stint price doctor */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/price/price_doctor.h"

static enum term_style style_of_feed(const void *row)
{
    return ((const struct doctor_feed *)row)->stale ? STYLE_WARN : STYLE_PLAIN;
}

static const struct column feed_columns[] = {
    COLUMN("feed", feed),
    COLUMN("provider", provider, .unknown = ""),
    COLUMN("kind", confidence, .optional = true),
    COLUMN("read", read, .unknown = ""),
    COLUMN("age", age_days, .form = COLUMN_AGE),
    COLUMN("imported", imported, .optional = true, .unknown = ""),
    COLUMN("offers", offers),
    COLUMN("series", series),
    COLUMN("gone", gone, .optional = true),
    COLUMN("changes", points),
};

static void print_price_finding(const struct view *view, const struct doctor_finding *f)
{
    buf_addf(view->out, "%s- ", term_style_on(&view->term, STYLE_WARN));
    buf_add_safe(view->out, f->text);
    buf_addf(view->out, "%s\n", term_style_off(&view->term, STYLE_WARN));
    for (size_t i = 0; i < f->examples.len; i++) {
        buf_adds(view->out, "    ");
        buf_add_safe(view->out, f->examples.at[i]);
        buf_char(view->out, '\n');
    }
    if (f->count > (int64_t)f->examples.len && f->examples.len > 0)
        buf_adds(view->out, "    ...\n");
    buf_adds(view->out, "  run: ");
    buf_add_safe(view->out, f->run);
    buf_char(view->out, '\n');
}

static void print_doctor(const struct view *view, const void *result)
{
    const struct price_doctor_result *res = result;
    const struct doctor_finding *findings = res->report.findings.at;

    buf_add_safe(view->out, res->file);
    if (res->size.n == UINT64_MAX) {
        buf_adds(view->out, ": does not exist yet\n");
    } else {
        buf_adds(view->out, ": ");
        bytes_write(res->size, view->out);
        buf_addf(view->out, ", %lld offers, %lld series, %lld changes of prices\n",
                 (long long)res->report.offers, (long long)res->report.series,
                 (long long)res->report.points);
    }
    buf_char(view->out, '\n');
    if (res->report.feeds.len > 0) {
        view_rows(view, &op_price_doctor, res, "feeds",
                  COLUMNS(feed_columns, .style = style_of_feed));
        buf_char(view->out, '\n');
    }
    for (size_t i = 0; i < res->report.findings.len; i++)
        print_price_finding(view, &findings[i]);
    if (res->report.findings.len == 0)
        buf_adds(view->out, "no problems found\n");
}

const struct command cmd_price_doctor = {
    .name = "price doctor",
    .op = &op_price_doctor,
    .about = "Checks the stored prices: their age, source and number, gaps in the history, "
             "doubtful prices and why, feeds that differ, accelerators that the catalog does "
             "not know, and damage to the file. Each finding names the command to run.",
    .examples = "stint price doctor\n"
                "stint price doctor --limit 20\n"
                "stint price doctor --json",
    .print = print_doctor,
};
