/* metadata.h - what the machine's cloud says of it: asked only where cloud_recognise() found the
 * cloud, at a link-local address, without a proxy, with tight limits.
 *
 * Tests, and people behind odd networks, override the address: STINT_METADATA_URL.
 */
#ifndef RUN_METADATA_H
#define RUN_METADATA_H

#include "base/arena.h"
#include "base/log.h"
#include "base/str.h"
#include "meter/cloud.h"

struct metadata {
    enum cloud cloud;
    struct str provider, instance, region, zone, id; /* empty: not known */
    struct str market;                               /* "on-demand", "spot", empty: not known */
};

/* Fill in what `facts` left open. False when the service does not answer: the facts stay. */
bool metadata_ask(const struct cloud_facts *facts, const struct alloc *alloc,
                  const struct log *log, struct arena *arena, struct metadata *out,
                  struct error *err) MUST_USE;

#endif
