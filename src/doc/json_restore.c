#include "doc/json_restore.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "unit/money.h"
#include "unit/size.h"
#include "unit/time.h"

#define NANO_DIGITS 9
#define SECONDS_MOST 9.2e9 /* that a span holds */

static bool restore_record(const struct field_set *set, const struct node *map, void *record,
                           struct arena *arena, struct error *err);

static bool wrong(const struct node *node, const char *wanted, struct error *err)
{
    if (node->kind == NODE_SCALAR)
        error_set(err, ERROR_INPUT, "'%.*s' is not %s", STR_ARG(node->text), wanted);
    else
        error_set(err, ERROR_INPUT, "expected %s", wanted);
    return false;
}

static struct str map_text_at(const struct node *map, struct str key)
{
    const struct node *node = map->kind == NODE_MAP ? node_get(map, key) : NULL;

    return node != NULL && node->kind == NODE_SCALAR ? node->text : (struct str){0};
}

/* {"amount":"2.49","currency":"USD"} in nano-dollars. */
static bool restore_nano(const struct node *node, int64_t *to, struct error *err)
{
    struct str amount = map_text_at(node, STR("amount"));

    if (!str_eq(map_text_at(node, STR("currency")), STR("USD")) ||
        !num_fixed(amount, NANO_DIGITS, to) || *to == MONEY_UNKNOWN)
        return wrong(node, "an amount in dollars", err);
    return true;
}

static bool restore_money(const struct node *node, struct money *to, struct error *err)
{
    struct str code = map_text_at(node, STR("currency"));

    if (!currency_parse(code, &to->currency) ||
        !decimal_parse(map_text_at(node, STR("amount")), &to->amount))
        return wrong(node, "an amount", err);
    return true;
}

static size_t length(const struct node *list)
{
    size_t count = 0;

    for (const struct node *item = list->first; item != NULL; item = item->next)
        count++;
    return count;
}

static bool restore_texts(const struct node *list, struct strs *to, struct arena *arena,
                          struct error *err)
{
    struct str *all = arena_array(arena, struct str, length(list) + 1, err);
    size_t count = 0;

    if (all == NULL)
        return false;
    for (const struct node *item = list->first; item != NULL; item = item->next) {
        if (item->kind != NODE_SCALAR)
            return wrong(item, "a text", err);
        all[count++] = item->text;
    }
    *to = (struct strs){all, count};
    return true;
}

static bool restore_numbers(const struct node *list, struct numbers *to, struct arena *arena,
                            struct error *err)
{
    double *all = arena_array(arena, double, length(list) + 1, err);
    size_t count = 0;

    if (all == NULL)
        return false;
    for (const struct node *item = list->first; item != NULL; item = item->next) {
        all[count] = NAN;
        if (item->kind != NODE_NULL &&
            (item->kind != NODE_SCALAR || !num_double(item->text, &all[count])))
            return wrong(item, "a number", err);
        count++;
    }
    *to = (struct numbers){all, count};
    return true;
}

static bool restore_rows(const struct field_set *set, const struct node *list, struct rows *to,
                         struct arena *arena, struct error *err)
{
    size_t count = length(list);
    unsigned char *row = arena_get(arena, count + 1, set->size, alignof(max_align_t), err);

    if (row == NULL)
        return false;
    *to = (struct rows){row, count};
    for (const struct node *item = list->first; item != NULL; item = item->next) {
        if (!restore_record(set, item, row, arena, err))
            return false;
        row += set->size;
    }
    return true;
}

static bool is_restored_list(const struct field *field)
{
    return field->type == FIELD_TEXTS || field->type == FIELD_NUMBERS ||
           field->type == FIELD_LIST;
}

static bool restore_list(const struct field *field, const struct node *node, void *to,
                         struct arena *arena, struct error *err)
{
    if (node->kind != NODE_LIST)
        return wrong(node, "a list", err);
    if (field->type == FIELD_TEXTS)
        return restore_texts(node, to, arena, err);
    if (field->type == FIELD_NUMBERS)
        return restore_numbers(node, to, arena, err);
    return restore_rows(field->row, node, to, arena, err);
}

static bool restore_span(struct str text, span *to)
{
    double seconds;

    if (!num_double(text, &seconds) || !(seconds >= 0 && seconds <= SECONDS_MOST))
        return false;
    to->ns = llround(seconds * 1e9);
    return true;
}

static bool restore_count(struct str text, int64_t *to)
{
    return num_int(text, to) && *to >= 0;
}

static bool restore_flag(struct str text, bool *to)
{
    *to = str_eq(text, STR("true"));
    return *to || str_eq(text, STR("false"));
}

static bool restore_integer(const struct field *field, struct str text, void *record)
{
    int64_t count;

    return restore_count(text, &count) && field_put_integer(field, count, record);
}

