#include "data/weights/weights.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/parallel.h"
#include "data/weights/weights_internal.h"

const char *const weights_fate_names[WEIGHTS_FATES + 1] = {
    [WEIGHTS_SMALLER] = "smaller",         [WEIGHTS_BEST] = "small already",
    [WEIGHTS_UNSUPPORTED] = "unsupported", [WEIGHTS_CORRUPT] = "corrupt",
    [WEIGHTS_OPTIMIZER] = "left out",      [WEIGHTS_REPEATED] = "duplicate",
    [WEIGHTS_UPDATED] = "updated",         [WEIGHTS_OTHER] = "other",
};

static const struct field sum_fields[] = {
    FIELD(ENUM, weights_sum, outcome, .names = weights_fate_names,
          .help = "result: smaller, left out, updated, or copied and why"),
    FIELD(COUNT, weights_sum, files, .help = "number of files"),
    FIELD(BYTES, weights_sum, size, .help = "size before"),
    FIELD(BYTES, weights_sum, new_size, .help = "size after"),
};

const struct field_set weights_sum_fields = FIELD_SET(struct weights_sum, sum_fields);

static const struct field note_fields[] = {
    FIELD(TEXT, weights_note, path, .help = "path in the folder"),
    FIELD(ENUM, weights_note, outcome, .names = weights_fate_names, .help = "result"),
    FIELD(TEXT, weights_note, reason, .help = "reason"),
};

const struct field_set weights_note_fields = FIELD_SET(struct weights_note, note_fields);

static const struct field group_fields[] = {
    FIELD(TEXTS, weights_group, tensors, .help = "files and names of the tensors"),
    FIELD(BYTES, weights_group, size, .help = "size of all but one"),
};

const struct field_set weights_group_fields = FIELD_SET(struct weights_group, group_fields);

/* ---- the work ---- */

static bool look_at_weights(struct weights_crew *crew, struct weights *out, struct error *err)
{
    crew->items = arena_array(crew->arena, struct weights_item, out->tree.count, err);
    if (crew->items == NULL)
        return false;
    for (size_t i = 0; i < out->tree.count; i++) {
        struct weights_item *item = &crew->items[crew->count];

        if (out->tree.entries[i].trouble)
            continue;
        item->entry = &out->tree.entries[i];
        crew->count++;
        if (!remake_follow(crew->work->from, item->entry, &item->stat, crew->arena, err) ||
            !tree_goes_on(crew->work->watch, err))
            return false;
        if (item->entry->kind == TREE_FILE && !weights_look(crew, item, err))
            return false;
        /* Each is copied, and files of tensors are read again. */
        crew->total += item->stat.size * (item->format != WEIGHTS_NO_TENSORS ? 2 : 1);
    }
    return true;
}

static bool is_left_out(const struct weights_item *item)
{
    return item->fate == WEIGHTS_OPTIMIZER || item->fate == WEIGHTS_REPEATED;
}

static bool put_weights_item(void *ctx, size_t index, struct arena *scratch, struct error *err)
{
    struct weights_crew *crew = ctx;
    struct weights_item *item = &crew->items[index];

    return item->trouble != 0 || is_left_out(item) || weights_is_about(item) ||
           weights_put(crew, item, scratch, err);
}

static bool weights_stopped(void *ctx)
{
    return watch_stopped(((struct weights_crew *)ctx)->work->watch);
}

static void report_weights(void *ctx, size_t done)
{
    struct weights_crew *crew = ctx;

    (void)done;
    watch_progress(crew->work->watch, "optimizing",
                   atomic_load_explicit(&crew->read, memory_order_relaxed), crew->total);
}

