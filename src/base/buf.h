/* buf.h - text being written, with a stated maximum.
 *
 * Appending never reports: the first failure sticks, later appends do nothing, and buf_ok()
 * reports it at the end. So code that renders reads as what it writes.
 *
 *     struct buf out = buf_new(alloc, BUF_MAX_OUTPUT);
 *     buf_addf(&out, "%u GPUs", gpus);
 *     if (!buf_ok(&out, err)) ...
 *     buf_free(&out);
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/arena.h"
#include "base/str.h"

struct buf {
    const struct alloc *alloc;
    char *at; /* not NUL-terminated: use buf_text() */
    size_t len, capacity, max;
    enum error_kind failed; /* ERROR_NONE while all is well */
};

#define BUF_MAX_OUTPUT ((size_t)1 << 30)

struct buf buf_new(const struct alloc *alloc, size_t max);

/* Text of less than `size` bytes in memory of the caller's: it takes no other, so that a short
 * text cannot fail for want of memory. */
struct buf buf_within(char *memory, size_t size);
void buf_free(struct buf *buf);
/* Free a scratch text whose content went into `out`: without memory for it, `out` fails,
 * too. */
void buf_free_part(struct buf *part, struct buf *out);
void buf_clear(struct buf *buf); /* empties it, keeps the memory, forgets a failure */

void buf_char(struct buf *buf, char c);
void buf_add(struct buf *buf, struct str text);
void buf_add_safe(struct buf *buf, struct str text);  /* for a terminal: see str_unsafe() */
void buf_add_shell(struct buf *buf, struct str text); /* as one word of sh: in '' if need be */
/* Between `quote`s, which are written twice within: 'it''s', "a ""b""". As SQL has them. */
void buf_add_quoted(struct buf *buf, struct str text, char quote);
void buf_adds(struct buf *buf, const char *text);
void buf_addf(struct buf *buf, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_pad(struct buf *buf, char c, size_t count); /* `c`, `count` times */

struct str buf_text(const struct buf *buf);
bool buf_ok(const struct buf *buf, struct error *err) MUST_USE;

/* Its text, in the arena, when buf_ok(); the buffer is freed either way. */
bool buf_keep(struct buf *buf, struct arena *arena, struct str *out,
              struct error *err) MUST_USE;

#endif
