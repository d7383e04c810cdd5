#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/part.h"
#include "doc/compress.h"

/* The same text, packed by zlib, liblzma and libzstd; then 200000 NUL bytes by each of them;
 * then the text as xz whose header asks for half a gigabyte. */
static const char plain_text[] = "name,price\nA100,2.49\n";

/* clang-format off */
static const unsigned char gzip_text[] = {
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x4b,
    0xcc, 0x4d, 0xd5, 0x29, 0x28, 0xca, 0x4c, 0x4e, 0xe5, 0x72, 0x34, 0x34,
    0x30, 0xd0, 0x31, 0xd2, 0x33, 0xb1, 0xe4, 0x02, 0x00, 0x79, 0x5f, 0x31,
    0xae, 0x15, 0x00, 0x00, 0x00,
};

static const unsigned char xz_text[] = {
    0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x01, 0x69, 0x22, 0xde, 0x36,
    0x02, 0xc0, 0x19, 0x15, 0x21, 0x01, 0x16, 0x00, 0x85, 0x1b, 0x17, 0x62,
    0x01, 0x00, 0x14, 0x6e, 0x61, 0x6d, 0x65, 0x2c, 0x70, 0x72, 0x69, 0x63,
    0x65, 0x0a, 0x41, 0x31, 0x30, 0x30, 0x2c, 0x32, 0x2e, 0x34, 0x39, 0x0a,
    0x00, 0x00, 0x00, 0x00, 0x79, 0x5f, 0x31, 0xae, 0x00, 0x01, 0x29, 0x15,
    0x2b, 0xce, 0x1d, 0x09, 0x90, 0x42, 0x99, 0x0d, 0x01, 0x00, 0x00, 0x00,
    0x00, 0x01, 0x59, 0x5a,
};

static const unsigned char zstd_text[] = {
    0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x15, 0xa9, 0x00, 0x00, 0x6e, 0x61, 0x6d,
    0x65, 0x2c, 0x70, 0x72, 0x69, 0x63, 0x65, 0x0a, 0x41, 0x31, 0x30, 0x30,
    0x2c, 0x32, 0x2e, 0x34, 0x39, 0x0a,
};

static const unsigned char gzip_zeros[] = {
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xed, 0xc1,
    0x31, 0x01, 0x00, 0x00, 0x00, 0xc2, 0xa0, 0xf5, 0x4f, 0x6d, 0x06, 0x7f,
    0xa0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x80, 0xd7, 0x00, 0x7b, 0x58, 0xe0, 0x5c, 0x40, 0x0d, 0x03,
    0x00,
};

static const unsigned char xz_zeros[] = {
    0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x01, 0x69, 0x22, 0xde, 0x36,
    0x03, 0xc0, 0x69, 0xc0, 0x9a, 0x0c, 0x21, 0x01, 0x16, 0x00, 0x00, 0x00,
    0x30, 0x21, 0xd5, 0xc5, 0xe3, 0x0d, 0x3f, 0x00, 0x61, 0x5d, 0x00, 0x00,
    0x6f, 0xfd, 0xff, 0xff, 0xa3, 0xb7, 0xff, 0x47, 0x3e, 0x48, 0x15, 0x72,
    0x39, 0x61, 0x51, 0xb8, 0x92, 0x28, 0xe6, 0xa3, 0x86, 0x07, 0xf9, 0xee,
    0xe4, 0x1e, 0x82, 0xd3, 0x2f, 0xc5, 0x3a, 0x3c, 0x01, 0x4b, 0xb1, 0x7e,
    0xc9, 0x8a, 0x8a, 0x4d, 0x2f, 0xa3, 0x0d, 0xd9, 0x7f, 0xa6, 0xe3, 0x8c,
    0x23, 0x11, 0x53, 0xe0, 0x59, 0x18, 0xc5, 0x75, 0x8a, 0xe2, 0x77, 0xf8,
    0xb6, 0x94, 0x7f, 0x0c, 0x6a, 0xc0, 0xde, 0x74, 0x49, 0x64, 0xe2, 0xe9,
    0x5c, 0x53, 0xb2, 0x04, 0xd8, 0xf7, 0x44, 0x0c, 0xab, 0x5f, 0x0d, 0x6d,
    0x46, 0xe9, 0xe5, 0xc3, 0x76, 0x88, 0xb7, 0x7f, 0x3f, 0xe7, 0xf3, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x7b, 0x58, 0xe0, 0x5c, 0x00, 0x01, 0x7d, 0xc0,
    0x9a, 0x0c, 0x00, 0x00, 0xbd, 0xda, 0x1b, 0x46, 0x3e, 0x30, 0x0d, 0x8b,
    0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x59, 0x5a,
};

