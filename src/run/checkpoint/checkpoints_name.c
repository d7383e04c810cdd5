/* What the name of a file or folder says of a checkpoint. Pure.
 *
 * Careful on purpose: what is taken for one of a series may be removed. A number counts when a
 * word says what it is (step, iter, epoch, checkpoint), or a tool is known to write such names.
 * Any other number of a file of weights may be a step, if the run says so by printing it; those
 * of experts, folds, shards and data are none. */
#include <math.h>
#include <string.h>

#include "base/characters.h"
#include "base/hash.h"
#include "base/num.h"
#include "run/checkpoint/checkpoints_internal.h"

#define NAME_ROOM 256

static bool is_name_letter(char c)
{
    return is_letter(c) || (unsigned char)c >= 0x80;
}

static bool is_name_separator(char c)
{
    return c == '-' || c == '_' || c == '=' || c == '.' || c == ' ' || c == ':';
}

static bool ends_any(struct str s, const char *const *tails)
{
    for (; *tails != NULL; tails++) {
        struct str tail = str_from(*tails);

        if (s.len > tail.len &&
            str_eq_nocase((struct str){s.at + (s.len - tail.len), tail.len}, tail))
            return true;
    }
    return false;
}

bool checkpoint_weights(struct str name, bool *sure)
{
    static const char *const strong[] = {".pt",  ".pth",  ".ckpt",    ".safetensors", ".keras",
                                         ".h5",  ".hdf5", ".msgpack", ".pdparams",    ".pdopt",
                                         ".eqx", ".nemo", ".gguf",    ".orbax",       NULL};
    static const char *const weak[] = {".bin", ".tar",    ".zip",     ".pkl", ".pickle",
                                       ".npz", ".joblib", ".weights", NULL};

    *sure = ends_any(name, strong);
    return *sure || ends_any(name, weak);
}

const char *checkpoint_name_doubt(struct str name)
{
    static const char *const tails[] = {".tmp",        ".temp",     ".part",    ".partial",
                                        ".incomplete", ".download", ".writing", NULL};
    static const char *const heads[] = {"tmp-", "tmp_", "_tmp", "tmp.", NULL};
    static const char *const lock[] = {".lock", ".lck", NULL};

    if (ends_any(name, lock))
        return "locked";
    if (ends_any(name, tails) || str_has_nocase(name, STR(".orbax-checkpoint-tmp")) ||
        str_has_nocase(name, STR(".incomplete.")))
        return "its name says unfinished";
    for (const char *const *head = heads; *head != NULL; head++)
        if (str_starts(name, str_from(*head)))
            return "its name says unfinished";
    return NULL;
}

/* ---- the numbers of a name, and what each is of ---- */

#define NUMBERS_MOST 24

enum number_kind {
    NUMBER_OTHER, /* of something that is not training: expert_3, vit_b_16, v2 */
    NUMBER_STEP,
    NUMBER_EPOCH,
    NUMBER_SAVE,   /* checkpoint-500: a step or an epoch */
    NUMBER_METRIC, /* loss=0.25 */
};

struct number {
    size_t at, end;
    double value;           /* NaN: too long */
    struct str left, right; /* the words beside it; empty: none */
    bool decimal;
    enum number_kind kind;
};

static const char *const step_words[] = {"step", "iter", "iteration", NULL};
static const char *const epoch_words[] = {"epoch", "ep", NULL};
static const char *const save_words[] = {"checkpoint", "ckpt", "chkpt", "chk", "cp", NULL};
static const char *const metric_words[] = {
    "loss", "acc",  "accuracy", "metric", "score", "auc", "ppl",  "perplexity", "mae",   "mse",
    "rmse", "bleu", "rouge",    "wer",    "cer",   "iou", "miou", "map",        "dice",  "psnr",
    "ssim", "fid",  "nll",      "reward", "bpc",   "val", "eval", "err",        "error", NULL};
