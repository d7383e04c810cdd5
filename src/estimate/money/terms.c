#include "estimate/money/terms.h"

#include <math.h>

#include "base/num.h"

#define UPLOAD_BYTES_S 100e6 /* of an ordinary line into a cloud: 0.8 Gb/s */

/* What a file takes beside its bytes. A request to a store takes some 50 ms, and `stint data
 * sync` has 16 under way; rsync over ssh writes the next file without waiting. Estimates. */
#define STORE_FILE_S (0.05 / 16)
#define SENT_FILE_S 0.0003

/* What the data's own cloud takes for letting it out to where the machines are. */
static usd ingress_of(const struct job_data *data, const struct catalog *catalog,
                      struct str provider, struct str region)
{
    if (data->size.n == UINT64_MAX)
        return (usd){0};
    return transfer_from(catalog, data->at, provider, region, data->size);
}

static usd_per_gb storage_price(const struct catalog *catalog, struct str provider,
                                struct str tier, int64_t *minimum_days)
{
    const struct rows *rows = &catalog->tables[TABLE_STORAGE];

    *minimum_days = 0;
    if (tier.len == 0)
        tier = STR("hot");
    for (size_t i = 0; i < rows->len; i++) {
        const struct storage *s = CATALOG_ROW(catalog, TABLE_STORAGE, storage, i);

        if (str_eq_nocase(s->provider, provider) && str_eq(s->tier, tier)) {
            *minimum_days = s->minimum_days > 0 ? s->minimum_days : 0;
            return s->usd_gb_month;
        }
    }
    return (usd_per_gb){MONEY_UNKNOWN};
}

double transfer_seconds(bytes size, int64_t files, struct str at)
{
    double each = at.len > 0 ? STORE_FILE_S : SENT_FILE_S;

    return size.n == UINT64_MAX
               ? 0
               : (double)size.n / UPLOAD_BYTES_S + (files > 0 ? (double)files * each : 0);
}

/* Saves of the checkpoint, as a share of the time between them. */
static double checkpoint_share(const struct job_checkpoint *c)
{
    return c->save.ns > 0 && c->every.ns > 0 ? (double)c->save.ns / (double)c->every.ns : 0;
}

struct cost_inputs cost_terms(const struct job *job, const struct catalog *catalog,
                              struct str provider, struct str region)
{
    const struct job_train *t = &job->train;
    const struct provider *p = provider_find(catalog, provider);
    struct cost_inputs in = {
        .price = USD_PER_HOUR_UNKNOWN,
        .setup_s = t->setup.ns >= 0              ? span_in_hours(t->setup) * 3600
                   : p != NULL && p->setup_s > 0 ? p->setup_s
                                                 : 0,
        .upload_s = transfer_seconds(t->data.size, t->data.files, t->data.at),
        .download_s = transfer_seconds(t->download, -1, (struct str){0}),
        .evaluation = num_above_zero(t->evaluation),
        .checkpoints = checkpoint_share(&t->checkpoint),
        .failures = num_above_zero(t->failures),
        .ingress = ingress_of(&t->data, catalog, provider, region),
        .storage_days =
            t->storage.duration.ns > 0 ? span_in_hours(t->storage.duration) / 24 : 30,
        .trials = t->search.trials > 0 ? t->search.trials : 0,
        .parallel = t->search.parallel > 0 ? t->search.parallel : 1,
        .trial_fraction = isnan(t->search.fraction) ? 1 : t->search.fraction,
    };

    if (t->download.n != UINT64_MAX)
        in.egress = transfer_cost(catalog, provider, STR("internet"), t->download);
    if (t->storage.size.n != UINT64_MAX) {
        in.stored = t->storage.size;
        in.storage_month =
            storage_price(catalog, provider, t->storage.tier, &in.storage_minimum_days);
    }
    return in;
}

#define TRAINED_BYTES 14.0 /* in a checkpoint, of a parameter: bf16, and fp32 with its states */
#define STORED_BYTES 2.0   /* of one that is not trained */
#define USUAL_KEPT 2       /* checkpoints: one is there while the next is written */

/* Adapters are so small that their checkpoints do not count. */
static double checkpoints_bytes(const struct job_train *t, double params)
{
    double kept = (double)(t->checkpoint.keep > 0 ? t->checkpoint.keep : USUAL_KEPT);
    bool adapters = str_has_nocase(t->method, STR("lora"));

    if (t->checkpoint.size.n != UINT64_MAX)
        return kept * (double)t->checkpoint.size.n;
    return adapters ? 0 : kept * params * TRAINED_BYTES;
}

double job_disk_bytes(const struct job *job)
{
    const struct job_train *t = &job->train;
    double params = job->arch_known ? arch_count(&job->arch).total : 0;
    double size = params * STORED_BYTES;

    if (job->kind != JOB_TRAIN)
        return size;
    if (t->data.size.n != UINT64_MAX)
        size += (double)t->data.size.n;
    return size + checkpoints_bytes(t, params);
}

bool cost_terms_check(const struct job *job, const struct catalog *catalog, struct error *err)
{
    struct str rest = job->train.data.at, provider = str_cut(&rest, '/');

    if (provider.len == 0)
        return true;
    if (provider_find(catalog, provider) != NULL) {
        if (region_check(catalog, provider, rest, err))
            return true;
        error_context(err, "data.at");
        return false;
    }
    error_set(err, ERROR_INPUT, "data.at: there is no provider '%.*s'", STR_ARG(provider));
    error_hint(
        err, "write provider/region: aws/us-east-1; 'stint catalog show providers' lists them");
    return false;
}