static const unsigned char zstd_zeros[] = {
    0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0x40, 0x0d, 0x03, 0x00, 0x4c, 0x00, 0x00,
    0x08, 0x00, 0x01, 0x00, 0xfc, 0xff, 0x39, 0x10, 0x02, 0x03, 0x6a, 0x08,
    0x00,
};

static const unsigned char xz_hungry[] = {
    0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x01, 0x69, 0x22, 0xde, 0x36,
    0x02, 0xc0, 0x19, 0x15, 0x21, 0x01, 0x22, 0x00, 0x72, 0xe8, 0x3d, 0xd9,
    0x01, 0x00, 0x14, 0x6e, 0x61, 0x6d, 0x65, 0x2c, 0x70, 0x72, 0x69, 0x63,
    0x65, 0x0a, 0x41, 0x31, 0x30, 0x30, 0x2c, 0x32, 0x2e, 0x34, 0x39, 0x0a,
    0x00, 0x00, 0x00, 0x00, 0x79, 0x5f, 0x31, 0xae, 0x00, 0x01, 0x29, 0x15,
    0x2b, 0xce, 0x1d, 0x09, 0x90, 0x42, 0x99, 0x0d, 0x01, 0x00, 0x00, 0x00,
    0x00, 0x01, 0x59, 0x5a,
};
/* clang-format on */

#define ZEROS 200000
#define PACKED(array) \
    { \
        (const char *)(array), sizeof(array) \
    }

static const struct {
    const char *name;
    enum compression kind;
    struct str text, zeros;
    const char *damaged;
} formats[] = {
    {"gzip", COMPRESSION_GZIP, PACKED(gzip_text), PACKED(gzip_zeros),
     "a.csv: the gzip data are damaged or cut off"},
    {"xz", COMPRESSION_XZ, PACKED(xz_text), PACKED(xz_zeros),
     "a.csv: the xz data are damaged or cut off"},
    {"zstd", COMPRESSION_ZSTD, PACKED(zstd_text), PACKED(zstd_zeros),
     "a.csv: the zstd data are damaged or cut off"},
};

/* Without the loadable part there is nothing to test: say so. */
static void need_the_part(void)
{
    struct error err = {0};

    if (part_open("compress", COMPRESS_PART_VERSION, &err) == NULL) {
        if (strstr(err.text, "is not installed") == NULL)
            fail_msg("%s", err.text);
        print_message("# skipped: %s (%s)\n", err.text, err.hint);
        skip();
    }
}

/* A block of just this size, so that ASan sees a read past the end. */
static struct str exact_copy(struct str text, struct arena *arena)
{
    struct error err = {0};
    char *copy = arena_array(arena, char, text.len, &err);

    assert_non_null(copy);
    if (text.len > 0)
        memcpy(copy, text.at, text.len);
    return (struct str){copy, text.len};
}

static bool unpack(struct str packed, size_t max, struct arena *arena, struct str *out,
                   struct error *err)
{
    *err = (struct error){0};
    *out = exact_copy(packed, arena);
    return unpack_text(out, "a.csv", max, arena, err);
}

/* --- what the first bytes say ------------------------------------------------------------- */

