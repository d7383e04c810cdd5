/* A search over random requests for plans that an expert would not take: dominated in the
 * columns that are shown, out of order, late, at a price that is too old, or that do not fit.
 * The seed is fixed, and what fails is printed as the request. */
#include "world.h"

#include "base/draw.h"
#include "catalog/price_age.h"
#include "estimate/range.h"
#include "op/context.h"
#include "op/op.h"
#include "op/plan/plan.h"
#include "plan/ranking.h"

#ifdef __OPTIMIZE__
#define REQUESTS 2000
#else
#define REQUESTS 100 /* under sanitizers */
#endif
#define SEED 20261119

static struct world *world;

struct draw {
    char request[600];
    size_t len;
    bool by_cost;  /* nothing is said about time */
    bool deadline; /* is set */
    bool serves;
    double confidence; /* NaN: the default */
};

static void draw_add(struct draw *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void draw_add(struct draw *d, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    d->len += (size_t)vsnprintf(d->request + d->len, sizeof d->request - d->len, fmt, args);
    va_end(args);
    assert_true(d->len < sizeof d->request);
}

static bool draw_chance(uint64_t *seed, double share)
{
    return draw_below(seed, 1000) < (size_t)(1000 * share);
}

#define DRAW_ONE(seed, list) list[draw_below(seed, ARRAY_LEN(list))]

static void draw_job(struct draw *d, uint64_t *seed)
{
    static const char *const small[] = {"bert-base", "gpt2", "resnet-50", "tinyllama-1.1b"};
    static const char *const large[] = {"qwen2.5-7b", "llama-3.1-8b", "llama-2-13b",
                                        "mistral-7b"};
    static const char *const methods[] = {"lora", "qlora", "full"};
    static const char *const amounts[] = {"1M", "10M", "25M", "100M", "1B"};
    static const char *const rates[] = {"1/h", "1/s", "5/s", "40/s"};

    if (draw_chance(seed, 0.05)) { /* each compares all ways to deploy */
        d->by_cost = false;
        d->serves = true;
        draw_add(d, "{\"jobs\":[\"%s\"],\"serve\":true,\"rate\":\"%s\"",
                 draw_chance(seed, 0.5) ? DRAW_ONE(seed, small) : DRAW_ONE(seed, large),
                 DRAW_ONE(seed, rates));
        return;
    }
    if (draw_chance(seed, 0.4)) {
        draw_add(d, "{\"jobs\":[\"%s\"],\"examples\":\"%s\"", DRAW_ONE(seed, small),
                 draw_chance(seed, 0.5) ? "20k" : "400k");
        return;
    }
    draw_add(d, "{\"jobs\":[\"%s\"]", DRAW_ONE(seed, large));
    draw_add(d, ",\"method\":\"%s\"", DRAW_ONE(seed, methods));
    draw_add(d, ",\"tokens\":\"%s\"", DRAW_ONE(seed, amounts));
}

static void draw_limits(struct draw *d, uint64_t *seed)
{
    static const char *const providers[] = {"aws",    "gcp",  "azure", "runpod",
                                            "lambda", "vast", "oci",   "nebius"};
    static const char *const gpus[] = {"H100*",   "A100*", "L4",  "T4",
                                       "RTX4090", "V100*", "L40S"};
    static const char *const markets[] = {"on-demand", "spot", "any"};

    if (draw_chance(seed, 0.97))
        draw_add(d, ",\"provider\":[\"%s\",\"%s\"]", DRAW_ONE(seed, providers),
                 DRAW_ONE(seed, providers));
    if (draw_chance(seed, 0.9))
        draw_add(d, ",\"gpu\":[\"%s\",\"%s\"]", DRAW_ONE(seed, gpus), DRAW_ONE(seed, gpus));
    if (draw_chance(seed, 0.01)) /* each simulates spot, which takes a second */
        draw_add(d, ",\"market\":\"%s\"", DRAW_ONE(seed, markets));
    draw_add(d, ",\"max_gpus\":%d", 1 << draw_below(seed, 4));
    if (d->serves) {
        draw_add(d, "}");
        return;
    }
    if (draw_chance(seed, 0.4)) {
        d->deadline = true;
        draw_add(d, ",\"deadline\":\"%dh\"", 1 << draw_below(seed, 8));
    }
    if (d->deadline && draw_chance(seed, 0.5)) {
        d->confidence = draw_chance(seed, 0.5) ? 0.9 : 0.6;
        draw_add(d, ",\"confidence\":%g", d->confidence);
    }
    if (draw_chance(seed, 0.1)) {
        d->by_cost = false;
        draw_add(d, ",\"value_of_time\":\"%dusd/hr\"", 1 << draw_below(seed, 7));
    }
    draw_add(d, "}");
}

static void check_fits(const struct draw *d, const struct plan_row *best)
{
    struct guess size = {best->memory_gb, best->memory_low_gb, best->memory_high_gb};

    if (!isnan(best->memory_gb) &&
        guess_chance_below(size, best->usable_gb) < FITS_CHANCE - 0.005)
        fail_msg("does not fit: %s", d->request);
}

static void check_late(const struct draw *d, const struct plan_row *best)
{
    double least = best->market == MARKET_SPOT ? PLAN_SURE : PLAN_CONFIDENT;

    if (d->deadline && !(best->on_time >= (isnan(d->confidence) ? least : d->confidence)))
        fail_msg("late: %s", d->request);
}

static bool is_old_row(const struct plan_row *row)
{
    return price_too_old(provider_find(&world->ctx.catalog, row->provider),
                         row->price_age_days);
}

static bool is_said(const struct plan_result *res, const char *part)
{
    for (size_t i = 0; i < res->notes.len; i++)
        if (str_has_nocase(res->notes.at[i], str_from(part)))
            return true;
    return false;
}

/* An old price wins where nothing else can do it, or most are old: then nothing was set aside.
 */
static void check_age(const struct draw *d, const struct plan_result *res,
                      const struct plan_row *best)
{
    if (is_old_row(best) && !is_said(res, "too old to rely on") && !res->mostly_old)
        fail_msg("too old (%lld days): %s", (long long)best->price_age_days, d->request);
    for (size_t i = 0; i < res->plans.len; i++) {
        const struct plan_row *row = &((const struct plan_row *)res->plans.at)[i];

        if (!is_old_row(best) && !res->mostly_old && row->market == best->market &&
            is_old_row(row))
            fail_msg("a row with a price that is too old: %s", d->request);
    }
}

static double shown_cost_of(const struct plan_row *row)
{
    return plan_shown(usd_double(row->cost));
}

static bool is_as_asked(const struct plan_row *row)
{
    return !str_eq(row->role, STR("on spot")) && !str_eq(row->role, STR("on demand")) &&
           !str_eq(row->role, STR("no account")) && !str_eq(row->role, STR("pure bf16")) &&
           !str_eq(row->role, STR("8-bit Adam")) && !str_eq(row->role, STR("fp8 weights"));
}

/* The rows below the best follow by cost; none that is allowed is better in every column. */
static void check_order(const struct draw *d, const struct plan_result *res)
{
    const struct plan_row *rows = res->plans.at;

    for (size_t i = 1; i < res->plans.len; i++) {
        const struct plan_row *row = &rows[i];
        double less = shown_cost_of(&rows[0]) - shown_cost_of(row);

        if (i > 1 && shown_cost_of(row) < shown_cost_of(&rows[i - 1]) * (1 - 1e-9))
            fail_msg("out of order: %s", d->request);
        if (!is_as_asked(row))
            continue;
        if (less >= -1e-9 && row->hours.value < rows[0].hours.value * (1 - 0.005))
            fail_msg("dominated: %s", d->request);
        if (d->by_cost &&
            shown_cost_of(&rows[0]) > shown_cost_of(row) * (1 + CLOSE_COST) * (1 + 1e-6))
            fail_msg("more than 5 %% above the cheapest: %s", d->request);
    }
    for (size_t i = 1; i < res->front.len; i++) {
        const struct plan_row *front = res->front.at;

        if (usd_compare(front[i].cost, front[i - 1].cost) < 0 ||
            front[i].hours.value > front[i - 1].hours.value)
            fail_msg("the front is out of order: %s", d->request);
    }
}

/* Ways to deploy follow by cost, those under a condition last; the best is under none, and its
 * price is not too old where that of another is not. */
static void check_ways(const struct draw *d, const struct plan_result *res)
{
    const struct plan_deployment *rows = res->deployments.at;
    bool last = false;

    for (size_t i = 0; i < res->deployments.len; i++) {
        bool condition = rows[i].condition.len > 0;

        if (rows[i].best != (i == 0))
            fail_msg("not the first is the best: %s", d->request);
        if (last && !condition)
            fail_msg("a way under a condition is above others: %s", d->request);
        if (i > 0 && last == condition && usd_compare(rows[i].cost, rows[i - 1].cost) < 0)
            fail_msg("ways out of order: %s", d->request);
        last = condition;
    }
    if (res->deployments.len > 0 && !is_said(res, "too old to rely on") && !res->mostly_old &&
        price_too_old(provider_find(&world->ctx.catalog, rows[0].provider),
                      rows[0].price_age_days))
        fail_msg("the best way has a price that is too old: %s", d->request);
}

static void check_answer(const struct draw *d, const struct plan_result *res)
{
    const struct plan_row *best = res->plans.at;

    check_ways(d, res);
    if (res->plans.len == 0)
        return;
    check_fits(d, best);
    check_late(d, best);
    check_age(d, res, best);
    check_order(d, res);
}

/* Is there an answer? No plan is one, too; other errors are not. */
static bool ask_plan(const struct draw *d, struct arena *arena, struct plan_result **out)
{
    struct error err = {0};
    struct plan_request *req = arena_array(arena, struct plan_request, 1, &err);
    struct node *root = json_read(str_from(d->request), "request", arena, &err);
    bool done;

    *out = arena_array(arena, struct plan_result, 1, &err);
    assert_true(req != NULL && *out != NULL && root != NULL);
    assert_true(fields_reset(op_plan.request, req, arena, &err));
    if (!fields_from_node(op_plan.request, root, "request", req, arena, &err))
        fail_msg("%s: %s", d->request, err.text);
    done = op_run(&world->ctx, &op_plan, req, *out, &err);
    if (!done && err.kind != ERROR_UNFIT && err.kind != ERROR_ABSENT)
        fail_msg("%s: %s", d->request, err.text);
    return done;
}

static void no_plan_is_one_that_an_expert_would_not_take(void **state)
{
    uint64_t seed = SEED;
    const struct draw first = {
        .request = "{\"jobs\":[\"bert-base\"],\"tokens\":\"1M\",\"region\":[\"us-*\"]}"};
    const struct draw serves = {
        .request = "{\"jobs\":[\"bert-base\"],\"serve\":true,\"rate\":\"1/s\"}"};
    struct plan_result *res;
    size_t answers = 0;

    world = *state;
    assert_true(ask_plan(&first, &world->arena, &res)); /* loads the catalog for all */
    assert_true(ask_plan(&serves, &world->arena, &res));
    for (size_t i = 0; i < REQUESTS; i++) {
        struct draw d = {.by_cost = true, .confidence = NAN};
        struct arena *arena = world->ctx.arena, own = test_arena();

        draw_job(&d, &seed);
        draw_limits(&d, &seed);
        world->ctx.arena = &own;
        if (ask_plan(&d, &own, &res)) {
            check_answer(&d, res);
            answers++;
        }
        world->ctx.arena = arena;
        arena_free(&own);
    }
    print_message("# %zu of %d requests had a plan\n", answers, REQUESTS);
    assert_true(answers > REQUESTS / 2);
}

int group_plan_sound(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_plan_is_one_that_an_expert_would_not_take,
                                        world_make, world_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
