#include "market/update.h"

#include <string.h>

#include "market/fetch_state.h"

static const char *const end_names[] = {
    [FETCH_READ] = "read",
    [FETCH_UNCHANGED] = "unchanged",
    [FETCH_EMPTY] = "empty",
    [FETCH_FAILED] = "failed",
};

static const struct field list_fields[] = {
    FIELD(TEXT, fetched_list, provider, .help = "provider of the prices"),
    FIELD(TEXT, fetched_list, feed, .help = "feed under which they are stored"),
    FIELD(TEXT, fetched_list, part, .empty_unknown = true,
          .help = "part of the feed, such as a region; null when there is only one"),
    FIELD(TEXT, fetched_list, from, .help = "address of the list"),
    FIELD(ENUM, fetched_list, end, FIELD_NAMES(end_names),
          .help = "outcome: read, unchanged, empty or failed"),
    FIELD(TEXT, fetched_list, problem, .help = "reason why it failed or is empty"),
    FIELD(COUNT, fetched_list, pages, .help = "requested pages"),
    FIELD(COUNT, fetched_list, size, .help = "size in bytes"),
    FIELD(COUNT, fetched_list, rows, .help = "rows read"),
    FIELD(COUNT, fetched_list, quotes, .help = "machines priced"),
    FIELD(COUNT, fetched_list, bad, .help = "rows left out"),
    FIELD(DAY, fetched_list, date, .help = "date of the prices"),
    FIELD(RECORD, fetched_list, changes, .row = &store_change_fields,
          .help = "changes to the store"),
};

const struct field_set fetched_list_fields = FIELD_SET(struct fetched_list, list_fields);

struct fetching {
    const struct market_view *view;
    const struct update_query *query;
    struct fetch_state *state;
    struct store_edit *edit; /* of the list being read */
    struct fetched_list *lists;
    size_t count, room, failed;
    struct fetched_list *now;
    const char *asked; /* whom */
    char label[128];   /* what is being read: "azure eastus" */
    bool empty;        /* the store is: that lists have not changed does not help */
};

static bool add_update_quote(void *ctx, const struct quote *quote, struct error *err)
{
    struct fetching *f = ctx;

    f->now->quotes++;
    return store_edit_quote(f->edit, quote, err);
}

/* A server's row that cannot be used is no reason to do without the others. */
static bool add_bad_update(void *ctx, const struct error *problem)
{
    struct fetching *f = ctx;

    if (f->now->bad++ == 0)
        message_warn(f->view->messages, "left out: %s", problem->text);
    return true;
}

static bool add_update_list(struct fetching *f, struct error *err)
{
    f->lists = arena_grow(f->view->arena, f->lists, f->count, sizeof *f->lists, &f->room, err);
    f->now = f->lists != NULL ? &f->lists[f->count++] : NULL;
    return f->now != NULL;
}

/* "azure eastus", "skypilot oci", "lambda". */
static void name_update_list(struct fetching *f, struct str part)
{
    (void)snprintf(f->label, sizeof f->label, "%s%s%.*s", f->asked, part.len > 0 ? " " : "",
                   STR_ARG(part));
}

static bool begin_list(void *ctx, const struct fetch_feed *feed, struct error *err)
{
    struct fetching *f = ctx;

    if (!add_update_list(f, err))
        return false;
    *f->now = (struct fetched_list){.feed = str_from(feed->format->feed), .date = DAY_UNKNOWN};
    name_update_list(f, feed->part);
    store_edit_free(f->edit);
    f->edit = store_edit_new(f->view->arena->alloc, err);
    return f->edit != NULL &&
           str_keep(feed->provider, f->view->arena, &f->now->provider, err) &&
           str_keep(feed->part, f->view->arena, &f->now->part, err) &&
           str_keep(str_from(feed->from), f->view->arena, &f->now->from, err) &&
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

/* Quote again, at that moment, what the store has of the list since then. Without an edit only
 * check whether there is any. */
static bool quote_again(const struct fetching *f, const struct fetch_feed *list, stamp since,
                        stamp at, struct store_edit *edit, size_t *count, struct error *err)
{
    static const struct messages silent;
    struct store *store = store_open(f->query->store_path, f->view->arena->alloc, &silent, err);
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
            q.currency = series.currency;
            any = true;
        }
        *count += any;
        ok = !any || edit == NULL || store_edit_quote(edit, &q, err);
    }
    store_close(store);
    return ok;
}

static bool has_update_prices(void *ctx, const struct fetch_feed *feed, stamp since)
{
    const struct fetching *f = ctx;
    struct error ignored = {0};
    size_t count = 0;

    return quote_again(f, feed, since, f->query->now, NULL, &count, &ignored) && count > 0;
}

/* The server reports that the list has not changed: its last prices still hold. */
static bool confirm_prices(const struct fetching *f, const struct fetch_feed *feed,
                           const struct fetch_outcome *outcome, struct error *err)
{
    size_t count = 0;

    return quote_again(f, feed, outcome->before, outcome->date, f->edit, &count, err);
}

static bool commit_list(struct fetching *f, struct error *err)
{
    struct store_change change = {0};
    bool ok = store_commit(f->edit, f->query->store_path, f->query->now, &change, err);

    store_change_add(&change, &f->now->changes);
    return ok;
}