static void tells_compressions_by_their_first_bytes(void **state)
{
    static const struct {
        struct str text;
        enum compression kind;
    } cases[] = {
        {{"\x1f\x8b", 2}, COMPRESSION_GZIP},
        {{"\x1f", 1}, COMPRESSION_NONE},
        {{"\x1f\x8c", 2}, COMPRESSION_NONE},
        {{"\xfd"
          "7zXZ",
          5},
         COMPRESSION_XZ},
        {{"\xfd"
          "7zX",
          4},
         COMPRESSION_NONE},
        {{"\x28\xb5\x2f\xfd", 4}, COMPRESSION_ZSTD},
        {{"\x28\xb5\x2f", 3}, COMPRESSION_NONE},
        {{"name,price\n", 11}, COMPRESSION_NONE},
        {{"", 0}, COMPRESSION_NONE},
        {{NULL, 0}, COMPRESSION_NONE},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(compression_of(cases[i].text), cases[i].kind);
    for (size_t i = 0; i < ARRAY_LEN(formats); i++)
        assert_int_equal(compression_of(formats[i].text), formats[i].kind);
}

static void leaves_plain_text_as_it_is(void **state)
{
    struct failing_alloc failing = {.allow = 0};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct arena arena = {.alloc = &alloc};
    struct error err = {0};
    struct str text = str_from(plain_text);

    (void)state;
    assert_true(unpack_text(&text, "a.csv", 0, &arena, &err)); /* and takes no memory */
    assert_ptr_equal(text.at, plain_text);
    assert_int_equal(text.len, strlen(plain_text));
    assert_int_equal(err.kind, ERROR_NONE);
}

static void says_when_the_part_cannot_be_loaded(void **state)
{
    char folder[] = "/tmp/stint-test-XXXXXX", path[64], expected[80];
    char *before = getenv("STINT_PARTS") != NULL ? strdup(getenv("STINT_PARTS")) : NULL;
    struct arena arena = test_arena();
    struct error err;
    struct str out;

    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/compress.so", folder);
    (void)snprintf(expected, sizeof expected, "cannot load '%s': ", path);
    assert_true(fs_replace(path, STR("this is not a shared object"), &err));
    assert_int_equal(setenv("STINT_PARTS", folder, 1), 0);
    assert_false(unpack(formats[0].text, 1000, &arena, &out, &err));
    if (before != NULL)
        assert_int_equal(setenv("STINT_PARTS", before, 1), 0);
    else
        assert_int_equal(unsetenv("STINT_PARTS"), 0);
    assert_int_equal(err.kind, ERROR_FAILED);
    assert_true(str_starts(str_from(err.text), str_from(expected)));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    free(before);
    arena_free(&arena);
}

/* --- unpacking ---------------------------------------------------------------------------- */

static void unpacks_every_format(void **state)
{
    (void)state;
    need_the_part();
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        struct arena arena = test_arena();
        struct error err;
        struct str out;

        if (!unpack(formats[i].text, strlen(plain_text), &arena, &out, &err))
            fail_msg("%s: %s", formats[i].name, err.text);
        assert_str_equal(out, plain_text);
        assert_true(unpack(formats[i].zeros, ZEROS, &arena, &out, &err));
        assert_int_equal(out.len, ZEROS);
        for (size_t at = 0; at < out.len; at++)
            assert_int_equal(out.at[at], 0);
        arena_free(&arena);
    }
}

static struct buf repeated(struct str packed, size_t times)
{
    struct buf all = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    for (size_t i = 0; i < times; i++)
        buf_add(&all, packed);
    assert_int_equal(all.failed, ERROR_NONE);
    return all;
}

static void unpacks_several_members_one_after_the_other(void **state)
{
    (void)state;
    need_the_part();
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        struct buf packed = repeated(formats[i].text, 3);
        struct arena arena = test_arena();
        struct error err;
        struct str out;

        if (!unpack(buf_text(&packed), 1000, &arena, &out, &err))
            fail_msg("%s: %s", formats[i].name, err.text);
        assert_str_equal(out, "name,price\nA100,2.49\nname,price\nA100,2.49\n"
                              "name,price\nA100,2.49\n");
        buf_free(&packed);
        arena_free(&arena);
    }
}

