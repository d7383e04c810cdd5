/* Plans: a job in a form or as YAML, the ways to run it, and what time costs. */
#include <math.h>

#include "op/plan/plan.h"
#include "serve/view.h"

static const char example[] = "name: llama-lora\n"
                              "train:\n"
                              "  model: llama-3-8b\n"
                              "  method: lora\n"
                              "  data: {tokens: 20M}\n"
                              "limits:\n"
                              "  deadline: 24h\n";

/* ---- the form ---- */

static void write_limits(struct visit *v)
{
    static const char *const methods[] = {"full", "lora", "qlora", NULL};
    static const char *const markets[] = {"on-demand", "spot", "any", NULL};
    static const char *const aims[] = {"time", "carbon", NULL};
    static const struct page_field fields[] = {
        {.name = "model", .label = "Model", .placeholder = "llama-3-8b"},
        {.name = "method", .label = "Method", .choices = methods, .any = "the job's"},
        {.name = "tokens", .label = "Tokens", .placeholder = "20M"},
        {.name = "examples", .label = "or examples", .placeholder = "50000"},
        {.name = "epochs", .label = "Epochs", .placeholder = "1"},
        {.name = "deadline", .label = "Deadline", .placeholder = "24h"},
        {.name = "budget", .label = "Budget", .placeholder = "100usd"},
        {.name = "market", .label = "Market", .choices = markets, .any = "the best"},
        {.name = "aim", .label = "Aim", .choices = aims, .any = "cost"},
        {.name = "gpu", .label = "GPUs", .placeholder = "H100,A100"},
        {.name = "provider", .label = "Providers", .placeholder = "aws,gcp"},
        {.name = "region", .label = "Regions", .placeholder = "us-*"},
    };

    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        struct page_field field = fields[i];

        field.value = params_get(&v->params, field.name);
        page_field(v, &field);
    }
}

static void write_plan_form(struct visit *v)
{
    struct str job = params_get(&v->params, "job");

    page_section(v, "ask", STR(""), true);
    buf_adds(&v->out, "<form action=\"/plan\">\n<div class=\"fields\">\n");
    write_limits(v);
    buf_addf(&v->out, "</div>\n<details%s>\n<summary>The job as YAML instead</summary>\n",
             job.len > 0 ? " open" : "");
    html_element(&v->out,
                 "<label for=\"f-job\">Job</label>\n"
                 "<textarea id=\"f-job\" name=\"job\" spellcheck=\"false\" placeholder=\"",
                 str_from(example), "\">");
    /* a line break after the tag is not part of the text */
    html_element(&v->out, "\n", job, "</textarea>\n</details>\n");
    buf_adds(&v->out, "<p><button type=\"submit\" class=\"main\">Plan</button></p>\n</form>\n");
    page_section_end(v);
}

/* ---- the plans ---- */

static const struct column plan_columns[] = {
    COLUMN("plan", role, .unknown = ""),
    COLUMN("offer", offer),
    COLUMN("market", market),
    COLUMN("GPUs", accelerator, .times = "gpus"),
    COLUMN("time", hours.value, .form = COLUMN_HOURS),
    COLUMN("cost", cost, .form = COLUMN_ESTIMATE),
    COLUMN("80 % range", cost_low, .to = "cost_high", .form = COLUMN_ESTIMATE,
           .style = STYLE_DIM, .unknown = ""),
    COLUMN("setting", setting, .unknown = ""),
};

static const struct column plan_file[] = {
    COLUMN("", role),
    COLUMN("", offer),
    COLUMN("", market),
    COLUMN("", gpus),
    COLUMN("", accelerator),
    COLUMN("", machines),
    COLUMN("", cost, .csv = "cost_usd"),
    COLUMN("", cost_low, .csv = "cost_low_usd"),
    COLUMN("", cost_high, .csv = "cost_high_usd"),
    COLUMN("", price, .csv = "price_usd_h"),
    COLUMN("", price_date),
    COLUMN("", carbon_kg),
    COLUMN("", kwh),
    COLUMN("", setting),
};

