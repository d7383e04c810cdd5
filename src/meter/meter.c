#include "meter/meter.h"

#include <math.h>

#include "meter/meter_internal.h"

static const struct gpu_vendor *const vendors[GPU_VENDORS] = {&gpu_nvidia, &gpu_amd,
                                                              &gpu_gaudi};

static void open_gpus(struct meters *meters)
{
    for (size_t i = 0; i < GPU_VENDORS; i++) {
        meters->gpu[i].vendor = vendors[i];
        if (meters->options.gpus)
            meters->gpu[i].state =
                vendors[i]->open(&meters->options, &meters->arena, meters->gpu[i].why);
    }
}

struct meters *meters_open(const struct meter_options *options, const struct alloc *alloc,
                           struct error *err)
{
    struct arena arena = {.alloc = alloc, .block_size = 4096};
    struct meters *meters = arena_array(&arena, struct meters, 1, err);
    struct error none = {0};

    if (meters == NULL)
        return NULL;
    meters->options = *options;
    meters->tree = tree_open(options->tree, options->cgroup, options->root, alloc, &none);
    if (meters->tree == NULL && none.kind == ERROR_MEMORY) {
        *err = none;
        arena_free(&arena);
        return NULL;
    }
    if (meters->tree != NULL && options->with_top)
        (void)tree_include_top(meters->tree); /* one that has ended uses nothing more */
    host_open(&meters->host, options->root);
    cpu_power_open(&meters->power, options->root, options->watts_a_core);
    meters->arena = arena;
    open_gpus(meters);
    return meters;
}

void meters_close(struct meters *meters)
{
    struct arena arena;

    if (meters == NULL)
        return;
    for (size_t i = 0; i < GPU_VENDORS; i++) {
        if (meters->gpu[i].state != NULL)
            meters->gpu[i].vendor->close(meters->gpu[i].state);
    }
    tree_close(meters->tree);
    host_close(&meters->host);
    cpu_power_close(&meters->power);
    arena = meters->arena; /* which holds the meters */
    arena_free(&arena);
}

struct tree *meters_tree(struct meters *meters)
{
    return meters->tree;
}

void meters_exact(struct meters *meters)
{
    meters->exact = true;
}

/* Of the entire machine everything is its own. */
static void charge_all(struct power_sample *power)
{
    power->tree_joules = power->joules;
    power->tree_memory_joules = power->memory_joules;
}

void meters_read(struct meters *meters, instant now, struct meter_sample *out)
{
    struct machine_use machine;

    out->at = now;
    out->gpus = 0;
    tree_read(meters->tree, &out->tree);
    host_read(&meters->host, &out->host, &machine);
    cpu_power_read(&meters->power, now, &machine, &out->tree, &out->power);
    if (meters->options.tree == 0)
        charge_all(&out->power);
    for (size_t i = 0; i < GPU_VENDORS; i++) {
        if (meters->gpu[i].state != NULL)
            meters->gpu[i].vendor->read(meters->gpu[i].state, meters->tree, now, meters->exact,
                                        out->gpu, &out->gpus);
    }
    meters->exact = false;
}
