#include "meter/rapl.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "meter/proc.h"

#define CLASS "/sys/class/powercap"

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
                           "only root may read " CLASS "/*/energy_uj (since CVE-2020-8694)");
            (void)snprintf(rapl->remedy, sizeof rapl->remedy,
                           "sudo chmod a+r " CLASS "/*/energy_uj  # until the next start; only "
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
    *rapl = (struct rapl){.folder = proc_folder(root, CLASS)};
    if (rapl->folder < 0) {
        (void)snprintf(rapl->why, sizeof rapl->why,
                       "no " CLASS
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
        (void)snprintf(rapl->why, sizeof rapl->why, "no energy counter in " CLASS);
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
