#include "meter/cpu_power.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "meter/proc.h"

/* ---- RAPL ---- */

#define POWERCAP "/sys/class/powercap"

static double zone_value(const struct rapl *rapl, const struct rapl_zone *zone,
                         const char *file)
{
    char path[sizeof zone->folder + sizeof "/max_energy_range_uj"];

    (void)snprintf(path, sizeof path, "%s/%s", zone->folder, file);
    return proc_file_number(rapl->folder, path);
}

/* "package-0-die-1" is of "package-0". */
static struct str package_of(const struct rapl_zone *zone)
{
    struct str name = str_from(zone->name), rest = name;

    (void)str_cut(&rest, '-');
    (void)str_cut(&rest, '-');
    return (struct str){name.at, name.len - rest.len};
}

/* Is `b` the counter of `a` again? Read between two readings of `a` it cannot be outside of
 * them; another counter would hardly ever be within. */
static bool same_counter(const struct rapl *rapl, const struct rapl_zone *a,
                         const struct rapl_zone *b)
{
    double before = zone_value(rapl, a, "energy_uj");
    double between = zone_value(rapl, b, "energy_uj");
    double after = zone_value(rapl, a, "energy_uj");

    return before <= between && between <= after;
}

static bool is_double(const struct rapl *rapl, const struct rapl_zone *zone)
{
    bool mapped = str_starts(str_from(zone->folder), STR("intel-rapl-mmio"));

    for (size_t i = 0; i < rapl->count; i++) {
        const struct rapl_zone *known = &rapl->zones[i];

        if (known->memory != zone->memory)
            continue;
        if (!zone->memory && strcmp(known->name, zone->name) == 0)
            return true;
        if (mapped && !str_starts(str_from(known->folder), STR("intel-rapl-mmio")))
            return true;
        if ((zone->memory || str_starts(str_from(zone->name), package_of(known))) &&
            same_counter(rapl, known, zone))
            return true;
    }
    return false;
}

static void add_zone(struct rapl *rapl, const char *folder)
{
    struct rapl_zone *zone = &rapl->zones[rapl->count];
    char path[sizeof zone->folder + sizeof "/name"], buffer[64];
    size_t len = strlen(folder);
    struct str name;

    if (rapl->count == RAPL_ZONES || len >= sizeof zone->folder)
        return;
    *zone = (struct rapl_zone){0};
    memcpy(zone->folder, folder, len + 1);
    (void)snprintf(path, sizeof path, "%s/name", zone->folder);
    name = proc_file_line(rapl->folder, path, buffer, sizeof buffer);
    str_copy(name, zone->name, sizeof zone->name);
    zone->memory = str_eq(name, STR("dram"));
    if (!zone->memory && !str_starts(name, STR("package-")))
        return;
    errno = 0;
    zone->last = zone_value(rapl, zone, "energy_uj");
    if (isnan(zone->last)) {
        if (errno == EACCES || errno == EPERM) {
            (void)snprintf(rapl->why, sizeof rapl->why,
                           "only root may read " POWERCAP "/*/energy_uj (since CVE-2020-8694)");
            (void)snprintf(rapl->remedy, sizeof rapl->remedy,
                           "sudo chmod a+r " POWERCAP
                           "/*/energy_uj  # until the next start; only "
                           "on a machine that only you use");
        }
        return;
    }
    zone->range = zone_value(rapl, zone, "max_energy_range_uj");
    if (!is_double(rapl, zone))
        rapl->count++;
}

