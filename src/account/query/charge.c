#include "account/query/charge.h"

#include "catalog/catalog.h"

#define TAGS_MAX ((size_t)1 << 20)
#define LONGEST (INT64_C(36525) * SECONDS_PER_DAY) /* no attempt took a century */

/* ---- days ---- */

struct charge_days charge_days_of(const struct ledger_charge *charge)
{
    struct charge_days d = {.cost = charge->cost.nano,
                            .started = charge->started.s,
                            .until = charge->until.s,
                            .at = charge->started.s};

    if (d.until <= d.started || d.until - d.started > LONGEST) /* over when it began */
        d.until = d.started + 1;
    return d;
}

/* What was spent before a moment, rounded down: the days between two moments are the difference
 * of two of these, so that they add up. */
static int64_t spent_before(const struct charge_days *d, int64_t moment)
{
    return (int64_t)((wide)d->cost * (moment - d->started) / (d->until - d->started));
}

bool charge_days_next(struct charge_days *d, day *on, int64_t *nano)
{
    int64_t from = d->at, to;

    if (from >= d->until)
        return false;
    *on = day_of((stamp){from});
    to = (on->n + INT64_C(1)) * SECONDS_PER_DAY;
    to = to < d->until ? to : d->until;
    *nano =
        d->cost == MONEY_UNKNOWN ? MONEY_UNKNOWN : spent_before(d, to) - spent_before(d, from);
    d->at = to;
    return true;
}

/* ---- bills ---- */

/* Make a range that touches the bill's days wider; false when there is none. */
static bool widen_coverage(struct coverage *c, const struct known_provider *known,
                           const struct ledger_bill *b)
{
    for (size_t i = 0; i < c->count; i++) {
        struct cover *r = &c->at[i];

        if ((known != NULL ? r->known != known : !str_eq_nocase(r->provider, b->provider)) ||
            b->covers_first.n > r->last.n + 1 || b->covers_last.n < r->first.n - 1)
            continue;
        if (b->covers_first.n < r->first.n)
            r->first = b->covers_first;
        if (b->covers_last.n > r->last.n)
            r->last = b->covers_last;
        return true;
    }
    return false;
}

bool coverage_make(const struct ledger_bill *bills, size_t count, struct arena *arena,
                   struct coverage *out, struct error *err)
{
    *out = (struct coverage){.at = arena_array(arena, struct cover, count, err)};
    if (out->at == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct ledger_bill *b = &bills[i];
        const struct known_provider *known = provider_known(b->provider);

        if (b->lines > 0 && b->covers_first.n <= b->covers_last.n &&
            !widen_coverage(out, known, b))
            out->at[out->count++] =
                (struct cover){b->provider, known, b->covers_first, b->covers_last};
    }
    return true;
}

bool coverage_has(const struct coverage *c, struct str provider, day on)
{
    const struct known_provider *known = NULL;
    bool looked = false;

    for (size_t i = 0; i < c->count; i++) {
        const struct cover *r = &c->at[i];

        if (on.n < r->first.n || on.n > r->last.n)
            continue;
        if (str_eq(r->provider, provider))
            return true;
        if (!looked)
            known = provider_known(provider);
        looked = true;
        if (known != NULL && r->known == known)
            return true;
    }
    return false;
}

struct str coverage_name(const struct coverage *c, struct str provider)
{
    const struct known_provider *known = provider_known(provider);

    for (size_t i = 0; i < c->count; i++)
        if (known != NULL ? c->at[i].known == known
                          : str_eq_nocase(c->at[i].provider, provider))
            return c->at[i].provider;
    return provider_name(provider);
}

day coverage_last(const struct coverage *c)
{
    day newest = DAY_UNKNOWN;

    for (size_t i = 0; i < c->count; i++)
        if (c->at[i].last.n > newest.n)
            newest = c->at[i].last;
    return newest;
}

