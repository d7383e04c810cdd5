/* stint validate */
#include <math.h>

#include "cli/commands.h"
#include "cli/view.h"
#include "op/estimate/validate.h"
#include "op/op.h"
#include "unit/shown.h"

static void print_scores(const struct view *view, const char *title,
                         const struct table_rows *scores)
{
    const struct column columns[] = {
        COLUMN(title, name, .shrink = true, .unknown = "(none)"),
        COLUMN("rows", rows),
        COLUMN("scored", scored),
        COLUMN("median error", median_ape, .form = COLUMN_PERCENT, .decimals = 1),
        COLUMN("90th pct.", p90_ape, .form = COLUMN_PERCENT, .decimals = 1),
        COLUMN("pred/meas", median_ratio, .decimals = 3),
        COLUMN("in range", inside_range, .form = COLUMN_PERCENT),
    };

    columns_print(COLUMNS(columns), scores, &view->term, view->arena, view->out);
    buf_char(view->out, '\n');
}

static void print_score_list(const struct view *view, const char *title, const void *result,
                             const char *name)
{
    struct table_rows scores = field_rows(op_validate.result, name, result);

    print_scores(view, title, &scores);
}

static void print_reasons(const struct view *view, const struct rows *rows)
{
    const struct validate_reason *reasons = rows->at;

    if (rows->len == 0)
        return;
    buf_adds(view->out, "not scored:\n");
    for (size_t i = 0; i < rows->len; i++) {
        buf_addf(view->out, "  %6lld  ", (long long)reasons[i].rows);
        buf_add_safe(view->out, reasons[i].reason);
        buf_char(view->out, '\n');
    }
    buf_char(view->out, '\n');
}

static bool write_constant(const struct column *column, const void *row, struct buf *out)
{
    const struct validate_constant *c = row;

    buf_addf(out, "%.4g", column->index == 0 ? c->before : c->after);
    return true;
}

static void print_constants(const struct view *view, const struct validate_result *res)
{
    static const struct column columns[] = {
        COLUMN("constant", name),
        COLUMN("before", before, .cell = write_constant, .index = 0),
        COLUMN("fitted", after, .cell = write_constant, .index = 1),
    };

    if (res->validation.constants.len == 0)
        return;
    view_rows(view, &op_validate, res, "constants", COLUMNS(columns));
    buf_char(view->out, '\n');
}

/* Predicted cost without the source of most cases; NULL when there is no other source. */
static const struct choice_score *find_less(const struct table_rows *rows)
{
    const struct choice_score *scores = rows->at;

    for (size_t i = 0; i < rows->len; i++)
        if (str_eq(scores[i].set, STR(CHOICE_LESS)) &&
            str_eq(scores[i].picker, str_from(picker_names[PICK_PREDICTED])))
            return &scores[i];
    return NULL;
}

static bool write_picker(const struct column *column, const void *row, struct buf *out)
{
    const struct choice_score *s = row;

    (void)column;
    if (!str_eq(s->set, STR(CHOICE_LESS)))
        return false;
    buf_adds(out, "predicted, less largest");
    return true;
}

/* How each picker did over all sets, and predicted cost without the source of most cases. */
static void print_pickers(const struct view *view, const struct table_rows *rows)
{
    static const struct column columns[] = {
        COLUMN("GPU picked by", picker, .cell = write_picker),
        COLUMN("cases", cases),
        COLUMN("within 1.05x", within, .form = COLUMN_PERCENT, .decimals = 1),
        COLUMN("by model", within_models, .form = COLUMN_PERCENT, .decimals = 1,
               .optional = true),
        COLUMN("mean over best", regret, .form = COLUMN_PERCENT, .decimals = 1),
        COLUMN("worst", worst, .form = COLUMN_PERCENT),
    };
    const struct choice_score *scores = rows->at;
    const struct choice_score *less = find_less(rows);
    int64_t of_largest = 0;
    struct column_table t = columns_new(COLUMNS(columns), rows->row, view->arena);

    for (size_t i = 0; i < rows->len; i++) {
        if (!str_eq(scores[i].set, STR(CHOICE_ALL)))
            continue;
        columns_add(&t, &(struct table_rows){rows->row, &scores[i], 1});
        if (less != NULL && str_eq(scores[i].picker, less->picker)) {
            columns_add(&t, &(struct table_rows){rows->row, less, 1});
            of_largest = scores[i].cases - less->cases;
        }
    }
    columns_write(&t, &view->term, view->out);
    if (less != NULL) {
        buf_addf(view->out, "less largest: without the %lld case%s of ", (long long)of_largest,
                 of_largest == 1 ? "" : "s");
        buf_add_safe(view->out, less->without);
        buf_char(view->out, '\n');
    }
    buf_char(view->out, '\n');
}

