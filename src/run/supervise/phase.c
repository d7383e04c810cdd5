#include "run/supervise/phase.h"

#include <math.h>

#include "base/attr.h"

int phase_parse(struct str text)
{
    static const struct {
        const char *word;
        enum run_phase phase;
    } words[] = {
        {"set-up", PHASE_SETUP},        {"setup", PHASE_SETUP},
        {"init", PHASE_SETUP},          {"load", PHASE_SETUP},
        {"loading", PHASE_SETUP},       {"compile", PHASE_SETUP},
        {"data wait", PHASE_DATA},      {"data", PHASE_DATA},
        {"data-wait", PHASE_DATA},      {"data_wait", PHASE_DATA},
        {"train", PHASE_TRAIN},         {"training", PHASE_TRAIN},
        {"fit", PHASE_TRAIN},           {"evaluate", PHASE_EVALUATE},
        {"eval", PHASE_EVALUATE},       {"evaluation", PHASE_EVALUATE},
        {"val", PHASE_EVALUATE},        {"validate", PHASE_EVALUATE},
        {"validation", PHASE_EVALUATE}, {"test", PHASE_EVALUATE},
        {"predict", PHASE_EVALUATE},    {"checkpoint", PHASE_CHECKPOINT},
        {"save", PHASE_CHECKPOINT},     {"saving", PHASE_CHECKPOINT},
        {"ckpt", PHASE_CHECKPOINT},     {"idle", PHASE_IDLE},
        {"wait", PHASE_IDLE},           {"done", PHASE_IDLE},
        {"auto", PHASE_COUNT},
    };

    text = str_trim(text);
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (str_eq_nocase(text, str_from(words[i].word)))
            return (int)words[i].phase;
    }
    return -1;
}

#define GPU_BUSY 0.1     /* a device works; below, it waits */
#define CORES_BUSY 0.25  /* cores */
#define IO_BUSY 1e6      /* bytes a second */
#define EVAL_FOR 5.0     /* seconds between two lines of one evaluation, at most */
#define GPU_SIGN 5.0     /* seconds of a busy device that are training without a word */
#define CPU_SIGN 30.0    /* likewise of the processor, which set-up keeps busy too */
#define QUIET_TRAIN 3.0  /* seconds of quiet that are no idleness yet, between steps */
#define QUIET_SETUP 60.0 /* and in set-up, where programs wait for downloads */

/* Unknown is not busy. */
static bool above_threshold(double value, double limit)
{
    return value >= limit;
}

/* A program that says nothing trains when what it runs on has been busy for a while. */
static void look_for_training(struct phase_watch *w, const struct phase_sight *s,
                              double seconds)
{
    bool busy = s->has_gpu ? above_threshold(s->gpu_busy, GPU_BUSY)
                           : above_threshold(s->cpu_cores, CORES_BUSY);

    w->busy_s = busy ? w->busy_s + seconds : 0;
    w->trained |= s->stepped || w->busy_s >= (s->has_gpu ? GPU_SIGN : CPU_SIGN);
}

enum run_phase phase_see(struct phase_watch *w, const struct phase_sight *s, double seconds)
{
    bool gpu = s->has_gpu && above_threshold(s->gpu_busy, GPU_BUSY);
    bool others =
        above_threshold(s->cpu_cores, CORES_BUSY) || above_threshold(s->io_rate, IO_BUSY);

    w->quiet_s = gpu || others || s->stepped || s->saving_s > 0 ? 0 : w->quiet_s + seconds;
    w->eval_for = s->evaluated ? EVAL_FOR : s->stepped ? 0 : fmax(w->eval_for - seconds, 0);
    look_for_training(w, s, seconds);
    if (s->reported >= 0 && s->reported < PHASE_COUNT) {
        w->trained |= s->reported == PHASE_TRAIN;
        return (enum run_phase)s->reported;
    }
    if (w->eval_for > 0 && !s->stepped)
        return PHASE_EVALUATE;
    if (w->quiet_s >= (w->trained ? QUIET_TRAIN : QUIET_SETUP))
        return PHASE_IDLE;
    if (!w->trained)
        return PHASE_SETUP;
    if (s->stepped || gpu || w->quiet_s > 0)
        return PHASE_TRAIN;
    /* Something else is busy. */
    if (s->has_gpu && !isnan(s->gpu_busy))
        return PHASE_DATA;
    return above_threshold(s->cpu_cores, CORES_BUSY) ? PHASE_TRAIN : PHASE_DATA;
}

double phase_saving(const struct phase_sight *s, double seconds)
{
    double most = s->has_gpu && !isnan(s->gpu_busy) ? seconds * (1 - s->gpu_busy) : seconds;

    if (s->reported >= 0 && s->reported < PHASE_COUNT)
        return 0;
    return fmax(fmin(s->saving_s, most), 0);
}
