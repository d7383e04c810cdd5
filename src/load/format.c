#include "load/format.h"

#include "base/json.h"
#include "doc/json_write.h"

const char *const load_api_names[API_COUNT + 1] = {
    "chat", "completions", "tgi", "llamacpp", "ollama", "sglang", "triton", NULL};

static const char *const api_paths[API_COUNT] = {"/v1/chat/completions",
                                                 "/v1/completions",
                                                 "/generate_stream",
                                                 "/completion",
                                                 "/api/generate",
                                                 "/generate",
                                                 "/v2/models/ensemble/generate_stream"};

const char *load_api_engine(enum load_api api)
{
    static const char *const engines[API_COUNT] = {[API_LLAMACPP] = "llama.cpp",
                                                   [API_OLLAMA] = "llama.cpp",
                                                   [API_SGLANG] = "sglang",
                                                   [API_TRITON] = "tensorrt-llm"};

    return api < API_COUNT ? engines[api] : NULL;
}

const char *load_api_path(enum load_api api)
{
    return api_paths[api];
}

/* The most particular ends first. */
enum load_api load_api_of(struct str path)
{
    if (str_ends(path, STR("/chat/completions")))
        return API_CHAT;
    if (str_ends(path, STR("/completions")))
        return API_COMPLETIONS;
    if (str_ends(path, STR("/generate_stream")))
        return str_has_nocase(path, STR("/v2/models/")) ? API_TRITON : API_TGI;
    if (str_ends(path, STR("/completion")))
        return API_LLAMACPP;
    if (str_ends(path, STR("/api/generate")))
        return API_OLLAMA;
    return str_ends(path, STR("/generate")) ? API_SGLANG : API_COUNT;
}

static void write_model(const struct load_format *f, struct buf *out)
{
    if (f->model.len == 0)
        return;
    buf_adds(out, "\"model\":");
    json_write_text(f->model, out);
    buf_char(out, ',');
}

static void write_openai(const struct load_format *f, struct str prompt, int32_t output,
                         struct buf *out)
{
    buf_char(out, '{');
    write_model(f, out);
    buf_adds(out, f->api == API_CHAT ? "\"messages\":[{\"role\":\"user\",\"content\":"
                                     : "\"prompt\":");
    json_write_text(prompt, out);
    buf_addf(out, "%s,\"max_tokens\":%d,\"temperature\":0", f->api == API_CHAT ? "}]" : "",
             (int)output);
    if (f->exact)
        buf_addf(out, ",\"ignore_eos\":true,\"min_tokens\":%d", (int)output);
    if (f->stream)
        buf_adds(out, ",\"stream\":true,\"stream_options\":{\"include_usage\":true}");
    buf_char(out, '}');
}

/* The servers' own. */
static void write_native(const struct load_format *f, struct str prompt, int32_t output,
                         struct buf *out)
{
    static const struct {
        const char *before, *between, *after, *exact;
    } shapes[API_COUNT] = {
        [API_TGI] = {"\"inputs\":", ",\"parameters\":{\"details\":true,\"max_new_tokens\":",
                     "}", ""},
        [API_LLAMACPP] = {"\"prompt\":", ",\"stream\":true,\"temperature\":0,\"n_predict\":",
                          "", ",\"ignore_eos\":true"},
        [API_OLLAMA] = {"\"prompt\":",
                        ",\"stream\":true,\"options\":{\"temperature\":0,\"num_predict\":", "}",
                        ""},
        [API_SGLANG] =
            {"\"text\":",
             ",\"stream\":true,\"sampling_params\":{\"temperature\":0,\"max_new_tokens\":", "}",
             ",\"ignore_eos\":true"},
        [API_TRITON] = {"\"text_input\":", ",\"stream\":true,\"max_tokens\":", "", ""},
    };

    buf_char(out, '{');
    if (f->api == API_OLLAMA)
        write_model(f, out);
    buf_adds(out, shapes[f->api].before);
    json_write_text(prompt, out);
    buf_adds(out, shapes[f->api].between);
    buf_addf(out, "%d%s%s}", (int)output, f->exact ? shapes[f->api].exact : "",
             shapes[f->api].after);
}

void load_body_write(const struct load_format *f, struct str prompt, int32_t output,
                     struct buf *out)
{
    if (f->api == API_CHAT || f->api == API_COMPLETIONS)
        write_openai(f, prompt, output, out);
    else
        write_native(f, prompt, output, out);
}

bool load_model_read(struct str text, struct arena *arena, struct load_model *out,
                     struct error *err)
{
    struct json *json =
        json_open_text(text, &(struct json_options){.alloc = arena->alloc}, err);
    struct json_token token = {0};
    struct str *wanted = NULL;
    bool ok = json != NULL;

    while (ok && (ok = json_next(json, &token, err)) && token.kind != JSON_END) {
        if (token.kind == JSON_STRING && wanted != NULL && wanted->len == 0)
            ok = str_keep(token.text, arena, wanted, err);
        wanted = NULL;
        if (token.kind == JSON_KEY && str_eq(token.text, STR("id")))
            wanted = &out->id;
        else if (token.kind == JSON_KEY && str_eq(token.text, STR("owned_by")))
            wanted = &out->owner;
    }
    json_close(json);
    return ok;
}
