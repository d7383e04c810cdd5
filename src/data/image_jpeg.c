/* JPEG without loss: the coefficients are written again, progressively and with the best
 * Huffman codes for them, then read back and compared. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

#include "data/image_internal.h"

#define MOST_SCANS 100 /* each one may cost as much as the picture has pixels */
#define OUT_BLOCK 65536
#define MOST_MARKER 65533

struct jpeg_job {
    struct image_job *image;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    struct jpeg_destination_mgr to;
    struct jpeg_decompress_struct in, again;
    struct jpeg_compress_struct out;
    jvirt_barray_ptr *coefficients, *written;
    jmp_buf back;
    bool stopped, memory; /* why it came back, when not for the file */
    bool unusual;         /* the file is not known how to be handled, rather than damaged */
    bool damaged;         /* a warning said so */
    char why[JMSG_LENGTH_MAX];
    JOCTET block[OUT_BLOCK];
};

/* What libjpeg cannot do, of files that are good. */
static bool is_unusual_jpeg(int code)
{
    switch (code) {
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_ARITH_NOTIMPL:
    case JERR_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW:
    case JERR_COMPONENT_COUNT:
        return true;
    default:
        return false;
    }
}

/* Bytes of the picture itself are missing or wrong; other warnings are of what is around it. */
static bool is_jpeg_damage(int code)
{
    return code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE ||
           code == JWRN_ARITH_BAD_CODE || code == JWRN_MUST_RESYNC;
}

static _Noreturn void leave_jpeg(j_common_ptr cinfo)
{
    struct jpeg_job *job = cinfo->client_data;
    int code = cinfo->err->msg_code;

    job->memory = code == JERR_OUT_OF_MEMORY;
    job->unusual = is_unusual_jpeg(code);
    cinfo->err->format_message(cinfo, job->why);
    longjmp(job->back, 1);
}

static void note_jpeg_warning(j_common_ptr cinfo, int level)
{
    struct jpeg_job *job = cinfo->client_data;

    if (level >= 0)
        return;
    cinfo->err->num_warnings++;
    if (job->damaged || !is_jpeg_damage(cinfo->err->msg_code))
        return;
    job->damaged = true;
    cinfo->err->format_message(cinfo, job->why);
}

/* Called many times a picture. */
static void watch_jpeg(j_common_ptr cinfo)
{
    struct jpeg_job *job = cinfo->client_data;

    if (image_stopped(job->image)) {
        job->stopped = true;
        longjmp(job->back, 1);
    }
    if (cinfo->is_decompressor && ((j_decompress_ptr)cinfo)->input_scan_number > MOST_SCANS) {
        job->unusual = true;
        (void)snprintf(job->why, sizeof job->why, "more than %d scans", MOST_SCANS);
        longjmp(job->back, 1);
    }
}

static void start_jpeg_block(j_compress_ptr cinfo)
{
    struct jpeg_job *job = cinfo->client_data;

    job->to.next_output_byte = job->block;
    job->to.free_in_buffer = sizeof job->block;
}

/* Nothing more is written once it is as large as the file was. */
static void put_jpeg_bytes(struct jpeg_job *job, size_t len)
{
    buf_add(job->image->out, (struct str){(const char *)job->block, len});
    if (job->image->out->failed == ERROR_NONE)
        return;
    job->memory = job->image->out->failed == ERROR_MEMORY;
    longjmp(job->back, 1);
}

static boolean flush_jpeg_block(j_compress_ptr cinfo)
{
    struct jpeg_job *job = cinfo->client_data;

    put_jpeg_bytes(job, sizeof job->block);
    start_jpeg_block(cinfo);
    return TRUE;
}

static void end_jpeg_block(j_compress_ptr cinfo)
{
    struct jpeg_job *job = cinfo->client_data;

    put_jpeg_bytes(job, sizeof job->block - job->to.free_in_buffer);
}

static void make_jpeg_job(struct jpeg_job *job, struct image_job *image)
{
    memset(job, 0, offsetof(struct jpeg_job, block));
    job->image = image;
    (void)jpeg_std_error(&job->errors);
    job->errors.error_exit = leave_jpeg;
    job->errors.emit_message = note_jpeg_warning;
    job->progress.progress_monitor = watch_jpeg;
    job->to = (struct jpeg_destination_mgr){.init_destination = start_jpeg_block,
                                            .empty_output_buffer = flush_jpeg_block,
                                            .term_destination = end_jpeg_block};
    job->in.err = job->again.err = job->out.err = &job->errors;
    job->in.client_data = job->again.client_data = job->out.client_data = job;
}

/* The library keeps client_data and err when it makes one. */
static void start_reading_jpeg(struct jpeg_job *job, struct jpeg_decompress_struct *from,
                               struct str file)
{
    jpeg_create_decompress(from);
    from->progress = &job->progress;
    jpeg_mem_src(from, (const unsigned char *)file.at, (unsigned long)file.len);
}

/* Every coefficient of every component, twice (as read, and as read back), and both files. */
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
    return 2 * samples * sizeof(JCOEF) + 3 * (uint64_t)len + OUT_BLOCK;
}

