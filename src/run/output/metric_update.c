/* What the names of printed numbers mean, and the update that a line of them makes. */
#include <math.h>
#include <string.h>

#include "base/characters.h"
#include "run/output/metric_internal.h"

/* What a word says by itself, wherever it is in a name. */
enum word {
    WORD_EVALUATION = 1,
    WORD_STEP = 2,   /* at the end: a counter of steps */
    WORD_EPOCH = 4,  /* at the end: of epochs */
    WORD_TOTAL = 8,  /* before a counter: the most it will reach */
    WORD_OTHER = 16, /* before a counter: it counts something else */
    WORD_LOSS = 32,
    WORD_TAIL = 64,       /* may follow "loss": of which part it is the mean */
    WORD_NOT_LOSS = 128,  /* before "loss": of something else */
    WORD_METRIC = 256,    /* at the end */
    WORD_NOTHING = 512,   /* alone */
    WORD_COMPOUND = 1024, /* at the end of one of the complete names below */
    WORD_NO_PART = 2048,  /* after "loss": a setting, a statistic, or no objective */
    WORD_LOSSES = 4096,   /* a loss with what follows: losses.total */
    WORD_BESIDE = 8192,   /* before "loss": a term beside the objective, or of another time */
};

/* In the order of strcmp(). */
static const struct {
    const char *word;
    unsigned flags;
} words[] = {
    {"(ms)", WORD_COMPOUND},
    {"(s)", WORD_COMPOUND},
    {"(train)", WORD_TAIL},
    {"(training)", WORD_TAIL},
    {"acc", WORD_METRIC},
    {"acc@1", WORD_METRIC},
    {"acc@5", WORD_METRIC},
    {"accumulation", WORD_OTHER},
    {"accuracy", WORD_METRIC},
    {"alpha", WORD_NO_PART},
    {"auc", WORD_METRIC},
    {"aux", WORD_NO_PART | WORD_BESIDE},
    {"auxiliary", WORD_NO_PART | WORD_BESIDE},
    {"avg", WORD_TAIL},
    {"balance", WORD_NO_PART | WORD_BESIDE},
    {"balancing", WORD_NO_PART | WORD_BESIDE},
    {"batch", WORD_STEP},
    {"best", WORD_OTHER | WORD_NO_PART | WORD_BESIDE},
    {"beta", WORD_NO_PART},
    {"bleu", WORD_METRIC},
    {"bpc", WORD_METRIC},
    {"cer", WORD_METRIC},
    {"clip", WORD_NO_PART},
    {"coef", WORD_NO_PART},
    {"coeff", WORD_NO_PART},
    {"coefficient", WORD_NO_PART},
    {"count", WORD_NO_PART},
    {"counter", WORD_NO_PART},
    {"cuda", WORD_NOTHING},
    {"curve", WORD_NO_PART},
    {"data", WORD_NOT_LOSS},
    {"debug", WORD_NOTHING},
    {"decay", WORD_OTHER | WORD_NO_PART | WORD_BESIDE},
    {"delta", WORD_NO_PART | WORD_BESIDE},
    {"dev", WORD_EVALUATION | WORD_OTHER},
    {"dice", WORD_METRIC},
    {"diff", WORD_NO_PART},
    {"div", WORD_NO_PART | WORD_BESIDE},
    {"divergence", WORD_NO_PART | WORD_BESIDE},
    {"each", WORD_OTHER},
    {"ema", WORD_NO_PART},
    {"entropy", WORD_NO_PART | WORD_BESIDE},
    {"ep", WORD_EPOCH},
    {"epoch", WORD_EPOCH | WORD_TAIL},
    {"epochs", WORD_EPOCH | WORD_TOTAL},
    {"error", WORD_METRIC | WORD_NOTHING | WORD_NO_PART},
    {"eta", WORD_COMPOUND | WORD_NO_PART},
    {"eval", WORD_EVALUATION | WORD_OTHER},
    {"evaluation", WORD_EVALUATION | WORD_OTHER},
    {"every", WORD_OTHER | WORD_NO_PART},
    {"explained", WORD_NO_PART},
    {"f1", WORD_METRIC},
    {"factor", WORD_NO_PART},
    {"fid", WORD_METRIC},
    {"file", WORD_NOTHING},
    {"fn", WORD_NO_PART},
    {"from", WORD_OTHER},
    {"func", WORD_NO_PART},
    {"function", WORD_NO_PART},
    {"gamma", WORD_NO_PART},
    {"gap", WORD_NO_PART},
    {"gpu", WORD_NOTHING},
    {"grad", WORD_NO_PART},
    {"gradient", WORD_NO_PART},
    {"gradients", WORD_NO_PART},
    {"grads", WORD_NO_PART},
    {"history", WORD_NO_PART},
    {"id", WORD_NO_PART},
    {"improvement", WORD_NO_PART},
    {"in", WORD_NOTHING},
    {"info", WORD_NOTHING},
    {"init", WORD_NO_PART | WORD_BESIDE},
    {"initial", WORD_NO_PART | WORD_BESIDE},
    {"iou", WORD_METRIC},
    {"iter", WORD_STEP},
    {"iteration", WORD_STEP},
    {"iterations", WORD_STEP},
    {"iters", WORD_STEP},
    {"kl", WORD_NO_PART | WORD_BESIDE},
    {"kld", WORD_NO_PART | WORD_BESIDE},
    {"lambda", WORD_NO_PART},
    {"last", WORD_OTHER | WORD_NO_PART},
    {"limit", WORD_NO_PART | WORD_BESIDE},
    {"line", WORD_NOTHING},
    {"load", WORD_NO_PART | WORD_BESIDE},
    {"log", WORD_OTHER | WORD_NO_PART},
    {"logging", WORD_OTHER | WORD_NO_PART},
    {"loss", WORD_LOSS},
    {"losses", WORD_LOSSES},
    {"lowest", WORD_NO_PART | WORD_BESIDE},
    {"lr", WORD_NO_PART},
    {"mae", WORD_METRIC},
    {"map", WORD_METRIC},
    {"max", WORD_TOTAL | WORD_NO_PART | WORD_BESIDE},
    {"maximum", WORD_NO_PART | WORD_BESIDE},
    {"mean", WORD_TAIL},
    {"mfu", WORD_METRIC},
    {"micro", WORD_OTHER},
    {"min", WORD_NO_PART | WORD_BESIDE},
    {"mini", WORD_OTHER},
    {"minimum", WORD_NO_PART | WORD_BESIDE},
    {"miou", WORD_METRIC},
    {"ms", WORD_COMPOUND | WORD_NO_PART},
    {"mse", WORD_METRIC},
    {"name", WORD_NO_PART},
    {"nan", WORD_NO_PART},
    {"next", WORD_OTHER | WORD_NO_PART},
    {"no", WORD_NOT_LOSS},
    {"node", WORD_NOTHING},
    {"norm", WORD_NO_PART},
    {"num", WORD_TOTAL | WORD_NO_PART},
    {"of", WORD_OTHER},
    {"optimization", WORD_TOTAL},
    {"packet", WORD_NOT_LOSS},
    {"packets", WORD_NOT_LOSS},
    {"patience", WORD_NO_PART},
    {"penalty", WORD_NO_PART | WORD_BESIDE},
    {"per", WORD_OTHER | WORD_NO_PART},
    {"percent", WORD_NO_PART},
    {"perplexity", WORD_METRIC},
    {"pid", WORD_NOTHING},
    {"port", WORD_NOTHING},
    {"ppl", WORD_METRIC},
    {"prev", WORD_NO_PART | WORD_BESIDE},
    {"previous", WORD_NO_PART | WORD_BESIDE},
    {"probability", WORD_NO_PART},
    {"process", WORD_NOTHING | WORD_NO_PART},
    {"psnr", WORD_METRIC},
    {"rank", WORD_NOTHING},
    {"rate", WORD_NO_PART},
    {"ratio", WORD_NO_PART},
    {"reg", WORD_NO_PART | WORD_BESIDE},
    {"regularization", WORD_NO_PART | WORD_BESIDE},
    {"reward", WORD_METRIC},
    {"rmse", WORD_METRIC},
    {"rouge", WORD_METRIC},
    {"router", WORD_NO_PART | WORD_BESIDE},
    {"s", WORD_COMPOUND | WORD_NO_PART},
    {"samples", WORD_COMPOUND | WORD_NO_PART},
    {"save", WORD_OTHER},
    {"scale", WORD_NO_PART},
    {"scaler", WORD_NO_PART},
    {"scaling", WORD_NO_PART},
    {"sec", WORD_COMPOUND | WORD_NO_PART},
    {"second", WORD_COMPOUND},
    {"seed", WORD_NO_PART},
    {"seen", WORD_COMPOUND},
    {"skip", WORD_OTHER | WORD_NO_PART},
    {"skipped", WORD_OTHER | WORD_NO_PART},
    {"ssim", WORD_METRIC},
    {"std", WORD_NO_PART},
    {"stddev", WORD_NO_PART},
    {"step", WORD_STEP | WORD_TAIL},
    {"steps", WORD_STEP | WORD_NO_PART},
    {"target", WORD_NO_PART | WORD_BESIDE},
    {"temperature", WORD_NO_PART},
    {"test", WORD_EVALUATION | WORD_OTHER},
    {"testing", WORD_EVALUATION | WORD_OTHER},
    {"threshold", WORD_NO_PART | WORD_BESIDE},
    {"time", WORD_COMPOUND | WORD_NO_PART},
    {"tokens", WORD_COMPOUND | WORD_NO_PART},
    {"tolerance", WORD_NO_PART},
    {"top1", WORD_METRIC},
    {"top5", WORD_METRIC},
    {"total", WORD_TOTAL},
    {"train", WORD_TAIL},
    {"training", WORD_TAIL},
    {"type", WORD_NO_PART},
    {"v", WORD_NOTHING},
    {"val", WORD_EVALUATION | WORD_OTHER},
    {"valid", WORD_EVALUATION | WORD_OTHER},
    {"validation", WORD_EVALUATION | WORD_OTHER},
    {"value", WORD_TAIL},
    {"var", WORD_NO_PART},
    {"variance", WORD_NO_PART},
    {"version", WORD_NOTHING | WORD_NO_PART},
    {"warmup", WORD_OTHER | WORD_NO_PART},
    {"warning", WORD_NOTHING},
    {"weight", WORD_NOT_LOSS | WORD_NO_PART},
    {"weights", WORD_NO_PART},
    {"wer", WORD_METRIC},
    {"window", WORD_NO_PART},
    {"worker", WORD_NOTHING},
    {"z", WORD_NO_PART | WORD_BESIDE},
};

