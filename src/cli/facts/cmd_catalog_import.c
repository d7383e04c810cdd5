/* stint catalog import */
#include "cli/commands.h"
#include "op/facts/catalog_import.h"
#include "unit/shown.h"

static void print_catalog_import(const struct view *view, const void *result)
{
    const struct catalog_import_result *res = result;
    struct buf *out = view->out;

    value_count((double)res->rows, out);
    buf_addf(out, " hosted model%s, prices from ", res->rows == 1 ? "" : "s");
    day_write(res->date, out);
    buf_adds(out, ", written to ");
    buf_add_safe(out, res->written);
    buf_addf(out, "\n%lld of them with open weights that Stint knows; %lld entr%s left out\n",
             (long long)res->open, (long long)res->skipped, res->skipped == 1 ? "y" : "ies");
    if (res->kept > 0)
        buf_addf(out, "%lld row%s of yours kept\n", (long long)res->kept,
                 res->kept == 1 ? "" : "s");
}

const struct command cmd_catalog_import = {
    .name = "catalog import",
    .op = &op_catalog_import,
    .about = "Imports prices of hosted models from the JSON file that LiteLLM keeps "
             "(model_prices_and_context_window.json), into token_prices.csv in your catalog "
             "folder, where they count before the built-in ones. 'stint infer' and 'stint plan "
             "--serve' use them. Rows of yours that the file does not have are kept.",
    .examples = "stint catalog import model_prices_and_context_window.json\n"
                "stint catalog import prices.json --date 2026-11-15",
    .print = print_catalog_import,
};
