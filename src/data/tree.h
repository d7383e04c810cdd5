/* tree.h - what lies in a folder: files, links and empty folders, in one order.
 *
 * Names are bytes: any that a file may have, in any encoding, with newlines. Entries are sorted
 * by the bytes of their paths, in which a folder's name ends with a slash, so that two trees
 * are compared by walking them together. */
#ifndef DATA_TREE_H
#define DATA_TREE_H

#include "base/arena.h"
#include "base/str.h"
#include "base/watch.h"
#include "doc/field.h"

struct stat; /* sys/stat.h */

#define TREE_DIGEST 32 /* bytes of SHA-256 */

enum tree_kind {
    TREE_FILE,
    TREE_LINK,  /* a symbolic link: what it points to is its content, and is not followed */
    TREE_EMPTY, /* a folder with nothing in it; its path ends with a slash */
    TREE_OTHER, /* a socket, a pipe, a device, a folder with something in it: never an entry */
};

/* What the file system says of a file: while none of it changes, its content does not. */
struct tree_stat {
    uint64_t size;
    int64_t modified, changed; /* nanoseconds since 1970; `changed` 0: not known */
    uint64_t inode;
};

struct tree_entry {
    struct str path; /* below the folder, without a leading slash */
    enum tree_kind kind;
    bool hashed;  /* `digest` is known */
    bool trouble; /* all that is known is that it is there: it is among the problems, too. When
                   * it is a folder, so it is of what may be in it. */
    struct tree_stat stat;
    unsigned char
        digest[TREE_DIGEST];     /* of the content; of a file in chunks, of its `chunks` */
    const unsigned char *chunks; /* [chunk_count][TREE_DIGEST]; NULL: not in chunks */
    uint32_t chunk_count;
};

/* What is in the folder and cannot be an entry. */
enum tree_problem_kind {
    TREE_UNREADABLE, /* no permission, or the disk fails */
    TREE_SPECIAL,    /* a socket, a named pipe, a device */
    TREE_CHANGING,   /* written while it was read, twice */
};

struct tree_problem {
    struct str path;
    struct str reason;
    int32_t kind; /* enum tree_problem_kind */
};

extern const struct field_set tree_problem_fields;

struct tree {
    struct tree_entry *entries;
    size_t count;
    struct tree_problem *problems;
    size_t problem_count;
    bool holes;     /* a file takes less of the disk than it has bytes */
    uint64_t bytes; /* of all files, but for those in trouble */
    size_t files;
    /* For work on entries: all of it is in `arena`. */
    size_t room, problem_room;
    struct arena *arena;
};

/* Version control, environments, settings: it or a folder that it is in has a name that begins
 * with a dot. */
bool tree_is_hidden(struct str path);

/* It stays in the folder: no part of it is empty, "." or "..", and it has no zero byte. */
bool tree_path_stays(struct str path);

/* The path without the extension: "a/b" of "a/b.jpg"; ".x" and "a/.x" have none. */
struct str tree_path_stem(struct str path);

/* Does it end with one of these extensions, which have no dot and end with NULL? Case is
 * ignored. */
bool tree_path_has_extension(struct str path, const char *const *extensions);

/* Where an entry with that path is, or would be; and the entry, or NULL. */
size_t tree_place_of(const struct tree *tree, struct str path);
const struct tree_entry *tree_entry_at(const struct tree *tree, struct str path);

/* How many entries are of that kind. */
size_t tree_count(const struct tree *tree, enum tree_kind kind);

/* Folders in each other; deeper ones are an error that names one. */
#define TREE_DEPTH 200

/* What Stint keeps in a folder is no part of it: in its root what `data sync` needs, beside a
 * file what of it has arrived. Walks step over these names in any folder. */
#define TREE_OWN ".stint-sync"
#define TREE_PARTIAL ".stint-part"
bool tree_is_own(struct str name);

/* Walk the folder; one stat a file, and nothing is read. A file or folder that cannot be looked
 * at is a problem of the tree, not an error. Other file systems below are walked too. */
bool tree_walk(const char *folder, const struct watch *watch, struct arena *arena,
               struct tree *out, struct error *err) MUST_USE;

/* False, with ERROR_STOPPED, when the work on a tree is to end. */
bool tree_goes_on(const struct watch *watch, struct error *err) MUST_USE;

/* Add an entry behind the others; NULL when memory runs out. */
struct tree_entry *tree_add_entry(struct tree *tree, struct error *err) MUST_USE;

bool tree_add_problem(struct tree *tree, enum tree_problem_kind kind, struct str path,
                      const char *why, struct error *err) MUST_USE;

/* What the file system says. */
struct tree_stat tree_stat_of(const struct stat *st);
enum tree_kind tree_kind_of(const struct stat *st);

/* Nothing of it is different, so the content is the same. */
bool tree_stat_same(const struct tree_stat *a, const struct tree_stat *b);

/* Is the open file a regular one, and nothing of it different? `out` may be NULL. */
bool tree_file_is_unchanged(int fd, const struct tree_stat *was, struct stat *out);

/* Do both have the same content? Sizes and digests decide, not times. */
bool tree_same(const struct tree_entry *a, const struct tree_entry *b);

#endif
