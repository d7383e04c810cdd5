/* digest_part.h - SHA-256 by OpenSSL, in the loadable part `digest`. */
#ifndef DATA_DIGEST_PART_H
#define DATA_DIGEST_PART_H

#include <stdbool.h>
#include <stddef.h>

#define DIGEST_PART_VERSION 1
#define DIGEST_BYTES 32

struct digest_part {
    /* A digest of nothing yet; NULL when memory runs out or the library cannot do it. Any
     * number of threads may have their own. */
    void *(*start)(void);
    bool (*add)(void *digest, const void *bytes, size_t len);
    bool (*end)(void *digest, unsigned char out[static DIGEST_BYTES]);
    void (*drop)(void *digest); /* NULL is fine */
};

#endif
