/* bench_command RUNS COMMAND...: CPU time and peak memory of a program, the best of RUNS
 * runs (noise only ever adds). Prints "CPU_MS WALL_MS PEAK_KB". */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double cpu_ms(const struct rusage *used)
{
    return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) * 1e3 +
           (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec) / 1e3;
}

static void run_child(char **argv)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

    if (null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
        _exit(126);
    (void)execvp(argv[0], argv);
    _exit(127);
}

int main(int argc, char **argv)
{
    double cpu = 1e9, wall = 1e9;
    long peak = 0;
    int runs = argc > 2 ? argv[1][0] - '0' : 0;

    if (runs < 1 || runs > 9) {
        (void)fprintf(stderr, "usage: bench_command RUNS COMMAND... (1 to 9 runs)\n");
        return 2;
    }
    for (int i = 0; i < runs; i++) {
        double start = now_ms(), took;
        struct rusage used;
        int status;
        pid_t child = fork();

        if (child == 0)
            run_child(argv + 2);
        if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0) {
            (void)fprintf(stderr, "%s failed\n", argv[2]);
            return 1;
        }
        took = now_ms() - start;
        cpu = cpu_ms(&used) < cpu ? cpu_ms(&used) : cpu;
        wall = took < wall ? took : wall;
        peak = used.ru_maxrss > peak ? used.ru_maxrss : peak;
    }
    (void)printf("%.1f %.1f %ld\n", cpu, wall, peak);
    return 0;
}
