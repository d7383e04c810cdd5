/* Version 3: what hard use of runs and bills asked for. In the words of SQLite, as version 2. */
#include "ledger/internal.h"

const char ledger_version_3_saves[] =
    /* The longest save that was seen and the memory in use then, from which the next attempt
     * knows how long a save takes; the part of the limit kept for the last save, and why. */
    "ALTER TABLE attempts ADD COLUMN save_s REAL;"
    "ALTER TABLE attempts ADD COLUMN save_memory REAL;"
    "ALTER TABLE attempts ADD COLUMN reserve_s REAL;"
    "ALTER TABLE attempts ADD COLUMN reserve_why TEXT;";
