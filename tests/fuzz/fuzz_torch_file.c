/* Any bytes are a file of torch.save() or refused. What is read lies in the file; every plan
 * for it is carried out within the storages, and its pickle is written and read again as the
 * same. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fs.h"
#include "data/weights/torch_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static void check_storages(const struct torch_file *file, uint64_t size)
{
    for (size_t i = 0; i < file->storage_count; i++) {
        const struct torch_storage *s = &file->storages[i];

        require(s->entry->at <= size && s->entry->size <= size - s->entry->at);
        require(s->size == s->entry->size && s->first <= s->last && s->last <= s->size);
        (void)torch_new_size(s);
    }
    for (size_t i = 0; i < file->tensor_count; i++) {
        const struct torch_tensor *t = &file->tensors[i];
        uint64_t first, end;

        require(t->storage < file->storage_count);
        require(!torch_extent(t, &first, &end) || end <= file->storages[t->storage].size);
    }
}

static void check_plan(struct torch_file *file, uint64_t size, struct arena *arena)
{
    const struct torch_wish wish = {.cast = TENSOR_BF16, .drop_optimizer = true};
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct pickle_node *again;
    struct torch_plan plan;
    struct error err = {0};

    require(torch_plan(file, &wish, arena, &plan, &err));
    check_storages(file, size);
    require(pickle_write(file->root, &out, &err));
    require(pickle_read(buf_text(&out), arena, &again, &err));
    require(pickle_same(file->root, again));
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct torch_file file;
    struct error err = {0};
    int fd = memfd_create("fuzz", MFD_CLOEXEC);

    require(fd >= 0 && fs_write_all(fd, (struct str){(const char *)data, size}, &err));
    if (torch_read(fd, size, &arena, &file, &err)) {
        check_storages(&file, size);
        check_plan(&file, size, &arena);
    } else {
        require(err.kind == ERROR_INPUT || err.kind == ERROR_UNFIT);
    }
    (void)close(fd);
    arena_free(&arena);
    return 0;
}
