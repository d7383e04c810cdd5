/* Traces made up of lifetimes. */
#include <math.h>

#include "spot/hazard.h"
#include "spot/lifetimes.h"

bool lifetimes_draw(const struct lifetimes *of, struct dice *dice, int32_t gap, size_t ticks,
                    struct arena *arena, struct trace *out, struct error *err)
{
    struct hazard lose = hazard_of(of->lose), gain = hazard_of(of->gain);
    double step = gap / 3600.0, age;
    uint8_t *nodes;
    bool up;

    if (gap < 1 || gap > TRACE_GAP_MAX || ticks < 1 || ticks > TRACE_TICKS_MAX)
        return error_fail(err, ERROR_INPUT,
                          "a trace has 1 to %zu ticks of 1 to %d seconds, not %zu of %d",
                          TRACE_TICKS_MAX, TRACE_GAP_MAX, ticks, (int)gap);
    nodes = arena_array(arena, uint8_t, ticks, err);
    if (nodes == NULL)
        return false;
    up = dice_unit(dice) < of->up;
    age = hazard_age(up ? &lose : &gain, dice_unit(dice));
    for (size_t i = 0; i < ticks; i++) {
        nodes[i] = up;
        if (dice_unit(dice) < exp(-hazard_between(up ? &lose : &gain, age, age + step))) {
            age += step;
        } else {
            up = !up;
            age = 0;
        }
    }
    *out = (struct trace){.id = STR("drawn"),
                          .gap = gap,
                          .nodes = 1,
                          .ticks = ticks,
                          .start = STAMP_UNKNOWN,
                          .on_demand = NAN,
                          .spot = NAN,
                          .nodes_at = nodes};
    return true;
}
