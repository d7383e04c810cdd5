/* One file of a folder of a model: what is in it, its copy, and the proof that this is
 * right. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/hash.h"
#include "base/map.h"
#include "data/weights/weights_internal.h"

#define HASH_SEED 7
#define HEADER_TEXT_MOST (2 * (size_t)SAFETENSORS_HEADER_MOST)

/* ---- what is in it ---- */

int weights_open(const struct weights_crew *crew, struct weights_item *item)
{
    return remake_open_original(crew->work->from, item->entry->path, &item->stat,
                                &item->trouble);
}

/* A reader's refusal is what there is to say about the file. */
static bool note_refusal(struct weights_item *item, const struct error *why, struct error *err)
{
    if (why->kind != ERROR_INPUT && why->kind != ERROR_UNFIT) {
        *err = *why;
        return false;
    }
    item->format = WEIGHTS_NO_TENSORS;
    item->fate = why->kind == ERROR_INPUT ? WEIGHTS_CORRUPT : WEIGHTS_UNSUPPORTED;
    str_copy(str_from(why->text), item->why, sizeof item->why);
    return true;
}

static bool look_into_safetensors(const struct weights_crew *crew, struct weights_item *item,
                                  int fd, struct error *err)
{
    if (!safetensors_read_file(fd, item->stat.size, crew->arena, &item->file, err))
        return false;
    item->tensors = item->file.count;
    for (size_t i = 0; i < item->file.count; i++)
        item->bytes += item->file.tensors[i].size;
    item->new_bytes = item->bytes;
    return true;
}

/* PyTorch's files have many names, and others have them, too: their first bytes decide. */
static bool is_torch_name(struct str path)
{
    static const char *const ends[] = {".bin", ".pt", ".pth", ".ckpt", ".th", NULL};

    for (size_t i = 0; ends[i] != NULL; i++)
        if (str_ends(path, str_from(ends[i])))
            return true;
    return false;
}

static enum weights_format sniff_weights(struct weights_item *item, int fd)
{
    char head[4] = "";

    if (str_ends(item->entry->path, STR(".safetensors")))
        return WEIGHTS_SAFETENSORS;
    if (!fs_read_at(fd, 0, head, sizeof head))
        return WEIGHTS_NO_TENSORS;
    if (memcmp(head, "PK\3\4", sizeof head) == 0)
        return WEIGHTS_TORCH;
    if (head[0] == '\x80' && head[1] >= 2 && head[1] <= 5) {
        item->fate = WEIGHTS_UNSUPPORTED;
        str_copy(STR("a pickle without an archive around it, as PyTorch before 1.6 wrote it: "
                     "load and save it with a newer one"),
                 item->why, sizeof item->why);
    }
    return WEIGHTS_NO_TENSORS;
}

static bool look_into(const struct weights_crew *crew, struct weights_item *item, int fd,
                      struct error *err)
{
    struct error why = {0};
    bool ok;

    item->format = sniff_weights(item, fd);
    if (item->format == WEIGHTS_NO_TENSORS)
        return true;
    item->fate = WEIGHTS_BEST;
    ok = item->format == WEIGHTS_SAFETENSORS ? look_into_safetensors(crew, item, fd, &why)
                                             : weights_look_torch(crew, item, fd, &why);
    if (!ok)
        return note_refusal(item, &why, err);
    item->hashes = arena_array(crew->arena, uint64_t, item->file.count, err);
    return item->hashes != NULL;
}

/* What trainers (Transformers, Accelerate, DeepSpeed, PyTorch's FSDP, Megatron) save only so
 * that a training can go on. The state of a run (trainer_state.json) is small, and has its
 * history. */
bool weights_is_optimizer_path(struct str path)
{
    static const char *const names[] = {"optimizer.pt",  "optimizer.bin",    "scheduler.pt",
                                        "scheduler.bin", "scaler.pt",        "rng_state.pth",
                                        "optim.pt",      "distrib_optim.pt", NULL};
    static const char *const starts[] = {"rng_state_", "random_states_", "optimizer_",
                                         "scheduler_", NULL};
    static const char *const ends[] = {".pt", ".pth", ".bin", ".pkl", NULL};
    struct str name = str_after_last(path, '/');
    bool start = false, end = false;

    if (str_is_one_of(name, names) || str_ends(name, STR("_optim_states.pt")))
        return true;
    for (size_t i = 0; starts[i] != NULL; i++)
        start = start || str_starts(name, str_from(starts[i]));
    for (size_t i = 0; ends[i] != NULL; i++)
        end = end || str_ends(name, str_from(ends[i]));
    if (start && end)
        return true;
    return str_ends(name, STR(".distcp")) &&
           (str_starts(path, STR("optimizer_")) || str_has_nocase(path, STR("/optimizer_")));
}

