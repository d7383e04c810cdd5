/* maturity, checklist, targets: how costs are handled, by measured facts. */
#include "op/advise/practices.h"

#include "advise/practice/practice_job.h"
#include "base/fs.h"
#include "ledger/budgets.h"
#include "op/advise/practice_facts.h"
#include "op/context.h"
#include "op/job_source.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "report/figures.h"

#define MATURITY_DAYS 90
#define CHECKLIST_DAYS 30
#define TARGETS_DAYS 30
#define TARGETS_DOCUMENT "targets" /* of the ledger */

/* ---- what they share ---- */

/* What is judged: the period, the table of the catalog, and the ledger, which is opened (NULL:
 * there is none) and is closed by the caller. */
static bool open_practices(struct op_context *ctx, const struct days_asked *days, int32_t usual,
                           enum catalog_table table, struct practice_about *about,
                           struct ledger **ledger, struct error *err)
{
    day after;

    *ledger = NULL;
    if (!days_asked_parse(op_today(ctx), days, usual, &about->since, &after, err) ||
        !op_catalog(ctx, TABLE_BIT(table), err) || !op_ledger_there(ctx, ledger, err))
        return false;
    about->until = (day){after.n - 1};
    about->no_ledger = *ledger == NULL;
    if (op_ledger_name(ctx, &about->ledger, err))
        return true;
    ledger_close(*ledger);
    return false;
}

static day after_period(const struct practice_about *about)
{
    return (day){about->until.n + 1};
}

/* ---- maturity ---- */

static const struct field maturity_list[] = {
    OP_PERIOD(maturity_request, days, "90d"),
    FIELD(FLAG, maturity_request, explain, .help = "show evidence, thresholds and sources"),
    FIELD(TEXT, maturity_request, svg, .value = "FILE", .output = true,
          .help = "draw the levels as bars to FILE as SVG"),
};

static bool maturity_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct maturity_request *req = in;
    struct maturity_result *res = out;
    struct practices facts;
    struct ledger *ledger;
    bool ok;

    if (!open_practices(ctx, &req->days, MATURITY_DAYS, TABLE_MATURITY, &res->about, &ledger,
                        err))
        return false;
    res->explain = req->explain;
    res->svg = req->svg;
    ok = op_practices(ctx, ledger, res->about.since, after_period(&res->about), &facts, err) &&
         maturity_judge(&facts, &ctx->catalog.tables[TABLE_MATURITY], ctx->arena,
                        &res->maturity, err);
    ledger_close(ledger);
    return ok && (req->svg.len == 0 || maturity_figure(res, ctx->demo, ctx->arena, err));
}

const struct op op_maturity = {
    .name = "maturity",
    .schema = "stint.maturity/1",
    .summary = "rate cost management practices and suggest next steps",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct maturity_request, maturity_list),
    .result = &maturity_fields,
    .run = maturity_run,
};

/* ---- checklist ---- */

static const struct field checklist_list[] = {
    FIELD(TEXT, checklist_request, phase, .value = "PHASE", .operand = true,
          .help = "phase: data, experiment, before, during, after, evaluation, compression, "
                  "deployment or monthly (default: progress of all)"),
    FIELD(TEXT, checklist_request, job, .value = "JOB", .operand = true,
          .help = "job file to check as well"),
    OP_PERIOD(checklist_request, days, "30d"),
    FIELD(TEXT, checklist_request, md, .value = "FILE", .output = true,
          .help = "write a Markdown task list to FILE"),
};

static bool add_checklist_job(struct op_context *ctx, struct str name, struct practices *facts,
                              struct error *err)
{
    struct job_source source = {.job = name};
    struct job_input input;

    if (!op_job_read(ctx, &source, &input, err))
        return false;
    practices_of_job(&input.given, facts);
    return true;
}

static bool checklist_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct checklist_request *req = in;
    struct checklist_result *res = out;
    struct practices facts;
    struct ledger *ledger;
    struct buf text;
    bool ok;

    if (!open_practices(ctx, &req->days, CHECKLIST_DAYS, TABLE_CHECKLIST, &res->about, &ledger,
                        err))
        return false;
    res->phase = req->phase;
    res->md = req->md;
    ok = op_practices(ctx, ledger, res->about.since, after_period(&res->about), &facts, err) &&
         (req->job.len == 0 || add_checklist_job(ctx, req->job, &facts, err)) &&
         checklist_judge(&facts, &ctx->catalog.tables[TABLE_CHECKLIST], req->phase, ctx->arena,
                         &res->list, err);
    ledger_close(ledger);
    if (!ok || req->md.len == 0)
        return ok;
    text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    checklist_markdown(&res->list, &text);
    return fs_put_buf(req->md, &text, err);
}

