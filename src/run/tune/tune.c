/* Which sizes to try, when to stop, and which one to take. Pure. */
#include "run/tune/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "unit/size.h"

#define MOST INT64_C(1000000000)
#define REFINEMENTS 4
#define FAILURES 2 /* in a row: larger ones will not do better */

static const char *const outcome_names[] = {
    [TUNE_MEASURED] = "measured", [TUNE_MEMORY] = "out of memory", [TUNE_FAILED] = "failed",
    [TUNE_SILENT] = "no figures", [TUNE_STOPPED] = "stopped",
};

static const struct field point_fields[] = {
    FIELD(COUNT, tune_point, batch, .help = "batch size"),
    FIELD(ENUM, tune_point, outcome, FIELD_NAMES(outcome_names),
          .help = "outcome: measured, out of memory, failed, no figures or stopped"),
    FIELD_AS("samples_per_s", NUMBER, tune_point, rate,
             .help = "median samples per second of the windows"),
    FIELD_AS("error", NUMBER, tune_point, spread, .help = "standard error, as a share"),
    FIELD(COUNT, tune_point, windows, .help = "windows in the median"),
    FIELD(TEXT, tune_point, method, .help = "source of the figures"),
    FIELD(NUMBER, tune_point, device_memory, .help = "peak memory of the fullest device"),
    FIELD(NUMBER, tune_point, memory, .help = "peak resident memory of the processes"),
    FIELD(NUMBER, tune_point, seconds, .help = "duration of the trial, s"),
    FIELD(USD, tune_point, million, .help = "cost of a million samples"),
    FIELD(FLAG, tune_point, best,
          .help = "lowest cost per sample; without a price, lowest time"),
    FIELD(FLAG, tune_point, recommended, .help = "smallest size that costs about as little"),
    FIELD(CHARS, tune_point, note, .help = "reason for the failure, or a note"),
};

const struct field_set tune_point_fields = FIELD_SET(struct tune_point, point_fields);

void tune_point_note(const struct tune_point *point, const struct messages *to)
{
    double memory = isnan(point->device_memory) ? point->memory : point->device_memory;
    struct buf text = buf_new(&alloc_system, 1024);
    struct str row;

    if (isnan(point->rate)) {
        buf_adds(&text, point->note[0] != '\0' ? point->note : outcome_names[point->outcome]);
    } else {
        num_write_fixed(point->rate, point->rate >= 100 ? 0 : 2, &text);
        buf_adds(&text, " samples/s");
    }
    if (!isnan(memory)) {
        buf_adds(&text, ", ");
        bytes_write(bytes_from(memory), &text);
        buf_adds(&text, isnan(point->device_memory) ? "" : " on the device");
    }
    row = buf_text(&text);
    message_note(to, "batch %lld: %.*s, %.1f s", (long long)point->batch, (int)row.len, row.at,
                 point->seconds);
    buf_free(&text);
}

bool tune_command_check(struct strs command, struct error *err)
{
    for (size_t i = 0; i < command.len; i++)
        if (memmem(command.at[i].at, command.at[i].len, "{}", 2) != NULL)
            return true;
    error_set(err, ERROR_USAGE, "the command has no {} to put the batch size in");
    error_hint(err, "stint tune --batch 8..512 -- python bench.py --batch {}");
    return false;
}

bool tune_sizes_parse(struct str text, struct tune_sizes *out, struct error *err)
{
    struct str low = text, high = text;

    for (size_t i = 0; i + 1 < text.len; i++)
        if (text.at[i] == '.' && text.at[i + 1] == '.') {
            low = (struct str){text.at, i};
            high = (struct str){text.at + i + 2, text.len - i - 2};
            break;
        }
    if (!num_int(str_trim(low), &out->low) || !num_int(str_trim(high), &out->high)) {
        error_set(err, ERROR_USAGE, "'%.*s' is not a range of batch sizes", STR_ARG(text));
        error_hint(err, "write it as 8..512");
        return false;
    }
    if (out->low < 1 || out->high > MOST || out->low > out->high) {
        error_set(err, ERROR_USAGE,
                  "batch sizes go from a smaller to a larger one, at least 1");
        error_hint(err, "write them as 8..512");
        return false;
    }
    return true;
}

static const struct tune_point *find_size(const struct tune_table *t, int64_t batch)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->point[i].batch == batch)
            return &t->point[i];
    return NULL;
}

struct search {
    const struct tune_sizes *sizes;
    bool (*measure)(void *ctx, struct tune_point *point, struct error *err);
    void *ctx;
    struct tune_table *table;
};

static bool try_batch_size(struct search *s, int64_t batch, struct error *err)
{
    struct tune_point *p = &s->table->point[s->table->count];

    *p = (struct tune_point){.batch = batch,
                             .rate = NAN,
                             .spread = NAN,
                             .device_memory = NAN,
                             .memory = NAN,
                             .seconds = NAN,
                             .million = USD_UNKNOWN};
    if (!s->measure(s->ctx, p, err))
        return false;
    s->table->count++;
    return true;
}

