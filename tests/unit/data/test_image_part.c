#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/part.h"
#include "data/images/image_bucket.h"
#include "data/images/image_part.h"
#include "photo_jpg.h"
#include "png_made.h"

static const struct image_part *part;

static const struct str photo = {(const char *)photo_jpg, sizeof photo_jpg};

/* Parts are loadable only in a build with the libraries. */
static int open_part(void **state)
{
    struct error err = {0};

    (void)state;
    part = part_open("images", IMAGE_PART_VERSION, &err);
    return 0;
}

static void need_part(void)
{
    if (part == NULL)
        test_skip("the part 'images' was not built");
}

struct tried {
    struct arena arena;
    struct buf out;
    struct image_answer answer;
};

/* A file in memory of its own while it is needed, so that ASan sees who reads it afterwards. */
struct held {
    struct str file;
    char *copy;
    unsigned dropped, read;
    bool changes; /* it is not there when it is read again */
};

static char *copy_of(struct str file)
{
    char *copy = malloc(file.len);

    assert_non_null(copy);
    memcpy(copy, file.at, file.len);
    return copy;
}

static bool hold_file(void *ctx, bool needed, struct str *file, struct error *err)
{
    struct held *held = ctx;

    (void)err;
    held->dropped += !needed && held->copy != NULL;
    held->read += needed && held->copy == NULL;
    *file = (struct str){0};
    if (!needed) {
        free(held->copy);
        held->copy = NULL;
    } else if (!held->changes) {
        if (held->copy == NULL)
            held->copy = copy_of(held->file);
        *file = (struct str){held->copy, held->file.len};
    }
    return true;
}

static struct tried try_held(const struct image_wish *wish, struct held *held)
{
    struct tried t = {.arena = test_arena(), .out = buf_new(&alloc_system, BUF_MAX_OUTPUT)};
    struct image_wish own = *wish;
    struct error err = {0};
    struct str file;

    need_part();
    held->copy = copy_of(held->file);
    file = (struct str){held->copy, held->file.len};
    own.hold = hold_file;
    own.hold_ctx = held;
    if (!part->optimize(&own, file, &t.arena, &t.out, &t.answer, &err))
        fail_msg("%s", err.text);
    free(held->copy);
    assert_int_equal(t.out.len > 0, t.answer.outcome == IMAGE_SMALLER);
    return t;
}

/* Optimize with a wish of its own. */
static struct tried try_with(const struct image_wish *wish, struct str file)
{
    struct held held = {.file = file};

    return try_held(wish, &held);
}

static uint64_t asked;

static bool admit_little(void *ctx, uint64_t memory)
{
    (void)ctx;
    asked = memory;
    return memory < 10000000;
}

static struct tried try_file(struct str file)
{
    return try_with(&(struct image_wish){.admit = admit_little}, file);
}

static void drop(struct tried *t)
{
    buf_free(&t->out);
    arena_free(&t->arena);
}

static void assert_outcome(struct str file, enum image_outcome outcome)
{
    struct tried t = try_file(file);

    if (t.answer.outcome != outcome)
        fail_msg("outcome %d: %s", (int)t.answer.outcome, t.answer.why);
    drop(&t);
}

static bool has_text(const struct buf *buf, struct str text)
{
    return memmem(buf->at, buf->len, text.at, text.len) != NULL;
}

/* Of a program that other people wrote: does it print the same for both files? */
static void compare_by(const char *program, struct str a, struct str b)
{
    char folder[] = "/tmp/stint-images-XXXXXX", paths[2][80], command[400];
    struct error err = {0};
    int status;

    (void)snprintf(command, sizeof command, "command -v %s >/dev/null", program);
    if (system(command) != 0)
        return;
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < 2; i++) {
        (void)snprintf(paths[i], sizeof paths[i], "%s/%zu", folder, i);
        assert_true(fs_put(paths[i], i == 0 ? a : b, &err));
    }
    (void)snprintf(command, sizeof command, "%s %s >%s/a && %s %s >%s/b && cmp %s/a %s/b",
                   program, paths[0], folder, program, paths[1], folder, folder, folder);
    status = system(command);
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(status, 0);
}

