#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/draw.h"
#include "base/fs.h"
#include "base/spawn.h"
#include "data/sync/hold.h"
#include "data/sync/rclone.h"
#include "data/sync/rsync.h"
#include "data/sync/sync_internal.h"

/* ---- what rsync lists ---- */

static const char *listed(const char *text, bool *made)
{
    static const char *const kinds[] = {"file", "link", "empty", "other"};
    static char memory[1000];
    struct buf out = buf_within(memory, sizeof memory - 1);
    struct arena arena = test_arena();
    struct carrier_listing listing;
    struct error err = {0};

    if (rsync_read_list(str_from(text), &arena, &listing, &err)) {
        for (size_t i = 0; i < listing.tree.count; i++) {
            const struct tree_entry *e = &listing.tree.entries[i];

            buf_addf(&out, "%s%s %llu ", i > 0 ? "; " : "",
                     e->trouble ? "trouble" : kinds[e->kind], (unsigned long long)e->stat.size);
            buf_add(&out, e->path);
        }
        *made = listing.made;
    } else {
        buf_addf(&out, "error: %s", err.text);
    }
    memory[out.len] = 0;
    arena_free(&arena);
    return memory;
}

static void test_listings_of_rsync(void **state)
{
    bool made = true;

    (void)state;
    assert_string_equal(
        listed("drwxr-xr-x          4096 2026/11/19 10:49:32 .\n"
               "-rw-r--r--             3 2026/11/19 10:49:32 one\n"
               "lrwxrwxrwx             6 2026/11/19 10:49:32 l -> k -> x -> y\n"
               "drwxr-xr-x          4096 2026/11/19 10:49:32 sub\n"
               "prw-r--r--             0 2026/11/19 10:49:32 p\n"
               "-rw-r--r--      12345678 2026/11/19 10:49:32 sub/a big\\#012one\n"
               "drwxr-xr-x          4096 2026/11/19 10:49:32 sub/nothing\n",
               &made),
        "link 6 l -> k; file 3 one; trouble 0 p; file 12345678 sub/a big\none; "
        "empty 0 sub/nothing/");
    assert_false(made);
    assert_string_equal(listed("drwxr-xr-x 4096 2026/11/19 10:49:32 .stint-sync\n"
                               "drwxr-xr-x 4096 2026/11/19 10:49:32 .stint-sync/tmp\n"
                               "-rw-r--r-- 1 2026/11/19 10:49:32 .stint-sync/manifest\n"
                               "-rw-r--r-- 1 2026/11/19 10:49:32 a/.stint-part/x\n"
                               "drwxr-xr-x 4096 2026/11/19 10:49:32 a\n",
                               &made),
                        "empty 0 a/");
    assert_true(made);
    assert_string_equal(listed("Welcome to gpu7\n", &made), "");
    assert_string_equal(listed("-rw-r--r-- 1 3281/11/19 10:49:32 a\n"
                               "-rw-r--r-- 1 1901/01/01 00:00:00 b\n",
                               &made),
                        "file 1 a; file 1 b");
    /* whose host it is, is not known */
    assert_string_equal(listed("-rw-r--r-- 1 2026/11/19 10:49:32 ../a\n"
                               "-rw-r--r-- 1 2026/11/19 10:49:32 /b\n"
                               "prw-r--r-- 0 2026/11/19 10:49:32 c/../../d\n"
                               "-rw-r--r-- 1 2026/11/19 10:49:32 e\\#000\n"
                               "-rw-r--r-- 1 2026/11/19 10:49:32 ..f\n",
                               &made),
                        "file 1 ..f");
    assert_string_equal(listed("-rw-r--r-- x 2026/11/19 10:49:32 a\n", &made),
                        "error: rsync lists '-rw-r--r-- x 2026/11/19 10:49:32 a', which is no "
                        "entry");
    assert_string_equal(listed("lrwxrwxrwx 90 2026/11/19 10:49:32 a -> b\n", &made),
                        "error: rsync lists the link 'a -> b' without its target");
}

/* ---- what rclone lists ---- */

