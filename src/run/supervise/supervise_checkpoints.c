/* Checkpoints of a run: which step, metric, time and cost each has, and which are removed. */
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "run/supervise/supervise_internal.h"
#include "unit/time.h"

#define SECOND INT64_C(1000000000)
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
static void see_offset(struct supervisor *s)
{
    int64_t offset = calendar_offset(), moved = offset - s->file_offset;

    s->file_offset_before =
        moved > CLOCK_MOVED || moved < -CLOCK_MOVED ? s->file_offset : offset;
    s->file_offset = offset;
}

/* A date of a file on the clock of the run. It was not so at the look before (`glimpsed_ns`,
 * -1: there was none) and is so now: a date of before a calendar that was set in between, or of
 * a file server whose clock is ahead, is brought to where it must be. */
static instant moment_of(const struct supervisor *s, int64_t date_ns, int64_t glimpsed_ns)
{
    instant now = clock_paid(), at = {date_ns - s->file_offset};

    if (s->file_offset_before != s->file_offset) {
        instant other = {date_ns - s->file_offset_before};
        int64_t from = glimpsed_ns >= 0 ? glimpsed_ns - s->file_offset_before : s->began.ns;

        if ((at.ns < from || at.ns > now.ns) && other.ns >= from && other.ns <= now.ns)
            at = other;
    }
    return at.ns > now.ns ? now : at;
}

int64_t sup_delay_ns(const struct supervisor *s)
{
    char text[96];
    ssize_t len = pread(s->delays, text, sizeof text - 1, 0);
    struct str rest = {text, len > 0 ? (size_t)len : 0};
    int64_t delay;

    (void)str_cut(&rest, ' '); /* the time that it ran */
    return num_int(str_cut(&rest, ' '), &delay) ? delay : 0;
}

/* What the run had cost by a moment: known of the looks, and even in between. */
static usd cost_at(const struct supervisor *s, instant at)
{
    struct cost_mark low = {s->began, s->cost_first},
                     high = {s->account.last, account_cost(&s->account)};
    double share;

    if (high.cost.nano == MONEY_UNKNOWN)
        return USD_UNKNOWN;
    if (at.ns >= high.at.ns) { /* later than the last look: at the rate it had then */
        usd more;

        if (s->account.rate.nano == MONEY_UNKNOWN ||
            !usd_for(s->account.rate, span_between(high.at, at), &more))
            return usd_add(high.cost, s->before);
        return usd_add(usd_add(high.cost, more), s->before);
    }
    for (size_t i = 0; i < s->cost_mark_count; i++) {
        const struct cost_mark *m =
            &s->cost_marks[(s->cost_mark_first + i) % ARRAY_LEN(s->cost_marks)];

        if (m->cost.nano == MONEY_UNKNOWN)
            continue;
        if (m->at.ns <= at.ns && m->at.ns >= low.at.ns)
            low = *m;
        if (m->at.ns > at.ns && m->at.ns < high.at.ns)
            high = *m;
    }
    if (at.ns <= low.at.ns || high.at.ns <= low.at.ns)
        return usd_add(low.cost, s->before);
    share = (double)(at.ns - low.at.ns) / (double)(high.at.ns - low.at.ns);
    low.cost.nano += llround((double)(high.cost.nano - low.cost.nano) * share);
    return usd_add(low.cost, s->before);
}

void sup_mark_cost(struct supervisor *s)
{
    size_t room = ARRAY_LEN(s->cost_marks);

    if (s->checkpoints == NULL)
        return;
    if (s->cost_mark_count == room) {
        s->cost_mark_first = (s->cost_mark_first + 1) % room;
        s->cost_mark_count--;
    }
    s->cost_marks[(s->cost_mark_first + s->cost_mark_count++) % room] =
        (struct cost_mark){s->account.last, account_cost(&s->account)};
}

/* ---- what one holds ---- */

/* A metric that is told as no number is worse than all that are. */
static double ranked(const struct supervisor *s, const struct history_label *label)
{
    if (!label->has_metric || !isnan(label->metric))
        return label->metric;
    return s->options->checkpoint_rules.greater ? (double)-INFINITY : (double)INFINITY;
}

static void date_checkpoint(void *ctx, const struct checkpoint *checkpoint, int64_t begun_ns,
                            int64_t glimpsed_ns, struct checkpoint_label *out)
{
    const struct supervisor *s = ctx;
    /* Dates without a fraction are of file systems that keep none. */
    int64_t coarse = checkpoint->written_ns % SECOND == 0 ? SECOND : COARSE;

    out->written = moment_of(s, checkpoint->written_ns + coarse, glimpsed_ns);
    out->begun = moment_of(s, begun_ns, glimpsed_ns);
    if (out->begun.ns > out->written.ns)
        out->begun = out->written;
    out->cost = cost_at(s, out->written);
}

static void label_checkpoint(void *ctx, const struct checkpoint_around *around,
                             struct checkpoint_label *out)
{
    const struct supervisor *s = ctx;
    struct history_save save = {out->begun, out->written, around->until, {-1}};
    struct history_label label;

