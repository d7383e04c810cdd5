/* remake.h - a folder made anew from another, entry by entry: under another name until it is
 * complete, so that it appears complete or not at all. The other folder is only read. */
#ifndef DATA_REMAKE_H
#define DATA_REMAKE_H

#include <limits.h>

#include "data/tree.h"

#define REMAKE_BLOCK ((size_t)1 << 20) /* bytes that are read at once */
#define REMAKE_CHANGING (-1)           /* instead of an errno: written while it was read */

struct remake_folder {
    const char *name;
    char temporary[PATH_MAX]; /* empty: not made yet */
};

/* The new folder (or file) must not be there, nor be in `from`. */
bool remake_check(const char *from, const char *to, struct error *err) MUST_USE;
bool remake_check_absent(const char *to, struct error *err) MUST_USE;

bool remake_start(struct remake_folder *folder, struct error *err) MUST_USE;

/* Flush it to the disk and give it its name. One that was not made is none. */
bool remake_place(struct remake_folder *folder, struct error *err) MUST_USE;

/* Remove what has no name yet. */
void remake_drop(const struct remake_folder *folder);

/* An original: a file, or what a link leads to. -1 with its trouble (an errno, or
 * REMAKE_CHANGING: it is not what `was` says). */
int remake_open_original(const char *from, struct str path, const struct tree_stat *was,
                         int *trouble);

/* A new file in folders that are made. -1 with the error set. Closing gives it the time of the
 * original and says its size. */
int remake_open(const struct remake_folder *folder, struct str path, struct error *err);
bool remake_close(int fd, struct str path, const struct tree_stat *was, bool ok, uint64_t *size,
                  struct error *err) MUST_USE;
void remake_remove(const struct remake_folder *folder, struct str path);

/* Copy the bytes of an original; `step` is told how many passed, and ends the copying. What
 * fails for the original is its trouble, and true. */
struct remake_copy {
    int fd, to;
    struct str path;
    uint64_t size;
    bool (*step)(void *ctx, uint64_t more, struct error *err);
    void *ctx;
};
bool remake_copy(const struct remake_copy *copy, struct arena *scratch, int *trouble,
                 struct error *err) MUST_USE;

/* A link that is no file, or an empty folder. */
bool remake_other(const char *from, const struct remake_folder *folder,
                  const struct tree_entry *entry, int *trouble, struct error *err) MUST_USE;

/* A link to a file counts as that file: `stat` is of what is read. */
bool remake_follow(const char *from, struct tree_entry *entry, struct tree_stat *stat,
                   struct arena *arena, struct error *err) MUST_USE;

/* The trouble of an original, as a problem of the tree. */
bool remake_note_trouble(struct tree *tree, struct tree_entry *entry, int trouble,
                         struct error *err) MUST_USE;

bool remake_write(int fd, uint64_t at, const void *from, size_t len) MUST_USE;

/* ERROR_SYSTEM, with what to do about a full disk. False. */
bool remake_fail(struct str path, int why, struct error *err);

#endif