/* Complete names, or ends of them, that single words do not explain. */
static const struct {
    const char *name;
    enum key key;
} known[] = {
    {"samples_per_second", KEY_SAMPLES_RATE},
    {"samples_per_sec", KEY_SAMPLES_RATE},
    {"samples_sec", KEY_SAMPLES_RATE},
    {"samples_s", KEY_SAMPLES_RATE},
    {"images_sec", KEY_SAMPLES_RATE},
    {"images_s", KEY_SAMPLES_RATE},
    {"imgs_s", KEY_SAMPLES_RATE},
    {"examples_s", KEY_SAMPLES_RATE},
    {"tokens_per_second", KEY_TOKENS_RATE},
    {"tokens_per_sec", KEY_TOKENS_RATE},
    {"tokens_sec", KEY_TOKENS_RATE},
    {"tokens_s", KEY_TOKENS_RATE},
    {"tok_s", KEY_TOKENS_RATE},
    {"tok_sec", KEY_TOKENS_RATE},
    {"steps_per_second", KEY_RATE},
    {"steps_per_sec", KEY_RATE},
    {"steps_sec", KEY_RATE},
    {"steps_s", KEY_RATE},
    {"it_s", KEY_RATE},
    {"iter_s", KEY_RATE},
    {"iterations_s", KEY_RATE},
    {"time_per_iteration_(ms)", KEY_STEP_TIME_MS},
    {"time_per_iteration_(s)", KEY_STEP_TIME},
    {"iter_time_(s)", KEY_STEP_TIME},
    {"iter_time_(ms)", KEY_STEP_TIME_MS},
    {"step_time", KEY_STEP_TIME},
    {"step_time_s", KEY_STEP_TIME},
    {"step_time_ms", KEY_STEP_TIME_MS},
    {"eta", KEY_LEFT},
    {"consumed_samples", KEY_SAMPLES},
    {"samples", KEY_SAMPLES},
    {"consumed_tokens", KEY_TOKENS},
    {"tokens", KEY_TOKENS},
    {"num_input_tokens_seen", KEY_TOKENS},
};

