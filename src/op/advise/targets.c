/* targets - goals that the user sets, scored over a period. */
#include "op/advise/targets.h"

#include <math.h>

#include "ledger/budgets.h"
#include "op/advise/practices.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "render/figure.h"

#define DAYS 30
#define TEXT_MAX ((size_t)1 << 12)
#define DOCUMENT "targets" /* of the ledger */

/* ---- targets ---- */

static const struct field request[] = {
    OP_PERIOD(targets_request, days, "30d"),
    FIELD(TEXT, targets_request, svg, .value = "FILE", .output = true,
          .help = "draw the scores as bars to FILE as SVG"),
};

static const struct field result[] = {
    FIELD(DAY, targets_result, since, .help = "first day"),
    FIELD(DAY, targets_result, until, .help = "last day"),
    FIELD(TEXT, targets_result, ledger, .help = "ledger that was read"),
    FIELD(FLAG, targets_result, none_yet, .help = "no ledger exists yet"),
    FIELD_AS("targets", LIST, targets_result, scores.rows, .row = &target_row_fields,
             .help = "targets: yours and the defaults"),
    FIELD_AS("known", COUNT, targets_result, scores.known,
             .help = "targets with a known value"),
    FIELD_AS("met", COUNT, targets_result, scores.met, .help = "targets that are met"),
    FIELD_AS("score", NUMBER, targets_result, scores.score,
             .help = "mean of the known scores, 0 to 1"),
    FIELD(TEXT, targets_result, svg, .help = "file that was written"),
};

static bool read_own_targets(struct ledger *ledger, struct arena *arena, struct rows *out,
                             struct error *err)
{
    struct str text = {0};
    stamp changed;

    return (ledger == NULL || ledger_document(ledger, DOCUMENT, arena, &text, &changed, err)) &&
           targets_read(text, arena, out, err);
}

/* "(62 %, goal 80 %)" */
static bool write_target_bar_note(const struct target_row *r, struct arena *arena,
                                  struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, TEXT_MAX);

    buf_char(&text, '(');
    if (isnan(r->value))
        buf_adds(&text, "not known");
    else
        practice_write(r->unit, r->value, &text);
    buf_adds(&text, ", goal ");
    practice_write(r->unit, r->goal, &text);
    buf_char(&text, ')');
    return buf_keep(&text, arena, out, err);
}

static bool draw_targets(struct op_context *ctx, const struct targets_result *res,
                         struct error *err)
{
    const struct target_row *rows = res->scores.rows.at;
    size_t count = res->scores.rows.len;
    struct figure_point *bars = arena_array(ctx->arena, struct figure_point, count + 1, err);
    struct figure_series series = {.at = bars, .len = count};
    struct figure figure = {.kind = FIGURE_BARS,
                            .title = STR("Targets: how far they are reached"),
                            .y = {.label = STR("score"), .unit = FIGURE_SHARE, .to = 1},
                            .series = &series,
                            .series_count = 1};

    if (bars == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        bars[i] = (struct figure_point){
            .label = rows[i].label, .y = rows[i].score, .marked = rows[i].state == TARGET_MET};
        if (!write_target_bar_note(&rows[i], ctx->arena, &bars[i].note, err))
            return false;
    }
    return practices_draw(ctx, &figure, res->since, res->until, res->svg, err);
}

static bool targets_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct targets_request *req = in;
    struct targets_result *res = out;
    struct practices now, before;
    struct ledger *ledger = NULL;
    struct rows own;
    bool ok;

    if (!days_asked_parse(op_today(ctx), &req->days, DAYS, &res->since, &res->until, err) ||
        !op_catalog(ctx, TABLE_BIT(TABLE_TARGETS), err) || !op_ledger_there(ctx, &ledger, err))
        return false;
    res->none_yet = ledger == NULL;
    res->ledger = op_ledger_shown(ctx);
    res->svg = req->svg;
    ok = read_own_targets(ledger, ctx->arena, &own, err) &&
         op_practices(ctx, ledger, res->since, res->until, &now, err) &&
         op_practices(ctx, ledger, (day){2 * res->since.n - res->until.n}, res->since, &before,
                      err) &&
         targets_score(&now, &before, &ctx->catalog.tables[TABLE_TARGETS], &own, ctx->arena,
                       &res->scores, err);
    ledger_close(ledger);
    res->until.n--;
    return ok && (req->svg.len == 0 || draw_targets(ctx, res, err));
}

const struct op op_targets = {
    .name = "targets",
    .schema = "stint.targets/1",
    .summary = "score goals: cost per LoRA, utilization, budgets",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct targets_request, request),
    .result = &(const struct field_set)FIELD_SET(struct targets_result, result),
    .run = targets_run,
};

/* ---- targets.set and targets.remove ---- */

static const struct field set_request[] = {
    FIELD(TEXT, targets_set_request, name, .value = "NAME", .operand = true, .required = true,
          .help = "fact to set a goal for: gpu-busy, cost-per-lora, budget-used, ..."),
    FIELD(TEXT, targets_set_request, value, .value = "VALUE", .operand = true, .required = true,
          .help = "goal: 80%, 2usd, 4h"),
};

static const struct field set_result[] = {
    FIELD(TEXT, targets_set_result, fact, .help = "key of the fact"),
    FIELD(TEXT, targets_set_result, label, .help = "label in words"),
    FIELD(ENUM, targets_set_result, unit, .names = practice_unit_names,
          .help = "unit of the goal"),
    FIELD_AS("less_is_better", FLAG, targets_set_result, less,
             .help = "lower values are better: the goal is a maximum"),
    FIELD(NUMBER, targets_set_result, value, .help = "goal that was set"),
    FIELD(NUMBER, targets_set_result, before, .help = "goal that was replaced"),
};

