/* notice_look.h - one look at what a cloud says: what notice.c and notice_look.c share. */
#ifndef RUN_CLOUD_NOTICE_LOOK_H
#define RUN_CLOUD_NOTICE_LOOK_H

#include "run/cloud/metadata_service.h"
#include "run/cloud/notice.h"

struct notice_look {
    struct metadata_service service;
    const struct clock *clock;
    void (*tell)(void *ctx, const struct notice *notice); /* of each; not of NOTICE_NONE */
    void *ctx;
    unsigned round;   /* looks that went well */
    char etag[256];   /* of GCP: of what was last said; empty: nothing yet */
    char machine[80]; /* of Azure: our name; empty: not known yet */
};

/* Look once, which may take a while where a cloud lets one wait for news. False when the
 * service does not answer. */
bool notice_look(struct notice_look *look, struct error *err) MUST_USE;

/* How long to wait between two looks. */
span notice_pace(enum cloud cloud);

#endif