#define WORDS 6 /* of a name: the last so many count */

struct name_words {
    unsigned flags[WORDS];
    size_t len;
    bool evaluation;
};

static unsigned word_flags(struct str word)
{
    size_t low = 0, high = ARRAY_LEN(words);

    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = str_cmp(word, str_from(words[middle].word));

        if (order == 0)
            return words[middle].flags;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

static struct name_words split_metric_name(struct str name)
{
    struct name_words w = {.len = 0};

    while (name.len > 0) {
        struct str word = str_cut(&name, '_');

        if (word.len == 0)
            continue;
        if (w.len == WORDS) {
            memmove(&w.flags[0], &w.flags[1], (WORDS - 1) * sizeof w.flags[0]);
            w.len--;
        }
        w.flags[w.len] = word_flags(word);
        w.evaluation |= (w.flags[w.len++] & WORD_EVALUATION) != 0;
    }
    return w;
}

bool key_of_evaluation(struct str name)
{
    return split_metric_name(name).evaluation;
}

bool key_ends_with(struct str name, struct str tail)
{
    return str_ends(name, tail) &&
           (name.len == tail.len || name.at[name.len - tail.len - 1] == '_');
}

static enum key key_known(struct str name)
{
    enum key best = KEY_OTHER;
    size_t longest = 0;

    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        struct str tail = str_from(known[i].name);
        bool counts = known[i].key == KEY_SAMPLES || known[i].key == KEY_TOKENS;

        if (tail.len <= longest || !key_ends_with(name, tail))
            continue;
        /* A count is alone or after "train": "bad samples" and "max tokens" are others. */
        if (counts && name.len != tail.len && !str_starts(name, STR("train")))
            continue;
        best = known[i].key;
        longest = tail.len;
    }
    return best;
}

