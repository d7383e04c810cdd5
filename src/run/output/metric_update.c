/* One line's update, filled in value by value: see metric_internal.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/output/metric_internal.h"

void metric_clear(struct metric_update *out)
{
    *out = (struct metric_update){.step = NAN, .steps = NAN, .epoch = NAN, .epochs = NAN};
    out->loss = out->eval_loss = NAN;
    out->rate = out->samples_rate = out->tokens_rate = NAN;
    out->samples = out->tokens = out->left_s = NAN;
    out->phase = -1;
}

bool update_says(const struct metric_update *out)
{
    const double told[] = {out->step,   out->steps,        out->epoch,       out->epochs,
                           out->rate,   out->samples_rate, out->tokens_rate, out->samples,
                           out->tokens, out->left_s};

    for (size_t i = 0; i < ARRAY_LEN(told); i++) {
        if (!isnan(told[i]))
            return true;
    }
    return out->told_loss || out->told_eval_loss || out->phase >= 0 || out->evaluated ||
           out->saved || out->named_count > 0;
}

void update_name(struct metric_update *out, const char *name, double value)
{
    int i = 0;

    while (i < out->named_count && strncmp(out->named[i].name, name, METRIC_NAME - 1) != 0)
        i++;
    if (i < out->named_count || i == METRIC_USER)
        return; /* the first one stands: the user's pattern, mostly */
    (void)snprintf(out->named[i].name, METRIC_NAME, "%s", name);
    out->named[i].value = value;
    out->named_count++;
}

/* Of several losses in a line the plainest name is the loss: "loss" before "lm_loss" before
 * "aux_loss"; one of the whole epoch is the least of them. */
static int loss_fit(const char *name)
{
    static const char *const plain[] = {
        "loss",       "train_loss",      "training_loss", "eval_loss", "val_loss",
        "valid_loss", "validation_loss", "test_loss",     "dev_loss",  "evaluation_loss"};
    static const char *const good[] = {"avr_loss",        "avg_loss",   "average_loss",
                                       "lm_loss",         "total_loss", "mean_loss",
                                       "train_loss_step", "loss_step"};

    for (size_t i = 0; i < ARRAY_LEN(plain); i++) {
        if (strcmp(name, plain[i]) == 0)
            return 4;
    }
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        if (strcmp(name, good[i]) == 0)
            return 3;
    }
    return str_ends(str_from(name), STR("_epoch")) ? 1 : 2;
}

static void tell_loss(struct metric_update *out, const char *name, double value, bool eval)
{
    int fit = loss_fit(name), *best = eval ? &out->eval_loss_fit : &out->loss_fit;

    update_name(out, name, value);
    if (fit <= *best)
        return;
    *best = fit;
    *(eval ? &out->eval_loss : &out->loss) = value;
    *(eval ? &out->told_eval_loss : &out->told_loss) = true;
    out->evaluated |= eval;
}

/* A count, when it can be one. */
static void tell_count(double *to, double value)
{
    if (isfinite(value) && value >= 0 && isnan(*to))
        *to = value;
}

static void tell_most(double *to, double value)
{
    if (value > 0)
        tell_count(to, value);
}

static void tell_per(double *to, double seconds)
{
    if (seconds > 0)
        tell_count(to, 1 / seconds);
}

