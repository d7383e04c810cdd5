/* checkpoints.best - the best, and the one that is nearly as good for less money. */
#include <math.h>

#include "op/context.h"
#include "op/op.h"
#include "op/run/checkpoints.h"

static const struct field request[] = {
    CHECKPOINTS_FIELDS(checkpoints_best_request, true),
    FIELD(SHARE, checkpoints_best_request, within, .value = "SHARE", .fallback = "1%",
          .help = "of the best metric: as good as the best"),
};

static const struct field step_fields[] = {
    FIELD(TEXT, checkpoint_step, name, .help = "better than all before it"),
    FIELD(NUMBER, checkpoint_step, step, .help = "from its name"),
    FIELD(NUMBER, checkpoint_step, metric, .help = "as asked for"),
    FIELD(NUMBER, checkpoint_step, gain, .help = "over the best before, as a share of that"),
    FIELD(USD, checkpoint_step, cost, .help = "of the run until then; null: unknown"),
    FIELD(USD, checkpoint_step, more, .help = "since the best before it"),
    FIELD(USD, checkpoint_step, marginal, .help = "for each 1 % that the metric got better"),
};

static const struct field_set step_set = FIELD_SET(struct checkpoint_step, step_fields);

static const struct field result[] = {
    FIELD(TEXT, checkpoints_best_result, folder, .help = "that was looked at"),
    FIELD(TEXT, checkpoints_best_result, metric, .help = "that was asked for"),
    FIELD(RECORD, checkpoints_best_result, best, .row = &checkpoint_view_fields,
          .help = "by the metric, of those that are whole"),
    FIELD(RECORD, checkpoints_best_result, thrifty, .row = &checkpoint_view_fields,
          .help = "as good, for the least money; the oldest where costs are unknown"),
    FIELD(FLAG, checkpoints_best_result, differ, .help = "they are not the same"),
    FIELD(NUMBER, checkpoints_best_result, worse, .help = "is its metric, as a share"),
    FIELD(USD, checkpoints_best_result, saved, .help = "by stopping there; null: unknown"),
    FIELD(NUMBER, checkpoints_best_result, saved_share, .help = "of the best one's cost"),
    FIELD(COUNT, checkpoints_best_result, without, .help = "checkpoints without the metric"),
    FIELD(LIST, checkpoints_best_result, steps, .row = &step_set,
          .help = "each that was better than all before it, and what that took"),
};

static usd less(usd a, usd b)
{
    if (a.nano == MONEY_UNKNOWN || b.nano == MONEY_UNKNOWN)
        return USD_UNKNOWN;
    return (usd){a.nano - b.nano};
}

/* How much better, as a share; negative: worse. */
static double gain(double from, double to, bool greater)
{
    double better = greater ? to - from : from - to;

    return from != 0 ? better / fabs(from) : NAN;
}

static bool list_steps(struct op_context *ctx, const struct checkpoints_seen *seen,
                       struct checkpoints_best_result *res, struct error *err)
{
    struct checkpoint_step *rows =
        arena_array(ctx->arena, struct checkpoint_step, seen->count, err);
    size_t count = 0;

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < seen->count; i++) {
        const struct checkpoint *c = &seen->list[i];
        const struct checkpoint_step *last = count > 0 ? &rows[count - 1] : NULL;
        double better;

        if (isnan(c->metric) || !checkpoint_whole(c, seen->rules.settle_s, seen->now_ns) ||
            (last != NULL &&
             (seen->rules.greater ? c->metric <= last->metric : c->metric >= last->metric)))
            continue;
        rows[count] = (struct checkpoint_step){.name = c->name,
                                               .step = c->step,
                                               .metric = c->metric,
                                               .gain = NAN,
                                               .cost = c->cost,
                                               .more = USD_UNKNOWN,
                                               .marginal = USD_UNKNOWN};
        if (last != NULL) {
            better = gain(last->metric, c->metric, seen->rules.greater);
            rows[count].gain = better;
            rows[count].more = less(c->cost, last->cost);
            rows[count].marginal = usd_from(usd_double(rows[count].more) / (better * 100));
        }
        count++;
    }
    res->steps = (struct rows){rows, count};
    return true;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct checkpoints_best_request *req = in;
    struct checkpoints_best_result *res = out;
    const struct checkpoint *best = NULL, *thrifty;
    struct checkpoints_ask ask = req->ask;
    struct checkpoints_seen seen;

    ask.keep = CHECKPOINT_KEEP;
    if (!checkpoints_see(ctx, &ask, &seen, err))
        return false;
    res->without = 0;
    for (size_t i = 0; i < seen.count; i++) {
        best = seen.list[i].best ? &seen.list[i] : best;
        res->without += isnan(seen.list[i].metric);
    }
    thrifty = checkpoints_thrifty(seen.list, seen.count, &seen.rules, req->within);
    if (best == NULL || thrifty == NULL) {
        error_set(err, ERROR_ABSENT, "no whole checkpoint in '%s' tells '%.*s'", seen.folder,
                  STR_ARG(seen.rules.metric));
        error_hint(err, "it is looked for in names (val_loss=0.12), in trainer_state.json and "
                        "in the ledger: 'stint run --checkpoints DIR' records it");
        return false;
    }
    res->folder = ask.folder;
    res->metric = seen.rules.metric;
    res->differ = best != thrifty;
    res->worse = -gain(best->metric, thrifty->metric, seen.rules.greater);
    res->saved = less(best->cost, thrifty->cost);
    if (res->saved.nano != MONEY_UNKNOWN && best->cost.nano > 0)
        res->saved_share = usd_double(res->saved) / usd_double(best->cost);
    return checkpoint_show(ctx, &seen, best, &res->best, err) &&
           checkpoint_show(ctx, &seen, thrifty, &res->thrifty, err) &&
           list_steps(ctx, &seen, res, err);
}

const struct op op_checkpoints_best = {
    .name = "checkpoints.best",
    .schema = "stint.checkpoints.best/1",
    .summary = "show the best checkpoint and a cheaper one close to it",
    .request = &(const struct field_set)FIELD_SET(struct checkpoints_best_request, request),
    .result = &(const struct field_set)FIELD_SET(struct checkpoints_best_result, result),
    .run = run,
};