/* "loss", "train_loss_step": a loss; "loss_scale", "packet_loss": none. */
static bool is_loss(const struct name_words *w)
{
    size_t n = w->len;

    if (n > 1 && (w->flags[n - 1] & WORD_TAIL) != 0)
        n--;
    if (n < w->len && (w->flags[n - 1] & WORD_LOSSES) != 0) /* losses.train */
        return true;
    if (n == 0 || (w->flags[n - 1] & WORD_LOSS) == 0)
        return false;
    return n == 1 || (w->flags[n - 2] & WORD_NOT_LOSS) == 0;
}

/* "loss_D", "loss_bbox", "losses.total": the loss, or a part of it that training minimizes;
 * "loss_scale" and "loss_best" are none, nor is what counts, and an evaluation has others. */
static bool is_loss_part(struct str name, const struct name_words *w)
{
    unsigned none = WORD_NO_PART | WORD_EVALUATION | WORD_NOT_LOSS | WORD_STEP | WORD_EPOCH |
                    WORD_OTHER | WORD_NOTHING;
    bool loss = false;
    size_t n = w->len;

    if (n < 2 || memchr(name.at, '(', name.len) != NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        if ((w->flags[i] & none) != 0)
            return false;
        loss |= i + 1 < n && (w->flags[i] & (WORD_LOSS | WORD_LOSSES)) != 0;
    }
    return loss;
}

/* A counter of steps or epochs, or the most it will reach. */
static enum key key_counter(const struct name_words *w)
{
    unsigned last = w->flags[w->len - 1];
    bool is_epoch = (last & WORD_EPOCH) != 0, total = (last & WORD_TOTAL) != 0;

    if ((last & (WORD_EPOCH | WORD_STEP)) == 0)
        return KEY_OTHER;
    for (size_t i = 0; i + 1 < w->len; i++) {
        if ((w->flags[i] & WORD_OTHER) != 0)
            return KEY_NONE;
        total |= (w->flags[i] & WORD_TOTAL) != 0;
    }
    if (total)
        return is_epoch ? KEY_EPOCHS : KEY_STEPS;
    return is_epoch ? KEY_EPOCH : KEY_STEP;
}

