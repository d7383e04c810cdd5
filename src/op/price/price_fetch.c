/* price.fetch - ask providers what machines cost; each list is kept as soon as it is read. */
#include "op/price/price_fetch.h"
#include "op/context.h"
#include "op/op.h"

#include <string.h>

#include "base/fs.h"
#include "market/fetch.h"
#include "market/store.h"

#define LISTS_STEP 64

static const struct field request[] = {
    FIELD(TEXTS, price_fetch_request, providers, .value = "PROVIDER", .operand = true,
          .help =
              "aws, azure, gcp, lambda, runpod, vast, skypilot (a collection of 24 clouds)"),
    FIELD(FLAG, price_fetch_request, all, .help = "everybody that can be asked"),
    FIELD_AS("region", TEXTS, price_fetch_request, regions, .value = "LIST",
             .help = "of AWS and Azure, which have a list for each; 'us-*' matches"),
    FIELD_AS("cloud", TEXTS, price_fetch_request, clouds, .value = "LIST",
             .help = "of the SkyPilot collection, such as oci,vast"),
    FIELD(COUNT, price_fetch_request, tries, .value = "N", .positive = true, .fallback = "4",
          .help = "how often to ask a server that fails in a way that may pass"),
    FIELD(SPAN, price_fetch_request, timeout, .value = "TIME", .positive = true,
          .fallback = "10min", .help = "give up on an answer after so long, retries included"),
    FIELD(FLAG, price_fetch_request, again,
          .help = "read lists that have not changed since the last time, too"),
};

static const struct field list_fields[] = {
    FIELD(TEXT, fetched_list, provider, .help = "whose prices"),
    FIELD(TEXT, fetched_list, feed, .help = "under which they are kept"),
    FIELD(TEXT, fetched_list, part, .help = "which list: a region; null when there is one"),
    FIELD(TEXT, fetched_list, from, .help = "its address"),
    FIELD(TEXT, fetched_list, end, .help = "read, unchanged, empty or failed"),
    FIELD(TEXT, fetched_list, problem, .help = "of one that failed or is empty"),
    FIELD(COUNT, fetched_list, pages, .help = "asked for"),
    FIELD(COUNT, fetched_list, size, .help = "bytes"),
    FIELD(COUNT, fetched_list, rows, .help = "looked at"),
    FIELD(COUNT, fetched_list, quotes, .help = "machines priced"),
    FIELD(COUNT, fetched_list, bad, .help = "rows left out"),
    FIELD(DAY, fetched_list, date, .help = "of its prices"),
    FIELD(RECORD, fetched_list, changes, .row = &price_changes_fields, .help = "what is new"),
};

static const struct field_set list_set = FIELD_SET(struct fetched_list, list_fields);

static const struct field result[] = {
    FIELD(TEXT, price_fetch_result, store, .help = "where the prices are"),
    FIELD(LIST, price_fetch_result, lists, .row = &list_set, .help = "in the order asked"),
    FIELD(COUNT, price_fetch_result, failed, .help = "what could not be had: old prices stay"),
};

struct fetching {
    struct op_context *ctx;
    const struct price_fetch_request *req;
    const char *store_path, *state_path;
    struct fetch_state *state;
    struct store_edit *edit; /* of the list being read */
    struct fetched_list *lists;
    size_t count, room, failed;
    struct fetched_list *now;
    const char *asked; /* whom */
    char label[128];   /* what is being read: "azure eastus" */
    stamp today;
    bool empty; /* the store is: that lists have not changed does not help */
};

static bool take_quote(void *ctx, const struct quote *quote, struct error *err)
{
    struct fetching *f = ctx;

    f->now->quotes++;
    return store_edit_quote(f->edit, quote, err);
}

/* A server's row that cannot be used is no reason to do without the others. */
static bool take_bad(void *ctx, const struct error *problem)
{
    struct fetching *f = ctx;

    if (f->now->bad++ == 0)
        message_warn(&f->ctx->messages, "left out: %s", problem->text);
    return true;
}

