#include "advise/economics/storage_answer.h"

#include <math.h>
#include <stdlib.h>

#include "advise/economics/storage_read.h"
#include "base/buf.h"
#include "doc/notes.h"

#define TEXT_MAX 1024
#define MONTHS_MAX 60
#define GB 1e9
#define DAY_H 24.0
#define OBJECT_SIZE 100000000 /* unless it is known */

#define ROW(kind, member, text) FIELD(kind, storage_option, member, .help = (text))

static const struct field option_fields[] = {
    ROW(TEXT, provider, "provider of the storage"),
    ROW(FLAG, cheapest, "lowest total of the complete ones"),
    ROW(FLAG, at_least, "lower bound: the total is without request fees, which are unknown"),
    ROW(TEXT, policy, "cheapest lifecycle in words"),
    FIELD(LIST, storage_option, steps, .row = &storage_step_fields,
          .help = "steps of the lifecycle, by the age at which data enters a tier"),
    ROW(USD, storage, "cost of storage over the period"),
    ROW(USD, retrieval, "cost of reads"),
    ROW(USD, requests, "cost of storing, moving and reading objects; null: price unknown"),
    ROW(USD, early, "cost of minimum storage times that were billed and not used"),
    ROW(USD, transfer, "cost of transfer to the internet; null: price unknown"),
    ROW(USD, total, "total; null: cost of transfer unknown"),
    ROW(USD, hot, "total with all data in the hottest tier, transfer included"),
    ROW(USD, download, "cost of moving all of it to the internet once, at the end"),
    ROW(DAY, date, "date of the oldest price"),
};

static const struct field_set option_set = FIELD_SET(struct storage_option, option_fields);

#define KEPT(kind, member, text) FIELD(kind, storage_checkpoints, member, .help = (text))

static const struct field checkpoint_fields[] = {
    FIELD(TEXT, storage_checkpoints, provider, .empty_unknown = true,
          .help = "provider of the storage: the cheapest"),
    KEPT(BYTES, size, "size of a checkpoint"),
    KEPT(NUMBER, month, "checkpoints saved per month"),
    KEPT(COUNT, last, "checkpoints kept instead of all"),
    KEPT(USD, all, "cost over the period of keeping every one"),
    KEPT(USD, kept, "cost over the period of keeping only the last ones"),
    FIELD_AS("savings", USD, storage_checkpoints, saving, .help = "savings: the difference"),
};

static const struct field_set checkpoint_set =
    FIELD_SET(struct storage_checkpoints, checkpoint_fields);

static const struct field fields[] = {
    FIELD(TEXT, storage_result, dataset, .empty_unknown = true, .help = "measured data set"),
    FIELD(BYTES, storage_result, size, .help = "size at the start"),
    FIELD(BYTES, storage_result, at_end,
          .help = "size at the end, with additions and deletions"),
    FIELD(BYTES, storage_result, object_size, .help = "mean size of a file or shard"),
    FIELD(COUNT, storage_result, objects, .help = "files at the start"),
    FIELD(COUNT, storage_result, days, .help = "days in the totals"),
    FIELD(TEXT, storage_result, reads, .help = "read pattern of the data"),
    FIELD(LIST, storage_result, options, .row = &option_set,
          .help = "options by provider, the cheapest first"),
    FIELD(RECORD, storage_result, checkpoints, .row = &checkpoint_set, .sparse = true,
          .help = "cost of keeping every checkpoint"),
    FIELD(TEXTS, storage_result, notes, .help = "limitations of the answer"),
    FIELD(TEXT, storage_result, svg, .help = "file that was written"),
};
const struct field_set storage_fields = FIELD_SET(struct storage_result, fields);

struct storage_work {
    const struct storage_question *ask;
    const struct catalog *catalog;
    struct arena *arena;
    struct storage_result *res;
    struct storage_data data;
    struct storage_option *options;
    size_t count;
    bool waits, fees_unknown, used_by_provider;
};

/* ---- the question ---- */

static int whole_days(span s)
{
    double days = ceil(span_in_hours(s) / DAY_H);

    return days > STORAGE_DAYS_MAX ? STORAGE_DAYS_MAX : days > 0 ? (int)days : 0;
}

/* How often data is read at each age, and that in words. */
static bool take_reads(struct storage_work *w, const struct storage_access *access,
                       struct error *err)
{
    struct buf words = buf_new(w->arena->alloc, TEXT_MAX);
    double reads, half_life = span_in_hours(w->ask->half_life) / DAY_H;

    w->data.read_days = (size_t)w->data.days;
    if (access->name != NULL) {
        w->data.reads =
            storage_reads_file(access->text, access->name, w->data.read_days, w->arena, err);
        buf_adds(&words, "by age, from ");
        buf_adds(&words, access->name);
    } else {
        if (!storage_reads_parse(w->ask->reads, &reads, err))
            return false;
        w->data.reads = storage_reads_decay(reads, half_life, w->data.read_days, w->arena, err);
        buf_add(&words, w->ask->reads);
        if (half_life > 0 && reads > 0) {
            buf_adds(&words, " when new, half as often every ");
            span_write(w->ask->half_life, &words);
        }
    }
    return buf_keep(&words, w->arena, &w->res->reads, err) && w->data.reads != NULL;
}

