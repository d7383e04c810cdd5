#include "data/sampled.h"

#include <math.h>

#include "base/attr.h"

void sampled_add(struct sampled_stratum *s, uint64_t before, uint64_t after)
{
    double x = (double)before, y = (double)after;

    s->taken++;
    s->before += x;
    s->after += y;
    s->before_before += x * x;
    s->before_after += x * y;
    s->after_after += y * y;
}

/* Student's t that 10 % are above, by the degrees of freedom. */
static double t_of_range(size_t freedom)
{
    static const double t[] = {3.078, 3.078, 1.886, 1.638, 1.533, 1.476, 1.440, 1.415,
                               1.397, 1.383, 1.372, 1.363, 1.356, 1.350, 1.345, 1.341};

    if (freedom < ARRAY_LEN(t))
        return t[freedom];
    return 1.2816 + 0.87 / (double)freedom; /* within 0.001 */
}

/* Of the total: items that differ from the ratio, seen in those that were taken. */
static double stratum_variance(const struct sampled_stratum *s)
{
    double n = (double)s->taken, ratio = s->after / s->before;
    double left = 1 - n / (double)s->count, times = (double)s->size / s->before;
    double squares =
        s->after_after - 2 * ratio * s->before_after + ratio * ratio * s->before_before;
    double doubt = s->doubt * s->before / n;

    return left * times * times * (fmax(0, squares) + doubt * doubt);
}

static uint64_t rounded_size(double size)
{
    return size >= 1.8e19 ? UINT64_MAX : size > 0 ? (uint64_t)(size + 0.5) : 0;
}

struct sampled sampled_total(const struct sampled_stratum *strata, size_t count)
{
    struct sampled out = {.known = true, .complete = true};
    double total = 0, variance = 0, seen = 0, before = 0;
    size_t freedom = 0;

    for (size_t i = 0; i < count; i++) {
        const struct sampled_stratum *s = &strata[i];
        bool all = s->taken >= s->count;

        out.taken += s->taken;
        seen += s->after;
        before += s->before;
        if (s->count == 0 || s->size == 0)
            continue;
        if (all) {
            total += s->after;
            continue;
        }
        out.complete = false;
        if (s->taken < 2 || !(s->before > 0)) {
            out.known = false;
            continue;
        }
        total += s->after / s->before * (double)s->size;
        variance += stratum_variance(s);
        freedom += s->taken - 1;
    }
    if (freedom > 0)
        variance = t_of_range(freedom) * sqrt(variance);
    out.taken_size = rounded_size(before);
    out.size = rounded_size(total);
    out.low = rounded_size(fmax(seen, total - variance));
    out.high = rounded_size(total + variance);
    return out;
}
