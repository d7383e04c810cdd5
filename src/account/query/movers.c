#include "account/query/movers.h"

#include <math.h>
#include <stdlib.h>

#include "base/characters.h"
#include "base/map.h"

#define KEY_MAX ((size_t)1 << 20)

#define MOVER(kind, member, text) FIELD(kind, costs_mover, member, .help = (text))

static const struct field mover_fields[] = {
    MOVER(TEXT, dimension, "dimension of the value"),
    FIELD(TEXT, costs_mover, value, .empty_unknown = true,
          .help = "value of the dimension; null: not set"),
    FIELD_AS("currency", CURRENCY, costs_mover, amount.currency,
             .help = "currency of the amounts"),
    MOVER(MONEY, before, "amount in the days before"),
    MOVER(MONEY, amount, "amount in the requested days"),
    MOVER(MONEY, change, "change between the two"),
    MOVER(NUMBER, percent, "change as a share of the amount before; null when that was zero"),
    MOVER(TEXT, direction, "direction of the change: up, down, new or gone"),
};

const struct field_set costs_mover_fields = FIELD_SET(struct costs_mover, mover_fields);

/* Dimensions that show where money went. Accounts and charges show how it was invoiced. */
static const uint64_t usual_dimensions =
    DIMENSION_BIT(provider) | DIMENSION_BIT(service) | DIMENSION_BIT(sub_account) |
    DIMENSION_BIT(region) | DIMENSION_BIT(pricing) | DIMENSION_BIT(instance) |
    DIMENSION_BIT(gpu) | DIMENSION_BIT(team) | DIMENSION_BIT(project) |
    DIMENSION_BIT(experiment) | DIMENSION_BIT(model) | DIMENSION_BIT(owner);

/* What a value of a dimension came to, before and now. */
struct moved {
    struct str value;
    struct currency currency;
    struct decimal before, amount, change;
};

/* By value, whatever its case, and currency. */
struct moved_table {
    struct map keys; /* numbers are places in the list */
    struct moved *at;
    size_t count, room;
};

struct movers_work {
    const struct account_source *account;
    struct spending_query *query;
    bool all_dimensions; /* none was asked for */
    int64_t limit;
    struct arena *scratch; /* of the tables */
    struct buf key;
    struct moved_table of[DIMENSION_COUNT], all;
    struct costs_mover *movers;
    size_t count, room;
    struct costs_movers *out;
};

/* ---- amounts ---- */

/* An empty one stays NULL: unknown. */
static bool copy_mover_text(struct arena *arena, struct str text, struct str *out,
                            struct error *err)
{
    *out = (struct str){text.len > 0 ? str_dup(text, arena, err) : NULL, text.len};
    return text.len == 0 || out->at != NULL;
}

/* Add an amount, of the days before or of those that were asked for. */
static bool moved_add(struct movers_work *w, struct moved_table *t, struct str value,
                      const struct spending *s, bool before, struct error *err)
{
    struct map_entry *e;
    struct moved *m;
    bool added;

    buf_clear(&w->key);
    buf_add(&w->key, (struct str){s->currency.code, sizeof s->currency.code});
    for (size_t i = 0; i < value.len; i++)
        buf_char(&w->key, to_lower(value.at[i]));
    if (!buf_ok(&w->key, err))
        return false;
    e = map_add(&t->keys, buf_text(&w->key), &added, err);
    if (e == NULL)
        return false;
    if (added) {
        if (!copy_mover_text(w->scratch, e->key, &e->key, err))
            return false;
        t->at = arena_grow(w->scratch, t->at, t->count, sizeof *t->at, &t->room, err);
        if (t->at == NULL)
            return false;
        m = &t->at[t->count++];
        *m = (struct moved){.currency = s->currency};
        if (!copy_mover_text(w->scratch, value, &m->value, err))
            return false;
    }
    m = &t->at[e - t->keys.at];
    return costs_plus(before ? &m->before : &m->amount, s->amount, err);
}

