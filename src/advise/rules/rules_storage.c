/* Rules about what a job keeps: where it lies. */
#include <math.h>

#include "advise/explain/change.h"
#include "advise/rules/rule.h"

/* Keeping so much for so many days, and reading it back once. NaN: a price is not known. */
static double tier_cost(const struct storage *tier, bytes size, double days)
{
    double gb = (double)size.n / BYTES_PER_GB;
    double read = usd_double((usd){tier->retrieval_usd_gb.nano});

    return usd_double(cost_of_storage(tier->usd_gb_month, size, days, tier->minimum_days)) +
           read * gb;
}

/* The tier of a provider that costs least; NULL: none is known. `named`: this one alone. */
static const struct storage *cheapest_tier(const struct catalog *catalog, struct str provider,
                                           struct str named, bytes size, double days)
{
    const struct storage *best = NULL;

    for (size_t i = 0; i < catalog->tables[TABLE_STORAGE].len; i++) {
        const struct storage *s = CATALOG_ROW(catalog, TABLE_STORAGE, storage, i);

        if (!str_eq_nocase(s->provider, provider) ||
            (named.len > 0 && !str_eq(s->tier, named)) || isnan(tier_cost(s, size, days)))
            continue;
        if (best == NULL || tier_cost(s, size, days) < tier_cost(best, size, days))
            best = s;
    }
    return best;
}

static void write_tier(const struct storage *tier, double cost, struct buf *out)
{
    buf_addf(out, "%.*s (%.*s) ", STR_ARG(tier->product), STR_ARG(tier->tier));
    change_write_amount(CHANGE_COST, cost, false, out);
}

static bool find_tier(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    const struct job_storage *kept = &job->given->train.storage;
    const struct catalog *catalog = job->input->catalog;
    struct str provider = job->input->place->provider;
    struct str tier = kept->tier.len > 0 ? kept->tier : STR("hot");
    double days = kept->duration.ns > 0 ? span_in_hours(kept->duration) / 24 : 30;
    const struct storage *now, *best;
    struct finding_draft d;
    double before, after;

    if (job->given->kind != JOB_TRAIN || kept->size.n == BYTES_UNKNOWN.n || kept->size.n == 0)
        return true;
    now = cheapest_tier(catalog, provider, tier, kept->size, days);
    best = cheapest_tier(catalog, provider, (struct str){0}, kept->size, days);
    if (now == NULL || best == NULL || best == now)
        return true;
    before = tier_cost(now, kept->size, days);
    after = tier_cost(best, kept->size, days);
    d = finding_begin(a);
    buf_addf(&d.evidence,
             "%.0f GB for %.3g days, read back once: ", (double)kept->size.n / BYTES_PER_GB,
             days);
    write_tier(now, before, &d.evidence);
    buf_adds(&d.evidence, ", ");
    write_tier(best, after, &d.evidence);
    buf_addf(&d.action, "storage.tier: %.*s; a lifecycle rule moves what is older",
             STR_ARG(best->tier));
    if (str_eq(best->tier, STR("archive")))
        buf_adds(&d.action, "; reading it back takes hours");
    buf_addf(&d.method, "price of a month x %.3g days (at least %lld) + retrieval", days,
             (long long)(best->minimum_days > 0 ? best->minimum_days : 0));
    d.source = best->fact.source;
    d.saving = (struct saving){.low = NAN, .mid = before - after, .high = NAN};
    return finding_end(a, &d, err);
}

static const struct advise_rule rules[] = {
    {.name = "storage-tier",
     .title = "keep results in a cheaper tier",
     .category = ADVISE_STORAGE,
     .effort = EFFORT_MINUTES,
     .risk = RISK_LOW,
     .lever = LEVER_STORAGE,
     .scope = SCOPE_JOB,
     .parts = PART_BIT(PART_STORAGE),
     .looks_at = "storage of the job: size, tier, duration",
     .applies = "another tier of the provider costs less, read back once",
     .computed = "list prices, with the least time that is billed and one retrieval",
     .source = "storage.csv",
     .find = find_tier},
};

const struct advise_rules advise_storage_rules = ADVISE_RULES(rules);
