#include "render/csv_rows.h"

#include <string.h>

#include "base/csv.h"
#include "base/num.h"
#include "unit/money.h"
#include "unit/time.h"

/* Would a spreadsheet take it for a formula? */
static bool is_formula(struct str text)
{
    struct decimal number;

    return text.len > 0 && text.at[0] != '\0' && strchr("=+-@\t\r", text.at[0]) != NULL &&
           !decimal_parse(text, &number);
}

/* Is its first byte no character? It would make the file unreadable as UTF-8. */
static bool is_half_character(struct str text)
{
    size_t len = str_character(text);

    return len == 0 || len == SIZE_MAX;
}

static bool is_clean(struct str text)
{
    while (text.len > 0) {
        size_t len;

        if (is_half_character(text))
            return false;
        len = str_character(text);
        text = (struct str){text.at + len, text.len - len};
    }
    return true;
}

void csv_rows_text(struct str text, struct buf *out)
{
    struct buf safe;

    if (!is_formula(text) && is_clean(text)) {
        csv_write_field(text, out);
        return;
    }
    safe = buf_new(out->alloc, BUF_MAX_OUTPUT);
    if (is_formula(text))
        buf_char(&safe, '\'');
    while (text.len > 0) {
        bool half = is_half_character(text);
        size_t len = half ? 1 : str_character(text);

        buf_add(&safe, half ? STR("?") : (struct str){text.at, len});
        text = (struct str){text.at + len, text.len - len};
    }
    if (safe.failed != ERROR_NONE)
        out->failed = safe.failed;
    csv_write_field(buf_text(&safe), out);
    buf_free(&safe);
}

static void write_csv_texts(const struct strs *list, struct buf *out)
{
    struct buf joined = buf_new(out->alloc, BUF_MAX_OUTPUT);

    for (size_t i = 0; i < list->len; i++) {
        buf_adds(&joined, i > 0 ? " " : "");
        buf_add(&joined, list->at[i]);
    }
    if (joined.failed != ERROR_NONE)
        out->failed = joined.failed;
    csv_rows_text(buf_text(&joined), out);
    buf_free(&joined);
}

void csv_rows_value(const struct field *column, const void *row, struct buf *out)
{
    const void *at = (const unsigned char *)row + column->offset;

    if (column->type != FIELD_FLAG && !field_known(column, row))
        return;
    if (field_text(column, row).at != NULL)
        csv_rows_text(field_text(column, row), out);
    else if (column->type == FIELD_TEXTS)
        write_csv_texts(at, out);
    else if (column->type == FIELD_USD || column->type == FIELD_RATE)
        nano_write(*(const int64_t *)at, out);
    else if (column->type == FIELD_MONEY)
        decimal_write(((const struct money *)at)->amount, out);
    else if (column->type == FIELD_SPAN)
        num_write((double)((const span *)at)->ns / 1e9, out);
    else
        field_write(column, row, out);
}

void csv_rows_write(const struct field_set *columns, const struct rows *rows, struct buf *out)
{
    const unsigned char *row = rows->at;

    for (size_t c = 0; c < columns->len; c++)
        buf_addf(out, "%s%s", c > 0 ? "," : "", columns->at[c].name);
    buf_char(out, '\n');
    for (size_t i = 0; i < rows->len; i++, row += columns->size) {
        for (size_t c = 0; c < columns->len; c++) {
            buf_adds(out, c > 0 ? "," : "");
            csv_rows_value(&columns->at[c], row, out);
        }
        buf_char(out, '\n');
    }
}
