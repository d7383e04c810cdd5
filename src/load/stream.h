/* stream.h - what an inference server answers, piece by piece, as it arrives.
 *
 * Server-sent events ("data: {...}") and lines of JSON ({...}\n), cut anywhere; an answer in
 * one piece is read, too. One reader knows the events of all servers, since their names do not
 * clash: OpenAI-compatible completions and chats (vLLM, SGLang, TGI, llama.cpp, Ollama,
 * TensorRT-LLM), and the servers' own: TGI's generate_stream, llama.cpp's completion, Ollama's
 * api/generate and api/chat, SGLang's generate, Triton's generate_stream. */
#ifndef LOAD_STREAM_H
#define LOAD_STREAM_H

#include "base/buf.h"

#define STREAM_EVENT_MAX \
    ((size_t)4 << 20) /* bytes of one event, or of an answer in one piece */
#define STREAM_MESSAGE 160
#define STREAM_ID 72 /* of an id; a longer one is not kept */

/* What an event says. */
struct stream_event {
    bool text;     /* it has text of the answer, or of its reasoning, or of a call of a tool */
    bool answer;   /* it is an event of an answer at all */
    bool finished; /* a reason why the answer ended */
    bool unmarked; /* its server marks no end */
    bool failed;   /* the server reports an error; `message` has it */
    int64_t input, output; /* tokens so far, by the server; -1: it does not say */
    size_t cumulative; /* bytes of text so far, where each event repeats it; 0: it does not */
    char message[STREAM_MESSAGE];
    char id[STREAM_ID]; /* of the answer, by the server; empty: it gives none */
};

/* One event, as JSON. False when it is no JSON object. */
bool stream_event_read(struct str json, const struct alloc *alloc, struct stream_event *out);

enum stream_fault {
    STREAM_FINE,
    STREAM_FOREIGN,   /* JSON, or other text, that is no answer of such a server */
    STREAM_TOO_LARGE, /* one event is */
    STREAM_SERVER,    /* the server reported an error */
    STREAM_HALF,      /* it ended within an event, or before the answer was complete */
    STREAM_EMPTY,     /* it ended without a piece of text */
    STREAM_MEMORY,
};

struct load_answer {
    const struct alloc *alloc;
    struct buf line; /* what has arrived of a line */
    struct buf data; /* of an event, its lines */
    bool sse;        /* a line began with "data:" */
    bool whole;      /* the answer comes in one piece: it is not a stream */
    bool at_once;    /* its only piece of text was in the event that ended it */
    bool done;       /* [DONE] */
    bool finished, answered;
    size_t cumulative;
    enum stream_fault fault;
    int64_t pieces; /* events with text */
    int64_t input, output;
    char message[STREAM_MESSAGE], id[STREAM_ID];
};

struct load_answer load_answer_new(const struct alloc *alloc);
void load_answer_free(struct load_answer *s);
void load_answer_again(struct load_answer *s); /* for the next answer; keeps the memory */

/* Take what arrived; `pieces` is how many events with text are complete now. False once the
 * stream has a fault, and then always. */
bool load_answer_take(struct load_answer *s, struct str bytes, int *pieces);

/* The connection has ended. */
enum stream_fault load_answer_end(struct load_answer *s);

#endif
