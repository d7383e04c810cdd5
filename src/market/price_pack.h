/* price_pack.h - the current prices of a store as one small file, with a checksum and a
 * signature.
 *
 *     stint-prices 1
 *     created 2026-11-17T12:00:00Z
 *     offers 18218
 *     prices 36436
 *     size 612345                  bytes behind the header
 *     plain 4123456                of them unpacked
 *     sha256 9f...                 of the bytes behind the header
 *     key ed25519:4f...            the public key; without it the file is not signed
 *     signature a0...              Ed25519, of all lines before this one
 *
 * An empty line ends the header. What follows is one LZ4 block of feeds, offers and prices:
 * kept are each price's feed, since when it holds and when it was last seen, so that a store
 * that imports it knows as much about current prices as the one that was packed.
 */
#ifndef MARKET_PRICE_PACK_H
#define MARKET_PRICE_PACK_H

#include "base/buf.h"
#include "market/store.h"
#include "net/sign.h"

#define PRICE_PACK_MAGIC "stint-prices "

/* What was packed. */
struct price_pack_counts {
    int64_t offers, prices;
    int64_t own; /* prices of the user's own lists that were left out */
};

/* The file, put into `out`. `own`: with prices of the user's own lists, too. `secret` NULL: not
 * signed. ERROR_ABSENT when there is nothing to pack. */
bool price_pack_write(const struct store *store, bool own, stamp created,
                      const unsigned char *secret, struct buf *out,
                      struct price_pack_counts *counts, struct error *err) MUST_USE;

/* The header, taken apart; nothing is verified. Texts point into the file. */
struct price_pack {
    stamp created;
    uint64_t offers, prices, size, plain;
    struct str sha256;
    struct str key; /* "ed25519:HEX"; empty: not signed */
    unsigned char public_key[SIGN_KEY], signature[SIGN_SIGNATURE];
    struct str signed_part, payload;
};

/* ERROR_INPUT, naming the file, when it is no such file or is cut off. */
bool price_pack_parse(struct str file, const char *name, struct price_pack *out,
                      struct error *err) MUST_USE;

/* Which packs to accept. */
struct price_pack_trust {
    struct strs keys; /* "ed25519:HEX" */
    bool unsigned_too;
};

/* Is it what was packed, by someone who is trusted? Checksum, key and signature, in this
 * order. */
bool price_pack_verify(const struct price_pack *pack, const char *name,
                       const struct price_pack_trust *trust, struct error *err) MUST_USE;

/* Put its prices into an edit. `arena`: of what is unpacked. Checks every length: a payload
 * that is not what its header says is ERROR_INPUT. */
bool price_pack_read(const struct price_pack *pack, const char *name, struct store_edit *edit,
                     struct arena *arena, struct error *err) MUST_USE;

/* "ed25519:" and 64 digits. */
void price_pack_key_write(const unsigned char key[static SIGN_KEY], struct buf *out);
bool price_pack_key_parse(struct str text, unsigned char out[static SIGN_KEY]) MUST_USE;

/* ---- price_pack_key.c: keys in files ---- */

/* Make a pair: `file` is private, and FILE.pub is to be distributed. Refuses to replace a
 * file. */
bool price_key_create(struct str file, struct arena *arena, struct str *made,
                      struct str *public, struct error *err) MUST_USE;

/* The private key of such a file, and the public one of a private one, as a text. */
bool price_key_secret(struct str file, struct arena *arena, unsigned char out[static SIGN_KEY],
                      struct error *err) MUST_USE;
bool price_key_public(const unsigned char secret[static SIGN_KEY], struct arena *arena,
                      struct str *out, struct error *err) MUST_USE;

/* A public key, or the file that has it; what is neither is an error. */
bool price_key_read(struct str text, struct arena *arena, struct str *out,
                    struct error *err) MUST_USE;

#endif
