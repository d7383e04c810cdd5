#include "advise/economics/hybrid.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "base/stop.h"

#define YEAR_HOURS 8760

static bool check_hours(const double *gpus, size_t hours, struct error *err)
{
    double sum = 0;

    if (hours == 0 || hours > HYBRID_HOURS_MAX)
        return error_fail(err, ERROR_INPUT, "a load has 1 to %d hours", HYBRID_HOURS_MAX);
    for (size_t i = 0; i < hours; i++) {
        if (!(gpus[i] >= 0 && gpus[i] <= HYBRID_GPUS_MAX))
            return error_fail(err, ERROR_INPUT, "hour %zu: %g GPUs are not possible", i + 1,
                              gpus[i]);
        sum += gpus[i];
    }
    return sum > 0 || error_fail(err, ERROR_INPUT, "no GPU is in use in any hour of the load");
}

bool hybrid_load(const double *gpus, size_t hours, struct arena *arena, struct hybrid_load *out,
                 struct error *err)
{
    double *sorted, *below;

    if (!check_hours(gpus, hours, err))
        return false;
    sorted = arena_array(arena, double, hours, err);
    below = sorted != NULL ? arena_array(arena, double, hours + 1, err) : NULL;
    if (below == NULL)
        return false;
    for (size_t i = 0; i < hours; i++)
        sorted[i] = gpus[i];
    qsort(sorted, hours, sizeof sorted[0], num_by_value);
    for (size_t i = 0; i < hours; i++)
        below[i + 1] = below[i] + sorted[i];
    *out = (struct hybrid_load){.sorted = sorted,
                                .below = below,
                                .hours = hours,
                                .gpu_hours = below[hours],
                                .peak = sorted[hours - 1],
                                .mean = below[hours] / (double)hours};
    return true;
}

/* "8", "8+16@10%" as numbers. */
static bool read_burst_text(struct str text, double *base, double *more, double *share)
{
    struct str rest = text, first = str_trim(str_cut(&rest, '+'));
    struct str peak = str_trim(str_cut(&rest, '@'));

    *more = *share = 0;
    if (!num_double(first, base))
        return false;
    if (first.len == str_trim(text).len)
        return true;
    return num_double(peak, more) && num_percent(str_trim(rest), share);
}

enum hybrid_text hybrid_load_text(struct str text, struct arena *arena, struct hybrid_load *out,
                                  struct error *err)
{
    double base, more, share, *gpus;
    size_t bursts;

    if (!read_burst_text(text, &base, &more, &share))
        return HYBRID_NONE;
    if (!(base >= 0 && more >= 0 && base + more <= HYBRID_GPUS_MAX && base + more > 0) ||
        share > 1) {
        error_set(err, ERROR_USAGE, "--load: '%.*s' is not a possible load", STR_ARG(text));
        error_hint(err, "GPUs in use always, and more of them for a share of the hours: "
                        "'8', or '8+16@10%%'");
        return HYBRID_WRONG;
    }
    gpus = arena_array(arena, double, YEAR_HOURS, err);
    if (gpus == NULL)
        return HYBRID_WRONG;
    bursts = (size_t)lround(share * YEAR_HOURS);
    for (size_t i = 0; i < YEAR_HOURS; i++)
        gpus[i] = base + (i < bursts ? more : 0);
    return hybrid_load(gpus, YEAR_HOURS, arena, out, err) ? HYBRID_READ : HYBRID_WRONG;
}

void hybrid_add_use(double *gpus, size_t hours, double from, double until, double count)
{
    double end = (double)hours * 3600;

    from = fmax(from, 0);
    until = fmin(until, end);
    for (size_t i = from < until ? (size_t)(from / 3600) : hours; i < hours; i++) {
        double starts = (double)i * 3600,
               part = fmin(until, starts + 3600) - fmax(from, starts);

        if (part <= 0)
            break;
        gpus[i] += count * part / 3600;
    }
}

/* GPU-hours that a capacity of so many GPUs carries. */
static double carried(const struct hybrid_load *load, double capacity)
{
    size_t from = 0, to = load->hours; /* the first hour above the capacity */

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if (load->sorted[middle] > capacity)
            to = middle;
        else
            from = middle + 1;
    }
    return load->below[from] + capacity * (double)(load->hours - from);
}

/* How many machines of so many GPUs the load above `capacity` can use at its peak. */
static int64_t machines_for(const struct hybrid_load *load, double capacity, double gpus)
{
    double left = (load->peak - capacity) / gpus;

    return left > 0 ? (int64_t)ceil(fmin(left, HYBRID_GPUS_MAX * 10)) : 0;
}

/* Reserved machines above `capacity`: as many as cost less than renting what they carry. The
 * benefit of one falls with their number, so that the last that is worth it can be searched. */
static int64_t reserved_above(const struct hybrid_load *load, const struct hybrid_prices *p,
                              double capacity)
{
    double price = p->reserved_hour * (double)load->hours;
    int64_t from = 0, to = machines_for(load, capacity, p->reserved_gpus);

    if (isnan(p->reserved_hour))
        return 0;
    if (isnan(p->rented))
        return to;
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        double below = capacity + (double)middle * p->reserved_gpus;
        double more = carried(load, below + p->reserved_gpus) - carried(load, below);

        if (more * p->rented > price)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

struct hybrid_split hybrid_with(const struct hybrid_load *load, const struct hybrid_prices *p,
                                int64_t owned, bool reserve)
{
    double capacity = (double)owned * p->owned_gpus, hours = (double)load->hours;
    struct hybrid_split s = {.owned = owned, .owned_used = carried(load, capacity)};
    double left;

    s.reserved = reserve ? reserved_above(load, p, capacity) : 0;
    s.reserved_used =
        carried(load, capacity + (double)s.reserved * p->reserved_gpus) - s.owned_used;
    left = load->gpu_hours - s.owned_used - s.reserved_used;
    s.rented_hours = left > load->gpu_hours * 1e-12 ? left : 0;
    s.owned_cost = (double)owned * p->owned_hour * hours + s.owned_used * p->owned_used;
    s.reserved_cost = s.reserved > 0 ? (double)s.reserved * p->reserved_hour * hours : 0;
    s.rented_cost = s.rented_hours > 0 ? s.rented_hours * p->rented : 0;
    s.cost = s.owned_cost + s.reserved_cost + s.rented_cost;
    return s;
}

int64_t hybrid_owned_most(const struct hybrid_load *load, const struct hybrid_prices *p)
{
    return machines_for(load, 0, p->owned_gpus);
}

struct hybrid_split hybrid_best(const struct hybrid_load *load, const struct hybrid_prices *p)
{
    int64_t most = hybrid_owned_most(load, p);
    struct hybrid_split best = hybrid_with(load, p, 0, true);

    for (int64_t n = 1; n <= most && !stop_asked(); n++) {
        struct hybrid_split s = hybrid_with(load, p, n, true);

        if (isnan(best.cost) || s.cost < best.cost)
            best = s;
    }
    return best;
}
