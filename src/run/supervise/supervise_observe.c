/* What the supervisor sees each second, and whenever the program reports something. */
#include <malloc.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "meter/tree.h"
#include "run/supervise/score.h"
#include "run/supervise/supervise_internal.h"
#include "run/terminal/status.h"
#include "unit/time.h"

/* ---- the history of metrics, and recording it ---- */

#define EVERY (30 * SECOND) /* between two records: a machine that dies loses so much of it */

void sup_record_metrics(const struct sup_record *record, struct sup_told *told, bool last)
{
    struct ledger_metric changed[LEDGER_METRICS];
    instant now = clock_paid();
    size_t count;

    if (record->recorder == NULL || (!last && now.ns - told->metrics_recorded.ns < EVERY))
        return;
    count = metric_history_changed(&told->metrics, changed);
    if (count == 0)
        return;
    told->metrics_recorded = now;
    for (size_t i = 0; i < count; i++)
        recorder_metric(record->recorder, &changed[i]);
    metric_history_recorded(&told->metrics);
}

static void report_left_out(struct supervisor *s)
{
    const struct metric_history *h = &s->told.metrics;

    if (h->left_out == 0)
        return;
    sup_event(s, "metrics-left-out", s->options->quiet,
              "warning: %lld %s of metrics not recorded: %d names are kept%s%s%s",
              (long long)h->left_out, h->left_out == 1 ? "value" : "values", LEDGER_METRICS,
              h->left_name[0] != '\0' ? ", and '" : "", h->left_name,
              h->left_name[0] != '\0' ? "' was one more" : "");
}

/* ---- reports that are missing or not understood: printed once, so that no guard is relied on
 * that sees nothing ---- */

#define LINES_ENOUGH 30            /* that had other metrics */
#define TIME_ENOUGH (120 * SECOND) /* without what is waited for */

static const char *report_source(bool of_file)
{
    return of_file ? "--metrics-file" : "STINT_SOCKET";
}

static void refuse_report(void *ctx, bool of_file, const char *why)
{
    struct supervisor *s = ctx;

    if (s->told.refused[of_file]++ == 0)
        sup_event(s, "not-understood", false, "warning: a line on %s was not understood: %s",
                  report_source(of_file), why);
}

static void stop_on_request(void *ctx)
{
    struct supervisor *s = ctx;

    s->told.stop_asked = s->told.stop_asked || !s->end.begun;
    sup_stop_run(s, STOP_USER, "requested by 'stint stop' or 'stint top'");
}

/* What it can be asked for has changed; one that comes late is asked at once. */
static void note_listener(void *ctx)
{
    struct supervisor *s = ctx;

    s->guard.program_seen = s->save.next_program = (instant){0};
    if (s->end.asked)
        sup_tell_save(s, clock_paid());
}

/* "early stopping: 'nosuch' was never seen; seen: train_loss, val_loss". */
static void report_missing_metric(struct supervisor *s, const char *who, struct str name,
                                  bool last)
{
    struct buf seen = buf_new(s->options->alloc, METRIC_SEEN * METRIC_NAME + 64);

    metric_seen(s->told.reader, &seen);
    sup_event(s, "metric-missing", last && s->options->quiet,
              "warning: %s: '%.*s' %s; seen: %.*s", who, STR_ARG(name),
              last ? "was never seen" : "has not been seen yet",
              seen.len > 0 ? (int)seen.len : 7, seen.len > 0 ? seen.at : "nothing");
    buf_free(&seen);
}

static void report_all_missing(struct supervisor *s, bool last)
{
    const struct supervise_options *o = s->options;
    struct str stops = o->stops_early ? str_from(o->early_stop.metric) : (struct str){0};
    const char *unmatched[METRIC_USER];
    size_t count = metric_unmatched(s->told.reader, unmatched);

    if (stops.len > 0 && metric_missing(s->told.reader, stops))
        report_missing_metric(s, "early stopping", stops, last);
    if (o->checkpoint_rules.metric.len > 0 &&
        metric_missing(s->told.reader, o->checkpoint_rules.metric))
        report_missing_metric(s, "the best checkpoint", o->checkpoint_rules.metric, last);
    for (size_t i = 0; i < o->metrics.len; i++)
        if (!str_eq(o->metrics.at[i], stops) &&
            metric_missing(s->told.reader, o->metrics.at[i]))
            report_missing_metric(s, "--metrics", o->metrics.at[i], last);
    for (size_t i = 0; i < count; i++)
        sup_event(s, "metric-missing", last && s->options->quiet,
                  "warning: --metrics %s: the pattern %s a line", unmatched[i],
                  last ? "never matched" : "has not matched");
    if (o->metrics_file != NULL && !inbox_has_file(s->told.inbox))
        sup_event(s, "metric-missing", last && s->options->quiet,
                  "warning: --metrics-file %s: %s", o->metrics_file,
                  last ? "there was no such file" : "there is no such file yet");
}