static void test_a_jpeg_gets_smaller_and_keeps_its_markers(void **state)
{
    struct tried t = try_file(photo);

    (void)state;
    assert_int_equal(t.answer.kind, IMAGE_JPEG);
    assert_int_equal(t.answer.outcome, IMAGE_SMALLER);
    assert_int_equal(t.answer.width, 96);
    assert_int_equal(t.answer.height, 64);
    assert_in_range(t.out.len, 1000, photo.len - 1);
    assert_true(has_text(&t.out, (struct str){"Exif\0\0MM\0*", 10}));
    assert_true(has_text(&t.out, STR("profile of a test")));
    assert_true(has_text(&t.out, STR("a comment")));
    compare_by("djpeg", photo, buf_text(&t.out));
    /* What is as small as it gets is left. */
    assert_outcome(buf_text(&t.out), IMAGE_BEST);
    drop(&t);
}

static void test_a_damaged_jpeg_is_found(void **state)
{
    char damaged[sizeof photo_jpg];

    (void)state;
    assert_outcome((struct str){photo.at, photo.len / 2}, IMAGE_CORRUPT);
    assert_outcome((struct str){photo.at, 4}, IMAGE_CORRUPT);
    memcpy(damaged, photo.at, photo.len);
    memset(damaged + photo.len / 2, 0xff, 100);
    assert_outcome((struct str){damaged, photo.len}, IMAGE_CORRUPT);
}

/* Whatever a byte is changed to, the work ends, and what is given out is smaller. */
static void test_any_damage_ends_well(void **state)
{
    struct buf png = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct str files[2] = {photo};
    char *copy;

    (void)state;
    make_png(&(struct png_made){.width = 9, .height = 7, .depth = 8, .color = 2, .channels = 3},
             &alloc_system, &png);
    files[1] = buf_text(&png);
    for (size_t f = 0; f < 2; f++) {
        copy = malloc(files[f].len);
        assert_non_null(copy);
        for (size_t i = 0; i < files[f].len; i += f == 0 ? 7 : 1) {
            struct tried t;

            memcpy(copy, files[f].at, files[f].len);
            copy[i] = (char)(copy[i] ^ (int)(1 + i * 37 % 255));
            t = try_file((struct str){copy, files[f].len});
            assert_true(t.out.len < files[f].len);
            drop(&t);
            t = try_file((struct str){files[f].at, i});
            assert_true(t.answer.outcome != IMAGE_SMALLER);
            drop(&t);
        }
        free(copy);
    }
    buf_free(&png);
}

static void check_png_of(struct png_made made)
{
    struct buf png = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct tried t;

    made.width = 61;
    made.height = 43;
    made.extra = "Comment";
    make_png(&made, &alloc_system, &png);
    t = try_file(buf_text(&png));
    assert_int_equal(t.answer.kind, IMAGE_PNG);
    assert_string_equal(t.answer.why, "");
    assert_int_equal(t.answer.outcome, IMAGE_SMALLER);
    assert_int_equal(t.answer.width, 61);
    assert_true(t.out.len < png.len * 3 / 4);
    assert_true(has_text(&t.out, STR("tEXtComment")));
    compare_by("pngtopnm -alpha", buf_text(&png), buf_text(&t.out));
    compare_by("pngtopnm", buf_text(&png), buf_text(&t.out));
    compare_by("pngcheck -q", buf_text(&t.out), buf_text(&t.out));
    assert_outcome(buf_text(&t.out), IMAGE_BEST);
    drop(&t);
    buf_free(&png);
}

static void test_a_png_gets_smaller_in_its_own_form(void **state)
{
    (void)state;
    check_png_of((struct png_made){.depth = 8, .color = 2, .channels = 3});
    check_png_of((struct png_made){.depth = 16, .color = 2, .channels = 3});
    check_png_of((struct png_made){.depth = 8, .color = 6, .channels = 4});
    check_png_of((struct png_made){.depth = 16, .color = 4, .channels = 2});
    check_png_of((struct png_made){.depth = 8, .color = 0, .channels = 1});
}

