/* What is kept of a limit for the last save: what is known for it, and what is said about it.
 */
#include <math.h>
#include <stdio.h>

#include "meter/tree.h"
#include "run/supervise/processes.h"
#include "run/supervise/supervise_internal.h"
#include "unit/time.h"

#define SECOND INT64_C(1000000000)
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

static bool has_limit(const struct supervisor *s)
{
    return s->limit.ns != MOMENT_NEVER.ns;
}

static struct tree *processes_of(struct supervisor *s)
{
    return s->meters != NULL ? meters_tree(s->meters) : sup_tree(s);
}

/* ---- what is known ---- */

/* Bytes that a save may have to write: what the run holds on devices, or in the host's memory
 * when that is more (states that were moved there) or there is no device. */
static void see_held(struct supervisor *s)
{
    double device = 0, host = fmin(tree_anonymous(processes_of(s)), s->sample.tree.memory);

    for (size_t i = 0; s->sampled && i < s->sample.gpus; i++) {
        const struct gpu_sample *gpu = &s->sample.gpu[i];

        if (gpu->use == GPU_VISIBLE)
            continue;
        if (gpu->tree_memory > 0)
            device += gpu->tree_memory;
        else if (isnan(gpu->tree_memory) && gpu->memory > 0)
            device += gpu->memory;
    }
    s->held_on_device = device > 0 && !(host > device);
    s->held = s->held_on_device ? device : s->sampled ? host : (double)NAN;
}

static void see_probe(struct supervisor *s, instant now)
{
    const char *folder = s->options->checkpoints != NULL ? s->options->checkpoints : ".";
    double rate;

    if (s->probe.fd >= 0) {
        if (!disk_probe_look(&s->probe, now, &rate))
            return;
        s->disk_rate = rate;
        sup_log(s, "disk: %.1f MB/s measured in %s", rate / 1e6, folder);
        return;
    }
    if (s->probe_tries >= PROBE_TRIES || !isnan(s->disk_rate) || s->probe.pid > 0 ||
        !has_limit(s) || s->options->grace.ns >= 0 || s->save_history.count > 0 || s->ending ||
        !(s->program.saves_on_ask || s->program.saves_on_term))
        return;
    s->probe_tries++;
    if (!disk_probe_start(&s->probe, folder, now))
        return;
    tree_leave_out(processes_of(s), s->probe.pid);
    tree_leave_out(s->tree, s->probe.pid);
}

/* ---- saves ---- */

void sup_saved(struct supervisor *s, double seconds, double bytes)
{
    if (!(bytes >= SAVE_LEAST_BYTES))
        return;
    if (s->asked) /* what it did before it opened the file counts, too */
        seconds = fmax(seconds, (double)(s->saved_at.ns - s->asked_at.ns) / 1e9);
    save_history_add(&s->save_history, seconds, s->held, false);
    s->saved_since_asked |= s->asked;
    sup_log(s, "save: %.1f MB in %.2f s with %.1f MB in use", bytes / 1e6, seconds,
            s->held / 1e6);
}

/* How long to the next look at open files, after one that took this much of a core. */
static int64_t scan_pause(const struct supervisor *s, int64_t cost)
{
    bool writing = s->sight.io_rate > WRITING;
    bool near = s->ending || (has_limit(s) && s->limit.ns - s->scanned.ns <
                                                  s->reserve.time.ns + s->options->every.ns);
    int64_t least = near ? SCAN_ENDING : s->options->every.ns;
    int64_t pause = cost * (near ? SCAN_COST_ENDING : writing ? SCAN_COST_WRITING : SCAN_COST);

    return pause > least ? pause : least;
}

void sup_see_saves(struct supervisor *s, instant now)
{
    struct save_seen seen;
    int64_t before = clock_work().ns;
    char folder[PATH_MAX];

    if (now.ns < s->next_scan.ns || (!has_limit(s) && !s->ending)) {
        /* Much is being written: worth a look before its turn. */
        if (!(s->sight.io_rate > WRITING) || !has_limit(s) ||
            now.ns - s->scanned.ns < s->scan_cost * SCAN_COST_WRITING)
            return;
    }
    if (save_watch_look(&s->saves, processes_of(s), sup_checkpoint_folder(s, folder),
                        clock_file_ns(), &seen)) {
        s->saved_at = now;
        sup_saved(s, seen.seconds, seen.bytes);
    }
    s->scan_cost = clock_work().ns - before;
    s->scanned = now;
    s->next_scan = (instant){now.ns + scan_pause(s, s->scan_cost)};
    s->program.saving = save_watch_saving(&s->saves, s->ending) ||
                        (s->checkpoints != NULL && checkpoint_watch_saving(s->checkpoints));
}

