#include "doc/field.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "unit/money.h"
#include "unit/size.h"
#include "unit/time.h"

bool strs_match(struct strs globs, struct str text)
{
    for (size_t i = 0; i < globs.len; i++)
        if (str_glob(text, globs.at[i]))
            return true;
    return globs.len == 0;
}

static void *field_member(const struct field *field, void *record)
{
    return (unsigned char *)record + field->offset;
}

static const void *field_value(const struct field *field, const void *record)
{
    return (const unsigned char *)record + field->offset;
}

/* Counts have 64 bits or 32; enumerations as many as an int, or as few as a byte. */
static size_t field_width(const struct field *field)
{
    if (field->width > 0)
        return field->width;
    return field->type == FIELD_ENUM ? sizeof(int32_t) : sizeof(int64_t);
}

static int64_t integer_at(const struct field *field, const void *at)
{
    size_t width = field_width(field);

    if (width == sizeof(int8_t))
        return *(const int8_t *)at;
    return width == sizeof(int32_t) ? *(const int32_t *)at : *(const int64_t *)at;
}

bool field_put_integer(const struct field *field, int64_t value, void *record)
{
    void *to = field_member(field, record);
    size_t width = field_width(field);

    if (width == sizeof(int8_t))
        *(int8_t *)to = (int8_t)value;
    else if (width == sizeof(int32_t))
        *(int32_t *)to = (int32_t)value;
    else
        *(int64_t *)to = value;
    return integer_at(field, to) == value;
}

int64_t field_count(const struct field *field, const void *record)
{
    int64_t count = integer_at(field, field_value(field, record));

    return count >= 0 ? count : -1;
}

double field_number(const struct field *field, const void *record)
{
    double number = *(const double *)field_value(field, record);

    return field->divisor > 0 ? number / field->divisor : number;
}

double field_double(const struct field *field, const void *record)
{
    const void *value = field_value(field, record);

    if (!field_known(field, record))
        return NAN;
    if (field->type == FIELD_COUNT)
        return (double)field_count(field, record);
    if (field->type == FIELD_USD)
        return usd_double(*(const usd *)value);
    if (field->type == FIELD_RATE)
        return usd_per_hour_double(*(const usd_per_hour *)value);
    if (field->type == FIELD_SPAN)
        return span_in_seconds(*(const span *)value);
    if (field->type == FIELD_TIME)
        return (double)((const stamp *)value)->s;
    if (field->type == FIELD_BYTES)
        return (double)((const bytes *)value)->n;
    return field->type == FIELD_NUMBER || field->type == FIELD_SHARE
               ? field_number(field, record)
               : NAN;
}

const char *field_name_at(const struct field *field, size_t i)
{
    const char *const *names = field->names != NULL ? field->names : field->choices;
    bool past =
        names == NULL || (field->name_count > 0 ? i >= field->name_count : names[i] == NULL);

    if (past)
        return NULL;
    return names[i] != NULL && (field->only == 0 || (field->only >> i & 1) != 0) ? names[i]
                                                                                 : "";
}

/* NULL when it is unknown. */
static const char *field_enum(const struct field *field, const void *record)
{
    int64_t value = integer_at(field, field_value(field, record));
    const char *name = NULL;

    for (int64_t i = 0; i <= value; i++) {
        name = field_name_at(field, (size_t)i);
        if (name == NULL)
            return NULL;
    }
    return name != NULL && name[0] != '\0' ? name : NULL;
}

const char *field_choice(const struct field *field, size_t at)
{
    const char *name;
    size_t known = 0;

    for (size_t i = 0; (name = field_name_at(field, i)) != NULL; i++)
        if (name[0] != '\0' && known++ == at)
            return name;
    return NULL;
}

static struct str chars_of(const char *at, size_t most)
{
    size_t len = strnlen(at, most);

    return len > 0 ? (struct str){at, len} : (struct str){0};
}

struct str field_text(const struct field *field, const void *record)
{
    const void *at = field_value(field, record);
    const struct str *text = at;
    const char *name;

    if (field->type == FIELD_TEXT || field->type == FIELD_CHOICE) {
        if (field->empty_unknown && text->len == 0)
            return (struct str){0};
        return *text;
    }
    if (field->type == FIELD_CURRENCY)
        return chars_of(at, sizeof(struct currency));
    if (field->type == FIELD_CHARS)
        return chars_of(at, field->width);
    name = field->type == FIELD_ENUM ? field_enum(field, record) : NULL;
    return name != NULL ? str_from(name) : (struct str){0};
}