/* The share of each picker that is near the best, for one set. */
struct choice_set {
    struct str name;
    int64_t cases;
    double within[PICK_COUNT]; /* NaN: not scored */
};

static const struct field set_fields[] = {
    FIELD(TEXT, choice_set, name, .help = "name of the row group"),
    FIELD(COUNT, choice_set, cases, .help = "cases in the group"),
};
static const struct field_set choice_set_fields = FIELD_SET(struct choice_set, set_fields);

static bool write_validate_within(const struct column *column, const void *row, struct buf *out)
{
    double within = ((const struct choice_set *)row)->within[column->index];

    if (!isnan(within))
        value_share(within, out);
    return true;
}

#define WITHIN(title, picker) \
    COLUMN_CELL(title, write_validate_within, .index = (picker), .side = COLUMN_RIGHT)

static void print_choice_sets(const struct view *view, const struct rows *rows)
{
    static const struct column columns[] = {
        COLUMN("set", name),
        COLUMN("cases", cases),
        WITHIN("predicted", PICK_PREDICTED),
        WITHIN("setting too", PICK_SETTING),
        WITHIN("own setting", PICK_OWN),
        WITHIN("price", PICK_PRICE),
        WITHIN("peak/$", PICK_PEAK),
        WITHIN("bandwidth/$", PICK_BANDWIDTH),
    };
    const struct choice_score *scores = rows->at;
    struct column_table t = columns_new(COLUMNS(columns), &choice_set_fields, view->arena);

    for (size_t i = 0; i < rows->len;) {
        struct choice_set set = {.name = scores[i].set, .cases = scores[i].cases};

        for (int p = 0; p < PICK_COUNT; p++) {
            bool scored = i < rows->len && str_eq(scores[i].set, set.name) &&
                          str_eq(scores[i].picker, str_from(picker_names[p]));

            set.within[p] = scored ? scores[i++].within : NAN;
        }
        columns_add(&t, &(struct table_rows){&choice_set_fields, &set, 1});
    }
    columns_write(&t, &view->term, view->out);
    buf_char(view->out, '\n');
}

static void print_choices(const struct view *view, const struct validate_result *res)
{
    const struct validation *v = &res->validation;
    struct table_rows same = field_rows(op_validate.result, "choices", res);
    struct table_rows open = field_rows(op_validate.result, "choices_open", res);

    buf_addf(view->out,
             "%lld rows, %lld case%s: the same work on the same number of GPUs, of three "
             "kinds or more\n\n",
             (long long)v->all.rows, (long long)v->all.scored, v->all.scored == 1 ? "" : "s");
    if (v->all.scored > 0) {
        print_pickers(view, &same);
        print_choice_sets(view, &v->choices);
    }
    if (open.len > 0) {
        buf_adds(view->out, "the number of GPUs left open:\n");
        print_pickers(view, &open);
    }
    print_reasons(view, &v->not_scored);
    view_text(view,
              STR("the measured cost of the GPU picked, over that of the best: machines at "
                  "the cheapest on-demand price, over work a second; 'by model' is the mean "
                  "over models, each counted once, regardless of its sets and sources"));
    view_price_age(view, &res->prices);
}

static bool write_validate_change(const struct column *column, const void *row, struct buf *out)
{
    (void)column;
    buf_addf(out, "%+.1f", 100 * ((const struct learning_score *)row)->change);
    return true;
}

/* What learning from a few rows of each source does to its other rows. */
static void print_learning(const struct view *view, const struct learning_scores *learned)
{
    static const struct column columns[] = {
        COLUMN("source", name, .shrink = true, .unknown = "(none)"),
        COLUMN("rows", rows),
        COLUMN("median error", before, .form = COLUMN_PERCENT, .decimals = 1),
        COLUMN("after learning", after, .form = COLUMN_PERCENT, .decimals = 1),
        COLUMN("points", change, .cell = write_validate_change),
    };
    struct table_rows sources = field_rows(&learning_fields, "sources", learned);

    if (learned->sources.len == 0) {
        buf_addf(view->out, "no source has %d rows to learn from and to score\n",
                 LEARNING_LEAST_ROWS);
        return;
    }
    columns_print(COLUMNS(columns), &sources, &view->term, view->arena, view->out);
    buf_addf(
        view->out,
        "\nmedian of the sources: %s before, %s after; largest change %+.1f "
        "points\nlearned from %lld rows of each source of %d or more, scored on the others: "
        "means over %d random choices\n",
        percent_text(learned->before).text, percent_text(learned->after).text,
        100 * learned->worst, (long long)learned->learned_from, LEARNING_LEAST_ROWS,
        LEARNING_DRAWS);
}

