/* sign.h - what shows a receiver that a message is from who has the key, and unchanged. */
#ifndef NET_SIGN_H
#define NET_SIGN_H

#include "base/str.h"

#define SIGN_HEX 65 /* a digest of SHA-256 in hexadecimal, with its NUL */

/* HMAC-SHA-256 of the texts put together, by the library that the part `net` uses. */
bool sign_hmac(struct str key, const struct str *texts, size_t count, char out[static SIGN_HEX],
               struct error *err) MUST_USE;

/* SHA-256 of a text. */
bool sign_digest(struct str text, char out[static SIGN_HEX], struct error *err) MUST_USE;

/* Ed25519 keys and signatures, as bytes. */
#define SIGN_KEY 32
#define SIGN_SIGNATURE 64

/* A new private key. */
bool sign_new_key(unsigned char secret[static SIGN_KEY], struct error *err) MUST_USE;

/* The public key that belongs to a private one. */
bool sign_public_key(const unsigned char secret[static SIGN_KEY],
                     unsigned char out[static SIGN_KEY], struct error *err) MUST_USE;

bool sign_text(const unsigned char secret[static SIGN_KEY], struct str text,
               unsigned char out[static SIGN_SIGNATURE], struct error *err) MUST_USE;

/* `good`: it was signed so by who has the private key of this public one. */
bool sign_verify(const unsigned char key[static SIGN_KEY], struct str text,
                 const unsigned char signature[static SIGN_SIGNATURE], bool *good,
                 struct error *err) MUST_USE;

#endif
