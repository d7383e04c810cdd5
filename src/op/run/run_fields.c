/* The options and the result of `stint run` and `stint attach`. */
#include "op/run/run.h"

#include "op/run/run_alert.h"
#include "op/run/run_charge.h"
#include "op/run/run_to.h"

static const char *const leftovers_names[] = {"wait", "stop", "leave"};
static const char *const killed_names[] = {"stop", "leave", NULL};

/* What `stint run` and `stint attach` share. */
#define GUARD_OPTIONS \
    FIELD(USD, run_request, budget, .value = "AMOUNT", .positive = true, \
          .help = "stop the run before it costs more; earlier attempts count"), \
        FIELD(USD, run_request, month_budget, .value = "AMOUNT", .positive = true, \
              .help = "monthly limit on all runs (default: the configured budget)"), \
        FIELD(SPAN, run_request, deadline, .value = "TIME", .positive = true, \
              .help = "stop the run after this time"), \
        FIELD(SPAN, run_request, grace, .value = "TIME", \
              .help = "time reserved for the last save before a limit (default: from earlier " \
                      "saves, or memory in use and disk speed)"), \
        FIELD(SPAN, run_request, idle, .value = "TIME", .positive = true, \
              .help = "act when the run has been idle for this time"), \
        FIELD(SHARE, run_request, idle_below, .value = "SHARE", \
              .help = "use below which a GPU, a core, or 10 MB/s of disk or network count " \
                      "as idle (default: 5%)"), \
        FIELD(TEXT, run_request, idle_do, .value = "ACTION", \
              .help = "action when idle: warn, checkpoint, stop (the default), or a " \
                      "command to run"), \
        FIELD(TEXT, run_request, early_stop, .value = "RULE", \
              .help = "stop when a metric no longer improves: val_loss:min,patience=3"), \
        FIELD(FLAG, run_request, keep_diverging, \
              .help = "continue even if the loss is no longer a finite number"), \
        FIELD(FLAG, run_request, stop_diverging, \
              .help = "stop when the loss has grown tenfold, too (default: only warn)"), \
        FIELD(TEXT, run_request, checkpoint_signal, .value = "SIGNAL", .fallback = "USR1", \
              .help = "signal to request a checkpoint, sent only to processes that catch " \
                      "it; or none"), \
        FIELD(TEXT, run_request, checkpoint_command, .value = "COMMAND", \
              .help = "command to request a checkpoint, instead of a signal"), \
        FIELD(ENUM, run_request, leftovers, .value = "WHAT", FIELD_NAMES(leftovers_names), \
              .fallback = "wait", \
              .help = "wait for, stop or leave processes that outlive the command")

/* Events, and what happens at the end. */
#define EVENT_OPTIONS \
    FIELD(COUNT, run_request, notice_status, .value = "STATUS", .positive = true, \
          .help = "exit status, instead of 5, when the cloud takes the machine back: 75"), \
        RUN_ALERT_OPTIONS(run_request, "50%"), \
        FIELD(TEXT, run_request, on_exit, .value = "COMMAND", \
              .help = "run this command at the end: sync results, shut the machine down")

/* What it costs. */
#define COST_OPTIONS \
    RUN_MACHINE_OPTIONS(run_request, "saved plan with the machine and the estimate"), \
        FIELD( \
            TEXT, run_request, share, .value = "SHARE", \
            .help = \
                "part of the machine's price to pay: 1/8, 12.5% or all (default: runs on the " \
                "same machine divide its price)"), \
        FIELD(TEXTS, run_request, extra, .whole = true, .value = "NAME=AMOUNT", \
              .help = "add a cost that is not metered: 'labels=$12'"), \
        FIELD(TEXT, run_request, job, .value = "FILE", \
              .help = \
                  "job file, tool configuration or model of this run: estimates it, and is " \
                  "kept for 'stint advise RUN' (default: that of --plan)")

