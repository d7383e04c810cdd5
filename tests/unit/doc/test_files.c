/* From what the user names to open streams: folders, packed files. */
#include "doc/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "test.h"

static char folder[64];

static int files_make(void **state)
{
    static struct arena arena;

    (void)snprintf(folder, sizeof folder, "/tmp/stint-files-XXXXXX");
    arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    *state = &arena;
    return mkdtemp(folder) == NULL;
}

static int files_end(void **state)
{
    char command[200];

    arena_free(*state);
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

#define files_test(name) cmocka_unit_test_setup_teardown(name, files_make, files_end)

static size_t times(const char *text, const char *what)
{
    size_t count = 0;

    for (; (text = strstr(text, what)) != NULL; text++)
        count++;
    return count;
}

/* --- files and folders -------------------------------------------------------------------- */

/* A path in the test's folder, until eight calls later. */
static const char *in_folder(const char *name)
{
    static char paths[8][200];
    static unsigned next;
    char *path = paths[next++ % 8];

    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name), "wb");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void shell(const char *command)
{
    char line[400];

    (void)snprintf(line, sizeof line, "cd %s && %s", folder, command);
    assert_int_equal(system(line), 0);
}

/* What was visited: "name+" for a file that was listed, "name" for one found, and what is in
 * it. */
struct visited {
    char told[4096];
    const char *refuse;
};

static bool take_file(void *ctx, struct file_stream *stream, bool listed, struct error *err)
{
    struct visited *v = ctx;
    size_t used = strlen(v->told), len = 0;
    char text[256];
    ptrdiff_t got;

    if (v->refuse != NULL && strstr(stream->name, v->refuse) != NULL)
        return error_fail(err, ERROR_INPUT, "not this one");
    while ((got = stream->source.read(stream->source.ctx, text + len, 3, err)) > 0) {
        len += (size_t)got;
        assert_true(len < sizeof text - 3);
    }
    if (got < 0)
        return false;
    assert_true(str_eq(stream->head, (struct str){text, len})); /* the head comes again */
    assert_true(stream->modified.s > 0);
    (void)snprintf(v->told + used, sizeof v->told - used, "%s%s=%.*s ",
                   stream->name + strlen(folder) + 1, listed ? "+" : "", (int)len, text);
    return true;
}

static void check_visit(struct arena *arena, const char *path, const char *expected)
{
    struct visited v = {.told = ""};
    struct file_visitor visitor = {.arena = arena, .file = take_file, .ctx = &v};
    struct error err = {0};

    if (!files_visit(path, &visitor, &err))
        fail_msg("%s", err.text);
    assert_string_equal(v.told, expected);
}

static void a_file_is_visited_as_it_is(void **state)
{
    struct arena *arena = *state;

    write_file("a.csv", "text of a");
    check_visit(arena, in_folder("a.csv"), "a.csv+=text of a ");
    write_file("empty", "");
    check_visit(arena, in_folder("empty"), "empty+= ");
    write_file(".hidden", "h");
    check_visit(arena, in_folder(".hidden"), ".hidden+=h "); /* named is named */
}

static void a_folder_is_visited_in_the_order_of_names(void **state)
{
    struct arena *arena = *state;

    shell("mkdir -p f/b/deep f/.git f/empty && ln -s nowhere f/dangling && mkfifo f/pipe");
    write_file("f/c.csv", "3");
    write_file("f/a.csv", "1");
    write_file("f/b/x.csv", "2");
    write_file("f/b/deep/y.csv", "y");
    write_file("f/.git/config", "no");
    write_file("f/.hidden", "no");
    check_visit(arena, in_folder("f"), "f/a.csv=1 f/b/deep/y.csv=y f/b/x.csv=2 f/c.csv=3 ");
    check_visit(arena, in_folder("f/empty"), "");
}

static void a_loop_of_links_ends(void **state)
{
    struct arena *arena = *state;
    struct visited v = {.told = ""};
    struct file_visitor visitor = {.arena = arena, .file = take_file, .ctx = &v};
    struct error err = {0};

    shell("mkdir f && ln -s . f/again");
    write_file("f/z", "z");
    assert_true(files_visit(in_folder("f"), &visitor, &err));
    assert_int_equal(times(v.told, "=z "), 9);
}

static void a_packed_file_is_visited_unpacked(void **state)
{
    struct arena *arena = *state;

    write_file("a.csv", "text of a");
    shell("gzip -k a.csv && mv a.csv.gz packed && cat packed packed > twice");
    check_visit(arena, in_folder("packed"),
                "packed+=text of a "); /* by its bytes, not its name */
    check_visit(arena, in_folder("twice"), "twice+=text of atext of a ");
    if (system("command -v xz >/dev/null") != 0)
        test_skip("there is no xz");
    shell("xz -k a.csv");
    check_visit(arena, in_folder("a.csv.xz"), "a.csv.xz+=text of a ");
}

/* How much came, and that it starts with its head. */
static bool measure(void *ctx, struct file_stream *stream, bool listed, struct error *err)
{
    size_t *total = ctx;
    static char text[100000];
    ptrdiff_t got;

    assert_true(listed);
    assert_int_equal(stream->head.len, FILES_HEAD);
    while ((got = stream->source.read(stream->source.ctx, text + *total, 9999, err)) > 0) {
        *total += (size_t)got;
        assert_true(*total < sizeof text - 9999);
    }
    assert_memory_equal(text, stream->head.at, FILES_HEAD);
    assert_int_equal(text[*total - 1], 'x');
    return got == 0;
}

static void of_a_large_file_the_start_can_be_looked_at(void **state)
{
    struct arena *arena = *state;
    size_t total = 0;
    struct file_visitor visitor = {.arena = arena, .file = measure, .ctx = &total};
    struct error err = {0};

    shell("head -c 70000 /dev/zero | tr '\\0' x > large");
    assert_true(files_visit(in_folder("large"), &visitor, &err));
    assert_int_equal(total, 70000);
    assert_false(files_visit(in_folder("absent"), &visitor, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_non_null(strstr(err.text, "absent"));
}

static void what_goes_wrong_ends_it(void **state)
{
    struct arena *arena = *state;
    struct visited v = {.refuse = "b.csv"};
    struct file_visitor visitor = {.arena = arena, .file = take_file, .ctx = &v};
    struct error err = {0};

    shell("mkdir f");
    write_file("f/a.csv", "1");
    write_file("f/b.csv", "2");
    write_file("f/c.csv", "3");
    assert_false(files_visit(in_folder("f"), &visitor, &err));
    assert_string_equal(err.text, "not this one");
    assert_string_equal(v.told, "f/a.csv=1 ");
    /* A packed file that was cut. */
    err = (struct error){0};
    v = (struct visited){.told = ""};
    shell("head -c 100000 /dev/urandom | gzip > whole.gz && head -c 5000 whole.gz > cut.gz");
    assert_false(files_visit(in_folder("cut.gz"), &visitor, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(strstr(err.text, "cut.gz"));
}

int group_files(void)
{
    const struct CMUnitTest tests[] = {
        files_test(a_file_is_visited_as_it_is),
        files_test(a_folder_is_visited_in_the_order_of_names),
        files_test(a_loop_of_links_ends),
        files_test(a_packed_file_is_visited_unpacked),
        files_test(of_a_large_file_the_start_can_be_looked_at),
        files_test(what_goes_wrong_ends_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
