/* save_dates.h - what a save took that the program reports once it is complete: from the first
 * of its files that was made to the last write. Saves that take less than the time between two
 * looks are seen by this alone. */
#ifndef RUN_CHECKPOINT_SAVE_DATES_H
#define RUN_CHECKPOINT_SAVE_DATES_H

#include "run/checkpoint/save_watch.h"

/* Of the file or the folder at `path`, from the folder with that descriptor (AT_FDCWD: the
 * current one). Files that were not written since `since_ns`, on the clock of files, do not
 * count. False: the dates do not say. */
bool save_dates_read(int folder, const char *path, int64_t since_ns, struct save_seen *out);

#endif