/* each second */
static void check_missing(struct supervisor *s, instant now)
{
    if (s->told.missing_reported ||
        (metric_updates(s->told.reader) < LINES_ENOUGH && now.ns - s->began.ns < TIME_ENOUGH))
        return;
    s->told.missing_reported = true;
    report_all_missing(s, false);
}

void sup_report_missing(struct supervisor *s)
{
    report_all_missing(s, true);
    report_left_out(s);
    for (int i = 0; i < 2; i++)
        if (s->told.refused[i] > 1 && !s->options->quiet)
            sup_print(s, "warning: %ld lines on %s were not understood", s->told.refused[i],
                      report_source(i == 1));
}

/* ---- the debug log (STINT_LOG=debug): each change once, and a limited number of lines ---- */

#define LINES_MOST 2000
#define LIMIT_MOVED (2 * SECOND) /* a limit that moves by less is the same */

void sup_log(struct supervisor *s, const char *fmt, ...)
{
    char text[600];
    va_list arguments;

    if (s->options->log == NULL || s->logged.lines > LINES_MOST)
        return;
    va_start(arguments, fmt);
    (void)vsnprintf(text, sizeof text, fmt, arguments);
    va_end(arguments);
    log_write(s->options->log, LOG_DEBUG, "%s", text);
    if (++s->logged.lines > LINES_MOST)
        log_write(s->options->log, LOG_DEBUG, "run: %d lines are enough: no more is logged",
                  LINES_MOST);
}

static void log_limit(struct supervisor *s, instant now)
{
    int64_t moved = s->guard.limit.ns - s->logged.limit.ns;
    struct buf left;

    if (s->guard.limit_reason == s->logged.limit_reason &&
        (s->guard.limit_reason == STOP_NONE || (moved < LIMIT_MOVED && moved > -LIMIT_MOVED)))
        return;
    s->logged.limit = s->guard.limit;
    s->logged.limit_reason = s->guard.limit_reason;
    if (s->guard.limit_reason == STOP_NONE) {
        sup_log(s, "guard: no limit");
        return;
    }
    left = buf_new(s->options->alloc, 64);
    span_write(span_between(now, s->guard.limit), &left);
    sup_log(s, "guard: %s ends the run in %.*s", stop_reason_names[s->guard.limit_reason],
            (int)left.len, left.len > 0 ? left.at : "");
    buf_free(&left);
}

static void log_reserve(struct supervisor *s)
{
    struct buf why;

    if (s->save.reserve.basis == s->logged.reserve.basis &&
        !reserve_differs(&s->logged.reserve, &s->save.reserve))
        return;
    s->logged.reserve = s->save.reserve;
    why = buf_new(s->options->alloc, 300);
    reserve_explain(&s->save.reserve, &why);
    sup_log(s, "reserve: %.1f s: %.*s", (double)s->save.reserve.time.ns / 1e9, (int)why.len,
            why.len > 0 ? why.at : "");
    buf_free(&why);
}

static void log_program(struct supervisor *s)
{
    const struct guard_program *was = &s->logged.program, *now = &s->guard.program;

    if (was->saves_on_ask != now->saves_on_ask || was->saves_on_term != now->saves_on_term)
        sup_log(s, "program: %s, %s",
                now->saves_on_ask ? "can be asked to save" : "cannot be asked to save",
                now->saves_on_term ? "catches SIGTERM" : "does not catch SIGTERM");
    if (was->saving != now->saving)
        sup_log(s, "save: %s", now->saving ? "under way" : "over");
    s->logged.program = s->guard.program;
}

