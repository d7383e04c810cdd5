/* advise_ledger.c - runs of a CSV file as a ledger: advise_ledger RUNS.csv LEDGER. The columns
 * are those that bench/advise_world.py writes. For the benchmark of advice: months of history
 * in seconds, written as `stint run` writes them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../tests/ledger/writes.h"
#include "base/csv.h"
#include "base/fs.h"
#include "base/num.h"
#include "unit/time.h"

#define FILE_MAX_BYTES ((size_t)1 << 28)

static struct error err;

static void must(bool ok)
{
    if (ok)
        return;
    error_print(&err, stderr);
    exit(1);
}

/* The cells of a row by the names of their columns. */
struct run_row {
    const struct csv_row *header, *cells;
};

static struct str text_of(const struct run_row *r, const char *name)
{
    size_t at = csv_column(r->header, str_from(name));

    if (at == SIZE_MAX)
        must(error_fail(&err, ERROR_INPUT, "there is no column '%s'", name));
    return csv_cell(r->cells, at);
}

/* Empty: NaN. */
static double number_of(const struct run_row *r, const char *name)
{
    struct str text = text_of(r, name);
    double value = NAN;

    if (text.len > 0 && !num_read(text, &value))
        must(error_fail(&err, ERROR_INPUT, "line %llu: %s is not a number",
                        (unsigned long long)r->cells->line, name));
    return value;
}

static int64_t integer_of(const struct run_row *r, const char *name)
{
    int64_t value = 0;

    if (!num_int(text_of(r, name), &value))
        must(error_fail(&err, ERROR_INPUT, "line %llu: %s is not an integer",
                        (unsigned long long)r->cells->line, name));
    return value;
}

static struct ledger_start start_of(const struct run_row *r, struct str *tags)
{
    double estimated = number_of(r, "estimated_usd"), hours = number_of(r, "estimated_h");
    double tariff = number_of(r, "tariff_usd"), store = number_of(r, "store_usd");
    bool own = !isnan(tariff); /* electricity is what is paid */
    struct ledger_start start = {
        .name = text_of(r, "name"),
        .folder = text_of(r, "folder"),
        .command = text_of(r, "command"),
        .user = text_of(r, "user"),
        .host = text_of(r, "host"),
        .commit = text_of(r, "commit"),
        .digest = text_of(r, "digest"),
        .offer = text_of(r, "offer"),
        .market = text_of(r, "market"),
        .price_source = STR("catalog"),
        .rate =
            own ? USD_PER_HOUR_UNKNOWN : (usd_per_hour){usd_from(number_of(r, "usd_h")).nano},
        .electricity = {own ? usd_from(tariff).nano : MONEY_UNKNOWN},
        .storage_month = {isnan(store) ? MONEY_UNKNOWN : usd_from(store).nano},
        .budget = USD_UNKNOWN,
        .estimated_cost = isnan(estimated) ? USD_UNKNOWN : usd_from(estimated),
        .estimated_time = isnan(hours) ? SPAN_UNKNOWN : span_hours(hours),
        .tags = {tags, 2},
        .started = {integer_of(r, "started")},
        .pid = -1,
        .pid_started = -1};

    tags[0] = text_of(r, "team");
    tags[1] = text_of(r, "project");
    str_copy(text_of(r, "id"), start.id, sizeof start.id);
    return start;
}

static struct ledger_totals totals_of(const struct run_row *r, stamp started)
{
    static const char *const phases[LEDGER_PHASES] = {
        [PHASE_SETUP] = "startup_s", [PHASE_DATA] = "data_s",       [PHASE_TRAIN] = "train_s",
        [PHASE_EVALUATE] = "eval_s", [PHASE_CHECKPOINT] = "save_s", [PHASE_IDLE] = "idle_s"};
    double rate = number_of(r, "usd_h"), seconds = 0;
    struct ledger_totals t;

