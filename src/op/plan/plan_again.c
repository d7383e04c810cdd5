#include "op/plan/plan_again.h"

#include "op/plan/plan_write.h"
#include "op/plan/prepare.h"

static bool give_up(struct op_context *ctx, const char *why, struct plan_again *out,
                    struct error *err)
{
    const char *kept = str_dup(str_from(why), ctx->arena, err);

    out->why_not = str_from(kept);
    return kept != NULL;
}

/* Does the price rest on what the user says, whatever its date? */
static bool is_own_price(const struct op_context *ctx, const struct plan_place *p)
{
    const struct catalog *catalog = &ctx->catalog;

    for (size_t i = 0; i < catalog->tables[TABLE_OFFERS].len; i++) {
        const struct machine *o = CATALOG_ROW(catalog, TABLE_OFFERS, machine, i);

        if (o->fact.current && str_eq(o->provider, p->provider) &&
            str_eq(o->region, p->region) && str_eq(o->instance, p->instance))
            return o->fact.layer > 0 ||
                   (p->market == PLAN_SPOT ? o->list_spot.nano : o->list_on_demand.nano) > 0;
    }
    return p->market == PLAN_OWN;
}

bool plan_again(struct op_context *ctx, const struct plan_result *saved, struct plan_again *out,
                struct error *err)
{
    struct plan_request request = saved->asked;
    struct plan_work *w = arena_array(ctx->arena, struct plan_work, 1, err);
    struct messages messages = ctx->messages;
    struct error why = {0};
    struct str text;
    struct plan best;

    *out = (struct plan_again){.cost = USD_UNKNOWN, .date = DAY_UNKNOWN};
    if (w == NULL)
        return false;
    if (request.jobs.len != 1)
        return give_up(ctx, "the plan does not say of what job it is", out, err);
    text = plan_job_text(ctx, &request);
    if (saved->job_text.len > 0 && text.len == 0)
        return give_up(ctx, "the job's file is not there", out, err);
    out->changed = saved->job_text.len > 0 && !str_eq(saved->job_text, text);
    ctx->messages = (struct messages){0}; /* notes on prices are shown once */
    out->planned = plan_prepare(ctx, &request, request.jobs.at[0], w, &why) &&
                   plan_best(&w->planning, &best, &why);
    ctx->messages = messages;
    if (!out->planned)
        return why.kind == ERROR_MEMORY ? error_memory(err) : give_up(ctx, why.text, out, err);
    out->cost = best.total.expected;
    out->offer = best.place->offer;
    out->market = str_from(plan_market_names[best.place->market]);
    out->date = best.place->date;
    out->own_price = is_own_price(ctx, best.place);
    return true;
}