/* What there may be several of in one training, each a result of its own. */
static const char *const entity_words[] = {
    "expert",  "agent",   "client",  "member",  "ensemble", "trial",   "task",    "fold",
    "seed",    "rank",    "layer",   "shard",   "part",     "split",   "class",   "user",
    "speaker", "subject", "person",  "worker",  "node",     "host",    "device",  "gpu",
    "chunk",   "cluster", "group",   "domain",  "lang",     "player",  "run",     "exp",
    "version", "stage",   "level",   "config",  "replica",  "head",    "block",   "bucket",
    "site",    "horizon", "size",    "dim",     "depth",    "width",   "lr",      "state",
    "bs",      "k",       "v",       "view",    "scale",    "episode", "station", "store",
    "region",  "patient", "learner", "student", "teacher",  "stock",   "series",  "rng",
    "world",   "mp",      NULL};
/* Of these, those whose file may be called a checkpoint, with the number of which one it is:
 * expert_ckpt_3. */
static const char *const individual_words[] = {
    "expert", "agent",   "client",  "member", "ensemble", "trial",  "task", "fold",
    "seed",   "speaker", "subject", "person", "learner",  "player", NULL};
/* What is computed from data or for people to look at: no state of a training. */
static const char *const product_words[] = {
    "embedding", "feature",    "logit", "prediction", "pred",     "output",
    "result",    "sample",     "image", "grad",       "gradient", "data",
    "dataset",   "activation", "cache", "statistics", "stats",    "token",
    "vocab",     "tokenizer",  "index", "video",      "audio",    "figure",
    "plot",      "train",      "test",  "valid",      "latents",  NULL};

/* What training tools put after a step: parts of its state, endings, and which of several. */
static const char *const tail_words[] = {
    "model",       "optimizer", "optim",       "optimiser", "scheduler",     "sched",
    "scaler",      "state",     "ema",         "weight",    "param",         "dict",
    "net",         "unet",      "g",           "d",         "netg",          "netd",
    "gen",         "dis",       "disc",        "generator", "discriminator", "actor",
    "critic",      "rng",       "sharded",     "unsharded", "consolidated",  "zero",
    "ba",          "batch",     "batches",     "of",        "best",          "final",
    "last",        "latest",    "interrupted", "pt",        "pth",           "ckpt",
    "safetensors", "keras",     "h",           "hdf",       "msgpack",       "pdparams",
    "pdopt",       "eqx",       "nemo",        "gguf",      "orbax",         "bin",
    "tar",         "zip",       "pkl",         "pickle",    "npz",           "fp",
    "bf",          "distcp",    NULL};
/* Likewise with a number of their own. */
static const char *const part_words[] = {
    "rank", "shard", "part", "fold", "seed", "world", "worker",  "node", "gpu", "dev", "mp",
    "tp",   "pp",    "dp",   "ep",   "zp",   "v",     "version", "e",    "s",   NULL};

/* Is it one of these words, or the plural of one? */
static bool is_one_of_words(struct str word, const char *const *words)
{
    for (; *words != NULL; words++) {
        struct str known = str_from(*words);

        if (str_eq_nocase(word, known) ||
            (word.len == known.len + 1 && to_lower(word.at[known.len]) == 's' &&
             str_eq_nocase((struct str){word.at, known.len}, known)))
            return true;
    }
    return false;
}

/* The word that ends at `end`, with up to two signs between. */
static struct str word_before(struct str s, size_t end)
{
    size_t from;

    for (int gap = 0; gap < 2 && end > 0 && is_name_separator(s.at[end - 1]); gap++)
        end--;
    for (from = end; from > 0 && is_name_letter(s.at[from - 1]);)
        from--;
    return (struct str){s.at + from, end - from};
}

static struct str word_after(struct str s, size_t at)
{
    size_t end;

    if (at < s.len && (s.at[at] == '-' || s.at[at] == '_'))
        at++;
    for (end = at; end < s.len && is_name_letter(s.at[end]);)
        end++;
    return (struct str){s.at + at, end - at};
}

/* Is there a number right after this place, with the sign between? */
static bool number_follows(struct str s, size_t at, char sign)
{
    return at + 1 < s.len && s.at[at] == sign && is_digit(s.at[at + 1]);
}