const struct op op_checklist = {
    .name = "checklist",
    .schema = "stint.checklist/1",
    .summary = "tick the items that the ledger, the configuration and a job prove",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct checklist_request, checklist_list),
    .result = &checklist_fields,
    .run = checklist_run,
};

/* ---- targets ---- */

static const struct field targets_list[] = {
    OP_PERIOD(targets_request, days, "30d"),
    FIELD(TEXT, targets_request, svg, .value = "FILE", .output = true,
          .help = "draw the scores as bars to FILE as SVG"),
};

static bool read_own_targets(struct ledger *ledger, struct arena *arena, struct rows *out,
                             struct error *err)
{
    struct str text = {0};
    stamp changed;

    return (ledger == NULL ||
            ledger_document(ledger, TARGETS_DOCUMENT, arena, &text, &changed, err)) &&
           targets_read(text, arena, out, err);
}

/* The first day of a period as long, just before it. */
static day period_before(const struct practice_about *about)
{
    return (day){2 * about->since.n - after_period(about).n};
}

static bool targets_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct targets_request *req = in;
    struct targets_result *res = out;
    struct practices now, before;
    struct ledger *ledger;
    struct rows own;
    bool ok;

    if (!open_practices(ctx, &req->days, TARGETS_DAYS, TABLE_TARGETS, &res->about, &ledger,
                        err))
        return false;
    res->svg = req->svg;
    ok =
        read_own_targets(ledger, ctx->arena, &own, err) &&
        op_practices(ctx, ledger, res->about.since, after_period(&res->about), &now, err) &&
        op_practices(ctx, ledger, period_before(&res->about), res->about.since, &before, err) &&
        targets_score(&now, &before, &ctx->catalog.tables[TABLE_TARGETS], &own, ctx->arena,
                      &res->scores, err);
    ledger_close(ledger);
    return ok && (req->svg.len == 0 || targets_figure(res, ctx->demo, ctx->arena, err));
}

const struct op op_targets = {
    .name = "targets",
    .schema = "stint.targets/1",
    .summary = "score goals: cost per LoRA, utilization, budgets",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct targets_request, targets_list),
    .result = &targets_fields,
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
           ledger_document_put(ledger, TARGETS_DOCUMENT, kept, op_user(ctx), op_now(ctx), err);
}

static bool set_target(struct op_context *ctx, struct ledger *ledger,
                       struct targets_set_result *res, struct error *err)
{
    const struct target goal = {.fact = res->fact, .value = res->value};
    struct target *list = arena_array(ctx->arena, struct target, TARGETS_MAX + 1, err);
    struct rows own;

    return list != NULL && read_own_targets(ledger, ctx->arena, &own, err) &&
           put_own(ctx, ledger, list, targets_put(&own, &goal, list, &res->before), err);
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
    size_t kept;

    if (req->all) { /* whatever is there, readable or not */
        res->removed = read_own_targets(ledger, ctx->arena, &own, err) ? (int64_t)own.len : 1;
        *err = (struct error){0};
        return put_own(ctx, ledger, NULL, 0, err);
    }
    if (list == NULL || !read_own_targets(ledger, ctx->arena, &own, err))
        return false;
    kept = targets_without(&own, key, list);
    res->removed = (int64_t)(own.len - kept);
    return kept < own.len
               ? put_own(ctx, ledger, list, kept, err)
               : error_fail_hint(err, ERROR_ABSENT, "'stint targets' lists them",
                                 "you have not set the target '%.*s'", STR_ARG(req->name));
}

static bool targets_remove_run(struct op_context *ctx, const void *in, void *out,
                               struct error *err)
{
    const struct targets_remove_request *req = in;
    struct str key = {0};
    struct ledger *ledger;
    enum practice_fact fact;
    bool ok;

    if (!req->all && req->name.len == 0)
        return error_fail_hint(err, ERROR_USAGE, "'stint targets remove gpu-busy', or --all",
                               "which target?");
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
