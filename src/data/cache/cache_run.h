/* cache_run.h - a preprocessing command that runs only when something has changed. */
#ifndef DATA_CACHE_CACHE_RUN_H
#define DATA_CACHE_CACHE_RUN_H

#include "data/cache/cache.h"
#include "data/task.h"

struct cached_command {
    struct strs inputs, outputs, env, command;
    bytes keep;   /* by all entries, at most */
    bool replace; /* outputs that the cache did not make */
    bool list, clear;
};

enum cached_did {
    CACHED_RAN,      /* the command ran; its outputs are kept */
    CACHED_RESTORED, /* the outputs came from the cache */
    CACHED_THERE,    /* the outputs were in place already */
    CACHED_FAILED,   /* the command failed, or its outputs could not be kept */
    CACHED_LISTED,
    CACHED_CLEARED,
};

struct cached_result {
    int32_t outcome; /* enum cached_did */
    struct str key, command;
    struct rows outputs;    /* struct cache_output */
    span duration, saved;   /* took: by this call; saved: what the command took then */
    int64_t status;         /* exit status of the command */
    struct strs undeclared; /* files that the command wrote beside its outputs */
    struct rows entries;    /* struct cache_entry: of `list` and `clear` */
    bytes kept;             /* by all entries */
    int64_t removed;
};

extern const struct field_set cached_result_fields;

/* Run the command, or have its outputs as they are in the cache; or list what is kept, or
 * remove it. The task has a home. What the command made is there even when it cannot be kept;
 * where the command failed, what was there before is. */
bool cache_run(const struct data_task *task, const struct cached_command *wish,
               struct cached_result *out, struct error *err) MUST_USE;

#endif
