#include "merging.h"

#include <unistd.h>

#include "base/num.h"
#include "base/spawn.h"

static void check_diff(const char *old_text, const char *new_text, const char *expected)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct arena arena = test_arena();
    struct error err = {0};

    assert_true(
        text_diff(str_from(old_text), str_from(new_text), "old", "new", &arena, &out, &err));
    check_text(buf_text(&out), expected, 0);
    arena_free(&arena);
    buf_free(&out);
}

static void shows_what_changed(void **state)
{
    (void)state;
    check_diff("", "", "");
    check_diff("a\nb\n", "a\nb\n", "");
    check_diff("a\n", "b\n", "--- old\n+++ new\n@@ -1 +1 @@\n-a\n+b\n");
    check_diff("", "b\nc\n", "--- old\n+++ new\n@@ -0,0 +1,2 @@\n+b\n+c\n");
    check_diff("b\n", "", "--- old\n+++ new\n@@ -1 +0,0 @@\n-b\n");
    check_diff("a\nb", "a\nb\n",
               "--- old\n+++ new\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
    check_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\nsix\n7\n8\n9\n",
               "--- old\n+++ new\n@@ -3,7 +3,7 @@\n 3\n 4\n 5\n-6\n+six\n 7\n 8\n 9\n");
    /* Six lines between two changes: one piece; seven: two. */
    check_diff("a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n",
               "--- old\n+++ new\n@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n");
    check_diff("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
               "--- old\n+++ new\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n"
               "@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n");
    /* A change that could be in two places is in the lower. */
    check_diff("x {\n}\n", "x {\n}\ny {\n}\n",
               "--- old\n+++ new\n@@ -1,2 +1,4 @@\n x {\n }\n+y {\n+}\n");
}

static void refuses_too_many_lines(void **state)
{
    enum { LINES = 20001 };
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct arena arena = test_arena();
    struct error err = {0};

    (void)state;
    buf_pad(&text, '\n', LINES);
    assert_false(text_diff(buf_text(&text), STR("a"), "old", "new", &arena, &out, &err));
    assert_string_equal(err.text, "old: more than 20000 lines to compare");
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_false(text_diff(STR("a"), buf_text(&text), "old", "new", &arena, &out, &err));
    assert_string_equal(err.text, "new: more than 20000 lines to compare");
    assert_int_equal(out.len, 0);
    arena_free(&arena);
    buf_free(&text);
    buf_free(&out);
}

static uint64_t seed = 42;

static unsigned below(unsigned n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(seed >> 33) % n;
}

/* Lines of which `kinds` differ; now and then a brace or an empty one. */
static void random_line(unsigned kinds, struct buf *out)
{
    unsigned kind = below(kinds > 50 ? 10 : 1000);

    if (kind == 0)
        buf_adds(out, "}\n");
    else if (kind == 1)
        buf_adds(out, "\n");
    else
        buf_addf(out, "key_%u = %u\n", below(kinds), kinds);
}

/* Some lines taken out, put in or changed, at about one place in `rarely`. */
static void edit_lines(struct str text, unsigned kinds, unsigned rarely, struct buf *out)
{
    while (text.len > 0) {
        struct str line = str_cut(&text, '\n');
        unsigned what = below(rarely);

        if (what == 0)
            continue;
        if (what == 1 || what == 2)
            random_line(kinds, out);
        if (what == 2)
            continue;
        buf_add(out, line);
        if (text.len > 0 || below(4) != 0)
            buf_char(out, '\n');
    }
}

/* The old text with the patch applied. */
static void apply(struct str old_text, struct str patch, struct buf *out)
{
    size_t line = 1;

    (void)str_cut(&patch, '\n');
    (void)str_cut(&patch, '\n');
    while (patch.len > 0) {
        struct str row = str_cut(&patch, '\n');
        bool open = str_starts(patch, STR("\\"));

        if (row.at[0] == '@') {
            struct str from = {row.at + 4, row.len - 4};
            struct str range = str_cut(&from, ' ');
            bool none = str_ends(range, STR(",0"));
            int64_t start;

            assert_true(num_int(str_cut(&range, ','), &start));
            for (; line < (size_t)start + none; line++) {
                buf_add(out, str_cut(&old_text, '\n'));
                buf_char(out, '\n');
            }
            continue;
        }
        if (row.at[0] == '\\')
            continue;
        if (row.at[0] != '+') {
            struct str was = str_cut(&old_text, '\n');

            assert_true(str_eq(was, (struct str){row.at + 1, row.len - 1}));
            line++;
        }
        if (row.at[0] != '-') {
            buf_add(out, (struct str){row.at + 1, row.len - 1});
            if (!open)
                buf_char(out, '\n');
        }
    }
    buf_add(out, old_text);
}

static size_t changes_in(struct str patch)
{
    size_t count = 0;

    while (patch.len > 0) {
        struct str row = str_cut(&patch, '\n');

        count += row.len > 0 && (row.at[0] == '+' || row.at[0] == '-');
    }
    return count;
}

struct pair {
    struct buf old_text, new_text, ours;
};

static void make_pair(struct pair *p, unsigned kinds, unsigned rarely, unsigned lines)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct buf back = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    buf_clear(&p->old_text);
    buf_clear(&p->new_text);
    buf_clear(&p->ours);
    for (unsigned i = below(lines + 1); i > 0; i--)
        random_line(kinds, &p->old_text);
    edit_lines(buf_text(&p->old_text), kinds, rarely, &p->new_text);
    assert_true(text_diff(buf_text(&p->old_text), buf_text(&p->new_text), "old", "new", &arena,
                          &p->ours, &err));
    if (p->ours.len > 0)
        apply(buf_text(&p->old_text), buf_text(&p->ours), &back);
    else
        buf_add(&back, buf_text(&p->old_text));
    assert_true(str_eq(buf_text(&back), buf_text(&p->new_text)));
    buf_free(&back);
    arena_free(&arena);
}