static void test_listings_of_rclone(void **state)
{
    static const char text[] =
        "[\n"
        "{\"Path\":\"s/x y\",\"Name\":\"x "
        "y\",\"Size\":2,\"ModTime\":\"2026-11-19T11:34:20.2Z\","
        "\"IsDir\":false},\n"
        "{\"Path\":\"s\",\"Name\":\"s\",\"Size\":-1,\"ModTime\":\"2026-11-19T11:34:20Z\","
        "\"IsDir\":true},\n"
        "{\"Path\":\".stint-sync/manifest\",\"Size\":9,\"ModTime\":\"2026-11-19T11:34:20Z\","
        "\"IsDir\":false},\n"
        "{\"Path\":\"1\",\"Size\":3,\"ModTime\":\"2026-11-19T11:34:21Z\",\"IsDir\":false}\n"
        "]\n";
    struct carrier_listing listing;
    struct arena arena = test_arena();
    struct error err = {0};

    (void)state;
    assert_true(rclone_read_list(str_from(text), &arena, &listing, &err));
    assert_int_equal(listing.tree.count, 2);
    assert_str_equal(listing.tree.entries[0].path, "1");
    assert_int_equal(listing.tree.entries[0].stat.size, 3);
    assert_str_equal(listing.tree.entries[1].path, "s/x y");
    assert_int_equal(
        listing.tree.entries[1].stat.modified - listing.tree.entries[0].stat.modified, -SECOND);
    assert_true(
        rclone_read_list(STR("[\n{\"Path\":\"../a\",\"Size\":1},\n{\"Path\":\"\",\"Size\":1},\n"
                             "{\"Path\":\"a//b\",\"Size\":1},\n{\"Path\":\"b\",\"Size\":1}\n]"),
                         &arena, &listing, &err));
    assert_int_equal(listing.tree.count, 1);
    assert_int_equal(listing.tree.problem_count, 3);
    assert_false(
        rclone_read_list(STR("{\"Path\":\"a\",\"Size\":\"x\"}"), &arena, &listing, &err));
    assert_false(rclone_read_list(STR("{\"Path\""), &arena, &listing, &err));
    arena_free(&arena);
}

static void test_what_a_store_can_keep(void **state)
{
    const struct tree_entry entries[] = {
        {.path = STR("a/b")},
        {.path = STR("gr\303\266\303\237e")},
        {.path = STR("new\nline")},
        {.path = STR("\351")},
        {.path = STR("end ")},
        {.path = STR("d/"), .kind = TREE_EMPTY},
        {.path = STR("l"), .kind = TREE_LINK},
    };

    (void)state;
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        assert_int_equal(rclone_can_keep(&entries[i]), i < 2);
}

/* ---- two folders here ---- */

static char folder[] = "/tmp/stint-test-sync-XXXXXX";

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *at)
{
    (void)st;
    (void)flag;
    (void)at;
    return remove(path);
}

