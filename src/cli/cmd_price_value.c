/* stint price value */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/price/price.h"

static void print(const struct view *view, const void *result)
{
    static const struct table_column columns[] = {
        {.title = "score", .right = true},
        {.title = "offer", .shrink = true},
        {.title = "gpus"},
        {.title = "peak T/s", .right = true},
        {.title = "at", .optional = true},
        {.title = "reliable", .right = true},
        {.title = "price/hr", .right = true},
        {.title = "age", .right = true},
    };
    const struct price_value_result *res = result;
    const struct price_value *values = res->values.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->values.len; i++) {
        const struct price_value *v = &values[i];

        view_number(&t, v->score, 0);
        table_text(&t, v->offer);
        table_cell(&t, "%lldx %.*s", (long long)v->count, STR_ARG(v->accelerator));
        view_number(&t, v->performance, 0);
        table_text(&t, v->precision);
        view_number(&t, v->reliability, 3);
        view_rate(&t, v->price);
        view_age(&t, v->age_days);
    }
    table_write(&t, &view->term, view->out);
    buf_adds(
        view->out,
        "\nscore: peak P operations for a dollar x reliability, from the data sheet's dense "
        "peak;\nreal work reaches 20 to 60 % of it, more on some cards than others\n");
    view_price_age(view, &res->age);
}

const struct command cmd_price_value = {
    .name = "price value",
    .op = &op_price_value,
    .about =
        "Ranks offers by what a dollar buys: performance x reliability / price, with the\n"
        "three factors beside. Performance is the dense peak of the data sheet, so this is\n"
        "a first look, not an estimate of a job.",
    .examples = "stint price value --min-memory 40GB\n"
                "stint price value --market spot --precision fp8 --limit 10",
    .print = print,
};