bool coverage_read(struct ledger *ledger, struct arena *arena, struct coverage *out,
                   struct error *err)
{
    const struct ledger_bill *bills;
    size_t count;

    return ledger_bills(ledger, arena, &bills, &count, err) &&
           coverage_make(bills, count, arena, out, err);
}

/* ---- dimensions ---- */

void run_dimensions_open(struct run_dimensions *d, const struct account_source *account,
                         const struct coverage *coverage,
                         const struct allocation_policy *policy, uint64_t wanted)
{
    *d = (struct run_dimensions){.account = account,
                                 .coverage = coverage,
                                 .policy = policy,
                                 .wanted = wanted,
                                 .gpus = map_in_arena(account->arena),
                                 .instances = map_in_arena(account->arena),
                                 .offers = map_in_arena(account->arena),
                                 .scratch = buf_new(account->arena->alloc, TAGS_MAX)};
}

void run_dimensions_close(struct run_dimensions *d)
{
    buf_free(&d->scratch);
}

/* "aws/us-east-1[/zone]/g5.xlarge[:spot]", "aws/g5.xlarge", "g5.xlarge"; "acme/": no
 * machine. */
static void split_charge_offer(struct str offer, struct dimensions *out)
{
    struct str parts[4] = {{0}};
    bool whole = str_ends(offer, STR("/"));
    size_t count = 0;

    for (size_t i = 0; i < offer.len; i++)
        if (offer.at[i] == ':')
            offer.len = i;
    while (offer.len > 0 && count < ARRAY_LEN(parts))
        parts[count++] = str_cut(&offer, '/');
    if (count == 0)
        return;
    if (whole) {
        out->of[DIMENSION_provider] = parts[0];
        return;
    }
    out->of[DIMENSION_instance] = parts[count - 1];
    if (count > 1)
        out->of[DIMENSION_provider] = parts[0];
    if (count > 2)
        out->of[DIMENSION_region] = parts[1];
}

/* A name that was looked up before, or that is kept for it: `*out` is the place of `size` bytes
 * for what it means. */
static bool find_name(struct map *names, struct str name, size_t size, void **out, bool *added,
                      struct error *err)
{
    struct map_entry *e = map_add(names, name, added, err);

    if (e == NULL)
        return false;
    if (*added) {
        e->value = arena_get(names->arena, 1, size, alignof(max_align_t), err);
        if (e->value == NULL || !str_keep(name, names->arena, &e->key, err))
            return false;
    }
    *out = e->value;
    return true;
}

/* What the name of an offer contains; there are few, of many runs. */
static bool read_charge_offer(struct run_dimensions *d, struct str offer,
                              const struct dimensions **found, struct error *err)
{
    const struct known_provider *known;
    struct dimensions *out;
    void *place;
    bool added;

    if (!find_name(&d->offers, offer, sizeof *out, &place, &added, err))
        return false;
    *found = out = place;
    if (!added)
        return true;
    split_charge_offer(d->offers.at[d->offers.count - 1].key, out);
    known = provider_known(out->of[DIMENSION_provider]);
    if (offer.len > 0)
        out->of[DIMENSION_provider] = coverage_name(d->coverage, out->of[DIMENSION_provider]);
    out->of[DIMENSION_service] =
        known != NULL && known->service != NULL ? str_from(known->service) : STR("runs");
    return true;
}

/* The words of bills for the market of an offer. */
static struct str pricing_of_charge(const struct ledger_charge *charge)
{
    struct str market = charge->market, rest = charge->offer;

    if (market.len == 0) {
        (void)str_cut(&rest, ':');
        market = rest;
    }
    if (str_eq(market, STR("reserved")))
        return STR("committed");
    if (str_eq(market, STR("spot")))
        return STR("spot");
    return charge->offer.len > 0 && !str_ends(charge->offer, STR("/")) ? STR("on-demand")
                                                                       : STR("other");
}

