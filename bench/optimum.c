/* How long the exact optimum and the online policy take on the 1080 runs of set A (see spot/ of
 * STINT_TEST_DATA), or on made-up traces of the same size. The optimum's peer is the paper's
 * integer program, which is written here for CBC to solve.
 *
 *     bench_optimum [TRACES WINDOWS]
 *     bench_optimum --lp CASE FILE [TRACES WINDOWS]   prints the optimum and its milliseconds
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/fs.h"
#include "base/num.h"
#include "spot/optimum.h"
#include "spot/policy.h"
#include "spot/trace.h"

#define WINDOW ((size_t)554)
#define WINDOWS ((size_t)30)
#define FILE_MAX ((size_t)64 << 20)
#define ON_DEMAND 3.06
#define SPOT 0.9731

static const char *const zones[] = {"us-west-2a_k80_8",  "us-west-2a_v100_1",
                                    "us-west-2a_v100_8", "us-west-2b_k80_1",
                                    "us-west-2b_k80_8",  "us-west-2b_v100_1"};
static const double deadlines[] = {52, 70}, delays[] = {0.02, 0.05, 0.1};

#define RUNS (ARRAY_LEN(zones) * WINDOWS * ARRAY_LEN(deadlines) * ARRAY_LEN(delays))

struct input {
    const uint8_t *nodes_at[ARRAY_LEN(zones)];
    size_t starts[WINDOWS];
};

struct run {
    struct sim_zone zone;
    struct sim_market market;
    struct sim_job job;
};

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void made_up(struct input *out)
{
    static uint8_t nodes[ARRAY_LEN(zones)][2000];
    uint64_t state = 1;

    for (size_t z = 0; z < ARRAY_LEN(zones); z++) {
        bool up = true;

        for (size_t i = 0; i < sizeof nodes[z]; i++) {
            state = state * UINT64_C(6364136223846793005) + 1;
            up = (state >> 40) % 24 == 0 ? !up : up;
            nodes[z][i] = up;
        }
        out->nodes_at[z] = nodes[z];
    }
    for (size_t w = 0; w < WINDOWS; w++)
        out->starts[w] = w * 47;
}

static bool load(const char *traces_path, const char *windows_path, struct arena *arena,
                 struct input *out, struct error *err)
{
    struct str text;
    struct traces traces;
    struct windows windows;

    if (!fs_read(traces_path, FILE_MAX, arena, &text, err) ||
        !traces_read(text, (struct trace_options){.name = traces_path}, arena, &traces, err) ||
        !fs_read(windows_path, FILE_MAX, arena, &text, err) ||
        !windows_read(text, windows_path, arena, &windows, err))
        return false;
    for (size_t z = 0; z < ARRAY_LEN(zones); z++)
        for (size_t i = 0; i < traces.len; i++)
            if (str_eq(traces.at[i].id, str_from(zones[z])))
                out->nodes_at[z] = traces.at[i].nodes_at;
    for (size_t z = 0; z < ARRAY_LEN(zones); z++)
        if (out->nodes_at[z] == NULL || windows.len != WINDOWS)
            return error_fail(err, ERROR_INPUT, "these are not the traces of set A");
    for (size_t w = 0; w < WINDOWS; w++)
        out->starts[w] = windows.at[w];
    return true;
}

static void run_at(const struct input *input, size_t i, struct run *out)
{
    double delay = delays[i % ARRAY_LEN(delays)], deadline;

    i /= ARRAY_LEN(delays);
    deadline = deadlines[i % ARRAY_LEN(deadlines)];
    i /= ARRAY_LEN(deadlines);
    out->zone =
        (struct sim_zone){.nodes_at = input->nodes_at[i / WINDOWS] + input->starts[i % WINDOWS],
                          .spot = SPOT,
                          .on_demand = ON_DEMAND};
    out->market = (struct sim_market){
        .zones = &out->zone, .zone_count = 1, .gap = 600, .ticks = WINDOW, .regions = 1};
    out->job = (struct sim_job){
        .work = 48 * 3600.0, .deadline = deadline * 3600, .delay = delay * 3600, .gang = 1};
}

/* The integer program of "Can't Be Late", in CPLEX's LP format. */
static bool write_program(const struct run *run, const char *path)
{
    size_t ticks = sim_deadline_ticks(&run->job, run->market.gap);
    double gap = run->market.gap;
    FILE *to = fopen(path, "w");

    if (to == NULL)
        return false;
    (void)fprintf(to, "Minimize\n cost:");
    for (size_t t = 0; t < ticks; t++)
        (void)fprintf(to, " + %.12g s%zu + %.12g v%zu\n", SPOT * gap / 3600, t,
                      ON_DEMAND * gap / 3600, t);
    (void)fprintf(to, "Subject To\n work:");
    for (size_t t = 0; t < ticks; t++)
        (void)fprintf(to, " + %g s%zu + %g v%zu - %g x%zu - %g y%zu\n", gap, t, gap, t,
                      run->job.delay, t, run->job.delay, t);
    (void)fprintf(to, " >= %.12g\n", run->job.work);
    for (size_t t = 0; t < ticks; t++) {
        (void)fprintf(to, " s%zu + v%zu <= 1\n", t, t);
        if (t == 0)
            (void)fprintf(to, " x0 - s0 >= 0\n y0 - v0 >= 0\n");
        else
            (void)fprintf(to, " x%zu - s%zu + s%zu >= 0\n y%zu - v%zu + v%zu >= 0\n", t, t,
                          t - 1, t, t, t - 1);
    }
    (void)fprintf(to, "Bounds\n");
    for (size_t t = 0; t < ticks; t++)
        (void)fprintf(to, " s%zu <= %d\n v%zu <= 1\n x%zu <= 1\n y%zu <= 1\n", t,
                      run->zone.nodes_at[t] > 0, t, t, t);
    (void)fprintf(to, "Generals\n");
    for (size_t t = 0; t < ticks; t++)
        (void)fprintf(to, " s%zu v%zu\n", t, t);
    (void)fprintf(to, "End\n");
    return fclose(to) == 0;
}

