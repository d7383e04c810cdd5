#include "load/stream.h"

#include <string.h>

#include "base/json.h"
#include "base/num.h"

#define PATH_MOST 96 /* bytes of the names down to a value; deeper ones mean nothing to us */
#define TOKEN_MOST STREAM_EVENT_MAX

/* ---- one event ---- */

enum meaning {
    MEANS_TEXT,
    MEANS_ALL_TEXT,
    MEANS_LONE_TEXT, /* of a server that marks no end */
    MEANS_INPUT,
    MEANS_OUTPUT,
    MEANS_END,
    MEANS_ID,
    MEANS_ERROR,
};

#define AT(names) \
    { \
        (names), sizeof(names) - 1 \
    }

/* Names from the top down, without the places in lists, and what a value there means. */
static const struct {
    struct str path;
    enum meaning meaning;
} meanings[] = {
    /* OpenAI: completions, chats */
    {AT("choices.text"), MEANS_TEXT},
    {AT("choices.delta.content"), MEANS_TEXT},
    {AT("choices.delta.reasoning_content"), MEANS_TEXT},
    {AT("choices.delta.reasoning"), MEANS_TEXT},
    {AT("choices.delta.refusal"), MEANS_TEXT},
    {AT("choices.delta.tool_calls.function.name"), MEANS_TEXT},
    {AT("choices.delta.tool_calls.function.arguments"), MEANS_TEXT},
    {AT("choices.message.content"), MEANS_TEXT},
    {AT("choices.message.reasoning_content"), MEANS_TEXT},
    {AT("choices.finish_reason"), MEANS_END},
    {AT("id"), MEANS_ID},
    {AT("usage.prompt_tokens"), MEANS_INPUT},
    {AT("usage.completion_tokens"), MEANS_OUTPUT},
    /* TGI: generate_stream, generate */
    {AT("token.text"), MEANS_TEXT},
    {AT("generated_text"), MEANS_END},
    {AT("details.finish_reason"), MEANS_END},
    {AT("details.generated_tokens"), MEANS_OUTPUT},
    {AT("details.input_length"), MEANS_INPUT},
    /* llama.cpp: completion */
    {AT("content"), MEANS_TEXT},
    {AT("stop"), MEANS_END},
    {AT("tokens_predicted"), MEANS_OUTPUT},
    {AT("tokens_evaluated"), MEANS_INPUT},
    /* Ollama: api/generate, api/chat */
    {AT("response"), MEANS_TEXT},
    {AT("thinking"), MEANS_TEXT},
    {AT("message.content"), MEANS_TEXT},
    {AT("message.thinking"), MEANS_TEXT},
    {AT("done"), MEANS_END},
    {AT("prompt_eval_count"), MEANS_INPUT},
    {AT("eval_count"), MEANS_OUTPUT},
    /* SGLang: generate, which repeats the text so far */
    {AT("text"), MEANS_ALL_TEXT},
    {AT("meta_info.id"), MEANS_ID},
    {AT("meta_info.finish_reason.type"), MEANS_END},
    {AT("meta_info.prompt_tokens"), MEANS_INPUT},
    {AT("meta_info.completion_tokens"), MEANS_OUTPUT},
    /* Triton with TensorRT-LLM: generate_stream */
    {AT("text_output"), MEANS_LONE_TEXT},
    /* errors of all of them */
    {AT("error"), MEANS_ERROR},
    {AT("error.message"), MEANS_ERROR},
    {AT("detail"), MEANS_ERROR},
    {AT("message"), MEANS_ERROR},
};

/* Where a value is in the event. */
struct event_path {
    char text[PATH_MOST];
    size_t ends[16]; /* the length of `text` within each object that is open */
    size_t len;
    unsigned depth;
};

static void take_event_count(struct str text, int64_t *out)
{
    int64_t count;

    if (num_int(text, &count) && count >= 0 && count < INT64_C(1) << 40)
        *out = count;
}

static void take_event_error(const struct json_token *token, struct stream_event *out)
{
    if (token->kind != JSON_STRING || token->text.len == 0)
        return;
    out->failed = true;
    if (out->message[0] == '\0')
        str_copy(token->text, out->message, sizeof out->message);
}

static void take_event_value(enum meaning meaning, const struct json_token *token,
                             struct stream_event *out)
{
    bool text = token->kind == JSON_STRING && token->text.len > 0;

