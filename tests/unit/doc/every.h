/* every.h - a record with a field of every type, for the tests of src/doc. */
#ifndef TESTS_DOC_EVERY_H
#define TESTS_DOC_EVERY_H

#include "doc/field.h"
#include "unit/money.h"
#include "unit/size.h"
#include "unit/time.h"

struct every_row {
    struct str name;
    int64_t count;
};

struct every {
    bool flag;
    struct str text, choice;
    struct strs texts;
    int64_t count;
    double number, share;
    usd amount;
    usd_per_hour max_price;
    usd_per_gb moving;
    usd_per_kwh power;
    struct money budget;
    bytes memory;
    span time;
    day since;
    struct rows rows;
    struct every_row inner;
};

static const struct field every_row_fields[] = {
    {.name = "name",
     .type = FIELD_TEXT,
     .offset = offsetof(struct every_row, name),
     .help = "what it is called",
     .required = true},
    {.name = "count",
     .type = FIELD_COUNT,
     .offset = offsetof(struct every_row, count),
     .positive = true},
};

static const struct field_set every_row_set = FIELD_SET(struct every_row, every_row_fields);

static const char *const every_choices[] = {"cheapest", "fastest", "cleanest", NULL};

#define EVERY(kind, member) \
    .name = #member, .type = FIELD_##kind, .offset = offsetof(struct every, member)

static const struct field every_fields[] = {
    {EVERY(FLAG, flag)},
    {EVERY(TEXT, text)},
    {EVERY(CHOICE, choice), .choices = every_choices},
    {EVERY(TEXTS, texts)},
    {EVERY(COUNT, count)},
    {EVERY(NUMBER, number)},
    {EVERY(SHARE, share)},
    {EVERY(USD, amount)},
    {EVERY(RATE, max_price)},
    {EVERY(PER_GB, moving)},
    {EVERY(PER_KWH, power)},
    {EVERY(MONEY, budget)},
    {EVERY(BYTES, memory)},
    {EVERY(SPAN, time)},
    {EVERY(DAY, since)},
    {EVERY(LIST, rows), .row = &every_row_set},
    {EVERY(RECORD, inner), .row = &every_row_set},
};

static const struct field_set every_set = FIELD_SET(struct every, every_fields);

#endif