/* Cost over time: the plans of the front are joined. */
static void draw_plan_front(struct visit *v, const struct plan_result *res)
{
    const struct plan_row *rows = res->front.at;
    struct error err = {0};
    struct figure_point *points =
        arena_array(&v->arena, struct figure_point, res->front.len + 1, &err);
    struct figure_series series = {.at = points};

    for (size_t i = 0; points != NULL && i < res->front.len; i++)
        if (!isnan(rows[i].hours.value) && rows[i].cost.nano != MONEY_UNKNOWN)
            points[series.len++] = (struct figure_point){.label = rows[i].offer,
                                                         .x = rows[i].hours.value * 3600,
                                                         .y = usd_double(rows[i].cost),
                                                         .marked = true};
    if (series.len < 2)
        return;
    page_section(v, "front", STR(""), true);
    page_figure(v,
                &(struct figure){.kind = FIGURE_SCATTER,
                                 .title = STR("What a faster end costs"),
                                 .note = STR("each plan is the cheapest that is so fast"),
                                 .x = {.label = STR("time"), .unit = FIGURE_SECONDS},
                                 .y = {.label = STR("cost"), .unit = FIGURE_USD},
                                 .series = &series,
                                 .series_count = 1},
                STR(""));
    page_section_end(v);
}

/* What the job has and the figures do not. */
static void write_not_used(struct visit *v, const struct plan_result *res)
{
    struct buf text = page_buf(v);

    for (size_t i = 0; i < res->not_used.len; i++) {
        buf_adds(&text, i > 0 ? ", " : "Not used: ");
        buf_add(&text, res->not_used.at[i]);
    }
    if (text.len > 0)
        html_element(&v->out, "<p class=\"sub\">", page_keep(v, &text), "</p>\n");
}

static void write_plans(struct visit *v, const struct plan_result *res)
{
    static const struct column money[] = {
        COLUMN("part", name),
        COLUMN("amount", amount, .form = COLUMN_ESTIMATE),
        COLUMN("share", share),
    };

    page_section(v, "plans", page_text(v, "%.*s: %.*s", STR_ARG(res->name), STR_ARG(res->work)),
                 true);
    page_table(v, &(struct page_table){.id = "plans",
                                       .caption = page_text(v, "Cost of a %.*s, the best first",
                                                            STR_ARG(res->unit)),
                                       .columns = COLUMNS(plan_columns),
                                       .file = COLUMNS(plan_file),
                                       .rows = field_rows(op_plan.result, "plans", res),
                                       .none = "No plan meets these limits."});
    write_not_used(v, res);
    page_section_end(v);
    draw_plan_front(v, res);
    page_section(v, "money", STR("Where the money of the best plan goes"), true);
    page_table(v, &(struct page_table){.id = "money",
                                       .caption = STR("Estimated"),
                                       .columns = COLUMNS(money),
                                       .rows = field_rows(op_plan.result, "money", res),
                                       .sorted = true});
    page_section_end(v);
}

/* The job is the text itself, which has several lines, or a model: never the name of a file. */
static struct str write_plan_job(struct visit *v)
{
    struct str job = params_get(&v->params, "job"), model = params_get(&v->params, "model");
    struct buf text = page_buf(v);

    if (str_trim(job).len == 0)
        return str_trim(model);
    buf_add(&text, job);
    buf_char(&text, '\n');
    return page_keep(v, &text);
}

static bool ask_plan(struct visit *v, struct plan_result *res, struct error *err)
{
    static const char *const names[] = {"method",   "tokens",   "examples", "epochs",
                                        "deadline", "budget",   "market",   "aim",
                                        "gpu",      "provider", "region",   NULL};
    struct plan_request req;

    if (!view_read(v, &op_plan, names, &req, err))
        return false;
    req.jobs = view_one(v, write_plan_job(v));
    return visit_run(v, &op_plan, &req, res, err);
}

bool view_plan(struct visit *v, struct error *err)
{
    struct plan_result *res = arena_array(&v->arena, struct plan_result, 1, err);
    struct error problem = {0};

    if (res == NULL)
        return false;
    page_begin(v, STR("Plan"), "/plan");
    write_plan_form(v);
    if (write_plan_job(v).len == 0) {
        buf_adds(&v->out, "<p class=\"sub\">Name a model, or write the job as YAML.</p>\n");
    } else if (ask_plan(v, res, &problem)) {
        write_plans(v, res);
    } else if (!view_refused(v, &problem)) {
        *err = problem;
        return false;
    }
    return page_end(v, err);
}
