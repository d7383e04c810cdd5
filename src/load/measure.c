#include "load/measure.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "series/values.h"

#define SURE 1.96      /* standard errors on each side of a 95 % interval */
#define BATCH_LEAST 10 /* values in a batch, and batches */
#define BATCHES_MOST 100

static const struct field quantile_list[] = {
    FIELD(NUMBER, load_quantile, value, .help = "best estimate, s"),
    FIELD(NUMBER, load_quantile, low, .help = "lower end of the 95 % interval, s"),
    FIELD(NUMBER, load_quantile, high,
          .help = "upper end of the 95 % interval, s; null: too few requests"),
};
const struct field_set load_quantile_fields = FIELD_SET(struct load_quantile, quantile_list);

#define QUANTILE(member, text) \
    FIELD(RECORD, load_stat, member, .row = &load_quantile_fields, .help = (text))

static const struct field stat_list[] = {
    FIELD(COUNT, load_stat, count, .help = "number of values"),
    FIELD(COUNT, load_stat, beyond,
          .help = "values without an end (time-outs, unfinished), later than all others"),
    QUANTILE(mean, "mean"),
    QUANTILE(p50, "median"),
    QUANTILE(p90, "90th percentile"),
    QUANTILE(p95, "95th percentile"),
    QUANTILE(p99, "99th percentile"),
    QUANTILE(p999, "99.9th percentile"),
    FIELD(NUMBER, load_stat, least, .help = "least, s"),
    FIELD(NUMBER, load_stat, most, .help = "most, s; null: some had no end"),
};
const struct field_set load_stat_fields = FIELD_SET(struct load_stat, stat_list);

static const struct load_quantile unknown = {NAN, NAN, NAN};

struct load_stat load_stat_unknown(void)
{
    return (struct load_stat){.mean = unknown,
                              .p50 = unknown,
                              .p90 = unknown,
                              .p95 = unknown,
                              .p99 = unknown,
                              .p999 = unknown,
                              .least = NAN,
                              .most = NAN};
}

/* How many times the variance of the mean of `values` is that of independent ones: 1 where that
 * cannot be found out. */
static double mean_inflation(const double *values, size_t count, double mean, double variance)
{
    size_t batches = (size_t)sqrt((double)count), each;
    double spread = 0;

    if (batches < BATCH_LEAST || !(variance > 0))
        return 1;
    if (batches > BATCHES_MOST)
        batches = BATCHES_MOST;
    each = count / batches;
    for (size_t b = 0; b < batches; b++) {
        double sum = 0;

        for (size_t i = b * each; i < (b + 1) * each; i++)
            sum += values[i];
        spread += (sum / (double)each - mean) * (sum / (double)each - mean);
    }
    return fmax(spread / (double)(batches - 1) * (double)each / variance, 1);
}

static struct load_quantile mean_of(const double *values, size_t count)
{
    double sum = 0, squares = 0, mean, variance, error;

    for (size_t i = 0; i < count; i++)
        sum += values[i];
    mean = sum / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    if (count < 2 || !isfinite(mean))
        return (struct load_quantile){mean, NAN, NAN};
    variance = squares / (double)(count - 1);
    error =
        SURE * sqrt(variance * mean_inflation(values, count, mean, variance) / (double)count);
    return (struct load_quantile){mean, mean - error, mean + error};
}

/* The values between which the quantile lies are those at ranks by a binomial distribution of
 * as many independent values as these are worth. */
static struct load_quantile quantile_of(const double *in_order, const double *sorted,
                                        double *above, size_t count, double share)
{
    struct load_quantile out = {values_quantile(sorted, count, share), NAN, NAN};
    double worth, width, low, high;

    for (size_t i = 0; i < count; i++)
        above[i] = in_order[i] > out.value;
    worth = (double)count / mean_inflation(above, count, 1 - share, share * (1 - share));
    width = SURE * sqrt(worth * share * (1 - share));
    low = floor(worth * share - width) / worth;
    high = ceil(worth * share + width) / worth;
    if (low > 0)
        out.low = values_quantile(sorted, count, low);
    if (high < 1)
        out.high = values_quantile(sorted, count, high);
    return out;
}

/* Infinite is not a number of JSON, and on a screen it is a text: it is unknown, with `beyond`
 * beside it. */
