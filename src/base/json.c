#include "base/json.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/characters.h"
#include "base/json_internal.h"

/* ---- bytes: escapes, UTF-8, words ---- */

/* What is at `at`: `len` good bytes, or a fault, or (neither) a beginning that is good as
 * far as `end` and needs more bytes to decide. */
struct json_piece {
    size_t len;
    const char *fault; /* NULL when there is none */
};

static bool is_word_byte(char c)
{
    return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '.' || c == '-' ||
           c == '+' || c == '_';
}

/* The first byte that can be in no number or bare word, or `end`. Wider than the grammar, so
 * that '0x10' or 'NaN' is refused, and quoted, in one piece. */
static const char *json_word_end(const char *at, const char *end)
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

static bool is_high_surrogate(long unit)
{
    return unit >= 0xd800 && unit < 0xdc00;
}

static bool is_low(long unit)
{
    return unit >= 0xdc00 && unit < 0xe000;
}

/* one, at a backslash */
static struct json_piece json_escape(const char *at, const char *end)
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
    if (!is_high_surrogate(unit))
        return (struct json_piece){.len = 6};
    low = escaped_unit(at + 6, end);
    if (low == -2)
        return (struct json_piece){0};
    if (!is_low(low))
        return (struct json_piece){.fault = lone};
    return (struct json_piece){.len = 12};
}

/* a run that is not ASCII */
static struct json_piece json_utf8(const char *at, const char *end)
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
    default: /* a quote, a backslash or a slash means itself */
        return letter;
    }
}

/* The text of a string whose escapes json_escape() has checked. `to` has room for raw.len. */
static size_t json_decode(struct str raw, char *to)
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
        if (is_high_surrogate(unit)) {
            unit = 0x10000 + ((unit - 0xd800) << 10) + (escaped_unit(at, end) - 0xdc00);
            at += 6;
        }
        to = put_utf8(to, (unsigned long)unit);
    }
    return (size_t)(to - start);
}

size_t json_unescape(struct str raw, char *to)
{
    const char *end = raw.at + raw.len;
    const char *at = raw.len > 0 ? memchr(raw.at, '\\', raw.len) : NULL;

    while (at != NULL) {
        struct json_piece piece = json_escape(at, end);

        if (piece.fault != NULL || piece.len == 0) {
            memcpy(to, raw.at, raw.len);
            return raw.len;
        }
        at += piece.len;
        at = at < end ? memchr(at, '\\', (size_t)(end - at)) : NULL;
    }
    return raw.len > 0 ? json_decode(raw, to) : 0;
}

/* The digits at `*at`: steps over them; were there any? */
static bool take_json_digits(const char **at, const char *end)
{
    const char *start = *at;

    while (*at < end && is_digit(**at))
        ++*at;
    return *at > start;
}

static bool is_json_number(struct str text)
{
    const char *at = text.at, *end = text.at + text.len;

    if (at < end && *at == '-')
        at++;
    if (at < end && *at == '0')
        at++; /* nothing but a point or an exponent may follow */
    else if (!take_json_digits(&at, end))
        return false;
    if (at < end && *at == '.') {
        at++;
        if (!take_json_digits(&at, end))
            return false;
    }
    if (at < end && (*at | 0x20) == 'e') {
        at++;
        if (at < end && (*at == '+' || *at == '-'))
            at++;
        if (!take_json_digits(&at, end))
            return false;
    }
    return at == end;
}

/* Which kind a word is, given whether it starts as a number does; JSON_END for none. */
static enum json_kind json_word_kind(struct str word, bool number)
{
    if (number)
        return is_json_number(word) ? JSON_NUMBER : JSON_END;
    if (str_eq(word, STR("true")))
        return JSON_TRUE;
    if (str_eq(word, STR("false")))
        return JSON_FALSE;
    return str_eq(word, STR("null")) ? JSON_NULL : JSON_END;
}