static void refuses_text_that_is_cut_off_anywhere(void **state)
{
    (void)state;
    need_the_part();
    for (size_t i = 0; i < ARRAY_LEN(formats); i++)
        for (size_t len = 5; len < formats[i].text.len; len++) {
            struct arena arena = test_arena();
            struct error err;
            struct str out;

            if (unpack((struct str){formats[i].text.at, len}, 1000, &arena, &out, &err))
                fail_msg("%s: %zu bytes were enough", formats[i].name, len);
            assert_int_equal(err.kind, ERROR_INPUT);
            assert_string_equal(err.text, formats[i].damaged);
            arena_free(&arena);
        }
}

static void refuses_text_after_the_end(void **state)
{
    (void)state;
    need_the_part();
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        struct buf packed = repeated(formats[i].text, 1);
        struct arena arena = test_arena();
        struct error err;
        struct str out;

        buf_adds(&packed, "this is not packed");
        assert_false(unpack(buf_text(&packed), 1000, &arena, &out, &err));
        assert_string_equal(err.text, formats[i].damaged);
        buf_free(&packed);
        arena_free(&arena);
    }
}

static void one_changed_byte_is_noticed_or_does_not_matter(void **state)
{
    unsigned refused = 0;

    (void)state;
    need_the_part();
    for (size_t i = 0; i < ARRAY_LEN(formats); i++)
        for (size_t at = 5; at < formats[i].text.len; at++) {
            struct buf packed = repeated(formats[i].text, 1);
            struct arena arena = test_arena();
            struct error err;
            struct str out;

            packed.at[at] = (char)(packed.at[at] ^ 0x55);
            if (!unpack(buf_text(&packed), 1000, &arena, &out, &err)) {
                assert_true(err.kind == ERROR_INPUT || err.kind == ERROR_FAILED);
                assert_true(str_starts(str_from(err.text), STR("a.csv: ")));
                refused++;
            } else if (formats[i].kind != COMPRESSION_ZSTD) { /* which had no checksum */
                assert_str_equal(out, plain_text);
            } else {
                assert_true(out.len <= 1000);
            }
            buf_free(&packed);
            arena_free(&arena);
        }
    assert_true(refused > 100);
}

static void a_bomb_goes_off_within_its_limit(void **state)
{
    (void)state;
    need_the_part();
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        struct buf packed = repeated(formats[i].zeros, 5000); /* a gigabyte */
        struct arena arena = test_arena();
        struct error err;
        struct str out;

        assert_false(unpack(buf_text(&packed), 1000000, &arena, &out, &err));
        assert_int_equal(err.kind, ERROR_FAILED);
        assert_string_equal(err.text, "a.csv: the output is larger than 1000000 bytes");
        assert_false(unpack(formats[i].zeros, ZEROS - 1, &arena, &out, &err));
        assert_string_equal(err.text, "a.csv: the output is larger than 199999 bytes");
        buf_free(&packed);
        arena_free(&arena);
    }
}

static void refuses_to_give_xz_all_the_memory_it_asks_for(void **state)
{
    struct arena arena = test_arena();
    struct error err;
    struct str out;

    (void)state;
    need_the_part();
    assert_false(unpack((struct str)PACKED(xz_hungry), 1000, &arena, &out, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, "a.csv: the xz data take too much memory to unpack");
    arena_free(&arena);
}

static void survives_every_failing_allocation(void **state)
{
    (void)state;
    need_the_part();
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        size_t allow = 0;
        bool done = false;

        for (; !done; allow++) {
            struct failing_alloc failing = {.allow = allow};
            struct alloc alloc = {failing_get, failing_put, &failing};
            struct arena arena = {.alloc = &alloc};
            struct error err = {0};
            struct str text = formats[i].zeros;

            done = unpack_text(&text, "a.csv", ZEROS, &arena, &err);
            if (!done) {
                assert_int_equal(err.kind, ERROR_MEMORY);
                assert_string_equal(err.text, "out of memory");
            }
            arena_free(&arena);
            assert_int_equal(failing.held, 0);
        }
        assert_true(allow > 2);
    }
}

