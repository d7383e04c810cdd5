/* bench_endpoint.h - the servers that are measured: their addresses, models and keys, and the
 * one that is started for it. */
#ifndef OP_BENCH_BENCH_ENDPOINT_H
#define OP_BENCH_BENCH_ENDPOINT_H

#include "base/spawn.h"
#include "load/wire.h"
#include "net/credentials.h"
#include "op/bench/bench.h"

struct op_context; /* op/context.h */

struct bench_endpoint {
    struct load_endpoint at;
    struct load_format format;
    struct str url, base; /* with its path; "http://127.0.0.1:8000" */
    struct str engine;    /* by its own word: "vllm"; empty: not known */
    bool here;            /* it is on this machine */
    struct http_header key;
    char secret[CREDENTIAL_MAX + 8]; /* "Bearer ..." */
};

/* Complete an address, find the key, ask for the model. */
bool bench_endpoint_find(struct op_context *ctx, const struct bench_request *request,
                         struct str url, struct bench_endpoint *out,
                         struct error *err) MUST_USE;
void bench_endpoint_wipe(struct bench_endpoint *endpoint);

/* The server of --start. */
struct bench_server {
    struct spawn_group group;
    int log; /* a file without a name */
};

/* Start it and wait until `url` answers. */
bool bench_server_start(struct op_context *ctx, const struct bench_request *request,
                        struct str url, struct bench_server *out, struct error *err) MUST_USE;
void bench_server_end(struct bench_server *server);

#endif