static void make_unknown(const struct field *field, void *record)
{
    void *to = field_member(field, record);

    switch (field->type) {
    case FIELD_COUNT:
    case FIELD_ENUM:
        (void)!field_put_integer(field, -1, record);
        break;
    case FIELD_DECIMAL:
        *(struct decimal *)to = DECIMAL_UNKNOWN;
        break;
    case FIELD_TIME:
        *(stamp *)to = STAMP_UNKNOWN;
        break;
    case FIELD_NUMBER:
    case FIELD_SHARE:
        *(double *)to = NAN;
        break;
    case FIELD_USD:
    case FIELD_RATE:
    case FIELD_PER_GB:
    case FIELD_PER_KWH:
        *(int64_t *)to = MONEY_UNKNOWN;
        break;
    case FIELD_BYTES:
        *(bytes *)to = BYTES_UNKNOWN;
        break;
    case FIELD_SPAN:
        *(span *)to = SPAN_UNKNOWN;
        break;
    case FIELD_DAY:
        *(day *)to = DAY_UNKNOWN;
        break;
    case FIELD_FLAG:
    case FIELD_TEXT:
    case FIELD_TEXTS:
    case FIELD_CHOICE:
    case FIELD_MONEY:
    case FIELD_CURRENCY:
    case FIELD_CHARS:
    case FIELD_LIST:
    case FIELD_TABLE:
    case FIELD_NUMBERS:
    case FIELD_RECORD:
    case FIELD_JSON:
        break; /* all zero bytes */
    }
}

void fields_unknown(const struct field_set *set, void *record)
{
    for (size_t i = 0; i < set->len; i++) {
        memset(field_member(&set->at[i], record), 0, set->at[i].width);
        make_unknown(&set->at[i], record);
    }
}

bool fields_reset(const struct field_set *set, void *record, struct arena *arena,
                  struct error *err)
{
    memset(record, 0, set->size);
    for (size_t i = 0; i < set->len; i++) {
        const struct field *field = &set->at[i];

        make_unknown(field, record);
        if (field->type == FIELD_RECORD &&
            !fields_reset(field->row, field_member(field, record), arena, err))
            return false;
        if (field->fallback != NULL &&
            !field_parse(field, FIELD_SPELLED, str_from(field->fallback), record, arena, err))
            return false;
    }
    return true;
}

bool field_known(const struct field *field, const void *record)
{
    const void *at = field_value(field, record);

    switch (field->type) {
    case FIELD_FLAG:
        return *(const bool *)at;
    case FIELD_TEXT:
    case FIELD_CHOICE:
    case FIELD_ENUM:
    case FIELD_CURRENCY:
    case FIELD_CHARS:
        return field_text(field, record).at != NULL;
    case FIELD_JSON:
        return ((const struct str *)at)->len > 0;
    case FIELD_TEXTS:
        return ((const struct strs *)at)->len > 0;
    case FIELD_COUNT:
        return field_count(field, record) >= 0;
    case FIELD_DECIMAL:
        return decimal_known(*(const struct decimal *)at);
    case FIELD_TIME:
        return ((const stamp *)at)->s >= (field->empty_unknown ? 1 : 0);
    case FIELD_NUMBER:
    case FIELD_SHARE:
        return !isnan(*(const double *)at);
    case FIELD_USD:
    case FIELD_RATE:
    case FIELD_PER_GB:
    case FIELD_PER_KWH:
        return *(const int64_t *)at != MONEY_UNKNOWN;
    case FIELD_MONEY:
        return !currency_unset(((const struct money *)at)->currency);
    case FIELD_BYTES:
        return ((const bytes *)at)->n != UINT64_MAX;
    case FIELD_SPAN:
        return ((const span *)at)->ns >= 0;
    case FIELD_DAY:
        return ((const day *)at)->n != INT32_MIN;
    case FIELD_NUMBERS:
        return ((const struct numbers *)at)->len > 0;
    case FIELD_LIST:
    case FIELD_TABLE:
    case FIELD_RECORD:
        break;
    }
    return true;
}

