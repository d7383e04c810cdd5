#include "truth/validate.h"
#include "truth/asked.h"

#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/num.h"

#define MOST_SOURCES 200 /* each takes a fit of its own */

const char *const validate_kinds[] = {"training",  "memory", "inference", "energy",
                                      "gpu-hours", "choice", NULL};

/* Rows of one kind with their predictions. */
struct measured_set {
    enum truth_kind kind;
    const struct catalog *catalog;
    struct constants constants;
    struct arena *arena;
    struct measured_values points;
    struct held *held; /* as many as points */
};

/* Why points are not scored: a list with room for one reason of each point. */
struct reason_list {
    struct validate_reason *at;
    size_t len;
};

/* ---- fields ---- */

static const struct field score_fields[] = {
    FIELD(TEXT, score, name, .help = "name of the group"),
    FIELD(COUNT, score, rows, .help = "rows of the file"),
    FIELD(COUNT, score, scored, .help = "predictions compared with a measurement"),
    FIELD(NUMBER, score, median_ape, .help = "median of |predicted/measured - 1|"),
    FIELD(NUMBER, score, p90_ape, .help = "90th percentile of |predicted/measured - 1|"),
    FIELD(NUMBER, score, median_ratio, .help = "median of predicted/measured"),
    FIELD(NUMBER, score, inside_range, .help = "share between the 10th and 90th percentile"),
};

static const struct field_set score_set = FIELD_SET(struct score, score_fields);

static const struct field reason_fields[] = {
    FIELD(TEXT, validate_reason, reason, .help = "reason why they are not scored"),
    FIELD(COUNT, validate_reason, rows, .help = "number of rows"),
};

static const struct field_set reason_set = FIELD_SET(struct validate_reason, reason_fields);

static const struct field constant_fields[] = {
    FIELD(TEXT, validate_constant, name, .help = "name of the constant"),
    FIELD(TEXT, validate_constant, unit, .help = "unit of its value"),
    FIELD(NUMBER, validate_constant, before, .help = "value in use"),
    FIELD(NUMBER, validate_constant, after, .help = "value fitted to these rows"),
};

static const struct field_set constant_set =
    FIELD_SET(struct validate_constant, constant_fields);

static const struct field choice_fields[] = {
    FIELD(TEXT, choice_score, set, .help = "kind of work; 'all' is every one"),
    FIELD(TEXT, choice_score, picker, .help = "method of picking the GPU"),
    FIELD(COUNT, choice_score, cases,
          .help = "cases: the same work on three kinds of GPU or more"),
    FIELD(COUNT, choice_score, models, .help = "models in the cases"),
    FIELD(NUMBER, choice_score, within,
          .help = "share that cost at most 1.05 times the best, as measured"),
    FIELD(NUMBER, choice_score, within_models, .help = "mean of the models' shares"),
    FIELD(NUMBER, choice_score, regret,
          .help = "regret: mean of measured cost over the best, less 1"),
    FIELD(NUMBER, choice_score, worst, .help = "largest regret"),
    FIELD(TEXT, choice_score, without,
          .help = "source of most cases, left out of the set 'less largest'"),
};

static const struct field_set choice_set = FIELD_SET(struct choice_score, choice_fields);

static const struct field ranges_fields[] = {
    FIELD(COUNT, range_score, scored, .help = "predictions compared with a measurement"),
    FIELD(NUMBER, range_score, inside, .help = "share of measurements within their range"),
    FIELD(NUMBER, range_score, inside_narrow,
          .help = "share within range, of the third with the narrowest ranges"),
    FIELD(NUMBER, range_score, inside_middle,
          .help = "share within range, of the middle third"),
    FIELD(NUMBER, range_score, inside_wide,
          .help = "share within range, of the third with the widest ranges"),
    FIELD(NUMBER, range_score, median_width, .help = "upper over lower end"),
    FIELD(NUMBER, range_score, distance,
          .help = "distance of the predicted quantiles from even ones (Kolmogorov-Smirnov)"),
};

static const struct field_set ranges_set = FIELD_SET(struct range_score, ranges_fields);

