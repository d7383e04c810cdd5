#include "meter/host.h"

#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/characters.h"
#include "meter/proc.h"
#include "unit/time.h"

/* Bit counts of "ffffffff,000000ff", as Cpus_allowed has it: fake roots have no affinity. */
static double count_mask_bits(struct str text)
{
    double bits = 0;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        int digit = is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 0;

        bits += __builtin_popcount((unsigned)digit);
    }
    return bits;
}

/* Cores that this process may run on; NaN unknown. */
static double allowed_cores(int proc)
{
    char buffer[8192];
    struct str text;

    if (!proc_read(proc, "self/status", buffer, sizeof buffer, &text))
        return NAN;
    while (text.len > 0) {
        struct str line = str_cut(&text, '\n');

        if (str_starts(line, STR("Cpus_allowed:"))) {
            double bits;

            (void)str_cut(&line, ':');
            bits = count_mask_bits(line);
            return bits > 0 ? bits : NAN;
        }
    }
    return NAN;
}

static bool group_file(const struct cgroup_at *at, const char *name, char *buffer, size_t room,
                       struct str *out)
{
    char path[CGROUP_PATH + 64];

    (void)snprintf(path, sizeof path, "%s/%s", at->folder, name);
    return at->folder[0] != '\0' && proc_read(AT_FDCWD, path, buffer, room, out);
}

/* Cores by the quota of this one group; NaN: none ("max 100000", or -1 in version 1). */
static double group_quota(const struct cgroup_at *at, bool v2)
{
    char buffer[64], second[64];
    struct str text, period_text;
    double quota, period;

    if (v2) {
        if (!group_file(at, "cpu.max", buffer, sizeof buffer, &text) ||
            str_starts(text, STR("max")))
            return NAN;
        quota = proc_number(&text);
        period = proc_number(&text);
    } else {
        if (!group_file(at, "cpu.cfs_quota_us", buffer, sizeof buffer, &text) ||
            !group_file(at, "cpu.cfs_period_us", second, sizeof second, &period_text))
            return NAN;
        quota = proc_number(&text);
        period = proc_number(&period_text);
    }
    return quota > 0 && period > 0 ? quota / period : NAN;
}

/* The least quota of the group and of those above it. */
static double least_quota(struct cgroup_at at, bool v2)
{
    double least = NAN;

    if (at.folder[0] == '\0')
        return NAN;
    do {
        least = fmin(least, group_quota(&at, v2)); /* of a number and NaN: the number */
    } while (cgroup_above(&at));
    return least;
}

/* The least memory limit, and whose it is. Version 1 says 2^63 or so for none. */
static double least_memory(struct cgroup_at at, bool v2, struct cgroup_at *whose)
{
    double least = NAN;
    char buffer[64];
    struct str text;

    if (at.folder[0] == '\0')
        return NAN;
    do {
        const char *name = v2 ? "memory.max" : "memory.limit_in_bytes";
        double limit =
            group_file(&at, name, buffer, sizeof buffer, &text) ? proc_number(&text) : NAN;

        if (limit < 0x1p60 && !(limit >= least)) {
            least = limit;
            *whose = at;
        }
    } while (cgroup_above(&at));
    return least;
}

/* How many cores are on; NaN unknown. */
static double machine_cores(int proc)
{
    static const char start[] = "cpu";
    char buffer[4096];
    int fd = openat(proc, "stat", O_RDONLY | O_CLOEXEC);
    double cores = 0;
    size_t at = 0; /* bytes of the line so far */
    bool is = true;
    ssize_t got;

    if (fd < 0)
        return NAN;
    while ((got = read(fd, buffer, sizeof buffer)) > 0) {
        for (ssize_t i = 0; i < got; i++) {
            char c = buffer[i];

            if (at < 3)
                is = is && c == start[at];
            else if (at == 3 && is && is_digit(c))
                cores++;
            at++;
            if (c == '\n') {
                at = 0;
                is = true;
            }
        }
    }
    close(fd);
    return cores > 0 ? cores : NAN;
}

