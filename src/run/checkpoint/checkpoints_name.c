/* What the name of a file or folder says of a checkpoint. Pure.
 *
 * Careful on purpose: what is taken for one of a series may be removed. A number counts when a
 * word says what it is (step, iter, epoch, checkpoint), or when nothing but weights is kept in
 * such files; shards, ranks and data never count. */
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

static bool is_between(char c)
{
    return c == '-' || c == '_' || c == '=' || c == '.' || c == ' ' || c == ':';
}

static bool has_any(struct str s, const char *const *words)
{
    for (; *words != NULL; words++)
        if (str_has_nocase(s, str_from(*words)))
            return true;
    return false;
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

/* The digits from `at` on as a number; NaN when there are none. `end` is where they end. */
static double digits_at(struct str s, size_t at, size_t *end)
{
    double value = NAN;

    for (*end = at; *end < s.len && is_digit(s.at[*end]);)
        ++*end;
    if (*end == at || *end - at > 15 || !num_double((struct str){s.at + at, *end - at}, &value))
        return NAN;
    return value;
}

/* The number that `word` is about: step_100, step=100, steps100, 1000_steps. */
static double number_of(struct str s, struct str word)
{
    for (size_t i = 0; i + word.len <= s.len; i++) {
        size_t at = i + word.len, end, from = i;
        double value;

        if (!str_eq_nocase((struct str){s.at + i, word.len}, word) ||
            (i > 0 && is_name_letter(s.at[i - 1])))
            continue;
        if (at < s.len && to_lower(s.at[at]) == 's')
            at++;
        for (int gap = 0; gap < 2 && at < s.len && is_between(s.at[at]); gap++)
            at++;
        value = digits_at(s, at, &end);
        if (!isnan(value))
            return value;
        if (from > 0 && (s.at[from - 1] == '-' || s.at[from - 1] == '_'))
            from--;
        while (from > 0 && is_digit(s.at[from - 1]))
            from--;
        value = digits_at(s, from, &end);
        if (!isnan(value) && (from == 0 || !is_name_letter(s.at[from - 1])))
            return value;
    }
    return NAN;
}

/* The best word's: a step says more than an epoch. */
static double said_number(struct str s)
{
    static const char *const words[] = {"global_step", "step", "iteration", "iter",
                                        "checkpoint",  "ckpt", "chkpt",     "epoch",
                                        "ep",          NULL};

    for (const char *const *word = words; *word != NULL; word++) {
        double value = number_of(s, str_from(*word));

        if (!isnan(value))
            return value;
    }
    return NAN;
}

/* The last number that is alone: model_500, G_1000, 00500. */
static double plain_number(struct str s)
{
    double found = NAN;

    for (size_t i = 0; i < s.len;) {
        size_t end;
        double value = digits_at(s, i, &end);
        bool alone =
            end > i &&
            (i == 0 || s.at[i - 1] == '-' || s.at[i - 1] == '_' || s.at[i - 1] == '=') &&
            (end == s.len || s.at[end] == '-' || s.at[end] == '_');

        if (alone && !isnan(value))
            found = value;
        i = end > i ? end : i + 1;
    }
    return found;
}

/* Names that differ only in their numbers have the same. */
static uint64_t series_of(struct str s, bool folder)
{
    char masked[NAME_ROOM];
    size_t len = 0;
    uint64_t hash;

    masked[len++] = folder ? '/' : '.';
    for (size_t i = 0; i < s.len && len < sizeof masked;) {
        size_t end = i;

        while (end < s.len && is_digit(s.at[end]))
            end++;
        if (end + 1 < s.len && end > i && s.at[end] == '.' && is_digit(s.at[end + 1]))
            for (end++; end < s.len && is_digit(s.at[end]);)
                end++;
        masked[len++] = end > i ? '#' : s.at[i];
        i = end > i ? end : i + 1;
    }
    hash = text_hash(1, (struct str){masked, len});
    return hash != 0 ? hash : 1;
}

/* The name of the metric with '_' for what users put in its place. */
static struct str plain_key(struct str key, char *to, size_t room)
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
    struct str w = plain_key(wanted, a, sizeof a), k = plain_key(key, b, sizeof b);

    if (str_eq(w, k))
        return true;
    /* "accuracy" may be called eval_accuracy; a loss of training is another than an
     * evaluation's. */
    if (!cut_evaluation(&w) && str_eq(w, STR("loss")))
        return false;
    return cut_evaluation(&k) && str_eq(w, k);
}

