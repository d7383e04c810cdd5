/* What is wrong with feeds: when they were read, and how they come by their prices. */
#include <stdlib.h>
#include <string.h>

#include "market/fetch.h"
#include "op/context.h"
#include "op/price/doctor_findings.h"

#define FEWEST_SHARES 20 /* offers with both prices, to call them computed */
#define SAME_SHARE 0.005 /* shares no further apart are the same */
#define MANY_SHARES 0.4  /* so many the same are no chance; of observed ones a quarter are */

static bool can_fetch(struct str name)
{
    struct error ignored = {0};

    return fetch_provider_named(name, &ignored) != NULL;
}

/* Who to ask again: collections by their own name, providers by theirs. */
static struct str ask_again(struct doctor_visit *v, const struct doctor_feed *d, bool several)
{
    bool collection = str_eq(d->confidence, STR("catalog"));
    struct str who = collection ? d->feed : d->provider;

    if (str_eq(d->confidence, STR("private")) || !can_fetch(who))
        return STR("stint price import FILE, with newer prices");
    if (several && !collection)
        return STR("stint price fetch --all");
    return doctor_words(v, "stint price fetch %.*s", STR_ARG(who));
}

/* Of one feed, all providers that were last read too long ago. */
struct old_feed {
    size_t first, providers;
    int64_t newest, oldest, series; /* ages in days */
};

static struct old_feed old_of(const struct doctor_visit *v, size_t first)
{
    const struct doctor_feed *feeds = v->scan.feeds;
    struct old_feed o = {.first = first, .newest = feeds[first].age_days};

    for (size_t i = first; i < v->res->feeds.len; i++) {
        if (!feeds[i].stale || !str_eq(feeds[i].feed, feeds[first].feed))
            continue;
        o.providers++;
        o.series += feeds[i].series;
        o.newest = feeds[i].age_days < o.newest ? feeds[i].age_days : o.newest;
        o.oldest = feeds[i].age_days > o.oldest ? feeds[i].age_days : o.oldest;
    }
    return o;
}

/* Which provider's list is how old; all the same need no list. */
static void list_old(struct doctor_visit *v, const struct old_feed *o, struct doctor_finding *f)
{
    const struct doctor_feed *feeds = v->scan.feeds;
    size_t room = o->providers < v->scan.keep ? o->providers : v->scan.keep, n = 0;
    struct str *at;

    if (o->newest == o->oldest)
        return;
    at = doctor_examples(v, room);
    for (size_t i = o->first; i < v->res->feeds.len && n < room && !v->failed; i++)
        if (feeds[i].stale && str_eq(feeds[i].feed, feeds[o->first].feed))
            at[n++] = doctor_words(v, "%.*s: %lld days", STR_ARG(feeds[i].provider),
                                   (long long)feeds[i].age_days);
    f->examples = (struct strs){at, n};
}

static void find_stale(struct doctor_visit *v, size_t first)
{
    const struct doctor_feed *d = &v->scan.feeds[first];
    struct old_feed o = old_of(v, first);
    struct doctor_finding *f = doctor_find(v, "stale", (size_t)o.series);

    if (o.providers == 1)
        f->text = doctor_words(v, "%.*s of %.*s was last read %lld days ago", STR_ARG(d->feed),
                               STR_ARG(d->provider), (long long)d->age_days);
    else if (o.newest == o.oldest)
        f->text = doctor_words(v, "%.*s: %zu providers last read %lld days ago",
                               STR_ARG(d->feed), o.providers, (long long)o.oldest);
    else
        f->text = doctor_words(v, "%.*s: %zu providers last read %lld to %lld days ago",
                               STR_ARG(d->feed), o.providers, (long long)o.newest,
                               (long long)o.oldest);
    list_old(v, &o, f);
    f->run = ask_again(v, d, o.providers > 1);
}

void doctor_dates(struct doctor_visit *v)
{
    stamp now = v->ctx->clock->today(v->ctx->clock->ctx);
    const struct doctor_feed *feeds = v->scan.feeds;

    for (size_t i = 0; i < v->res->feeds.len; i++) {
        bool first = feeds[i].stale;

        for (size_t k = 0; k < i && first; k++)
            first = !feeds[k].stale || !str_eq(feeds[k].feed, feeds[i].feed);
        if (first)
            find_stale(v, i);
    }
    for (size_t i = 0; i < v->res->feeds.len; i++) {
        struct doctor_finding *f;

        if (store_feed(v->scan.store, i).read.s <= now.s)
            continue;
        f = doctor_find(v, "future", (size_t)feeds[i].series);
        f->text =
            doctor_words(v, "%.*s of %.*s is dated in the future: %.*s", STR_ARG(feeds[i].feed),
                         STR_ARG(feeds[i].provider), STR_ARG(feeds[i].read));
        f->run = ask_again(v, &feeds[i], false);
    }
}

/* SkyPilot's own programs refresh three lists; the others are as new as the last person to
 * look. */
