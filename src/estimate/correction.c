#include "estimate/correction.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/num.h"

/* Assumed before any run, as standard deviations of logarithms. They were measured on the
 * rows of tests/truth, each source predicted without it: how far the middle of a source is
 * off, how far models of one source are apart, and settings of one model
 * (docs/evidence/accuracy.md, Learning). */
#define GPU_SPREAD 0.05
#define FRAMEWORK_SPREAD 0.03 /* beyond that of its GPU */
#define MODEL_SPREAD 0.07     /* beyond that of its framework */
#define SETTING_SPREAD 0.12   /* beyond that of its model */
#define MODELS_APART 0.15
#define SETTINGS_APART 0.12
#define RUNS_APART 0.05      /* of one setting, in batches of any size */
#define RUNS_APART_WORTH 2.0 /* it counts as much as so many runs */
#define RUNS_APART_LEAST 0.015

/* A correction must lower the error of left-out runs by a fifth: with few runs a smaller
 * gain is mostly luck. */
#define GAIN 0.8

/* Values further off than CORRECTION_FAR are learned from when so many runs of one setting are
 * within this factor of their middle: a program that is always so slow is no accident. */
#define AGREE 1.25
#define AGREE_RUNS 3

#define HOLDS_80 1.2816 /* standard deviations either side */

const char *const correction_names[] = {"step", "memory", "power", "startup", "token", NULL};

static const struct field fields[] = {
    FIELD(ENUM, correction, of, FIELD_NAMES(correction_names),
          .help = "quantity it corrects: step (time), memory, power, startup or token (time)"),
    FIELD(TEXT, correction, gpu, .help = "GPU it applies to"),
    FIELD(TEXT, correction, framework, .empty_unknown = true,
          .help = "framework it applies to; null: any"),
    FIELD(TEXT, correction, model, .empty_unknown = true,
          .help = "model it applies to; null: any"),
    FIELD(TEXT, correction, setting, .empty_unknown = true,
          .help = "setting it applies to; null: any"),
    FIELD(NUMBER, correction, factor, .help = "factor on the estimate; for startup: seconds"),
    FIELD(NUMBER, correction, low, .help = "10th percentile; for startup: the shortest"),
    FIELD(NUMBER, correction, high, .help = "90th percentile; for startup: the longest"),
    FIELD(COUNT, correction, runs, .help = "runs it was learned from"),
    FIELD(NUMBER, correction, error_before, .help = "mean error of left-out runs without it"),
    FIELD(NUMBER, correction, error_after, .help = "mean error of left-out runs with it"),
};

const struct field_set correction_fields = FIELD_SET(struct correction, fields);

/* A measured value: the logarithm of measured over predicted, or seconds of a start-up. */
struct seen {
    struct correction_key key;
    double value;
    size_t run; /* which it is of */
};

/* How much runs must have in common to be of one kind. */
enum level { LEVEL_GPU, LEVEL_FRAMEWORK, LEVEL_MODEL, LEVEL_SETTING };

static int compare_kind(const struct seen *x, const struct seen *y, enum level level)
{
    int order = str_cmp(x->key.gpu, y->key.gpu);

    if (order == 0 && level >= LEVEL_FRAMEWORK)
        order = str_cmp(x->key.framework, y->key.framework);
    if (order == 0 && level >= LEVEL_MODEL)
        order = str_cmp(x->key.model, y->key.model);
    if (order == 0 && level >= LEVEL_SETTING)
        order = str_cmp(x->key.setting, y->key.setting);
    return order;
}

static int by_kind_and_value(const struct seen *x, const struct seen *y, enum level level)
{
    int order = compare_kind(x, y, level);

    return order != 0 ? order : (x->value > y->value) - (x->value < y->value);
}

static int by_correction_kind(const void *a, const void *b)
{
    return by_kind_and_value(a, b, LEVEL_SETTING);
}

static int by_startup_kind(const void *a, const void *b)
{
    return by_kind_and_value(a, b, LEVEL_MODEL);
}

/* Sorted values of one kind. */
struct kind {
    const struct seen *at;
    size_t len;
};

/* The kind that begins at `from`. */
static struct kind kind_at(struct kind all, size_t from, enum level level)
{
    size_t to = from;

