/* What is wrong with the prices themselves, in words. */
#include "op/price/doctor_findings.h"
#include "op/context.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* A text in the arena. */
struct str doctor_words(struct doctor_visit *v, const char *fmt, ...)
{
    const char *copy;
    char text[512];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    copy = v->failed ? NULL : str_dup(str_from(text), v->ctx->arena, v->err);
    v->failed |= copy == NULL;
    return str_from(copy);
}

/* A new finding with room for examples; a spare one when there are too many or memory ran
 * out. */
struct doctor_finding *doctor_find(struct doctor_visit *v, const char *kind, size_t count)
{
    struct doctor_finding *f = &v->findings[v->count];

    v->count += v->count + 1 < MOST_FINDINGS;
    *f = (struct doctor_finding){.kind = str_from(kind), .count = (int64_t)count};
    return f;
}

struct str *doctor_examples(struct doctor_visit *v, size_t count)
{
    struct str *at = v->failed ? NULL : arena_array(v->ctx->arena, struct str, count, v->err);

    v->failed |= at == NULL;
    return at;
}

struct str doctor_date(struct doctor_visit *v, stamp at)
{
    struct str text = {0};

    v->failed |= !v->failed && !stamp_text(at, v->ctx->arena, &text, v->err);
    return text;
}

static struct str doctor_offer(struct doctor_visit *v, const struct store_offer *o)
{
    struct str text = {0};

    v->failed |= !v->failed && !machine_name(o->provider, o->region, o->zone, o->instance,
                                             v->ctx->arena, &text, v->err);
    return text;
}

/* "$22.1/hr" with all its digits, or "19.5 EUR/hr". */
static struct str price_words(struct doctor_visit *v, const struct store_series *s)
{
    struct money m = money_of(s->price, s->currency);
    struct buf text = buf_new(v->ctx->arena->alloc, 64);
    struct str out;

    money_write(&m, &text);
    out = doctor_words(v, "%.*s/hr", (int)text.len, text.at != NULL ? text.at : "");
    buf_free(&text);
    return out;
}

static void find_empty(struct doctor_visit *v)
{
    struct doctor_finding *f;
    struct str date;

    if (store_series_count(v->scan.store) > 0 || store_is_damaged(v->scan.store))
        return;
    f = doctor_find(v, "empty", 1);
    date = doctor_date(v, (stamp){v->res->built_in.n * SECONDS_PER_DAY});
    f->text = doctor_words(v, "no prices are kept: only the built-in ones of %.*s are in use",
                           STR_ARG(date));
    f->run = STR("stint price fetch skypilot");
}

static void find_damage(struct doctor_visit *v)
{
    struct doctor_finding *f;

    if (v->res->damaged == 0 && !store_is_damaged(v->scan.store))
        return;
    f = doctor_find(v, "damaged", v->res->damaged > 0 ? (size_t)v->res->damaged : 1);
    if (v->res->damaged > 0)
        f->text = doctor_words(v, "the histories of %lld of %lld series cannot be read",
                               (long long)v->res->damaged, (long long)v->res->series);
    else
        f->text = STR("the file is damaged: nothing in it can be read");
    f->run = doctor_words(v, "rm %.*s, then stint price fetch --all or stint price import FILE",
                          (int)v->res->file.len, v->res->file.at);
}

static void find_gaps(struct doctor_visit *v)
{
    const struct doctor_scan *s = &v->scan;
    struct doctor_finding *f;
    struct str *at;

    if (s->gaps_found == 0)
        return;
    f = doctor_find(v, "gap", s->gaps_found);
    f->text = doctor_words(v, "%zu gap%s in the history: nothing was read, or nothing changed",
                           s->gaps_found, s->gaps_found == 1 ? "" : "s");
    f->run = STR("stint price import FILE, with a history that has these days");
    at = doctor_examples(v, s->gap_count);
    for (size_t i = 0; i < s->gap_count && !v->failed; i++) {
        const struct doctor_gap *g = &s->gaps[i];
        struct str from = doctor_date(v, (stamp){g->from * SECONDS_PER_DAY});
        struct str to = doctor_date(v, (stamp){g->to * SECONDS_PER_DAY});

        at[i] =
            doctor_words(v, "%.*s of %.*s: %d days, %.*s to %.*s (usually %.0f)",
                         STR_ARG(s->feeds[g->feed].feed), STR_ARG(s->feeds[g->feed].provider),
                         g->to - g->from, STR_ARG(from), STR_ARG(to), g->usual);
    }
    f->examples = (struct strs){at, s->gap_count};
}

/* "OFFER:market PRICE by FEED"; the finding is about this one first. */
static struct str doubt_example(struct doctor_visit *v, size_t series, struct doctor_finding *f)
{
    struct store_series row = store_series(v->scan.store, series);
    struct store_offer o = store_offer(v->scan.store, row.offer);
    struct str offer = doctor_offer(v, &o), price = price_words(v, &row);
    const char *market = market_names[row.market];

    if (f->run.len == 0)
        f->run = doctor_words(v, "stint price history %.*s:%s", STR_ARG(offer), market);
    return doctor_words(v, "%.*s:%s %.*s by %.*s", STR_ARG(offer), market, STR_ARG(price),
                        STR_ARG(v->scan.feeds[row.feed].feed));
}