static const struct field fields[] = {
    FIELD(ENUM, validation, kind, .names = validate_kinds, .help = "kind of rows"),
    FIELD_AS("rows", COUNT, validation, all.rows, .help = "rows of the files"),
    FIELD_AS("scored", COUNT, validation, all.scored,
             .help = "predictions compared with a measurement"),
    FIELD_AS("median_ape", NUMBER, validation, all.median_ape,
             .help = "median of |predicted/measured - 1|"),
    FIELD_AS("p90_ape", NUMBER, validation, all.p90_ape,
             .help = "90th percentile of |predicted/measured - 1|"),
    FIELD_AS("median_ratio", NUMBER, validation, all.median_ratio,
             .help = "median of predicted/measured"),
    FIELD_AS("inside_range", NUMBER, validation, all.inside_range,
             .help = "share between the 10th and 90th percentile"),
    FIELD(LIST, validation, by_source, .row = &score_set, .help = "scores by source"),
    FIELD(LIST, validation, by_gpu, .row = &score_set, .help = "scores by GPU"),
    FIELD(LIST, validation, by_set, .row = &score_set, .help = "scores by kind of work"),
    FIELD(LIST, validation, by_metric, .row = &score_set,
          .help = "scores by measured quantity"),
    FIELD(LIST, validation, as_asked, .row = &score_set,
          .help = "scores by measured quantity of what 'stint estimate --serve' answers when "
                  "only what the rows say is given"),
    FIELD(LIST, validation, not_scored, .row = &reason_set,
          .help = "rows that are not scored, with reasons"),
    FIELD(RECORD, validation, ranges, .row = &ranges_set,
          .help = "coverage of the ranges: they should contain 80 % of the measurements"),
    FIELD_AS("oom_rows", COUNT, validation, fits.out_of_memory,
             .help = "rows that ran out of memory"),
    FIELD_AS("oom_predicted_to_fit", COUNT, validation, fits.wrongly_fits,
             .help = "rows that ran out of memory but were predicted to fit (80 % or more)"),
    FIELD_AS("ran_rows", COUNT, validation, fits.ran, .help = "training rows that ran"),
    FIELD_AS("ran_predicted_not_to_fit", COUNT, validation, fits.wrongly_refused,
             .help = "rows that ran but were predicted not to fit (less than 20 %)"),
    FIELD_AS("sure_rows", COUNT, validation, fits.sure,
             .help = "rows predicted to fit with a probability of 95 % or more"),
    FIELD_AS("sure_oom", COUNT, validation, fits.sure_failed,
             .help = "rows among them that ran out of memory"),
    FIELD_AS("sure_not_rows", COUNT, validation, fits.sure_not,
             .help = "rows predicted to fit with a probability below 5 %"),
    FIELD_AS("sure_not_ran", COUNT, validation, fits.sure_not_failed,
             .help = "rows among them that ran"),
    FIELD(FLAG, validation, left_out,
          .help = "leave-one-out: each source was predicted without its own rows"),
    FIELD(LIST, validation, constants, .row = &constant_set, .help = "constants after a fit"),
    FIELD(LIST, validation, choices, .row = &choice_set,
          .help = "choice of the cheapest GPU, with the same number of GPUs"),
    FIELD(LIST, validation, choices_open, .row = &choice_set,
          .help = "choice of the cheapest GPU, with the best number of each kind"),
    FIELD(RECORD, validation, learning, .row = &learning_fields,
          .help = "effect of learning from a few rows of a source on its other rows"),
};

const struct field_set validation_fields = FIELD_SET(struct validation, fields);

/* ---- points and their predictions ---- */

static bool add_points(struct measured_set *m, const struct validate_file *file,
                       struct error *err)
{
    struct measured_values more;
    struct measured_value *all;

    if (!points_read(m->kind, file->text, file->name, m->catalog, &more, m->arena, err))
        return false;
    all = arena_array(m->arena, struct measured_value, m->points.len + more.len + 1, err);
    if (all == NULL)
        return false;
    if (m->points.len > 0)
        memcpy(all, m->points.at, m->points.len * sizeof *all);
    if (more.len > 0)
        memcpy(all + m->points.len, more.at, more.len * sizeof *all);
    m->points =
        (struct measured_values){all, m->points.len + more.len, m->points.rows + more.rows};
    points_settle(m->points.at, m->points.len);
    return true;
}