static bool next_list(struct fetching *f, struct error *err)
{
    if (f->count == f->room) {
        struct fetched_list *grown =
            arena_array(f->ctx->arena, struct fetched_list, f->room + LISTS_STEP, err);

        if (grown == NULL)
            return false;
        if (f->count > 0)
            memcpy(grown, f->lists, f->count * sizeof grown[0]);
        f->lists = grown;
        f->room += LISTS_STEP;
    }
    f->now = &f->lists[f->count++];
    return true;
}

static bool keep_text(struct fetching *f, struct str text, struct str *out, struct error *err)
{
    out->at = text.len > 0 ? str_dup(text, f->ctx->arena, err) : NULL;
    out->len = out->at != NULL ? text.len : 0;
    return text.len == 0 || out->at != NULL;
}

/* "azure eastus", "skypilot oci", "lambda". */
static void name_list(struct fetching *f, struct str part)
{
    (void)snprintf(f->label, sizeof f->label, "%s%s%.*s", f->asked, part.len > 0 ? " " : "",
                   STR_ARG(part));
}

static bool begin(void *ctx, const struct fetch_feed *feed, struct error *err)
{
    struct fetching *f = ctx;

    if (!next_list(f, err))
        return false;
    *f->now = (struct fetched_list){.feed = str_from(feed->format->feed), .date = DAY_UNKNOWN};
    name_list(f, feed->part);
    store_edit_free(f->edit);
    f->edit = store_edit_new(f->ctx->arena->alloc, err);
    return f->edit != NULL && keep_text(f, feed->provider, &f->now->provider, err) &&
           keep_text(f, feed->part, &f->now->part, err) &&
           keep_text(f, str_from(feed->from), &f->now->from, err) &&
           store_edit_feed(f->edit, feed->format, f->now->feed, f->now->from, err);
}

/* Does the list have the series, then or later? */
static bool of_list(const struct store *store, const struct store_series *s,
                    const struct fetch_feed *list, struct str region, stamp since)
{
    struct store_feed feed = store_feed(store, s->feed);

    return str_eq(feed.feed, str_from(list->format->feed)) && s->seen.s >= since.s &&
           (list->part.len == 0 || str_eq(list->part, region) ||
            str_eq(list->part, list->provider));
}

/* Quote again, at that moment, what the store has of the list since then. Without an edit it is
 * only looked whether there is any. */
static bool tell_again(const struct fetching *f, const struct fetch_feed *list, stamp since,
                       stamp at, struct store_edit *edit, size_t *count, struct error *err)
{
    static const struct messages silent;
    struct store *store = store_open(f->store_path, f->ctx->arena->alloc, &silent, err);
    bool ok = store != NULL;
    size_t i = ok ? store_offer_find(store, list->provider, (struct str){0}) : 0;

    for (; ok && (edit != NULL || *count == 0) && i < store_offer_count(store); i++) {
        struct store_offer o = store_offer(store, i);
        struct quote q = quote_blank();
        bool any = false;

        if (!str_eq(o.provider, list->provider))
            break;
        q.provider = o.provider;
        q.region = o.region;
        q.zone = o.zone;
        q.instance = o.instance;
        q.accelerator = o.accelerator;
        q.count = o.count;
        q.at = at;
        for (size_t s = o.first_series; s < o.first_series + o.series_count; s++) {
            struct store_series series = store_series(store, s);

            if (!of_list(store, &series, list, o.region, since))
                continue;
            q.price[series.market] = series.price;
            q.flags |= series.doubts & DOUBT_FLOOR ? QUOTE_FLOOR : 0;
            memcpy(q.currency, series.currency, sizeof q.currency);
            any = true;
        }
        *count += any;
        ok = !any || edit == NULL || store_edit_quote(edit, &q, err);
    }
    store_close(store);
    return ok;
}

static bool keeps(void *ctx, const struct fetch_feed *feed, stamp since)
{
    const struct fetching *f = ctx;
    struct error ignored = {0};
    size_t count = 0;

    return tell_again(f, feed, since, f->today, NULL, &count, &ignored) && count > 0;
}