/* ---- the input: a stretch of it is held, and lines are counted ---- */

/* The stretch of the input that is held: from `base`, next to read at `at`. As far as `end` it
 * may be read, because that far it is indexed, from `window` on.
 *
 * The index takes 16 bytes in a few instructions and does not wait for the parser, which then
 * finds the end of a string with one shift: far faster than to search from each quote.
 *
 * Lines are counted when bytes are let go, or when an error needs them: newlines are only
 * between tokens, and one pass over the buffer is cheaper than care at every blank. */
struct json_input {
    const char *base, *at, *end;
    const char *window, *held_end;
    bool ended; /* there is no more than is held */

    const struct alloc *alloc;
    struct source source;
    char *buffer; /* NULL for text in memory */
    size_t capacity, most;

    uint64_t base_offset, base_line, line_start; /* offsets are from the start of the input */
    struct json_index index;
};

enum json_fill { JSON_FILL_FAILED, JSON_FILL_ENDED, JSON_FILL_MORE };

#define JSON_PEEK_END (-1)
#define JSON_PEEK_FAILED (-2)

#define FIRST_CAPACITY ((size_t)128 * 1024) /* stays in the second-level cache */

/* Beyond the longest token: its quotes, and what an escape that starts at its end needs. */
#define SLACK ((size_t)64)

/* Hold all of `text`, or (at first nothing) of `source` as much as a token of `max_token` bytes
 * needs. */
static void json_input_text(struct json_input *in, struct str text)
{
    const char *at = text.len > 0 ? text.at : "";

    *in = (struct json_input){.base = at, .at = at, .end = at, .base_line = 1, .ended = true};
    in->held_end = at + text.len;
    in->window = at;
    json_index(at, 0, &in->index);
}

static bool json_input_open(struct json_input *in, struct source source, size_t max_token,
                            const struct alloc *alloc, struct error *err)
{
    *in = (struct json_input){.source = source, .alloc = alloc, .base_line = 1};
    in->most = max_token + SLACK;
    in->capacity = in->most < FIRST_CAPACITY ? in->most : FIRST_CAPACITY;
    in->buffer = alloc->get(alloc->ctx, in->capacity);
    in->base = in->at = in->end = in->held_end = in->window = in->buffer;
    json_index(in->buffer, 0, &in->index);
    return in->buffer != NULL || error_memory(err);
}

static void json_input_close(struct json_input *in)
{
    if (in->buffer != NULL)
        in->alloc->put(in->alloc->ctx, in->buffer);
}

/* Count the lines from the base to `to`, which becomes the base. */
static void pass_lines(struct json_input *in, const char *to)
{
    size_t len = (size_t)(to - in->base);
    const char *last = memrchr(in->base, '\n', len);

    in->base_line += json_count_lines(in->base, to);
    if (last != NULL)
        in->line_start = in->base_offset + (size_t)(last - in->base) + 1;
    in->base_offset += len;
    in->base = to;
}

/* Put the place of `at` before the error. False, for the caller to return. Nothing can be read
 * after this. */
static bool json_place(struct json_input *in, const char *at, struct error *err)
{
    pass_lines(in, at);
    error_context(err, "line %" PRIu64 ", column %" PRIu64, in->base_line,
                  in->base_offset - in->line_start + 1);
    return false;
}

/* The line that in->at is on. */
static uint64_t json_input_line(struct json_input *in)
{
    if (in->at > in->base) /* a fault may lie beyond it */
        pass_lines(in, in->at);
    return in->base_line;
}

/* Move what is still to be read to the front of the buffer, or of a larger one when it takes up
 * more than half: so each byte of a long token is moved only a few times. */
