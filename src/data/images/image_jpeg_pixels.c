/* JPEG as pixels: read, and written with a quality. */
#include <string.h>

#include "data/images/image_libjpeg.h"

#define MOST_MARKER 65533
#define MOST_ROWS 16 /* that are given to the library at once; a multiple of those of a block */
#define SAMPLE_STRIPS 16 /* of so many rows each */

/* One table of it in both: its steps are as far apart as those of this quality, or farther. */
static bool is_jpeg_coarse(const struct jpeg_decompress_struct *in, struct jpeg_job *job,
                           int quality)
{
    const JQUANT_TBL *has = in->quant_tbl_ptrs[in->comp_info[0].quant_tbl_no & 3];
    unsigned long steps = 0, wanted = 0;

    job->out.in_color_space = JCS_RGB;
    job->out.input_components = 3;
    jpeg_set_defaults(&job->out);
    jpeg_set_quality(&job->out, quality, TRUE);
    for (int i = 0; has != NULL && i < DCTSIZE2; i++) {
        steps += has->quantval[i];
        wanted += job->out.quant_tbl_ptrs[0]->quantval[i];
    }
    return has == NULL || 10 * steps >= 9 * wanted;
}

static bool keep_jpeg_bytes(struct jpeg_job *job, const struct jpeg_marker_struct *m,
                            size_t skip, struct str *out)
{
    char *copy =
        arena_array(job->image->arena, char, out->len + m->data_length - skip, job->image->err);

    if (copy == NULL)
        return false;
    if (out->len > 0)
        memcpy(copy, out->at, out->len);
    memcpy(copy + out->len, m->data + skip, m->data_length - skip);
    *out = (struct str){copy, out->len + m->data_length - skip};
    return true;
}

/* EXIF and the color profile; the latter in parts, which are in order. */
static bool keep_jpeg_markers(struct jpeg_job *job, struct image_pixels *out)
{
    for (const struct jpeg_marker_struct *m = job->in.marker_list; m != NULL; m = m->next) {
        if (m->marker == JPEG_APP0 + 1 && out->exif.len == 0 && m->data_length > 6 &&
            memcmp(m->data, "Exif\0\0", 6) == 0 && !keep_jpeg_bytes(job, m, 6, &out->exif))
            return false;
        if (m->marker == JPEG_APP0 + 2 && m->data_length > 14 &&
            memcmp(m->data, "ICC_PROFILE", 12) == 0 && !keep_jpeg_bytes(job, m, 14, &out->icc))
            return false;
    }
    return true;
}

static bool read_jpeg_rows(struct jpeg_job *job, struct image_pixels *out)
{
    struct jpeg_decompress_struct *in = &job->in;
    size_t row;

    in->out_color_space = in->num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    (void)jpeg_start_decompress(in);
    *out = (struct image_pixels){.width = in->output_width,
                                 .height = in->output_height,
                                 .channels = (unsigned)in->output_components,
                                 .depth = 8,
                                 .h = (unsigned)in->comp_info[0].h_samp_factor,
                                 .v = (unsigned)in->comp_info[0].v_samp_factor};
    row = (size_t)out->width * out->channels;
    out->at = arena_array(job->image->arena, unsigned char, row * out->height, job->image->err);
    if (out->at == NULL)
        return false;
    while (in->output_scanline < in->output_height) {
        JSAMPROW at = out->at + row * in->output_scanline;

        (void)jpeg_read_scanlines(in, &at, 1);
    }
    if (job->damaged)
        out->at = NULL;
    return job->damaged || keep_jpeg_markers(job, out);
}

static void keep_jpeg_steps(const struct jpeg_decompress_struct *in, struct image_pixels *out)
{
    for (int c = 0; c < in->num_components && c < 2; c++) {
        const JQUANT_TBL *has = in->quant_tbl_ptrs[in->comp_info[c].quant_tbl_no & 3];

        for (int i = 0; has != NULL && i < DCTSIZE2; i++)
            out->steps[c][i] = has->quantval[i];
    }
}

struct finer_jpeg {
    int quality;
    struct image_pixels *out;
};

/* Only what is gray, or has brightness and two colors at the usual places. */
static bool is_plain_jpeg(const struct jpeg_decompress_struct *in)
{
    if (in->num_components == 1)
        return in->jpeg_color_space == JCS_GRAYSCALE;
    return in->num_components == 3 && in->jpeg_color_space == JCS_YCbCr &&
           in->comp_info[0].h_samp_factor <= 2 && in->comp_info[0].v_samp_factor <= 2 &&
           in->comp_info[1].h_samp_factor == 1 && in->comp_info[1].v_samp_factor == 1 &&
           in->comp_info[2].h_samp_factor == 1 && in->comp_info[2].v_samp_factor == 1;
}

