/* image_libjpeg.h - libjpeg-turbo for the loadable part `images`: its errors, which jump back,
 * and what it writes to. */
#ifndef DATA_IMAGES_IMAGE_LIBJPEG_H
#define DATA_IMAGES_IMAGE_LIBJPEG_H

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "data/images/image_internal.h"

#define JPEG_OUT_BLOCK 65536

/* Work with the library. What a jump back leaves unknown is in here. */
struct jpeg_job {
    struct image_job *image;
    struct buf *written_to; /* what is compressed goes there */
    bool trial;             /* what is compressed goes nowhere */
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    struct jpeg_destination_mgr to;
    struct jpeg_decompress_struct in, again;
    struct jpeg_compress_struct out;
    jvirt_barray_ptr *coefficients;
    void *ctx;
    jmp_buf back;
    bool stopped, memory; /* why it came back, when not for the file */
    bool unusual;         /* the file is not known how to be handled, rather than damaged */
    bool damaged;         /* a warning said so */
    char why[JMSG_LENGTH_MAX];
    JOCTET block[JPEG_OUT_BLOCK];
};

/* Do `work` with a job of its own, which writes to `to`; how it came out is in the answer also
 * when the library gives up. `ctx` is the work's own. */
bool jpeg_try(struct image_job *image, struct buf *to, bool (*work)(struct jpeg_job *job),
              void *ctx) MUST_USE;

/* Read a file's header, with all that lies beside the picture. */
void jpeg_start_reading(struct jpeg_job *job, struct jpeg_decompress_struct *from,
                        struct str file);

/* Make job->out, which writes to where the job does. */
void jpeg_start_writing(struct jpeg_job *job);

/* Huffman codes of a picture from those that are best for a part of it, which was written as a
 * picture: with every symbol that the rest may need. */
struct jpeg_codes {
    JHUFF_TBL dc[2], ac[2];
    unsigned count; /* of each */
};
void jpeg_codes_take(const struct jpeg_compress_struct *from, struct jpeg_codes *out);
void jpeg_codes_set(struct jpeg_compress_struct *to, const struct jpeg_codes *codes);

#endif