static bool put_weights_items(struct weights_crew *crew, struct error *err)
{
    const struct parallel what = {
        .threads = crew->work->threads,
        .alloc = crew->arena->alloc,
        .item = put_weights_item,
        .stop = weights_stopped,
        .report = report_weights,
        .ctx = crew,
    };
    bool corrupt = false;

    for (size_t i = 0; i < crew->count; i++)
        corrupt = corrupt || crew->items[i].fate == WEIGHTS_CORRUPT;
    if (!remake_start(&crew->to, err))
        return false;
    if (corrupt &&
        (!remake_check_absent(crew->aside.name, err) || !remake_start(&crew->aside, err)))
        return false;
    if (!parallel_run(&what, crew->count, err))
        return false;
    for (size_t i = 0; i < crew->count; i++)
        if (crew->items[i].trouble == 0 && weights_is_about(&crew->items[i]) &&
            !is_left_out(&crew->items[i]) && !weights_put_about(crew, &crew->items[i], err))
            return false;
    return true;
}

/* ---- the answer ---- */

static void add_weights_sums(const struct weights_item *item, struct weights *out)
{
    struct weights_sum *sum = &out->sums[item->fate];

    sum->files++;
    sum->size.n += item->stat.size;
    sum->new_size.n += is_left_out(item) ? 0 : item->size;
    if (item->format == WEIGHTS_NO_TENSORS || is_left_out(item))
        return;
    out->files++;
    out->tensors += (int64_t)item->tensors;
    out->cast += (int64_t)item->cast;
    out->loss.overflowed += item->loss.overflowed;
    out->loss.underflowed += item->loss.underflowed;
}

/* Sums, notes and problems, in the order of paths. */
static bool sum_up_weights(const struct weights_crew *crew, struct weights *out,
                           struct error *err)
{
    size_t room = 0;

    for (int32_t f = 0; f < WEIGHTS_FATES; f++)
        out->sums[f] = (struct weights_sum){.outcome = f};
    for (size_t i = 0; i < crew->count; i++) {
        const struct weights_item *item = &crew->items[i];

        if (item->trouble != 0 &&
            !remake_note_trouble(&out->tree, item->entry, item->trouble, err))
            return false;
        if (item->trouble != 0 || item->entry->kind != TREE_FILE)
            continue;
        add_weights_sums(item, out);
        if (item->why[0] == '\0')
            continue;
        out->notes = arena_grow(crew->arena, out->notes, out->note_count, sizeof *out->notes,
                                &room, err);
        if (out->notes == NULL)
            return false;
        out->notes[out->note_count++] = (struct weights_note){
            .path = item->entry->path, .outcome = item->fate, .reason = str_from(item->why)};
    }
    return true;
}

bool weights_optimize(const struct weights_work *work, struct arena *arena, struct weights *out,
                      struct error *err)
{
    struct weights_crew *crew = arena_array(arena, struct weights_crew, 1, err);
    bool ok;

    *out = (struct weights){0};
    if (crew == NULL)
        return false;
    crew->work = work;
    crew->arena = arena;
    crew->to.name = work->to;
    crew->aside.name = work->aside;
    if (!remake_check(work->from, work->to, err) ||
        !tree_walk(work->from, work->watch, arena, &out->tree, err))
        return false;
    ok = look_at_weights(crew, out, err) && weights_find_repeated(crew, err) &&
         put_weights_items(crew, err) && weights_find_groups(crew, out, err) &&
         sum_up_weights(crew, out, err) && remake_place(&crew->aside, err) &&
         remake_place(&crew->to, err);
    remake_drop(&crew->to);
    remake_drop(&crew->aside);
    return ok;
}

bool weights_notes(const struct weights *weights, bool corrupt, struct arena *arena,
                   struct rows *out, struct error *err)
{
    struct weights_note *list =
        arena_array(arena, struct weights_note, weights->note_count, err);
    size_t count = 0;

    if (list == NULL)
        return false;
    for (size_t i = 0; i < weights->note_count; i++)
        if ((weights->notes[i].outcome == WEIGHTS_CORRUPT) == corrupt)
            list[count++] = weights->notes[i];
    *out = (struct rows){list, count};
    return true;
}
