/* A file of PyTorch's in a folder of a model. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "data/weights/weights_internal.h"

/* ---- what is in it ---- */

static bool is_kept(const struct weights_crew *crew, const struct torch_tensor *t)
{
    return !t->optimizer || !crew->work->drop_optimizer;
}

/* The tensors that are one piece, and all of their storage that is kept: of each storage
 * one. */
static bool list_torch_tensors(const struct weights_crew *crew, struct weights_item *item,
                               struct error *err)
{
    const struct torch_file *file = item->torch;
    bool *seen = arena_array(crew->arena, bool, file->storage_count, err);

    item->file.tensors = arena_array(crew->arena, struct tensor, file->storage_count, err);
    if (seen == NULL || item->file.tensors == NULL)
        return false;
    for (size_t i = 0; i < file->tensor_count; i++) {
        const struct torch_tensor *t = &file->tensors[i];
        const struct torch_storage *s = &file->storages[t->storage];
        uint64_t first, end;

        if (!is_kept(crew, t))
            continue;
        item->tensors++;
        if (seen[t->storage] || !t->contiguous || !torch_extent(t, &first, &end) ||
            first != s->first || end != s->last)
            continue;
        seen[t->storage] = true;
        item->file.tensors[item->file.count++] = (struct tensor){
            t->name,     t->type,   t->dimensions, t->shape, s->entry->at + s->first,
            end - first, t->storage};
    }
    return true;
}

static void note_torch_plan(struct weights_item *item)
{
    struct buf why = buf_within(item->why, sizeof item->why);

    if (item->plan.dropped.len > 0) {
        buf_adds(&why, "left out of it: ");
        buf_add_safe(&why, item->plan.dropped);
    }
    if (item->plan.trimmed > 0) {
        buf_adds(&why, why.len > 0 ? "; " : "");
        bytes_write((bytes){item->plan.trimmed}, &why);
        buf_adds(&why, " that no tensor uses");
    }
    item->why[why.len < sizeof item->why ? why.len : sizeof item->why - 1] = '\0';
}

bool weights_look_torch(const struct weights_crew *crew, struct weights_item *item, int fd,
                        struct error *err)
{
    struct torch_wish wish = {.cast = crew->work->cast,
                              .drop_optimizer = crew->work->drop_optimizer};

    item->torch = arena_array(crew->arena, struct torch_file, 1, err);
    if (item->torch == NULL || !torch_read(fd, item->stat.size, crew->arena, item->torch, err))
        return false;
    wish.optimizer =
        torch_is_optimizer(item->torch) || weights_is_optimizer_path(item->entry->path);
    if (wish.drop_optimizer && torch_is_optimizer(item->torch)) {
        item->format = WEIGHTS_NO_TENSORS;
        weights_leave_out(item);
        return true;
    }
    if (!torch_plan(item->torch, &wish, crew->arena, &item->plan, err) ||
        !list_torch_tensors(crew, item, err))
        return false;
    item->cast = item->plan.cast;
    for (size_t i = 0; i < item->torch->storage_count; i++)
        if (item->torch->storages[i].kept) {
            item->bytes += item->torch->storages[i].size;
            item->new_bytes += torch_new_size(&item->torch->storages[i]);
        }
    note_torch_plan(item);
    return true;
}

/* ---- the copy ---- */

static bool write_torch_text(struct weights_item *item, struct stored_zip_writer *zip,
                             struct str name, struct str text, struct error *err)
{
    if (!stored_zip_start(zip, name, text.len, err))
        return false;
    if (!remake_write(zip->fd, zip->at, text.at, text.len))
        return weights_fail_to_put(item, errno, err);
    return stored_zip_end(zip, stored_zip_crc(zip, 0, text.at, text.len), err);
}

static bool write_torch_pickle(struct weights_item *item, struct stored_zip_writer *zip,
                               struct error *err)
{
    struct buf text = buf_new(zip->arena->alloc, 2 * PICKLE_MOST);
    bool ok = pickle_write(item->torch->root, &text, err) &&
              write_torch_text(item, zip, item->torch->pickle->name, buf_text(&text), err);

    buf_free(&text);
    return ok;
}

/* What a storage was, and what it is to be: as of one dimension. */
static void pair_storage(struct weights_pair *pair, const struct torch_storage *s, uint64_t at)
{
    pair->was = (struct tensor){.name = s->key,
                                .type = s->type,
                                .at = s->entry->at + s->first,
                                .size = s->last - s->first};
    pair->is = (struct tensor){.type = s->cast, .at = at, .size = torch_new_size(s)};
}

static bool write_torch_entry(struct weights_pair *pair, struct stored_zip_writer *zip,
                              const struct stored_entry *e, const struct torch_storage *s,
                              struct error *err)
{
    const struct torch_storage plain = {
        .key = e->name, .type = TENSOR_U8, .cast = TENSOR_U8, .entry = e, .last = e->size};