static void log_price(struct supervisor *s)
{
    double was = usd_per_hour_double(s->logged.rate),
           is = usd_per_hour_double(s->money.account.rate);
    struct buf text;

    if (s->logged.rate.nano == s->money.account.rate.nano || fabs(is - was) < 0.05 * fabs(was))
        return;
    s->logged.rate = s->money.account.rate;
    text = buf_new(s->options->alloc, 64);
    usd_per_hour_write(s->money.account.rate, &text);
    sup_log(s, "price: %.*s", (int)text.len, text.len > 0 ? text.at : "");
    buf_free(&text);
}

/* What cannot be measured, and when it can again. */
static void log_trouble(struct supervisor *s, const char *what, bool missing, bool *logged)
{
    if (missing == *logged)
        return;
    *logged = missing;
    sup_log(s, "meters: %s %s", what, missing ? "cannot be measured" : "is measured again");
}

static void log_changes(struct supervisor *s, instant now)
{
    bool idle = s->guard.idle.since.ns != MOMENT_NEVER.ns;

    if (s->options->log == NULL || s->options->log->level < LOG_DEBUG)
        return;
    log_limit(s, now);
    log_reserve(s);
    log_program(s);
    log_price(s);
    if (s->told.phase != s->logged.phase)
        sup_log(s, "phase: %s after %s", phase_name(s->told.phase),
                phase_name(s->logged.phase));
    s->logged.phase = s->told.phase;
    if (idle != s->logged.idle && s->options->idle.after.ns >= 0)
        sup_log(s, "guard: %s", idle ? "idle from now on" : "idle no more");
    s->logged.idle = idle;
    if (!s->seen.sampled)
        return;
    if (s->seen.sample.gpus != s->logged.gpus)
        sup_log(s, "meters: %zu devices found", s->seen.sample.gpus);
    s->logged.gpus = s->seen.sample.gpus;
    log_trouble(s, "energy", isnan(s->seen.previous_joules), &s->logged.no_energy);
    log_trouble(s, "memory", isnan(s->seen.sample.tree.memory), &s->logged.no_memory);
}

/* ---- meters ---- */

#define JUMP_S 3 /* a calendar that moved by more was set, not drifting */

/* Our own helpers are no part of the run. */
static void leave_out_helpers(const struct sup_processes *proc, struct tree *tree)
{
    tree_leave_out(tree, proc->keeper.pid);
    tree_leave_out(tree, proc->notice_pid);
    for (size_t i = 0; i < HOOKS_MOST; i++)
        if (proc->hooks.at[i].pid > 0)
            tree_leave_out(tree, proc->hooks.at[i].pid);
}

struct tree *sup_tree(struct supervisor *s)
{
    const struct attach_target *target = s->options->target;
    struct error ignored;

    /* Orphans of another's process do not become ours: only who looks often knows of them. */
    if (s->seen.tree_metered)
        return meters_tree(s->seen.meters);
    if (s->seen.tree == NULL) {
        s->seen.tree = tree_open(target != NULL ? target->pid : getpid(), NULL, NULL,
                                 s->options->alloc, &ignored);
        if (s->seen.tree != NULL && target != NULL)
            (void)tree_include_top(s->seen.tree);
        else if (s->seen.tree != NULL)
            leave_out_helpers(&s->proc, s->seen.tree);
    }
    return s->seen.tree;
}

static void open_meters(struct supervisor *s)
{
    struct meter_options options = s->options->meters;
    const pid_t *pids;
    struct error err = {0};

    options.cgroup = &s->proc.cgroup;
    /* What finding the price took is not to be carried through days of running; a command that
     * has ended by now need not wait for it. */
    (void)malloc_trim(0);
    s->seen.meters = meters_open(&options, s->options->alloc, &err);
    if (s->seen.meters == NULL) {
        log_write(s->options->log, LOG_WARN, "meters: %s", err.text);
    } else {
        if (s->options->target == NULL)
            leave_out_helpers(&s->proc, meters_tree(s->seen.meters));
        else /* one that was ending left nothing to find the others by */
            s->seen.tree_metered = tree_members(meters_tree(s->seen.meters), &pids) >=
                                   tree_members(s->seen.tree, &pids);
        meters_exact(s->seen.meters);
    }
}

/* ---- what the program prints and reports ---- */

