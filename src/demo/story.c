/* What the team did besides its runs: imports, budgets, a target, a channel. */
#include "demo/demo.h"

#define MONTHS_CHECKED 2 /* at whose end budgets are checked, besides now */

usd demo_metered(const struct demo *demo)
{
    usd sum = {0};

    for (size_t i = 0; i < demo->run_count; i++)
        for (int n = 0; n < demo->runs[i].attempt_count; n++)
            sum = usd_add(sum, demo_cost(&demo->runs[i], demo->runs[i].attempts[n].seconds));
    return sum;
}

static void write_aws_bill(const struct demo *demo, struct buf *out)
{
    demo_bill(demo, "aws", out);
}

static void write_gcp_bill(const struct demo *demo, struct buf *out)
{
    demo_bill(demo, "gcp", out);
}

const struct demo_file demo_files[DEMO_FILES] = {
    {"policy.yaml", "allocation.set", demo_policy, false},
    {"aws-bill.csv", "import", write_aws_bill, true},
    {"gcp-bill.csv", "import", write_gcp_bill, true},
    {"counts.csv", "counts.import", demo_counts, false},
    {"rates.csv", "rates.import", demo_rates, false},
};

/* A budget of a project that is spent whatever day of the month it is. */
static bool set_project_budget(const struct demo *demo, demo_call *call, void *ctx,
                               struct error *err)
{
    char at[512];
    struct buf text = buf_within(at, sizeof at);

    buf_adds(&text, "{\"name\":\"video\",\"amount\":\"600usd\",\"period\":\"total\","
                    "\"where\":[\"project=video\"],\"first_day\":\"");
    day_write((day){demo->today.n - 35}, &text);
    buf_adds(&text, "\",\"last_day\":\"");
    day_write((day){demo->today.n + 25}, &text);
    buf_adds(&text, "\"}");
    return buf_ok(&text, err) && call(ctx, "budget.set", buf_text(&text), DAY_UNKNOWN, err);
}

bool demo_set_up(const struct demo *demo, demo_call *call, void *ctx, struct error *err)
{
    static const struct {
        const char *operation, *request;
        bool first; /* when the quarter began: what is judged by months counts from there */
    } set[] = {
        {"budget.set", "{\"name\":\"team\",\"amount\":\"4000usd\"}", true},
        {"budget.set", "{\"name\":\"nlp\",\"amount\":\"1600usd\",\"where\":[\"team=nlp\"]}",
         true},
        {"budget.set",
         "{\"name\":\"serving\",\"amount\":\"800usd\",\"where\":[\"phase=inference\"]}", true},
        {"targets.set", "{\"name\":\"gpu-busy\",\"value\":\"60%\"}", false},
        {"alert.add", "{\"name\":\"team\",\"kind\":\"slack\",\"url_env\":\"STINT_DEMO_SLACK\"}",
         false},
    };
    day began = {demo->today.n - DEMO_DAYS};
    bool ok = true;

    for (size_t i = 0; ok && i < ARRAY_LEN(set); i++)
        ok = call(ctx, set[i].operation, str_from(set[i].request),
                  set[i].first ? began : DAY_UNKNOWN, err);
    for (int ago = MONTHS_CHECKED; ok && ago > 0; ago--)
        ok = call(ctx, "budget.check", STR("{}"),
                  (day){day_month_add(demo->today, 1 - ago).n - 1}, err);
    return ok && set_project_budget(demo, call, ctx, err) &&
           call(ctx, "budget.check", STR("{}"), DAY_UNKNOWN, err);
}