static bool read_finer_jpeg(struct jpeg_job *job)
{
    const struct finer_jpeg *wish = job->ctx;
    struct jpeg_decompress_struct *in = &job->in;
    uint64_t pixels;

    jpeg_start_reading(job, in, job->image->file);
    jpeg_start_writing(job);
    if (!is_plain_jpeg(in) || is_jpeg_coarse(in, job, wish->quality))
        return true;
    job->image->answer->width = in->image_width;
    job->image->answer->height = in->image_height;
    pixels = (uint64_t)in->image_width * in->image_height;
    /* The pixels, and the coefficients of reading it, of writing it and of reading it back. */
    return !image_admit(job->image, pixels * 3 + pixels * 3 * 3 * sizeof(JCOEF) +
                                        3 * (uint64_t)job->image->file.len) ||
           read_jpeg_rows(job, wish->out);
}

bool image_jpeg_finer(struct image_job *job, int quality, struct image_pixels *out)
{
    struct buf none = buf_new(job->out->alloc, 0);
    struct finer_jpeg wish = {quality, out};
    bool ok = jpeg_try(job, &none, read_finer_jpeg, &wish);

    if (job->answer->outcome == IMAGE_SMALLER)
        return ok;
    out->at = NULL;
    /* What is damaged is found again where nothing is lost. */
    if (job->answer->outcome != IMAGE_LARGE)
        job->answer->outcome = IMAGE_SMALLER;
    return ok;
}

static void write_exif(struct jpeg_job *job, struct str exif)
{
    if (exif.len == 0 || exif.len + 6 > MOST_MARKER)
        return;
    jpeg_write_m_header(&job->out, JPEG_APP0 + 1, (unsigned)exif.len + 6);
    for (size_t i = 0; i < 6; i++)
        jpeg_write_m_byte(&job->out, "Exif\0\0"[i]);
    for (size_t i = 0; i < exif.len; i++)
        jpeg_write_m_byte(&job->out, (unsigned char)exif.at[i]);
}

struct jpeg_to_write {
    const struct image_pixels *pixels;
    int quality;
};

/* As it was before: the tables of the file that it comes from. */
static void set_jpeg_steps(struct jpeg_compress_struct *out, const struct image_pixels *p)
{
    for (int t = 0; t < 2; t++) {
        unsigned steps[DCTSIZE2] = {0};

        for (int i = 0; i < DCTSIZE2; i++)
            steps[i] = p->steps[t][i];
        if (steps[0] != 0)
            jpeg_add_quant_table(out, t, steps, 100, FALSE);
    }
}

/* How it is written; `height` rows of it. */
static void set_jpeg_form(struct jpeg_job *job, uint32_t height)
{
    const struct jpeg_to_write *what = job->ctx;
    const struct image_pixels *p = what->pixels;
    struct jpeg_compress_struct *out = &job->out;

    jpeg_start_writing(job);
    out->image_width = p->width;
    out->image_height = height;
    out->input_components = (int)p->channels;
    out->in_color_space = p->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(out);
    if (what->quality > 0)
        jpeg_set_quality(out, what->quality, TRUE);
    else
        set_jpeg_steps(out, p);
    out->optimize_coding = TRUE;
    if (p->channels == 3) {
        out->comp_info[0].h_samp_factor = (int)p->h;
        out->comp_info[0].v_samp_factor = (int)p->v;
    }
}

static void write_jpeg_rows(struct jpeg_job *job, uint32_t from, uint32_t count)
{
    const struct image_pixels *p = ((const struct jpeg_to_write *)job->ctx)->pixels;
    size_t row = (size_t)p->width * p->channels;

    for (uint32_t y = from, end = from + count; y < end;) {
        JSAMPROW rows[MOST_ROWS];
        JDIMENSION given = 0;

        for (; given < MOST_ROWS && y < end; given++, y++)
            rows[given] = p->at + row * y;
        (void)jpeg_write_scanlines(&job->out, rows, given);
    }
}

/* Codes by strips of a large picture, which are written to nowhere. */
static void sample_jpeg_codes(struct jpeg_job *job, struct jpeg_codes *codes)
{
    const struct image_pixels *p = ((const struct jpeg_to_write *)job->ctx)->pixels;
    uint32_t step = p->height / SAMPLE_STRIPS;

    set_jpeg_form(job, SAMPLE_STRIPS * MOST_ROWS);
    job->trial = true;
    jpeg_start_compress(&job->out, TRUE);
    for (uint32_t i = 0; i < SAMPLE_STRIPS; i++)
        write_jpeg_rows(job, i * step, MOST_ROWS);
    jpeg_finish_compress(&job->out);
    jpeg_codes_take(&job->out, codes);
    jpeg_destroy_compress(&job->out);
    job->trial = false;
}

