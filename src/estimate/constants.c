#include "estimate/constants.h"

#include <math.h>
#include <stdio.h>

#include "base/crc.h"

const char *const constant_names[CONSTANT_COUNT] = {
#define CONSTANT(name) #name,
    CONSTANT_NAMES(CONSTANT)
#undef CONSTANT
};

bool constants_load(const struct catalog *catalog, struct constants *out, struct error *err)
{
    *out = (struct constants){0};
    for (size_t i = 0; i < CONSTANT_COUNT; i++)
        out->at[i] = NAN;
    for (size_t r = 0; r < catalog->tables[TABLE_CONSTANTS].len; r++) {
        const struct constant *row = CATALOG_ROW(catalog, TABLE_CONSTANTS, constant, r);
        size_t i = 0;

        while (i < CONSTANT_COUNT && !str_eq(str_from(constant_names[i]), row->name))
            i++;
        if (i == CONSTANT_COUNT)
            return error_fail(err, ERROR_INPUT, "%s:%llu: there is no constant '%.*s'",
                              row->fact.file, (unsigned long long)row->fact.line,
                              STR_ARG(row->name));
        out->at[i] = row->value;
    }
    for (size_t i = 0; i < CONSTANT_COUNT; i++)
        if (!(out->at[i] > 0 && out->at[i] < 1e15)) /* many are divided by */
            return error_fail(err, ERROR_INPUT, "constants.csv: no usable value for '%s'",
                              constant_names[i]);
    return true;
}

void constants_version(const struct constants *constants, char to[static CONSTANTS_VERSION])
{
    (void)snprintf(to, CONSTANTS_VERSION, "%.20s-%08x", STINT_VERSION,
                   (unsigned)crc32c(0, constants->at, sizeof constants->at));
}