/* The number at `at`: "0.35", "1e-3", "-2.5"; a point counts only before a digit. */
static double value_at(struct str s, size_t at)
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
            !str_eq(plain_key((struct str){s.at + i, key.len}, plain, sizeof plain), key))
            continue;
        if (at < s.len && (s.at[at] == '=' || s.at[at] == ':')) {
            value = value_at(s, at + 1);
        } else {
            at += at < s.len && (s.at[at] == '_' || s.at[at] == '-');
            value = at < s.len && is_digit(s.at[at]) ? value_at(s, at) : NAN;
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
    struct str w = plain_key(wanted, key, sizeof key);
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

static bool all_digits(struct str s)
{
    size_t end;

    return !isnan(digits_at(s, 0, &end)) && end == s.len;
}

/* The number of a folder's name; false when it is none of a checkpoint. */
static bool folder_number(struct str name, double *step)
{
    static const char *const words[] = {"checkpoint", "ckpt", "best", "final", "last", NULL};

    *step = said_number(name);
    if (isnan(*step) && (all_digits(name) || str_ends(name, STR("-state"))))
        *step = plain_number(name);
    if (!isnan(*step))
        return true;
    return has_any(name, words) && !str_eq_nocase(name, STR("checkpoints")) &&
           !str_eq_nocase(name, STR("ckpts"));
}

static bool file_number(struct str name, double *step)
{
    static const char *const others[] = {"rank", "rng",   "layer", "shard", "fold",
                                         "seed", "data",  "train", "test",  "valid",
                                         "part", "split", "token", NULL};
    bool sure, weights = checkpoint_weights(name, &sure);
    struct str stem = weights ? stem_of(name) : name;

    if (!weights && stem_of(name).len != name.len)
        return false; /* a file of another kind: .json, .log, .png */
    *step = said_number(stem);
    if (!isnan(*step))
        return true;
    if (sure && !has_any(stem, others))
        *step = plain_number(stem);
    return sure;
}

bool checkpoint_name(struct str name, bool folder, struct str metric, struct checkpoint *out)
{
    struct str bare = name;
    char key[NAME_ROOM];
    double step = NAN;

    *out = (struct checkpoint){.name = name,
                               .bytes = NAN,
                               .frees = NAN,
                               .files = -1,
                               .begun_ns = -1,
                               .step = NAN,
                               .metric = NAN,
                               .cost = USD_UNKNOWN,
                               .took_s = NAN,
                               .doubt = checkpoint_name_doubt(name)};
    if (name.len == 0 || name.len >= NAME_ROOM || name.at[0] == '.')
        return false;
    if (out->doubt != NULL) /* x.pt.tmp is to become x.pt */
        bare = checkpoint_weights(name, &(bool){false}) ? name : stem_of(name);
    if (str_has_nocase(bare, STR("-of-")) && isnan(said_number(bare)))
        return false; /* a shard of a model */
    if (folder ? !folder_number(bare, &step) : !file_number(bare, &step))
        return false;
    if (folder && isnan(step))
        step = said_number(bare);
    out->step = step;
    out->series = isnan(step) ? 0 : series_of(name, folder);
    if (metric.len > 0) {
        for (size_t i = 0; i < name.len; i++)
            key[i] = to_lower(name.at[i]);
        out->metric = named_metric((struct str){key, name.len}, metric);
    }
    return true;
}