static void save_jpeg_markers(struct jpeg_decompress_struct *in)
{
    jpeg_save_markers(in, JPEG_COM, 0xffff);
    for (int m = 0; m < 16; m++)
        jpeg_save_markers(in, JPEG_APP0 + m, 0xffff);
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
    jpeg_create_compress(&job->out);
    job->out.progress = &job->progress;
    job->out.dest = &job->to;
    jpeg_copy_critical_parameters(&job->in, &job->out);
    job->out.optimize_coding = TRUE;
    choose_jpeg_scans(&job->out);
    jpeg_write_coefficients(&job->out, job->coefficients);
    copy_jpeg_markers(job);
    jpeg_finish_compress(&job->out);
}

static bool same_jpeg_component(const jpeg_component_info *a, const jpeg_component_info *b)
{
    return a->h_samp_factor == b->h_samp_factor && a->v_samp_factor == b->v_samp_factor &&
           a->width_in_blocks == b->width_in_blocks &&
           a->height_in_blocks == b->height_in_blocks && a->quant_table != NULL &&
           b->quant_table != NULL &&
           memcmp(a->quant_table->quantval, b->quant_table->quantval,
                  sizeof a->quant_table->quantval) == 0;
}

static bool same_jpeg_coefficients(struct jpeg_job *job, int c)
{
    const jpeg_component_info *of = &job->in.comp_info[c];

    for (JDIMENSION y = 0; y < of->height_in_blocks; y++) {
        JBLOCKARRAY a = job->in.mem->access_virt_barray((j_common_ptr)&job->in,
                                                        job->coefficients[c], y, 1, FALSE);
        JBLOCKARRAY b = job->again.mem->access_virt_barray((j_common_ptr)&job->again,
                                                           job->written[c], y, 1, FALSE);

        if (memcmp(a[0], b[0], of->width_in_blocks * sizeof(JBLOCK)) != 0)
            return false;
    }
    return true;
}

/* Read back what was written: the same coefficients with the same tables are the same pixels,
 * by any decoder. */
static bool is_written_jpeg_same(struct jpeg_job *job)
{
    const struct jpeg_decompress_struct *a = &job->in, *b = &job->again;

    start_reading_jpeg(job, &job->again, buf_text(job->image->out));
    (void)jpeg_read_header(&job->again, TRUE);
    job->written = jpeg_read_coefficients(&job->again);
    if (a->image_width != b->image_width || a->image_height != b->image_height ||
        a->num_components != b->num_components || a->jpeg_color_space != b->jpeg_color_space ||
        job->damaged)
        return false;
    for (int c = 0; c < a->num_components; c++)
        if (!same_jpeg_component(&a->comp_info[c], &b->comp_info[c]) ||
            !same_jpeg_coefficients(job, c))
            return false;
    return true;
}

/* True with how it came out; what the library refuses leaves by longjmp(). */
static bool recode_jpeg(struct jpeg_job *job)
{
    struct image_job *image = job->image;

    start_reading_jpeg(job, &job->in, image->file);
    save_jpeg_markers(&job->in);
    (void)jpeg_read_header(&job->in, TRUE);
    image->answer->width = job->in.image_width;
    image->answer->height = job->in.image_height;
    if (!image_admit(image, memory_of_jpeg(&job->in, image->file.len)))
        return true;
    job->coefficients = jpeg_read_coefficients(&job->in);
    if (job->damaged)
        return image_end(image, IMAGE_CORRUPT, "%s", job->why);
    /* What is not smaller in the end is not given out. */
    image->out->max = image->file.len > 1 ? image->file.len - 1 : 1;
    write_jpeg(job);
    if (!is_written_jpeg_same(job))
        return image_end(image, IMAGE_UNUSUAL, "it does not come out the same");
    image->answer->outcome = IMAGE_SMALLER;
    return true;
}

/* Why the library gave up. */
static bool end_left_jpeg(struct jpeg_job *job)
{
    struct image_job *image = job->image;

    if (job->stopped)
        return error_fail(image->err, ERROR_STOPPED, "stopped");
    if (job->memory)
        return error_memory(image->err);
    if (image->out->failed != ERROR_NONE)
        return image_end(image, IMAGE_BEST, "%s", "");
    return image_end(image, job->unusual ? IMAGE_UNUSUAL : IMAGE_CORRUPT, "%s", job->why);
}

/* What a jump back leaves unknown is in the job. */
static bool try_jpeg(struct jpeg_job *job, bool (*work)(struct jpeg_job *job))
{
    bool ok = setjmp(job->back) == 0 ? work(job) : end_left_jpeg(job);

    jpeg_destroy_compress(&job->out);
    jpeg_destroy_decompress(&job->again);
    jpeg_destroy_decompress(&job->in);
    return ok;
}

bool image_jpeg_optimize(struct image_job *image)
{
    struct jpeg_job *job = arena_array(image->arena, struct jpeg_job, 1, image->err);

    if (job == NULL)
        return false;
    make_jpeg_job(job, image);
    return try_jpeg(job, recode_jpeg);
}
