/* The styles in which programs print their metrics: pairs of names and numbers, sentences,
 * progress bars, tables. */
#include <math.h>
#include <string.h>

#include "run/output/metric_internal.h"

/* ---- pairs of names and numbers ---- */

struct pair {
    enum key key;
    char name[KEY_ROOM]; /* empty: a bare "450/1000" */
    double value, total; /* NaN: no slash */
    char sign;           /* '=' or ':' when one was between, else ' ' */
    struct str unit;     /* letters and signs glued to the number: "ms", "%" */
    bool is_time;        /* "12:34": seconds */
};

struct pairs {
    struct str rest;
    struct str phrase; /* words just before `rest` that may turn out to be a name */
    char sign, before; /* since the phrase; the byte before `rest` */
    int brackets;      /* open: commas between digits are between numbers */
    int prose;         /* words that were no names */
};

static void forget_phrase(struct pairs *p)
{
    p->phrase = (struct str){p->rest.at, 0};
    p->sign = ' ';
}

static void pass_pair_bytes(struct pairs *p, size_t count)
{
    if (count > 0)
        p->before = p->rest.at[count - 1];
    step_over(&p->rest, count);
}

/* Bytes of the word at the start: letters, digits, '_' and '@', with '-', '.' and '/'
 * between. */
static size_t word_length(struct str text)
{
    size_t i = 0;

    while (i < text.len) {
        char c = text.at[i];
        bool joins = (c == '-' || c == '.' || c == '/') && i + 1 < text.len &&
                     is_name_character(text.at[i + 1]);

        if (!is_name_character(c) && c != '@' && !joins)
            break;
        i++;
    }
    return i;
}

/* A word of letters: a new phrase, or one more word of the one that is open. */
static void take_pair_word(struct pairs *p, size_t len)
{
    struct str *phrase = &p->phrase;
    struct str after = {p->rest.at + len, p->rest.len - len};
    bool foreign = p->before == '~' || (after.len > 0 && after.at[0] == '~');
    bool extends = phrase->len > 0 && p->sign == ' ' &&
                   phrase->at + phrase->len + 1 == p->rest.at && p->before == ' ';

    if (!extends) {
        p->prose += phrase->len > 0;
        *phrase = (struct str){p->rest.at, 0};
        p->sign = ' ';
    }
    phrase->len = (size_t)(p->rest.at + len - phrase->at);
    pass_pair_bytes(p, len);
    if (foreign) { /* part of a word of other letters */
        forget_phrase(p);
        p->prose++;
    }
}

/* "(ms)" and "(train)" behind a word belong to the name. */
static bool take_unit_of_name(struct pairs *p)
{
    size_t i = 1;
    struct str word;

    while (i < p->rest.len && is_letter(p->rest.at[i]))
        i++;
    word = (struct str){p->rest.at + 1, i - 1};
    if (p->phrase.len == 0 || p->sign != ' ' || i >= p->rest.len || p->rest.at[i] != ')')
        return false;
    if (word.len == 0 || (word.len > 3 && !str_eq_nocase(word, STR("train")) &&
                          !str_eq_nocase(word, STR("training"))))
        return false;
    p->phrase.len = (size_t)(p->rest.at + i + 1 - p->phrase.at);
    pass_pair_bytes(p, i + 1);
    return true;
}

/* A number's digits in threes: "12,345". */
static bool take_grouped(struct str *text, double *out)
{
    struct str rest = *text;
    double value = 0, part;
    size_t groups = 0, digits = 0;

    while (digits < rest.len && is_digit(rest.at[digits]))
        digits++;
    while (digits > 0 && (groups == 0 ? digits <= 3 : digits == 3)) {
        struct str group = {rest.at, digits};

        if (!number_take(&group, &part))
            return false;
        value = value * 1000 + part;
        groups++;
        step_over(&rest, digits);
        if (rest.len < 4 || rest.at[0] != ',' || !is_digit(rest.at[1]))
            break;
        step_over(&rest, 1);
        for (digits = 0; digits < rest.len && is_digit(rest.at[digits]);)
            digits++;
        if (digits != 3)
            return false;
    }
    if (groups < 2 || (rest.len > 0 && (is_name_character(rest.at[0]) || rest.at[0] == '.')))
        return false;
    *out = value;
    *text = rest;
    return true;
}

