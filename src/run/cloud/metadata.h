/* metadata.h - what the machine's cloud says of it: asked only where cloud_recognize() found
 * the cloud, at a link-local address, without a proxy, with tight limits.
 *
 * Tests, and users of unusual networks, override the address: STINT_METADATA_URL, such as
 * http://127.0.0.1:8080, replaces that of any cloud.
 */
#ifndef RUN_CLOUD_METADATA_H
#define RUN_CLOUD_METADATA_H

#include "base/arena.h"
#include "base/log.h"
#include "base/str.h"
#include "meter/cloud.h"

struct metadata {
    enum cloud cloud;
    struct str provider, instance, region, zone, id; /* empty: not known */
    struct str name;                                 /* of the machine, as its user calls it */
    struct str resource; /* what bills call it; empty: by its id, or not known */
    struct str market;   /* "on-demand", "spot", empty: not known */
};

/* Fill in what `facts` left open. False when the service does not answer, or not sensibly: then
 * `out` has the facts, and the error says why. Of clouds without such a service, and of none,
 * the facts and the environment are all there is, and nothing is sent.
 *
 * A process of its own asks, so that libcurl does not stay in this one; it takes milliseconds,
 * and at most METADATA_LIMIT. */
#define METADATA_LIMIT ((span){INT64_C(6000000000)})
bool metadata_ask(const struct cloud_facts *facts, const struct alloc *alloc,
                  const struct log *log, struct arena *arena, struct metadata *out,
                  struct error *err) MUST_USE;

/* ---- for tests and fuzzing ---- */

/* Let `work` fill in `answer` (`size` bytes, as they are here at first) in a process of its
 * own: what it loads (libcurl) does not stay with this one, and what hangs there does not hang
 * here. False when it ended without an answer, or is not done within `limit`, which ends it. */
bool metadata_apart(void (*work)(void *ctx, void *answer), void *ctx, void *answer, size_t size,
                    span limit, struct error *err) MUST_USE;

#define METADATA_PATH 320 /* bytes of the longest path of a resource, with the NUL */

/* Empty: not known. */
struct metadata_words {
    char instance[64], region[64], zone[64], id[80], name[80], market[16];
    char resource[METADATA_PATH];
};

/* Copy a word that may be part of a name (letters, digits, "-_.+"), with a NUL. False, and
 * empty, when it is anything else, is empty or does not fit. */
bool metadata_word(struct str text, char *to, size_t room);

/* The first line of an answer, without blanks around it. */
struct str metadata_line(struct str body);

/* The identity document, and instance-life-cycle (empty: no answer). */
bool metadata_ec2(struct str document, struct str life_cycle, struct metadata_words *out,
                  struct error *err) MUST_USE;

/* "projects/1/machineTypes/g2-standard-4", "projects/1/zones/us-central1-a", "TRUE" or "FALSE",
 * and a number; the last two may be empty. */
bool metadata_gcp(struct str machine_type, struct str zone, struct str preemptible,
                  struct str id, struct metadata_words *out, struct error *err) MUST_USE;

/* instance/compute, or all of instance. The resource is a path: "/subscriptions/.../vm-0". */
bool metadata_azure(struct str body, struct metadata_words *out, struct error *err) MUST_USE;

/* A data center of RunPod ("EU-RO-1", "US-TX-3") as the country that prices and carbon go by:
 * "RO", "US". Empty when it is none. */
struct str metadata_runpod_country(struct str center);

#endif
