#include "render/columns.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "render/csv_rows.h"
#include "unit/money.h"
#include "unit/shown.h"
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

/* A row, and what describes it. */
struct cell {
    const struct field_set *set;
    const void *row;
};

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
    else if (column->form == COLUMN_USED)
        value_used(share, out);
    else if (column->decimals > 0)
        buf_addf(out, "%.*f %%", column->decimals, share * 100);
    else
        value_share(share, out);
}

static void write_column_number(const struct column *column, double number, struct buf *out)
{
    static void (*const forms[])(double number, struct buf *out) = {
        [COLUMN_FIGURES] = value_number, [COLUMN_WHOLE] = value_count,
        [COLUMN_HOURS] = value_hours,    [COLUMN_LENGTH] = value_seconds,
        [COLUMN_MOMENT] = NULL,
    };

    if (forms[column->form] != NULL)
        forms[column->form](number, out);
    else if (column->form == COLUMN_ESTIMATE)
        usd_write_estimate(usd_from(number), out);
    else if (column->form == COLUMN_USUAL && column->decimals > 0 && fabs(number) >= 1000)
        value_count(number, out); /* a decimal of it would mean nothing; thousands are apart */
    else if (column->form == COLUMN_USUAL)
        num_write_fixed(number, column->decimals, out);
    else
        write_column_share(column, number, out);
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
    else if (column->form == COLUMN_CHANGE)
        value_estimate_change(amount, out);
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
    else if (column->form == COLUMN_ESTIMATE)
        value_estimate(decimal_double(m->amount), m->currency, out);
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
    else if (field->type == FIELD_NUMBER)
        write_column_number(column, field_number(field, record), out);
    else if (field->type == FIELD_SHARE)
        write_column_share(column, field_number(field, record), out);
    else if (field->type == FIELD_USD || field->type == FIELD_RATE)
        write_column_usd(column, (usd){*(const int64_t *)at}, out);
    else if (field->type == FIELD_MONEY)
        write_column_money(column, at, out);
    else if (field->type == FIELD_SPAN && column->form == COLUMN_ESTIMATE)
        value_span(*(const span *)at, out);
    else if (field->type == FIELD_TEXT && column->form == COLUMN_MOMENT)
        write_column_moment(field_text(field, record), out);
    else if (field->type == FIELD_TIME && !field->short_midnight)
        value_time(*(const stamp *)at, column->form == COLUMN_SECONDS, out);
    else
        field_write(field, record, out);
}

static void write_flag(const struct column *column, bool set, struct buf *out)
{
    if (set)
        buf_adds(out, column->yes != NULL ? column->yes : "yes");
    else if (column->no != NULL || column->yes == NULL)
        buf_adds(out, column->no != NULL ? column->no : "no");
}

static bool find_column_field(const struct column *column, const struct field_set *row,
                              struct field_place *place)
{
    return column->member != NULL && field_reach(row, str_from(column->member), place);
}

/* ---- values that other fields of the row complete ---- */

/* Another field of the row, if the column names one: is it known? */
struct cell_part {
    const struct field *field;
    const void *record;
};

static bool find_cell_part(const char *member, const struct cell *cell, struct cell_part *out)
{
    struct field_place place;

    if (member == NULL)
        return false;
    assert(field_reach(cell->set, str_from(member), &place));
    if (!field_reach(cell->set, str_from(member), &place))
        return false;
    *out = (struct cell_part){place.field, (const unsigned char *)cell->row + place.base};
    return field_known(out->field, out->record);
}

static double cell_number(const struct cell_part *part)
{
    return part->field->type == FIELD_COUNT ? (double)field_count(part->field, part->record)
                                            : field_number(part->field, part->record);
}

/* Two parts of one type, of which the second is larger. */
static bool is_range(const struct cell_part *low, const struct cell_part *high)
{
    const void *a = (const unsigned char *)low->record + low->field->offset;
    const void *b = (const unsigned char *)high->record + high->field->offset;

    if (low->field->type == FIELD_USD || low->field->type == FIELD_RATE)
        return *(const int64_t *)a < *(const int64_t *)b;
    if (low->field->type == FIELD_DAY)
        return ((const day *)a)->n < ((const day *)b)->n;
    return cell_number(low) < cell_number(high);
}

