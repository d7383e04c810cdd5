/* stint price doctor */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/price/price_doctor.h"

static void print_feeds(const struct view *view, const struct price_doctor_result *res)
{
    static const struct table_column columns[] = {
        {.title = "feed"},
        {.title = "provider"},
        {.title = "told by", .optional = true},
        {.title = "read"},
        {.title = "age", .right = true},
        {.title = "imported", .optional = true},
        {.title = "offers", .right = true},
        {.title = "series", .right = true},
        {.title = "gone", .right = true, .optional = true},
        {.title = "changes", .right = true},
    };
    const struct doctor_feed *feeds = res->feeds.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->feeds.len; i++) {
        const struct doctor_feed *f = &feeds[i];

        table_text(&t, f->feed);
        table_text(&t, f->provider);
        table_text(&t, f->confidence);
        table_text(&t, f->read);
        view_age(&t, f->age_days);
        table_text(&t, f->imported);
        view_count(&t, f->offers);
        view_count(&t, f->series);
        view_count(&t, f->gone);
        view_count(&t, f->points);
        table_style(&t, f->stale ? STYLE_WARN : STYLE_PLAIN);
    }
    if (res->feeds.len > 0) {
        table_write(&t, &view->term, view->out);
        buf_char(view->out, '\n');
    }
}

static void print_finding(const struct view *view, const struct doctor_finding *f)
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

static void print(const struct view *view, const void *result)
{
    const struct price_doctor_result *res = result;
    const struct doctor_finding *findings = res->findings.at;

    buf_add_safe(view->out, res->file);
    if (res->size.n == UINT64_MAX) {
        buf_adds(view->out, ": not there yet\n");
    } else {
        buf_adds(view->out, ": ");
        bytes_write(res->size, view->out);
        buf_addf(view->out, ", %lld offers, %lld series, %lld changes of prices\n",
                 (long long)res->offers, (long long)res->series, (long long)res->points);
    }
    buf_char(view->out, '\n');
    print_feeds(view, res);
    for (size_t i = 0; i < res->findings.len; i++)
        print_finding(view, &findings[i]);
    if (res->findings.len == 0)
        buf_adds(view->out, "nothing is wrong\n");
}

const struct command cmd_price_doctor = {
    .name = "price doctor",
    .op = &op_price_doctor,
    .about = "How the kept prices are: how old, from where, how many; gaps in the history,\n"
             "prices in doubt and why, feeds that differ, accelerators that the catalog does\n"
             "not know, damage to the file. Each finding says what to run about it.",
    .examples = "stint price doctor\n"
                "stint price doctor --limit 20\n"
                "stint price doctor --json",
    .print = print,
};