static void hide_endless(struct load_quantile *q)
{
    double *const values[] = {&q->value, &q->low, &q->high};

    for (size_t i = 0; i < ARRAY_LEN(values); i++)
        if (!isfinite(*values[i]))
            *values[i] = NAN;
}

bool load_stat_of(const double *values, size_t count, struct arena *arena,
                  struct load_stat *out, struct error *err)
{
    double *known = arena_array(arena, double, 3 * count + 1, err), *sorted, *room;
    struct load_quantile *const quantiles[] = {&out->p50, &out->p90, &out->p95, &out->p99,
                                               &out->p999};
    static const double shares[] = {0.5, 0.9, 0.95, 0.99, 0.999};
    size_t n = 0;

    *out = load_stat_unknown();
    if (known == NULL)
        return false;
    sorted = known + count;
    room = sorted + count;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i])) {
            out->beyond += isinf(values[i]);
            known[n++] = values[i];
        }
    out->count = (int64_t)n;
    if (n == 0)
        return true;
    memcpy(sorted, known, n * sizeof *sorted);
    values_sort(sorted, n);
    out->least = sorted[0];
    out->most = isinf(sorted[n - 1]) ? NAN : sorted[n - 1];
    out->mean = mean_of(known, n);
    hide_endless(&out->mean);
    for (size_t q = 0; q < ARRAY_LEN(shares); q++) {
        *quantiles[q] = quantile_of(known, sorted, room, n, shares[q]);
        hide_endless(quantiles[q]);
    }
    return true;
}

bool load_paired(const double *a, const double *b, size_t count, struct arena *arena,
                 struct load_quantile *out, struct error *err)
{
    double *differences = arena_array(arena, double, count + 1, err);
    size_t n = 0;

    if (differences == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (isfinite(a[i]) && isfinite(b[i]))
            differences[n++] = b[i] - a[i];
    *out = n > 0 ? mean_of(differences, n) : unknown;
    return true;
}

struct load_quantile load_share(int64_t part, int64_t all)
{
    double n = (double)all, p = n > 0 ? (double)part / n : NAN, z = SURE * SURE;
    double middle, width;

