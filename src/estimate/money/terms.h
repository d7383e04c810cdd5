/* terms.h - what a job costs besides computing, by where it runs: set-up, moving data,
 * storage. */
#ifndef ESTIMATE_MONEY_TERMS_H
#define ESTIMATE_MONEY_TERMS_H

#include "estimate/money/cost.h"
#include "job/job.h"

/* Everything of a training job that its place decides (needs TABLE_PROVIDERS, TABLE_STORAGE and
 * TABLE_TRANSFER); `training`, `machines` and `price` stay empty. */
struct cost_inputs cost_terms(const struct job *job, const struct catalog *catalog,
                              struct str provider, struct str region);

/* Is the provider of `data.at` one that is known? ERROR_INPUT when not. */
bool cost_terms_check(const struct job *job, const struct catalog *catalog,
                      struct error *err) MUST_USE;

/* Seconds that moving data takes over an ordinary line; `files` -1: so few that they do not
 * count. `at` is where it is: a store answers each file's request, while a machine of one's own
 * sends one after the other without waiting. An unknown size takes none. */
double transfer_seconds(bytes size, int64_t files, struct str at);

/* Bytes that a machine's disk must hold: the model, the data where its size is given, and the
 * checkpoints that are kept. */
double job_disk_bytes(const struct job *job);

#endif
