/* Any bytes are a header of a .safetensors file or refused; what is read lies in the file, each
 * byte belongs to one tensor, and what is written is read as the same. */
#include <stdint.h>
#include <stdlib.h>

#include "data/weights/safetensors.h"

#define DATA 4096 /* bytes behind the header */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static void check_again(struct safetensors *file, struct arena *arena)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct safetensors again;
    struct error err = {0};
    uint64_t whole;

    require(safetensors_write(file, arena, &out, &whole, &err) && whole == out.len + DATA);
    require(safetensors_read(
        (struct str){out.at + SAFETENSORS_LENGTH, out.len - SAFETENSORS_LENGTH}, DATA, arena,
        &again, &err));
    require(again.count == file->count && again.note_count == file->note_count);
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system};
    struct safetensors file;
    struct error err = {0};
    uint64_t at = 0;

    if (safetensors_read((struct str){(const char *)data, size}, DATA, &arena, &file, &err)) {
        for (size_t i = 0; i < file.count; i++) {
            require(file.tensors[i].at == at);
            at += file.tensors[i].size;
        }
        require(at == DATA);
        check_again(&file, &arena);
    } else {
        require(err.kind == ERROR_INPUT || err.kind == ERROR_UNFIT);
    }
    arena_free(&arena);
    return 0;
}