    if (around->before != NULL && around->before->after)
        save.claimed = around->before->metric_at;
    history_label(&s->history, &save, &label);
    /* Marks of long ago are gone: what was known then stays. */
    if (label.has_metric || isnan(out->metric)) {
        out->metric = ranked(s, &label);
        out->metric_at = label.metric_at;
        out->after = label.after;
    }
    if (isnan(out->step))
        out->step = label.step;
    out->final = label.final;
}

/* ---- the ledger ---- */

/* Where it is, as the ledger has it: an earlier attempt may have written the folder otherwise.
 */
static void checkpoint_path(const struct supervisor *s, const struct checkpoint *checkpoint,
                            char *to, size_t room)
{
    for (size_t i = 0; i < s->known_count; i++)
        if (str_eq(s->known[i].name, checkpoint->name)) {
            (void)snprintf(to, room, "%.*s", STR_ARG(s->known[i].row.path));
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

    for (size_t i = 0; i < s->known_count; i++) {
        const struct ledger_checkpoint *row = &s->known[i].row;

        if (!str_eq(s->known[i].name, checkpoint->name) ||
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
    return (stamp){(at.ns + s->file_offset) / SECOND + (apart > 1 || apart < -1 ? apart : 0)};
}

static void record_checkpoint(struct supervisor *s, const struct checkpoint *checkpoint,
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
        .best = str_eq(checkpoint_watch_best(s->checkpoints), checkpoint->name)};

    checkpoint_path(s, checkpoint, path, sizeof path);
    row.path = str_from(path);
    if (s->recorder != NULL)
        recorder_checkpoint(s->recorder, &row);
}

static void checkpoint_settled(void *ctx, const struct checkpoint *checkpoint,
                               const struct checkpoint_label *label)
{
    struct supervisor *s = ctx;

    record_checkpoint(s, checkpoint, label);
    s->saved_since_asked |= s->asked;
    if (!s->ending) /* then the open files tell sooner */
        sup_saved(s, checkpoint->took_s, checkpoint->bytes);
}

static void checkpoint_removed(void *ctx, const struct checkpoint *checkpoint)
{
    struct supervisor *s = ctx;
    char path[PATH_MAX + NAME_MAX];
    size_t len;

    checkpoint_path(s, checkpoint, path, sizeof path);
    if (s->recorder != NULL)
        recorder_checkpoint_gone(s->recorder, str_from(path),
                                 s->options->clock->today(s->options->clock->ctx));
    log_write(s->options->log, LOG_INFO, "checkpoint %.*s removed", STR_ARG(checkpoint->name));
    s->result->removed++;
    s->result->removed_bytes += checkpoint->frees;
    len = strlen(s->result->removed_names);
    if (len + checkpoint->name.len + 2 <= sizeof s->result->removed_names)
        (void)snprintf(s->result->removed_names + len, sizeof s->result->removed_names - len,
                       "%.*s\n", STR_ARG(checkpoint->name));
}

/* A save takes time from training only when no step is made meanwhile. */
static void add_saving(struct supervisor *s, instant from, instant to)
{
    if (from.ns < s->began.ns)
        from = s->began;
    if (to.ns > from.ns && !history_advanced(&s->history, from, (instant){to.ns - SOON}))
        s->sight.saving_s += (double)(to.ns - from.ns) / 1e9;
}

/* By the dates of its writes. They may come late: what was seen to be synced meanwhile is
 * counted already. */
static void checkpoint_saving(void *ctx, int64_t from_ns, int64_t to_ns)
{
    struct supervisor *s = ctx;
    instant from = moment_of(s, from_ns, -1), to = moment_of(s, to_ns, -1);

    if (to.ns > s->written_to.ns)
        s->written_to = to;
    if (to.ns <= s->synced_from.ns || from.ns >= s->synced_to.ns) {
        add_saving(s, from, to);
        return;
    }
    add_saving(s, from, s->synced_from);
    add_saving(s, s->synced_to, to);
}

/* As links of /proc name it. */
const char *sup_checkpoint_folder(const struct supervisor *s, char to[static PATH_MAX])
{
    return s->options->checkpoints != NULL ? realpath(s->options->checkpoints, to) : NULL;
}

/* ---- saves on their way to the disk ---- */

static void add_syncing(struct supervisor *s, instant from, instant to)
{
    if (from.ns < s->written_to.ns)
        from = s->written_to;
    if (from.ns >= to.ns)
        return;
    add_saving(s, from, to);
    if (from.ns != s->synced_to.ns)
        s->synced_from = from;
    s->synced_to = to;
}

/* Threads are looked at only while something was written, which may be a temporary file. */
static bool is_syncing(struct supervisor *s, instant now, instant *since)
{
    bool saving = checkpoint_watch_saving(s->checkpoints);
    char folder[PATH_MAX];
    struct sync_seen seen;

    if (saving || s->sight.io_rate >= SYNC_RATE)
        s->sync_until = (instant){now.ns + SYNC_FOR};
    if (s->over || s->meters == NULL || (now.ns >= s->sync_until.ns && !s->syncing) ||
        sup_checkpoint_folder(s, folder) == NULL)
        return false;
    sync_watch_look(meters_tree(s->meters), folder, &seen);
    if (seen.kind == SYNC_FILE && seen.written_ns >= 0 &&
        moment_of(s, seen.written_ns, -1).ns > since->ns)
        *since = moment_of(s, seen.written_ns, -1);
    return seen.kind == SYNC_FILE || (seen.kind == SYNC_OTHER && (saving || s->syncing));
}

void sup_see_sync(struct supervisor *s, instant now)
{
    instant since = s->account.last;
    bool syncing;

    if (s->checkpoints == NULL)
        return;
    syncing = is_syncing(s, now, &since);
    if (syncing)
        add_syncing(s, since, now);
    else if (s->syncing) /* it ended between two looks: in the middle, on average */
        add_syncing(s, since, (instant){since.ns + (now.ns - since.ns) / 2});
    s->syncing = syncing;
}

/* ---- what is said ---- */

static void checkpoint_trouble(void *ctx, const struct error *err)
{
    sup_say(ctx, "warning: %s", err->text);
}

static void checkpoints_unranked(void *ctx, size_t count)
{
    struct supervisor *s = ctx;
    struct str metric = s->options->checkpoint_rules.metric;

    sup_event(
        s, "checkpoints-unranked", false,
        "warning: --best: none of %zu checkpoints can be ranked, since '%.*s' was not seen "
        "before or just after they were saved: all are kept",
        count, STR_ARG(metric));
    sup_say(s,
            "  hint: print it as '%.*s=0.123', or give its pattern: --metrics "
            "'%.*s=/PATTERN (\\S+)/'; without --best the newest %d are kept",
            STR_ARG(metric), STR_ARG(metric), s->options->checkpoint_rules.keep);
}

/* ---- the watch ---- */

/* Does this path of an earlier attempt lead to the folder that is watched? */
static bool is_in_folder(struct str start, struct str path, const char *folder)
{
    char whole[PATH_MAX], real[PATH_MAX];
    const char *slash = path.len > 0 ? memrchr(path.at, '/', path.len) : NULL;
    int len = slash != NULL ? (int)(slash - path.at) : 0, put;

    put = path.len > 0 && path.at[0] == '/'
              ? snprintf(whole, sizeof whole, "%.*s/", len, path.at)
              : snprintf(whole, sizeof whole, "%.*s/%.*s", STR_ARG(start), len,
                         len > 0 ? path.at : "");
    return put > 0 && (size_t)put < sizeof whole && realpath(whole, real) != NULL &&
           strcmp(real, folder) == 0;
}

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
    s->known = arena_array(&s->arena, struct known_checkpoint, count, &ignored);
    for (size_t i = 0; s->known != NULL && i < count; i++) {
        struct str path = rows[i].path;
        const char *slash = path.len > 0 ? memrchr(path.at, '/', path.len) : NULL;
        size_t skip = slash != NULL ? (size_t)(slash - path.at) + 1 : 0;

        if (rows[i].gone.s < 0 && is_in_folder(run.start.folder, path, folder))
            s->known[s->known_count++] =
                (struct known_checkpoint){{path.at + skip, path.len - skip}, rows[i]};
    }
}

bool sup_watch_checkpoints(struct supervisor *s, struct error *err)
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
                                               .failed = checkpoint_trouble,
                                               .ctx = s};

    if (options.folder == NULL)
        return true;
    s->file_offset = s->file_offset_before = calendar_offset();
    s->delays = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    s->cost_first = account_cost(&s->account);
    if (!history_start(&s->history, options.rules.metric, &s->arena, err))
        return false;
    recall_checkpoints(s);
    s->checkpoints = checkpoint_watch_open(&options, s->options->alloc, err);
    if (s->checkpoints == NULL)
        return false;
    /* Before the command starts: what is there now is not its own, and no write is missed. */
    checkpoint_watch_look(s->checkpoints, clock_file_ns());
    return true;
}

/* Did all of it end by itself, and well? Who is killed may have been in the middle of a save,
 * and who is left behind may go on with one. */
static bool ended_well(const struct supervisor *s)
{
    return !s->killed && s->result->signal == 0 && s->result->status == 0 &&
           s->options->leftovers != LEFTOVERS_LEAVE;
}

void sup_look_at_checkpoints(struct supervisor *s)
{
    if (s->checkpoints == NULL)
        return;
    if (s->relay != NULL) /* what was printed before a save is known before it */
        relay_read(s->relay);
    see_offset(s);
    if (s->over)
        checkpoint_watch_end(s->checkpoints, clock_file_ns(), ended_well(s));
    else
        checkpoint_watch_look(s->checkpoints, clock_file_ns());
}
