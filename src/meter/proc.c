#include "meter/proc.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/characters.h"
#include "base/process.h"

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
