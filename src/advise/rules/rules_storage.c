/* Rules about what is kept: where it lies, how much of it is needed, how small it can be. */
#include <math.h>
#include <stdio.h>

#include "advise/explain/change.h"
#include "advise/rules/job_change.h"
#include "base/num.h"

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
             "%.0f GB for %s days, read back once: ", (double)kept->size.n / BYTES_PER_GB,
             num_about(days).text);
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

/* ---- checkpoints that are kept ---- */

/* Of all runs of a work. */
struct kept_sum {
    int64_t runs, count, spare_count;
    double bytes, spare, month[ADVISE_KEEPS];
    const struct advise_run *most; /* with the most that could go */
};

static void add_kept_run(const struct advise_run *run, struct kept_sum *sum)
{
    const struct kept_checkpoints *k = &run->kept;

    if (k->spare_count == 0 || k->month.nano == MONEY_UNKNOWN)
        return;
    sum->runs++;
    sum->count += k->count;
    sum->spare_count += k->spare_count;
    sum->bytes += k->bytes;
    sum->spare += k->spare[KEEP_AS_ADVISED];
    for (int i = 0; i < ADVISE_KEEPS; i++)
        sum->month[i] += kept_checkpoints_month(k, k->spare[i]);
    if (sum->most == NULL || k->spare[KEEP_AS_ADVISED] > sum->most->kept.spare[KEEP_AS_ADVISED])
        sum->most = run;
}

static bool find_kept(struct advising *a, struct error *err)
{
    const struct advise_run *const *runs = a->work->list.at;
    struct kept_sum sum = {0};
    struct finding_draft d;

    for (size_t i = 0; i < a->work->list.len; i++)
        add_kept_run(runs[i], &sum);
    if (sum.runs == 0)
        return true;
    d = finding_begin(a);
    buf_addf(&d.evidence, "%lld run%s keep%s %lld checkpoints, ", (long long)sum.runs,
             sum.runs == 1 ? "" : "s", sum.runs == 1 ? "s" : "", (long long)sum.count);
    bytes_write(bytes_from(sum.bytes), &d.evidence);
    buf_addf(&d.evidence, "; %lld of them, ", (long long)sum.spare_count);
    bytes_write(bytes_from(sum.spare), &d.evidence);
    buf_addf(&d.evidence, ", are neither the best nor the newest %lld of a run",
             (long long)advise_keep_newest[KEEP_AS_ADVISED]);
    buf_addf(&d.action, "stint checkpoints prune %.*s --run %s --keep %lld --yes",
             STR_ARG(sum.most->kept.folder), sum.most->id,
             (long long)advise_keep_newest[KEEP_AS_ADVISED]);
    if (sum.runs > 1)
        buf_addf(&d.action, ", and so for %lld other run%s", (long long)sum.runs - 1,
                 sum.runs == 2 ? "" : "s");
    buf_adds(&d.method, "their size x ");
    usd_write_estimate((usd){sum.most->kept.month.nano}, &d.method);
    buf_addf(&d.method,
             " a GB and month, the store's list price; range: the newest %lld, the newest %lld",
             (long long)advise_keep_newest[KEEP_MORE],
             (long long)advise_keep_newest[KEEP_FEWER]);
    d.saving = (struct saving){sum.month[KEEP_MORE], sum.month[KEEP_AS_ADVISED],
                               sum.month[KEEP_FEWER]};
    return finding_end(a, &d, err);
}

/* ---- compressed data ---- */

static bool is_text_job(const struct advise_job *job)
{
    const struct arch *arch = &job->input->job->arch;

    return job->input->job->arch_known && !arch_is_other(arch) && arch->kind != ARCH_VIT;
}

static void set_bytes(struct job_change *change, const char *key, double size)
{
    char text[24];

    (void)snprintf(text, sizeof text, "%.0fMB", fmax(1, floor(size / 1e6)));
    job_change_set(change, key, text);
}

/* What the job costs with its data so many times smaller; NaN: not known. */
static bool cost_compressed(struct advising *a, double ratio, double *cost, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    const struct job_train *t = &job->given->train;
    double data = (double)t->data.size.n, kept = (double)t->storage.size.n;
    struct job_change change = {0};

    *cost = NAN;
    set_bytes(&change, "data.size", data / ratio);
    if (t->storage.size.n != BYTES_UNKNOWN.n && kept > 0)
        set_bytes(&change, "storage.size", kept - fmin(kept, data) * (1 - 1 / ratio));
    if (!job_change_estimate(job, 0, a->arena, &change, err))
        return false;
    if (change.possible)
        *cost = usd_double(change.after.total);
    return true;
}

