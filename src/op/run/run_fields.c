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
              .help = "the same for all runs of the month (default: the configured budget)"), \
        FIELD(SPAN, run_request, deadline, .value = "TIME", .positive = true, \
              .help = "stop the run after this time"), \
        FIELD(SPAN, run_request, grace, .value = "TIME", \
              .help = "time reserved for the last save before a limit (default: from earlier " \
                      "saves, or memory in use and disk speed)"), \
        FIELD(SPAN, run_request, idle, .value = "TIME", .positive = true, \
              .help = "act when nothing of the run was busy for this time"), \
        FIELD(SHARE, run_request, idle_below, .value = "SHARE", \
              .help = "idle means less use than this of a GPU, of one core, or of 10 MB/s of " \
                      "disk or network (default: 5%)"), \
        FIELD(TEXT, run_request, idle_do, .value = "ACTION", \
              .help = "when idle: warn, checkpoint, stop (the default), or run this command"), \
        FIELD(TEXT, run_request, early_stop, .value = "RULE", \
              .help = "stop when a metric no longer improves: val_loss:min,patience=3"), \
        FIELD(FLAG, run_request, keep_diverging, \
              .help = "do not stop when the loss is no longer a finite number"), \
        FIELD(FLAG, run_request, stop_diverging, \
              .help = "stop when the loss has grown tenfold, too (default: only warn)"), \
        FIELD(TEXT, run_request, checkpoint_signal, .value = "SIGNAL", .fallback = "USR1", \
              .help = "signal that asks for a checkpoint, sent only to processes that catch " \
                      "it; or none"), \
        FIELD(TEXT, run_request, checkpoint_command, .value = "COMMAND", \
              .help = "command that asks for a checkpoint, instead of a signal"), \
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
              .help = "job file or tool configuration that this run is: kept for 'stint " \
                      "advise RUN' (default: that of --plan)")

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
        FIELD( \
            FLAG, run_request, prune_all, \
            .help = \
                "with --keep, also count and remove checkpoints that other runs wrote to DIR")

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
          .help =
              "name of the run; the same name in the same folder resumes a run that did not "
              "end well"),
    FIELD(FLAG, run_request, new_run, .help = "never resume a run of the same name"),
    FIELD(TEXTS, run_request, tag, .value = "KEY=VALUE", .help = "tag the run: team=nlp"),
    FIELD(TEXT, run_request, resume, .value = "RUN",
          .help = "resume this run (an id, or 'last'); STINT_RESUME does the same"),

    GUARD_OPTIONS,
    FIELD(CHOICE, run_request, if_killed, .value = "WHAT", .choices = killed_names,
          .fallback = "stop", .help = "stop or leave the job when stint itself is killed"),
    EVENT_OPTIONS,

    COST_OPTIONS,

    FIELD(TEXTS, run_request, metrics, .whole = true, .value = "NAME=PATTERN",
          .help = "read a number from the output: 'loss=([0-9.]+)'"),
    FIELD(TEXT, run_request, metrics_file, .value = "FILE",
          .help = "read progress from lines of JSON appended to FILE"),
    FIELD(FLAG, run_request, progress, .help = "read progress from what the command prints"),
    FIELD(FLAG, run_request, status,
          .help = "print a status line at the bottom of the terminal: cost, budget, GPU, time "
                  "left; in a log, a line from time to time"),
    FIELD(SPAN, run_request, heartbeat, .value = "TIME", .positive = true,
          .help = "in a log, print a status line this often (10min with --status)"),
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
          .value = "PID", .help = "number of the process"),
    FIELD(TEXT, run_request, name, .value = "NAME",
          .help = "name of the run (default: its program); the same name in the same folder "
                  "resumes a run that did not end well"),
    FIELD(FLAG, run_request, new_run, .help = "never resume a run of the same name"),
    FIELD(TEXTS, run_request, tag, .value = "KEY=VALUE", .help = "tag the run: team=nlp"),
    GUARD_OPTIONS,
    FIELD(FLAG, run_request, no_kill,
          .help = "at a limit ask for a checkpoint and warn, but never stop the process"),
    FIELD(CHOICE, run_request, if_killed, .value = "WHAT", .choices = killed_names,
          .fallback = "leave", .help = "stop or leave the process when stint itself is killed"),
    EVENT_OPTIONS,

    COST_OPTIONS,

    FIELD(TEXT, run_request, metrics_file, .value = "FILE",
          .help = "read progress from lines of JSON appended to FILE"),
    FIELD(SPAN, run_request, heartbeat, .value = "TIME", .positive = true,
          .help = "print a status line this often"),
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
    RUN("id", CHARS, ended.id, .help = "of the run"),
    RUN("name", TEXT, name, .help = "of the run"),
    RUN("state", ENUM, ended.state, FIELD_NAMES(ledger_state_names),
        .help = "done, failed, stopped or preempted"),
    RUN("reason", ENUM, ended.reason, FIELD_NAMES(stop_reason_names),
        .help = "which guard ended it; null: none"),
    RUN("why", CHARS, ended.why, .help = "in a sentence"),
    RUN("attempt", COUNT, ended.attempt, .help = "number of this attempt"),
    RUN("exit_status", COUNT, ended.status,
        .help = "of the command, or 5 by a guard; null: not known"),
    RUN("exit_signal", COUNT, ended.signal, .help = "that ended the command; 0: none"),
    RUN("attached_pid", COUNT, attached_pid,
        .help = "process that was already running; null: the command was started"),
    RUN("ran_before", SPAN, ran_before,
        .help = "time that it ran before, which was not measured"),
    RUN("recorded", FLAG, ended.recorded, .help = "it is in the ledger"),
    RUN("sent_to", TEXT, sent_to, .empty_unknown = true,
        .help = "server that receives it (--to); null: a ledger has it"),
    RUN("elapsed", SPAN, ended.elapsed, .help = "from start to end"),
    RUN("cost", USD, ended.totals.cost, .help = "of this attempt"),
    RUN("before", USD, ended.before, .help = "of earlier attempts"),
    RUN("budget", USD, ended.budget, .help = "of the run"),
    RUN("reserve", SPAN, ended.reserve, .help = "kept for the last save before a limit"),
    RUN("reserve_cost", USD, ended.reserve_cost, .help = "cost of that time"),
    RUN("reserve_why", CHARS, ended.reserve_why, .help = "what it was derived from"),
    RUN("rate", RATE, rate, .help = "of the machine, or of its electricity at the end"),
    RUN("pays", TEXT, ended.totals.pays, .empty_unknown = true,
        .help = "machine (all of its price, or a share of it), fixed (--share), inside "
                "(another run pays)"),
    RUN("share", NUMBER, share, .help = "of the machine's price that it paid, on average"),
    RUN("sharers", COUNT, ended.totals.sharers_most,
        .help = "runs that divided the price, at most"),
    RUN("price_source", TEXT, price.source, .help = "where the price comes from"),
    RUN("offer", TEXT, price.offer, .help = "machine"),
    RUN("compute", USD, ended.totals.compute, .help = "for the machine's time or electricity"),
    RUN("setup", USD, ended.totals.setup, .help = "for preparing the machine"),
    RUN("storage", USD, ended.totals.storage, .help = "for storing data"),
    RUN("transfer", USD, ended.totals.transfer, .help = "for moving data"),
    RUN("extra", USD, ended.totals.extra, .help = "added by --extra"),
    RUN("set_up_phase", USD, ended.totals.phase[PHASE_SETUP],
        .help = "of compute: until training began"),
    RUN("data_phase", USD, ended.totals.phase[PHASE_DATA], .help = "waiting for data"),
    RUN("train_phase", USD, ended.totals.phase[PHASE_TRAIN], .help = "training"),
    RUN("evaluate_phase", USD, ended.totals.phase[PHASE_EVALUATE], .help = "evaluating"),
    RUN("checkpoint_phase", USD, ended.totals.phase[PHASE_CHECKPOINT], .help = "saving"),
    RUN("idle_phase", USD, ended.totals.phase[PHASE_IDLE], .help = "doing nothing"),
    RUN("energy_kwh", NUMBER, ended.totals.joules, .divisor = JOULES_PER_KWH,
        .help = "kWh of the process tree and its devices"),
    RUN("energy_method", CHARS, ended.energy_method,
        .help = "counter, sampled, modelled, their shares, or unknown"),
    RUN("energy_error", NUMBER, ended.totals.energy_error, .help = "of it, as a fraction"),
    RUN("carbon_g", NUMBER, ended.totals.grams, .help = "grams of CO2e"),
    RUN("carbon_source", TEXT, price.carbon_source, .help = "where the intensity comes from"),
    RUN("cpu_s", NUMBER, ended.totals.cpu_s, .help = "processor seconds of the tree"),
    RUN("memory_peak", NUMBER, ended.totals.memory_peak, .help = "bytes, of the tree"),
    RUN("read", NUMBER, ended.totals.read, .help = "bytes from storage"),
    RUN("written", NUMBER, ended.totals.written, .help = "bytes to storage"),
    RUN("received", NUMBER, ended.totals.received,
        .help = "bytes received over the network by this machine"),
    RUN("sent", NUMBER, ended.totals.sent, .help = "bytes sent"),
    RUN("gpu", CHARS, ended.gpu, .help = "GPUs that the tree used"),
    RUN("gpus", COUNT, ended.totals.gpus, .help = "number of GPUs used"),
    RUN("gpu_busy", NUMBER, ended.totals.gpu_busy,
        .help = "share of the time that they were busy"),
    RUN("gpu_memory_peak", NUMBER, ended.totals.gpu_memory_peak,
        .help = "bytes, of the fullest"),
    RUN("gpu_memory_total", NUMBER, ended.totals.gpu_memory_total, .help = "bytes of that GPU"),
    RUN("gpu_memory_run", NUMBER, ended.totals.gpu_memory_run,
        .help = "bytes of one GPU that the run's own processes used, at most"),
    RUN("score", NUMBER, ended.totals.score, .help = "efficiency, 0 to 100"),
    RUN("seed_score", NUMBER, ended.totals.seed_score,
        .help = "0.7 use + 0.3 memory over 95 %, 0 to 100"),
    RUN("verdict", TEXT, verdict, .help = "is the machine of the right size?"),
    RUN("verdict_text", TEXT, verdict_text, .empty_unknown = true, .help = "in a sentence"),
    RUN("step", NUMBER, ended.totals.step, .help = "last step reached"),
    RUN("steps", NUMBER, ended.totals.steps, .help = "steps planned"),
    RUN("loss", NUMBER, ended.totals.loss, .help = "last value"),
    RUN("checkpoint_bytes", NUMBER, ended.totals.checkpoint_bytes,
        .help = "of checkpoints that are kept"),
    RUN("checkpoint_month", USD, checkpoint_month,
        .help = "storing them for a month in the provider's object store; not in the cost"),
    RUN("removed", COUNT, ended.removed, .help = "checkpoints that --keep removed"),
    RUN("removed_bytes", NUMBER, ended.removed_bytes, .help = "bytes freed"),
    RUN("removed_names", TEXTS, removed_names, .help = "names of the first ones"),
    RUN("estimated_cost", USD, price.estimate.cost, .help = "predicted by the plan"),
    RUN("estimated_time", SPAN, price.estimate.time, .help = "predicted by the plan"),
    RUN("hint", TEXT, hint, .help = "what would make more known"),
};

const struct field_set run_result_fields = FIELD_SET(struct run_result, result_fields);
