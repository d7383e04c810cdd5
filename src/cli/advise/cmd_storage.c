/* stint storage */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/advise/storage.h"
#include "op/op.h"
#include "unit/shown.h"

#define OPTIONS_SHOWN 10

static enum term_style style_of_storage(const void *row)
{
    const struct storage_option *o = row;

    return o->cheapest ? STYLE_BOLD : STYLE_PLAIN;
}

static void print_data(const struct view *view, const struct storage_result *res)
{
    view_label(view, "data");
    bytes_write(res->size, view->out);
    if (res->at_end.n != res->size.n) {
        buf_adds(view->out, ", at the end ");
        bytes_write(res->at_end, view->out);
    }
    buf_adds(view->out, ", objects of ");
    bytes_write(res->object_size, view->out);
    buf_addf(view->out, "; %lld days\n", (long long)res->days);
    view_label(view, "reads");
    buf_add_safe(view->out, res->reads);
    buf_adds(view->out, "\n\n");
}

static void print_storage_options(const struct view *view, const struct storage_result *res)
{
    static const struct column columns[] = {
        COLUMN("provider", provider),
        COLUMN("storage", storage, .form = COLUMN_ESTIMATE),
        COLUMN("reads", retrieval, .form = COLUMN_ESTIMATE),
        COLUMN("requests", requests, .form = COLUMN_ESTIMATE, .optional = true),
        COLUMN("early", early, .form = COLUMN_ESTIMATE, .if_any = true),
        COLUMN("egress", transfer, .form = COLUMN_ESTIMATE, .if_any = true),
        COLUMN("total", total, .form = COLUMN_ESTIMATE),
        COLUMN("all hot", hot, .form = COLUMN_ESTIMATE),
        COLUMN("download", download, .form = COLUMN_ESTIMATE, .optional = true),
        COLUMN("policy", policy, .shrink = true),
    };
    struct table_rows rows = field_rows(op_storage.result, "options", res);
    size_t all = rows.len;

    rows.len = all < OPTIONS_SHOWN ? all : OPTIONS_SHOWN;
    columns_print(COLUMNS(columns, .style = style_of_storage), &rows, &view->term, view->arena,
                  view->out);
    if (all > rows.len)
        buf_addf(view->out, "%zu more expensive ones are left out here; --json lists all\n",
                 all - rows.len);
}

static void print_cheapest(const struct view *view, const struct storage_result *res)
{
    const struct storage_option *o = res->options.at, *after = o + res->options.len;
    struct buf text = buf_new(view->arena->alloc, 1024);

    while (o < after && !o->cheapest)
        o++;
    if (o == after)
        return;
    buf_add(&text, o->provider);
    buf_adds(&text, ", ");
    usd_write_estimate(o->total, &text);
    if (o->hot.nano != MONEY_UNKNOWN && o->hot.nano > o->total.nano) {
        buf_adds(&text, " instead of ");
        usd_write_estimate(o->hot, &text);
        buf_adds(&text, " all hot");
    }
    buf_adds(&text, ": ");
    buf_add(&text, o->policy);
    buf_adds(view->out, "\ncheapest: ");
    view_wrap(buf_text(&text), 10, 10, view->out);
    buf_char(view->out, '\n');
    buf_free_part(&text, view->out);
}

static void print_kept_checkpoints(const struct view *view, const struct storage_checkpoints *k)
{
    if (k->provider.len == 0)
        return;
    buf_adds(view->out, "checkpoints: ");
    value_count(k->month, view->out);
    buf_adds(view->out, " a month of ");
    bytes_write(k->size, view->out);
    buf_adds(view->out, " cost ");
    usd_write_estimate(k->all, view->out);
    buf_adds(view->out, " when all are kept at ");
    buf_add_safe(view->out, k->provider);
    buf_adds(view->out, ", ");
    usd_write_estimate(k->kept, view->out);
    buf_addf(view->out, " with the last %lld\n", (long long)k->last);
}

static void print_storage(const struct view *view, const void *result)
{
    const struct storage_result *res = result;

    print_data(view, res);
    print_storage_options(view, res);
    print_cheapest(view, res);
    print_kept_checkpoints(view, &res->checkpoints);
    for (size_t i = 0; i < res->notes.len; i++) {
        buf_adds(view->out, i == 0 ? "\nnote: " : "note: ");
        view_wrap(res->notes.at[i], 6, 6, view->out);
        buf_char(view->out, '\n');
    }
}

const struct command cmd_storage = {
    .name = "storage",
    .op = &op_storage,
    .group = {"what keeping a data set costs, and the cheapest lifecycle", .stage = CLI_AFTER},
    .about = "Computes the cost of storing a data set at each provider: storage, reads, "
             "requests, minimum times and egress, over a year. For each it finds the cheapest "
             "lifecycle: the tier that data is stored in, and the ages at which rules move it "
             "to colder ones. Every choice of days is considered, with the rules' own limits "
             "(S3 Standard-IA takes data from 30 days on). Reads decline with age "
             "(--half-life), or follow a file (--access).",
    .examples = "stint storage --size 2TB --grows 100GB/month\n"
                "stint storage --size 500GB --reads 0/month --wait 12h\n"
                "stint storage ./data --provider aws,gcp --egress 200GB/month\n"
                "stint storage --size 2TB --access access.csv --svg storage.svg\n"
                "stint storage --size 1TB --checkpoint-size 14GB --checkpoints 60",
    .print = print_storage,
};