    while (to < all.len && compare_kind(&all.at[to], &all.at[from], level) == 0)
        to++;
    return (struct kind){all.at + from, to - from};
}

static double mean_of_kind(struct kind k)
{
    double sum = 0;

    for (size_t i = 0; i < k.len; i++)
        sum += k.at[i].value;
    return sum / (double)k.len;
}

/* How far apart runs of the same setting are. */
static double runs_apart(struct kind all)
{
    double squares = RUNS_APART_WORTH * RUNS_APART * RUNS_APART, freedom = RUNS_APART_WORTH;

    for (size_t from = 0; from < all.len;) {
        struct kind k = kind_at(all, from, LEVEL_SETTING);
        double mean = mean_of_kind(k);

        for (size_t i = 0; i < k.len; i++)
            squares += (k.at[i].value - mean) * (k.at[i].value - mean);
        freedom += (double)(k.len - 1);
        from += k.len;
    }
    return fmax(RUNS_APART_LEAST, sqrt(squares / freedom));
}

/* What is learned of one quantity. */
struct learning {
    enum correction_of of;
    struct kind all;
    double runs_apart;
    double *values; /* room for as many as there are runs */
    struct correction *out;
    size_t made;
    size_t *rejected;
};

/* What is believed before the values of a kind are seen, and how far those are apart. */
struct prior {
    double center, spread, apart;
};

/* Where the truth is after `count` values whose sum is `sum`. */
static double moved(const struct prior *p, double sum, double count, double *after)
{
    double weight = 1 / (p->apart * p->apart), prior = 1 / (p->spread * p->spread);

    *after = 1 / sqrt(count * weight + prior);
    return (sum * weight + p->center * prior) / (count * weight + prior);
}

/* The values that a correction of this level is learned from: runs of a setting; for a model
 * the means of its settings; for a framework or a GPU the means of its models, since ten
 * runs of one model say little about others. */
static size_t correction_values(struct kind k, enum level level, double *out)
{
    size_t count = 0;

    for (size_t from = 0; from < k.len;) {
        struct kind one =
            level == LEVEL_SETTING
                ? (struct kind){k.at + from, 1}
                : kind_at(k, from, level == LEVEL_MODEL ? LEVEL_SETTING : LEVEL_MODEL);

        out[count++] = mean_of_kind(one);
        from += one.len;
    }
    return count;
}

/* Learn a correction from each set of all values but one: does it help with that one? */
static bool helps_left_out(const struct prior *p, const double *values, size_t count,
                           double *before, double *after)
{
    double sum = 0, sd;

    *before = *after = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    for (size_t i = 0; i < count; i++) {
        double without = moved(p, sum - values[i], (double)(count - 1), &sd);

        *before += fabs(expm1(p->center - values[i])) / (double)count;
        *after += fabs(expm1(without - values[i])) / (double)count;
    }
    return count > 1 && *after < GAIN * *before;
}

/* Add the correction of a kind if it helps; the logarithm of what is in use for the kind
 * then. */
static double learn_kind(struct learning *w, struct kind k, enum level level,
                         const struct prior *p)
{
    size_t count = correction_values(k, level, w->values);
    double sum = 0, sd, center, before, after;

    if (!helps_left_out(p, w->values, count, &before, &after)) {
        *w->rejected += count > 1;
        return p->center;
    }
    for (size_t i = 0; i < count; i++)
        sum += w->values[i];
    center = moved(p, sum, (double)count, &sd);
    w->out[w->made++] = (struct correction){
        .of = w->of,
        .gpu = k.at->key.gpu,
        .framework = level >= LEVEL_FRAMEWORK ? k.at->key.framework : (struct str){0},
        .model = level >= LEVEL_MODEL ? k.at->key.model : (struct str){0},
        .setting = level >= LEVEL_SETTING ? k.at->key.setting : (struct str){0},
        .factor = exp(center),
        .low = exp(center - HOLDS_80 * sd),
        .high = exp(center + HOLDS_80 * sd),
        .runs = (int64_t)k.len,
        .error_before = before,
        .error_after = after};
    return center;
}

