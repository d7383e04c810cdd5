/* run_journal.h - what a run reports, as records that can be added to the ledger later.
 *
 * A supervisor writes everything about its attempt as records into a buffer, and hands them to
 * ledger_apply() about once a second. While the ledger cannot be written (locked, disk full,
 * read-only, server away) the same bytes go to a small file, the journal, and whoever opens the
 * ledger for writing next adds them.
 *
 * Exactly once: an attempt has an id of its own, its records are numbered, and the number of
 * the last one that was added is in the row of the attempt, changed in the same transaction. A
 * journal that was added but not removed is recognized and removed the next time; two programs
 * may add the same journal at once.
 *
 * Records name their fields, so that an older or newer Stint reads what it knows of them.
 */
#ifndef LEDGER_RUNS_RUN_JOURNAL_H
#define LEDGER_RUNS_RUN_JOURNAL_H

#include "base/buf.h"
#include "ledger/ledger.h"
#include "ledger/runs/devices.h"
#include "ledger/runs/learning.h"
#include "ledger/runs/metrics.h"

#define JOURNAL_MOST ((size_t)1 << 20) /* bytes of one attempt: run_journal_add() */

/* ---- records ---- */

/* The first record of a journal: all that is needed to add the attempt to a ledger that does
 * not have it. */
void run_journal_put_start(struct buf *to, const struct ledger_start *start);

/* Numbers grow from 1 by one a call, across all kinds. `sample` may be NULL. */
void run_journal_put_tick(struct buf *to, uint64_t record, const struct ledger_totals *totals,
                          const struct ledger_sample *sample);
void run_journal_put_event(struct buf *to, uint64_t record,
                           const struct ledger_happening *event);
void run_journal_put_checkpoint(struct buf *to, uint64_t record,
                                const struct ledger_checkpoint *checkpoint);
void run_journal_put_device(struct buf *to, uint64_t record,
                            const struct ledger_device *device);
void run_journal_put_estimate(struct buf *to, uint64_t record,
                              const struct ledger_estimate *estimate);
void run_journal_put_gone(struct buf *to, uint64_t record, struct str path, stamp when);
void run_journal_put_metric(struct buf *to, uint64_t record,
                            const struct ledger_metric *metric);
void run_journal_put_end(struct buf *to, uint64_t record, const struct ledger_ending *ending,
                         const struct ledger_totals *totals);

/* An event reported by another process than the one that numbers the records: added unless the
 * attempt has one of this kind. `attempt_id` as in struct ledger_start. */
void run_journal_put_note(struct buf *to, const char *attempt_id,
                          const struct ledger_happening *event);

/* Add records to those that wait. They are made shorter when they get long: then there are the
 * last totals, fewer samples, the last word on each checkpoint, metric and device, and beyond
 * JOURNAL_MOST no more events. True when those that were there have changed. */
bool run_journal_add(struct buf *records, struct str more);

/* Add the records of one attempt to the ledger, in one transaction: `start` is the record of
 * run_journal_put_start(). What the ledger has is left out. `number`: of the attempt, from 1.
 */
bool ledger_apply(struct ledger *ledger, struct str start, struct str records, int *number,
                  struct error *err) MUST_USE;

/* Records of one attempt that another machine sent. */
struct ledger_received {
    struct str start, records; /* as for ledger_apply() */
    /* That machine's clock is so much behind this one's: moments are moved by it. None is later
     * than `latest`. */
    int64_t shift_s;
    stamp latest;
    /* Only for runs of this team: a new one becomes its own, ERROR_GUARD for those of others.
     * Empty: for any. */
    struct str team;
    /* Of an attempt that is new: as in struct ledger_start. */
    bool resume;
    char resume_id[LEDGER_ID];

    /* What became of it. */
    bool ok; /* the ledger has it, for good */
    struct error err;
    char id[LEDGER_ID]; /* of the run */
    int number;         /* of the attempt */
    uint64_t last;      /* the number of the last record that the ledger has */
};

