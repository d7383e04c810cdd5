/* Dictionaries of Python and objects of JSON on one line: see metric_internal.h. */
#include <math.h>
#include <string.h>

#include "run/output/metric_internal.h"
#include "run/supervise/phase.h"

static struct dict dict_open(struct str text, bool strict)
{
    struct dict dict = {.rest = text, .strict = strict};

    skip_blanks(&dict.rest);
    if (dict.rest.len == 0 || dict.rest.at[0] != '{') {
        dict.problem = "it begins with no '{'";
    } else {
        step_over(&dict.rest, 1);
        dict.depth = 1;
    }
    return dict;
}

static bool fail(struct dict *d, const char *why)
{
    d->problem = why;
    d->depth = 0;
    return false;
}

static bool take_string(struct dict *d, struct str *out)
{
    char quote = d->rest.len > 0 ? d->rest.at[0] : ' ';
    size_t i = 1;

    if (quote != '"' && (d->strict || quote != '\''))
        return fail(d, "a name in double quotes is missing");
    while (i < d->rest.len && d->rest.at[i] != quote)
        i += d->rest.at[i] == '\\' ? 2 : 1;
    if (i >= d->rest.len)
        return fail(d, "a string has no end");
    *out = (struct str){d->rest.at + 1, i - 1};
    step_over(&d->rest, i + 1);
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
    return fail(d, "a list has no end");
}

/* true, None, ...; or "tensor(2.3, device='cuda:0')", "np.float64(2.3)": the number in it. */
static bool take_word(struct dict *d, struct dict_entry *out)
{
    static const char *const words[] = {"true", "false", "null", "True", "False", "None"};
    struct str word = {d->rest.at, 0}, inside;

    while (word.len < d->rest.len &&
           (is_word(d->rest.at[word.len]) || (word.len > 0 && d->rest.at[word.len] == '.')))
        word.len++;
    step_over(&d->rest, word.len);
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (str_eq(word, str_from(words[i])))
            return !d->strict || i < 3 || fail(d, "a word is none of true, false and null");
    }
    if (d->strict || word.len == 0 || d->rest.len == 0 || d->rest.at[0] != '(')
        return fail(d, "a value is missing");
    inside = (struct str){d->rest.at + 1, d->rest.len - 1};
    out->is_number = number_take(&inside, &out->value);
    return skip_nest(d);
}

/* The value of an entry; an inner dictionary is stepped into, and then there is none. */
static bool take_value(struct dict *d, struct dict_entry *out)
{
    char c = d->rest.len > 0 ? d->rest.at[0] : '}';
    struct str number;

    d->after_value = true;
    if (c == '{') {
        if (d->depth == DICT_DEPTH)
            return fail(d, "it is nested too deeply");
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
    return out->is_number || take_word(d, out);
}

/* Python's or JSON's, from its first brace on. Entries of inner ones come too, lists do not.
 * False at the end; `problem` says what is wrong with it. */
static bool dict_next(struct dict *d, struct dict_entry *out)
{
    while (d->depth > 0) {
        char c;

        skip_blanks(&d->rest);
        if (d->rest.len == 0)
            return fail(d, "it has no end");
        c = d->rest.at[0];
        if (c == '}') {
            d->depth--;
            d->after_value = true;
            step_over(&d->rest, 1);
            continue;
        }
        if (d->after_value) {
            if (c != ',')
                return fail(d, "a comma is missing");
            d->after_value = false;
            step_over(&d->rest, 1);
            continue;
        }
        *out = (struct dict_entry){.value = NAN, .parent = d->parents[d->depth - 1]};
        if (!take_string(d, &out->key))
            return false;
        skip_blanks(&d->rest);
        if (d->rest.len == 0 || d->rest.at[0] != ':')
            return fail(d, "a colon is missing");
        step_over(&d->rest, 1);
        skip_blanks(&d->rest);
        if (!take_value(d, out))
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

/* All its entries, told. True when any was. */
static bool dict_tell(struct dict *dict, struct metric_update *out)
{
    struct dict_entry entry;
    char name[KEY_ROOM];

    while (dict_next(dict, &entry)) {
        enum key key = entry_key(&entry, name);

        if (strcmp(name, "steps") == 0)
            key = KEY_STEPS; /* in free text it may be the step: "steps: 100 loss: 2.3" */
        if (entry.is_number) {
            update_tell(out, key, name, entry.value, NAN);
        } else if (str_eq(entry.key, STR("phase"))) {
            out->phase = phase_parse(entry.text);
        } else if (str_eq(entry.key, STR("checkpoint")) && entry.text.len > 0) {
            out->saved = true;
            out->saved_path = entry.text;
        }
    }
    return update_says(out);
}

/* "{'loss': 2.31, 'epoch': 0.52}" of Python, or a line of JSON, maybe behind a prefix or a
 * bar. */
bool style_dict(struct str line, struct line_memory *memory, struct metric_update *out)
{
    const char *brace = line.len > 0 ? memchr(line.at, '{', line.len) : NULL;
    struct metric_update bar;
    struct dict dict;
    double value;
    bool python, has_bar;

    if (brace == NULL || brace + 1 == line.at + line.len ||
        (brace[1] != '"' && brace[1] != '\''))
        return false;
    python = brace[1] == '\'';
    metric_clear(out);
    dict = dict_open((struct str){brace, line.len - (size_t)(brace - line.at)}, false);
    if (!dict_tell(&dict, out))
        return false;
    out->style = python ? "python" : "json";
    if (python && (out->told_loss || out->told_eval_loss || !isnan(out->epoch)))
        out->style = "hugging-face";
    if (metric_find(out, STR("train_runtime"), &value)) {
        out->told_loss = false; /* the mean of the whole run */
        out->loss = NAN;
    }
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

bool metric_json(struct metric_reader *reader, struct str line, struct metric_update *out,
                 struct error *err)
{
    struct dict dict = dict_open(line, true);

    metric_clear(out);
    out->style = "json";
    (void)dict_tell(&dict, out);
    if (dict.problem == NULL && str_trim(dict.rest).len > 0)
        dict.problem = "there is text behind it";
    if (dict.problem != NULL) {
        error_set(err, ERROR_INPUT, "column %zu: this is no line of JSON: %s",
                  (size_t)(dict.rest.at - line.at) + 1, dict.problem);
        error_hint(err, "write one object a line, such as {\"step\": 10, \"loss\": 2.3}");
        return false;
    }
    if (!update_says(out))
        return error_fail(err, ERROR_INPUT, "the line tells no number");
    if (reader != NULL)
        reader_settle(reader, out);
    return true;
}
