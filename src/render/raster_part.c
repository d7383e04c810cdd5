/* The loadable part `raster`: the only code that links librsvg and cairo. */
#include <cairo-pdf.h>
#include <cairo.h>
#include <librsvg/rsvg.h>
#include <math.h>

#include "base/part.h"
#include "render/raster.h"

#define MOST_PIXELS 1e8 /* four bytes each */
#define POINTS_PER_PIXEL 0.75

/* Cairo's errors carry no texts of ours: whether `out` failed is asked at the end. */
static cairo_status_t append_png_bytes(void *ctx, const unsigned char *bytes, unsigned len)
{
    struct buf *out = ctx;

    buf_add(out, (struct str){(const char *)bytes, len});
    return out->failed == ERROR_NONE ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static bool draw_raster(RsvgHandle *svg, cairo_surface_t *surface, double width, double height,
                        struct error *err)
{
    RsvgRectangle page = {0, 0, width, height};
    cairo_t *cairo = cairo_create(surface);
    GError *problem = NULL;
    bool ok = rsvg_handle_render_document(svg, cairo, &page, &problem);

    if (!ok) {
        error_set(err, ERROR_INPUT, "cannot draw the picture: %s", problem->message);
        g_error_free(problem);
    }
    cairo_destroy(cairo);
    return ok;
}

static bool finished(cairo_status_t status, const struct buf *out, struct error *err)
{
    if (!buf_ok(out, err))
        return false;
    if (status == CAIRO_STATUS_SUCCESS)
        return true;
    return error_fail(err, status == CAIRO_STATUS_NO_MEMORY ? ERROR_MEMORY : ERROR_FAILED,
                      "cannot draw the picture: %s", cairo_status_to_string(status));
}

static bool write_png(RsvgHandle *svg, double width, double height, struct buf *out,
                      struct error *err)
{
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)ceil(width), (int)ceil(height));
    bool ok =
        draw_raster(svg, surface, width, height, err) &&
        finished(cairo_surface_write_to_png_stream(surface, append_png_bytes, out), out, err);

    cairo_surface_destroy(surface);
    return ok;
}

static bool write_pdf(RsvgHandle *svg, double width, double height, struct buf *out,
                      struct error *err)
{
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(append_png_bytes, out, width, height);
    bool ok;

    /* The same picture is the same file. */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
    ok = draw_raster(svg, surface, width, height, err);
    cairo_surface_finish(surface);
    ok = ok && finished(cairo_surface_status(surface), out, err);
    cairo_surface_destroy(surface);
    return ok;
}

static bool write_raster_picture(enum raster_format format, struct str text, double scale,
                                 struct buf *out, struct error *err)
{
    GError *problem = NULL;
    RsvgHandle *svg =
        rsvg_handle_new_from_data((const guint8 *)text.at, (gsize)text.len, &problem);
    double width, height;
    bool ok;

    if (svg == NULL) {
        error_set(err, ERROR_INPUT, "no SVG document: %s", problem->message);
        g_error_free(problem);
        return false;
    }
    if (format == RASTER_PDF)
        scale = POINTS_PER_PIXEL;
    if (!rsvg_handle_get_intrinsic_size_in_pixels(svg, &width, &height) ||
        !(width * scale >= 1 && height * scale >= 1 &&
          width * height * scale * scale <= MOST_PIXELS))
        ok = error_fail(err, ERROR_INPUT, "the picture has no size, or one that is too large");
    else if (format == RASTER_PDF)
        ok = write_pdf(svg, width * scale, height * scale, out, err);
    else
        ok = write_png(svg, width * scale, height * scale, out, err);
    g_object_unref(svg);
    return ok;
}

static const struct raster_part functions = {.write = write_raster_picture};

EXPORTED extern const struct part stint_part;

const struct part stint_part = {
    .name = "raster",
    .version = RASTER_PART_VERSION,
    .functions = &functions,
};
