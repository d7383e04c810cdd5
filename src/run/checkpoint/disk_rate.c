#include "run/checkpoint/disk_rate.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"

#define CHUNK ((size_t)256 << 10)
#define BYTES_MOST ((size_t)16 << 20)
#define WRITE_NS (SECOND * 2 / 5)
#define ANSWER_NS (5 * SECOND)
#define FREE_LEAST 1e9        /* bytes that stay free, */
#define FREE_SHARE_LEAST 0.03 /* and of all there is */

/* What the measuring process says: first without, then with the disk's own word. */
struct disk_answer {
    double bytes, seconds;
    bool synced;
};

/* ---- in its own process ---- */

static bool has_disk_room(const char *folder)
{
    struct statvfs fs;
    double free_bytes;

    if (statvfs(folder, &fs) != 0)
        return false;
    free_bytes = (double)fs.f_bavail * (double)fs.f_frsize;
    return free_bytes >= FREE_LEAST + (double)BYTES_MOST &&
           free_bytes >= FREE_SHARE_LEAST * (double)fs.f_blocks * (double)fs.f_frsize;
}

static int open_unnamed(const char *folder)
{
    char name[4200];
    int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

    if (fd >= 0)
        return fd;
    if ((size_t)snprintf(name, sizeof name, "%s/.stint-speed-XXXXXX", folder) >= sizeof name)
        return -1;
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        (void)unlink(name);
    return fd;
}

/* What no file system can compress. */
static void fill_chunk(uint64_t *at, size_t count)
{
    uint64_t state = 0x9E3779B97F4A7C15 ^ (uint64_t)getpid();

    for (size_t i = 0; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        at[i] = state;
    }
}

static void write_answer(int to, size_t bytes, int64_t began, bool synced)
{
    struct disk_answer answer = {(double)bytes, (double)(clock_paid().ns - began) / 1e9,
                                 synced};

    (void)!write(to, &answer, sizeof answer);
}

static void measure_disk(const char *folder, int to)
{
    static uint64_t chunk[CHUNK / sizeof(uint64_t)];
    int64_t began;
    size_t bytes = 0;
    int fd;

    if (!has_disk_room(folder) || (fd = open_unnamed(folder)) < 0)
        return;
    fill_chunk(chunk, CHUNK / sizeof *chunk);
    began = clock_paid().ns;
    while (bytes < BYTES_MOST && clock_paid().ns - began < WRITE_NS) {
        ssize_t got = write(fd, chunk, CHUNK);

        if (got <= 0)
            break;
        bytes += (size_t)got;
    }
    if (bytes == 0)
        return;
    write_answer(to, bytes, began, false);
    if (fdatasync(fd) == 0)
        write_answer(to, bytes, began, true);
}

static _Noreturn void probe_main(const char *folder, int to)
{
    sigset_t none;

    (void)prctl(PR_SET_NAME, "stint-disk");
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)setsid(); /* Ctrl-C and Ctrl-Z are not for us */
    process_close_fds(3, to);
    for (int fd = 0; fd < 3; fd++) /* readers of our output must see its end */
        (void)close(fd);
    (void)signal(SIGXFSZ, SIG_IGN);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    measure_disk(folder, to);
    _exit(0);
}

/* ---- the supervisor's side ---- */

/* The folder, or the nearest above it that is there: checkpoints' own may come later. */
static void find_existing_folder(const char *folder, char *to, size_t room)
{
    (void)snprintf(to, room, "%s", folder);
    while (access(to, F_OK) != 0) {
        char *slash = strrchr(to, '/');

        if (slash == NULL || slash == to) {
            (void)snprintf(to, room, "%s", slash == NULL ? "." : "/");
            return;
        }
        *slash = '\0';
    }
}

bool disk_probe_start(struct disk_probe *probe, const char *folder, instant now)
{
    char place[4096];
    int ends[2];

    find_existing_folder(folder, place, sizeof place);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    probe->pid = fork();
    if (probe->pid == 0)
        probe_main(place, ends[1]);
    (void)close(ends[1]);
    if (probe->pid < 0) {
        (void)close(ends[0]);
        *probe = DISK_PROBE_NONE;
        return false;
    }
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    probe->fd = ends[0];
    probe->began = now;
    return true;
}

bool disk_probe_look(struct disk_probe *probe, instant now, double *rate)
{
    struct disk_answer answer[2];
    bool late = now.ns - probe->began.ns >= ANSWER_NS;
    struct pollfd wait = {.fd = probe->fd, .events = POLLIN};
    ssize_t got;

    *rate = NAN;
    /* Both answers are read at once, when the process is done, or when it is too late. */
    if (!late && (poll(&wait, 1, 0) <= 0 || (wait.revents & POLLHUP) == 0))
        return false;
    got = read(probe->fd, answer, sizeof answer);
    if (got >= (ssize_t)sizeof *answer) {
        const struct disk_answer *best = &answer[(size_t)got / sizeof *answer - 1];
        double seconds = best->synced ? best->seconds : (double)ANSWER_NS / 1e9;

        if (best->synced || late)
            *rate = best->bytes / fmax(seconds, 1e-6);
    }
    disk_probe_end(probe);
    return true;
}

void disk_probe_end(struct disk_probe *probe)
{
    if (probe->fd >= 0)
        (void)close(probe->fd);
    probe->fd = -1;
    if (probe->pid > 0) /* waited for like any child, when it has ended */
        (void)kill(probe->pid, SIGKILL);
}
