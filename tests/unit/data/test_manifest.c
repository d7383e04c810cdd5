#include "test.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/fs.h"
#include "data/manifest.h"

static char folder[64]; /* of this test; removed after it */

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/stint-manifest-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    char command[200];

    (void)state;
    (void)snprintf(command, sizeof command, "chmod -R u+rwx %s && rm -r %s", folder, folder);
    return system(command);
}

static const char *in_folder(const char *name)
{
    static char paths[4][400];
    static unsigned next;
    char *path = paths[next++ % 4];

    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* A file below tree/, written so long ago that its time is settled. */
static void put(const char *name, const char *text)
{
    char path[300];
    struct timeval past[2] = {{1700000000, 0}, {1700000000, 0}};
    FILE *file;

    (void)snprintf(path, sizeof path, "%s/tree/%s", folder, name);
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(utimes(path, past), 0);
}

static void make(const char *name)
{
    assert_int_equal(mkdir(in_folder(name), 0755), 0);
}

/* Of the folder `tree`, as if it were so many seconds later. */
static struct manifest take_later(int64_t seconds, struct arena *arena,
                                  struct manifest_took *took)
{
    const struct watch watch = {0};
    struct manifest_work work = {
        .folder = in_folder("tree"), .kept = in_folder("kept"), .watch = &watch};
    struct manifest m;
    struct error err = {0};

    work.now.s = clock_file_ns() / SECOND + seconds;
    if (!manifest_take(&work, arena, &m, took, &err))
        fail_msg("%s", err.text);
    return m;
}

static struct manifest take(struct arena *arena, struct manifest_took *took)
{
    return take_later(3600, arena, took);
}

static void test_only_what_changed_is_read_again(void **state)
{
    struct arena arena = test_arena();
    struct manifest_took took;
    struct manifest first, again;

    (void)state;
    make("tree");
    make("tree/sub");
    put("a", "one");
    put("sub/b", "two");
    first = take(&arena, &took);
    assert_int_equal(took.read_files, 2);
    assert_int_equal(first.tree.count, 2);
    again = take(&arena, &took);
    assert_int_equal(took.read_files, 0);
    assert_int_equal(took.known_files, 2);
    assert_memory_equal(first.digest, again.digest, TREE_DIGEST);
    put("a", "new"); /* the same size and the same time, but the file system knows */
    again = take(&arena, &took);
    assert_int_equal(took.read_files, 1);
    assert_memory_not_equal(first.digest, again.digest, TREE_DIGEST);
    put("a", "one");
    again = take(&arena, &took);
    assert_memory_equal(first.digest, again.digest, TREE_DIGEST);
    arena_free(&arena);
}

/* Too new to be believed at first: read once more, and then no more. */
static void test_what_was_new_is_read_once_more(void **state)
{
    struct arena arena = test_arena();
    struct manifest_took took;
    struct manifest first, again;

    (void)state;
    make("tree");
    put("a", "one"); /* an old time, but the file system knows when it was written */
    first = take_later(0, &arena, &took);
    assert_int_equal(took.read_files, 1);
    again = take(&arena, &took);
    assert_int_equal(took.read_files, 1);
    again = take(&arena, &took);
    assert_int_equal(took.read_files, 0);
    assert_memory_equal(first.digest, again.digest, TREE_DIGEST);
    arena_free(&arena);
}

/* A file with an old time, as rsync leaves it, is known as soon as the clock has gone on since
 * its last change. */
static void test_what_was_copied_is_known(void **state)
{
    static const int64_t after[] = {SECOND / 1000, SECOND / 10};
    const struct watch watch = {0};
    struct arena arena = test_arena();
    struct manifest_took took;
    struct error err = {0};
    struct stat st;

    (void)state;
    make("tree");
    put("a", "one");
    assert_int_equal(stat(in_folder("tree/a"), &st), 0);
    if (st.st_ctim.tv_nsec == 0)
        skip(); /* a file system whose times are whole seconds, or one in 1e9 */
    for (size_t i = 0; i < ARRAY_LEN(after); i++) {
        int64_t now = (int64_t)st.st_ctim.tv_sec * SECOND + st.st_ctim.tv_nsec + after[i];
        struct manifest_work work = {.folder = in_folder("tree"),
                                     .kept = in_folder("kept"),
                                     .reread = true,
                                     .watch = &watch,
                                     .now = {now / SECOND},
                                     .now_part = now % SECOND};
        struct manifest m;

        assert_true(manifest_take(&work, &arena, &m, &took, &err));
        (void)take_later(0, &arena, &took);
        assert_int_equal(took.known_files, i);
    }
    arena_free(&arena);
}

static void test_the_oldest_kept_ones_go(void **state)
{
    char name[64];

    (void)state;
    make("tree");
    put("notes", "");
    for (int i = 0; i < MANIFESTS_KEPT + 2; i++) {
        struct timeval past[2] = {{1700000000 + i, 0}, {1700000000 + i, 0}};

        (void)snprintf(name, sizeof name, "tree/%08x", (unsigned)i);
        put(name + 5, "");
        assert_int_equal(utimes(in_folder(name), past), 0);
    }
    manifest_forget_old(in_folder("tree"), 8);
    assert_false(fs_exists(in_folder("tree/00000000")));
    assert_false(fs_exists(in_folder("tree/00000001")));
    assert_true(fs_exists(in_folder("tree/00000002")));
    assert_true(fs_exists(in_folder("tree/notes")));
    manifest_forget_old(in_folder("nothing there"), 8);
}

static void test_a_damaged_kept_one_counts_as_none(void **state)
{
    struct arena arena = test_arena();
    struct manifest_took took;
    struct error err = {0};

    (void)state;
    make("tree");
    put("a", "one");
    (void)take(&arena, &took);
    assert_true(fs_replace(in_folder("kept"), STR("stint manifest 1\nfiles 1\n"), &err));
    (void)take(&arena, &took);
    assert_int_equal(took.read_files, 1);
    (void)take(&arena, &took);
    assert_int_equal(took.read_files, 0);
    arena_free(&arena);
}

static void test_names_are_any_bytes(void **state)
{
    struct arena arena = test_arena();
    struct buf text = buf_new(arena.alloc, 10000);
    struct manifest_took took;
    struct manifest taken, read;
    struct error err = {0};

    (void)state;
    make("tree");
    make("tree/empty");
    put("new\nline", "1");
    put("back\\slash", "2");
    put("\xff\xfe", "3");
    put(" blank ", "4");
    assert_int_equal(symlink("new\nline", in_folder("tree/link")), 0);
    taken = take(&arena, &took);
    manifest_write(&taken, false, &text);
    assert_true(manifest_read(buf_text(&text), &arena, &read, &err));
    assert_int_equal(read.tree.count, 6);
    assert_int_equal(read.tree.files, 4);
    for (size_t i = 0; i < read.tree.count; i++) {
        assert_true(str_eq(read.tree.entries[i].path, taken.tree.entries[i].path));
        assert_true(tree_same(&read.tree.entries[i], &taken.tree.entries[i]));
    }
    buf_free(&text);
    arena_free(&arena);
}

static void test_problems_are_listed(void **state)
{
    struct arena arena = test_arena();
    struct buf text = buf_new(arena.alloc, 10000);
    struct manifest_took took;
    struct manifest m, read;
    struct error err = {0};

    (void)state;
    make("tree");
    put("a", "1");
    put("b", "22");
    assert_int_equal(mkfifo(in_folder("tree/pipe"), 0600), 0);
    assert_int_equal(chmod(in_folder("tree/a"), 0), 0);
    m = take(&arena, &took);
    assert_int_equal(took.read_files, m.tree.files);
    assert_int_equal(took.read_bytes, m.tree.bytes);
    manifest_write(&m, false, &text);
    assert_true(manifest_read(buf_text(&text), &arena, &read, &err)); /* as it was written */
    assert_int_equal(read.tree.count, 3);
    assert_true(read.tree.entries[2].trouble);
    if (getuid() != 0) { /* root may read everything */
        assert_int_equal(m.tree.problem_count, 2);
        assert_true(m.tree.entries[0].trouble && !m.tree.entries[0].hashed);
    } else {
        assert_int_equal(m.tree.problem_count, 1);
    }
    assert_int_equal(m.tree.problems[0].kind, TREE_SPECIAL);
    buf_free(&text);
    arena_free(&arena);
}

#define HEAD \
    "stint manifest 1\nfiles 1\nbytes 3\n" \
    "sha256 0000000000000000000000000000000000000000000000000000000000000000\ntaken 1\n\n"
#define ONE "f 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae 3 1.5 "

static void test_bad_ones_are_refused(void **state)
{
    static const char *const bad[][2] = {
        {"", "line 1: not a Stint manifest"},
        {"stint manifest 2\n", "line 1: not a Stint manifest"},
        {"stint manifest 1\nfiles -1\n", "line 2"},
        {HEAD "end\n", "are not those of its head"},
        {HEAD ONE "a\nend\n", "SHA-256 is not that of its head"},
        {HEAD ONE "a\n", "not complete"},
        {HEAD ONE "a\nend\nx\n", "follows its end"},
        {HEAD ONE "../a\nend\n", "outside"},
        {HEAD ONE "/a\nend\n", "outside"},
        {HEAD ONE "a/../../b\nend\n", "outside"},
        {HEAD ONE "a//b\nend\n", "outside"},
        {HEAD ONE "b\n" ONE "a\nend\n", "not in order"},
        {HEAD ONE "a\n" ONE "a\nend\n", "not in order"},
        {HEAD "x a\nend\n", "begins with f, c, l, d or ?"},
        {HEAD "f 12 3 1 a\nend\n", "are expected"},
        {HEAD "c 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae "
              "9223372036854775807 1 a\nend\n",
         "chunks are missing"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct arena arena = test_arena();
        struct manifest m;
        struct error err = {0};

        assert_false(manifest_read(str_from(bad[i][0]), &arena, &m, &err));
        assert_int_equal(err.kind, ERROR_INPUT);
        if (strstr(err.text, bad[i][1]) == NULL)
            fail_msg("'%s' instead of '%s'", err.text, bad[i][1]);
        arena_free(&arena);
    }
}

static int looks_left;

static bool ended(void)
{
    return looks_left-- <= 0;
}

/* Whenever the end is asked for, it is an end, and no file counts as unreadable. */
static void test_it_can_be_stopped(void **state)
{
    const struct watch watch = {.stopped = ended};
    struct manifest_took took;
    struct error err = {0};
    bool done = false;

    (void)state;
    make("tree");
    put("a", "1");
    put("b", "2");
    for (int looks = 0; !done && looks < 100; looks++) {
        struct arena arena = test_arena();
        struct manifest_work work = {
            .folder = in_folder("tree"), .threads = 1, .watch = &watch};
        struct manifest m;

        looks_left = looks;
        done = manifest_take(&work, &arena, &m, &took, &err);
        assert_true(done || err.kind == ERROR_STOPPED);
        assert_true(!done || m.tree.problem_count == 0);
        arena_free(&arena);
    }
    assert_true(done);
}

static void test_folders_too_deep(void **state)
{
    struct arena arena = test_arena();
    const struct watch watch = {0};
    char path[2000];
    struct tree tree;
    struct error err = {0};
    int used = snprintf(path, sizeof path, "%s/tree", folder);

    (void)state;
    for (int i = 0; i <= TREE_DEPTH + 1; i++) {
        assert_int_equal(mkdir(path, 0755), 0);
        used += snprintf(path + used, sizeof path - (size_t)used, "/d");
    }
    assert_false(tree_walk(in_folder("tree"), &watch, &arena, &tree, &err));
    assert_non_null(strstr(err.text, "200 folders deep"));
    arena_free(&arena);
}

#define FOLDER_TEST(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)

int group_manifest(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(test_only_what_changed_is_read_again),
        FOLDER_TEST(test_what_was_new_is_read_once_more),
        FOLDER_TEST(test_what_was_copied_is_known),
        FOLDER_TEST(test_the_oldest_kept_ones_go),
        FOLDER_TEST(test_a_damaged_kept_one_counts_as_none),
        FOLDER_TEST(test_names_are_any_bytes),
        FOLDER_TEST(test_problems_are_listed),
        cmocka_unit_test(test_bad_ones_are_refused),
        FOLDER_TEST(test_it_can_be_stopped),
        FOLDER_TEST(test_folders_too_deep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