static bool end_list(void *ctx, const struct fetch_feed *feed,
                     const struct fetch_outcome *outcome, struct error *err)
{
    struct fetching *f = ctx;
    bool ok = true;

    f->now->end = outcome->end;
    f->now->pages = (int64_t)outcome->pages;
    f->now->size = (int64_t)outcome->size;
    f->now->rows = (int64_t)outcome->rows;
    if (outcome->end == FETCH_FAILED || outcome->end == FETCH_EMPTY) {
        f->failed++;
        ok = str_keep(str_from(outcome->problem->text), f->view->arena, &f->now->problem, err);
    } else if (outcome->end == FETCH_UNCHANGED) {
        f->now->date = day_of(outcome->date);
        ok = confirm_prices(f, feed, outcome, err) && commit_list(f, err);
    } else if (f->now->quotes > 0) {
        f->now->date = day_of(outcome->date);
        ok = store_edit_complete(f->edit, f->now->bad > 0 ? SCOPE_ROWS : outcome->scope,
                                 outcome->date, err) &&
             commit_list(f, err);
    }
    store_edit_free(f->edit);
    f->edit = NULL;
    return ok;
}

static bool report_update_progress(void *ctx, uint64_t done, uint64_t total)
{
    const struct fetching *f = ctx;

    if (f->query->progress != NULL)
        f->query->progress(f->query->progress_ctx, f->label, done, total);
    return true;
}

/* Fetch one. A failure is reported, and the others go on; false ends all of it. */
static bool fetch_one(struct fetching *f, const struct fetch_context *fetch,
                      const char *provider, struct error *err)
{
    struct fetch_request one = {.provider = str_from(provider),
                                .regions = f->query->regions,
                                .clouds = f->query->clouds,
                                .now = f->query->now,
                                .anew = f->query->again || f->empty};
    struct error problem = {0};
    bool ok;

    f->asked = provider;
    name_update_list(f, (struct str){0});
    ok = fetch_run(fetch, &one, &problem);
    /* Remember what was fetched, whatever comes next. */
    if (!fetch_state_write(f->state, f->query->state_path, f->query->now, err))
        return false;
    if (ok)
        return true;
    if (problem.kind == ERROR_MEMORY || problem.kind == ERROR_SYSTEM) {
        *err = problem;
        return false;
    }
    f->failed++;
    message_warn(f->view->messages, "%s: %s; its prices stay as they are", provider,
                 problem.text);
    if (problem.hint[0] != '\0')
        message_note(f->view->messages, "%s: %s", provider, problem.hint);
    return true;
}

static bool fetch_all(struct fetching *f, const struct fetch_context *fetch, struct error *err)
{
    for (size_t i = 0; f->query->all && i < fetch_provider_count; i++)
        if (!fetch_one(f, fetch, fetch_providers[i].name, err))
            return false;
    for (size_t i = 0; !f->query->all && i < f->query->providers.len; i++)
        if (!fetch_one(f, fetch, fetch_provider_named(f->query->providers.at[i], err)->name,
                       err))
            return false;
    return true;
}

/* No list at all: that is a failure, with the first reason. */
static bool nothing_fetched(const struct fetching *f, struct error *err)
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

static bool read_update_state(struct fetching *f, struct error *err)
{
    struct buf warning = buf_new(f->view->arena->alloc, 1024);

    f->state = fetch_state_read(f->query->state_path, f->view->arena, &warning, err);
    if (warning.len > 0)
        message_warn(f->view->messages, "%.*s", (int)warning.len, warning.at);
    buf_free(&warning);
    return f->state != NULL;
}

bool update_prices(const struct market_view *view, const struct update_query *query,
                   struct update_result *out, struct error *err)
{
    struct fetching f = {
        .view = view, .query = query, .empty = store_offer_count(view->store) == 0};
    struct fetch_listener listener = {.begin = begin_list,
                                      .end = end_list,
                                      .messages = *view->messages,
                                      .keeps = has_update_prices,
                                      .ctx = &f};
    struct feed_sink sink = {add_update_quote, add_bad_update, &f};
    struct http_manners manners = http_default_manners;
    struct fetch_context fetch = {.http = {.alloc = view->arena->alloc,
                                           .log = view->messages->log,
                                           .manners = &manners,
                                           .progress = report_update_progress,
                                           .progress_ctx = &f},
                                  .alloc = view->arena->alloc,
                                  .catalog = view->catalog,
                                  .formats = fetch_formats,
                                  .sink = &sink,
                                  .listener = &listener};
    size_t good = 0;
    bool ok;

    manners.tries = query->tries;
    manners.attempt = manners.altogether = query->timeout;
    manners.longer = "--timeout allows more time";
    if (!read_update_state(&f, err))
        return false;
    fetch.state = f.state;
    fetch.known = feed_known_new(view->catalog, view->arena, err);
    ok = fetch.known != NULL && fetch_all(&f, &fetch, err);
    store_edit_free(f.edit);
    for (size_t i = 0; i < f.count; i++)
        good += f.lists[i].problem.len == 0;
    if (!ok || (good == 0 && f.failed > 0))
        return ok && nothing_fetched(&f, err);
    *out = (struct update_result){{f.lists, f.count}, (int64_t)f.failed};
    return true;
}
