/* bundle.h - folders as one packed archive, and back.
 *
 * Plain tar reads it. Its first member is the manifest of all others (manifest.h), which follow
 * in the manifest's order: so what is unpacked is announced before. Owners are not kept, of the
 * rights only whether a file may be executed, and nothing says when it was made: the same files
 * give the same bytes, with any number of threads.
 *
 * What is packed already, such as pictures and videos, is stored as it is.
 */
#ifndef DATA_BUNDLE_BUNDLE_H
#define DATA_BUNDLE_BUNDLE_H

#include "base/source.h"
#include "data/manifest.h"
#include "data/sampled.h"

#define BUNDLE_MANIFEST "stint.manifest" /* the name of the first member */

enum bundle_kind {
    BUNDLE_GZIP, /* a tar.gz */
    BUNDLE_ZSTD, /* a tar.zst */
};

/* What goes into it: a folder, or one file. */
struct bundle_source {
    struct str name;    /* in the bundle: "dataset/" for a folder, with the tree's paths below
                         * it; "config.json" for the only file of the tree */
    const char *folder; /* where the tree is */
    const struct tree *tree;
};

/* Digest and entry of one file, as a tree. A link is followed; `*folder` is where it is. */
bool bundle_file(const char *path, const struct watch *watch, struct arena *arena,
                 struct tree *out, const char **folder, struct error *err) MUST_USE;

struct bundle {
    struct manifest manifest;
    const struct bundle_source *sources; /* in the order of their names */
    size_t source_count;
    size_t links;    /* that are in it */
    size_t outside;  /* links that lead outside their folder: among the problems of the tree */
    size_t left_out; /* entries of the manifest that are not in the bundle, those among them */
};

/* What will be in the bundle. A link is taken when it leads nowhere outside its folder: it is
 * relative, and ".." is only at its beginning. Others are problems of the manifest's tree, and
 * are left out, like what could not be read. */
bool bundle_plan(const struct bundle_source *sources, size_t count, struct arena *arena,
                 struct bundle *out, struct error *err) MUST_USE;

/* Refuse to write it into a folder that it holds. */
bool bundle_check_outside(const struct bundle *bundle, const char *output,
                          struct error *err) MUST_USE;

struct bundle_work {
    enum bundle_kind kind;
    int fd;           /* to write it to */
    const char *name; /* of that, for errors */
    unsigned threads; /* 0: all cores, at most 16 */
    const struct watch *watch;
};

struct bundle_took {
    uint64_t size;   /* of the bundle */
    uint64_t stored; /* bytes of files that were not packed again */
};

/* Fails when a file is not any more what its tree says. */
bool bundle_write(const struct bundle_work *work, const struct bundle *bundle,
                  struct bundle_took *took, struct error *err) MUST_USE;

/* How large a bundle of a folder would be: some of its pieces are packed as bundle_write()
 * does, all of them of a small one, chosen by their names, so that they are the same each time.
 * The tree needs no digests; `work` has no file. The error when the part `archive` is not
 * there. */
bool bundle_measure(const struct bundle_work *work, const char *folder, const struct tree *tree,
                    struct arena *arena, struct sampled *out, struct error *err) MUST_USE;

struct unbundle_work {
    struct source packed;
    const char *name;   /* of the bundle, for errors */
    const char *folder; /* to make: it must not be there */
    const struct watch *watch;
};

/* Unpack into a new folder beside it, compare everything with the manifest, and rename it: the
 * folder is complete, or not there. What is not in the manifest, what would be outside the
 * folder or too large for its disk, and links that lead outside are refused. */
bool unbundle(const struct unbundle_work *work, struct arena *arena, struct manifest *out,
              struct error *err) MUST_USE;

/* Does a link with that path lead nowhere outside the first folder of the path? */
bool bundle_link_stays(struct str path, struct str target);

#endif
