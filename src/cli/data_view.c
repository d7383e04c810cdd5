#include "cli/data_view.h"

#include "base/num.h"
#include "unit/shown.h"

static bool is_way_shown(const void *row)
{
    const struct data_way *way = row;

    return way->way == DATA_AS_IS || way->worth;
}

/* "34.0 s, $0.01" */
static bool write_way_saving(const struct column *column, const void *row, struct buf *out)
{
    const struct data_way *way = row;

    (void)column;
    if (way->way == DATA_AS_IS)
        return true;
    if (way->saves_seconds > 0)
        value_seconds(way->saves_seconds, out);
    if (way->saves.nano == MONEY_UNKNOWN || way->saves.nano == 0)
        return true;
    buf_adds(out, way->saves_seconds > 0 ? ", " : "");
    usd_write_estimate(way->saves, out);
    return true;
}

static bool has_size_range(const struct plan_data *data)
{
    const struct data_way *rows = data->ways.at;

    for (size_t i = 0; i < data->ways.len; i++)
        if (is_way_shown(&rows[i]) && rows[i].size_low.n != rows[i].size_high.n)
            return true;
    return false;
}

/* "photos: 12,000 files, 41.2 GB, from a machine of your own to aws/us-east-1" */
static void print_data_head(const struct view *view, const struct plan_data *data)
{
    struct buf text = buf_new(view->arena->alloc, BUF_MAX_OUTPUT);

    buf_add(&text, data->folder);
    buf_adds(&text, ": ");
    value_count((double)data->files, &text);
    buf_addf(&text, " file%s, ", num_plural(data->files));
    bytes_write(data->size, &text);
    buf_adds(&text, ", from ");
    buf_adds(&text, data->at.len > 0 ? "" : "a machine of your own");
    buf_add(&text, data->at);
    if (data->to.len > 0) {
        buf_adds(&text, " to ");
        buf_add(&text, data->to);
    }
    if (data->price.nano != MONEY_UNKNOWN && data->price.nano > 0) {
        buf_adds(&text, ", where ");
        usd_per_hour_write(data->price, &text);
        buf_adds(&text, " waits for it");
    }
    buf_char(view->out, '\n');
    view_text(view, buf_text(&text));
    buf_char(view->out, '\n');
    buf_free(&text);
}

/* "images 95       stint data images photos --quality 95 (pixels change)" */
static void print_way_command(const struct view *view, const struct data_way *way)
{
    if (!is_way_shown(way) || (way->command.len == 0 && way->note.len == 0))
        return;
    view_label(view, data_way_names[way->way]);
    buf_add_safe(view->out, way->command);
    if (way->lossy)
        buf_adds(view->out, " (pixels change)");
    if (way->note.len > 0) {
        buf_adds(view->out, way->command.len > 0 ? ": " : "");
        buf_add_safe(view->out, way->note);
    }
    buf_char(view->out, '\n');
}

/* "bundle, another region (aws/us-east-1, where the machines cost $2.10 more)" */
static void print_no_gain(const struct view *view, const struct plan_data *data)
{
    const struct data_way *rows = data->ways.at;
    const char *before = "";

    for (size_t i = 0; i < data->ways.len; i++) {
        if (is_way_shown(&rows[i]) || rows[i].size.n == BYTES_UNKNOWN.n)
            continue;
        if (before[0] == '\0')
            view_label(view, "no gain");
        buf_adds(view->out, before);
        buf_adds(view->out, data_way_names[rows[i].way]);
        if (rows[i].note.len > 0) {
            buf_adds(view->out, " (");
            buf_add_safe(view->out, rows[i].note);
            buf_char(view->out, ')');
        }
        before = ", ";
    }
    buf_adds(view->out, before[0] != '\0' ? "\n" : "");
}

static void print_unmeasured(const struct view *view, const struct plan_data *data)
{
    const struct data_way *rows = data->ways.at;

    for (size_t i = 0; i < data->ways.len; i++) {
        if (rows[i].size.n != BYTES_UNKNOWN.n)
            continue;
        view_label(view, "not measured");
        buf_adds(view->out, data_way_names[rows[i].way]);
        buf_adds(view->out, ": ");
        buf_add_safe(view->out, rows[i].note);
        buf_char(view->out, '\n');
    }
}

/* "images: 24 files, 31.2 MB" */
static void print_samples(const struct view *view, const struct plan_data *data)
{
    const struct data_way *rows = data->ways.at;

    for (size_t i = 0; i < data->ways.len; i++) {
        if (rows[i].sample_files <= 0)
            continue;
        view_label(view, "measured");
        buf_addf(view->out, "%s: %lld %s%s, ", data_way_names[rows[i].way],
                 (long long)rows[i].sample_files, rows[i].way == DATA_BUNDLE ? "piece" : "file",
                 num_plural(rows[i].sample_files));
        bytes_write(rows[i].sample_size, view->out);
        buf_char(view->out, '\n');
    }
}

void data_view(const struct view *view, const struct plan_data *data)
{
    const struct column columns[] = {
        COLUMN("data", way),
        COLUMN("moves", size),
        COLUMN("80 % range", size_low, .to = "size_high", .spread = true, .unknown = "",
               .style = STYLE_DIM, .hidden = !has_size_range(data), .optional = true),
        COLUMN("files", files),
        COLUMN("time", seconds, .form = COLUMN_LENGTH, .unknown = "?"),
        COLUMN("cost", cost, .form = COLUMN_ESTIMATE, .unknown = "?"),
        COLUMN_CELL("saves", write_way_saving, .unknown = ""),
    };
    const struct data_way *rows = data->ways.at;
    struct table_rows all;

    if (data->ways.len == 0)
        return;
    all = field_rows(&plan_data_fields, "ways", data);
    print_data_head(view, data);
    columns_print(COLUMNS(columns, .shown = is_way_shown), &all, &view->term, view->arena,
                  view->out);
    buf_char(view->out, '\n');
    for (size_t i = 0; i < data->ways.len; i++)
        print_way_command(view, &rows[i]);
    print_no_gain(view, data);
    print_unmeasured(view, data);
    print_samples(view, data);
}