void host_open(struct host *host, const char *root)
{
    struct cgroup_place place;
    double quota;

    *host = (struct host){.proc = proc_folder(root, "/proc"), .memory_limit = NAN};
    host->tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
    cgroup_place_find(root, &place);
    host->cores = allowed_cores(host->proc);
    host->machine_cores = machine_cores(host->proc);
    if (isnan(host->cores))
        host->cores = host->machine_cores;
    quota = fmin(least_quota(place.v2, true), least_quota(place.cpu, false));
    if (quota < host->cores)
        host->cores = quota;
    host->memory_limit = least_memory(place.v2, true, &host->memory_at);
    host->memory_v2 = !isnan(host->memory_limit);
    if (isnan(host->memory_limit))
        host->memory_limit = least_memory(place.memory, false, &host->memory_at);
}

/* Bytes of all interfaces but the loopback: "  eth0: RECEIVED 7 fields SENT". */
static bool read_network(int proc, double *received, double *sent)
{
    char buffer[16384];
    struct str text;

    if (!proc_read(proc, "net/dev", buffer, sizeof buffer, &text))
        return false;
    *received = *sent = 0;
    while (text.len > 0) {
        struct str line = str_cut(&text, '\n');
        struct str name;
        double field[9];

        if (memchr(line.at, ':', line.len) == NULL)
            continue; /* the two lines of titles */
        name = str_trim(str_cut(&line, ':'));
        for (size_t i = 0; i < ARRAY_LEN(field); i++)
            field[i] = proc_number(&line);
        if (str_eq(name, STR("lo")) || isnan(field[8]))
            continue;
        *received += field[0];
        *sent += field[8];
    }
    return true;
}

/* What the group with the limit uses of it, without the page cache. */
static double host_group_memory(const struct host *host)
{
    char buffer[8192], number[64];
    struct str text, used;
    double cache;

    if (!group_file(&host->memory_at, "memory.stat", buffer, sizeof buffer, &text) ||
        !group_file(&host->memory_at,
                    host->memory_v2 ? "memory.current" : "memory.usage_in_bytes", number,
                    sizeof number, &used))
        return NAN;
    cache = host->memory_v2 ? proc_value(text, "file") - proc_value(text, "shmem")
                            : proc_value(text, "total_cache") - proc_value(text, "total_shmem");
    return proc_number(&used) - (isnan(cache) ? 0 : cache);
}

void host_read(struct host *host, struct host_sample *out, struct machine_use *machine)
{
    struct machine_cpu cpu = {NAN, NAN};
    struct machine_memory memory = {NAN, NAN};
    double received = NAN, sent = NAN;

    (void)machine_cpu_read(host->proc, host->tick_s, &cpu);
    (void)machine_memory_read(host->proc, &memory);
    (void)read_network(host->proc, &received, &sent);
    *machine =
        (struct machine_use){cpu.user_s + cpu.system_s, host->machine_cores, memory.used};
    if (!host->started) {
        host->started = true;
        host->busy_at_first = machine->busy_s;
        host->received_at_first = received;
        host->sent_at_first = sent;
    }
    out->cpu_busy_s = machine->busy_s - host->busy_at_first;
    out->cores = host->cores;
    out->memory_total = memory.total;
    out->memory = memory.used;
    if (host->memory_limit < memory.total || isnan(memory.total)) {
        out->memory_total = host->memory_limit;
        out->memory = host_group_memory(host);
    }
    out->received = received - host->received_at_first;
    out->sent = sent - host->sent_at_first;
}

void host_close(struct host *host)
{
    if (host->proc >= 0)
        close(host->proc);
    host->proc = -1;
}

span host_uptime(const char *root)
{
    char path[1024], buffer[4096];
    struct proc_stat first;
    struct str text;
    double seconds = NAN;

    if (proc_path(path, sizeof path, root, "/proc/uptime") &&
        proc_read(AT_FDCWD, path, buffer, sizeof buffer, &text))
        seconds = proc_number(&text);
    if (proc_path(path, sizeof path, root, "/proc/1/stat") &&
        proc_read(AT_FDCWD, path, buffer, sizeof buffer, &text) &&
        proc_stat_parse(text, &first))
        seconds -= first.start / (double)sysconf(_SC_CLK_TCK);
    return seconds > 0 ? span_hours(seconds / 3600) : (span){0};
}