/* " / 1000" behind a number. */
static double take_total(struct str *rest)
{
    struct str after = *rest;
    double total;

    skip_metric_blanks(&after);
    if (after.len == 0 || after.at[0] != '/')
        return NAN;
    step_over(&after, 1);
    skip_metric_blanks(&after);
    if (after.len == 0 || !is_digit(after.at[0]) || !number_take(&after, &total))
        return NAN;
    total *= number_take_scale(&after);
    *rest = after;
    return total;
}

/* Signs and letters glued to the number. */
static struct str take_unit(struct str *rest)
{
    struct str unit = {rest->at, 0};

    while (unit.len < rest->len &&
           (is_letter(rest->at[unit.len]) || rest->at[unit.len] == '%' ||
            (unit.len > 0 && rest->at[unit.len] == '/')))
        unit.len++;
    step_over(rest, unit.len);
    return unit;
}

static bool number_starts(const struct pairs *p)
{
    char c = p->rest.at[0], next = p->rest.len > 1 ? p->rest.at[1] : ' ';

    if (is_name_character(p->before))
        return false;
    if (c == '-' || c == '+')
        return is_digit(next) || next == '.' || to_lower(next) == 'i' || to_lower(next) == 'n';
    return is_digit(c) || (c == '.' && is_digit(next));
}

/* The number here, with all that belongs to it. True when it is a pair. */
static bool take_pair_number(struct pairs *p, struct pair *out)
{
    struct str rest = p->rest;
    bool named = p->phrase.len > 0;

    *out = (struct pair){.key = KEY_OTHER, .total = NAN, .sign = p->sign};
    out->is_time = number_take_time(&rest, &out->value);
    if (!out->is_time && !(p->brackets == 0 && take_grouped(&rest, &out->value)) &&
        !number_take(&rest, &out->value)) {
        pass_pair_bytes(p, 1);
        forget_phrase(p);
        return false;
    }
    out->value *= number_take_scale(&rest);
    out->total = take_total(&rest);
    out->unit = take_unit(&rest);
    if (named)
        out->key = key_read(p->phrase, out->name);
    pass_pair_bytes(p, (size_t)(rest.at - p->rest.at));
    forget_phrase(p);
    /* "10.0.0.1", "3a7f", "2024-01-02": something else. */
    if (rest.len > 0 &&
        (is_name_character(rest.at[0]) ||
         (rest.len > 1 && (rest.at[0] == '.' || rest.at[0] == '-') && is_digit(rest.at[1])))) {
        size_t junk = word_length(rest);

        pass_pair_bytes(p, junk > 0 ? junk : 1);
        return false;
    }
    return named ? out->key != KEY_NONE : !isnan(out->total);
}

/* A number here, or "nan" and "inf" where a value may be. */
static bool value_starts(const struct pairs *p)
{
    struct str rest = p->rest;
    double value;

    if (number_starts(p))
        return true;
    return p->phrase.len > 0 && is_letter(rest.at[0]) && !is_name_character(p->before) &&
           number_take(&rest, &value);
}

/* A number as its library shows it: "tensor(2.3, device='cuda:0')", "np.float32(nan)",
 * "tf.Tensor(2.3, shape=())", "<tf.Tensor: shape=(), numpy=2.3>". Steps over what is before the
 * number; the name stays. */
static bool pass_wrapper(struct pairs *p)
{
    static const char *const words[] = {
        "tensor", "Tensor",  "Array",  "array",       "float16",  "float32", "float64",
        "float",  "Decimal", "Scalar", "DeviceArray", "bfloat16", NULL};
    const struct str shown = STR("<tf.Tensor:"), value = STR("numpy=");
    size_t len = word_length(p->rest);
    struct str word = str_after_last((struct str){p->rest.at, len}, '.');

    if (p->phrase.len == 0)
        return false;
    if (str_starts(p->rest, shown)) {
        const char *at = memmem(p->rest.at, p->rest.len, value.at, value.len);

        if (at != NULL)
            pass_pair_bytes(p, (size_t)(at - p->rest.at) + value.len);
        return at != NULL;
    }
    if (len + 1 >= p->rest.len || p->rest.at[len] != '(')
        return false;
    for (const char *const *known = words; *known != NULL; known++)
        if (str_eq(word, str_from(*known))) {
            pass_pair_bytes(p, len + 1);
            return true;
        }
    return false;
}

