/* wire.h - a run against a real server: load/drive.h on net/streams.h and the system's
 * clock. */
#ifndef LOAD_WIRE_H
#define LOAD_WIRE_H

#include "load/drive.h"
#include "net/streams.h"

struct load_endpoint {
    const char *url;
    const struct http_header *headers;
    size_t header_count;
    const char *certificates;
    bool plain_allowed;
    span timeout; /* of one request */
};

/* `work_s`: the processor time that the client took. */
bool load_run_on(const struct load_endpoint *endpoint, const struct load_options *options,
                 struct arena *arena, struct load_run *out, double *work_s,
                 struct error *err) MUST_USE;

#endif
