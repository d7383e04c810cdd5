#include "account/unit/counts.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/num.h"
#include "bill/dimension.h"
#include "doc/json_write.h"
#include "doc/records.h"

#define TAGS_MAX ((size_t)1 << 20)

struct count_row {
    struct str what, from, to, count;
};

static const char *const what_names[] = {"metric", "name", "unit", NULL};
static const char *const from_names[] = {"start", "date", "day", NULL};
static const char *const to_names[] = {"end", "until", NULL};
static const char *const count_names[] = {"amount", "value", "quantity", NULL};

static const struct field count_row_list[] = {
    FIELD(TEXT, count_row, what, .also = what_names, .required = true, .help = "name"),
    FIELD(TEXT, count_row, from, .also = from_names, .required = true, .help = "first day"),
    FIELD(TEXT, count_row, to, .also = to_names, .help = "last day"),
    FIELD(TEXT, count_row, count, .also = count_names, .required = true, .help = "number"),
};

static const struct field_set count_row_fields = FIELD_SET(struct count_row, count_row_list);

/* The other columns are tags. */
static const struct records_shape count_shape = {
    .set = &count_row_fields,
    .others = true,
    .ragged = true,
    .hint = "the columns are what,from,to,count and tags: model, team, ..."};

struct reader {
    struct arena *arena;
    struct records_columns columns;
    enum dimension tags[RECORDS_COLUMNS_MAX]; /* of each column; DIMENSION_COUNT: none */
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

/* ---- tags ---- */

static int by_text(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* "Model=bert" as "model=bert". */
static bool canonical_tag(struct str tag, struct arena *arena, struct str *out,
                          struct error *err)
{
    struct str value = tag, key = str_cut(&value, '=');
    enum dimension d = dimension_of_tag(key);
    struct buf text = buf_new(arena->alloc, 4096);

    buf_add(&text, d != DIMENSION_COUNT ? str_from(dimension_name(d)) : key);
    buf_char(&text, '=');
    buf_add(&text, value);
    return buf_keep(&text, arena, out, err);
}

bool counts_tags(struct strs tags, struct arena *arena, struct str *out, struct error *err)
{
    struct str *sorted = arena_array(arena, struct str, tags.len, err);
    struct buf text = buf_new(arena->alloc, TAGS_MAX);
    struct str before = {0};

    *out = (struct str){0};
    for (size_t i = 0; sorted != NULL && i < tags.len; i++)
        if (!canonical_tag(tags.at[i], arena, &sorted[i], err))
            return false;
    if (sorted == NULL)
        return false;
    if (tags.len > 0)
        qsort(sorted, tags.len, sizeof *sorted, by_text);
    buf_char(&text, '{');
    for (size_t i = 0; i < tags.len; i++) {
        struct str value = sorted[i], key = str_cut(&value, '=');

        if (i > 0 && str_eq(key, before)) {
            buf_free(&text);
            return error_fail(err, ERROR_USAGE, "the tag '%.*s' is given twice", STR_ARG(key));
        }
        before = key;
        buf_adds(&text, i > 0 ? "," : "");
        json_write_text(key, &text);
        buf_char(&text, ':');
        json_write_text(value, &text);
    }
    buf_char(&text, '}');
    return buf_keep(&text, arena, out, err);
}

struct tags_shown {
    struct arena *arena;
    struct str *at;
    size_t len, room;
    bool failed; /* err is set */
    struct error *err;
};

/* "key=value" */
static bool show_count_tag(void *ctx, struct str key, enum json_kind kind, struct str value)
{
    struct tags_shown *s = ctx;
    struct buf text = buf_new(s->arena->alloc, TAGS_MAX);

    (void)kind;
    buf_add(&text, key);
    buf_char(&text, '=');
    buf_add(&text, value);
    s->at = arena_grow(s->arena, s->at, s->len, sizeof *s->at, &s->room, s->err);
    s->failed = s->at == NULL || !buf_keep(&text, s->arena, &s->at[s->len++], s->err);
    buf_free(&text);
    return !s->failed;
}

bool counts_tags_shown(struct str tags, struct arena *arena, struct strs *out,
                       struct error *err)
{
    struct tags_shown s = {.arena = arena, .err = err};
    bool ok = json_members(tags, arena->alloc, show_count_tag, &s, err) && !s.failed;

    *out = (struct strs){s.at, s.len};
    return ok;
}

/* ---- files ---- */

static bool read_counts_header(struct reader *r, const struct csv_row *row, struct error *err)
{
    if (!records_header(&count_shape, row, &r->columns, err)) {
        error_context(err, "line 1");
        return false;
    }
    for (size_t i = 0; i < row->count; i++)
        r->tags[i] = r->columns.at[i] == NULL ? dimension_of_tag(str_trim(row->fields[i]))
                                              : DIMENSION_COUNT;
    return true;
}

static bool row_tags(struct reader *r, const struct csv_row *row, struct str *out,
                     struct error *err)
{
    struct str tags[RECORDS_COLUMNS_MAX];
    size_t n = 0;

    for (size_t i = 0; i < row->count && i < RECORDS_COLUMNS_MAX; i++) {
        struct str value = csv_cell(row, i);
        struct buf text;

        if (r->tags[i] == DIMENSION_COUNT || value.len == 0)
            continue;
        text = buf_new(r->arena->alloc, CSV_MAX_ROW);
        buf_addf(&text, "%s=", dimension_name(r->tags[i]));
        buf_add(&text, value);
        if (!buf_keep(&text, r->arena, &tags[n++], err))
            return false;
    }
    return counts_tags((struct strs){tags, n}, r->arena, out, err);
}

static bool read_count_row(struct reader *r, const struct csv_row *row, struct str text,
                           struct ledger_count *c, struct error *err)
{
    struct count_row line;
    struct error ignored;

    if (!records_row(&count_shape, &r->columns, row, text, &line, r->arena, err))
        return false;
    c->source = r->file;
    c->what = line.what;
    if (!counts_time("from", line.from, false, &c->from, &ignored))
        return error_fail(err, ERROR_INPUT, "from: '%.*s' is not a day", STR_ARG(line.from));
    if (!counts_time("to", line.to.len > 0 ? line.to : line.from, true, &c->until, &ignored))
        return error_fail(err, ERROR_INPUT, "to: '%.*s' is not a day", STR_ARG(line.to));
    if (c->until.s <= c->from.s)
        return error_fail(err, ERROR_INPUT, "it ends before it begins");
    if (!counts_amount(line.count, &c->amount))
        return error_fail(err, ERROR_INPUT, "count: '%.*s' is not a count",
                          STR_ARG(line.count));
    return row_tags(r, row, &c->tags, err);
}

static bool add_count_row(struct reader *r, const struct csv_row *row, struct str text,
                          struct error *err)
{
    r->counts = arena_grow(r->arena, r->counts, r->count, sizeof *r->counts, &r->room, err);
    if (r->counts == NULL)
        return false;
    if (read_count_row(r, row, text, &r->counts[r->count], err)) {
        r->count++;
        return true;
    }
    if (err->kind != ERROR_MEMORY)
        error_context(err, "line %llu", (unsigned long long)row->line);
    return false;
}

static bool read_count_rows(struct reader *r, struct csv *csv, struct str text,
                            struct error *err)
{
    struct csv_row row;

    if (!csv_next(csv, &row, err))
        return !csv_failed(csv) && error_fail(err, ERROR_INPUT, "it is empty");
    if (!read_counts_header(r, &row, err))
        return false;
    while (csv_next(csv, &row, err))
        if (!add_count_row(r, &row, text, err))
            return false;
    return !csv_failed(csv);
}

bool counts_read(struct str text, struct str file, struct arena *arena,
                 const struct ledger_count **out, size_t *count, struct error *err)
{
    struct csv_options options = {.alloc = arena->alloc};
    struct reader r = {.arena = arena, .file = file};
    struct csv *csv = csv_open_text(text, &options, err);
    char *path = str_dup(file, arena, err);
    bool ok;

    if (csv == NULL)
        return false;
    ok = path != NULL && read_count_rows(&r, csv, text, err);
    csv_close(csv);
    if (!ok && err->kind != ERROR_MEMORY)
        error_place(err, path);
    *out = r.counts;
    *count = r.count;
    return ok;
}

/* ---- as they are asked for ---- */

/* One of two names of the same option. */
static bool choose_name(const char *name, struct str a, const char *other, struct str b,
                        struct str *out, struct error *err)
{
    *out = a.len > 0 ? a : b;
    return a.len == 0 || b.len == 0 ||
           error_fail(err, ERROR_USAGE, "--%s and --%s are the same: give one", name, other);
}

bool counts_span(const struct counts_span_asked *asked, struct ledger_count *out,
                 struct error *err)
{
    struct str since, until;

    if (!choose_name("since", asked->since, "from", asked->from, &since, err) ||
        !choose_name("until", asked->until, "to", asked->to, &until, err))
        return false;
    if (since.len == 0) {
        error_set(err, ERROR_USAGE, "the time of the counts is missing");
        error_hint(err, "--since 2026-10-01 --until 2026-10-31");
        return false;
    }
    if (!counts_time("since", since, false, &out->from, err) ||
        !counts_time("until", until.len > 0 ? until : since, true, &out->until, err))
        return false;
    return out->until.s > out->from.s ||
           error_fail(err, ERROR_USAGE, "--until is before --since");
}

bool counts_warn_overlaps(struct ledger *ledger, const struct ledger_count *c,
                          struct arena *arena, const struct messages *messages,
                          struct error *err)
{
    const struct ledger_count_query query = {c->what, c->from, c->until};
    const struct ledger_count *others;
    size_t count;

    if (!ledger_counts(ledger, &query, arena, &others, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (str_eq(others[i].tags, c->tags) &&
            (others[i].from.s != c->from.s || others[i].until.s != c->until.s)) {
            message_warn(messages,
                         "%.*s of another period overlap with these: both count. 'stint "
                         "counts list %.*s' shows them",
                         STR_ARG(c->what), STR_ARG(c->what));
            return true;
        }
    return true;
}

bool counts_confirm_removal(struct ledger *ledger, const struct ledger_count_query *query,
                            struct arena *arena, struct error *err)
{
    const struct ledger_count *counts;
    size_t count;
    int64_t n = 0;

    if (!ledger_counts(ledger, query, arena, &counts, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        n += (query->since.s < 0 || counts[i].from.s >= query->since.s) &&
             (query->until.s < 0 || counts[i].until.s <= query->until.s);
    if (n == 0)
        return true;
    error_set(err, ERROR_USAGE, "this removes %lld count%s of %.*s", (long long)n,
              num_plural(n), STR_ARG(query->what));
    error_hint(err, "--force does it; 'stint counts list %.*s' shows them",
               STR_ARG(query->what));
    return false;
}

bool counts_refuse_absent(struct ledger *ledger, struct str what, struct arena *arena,
                          struct error *err)
{
    struct ledger_count_query all = {{0}, {-1}, {-1}};
    struct suggestion s = {.wanted = what};
    const struct ledger_count *counts = NULL;
    size_t count = 0;
    bool there = false;

    if (ledger != NULL && !ledger_counts(ledger, &all, arena, &counts, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        there |= str_eq(counts[i].what, what);
        suggestion_try(&s, counts[i].what);
    }
    error_set(err, ERROR_ABSENT, "%s of '%.*s' %s", there ? "no count" : "nothing",
              STR_ARG(what), there ? "is completely within these days" : "is counted");
    if (there || !suggestion_hint(&s, err))
        error_hint(err, "'stint counts list' shows existing counts");
    return false;
}

static const struct field row_fields[] = {
    FIELD_AS("what", TEXT, counts_row, is.what, .help = "count name"),
    FIELD_AS("from", TIME, counts_row, is.from, .short_midnight = true,
             .help = "first day, or moment, in UTC"),
    FIELD(TIME, counts_row, to, .short_midnight = true,
          .help = "last day, or moment of the end"),
    FIELD_AS("amount", DECIMAL, counts_row, is.amount, .help = "exact count"),
    FIELD(TEXTS, counts_row, tags, .help = "tags: key=value"),
    FIELD_AS("source", TEXT, counts_row, is.source, .empty_unknown = true,
             .help = "file; null: entered by hand"),
};

const struct field_set counts_row_fields = FIELD_SET(struct counts_row, row_fields);

bool counts_rows(const struct ledger_count *counts, size_t count, struct arena *arena,
                 struct rows *out, struct error *err)
{
    struct counts_row *rows = arena_array(arena, struct counts_row, count, err);
    bool ok = rows != NULL;

    for (size_t i = 0; ok && i < count; i++) {
        rows[i] = (struct counts_row){.is = counts[i], .to = counts[i].until};
        if (rows[i].to.s % SECONDS_PER_DAY == 0)
            rows[i].to.s -= SECONDS_PER_DAY;
        ok = counts_tags_shown(counts[i].tags, arena, &rows[i].tags, err);
    }
    *out = (struct rows){rows, count};
    return ok;
}
