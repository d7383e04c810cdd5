#include "run/output/step_values.h"

#include <math.h>
#include <string.h>

#define SLOTS (2 * STEP_VALUES) /* a power of two */

bool step_values_start(struct step_values *v, struct arena *arena, struct error *err)
{
    *v = (struct step_values){0};
    for (int i = 0; i < STEP_UNITS; i++)
        v->most[i] = NAN;
    v->now = arena_array(arena, struct step_value, SLOTS, err);
    v->before = v->now != NULL ? arena_array(arena, struct step_value, SLOTS, err) : NULL;
    return v->before != NULL;
}

/* The slot of a number, or the free one where it belongs. */
static struct step_value *step_slot_of(struct step_value *table, enum step_unit unit,
                                       double number)
{
    uint64_t bits;
    size_t at;

    memcpy(&bits, &number, sizeof bits);
    at = (size_t)(((bits ^ (uint64_t)unit) * UINT64_C(0x9E3779B97F4A7C15)) >> 40) & (SLOTS - 1);
    while (table[at].used && (table[at].unit != unit || table[at].number != number))
        at = (at + 1) & (SLOTS - 1);
    return &table[at];
}

/* When the table is half full it becomes the older one, and what was older is forgotten. */
static void make_step_room(struct step_values *v)
{
    struct step_value *empty = v->before;

    if (v->count < STEP_VALUES)
        return;
    v->before = v->now;
    memset(empty, 0, SLOTS * sizeof *empty);
    v->now = empty;
    v->count = 0;
}

void step_values_see(struct step_values *v, enum step_unit unit, double number, double value,
                     bool evaluated)
{
    struct step_value *slot;
    const struct step_value *known;
    bool same;

    if (v->now == NULL || !isfinite(number))
        return;
    if (!(v->most[unit] >= number))
        v->most[unit] = number;
    make_step_room(v);
    slot = step_slot_of(v->now, unit, number);
    known = slot->used ? slot : step_slot_of(v->before, unit, number);
    if (!known->used || (evaluated && !known->evaluated)) {
        v->count += !slot->used;
        *slot = (struct step_value){number, value, unit, true, evaluated, false};
        return;
    }
    if (known->evaluated && !evaluated)
        return;
    same = known->value == value || (isnan(known->value) && isnan(value));
    v->count += !slot->used;
    *slot = (struct step_value){number, value, unit, true, evaluated, known->differs || !same};
}

const struct step_value *step_values_find(const struct step_values *v, enum step_unit unit,
                                          double number)
{
    const struct step_value *found;

    if (v->now == NULL)
        return NULL;
    found = step_slot_of(v->now, unit, number);
    if (!found->used)
        found = step_slot_of(v->before, unit, number);
    return found->used ? found : NULL;
}
