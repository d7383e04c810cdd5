/* What the published policies cost on the published sets, run by run, and the optimum. */
#include "test.h"

#include <math.h>
#include <stdio.h>

#include "base/fs.h"
#include "base/num.h"
#include "doc/compress.h"
#include "spot/policy.h"
#include "spot/trace.h"

#define WINDOW 554
#define FILE_MAX ((size_t)64 << 20)

static struct arena data = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
static struct traces traces;
static struct windows few, many;
static struct str rows;
/* The windows of set A by their number, which the reference names. */
static const int set_a[] = {0,   107, 117, 126, 135, 145, 154, 163, 172, 182,
                            191, 20,  21,  219, 228, 238, 247, 256, 266, 275,
                            284, 294, 33,  42,  51,  61,  70,  8,   9,   99};

static struct str file(const char *folder, const char *name)
{
    char path[8192];
    struct str text = {0};
    struct error err = {0};

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!fs_read(path, FILE_MAX, &data, &text, &err) ||
        !unpack_text(&text, path, FILE_MAX, &data, &err))
        fail_msg("%s", err.text);
    return text;
}

/* False, and said so, when other people's data are not there. */
static bool load(const char *test)
{
    const char *root = env_get("STINT_SOURCE_ROOT"), *shared = env_get("STINT_SHARED");
    char folder[4096];
    struct error err = {0};

    if (shared != NULL)
        (void)snprintf(folder, sizeof folder, "%s/spot", shared);
    else
        (void)snprintf(folder, sizeof folder, "%s/../shared/spot", root != NULL ? root : ".");
    if (!fs_exists(folder)) {
        print_message("# SKIPPED %s: no folder '%s'; set STINT_SHARED\n", test, folder);
        return false;
    }
    if (traces.len > 0)
        return true;
    assert_true(traces_read(file(folder, "traces/aws_2022-10_k80_v100_ping600.trc"),
                            (struct trace_options){.name = "traces"}, &data, &traces, &err));
    assert_true(windows_read(file(folder, "traces/windows_set_a_30.txt"), "windows", &data,
                             &few, &err));
    assert_true(windows_read(file(folder, "traces/windows_nsdi_2week_300.txt"), "windows",
                             &data, &many, &err));
    rows = file(folder, "reference_results/adrs1080_per_run_reference_sim.csv.xz");
    assert_int_equal(few.len, ARRAY_LEN(set_a));
    for (size_t i = 0; i < few.len; i++)
        assert_int_equal(few.at[i], many.at[set_a[i]]);
    return true;
}

static const struct trace *trace_named(struct str id)
{
    for (size_t i = 0; i < traces.len; i++)
        if (str_eq(traces.at[i].id, id))
            return &traces.at[i];
    fail_msg("no trace '%.*s'", STR_ARG(id));
    return NULL;
}

/* One run in one zone at the prices of the tables. */
static struct sim_result simulate(const struct policy *policy, const struct trace *trace,
                                  size_t from, double deadline_h, double delay_h)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct sim_zone zone = {
        .nodes_at = trace->nodes_at + from, .spot = 0.9731, .on_demand = 3.06};
    struct sim_market market = {
        .zones = &zone, .zone_count = 1, .gap = trace->gap, .ticks = WINDOW, .regions = 1};
    struct sim_job job = {
        .work = 48 * 3600.0, .deadline = deadline_h * 3600, .delay = delay_h * 3600, .gang = 1};
    struct sim_result result = {0};
    struct error err = {0};

    if (!sim_run(&market, &job, policy, &arena, NULL, &result, &err))
        fail_msg("%s", err.text);
    arena_free(&arena);
    return result;
}

static double number(struct str *row)
{
    double value = NAN;
    struct str text = str_cut(row, ',');

    if (!num_double(text, &value))
        fail_msg("no number: '%.*s'", STR_ARG(text));
    return value;
}

static size_t start_of(struct str window)
{
    int64_t index = -1;

    assert_true(num_int(str_cut(&window, '.'), &index));
    assert_true(index >= 0 && (size_t)index < many.len);
    return many.at[index];
}

/* Every row of one policy of the reference: cost and end tick. The mean. */
static double compare(const char *reference, const char *name)
{
    struct policy policy;
    struct error err = {0};
    struct str rest = rows;
    size_t runs = 0, differ = 0;
    double sum = 0;

    assert_true(policy_named(str_from(name), &policy, &err));
    while (rest.len > 0) {
        struct str row = str_cut(&rest, '\n');
        struct sim_result r;
        const struct trace *trace;
        size_t from;
        double deadline, delay, usd, end;

        if (!str_eq(str_cut(&row, ','), str_from(reference)))
            continue;
        trace = trace_named(str_cut(&row, ','));
        from = start_of(str_cut(&row, ','));
        deadline = number(&row);
        delay = number(&row);
        usd = number(&row);
        end = number(&row);
        r = simulate(&policy, trace, from, deadline, delay);
        assert_false(r.late);
        if (fabs(r.usd - usd) > 1e-4 || fabs((double)r.end - end) > 0.5)
            differ++;
        if (differ > 0 && differ < 4 && (fabs(r.usd - usd) > 1e-4))
            print_message("# %s %.*s from %zu, R %g h, d %g h: %.4f at %zu, not %.4f at %.0f\n",
                          name, STR_ARG(trace->id), from, deadline, delay, r.usd, r.end, usd,
                          end);
        sum += r.usd;
        runs++;
    }
    assert_int_equal(runs, 1080);
    print_message("# %s: %zu of %zu runs differ, mean %.4f\n", name, differ, runs, sum / 1080);
    assert_int_equal(differ, 0);
    return sum / (double)runs;
}

static void set_a_run_by_run(void **state)
{
    (void)state;
    if (!load(__func__))
        return;
    assert_float_equal(compare("on_demand", "on-demand"), 147.39, 5e-5);
    assert_float_equal(compare("strawman", "greedy"), 119.0345, 5e-5);
    assert_float_equal(compare("rc_threshold", "up-plain"), 97.2399, 5e-5);
    assert_float_equal(compare("rc_cr_threshold", "up"), 101.6827, 5e-5);
    assert_float_equal(compare("rc_next_spot_threshold", "up-oracle"), 96.6751, 5e-5);
}

static int free_data(void **state)
{
    (void)state;
    arena_free(&data);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_a_run_by_run),
    };

    return cmocka_run_group_tests(tests, NULL, free_data);
}