static bool by_hand(const struct doctor_visit *v, size_t feed)
{
    static const char *const refreshed[] = {"aws", "gcp", "lambda"};
    const struct doctor_feed *feeds = v->scan.feeds, *d = &feeds[feed];

    if (!str_eq(d->feed, STR("skypilot")))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(refreshed); i++)
        if (str_eq(d->provider, str_from(refreshed[i])))
            return false;
    for (size_t i = 0; i < v->res->feeds.len; i++) /* the provider's own word is there too */
        if (str_eq(feeds[i].provider, d->provider) && !feeds[i].stale &&
            str_eq(feeds[i].confidence, STR("official")))
            return false;
    return true;
}

/* "stint price fetch azure vast": those that can be asked themselves. */
static struct str ask_themselves(struct doctor_visit *v)
{
    struct str run = STR("stint price fetch");
    bool any = false;

    for (size_t i = 0; i < v->res->feeds.len; i++)
        if (by_hand(v, i) && can_fetch(v->scan.feeds[i].provider)) {
            run =
                doctor_words(v, "%.*s %.*s", STR_ARG(run), STR_ARG(v->scan.feeds[i].provider));
            any = true;
        }
    return any ? run : STR("look at the provider's own page before you spend");
}

static void find_by_hand(struct doctor_visit *v)
{
    size_t count = 0, room, n = 0;
    struct doctor_finding *f;
    struct str *at;

    for (size_t i = 0; i < v->res->feeds.len; i++)
        count += by_hand(v, i);
    if (count == 0)
        return;
    f = doctor_find(v, "by-hand", count);
    f->text = doctor_words(v,
                           "SkyPilot's lists of %zu provider%s are refreshed by hand by their "
                           "keepers: prices may be older than their date",
                           count, count == 1 ? "" : "s");
    f->run = ask_themselves(v);
    room = count < v->scan.keep ? count : v->scan.keep;
    at = doctor_examples(v, room);
    for (size_t i = 0; i < v->res->feeds.len && n < room && !v->failed; i++)
        if (by_hand(v, i))
            at[n++] = v->scan.feeds[i].provider;
    f->examples = (struct strs){at, n};
}

/* What spot costs of on-demand in one offer, as one feed tells both. */
struct spot_share {
    size_t feed;
    double share;
};

static int compare_shares(const void *a, const void *b)
{
    const struct spot_share *x = a, *y = b;

    if (x->feed != y->feed)
        return x->feed < y->feed ? -1 : 1;
    return (x->share > y->share) - (x->share < y->share);
}

static size_t collect_shares(const struct store *store, struct spot_share *out)
{
    size_t count = 0;

    for (size_t i = 0; i < store_offer_count(store); i++) {
        struct store_offer o = store_offer(store, i);
        size_t end = o.first_series + o.series_count;

        for (size_t k = o.first_series; k < end; k++) {
            struct store_series spot = store_series(store, k);

            for (size_t d = o.first_series; d < end && spot.market == MARKET_SPOT; d++) {
                struct store_series full = store_series(store, d);

                if (full.market == MARKET_ON_DEMAND && full.feed == spot.feed &&
                    full.price > 0 && spot.price > 0 &&
                    memcmp(full.currency, spot.currency, sizeof full.currency) == 0)
                    out[count++] =
                        (struct spot_share){spot.feed, (double)spot.price / (double)full.price};
            }
        }
    }
    qsort(out, count, sizeof out[0], compare_shares);
    return count;
}

/* The most that are the same, of sorted ones; `from` is where they begin. */
static size_t most_alike(const struct spot_share *at, size_t count, size_t *from)
{
    size_t most = 0;

    for (size_t low = 0, high = 0; low < count; low++) {
        while (high < count && at[high].share <= at[low].share * (1 + SAME_SHARE))
            high++;
        if (high - low > most) {
            most = high - low;
            *from = low;
        }
    }
    return most;
}

static void judge_shares(struct doctor_visit *v, const struct spot_share *at, size_t count)
{
    const struct doctor_feed *d = &v->scan.feeds[at[0].feed];
    size_t from = 0, alike = most_alike(at, count, &from);
    struct doctor_finding *f;

    if (count < FEWEST_SHARES || !((double)alike > MANY_SHARES * (double)count))
        return;
    f = doctor_find(v, "computed", alike);
    f->text = doctor_words(v,
                           "%.*s of %.*s: spot is %.1f %% of on-demand in %zu of %zu offers: "
                           "there computed by a rule, not observed",
                           STR_ARG(d->feed), STR_ARG(d->provider),
                           at[from + alike / 2].share * 100, alike, count);
    f->run = can_fetch(d->provider) && !str_eq(d->confidence, STR("official"))
                 ? doctor_words(v, "stint price fetch %.*s", STR_ARG(d->provider))
                 : STR("take these spot prices as a guess");
}

static void find_computed(struct doctor_visit *v)
{
    /* An offer has one on-demand price of a feed in a currency: no more pairs than series. */
    size_t total = store_series_count(v->scan.store), count;
    struct spot_share *shares =
        v->failed ? NULL : arena_array(v->ctx->arena, struct spot_share, total, v->err);

    if (shares == NULL) {
        v->failed = true;
        return;
    }
    count = collect_shares(v->scan.store, shares);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && shares[next].feed == shares[i].feed;)
            next++;
        judge_shares(v, shares + i, next - i);
    }
}

void doctor_sources(struct doctor_visit *v)
{
    find_computed(v);
    find_by_hand(v);
}
