/* run_journal_record.h - one record of a journal, as it is read: for the files of the ledger.
 */
#ifndef LEDGER_RUNS_RUN_JOURNAL_RECORD_H
#define LEDGER_RUNS_RUN_JOURNAL_RECORD_H

#include "ledger/runs/devices.h"
#include "ledger/runs/run_journal.h"

enum record_kind {
    RECORD_START = 1,
    RECORD_TICK,
    RECORD_EVENT,
    RECORD_CHECKPOINT,
    RECORD_GONE,
    RECORD_END,
    RECORD_NOTE,
    RECORD_METRIC,
    RECORD_DEVICE,
    RECORD_ESTIMATE,
};

struct record {
    int kind; /* one of a newer Stint is none of the above: it is passed over */
    uint64_t number;
    struct str fields;
    struct str all; /* the record itself, to be kept as it is */
};

/* The next record of `from`, which becomes what follows it. False at the end, and where what
 * follows is not complete: a writer was killed, or the disk was full. */
bool record_next(struct str *from, struct record *out);

/* What a record says. Texts are those of the record; what it does not say is unknown. */
bool record_start(const struct record *record, struct arena *arena, struct ledger_start *out,
                  struct error *err) MUST_USE;
void record_totals(const struct record *record, struct ledger_totals *out);
/* `has`: has it one? */
bool record_sample(const struct record *record, struct arena *arena, struct ledger_sample *out,
                   bool *has, struct error *err) MUST_USE;
struct ledger_device record_device(const struct record *record);
struct ledger_estimate record_estimate(const struct record *record);
struct ledger_happening record_event(const struct record *record);
struct ledger_checkpoint record_checkpoint(const struct record *record);
bool record_metric(const struct record *record, struct arena *arena, struct ledger_metric *out,
                   struct error *err) MUST_USE;
struct str record_text(const struct record *record, const char *name); /* empty: none */
int64_t record_int(const struct record *record, const char *name);     /* 0: none */

/* Is every number of it one that a run can have? Others than ours write records, too: sums of
 * such numbers do not overflow. */
bool record_plausible(const struct record *record);

#endif
