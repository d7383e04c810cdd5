/* Ids of runs: UUIDv7 (RFC 9562), made without a lock. */
#include "ledger/ledger.h"

#include <stdatomic.h>
#include <stdio.h>
#include <sys/random.h>

/* What came last: milliseconds since 1970 and a counter of 12 bits below them, so that ids of
 * one process sort in the order in which they were made. */
static _Atomic uint64_t latest;

static uint64_t next_moment(stamp now)
{
    uint64_t at = (uint64_t)(now.s < 0 ? 0 : now.s) * 1000 << 12, before = atomic_load(&latest);
    uint64_t next;

    do
        next = at > before ? at : before + 1;
    while (!atomic_compare_exchange_weak(&latest, &before, next));
    return next;
}

void ledger_new_id(stamp now, char out[static LEDGER_ID])
{
    uint64_t moment = next_moment(now), dice = 0;

    /* Without enough entropy this early in a boot, the moment and the address still differ. */
    if (getrandom(&dice, sizeof dice, GRND_NONBLOCK) != (ssize_t)sizeof dice)
        dice = moment * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)(uintptr_t)out;
    (void)snprintf(out, LEDGER_ID, "%08llx-%04llx-7%03llx-%04llx-%012llx",
                   (unsigned long long)(moment >> 28 & 0xffffffff),
                   (unsigned long long)(moment >> 12 & 0xffff),
                   (unsigned long long)(moment & 0xfff),
                   (unsigned long long)(0x8000 | (dice >> 48 & 0x3fff)),
                   (unsigned long long)(dice & 0xffffffffffff));
}