static void check_early_stop(struct supervisor *s, const struct metric_update *update)
{
    char why[STOP_WHY];
    double value;

    if (!metric_find(update, str_from(s->guard.stopping.options.metric), &value))
        return;
    s->told.watched = value;
    if (!isfinite(value) && !s->options->stops_divergence)
        return;
    switch (stop_see(&s->guard.stopping, value, why)) {
    case STOP_GO_ON:
        break;
    case STOP_WARN:
        sup_event(s, "early-stop-near", false, "early stopping is near: %s", why);
        break;
    case STOP_NOW:
        sup_stop_run(s, STOP_EARLY, why);
        break;
    }
}

static void check_divergence(struct supervisor *s, double loss)
{
    char why[STOP_WHY];
    enum divergence found =
        divergence_see(&s->guard.diverging, loss, s->told.progress.step, why);

    if (found == DIVERGENCE_NOT_FINITE
            ? s->options->stops_divergence
            : found == DIVERGENCE_GROWN && s->options->stops_growth) {
        sup_stop_run(s, STOP_DIVERGED, why);
    } else if (found == DIVERGENCE_GROWN && !s->guard.growth_reported) {
        s->guard.growth_reported = true;
        sup_event(s, "loss-grown", false,
                  "warning: %s; the run continues (--stop-diverging stops such a run)", why);
    }
}

/* Losses that are not finite and do not stop the run: each is reported once. One value may be
 * of a single odd batch, as with the run's own loss. */
static void report_other_losses(struct supervisor *s, const struct metric_update *update)
{
    if (s->end.begun || !s->options->stops_divergence ||
        (update->own_loss && !isfinite(update->loss)))
        return;
    for (int i = 0; i < update->named_count; i++) {
        const char *name = update->named[i].name;
        double value = update->named[i].value;

        if (isfinite(value) || !metric_is_loss(name) ||
            metric_history_odd(&s->told.metrics, name) != DIVERGENCE_TIMES)
            continue;
        sup_event(s, "other-loss", false,
                  "warning: %s is %s; the run continues, since it is not the loss of training",
                  name, isnan(value) ? "not a number" : "infinite");
    }
}

static void apply_update(struct supervisor *s, const struct metric_update *update)
{
    progress_see(&s->told.progress, update, clock_paid());
    s->told.sight.stepped |= !update->evaluated && (!isnan(update->step) || update->has_loss);
    s->told.sight.evaluated |= update->evaluated;
    if (!s->options->stops_early && update->has_loss) {
        s->told.watched = update->loss;
        if (!(s->told.watched_best <= update->loss))
            s->told.watched_best = update->loss;
    }
    score_add_mfu(&s->seen.score, metric_value(update, STR("mfu")));
    if (update->phase >= 0)
        s->told.sight.reported = update->phase;
    metric_history_see(&s->told.metrics, update, s->told.progress.step,
                       (double)(clock_paid().ns - s->began.ns) / 1e9);
    report_other_losses(s, update);
    if (s->save.checkpoints != NULL)
        history_see(&s->told.history, update, &s->told.progress, s->proc.heard_from,
                    clock_paid());
    if (update->saved)
        sup_event(s, "checkpoint", true, "the program saved a checkpoint %.*s",
                  STR_ARG(update->saved_path));
    s->end.saved_since_asked |= update->saved && s->end.asked;
    if (s->end.begun)
        return;
    if (update->own_loss)
        check_divergence(s, update->loss);
    if (!s->end.begun && s->options->stops_early)
        check_early_stop(s, update);
}

static void read_output_line(void *ctx, struct str line, bool is_error)
{
    struct supervisor *s = ctx;
    struct metric_update update;

    (void)is_error;
    if (!metric_glance(s->told.reader, line))
        return;
    if (!metric_allows(&s->told.allowance, clock_paid()))
        s->told.history.values.lossy = true;
    else if (metric_line(s->told.reader, line, &update))
        apply_update(s, &update);
}

/* A line of the socket, or of --metrics-file. */
static void read_report(void *ctx, struct str line, bool of_file)
{
    struct supervisor *s = ctx;
    struct metric_update update;
    struct error err = {0};

    if (!metric_json(s->told.reader, line, &update, &err)) {
        refuse_report(s, of_file, err.text);
        return;
    }
    apply_update(s, &update);
    if (update.saved && !s->end.begun)
        sup_count_reported_save(s, update.saved_path);
}

