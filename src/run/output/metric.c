/* A reader of lines: what is cheap first, then each style in turn. See metric.h. */
#include "run/output/metric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/characters.h"
#include "base/json.h"
#include "base/part.h"
#include "run/output/metric_internal.h"
#include "run/output/regex.h"
#include "run/supervise/phase.h"

/* ---- cheap checks, since most lines hold no metric ---- */

#define SCAN_NAMES METRIC_USER

/* What to look for: the signs of the styles, and names that the user wants. For each of three
 * bytes in a row: the signs that it may belong to, as bits. */
struct scanner {
    uint64_t may[3][256];
    struct str names[SCAN_NAMES];
    size_t name_count;
};

/* A line of a known style has at least one of these, in either case of letters. '#' is any
 * digit, '_' at the end anything that is no letter. The fewer common words begin like one, the
 * less there is to look at twice. */
static const char *const signs[] = {
    "loss",  "epoch", "step",  "iter", "#it/s", "s/it",  "?it/s", "%|_",
    "/s]",   "/s,",   "it [",  "eval", "val_",  "valid", "acc_",  "acc@",
    "accur", "ppl_",  "perpl", "ckpt", "eckp",  "savi",  "saved", "rewar",
};

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

/* Is one of these signs at the start? The end of the text is like a blank. */
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
static bool scan_may_match(const struct scanner *scanner, struct str bytes)
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

/* ---- the user's patterns ---- */

struct user_pattern {
    char name[METRIC_NAME];
    enum key key;
    struct regex *regex;
    unsigned strikes;  /* limits reached, less the lines that went well since */
    unsigned skipping; /* lines to leave out */
    bool gave_up, reported, matched;
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

    while (len < text.len && (is_name_character(text.at[len]) || text.at[len] == '/'))
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

static bool add_user_pattern(struct user_patterns *user, struct str name, struct str pattern,
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
    str_copy(name, p->name, sizeof p->name);
    p->key = key_read(name, room);
    user->len++;
    return true;
}

static void user_close(struct user_patterns *user)
{
    for (size_t i = 0; i < user->len; i++)
        user->part->free(user->at[i].regex);
    user->len = 0;
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
            ok = add_user_pattern(user, name, pattern, arena->alloc, err);
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
    bool found = false;

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
            update_set(out, p->key, p->name, value, NAN);
        found = true;
    }
    if (found)
        out->style = "pattern";
    return found;
}

