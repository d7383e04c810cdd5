/* Any bytes are an image that comes out smaller and can be read, or are left with a reason. The
 * first byte says what is wished. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/part.h"
#include "data/images/image_part.h"

#define MOST ((size_t)64 << 10)
#define MEMORY ((uint64_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static bool admit_some(void *ctx, uint64_t memory)
{
    (void)ctx;
    return memory <= MEMORY;
}

static struct image_wish wish_of(uint8_t bits)
{
    return (struct image_wish){.quality = (bits & 3) == 0 ? 0 : (bits & 3) * 30,
                               .webp = (bits & 4) != 0,
                               .keep_kind = (bits & 8) != 0,
                               .max_side = (bits & 0x30) == 0x10 ? 24 : 0,
                               .bucket = (bits & 0x30) == 0x30 ? 64 : 0,
                               .admit = admit_some};
}

/* What was written is an image of the kind that it is said to be, whole. */
static void check_again(const struct image_part *part, struct str file, enum image_kind kind)
{
    struct image_wish wish = {.admit = admit_some};
    struct arena arena = {.alloc = &alloc_system};
    struct buf out = buf_new(&alloc_system, (size_t)16 << 20);
    struct image_answer answer = {0};
    struct error err = {0};

    require(part->sniff(file) == kind);
    require(part->optimize(&wish, file, &arena, &out, &answer, &err));
    require(answer.outcome != IMAGE_CORRUPT);
    buf_free(&out);
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system};
    struct error err = {0};
    const struct image_part *part = part_open("images", IMAGE_PART_VERSION, &err);
    struct buf out = buf_new(&alloc_system, (size_t)16 << 20);
    struct image_answer answer = {0};
    struct image_wish wish;
    struct str file;

    if (part == NULL || size < 2 || size > MOST)
        return 0;
    wish = wish_of(data[0]);
    if (!part->can_resize(&err))
        wish.max_side = wish.bucket = 0;
    file = (struct str){(const char *)data + 1, size - 1};
    require(part->optimize(&wish, file, &arena, &out, &answer, &err));
    require(answer.outcome < IMAGE_OUTCOMES && answer.kind == part->sniff(file));
    require((answer.outcome == IMAGE_SMALLER) == (out.len > 0));
    require(answer.outcome == IMAGE_SMALLER || answer.outcome == IMAGE_BEST ||
            answer.why[0] != 0);
    if (answer.outcome == IMAGE_SMALLER) {
        require(answer.new_width > 0 || out.len < file.len);
        check_again(part, buf_text(&out), answer.written);
    }
    buf_free(&out);
    arena_free(&arena);
    return 0;
}
