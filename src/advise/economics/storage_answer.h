/* storage_answer.h - what `stint storage` answers: each provider with the cheapest lifecycle of
 * a data set, and what keeping every checkpoint costs.
 */
#ifndef ADVISE_STORAGE_ANSWER_H
#define ADVISE_STORAGE_ANSWER_H

#include "advise/economics/storage.h"
#include "catalog/catalog.h"
#include "unit/size.h"

/* What is kept, as users say it. */
struct storage_question {
    bytes size;                      /* unknown: nothing at first, it only grows */
    struct str grows, reads, egress; /* "100GB/month", "2/month", "500GB/month" */
    span half_life, keep, wait;
    bytes object_size; /* unknown: 100 MB */
    struct strs providers;
    struct str region;
    int64_t months;
    bytes checkpoint_size; /* unknown: not asked for */
    double checkpoints;    /* a month */
    int64_t keep_last;
};

/* Reads by age from a file (storage_reads_file) instead of `reads`; no name: there is none. */
struct storage_access {
    const char *name;
    struct str text;
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

extern const struct field_set storage_fields;

/* ERROR_USAGE for what cannot be meant, ERROR_ABSENT when no provider can keep it so. Does not
 * set `dataset` and `svg`. */
bool storage_answer(const struct storage_question *question,
                    const struct storage_access *access, const struct catalog *catalog,
                    struct arena *arena, struct storage_result *out,
                    struct error *err) MUST_USE;

#endif
