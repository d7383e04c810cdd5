/* Rows by dimension, which only the question knows. */
#include "op/account/costs.h"

#include <math.h>
#include <string.h>

#include "op/ledger_open.h"

bool costs_by_names(const struct costs_by *by, struct arena *arena, struct strs *out,
                    struct error *err)
{
    struct str *names = arena_array(arena, struct str, by->count, err);

    if (names == NULL)
        return false;
    for (size_t i = 0; i < by->count; i++)
        names[i] = str_from(dimension_name(by->at[i]));
    *out = (struct strs){names, by->count};
    return true;
}

bool costs_row_fields(const struct costs_by *by, size_t offset, const struct field_set *fixed,
                      struct arena *arena, const struct field_set **out, struct error *err)
{
    struct field *fields = arena_array(arena, struct field, by->count + fixed->len, err);
    struct field_set *set = arena_array(arena, struct field_set, 1, err);

    if (fields == NULL || set == NULL)
        return false;
    for (size_t i = 0; i < by->count; i++)
        fields[i] = (struct field){.name = dimension_name(by->at[i]),
                                   .type = FIELD_TEXT,
                                   .offset = offset + i * sizeof(struct str),
                                   .help = ""};
    memcpy(fields + by->count, fixed->at, fixed->len * sizeof *fields);
    *set = (struct field_set){fields, by->count + fixed->len, fixed->size};
    *out = set;
    return true;
}

void costs_values(const struct costs_by *by, const struct dimensions *of,
                  struct str value[static COSTS_BY_MAX])
{
    for (size_t i = 0; i < by->count; i++)
        value[i] = ledger_known(of->of[by->at[i]]);
}

bool costs_where_also(struct strs where, struct str also, struct arena *arena, struct strs *out,
                      struct error *err)
{
    struct str *all = arena_array(arena, struct str, where.len + 1, err);

    if (all == NULL)
        return false;
    for (size_t i = 0; i < where.len; i++)
        all[i] = where.at[i];
    all[where.len] = also;
    *out = (struct strs){all, where.len + 1};
    return true;
}

double costs_percent(struct decimal change, struct decimal before)
{
    double was = decimal_double(before), by = decimal_double(change);

    if (was == 0)
        return by == 0 ? NAN : by > 0 ? INFINITY : -INFINITY;
    return was < 0 || by < -was ? NAN : by / was; /* credits have no percentage */
}

/* ---- amounts that are told apart ---- */

static const struct field apart[] = {
    FIELD(TEXT, costs_apart, currency, .help = "of the amount"),
    FIELD(MONEY, costs_apart, amount, .help = "exactly"),
};

const struct field_set costs_apart_fields = FIELD_SET(struct costs_apart, apart);

bool costs_apart_add(struct arena *arena, struct rows *all, const struct spending *s,
                     struct error *err)
{
    struct costs_apart *more = arena_array(arena, struct costs_apart, all->len + 1, err);
    size_t at = 0;

    if (more == NULL)
        return false;
    if (all->len > 0)
        memcpy(more, all->at, all->len * sizeof *more);
    while (at < all->len && memcmp(more[at].amount.currency, s->currency, 4) != 0)
        at++;
    if (at == all->len)
        more[all->len++].amount = costs_money((struct decimal){0}, s->currency);
    for (size_t i = 0; i < all->len; i++) /* their place is new */
        more[i].currency = str_from(more[i].amount.currency);
    all->at = more;
    if (!costs_plus(&more[at].amount.amount, s->amount, err))
        return false;
    more[at].amount = costs_money(more[at].amount.amount, s->currency);
    return true;
}

bool costs_credits(struct op_context *ctx, struct ledger *ledger,
                   const struct spending_query *query, struct rows *out, struct error *err)
{
    struct op_context quiet = *ctx; /* what is odd is said of the question itself */
    struct spending_query only = *query;
    struct spending_answer answer;
    bool ok;

    quiet.messages = (struct messages){0};
    only.credits = CREDITS_ONLY;
    only.by = 0;
    costs_set_grain(COSTS_WHOLE, &only);
    *out = (struct rows){0};
    ok = op_spending(&quiet, ledger, &only, &answer, err);
    ctx->catalog = quiet.catalog;
    ctx->store = quiet.store;
    ctx->live = quiet.live;
    for (size_t i = 0; ok && i < answer.count; i++)
        ok = costs_apart_add(ctx->arena, out, &answer.at[i], err);
    return ok;
}