static void remove_tree(const char *name)
{
    (void)nftw(name, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/stint-test-sync-XXXXXX");
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int remove_folder(void **state)
{
    (void)state;
    if (chdir("/") != 0)
        return 1;
    remove_tree(folder);
    return 0;
}

static void put(const char *path, const char *text)
{
    char made[256];

    for (const char *at = strchr(path, '/'); at != NULL; at = strchr(at + 1, '/')) {
        (void)snprintf(made, sizeof made, "%.*s", (int)(at - path), path);
        if (mkdir(made, 0777) != 0)
            assert_int_equal(errno, EEXIST);
    }
    if (text != NULL) {
        FILE *to = fopen(path, "w");

        assert_non_null(to);
        (void)fputs(text, to);
        (void)fclose(to);
    }
}

struct syncing {
    struct sync_work work;
    struct data_place there;
};

static const struct watch nobody = {0};

static struct syncing syncing_of(enum sync_way way)
{
    return (struct syncing){
        .work = {.here = "a",
                 .here_typed = STR("a"),
                 .way = way,
                 .state = "kept/state",
                 .here_kept = "kept/a",
                 .there_kept = "kept/b",
                 .watch = &nobody,
                 .now = {clock_file_ns() / SECOND}},
        .there = {.kind = DATA_PLACE_FOLDER, .typed = STR("b"), .target = "b"}};
}

/* "upload 2, conflict 1": the plan, carried out. */
static const char *run_sync(struct syncing *s)
{
    static char memory[600];
    struct buf out = buf_within(memory, sizeof memory - 1);
    struct arena arena = test_arena();
    struct sync_plan plan;
    struct sync_done done;
    struct carrier carrier;
    struct error err = {0};

    s->work.there = &s->there;
    carrier = (struct carrier){.here = s->work.here, .there = &s->there, .watch = &nobody};
    s->work.carrier = &carrier;
    assert_true(carrier_open(&carrier, &arena, &err));
    if (!sync_plan(&s->work, &arena, &plan, &err) ||
        !sync_carry_out(&s->work, &plan, &arena, &done, &err))
        buf_addf(&out, "error: %s", err.text);
    else
        for (int i = 0; i < SYNC_STEPS; i++)
            if (plan.sums[i].paths > 0)
                buf_addf(&out, "%s%s %lld", out.len > 0 ? ", " : "", sync_step_names[i],
                         (long long)plan.sums[i].paths);
    carrier_close(&carrier, &arena);
    memory[out.len] = 0;
    arena_free(&arena);
    return memory;
}

/* "a=1 sub/b=2": all that a folder holds, but for what Stint keeps there. */
static const char *content(const char *name)
{
    static char memory[2][4000];
    static int which;
    struct arena arena = test_arena();
    struct buf out;
    struct tree tree;
    struct error err = {0};

    which = 1 - which;
    out = buf_within(memory[which], sizeof memory[which] - 1);
    assert_true(tree_walk(name, &nobody, &arena, &tree, &err));
    for (size_t i = 0; i < tree.count; i++) {
        const struct tree_entry *e = &tree.entries[i];
        char path[300], text[300] = "";

        (void)snprintf(path, sizeof path, "%s/%.*s", name, (int)e->path.len, e->path.at);
        buf_addf(&out, "%s%.*s", i > 0 ? " " : "", (int)e->path.len, e->path.at);
        if (e->kind == TREE_FILE) {
            FILE *from = fopen(path, "r");

            assert_non_null(from);
            text[fread(text, 1, sizeof text - 1, from)] = 0;
            (void)fclose(from);
            buf_addf(&out, "=%s", text);
        } else if (e->kind == TREE_LINK) {
            ssize_t len = readlink(path, text, sizeof text - 1);

            buf_addf(&out, "->%.*s", (int)len, text);
        }
    }
    memory[which][out.len] = 0;
    arena_free(&arena);
    return memory[which];
}

static void need_rsync(void)
{
    if (spawn_refused("rsync") != 0)
        test_skip("rsync is not installed");
}

static void test_one_way(void **state)
{
    struct syncing s = syncing_of(SYNC_UP);

    (void)state;
    need_rsync();
    put("a/one", "1");
    put("a/sub/two", "2");
    put("a/new\nline", "3");
    put("a/empty/", NULL);
    assert_int_equal(symlink("one", "a/link"), 0);
    assert_string_equal(run_sync(&s), "upload 5");
    assert_string_equal(content("b"), content("a"));
    assert_true(fs_exists("b/.stint-sync/manifest"));
    assert_false(fs_exists("a/.stint-sync"));
    assert_string_equal(run_sync(&s), "unchanged 5");
    /* what only the destination has, has changed or has lost */
    put("a/one", "1x");
    put("b/own", "o");
    put("b/new\nline", "changed there");
    assert_int_equal(remove("b/link"), 0);
    assert_string_equal(run_sync(&s), "upload 2, kept 2, unchanged 2");
    assert_string_equal(content("b"),
                        "empty/ link->one new\nline=changed there one=1x own=o sub/two=2");
    /* the same path on both: it stays as it is on both, until the newer is asked for */
    put("a/new\nline", "and here");
    assert_string_equal(run_sync(&s), "conflict 1, kept 1, unchanged 4");
    assert_string_equal(run_sync(&s), "conflict 1, kept 1, unchanged 4");
    s.work.conflict = DATA_CONFLICT_NEWER;
    assert_string_equal(run_sync(&s), "upload 1, kept 1, unchanged 4");
}

static void test_deletions_are_asked_for(void **state)
{
    struct syncing s = syncing_of(SYNC_UP);

    (void)state;
    need_rsync();
    put("a/x/y/z", "1");
    put("a/x/w", "2");
    put("a/k", "3");
    put("b/k", "4");
    put("b/old", "5");
    s.work.deletes = true;
    assert_string_equal(run_sync(&s), "upload 2, conflict 1, kept 1");
    remove_tree("a/x");
    s.work.deletes = false;
    assert_string_equal(run_sync(&s), "conflict 1, kept 3");
    s.work.deletes = true;
    assert_string_equal(run_sync(&s), "delete remote 2, conflict 1, kept 1");
    assert_string_equal(content("b"), "k=4 old=5");
    assert_false(fs_exists("b/x"));
    /* folders in each other, of which only the innermost had something */
    put("a/v/w/x/1", "1");
    put("a/v/w/x/2", "1");
    put("a/v/y/1", "1");
    assert_string_equal(run_sync(&s), "upload 3, conflict 1, kept 1");
    remove_tree("a/v");
    assert_string_equal(run_sync(&s), "delete remote 3, conflict 1, kept 1");
    assert_false(fs_exists("b/v"));
    /* a name that changes between file and folder */
    put("a/n/1", "1");
    put("a/m", "1");
    assert_string_equal(run_sync(&s), "upload 2, conflict 1, kept 1");
    remove_tree("a/n");
    assert_int_equal(remove("a/m"), 0);
    put("a/n", "file");
    put("a/m/1", "folder");
    assert_string_equal(run_sync(&s), "upload 2, delete remote 2, conflict 1, kept 1");
    assert_string_equal(content("b"), "k=4 m/1=folder n=file old=5");
}

static void test_both_ways(void **state)
{
    struct syncing s = syncing_of(SYNC_BOTH);

    (void)state;
    need_rsync();
    put("a/a", "1");
    put("b/b", "2");
    put("b/deep/c", "3");
    assert_string_equal(run_sync(&s), "upload 1, download 2");
    assert_string_equal(content("a"), "a=1 b=2 deep/c=3");
    assert_string_equal(content("b"), content("a"));
    put("a/b", "22");
    put("b/a", "11");
    remove_tree("a/deep");
    assert_string_equal(run_sync(&s), "upload 1, download 1, kept 1");
    s.work.deletes = true;
    assert_string_equal(run_sync(&s), "delete remote 1, unchanged 2");
    assert_string_equal(content("a"), "a=11 b=22");
    assert_string_equal(content("b"), content("a"));
    assert_int_equal(remove("b/a"), 0);
    assert_int_equal(remove("b/b"), 0);
    assert_string_equal(
        run_sync(&s), "error: 'b' is empty, and was not at the last sync: nothing is deleted");
    assert_string_equal(content("a"), "a=11 b=22");
}

static void test_what_stays_is_replaced_by_nothing(void **state)
{
    struct syncing s = syncing_of(SYNC_UP);

    (void)state;
    need_rsync();
    put("a/d/1", "1");
    put("a/k", "2");
    put("a/m", "3");
    assert_string_equal(run_sync(&s), "upload 3");
    /* the destination has a file of its own in place of a folder */
    remove_tree("b/d");
    put("b/d", "own");
    assert_string_equal(run_sync(&s), "conflict 1, kept 1, unchanged 2");
    s.work.deletes = true;
    assert_string_equal(run_sync(&s), "conflict 1, kept 1, unchanged 2");
    /* a folder takes the place of a file, which is not to be deleted */
    s.work.deletes = false;
    assert_int_equal(remove("a/k"), 0);
    put("a/k/new", "4");
    assert_int_equal(remove("a/m"), 0);
    put("a/m/", NULL);
    assert_string_equal(run_sync(&s), "conflict 3, kept 3");
    assert_string_equal(content("b"), "d=own k=2 m=3");
    s.work.deletes = true;
    assert_string_equal(run_sync(&s), "upload 2, delete remote 2, conflict 1, kept 1");
    assert_string_equal(content("b"), "d=own k/new=4 m/");
    /* an empty folder in place of a file that was never synced */
    put("a/n/", NULL);
    put("b/n", "own");
    assert_string_equal(run_sync(&s), "conflict 2, kept 2, unchanged 2");
    assert_string_equal(content("b"), "d=own k/new=4 m/ n=own");
}

static void test_a_file_with_two_names(void **state)
{
    struct syncing s = syncing_of(SYNC_BOTH);
    struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};

    (void)state;
    need_rsync();
    put("a/q", "1");
    assert_string_equal(run_sync(&s), "upload 1");
    put("b/q", "newer");
    put("a/p", "2");
    assert_int_equal(remove("a/q"), 0);
    assert_int_equal(link("a/p", "a/q"), 0);
    assert_int_equal(utimensat(AT_FDCWD, "a/p", times, 0), 0);
    s.work.conflict = DATA_CONFLICT_NEWER;
    assert_string_equal(run_sync(&s), "upload 1, download 1");
    assert_string_equal(content("a"), "p=2 q=newer");
    assert_string_equal(content("b"), content("a"));
}

static void test_what_a_killed_one_left_is_removed(void **state)
{
    struct syncing s = syncing_of(SYNC_UP);
    struct arena arena = test_arena();
    struct error err = {0};
    const char *path;
    int held;

    (void)state;
    need_rsync();
    put("a/x", "1");
    put("b/.stint-sync/tmp/.x.a1B2c3", "half");
    put("tmp/stint-sync-killed/new/x", "1");
    put("tmp/other/x", "1");
    assert_int_equal(setenv("TMPDIR", "tmp", 1), 0);
    assert_true(hold_new("tmp", &arena, &path, &held, &err));
    assert_string_equal(run_sync(&s), "upload 1");
    assert_int_equal(unsetenv("TMPDIR"), 0);
    assert_false(fs_exists("b/.stint-sync/tmp/.x.a1B2c3"));
    assert_false(fs_exists("tmp/stint-sync-killed"));
    assert_true(fs_exists("tmp/other/x"));
    assert_true(fs_exists(path)); /* somebody works in it */
    assert_int_equal(close(held), 0);
    arena_free(&arena);
}

/* As if it were killed before anything has moved. */
static void begin_sync(struct syncing *s)
{
    struct arena arena = test_arena();
    struct sync_plan plan;
    struct carrier carrier = {.here = s->work.here, .there = &s->there, .watch = &nobody};
    struct error err = {0};

    s->work.there = &s->there;
    s->work.carrier = &carrier;
    assert_true(carrier_open(&carrier, &arena, &err));
    assert_true(sync_plan(&s->work, &arena, &plan, &err));
    assert_true(sync_begin_moving(&s->work, &plan, &arena, &err));
    carrier_close(&carrier, &arena);
    arena_free(&arena);
}

static void test_what_was_moving_is_known_the_other_way_round(void **state)
{
    struct syncing s = syncing_of(SYNC_BOTH);

    (void)state;
    need_rsync();
    put("a/x", "1");
    assert_string_equal(run_sync(&s), "upload 1");
    put("b/x", "new");
    begin_sync(&s);
    s.work.here = "b";
    s.work.here_kept = "kept/b";
    s.work.there_kept = "kept/a";
    s.work.swapped = true;
    s.there.typed = STR("a");
    s.there.target = "a";
    assert_string_equal(run_sync(&s), "upload 1");
    assert_string_equal(content("a"), "x=new");
}

static void test_down_into_a_new_folder(void **state)
{
    struct syncing s = syncing_of(SYNC_DOWN);

    (void)state;
    need_rsync();
    put("b/x/1", "1");
    assert_string_equal(run_sync(&s), "download 1");
    assert_string_equal(content("a"), "x/1=1");
    assert_true(fs_exists("a/.stint-sync/manifest"));
    assert_false(fs_exists("b/.stint-sync"));
    s.there.typed = STR("nowhere");
    s.there.target = "nowhere";
    assert_string_equal(run_sync(&s), "error: there is no folder 'nowhere'");
}

static void test_what_differs_in_silence_is_verified(void **state)
{
    struct syncing s = syncing_of(SYNC_UP);
    struct stat before;
    struct timespec times[2];

    (void)state;
    need_rsync();
    put("a/1", "one");
    put("a/2", "two");
    assert_string_equal(run_sync(&s), "upload 2");
    s.work.verify = true;
    assert_string_equal(run_sync(&s), "unchanged 2");
    assert_int_equal(stat("b/1", &before), 0);
    put("b/1", "0ne");
    times[0] = times[1] = before.st_mtim;
    assert_int_equal(utimensat(AT_FDCWD, "b/1", times, 0), 0);
    assert_string_equal(run_sync(&s), "kept 1, unchanged 1");
}

#define NAME_COUNT 10
static const char *const names[NAME_COUNT] = {"a",   "b",           "c/a", "c/b",   "c/d/e",
                                              "c;d", "c/new\nline", "e",   "e/f/g", "\351"};

static void edit(uint64_t *draw, const char *side)
{
    for (int i = 0; i < 4; i++) {
        char path[64], text[16];

        (void)snprintf(path, sizeof path, "%s/%s", side, names[draw_below(draw, NAME_COUNT)]);
        remove_tree(path);
        if (draw_below(draw, 3) == 0)
            continue;
        for (char *at = strchr(path, '/'); at != NULL; at = strchr(at + 1, '/')) {
            struct stat st;

            *at = 0;
            if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode))
                (void)remove(path);
            *at = '/';
        }
        (void)snprintf(text, sizeof text, "%llu", (unsigned long long)draw_below(draw, 1000));
        put(path, text);
    }
}

