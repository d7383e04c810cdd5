#include "base/stop.h"

#include <stddef.h>

static _Thread_local struct stop *current;

struct stop *stop_set(struct stop *stop)
{
    struct stop *before = current;

    current = stop;
    return before;
}

struct stop *stop_current(void)
{
    return current;
}

bool stop_asked(void)
{
    return current != NULL && atomic_load_explicit(&current->why, memory_order_relaxed) != 0;
}

bool stop_check(struct error *err)
{
    return !stop_asked() || error_fail(err, ERROR_STOPPED, "stopped");
}

void stop_ask(struct stop *stop, int why)
{
    int none = 0;

    (void)atomic_compare_exchange_strong(&stop->why, &none, why);
}
