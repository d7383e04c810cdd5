#include "base/str.h"

#include <string.h>

#include "base/characters.h"

struct str str_from(const char *text)
{
    return (struct str){text, text != NULL ? strlen(text) : 0};
}

bool str_eq(struct str a, struct str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

bool str_eq_nocase(struct str a, struct str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (to_lower(a.at[i]) != to_lower(b.at[i]))
            return false;
    return true;
}

int str_cmp(struct str a, struct str b)
{
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common > 0 ? memcmp(a.at, b.at, common) : 0;

    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

bool str_starts(struct str s, struct str head)
{
    return s.len >= head.len && str_eq((struct str){s.at, head.len}, head);
}

bool str_ends(struct str s, struct str tail)
{
    if (tail.len == 0 || s.len < tail.len)
        return tail.len == 0;
    return str_eq((struct str){s.at + (s.len - tail.len), tail.len}, tail);
}

static bool is_blank_char(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool str_has_nocase(struct str s, struct str part)
{
    for (; s.len >= part.len; s.at++, s.len--)
        if (str_eq_nocase((struct str){s.at, part.len}, part))
            return true;
    return false;
}

bool str_has_any(struct str s, const char *const *words)
{
    for (; *words != NULL; words++)
        if (str_has_nocase(s, str_from(*words)))
            return true;
    return false;
}

struct str str_trim(struct str s)
{
    while (s.len > 0 && is_blank_char(s.at[0])) {
        s.at++;
        s.len--;
    }
    while (s.len > 0 && is_blank_char(s.at[s.len - 1]))
        s.len--;
    return s;
}

struct str str_cut(struct str *rest, char sep)
{
    const char *hit = rest->len > 0 ? memchr(rest->at, sep, rest->len) : NULL;
    struct str head = *rest;

    if (hit == NULL) {
        *rest = (struct str){0};
        return head;
    }
    head.len = (size_t)(hit - rest->at);
    rest->at = hit + 1;
    rest->len -= head.len + 1;
    return head;
}

bool str_take(struct str *rest, char c)
{
    if (rest->len == 0 || rest->at[0] != c)
        return false;
    rest->at++;
    rest->len--;
    return true;
}

struct str str_after_last(struct str s, char sep)
{
    const char *last = s.len > 0 ? memrchr(s.at, sep, s.len) : NULL;

    return last == NULL ? s : (struct str){last + 1, (size_t)(s.at + s.len - last - 1)};
}

bool str_is_one_of(struct str s, const char *const *words)
{
    for (; *words != NULL; words++)
        if (str_eq(s, str_from(*words)))
            return true;
    return false;
}

void str_copy(struct str s, char *to, size_t room)
{
    size_t len = s.len < room ? s.len : room - 1;

    if (len > 0)
        memcpy(to, s.at, len);
    to[len] = '\0';
}

/* How long the character is that starts with this byte, and what the byte after it may be. */
static size_t utf8_form(unsigned char lead, unsigned char *low, unsigned char *high)
{
    *low = 0x80;
    *high = 0xbf;
    if (lead < 0x80)
        return 1;
    if (lead < 0xc2 || lead > 0xf4)
        return 0;
    if (lead < 0xe0)
        return 2;
    if (lead == 0xe0)
        *low = 0xa0;
    else if (lead == 0xed)
        *high = 0x9f;
    else if (lead == 0xf0)
        *low = 0x90;
    else if (lead == 0xf4)
        *high = 0x8f;
    return lead < 0xf0 ? 3 : 4;
}

size_t str_character(struct str s)
{
    unsigned char low, high;
    size_t len = s.len > 0 ? utf8_form((unsigned char)s.at[0], &low, &high) : SIZE_MAX;

    for (size_t i = 1; len != SIZE_MAX && i < len; i++) {
        unsigned char c;

        if (i == s.len)
            return SIZE_MAX;
        c = (unsigned char)s.at[i];
        if (c < low || c > high)
            return 0;
        low = 0x80;
        high = 0xbf;
    }
    return len;
}

uint32_t str_code(struct str s, size_t len)
{
    static const unsigned char of_lead[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = (unsigned char)s.at[0] & of_lead[len];

    for (size_t i = 1; i < len; i++)
        code = code << 6 | ((unsigned char)s.at[i] & 0x3f);
    return code;
}

/* Format characters of Unicode (Cf), and its separators of lines and paragraphs. The joiners
 * U+200C and U+200D are left out: Persian, Indic scripts and emoji are written with them. */
static bool is_invisible(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0xad, 0xad},       {0x600, 0x605},     {0x61c, 0x61c},     {0x6dd, 0x6dd},
        {0x70f, 0x70f},     {0x890, 0x891},     {0x8e2, 0x8e2},     {0x180e, 0x180e},
        {0x200b, 0x200b},   {0x200e, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},
        {0xfeff, 0xfeff},   {0xfff9, 0xfffb},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd},
        {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe007f}};

    for (size_t i = 0; i < ARRAY_LEN(ranges) && code >= ranges[i].first; i++)
        if (code <= ranges[i].last)
            return true;
    return false;
}

size_t str_unsafe(struct str s)
{
    size_t len = str_character(s);
    uint32_t code;

    if (len == 0 || len == SIZE_MAX)
        return 1;
    code = str_code(s, len);
    return code < ' ' || (code >= 0x7f && code < 0xa0) || is_invisible(code) ? len : 0;
}

bool str_glob(struct str s, struct str glob)
{
    size_t i = 0, g = 0, star = glob.len, resume = 0;

    /* On a mismatch, let the last star take one byte more: earlier stars never need to. */
    while (i < s.len) {
        if (g < glob.len && glob.at[g] == '*') {
            star = g++;
            resume = i;
        } else if (g < glob.len &&
                   (glob.at[g] == '?' || to_lower(glob.at[g]) == to_lower(s.at[i]))) {
            i++;
            g++;
        } else if (star < glob.len) {
            g = star + 1;
            i = ++resume;
        } else {
            return false;
        }
    }
    while (g < glob.len && glob.at[g] == '*')
        g++;
    return g == glob.len;
}

char *str_dup(struct str s, struct arena *arena, struct error *err)
{
    char *copy = arena_array(arena, char, s.len + 1, err);

    if (copy != NULL && s.len > 0)
        memcpy(copy, s.at, s.len);
    return copy;
}

bool str_keep(struct str s, struct arena *arena, struct str *out, struct error *err)
{
    *out = (struct str){str_dup(s, arena, err), s.len};
    return out->at != NULL;
}

#define DISTANCE_MAX 64

static unsigned smaller_unsigned(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned str_distance(struct str a, struct str b, unsigned limit)
{
    /* Three rows of the edit table: two back for swaps, the last, and this one. */
    unsigned rows[3][DISTANCE_MAX + 1];
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];

    if (a.len > DISTANCE_MAX || b.len > DISTANCE_MAX)
        return limit + 1;
    memset(rows, 0, sizeof rows);
    for (size_t j = 0; j <= b.len; j++)
        last[j] = (unsigned)j;
    for (size_t i = 1; i <= a.len; i++) {
        unsigned *spare = before;

        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b.len; j++) {
            char x = to_lower(a.at[i - 1]), y = to_lower(b.at[j - 1]);

            row[j] = smaller_unsigned(smaller_unsigned(last[j], row[j - 1]) + 1,
                                      last[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == to_lower(b.at[j - 2]) && y == to_lower(a.at[i - 2]))
                row[j] = smaller_unsigned(row[j], before[j - 2] + 1);
        }
        before = last;
        last = row;
        row = spare;
    }
    return last[b.len];
}

void suggestion_try(struct suggestion *s, struct str candidate)
{
    /* One edit in three letters is a typo; more is another word. */
    unsigned limit = (unsigned)(s->wanted.len > 60 ? 20 : (s->wanted.len + 2) / 3);
    unsigned distance = str_distance(s->wanted, candidate, limit);

    if (s->wanted.len > 2 && str_starts(candidate, s->wanted))
        distance = 0; /* an unfinished word */
    if (distance > limit || (s->best.len > 0 && distance >= s->distance))
        return;
    s->best = candidate;
    s->distance = distance;
}

bool suggestion_hint(const struct suggestion *s, struct error *err)
{
    if (s->best.len == 0)
        return false;
    error_hint(err, "did you mean '%.*s'?", STR_ARG(s->best));
    return true;
}
