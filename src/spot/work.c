#include "spot/work.h"

#include <math.h>

/* What is left of the seconds after whole rounds of saving and working, from a moment at which
 * a save is due. In one step, because a tick may have very many of them. */
static double whole_rounds(const struct sim_job *job, struct work *work, double seconds)
{
    double round = job->save_takes + job->save_every;
    double most = ceil((work->left - WORK_TOLERANCE) / job->save_every) - 1;
    double rounds = fmax(fmin(floor(seconds / round), most), 0);

    work->left -= rounds * job->save_every;
    return fmax(seconds - rounds * round, 0);
}

static double do_work(struct work *work, double seconds, double most)
{
    double does = fmin(fmin(seconds, most), work->left);

    work->left -= does;
    work->unsaved += does;
    return seconds - does;
}

void work_go_on(const struct sim_job *job, struct work *work, double seconds)
{
    double wait = fmin(work->pending, seconds);

    work->pending -= wait;
    seconds -= wait;
    if (work->pending > 0)
        return;
    if (work->saving)
        work->unsaved = 0;
    work->saving = false;
    if (!(job->save_every > 0)) {
        (void)do_work(work, seconds, work->left);
        work->unsaved = 0;
        return;
    }
    seconds = do_work(work, seconds, fmax(job->save_every - work->unsaved, 0));
    if (work->left <= WORK_TOLERANCE || work->unsaved < job->save_every)
        return;
    seconds = whole_rounds(job, work, seconds);
    if (seconds < job->save_takes) {
        work->saving = true;
        work->pending = job->save_takes - seconds;
        return;
    }
    work->unsaved = 0;
    (void)do_work(work, seconds - job->save_takes, job->save_every);
}

bool work_notice_saves(const struct sim_job *job)
{
    /* No notice is none, however little saving takes. */
    return job->notice > 0 && job->notice >= job->save_takes;
}

double work_lose(const struct sim_job *job, struct work *work, double seconds)
{
    struct work before = *work;
    double kept;

    work_go_on(job, work, seconds);
    if (work->left <= WORK_TOLERANCE)
        return 0;
    kept = work->left + work->unsaved;
    if (job->save_every > 0 && work_notice_saves(job)) {
        /* The notice's last seconds save, instead of working. */
        work_go_on(job, &before, fmax(seconds - job->save_takes, 0));
        kept = fmin(kept, before.left);
    }
    seconds = kept - work->left;
    *work = (struct work){.left = kept};
    return seconds;
}

double work_stop_takes(const struct sim_job *job, const struct work *work)
{
    return work->saving ? fmin(work->pending, work->unsaved)
                        : fmin(job->save_takes, work->unsaved);
}

/* Half the simulator's tolerance: sums of fractions may end up on either side of the whole of
 * it, and a promise must hold on both. */
#define HALF (WORK_TOLERANCE / 2)

double work_saves(const struct sim_job *job, const struct work *work)
{
    double since = work->saving ? 0 : work->unsaved;

    if (!(job->save_every > 0))
        return 0;
    return fmax(ceil((since + work->left - HALF) / job->save_every) - 1, 0);
}

double work_ticks(const struct sim_job *job, const struct work *work, int32_t gap)
{
    double left = work->left - HALF;

    if (left <= 0)
        return 0;
    return ceil((work->pending + left + work_saves(job, work) * job->save_takes) / gap);
}
