/* Photographs with loss: what is one, and whether it gets smaller so. */
#include <string.h>

#include "data/images/image_internal.h"

#define MOST_COLORS 256  /* of what is drawn, or has labels instead of colors */
#define SLOTS 1024       /* of a table of colors */
#define ROUGH 2          /* a rough estimate of the size is that far off, at most */
#define JPEG_LOSSLESS 85 /* percent of a JPEG that it takes without loss, when all goes well */

/* The color of a pixel; two of one color are one. */
static uint32_t pixel_color(const struct image_pixels *p, size_t i)
{
    uint32_t color = 0;

    memcpy(&color, p->at + i * p->channels, p->channels);
    return color;
}

bool image_is_photo(const struct image_pixels *pixels)
{
    size_t count = (size_t)pixels->width * pixels->height;
    uint32_t slots[SLOTS];
    bool used[SLOTS] = {false};
    unsigned colors = 0, most = pixels->channels < 3 ? MOST_COLORS / 4 : MOST_COLORS;

    for (size_t i = 0; i < count && colors <= most; i++) {
        uint32_t color = pixel_color(pixels, i);
        uint32_t slot = color * 2654435761u >> 22;

        while (used[slot] && slots[slot] != color)
            slot = (slot + 1) % SLOTS;
        colors += !used[slot];
        used[slot] = true;
        slots[slot] = color;
    }
    return colors > most;
}

void image_drop_alpha(struct image_pixels *pixels)
{
    size_t count = (size_t)pixels->width * pixels->height;
    unsigned from = pixels->channels, to = from - 1;

    if (from % 2 != 0)
        return;
    for (size_t i = 0; i < count; i++)
        if (pixels->at[i * from + to] != 255)
            return;
    for (size_t i = 0; i < count; i++)
        memmove(pixels->at + i * to, pixels->at + i * from, to);
    pixels->channels = to;
}

/* How it is written: WebP where there is alpha, or where it was asked for. */
bool image_photo_encode(struct image_job *job, const struct image_pixels *pixels,
                        struct buf *out, enum image_kind *kind)
{
    *kind = (job->wish->webp && job->wish->quality > 0) || pixels->channels % 2 == 0
                ? IMAGE_WEBP
                : IMAGE_JPEG;
    if (job->wish->keep_kind && *kind != job->answer->kind)
        return true;
    return *kind == IMAGE_WEBP ? image_webp_encode(job, pixels, job->wish->quality, out)
                               : image_jpeg_encode(job, pixels, job->wish->quality, out);
}

/* A photograph whose pixels may change: of a PNG, or of a JPEG that is finer than asked for. */
static bool find_photo(struct image_job *job, struct image_pixels *pixels, size_t *lossless,
                       bool *rough)
{
    if (job->answer->kind == IMAGE_JPEG) {
        *lossless = job->file.len / 100 * JPEG_LOSSLESS;
        return image_jpeg_finer(job, job->wish->quality, pixels);
    }
    if (job->answer->kind != IMAGE_PNG || job->wish->keep_kind ||
        !image_png_photo(job, pixels, lossless, rough) || pixels->at == NULL)
        return job->err->kind == ERROR_NONE;
    if (image_is_photo(pixels))
        image_drop_alpha(pixels);
    else
        pixels->at = NULL;
    return true;
}

/* The pixels are enough for now: the file is not kept beside them. */
static bool drop_photo_file(struct image_job *job)
{
    const struct image_wish *wish = job->wish;

    return wish->hold == NULL || wish->hold(wish->hold_ctx, false, &job->file, job->err);
}

static bool read_photo_file(struct image_job *job)
{
    const struct image_wish *wish = job->wish;

    if (wish->hold != NULL && !wish->hold(wish->hold_ctx, true, &job->file, job->err))
        return false;
    return job->file.len > 0 || image_end(job, IMAGE_UNUSUAL, "it changed while it was read");
}

/* Is what was written smaller than the same without loss? Mostly by far, so that a rough
 * estimate tells; if not, the file is here again afterwards. */
static bool is_loss_smaller(struct image_job *job, const struct image_pixels *pixels,
                            size_t lossless, bool rough, bool *smaller)
{
    size_t len = job->out->len;
    bool written = len > 0 && job->out->failed == ERROR_NONE;

    *smaller = written && len < (rough ? lossless / ROUGH : lossless);
    if (*smaller)
        return true;
    if (!read_photo_file(job))
        return false;
    if (!written || !rough || job->file.len == 0)
        return true;
    if (!image_png_lossless(job, pixels, &lossless))
        return false;
    *smaller = len < lossless;
    return true;
}

bool image_photo_optimize(struct image_job *job, bool *done)
{
    struct image_pixels pixels = {.h = 1, .v = 1};
    enum image_kind kind;
    size_t lossless = 0;
    bool rough = false;

    if (!find_photo(job, &pixels, &lossless, &rough))
        return false;
    *done = job->answer->outcome == IMAGE_LARGE;
    if (pixels.at == NULL)
        return true;
    if (!image_look_at(job, &pixels))
        return false;
    job->out->max = rough || job->file.len < lossless ? job->file.len - 1 : lossless;
    if (!drop_photo_file(job) || !image_photo_encode(job, &pixels, job->out, &kind) ||
        !is_loss_smaller(job, &pixels, lossless, rough, done))
        return false;
    if (*done) {
        job->answer->outcome = IMAGE_SMALLER;
        job->answer->written = kind;
        return true;
    }
    *done = job->file.len == 0;
    buf_clear(job->out);
    job->out->max = BUF_MAX_OUTPUT;
    return true;
}