/* --- streams ------------------------------------------------------------------------------ */

/* Gives a text in pieces of so many bytes. */
struct pieces {
    struct str rest;
    size_t size;
};

static ptrdiff_t read_piece(void *ctx, char *to, size_t room, struct error *err)
{
    struct pieces *p = ctx;
    size_t n = p->rest.len < p->size ? p->rest.len : p->size;

    (void)err;
    n = n < room ? n : room;
    if (n > 0)
        memcpy(to, p->rest.at, n);
    p->rest = (struct str){p->rest.at + n, p->rest.len - n};
    return (ptrdiff_t)n;
}

/* How many bytes come out when a stream is read `room` at a time; -1 when it fails. */
static long drain(struct str packed, size_t piece, size_t room, uint64_t max, struct error *err)
{
    struct pieces pieces = {packed, piece};
    struct unpacker *u;
    char chunk[64];
    long total = 0;
    ptrdiff_t got;

    *err = (struct error){0};
    u = unpack_open((struct source){read_piece, &pieces}, "a.csv", max, &alloc_system, err);
    if (u == NULL)
        return -1;
    while ((got = unpack_source(u).read(unpack_source(u).ctx, chunk, room, err)) > 0)
        total += got;
    unpack_close(u);
    return got < 0 ? -1 : total;
}

static void a_stream_unpacks_whatever_its_pieces(void **state)
{
    struct error err;

    (void)state;
    need_the_part();
    for (size_t piece = 1; piece < 70; piece += 17)
        for (size_t room = 1; room <= 64; room += 21) {
            for (size_t f = 0; f < ARRAY_LEN(formats); f++) {
                assert_int_equal(drain(formats[f].text, piece, room, 1000, &err),
                                 sizeof plain_text - 1);
                assert_int_equal(drain(formats[f].zeros, piece, room, ZEROS, &err), ZEROS);
            }
            assert_int_equal(drain(STR("plain text"), piece, room, 1000, &err), 10);
            assert_int_equal(drain(STR(""), piece, room, 1000, &err), 0);
        }
}

static void a_stream_that_is_cut_off_or_too_long_fails(void **state)
{
    struct error err;

    (void)state;
    need_the_part();
    for (size_t f = 0; f < ARRAY_LEN(formats); f++) {
        for (size_t len = 8; len < formats[f].text.len; len++) {
            assert_int_equal(drain((struct str){formats[f].text.at, len}, 5, 64, 1000, &err),
                             -1);
            assert_string_equal(err.text, formats[f].damaged);
        }
        assert_int_equal(drain(formats[f].zeros, 64, 64, ZEROS - 1, &err), -1);
        assert_string_equal(err.text, "a.csv: larger than 199999 bytes when unpacked");
    }
    assert_int_equal(drain(STR("plain text"), 64, 64, 9, &err), -1);
    assert_string_equal(err.text, "a.csv: larger than 9 bytes");
}

int group_compress(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_compressions_by_their_first_bytes),
        cmocka_unit_test(leaves_plain_text_as_it_is),
        cmocka_unit_test(says_when_the_part_cannot_be_loaded),
        cmocka_unit_test(unpacks_every_format),
        cmocka_unit_test(unpacks_several_members_one_after_the_other),
        cmocka_unit_test(refuses_text_that_is_cut_off_anywhere),
        cmocka_unit_test(refuses_text_after_the_end),
        cmocka_unit_test(one_changed_byte_is_noticed_or_does_not_matter),
        cmocka_unit_test(a_bomb_goes_off_within_its_limit),
        cmocka_unit_test(refuses_to_give_xz_all_the_memory_it_asks_for),
        cmocka_unit_test(survives_every_failing_allocation),
        cmocka_unit_test(a_stream_unpacks_whatever_its_pieces),
        cmocka_unit_test(a_stream_that_is_cut_off_or_too_long_fails),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
