/* Budgets as rows. */
#include "budget/budget.h"
#include "report/records.h"

#include <math.h>

const struct money *budget_view_limit(const struct budget_view *b)
{
    return currency_unset(b->limit.currency) ? &b->budget.amount : &b->limit;
}

static bool write_budget_limit(const struct column *column, const void *row, struct buf *out)
{
    (void)column;
    money_write_cents(budget_view_limit(row), out);
    return true;
}

/* "$3,227 ($2,839 to $3,712)" */
static bool write_budget_forecast(const struct column *column, const void *row, struct buf *out)
{
    const struct budget_view *b = row;

    (void)column;
    if (!isnan(b->is.forecast))
        budget_range(b->is.forecast, b->is.low, b->is.high, b->budget.amount.currency, out);
    return true;
}

enum term_style budget_style(const void *row)
{
    static const enum term_style styles[] = {[BUDGET_OK] = STYLE_PLAIN,
                                             [BUDGET_WARNING] = STYLE_WARN,
                                             [BUDGET_SPENT] = STYLE_BAD,
                                             [BUDGET_NOT_EVALUATED] = STYLE_WARN};

    return styles[budget_level(&((const struct budget_view *)row)->is)];
}

static const struct column list[] = {
    COLUMN("budget", name, .shrink = true),
    COLUMN("period", period, .wide = true, .places = ON_TERMINAL | ON_PAGE | IN_REPORT),
    COLUMN("spent", spent, .unknown = "?"),
    COLUMN("of which metered", metered, .zero_unknown = true, .optional = true,
           .places = ON_TERMINAL),
    COLUMN("of", limit, .cell = write_budget_limit),
    COLUMN("left", remaining, .optional = true, .places = ON_PAGE),
    COLUMN("share", share, .form = COLUMN_USED, .unknown = "?", .wide = true),
    COLUMN("forecast", forecast, .cell = write_budget_forecast, .wide = true,
           .places = ON_TERMINAL | ON_PAGE),
    COLUMN("state", state),
    COLUMN("covers", where, .unknown = "everything", .optional = true,
           .places = ON_PAGE | IN_REPORT),
    COLUMN("problem", problem, .if_any = true, .unknown = "", .places = IN_REPORT),
};

const struct columns budget_columns[PLACES] = COLUMNS_OF_RECORD(list, budget_style);
