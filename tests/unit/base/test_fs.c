#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/fs.h"

/* --- a folder for each test --------------------------------------------------------------- */

static char folder[64]; /* of this test; removed after it */

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/stint-fs-XXXXXX");
    return mkdtemp(folder) == NULL || chmod(folder, 0755) != 0;
}

static int remove_folder(void **state)
{
    char command[200];

    (void)state;
    (void)snprintf(command, sizeof command, "chmod -R u+rwx %s && rm -r %s", folder, folder);
    return system(command);
}

/* The path of `name` in the folder, until sixteen calls later. */
static const char *in_folder(const char *name)
{
    static char paths[16][400];
    static unsigned next;
    char *path = paths[next++ % 16];

    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void put_file(const char *path, struct str text)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    if (text.len > 0)
        assert_int_equal(fwrite(text.at, 1, text.len, file), text.len);
    assert_int_equal(fclose(file), 0);
}

static void check_file(const char *path, const char *expected)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct str text = {0};

    if (!fs_read(path, 1 << 20, &arena, &text, &err))
        fail_msg("%s", err.text);
    assert_str_equal(text, expected);
    arena_free(&arena);
}

static unsigned count_files(const char *path)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;
    unsigned count = 0;

    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL)
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    (void)closedir(dir);
    return count;
}

static unsigned mode_of(const char *path)
{
    struct stat st;

    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

/* Become an unprivileged user; the test is skipped when root cannot. */
static void leave_root(void)
{
    if (geteuid() == 0 && seteuid(65534) != 0)
        test_skip("root cannot become another user here");
}

static void become_root_again(void)
{
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
}

/* --- the environment ---------------------------------------------------------------------- */

static void an_empty_variable_is_unset(void **state)
{
    (void)state;
    assert_int_equal(setenv("STINT_TEST_VARIABLE", "value", 1), 0);
    assert_string_equal(env_get("STINT_TEST_VARIABLE"), "value");
    assert_int_equal(setenv("STINT_TEST_VARIABLE", "", 1), 0);
    assert_null(env_get("STINT_TEST_VARIABLE"));
    assert_int_equal(unsetenv("STINT_TEST_VARIABLE"), 0);
    assert_null(env_get("STINT_TEST_VARIABLE"));
}

/* --- reading ------------------------------------------------------------------------------ */

static void reads_all_of_a_file(void **state)
{
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 131072, 300000};
    static char text[300000];
    const char *path = in_folder("file");

    (void)state;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * 7 + i / 256);
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct arena arena = test_arena();
        struct error err = {0};
        struct str got = {0};

        put_file(path, (struct str){text, sizes[i]});
        assert_true(fs_read(path, 1 << 20, &arena, &got, &err));
        assert_int_equal(got.len, sizes[i]);
        assert_memory_equal(got.at, text, sizes[i]);
        assert_int_equal(err.kind, ERROR_NONE);
        arena_free(&arena);
    }
}

static void reads_no_more_than_it_may(void **state)
{
    static const struct {
        size_t size, max;
        bool ok;
    } cases[] = {
        {10, 10, true},         {11, 10, false},      {0, 0, true},
        {1, 0, false},          {65536, 65536, true}, {65537, 65536, false},
        {100000, 99999, false}, {65535, 65535, true}, {65536, 65535, false},
        {131072, 131072, true}, {10, SIZE_MAX, true},
    };
    static char text[131072];
    const char *path = in_folder("file");

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct arena arena = test_arena();
        struct error err = {0};
        struct str got = {0};
        char expected[512];

        put_file(path, (struct str){text, cases[i].size});
        assert_int_equal(fs_read(path, cases[i].max, &arena, &got, &err), cases[i].ok);
        if (cases[i].ok) {
            assert_int_equal(got.len, cases[i].size);
        } else {
            (void)snprintf(expected, sizeof expected, "'%s' is larger than %zu bytes", path,
                           cases[i].max);
            assert_int_equal(err.kind, ERROR_INPUT);
            assert_string_equal(err.text, expected);
        }
        arena_free(&arena);
    }
}

