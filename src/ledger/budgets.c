#include "ledger/budgets.h"

#include "base/characters.h"
#include "ledger/engine/list.h"

bool ledger_plain_name(struct str name, const char *what, struct error *err)
{
    bool ok = name.len > 0 && name.len <= 40;

    for (size_t i = 0; ok && i < name.len; i++) {
        char c = name.at[i];

        ok = is_letter_or_digit(c) || (i > 0 && (c == '-' || c == '_' || c == '.'));
    }
    if (ok)
        return true;
    error_set(err, ERROR_USAGE, "'%.*s' is not a valid %s name", STR_ARG(name), what);
    error_hint(err, "use letters, digits, '-', '_' and '.', at most 40");
    return false;
}

static const char there_sql[] = "SELECT 1 FROM budgets WHERE name = ?1";
static const char put_sql[] =
    "INSERT INTO budgets(name, amount, currency, period, scope, thresholds,"
    " forecast_thresholds, channels, rollover, stops, zone, first_day, last_day, made, changed,"
    " owner) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)"
    " ON CONFLICT(name) DO UPDATE SET amount = excluded.amount, currency = excluded.currency,"
    " period = excluded.period, scope = excluded.scope, thresholds = excluded.thresholds,"
    " forecast_thresholds = excluded.forecast_thresholds, channels = excluded.channels,"
    " rollover = excluded.rollover, stops = excluded.stops, zone = excluded.zone,"
    " first_day = excluded.first_day, last_day = excluded.last_day,"
    /* Later than before, also within a second: runs see by it that something changed. */
    " changed = CASE WHEN excluded.changed > budgets.changed THEN excluded.changed"
    "  ELSE budgets.changed + 1 END, owner = excluded.owner";
static const char remove_sql[] = "DELETE FROM budgets WHERE name = ?1";
static const char read_sql[] =
    "SELECT name, amount, currency, period, scope, thresholds, forecast_thresholds, channels,"
    " rollover, stops, zone, first_day, last_day, made, changed, owner FROM budgets"
    " ORDER BY name";

/* Lists as JSON, which must outlive the step. */
struct lists {
    struct buf scope, thresholds, forecast, channels;
};

static struct value as_day(day d)
{
    return d.n == DAY_UNKNOWN.n ? NULL_VALUE : as_int(d.n);
}

static bool put_budget_row(struct ledger *l, const struct ledger_budget *b,
                           const struct lists *lists, struct error *err)
{
    return ledger_run(
        l, put_sql,
        VALUES(as_text(b->name), as_amount(b->amount.amount),
               as_text(currency_text(&b->amount.currency)), as_text(b->period),
               as_text(buf_text(&lists->scope)), as_text(buf_text(&lists->thresholds)),
               as_text(buf_text(&lists->forecast)), as_text(buf_text(&lists->channels)),
               as_int(b->rollover), as_int(b->stops), as_text(b->zone), as_day(b->first_day),
               as_day(b->last_day), as_int(b->made.s), as_int(b->changed.s), as_text(b->owner)),
        err);
}

bool ledger_budget_put(struct ledger *l, const struct ledger_budget *b, bool *replaced,
                       struct error *err)
{
    struct lists lists = {buf_new(l->alloc, BUF_MAX_OUTPUT), buf_new(l->alloc, BUF_MAX_OUTPUT),
                          buf_new(l->alloc, BUF_MAX_OUTPUT), buf_new(l->alloc, BUF_MAX_OUTPUT)};
    bool ok;

    ledger_texts_write(b->scope, &lists.scope);
    ledger_numbers_write(b->thresholds, &lists.thresholds);
    ledger_numbers_write(b->forecast, &lists.forecast);
    ledger_texts_write(b->channels, &lists.channels);
    ok = buf_ok(&lists.scope, err) && buf_ok(&lists.thresholds, err) &&
         buf_ok(&lists.forecast, err) && buf_ok(&lists.channels, err) &&
         ledger_start_write(l, err) &&
         ledger_finish(l,
                       ledger_finds(l, there_sql, VALUES(as_text(b->name)), replaced, err) &&
                           put_budget_row(l, b, &lists, err),
                       err);
    buf_free(&lists.scope);
    buf_free(&lists.thresholds);
    buf_free(&lists.forecast);
    buf_free(&lists.channels);
    return ok;
}

bool ledger_budget_remove(struct ledger *l, struct str name, bool *found, struct error *err)
{
    struct values named = VALUES(as_text(name));

    return ledger_start_write(l, err) &&
           ledger_finish(l,
                         ledger_finds(l, there_sql, named, found, err) &&
                             ledger_run(l, remove_sql, named, err),
                         err);
}

static day column_day(struct query *s, int at)
{
    return column_null(s, at) ? DAY_UNKNOWN : (day){(int32_t)column_int(s, at)};
}

static bool column_budget(struct query *s, struct arena *arena, void *to, struct error *err)
{
    struct ledger_budget *out = to;
    struct str currency = column_view(s, 2);

    *out = (struct ledger_budget){.rollover = column_int(s, 8) != 0,
                                  .stops = column_int(s, 9) != 0,
                                  .first_day = column_day(s, 11),
                                  .last_day = column_day(s, 12),
                                  .made = {column_int(s, 13)},
                                  .changed = {column_int(s, 14)}};
    out->amount.currency = currency_from(currency);
    if (currency_unset(out->amount.currency))
        return error_fail(err, ERROR_DAMAGED, "the ledger has a budget in '%.*s'",
                          STR_ARG(currency));
    return column_amount(s, 1, &out->amount.amount, err) &&
           column_text(s, 0, arena, &out->name, err) &&
           column_text(s, 3, arena, &out->period, err) &&
           ledger_texts_read(column_view(s, 4), arena, &out->scope, err) &&
           ledger_numbers_read(column_view(s, 5), arena, &out->thresholds, err) &&
           ledger_numbers_read(column_view(s, 6), arena, &out->forecast, err) &&
           ledger_texts_read(column_view(s, 7), arena, &out->channels, err) &&
           column_text(s, 10, arena, &out->zone, err) &&
           column_text(s, 15, arena, &out->owner, err);
}

bool ledger_budgets(struct ledger *l, struct arena *arena, const struct ledger_budget **out,
                    size_t *count, struct error *err)
{
    static const struct ledger_list list = {.fields.size = sizeof **out, .read = column_budget};

    return ledger_list_all(l, read_sql, NO_VALUES, &list, arena, LIST_OUT(out, count), err);
}
