/* Rules about what is kept: where it lies, how much of it is needed, how small it can be. */
#include <math.h>
#include <stdio.h>
#include <string.h>

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

    if (a->facts->data != NULL) /* its files were measured */
        return true;
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

/* ---- data whose files were measured ---- */

/* What saves most without changing a pixel; NULL: nothing does. */
static const struct data_way *best_smaller(const struct plan_data *data)
{
    const struct data_way *rows = data->ways.at, *best = NULL;

    for (size_t i = 0; i < data->ways.len; i++)
        if ((rows[i].way == DATA_IMAGES || rows[i].way == DATA_BUNDLE) && rows[i].worth &&
            rows[i].saves.nano != MONEY_UNKNOWN &&
            (best == NULL || rows[i].saves.nano > best->saves.nano))
            best = &rows[i];
    return best;
}

static void write_data_way(const struct data_way *way, struct buf *out)
{
    bytes_write(way->size, out);
    buf_addf(out, " in %lld file%s, ", (long long)way->files, num_plural(way->files));
    change_write_amount(CHANGE_TIME, way->seconds, false, out);
    buf_adds(out, ", ");
    change_write_amount(CHANGE_COST, usd_double(way->cost), false, out);
}

static bool find_smaller_data(struct advising *a, struct error *err)
{
    const struct plan_data *data = a->facts->data;
    const struct data_way *best = data != NULL ? best_smaller(data) : NULL;
    struct finding_draft d;

    if (best == NULL || a->work != NULL)
        return true;
    d = finding_begin(a);
    write_data_way(data->ways.at, &d.evidence);
    buf_adds(&d.evidence, "; then ");
    write_data_way(best, &d.evidence);
    buf_add(&d.action, best->command);
    buf_addf(&d.method, "size by a sample of %lld %s%s of the folder, ",
             (long long)best->sample_files, best->way == DATA_BUNDLE ? "piece" : "file",
             num_plural(best->sample_files));
    bytes_write(best->sample_size, &d.method);
    buf_adds(&d.method, "; price of machines that wait for it, and of its transfer");
    d.saving = (struct saving){usd_double(best->saves_low), usd_double(best->saves),
                               usd_double(best->saves_high)};
    return finding_end(a, &d, err);
}

/* ---- data that is moved again and again ---- */

#define MOVES_MOST 1000 /* that are looked at: the newest */
#define MOVES_LEAST 3   /* of the same folder */
#define MOVED_AGAIN 0.5 /* of the largest: a sync of what has changed moves less */

/* All moves of one folder. */
struct moved_sum {
    struct str source;
    int64_t moves;
    double cost, largest,
        bytes; /* dollars: of all, of the most expensive; bytes of the largest */
};

/* "photos" of "stint data sync photos gpu7:photos". */
static struct str moved_source(const struct advise_run *run)
{
    const struct str head = STR("stint data sync ");
    struct str rest = run->command;

    if (!run->transfer || !str_starts(rest, head))
        return (struct str){0};
    rest = (struct str){rest.at + head.len, rest.len - head.len};
    return str_cut(&rest, ' ');
}

static double moved_bytes(const struct advise_run *run)
{
    return fmax(0, run->sent) + fmax(0, run->received); /* fmax() drops what is unknown */
}

/* A folder is named from where it was typed, "s3://bucket/photos" from everywhere. */
static bool is_move_like(const struct advise_run *run, const struct advise_run *other)
{
    struct str source = moved_source(other);

    return source.len > 0 && str_eq(moved_source(run), source) &&
           (memchr(source.at, ':', source.len) != NULL || str_eq(run->folder, other->folder));
}

static struct moved_sum sum_moves(const struct advise_work *work, const struct advise_run *like)
{
    const struct advise_run *const *runs = work->list.at;
    struct moved_sum sum = {.source = moved_source(like)};

