/* Which images of a folder are the same, and which look alike. */
#include <stdlib.h>
#include <string.h>

#include "data/images/images_internal.h"

#define MOST_BITS 4 /* that may differ of two images that look alike */
/* Two looks that differ in MOST_BITS bits have one of so many pieces in common. */
#define PIECES (MOST_BITS + 1)
#define MOST_TRIED 1000 /* of those with a piece in common that one image is compared with */

struct images_groups {
    struct arena *arena;
    struct images_group *at;
    size_t count, room;
};

static int compare_images_digests(const void *a, const void *b)
{
    const struct images_item *one = *(struct images_item *const *)a;
    const struct images_item *other = *(struct images_item *const *)b;
    int order = memcmp(one->digest, other->digest, TREE_DIGEST);

    return order != 0 ? order : one < other ? -1 : one > other;
}

/* Most bytes first; then by the first path. */
static int compare_images_groups(const void *a, const void *b)
{
    const struct images_group *one = a, *other = b;

    if (one->size.n != other->size.n)
        return one->size.n > other->size.n ? -1 : 1;
    return str_cmp(one->paths.at[0], other->paths.at[0]);
}

/* Images that are alike; the size is that of all but the largest. */
static bool add_images_group(struct images_item *const *items, size_t count,
                             struct images_groups *to, struct error *err)
{
    struct str *paths = arena_array(to->arena, struct str, count, err);
    uint64_t size = 0, largest = 0;

    to->at = arena_grow(to->arena, to->at, to->count, sizeof *to->at, &to->room, err);
    if (paths == NULL || to->at == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        uint64_t own = items[i]->entry->stat.size;

        paths[i] = items[i]->entry->path;
        size += own;
        largest = own > largest ? own : largest;
    }
    to->at[to->count++] = (struct images_group){{paths, count}, {size - largest}};
    return true;
}

static void sort_images_groups(const struct images_groups *groups)
{
    if (groups->count > 1)
        qsort(groups->at, groups->count, sizeof *groups->at, compare_images_groups);
}

/* Images that are done, sorted by what is in them, then by their paths. */
static bool list_by_content(const struct images_crew *crew, struct arena *arena,
                            struct images_item ***out, size_t *count, struct error *err)
{
    *count = 0;
    *out = arena_array(arena, struct images_item *, crew->count, err);
    if (*out == NULL)
        return false;
    for (size_t i = 0; i < crew->count; i++)
        if (crew->items[i].done && crew->items[i].image && crew->items[i].entry->stat.size > 0)
            (*out)[(*count)++] = &crew->items[i];
    if (*count > 1)
        qsort(*out, *count, sizeof(struct images_item *), compare_images_digests);
    return true;
}

static bool is_same_image(const struct images_item *a, const struct images_item *b)
{
    return memcmp(a->digest, b->digest, TREE_DIGEST) == 0;
}

bool images_find_duplicates(const struct images_crew *crew, struct arena *arena,
                            struct images *out, struct error *err)
{
    struct images_groups groups = {.arena = arena};
    struct images_item **list;
    size_t count, same;

    if (!list_by_content(crew, arena, &list, &count, err))
        return false;
    for (size_t i = 0; i < count; i += same) {
        same = 1;
        while (i + same < count && is_same_image(list[i], list[i + same]))
            same++;
        if (same > 1 && !add_images_group(list + i, same, &groups, err))
            return false;
    }
    sort_images_groups(&groups);
    out->duplicates = groups.at;
    out->duplicate_count = groups.count;
    return true;
}

/* An image of its own content; those that look alike form a tree by their parents. */
struct images_looker {
    struct images_item *item;
    uint64_t look;
    size_t parent;
};

static size_t root_of_looker(struct images_looker *all, size_t i)
{
    while (all[i].parent != i) {
        all[i].parent = all[all[i].parent].parent;
        i = all[i].parent;
    }
    return i;
}

struct images_piece {
    uint64_t piece;
    size_t looker;
};

static int compare_pieces(const void *a, const void *b)
{
    const struct images_piece *one = a, *other = b;

    if (one->piece != other->piece)
        return one->piece < other->piece ? -1 : 1;
    return one->looker < other->looker ? -1 : one->looker > other->looker;
}

static int differing_bits(uint64_t a, uint64_t b)
{
    return __builtin_popcountll(a ^ b);
}

/* Join those with one piece of their look in common, which look alike. */
static void join_lookers(struct images_looker *all, const struct images_piece *pieces,
                         size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && k - i < MOST_TRIED; k++) {
            size_t a = pieces[i].looker, b = pieces[k].looker;

            if (pieces[k].piece != pieces[i].piece)
                break;
            if (differing_bits(all[a].look, all[b].look) > MOST_BITS)
                continue;
            a = root_of_looker(all, a);
            b = root_of_looker(all, b);
            all[a > b ? a : b].parent = a > b ? b : a;
        }
}

static bool join_similar(struct images_looker *all, size_t count, struct arena *arena,
                         struct error *err)
{
    struct images_piece *pieces = arena_array(arena, struct images_piece, count, err);

    if (pieces == NULL)
        return false;
    for (unsigned p = 0; p < PIECES; p++) {
        unsigned from = p * 64 / PIECES, end = (p + 1) * 64 / PIECES;

        for (size_t i = 0; i < count; i++)
            pieces[i] = (struct images_piece){.piece = all[i].look >> from &
                                                       ((UINT64_C(1) << (end - from)) - 1),
                                              .looker = i};
        if (count > 1)
            qsort(pieces, count, sizeof *pieces, compare_pieces);
        join_lookers(all, pieces, count);
    }
    return true;
}

static int compare_lookers_items(const void *a, const void *b)
{
    const struct images_looker *one = a, *other = b;

    if (one->parent != other->parent)
        return one->parent < other->parent ? -1 : 1;
    return one->item < other->item ? -1 : one->item > other->item;
}

/* One image of each content. */
static size_t list_lookers(struct images_item *const *list, size_t count,
                           struct images_looker *out)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        if (list[i]->look_known && (i == 0 || !is_same_image(list[i], list[i - 1]))) {
            out[found] =
                (struct images_looker){.item = list[i], .look = list[i]->look, .parent = found};
            found++;
        }
    return found;
}

static bool group_lookers(struct images_looker *all, size_t count, struct images_groups *groups,
                          struct error *err)
{
    struct images_item **items = arena_array(groups->arena, struct images_item *, count, err);
    size_t same;

    if (items == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        all[i].parent = root_of_looker(all, i);
    if (count > 1)
        qsort(all, count, sizeof *all, compare_lookers_items);
    for (size_t i = 0; i < count; i += same) {
        for (same = 0; i + same < count && all[i + same].parent == all[i].parent; same++)
            items[same] = all[i + same].item;
        if (same > 1 && !add_images_group(items, same, groups, err))
            return false;
    }
    sort_images_groups(groups);
    return true;
}

bool images_find_similar(const struct images_crew *crew, struct arena *arena,
                         struct images *out, struct error *err)
{
    struct images_groups groups = {.arena = arena};
    struct images_looker *all = arena_array(arena, struct images_looker, crew->count, err);
    struct images_item **list;
    size_t count;

    if (all == NULL || !list_by_content(crew, arena, &list, &count, err))
        return false;
    count = list_lookers(list, count, all);
    if (!join_similar(all, count, arena, err) || !group_lookers(all, count, &groups, err))
        return false;
    out->similar = groups.at;
    out->similar_count = groups.count;
    return true;
}
