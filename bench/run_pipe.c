/* bench_run_pipe MB_A_SECOND SECONDS FILE: writes lines to standard output at this rate (0: as
 * fast as it goes), as a logging program does, and the rate that it kept, in MB/s, to FILE. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CHUNK 65536

static double now_s(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Lines of some 100 bytes with steps and losses in them: there is something to read. */
static void fill(char *chunk)
{
    size_t used = 0;

    for (long step = 1; used < CHUNK; step++) {
        char line[128];
        int len = snprintf(line, sizeof line,
                           "step %ld loss %.5f lr 3.0e-04 grad_norm %.3f tokens %ld "
                           "of the shard data-%05ld\n",
                           step, 2 + 1.0 / (double)step, 0.5, step * 4096, step);
        size_t fits = CHUNK - used < (size_t)len ? CHUNK - used : (size_t)len;

        memcpy(chunk + used, line, fits);
        used += fits;
    }
}

int main(int argc, char **argv)
{
    static char chunk[CHUNK];
    double rate = argc == 4 ? atof(argv[1]) * 1e6 : -1, seconds = argc == 4 ? atof(argv[2]) : 0;
    double began, written = 0;
    FILE *file;

    if (rate < 0 || seconds <= 0) {
        (void)fprintf(stderr, "usage: bench_run_pipe MB_A_SECOND SECONDS FILE\n");
        return 2;
    }
    fill(chunk);
    began = now_s();
    while (now_s() - began < seconds) {
        double ahead = rate > 0 ? written / rate - (now_s() - began) : 0;
        ssize_t got;

        if (ahead > 0.001) { /* in steps of a millisecond: it may catch up */
            (void)nanosleep(&(struct timespec){.tv_nsec = (long)(ahead * 1e9)}, NULL);
            continue;
        }
        got = write(STDOUT_FILENO, chunk, CHUNK);
        if (got < 0 && errno != EINTR)
            return 1;
        written += got > 0 ? (double)got : 0;
    }
    file = fopen(argv[3], "w");
    if (file == NULL)
        return 1;
    (void)fprintf(file, "%.2f\n", written / (now_s() - began) / 1e6);
    return fclose(file) == 0 ? 0 : 1;
}
