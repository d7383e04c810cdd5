/* Prices: of machines now, of one over time, and of so many GPUs for so many hours. */

#include "op/price/price.h"
#include "op/price/price_history.h"
#include "report/records.h"
#include "serve/view.h"

#define MOST 100

static void link_history(const void *row, struct buf *out)
{
    buf_adds(out, "/prices/");
    percent_encode(((const struct machine *)row)->name, out);
}

static void write_price_filter(struct visit *v)
{
    static const char *const markets[] = {"on-demand", "spot", "any", NULL};
    static const struct page_field fields[] = {
        {.name = "gpu", .label = "GPU", .placeholder = "H100x8"},
        {.name = "provider", .label = "Provider", .placeholder = "aws,gcp"},
        {.name = "region", .label = "Region", .placeholder = "us-*"},
        {.name = "market", .label = "Market", .choices = markets, .any = "default"},
        {.name = "max_price", .label = "At most", .placeholder = "3usd/hr"},
        {.name = "hours", .label = "Compare for", .placeholder = "24h"},
    };

    buf_adds(&v->out, "<form action=\"/prices\" data-swap><div class=\"row\">\n");
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        struct page_field field = fields[i];

        field.value = params_get(&v->params, field.name);
        page_field(v, &field);
    }
    buf_adds(&v->out, "<div><button type=\"submit\">Show</button></div>\n</div></form>\n");
}

static bool write_price_list(struct visit *v, struct error *err)
{
    static const char *const names[] = {"gpu",    "provider",  "region",
                                        "market", "max_price", NULL};
    struct price_list_request req;
    struct price_list_result *res = arena_array(&v->arena, struct price_list_result, 1, err);

    if (res == NULL || !view_read(v, &op_price_list, names, &req, err))
        return false;
    req.limit = 0;
    if (!visit_run(v, &op_price_list, &req, res, err))
        return false;
    page_section(v, "list", STR(""), true);
    page_table(v, &(struct page_table){.id = "prices",
                                       .caption = STR("The cheapest first; of an hour"),
                                       .columns = &price_columns[PLACE_PAGE],
                                       .file = &price_columns[PLACE_FILE],
                                       .rows = field_rows(op_price_list.result, "offers", res),
                                       .most = MOST,
                                       .none = "No offer matches.",
                                       .link = link_history});
    page_section_end(v);
    return true;
}

static void draw_comparison(struct visit *v, const struct price_compare_result *res)
{
    const struct price_comparison *rows = res->comparisons.at;
    size_t count = res->comparisons.len < 12 ? res->comparisons.len : 12;
    struct error err = {0};
    struct figure_point *points = arena_array(&v->arena, struct figure_point, count + 1, &err);
    struct figure_series series = {.at = points, .len = count};

    if (points == NULL || count == 0)
        return;
    for (size_t i = 0; i < count; i++)
        points[i] = (struct figure_point){.label = rows[i].machine.name,
                                          .y = usd_double(rows[i].total),
                                          .low = usd_double(rows[i].total_low),
                                          .high = usd_double(rows[i].total_high),
                                          .marked = rows[i].cheapest};
    page_figure(v,
                &(struct figure){.kind = FIGURE_BARS,
                                 .title = STR("On demand, set-up and egress included"),
                                 .y = {.unit = FIGURE_USD},
                                 .series = &series,
                                 .series_count = 1},
                STR("Lines are 80 % ranges by the age of the prices."));
}

static bool write_comparison(struct visit *v, struct error *err)
{
    static const char *const names[] = {"gpu",       "provider", "region",
                                        "max_price", "hours",    NULL};
    static const struct column columns[] = {
        COLUMN("offer", offer),
        COLUMN("machines", machines, .optional = true),
        COLUMN("GPUs", gpus, .optional = true),
        COLUMN("per hour", hourly, .optional = true),
        COLUMN("total", total),
        COLUMN("on spot", spot_total, .unknown = "-"),
        COLUMN("savings", spot_savings, .form = COLUMN_PERCENT, .unknown = "",
               .optional = true),
        COLUMN("set-up", setup, .optional = true),
        COLUMN("age", age_days, .form = COLUMN_AGE, .optional = true),
    };
    struct price_compare_request req;
    struct price_compare_result *res =
        arena_array(&v->arena, struct price_compare_result, 1, err);

    if (res == NULL || !view_read(v, &op_price_compare, names, &req, err) ||
        !visit_run(v, &op_price_compare, &req, res, err))
        return false;
    page_section(v, "list",
                 page_text(v, "%lld %.*s for %.10g hour%s", (long long)res->gpus,
                           STR_ARG(res->accelerator), res->hours, res->hours == 1 ? "" : "s"),
                 true);
    draw_comparison(v, res);
    page_table(
        v, &(struct page_table){.id = "compared",
                                .caption = STR("Best first; old prices count with their range"),
                                .columns = COLUMNS(columns),
                                .rows = field_rows(op_price_compare.result, "comparisons", res),
                                .none = "No offer matches."});
    page_section_end(v);
    return true;
}

bool view_prices(struct visit *v, struct error *err)
{
    bool compare = params_get(&v->params, "hours").len > 0;

    page_begin(v, STR("Prices"), "/prices");
    write_price_filter(v);
    if (!(compare ? write_comparison(v, err) : write_price_list(v, err)) &&
        !view_refused(v, err))
        return false;
    return page_end(v, err);
}

