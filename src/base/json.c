#include "base/json.h"

#include "base/json_internal.h"

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
    bool many, failed, skipping;

    const struct alloc *alloc;
    char *decoded; /* the text of the last string with escapes */
    size_t decoded_capacity;
    char closers[JSON_MAX_DEPTH + 1]; /* of each open container; [0] is not used */
    struct error failure;             /* said again when asked again */
};

static struct json *open_reader(const struct json_options *options, struct error *err)
{
    struct json *json = options->alloc->get(options->alloc->ctx, sizeof *json);
    size_t max_token = options->max_token > 0 ? options->max_token : JSON_MAX_TOKEN;

    if (json == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    *json = (struct json){.alloc = options->alloc, .many = options->many};
    json->max_token = max_token < SIZE_MAX / 4 ? max_token : SIZE_MAX / 4;
    json->after = options->many ? EXPECT_DOCUMENT : EXPECT_NOTHING;
    return json;
}

struct json *json_open_text(struct str text, const struct json_options *options,
                            struct error *err)
{
    struct json *json = open_reader(options, err);

    if (json != NULL)
        json_input_text(&json->in, text);
    return json;
}

struct json *json_open(struct source source, const struct json_options *options,
                       struct error *err)
{
    struct json *json = open_reader(options, err);

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

static bool truncated(struct json *json, const char *what, struct error *err)
{
    error_set(err, ERROR_INPUT, "the text ends inside %s", what);
    return json_place(&json->in, json->in.end, err);
}

static bool unexpected(struct json *json, struct error *err)
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
        return truncated(json, json->closers[json->depth] == '}' ? "an object" : "an array",
                         err);
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

/* Step over what stands at `*len` in the string at json->in.at and is not plain: an escape, or
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
            return filled == JSON_FILL_ENDED ? truncated(json, "a string", err) : false;
    }
}

/* Of the string that starts at json->in.at, `*len` bytes (with its first quote) are known to be
 * plain: find all of it, up to its last quote. Every stop first looks at the limit, so that the
 * outcome does not depend on where the buffer ends. */
static bool scan_string(struct json *json, size_t *len, bool *escaped, struct error *err)
{
    for (;;) {
        const char *stop = json_find(&json->in, json->in.index.special, json->in.at + *len);
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
            return filled == JSON_FILL_ENDED ? truncated(json, "a string", err) : false;
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
static inline bool read_string(struct json *json, const char *at, struct json_token *token,
                               struct error *err)
{
    const char *stop = json_find(&json->in, json->in.index.special, at + 1);

    token->depth = json->depth;
    if (stop == json->in.end || *stop != '"' || (size_t)(stop - at) > json->max_token)
        return read_hard_string(json, token, err);
    token->text = (struct str){at + 1, (size_t)(stop - at) - 1};
    json->in.at = stop + 1;
    return true;
}

/* A number, or true, false or null. */
static bool read_word(struct json *json, struct json_token *token, struct error *err)
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
        return read_word(json, token, err);
    return unexpected(json, err);
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

static inline bool next_token(struct json *json, struct json_token *token, struct error *err)
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
        return read_string(json, json->in.at, token, err);
    case EXPECT_DOCUMENT:
    case EXPECT_VALUE:
    case EXPECT_VALUE_OR_END:
        if (c != '"')
            return read_other(json, c, token, err);
        token->kind = JSON_STRING;
        json->expect = json->after;
        return read_string(json, json->in.at, token, err);
    case EXPECT_NOTHING:
    case EXPECT_COLON:
    case EXPECT_COMMA:
        break;
    }
    return unexpected(json, err);
}

bool json_next(struct json *json, struct json_token *token, struct error *err)
{
    if (json->failed) {
        *err = json->failure;
        return false;
    }
    if (next_token(json, token, err))
        return true;
    json->failed = true;
    json->failure = *err;
    return false;
}

bool json_leave(struct json *json, unsigned depth, struct error *err)
{
    struct json_token token;
    bool ok = !json->failed || json_next(json, &token, err);

    json->skipping = true; /* decoding escapes would be for nobody */
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
