/* Every process of the machine as one tree. */
#include <math.h>

#include "meter/proc_machine.h"
#include "meter/tree_internal.h"

static double disk(struct str text, const char *key)
{
    return proc_value(text, key) * 1024;
}

void tree_machine_read(struct tree *tree, struct tree_sample *out)
{
    struct machine_cpu cpu;
    struct machine_memory memory;
    char buffer[32768];
    struct str text;

    out->source = "/proc of the machine";
    /* Everybody is in it, so there is nothing to know of each. */
    tree->count = 0;
    tree_look(tree, true);
    out->processes = (int)tree->count;
    if (machine_cpu_read(tree->proc, tree->tick_s, &cpu)) {
        if (tree->reads == 1)
            tree->at_first = (struct spent){cpu.user_s, cpu.system_s};
        out->user_s = cpu.user_s - tree->at_first.user_s;
        out->system_s = cpu.system_s - tree->at_first.system_s;
        out->cpu_method = METHOD_COUNTER;
    }
    if (machine_memory_read(tree->proc, &memory)) {
        out->memory = memory.used;
        out->memory_method = METHOD_SAMPLED;
        out->memory_peak = fmax(out->memory, tree->most.memory_peak);
        tree->most.memory_peak = out->memory_peak;
        out->peak_method = METHOD_SAMPLED;
    }
    if (proc_read(tree->proc, "vmstat", buffer, sizeof buffer, &text)) {
        if (tree->reads == 1) {
            tree->read_at_first = disk(text, "pgpgin");
            tree->written_at_first = disk(text, "pgpgout");
        }
        out->read = disk(text, "pgpgin") - tree->read_at_first;
        out->written = disk(text, "pgpgout") - tree->written_at_first;
        out->io_method = isnan(out->read) ? METHOD_NONE : METHOD_COUNTER;
    }
}
