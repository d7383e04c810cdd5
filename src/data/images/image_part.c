/* The loadable part `images`. */
#include "data/images/image_part.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/part.h"
#include "data/images/image_internal.h"

bool image_end(struct image_job *job, enum image_outcome outcome, const char *fmt, ...)
{
    va_list args;

    job->answer->outcome = outcome;
    va_start(args, fmt);
    (void)vsnprintf(job->answer->why, sizeof job->answer->why, fmt, args);
    va_end(args);
    buf_clear(job->out);
    return true;
}

bool image_admit(struct image_job *job, uint64_t memory)
{
    const struct image_wish *wish = job->wish;

    if (job->admitted || wish->admit == NULL)
        return true;
    job->admitted = wish->admit(wish->admit_ctx, memory);
    if (job->admitted)
        return true;
    return !image_end(job, IMAGE_LARGE, "%" PRIu32 " x %" PRIu32 " pixels", job->answer->width,
                      job->answer->height);
}

bool image_stopped(const struct image_job *job)
{
    return job->wish->stopped != NULL && job->wish->stopped();
}

/* What files of other kinds start with, at `at`. */
static const struct {
    size_t at;
    struct str bytes;
} foreign_kinds[] = {
    {0, {"GIF87a", 6}},
    {0, {"GIF89a", 6}},
    {0, {"II*\0", 4}},
    {0, {"MM\0*", 4}},
    {0, {"II+\0", 4}}, /* BigTIFF */
    {0, {"BM", 2}},
    {0, {"P5", 2}},
    {0, {"P6", 2}},
    {0, {"\xff\x0a", 2}},       /* JPEG XL */
    {0, {"\0\0\0\x0cJXL ", 8}}, /* JPEG XL in boxes */
    {0, {"\0\0\0\x0cjP  ", 8}}, /* JPEG 2000 */
    {4, {"ftypavif", 8}},
    {4, {"ftypheic", 8}}, /* AVIF, HEIC */
    {4, {"ftypmif1", 8}},
    {0, {"\x76\x2f\x31\x01", 4}}, /* HEIF, OpenEXR */
};

static bool has_bytes(struct str file, size_t at, struct str bytes)
{
    return file.len >= at + bytes.len && memcmp(file.at + at, bytes.at, bytes.len) == 0;
}

static enum image_kind sniff_image(struct str file)
{
    if (has_bytes(file, 0, STR("\xff\xd8\xff")))
        return IMAGE_JPEG;
    if (has_bytes(file, 0, STR("\x89PNG\r\n\x1a\n")))
        return IMAGE_PNG;
    if (has_bytes(file, 0, STR("RIFF")) && has_bytes(file, 8, STR("WEBP")))
        return IMAGE_WEBP;
    for (size_t i = 0; i < ARRAY_LEN(foreign_kinds); i++)
        if (has_bytes(file, foreign_kinds[i].at, foreign_kinds[i].bytes))
            return IMAGE_FOREIGN;
    return IMAGE_NONE;
}

/* Without loss. */
static bool recode_image(struct image_job *job)
{
    switch (job->answer->kind) {
    case IMAGE_JPEG:
        return image_jpeg_optimize(job);
    case IMAGE_PNG:
        return image_png_optimize(job);
    case IMAGE_FOREIGN:
    case IMAGE_WEBP:
        return image_end(job, IMAGE_UNUSUAL, "another format");
    case IMAGE_NONE:
    case IMAGE_KINDS:
        break;
    }
    if (job->file.len == 0)
        return image_end(job, IMAGE_CORRUPT, "empty");
    return image_end(job, IMAGE_CORRUPT, "no image: its first bytes are of no known format");
}

static bool optimize_image(const struct image_wish *wish, struct str file, struct arena *arena,
                           struct buf *out, struct image_answer *answer, struct error *err)
{
    struct image_job job = {
        .wish = wish, .file = file, .arena = arena, .out = out, .answer = answer, .err = err};
    bool done = false;

    *answer = (struct image_answer){.kind = sniff_image(file)};
    answer->written = answer->kind;
    if ((wish->max_side > 0 || wish->bucket > 0) && !image_size_optimize(&job, &done))
        return false;
    if (!done && wish->quality > 0 && !image_photo_optimize(&job, &done))
        return false;
    return done || recode_image(&job);
}

static const struct image_part functions = {
    .can_resize = image_can_resize,
    .sniff = sniff_image,
    .optimize = optimize_image,
};

EXPORTED extern const struct part stint_part;

const struct part stint_part = {
    .name = "images",
    .version = IMAGE_PART_VERSION,
    .functions = &functions,
};
