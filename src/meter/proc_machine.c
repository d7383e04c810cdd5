#include "meter/proc_machine.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "base/characters.h"
#include "meter/proc.h"

/* /proc/stat is long where there are many cores: what is wanted is its first line. */
bool machine_cpu_read(int proc, double tick_s, struct machine_cpu *out)
{
    char buffer[512];
    struct str line;
    double field[7];
    int fd = openat(proc, "stat", O_RDONLY | O_CLOEXEC);
    ssize_t got;

    if (fd < 0)
        return false;
    got = read(fd, buffer, sizeof buffer);
    close(fd);
    if (got <= 0)
        return false;
    line = (struct str){buffer, (size_t)got};
    line = str_cut(&line, '\n');
    if (!str_starts(line, STR("cpu ")))
        return false;
    /* user nice system idle iowait irq softirq; guests' time is within user's */
    for (size_t i = 0; i < ARRAY_LEN(field); i++)
        field[i] = proc_number(&line);
    if (isnan(field[2]))
        return false;
    out->user_s = (field[0] + field[1]) * tick_s;
    out->system_s = (field[2] + fmax(field[5], 0) + fmax(field[6], 0)) * tick_s;
    return true;
}

double machine_cores(int proc)
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

bool machine_memory_read(int proc, struct machine_memory *out)
{
    char buffer[4096];
    struct str text;

    if (!proc_read(proc, "meminfo", buffer, sizeof buffer, &text))
        return false;
    out->total = proc_value(text, "MemTotal:") * 1024;
    out->used = out->total - proc_value(text, "MemAvailable:") * 1024;
    return !isnan(out->used);
}
