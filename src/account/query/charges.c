#include "account/query/charges.h"

#include <string.h>

#include "account/policy/ledger_policy.h"
#include "base/map.h"

#define BLOCK 2048    /* charges */
#define KEY_MAX 65536 /* bytes of all values of one */

struct remembered {
    int64_t run, cost, compute, started, until, elapsed;
    double gpu_busy;
    uint32_t of; /* its dimensions, by number */
    int number, gpus;
    bool running;
};

struct remembered_block {
    struct remembered_block *next;
    size_t len;
    struct remembered at[BLOCK];
};

struct charge_memory {
    struct arena *arena;
    stamp since;
    struct remembered_block *first, *last;
    struct map keys; /* all values of a set of dimensions, each ended by a 0 */
    struct dimensions *of;
    size_t room;
    struct buf key;
};

/* ---- remembering ---- */

static void write_dimensions_key(const struct dimensions *of, struct buf *out)
{
    buf_clear(out);
    for (size_t d = 0; d < DIMENSION_COUNT; d++) {
        buf_add(out, of->of[d]);
        buf_char(out, '\0');
    }
}

/* The values as parts of the key, which is kept. */
static void cut_key(struct str key, struct dimensions *out)
{
    for (size_t d = 0; d < DIMENSION_COUNT; d++)
        out->of[d] = str_cut(&key, '\0');
}

static bool remember_dimensions(struct charge_memory *m, const struct dimensions *of,
                                uint32_t *out, struct error *err)
{
    struct map_entry *e;
    bool added;

    write_dimensions_key(of, &m->key);
    if (!buf_ok(&m->key, err))
        return false;
    e = map_add(&m->keys, buf_text(&m->key), &added, err);
    if (e == NULL)
        return false;
    *out = (uint32_t)(e - m->keys.at);
    if (!added)
        return true;
    m->of = arena_grow(m->arena, m->of, m->keys.count - 1, sizeof *m->of, &m->room, err);
    if (m->of == NULL || !str_keep(e->key, m->arena, &e->key, err))
        return false;
    cut_key(e->key, &m->of[*out]);
    return true;
}

static bool remember_charge(void *ctx, const struct ledger_charge *c,
                            const struct dimensions *of, struct error *err)
{
    struct charge_memory *m = ctx;
    struct remembered_block *block = m->last;
    uint32_t number;

    if (!remember_dimensions(m, of, &number, err))
        return false;
    if (block == NULL || block->len == BLOCK) {
        block = arena_array(m->arena, struct remembered_block, 1, err);
        if (block == NULL)
            return false;
        if (m->last != NULL)
            m->last->next = block;
        else
            m->first = block;
        m->last = block;
    }
    block->at[block->len++] = (struct remembered){.run = c->run,
                                                  .cost = c->cost.nano,
                                                  .compute = c->compute.nano,
                                                  .started = c->started.s,
                                                  .until = c->until.s,
                                                  .elapsed = c->elapsed.ns,
                                                  .gpu_busy = c->gpu_busy,
                                                  .of = number,
                                                  .number = c->number,
                                                  .gpus = c->gpus,
                                                  .running = str_eq(c->state, STR("running"))};
    return true;
}

bool account_remember(struct account_source *account, day since, struct error *err)
{
    struct charge_memory *m;
    struct coverage coverage;
    struct charge_question all = {
        .coverage = &coverage, .wanted = UINT64_MAX, .until = STAMP_UNKNOWN};
    bool ok;

    if (account->ledger == NULL)
        return true;
    m = arena_array(account->arena, struct charge_memory, 1, err);
    if (m == NULL || !coverage_read(account->ledger, account->arena, &coverage, err))
        return false;
    *m = (struct charge_memory){.arena = account->arena,
                                .since = {since.n * SECONDS_PER_DAY},
                                .keys = map_in_arena(account->arena),
                                .key = buf_new(account->arena->alloc, KEY_MAX)};
    all.since = m->since;
    ok = account_charges(account, &all, remember_charge, m, err);
    buf_free(&m->key);
    if (ok)
        account->remembered = m;
    return ok;
}

/* ---- reading ---- */

static bool visit_remembered(const struct charge_memory *m, stamp since, stamp until,
                             charge_visitor *each, void *ctx, struct error *err)
{
    for (const struct remembered_block *block = m->first; block != NULL; block = block->next)
        for (size_t i = 0; i < block->len; i++) {
            const struct remembered *r = &block->at[i];
            struct ledger_charge charge = {.run = r->run,
                                           .number = r->number,
                                           .state = r->running ? STR("running") : STR(""),
                                           .machines = 1,
                                           .cost = {r->cost},
                                           .compute = {r->compute},
                                           .started = {r->started},
                                           .until = {r->until},
                                           .elapsed = {r->elapsed},
                                           .gpus = r->gpus,
                                           .gpu_busy = r->gpu_busy};

            if (r->until < since.s || (until.s >= 0 && r->started >= until.s))
                continue;
            if (!each(ctx, &charge, &m->of[r->of], err))
                return false;
        }
    return true;
}

struct charge_reading {
    struct run_dimensions dimensions;
    charge_visitor *each;
    void *ctx;
};

static bool visit_charge(void *ctx, const struct ledger_charge *charge, struct error *err)
{
    struct charge_reading *r = ctx;
    struct dimensions of;

    return run_dimensions_of(&r->dimensions, charge, &of, err) &&
           r->each(r->ctx, charge, &of, err);
}

bool account_charges(const struct account_source *account,
                     const struct charge_question *question, charge_visitor *each, void *ctx,
                     struct error *err)
{
    stamp since = question->since, until = question->until;
    struct charge_reading r = {.each = each, .ctx = ctx};
    const struct allocation_policy *policy;
    bool ok;

    if (account->remembered != NULL && since.s >= account->remembered->since.s)
        return visit_remembered(account->remembered, since, until, each, ctx, err);
    if (!ledger_policy_read(account->ledger, account->arena, &policy, err))
        return false;
    run_dimensions_open(&r.dimensions, account, question->coverage, policy, question->wanted);
    ok = ledger_charges(account->ledger, since, until, visit_charge, &r, err);
    run_dimensions_close(&r.dimensions);
    return ok;
}