/* The folder of checkpoints. */
#define CHECKPOINT_OPTIONS \
    FIELD(TEXT, run_request, checkpoints, .value = "DIR", \
          .help = "watch the checkpoints in DIR and record the cost until each"), \
        FIELD(COUNT, run_request, keep, .value = "N", .positive = true, \
              .help = \
                  "keep the newest N checkpoints of this run, remove the others; with --best " \
                  "keep the best N and the newest"), \
        FIELD(TEXT, run_request, best, .value = "METRIC", \
              .help = "rank checkpoints by this metric: val_loss:min"), \
        FIELD(FLAG, run_request, prune_all, \
              .help = "count and remove checkpoints of other runs in DIR, too, with --keep")

/* What is measured and recorded. */
#define METER_OPTIONS \
    FIELD(FLAG, run_request, no_gpu, .help = "do not meter GPUs"), \
        FIELD(FLAG, run_request, no_ledger, .help = "do not record the run"), \
        RUN_TO_OPTIONS(run_request), \
        FIELD(SPAN, run_request, every, .value = "TIME", .fallback = "1s", .positive = true, \
              .help = "interval between measurements")

static const struct field request_fields[] = {
    FIELD(TEXTS, run_request, command, .operand = true, .required = true, .whole = true,
          .value = "COMMAND", .help = "command to run, with its arguments"),
    FIELD(TEXT, run_request, name, .value = "NAME",
          .help = "name of the run; the same name in the same folder resumes a run that did "
                  "not complete"),
    FIELD(FLAG, run_request, new_run, .help = "never resume a run of the same name"),
    FIELD(TEXTS, run_request, tag, .value = "KEY=VALUE", .help = "tags of the run: team=nlp"),
    FIELD(TEXT, run_request, resume, .value = "RUN",
          .help = "resume this run (an id, or 'last'); STINT_RESUME does the same"),

    GUARD_OPTIONS,
    FIELD(CHOICE, run_request, if_killed, .value = "WHAT", .choices = killed_names,
          .fallback = "stop",
          .help = "action when stint itself is killed: stop or leave the job"),
    EVENT_OPTIONS,

    COST_OPTIONS,

    FIELD(TEXTS, run_request, metrics, .whole = true, .value = "NAME=PATTERN",
          .help = "read a number from the output: 'loss=([0-9.]+)'"),
    FIELD(TEXT, run_request, metrics_file, .value = "FILE",
          .help = "read progress from lines of JSON appended to FILE"),
    FIELD(FLAG, run_request, progress, .help = "read progress from the command's output"),
    FIELD(FLAG, run_request, status,
          .help = "print a status line at the bottom of the terminal: cost, budget, GPU, time "
                  "left; in a log, a line from time to time"),
    FIELD(SPAN, run_request, heartbeat, .value = "TIME", .positive = true,
          .help = "interval between status lines in a log (10min with --status)"),
    FIELD(TEXT, run_request, summary, .value = "FILE",
          .help = "write the result as JSON to FILE (--json prints it after the command's own "
                  "output)"),
    FIELD(FLAG, run_request, quiet,
          .help = "print no summary at the end, and no warning about earlier runs"),
    METER_OPTIONS,
    CHECKPOINT_OPTIONS,
};

static const struct field attach_fields[] = {
    FIELD(COUNT, run_request, pid, .operand = true, .required = true, .positive = true,
          .value = "PID", .help = "process ID"),
    FIELD(TEXT, run_request, name, .value = "NAME",
          .help = "name of the run (default: its program); the same name in the same folder "
                  "resumes a run that did not complete"),
    FIELD(FLAG, run_request, new_run, .help = "never resume a run of the same name"),
    FIELD(TEXTS, run_request, tag, .value = "KEY=VALUE", .help = "tags of the run: team=nlp"),
    GUARD_OPTIONS,
    FIELD(FLAG, run_request, no_kill,
          .help = "never stop the process: at a limit request a checkpoint and warn"),
    FIELD(CHOICE, run_request, if_killed, .value = "WHAT", .choices = killed_names,
          .fallback = "leave",
          .help = "action when stint itself is killed: stop or leave the process"),
    EVENT_OPTIONS,

    COST_OPTIONS,

    FIELD(TEXT, run_request, metrics_file, .value = "FILE",
          .help = "read progress from lines of JSON appended to FILE"),
    FIELD(SPAN, run_request, heartbeat, .value = "TIME", .positive = true,
          .help = "interval between status lines"),
    FIELD(TEXT, run_request, summary, .value = "FILE",
          .help = "write the result as JSON to FILE"),
    FIELD(FLAG, run_request, quiet, .help = "print no line at the start, and no summary"),
    METER_OPTIONS,
    CHECKPOINT_OPTIONS,
    FIELD(FLAG, run_request, ancestor,
          .help = "allow a process that started this command: 'stint attach --ancestor $$ &'"),
    FIELD(COUNT, run_request, ready_fd, .value = "N", .positive = true,
          .help = "write a line of JSON to this descriptor when metering has begun: id, "
                  "attempt, socket"),
};