    if (meaning != MEANS_ERROR && meaning != MEANS_ID)
        out->answer = true;
    switch (meaning) {
    case MEANS_TEXT:
        out->text |= text;
        break;
    case MEANS_LONE_TEXT:
        out->text |= text;
        out->unmarked = true;
        break;
    case MEANS_ALL_TEXT:
        out->cumulative = token->kind == JSON_STRING ? token->text.len : 0;
        break;
    case MEANS_INPUT:
        take_event_count(token->text, &out->input);
        break;
    case MEANS_OUTPUT:
        take_event_count(token->text, &out->output);
        break;
    case MEANS_END:
        out->finished |= text || token->kind == JSON_TRUE;
        break;
    case MEANS_ID:
        if (text && token->text.len < sizeof out->id)
            str_copy(token->text, out->id, sizeof out->id);
        break;
    case MEANS_ERROR:
        take_event_error(token, out);
        break;
    }
}

static void take_event_at(const struct event_path *at, const struct json_token *token,
                          struct stream_event *out)
{
    struct str path = {at->text, at->len};

    for (size_t i = 0; i < ARRAY_LEN(meanings); i++)
        if (str_eq(path, meanings[i].path)) {
            take_event_value(meanings[i].meaning, token, out);
            return;
        }
}

/* Go down into the member `key` of the object that is open. False: too deep to mean
 * anything. */
static bool step_into(struct event_path *at, struct str key)
{
    size_t from = at->ends[at->depth - 1], dot = from > 0;

    if (from + dot + key.len >= sizeof at->text)
        return false;
    if (dot > 0)
        at->text[from] = '.';
    memcpy(at->text + from + dot, key.at, key.len);
    at->len = from + dot + key.len;
    return true;
}

static bool read_event_token(struct json *json, struct event_path *at,
                             const struct json_token *token, struct stream_event *out)
{
    struct error ignored;

    switch (token->kind) {
    case JSON_OBJECT:
        if (at->depth >= ARRAY_LEN(at->ends))
            return json_leave(json, token->depth, &ignored);
        at->ends[at->depth++] = at->len;
        return true;
    case JSON_OBJECT_END:
        at->len = at->ends[--at->depth];
        return true;
    case JSON_KEY:
        return step_into(at, token->text) || json_skip(json, &ignored);
    case JSON_STRING:
    case JSON_NUMBER:
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL:
        take_event_at(at, token, out);
        return true;
    case JSON_ARRAY:
    case JSON_ARRAY_END:
    case JSON_END:
        return true;
    }
    return true;
}

bool stream_event_read(struct str text, const struct alloc *alloc, struct stream_event *out)
{
    const struct json_options options = {.alloc = alloc, .max_token = TOKEN_MOST};
    struct json_token token = {0};
    struct event_path at = {0};
    struct error ignored;
    struct json *json = json_open_text(text, &options, &ignored);
    bool ok = json != NULL && json_next(json, &token, &ignored) && token.kind == JSON_OBJECT;

    *out = (struct stream_event){.input = -1, .output = -1};
    while (ok && token.kind != JSON_END)
        ok = read_event_token(json, &at, &token, out) && json_next(json, &token, &ignored);
    json_close(json);
    return ok;
}

/* ---- an answer ---- */

struct load_answer load_answer_new(const struct alloc *alloc)
{
    return (struct load_answer){.alloc = alloc,
                                .line = buf_new(alloc, STREAM_EVENT_MAX),
                                .data = buf_new(alloc, STREAM_EVENT_MAX),
                                .input = -1,
                                .output = -1};
}

void load_answer_free(struct load_answer *s)
{
    buf_free(&s->line);
    buf_free(&s->data);
}

void load_answer_again(struct load_answer *s)
{
    struct buf line = s->line, data = s->data;

    buf_clear(&line);
    buf_clear(&data);
    *s = load_answer_new(s->alloc);
    s->line = line;
    s->data = data;
}

static bool stream_fail(struct load_answer *s, enum stream_fault fault)
{
    if (s->fault == STREAM_FINE)
        s->fault = fault;
    return false;
}

/* SGLang's own events repeat all text so far: one has a new piece when it has more. */
static bool event_has_text(struct load_answer *s, const struct stream_event *event)
{
    bool more = event->cumulative > s->cumulative;

    if (more)
        s->cumulative = event->cumulative;
    return event->text || more;
}

