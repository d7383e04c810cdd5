#include "net/sign.h"

#include <stdatomic.h>

#include "base/hex.h"
#include "base/part.h"
#include "net/net_part.h"

_Static_assert(SIGN_KEY == NET_KEY && SIGN_SIGNATURE == NET_SIGNATURE, "as the part has them");

/* Looked for once: a server makes a digest for each request. */
static const struct net_part *open_part(struct error *err)
{
    static _Atomic(const struct net_part *) kept;
    const struct net_part *part = atomic_load_explicit(&kept, memory_order_acquire);

    if (part == NULL) {
        part = part_open("net", NET_PART_VERSION, err);
        atomic_store_explicit(&kept, part, memory_order_release);
    }
    return part;
}

static bool no_crypto(struct error *err)
{
    return error_fail(err, ERROR_FAILED, "OpenSSL cannot do it: no Ed25519 or SHA-256");
}

bool sign_hmac(struct str key, const struct str *texts, size_t count, char out[static SIGN_HEX],
               struct error *err)
{
    const struct net_part *part = open_part(err);
    unsigned char digest[NET_DIGEST];

    if (part == NULL)
        return false;
    if (!part->hmac(key, texts, count, digest))
        return error_memory(err);
    hex_copy((struct str){(const char *)digest, NET_DIGEST}, out);
    return true;
}

bool sign_digest(struct str text, char out[static SIGN_HEX], struct error *err)
{
    const struct net_part *part = open_part(err);
    unsigned char digest[NET_DIGEST];

    if (part == NULL)
        return false;
    if (!part->digest(text, digest))
        return no_crypto(err);
    hex_copy((struct str){(const char *)digest, NET_DIGEST}, out);
    return true;
}

bool sign_new_key(unsigned char secret[static SIGN_KEY], struct error *err)
{
    const struct net_part *part = open_part(err);

    return part != NULL && (part->new_key(secret) || no_crypto(err));
}

bool sign_public_key(const unsigned char secret[static SIGN_KEY],
                     unsigned char out[static SIGN_KEY], struct error *err)
{
    const struct net_part *part = open_part(err);

    return part != NULL && (part->public_key(secret, out) || no_crypto(err));
}

bool sign_text(const unsigned char secret[static SIGN_KEY], struct str text,
               unsigned char out[static SIGN_SIGNATURE], struct error *err)
{
    const struct net_part *part = open_part(err);

    return part != NULL && (part->sign(secret, text, out) || no_crypto(err));
}

bool sign_verify(const unsigned char key[static SIGN_KEY], struct str text,
                 const unsigned char signature[static SIGN_SIGNATURE], bool *good,
                 struct error *err)
{
    const struct net_part *part = open_part(err);

    return part != NULL && (part->verify(key, text, signature, good) || no_crypto(err));
}