/* The server says that the list has not changed: its last prices still hold. */
static bool confirm(const struct fetching *f, const struct fetch_feed *feed,
                    const struct fetch_outcome *outcome, struct error *err)
{
    size_t count = 0;

    return tell_again(f, feed, outcome->before, outcome->date, f->edit, &count, err);
}

static bool commit(struct fetching *f, struct error *err)
{
    struct store_change change = {0};
    bool ok = store_commit(f->edit, f->store_path, f->today, &f->ctx->messages, &change, err);

    price_changes_add(&change, &f->now->changes);
    return ok;
}

static bool end(void *ctx, const struct fetch_feed *feed, const struct fetch_outcome *outcome,
                struct error *err)
{
    static const char *const ends[] = {"read", "unchanged", "empty", "failed"};
    struct fetching *f = ctx;
    bool ok = true;

    f->now->end = str_from(ends[outcome->end]);
    f->now->pages = (int64_t)outcome->pages;
    f->now->size = (int64_t)outcome->size;
    f->now->rows = (int64_t)outcome->rows;
    if (outcome->end == FETCH_FAILED || outcome->end == FETCH_EMPTY) {
        f->failed++;
        ok = keep_text(f, str_from(outcome->problem->text), &f->now->problem, err);
    } else if (outcome->end == FETCH_UNCHANGED) {
        f->now->date = day_of(outcome->date);
        ok = confirm(f, feed, outcome, err) && commit(f, err);
    } else if (f->now->quotes > 0) {
        f->now->date = day_of(outcome->date);
        ok = store_edit_complete(f->edit, f->now->bad > 0 ? SCOPE_ROWS : outcome->scope,
                                 outcome->date, err) &&
             commit(f, err);
    }
    store_edit_free(f->edit);
    f->edit = NULL;
    return ok;
}

static bool progress(void *ctx, uint64_t done, uint64_t total)
{
    const struct fetching *f = ctx;

    if (f->ctx->progress != NULL)
        f->ctx->progress(f->ctx->progress_ctx, f->label, done, total);
    return true;
}

/* Fetch one. A failure is reported, and the others go on; false ends all of it. */
static bool ask(struct fetching *f, const struct fetch_context *fetch, const char *provider,
                struct error *err)
{
    struct fetch_request one = {.provider = str_from(provider),
                                .regions = f->req->regions,
                                .clouds = f->req->clouds,
                                .now = f->today,
                                .anew = f->req->again || f->empty};
    struct fetch_result done = {0};
    struct error problem = {0};
    bool ok;

    f->asked = provider;
    name_list(f, (struct str){0});
    ok = fetch_run(fetch, &one, &done, &problem);
    /* What was asked is remembered, whatever comes next. */
    if (!fetch_state_write(f->state, f->state_path, f->today, err))
        return false;
    if (ok)
        return true;
    if (problem.kind == ERROR_MEMORY || problem.kind == ERROR_SYSTEM) {
        *err = problem;
        return false;
    }
    f->failed++;
    message_warn(&f->ctx->messages, "%s: %s; its prices stay as they are", provider,
                 problem.text);
    if (problem.hint[0] != '\0')
        message_note(&f->ctx->messages, "%s: %s", provider, problem.hint);
    return true;
}

static bool ask_all(struct fetching *f, const struct fetch_context *fetch, struct error *err)
{
    for (size_t i = 0; f->req->all && i < fetch_provider_count; i++)
        if (!ask(f, fetch, fetch_providers[i].name, err))
            return false;
    for (size_t i = 0; !f->req->all && i < f->req->providers.len; i++)
        if (!ask(f, fetch, fetch_provider_named(f->req->providers.at[i], err)->name, err))
            return false;
    return true;
}

