/* PNG without loss: the rows are filtered and compressed again, everything else stays as it is;
 * then it is read back and compared. */
#include <inttypes.h>
#include <string.h>

#include <spng.h>
#define ZLIB_CONST
#include <zlib.h>

#include "data/images/image_internal.h"

#define SIGNATURE_LEN 8
#define CHUNK_FRAME 12 /* length, type and checksum of a chunk */
#define IHDR_LEN 13
#define MOST_SIDE 0x7fffffffu
#define MOST_TEXTS ((size_t)64 << 20) /* bytes of texts and profiles, uncompressed */
#define FILTERS 5
/* Groups of so many rows tell what all take: every eighth, of a high picture some 12 of
 * them. */
#define SAMPLE_ROWS 8
#define SAMPLE_STEP 8
#define SAMPLE_GROUPS 12
#define ROUGH_GROUPS 3
#define ENCODING 16      /* bytes that encoders take of a pixel, besides its own */
#define SRGB_GAMMA 45455 /* as gAMA has it */
#define BLOCK 65536

/* What IHDR says, and the layout of a row. */
struct png_head {
    uint32_t width, height;
    unsigned depth, color, interlaced;
    uint64_t row;  /* bytes */
    unsigned step; /* bytes from a pixel to the next, at least 1 */
};

/* The chunks of the pixels, which are replaced: the file from `at` to `end`. */
struct png_parts {
    size_t at, end;
};

