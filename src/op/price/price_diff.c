/* price.diff - what changed between two days. */
#include "op/price/price_diff.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "market/zones.h"
#include "op/context.h"
#include "op/market.h"
#include "op/op.h"
#include "op/price/history_starts.h"

static const char *const sorts[] = {"change", "price", "name", NULL};

static const struct field request[] = {
    FIELD(TEXT, price_diff_request, from, .value = "FROM", .operand = true, .required = true,
          .help = "2026-08-01 (its end), yesterday, or 7d: that long ago"),
    FIELD(TEXT, price_diff_request, to, .value = "TO", .operand = true, .fallback = "today",
          .help = "likewise"),
    FIELD(TEXT, price_diff_request, gpu, .value = "GPU", .also = accelerator_options,
          .help = "only this accelerator"),
    FIELD(FLAG, price_diff_request, any_form,
          .help = "every form of the GPU's family, PCIe and less memory too"),
    FIELD_AS("provider", TEXTS, price_diff_request, providers, .value = "LIST",
             .help = "only these, such as aws,gcp"),
    FIELD_AS("region", TEXTS, price_diff_request, regions, .value = "LIST",
             .help = "only these; 'us-*' matches"),
    FIELD(CHOICE, price_diff_request, market, .value = "MARKET", .choices = market_names,
          .help = "only this one, such as spot"),
    FIELD(SHARE, price_diff_request, min_change, .value = "SHARE", .fallback = "0%",
          .help = "only changes of at least this, such as 1% (below 0.01% is rounding)"),
    FIELD(CHOICE, price_diff_request, sort, .value = "KEY", .choices = sorts,
          .fallback = "change", .help = "change (largest first), price or name"),
    FIELD(COUNT, price_diff_request, limit, .value = "N", .positive = true, .fallback = "50",
          .help = "only the first N"),
};

static const struct field change_fields[] = {
    FIELD(TEXT, price_change, kind, .help = "changed, appeared or gone"),
    FIELD(TEXT, price_change, offer, .help = "provider/region/zone/instance"),
    FIELD(TEXT, price_change, market, .help = "on-demand, spot, ..."),
    FIELD(TEXT, price_change, feed, .help = "who tells it"),
    FIELD(TEXT, price_change, accelerator, .help = "what it has"),
    FIELD(NUMBER, price_change, count, .help = "how many"),
    FIELD(MONEY, price_change, before, .help = "the machine for an hour at the first moment"),
    FIELD(MONEY, price_change, after, .help = "at the second"),
    FIELD(NUMBER, price_change, change, .help = "a share"),
    FIELD(FLAG, price_change, jump, .help = "ten times or more: possibly an error of the feed"),
};

static const struct field_set change_set = FIELD_SET(struct price_change, change_fields);

static const struct field result[] = {
    FIELD(TEXT, price_diff_result, from, .help = "the first moment; a day means its end"),
    FIELD(TEXT, price_diff_result, to, .help = "the second"),
    FIELD(COUNT, price_diff_result, compared,
          .help = "prices known at both and seen since the first"),
    FIELD(COUNT, price_diff_result, changed, .help = "of them, by at least --min-change"),
    FIELD(COUNT, price_diff_result, up, .help = "of these dearer"),
    FIELD(COUNT, price_diff_result, down, .help = "of these cheaper"),
    FIELD(NUMBER, price_diff_result, median, .help = "of the changes, a share"),
    FIELD(COUNT, price_diff_result, appeared, .help = "no price at the first moment"),
    FIELD(COUNT, price_diff_result, gone, .help = "no price at the second"),
    FIELD(COUNT, price_diff_result, unknown,
          .help = "priced at the second; their feed tells nothing of the first"),
    FIELD(COUNT, price_diff_result, unseen, .help = "priced at the first, not seen since"),
    FIELD(COUNT, price_diff_result, jumped,
          .help = "ten times up or down at once, changed in the end or not"),
    FIELD(LIST, price_diff_result, changes, .row = &change_set,
          .help = "as sorted, up to --limit"),
};

