/* stint run */
#include <math.h>

#include "cli/commands.h"
#include "cli/run/cmd_run.h"
#include "cli/runs_view.h"
#include "op/run/run.h"
#include "unit/energy.h"
#include "unit/shown.h"
#include "unit/size.h"
#include "unit/time.h"

#define SCORE_FROM_NS INT64_C(10000000000) /* a score of less means nothing */

static void write_line_start(const struct view *view, const char *label)
{
    buf_addf(view->out, "  %-10s ", label);
}

/* "at least $12.00 (labels)": what is known of a cost that is not. */
static void write_least(const struct view *view, const struct run_result *r)
{
    buf_adds(view->out, "at least ");
    usd_write(usd_rounded(r->ended.totals.extra), view->out);
    buf_adds(view->out, " (");
    buf_add(view->out, r->extra_names);
    buf_adds(view->out, "); the machine's price is");
}

/* "$2.58 of $5.00 at $2.49/hr". */
static void print_cost(const struct view *view, const struct run_result *r)
{
    bool least = r->ended.totals.cost.nano == MONEY_UNKNOWN &&
                 r->ended.totals.extra.nano != MONEY_UNKNOWN;

    write_line_start(view, "cost");
    if (least)
        write_least(view, r);
    else
        usd_write(usd_rounded(r->ended.totals.cost), view->out);
    if (r->ended.before.nano > 0 && !least) {
        buf_adds(view->out, ", with earlier attempts ");
        usd_write(usd_rounded(usd_add(r->ended.totals.cost, r->ended.before)), view->out);
    }
    if (r->ended.budget.nano != MONEY_UNKNOWN) {
        buf_adds(view->out, " of ");
        usd_write(r->ended.budget, view->out);
    }
    if (r->rate.nano != MONEY_UNKNOWN) {
        buf_adds(view->out, " at ");
        usd_per_hour_write(r->rate, view->out);
        view_share(view->out, r->ended.totals.pays, r->ended.totals.sharers_most, r->share,
                   false);
    }
    if (r->price.source.len > 0)
        buf_addf(view->out, least ? " %.*s" : " (%.*s)", (int)r->price.source.len,
                 r->price.source.at);
    buf_char(view->out, '\n');
    if (r->hint.len > 0) {
        write_line_start(view, "");
        buf_addf(view->out, "%.*s\n", (int)r->hint.len, r->hint.at);
    }
}

/* Parts of the cost that are not zero, in one line; no line when there is only one. */
static void print_run_parts(const struct view *view, const char *label, const usd *parts,
                            const char *const *names, size_t count)
{
    size_t known = 0, written = 0;

    for (size_t i = 0; i < count; i++)
        known += parts[i].nano != MONEY_UNKNOWN && parts[i].nano != 0;
    if (known < 2)
        return;
    write_line_start(view, label);
    for (size_t i = 0; i < count; i++) {
        if (parts[i].nano == MONEY_UNKNOWN || parts[i].nano == 0)
            continue;
        buf_addf(view->out, "%s%s ", written++ > 0 ? ", " : "", names[i]);
        usd_write(usd_rounded(parts[i]), view->out);
    }
    buf_char(view->out, '\n');
}

static void print_run_money(const struct view *view, const struct run_result *r)
{
    static const char *const part_names[] = {"machine", "set-up", "storage", "transfer",
                                             "extra"};
    static const char *const phase_names[] = {"train",    "set-up",     "data wait",
                                              "evaluate", "checkpoint", "idle"};
    const usd parts[] = {r->ended.totals.compute, r->ended.totals.setup,
                         r->ended.totals.storage, r->ended.totals.transfer,
                         r->ended.totals.extra};
    const usd phases[] = {
        r->ended.totals.phase[PHASE_TRAIN],      r->ended.totals.phase[PHASE_SETUP],
        r->ended.totals.phase[PHASE_DATA],       r->ended.totals.phase[PHASE_EVALUATE],
        r->ended.totals.phase[PHASE_CHECKPOINT], r->ended.totals.phase[PHASE_IDLE]};

    print_cost(view, r);
    print_run_parts(view, "of that", parts, part_names, ARRAY_LEN(parts));
    print_run_parts(view, "phases", phases, phase_names, ARRAY_LEN(phases));
}