/* ---- one offer over time ---- */

static void draw_history(struct visit *v, const struct price_history_result *res)
{
    const struct history_series *all = res->series.at;
    struct error err = {0};
    struct figure_series *series =
        arena_array(&v->arena, struct figure_series, res->series.len + 1, &err);

    for (size_t i = 0; series != NULL && i < res->series.len; i++) {
        const struct history_piece *pieces = all[i].trend.at;
        struct figure_point *points =
            arena_array(&v->arena, struct figure_point, all[i].trend.len + 1, &err);

        if (points == NULL)
            return;
        for (size_t k = 0; k < all[i].trend.len; k++)
            points[k] =
                (struct figure_point){.x = (double)pieces[k].from.s, .y = pieces[k].price};
        series[i] =
            (struct figure_series){.name = page_text(v, "%s, %.*s", market_names[all[i].market],
                                                     STR_ARG(all[i].feed.feed)),
                                   .at = points,
                                   .len = all[i].trend.len};
    }
    if (series == NULL || res->series.len == 0)
        return;
    page_figure(v,
                &(struct figure){.kind = FIGURE_LINES,
                                 .title = STR("Price of an hour"),
                                 .x = {.unit = FIGURE_TIME},
                                 .y = {.unit = FIGURE_USD},
                                 .series = series,
                                 .series_count = res->series.len < 8 ? res->series.len : 8},
                STR(""));
}

/* The offer of that name, as the list of prices has it; NULL: there is none. */
static const struct machine *find_offer(struct visit *v, struct str name)
{
    struct price_list_request req;
    const struct price_list_result *res = NULL;
    struct error err = {0};

    if (view_request(v, &op_price_list, &req, &err)) {
        req.limit = 0;
        res = view_try(v, &op_price_list, &req);
    }
    for (size_t i = 0; res != NULL && i < res->offers.len; i++) {
        const struct machine *m = (const struct machine *)res->offers.at + i;

        if (str_eq(m->name, name))
            return m;
    }
    return NULL;
}

static void write_price_offer(struct visit *v, const struct machine *m)
{
    struct str saving = page_share(v, m->spot_saving),
               age = page_text(v, "%lld day%s old, %.*s", (long long)m->age_days,
                               m->age_days == 1 ? "" : "s", STR_ARG(m->fact.source));
    struct page_fact facts[] = {
        {.label = "GPUs",
         .value = m->count > 0
                      ? page_text(v, "%lldx %.*s", (long long)m->count, STR_ARG(m->accelerator))
                      : STR("none"),
         .note =
             m->gpu_memory_gb > 0 ? page_text(v, "%.4g GB each", m->gpu_memory_gb) : STR("")},
        {.label = "On demand", .value = page_rate(v, m->on_demand), .note = age},
        {.label = "Spot",
         .value = page_rate(v, m->spot),
         .note = saving.len > 0 ? page_text(v, "%.*s less than on demand", STR_ARG(saving))
                                : STR("")},
        {.label = "Per GPU", .value = page_rate(v, m->per_gpu)},
        {.label = "Machine",
         .value = m->vcpus > 0 ? page_text(v, "%.4g vCPUs", m->vcpus) : STR(""),
         .note =
             m->memory_gib > 0 ? page_text(v, "%.6g GiB of memory", m->memory_gib) : STR("")},
    };

    page_facts(v, "offer", facts, ARRAY_LEN(facts));
}

bool view_price_history(struct visit *v, struct error *err)
{
    static const char *const names[] = {"days", "market", NULL};
    static const struct column columns[] = {
        COLUMN("market", market),
        COLUMN("list", feed),
        COLUMN("now", current, .form = COLUMN_PRICE),
        COLUMN("lowest", min, .form = COLUMN_PRICE),
        COLUMN("mean", mean, .form = COLUMN_PRICE),
        COLUMN("highest", max, .form = COLUMN_PRICE),
        COLUMN("change", change, .form = COLUMN_CHANGE),
        COLUMN("changes", changes),
    };
    struct price_history_request req;
    const struct machine *offer;
    struct price_history_result *res =
        arena_array(&v->arena, struct price_history_result, 1, err);

    if (res == NULL || !view_read(v, &op_price_history, names, &req, err))
        return false;
    req.offer = v->rest;
    page_begin(v, v->rest, "/prices");
    offer = find_offer(v, v->rest);
    if (offer != NULL)
        write_price_offer(v, offer);
    if (!visit_run(v, &op_price_history, &req, res, err)) {
        if (offer == NULL)
            return false;
        buf_adds(
            &v->out,
            "<p class=\"sub\">No earlier prices are recorded. <code>stint price fetch</code> "
            "records them each time it runs.</p>\n");
        *err = (struct error){0};
        return page_end(v, err);
    }
    page_section(v, "history", STR(""), true);
    draw_history(v, res);
    page_table(v, &(struct page_table){
                      .id = "history",
                      .caption = page_text(v, "The last %lld days", (long long)res->days),
                      .columns = COLUMNS(columns),
                      .rows = field_rows(op_price_history.result, "series", res)});
    page_section_end(v);
    return page_end(v, err);
}
