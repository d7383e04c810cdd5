#include "base/characters.h"
#include "base/json_internal.h"

static bool is_word_byte(char c)
{
    return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '.' || c == '-' ||
           c == '+' || c == '_';
}

const char *json_word_end(const char *at, const char *end)
{
    while (at < end && is_word_byte(*at))
        at++;
    return at;
}

static int hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The unit of "\uXXXX" at `at`; -1 when it is no such thing; -2 when `end` comes too soon. */
static long escaped_unit(const char *at, const char *end)
{
    long unit = 0;

    for (int i = 0; i < 6; i++) {
        int digit;

        if (at + i == end)
            return -2;
        if (i < 2) {
            if (at[i] != "\\u"[i])
                return -1;
            continue;
        }
        digit = hex_digit(at[i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

static bool is_high(long unit)
{
    return unit >= 0xd800 && unit < 0xdc00;
}

static bool is_low(long unit)
{
    return unit >= 0xdc00 && unit < 0xe000;
}

struct json_piece json_escape(const char *at, const char *end)
{
    static const char lone[] = "half of a surrogate pair";
    long unit, low;

    if (end - at < 2)
        return (struct json_piece){0};
    if (at[1] != 'u') {
        if (at[1] != '\0' && strchr("\"\\/bfnrt", at[1]) != NULL)
            return (struct json_piece){.len = 2};
        return (struct json_piece){.fault = "unknown escape in a string"};
    }
    unit = escaped_unit(at, end);
    if (unit == -2)
        return (struct json_piece){0};
    if (unit < 0)
        return (struct json_piece){.fault = "expected four hexadecimal digits after '\\u'"};
    if (is_low(unit))
        return (struct json_piece){.fault = lone};
    if (!is_high(unit))
        return (struct json_piece){.len = 6};
    low = escaped_unit(at + 6, end);
    if (low == -2)
        return (struct json_piece){0};
    if (!is_low(low))
        return (struct json_piece){.fault = lone};
    return (struct json_piece){.len = 12};
}

struct json_piece json_utf8(const char *at, const char *end)
{
    const char *start = at;

    while (at < end && (unsigned char)*at >= 0x80) {
        size_t len = str_character((struct str){at, (size_t)(end - at)});

        if (len == 0 && at == start)
            return (struct json_piece){.fault = "invalid UTF-8 in a string"};
        if (len == 0 || len == SIZE_MAX)
            break; /* what came before is good: the next call starts just here */
        at += len;
    }
    return (struct json_piece){.len = (size_t)(at - start)};
}

static char *put_utf8(char *to, unsigned long c)
{
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
    } else {
        if (c < 0x10000) {
            *to++ = (char)(0xe0 | c >> 12);
        } else {
            *to++ = (char)(0xf0 | c >> 18);
            *to++ = (char)(0x80 | (c >> 12 & 0x3f));
        }
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
    }
    *to++ = (char)(0x80 | (c & 0x3f));
    return to;
}

static char escaped_byte(char letter)
{
    switch (letter) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default: /* a quote, a backslash or a slash stands for itself */
        return letter;
    }
}

size_t json_decode(struct str raw, char *to)
{
    const char *at = raw.at, *end = raw.at + raw.len;
    char *start = to;

    while (at < end) {
        const char *stop = memchr(at, '\\', (size_t)(end - at));
        size_t run = (size_t)((stop != NULL ? stop : end) - at);
        long unit;

        memcpy(to, at, run);
        to += run;
        at += run;
        if (at == end)
            break;
        if (at[1] != 'u') {
            *to++ = escaped_byte(at[1]);
            at += 2;
            continue;
        }
        unit = escaped_unit(at, end);
        at += 6;
        if (is_high(unit)) {
            unit = 0x10000 + ((unit - 0xd800) << 10) + (escaped_unit(at, end) - 0xdc00);
            at += 6;
        }
        to = put_utf8(to, (unsigned long)unit);
    }
    return (size_t)(to - start);
}

/* The digits at `*at`: steps over them and says whether there were any. */
static bool take_digits(const char **at, const char *end)
{
    const char *start = *at;

    while (*at < end && is_digit(**at))
        ++*at;
    return *at > start;
}

static bool json_number(struct str text)
{
    const char *at = text.at, *end = text.at + text.len;

    if (at < end && *at == '-')
        at++;
    if (at < end && *at == '0')
        at++; /* nothing but a point or an exponent may follow */
    else if (!take_digits(&at, end))
        return false;
    if (at < end && *at == '.') {
        at++;
        if (!take_digits(&at, end))
            return false;
    }
    if (at < end && (*at | 0x20) == 'e') {
        at++;
        if (at < end && (*at == '+' || *at == '-'))
            at++;
        if (!take_digits(&at, end))
            return false;
    }
    return at == end;
}

enum json_kind json_word_kind(struct str word, bool number)
{
    if (number)
        return json_number(word) ? JSON_NUMBER : JSON_END;
    if (str_eq(word, STR("true")))
        return JSON_TRUE;
    if (str_eq(word, STR("false")))
        return JSON_FALSE;
    return str_eq(word, STR("null")) ? JSON_NULL : JSON_END;
}
