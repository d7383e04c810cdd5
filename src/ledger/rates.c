#include "ledger/rates.h"

#include <string.h>

#include "ledger/runs/list.h"

static const char put_sql[] = "INSERT INTO rates(day, currency, usd, source)"
                              " VALUES(?1, ?2, ?3, ?4) ON CONFLICT(day, currency)"
                              " DO UPDATE SET usd = excluded.usd, source = excluded.source";
static const char read_sql[] = "SELECT day, currency, usd, source FROM rates"
                               " WHERE day >= ?1 AND day < ?2 ORDER BY currency, day";

static bool put_all(struct ledger *l, const struct ledger_rate *rates, size_t count,
                    struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        struct query *s = ledger_query(l, put_sql, err);

        if (s == NULL)
            return false;
        bind_int(s, 1, rates[i].on.n);
        bind_text(s, 2, str_from(rates[i].currency));
        bind_amount(s, 3, &rates[i].usd);
        bind_text(s, 4, rates[i].source);
        if (!ledger_done(l, s, "write", err))
            return false;
    }
    return true;
}

bool ledger_rates_put(struct ledger *l, const struct ledger_rate *rates, size_t count,
                      struct error *err)
{
    return ledger_start_write(l, err) && ledger_finish(l, put_all(l, rates, count, err), err);
}

static bool read_rate(struct query *s, struct arena *arena, void *to, struct error *err)
{
    struct ledger_rate *out = to;
    struct str currency = column_view(s, 1);

    if (currency.len != 3)
        return error_fail(err, ERROR_INPUT, "the ledger has a rate of the currency '%.*s'",
                          STR_ARG(currency));
    out->on.n = (int32_t)column_int(s, 0);
    memcpy(out->currency, currency.at, 3);
    return column_amount(s, 2, &out->usd, err) && column_text(s, 3, arena, &out->source, err);
}

static bool read_all(struct ledger *l, day since, day until, struct arena *arena,
                     struct rows *out, struct error *err)
{
    const struct ledger_list list = {sizeof(struct ledger_rate), read_rate};
    struct query *s = ledger_query(l, read_sql, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, since.n == DAY_UNKNOWN.n ? INT32_MIN : since.n);
    bind_int(s, 2, until.n == DAY_UNKNOWN.n ? INT32_MAX : until.n);
    return ledger_list_read(l, s, &list, arena, out, err);
}

bool ledger_rates(struct ledger *l, day since, day until, struct arena *arena,
                  const struct ledger_rate **out, size_t *count, struct error *err)
{
    struct rows rates = {0};
    int begun = ledger_start_read(l, err);

    *out = NULL;
    *count = 0;
    if (begun <= 0)
        return begun == 0;
    if (!ledger_finish(l, read_all(l, since, until, arena, &rates, err), err))
        return false;
    *out = rates.at;
    *count = rates.len;
    return true;
}