/* A sign: it parts a name from its value, or it ends what may be a name. */
static void pass_sign(struct pairs *p)
{
    char c = p->rest.at[0];

    p->brackets += (c == '[') - (c == ']' && p->brackets > 0);
    if ((c == ':' || c == '=') && p->phrase.len > 0) {
        p->sign = c;
    } else if (c == '\0' || strchr(" \t[\"'#(", c) == NULL) {
        p->prose += p->phrase.len > 0;
        forget_phrase(p);
    }
    pass_pair_bytes(p, is_name_character(c) ? word_length(p->rest)
                                            : 1); /* a word that begins with digits: "3a" */
}

static bool pairs_next(struct pairs *p, struct pair *out)
{
    while (p->rest.len > 0) {
        char c = p->rest.at[0];

        if (value_starts(p)) {
            if (take_pair_number(p, out))
                return true;
        } else if (pass_wrapper(p)) {
            continue;
        } else if (is_letter(c) || c == '_') {
            take_pair_word(p, word_length(p->rest));
        } else if (c != '(' || !take_unit_of_name(p)) {
            pass_sign(p);
        }
    }
    return false;
}

/* Lines of names and numbers in any order: DeepSpeed, Megatron, nanoGPT, Keras, the examples of
 * PyTorch, and whatever a person prints. See metric_internal.h. */

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
static bool is_believable(const struct pair *pair)
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

static void note_pair(struct found *found, const struct pair *pair)
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
static void add_bare(const struct pair *pair, struct metric_update *out)
{
    if (isnan(out->epoch) || !isnan(out->step) || pair->total <= 0 || pair->value > pair->total)
        return;
    out->step = pair->value;
    out->steps = pair->total;
    out->in_epoch = true;
}

