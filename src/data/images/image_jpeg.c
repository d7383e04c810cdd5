/* JPEG without loss: the coefficients are written again, progressively and with the best
 * Huffman codes for them, then read back and compared. */
#include <string.h>

#include "base/hash.h"
#include "data/images/image_libjpeg.h"

#define MOST_MARKER 65533

/* Every coefficient of every component, as read or as read back, and both files. */
static uint64_t memory_of_jpeg(const struct jpeg_decompress_struct *in, size_t len)
{
    uint64_t samples = 0;

    for (int c = 0; c < in->num_components; c++) {
        const jpeg_component_info *of = &in->comp_info[c];
        /* Before jpeg_start_decompress() the library has not computed how many blocks there
         * are. */
        uint64_t h = (uint64_t)of->h_samp_factor, v = (uint64_t)of->v_samp_factor;
        uint64_t most_h = 1, most_v = 1;

        for (int d = 0; d < in->num_components; d++) {
            uint64_t dh = (uint64_t)in->comp_info[d].h_samp_factor;
            uint64_t dv = (uint64_t)in->comp_info[d].v_samp_factor;

            most_h = dh > most_h ? dh : most_h;
            most_v = dv > most_v ? dv : most_v;
        }
        samples += ((uint64_t)in->image_width * h / most_h + 8 * h) *
                   ((uint64_t)in->image_height * v / most_v + 8 * v);
    }
    return samples * sizeof(JCOEF) + 3 * (uint64_t)len + JPEG_OUT_BLOCK;
}

static bool has_jpeg_name(const struct jpeg_marker_struct *m, const char *name, size_t len)
{
    return m->data_length >= len && memcmp(m->data, name, len) == 0;
}

/* All but those that the library writes itself: EXIF (with the orientation), color profiles,
 * XMP, comments. */
static void copy_jpeg_markers(struct jpeg_job *job)
{
    for (const struct jpeg_marker_struct *m = job->in.marker_list; m != NULL; m = m->next) {
        if (job->out.write_JFIF_header && m->marker == JPEG_APP0 && has_jpeg_name(m, "JFIF", 5))
            continue;
        if (job->out.write_Adobe_marker && m->marker == JPEG_APP0 + 14 &&
            has_jpeg_name(m, "Adobe", 5))
            continue;
        if (m->data_length <= MOST_MARKER)
            jpeg_write_marker(&job->out, m->marker, m->data, m->data_length);
    }
}

/* Scans for brightness and two colors. Against the library's own script: one scan less, which
 * is faster to write and to read, and mostly smaller. */
static const jpeg_scan_info color_scans[] = {
    {3, {0, 1, 2}, 0, 0, 0, 1}, {1, {0}, 1, 8, 0, 0},  {1, {2}, 1, 63, 0, 1},
    {1, {1}, 1, 63, 0, 1},      {1, {0}, 9, 63, 0, 1}, {1, {0}, 9, 63, 1, 0},
    {3, {0, 1, 2}, 0, 0, 1, 0}, {1, {1}, 1, 63, 1, 0}, {1, {2}, 1, 63, 1, 0},
};

static void choose_jpeg_scans(struct jpeg_compress_struct *out)
{
    jpeg_simple_progression(out);
    if (out->jpeg_color_space != JCS_YCbCr)
        return;
    out->scan_info = color_scans;
    out->num_scans = ARRAY_LEN(color_scans);
}

static void write_jpeg(struct jpeg_job *job)
{
    jpeg_start_writing(job);
    jpeg_copy_critical_parameters(&job->in, &job->out);
    job->out.optimize_coding = TRUE;
    choose_jpeg_scans(&job->out);
    jpeg_write_coefficients(&job->out, job->coefficients);
    copy_jpeg_markers(job);
    jpeg_finish_compress(&job->out);
}