static bool predict_all(struct measured_set *m, struct error *err)
{
    struct last_load last = {NULL, {0}};

    m->held = arena_array(m->arena, struct held, m->points.len + 1, err);
    if (m->held == NULL)
        return false;
    for (size_t i = 0; i < m->points.len; i++) {
        struct measured_value *p = &m->points.at[i];

        m->held[i].point = p;
        if (p->reason == NULL)
            m->held[i].guess = point_predict_next(p, &last, &m->constants);
        if (p->metric == METRIC_GPU_HOURS && p->reason == NULL &&
            isnan(m->held[i].guess.value)) /* known only when the rest is chosen */
            p->reason = "the setting is impossible";
    }
    return true;
}

/* Predict the points of each source by constants that were fitted without it. */
static bool predict_left_out(struct measured_set *m, struct error *err)
{
    const struct score *sources;
    struct rows found;

    if (!predict_all(m, err) ||
        !score_groups(m->held, m->points.len, SCORE_SOURCE, 0, &found, m->arena, err))
        return false;
    sources = found.at;
    if (found.len > MOST_SOURCES) {
        error_set(err, ERROR_INPUT,
                  "%zu sources are too many to leave out one by one (%d at most)", found.len,
                  MOST_SOURCES);
        error_hint(err, "the text of the column 'source' before an '@' names a source");
        return false;
    }
    for (size_t s = 0; s < found.len; s++) {
        struct fit_options options = {
            .kind = truth_kind_names[m->kind], .leave_out = true, .without = sources[s].name};
        struct constants c = m->constants;

        if (sources[s].scored == 0)
            continue;
        if (!constants_fit(m->catalog, &m->points, &options, &c, m->arena, err))
            return false;
        for (size_t i = 0; i < m->points.len; i++)
            if (m->points.at[i].reason == NULL &&
                str_eq(m->points.at[i].source, sources[s].name))
                m->held[i].guess = point_predict(&m->points.at[i], &c);
    }
    return true;
}

static bool predict_points(struct measured_set *m, bool left_out, struct error *err)
{
    return left_out ? predict_left_out(m, err) : predict_all(m, err);
}

static void add_reason(struct reason_list *reasons, struct str why, int64_t rows)
{
    size_t k = 0;

    while (k < reasons->len && !str_eq(reasons->at[k].reason, why))
        k++;
    if (k == reasons->len)
        reasons->at[reasons->len++] = (struct validate_reason){.reason = why};
    reasons->at[k].rows += rows;
}

static void count_reasons(const struct measured_set *m, struct reason_list *reasons)
{
    for (size_t i = 0; i < m->points.len; i++) {
        const struct measured_value *p = &m->points.at[i];

        if (p->reason != NULL)
            add_reason(reasons, str_from(p->reason), 1);
        else if (p->out_of_memory || p->only_fits)
            add_reason(reasons, STR("only whether it fits is compared"), 1);
    }
}

static void add_validate_number(struct buf *out, double n)
{
    buf_char(out, ',');
    if (isfinite(n))
        num_write(n, out);
}

/* ---- rows of one kind ---- */

static bool fit_rows(struct measured_set *m, const struct validate_ask *ask,
                     struct validation *out, struct error *err)
{
    struct constants before = m->constants;
    struct fit_options options = {.kind = truth_kind_names[m->kind],
                                  .from_values = !ask->from_priors};
    char *group = str_dup(ask->group, m->arena, err);
    struct validate_constant *changed;
    size_t n = 0;

    if (group == NULL)
        return false;
    if (ask->group.len > 0)
        options.kind = group;
    if (!constants_fit(m->catalog, &m->points, &options, &m->constants, m->arena, err))
        return false;
    changed = arena_array(m->arena, struct validate_constant, CONSTANT_COUNT, err);
    if (changed == NULL)
        return false;
    for (size_t i = 0; i < CONSTANT_COUNT; i++)
        if (before.at[i] != m->constants.at[i])
            changed[n++] = (struct validate_constant){.name = str_from(constant_names[i]),
                                                      .before = before.at[i],
                                                      .after = m->constants.at[i]};
    out->constants = (struct rows){changed, n};
    return true;
}

/* The metrics that the total counts: prefill and decode of inference; the only one of
 * others. */
static unsigned total_metrics(enum truth_kind kind)
{
    return kind == TRUTH_INFERENCE ? 1u << METRIC_PREFILL | 1u << METRIC_DECODE : 0;
}