/* ---- each look ---- */

void sup_see_reserve(struct supervisor *s, instant now)
{
    int64_t pause = (now.ns - s->began.ns) / 2;

    sup_see_saves(s, now);
    if (!has_limit(s) || s->options->grace.ns >= 0)
        return;
    if (now.ns >= s->next_program.ns) {
        sup_see_program(s, now);
        see_held(s);
        pause = pause > PROGRAM_EVERY_MOST ? PROGRAM_EVERY_MOST : pause;
        if (s->limit.ns - now.ns < 2 * s->reserve.time.ns + 4 * PROGRAM_EVERY_MOST)
            pause = 0;
        s->next_program = (instant){now.ns + (pause < SECOND ? SECOND : pause)};
    }
    see_probe(s, now);
}

span sup_reserve(struct supervisor *s)
{
    double rate = fmax(s->disk_rate, s->saves.write_rate > 0 ? s->saves.write_rate : NAN);
    struct reserve_facts facts = {.set = s->options->grace,
                                  .ahead = {s->limit.ns - s->began.ns},
                                  .saves = s->program.saves_on_ask || s->program.saves_on_term,
                                  .history = &s->save_history,
                                  .memory = s->held,
                                  .on_device = s->held_on_device,
                                  .write_rate = rate};

    if (!s->ending)
        s->reserve = reserve_evaluate(&facts);
    return s->reserve.time;
}

/* ---- what is said ---- */

usd sup_reserve_cost(const struct supervisor *s)
{
    usd cost = USD_UNKNOWN;

    if (s->account.rate.nano == MONEY_UNKNOWN ||
        !usd_for(s->account.rate, s->reserve.time, &cost))
        return USD_UNKNOWN;
    return cost;
}

/* "18 s ($0.0124)": rounded up, since it is a promise. */
void sup_write_time_and_cost(span time, usd cost, struct buf *out)
{
    span_write((span){(time.ns + SECOND - 1) / SECOND * SECOND}, out);
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

    reserve_explain(&s->reserve, &text);
    (void)snprintf(out->reserve_why, sizeof out->reserve_why, "%.*s", (int)text.len,
                   text.len > 0 ? text.at : "");
    buf_free(&text);
    out->reserve = s->reserve.time;
    out->reserve_cost = sup_reserve_cost(s);
}

void sup_announce_reserve(struct supervisor *s, instant now)
{
    bool first = s->announcements == 0;
    /* Soon more may be known, but not when the limit is near. */
    bool waits = s->probe.fd >= 0 && s->limit.ns - now.ns > s->reserve.time.ns + 2 * SECOND;
    struct buf text;

    if (has_limit(s))
        note_reserve(s);
    if (!has_limit(s) || s->ending || waits || s->announcements >= ANNOUNCED_MOST ||
        (first ? s->reserve.basis == RESERVE_NONE
               : !reserve_differs(&s->announced, &s->reserve)))
        return;
    text = buf_new(s->options->alloc, 400);
    s->announced = s->reserve;
    s->announcements++;
    if (s->reserve.basis == RESERVE_NONE) {
        sup_event(s, "reserve", false, "nothing is reserved for a last save any more");
        buf_free(&text);
        return;
    }
    buf_adds(&text, first ? "the last " : "now the last ");
    sup_write_time_and_cost(s->reserve.time, sup_reserve_cost(s), &text);
    buf_adds(&text, " are reserved for saving: ");
    reserve_explain(&s->reserve, &text);
    if (first && s->reserve.basis != RESERVE_SET)
        buf_adds(&text, " (--grace TIME sets it)");
    sup_event(s, "reserve", s->reserve.basis == RESERVE_SET, "%.*s", (int)text.len, text.at);
    buf_free(&text);
}
