/* Files of PyTorch's whose tensors are all in .safetensors files of the same folder, too. */
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/map.h"
#include "data/weights/weights_internal.h"

/* A tensor of a .safetensors file, and others of that name in the same folder. */
struct repeated_tensor {
    struct weights_item *item;
    const struct tensor *tensor;
    struct repeated_tensor *next;
};

struct repeated {
    struct weights_crew *crew;
    struct map names; /* FOLDER and NAME, with a NUL between them */
    unsigned char *blocks;
    struct error *err;
};

static struct str folder_of_item(const struct weights_item *item)
{
    struct str path = item->entry->path;

    path.len -= str_after_last(path, '/').len;
    return path;
}

static bool name_in_folder(const struct repeated *all, struct str folder, struct str name,
                           struct str *out)
{
    struct buf text = buf_new(all->crew->arena->alloc, BUF_MAX_OUTPUT);

    buf_add(&text, folder);
    buf_char(&text, '\0');
    buf_add(&text, name);
    return buf_keep(&text, all->crew->arena, out, all->err);
}

static bool add_safetensors(struct repeated *all, struct weights_item *item)
{
    struct repeated_tensor *list =
        arena_array(all->crew->arena, struct repeated_tensor, item->file.count, all->err);

    if (list == NULL)
        return false;
    for (size_t i = 0; i < item->file.count; i++) {
        struct map_entry *e;
        struct str key;

        if (!name_in_folder(all, folder_of_item(item), item->file.tensors[i].name, &key))
            return false;
        e = map_add(&all->names, key, NULL, all->err);
        if (e == NULL)
            return false;
        list[i] = (struct repeated_tensor){item, &item->file.tensors[i], e->value};
        e->value = &list[i];
    }
    return true;
}

/* ---- one file of PyTorch's ---- */

/* Is it a dictionary of tensors, with nothing else that would be lost? */
static bool has_only_tensors(const struct torch_file *file)
{
    const struct pickle_node *root = file->root;

    for (uint32_t i = 1; i < root->count; i += 2)
        if (!pickle_is_global(root->items[i]->callee, "torch._utils", "_rebuild_tensor_v2") &&
            !pickle_is_global(root->items[i]->callee, "torch._utils", "_rebuild_tensor_v3"))
            return false;
    return (root->kind == PICKLE_DICT || root->kind == PICKLE_CALL) && root->count > 0 &&
           root->count == 2 * file->tensor_count;
}

static bool looks_like(const struct torch_tensor *t, const struct repeated_tensor *other)
{
    return t->contiguous && t->type == other->tensor->type &&
           t->dimensions == other->tensor->dimensions &&
           (t->dimensions == 0 ||
            memcmp(t->shape, other->tensor->shape, t->dimensions * sizeof *t->shape) == 0);
}

static bool have_equal_bytes(const struct repeated *all, int fd, uint64_t at, int other,
                             const struct tensor *t, bool *same)
{
    *same = true;
    for (uint64_t done = 0; *same && done < t->size; done += REMAKE_BLOCK) {
        size_t len = t->size - done < REMAKE_BLOCK ? (size_t)(t->size - done) : REMAKE_BLOCK;

        *same = fs_read_at(fd, at + done, all->blocks, len) &&
                fs_read_at(other, t->at + done, all->blocks + REMAKE_BLOCK, len) &&
                memcmp(all->blocks, all->blocks + REMAKE_BLOCK, len) == 0;
        if (!tree_goes_on(all->crew->work->watch, all->err))
            return false;
    }
    return true;
}

/* The first of these tensors that is equal; NULL in `*found`: none. */
static bool find_equal_tensor(const struct repeated *all, const struct weights_item *item,
                              int fd, const struct torch_tensor *t,
                              const struct repeated_tensor **found)
{
    const struct torch_storage *s = &item->torch->storages[t->storage];
    const struct map_entry *e;
    const struct repeated_tensor *other;
    struct str key;
    bool same = false;

    *found = NULL;
    if (!name_in_folder(all, folder_of_item(item), t->name, &key))
        return false;
    e = map_find(&all->names, key);
    for (other = e != NULL ? e->value : NULL; !same && other != NULL; other = other->next) {
        uint64_t first = 0, end;
        int fd_other;

        if (!looks_like(t, other))
            continue;
        fd_other = weights_open(all->crew, other->item);
        if (fd_other < 0)
            continue;
        same = !torch_extent(t, &first, &end);
        if (!same &&
            !have_equal_bytes(all, fd, s->entry->at + first, fd_other, other->tensor, &same)) {
            (void)close(fd_other);
            return false;
        }
        (void)close(fd_other);
        *found = same ? other : NULL;
    }
    return true;
}

/* Do two tensors of a file lie over each other, exactly? */
static bool are_tied(const struct torch_tensor *a, const struct torch_tensor *b)
{
    return a->storage == b->storage && a->offset == b->offset && a->contiguous &&
           b->contiguous && a->dimensions == b->dimensions &&
           (a->dimensions == 0 ||
            memcmp(a->shape, b->shape, a->dimensions * sizeof *a->shape) == 0);
}

