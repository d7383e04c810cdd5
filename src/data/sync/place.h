/* place.h - where data is: a folder here, one behind ssh, or a path of an object store.
 *
 *     dataset, ./a:b, /mnt/x        a folder of this machine
 *     gpu7:data, me@gpu7:/mnt/x     rsync over ssh
 *     s3://bucket/data, gs://, az:// rclone, with the credentials of the environment
 *     nas:data, :local:/mnt/x       a remote of rclone's configuration, or one as typed
 *
 * What a program needs to know of a store goes into its environment, never onto its command
 * line, which others can read.
 */
#ifndef DATA_SYNC_PLACE_H
#define DATA_SYNC_PLACE_H

#include "base/arena.h"
#include "base/str.h"
#include "doc/field.h"

enum data_place_kind {
    DATA_PLACE_FOLDER,
    DATA_PLACE_SSH,
    DATA_PLACE_STORE, /* by rclone */
};

struct data_place {
    enum data_place_kind kind;
    struct str typed;    /* as given, without slashes at its end */
    const char *target;  /* as its program takes it, without a slash at its end but for "/" */
    struct str provider; /* "aws", "gcp", "azure": whose prices apply; empty: not known */
    struct str region;   /* that the environment names; empty: none */
    bool answers; /* its answer to an upload has the checksum: rclone asks no more for it */
    const char *const *env; /* "NAME=VALUE" for its program, NULL last; NULL: nothing */
};

/* `remotes`: the names of rclone's remotes, without a colon; what is written as "NAME:PATH" is
 * one of these, or a host. The environment is read for stores. */
bool data_place_parse(struct str text, struct strs remotes, struct arena *arena,
                      struct data_place *out, struct error *err) MUST_USE;

/* Could it be a remote of rclone, so that their names are needed? */
bool data_place_may_be_remote(struct str text);

/* "TARGET/NAME", as its program takes it. */
const char *data_place_join(const struct data_place *place, const char *name,
                            struct arena *arena, struct error *err) MUST_USE;

#endif