    for (size_t i = 0; i < work->list.len && i < MOVES_MOST; i++)
        if (is_move_like(runs[i], like))
            sum.bytes = fmax(sum.bytes, moved_bytes(runs[i]));
    for (size_t i = 0; i < work->list.len && i < MOVES_MOST; i++) {
        double cost = usd_double(runs[i]->cost);

        if (!is_move_like(runs[i], like) || moved_bytes(runs[i]) < MOVED_AGAIN * sum.bytes ||
            !(cost >= 0))
            continue;
        sum.moves++;
        sum.cost += cost;
        sum.largest = fmax(sum.largest, cost);
    }
    return sum;
}

void advise_keep_prices(const struct catalog *catalog, struct advise_facts *facts)
{
    const struct rows *rows = &catalog->tables[TABLE_STORAGE];

    for (size_t i = 0; i < rows->len; i++) {
        const struct storage *s = CATALOG_ROW(catalog, TABLE_STORAGE, storage, i);
        double price = usd_double((usd){s->usd_gb_month.nano});

        if (!str_eq(s->tier, STR("hot")) || s->usd_gb_month.nano == MONEY_UNKNOWN)
            continue;
        facts->keep_low = facts->keep_low > 0 ? fmin(facts->keep_low, price) : price;
        facts->keep_high = fmax(facts->keep_high, price);
    }
}

static bool find_moved_again(struct advising *a, struct error *err)
{
    const struct advise_run *const *runs = a->work->list.at;
    struct moved_sum best = {0};
    double all = 0, gb, saved;
    struct finding_draft d;

    for (size_t i = 0; i < a->work->list.len; i++)
        all += fmax(0, usd_double(runs[i]->cost));
    for (size_t i = 0; i < a->work->list.len && i < MOVES_MOST && runs[i]->transfer; i++) {
        struct moved_sum sum = sum_moves(a->work, runs[i]);

        if (sum.moves >= MOVES_LEAST && sum.cost - sum.largest > best.cost - best.largest)
            best = sum;
    }
    if (best.moves == 0 || !(all > 0) || !(a->facts->keep_low > 0))
        return true;
    saved = (best.cost - best.largest) / all * advise_money_sum(a->money, PARTS_ALL);
    gb = best.bytes / BYTES_PER_GB;
    d = finding_begin(a);
    buf_addf(&d.evidence, "'%.*s' was moved %lld times, ", STR_ARG(best.source),
             (long long)best.moves);
    bytes_write(bytes_from(best.bytes), &d.evidence);
    buf_adds(&d.evidence, " each, together ");
    change_write_amount(CHANGE_COST, best.cost, false, &d.evidence);
    buf_adds(&d.action, "keep one copy where the machines are, on a volume or in a bucket of "
                        "their region; 'stint data sync' then moves only what changed");
    buf_addf(&d.method,
             "cost of all moves but one, less keeping %s GB for a month at $%.3g a GB; range: "
             "$%.3g a GB, a disk that is paid for anyway",
             num_about(gb).text, a->facts->keep_low, a->facts->keep_high);
    d.saving = (struct saving){saved - gb * a->facts->keep_high,
                               saved - gb * a->facts->keep_low, saved};
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
    {.name = "smaller-data",
     .title = "make the data smaller before it is moved",
     .category = ADVISE_STORAGE,
     .effort = EFFORT_MINUTES,
     .risk = RISK_NONE,
     .lever = LEVER_DATA,
     .scope = SCOPE_JOB,
     .parts = PART_BIT(PART_TRANSFER),
     .uses = "a sample of the files of --data or data.path",
     .applies = "images without loss, or a bundle, save 2 % of moving it, surely",
     .computed = "machines that wait and the transfer, for the size that the sample gives",
     .source = "your files; table transfer of the catalog",
     .find = find_smaller_data},
    {.name = "moved-again",
     .title = "keep a copy of data that is moved again and again",
     .category = ADVISE_STORAGE,
     .effort = EFFORT_HOURS,
     .risk = RISK_LOW,
     .lever = LEVER_DATA,
     .parts = PART_BIT(PART_TRANSFER) | PART_BIT(PART_OTHER),
     .uses = "recorded 'stint data sync' of the same folder",
     .applies = "it moved 3 times or more, half of it or more each time, and a copy costs less",
     .computed = "cost of all moves but one, less the price of storage",
     .source = "recorded transfers; table storage of the catalog",
     .find = find_moved_again},
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