static void print_run_energy(const struct view *view, const struct run_result *r)
{
    if (isnan(r->ended.totals.joules))
        return;
    write_line_start(view, "energy");
    joule_write_metered((joule){r->ended.totals.joules}, view->out);
    buf_addf(view->out, " (%s", r->ended.energy_method);
    if (!isnan(r->ended.totals.energy_error))
        buf_addf(view->out, ", within %s", percent_text(r->ended.totals.energy_error).text);
    buf_char(view->out, ')');
    if (!isnan(r->ended.totals.grams)) {
        buf_adds(view->out, ", ");
        gram_co2_write_metered((gram_co2){r->ended.totals.grams}, view->out);
    }
    buf_char(view->out, '\n');
}

static void print_run_use(const struct view *view, const struct run_result *r)
{
    if (isnan(r->ended.totals.cpu_s))
        return;
    write_line_start(view, "used");
    if (r->ended.totals.gpus > 0 && !isnan(r->ended.totals.gpu_busy)) {
        buf_addf(view->out, "%dx %s %s busy", r->ended.totals.gpus, r->ended.gpu,
                 percent_text(r->ended.totals.gpu_busy).text);
        view_device_memory(view->out, r->ended.totals.gpu_memory_peak,
                           r->ended.totals.gpu_memory_total, r->ended.totals.gpu_memory_run);
        buf_adds(view->out, "; ");
    }
    buf_addf(view->out, "%.2f s of processor", r->ended.totals.cpu_s);
    if (!isnan(r->ended.totals.memory_peak))
        buf_addf(view->out, ", %.1f MB of memory", r->ended.totals.memory_peak / 1e6);
    buf_char(view->out, '\n');
    if (isnan(r->ended.totals.score) || r->ended.elapsed.ns < SCORE_FROM_NS)
        return;
    write_line_start(view, "efficiency");
    buf_addf(view->out, "%.0f/100", r->ended.totals.score);
    if (r->verdict_text.len > 0)
        buf_addf(view->out, "; %.*s", (int)r->verdict_text.len, r->verdict_text.at);
    buf_char(view->out, '\n');
}

static void print_run_kept(const struct view *view, const struct run_result *r)
{
    if (!(r->ended.totals.checkpoint_bytes > 0))
        return;
    write_line_start(view, "kept");
    bytes_write((bytes){(uint64_t)r->ended.totals.checkpoint_bytes}, view->out);
    buf_adds(view->out, " of checkpoints");
    if (r->checkpoint_month.nano != MONEY_UNKNOWN) {
        buf_adds(view->out, ", ");
        usd_write(usd_rounded(r->checkpoint_month), view->out);
        buf_adds(view->out, " a month in the provider's object store");
    }
    buf_char(view->out, '\n');
}

#define NAMES_SHOWN 5

/* What --keep removed: "3 checkpoints, 11.7 GB: step_1.pt, step_2.pt, step_3.pt". */
static void print_run_removed(const struct view *view, const struct run_result *r)
{
    size_t shown = r->removed_names.len < NAMES_SHOWN ? r->removed_names.len : NAMES_SHOWN;

    if (r->ended.removed <= 0)
        return;
    write_line_start(view, "removed");
    buf_addf(view->out, "%lld checkpoint%s, ", (long long)r->ended.removed,
             r->ended.removed == 1 ? "" : "s");
    bytes_write((bytes){(uint64_t)r->ended.removed_bytes}, view->out);
    for (size_t i = 0; i < shown; i++) {
        buf_adds(view->out, i == 0 ? ": " : ", ");
        buf_add_safe(view->out, r->removed_names.at[i]);
    }
    if (r->ended.removed > (int64_t)shown)
        buf_addf(view->out, " and %lld more", (long long)r->ended.removed - (long long)shown);
    buf_char(view->out, '\n');
}

