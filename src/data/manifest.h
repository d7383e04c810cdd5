/* manifest.h - a tree written down: size, time and SHA-256 of everything in a folder.
 *
 * As text, so that a person and other tools can read it: a head, then a line for each entry in
 * the order of tree.h, with the path last, then an end, without which it is refused. A
 * backslash in a path is written twice, and a newline as "\n"; other bytes stay as they are.
 *
 *     stint manifest 1
 *     files 3
 *     bytes 71303199
 *     sha256 4d0f...            of the content: two equal trees have the same
 *     taken 1763500000          seconds since 1970
 *
 *     f 9f86... 4 1763412345.123456789 sub/a.txt       a file
 *     c 1b4f... 71303168 1763412345.5 big.bin          one in chunks of 64 MiB, then each chunk
 *     + 2c26...
 *     l 6b86... 5 1763412345.0 link                    a link: of what it points to
 *     d empty/                                         a folder with nothing in it
 *     ? broken.bin                                     could not be read, or is no file
 *     end
 *
 * The one that Stint keeps for itself, to read an unchanged file only once, also has the inode
 * and the time of the last change of each file ("i INODE SECONDS" before its path). */
#ifndef DATA_MANIFEST_H
#define DATA_MANIFEST_H

#include "base/buf.h"
#include "base/clock.h"
#include "data/tree.h"

struct manifest {
    struct tree tree;
    unsigned char digest[TREE_DIGEST]; /* of the content of all entries */
    stamp taken;
    int64_t
        taken_part; /* nanoseconds after that, of one that Stint keeps for itself; 0: unknown */
};

struct manifest_work {
    const char *folder;
    const char *kept; /* the file of an earlier manifest of the folder; NULL: none is kept */
    bool reread;      /* read every file, whatever is kept */
    unsigned threads; /* 0: all cores */
    const struct watch *watch;
    stamp now;        /* by the clock that files get their times from */
    int64_t now_part; /* nanoseconds after that; 0: unknown */
};

/* What it took. */
struct manifest_took {
    uint64_t read_bytes;
    size_t read_files, known_files;
};

#define MANIFEST_MAX ((size_t)1 << 30) /* bytes of one as text: some ten million files */

/* Walk the folder and read what is new or changed since the kept manifest, which is replaced
 * when it is not the same any more. A kept one that is damaged counts as none. */
bool manifest_take(const struct manifest_work *work, struct arena *arena, struct manifest *out,
                   struct manifest_took *took, struct error *err) MUST_USE;

#define MANIFESTS_KEPT 500

/* Of the manifests that are kept in a folder, whose names are `name_digits` hexadecimal digits,
 * those stay that were written last: MANIFESTS_KEPT. What else is in it stays, too. */
void manifest_forget_old(const char *folder, size_t name_digits);

/* Read one that is text. Refuses paths that lead outside and entries that are not in order. The
 * text must outlive it. */
bool manifest_read(struct str text, struct arena *arena, struct manifest *out,
                   struct error *err) MUST_USE;

/* `private`: with inodes. */
void manifest_write(const struct manifest *manifest, bool private, struct buf *out);

/* The digest of all entries; none of their times counts. */
bool manifest_digest(const struct tree *tree, unsigned char out[static TREE_DIGEST],
                     struct error *err) MUST_USE;

#endif
