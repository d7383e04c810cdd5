/* Counts and times as people write them, and counts from a CSV file. */
#include "base/csv.h"
#include "base/fs.h"
#include "op/account/counts.h"

#define FILE_MAX ((size_t)256 << 20)
#define COLUMNS_MAX 64

enum column { COLUMN_WHAT, COLUMN_FROM, COLUMN_TO, COLUMN_COUNT_OF, COLUMN_KINDS };

static const struct {
    const char *names[6];
    bool required;
} kinds[COLUMN_KINDS] = {
    [COLUMN_WHAT] = {{"what", "metric", "name", "unit", NULL}, true},
    [COLUMN_FROM] = {{"from", "start", "date", "day", NULL}, true},
    [COLUMN_TO] = {{"to", "end", "until", NULL}, false},
    [COLUMN_COUNT_OF] = {{"count", "amount", "value", "quantity", NULL}, true},
};

struct reader {
    struct op_context *ctx;
    size_t at[COLUMN_KINDS];          /* SIZE_MAX: not there */
    enum dimension tags[COLUMNS_MAX]; /* of each column; DIMENSION_COUNT: none */
    struct ledger_count *counts;
    size_t count, room;
    struct str file;
};

bool counts_amount(struct str text, struct decimal *out)
{
    static const char suffixes[] = "kmbt"; /* as of --tokens */
    struct decimal times = {1, 0}, factor = {1, 0};

    text = str_trim(text);
    for (const char *s = suffixes; text.len > 1 && *s != '\0'; s++) {
        factor.coefficient *= 1000;
        if ((text.at[text.len - 1] | 0x20) == *s) {
            text = str_trim((struct str){text.at, text.len - 1});
            times = factor;
            break;
        }
    }
    if (!decimal_parse(text, out) || out->coefficient < 0 ||
        !decimal_multiply(*out, times, out))
        return false;
    for (; out->scale > 0 && out->coefficient % 10 == 0; out->scale--) /* 1.2M: 1200000 */
        out->coefficient /= 10;
    return true;
}

bool counts_time(const char *option, struct str text, bool end, stamp *out, struct error *err)
{
    day on;

    if (day_parse(text, &on)) {
        out->s = (on.n + (int64_t)end) * SECONDS_PER_DAY;
        return true;
    }
    if (stamp_parse_typed(text, out))
        return true;
    error_set(err, ERROR_USAGE, "--%s: '%.*s' is neither a day nor a moment", option,
              STR_ARG(text));
    error_hint(err, "write 2026-10-01 or '2026-10-01 10:00' (UTC)");
    return false;
}

static bool read_header(struct reader *r, const struct csv_row *row, struct error *err)
{
    if (row->count > COLUMNS_MAX)
        return error_fail(err, ERROR_INPUT, "line 1: more than %d columns", COLUMNS_MAX);
    for (int k = 0; k < COLUMN_KINDS; k++) {
        struct suggestion s = {.wanted = str_from(kinds[k].names[0])};

        r->at[k] = SIZE_MAX;
        for (size_t n = 0; r->at[k] == SIZE_MAX && kinds[k].names[n] != NULL; n++)
            r->at[k] = csv_column(row, str_from(kinds[k].names[n]));
        if (r->at[k] != SIZE_MAX || !kinds[k].required)
            continue;
        for (size_t i = 0; i < row->count; i++)
            suggestion_try(&s, row->fields[i]);
        error_set(err, ERROR_INPUT, "line 1: there is no column '%s'", kinds[k].names[0]);
        if (s.best.len > 0)
            error_hint(err, "is '%.*s' meant? The columns are what,from,to,count and tags",
                       STR_ARG(s.best));
        else
            error_hint(err, "the columns are what,from,to,count and tags: model, team, ...");
        return false;
    }
    for (size_t i = 0; i < row->count; i++) {
        r->tags[i] = dimension_of_tag(str_trim(row->fields[i]));
        for (int k = 0; k < COLUMN_KINDS; k++)
            if (r->at[k] == i)
                r->tags[i] = DIMENSION_COUNT;
    }
    return true;
}

