/* All runs of a sweep, on several threads, kept in a journal as they are done. */
#include "spot/sweep.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/crc.h"
#include "base/fs.h"
#include "base/journal.h"
#include "base/num.h"
#include "base/parallel.h"
#include "spot/optimum.h"

/* ---- what makes two sweeps the same: the header of a journal ---- */

/* A market of its own on which the policies show how they decide: see add_decisions(). */
#define SAMPLE_TICKS 240
#define SAMPLE_GAP 1800
#define SAMPLE_SEED 20240416

static void write_sweep_numbers(struct buf *out, const char *name, const double *at,
                                size_t count)
{
    buf_addf(out, "%s:", name);
    for (size_t i = 0; i < count; i++) {
        buf_char(out, ' ');
        num_write(at[i], out);
    }
    buf_char(out, '\n');
}

static void write_zones(const struct sweep *s, struct buf *out)
{
    uint32_t lives = 0;

    buf_adds(out, "zones:");
    for (size_t z = 0; z < s->zone_count; z++) {
        buf_char(out, ' ');
        buf_add(out, s->zones[z].trace.id);
    }
    buf_adds(out, "\nprices:");
    for (size_t z = 0; z < s->zone_count; z++) {
        buf_char(out, ' ');
        num_write(s->zones[z].on_demand, out);
        buf_char(out, '/');
        if (s->zones[z].price != NULL)
            buf_adds(out, "series");
        else
            num_write(s->zones[z].spot, out);
    }
    buf_adds(out, "\nregions:");
    for (size_t z = 0; z < s->zone_count; z++)
        buf_addf(out, " %zu", s->zones[z].region_number);
    for (size_t z = 0; z < s->zone_count && s->copies > 0; z++) {
        const struct lifetimes *l = &s->zones[z].life;

        lives = crc32c(lives, l->lose, sizeof l->lose);
        lives = crc32c(lives, l->gain, sizeof l->gain);
        lives = crc32c(lives, &l->up, sizeof l->up);
    }
    buf_addf(out, "\nmade up: %zu seed %lld, checksum of the lifetimes %08x\n", s->copies,
             s->copies > 0 ? (long long)s->seed : 0, lives);
}

static void write_windows(const struct sweep *s, struct buf *out)
{
    uint32_t sum = 0;

    for (size_t w = 0; w < s->windows.len; w++) {
        uint64_t start = s->windows.at[w];

        sum = crc32c(sum, &start, sizeof start);
    }
    buf_addf(out, "windows: %zu of %lld ticks, checksum %08x\n", s->windows.len,
             (long long)s->request->window_ticks, sum);
}

static void write_job(const struct sweep *s, struct buf *out)
{
    const struct sim_job *job = &s->job;
    size_t moves = s->egress != NULL ? s->regions * s->regions : 0;

    write_sweep_numbers(out, "work in seconds", &job->work, 1);
    write_sweep_numbers(out, "deadlines in seconds", s->deadlines, s->deadline_count);
    write_sweep_numbers(out, "delays in seconds", s->delays, s->delay_count);
    buf_addf(out, "gang: %d\n", job->gang);
    buf_addf(out, "billing: by the %s\n", job->by_second ? "second" : "tick");
    buf_addf(out, "roaming: %s\n", s->request->roam ? "yes" : "no");
    write_sweep_numbers(out, "checkpoints in seconds",
                        (const double[]){job->save_every, job->save_takes, job->notice}, 3);
    write_sweep_numbers(out, "egress", s->egress, moves);
    write_sweep_numbers(out, "transfers in seconds", s->carry, moves);
}