static bool restore_bytes(struct str text, bytes *to)
{
    int64_t count;

    if (!restore_count(text, &count))
        return false;
    to->n = (uint64_t)count;
    return true;
}

static bool restore_number(const struct field *field, struct str text, double *to)
{
    if (!num_double(text, to))
        return false;
    *to *= field->divisor > 0 ? field->divisor : 1;
    return true;
}

static bool restore_enum(const struct field *field, struct str text, void *record)
{
    const char *name;

    for (size_t i = 0; (name = field_name_at(field, i)) != NULL; i++)
        if (name[0] != '\0' && str_eq(str_from(name), text))
            return field_put_integer(field, (int64_t)i, record);
    return false;
}

static bool restore_chars(const struct field *field, struct str text, void *to)
{
    size_t width = field->type == FIELD_CURRENCY ? sizeof(struct currency) : field->width;

    if (text.len >= width)
        return false;
    memcpy(to, text.at, text.len);
    memset((unsigned char *)to + text.len, 0, width - text.len);
    return true;
}

/* A scalar that is neither money nor text; NULL when it was right, else what it should be. */
static const char *restore_scalar(const struct field *field, struct str text, void *record)
{
    void *to = (unsigned char *)record + field->offset;

    switch (field->type) {
    case FIELD_FLAG:
        return restore_flag(text, to) ? NULL : "true or false";
    case FIELD_COUNT:
        return restore_integer(field, text, record) ? NULL : "a count";
    case FIELD_ENUM:
        return restore_enum(field, text, record) ? NULL : "a name that is known";
    case FIELD_CURRENCY:
        return currency_known(text) && restore_chars(field, text, to) ? NULL : "a currency";
    case FIELD_CHARS:
        return restore_chars(field, text, to) ? NULL : "a text of that length";
    case FIELD_DECIMAL:
        return decimal_parse(text, to) ? NULL : "a number";
    case FIELD_TIME:
        return stamp_parse(text, to) ? NULL : "a time";
    case FIELD_BYTES:
        return restore_bytes(text, to) ? NULL : "a number of bytes";
    case FIELD_NUMBER:
    case FIELD_SHARE:
        return restore_number(field, text, to) ? NULL : "a number";
    case FIELD_SPAN:
        return restore_span(text, to) ? NULL : "a number of seconds";
    case FIELD_DAY:
        return day_parse(text, to) ? NULL : "a day";
    case FIELD_TEXT:
    case FIELD_CHOICE:
    case FIELD_TEXTS:
    case FIELD_USD:
    case FIELD_RATE:
    case FIELD_PER_GB:
    case FIELD_PER_KWH:
    case FIELD_MONEY:
    case FIELD_LIST:
    case FIELD_TABLE:
    case FIELD_NUMBERS:
    case FIELD_RECORD:
    case FIELD_JSON:
        break;
    }
    *(struct str *)to = text;
    return NULL;
}

static bool restore_value(const struct field *field, const struct node *node, void *record,
                          struct arena *arena, struct error *err)
{
    void *to = (unsigned char *)record + field->offset;
    const char *wanted;

    if (node->kind == NODE_NULL || field->type == FIELD_TABLE || field->type == FIELD_JSON)
        return true;
    if (is_restored_list(field))
        return restore_list(field, node, to, arena, err);
    if (field->type == FIELD_RECORD)
        return restore_record(field->row, node, to, arena, err);
    if (field->type == FIELD_MONEY)
        return restore_money(node, to, err);
    if (field->type == FIELD_USD || field->type == FIELD_RATE || field->type == FIELD_PER_GB ||
        field->type == FIELD_PER_KWH)
        return restore_nano(node, to, err);
    if (node->kind != NODE_SCALAR)
        return wrong(node, "a single value", err);
    wanted = restore_scalar(field, node->text, record);
    return wanted == NULL || wrong(node, wanted, err);
}

static bool restore_record(const struct field_set *set, const struct node *map, void *record,
                           struct arena *arena, struct error *err)
{
    if (!fields_reset(set, record, arena, err))
        return false;
    if (map->kind != NODE_MAP)
        return error_fail(err, ERROR_INPUT, "expected keys and values");
    for (const struct node *child = map->first; child != NULL; child = child->next) {
        struct field_place place;

        if (!field_reach(set, child->key, &place) ||
            restore_value(place.field, child, (unsigned char *)record + place.base, arena, err))
            continue;
        if (err->kind != ERROR_MEMORY)
            error_context(err, "%s", place.field->name);
        return false;
    }
    return true;
}

bool json_restore(const struct field_set *set, const struct node *map, const char *name,
                  void *record, struct arena *arena, struct error *err)
{
    if (restore_record(set, map, record, arena, err))
        return true;
    if (err->kind != ERROR_MEMORY)
        error_context(err, "%s", name);
    return false;
}
