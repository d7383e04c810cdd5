#include "market/limits.h"

/* Every accelerator that a person may mean: by its name, its family or another name. */
static bool mark_gpus_meant(const struct catalog *catalog, struct str pattern, bool *marks)
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

/* Mark the GPUs of those patterns that allow, or that deny. */
static bool mark_gpu_patterns(struct limiter *l, struct strs patterns, bool deny, bool *marks,
                              struct error *err)
{
    const struct catalog *catalog = l->view->catalog;
    enum name_match ignored;

    for (size_t i = 0; i < patterns.len; i++) {
        struct str pattern = patterns.at[i];

        if (allowed_denies(&pattern) != deny)
            continue;
        l->only_some_gpus |= !deny;
        if (!mark_gpus_meant(catalog, pattern, marks))
            return accelerator_find(catalog, pattern, &ignored, err) != NULL;
    }
    return true;
}

/* For rent, or as the user's own machine. */
static bool has_any_price(const struct catalog *catalog, struct str gpu)
{
    for (size_t i = 0; i < catalog->tables[TABLE_OFFERS].len; i++)
        if (str_eq(CATALOG_ROW(catalog, TABLE_OFFERS, machine, i)->accelerator, gpu))
            return true;
    for (size_t i = 0; i < catalog->tables[TABLE_LOCAL].len; i++)
        if (str_eq(CATALOG_ROW(catalog, TABLE_LOCAL, local_machine, i)->accelerator, gpu))
            return true;
    return false;
}

/* GPUs that are asked for, and that nothing known rents: more than limits that are too tight.
 */
static void note_unpriced(const struct limiter *l)
{
    const struct catalog *catalog = l->view->catalog;
    const struct accelerator *first = CATALOG_ROW(catalog, TABLE_ACCELERATORS, accelerator, 0);
    struct str one = {0};

    for (size_t i = 0; i < catalog->tables[TABLE_ACCELERATORS].len; i++) {
        if (!l->gpu_allowed[i])
            continue;
        if (has_any_price(catalog, first[i].name))
            return;
        one = first[i].name;
    }
    if (one.len > 0)
        message_note(
            l->view->messages,
            "no price of %.*s for rent is known: 'stint estimate JOB --on %.*s --price "
            "20usd/hr' takes yours, offers.csv in the catalog folder keeps it",
            STR_ARG(one), STR_ARG(one));
}

static bool read_gpu_limits(struct limiter *l, struct error *err)
{
    const struct allowed *gpus = &l->limits->gpus;
    size_t count = l->view->catalog->tables[TABLE_ACCELERATORS].len;

    l->gpu_allowed = arena_array(l->view->arena, bool, count + 1, err);
    l->gpu_denied = arena_array(l->view->arena, bool, count + 1, err);
    if (l->gpu_allowed == NULL || l->gpu_denied == NULL ||
        !mark_gpu_patterns(l, allowed_list(gpus), false, l->gpu_allowed, err) ||
        !mark_gpu_patterns(l, gpus->options, true, l->gpu_denied, err) ||
        !mark_gpu_patterns(l, gpus->job, true, l->gpu_denied, err))
        return false;
    note_unpriced(l);
    return true;
}

bool limits_read(const struct market_view *view, const struct machine_limits *limits,
                 struct limiter *out, struct error *err)
{
    const struct catalog *catalog = view->catalog;
    uint64_t tables = TABLE_BIT(TABLE_PROVIDERS) | TABLE_BIT(TABLE_OFFERS);

    *out = (struct limiter){.view = view, .limits = limits};
    if (!allowed_check(&limits->providers, catalog, tables, "provider", err) ||
        !allowed_check(&limits->regions, catalog, tables | TABLE_BIT(TABLE_REGIONS), "region",
                       err) ||
        !catalog_check_patterns(catalog, tables, "provider", view->accounts, err))
        return false;
    catalog_note_regions(catalog, allowed_list(&limits->regions), view->messages);
    return read_gpu_limits(out, err);
}

static unsigned provider_bars(const struct limiter *l, struct str provider, bool own)
{
    const struct machine_limits *limits = l->limits;
    const struct provider *row = provider_find(l->view->catalog, provider);
    unsigned bars = 0;

    /* A provider named by the user may be one to join. */
    if (!allowed_names_any(limits->providers.options) && !own &&
        !strs_match(l->view->accounts, provider))
        bars |= BAR_ACCOUNT;
    if (!allowed_passes(&limits->providers, provider))
        bars |= BAR_PROVIDER;
    if (limits->min_reliability > 0 &&
        !(row != NULL && row->reliability >= limits->min_reliability))
        bars |= BAR_RELIABILITY;
    return bars;
}

void limits_mark(struct limiter *l, struct machine *m)
{
    const struct accelerator *first =
        CATALOG_ROW(l->view->catalog, TABLE_ACCELERATORS, accelerator, 0);
    size_t gpu = (size_t)(m->gpu - first);

    if (l->provider.at == NULL || !str_eq(l->provider, m->provider)) {
        l->provider = m->provider;
        l->bars = provider_bars(l, m->provider, !str_eq(m->kind, STR("cloud")));
    }
    m->bars = l->bars;
    if (!allowed_passes(&l->limits->regions, m->region))
        m->bars |= BAR_REGION;
    if (l->gpu_denied[gpu] || (l->only_some_gpus && !l->gpu_allowed[gpu]))
        m->bars |= BAR_GPU;
    m->gpu_named = l->gpu_allowed[gpu];
}