static void free_pair(struct pair *p)
{
    buf_free(&p->old_text);
    buf_free(&p->new_text);
    buf_free(&p->ours);
}

static struct pair new_pair(void)
{
    return (struct pair){buf_new(&alloc_system, BUF_MAX_OUTPUT),
                         buf_new(&alloc_system, BUF_MAX_OUTPUT),
                         buf_new(&alloc_system, BUF_MAX_OUTPUT)};
}

static void leads_from_the_old_to_the_new(void **state)
{
    struct pair p = new_pair();

    (void)state;
    for (unsigned i = 0; i < 3000; i++) {
        unsigned kinds = 1 + below(60), rarely = 3 + below(20);

        make_pair(&p, kinds, rarely, 1 + below(60));
    }
    free_pair(&p);
}

/* Not flushed to the disk: there are hundreds of them. */
static void write_file(const char *path, struct str text)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(text.len > 0 ? text.at : "", 1, text.len, file), text.len);
    assert_int_equal(fclose(file), 0);
}

static bool run_diff(const struct pair *p, const char *folder, struct arena *arena,
                     struct str *out, struct error *err)
{
    char a[64], b[64];
    const char *argv[] = {"diff", "-u", "--label", "old", "--label", "new", a, b, NULL};
    int status;

    (void)snprintf(a, sizeof a, "%s/a", folder);
    (void)snprintf(b, sizeof b, "%s/b", folder);
    write_file(a, buf_text(&p->old_text));
    write_file(b, buf_text(&p->new_text));
    return spawn_run(argv, 1 << 20, arena, out, &status, err);
}

/* Texts as configurations are, with few lines that are the same: byte for byte. Where the same
 * lines repeat there are several shortest diffs: as short as diff's or shorter. */
static void agrees_with_diff(void **state)
{
    enum { TRIES = 400 };
    char folder[] = "/tmp/stint-diff-XXXXXX", path[64];
    struct pair p = new_pair();
    unsigned same = 0;

    (void)state;
    assert_non_null(mkdtemp(folder));
    for (unsigned i = 0; i < TRIES; i++) {
        bool plain = i % 2 == 0;
        unsigned kinds = plain ? 100000 : 1 + below(40);
        struct arena arena = test_arena();
        struct error err = {0};
        struct str theirs;

        make_pair(&p, kinds, plain ? 10 + below(40) : 3 + below(20), plain ? 100 : 60);
        if (!run_diff(&p, folder, &arena, &theirs, &err)) {
            assert_int_equal(err.kind, ERROR_ABSENT);
            arena_free(&arena);
            free_pair(&p);
            (void)rmdir(folder);
            test_skip("there is no program 'diff'");
        }
        if (plain && !str_eq(theirs, buf_text(&p.ours)))
            fail_msg("try %u:\n%.*s\ninstead of\n%.*s", i, (int)p.ours.len, p.ours.at,
                     (int)theirs.len, theirs.at);
        same += str_eq(theirs, buf_text(&p.ours));
        assert_true(changes_in(buf_text(&p.ours)) <= changes_in(theirs));
        arena_free(&arena);
    }
    print_message("# %u of %u are the same as those of diff, byte for byte\n", same,
                  (unsigned)TRIES);
    (void)snprintf(path, sizeof path, "%s/a", folder);
    (void)unlink(path);
    (void)snprintf(path, sizeof path, "%s/b", folder);
    (void)unlink(path);
    (void)rmdir(folder);
    free_pair(&p);
}

/* Nothing in common but everywhere the same lines, in another order: the search gives up the
 * shortest diff, and still ends soon. */
static void ends_soon_on_large_texts(void **state)
{
    enum { LINES = 20000 };
    struct buf a = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct buf b = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct buf back = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct arena arena = test_arena();
    struct error err = {0};

    (void)state;
    for (unsigned i = 0; i < LINES; i++) {
        buf_addf(&a, "%u\n", i);
        buf_addf(&b, "%u\n", LINES - 1 - i);
    }
    assert_true(text_diff(buf_text(&a), buf_text(&b), "old", "new", &arena, &out, &err));
    apply(buf_text(&a), buf_text(&out), &back);
    assert_true(str_eq(buf_text(&back), buf_text(&b)));
    arena_free(&arena);
    buf_free(&a);
    buf_free(&b);
    buf_free(&out);
    buf_free(&back);
}

static void survives_out_of_memory(void **state)
{
    (void)state;
    for (size_t allow = 0;; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct buf out = buf_new(&alloc, BUF_MAX_OUTPUT);
        struct error err = {0};
        bool ok =
            text_diff(STR("a\nb\nc\n"), STR("a\nc\nd\n"), "old", "new", &arena, &out, &err);

        buf_free(&out);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
        if (ok)
            break;
        assert_int_equal(err.kind, ERROR_MEMORY);
        assert_in_range(allow, 0, 50);
    }
}

int group_diff(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_what_changed),
        cmocka_unit_test(refuses_too_many_lines),
        cmocka_unit_test(leads_from_the_old_to_the_new),
        cmocka_unit_test(agrees_with_diff),
        cmocka_unit_test(ends_soon_on_large_texts),
        cmocka_unit_test(survives_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