static bool make_json_room(struct json_input *in, struct error *err)
{
    size_t held = (size_t)(in->end - in->at);
    char *to = in->buffer;

    pass_lines(in, in->at);
    if (held > in->capacity / 2 && in->capacity < in->most) {
        size_t capacity = in->capacity < in->most / 2 ? in->capacity * 2 : in->most;

        to = in->alloc->get(in->alloc->ctx, capacity);
        if (to == NULL)
            return error_memory(err);
        memcpy(to, in->at, held);
        in->alloc->put(in->alloc->ctx, in->buffer);
        in->buffer = to;
        in->capacity = capacity;
    } else {
        memmove(to, in->at, held);
    }
    in->base = in->at = to;
    in->end = in->held_end = in->window = to + held;
    json_index(in->window, 0, &in->index); /* the old one is of bytes that have moved */
    return true;
}

/* Hold more: as much as the source gives and there is room for. */
static enum json_fill read_more(struct json_input *in, struct error *err)
{
    ptrdiff_t got;
    size_t used;

    if (in->ended)
        return JSON_FILL_ENDED;
    if ((in->at == in->end || in->end == in->buffer + in->capacity) && !make_json_room(in, err))
        return JSON_FILL_FAILED;
    used = (size_t)(in->end - in->buffer);
    got = in->source.read(in->source.ctx, in->buffer + used, in->capacity - used, err);
    if (got < 0)
        return JSON_FILL_FAILED;
    in->ended = got == 0;
    in->held_end = in->end + got;
    return got > 0 ? JSON_FILL_MORE : JSON_FILL_ENDED;
}

/* See further: `end` moves on, and `window` is where it was. What is from in->at on is kept,
 * but may have moved. */
static enum json_fill json_fill(struct json_input *in, struct error *err)
{
    enum json_fill filled = JSON_FILL_MORE;
    size_t len;

    if (in->end == in->held_end)
        filled = read_more(in, err);
    if (filled != JSON_FILL_MORE)
        return filled;
    len = (size_t)(in->held_end - in->end);
    if (len > JSON_WINDOW)
        len = JSON_WINDOW;
    json_index(in->end, len, &in->index);
    in->window = in->end;
    in->end += len;
    return JSON_FILL_MORE;
}

/* Step over white space: the byte that in->at then points at, or one of the above. */
static int json_peek_past_space(struct json_input *in, struct error *err)
{
    for (;;) {
        enum json_fill filled;

        in->at = json_find(in->window, in->index.solid, in->at);
        if (in->at != in->end)
            return (unsigned char)*in->at;
        filled = json_fill(in, err);
        if (filled != JSON_FILL_MORE)
            return filled == JSON_FILL_ENDED ? JSON_PEEK_END : JSON_PEEK_FAILED;
    }
}

/* Step over a byte-order mark, which only the very start may have, and then white space. */
static int json_peek_past_mark(struct json_input *in, struct error *err)
{
    static const char mark[3] = {'\xef', '\xbb', '\xbf'};

    if (in->base_offset > 0 || in->at > in->base)
        return (unsigned char)*in->at;
    while (in->end - in->at < 3) {
        enum json_fill filled = json_fill(in, err);

        if (filled == JSON_FILL_FAILED)
            return JSON_PEEK_FAILED;
        if (filled == JSON_FILL_ENDED)
            return (unsigned char)*in->at;
    }
    if (memcmp(in->at, mark, sizeof mark) != 0)
        return (unsigned char)*in->at;
    in->at += sizeof mark;
    in->line_start = sizeof mark; /* editors hide it: columns start after it */
    return json_peek_past_space(in, err);
}

/* As json_peek_past_space(), for `*at` instead of in->at, and quick where there is no space or
 * one blank. */
static inline int json_peek(struct json_input *in, const char **at, struct error *err)
{
    int c;

    if (in->end - *at >= 2) {
        if ((unsigned char)(*at)[0] > ' ')
            return (unsigned char)(*at)[0];
        if ((*at)[0] == ' ' && (unsigned char)(*at)[1] > ' ')
            return (unsigned char)*++*at;
        *at = json_find(in->window, in->index.solid, *at);
        if (*at < in->end)
            return (unsigned char)**at;
    }
    in->at = *at;
    c = json_peek_past_space(in, err);
    *at = in->at;
    return c;
}