/* Add the records of many attempts, in one transaction if all is well: else each alone, so that
 * one that is refused does not keep the others. */
void ledger_apply_received(struct ledger *ledger, struct ledger_received *items, size_t count);

/* Likewise a record of run_journal_put_note(). False when the attempt is not there, too. */
bool ledger_apply_note(struct ledger *ledger, struct str note, struct error *err) MUST_USE;

/* ---- the file ---- */

/* A journal that is being written. All zero: none yet. */
struct run_journal {
    int fd; /* locked for as long as it is open; 0: not open */
    size_t size;
    bool temporary; /* in a folder that does not survive a restart of the machine */
    char path[4096];
};

/* Keep the records in the file, on the disk when it returns. The first call makes the file, in
 * the first of these places that can be written: beside the ledger, in the user's state folder,
 * in the temporary folder, in memory (/dev/shm). `name` is the attempt's id. */
bool run_journal_append(struct run_journal *journal, const char *ledger, const char *name,
                        struct str start, struct str records, struct error *err) MUST_USE;

/* Put these records in the place of all that were there. */
bool run_journal_rewrite(struct run_journal *journal, struct str start, struct str records,
                         struct error *err) MUST_USE;

void run_journal_remove(struct run_journal *journal); /* its records are in the ledger */
void run_journal_close(struct run_journal *journal);  /* they are not: others may add them */

/* ---- as they are sent to a server that receives runs: what a file holds ---- */

/* Before the first record. */
void run_journal_put_head(struct buf *to);

/* What was sent: its first record, which says what run it is of or is a note, and the others.
 * ERROR_INPUT when any of it is not a record, or has numbers that no run has. */
bool run_journal_split(struct str bytes, struct str *first, struct str *records,
                       struct error *err) MUST_USE;

/* What the first record says. Texts are those of the record. */
bool run_journal_read_start(struct str first, struct arena *arena, struct ledger_start *out,
                            struct error *err) MUST_USE;

/* A run that this team sends: its tag is added where none names it; ERROR_GUARD when a tag
 * names another. An empty team: any. */
bool run_journal_set_team(struct ledger_start *start, struct str team, struct arena *arena,
                          struct error *err) MUST_USE;

/* The first of the records after number `after` that have no more than `most` bytes together,
 * but one at least; `last` is the number of the last of them. What follows the last complete
 * record is left out. */
struct str run_journal_fit(struct str records, uint64_t after, size_t most, uint64_t *last);

/* The first record of what a file holds, empty when there is none, and the others. */
struct str run_journal_first(struct str bytes, struct str *records);

/* What the records say of the cost of their attempt; unknown: nothing. */
usd run_journal_cost(struct str records);

/* Is it the address of a server that receives runs, "https://...", and no ledger? */
bool run_journal_is_sent(const char *to);

/* ---- what waits: for a ledger, or for a server that receives runs ("https://...") ---- */

/* What waits counts in ledger_spent() and in ledger_charges(), but for the file at `path`,
 * which the caller writes and knows of; it outlives the ledger. */
void ledger_own_journal(struct ledger *ledger, const char *path);

/* How many journals wait for this ledger (0 as a rule: a few system calls). */
size_t run_journal_count(const char *ledger);

struct run_journal_result {
    size_t added;   /* journals whose records are in the ledger now */
    size_t waiting; /* journals that are left */
    usd cost;       /* of those left, as far as known; unknown: of none */
    char folder[256];
    struct error why; /* they are left */
};

/* Add what waits, but for the file `but` (the caller's own; NULL: none); stop after `most`.
 * Never fails: `out` says what is left and why. */
void ledger_apply_waiting(struct ledger *ledger, const char *path, const char *but, span most,
                          struct run_journal_result *out);

/* What waits, without adding it. */
void run_journal_look(const char *ledger, struct run_journal_result *out);

#endif