static void test_what_is_no_image_or_another_one_is_told_apart(void **state)
{
    struct buf png = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    (void)state;
    assert_outcome(STR(""), IMAGE_CORRUPT);
    assert_outcome(STR("<html><body>404"), IMAGE_CORRUPT);
    assert_outcome(STR("GIF89a.........."), IMAGE_UNUSUAL);
    assert_outcome(STR("RIFF....WEBPVP8 "), IMAGE_UNUSUAL);
    make_png(
        &(struct png_made){
            .width = 9, .height = 9, .depth = 8, .color = 0, .channels = 1, .animated = true},
        &alloc_system, &png);
    assert_outcome(buf_text(&png), IMAGE_UNUSUAL);
    assert_outcome((struct str){png.at, png.len - 20}, IMAGE_UNUSUAL);
    assert_outcome((struct str){png.at, 20}, IMAGE_CORRUPT);
    buf_free(&png);
}

/* The header of a picture of 100,000 x 100,000 pixels, and hardly anything else. */
static void test_a_bomb_is_refused_before_memory_is_taken(void **state)
{
    const struct image_wish wish = {.admit = admit_little};
    struct buf png = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    char big[sizeof photo_jpg];
    const char *frame;
    struct tried t;

    (void)state;
    make_png(&(struct png_made){.width = 9, .height = 9, .depth = 8, .color = 2, .channels = 3},
             &alloc_system, &png);
    memcpy(png.at + 16, "\0\1\x86\xa0\0\1\x86\xa0", 8);
    t = try_with(&wish, buf_text(&png));
    assert_int_equal(t.answer.outcome, IMAGE_LARGE);
    assert_string_equal(t.answer.why, "100000 x 100000 pixels");
    assert_true(asked > 60000000000u);
    drop(&t);
    buf_free(&png);
    memcpy(big, photo.at, photo.len);
    frame = memmem(big, sizeof big, "\xff\xc0\0\x11", 4);
    assert_non_null(frame);
    memset(big + (frame - big) + 5, 0xf0, 4);
    t = try_with(&wish, (struct str){big, sizeof big});
    assert_int_equal(t.answer.outcome, IMAGE_LARGE);
    assert_true(asked > 60000 * 60000u);
    drop(&t);
}

static unsigned photo_sample(uint32_t x, uint32_t y, unsigned channel)
{
    if (channel == 3)
        return x < 10 ? 0 : 200 + y % 50;
    return soft_sample(x, y, channel) + (x * 31 + y * 17 + channel) % 11;
}

static unsigned opaque_sample(uint32_t x, uint32_t y, unsigned channel)
{
    return channel == 3 ? 255 : photo_sample(x, y, channel);
}

static unsigned mask_sample(uint32_t x, uint32_t y, unsigned channel)
{
    return (x / 8 + y / 8 * 3 + channel) % 20;
}

/* What becomes of a PNG when photographs may change. */
static void check_photo(struct image_wish wish, struct png_made made, enum image_kind kind)
{
    struct buf png = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct tried t;

    made.width = 90;
    made.height = 70;
    make_png(&made, &alloc_system, &png);
    t = try_with(&wish, buf_text(&png));
    assert_int_equal(t.answer.outcome, IMAGE_SMALLER);
    assert_int_equal(t.answer.written, kind);
    assert_int_equal(part->sniff(buf_text(&t.out)), kind);
    assert_int_equal(t.answer.width, 90);
    if (made.exif.len > 0)
        assert_true(has_text(&t.out, made.exif));
    drop(&t);
    buf_free(&png);
}

static void test_photographs_change_when_a_quality_is_given(void **state)
{
    const struct image_wish wish = {.quality = 90, .admit = admit_little};
    const struct image_wish webp = {.quality = 90, .webp = true};
    const struct image_wish keep = {.quality = 90, .keep_kind = true};
    struct png_made made = {.depth = 8, .color = 2, .channels = 3, .sample = photo_sample};

    (void)state;
    check_photo(wish, made, IMAGE_JPEG);
    check_photo(webp, made, IMAGE_WEBP);
    check_photo(keep, made, IMAGE_PNG);
    made.exif = STR("MM text of a camera");
    check_photo(wish, made, IMAGE_JPEG);
    check_photo(webp, made, IMAGE_WEBP);
    made.color = 6;
    made.channels = 4;
    check_photo(wish, made, IMAGE_WEBP);
    made.sample = opaque_sample;
    check_photo(wish, made, IMAGE_JPEG);
    made.color = 0;
    made.channels = 1;
    made.sample = photo_sample;
    check_photo(wish, made, IMAGE_JPEG);
    check_photo(webp, made, IMAGE_WEBP);
}