static uint32_t read_u32(const char *at)
{
    const unsigned char *p = (const unsigned char *)at;

    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void put_u32(uint32_t value, unsigned char out[static 4])
{
    for (unsigned i = 0; i < 4; i++)
        out[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* False when the file does not begin with an IHDR that is one. */
static bool read_png_head(struct str file, struct png_head *out)
{
    static const unsigned channels[] = {1, 0, 3, 1, 2, 0, 4};
    const unsigned char *at;
    uint64_t bits;

    if (file.len < SIGNATURE_LEN + CHUNK_FRAME + IHDR_LEN ||
        read_u32(file.at + SIGNATURE_LEN) != IHDR_LEN ||
        memcmp(file.at + SIGNATURE_LEN + 4, "IHDR", 4) != 0)
        return false;
    at = (const unsigned char *)file.at + SIGNATURE_LEN + 8;
    *out = (struct png_head){.width = read_u32((const char *)at),
                             .height = read_u32((const char *)at + 4),
                             .depth = at[8],
                             .color = at[9],
                             .interlaced = at[12]};
    if (out->width == 0 || out->width > MOST_SIDE || out->height == 0 ||
        out->height > MOST_SIDE || out->color >= ARRAY_LEN(channels) ||
        channels[out->color] == 0 || out->depth == 0 || out->depth > 16)
        return false;
    bits = (uint64_t)channels[out->color] * out->depth;
    out->row = ((uint64_t)out->width * bits + 7) / 8;
    out->step = bits < 8 ? 1 : (unsigned)(bits / 8);
    return true;
}

/* The pixels twice, what deflate takes, and both files. */
static uint64_t memory_of_png(const struct png_head *head, size_t len)
{
    if (head->row > UINT64_MAX / 8 / head->height)
        return UINT64_MAX;
    return 2 * head->row * head->height + 8 * head->row + 2 * (uint64_t)len + (1u << 20);
}

/* Find the chunks of the pixels. False when the file ends before its end, or is animated; how
 * that came out is set. */
static bool find_png_parts(struct image_job *job, struct png_parts *out)
{
    struct str file = job->file;
    size_t at = SIGNATURE_LEN;

    *out = (struct png_parts){0};
    while (file.len - at >= CHUNK_FRAME) {
        uint64_t len = read_u32(file.at + at);
        const char *type = file.at + at + 4;

        if (len > file.len - at - CHUNK_FRAME)
            break;
        if (memcmp(type, "acTL", 4) == 0)
            return !image_end(job, IMAGE_UNUSUAL, "animated");
        if (memcmp(type, "IDAT", 4) == 0) {
            out->at = out->at != 0 ? out->at : at;
            out->end = at + CHUNK_FRAME + (size_t)len;
        }
        at += CHUNK_FRAME + (size_t)len;
        if (memcmp(type, "IEND", 4) == 0 && out->at != 0)
            return true;
    }
    return !image_end(job, IMAGE_CORRUPT, "it ends early");
}

/* Of the pixels, or of what is needed to read them. */
static bool is_png_damage(int code)
{
    switch (code) {
    case SPNG_EIDAT_TOO_SHORT:
    case SPNG_EIDAT_STREAM:
    case SPNG_EZLIB:
    case SPNG_EFILTER:
    case SPNG_EOF:
    case SPNG_IO_EOF:
    case SPNG_ECHUNK_CRC:
    case SPNG_ECHUNK_SIZE:
    case SPNG_ECHUNK_POS:
    case SPNG_EPLTE_IDX:
    case SPNG_ENOPLTE:
    case SPNG_EBIT_DEPTH:
    case SPNG_ECOLOR_TYPE:
    case SPNG_ENOIHDR:
        return true;
    default:
        return false;
    }
}

/* Rows as PNG has them without filters, in their order also when they were interlaced. */
static int decode_png(struct str file, unsigned char *pixels, size_t len)
{
    spng_ctx *ctx = spng_ctx_new(0);
    size_t size = 0;
    int code = SPNG_EMEM;

    if (ctx == NULL)
        return code;
    code = spng_set_crc_action(ctx, SPNG_CRC_ERROR, SPNG_CRC_USE);
    if (code == 0)
        code = spng_set_chunk_limits(ctx, MOST_TEXTS, MOST_TEXTS);
    if (code == 0)
        code = spng_set_png_buffer(ctx, file.at, file.len);
    if (code == 0)
        code = spng_decoded_image_size(ctx, SPNG_FMT_RAW, &size);
    if (code == 0 && size != len)
        code = SPNG_EINTERNAL;
    if (code == 0)
        code = spng_decode_image(ctx, pixels, len, SPNG_FMT_RAW, 0);
    spng_ctx_free(ctx);
    return code;
}

static unsigned char paeth(int a, int b, int c)
{
    int p = a + b - c, pa = p > a ? p - a : a - p, pb = p > b ? p - b : b - p,
        pc = p > c ? p - c : c - p;

    return (unsigned char)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

static int guess_png_byte(unsigned type, int left, int up, int corner)
{
    switch (type) {
    case 1:
        return left;
    case 2:
        return up;
    case 3:
        return (left + up) / 2;
    case 4:
        return paeth(left, up, corner);
    default:
        return 0;
    }
}

/* A row as filter `type` makes it, behind a byte that says which; the sum of the sizes of its
 * bytes as small numbers around zero. */
static inline uint64_t filter_png_row(unsigned type, const unsigned char *row,
                                      const unsigned char *above, size_t len, size_t step,
                                      unsigned char *out)
{
    uint64_t sum = 0;

    out[0] = (unsigned char)type;
    for (size_t i = 0; i < len; i++) {
        int left = i >= step ? row[i - step] : 0;
        int corner = i >= step ? above[i - step] : 0;
        unsigned char byte =
            (unsigned char)(row[i] - guess_png_byte(type, left, above[i], corner));

        sum += byte < 128 ? byte : 256u - byte;
        out[i + 1] = byte;
    }
    return sum;
}

struct png_writer {
    struct image_job *job;
    const struct png_head *head;
    const unsigned char *pixels;
    uint32_t groups; /* only so many groups of the rows, about; 0: all */
    uint32_t done;
    unsigned char *rows; /* FILTERS of them, with their first bytes, and one that is zero */
    z_stream stream;
};

/* The row as the filter makes it that is likely to compress best. */
static const unsigned char *best_png_row(struct png_writer *w, uint32_t y, bool filtered)
{
    size_t len = (size_t)w->head->row, best = 0;
    const unsigned char *row = w->pixels + y * len;
    const unsigned char *above = y > 0 ? row - len : w->rows + FILTERS * (len + 1);
    uint64_t least = UINT64_MAX;

    for (unsigned type = 0; type < (filtered ? FILTERS : 1); type++) {
        uint64_t sum =
            filter_png_row(type, row, above, len, w->head->step, w->rows + type * (len + 1));

        if (sum < least) {
            least = sum;
            best = type;
        }
    }
    return w->rows + best * (len + 1);
}

/* Compress what is given to it; `flush` as deflate() has it. False when the output is as large
 * as the file was, or memory ran out. */
static bool deflate_png_bytes(struct png_writer *w, const unsigned char *bytes, size_t len,
                              int flush, struct buf *out)
{
    unsigned char block[BLOCK];
    int code;

    w->stream.next_in = bytes;
    w->stream.avail_in = (uInt)len;
    do {
        w->stream.next_out = block;
        w->stream.avail_out = sizeof block;
        code = deflate(&w->stream, flush);
        buf_add(out, (struct str){(const char *)block, sizeof block - w->stream.avail_out});
    } while (code == Z_OK && w->stream.avail_out == 0 && out->failed == ERROR_NONE);
    return out->failed == ERROR_NONE;
}

enum png_written { PNG_WRITTEN, PNG_NOT_SMALLER, PNG_STOPPED, PNG_NO_MEMORY };

static bool is_sample_row(const struct png_writer *w, uint32_t y)
{
    uint32_t step = w->head->height / (SAMPLE_ROWS * w->groups);

    return y / SAMPLE_ROWS % (step > SAMPLE_STEP ? step : SAMPLE_STEP) == 0;
}

static enum png_written deflate_png_rows(struct png_writer *w, bool filtered, struct buf *out)
{
    for (uint32_t y = 0; y < w->head->height; y++) {
        const unsigned char *row;

        if (w->groups > 0 && !is_sample_row(w, y))
            continue;
        if (y % 16 == 0 && image_stopped(w->job))
            return PNG_STOPPED;
        w->done++;
        row = best_png_row(w, y, filtered);
        if (!deflate_png_bytes(w, row, (size_t)w->head->row + 1, Z_NO_FLUSH, out))
            break;
    }
    (void)deflate_png_bytes(w, NULL, 0, Z_FINISH, out);
    if (out->failed == ERROR_MEMORY)
        return PNG_NO_MEMORY;
    return out->failed == ERROR_NONE ? PNG_WRITTEN : PNG_NOT_SMALLER;
}

/* The pixels compressed, with filters or without. */
static enum png_written compress_png(struct png_writer *w, bool filtered, int level,
                                     struct buf *out)
{
    enum png_written written;

    w->stream = (z_stream){0};
    if (deflateInit2(&w->stream, level, Z_DEFLATED, 15, 9,
                     filtered ? Z_FILTERED : Z_DEFAULT_STRATEGY) != Z_OK)
        return PNG_NO_MEMORY;
    written = deflate_png_rows(w, filtered, out);
    (void)deflateEnd(&w->stream);
    return written;
}

static void add_png_chunk(struct buf *out, const char *type, struct str data)
{
    unsigned char number[4];
    uLong crc = crc32(0, (const Bytef *)type, 4);

    crc = crc32_z(crc, (const Bytef *)data.at, data.len);
    put_u32((uint32_t)data.len, number);
    buf_add(out, (struct str){(const char *)number, 4});
    buf_add(out, (struct str){type, 4});
    buf_add(out, data);
    put_u32((uint32_t)crc, number);
    buf_add(out, (struct str){(const char *)number, 4});
}

/* Chunks as they are, but for the header, whose picture is not interlaced any more, and for
 * places in the old pixels. */
static void copy_png_chunks(struct str file, const struct png_head *head, size_t at, size_t end,
                            struct buf *out)
{
    while (at < end) {
        size_t len = read_u32(file.at + at);
        const char *type = file.at + at + 4;

        if (memcmp(type, "IHDR", 4) == 0) {
            char ihdr[IHDR_LEN];

            memcpy(ihdr, type + 4, sizeof ihdr);
            put_u32(head->width, (unsigned char *)ihdr);
            put_u32(head->height, (unsigned char *)ihdr + 4);
            ihdr[IHDR_LEN - 1] = 0;
            add_png_chunk(out, type, (struct str){ihdr, sizeof ihdr});
        } else if (memcmp(type, "iDOT", 4) != 0) {
            buf_add(out, (struct str){file.at + at, len + CHUNK_FRAME});
        }
        at += len + CHUNK_FRAME;
    }
}

static size_t end_of_png(struct str file, size_t at)
{
    for (;;) {
        bool last = memcmp(file.at + at + 4, "IEND", 4) == 0;

        at += read_u32(file.at + at) + CHUNK_FRAME;
        if (last)
            return at;
    }
}

static void join_png(struct image_job *job, const struct png_head *head,
                     const struct png_parts *parts, struct str pixels)
{
    struct str file = job->file;

    buf_add(job->out, (struct str){file.at, SIGNATURE_LEN});
    copy_png_chunks(file, head, SIGNATURE_LEN, parts->at, job->out);
    add_png_chunk(job->out, "IDAT", pixels);
    copy_png_chunks(file, head, parts->end, end_of_png(file, parts->end), job->out);
}

/* Filters help photographs and hurt drawings: a quick try of both. */
static enum png_written try_png_filters(struct png_writer *w, const struct buf *out,
                                        size_t len[static 2])
{
    enum png_written written = PNG_WRITTEN;

    for (unsigned i = 0; i < 2 && written <= PNG_NOT_SMALLER; i++) {
        struct buf tried = buf_new(out->alloc, out->max);

        w->done = 0;
        written = compress_png(w, i == 1, 1, &tried);
        len[i] = written == PNG_WRITTEN ? tried.len : SIZE_MAX;
        buf_free(&tried);
    }
    return written <= PNG_NOT_SMALLER ? PNG_WRITTEN : written;
}

static enum png_written write_png_pixels(struct png_writer *w, struct buf *out)
{
    size_t len[2];
    enum png_written written = try_png_filters(w, out, len);

    return written == PNG_WRITTEN ? compress_png(w, len[1] <= len[0], 9, out) : written;
}

static bool end_png(struct image_job *job, enum png_written written)
{
    if (written == PNG_NO_MEMORY)
        return error_memory(job->err);
    if (written == PNG_STOPPED)
        return error_fail(job->err, ERROR_STOPPED, "stopped");
    return image_end(job, IMAGE_BEST, "%s", "");
}

static bool check_png(struct image_job *job, const unsigned char *pixels, size_t len)
{
    unsigned char *again = arena_array(job->arena, unsigned char, len, job->err);
    int code;

    if (again == NULL)
        return false;
    code = decode_png(buf_text(job->out), again, len);
    if (code == SPNG_EMEM)
        return error_memory(job->err);
    if (code != 0 || memcmp(pixels, again, len) != 0)
        return image_end(job, IMAGE_UNUSUAL, "it does not come out the same");
    job->answer->outcome = IMAGE_SMALLER;
    return true;
}

static bool make_png_rows(struct png_writer *w)
{
    w->rows = arena_array(w->job->arena, unsigned char,
                          (FILTERS + 1) * ((size_t)w->head->row + 1), w->job->err);
    return w->rows != NULL;
}

static bool rewrite_png(struct image_job *job, const struct png_head *head,
                        const struct png_parts *parts, const unsigned char *pixels)
{
    struct png_writer w = {.job = job, .head = head, .pixels = pixels};
    bool resized = job->answer->new_width > 0;
    struct buf idat =
        buf_new(job->out->alloc, resized ? BUF_MAX_OUTPUT : parts->end - parts->at);
    enum png_written written;

    if (!make_png_rows(&w))
        return false;
    written = write_png_pixels(&w, &idat);
    if (written == PNG_WRITTEN) {
        join_png(job, head, parts, buf_text(&idat));
        if (job->out->failed == ERROR_MEMORY)
            written = PNG_NO_MEMORY;
        else if (job->out->failed != ERROR_NONE || (!resized && job->out->len >= job->file.len))
            written = PNG_NOT_SMALLER;
    }
    buf_free(&idat);
    return written == PNG_WRITTEN ? check_png(job, pixels, (size_t)(head->row * head->height))
                                  : end_png(job, written);
}

/* The data of the first chunk of that type; nothing when there is none. The chunks are
 * complete. */
static bool find_png_chunk(struct str file, const char *type, struct str *out)
{
    size_t at = SIGNATURE_LEN;

    while (file.len - at >= CHUNK_FRAME) {
        size_t len = read_u32(file.at + at);

        if (len > file.len - at - CHUNK_FRAME)
            return false;
        *out = (struct str){file.at + at + 8, len};
        if (memcmp(file.at + at + 4, type, 4) == 0)
            return true;
        at += len + CHUNK_FRAME;
    }
    return false;
}

/* The sample of `bits` bits at `x` of a row, and the same to be set. */
static unsigned packed_sample(const unsigned char *row, size_t x, unsigned bits)
{
    size_t at = x * bits;

    return row[at / 8] >> (8 - bits - at % 8) & ((1u << bits) - 1);
}

static void pack_sample(unsigned char *row, size_t x, unsigned bits, unsigned value)
{
    size_t at = x * bits;

    row[at / 8] = (unsigned char)(row[at / 8] | value << (8 - bits - at % 8));
}

/* Brightness of red, green and blue, which are `step` bytes apart. */
static unsigned char gray_png_color(const unsigned char *at, size_t step)
{
    return (unsigned char)((at[0] * 77 + at[step] * 150 + at[2 * step] * 29) >> 8);
}

/* A row in gray, of the colors as they are and of 8 bits each; of a palette, by its colors. */
static void gray_png_row(const struct png_head *head, struct str palette,
                         const unsigned char *row, unsigned char *gray)
{
    const unsigned char *colors = (const unsigned char *)palette.at;
    unsigned bytes = head->depth / 8, most = (1u << head->depth) - 1;

    for (uint32_t x = 0; x < head->width; x++) {
        const unsigned char *at = row + (size_t)x * head->step;
        size_t value = head->depth < 8 ? packed_sample(row, x, head->depth) : at[0];

        if (head->color == 3)
            gray[x] = 3 * value + 3 <= palette.len ? gray_png_color(colors + 3 * value, 1) : 0;
        else if (head->depth < 8)
            gray[x] = (unsigned char)(value * 255 / most);
        else
            gray[x] = head->color == 0 || head->color == 4 ? at[0] : gray_png_color(at, bytes);
    }
}

static bool look_at_png(struct image_job *job, const struct png_head *head,
                        const unsigned char *pixels)
{
    struct str palette = {0};
    struct image_look look;
    unsigned char *gray;

    if (job->answer->look_known)
        return true;
    gray = arena_array(job->arena, unsigned char, head->width, job->err);
    if (gray == NULL)
        return false;
    if (head->color == 3 && !find_png_chunk(job->file, "PLTE", &palette))
        return true;
    image_look_start(&look, head->width, head->height);
    for (uint32_t y = 0; y < head->height; y++)
        if (image_look_wants(&look, y)) {
            gray_png_row(head, palette, pixels + y * head->row, gray);
            image_look_row(&look, y, gray);
        }
    image_look_end(&look, job->answer);
    return true;
}

/* Its pixels, as the file has them; `code` is libspng's answer. NULL, with the error set, when
 * memory runs out. */
static unsigned char *read_png_pixels(struct image_job *job, const struct png_head *head,
                                      int *code)
{
    size_t len = (size_t)(head->row * head->height);
    unsigned char *pixels = arena_array(job->arena, unsigned char, len, job->err);

    if (pixels == NULL)
        return NULL;
    *code = decode_png(job->file, pixels, len);
    if (*code != SPNG_EMEM)
        return pixels;
    (void)error_memory(job->err);
    return NULL;
}

bool image_png_optimize(struct image_job *job)
{
    struct png_parts parts;
    struct png_head head;
    unsigned char *pixels;
    int code;

    if (!read_png_head(job->file, &head))
        return image_end(job, IMAGE_CORRUPT, "its header is damaged");
    job->answer->width = head.width;
    job->answer->height = head.height;
    if (!find_png_parts(job, &parts) || !image_admit(job, memory_of_png(&head, job->file.len)))
        return true;
    pixels = read_png_pixels(job, &head, &code);
    if (pixels == NULL)
        return false;
    if (code != 0)
        return image_end(job, is_png_damage(code) ? IMAGE_CORRUPT : IMAGE_UNUSUAL, "%s",
                         spng_strerror(code));
    return look_at_png(job, &head, pixels) && rewrite_png(job, &head, &parts, pixels);
}

/* Values that are colors, of a form that JPEG and WebP have, and in the usual color space or
 * one with a profile. */
static bool may_be_photo(struct str file, const struct png_head *head)
{
    struct str chunk;

    if (head->depth != 8 || head->color == 3 || find_png_chunk(file, "tRNS", &chunk))
        return false;
    if (find_png_chunk(file, "iCCP", &chunk) || find_png_chunk(file, "sRGB", &chunk) ||
        !find_png_chunk(file, "gAMA", &chunk) || chunk.len != 4)
        return true;
    return read_u32(chunk.at) / 100 == SRGB_GAMMA / 100;
}

/* The color profile and EXIF. What is damaged of them is left out. */
static bool read_png_extras(struct image_job *job, struct image_pixels *out)
{
    spng_ctx *ctx = spng_ctx_new(0);
    struct spng_iccp icc;
    struct str exif;
    char *copy;

    if (ctx == NULL)
        return error_memory(job->err);
    if (spng_set_chunk_limits(ctx, MOST_TEXTS, MOST_TEXTS) == 0 &&
        spng_set_png_buffer(ctx, job->file.at, job->file.len) == 0 &&
        spng_get_iccp(ctx, &icc) == 0) {
        copy = arena_array(job->arena, char, icc.profile_len, job->err);
        if (copy != NULL)
            memcpy(copy, icc.profile, icc.profile_len);
        out->icc = (struct str){copy, copy != NULL ? icc.profile_len : 0};
    }
    spng_ctx_free(ctx);
    return job->err->kind == ERROR_NONE && (!find_png_chunk(job->file, "eXIf", &exif) ||
                                            str_keep(exif, job->arena, &out->exif, job->err));
}

/* What it takes without loss, from some of the rows. */
static bool estimate_png(struct image_job *job, const struct png_head *head,
                         const unsigned char *pixels, uint32_t groups, size_t *out)
{
    struct png_writer w = {.job = job, .head = head, .pixels = pixels, .groups = groups};
    struct buf any = buf_new(job->out->alloc, BUF_MAX_OUTPUT);
    enum png_written written;
    size_t len[2], least;

    if (!make_png_rows(&w))
        return false;
    written = try_png_filters(&w, &any, len);
    if (written != PNG_WRITTEN)
        return end_png(job, written);
    least = len[0] < len[1] ? len[0] : len[1];
    *out = (size_t)((double)least * head->height / (w.done > 0 ? w.done : 1));
    return true;
}

bool image_png_photo(struct image_job *job, struct image_pixels *out, size_t *lossless,
                     bool *rough)
{
    struct png_head head;
    unsigned char *pixels;
    uint64_t memory;
    int code;

    if (!read_png_head(job->file, &head) || !may_be_photo(job->file, &head))
        return true;
    job->answer->width = head.width;
    job->answer->height = head.height;
    memory = memory_of_png(&head, job->file.len);
    if (memory < UINT64_MAX)
        memory += ENCODING * (uint64_t)head.width * head.height;
    if (!image_admit(job, memory))
        return true;
    pixels = read_png_pixels(job, &head, &code);
    if (pixels == NULL)
        return false;
    if (code != 0)
        return true;
    *out = (struct image_pixels){.width = head.width,
                                 .height = head.height,
                                 .channels = head.step,
                                 .depth = 8,
                                 .at = pixels,
                                 .h = 1,
                                 .v = 1};
    /* With alpha the pixels may change before it is known what they take with loss. */
    *rough = out->channels % 2 != 0;
    return estimate_png(job, &head, pixels, *rough ? ROUGH_GROUPS : SAMPLE_GROUPS, lossless) &&
           read_png_extras(job, out);
}

bool image_png_lossless(struct image_job *job, const struct image_pixels *pixels,
                        size_t *lossless)
{
    struct png_head head;

    return !read_png_head(job->file, &head) ||
           estimate_png(job, &head, pixels->at, SAMPLE_GROUPS, lossless);
}

/* Every pixel of the new picture is one of the old: labels and palettes stay what they are. */
static void pick_png_pixels(const struct png_head *from, const unsigned char *pixels,
                            const struct png_head *to, unsigned char *out)
{
    for (uint32_t y = 0; y < to->height; y++) {
        uint64_t old_y = (2 * (uint64_t)y + 1) * from->height / (2 * (uint64_t)to->height);
        const unsigned char *row = pixels + old_y * from->row;
        unsigned char *new_row = out + y * to->row;

        for (uint32_t x = 0; x < to->width; x++) {
            uint64_t old_x = (2 * (uint64_t)x + 1) * from->width / (2 * (uint64_t)to->width);

            if (from->depth < 8)
                pack_sample(new_row, x, from->depth,
                            packed_sample(row, (size_t)old_x, from->depth));
            else
                memcpy(new_row + (size_t)x * from->step, row + old_x * from->step, from->step);
        }
    }
}

/* 16 bits as PNG has them to 16 bits as the machine has them, or the other way round. */
static void turn_png_bytes(unsigned char *at, size_t len)
{
    const uint16_t one = 1;

    if (*(const unsigned char *)&one == 0)
        return;
    for (size_t i = 0; i + 1 < len; i += 2) {
        unsigned char byte = at[i];

        at[i] = at[i + 1];
        at[i + 1] = byte;
    }
}

static bool interpolate_png(struct image_job *job, const struct png_head *from,
                            unsigned char *pixels, struct image_pixels *out)
{
    *out = (struct image_pixels){.width = from->width,
                                 .height = from->height,
                                 .channels = from->step / (from->depth / 8),
                                 .depth = from->depth,
                                 .at = pixels,
                                 .h = 1,
                                 .v = 1};
    if (from->depth == 16)
        turn_png_bytes(pixels, (size_t)(from->row * from->height));
    return image_resize(job, out);
}

/* With loss when that is asked for and it is a photograph. `*done`: it was written. */
static bool write_resized_photo(struct image_job *job, const struct png_head *head,
                                struct image_pixels *pixels, bool *done)
{
    enum image_kind kind;

    if (job->wish->quality == 0 || job->wish->keep_kind || !may_be_photo(job->file, head) ||
        !image_is_photo(pixels))
        return true;
    if (!read_png_extras(job, pixels))
        return false;
    image_drop_alpha(pixels);
    if (!image_photo_encode(job, pixels, job->out, &kind))
        return false;
    *done = job->out->len > 0;
    if (*done)
        job->answer->written = kind;
    return true;
}

/* What has a palette, few bits or a transparent color is picked from, everything else is
 * interpolated. */
static bool resize_png_pixels(struct image_job *job, const struct png_head *head,
                              const struct png_parts *parts, unsigned char *pixels)
{
    struct png_head small = *head;
    struct image_pixels resized;
    struct str chunk;
    bool done = false;

    small.width = job->answer->new_width;
    small.height = job->answer->new_height;
    small.row = head->depth < 8 ? ((uint64_t)small.width * head->depth + 7) / 8
                                : (uint64_t)small.width * head->step;
    if (head->depth < 8 || head->color == 3 || find_png_chunk(job->file, "tRNS", &chunk)) {
        unsigned char *picked = arena_array(job->arena, unsigned char,
                                            (size_t)(small.row * small.height), job->err);

        if (picked == NULL)
            return false;
        pick_png_pixels(head, pixels, &small, picked);
        return rewrite_png(job, &small, parts, picked);
    }
    if (!interpolate_png(job, head, pixels, &resized) ||
        !write_resized_photo(job, head, &resized, &done))
        return false;
    if (done)
        return true;
    if (head->depth == 16)
        turn_png_bytes(resized.at, (size_t)(small.row * small.height));
    return rewrite_png(job, &small, parts, resized.at);
}

bool image_png_resize(struct image_job *job, bool *done)
{
    struct png_parts parts;
    struct png_head head;
    unsigned char *pixels;
    uint64_t memory;
    int code;

    if (!read_png_head(job->file, &head))
        return true;
    job->answer->width = head.width;
    job->answer->height = head.height;
    if (!image_new_size(job))
        return true;
    *done = true;
    memory = memory_of_png(&head, job->file.len);
    if (memory < UINT64_MAX)
        memory += ENCODING * (uint64_t)job->answer->new_width * job->answer->new_height;
    if (!find_png_parts(job, &parts) || !image_admit(job, memory))
        return true;
    pixels = arena_array(job->arena, unsigned char, (size_t)(head.row * head.height), job->err);
    if (pixels == NULL)
        return false;
    code = decode_png(job->file, pixels, (size_t)(head.row * head.height));
    if (code == SPNG_EMEM)
        return error_memory(job->err);
    if (code != 0)
        return image_end(job, is_png_damage(code) ? IMAGE_CORRUPT : IMAGE_UNUSUAL, "%s",
                         spng_strerror(code));
    return look_at_png(job, &head, pixels) && resize_png_pixels(job, &head, &parts, pixels);
}
