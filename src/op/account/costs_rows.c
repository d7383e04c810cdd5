/* Conditions of a request, with one more. */
#include "op/account/costs.h"

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