/* Of the money for storage. */
static double storage_saved(const struct advising *a, double ratio)
{
    const struct job_train *t = &a->facts->job->given->train;
    double data = (double)t->data.size.n, kept = (double)t->storage.size.n;

    return t->storage.size.n != BYTES_UNKNOWN.n && kept > 0
               ? a->money->part[PART_STORAGE] * fmin(1, data / kept) * (1 - 1 / ratio)
               : 0;
}

static bool find_compressed(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    const struct job_data *data = &job->given->train.data;
    const double *c = job->input->constants->at;
    double now = usd_double(job->base->total), mid, low, high;
    struct finding_draft d;

    if (job->given->kind != JOB_TRAIN || !is_text_job(job) || !job->base->fits || !(now > 0) ||
        data->size.n == BYTES_UNKNOWN.n || !(data->size.n > 0))
        return true;
    if (!cost_compressed(a, c[C_zstd_text], &mid, err) ||
        !cost_compressed(a, c[C_zstd_text_low], &low, err) ||
        !cost_compressed(a, c[C_zstd_text_high], &high, err))
        return false;
    d = finding_begin(a);
    buf_addf(&d.evidence, "%s GB of text are moved and kept: ",
             num_about((double)data->size.n / BYTES_PER_GB).text);
    change_write_amount(CHANGE_COST, advise_money_sum(a->money, a->rule->parts), false,
                        &d.evidence);
    buf_adds(&d.action, "zstd -T0 *.jsonl; Hugging Face's load_dataset reads .jsonl.zst; data "
                        "that is compressed already (Parquet, .gz) gains nothing");
    buf_addf(&d.method,
             "estimated cost with %.3g times less data to move and keep; range: %.3g, %.3g "
             "times; published for zstd, not measured on your data",
             c[C_zstd_text], c[C_zstd_text_low], c[C_zstd_text_high]);
    d.saving = (struct saving){now - low, now - mid, now - high};
    /* What is saved of the transfer, machines beside the data save, too. */
    if (d.saving.mid > 2 * storage_saved(a, c[C_zstd_text]))
        d.lever = LEVER_MACHINE;
    return finding_end(a, &d, err);
}

static const struct advise_rule rules[] = {
    {.name = "kept-checkpoints",
     .title = "remove checkpoints that are not needed",
     .category = ADVISE_STORAGE,
     .effort = EFFORT_MINUTES,
     .risk = RISK_LOW,
     .lever = LEVER_STORAGE,
     .parts = PART_BIT(PART_STORAGE),
     .uses = "checkpoints of runs that were not removed, and the price of their store",
     .applies = "a run keeps more than the newest 3 and the best",
     .computed = "size of the others x list price of a month",
     .source = "recorded checkpoints; table storage of the catalog",
     .find = find_kept},
    {.name = "compress-data",
     .title = "compress the data",
     .category = ADVISE_STORAGE,
     .effort = EFFORT_HOURS,
     .risk = RISK_LOW,
     .lever = LEVER_DATA,
     .scope = SCOPE_JOB,
     .parts = PART_BIT(PART_STORAGE) | PART_BIT(PART_TRANSFER),
     .uses = "data.size of a model of text; what moving and keeping it costs",
     .applies = "it is paid for, and 2.9 times less of it saves 1 % of the cost",
     .computed = "cost of the job with its data as small as zstd makes text",
     .source = "constants zstd_text of the catalog: published ratios",
     .find = find_compressed},
    {.name = "storage-tier",
     .title = "keep results in a cheaper tier",
     .category = ADVISE_STORAGE,
     .effort = EFFORT_MINUTES,
     .risk = RISK_LOW,
     .lever = LEVER_STORAGE,
     .scope = SCOPE_JOB,
     .parts = PART_BIT(PART_STORAGE),
     .uses = "storage of the job: size, tier, duration",
     .applies = "another tier of the provider costs less, read back once",
     .computed = "list prices, with the least time that is billed and one retrieval",
     .source = "storage.csv",
     .find = find_tier},
};

const struct advise_rules advise_storage_rules = ADVISE_RULES(rules);