static void reads_files_with_a_wrong_size(void **state)
{
    struct arena arena = test_arena();
    struct error err;
    struct str got = {0};
    int zero = open("/dev/zero", O_RDONLY);

    (void)state;
    assert_true(fs_read("/proc/self/status", 1 << 20, &arena, &got, &err));
    assert_true(str_starts(got, STR("Name:")));
    assert_false(fs_read_from(zero, "/dev/zero", 100000, &arena, &got, &err));
    assert_string_equal(err.text, "'/dev/zero' is larger than 100000 bytes");
    (void)close(zero);
    arena_free(&arena);
}

static void check_unreadable(const char *path, enum error_kind kind, const char *fmt_start,
                             const char *fmt_end)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct str got;
    char expected[1024];

    (void)snprintf(expected, sizeof expected, "%s'%s'%s", fmt_start, path, fmt_end);
    assert_false(fs_read(path, 1000, &arena, &got, &err));
    assert_string_equal(err.text, expected);
    assert_int_equal(err.kind, kind);
    arena_free(&arena);
}

static void reports_why_it_cannot_read(void **state)
{
    (void)state;
    put_file(in_folder("file"), STR("text"));
    check_unreadable(in_folder("absent"), ERROR_ABSENT, "cannot open ",
                     ": No such file or directory");
    check_unreadable(in_folder("file/below"), ERROR_ABSENT, "cannot open ",
                     ": Not a directory");
    check_unreadable(folder, ERROR_INPUT, "", " is a folder, not a file");
    check_unreadable("", ERROR_ABSENT, "cannot open ", ": No such file or directory");
    check_unreadable("/proc/self/mem", ERROR_SYSTEM, "cannot read ", ": Input/output error");
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0); /* nobody writes to it: do not wait */
    check_unreadable(in_folder("pipe"), ERROR_INPUT, "", " is a named pipe, not a file");
    assert_int_equal(symlink("pipe", in_folder("config.json")), 0);
    check_unreadable(in_folder("config.json"), ERROR_INPUT, "", " is a named pipe, not a file");
    check_unreadable("/dev/zero", ERROR_INPUT, "", " is a device, not a file");
    assert_int_equal(symlink("loop", in_folder("loop")), 0);
    check_unreadable(in_folder("loop"), ERROR_SYSTEM, "cannot open ",
                     ": Too many levels of symbolic links");
}

static void reports_a_name_that_is_too_long(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    char path[600] = "/tmp/";
    struct str got;

    (void)state;
    memset(path + 5, 'x', 300);
    path[305] = '\0';
    assert_false(fs_read(path, 1000, &arena, &got, &err));
    assert_int_equal(err.kind, ERROR_SYSTEM);
    assert_non_null(strstr(err.text, "': File name too long"));
    arena_free(&arena);
}

static void reports_missing_permission(void **state)
{
    const char *path = in_folder("secret");

    (void)state;
    put_file(path, STR("text"));
    assert_int_equal(chmod(path, 0), 0);
    leave_root();
    check_unreadable(path, ERROR_SYSTEM, "cannot open ", ": Permission denied");
    become_root_again();
}