    ledger_totals_unknown(&t);
    t.compute = (usd){0};
    for (int i = 0; i < LEDGER_PHASES; i++) {
        double s = number_of(r, phases[i]);

        t.phase[i] = usd_from(s / 3600 * rate);
        t.compute = usd_add(t.compute, t.phase[i]);
        seconds += s;
    }
    t.setup = usd_from(number_of(r, "setup_usd"));
    t.storage = usd_from(number_of(r, "storage_usd"));
    t.cost = usd_add(usd_add(t.compute, t.setup), t.storage);
    t.elapsed = span_hours(seconds / 3600);
    t.at = (stamp){started.s + t.elapsed.ns / SECOND};
    t.gpu = text_of(r, "gpu");
    t.gpus = (int)integer_of(r, "gpus");
    t.gpu_busy = number_of(r, "busy");
    t.gpu_memory_peak = number_of(r, "memory_peak");
    t.gpu_memory_total = number_of(r, "memory_total");
    t.step = t.steps = number_of(r, "steps");
    t.step_s = number_of(r, "step_s");
    t.startup_s = number_of(r, "startup_s");
    t.loss = t.best = number_of(r, "metric");
    t.checkpoint_bytes = number_of(r, "checkpoint_bytes");
    t.save_s = number_of(r, "one_save_s");
    t.gpu_watts = number_of(r, "watts");
    t.joules = number_of(r, "wall_watts") * seconds;
    t.gpu_joules = t.gpu_watts * t.gpus * seconds;
    return t;
}

/* Those that are kept, the oldest first, a minute apart. */
static void add_checkpoints(struct ledger *ledger, const struct run_row *r,
                            const struct ledger_start *start, int attempt)
{
    int64_t count = integer_of(r, "kept"), best = integer_of(r, "best");

    for (int64_t i = 0; i < count; i++) {
        char path[64];
        struct ledger_checkpoint c = {.at = {start->started.s + 60 * (i + 1)},
                                      .bytes = number_of(r, "kept_bytes"),
                                      .step = (double)i,
                                      .metric = NAN,
                                      .took_s = NAN,
                                      .cost = USD_UNKNOWN,
                                      .best = i == best};

        (void)snprintf(path, sizeof path, "/data/%lld", (long long)i);
        c.path = str_from(path);
        must(ledger_checkpoint(ledger, start->id, attempt, &c, &err));
    }
}

static void add_run(struct ledger *ledger, const struct run_row *r)
{
    struct str tags[2];
    struct ledger_start start = start_of(r, tags);
    struct ledger_totals t = totals_of(r, start.started);
    struct ledger_ending ending = {.status = (int)integer_of(r, "status")};
    struct str reason = text_of(r, "reason");
    char why[32];
    int attempt;

    str_copy(reason, why, sizeof why);
    ending.reason = why;
    must(ledger_state_parse(text_of(r, "state"), &ending.state));
    must(ledger_begin(ledger, &start, &attempt, &err));
    add_checkpoints(ledger, r, &start, attempt);
    must(ledger_end(ledger, start.id, 1, &ending, &t, &err));
}

int main(int argc, char **argv)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct csv_options options = {.alloc = &alloc_system};
    struct csv *names, *rows;
    struct csv_row header, cells;
    struct ledger *ledger;
    struct str text;

    if (argc != 3)
        return 2;
    must(fs_read(argv[1], FILE_MAX_BYTES, &arena, &text, &err));
    /* Two readers, since a row lives until the next: one stays at the header. */
    names = csv_open_text(text, &options, &err);
    rows = csv_open_text(text, &options, &err);
    must(names != NULL && rows != NULL && csv_next(names, &header, &err) &&
         csv_next(rows, &cells, &err));
    ledger =
        ledger_open(argv[2], LEDGER_WRITE, (span){SECOND}, &clock_system, &alloc_system, &err);
    must(ledger != NULL);
    while (csv_next(rows, &cells, &err))
        add_run(ledger, &(struct run_row){&header, &cells});
    must(!csv_failed(rows));
    ledger_close(ledger);
    csv_close(names);
    csv_close(rows);
    arena_free(&arena);
    return 0;
}