static bool add_answer(struct movers_work *w, const struct spending_answer *answer, bool before,
                       struct error *err)
{
    for (size_t i = 0; i < answer->count; i++) {
        const struct spending *s = &answer->at[i];

        if (!moved_add(w, &w->all, (struct str){0}, s, before, err))
            return false;
        for (int d = 0; d < DIMENSION_COUNT; d++)
            if ((w->query->by >> d & 1) != 0 &&
                !moved_add(w, &w->of[d], s->of.of[d], s, before, err))
                return false;
    }
    return true;
}

static int by_mover_change(const void *a, const void *b)
{
    const struct moved *x = a, *y = b;
    int order = currency_compare(x->currency, y->currency);

    order = order != 0
                ? order
                : decimal_cmp(decimal_magnitude(y->change), decimal_magnitude(x->change));
    return order != 0 ? order : str_cmp(x->value, y->value);
}

/* Find the changes; by currency, then the largest first, up or down. */
static bool moved_sort(struct moved_table *t, struct error *err)
{
    for (size_t i = 0; i < t->count; i++)
        if (!costs_minus(t->at[i].amount, t->at[i].before, &t->at[i].change, err))
            return false;
    if (t->count > 1)
        qsort(t->at, t->count, sizeof *t->at, by_mover_change);
    return true;
}

/* ---- movers ---- */

static const char *direction_of(const struct moved *m)
{
    if (m->before.coefficient == 0)
        return "new";
    if (m->amount.coefficient == 0)
        return "gone";
    return m->change.coefficient > 0 ? "up" : "down";
}

static bool make_mover(struct movers_work *w, const struct moved *m, const char *dimension,
                       struct costs_mover *out, struct error *err)
{
    double percent = costs_percent(m->change, m->before);

    *out = (struct costs_mover){.dimension = str_from(dimension),
                                .before = costs_money(m->before, m->currency),
                                .amount = costs_money(m->amount, m->currency),
                                .change = costs_money(m->change, m->currency),
                                .percent = isinf(percent) ? NAN : percent,
                                .direction = str_from(direction_of(m))};
    return copy_mover_text(w->account->arena, m->value, &out->value, err);
}

static bool add_mover(struct movers_work *w, const struct moved *m, enum dimension d,
                      struct error *err)
{
    w->movers =
        arena_grow(w->account->arena, w->movers, w->count, sizeof *w->movers, &w->room, err);
    if (w->movers == NULL)
        return false;
    return make_mover(w, m, dimension_name(d), &w->movers[w->count++], err);
}

/* Unless it was asked for: one value alone moved as everything did, and what has no value says
 * nothing of where to look. */
static bool is_telling(const struct movers_work *w, const struct moved *m, size_t values)
{
    if (m->change.coefficient == 0)
        return false;
    return !w->all_dimensions || (m->value.len > 0 && values > 1);
}

/* Of each currency the largest: more than are asked for in all cannot be among these. */
static bool find_movers(struct movers_work *w, enum dimension d, struct error *err)
{
    struct moved_table *t = &w->of[d];
    int64_t limit = w->limit;

    if (!moved_sort(t, err))
        return false;
    for (size_t first = 0, after; first < t->count; first = after) {
        int64_t taken = 0;

        for (after = first;
             after < t->count && currency_is(t->at[after].currency, t->at[first].currency);)
            after++;
        for (size_t i = first; i < after && (limit <= 0 || taken < limit); i++) {
            if (!is_telling(w, &t->at[i], after - first))
                continue;
            if (!add_mover(w, &t->at[i], d, err))
                return false;
            taken++;
        }
    }
    return true;
}

static bool make_mover_totals(struct movers_work *w, struct error *err)
{
    struct costs_mover *totals;

    if (!moved_sort(&w->all, err))
        return false;
    totals = arena_array(w->account->arena, struct costs_mover, w->all.count, err);
    if (totals == NULL)
        return false;
    for (size_t i = 0; i < w->all.count; i++) {
        if (!make_mover(w, &w->all.at[i], NULL, &totals[i], err))
            return false;
        if (!w->out->before.known) {
            totals[i].before = totals[i].change = (struct money){0};
            totals[i].percent = NAN;
            totals[i].direction = (struct str){0};
        }
    }
    w->out->totals = (struct rows){totals, w->all.count};
    return true;
}

