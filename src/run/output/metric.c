/* A reader of lines: what is cheap first, then each style in turn. See metric.h. */
#include "run/output/metric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/characters.h"
#include "base/part.h"
#include "run/output/metric_internal.h"
#include "run/output/regex.h"

/* ---- cheap checks, since most lines hold no metric ---- */

/* A line of a known style has at least one of these, in either case of letters. '#' is any
 * digit, '_' at the end anything that is no letter. The fewer common words begin like one, the
 * less there is to look at twice. */
static const char *const signs[] = {
    "loss",  "epoch", "step",  "iter", "#it/s", "s/it",  "?it/s", "%|_",
    "/s]",   "/s,",   "it [",  "eval", "val_",  "valid", "acc_",  "acc@",
    "accur", "ppl_",  "perpl", "ckpt", "eckp",  "savi",  "saved", "rewar",
};

static void user_close(struct user_patterns *user);

static bool byte_fits(const char *sign, size_t at, char byte)
{
    char c = sign[at];

    if (is_letter(c))
        return (byte | 0x20) == c;
    if (c == '#')
        return is_digit(byte);
    if (c == '_' && sign[at + 1] == '\0')
        return !is_letter(byte);
    return byte == c;
}

static void scan_prepare(struct scanner *scanner)
{
    *scanner = (struct scanner){.name_count = 0};
    for (size_t i = 0; i < ARRAY_LEN(signs); i++) {
        for (size_t at = 0; at < 3; at++) {
            for (unsigned byte = 0; byte < 256; byte++) {
                if (byte_fits(signs[i], at, (char)byte))
                    scanner->may[at][byte] |= UINT64_C(1) << i;
            }
        }
    }
}

/* One more to look for; it must outlive the scanner. */
static void scan_add(struct scanner *scanner, struct str name)
{
    uint64_t bit = UINT64_C(1) << (ARRAY_LEN(signs) + scanner->name_count);

    if (scanner->name_count == SCAN_NAMES)
        return;
    for (size_t at = 0; at < 3; at++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            if (at >= name.len || to_lower((char)byte) == to_lower(name.at[at]))
                scanner->may[at][byte] |= bit;
        }
    }
    scanner->names[scanner->name_count++] = name;
}

/* Does one of these signs stand at the start? The end of the text is like a blank. */
static bool sign_starts(const struct scanner *scanner, struct str text, uint64_t which)
{
    for (size_t i = 0; which != 0; i++, which >>= 1) {
        const char *sign = i < ARRAY_LEN(signs) ? signs[i] : "";
        size_t at = 0;

        if ((which & 1) == 0)
            continue;
        if (i >= ARRAY_LEN(signs)) {
            struct str name = scanner->names[i - ARRAY_LEN(signs)];

            if (text.len >= name.len && str_eq_nocase((struct str){text.at, name.len}, name))
                return true;
            continue;
        }
        while (sign[at] != '\0' && byte_fits(sign, at, at < text.len ? text.at[at] : ' '))
            at++;
        if (sign[at] == '\0')
            return true;
    }
    return false;
}

/* Do these bytes hold any word, or any pair of signs, that a known style must have? */
static bool scan_may_tell(const struct scanner *scanner, struct str bytes)
{
    const uint8_t *at = (const uint8_t *)bytes.at;
    const uint64_t *a = scanner->may[0], *b = scanner->may[1], *c = scanner->may[2];

    for (size_t i = 0; i + 1 < bytes.len; i++) {
        uint64_t which = a[at[i]] & b[at[i + 1]];

        if (which == 0)
            continue;
        which &= c[i + 2 < bytes.len ? at[i + 2] : ' '];
        if (which != 0 &&
            sign_starts(scanner, (struct str){bytes.at + i, bytes.len - i}, which))
            return true;
    }
    return false;
}

/* Bytes of the escape sequence at the start of `text`, which starts with ESC. */
static size_t escape_length(struct str text)
{
    size_t i = 2;

    if (text.len < 2)
        return text.len;
    if (text.at[1] == '[') { /* parameters, then a letter or the like */
        while (i < text.len && text.at[i] >= 0x20 && text.at[i] < 0x40)
            i++;
        return i < text.len ? i + 1 : i;
    }
    if (text.at[1] == ']') { /* a title or a link: until BEL or ESC \ */
        while (i < text.len && text.at[i] != '\a' && text.at[i] != '\033')
            i++;
        return i < text.len && text.at[i] == '\a' ? i + 1 : i;
    }
    return 2;
}