/* The sign and the exponent of a metric belong to it: "reward=-2.5", "loss=1e-3". */
static void extend_metric(struct str s, struct number *n)
{
    size_t at = n->end + 1;

    if (n->at > 1 && s.at[n->at - 1] == '-' && s.at[n->at - 2] == '=')
        n->at--;
    if (at >= s.len || s.at[n->end] != 'e')
        return;
    at += s.at[at] == '-' || s.at[at] == '+';
    if (at < s.len && is_digit(s.at[at]))
        for (n->end = at; n->end < s.len && is_digit(s.at[n->end]);)
            n->end++;
}

static enum number_kind number_kind_of(struct str s, const struct number *n)
{
    bool starts = n->left.len == 0;

    if (is_one_of_words(n->left, metric_words))
        return NUMBER_METRIC;
    if (n->decimal)
        return starts ? NUMBER_METRIC : NUMBER_OTHER; /* weights.05-0.32 */
    if (is_one_of_words(n->right, entity_words) && n->right.at + n->right.len == s.at + s.len)
        return NUMBER_OTHER;
    if (is_one_of_words(n->left, step_words))
        return NUMBER_STEP;
    if (is_one_of_words(n->left, epoch_words))
        return NUMBER_EPOCH;
    if (is_one_of_words(n->left, save_words)) /* not a date */
        return number_follows(s, n->end, '-') ? NUMBER_OTHER : NUMBER_SAVE;
    if (is_one_of_words(n->left, entity_words))
        return NUMBER_OTHER;
    /* 1000_steps, 12epoch; not task3_epoch */
    if (n->at > 0 && is_name_letter(s.at[n->at - 1]))
        return NUMBER_OTHER;
    if (is_one_of_words(n->right, step_words))
        return NUMBER_STEP;
    return is_one_of_words(n->right, epoch_words) ? NUMBER_EPOCH : NUMBER_OTHER;
}

/* "12_3400", "ep3-ba4000", "e3s400": an epoch and a step. */
static void join_numbers(struct str s, struct number *before, struct number *n)
{
    bool pair = before->kind == NUMBER_SAVE && before->end + 1 == n->at &&
                s.at[before->end] == '_' && !n->decimal;
    bool letters = before->kind == NUMBER_OTHER && str_eq(before->left, STR("e")) &&
                   str_eq(n->left, STR("s"));

    if (pair || letters)
        before->kind = NUMBER_EPOCH;
    if (pair || letters || (before->kind == NUMBER_EPOCH && str_eq_nocase(n->left, STR("ba"))))
        n->kind = NUMBER_STEP;
}

/* The numbers of a name: each with the words beside it. fairseq's checkpoint_3_5000 has the
 * epoch first, Composer's ep1-ba100 batches, RVC's name_e10_s500 letters. */
static size_t read_name_numbers(struct str s, struct number *out)
{
    size_t count = 0;

    for (size_t i = 0; i < s.len && count < NUMBERS_MOST;) {
        struct number *n = &out[count];
        struct number *before = count > 0 ? &out[count - 1] : NULL;

        if (!is_digit(s.at[i])) {
            i++;
            continue;
        }
        *n = (struct number){.at = i, .value = NAN};
        for (n->end = i; n->end < s.len && is_digit(s.at[n->end]);)
            n->end++;
        n->decimal = number_follows(s, n->end, '.') && n->end - i <= 6;
        if (n->decimal)
            for (n->end++; n->end < s.len && is_digit(s.at[n->end]);)
                n->end++;
        if (n->end - i > 15 || !num_double((struct str){s.at + i, n->end - i}, &n->value))
            n->value = NAN;
        n->left = word_before(s, i);
        n->right = word_after(s, n->end);
        n->kind = number_kind_of(s, n);
        if (n->kind == NUMBER_METRIC)
            extend_metric(s, n);
        if (before != NULL)
            join_numbers(s, before, n);
        i = n->end;
        count++;
    }
    return count;
}

