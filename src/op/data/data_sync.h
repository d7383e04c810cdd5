/* data_sync.h - making two places equal: request and result of data.sync. */
#ifndef OP_DATA_DATA_SYNC_H
#define OP_DATA_DATA_SYNC_H

#include "data/sync/sync.h"
#include "data/sync/sync_pair.h"
#include "ledger/ledger.h"
#include "op/data/data_price.h"

extern const struct op op_data_sync;

struct data_sync_request {
    struct str source, target, from, to;
    bool both, newer, delete, dry_run, verify;
    bytes bandwidth;
    struct strs tag;
    int64_t limit;
};

struct data_sync_result {
    struct str source, target;
    bool dry_run;
    struct rows steps;   /* struct sync_sum */
    struct rows changes; /* struct sync_change */
    int64_t change_count;
    struct data_move upload, download; /* from SRC to DST, and back */
    int64_t requests;                  /* of a store */
    usd request_cost;
    usd cost; /* of all of these */
    double seconds;
    bytes sent, received;
    int64_t verified, different;
    struct str trouble;
    struct str run; /* the row of the ledger */
};

/* The transfer as a row of the ledger: its run. */
bool op_data_sync_record(struct op_context *ctx, const struct data_sync_request *req,
                         const struct data_sync_result *done, stamp started, struct str *run,
                         struct error *err) MUST_USE;

#endif