void weights_leave_out(struct weights_item *item)
{
    item->fate = WEIGHTS_OPTIMIZER;
    str_copy(STR("state of a training"), item->why, sizeof item->why);
}

bool weights_look(const struct weights_crew *crew, struct weights_item *item, struct error *err)
{
    int fd;
    bool ok;

    item->fate = WEIGHTS_OTHER;
    if (crew->work->drop_optimizer && weights_is_optimizer_path(item->entry->path)) {
        weights_leave_out(item);
        return true;
    }
    if (!str_ends(item->entry->path, STR(".safetensors")) && !is_torch_name(item->entry->path))
        return true;
    fd = weights_open(crew, item);
    if (fd < 0)
        return true;
    ok = look_into(crew, item, fd, err);
    (void)close(fd);
    return ok;
}

/* ---- the copy ---- */

bool weights_fail_to_put(const struct weights_item *item, int why, struct error *err)
{
    return remake_fail(item->entry->path, why, err);
}

static const struct remake_folder *folder_for(const struct weights_crew *crew,
                                              const struct weights_item *item)
{
    return item->fate == WEIGHTS_CORRUPT ? &crew->aside : &crew->to;
}

static bool close_weights_copy(struct weights_item *item, int fd, bool ok, struct error *err)
{
    bool complete = ok && item->trouble == 0;

    ok = remake_close(fd, item->entry->path, &item->stat, complete, &item->size, err) && ok;
    item->copied = ok && complete;
    return ok;
}

static bool go_on(struct weights_crew *crew, uint64_t more, struct error *err)
{
    atomic_fetch_add_explicit(&crew->read, more, memory_order_relaxed);
    return tree_goes_on(crew->work->watch, err);
}

/* What could not be read of the original is its trouble: true. */
static bool note_unreadable(struct weights_item *item)
{
    item->trouble = errno != 0 ? errno : REMAKE_CHANGING;
    return true;
}

static bool count_copied(void *ctx, uint64_t more, struct error *err)
{
    return go_on(ctx, more, err);
}

static bool copy_weights_file(struct weights_crew *crew, struct weights_item *item,
                              const int fds[static 2], struct arena *scratch, struct error *err)
{
    const struct remake_copy copy = {fds[0],          fds[1],       item->entry->path,
                                     item->stat.size, count_copied, crew};

    return remake_copy(&copy, scratch, &item->trouble, err);
}

/* ---- tensors ---- */

enum tensor_type weights_new_type(const struct weights_crew *crew,
                                  const struct weights_item *item, size_t number)
{
    const struct tensor *t = &item->file.tensors[number];

    return item->format == WEIGHTS_TORCH ? item->torch->storages[t->number].cast
                                         : tensor_cast_type(t->type, crew->work->cast);
}

bool weights_pair_open(struct weights_pair *pair, struct weights_crew *crew,
                       struct weights_item *item, const int fds[static 2],
                       struct arena *scratch, struct error *err)
{
    *pair = (struct weights_pair){.crew = crew, .item = item, .fd = fds[0], .to = fds[1]};
    pair->in = arena_get(scratch, REMAKE_BLOCK, 1, 1, err);
    pair->out = arena_get(scratch, REMAKE_BLOCK, 1, 1, err);
    pair->there = arena_get(scratch, REMAKE_BLOCK, 1, 1, err);
    return pair->in != NULL && pair->out != NULL && pair->there != NULL;
}

/* The next bytes of the original, and what they are to be. False when they cannot be read. */
static bool next_block(struct weights_pair *pair, uint64_t at, size_t want, struct str *wanted)
{
    const struct tensor_kind *was = &tensor_kinds[pair->was.type];

    if (!fs_read_at(pair->fd, pair->was.at + at, pair->in, want))
        return false;
    *wanted = (struct str){(char *)pair->in, want};
    if (pair->was.type != pair->is.type) {
        size_t count = want * 8 / was->bits;

        tensor_cast(pair->was.type, pair->is.type, pair->in, count, pair->out, &pair->loss);
        *wanted = (struct str){(char *)pair->out, count * tensor_kinds[pair->is.type].bits / 8};
    }
    return true;
}

