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
/* The test is skipped where there is none. */
static void link_part(const char *name)
{
    char from[4200], to[200];

    (void)snprintf(from, sizeof from, "%s/compress.so", built);
    (void)snprintf(to, sizeof to, "%s/%s.so", folder, name);
    if (access(from, R_OK) != 0)
        test_skip("STINT_PARTS names no folder with compress.so");
    assert_int_equal(symlink(from, to), 0);
}

static void check_foreign(const char *name, unsigned version)
{
    struct error err = {0};
    char expected[300];

    (void)snprintf(expected, sizeof expected, "'%s/%s.so' belongs to another version of Stint",
                   folder, name);
    assert_null(part_open(name, version, &err));
    assert_int_equal(err.kind, ERROR_FAILED);
    assert_string_equal(err.text, expected);
    assert_string_equal(err.hint, "install the program and its parts together");
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
            err.hint, "install Stint again, or set STINT_PARTS to the folder of its parts");
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
    if (known == NULL || dladdr(known, &info) == 0 || strstr(info.dli_fname, ".so") == NULL)
        test_skip("the C library is no file");
    (void)snprintf(path, sizeof path, "%s/fake.so", folder);
    assert_int_equal(symlink(info.dli_fname, path), 0);
    check_foreign("fake", 1);
}

static void opens_a_part(void **state)
{
    struct error err = {0};
    const void *functions, *again;

    (void)state;
    link_part("compress");
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
    link_part("compress");
    check_foreign("compress", COMPRESS_PART_VERSION + 1);
    check_foreign("compress", 0);
}

static void a_part_of_another_name_is_refused(void **state)
{
    (void)state;
    link_part("other");
    check_foreign("other", COMPRESS_PART_VERSION);
}

static void make_folders(const char *inside)
{
    char command[300];

    (void)snprintf(command, sizeof command, "mkdir -p '%s/%s'", folder, inside);
    assert_int_equal(system(command), 0);
}

/* Run a copy of this program in a folder `bin` of the test's, through a link to it and from
 * another folder; it opens the part, which is in the folder `parts`, and exits: with 0 when it
 * found it. */