static bool take_event(struct load_answer *s, struct str text, int *pieces)
{
    struct stream_event event;

    text = str_trim(text);
    if (text.len == 0)
        return true;
    if (str_eq(text, STR("[DONE]"))) {
        s->done = true;
        return true;
    }
    if (!stream_event_read(text, s->alloc, &event))
        return stream_fail(s, STREAM_FOREIGN);
    if (event.failed) {
        memcpy(s->message, event.message, sizeof s->message);
        return stream_fail(s, STREAM_SERVER);
    }
    if (s->id[0] == '\0')
        memcpy(s->id, event.id, sizeof s->id);
    s->input = event.input >= 0 ? event.input : s->input;
    s->output = event.output >= 0 ? event.output : s->output;
    s->finished |= event.finished || event.unmarked;
    s->answered |= event.answer;
    if (event_has_text(s, &event)) {
        s->pieces++;
        ++*pieces;
        s->at_once = event.finished && s->pieces == 1;
    }
    /* Among events of a stream others may be: pings. */
    return event.answer || s->sse || stream_fail(s, STREAM_FOREIGN);
}

/* A complete line. Of events only their data count; a blank line ends one. */
static bool take_stream_line(struct load_answer *s, struct str line, int *pieces)
{
    bool ok;

    if (line.len > 0 && line.at[line.len - 1] == '\r')
        line.len--;
    if (line.len == 0) {
        ok = take_event(s, buf_text(&s->data), pieces);
        buf_clear(&s->data);
        return ok;
    }
    if (str_starts(line, STR("data:"))) {
        s->sse = true;
        line.at += 5;
        line.len -= 5;
        if (s->data.len > 0)
            buf_char(&s->data, '\n');
        buf_add(&s->data, str_trim(line));
        return s->data.failed == ERROR_NONE || stream_fail(s, STREAM_TOO_LARGE);
    }
    if (line.at[0] == ':' || str_starts(line, STR("event:")) || str_starts(line, STR("id:")) ||
        str_starts(line, STR("retry:")))
        return true;
    if (s->sse || line.at[0] != '{')
        return stream_fail(s, STREAM_FOREIGN);
    return take_event(s, line, pieces);
}

/* A line of JSON is an event; JSON over several lines is an answer in one piece, which is read
 * when it ends. */
static bool keep_whole(struct load_answer *s)
{
    struct str text = str_trim(buf_text(&s->line));

    s->whole = !s->sse && s->pieces == 0 && text.len > 0 && text.at[0] == '{' &&
               text.at[text.len - 1] != '}';
    return s->whole;
}

static bool take_line_end(struct load_answer *s, int *pieces)
{
    bool ok;

    if (s->whole || keep_whole(s)) {
        buf_char(&s->line, '\n');
        return s->line.failed == ERROR_NONE || stream_fail(s, STREAM_TOO_LARGE);
    }
    ok = take_stream_line(s, buf_text(&s->line), pieces);
    buf_clear(&s->line);
    return ok;
}

bool load_answer_take(struct load_answer *s, struct str bytes, int *pieces)
{
    *pieces = 0;
    while (bytes.len > 0 && s->fault == STREAM_FINE) {
        const char *end = memchr(bytes.at, '\n', bytes.len);
        size_t len = end != NULL ? (size_t)(end - bytes.at) : bytes.len;

        buf_add(&s->line, (struct str){bytes.at, len});
        if (s->line.failed != ERROR_NONE)
            return stream_fail(s, s->line.failed == ERROR_MEMORY ? STREAM_MEMORY
                                                                 : STREAM_TOO_LARGE);
        if (end == NULL)
            break;
        bytes.at += len + 1;
        bytes.len -= len + 1;
        (void)take_line_end(s, pieces);
    }
    return s->fault == STREAM_FINE;
}

/* What is left is an answer in one piece, or the last event of a server that does not end it
 * with an empty line. */
static void take_rest(struct load_answer *s)
{
    int pieces = 0;

    if (s->fault == STREAM_FINE && s->line.len > 0) {
        if (s->whole)
            (void)take_event(s, buf_text(&s->line), &pieces);
        else
            (void)take_stream_line(s, buf_text(&s->line), &pieces);
    }
    if (s->fault == STREAM_FINE && s->data.len > 0)
        (void)take_event(s, buf_text(&s->data), &pieces);
    buf_clear(&s->line);
    buf_clear(&s->data);
}

enum stream_fault load_answer_end(struct load_answer *s)
{
    bool cut = s->line.len > 0 || s->data.len > 0;

    take_rest(s);
    /* Half an event is no JSON. */
    if (s->fault == STREAM_FOREIGN && cut && (s->pieces > 0 || s->sse))
        s->fault = STREAM_HALF;
    /* Text and end in one: the first token was not seen when it came. */
    s->whole = !s->sse && s->at_once;
    if (s->fault != STREAM_FINE)
        return s->fault;
    if (s->pieces == 0)
        (void)stream_fail(s, s->sse && !s->answered ? STREAM_FOREIGN : STREAM_EMPTY);
    else if (!s->done && !s->finished)
        (void)stream_fail(s, STREAM_HALF);
    return s->fault;
}