bool weights_fail_to_verify(const struct weights_item *item, struct str name, struct error *err)
{
    return error_fail_hint(err, ERROR_FAILED, "check the disk and the memory of this machine",
                           "'%.*s': what was written of '%.*s' is not what was read back",
                           STR_ARG(item->entry->path), STR_ARG(name));
}

static bool compare_block(struct weights_pair *pair, uint64_t to, size_t want,
                          struct str wanted, struct error *err)
{
    pair->hash = text_hash(HASH_SEED + pair->hash, (struct str){(char *)pair->in, want});
    if (!fs_read_at(pair->to, to, pair->there, wanted.len) ||
        memcmp(pair->there, wanted.at, wanted.len) != 0)
        return weights_fail_to_verify(pair->item, pair->was.name, err);
    return true;
}

static bool write_block(struct weights_pair *pair, uint64_t to, struct str wanted,
                        struct error *err)
{
    if (pair->zip != NULL)
        pair->crc = stored_zip_crc(pair->zip, pair->crc, wanted.at, wanted.len);
    return remake_write(pair->to, to, wanted.at, wanted.len) ||
           weights_fail_to_put(pair->item, errno, err);
}

bool weights_pass(struct weights_pair *pair, bool verify, struct error *err)
{
    uint64_t size = pair->was.size, to = pair->is.at;

    pair->hash = 0;
    pair->crc = 0;
    for (uint64_t at = 0; at < size;) {
        size_t want = size - at < REMAKE_BLOCK ? (size_t)(size - at) : REMAKE_BLOCK;
        struct str wanted;

        if (!next_block(pair, at, want, &wanted))
            return note_unreadable(pair->item);
        if (!(verify ? compare_block(pair, to, want, wanted, err)
                     : write_block(pair, to, wanted, err)))
            return false;
        at += want;
        to += wanted.len;
        if (!go_on(pair->crew, want, err))
            return false;
    }
    return true;
}

/* The tensors as they are to be: types and sizes. */
static bool plan_tensors(const struct weights_crew *crew, const struct weights_item *item,
                         struct arena *scratch, struct safetensors *out, size_t *cast,
                         struct error *err)
{
    *out = item->file;
    *cast = 0;
    out->tensors = arena_array(scratch, struct tensor, out->count, err);
    if (out->tensors == NULL)
        return false;
    for (size_t i = 0; i < out->count; i++) {
        struct tensor *t = &out->tensors[i];

        *t = item->file.tensors[i];
        t->number = i;
        t->type = weights_new_type(crew, item, i);
        *cast += t->type != item->file.tensors[i].type;
    }
    return true;
}

static bool write_tensors(struct weights_crew *crew, struct weights_item *item,
                          struct safetensors *plan, const int fds[static 2],
                          struct arena *scratch, struct error *err)
{
    struct weights_pair pair;
    struct buf header = buf_new(scratch->alloc, HEADER_TEXT_MOST);
    uint64_t size;
    bool ok = weights_pair_open(&pair, crew, item, fds, scratch, err) &&
              safetensors_write(plan, scratch, &header, &size, err);

    if (ok && (!remake_write(pair.to, 0, header.at, header.len) ||
               ftruncate(pair.to, (off_t)size) != 0))
        ok = weights_fail_to_put(item, errno, err);
    buf_free(&header);
    for (size_t i = 0; ok && item->trouble == 0 && i < plan->count; i++) {
        pair.is = plan->tensors[i];
        pair.was = item->file.tensors[pair.is.number];
        ok = weights_pass(&pair, false, err);
    }
    return ok;
}

static bool are_notes_same(const struct safetensors *a, const struct safetensors *b)
{
    bool same = a->has_notes == b->has_notes && a->note_count == b->note_count;

    for (size_t i = 0; same && i < a->note_count; i++)
        same = str_eq(a->notes[i].key, b->notes[i].key) &&
               str_eq(a->notes[i].value, b->notes[i].value);
    return same;
}

static bool verify_tensor(struct weights_pair *pair, const struct map *names, struct error *err)
{
    struct weights_item *item = pair->item;
    const struct map_entry *e = map_find(names, pair->is.name);
    size_t number = e != NULL ? (size_t)(e - names->at) : 0;

    pair->was = item->file.tensors[number];
    if (e == NULL || !tensor_same_shape(&pair->was, &pair->is) ||
        pair->is.type != tensor_cast_type(pair->was.type, pair->crew->work->cast))
        return weights_fail_to_verify(item, pair->is.name, err);
    if (!weights_pass(pair, true, err))
        return false;
    item->hashes[number] = pair->hash;
    item->new_bytes += pair->is.size;
    return true;
}

