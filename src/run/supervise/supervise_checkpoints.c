/* Checkpoints of a run: which step, metric, time and cost each has, and which are removed. */
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "meter/tree.h"
#include "run/checkpoint/recall.h"
#include "run/checkpoint/save_dates.h"
#include "run/supervise/supervise_internal.h"
#include "unit/time.h"

/* ---- the time that is reserved before a limit for the last save ---- */

#define PROGRAM_EVERY_MOST (15 * SECOND) /* far from a limit */
/* Looking at open files may take a part of a core: this one each second, that one while much is
 * written, the last one when the run is being ended. */
#define SCAN_COST 5000
#define SCAN_COST_WRITING 200
#define SCAN_COST_ENDING 20
#define WRITING 8e6 /* bytes a second of the tree: it may be saving */
#define SCAN_ENDING (SECOND / 4)
#define ANNOUNCED_MOST 12 /* lines in one run */
#define PROBE_TRIES 2

static const char *checkpoint_folder_path(const struct supervisor *s, char to[static PATH_MAX]);

static bool has_limit(const struct sup_guards *guard)
{
    return guard->limit.ns != MOMENT_NEVER.ns;
}

static struct tree *processes_of(struct supervisor *s)
{
    return s->seen.meters != NULL ? meters_tree(s->seen.meters) : sup_tree(s);
}

/* ---- the reserve: time and cost of a last save ---- */

/* Bytes that a save may have to write: what the run holds on devices, or in the host's memory
 * when that is more (states that were moved there) or there is no device. */
static void measure_held(struct supervisor *s)
{
    double device = 0, host = fmin(tree_anonymous(processes_of(s)), s->seen.sample.tree.memory);

    for (size_t i = 0; s->seen.sampled && i < s->seen.sample.gpus; i++) {
        const struct gpu_sample *gpu = &s->seen.sample.gpu[i];

        if (gpu->use == GPU_VISIBLE)
            continue;
        if (gpu->tree_memory > 0)
            device += gpu->tree_memory;
        else if (isnan(gpu->tree_memory) && gpu->memory > 0)
            device += gpu->memory;
    }
    s->save.held_on_device = device > 0 && !(host > device);
    s->save.held = s->save.held_on_device ? device : s->seen.sampled ? host : (double)NAN;
}

static void update_probe(struct supervisor *s, instant now)
{
    const struct attach_target *target = s->options->target;
    const char *here = target != NULL && target->folder.len > 0 ? target->folder.at : ".";
    const char *folder = s->options->checkpoints != NULL ? s->options->checkpoints : here;
    double rate;

    if (s->save.probe.fd >= 0) {
        if (!disk_probe_look(&s->save.probe, now, &rate))
            return;
        s->save.disk_rate = rate;
        sup_log(s, "disk: %.1f MB/s measured in %s", rate / 1e6, folder);
        return;
    }
    if (s->save.probe_tries >= PROBE_TRIES || !isnan(s->save.disk_rate) ||
        s->save.probe.pid > 0 || !has_limit(&s->guard) || s->options->grace.ns >= 0 ||
        s->save.history.count > 0 || s->end.begun ||
        !(s->guard.program.saves_on_ask || s->guard.program.saves_on_term))
        return;
    s->save.probe_tries++;
    if (!disk_probe_start(&s->save.probe, folder, now))
        return;
    tree_leave_out(processes_of(s), s->save.probe.pid);
    tree_leave_out(s->seen.tree, s->save.probe.pid);
}

/* ---- saves ---- */

static void count_save(struct supervisor *s, double seconds, double size)
{
    if (!(size >= SAVE_LEAST_BYTES))
        return;
    if (s->end.asked) /* what it did before it opened the file counts, too */
        seconds = fmax(seconds, (double)(s->save.saved_at.ns - s->save.asked_at.ns) / 1e9);
    save_history_add(&s->save.history, seconds, s->save.held, false);
    s->end.saved_since_asked |= s->end.asked;
    /* Memory is looked at anew once it has been measured after the save. */
    s->save.next_program.ns = clock_paid().ns + SECOND;
    sup_log(s, "save: %.1f MB in %.2f s with %.1f MB in use", size / 1e6, seconds,
            s->save.held / 1e6);
}

