/* All runs of a sweep, on several threads, kept in a journal as they are done. */
#include <math.h>
#include <string.h>

#include "base/fs.h"
#include "base/journal.h"
#include "base/num.h"
#include "base/parallel.h"
#include "op/simulate_sweep.h"
#include "spot/optimum.h"

struct doing {
    const struct sweep *sweep;
    struct sweep_results *results;
    struct journal *journal; /* NULL: nothing is kept */
    size_t *todo;            /* numbers of the runs */
    size_t count, before;    /* to do; done earlier */
};

/* A record of the journal: the number of the run, then its outcomes. */
static size_t record_size(const struct sweep *s)
{
    return sizeof(uint64_t) + s->policy_count * sizeof(struct sweep_outcome);
}

static struct sweep_outcome *outcomes_of(const struct doing *d, size_t run)
{
    return d->results->at + run * d->sweep->policy_count;
}

static bool take_record(void *ctx, const void *record)
{
    struct doing *d = ctx;
    uint64_t run;

    memcpy(&run, record, sizeof run);
    if (run >= d->sweep->runs)
        return false;
    memcpy(outcomes_of(d, (size_t)run), (const char *)record + sizeof run,
           d->sweep->policy_count * sizeof(struct sweep_outcome));
    d->results->known[run] = true;
    return true;
}

static bool keep_record(const struct doing *d, size_t run, struct arena *scratch,
                        struct error *err)
{
    char *record;
    uint64_t number = run;

    if (d->journal == NULL)
        return true;
    record = arena_array(scratch, char, record_size(d->sweep), err);
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
 * followed; but nobody gets below its cost without them. */
static bool bound_one(const struct sim_market *market, const struct sim_job *job,
                      struct arena *scratch, struct sweep_outcome *out, struct error *err)
{
    *out = (struct sweep_outcome){.spot_s = NAN, .on_demand_s = NAN, .lost_s = NAN};
    return optimum_find(market, job, scratch, NULL, &out->usd, err);
}

static bool simulate_policy(const struct sweep *s, size_t policy,
                            const struct sim_market *market, const struct sim_job *job,
                            struct arena *scratch, struct sweep_outcome *out, struct error *err)
{
    struct sim_result result = {0};

    if (policy == s->optimal && job->save_every > 0)
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
        /* A yardstick that nobody asked for may be missing: what it is for is unknown then. */
        if (p < s->shown || err->kind == ERROR_MEMORY)
            return false;
        *out = (struct sweep_outcome){.usd = NAN};
    }
    d->results->known[number] = true;
    return keep_record(d, number, scratch, err);
}

static void tell(void *ctx, size_t done)
{
    const struct doing *d = ctx;
    const struct op_context *op = d->sweep->ctx;

    if (op->progress != NULL)
        op->progress(op->progress_ctx, "simulating", d->before + done, d->before + d->count);
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
    struct journal_reader reader = {take_record, d};
    struct str header;
    char *name;

    if (path.len == 0)
        return true;
    name = str_dup(path, s->ctx->arena, err);
    if (name == NULL || !sweep_header(s, &header, err))
        return false;
    d->journal = journal_open(name, header, record_size(s), reader, s->ctx->arena->alloc, err);
    return d->journal != NULL;
}

static bool simulate_rest(struct doing *d, struct error *err)
{
    const struct sweep *s = d->sweep;
    struct parallel work = {
        .alloc = s->ctx->arena->alloc, .item = simulate_one, .tell = tell, .ctx = d};
    size_t first, step;

    if (!read_shard(s->request->shard, &first, &step, err))
        return false;
    d->todo = arena_array(s->ctx->arena, size_t, s->runs, err);
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
        op_say(s->ctx, VOICE_NOTE, "%zu of %zu runs were done before", d->before,
               d->before + d->count);
    work.threads = s->request->threads > 0 ? (unsigned)s->request->threads : 0;
    return parallel_run(&work, d->count, err);
}

