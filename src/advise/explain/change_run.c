/* Runs as sides of a comparison, and how much runs vary. */
#include <math.h>

#include "advise/explain/change.h"
#include "base/buf.h"

static double known_cost(const struct ledger_run *run)
{
    return usd_double(run->totals.cost);
}

static double known_seconds(const struct ledger_run *run)
{
    span elapsed = run->totals.elapsed;

    return elapsed.ns > 0 ? span_in_seconds(elapsed) : NAN;
}

static double known_kwh(const struct ledger_run *run)
{
    return run->totals.joules / JOULES_PER_KWH;
}

static double (*const run_amounts[CHANGE_MEASURES])(const struct ledger_run *run) = {
    [CHANGE_COST] = known_cost,
    [CHANGE_TIME] = known_seconds,
    [CHANGE_ENERGY] = known_kwh,
};

/* Among runs of the same work: on the same machine. */
static bool is_repeat(const struct ledger_run *run, const struct ledger_run *of,
                      struct str except)
{
    return str_eq(run->start.offer, of->start.offer) &&
           !str_eq(str_from(run->start.id), except);
}

static bool name_variation(struct arena *arena, size_t count, const char *what, struct str *out,
                           struct error *err)
{
    struct buf text = buf_new(arena->alloc, 128);

    buf_addf(&text, "%zu %s", count, what);
    return buf_keep(&text, arena, out, err);
}

/* The ranges of the run's amounts, by how much its repeats differ. */
static bool add_spread(const struct ledger_run *run, const struct ledger_run *runs,
                       size_t count, struct str except, struct arena *arena,
                       struct change_side *out, struct error *err)
{
    double values[CHANGE_REPEATS_MAX];

    for (int m = 0; m < CHANGE_MEASURES; m++) {
        size_t known = 0;
        double width;

        if (run_amounts[m] == NULL)
            continue;
        for (size_t i = 0; i < count && known < CHANGE_REPEATS_MAX; i++)
            if (is_repeat(&runs[i], run, except) && run_amounts[m](&runs[i]) > 0)
                values[known++] = run_amounts[m](&runs[i]);
        width = change_spread(values, known);
        if (!isnan(width) && isnan(out->variation)) {
            out->variation = expm1(width);
            if (!name_variation(arena, known, "repeats", &out->variation_from, err))
                return false;
        }
        if (m == CHANGE_ENERGY && run->totals.energy_error > 0) /* of the meter itself */
            width = hypot(isnan(width) ? 0 : width, log1p(run->totals.energy_error));
        out->amount[m] = change_range(run_amounts[m](run), width);
    }
    return true;
}

static bool name_run_side(const struct ledger_run *run, struct arena *arena, struct str *out,
                          struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    buf_adds(&text, "run ");
    buf_add(&text, ledger_short(run->start.id));
    buf_adds(&text, " (");
    buf_add(&text, run->start.name);
    buf_char(&text, ')');
    return buf_keep(&text, arena, out, err);
}

bool change_from_run(const struct ledger_run *run, const struct ledger_run *repeats,
                     size_t count, struct str except, struct arena *arena,
                     struct change_side *out, struct error *err)
{
    *out = (struct change_side){.source = CHANGE_RUN,
                                .unit = STR("job"),
                                .cost = run->totals.cost,
                                .offer = run->start.offer,
                                .price = run->start.rate,
                                .price_width = NAN,
                                .price_date = DAY_UNKNOWN,
                                .variation = NAN};
    out->amount[CHANGE_THOUSAND] = (struct guess){NAN, NAN, NAN};
    return name_run_side(run, arena, &out->name, err) &&
           add_spread(run, repeats, count, except, arena, out, err);
}

/* ---- how much a run varies that was not repeated ---- */

/* Which work a run is of, by its first one in the list: the same configuration on the same
 * machine. */
static size_t work_of(const struct ledger_run *runs, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (str_eq(runs[i].start.digest, runs[at].start.digest) &&
            str_eq(runs[i].start.offer, runs[at].start.offer))
            return i;
    return at;
}

static bool is_repeated(const size_t *works, size_t count, size_t at)
{
    for (size_t i = 0; i < count; i++)
        if (i != at && works[i] == works[at])
            return true;
    return false;
}

bool change_past_spread(const struct ledger_run *runs, size_t count, struct arena *arena,
                        double *width, struct str *from, struct error *err)
{
    double values[CHANGE_PAST_MAX];
    size_t works[CHANGE_PAST_MAX], known = 0, repeated = 0;

    for (size_t i = 0; i < count && known < CHANGE_PAST_MAX; i++)
        if (runs[i].start.digest.len > 0 && known_seconds(&runs[i]) > 0) {
            values[known] = known_seconds(&runs[i]);
            works[known++] = work_of(runs, i);
        }
    for (size_t i = 0; i < known; i++)
        repeated += is_repeated(works, known, i);
    *width = change_spread_pooled(values, works, known);
    return name_variation(arena, repeated, "past runs of repeated work", from, err);
}

/* A run varies at least as much as repeats of the other do: it may have none. */
static void share_spread(const struct change_side *from, struct change_side *to)
{
    if (!change_is_measured(from) || !change_is_measured(to) || isnan(from->variation))
        return;
    if (isnan(to->variation)) {
        to->variation = from->variation;
        to->variation_from = from->variation_from;
    }
    for (int m = 0; m < CHANGE_MEASURES; m++) {
        double width = log(from->amount[m].high / from->amount[m].value);

        if (width > 0 && !(log(to->amount[m].high / to->amount[m].value) >= width))
            to->amount[m] = change_range(to->amount[m].value, width);
    }
}

void change_share_spread(struct change_side *before, struct change_side *after)
{
    share_spread(before, after);
    if (isnan(before->variation))
        share_spread(after, before);
}

/* ---- which measures count ---- */

bool change_measures_parse(struct strs measures, unsigned *out, struct error *err)
{
    static const char *const words[CHANGE_MEASURES] = {[CHANGE_COST] = "cost",
                                                       [CHANGE_TIME] = "time",
                                                       [CHANGE_ENERGY] = "energy",
                                                       [CHANGE_THOUSAND] = "predictions"};
    unsigned named = 0;

    for (size_t i = 0; i < measures.len; i++) {
        struct suggestion s = {.wanted = measures.at[i]};
        bool found = false;

        for (unsigned m = 0; m < CHANGE_MEASURES; m++) {
            suggestion_try(&s, str_from(words[m]));
            if (str_eq(measures.at[i], str_from(words[m]))) {
                found = true;
                named |= 1U << m;
            }
        }
        if (!found) {
            error_set(err, ERROR_USAGE,
                      "--measures: '%.*s' is not one of cost, time, energy, predictions",
                      STR_ARG(measures.at[i]));
            (void)suggestion_hint(&s, err);
            return false;
        }
    }
    *out = measures.len > 0 ? ~named : 0;
    return true;
}