/* Read the copy as if it were any file, and compare every tensor. */
static bool verify_tensors(struct weights_crew *crew, struct weights_item *item,
                           const int fds[static 2], struct arena *scratch, struct error *err)
{
    struct weights_pair pair;
    struct map names = map_in_arena(scratch);
    struct safetensors there;
    struct stat st;
    bool ok = weights_pair_open(&pair, crew, item, fds, scratch, err);

    if (ok && fstat(pair.to, &st) != 0)
        return weights_fail_to_put(item, errno, err);
    ok = ok && safetensors_read_file(pair.to, (uint64_t)st.st_size, scratch, &there, err);
    if (ok && (there.count != item->file.count || !are_notes_same(&there, &item->file)))
        return error_fail(err, ERROR_FAILED, "the copy of '%.*s' has other tensors",
                          STR_ARG(item->entry->path));
    for (size_t i = 0; ok && i < item->file.count; i++)
        ok = map_add(&names, item->file.tensors[i].name, NULL, err) != NULL;
    item->new_bytes = 0;
    for (size_t i = 0; ok && item->trouble == 0 && i < there.count; i++) {
        pair.is = there.tensors[i];
        ok = verify_tensor(&pair, &names, err);
    }
    item->loss = pair.loss;
    return ok;
}

static bool put_safetensors(struct weights_crew *crew, struct weights_item *item,
                            const int fds[static 2], struct arena *scratch, struct error *err)
{
    struct safetensors plan;
    bool ok = plan_tensors(crew, item, scratch, &plan, &item->cast, err);

    if (ok && item->cast > 0) {
        item->fate = WEIGHTS_SMALLER;
        ok = write_tensors(crew, item, &plan, fds, scratch, err);
    } else if (ok) {
        ok = copy_weights_file(crew, item, fds, scratch, err);
    }
    return ok && (item->trouble != 0 || verify_tensors(crew, item, fds, scratch, err));
}

/* ---- files, links, folders ---- */

static bool put_torch(struct weights_crew *crew, struct weights_item *item,
                      const int fds[static 2], struct arena *scratch, struct error *err)
{
    bool ok = item->plan.changed ? weights_write_torch(crew, item, fds, scratch, err)
                                 : copy_weights_file(crew, item, fds, scratch, err);

    if (item->plan.changed)
        item->fate = WEIGHTS_SMALLER;
    return ok && (item->trouble != 0 || weights_verify_torch(crew, item, fds, scratch, err));
}

static bool put_weights_file(struct weights_crew *crew, struct weights_item *item, int fd,
                             struct arena *scratch, struct error *err)
{
    int to = remake_open(folder_for(crew, item), item->entry->path, err);
    const int fds[2] = {fd, to};
    bool ok;

    if (to < 0)
        return false;
    ok = item->format == WEIGHTS_SAFETENSORS ? put_safetensors(crew, item, fds, scratch, err)
         : item->format == WEIGHTS_TORCH     ? put_torch(crew, item, fds, scratch, err)
                                             : copy_weights_file(crew, item, fds, scratch, err);
    if (ok && item->trouble == 0 && !tree_file_is_unchanged(fd, &item->stat, NULL))
        item->trouble = REMAKE_CHANGING;
    ok = close_weights_copy(item, to, ok, err);
    if (item->trouble != 0)
        remake_remove(folder_for(crew, item), item->entry->path);
    return ok;
}

bool weights_put_text(struct weights_crew *crew, struct weights_item *item, struct str text,
                      struct error *err)
{
    int to = remake_open(folder_for(crew, item), item->entry->path, err);
    bool ok;

    if (to < 0)
        return false;
    ok = remake_write(to, 0, text.at, text.len) || weights_fail_to_put(item, errno, err);
    return close_weights_copy(item, to, ok, err);
}

bool weights_put(struct weights_crew *crew, struct weights_item *item, struct arena *scratch,
                 struct error *err)
{
    bool ok;
    int fd;

    if (item->entry->kind != TREE_FILE)
        return remake_other(crew->work->from, &crew->to, item->entry, &item->trouble, err);
    fd = weights_open(crew, item);
    if (fd < 0)
        return true;
    ok = put_weights_file(crew, item, fd, scratch, err);
    (void)close(fd);
    return ok;
}
