/* Any bytes as values with times: an error with a text, or values in order, and events that are
 * at times of the file. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "series/readings.h"

#define MOST_BYTES ((size_t)64 << 10)
#define MOST_SLOTS ((size_t)1 << 18) /* of what is judged */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static void require_sound(const struct readings *r)
{
    size_t known = 0;

    require(r->len > 0 && r->len <= READINGS_MOST);
    for (size_t i = 0; i < r->len; i++) {
        require(isnan(r->at[i].value) || isfinite(r->at[i].value));
        require(i == 0 || r->at[i - 1].at.s <= r->at[i].at.s);
        known += isfinite(r->at[i].value) != 0;
    }
    require(known > 0 && known + r->missing + r->infinite == r->len);
}

static void judge(const struct readings *r, struct arena *arena)
{
    const struct anomaly_options options = {.share = 0.2};
    struct readings_found found;
    struct readings_pace pace;
    struct error err = {0};

    if (!readings_pace(r, arena, &pace, &err)) {
        require(err.kind == ERROR_INPUT);
        return;
    }
    require(pace.interval >= 1 && pace.slots > pace.empty && pace.slots <= READINGS_MOST);
    if (pace.slots > MOST_SLOTS)
        return;
    require(readings_judge(r, &pace, &options, arena, &found, &err));
    for (size_t i = 0; i < found.len; i++) {
        const struct readings_event *e = &found.at[i];

        require(e->first.s <= e->seen.s && e->seen.s <= e->last.s);
        require(e->first.s >= r->at[0].at.s && e->last.s <= r->at[r->len - 1].at.s);
        require(e->of.parts > 0 && (i == 0 || found.at[i - 1].last.s < e->first.s));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    const struct csv_options options = {.alloc = &alloc_system};
    struct readings readings;
    struct error err = {0};
    struct csv *csv;

    if (size > MOST_BYTES)
        return 0;
    csv = csv_open_text((struct str){(const char *)data, size}, &options, &err);
    require(csv != NULL);
    if (readings_read(csv, (struct str){0}, &arena, &readings, &err)) {
        require_sound(&readings);
        judge(&readings, &arena);
    } else {
        require(err.kind == ERROR_INPUT && err.text[0] != '\0');
    }
    csv_close(csv);
    arena_free(&arena);
    return 0;
}
