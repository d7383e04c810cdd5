/* bench_run_saver KIND FILE: a program that saves in 2 s, for budgets. KIND: `usr1` saves at
 * SIGUSR1 and goes on, `exit` saves at SIGUSR1 or SIGTERM and ends, `term` knows SIGTERM only.
 * Each save that is done is a line in FILE, so that one sees whether it was in time. It sleeps
 * otherwise, to let many run side by side. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static volatile sig_atomic_t asked;

static void heard(int number)
{
    asked = number;
}

static void save(const char *path)
{
    struct timespec left = {.tv_sec = 2};
    FILE *file;

    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
    file = fopen(path, "a");
    if (file != NULL) {
        (void)fputs("saved\n", file);
        (void)fclose(file);
    }
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = heard};
    const char *kind = argc == 3 ? argv[1] : "";
    sigset_t both, before;

    if (strcmp(kind, "usr1") != 0 && strcmp(kind, "exit") != 0 && strcmp(kind, "term") != 0) {
        (void)fprintf(stderr, "usage: bench_run_saver usr1|exit|term FILE\n");
        return 2;
    }
    (void)sigemptyset(&both);
    (void)sigaddset(&both, SIGUSR1);
    (void)sigaddset(&both, SIGTERM);
    (void)sigprocmask(SIG_BLOCK, &both, &before);
    if (strcmp(kind, "term") != 0)
        (void)sigaction(SIGUSR1, &action, NULL);
    if (strcmp(kind, "usr1") != 0)
        (void)sigaction(SIGTERM, &action, NULL);
    for (;;) {
        while (asked == 0)
            (void)sigsuspend(&before);
        asked = 0;
        save(argv[2]);
        if (strcmp(kind, "usr1") != 0)
            return 0;
    }
}