/* Zones of registers first, so that those by memory map are known to be the same again. */
static void scan_zones(struct rapl *rapl, const char *prefix)
{
    int fd = openat(rapl->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *names = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;

    if (names == NULL)
        return;
    while ((entry = readdir(names)) != NULL) {
        if (str_starts(str_from(entry->d_name), str_from(prefix)))
            add_zone(rapl, entry->d_name);
    }
    closedir(names);
}

static bool has_package(const struct rapl *rapl)
{
    for (size_t i = 0; i < rapl->count; i++) {
        if (!rapl->zones[i].memory)
            return true;
    }
    return false;
}

bool rapl_open(struct rapl *rapl, const char *root)
{
    *rapl = (struct rapl){.folder = proc_folder(root, POWERCAP)};
    if (rapl->folder < 0) {
        (void)snprintf(rapl->why, sizeof rapl->why,
                       "no " POWERCAP
                       ": the processor has no energy counter, or a virtual machine "
                       "or container hides it");
        return false;
    }
    scan_zones(rapl, "intel-rapl:");
    scan_zones(rapl, "intel-rapl-mmio:");
    if (has_package(rapl)) {
        rapl->why[0] = rapl->remedy[0] = '\0';
        return true;
    }
    if (rapl->why[0] == '\0') {
        (void)snprintf(rapl->why, sizeof rapl->why, "no energy counter in " POWERCAP);
        (void)snprintf(rapl->remedy, sizeof rapl->remedy, "sudo modprobe intel_rapl_msr");
    }
    return false;
}

void rapl_read(struct rapl *rapl, double *packages, double *memory)
{
    *packages = *memory = NAN;
    for (size_t i = 0; i < rapl->count; i++) {
        struct rapl_zone *zone = &rapl->zones[i];
        double *sum = zone->memory ? memory : packages;
        double now = zone_value(rapl, zone, "energy_uj");

        if (now >= zone->last)
            zone->joules += (now - zone->last) * 1e-6;
        else if (now + zone->range >= zone->last) /* it went round */
            zone->joules += (now + zone->range - zone->last) * 1e-6;
        if (!isnan(now))
            zone->last = now;
        *sum = isnan(*sum) ? zone->joules : *sum + zone->joules;
    }
}

void rapl_close(struct rapl *rapl)
{
    if (rapl->folder >= 0)
        close(rapl->folder);
    rapl->folder = -1;
    rapl->count = 0;
}

/* ---- models of processors ---- */

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

static void find_cpu_by_number(struct str text, struct cpu_model *out)
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

/* Operations in a cycle of a core: two units, of a multiplication and an addition for each
 * number of a register. */
#define FLOP_AVX512 64.0
#define FLOP_AVX2 32.0
#define FLOP_NEON 16.0
#define FLOP_SVE 32.0
#define FLOP_LEAST 8.0
#define GHZ_UNKNOWN 2.5 /* ARM's cpuinfo has no clock */

static bool has_word(struct str words, struct str word)
{
    while (words.len > 0)
        if (str_eq(str_cut(&words, ' '), word))
            return true;
    return false;
}

/* Two threads of a core divide it. Clouds sell threads; their machines say so or claim
 * cores. */
static double cores_of_processor(struct str text, struct str flags)
{
    double siblings = 1, cores = 1;

    if (has_word(flags, STR("hypervisor")))
        return 0.5;
    return num_double(line_value(text, STR("siblings")), &siblings) &&
                   num_double(line_value(text, STR("cpu cores")), &cores) && siblings > cores &&
                   cores > 0
               ? cores / siblings
               : 1;
}

static double find_gflops(struct str text)
{
    struct str flags = line_value(text, STR("flags"));
    double mhz = 0;

    if (flags.len == 0) {
        flags = line_value(text, STR("Features"));
        return GHZ_UNKNOWN * (has_word(flags, STR("sve"))     ? FLOP_SVE
                              : has_word(flags, STR("asimd")) ? FLOP_NEON
                                                              : FLOP_LEAST);
    }
    if (!num_double(line_value(text, STR("cpu MHz")), &mhz) || !(mhz > 0))
        mhz = 1e3 * GHZ_UNKNOWN;
    return mhz / 1e3 * cores_of_processor(text, flags) *
           (has_word(flags, STR("avx512f"))                               ? FLOP_AVX512
            : has_word(flags, STR("avx2")) && has_word(flags, STR("fma")) ? FLOP_AVX2
                                                                          : FLOP_LEAST);
}

void cpu_model_read(const char *root, struct cpu_model *out)
{
    int proc = proc_folder(root, "/proc");

    cpu_model_find(proc, out);
    if (proc >= 0)
        close(proc);
}

void cpu_model_find(int proc, struct cpu_model *out)
{
    char buffer[8192]; /* the first core of them */
    struct str text = {0}, name;

    *out = (struct cpu_model){.name = "unknown",
                              .watts_a_core = WATTS_UNKNOWN,
                              .fp32_gflops = GHZ_UNKNOWN * FLOP_LEAST};
    if (!proc_read(proc, "cpuinfo", buffer, sizeof buffer, &text))
        return;
    out->fp32_gflops = find_gflops(text);
    name = line_value(text, STR("model name"));
    if (name.len == 0) {
        find_cpu_by_number(text, out);
        return;
    }
    str_copy(name, out->name, sizeof out->name);
    for (size_t i = 0; i < ARRAY_LEN(named); i++) {
        if (str_has_nocase(name, str_from(named[i].part))) {
            out->watts_a_core = named[i].watts;
            return;
        }
    }
}

/* ---- energy ---- */

/* RAPL itself is good to 5 % where it measures (Intel since Haswell), worse where it is worked
 * out (AMD before Zen 2, memory); sharing it out by time takes no account of what a core
 * does. */
#define RAPL_ERROR 0.2
#define MODEL_ERROR 0.5
#define STILL 3 /* reads at which a counter did not move: it is none */

void cpu_power_open(struct cpu_power *power, const char *root, double watts_a_core)
{
    *power = (struct cpu_power){0};
    power->counted = rapl_open(&power->rapl, root);
    cpu_model_read(root, &power->model);
    if (watts_a_core > 0)
        power->model.watts_a_core = watts_a_core;
    (void)snprintf(power->source, sizeof power->source, "model: load x %.1f W a core (%.40s)",
                   power->model.watts_a_core, watts_a_core > 0 ? "as set" : power->model.name);
}

/* Some virtual machines show counters that never change. */
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
                       "the energy counter does not change, as in virtual machines");
    }
}