/* A tensor that is tied to others is in a .safetensors file only once. `first_of`: the first
 * equal tensor of each storage, 1 + its number. */
static bool is_tensor_repeated(const struct repeated *all, struct weights_item *item, int fd,
                               size_t number, size_t *first_of, bool *is)
{
    const struct torch_tensor *t = &item->torch->tensors[number];
    const struct repeated_tensor *found;

    *is = true;
    if (first_of[t->storage] > 0 &&
        are_tied(t, &item->torch->tensors[first_of[t->storage] - 1]))
        return true;
    if (!find_equal_tensor(all, item, fd, t, &found))
        return false;
    *is = found != NULL;
    if (*is && first_of[t->storage] == 0) {
        first_of[t->storage] = number + 1;
        if (item->twin == NULL)
            item->twin = found->item;
    }
    return true;
}

static bool find_repeated_file(const struct repeated *all, struct weights_item *item)
{
    const struct torch_file *file = item->torch;
    size_t *first_of = arena_array(all->crew->arena, size_t, file->storage_count, all->err);
    size_t missing = 0;
    int fd;

    if (first_of == NULL || !has_only_tensors(file))
        return first_of != NULL;
    fd = weights_open(all->crew, item);
    if (fd < 0)
        return true;
    /* Once more for those that are tied to one behind them. */
    for (int round = 0; round < 2 && (round == 0 || missing > 0); round++) {
        missing = 0;
        for (size_t i = 0; i < file->tensor_count && (round == 0 || missing == 0); i++) {
            bool is;

            if (!is_tensor_repeated(all, item, fd, i, first_of, &is)) {
                (void)close(fd);
                return false;
            }
            missing += !is;
        }
    }
    (void)close(fd);
    if (missing > 0)
        item->twin = NULL;
    return true;
}

/* ---- indexes ---- */

/* "pytorch_model.bin.index.json": is the item one of its shards, "pytorch_model-...bin"? */
static bool is_shard_of(const struct weights_item *index, const struct weights_item *item)
{
    struct str stem = index->entry->path;

    if (!str_ends(stem, STR(".bin.index.json")))
        return false;
    stem.len -= strlen(".bin.index.json");
    return str_starts(item->entry->path, stem) && item->entry->path.len > stem.len &&
           item->entry->path.at[stem.len] == '-' && str_ends(item->entry->path, STR(".bin"));
}

/* Shards go together, and their index with them. */
static void keep_shards_together(const struct weights_crew *crew, struct weights_item *index)
{
    size_t shards = 0, twins = 0;

    for (size_t i = 0; i < crew->count; i++)
        if (is_shard_of(index, &crew->items[i])) {
            shards++;
            twins += crew->items[i].twin != NULL;
            index->twin = crew->items[i].twin;
        }
    if (shards > 0 && twins == shards)
        return;
    index->twin = NULL;
    for (size_t i = 0; i < crew->count; i++)
        if (is_shard_of(index, &crew->items[i]))
            crew->items[i].twin = NULL;
}

static void note_repeated(const struct weights_crew *crew, struct weights_item *item)
{
    struct buf why = buf_within(item->why, sizeof item->why);

    if (crew->work->drop_repeated) {
        item->fate = WEIGHTS_REPEATED;
        buf_adds(&why, "all its tensors are in ");
        buf_add_safe(&why, str_after_last(item->twin->entry->path, '/'));
    } else {
        buf_adds(
            &why,
            "all its tensors are in .safetensors files, too: left out with --drop-duplicates");
    }
    item->why[why.len < sizeof item->why ? why.len : sizeof item->why - 1] = '\0';
}

bool weights_find_repeated(struct weights_crew *crew, struct error *err)
{
    struct repeated all = {.crew = crew, .names = map_in_arena(crew->arena), .err = err};

    all.blocks = arena_get(crew->arena, 2, REMAKE_BLOCK, 1, err);
    if (all.blocks == NULL)
        return false;
    for (size_t i = 0; i < crew->count; i++)
        if (crew->items[i].format == WEIGHTS_SAFETENSORS &&
            !add_safetensors(&all, &crew->items[i]))
            return false;
    for (size_t i = 0; all.names.count > 0 && i < crew->count; i++)
        if (crew->items[i].format == WEIGHTS_TORCH &&
            !find_repeated_file(&all, &crew->items[i]))
            return false;
    for (size_t i = 0; i < crew->count; i++)
        if (str_ends(crew->items[i].entry->path, STR(".bin.index.json")))
            keep_shards_together(crew, &crew->items[i]);
    for (size_t i = 0; i < crew->count; i++)
        if (crew->items[i].twin != NULL)
            note_repeated(crew, &crew->items[i]);
    return true;
}