static bool score_metrics(const struct measured_set *m, struct rows *out, struct error *err)
{
    struct score *scores = arena_array(m->arena, struct score, METRIC_COUNT, err);
    size_t n = 0;

    if (scores == NULL)
        return false;
    for (int i = 0; i < METRIC_COUNT; i++) {
        struct score_filter f = {.name = str_from(metric_names[i]), .metrics = 1u << i};

        if (!score_points(m->held, m->points.len, &f, &scores[n], m->arena, err))
            return false;
        n += scores[n].rows > 0;
    }
    *out = (struct rows){scores, n};
    return true;
}

/* What a user who gives what the rows say, and nothing more, is told. */
static bool score_asked(const struct measured_set *m, struct rows *out, struct error *err)
{
    struct measured_set asked = *m;

    asked.held = arena_array(m->arena, struct held, m->points.len + 1, err);
    if (asked.held == NULL)
        return false;
    for (size_t i = 0; i < m->points.len; i++) {
        asked.held[i] = m->held[i];
        if (m->held[i].point->reason == NULL &&
            !asked_predict(m->held[i].point, &m->constants, m->arena, &asked.held[i].guess,
                           err))
            return false;
    }
    return score_metrics(&asked, out, err);
}

static bool list_reasons(const struct measured_set *m, struct rows *out, struct error *err)
{
    struct reason_list reasons = {
        .at = arena_array(m->arena, struct validate_reason, m->points.len + 1, err)};

    if (reasons.at == NULL)
        return false;
    count_reasons(m, &reasons);
    *out = (struct rows){reasons.at, reasons.len};
    return true;
}

static bool score_rows(const struct measured_set *m, struct validation *out, struct error *err)
{
    struct score_filter total = {.metrics = total_metrics(m->kind)};

    if (!score_points(m->held, m->points.len, &total, &out->all, m->arena, err) ||
        !score_groups(m->held, m->points.len, SCORE_SOURCE, total.metrics, &out->by_source,
                      m->arena, err) ||
        !score_groups(m->held, m->points.len, SCORE_GPU, total.metrics, &out->by_gpu, m->arena,
                      err) ||
        !score_groups(m->held, m->points.len, SCORE_SET, total.metrics, &out->by_set, m->arena,
                      err) ||
        !score_ranges(m->held, m->points.len, total.metrics, &out->ranges, m->arena, err) ||
        !score_metrics(m, &out->by_metric, err) ||
        (m->kind == TRUTH_INFERENCE && !score_asked(m, &out->as_asked, err)) ||
        !list_reasons(m, &out->not_scored, err))
        return false;
    out->all.rows = (int64_t)m->points.rows;
    if (m->kind == TRUTH_MEMORY)
        out->fits = check_fits(m->held, m->points.len, &m->constants);
    return true;
}

static const char *measured_unit(const struct measured_value *p)
{
    if (p->metric == METRIC_TRAINING)
        return p->samples ? "samples/s per GPU" : "tokens/s per GPU";
    return metric_units[p->metric];
}

static void write_measured_rows(const struct measured_set *m, struct buf *out)
{
    buf_adds(out, "id,metric,unit,measured,predicted,low,high,ape,reason\n");
    for (size_t i = 0; i < m->points.len; i++) {
        const struct held *h = &m->held[i];
        const struct measured_value *p = h->point;
        bool predicted = p->reason == NULL;

        csv_write_field(p->id, out);
        buf_addf(out, ",%s,%s", metric_names[p->metric], measured_unit(p));
        add_validate_number(out, p->measured);
        add_validate_number(out, predicted ? h->guess.value : NAN);
        add_validate_number(out, predicted ? h->guess.low : NAN);
        add_validate_number(out, predicted ? h->guess.high : NAN);
        add_validate_number(out, predicted ? fabs(h->guess.value / p->measured - 1) : NAN);
        buf_char(out, ',');
        csv_write_field(str_from(p->reason), out);
        buf_char(out, '\n');
    }
}

static bool validate_rows(const struct validate_ask *ask, struct constants *constants,
                          struct arena *arena, struct validation *out, struct buf *rows,
                          struct error *err)
{
    struct measured_set m = {.kind = (enum truth_kind)ask->kind,
                             .catalog = ask->catalog,
                             .constants = *constants,
                             .arena = arena};

    for (size_t f = 0; f < ask->file_count; f++)
        if (!add_points(&m, &ask->files[f], err))
            return false;
    if ((ask->fit && !fit_rows(&m, ask, out, err)) ||
        !predict_points(&m, ask->leave_out, err) || !score_rows(&m, out, err) ||
        (ask->calibrate > 0 &&
         !learning_score(m.held, m.points.len, ask->calibrate, arena, &out->learning, err)))
        return false;
    *constants = m.constants;
    if (rows != NULL)
        write_measured_rows(&m, rows);
    return true;
}