/* Is the number `digits` long, after this sign, and at the end of the name? */
static bool ends_padded(struct str s, const struct number *n, size_t digits, char sign)
{
    struct str rest = {s.at + n->end, s.len - n->end};

    return n->end - n->at == digits && n->at > 1 && s.at[n->at - 1] == sign &&
           (rest.len == 0 || str_eq(rest, STR("-state")));
}

/* A number without a word, in the layout of a tool that writes such: kohya's name-000010 and
 * ai-toolkit's name_000000500, Detectron's model_0004999, G_1000 of so-vits, 10_net_G of
 * CycleGAN, weights.05-0.32 of Keras, network-snapshot-000500 of StyleGAN. Numbers as long are
 * also those of data, in files that need not hold weights: cc3m-000001.tar. */
static bool is_tool_number(struct str s, bool weak, const struct number *n)
{
    bool first = s.len > 2 && (s.at[0] == 'G' || s.at[0] == 'D') && s.at[1] == '_';

    if (n->decimal)
        return false;
    if (is_one_of_words(n->left, entity_words))
        return false;
    if (ends_padded(s, n, 6, '-') || ends_padded(s, n, 9, '_'))
        return !weak || str_eq(n->left, STR("snapshot"));
    return (str_eq(n->left, STR("model")) && ends_padded(s, n, 7, '_')) ||
           (first && n->at == 2 && n->end == s.len) ||
           (n->at == 0 &&
            str_starts((struct str){s.at + n->end, s.len - n->end}, STR("_net_"))) ||
           (str_eq(n->left, STR("weights")) && n->at > 0 && s.at[n->at - 1] == '.');
}

/* A number that nothing explains: model_500, 00500. The last that is alone. */
static struct number *plain_number(struct str s, struct number *numbers, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        struct number *n = &numbers[i];
        bool alone = (n->at == 0 || s.at[n->at - 1] == '-' || s.at[n->at - 1] == '_' ||
                      s.at[n->at - 1] == '=') &&
                     (n->end == s.len || s.at[n->end] == '-' || s.at[n->end] == '_');

        if (n->kind == NUMBER_OTHER && !n->decimal && alone)
            return n;
    }
    return NULL;
}

/* Does the name contain one of these words? */
static bool has_name_word(struct str s, const char *const *words)
{
    for (size_t i = 0; i < s.len;) {
        size_t end = i;

        while (end < s.len && is_name_letter(s.at[end]))
            end++;
        if (end > i && is_one_of_words((struct str){s.at + i, end - i}, words))
            return true;
        i = end > i ? end : i + 1;
    }
    return false;
}

/* Where a "key=" that begins at `at` ends; `at` itself where there is none. */
static size_t metric_key_end(struct str s, size_t at)
{
    size_t end = at;

    while (end < s.len && (is_name_letter(s.at[end]) || is_digit(s.at[end]) ||
                           s.at[end] == '_' || s.at[end] == '/' || s.at[end] == '@'))
        end++;
    if (end + 1 < s.len && s.at[end] == '=' &&
        (s.at[end + 1] == '-' || is_digit(s.at[end + 1])))
        return end + 1;
    return at;
}

/* Is the word in s[at, end), after a step, one that a training tool puts there? A metric and a
 * part need a number: "loss0.24", "val_loss_0.3", "rank_0". */
static bool is_tail(struct str s, size_t at, size_t end)
{
    struct str word = {s.at + at, end - at};
    const char *const *kind = is_one_of_words(word, part_words) ? part_words : metric_words;

    if (is_one_of_words(word, tail_words) || is_one_of_words(word, step_words) ||
        is_one_of_words(word, epoch_words) || is_one_of_words(word, save_words))
        return true;
    while (is_one_of_words(word, kind)) {
        for (at = end; at < s.len && is_name_separator(s.at[at]);)
            at++;
        for (end = at; end < s.len && is_name_letter(s.at[end]);)
            end++;
        if (end == at)
            return at < s.len && is_digit(s.at[at]);
        word = (struct str){s.at + at, end - at};
    }
    return false;
}