static bool add_decision(const struct policy *policy, const struct trace *trace,
                         double save_every, struct arena *scratch, uint32_t *sum,
                         struct error *err)
{
    struct sim_zone zone = {.id = trace->id,
                            .nodes_at = trace->nodes_at,
                            .spot = 1,
                            .on_demand = 3,
                            .life = &lifetimes_typical};
    struct sim_market market = {.zones = &zone,
                                .zone_count = 1,
                                .gap = trace->gap,
                                .ticks = trace->ticks,
                                .regions = 1};
    struct sim_job job = {.work = 40.0 * 3600,
                          .deadline = 64.0 * 3600,
                          .delay = 900,
                          .gang = 1,
                          .save_every = save_every,
                          .save_takes = save_every / 20};
    struct sim_result r = {0};
    int64_t came_to[4];

    if (!sim_run(&market, &job, policy, scratch, NULL, &r, err))
        return false;
    /* In cents: the last digits differ between processors. */
    came_to[0] = llround(r.usd * 100);
    came_to[1] = (int64_t)r.end;
    came_to[2] = (int64_t)r.starts;
    came_to[3] = (int64_t)r.losses;
    *sum = crc32c(*sum, came_to, sizeof came_to);
    return true;
}

/* Two builds of one version may decide differently, and their runs must not be mixed. What the
 * policies do on a market of their own says whether they do. */