/* The model's own, then those of its settings. */
static void learn_model(struct learning *w, struct kind model, double framework)
{
    struct prior prior = {framework, MODEL_SPREAD, SETTINGS_APART};

    if (model.at->key.model.len == 0)
        return;
    prior.center = learn_kind(w, model, LEVEL_MODEL, &prior);
    prior.spread = SETTING_SPREAD;
    prior.apart = w->runs_apart;
    for (size_t from = 0; from < model.len;) {
        struct kind setting = kind_at(model, from, LEVEL_SETTING);

        if (setting.at->key.setting.len > 0)
            (void)learn_kind(w, setting, LEVEL_SETTING, &prior);
        from += setting.len;
    }
}

/* The framework's own, then those of its models. */
static void learn_framework(struct learning *w, struct kind framework, double gpu)
{
    struct prior prior = {gpu, FRAMEWORK_SPREAD, MODELS_APART};

    if (framework.at->key.framework.len > 0)
        prior.center = learn_kind(w, framework, LEVEL_FRAMEWORK, &prior);
    for (size_t from = 0; from < framework.len;) {
        struct kind model = kind_at(framework, from, LEVEL_MODEL);

        learn_model(w, model, prior.center);
        from += model.len;
    }
}

static void learn_factors(struct learning *w)
{
    w->runs_apart = runs_apart(w->all);
    for (size_t from = 0; from < w->all.len;) {
        struct kind gpu = kind_at(w->all, from, LEVEL_GPU);
        struct prior prior = {0, GPU_SPREAD, MODELS_APART};
        double center = learn_kind(w, gpu, LEVEL_GPU, &prior);

        for (size_t in = 0; in < gpu.len;) {
            struct kind framework = kind_at(gpu, in, LEVEL_FRAMEWORK);

            learn_framework(w, framework, center);
            in += framework.len;
        }
        from += gpu.len;
    }
}

/* Programs of one model start alike, whatever their settings: the middle of their times, which
 * are sorted by model alone. One is not enough, since the first start also downloads. */
static void learn_startup(struct learning *w)
{
    for (size_t from = 0; from < w->all.len;) {
        struct kind k = kind_at(w->all, from, LEVEL_MODEL);

        if (k.len > 1)
            w->out[w->made++] = (struct correction){
                .of = CORRECTION_STARTUP,
                .gpu = k.at->key.gpu,
                .framework = k.at->key.framework,
                .model = k.at->key.model,
                .factor = (k.at[(k.len - 1) / 2].value + k.at[k.len / 2].value) / 2,
                .low = k.at[0].value,
                .high = k.at[k.len - 1].value,
                .runs = (int64_t)k.len,
                .error_before = NAN,
                .error_after = NAN};
        from += k.len;
    }
}

/* NaN: there is nothing to learn of this quantity. */
static double seen_value(const struct correction_run *run, enum correction_of of)
{
    if (of == CORRECTION_STARTUP)
        return run->startup_s;
    return run->predicted[of] > 0 && run->measured[of] > 0
               ? log(run->measured[of] / run->predicted[of])
               : NAN;
}

static bool is_far(double value)
{
    return fabs(value) > log(CORRECTION_FAR);
}

/* Values of one setting that are far off, and far off by the same: those within AGREE of their
 * middle, if there are enough. They are sorted, so the far ones on one side are neighbors. */
static struct kind agreeing_far(struct kind setting, bool above)
{
    size_t from = 0, to = setting.len;
    double middle;

    if (above)
        while (from < to && !(setting.at[from].value > log(CORRECTION_FAR)))
            from++;
    else
        while (to > from && !(setting.at[to - 1].value < -log(CORRECTION_FAR)))
            to--;
    if (from == to)
        return (struct kind){0};
    middle = setting.at[from + (to - from) / 2].value;
    while (from < to && setting.at[from].value < middle - log(AGREE))
        from++;
    while (to > from && setting.at[to - 1].value > middle + log(AGREE))
        to--;
    return to - from >= AGREE_RUNS ? (struct kind){setting.at + from, to - from}
                                   : (struct kind){0};
}

