/* Early stopping: the user's rules as text, and applying them. */
#include "run/output/early_stop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

static const char *const rule_names[] = {"patience", "plateau", "variance"};

/* Names of what should grow. All else is a loss or an error. */
static bool name_of_growing(struct str name)
{
    static const char *const parts[] = {"acc",    "f1",        "auc",  "bleu",  "rouge",
                                        "reward", "psnr",      "ssim", "iou",   "dice",
                                        "recall", "precision", "map",  "score", "top1",
                                        "top5",   "return",    "r2",   NULL};

    return str_has_any(name, parts);
}

static bool parse_metric(struct str text, struct stop_options *out, struct error *err)
{
    struct str direction = text, name = str_trim(str_cut(&direction, ':'));

    direction = str_trim(direction);
    if (name.len == 0 || name.len >= METRIC_NAME || memchr(name.at, '=', name.len) != NULL) {
        error_set(err, ERROR_USAGE, "early stopping: '%.*s' is not the name of a metric",
                  STR_ARG(name));
        error_hint(err, "begin with one, such as val_loss:min,patience=3");
        return false;
    }
    out->greater_is_better = name_of_growing(name);
    if (direction.len > 0) {
        out->greater_is_better = str_eq_nocase(direction, STR("max"));
        if (!out->greater_is_better && !str_eq_nocase(direction, STR("min"))) {
            error_set(err, ERROR_USAGE, "early stopping: '%.*s' is neither min nor max",
                      STR_ARG(direction));
            error_hint(err, "write %.*s:min when lower is better", STR_ARG(name));
            return false;
        }
    }
    str_copy(name, out->metric, sizeof out->metric);
    return true;
}

static bool parse_stop_count(struct str key, struct str text, int least, int *out,
                             struct error *err)
{
    int64_t n;

    if (!num_int(text, &n) || n < least || n > STOP_HISTORY / 2)
        return error_fail(err, ERROR_USAGE,
                          "early stopping: %.*s is '%.*s', not a whole number from %d to %d",
                          STR_ARG(key), STR_ARG(text), least, STOP_HISTORY / 2);
    *out = (int)n;
    return true;
}

static bool parse_stop_amount(struct str key, struct str text, double *out, bool *relative,
                              struct error *err)
{
    bool percent = text.len > 0 && text.at[text.len - 1] == '%';
    struct str number = {text.at, text.len - percent};

    if (!num_double(str_trim(number), out) || *out < 0 || !isfinite(*out)) {
        error_set(err, ERROR_USAGE, "early stopping: %.*s is '%.*s', not an amount",
                  STR_ARG(key), STR_ARG(text));
        error_hint(err, "write it as 0.01, or relative to the metric as 0.5%%");
        return false;
    }
    *relative = percent;
    if (percent)
        *out /= 100;
    return true;
}

static bool parse_rule(struct str text, enum stop_rule *out, struct error *err)
{
    struct suggestion s = {.wanted = text};

    for (size_t i = 0; i < ARRAY_LEN(rule_names); i++) {
        if (str_eq_nocase(text, str_from(rule_names[i]))) {
            *out = (enum stop_rule)i;
            return true;
        }
        suggestion_try(&s, str_from(rule_names[i]));
    }
    error_set(err, ERROR_USAGE,
              "early stopping: the rule '%.*s' is not patience, plateau or variance",
              STR_ARG(text));
    (void)suggestion_hint(&s, err);
    return false;
}

static bool parse_setting(struct str item, struct stop_options *out, struct error *err)
{
    struct str value = item, key = str_trim(str_cut(&value, '='));
    bool relative;

    value = str_trim(value);
    if (str_eq(key, STR("patience")))
        return parse_stop_count(key, value, 1, &out->patience, err);
    if (str_eq(key, STR("warmup")))
        return parse_stop_count(key, value, 0, &out->warmup, err);
    if (str_eq(key, STR("min")) || str_eq(key, STR("min_delta")) ||
        str_eq(key, STR("min-delta"))) /* as Keras calls it */
        return parse_stop_amount(key, value, &out->min, &out->relative, err);
    if (str_eq(key, STR("variance")))
        return parse_stop_amount(key, value, &out->variance, &relative, err);
    if (str_eq(key, STR("rule")))
        return parse_rule(value, &out->rule, err);
    error_set(err, ERROR_USAGE, "early stopping: there is no setting '%.*s'", STR_ARG(key));
    error_hint(err, "there are patience, min (also min_delta), rule, warmup and variance");
    return false;
}

