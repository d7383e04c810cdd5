#include "ledger/rates.h"

#include "ledger/engine/list.h"

static const char put_sql[] = "INSERT INTO rates(day, currency, usd, source)"
                              " VALUES(?1, ?2, ?3, ?4) ON CONFLICT(day, currency)"
                              " DO UPDATE SET usd = excluded.usd, source = excluded.source";
static const char read_sql[] = "SELECT day, currency, usd, source FROM rates"
                               " WHERE day >= ?1 AND day < ?2 ORDER BY currency, day";

static bool put_rates(struct ledger *l, const struct ledger_rate *rates, size_t count,
                      struct error *err)
{
    for (const struct ledger_rate *r = rates; r < rates + count; r++)
        if (!ledger_run(l, put_sql,
                        VALUES(as_int(r->on.n), as_text(currency_text(&r->currency)),
                               as_amount(r->usd), as_text(r->source)),
                        err))
            return false;
    return true;
}

bool ledger_rates_put(struct ledger *l, const struct ledger_rate *rates, size_t count,
                      struct error *err)
{
    return ledger_start_write(l, err) && ledger_finish(l, put_rates(l, rates, count, err), err);
}

static bool read_ledger_rate(struct query *s, struct arena *arena, void *to, struct error *err)
{
    struct ledger_rate *out = to;
    struct str currency = column_view(s, 1);

    out->currency = currency_from(currency);
    if (currency_unset(out->currency))
        return error_fail(err, ERROR_DAMAGED, "the ledger has a rate of the currency '%.*s'",
                          STR_ARG(currency));
    out->on.n = (int32_t)column_int(s, 0);
    return column_amount(s, 2, &out->usd, err) && column_text(s, 3, arena, &out->source, err);
}

bool ledger_rates(struct ledger *l, day since, day until, struct arena *arena,
                  const struct ledger_rate **out, size_t *count, struct error *err)
{
    static const struct ledger_list list = {.fields.size = sizeof **out,
                                            .read = read_ledger_rate};

    return ledger_list_all(l, read_sql,
                           VALUES(as_int(since.n == DAY_UNKNOWN.n ? INT32_MIN : since.n),
                                  as_int(until.n == DAY_UNKNOWN.n ? INT32_MAX : until.n)),
                           &list, arena, LIST_OUT(out, count), err);
}