static void add_metric_pair(const struct pair *pair, bool evaluates, struct metric_update *out)
{
    enum key key = pair->key;

    if (pair->name[0] == '\0') {
        add_bare(pair, out);
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
    update_set(out, key, pair->name, in_unit(pair), pair->total);
}

static bool is_wanted_metric(const struct strs *wanted, const char *name)
{
    for (size_t i = 0; i < wanted->len; i++) {
        if (key_ends_with(str_from(name), wanted->at[i]))
            return true;
    }
    return false;
}

static void read_metric_pairs(struct str text, bool evaluates, const struct strs *wanted,
                              struct metric_update *out, struct found *found)
{
    struct pairs pairs = {.rest = text, .before = ' ', .sign = ' '};
    struct pair pair;

    while (pairs_next(&pairs, &pair)) {
        if (!is_believable(&pair))
            continue;
        note_pair(found, &pair);
        if (is_wanted_metric(wanted, pair.name)) {
            found->wanted = true;
            update_name(out, pair.name, pair.value);
        }
        add_metric_pair(&pair, evaluates, out);
    }
    found->prose = pairs.prose + (pairs.phrase.len > 0);
}

/* The values of a postfix or a line. True when there was any. */
static bool pairs_add(struct str text, struct metric_update *out)
{
    struct found found = {.loss = false};
    const struct strs nothing = {NULL, 0};

    read_metric_pairs(text, false, &nothing, out, &found);
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

static const char *find_metric_style(struct str line, const struct metric_update *out)
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
static bool style_keras(struct str line, struct line_memory *memory, struct metric_update *out)
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
    read_metric_pairs(rest, false, &memory->wanted, out, &found);
    if (!found.loss && !found.metric && memchr(rest.at, '~', rest.len) == NULL &&
        memchr(rest.at, '=', rest.len) == NULL)
        return false;
    out->step = step;
    out->steps = steps;
    out->in_epoch = true;
    out->epoch = memory->epoch;
    out->epochs = memory->epochs;
    out->style = "keras";
    if (out->has_eval_loss && !out->has_loss)
        out->step = out->steps = NAN;
    return true;
}

bool style_pairs(struct str line, struct line_memory *memory, struct metric_update *out)
{
    struct found found = {.loss = false};
    bool alone;

    if (style_keras(line, memory, out))
        return true;
    metric_clear(out);
    read_metric_pairs(line, line_evaluates(line), &memory->wanted, out, &found);
    alone = found.counter && found.prose == 0;
    if (!found.loss && !found.metric && !found.total && !found.wanted && !alone &&
        !(found.counter && (found.rate || found.optimizer))) {
        metric_clear(out);
        return false;
    }
    out->style = find_metric_style(line, out);
    if (!isnan(out->epochs) && isnan(out->step))
        memory->epochs = out->epochs;
    if (!isnan(out->epoch) && isnan(out->step))
        memory->epoch = out->epoch;
    return update_says(out);
}

/* ---- sentences: a checkpoint written, an evaluation begun ---- */

static size_t find_nocase(struct str text, struct str part)
{
    for (size_t i = 0; i + part.len <= text.len; i++) {
        if ((text.at[i] | 0x20) == (part.at[0] | 0x20) &&
            str_eq_nocase((struct str){text.at + i, part.len}, part))
            return i;
    }
    return SIZE_MAX;
}

/* The path behind " to " or a colon: without quotes, and without the dots of an ellipsis. */
static struct str take_metric_path(struct str text)
{
    struct str path = {text.at, 0};

    while (text.len > 0 && (text.at[0] == ' ' || text.at[0] == ':' || text.at[0] == '\'' ||
                            text.at[0] == '"' || text.at[0] == '`'))
        step_over(&text, 1);
    path.at = text.at;
    while (path.len < text.len && text.at[path.len] != ' ' && text.at[path.len] != '\'' &&
           text.at[path.len] != '"' && text.at[path.len] != '`' && text.at[path.len] != ',')
        path.len++;
    while (path.len > 0 && path.at[path.len - 1] == '.')
        path.len--;
    return path;
}

static bool looks_like_path(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '/' || text.at[i] == '.' || text.at[i] == '-' || text.at[i] == '_')
            return true;
    }
    return false;
}

/* "Saving model checkpoint to out/checkpoint-500", "saved checkpoint: out/x.safetensors". */
static bool reports_checkpoint(struct str line, struct metric_update *out)
{
    static const char *const verbs[] = {"saving ", "saved ", "wrote ", "writing "};
    static const char *const things[] = {"checkpoint", "ckpt",    "model",
                                         "state",      "weights", "adapter"};
    static const char *const ways[] = {" to ", " as ", " in ", ": "};
    size_t verb = SIZE_MAX, thing = SIZE_MAX;

    for (size_t i = 0; i < ARRAY_LEN(verbs) && verb == SIZE_MAX; i++)
        verb = find_nocase(line, str_from(verbs[i]));
    if (verb == SIZE_MAX)
        return false;
    step_over(&line, verb);
    for (size_t i = 0; i < ARRAY_LEN(things) && thing == SIZE_MAX; i++)
        thing = find_nocase(line, str_from(things[i]));
    if (thing == SIZE_MAX)
        return false;
    out->saved = true;
    for (size_t i = 0; i < ARRAY_LEN(ways) && out->saved_path.len == 0; i++) {
        size_t way = find_nocase(line, str_from(ways[i]));
        struct str path = line;

        if (way == SIZE_MAX)
            continue;
        step_over(&path, way + strlen(ways[i]));
        path = take_metric_path(path);
        if (looks_like_path(path))
            out->saved_path = path;
    }
    return true;
}

bool style_words(struct str line, struct metric_update *out)
{
    metric_clear(out);
    out->style = "words";
    if (find_nocase(line, STR("running evaluation")) != SIZE_MAX ||
        find_nocase(line, STR("running prediction")) != SIZE_MAX)
        out->evaluated = true;
    return reports_checkpoint(line, out) || out->evaluated;
}

/* ---- progress bars: tqdm and all that use it (Lightning, kohya, Hugging Face) ---- */