struct diff_work {
    struct op_context *ctx;
    struct market_view view;
    const struct store *store;
    const struct price_diff_request *req;
    stamp from, to;
    int market;
    struct history_starts starts;
    bool *used; /* of each feed: a price of it is looked at */
    struct price_change *rows;
    double *changes;
    size_t count;
};

/* A day means its end, since prices are read during it; at most now. */
static bool parse_moment(const struct diff_work *w, struct str text, stamp *out,
                         struct error *err)
{
    stamp now = w->ctx->clock->today(w->ctx->clock->ctx);
    struct error ignored = {0};
    span ago;
    day date;

    if (str_eq_nocase(text, STR("today")) || str_eq_nocase(text, STR("now"))) {
        *out = now;
        return true;
    }
    if (str_eq_nocase(text, STR("yesterday")))
        date = (day){day_of(now).n - 1};
    else if (span_parse(text, &ago, &ignored)) {
        out->s = now.s - ago.ns / INT64_C(1000000000);
        return out->s > 0 ||
               error_fail(err, ERROR_USAGE, "'%.*s' ago is before 1970", STR_ARG(text));
    } else if (!day_parse(text, &date)) {
        error_set(err, ERROR_USAGE, "'%.*s' is not a day", STR_ARG(text));
        error_hint(err, "write 2026-08-01, yesterday, today, or 7d for a week ago");
        return false;
    }
    if (date.n > day_of(now).n) {
        error_set(err, ERROR_USAGE, "'%.*s' is in the future: prices are known until today",
                  STR_ARG(text));
        error_hint(err, "write a day that has been, such as yesterday, or 7d for a week ago");
        return false;
    }
    out->s = (date.n + INT64_C(1)) * SECONDS_PER_DAY - 1;
    out->s = out->s < now.s ? out->s : now.s;
    return true;
}

/* The end of a day is called by the day. */
static bool moment_text(const struct diff_work *w, stamp at, struct str *out, struct error *err)
{
    bool end = at.s % SECONDS_PER_DAY == SECONDS_PER_DAY - 1;

    return stamp_text((stamp){end ? at.s + 1 - SECONDS_PER_DAY : at.s}, w->ctx->arena, out,
                      err);
}

static bool get_room(struct diff_work *w, struct error *err)
{
    size_t count = store_series_count(w->store);

    w->used = arena_array(w->ctx->arena, bool, store_feed_count(w->store), err);
    w->rows = arena_array(w->ctx->arena, struct price_change, count, err);
    w->changes = arena_array(w->ctx->arena, double, count, err);
    return w->used != NULL && w->rows != NULL && w->changes != NULL &&
           history_starts(w->ctx, w->store, &w->starts, err);
}

struct ends {
    int64_t before, after; /* SERIES_NONE: no price */
    bool jumped;           /* at once, in between */
};

/* What it cost at both moments. Most prices stand still: their points are not read. */
static bool look_up(const struct diff_work *w, size_t series, const struct store_series *s,
                    struct ends *out, struct error *err)
{
    struct arena scratch = {.alloc = w->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct points points;
    bool ok;