/* ---- the grammar ---- */

/* What the grammar allows next. From EXPECT_KEY_OR_END on, the container may also close. */
enum expect {
    EXPECT_DOCUMENT,
    EXPECT_NOTHING,
    EXPECT_COLON,
    EXPECT_KEY,
    EXPECT_VALUE,
    EXPECT_KEY_OR_END,
    EXPECT_VALUE_OR_END,
    EXPECT_COMMA,
};

struct json {
    struct json_input in;
    enum expect expect, after; /* after: what to expect once the value is read */
    unsigned depth;
    size_t max_token;
    bool many, not_finite, failed, skipping;

    const struct alloc *alloc;
    char *decoded; /* the text of the last string with escapes */
    size_t decoded_capacity;
    char closers[JSON_MAX_DEPTH + 1]; /* of each open container; [0] is not used */
    struct error failure;             /* reported again when asked again */
};

static struct json *open_json_reader(const struct json_options *options, struct error *err)
{
    struct json *json = options->alloc->get(options->alloc->ctx, sizeof *json);
    size_t max_token = options->max_token > 0 ? options->max_token : JSON_MAX_TOKEN;

    if (json == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *json = (struct json){
        .alloc = options->alloc, .many = options->many, .not_finite = options->not_finite};
    json->max_token = max_token < SIZE_MAX / 4 ? max_token : SIZE_MAX / 4;
    json->after = options->many ? EXPECT_DOCUMENT : EXPECT_NOTHING;
    return json;
}

struct json *json_open_text(struct str text, const struct json_options *options,
                            struct error *err)
{
    struct json *json = open_json_reader(options, err);

    if (json != NULL)
        json_input_text(&json->in, text);
    return json;
}

struct json *json_open(struct source source, const struct json_options *options,
                       struct error *err)
{
    struct json *json = open_json_reader(options, err);

