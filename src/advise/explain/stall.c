#include "advise/explain/stall.h"

#include <math.h>

#include "base/attr.h"

#define LOADERS_BUSY 1.5 /* cores: more than the program itself keeps busy */
#define ASLEEP 0.7       /* cores: the program waits for something */

static bool waits_for_data(const struct stall_moment *m)
{
    return m->cores >= LOADERS_BUSY || m->cores < ASLEEP;
}

double stall_share(const struct stall_moment *moments, size_t count)
{
    double seconds = 0, waited = 0, share;
    size_t known = 0;

    for (size_t i = 0; i < count; i++) {
        const struct stall_moment *m = &moments[i];

        if (!(m->busy >= 0 && m->busy <= 1) || !(m->cores >= 0) || !(m->seconds > 0))
            continue;
        known++;
        seconds += m->seconds;
        waited += waits_for_data(m) ? m->seconds * (1 - m->busy) : 0;
    }
    if (known < STALL_LEAST)
        return NAN;
    share = waited / seconds;
    return share >= STALL_SHARE ? share : 0;
}

static bool cut_end(struct str *name, const char *end)
{
    struct str tail = str_from(end);

    if (name->len <= tail.len ||
        !str_eq_nocase((struct str){name->at + name->len - tail.len, tail.len}, tail))
        return false;
    name->len -= tail.len;
    return true;
}

bool stall_is_metric(struct str name, double *unit)
{
    static const char *const names[] = {
        "data_time",        "data_wait",      "data_wait_time", "dataloader_time",
        "data_loader_time", "data_load_time", "dataload_time",  "data_loading_time",
        "dataloading_time", "time_data",
    };

    *unit = 1;
    (void)(cut_end(&name, "_avg") || cut_end(&name, "_mean"));
    if (cut_end(&name, "_ms"))
        *unit = 1e-3;
    else
        (void)(cut_end(&name, "_seconds") || cut_end(&name, "_sec") || cut_end(&name, "_s"));
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct str rest = name;

        if (str_eq_nocase(name, str_from(names[i])))
            return true;
        if (cut_end(&rest, names[i]) &&
            (rest.at[rest.len - 1] == '_' || rest.at[rest.len - 1] == '/' ||
             rest.at[rest.len - 1] == '.'))
            return true;
    }
    return false;
}