static void write_cell_range(const struct column *column, const struct cell_part *low,
                             const struct cell_part *high, struct buf *out)
{
    bool from = field_known(low->field, low->record), range = from && is_range(low, high);

    if (range && column->decimals == 0 &&
        (low->field->type == FIELD_SHARE || column->form == COLUMN_PERCENT)) {
        value_share_range(field_number(low->field, low->record),
                          field_number(high->field, high->record), out);
        return;
    }
    if (range)
        write_known_value(column, low->field, low->record, out);
    buf_adds(out, !from ? "up to " : range ? " to " : "");
    if (!from || range || !column->spread)
        write_known_value(column, high->field, high->record, out);
}

static void write_cell_times(const struct column *column, const struct cell *cell,
                             const struct cell_part *part, struct buf *out)
{
    struct cell_part count;
    double n = find_cell_part(column->times, cell, &count) ? cell_number(&count) : NAN, of;

    if (find_cell_part(column->of, cell, &count)) {
        of = cell_number(&count);
        if (n > 0 && of > n)
            buf_addf(out, "%.0f of ", n);
        n = n > 0 && of > n ? of : n;
    }
    value_times(column->several && n == 1 ? NAN : n, field_text(part->field, part->record),
                out);
}

static void write_cell_place(const struct column *column, const struct cell *cell,
                             const struct cell_part *part, struct buf *out)
{
    struct str in[2] = {{0}};
    struct cell_part place;

    for (size_t i = 0; i < ARRAY_LEN(in); i++)
        if (find_cell_part(column->under[i], cell, &place))
            in[i] = field_text(place.field, place.record);
    value_place(field_text(part->field, part->record), in[0], in[1], out);
}

/* A recorded amount, or one that is computed: of dollars three digits below a cent. */
static void write_cell_currency(const struct column *column, const struct cell *cell,
                                const struct cell_part *part, struct buf *out)
{
    const void *at = (const unsigned char *)part->record + part->field->offset;
    struct cell_part currency;
    struct money m = {0};

    if (!find_cell_part(column->currency, cell, &currency))
        return;
    m.currency = currency_from(field_text(currency.field, currency.record));
    if (part->field->type == FIELD_DECIMAL) {
        m.amount = *(const struct decimal *)at;
        write_column_money(column, &m, out);
    } else if (currency_is(m.currency, currency_usd)) {
        value_dollars(field_number(part->field, part->record), out);
    } else {
        value_number(field_number(part->field, part->record), out);
        buf_addf(out, " %s", m.currency.code);
    }
}

/* "(12.6 h to 16.0 h)", "of 104" */
static void write_cell_bounds(const struct column *column, const struct cell *cell,
                              const struct cell_part *part, struct buf *out)
{
    struct cell_part low, high;

    if (column->times == NULL && find_cell_part(column->of, cell, &high) &&
        cell_number(&high) - cell_number(part) >= 0.5) {
        buf_adds(out, " of ");
        write_known_value(column, high.field, high.record, out);
    }
    if (column->from == NULL || !find_cell_part(column->from, cell, &low) ||
        !find_cell_part(column->to, cell, &high))
        return;
    buf_adds(out, " (");
    write_cell_range(column, &low, &high, out);
    buf_char(out, ')');
}

static void write_cell_value(const struct column *column, const struct cell *cell,
                             const struct cell_part *part, struct buf *out)
{
    struct cell_part high;

    if (column->times != NULL)
        write_cell_times(column, cell, part, out);
    else if (column->under[0] != NULL)
        write_cell_place(column, cell, part, out);
    else if (column->currency != NULL)
        write_cell_currency(column, cell, part, out);
    else if (column->to != NULL && column->from == NULL &&
             find_cell_part(column->to, cell, &high))
        write_cell_range(column, part, &high, out);
    else if (column->to == NULL || column->from != NULL)
        write_known_value(column, part->field, part->record, out);
    write_cell_bounds(column, cell, part, out);
    if (out->len > 0 && column->unit != NULL)
        buf_adds(out, column->unit);
}

