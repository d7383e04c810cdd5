/* data_cache.h - a preprocessing command that runs only when something has changed: request and
 * result of data.cache. */
#ifndef OP_DATA_DATA_CACHE_H
#define OP_DATA_DATA_CACHE_H

#include "data/cache/cache.h"

extern const struct op op_data_cache;

struct data_cache_request {
    struct strs inputs, outputs, env, command;
    bytes keep;
    bool replace, list, clear;
};

enum data_cache_did {
    DATA_CACHE_RAN,      /* the command ran; its outputs are kept */
    DATA_CACHE_RESTORED, /* the outputs came from the cache */
    DATA_CACHE_THERE,    /* the outputs were in place already */
    DATA_CACHE_FAILED,   /* the command failed, or its outputs could not be kept */
    DATA_CACHE_LISTED,
    DATA_CACHE_CLEARED,
};

struct data_cache_result {
    int32_t did; /* enum data_cache_did */
    struct str key, command;
    struct rows outputs;    /* struct cache_output */
    span took, saved;       /* took: by this call; saved: what the command took then */
    int64_t status;         /* exit status of the command */
    struct strs undeclared; /* files that the command wrote beside its outputs */
    struct rows entries;    /* struct cache_entry: of --list and --clear */
    bytes kept;             /* by all entries */
    int64_t removed;
};

#endif
