/* Lines of names and numbers in any order: DeepSpeed, Megatron, nanoGPT, Keras, the examples of
 * PyTorch, and whatever a person prints. See metric_internal.h. */
#include <math.h>
#include <string.h>

#include "run/output/metric_internal.h"

/* What was found in a line, to judge whether it speaks of training at all. */
struct found {
    bool loss, metric, rate, counter, total, optimizer, wanted;
    int prose; /* words that belong to no number */
};

/* A pair's value in the unit its name has: seconds for times, one for shares. */
static double in_unit(const struct pair *pair)
{
    if (pair->key == KEY_LEFT && pair->unit.len > 0 && pair->unit.at[0] == 'm')
        return pair->value * 60;
    if (pair->key == KEY_LEFT && pair->unit.len > 0 && pair->unit.at[0] == 'h')
        return pair->value * 3600;
    if (pair->unit.len > 0 && pair->unit.at[0] == '%' && strcmp(pair->name, "mfu") == 0)
        return pair->value / 100; /* 0.8 % is not 80 */
    return pair->value;
}

/* Is this a pair to believe? A share is no loss, and "the accuracy of 3 people" no metric. */
static bool believable(const struct pair *pair)
{
    bool percent = pair->unit.len > 0 && pair->unit.at[0] == '%';

    switch (pair->key) {
    case KEY_LOSS:
    case KEY_EVAL_LOSS:
        return pair->unit.len == 0 && isnan(pair->total) && !pair->is_time;
    case KEY_STEP:
    case KEY_STEPS:
    case KEY_EPOCH:
    case KEY_EPOCHS:
        return pair->unit.len == 0 && !pair->is_time;
    case KEY_NONE:
        return false;
    case KEY_METRIC:
        return pair->unit.len == 0 || percent;
    case KEY_OTHER:
    case KEY_RATE:
    case KEY_STEP_TIME:
    case KEY_STEP_TIME_MS:
    case KEY_SAMPLES_RATE:
    case KEY_TOKENS_RATE:
    case KEY_SAMPLES:
    case KEY_TOKENS:
    case KEY_LEFT:
        break;
    }
    return true;
}

static void note(struct found *found, const struct pair *pair)
{
    bool counter = pair->key == KEY_STEP || pair->key == KEY_EPOCH;

    found->loss |= pair->key == KEY_LOSS || pair->key == KEY_EVAL_LOSS;
    found->metric |= pair->key == KEY_METRIC && pair->sign != ' ';
    found->rate |= pair->key == KEY_RATE || pair->key == KEY_STEP_TIME ||
                   pair->key == KEY_STEP_TIME_MS || pair->key == KEY_SAMPLES_RATE ||
                   pair->key == KEY_TOKENS_RATE;
    found->counter |= counter;
    found->optimizer |= strcmp(pair->name, "lr") == 0 || strcmp(pair->name, "grad_norm") == 0 ||
                        strcmp(pair->name, "learning_rate") == 0;
    found->total |= pair->key == KEY_STEPS || pair->key == KEY_EPOCHS;
}

/* A count without a name, after an epoch: how far it is. */
static void tell_bare(const struct pair *pair, struct metric_update *out)
{
    if (isnan(out->epoch) || !isnan(out->step) || pair->total <= 0 || pair->value > pair->total)
        return;
    out->step = pair->value;
    out->steps = pair->total;
    out->in_epoch = true;
}

static void tell(const struct pair *pair, bool evaluates, struct metric_update *out)
{
    enum key key = pair->key;

    if (pair->name[0] == '\0') {
        tell_bare(pair, out);
        return;
    }
    if (evaluates && key == KEY_LOSS)
        key = KEY_EVAL_LOSS;
    else if (evaluates && key != KEY_EVAL_LOSS && key != KEY_EPOCH && key != KEY_EPOCHS)
        key = key == KEY_METRIC ? KEY_METRIC : KEY_OTHER;
    /* nanoGPT's "time 45.2ms" is that of a step. */
    if (key == KEY_OTHER && strcmp(pair->name, "time") == 0 && str_eq(pair->unit, STR("ms")) &&
        !isnan(out->step))
        key = KEY_STEP_TIME_MS;
    if (key == KEY_OTHER && (pair->is_time || pair->sign == ' '))
        return;
    update_tell(out, key, pair->name, in_unit(pair), pair->total);
}