/* A sync that is killed after so many microseconds, with all that it started. */
static void run_killed(struct syncing *s, unsigned us)
{
    pid_t child = fork();
    int how;

    assert_true(child >= 0);
    if (child == 0) {
        (void)run_sync(s);
        _exit(0);
    }
    (void)usleep(us);
    (void)kill(child, SIGKILL);
    (void)waitpid(child, &how, 0);
    (void)usleep(20000); /* its rsync ends with it */
}

/* What was written since the last sync must be on a side; older content may be replaced. */
static void check_nothing_lost(const char *edited, const char *synced, const char *a,
                               const char *b)
{
    struct str rest = str_from(edited);

    while (rest.len > 0) {
        struct str word = str_cut(&rest, ' ');

        if (!str_has_nocase(str_from(synced), word) && !str_has_nocase(str_from(a), word) &&
            !str_has_nocase(str_from(b), word))
            fail_msg("'%.*s' is lost: [%s] [%s]", STR_ARG(word), a, b);
    }
}

#define ROUNDS 40

static void test_killed_at_any_moment_nothing_is_lost(void **state)
{
    uint64_t draw = 20261119;
    char edited[2][4000], synced[8000] = "";

    (void)state;
    need_rsync();
    for (int round = 0; round < ROUNDS; round++) {
        struct syncing s = syncing_of(SYNC_BOTH);
        const char *result, *a, *b;

        if (round % 5 == 0) {
            remove_tree("a");
            remove_tree("b");
            remove_tree("kept");
            put("a/", NULL);
            put("b/", NULL);
            synced[0] = 0;
        }
        s.work.deletes = round % 2 == 0;
        edit(&draw, "a");
        edit(&draw, "b");
        (void)snprintf(edited[0], sizeof edited[0], "%s", content("a"));
        (void)snprintf(edited[1], sizeof edited[1], "%s", content("b"));
        run_killed(&s, (unsigned)draw_below(&draw, 120000));
        result = run_sync(&s);
        if (strstr(result, "error") != NULL && strstr(result, "is empty") == NULL)
            fail_msg("round %d: %s", round, result);
        a = content("a");
        b = content("b");
        check_nothing_lost(edited[0], synced, a, b);
        check_nothing_lost(edited[1], synced, a, b);
        if (strstr(result, "conflict") == NULL && strstr(result, "kept") == NULL &&
            strstr(result, "error") == NULL)
            assert_string_equal(a, b);
        (void)snprintf(synced, sizeof synced, "%s %s", a, b);
    }
}

#define SYNC_TEST(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int group_sync(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listings_of_rsync),
        cmocka_unit_test(test_listings_of_rclone),
        cmocka_unit_test(test_what_a_store_can_keep),
        SYNC_TEST(test_one_way),
        SYNC_TEST(test_deletions_are_asked_for),
        SYNC_TEST(test_both_ways),
        SYNC_TEST(test_what_stays_is_replaced_by_nothing),
        SYNC_TEST(test_what_was_moving_is_known_the_other_way_round),
        SYNC_TEST(test_a_file_with_two_names),
        SYNC_TEST(test_what_a_killed_one_left_is_removed),
        SYNC_TEST(test_down_into_a_new_folder),
        SYNC_TEST(test_what_differs_in_silence_is_verified),
        SYNC_TEST(test_killed_at_any_moment_nothing_is_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