static void reading_survives_every_failing_allocation(void **state)
{
    static char text[200000];
    const char *path = in_folder("file");

    (void)state;
    put_file(path, (struct str){text, sizeof text});
    for (size_t allow = 0; allow <= 1; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct error err = {0};
        struct str got;

        assert_int_equal(fs_read(path, 1 << 20, &arena, &got, &err), allow == 1);
        if (allow < 1)
            assert_string_equal(err.text, "out of memory");
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
}

static void a_stream_survives_every_failing_allocation(void **state)
{
    int fd = open("/dev/zero", O_RDONLY);

    (void)state;
    assert_true(fd >= 0);
    for (size_t allow = 0; allow <= 3; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct error err = {0};
        struct str got;

        assert_false(fs_read_from(fd, "zero", 200000, &arena, &got, &err));
        assert_string_equal(err.text,
                            allow < 3 ? "out of memory" : "'zero' is larger than 200000 bytes");
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
    assert_int_equal(close(fd), 0);
}

static void knows_what_exists(void **state)
{
    (void)state;
    assert_true(fs_exists(folder));
    assert_false(fs_exists(in_folder("file")));
    put_file(in_folder("file"), STR(""));
    assert_true(fs_exists(in_folder("file")));
    assert_false(fs_exists(in_folder("file/below")));
    assert_false(fs_exists(""));
}

static void joins_a_folder_and_a_name(void **state)
{
    struct failing_alloc failing = {.allow = 3};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct arena arena = {.alloc = &alloc};
    struct error err = {0};

    (void)state;
    assert_string_equal(fs_join("/etc", "passwd", &arena, &err), "/etc/passwd");
    assert_string_equal(fs_join("", "", &arena, &err), "/");
    assert_string_equal(fs_join("a/b", "c/d", &arena, &err), "a/b/c/d");
    assert_null(fs_join("/etc", "passwd", &arena, &err));
    assert_string_equal(err.text, "out of memory");
    arena_free(&arena);
}

/* --- making folders ----------------------------------------------------------------------- */

static void makes_every_folder_for_this_user_only(void **state)
{
    struct error err = {0};
    mode_t mask = umask(0);

    (void)state;
    assert_true(fs_make_folders(in_folder("a/b/c"), &err));
    assert_int_equal(mode_of(in_folder("a")), 0700);
    assert_int_equal(mode_of(in_folder("a/b")), 0700);
    assert_int_equal(mode_of(in_folder("a/b/c")), 0700);
    assert_int_equal(mode_of(folder), 0755); /* was there: left as it is */
    assert_true(fs_make_folders(in_folder("a/b/c"), &err));
    assert_true(fs_make_folders(in_folder("a//d/"), &err));
    assert_true(fs_exists(in_folder("a/d")));
    assert_true(fs_make_folders("/", &err));
    assert_int_equal(err.kind, ERROR_NONE);
    (void)umask(mask);
}

static void a_file_is_no_folder(void **state)
{
    struct error err = {0};
    char expected[512];

    (void)state;
    put_file(in_folder("file"), STR(""));
    assert_false(fs_make_folders(in_folder("file/below"), &err));
    (void)snprintf(expected, sizeof expected, "cannot make the folder '%s': Not a directory",
                   in_folder("file/below"));
    assert_string_equal(err.text, expected);
    assert_int_equal(err.kind, ERROR_SYSTEM);

    assert_false(fs_make_folders(in_folder("file"), &err));
    (void)snprintf(expected, sizeof expected, "cannot make the folder '%s': Not a directory",
                   in_folder("file"));
    assert_string_equal(err.text, expected);
}

static void refuses_paths_that_are_too_long(void **state)
{
    static char path[5000];
    struct error err = {0};
    char expected[512];

    (void)state;
    memset(path, 'x', sizeof path - 1);
    (void)snprintf(expected, sizeof expected, "the path '%.60s...' is too long", path);
    assert_false(fs_make_folders(path, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, expected);
    err = (struct error){0};
    assert_false(fs_replace(path, STR("text"), &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, expected);
    path[4090] = '\0'; /* no room for the name of the temporary file */
    assert_false(fs_replace(path, STR("text"), &err));
    assert_string_equal(err.text, expected);
}

/* --- writing ------------------------------------------------------------------------------ */

static void replaces_a_file(void **state)
{
    const char *path = in_folder("new/folder/file");
    struct error err = {0};
    mode_t mask = umask(0);

    (void)state;
    assert_true(fs_replace(path, STR("first"), &err));
    check_file(path, "first");
    assert_int_equal(mode_of(path), 0600);
    assert_int_equal(mode_of(in_folder("new")), 0700);
    assert_true(fs_replace(path, STR("the second"), &err));
    check_file(path, "the second");
    assert_true(fs_replace(path, (struct str){0}, &err));
    check_file(path, "");
    assert_int_equal(count_files(in_folder("new/folder")), 1);
    assert_int_equal(err.kind, ERROR_NONE);
    (void)umask(mask);
}

static void puts_a_file_for_others_to_read(void **state)
{
    const char *path = in_folder("table.csv");
    struct error err = {0};
    mode_t mask = umask(0027);

    (void)state;
    assert_true(fs_put(path, STR("first"), &err));
    check_file(path, "first");
    assert_int_equal(mode_of(path), 0640);
    assert_int_equal(symlink("table.csv", in_folder("link")), 0);
    assert_true(fs_put(in_folder("link"), STR("the second"), &err));
    check_file(in_folder("table.csv"), "the second");
    assert_int_equal(count_files(folder), 2);
    assert_true(fs_put("/dev/null", STR("gone"), &err));
    assert_int_equal(err.kind, ERROR_NONE);
    assert_false(fs_put(in_folder("absent/table.csv"), STR("text"), &err));
    assert_non_null(strstr(err.text, "No such file or directory"));
    assert_false(fs_put(folder, STR("text"), &err));
    assert_false(fs_put("/dev/full", STR("text"), &err));
    assert_non_null(strstr(err.text, "/dev/full: cannot write"));
    (void)umask(mask);
}

static void replaces_a_file_in_the_current_folder(void **state)
{
    struct error err = {0};
    char before[4096];

    (void)state;
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    assert_true(fs_replace("file", STR("text"), &err));
    assert_int_equal(chdir(before), 0);
    check_file(in_folder("file"), "text");
}

/* A reader that has opened the old file goes on reading it: the new one is another file. */
static void readers_see_the_old_file_or_the_new(void **state)
{
    const char *path = in_folder("file");
    struct error err = {0};
    char text[16] = "";
    int fd;

    (void)state;
    assert_true(fs_replace(path, STR("old text"), &err));
    fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    assert_int_equal(read(fd, text, 4), 4);
    assert_true(fs_replace(path, STR("NEW"), &err));
    assert_int_equal(read(fd, text + 4, 10), 4);
    assert_string_equal(text, "old text");
    assert_int_equal(close(fd), 0);
    check_file(path, "NEW");
}

static void a_copy_takes_a_free_name(void **state)
{
    struct arena arena = {.alloc = &alloc_system};
    struct error err = {0};
    char path[400];

    (void)state;
    (void)snprintf(path, sizeof path, "%s", in_folder("config"));
    assert_string_equal(fs_backup_unused(path, &arena, &err), in_folder("config.bak"));
    assert_true(fs_put(in_folder("config.bak"), STR("1"), &err));
    assert_string_equal(fs_backup_unused(path, &arena, &err), in_folder("config.bak.1"));
    for (int n = 1; n <= 99; n++) {
        char name[20];

        (void)snprintf(name, sizeof name, "config.bak.%d", n);
        assert_true(fs_put(in_folder(name), STR("2"), &err));
    }
    assert_null(fs_backup_unused(path, &arena, &err));
    assert_non_null(strstr(err.text, "config.bak and 99 more copies exist already"));
    arena_free(&arena);
}

static void a_folder_is_removed_with_all_in_it(void **state)
{
    (void)state;
    assert_int_equal(mkdir(in_folder("made"), 0755), 0);
    assert_int_equal(mkdir(in_folder("made/sub"), 0755), 0);
    assert_int_equal(mkdir(in_folder("elsewhere"), 0755), 0);
    put_file(in_folder("made/sub/.file"), STR("x"));
    put_file(in_folder("elsewhere/stays"), STR("x"));
    assert_int_equal(symlink("../elsewhere", in_folder("made/link")), 0);
    assert_true(fs_remove_folder(in_folder("made")));
    assert_false(fs_exists(in_folder("made")));
    assert_true(fs_exists(in_folder("elsewhere/stays")));
    assert_false(fs_remove_folder(in_folder("made")));
    assert_int_equal(errno, ENOENT);
}

static void a_folder_is_not_replaced(void **state)
{
    struct error err = {0};
    char expected[512];

    (void)state;
    assert_true(fs_make_folders(in_folder("target"), &err));
    assert_false(fs_replace(in_folder("target"), STR("text"), &err));
    assert_int_equal(err.kind, ERROR_SYSTEM);
    (void)snprintf(expected, sizeof expected, "cannot replace '%s': Is a directory",
                   in_folder("target"));
    assert_string_equal(err.text, expected);
    assert_int_equal(count_files(folder), 1); /* no temporary file is left */
}

static void a_read_only_folder_stays_as_it_is(void **state)
{
    const char *path = in_folder("locked/file");
    struct error err = {0};
    char start[400];

    (void)state;
    assert_int_equal(mkdir(in_folder("locked"), 0755), 0);
    put_file(path, STR("old"));
    assert_int_equal(chmod(in_folder("locked"), 0555), 0);
    leave_root();
    assert_false(fs_replace(path, STR("new"), &err));
    assert_int_equal(err.kind, ERROR_SYSTEM);
    (void)snprintf(start, sizeof start, "cannot create '%s.", path);
    assert_int_equal(strncmp(err.text, start, strlen(start)), 0);
    assert_non_null(strstr(err.text, "': Permission denied"));

    assert_false(fs_replace(in_folder("locked/below/file"), STR("new"), &err));
    (void)snprintf(start, sizeof start, "cannot make the folder '%s': Permission denied",
                   in_folder("locked/below"));
    assert_string_equal(err.text, start);
    become_root_again();
    check_file(path, "old");
    assert_int_equal(count_files(in_folder("locked")), 1);
}

/* A folder that can be written and entered but not listed cannot be flushed; the file is. */
static void folder_that_cannot_be_listed_is_enough(void **state)
{
    struct error err = {0};

    (void)state;
    assert_int_equal(mkdir(in_folder("blind"), 0755), 0);
    assert_int_equal(chmod(in_folder("blind"), 0333), 0);
    leave_root();
    assert_true(fs_replace(in_folder("blind/file"), STR("text"), &err));
    become_root_again();
    assert_int_equal(chmod(in_folder("blind"), 0755), 0);
    check_file(in_folder("blind/file"), "text");
}

/* A limit on the size of files imitates a disk that fills up halfway. */
static void a_full_disk_leaves_the_old_file(void **state)
{
    static char text[100000];
    const char *path = in_folder("file");
    struct rlimit old, small;
    struct error err = {0};
    void (*before)(int);
    bool replaced;

    (void)state;
    assert_true(fs_replace(path, STR("old"), &err));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = (struct rlimit){.rlim_cur = 50000, .rlim_max = old.rlim_max};
    before = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    replaced = fs_replace(path, (struct str){text, sizeof text}, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    (void)signal(SIGXFSZ, before);

    assert_false(replaced);
    assert_int_equal(err.kind, ERROR_SYSTEM);
    assert_int_equal(strncmp(err.text, path, strlen(path)), 0);
    assert_non_null(strstr(err.text, ": cannot write: File too large"));
    check_file(path, "old");
    assert_int_equal(count_files(folder), 1);
}

static void a_link_stays_a_link(void **state)
{
    char path[400], target[400], seen[400] = "";
    struct error err = {0};

    (void)state;
    (void)snprintf(path, sizeof path, "%s", in_folder("link"));
    (void)snprintf(target, sizeof target, "%s", in_folder("file"));
    put_file(target, STR("old"));
    assert_int_equal(symlink(target, path), 0);
    assert_true(fs_replace(path, STR("text"), &err));
    check_file(target, "text");
    assert_true(readlink(path, seen, sizeof seen - 1) > 0);
    assert_string_equal(seen, target);
}

/* Also one whose file is not there yet: it is made where the link says. */
static void a_dangling_link_stays_a_link(void **state)
{
    char seen[400] = "";
    struct error err = {0};

    (void)state;
    assert_int_equal(mkdir(in_folder("below"), 0700), 0);
    assert_int_equal(symlink("below/second", in_folder("first")), 0);
    assert_int_equal(symlink("../file", in_folder("below/second")), 0);
    assert_true(fs_put(in_folder("first"), STR("put"), &err));
    check_file(in_folder("file"), "put");
    assert_true(readlink(in_folder("first"), seen, sizeof seen - 1) > 0);
    assert_string_equal(seen, "below/second");
    assert_int_equal(unlink(in_folder("file")), 0);
    assert_true(fs_replace(in_folder("first"), STR("replaced"), &err));
    check_file(in_folder("file"), "replaced");
    assert_true(readlink(in_folder("below/second"), seen, sizeof seen - 1) > 0);
    assert_int_equal(symlink("loop", in_folder("loop")), 0);
    assert_false(fs_put(in_folder("loop"), STR("text"), &err));
    assert_non_null(strstr(err.text, ": Too many levels of symbolic links"));
    assert_int_equal(symlink("nowhere/file", in_folder("astray")), 0);
    assert_false(fs_put(in_folder("astray"), STR("text"), &err));
    assert_non_null(strstr(err.text, ": No such file or directory"));
    assert_int_equal(readlink(in_folder("astray"), seen, sizeof seen - 1), 12);
}

static void a_name_too_long_for_the_disk_is_an_error(void **state)
{
    struct error err = {0};
    char name[256];

    (void)state;
    memset(name, 'x', 255);
    name[255] = '\0';
    assert_false(fs_replace(in_folder(name), STR("text"), &err));
    assert_int_equal(err.kind, ERROR_SYSTEM);
    assert_non_null(strstr(err.text, "cannot create '"));
    assert_int_equal(count_files(folder), 0);
}

static void writes_all_or_reports_why_not(void **state)
{
    static char text[100000];
    struct error err = {0};
    int full = open("/dev/full", O_WRONLY), ends[2];
    void (*before)(int);

    (void)state;
    assert_true(full >= 0);
    assert_true(fs_write_all(full, (struct str){0}, &err)); /* nothing always fits */
    assert_false(fs_write_all(full, STR("text"), &err));
    assert_int_equal(err.kind, ERROR_SYSTEM);
    assert_string_equal(err.text, "cannot write: No space left on device");
    assert_int_equal(close(full), 0);
    assert_false(fs_write_all(full, STR("text"), &err));
    assert_string_equal(err.text, "cannot write: Bad file descriptor");

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(close(ends[0]), 0);
    before = signal(SIGPIPE, SIG_IGN);
    assert_false(fs_write_all(ends[1], (struct str){text, sizeof text}, &err));
    (void)signal(SIGPIPE, before);
    assert_string_equal(err.text, "cannot write: Broken pipe");
    assert_int_equal(close(ends[1]), 0);
}

/* --- signals ------------------------------------------------------------------------------ */

static int wake_fd = -1;
static volatile sig_atomic_t wakes;

/* Make room in a full pipe, on the second signal. */
static void drain_pipe(int number)
{
    char bytes[4096];

    (void)number;
    if (++wakes >= 2)
        while (read(wake_fd, bytes, sizeof bytes) > 0)
            continue;
}

/* Write to the FIFO and hang up, on the second signal. */
static void feed_fifo(int number)
{
    (void)number;
    if (++wakes == 2) {
        wakes += write(wake_fd, "text", 4) == 4;
        (void)close(wake_fd);
    }
}

static void every_ten_ms(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler}; /* no SA_RESTART: calls are cut short */
    struct itimerval ten_ms = {{0, 10000}, {0, 10000}}, never = {{0, 0}, {0, 0}};

    if (handler == SIG_DFL)
        assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    wakes = 0;
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    if (handler != SIG_DFL)
        assert_int_equal(setitimer(ITIMER_REAL, &ten_ms, NULL), 0);
}

static void a_signal_does_not_stop_writing(void **state)
{
    struct error err = {0};
    char bytes[4096] = "";
    int ends[2];
    bool written;

    (void)state;
    assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
    while (write(ends[1], bytes, sizeof bytes) > 0) /* until it is full */
        continue;
    assert_int_equal(fcntl(ends[1], F_SETFL, 0), 0);
    wake_fd = ends[0];
    every_ten_ms(drain_pipe);
    written = fs_write_all(ends[1], STR("after the signal"), &err);
    every_ten_ms(SIG_DFL);
    assert_true(written);
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(close(ends[1]), 0);
}

static void a_signal_does_not_stop_reading(void **state)
{
    const char *path = in_folder("fifo");
    char stream[32]; /* as a shell calls it for <(COMMAND) */
    struct arena arena = test_arena();
    struct error err = {0};
    struct str got = {0};
    bool ok;

    (void)state;
    assert_int_equal(mkfifo(path, 0600), 0);
    wake_fd = open(path, O_RDWR);
    assert_true(wake_fd >= 0);
    (void)snprintf(stream, sizeof stream, "/dev/fd/%d", wake_fd);
    every_ten_ms(feed_fifo);
    ok = fs_read(stream, 1000, &arena, &got, &err);
    every_ten_ms(SIG_DFL);
    assert_true(ok);
    assert_str_equal(got, "text");
    arena_free(&arena);
}

#define FS_TEST(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int group_fs(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_variable_is_unset),
        FS_TEST(reads_all_of_a_file),
        FS_TEST(reads_no_more_than_it_may),
        cmocka_unit_test(reads_files_with_a_wrong_size),
        FS_TEST(reports_why_it_cannot_read),
        cmocka_unit_test(reports_a_name_that_is_too_long),
        FS_TEST(reports_missing_permission),
        FS_TEST(reading_survives_every_failing_allocation),
        cmocka_unit_test(a_stream_survives_every_failing_allocation),
        FS_TEST(knows_what_exists),
        cmocka_unit_test(joins_a_folder_and_a_name),
        FS_TEST(makes_every_folder_for_this_user_only),
        FS_TEST(a_file_is_no_folder),
        cmocka_unit_test(refuses_paths_that_are_too_long),
        FS_TEST(puts_a_file_for_others_to_read),
        FS_TEST(replaces_a_file),
        FS_TEST(replaces_a_file_in_the_current_folder),
        FS_TEST(readers_see_the_old_file_or_the_new),
        FS_TEST(a_copy_takes_a_free_name),
        FS_TEST(a_folder_is_removed_with_all_in_it),
        FS_TEST(a_folder_is_not_replaced),
        FS_TEST(a_read_only_folder_stays_as_it_is),
        FS_TEST(folder_that_cannot_be_listed_is_enough),
        FS_TEST(a_full_disk_leaves_the_old_file),
        FS_TEST(a_link_stays_a_link),
        FS_TEST(a_dangling_link_stays_a_link),
        FS_TEST(a_name_too_long_for_the_disk_is_an_error),
        cmocka_unit_test(writes_all_or_reports_why_not),
        cmocka_unit_test(a_signal_does_not_stop_writing),
        FS_TEST(a_signal_does_not_stop_reading),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
