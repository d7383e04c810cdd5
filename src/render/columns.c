#include "render/columns.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "render/csv_rows.h"
#include "render/values.h"
#include "unit/money.h"
#include "unit/size.h"
#include "unit/time.h"

#define CELL_MAX (64 * 1024)

struct table_rows field_rows(const struct field_set *set, const char *name, const void *record)
{
    struct field_place place;
    const unsigned char *at = record;
    const struct rows *rows;

    if (!field_reach(set, str_from(name), &place))
        return (struct table_rows){0};
    at += place.base + place.field->offset;
    if (place.field->type == FIELD_TABLE)
        return *(const struct table_rows *)(const void *)at;
    assert(place.field->type == FIELD_LIST);
    rows = (const void *)at;
    return (struct table_rows){place.field->row, rows->at, rows->len};
}

/* ---- one cell ---- */

static bool is_number_type(enum field_type type)
{
    static const bool numbers[] = {
        [FIELD_COUNT] = true,  [FIELD_NUMBER] = true,  [FIELD_DECIMAL] = true,
        [FIELD_SHARE] = true,  [FIELD_USD] = true,     [FIELD_RATE] = true,
        [FIELD_PER_GB] = true, [FIELD_PER_KWH] = true, [FIELD_MONEY] = true,
        [FIELD_BYTES] = true,  [FIELD_SPAN] = true,    [FIELD_RECORD] = false,
    };

    return numbers[type];
}

/* What is not known of a price or a length is a question; of the rest it does not apply. */
static const char *unknown_text(const struct column *column, const struct field *field)
{
    static const bool asked[] = {
        [FIELD_USD] = true,     [FIELD_RATE] = true,    [FIELD_PER_GB] = true,
        [FIELD_PER_KWH] = true, [FIELD_BYTES] = true,   [FIELD_SPAN] = true,
        [FIELD_DAY] = true,     [FIELD_RECORD] = false,
    };

    if (column->unknown != NULL)
        return column->unknown;
    return field != NULL && asked[field->type] ? "?" : "-";
}

static void write_column_share(const struct column *column, double share, struct buf *out)
{
    if (column->form == COLUMN_CHANGE)
        value_change(share, out);
    else if (column->form == COLUMN_FINE)
        value_share(share, out);
    else if (column->form == COLUMN_USED)
        value_used(share, out);
    else if (column->decimals > 0)
        buf_addf(out, "%.*f %%", column->decimals, share * 100);
    else
        buf_addf(out, "%ld %%", lround(share * 100));
}

static void write_column_usd(const struct column *column, usd amount, struct buf *out)
{
    struct money m = money_from_usd(amount);

    /* Thousands are apart, as everywhere. */
    if (column->form == COLUMN_CENTS ||
        (column->form == COLUMN_FINE && fabs(usd_double(amount)) >= 1000))
        money_write_cents(&m, out);
    else if (column->form == COLUMN_ESTIMATE)
        usd_write_estimate(amount, out);
    else
        usd_write(column->form == COLUMN_FINE ? usd_rounded(amount) : amount, out);
}

static void write_column_money(const struct column *column, const struct money *m,
                               struct buf *out)
{
    if (column->form == COLUMN_EXACT)
        value_exact(m, out);
    else if (column->form == COLUMN_PRICE)
        value_price(m, out);
    else if (column->form == COLUMN_CHANGE)
        value_money_change(m, out);
    else
        money_write_cents(m, out);
}

/* "2026-11-15 10:00" of "2026-11-15T10:00:05Z" */
static void write_column_moment(struct str at, struct buf *out)
{
    if (at.len < 16)
        return;
    buf_add(out, (struct str){at.at, 10});
    buf_char(out, ' ');
    buf_add(out, (struct str){at.at + 11, 5});
}

static bool is_zero(const struct field *field, const void *record)
{
    const void *at = (const unsigned char *)record + field->offset;

    if (field->type == FIELD_MONEY)
        return ((const struct money *)at)->amount.coefficient == 0;
    if (field->type == FIELD_COUNT)
        return field_count(field, record) == 0;
    if (field->type == FIELD_NUMBER || field->type == FIELD_SHARE)
        return field_number(field, record) == 0;
    if (field->type == FIELD_USD || field->type == FIELD_RATE)
        return *(const int64_t *)at == 0;
    if (field->type == FIELD_TEXT)
        return ((const struct str *)at)->len == 0;
    return false;
}