static bool take_data(struct storage_work *w, struct error *err)
{
    const struct storage_question *ask = w->ask;
    struct storage_data *d = &w->data;
    struct storage_result *res = w->res;
    double grows = 0, egress = 0;

    if (ask->months > MONTHS_MAX)
        return error_fail(err, ERROR_USAGE, "--months: up to %d", MONTHS_MAX);
    if ((ask->grows.len > 0 && !storage_rate_parse(ask->grows, "grows", &grows, err)) ||
        (ask->egress.len > 0 && !storage_rate_parse(ask->egress, "egress", &egress, err)))
        return false;
    res->size = ask->size.n != BYTES_UNKNOWN.n ? ask->size : (bytes){0};
    res->object_size =
        ask->object_size.n != BYTES_UNKNOWN.n ? ask->object_size : (bytes){OBJECT_SIZE};
    d->gb = (double)res->size.n / GB;
    d->grows = grows / GB;
    d->egress_gb = egress / GB * STORAGE_MONTH_DAYS;
    d->object_gb = fmax((double)res->object_size.n, 1) / GB;
    d->days = (int)lround((double)ask->months * STORAGE_MONTH_DAYS);
    d->keep_days = ask->keep.ns > 0 ? whole_days(ask->keep) : 0;
    d->wait_h = span_in_hours(ask->wait);
    res->days = d->days;
    res->objects = (int64_t)fmin(ceil(d->gb / d->object_gb), 9e15);
    res->at_end = (bytes){(uint64_t)fmin(storage_at_end(d) * GB, 9e18)};
    return true;
}

/* ---- providers ---- */

/* "S3 Standard, S3 Standard-IA from day 30" */
static bool make_policy(struct storage_work *w, const struct storage_tier *tiers,
                        const struct storage_policy *p, struct storage_option *out,
                        struct error *err)
{
    struct arena *arena = w->arena;
    struct storage_step *steps = arena_array(arena, struct storage_step, p->steps, err);
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    if (steps == NULL)
        return false;
    for (size_t i = 0; i < p->steps; i++) {
        const struct storage_tier *t = &tiers[p->at[i]];

        steps[i] = (struct storage_step){t->name, t->product, p->days[i]};
        buf_adds(&text, i > 0 ? ", " : "");
        buf_add(&text, t->product.len > 0 ? t->product : t->name);
        if (p->days[i] > 0)
            buf_addf(&text, " from day %d", p->days[i]);
    }
    if (w->data.keep_days > 0 && w->data.keep_days < w->data.days)
        buf_addf(&text, ", deleted on day %d", w->data.keep_days);
    out->steps = (struct rows){steps, p->steps};
    return buf_keep(&text, arena, &out->policy, err);
}

/* What leaves in a month, at that month's tiers, for all months. */
static usd transfer_for(const struct storage_work *w, struct str provider, double gb)
{
    return transfer_cost(w->catalog, provider, STR("internet"),
                         (bytes){(uint64_t)fmin(gb * GB, 9e18)});
}

static usd transfer_months(const struct storage_work *w, struct str provider)
{
    usd month = w->data.egress_gb > 0 ? transfer_for(w, provider, w->data.egress_gb) : (usd){0};

    return month.nano == MONEY_UNKNOWN
               ? USD_UNKNOWN
               : usd_about(usd_double(month) * w->data.days / STORAGE_MONTH_DAYS);
}

/* All in the hottest tier that can be used. */
static usd all_hot(const struct storage_work *w, const struct storage_tier *tiers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (tiers[i].direct && storage_tier_fits(&tiers[i], &w->data)) {
            struct storage_costs costs = storage_cost(tiers, &i, &(const int){0}, 1, &w->data);

            return usd_about(costs.total);
        }
    return USD_UNKNOWN;
}

