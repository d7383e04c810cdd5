/* bench - the servers that are measured. */
#include "op/bench/bench_endpoint.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/spawn.h"
#include "net/http.h"
#include "net/url.h"
#include "op/context.h"

#define MODELS_MAX ((uint64_t)1 << 20)
#define LOOK_AGAIN ((span){SECOND / 2})
#define END_GRACE ((span){10 * SECOND}) /* for a server to end */
#define LAST_WORDS 300                  /* bytes of a server's output that ended */

/* ---- addresses ---- */

/* What is before the path. */
static struct str server_base(const struct url *url)
{
    return (struct str){url->place.at, url->place.len - url->path.len};
}

/* "host:8000" is http, and an address without a path of ours gets that of the interface. */
static bool complete_url(struct op_context *ctx, const struct bench_request *req,
                         struct str text, struct bench_endpoint *out, struct error *err)
{
    struct buf whole = buf_new(ctx->arena->alloc, 8192);
    enum load_api api = req->api >= 0 ? (enum load_api)req->api : API_COUNT;
    struct url url;
    struct str base;

    if (memmem(text.at, text.len, "://", 3) == NULL)
        buf_adds(&whole, "http://");
    buf_add(&whole, text);
    if (!buf_keep(&whole, ctx->arena, &text, err))
        return false;
    if (!url_parse(text, &url, err)) {
        error_context(err, "the endpoint"); /* not its text, which may hold a password */
        return false;
    }
    if (api == API_COUNT)
        api = load_api_of(url.path);
    out->base = base = server_base(&url);
    out->here = url_is_loopback(&url) || req->start.len > 0;
    whole = buf_new(ctx->arena->alloc, 8192);
    if (url.path.len == 0 || str_eq(url.path, STR("/")) || str_eq(url.path, STR("/v1")) ||
        str_eq(url.path, STR("/v1/"))) {
        api = api == API_COUNT ? API_CHAT : api;
        buf_add(&whole, base);
        buf_adds(&whole, load_api_path(api));
    } else if (api != API_COUNT) {
        buf_add(&whole, url.place);
    } else {
        buf_free(&whole);
        error_set(err, ERROR_USAGE, "'%.*s' has a path that no known server has",
                  STR_ARG(text));
        error_hint(err, "give the server's address alone, or say what it is with --api");
        return false;
    }
    if (url.query.len > 0) {
        buf_char(&whole, '?');
        buf_add(&whole, url.query);
    }
    out->format.api = api;
    return buf_keep(&whole, ctx->arena, &out->url, err);
}

/* ---- the key ---- */

static bool find_key(struct op_context *ctx, const struct bench_request *req,
                     struct bench_endpoint *out, struct error *err)
{
    char *name = str_dup(req->key_env, ctx->arena, err);
    const char *key = name != NULL ? env_get(name) : NULL;

    if (name == NULL)
        return false;
    if (key == NULL || key[0] == '\0')
        return true;
    if (snprintf(out->secret, sizeof out->secret, "Bearer %s", key) >= (int)sizeof out->secret)
        return error_fail(err, ERROR_INPUT, "the key in %s is too long", name);
    out->key = (struct http_header){"Authorization", out->secret, true};
    out->at.headers = &out->key;
    out->at.header_count = 1;
    return true;
}

void bench_endpoint_wipe(struct bench_endpoint *endpoint)
{
    explicit_bzero(endpoint->secret, sizeof endpoint->secret);
}

/* ---- the model ---- */

static bool keep_asking(void *ctx, uint64_t done, uint64_t total)
{
    const struct op_context *op = ctx;

    (void)done;
    (void)total;
    return !watch_stopped(&op->watch);
}

static const struct http_manners quick_manners = {
    .tries = 1,
    .connect = {5 * SECOND},
    .stall = {5 * SECOND},
    .attempt = {10 * SECOND},
};

/* "/v1/models" of the server. */
static bool ask_models(struct op_context *ctx, const struct bench_endpoint *e,
                       struct load_model *out, struct error *err)
{
    const struct http_client client = {.alloc = ctx->arena->alloc,
                                       .log = ctx->messages.log,
                                       .manners = &quick_manners,
                                       .progress = keep_asking,
                                       .progress_ctx = ctx};
    struct http_response response = {.fd = -1};
    struct buf url = buf_new(ctx->arena->alloc, 8192);
    struct http_request request = {.headers = e->at.headers,
                                   .header_count = e->at.header_count,
                                   .certificates = e->at.certificates,
                                   .plain_allowed = e->at.plain_allowed,
                                   .stay = true,
                                   .max_body = MODELS_MAX};
    struct str text, address;
    bool ok;

    buf_add(&url, e->base);
    buf_adds(&url, "/v1/models");
    buf_char(&url, '\0');
    if (!buf_keep(&url, ctx->arena, &address, err))
        return false;
    request.url = address.at;
    ok = http_get(&client, &request, &response, err) && response.fd >= 0 &&
         fs_read_from(response.fd, "/v1/models", MODELS_MAX, ctx->arena, &text, err);
    ok = ok && load_model_read(text, ctx->arena, out, err);
    http_response_close(&response);
    return ok;
}

/* Named by the user, or by the server where its interface needs a name. */
static bool find_model(struct op_context *ctx, const struct bench_request *req,
                       struct bench_endpoint *out, struct error *err)
{
    enum load_api api = out->format.api;
    bool openai = api == API_CHAT || api == API_COMPLETIONS;
    struct load_model seen = {0};
    struct error why = {0};