static void find_doubts(struct doctor_visit *v)
{
    const struct doctor_scan *s = &v->scan;

    for (unsigned bit = 0; bit < DOUBT_BITS; bit++) {
        size_t shown = s->doubts_found[bit] < s->keep ? s->doubts_found[bit] : s->keep;
        struct doctor_finding *f;
        struct str *at;

        if (shown == 0)
            continue;
        f = doctor_find(v, "doubt", s->doubts_found[bit]);
        f->text = doctor_words(v, "%zu current price%s: %s", s->doubts_found[bit],
                               s->doubts_found[bit] == 1 ? "" : "s",
                               doubt_word((enum price_doubt)(1u << bit)));
        at = doctor_examples(v, shown);
        for (size_t i = 0; i < shown && !v->failed; i++)
            at[i] = doubt_example(v, s->doubtful[bit][i], f);
        f->examples = (struct strs){at, shown};
    }
}

/* "PRICE by FEED (seen)". */
static struct str told(struct doctor_visit *v, const struct store_series *s)
{
    struct str price = price_words(v, s), seen = doctor_date(v, s->seen);

    return doctor_words(v, "%.*s by %.*s (%.*s)", STR_ARG(price),
                        STR_ARG(v->scan.feeds[s->feed].feed), STR_ARG(seen));
}

static void find_conflicts(struct doctor_visit *v)
{
    const struct doctor_scan *s = &v->scan;
    struct doctor_finding *f;
    struct str *at;

    if (s->conflicts_found == 0)
        return;
    f = doctor_find(v, "conflict", s->conflicts_found);
    f->text = doctor_words(v, "%zu price%s on which feeds differ by more than 1 %%",
                           s->conflicts_found, s->conflicts_found == 1 ? "" : "s");
    at = doctor_examples(v, s->conflict_count);
    for (size_t i = 0; i < s->conflict_count && !v->failed; i++) {
        const struct doctor_conflict *c = &s->conflicts[i];
        struct str offer = doctor_offer(v, &c->offer), a = told(v, &c->a), b = told(v, &c->b);
        const char *market = market_names[c->a.market];

        at[i] = doctor_words(v, "%.*s:%s %.*s, %.*s", STR_ARG(offer), market, STR_ARG(a),
                             STR_ARG(b));
        if (i == 0)
            f->run = doctor_words(v, "stint price history %.*s:%s", STR_ARG(offer), market);
    }
    f->examples = (struct strs){at, s->conflict_count};
}

static void find_unknown(struct doctor_visit *v)
{
    const struct doctor_scan *s = &v->scan;
    size_t shown = s->unknown_count < s->keep ? s->unknown_count : s->keep, offers = 0;
    struct doctor_finding *f;
    struct str *at;

    if (shown == 0)
        return;
    for (size_t i = 0; i < s->unknown_count; i++)
        offers += (size_t)s->unknown[i].offers;
    f = doctor_find(v, "unknown", offers);
    f->text = doctor_words(
        v, "the catalog does not know the accelerators of %zu offer%s (%zu name%s)", offers,
        offers == 1 ? "" : "s", s->unknown_count, s->unknown_count == 1 ? "" : "s");
    f->run = doctor_words(v, "add them to names.csv or accelerators.csv in %.*s",
                          STR_ARG(v->ctx->settings->catalog));
    at = doctor_examples(v, shown);
    for (size_t i = 0; i < shown && !v->failed; i++)
        at[i] =
            doctor_words(v, "%.*s (%lld offer%s)", STR_ARG(s->unknown[i].name),
                         (long long)s->unknown[i].offers, s->unknown[i].offers == 1 ? "" : "s");
    f->examples = (struct strs){at, shown};
}

/* "OFFER:market 20 times up on DATE by FEED"; the finding is about this one first. */
static struct str jump_example(struct doctor_visit *v, const struct doctor_jump *j,
                               struct doctor_finding *f)
{
    struct store_series row = store_series(v->scan.store, j->series);
    struct store_offer o = store_offer(v->scan.store, row.offer);
    struct str offer = doctor_offer(v, &o), date = doctor_date(v, j->at);
    struct str feed = v->scan.feeds[row.feed].feed;
    const char *market = market_names[row.market];

    if (f->run.len == 0)
        f->run = doctor_words(v, "stint price history %.*s:%s --days %d", STR_ARG(offer),
                              market, JUMP_DAYS);
    if (j->ratio > 1)
        return doctor_words(v, "%.*s:%s %.0f times up on %.*s by %.*s", STR_ARG(offer), market,
                            j->ratio, STR_ARG(date), STR_ARG(feed));
    return doctor_words(v, "%.*s:%s to 1/%.0f on %.*s by %.*s", STR_ARG(offer), market,
                        1 / j->ratio, STR_ARG(date), STR_ARG(feed));
}

/* Prices that are fine now, and were not lately. */
static void find_jumps(struct doctor_visit *v)
{
    const struct doctor_scan *s = &v->scan;
    struct doctor_finding *f;
    struct str *at;

    if (s->jumps_found == 0)
        return;
    f = doctor_find(v, "jump", s->jumps_found);
    f->text = doctor_words(v,
                           "%zu price%s jumped ten times or more in the last %d days of the "
                           "history: maybe mistakes of the feed",
                           s->jumps_found, s->jumps_found == 1 ? "" : "s", JUMP_DAYS);
    at = doctor_examples(v, s->jump_count);
    for (size_t i = 0; i < s->jump_count && !v->failed; i++)
        at[i] = jump_example(v, &s->jumps[i], f);
    f->examples = (struct strs){at, s->jump_count};
}

void doctor_findings(struct doctor_visit *v)
{
    find_empty(v);
    find_damage(v);
    doctor_dates(v);
    find_conflicts(v);
    find_doubts(v);
    find_jumps(v);
    doctor_sources(v);
    find_gaps(v);
    find_unknown(v);
}
