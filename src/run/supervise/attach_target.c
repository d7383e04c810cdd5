#include "run/supervise/attach_target.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/num.h"
#include "base/process.h"
#include "meter/proc.h"
#include "run/supervise/inbox.h"

#define ANCESTORS 64             /* that are climbed */
#define KERNEL_THREAD 0x00200000 /* PF_KTHREAD in its flags */
#define FLAGS 9                  /* fields of /proc/PID/stat, from 1 */
#define START 22
#define EXIT_CODE 52
#define TEXT_MOST ((size_t)1 << 20) /* of a command line or an environment */
#define WORDS_MOST 4096
#define FIND_HINT "'pgrep -f train.py' prints the numbers of matching processes"
#define CLAIM_MOST 200  /* of a name */
#define STATUS_TRIES 20 /* a millisecond apart */

/* ---- what /proc knows of it ---- */

static struct str process_file(pid_t pid, const char *name, struct arena *arena)
{
    struct error ignored;
    struct str text = {0};
    char path[64];

    (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    return fs_read(path, TEXT_MOST, arena, &text, &ignored) ? text : (struct str){0};
}

/* A number from /proc/PID/stat by its field, from 4 on, and the state; -1: there is none. */
static int64_t stat_number(pid_t pid, int number, char *state)
{
    char path[64], room[2048];
    struct str text, field = {0};
    int64_t value;

    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    text = proc_file(path, room, sizeof room);
    if (!process_stat(text, state, &text))
        return -1;
    (void)str_cut(&text, ' ');
    for (int i = 4; i <= number; i++)
        field = str_cut(&text, ' ');
    field = str_cut(&field, '\n');
    return num_int(field, &value) ? value : -1;
}

/* The value after `name` in /proc/PID/status: the first of several; -1: none. */
static int64_t read_status_number(pid_t pid, const char *name)
{
    char path[64], room[4096];
    double value;

    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    value = proc_value(proc_file(path, room, sizeof room), name);
    return value >= 0 && value <= INT32_MAX ? (int64_t)value : -1;
}

/* "NAME=" of its environment, as it was when it was started; empty: it has none. */
static struct str environment_value(struct str environment, struct str name)
{
    while (environment.len > 0) {
        struct str entry = str_cut(&environment, '\0');

        if (str_starts(entry, name))
            return (struct str){entry.at + name.len, entry.len - name.len};
    }
    return (struct str){0};
}

static bool read_command(pid_t pid, struct arena *arena, struct strs *out, struct error *err)
{
    struct str line = process_file(pid, "cmdline", arena), rest = line;
    struct str name = process_file(pid, "comm", arena), *words;
    size_t count = 0;

    while (rest.len > 0 && count < WORDS_MOST) {
        (void)str_cut(&rest, '\0');
        count++;
    }
    words = arena_array(arena, struct str, count + 1, err);
    if (words == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        words[i] = str_cut(&line, '\0');
    if (count == 0)
        words[count++] = str_cut(&name, '\n');
    *out = (struct strs){words, count};
    return true;
}

static struct str read_process_folder(pid_t pid, struct arena *arena)
{
    char path[64], folder[4096];
    struct error ignored;
    ssize_t len;
    char *copy;

    (void)snprintf(path, sizeof path, "/proc/%d/cwd", (int)pid);
    len = readlink(path, folder, sizeof folder);
    if (len <= 0 || (size_t)len >= sizeof folder)
        return (struct str){0};
    copy = str_dup((struct str){folder, (size_t)len}, arena, &ignored);
    return str_from(copy);
}

/* ---- the claim ----
 *
 * A small file in memory, named by the process and its start, which holds the name of the run.
 * It is locked for as long as the supervisor lives: a file without a lock is what a killed one
 * left. */

static bool claim_path(pid_t pid, int64_t started, bool second, char *to, size_t room)
{
    const char *named = env_get("STINT_MACHINE_DIR");
    const char *folder = named != NULL ? named : second ? "/tmp" : "/dev/shm";
    int len =
        snprintf(to, room, "%s/stint-attached-%d-%lld", folder, (int)pid, (long long)started);

    return len > 0 && (size_t)len < room;
}

static struct flock claim_lock(void)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
}

/* Files of whoever may not meter the process are not believed. */
static bool is_trusted_process(int fd, pid_t pid)
{
    struct stat st;

    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
           (st.st_uid == 0 || st.st_uid == geteuid() ||
            (int64_t)st.st_uid == read_status_number(pid, "Uid:"));
}

/* Is it claimed? The run's name. */
static bool claimed_by(pid_t pid, int64_t started, char name[static CLAIM_MOST + 1])
{
    bool claimed = false;

    for (int i = 0; i < 2 && !claimed; i++) {
        struct flock lock = claim_lock();
        char path[256];
        int fd;
        ssize_t len;

        if (!claim_path(pid, started, i == 1, path, sizeof path))
            continue;
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK);
        if (fd < 0)
            continue;
        claimed = is_trusted_process(fd, pid) && fcntl(fd, F_OFD_GETLK, &lock) == 0 &&
                  lock.l_type != F_UNLCK;
        len = claimed ? read(fd, name, CLAIM_MOST) : 0;
        name[len > 0 ? len : 0] = '\0';
        (void)close(fd);
    }
    return claimed;
}

