/* data_cache.h - a preprocessing command that runs only when something has changed: request and
 * result of data.cache are those of cache_run(). */
#ifndef OP_DATA_DATA_CACHE_H
#define OP_DATA_DATA_CACHE_H

#include "data/cache/cache_run.h"

extern const struct op op_data_cache;

#endif
