#include "doc/json_write.h"

#include <math.h>

#include "base/num.h"
#include "unit/money.h"
#include "unit/size.h"
#include "unit/time.h"

/* A character of several bytes, as one or two units of UTF-16. */
static void write_escaped(uint32_t code, struct buf *out)
{
    if (code < 0x10000)
        buf_addf(out, "\\u%04x", code);
    else
        buf_addf(out, "\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10),
                 0xdc00 + ((code - 0x10000) & 0x3ff));
}

/* How many bytes need no escape and are characters of their own. */
static size_t plain_bytes(struct str text)
{
    size_t len = 0;

    while (len < text.len && (signed char)text.at[len] >= ' ' && text.at[len] != '"' &&
           text.at[len] != '\\')
        len++;
    return len;
}

static void write_string(struct str text, bool ascii, struct buf *out)
{
    buf_char(out, '"');
    while (text.len > 0) {
        size_t len = plain_bytes(text);
        unsigned char c;

        buf_add(out, (struct str){text.at, len});
        text.at += len;
        text.len -= len;
        if (text.len == 0)
            break;
        c = (unsigned char)text.at[0];
        len = str_character(text);
        if (c == '"' || c == '\\')
            buf_addf(out, "\\%c", c);
        else if (c < ' ')
            buf_addf(out, "\\u%04x", c);
        else if (len == 0 || len == SIZE_MAX)
            buf_adds(out, "\\ufffd");
        else if (ascii && len > 1)
            write_escaped(str_code(text, len), out);
        else
            buf_add(out, (struct str){text.at, len});
        len = len == 0 || len == SIZE_MAX ? 1 : len;
        text.at += len;
        text.len -= len;
    }
    buf_char(out, '"');
}

void json_write_text(struct str text, struct buf *out)
{
    write_string(text, false, out);
}

void json_write_ascii(struct str text, struct buf *out)
{
    write_string(text, true, out);
}

static void write_nano(int64_t nano, struct buf *out)
{
    buf_adds(out, "{\"amount\":\"");
    nano_write(nano, out);
    buf_adds(out, "\",\"currency\":\"USD\"}");
}

static void write_json_money(const struct money *m, struct buf *out)
{
    buf_adds(out, "{\"amount\":\"");
    decimal_write(m->amount, out);
    buf_addf(out, "\",\"currency\":\"%s\"}", m->currency.code);
}

static void write_json_texts(const struct strs *list, struct buf *out)
{
    buf_char(out, '[');
    for (size_t i = 0; i < list->len; i++) {
        if (i > 0)
            buf_char(out, ',');
        json_write_text(list->at[i], out);
    }
    buf_char(out, ']');
}

static void write_json_rows(const struct field_set *set, const void *rows, size_t count,
                            struct buf *out)
{
    const unsigned char *row = rows;

    buf_char(out, '[');
    for (size_t i = 0; i < count; i++, row += set->size) {
        if (i > 0)
            buf_char(out, ',');
        json_write_record(set, row, NULL, out);
    }
    buf_char(out, ']');
}

static void write_json_numbers(const struct numbers *numbers, struct buf *out)
{
    buf_char(out, '[');
    for (size_t i = 0; i < numbers->len; i++) {
        if (i > 0)
            buf_char(out, ',');
        if (isnan(numbers->at[i]))
            buf_adds(out, "null");
        else
            num_write(numbers->at[i], out);
    }
    buf_char(out, ']');
}

/* What is there even when it is empty: flags, lists and records. */
static bool write_composite(const struct field *field, const void *at, struct buf *out)
{
    const struct rows *rows = at;
    const struct table_rows *table = at;

    if (field->type == FIELD_FLAG)
        buf_adds(out, *(const bool *)at ? "true" : "false");
    else if (field->type == FIELD_TEXTS)
        write_json_texts(at, out);
    else if (field->type == FIELD_NUMBERS)
        write_json_numbers(at, out);
    else if (field->type == FIELD_LIST)
        write_json_rows(field->row, rows->at, rows->len, out);
    else if (field->type == FIELD_TABLE)
        write_json_rows(table->row, table->at, table->len, out);
    else if (field->type == FIELD_RECORD)
        json_write_record(field->row, at, NULL, out);
    else
        return false;
    return true;
}

static void write_json_value(const struct field *field, const void *record, struct buf *out)
{
    const void *at = (const unsigned char *)record + field->offset;

    if (write_composite(field, at, out))
        return;
    if (!field_known(field, record)) {
        buf_adds(out, "null");
        return;
    }
    switch (field->type) {
    case FIELD_TEXT:
    case FIELD_CHOICE:
    case FIELD_ENUM:
    case FIELD_CURRENCY:
    case FIELD_CHARS:
        json_write_text(field_text(field, record), out);
        break;
    case FIELD_JSON:
        buf_add(out, *(const struct str *)at);
        break;
    case FIELD_USD:
    case FIELD_RATE:
    case FIELD_PER_GB:
    case FIELD_PER_KWH:
        write_nano(*(const int64_t *)at, out);
        break;
    case FIELD_MONEY:
        write_json_money(at, out);
        break;
    case FIELD_COUNT:
        buf_addf(out, "%lld", (long long)field_count(field, record));
        break;
    case FIELD_BYTES:
        buf_addf(out, "%llu", (unsigned long long)((const bytes *)at)->n);
        break;
    case FIELD_SPAN:
        num_write((double)((const span *)at)->ns / 1e9, out);
        break;
    case FIELD_NUMBER:
    case FIELD_SHARE:
        num_write(field_number(field, record), out);
        break;
    case FIELD_DAY:
    case FIELD_TIME:
    case FIELD_DECIMAL:
        buf_char(out, '"');
        field_write(field, record, out);
        buf_char(out, '"');
        break;
    case FIELD_FLAG:
    case FIELD_TEXTS:
    case FIELD_LIST:
    case FIELD_TABLE:
    case FIELD_NUMBERS:
    case FIELD_RECORD:
        break; /* written above */
    }
}

static bool is_left_out_of_json(const struct field *field, const void *record)
{
    const void *at = (const unsigned char *)record + field->offset;

    if (!field->sparse)
        return false;
    return field->type == FIELD_RECORD ? !field_known(&field->row->at[0], at)
                                       : !field_known(field, record);
}

/* Fields of the set, after others where it is not the first; is it still? */
static bool write_json_fields(const struct field_set *set, const void *record, bool first,
                              struct buf *out)
{
    for (size_t i = 0; i < set->len; i++) {
        const struct field *field = &set->at[i];

        if (is_left_out_of_json(field, record))
            continue;
        if (field->inlined) {
            first = write_json_fields(field->row, (const unsigned char *)record + field->offset,
                                      first, out);
            continue;
        }
        if (!first)
            buf_char(out, ',');
        first = false;
        json_write_text(str_from(field->name), out);
        buf_char(out, ':');
        write_json_value(field, record, out);
    }
    return first;
}

void json_write_record(const struct field_set *set, const void *record, const char *schema,
                       struct buf *out)
{
    buf_char(out, '{');
    if (schema != NULL) {
        buf_adds(out, "\"schema\":");
        json_write_text(str_from(schema), out);
    }
    (void)write_json_fields(set, record, schema == NULL, out);
    buf_char(out, '}');
}