/* `line` without escape sequences, after its last carriage return, each byte that is not ASCII
 * as '~'. At most METRIC_LINE bytes go to `to`. */
static struct str scan_clean(struct str line, char *to)
{
    size_t len = 0;

    if (line.len > METRIC_LINE)
        line.len = METRIC_LINE;
    while (line.len > 0) {
        char c = line.at[0];
        size_t take = 1;

        if (c == '\033')
            take = escape_length(line);
        else if (c == '\r')
            len = line.len > 1 ? 0 : len; /* what follows is written over what was */
        else if ((unsigned char)c >= 0x80)
            to[len++] = '~';
        else if (c == '\t' || (c >= ' ' && c != 0x7f))
            to[len++] = c;
        step_over(&line, take);
    }
    return (struct str){to, len};
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

static void update_merge(struct metric_update *out, const struct metric_update *more)
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

/* ---- the user's patterns ---- */

struct user_pattern {
    char name[METRIC_NAME];
    enum key key;
    struct regex *regex;
    unsigned strikes;  /* limits reached, less the lines that went well since */
    unsigned skipping; /* lines to leave out */
    bool gave_up, said, matched;
};

#define STRIKES_MOST 12 /* leaves out 4096 lines */

struct user_patterns {
    const struct regex_part *part;
    struct user_pattern at[METRIC_USER];
    size_t len;
};

/* Parts a definition into its name and its pattern, which is empty for a name alone. */
static bool part_definition(struct str text, struct str *name, struct str *pattern,
                            struct error *err)
{
    size_t len = 0;

    while (len < text.len && (is_word(text.at[len]) || text.at[len] == '/'))
        len++;
    *name = (struct str){text.at, len};
    *pattern = text;
    if (len == 0 || len >= METRIC_NAME) {
        error_set(err, ERROR_USAGE, "the metric '%.*s' %s", STR_ARG(text),
                  len == 0 ? "begins with no name" : "has too long a name");
        error_hint(err, "write NAME=/PATTERN/, such as val_acc=/acc: ([0-9.]+)/");
        return false;
    }
    if (len == text.len)
        pattern->len = 0;
    else if (text.len > len + 2 && text.at[len] == '=' && text.at[len + 1] == '/' &&
             text.at[text.len - 1] == '/')
        *pattern = (struct str){text.at + len + 2, text.len - len - 3};
    return true;
}

static bool add_pattern(struct user_patterns *user, struct str name, struct str pattern,
                        const struct alloc *alloc, struct error *err)
{
    struct user_pattern *p = &user->at[user->len];
    char room[KEY_ROOM];

    if (user->part == NULL)
        user->part = part_open("regex", REGEX_PART_VERSION, err);
    if (user->part == NULL)
        return false;
    p->regex = user->part->compile(pattern, alloc, err);
    if (p->regex == NULL)
        return false;
    (void)snprintf(p->name, sizeof p->name, "%.*s", STR_ARG(name));
    p->key = key_read(name, room);
    user->len++;
    return true;
}

/* Definitions without a pattern are names alone: they go to `names` (METRIC_USER of them). */
static struct user_patterns *user_open(struct strs definitions, struct arena *arena,
                                       struct str *names, size_t *name_count, struct error *err)
{
    struct user_patterns *user = arena_array(arena, struct user_patterns, 1, err);

    *name_count = 0;
    if (user == NULL)
        return NULL;
    if (definitions.len > METRIC_USER) {
        error_set(err, ERROR_USAGE, "there are more than %d metrics", METRIC_USER);
        return NULL;
    }
    for (size_t i = 0; i < definitions.len; i++) {
        struct str name, pattern;
        bool ok = part_definition(definitions.at[i], &name, &pattern, err);

        if (ok && pattern.len > 0)
            ok = add_pattern(user, name, pattern, arena->alloc, err);
        else if (ok)
            names[(*name_count)++] = name;
        if (!ok) {
            user_close(user);
            return NULL;
        }
    }
    return user;
}

static bool user_has_patterns(const struct user_patterns *user)
{
    return user->len > 0;
}

static void user_close(struct user_patterns *user)
{
    for (size_t i = 0; i < user->len; i++)
        user->part->free(user->at[i].regex);
    user->len = 0;
}

/* A line on which a limit was reached cost about a millisecond. The more often it happens, the
 * more lines are left out, so that a bad pattern costs little whatever is printed. */
static bool match_line(const struct regex_part *part, struct user_pattern *p, struct str line,
                       struct str *group)
{
    enum regex_result result;

