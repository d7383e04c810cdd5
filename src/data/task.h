/* task.h - what a piece of work on data is given by its caller. */
#ifndef DATA_TASK_H
#define DATA_TASK_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/message.h"
#include "base/watch.h"

struct data_task {
    struct arena *arena;
    const struct clock *clock;
    const struct watch *watch;
    const struct messages *messages;
    const char *home; /* where Stint keeps manifests and outputs; NULL: nothing is kept */
    bool *partly;     /* set when a part of the work could not be done */
};

static inline instant data_task_now(const struct data_task *task)
{
    return task->clock->now(task->clock->ctx);
}

#endif
