#include "load/join.h"

#include <math.h>
#include <string.h>

#define LEAST_ANSWERS 100

/* Of a moment that is known. */
static void shift_moment(int64_t *ns, int64_t by)
{
    if (*ns >= 0)
        *ns += by;
}

static bool join_load_samples(struct load_run *run, const struct load_run *more, int64_t by,
                              struct arena *arena, struct error *err)
{
    for (size_t i = 0; i < more->count; i++) {
        struct load_sample s = more->samples[i];

        run->samples = arena_grow(arena, run->samples, run->count, sizeof s, &run->room, err);
        if (run->samples == NULL || !str_keep(more->samples[i].id, arena, &s.id, err))
            return false;
        shift_moment(&s.intended, by);
        shift_moment(&s.sent, by);
        shift_moment(&s.first, by);
        shift_moment(&s.last, by);
        shift_moment(&s.end, by);
        run->samples[run->count++] = s;
    }
    return true;
}

bool load_run_join(struct load_run *run, const struct load_run *more, double at_s,
                   struct arena *arena, struct error *err)
{
    if (run->gaps.cells == NULL && !load_gaps_new(arena, &run->gaps, err))
        return false;
    if (!join_load_samples(run, more, (int64_t)(at_s * 1e9), arena, err))
        return false;
    load_gaps_join(&run->gaps, &more->gaps, run->window_s);
    run->window_s += more->window_s;
    run->whole_s += more->whole_s;
    run->pieces += more->pieces;
    run->tokens += more->tokens;
    run->input += more->input;
    run->came += more->came;
    run->came_by_kernel += more->came_by_kernel;
    run->sent += more->sent;
    run->sent_measured += more->sent_measured;
    run->answered_measured += more->answered_measured;
    run->waited += more->waited;
    run->open_most = more->open_most > run->open_most ? more->open_most : run->open_most;
    run->longest_pause = fmax(run->longest_pause, more->longest_pause);
    run->ended = more->ended;
    if (run->message[0] == '\0')
        memcpy(run->message, more->message, sizeof run->message);
    return true;
}

/* One that is not known (no answer streams) asks for nothing. */
static bool mean_is_precise(const struct load_stat *stat, double precision)
{
    return stat->count == 0 ||
           stat->mean.high - stat->mean.value <= precision * stat->mean.value;
}

bool load_run_precise(const struct load_run *run, double precision, const struct alloc *alloc)
{
    struct arena scratch = {.alloc = alloc, .block_size = ARENA_BLOCK_SIZE};
    struct load_stat total, first;
    struct error ignored;
    double *values;
    size_t n = 0;
    bool ok;

    values = arena_array(&scratch, double, 2 * run->count + 1, &ignored);
    for (size_t i = 0; values != NULL && i < run->count; i++)
        if (run->samples[i].measured) {
            values[n] = load_total(&run->samples[i], false);
            values[run->count + n++] = load_first_token(&run->samples[i], false);
        }
    ok = values != NULL && n >= LEAST_ANSWERS &&
         load_stat_of(values, n, &scratch, &total, &ignored) &&
         load_stat_of(values + run->count, n, &scratch, &first, &ignored) && total.count > 0 &&
         mean_is_precise(&total, precision) && mean_is_precise(&first, precision);
    arena_free(&scratch);
    return ok;
}