    if (p->skipping > 0) {
        p->skipping--;
        return false;
    }
    result = part->match(p->regex, line, group);
    if (result == REGEX_GAVE_UP) {
        p->gave_up = true;
        p->strikes += p->strikes < STRIKES_MOST;
        p->skipping = (1U << p->strikes) - 1;
    } else if (p->strikes > 0) {
        p->strikes--;
    }
    if (result == REGEX_YES)
        *group = str_trim(*group);
    return result == REGEX_YES;
}

static bool user_read(struct user_patterns *user, struct str line, struct metric_update *out)
{
    bool told = false;

    for (size_t i = 0; i < user->len; i++) {
        struct user_pattern *p = &user->at[i];
        struct str group;
        double value;

        if (!match_line(user->part, p, line, &group) || !number_take(&group, &value))
            continue;
        p->matched = true;
        value *= number_take_scale(&group);
        update_name(out, p->name, value);
        if (p->key != KEY_OTHER && p->key != KEY_METRIC)
            update_tell(out, p->key, p->name, value, NAN);
        told = true;
    }
    if (told)
        out->style = "pattern";
    return told;
}

static const char *user_trouble(struct user_patterns *user)
{
    for (size_t i = 0; i < user->len; i++) {
        if (user->at[i].gave_up && !user->at[i].said) {
            user->at[i].said = true;
            return user->at[i].name;
        }
    }
    return NULL;
}

/* The names of those that have matched no line yet; at most `room`. How many. */
static size_t user_unmatched(const struct user_patterns *user, const char **names, size_t room)
{
    size_t count = 0;

    for (size_t i = 0; i < user->len && count < room; i++)
        if (!user->at[i].matched)
            names[count++] = user->at[i].name;
    return count;
}

/* ---- the reader ---- */

struct metric_reader {
    struct scanner scanner;
    struct line_memory memory;
    struct user_patterns *user;     /* NULL: none */
    struct str wanted[METRIC_USER]; /* names alone */
    char wanted_text[METRIC_USER][METRIC_NAME];
    bool wanted_seen[METRIC_USER];
    char seen[METRIC_SEEN][METRIC_NAME]; /* names that lines told, the first of them */
    size_t seen_count;
    long updates;
    double last_step; /* NaN: none yet */
    char clean[METRIC_LINE];
};

/* Names that the user wants: looked for in each line. */
static void want(struct metric_reader *reader, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(reader->wanted_text[i], METRIC_NAME, "%.*s", STR_ARG(reader->wanted[i]));
        reader->wanted[i] = str_from(reader->wanted_text[i]);
        scan_add(&reader->scanner, reader->wanted[i]);
    }
    reader->memory.wanted = (struct strs){reader->wanted, count};
}

struct metric_reader *metric_open(struct strs patterns, struct arena *arena, struct error *err)
{
    struct metric_reader *reader = arena_array(arena, struct metric_reader, 1, err);

    if (reader == NULL)
        return NULL;
    scan_prepare(&reader->scanner);
    reader->memory.bar_at = reader->memory.bar_total = NAN;
    reader->memory.epoch = reader->memory.epochs = NAN;
    reader->last_step = NAN;
    if (patterns.len > 0) {
        size_t names;

        reader->user = user_open(patterns, arena, reader->wanted, &names, err);
        if (reader->user == NULL)
            return NULL;
        want(reader, names);
    }
    return reader;
}

void metric_close(struct metric_reader *reader)
{
    if (reader != NULL && reader->user != NULL)
        user_close(reader->user);
}

const char *metric_trouble(struct metric_reader *reader)
{
    return reader->user != NULL ? user_trouble(reader->user) : NULL;
}

bool metric_glance(const struct metric_reader *reader, struct str bytes)
{
    return (reader->user != NULL && user_has_patterns(reader->user)) ||
           reader->memory.columns > 0 || scan_may_tell(&reader->scanner, bytes);
}