    if (!(n > 0))
        return unknown;
    middle = (p + z / (2 * n)) / (1 + z / n);
    width = SURE * sqrt(p * (1 - p) / n + z / (4 * n * n)) / (1 + z / n);
    return (struct load_quantile){p, fmax(middle - width, 0), fmin(middle + width, 1)};
}

double load_number_printed(struct str text)
{
    double value = NAN;

    while (text.len > 0) {
        size_t len = 0;
        double found;

        while (len < text.len && strchr(" \t\r\n:=,%()[]{}", text.at[len]) == NULL)
            len++;
        if (len > 0 && num_double((struct str){text.at, len}, &found))
            value = found;
        len += len < text.len;
        text.at += len;
        text.len -= len;
    }
    return value;
}

/* ---- gaps ---- */

bool load_gaps_new(struct arena *arena, struct load_gaps *out, struct error *err)
{
    *out =
        (struct load_gaps){.cells = arena_array(arena, uint64_t, GAP_SLICES * GAP_CELLS, err)};
    out->slice_s = 1;
    return out->cells != NULL;
}

void load_gaps_clear(struct load_gaps *gaps)
{
    memset(gaps->cells, 0, GAP_SLICES * GAP_CELLS * sizeof gaps->cells[0]);
    *gaps = (struct load_gaps){.cells = gaps->cells, .slice_s = 1};
}

/* The first GAP_STEPS cells are that many nanoseconds; each doubling above them has as many. */
static size_t cell_of(int64_t ns)
{
    unsigned doubling = 0;
    uint64_t rest = (uint64_t)ns;

    while (rest >= 2 * (uint64_t)GAP_STEPS) {
        rest >>= 1;
        doubling++;
    }
    if (rest < GAP_STEPS)
        return (size_t)rest;
    return doubling >= GAP_DOUBLINGS ? GAP_CELLS - 1
                                     : (size_t)GAP_STEPS * doubling + (size_t)rest;
}

/* The middle of a cell, in seconds. */
static double cell_seconds(size_t cell)
{
    size_t doubling = cell / GAP_STEPS, rest = cell % GAP_STEPS;

    if (doubling == 0)
        return (double)rest / 1e9;
    return ldexp((double)(GAP_STEPS + rest) + (doubling > 1 ? 0.5 : 0), (int)doubling - 1) /
           1e9;
}

/* Twice as long slices, half as many. */
static void join_slices(struct load_gaps *gaps)
{
    for (size_t s = 0; s < GAP_SLICES; s++)
        for (size_t c = 0; c < GAP_CELLS; c++) {
            uint64_t *to = &gaps->cells[s / 2 * GAP_CELLS + c],
                     *from = &gaps->cells[s * GAP_CELLS + c], moved = *from;

            *from = 0;
            *to += moved;
        }
    gaps->slice_s *= 2;
}

/* The cells of that moment. */
static uint64_t *slice_at(struct load_gaps *gaps, double at_s)
{
    while (at_s >= gaps->slice_s * GAP_SLICES)
        join_slices(gaps);
    return &gaps->cells[(at_s > 0 ? (size_t)(at_s / gaps->slice_s) : 0) * GAP_CELLS];
}

void load_gaps_join(struct load_gaps *gaps, const struct load_gaps *from, double at_s)
{
    for (size_t s = 0; s < GAP_SLICES; s++) {
        const uint64_t *cells = &from->cells[s * GAP_CELLS];
        double at = at_s + ((double)s + 0.5) * from->slice_s;

        for (size_t c = 0; c < GAP_CELLS; c++)
            if (cells[c] > 0) /* slices that no time has reached make no room */
                slice_at(gaps, at)[c] += cells[c];
    }
    gaps->sum += from->sum;
    gaps->count += from->count;
    gaps->longest = from->longest > gaps->longest ? from->longest : gaps->longest;
}

void load_gaps_add(struct load_gaps *gaps, double at_s, int64_t ns)
{
    if (ns < 0)
        ns = 0;
    slice_at(gaps, at_s)[cell_of(ns)]++;
    gaps->sum += (double)ns / 1e9;
    gaps->count++;
    if (ns > gaps->longest)
        gaps->longest = ns;
}

/* The value at that share of the gaps of slices `from` to `to`, or of all; NaN: there is
 * none. */
static double token_gap_at(const struct load_gaps *gaps, size_t from, size_t to, double share)
{
    uint64_t count = 0, seen = 0;

    for (size_t i = from * GAP_CELLS; i < to * GAP_CELLS; i++)
        count += gaps->cells[i];
    for (size_t c = 0; count > 0 && c < GAP_CELLS; c++) {
        for (size_t s = from; s < to; s++)
            seen += gaps->cells[s * GAP_CELLS + c];
        if ((double)seen >= share * (double)count && seen > 0)
            return cell_seconds(c);
    }
    return NAN;
}

/* By how much slices differ: the interval of the mean of their quantiles, put around that of
 * all. */
static struct load_quantile gap_quantile(const struct load_gaps *gaps, double share)
{
    struct load_quantile out = {token_gap_at(gaps, 0, GAP_SLICES, share), NAN, NAN};
    double sum = 0, squares = 0, n = 0, error;

    for (size_t s = 0; s < GAP_SLICES; s++) {
        double at = token_gap_at(gaps, s, s + 1, share);

        if (isnan(at))
            continue;
        sum += at;
        squares += at * at;
        n++;
    }
    if (n < 4)
        return out;
    error = SURE * sqrt(fmax(squares - sum * sum / n, 0) / (n - 1) / n);
    out.low = fmax(out.value - error, 0);
    out.high = out.value + error;
    return out;
}

struct load_stat load_gaps_stat(const struct load_gaps *gaps)
{
    struct load_stat out = load_stat_unknown();

    out.count = (int64_t)gaps->count;
    if (gaps->count == 0)
        return out;
    out.mean.value = gaps->sum / (double)gaps->count;
    out.p50 = gap_quantile(gaps, 0.5);
    out.p90 = gap_quantile(gaps, 0.9);
    out.p95 = gap_quantile(gaps, 0.95);
    out.p99 = gap_quantile(gaps, 0.99);
    out.p999 = gap_quantile(gaps, 0.999);
    out.least = token_gap_at(gaps, 0, GAP_SLICES, 0);
    out.most = (double)gaps->longest / 1e9;
    return out;
}
