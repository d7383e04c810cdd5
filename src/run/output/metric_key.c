/* What the names of printed numbers mean: see metric_internal.h. */
#include <math.h>
#include <string.h>

#include "base/characters.h"
#include "run/output/metric_internal.h"

/* What a word says by itself, wherever it stands in a name. */
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
    WORD_COMPOUND = 1024, /* at the end of one of the whole names below */
};

/* In the order of strcmp(). */
static const struct {
    const char *word;
    unsigned flags;
} words[] = {
    {"(ms)", WORD_COMPOUND},
    {"(s)", WORD_COMPOUND},
    {"acc", WORD_METRIC},
    {"acc@1", WORD_METRIC},
    {"acc@5", WORD_METRIC},
    {"accumulation", WORD_OTHER},
    {"accuracy", WORD_METRIC},
    {"auc", WORD_METRIC},
    {"avg", WORD_TAIL},
    {"batch", WORD_STEP},
    {"best", WORD_OTHER},
    {"bleu", WORD_METRIC},
    {"bpc", WORD_METRIC},
    {"cer", WORD_METRIC},
    {"cuda", WORD_NOTHING},
    {"data", WORD_NOT_LOSS},
    {"debug", WORD_NOTHING},
    {"decay", WORD_OTHER},
    {"dev", WORD_EVALUATION | WORD_OTHER},
    {"dice", WORD_METRIC},
    {"each", WORD_OTHER},
    {"ep", WORD_EPOCH},
    {"epoch", WORD_EPOCH | WORD_TAIL},
    {"epochs", WORD_EPOCH | WORD_TOTAL},
    {"error", WORD_METRIC | WORD_NOTHING},
    {"eta", WORD_COMPOUND},
    {"eval", WORD_EVALUATION | WORD_OTHER},
    {"evaluation", WORD_EVALUATION | WORD_OTHER},
    {"every", WORD_OTHER},
    {"f1", WORD_METRIC},
    {"fid", WORD_METRIC},
    {"file", WORD_NOTHING},
    {"from", WORD_OTHER},
    {"gpu", WORD_NOTHING},
    {"in", WORD_NOTHING},
    {"info", WORD_NOTHING},
    {"iou", WORD_METRIC},
    {"iter", WORD_STEP},
    {"iteration", WORD_STEP},
    {"iterations", WORD_STEP},
    {"iters", WORD_STEP},
    {"last", WORD_OTHER},
    {"line", WORD_NOTHING},
    {"log", WORD_OTHER},
    {"logging", WORD_OTHER},
    {"loss", WORD_LOSS},
    {"mae", WORD_METRIC},
    {"map", WORD_METRIC},
    {"max", WORD_TOTAL},
    {"mean", WORD_TAIL},
    {"mfu", WORD_METRIC},
    {"micro", WORD_OTHER},
    {"mini", WORD_OTHER},
    {"miou", WORD_METRIC},
    {"ms", WORD_COMPOUND},
    {"mse", WORD_METRIC},
    {"next", WORD_OTHER},
    {"no", WORD_NOT_LOSS},
    {"node", WORD_NOTHING},
    {"num", WORD_TOTAL},
    {"of", WORD_OTHER},
    {"optimization", WORD_TOTAL},
    {"packet", WORD_NOT_LOSS},
    {"packets", WORD_NOT_LOSS},
    {"per", WORD_OTHER},
    {"perplexity", WORD_METRIC},
    {"pid", WORD_NOTHING},
    {"port", WORD_NOTHING},
    {"ppl", WORD_METRIC},
    {"process", WORD_NOTHING},
    {"psnr", WORD_METRIC},
    {"rank", WORD_NOTHING},
    {"reward", WORD_METRIC},
    {"rmse", WORD_METRIC},
    {"rouge", WORD_METRIC},
    {"s", WORD_COMPOUND},
    {"samples", WORD_COMPOUND},
    {"save", WORD_OTHER},
    {"sec", WORD_COMPOUND},
    {"second", WORD_COMPOUND},
    {"seen", WORD_COMPOUND},
    {"skip", WORD_OTHER},
    {"skipped", WORD_OTHER},
    {"ssim", WORD_METRIC},
    {"step", WORD_STEP | WORD_TAIL},
    {"steps", WORD_STEP},
    {"test", WORD_EVALUATION | WORD_OTHER},
    {"testing", WORD_EVALUATION | WORD_OTHER},
    {"time", WORD_COMPOUND},
    {"tokens", WORD_COMPOUND},
    {"top1", WORD_METRIC},
    {"top5", WORD_METRIC},
    {"total", WORD_TOTAL},
    {"v", WORD_NOTHING},
    {"val", WORD_EVALUATION | WORD_OTHER},
    {"valid", WORD_EVALUATION | WORD_OTHER},
    {"validation", WORD_EVALUATION | WORD_OTHER},
    {"value", WORD_TAIL},
    {"version", WORD_NOTHING},
    {"warmup", WORD_OTHER},
    {"warning", WORD_NOTHING},
    {"weight", WORD_NOT_LOSS},
    {"wer", WORD_METRIC},
    {"worker", WORD_NOTHING},
};

/* Whole names, or ends of them, that single words do not explain. */
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

static struct name_words split_words(struct str name)
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
    return split_words(name).evaluation;
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
        /* A count stands alone or after "train": "bad samples" and "max tokens" are others. */
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
    if (n == 0 || (w->flags[n - 1] & WORD_LOSS) == 0)
        return false;
    return n == 1 || (w->flags[n - 2] & WORD_NOT_LOSS) == 0;
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
    w = split_words(str_from(name));
    if (w.len == 0 || (w.len == 1 && (w.flags[0] & WORD_NOTHING) != 0))
        return KEY_NONE;
    last = w.flags[w.len - 1];
    if (is_loss(&w))
        return w.evaluation ? KEY_EVAL_LOSS : KEY_LOSS;
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
