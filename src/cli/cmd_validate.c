/* stint validate */
#include <math.h>

#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/estimate/validate.h"

static void add_score(struct table *t, const struct score *s)
{
    table_text(t, s->name.len > 0 ? s->name : STR("(none)"));
    view_count(t, s->rows);
    view_count(t, s->scored);
    if (s->scored == 0) {
        for (int i = 0; i < 4; i++)
            table_cell(t, "-");
        return;
    }
    table_cell(t, "%.1f %%", 100 * s->median_ape);
    table_cell(t, "%.1f %%", 100 * s->p90_ape);
    table_cell(t, "%.3f", s->median_ratio);
    table_cell(t, "%.0f %%", 100 * s->inside_range);
}

static void print_scores(const struct view *view, const char *title, const struct rows *rows)
{
    struct table_column columns[] = {
        {.title = title, .shrink = true},      {.title = "rows", .right = true},
        {.title = "scored", .right = true},    {.title = "median error", .right = true},
        {.title = "90th pct.", .right = true}, {.title = "pred/meas", .right = true},
        {.title = "in range", .right = true},
    };
    const struct score *scores = rows->at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < rows->len; i++)
        add_score(&t, &scores[i]);
    table_write(&t, &view->term, view->out);
    buf_char(view->out, '\n');
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

static void print_constants(const struct view *view, const struct rows *rows)
{
    static const struct table_column columns[] = {
        {.title = "constant"},
        {.title = "before", .right = true},
        {.title = "fitted", .right = true},
    };
    const struct validate_constant *constants = rows->at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    if (rows->len == 0)
        return;
    for (size_t i = 0; i < rows->len; i++) {
        table_text(&t, constants[i].name);
        table_cell(&t, "%.4g", constants[i].before);
        table_cell(&t, "%.4g", constants[i].after);
    }
    table_write(&t, &view->term, view->out);
    buf_char(view->out, '\n');
}

/* Predicted cost without the source of most cases; NULL when there is no other source. */
static const struct choice_score *find_less(const struct rows *rows)
{
    const struct choice_score *scores = rows->at;

    for (size_t i = 0; i < rows->len; i++)
        if (str_eq(scores[i].set, STR(CHOICE_LESS)) &&
            str_eq(scores[i].picker, str_from(picker_names[PICK_PREDICTED])))
            return &scores[i];
    return NULL;
}

static void add_picker(struct table *t, struct str name, const struct choice_score *s)
{
    table_text(t, name);
    view_count(t, s->cases);
    table_cell(t, "%.1f %%", 100 * s->within);
    table_cell(t, "%.1f %%", 100 * s->within_models);
    table_cell(t, "%.1f %%", 100 * s->regret);
    table_cell(t, "%.0f %%", 100 * s->worst);
}

/* How each picker did over all sets, and predicted cost without the source of most cases. */
static void print_pickers(const struct view *view, const struct rows *rows)
{
    static const struct table_column columns[] = {
        {.title = "GPU picked by"},
        {.title = "cases", .right = true},
        {.title = "within 1.05x", .right = true},
        {.title = "by model", .right = true, .optional = true},
        {.title = "mean over best", .right = true},
        {.title = "worst", .right = true},
    };
    const struct choice_score *scores = rows->at;
    const struct choice_score *less = find_less(rows);
    int64_t of_largest = 0;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < rows->len; i++) {
        const struct choice_score *s = &scores[i];

        if (!str_eq(s->set, STR(CHOICE_ALL)))
            continue;
        add_picker(&t, s->picker, s);
        if (less != NULL && str_eq(s->picker, less->picker)) {
            add_picker(&t, STR("predicted, less largest"), less);
            of_largest = s->cases - less->cases;
        }
    }
    table_write(&t, &view->term, view->out);
    if (less != NULL) {
        buf_addf(view->out, "less largest: without the %lld case%s of ", (long long)of_largest,
                 of_largest == 1 ? "" : "s");
        buf_add_safe(view->out, less->without);
        buf_char(view->out, '\n');
    }
    buf_char(view->out, '\n');
}

