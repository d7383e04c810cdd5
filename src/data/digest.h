/* digest.h - SHA-256 of the files of a tree, on all cores.
 *
 * A file up to DIGEST_CHUNK has the digest that `sha256sum` prints. A larger one is read in
 * chunks by several threads: each chunk has its digest, and the file's is that of the chunks'
 * digests one after the other. So one file of 100 GB keeps all cores busy, and what was added
 * to its end is found.
 */
#ifndef DATA_DIGEST_H
#define DATA_DIGEST_H

#include "data/tree.h"

#define DIGEST_CHUNK ((uint64_t)64 << 20)

struct digest_work {
    const char *folder; /* of the tree */
    const struct watch *watch;
    unsigned threads; /* 0: all cores */
};

/* Read every entry that is not hashed yet. A file that is written meanwhile is read again
 * once; what still changes, cannot be read or is gone is a problem of the tree, and is not
 * hashed. */
bool digest_tree(const struct digest_work *work, struct tree *tree, struct error *err) MUST_USE;

/* Of a text. */
bool digest_of_text(struct str text, unsigned char out[static TREE_DIGEST],
                    struct error *err) MUST_USE;

#endif