#define LEAST_THIRDS 30 /* rows: of fewer, a third says nothing */

static void print_ranges(const struct view *view, const struct range_score *r)
{
    if (r->scored == 0)
        return;
    buf_addf(view->out, "%s lie in their range", percent_text(r->inside).text);
    if (r->scored >= LEAST_THIRDS)
        buf_addf(view->out, ": %s of the narrowest third, %s of the middle, %s of the widest",
                 percent_text(r->inside_narrow).text, percent_text(r->inside_middle).text,
                 percent_text(r->inside_wide).text);
    buf_addf(
        view->out,
        "\nmedian range: the upper end is %.2f times the lower; Kolmogorov-Smirnov distance "
        "of the quantiles %.3f\n",
        r->median_width, r->distance);
}

static void print_fits(const struct view *view, const struct fit_check *f)
{
    if (f->out_of_memory + f->ran <= 0)
        return;
    buf_addf(view->out,
             "%lld training rows ran out of memory, of which %lld were predicted to fit;\n"
             "%lld ran, of which %lld were predicted not to\n"
             "%lld were predicted to fit with 95 %% or more, and %lld of them did not;\n"
             "%lld with less than 5 %%, and %lld of them did\n",
             (long long)f->out_of_memory, (long long)f->wrongly_fits, (long long)f->ran,
             (long long)f->wrongly_refused, (long long)f->sure, (long long)f->sure_failed,
             (long long)f->sure_not, (long long)f->sure_not_failed);
}

static void print_validation(const struct view *view, const struct validate_result *res)
{
    const struct validation *v = &res->validation;
    struct table_rows sources = field_rows(op_validate.result, "by_source", res);
    struct score all = v->all;

    all.name = str_from(validate_kinds[v->kind]);
    print_constants(view, res);
    print_scores(view, "kind", &(struct table_rows){sources.row, &all, 1});
    if (v->by_metric.len > 1)
        print_score_list(view, "metric", res, "by_metric");
    if (v->as_asked.len > 0)
        print_score_list(view, "as asked", res, "as_asked");
    if (v->by_set.len > 1)
        print_score_list(view, "set", res, "by_set");
    print_scores(view, "source", &sources);
    print_score_list(view, "GPU", res, "by_gpu");
    print_reasons(view, &v->not_scored);
    print_ranges(view, &v->ranges);
    print_fits(view, &v->fits);
    buf_adds(view->out, "error is |predicted/measured - 1|; the range is the 10th to 90th "
                        "percentile that goes with each prediction\n");
}

static void print_validate(const struct view *view, const void *result)
{
    const struct validate_result *res = result;

    if (res->validation.left_out)
        buf_adds(view->out, "each source is predicted by constants fitted without it\n\n");
    if (res->validation.kind == VALIDATE_CHOICE)
        print_choices(view, res);
    else if (res->validation.learning.learned_from > 0)
        print_learning(view, &res->validation.learning);
    else
        print_validation(view, res);
}

const struct command cmd_validate = {
    .name = "validate",
    .op = &op_validate,
    .group = {"compare predictions with measurements", .stage = CLI_SETUP},
    .about =
        "Predicts every row of a file of measurements and shows the errors: the median and "
        "90th percentile of the error, by source, GPU and kind of work. Columns are found by "
        "name; docs/accuracy.md lists them. Rows of quality C are not scored. With "
        "--leave-one-source-out the constants are fitted without each source before it is "
        "predicted: the error to expect on new rows. --calibrate 3 learns corrections from "
        "three rows of each source, as 'stint calibrate' does from runs, and shows how the "
        "error of its other rows changes. --fit fits the constants to your rows; put the file "
        "written by --save into the catalog folder as constants.csv to estimate with it. The "
        "kind 'choice' takes files of training and of inference, and checks whether the GPU "
        "predicted to be cheapest was cheapest, at today's prices.",
    .examples = "stint validate training measured.csv\n"
                "stint validate training measured.csv --leave-one-source-out --json\n"
                "stint validate training measured.csv --calibrate 3\n"
                "stint validate memory measured.csv --per-row predictions.csv\n"
                "stint validate choice training.csv inference.csv --per-row cases.csv",
    .print = print_validate,
};