static bool is_field_name(const char *have, struct str name)
{
    size_t n = 0;

    while (n < name.len && have[n] != '\0' &&
           (have[n] == name.at[n] || (have[n] == '_' && name.at[n] == '-')))
        n++;
    return n == name.len && have[n] == '\0';
}

const struct field *field_find(const struct field_set *set, struct str name)
{
    for (size_t i = 0; i < set->len; i++)
        if (is_field_name(set->at[i].name, name))
            return &set->at[i];
    for (size_t i = 0; i < set->len; i++)
        for (const char *const *also = set->at[i].also; also != NULL && *also != NULL; also++)
            if (is_field_name(*also, name))
                return &set->at[i];
    return NULL;
}

bool field_reach(const struct field_set *set, struct str path, struct field_place *out)
{
    struct str rest = path, name = str_cut(&rest, '.');
    const struct field *field = field_find(set, name);

    if (field != NULL && rest.len == 0) {
        *out = (struct field_place){field, 0};
        return true;
    }
    if (field != NULL) {
        if (field->type != FIELD_RECORD || !field_reach(field->row, rest, out))
            return false;
        out->base += field->offset;
        return true;
    }
    for (size_t i = 0; i < set->len; i++)
        if (set->at[i].inlined && field_reach(set->at[i].row, path, out)) {
            out->base += set->at[i].offset;
            return true;
        }
    return false;
}

bool field_unknown(const struct field_set *set, const char *kind, struct str name,
                   struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (size_t i = 0; i < set->len; i++)
        suggestion_try(&s, str_from(set->at[i].name));
    error_set(err, ERROR_INPUT, "there is no %s '%.*s'", kind, STR_ARG(name));
    (void)suggestion_hint(&s, err);
    return false;
}

void field_write_time(const struct field *field, stamp at, struct buf *out)
{
    if (field->short_midnight)
        stamp_write_short(at, out);
    else
        stamp_write(at, out);
}

static void write_field_texts(const struct strs *list, struct buf *out)
{
    for (size_t i = 0; i < list->len; i++) {
        if (i > 0)
            buf_adds(out, ", ");
        buf_add(out, list->at[i]);
    }
}

void field_write(const struct field *field, const void *record, struct buf *out)
{
    const void *at = field_value(field, record);

    if (field->type == FIELD_FLAG) {
        buf_adds(out, *(const bool *)at ? "yes" : "no");
        return;
    }
    if (!field_known(field, record))
        return;
    switch (field->type) {
    case FIELD_TEXT:
    case FIELD_CHOICE:
    case FIELD_ENUM:
    case FIELD_CURRENCY:
    case FIELD_CHARS:
        buf_add(out, field_text(field, record));
        break;
    case FIELD_JSON:
        buf_add(out, *(const struct str *)at);
        break;
    case FIELD_TEXTS:
        write_field_texts(at, out);
        break;
    case FIELD_COUNT:
        buf_addf(out, "%lld", (long long)field_count(field, record));
        break;
    case FIELD_NUMBER:
    case FIELD_SHARE:
        num_write(field_number(field, record), out);
        break;
    case FIELD_DECIMAL:
        decimal_write(*(const struct decimal *)at, out);
        break;
    case FIELD_USD:
        usd_write(*(const usd *)at, out);
        break;
    case FIELD_RATE:
        usd_per_hour_write(*(const usd_per_hour *)at, out);
        break;
    case FIELD_PER_GB:
    case FIELD_PER_KWH:
        buf_char(out, '$');
        nano_write(*(const int64_t *)at, out);
        buf_adds(out, field->type == FIELD_PER_GB ? "/GB" : "/kWh");
        break;
    case FIELD_MONEY:
        money_write(at, out);
        break;
    case FIELD_BYTES:
        bytes_write(*(const bytes *)at, out);
        break;
    case FIELD_SPAN:
        span_write(*(const span *)at, out);
        break;
    case FIELD_DAY:
        day_write(*(const day *)at, out);
        break;
    case FIELD_TIME:
        field_write_time(field, *(const stamp *)at, out);
        break;
    case FIELD_FLAG:
    case FIELD_LIST:
    case FIELD_TABLE:
    case FIELD_NUMBERS:
    case FIELD_RECORD:
        break;
    }
}