/* Is there other text after the first step, epoch or save? "step_300.pt" is a state of a
 * training; "iter1_dpo" may be what one of several trainings has made. */
static bool number_is_followed(struct str s, const struct number *numbers, size_t count)
{
    size_t n = 0, at;

    while (n < count && (numbers[n].kind == NUMBER_OTHER || numbers[n].kind == NUMBER_METRIC))
        n++;
    for (at = n < count ? numbers[n].end : s.len; at < s.len;) {
        size_t end = at;

        while (n < count && numbers[n].end <= at)
            n++;
        if (n < count && numbers[n].at <= at) { /* "1e-3" is no word */
            at = numbers[n].end;
            continue;
        }
        if (is_name_separator(s.at[at])) {
            at++;
            continue;
        }
        if (metric_key_end(s, at) > at) {
            at = metric_key_end(s, at);
            continue;
        }
        while (end < s.len && is_name_letter(s.at[end]))
            end++;
        if (end == at || !is_tail(s, at, end))
            return true;
        at = end;
    }
    return false;
}

/* Names that differ only in their steps, epochs and metrics have the same. */
static uint64_t name_series_of(struct str s, bool folder, const struct number *numbers,
                               size_t count)
{
    char masked[NAME_ROOM];
    size_t len = 0, at = 0;
    uint64_t hash;

    masked[len++] = folder ? '/' : '.';
    for (size_t i = 0; i < s.len && len < sizeof masked;) {
        while (at < count && numbers[at].end <= i)
            at++;
        if (at < count && numbers[at].at == i && numbers[at].kind != NUMBER_OTHER) {
            masked[len++] = '#';
            i = numbers[at].end;
        } else {
            masked[len++] = s.at[i++];
        }
    }
    hash = text_hash(1, (struct str){masked, len});
    return hash != 0 ? hash : 1;
}

/* The name of the metric with '_' for what users put in its place. */
static struct str plain_metric_key(struct str key, char *to, size_t room)
{
    size_t len = key.len < room ? key.len : room;

    for (size_t i = 0; i < len; i++)
        to[i] = key.at[i] == '-' || key.at[i] == '/' || key.at[i] == '.' || key.at[i] == ' '
                    ? '_'
                    : to_lower(key.at[i]);
    return (struct str){to, len};
}

/* "val_loss" without what says that it is of an evaluation. */
static bool cut_evaluation(struct str *key)
{
    static const char *const heads[] = {"validation_", "valid_", "eval_", "val_", "dev_", NULL};

    for (const char *const *head = heads; *head != NULL; head++)
        if (str_starts(*key, str_from(*head))) {
            size_t len = strlen(*head);

            *key = (struct str){key->at + len, key->len - len};
            return true;
        }
    return false;
}

bool checkpoint_metric_is(struct str wanted, struct str key)
{
    char a[NAME_ROOM], b[NAME_ROOM];
    struct str w = plain_metric_key(wanted, a, sizeof a),
               k = plain_metric_key(key, b, sizeof b);

    if (str_eq(w, k))
        return true;
    /* "accuracy" may be called eval_accuracy; a loss of training is another than an
     * evaluation's. */
    if (!cut_evaluation(&w) && str_eq(w, STR("loss")))
        return false;
    return cut_evaluation(&k) && str_eq(w, k);
}

/* The number at `at`: "0.35", "1e-3", "-2.5"; a point counts only before a digit. */
static double name_value_at(struct str s, size_t at)
{
    size_t end = at;
    double value = NAN;

    if (end < s.len && s.at[end] == '-')
        end++;
    while (end < s.len && is_digit(s.at[end]))
        end++;
    if (end + 1 < s.len && s.at[end] == '.' && is_digit(s.at[end + 1]))
        for (end++; end < s.len && is_digit(s.at[end]);)
            end++;
    if (end + 1 < s.len && end > at && s.at[end] == 'e') {
        size_t exponent = end + (s.at[end + 1] == '-' || s.at[end + 1] == '+' ? 2 : 1);

        if (exponent < s.len && is_digit(s.at[exponent]))
            for (end = exponent; end < s.len && is_digit(s.at[end]);)
                end++;
    }
    if (end == at || !num_double((struct str){s.at + at, end - at}, &value))
        return NAN;
    return value;
}