static void write_name(struct str text, char *name)
{
    size_t len = 0;

    if (text.len > KEY_ROOM - 1)
        text = (struct str){text.at + text.len - (KEY_ROOM - 1), KEY_ROOM - 1};
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        bool gap = c == ' ' || c == '/' || c == '-' || c == '.' || c == '_';

        if (gap && (len == 0 || name[len - 1] == '_'))
            continue;
        c = to_lower(c);
        name[len++] = gap ? '_' : c;
    }
    name[len] = '\0';
}

enum key key_read(struct str text, char *name)
{
    struct name_words w;
    enum key key = KEY_OTHER;
    unsigned last;

    write_name(text, name);
    w = split_metric_name(str_from(name));
    if (w.len == 0 || (w.len == 1 && (w.flags[0] & WORD_NOTHING) != 0))
        return KEY_NONE;
    last = w.flags[w.len - 1];
    if (is_loss(&w))
        return w.evaluation ? KEY_EVAL_LOSS : KEY_LOSS;
    if (is_loss_part(str_from(name), &w))
        return KEY_LOSS;
    if ((last & WORD_COMPOUND) != 0)
        key = key_known(str_from(name));
    if (key == KEY_OTHER)
        key = key_counter(&w);
    if (key != KEY_OTHER && w.evaluation)
        return KEY_NONE; /* how fast an evaluation was, how many steps it had */
    if (key == KEY_OTHER && (last & WORD_METRIC) != 0)
        return KEY_METRIC;
    return key;
}

/* ---- the update of one line, filled in value by value ---- */

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
    const double values[] = {out->step,   out->steps,        out->epoch,       out->epochs,
                             out->rate,   out->samples_rate, out->tokens_rate, out->samples,
                             out->tokens, out->left_s};

    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        if (!isnan(values[i]))
            return true;
    }
    return out->has_loss || out->has_eval_loss || out->phase >= 0 || out->evaluated ||
           out->saved || out->named_count > 0;
}

void update_name(struct metric_update *out, const char *name, double value)
{
    int i = 0;

    if (name[0] == '\0') /* {"": 1}, {"/": 1} */
        return;
    while (i < out->named_count && strncmp(out->named[i].name, name, METRIC_NAME - 1) != 0)
        i++;
    if (i < out->named_count)
        return; /* the first one counts: the user's pattern, mostly */
    if (i == METRIC_NAMES) {
        out->unnamed++;
        return;
    }
    (void)snprintf(out->named[i].name, METRIC_NAME, "%s", name);
    out->named[i].value = value;
    out->named_count++;
}

static bool is_whole_loss(struct str name)
{
    struct name_words w = split_metric_name(name);

    return is_loss(&w);
}

/* "kl_loss", "router_z_loss", "best_loss": no objective of their own, or none of now. "Cross
 * entropy" is one. */
static bool is_beside(struct str name)
{
    struct name_words w = split_metric_name(name);
    size_t n = w.len;

    while (n > 1 && (w.flags[n - 1] & (WORD_TAIL | WORD_LOSS)) != 0)
        n--;
    return n > 0 && n < w.len && (w.flags[n - 1] & WORD_BESIDE) != 0 &&
           !str_has_nocase(name, STR("cross_entropy"));
}

#define FIT_BESIDE 0 /* not the loss of training, nor that of an evaluation */
#define FIT_PART 1   /* a part of the loss, or one of the entire epoch */

/* Of several losses in a line the plainest name is the loss: "loss" before "lm_loss" before
 * "policy_loss"; "loss_D" and one of the entire epoch are the least of them. */