/* Plain where the Huffman codes of a large picture are chosen, and noise elsewhere. */
static unsigned striped_sample(uint32_t x, uint32_t y, unsigned channel)
{
    uint32_t noise = (x * 2654435761u ^ y * 2246822519u ^ channel * 3266489917u) * 668265263u;

    return y % 40 < 16 ? 128 : 64 + (noise >> 25);
}

static void test_a_large_photograph_has_codes_for_all_of_it(void **state)
{
    const struct image_wish wish = {.quality = 20};
    struct png_made made = {.width = 200,
                            .height = 640,
                            .depth = 8,
                            .color = 2,
                            .channels = 3,
                            .sample = striped_sample};
    struct buf png = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct tried t, again;

    (void)state;
    for (int i = 0; i < 2; i++) {
        make_png(&made, &alloc_system, &png);
        t = try_with(&wish, buf_text(&png));
        assert_int_equal(t.answer.outcome, IMAGE_SMALLER);
        assert_int_equal(t.answer.written, IMAGE_JPEG);
        again = try_file(buf_text(&t.out)); /* all of it is read, and nothing is missing */
        assert_int_equal(again.answer.outcome, IMAGE_SMALLER);
        compare_by("djpeg", buf_text(&t.out), buf_text(&again.out));
        drop(&again);
        drop(&t);
        buf_clear(&png);
        made.color = 0; /* gray: one table of each */
        made.channels = 1;
    }
    buf_free(&png);
}

static void test_what_is_no_photograph_keeps_its_pixels(void **state)
{
    const struct image_wish wish = {.quality = 90};
    struct png_made made = {.depth = 8, .color = 2, .channels = 3, .sample = mask_sample};

    (void)state;
    check_photo(wish, made, IMAGE_PNG);
    made.depth = 16;
    made.sample = photo_sample;
    check_photo(wish, made, IMAGE_PNG);
}

/* Noise of three levels: a photograph by the number of its colors, and no smaller with loss. */
static unsigned noise_of_levels(uint32_t x, uint32_t y, unsigned channel)
{
    return ((x * 2654435761u ^ y * 2246822519u ^ channel * 3266489917u) * 668265263u >> 29) *
           36;
}

static void test_the_file_is_let_go_while_a_photograph_is_written(void **state)
{
    const struct image_wish wish = {.quality = 20}, fine = {.quality = 100};
    struct png_made made = {.width = 90,
                            .height = 70,
                            .depth = 8,
                            .color = 2,
                            .channels = 3,
                            .sample = photo_sample};
    struct buf png = buf_new(&alloc_system, BUF_MAX_OUTPUT), noise = png;
    struct held smaller, again, changed;
    struct tried t;

    (void)state;
    make_png(&made, &alloc_system, &png);
    made.sample = noise_of_levels;
    make_png(&made, &alloc_system, &noise);
    smaller = (struct held){.file = buf_text(&png)};
    again = (struct held){.file = buf_text(&noise)};
    changed = (struct held){.file = buf_text(&noise), .changes = true};
    t = try_held(&wish, &smaller);
    assert_int_equal(t.answer.written, IMAGE_JPEG);
    assert_int_equal(smaller.dropped, 1);
    assert_int_equal(smaller.read, 0);
    drop(&t);
    t = try_held(&fine, &again);
    assert_int_equal(t.answer.written, IMAGE_PNG);
    assert_int_equal(again.read, 1);
    drop(&t);
    t = try_held(&fine, &changed);
    assert_int_equal(t.answer.outcome, IMAGE_UNUSUAL);
    assert_string_equal(t.answer.why, "it changed while it was read");
    drop(&t);
    buf_free(&png);
    buf_free(&noise);
}

