/* store_commit.h - the commit itself, for those who hold the lock. */
#ifndef MARKET_STORE_COMMIT_H
#define MARKET_STORE_COMMIT_H

#include "market/store_file.h"

/* Write `old`, which is what the file holds, with the edit into a new file. What is damaged in
 * `old` is mended on the way; the damaged file is then kept as such, and the generation before
 * stays. */
bool store_commit_locked(struct store_edit *edit, const struct store *old,
                         const struct store_paths *paths, stamp now,
                         struct store_change *change, struct error *err) MUST_USE;

/* What the file holds, mended when its tables are damaged; NULL with the error set. */
struct store *store_open_locked(const struct store_paths *paths, const struct alloc *alloc,
                                struct buf *mended, struct error *err) MUST_USE;

#endif