static void write_cell_marks(const struct column *column, const struct cell *cell,
                             struct buf *out)
{
    struct cell_part part;

    for (size_t i = 0; i < COLUMN_MARKS && column->marks[i].member != NULL; i++)
        if (find_cell_part(column->marks[i].member, cell, &part) &&
            (part.field->type != FIELD_TEXT || field_text(part.field, part.record).len > 0))
            buf_adds(out, column->marks[i].text);
}

/* In a row that sums up groups: their number, in the first of the columns that name them. */
static bool write_cell_others(const struct column *column, const struct cell *cell,
                              struct buf *out)
{
    struct cell_part part;
    int64_t count =
        find_cell_part(column->others, cell, &part) ? field_count(part.field, part.record) : 0;

    if (count <= 0)
        return false;
    if (column->index == 0)
        value_others(count, out);
    else
        buf_char(out, ' ');
    return true;
}

/* A range may have its upper end alone; so many of what is not known are "4x ?". */
static bool has_cell_value(const struct column *column, const struct cell *cell,
                           const struct cell_part *part)
{
    struct cell_part other;

    if (!field_known(part->field, part->record))
        return (column->from == NULL && find_cell_part(column->to, cell, &other)) ||
               (column->otherwise == NULL && find_cell_part(column->times, cell, &other) &&
                cell_number(&other) > 0);
    return (!column->zero_unknown && part->field->type != FIELD_TEXT) ||
           !is_zero(part->field, part->record);
}

/* The field, or the one that is shown when it is not known. True: no text is one, too. */
static bool write_field_cell(const struct column *column, const struct cell *cell,
                             const struct field_place *place, struct buf *out)
{
    struct cell_part part = {place->field, (const unsigned char *)cell->row + place->base};

    if (part.field == NULL || write_cell_others(column, cell, out))
        return false;
    if (part.field->type == FIELD_FLAG) {
        write_flag(column, field_known(part.field, part.record), out);
        if (out->len == 0 && find_cell_part(column->otherwise, cell, &part))
            write_known_value(column, part.field, part.record, out);
        return true; /* one that is not set is known */
    }
    if (has_cell_value(column, cell, &part))
        write_cell_value(column, cell, &part, out);
    if (out->len == 0 && find_cell_part(column->otherwise, cell, &part))
        write_known_value(column, part.field, part.record, out);
    return false;
}

static void write_column_cell(const struct column *column, const struct field_place *place,
                              const struct cell *cell, struct buf *out)
{
    bool known = false;

    if (column->cell == NULL || !column->cell(column, cell->row, out))
        known = write_field_cell(column, cell, place, out);
    write_cell_marks(column, cell, out);
    if (out->len == 0 && !known)
        buf_adds(out, unknown_text(column, place->field));
}

void column_write(const struct column *column, const struct field_set *row, const void *record,
                  struct buf *out)
{
    struct buf text = buf_new(out->alloc, CELL_MAX);
    struct field_place place = {0};

    (void)!find_column_field(column, row, &place);
    write_column_cell(column, &place, &(struct cell){row, record}, &text);
    if (text.failed != ERROR_NONE)
        out->failed = text.failed;
    buf_add(out, buf_text(&text));
    buf_free(&text);
}

/* ---- a table ---- */

struct columns columns_by(struct strs names, const char *others, const struct columns *more,
                          struct arena *arena)
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
                                .others = others,
                                .index = (int)i};
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

static bool has_spread(const struct column *column, const struct cell *cell,
                       const struct field_place *place)
{
    struct cell_part low = {place->field, (const unsigned char *)cell->row + place->base}, high;

    return field_known(low.field, low.record) && find_cell_part(column->to, cell, &high) &&
           is_range(&low, &high);
}

/* Is there a value for which a column with `if_any` is shown? */
static bool has_value(const struct column *column, const struct field_set *set, const void *row)
{
    struct field_place place = {0};
    const void *record;

    if (!find_column_field(column, set, &place))
        return column->cell != NULL && writes_text(column, row);
    if (column->spread)
        return has_spread(column, &(struct cell){set, row}, &place);
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
    write_column_cell(column, &place, &(struct cell){set, row}, text);
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