static bool copy(struct reader *r, struct str text, struct str *out, struct error *err)
{
    *out = (struct str){str_dup(text, r->ctx->arena, err), text.len};
    return out->at != NULL;
}

static struct str cell(const struct csv_row *row, size_t at)
{
    return at < row->count ? str_trim(row->fields[at]) : (struct str){0};
}

static bool row_tags(struct reader *r, const struct csv_row *row, struct str *out,
                     struct error *err)
{
    struct str tags[COLUMNS_MAX];
    size_t n = 0;

    for (size_t i = 0; i < row->count && i < COLUMNS_MAX; i++) {
        struct str value = cell(row, i);
        struct buf text;

        if (r->tags[i] == DIMENSION_COUNT || value.len == 0)
            continue;
        text = buf_new(r->ctx->arena->alloc, CSV_MAX_ROW);
        buf_addf(&text, "%s=", dimension_name(r->tags[i]));
        buf_add(&text, value);
        if (!buf_keep(&text, r->ctx->arena, &tags[n++], err))
            return false;
    }
    return counts_tags((struct strs){tags, n}, r->ctx->arena, out, err);
}

static bool read_row(struct reader *r, const struct csv_row *row, struct ledger_count *c,
                     struct error *err)
{
    struct str from = cell(row, r->at[COLUMN_FROM]), to = cell(row, r->at[COLUMN_TO]);
    struct str amount = cell(row, r->at[COLUMN_COUNT_OF]);
    struct str what = cell(row, r->at[COLUMN_WHAT]);
    struct error ignored;

    c->source = r->file;
    if (what.len == 0)
        return error_fail(err, ERROR_INPUT, "what is counted is not said");
    if (!counts_time("from", from, false, &c->from, &ignored))
        return error_fail(err, ERROR_INPUT, "from: '%.*s' is no day", STR_ARG(from));
    if (!counts_time("to", to.len > 0 ? to : from, true, &c->until, &ignored))
        return error_fail(err, ERROR_INPUT, "to: '%.*s' is no day", STR_ARG(to));
    if (c->until.s <= c->from.s)
        return error_fail(err, ERROR_INPUT, "it ends before it begins");
    if (!counts_amount(amount, &c->amount))
        return error_fail(err, ERROR_INPUT, "count: '%.*s' is no count", STR_ARG(amount));
    return copy(r, what, &c->what, err) && row_tags(r, row, &c->tags, err);
}

static bool add_row(struct reader *r, const struct csv_row *row, struct error *err)
{
    r->counts =
        arena_grow(r->ctx->arena, r->counts, r->count, sizeof *r->counts, &r->room, err);
    if (r->counts == NULL)
        return false;
    if (read_row(r, row, &r->counts[r->count], err)) {
        r->count++;
        return true;
    }
    if (err->kind != ERROR_MEMORY)
        error_context(err, "line %llu", (unsigned long long)row->line);
    return false;
}

static bool read_rows(struct reader *r, struct csv *csv, struct error *err)
{
    struct csv_row row;

    if (!csv_next(csv, &row, err))
        return !csv_failed(csv) && error_fail(err, ERROR_INPUT, "it is empty");
    if (!read_header(r, &row, err))
        return false;
    while (csv_next(csv, &row, err))
        if (!add_row(r, &row, err))
            return false;
    return !csv_failed(csv);
}

bool counts_read(struct op_context *ctx, struct str file, const struct ledger_count **out,
                 size_t *count, struct error *err)
{
    struct csv_options options = {.alloc = ctx->arena->alloc};
    struct reader r = {.ctx = ctx, .file = file};
    char *path = str_dup(file, ctx->arena, err);
    struct csv *csv;
    struct str text;
    bool ok;

    if (path == NULL || !fs_read(path, FILE_MAX, ctx->arena, &text, err))
        return false;
    csv = csv_open_text(text, &options, err);
    if (csv == NULL)
        return false;
    ok = read_rows(&r, csv, err);
    csv_close(csv);
    if (!ok && err->kind != ERROR_MEMORY)
        error_place(err, path);
    *out = r.counts;
    *count = r.count;
    return ok;
}
