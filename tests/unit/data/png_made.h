/* png_made.h - PNG files without compression, for tests. */
#ifndef TESTS_UNIT_DATA_PNG_MADE_H
#define TESTS_UNIT_DATA_PNG_MADE_H

#include <string.h>

#include "base/buf.h"

static uint32_t crc_of_png(const char *at, size_t len)
{
    uint32_t crc = 0xffffffffu;

    for (size_t i = 0; i < len; i++) {
        crc ^= (unsigned char)at[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? 0xedb88320u ^ crc >> 1 : crc >> 1;
    }
    return ~crc;
}

static void put_png_number(uint32_t value, struct buf *out)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_char(out, (char)(value >> shift & 255));
}

static void put_png_chunk(const char *type, struct str data, struct buf *out)
{
    size_t at = out->len + 4;

    put_png_number((uint32_t)data.len, out);
    buf_adds(out, type);
    buf_add(out, data);
    put_png_number(crc_of_png(out->at + at, out->len - at), out);
}

/* Rows, each with its filter byte, in blocks that are stored as they are. */
static void put_png_stored(struct str rows, struct buf *out)
{
    uint32_t a = 1, b = 0;

    for (size_t i = 0; i < rows.len; i++) {
        a = (a + (unsigned char)rows.at[i]) % 65521;
        b = (b + a) % 65521;
    }
    buf_adds(out, "\x78\x01");
    while (rows.len > 0) {
        size_t len = rows.len < 60000 ? rows.len : 60000;

        buf_char(out, len == rows.len);
        buf_char(out, (char)(len & 255));
        buf_char(out, (char)(len >> 8));
        buf_char(out, (char)(~len & 255));
        buf_char(out, (char)(~len >> 8 & 255));
        buf_add(out, (struct str){rows.at, len});
        rows.at += len;
        rows.len -= len;
    }
    put_png_number(b << 16 | a, out);
}

struct png_made {
    uint32_t width, height;
    unsigned depth, color, channels;
    /* Of a channel at a place. NULL: a soft picture. */
    unsigned (*sample)(uint32_t x, uint32_t y, unsigned channel);
    const char *extra; /* a text chunk; NULL: none */
    bool animated;
    struct str exif; /* empty: none */
};

static unsigned soft_sample(uint32_t x, uint32_t y, unsigned channel)
{
    return (x * 3 + y * 2 + x * y / 7 + channel * 40 + (x * 7919 + y * 104729) % 5) & 255;
}

/* Colors of 8 or 16 bits a channel. */
static void make_png(const struct png_made *made, const struct alloc *alloc, struct buf *out)
{
    struct buf rows = buf_new(alloc, BUF_MAX_OUTPUT), data = buf_new(alloc, BUF_MAX_OUTPUT);
    struct buf head = buf_new(alloc, BUF_MAX_OUTPUT);

    put_png_number(made->width, &head);
    put_png_number(made->height, &head);
    buf_char(&head, (char)made->depth);
    buf_char(&head, (char)made->color);
    buf_add(&head, (struct str){"\0\0\0", 3});
    for (uint32_t y = 0; y < made->height; y++) {
        buf_char(&rows, 0);
        for (uint32_t x = 0; x < made->width; x++)
            for (unsigned c = 0; c < made->channels; c++) {
                unsigned v =
                    made->sample != NULL ? made->sample(x, y, c) : soft_sample(x, y, c);

                buf_char(&rows, (char)v);
                if (made->depth == 16)
                    buf_char(&rows, (char)(v * 31 + x));
            }
    }
    put_png_stored(buf_text(&rows), &data);
    buf_adds(out, "\x89PNG\r\n\x1a\n");
    put_png_chunk("IHDR", buf_text(&head), out);
    if (made->animated)
        put_png_chunk("acTL", (struct str){"\0\0\0\1\0\0\0\0", 8}, out);
    if (made->extra != NULL)
        put_png_chunk("tEXt", (struct str){made->extra, strlen(made->extra)}, out);
    if (made->exif.len > 0)
        put_png_chunk("eXIf", made->exif, out);
    put_png_chunk("IDAT", buf_text(&data), out);
    put_png_chunk("IEND", (struct str){"", 0}, out);
    buf_free(&rows);
    buf_free(&data);
    buf_free(&head);
}

#endif
