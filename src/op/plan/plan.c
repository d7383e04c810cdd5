/* plan - where, on what, how and when to run a job. */
#include "op/plan/plan.h"

#include "op/context.h"
#include "op/op.h"
#include "op/plan/plan_data.h"
#include "op/plan/plan_write.h"
#include "op/plan/platforms.h"
#include "op/plan/prepare.h"
#include "op/step.h"
#include "plan/deploy.h"
#include "plan/rent_command.h"
#include "plan/several.h"
#include "report/plan_figure.h"

#define NS_PER_MS 1e6

/* By which a run of this plan is known to have been predicted. */
static bool keep_version(const struct constants *constants, struct arena *arena,
                         struct plan_result *res, struct error *err)
{
    char version[CONSTANTS_VERSION];

    constants_version(constants, version);
    return str_keep(str_from(version), arena, &res->constants, err);
}

static void add_price_dates(const struct plan_work *w, struct plan_result *res)
{
    res->prices_from = w->gathered.age.oldest;
    res->prices_to = w->gathered.age.newest;
}

/* No way is within the budget: what the cheapest costs. */
static void hint_budget(struct op_context *ctx, struct planning *p, struct error *err)
{
    usd budget = p->problem.limits.budget;
    struct plan_result res = {0};
    struct error ignored = {0};
    struct plan best;
    const struct plan_deployment *cheapest;
    bool found;

    if (budget.nano == MONEY_UNKNOWN)
        return;
    p->problem.limits.budget = USD_UNKNOWN;
    found = plan_best(p, &best, &ignored);
    if (plan_add_deployments(ctx, p, found ? &best : NULL, &res, &ignored) &&
        res.deployments.len > 0) {
        cheapest = res.deployments.at;
        error_hint(err, "budget $%.2f would allow one (%.*s, %.*s)", usd_double(cheapest->cost),
                   STR_ARG(cheapest->deployment), STR_ARG(cheapest->offer));
    }
    p->problem.limits.budget = budget;
}

/* How much was looked at, and which limits left places out. */
static void log_search(const struct op_context *ctx, const struct planning *p)
{
    static const char *const bars[BAR_COUNT] = {"account",    "provider", "region",
                                                "GPU",        "market",   "reliability",
                                                "commitment", "software", "age of the price"};
    struct search_counts counts = search_count(p->search);
    struct buf text;

    if (!op_logs(ctx))
        return;
    text = buf_new(ctx->arena->alloc, 400);
    for (int bar = 0; bar < BAR_COUNT; bar++) {
        size_t barred = 0;

        for (size_t i = 0; i < p->place_count; i++)
            barred += (p->places[i].bars & 1U << bar) != 0;
        if (barred > 0)
            buf_addf(&text, "%s%zu by %s", text.len > 0 ? ", " : "", barred, bars[bar]);
    }
    op_log(ctx, "limits: of %zu places left out: %.*s", p->place_count,
           text.len > 0 ? (int)text.len : 4, text.len > 0 ? text.at : "none");
    op_log(ctx, "search: %zu configurations computed, %zu ruled out by a bound",
           counts.settings, counts.pruned);
    buf_free(&text);
}

/* `found`: there is a best plan. A model may be deployed without one. */
static bool answer_job(struct op_context *ctx, struct planning *p, struct plan *best,
                       bool *found, struct plan_result *res, struct error *err)
{
    struct op_step step = op_step_begin(ctx);
    struct error unfit = {0};
    const struct plan *plan;

    *found = plan_best(p, best, &unfit);
    log_search(ctx, p);
    op_step_end(&step, "search: %s", *found ? "a best plan of GPU machines" : unfit.text);
    plan = *found ? best : NULL;
    if (!*found && unfit.kind != ERROR_UNFIT) {
        *err = unfit;
        return false;
    }
    if (!plan_add_deployments(ctx, p, plan, res, err))
        return false;
    if (!*found && res->deployments.len == 0) {
        *err = unfit;
        hint_budget(ctx, p, err);
        return false;
    }
    return plan_answer(p, plan, res, err) &&
           (plan == NULL || plan_add_cpu(ctx, p, plan, res, err)) &&
           keep_version(p->constants, ctx->arena, res, err);
}