struct bar {
    struct str title;    /* before it, without its colon */
    double at, total;    /* NaN: no total */
    struct str unit;     /* "it", "B", "examples" */
    double rate, left_s; /* NaN: none */
    struct str postfix;  /* "loss=0.12, v_num=0" */
};

/* The scale before a unit: "1.5kit/s". */
static double take_scale(struct str *text)
{
    struct str letter = {text->at, text->len > 0 ? 1 : 0};
    double scale = number_take_scale(&letter);

    if (scale > 1)
        step_over(text, 1);
    return scale;
}

/* "36.2it/s", "1.94s/it", "?it/s", "5.02MB/s": the rest of the text until a comma or the
 * end. */
static void read_bar_rate(struct str text, struct bar *bar)
{
    double value;

    text = str_trim(text);
    if (text.len > 0 && text.at[0] == '?') {
        step_over(&text, 1);
    } else if (number_take(&text, &value)) {
        value *= take_scale(&text);
        if (str_starts(text, STR("s/")) && value > 0)
            bar->rate = 1 / value;
        else
            bar->rate = value;
    }
    if (str_starts(text, STR("s/")))
        bar->unit = (struct str){text.at + 2, text.len - 2};
    else if (str_ends(text, STR("/s")))
        bar->unit = (struct str){text.at, text.len - 2};
}

/* What is in the brackets: "00:12<00:15, 36.2it/s, loss=0.123". False when it begins with no
 * time. */
static bool read_brackets(struct str text, struct bar *bar)
{
    double elapsed, left;

    skip_metric_blanks(&text);
    if (!number_take_time(&text, &elapsed))
        return false;
    if (text.len > 0 && text.at[0] == '<') {
        step_over(&text, 1);
        if (number_take_time(&text, &left))
            bar->left_s = left;
        else if (text.len > 0 && text.at[0] == '?')
            step_over(&text, 1);
    }
    if (text.len > 0 && text.at[0] == ',') {
        step_over(&text, 1);
        read_bar_rate(str_cut(&text, ','), bar);
    }
    bar->postfix = text;
    return true;
}

/* From '[' on: to its partner, or to the end when the line was cut. */
static bool find_brackets(struct str text, struct bar *bar)
{
    const char *open = text.len > 0 ? memchr(text.at, '[', text.len) : NULL;
    size_t len, depth = 1, i = 0;

    if (open == NULL)
        return false;
    len = text.len - (size_t)(open + 1 - text.at);
    for (; i < len && depth > 0; i++)
        depth = depth + (open[1 + i] == '[') - (open[1 + i] == ']');
    return read_brackets((struct str){open + 1, depth == 0 ? i - 1 : i}, bar);
}

/* Without "[rank0]: " before it, the colon behind it, and without anything when it has no
 * letter (a time). */
static struct str bar_title(struct str text)
{
    const char *close;
    size_t letters = 0;

    text = str_trim(text);
    while (text.len > 0 && text.at[0] == '[' &&
           (close = memchr(text.at, ']', text.len)) != NULL) {
        step_over(&text, (size_t)(close + 1 - text.at));
        while (text.len > 0 && (text.at[0] == ':' || text.at[0] == ' '))
            step_over(&text, 1);
    }
    while (text.len > 0 && (text.at[text.len - 1] == ':' || text.at[text.len - 1] == ' '))
        text.len--;
    for (size_t i = 0; i < text.len; i++)
        letters += is_letter(text.at[i]);
    return letters > 0 ? text : (struct str){text.at, 0};
}

/* "TITLE:  45%|####    | 450/1000 [...]". */
static bool read_with_total(struct str line, struct bar *bar)
{
    struct str rest = line;
    size_t start = 0, end;
    double share;

    for (;;) { /* the first "%|" */
        const char *at = rest.len > 0 ? memchr(rest.at, '%', rest.len) : NULL;

        if (at == NULL)
            return false;
        step_over(&rest, (size_t)(at + 1 - rest.at));
        if (rest.len > 0 && rest.at[0] == '|')
            break;
    }
    end = (size_t)(rest.at - 1 - line.at);
    for (start = end; start > 0 && is_digit(line.at[start - 1]);)
        start--;
    bar->title = bar_title((struct str){line.at, start});
    if (!number_take(&(struct str){line.at + start, end - start}, &share))
        return false;
    step_over(&rest, 1);
    (void)str_cut(&rest, '|');
    skip_metric_blanks(&rest);
    if (!number_take(&rest, &bar->at))
        return false;
    bar->at *= number_take_scale(&rest);
    if (rest.len == 0 || rest.at[0] != '/')
        return false;
    step_over(&rest, 1);
    if (!number_take(&rest, &bar->total))
        return false;
    bar->total *= number_take_scale(&rest);
    return find_brackets(rest, bar);
}

