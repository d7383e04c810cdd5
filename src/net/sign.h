/* sign.h - what shows a receiver that a message is from who has the key, and unchanged. */
#ifndef NET_SIGN_H
#define NET_SIGN_H

#include "base/str.h"

#define SIGN_HEX 65 /* a digest of SHA-256 in hexadecimal, with its NUL */

/* HMAC-SHA-256 of the texts put together, by the library that the part `net` uses. */
bool sign_hmac(struct str key, const struct str *texts, size_t count, char out[static SIGN_HEX],
               struct error *err) MUST_USE;

#endif