void sup_count_reported_save(struct supervisor *s, struct str path)
{
    const struct attach_target *target = s->options->target;
    char from[PATH_MAX], name[PATH_MAX];
    int64_t began = clock_file_ns() - (clock_paid().ns - s->began.ns);
    int64_t since = s->save.reported_ns > began ? s->save.reported_ns : began;
    struct save_seen seen;
    int folder = AT_FDCWD;

    if (path.len == 0 || path.len >= sizeof name)
        return;
    str_copy(path, name, sizeof name);
    if (target != NULL && target->folder.len > 0) {
        str_copy(target->folder, from, sizeof from);
        folder = open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    s->save.reported_ns = clock_file_ns();
    if (save_dates_read(folder, name, since, &seen))
        count_save(s, seen.seconds, seen.bytes);
    if (folder >= 0)
        (void)close(folder);
}

/* How long to the next look at open files, after one that took this much of a core. */
static int64_t scan_pause(const struct supervisor *s, int64_t cost)
{
    bool writing = s->told.sight.io_rate > WRITING;
    bool near = s->end.begun ||
                (has_limit(&s->guard) && s->guard.limit.ns - s->save.scanned.ns <
                                             s->save.reserve.time.ns + s->options->every.ns);
    int64_t least = near ? SCAN_ENDING : s->options->every.ns;
    int64_t pause = cost * (near ? SCAN_COST_ENDING : writing ? SCAN_COST_WRITING : SCAN_COST);

    return pause > least ? pause : least;
}

void sup_scan_saves(struct supervisor *s, instant now)
{
    struct save_seen seen;
    int64_t before = clock_work().ns;
    char folder[PATH_MAX];

    if (now.ns < s->save.next_scan.ns || (!has_limit(&s->guard) && !s->end.begun)) {
        /* Much is being written: worth a look before its turn. */
        if (!(s->told.sight.io_rate > WRITING) || !has_limit(&s->guard) ||
            now.ns - s->save.scanned.ns < s->save.scan_cost * SCAN_COST_WRITING)
            return;
    }
    if (save_watch_look(&s->save.watch, processes_of(s), checkpoint_folder_path(s, folder),
                        clock_file_ns(), &seen)) {
        s->save.saved_at = now;
        count_save(s, seen.seconds, seen.bytes);
    }
    s->save.scan_cost = clock_work().ns - before;
    s->save.scanned = now;
    s->save.next_scan = (instant){now.ns + scan_pause(s, s->save.scan_cost)};
    s->guard.program.saving =
        save_watch_saving(&s->save.watch, s->end.begun) ||
        (s->save.checkpoints != NULL && checkpoint_watch_saving(s->save.checkpoints));
}

/* ---- each look ---- */

void sup_update_reserve(struct supervisor *s, instant now)
{
    int64_t pause = (now.ns - s->began.ns) / 2;

    sup_scan_saves(s, now);
    if (!has_limit(&s->guard) || s->options->grace.ns >= 0)
        return;
    if (now.ns >= s->save.next_program.ns) {
        sup_inspect_program(s, now);
        measure_held(s);
        save_history_settle(&s->save.history, s->save.held);
        pause = pause > PROGRAM_EVERY_MOST ? PROGRAM_EVERY_MOST : pause;
        if (s->guard.limit.ns - now.ns < 2 * s->save.reserve.time.ns + 4 * PROGRAM_EVERY_MOST)
            pause = 0;
        s->save.next_program = (instant){now.ns + (pause < SECOND ? SECOND : pause)};
    }
    update_probe(s, now);
}

/* A program that listens saves at the end of the step that it is in. */
static double listener_delay(const struct sup_told *told)
{
    return inbox_listeners(told->inbox) > 0 && told->progress.rate > 0 ? 1 / told->progress.rate
                                                                       : 0;
}

span sup_reserve(struct supervisor *s)
{
    double rate =
        fmax(s->save.disk_rate, s->save.watch.write_rate > 0 ? s->save.watch.write_rate : NAN);
    struct reserve_facts facts = {.set = s->options->grace,
                                  .ahead = {s->guard.limit.ns - s->began.ns},
                                  .saves = s->guard.program.saves_on_ask ||
                                           s->guard.program.saves_on_term,
                                  .history = &s->save.history,
                                  .memory = s->save.held,
                                  .on_device = s->save.held_on_device,
                                  .write_rate = rate,
                                  .step_s = listener_delay(&s->told)};

    if (!s->end.begun)
        s->save.reserve = reserve_evaluate(&facts);
    return s->save.reserve.time;
}

/* ---- messages about the reserve ---- */

static usd reserve_cost(const struct sup_money *money, const struct sup_saves *save)
{
    usd cost = USD_UNKNOWN;

    if (money->account.rate.nano == MONEY_UNKNOWN ||
        !usd_for(money->account.rate, save->reserve.time, &cost))
        return USD_UNKNOWN;
    return cost;
}

/* "18 s ($0.0124)": rounded up, since it is a promise. */
void sup_write_reserve(const struct supervisor *s, struct buf *out)
{
    usd cost = reserve_cost(&s->money, &s->save);

    span_write((span){(s->save.reserve.time.ns + SECOND - 1) / SECOND * SECOND}, out);
    if (cost.nano == MONEY_UNKNOWN)
        return;
    buf_adds(out, " (");
    usd_write(usd_rounded(cost), out);
    buf_char(out, ')');
}

/* For the record. */
static void note_reserve(struct supervisor *s)
{
    struct supervise_result *out = s->result;
    struct buf text = buf_new(s->options->alloc, sizeof out->reserve_why - 1);

    reserve_explain(&s->save.reserve, &text);
    str_copy(buf_text(&text), out->reserve_why, sizeof out->reserve_why);
    buf_free(&text);
    out->reserve = s->save.reserve.time;
    out->reserve_cost = reserve_cost(&s->money, &s->save);
}

void sup_announce_reserve(struct supervisor *s, instant now)
{
    bool first = s->save.announcements == 0;
    /* Soon more may be known, but not when the limit is near. */
    bool waits = s->save.probe.fd >= 0 &&
                 s->guard.limit.ns - now.ns > s->save.reserve.time.ns + 2 * SECOND;
    struct buf text;

    if (has_limit(&s->guard))
        note_reserve(s);
    if (!has_limit(&s->guard) || s->end.begun || waits ||
        s->save.announcements >= ANNOUNCED_MOST ||
        (first ? s->save.reserve.basis == RESERVE_NONE
               : !reserve_differs(&s->save.announced, &s->save.reserve)))
        return;
    text = buf_new(s->options->alloc, 400);
    s->save.announced = s->save.reserve;
    s->save.announcements++;
    if (s->save.reserve.basis == RESERVE_NONE) {
        sup_event(s, "reserve", false, "nothing is reserved for a last save any more");
        buf_free(&text);
        return;
    }
    buf_adds(&text, first ? "the last " : "now the last ");
    sup_write_reserve(s, &text);
    buf_adds(&text, " are reserved for saving: ");
    reserve_explain(&s->save.reserve, &text);
    if (first && s->save.reserve.basis != RESERVE_SET)
        buf_adds(&text, " (--grace TIME sets it)");
    sup_event(s, "reserve", s->save.reserve.basis == RESERVE_SET, "%.*s", (int)text.len,
              text.at);
    buf_free(&text);
}

/* ---- checkpoints ---- */

#define COARSE (SECOND / 100)     /* dates of files are as coarse as the kernel's ticks */
#define CLOCK_MOVED (SECOND / 20) /* a calendar that moved by more between two looks was set */
#define SOON \
    (SECOND / 10)     /* after a save the next step may have come, as exactly as is known */
#define SYNC_RATE 1e6 /* bytes a second: a save may be under way */
#define SYNC_FOR (10 * SECOND) /* for so long after it */
#define RECORD_LATE 2          /* seconds that a date of the ledger may be before the file's */

/* ---- clocks ---- */

/* The calendar against the clock of the run. */
static int64_t calendar_offset(void)
{
    int64_t before = clock_paid().ns, calendar = clock_file_ns(), after = clock_paid().ns;

    return calendar - (before + (after - before) / 2);
}

/* Once a look: was the calendar set since the last one? */
static void update_offset(struct sup_saves *save)
{
    int64_t offset = calendar_offset(), moved = offset - save->file_offset;

    save->file_offset_before =
        moved > CLOCK_MOVED || moved < -CLOCK_MOVED ? save->file_offset : offset;
    save->file_offset = offset;
}

/* A date of a file on the clock of the run. It was not so at the look before (`glimpsed_ns`,
 * -1: there was none) and is so now: a date of before a calendar that was set in between, or of
 * a file server whose clock is ahead, is brought to where it must be. */
static instant checkpoint_moment(const struct supervisor *s, int64_t date_ns,
                                 int64_t glimpsed_ns)
{
    instant now = clock_paid(), at = {date_ns - s->save.file_offset};

    if (s->save.file_offset_before != s->save.file_offset) {
        instant other = {date_ns - s->save.file_offset_before};
        int64_t from =
            glimpsed_ns >= 0 ? glimpsed_ns - s->save.file_offset_before : s->began.ns;

        if ((at.ns < from || at.ns > now.ns) && other.ns >= from && other.ns <= now.ns)
            at = other;
    }
    return at.ns > now.ns ? now : at;
}

/* What the run had cost by a moment: known of the looks, and even in between. */
static usd run_cost_at(const struct supervisor *s, instant at)
{
    struct cost_mark low = {s->began, s->save.cost_first},
                     high = {s->money.account.last, account_cost(&s->money.account)};
    double share;

    if (high.cost.nano == MONEY_UNKNOWN)
        return USD_UNKNOWN;
    if (at.ns >= high.at.ns) { /* later than the last look: at the rate it had then */
        usd more;

        if (s->money.account.rate.nano == MONEY_UNKNOWN ||
            !usd_for(s->money.account.rate, span_between(high.at, at), &more))
            return usd_add(high.cost, s->money.before);
        return usd_add(usd_add(high.cost, more), s->money.before);
    }
    for (size_t i = 0; i < s->save.cost_mark_count; i++) {
        const struct cost_mark *m =
            &s->save.cost_marks[(s->save.cost_mark_first + i) % ARRAY_LEN(s->save.cost_marks)];

        if (m->cost.nano == MONEY_UNKNOWN)
            continue;
        if (m->at.ns <= at.ns && m->at.ns >= low.at.ns)
            low = *m;
        if (m->at.ns > at.ns && m->at.ns < high.at.ns)
            high = *m;
    }
    if (at.ns <= low.at.ns || high.at.ns <= low.at.ns)
        return usd_add(low.cost, s->money.before);
    share = (double)(at.ns - low.at.ns) / (double)(high.at.ns - low.at.ns);
    low.cost.nano += llround((double)(high.cost.nano - low.cost.nano) * share);
    return usd_add(low.cost, s->money.before);
}

void sup_mark_cost(struct sup_saves *save, const struct sup_money *money)
{
    size_t room = ARRAY_LEN(save->cost_marks);

    if (save->checkpoints == NULL)
        return;
    if (save->cost_mark_count == room) {
        save->cost_mark_first = (save->cost_mark_first + 1) % room;
        save->cost_mark_count--;
    }
    save->cost_marks[(save->cost_mark_first + save->cost_mark_count++) % room] =
        (struct cost_mark){money->account.last, account_cost(&money->account)};
}

/* ---- what one holds ---- */

/* A metric that is printed as no number is worse than all that are. */
static double ranked_metric(const struct supervisor *s, double metric)
{
    if (!isnan(metric))
        return metric;
    return s->options->checkpoint_rules.greater ? (double)-INFINITY : (double)INFINITY;
}

static void date_checkpoint(void *ctx, const struct checkpoint *checkpoint, int64_t begun_ns,
                            int64_t glimpsed_ns, struct checkpoint_label *out)
{
    const struct supervisor *s = ctx;
    /* Dates without a fraction are of file systems that keep none. */
    int64_t coarse = checkpoint->written_ns % SECOND == 0 ? SECOND : COARSE;

    out->written = checkpoint_moment(s, checkpoint->written_ns + coarse, glimpsed_ns);
    out->begun = checkpoint_moment(s, begun_ns, glimpsed_ns);
    if (out->begun.ns > out->written.ns)
        out->begun = out->written;
    out->cost = run_cost_at(s, out->written);
}

/* What lines say of the number in its name, read in each way. */
static void read_checkpoint_metrics(const struct supervisor *s,
                                    const struct checkpoint *checkpoint,
                                    struct checkpoint_label *out)
{
    const struct step_values *values = &s->told.history.values;

    out->pending = 0;
    for (int i = 0; i < CHECKPOINT_READINGS; i++) {
        enum step_unit unit = (enum step_unit)(i / 3);
        double number =
            (unit == STEP_EPOCH ? checkpoint->named_epoch : checkpoint->named_step) + i % 3 - 1;
        const struct step_value *found =
            isnan(number) ? NULL : step_values_find(values, unit, number);

        if (found != NULL) {
            out->seen |= 1U << i;
            out->reading[i] = found->differs ? (double)NAN : ranked_metric(s, found->value);
        } else if (number > values->most[unit]) {
            out->pending |= 1U << i;
        }
    }
}

/* Does the number of its name follow what the program counts? */
static void see_near(const struct sup_told *told, const struct checkpoint *checkpoint,
                     struct checkpoint_label *out)
{
    const struct history *h = &told->history;

    out->near |= history_near(h, out->written, false, checkpoint->named_step) |
                 history_near(h, out->written, true, checkpoint->named_epoch) << 3;
    out->restarted = (h->step_restarted || h->epoch_restarted ? CHECKPOINT_NEAR_STEP : 0) |
                     (h->epoch_restarted ? CHECKPOINT_NEAR_EPOCH : 0);
}

static bool label_checkpoint(void *ctx, const struct checkpoint *checkpoint, instant until,
                             struct checkpoint_label *out)
{
    const struct supervisor *s = ctx;
    struct history_place place;

    history_place(&s->told.history, out->written, &place);
    if (isnan(out->step))
        out->step = place.step;
    see_near(&s->told, checkpoint, out);
    out->final = place.passed || until.ns != MOMENT_NEVER.ns;
    read_checkpoint_metrics(s, checkpoint, out);
    return !s->told.history.values.lossy;
}

/* ---- the ledger ---- */

/* Where it is, as the ledger has it: an earlier attempt may have written the folder otherwise.
 */
static void checkpoint_path(const struct supervisor *s, const struct checkpoint *checkpoint,
                            char *to, size_t room)
{
    for (size_t i = 0; i < s->save.known_count; i++)
        if (str_eq(s->save.known[i].name, checkpoint->name)) {
            str_copy(s->save.known[i].row.path, to, room);
            return;
        }
    (void)snprintf(to, room, "%s/%.*s", s->options->checkpoints, (int)checkpoint->name.len,
                   checkpoint->name.at);
}

/* One that this attempt has not written: is it an earlier one's, and as that left it? */
static bool checkpoint_found(void *ctx, const struct checkpoint *checkpoint,
                             struct checkpoint_label *out)
{
    const struct supervisor *s = ctx;

    for (size_t i = 0; i < s->save.known_count; i++) {
        const struct ledger_checkpoint *row = &s->save.known[i].row;

        if (!str_eq(s->save.known[i].name, checkpoint->name) ||
            checkpoint->written_ns / SECOND > row->at.s + RECORD_LATE)
            continue;
        out->metric = row->metric;
        out->step = row->step;
        out->cost = row->cost;
        return true;
    }
    return false;
}

/* The date of a moment of the run, by the calendar that the ledger goes by. */
static stamp date_of(const struct supervisor *s, instant at)
{
    stamp now = s->options->clock->today(s->options->clock->ctx);
    int64_t apart = now.s - clock_file_ns() / SECOND;

    if (at.ns < 0)
        return now;
    /* Tests have a calendar of their own; else both are the same, but for the moment between
     * the two questions. */
    return (stamp){(at.ns + s->save.file_offset) / SECOND +
                   (apart > 1 || apart < -1 ? apart : 0)};
}

static void record_seen_checkpoint(struct supervisor *s, const struct checkpoint *checkpoint,
                                   const struct checkpoint_label *label)
{
    char path[PATH_MAX + NAME_MAX];
    struct ledger_checkpoint row = {
        .at = date_of(s, label->written),
        .bytes = checkpoint->bytes,
        .step = isnan(checkpoint->step) ? label->step : checkpoint->step,
        .metric = isfinite(checkpoint->metric) ? checkpoint->metric : (double)NAN,
        .took_s = checkpoint->took_s,
        .metric_name = s->options->checkpoint_rules.metric.len > 0
                           ? s->options->checkpoint_rules.metric
                           : STR("val_loss"),
        .cost = checkpoint->cost,
        .best = str_eq(checkpoint_watch_best(s->save.checkpoints), checkpoint->name)};

    checkpoint_path(s, checkpoint, path, sizeof path);
    row.path = str_from(path);
    if (s->record.recorder != NULL)
        recorder_checkpoint(s->record.recorder, &row);
}

static void checkpoint_settled(void *ctx, const struct checkpoint *checkpoint,
                               const struct checkpoint_label *label)
{
    struct supervisor *s = ctx;

    record_seen_checkpoint(s, checkpoint, label);
    s->end.saved_since_asked |= s->end.asked;
    if (!s->end.begun) /* then the open files show it sooner */
        count_save(s, checkpoint->took_s, checkpoint->bytes);
}

static void checkpoint_removed(void *ctx, const struct checkpoint *checkpoint)
{
    struct supervisor *s = ctx;
    char path[PATH_MAX + NAME_MAX];
    size_t len;

    checkpoint_path(s, checkpoint, path, sizeof path);
    if (s->record.recorder != NULL)
        recorder_checkpoint_gone(s->record.recorder, str_from(path),
                                 s->options->clock->today(s->options->clock->ctx));
    log_write(s->options->log, LOG_INFO, "checkpoint %.*s removed", STR_ARG(checkpoint->name));
    s->result->removed++;
    s->result->removed_bytes += checkpoint->frees;
    len = strlen(s->result->removed_names);
    if (len + checkpoint->name.len + 2 <= sizeof s->result->removed_names)
        (void)snprintf(s->result->removed_names + len, sizeof s->result->removed_names - len,
                       "%.*s\n", (int)checkpoint->name.len, checkpoint->name.at);
}

/* A save takes time from training only when no step is made meanwhile. */
static void add_saving(struct supervisor *s, instant from, instant to)
{
    if (from.ns < s->began.ns)
        from = s->began;
    if (to.ns > from.ns && !history_advanced(&s->told.history, from, (instant){to.ns - SOON}))
        s->told.sight.saving_s += (double)(to.ns - from.ns) / 1e9;
}

/* By the dates of its writes. They may come late: what was seen to be synced meanwhile is
 * counted already. */
static void checkpoint_saving(void *ctx, int64_t from_ns, int64_t to_ns)
{
    struct supervisor *s = ctx;
    instant from = checkpoint_moment(s, from_ns, -1), to = checkpoint_moment(s, to_ns, -1);

    if (to.ns > s->save.written_to.ns)
        s->save.written_to = to;
    if (to.ns <= s->save.synced_from.ns || from.ns >= s->save.synced_to.ns) {
        add_saving(s, from, to);
        return;
    }
    add_saving(s, from, s->save.synced_from);
    add_saving(s, s->save.synced_to, to);
}

/* As links of /proc name it. */
static const char *checkpoint_folder_path(const struct supervisor *s, char to[static PATH_MAX])
{
    return s->options->checkpoints != NULL ? realpath(s->options->checkpoints, to) : NULL;
}

/* ---- saves on their way to the disk ---- */

static void add_syncing(struct supervisor *s, instant from, instant to)
{
    if (from.ns < s->save.written_to.ns)
        from = s->save.written_to;
    if (from.ns >= to.ns)
        return;
    add_saving(s, from, to);
    if (from.ns != s->save.synced_to.ns)
        s->save.synced_from = from;
    s->save.synced_to = to;
}

/* Threads are looked at only while something was written, which may be a temporary file. */
static bool is_syncing(struct supervisor *s, instant now, instant *since)
{
    bool saving = checkpoint_watch_saving(s->save.checkpoints);
    char folder[PATH_MAX];
    struct sync_seen seen;

    if (saving || s->told.sight.io_rate >= SYNC_RATE)
        s->save.sync_until = (instant){now.ns + SYNC_FOR};
    if (s->proc.over || s->seen.meters == NULL ||
        (now.ns >= s->save.sync_until.ns && !s->save.syncing) ||
        checkpoint_folder_path(s, folder) == NULL)
        return false;
    sync_watch_look(meters_tree(s->seen.meters), folder, &seen);
    if (seen.kind == SYNC_FILE && seen.written_ns >= 0 &&
        checkpoint_moment(s, seen.written_ns, -1).ns > since->ns)
        *since = checkpoint_moment(s, seen.written_ns, -1);
    return seen.kind == SYNC_FILE || (seen.kind == SYNC_OTHER && (saving || s->save.syncing));
}

void sup_count_sync(struct supervisor *s, instant now)
{
    instant since = s->money.account.last;
    bool syncing;

    if (s->save.checkpoints == NULL)
        return;
    syncing = is_syncing(s, now, &since);
    if (syncing)
        add_syncing(s, since, now);
    else if (s->save.syncing) /* it ended between two looks: in the middle, on average */
        add_syncing(s, since, (instant){since.ns + (now.ns - since.ns) / 2});
    s->save.syncing = syncing;
}

/* ---- messages about checkpoints ---- */

static void checkpoint_trouble(void *ctx, const struct error *err)
{
    sup_print(ctx, "warning: %s", err->text);
}

static void checkpoints_unranked(void *ctx, size_t count, size_t of)
{
    struct supervisor *s = ctx;
    struct str metric = s->options->checkpoint_rules.metric;

    sup_event(
        s, "checkpoints-unranked", false,
        "warning: --best: %zu of %zu checkpoints cannot be ranked and are kept: no line has "
        "'%.*s' beside the step or epoch in their names",
        count, of, STR_ARG(metric));
    sup_print(
        s,
        "  hint: print both in one line, such as 'step 300 %.*s=0.123', or put the value in "
        "the name; without --best the newest %d are kept",
        STR_ARG(metric), s->options->checkpoint_rules.keep);
}

static void checkpoints_stepless(void *ctx, size_t count, struct str example)
{
    struct supervisor *s = ctx;

    if (count == 0)
        sup_event(s, "checkpoints-stepless", s->options->quiet,
                  "--keep removed nothing: no checkpoint with a step was seen in '%s'",
                  s->options->checkpoints);
    else
        sup_event(
            s, "checkpoints-stepless", s->options->quiet,
            "--keep: %zu file%s such as '%.*s' %s kept: the number in the name may not be a "
            "step (step_300.pt is, or with --progress one that the program prints as its step)",
            count, count == 1 ? "" : "s", STR_ARG(example), count == 1 ? "was" : "were");
}

static void checkpoints_incomplete(void *ctx, size_t count, const struct checkpoint *example)
{
    struct supervisor *s = ctx;
    const char *many = count == 1 ? "," : "s such as";

    sup_event(s, "checkpoints-incomplete", s->options->quiet,
              "--keep removed nothing: %zu checkpoint%s '%.*s' %s not complete (%s)", count,
              many, STR_ARG(example->name), count == 1 ? "is" : "are", example->doubt);
}

/* ---- the watch ---- */

/* What earlier attempts wrote to the folder, and have not removed. */
static void recall_checkpoints(struct supervisor *s)
{
    struct ledger *ledger = s->result->attempt > 1 ? sup_ledger(s) : NULL;
    const struct ledger_checkpoint *rows;
    char folder[PATH_MAX];
    struct ledger_run run;
    struct error ignored;
    size_t count;

    if (ledger == NULL || realpath(s->options->checkpoints, folder) == NULL ||
        !ledger_find(ledger, str_from(s->result->id), &s->arena, &run, &ignored) ||
        !ledger_checkpoints(ledger, s->result->id, &s->arena, &rows, &count, &ignored))
        return;
    s->save.known = arena_array(&s->arena, struct known_checkpoint, count, &ignored);
    for (size_t i = 0; s->save.known != NULL && i < count; i++) {
        if (rows[i].gone.s < 0 && checkpoint_path_in(rows[i].path, run.start.folder, folder))
            s->save.known[s->save.known_count++] =
                (struct known_checkpoint){str_after_last(rows[i].path, '/'), rows[i]};
    }
}

bool sup_open_checkpoints(struct supervisor *s, struct error *err)
{
    struct checkpoint_watch_options options = {.folder = s->options->checkpoints,
                                               .rules = s->options->checkpoint_rules,
                                               .prune = s->options->prune,
                                               .since_ns = clock_file_ns() -
                                                           (clock_paid().ns - s->began.ns),
                                               .dated = date_checkpoint,
                                               .label = label_checkpoint,
                                               .found = checkpoint_found,
                                               .settled = checkpoint_settled,
                                               .removed = checkpoint_removed,
                                               .saving = checkpoint_saving,
                                               .unranked = checkpoints_unranked,
                                               .stepless = checkpoints_stepless,
                                               .incomplete = checkpoints_incomplete,
                                               .failed = checkpoint_trouble,
                                               .ctx = s};

    if (options.folder == NULL)
        return true;
    s->save.file_offset = s->save.file_offset_before = calendar_offset();
    s->proc.delays = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    s->save.cost_first = account_cost(&s->money.account);
    if (!history_start(&s->told.history, options.rules.metric, &s->arena, err))
        return false;
    recall_checkpoints(s);
    s->save.checkpoints = checkpoint_watch_open(&options, s->options->alloc, err);
    if (s->save.checkpoints == NULL)
        return false;
    /* Before the command starts: what is there now is not its own, and no write is missed. */
    checkpoint_watch_look(s->save.checkpoints, clock_file_ns());
    return true;
}

/* Did all of it end by itself, and well? Who is killed may have been in the middle of a save,
 * and who is left behind may go on with one. */
static bool ended_well(const struct supervisor *s)
{
    return !s->end.killed && s->result->signal == 0 && s->result->status == 0 &&
           s->options->leftovers != LEFTOVERS_LEAVE;
}

/* A program that a signal ends loses what it has not printed yet. */
static bool ended_by_itself(const struct supervisor *s)
{
    return !s->end.killed && !s->end.termed && s->result->signal == 0 &&
           s->options->leftovers != LEFTOVERS_LEAVE;
}

void sup_scan_checkpoints(struct supervisor *s)
{
    if (s->save.checkpoints == NULL)
        return;
    if (s->told.relay != NULL) /* what was printed before a save is known before it */
        relay_read(s->told.relay);
    update_offset(&s->save);
    if (s->proc.over)
        checkpoint_watch_end(s->save.checkpoints, clock_file_ns(), ended_well(s),
                             ended_by_itself(s));
    else
        checkpoint_watch_look(s->save.checkpoints, clock_file_ns());
}