static bool check(const struct price_fetch_request *req, struct error *err)
{
    for (size_t i = 0; i < req->providers.len; i++)
        if (fetch_provider_named(req->providers.at[i], err) == NULL)
            return false;
    if (req->all && req->providers.len > 0)
        return error_fail(err, ERROR_USAGE, "give providers or --all, not both");
    if (req->all || req->providers.len > 0)
        return true;
    error_set(err, ERROR_USAGE, "price fetch needs a PROVIDER or --all");
    error_hint(err, "stint price fetch skypilot asks for 24 clouds and needs no account");
    return false;
}

static bool prepare(struct fetching *f, struct error *err)
{
    unsigned tables =
        TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_PROVIDERS) | TABLE_BIT(TABLE_REGIONS);
    struct buf warning = buf_new(f->ctx->arena->alloc, 1024);
    const char *folder;

    f->store_path = op_store_path(f->ctx, err);
    if (f->store_path == NULL || !op_catalog(f->ctx, tables, err))
        return false;
    folder = str_dup(f->ctx->settings->prices, f->ctx->arena, err);
    f->state_path = folder != NULL ? fs_join(folder, "feeds.json", f->ctx->arena, err) : NULL;
    if (f->state_path != NULL)
        f->state = fetch_state_read(f->state_path, f->ctx->arena, &warning, err);
    if (warning.len > 0)
        message_warn(&f->ctx->messages, "%.*s", (int)warning.len, warning.at);
    buf_free(&warning);
    return f->state != NULL;
}

/* Nothing at all came of it: that is a failure, with the first reason. */
static bool nothing(const struct fetching *f, struct error *err)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->lists[i].problem.len > 0) {
            error_set(err, ERROR_FAILED, "nothing could be fetched: %.*s",
                      (int)f->lists[i].problem.len, f->lists[i].problem.at);
            error_hint(err, "the prices that were there before stay in use");
            return false;
        }
    return error_fail(err, ERROR_FAILED, "nothing could be fetched");
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct fetching f = {.ctx = ctx, .req = in, .today = ctx->clock->today(ctx->clock->ctx)};
    struct fetch_listener listener = {
        .begin = begin, .end = end, .messages = ctx->messages, .keeps = keeps, .ctx = &f};
    struct feed_sink sink = {take_quote, take_bad, &f};
    struct http_manners manners = http_default_manners;
    struct fetch_context fetch = {.http = {.alloc = ctx->arena->alloc,
                                           .log = ctx->messages.log,
                                           .manners = &manners,
                                           .progress = progress,
                                           .progress_ctx = &f},
                                  .alloc = ctx->arena->alloc,
                                  .catalog = &ctx->catalog,
                                  .formats = &fetch_formats,
                                  .sink = &sink,
                                  .listener = &listener};
    struct price_fetch_result *res = out;
    const struct store *store;
    size_t good = 0;
    bool ok;

    if (!check(f.req, err) || !prepare(&f, err))
        return false;
    store = op_store(ctx, err);
    if (store == NULL)
        return false;
    f.empty = store_offer_count(store) == 0;
    manners.tries = f.req->tries < 100 ? (unsigned)f.req->tries : 100;
    manners.attempt = manners.altogether = f.req->timeout;
    manners.longer = "--timeout allows more time";
    fetch.state = f.state;
    fetch.known = feed_known_new(&ctx->catalog, ctx->arena, err);
    ok = fetch.known != NULL && ask_all(&f, &fetch, err);
    store_edit_free(f.edit);
    for (size_t i = 0; i < f.count; i++)
        good += f.lists[i].problem.len == 0;
    if (!ok || (good == 0 && f.failed > 0))
        return ok && nothing(&f, err);
    ctx->partly = f.failed > 0;
    res->store = str_from(f.store_path);
    res->lists = (struct rows){f.lists, f.count};
    res->failed = (int64_t)f.failed;
    return true;
}

const struct op op_price_fetch = {
    .name = "price.fetch",
    .schema = "stint.price.fetch/1",
    .changes = true,
    .summary = "fetch current prices from providers",
    .request = &(const struct field_set)FIELD_SET(struct price_fetch_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_fetch_result, result),
    .run = run,
};