bool stop_parse(struct str text, struct stop_options *out, struct error *err)
{
    *out = (struct stop_options){
        .rule = STOP_PLATEAU,
        .patience = -1,
        .min = -1,
        .relative = true,
        .variance = 1e-3,
        .warmup = -1,
    };
    if (!parse_metric(str_cut(&text, ','), out, err))
        return false;
    while (text.len > 0) {
        struct str item = str_trim(str_cut(&text, ','));

        if (item.len > 0 && !parse_setting(item, out, err))
            return false;
    }
    if (out->patience < 0)
        out->patience = out->rule == STOP_VARIANCE ? 3 : 5;
    if (out->min < 0)
        out->min = out->rule == STOP_VARIANCE ? 0.005 : 0.002;
    if (out->warmup < 0)
        out->warmup = out->rule == STOP_PLATEAU ? 2 * out->patience : 0;
    return true;
}

/* ---- the rules; here less is always better ---- */

/* How sure the trend must be: standard deviations. */
#define SURE 2.5
/* Of the middle of n values with normal noise, and of noise by its median deviation. */
#define MEDIAN_ERROR 1.2533
#define DEVIATION 1.4826

void stop_start(struct stop_watch *w, const struct stop_options *options)
{
    *w = (struct stop_watch){.options = *options, .best = INFINITY, .best_at = -1};
}

/* Number `back` from the newest, which is 0. */
static double value_back(const struct stop_watch *w, int back)
{
    return w->value[(w->count - 1 - back) % STOP_HISTORY];
}

/* An improvement as `min` counts it. */
static double metric_improvement(const struct stop_watch *w, double from, double to)
{
    if (!w->options.relative)
        return from - to;
    if (from == 0)
        return to < from ? (double)INFINITY : 0;
    return (from - to) / fabs(from);
}

/* The value as the program reported it. */
static double as_printed(const struct stop_watch *w, double value)
{
    return w->options.greater_is_better ? -value : value;
}

static void write_stop_amount(const struct stop_watch *w, double amount, char *to, size_t room)
{
    if (w->options.relative)
        (void)snprintf(to, room, "%.3g %%", amount * 100);
    else
        (void)snprintf(to, room, "%.3g", amount);
}

/* --- Patience --- */

static enum stop_verdict judge_patience(const struct stop_watch *w, char *why)
{
    int since = w->count - 1 - w->best_at;
    char amount[32];

    if (since + 1 < w->options.patience || since == 0)
        return STOP_GO_ON;
    write_stop_amount(w, w->options.min, amount, sizeof amount);
    (void)snprintf(why, STOP_WHY, "%s has not improved by %s on its best of %.6g for %d values",
                   w->options.metric, amount, as_printed(w, w->best), since);
    return since >= w->options.patience ? STOP_NOW : STOP_WARN;
}

/* --- Variance: the rule of the cost guide, made safe for small values and steady progress
 * --- */

static enum stop_verdict judge_variance(const struct stop_watch *w, char *why)
{
    int n = w->options.patience;
    double mean = 0, variance = 0, best = INFINITY, gain;
    bool falling = true;

    if (w->count < n + 1 || n < 2)
        return STOP_GO_ON;
    for (int i = 0; i < n; i++) {
        mean += value_back(w, i) / n;
        falling &= value_back(w, i) < value_back(w, i + 1);
        if (i > 0)
            best = fmin(best, value_back(w, i));
    }
    if (falling)
        return STOP_GO_ON;
    for (int i = 0; i < n; i++)
        variance += (value_back(w, i) - mean) * (value_back(w, i) - mean) / n;
    gain = metric_improvement(w, best, value_back(w, 0));
    if (variance < w->options.variance * mean * mean)
        (void)snprintf(why, STOP_WHY, "the last %d values of %s vary by %.2g of their mean", n,
                       w->options.metric, mean != 0 ? sqrt(variance) / fabs(mean) : 0);
    else if (gain < w->options.min)
        (void)snprintf(why, STOP_WHY, "%s at %.6g is no better than %.6g shortly before",
                       w->options.metric, as_printed(w, value_back(w, 0)), as_printed(w, best));
    else
        return STOP_GO_ON;
    return STOP_NOW;
}

/* --- Plateau --- */