/* Keep the values that are near, and the far ones of which several runs of a setting agree. */
static size_t keep_trusted(struct seen *seen, size_t count, bool *trusted)
{
    const struct kind all = {seen, count};
    size_t kept = 0;

    for (size_t from = 0; from < count;) {
        struct kind k = kind_at(all, from, LEVEL_SETTING);
        bool named = k.at->key.model.len > 0 && k.at->key.setting.len > 0;

        for (size_t i = 0; i < k.len; i++)
            trusted[from + i] = !is_far(k.at[i].value);
        for (int above = 0; named && above < 2; above++) {
            struct kind far = agreeing_far(k, above == 1);

            for (size_t i = 0; i < far.len; i++)
                trusted[(size_t)(far.at - seen) + i] = true;
        }
        from += k.len;
    }
    for (size_t i = 0; i < count; i++)
        if (trusted[i])
            seen[kept++] = seen[i];
    return kept;
}

/* What is learned from. */
struct learners {
    const struct correction_run *runs;
    size_t count;
    bool *counts;  /* of each run: it was the job that was predicted */
    bool *trusted; /* room for as many */
};

/* The values of one quantity that count, sorted. */
static size_t collect(const struct learners *from, enum correction_of of, struct seen *out)
{
    size_t len = 0;

    for (size_t i = 0; i < from->count; i++) {
        double value = seen_value(&from->runs[i], of);

        if (from->counts[i] && isfinite(value))
            out[len++] = (struct seen){from->runs[i].key, value, i};
    }
    if (len > 0)
        qsort(out, len, sizeof *out,
              of == CORRECTION_STARTUP ? by_startup_kind : by_correction_kind);
    return of == CORRECTION_STARTUP ? len : keep_trusted(out, len, from->trusted);
}

/* A run without a GPU was not predicted, and one whose steps are far off was another job,
 * unless others of its setting are as far off: `far` are left out. */
static size_t find_learners(struct learners *from, struct seen *room)
{
    size_t near, far = 0;

    for (size_t i = 0; i < from->count; i++)
        from->counts[i] = from->runs[i].key.gpu.len > 0;
    near = collect(from, CORRECTION_STEP, room);
    for (size_t i = 0; i < from->count; i++)
        from->counts[i] &= !is_far(seen_value(&from->runs[i], CORRECTION_STEP));
    for (size_t i = 0; i < near; i++)
        from->counts[room[i].run] = true;
    for (size_t i = 0; i < from->count; i++)
        far += !from->counts[i];
    return far;
}

static size_t count_single_runs(struct kind all)
{
    size_t single = 0;

    for (size_t from = 0; from < all.len;) {
        struct kind gpu = kind_at(all, from, LEVEL_GPU);

        single += gpu.len == 1;
        from += gpu.len;
    }
    return single;
}

bool correction_learn(const struct correction_run *runs, size_t count, struct arena *arena,
                      struct correction_result *out, struct error *err)
{
    struct learners from = {.runs = runs,
                            .count = count,
                            .counts = arena_array(arena, bool, count, err),
                            .trusted = arena_array(arena, bool, count, err)};
    /* Of each quantity and run at most one for its GPU, framework, model and setting. */
    struct correction *made =
        arena_array(arena, struct correction, CORRECTION_TRAINING * 4 * count, err);
    struct seen *seen = made != NULL ? arena_array(arena, struct seen, count, err) : NULL;
    double *values = seen != NULL ? arena_array(arena, double, count, err) : NULL;

    if (values == NULL || from.counts == NULL || from.trusted == NULL)
        return false;
    *out = (struct correction_result){.at = made, .far = find_learners(&from, seen)};
    for (int of = 0; of < CORRECTION_TRAINING; of++) {
        struct learning w = {.of = (enum correction_of)of,
                             .values = values,
                             .out = made + out->len,
                             .rejected = &out->rejected};

        w.all = (struct kind){seen, collect(&from, w.of, seen)};
        if (of == CORRECTION_STEP)
            out->single = count_single_runs(w.all);
        if (of == CORRECTION_STARTUP)
            learn_startup(&w);
        else
            learn_factors(&w);
        out->len += w.made;
    }
    return true;
}

bool correction_learn_tokens(const struct correction_run *runs, size_t count,
                             struct arena *arena, struct correction_result *out,
                             struct error *err)
{
    struct correction *tokens;

