/* storage.h - what keeping a data set costs: the request and the result of storage. */
#ifndef OP_ADVISE_STORAGE_H
#define OP_ADVISE_STORAGE_H

#include "advise/economics/storage.h"
#include "unit/size.h"

extern const struct op op_storage;

struct storage_request {
    struct str dataset; /* a folder or a file, whose size it is */
    bytes size;
    struct str grows, reads, access, egress;
    span half_life, keep, wait;
    bytes object_size;
    struct strs providers;
    struct str region;
    int64_t months;
    bytes checkpoint_size;
    double checkpoints; /* a month */
    int64_t keep_last;
    struct str svg;
};

/* A provider with its best policy. */
struct storage_option {
    struct str provider;
    bool cheapest;     /* of those whose total is complete */
    bool at_least;     /* request fees are not known, and not in the total */
    struct str policy; /* "S3 Standard, S3 Standard-IA from day 30" */
    struct rows steps; /* struct storage_step */
    usd storage, retrieval, requests, early, transfer, total;
    usd hot;      /* all of it in the hottest tier, transfer included */
    usd download; /* all of it to the internet, at the end */
    day date;     /* of the oldest price */
};

struct storage_checkpoints {
    struct str provider;
    bytes size;    /* of one */
    double month;  /* checkpoints a month */
    int64_t last;  /* that are kept */
    usd all, kept; /* over the time: every one kept, only the last ones */
    usd saving;
};

struct storage_result {
    struct str dataset;
    bytes size, at_end, object_size;
    int64_t objects;
    int64_t days;
    struct str reads; /* in words */
    struct rows options;
    struct storage_checkpoints checkpoints;
    struct strs notes;
    struct str svg;
};

#endif
