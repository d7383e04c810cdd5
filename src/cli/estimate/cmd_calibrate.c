/* stint calibrate */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/estimate/calibrate.h"
#include "unit/shown.h"

static bool write_corrected_part(const struct column *column, const void *row, struct buf *out)
{
    static const char *const words[CORRECTION_COUNT] = {"step time", "memory", "power",
                                                        "start-up", "token time"};

    (void)column;
    buf_adds(out, words[((const struct calibrate_row *)row)->correction.of]);
    return true;
}

static bool write_factor(const struct column *column, const void *row, struct buf *out)
{
    const struct correction *c = &((const struct calibrate_row *)row)->correction;

    (void)column;
    if (c->of == CORRECTION_STARTUP)
        buf_addf(out, "%s s", num_about(c->factor).text);
    else
        buf_addf(out, "%.3f", c->factor);
    return true;
}

static bool write_calibrate_range(const struct column *column, const void *row, struct buf *out)
{
    const struct correction *c = &((const struct calibrate_row *)row)->correction;

    (void)column;
    if (c->of == CORRECTION_STARTUP)
        buf_addf(out, "%s to %s s", num_about(c->low).text, num_about(c->high).text);
    else
        buf_addf(out, "%.3f to %.3f", c->low, c->high);
    return true;
}

static bool write_calibrate_error(const struct column *column, const void *row, struct buf *out)
{
    const struct correction *c = &((const struct calibrate_row *)row)->correction;

    (void)column;
    if (!isnan(c->error_before))
        buf_addf(out, "%.1f -> %s", 100 * c->error_before, percent_text(c->error_after).text);
    return true;
}

static const struct column correction_columns[] = {
    COLUMN_CELL("corrects", write_corrected_part),
    COLUMN("GPU", gpu),
    COLUMN("framework", framework, .unknown = "any"),
    COLUMN("model", model, .unknown = "any"),
    COLUMN("setting", setting, .unknown = "any", .shrink = true),
    COLUMN_CELL("factor", write_factor, .side = COLUMN_RIGHT),
    COLUMN_CELL("range", write_calibrate_range, .side = COLUMN_RIGHT),
    COLUMN("runs", runs),
    COLUMN_CELL("error if left out", write_calibrate_error, .side = COLUMN_RIGHT),
    COLUMN("until now", before, .decimals = 3, .optional = true),
};

/* Why some runs taught nothing: "2 runs recorded no step time: left out". */
static void print_left_out(const struct view *view, const struct calibrate_result *res)
{
    const struct {
        int64_t runs;
        const char *one, *many;
    } reasons[] = {
        {res->without_steps, "run recorded no step time (too short, or no steps printed)",
         "runs recorded no step time (too short, or no steps printed)"},
        {res->far,
         "run had steps more than 2 times as long as predicted, or less than half, and no two "
         "others of its setting agree",
         "runs had steps more than 2 times as long as predicted, or less than half, and no "
         "three of a setting agree"},
        {res->other_gpu, "run was on another GPU than estimated",
         "runs were on another GPU than estimated"},
        {res->unpredicted, "measurement of a server has a model or setting that is not known",
         "measurements of servers have a model or setting that is not known"},
        {res->other, "run was predicted by other constants",
         "runs were predicted by other constants"},
    };

    for (size_t i = 0; i < ARRAY_LEN(reasons); i++)
        if (reasons[i].runs > 0)
            buf_addf(view->out, "%lld %s: left out\n", (long long)reasons[i].runs,
                     reasons[i].runs == 1 ? reasons[i].one : reasons[i].many);
}

static void print_empty(const struct view *view, const struct calibrate_result *res)
{
    if (res->runs == 0 && res->served == 0)
        buf_adds(view->out, "nothing to learn from yet: runs with an estimate ('stint run "
                            "--job JOB', '--plan FILE', or a callback) that completed and "
                            "printed their steps are needed\n");
    else if (res->single > 0 && res->rejected == 0)
        buf_adds(view->out, "one run is not enough to learn from: two or more with the same "
                            "settings are needed\n");
    else
        buf_adds(view->out, "estimates need no correction: none lowers the error of left-out "
                            "runs by a fifth\n");
}

static void print_calibrate(const struct view *view, const void *result)
{
    const struct calibrate_result *res = result;

    if (res->forgotten) {
        buf_adds(view->out, "all corrections are removed: estimates use the constants alone\n");
        return;
    }
    if (res->corrections.len == 0)
        print_empty(view, res);
    else
        view_rows(view, &op_calibrate, res, "corrections", COLUMNS(correction_columns));
    print_left_out(view, res);
    if (res->corrections.len > 0)
        buf_adds(view->out,
                 res->shown ? "nothing was changed; without --show the corrections are stored\n"
                            : "estimates, plans and 'stint infer' use them from now on\n");
}

const struct command cmd_calibrate = {
    .name = "calibrate",
    .op = &op_calibrate,
    .group = {"improve estimates with what your runs measured", .stage = CLI_AFTER},
    .about = "Learns from runs with an estimate (of their job, their plan, or their training "
             "callback) how their steady step time, peak GPU memory and power differ from it, "
             "and how long programs take to start: factors for a "
             "setting of a model, a model, a framework or a GPU. A factor is kept only if it "
             "lowers the error on runs that were left out; a few runs change it little. "
             "Estimates and plans use the factors, and note them.",
    .examples = "stint calibrate\nstint calibrate --show --since 90d\nstint calibrate --forget",
    .print = print_calibrate,
};
