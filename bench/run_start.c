/* bench_run_start ROUNDS CASE [::: CASE]...: what starting a program costs, the cases by turns.
 *
 * A case is NAME [-FILE] [VARIABLE=VALUE]... COMMAND...; `-FILE` is removed before each run,
 * with what SQLite keeps beside it. The machine's noise comes and goes: each round runs every
 * case once, and what a case adds is the median of its differences to the first case of the
 * same round. Prints "NAME: X ms, adds Y ms (least, 90th percentile)". */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define CASES 16
#define ROUNDS 2000
#define VARIABLES 256

struct one_case {
    const char *name, *removed;
    char **argv;
    char *environment[VARIABLES];
    double took[ROUNDS], added[ROUNDS];
};

static double now_ms(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void remove_ledger(const char *path)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
    char name[4096];

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        (void)snprintf(name, sizeof name, "%s%s", path, ends[i]);
        (void)unlink(name);
    }
}

/* Milliseconds from the start of the program to its end; less than 0: it failed. */
static double run(const struct one_case *c, posix_spawn_file_actions_t *actions)
{
    double start;
    int status;
    pid_t pid;

    if (c->removed != NULL)
        remove_ledger(c->removed);
    start = now_ms();
    if (posix_spawnp(&pid, c->argv[0], actions, NULL, c->argv, c->environment) != 0 ||
        waitpid(pid, &status, 0) != pid || status != 0) {
        (void)fprintf(stderr, "%s failed\n", c->name);
        return -1;
    }
    return now_ms() - start;
}

/* The words of one case; the place after it. */
static char **take(struct one_case *c, char **words)
{
    size_t count = 0;

    c->name = *words++;
    if (*words != NULL && (*words)[0] == '-')
        c->removed = *words++ + 1;
    while (*words != NULL && strchr(*words, '=') != NULL && count < VARIABLES / 2)
        c->environment[count++] = *words++;
    for (char **entry = environ; *entry != NULL && count < VARIABLES - 1; entry++)
        c->environment[count++] = *entry;
    c->argv = words;
    while (*words != NULL && strcmp(*words, ":::") != 0)
        words++;
    if (*words == NULL)
        return words;
    *words = NULL;
    return words + 1;
}

static void report(struct one_case *c, int rounds)
{
    size_t count = (size_t)rounds;

    qsort(c->took, count, sizeof *c->took, ascending);
    qsort(c->added, count, sizeof *c->added, ascending);
    (void)printf("%-34s %7.2f ms, adds %6.2f ms (least %.2f, 90 %% below %.2f)\n", c->name,
                 c->took[count / 2], c->added[count / 2], c->took[0], c->added[count * 9 / 10]);
}

int main(int argc, char **argv)
{
    static struct one_case cases[CASES];
    posix_spawn_file_actions_t actions;
    int rounds = argc > 2 ? atoi(argv[1]) : 0, count = 0;

    if (rounds < 1 || rounds > ROUNDS) {
        (void)fprintf(stderr, "usage: bench_run_start ROUNDS CASE [::: CASE]...\n");
        return 2;
    }
    for (char **word = argv + 2; *word != NULL && count < CASES; count++)
        word = take(&cases[count], word);
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    (void)posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    for (int i = -2; i < rounds; i++) { /* two to warm up */
        int at = i < 0 ? 0 : i;

        for (int c = 0; c < count; c++) {
            if ((cases[c].took[at] = run(&cases[c], &actions)) < 0)
                return 1;
            cases[c].added[at] = cases[c].took[at] - cases[0].took[at];
        }
    }
    for (int c = 0; c < count; c++)
        report(&cases[c], rounds);
    return 0;
}
