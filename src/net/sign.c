#include "net/sign.h"

#include <stdio.h>

#include "base/part.h"
#include "net/net_part.h"

bool sign_hmac(struct str key, const struct str *texts, size_t count, char out[static SIGN_HEX],
               struct error *err)
{
    const struct net_part *part = part_open("net", NET_PART_VERSION, err);
    unsigned char digest[NET_DIGEST];

    if (part == NULL)
        return false;
    if (!part->hmac(key, texts, count, digest))
        return error_memory(err);
    for (size_t i = 0; i < sizeof digest; i++)
        (void)snprintf(out + i * 2, 3, "%02x", (unsigned)digest[i]);
    return true;
}
