/* stint price value */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/price/price.h"

static void print_price_values(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("", outlier, .yes = "!", .if_any = true),
        COLUMN("", worth_checking, .yes = "~", .if_any = true),
        COLUMN("score", score),
        COLUMN("offer", offer, .shrink = true),
        COLUMN("gpus", accelerator, .times = "count"),
        COLUMN("peak T/s", performance),
        COLUMN("at", precision, .optional = true),
        COLUMN("reliable", reliability, .decimals = 3),
        COLUMN("price/hr", price),
        COLUMN("age", age_days, .form = COLUMN_AGE),
    };
    const struct price_value_result *res = result;
    const struct price_value *rows = res->values.at;
    bool old = false;

    view_rows(view, &op_price_value, res, "values", COLUMNS(columns));
    buf_adds(view->out,
             "\n"
             "score: peak PFLOP per dollar x reliability, from the data sheet's dense peak;\n"
             "real work reaches 20 to 60 % of it, more on some cards than others\n");
    for (size_t i = 0; i < res->values.len && !old; i++)
        old = rows[i].worth_checking;
    if (old)
        view_worth_checking(view);
    view_price_age(view, &res->age);
}

const struct command cmd_price_value = {
    .name = "price value",
    .op = &op_price_value,
    .about = "Ranks offers by value: performance x reliability / price, with the three factors "
             "shown. Performance is the dense peak of the data sheet, so this is a first "
             "indication, not an estimate of a job.",
    .examples = "stint price value --min-memory 40GB\n"
                "stint price value --market spot --precision fp8 --limit 10",
    .print = print_price_values,
};