/* A value that is known. */
static void write_known_value(const struct column *column, const struct field *field,
                              const void *record, struct buf *out)
{
    const void *at = (const unsigned char *)record + field->offset;

    if (field->type == FIELD_COUNT && column->form == COLUMN_AGE)
        buf_addf(out, "%lld d", (long long)field_count(field, record));
    else if (field->type == FIELD_NUMBER && column->form == COLUMN_ESTIMATE)
        usd_write_estimate(usd_from(field_number(field, record)), out);
    else if (field->type == FIELD_NUMBER && column->form == COLUMN_USUAL)
        num_write_fixed(field_number(field, record), column->decimals, out);
    else if (field->type == FIELD_SHARE || field->type == FIELD_NUMBER)
        write_column_share(column, field_number(field, record), out);
    else if (field->type == FIELD_USD || field->type == FIELD_RATE)
        write_column_usd(column, (usd){*(const int64_t *)at}, out);
    else if (field->type == FIELD_MONEY)
        write_column_money(column, at, out);
    else if (field->type == FIELD_TEXT && column->form == COLUMN_MOMENT)
        write_column_moment(field_text(field, record), out);
    else if (field->type == FIELD_TIME && !field->short_midnight)
        value_time(*(const stamp *)at, column->form == COLUMN_SECONDS, out);
    else
        field_write(field, record, out);
}

static void write_flag(const struct column *column, const struct field *field,
                       const void *record, struct buf *out)
{
    if (column->yes == NULL)
        field_write(field, record, out);
    else if (field_known(field, record))
        buf_adds(out, column->yes);
}

static bool find_column_field(const struct column *column, const struct field_set *row,
                              struct field_place *place)
{
    return column->member != NULL && field_reach(row, str_from(column->member), place);
}

static void write_column_cell(const struct column *column, const struct field_place *place,
                              const void *row, struct buf *out)
{
    const struct field *field = place->field;
    const void *record = (const unsigned char *)row + place->base;

    if (column->cell == NULL || !column->cell(column, row, out)) {
        if (field != NULL && field->type == FIELD_FLAG) {
            write_flag(column, field, record, out);
            return; /* one that is not set is known */
        }
        if (field != NULL && field_known(field, record) &&
            !(column->zero_unknown && is_zero(field, record)))
            write_known_value(column, field, record, out);
    }
    if (out->len == 0)
        buf_adds(out, unknown_text(column, field));
}

void column_write(const struct column *column, const struct field_set *row, const void *record,
                  struct buf *out)
{
    struct buf text = buf_new(out->alloc, CELL_MAX);
    struct field_place place = {0};

    (void)!find_column_field(column, row, &place);
    write_column_cell(column, &place, record, &text);
    if (text.failed != ERROR_NONE)
        out->failed = text.failed;
    buf_add(out, buf_text(&text));
    buf_free(&text);
}

/* ---- a table ---- */

struct columns columns_by(struct strs names,
                          bool (*cell)(const struct column *column, const void *row,
                                       struct buf *out),
                          const struct columns *more, struct arena *arena)
{
    struct error ignored = {0};
    struct columns all = *more;
    struct column *at = arena_array(arena, struct column, names.len + more->len, &ignored);

    if (at == NULL)
        return all;
    for (size_t i = 0; i < names.len; i++) {
        const char *name = str_dup(names.at[i], arena, &ignored);

        if (name == NULL)
            return all;
        at[i] = (struct column){.title = name,
                                .member = name,
                                .shrink = true,
                                .unknown = "(none)",
                                .index = (int)i,
                                .cell = cell};
    }
    memcpy(at + names.len, more->at, more->len * sizeof *at);
    all.at = at;
    all.len = names.len + more->len;
    return all;
}

bool column_right(const struct column *column, const struct field_set *row)
{
    struct field_place place = {0};
    bool number = find_column_field(column, row, &place) && is_number_type(place.field->type);

    assert(column->member == NULL || place.field != NULL);
    return column->side == COLUMN_BY_TYPE ? number : column->side == COLUMN_RIGHT;
}