/* ---- choices ---- */

struct choosing {
    const struct validate_ask *ask;
    struct arena *arena;
    struct measured_set training, serving;
    struct measured_way *ways;
    size_t way_count;
    struct choices choices; /* with the same number of GPUs */
    struct reason_list reasons;
};

/* A file of inference has the length of prompts, one of training that of sequences. */
static bool add_choice_files(struct choosing *w, struct error *err)
{
    for (size_t f = 0; f < w->ask->file_count; f++) {
        const struct validate_file *file = &w->ask->files[f];
        struct str rest = file->text, names = str_cut(&rest, '\n');
        bool serving = str_has_nocase(names, STR("input_len"));

        if (!add_points(serving ? &w->serving : &w->training, file, err))
            return false;
    }
    return true;
}

/* The ways of both kinds in one list. */
static bool gather_ways(struct choosing *w, struct error *err)
{
    bool left_out = w->ask->leave_out;
    struct measured_way *training, *serving;
    size_t trained, served;

    if (!predict_points(&w->training, left_out, err) ||
        !predict_points(&w->serving, left_out, err) ||
        !ways_read(w->training.held, w->training.points.len, &training, &trained, w->arena,
                   err) ||
        !ways_read(w->serving.held, w->serving.points.len, &serving, &served, w->arena, err))
        return false;
    w->way_count = trained + served;
    w->ways = arena_array(w->arena, struct measured_way, w->way_count + 1, err);
    if (w->ways == NULL)
        return false;
    memcpy(w->ways, training, trained * sizeof *training);
    memcpy(w->ways + trained, serving, served * sizeof *serving);
    /* The setting that we choose depends on all constants: those fitted on every row. */
    for (size_t i = 0; i < trained && !left_out; i++)
        if (!way_own(&w->ways[i], &w->training.constants, &w->ways[i].own, w->arena, err))
            return false;
    return true;
}

/* Do machines of this kind share links, so that their size does not matter? */
static bool is_rack(const struct accelerator *gpu)
{
    return str_glob(gpu->link, STR("*72*"));
}

/* The lowest price of an hour of the way's GPUs: complete machines, each with as many GPUs as
 * one of the row had. NaN: none is offered. */
static double cheapest_price(const struct validate_ask *ask, const struct measured_way *way)
{
    double best = NAN;

    for (size_t i = 0; i < ask->machine_count; i++) {
        const struct machine *v = &ask->machines[i];
        int64_t machines;
        double cost;

        if (v->gpu != way->gpu || v->on_demand.nano == MONEY_UNKNOWN || v->count < 1 ||
            (v->count < way->per_node && !is_rack(way->gpu)))
            continue;
        machines = (way->gpus + v->count - 1) / v->count;
        cost = (double)machines * (double)v->on_demand.nano;
        if (!(cost >= best))
            best = cost;
    }
    return best / 1e9;
}

static bool price_ways(struct choosing *w, struct error *err)
{
    for (size_t i = 0; i < w->way_count; i++) {
        struct measured_way *way = &w->ways[i];
        struct buf why = buf_new(w->arena->alloc, 256);
        struct str text;

        if (way->stated > 0 && way->stated != way->gpus) {
            add_reason(&w->reasons,
                       STR("the row names another number of GPUs than it is predicted for"), 1);
            continue;
        }
        way->price = cheapest_price(w->ask, way);
        if (!isnan(way->price))
            continue;
        buf_addf(&why, "no offered machine has that many %.*s", STR_ARG(way->gpu->name));
        if (!buf_keep(&why, w->arena, &text, err))
            return false;
        add_reason(&w->reasons, text, 1);
    }
    return true;
}

static bool score_choices(struct choosing *w, struct validation *out, struct error *err)
{
    struct choices open;
    struct measured_way *copy =
        arena_array(w->arena, struct measured_way, w->way_count + 1, err);

    if (copy == NULL)
        return false;
    memcpy(copy, w->ways, w->way_count * sizeof *copy);
    if (!choices_find(w->ways, w->way_count, false, &w->choices, w->arena, err) ||
        !choices_find(copy, w->way_count, true, &open, w->arena, err) ||
        !choices_score(&w->choices, &out->choices, w->arena, err) ||
        !choices_score(&open, &out->choices_open, w->arena, err))
        return false;
    if (w->choices.alone > 0)
        add_reason(&w->reasons, STR("the work was measured on fewer than three kinds of GPU"),
                   w->choices.alone);
    return true;
}

