/* What makes two sweeps the same: the header of a journal. */
#include <math.h>

#include "base/crc.h"
#include "base/num.h"
#include "op/spot/simulate_sweep.h"

/* A market of its own on which the policies show how they decide: see add_decisions(). */
#define SAMPLE_TICKS 240
#define SAMPLE_GAP 1800
#define SAMPLE_SEED 20240416

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

    write_numbers(out, "work in seconds", &job->work, 1);
    write_numbers(out, "deadlines in seconds", s->deadlines, s->deadline_count);
    write_numbers(out, "delays in seconds", s->delays, s->delay_count);
    buf_addf(out, "gang: %d\n", job->gang);
    buf_addf(out, "billing: by the %s\n", job->by_second ? "second" : "tick");
    buf_addf(out, "roaming: %s\n", s->request->roam ? "yes" : "no");
    write_numbers(out, "checkpoints in seconds",
                  (const double[]){job->save_every, job->save_takes, job->notice}, 3);
    write_numbers(out, "egress", s->egress, moves);
    write_numbers(out, "transfers in seconds", s->carry, moves);
}

static bool add_decision(const struct policy *policy, const struct trace *trace,
                         double save_every, struct arena *scratch, uint32_t *sum,
                         struct error *err)
{
    struct sim_zone zone = {
        .id = trace->id, .nodes_at = trace->nodes_at, .spot = 1, .on_demand = 3};
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
    struct arena scratch = {.alloc = s->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
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
    text = buf_new(s->ctx->arena->alloc, (size_t)64 << 20);
    buf_addf(&text, "program: stint %s, which decides as %08x\n", STINT_VERSION, decisions);
    buf_addf(&text, "checksum of the traces: %08x\n", s->sum);
    write_zones(s, &text);
    write_windows(s, &text);
    write_job(s, &text);
    buf_adds(&text, "policies:");
    for (size_t p = 0; p < s->policy_count; p++)
        buf_addf(&text, " %s", s->policies[p].name);
    /* As a yardstick the optimum is found without its plan, and comes with less. */
    buf_addf(&text, "\npolicies shown: %zu\nrecords:\n", s->shown);
    return buf_keep(&text, s->ctx->arena, out, err);
}