/* The share of each picker that is near the best, set by set. */
static void print_choice_sets(const struct view *view, const struct rows *rows)
{
    static const struct table_column columns[] = {
        {.title = "set"},
        {.title = "cases", .right = true},
        {.title = "predicted", .right = true},
        {.title = "setting too", .right = true},
        {.title = "own setting", .right = true},
        {.title = "price", .right = true},
        {.title = "peak/$", .right = true},
        {.title = "bandwidth/$", .right = true},
    };
    const struct choice_score *scores = rows->at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < rows->len;) {
        struct str set = scores[i].set;

        table_text(&t, set);
        view_count(&t, scores[i].cases);
        for (int p = 0; p < PICK_COUNT; p++) {
            bool has = i < rows->len && str_eq(scores[i].set, set) &&
                       str_eq(scores[i].picker, str_from(picker_names[p]));

            if (has)
                table_cell(&t, "%.1f %%", 100 * scores[i++].within);
            else
                table_cell(&t, "-");
        }
    }
    table_write(&t, &view->term, view->out);
    buf_char(view->out, '\n');
}

static void print_choices(const struct view *view, const struct validate_result *res)
{
    if (res->left_out)
        buf_adds(view->out, "each source is predicted by constants fitted without it\n\n");
    buf_addf(view->out,
             "%lld rows, %lld case%s: the same work on as many GPUs of three kinds or more\n\n",
             (long long)res->rows, (long long)res->scored, res->scored == 1 ? "" : "s");
    if (res->scored > 0) {
        print_pickers(view, &res->choices);
        print_choice_sets(view, &res->choices);
    }
    if (res->choices_open.len > 0) {
        buf_adds(view->out, "the number of GPUs left open:\n");
        print_pickers(view, &res->choices_open);
    }
    print_reasons(view, &res->not_scored);
    view_text(view,
              STR("the measured cost of the GPU picked, over that of the best: machines "
                  "at the cheapest on-demand price, over work a second; 'by model' is the mean "
                  "over models, each counted once, whatever its sets and sources"));
    view_price_age(view, &res->prices);
}

static void print_validate(const struct view *view, const void *result)
{
    const struct validate_result *res = result;
    struct score all = {.name = res->kind,
                        .rows = res->rows,
                        .scored = res->scored,
                        .median_ape = res->median_ape,
                        .p90_ape = res->p90_ape,
                        .median_ratio = res->median_ratio,
                        .inside_range = res->inside_range};
    struct rows top = {&all, 1};

    if (str_eq(res->kind, STR("choice"))) {
        print_choices(view, res);
        return;
    }
    if (res->left_out)
        buf_adds(view->out, "each source is predicted by constants fitted without it\n\n");
    print_constants(view, &res->constants);
    print_scores(view, "kind", &top);
    if (res->by_metric.len > 1)
        print_scores(view, "metric", &res->by_metric);
    if (res->by_set.len > 1)
        print_scores(view, "set", &res->by_set);
    print_scores(view, "source", &res->by_source);
    print_scores(view, "GPU", &res->by_gpu);
    print_reasons(view, &res->not_scored);
    if (res->oom_rows > 0 || res->ran_rows > 0)
        buf_addf(view->out,
                 "%lld training rows ran out of memory, of which %lld were predicted to fit;\n"
                 "%lld ran, of which %lld were predicted not to\n",
                 (long long)res->oom_rows, (long long)res->oom_said_to_fit,
                 (long long)res->ran_rows, (long long)res->ran_said_not_to_fit);
    buf_adds(view->out, "error is |predicted/measured - 1|; the range is the 10th to 90th "
                        "percentile that goes with each prediction\n");
}

const struct command cmd_validate = {
    .name = "validate",
    .op = &op_validate,
    .about =
        "Predicts every row of a file of measurements and says how far off it was: the\n"
        "median and 90th percentile of the error, by source, GPU and kind of work.\n"
        "Columns are found by name; docs/accuracy.md lists them. Rows of quality C are not\n"
        "scored. With --leave-one-source-out the constants are fitted without each source\n"
        "before it is predicted: the error to expect on new rows. --fit fits\n"
        "them to your rows; put what --save writes into the catalog folder, as\n"
        "constants.csv, to estimate with it. The kind 'choice' takes files of training and\n"
        "of inference, and asks whether the GPU that is predicted to be cheapest was, at\n"
        "today's prices.",
    .examples = "stint validate training measured.csv\n"
                "stint validate training measured.csv --leave-one-source-out --json\n"
                "stint validate memory measured.csv --per-row predictions.csv\n"
                "stint validate choice training.csv inference.csv --per-row cases.csv",
    .print = print_validate,
};