/* Later: what writes messages is in the middle of writing. */
static void note_unwritten_output(void *ctx, bool is_error, int system_error)
{
    struct supervisor *s = ctx;

    s->told.unwritten = is_error ? STDERR_FILENO : STDOUT_FILENO;
    s->told.unwritten_why = system_error;
}

void sup_report_unwritten(struct supervisor *s)
{
    int why = s->told.unwritten_why;

    if (why == 0)
        return;
    s->told.unwritten_why = 0;
    sup_event(s, "output-lost", false,
              "warning: standard %s cannot be written (%s): the command continues, and its "
              "output is lost until it can",
              s->told.unwritten == STDERR_FILENO ? "error" : "output", strerror(why));
}

/* ---- the readers ---- */

/* The user's patterns, and the metrics of early stopping and of checkpoints by their names. */
static bool wanted_metrics(struct supervisor *s, struct strs *out, struct error *err)
{
    const struct supervise_options *o = s->options;
    struct str *all = arena_array(&s->arena, struct str, o->metrics.len + 2, err);

    if (all == NULL)
        return false;
    if (o->metrics.len > 0)
        memcpy(all, o->metrics.at, o->metrics.len * sizeof *all);
    *out = (struct strs){all, o->metrics.len};
    if (o->stops_early)
        all[out->len++] = str_from(o->early_stop.metric);
    if (o->checkpoint_rules.metric.len > 0)
        all[out->len++] = o->checkpoint_rules.metric;
    return true;
}

bool sup_open_readers(struct supervisor *s, struct error *err)
{
    const struct supervise_options *o = s->options;
    struct strs wanted;
    struct inbox_options inbox = {.id = s->result->id,
                                  .file = o->metrics_file,
                                  .line = read_report,
                                  .refused = refuse_report,
                                  .stop = stop_on_request,
                                  .listens = note_listener,
                                  .ask = sup_answer,
                                  .ctx = s};
    struct relay_options relay = {.line = o->read_output ? read_output_line : NULL,
                                  .unwritten = note_unwritten_output,
                                  .ctx = s,
                                  .status = o->status};

    if (!wanted_metrics(s, &wanted, err) ||
        !metric_history_start(&s->told.metrics, wanted, &s->arena, err))
        return false;
    s->told.reader = metric_open(wanted, &s->arena, err);
    if (s->told.reader == NULL)
        return false;
    s->told.inbox = inbox_open(&inbox, o->alloc, err);
    if (s->told.inbox == NULL || !sup_open_checkpoints(s, err))
        return false;
    if (inbox_path(s->told.inbox) == NULL) {
        sup_print(
            s,
            "warning: no socket for 'stint stop', 'stint top' and the program's progress: %s",
            inbox_trouble(s->told.inbox));
        sup_print(s, "  hint: set XDG_RUNTIME_DIR to a folder that only you can write to: "
                     "mkdir -m 700 ~/.stint-run && export XDG_RUNTIME_DIR=~/.stint-run");
    }
    if (!o->read_output && !o->status)
        return true;
    s->told.relay = relay_open(&relay, o->alloc, err);
    return s->told.relay != NULL;
}

/* ---- what is measured ---- */

/* Means and peaks of the devices that the tree uses. */
static void measure_devices(struct supervisor *s, double seconds)
{
    double busy = 0;
    int used = 0, known = 0;

    for (size_t i = 0; i < s->seen.sample.gpus; i++) {
        const struct gpu_sample *gpu = &s->seen.sample.gpu[i];

        if (gpu->use == GPU_VISIBLE)
            continue;
        if (used++ == 0)
            (void)snprintf(s->result->gpu, sizeof s->result->gpu, "%s", gpu->name);
        if (!isnan(gpu->busy)) {
            busy += gpu->busy;
            known++;
        }
        if (gpu->memory > s->seen.gpu_memory_peak) {
            s->seen.gpu_memory_peak = gpu->memory;
            s->seen.gpu_memory_total = gpu->memory_total;
        }
        if (gpu->tree_memory > s->seen.gpu_memory_run)
            s->seen.gpu_memory_run = gpu->tree_memory;
    }
    s->told.sight.has_gpu = used > 0;
    s->told.sight.gpu_busy = known > 0 ? busy / known : NAN;
    if (used == 0)
        return;
    s->seen.gpu_s += seconds;
    if (used > s->seen.gpus_most)
        s->seen.gpus_most = used;
}

