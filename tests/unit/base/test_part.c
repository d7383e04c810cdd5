#include "test.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/part.h"
#include "doc/compress.h" /* a part that the build made */

static char built[4096]; /* where the build put the parts; empty when unknown */
static char folder[64];  /* of this test; removed after it */

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/stint-part-XXXXXX");
    return mkdtemp(folder) == NULL || setenv("STINT_PARTS", folder, 1) != 0;
}

static int remove_folder(void **state)
{
    char command[100];

    (void)state;
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* A link in the folder to the part that was built; false when there is none. */
static bool link_part(const char *name)
{
    char from[4200], to[200];

    (void)snprintf(from, sizeof from, "%s/compress.so", built);
    (void)snprintf(to, sizeof to, "%s/%s.so", folder, name);
    return access(from, R_OK) == 0 && symlink(from, to) == 0;
}

/* Not skip(): meson takes cmocka's output of it as a failure. */
static void say_skipped(const char *test)
{
    print_message("# SKIPPED %s: STINT_PARTS names no folder with compress.so\n", test);
}

static void check_foreign(const char *name, unsigned version)
{
    struct error err = {0};
    char expected[300];

    (void)snprintf(expected, sizeof expected, "'%s/%s.so' is of another version of Stint",
                   folder, name);
    assert_null(part_open(name, version, &err));
    assert_int_equal(err.kind, ERROR_FAILED);
    assert_string_equal(err.text, expected);
    assert_string_equal(err.hint,
                        "install the program and its parts together: './dev install'");
}

static void an_absent_part_is_not_installed(void **state)
{
    (void)state;
    for (int given = 0; given < 2; given++) {
        struct error err = {0};

        if (given == 0)
            assert_int_equal(unsetenv("STINT_PARTS"), 0);
        else
            assert_int_equal(setenv("STINT_PARTS", folder, 1), 0);
        assert_null(part_open("no-such-part", 1, &err));
        assert_int_equal(err.kind, ERROR_FAILED);
        assert_string_equal(err.text, "the part 'no-such-part' of Stint is not installed");
        assert_string_equal(
            err.hint, "install it with './dev install', or set STINT_PARTS to its folder");
    }
}

static void a_folder_too_long_to_name_holds_no_parts(void **state)
{
    static char name[5000];
    struct error err = {0};

    (void)state;
    memset(name, 'x', sizeof name - 1);
    assert_int_equal(setenv("STINT_PARTS", name, 1), 0);
    assert_null(part_open("no-such-part", 1, &err));
    assert_string_equal(err.text, "the part 'no-such-part' of Stint is not installed");
}

static void other_files_cannot_be_loaded(void **state)
{
    struct error err = {0};
    char path[100], start[200];
    FILE *file;

    (void)state;
    (void)snprintf(path, sizeof path, "%s/fake.so", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("this is no library", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_null(part_open("fake", 1, &err));
    assert_int_equal(err.kind, ERROR_FAILED);
    (void)snprintf(start, sizeof start, "cannot load '%s': ", path);
    assert_int_equal(strncmp(err.text, start, strlen(start)), 0);
    assert_true(strlen(err.text) > strlen(start)); /* the loader's own message */
}

/* The C library is a library, but no part. */
static void foreign_library_is_refused(void **state)
{
    const void *known = dlsym(RTLD_DEFAULT, "srand48"); /* no sanitizer replaces it */
    char path[100];
    Dl_info info;

    (void)state;
    if (known == NULL || dladdr(known, &info) == 0 || strstr(info.dli_fname, ".so") == NULL) {
        print_message("# SKIPPED %s: the C library is no file\n", __func__);
        return;
    }
    (void)snprintf(path, sizeof path, "%s/fake.so", folder);
    assert_int_equal(symlink(info.dli_fname, path), 0);
    check_foreign("fake", 1);
}

static void opens_a_part(void **state)
{
    struct error err = {0};
    const void *functions, *again;

    (void)state;
    if (!link_part("compress")) {
        say_skipped(__func__);
        return;
    }
    functions = part_open("compress", COMPRESS_PART_VERSION, &err);
    if (functions == NULL)
        fail_msg("%s", err.text);
    again = part_open("compress", COMPRESS_PART_VERSION, &err);
    assert_ptr_equal(functions, again);
    assert_int_equal(err.kind, ERROR_NONE);
}

static void a_part_of_another_version_is_refused(void **state)
{
    (void)state;
    if (!link_part("compress")) {
        say_skipped(__func__);
        return;
    }
    check_foreign("compress", COMPRESS_PART_VERSION + 1);
    check_foreign("compress", 0);
}

static void a_part_of_another_name_is_refused(void **state)
{
    (void)state;
    if (!link_part("other")) {
        say_skipped(__func__);
        return;
    }
    check_foreign("other", COMPRESS_PART_VERSION);
}

/* Run a copy of this program in the folder; it opens the part and exits. */
static void finds_parts_next_to_the_program(void **state)
{
    char command[300], parts[100];
    int status;

    (void)state;
    (void)snprintf(parts, sizeof parts, "%s/parts", folder);
    assert_int_equal(mkdir(parts, 0700), 0);
    if (!link_part("parts/compress")) {
        say_skipped(__func__);
        return;
    }
    assert_int_equal(unsetenv("STINT_PARTS"), 0);
    (void)snprintf(command, sizeof command,
                   "cp /proc/%ld/exe %s/program && cd / && "
                   "STINT_TEST_OPEN=1 exec %s/program part",
                   (long)getpid(), folder, folder);
    status = system(command);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static int open_and_exit(void)
{
    struct error err = {0};

    if (part_open("compress", COMPRESS_PART_VERSION, &err) != NULL)
        return 0;
    error_print(&err, stderr);
    return 1;
}

#define PART_TEST(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int group_part(void)
{
    const char *given = getenv("STINT_PARTS");
    const struct CMUnitTest tests[] = {
        PART_TEST(an_absent_part_is_not_installed),
        PART_TEST(a_folder_too_long_to_name_holds_no_parts),
        PART_TEST(other_files_cannot_be_loaded),
        PART_TEST(foreign_library_is_refused),
        PART_TEST(opens_a_part),
        PART_TEST(a_part_of_another_version_is_refused),
        PART_TEST(a_part_of_another_name_is_refused),
        PART_TEST(finds_parts_next_to_the_program),
    };

    int failed;

    if (getenv("STINT_TEST_OPEN") != NULL)
        return open_and_exit();
    (void)snprintf(built, sizeof built, "%s", given != NULL ? given : "");
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    return given != NULL && setenv("STINT_PARTS", built, 1) != 0 ? 1 : failed;
}
