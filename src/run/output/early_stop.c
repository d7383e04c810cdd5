/* What the user asked for of early stopping, as text: see early_stop.h. */
#include "run/output/early_stop.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"

static const char *const rule_names[] = {"patience", "plateau", "variance"};

/* Names of what should grow. All else is a loss or an error. */
static bool name_of_growing(struct str name)
{
    static const char *const parts[] = {"acc",  "f1",    "auc",  "bleu", "rouge",  "reward",
                                        "psnr", "ssim",  "iou",  "dice", "recall", "precision",
                                        "map",  "score", "top1", "top5", "return", "r2"};

    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (str_has_nocase(name, str_from(parts[i])))
            return true;
    }
    return false;
}

static bool parse_metric(struct str text, struct stop_options *out, struct error *err)
{
    struct str direction = text, name = str_trim(str_cut(&direction, ':'));

    direction = str_trim(direction);
    if (name.len == 0 || name.len >= METRIC_NAME || memchr(name.at, '=', name.len) != NULL) {
        error_set(err, ERROR_USAGE, "early stopping: '%.*s' is no name of a metric",
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
            error_hint(err, "write %.*s:min when less of it is better", STR_ARG(name));
            return false;
        }
    }
    (void)snprintf(out->metric, sizeof out->metric, "%.*s", STR_ARG(name));
    return true;
}

static bool parse_count(struct str key, struct str text, int least, int *out, struct error *err)
{
    int64_t n;

    if (!num_int(text, &n) || n < least || n > STOP_HISTORY / 2)
        return error_fail(err, ERROR_USAGE,
                          "early stopping: %.*s is '%.*s', not a whole number from %d to %d",
                          STR_ARG(key), STR_ARG(text), least, STOP_HISTORY / 2);
    *out = (int)n;
    return true;
}

static bool parse_amount(struct str key, struct str text, double *out, bool *relative,
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
              "early stopping: the rule '%.*s' is none of patience, plateau and variance",
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
        return parse_count(key, value, 1, &out->patience, err);
    if (str_eq(key, STR("warmup")))
        return parse_count(key, value, 0, &out->warmup, err);
    if (str_eq(key, STR("min")))
        return parse_amount(key, value, &out->min, &out->relative, err);
    if (str_eq(key, STR("variance")))
        return parse_amount(key, value, &out->variance, &relative, err);
    if (str_eq(key, STR("rule")))
        return parse_rule(value, &out->rule, err);
    error_set(err, ERROR_USAGE, "early stopping: there is no setting '%.*s'", STR_ARG(key));
    error_hint(err, "there are patience, min, rule, warmup and variance");
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