/* "TITLE: 450it [00:12, 36.2it/s]". */
static bool read_without_total(struct str line, struct bar *bar)
{
    const char *open = memchr(line.at, '[', line.len);
    size_t end, start;
    struct str number;

    while (open != NULL && !(open > line.at + 1 && open[-1] == ' ' && is_letter(open[-2]))) {
        size_t from = (size_t)(open + 1 - line.at);

        open = from < line.len ? memchr(line.at + from, '[', line.len - from) : NULL;
    }
    if (open == NULL)
        return false;
    end = (size_t)(open - 1 - line.at);
    for (start = end; start > 0 && is_letter(line.at[start - 1]);)
        start--;
    for (; start > 0 && (is_digit(line.at[start - 1]) || line.at[start - 1] == '.');)
        start--;
    number = (struct str){line.at + start, end - start};
    bar->title = bar_title((struct str){line.at, start});
    bar->total = NAN;
    if (!number_take(&number, &bar->at))
        return false;
    if (number.len > 1)
        bar->at *= take_scale(&number);
    return find_brackets((struct str){open, line.len - (size_t)(open - line.at)}, bar);
}

enum bar_kind {
    BAR_TRAINING,
    BAR_EVALUATION,
    BAR_OTHER, /* data that is fetched or made ready */
};

static enum bar_kind bar_kind(const struct bar *bar)
{
    static const char *const training[] = {"train", "epoch", "step", "iteration", NULL};
    static const char *const evaluation[] = {"eval",   "valid",   "val ",  "test", "predict",
                                             "sanity", "scoring", "infer", NULL};
    static const char *const other[] = {
        "download", "upload",  "map",     "token",   "generating", "filter",  "loading",
        "fetch",    "resolv",  "extract", "process", "cach",       "pack",    "group",
        "saving",   "convert", "comput",  "quanti",  "read",       "writing", "creating",
        "shuffl",   "collect", "index",   "encod",   "import",     "install", "copy",
        "unzip",    "scan",    "hash",    "verify",  "building",   "pushing", "warm",
        "flatten",  "casting", "check",   NULL};
    static const char *const units[] = {"B", "iB", "examples", "files", "file", NULL};

    if (bar->title.len >= 5 && str_eq_nocase((struct str){bar->title.at, 5}, STR("train")))
        return BAR_TRAINING;
    if (str_has_any(bar->title, evaluation) || str_eq_nocase(bar->title, STR("val")))
        return BAR_EVALUATION;
    if (str_has_any(bar->title, other))
        return BAR_OTHER;
    for (size_t i = 0; units[i] != NULL; i++) {
        struct str unit = str_trim(bar->unit);

        /* "200MB/s": of the unit only the letter after the scale is left, or all of it. */
        if (str_ends(unit, str_from(units[i])) && unit.len <= strlen(units[i]) + 1)
            return BAR_OTHER;
    }
    if (bar->title.len > 0 && !str_has_any(bar->title, training) &&
        memchr(bar->title.at, '.', bar->title.len) != NULL)
        return BAR_OTHER; /* the name of a file */
    return BAR_TRAINING;
}

/* "Epoch 3", "Epoch 3/10", "epoch [3/10]": the epoch whose steps the bar counts. "Epochs", of a
 * bar that counts epochs: true, and no number. */
