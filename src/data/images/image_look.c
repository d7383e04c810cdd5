/* How a picture looks, in 64 bits: pictures whose bits differ in few places look alike,
 * whatever their size, format and quality are. The usual perceptual hash: a gray picture of
 * 32 x 32, its lowest frequencies, and for each of them whether it is above their median. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/images/image_internal.h"

#define SIDE IMAGE_LOOK_SIDE
#define LOW 8            /* frequencies in each direction */
#define LEAST_SHADES 8.0 /* a picture with less contrast than this looks like any other */
#define MOST_LOOK_ROWS 512

void image_look_start(struct image_look *look, uint32_t width, uint32_t height)
{
    *look = (struct image_look){.width = width, .height = height};
}

bool image_look_wants(const struct image_look *look, uint32_t y)
{
    uint32_t step = look->height / MOST_LOOK_ROWS;

    return step < 2 || y % step == 0;
}

void image_look_row(struct image_look *look, uint32_t y, const unsigned char *gray)
{
    uint32_t cell_y = (uint32_t)((uint64_t)y * SIDE / look->height);

    for (uint32_t x = 0; x < SIDE; x++) {
        uint32_t at = (uint32_t)((uint64_t)x * look->width / SIDE);
        uint32_t end = (uint32_t)((uint64_t)(x + 1) * look->width / SIDE);
        uint32_t sum = 0;

        for (uint32_t i = at; i < end; i++)
            sum += gray[i];
        look->sum[cell_y][x] += sum;
        look->count[cell_y][x] += end - at;
    }
}

static int compare_frequencies(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;

    return one < other ? -1 : one > other;
}

/* The lowest frequencies of the cells: a cosine transform, first of the rows. */
static void transform_look(const struct image_look *look, double out[static LOW * LOW])
{
    double wave[LOW][SIDE], rows[SIDE][LOW];

    for (int f = 0; f < LOW; f++)
        for (int i = 0; i < SIDE; i++)
            wave[f][i] = cos((2 * i + 1) * f * (M_PI / (2 * SIDE)));
    for (int y = 0; y < SIDE; y++)
        for (int f = 0; f < LOW; f++) {
            rows[y][f] = 0;
            for (int x = 0; x < SIDE; x++)
                rows[y][f] += wave[f][x] * (double)look->sum[y][x] / look->count[y][x];
        }
    for (int v = 0; v < LOW; v++)
        for (int f = 0; f < LOW; f++) {
            out[v * LOW + f] = 0;
            for (int y = 0; y < SIDE; y++)
                out[v * LOW + f] += wave[v][y] * rows[y][f];
        }
}

void image_look_end(const struct image_look *look, struct image_answer *answer)
{
    double low[LOW * LOW], sorted[LOW * LOW - 1], contrast = 0;
    uint64_t bits = 0;

    if (look->width < SIDE || look->height < SIDE)
        return;
    transform_look(look, low);
    memcpy(sorted, low + 1, sizeof sorted); /* without the brightness of all */
    qsort(sorted, ARRAY_LEN(sorted), sizeof sorted[0], compare_frequencies);
    for (size_t i = 1; i < ARRAY_LEN(low); i++) {
        contrast += fabs(low[i]) / (SIDE * SIDE);
        bits |= (uint64_t)(low[i] > sorted[ARRAY_LEN(sorted) / 2]) << i;
    }
    answer->look = bits;
    answer->look_known = contrast >= LEAST_SHADES;
}

static unsigned char gray_of(const unsigned char *at, unsigned channels)
{
    return channels < 3 ? at[0] : (unsigned char)((at[0] * 77 + at[1] * 150 + at[2] * 29) >> 8);
}

bool image_look_at(struct image_job *job, const struct image_pixels *pixels)
{
    struct image_look look;
    unsigned char *gray;
    size_t row = (size_t)pixels->width * pixels->channels;

    if (job->answer->look_known || pixels->depth != 8)
        return true;
    gray = arena_array(job->arena, unsigned char, pixels->width, job->err);
    if (gray == NULL)
        return false;
    image_look_start(&look, pixels->width, pixels->height);
    for (uint32_t y = 0; y < pixels->height; y++) {
        if (!image_look_wants(&look, y))
            continue;
        for (uint32_t x = 0; x < pixels->width; x++)
            gray[x] =
                gray_of(pixels->at + y * row + (size_t)x * pixels->channels, pixels->channels);
        image_look_row(&look, y, gray);
    }
    image_look_end(&look, job->answer);
    return true;
}