static void print_run_estimate(const struct view *view, const struct run_result *r)
{
    double estimate = usd_double(r->predicted.cost);
    double was = usd_double(usd_add(r->ended.totals.cost, r->ended.before));

    if (isnan(estimate) || isnan(was))
        return;
    write_line_start(view, "estimate");
    usd_write(usd_rounded(r->predicted.cost), view->out);
    if (r->predicted.time.ns >= 0) {
        buf_adds(view->out, " in ");
        span_write(r->predicted.time, view->out);
    }
    if (estimate > 0)
        buf_addf(view->out, ": it cost %s %s", percent_text(fabs(was / estimate - 1)).text,
                 was >= estimate ? "more" : "less");
    buf_char(view->out, '\n');
}

/* "stopped: budget reached, after 3min", "failed (status 1) after 2 s" */
static void print_run_end(const struct view *view, const struct run_result *r)
{
    bool detached = r->ended.reason == STOP_DETACHED;
    bool guarded = r->ended.reason != STOP_NONE && r->ended.reason != STOP_USER && !detached;

    if (detached || (r->ended.status < 0 && r->ended.reason == STOP_NONE))
        buf_adds(view->out, detached ? " detached" : " ended");
    else
        buf_addf(view->out, " %s",
                 guarded && r->ended.state == RUN_STOPPED && r->ended.passed
                     ? "ended"
                     : ledger_state_name(r->ended.state));
    if (detached)
        buf_addf(view->out, " (%s)", r->ended.why);
    else if (guarded)
        buf_addf(view->out, ": %s", r->ended.why);
    else if (r->ended.signal != 0)
        buf_addf(view->out, " (signal %d)", r->ended.signal);
    else if (r->ended.status < 0)
        buf_adds(view->out, " (exit status unknown)");
    else if (r->ended.status != 0)
        buf_addf(view->out, " (status %d)", r->ended.status);
    buf_adds(view->out, guarded ? ", after " : " after ");
    span_write(r->ended.elapsed, view->out);
    if (r->ended.attempt > 1)
        buf_addf(view->out, ", attempt %d", r->ended.attempt);
    buf_char(view->out, '\n');
}

void run_print(const struct view *view, const void *result)
{
    const struct run_result *r = result;

    if (r->quiet)
        return;
    if (r->ended.mid_row) /* what it printed last has no end */
        buf_char(view->out, '\n');
    buf_adds(view->out, "stint: ");
    buf_add_safe(view->out, r->name);
    print_run_end(view, r);
    print_run_money(view, r);
    print_run_energy(view, r);
    print_run_use(view, r);
    print_run_kept(view, r);
    print_run_removed(view, r);
    print_run_estimate(view, r);
    if (r->ended.recorded && r->sent_to.len > 0)
        buf_addf(view->out, "  sent       %.*s, run %.*s\n", STR_ARG(r->sent_to),
                 STR_ARG(ledger_short(r->ended.id)));
    else if (r->ended.recorded)
        buf_addf(view->out, "  more       stint show %.*s\n",
                 STR_ARG(ledger_short(r->ended.id)));
}

const struct command cmd_run_command = {
    .name = "run",
    .op = &op_run_command,
    .group = {"run a command with a meter and a budget", CLI_DURING, .first = true},
    .about = "Runs a command with its terminal, its input, its signals and its exit status "
             "passed through, meters the process tree and its GPUs, computes the cost, and "
             "stops the command gracefully before a budget runs out (status 5). Everything is "
             "recorded in the ledger, or sent to the server that --to names (kept on this "
             "machine while it is unreachable). The command's own output is not changed unless "
             "--status, --heartbeat, --progress, --metrics, --early-stop or --best is given. "
             "--json prints the result after that output; --summary FILE writes it to a file.",
    .examples =
        "stint run --budget '$5' --price '$2.49/hr' -- python train.py\n"
        "stint run --offer lambda/us-east-1/gpu_1x_h100_sxm5 --status -- python train.py\n"
        "stint run --job axolotl.yml -- axolotl train axolotl.yml\n"
        "stint run --plan plan.json --checkpoints out --keep 3 -- ./train.sh\n"
        "stint run --early-stop val_loss:min,patience=3 -- python train.py\n"
        "stint run --to https://costs.example.org:8712 -- python train.py\n"
        "stint run --on-exit 'rclone sync out remote:out; sudo poweroff' -- ./job.sh",
    .print = run_print,
    .aside = view_aside,
};
