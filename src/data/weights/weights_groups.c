/* Tensors that are stored more than once. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "data/weights/weights_internal.h"

/* A tensor that may be the same as another. */
struct weights_candidate {
    struct weights_item *item;
    size_t number;
};

static const struct tensor *tensor_of(const struct weights_candidate *c)
{
    return &c->item->file.tensors[c->number];
}

static int compare_candidates(const void *a, const void *b)
{
    const struct weights_candidate *one = a, *other = b;
    const struct tensor *t = tensor_of(one), *u = tensor_of(other);
    uint64_t hash = one->item->hashes[one->number],
             hash_of_other = other->item->hashes[other->number];

    if (t->size != u->size)
        return t->size > u->size ? -1 : 1;
    if (t->type != u->type)
        return t->type < u->type ? -1 : 1;
    if (hash != hash_of_other)
        return hash < hash_of_other ? -1 : 1;
    if (one->item != other->item)
        return one->item < other->item ? -1 : 1;
    return one->number < other->number ? -1 : one->number > other->number;
}

static bool may_be_same_tensor(const struct weights_candidate *a,
                               const struct weights_candidate *b)
{
    const struct tensor *t = tensor_of(a), *u = tensor_of(b);

    return t->size == u->size && t->type == u->type &&
           a->item->hashes[a->number] == b->item->hashes[b->number] && tensor_same_shape(t, u);
}

/* A hash says that they may be; their bytes decide. What cannot be read is not the same. */
static bool have_same_bytes(const struct weights_crew *crew, const struct weights_candidate *a,
                            const struct weights_candidate *b, unsigned char *blocks,
                            bool *same, struct error *err)
{
    const struct tensor *t = tensor_of(a), *u = tensor_of(b);
    int one = weights_open(crew, a->item), other = weights_open(crew, b->item);

    *same = one >= 0 && other >= 0;
    for (uint64_t at = 0; *same && at < t->size; at += REMAKE_BLOCK) {
        size_t len = t->size - at < REMAKE_BLOCK ? (size_t)(t->size - at) : REMAKE_BLOCK;

        *same = fs_read_at(one, t->at + at, blocks, len) &&
                fs_read_at(other, u->at + at, blocks + REMAKE_BLOCK, len) &&
                memcmp(blocks, blocks + REMAKE_BLOCK, len) == 0;
        if (!tree_goes_on(crew->work->watch, err)) {
            (void)close(one);
            (void)close(other);
            return false;
        }
    }
    if (one >= 0)
        (void)close(one);
    if (other >= 0)
        (void)close(other);
    return true;
}

static bool name_tensor(const struct weights_candidate *c, struct arena *arena, struct str *out,
                        struct error *err)
{
    struct buf name = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    buf_add(&name, c->item->entry->path);
    buf_adds(&name, ": ");
    buf_add(&name, tensor_of(c)->name);
    return buf_keep(&name, arena, out, err);
}

/* `count` candidates that are the same: all but one could go. */
static bool add_group(const struct weights_crew *crew, const struct weights_candidate *list,
                      size_t count, size_t *room, struct weights *out, struct error *err)
{
    struct str *names = arena_array(crew->arena, struct str, count, err);
    const struct tensor *t = tensor_of(&list[0]);
    enum tensor_type type = weights_new_type(crew, list[0].item, list[0].number);
    uint64_t size;

    if (names == NULL || !tensor_size(type, t->shape, t->dimensions, &size))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!name_tensor(&list[i], crew->arena, &names[i], err))
            return false;
    out->groups =
        arena_grow(crew->arena, out->groups, out->group_count, sizeof *out->groups, room, err);
    if (out->groups == NULL)
        return false;
    out->groups[out->group_count++] =
        (struct weights_group){{names, count}, {size * (count - 1)}};
    return true;
}

static bool list_candidates(const struct weights_crew *crew, struct weights_candidate **out,
                            size_t *count, struct error *err)
{
    size_t room = 0;

    *count = 0;
    *out = NULL;
    for (size_t i = 0; i < crew->count; i++) {
        struct weights_item *item = &crew->items[i];

        if (!item->copied || item->format == WEIGHTS_NO_TENSORS)
            continue;
        for (size_t k = 0; k < item->file.count; k++) {
            if (item->file.tensors[k].size < WEIGHTS_GROUP_LEAST)
                continue;
            *out = arena_grow(crew->arena, *out, *count, sizeof **out, &room, err);
            if (*out == NULL)
                return false;
            (*out)[(*count)++] = (struct weights_candidate){item, k};
        }
    }
    return true;
}

static int compare_groups(const void *a, const void *b)
{
    const struct weights_group *one = a, *other = b;

    if (one->size.n != other->size.n)
        return one->size.n > other->size.n ? -1 : 1;
    return str_cmp(one->tensors.at[0], other->tensors.at[0]);
}

/* From the sorted list: those that have the bytes of the first one. */
static bool take_group(const struct weights_crew *crew, const struct weights_candidate *list,
                       size_t count, unsigned char *blocks, size_t *end, struct error *err)
{
    bool same = true;

    for (*end = 1; *end < count && may_be_same_tensor(&list[0], &list[*end]); (*end)++) {
        if (!have_same_bytes(crew, &list[0], &list[*end], blocks, &same, err))
            return false;
        if (!same)
            break;
    }
    return true;
}

bool weights_find_groups(const struct weights_crew *crew, struct weights *out,
                         struct error *err)
{
    unsigned char *blocks = arena_get(crew->arena, 2, REMAKE_BLOCK, 1, err);
    struct weights_candidate *list;
    size_t count, room = 0, end;

    if (blocks == NULL || !list_candidates(crew, &list, &count, err))
        return false;
    if (count > 1)
        qsort(list, count, sizeof *list, compare_candidates);
    for (size_t i = 0; i < count; i += end) {
        if (!take_group(crew, list + i, count - i, blocks, &end, err) ||
            (end > 1 && !add_group(crew, list + i, end, &room, out, err)))
            return false;
    }
    if (out->group_count > 1)
        qsort(out->groups, out->group_count, sizeof *out->groups, compare_groups);
    return true;
}
