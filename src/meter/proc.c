#include "meter/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/characters.h"
#include "base/process.h"

struct str proc_file(const char *path, char *to, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    size_t len = 0;

    if (fd < 0)
        return (struct str){to, 0};
    while (len < room) {
        ssize_t got = read(fd, to + len, room - len);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        len += (size_t)got;
    }
    (void)close(fd);
    return (struct str){to, len};
}

/* ---- files of a folder that is open ---- */

bool proc_read(int folder, const char *path, char *buffer, size_t room, struct str *out)
{
    int fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
    size_t len = 0;
    ssize_t got = 1;

    if (fd < 0)
        return false;
    while (len < room && got > 0) {
        got = read(fd, buffer + len, room - len);
        if (got > 0)
            len += (size_t)got;
    }
    close(fd);
    *out = (struct str){buffer, len};
    return got >= 0;
}

bool proc_path(char *to, size_t room, const char *root, const char *path)
{
    int len = snprintf(to, room, "%s%s", root == NULL ? "" : root, path);

    return len >= 0 && (size_t)len < room;
}

int proc_folder(const char *root, const char *path)
{
    char full[1024];

    if (!proc_path(full, sizeof full, root, path))
        return -1;
    return open(full, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

double proc_number(struct str *rest)
{
    size_t i = 0;
    double value = 0;
    bool negative;

    while (i < rest->len && !is_digit(rest->at[i]))
        i++;
    if (i == rest->len) {
        rest->len = 0;
        return NAN;
    }
    negative = i > 0 && rest->at[i - 1] == '-';
    for (; i < rest->len && is_digit(rest->at[i]); i++)
        value = value * 10 + (rest->at[i] - '0');
    rest->at += i;
    rest->len -= i;
    return negative ? -value : value;
}

double proc_value(struct str text, const char *key)
{
    struct str wanted = str_from(key);

    while (text.len > 0) {
        struct str line = str_cut(&text, '\n');

        if (!str_starts(line, wanted) || line.len <= wanted.len)
            continue;
        line.at += wanted.len;
        line.len -= wanted.len;
        if (line.at[0] == ' ' || line.at[0] == '\t')
            return proc_number(&line);
    }
    return NAN;
}

double proc_file_number(int folder, const char *path)
{
    char buffer[64];
    struct str text;

    if (!proc_read(folder, path, buffer, sizeof buffer, &text))
        return NAN;
    return proc_number(&text);
}

struct str proc_file_line(int folder, const char *path, char *buffer, size_t room)
{
    struct str text, line;
    size_t safe = 0;

    if (!proc_read(folder, path, buffer, room, &text))
        return (struct str){0};
    line = str_trim(str_cut(&text, '\n'));
    while (safe < line.len) {
        struct str rest = {line.at + safe, line.len - safe};
        size_t character = str_unsafe(rest) > 0 ? SIZE_MAX : str_character(rest);

        if (character > rest.len)
            break;
        safe += character;
    }
    line.len = safe;
    return str_trim(line);
}

bool proc_stat_parse(struct str text, struct proc_stat *out)
{
    double field[25] = {0}; /* counted from 1 */

    if (!process_stat(text, &out->state, &text))
        return false;
    for (size_t i = 4; i < ARRAY_LEN(field); i++)
        field[i] = proc_number(&text);
    if (isnan(field[24]))
        return false;
    out->parent = (pid_t)field[4];
    out->user = field[14];
    out->system = field[15];
    out->waited_user = field[16];
    out->waited_system = field[17];
    out->start = field[22];
    out->resident = field[24];
    return true;
}

/* ---- the machine as one ---- */

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
