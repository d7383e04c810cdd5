#include "advise/economics/commitments_answer.h"

#include <math.h>

#include "advise/economics/commitments_read.h"
#include "base/buf.h"
#include "doc/notes.h"

#define NOTE_MAX 512
#define SMALL 0.01 /* a share that is not worth a note */

static const struct field fields[] = {
    FIELD(TEXT, commitments_result, source, .help = "source: ledger, or the load file"),
    FIELD(DAY, commitments_result, since, .help = "first day"),
    FIELD(DAY, commitments_result, until, .help = "last day"),
    FIELD(COUNT, commitments_result, hours, .help = "hours in these days"),
    FIELD(LIST, commitments_result, loads, .row = &hourly_load_fields,
          .help = "on-demand machine loads, the largest first"),
    FIELD(LIST, commitments_result, options, .row = &commitment_option_fields,
          .help = "commitments to consider, by load and term"),
    FIELD_AS("commitments", LIST, commitments_result, held, .row = &hourly_commitment_fields,
             .help = "commitments on the bills, the largest first"),
    FIELD(SHARE, commitments_result, covered,
          .help =
              "share of machine use (at list prices, without spot) they cover; null: no use"),
    FIELD(NUMBER, commitments_result, spot, .help = "spot cost, US dollars: left out"),
    FIELD(NUMBER, commitments_result, idle,
          .help = "cost of machines between runs, US dollars: left out"),
    FIELD(NUMBER, commitments_result, unused,
          .help = "cost of machines without any run, US dollars: left out"),
    FIELD(NUMBER, commitments_result, moved,
          .help = "US dollars of machines that cost less on spot, in another region, with a "
                  "newer GPU, or off at night: left out"),
    FIELD(NUMBER, commitments_result, others,
          .help = "cost of loads that are too many to list, US dollars"),
    FIELD(TEXTS, commitments_result, notes, .help = "limitations of the answer"),
    FIELD(TEXT, commitments_result, svg, .help = "file that was written"),
};

const struct field_set commitments_fields = FIELD_SET(struct commitments_result, fields);

/* ---- loads ---- */

/* Set the sums of a load from its hours. */
static void sum_load(const struct commitment_load *hours, struct hourly_load *out)
{
    for (size_t i = 0; i < hours->hours; i++)
        if (!isnan(hours->dollars[i])) {
            out->observed++;
            out->total += hours->dollars[i];
            out->peak = fmax(out->peak, hours->dollars[i]);
        }
    out->mean = out->total / (double)out->observed;
}

bool commitments_of_file(const struct commitment_file *file, struct arena *arena,
                         struct commitments_result *out, struct error *err)
{
    struct hourly_load *load = arena_array(arena, struct hourly_load, 1, err);
    struct commitment_load *hours = arena_array(arena, struct commitment_load, 1, err);

    if (load == NULL || hours == NULL ||
        !commitment_load_read(file->text, file->path, isnan(file->price) ? 0 : file->price,
                              arena, hours, err))
        return false;
    *load = (struct hourly_load){.provider = file->provider, .family = file->family};
    sum_load(hours, load);
    out->loads = (struct rows){load, 1};
    out->hourly = (struct rows){hours, 1};
    out->since = day_of(hours->first);
    out->until = day_of((stamp){hours->first.s + (int64_t)(hours->hours - 1) * 3600});
    out->hours = (int64_t)hours->hours;
    out->covered = NAN;
    return true;
}

bool commitments_of_use(const struct hourly_use *use, day since, day until, struct arena *arena,
                        struct commitments_result *out, struct error *err)
{
    double use_of_all = use->committed + use->on_demand;
    struct commitment_load *hourly =
        arena_array(arena, struct commitment_load, use->count + 1, err);

    if (hourly == NULL)
        return false;
    for (size_t i = 0; i < use->count; i++)
        hourly[i] = (struct commitment_load){use->first, use->loads[i].dollars, use->hours};
    out->since = since;
    out->until = (day){until.n - 1};
    out->hours = (int64_t)use->hours;
    out->loads = (struct rows){use->loads, use->count};
    out->hourly = (struct rows){hourly, use->count};
    out->held = (struct rows){use->commitments, use->commitment_count};
    out->covered = use->commitment_count > 0 ? use->committed / use_of_all : NAN;
    out->spot = use->spot;
    out->others = use->others;
    out->idle = use->idle;
    out->unused = use->unused;
    out->moved = use->moved;
    return true;
}

/* ---- what is sold ---- */

/* What the user was quoted, instead of `known` offers of the catalog. */
static struct commitment_offer *quoted_offer(const struct commitment_terms *terms,
                                             const struct commitment_offer *known, size_t count,
                                             struct arena *arena, struct error *err)
{
    struct commitment_offer *offer = arena_array(arena, struct commitment_offer, 1, err);

    if (offer != NULL)
        *offer =
            (struct commitment_offer){.term_months = terms->months > 0 ? terms->months : 12,
                                      .discount_low = terms->discount,
                                      .discount_high = terms->discount,
                                      .sustained = count > 0 ? known[0].sustained : 0,
                                      .unit = isnan(terms->price) ? 0 : terms->price,
                                      .source = STR("--discount"),
                                      .date = terms->today};
    return offer;
}

