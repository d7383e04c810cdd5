/* Managed platforms beside plain machines: what each costs, and what the difference buys. */
#include "cli/plan/plan_print.h"
#include "unit/shown.h"

/* What the one that was asked for costs more, and what that buys. */
static void print_difference(const struct plan_look *look)
{
    const struct plan_platform *rows = look->res->platforms.at, *asked = NULL;
    struct buf text = plan_view_text(look);

    for (size_t i = 0; i < look->res->platforms.len && asked == NULL; i++)
        if (rows[i].asked)
            asked = &rows[i];
    if (asked != NULL && asked->more.nano != MONEY_UNKNOWN) {
        buf_add_safe(&text, asked->name);
        if (asked->more.nano > 0) {
            buf_adds(&text, " costs ");
            plan_view_dollars(usd_double(asked->more), &text);
            buf_adds(&text, " (");
            value_share(usd_double(asked->more) / usd_double(asked->plain), &text);
            buf_addf(&text, ") more than plain machines there, $%.2f an hour instead of $%.2f",
                     usd_per_hour_double(asked->plan.price),
                     usd_per_hour_double(asked->plan.price) / (1 + asked->markup));
        } else
            buf_adds(&text, " costs no more than plain machines there");
        if (asked->includes.len > 0) {
            buf_adds(&text, asked->more.nano > 0 ? "; that buys " : "; it has ");
            buf_add_safe(&text, asked->includes);
        }
    }
    plan_view_line(look, STR("difference"), STYLE_PLAIN, &text);
}

void plan_print_platforms(const struct plan_look *look)
{
    static const struct column columns[] = {
        COLUMN("", asked, .yes = ">"),
        COLUMN("platform", name),
        COLUMN("cost", cost, .form = COLUMN_ESTIMATE),
        COLUMN("plain there", plain, .form = COLUMN_ESTIMATE, .unknown = ""),
        COLUMN("markup", markup, .zero_unknown = true, .unknown = ""),
        COLUMN("time", hours, .form = COLUMN_HOURS, .unknown = "?"),
        COLUMN("hardware", accelerator, .times = "gpus"),
        COLUMN("where", provider),
        COLUMN("price age", price_age_days, .form = COLUMN_AGE, .optional = true),
        COLUMN("notebooks", notebook_low, .to = "notebook_high", .unit = "/hr",
               .optional = true, .unknown = ""),
    };
    struct table_rows rows = field_rows(&plan_result_fields, "platforms", look->res);

    if (rows.len == 0)
        return;
    plan_view_heading(look, "PLATFORMS AND PLAIN MACHINES");
    columns_print(COLUMNS(columns), &rows, &look->view->term, look->view->arena,
                  look->view->out);
    print_difference(look);
}