static int larger(const void *a, const void *b)
{
    const struct costs_mover *x = a, *y = b;
    struct decimal m = x->change.amount, n = y->change.amount;
    int order = currency_compare(x->amount.currency, y->amount.currency);

    m.coefficient = m.coefficient < 0 ? -m.coefficient : m.coefficient;
    n.coefficient = n.coefficient < 0 ? -n.coefficient : n.coefficient;
    order = order != 0 ? order : decimal_cmp(n, m);
    order = order != 0 ? order : str_cmp(x->dimension, y->dimension);
    return order != 0 ? order : str_cmp(x->value, y->value);
}

/* Of each currency the first so many. */
static void keep_largest(struct movers_work *w)
{
    int64_t limit = w->limit, kept_of = 0;
    size_t kept = 0;

    if (w->count > 1)
        qsort(w->movers, w->count, sizeof *w->movers, larger);
    for (size_t i = 0; i < w->count; i++) {
        if (kept > 0 &&
            !currency_is(w->movers[i].amount.currency, w->movers[kept - 1].amount.currency))
            kept_of = 0;
        if (limit <= 0 || kept_of++ < limit)
            w->movers[kept++] = w->movers[i];
    }
    w->out->movers = (struct rows){w->movers, kept};
}

/* ---- all of it ---- */

/* Answers may have a row for each line of a bill: the first is freed before the second is
 * read. */
static bool read_mover_days(struct movers_work *w, const struct spending_query *query,
                            bool before, struct error *err)
{
    struct arena arena = {.alloc = w->scratch->alloc, .block_size = w->scratch->block_size};
    struct account_source account = *w->account;
    struct rates_used *rates = &w->out->spent.rates;
    struct spending_answer answer;
    bool ok;

    account.arena = &arena;
    ok = account_spending(&account, query, &answer, err) && add_answer(w, &answer, before, err);
    if (ok && !before) {
        w->out->spent = answer;
        w->out->spent.at = NULL;
        w->out->spent.count = 0;
        ok = copy_mover_text(w->account->arena, answer.rates.of, &rates->of, err) &&
             copy_mover_text(w->account->arena, answer.rates.source, &rates->source, err);
    }
    arena_free(&arena);
    return ok;
}

static bool read_both(struct movers_work *w, bool month, struct error *err)
{
    struct spending_query before = *w->query;
    struct costs_days days;

    if (!account_days_before(w->account, w->query, month, &days, err))
        return false;
    w->out->before = costs_compared_of(&days);
    w->query->until = days.until;
    before.since = days.before_since;
    before.until = days.before_until;
    return read_mover_days(w, w->query, false, err) &&
           account_credits(w->account, w->query, &w->out->credits, err) &&
           (!days.known ||
            (read_mover_days(w, &before, true, err) &&
             account_credits(w->account, &before, &w->out->credits_before, err)));
}

bool account_movers(const struct account_source *account, struct spending_query *query,
                    bool month, int64_t limit, struct costs_movers *out, struct error *err)
{
    struct arena scratch = {.alloc = account->arena->alloc,
                            .block_size = account->arena->block_size};
    struct movers_work w = {.account = account,
                            .query = query,
                            .all_dimensions = query->by == 0,
                            .limit = limit,
                            .scratch = &scratch,
                            .key = buf_new(scratch.alloc, KEY_MAX),
                            .all.keys = map_in_arena(&scratch),
                            .out = out};
    bool ok;

    *out = (struct costs_movers){0};
    for (int d = 0; d < DIMENSION_COUNT; d++)
        w.of[d].keys = map_in_arena(&scratch);
    if (query->by == 0)
        query->by = usual_dimensions;
    query->credits = CREDITS_OUT;
    ok = read_both(&w, month, err) && make_mover_totals(&w, err);
    for (int d = 0; ok && out->before.known && d < DIMENSION_COUNT; d++)
        ok = find_movers(&w, (enum dimension)d, err);
    if (ok)
        keep_largest(&w);
    buf_free(&w.key);
    arena_free(&scratch);
    return ok;
}
