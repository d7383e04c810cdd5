/* All runs of a sweep, on several threads, kept in a journal as they are done. */
#include <math.h>
#include <string.h>

#include "base/fs.h"
#include "base/journal.h"
#include "base/num.h"
#include "base/parallel.h"
#include "op/spot/simulate_sweep.h"
#include "spot/optimum.h"

struct doing {
    const struct sweep *sweep;
    struct sweep_results *results;
    struct sweep_reading reading;
    struct journal *journal; /* NULL: nothing is kept */
    size_t *todo;            /* numbers of the runs */
    size_t count, before;    /* to do; done earlier */
};

/* A record of the journal: the number of the run, then its outcomes. */
size_t sweep_record_size(const struct sweep *s)
{
    return sizeof(uint64_t) + s->policy_count * sizeof(struct sweep_outcome);
}

static struct sweep_outcome *outcomes_of(const struct doing *d, size_t run)
{
    return d->results->at + run * d->sweep->policy_count;
}

void sweep_take_record(void *ctx, const void *record)
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

static bool keep_record(const struct doing *d, size_t run, struct arena *scratch,
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
        /* A yardstick that nobody named may lack its plan, or be missing: what it is for is
         * unknown then. */
        if ((p < s->shown && !s->may_lack_optimal) || p != s->optimal ||
            err->kind != ERROR_FAILED)
            return false;
        *err = (struct error){0};
        if (!bound_one(&market, &job, scratch, out, err)) {
            if (err->kind != ERROR_FAILED)
                return false;
            *err = (struct error){0};
            out->usd = NAN;
        }
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

static bool stop(void *ctx)
{
    const struct doing *d = ctx;

    return d->sweep->ctx->stopped();
}

/* What is done is in the journal. */
static void say_kept(const struct doing *d, struct error *err)
{
    size_t kept = 0;

    for (size_t i = 0; i < d->count; i++)
        kept += d->results->known[d->todo[i]];
    error_set(err, ERROR_STOPPED, "stopped: %zu of %zu runs are kept in '%.*s'",
              d->before + kept, d->before + d->count, STR_ARG(d->sweep->request->resume));
    error_hint(err, "the same command goes on");
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
    name = str_dup(path, s->ctx->arena, err);
    if (name == NULL || !sweep_header(s, &header, err))
        return false;
    d->journal =
        journal_open(name, header, sweep_record_size(s), reader, s->ctx->arena->alloc, err);
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
    /* Without a journal there is nothing to say: it just ends. */
    if (d->journal != NULL && s->ctx->stopped != NULL) {
        (void)s->ctx->stopped();
        work.stop = stop;
    }
    if (parallel_run(&work, d->count, err))
        return true;
    if (err->kind == ERROR_STOPPED)
        say_kept(d, err);
    return false;
}

bool sweep_simulate(struct sweep *s, struct sweep_results *out, struct error *err)
{
    struct doing d = {.sweep = s, .results = out, .reading = {s, out}};
    bool ok;

    out->at = arena_array(s->ctx->arena, struct sweep_outcome, s->runs * s->policy_count, err);
    out->known = arena_array(s->ctx->arena, bool, s->runs, err);
    if (out->at == NULL || out->known == NULL)
        return false;
    if (s->request->gather.len > 0)
        return sweep_gather(s, out, err);
    ok = open_journal(&d, s->request->resume, err) && simulate_rest(&d, err);
    journal_close(d.journal);
    return ok;
}