/* Why to try no larger ones; NULL to go on. Sizes have only doubled so far. */
static const char *tune_stop_reason(const struct search *s)
{
    const struct tune_table *t = s->table;
    const struct tune_point *last = &t->point[t->count - 1];
    size_t slow = 0, failed = 0;

    if (last->outcome == TUNE_STOPPED)
        return "stopped";
    if (last->outcome == TUNE_MEMORY)
        return "memory ran out";
    for (size_t i = t->count; i-- > 0 && t->point[i].outcome != TUNE_MEASURED;)
        failed++;
    if (failed >= FAILURES)
        return "it failed twice in a row";
    for (size_t i = t->count - 1; i > 0; i--) {
        if (t->point[i].outcome != TUNE_MEASURED || t->point[i - 1].outcome != TUNE_MEASURED ||
            t->point[i].rate >= t->point[i - 1].rate * (1 + s->sizes->knee))
            break;
        slow++;
    }
    return slow >= 2 ? "more does not help any more" : NULL;
}

static const struct tune_point *fastest_size(const struct tune_table *t)
{
    const struct tune_point *best = NULL;

    for (size_t i = 0; i < t->count; i++)
        if (t->point[i].outcome == TUNE_MEASURED &&
            (best == NULL || t->point[i].rate > best->rate))
            best = &t->point[i];
    return best;
}

/* A size between two; 0 when there is none. Devices like multiples of 8, and nothing is gained
 * by 31: of 4 is fine enough below 16, and only below 8 every number is tried. */
static int64_t size_between(int64_t a, int64_t b)
{
    int64_t low = a < b ? a : b, high = a < b ? b : a, middle = low + (high - low) / 2;
    int64_t step = high > 16 ? 8 : high > 8 ? 4 : 1;

    middle = middle / step * step;
    if (middle <= low)
        middle += step;
    return middle > low && middle < high ? middle : 0;
}

/* The nearest size tried on this side of it; 0. */
static int64_t neighbor_size(const struct tune_table *t, int64_t batch, bool above)
{
    int64_t found = 0;

    for (size_t i = 0; i < t->count; i++) {
        int64_t b = t->point[i].batch;

        if (above ? b > batch && (found == 0 || b < found) : b < batch && b > found)
            found = b;
    }
    return found;
}

/* Between the best and the better one of its neighbors, or the one that did not fit. */
static bool refine_sizes(struct search *s, struct error *err)
{
    for (int i = 0; i < REFINEMENTS && s->table->count < TUNE_POINTS; i++) {
        const struct tune_point *best = fastest_size(s->table), *a, *b;
        int64_t below, above, middle;

        if (best == NULL)
            return true;
        below = neighbor_size(s->table, best->batch, false);
        above = neighbor_size(s->table, best->batch, true);
        a = find_size(s->table, below);
        b = find_size(s->table, above);
        middle = above > 0 && (a == NULL || b->outcome == TUNE_MEMORY ||
                               (b->outcome == TUNE_MEASURED && !(a->rate > b->rate)))
                     ? size_between(best->batch, above)
                 : below > 0 ? size_between(below, best->batch)
                             : 0;
        if (middle == 0 || find_size(s->table, middle) != NULL)
            return true;
        if (!try_batch_size(s, middle, err))
            return false;
        if (s->table->point[s->table->count - 1].outcome == TUNE_STOPPED)
            return true;
    }
    return true;
}

bool tune_search(const struct tune_sizes *sizes,
                 bool (*measure)(void *ctx, struct tune_point *point, struct error *err),
                 void *ctx, struct tune_table *out, struct error *err)
{
    struct search s = {sizes, measure, ctx, out};
    int64_t batch = sizes->low;

    out->count = 0;
    out->ended = NULL;
    while (out->ended == NULL) {
        if (!try_batch_size(&s, batch, err))
            return false;
        out->ended = tune_stop_reason(&s);
        if (out->ended == NULL && batch >= sizes->high)
            out->ended = "all were tried";
        batch = batch > sizes->high / 2 ? sizes->high : batch * 2;
    }
    if (!sizes->fine || out->point[out->count - 1].outcome == TUNE_STOPPED)
        return true;
    return refine_sizes(&s, err);
}

static int by_batch(const void *a, const void *b)
{
    const struct tune_point *x = a, *y = b;

    return (x->batch > y->batch) - (x->batch < y->batch);
}

void tune_judge(struct tune_table *table, usd_per_hour price, double near)
{
    const struct tune_point *best;
    double most;

    qsort(table->point, table->count, sizeof table->point[0], by_batch);
    best = fastest_size(table);
    most = best != NULL ? best->rate : NAN;
    for (size_t i = 0; i < table->count; i++) {
        struct tune_point *p = &table->point[i];

        p->best = p == best;
        p->million = usd_about(usd_per_hour_double(price) / 3600 / p->rate * 1e6);
    }
    for (size_t i = 0; i < table->count; i++)
        if (table->point[i].outcome == TUNE_MEASURED &&
            table->point[i].rate >= most * (1 - near)) {
            table->point[i].recommended = true;
            break;
        }
}