static bool write_jpeg_pixels(struct jpeg_job *job)
{
    const struct image_pixels *p = ((const struct jpeg_to_write *)job->ctx)->pixels;
    struct jpeg_compress_struct *out = &job->out;
    bool large = p->height >= 2 * SAMPLE_STRIPS * MOST_ROWS;
    struct jpeg_codes codes;

    if (large)
        sample_jpeg_codes(job, &codes);
    set_jpeg_form(job, p->height);
    if (large) {
        jpeg_codes_set(out, &codes);
        out->optimize_coding = FALSE;
    }
    jpeg_start_compress(out, TRUE);
    write_exif(job, p->exif);
    if (p->icc.len > 0)
        jpeg_write_icc_profile(out, (const JOCTET *)p->icc.at, (unsigned)p->icc.len);
    write_jpeg_rows(job, 0, p->height);
    jpeg_finish_compress(out);
    return true;
}

bool image_jpeg_encode(struct image_job *job, const struct image_pixels *pixels, int quality,
                       struct buf *out)
{
    struct jpeg_to_write what = {pixels, quality};

    if (pixels->width > JPEG_MAX_DIMENSION || pixels->height > JPEG_MAX_DIMENSION)
        return true;
    return jpeg_try(job, out, write_jpeg_pixels, &what);
}

/* The library makes it smaller while it reads, as long as enough is left to resize well. It has
 * vectors for the powers of two. */
static void choose_jpeg_scale(struct jpeg_decompress_struct *in, uint32_t new_width)
{
    unsigned eighths = 1;

    while (eighths < 8 && (uint64_t)in->image_width * eighths < (uint64_t)new_width * 12)
        eighths *= 2;
    in->scale_num = eighths;
    in->scale_denom = 8;
}

static bool read_large_jpeg(struct jpeg_job *job)
{
    struct image_pixels *out = job->ctx;
    struct jpeg_decompress_struct *in = &job->in;
    struct image_job *image = job->image;
    uint64_t pixels;

    jpeg_start_reading(job, in, image->file);
    image->answer->width = in->image_width;
    image->answer->height = in->image_height;
    if (!image_new_size(image))
        return true;
    if (!is_plain_jpeg(in))
        return image_end(image, IMAGE_UNUSUAL, "not resized: its colors are unusual");
    pixels = (uint64_t)in->image_width * in->image_height;
    /* The pixels, the coefficients when it is progressive, and what is written. */
    if (!image_admit(image,
                     pixels * 3 + pixels * 3 * sizeof(JCOEF) +
                         16 * (uint64_t)image->answer->new_width * image->answer->new_height +
                         2 * (uint64_t)image->file.len))
        return true;
    choose_jpeg_scale(in, image->answer->new_width);
    if (!read_jpeg_rows(job, out))
        return false;
    keep_jpeg_steps(in, out);
    return out->at != NULL || image_end(image, IMAGE_CORRUPT, "%s", job->why);
}

bool image_jpeg_resize(struct image_job *job, bool *done)
{
    struct buf none = buf_new(job->out->alloc, 0);
    struct image_pixels pixels = {0};
    enum image_kind kind;

    if (!jpeg_try(job, &none, read_large_jpeg, &pixels))
        return false;
    *done = job->answer->outcome != IMAGE_SMALLER || pixels.at != NULL;
    if (job->answer->outcome != IMAGE_SMALLER || pixels.at == NULL)
        return true;
    if (!image_look_at(job, &pixels) || !image_resize(job, &pixels) ||
        !image_photo_encode(job, &pixels, job->out, &kind))
        return false;
    if (job->out->len == 0 && !image_jpeg_encode(job, &pixels, job->wish->quality, job->out))
        return false;
    job->answer->written = kind;
    return true;
}

static bool read_small_jpeg(struct jpeg_job *job)
{
    jpeg_start_reading(job, &job->in, job->image->file);
    return !is_plain_jpeg(&job->in) || read_jpeg_rows(job, job->ctx);
}

bool image_jpeg_look(struct image_job *job)
{
    struct buf none = buf_new(job->out->alloc, 0);
    struct image_pixels pixels = {0};

    if (!jpeg_try(job, &none, read_small_jpeg, &pixels))
        return false;
    if (job->answer->outcome != IMAGE_SMALLER) {
        job->answer->outcome = IMAGE_SMALLER; /* it is found again where it counts */
        return true;
    }
    return pixels.at == NULL || image_look_at(job, &pixels);
}
