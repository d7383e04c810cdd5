/* provider.h - who is who: one provider has many names on bills and in offers.
 *
 * The one table of them: the identity of a bill, the dimension `provider`, and which days of a
 * run a bill covers all ask here, so that a month that is delivered under another spelling of
 * the same name is the same month.
 */
#ifndef BILL_PROVIDER_H
#define BILL_PROVIDER_H

#include "base/str.h"

/* A provider that is known by several names. */
struct known_provider {
    const char *name;    /* "Google Cloud" */
    const char *service; /* that machines are billed as: "Compute Engine"; NULL: not known */
    /* Small letters without blanks and signs. One that ends with '*' is also the start of a
     * longer one; one that ends with ' ' also the first word of a longer one. */
    const char *others[8];
};

/* NULL when it is none of those. */
const struct known_provider *provider_known(struct str name);

/* The one name: "Amazon Web Services, Inc." and "aws" are "AWS". Others keep theirs, without
 * blanks around it. */
struct str provider_name(struct str name);

bool provider_same(struct str a, struct str b);

#endif