    if (!correction_learn(runs, count, arena, out, err))
        return false;
    tokens = arena_array(arena, struct correction, out->len + 1, err);
    for (size_t i = 0; tokens != NULL && i < out->len; i++) {
        tokens[i] = out->at[i];
        tokens[i].of = CORRECTION_TOKEN;
    }
    out->at = tokens;
    return tokens != NULL;
}

static enum level correction_level(const struct correction *c)
{
    return c->setting.len > 0     ? LEVEL_SETTING
           : c->model.len > 0     ? LEVEL_MODEL
           : c->framework.len > 0 ? LEVEL_FRAMEWORK
                                  : LEVEL_GPU;
}

const struct correction *correction_find(const struct correction *at, size_t count,
                                         enum correction_of of,
                                         const struct correction_key *key)
{
    const struct correction *best = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct correction *c = &at[i];

        if (c->of != of || !str_eq(c->gpu, key->gpu) ||
            (c->framework.len > 0 && !str_eq(c->framework, key->framework)) ||
            (c->model.len > 0 && !str_eq(c->model, key->model)) ||
            (c->setting.len > 0 && !str_eq(c->setting, key->setting)))
            continue;
        if (best == NULL || correction_level(c) > correction_level(best))
            best = c;
    }
    return best;
}

double correction_factor(const struct correction *at, size_t count, enum correction_of of,
                         const struct correction_key *key)
{
    const struct correction *c = count > 0 ? correction_find(at, count, of, key) : NULL;

    return c != NULL ? c->factor : 1;
}

static void describe_value(const struct correction *c, struct buf *out)
{
    if (c->of == CORRECTION_STARTUP)
        buf_addf(out, "the first step starts after %s s (not in this estimate)",
                 num_about(c->factor).text);
    else if (c->of == CORRECTION_STEP || c->of == CORRECTION_TOKEN)
        buf_addf(out, "%s take %.2f times as long (%.2f to %.2f)",
                 c->of == CORRECTION_STEP ? "steps" : "tokens", c->factor, c->low, c->high);
    else
        buf_addf(out, "%s is %.2f times as much (%.2f to %.2f)", correction_names[c->of],
                 c->factor, c->low, c->high);
}

static void describe_runs(const struct correction *c, struct buf *out)
{
    buf_addf(out, ", learned from %lld run%s", (long long)c->runs, c->runs == 1 ? "" : "s");
    if (c->setting.len > 0)
        buf_adds(out, " of this setting");
    if (c->model.len > 0)
        buf_addf(out, " of %.*s", STR_ARG(c->model));
    buf_addf(out, " on %.*s", STR_ARG(c->gpu));
    if (c->framework.len > 0)
        buf_addf(out, " with %.*s", STR_ARG(c->framework));
}

static bool same_runs(const struct correction *a, const struct correction *b)
{
    return a->runs == b->runs && str_eq(a->framework, b->framework) &&
           str_eq(a->model, b->model) && str_eq(a->setting, b->setting);
}

bool correction_describe(const struct correction *at, size_t count,
                         const struct correction_key *key, struct arena *arena, struct str *out,
                         struct error *err)
{
    struct buf text = buf_new(arena->alloc, 2048);
    const struct correction *last = NULL;

    *out = (struct str){0};
    for (int of = 0; of < CORRECTION_TRAINING; of++) {
        const struct correction *c = correction_find(at, count, (enum correction_of)of, key);

        if (c == NULL)
            continue;
        if (last != NULL && !same_runs(last, c))
            describe_runs(last, &text);
        buf_adds(&text, last == NULL ? "" : same_runs(last, c) ? ", " : "; ");
        describe_value(c, &text);
        last = c;
    }
    if (last != NULL) {
        describe_runs(last, &text);
        return buf_keep(&text, arena, out, err);
    }
    buf_free(&text);
    return true;
}

bool correction_describe_token(const struct correction *at, size_t count,
                               const struct correction_key *key, struct arena *arena,
                               struct str *out, struct error *err)
{
    const struct correction *c = correction_find(at, count, CORRECTION_TOKEN, key);
    struct buf text = buf_new(arena->alloc, 2048);

    *out = (struct str){0};
    if (c == NULL)
        return true;
    describe_value(c, &text);
    describe_runs(c, &text);
    return buf_keep(&text, arena, out, err);
}