    *out = (struct ends){SERIES_NONE, SERIES_NONE, false};
    if (s->first.s > w->to.s)
        return true;
    if (s->since.s <= w->from.s) {
        out->before = out->after = s->price >= 0 ? s->price : SERIES_NONE;
        return true;
    }
    ok = store_points(w->store, series, &scratch, &points, err);
    if (ok) {
        out->before = series_at(points, w->from);
        out->after = series_at(points, w->to);
        out->jumped = series_moves(points, (struct window){w->from, w->to}).jumps > 0;
    }
    arena_free(&scratch);
    return ok;
}

static bool add_row(struct diff_work *w, const struct store_offer *o,
                    const struct store_series *s, const char *kind, struct price_change *row,
                    struct error *err)
{
    row->kind = str_from(kind);
    row->market = str_from(market_names[s->market]);
    row->feed = store_feed(w->store, s->feed).feed;
    row->accelerator = o->accelerator;
    row->count = o->count;
    w->count++;
    return machine_name(o->provider, o->region, o->zone, o->instance, w->ctx->arena,
                        &row->offer, err);
}

/* Count it; the kind of row that it makes, NULL for none. */
static const char *judge(struct diff_work *w, const struct store_series *s,
                         const struct ends *ends, struct price_change *row,
                         struct price_diff_result *res)
{
    if (ends->before == SERIES_NONE) {
        bool told = history_told(&w->starts, s, w->from);

        res->appeared += told;
        res->unknown += !told;
        return told ? "appeared" : NULL;
    }
    if (ends->after == SERIES_NONE) {
        res->gone++;
        return "gone";
    }
    if (s->seen.s <= w->from.s) { /* nobody looked: not the same as unchanged */
        res->unseen++;
        return NULL;
    }
    res->compared++;
    row->change = ends->before > 0 ? (double)ends->after / (double)ends->before - 1 : NAN;
    if (series_same(ends->before, ends->after) || fabs(row->change) < w->req->min_change)
        return NULL;
    row->jump |= row->change >= 9 || row->change <= -0.9;
    res->up += ends->after > ends->before;
    res->down += ends->after < ends->before;
    w->changes[res->changed++] = row->change;
    return "changed";
}

static bool add_series(struct diff_work *w, const struct store_offer *o, size_t series,
                       struct price_diff_result *res, struct error *err)
{
    struct store_series s = store_series(w->store, series);
    struct price_change *row = &w->rows[w->count];
    const char *kind;
    struct ends ends;