/* Does a column without a field write anything? */
static bool writes_text(const struct column *column, const void *row)
{
    struct buf text = buf_new(&alloc_system, CELL_MAX);
    bool any = column->cell(column, row, &text) && text.len > 0;

    buf_free(&text);
    return any;
}

/* Is there a value for which a column with `if_any` is shown? */
static bool has_value(const struct column *column, const struct field_set *set, const void *row)
{
    struct field_place place = {0};
    const void *record;

    if (!find_column_field(column, set, &place))
        return column->cell != NULL && writes_text(column, row);
    record = (const unsigned char *)row + place.base;
    return field_known(place.field, record) && !is_zero(place.field, record);
}

/* Is the column for other places than this? */
static bool is_column_elsewhere(const struct columns *columns, size_t c)
{
    unsigned places = columns->at[c].places;

    return places != 0 && columns->place != PLACE_ANY && (places & 1U << columns->place) == 0;
}

static bool is_column_hidden(const struct columns *columns, size_t c)
{
    return columns->at[c].hidden || is_column_elsewhere(columns, c);
}

bool columns_show(const struct columns *columns, size_t c, const struct table_rows *rows)
{
    const struct column *column = &columns->at[c];
    const unsigned char *row = rows->at;

    if (is_column_hidden(columns, c) || !column->if_any)
        return !is_column_hidden(columns, c);
    for (size_t i = 0; i < rows->len; i++, row += rows->row->size)
        if ((columns->shown == NULL || columns->shown(row)) &&
            has_value(column, rows->row, row))
            return true;
    return false;
}

struct column_table columns_new(const struct columns *columns, const struct field_set *row,
                                struct arena *arena)
{
    struct error ignored;
    struct column_table t = {.columns = columns};

    t.titles = arena_array(arena, struct table_column, columns->len + 1, &ignored);
    for (size_t c = 0; t.titles != NULL && c < columns->len; c++) {
        const struct column *column = &columns->at[c];

        t.titles[c] = (struct table_column){
            .title = column->title,
            .right = column_right(column, row),
            .optional = column->optional,
            .shrink = column->shrink,
            .hidden = is_column_hidden(columns, c) || column->if_any,
            .style = column->style,
        };
    }
    t.table = table_new(t.titles, columns->len, arena);
    t.table.failed = t.titles == NULL;
    return t;
}

static void add_column_cell(struct column_table *t, size_t c, const struct field_set *set,
                            const void *row, struct buf *text)
{
    const struct column *column = &t->columns->at[c];
    struct field_place place = {0};

    buf_clear(text);
    if (is_column_hidden(t->columns, c)) {
        table_text(&t->table, STR(""));
        return;
    }
    if (column->if_any && has_value(column, set, row))
        t->titles[c].hidden = false;
    (void)!find_column_field(column, set, &place);
    write_column_cell(column, &place, row, text);
    if (text->failed != ERROR_NONE)
        t->table.failed = true;
    table_text(&t->table, buf_text(text));
}

void columns_add(struct column_table *t, const struct table_rows *rows)
{
    struct buf text = buf_new(t->table.arena->alloc, CELL_MAX);
    const unsigned char *row = rows->at;

    for (size_t i = 0; i < rows->len && !t->table.failed; i++, row += rows->row->size) {
        if (t->columns->shown != NULL && !t->columns->shown(row))
            continue;
        for (size_t c = 0; c < t->columns->len; c++)
            add_column_cell(t, c, rows->row, row, &text);
        if (t->columns->style != NULL)
            table_style(&t->table, t->columns->style(row));
    }
    buf_free(&text);
}

/* Numbers add up; a text is in the total only where it has one. */
static bool is_in_total(const struct field_place *place, const void *record)
{
    return is_number_type(place->field->type) ||
           field_text(place->field, (const unsigned char *)record + place->base).len > 0;
}

/* Has the column a cell in the total, beside its label? */
static bool has_total(const struct column *column, const struct field_set *set,
                      const void *record)
{
    struct field_place place = {0};

    return column->cell != NULL
               ? column->in_total
               : find_column_field(column, set, &place) && is_in_total(&place, record);
}

