#include "spot/interval.h"

#include <math.h>

#include "spot/hazard.h"

#define GRID 240         /* intervals tried before the best is refined */
#define REFINE 40        /* golden sections */
#define ROUNDS 8         /* over the ages */
#define AGE_TRIES 12     /* either side, for each age */
#define GAIN_LEAST 0.001 /* of the machine time: a smaller gain of intervals by age is none */

static double young(double save, double mtbf)
{
    return sqrt(2 * save * mtbf);
}

double interval_daly(double save, double mtbf)
{
    double part = save / (2 * mtbf);

    if (save >= 2 * mtbf)
        return mtbf;
    return sqrt(2 * save * mtbf) * (1 + sqrt(part) / 3 + part / 9) - save;
}

/* Of one life, on average. */
struct life {
    double work, saves;
};

/* Saves that end within the bin, and one that ends past it: each keeps the work before it. */
static struct life live(const struct hazard *h, const struct interval_costs *costs,
                        const double every[static AGE_BINS])
{
    double age = costs->restart;
    size_t b = age_bin(age);
    struct life l = {0};

    for (;;) {
        double step = every[b] + costs->save, lose = -expm1(-h->rate[b] * step);
        double alive = hazard_survive(h, age), saves = alive * (1 - lose) / lose;

        if (b + 1 < AGE_BINS) {
            double fit = floor((age_edges[b + 1] - age) / step);

            saves *= -expm1(-h->rate[b] * step * fit);
            age += fit * step;
            if (age < age_edges[b + 1]) {
                age += step;
                saves += hazard_survive(h, age);
            }
        }
        l.work += saves * every[b];
        l.saves += saves;
        if (b + 1 == AGE_BINS)
            return l;
        b = age_bin(age) > b ? age_bin(age) : b + 1; /* rounding may leave it just below */
    }
}

static struct interval_overhead shares(double mean, double restart, double save, double work)
{
    struct interval_overhead o = {INFINITY, INFINITY, INFINITY, INFINITY};

    if (!(work > mean * 1e-9))
        return o;
    o.save = save / work;
    o.restart = restart / work;
    o.sum = mean / work - 1;
    o.lost = fmax(o.sum - o.save - o.restart, 0);
    return o;
}

/* What a life's last minutes are used for: the save takes them, and keeps all work before. */
static struct interval_overhead on_notice(const struct hazard *h,
                                          const struct interval_costs *costs)
{
    double mean = hazard_mean(h, INFINITY), restart = hazard_mean(h, costs->restart);
    double saved = hazard_mean(h, costs->restart + costs->save);

    return shares(mean, restart, saved - restart, mean - saved);
}

static struct interval_overhead overhead_of(const struct hazard *h,
                                            const struct interval_costs *costs,
                                            const double every[static AGE_BINS])
{
    struct life l = live(h, costs, every);

    return shares(hazard_mean(h, INFINITY), hazard_mean(h, costs->restart),
                  l.saves * costs->save, l.work);
}

static struct interval_overhead cost_even(const struct hazard *h,
                                          const struct interval_costs *costs, double every)
{
    double all[AGE_BINS];

    for (size_t b = 0; b < AGE_BINS; b++)
        all[b] = every;
    return overhead_of(h, costs, all);
}

struct interval_overhead interval_cost(const struct lifetimes *life,
                                       const struct interval_costs *costs, double every)
{
    struct hazard h = hazard_of(life->lose);

    return isinf(every) ? on_notice(&h, costs) : cost_even(&h, costs, every);
}

/* On a grid of logarithms first, because with several hazards there may be several minima. */
static double best_even(const struct hazard *h, const struct interval_costs *costs)
{
    const double golden = (sqrt(5) - 1) / 2;
    double low = log(costs->save / 20);
    double high = log(fmax(20 * hazard_mean(h, INFINITY), costs->save));
    double step = (high - low) / GRID, best = low, least = INFINITY, from, to;

    for (int i = 0; i <= GRID; i++) {
        double sum = cost_even(h, costs, exp(low + i * step)).sum;

        if (sum < least) {
            least = sum;
            best = low + i * step;
        }
    }
    from = best - step;
    to = best + step;
    for (int i = 0; i < REFINE; i++) {
        double a = to - golden * (to - from), b = from + golden * (to - from);

        if (cost_even(h, costs, exp(a)).sum <= cost_even(h, costs, exp(b)).sum)
            to = b;
        else
            from = a;
    }
    return exp((from + to) / 2);
}

/* Does no age have a shorter interval than a younger one? An interval that begins young reaches
 * into older ages, so that the very best would jump back and forth: more of it than there is
 * knowledge in the rates. */
static bool grows(const double every[static AGE_BINS], size_t from)
{
    for (size_t b = from; b + 1 < AGE_BINS; b++)
        if (every[b] > every[b + 1])
            return false;
    return true;
}

/* Make the intervals of the ages `from` to `to` longer or shorter by one factor, by what gains
 * most. */
