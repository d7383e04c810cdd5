/* Ways to deploy a model that serves: the cheapest of each kind, where one of them becomes
 * cheaper than another, and what cannot be used. */
#include <math.h>

#include "cli/plan/plan_print.h"
#include "unit/shown.h"

#define SAME_COST 1.01 /* a range that is not wider is none */

/* ---- the table ---- */

static bool has_deployment_range(const struct plan_deployment *row)
{
    return usd_double(row->cost_high) > SAME_COST * usd_double(row->cost_low);
}

static bool any_range(const struct rows *deployments)
{
    const struct plan_deployment *rows = deployments->at;

    for (size_t i = 0; i < deployments->len; i++)
        if (has_deployment_range(&rows[i]))
            return true;
    return false;
}

void plan_view_rate(double rate, struct buf *out)
{
    static const struct {
        double seconds;
        const char *unit;
    } units[] = {{1, "/s"}, {60, "/min"}, {3600, "/h"}, {86400, "/day"}};
    size_t i = 0;

    while (i + 1 < ARRAY_LEN(units) && rate * units[i].seconds < 1)
        i++;
    value_number(rate * units[i].seconds, out);
    buf_adds(out, units[i].unit);
}

/* Of what starts from zero: requests that wait for a start. */
static bool write_cold_share(const struct column *column, const void *row, struct buf *out)
{
    const struct plan_deployment *d = row;

    (void)column;
    if (!isnan(d->cold_share))
        value_share(d->delayed_share, out);
    return true;
}

static bool write_deploy_break_even(const struct column *column, const void *row,
                                    struct buf *out)
{
    const struct plan_deployment *d = row;

    (void)column;
    if (!isnan(d->cheaper_below)) {
        buf_adds(out, "below ");
        plan_view_rate(d->cheaper_below, out);
    }
    if (!isnan(d->cheaper_above)) {
        buf_adds(out, isnan(d->cheaper_below) ? "above " : ", above ");
        plan_view_rate(d->cheaper_above, out);
    }
    return true;
}

static void print_deployments(const struct plan_look *look)
{
    const struct view *view = look->view;
    const char *mark = look->utf8 ? "\xc2\xbb" : ">";
    const struct column columns[] = {
        COLUMN("", best, .yes = mark, .marks = {{"condition", "*"}}),
        COLUMN("deployment", deployment),
        COLUMN("cost/month", cost, .form = COLUMN_ESTIMATE),
        COLUMN("80 % range", cost_low, .to = "cost_high", .form = COLUMN_ESTIMATE,
               .spread = true, .unknown = "", .style = STYLE_DIM, .optional = true,
               .hidden = !any_range(&look->res->deployments)),
        COLUMN("p95", p95_s, .form = COLUMN_LENGTH, .unknown = "?"),
        COLUMN("cold", cold_share, .cell = write_cold_share, .unknown = "",
               .side = COLUMN_RIGHT, .if_any = true),
        COLUMN_CELL("cheaper at", write_deploy_break_even, .unknown = "", .optional = true),
        COLUMN("where", offer, .shrink = true),
        COLUMN("price age", price_age_days, .form = COLUMN_AGE, .optional = true),
        COLUMN("setting", setting, .optional = true),
    };
    struct table_rows rows = field_rows(&plan_result_fields, "deployments", look->res);

    buf_char(view->out, '\n');
    columns_print(COLUMNS(columns), &rows, &view->term, view->arena, view->out);
    buf_char(view->out, '\n');
}

/* ---- the lines below it ---- */

void plan_view_deployment(struct str deployment, struct buf *out)
{
    static const char *const things[] = {"GPU",    "CPU",    "managed",
                                         "hosted", "shared", "measured"};
    const char *article = str_starts(deployment, STR("edge")) ? "an " : "";

    for (size_t i = 0; i < ARRAY_LEN(things); i++)
        if (str_starts(deployment, str_from(things[i])))
            article = "a ";
    buf_adds(out, article);
    buf_add(out, deployment);
}

static const struct plan_deployment *find_deployment_kind(const struct plan_result *res,
                                                          struct str kind)
{
    const struct plan_deployment *rows = res->deployments.at;

    for (size_t i = 0; i < res->deployments.len; i++)
        if (str_eq(rows[i].deployment, kind))
            return &rows[i];
    return NULL;
}

static void print_best_deployment(const struct plan_look *look,
                                  const struct plan_deployment *best)
{
    const struct plan_deployment *gpu = find_deployment_kind(look->res, STR("GPU machine"));
    struct buf text = plan_view_text(look);

    plan_view_deployment(best->deployment, &text);
    buf_adds(&text, ", ");
    buf_add(&text, best->offer);
    if (best->price.nano != MONEY_UNKNOWN) {
        buf_adds(&text, ", ");
        usd_per_hour_write(best->price, &text);
    }
    if (best->markup > 0)
        buf_addf(&text, " + %.3g %%", 100 * best->markup);
    buf_adds(&text, ", price from ");
    day_write(best->price_date, &text);
    buf_addf(&text, " (%lld day%s old)", (long long)best->price_age_days,
             best->price_age_days == 1 ? "" : "s");
    if (gpu != NULL && gpu != best && gpu->more_usd > 0) {
        buf_adds(&text, ": ");
        plan_view_dollars(gpu->more_usd, &text);
        buf_adds(&text, " (");
        value_share(gpu->more_usd / usd_double(gpu->cost), &text);
        buf_adds(&text, ") less than a GPU machine");
    }
    plan_view_line(look, STR("best"), STYLE_PLAIN, &text);
}