static bool refuse_metered(pid_t pid, const char *name, struct error *err)
{
    error_set(err, ERROR_FAILED, "process %d is already metered by the run '%.200s'", (int)pid,
              name);
    error_hint(err, "'stint top' shows it, 'stint stop' ends it");
    return false;
}

bool attach_claim(struct attach_target *target, struct str name, struct error *err)
{
    for (int i = 0; i < 2 && target->claim < 0; i++) {
        struct flock lock = claim_lock();
        char other[CLAIM_MOST + 1];
        int fd;

        if (!claim_path(target->pid, target->started, i == 1, target->claim_path,
                        sizeof target->claim_path))
            continue;
        fd = open(target->claim_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
        if (fd < 0)
            continue;
        if (fcntl(fd, F_OFD_SETLK, &lock) != 0) {
            (void)close(fd);
            if (claimed_by(target->pid, target->started, other))
                return refuse_metered(target->pid, other, err);
            continue;
        }
        name.len = name.len < CLAIM_MOST ? name.len : CLAIM_MOST;
        (void)!ftruncate(fd, 0);
        (void)!write(fd, name.at, name.len);
        target->claim = fd;
    }
    return true;
}

void attach_release(struct attach_target *target)
{
    if (target->claim >= 0) {
        (void)unlink(target->claim_path);
        (void)close(target->claim);
    }
    if (target->handle >= 0)
        (void)close(target->handle);
    target->claim = target->handle = -1;
}

/* ---- may it be metered? ---- */

/* Was it started by a run whose supervisor is there? */
static bool refuse_inside(pid_t pid, struct arena *arena, struct error *err)
{
    struct str environment = process_file(pid, "environ", arena);
    struct str path = environment_value(environment, STR("STINT_SOCKET="));
    struct str name = environment_value(environment, STR("STINT_RUN_NAME="));
    char text[CLAIM_MOST + 1];

    if (path.len == 0 || !inbox_answers(path))
        return true;
    str_copy(name, text, sizeof text);
    return refuse_metered(pid, text, err);
}

/* A supervisor's own command has the run in its environment: its children show it. */
static bool refuse_supervisor(pid_t pid, struct arena *arena, struct error *err)
{
    char path[64], room[4096];
    struct str comm = process_file(pid, "comm", arena), children;
    int64_t child;

    if (!str_eq(str_cut(&comm, '\n'), STR("stint")))
        return true;
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    children = proc_file(path, room, sizeof room);
    while (children.len > 0) {
        struct str word = str_cut(&children, ' ');

        if (num_int(str_trim(word), &child) && child > 0 &&
            !refuse_inside((pid_t)child, arena, err))
            return false;
    }
    return true;
}

static bool check_unmetered(pid_t pid, struct arena *arena, struct error *err)
{
    char name[CLAIM_MOST + 1];
    int64_t at = pid;

    for (int steps = 0; at > 1 && steps < ANCESTORS; steps++) {
        if (claimed_by((pid_t)at, process_start(at), name))
            return refuse_metered(pid, name, err);
        at = process_parent(at);
    }
    return refuse_inside(pid, arena, err) && refuse_supervisor(pid, arena, err);
}

static bool is_ancestor(pid_t pid)
{
    int64_t at = getppid();

    for (int steps = 0; at > 0 && steps < ANCESTORS; steps++) {
        if (at == pid)
            return true;
        at = process_parent(at);
    }
    return false;
}

static bool check_process_number(int64_t pid, bool ancestor, struct error *err)
{
    if (pid <= 0 || pid > INT32_MAX) {
        error_set(err, ERROR_USAGE, "%lld is not the number of a process", (long long)pid);
        error_hint(err, FIND_HINT);
        return false;
    }
    if (pid == 1) {
        error_set(err, ERROR_USAGE, "process 1 is the machine's first process, not a job");
        error_hint(err, FIND_HINT);
        return false;
    }
    if (pid == getpid())
        return error_fail(err, ERROR_USAGE, "process %lld is stint itself", (long long)pid);
    if (!ancestor && is_ancestor((pid_t)pid)) {
        error_set(err, ERROR_USAGE, "process %lld started this command", (long long)pid);
        error_hint(err, "to meter a script from inside, put it in the background: stint attach "
                        "--ancestor $$ &");
        return false;
    }
    return true;
}

static bool refuse_absent_process(int64_t pid, struct error *err)
{
    error_set(err, ERROR_ABSENT, "there is no process %lld", (long long)pid);
    error_hint(err, FIND_HINT);
    return false;
}

/* Another user's may neither be signalled nor looked at. */
static bool refuse_foreign(pid_t pid, struct error *err)
{
    error_set(err, ERROR_FAILED, "process %d belongs to another user (uid %lld)", (int)pid,
              (long long)read_status_number(pid, "Uid:"));
    error_hint(err, "run it as that user or as root: sudo stint attach %d", (int)pid);
    return false;
}

static bool check_process_kind(pid_t pid, struct error *err)
{
    int64_t leader = read_status_number(pid, "Tgid:"), flags;
    char state = '?';

    if (leader > 0 && leader != pid) {
        error_set(err, ERROR_USAGE, "%d is a thread of process %lld", (int)pid,
                  (long long)leader);
        error_hint(err, "stint attach %lld", (long long)leader);
        return false;
    }
    flags = stat_number(pid, FLAGS, &state);
    if (state == 'Z' || state == 'X')
        return error_fail(err, ERROR_ABSENT, "process %d has already ended", (int)pid);
    if (flags > 0 && (flags & KERNEL_THREAD) != 0) {
        error_set(err, ERROR_USAGE, "process %d is part of the kernel, not a job", (int)pid);
        error_hint(err, FIND_HINT);
        return false;
    }
    return true;
}

/* The handle, of the process that is looked at. */
static bool open_handle(pid_t pid, struct attach_target *out, struct error *err)
{
    out->started = process_start(pid);
    out->handle = (int)syscall(SYS_pidfd_open, pid, 0);
    if (out->handle < 0 && errno == ESRCH)
        return refuse_absent_process(pid, err);
    if (out->handle < 0) {
        error_system(err, errno, "cannot watch process %d", (int)pid);
        return false;
    }
    /* Read again: the handle may be of the next process with this number. */
    if (out->started < 0 || process_start(pid) != out->started)
        return error_fail(err, ERROR_ABSENT, "process %d has already ended", (int)pid);
    return true;
}

static span running_time(int64_t started)
{
    long ticks = sysconf(_SC_CLK_TCK);
    int64_t ns = clock_paid().ns - started * (INT64_C(1000000000) / (ticks > 0 ? ticks : 100));

    return (span){ns > 0 ? ns : 0};
}

bool attach_find(int64_t pid, bool ancestor, struct arena *arena, struct attach_target *out,
                 struct error *err)
{
    *out = (struct attach_target){.pid = (pid_t)pid, .handle = -1, .claim = -1};
    if (!check_process_number(pid, ancestor, err))
        return false;
    if (access("/proc/self/stat", R_OK) != 0) {
        error_set(err, ERROR_FAILED, "cannot look at process %lld: /proc is not mounted",
                  (long long)pid);
        error_hint(err, "mount -t proc proc /proc, or start the command by 'stint run'");
        return false;
    }
    if (kill(out->pid, 0) != 0)
        return errno == EPERM ? refuse_foreign(out->pid, err) : refuse_absent_process(pid, err);
    if (check_process_kind(out->pid, err) && open_handle(out->pid, out, err) &&
        check_unmetered(out->pid, arena, err) &&
        read_command(out->pid, arena, &out->command, err)) {
        out->folder = read_process_folder(out->pid, arena);
        out->before = running_time(out->started);
        return true;
    }
    attach_release(out);
    return false;
}

/* ---- its end ---- */

/* Of <linux/pidfd.h>, which is newer than the systems that this is built on. */
struct exit_request {
    uint64_t mask, cgroup;
    uint32_t pid, leader, parent, users[8];
    int32_t exit_code;
};
_Static_assert(sizeof(struct exit_request) == 64, "PIDFD_INFO_SIZE_VER0");

#define EXIT_KNOWN (UINT64_C(1) << 3)
#define GET_INFO _IOWR(0xFF, 11, struct exit_request)

/* Others read a status of 0, whatever it is. */
static bool may_read_status(pid_t pid)
{
    return geteuid() == 0 || read_status_number(pid, "Uid:") == (int64_t)geteuid();
}

/* Until its parent has waited for it, /proc has it; after that, a handle does. */
static bool read_status(const struct attach_target *target, int *how)
{
    struct exit_request request = {.mask = EXIT_KNOWN};
    char state = '?';
    int64_t code = stat_number(target->pid, EXIT_CODE, &state);

    if (state == 'Z' && stat_number(target->pid, START, &state) == target->started &&
        (code > 0 || (code == 0 && may_read_status(target->pid)))) {
        *how = (int)code;
        return true;
    }
    if (ioctl(target->handle, GET_INFO, &request) != 0 || (request.mask & EXIT_KNOWN) == 0)
        return false;
    *how = request.exit_code;
    return true;
}

/* While its parent waits for it, there is a moment at which neither knows. */
bool attach_status(const struct attach_target *target, int *how)
{
    for (int tries = 0; target->handle >= 0 && tries < STATUS_TRIES; tries++) {
        if (read_status(target, how))
            return true;
        (void)poll(NULL, 0, 1);
    }
    return false;
}

bool attach_signal(const struct attach_target *target, int number)
{
    return syscall(SYS_pidfd_send_signal, target->handle, number, NULL, 0) == 0;
}
