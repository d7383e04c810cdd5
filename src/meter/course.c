#include "meter/course.h"

#include <math.h>
#include <pthread.h>
#include <time.h>

#define LOOK_NS (SECOND / 2)
#define LOOKS_MOST 20000 /* some three hours; the time after that is not known */

/* One look at all devices. */
struct course_look {
    int64_t at;
    struct {
        double joules, busy;
        bool works;
    } device[METER_GPUS];
};

struct meter_course {
    const struct alloc *alloc;
    struct meters *meters;
    struct meter_sample sample;
    struct arena arena;
    struct course_look *looks;
    size_t count, room;
    size_t devices;
    enum meter_method methods[METER_GPUS];
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool has_thread, end;
};

/* Is something running on it, or might there be? */
static bool gpu_works(const struct gpu_sample *gpu)
{
    return gpu->processes > 0 || gpu->busy > 0;
}

static void take_course_look(struct meter_course *c)
{
    struct course_look *look;
    struct error ignored;

    meters_exact(c->meters);
    meters_read(c->meters, clock_system.now(clock_system.ctx), &c->sample);
    if (c->count >= LOOKS_MOST)
        return;
    look = arena_grow(&c->arena, c->looks, c->count, sizeof *look, &c->room, &ignored);
    if (look == NULL)
        return;
    c->looks = look;
    look = &c->looks[c->count++];
    *look = (struct course_look){.at = c->sample.at.ns};
    c->devices = c->sample.gpus > c->devices ? c->sample.gpus : c->devices;
    for (size_t i = 0; i < c->sample.gpus; i++) {
        const struct gpu_sample *gpu = &c->sample.gpu[i];

        look->device[i].joules = gpu->joules * gpu->part;
        look->device[i].busy = gpu->busy;
        look->device[i].works = gpu_works(gpu);
        c->methods[i] = gpu->joules_method;
    }
}

static void *watch_course(void *ctx)
{
    struct meter_course *c = ctx;

    (void)pthread_mutex_lock(&c->lock);
    while (!c->end) {
        int64_t at = clock_system.now(clock_system.ctx).ns + LOOK_NS;
        struct timespec until = {(time_t)(at / SECOND), (long)(at % SECOND)};

        (void)pthread_cond_timedwait(&c->wake, &c->lock, &until);
        take_course_look(c);
    }
    (void)pthread_mutex_unlock(&c->lock);
    return NULL;
}

struct meter_course *meter_course_begin(const struct meter_options *options,
                                        const struct alloc *alloc, struct error *err)
{
    struct meter_course *c = alloc->get(alloc->ctx, sizeof *c);
    pthread_condattr_t monotonic;

    if (c == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *c = (struct meter_course){.alloc = alloc, .arena = {.alloc = alloc}};
    (void)pthread_mutex_init(&c->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&c->wake, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    c->meters = meters_open(options, alloc, err);
    if (c->meters == NULL) {
        meter_course_end(c);
        return NULL;
    }
    take_course_look(c);
    if (c->devices > 0) /* else there is nothing to look at */
        c->has_thread = pthread_create(&c->thread, NULL, watch_course, c) == 0;
    return c;
}

/* What a counter said then, between two looks. */
static double joules_at(const struct meter_course *c, size_t device, int64_t at)
{
    const struct course_look *last = c->looks;

    for (size_t i = 1; i < c->count; i++) {
        const struct course_look *next = &c->looks[i];
        double from = last->device[device].joules, to = next->device[device].joules;

        if (next->at >= at && next->at > last->at)
            return from + (to - from) * fmax(0, (double)(at - last->at)) /
                              (double)(next->at - last->at);
        last = next;
    }
    return last->device[device].joules;
}

/* Of one device; false: it had no work. What a look says holds since the one before. */
static bool device_course(const struct meter_course *c, size_t device, instant from,
                          instant until, double *joules, double *busy)
{
    double sum = 0, all = 0;
    bool works = false;

    for (size_t i = 1; i < c->count; i++) {
        const struct course_look *look = &c->looks[i];
        double begins = fmax((double)c->looks[i - 1].at, (double)from.ns);
        double within = fmin((double)look->at, (double)until.ns) - begins;

        if (!(within > 0))
            continue;
        works |= look->device[device].works;
        sum += look->device[device].busy * within;
        all += within;
    }
    *joules = joules_at(c, device, until.ns) - joules_at(c, device, from.ns);
    *busy = all > 0 ? sum / all : NAN;
    return works;
}

struct gpu_course meter_course_of(struct meter_course *c, instant from, instant until)
{
    struct gpu_course out = {.joules = 0, .busy = 0, .method = METHOD_COUNTER};

    (void)pthread_mutex_lock(&c->lock);
    take_course_look(c); /* the time until now */
    for (size_t i = 0; i < c->devices && c->count > 0; i++) {
        double joules, busy;

        if (!device_course(c, i, from, until, &joules, &busy))
            continue;
        out.devices++;
        out.joules += joules;
        out.busy += busy;
        if (c->methods[i] < out.method)
            out.method = c->methods[i];
    }
    (void)pthread_mutex_unlock(&c->lock);
    out.busy = out.devices > 0 ? out.busy / out.devices : NAN;
    if (out.devices == 0) {
        out.joules = NAN;
        out.method = METHOD_NONE;
    }
    return out;
}

void meter_course_end(struct meter_course *c)
{
    if (c == NULL)
        return;
    (void)pthread_mutex_lock(&c->lock);
    c->end = true;
    (void)pthread_cond_signal(&c->wake);
    (void)pthread_mutex_unlock(&c->lock);
    if (c->has_thread)
        (void)pthread_join(c->thread, NULL);
    meters_close(c->meters);
    arena_free(&c->arena);
    (void)pthread_cond_destroy(&c->wake);
    (void)pthread_mutex_destroy(&c->lock);
    c->alloc->put(c->alloc->ctx, c);
}
