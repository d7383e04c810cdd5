/* Pickles read without executing them, and archives whose files are not compressed. */
#include "test.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "data/weights/pickle.h"
#include "data/weights/stored_zip.h"

static bool read_text(struct str text, struct arena *arena, struct pickle_node **root,
                      struct error *err)
{
    *err = (struct error){0};
    return pickle_read(text, arena, root, err);
}

static void plain_data_is_read(void **state)
{
    struct arena arena = {.alloc = &alloc_system};
    struct pickle_node *root;
    struct error err;

    (void)state;
    assert_false(read_text(STR("\x80\x02]q\0h\0a."), &arena, &root, &err)); /* in itself */
    assert_int_equal(err.kind, ERROR_UNFIT);
    assert_true(read_text(STR("\x80\x02}q\0(X\1\0\0\0aK\1X\1\0\0\0bJ\xfe\xff\xff\xff"
                              "X\1\0\0\0c\x8a\2\0\xffu."),
                          &arena, &root, &err));
    assert_int_equal(root->kind, PICKLE_DICT);
    assert_int_equal(root->count, 6);
    assert_true(str_eq(root->items[0]->text, STR("a")));
    assert_int_equal(root->items[1]->value, 1);
    assert_int_equal(root->items[3]->value, -2);
    assert_int_equal(root->items[5]->value, -256);
    arena_free(&arena);
}

static void other_names_are_refused(void **state)
{
    static const struct {
        struct str text;
        const char *name;
    } cases[] = {
        {{"\x80\x02"
          "cos\nsystem\nX\2\0\0\0ls\x85R.",
          26},
         "os.system"},
        {{"\x80\x02"
          "c__builtin__\neval\n)R.",
          23},
         "__builtin__.eval"},
        {{"\x80\x02"
          "cbuiltins\ngetattr\n)R.",
          23},
         "builtins.getattr"},
        {{"\x80\x04\x8c\2os\x8c\6system\x93)R.", 18}, "os.system"},
        {{"\x80\x02"
          "ctorch\nload\n)R.",
          17},
         "torch.load"},
    };
    struct arena arena = {.alloc = &alloc_system};
    struct pickle_node *root;
    struct error err;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_false(read_text(cases[i].text, &arena, &root, &err));
        assert_int_equal(err.kind, ERROR_UNFIT);
        assert_non_null(strstr(err.text, cases[i].name));
    }
    arena_free(&arena);
}

static void damage_is_noticed(void **state)
{
    const struct str wrong[] = {
        STR(""),
        STR("\x80"),
        STR("I1\n."),
        STR("\x80\x02"),
        STR("\x80\x02."),
        STR("\x80\x02N"),
        STR("\x80\x02NN."),
        STR("\x80\x02(N."),
        STR("\x80\x02Nt."),
        STR("\x80\x02N\x86."),
        STR("\x80\x02h\0."),
        STR("\x80\x02j\xff\xff\xff\xff."),
        STR("\x80\x02Nr\xff\xff\xff\xff."),
        STR("\x80\x02NNs."),
        STR("\x80\x02}(Nu."),
        STR("\x80\x02(NNa."),
        STR("\x80\x02X\xff\xff\xff\xff"
            "a."),
        STR("\x80\x02\x8d\xff\xff\xff\xff\xff\xff\xff\xff"
            "a."),
        STR("\x80\x02N)R."),
        STR("\x80\x02NNb."),
        STR("\x80\x02"
            "cos"),
        STR("\x80\x02K"),
        STR("\x80\x02\x93."),
    };
    struct arena arena = {.alloc = &alloc_system};
    struct pickle_node *root;
    struct error err;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        if (read_text(wrong[i], &arena, &root, &err) || err.kind != ERROR_INPUT)
            fail_msg("case %zu: %s", i, err.text);
    arena_free(&arena);
}

#define TENSOR \
    "\x80\x02" \
    "ctorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storageq\1ctorch\nFloatStorage" \
    "\nX\1\0\0\0" \
    "0X\3\0\0\0cpuK\4tQK\0K\4\x85K\1\x85\x89" \
    "ccollections\nOrderedDict\n)Rt" \
    "Rq\2h\2h\1\x87."

static void a_graph_is_written_as_the_same(void **state)
{
    struct arena arena = {.alloc = &alloc_system};
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct buf changed = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct pickle_node *root, *again;
    struct error err;

    (void)state;
    assert_true(read_text(STR(TENSOR), &arena, &root, &err));
    assert_true(pickle_write(root, &out, &err));
    assert_true(read_text(buf_text(&out), &arena, &again, &err));
    assert_true(pickle_same(root, again));
    assert_true(again->items[0] == again->items[1]);
    again->items[0]->given->items[1] = pickle_int(70000, &arena, &err);
    assert_false(pickle_same(root, again));
    assert_true(pickle_write(again, &changed, &err));
    assert_true(read_text(buf_text(&changed), &arena, &root, &err));
    assert_int_equal(root->items[1]->given->items[1]->value, 70000);
    buf_free(&changed);
    buf_free(&out);
    arena_free(&arena);
}

