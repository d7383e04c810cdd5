/* characters.h - kinds of ASCII characters, whatever the locale.
 *
 * <ctype.h> depends on the locale and must not be called with a negative char. These functions
 * take any char; a byte of a character outside ASCII is neither a digit nor a letter.
 */
#ifndef BASE_CHARACTERS_H
#define BASE_CHARACTERS_H

#include <stdbool.h>

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static inline bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool is_letter(char c)
{
    return is_lower(c) || is_upper(c);
}

static inline bool is_letter_or_digit(char c)
{
    return is_letter(c) || is_digit(c);
}

/* Of a name in a program: a first letter, and those after it. */
static inline bool is_name_start(char c)
{
    return is_letter(c) || c == '_';
}

static inline bool is_name_character(char c)
{
    return is_letter_or_digit(c) || c == '_';
}

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline char to_lower(char c)
{
    return is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

static inline char to_upper(char c)
{
    return is_lower(c) ? (char)(c - 'a' + 'A') : c;
}

#endif
