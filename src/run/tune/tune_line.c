/* What a line of a benchmark says of its speed, and of memory. Pure.
 *
 * metric.h reads lines of training, and doubts those that are not of it; here a line that holds
 * nothing but "812.5 images/sec" is what was asked for. */
#include <math.h>

#include "base/characters.h"
#include "base/num.h"
#include "run/tune/tune.h"

static bool any_in(struct str line, const char *const *words)
{
    for (; *words != NULL; words++)
        if (str_has_nocase(line, str_from(*words)))
            return true;
    return false;
}

bool tune_says_memory(struct str line)
{
    static const char *const words[] = {"out of memory",
                                        "OutOfMemory",
                                        "RESOURCE_EXHAUSTED",
                                        "MemoryError",
                                        "std::bad_alloc",
                                        "ERROR_OUT_OF_MEMORY",
                                        "ErrorMemoryAllocation",
                                        "STATUS_ALLOC_FAILED",
                                        "Cannot allocate memory",
                                        "can't allocate memory",
                                        "Unable to allocate",
                                        "OOM when allocating",
                                        NULL};

    return any_in(line, words);
}

/* Does `s` start with one of these words, case ignored? Its length; 0. */
static size_t starts(struct str s, const char *const *words)
{
    for (; *words != NULL; words++) {
        struct str word = str_from(*words);

        if (s.len >= word.len && str_eq_nocase((struct str){s.at, word.len}, word))
            return word.len;
    }
    return 0;
}

static struct str from(struct str s, size_t at)
{
    return (struct str){s.at + at, s.len - at};
}

static bool is_word(char c)
{
    return is_letter(c) || c == '_';
}

static bool is_number(char c)
{
    return is_digit(c) || c == '.' || c == ',';
}

/* "samples/s", "images per second", "img/sec": how long it is; 0 when it is none. */
static size_t unit_at(struct str s)
{
    static const char *const things[] = {
        "samples", "sample",   "images",  "image",     "imgs",  "img",  "sequences", "seqs",
        "seq",     "examples", "example", "sentences", "items", "rows", "frames",    NULL};
    static const char *const per[] = {"/", " / ", "_per_", " per ", "-per-", NULL};
    static const char *const seconds[] = {"seconds", "second", "secs", "sec", "s", NULL};
    size_t thing = starts(s, things), link, time;

    link = thing > 0 ? starts(from(s, thing), per) : 0;
    time = link > 0 ? starts(from(s, thing + link), seconds) : 0;
    if (time == 0 || (s.len > thing + link + time && is_word(s.at[thing + link + time])))
        return 0;
    return thing + link + time;
}

/* The number in these bytes, with or without commas between thousands; NaN. */
static double number(struct str text)
{
    char plain[32];
    size_t len = 0;
    double value;

    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == ',')
            continue;
        if (len == sizeof plain)
            return NAN;
        plain[len++] = text.at[i];
    }
    if (len > 0 && plain[len - 1] == '.') /* the end of a sentence */
        len--;
    return len > 0 && num_double((struct str){plain, len}, &value) ? value : NAN;
}

static double number_before(struct str line, size_t at)
{
    size_t end = at, begin;

    while (end > 0 && line.at[end - 1] == ' ')
        end--;
    for (begin = end; begin > 0 && is_number(line.at[begin - 1]);)
        begin--;
    return number((struct str){line.at + begin, end - begin});
}

static double number_after(struct str line, size_t at)
{
    size_t end;

    while (at < line.len && (line.at[at] == ' ' || line.at[at] == ':' || line.at[at] == '=' ||
                             line.at[at] == '"' || line.at[at] == '\''))
        at++;
    for (end = at; end < line.len && is_number(line.at[end]);)
        end++;
    return number((struct str){line.at + at, end - at});
}

double tune_says_rate(struct str line)
{
    for (size_t i = 0; i < line.len; i++) {
        size_t unit = i == 0 || !is_word(line.at[i - 1]) ? unit_at(from(line, i)) : 0;
        double value;

        if (unit == 0)
            continue;
        value = number_before(line, i);
        if (isnan(value))
            value = number_after(line, i + unit);
        if (!isnan(value))
            return value;
        i += unit - 1;
    }
    return NAN;
}