/* At most all of it; unknown when either is. */
static double tree_share(double part, double whole)
{
    double of = part / whole;

    return of > 1 ? 1 : of;
}

static void add_processor_power(struct cpu_power *power, double seconds, double busy,
                                double cores, double tree_cores)
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
    sum->tree_joules += joules * tree_share(tree_cores, weight);
}

static void add_memory_power(struct cpu_power *power, double seconds, double before,
                             double used, double tree)
{
    struct power_sample *sum = &power->sum;
    double joules = used * 1e-9 * WATTS_A_GB * seconds;

    if (power->counted && !isnan(power->memory))
        joules = power->memory - before;
    sum->memory_joules += joules;
    sum->tree_memory_joules += used == 0 ? 0 : joules * tree_share(tree, used);
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
        busy = machine->cores * tree_share(busy > mine ? busy : mine, machine->cores);
        add_processor_power(power, seconds, busy, machine->cores, mine);
        add_memory_power(power, seconds, memory_before, machine->memory, tree->memory);
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
        out->method = power->counted ? METHOD_COUNTER : METHOD_MODELED;
    if (isnan(out->memory_joules))
        out->memory_method = METHOD_NONE;
    else
        out->memory_method =
            power->counted && !isnan(power->memory) ? METHOD_COUNTER : METHOD_MODELED;
    out->error = power->counted ? RAPL_ERROR : MODEL_ERROR;
    out->source = power->counted ? "RAPL" : power->source;
}

void cpu_power_close(struct cpu_power *power)
{
    rapl_close(&power->rapl);
}
