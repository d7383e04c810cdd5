/* fs.h - files and the environment.
 *
 * The only place that reads a complete file, replaces one, or asks for an environment variable.
 */
#ifndef BASE_FS_H
#define BASE_FS_H

#include <limits.h>

#include "base/arena.h"
#include "base/source.h"
#include "base/str.h"

struct buf; /* base/buf.h */

/* The variable's value, or NULL when it is unset or empty. */
const char *env_get(const char *name);
bool env_is_set(const char *name); /* even if it is empty */

/* All of the file, which must not exceed `max` bytes. An absent file is ERROR_ABSENT. */
bool fs_read(const char *path, size_t max, struct arena *arena, struct str *out,
             struct error *err) MUST_USE;

/* Likewise of a file that is open, from its position; `path` is for errors. */
bool fs_read_from(int fd, const char *path, size_t max, struct arena *arena, struct str *out,
                  struct error *err) MUST_USE;

/* "FOLDER/NAME" likewise, if there is one: `*there` is false when it is absent. */
bool fs_read_if(const char *folder, const char *name, size_t max, struct arena *arena,
                struct str *out, bool *there, struct error *err) MUST_USE;

bool fs_exists(const char *path);
bool fs_is_folder(const char *path);

/* The names in a folder that do not start with a dot, sorted; at most FS_NAMES_MOST. */
#define FS_NAMES_MOST 10000
bool fs_names(const char *folder, struct arena *arena, char ***names, size_t *count,
              struct error *err) MUST_USE;

/* Make the folder and those above it, for this user only (0700). */
bool fs_make_folders(const char *path, struct error *err) MUST_USE;

/* Likewise for files that a user asked for, with the rights that the user's umask leaves.
 * `made`: it was not there. */
bool fs_make_output_folder(const char *path, bool *made, struct error *err) MUST_USE;

/* An open file as a stream; `name` is for errors. Both must outlive the source. */
struct fs_stream {
    int fd;
    const char *name;
};

struct source fs_source(struct fs_stream *stream);

/* Open for reading: the descriptor, or -1. An absent file is ERROR_ABSENT; a folder, a named
 * pipe or a device ERROR_INPUT, but not /dev/stdin, /dev/null and /dev/fd/N. */
int fs_open(const char *path, struct error *err) MUST_USE;

/* Put `text` in place of the file, completely or not at all: written beside it (0600), flushed
 * to the disk, renamed. The folder is made when it is missing. */
bool fs_replace(const char *path, struct str text, struct error *err) MUST_USE;

/* The same of what can be made again: not flushed, which may take as long as all that others
 * have written. After a loss of power it may be the old one, or empty. */
bool fs_replace_cache(const char *path, struct str text, struct error *err) MUST_USE;

/* PATH.bak. */
char *fs_backup_name(const char *path, struct arena *arena, struct error *err) MUST_USE;

/* One of PATH.bak, PATH.bak.1 to PATH.bak.99 that is not there: what an earlier time kept may
 * be all that is left of what the user wrote. ERROR_FAILED when all are. */
const char *fs_backup_unused(const char *path, struct arena *arena, struct error *err) MUST_USE;

/* Before a file of the user's is replaced: what it holds stays beside it as PATH.bak. The arena
 * holds the name and the text. */
bool fs_keep_old(const char *path, struct arena *arena, struct error *err) MUST_USE;

/* Write a file that a user named for output, completely or not at all: with the rights that the
 * user's umask leaves, in a folder that must be there. What is no plain file (/dev/stdout) is
 * written to as it is. */
bool fs_put(const char *path, struct str text, struct error *err) MUST_USE;

/* The same for what is written piece by piece, to `fd`. */
struct fs_output {
    int fd;                                   /* -1: it could not be opened */
    char path[PATH_MAX], temporary[PATH_MAX]; /* temporary: empty for what is no plain file */
    bool nameless;                            /* it gets that name when it is complete */
};
bool fs_output_open(const char *path, struct fs_output *out, struct error *err) MUST_USE;

/* All that was written is on the disk: for several files, of which either all or none are to be
 * put in their place. */
bool fs_output_flush(struct fs_output *file, struct error *err) MUST_USE;

/* Put it in its place when `ok`, else leave nothing. */
bool fs_output_close(struct fs_output *file, bool ok, struct error *err) MUST_USE;

/* The same of what a buffer collected, when buf_ok(); the buffer is freed either way. */
bool fs_put_buf(struct str path, struct buf *text, struct error *err) MUST_USE;

/* A part of a file, completely: false sets errno, 0 at its end. */
bool fs_read_at(int fd, uint64_t at, void *to, size_t len) MUST_USE;

/* Flush the folder: a rename is on the disk only when its folder is. */
void fs_sync_folder(const char *folder);

/* Remove a folder that the program itself has made, with all that is in it; links are not
 * followed. What cannot be removed stays: `false`, with errno. */
bool fs_remove_folder(const char *path);

/* Likewise all that is in it; the folder stays. */
bool fs_empty_folder(const char *path);

/* Write all of it to a descriptor. A closed pipe is a failure like any other. */
bool fs_write_all(int fd, struct str text, struct error *err) MUST_USE;

/* "FOLDER/NAME", or NULL with the error set. */
char *fs_join(const char *folder, const char *name, struct arena *arena,
              struct error *err) MUST_USE;

#endif