/* "NVIDIA H100 80GB HBM3" is an H100, as bills have it; what is not known stays as it is. */
static bool name_gpu(struct run_dimensions *d, struct str gpu, struct str instance,
                     struct str *out, struct error *err)
{
    struct map *names = gpu.len > 0 ? &d->gpus : &d->instances;
    uint64_t tables = TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES) |
                      (gpu.len == 0 ? TABLE_BIT(TABLE_OFFERS) : 0);
    const struct catalog *catalog;
    const struct accelerator *a;
    enum name_match how;
    struct str *name;
    void *place;
    bool added;

    if (gpu.len + instance.len == 0)
        return true;
    if (!find_name(names, gpu.len > 0 ? gpu : instance, sizeof *name, &place, &added, err))
        return false;
    name = place;
    if (added) {
        catalog = account_catalog(d->account, tables, err);
        if (catalog == NULL)
            return false;
        a = gpu.len > 0 ? accelerator_search(catalog, gpu, &how) : NULL;
        if (gpu.len == 0)
            *name = instance_gpu(catalog, instance);
        else
            *name = a != NULL ? a->family : names->at[names->count - 1].key;
    }
    *out = *name;
    return true;
}

/* A value that no table has room for counts by its first characters; the ledger keeps all. */
static void bound_values(struct run_dimensions *d, struct dimensions *of)
{
    for (size_t i = 0; i < DIMENSION_COUNT; i++) {
        struct str text = of->of[i];
        size_t len = 0;

        if (text.len <= RUN_DIMENSION_MAX)
            continue;
        while (len < RUN_DIMENSION_MAX - 4) { /* between characters */
            size_t next = str_character((struct str){text.at + len, text.len - len});

            len += next > 0 && next <= 4 ? next : 1;
        }
        of->of[i].len = len;
        if (!d->told_long)
            message_warn(&d->account->messages,
                         "a run has a %s of %zu bytes: its first %zu count and are shown",
                         dimension_name((enum dimension)i), text.len, len);
        d->told_long = true;
    }
}

bool run_dimensions_of(struct run_dimensions *d, const struct ledger_charge *charge,
                       struct dimensions *out, struct error *err)
{
    static const enum dimension offered[] = {DIMENSION_provider, DIMENSION_service,
                                             DIMENSION_region, DIMENSION_instance};
    const struct dimensions *offer;

    *out = (struct dimensions){0};
    buf_clear(&d->scratch);
    if (!dimensions_from_tags(charge->tags, out, &d->scratch))
        return error_memory(err);
    if (!read_charge_offer(d, charge->offer, &offer, err))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(offered); i++)
        out->of[offered[i]] = offer->of[offered[i]];
    if (charge->offer.len == 0)
        out->of[DIMENSION_provider] =
            str_eq(charge->origin, STR("added"))  ? STR("added by hand")
            : ledger_origin_given(charge->origin) ? STR("imported runs")
                                                  : STR("this machine");
    /* Who ran it, when no owner is set. */
    if (out->of[DIMENSION_owner].len == 0)
        out->of[DIMENSION_owner] = charge->owner;
    out->of[DIMENSION_category] =
        str_eq(charge->origin, STR(LEDGER_TRANSFER)) ? STR("Networking") : STR("Compute");
    out->of[DIMENSION_charge] = STR("Usage");
    out->of[DIMENSION_pricing] = pricing_of_charge(charge);
    if ((d->wanted >> DIMENSION_gpu & 1) != 0 &&
        !name_gpu(d, charge->gpu, out->of[DIMENSION_instance], &out->of[DIMENSION_gpu], err))
        return false;
    if (d->policy != NULL) {
        struct subject subject = {.of = out,
                                  .resource = charge->id,
                                  .resource_name = charge->name,
                                  .description = charge->command,
                                  .tags = charge->tags};

        policy_apply(d->policy, &subject, out);
    }
    bound_values(d, out);
    return true;
}
