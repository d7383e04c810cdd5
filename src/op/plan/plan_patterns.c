/* Which providers, regions and GPUs a plan may use. */
#include "op/plan/plan_gather.h"

static bool denies(struct str pattern)
{
    return pattern.len > 0 && pattern.at[0] == '!';
}

static size_t count_denials(struct strs list)
{
    size_t count = 0;

    for (size_t i = 0; i < list.len; i++)
        count += denies(list.at[i]);
    return count;
}

/* Options over the job in what is allowed; both in what is denied. */
static bool patterns_read(struct gather *g, struct strs option, struct strs job,
                          struct patterns *out, struct error *err)
{
    const struct strs lists[] = {option, job};
    struct str *allow, *deny;
    size_t allowed = 0, denied = 0;

    *out = (struct patterns){.asked = count_denials(option) < option.len};
    allow = arena_array(g->ctx->arena, struct str, option.len + job.len + 1, err);
    deny = arena_array(g->ctx->arena, struct str, option.len + job.len + 1, err);
    if (allow == NULL || deny == NULL)
        return false;
    for (size_t l = 0; l < ARRAY_LEN(lists); l++)
        for (size_t i = 0; i < lists[l].len; i++) {
            struct str p = lists[l].at[i];

            if (denies(p))
                deny[denied++] = (struct str){p.at + 1, p.len - 1};
            else if (l == 0 || !out->asked)
                allow[allowed++] = p;
        }
    out->allow = (struct strs){allow, allowed};
    out->deny = (struct strs){deny, denied};
    return true;
}

bool patterns_pass(const struct patterns *p, struct str text)
{
    return op_matches(p->allow, text) && (p->deny.len == 0 || !op_matches(p->deny, text));
}

/* Every accelerator that a person may mean: by its name, its family or another name. */
static bool mark(const struct catalog *catalog, struct str pattern, bool *marks)
{
    const struct accelerator *first = CATALOG_ROW(catalog, TABLE_ACCELERATORS, accelerator, 0);
    enum name_match match;
    const struct accelerator *meant = accelerator_search(catalog, pattern, &match);
    bool any = meant != NULL;

    if (meant != NULL)
        marks[meant - first] = true;
    for (size_t i = 0; i < catalog->tables[TABLE_ACCELERATORS].len; i++)
        if (str_glob(first[i].name, pattern) || str_glob(first[i].family, pattern) ||
            (meant != NULL && match == NAME_FAMILY && str_eq(first[i].family, meant->family)))
            any = marks[i] = true;
    for (size_t i = 0; i < catalog->tables[TABLE_NAMES].len; i++) {
        const struct accelerator_name *n =
            CATALOG_ROW(catalog, TABLE_NAMES, accelerator_name, i);

        if (!str_glob(n->alias, pattern))
            continue;
        meant = accelerator_named(catalog, n->accelerator);
        if (meant != NULL)
            any = marks[meant - first] = true;
    }
    return any;
}

static bool mark_all(struct gather *g, struct strs patterns, bool *marks, struct error *err)
{
    enum name_match ignored;

    for (size_t i = 0; i < patterns.len; i++)
        if (!mark(&g->ctx->catalog, patterns.at[i], marks))
            return accelerator_find(&g->ctx->catalog, patterns.at[i], &ignored, err) != NULL;
    return true;
}

static bool read_gpus(struct gather *g, struct error *err)
{
    size_t count = g->ctx->catalog.tables[TABLE_ACCELERATORS].len;
    bool *allowed = arena_array(g->ctx->arena, bool, count + 1, err);
    struct patterns p;

    g->gpu_barred = arena_array(g->ctx->arena, bool, count + 1, err);
    if (allowed == NULL || g->gpu_barred == NULL ||
        !patterns_read(g, g->ask->gpus, g->job->limits.gpus, &p, err) ||
        !mark_all(g, p.allow, allowed, err) || !mark_all(g, p.deny, g->gpu_barred, err))
        return false;
    g->gpu_named = allowed;
    for (size_t i = 0; i < count && p.allow.len > 0; i++)
        g->gpu_barred[i] |= !allowed[i];
    return true;
}

static bool check(struct gather *g, unsigned tables, const char *column,
                  const struct patterns *p, struct error *err)
{
    return op_check_patterns(g->ctx, tables, column, p->allow, err) &&
           op_check_patterns(g->ctx, tables, column, p->deny, err);
}

bool gather_patterns(struct gather *g, struct error *err)
{
    const struct job_limits *limits = &g->job->limits;
    unsigned tables = TABLE_BIT(TABLE_PROVIDERS) | TABLE_BIT(TABLE_OFFERS);

    return patterns_read(g, g->ask->providers, limits->providers, &g->providers, err) &&
           patterns_read(g, g->ask->regions, limits->regions, &g->regions, err) &&
           check(g, tables, "provider", &g->providers, err) &&
           check(g, tables | TABLE_BIT(TABLE_REGIONS), "region", &g->regions, err) &&
           op_check_patterns(g->ctx, tables, "provider", g->ctx->settings->providers, err) &&
           read_gpus(g, err);
}