/* Energy of the boards while steps are made. A board that others use too says nothing of this
 * program's power. */
static void measure_boards(struct sup_seen *seen, const struct sup_told *told, double seconds)
{
    double joules = 0;
    int boards = 0;

    for (size_t i = 0; i < seen->sample.gpus; i++) {
        if (seen->sample.gpu[i].use == GPU_VISIBLE)
            continue;
        joules += seen->sample.gpu[i].use == GPU_SHARED ? NAN : seen->sample.gpu[i].joules;
        boards++;
    }
    if (boards > 0 && boards == seen->boards && told->phase == PHASE_TRAIN &&
        told->progress.step > told->progress.first_step && joules >= seen->boards_before) {
        seen->board_joules += joules - seen->boards_before;
        seen->board_s += seconds * boards;
    }
    seen->boards_before = joules;
    seen->boards = boards;
}

/* Who waits for a processor, on a machine that is crowded or within a limit, is at work. Looked
 * at only while the run seems idle. */
static void measure_waiting(struct supervisor *s, double seconds)
{
    double before = s->seen.previous_waited_s;

    s->seen.waiting_cores = 0;
    s->seen.previous_waited_s = NAN;
    if (s->options->idle.after.ns < 0 || !(s->seen.cpu_cores < s->options->idle.below))
        return;
    s->seen.previous_waited_s = tree_waited(meters_tree(s->seen.meters));
    s->seen.waiting_cores =
        isnan(before) ? 0 : fmax(s->seen.previous_waited_s - before, 0) / seconds;
}

/* Rates between the last look and this one. */
static void measure_rates(struct supervisor *s, double seconds)
{
    enum meter_method method;
    double error;
    double joules = meter_tree_joules(&s->seen.sample, &method, &error);

    s->seen.cpu_cores = (s->seen.sample.tree.cpu_s - s->seen.previous_cpu_s) / seconds;
    s->seen.watts = (joules - s->seen.previous_joules) / seconds;
    s->told.sight.cpu_cores = s->seen.cpu_cores;
    measure_waiting(s, seconds);
    s->told.sight.io_rate =
        (s->seen.sample.tree.read + s->seen.sample.tree.written - s->seen.previous_io) /
        seconds;
    s->seen.net_rate =
        (s->seen.sample.host.received + s->seen.sample.host.sent - s->seen.previous_net) /
        seconds;
    s->seen.previous_net = s->seen.sample.host.received + s->seen.sample.host.sent;
    s->seen.previous_cpu_s = s->seen.sample.tree.cpu_s;
    s->seen.previous_joules = joules;
    s->seen.previous_io = s->seen.sample.tree.read + s->seen.sample.tree.written;
}

/* Was the calendar set while we ran? The cost does not depend on it, dates in the record do. */
static void check_calendar(struct supervisor *s)
{
    /* Both at this moment: what was measured before may have taken its time. */
    int64_t offset =
        s->options->clock->today(s->options->clock->ctx).s - clock_paid().ns / SECOND;
    int64_t moved = offset - s->record.calendar_offset;

    if (env_get("STINT_NOW") != NULL || (moved <= JUMP_S && moved >= -JUMP_S))
        return;
    s->record.calendar_offset = offset;
    sup_event(s, "clock-jump", false,
              "the system clock was set %s by %lld s: the cost is measured by another clock",
              moved > 0 ? "forward" : "back", (long long)(moved > 0 ? moved : -moved));
}

