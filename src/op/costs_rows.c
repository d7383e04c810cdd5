/* Rows by dimension, which only the question knows. */
#include "op/costs.h"

#include <math.h>
#include <string.h>

#include "op/ledger_open.h"

bool costs_by_names(const struct costs_by *by, struct arena *arena, struct strs *out,
                    struct error *err)
{
    struct str *names = arena_array(arena, struct str, by->count, err);

    if (names == NULL)
        return false;
    for (size_t i = 0; i < by->count; i++)
        names[i] = str_from(dimension_name(by->at[i]));
    *out = (struct strs){names, by->count};
    return true;
}

bool costs_row_fields(const struct costs_by *by, size_t offset, const struct field_set *fixed,
                      struct arena *arena, const struct field_set **out, struct error *err)
{
    struct field *fields = arena_array(arena, struct field, by->count + fixed->len, err);
    struct field_set *set = arena_array(arena, struct field_set, 1, err);

    if (fields == NULL || set == NULL)
        return false;
    for (size_t i = 0; i < by->count; i++)
        fields[i] = (struct field){.name = dimension_name(by->at[i]),
                                   .type = FIELD_TEXT,
                                   .offset = offset + i * sizeof(struct str),
                                   .help = ""};
    memcpy(fields + by->count, fixed->at, fixed->len * sizeof *fields);
    *set = (struct field_set){fields, by->count + fixed->len, fixed->size};
    *out = set;
    return true;
}

void costs_values(const struct costs_by *by, const struct dimensions *of,
                  struct str value[static COSTS_BY_MAX])
{
    for (size_t i = 0; i < by->count; i++)
        value[i] = ledger_known(of->of[by->at[i]]);
}

bool costs_where_also(struct strs where, struct str also, struct arena *arena, struct strs *out,
                      struct error *err)
{
    struct str *all = arena_array(arena, struct str, where.len + 1, err);

    if (all == NULL)
        return false;
    for (size_t i = 0; i < where.len; i++)
        all[i] = where.at[i];
    all[where.len] = also;
    *out = (struct strs){all, where.len + 1};
    return true;
}

double costs_percent(struct decimal change, struct decimal before)
{
    double was = decimal_double(before), by = decimal_double(change);

    if (was == 0)
        return by == 0 ? NAN : by > 0 ? INFINITY : -INFINITY;
    return by / fabs(was);
}
