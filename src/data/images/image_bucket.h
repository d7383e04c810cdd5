/* image_bucket.h - the sizes that trainers of LoRAs resize pictures to ("aspect ratio
 * buckets").
 *
 * Sides are multiples of IMAGE_BUCKET_STEP, and the area is at most that of a square whose side
 * is the resolution that one trains with. A picture goes to the bucket whose shape is most like
 * its own, is resized to cover it, and the trainer cuts off what sticks out. As kohya's
 * sd-scripts (library/model_util.py, make_bucket_resolutions; library/train_util.py,
 * BucketManager.select_bucket) with sides from 256 to twice the resolution. */
#ifndef DATA_IMAGES_IMAGE_BUCKET_H
#define DATA_IMAGES_IMAGE_BUCKET_H

#include <stdint.h>

#define IMAGE_BUCKET_STEP 64
#define IMAGE_BUCKET_LEAST 256

struct image_size {
    uint32_t width, height;
};

/* The bucket of a picture; `side` is the resolution, at least IMAGE_BUCKET_LEAST. */
static inline struct image_size image_bucket_of(uint32_t side, uint32_t width, uint32_t height)
{
    uint64_t area = (uint64_t)side * side;
    uint32_t square = side / IMAGE_BUCKET_STEP * IMAGE_BUCKET_STEP, most = 2 * side;
    struct image_size best = {square, square};
    double shape = (double)width / height, off = shape > 1 ? shape - 1 : 1 - shape;

    for (uint32_t a = IMAGE_BUCKET_LEAST; a <= most; a += IMAGE_BUCKET_STEP) {
        uint32_t b = (uint32_t)(area / a) / IMAGE_BUCKET_STEP * IMAGE_BUCKET_STEP;

        b = b > most ? most / IMAGE_BUCKET_STEP * IMAGE_BUCKET_STEP : b;
        for (int turn = 0; turn < 2 && b >= IMAGE_BUCKET_LEAST; turn++) {
            struct image_size size = {turn == 0 ? a : b, turn == 0 ? b : a};
            double differs = (double)size.width / size.height - shape;

            differs = differs < 0 ? -differs : differs;
            if (differs < off) {
                off = differs;
                best = size;
            }
        }
    }
    return best;
}

#endif
