#include "spot/watched.h"

#include <math.h>

#include "base/dice.h"
#include "series/risk.h"
#include "series/values.h"

#define DRAWS 1000
#define PIECES 10000 /* drawn from, at most: what was watched for years has more spells */
#define SEED 5

/* Of one spell: moments that count, and those of them that a loss followed in time. */
struct spell {
    double moments, lost;
};

struct spells {
    struct spell *at;
    size_t len, losses;
    double up_ticks;
};

/* The spell [from, to): each moment that is followed by `within` watched ticks counts. What was
 * watched without a break ends at tick `end`. */
static void add_spell(struct spells *s, size_t from, size_t to, size_t end, size_t within)
{
    bool ended = to < end;
    size_t counted =
        end > within ? end - within : 0; /* before it all are watched long enough */
    size_t last = to < counted ? to : counted, risky = to > within ? to - within : 0;

    s->up_ticks += (double)(to - from);
    s->losses += ended;
    if (from >= last)
        return;
    risky = risky > from ? risky : from; /* from here on the loss comes in time */
    s->at[s->len].moments = (double)(last - from);
    s->at[s->len].lost = ended && last > risky ? (double)(last - risky) : 0;
    s->len++;
}

/* The spells from tick `at` to `end`, between which it was watched without a break. */
static void find_spells(const struct trace *trace, int32_t gang, size_t at, size_t end,
                        size_t within, struct spells *s)
{
    size_t from = SIZE_MAX;

    for (; at < end; at++) {
        bool up = trace->nodes_at[at] >= gang;

        if (up && from == SIZE_MAX)
            from = at;
        if (!up && from != SIZE_MAX) {
            add_spell(s, from, at, end, within);
            from = SIZE_MAX;
        }
    }
    if (from != SIZE_MAX)
        add_spell(s, from, end, end, within);
}

static void find_all_spells(const struct trace *trace, int32_t gang, size_t within,
                            struct spells *s)
{
    for (size_t from = 0, to; from < trace->ticks; from = to) {
        to = from + 1;
        if (!trace_seen(trace, from))
            continue;
        while (to < trace->ticks && trace_seen(trace, to))
            to++;
        find_spells(trace, gang, from, to, within, s);
    }
}

static double ratio(struct spell sum)
{
    return sum.moments > 0 ? sum.lost / sum.moments : 0;
}

/* Neighbors become one, so that drawing has a bound: blocks of spells are as good to draw from
 * when there are thousands of them. */
static void gather_spells(struct spells *s)
{
    size_t each = (s->len + PIECES - 1) / PIECES, count = 0;

    for (size_t i = 0; i < s->len; i++) {
        if (i % each == 0)
            s->at[count++] = s->at[i];
        else {
            s->at[count - 1].moments += s->at[i].moments;
            s->at[count - 1].lost += s->at[i].lost;
        }
    }
    s->len = count;
}

static bool draw_anew(const struct spells *s, double share, struct arena *scratch,
                      struct watched *out, struct error *err)
{
    double *risks = arena_array(scratch, double, DRAWS, err);
    struct dice dice = dice_seed(SEED);

    if (risks == NULL)
        return false;
    for (size_t d = 0; d < DRAWS; d++) {
        struct spell sum = {0};

        for (size_t i = 0; i < s->len; i++) {
            const struct spell *one = &s->at[(size_t)(dice_unit(&dice) * (double)s->len)];

            sum.moments += one->moments;
            sum.lost += one->lost;
        }
        risks[d] = ratio(sum);
    }
    values_sort(risks, DRAWS);
    out->low = risks[(size_t)((1 - share) / 2 * DRAWS)];
    out->high = risks[(size_t)((1 + share) / 2 * DRAWS) - 1];
    out->drawn = true;
    return true;
}

bool watched_risk(const struct trace *trace, int32_t gang, double hours, double share,
                  struct arena *scratch, struct watched *out, struct error *err)
{
    double within = ceil(hours * 3600 / trace->gap - 1e-9), tick = trace->gap / 3600.0;
    struct spells s = {0};
    struct spell sum = {0};
    struct rate rate;

    *out = (struct watched){.risk = NAN, .low = NAN, .high = NAN};
    out->hours = trace_seen_hours(trace);
    s.at = arena_array(scratch, struct spell, trace->ticks / 2 + 1, err);
    if (s.at == NULL)
        return false;
    within = fmin(within, (double)trace->ticks);
    find_all_spells(trace, gang, (size_t)within, &s);
    for (size_t i = 0; i < s.len; i++) {
        sum.moments += s.at[i].moments;
        sum.lost += s.at[i].lost;
    }
    out->spells = s.len;
    out->losses = s.losses;
    out->up_hours = s.up_ticks * tick;
    if (sum.moments <= 0)
        return true;
    out->risk = ratio(sum);
    gather_spells(&s);
    if (s.losses >= WATCHED_FEWEST)
        return draw_anew(&s, share, scratch, out, err);
    rate = rate_of(s.losses, out->up_hours, share);
    out->low = fmin(-expm1(-rate.low * hours), out->risk);
    out->high = fmax(-expm1(-rate.high * hours), out->risk);
    return true;
}
