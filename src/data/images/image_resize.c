/* Pictures made smaller in pixels, by libvips, which is opened where there is one. */
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "data/images/image_bucket.h"
#include "data/images/image_internal.h"

#define FORMAT_UCHAR 0 /* VipsBandFormat */
#define FORMAT_USHORT 2

/* The functions of libvips 8 that are used, and of GLib below it. */
static struct {
    void *(*image_new_from_memory)(const void *, size_t, int, int, int, int);
    int (*resize)(void *, void **, double, ...);
    int (*premultiply)(void *, void **, ...);
    int (*unpremultiply)(void *, void **, ...);
    int (*cast)(void *, void **, int, ...);
    void *(*write_to_memory)(void *, size_t *);
    void (*unref)(void *);
    void (*free)(void *);
    void (*error_clear)(void);
    void (*thread_shutdown)(void);
    bool there;
} vips;

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* One thread for a picture: there are as many pictures at work as there are cores. Nothing of
 * one helps with the next. */
static void open_vips(void)
{
    static const char *const names[] = {
        "vips_image_new_from_memory",
        "vips_resize",
        "vips_premultiply",
        "vips_unpremultiply",
        "vips_cast",
        "vips_image_write_to_memory",
        "g_object_unref",
        "g_free",
        "vips_error_clear",
        "vips_thread_shutdown",
        "vips_init",
        "vips_concurrency_set",
        "vips_cache_set_max",
    };
    int (*init)(const char *);
    void (*set)(int);
    void *found[ARRAY_LEN(names)], *library = dlopen("libvips.so.42", RTLD_LAZY | RTLD_LOCAL);

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        found[i] = library != NULL ? dlsym(library, names[i]) : NULL;
        if (found[i] == NULL)
            return;
    }
    memcpy(&vips, found, 10 * sizeof found[0]); /* functions, as POSIX has it for dlsym() */
    memcpy(&init, &found[10], sizeof init);
    if (init("stint") != 0)
        return;
    memcpy(&set, &found[11], sizeof set);
    set(1);
    memcpy(&set, &found[12], sizeof set);
    set(0);
    vips.there = true;
}

bool image_can_resize(struct error *err)
{
    (void)pthread_once(&once, open_vips);
    return vips.there ||
           error_fail_hint(err, ERROR_FAILED,
                           "install the package libvips42 (Debian, Ubuntu), vips (Fedora), "
                           "libvips (Arch)",
                           "resizing needs libvips, which is not installed");
}

static uint32_t scaled(uint32_t side, double scale)
{
    double now = floor(side * scale + 0.5);

    return now < 1 ? 1 : (uint32_t)now;
}

bool image_new_size(struct image_job *job)
{
    struct image_answer *a = job->answer;
    uint32_t longer = a->width > a->height ? a->width : a->height;
    double scale = 1;

    if (a->width == 0 || a->height == 0)
        return false;
    if (job->wish->max_side > 0)
        scale = (double)job->wish->max_side / longer;
    if (job->wish->bucket > 0) {
        struct image_size b = image_bucket_of(job->wish->bucket, a->width, a->height);
        double cover = fmax((double)b.width / a->width, (double)b.height / a->height);

        scale = fmin(scale, cover);
    }
    if (scale >= 1)
        return false;
    a->new_width = scaled(a->width, scale);
    a->new_height = scaled(a->height, scale);
    return true;
}

/* Each step of the pipeline takes the image of the one before. */
static bool take_step(int code, void **image, void **next)
{
    if (code != 0)
        return false;
    vips.unref(*image);
    *image = *next;
    *next = NULL;
    return true;
}

/* Colors are weighted with their alpha, so that what is hidden does not shine through. */
static bool run_vips(const struct image_pixels *p, const struct image_answer *a, void **image)
{
    double most = p->depth == 16 ? 65535 : 255;
    double across = (double)a->new_width / p->width, down = (double)a->new_height / p->height;
    bool alpha = p->channels % 2 == 0;
    void *next = NULL, *end = NULL;
    int code = 0;

    if (alpha)
        code = vips.premultiply(*image, &next, "max_alpha", most, end);
    if (alpha && !take_step(code, image, &next))
        return false;
    code = vips.resize(*image, &next, across, "vscale", down, end);
    if (!take_step(code, image, &next))
        return false;
    if (alpha)
        code = vips.unpremultiply(*image, &next, "max_alpha", most, end);
    if (alpha && !take_step(code, image, &next))
        return false;
    code = vips.cast(*image, &next, p->depth == 16 ? FORMAT_USHORT : FORMAT_UCHAR, end);
    return take_step(code, image, &next);
}

static bool keep_resized(struct image_job *job, struct image_pixels *p, const void *at,
                         size_t len)
{
    const struct image_answer *a = job->answer;
    size_t wanted = (size_t)a->new_width * a->new_height * p->channels * (p->depth / 8);

    if (at == NULL || len != wanted)
        return error_fail(job->err, ERROR_FAILED, "libvips cannot resize a picture");
    p->at = arena_array(job->arena, unsigned char, len, job->err);
    if (p->at == NULL)
        return false;
    memcpy(p->at, at, len);
    p->width = a->new_width;
    p->height = a->new_height;
    return true;
}

bool image_resize(struct image_job *job, struct image_pixels *pixels)
{
    size_t row = (size_t)pixels->width * pixels->channels * (pixels->depth / 8), len = 0;
    void *image, *out = NULL;
    bool ok;

    if (!image_can_resize(job->err))
        return false;
    if (image_stopped(job))
        return error_fail(job->err, ERROR_STOPPED, "stopped");
    image = vips.image_new_from_memory(pixels->at, row * pixels->height, (int)pixels->width,
                                       (int)pixels->height, (int)pixels->channels,
                                       pixels->depth == 16 ? FORMAT_USHORT : FORMAT_UCHAR);
    if (image != NULL && run_vips(pixels, job->answer, &image))
        out = vips.write_to_memory(image, &len);
    ok = keep_resized(job, pixels, out, len);
    if (out != NULL)
        vips.free(out);
    if (image != NULL)
        vips.unref(image);
    vips.error_clear();
    vips.thread_shutdown();
    return ok;
}

bool image_size_optimize(struct image_job *job, bool *done)
{
    if (job->answer->kind == IMAGE_JPEG)
        return image_jpeg_resize(job, done);
    return job->answer->kind != IMAGE_PNG || image_png_resize(job, done);
}
