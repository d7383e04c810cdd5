#include "meter/proc_machine.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "meter/proc.h"

/* /proc/stat is long where there are many cores and interrupts, and all of it is made for each
 * read() that reaches its end: what is wanted stands at its start. */
bool machine_cpu_read(int proc, double tick_s, struct machine_cpu *out)
{
    char buffer[16384];
    struct str text, line;
    double field[8];
    int fd = openat(proc, "stat", O_RDONLY | O_CLOEXEC);
    ssize_t got;

    if (fd < 0)
        return false;
    got = read(fd, buffer, sizeof buffer);
    close(fd);
    if (got <= 0)
        return false;
    text = (struct str){buffer, (size_t)got};
    line = str_cut(&text, '\n');
    if (!str_starts(line, STR("cpu ")))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(field); i++)
        field[i] = proc_number(&line);
    if (isnan(field[3]))
        return false;
    /* user nice system idle iowait irq softirq steal; guests' time is within user's */
    for (size_t i = 4; i < ARRAY_LEN(field); i++)
        field[i] = isnan(field[i]) ? 0 : field[i];
    out->user_s = (field[0] + field[1]) * tick_s;
    out->system_s = (field[2] + field[5] + field[6]) * tick_s;
    out->idle_s = (field[3] + field[4]) * tick_s;
    out->cores = 0;
    while (str_starts(text, STR("cpu"))) {
        (void)str_cut(&text, '\n');
        out->cores++;
    }
    return true;
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
