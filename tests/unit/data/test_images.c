#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/part.h"
#include "data/images/images.h"
#include "photo_jpg.h"
#include "png_made.h"

static const struct str photo = {(const char *)photo_jpg, sizeof photo_jpg};

static char folder[64]; /* of this test; removed after it */

static int make_images_folder(void **state)
{
    char path[100];

    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/stint-images-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return 1;
    (void)snprintf(path, sizeof path, "%s/set", folder);
    return mkdir(path, 0777);
}

static int remove_images_folder(void **state)
{
    char command[100];

    (void)state;
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static const char *at(const char *name)
{
    static char paths[8][300];
    static unsigned next;
    char *path = paths[next++ % 8];

    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void put_image_file(const char *name, struct str text)
{
    struct timeval past[2] = {{1700000000, 0}, {1700000000, 0}};
    struct error err = {0};

    assert_true(fs_put(at(name), text, &err));
    assert_int_equal(utimes(at(name), past), 0);
}

static struct str file_at(const char *name, struct arena *arena)
{
    struct error err = {0};
    struct str text;

    if (!fs_read(at(name), 1 << 24, arena, &text, &err))
        fail_msg("%s", err.text);
    return text;
}

static uint32_t picture_side;

/* Three spots; the same at every size. */
static unsigned picture(uint32_t x, uint32_t y, unsigned channel)
{
    double u = (double)x / picture_side, v = (double)y / picture_side, sum = 40;
    static const double spots[3][3] = {{0.2, 0.1, 150}, {0.7, 0.5, 190}, {0.5, 0.3, 90}};

    (void)channel;
    for (unsigned i = 0; i < 3; i++) {
        double a = u - spots[i][0], b = v - spots[i][1];

        sum += spots[i][2] / (1 + 60 * (a * a + b * b));
    }
    return sum > 255 ? 255 : (unsigned)sum;
}

static unsigned other_picture(uint32_t x, uint32_t y, unsigned channel)
{
    return picture(picture_side - x, y * y / 40, channel) / 2 + (x / 20 + y / 25) % 2 * 100;
}

static bool work_on(struct images_work work, struct arena *arena, struct images *out,
                    struct error *err)
{
    static const struct watch nobody;

    if (part_open("images", IMAGE_PART_VERSION, err) == NULL)
        test_skip("the part 'images' was not built");
    work.from = at("set");
    work.to = at("out");
    work.aside = at("aside");
    work.settings = STR("lossless");
    if (work.watch == NULL)
        work.watch = &nobody;
    return images_optimize(&work, arena, out, err);
}

static struct images optimize(struct arena *arena)
{
    struct error err = {0};
    struct images out;

    if (!work_on((struct images_work){0}, arena, &out, &err))
        fail_msg("%s", err.text);
    return out;
}

static void test_what_an_earlier_run_did_is_kept(void **state)
{
    struct arena arena = test_arena();
    struct images out;

    (void)state;
    put_image_file("set/a.jpg", photo);
    put_image_file("set/b.txt", STR("text"));
    out = optimize(&arena);
    assert_int_equal(out.images, 1);
    assert_int_equal(out.kept, 0);
    assert_int_equal(out.sums[IMAGES_SMALLER].files, 1);
    assert_int_equal(out.sums[IMAGES_OTHER].files, 1);
    assert_true(out.sums[IMAGES_SMALLER].new_size.n < photo.len);
    out = optimize(&arena);
    assert_int_equal(out.kept, 2);
    assert_int_equal(out.images, 1);
    /* What is not as it was written is written again. */
    put_image_file("out/a.jpg", STR("other"));
    assert_int_equal(unlink(at("out/b.txt")), 0);
    out = optimize(&arena);
    assert_int_equal(out.kept, 0);
    assert_true(file_at("out/a.jpg", &arena).len > 1000);
    assert_str_equal(file_at("out/b.txt", &arena), "text");
    arena_free(&arena);
}

/* A folder that was a link before: nothing is written through the old link. */
static void test_links_in_the_new_folder_are_not_followed(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct images out;

    (void)state;
    assert_int_equal(mkdir(at("elsewhere"), 0777), 0);
    put_image_file("elsewhere/x.txt", STR("precious"));
    assert_int_equal(symlink(at("elsewhere"), at("set/sub")), 0);
    (void)optimize(&arena);
    assert_int_equal(unlink(at("set/sub")), 0);
    assert_int_equal(mkdir(at("set/sub"), 0777), 0);
    put_image_file("set/sub/x.txt", STR("new"));
    assert_false(work_on((struct images_work){0}, &arena, &out, &err));
    assert_non_null(strstr(err.text, "sub/x.txt"));
    assert_non_null(strstr(err.hint, "move it away"));
    assert_str_equal(file_at("elsewhere/x.txt", &arena), "precious");
    arena_free(&arena);
}

static void test_identical_images_are_listed(void **state)
{
    struct arena arena = test_arena();
    struct images out;

    (void)state;
    put_image_file("set/c.jpg", photo);
    put_image_file("set/a.jpg", photo);
    put_image_file("set/b.jpg", (struct str){photo.at, photo.len - 1});
    put_image_file("set/a.txt", STR("same"));
    put_image_file("set/c.txt", STR("same"));
    out = optimize(&arena);
    assert_int_equal(out.duplicate_count, 1);
    assert_int_equal(out.duplicates[0].paths.len, 2);
    assert_str_equal(out.duplicates[0].paths.at[0], "a.jpg");
    assert_str_equal(out.duplicates[0].paths.at[1], "c.jpg");
    assert_int_equal(out.duplicates[0].size.n, photo.len);
    arena_free(&arena);
}

/* Another size, other bytes: the same picture. */
static void test_images_that_look_alike_are_listed(void **state)
{
    struct buf png = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct arena arena = test_arena();
    struct images out;

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct png_made made = {.width = i == 1 ? 150 : 120,
                                .height = i == 1 ? 100 : 80,
                                .depth = 8,
                                .color = i == 2 ? 0 : 2,
                                .channels = i == 2 ? 1 : 3,
                                .sample = i == 3 ? other_picture : picture};
        char name[20];

        picture_side = made.width;
        buf_clear(&png);
        make_png(&made, &alloc_system, &png);
        (void)snprintf(name, sizeof name, "set/%u.png", i);
        put_image_file(name, buf_text(&png));
    }
    put_image_file("set/4.png", buf_text(&png));
    put_image_file("set/5.jpg", photo);
    out = optimize(&arena);
    assert_int_equal(out.duplicate_count, 1);
    assert_int_equal(out.similar_count, 1);
    assert_int_equal(out.similar[0].paths.len, 3);
    assert_str_equal(out.similar[0].paths.at[0], "0.png");
    assert_str_equal(out.similar[0].paths.at[1], "1.png");
    assert_str_equal(out.similar[0].paths.at[2], "2.png");
    out = optimize(&arena);
    assert_int_equal(out.kept, 6);
    assert_int_equal(out.similar_count, 1);
    buf_free(&png);
    arena_free(&arena);
}

static void test_too_little_memory_leaves_images_as_they_are(void **state)
{
    struct buf png = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct arena arena = test_arena();
    struct error err = {0};
    struct images out;

    (void)state;
    make_png(
        &(struct png_made){.width = 200, .height = 200, .depth = 8, .color = 2, .channels = 3},
        &alloc_system, &png);
    put_image_file("set/large.png", buf_text(&png));
    put_image_file("set/a.jpg", photo);
    put_image_file("set/b.jpg", photo);
    put_image_file("set/c.jpg", photo);
    /* One of the others after the other. */
    assert_true(
        work_on((struct images_work){.memory = 200000, .threads = 3}, &arena, &out, &err));
    assert_int_equal(out.sums[IMAGES_LARGE].files, 1);
    assert_int_equal(out.sums[IMAGES_SMALLER].files, 3);
    assert_int_equal(out.note_count, 1);
    assert_str_equal(out.notes[0].path, "large.png");
    assert_str_equal(out.notes[0].reason, "200 x 200 pixels");
    assert_int_equal(file_at("out/large.png", &arena).len, png.len);
    buf_free(&png);
    arena_free(&arena);
}

static int left; /* how often it may go on */

static bool stop_soon(void)
{
    return left-- <= 0;
}

/* Stopped after any number of steps: the next run ends with what one without a stop has. */
static void test_stopped_work_goes_on(void **state)
{
    const struct watch impatient = {.stopped = stop_soon};
    char name[32];
    int stops = 0;

    (void)state;
    for (int i = 0; i < 6; i++) {
        (void)snprintf(name, sizeof name, i % 2 == 0 ? "set/%d.jpg" : "set/%d.dat", i);
        put_image_file(name, (struct str){photo.at, i == 4 ? 100 : photo.len});
    }
    for (int steps = 1;; steps += 3) {
        struct arena arena = test_arena();
        struct error err = {0};
        struct images out;
        bool ok;

        left = steps;
        ok = work_on((struct images_work){.watch = &impatient, .threads = 1}, &arena, &out,
                     &err);
        if (!ok)
            assert_int_equal(err.kind, ERROR_STOPPED);
        stops += !ok;
        if (ok) {
            assert_int_equal(out.sums[IMAGES_SMALLER].files, 5);
            assert_int_equal(out.sums[IMAGES_CORRUPT].files, 1);
            assert_true(access(at("aside/4.jpg"), F_OK) == 0);
            assert_true(access(at("out/4.jpg"), F_OK) != 0);
        }
        arena_free(&arena);
        if (ok)
            break;
    }
    assert_true(stops > 3);
}

static void test_a_disk_that_refuses_is_reported(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct images out;

    (void)state;
    put_image_file("set/a.jpg", photo);
    assert_int_equal(mkdir(at("out"), 0777), 0);
    assert_int_equal(mkdir(at("out/a.jpg"), 0777), 0);
    assert_false(work_on((struct images_work){0}, &arena, &out, &err));
    assert_non_null(strstr(err.text, "not from an earlier run"));
    assert_int_equal(rmdir(at("out/a.jpg")), 0);
    assert_int_equal(rmdir(at("out")), 0);
    (void)optimize(&arena);
    assert_int_equal(unlink(at("out/a.jpg")), 0);
    assert_int_equal(mkdir(at("out/a.jpg"), 0777), 0);
    put_image_file("out/a.jpg/x", STR(""));
    assert_false(work_on((struct images_work){0}, &arena, &out, &err));
    assert_non_null(strstr(err.text, "cannot write the copy of 'a.jpg'"));
    arena_free(&arena);
}

#define IMAGES_TEST(f) \
    cmocka_unit_test_setup_teardown(f, make_images_folder, remove_images_folder)

int group_images(void)
{
    const struct CMUnitTest tests[] = {
        IMAGES_TEST(test_what_an_earlier_run_did_is_kept),
        IMAGES_TEST(test_links_in_the_new_folder_are_not_followed),
        IMAGES_TEST(test_identical_images_are_listed),
        IMAGES_TEST(test_images_that_look_alike_are_listed),
        IMAGES_TEST(test_too_little_memory_leaves_images_as_they_are),
        IMAGES_TEST(test_stopped_work_goes_on),
        IMAGES_TEST(test_a_disk_that_refuses_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