static const struct field remove_request[] = {
    FIELD(TEXT, targets_remove_request, name, .value = "NAME", .operand = true,
          .help = "goal to remove; its default applies again, if any"),
    FIELD(FLAG, targets_remove_request, all, .help = "remove all of your goals"),
};

static const struct field remove_result[] = {
    FIELD(COUNT, targets_remove_result, removed, .help = "removed goals"),
};

static bool put_own(struct op_context *ctx, struct ledger *ledger, const struct target *own,
                    size_t count, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, (size_t)1 << 16);
    struct str kept;

    targets_write(own, count, &text);
    return buf_keep(&text, ctx->arena, &kept, err) &&
           ledger_document_put(ledger, DOCUMENT, kept, op_user(ctx), op_now(ctx), err);
}

static bool set_target(struct op_context *ctx, struct ledger *ledger,
                       struct targets_set_result *res, struct error *err)
{
    struct target *list = arena_array(ctx->arena, struct target, TARGETS_MAX + 1, err);
    struct rows own;
    size_t i = 0;

    if (list == NULL || !read_own_targets(ledger, ctx->arena, &own, err))
        return false;
    for (size_t k = 0; k < own.len; k++)
        list[k] = ((const struct target *)own.at)[k];
    while (i < own.len && !str_eq(list[i].fact, res->fact))
        i++;
    res->before = i < own.len ? list[i].value : NAN;
    list[i] = (struct target){.fact = res->fact, .value = res->value};
    return put_own(ctx, ledger, list, i < own.len ? own.len : own.len + 1, err);
}

static bool targets_set_run(struct op_context *ctx, const void *in, void *out,
                            struct error *err)
{
    const struct targets_set_request *req = in;
    struct targets_set_result *res = out;
    struct ledger *ledger;
    enum practice_fact fact;
    bool ok;

    if (!practice_find(req->name, &fact))
        return practice_unknown("target", req->name, err);
    if (!practice_parse(fact, req->value, &res->value, err))
        return false;
    res->fact = str_from(practice_infos[fact].key);
    res->label = str_from(practice_infos[fact].label);
    res->unit = practice_infos[fact].unit;
    res->less = practice_infos[fact].less;
    ledger = op_ledger(ctx, LEDGER_WRITE, err);
    ok = ledger != NULL && set_target(ctx, ledger, res, err);
    ledger_close(ledger);
    return ok;
}

static bool remove_targets(struct op_context *ctx, struct ledger *ledger,
                           const struct targets_remove_request *req, struct str key,
                           struct targets_remove_result *res, struct error *err)
{
    struct target *list = arena_array(ctx->arena, struct target, TARGETS_MAX, err);
    struct rows own = {0};
    size_t kept = 0;

    if (req->all) { /* whatever is there, readable or not */
        res->removed = read_own_targets(ledger, ctx->arena, &own, err) ? (int64_t)own.len : 1;
        *err = (struct error){0};
        return put_own(ctx, ledger, NULL, 0, err);
    }
    if (list == NULL || !read_own_targets(ledger, ctx->arena, &own, err))
        return false;
    for (size_t i = 0; i < own.len; i++)
        if (!str_eq(((const struct target *)own.at)[i].fact, key))
            list[kept++] = ((const struct target *)own.at)[i];
    res->removed = (int64_t)(own.len - kept);
    if (kept < own.len)
        return put_own(ctx, ledger, list, kept, err);
    error_set(err, ERROR_ABSENT, "you have not set the target '%.*s'", STR_ARG(req->name));
    error_hint(err, "'stint targets' lists them");
    return false;
}

static bool targets_remove_run(struct op_context *ctx, const void *in, void *out,
                               struct error *err)
{
    const struct targets_remove_request *req = in;
    struct str key = {0};
    struct ledger *ledger;
    enum practice_fact fact;
    bool ok;

    if (!req->all && req->name.len == 0) {
        error_set(err, ERROR_USAGE, "which target?");
        error_hint(err, "'stint targets remove gpu-busy', or --all");
        return false;
    }
    if (req->name.len > 0 && !practice_find(req->name, &fact))
        return practice_unknown("target", req->name, err);
    if (req->name.len > 0)
        key = str_from(practice_infos[fact].key);
    ledger = op_ledger(ctx, LEDGER_CHANGE, err);
    ok = ledger != NULL && remove_targets(ctx, ledger, req, key, out, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_targets_set = {
    .name = "targets.set",
    .schema = "stint.targets.set/1",
    .summary = "set a goal",
    .request = &(const struct field_set)FIELD_SET(struct targets_set_request, set_request),
    .result = &(const struct field_set)FIELD_SET(struct targets_set_result, set_result),
    .remote = OP_ADMIN,
    .changes = true,
    .run = targets_set_run,
};

const struct op op_targets_remove = {
    .name = "targets.remove",
    .schema = "stint.targets.remove/1",
    .summary = "remove a goal",
    .request =
        &(const struct field_set)FIELD_SET(struct targets_remove_request, remove_request),
    .result = &(const struct field_set)FIELD_SET(struct targets_remove_result, remove_result),
    .remote = OP_ADMIN,
    .changes = true,
    .run = targets_remove_run,
};
