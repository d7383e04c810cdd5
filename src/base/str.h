/* str.h - text owned by someone else: a pointer and a length.
 *
 * Parsers take slices, not files and not NUL-terminated strings, so that each can be tested
 * and fuzzed from memory and none of them copies.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/attr.h"

struct str {
    const char *at;
    size_t len;
};

#define STR(literal) ((struct str){(literal), sizeof(literal) - 1})

/* For printf: "%.*s", STR_ARG(s). Values quoted in messages are cut at 80 bytes. */
#define STR_ARG(s) ((s).len > 80 ? 80 : (int)(s).len), ((s).len > 0 ? (s).at : "")

struct str str_from(const char *text); /* NULL is empty */
bool str_eq(struct str a, struct str b);
bool str_eq_nocase(struct str a, struct str b); /* ASCII letters only */
int str_cmp(struct str a, struct str b);        /* as memcmp; a prefix comes first */
bool str_starts(struct str s, struct str head);
bool str_ends(struct str s, struct str tail);
bool str_has_nocase(struct str s, struct str part); /* somewhere in it; ASCII letters only */
struct str str_trim(struct str s); /* without blanks, tabs and CRs at both ends */

/* Take from `*rest` what is before the first `sep`, and step over it; without one, take
 * all. */
struct str str_cut(struct str *rest, char sep);

/* Step over `c` if `*rest` begins with it. */
bool str_take(struct str *rest, char c);

/* What follows the last `sep`; without one, all of it. */
struct str str_after_last(struct str s, char sep);

/* Is it one of these words; is one of them somewhere in it (in either case of ASCII letters)?
 * The list ends with NULL. */
bool str_is_one_of(struct str s, const char *const *words);
bool str_has_any(struct str s, const char *const *words);

/* Copy it with a NUL, cut where it does not fit: for texts of a fixed size. Unlike STR_ARG,
 * which is for messages, it cuts nothing else. */
void str_copy(struct str s, char *to, size_t room);

/* Bytes of the UTF-8 character that `s` starts with: 0 when it is none (overlong forms, halves
 * of UTF-16 pairs and what is past U+10FFFF are none), SIZE_MAX when `s` ends inside it. */
size_t str_character(struct str s);

/* How many bytes at the start of `s` must not reach a terminal: a control character (of ASCII,
 * or of Latin-1 in UTF-8), a character that is not seen but changes how others are (text from
 * right to left, spaces without width, tags), or a byte that is no UTF-8. 0 when it starts with
 * a good character. Code that prints text from a file shows a '?' in their place. */
size_t str_unsafe(struct str s);

/* The character that `s` starts with, which must be one of `len` bytes by str_character(). */
uint32_t str_code(struct str s, size_t len);

/* Does `s` match the shell pattern `glob`? `*` is any text, `?` any one byte; ASCII case is
 * ignored. Never takes more than len(s) x len(glob) steps. */
bool str_glob(struct str s, struct str glob);

/* A NUL-terminated copy, or NULL with the error set. */
char *str_dup(struct str s, struct arena *arena, struct error *err) MUST_USE;

/* The same as a str. */
bool str_keep(struct str s, struct arena *arena, struct str *out, struct error *err) MUST_USE;

/* Edits (add, drop, change, swap a letter; case ignored) that turn `a` into `b`, or a number
 * above `limit` when it takes more or when either is longer than 64 bytes. */
unsigned str_distance(struct str a, struct str b, unsigned limit);

/* Choose, one candidate at a time, the one most like `wanted`. `best` stays empty when none is
 * near enough to be what a person meant. */
struct suggestion {
    struct str wanted, best;
    unsigned distance;
};

void suggestion_try(struct suggestion *s, struct str candidate);

/* Make it the hint: "did you mean 'H100'?". False, and no hint, when there is none. */
bool suggestion_hint(const struct suggestion *s, struct error *err);

#endif
