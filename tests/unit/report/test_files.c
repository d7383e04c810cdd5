/* The files of a report: all of them or none, and none of the user's. */
#include "world.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "report/files.h"

static char files_folder[64];

static int files_make(void **state)
{
    (void)snprintf(files_folder, sizeof files_folder, "/tmp/stint-report-XXXXXX");
    return mkdtemp(files_folder) == NULL || world_make(state) != 0;
}

static int files_end(void **state)
{
    char command[200];
    int status = world_end(state);

    (void)snprintf(command, sizeof command, "chmod -R u+w %s; rm -r %s", files_folder,
                   files_folder);
    return status != 0 ? status : system(command);
}

#define files_test(name) cmocka_unit_test_setup_teardown(name, files_make, files_end)

static void add(struct world *w, struct report_files *files, const char *name, const char *text)
{
    struct buf b = buf_new(&alloc_system, 1000);
    struct error err = {0};

    buf_adds(&b, text);
    assert_true(report_files_add(files, name, &b, &w->arena, &err));
}

static bool put(struct world *w, const struct report_files *files, const char *folder,
                bool replace, struct error *err)
{
    struct rows out;

    *err = (struct error){0};
    return report_files_put(files, folder, replace, &w->arena, &out, err);
}

static const char *content(struct world *w, const char *name)
{
    struct error err = {0};
    struct str text;
    char *path = fs_join(files_folder, name, &w->arena, &err);

    if (path == NULL || !fs_read(path, 10000, &w->arena, &text, &err))
        return NULL;
    return str_dup(text, &w->arena, &err);
}

static void a_set_is_written_and_written_again(void **state)
{
    struct world *w = *state;
    struct report_files files = {.len = 0};
    struct error err;

    add(w, &files, "a.json", "{\"schema\":\"stint.a/1\"}\n");
    add(w, &files, "a.svg", "<svg/>");
    add(w, &files, "a.md", "# A\n");
    assert_true(put(w, &files, files_folder, false, &err));
    assert_string_equal(content(w, "a.svg"), "<svg/>\n" REPORT_MARK);
    assert_string_equal(content(w, "a.md"), "# A\n" REPORT_MARK);
    assert_true(put(w, &files, files_folder, false, &err));
}

static void a_file_of_the_user_stays_unless_asked(void **state)
{
    struct world *w = *state;
    struct report_files files = {.len = 0};
    char *mine = NULL;
    struct error err = {0};

    add(w, &files, "a.svg", "<svg/>");
    add(w, &files, "b.md", "# B\n");
    mine = fs_join(files_folder, "b.md", &w->arena, &err);
    assert_true(mine != NULL && fs_put(mine, STR("mine"), &err));
    assert_false(put(w, &files, files_folder, false, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(content(w, "b.md"), "mine");
    assert_null(content(w, "a.svg"));
    assert_true(put(w, &files, files_folder, true, &err));
    assert_string_equal(content(w, "b.md"), "# B\n" REPORT_MARK);
}

/* A picture is ours when the SVG beside it is. */
static void pictures_are_known_by_their_svg(void **state)
{
    struct world *w = *state;
    struct report_files files = {.len = 0};
    char *mine = NULL;
    struct error err = {0};

    add(w, &files, "a.png", "picture");
    mine = fs_join(files_folder, "a.png", &w->arena, &err);
    assert_true(mine != NULL && fs_put(mine, STR("mine"), &err));
    assert_false(put(w, &files, files_folder, false, &err));
    add(w, &files, "a.svg", "<svg/>");
    assert_true(put(w, &files, files_folder, true, &err));
    assert_true(put(w, &files, files_folder, false, &err));
    assert_string_equal(content(w, "a.png"), "picture");
}

/* The last cannot take its place, since a folder has its name: the others are not there. */
static void nothing_is_left_of_a_set_that_fails(void **state)
{
    struct world *w = *state;
    struct report_files files = {.len = 0};
    char path[100];
    struct error err = {0};

    add(w, &files, "a.svg", "<svg/>");
    add(w, &files, "b.md", "# B\n");
    (void)snprintf(path, sizeof path, "%s/b.md", files_folder);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(put(w, &files, files_folder, true, &err));
    assert_null(content(w, "a.svg"));
    assert_false(put(w, &files, "/proc/nosuch", false, &err)); /* nor a folder that cannot be */
}

/* Of a report that was killed, and of one that writes now. */
static void what_a_killed_report_left_is_removed(void **state)
{
    struct world *w = *state;
    struct report_files files = {.len = 0};
    struct error err;
    char names[4][64], path[512];

    add(w, &files, "a.svg", "<svg/>");
    (void)snprintf(names[0], sizeof names[0], "a.svg.2147483646.tmp"); /* no such process */
    (void)snprintf(names[1], sizeof names[1], "a.svg.%ld.tmp", (long)getppid());
    (void)snprintf(names[2], sizeof names[2], "b.svg.2147483646.tmp"); /* not a report's */
    (void)snprintf(names[3], sizeof names[3], "a.svg.x.tmp");
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        (void)snprintf(path, sizeof path, "%s/%s", files_folder, names[i]);
        assert_true(fs_put(path, STR("half"), &err));
    }
    assert_true(put(w, &files, files_folder, false, &err));
    assert_null(content(w, names[0]));
    for (size_t i = 1; i < ARRAY_LEN(names); i++)
        assert_string_equal(content(w, names[i]), "half");
    assert_non_null(content(w, "a.svg"));
}

int group_files(void)
{
    const struct CMUnitTest tests[] = {
        files_test(a_set_is_written_and_written_again),
        files_test(a_file_of_the_user_stays_unless_asked),
        files_test(pictures_are_known_by_their_svg),
        files_test(nothing_is_left_of_a_set_that_fails),
        files_test(what_a_killed_report_left_is_removed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