    if (json == NULL)
        return NULL;
    if (!json_input_open(&json->in, source, json->max_token, json->alloc, err)) {
        json_close(json);
        return NULL;
    }
    return json;
}

void json_close(struct json *json)
{
    const struct alloc *alloc;

    if (json == NULL)
        return;
    alloc = json->alloc;
    json_input_close(&json->in);
    if (json->decoded != NULL)
        alloc->put(alloc->ctx, json->decoded);
    alloc->put(alloc->ctx, json);
}

static bool too_long(struct json *json, const char *what, struct error *err)
{
    error_set(err, ERROR_INPUT, "a %s is longer than %zu bytes", what, json->max_token);
    return json_place(&json->in, json->in.at, err);
}

static bool json_truncated(struct json *json, const char *what, struct error *err)
{
    error_set(err, ERROR_INPUT, "the text ends inside %s", what);
    return json_place(&json->in, json->in.end, err);
}

static bool json_unexpected(struct json *json, struct error *err)
{
    static const char *const wanted[] = {
        [EXPECT_DOCUMENT] = "a value",
        [EXPECT_NOTHING] = "nothing more after the document",
        [EXPECT_COLON] = "':'",
        [EXPECT_KEY] = "a key in double quotes",
        [EXPECT_VALUE] = "a value",
        [EXPECT_KEY_OR_END] = "a key in double quotes or '}'",
        [EXPECT_VALUE_OR_END] = "a value or ']'",
    };

    if (json->expect == EXPECT_COMMA)
        error_set(err, ERROR_INPUT, "expected ',' or '%c'", json->closers[json->depth]);
    else
        error_set(err, ERROR_INPUT, "expected %s", wanted[json->expect]);
    return json_place(&json->in, json->in.at, err);
}

/* There is no next byte: the end of everything, or of too little. */
static bool no_more(struct json *json, int why, struct json_token *token, struct error *err)
{
    if (why == JSON_PEEK_FAILED)
        return false;
    if (json->depth > 0)
        return json_truncated(
            json, json->closers[json->depth] == '}' ? "an object" : "an array", err);
    if (json->expect == EXPECT_DOCUMENT && !json->many) {
        error_set(err, ERROR_INPUT, "expected a value, but the text ends");
        return json_place(&json->in, json->in.end, err);
    }
    *token = (struct json_token){.kind = JSON_END};
    return true;
}

static bool decode(struct json *json, struct str *text, struct error *err)
{
    if (json->decoded_capacity < text->len) {
        size_t capacity = text->len < json->max_token / 2 ? text->len * 2 : json->max_token;

        if (json->decoded != NULL)
            json->alloc->put(json->alloc->ctx, json->decoded);
        json->decoded_capacity = 0;
        json->decoded = json->alloc->get(json->alloc->ctx, capacity);
        if (json->decoded == NULL)
            return error_memory(err);
        json->decoded_capacity = capacity;
    }
    *text = (struct str){json->decoded, json_decode(*text, json->decoded)};
    return true;
}

/* Step over what is at `*len` in the string at json->in.at and is not plain: an escape, or
 * a run of characters that are not ASCII. Reads more when the end cuts it. */
static bool scan_piece(struct json *json, size_t *len, struct error *err)
{
    for (;;) {
        const char *at = json->in.at + *len;
        struct json_piece piece = {.fault = "a control byte in a string"};
        enum json_fill filled;

        if (*at == '\\')
            piece = json_escape(at, json->in.end);
        else if ((unsigned char)*at >= 0x80)
            piece = json_utf8(at, json->in.end);
        if (piece.fault != NULL) {
            error_set(err, ERROR_INPUT, "%s", piece.fault);
            return json_place(&json->in, at, err);
        }
        *len += piece.len;
        if (piece.len > 0)
            return true;
        filled = json_fill(&json->in, err);
        if (filled != JSON_FILL_MORE)
            return filled == JSON_FILL_ENDED ? json_truncated(json, "a string", err) : false;
    }
}

/* Of the string that starts at json->in.at, `*len` bytes (with its first quote) are known to be
 * plain: find all of it, up to its last quote. Every stop first checks the limit, so that the
 * outcome does not depend on where the buffer ends. */
static bool scan_string(struct json *json, size_t *len, bool *escaped, struct error *err)
{
    for (;;) {
        const char *stop =
            json_find(json->in.window, json->in.index.special, json->in.at + *len);
        enum json_fill filled;

        *len = (size_t)(stop - json->in.at);
        if (*len - 1 > json->max_token)
            return too_long(json, "string", err);
        if (stop < json->in.end) {
            if (*stop == '"')
                return true;
            *escaped |= *stop == '\\';
            if (!scan_piece(json, len, err))
                return false;
            continue;
        }
        filled = json_fill(&json->in, err);
        if (filled != JSON_FILL_MORE)
            return filled == JSON_FILL_ENDED ? json_truncated(json, "a string", err) : false;
    }
}

/* A string that is not plain, or that the end of the window cuts. */
static bool read_hard_string(struct json *json, struct json_token *token, struct error *err)
{
    bool escaped = false;
    size_t len = 1;

    if (!scan_string(json, &len, &escaped, err))
        return false;
    token->text = (struct str){json->in.at + 1, len - 1};
    json->in.at += len + 1;
    return !escaped || json->skipping || decode(json, &token->text, err);
}

/* `at` is json->in.at, in a register: the way through memory costs more than the search. */
static inline bool read_json_string(struct json *json, const char *at, struct json_token *token,
                                    struct error *err)
{
    const char *stop = json_find(json->in.window, json->in.index.special, at + 1);