/* In the arena; NULL with the error set. */
static struct commitment_offer *offers_for_load(const struct commitment_terms *terms,
                                                struct str provider, struct str family,
                                                const struct catalog *catalog,
                                                struct arena *arena, size_t *count,
                                                struct error *err)
{
    struct commitment_offer *offers = commitment_offers_find(
        catalog, provider, family, isnan(terms->price) ? 0 : terms->price, arena, count, err);
    size_t kept = 0;

    if (offers != NULL && !isnan(terms->discount)) {
        offers = quoted_offer(terms, offers, *count, arena, err);
        *count = 1;
        return offers;
    }
    for (size_t i = 0; offers != NULL && i < *count; i++)
        if (terms->months < 0 || offers[i].term_months == terms->months)
            offers[kept++] = offers[i];
    *count = kept;
    return offers;
}

bool commitments_add_options(size_t load, struct str provider,
                             const struct commitment_terms *terms,
                             const struct catalog *catalog, struct arena *arena,
                             struct commitments_result *out, struct error *err)
{
    const struct hourly_load *of = (const struct hourly_load *)out->loads.at + load;
    const struct commitment_load *hourly = out->hourly.at;
    const struct commitment_option *before = out->options.at;
    size_t had = out->options.len, count;
    struct commitment_offer *offers =
        offers_for_load(terms, provider, of->family, catalog, arena, &count, err);
    struct commitment_option *all =
        offers != NULL ? arena_array(arena, struct commitment_option, had + count + 1, err)
                       : NULL;

    if (all == NULL || !commitment_options(&hourly[load], offers, count, arena, &all[had], err))
        return false;
    for (size_t i = 0; i < had; i++)
        all[i] = before[i];
    for (size_t i = had; i < had + count; i++) {
        all[i].provider = of->provider;
        all[i].region = of->region;
        all[i].family = of->family;
    }
    out->options = (struct rows){all, had + count};
    return true;
}

/* ---- notes ---- */

static bool note_spread(double dollars, double all, const char *what, struct arena *arena,
                        struct strs *notes, struct error *err)
{
    return !(dollars > SMALL * all) ||
           note_add(
               notes, arena, err,
               "%.0f %% of the use is known by the %s only and spread evenly over it: "
               "savings are upper limits, and a bill by the hour would show the steady part",
               100 * dollars / all, what);
}

static bool note_gaps(struct arena *arena, struct commitments_result *res, struct error *err)
{
    const struct hourly_load *loads = res->loads.at;
    int64_t most = 0;

    for (size_t i = 0; i < res->loads.len; i++)
        if (res->hours - loads[i].observed > most)
            most = res->hours - loads[i].observed;
    return most == 0 ||
           note_add(&res->notes, arena, err,
                    "%lld of %lld hours have no observation: they are unknown, not "
                    "zero, and left out",
                    (long long)most, (long long)res->hours);
}

/* "$1,240 of machines ..." where that is more than a small share of `all`. */
static bool note_dollars(double dollars, double all, const char *what, struct arena *arena,
                         struct strs *notes, struct error *err)
{
    struct buf text = buf_new(arena->alloc, NOTE_MAX);

    if (dollars > SMALL * all) {
        usd_write_estimate(usd_about(dollars), &text);
        buf_adds(&text, what);
    }
    return note_keep(notes, arena, &text, err);
}

bool commitments_add_notes(struct arena *arena, struct commitments_result *res,
                           struct error *err)
{
    const struct hourly_load *loads = res->loads.at;
    struct strs *notes = &res->notes;
    double days = 0, months = 0, runs = 0, all = 0;

    for (size_t i = 0; i < res->loads.len; i++) {
        all += loads[i].total;
        days += loads[i].to_day * loads[i].total;
        months += loads[i].to_month * loads[i].total;
        runs += loads[i].from_runs * loads[i].total;
    }
    return note_spread(days, all, "day", arena, notes, err) &&
           note_spread(months, all, "month", arena, notes, err) && note_gaps(arena, res, err) &&
           note_dollars(runs, all,
                        " of it is from runs: hours in which a machine was rented but ran "
                        "nothing that Stint metered are not in it; 'stint import' adds bills",
                        arena, notes, err) &&
           note_dollars(res->unused, all + res->unused,
                        " of machines that no run was on is left out: 'stint advise' says what "
                        "to do with them first",
                        arena, notes, err) &&
           note_dollars(res->moved, all + res->moved,
                        " of machines that cost less on spot, in another region, with a newer "
                        "GPU or off at night is left out: 'stint advise' lists them",
                        arena, notes, err) &&
           note_dollars(
               res->idle, all + res->idle,
               " of machines while no run was on them is left out: turn them off first "
               "('stint advise')",
               arena, notes, err) &&
           note_dollars(res->spot, 0, " on spot is left out: commitments do not cover it",
                        arena, notes, err);
}
