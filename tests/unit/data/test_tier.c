/* Files by age, and how they move: complete in at least one place, never in place of
 * another. */
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "data/move.h"
#include "data/tier.h"

#define DAY_NS (SECONDS_PER_DAY * SECOND)
#define NOW_NS (INT64_C(1794700800) * SECOND)

static char near[64], far[64]; /* folders on two disks, if there are two */
static char beside[80];        /* in `near` */

static int make_folders(void **state)
{
    (void)state;
    (void)snprintf(near, sizeof near, "/tmp/stint-near-XXXXXX");
    (void)snprintf(far, sizeof far, "%s/stint-far-XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(near) == NULL || mkdtemp(far) == NULL)
        return 1;
    (void)snprintf(beside, sizeof beside, "%s/beside", near);
    return 0;
}

static int remove_folders(void **state)
{
    char command[200];

    (void)state;
    (void)snprintf(command, sizeof command, "rm -r %s %s", near, far);
    return system(command);
}

static const char *path_in(const char *folder, const char *name)
{
    static char paths[4][200];
    static unsigned next;
    char *path = paths[next++ % 4];

    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void put_file(const char *path, const char *text, int days_old)
{
    struct timespec times[2] = {{NOW_NS / SECOND - days_old * SECONDS_PER_DAY, 0},
                                {NOW_NS / SECOND - days_old * SECONDS_PER_DAY, 0}};
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void assert_content(const char *path, const char *text)
{
    char got[64] = "";
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    (void)fread(got, 1, sizeof got - 1, file);
    (void)fclose(file);
    assert_string_equal(got, text);
}

static struct tier_rules ages(int warm, int cold, int gone)
{
    struct tier_rules rules = {.folder = near, .now_ns = NOW_NS};
    const int days[] = {0, warm, cold, gone};

    for (int i = 0; i < TIER_COUNT; i++)
        rules.after[i] = days[i] >= 0 ? (span){days[i] * DAY_NS} : SPAN_UNKNOWN;
    return rules;
}

/* "cold a, delete b; c: reason" */
static const char *chosen(const struct tier_rules *rules, struct arena *arena)
{
    static char memory[1000];
    struct buf text = buf_within(memory, sizeof memory - 1);
    const struct watch watch = {0};
    struct tier_choice choice;
    struct error err = {0};
    struct tree tree;

    assert_true(tree_walk(near, &watch, arena, &tree, &err));
    assert_true(tier_choose(&tree, rules, arena, &choice, &err));
    for (size_t i = 0; i < choice.count; i++) {
        const struct tier_file *f = &choice.files[i];

        buf_addf(&text, "%s%s %.*s%s%.*s", i > 0 ? ", " : "", data_tier_names[f->tier],
                 STR_ARG(f->path), f->kept.len > 0 ? ": " : "", STR_ARG(f->kept));
    }
    assert_true(buf_ok(&text, &err));
    memory[text.len] = 0;
    return memory;
}

static const char *guards_b(struct str path)
{
    return str_eq(path, STR("b")) ? "guarded" : NULL;
}

static void age_decides(void **state)
{
    struct tier_rules rules = ages(30, 90, 365);
    struct arena arena = test_arena();
    const struct str only = STR("*.log");

    (void)state;
    put_file(path_in(near, "a"), "new", 29);
    put_file(path_in(near, "b"), "warm", 30);
    put_file(path_in(near, "c.log"), "cold", 90);
    put_file(path_in(near, "d"), "gone", 365);
    put_file(path_in(near, "e"), "written in the future", -10);
    assert_int_equal(mkdir(path_in(near, ".git"), 0755), 0);
    put_file(path_in(near, ".git/config"), "hidden", 400);
    assert_string_equal(chosen(&rules, &arena), "warm b, cold c.log, delete d");
    rules = ages(-1, 90, -1);
    assert_string_equal(chosen(&rules, &arena), "cold c.log, cold d");
    rules = ages(30, 90, 365);
    rules.belongs = guards_b;
    assert_string_equal(chosen(&rules, &arena), "warm b: guarded, cold c.log, delete d");
    rules.only = (struct strs){&only, 1};
    assert_string_equal(chosen(&rules, &arena), "cold c.log");
    arena_free(&arena);
}

static void other_names_and_reading_hold(void **state)
{
    struct tier_rules rules = ages(-1, 90, -1);
    struct arena arena = test_arena();
    struct timespec lately[2] = {{NOW_NS / SECOND - 5, 0}, {0, UTIME_OMIT}};

    (void)state;
    put_file(path_in(near, "a"), "one", 100);
    put_file(path_in(near, "b"), "two", 100);
    assert_int_equal(utimensat(AT_FDCWD, path_in(near, "b"), lately, 0), 0);
    assert_string_equal(chosen(&rules, &arena), "cold a, cold b");
    rules.by_use = true;
    assert_string_equal(chosen(&rules, &arena), "cold a, cold b: it was read lately");
    assert_int_equal(link(path_in(near, "a"), path_in(near, "c")), 0);
    assert_non_null(strstr(chosen(&rules, &arena), "cold a: it has other names"));
    arena_free(&arena);
}

/* Move `name` from near to `to`. */
static bool move_file(const char *name, const char *to, bool link, struct error *err)
{
    const struct watch watch = {0};
    struct arena arena = test_arena();
    struct move_work work = {
        .from = near, .to = to, .path = str_from(name), .link = link, .watch = &watch};
    struct stat st;
    bool ok;

    assert_int_equal(lstat(path_in(near, name), &st), 0);
    work.stat = tree_stat_of(&st);
    ok = data_move_file(&work, &arena, err);
    arena_free(&arena);
    return ok;
}

static void files_move_between_disks(void **state)
{
    const char *targets[] = {far, beside};
    struct error err = {0};
    struct stat st;

    (void)state;
    assert_int_equal(mkdir(targets[1], 0755), 0);
    assert_int_equal(mkdir(path_in(near, "sub"), 0755), 0);
    for (int i = 0; i < 2; i++) {
        put_file(path_in(near, "sub/a"), "content", 100);
        assert_int_equal(chmod(path_in(near, "sub/a"), 0640), 0);
        assert_true(move_file("sub/a", targets[i], false, &err));
        assert_int_equal(access(path_in(near, "sub/a"), F_OK), -1);
        assert_content(path_in(targets[i], "sub/a"), "content");
        assert_int_equal(stat(path_in(targets[i], "sub/a"), &st), 0);
        assert_int_equal(st.st_mode & 0777, 0640);
        assert_int_equal(st.st_mtime, NOW_NS / SECOND - 100 * SECONDS_PER_DAY);
        put_file(path_in(near, "b"), "linked", 100);
        assert_true(move_file("b", targets[i], true, &err));
        assert_int_equal(lstat(path_in(near, "b"), &st), 0);
        assert_true(S_ISLNK(st.st_mode));
        assert_content(path_in(near, "b"), "linked");
        assert_int_equal(unlink(path_in(near, "b")), 0);
    }
}

static void nothing_is_replaced(void **state)
{
    const char *targets[] = {far, beside};

    (void)state;
    assert_int_equal(mkdir(targets[1], 0755), 0);
    for (int i = 0; i < 2; i++) {
        struct error err = {0};

        put_file(path_in(near, "a"), "mine", 100);
        put_file(path_in(targets[i], "a"), "other", 1);
        assert_false(move_file("a", targets[i], false, &err));
        assert_non_null(strstr(err.text, "there is another"));
        assert_content(path_in(near, "a"), "mine");
        assert_content(path_in(targets[i], "a"), "other");
        put_file(path_in(targets[i], "a"), "mine", 1); /* an earlier move was broken off */
        assert_true(move_file("a", targets[i], false, &err));
        assert_int_equal(access(path_in(near, "a"), F_OK), -1);
        assert_content(path_in(targets[i], "a"), "mine");
    }
}

static void holes_stay_holes(void **state)
{
    struct error err = {0};
    int fd = open(path_in(near, "holes"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    struct stat st;

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, 64 << 20), 0);
    assert_int_equal(pwrite(fd, "end", 3, (64 << 20) - 3), 3);
    assert_int_equal(close(fd), 0);
    assert_true(move_file("holes", far, false, &err));
    assert_int_equal(stat(path_in(far, "holes"), &st), 0);
    assert_int_equal(st.st_size, 64 << 20);
    assert_true(st.st_blocks * 512 < 4 << 20);
}

static void what_has_changed_stays(void **state)
{
    const struct watch watch = {0};
    struct arena arena = test_arena();
    struct error err = {0};
    struct move_work work = {.from = near, .to = far, .path = STR("a"), .watch = &watch};
    struct stat st;

    (void)state;
    put_file(path_in(near, "a"), "then", 100);
    assert_int_equal(lstat(path_in(near, "a"), &st), 0);
    work.stat = tree_stat_of(&st);
    put_file(path_in(near, "a"), "now", 1);
    assert_false(data_move_file(&work, &arena, &err));
    assert_false(data_remove_file(near, STR("a"), &work.stat, &arena, &err));
    assert_content(path_in(near, "a"), "now");
    assert_int_equal(access(path_in(far, "a"), F_OK), -1);
    assert_int_equal(lstat(path_in(near, "a"), &st), 0);
    work.stat = tree_stat_of(&st);
    assert_true(data_remove_file(near, STR("a"), &work.stat, &arena, &err));
    assert_int_equal(access(path_in(near, "a"), F_OK), -1);
    arena_free(&arena);
}

#define TIER_TEST(f) cmocka_unit_test_setup_teardown(f, make_folders, remove_folders)

int group_tier(void)
{
    const struct CMUnitTest tests[] = {
        TIER_TEST(age_decides),
        TIER_TEST(other_names_and_reading_hold),
        TIER_TEST(files_move_between_disks),
        TIER_TEST(nothing_is_replaced),
        TIER_TEST(holes_stay_holes),
        TIER_TEST(what_has_changed_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
