/* Names and the numbers that follow them, in free text: see metric_internal.h. */
#include <math.h>
#include <string.h>

#include "run/output/metric_internal.h"

static void forget_phrase(struct pairs *p)
{
    p->phrase = (struct str){p->rest.at, 0};
    p->sign = ' ';
}

static void pass(struct pairs *p, size_t count)
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
        bool joins =
            (c == '-' || c == '.' || c == '/') && i + 1 < text.len && is_word(text.at[i + 1]);

        if (!is_word(c) && c != '@' && !joins)
            break;
        i++;
    }
    return i;
}

/* A word of letters: a new phrase, or one more word of the one that is open. */
static void take_word(struct pairs *p, size_t len)
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
    pass(p, len);
    if (foreign) { /* part of a word of other letters */
        forget_phrase(p);
        p->prose++;
    }
}

/* "(ms)" behind a word belongs to the name. */
static bool take_unit_of_name(struct pairs *p)
{
    size_t i = 1;

    while (i < p->rest.len && is_letter(p->rest.at[i]))
        i++;
    if (p->phrase.len == 0 || p->sign != ' ' || i == 1 || i > 4 || i >= p->rest.len ||
        p->rest.at[i] != ')')
        return false;
    p->phrase.len = (size_t)(p->rest.at + i + 1 - p->phrase.at);
    pass(p, i + 1);
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
    if (groups < 2 || (rest.len > 0 && (is_word(rest.at[0]) || rest.at[0] == '.')))
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

    skip_blanks(&after);
    if (after.len == 0 || after.at[0] != '/')
        return NAN;
    step_over(&after, 1);
    skip_blanks(&after);
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

    if (is_word(p->before))
        return false;
    if (c == '-' || c == '+')
        return is_digit(next) || next == '.' || next == 'i' || next == 'n';
    return is_digit(c) || (c == '.' && is_digit(next));
}

/* The number here, with all that belongs to it. True when it is a pair. */
static bool take_number(struct pairs *p, struct pair *out)
{
    struct str rest = p->rest;
    bool named = p->phrase.len > 0;

    *out = (struct pair){.key = KEY_OTHER, .total = NAN, .sign = p->sign};
    out->is_time = number_take_time(&rest, &out->value);
    if (!out->is_time && !(p->brackets == 0 && take_grouped(&rest, &out->value)) &&
        !number_take(&rest, &out->value)) {
        pass(p, 1);
        forget_phrase(p);
        return false;
    }
    out->value *= number_take_scale(&rest);
    out->total = take_total(&rest);
    out->unit = take_unit(&rest);
    if (named)
        out->key = key_read(p->phrase, out->name);
    pass(p, (size_t)(rest.at - p->rest.at));
    forget_phrase(p);
    /* "10.0.0.1", "3a7f", "2024-01-02": something else. */
    if (rest.len > 0 &&
        (is_word(rest.at[0]) ||
         (rest.len > 1 && (rest.at[0] == '.' || rest.at[0] == '-') && is_digit(rest.at[1])))) {
        size_t junk = word_length(rest);

        pass(p, junk > 0 ? junk : 1);
        return false;
    }
    return named ? out->key != KEY_NONE : !isnan(out->total);
}

/* A number here, or "nan" and "inf" where a value may stand. */
static bool value_starts(const struct pairs *p)
{
    struct str rest = p->rest;
    double value;

    if (number_starts(p))
        return true;
    return p->phrase.len > 0 && is_letter(rest.at[0]) && !is_word(p->before) &&
           number_take(&rest, &value);
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
    pass(p, is_word(c) ? word_length(p->rest) : 1); /* a word that begins with digits: "3a" */
}

bool pairs_next(struct pairs *p, struct pair *out)
{
    while (p->rest.len > 0) {
        char c = p->rest.at[0];

        if (value_starts(p)) {
            if (take_number(p, out))
                return true;
        } else if (is_letter(c) || c == '_') {
            take_word(p, word_length(p->rest));
        } else if (c != '(' || !take_unit_of_name(p)) {
            pass_sign(p);
        }
    }
    return false;
}
