/* A rule's effect in words. */
#include <math.h>

#include "base/num.h"
#include "plan/rules.h"
#include "unit/money.h"

#define CENT 0.01
#define MINUTE (1 / 60.0)

static void write_hours(double hours, struct buf *out)
{
    if (hours < 1)
        buf_addf(out, "%.0f min", hours * 60);
    else {
        num_write_fixed(hours, hours < 100 ? 1 : 0, out);
        buf_adds(out, " h");
    }
}

static void write_cost(double more, double of, struct buf *out)
{
    if (fabs(more) < fmin(CENT, 0.001 * of)) {
        buf_adds(out, "costs as much as ");
        return;
    }
    buf_adds(out, "costs ");
    usd_write(usd_about(fabs(more)), out);
    buf_adds(out, more > 0 ? " more than " : " less than ");
}

static void write_time(double later, struct buf *out)
{
    if (isnan(later))
        return;
    if (fabs(later) < MINUTE) {
        buf_adds(out, " and takes as long");
        return;
    }
    buf_adds(out, " and is done ");
    write_hours(fabs(later), out);
    buf_adds(out, later > 0 ? " later" : " sooner");
}

void rule_effect(const struct rule *rule, struct buf *out)
{
    const struct rule_side *with = &rule->with, *without = &rule->without;

    if (!rule->applies) {
        buf_adds(out, rule->why_not != NULL ? rule->why_not : "it says nothing about this");
        return;
    }
    if (!with->possible || !without->possible) {
        buf_addf(out, "nothing but %s is possible",
                 with->possible ? with->name : without->name);
        return;
    }
    buf_addf(out, "%s ", without->name);
    write_cost(without->usd - with->usd, with->usd, out);
    buf_adds(out, with->name);
    write_time(without->hours - with->hours, out);
    if (!without->allowed)
        buf_adds(out, ", but does not keep to the limits");
    else if (!with->allowed)
        buf_addf(out, "; %s would not keep to the limits", with->name);
}