static int open_from(const char *bin, const char *parts)
{
    char command[600], part[200];
    int status;

    make_folders(bin);
    make_folders(parts);
    (void)snprintf(part, sizeof part, "%s/compress", parts);
    link_part(part);
    assert_int_equal(unsetenv("STINT_PARTS"), 0);
    (void)snprintf(
        command, sizeof command,
        "cp /proc/%ld/exe '%s/%s/program' && ln -sf '%s/%s/program' %s/link && cd / && "
        "STINT_TEST_OPEN=1 exec %s/link part 2>%s/said",
        (long)getpid(), folder, bin, folder, bin, folder, folder, folder);
    status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void names_the_folder_of_parts(void **state)
{
    char found[4096];
    struct error err = {0};

    (void)state;
    make_folders("parts [1]");
    (void)snprintf(found, sizeof found, "%s/parts [1]/compress.so", folder);
    assert_int_equal(mkdir(found, 0700), 0); /* any file of that name */
    (void)snprintf(found, sizeof found, "%s/parts [1]", folder);
    assert_int_equal(setenv("STINT_PARTS", found, 1), 0);
    (void)memset(found, 0, sizeof found);
    assert_true(part_folder(found, sizeof found, &err));
    assert_int_equal(strncmp(found, folder, strlen(folder)), 0);
    assert_string_equal(found + strlen(folder), "/parts [1]");
    assert_int_equal(setenv("STINT_PARTS", "/nowhere", 1), 0);
    assert_true(part_folder(found, sizeof found, &err));
    assert_null(strstr(found, "nowhere"));
}

/* The test is skipped without it. */
static void need_built_part(void)
{
    char path[4200];

    (void)snprintf(path, sizeof path, "%s/compress.so", built);
    if (access(path, R_OK) != 0)
        test_skip("STINT_PARTS names no folder with compress.so");
}

static void finds_parts_next_to_the_program(void **state)
{
    (void)state;
    need_built_part();
    assert_int_equal(open_from(".", "parts"), 0);
}

static void finds_parts_in_a_prefix_that_was_moved(void **state)
{
    (void)state;
    need_built_part();
    assert_int_equal(open_from("a [moved] * pre?ix/bin", "a [moved] * pre?ix/lib/stint"), 0);
}

static void finds_parts_in_a_python_package(void **state)
{
    (void)state;
    need_built_part();
    assert_int_equal(open_from("venv/bin", "venv/lib/python3.9/site-packages/stint/lib/parts"),
                     0);
    assert_int_equal(
        open_from("fedora/bin", "fedora/lib64/python3.13/site-packages/stint/lib/parts"), 0);
    assert_int_equal(
        open_from("local/bin", "local/lib/python3.11/dist-packages/stint/lib/parts"), 0);
    assert_int_equal(open_from("target/bin", "target/stint/lib/parts"), 0);
    assert_int_equal(open_from("other/bin", "other/lib/python3.9/stint/lib/parts"), 1);
}

/* Two Pythons have a package, one of them not ours: the other one's part is opened. */
static void goes_on_after_a_part_that_cannot_be_loaded(void **state)
{
    char command[300];

    (void)state;
    need_built_part();
    make_folders("venv/lib/python3.10/site-packages/stint/lib/parts");
    (void)snprintf(
        command, sizeof command,
        "echo no library >%s/venv/lib/python3.10/site-packages/stint/lib/parts/compress.so",
        folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(open_from("venv/bin", "venv/lib/python3.11/site-packages/stint/lib/parts"),
                     0);
}

static int open_and_exit(void)
{
    struct error err = {0};

    if (part_open("compress", COMPRESS_PART_VERSION, &err) != NULL)
        return 0;
    error_print(&err, stderr);
    return 1;
}

/* A copy of the part that needs libq.so.1 instead of libz.so.1; false when it needs neither. */
static bool copy_with_missing_library(const char *name)
{
    char command[9000];

    (void)snprintf(command, sizeof command,
                   "grep -aq 'libz\\.so\\.1' %s/compress.so && "
                   "LC_ALL=C sed 's/libz\\.so\\.1/libq.so.1/' %s/compress.so >%s/%s.so",
                   built, built, folder, name);
    return system(command) == 0;
}

static void a_missing_library_is_named(void **state)
{
    struct error err = {0};

    (void)state;
    need_built_part();
    if (!copy_with_missing_library("compress") || !copy_with_missing_library("postgres"))
        test_skip("the part needs no libz.so.1");
    assert_null(part_open("compress", COMPRESS_PART_VERSION, &err));
    assert_string_equal(err.text,
                        "the part 'compress' of Stint needs libq.so.1, which is not installed");
    assert_string_equal(err.hint, "");
    assert_null(part_open("postgres", 1, &err));
    assert_string_equal(err.text,
                        "the part 'postgres' of Stint needs libq.so.1, which is not installed");
    assert_int_equal(strncmp(err.hint, "install the package libpq5 (Debian", 34), 0);
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
        PART_TEST(names_the_folder_of_parts),
        PART_TEST(a_missing_library_is_named),
        PART_TEST(finds_parts_next_to_the_program),
        PART_TEST(finds_parts_in_a_prefix_that_was_moved),
        PART_TEST(finds_parts_in_a_python_package),
        PART_TEST(goes_on_after_a_part_that_cannot_be_loaded),
    };

    int failed;

    if (getenv("STINT_TEST_OPEN") != NULL)
        return open_and_exit();
    (void)snprintf(built, sizeof built, "%s", given != NULL ? given : "");
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    return given != NULL && setenv("STINT_PARTS", built, 1) != 0 ? 1 : failed;
}