/* One kind of GPU of a choice: its measured and predicted cost, and who picked it. */
static void write_way(const struct choice *c, size_t number, const struct measured_way *way,
                      struct buf *out)
{
    bool training = way->point->metric == METRIC_TRAINING;
    bool more = false;

    buf_addf(out, "%zu,", number);
    csv_write_field(c->set, out);
    buf_char(out, ',');
    csv_write_field(c->model, out);
    buf_char(out, ',');
    choice_words(c, out);
    buf_addf(out, ",%lld,", (long long)way->gpus);
    csv_write_field(way->gpu->name, out);
    buf_char(out, ',');
    csv_write_field(way->point->id, out);
    buf_addf(out, ",%s/s", !training ? "requests" : way->point->samples ? "samples" : "tokens");
    add_validate_number(out, way->measured);
    add_validate_number(out, way->predicted);
    add_validate_number(out, way->own);
    add_validate_number(out, way->price);
    add_validate_number(out, way_cost(way) / way_cost(c->best));
    add_validate_number(out, way->price / way->predicted / way_cost(c->best));
    buf_adds(out, ",\""); /* names of pickers have commas, but no quotes */
    for (int p = 0; p < PICK_COUNT; p++)
        if (c->pick[p] == way) {
            buf_addf(out, "%s%s", more ? "; " : "", picker_names[p]);
            more = true;
        }
    buf_adds(out, "\"\n");
}

/* Each kind of each choice once, in its best setting, and other settings that were picked. */
static void write_cases(const struct choices *choices, struct buf *out)
{
    buf_adds(out, "case,set,model,work,gpus,gpu,id,unit,measured,predicted,own_setting,"
                  "usd_per_hour,cost_over_best,predicted_over_best,picked_by\n");
    for (size_t i = 0; i < choices->len; i++) {
        const struct choice *c = &choices->at[i];

        for (size_t k = 0; k < c->len; k++)
            if (k == 0 || c->ways[k].gpu != c->ways[k - 1].gpu ||
                c->pick[PICK_SETTING] == &c->ways[k])
                write_way(c, i + 1, &c->ways[k], out);
    }
}

static bool validate_choices(const struct validate_ask *ask, const struct constants *constants,
                             struct arena *arena, struct validation *out, struct buf *rows,
                             struct error *err)
{
    struct choosing w = {
        .ask = ask,
        .arena = arena,
        .training = {TRUTH_TRAINING, ask->catalog, *constants, arena, {0}, NULL},
        .serving = {TRUTH_INFERENCE, ask->catalog, *constants, arena, {0}, NULL}};
    size_t points;

    if (!add_choice_files(&w, err) || !gather_ways(&w, err))
        return false;
    points = w.training.points.len + w.serving.points.len;
    /* Each point can add one, its way another. */
    w.reasons.at = arena_array(arena, struct validate_reason, 2 * points + 2, err);
    if (w.reasons.at == NULL)
        return false;
    count_reasons(&w.training, &w.reasons);
    count_reasons(&w.serving, &w.reasons);
    if (!price_ways(&w, err) || !score_choices(&w, out, err))
        return false;
    out->all = (struct score){.rows = (int64_t)(w.training.points.rows + w.serving.points.rows),
                              .scored = (int64_t)w.choices.len,
                              .median_ape = NAN,
                              .p90_ape = NAN,
                              .median_ratio = NAN,
                              .inside_range = NAN};
    out->not_scored = (struct rows){w.reasons.at, w.reasons.len};
    if (rows != NULL)
        write_cases(&w.choices, rows);
    return true;
}

bool validate(const struct validate_ask *ask, struct constants *constants, struct arena *arena,
              struct validation *out, struct buf *rows, struct error *err)
{
    if (!fields_reset(&validation_fields, out, arena, err))
        return false;
    out->kind = (enum truth_kind)ask->kind;
    out->left_out = ask->leave_out;
    if (ask->kind == VALIDATE_CHOICE)
        return validate_choices(ask, constants, arena, out, rows, err);
    return validate_rows(ask, constants, arena, out, rows, err);
}
