/* bench_run_supervisor SECONDS [--pty] STINT_COMMAND...: what a supervisor takes while its
 * command runs. The command is started, sampled after 5 s and at the end, and ended.
 *
 * Its processor time is what the scheduler has given it, in ns (/proc/PID/schedstat), from 2 s
 * after the start on: starting is measured elsewhere. Memory is the proportional set size. The
 * keeper is a child of it that is called so. Prints "CPU% PSS_5 PSS_END KEEPER_PSS KEEPER_CPU%"
 * (kB). */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_s(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool read_file(pid_t pid, const char *name, char *to, size_t room)
{
    char path[64];
    FILE *file;
    size_t got;

    (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    file = fopen(path, "r");
    if (file == NULL)
        return false;
    got = fread(to, 1, room - 1, file);
    to[got] = '\0';
    (void)fclose(file);
    return got > 0;
}

static double cpu_s(pid_t pid)
{
    char text[256];

    return read_file(pid, "schedstat", text, sizeof text) ? strtod(text, NULL) / 1e9 : 0;
}

static long pss_kb(pid_t pid)
{
    char text[4096];
    const char *at;

    if (!read_file(pid, "smaps_rollup", text, sizeof text) ||
        (at = strstr(text, "\nPss:")) == NULL)
        return -1;
    return strtol(at + 5, NULL, 10);
}

/* The keeper of `parent`; 0: it has none. */
static pid_t keeper_of(pid_t parent)
{
    DIR *proc = opendir("/proc");
    const struct dirent *entry;
    pid_t found = 0;

    while (proc != NULL && found == 0 && (entry = readdir(proc)) != NULL) {
        char text[512];
        const char *end;
        pid_t pid = (pid_t)atoi(entry->d_name);

        if (pid <= 0 || !read_file(pid, "stat", text, sizeof text) ||
            strstr(text, "(stint-keeper)") == NULL || (end = strrchr(text, ')')) == NULL)
            continue;
        if (strtol(end + 4, NULL, 10) == parent)
            found = pid;
    }
    if (proc != NULL)
        (void)closedir(proc);
    return found;
}

static pid_t start(char **argv, bool pty, int *master)
{
    struct winsize size = {.ws_row = 24, .ws_col = 100};
    pid_t pid = pty ? forkpty(master, NULL, NULL, &size) : fork();

    if (pid != 0)
        return pid;
    if (!pty) {
        int null = open("/dev/null", O_WRONLY);

        (void)setsid(); /* what it starts is ended together with it */
        (void)dup2(null, 1);
        (void)dup2(null, 2);
    }
    (void)execvp(argv[0], argv);
    _exit(127);
}

/* Let time pass, and read what comes from the terminal. */
static void let_pass(double until, int master)
{
    char sink[65536];
    double left;

    while ((left = until - now_s()) > 0) {
        struct pollfd wait = {.fd = master, .events = POLLIN};

        if (poll(&wait, 1, (int)(left * 1000) + 1) > 0 && (wait.revents & POLLIN) != 0)
            (void)!read(master, sink, sizeof sink);
    }
}

int main(int argc, char **argv)
{
    double seconds = argc > 3 ? atof(argv[1]) : 0, began, measured, cpu, keeper_cpu;
    bool pty = argc > 3 && strcmp(argv[2], "--pty") == 0;
    int master = -1, status;
    long early, late, kept;
    pid_t pid, keeper;

    if (seconds < 6) {
        (void)fprintf(stderr, "usage: bench_run_supervisor SECONDS [--pty] COMMAND...\n");
        return 2;
    }
    pid = start(argv + (pty ? 3 : 2), pty, &master);
    if (pid < 0)
        return 1;
    began = now_s();
    let_pass(began + 2, master);
    keeper = keeper_of(pid);
    cpu = -cpu_s(pid);
    keeper_cpu = keeper > 0 ? -cpu_s(keeper) : 0;
    measured = -now_s();
    let_pass(began + 5, master);
    early = pss_kb(pid);
    let_pass(began + seconds, master);
    cpu += cpu_s(pid);
    keeper_cpu += keeper > 0 ? cpu_s(keeper) : 0;
    measured += now_s();
    late = pss_kb(pid);
    kept = keeper > 0 ? pss_kb(keeper) : 0;
    (void)kill(-pid, SIGTERM);
    let_pass(now_s() + 0.5, master);
    if (master >= 0)
        (void)close(master);
    if (waitpid(pid, &status, 0) != pid || early < 0 || late < 0) {
        (void)fprintf(stderr, "%s ended too early\n", argv[2]);
        return 1;
    }
    (void)printf("%.4f %ld %ld %ld %.4f\n", cpu / measured * 100, early, late, kept,
                 keeper_cpu / measured * 100);
    return 0;
}
