/* stint rates import, stint rates list */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/account/rates.h"

static void print_rates_import(const struct view *view, const void *result)
{
    const struct rates_import_result *res = result;
    struct buf *out = view->out;

    buf_addf(out, "%lld rate%s", (long long)res->rates, res->rates == 1 ? "" : "s");
    if (res->rates > 0) {
        buf_adds(out, " of ");
        for (size_t i = 0; i < res->read.currencies.len; i++) {
            buf_adds(out, i > 0 ? ", " : "");
            buf_add_safe(out, res->read.currencies.at[i]);
        }
        buf_adds(out, ", ");
        day_write(res->read.first, out);
        buf_adds(out, " to ");
        day_write(res->read.last, out);
    }
    buf_adds(out, ", stored in ");
    buf_add_safe(out, res->ledger);
    buf_char(out, '\n');
    for (size_t i = 0; i < res->read.left_out.len; i++) {
        buf_adds(out, i > 0 ? ", " : "left out, no currency in use: ");
        buf_add_safe(out, res->read.left_out.at[i]);
    }
    buf_adds(out, res->read.left_out.len > 0 ? "\n" : "");
}

const struct command cmd_rates_import = {
    .name = "rates import",
    .op = &op_rates_import,
    .group = {"exchange rates by day", .stage = CLI_AFTER},
    .about = "Imports exchange rates by day: a CSV with the columns date, currency and usd "
             "(the value of one unit in dollars), or the European Central Bank's file with a "
             "column for each currency (eurofxref-hist.csv). A rate of the same day and "
             "currency is replaced; a file with an error changes nothing. 'stint costs "
             "--currency' uses these rates, and those of exchange.csv.",
    .examples = "stint rates import rates.csv\n"
                "stint rates import eurofxref-hist.csv",
    .print = print_rates_import,
};

static void print_rates(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("currency", currency),
        COLUMN("days", rates),
        COLUMN("first", first),
        COLUMN("last", last),
        COLUMN("in USD", usd, .side = COLUMN_RIGHT),
        COLUMN("from", source, .shrink = true),
    };
    const struct rates_list_result *res = result;

    if (res->rates.len > 0) {
        view_rows(view, &op_rates_list, res, "rates", COLUMNS(columns));
        buf_adds(view->out, "\nin USD: what one unit was worth on the last of these days\n");
        return;
    }
    buf_adds(view->out, "no rate is in ");
    buf_add_safe(view->out, res->ledger);
    buf_adds(view->out, ": 'stint rates import FILE.csv' takes date,currency,usd\n");
}

const struct command cmd_rates_list = {
    .name = "rates list",
    .op = &op_rates_list,
    .about =
        "Lists the exchange rates in the ledger: their days, and the newest of each currency.",
    .examples = "stint rates list\n"
                "stint rates list --currency EUR",
    .print = print_rates,
};
