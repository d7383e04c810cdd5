/* Any bytes are quiet hours or times of a digest, or are refused with a text. Quiet hours end
 * after they began and within a day or two; of digests, the last is not after now and the next
 * is. */
#include <stdint.h>
#include <stdlib.h>

#include "alert/schedule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define DAY_S 86400

static void require(bool fact)
{
    if (!fact)
        abort();
}

static void check_quiet(const struct quiet_hours *q, stamp now)
{
    stamp until;

    require(q->from >= 0 && q->from <= DAY_S && q->to >= 0 && q->to <= DAY_S);
    if (quiet_now(q, now, &until))
        require(until.s > now.s && until.s - now.s <= 2 * DAY_S);
}

static void check_digest(const struct digest_times *d, stamp now)
{
    stamp last = digest_last(d, now), next = digest_next(d, now);

    require(d->at >= 0 && d->at < DAY_S);
    require(last.s <= now.s && next.s > now.s && next.s - last.s <= 9 * DAY_S);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system};
    struct str text = {(const char *)data, size};
    struct digest_times digest;
    struct quiet_hours quiet;
    struct error err = {0};

    for (int64_t days = 0; days < 800; days += 13) {
        stamp now = {INT64_C(1767225600) + days * (DAY_S + 1811)};

        arena_free(&arena);
        if (!quiet_parse(text, &arena, &quiet, &err))
            require(err.kind != ERROR_NONE && err.text[0] != '\0');
        else if (quiet.any)
            check_quiet(&quiet, now);
        if (!digest_parse(text, &arena, &digest, &err))
            require(err.kind != ERROR_NONE && err.text[0] != '\0');
        else if (digest.any)
            check_digest(&digest, now);
    }
    arena_free(&arena);
    return 0;
}
