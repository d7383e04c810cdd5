#include "meter/sample.h"

#include <math.h>
#include <stdio.h>

const char *const meter_method_names[METER_METHOD_KINDS] = {"unknown", "modeled", "sampled",
                                                            "counter"};

/* Energy of the tree, so far as it is added up. */
struct tree_energy {
    double sum, by_method[METER_METHOD_KINDS];
    double wrong;            /* joules that it may be off; an unknown error makes it unknown */
    double error;            /* the largest of the parts, a share */
    enum meter_method worst; /* of the methods */
};

static void add_energy_part(struct tree_energy *to, double joules, enum meter_method part,
                            double part_error)
{
    if (part < to->worst)
        to->worst = part;
    to->sum += joules;
    to->by_method[part] += joules;
    to->wrong += joules * part_error;
    if (!(part_error <= to->error))
        to->error = part_error;
}

static struct tree_energy tree_energy(const struct meter_sample *sample)
{
    const struct power_sample *power = &sample->power;
    struct tree_energy out = {.worst = METHOD_COUNTER};

    for (size_t i = 0; i < sample->gpus; i++) {
        const struct gpu_sample *gpu = &sample->gpu[i];
        enum meter_method worst =
            gpu->share_method < gpu->joules_method ? gpu->share_method : gpu->joules_method;

        if (gpu->use == GPU_VISIBLE)
            continue;
        add_energy_part(&out, gpu->joules * gpu->share, worst, gpu->error);
    }
    if (!isnan(power->tree_joules))
        add_energy_part(&out, power->tree_joules, power->method, power->error);
    if (!isnan(power->tree_memory_joules))
        add_energy_part(&out, power->tree_memory_joules, power->memory_method, power->error);
    if (isnan(out.sum) || (isnan(power->tree_joules) && sample->gpus == 0)) {
        out.worst = METHOD_NONE;
        out.sum = out.wrong = NAN;
    }
    return out;
}

double meter_tree_joules(const struct meter_sample *sample, enum meter_method *method,
                         double *error)
{
    struct tree_energy energy = tree_energy(sample);

    *method = energy.worst;
    *error = energy.sum == 0 ? energy.error : energy.wrong / energy.sum;
    return energy.sum;
}

void meter_tree_methods(const struct meter_sample *sample, char out[static METER_METHODS])
{
    struct tree_energy energy = tree_energy(sample);
    size_t len = 0;

    (void)snprintf(out, METER_METHODS, "%s", meter_method_names[energy.worst]);
    if (!(energy.sum > 0) || energy.by_method[energy.worst] >= energy.sum * 0.995)
        return;
    for (int round = 0; round < METER_METHOD_KINDS && len < METER_METHODS; round++) {
        int most = 0;
        double percent;

        for (int i = 1; i < METER_METHOD_KINDS; i++)
            if (energy.by_method[i] > energy.by_method[most])
                most = i;
        percent = energy.by_method[most] / energy.sum * 100;
        energy.by_method[most] = 0;
        if (round == 0 && percent >= 99.5) { /* the rest is not worth a word */
            (void)snprintf(out, METER_METHODS, "%s", meter_method_names[most]);
            return;
        }
        if (percent < 0.5)
            return;
        len += (size_t)snprintf(out + len, METER_METHODS - len, "%s%.0f %% %s",
                                len > 0 ? ", " : "", percent, meter_method_names[most]);
    }
}
