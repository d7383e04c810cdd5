#include "run/supervise/machine_share.h"

#include <string.h>

#define FINE 36 /* bits after the point of a nanosecond */

/* Who divides what the fixed shares leave, and by how much. */
struct division {
    int64_t left; /* billionths */
    int64_t gpus; /* thousandths, of all who divide */
    int runs, payers;
};

static bool pays_now(const struct share_run *run)
{
    return run->here && run->pays && run->inside[0] == '\0';
}

static struct division divide(const struct share_run *runs, size_t count)
{
    struct division d = {.left = SHARE_ONE};

    for (size_t i = 0; i < count; i++) {
        if (!pays_now(&runs[i]))
            continue;
        d.payers++;
        if (runs[i].fixed >= 0) {
            d.left = runs[i].fixed < d.left ? d.left - runs[i].fixed : 0;
            continue;
        }
        d.runs++;
        d.gpus += runs[i].gpus;
    }
    return d;
}

/* `part` billionths of a time. */
static uwide part_of(int64_t ns, int64_t part)
{
    return (((uwide)(uint64_t)ns << FINE) * (uwide)(uint64_t)part) / (uwide)SHARE_ONE;
}

void share_pass(struct share_clock *clock, const struct share_run *runs, size_t count,
                instant now)
{
    struct division d = divide(runs, count);

    if (now.ns <= clock->at.ns)
        return;
    if (d.gpus > 0)
        clock->by_gpu.parts += part_of(now.ns - clock->at.ns, d.left) / (uwide)(uint64_t)d.gpus;
    else if (d.runs > 0)
        clock->evenly.parts += part_of(now.ns - clock->at.ns, d.left) / (uwide)(uint64_t)d.runs;
    clock->at = now;
}

static uwide paid_since(const struct share_run *run, const struct share_clock *clock)
{
    if (!pays_now(run))
        return 0;
    if (run->fixed >= 0)
        return part_of(clock->at.ns - run->mark.at.ns, run->fixed);
    return (clock->by_gpu.parts - run->mark.by_gpu.parts) * (uwide)(uint64_t)run->gpus +
           (clock->evenly.parts - run->mark.evenly.parts);
}

span share_paid(const struct share_run *run, const struct share_clock *clock)
{
    uwide sum = run->paid.parts + paid_since(run, clock);

    return (span){(int64_t)((sum + ((uwide)1 << (FINE - 1))) >> FINE)};
}

/* What it has to pay so far is fixed; how it goes on may change. */
static void settle(const struct share_clock *clock, struct share_run *run)
{
    run->paid.parts += paid_since(run, clock);
    run->mark = *clock;
}

void share_come(const struct share_clock *clock, struct share_run *run)
{
    run->here = true;
    run->since = run->seen = clock->at;
    run->paid = (fine_time){0};
    run->mark = *clock;
}

void share_gpus(const struct share_clock *clock, struct share_run *run, int64_t gpus)
{
    settle(clock, run);
    run->gpus = gpus;
}

void share_go(const struct share_clock *clock, struct share_run *runs, size_t count,
              struct share_run *run)
{
    settle(clock, run);
    run->here = false;
    for (size_t i = 0; run->id[0] != '\0' && i < count; i++) {
        if (!runs[i].here || strcmp(runs[i].inside, run->id) != 0)
            continue;
        settle(clock, &runs[i]);
        memcpy(runs[i].inside, run->inside, sizeof runs[i].inside);
    }
}

void share_bury(struct share_clock *clock, struct share_run *runs, size_t count,
                const bool *gone)
{
    for (;;) {
        struct share_run *first = NULL;

        for (size_t i = 0; i < count; i++)
            if (gone[i] && runs[i].here && (first == NULL || runs[i].seen.ns < first->seen.ns))
                first = &runs[i];
        if (first == NULL)
            return;
        share_pass(clock, runs, count, first->seen);
        share_go(clock, runs, count, first);
    }
}

struct share_view share_now(const struct share_run *runs, size_t count,
                            const struct share_run *run)
{
    struct division d = divide(runs, count);
    double left = (double)d.left / (double)SHARE_ONE;
    struct share_view view = {.part = 0, .runs = d.payers};

    if (!pays_now(run))
        return view;
    if (run->fixed >= 0)
        view.part = (double)run->fixed / (double)SHARE_ONE;
    else if (d.gpus > 0)
        view.part = left * (double)run->gpus / (double)d.gpus;
    else
        view.part = left / d.runs;
    return view;
}