static double median_value(double *values, int count)
{
    qsort(values, (size_t)count, sizeof values[0], num_by_value);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

struct trend {
    double slope, error; /* a value; of the slope */
    double level;        /* where the line is now */
};

/* A line through the middles of the first and the last third of the newest `n` values: an
 * outlier moves neither, and it takes one sort. */
static struct trend stop_trend(const struct stop_watch *w, int n)
{
    double work[STOP_HISTORY] = {0}, early, late, noise;
    int third = n / 3;
    double apart = n - third;
    struct trend t;

    for (int i = 0; i < third; i++)
        work[i] = value_back(w, n - 1 - i);
    early = median_value(work, third);
    for (int i = 0; i < third; i++)
        work[i] = value_back(w, i);
    late = median_value(work, third);
    t.slope = (late - early) / apart;
    t.level = late + t.slope * (third - 1) / 2;
    for (int i = 0; i < n; i++)
        work[i] = fabs(value_back(w, i) - (t.level - t.slope * i));
    noise = DEVIATION * median_value(work, n);
    t.error = sqrt(2.0) * MEDIAN_ERROR * noise / sqrt(third) / apart;
    return t;
}

/* Do the newest `n` values leave no hope of an improvement within the patience? */
static bool is_trend_flat(const struct stop_watch *w, int n, struct trend *t)
{
    double hope;

    *t = stop_trend(w, n);
    hope = t->level + (t->slope - SURE * t->error) * w->options.patience;
    return metric_improvement(w, t->level, hope) < w->options.min;
}

/* Longer and longer spans, since noise hides a trend less in more values; but never more than
 * the newer half of what there is, since the beginning is always steep. */
static enum stop_verdict judge_plateau(struct stop_watch *w, char *why)
{
    int most = w->count < STOP_HISTORY ? w->count : STOP_HISTORY;
    int least = 2 * w->options.patience > 6 ? 2 * w->options.patience : 6;
    struct trend t = {0, 0, 0};
    char gain[32], amount[32];
    bool flat = false;
    int n = least;

    for (; n <= most && !flat && (n == least || n <= most / 2); n *= 2)
        flat = is_trend_flat(w, n, &t);
    w->flat = flat ? w->flat + 1 : 0;
    if (!flat)
        return STOP_GO_ON;
    write_stop_amount(w,
                      metric_improvement(w, t.level, t.level + t.slope * w->options.patience),
                      gain, sizeof gain);
    write_stop_amount(w, w->options.min, amount, sizeof amount);
    (void)snprintf(why, STOP_WHY,
                   "the trend of %s over the last %d values promises %s in the next %d, less "
                   "than %s",
                   w->options.metric, n / 2, gain, w->options.patience, amount);
    return w->flat >= 2 ? STOP_NOW : STOP_WARN;
}

enum stop_verdict stop_see(struct stop_watch *w, double value, char *why)
{
    why[0] = '\0';
    if (!isfinite(value)) {
        (void)snprintf(why, STOP_WHY, "%s is not a number any more", w->options.metric);
        return STOP_NOW;
    }
    if (w->options.greater_is_better)
        value = -value;
    if (w->count == INT_MAX)
        return STOP_GO_ON;
    w->value[w->count % STOP_HISTORY] = value;
    w->count++;
    if (w->best_at < 0 ||
        (value < w->best && metric_improvement(w, w->best, value) >= w->options.min)) {
        w->best = value;
        w->best_at = w->count - 1;
    }
    if (w->count <= w->options.warmup)
        return STOP_GO_ON;
    switch (w->options.rule) {
    case STOP_PATIENCE:
        return judge_patience(w, why);
    case STOP_VARIANCE:
        return judge_variance(w, why);
    case STOP_PLATEAU:
        break;
    }
    return judge_plateau(w, why);
}

/* ---- divergence of a training loss: see early_stop.h ---- */

void divergence_start(struct divergence_watch *w)
{
    *w = (struct divergence_watch){.bad_step = NAN, .best_median = NAN, .first_median = NAN};
}

static double middle_value(const double *values)
{
    double sorted[DIVERGENCE_SPAN] = {0};

    for (int i = 0; i < DIVERGENCE_SPAN; i++) {
        int k = i;

        for (; k > 0 && sorted[k - 1] > values[i]; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = values[i];
    }
    return (sorted[DIVERGENCE_SPAN / 2 - 1] + sorted[DIVERGENCE_SPAN / 2]) / 2;
}

static enum divergence see_not_finite(struct divergence_watch *w, double loss, double step,
                                      char *why)
{
    w->bad += w->bad == 0 || isnan(step) || step != w->bad_step;
    w->bad_step = step;
    if (w->bad < DIVERGENCE_TIMES)
        return DIVERGENCE_NONE;
    (void)snprintf(why, STOP_WHY, "the loss is %s", isnan(loss) ? "not a number" : "infinite");
    return DIVERGENCE_NOT_FINITE;
}

enum divergence divergence_see(struct divergence_watch *w, double loss, double step, char *why)
{
    double now;

    why[0] = '\0';
    if (!isfinite(loss))
        return see_not_finite(w, loss, step, why);
    w->bad = 0;
    w->recent[w->count % DIVERGENCE_SPAN] = loss;
    w->count += w->count < 2 * DIVERGENCE_SPAN - 1 ? 1 : 1 - DIVERGENCE_SPAN;
    if (w->count < DIVERGENCE_SPAN)
        return DIVERGENCE_NONE;
    now = middle_value(w->recent);
    if (isnan(w->first_median))
        w->first_median = w->best_median = now;
    w->best_median = fmin(w->best_median, now);
    if (w->best_median <= 0 || now <= w->first_median ||
        now <= DIVERGENCE_FACTOR * w->best_median)
        return DIVERGENCE_NONE;
    (void)snprintf(why, STOP_WHY, "the loss has grown from %.4g to %.4g", w->best_median, now);
    return DIVERGENCE_GROWN;
}