const struct field_set run_request_fields = FIELD_SET(struct run_request, request_fields);
const struct field_set attach_request_fields = FIELD_SET(struct run_request, attach_fields);

#define RUN(label, kind, member, ...) FIELD_AS(label, kind, run_result, member, __VA_ARGS__)

static const struct field result_fields[] = {
    RUN("id", CHARS, ended.id, .help = "run ID"),
    RUN("name", TEXT, name, .help = "run name"),
    RUN("state", ENUM, ended.state, FIELD_NAMES(ledger_state_names),
        .help = "final state: done, failed, stopped or preempted"),
    RUN("reason", ENUM, ended.reason, FIELD_NAMES(stop_reason_names),
        .help = "guard that stopped it; null: none"),
    RUN("detail", CHARS, ended.why, .help = "details in one sentence"),
    RUN("attempt", COUNT, ended.attempt, .help = "number of this attempt"),
    RUN("exit_status", COUNT, ended.status,
        .help = "exit status of the command, or 5 if a guard stopped it; null: unknown"),
    RUN("exit_signal", COUNT, ended.signal, .help = "signal that ended the command; 0: none"),
    RUN("attached_pid", COUNT, attached_pid,
        .help = "process that was already running; null: the command was started"),
    RUN("ran_before", SPAN, ran_before,
        .help = "time before metering began, which was not measured"),
    RUN("recorded", FLAG, ended.recorded, .help = "run is recorded in the ledger"),
    RUN("sent_to", TEXT, sent_to, .empty_unknown = true,
        .help = "server that receives it (--to); null: a ledger records it"),
    RUN("elapsed", SPAN, ended.elapsed, .help = "duration from start to end"),
    RUN("cost", USD, ended.totals.cost, .help = "cost of this attempt"),
    RUN("before", USD, ended.before, .help = "cost of earlier attempts"),
    RUN("budget", USD, ended.budget, .help = "budget of the run"),
    RUN("reserve", SPAN, ended.reserve,
        .help = "time reserved for the last save before a limit"),
    RUN("reserve_cost", USD, ended.reserve_cost, .help = "cost of the reserved time"),
    RUN("reserve_why", CHARS, ended.reserve_why, .help = "basis of the reserved time"),
    RUN("rate", RATE, rate, .help = "price of the machine, or of its electricity at the end"),
    RUN("pays", TEXT, ended.totals.pays, .empty_unknown = true,
        .help = "pricing: machine (all of its price, or a share of it), fixed (--share), "
                "inside (another run pays)"),
    RUN("share", NUMBER, share, .help = "mean share of the machine's price"),
    RUN("sharers", COUNT, ended.totals.sharers_most,
        .help = "highest number of runs that shared the price"),
    RUN("price_source", TEXT, price.source, .help = "source of the price"),
    RUN("offer", TEXT, price.offer, .help = "machine used"),
    RUN("compute", USD, ended.totals.compute,
        .help = "cost of the machine's time or electricity"),
    RUN("setup", USD, ended.totals.setup, .help = "cost of preparing the machine"),
    RUN("storage", USD, ended.totals.storage, .help = "cost of storing data"),
    RUN("transfer", USD, ended.totals.transfer, .help = "cost of moving data"),
    RUN("extra", USD, ended.totals.extra, .help = "costs added by --extra"),
    RUN("set_up_phase", USD, ended.totals.phase[PHASE_SETUP],
        .help = "compute cost until training began"),
    RUN("data_phase", USD, ended.totals.phase[PHASE_DATA],
        .help = "compute cost of waiting for data"),
    RUN("train_phase", USD, ended.totals.phase[PHASE_TRAIN],
        .help = "compute cost of training"),
    RUN("evaluate_phase", USD, ended.totals.phase[PHASE_EVALUATE],
        .help = "compute cost of evaluation"),
    RUN("checkpoint_phase", USD, ended.totals.phase[PHASE_CHECKPOINT],
        .help = "compute cost of saving checkpoints"),
    RUN("idle_phase", USD, ended.totals.phase[PHASE_IDLE], .help = "compute cost of idle time"),
    RUN("energy_kwh", NUMBER, ended.totals.joules, .divisor = JOULES_PER_KWH,
        .help = "energy of the process tree and its devices, kWh"),
    RUN("energy_method", CHARS, ended.energy_method,
        .help = "method: counter, sampled, modeled, their shares, or unknown"),
    RUN("energy_error", NUMBER, ended.totals.energy_error,
        .help = "relative error of the energy"),
    RUN("carbon_g", NUMBER, ended.totals.grams, .help = "carbon, g CO2e"),
    RUN("carbon_source", TEXT, price.carbon_source, .help = "source of the carbon intensity"),
    RUN("cpu_s", NUMBER, ended.totals.cpu_s, .help = "CPU seconds of the process tree"),
    RUN("memory_peak", NUMBER, ended.totals.memory_peak,
        .help = "peak memory of the process tree, bytes"),
    RUN("read", NUMBER, ended.totals.read, .help = "bytes read from storage"),
    RUN("written", NUMBER, ended.totals.written, .help = "bytes written to storage"),
    RUN("received", NUMBER, ended.totals.received,
        .help = "bytes received over the network by this machine"),
    RUN("sent", NUMBER, ended.totals.sent,
        .help = "bytes sent over the network by this machine"),
    RUN("gpu", CHARS, ended.gpu, .help = "GPUs that the process tree used"),
    RUN("gpus", COUNT, ended.totals.gpus, .help = "number of GPUs used"),
    RUN("gpu_busy", NUMBER, ended.totals.gpu_busy, .help = "busy share of their time"),
    RUN("gpu_memory_peak", NUMBER, ended.totals.gpu_memory_peak,
        .help = "peak memory of the fullest GPU, bytes"),
    RUN("gpu_memory_total", NUMBER, ended.totals.gpu_memory_total,
        .help = "memory of that GPU, bytes"),
    RUN("gpu_memory_run", NUMBER, ended.totals.gpu_memory_run,
        .help = "peak memory of the run's own processes on one GPU, bytes"),
    RUN("score", NUMBER, ended.totals.score, .help = "efficiency, 0 to 100"),
    RUN("seed_score", NUMBER, ended.totals.seed_score,
        .help = "weighted score: 0.7 utilization + 0.3 memory over 95 %, 0 to 100"),
    RUN("verdict", TEXT, verdict, .help = "verdict on the size of the machine"),
    RUN("verdict_text", TEXT, verdict_text, .empty_unknown = true,
        .help = "verdict in one sentence"),
    RUN("step", NUMBER, ended.totals.step, .help = "last step reached"),
    RUN("steps", NUMBER, ended.totals.steps, .help = "steps planned"),
    RUN("loss", NUMBER, ended.totals.loss, .help = "last value of the watched metric"),
    RUN("checkpoint_bytes", NUMBER, ended.totals.checkpoint_bytes,
        .help = "size of the checkpoints that are kept"),
    RUN("checkpoint_month", USD, checkpoint_month,
        .help = "monthly cost of storing them in the provider's object store; not in the cost"),
    RUN("removed", COUNT, ended.removed, .help = "checkpoints removed by --keep"),
    RUN("removed_bytes", NUMBER, ended.removed_bytes, .help = "bytes freed"),
    RUN("removed_names", TEXTS, removed_names, .help = "names of the first removed ones"),
    RUN("estimated_cost", USD, predicted.cost, .help = "cost predicted by the plan or the job"),
    RUN("estimated_time", SPAN, predicted.time,
        .help = "duration predicted by the plan or the job"),
    RUN("hint", TEXT, hint, .help = "way to make more values known"),
};

const struct field_set run_result_fields = FIELD_SET(struct run_result, result_fields);