static void test_only_a_finer_jpeg_is_written_coarser(void **state)
{
    struct tried same = try_with(&(struct image_wish){.quality = 95}, photo);
    struct tried coarse = try_with(&(struct image_wish){.quality = 30}, photo);
    struct tried exact = try_file(photo);

    (void)state;
    assert_int_equal(same.out.len, exact.out.len);
    assert_memory_equal(same.out.at, exact.out.at, exact.out.len);
    assert_int_equal(coarse.answer.written, IMAGE_JPEG);
    assert_true(coarse.out.len < exact.out.len * 9 / 10);
    assert_true(has_text(&coarse.out, (struct str){"Exif\0\0MM\0*", 10}));
    assert_true(has_text(&coarse.out, STR("profile of a test")));
    drop(&same);
    drop(&coarse);
    drop(&exact);
}

static void need_resizing(void)
{
    struct error err = {0};

    need_part();
    if (!part->can_resize(&err))
        test_skip("%s", err.text);
}

/* A soft picture stays what it is: a pixel of the small one is about what it was there. */
static void check_resized(struct image_wish wish, struct png_made made, enum image_kind kind)
{
    struct buf png = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct tried t, again;

    made.width = 300;
    made.height = 200;
    make_png(&made, &alloc_system, &png);
    t = try_with(&wish, buf_text(&png));
    assert_string_equal(t.answer.why, "");
    assert_int_equal(t.answer.outcome, IMAGE_SMALLER);
    assert_int_equal(t.answer.written, kind);
    assert_int_equal(t.answer.width, 300);
    assert_int_equal(t.answer.new_width, 60);
    assert_int_equal(t.answer.new_height, 40);
    /* What was written is of that size, and is not resized again. */
    again = try_with(&(struct image_wish){.max_side = 60}, buf_text(&t.out));
    assert_int_equal(again.answer.kind, kind);
    assert_int_equal(again.answer.new_width, 0);
    if (kind != IMAGE_WEBP) {
        assert_int_equal(again.answer.width, 60);
        assert_int_equal(again.answer.height, 40);
    }
    drop(&again);
    drop(&t);
    buf_free(&png);
}

static void test_larger_pictures_are_resized(void **state)
{
    const struct image_wish wish = {.max_side = 60};
    const struct image_wish photos = {.max_side = 60, .quality = 90};
    struct png_made made = {.depth = 8, .color = 2, .channels = 3, .sample = photo_sample};

    (void)state;
    need_resizing();
    check_resized(wish, made, IMAGE_PNG);
    check_resized(photos, made, IMAGE_JPEG);
    made.depth = 16;
    check_resized(photos, made, IMAGE_PNG);
    made.color = 4;
    made.channels = 2;
    check_resized(wish, made, IMAGE_PNG);
    made.color = 6;
    made.channels = 4;
    made.depth = 8;
    check_resized(wish, made, IMAGE_PNG);
    check_resized(photos, made, IMAGE_WEBP);
}

static void test_a_jpeg_is_resized_with_the_quality_it_had(void **state)
{
    struct tried t;

    (void)state;
    need_resizing();
    t = try_with(&(struct image_wish){.max_side = 48}, photo);
    assert_int_equal(t.answer.outcome, IMAGE_SMALLER);
    assert_int_equal(t.answer.new_width, 48);
    assert_int_equal(t.answer.new_height, 32);
    assert_true(has_text(&t.out, (struct str){"Exif\0\0MM\0*", 10}));
    assert_true(has_text(&t.out, STR("profile of a test")));
    /* The table of steps of brightness is the same. */
    assert_true(has_text(&t.out, (struct str){memmem(photo.at, photo.len, "\xff\xdb", 2), 69}));
    drop(&t);
}