static void failing_memory_ends_a_pickle(void **state)
{
    struct failing_alloc failing = {0};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct error err;
    bool ok = false;

    (void)state;
    for (size_t allow = 0; !ok; allow++) {
        struct arena arena = {.alloc = &alloc};
        struct pickle_node *root;

        assert_true(allow < 500);
        failing.allow = allow;
        ok = read_text(STR(TENSOR), &arena, &root, &err);
        assert_true(ok || err.kind == ERROR_MEMORY);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
}

/* ---- archives ---- */

static uint64_t write_archive(int fd, uint64_t large, struct arena *arena)
{
    const struct str names[] = {STR("a/data.pkl"), STR("a/data/0"), STR("a/version")};
    struct stored_zip_writer w = stored_zip_writer(fd, arena);
    struct error err;

    w.large = large;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char text[300];

        memset(text, 'a' + (int)i, sizeof text);
        assert_true(stored_zip_start(&w, names[i], i * 150, &err));
        assert_int_equal(w.at % STORED_ZIP_ALIGNMENT, 0);
        assert_int_equal(pwrite(fd, text, i * 150, (off_t)w.at), i * 150);
        assert_true(stored_zip_end(&w, stored_zip_crc(&w, 0, text, i * 150), &err));
    }
    assert_true(stored_zip_finish(&w, &err));
    return w.header;
}

static void an_archive_is_written_and_read(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) { /* as one of more than 4 GB */
        struct arena arena = {.alloc = &alloc_system};
        int fd = memfd_create("zip", MFD_CLOEXEC);
        uint64_t size = write_archive(fd, wide ? 200 : UINT32_MAX, &arena);
        struct stored_zip zip;
        struct error err;
        char text[300];

        assert_true(stored_zip_read(fd, size, &arena, &zip, &err));
        assert_int_equal(zip.count, 3);
        assert_true(str_eq(zip.entries[2].name, STR("a/version")));
        assert_int_equal(zip.entries[2].size, 300);
        assert_int_equal(pread(fd, text, sizeof text, (off_t)zip.entries[2].at), 300);
        assert_true(text[0] == 'c' && text[299] == 'c');
        for (uint64_t cut = 0; cut < size; cut++)
            assert_false(stored_zip_read(fd, cut, &arena, &zip, &err));
        (void)close(fd);
        arena_free(&arena);
    }
}

/* The CRC-32 that every zip archive has: of the digits, by its definition. */
static void a_sum_is_that_of_zip(void **state)
{
    struct arena arena = {.alloc = &alloc_system};
    struct stored_zip_writer w = stored_zip_writer(-1, &arena);

    (void)state;
    assert_int_equal(stored_zip_crc(&w, 0, "123456789", 9), 0xcbf43926);
    assert_int_equal(stored_zip_crc(&w, stored_zip_crc(&w, 0, "123456", 6), "789", 3),
                     0xcbf43926);
}

/* Every byte of an archive changed: it is refused, or read within its bounds. */
static void a_changed_archive_stays_in_bounds(void **state)
{
    struct arena arena = {.alloc = &alloc_system};
    int fd = memfd_create("zip", MFD_CLOEXEC);
    uint64_t size = write_archive(fd, 200, &arena);

    (void)state;
    for (uint64_t at = 0; at < size; at++) {
        struct arena own = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
        struct stored_zip zip;
        struct error err = {0};
        unsigned char was, now;

        assert_int_equal(pread(fd, &was, 1, (off_t)at), 1);
        now = was ^ 0xff;
        assert_int_equal(pwrite(fd, &now, 1, (off_t)at), 1);
        if (stored_zip_read(fd, size, &own, &zip, &err))
            for (size_t i = 0; i < zip.count; i++)
                assert_true(zip.entries[i].at <= size &&
                            zip.entries[i].size <= size - zip.entries[i].at);
        else
            assert_true(err.kind == ERROR_INPUT || err.kind == ERROR_UNFIT);
        assert_int_equal(pwrite(fd, &was, 1, (off_t)at), 1);
        arena_free(&own);
    }
    (void)close(fd);
    arena_free(&arena);
}

int group_pickle(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_data_is_read),
        cmocka_unit_test(other_names_are_refused),
        cmocka_unit_test(damage_is_noticed),
        cmocka_unit_test(a_graph_is_written_as_the_same),
        cmocka_unit_test(failing_memory_ends_a_pickle),
        cmocka_unit_test(an_archive_is_written_and_read),
        cmocka_unit_test(a_sum_is_that_of_zip),
        cmocka_unit_test(a_changed_archive_stays_in_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