    token->depth = json->depth;
    if (stop == json->in.end || *stop != '"' || (size_t)(stop - at) > json->max_token)
        return read_hard_string(json, token, err);
    token->text = (struct str){at + 1, (size_t)(stop - at) - 1};
    json->in.at = stop + 1;
    return true;
}

static bool is_not_finite(struct str word)
{
    return str_eq(word, STR("NaN")) || str_eq(word, STR("Infinity")) ||
           str_eq(word, STR("-Infinity"));
}

/* A number, or true, false or null. */
static bool read_json_word(struct json *json, struct json_token *token, struct error *err)
{
    bool number = *json->in.at <= '9'; /* a digit, a sign or a point, in ASCII; not a letter */
    enum json_kind kind;
    size_t len = 0;

    for (;;) {
        const char *stop = json_word_end(json->in.at + len, json->in.end);
        enum json_fill filled = JSON_FILL_ENDED;

        len = (size_t)(stop - json->in.at);
        if (len > json->max_token)
            return too_long(json, number ? "number" : "word", err);
        if (stop == json->in.end)
            filled = json_fill(&json->in, err);
        if (filled == JSON_FILL_FAILED)
            return false;
        if (filled == JSON_FILL_ENDED)
            break;
    }
    token->text = (struct str){json->in.at, len};
    token->depth = json->depth;
    kind = json_word_kind(token->text, number);
    if (kind == JSON_END && json->not_finite && is_not_finite(token->text)) {
        kind = JSON_NUMBER;
        number = true;
    }
    if (kind == JSON_END) {
        error_set(err, ERROR_INPUT,
                  number ? "'%.*s' is not a JSON number" : "unknown word '%.*s'",
                  STR_ARG(token->text));
        return json_place(&json->in, json->in.at, err);
    }
    if (!number)
        token->text = (struct str){0};
    token->kind = kind;
    json->in.at += len;
    json->expect = json->after;
    return true;
}

static bool open_container(struct json *json, int c, struct json_token *token,
                           struct error *err)
{
    bool object = c == '{';

    if (json->depth == JSON_MAX_DEPTH) {
        error_set(err, ERROR_INPUT, "nested deeper than %d levels", JSON_MAX_DEPTH);
        return json_place(&json->in, json->in.at, err);
    }
    *token =
        (struct json_token){.kind = object ? JSON_OBJECT : JSON_ARRAY, .depth = json->depth};
    json->in.at++;
    json->closers[++json->depth] = object ? '}' : ']';
    json->expect = object ? EXPECT_KEY_OR_END : EXPECT_VALUE_OR_END;
    json->after = EXPECT_COMMA;
    return true;
}

static bool close_container(struct json *json, int c, struct json_token *token)
{
    json->in.at++;
    if (--json->depth == 0)
        json->after = json->many ? EXPECT_DOCUMENT : EXPECT_NOTHING;
    json->expect = json->after;
    *token = (struct json_token){.kind = c == '}' ? JSON_OBJECT_END : JSON_ARRAY_END,
                                 .depth = json->depth};
    return true;
}

static bool read_other(struct json *json, int c, struct json_token *token, struct error *err)
{
    if (c == '{' || c == '[')
        return open_container(json, c, token, err);
    if (json_word_end(json->in.at, json->in.at + 1) > json->in.at)
        return read_json_word(json, token, err);
    return json_unexpected(json, err);
}

/* Step over the comma or colon, if one is due: the byte after it, where json->in.at then is. */
static inline int next_byte(struct json *json, struct error *err)
{
    const char *at = json->in.at;
    int c = json_peek(&json->in, &at, err);

    if (c == ',' && json->expect == EXPECT_COMMA) {
        at++;
        json->expect = json->closers[json->depth] == '}' ? EXPECT_KEY : EXPECT_VALUE;
        c = json_peek(&json->in, &at, err);
    } else if (c == ':' && json->expect == EXPECT_COLON) {
        at++;
        json->expect = EXPECT_VALUE;
        c = json_peek(&json->in, &at, err);
    }
    json->in.at = at;
    return c;
}

static inline bool next_json_token(struct json *json, struct json_token *token,
                                   struct error *err)
{
    int c = next_byte(json, err);