static void test_buckets_are_those_of_trainers(void **state)
{
    static const uint32_t cases[][5] = {
        /* resolution, picture, bucket */
        {1024, 1000, 1000, 1024, 1024}, {1024, 4000, 3000, 1152, 896},
        {1024, 3000, 4000, 896, 1152},  {1024, 1920, 1080, 1344, 768},
        {512, 3000, 2000, 640, 384},    {512, 100, 1000, 256, 1024},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct image_size size = image_bucket_of(cases[i][0], cases[i][1], cases[i][2]);

        assert_int_equal(size.width, cases[i][3]);
        assert_int_equal(size.height, cases[i][4]);
    }
}

static bool always(void)
{
    return true;
}

static void test_the_work_can_be_stopped(void **state)
{
    const struct image_wish wish = {.stopped = always};
    struct buf png = buf_new(&alloc_system, BUF_MAX_OUTPUT), out = png;
    struct arena arena = test_arena();
    struct image_answer answer;
    struct error err = {0};

    (void)state;
    need_part();
    make_png(&(struct png_made){.width = 9, .height = 9, .depth = 8, .color = 2, .channels = 3},
             &alloc_system, &png);
    assert_false(part->optimize(&wish, photo, &arena, &out, &answer, &err));
    assert_int_equal(err.kind, ERROR_STOPPED);
    assert_false(part->optimize(&wish, buf_text(&png), &arena, &out, &answer, &err));
    assert_int_equal(err.kind, ERROR_STOPPED);
    buf_free(&png);
    buf_free(&out);
    arena_free(&arena);
}

/* Each allocation fails in turn. */
static void starve(const struct image_wish *wish, struct str file)
{
    for (size_t allow = 0;; allow++) {
        struct failing_alloc state_of = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &state_of};
        struct arena arena = {.alloc = &alloc};
        struct buf out = buf_new(&alloc, BUF_MAX_OUTPUT);
        struct image_answer answer;
        struct error err = {0};
        bool ok = part->optimize(wish, file, &arena, &out, &answer, &err);

        buf_free(&out);
        arena_free(&arena);
        assert_int_equal(state_of.held, 0);
        if (ok) {
            assert_int_equal(answer.outcome, IMAGE_SMALLER);
            assert_in_range(allow, 2, 100);
            break;
        }
        assert_int_equal(err.kind, ERROR_MEMORY);
    }
}

static void test_want_of_memory_is_reported(void **state)
{
    const struct image_wish wishes[] = {
        {0}, {.quality = 20}, {.quality = 90, .webp = true}, {.quality = 90}};
    struct buf png = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    (void)state;
    need_part();
    make_png(&(struct png_made){.width = 40,
                                .height = 20,
                                .depth = 8,
                                .color = 2,
                                .channels = 3,
                                .exif = STR("MM some"),
                                .sample = photo_sample},
             &alloc_system, &png);
    for (size_t i = 0; i < ARRAY_LEN(wishes); i++) {
        starve(&wishes[i], photo);
        starve(&wishes[i], buf_text(&png));
    }
    buf_free(&png);
}

int group_image_part(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_jpeg_gets_smaller_and_keeps_its_markers),
        cmocka_unit_test(test_a_damaged_jpeg_is_found),
        cmocka_unit_test(test_any_damage_ends_well),
        cmocka_unit_test(test_a_png_gets_smaller_in_its_own_form),
        cmocka_unit_test(test_what_is_no_image_or_another_one_is_told_apart),
        cmocka_unit_test(test_a_bomb_is_refused_before_memory_is_taken),
        cmocka_unit_test(test_photographs_change_when_a_quality_is_given),
        cmocka_unit_test(test_a_large_photograph_has_codes_for_all_of_it),
        cmocka_unit_test(test_what_is_no_photograph_keeps_its_pixels),
        cmocka_unit_test(test_the_file_is_let_go_while_a_photograph_is_written),
        cmocka_unit_test(test_only_a_finer_jpeg_is_written_coarser),
        cmocka_unit_test(test_larger_pictures_are_resized),
        cmocka_unit_test(test_a_jpeg_is_resized_with_the_quality_it_had),
        cmocka_unit_test(test_buckets_are_those_of_trainers),
        cmocka_unit_test(test_the_work_can_be_stopped),
        cmocka_unit_test(test_want_of_memory_is_reported),
    };

    return cmocka_run_group_tests(tests, open_part, NULL);
}