bool metric_allows(struct metric_allowance *a, instant now)
{
    double passed = (double)(now.ns - a->at.ns) / 1e9;

    if (!a->begun || passed < 0)
        a->lines = METRIC_A_SECOND;
    else
        a->lines = fmin(a->lines + passed * METRIC_A_SECOND, METRIC_A_SECOND);
    a->begun = true;
    a->at = now;
    if (a->lines < 1)
        return false;
    a->lines -= 1;
    return true;
}

static bool read_styles(struct metric_reader *reader, struct str line,
                        struct metric_update *out)
{
    struct line_memory *memory = &reader->memory;

    if (style_table(line, memory, out))
        return true;
    if (!scan_may_tell(&reader->scanner, line))
        return false;
    if (style_dict(line, memory, out))
        return true;
    if (style_bar(line, memory, out))
        return update_says(out);
    if (style_words(line, out))
        return true;
    return style_pairs(line, memory, out);
}

/* A wanted name that the line has as the end of a longer one: "mean_reward" for "reward". */
static void name_wanted(const struct strs *wanted, struct metric_update *out)
{
    for (size_t i = 0; i < wanted->len; i++) {
        double value;
        int found = 0;

        if (metric_find(out, wanted->at[i], &value))
            continue;
        while (found < out->named_count &&
               !key_ends_with(str_from(out->named[found].name), wanted->at[i]))
            found++;
        if (found < out->named_count)
            update_name(out, wanted->at[i].at, out->named[found].value);
    }
}

static void remember(struct metric_reader *reader, const char *name)
{
    size_t i = 0;

    while (i < reader->seen_count && strcmp(reader->seen[i], name) != 0)
        i++;
    if (i == METRIC_SEEN || i < reader->seen_count)
        return;
    (void)snprintf(reader->seen[i], METRIC_NAME, "%s", name);
    reader->seen_count++;
}

/* "--1/9" is no count of steps. */
static void drop_negative(double *value)
{
    if (*value < 0)
        *value = NAN;
}

void reader_settle(struct metric_reader *reader, struct metric_update *out)
{
    bool counts;
    double value;

    drop_negative(&out->step);
    drop_negative(&out->epoch);
    counts = !isnan(out->step) || !isnan(out->epoch);
    /* Many programs repeat the last val_loss in each line of training. */
    if ((out->told_loss && counts) || (!isnan(out->step) && !(out->step <= reader->last_step)))
        out->evaluated = false;
    if (!isnan(out->step))
        reader->last_step = out->step;
    reader->updates++;
    for (int i = 0; i < out->named_count; i++)
        remember(reader, out->named[i].name);
    for (size_t i = 0; i < reader->memory.wanted.len; i++)
        reader->wanted_seen[i] =
            reader->wanted_seen[i] || metric_find(out, reader->wanted[i], &value);
}

long metric_updates(const struct metric_reader *reader)
{
    return reader->updates;
}

bool metric_missing(const struct metric_reader *reader, struct str name)
{
    for (size_t i = 0; i < reader->memory.wanted.len; i++)
        if (!reader->wanted_seen[i] && str_eq(reader->wanted[i], name))
            return true;
    return false;
}

size_t metric_unmatched(const struct metric_reader *reader,
                        const char *names[static METRIC_USER])
{
    return reader->user != NULL ? user_unmatched(reader->user, names, METRIC_USER) : 0;
}

void metric_seen(const struct metric_reader *reader, struct buf *out)
{
    for (size_t i = 0; i < reader->seen_count; i++)
        buf_addf(out, "%s%s", i > 0 ? ", " : "", reader->seen[i]);
    if (reader->seen_count == METRIC_SEEN)
        buf_adds(out, ", ...");
}

bool metric_line(struct metric_reader *reader, struct str line, struct metric_update *out)
{
    struct metric_update user;
    bool told;

    if (line.len > METRIC_LINE)
        line.len = METRIC_LINE;
    if (!metric_glance(reader, line))
        return false;
    line = scan_clean(line, reader->clean);
    told = read_styles(reader, line, out);
    if (!told)
        metric_clear(out);
    if (reader->user != NULL) {
        name_wanted(&reader->memory.wanted, out);
        metric_clear(&user);
        if (user_read(reader->user, line, &user)) {
            update_merge(&user, out);
            *out = user;
            told = true;
        }
    }
    if (told)
        reader_settle(reader, out);
    return told;
}
