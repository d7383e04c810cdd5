/* hex.h - bytes as text: hexadecimal digits, two each, and base64. */
#ifndef BASE_HEX_H
#define BASE_HEX_H

#include "base/buf.h"

void hex_write(struct str bytes, struct buf *out); /* in small letters */
void hex_copy(struct str bytes, char *out);        /* the same with a NUL: 2 * bytes.len + 1 */

/* False, and nothing is added, when these are no such digits. */
bool hex_read(struct str digits, struct buf *out) MUST_USE;

/* Base64 (RFC 4648), padded with '=', on one line. */
void base64_write(struct str bytes, struct buf *out);

#endif
