/* metadata_service.h - asking the metadata service of one cloud: address, headers, tokens. */
#ifndef RUN_CLOUD_METADATA_SERVICE_H
#define RUN_CLOUD_METADATA_SERVICE_H

#include "base/log.h"
#include "meter/cloud.h"
#include "net/http.h"

#define METADATA_BODY 65536 /* bytes of an answer: more is refused */

struct metadata_service {
    enum cloud cloud;
    const struct alloc *alloc;
    const struct log *log;
    unsigned tries;           /* of each question */
    bool (*go_on)(void *ctx); /* asked several times a second; NULL: always */
    void *ctx;
    struct http_session *session;
    char base[256];
    char token[260]; /* of EC2; empty: none yet */
    /* of the last answer: */
    int status; /* 0 when there was none */
    char etag[256];
    size_t len;
    char body[METADATA_BODY];
};

/* Where the service of this cloud is; NULL when it has none. */
const char *metadata_address(enum cloud cloud);

/* Nothing is sent yet. `service` is set but for what follows `ctx`. */
bool metadata_service_open(struct metadata_service *service, struct error *err) MUST_USE;
void metadata_service_close(struct metadata_service *service); /* also when it did not open */

/* GET what is after the address, "/latest/meta-data/...": the body, until the next call.
 * False for anything but 200, with `status`: 404 is how EC2 says that there is nothing. */
bool metadata_service_get(struct metadata_service *service, const char *path, span limit,
                          struct str *body, struct error *err) MUST_USE;

#define METADATA_PATIENCE ((span){INT64_C(2000000000)}) /* the usual `limit` */

#endif