void columns_total(struct column_table *t, const char *label, const struct field_set *set,
                   const void *record)
{
    struct buf text = buf_new(t->table.arena->alloc, CELL_MAX);

    for (size_t c = 0; c < t->columns->len && !t->table.failed; c++) {
        if (c == 0)
            table_text(&t->table, str_from(label));
        else if (has_total(&t->columns->at[c], set, record))
            add_column_cell(t, c, set, record, &text);
        else
            table_text(&t->table, STR(""));
    }
    table_style(&t->table, STYLE_BOLD);
    buf_free(&text);
}

void columns_write_total(const struct columns *columns, size_t c, const char *label,
                         const struct field_set *set, const void *record, struct buf *out)
{
    if (c == 0)
        buf_adds(out, label);
    else if (has_total(&columns->at[c], set, record))
        column_write(&columns->at[c], set, record, out);
}

void columns_write(struct column_table *t, const struct term *term, struct buf *out)
{
    table_write(&t->table, term, out);
}

void columns_print(const struct columns *columns, const struct table_rows *rows,
                   const struct term *term, struct arena *arena, struct buf *out)
{
    struct column_table t;

    if (rows->row == NULL)
        return;
    t = columns_new(columns, rows->row, arena);
    columns_add(&t, rows);
    columns_write(&t, term, out);
}

/* ---- CSV ---- */

/* Are there amounts whose currency no column gives? */
static bool lacks_currency(const struct columns *columns, const struct field_set *set)
{
    struct field_place place;
    bool money = false;

    for (size_t c = 0; c < columns->len; c++) {
        if (is_column_elsewhere(columns, c) || !find_column_field(&columns->at[c], set, &place))
            continue;
        if (place.field->type == FIELD_CURRENCY)
            return false;
        money = money || (place.field->type == FIELD_MONEY && columns->at[c].csv == NULL);
    }
    return money;
}

/* That of the first amount that is known; amounts of a row have the same. */
static void csv_currency(const struct columns *columns, const struct field_set *set,
                         const unsigned char *row, struct buf *out)
{
    struct field_place place;

    for (size_t c = 0; c < columns->len; c++)
        if (!is_column_elsewhere(columns, c) &&
            find_column_field(&columns->at[c], set, &place) &&
            place.field->type == FIELD_MONEY && field_known(place.field, row + place.base)) {
            const void *at = row + place.base + place.field->offset;

            csv_rows_text(currency_text(&((const struct money *)at)->currency), out);
            return;
        }
}

void columns_csv(const struct columns *columns, const struct table_rows *rows, struct buf *out)
{
    const unsigned char *row = rows->at;
    bool currency = lacks_currency(columns, rows->row);
    struct field_place place;
    const char *sep = "";

    for (size_t c = 0; c < columns->len; c++) {
        const struct column *column = &columns->at[c];

        if (is_column_elsewhere(columns, c) || !find_column_field(column, rows->row, &place))
            continue;
        buf_addf(out, "%s%s", sep, column->csv != NULL ? column->csv : place.field->name);
        sep = ",";
    }
    buf_adds(out, currency ? ",currency\n" : "\n");
    for (size_t i = 0; i < rows->len; i++, row += rows->row->size) {
        sep = "";
        for (size_t c = 0; c < columns->len; c++) {
            if (is_column_elsewhere(columns, c) ||
                !find_column_field(&columns->at[c], rows->row, &place))
                continue;
            buf_adds(out, sep);
            csv_rows_value(place.field, row + place.base, out);
            sep = ",";
        }
        buf_adds(out, currency ? "," : "");
        if (currency)
            csv_currency(columns, rows->row, row, out);
        buf_char(out, '\n');
    }
}

struct column_layout columns_layout(const struct columns *columns,
                                    const struct table_rows *rows)
{
    struct column_layout l = {.count = columns->len};

    if (l.count > TABLE_MAX_COLUMNS)
        l.count = TABLE_MAX_COLUMNS;
    l.first = l.count;
    for (size_t c = l.count; c-- > 0;) {
        l.shown[c] = columns_show(columns, c, rows);
        l.right[c] = column_right(&columns->at[c], rows->row);
        l.first = l.shown[c] ? c : l.first;
    }
    return l;
}