static bool optimum_at(const struct input *input, size_t i, double *usd, struct error *err)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct run run;
    bool ok;

    run_at(input, i, &run);
    ok = optimum_find(&run.market, &run.job, &arena, NULL, usd, err);
    arena_free(&arena);
    return ok;
}

static bool policy_at(const struct input *input, size_t i, double *usd, struct error *err)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct sim_result result = {0};
    struct run run;
    bool ok;

    run_at(input, i, &run);
    ok = sim_run(&run.market, &run.job, &policy_stint, &arena, NULL, &result, err);
    *usd = result.usd;
    arena_free(&arena);
    return ok;
}

static bool all(const struct input *input, const char *what,
                bool (*each)(const struct input *, size_t, double *, struct error *),
                struct error *err)
{
    const size_t runs = RUNS;
    double start = now(), sum = 0, worst = 0, took;

    for (size_t i = 0; i < runs; i++) {
        double before = now(), usd;

        if (!each(input, i, &usd, err))
            return false;
        sum += usd;
        worst = fmax(worst, now() - before);
    }
    took = now() - start;
    printf("%-8s %7.3f ms a run, %7.3f the slowest, %6.2f s for %zu runs; mean $%.4f\n", what,
           took * 1e3 / (double)runs, worst * 1e3, took, runs, sum / (double)runs);
    return true;
}

static bool one(const struct input *input, const char *number, const char *path,
                struct error *err)
{
    struct run run;
    int64_t i;
    double start = now(), usd;

    if (!num_int(str_from(number), &i) || i < 0 || (uint64_t)i >= RUNS)
        return error_fail(err, ERROR_USAGE, "no case '%s'", number);
    run_at(input, (size_t)i, &run);
    if (!optimum_at(input, (size_t)i, &usd, err))
        return false;
    printf("%.6f %.3f\n", usd, (now() - start) * 1e3);
    return write_program(&run, path) || error_fail(err, ERROR_SYSTEM, "cannot write %s", path);
}

int main(int argc, char **argv)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct input input = {0};
    struct error err = {0};
    bool lp = argc > 3 && strcmp(argv[1], "--lp") == 0, ok = true;
    int files = lp ? 4 : 1;

    if (argc >= files + 2)
        ok = load(argv[files], argv[files + 1], &arena, &input, &err);
    else
        made_up(&input);
    if (ok && lp)
        ok = one(&input, argv[2], argv[3], &err);
    else if (ok)
        ok = all(&input, "optimum", optimum_at, &err) && all(&input, "stint", policy_at, &err);
    if (!ok)
        error_print(&err, stderr);
    arena_free(&arena);
    return ok ? 0 : 1;
}