static void adjust(const struct hazard *h, const struct interval_costs *costs, size_t from,
                   size_t to, double step, double every[static AGE_BINS])
{
    double tried[AGE_BINS], least = overhead_of(h, costs, every).sum * (1 - 1e-9), best = 1;

    for (int i = -AGE_TRIES; i <= AGE_TRIES; i++) {
        double sum;

        for (size_t b = 0; b < AGE_BINS; b++)
            tried[b] = every[b] * (b >= from && b <= to ? exp(i * step) : 1);
        if (!grows(tried, age_bin(costs->restart)))
            continue;
        sum = overhead_of(h, costs, tried).sum;
        if (sum < least) {
            least = sum;
            best = exp(i * step);
        }
    }
    for (size_t b = from; b <= to; b++)
        every[b] *= best;
}

/* Each age alone, and all from an age on (neighbors with like hazards only gain together), in
 * ever smaller steps. */
static void optimize_by_age(const struct hazard *h, const struct interval_costs *costs,
                            double every[static AGE_BINS])
{
    double step = log(8) / AGE_TRIES;

    for (int i = 0; i < ROUNDS; i++) {
        for (size_t b = AGE_BINS; b-- > age_bin(costs->restart);) {
            adjust(h, costs, b, AGE_BINS - 1, step, every);
            adjust(h, costs, b, b, step, every);
        }
        step *= 0.6;
    }
}

/* Whole seconds: the optimum is flat, so that more digits would be those of the arithmetic. */
static double to_whole_seconds(double hours)
{
    return hours * 60 > 1 ? round(hours * 3600) / 3600 : hours;
}

/* Saving that costs nothing is done all the time; with notice, when it comes. */
static double fixed_interval(const struct interval_costs *costs)
{
    if (costs->save <= 0)
        return 0;
    return costs->notice > 0 && costs->notice >= costs->save ? INFINITY : NAN;
}

double interval_even(const struct lifetimes *life, const struct interval_costs *costs)
{
    struct hazard h = hazard_of(life->lose);
    double every = fixed_interval(costs);

    return isnan(every) ? to_whole_seconds(best_even(&h, costs)) : every;
}

struct interval_best interval_best(const struct lifetimes *life,
                                   const struct interval_costs *costs)
{
    struct hazard h = hazard_of(life->lose);
    struct interval_best best = {.every = interval_even(life, costs),
                                 .mean_life = hazard_mean(&h, INFINITY)};

    best.young = young(costs->save, best.mean_life);
    best.daly = interval_daly(costs->save, best.mean_life);
    if (isfinite(best.every) && best.every > 0)
        best.overhead = cost_even(&h, costs, best.every);
    else
        best.overhead = on_notice(&h, costs);
    for (size_t b = 0; b < AGE_BINS; b++)
        best.by_age[b] = best.every;
    best.aged = best.overhead;
    if (isfinite(best.overhead.sum) && isfinite(best.every) && best.every > 0) {
        optimize_by_age(&h, costs, best.by_age);
        for (size_t b = 0; b < AGE_BINS; b++)
            best.by_age[b] = to_whole_seconds(best.by_age[b]);
        best.aged = overhead_of(&h, costs, best.by_age);
        best.gain = fmax(1 - (1 + best.aged.sum) / (1 + best.overhead.sum), 0);
    }
    return best;
}

/* ---- the answer, with what it costs ---- */

static const struct field view_fields[] = {
    FIELD(SPAN, interval_view, every,
          .help = "work between checkpoints; null: only when there is notice"),
    FIELD(NUMBER, interval_view, overhead,
          .help = "machine time beyond the work, as a share of the work"),
    FIELD(NUMBER, interval_view, save, .help = "part of it: saving"),
    FIELD(NUMBER, interval_view, lost, .help = "part of it: repeated work"),
    FIELD(NUMBER, interval_view, restart, .help = "part of it: restarts"),
    FIELD(FLAG, interval_view, best, .help = "lowest overhead of all"),
};

static const struct field_set view_set = FIELD_SET(struct interval_view, view_fields);

static const struct field age_fields[] = {
    FIELD(SPAN, interval_age, from, .help = "age of the machine"),
    FIELD(SPAN, interval_age, every, .help = "work between checkpoints from that age on"),
};

static const struct field_set age_set = FIELD_SET(struct interval_age, age_fields);