    if (w->market >= 0 && s.market != (enum market)w->market)
        return true;
    if (!look_up(w, series, &s, &ends, err))
        return false;
    if (ends.before == SERIES_NONE && ends.after == SERIES_NONE)
        return true;
    w->used[s.feed] = true;
    *row = (struct price_change){.before = money_from_nano(ends.before, s.currency),
                                 .after = money_from_nano(ends.after, s.currency),
                                 .change = NAN,
                                 .jump = ends.jumped};
    res->jumped += ends.jumped;
    kind = judge(w, &s, &ends, row, res);
    if (kind == NULL)
        return true;
    if (!add_row(w, o, &s, kind, row, err))
        return false;
    res->several_feeds |= !str_eq(row->feed, w->rows[0].feed);
    return true;
}

static int compare(const void *a, const void *b, void *ctx)
{
    const struct price_change *x = a, *y = b;
    const struct str *by = ctx;
    int order = 0;

    if (str_eq(*by, STR("change"))) { /* what appeared and what is gone has none: last */
        /* To a tenth is as far as to ten times. */
        order = num_compare(-fabs(log1p(x->change)), -fabs(log1p(y->change)));
        order = order != 0 ? order : str_cmp(x->kind, y->kind);
    } else if (str_eq(*by, STR("price"))) {
        order = (x->after.currency[0] == '\0') - (y->after.currency[0] == '\0');
        order = order != 0 ? order : decimal_cmp(x->after.amount, y->after.amount);
    }
    order = order != 0 ? order : str_cmp(x->offer, y->offer);
    return order != 0 ? order : str_cmp(x->market, y->market);
}

static int compare_numbers(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return num_compare(*x, *y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof values[0], compare_numbers);
    while (count > 0 && isnan(values[count - 1])) /* from nothing to something */
        count--;
    return count == 0 ? NAN : (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Of the feeds that are looked at, those last read before the second moment. */
struct old_feeds {
    size_t used, old, oldest;
};

static struct old_feeds find_old(const struct diff_work *w)
{
    struct old_feeds o = {0};

    for (size_t i = 0; i < store_feed_count(w->store); i++) {
        stamp read = store_feed(w->store, i).read;

        o.used += w->used[i];
        if (!w->used[i] || read.s + PRICE_HOLDS >= w->to.s)
            continue;
        if (o.old++ == 0 || read.s < store_feed(w->store, o.oldest).read.s)
            o.oldest = i;
    }
    return o;
}

/* What such a feed knows ends when it was read. */
static void warn_of_old(const struct diff_work *w, struct str to)
{
    struct buf text = buf_new(w->ctx->arena->alloc, 512);
    struct old_feeds o = find_old(w);
    struct store_feed feed;

    if (o.old == 0)
        return;
    feed = store_feed(w->store, o.oldest);
    buf_addf(&text, "%.*s of %.*s", STR_ARG(feed.feed), STR_ARG(feed.provider));
    if (o.old > 1)
        buf_addf(&text, " and %zu more of %zu lists were", o.old - 1, o.used);
    else
        buf_adds(&text, " was");
    buf_adds(&text, " last read on ");
    day_write(day_of(feed.read), &text);
    buf_addf(&text, "%s, before ", o.old > 1 ? " or later" : "");
    buf_add(&text, to);
    message_warn(&w->ctx->messages, "%.*s: what changed since is not known", (int)text.len,
                 text.at != NULL ? text.at : "");
    buf_free(&text);
}

static bool compare_all(struct diff_work *w, const struct zone_query *filter,
                        struct price_diff_result *res, struct error *err)
{
    struct store_offer *offers;
    struct str sort = w->req->sort;
    size_t count;
    bool ok = true;

    res->compared = res->changed = res->up = res->down = 0;
    res->appeared = res->gone = res->unknown = res->unseen = res->jumped = 0;
    if (!get_room(w, err) || !zones_select(&w->view, filter, &offers, &count, err))
        return false;
    store_hold(w->store);
    for (size_t i = 0; ok && i < count; i++)
        for (size_t k = 0; ok && k < offers[i].series_count; k++)
            ok = add_series(w, &offers[i], offers[i].first_series + k, res, err);
    store_release(w->store);
    if (!ok)
        return false;
    qsort_r(w->rows, w->count, sizeof w->rows[0], compare, &sort);
    res->median = median(w->changes, (size_t)res->changed);
    if ((size_t)w->req->limit < w->count)
        w->count = (size_t)w->req->limit;
    res->changes = (struct rows){w->rows, w->count};
    if (!moment_text(w, w->from, &res->from, err) || !moment_text(w, w->to, &res->to, err))
        return false;
    warn_of_old(w, res->to);
    return true;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct price_diff_result *res = out;
    struct diff_work w = {.ctx = ctx, .req = in, .market = -1};
    struct zone_query filter = {
        .regions = w.req->regions, .any_form = w.req->any_form, .min_memory = BYTES_UNKNOWN};

    if (!parse_moment(&w, w.req->from, &w.from, err) ||
        !parse_moment(&w, w.req->to, &w.to, err) ||
        (w.req->market.at != NULL && !market_parse(w.req->market, &w.market, err)))
        return false;
    if (w.from.s >= w.to.s) {
        error_set(err, ERROR_USAGE, "'%.*s' is not before '%.*s'", STR_ARG(w.req->from),
                  STR_ARG(w.req->to));
        error_hint(err, "give the earlier day first");
        return false;
    }
    if (!op_catalog(ctx, TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES), err))
        return false;
    if (w.req->gpu.at != NULL) {
        filter.gpu = op_accelerator(ctx, w.req->gpu, w.req->any_form, err);
        if (filter.gpu == NULL)
            return false;
    }
    if (!op_zones(ctx, 0, &w.view, err))
        return false;
    w.store = w.view.store;
    return op_places(ctx, w.req->providers, w.req->regions, &filter.providers, err) &&
           compare_all(&w, &filter, res, err);
}

const struct op op_price_diff = {
    .name = "price.diff",
    .schema = "stint.price.diff/1",
    .summary = "show which prices changed between two days",
    .request = &(const struct field_set)FIELD_SET(struct price_diff_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_diff_result, result),
    .run = run,
};