    out->format.model = req->model;
    if (!openai && (api != API_OLLAMA || req->model.len > 0))
        return true;
    if (ask_models(ctx, out, &seen, &why)) {
        out->engine = seen.owner;
        if (req->model.len == 0)
            out->format.model = seen.id;
    } else if (why.kind == ERROR_MEMORY) {
        *err = why;
        return false;
    }
    if (out->format.model.len > 0)
        return true;
    error_set(err, why.text[0] != '\0' ? why.kind : ERROR_FAILED,
              "cannot ask the server for its model: %s",
              why.text[0] != '\0' ? why.text : "it names none");
    error_hint(err, "%s", why.hint[0] != '\0' ? why.hint : "name it: --model NAME");
    return false;
}

/* Do answers have exactly as many tokens as asked for? Where the server knows how. */
static bool find_exact(const struct bench_request *req, const struct bench_endpoint *e)
{
    static const char *const engines[] = {"vllm", "sglang", "llamacpp", NULL};

    if (req->exact != EXACT_AUTO)
        return req->exact == EXACT_YES;
    return e->format.api == API_LLAMACPP || e->format.api == API_SGLANG ||
           str_is_one_of(e->engine, engines);
}

bool bench_endpoint_find(struct op_context *ctx, const struct bench_request *req,
                         struct str url, struct bench_endpoint *out, struct error *err)
{
    char *certificates = NULL, *address;

    *out = (struct bench_endpoint){.at.timeout = req->timeout, .at.plain_allowed = req->plain};
    if (req->certificates.len > 0) {
        certificates = str_dup(req->certificates, ctx->arena, err);
        if (certificates == NULL)
            return false;
    }
    out->at.certificates = certificates;
    if (!complete_url(ctx, req, url, out, err) || !find_key(ctx, req, out, err) ||
        !find_model(ctx, req, out, err))
        return false;
    address = str_dup(out->url, ctx->arena, err);
    out->at.url = address;
    out->format.stream = true;
    out->format.exact = find_exact(req, out);
    return address != NULL;
}

/* ---- a server that is started ---- */

/* Anything that it answers will do: it is there. */
static bool server_answers(struct op_context *ctx, struct str base, struct error *err)
{
    const struct bench_endpoint probe = {.base = base};
    struct load_model seen = {0};
    struct error why = {0};

    if (ask_models(ctx, &probe, &seen, &why))
        return true;
    if (why.kind == ERROR_MEMORY) {
        *err = why;
        return false;
    }
    /* Refused, or not found: by a server. */
    return strchr(why.text, '(') != NULL && strstr(why.text, "no connection") == NULL &&
           strstr(why.text, "(503)") == NULL;
}

static bool wait_for_server(struct op_context *ctx, const struct bench_request *req,
                            struct str base, struct bench_server *server, struct error *err)
{
    const struct timespec pause = {0, LOOK_AGAIN.ns};
    int64_t start = clock_system.now(clock_system.ctx).ns, waited = 0;
    char last[LAST_WORDS + 1];
    int status;

    while (waited <= req->start_timeout.ns) {
        struct error broken = {0};

        watch_progress(&ctx->watch, "starting the server", (uint64_t)(waited / SECOND), 0);
        if (watch_stopped(&ctx->watch))
            return error_fail(err, ERROR_STOPPED, "stopped before the server answered");
        if (server_answers(ctx, base, &broken))
            return true;
        if (broken.kind != ERROR_NONE) {
            *err = broken;
            return false;
        }
        if (spawn_group_ended(&server->group, &status)) {
            error_set(err, ERROR_FAILED,
                      "the server ended (status %d) before it answered at %.*s", status,
                      STR_ARG(base));
            if (spawn_last_line(server->log, last, sizeof last))
                error_hint(err, "its last line: %s", last);
            return false;
        }
        (void)nanosleep(&pause, NULL);
        waited = clock_system.now(clock_system.ctx).ns - start;
    }
    error_set(err, ERROR_FAILED, "the server did not answer at %.*s in time", STR_ARG(base));
    error_hint(err, "is that its address? give it beside --start; --start-timeout allows more");
    return false;
}

bool bench_server_start(struct op_context *ctx, const struct bench_request *req, struct str url,
                        struct bench_server *out, struct error *err)
{
    const char *argv[] = {"sh", "-c", NULL, NULL};
    struct bench_endpoint at = {0};
    struct error ignored = {0};
    char log[] = "/tmp/stint-bench-XXXXXX";

    argv[2] = str_dup(req->start, ctx->arena, err);
    if (argv[2] == NULL || !complete_url(ctx, req, url, &at, err))
        return false;
    if (server_answers(ctx, at.base, &ignored))
        return error_fail_hint(err, ERROR_INPUT, "leave --start out to measure that one",
                               "something answers at %.*s already", STR_ARG(at.base));
    out->log = mkostemp(log, O_CLOEXEC);
    if (out->log < 0)
        return error_fail(err, ERROR_SYSTEM,
                          "cannot make a file for the server's output in /tmp");
    (void)unlink(log);
    return spawn_group_start(argv, out->log, END_GRACE, &out->group, err) &&
           wait_for_server(ctx, req, at.base, out, err);
}

void bench_server_end(struct bench_server *server)
{
    spawn_group_end(&server->group);
    if (server->log >= 0)
        (void)close(server->log);
    server->log = -1;
}
