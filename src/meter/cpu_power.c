#include "meter/cpu_power.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "meter/proc.h"

/* RAPL itself is good to 5 % where it measures (Intel since Haswell), worse where it is worked
 * out (AMD before Zen 2, memory); sharing it out by time takes no account of what a core
 * does. */
#define RAPL_ERROR 0.2
#define MODEL_ERROR 0.5
#define STILL 3 /* reads at which a counter did not move: it is none */

void cpu_power_open(struct cpu_power *power, const char *root, double watts_a_core)
{
    int proc = proc_folder(root, "/proc");

    *power = (struct cpu_power){0};
    power->counted = rapl_open(&power->rapl, root);
    cpu_model_find(proc, &power->model);
    if (proc >= 0)
        close(proc);
    if (watts_a_core > 0)
        power->model.watts_a_core = watts_a_core;
    (void)snprintf(power->source, sizeof power->source, "model: load x %.1f W a core (%.40s)",
                   power->model.watts_a_core, watts_a_core > 0 ? "as told" : power->model.name);
}

/* Some virtual machines show counters that stand still. */
static void watch_counter(struct cpu_power *power, double grown)
{
    if (grown > 0 || power->still > STILL) {
        power->still = STILL + 1; /* it lives */
        return;
    }
    power->still++;
    if (power->still == STILL) {
        power->counted = false;
        rapl_close(&power->rapl);
        (void)snprintf(power->rapl.why, sizeof power->rapl.why,
                       "the energy counter stands still, as in virtual machines");
    }
}

/* At most all of it; unknown when either is. */
static double share(double part, double whole)
{
    double of = part / whole;

    return of > 1 ? 1 : of;
}

static void add_processor(struct cpu_power *power, double seconds, double busy, double cores,
                          double tree_cores)
{
    struct power_sample *sum = &power->sum;
    double weight = CPU_IDLE * cores + (1 - CPU_IDLE) * busy;
    double joules = power->model.watts_a_core * weight * seconds;

    if (power->counted) {
        double packages, memory;

        rapl_read(&power->rapl, &packages, &memory);
        joules = packages - power->packages;
        power->packages = packages;
        power->memory = memory;
        watch_counter(power, joules);
    }
    sum->joules += joules;
    sum->tree_joules += joules * share(tree_cores, weight);
}

static void add_memory(struct cpu_power *power, double seconds, double before, double used,
                       double tree)
{
    struct power_sample *sum = &power->sum;
    double joules = used * 1e-9 * WATTS_A_GB * seconds;

    if (power->counted && !isnan(power->memory))
        joules = power->memory - before;
    sum->memory_joules += joules;
    sum->tree_memory_joules += used == 0 ? 0 : joules * share(tree, used);
}

void cpu_power_read(struct cpu_power *power, instant now, const struct machine_use *machine,
                    const struct tree_sample *tree, struct power_sample *out)
{
    double seconds = (double)span_between(power->last, now).ns * 1e-9;
    double memory_before = isnan(power->memory) ? 0 : power->memory;

    if (!power->started) {
        if (power->counted)
            rapl_read(&power->rapl, &power->packages, &power->memory);
    } else if (seconds > 0) {
        double busy = (machine->busy_s - power->before.busy_s) / seconds;
        double mine = (tree->cpu_s - power->tree_s) / seconds;

        /* Ticks of the machine and of the tree are not counted at the same moment. */
        busy = machine->cores * share(busy > mine ? busy : mine, machine->cores);
        add_processor(power, seconds, busy, machine->cores, mine);
        add_memory(power, seconds, memory_before, machine->memory, tree->memory);
    }
    if (!power->started || seconds > 0) {
        power->started = true;
        power->last = now;
        power->before = *machine;
        power->tree_s = tree->cpu_s;
    }
    *out = power->sum;
    if (isnan(machine->cores) || isnan(machine->busy_s))
        out->joules = out->tree_joules = NAN;
    if (isnan(machine->memory))
        out->memory_joules = out->tree_memory_joules = NAN;
    if (isnan(out->joules))
        out->method = METHOD_NONE;
    else
        out->method = power->counted ? METHOD_COUNTER : METHOD_MODELLED;
    if (isnan(out->memory_joules))
        out->memory_method = METHOD_NONE;
    else
        out->memory_method =
            power->counted && !isnan(power->memory) ? METHOD_COUNTER : METHOD_MODELLED;
    out->error = power->counted ? RAPL_ERROR : MODEL_ERROR;
    out->source = power->counted ? "RAPL" : power->source;
}

void cpu_power_close(struct cpu_power *power)
{
    rapl_close(&power->rapl);
}
