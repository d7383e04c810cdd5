/* The loadable part `digest`. */
#include "data/digest_part.h"

#include <openssl/evp.h>

#include "base/part.h"

static void *start_digest(void)
{
    EVP_MD_CTX *digest = EVP_MD_CTX_new();

    if (digest == NULL || EVP_DigestInit_ex(digest, EVP_sha256(), NULL) == 1)
        return digest;
    EVP_MD_CTX_free(digest);
    return NULL;
}

static bool add_to_digest(void *digest, const void *bytes, size_t len)
{
    return EVP_DigestUpdate(digest, bytes, len) == 1;
}

static bool end_digest(void *digest, unsigned char out[static DIGEST_BYTES])
{
    unsigned len = 0;

    return EVP_DigestFinal_ex(digest, out, &len) == 1 && len == DIGEST_BYTES;
}

static void drop_digest(void *digest)
{
    EVP_MD_CTX_free(digest);
}

static const struct digest_part functions = {
    .start = start_digest,
    .add = add_to_digest,
    .end = end_digest,
    .drop = drop_digest,
};

EXPORTED extern const struct part stint_part;

const struct part stint_part = {
    .name = "digest",
    .version = DIGEST_PART_VERSION,
    .functions = &functions,
};