/* The best plan rests on an old price: that is worth more than how many others are old. */
static void warn_old_price(const struct op_context *ctx, const struct plan_row *best)
{
    struct buf text = buf_new(&alloc_system, 200);

    buf_addf(&text, "%lld days old", (long long)best->price_age_days);
    if (best->price_low.nano < best->price_high.nano) {
        buf_adds(&text, ", 80 % range ");
        usd_per_hour_write(best->price_low, &text);
        buf_adds(&text, " to ");
        usd_per_hour_write(best->price_high, &text);
    }
    message_warn(
        &ctx->messages,
        "the price of the best plan is %.*s; 'stint price fetch skypilot' updates prices",
        (int)text.len, text.at != NULL ? text.at : "old");
    buf_free(&text);
}

/* Where something else than machines with GPUs serves best; NULL otherwise. */
static const struct plan_deployment *best_other_deployment(const struct plan_result *res)
{
    const struct plan_deployment *best = res->deployments.at;

    if (res->deployments.len == 0 ||
        str_eq(best->deployment, str_from(deployment_names[DEPLOY_GPU])))
        return NULL;
    return best;
}

/* Of what is paid by use no feed has prices. */
static void warn_old_deployment(const struct op_context *ctx,
                                const struct plan_deployment *best)
{
    bool by_use = best->price.nano == MONEY_UNKNOWN;

    if (best->price_age_days <= ctx->settings->stale_after.ns / (24 * SPAN_HOUR))
        return;
    message_warn(&ctx->messages, "the price of the best deployment is %lld days old; %s",
                 (long long)best->price_age_days,
                 by_use ? "compare it with the provider's price list"
                        : "'stint price fetch skypilot' updates prices");
}

/* Which price decided, and how much was looked at. */
static void log_best(const struct op_context *ctx, const struct planning *p,
                     const struct plan_place *place)
{
    const struct machine *m = place->machine;
    struct buf text;

    if (!op_logs(ctx))
        return;
    text = buf_new(ctx->arena->alloc, 400);
    usd_per_hour_write(place->price, &text);
    buf_adds(&text, " from ");
    day_write(place->date, &text);
    op_log(ctx, "price chosen: %.*s %s at %.*s; %.*s; of %zu places", STR_ARG(m->name),
           market_names[place->market], (int)text.len, text.at != NULL ? text.at : "",
           STR_ARG(m->fact.source), p->place_count);
    buf_free(&text);
}

static bool plan_one_job(struct op_context *ctx, const struct plan_request *request,
                         struct plan_result *res, struct error *err)
{
    instant began = ctx->clock->now(ctx->clock->ctx);
    const struct plan_deployment *deployed;
    struct plan_work w;
    struct plan best;
    bool found, all_old;

    if (!plan_prepare(ctx, request, request->jobs.at[0], &w, err) ||
        !answer_job(ctx, &w.planning, &best, &found, res, err))
        return false;
    add_price_dates(&w, res);
    res->not_used = w.job.job.tool_unused;
    if (w.job.data != NULL && !op_job_data_keep(ctx, &w.job, &res->asked.source.set, err))
        return false;
    if (!plan_add_platforms(ctx, request, request->jobs.at[0], &w, res, err))
        return false;
    if (!plan_add_data(ctx, &w, found ? &best : NULL, request->jobs.at[0], res, err))
        return false;
    res->offers = (int64_t)w.gathered.facts.offers;
    res->search_ms =
        (double)span_between(began, ctx->clock->now(ctx->clock->ctx)).ns / NS_PER_MS;
    if (found && !plan_rent_command(&best, res->plans.at, ctx->arena, &res->rent_command, err))
        return false;
    if (found)
        log_best(ctx, &w.planning, best.place);
    if (!plan_write(ctx, &w.planning, found ? &best : NULL, res, err))
        return false;
    deployed = best_other_deployment(res);
    all_old = w.gathered.age.newest_days > OLD_PRICE_DAYS;
    if (!all_old && deployed != NULL)
        warn_old_deployment(ctx, deployed);
    else if (!all_old && found && best.place->trust.stale)
        warn_old_price(ctx, res->plans.at);
    else
        op_price_age_warn(ctx, &w.gathered.age);
    return true;
}

/* Of several jobs, with the name of each: "a.yaml: use_galore". */
static bool keep_unused_of_all(const struct plan_request *request,
                               const struct plan_work *works, struct arena *arena,
                               struct plan_result *res, struct error *err)
{
    struct str *all;
    size_t count = 0;