    if (json->expect >= EXPECT_KEY_OR_END && c == json->closers[json->depth])
        return close_container(json, c, token);
    if (c == 0xef && json->expect == EXPECT_DOCUMENT)
        c = json_peek_past_mark(&json->in, err);
    if (c < 0)
        return no_more(json, c, token, err);

    switch (json->expect) {
    case EXPECT_KEY:
    case EXPECT_KEY_OR_END:
        if (c != '"')
            break;
        token->kind = JSON_KEY;
        json->expect = EXPECT_COLON;
        return read_json_string(json, json->in.at, token, err);
    case EXPECT_DOCUMENT:
    case EXPECT_VALUE:
    case EXPECT_VALUE_OR_END:
        if (c != '"')
            return read_other(json, c, token, err);
        token->kind = JSON_STRING;
        json->expect = json->after;
        return read_json_string(json, json->in.at, token, err);
    case EXPECT_NOTHING:
    case EXPECT_COLON:
    case EXPECT_COMMA:
        break;
    }
    return json_unexpected(json, err);
}

bool json_next(struct json *json, struct json_token *token, struct error *err)
{
    if (json->failed) {
        *err = json->failure;
        return false;
    }
    if (next_json_token(json, token, err))
        return true;
    json->failed = true;
    json->failure = *err;
    return false;
}

bool json_leave(struct json *json, unsigned depth, struct error *err)
{
    struct json_token token;
    bool ok = !json->failed || json_next(json, &token, err);

    json->skipping = true; /* decoding escapes would be useless */
    while (ok && json->depth > depth)
        ok = json_next(json, &token, err);
    json->skipping = false;
    return ok;
}

bool json_skip(struct json *json, struct error *err)
{
    bool opened = json->expect == EXPECT_KEY_OR_END || json->expect == EXPECT_VALUE_OR_END;
    unsigned until = opened ? json->depth - 1 : json->depth;
    struct json_token token;
    bool ok;

    if (!opened && json->expect != EXPECT_COLON && !json->failed)
        return true;
    json->skipping = true;
    ok = json_next(json, &token, err);
    json->skipping = false;
    return ok && json_leave(json, until, err);
}

uint64_t json_line(struct json *json)
{
    return json_input_line(&json->in);
}

/* ---- the members of an object ---- */

/* The value after a key, which is kept where reading on would overwrite it: with escapes it is
 * not in the text itself. */
static bool give_json_member(struct json *json, struct str key, struct buf *kept,
                             json_member *each, void *ctx, bool *more, struct error *err)
{
    struct json_token token = {0};

    if (key.at == json->decoded) {
        buf_clear(kept);
        buf_add(kept, key);
        if (!buf_ok(kept, err))
            return false;
        key = buf_text(kept);
    }
    if (!json_next(json, &token, err))
        return false;
    *more = each(ctx, key, token.kind, token.text);
    return !*more || json_skip(json, err);
}

bool json_members(struct str text, const struct alloc *alloc, json_member *each, void *ctx,
                  struct error *err)
{
    struct json *json = json_open_text(text, &(struct json_options){.alloc = alloc}, err);
    struct buf kept = buf_new(alloc, JSON_MAX_TOKEN + 1);
    struct json_token token;
    bool more = json != NULL, ok = more && json_next(json, &token, err);

    if (ok && token.kind != JSON_OBJECT)
        ok = error_fail(err, ERROR_INPUT, "expected an object");
    while (ok && more && (ok = json_next(json, &token, err)) && token.kind != JSON_END)
        if (token.kind == JSON_KEY)
            ok = give_json_member(json, token.text, &kept, each, ctx, &more, err);
    buf_free(&kept);
    json_close(json);
    return ok;
}
