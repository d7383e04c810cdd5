/* job_case.h - a job on machines of a round price, and what the rules find of it. */
#ifndef TESTS_ADVISE_JOB_CASE_H
#define TESTS_ADVISE_JOB_CASE_H

#include "test.h"

#include <math.h>
#include <string.h>

#include "advise/rules/rule.h"

static struct arena case_arena;
static struct catalog case_catalog;
static struct constants case_constants;

static inline int case_load(void **state)
{
    static const enum catalog_table tables[] = {
        TABLE_ACCELERATORS, TABLE_NAMES,      TABLE_MODELS,  TABLE_IMAGE_MODELS,
        TABLE_CONSTANTS,    TABLE_STORAGE,    TABLE_REGIONS, TABLE_PROVIDERS,
        TABLE_TRANSFER,     TABLE_NETWORKS,   TABLE_LIMITS,  TABLE_COMPRESSION,
        TABLE_CARBON_HOURS, TABLE_ELECTRICITY};
    struct error err = {0};

    (void)state;
    case_arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    for (size_t i = 0; i < ARRAY_LEN(tables); i++)
        if (!catalog_load(&case_catalog, TABLE_BIT(tables[i]), NULL, 0, &case_arena, &err))
            fail_msg("%s", err.text);
    if (!constants_load(&case_catalog, &case_constants, &err))
        fail_msg("%s", err.text);
    return 0;
}

static inline int case_free(void **state)
{
    (void)state;
    arena_free(&case_arena);
    return 0;
}

static inline const struct accelerator *case_gpu(const char *name)
{
    struct error err = {0};
    enum name_match match;
    const struct accelerator *gpu =
        accelerator_find(&case_catalog, str_from(name), &match, &err);

    if (gpu == NULL)
        fail_msg("%s", err.text);
    return gpu;
}

/* Machines with up to 8 such GPUs, at so many dollars an hour for one, by no provider: nothing
 * is set up, moved or kept for it. */
static inline struct estimate_place case_place(const char *gpu, int64_t gpus, double price)
{
    int64_t each = gpus < 8 ? gpus : 8, machines = gpus / each;

    return (struct estimate_place){
        .hardware = {.gpu = case_gpu(gpu),
                     .gpus = gpus,
                     .per_node = each,
                     .host_bytes = NAN,
                     .network_gb_s = machines > 1 ? 3.125 / (double)each : 0},
        .offer = STR("test/here/machine"),
        .market = MARKET_ON_DEMAND,
        .price = {(int64_t)llround(price * 1e9)},
        .price_date = DAY_UNKNOWN,
        .machines = machines,
        .join = {.joins = true, .supply = 1000},
        .host_bytes = NAN,
        .disk_bytes = NAN,
        .vcpus = NAN,
        .price_unchanged = NAN,
    };
}

/* A job and everything that advice on it needs. It must not move. */
struct job_case {
    struct job given, job;
    struct estimate_place place;
    struct estimate_input input;
    struct estimate base;
    struct advise_job advise;
    struct advise_facts facts;
    struct findings found;
};

/* "train.model=llama-2-7b zero=3": keys and values with blanks between them. */
static inline void case_fill(struct job *job, enum job_kind kind, const char *keys)
{
    struct str rest = str_from(keys);
    struct error err = {0};

    assert_true(job_reset(job, &case_arena, &err));
    job->kind = kind;
    while (rest.len > 0) {
        struct str value = str_cut(&rest, ' '), key = str_cut(&value, '=');

        if (key.len > 0 && !job_set(job, key, value, &case_arena, &err))
            fail_msg("%s", err.text);
    }
}

static inline void case_open(struct job_case *c, enum job_kind kind, const char *keys,
                             struct estimate_place place)
{
    static const struct messages quiet = {0};
    struct error err = {0};

    memset(c, 0, sizeof *c);
    case_fill(&c->given, kind, keys);
    c->job = c->given;
    c->place = place;
    if (!job_resolve(&c->job, &case_catalog, (struct str){0}, &case_arena, &err))
        fail_msg("%s", err.text);
    c->input = (struct estimate_input){.job = &c->job,
                                       .place = &c->place,
                                       .constants = &case_constants,
                                       .catalog = &case_catalog,
                                       .messages = &quiet};
    if (!estimate_job(&c->input, &case_arena, &c->base, &err))
        fail_msg("%s", err.text);
    c->advise = (struct advise_job){.input = &c->input,
                                    .given = &c->given,
                                    .typed = STR("JOB"),
                                    .base = &c->base,
                                    .monthly = kind == JOB_INFER};
    c->facts = (struct advise_facts){.per = STR("run"),
                                     .job = &c->advise,
                                     .job_name = STR("job"),
                                     .catalog = &case_catalog,
                                     .limit = USD_UNKNOWN};
    c->facts.job_money.part[PART_TRAIN] = usd_double(c->base.total);
    c->found = (struct findings){.arena = &case_arena};
}

/* Another job on the same machines: what it costs. */
static inline double case_cost(const struct job_case *of, const char *keys)
{
    struct job_case c;

    case_open(&c, of->given.kind, keys, of->place);
    return usd_double(c.base.total);
}

/* The finding of a rule; NULL: there is none. */
static inline const struct finding *case_finding(struct job_case *c, const char *rule)
{
    struct error err = {0};

    if (c->found.count == 0 && !advise_apply(&c->facts, &c->found, &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i < c->found.count; i++)
        if (str_eq(c->found.at[i].rule, str_from(rule)))
            return &c->found.at[i];
    return NULL;
}

static inline void case_none(struct job_case *c, const char *rule)
{
    if (case_finding(c, rule) != NULL)
        fail_msg("'%s' applies", rule);
}

/* The saving to a millionth of it. */
static inline void case_saves(struct job_case *c, const char *rule, double dollars)
{
    const struct finding *f = case_finding(c, rule);

    if (f == NULL)
        fail_msg("'%s' does not apply", rule);
    if (!(fabs(usd_double(f->saving) - dollars) <= 1e-6 * dollars + 1e-8))
        fail_msg("'%s' saves %.9g, not %.9g", rule, usd_double(f->saving), dollars);
    assert_true(usd_double(f->saving_low) <= usd_double(f->saving));
    assert_true(usd_double(f->saving_high) >= usd_double(f->saving));
}

#endif
