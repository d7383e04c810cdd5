/* bench_store FOLDER: put some 1.8 million price changes into a price store and into a table of
 * SQLite, side by side: three years of daily spot prices of 1,660 machines in zones, as AWS has
 * them, always the same.
 *
 * Each step runs in a process of its own, so that its time and its peak memory are its own. The
 * store has the changes packed into blobs; the table has a row for each, clustered by series
 * and time, which is best for reading one series.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "market/store.h"
#include "store_bench.h"

#define RUNS 3
#define WIDE 20000

char theirs[4096];
static char ours[4096 + 8];
static const struct feed_format format = {.name = "bench", .scope = SCOPE_ROWS};
static const struct messages silent;

/* --- measuring --- */

double now_s(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void die(const char *what)
{
    (void)fprintf(stderr, "bench_store: %s\n", what);
    exit(1);
}

struct cost {
    double cpu_s;
    double peak_mb;
    double figure; /* what the step measured itself */
};

/* Run a step in a process of its own. */
static struct cost measure(double (*step)(void))
{
    struct cost cost = {0};
    struct rusage usage;
    int pipes[2], status;
    pid_t child;

    if (pipe(pipes) != 0 || (child = fork()) < 0)
        die(strerror(errno));
    if (child == 0) {
        double figure = step();

        if (write(pipes[1], &figure, sizeof figure) != (ssize_t)sizeof figure)
            _exit(1);
        _exit(0);
    }
    if (read(pipes[0], &cost.figure, sizeof cost.figure) != (ssize_t)sizeof cost.figure ||
        wait4(child, &status, 0, &usage) != child || status != 0)
        die("a step failed");
    (void)close(pipes[0]);
    (void)close(pipes[1]);
    cost.cpu_s = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                 (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    cost.peak_mb = (double)usage.ru_maxrss / 1024;
    return cost;
}

static double file_mb(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 ? (double)st.st_size / 1e6 : 0;
}

/* --- ours --- */

static void add_day(struct store_edit *edit, struct prices *p, int64_t at)
{
    struct quote q = quote_blank();
    struct error err = {0};
    char machine[32], zone[32];

    q.provider = STR("aws");
    q.accelerator = STR("H100");
    q.count = 8;
    q.at.s = at;
    for (size_t i = 0; i < SERIES; i++) {
        q.instance = (struct str){
            machine, (size_t)snprintf(machine, sizeof machine, "p%zu.48xlarge", i / ZONES)};
        q.zone =
            (struct str){zone, (size_t)snprintf(zone, sizeof zone, "use1-az%zu", i % ZONES)};
        q.region = STR("us-east-1");
        q.price[MARKET_ON_DEMAND] = INT64_C(98320000000);
        q.price[MARKET_SPOT] = next_price(p, i);
        if (!store_edit_quote(edit, &q, &err))
            die(err.text);
    }
}

/* Days from `first` on, into the store: the seconds that the commit took. */
static double import(int first, int days)
{
    static struct prices p;
    struct error err = {0};
    struct store_change change;
    struct store_edit *edit = store_edit_new(&alloc_system, &err);
    double start;

    prices_begin(&p);
    if (edit == NULL || !store_edit_feed(edit, &format, STR("bench"), STR("bench"), &err))
        die(err.text);
    for (int d = 0; d < first + days; d++) {
        if (d >= first)
            add_day(edit, &p, START + d * DAY_S);
        else
            for (size_t i = 0; i < SERIES; i++)
                (void)next_price(&p, i);
    }
    start = now_s();
    if (!store_commit(edit, ours, (stamp){START}, &change, &err))
        die(err.text);
    store_edit_free(edit);
    return now_s() - start;
}

static double import_all(void)
{
    (void)remove(ours);
    return import(0, DAYS);
}

static double import_one_more(void)
{
    struct error err = {0};
    struct store_change change;
    struct store_edit *edit = store_edit_new(&alloc_system, &err);
    struct quote q = quote_blank();
    double start;

    q.provider = STR("aws");
    q.region = STR("us-east-1");
    q.zone = STR("use1-az1");
    q.instance = STR("p1.48xlarge");
    q.at.s = START + DAYS * DAY_S;
    q.price[MARKET_SPOT] = 1;
    if (edit == NULL || !store_edit_feed(edit, &format, STR("bench"), STR("bench"), &err) ||
        !store_edit_quote(edit, &q, &err))
        die(err.text);
    start = now_s();
    if (!store_commit(edit, ours, (stamp){START}, &change, &err))
        die(err.text);
    store_edit_free(edit);
    return now_s() - start;
}

static double import_a_day(void)
{
    return import(DAYS, 1);
}

/* As many offers as all providers together have, with one price each in two markets: large
 * tables, no history. */
static double import_wide(void)
{
    struct error err = {0};
    struct store_change change;
    struct store_edit *edit = store_edit_new(&alloc_system, &err);

    if (edit == NULL || !store_edit_feed(edit, &format, STR("bench"), STR("bench"), &err))
        die(err.text);
    for (int i = 0; i < WIDE; i++) {
        struct quote q = quote_blank();
        char machine[32], region[32];

        q.provider = STR("aws");
        q.instance = (struct str){
            machine, (size_t)snprintf(machine, sizeof machine, "p%d.48xlarge", i % 600)};
        q.region = (struct str){region,
                                (size_t)snprintf(region, sizeof region, "us-east-%d", i / 600)};
        q.price[MARKET_ON_DEMAND] = INT64_C(98320000000);
        q.price[MARKET_SPOT] = INT64_C(38320000000) + i;
        if (!store_edit_quote(edit, &q, &err))
            die(err.text);
    }
    (void)snprintf(ours + strlen(ours), 6, "-wide");
    if (!store_commit(edit, ours, (stamp){START}, &change, &err))
        die(err.text);
    store_edit_free(edit);
    return 0;
}

static struct store *open_ours(void)
{
    struct error err = {0};
    struct store *store = store_open(ours, &alloc_system, &silent, &err);

    if (store == NULL || store_series_count(store) == 0)
        die("the store is not there");
    return store;
}

static double open_store(void)
{
    double start = now_s();

    for (int i = 0; i < READS; i++)
        store_close(open_ours());
    return (now_s() - start) / READS;
}

static double open_wide(void)
{
    (void)snprintf(ours + strlen(ours), 6, "-wide");
    return open_store();
}

static double read_store(void)
{
    struct store *store = open_ours();
    struct error err = {0};
    double start = now_s();
    int64_t sum = 0;

    for (size_t i = 0; i < READS; i++) {
        struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
        struct points points;

        if (!store_statements(store, i * 7919 % store_series_count(store) | 1, &arena, &points,
                              &err))
            die(err.text);
        for (size_t k = 0; k < points.len; k++)
            sum += points.at[k].value;
        arena_free(&arena);
    }
    return sum != 0 ? (now_s() - start) / READS : 0;
}

/* --- all of it --- */

static struct cost best(double (*step)(void))
{
    struct cost best_cost = measure(step);

    for (int run = 1; run < RUNS; run++) {
        struct cost cost = measure(step);

        if (cost.cpu_s < best_cost.cpu_s)
            best_cost = cost;
    }
    return best_cost;
}

static void show(const char *who, const char *path, struct cost all, struct cost one,
                 double open_, double read_)
{
    printf("%-7s import %.2f s of CPU, peak %.0f MB; file %.1f MB, %.1f bytes a point\n", who,
           all.cpu_s, all.peak_mb, file_mb(path), file_mb(path) * 1e6 / (SERIES * DAYS));
    printf("%-7s open %.3f ms; read a series %.4f ms; one more price %.1f ms, peak %.0f MB\n",
           who, open_ * 1e3, read_ * 1e3, one.figure * 1e3, one.peak_mb);
}

int main(int argc, char **argv)
{
    struct cost ours_all, theirs_all;
    double open_[2], read_[2];

    if (argc != 2)
        die("usage: bench_store FOLDER");
    (void)snprintf(ours, sizeof ours - 8, "%s/prices.db", argv[1]);
    (void)snprintf(theirs, sizeof theirs, "%s/table.db", argv[1]);
    printf("%d changes of %d series\n", SERIES * DAYS, SERIES);
    ours_all = best(import_all);
    theirs_all = best(insert_all);
    open_[0] = best(open_store).figure;
    open_[1] = best(open_database).figure;
    read_[0] = best(read_store).figure;
    read_[1] = best(read_database).figure;
    printf("ours    of the import, the commit %.2f s\n", ours_all.figure);
    show("ours", ours, ours_all, measure(import_one_more), open_[0], read_[0]);
    show("table", theirs, theirs_all, measure(insert_one_more), open_[1], read_[1]);
    printf("ours    a day of all series more: %.2f s of CPU\n", measure(import_a_day).cpu_s);
    (void)measure(import_wide);
    printf("ours    open a store of %d offers with %d series: %.3f ms\n", WIDE, 2 * WIDE,
           best(open_wide).figure * 1e3);
    return 0;
}