/* The value after `key` where it starts a word. */
static double value_after(struct str s, struct str key)
{
    for (size_t i = 0; key.len > 0 && i + key.len <= s.len; i++) {
        size_t at = i + key.len;
        char plain[NAME_ROOM];
        double value;

        if ((i > 0 && is_name_letter(s.at[i - 1])) ||
            !str_eq(plain_metric_key((struct str){s.at + i, key.len}, plain, sizeof plain),
                    key))
            continue;
        if (at < s.len && (s.at[at] == '=' || s.at[at] == ':')) {
            value = name_value_at(s, at + 1);
        } else {
            at += at < s.len && (s.at[at] == '_' || s.at[at] == '-');
            value = at < s.len && is_digit(s.at[at]) ? name_value_at(s, at) : NAN;
        }
        if (!isnan(value))
            return value;
    }
    return NAN;
}

static double named_metric(struct str name, struct str wanted)
{
    static const char *const heads[] = {"val_", "eval_", "valid_", "validation_", "", NULL};
    char key[NAME_ROOM], with[NAME_ROOM + 16];
    struct str w = plain_metric_key(wanted, key, sizeof key);
    double value = value_after(name, w);

    (void)cut_evaluation(&w);
    for (const char *const *head = heads; isnan(value) && *head != NULL; head++) {
        size_t len = strlen(*head);

        memcpy(with, *head, len);
        memcpy(with + len, w.at, w.len);
        value = value_after(name, (struct str){with, len + w.len});
    }
    return value;
}

/* What is before the last point, unless that is one of a number. */
static struct str stem_of(struct str name)
{
    const char *point = memrchr(name.at, '.', name.len);
    size_t at = point != NULL ? (size_t)(point - name.at) : 0;

    if (at == 0 || at + 1 >= name.len || is_digit(name.at[at + 1]))
        return name;
    return (struct str){name.at, at};
}

/* A name that says that it is the one to keep. "last" is also what kohya calls everything. */
static const char *protecting_word(struct str s, bool tool)
{
    static const char *const best[] = {"best", NULL}, *const final[] = {"final", NULL};
    static const char *const last[] = {"last", "latest", NULL};

    if (has_name_word(s, best) || str_has_nocase(s, STR("best_")) ||
        str_has_nocase(s, STR("_best")))
        return "called best";
    if (has_name_word(s, final))
        return "called final";
    return !tool && has_name_word(s, last) ? "called last" : NULL;
}

/* Which of several does the only number name, or a step? "agent_checkpoint_3". */
static bool is_ambiguous(struct str s, const struct number *numbers, size_t count)
{
    bool ambiguous = has_name_word(s, individual_words);

    for (size_t i = 0; i < count; i++)
        ambiguous = ambiguous && numbers[i].kind == NUMBER_SAVE;
    return ambiguous;
}

/* Those that a word says to be a step, an epoch or either. */
static void take_named(const struct number *numbers, size_t count, struct checkpoint *out)
{
    for (size_t i = 0; i < count; i++) {
        const struct number *n = &numbers[i];

        if (n->kind == NUMBER_STEP && isnan(out->named_step))
            out->named_step = n->value;
        if (n->kind == NUMBER_EPOCH && isnan(out->named_epoch))
            out->named_epoch = n->value;
        if (n->kind == NUMBER_SAVE && isnan(out->named_step) && isnan(out->named_epoch))
            out->named_step = out->named_epoch = n->value;
    }
}

/* What the numbers of the name say. A product of training, such as embeddings_3, has no step.
 * `sure`: such files hold weights and hardly anything else. Does a word make one a step? */
