/* What the names of printed numbers mean: see metric_internal.h. */
#include <math.h>
#include <string.h>

#include "run/metric_internal.h"

/* Words of a name: at most the last so many count. */
#define WORDS 6

struct name_words {
    struct str at[WORDS];
    size_t len;
};

static bool one_of(struct str word, const char *const *list)
{
    for (; *list != NULL; list++) {
        if (str_eq(word, str_from(*list)))
            return true;
    }
    return false;
}

static const char *const evaluations[] = {"eval", "evaluation", "val", "valid", "validation",
                                          "test", "testing",    "dev", NULL};

static struct name_words split_words(struct str name)
{
    struct name_words w = {.len = 0};

    while (name.len > 0) {
        struct str word = str_cut(&name, '_');

        if (word.len == 0)
            continue;
        if (w.len == WORDS) {
            memmove(&w.at[0], &w.at[1], (WORDS - 1) * sizeof w.at[0]);
            w.len--;
        }
        w.at[w.len++] = word;
    }
    return w;
}

bool key_of_evaluation(struct str name)
{
    struct name_words w = split_words(name);

    for (size_t i = 0; i < w.len; i++) {
        if (one_of(w.at[i], evaluations))
            return true;
    }
    return false;
}

/* Whole names that the rules below would get wrong, or that have no rule. */
static const struct {
    const char *name;
    enum key key;
} known[] = {
    {"samples_per_second", KEY_SAMPLES_RATE},
    {"samples_sec", KEY_SAMPLES_RATE},
    {"samples_s", KEY_SAMPLES_RATE},
    {"samplespersec", KEY_SAMPLES_RATE},
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

static bool tail_is(struct str name, const char *tail)
{
    struct str end = str_from(tail);

    return str_ends(name, end) &&
           (name.len == end.len || name.at[name.len - end.len - 1] == '_');
}

static enum key key_known(struct str name)
{
    enum key best = KEY_OTHER;
    size_t longest = 0;

    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        size_t len = strlen(known[i].name);

        if (len <= longest || !tail_is(name, known[i].name))
            continue;
        /* Alone, or after "train": "bad samples" and "max tokens" are settings. */
        if (known[i].key >= KEY_SAMPLES && name.len != len && !str_starts(name, STR("train")))
            continue;
        best = known[i].key;
        longest = len;
    }
    return best;
}

/* "loss", "train_loss_step": a loss; "loss_scale", "packet_loss": none. */
static bool is_loss(const struct name_words *w)
{
    static const char *const tails[] = {"step", "epoch", "avg", "mean", "value", NULL};
    static const char *const other[] = {"packet", "packets", "data", "weight", "no", NULL};
    size_t n = w->len;

    if (n > 1 && one_of(w->at[n - 1], tails))
        n--;
    if (n == 0 || !str_eq(w->at[n - 1], STR("loss")))
        return false;
    return n == 1 || !one_of(w->at[n - 2], other);
}

/* A counter of steps or epochs, or the most it will reach. */
static enum key key_counter(const struct name_words *w)
{
    static const char *const steps[] = {"step",      "steps",      "iter",  "iters",
                                        "iteration", "iterations", "batch", NULL};
    static const char *const epochs[] = {"epoch", "epochs", "ep", NULL};
    static const char *const totals[] = {"total", "max", "num", "optimization", NULL};
    static const char *const other[] = {
        "per",  "warmup", "save",  "eval",  "logging", "every", "log",  "accumulation",
        "each", "decay",  "skip",  "valid", "val",     "test",  "dev",  "validation",
        "of",   "next",   "micro", "mini",  "best",    "last",  "from", NULL};
    bool is_epoch;

    if (w->len == 0)
        return KEY_OTHER;
    is_epoch = one_of(w->at[w->len - 1], epochs);
    if (!is_epoch && !one_of(w->at[w->len - 1], steps))
        return KEY_OTHER;
    for (size_t i = 0; i + 1 < w->len; i++) {
        if (one_of(w->at[i], other))
            return KEY_NONE;
        if (one_of(w->at[i], totals))
            return is_epoch ? KEY_EPOCHS : KEY_STEPS;
    }
    if (str_eq(w->at[w->len - 1], STR("epochs")))
        return KEY_EPOCHS;
    return is_epoch ? KEY_EPOCH : KEY_STEP;
}

static bool is_metric(const struct name_words *w)
{
    static const char *const metrics[] = {
        "acc",  "accuracy", "acc@1", "acc@5",      "top1", "top5", "f1",     "auc",
        "bleu", "rouge",    "ppl",   "mse",        "mae",  "rmse", "wer",    "cer",
        "fid",  "psnr",     "ssim",  "iou",        "miou", "map",  "reward", "mfu",
        "bpc",  "dice",     "error", "perplexity", NULL};

    return w->len > 0 && one_of(w->at[w->len - 1], metrics);
}

static bool says_nothing(const struct name_words *w)
{
    static const char *const nothing[] = {
        "rank", "pid",     "port",  "line",  "node", "worker", "process", "gpu",  "cuda",
        "info", "warning", "error", "debug", "in",   "v",      "version", "file", NULL};

    return w->len == 0 || (w->len == 1 && one_of(w->at[0], nothing));
}

static void write_name(struct str words, char *name)
{
    size_t len = 0;

    if (words.len > KEY_ROOM - 1)
        words = (struct str){words.at + words.len - (KEY_ROOM - 1), KEY_ROOM - 1};
    for (size_t i = 0; i < words.len; i++) {
        char c = words.at[i];
        bool gap = c == ' ' || c == '/' || c == '-' || c == '.' || c == '_';

        if (gap && (len == 0 || name[len - 1] == '_'))
            continue;
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        name[len++] = gap ? '_' : c;
    }
    name[len] = '\0';
}

enum key key_read(struct str words, char *name)
{
    struct name_words w;
    struct str text;
    enum key key;

    write_name(words, name);
    text = str_from(name);
    w = split_words(text);
    if (says_nothing(&w))
        return KEY_NONE;
    if (is_loss(&w))
        return key_of_evaluation(text) ? KEY_EVAL_LOSS : KEY_LOSS;
    key = key_known(text);
    if (key == KEY_OTHER)
        key = key_counter(&w);
    if (key != KEY_OTHER && key_of_evaluation(text))
        return KEY_NONE; /* how fast an evaluation was, how many steps it had */
    if (key == KEY_OTHER && is_metric(&w))
        return KEY_METRIC;
    return key;
}
