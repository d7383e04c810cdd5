#include "meter/cpu_model.h"

#include <stdio.h>

#include "meter/proc.h"

/* Watts at full load of a core as Linux counts them (a hardware thread). From SPECpower results
 * as Cloud Carbon Footprint has worked them out (coefficients "max watts", 2023): Haswell 6.0,
 * Broadwell 3.7, Skylake 4.2, Cascade Lake 4.0, EPYC Naples 2.6, Rome 1.7, Milan 2.0. The
 * others are the makers' power limit by the number of threads: Ryzen 9 7950X 170 to 230 W by
 * 32, Core i9-13900K 253 W by 32, Threadripper 3970X 280 W by 64, Ampere Altra Q80-30 210 W by
 * 80, Grace superchip 500 W (memory included) by 144. Of Graviton's no figure is published:
 * reports of about 100 W for 64 cores. */
static const struct {
    const char *part; /* of the name, whatever the case */
    double watts;
} named[] = {
    {"EPYC", 2.0},     {"Threadripper", 4.0}, {"Ryzen", 6.0}, {"Xeon", 4.0},
    {"Core(TM)", 8.0}, {"Celeron", 2.5},      {"Atom", 2.5},  {"Pentium", 4.0},
};

/* Of ARM's /proc/cpuinfo has two numbers in place of a name. */
static const struct {
    const char *implementer, *part; /* NULL: any */
    const char *name;
    double watts;
} numbered[] = {
    {"0x41", "0xd0c", "ARM Neoverse N1", 2.6},
    {"0x41", "0xd40", "ARM Neoverse V1", 1.6},
    {"0x41", "0xd49", "ARM Neoverse N2", 2.0},
    {"0x41", "0xd4f", "ARM Neoverse V2", 2.5},
    {"0x41", "0xd84", "ARM Neoverse V3", 2.5},
    {"0xc0", NULL, "Ampere", 1.8},
    {"0x61", NULL, "Apple", 4.0},
    {"0x41", NULL, "ARM Cortex", 1.5},
};

#define WATTS_UNKNOWN 4.0 /* as CodeCarbon takes it */

/* The value of the first line "KEY<tab>: VALUE". */
static struct str line_value(struct str text, struct str key)
{
    while (text.len > 0) {
        struct str line = str_cut(&text, '\n');
        struct str name = str_trim(str_cut(&line, ':'));

        if (str_eq(name, key))
            return str_trim(line);
    }
    return (struct str){0};
}

static void by_number(struct str text, struct cpu_model *out)
{
    struct str implementer = line_value(text, STR("CPU implementer"));
    struct str part = line_value(text, STR("CPU part"));

    for (size_t i = 0; i < ARRAY_LEN(numbered); i++) {
        if (str_eq(implementer, str_from(numbered[i].implementer)) &&
            (numbered[i].part == NULL || str_eq(part, str_from(numbered[i].part)))) {
            (void)snprintf(out->name, sizeof out->name, "%s", numbered[i].name);
            out->watts_a_core = numbered[i].watts;
            return;
        }
    }
}

void cpu_model_find(int proc, struct cpu_model *out)
{
    char buffer[4096]; /* the first core of them */
    struct str text = {0}, name;

    *out = (struct cpu_model){.name = "unknown", .watts_a_core = WATTS_UNKNOWN};
    if (!proc_read(proc, "cpuinfo", buffer, sizeof buffer, &text))
        return;
    name = line_value(text, STR("model name"));
    if (name.len == 0) {
        by_number(text, out);
        return;
    }
    (void)snprintf(out->name, sizeof out->name, "%.*s", STR_ARG(name));
    for (size_t i = 0; i < ARRAY_LEN(named); i++) {
        if (str_has_nocase(name, str_from(named[i].part))) {
            out->watts_a_core = named[i].watts;
            return;
        }
    }
}