static const struct field fields[] = {
    FIELD(TEXT, interval_answer, place, .help = "zone of the trace, or the offer"),
    FIELD(TEXT, interval_answer, method, .help = "basis of the lifetimes"),
    FIELD(NUMBER, interval_answer, mean_life_h, .help = "mean lifetime of a machine, hours"),
    FIELD(RECORD, interval_answer, best, .row = &view_set, .help = "best interval"),
    FIELD(SPAN, interval_answer, young, .help = "Young's formula, for comparison"),
    FIELD(SPAN, interval_answer, daly, .help = "Daly's formula, for comparison"),
    FIELD(LIST, interval_answer, others, .row = &view_set, .help = "cost of other intervals"),
    FIELD(LIST, interval_answer, by_age, .row = &age_set,
          .help = "intervals by the machine's age, where that gains something"),
    FIELD(NUMBER, interval_answer, gain, .help = "machine time saved, as a share"),
    FIELD(RATE, interval_answer, spot, .help = "spot price per machine-hour"),
    FIELD(RATE, interval_answer, on_demand, .help = "on-demand price per machine-hour"),
    FIELD_AS("savings", NUMBER, interval_answer, saving,
             .help = "savings over on-demand, overhead included; negative: more expensive"),
    FIELD(NUMBER, interval_answer, break_even,
          .help = "overhead at which spot saves nothing; null: none"),
    FIELD(NUMBER, interval_answer, work_h, .help = "hours of work of the job"),
    FIELD(NUMBER, interval_answer, machine_h, .help = "machine-hours it takes"),
    FIELD(USD, interval_answer, spot_usd, .help = "expected cost of the job on spot"),
    FIELD(USD, interval_answer, on_demand_usd, .help = "cost of the job on demand"),
};

const struct field_set interval_answer_fields = FIELD_SET(struct interval_answer, fields);

static struct interval_view interval_view_of(double every, struct interval_overhead o,
                                             bool best)
{
    return (struct interval_view){
        .every = isfinite(every) ? span_hours(every) : SPAN_UNKNOWN,
        .overhead = o.sum,
        .save = o.save,
        .lost = o.lost,
        .restart = o.restart,
        .best = best,
    };
}

/* Around the best, to show how flat it is. */
static bool list_others(const struct lifetimes *life, struct arena *arena,
                        const struct interval_costs *costs, const struct interval_best *best,
                        struct interval_answer *res, struct error *err)
{
    static const double times[] = {0.125, 0.25, 0.5, 1, 2, 4, 8};
    double center = isfinite(best->every) ? best->every : best->daly;
    struct interval_view *rows =
        arena_array(arena, struct interval_view, ARRAY_LEN(times) + 1, err);
    size_t count = 0;

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(times); i++)
        rows[count++] =
            interval_view_of(center * times[i], interval_cost(life, costs, center * times[i]),
                             isfinite(best->every) && times[i] == 1);
    if (isinf(best->every))
        rows[count++] = interval_view_of(INFINITY, best->overhead, true);
    res->others = (struct rows){rows, count};
    return true;
}

/* One line for each age at which the interval changes by a tenth or more; work begins when the
 * restart is over. */
static bool list_ages(struct arena *arena, double restart, const struct interval_best *best,
                      struct interval_answer *res, struct error *err)
{
    struct interval_age *rows = arena_array(arena, struct interval_age, AGE_BINS, err);
    size_t count = 0;
    double last = 0;

    if (rows == NULL)
        return false;
    for (size_t b = age_bin(restart); b < AGE_BINS; b++) {
        if (count > 0 && fabs(best->by_age[b] / last - 1) < 0.1)
            continue;
        last = best->by_age[b];
        rows[count] =
            (struct interval_age){span_hours(count > 0 ? age_edges[b] : 0), span_hours(last)};
        count++;
    }
    res->by_age = (struct rows){rows, best->gain >= GAIN_LEAST ? count : 0};
    res->gain = best->gain;
    return true;
}

static void add_interval_money(const struct interval_ask *ask, double overhead,
                               struct interval_answer *res)
{
    double work = ask->work, gang = (double)ask->gang;

    res->spot.nano = usd_from(ask->spot).nano;
    res->on_demand.nano = usd_from(ask->on_demand).nano;
    res->saving = 1 - ask->spot * (1 + overhead) / ask->on_demand;
    if (ask->spot > 0 && ask->spot < ask->on_demand)
        res->break_even = ask->on_demand / ask->spot - 1;
    if (work <= 0)
        return;
    res->work_h = work;
    res->machine_h = work * (1 + overhead);
    res->spot_usd = usd_about(ask->spot * gang * work * (1 + overhead));
    res->on_demand_usd = usd_about(ask->on_demand * gang * (work + ask->costs.restart));
}

bool interval_answer(const struct interval_ask *ask, struct arena *arena,
                     struct interval_answer *out, struct error *err)
{
    struct interval_best best = interval_best(ask->life, &ask->costs);

    if (isinf(best.overhead.sum)) {
        error_set(err, ERROR_UNFIT,
                  "no progress is possible: machines are lost after %.3g h on average, and a "
                  "restart with a checkpoint takes %.3g h",
                  best.mean_life, ask->costs.restart + ask->costs.save);
        error_hint(err, "use on-demand, or make the restart shorter");
        return false;
    }
    out->mean_life_h = best.mean_life;
    out->best = interval_view_of(best.every, best.overhead, true);
    out->young = span_hours(best.young);
    out->daly = span_hours(best.daly);
    add_interval_money(ask, best.overhead.sum, out);
    return list_others(ask->life, arena, &ask->costs, &best, out, err) &&
           list_ages(arena, ask->costs.restart, &best, out, err);
}