static bool title_epoch(struct str title, struct metric_update *out, bool *counts_epochs)
{
    struct metric_update read;
    size_t len = title.len;

    *counts_epochs = false;
    if (!str_has_nocase(title, STR("epoch")))
        return false;
    while (len > 0 && is_letter(title.at[len - 1]))
        len--;
    if (str_eq_nocase((struct str){title.at + len, title.len - len}, STR("epoch")) ||
        str_eq_nocase((struct str){title.at + len, title.len - len}, STR("epochs"))) {
        *counts_epochs = true;
        return true;
    }
    metric_clear(&read);
    (void)pairs_add(title, &read);
    out->epoch = read.epoch;
    out->epochs = read.epochs;
    return !isnan(read.epoch);
}

/* Bars without a title: the first counts training, and so does a longer one after its end. One
 * that runs while another is not at its end is an evaluation inside it. */
static bool is_inner(const struct bar *bar, struct line_memory *memory, bool has_loss)
{
    bool same = bar->total == memory->bar_total;
    bool over = isnan(memory->bar_total) || memory->bar_at >= memory->bar_total;

    if (!same && !has_loss && (!over || bar->total < memory->bar_total))
        return true;
    memory->bar_total = bar->total;
    memory->bar_at = bar->at;
    return false;
}

static const char *bar_style(const struct bar *bar, const struct metric_update *out)
{
    double value;

    if (metric_find(out, STR("v_num"), &value) ||
        str_has_nocase(bar->title, STR("dataloader")) ||
        str_has_nocase(bar->title, STR("sanity checking")))
        return "lightning";
    if (metric_find(out, STR("avr_loss"), &value) || str_eq(bar->title, STR("steps")))
        return "kohya";
    return "tqdm";
}

static void add_training_bar(const struct bar *bar, struct line_memory *memory,
                             struct metric_update *out)
{
    bool counts_epochs, of_epoch = title_epoch(bar->title, out, &counts_epochs);

    if (counts_epochs) {
        out->epoch = bar->at;
        out->epochs = bar->total;
        out->epoch_done = true;
        return;
    }
    if (!of_epoch && !isnan(bar->total) &&
        is_inner(bar, memory, out->has_loss || bar->title.len > 0)) {
        out->evaluated = true;
        return;
    }
    out->in_epoch = of_epoch;
    out->step = bar->at;
    out->steps = bar->total;
    out->rate = bar->rate;
    out->left_s = of_epoch ? (double)NAN : bar->left_s;
}

/* Counts that are none: a bar that hostile text only looks like. */
static bool is_sound_bar(const struct bar *bar)
{
    return isfinite(bar->at) && bar->at >= 0 && !isinf(bar->total) && !(bar->total < 0) &&
           !isinf(bar->rate) && !(bar->rate < 0) && !isinf(bar->left_s);
}

bool style_bar(struct str line, struct line_memory *memory, struct metric_update *out)
{
    struct bar bar = {.rate = NAN, .left_s = NAN};

    if (!read_with_total(line, &bar)) {
        bar = (struct bar){.rate = NAN, .left_s = NAN};
        if (!read_without_total(line, &bar))
            return false;
    }
    if (!is_sound_bar(&bar))
        return false;
    metric_clear(out);
    switch (bar_kind(&bar)) {
    case BAR_OTHER:
        return true; /* known, and nothing to report */
    case BAR_EVALUATION:
        out->evaluated = true;
        break;
    case BAR_TRAINING:
        (void)pairs_add(bar.postfix, out);
        out->step = out->steps = out->epoch = out->epochs = NAN; /* the bar knows better */
        out->evaluated = false; /* Lightning keeps the last val_loss in its bar */
        add_training_bar(&bar, memory, out);
        break;
    }
    out->style = bar_style(&bar, out);
    return true;
}

/* ---- tables: a line of column names, then lines of numbers (fastai; CSV loggers) ---- */

/* The next cell: parted by blanks, commas or bars. Empty at the end. */
static struct str take_cell(struct str *text)
{
    struct str cell;

    while (text->len > 0 && (text->at[0] == ' ' || text->at[0] == '\t' || text->at[0] == ',' ||
                             text->at[0] == '|'))
        step_over(text, 1);
    cell = (struct str){text->at, 0};
    while (cell.len < text->len && text->at[cell.len] != ' ' && text->at[cell.len] != '\t' &&
           text->at[cell.len] != ',' && text->at[cell.len] != '|')
        cell.len++;
    step_over(text, cell.len);
    return cell;
}

