#include "op/plan/platforms.h"

#include <math.h>
#include <stdlib.h>

#include "op/context.h"
#include "op/plan/prepare.h"

#define CLOUDS_MAX 16

struct platforms {
    struct op_context quiet; /* what was said of the plan is not said again */
    const struct plan_request *request;
    const struct plan_work *asked; /* the answer that the rows are beside */
    struct str job;
    struct plan_platform *rows;
    size_t count;
};

/* The best plan of a request; `found` is false when there is none. The same prices are too old
 * as in the answer: rows of one table are compared. */
static bool find_best_plan(struct platforms *p, const struct plan_request *request,
                           struct plan_row *out, bool *found, struct error *err)
{
    struct plan_work *w = arena_array(p->quiet.arena, struct plan_work, 1, err);
    struct error unfit = {0};
    struct plan best;

    *found = false;
    if (w == NULL)
        return false;
    if (!plan_prepare_like(&p->quiet, request, p->job, p->asked, w, &unfit) ||
        !plan_best(&w->planning, &best, &unfit)) {
        if (unfit.kind != ERROR_MEMORY)
            return true; /* not there, or not within the limits */
        *err = unfit;
        return false;
    }
    *found = true;
    return plan_row_of(&w->planning, &best, "best", NULL, out, err);
}

static struct plan_platform platform_of(const struct plan_row *plan, struct str name)
{
    return (struct plan_platform){.name = name,
                                  .plan = *plan,
                                  .plain = USD_UNKNOWN,
                                  .more = USD_UNKNOWN,
                                  .notebook_low = USD_PER_HOUR_UNKNOWN,
                                  .notebook_high = USD_PER_HOUR_UNKNOWN};
}

/* The clouds whose machines a platform uses: its own, or several. */
static struct strs clouds_of(const struct managed *m, struct str room[CLOUDS_MAX])
{
    struct str rest = m->clouds;
    size_t count = 0;

    while (rest.len > 0 && count < CLOUDS_MAX)
        room[count++] = str_cut(&rest, ' ');
    if (count == 0)
        room[count++] = m->provider;
    return (struct strs){room, count};
}

static bool add_platform(struct platforms *p, const struct managed *m, struct error *err)
{
    struct plan_request ask = *p->request;
    struct plan_platform *row = &p->rows[p->count];
    struct str clouds[CLOUDS_MAX];
    struct plan_row managed, plain;
    bool found;

    if (!(m->training_markup >= 0))
        return true;
    ask.platform = m->product;
    if (!find_best_plan(p, &ask, &managed, &found, err))
        return false;
    if (!found)
        return true;
    *row = platform_of(&managed, m->product);
    row->asked = plan_platform_is(p->request->platform, m->product);
    row->markup = m->training_markup;
    row->plan.price = usd_per_hour_scaled(managed.price, 1 + m->training_markup);
    row->notebook_low = m->notebook_low_usd_h;
    row->notebook_high = m->notebook_high_usd_h;
    row->includes = m->includes;
    ask.platform = (struct str){0};
    ask.providers = clouds_of(m, clouds);
    if (!find_best_plan(p, &ask, &plain, &found, err))
        return false;
    if (found) {
        row->plain = plain.cost;
        row->more = usd_less(managed.cost, plain.cost);
    }
    p->count++;
    return true;
}

static int by_platform_cost(const void *a, const void *b)
{
    const struct plan_platform *x = a, *y = b;

    return usd_compare(x->plan.cost, y->plan.cost);
}

bool plan_add_platforms(const struct op_context *ctx, const struct plan_request *request,
                        struct str job, const struct plan_work *asked, struct plan_result *res,
                        struct error *err)
{
    const struct rows *table = &ctx->catalog.tables[TABLE_MANAGED];
    struct platforms p = {.quiet = *ctx, .request = request, .asked = asked, .job = job};
    struct plan_request plain = *request;
    struct plan_row best;
    bool found;

    if (request->platform.len == 0 || !str_eq(res->kind, STR("train")))
        return true;
    p.quiet.messages = (struct messages){0};
    p.rows = arena_array(ctx->arena, struct plan_platform, table->len + 1, err);
    if (p.rows == NULL)
        return false;
    for (size_t i = 0; i < table->len; i++)
        if (!add_platform(&p, CATALOG_ROW(&ctx->catalog, TABLE_MANAGED, managed, i), err))
            return false;
    plain.platform = (struct str){0};
    if (!find_best_plan(&p, &plain, &best, &found, err))
        return false;
    if (found)
        p.rows[p.count++] = platform_of(&best, STR("plain machine"));
    qsort(p.rows, p.count, sizeof *p.rows, by_platform_cost);
    res->platforms = (struct rows){p.rows, p.count};
    return true;
}