static bool read_steps(struct str s, bool folder, bool sure, struct checkpoint *out)
{
    struct number numbers[NUMBERS_MOST], *plain = NULL;
    size_t count = read_name_numbers(s, numbers);
    bool tool = false;

    if (has_name_word(s, product_words))
        return false;
    take_named(numbers, count, out);
    if (isnan(out->named_step) && isnan(out->named_epoch)) {
        for (size_t i = 0; i < count && !tool; i++)
            if ((tool = is_tool_number(s, !sure && !folder, &numbers[i])))
                plain = &numbers[i];
        if (plain == NULL && (sure || folder) && !has_name_word(s, entity_words))
            plain = plain_number(s, numbers, count);
        if (plain == NULL || isnan(plain->value))
            return false;
        plain->kind = NUMBER_SAVE;
        out->named_step = out->named_epoch = plain->value;
    }
    out->layout = (plain == NULL || tool) && !is_ambiguous(s, numbers, count) &&
                  (tool || !number_is_followed(s, numbers, count));
    out->step = isnan(out->named_step) ? out->named_epoch : out->named_step;
    out->series = name_series_of(s, folder, numbers, count);
    if (out->needed == NULL)
        out->needed = protecting_word(s, tool);
    return plain == NULL;
}

bool checkpoint_name_is_number(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!is_digit(s.at[i]))
            return false;
    return s.len > 0;
}

/* A folder that is a checkpoint, or is called one. */
static bool is_checkpoint_folder(struct str name, struct checkpoint *out)
{
    static const char *const words[] = {"checkpoint", "ckpt", "best", "final", "last", NULL};

    bool worded = read_steps(name, true, false, out);

    if (out->series != 0 && !out->layout && !worded && !checkpoint_name_is_number(name)) {
        out->series = 0;
        out->step = out->named_step = out->named_epoch = NAN;
    }
    return out->series != 0 ||
           (str_has_any(name, words) && !str_eq_nocase(name, STR("checkpoints")) &&
            !str_eq_nocase(name, STR("ckpts")));
}

static bool is_checkpoint_file(struct str name, struct checkpoint *out)
{
    bool sure, weights = checkpoint_weights(name, &sure);
    struct str stem = weights ? stem_of(name) : name;

    if (!weights && stem_of(name).len != name.len)
        return false; /* a file of another kind: .json, .log, .png */
    (void)read_steps(stem, false, sure, out);
    return sure || (out->series != 0 && (out->layout || weights));
}

bool checkpoint_name(struct str name, bool folder, struct str metric, struct checkpoint *out)
{
    struct str bare = name;
    char key[NAME_ROOM];

    *out = (struct checkpoint){.name = name,
                               .bytes = NAN,
                               .frees = NAN,
                               .files = -1,
                               .begun_ns = -1,
                               .step = NAN,
                               .named_step = NAN,
                               .named_epoch = NAN,
                               .metric = NAN,
                               .cost = USD_UNKNOWN,
                               .took_s = NAN,
                               .doubt = checkpoint_name_doubt(name)};
    if (name.len == 0 || name.len >= NAME_ROOM || name.at[0] == '.')
        return false;
    if (out->doubt != NULL) /* x.pt.tmp is to become x.pt */
        bare = checkpoint_weights(name, &(bool){false}) ? name : stem_of(name);
    if (folder ? !is_checkpoint_folder(bare, out) : !is_checkpoint_file(bare, out))
        return false;
    if (str_has_nocase(bare, STR("-of-")) && (out->series == 0 || !out->layout))
        return false; /* a shard of a model */
    if (metric.len > 0) {
        for (size_t i = 0; i < name.len; i++)
            key[i] = to_lower(name.at[i]);
        out->metric = named_metric((struct str){key, name.len}, metric);
    }
    return true;
}

bool checkpoint_has_path(struct str path)
{
    for (size_t end = 0; end <= path.len; end++) {
        struct checkpoint c;
        size_t start = end;

        if (end < path.len && path.at[end] != '/')
            continue;
        while (start > 0 && path.at[start - 1] != '/')
            start--;
        if (checkpoint_name((struct str){path.at + start, end - start}, end < path.len, STR(""),
                            &c) &&
            c.series != 0)
            return true;
    }
    return false;
}
