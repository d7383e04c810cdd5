#include "doc/field.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "unit/energy.h"
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

static void *member(const struct field *field, void *record)
{
    return (unsigned char *)record + field->offset;
}

static const void *value_of(const struct field *field, const void *record)
{
    return (const unsigned char *)record + field->offset;
}

static void make_unknown(const struct field *field, void *to)
{
    switch (field->type) {
    case FIELD_COUNT:
        *(int64_t *)to = -1;
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
    case FIELD_LIST:
    case FIELD_TABLE:
    case FIELD_NUMBERS:
    case FIELD_RECORD:
        break; /* all zero bytes */
    }
}

bool fields_reset(const struct field_set *set, void *record, struct arena *arena,
                  struct error *err)
{
    memset(record, 0, set->size);
    for (size_t i = 0; i < set->len; i++) {
        const struct field *field = &set->at[i];

        make_unknown(field, member(field, record));
        if (field->type == FIELD_RECORD &&
            !fields_reset(field->row, member(field, record), arena, err))
            return false;
        if (field->fallback != NULL &&
            !field_parse(field, FIELD_SPELLED, str_from(field->fallback), record, arena, err))
            return false;
    }
    return true;
}

bool field_known(const struct field *field, const void *record)
{
    const void *at = value_of(field, record);

    switch (field->type) {
    case FIELD_FLAG:
        return *(const bool *)at;
    case FIELD_TEXT:
    case FIELD_CHOICE:
        return ((const struct str *)at)->at != NULL;
    case FIELD_TEXTS:
        return ((const struct strs *)at)->len > 0;
    case FIELD_COUNT:
        return *(const int64_t *)at >= 0;
    case FIELD_NUMBER:
    case FIELD_SHARE:
        return !isnan(*(const double *)at);
    case FIELD_USD:
    case FIELD_RATE:
    case FIELD_PER_GB:
    case FIELD_PER_KWH:
        return *(const int64_t *)at != MONEY_UNKNOWN;
    case FIELD_MONEY:
        return ((const struct money *)at)->currency[0] != '\0';
    case FIELD_BYTES:
        return ((const bytes *)at)->n != UINT64_MAX;
    case FIELD_SPAN:
        return ((const span *)at)->ns >= 0;
    case FIELD_DAY:
        return ((const day *)at)->n != INT32_MIN;
    case FIELD_LIST:
    case FIELD_TABLE:
    case FIELD_NUMBERS:
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

static void write_texts(const struct strs *list, struct buf *out)
{
    for (size_t i = 0; i < list->len; i++) {
        if (i > 0)
            buf_adds(out, ", ");
        buf_add(out, list->at[i]);
    }
}

void field_write(const struct field *field, const void *record, struct buf *out)
{
    const void *at = value_of(field, record);

    if (field->type == FIELD_FLAG) {
        buf_adds(out, *(const bool *)at ? "yes" : "no");
        return;
    }
    if (!field_known(field, record))
        return;
    switch (field->type) {
    case FIELD_TEXT:
    case FIELD_CHOICE:
        buf_add(out, *(const struct str *)at);
        break;
    case FIELD_TEXTS:
        write_texts(at, out);
        break;
    case FIELD_COUNT:
        buf_addf(out, "%lld", (long long)*(const int64_t *)at);
        break;
    case FIELD_NUMBER:
    case FIELD_SHARE:
        num_write(*(const double *)at, out);
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
    case FIELD_FLAG:
    case FIELD_LIST:
    case FIELD_TABLE:
    case FIELD_NUMBERS:
    case FIELD_RECORD:
        break;
    }
}