/* "epoch train_loss valid_loss accuracy time": only names, a counter first, a loss among
 * them. */
static bool read_metric_head(struct str line, struct line_memory *memory)
{
    struct line_memory seen = {.columns = 0};
    bool loss = false;

    for (struct str cell = take_cell(&line); cell.len > 0; cell = take_cell(&line)) {
        char name[KEY_ROOM];
        enum key key;

        if (seen.columns == METRIC_USER || cell.len >= METRIC_NAME || !is_letter(cell.at[0]))
            return false;
        for (size_t i = 0; i < cell.len; i++) {
            if (!is_name_character(cell.at[i]) && cell.at[i] != '/' && cell.at[i] != '@')
                return false;
        }
        key = key_read(cell, name);
        if (seen.columns == 0 && key != KEY_EPOCH && key != KEY_STEP)
            return false;
        loss |= key == KEY_LOSS || key == KEY_EVAL_LOSS;
        memcpy(seen.column[seen.columns], name, METRIC_NAME - 1);
        seen.column[seen.columns][METRIC_NAME - 1] = '\0';
        seen.column_key[seen.columns++] = key;
    }
    if (!loss || seen.columns < 2)
        return false;
    memory->columns = seen.columns;
    memcpy(memory->column, seen.column, sizeof seen.column);
    memcpy(memory->column_key, seen.column_key, sizeof seen.column_key);
    return true;
}

static bool read_metric_cells(struct str line, const struct line_memory *memory,
                              struct metric_update *out)
{
    int i = 0;

    metric_clear(out);
    for (struct str cell = take_cell(&line); cell.len > 0; cell = take_cell(&line), i++) {
        double value = NAN;
        bool time = number_take_time(&cell, &value),
             none = cell.len == 4 &&
                    (memcmp(cell.at, "None", 4) == 0 || memcmp(cell.at, "#na#", 4) == 0);

        if (i == memory->columns || (!time && !none && !number_take(&cell, &value)) ||
            (!none && cell.len > 0))
            return false;
        if (!time && !none)
            update_set(out, memory->column_key[i], memory->column[i], value, NAN);
    }
    out->style = "table";
    return i == memory->columns;
}

/* "3/100  2.87G  1.2  nan  1.1  16  640: 50%|####  | 4/8 [00:01<00:01, 3.5it/s]", as
 * ultralytics prints it: a row under the names of a head, and the bar of the epoch's steps
 * behind it. */
static bool read_epoch_row(struct str line, const struct line_memory *memory,
                           struct metric_update *out)
{
    struct bar bar = {.rate = NAN, .left_s = NAN};
    struct str cell = take_cell(&line);
    double epoch, epochs, value;

    if (memory->column_key[0] != KEY_EPOCH || !number_take(&cell, &epoch) || cell.len < 2 ||
        cell.at[0] != '/')
        return false;
    step_over(&cell, 1);
    if (!number_take(&cell, &epochs) || cell.len > 0)
        return false;
    metric_clear(out);
    for (int i = 1; i < memory->columns; i++) {
        cell = take_cell(&line);
        if (str_ends(cell, STR(":")))
            cell.len--;
        if (!number_take(&cell, &value))
            return false;
        value *= number_take_scale(&cell);
        if (cell.len > 0)
            return false;
        update_set(out, memory->column_key[i], memory->column[i], value, NAN);
    }
    update_set(out, KEY_EPOCH, "epoch", epoch, epochs);
    if (read_with_total(line, &bar) && is_sound_bar(&bar)) {
        out->step = bar.at;
        out->steps = bar.total;
        out->rate = bar.rate;
        out->in_epoch = true;
    }
    out->style = "ultralytics";
    return true;
}

bool style_table(struct str line, struct line_memory *memory, struct metric_update *out)
{
    if (memory->columns > 0 &&
        (read_epoch_row(line, memory, out) || read_metric_cells(line, memory, out)))
        return true;
    metric_clear(out);
    (void)read_metric_head(line, memory);
    return false;
}