/* Money and time of the last look to their phases. */
static void book_time(struct supervisor *s, instant now, double joules, double watts)
{
    double seconds = (double)(now.ns - s->money.account.last.ns) / 1e9;
    double saving = phase_saving(&s->told.sight, seconds);

    s->told.phase = phase_see(&s->told.phases, &s->told.sight, seconds);
    measure_boards(&s->seen, &s->told, seconds);
    account_see(&s->money.account, now, s->told.phase, joules, watts);
    account_move(&s->money.account, s->told.phase, PHASE_CHECKPOINT, saving);
    score_add(&s->seen.score, &s->seen.sample, s->told.phase, s->seen.cpu_cores,
              seconds - saving);
    if (saving > 0)
        score_add(&s->seen.score, &s->seen.sample, PHASE_CHECKPOINT, s->seen.cpu_cores, saving);
    if (saving > seconds / 2) /* what is shown is what it mostly was */
        s->told.phase = PHASE_CHECKPOINT;
    /* What was seen late, and does not fit into this look, is of the next. */
    s->told.sight.saving_s = s->proc.over || s->told.sight.saving_s <= seconds
                                 ? 0
                                 : s->told.sight.saving_s - seconds;
    s->told.sight.stepped = s->told.sight.evaluated = false;
    sup_mark_cost(&s->save, &s->money);
}

static void measure_run(struct supervisor *s, instant now)
{
    double seconds = (double)(now.ns - s->money.account.last.ns) / 1e9;

    if (s->seen.meters == NULL)
        open_meters(s);
    if (s->seen.meters != NULL) {
        meters_read(s->seen.meters, now, &s->seen.sample);
        s->seen.sampled = true;
        measure_devices(s, seconds);
        device_watch_see(&s->seen.devices, &s->seen.sample);
        measure_rates(s, seconds > 0 ? seconds : 1);
        if (s->seen.sample.tree.memory_peak > s->seen.memory_peak)
            s->seen.memory_peak = s->seen.sample.tree.memory_peak;
        if (s->seen.sample.tree.processes > s->result->processes_most)
            s->result->processes_most = s->seen.sample.tree.processes;
    }
    if (!s->proc.over)
        sup_share_update(s, now);
    sup_count_sync(s, now);
    book_time(s, now, s->seen.previous_joules, s->seen.watts);
}

static void show_status(struct supervisor *s, instant now)
{
    struct buf line = buf_new(s->options->alloc, 4096);
    struct run_facts facts;
    bool drawn = s->told.relay != NULL && relay_has_status(s->told.relay);
    bool beat = s->options->heartbeat.ns > 0 &&
                now.ns - s->told.last_beat.ns >= s->options->heartbeat.ns && !drawn;

    sup_facts(s, &facts);
    if (drawn) {
        struct term term = term_probe(STDERR_FILENO);

        if (!term.tty)
            term = term_probe(STDOUT_FILENO);
        status_line(&facts, &term, term_utf8(), &line);
        relay_status(s->told.relay, buf_text(&line));
    } else if (beat) {
        s->told.last_beat.ns += s->options->heartbeat.ns;
        status_heartbeat(&facts, &line);
        sup_print(s, "%.*s", (int)line.len, line.at);
    }
    buf_free(&line);
}

void sup_observe(struct supervisor *s, instant now)
{
    const char *pattern;

    while ((pattern = metric_trouble(s->told.reader)) != NULL)
        sup_print(s,
                  "warning: --metrics %s: the pattern takes too long on some lines: those are "
                  "left out",
                  pattern);
    inbox_look(s->told.inbox);
    check_missing(s, now);
    sup_report_unwritten(s);
    sup_scan_checkpoints(s);
    measure_run(s, now);
    sup_estimate_given(s);
    sup_update_reserve(s, now);
    check_calendar(s);
    hooks_look(&s->proc.hooks, now);
    sup_record_tick(s);
    sup_record_metrics(&s->record, &s->told, false);
    show_status(s, now);
    sup_check_guards(s, now);
    log_changes(s, now);
}

void sup_observe_end(struct supervisor *s, instant now)
{
    inbox_drain(s->told.inbox);
    inbox_look(s->told.inbox);
    sup_report_unwritten(s);
    sup_scan_checkpoints(s);
    /* One that ended before the first look is not worth opening the vendors' libraries for. */
    if (s->seen.meters == NULL) {
        double seconds = (double)(now.ns - s->money.account.last.ns) / 1e9;

        account_see(&s->money.account, now, s->told.phase, NAN, NAN);
        account_move(&s->money.account, s->told.phase, PHASE_CHECKPOINT,
                     phase_saving(&s->told.sight, seconds));
    } else {
        meters_exact(s->seen.meters); /* what is reported at the end is what the counters say */
        measure_run(s, now);
    }
    sup_estimate_given(s);
}
