/* WebP: pixels written with a quality; alpha without loss. */
#include <limits.h>
#include <string.h>

#include <webp/encode.h>
#include <webp/mux.h>

#include "data/images/image_internal.h"

static int append_webp_bytes(const uint8_t *bytes, size_t len, const WebPPicture *picture)
{
    struct buf *out = picture->custom_ptr;

    buf_add(out, (struct str){(const char *)bytes, len});
    return out->failed == ERROR_NONE;
}

struct webp_watch {
    const struct image_job *job;
    bool stopped;
};

static int watch_webp(int percent, const WebPPicture *picture)
{
    struct webp_watch *watch = picture->user_data;

    (void)percent;
    watch->stopped = watch->stopped || image_stopped(watch->job);
    return !watch->stopped;
}

/* Gray is red, green and blue alike. */
static unsigned char *spread_gray(struct image_job *job, const struct image_pixels *p)
{
    size_t count = (size_t)p->width * p->height;
    unsigned alpha = p->channels == 2, to = 3 + alpha;
    unsigned char *out = arena_array(job->arena, unsigned char, count *to, job->err);

    for (size_t i = 0; out != NULL && i < count; i++) {
        memset(out + i * to, p->at[i * p->channels], 3);
        if (alpha)
            out[i * to + 3] = p->at[i * 2 + 1];
    }
    return out;
}

static bool import_pixels(struct image_job *job, const struct image_pixels *p,
                          WebPPicture *picture)
{
    unsigned channels = p->channels < 3 ? p->channels + 2 : p->channels;
    const unsigned char *at = p->channels < 3 ? spread_gray(job, p) : p->at;
    int row = (int)(p->width * channels);

    if (at == NULL)
        return false;
    if (channels == 4 ? WebPPictureImportRGBA(picture, at, row)
                      : WebPPictureImportRGB(picture, at, row))
        return true;
    return error_memory(job->err);
}

/* Put the profile and EXIF around the picture. */
static bool wrap_webp(struct image_job *job, const struct image_pixels *p, struct buf *out)
{
    WebPData image = {(const uint8_t *)out->at, out->len}, whole = {0};
    WebPData icc = {(const uint8_t *)p->icc.at, p->icc.len};
    WebPData exif = {(const uint8_t *)p->exif.at, p->exif.len};
    WebPMux *mux = WebPMuxNew();
    bool ok = mux != NULL && WebPMuxSetImage(mux, &image, 1) == WEBP_MUX_OK &&
              (icc.size == 0 || WebPMuxSetChunk(mux, "ICCP", &icc, 0) == WEBP_MUX_OK) &&
              (exif.size == 0 || WebPMuxSetChunk(mux, "EXIF", &exif, 0) == WEBP_MUX_OK) &&
              WebPMuxAssemble(mux, &whole) == WEBP_MUX_OK;

    if (ok) {
        out->len = 0;
        buf_add(out, (struct str){(const char *)whole.bytes, whole.size});
    }
    WebPDataClear(&whole);
    WebPMuxDelete(mux);
    return ok || error_memory(job->err);
}

static bool write_webp(struct image_job *job, const struct image_pixels *p,
                       const WebPConfig *config, WebPPicture *picture, struct buf *out)
{
    struct webp_watch watch = {.job = job};
    bool encoded;

    picture->use_argb = 0;
    picture->width = (int)p->width;
    picture->height = (int)p->height;
    picture->writer = append_webp_bytes;
    picture->custom_ptr = out;
    if (!import_pixels(job, p, picture))
        return false;
    picture->progress_hook = watch_webp;
    picture->user_data = &watch;
    encoded = WebPEncode(config, picture) != 0;
    picture->user_data = NULL;
    if (encoded)
        return (p->icc.len == 0 && p->exif.len == 0) || wrap_webp(job, p, out);
    if (watch.stopped)
        return error_fail(job->err, ERROR_STOPPED, "stopped");
    if (picture->error_code == VP8_ENC_ERROR_OUT_OF_MEMORY || out->failed == ERROR_MEMORY)
        return error_memory(job->err);
    if (out->failed == ERROR_NONE)
        buf_clear(out); /* it cannot be done: nothing is written */
    return true;
}

bool image_webp_encode(struct image_job *job, const struct image_pixels *pixels, int quality,
                       struct buf *out)
{
    WebPPicture picture;
    WebPConfig config;
    bool ok;

    if (pixels->width > WEBP_MAX_DIMENSION || pixels->height > WEBP_MAX_DIMENSION ||
        !WebPConfigPreset(&config, WEBP_PRESET_PHOTO, (float)quality) ||
        !WebPPictureInit(&picture))
        return true;
    config.alpha_quality = 100;
    ok = write_webp(job, pixels, &config, &picture, out);
    WebPPictureFree(&picture);
    return ok;
}
