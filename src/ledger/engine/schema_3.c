/* Version 3: what hard use of runs and bills asked for. In the words of SQLite, as version 2.
 */
#include "ledger/internal.h"

const char ledger_version_3_saves[] =
    /* The longest save that was seen and the memory in use then, from which the next attempt
     * knows how long a save takes; the part of the limit kept for the last save, and why. */
    "ALTER TABLE attempts ADD COLUMN save_s REAL;"
    "ALTER TABLE attempts ADD COLUMN save_memory REAL;"
    "ALTER TABLE attempts ADD COLUMN reserve_s REAL;"
    "ALTER TABLE attempts ADD COLUMN reserve_why TEXT;";

const char ledger_version_3_bills[] =
    /* 1: sums by service and day or the like, without resources, as Cost Explorer and BigQuery
     * answer and consoles download. It is the same money as the detailed bill of that time. */
    "ALTER TABLE bills ADD COLUMN coarse INTEGER NOT NULL DEFAULT 0;"
    "UPDATE bills SET coarse = 1 WHERE format IN ('aws-explorer', 'bigquery');"
    /* A sample of what its charges are for, so that another part of a delivery is told from the
     * same one delivered again: see bills_contain.c. NULL: read it from the lines. */
    "ALTER TABLE bills ADD COLUMN marks TEXT;";

const char ledger_version_3_shares[] =
    /* What a run pays of its machine: 'machine' (all of it, or divided with the other runs on
     * it), 'fixed', 'inside' another run; NULL: an older record. The time of the machine that
     * it pays for so far, the part of the price that it pays now, and how many runs divide it:
     * now, and at most. */
    "ALTER TABLE attempts ADD COLUMN pays TEXT;"
    "ALTER TABLE attempts ADD COLUMN paid_ns INTEGER;"
    "ALTER TABLE attempts ADD COLUMN share REAL;"
    "ALTER TABLE attempts ADD COLUMN sharers INTEGER;"
    "ALTER TABLE attempts ADD COLUMN sharers_most INTEGER;"
    /* Device memory of the run's own processes, where others use the device too. */
    "ALTER TABLE attempts ADD COLUMN gpu_memory_run REAL;"
    "ALTER TABLE samples ADD COLUMN gpu_memory_run REAL;";

const char ledger_version_3_metrics[] =
    /* Which metric it was that a checkpoint was rated by. */
    "ALTER TABLE checkpoints ADD COLUMN metric_name TEXT;"
    /* Every metric of an attempt: how many values, of them no numbers (`odd`), the first, last,
     * lowest and highest with their steps. `times` (seconds), `steps` (-1: not known) and
     * `vals` are lists of numbers in JSON, of the same length: at most 256. */
    "CREATE TABLE metrics("
    " attempt INTEGER NOT NULL REFERENCES attempts ON DELETE CASCADE, name TEXT NOT NULL,"
    " told INTEGER NOT NULL, odd INTEGER NOT NULL, first REAL, last REAL, last_step REAL,"
    " low REAL, low_step REAL, high REAL, high_step REAL,"
    " times TEXT NOT NULL, steps TEXT NOT NULL, vals TEXT NOT NULL,"
    " PRIMARY KEY(attempt, name)) STRICT, WITHOUT ROWID;";

const char ledger_version_3_blocks[] =
    /* Lines of a bill, some thousand in one value: bills_block.c says how. `line` is the number
     * of the first, which start from `first` to `last`; sums are of its lines, a list or
     * contracted cost that is not known being what was billed. `groups`: of its things. */
    "CREATE TABLE bill_blocks("
    " bill INTEGER NOT NULL, line INTEGER NOT NULL, lines INTEGER NOT NULL,"
    " first INTEGER NOT NULL, last INTEGER NOT NULL,"
    " billed AMOUNT, effective AMOUNT, list AMOUNT, contracted AMOUNT,"
    " groups BLOB NOT NULL, content BLOB NOT NULL, PRIMARY KEY(bill, line)) STRICT;";

/* Once the lines of version 2 are in blocks. `next_thing` of bill_state is no longer used: to
 * drop a column costs more than to keep it. */
const char ledger_version_3_drop[] = "DROP TABLE bill_lines;"
                                     "DROP TABLE bill_things;";

const char ledger_version_3_journal[] =
    /* What an attempt is known by in a journal, and the number of the last of its records that
     * was added (run_journal.h). */
    "ALTER TABLE attempts ADD COLUMN attempt_id TEXT;"
    "ALTER TABLE attempts ADD COLUMN applied INTEGER NOT NULL DEFAULT 0;"
    "CREATE UNIQUE INDEX attempts_by_id ON attempts(attempt_id) WHERE attempt_id IS NOT NULL;"
    /* The last event of its kind, and how many before it were left out; NULL: any other. */
    "ALTER TABLE events ADD COLUMN left_out INTEGER;";
