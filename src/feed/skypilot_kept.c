/* What the reader of SkyPilot's catalogs keeps of a file. */
#include <string.h>

#include "base/hash.h"
#include "feed/skypilot_read.h"

struct seen_machine {
    const char *key; /* region, zone and instance, each ended by a NUL; NULL in a free place */
    size_t len;
    uint64_t hash;
    int64_t on_demand, spot;
};

void *sky_keep(struct sky_kept *kept, size_t count, size_t size, struct error *err)
{
    void *at;

    if (size > 0 && count > (SKY_KEPT_MAX - kept->bytes) / size) {
        error_set(err, ERROR_INPUT, "more than %zu MiB of machines: this is no price list",
                  SKY_KEPT_MAX >> 20);
        return NULL;
    }
    at = arena_get(&kept->arena, count, size, alignof(max_align_t), err);
    if (at != NULL)
        kept->bytes += count * size;
    return at;
}

bool sky_keep_text(struct sky_kept *kept, struct str *text, struct error *err)
{
    char *copy;

    if (text->len == 0)
        return true;
    copy = sky_keep(kept, text->len, 1, err);
    if (copy == NULL)
        return false;
    memcpy(copy, text->at, text->len);
    text->at = copy;
    return true;
}

static struct seen_machine *place_of(const struct sky_seen *seen, struct str key, uint64_t hash)
{
    size_t at = (size_t)hash & (seen->room - 1);

    while (seen->at[at].key != NULL &&
           (seen->at[at].hash != hash ||
            !str_eq((struct str){seen->at[at].key, seen->at[at].len}, key)))
        at = (at + 1) & (seen->room - 1);
    return &seen->at[at];
}

static bool grow(struct sky_seen *seen, struct sky_kept *kept, struct error *err)
{
    struct sky_seen larger = {.room = seen->room > 0 ? 2 * seen->room : 1024, .len = seen->len};

    larger.at = sky_keep(kept, larger.room, sizeof *larger.at, err);
    if (larger.at == NULL)
        return false;
    for (size_t i = 0; i < seen->room; i++)
        if (seen->at[i].key != NULL)
            *place_of(&larger, (struct str){seen->at[i].key, seen->at[i].len},
                      seen->at[i].hash) = seen->at[i];
    *seen = larger;
    return true;
}

/* A price that is given is above PRICE_NONE, which is above PRICE_UNSAID. */
static int64_t holding(int64_t a, int64_t b)
{
    if (a < 0 || b < 0)
        return a > b ? a : b;
    return a < b ? a : b;
}

bool sky_seen_add(struct sky_seen *seen, struct sky_kept *kept, struct sky_row *row,
                  struct error *err)
{
    const struct str parts[] = {row->region, row->zone, row->device.instance};
    char text[3 * (SKY_TEXT_MAX + 1)];
    struct str key = {text, 0};
    struct seen_machine *m;
    uint64_t hash;

    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (parts[i].len > 0)
            memcpy(text + key.len, parts[i].at, parts[i].len);
        key.len += parts[i].len;
        text[key.len++] = '\0';
    }
    if (2 * seen->len >= seen->room && !grow(seen, kept, err))
        return false;
    hash = text_hash((uint64_t)(uintptr_t)kept, key);
    m = place_of(seen, key, hash);
    if (m->key != NULL) {
        m->on_demand = row->on_demand = holding(m->on_demand, row->on_demand);
        m->spot = row->spot = holding(m->spot, row->spot);
        return true;
    }
    if (!sky_keep_text(kept, &key, err))
        return false;
    *m = (struct seen_machine){key.at, key.len, hash, row->on_demand, row->spot};
    seen->len++;
    return true;
}