static bool is_wanted(const struct strs *wanted, const char *name)
{
    for (size_t i = 0; i < wanted->len; i++) {
        if (key_ends_with(str_from(name), wanted->at[i]))
            return true;
    }
    return false;
}

static void read_pairs(struct str text, bool evaluates, const struct strs *wanted,
                       struct metric_update *out, struct found *found)
{
    struct pairs pairs = {.rest = text, .before = ' ', .sign = ' '};
    struct pair pair;

    while (pairs_next(&pairs, &pair)) {
        if (!believable(&pair))
            continue;
        note(found, &pair);
        if (is_wanted(wanted, pair.name)) {
            found->wanted = true;
            update_name(out, pair.name, pair.value);
        }
        tell(&pair, evaluates, out);
    }
    found->prose = pairs.prose + (pairs.phrase.len > 0);
}

bool pairs_tell(struct str text, struct metric_update *out)
{
    struct found found = {.loss = false};
    const struct strs nothing = {NULL, 0};

    read_pairs(text, false, &nothing, out, &found);
    return update_says(out);
}

/* Does the line begin with a word of an evaluation: "Test set: Average loss: ..."? */
static bool line_evaluates(struct str line)
{
    char name[KEY_ROOM];
    size_t len = 0;

    while (line.len > 0 && !is_letter(line.at[0]))
        step_over(&line, 1);
    while (len < line.len && is_letter(line.at[len]))
        len++;
    (void)key_read((struct str){line.at, len}, name);
    return key_of_evaluation(str_from(name));
}

static const char *style_of(struct str line, const struct metric_update *out)
{
    double value;

    if (metric_find(out, STR("skipped"), &value) || metric_find(out, STR("mom"), &value) ||
        str_has_nocase(line, STR("iter time (s)")))
        return "deepspeed";
    if (!isnan(out->samples) && str_has_nocase(line, STR("per iteration")))
        return "megatron";
    if (out->in_epoch && str_has_nocase(line, STR("epoch")))
        return "pytorch";
    return "pairs";
}

/* "450/1000 [====>.....] - ETA: 12s - loss: 0.3", "450/1000 ~~~~~ 12s 5ms/step - loss: 0.3":
 * the count at the start is of the epoch. */
static bool keras(struct str line, struct line_memory *memory, struct metric_update *out)
{
    struct found found = {.loss = false};
    struct str rest = str_trim(line);
    double step, steps;

    if (rest.len == 0 || !is_digit(rest.at[0]) || !number_take(&rest, &step) || rest.len < 2 ||
        rest.at[0] != '/' || !is_digit(rest.at[1]))
        return false;
    step_over(&rest, 1);
    if (!number_take(&rest, &steps) || steps <= 0 || step > steps || rest.len < 2 ||
        rest.at[0] != ' ' || (rest.at[1] != '[' && rest.at[1] != '~'))
        return false;
    read_pairs(rest, false, &memory->wanted, out, &found);
    if (!found.loss && !found.metric && memchr(rest.at, '~', rest.len) == NULL &&
        memchr(rest.at, '=', rest.len) == NULL)
        return false;
    out->step = step;
    out->steps = steps;
    out->in_epoch = true;
    out->epoch = memory->epoch;
    out->epochs = memory->epochs;
    out->style = "keras";
    if (out->told_eval_loss && !out->told_loss)
        out->step = out->steps = NAN;
    return true;
}

bool style_pairs(struct str line, struct line_memory *memory, struct metric_update *out)
{
    struct found found = {.loss = false};
    bool alone;

    if (keras(line, memory, out))
        return true;
    metric_clear(out);
    read_pairs(line, line_evaluates(line), &memory->wanted, out, &found);
    alone = found.counter && found.prose == 0;
    if (!found.loss && !found.metric && !found.total && !found.wanted && !alone &&
        !(found.counter && (found.rate || found.optimizer))) {
        metric_clear(out);
        return false;
    }
    out->style = style_of(line, out);
    if (!isnan(out->epochs) && isnan(out->step))
        memory->epochs = out->epochs;
    if (!isnan(out->epoch) && isnan(out->step))
        memory->epoch = out->epoch;
    return update_says(out);
}