static uint64_t jpeg_component_hash(uint64_t hash, struct jpeg_decompress_struct *of, int c,
                                    jvirt_barray_ptr coefficients)
{
    const jpeg_component_info *info = &of->comp_info[c];

    hash = number_hash(hash, (uint64_t)info->h_samp_factor);
    hash = number_hash(hash, (uint64_t)info->v_samp_factor);
    hash = number_hash(hash, info->width_in_blocks);
    hash = number_hash(hash, info->height_in_blocks);
    if (info->quant_table != NULL)
        hash = text_hash(hash, (struct str){(const char *)info->quant_table->quantval,
                                            sizeof info->quant_table->quantval});
    for (JDIMENSION y = 0; y < info->height_in_blocks; y++) {
        JBLOCKARRAY row =
            of->mem->access_virt_barray((j_common_ptr)of, coefficients, y, 1, FALSE);

        hash = text_hash(
            hash, (struct str){(const char *)row[0], info->width_in_blocks * sizeof(JBLOCK)});
    }
    return hash;
}

/* What decides the pixels, by any decoder: the coefficients and their tables, as a number of 64
 * bits, so that those of two pictures need not be in memory at one time. */
static uint64_t jpeg_picture_hash(struct jpeg_decompress_struct *of,
                                  const jvirt_barray_ptr *coefficients)
{
    uint64_t hash = number_hash(of->image_width, of->image_height);

    hash = number_hash(hash, (uint64_t)of->jpeg_color_space);
    for (int c = 0; c < of->num_components; c++)
        hash = jpeg_component_hash(hash, of, c, coefficients[c]);
    return hash;
}

/* Read back what was written, when what was read first is gone. */
static uint64_t written_jpeg_hash(struct jpeg_job *job)
{
    jpeg_destroy_decompress(&job->in);
    jpeg_start_reading(job, &job->again, buf_text(job->image->out));
    return jpeg_picture_hash(&job->again, jpeg_read_coefficients(&job->again));
}

/* The averages of blocks of 8 x 8 are in the coefficients: a picture of an eighth of its size.
 */
static bool look_at_jpeg(struct jpeg_job *job)
{
    const jpeg_component_info *of = &job->in.comp_info[0];
    struct image_look look;
    unsigned char *gray =
        arena_array(job->image->arena, unsigned char, of->width_in_blocks, job->image->err);

    if (gray == NULL)
        return false;
    if (of->width_in_blocks < IMAGE_LOOK_SIDE || of->height_in_blocks < IMAGE_LOOK_SIDE)
        return image_jpeg_look(job->image);
    image_look_start(&look, of->width_in_blocks, of->height_in_blocks);
    for (JDIMENSION y = 0; y < of->height_in_blocks; y++) {
        JBLOCKARRAY row = job->in.mem->access_virt_barray((j_common_ptr)&job->in,
                                                          job->coefficients[0], y, 1, FALSE);

        for (JDIMENSION x = 0; x < of->width_in_blocks; x++) {
            int level = row[0][x][0] * of->quant_table->quantval[0] / 8 + 128;

            gray[x] = (unsigned char)(level < 0 ? 0 : level > 255 ? 255 : level);
        }
        image_look_row(&look, y, gray);
    }
    image_look_end(&look, job->image->answer);
    return true;
}

/* True with how it came out; what the library refuses leaves by longjmp(). */
static bool recode_jpeg(struct jpeg_job *job)
{
    struct image_job *image = job->image;
    uint64_t hash;

    jpeg_start_reading(job, &job->in, image->file);
    image->answer->width = job->in.image_width;
    image->answer->height = job->in.image_height;
    if (!image_admit(image, memory_of_jpeg(&job->in, image->file.len)))
        return true;
    job->coefficients = jpeg_read_coefficients(&job->in);
    if (job->damaged)
        return image_end(image, IMAGE_CORRUPT, "%s", job->why);
    if (!image->answer->look_known && !look_at_jpeg(job))
        return false;
    /* What is not smaller in the end is not given out. */
    image->out->max = image->file.len > 1 ? image->file.len - 1 : 1;
    hash = jpeg_picture_hash(&job->in, job->coefficients);
    write_jpeg(job);
    if (written_jpeg_hash(job) != hash || job->damaged)
        return image_end(image, IMAGE_UNUSUAL, "it does not come out the same");
    image->answer->outcome = IMAGE_SMALLER;
    return true;
}

bool image_jpeg_optimize(struct image_job *image)
{
    return jpeg_try(image, image->out, recode_jpeg, NULL);
}