    for (size_t i = 0; i < request->jobs.len; i++)
        count += works[i].job.job.tool_unused.len;
    all = arena_array(arena, struct str, count, err);
    if (all == NULL)
        return false;
    for (size_t i = 0; i < request->jobs.len; i++) {
        const struct strs *keys = &works[i].job.job.tool_unused;
        struct str name = job_shown(request->jobs.at[i]);

        for (size_t j = 0; j < keys->len; j++) {
            struct buf text = buf_new(arena->alloc, JOB_MAX);

            buf_addf(&text, "%.*s: %.*s", STR_ARG(name), STR_ARG(keys->at[j]));
            if (!buf_keep(&text, arena, &all[res->not_used.len], err))
                return false;
            res->not_used = (struct strs){all, res->not_used.len + 1};
        }
    }
    return true;
}

static bool plan_several_jobs(struct op_context *ctx, const struct plan_request *request,
                              struct plan_result *res, struct error *err)
{
    struct several s = {.arena = ctx->arena,
                        .messages = &ctx->messages,
                        .request = request,
                        .count = request->jobs.len};
    struct plan_request each = *request;
    struct plan_work *works;

    if (!several_check(request, &ctx->messages, err))
        return false;
    works = arena_array(ctx->arena, struct plan_work, s.count, err);
    s.works = arena_array(ctx->arena, struct planning *, s.count, err);
    s.bests = arena_array(ctx->arena, struct plan, s.count, err);
    if (works == NULL || s.works == NULL || s.bests == NULL)
        return false;
    each.budget = USD_UNKNOWN; /* it is for all jobs together */
    for (size_t i = 0; i < s.count; i++) {
        s.works[i] = &works[i].planning;
        if (!plan_prepare(ctx, &each, request->jobs.at[i], &works[i], err)) {
            plan_name_job(err, job_shown(request->jobs.at[i]));
            return false;
        }
        if (!several_add(&s, i, err))
            return false;
    }
    add_price_dates(&works[0], res);
    if (!several_plan(&s, res, err) ||
        !keep_unused_of_all(request, works, ctx->arena, res, err))
        return false;
    op_price_age_warn(ctx, &works[0].gathered.age);
    return true;
}

/* "stint plan JOB --write-config deepspeed BASE": the second is no job if it has the name of a
 * configuration, or is a file that is none of a job. */
static bool take_plan_base(struct op_context *ctx, struct plan_request *request,
                           struct error *err)
{
    static const char *const endings[] = {".json", ".yaml", ".yml", ".toml"};
    struct str last = request->jobs.len == 2 ? request->jobs.at[1] : (struct str){0};
    char *path = str_dup(last, ctx->arena, err);
    bool file;

    if (path == NULL)
        return false;
    file = last.len > 0 && op_file_exists(ctx, path);
    for (size_t i = 0; i < ARRAY_LEN(endings); i++)
        file |= str_ends(last, str_from(endings[i]));
    if (request->write_config.len > 0 && request->base.len == 0 && file)
        request->base = request->jobs.at[--request->jobs.len];
    return true;
}

static bool plan_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct plan_request request = *(const struct plan_request *)in;
    struct plan_result *res = out;

    if (!take_plan_base(ctx, &request, err))
        return false;
    if (request.aim.len == 0 && request.value_of_time.nano == MONEY_UNKNOWN)
        request.value_of_time = ctx->settings->value_of_time;
    res->asked = request;
    /* A recheck writes nothing; but it plans for the software of a configuration. */
    res->asked.save = res->asked.csv = res->asked.svg = (struct str){0};
    res->asked.base = res->asked.output = (struct str){0};
    res->asked.force = false;
    if (!plan_check_output(ctx, &request, err))
        return false;
    if (request.source.data.len > 0 && (request.jobs.len > 1 || request.queue))
        return error_fail_hint(err, ERROR_USAGE, "write data: {path: DIR} into each job file",
                               "--data is for one job");
    if (request.jobs.len > 1 || request.queue ? !plan_several_jobs(ctx, &request, res, err)
                                              : !plan_one_job(ctx, &request, res, err))
        return false;
    return request.svg.len == 0 || plan_figure_write(res, request.svg, ctx->arena, err);
}

const struct op op_plan = {
    .name = "plan",
    .schema = PLAN_SCHEMA,
    .summary = "find the cheapest way to run a job, and explain it",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &plan_request_fields,
    .result = &plan_result_fields,
    .run = plan_run,
};