    if (s == NULL)
        s = &plain;
    if (!stored_zip_start(zip, e->name, torch_new_size(s), err))
        return false;
    pair_storage(pair, s, zip->at);
    return weights_pass(pair, false, err) &&
           (pair->item->trouble != 0 || stored_zip_end(zip, pair->crc, err));
}

static bool is_memory_entry(const struct torch_file *file, struct str name)
{
    name.at += file->prefix.len < name.len ? file->prefix.len : name.len;
    name.len -= file->prefix.len < name.len ? file->prefix.len : name.len;
    return str_starts(name, STR("data/"));
}

bool weights_write_torch(struct weights_crew *crew, struct weights_item *item,
                         const int fds[static 2], struct arena *scratch, struct error *err)
{
    const struct torch_file *file = item->torch;
    const struct torch_storage **of =
        arena_array(scratch, const struct torch_storage *, file->zip.count, err);
    struct stored_zip_writer zip = stored_zip_writer(fds[1], scratch);
    struct weights_pair pair;
    bool ok = of != NULL && weights_pair_open(&pair, crew, item, fds, scratch, err);

    for (size_t i = 0; ok && i < file->storage_count; i++)
        of[file->storages[i].entry - file->zip.entries] = &file->storages[i];
    pair.zip = ok ? &zip : NULL;
    for (size_t i = 0; ok && item->trouble == 0 && i < file->zip.count; i++) {
        const struct stored_entry *e = &file->zip.entries[i];

        if (e == file->pickle)
            ok = write_torch_pickle(item, &zip, err);
        else if (of[i] != NULL ? of[i]->kept : !is_memory_entry(file, e->name))
            ok = write_torch_entry(&pair, &zip, e, of[i], err);
    }
    return ok && (item->trouble != 0 || stored_zip_finish(&zip, err));
}

/* ---- the proof ---- */

static bool verify_storage(struct weights_pair *pair, const struct torch_storage *s,
                           const struct torch_storage *there, struct error *err)
{
    if (there->type != s->cast || there->untyped != s->untyped ||
        there->size != torch_new_size(s))
        return weights_fail_to_verify(pair->item, s->key, err);
    pair_storage(pair, s, there->entry->at);
    return weights_pass(pair, true, err);
}

/* The hash of a storage's content is that of its tensor: where it goes, for each storage. */
static uint64_t **places_of_hashes(const struct weights_item *item, struct arena *scratch,
                                   struct error *err)
{
    uint64_t **places = arena_array(scratch, uint64_t *, item->torch->storage_count, err);

    for (size_t i = 0; places != NULL && i < item->file.count; i++)
        places[item->file.tensors[i].number] = &item->hashes[i];
    return places;
}

static bool verify_storages(struct weights_pair *pair, const struct torch_file *there,
                            struct arena *scratch, struct error *err)
{
    const struct torch_file *file = pair->item->torch;
    struct map keys = map_in_arena(scratch);
    uint64_t **hashes = places_of_hashes(pair->item, scratch, err);
    size_t kept = 0;

    if (hashes == NULL)
        return false;
    for (size_t i = 0; i < there->storage_count; i++)
        if (map_add(&keys, there->storages[i].key, NULL, err) == NULL)
            return false;
    for (size_t i = 0; pair->item->trouble == 0 && i < file->storage_count; i++) {
        const struct map_entry *e = map_find(&keys, file->storages[i].key);

        if (!file->storages[i].kept)
            continue;
        kept++;
        if (e == NULL)
            return weights_fail_to_verify(pair->item, file->storages[i].key, err);
        if (!verify_storage(pair, &file->storages[i], &there->storages[e - keys.at], err))
            return false;
        if (hashes[i] != NULL)
            *hashes[i] = pair->hash;
    }
    return pair->item->trouble != 0 || kept == there->storage_count ||
           weights_fail_to_verify(pair->item, STR("data.pkl"), err);
}

bool weights_verify_torch(struct weights_crew *crew, struct weights_item *item,
                          const int fds[static 2], struct arena *scratch, struct error *err)
{
    struct weights_pair pair;
    struct torch_file there;
    struct stat st;
    bool ok = weights_pair_open(&pair, crew, item, fds, scratch, err);

    if (ok && fstat(fds[1], &st) != 0)
        return weights_fail_to_put(item, errno, err);
    if (!ok || !torch_read(fds[1], (uint64_t)st.st_size, scratch, &there, err))
        return false;
    if (!pickle_same(item->torch->root, there.root))
        return weights_fail_to_verify(item, STR("data.pkl"), err);
    ok = verify_storages(&pair, &there, scratch, err);
    item->loss = pair.loss;
    return ok;
}
