#include "base/process.h"

#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/num.h"

#define BOOT_ID "/proc/sys/kernel/random/boot_id"
#define BOOT_ID_MAX ((size_t)4 * 1024)

#define PARENT 4 /* fields, from 1 */
#define START 22

bool process_stat(struct str text, char *state, struct str *rest)
{
    const char *name_end = text.len > 0 ? memrchr(text.at, ')', text.len) : NULL;

    if (name_end == NULL || text.at + text.len - name_end < 4)
        return false;
    *state = name_end[2];
    *rest = (struct str){name_end + 3, (size_t)(text.at + text.len - (name_end + 3))};
    return true;
}

/* A field of the process, from 4 on; -1 when there is none, or only what is left of one. */
static int64_t read_stat_field(int64_t pid, int number)
{
    char path[64], room[1024], state;
    struct str rest, field = {0};
    int64_t value;
    ssize_t len;
    int fd;

    (void)snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    len = read(fd, room, sizeof room);
    (void)close(fd);
    if (len <= 0 || !process_stat((struct str){room, (size_t)len}, &state, &rest) ||
        state == 'Z')
        return -1;
    (void)str_cut(&rest, ' '); /* the blank before field 4 */
    for (int i = 4; i <= number; i++)
        field = str_cut(&rest, ' ');
    return num_int(field, &value) ? value : -1;
}

int64_t process_start(int64_t pid)
{
    return read_stat_field(pid, START);
}

int64_t process_parent(int64_t pid)
{
    return read_stat_field(pid, PARENT);
}

/* By the file itself: asking for it as libc does may wait for a directory server. */
static const char *passwd_name(char *to, size_t room)
{
    FILE *file = fopen("/etc/passwd", "re");
    struct passwd space, *row = NULL;
    char texts[4096]; /* of a row: several threads may ask at once */
    const char *found = NULL;

    while (file != NULL && found == NULL &&
           fgetpwent_r(file, &space, texts, sizeof texts, &row) == 0)
        if (row->pw_uid == getuid()) {
            (void)snprintf(to, room, "%s", row->pw_name);
            found = to;
        }
    if (file != NULL)
        (void)fclose(file);
    return found;
}

struct str process_user(struct arena *arena)
{
    const char *name = env_get("USER") != NULL ? env_get("USER") : env_get("LOGNAME");
    struct error ignored;
    char number[256];
    char *copy;

    if (name == NULL || name[0] == '\0')
        name = passwd_name(number, sizeof number);
    if (name == NULL)
        (void)snprintf(number, sizeof number, "uid %lu", (unsigned long)getuid());
    copy = str_dup(str_from(name != NULL ? name : number), arena, &ignored);
    return str_from(copy != NULL ? copy : "?");
}

struct str process_boot(struct arena *arena)
{
    struct error ignored;
    struct str text = {0};

    if (!fs_read(BOOT_ID, BOOT_ID_MAX, arena, &text, &ignored))
        return (struct str){0};
    return str_cut(&text, '\n');
}

/* close_range() is newer than the C library of systems that we support (glibc 2.34). */
static void close_span(unsigned first, unsigned last)
{
    if (first > last || syscall(__NR_close_range, first, last, 0U) == 0)
        return;
    for (unsigned fd = first; fd <= last && fd < 65536; fd++) /* Linux before 5.9 */
        (void)close((int)fd);
}

void process_close_fds(int first, int keep)
{
    if (keep < first) {
        close_span((unsigned)first, UINT_MAX);
        return;
    }
    if (keep > first)
        close_span((unsigned)first, (unsigned)keep - 1);
    close_span((unsigned)keep + 1, UINT_MAX);
}