void plan_view_condition(const struct plan_look *look, const struct plan_deployment *row)
{
    struct buf text = plan_view_text(look);
    char label[32] = "* ";

    str_copy(row->deployment, label + 2, sizeof label - 2);
    buf_add(&text, row->condition);
    plan_view_line(look, str_from(label), STYLE_PLAIN, &text);
}

/* "720 h of an instance: memory $12.3, requests $0.518; an account's free amounts ..." */
static void bill_line(const struct plan_look *look, const struct plan_deployment *best)
{
    const struct {
        const char *name;
        usd amount;
    } parts[] = {{"memory", best->memory_usd},
                 {"vCPUs", best->vcpu_usd},
                 {"GPU", best->gpu_usd},
                 {"requests", best->requests_usd}};
    struct buf text = plan_view_text(look);
    const char *before = ": ";

    if (!isnan(best->billed_s)) {
        value_seconds(best->billed_s, &text);
        buf_adds(&text, " of an instance");
        for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
            if (parts[i].amount.nano <= 0)
                continue;
            buf_adds(&text, before);
            buf_adds(&text, parts[i].name);
            buf_char(&text, ' ');
            usd_write_estimate(parts[i].amount, &text);
            before = ", ";
        }
        if (best->free_saves.nano > 0) {
            buf_adds(&text, "; an account's free amounts would pay ");
            usd_write_estimate(best->free_saves, &text);
            buf_adds(&text, " of it");
        }
    }
    plan_view_line(look, STR("bill"), STYLE_PLAIN, &text);
}

static void print_deployment_start(const struct plan_look *look,
                                   const struct plan_deployment *best)
{
    struct buf text = plan_view_text(look);

    if (!isnan(best->cold_start_s)) {
        value_seconds(best->cold_start_s, &text);
        buf_adds(&text, " after ");
        value_seconds(best->idle_timeout_s, &text);
        buf_adds(&text, " without a request: ");
        value_share(best->delayed_share, &text);
        buf_adds(&text, " of requests wait for one");
        if (best->basis.len > 0) {
            buf_adds(&text, " (");
            buf_add(&text, best->basis);
            buf_char(&text, ')');
        }
    }
    plan_view_line(look, STR("cold start"), STYLE_PLAIN, &text);
}

void plan_view_volumes(const struct plan_volume *rows, size_t count, struct buf *out)
{
    for (size_t i = 0; i < count; i++) {
        buf_adds(out, i > 0 ? ", " : "");
        plan_view_deployment(rows[i].deployment, out);
        buf_adds(out, i == 0 ? " is cheapest" : "");
        if (isnan(rows[i].to_rate)) {
            buf_adds(out, count == 1 ? " at every rate looked at" : " above");
            continue;
        }
        buf_adds(out, i == 0 ? " below " : " up to ");
        plan_view_rate(rows[i].to_rate, out);
        buf_adds(out, " (");
        value_large(rows[i].to_month, out);
        buf_adds(out, i == 0 ? " requests a month)" : ")");
    }
}

static void print_deployment_volumes(const struct plan_look *look)
{
    struct buf text = plan_view_text(look);

    plan_view_volumes(look->res->volumes.at, look->res->volumes.len, &text);
    plan_view_line(look, STR("break-even"), STYLE_PLAIN, &text);
}

static bool is_first_of(const struct plan_excluded *rows, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (str_eq(rows[i].deployment, rows[at].deployment))
            return false;
    return true;
}

/* Of each kind that is not in the table, how many cannot be used, and one of them. */
static void excluded_lines(const struct plan_look *look)
{
    const struct plan_excluded *rows = look->res->excluded.at;
    size_t count = look->res->excluded.len;

    for (size_t i = 0; i < count; i++) {
        struct buf text = plan_view_text(look);
        size_t others = 0;

        if (find_deployment_kind(look->res, rows[i].deployment) == NULL &&
            is_first_of(rows, i)) {
            for (size_t n = i + 1; n < count; n++)
                others += str_eq(rows[n].deployment, rows[i].deployment);
            buf_add(&text, rows[i].deployment);
            buf_adds(&text, ": ");
            buf_add(&text, rows[i].offer);
            buf_adds(&text, ": ");
            buf_add(&text, rows[i].reason);
            if (others > 0)
                buf_addf(&text, "; %zu more (--explain lists them)", others);
        }
        plan_view_line(look, STR("excluded"), STYLE_PLAIN, &text);
    }
}

void plan_print_deployments(const struct plan_look *look)
{
    const struct plan_deployment *best = look->res->deployments.at;
    size_t count = look->res->deployments.len;

    if (count == 0)
        return;
    print_deployments(look);
    print_best_deployment(look, best);
    for (size_t i = 0; i < count; i++)
        plan_view_condition(look, &best[i]);
    bill_line(look, best);
    print_deployment_start(look, best);
    print_deployment_volumes(look);
    if (!look->res->explain)
        excluded_lines(look);
}

void plan_print_excluded(const struct plan_look *look)
{
    static const struct column columns[] = {
        COLUMN("deployment", deployment),
        COLUMN("offer", offer),
        COLUMN("why not", reason),
    };
    struct table_rows rows = field_rows(&plan_result_fields, "excluded", look->res);

    if (look->res->excluded.len == 0)
        return;
    plan_view_heading(look, "DEPLOYMENTS THAT CANNOT BE USED");
    columns_print(COLUMNS(columns), &rows, &look->view->term, look->view->arena,
                  look->view->out);
}
