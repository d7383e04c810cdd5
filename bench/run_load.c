/* bench_run_load KIND: what a supervisor observes. `busy`: one process that computes; `tree`:
 * 20 of them, asleep most of the time; `lines`: 100 lines a second, as a training prints them;
 * `short COUNT FILE`: COUNT children that end at once or compute a little, 8 at a time, and how
 * much processor time getrusage() has for all of them, written to FILE at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void nap(long ms)
{
    (void)nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000},
                    NULL);
}

static void compute(long rounds)
{
    volatile double sum = 0;

    for (long i = 0; i < rounds; i++)
        sum = sum + (double)i;
}

static _Noreturn void busy(void)
{
    for (;;)
        compute(1000000);
}

static void tree(void)
{
    for (int i = 0; i < 19; i++) {
        if (fork() != 0)
            continue;
        for (;;) {
            compute(20000);
            nap(50);
        }
    }
    busy();
}

static _Noreturn void lines(void)
{
    for (long step = 1;; step++) {
        (void)printf("step %ld/1000000 loss %.4f lr 0.0003 %.1f samples/s\n", step,
                     2.0 + 1.0 / (double)step, 1234.5);
        (void)fflush(stdout);
        nap(10);
    }
}

static double used(int who)
{
    struct rusage use;

    (void)getrusage(who, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

static int short_lived(long count, const char *path)
{
    long alive = 0;
    FILE *file;

    for (long i = 0; i < count; i++) {
        pid_t pid;

        while (alive >= 8 && wait(NULL) > 0)
            alive--;
        pid = fork();
        if (pid == 0) {
            compute(i % 4 * 100000);
            _exit(0);
        }
        if (pid < 0)
            return 1;
        alive++;
    }
    while (wait(NULL) > 0)
        continue;
    file = fopen(path, "w");
    if (file == NULL)
        return 1;
    (void)fprintf(file, "%.6f\n", used(RUSAGE_SELF) + used(RUSAGE_CHILDREN));
    return fclose(file) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";

    if (strcmp(kind, "busy") == 0)
        busy();
    if (strcmp(kind, "tree") == 0)
        tree();
    if (strcmp(kind, "lines") == 0)
        lines();
    if (strcmp(kind, "short") == 0 && argc == 4)
        return short_lived(atol(argv[2]), argv[3]);
    (void)fprintf(stderr, "usage: bench_run_load busy|tree|lines|short COUNT FILE\n");
    return 2;
}