void update_tell(struct metric_update *out, enum key key, const char *name, double value,
                 double total)
{
    switch (key) {
    case KEY_NONE:
        return;
    case KEY_STEP:
        if (isnan(total) && str_ends(str_from(name), STR("batch")))
            return; /* without an "of how many" it is how large they are */
        tell_count(&out->step, value);
        tell_most(&out->steps, total);
        return;
    case KEY_STEPS:
        tell_most(&out->steps, value);
        return;
    case KEY_EPOCH:
        tell_count(&out->epoch, value);
        tell_most(&out->epochs, total);
        return;
    case KEY_EPOCHS:
        tell_most(&out->epochs, value);
        return;
    case KEY_LOSS:
    case KEY_EVAL_LOSS:
        tell_loss(out, name, value, key == KEY_EVAL_LOSS);
        return;
    case KEY_RATE:
        tell_count(&out->rate, value);
        return;
    case KEY_STEP_TIME:
        tell_per(&out->rate, value);
        return;
    case KEY_STEP_TIME_MS:
        tell_per(&out->rate, value / 1000);
        return;
    case KEY_SAMPLES_RATE:
        tell_count(&out->samples_rate, value);
        return;
    case KEY_TOKENS_RATE:
        tell_count(&out->tokens_rate, value);
        return;
    case KEY_SAMPLES:
        tell_count(&out->samples, value);
        return;
    case KEY_TOKENS:
        tell_count(&out->tokens, value);
        return;
    case KEY_LEFT:
        tell_count(&out->left_s, value);
        return;
    case KEY_METRIC:
    case KEY_OTHER:
        break;
    }
    update_name(out, name, isnan(total) ? value : value / total);
    out->evaluated |= key == KEY_METRIC && key_of_evaluation(str_from(name));
}

static void take_if_unknown(double *to, double from)
{
    if (isnan(*to))
        *to = from;
}

void update_merge(struct metric_update *out, const struct metric_update *more)
{
    take_if_unknown(&out->step, more->step);
    take_if_unknown(&out->steps, more->steps);
    take_if_unknown(&out->epoch, more->epoch);
    take_if_unknown(&out->epochs, more->epochs);
    take_if_unknown(&out->rate, more->rate);
    take_if_unknown(&out->samples_rate, more->samples_rate);
    take_if_unknown(&out->tokens_rate, more->tokens_rate);
    take_if_unknown(&out->samples, more->samples);
    take_if_unknown(&out->tokens, more->tokens);
    take_if_unknown(&out->left_s, more->left_s);
    if (!out->told_loss) {
        out->loss = more->loss;
        out->told_loss = more->told_loss;
    }
    if (!out->told_eval_loss) {
        out->eval_loss = more->eval_loss;
        out->told_eval_loss = more->told_eval_loss;
    }
    if (out->phase < 0)
        out->phase = more->phase;
    if (!out->saved) {
        out->saved = more->saved;
        out->saved_path = more->saved_path;
    }
    out->in_epoch |= more->in_epoch;
    out->epoch_done |= more->epoch_done;
    out->evaluated |= more->evaluated;
    for (int i = 0; i < more->named_count; i++)
        update_name(out, more->named[i].name, more->named[i].value);
    if (more->style != NULL)
        out->style = more->style;
}

static bool find_named(const struct metric_update *update, struct str name, double *value)
{
    for (int i = 0; i < update->named_count; i++) {
        if (str_eq(name, str_from(update->named[i].name))) {
            *value = update->named[i].value;
            return true;
        }
    }
    return false;
}

bool metric_find(const struct metric_update *update, struct str name, double *value)
{
    const struct {
        const char *name;
        double value;
    } counts[] = {
        {"step", update->step},
        {"steps", update->steps},
        {"epoch", update->epoch},
        {"epochs", update->epochs},
        {"rate", update->rate},
        {"samples_rate", update->samples_rate},
        {"tokens_rate", update->tokens_rate},
    };
    char room[KEY_ROOM];
    enum key key = key_read(name, room);

    if (find_named(update, name, value) || find_named(update, str_from(room), value))
        return true;
    if ((key == KEY_LOSS || key == KEY_EVAL_LOSS) && loss_fit(room) == 4) {
        *value = key == KEY_LOSS ? update->loss : update->eval_loss;
        return key == KEY_LOSS ? update->told_loss : update->told_eval_loss;
    }
    for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
        if (str_eq(name, str_from(counts[i].name))) {
            *value = counts[i].value;
            return !isnan(*value);
        }
    }
    return false;
}

double metric_value(const struct metric_update *update, struct str name)
{
    double value;

    return metric_find(update, name, &value) ? value : (double)NAN;
}