static bool add_provider(struct storage_work *w, struct str provider, struct error *err)
{
    struct storage_tier tiers[STORAGE_TIERS_MAX];
    struct storage_option o = {.provider = provider};
    size_t count = storage_tiers_find(w->catalog, provider, w->ask->region, tiers, &o.date);
    struct storage_policy best;

    if (!storage_best(tiers, count, &w->data, w->arena, &best, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        w->waits |= !(tiers[i].wait_h <= w->data.wait_h);
        w->used_by_provider |= !tiers[i].direct;
    }
    if (best.steps == 0)
        return true;
    w->fees_unknown |= !best.costs.requests_known;
    o.storage = usd_about(best.costs.storage);
    o.retrieval = usd_about(best.costs.retrieval);
    o.requests = best.costs.requests_known ? usd_about(best.costs.requests) : USD_UNKNOWN;
    o.at_least = !best.costs.requests_known;
    o.early = usd_about(best.costs.early);
    o.transfer = transfer_months(w, provider);
    o.total = usd_add(usd_about(best.costs.total), o.transfer);
    o.hot = usd_add(all_hot(w, tiers, count), o.transfer);
    o.download = usd_about(usd_double(transfer_for(w, provider, storage_at_end(&w->data))));
    if (!make_policy(w, tiers, &best, &o, err))
        return false;
    w->options[w->count++] = o;
    return true;
}

static int by_storage_total(const void *a, const void *b)
{
    const struct storage_option *x = a, *y = b;

    return usd_compare(x->total, y->total);
}

static bool add_providers(struct storage_work *w, struct error *err)
{
    const struct rows *rows = &w->catalog->tables[TABLE_STORAGE];
    struct str last = {0};

    w->options = arena_array(w->arena, struct storage_option, rows->len, err);
    for (size_t i = 0; w->options != NULL && i < rows->len; i++) {
        const struct storage *s = CATALOG_ROW(w->catalog, TABLE_STORAGE, storage, i);

        if (str_eq(s->provider, last) || !strs_match(w->ask->providers, s->provider))
            continue;
        last = s->provider; /* rows of a provider follow each other */
        if (!add_provider(w, s->provider, err))
            return false;
    }
    if (w->options == NULL)
        return false;
    if (w->count == 0) {
        return error_fail_hint(err, ERROR_ABSENT,
                               "'stint catalog show storage' lists them; --wait 12h allows "
                               "archives that are restored first",
                               "no storage of these providers can be used");
    }
    qsort(w->options, w->count, sizeof *w->options, by_storage_total);
    for (size_t i = 0; i < w->count; i++)
        if (!w->options[i].at_least) {
            w->options[i].cheapest = w->options[i].total.nano != MONEY_UNKNOWN;
            break;
        }
    w->res->options = (struct rows){w->options, w->count};
    return true;
}

/* Else the first. */
static const struct storage_option *cheapest_storage(const struct storage_work *w)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->options[i].cheapest)
            return &w->options[i];
    return w->options;
}

/* ---- checkpoints ---- */

/* The cost at a provider of what is never read, by the best policy. */
static bool cost_unread(struct storage_work *w, struct str provider, double gb, double grows,
                        usd *out, struct error *err)
{
    struct storage_tier tiers[STORAGE_TIERS_MAX];
    struct storage_data data = w->data;
    struct storage_policy best;
    day date;
    size_t count = storage_tiers_find(w->catalog, provider, w->ask->region, tiers, &date);

    data.gb = gb;
    data.grows = grows;
    data.read_days = 0;
    data.keep_days = 0;
    data.object_gb = (double)w->ask->checkpoint_size.n / GB;
    if (!storage_best(tiers, count, &data, w->arena, &best, err))
        return false;
    *out = best.steps > 0 ? usd_about(best.costs.total) : USD_UNKNOWN;
    return true;
}

static bool add_checkpoints(struct storage_work *w, struct error *err)
{
    const struct storage_question *ask = w->ask;
    struct storage_checkpoints *k = &w->res->checkpoints;
    double gb = (double)w->ask->checkpoint_size.n / GB;

    *k = (struct storage_checkpoints){.size = ask->checkpoint_size,
                                      .month = ask->checkpoints,
                                      .last = ask->keep_last,
                                      .all = USD_UNKNOWN,
                                      .kept = USD_UNKNOWN,
                                      .saving = USD_UNKNOWN};
    if (w->ask->checkpoint_size.n == BYTES_UNKNOWN.n)
        return true;
    k->provider = cheapest_storage(w)->provider;
    if (!cost_unread(w, k->provider, 0, gb * ask->checkpoints / STORAGE_MONTH_DAYS, &k->all,
                     err))
        return false;
    /* Those that are kept change all the time: they stay in the hottest tier. */
    {
        struct storage_tier tiers[STORAGE_TIERS_MAX];
        day date;

        if (storage_tiers_find(w->catalog, k->provider, ask->region, tiers, &date) > 0)
            k->kept = usd_about(tiers[0].gb_month * gb * (double)ask->keep_last * w->data.days /
                                STORAGE_MONTH_DAYS);
    }
    k->saving = usd_less(k->all, k->kept);
    return true;
}

/* ---- the answer ---- */

static bool add_storage_notes(const struct storage_work *w, struct strs *notes,
                              struct error *err)
{
    const struct {
        bool applies;
        const char *text;
    } all[] = {
        {true,
         "prices are for one region each, without volume discounts; the data set counts as "
         "new at the start, since rules use the age of objects"},
        {w->waits, "archives that must be restored first are left out; --wait 15h allows them"},
        {w->fees_unknown,
         "where request fees are not known (?), the total is a lower limit, and "
         "not called the cheapest"},
        {w->used_by_provider,
         "tiers that a provider chooses by use are left out: no rule sets them"},
    };

    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        if (all[i].applies && !note_add(notes, w->arena, err, "%s", all[i].text))
            return false;
    return true;
}

bool storage_answer(const struct storage_question *question,
                    const struct storage_access *access, const struct catalog *catalog,
                    struct arena *arena, struct storage_result *out, struct error *err)
{
    struct storage_work w = {.ask = question, .catalog = catalog, .arena = arena, .res = out};

    return take_data(&w, err) && take_reads(&w, access, err) && add_providers(&w, err) &&
           add_checkpoints(&w, err) && add_storage_notes(&w, &out->notes, err);
}
