/* format.h - requests as each kind of server takes them. */
#ifndef LOAD_FORMAT_H
#define LOAD_FORMAT_H

#include "base/buf.h"

enum load_api {
    API_CHAT,        /* /v1/chat/completions */
    API_COMPLETIONS, /* /v1/completions */
    API_TGI,         /* /generate_stream */
    API_LLAMACPP,    /* /completion */
    API_OLLAMA,      /* /api/generate */
    API_SGLANG,      /* /generate */
    API_TRITON,      /* /v2/models/NAME/generate_stream */
    API_COUNT,
};
extern const char *const load_api_names[API_COUNT + 1];

/* The kind by the path of an address; API_COUNT when it is none of theirs. */
enum load_api load_api_of(struct str path);

/* The engine that alone has this interface: "sglang"; NULL: several have it. */
const char *load_api_engine(enum load_api api);

/* What follows the address of a server: "/v1/chat/completions". */
const char *load_api_path(enum load_api api);

struct load_format {
    enum load_api api;
    struct str model; /* may be empty where the server has one */
    /* Ask for exactly the number of tokens, whatever the model would say: vLLM, SGLang and
     * llama.cpp know how. */
    bool exact;
    bool stream;
};

/* The first model that a server lists at /v1/models, and whose it is: "vllm". Empty: it does
 * not say. */
struct load_model {
    struct str id, owner;
};
bool load_model_read(struct str json, struct arena *arena, struct load_model *out,
                     struct error *err) MUST_USE;

void load_body_write(const struct load_format *format, struct str prompt, int32_t output,
                     struct buf *out);

#endif
