#include "account/query/amount.h"

#include <math.h>
#include <string.h>

#include "account/query/groups.h"

struct money costs_money(struct decimal amount, struct currency currency)
{
    return (struct money){decimal_trim(amount, 0), currency};
}

bool costs_plus(struct decimal *sum, struct decimal amount, struct error *err)
{
    return decimal_add(*sum, amount, sum) ||
           error_fail(err, ERROR_INPUT, "a sum of costs does not fit in 38 digits");
}

bool costs_minus(struct decimal a, struct decimal b, struct decimal *out, struct error *err)
{
    b.coefficient = -b.coefficient;
    *out = a;
    return costs_plus(out, b, err);
}

double costs_share(struct decimal part, struct decimal whole)
{
    return whole.coefficient > 0 && part.coefficient >= 0
               ? decimal_double(part) / decimal_double(whole)
               : NAN;
}

double costs_percent(struct decimal change, struct decimal before)
{
    double was = decimal_double(before), by = decimal_double(change);

    if (was == 0)
        return by == 0 ? NAN : by > 0 ? INFINITY : -INFINITY;
    return was < 0 || by < -was ? NAN : by / was; /* credits have no percentage */
}

/* ---- one amount for each currency ---- */

static const struct field apart[] = {
    FIELD(CURRENCY, money, currency, .help = "currency of the amount"),
    {.name = "amount", .type = FIELD_MONEY, .help = "exact amount"},
};

const struct field_set costs_apart_fields = FIELD_SET(struct money, apart);

bool costs_apart_add(struct arena *arena, struct rows *all, const struct spending *s,
                     struct error *err)
{
    struct money *more = arena_array(arena, struct money, all->len + 1, err);
    size_t at = 0;

    if (more == NULL)
        return false;
    if (all->len > 0)
        memcpy(more, all->at, all->len * sizeof *more);
    while (at < all->len && !currency_is(more[at].currency, s->currency))
        at++;
    if (at == all->len)
        more[all->len++] = (struct money){.currency = s->currency};
    all->at = more;
    if (!costs_plus(&more[at].amount, s->amount, err))
        return false;
    more[at].amount = decimal_trim(more[at].amount, 0);
    return true;
}

bool account_credits(const struct account_source *account, const struct spending_query *query,
                     struct rows *out, struct error *err)
{
    struct spending_query only = *query;
    struct spending_answer answer;

    only.credits = CREDITS_ONLY;
    only.by = 0;
    only.quiet = true;
    costs_set_grain(COSTS_WHOLE, &only);
    *out = (struct rows){0};
    if (!account_spending(account, &only, &answer, err))
        return false;
    for (size_t i = 0; i < answer.count; i++)
        if (!costs_apart_add(account->arena, out, &answer.at[i], err))
            return false;
    return true;
}
