/* bench_run_grower KIND FILE START_KB END_KB SECONDS SAVES: a program whose save takes longer
 * the more memory it holds, for budgets. It begins with START_KB of memory and holds END_KB
 * after SECONDS. A save writes all that it holds to FILE.tmp, which becomes FILE when it is
 * complete; how fast that goes is up to the disk. KIND: `usr1` saves at SIGUSR1 and goes on,
 * `exit` saves at SIGUSR1 or SIGTERM and ends, `term` knows SIGTERM only. SAVES: how many it
 * makes by itself, spread evenly over the first three quarters. FILE.log has a line for each
 * save that begins and each that is complete. It sleeps otherwise, to let many run side by
 * side. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CHUNK 65536

static volatile sig_atomic_t asked;

static void heard(int number)
{
    asked = number;
}

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct grower {
    const char *kind, *path;
    char *memory;
    size_t held, most;
    double began;
    FILE *log;
};

static void note(struct grower *g, const char *what, double seconds)
{
    (void)fprintf(g->log, "%s %.3f %zu %.3f\n", what, now() - g->began, g->held, seconds);
    (void)fflush(g->log);
}

/* All that it holds, the number of bytes first. */
static int write_all(const struct grower *g, int fd)
{
    for (size_t at = 0; at < g->held;) {
        size_t len = g->held - at < CHUNK ? g->held - at : CHUNK;
        ssize_t got = write(fd, g->memory + at, len);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return -1;
        at += (size_t)got;
    }
    return fsync(fd);
}

static void save(struct grower *g, const char *why)
{
    char temporary[4096];
    double began = now();
    int fd;

    (void)snprintf(temporary, sizeof temporary, "%s.tmp", g->path);
    note(g, why, 0);
    memcpy(g->memory, &g->held, sizeof g->held);
    fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write_all(g, fd) != 0 || close(fd) != 0 || rename(temporary, g->path) != 0)
        exit(3);
    note(g, "saved", now() - began);
}

static void grow(struct grower *g, size_t start, double seconds)
{
    double share = (now() - g->began) / seconds;
    size_t held = start + (size_t)((double)(g->most - start) * (share < 1 ? share : 1));

    for (; g->held < held; g->held += 4096)
        g->memory[g->held < g->most ? g->held : g->most - 1] = 1;
    if (g->held > g->most)
        g->held = g->most;
}

static void prepare_signals(const char *kind)
{
    struct sigaction action = {.sa_handler = heard};

    if (strcmp(kind, "term") != 0)
        (void)sigaction(SIGUSR1, &action, NULL);
    if (strcmp(kind, "usr1") != 0)
        (void)sigaction(SIGTERM, &action, NULL);
}

static void work(struct grower *g, size_t start, double seconds, int saves)
{
    struct timespec pause = {.tv_nsec = 200000000};

    for (int made = 0;;) {
        grow(g, start, seconds);
        if (made < saves && now() - g->began >= seconds * 0.75 * (made + 1) / saves) {
            made++;
            save(g, "begins");
        }
        if (asked != 0) {
            asked = 0;
            save(g, "asked");
            if (strcmp(g->kind, "usr1") != 0)
                exit(0);
        }
        (void)nanosleep(&pause, NULL); /* a signal ends it */
    }
}

int main(int argc, char **argv)
{
    struct grower g = {.began = now()};
    char path[4096];
    size_t start;

    if (argc != 7) {
        (void)fprintf(
            stderr,
            "usage: bench_run_grower usr1|exit|term FILE START_KB END_KB SECONDS SAVES\n");
        return 2;
    }
    g.kind = argv[1];
    g.path = argv[2];
    start = (size_t)strtoul(argv[3], NULL, 10) << 10;
    g.most = (size_t)strtoul(argv[4], NULL, 10) << 10;
    g.memory = calloc(1, g.most + sizeof g.held);
    (void)snprintf(path, sizeof path, "%s.log", g.path);
    g.log = fopen(path, "a");
    if (g.memory == NULL || g.log == NULL || start > g.most)
        return 2;
    prepare_signals(g.kind);
    work(&g, start, strtod(argv[5], NULL), atoi(argv[6]));
}