static const char *user_trouble(struct user_patterns *user)
{
    for (size_t i = 0; i < user->len; i++) {
        if (user->at[i].gave_up && !user->at[i].reported) {
            user->at[i].reported = true;
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

/* ---- dictionaries: Python's and JSON ---- */

#define DICT_DEPTH 8

struct dict_entry {
    struct str key, parent; /* of the one around it, or empty; escapes stay, but see `room` */
    struct str text;        /* of strings, likewise */
    double value;           /* NaN for strings that are no numbers: see is_number */
    bool is_number;
};

struct dict {
    struct str rest;
    bool strict;         /* JSON's strings and words only, but for NaN and Infinity */
    const char *problem; /* NULL: none */
    struct str parents[DICT_DEPTH];
    int depth;
    bool after_value; /* a comma or a brace comes next */
    char *room;       /* of JSON's texts without escapes; NULL: they stay as written */
    size_t room_left;
};

static struct dict dict_open(struct str text, bool strict)
{
    struct dict dict = {.rest = text, .strict = strict};

    skip_metric_blanks(&dict.rest);
    if (dict.rest.len == 0 || dict.rest.at[0] != '{') {
        dict.problem = "it begins with no '{'";
    } else {
        step_over(&dict.rest, 1);
        dict.depth = 1;
    }
    return dict;
}

static bool dict_fail(struct dict *d, const char *why)
{
    d->problem = why;
    d->depth = 0;
    return false;
}

static void unescape(struct dict *d, struct str *text)
{
    size_t len;

    if (d->room == NULL || text->len > d->room_left ||
        (text->len > 0 ? memchr(text->at, '\\', text->len) : NULL) == NULL)
        return;
    len = json_unescape(*text, d->room);
    *text = (struct str){d->room, len};
    d->room += len;
    d->room_left -= len;
}

static bool take_string(struct dict *d, struct str *out)
{
    char quote = d->rest.len > 0 ? d->rest.at[0] : ' ';
    size_t i = 1;

    if (quote != '"' && (d->strict || quote != '\''))
        return dict_fail(d, "a name in double quotes is missing");
    while (i < d->rest.len && d->rest.at[i] != quote)
        i += d->rest.at[i] == '\\' ? 2 : 1;
    if (i >= d->rest.len)
        return dict_fail(d, "a string has no end");
    *out = (struct str){d->rest.at + 1, i - 1};
    step_over(&d->rest, i + 1);
    unescape(d, out);
    return true;
}

/* Over a list or the arguments of a call, strings and all. */
static bool skip_nest(struct dict *d)
{
    int depth = 0;

    while (d->rest.len > 0) {
        char c = d->rest.at[0];
        struct str ignored;

        if (c == '"' || (c == '\'' && !d->strict)) {
            if (!take_string(d, &ignored))
                return false;
            continue;
        }
        depth += (c == '[' || c == '(' || c == '{') - (c == ']' || c == ')' || c == '}');
        step_over(&d->rest, 1);
        if (depth == 0)
            return true;
    }
    return dict_fail(d, "a list has no end");
}

/* true, None, ...; or "tensor(2.3, device='cuda:0')", "np.float64(2.3)": the number in it. */
static bool take_dict_word(struct dict *d, struct dict_entry *out)
{
    static const char *const words[] = {"true", "false", "null", "True", "False", "None"};
    struct str word = {d->rest.at, 0}, inside;

    while (word.len < d->rest.len && (is_name_character(d->rest.at[word.len]) ||
                                      (word.len > 0 && d->rest.at[word.len] == '.')))
        word.len++;
    step_over(&d->rest, word.len);
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (str_eq(word, str_from(words[i])))
            return !d->strict || i < 3 || dict_fail(d, "a word is not true, false or null");
    }
    if (d->strict || word.len == 0 || d->rest.len == 0 || d->rest.at[0] != '(')
        return dict_fail(d, "a value is missing");
    inside = (struct str){d->rest.at + 1, d->rest.len - 1};
    if (inside.len > 0 && (inside.at[0] == '\'' || inside.at[0] == '"'))
        step_over(&inside, 1); /* float('nan') */
    out->is_number = number_take(&inside, &out->value);
    return skip_nest(d);
}

/* The value of an entry; an inner dictionary is stepped into, and then there is none. */
static bool take_dict_value(struct dict *d, struct dict_entry *out)
{
    char c = d->rest.len > 0 ? d->rest.at[0] : '}';
    struct str number;

    d->after_value = true;
    if (c == '{') {
        if (d->depth == DICT_DEPTH)
            return dict_fail(d, "it is nested too deeply");
        d->parents[d->depth++] = out->key;
        d->after_value = false;
        step_over(&d->rest, 1);
        return true;
    }
    if (c == '[' || (c == '(' && !d->strict))
        return skip_nest(d);
    if (c == '"' || (c == '\'' && !d->strict)) {
        if (!take_string(d, &out->text))
            return false;
        number = out->text;
        out->is_number = number_take(&number, &out->value) && number.len == 0;
        return true;
    }
    out->is_number = number_take(&d->rest, &out->value);
    return out->is_number || take_dict_word(d, out);
}

/* Python's or JSON's, from its first brace on. Entries of inner ones come too, lists do not.
 * False at the end; `problem` says what is wrong with it. */
static bool dict_next(struct dict *d, struct dict_entry *out)
{
    while (d->depth > 0) {
        char c;

        skip_metric_blanks(&d->rest);
        if (d->rest.len == 0)
            return dict_fail(d, "it has no end");
        c = d->rest.at[0];
        if (c == '}') {
            d->depth--;
            d->after_value = true;
            step_over(&d->rest, 1);
            continue;
        }
        if (d->after_value) {
            if (c != ',')
                return dict_fail(d, "a comma is missing");
            d->after_value = false;
            step_over(&d->rest, 1);
            continue;
        }
        *out = (struct dict_entry){.value = NAN, .parent = d->parents[d->depth - 1]};
        if (!take_string(d, &out->key))
            return false;
        skip_metric_blanks(&d->rest);
        if (d->rest.len == 0 || d->rest.at[0] != ':')
            return dict_fail(d, "a colon is missing");
        step_over(&d->rest, 1);
        skip_metric_blanks(&d->rest);
        if (!take_dict_value(d, out))
            return false;
        if (out->is_number || out->text.at != NULL)
            return true;
    }
    return false;
}

static enum key entry_key(const struct dict_entry *entry, char *name)
{
    char both[2 * KEY_ROOM];
    struct str parent = entry->parent, key = entry->key;

    if (parent.len == 0 || parent.len >= KEY_ROOM || key.len >= KEY_ROOM)
        return key_read(key, name);
    memcpy(both, parent.at, parent.len);
    both[parent.len] = '/';
    memcpy(both + parent.len + 1, key.at, key.len);
    return key_read((struct str){both, parent.len + 1 + key.len}, name);
}

/* Rates, counts and what says nothing in output: update_set() gives them no name. Steps and
 * epochs are progress and nothing else. */
static bool lacks_name(enum key key)
{
    return key == KEY_NONE || key >= KEY_RATE;
}

/* Hugging Face ends with the mean loss of the entire run, which is not the loss at its end. */
static void drop_mean_loss(struct metric_update *out)
{
    double value;

    if (!metric_find(out, STR("train_runtime"), &value))
        return;
    out->has_loss = false;
    out->loss = NAN;
}

/* All its entries, added to the update. True when there was any. */
static bool dict_add(struct dict *dict, struct metric_update *out)
{
    struct dict_entry entry;
    char name[KEY_ROOM];

    while (dict_next(dict, &entry)) {
        enum key key = entry_key(&entry, name);

        if (strcmp(name, "steps") == 0)
            key = KEY_STEPS; /* in free text it may be the step: "steps: 100 loss: 2.3" */
        if (entry.is_number) {
            update_set(out, key, name, entry.value, NAN);
            if (dict->strict && lacks_name(key))
                update_name(out, name, entry.value);
        } else if (str_eq(entry.key, STR("phase"))) {
            out->phase = phase_parse(entry.text);
        } else if (str_eq(entry.key, STR("checkpoint")) && entry.text.len > 0) {
            out->saved = true;
            out->saved_path = entry.text;
        }
    }
    drop_mean_loss(out);
    return update_says(out);
}

/* "{'loss': 2.31, 'epoch': 0.52}" of Python, or a line of JSON, maybe behind a prefix or a
 * bar. */
static bool style_dict(struct str line, struct line_memory *memory, struct metric_update *out)
{
    const char *brace = line.len > 0 ? memchr(line.at, '{', line.len) : NULL;
    struct metric_update bar;
    struct dict dict;
    bool python, has_bar;

    if (brace == NULL || brace + 1 == line.at + line.len ||
        (brace[1] != '"' && brace[1] != '\''))
        return false;
    python = brace[1] == '\'';
    metric_clear(out);
    dict = dict_open((struct str){brace, line.len - (size_t)(brace - line.at)}, false);
    if (!dict_add(&dict, out))
        return false;
    out->style = python ? "python" : "json";
    if (python && (out->has_loss || out->has_eval_loss || !isnan(out->epoch)))
        out->style = "hugging-face";
    has_bar = isnan(out->step) && brace > line.at &&
              style_bar((struct str){line.at, (size_t)(brace - line.at)}, memory, &bar);
    if (has_bar) {
        out->step = bar.step;
        out->steps = bar.steps;
        out->rate = bar.rate;
        out->left_s = bar.left_s;
        out->in_epoch = bar.in_epoch;
    }
    return true;
}

/* ---- the reader ---- */

struct metric_reader {
    struct scanner scanner;
    struct line_memory memory;
    struct user_patterns *user;     /* NULL: none */
    struct str wanted[METRIC_USER]; /* names alone */
    char wanted_text[METRIC_USER][METRIC_NAME];
    bool wanted_seen[METRIC_USER];
    char seen[METRIC_SEEN][METRIC_NAME]; /* names that lines had, the first of them */
    size_t seen_count;
    long updates;
    double last_step; /* NaN: none yet */
    bool has_loss;    /* some line had one by a name of its own */
    bool has_error;   /* likewise a finite "mse" */
    bool has_entire;  /* some line had the entire loss */
    char clean[METRIC_LINE];
};

/* Names that the user wants: looked for in each line. */
static void want_name(struct metric_reader *reader, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        str_copy(reader->wanted[i], reader->wanted_text[i], METRIC_NAME);
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
        want_name(reader, names);
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
           reader->memory.columns > 0 || scan_may_match(&reader->scanner, bytes);
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
    if (!scan_may_match(&reader->scanner, line))
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

static void remember_names(struct metric_reader *reader, const char *name)
{
    size_t i = 0;

    while (i < reader->seen_count && strcmp(reader->seen[i], name) != 0)
        i++;
    if (i == METRIC_SEEN || i < reader->seen_count)
        return;
    (void)snprintf(reader->seen[i], METRIC_NAME, "%s", name);
    reader->seen_count++;
}

/* "--1/9" is not a count of steps. */
static void drop_negative(double *value)
{
    if (*value < 0)
        *value = NAN;
}

/* A regression that prints "step 10 mse 0.3", and no loss, minimizes that. */
static void take_error_for_loss(struct metric_reader *reader, struct metric_update *out)
{
    double value;

    reader->has_loss |= out->has_loss;
    if (reader->has_loss || out->has_eval_loss || out->evaluated ||
        (isnan(out->step) && isnan(out->epoch)) ||
        !(metric_find(out, STR("mse"), &value) || metric_find(out, STR("train_mse"), &value)))
        return;
    reader->has_error |= isfinite(value);
    if (!reader->has_error)
        return;
    out->has_loss = true;
    out->loss = value;
    out->loss_fit = 1;
}

/* Is the line's loss that of training? A part of it ("policy_loss") only where no line has the
 * entire one: that shows whether the part counts. */
static void settle_own_loss(struct metric_reader *reader, struct metric_update *out)
{
    bool entire = out->has_loss && out->loss_fit >= METRIC_LOSS_ENTIRE;

    reader->has_entire |= entire;
    out->own_loss = out->has_loss && (entire || !reader->has_entire);
}

/* A line was read, all of it: is it an evaluation's, and what names did it have? */
static void reader_settle(struct metric_reader *reader, struct metric_update *out)
{
    bool counts;
    double value;

    drop_negative(&out->step);
    drop_negative(&out->epoch);
    counts = !isnan(out->step) || !isnan(out->epoch);
    /* Many programs repeat the last val_loss in each line of training. */
    if ((out->has_loss && counts) || (!isnan(out->step) && !(out->step <= reader->last_step)))
        out->evaluated = false;
    if (!isnan(out->step))
        reader->last_step = out->step;
    take_error_for_loss(reader, out);
    settle_own_loss(reader, out);
    reader->updates++;
    for (int i = 0; i < out->named_count; i++)
        remember_names(reader, out->named[i].name);
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
    bool found;

    if (line.len > METRIC_LINE)
        line.len = METRIC_LINE;
    if (!metric_glance(reader, line))
        return false;
    line = scan_clean(line, reader->clean);
    found = read_styles(reader, line, out);
    if (!found)
        metric_clear(out);
    if (reader->user != NULL) {
        name_wanted(&reader->memory.wanted, out);
        metric_clear(&user);
        if (user_read(reader->user, line, &user)) {
            update_merge(&user, out);
            *out = user;
            found = true;
        }
    }
    if (found)
        reader_settle(reader, out);
    return found;
}

bool metric_json(struct metric_reader *reader, struct str line, struct metric_update *out,
                 struct error *err)
{
    struct dict dict = dict_open(line, true);

    if (reader != NULL) {
        dict.room = reader->clean; /* which is of lines of output */
        dict.room_left = sizeof reader->clean;
    }
    metric_clear(out);
    out->style = "json";
    (void)dict_add(&dict, out);
    if (dict.problem == NULL && str_trim(dict.rest).len > 0)
        dict.problem = "there is text behind it";
    if (dict.problem != NULL) {
        error_set(err, ERROR_INPUT, "column %zu: this is not JSON: %s",
                  (size_t)(dict.rest.at - line.at) + 1, dict.problem);
        error_hint(err, "write one object a line, such as {\"step\": 10, \"loss\": 2.3}");
        return false;
    }
    if (!update_says(out))
        return error_fail(err, ERROR_INPUT, "the line has no number with a name");
    if (reader != NULL)
        reader_settle(reader, out);
    else
        out->own_loss = out->has_loss;
    return true;
}