/* The parts of a folder, "part-1" and on, which must have all runs among them. */
static bool gather(struct doing *d, struct str folder, struct error *err)
{
    const struct sweep *s = d->sweep;
    struct journal_reader reader = {take_record, d};
    char *path = str_dup(folder, s->ctx->arena, err);
    size_t missing = 0, parts = 0;
    struct str header;

    if (path == NULL || !sweep_header(s, &header, err))
        return false;
    for (;; parts++) {
        char name[40];
        char *file;

        (void)snprintf(name, sizeof name, "part-%zu", parts + 1);
        file = fs_join(path, name, s->ctx->arena, err);
        if (file == NULL)
            return false;
        if (!fs_exists(file))
            break;
        if (!journal_read(file, header, record_size(s), reader, s->ctx->arena->alloc, err))
            return false;
    }
    if (parts == 0)
        return error_fail(err, ERROR_ABSENT, "'%s' has no parts of a sweep", path);
    for (size_t i = 0; i < s->runs; i++)
        missing += !d->results->known[i];
    if (missing == 0)
        return true;
    error_set(err, ERROR_FAILED, "'%s' lacks %zu of %zu runs (parts that are there: %zu)", path,
              missing, s->runs, parts);
    error_hint(err, "run those parts again: they go on where they stopped");
    return false;
}

bool sweep_simulate(struct sweep *s, struct sweep_results *out, struct error *err)
{
    struct doing d = {.sweep = s, .results = out};
    bool ok;

    out->at = arena_array(s->ctx->arena, struct sweep_outcome, s->runs * s->policy_count, err);
    out->known = arena_array(s->ctx->arena, bool, s->runs, err);
    if (out->at == NULL || out->known == NULL)
        return false;
    if (s->request->gather.len > 0)
        return gather(&d, s->request->gather, err);
    ok = open_journal(&d, s->request->resume, err) && simulate_rest(&d, err);
    journal_close(d.journal);
    return ok;
}

static void write_numbers(struct buf *out, const char *name, const double *at, size_t count)
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
    buf_char(out, '\n');
}

static void write_job(const struct sweep *s, struct buf *out)
{
    const struct sim_job *job = &s->job;

    write_numbers(out, "work in seconds", &job->work, 1);
    write_numbers(out, "deadlines in seconds", s->deadlines, s->deadline_count);
    write_numbers(out, "delays in seconds", s->delays, s->delay_count);
    buf_addf(out, "gang: %d\n", job->gang);
    buf_addf(out, "billing: by the %s\n", job->by_second ? "second" : "tick");
    buf_addf(out, "roaming: %s\n", s->request->roam ? "yes" : "no");
    write_numbers(out, "checkpoints in seconds",
                  (const double[]){job->save_every, job->save_takes, job->notice}, 3);
}

bool sweep_header(const struct sweep *s, struct str *out, struct error *err)
{
    struct buf text = buf_new(s->ctx->arena->alloc, (size_t)64 << 20);
    const struct simulate_request *req = s->request;
    uint32_t windows = 0;
    bool ok;

    buf_addf(&text, "program: stint %s\n", STINT_VERSION);
    buf_addf(&text, "checksum of the traces: %08x\n", s->sum);
    write_zones(s, &text);
    buf_addf(&text, "made up: %zu seed %lld\n", s->copies, (long long)req->seed);
    for (size_t w = 0; w < s->windows.len; w++)
        windows = windows * 31 + (uint32_t)s->windows.at[w];
    buf_addf(&text, "windows: %zu of %lld ticks, checksum %08x\n", s->windows.len,
             (long long)req->window_ticks, windows);
    write_job(s, &text);
    write_numbers(&text, "egress", s->egress, s->egress != NULL ? s->regions * s->regions : 0);
    buf_adds(&text, "policies:");
    for (size_t p = 0; p < s->policy_count; p++)
        buf_addf(&text, " %s", s->policies[p].name);
    buf_adds(&text, "\nrecords:\n");
    ok = buf_ok(&text, err) && (out->at = str_dup(buf_text(&text), s->ctx->arena, err)) != NULL;
    out->len = text.len;
    buf_free(&text);
    return ok;
}