static int loss_fit(const char *name)
{
    static const char *const plain[] = {
        "loss",       "train_loss",      "training_loss", "eval_loss", "val_loss",
        "valid_loss", "validation_loss", "test_loss",     "dev_loss",  "evaluation_loss"};
    static const char *const good[] = {
        "avr_loss",      "avg_loss",        "average_loss",     "lm_loss",
        "total_loss",    "mean_loss",       "loss_total",       "losses_total",
        "loss_step",     "train_loss_step", "train_loss_total", "loss_train",
        "loss_training", "loss_mean",       "loss_(train)",     "losses_train",
        "loss_avg",      "loss_(training)", "mean_loss_(train)"};

    for (size_t i = 0; i < ARRAY_LEN(plain); i++) {
        if (strcmp(name, plain[i]) == 0)
            return 4;
    }
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        if (strcmp(name, good[i]) == 0)
            return METRIC_LOSS_ENTIRE;
    }
    if (is_beside(str_from(name)))
        return FIT_BESIDE;
    return str_ends(str_from(name), STR("_epoch")) || !is_whole_loss(str_from(name)) ? FIT_PART
                                                                                     : 2;
}

static void set_loss(struct metric_update *out, const char *name, double value, bool eval)
{
    int fit = loss_fit(name), *best = eval ? &out->eval_loss_fit : &out->loss_fit;
    /* of parts without a total, one that is not finite says more than the first */
    bool worse = fit < METRIC_LOSS_ENTIRE && fit >= FIT_PART && fit == *best && !eval &&
                 isfinite(out->loss);

    update_name(out, name, value);
    out->evaluated |= eval;
    if (fit < *best || (fit == *best && !(worse && !isfinite(value))))
        return;
    *best = fit;
    *(eval ? &out->eval_loss : &out->loss) = value;
    *(eval ? &out->has_eval_loss : &out->has_loss) = true;
}

/* A count, when it can be one. */
static void set_count(double *to, double value)
{
    if (isfinite(value) && value >= 0 && isnan(*to))
        *to = value;
}

static void set_most(double *to, double value)
{
    if (value > 0)
        set_count(to, value);
}

static void set_per(double *to, double seconds)
{
    if (seconds > 0)
        set_count(to, 1 / seconds);
}

void update_set(struct metric_update *out, enum key key, const char *name, double value,
                double total)
{
    switch (key) {
    case KEY_NONE:
        return;
    case KEY_STEP:
        if (isnan(total) && str_ends(str_from(name), STR("batch")))
            return; /* without an "of how many" it is how large they are */
        set_count(&out->step, value);
        set_most(&out->steps, total);
        return;
    case KEY_STEPS:
        set_most(&out->steps, value);
        return;
    case KEY_EPOCH:
        set_count(&out->epoch, value);
        set_most(&out->epochs, total);
        return;
    case KEY_EPOCHS:
        set_most(&out->epochs, value);
        return;
    case KEY_LOSS:
    case KEY_EVAL_LOSS:
        set_loss(out, name, value, key == KEY_EVAL_LOSS);
        return;
    case KEY_RATE:
        set_count(&out->rate, value);
        return;
    case KEY_STEP_TIME:
        set_per(&out->rate, value);
        return;
    case KEY_STEP_TIME_MS:
        set_per(&out->rate, value / 1000);
        return;
    case KEY_SAMPLES_RATE:
        set_count(&out->samples_rate, value);
        return;
    case KEY_TOKENS_RATE:
        set_count(&out->tokens_rate, value);
        return;
    case KEY_SAMPLES:
        set_count(&out->samples, value);
        return;
    case KEY_TOKENS:
        set_count(&out->tokens, value);
        return;
    case KEY_LEFT:
        set_count(&out->left_s, value);
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
    if (!out->has_loss) {
        out->loss = more->loss;
        out->has_loss = more->has_loss;
        out->loss_fit = more->loss_fit;
    }
    if (!out->has_eval_loss) {
        out->eval_loss = more->eval_loss;
        out->has_eval_loss = more->has_eval_loss;
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

bool metric_is_loss(const char *name)
{
    char room[KEY_ROOM];
    enum key key = key_read(str_from(name), room);

    return key == KEY_LOSS || key == KEY_EVAL_LOSS;
}

static bool find_named_value(const struct metric_update *update, struct str name, double *value)
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

    if (find_named_value(update, name, value) ||
        find_named_value(update, str_from(room), value))
        return true;
    if ((key == KEY_LOSS || key == KEY_EVAL_LOSS) && loss_fit(room) == 4) {
        *value = key == KEY_LOSS ? update->loss : update->eval_loss;
        return key == KEY_LOSS ? update->has_loss : update->has_eval_loss;
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