static bool add_decisions(const struct sweep *s, uint32_t *sum, struct error *err)
{
    struct arena scratch = {.alloc = s->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct dice dice = dice_seed(SAMPLE_SEED);
    struct trace trace;
    bool ok = lifetimes_draw(&lifetimes_typical, &dice, SAMPLE_GAP, SAMPLE_TICKS, &scratch,
                             &trace, err);

    *sum = 0;
    for (size_t p = 0; ok && p < s->policy_count; p++)
        ok = add_decision(&s->policies[p], &trace, 0, &scratch, sum, err) &&
             add_decision(&s->policies[p], &trace, 3600, &scratch, sum, err);
    arena_free(&scratch);
    return ok;
}

bool sweep_header(const struct sweep *s, struct str *out, struct error *err)
{
    struct buf text;
    uint32_t decisions;

    if (!add_decisions(s, &decisions, err))
        return false;
    text = buf_new(s->arena->alloc, (size_t)64 << 20);
    buf_addf(&text, "program: stint %s, which decides as %08x\n", STINT_VERSION, decisions);
    buf_addf(&text, "checksum of the traces: %08x\n", s->sum);
    write_zones(s, &text);
    write_windows(s, &text);
    write_job(s, &text);
    buf_adds(&text, "policies:");
    for (size_t p = 0; p < s->policy_count; p++)
        buf_addf(&text, " %s", s->policies[p].name);
    /* As a yardstick the optimum is found without its plan, and comes with less. */
    buf_addf(&text, "\npolicies shown: %zu\nrecords, with bounds:\n", s->shown);
    return buf_keep(&text, s->arena, out, err);
}

/* ---- the parts of a sweep that was done in shards, put together ---- */

#define NAMED_MAX 8 /* parts that an error names */

struct gathering {
    const struct sweep *sweep;
    struct sweep_reading reading;
    const char *folder;
    struct str header;
    bool *there;           /* [SWEEP_SHARDS_MAX + 1] by the number of the part */
    size_t highest, count; /* number; parts */
};

/* The number of "part-12"; 0: it is no part. */
static size_t part_number(struct str name)
{
    int64_t number;

    if (!str_starts(name, STR("part-")))
        return 0;
    name.at += 5;
    name.len -= 5;
    return num_int(name, &number) && number > 0 && number <= SWEEP_SHARDS_MAX ? (size_t)number
                                                                              : 0;
}

/* A record of the journal: the number of the run, then its outcomes. */
static size_t sweep_record_size(const struct sweep *s)
{
    return sizeof(uint64_t) + s->policy_count * sizeof(struct sweep_outcome);
}

static void sweep_take_record(void *ctx, const void *record)
{
    const struct sweep_reading *r = ctx;
    size_t count = r->sweep->policy_count;
    uint64_t run;

    memcpy(&run, record, sizeof run);
    if (run >= r->sweep->runs)
        return;
    memcpy(r->results->at + (size_t)run * count, (const char *)record + sizeof run,
           count * sizeof(struct sweep_outcome));
    r->results->known[run] = true;
}

static bool take_sweep_part(struct gathering *g, const char *name, struct error *err)
{
    struct arena *arena = g->sweep->arena;
    size_t number = part_number(str_from(name));
    char *path;

    if (number == 0)
        return true;
    path = fs_join(g->folder, name, arena, err);
    g->there[number] = true;
    g->highest = number > g->highest ? number : g->highest;
    g->count++;
    return path != NULL && journal_read(path, g->header, sweep_record_size(g->sweep),
                                        (struct journal_reader){sweep_take_record, &g->reading},
                                        arena->alloc, err);
}

static bool take_sweep_folder(struct gathering *g, struct error *err)
{
    DIR *dir = opendir(g->folder);
    const struct dirent *entry;
    bool ok = true;

    if (dir == NULL) {
        int reason = errno;

        error_system(err, reason, "cannot read the folder '%s'", g->folder);
        if (reason == ENOENT || reason == ENOTDIR)
            err->kind = ERROR_ABSENT;
        return false;
    }
    while (ok && (entry = readdir(dir)) != NULL)
        ok = take_sweep_part(g, entry->d_name, err);
    (void)closedir(dir);
    return ok;
}

static bool is_done(const struct gathering *g, size_t part, size_t parts)
{
    for (size_t i = part - 1; i < g->sweep->runs; i += parts)
        if (!g->reading.results->known[i])
            return false;
    return true;
}

/* ", part-2 (not there), part-5 (not done)". How many there should be is known from --shards;
 * without it, only that those below the highest should be there. */
static void name_parts(const struct gathering *g, char *to, size_t room)
{
    bool known = g->sweep->request->shards > 0;
    size_t parts = known ? (size_t)g->sweep->request->shards : g->highest, at = 0, named = 0;

    to[0] = '\0';
    for (size_t i = 1; i <= parts && i <= SWEEP_SHARDS_MAX && at < room; i++) {
        if (g->there[i] && (!known || is_done(g, i, parts)))
            continue;
        if (named++ == NAMED_MAX) {
            (void)snprintf(to + at, room - at, ", ...");
            return;
        }
        at += (size_t)snprintf(to + at, room - at, "%s part-%zu (not %s)",
                               named > 1 ? "," : ":", i, g->there[i] ? "done" : "there");
    }
}

static bool check_all(const struct gathering *g, struct error *err)
{
    size_t missing = 0;
    char names[320];

    for (size_t i = 0; i < g->sweep->runs; i++)
        missing += !g->reading.results->known[i];
    if (missing == 0)
        return true;
    name_parts(g, names, sizeof names);
    error_set(err, ERROR_FAILED, "'%s' has %zu part%s and lacks %zu of %zu runs%s", g->folder,
              g->count, g->count == 1 ? "" : "s", missing, g->sweep->runs, names);
    if (g->sweep->request->shards > 0)
        error_hint(err, "run those parts again: they go on where they stopped");
    else
        error_hint(err, "run the missing parts again, which go on where they stopped; "
                        "with --shards N they are named");
    return false;
}

/* Put the parts in the request's folder together. What is missing is named. */
static bool sweep_gather(const struct sweep *s, struct sweep_results *out, struct error *err)
{
    struct gathering g = {.sweep = s, .reading = {s, out}};

    g.folder = str_dup(s->request->gather, s->arena, err);
    g.there = arena_array(s->arena, bool, SWEEP_SHARDS_MAX + 1, err);
    if (g.folder == NULL || g.there == NULL || !sweep_header(s, &g.header, err) ||
        !take_sweep_folder(&g, err))
        return false;
    if (g.count == 0)
        return error_fail(err, ERROR_ABSENT, "'%s' has no parts of a sweep", g.folder);
    return check_all(&g, err);
}

/* ---- the runs on their threads ---- */

struct doing {
    const struct sweep *sweep;
    struct sweep_results *results;
    struct sweep_reading reading;
    struct journal *journal; /* NULL: nothing is kept */
    size_t *todo;            /* numbers of the runs */
    size_t count, before;    /* to do; done earlier */
};

static struct sweep_outcome *outcomes_of(const struct doing *d, size_t run)
{
    return d->results->at + run * d->sweep->policy_count;
}

static bool keep_sweep_record(const struct doing *d, size_t run, struct arena *scratch,
                              struct error *err)
{
    char *record;
    uint64_t number = run;

    if (d->journal == NULL)
        return true;
    record = arena_array(scratch, char, sweep_record_size(d->sweep), err);
    if (record == NULL)
        return false;
    memcpy(record, &number, sizeof number);
    memcpy(record + sizeof number, outcomes_of(d, run),
           d->sweep->policy_count * sizeof(struct sweep_outcome));
    return journal_add(d->journal, record, err);
}

static struct sweep_outcome outcome_of(const struct sim_result *r)
{
    return (struct sweep_outcome){.usd = r->usd,
                                  .egress_usd = r->egress_usd,
                                  .spot_s = r->spot_s,
                                  .on_demand_s = r->on_demand_s,
                                  .lost_s = r->lost_s,
                                  .end = (uint32_t)r->end,
                                  .starts = (uint32_t)r->starts,
                                  .losses = (uint32_t)r->losses,
                                  .late = r->late};
}

/* With pauses for saving, the plan of one who knows the future is no longer the best when it is
 * followed; but no policy gets below its cost without them. */
static bool bound_one(const struct sim_market *market, const struct sim_job *job,
                      struct arena *scratch, struct sweep_outcome *out, struct error *err)
{
    *out = (struct sweep_outcome){
        .egress_usd = NAN, .spot_s = NAN, .on_demand_s = NAN, .lost_s = NAN};
    if (optimum_find(market, job, scratch, NULL, &out->usd, err))
        return true;
    if (err->kind != ERROR_FAILED)
        return false;
    *err = (struct error){0};
    return optimum_bound(market, job, scratch, &out->usd, &out->above_usd, err);
}

static bool simulate_policy(const struct sweep *s, size_t policy,
                            const struct sim_market *market, const struct sim_job *job,
                            struct arena *scratch, struct sweep_outcome *out, struct error *err)
{
    struct sim_result result = {0};

    /* Whoever only compares with it needs no plan, which takes most of the memory. */
    if (policy == s->optimal && (job->save_every > 0 || policy >= s->shown))
        return bound_one(market, job, scratch, out, err);
    if (!sim_run(market, job, &s->policies[policy], scratch, NULL, &result, err))
        return false;
    *out = outcome_of(&result);
    return true;
}

static bool simulate_one(void *ctx, size_t index, struct arena *scratch, struct error *err)
{
    struct doing *d = ctx;
    const struct sweep *s = d->sweep;
    size_t number = d->todo[index];
    struct sweep_run run = sweep_run_of(s, number);
    struct sim_market market;
    struct sim_job job;

    if (!sweep_market(s, &run, scratch, &market, &job, err))
        return false;
    for (size_t p = 0; p < s->policy_count; p++) {
        struct sweep_outcome *out = &outcomes_of(d, number)[p];

        if (simulate_policy(s, p, &market, &job, scratch, out, err))
            continue;
        /* Of a yardstick the cost will do, or its lower bound. */
        if (p != s->optimal || err->kind != ERROR_FAILED)
            return false;
        *err = (struct error){0};
        if (!bound_one(&market, &job, scratch, out, err))
            return false;
    }
    d->results->known[number] = true;
    return keep_sweep_record(d, number, scratch, err);
}

static void report_sweep_progress(void *ctx, size_t done)
{
    const struct doing *d = ctx;

    watch_progress(&d->sweep->watch, "simulating", d->before + done, d->before + d->count);
}

static bool should_stop(void *ctx)
{
    const struct doing *d = ctx;

    return d->sweep->watch.stopped();
}

/* What is done is in the journal. */
static void hint_resume(const struct doing *d, struct error *err)
{
    size_t kept = 0;

    for (size_t i = 0; i < d->count; i++)
        kept += d->results->known[d->todo[i]];
    error_set(err, ERROR_STOPPED, "stopped: %zu of %zu runs are kept in '%.*s'",
              d->before + kept, d->before + d->count, STR_ARG(d->sweep->request->resume));
    error_hint(err, "run the same command again to continue");
}

/* "3/8": every eighth run, from the third on. */
static bool read_shard(struct str text, size_t *first, size_t *step, struct error *err)
{
    struct str rest = text;
    int64_t number, of;

    *first = 0;
    *step = 1;
    if (text.len == 0)
        return true;
    if (!num_int(str_cut(&rest, '/'), &number) || !num_int(rest, &of) || number < 1 ||
        number > of) {
        error_set(err, ERROR_USAGE, "--shard: '%.*s' is not a part such as 3/8", STR_ARG(text));
        return false;
    }
    *first = (size_t)number - 1;
    *step = (size_t)of;
    return true;
}

static bool open_journal(struct doing *d, struct str path, struct error *err)
{
    const struct sweep *s = d->sweep;
    struct journal_reader reader = {sweep_take_record, &d->reading};
    struct str header;
    char *name;

    if (path.len == 0)
        return true;
    name = str_dup(path, s->arena, err);
    if (name == NULL || !sweep_header(s, &header, err))
        return false;
    d->journal = journal_open(name, header, sweep_record_size(s), reader, s->arena->alloc, err);
    return d->journal != NULL;
}

static bool simulate_rest(struct doing *d, struct error *err)
{
    const struct sweep *s = d->sweep;
    struct parallel work = {.alloc = s->arena->alloc,
                            .item = simulate_one,
                            .report = report_sweep_progress,
                            .ctx = d};
    size_t first, step;

    if (!read_shard(s->request->shard, &first, &step, err))
        return false;
    d->todo = arena_array(s->arena, size_t, s->runs, err);
    if (d->todo == NULL)
        return false;
    for (size_t i = first; i < s->runs && i >= first; i += step) {
        if (d->results->known[i])
            d->before++;
        else
            d->todo[d->count++] = i;
        if (step > s->runs - i)
            break;
    }
    if (d->before > 0)
        message_note(s->messages, "%zu of %zu runs were done before", d->before,
                     d->before + d->count);
    work.threads = s->request->threads > 0 ? (unsigned)s->request->threads : 0;
    /* Without a journal there is nothing to say: it just ends. */
    if (d->journal != NULL && s->watch.stopped != NULL) {
        (void)s->watch.stopped();
        work.stop = should_stop;
    }
    if (parallel_run(&work, d->count, err))
        return true;
    if (err->kind == ERROR_STOPPED)
        hint_resume(d, err);
    return false;
}

bool sweep_simulate(struct sweep *s, struct sweep_results *out, struct error *err)
{
    struct doing d = {.sweep = s, .results = out, .reading = {s, out}};
    bool ok;

    out->at = arena_array(s->arena, struct sweep_outcome, s->runs * s->policy_count, err);
    out->known = arena_array(s->arena, bool, s->runs, err);
    if (out->at == NULL || out->known == NULL)
        return false;
    if (s->request->gather.len > 0)
        return sweep_gather(s, out, err);
    ok = open_journal(&d, s->request->resume, err) && simulate_rest(&d, err);
    journal_close(d.journal);
    return ok;
}
