/* libjpeg-turbo: errors and what it writes to. */
#include "data/images/image_libjpeg.h"

#include <stddef.h>
#include <string.h>

#include <jerror.h>

#define MOST_SCANS 100 /* each one may cost as much as the picture has pixels */

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
    if (job->trial)
        return;
    buf_add(job->written_to, (struct str){(const char *)job->block, len});
    if (job->written_to->failed == ERROR_NONE)
        return;
    job->memory = job->written_to->failed == ERROR_MEMORY;
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
void jpeg_start_reading(struct jpeg_job *job, struct jpeg_decompress_struct *from,
                        struct str file)
{
    jpeg_create_decompress(from);
    from->progress = &job->progress;
    jpeg_mem_src(from, (const unsigned char *)file.at, (unsigned long)file.len);
    jpeg_save_markers(from, JPEG_COM, 0xffff);
    for (int m = 0; m < 16; m++)
        jpeg_save_markers(from, JPEG_APP0 + m, 0xffff);
    (void)jpeg_read_header(from, TRUE);
}

void jpeg_start_writing(struct jpeg_job *job)
{
    jpeg_create_compress(&job->out);
    job->out.progress = &job->progress;
    job->out.dest = &job->to;
}

/* Why the library gave up. */
static bool end_left_jpeg(struct jpeg_job *job)
{
    struct image_job *image = job->image;

    if (job->stopped)
        return error_fail(image->err, ERROR_STOPPED, "stopped");
    if (job->memory)
        return error_memory(image->err);
    if (job->written_to->failed != ERROR_NONE)
        return image_end(image, IMAGE_BEST, "%s", "");
    return image_end(image, job->unusual ? IMAGE_UNUSUAL : IMAGE_CORRUPT, "%s", job->why);
}

bool jpeg_try(struct image_job *image, struct buf *to, bool (*work)(struct jpeg_job *job),
              void *ctx)
{
    struct jpeg_job *job = arena_array(image->arena, struct jpeg_job, 1, image->err);
    bool ok;

    if (job == NULL)
        return false;
    make_jpeg_job(job, image);
    job->written_to = to;
    job->ctx = ctx;
    ok = setjmp(job->back) == 0 ? work(job) : end_left_jpeg(job);
    jpeg_destroy_compress(&job->out);
    jpeg_destroy_decompress(&job->again);
    jpeg_destroy_decompress(&job->in);
    return ok;
}
