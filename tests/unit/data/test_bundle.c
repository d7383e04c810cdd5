#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/part.h"
#include "data/bundle/archive_part.h"
#include "data/bundle/bundle.h"
#include "data/digest.h"

static char folder[64]; /* of this test; removed after it */
static const struct watch no_watch;

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/stint-bundle-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    char command[200];

    (void)state;
    (void)snprintf(command, sizeof command, "chmod -R u+rwx %s && rm -r %s", folder, folder);
    return system(command);
}

static int remove_out(void)
{
    char command[200];

    (void)snprintf(command, sizeof command, "rm -r %s/out", folder);
    return system(command);
}

static const char *in_folder(const char *name)
{
    static char paths[4][900];
    static unsigned next;
    char *path = paths[next++ % 4];

    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void make(const char *name)
{
    assert_int_equal(mkdir(in_folder(name), 0755), 0);
}

static void put_bytes(const char *name, struct str bytes)
{
    FILE *file = fopen(in_folder(name), "wb");

    assert_non_null(file);
    if (bytes.len > 0)
        assert_int_equal(fwrite(bytes.at, 1, bytes.len, file), bytes.len);
    assert_int_equal(fclose(file), 0);
}

static void put(const char *name, const char *text)
{
    put_bytes(name, str_from(text));
}

/* Bytes that look random, or words that can be packed. */
static void put_large(const char *name, size_t len, bool random)
{
    char *bytes = malloc(len);
    uint64_t draw = 88172645463325252ULL + len;

    assert_non_null(bytes);
    for (size_t i = 0; i < len; i++) {
        draw ^= draw << 13;
        draw ^= draw >> 7;
        draw ^= draw << 17;
        bytes[i] = random ? (char)(draw & 0xff) : "training "[i % 9 + (draw % 16 == 0 ? 1 : 0)];
    }
    put_bytes(name, (struct str){bytes, len});
    free(bytes);
}

static struct manifest take(const char *name, struct arena *arena)
{
    struct manifest_work work = {.folder = in_folder(name), .watch = &no_watch};
    struct manifest_took took;
    struct manifest m;
    struct error err = {0};

    if (!manifest_take(&work, arena, &m, &took, &err))
        fail_msg("%s", err.text);
    return m;
}

/* All that a bundle may hold. */
static void make_tree(void)
{
    char deep[300] = "tree/";

    make("tree");
    make("tree/sub");
    make("tree/empty");
    make("tree/sub/deep");
    put("tree/one.txt", "one");
    put("tree/none", "");
    put("tree/new\nline \xff", "x");
    put("tree/sub/run.sh", "#!/bin/sh\n");
    assert_int_equal(chmod(in_folder("tree/sub/run.sh"), 0700), 0);
    for (int i = 0; i < 120; i++)
        (void)strcat(deep, "n");
    make(deep);
    (void)strcat(deep, "/");
    for (int i = 0; i < 120; i++)
        (void)strcat(deep, "m");
    put(deep, "long");
    assert_int_equal(symlink("one.txt", in_folder("tree/link")), 0);
    assert_int_equal(symlink("../../one.txt", in_folder("tree/sub/deep/link")), 0);
    put_large("tree/random.bin", 3000000, true);
    put_large("tree/words.txt", 20000000, false);
    put_large("tree/zip.bin", 9000000, true);
}

/* Bundle what is in `tree`, as "dataset/" and with a file; its path. */
static struct bundle write_one(const char *to, enum bundle_kind kind, unsigned threads,
                               struct bundle_took *took, struct arena *arena)
{
    struct bundle_source *sources = arena_array(arena, struct bundle_source, 2, NULL);
    struct manifest *tree = arena_array(arena, struct manifest, 1, NULL);
    struct tree *file = arena_array(arena, struct tree, 1, NULL);
    struct bundle_work work = {.kind = kind, .threads = threads, .watch = &no_watch};
    struct bundle bundle;
    struct error err = {0};

    if (!fs_exists(in_folder("settings.json"))) /* its time is in the bundle, too */
        put("settings.json", "{}");
    sources[0] = (struct bundle_source){.name = STR("config.json"), .tree = file};
    sources[1] = (struct bundle_source){.name = STR("dataset/"), .tree = &tree->tree};
    *tree = take("tree", arena);
    sources[1].folder = str_dup(str_from(in_folder("tree")), arena, &err);
    assert_true(bundle_file(in_folder("settings.json"), &no_watch, arena, file,
                            &sources[0].folder, &err));
    if (!bundle_plan(sources, 2, arena, &bundle, &err))
        fail_msg("%s", err.text);
    work.name = to;
    work.fd = open(in_folder(to), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    assert_true(work.fd >= 0);
    if (!bundle_write(&work, &bundle, took, &err))
        fail_msg("%s", err.text);
    assert_int_equal(close(work.fd), 0);
    return bundle;
}

static bool unpack_one(const char *from, const char *to, struct arena *arena,
                       struct manifest *out, struct error *err)
{
    struct fs_stream stream = {.name = from};
    struct unbundle_work work = {.name = from, .watch = &no_watch};
    bool ok;

    work.folder = str_dup(str_from(in_folder(to)), arena, err);
    stream.fd = open(in_folder(from), O_RDONLY | O_CLOEXEC);
    assert_true(stream.fd >= 0);
    work.packed = fs_source(&stream);
    *err = (struct error){0};
    ok = unbundle(&work, arena, out, err);
    (void)close(stream.fd);
    return ok;
}

/* How many names the folder of the test has. */
static size_t names_there(void)
{
    DIR *dir = opendir(folder);
    size_t count = 0;

    assert_non_null(dir);
    while (readdir(dir) != NULL)
        count++;
    (void)closedir(dir);
    return count - 2;
}

static struct str text_of(const char *name, struct arena *arena)
{
    struct str text;
    struct error err = {0};

    assert_true(fs_read(in_folder(name), (size_t)1 << 30, arena, &text, &err));
    return text;
}

static void check_round_trip(const char *name, enum bundle_kind kind)
{
    struct arena arena = test_arena();
    struct bundle_took took;
    struct bundle bundle;
    struct manifest announced, before, after;
    struct stat a, b;
    struct error err;

    make_tree();
    bundle = write_one(name, kind, 3, &took, &arena);
    assert_int_equal(bundle.outside, 0);
    assert_int_equal(took.stored, 12000000);
    assert_true(took.size < 18000000);
    if (!unpack_one(name, "out", &arena, &announced, &err))
        fail_msg("%s", err.text);
    assert_memory_equal(announced.digest, bundle.manifest.digest, TREE_DIGEST);
    before = take("tree", &arena);
    after = take("out/dataset", &arena);
    assert_memory_equal(before.digest, after.digest, TREE_DIGEST);
    for (size_t i = 0; i < before.tree.count; i++)
        if (before.tree.entries[i].kind != TREE_EMPTY)
            assert_true(before.tree.entries[i].stat.modified ==
                        after.tree.entries[i].stat.modified);
    assert_true(str_eq(text_of("out/config.json", &arena), STR("{}")));
    assert_int_equal(stat(in_folder("out/dataset/sub/run.sh"), &a), 0);
    assert_int_equal(stat(in_folder("out/dataset/one.txt"), &b), 0);
    assert_int_equal(a.st_mode & S_IXUSR, S_IXUSR);
    assert_int_equal(b.st_mode & 0111, 0);
    assert_int_equal(names_there(), 4);
    assert_false(unpack_one(name, "out", &arena, &announced, &err));
    assert_non_null(strstr(err.text, "is there already"));
    arena_free(&arena);
}

static void test_gzip_comes_back(void **state)
{
    (void)state;
    check_round_trip("x.tar.gz", BUNDLE_GZIP);
}

static void test_zstd_comes_back(void **state)
{
    (void)state;
    check_round_trip("x.tar.zst", BUNDLE_ZSTD);
}

static void test_same_bytes(void **state)
{
    static const enum bundle_kind kinds[] = {BUNDLE_GZIP, BUNDLE_ZSTD};
    struct arena arena = test_arena();
    struct bundle_took took;

    (void)state;
    make_tree();
    for (size_t k = 0; k < 2; k++) {
        (void)write_one("a", kinds[k], 1, &took, &arena);
        assert_int_equal(chmod(in_folder("tree/one.txt"), k == 0 ? 0600 : 0640), 0);
        (void)write_one("b", kinds[k], 4, &took, &arena);
        assert_true(str_eq(text_of("a", &arena), text_of("b", &arena)));
    }
    arena_free(&arena);
}

static void test_an_empty_folder(void **state)
{
    struct arena arena = test_arena();
    struct bundle_took took;
    struct manifest m;
    struct error err;

    (void)state;
    make("tree");
    (void)write_one("x", BUNDLE_GZIP, 0, &took, &arena);
    assert_true(unpack_one("x", "out", &arena, &m, &err));
    assert_true(fs_is_folder(in_folder("out/dataset")));
    arena_free(&arena);
}

static void test_links_that_lead_outside(void **state)
{
    static const struct {
        const char *path, *target;
        bool stays;
    } rows[] = {
        {"dataset/a", "b", true},
        {"dataset/a", "./b/c", true},
        {"dataset/a", "../b", false},
        {"dataset/a", "/etc/passwd", false},
        {"dataset/s/a", "../b", true},
        {"dataset/s/a", "../../b", false},
        {"dataset/s/a", "..", true},
        {"dataset/s/t/a", "../..", true},
        {"dataset/s/t/a", "../../..", false},
        {"dataset/s/a", "b/../../x", false},
        {"dataset/s/a", "b/..", false},
        {"dataset/s/a", "", false},
        {"dataset/s/a", ".//../b", true},
        {"a", "b", true},
        {"a", "..", false},
    };
    struct arena arena = test_arena();
    struct bundle_took took;
    struct bundle bundle;
    struct manifest m;
    struct stat st;
    struct error err;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(bundle_link_stays(str_from(rows[i].path), str_from(rows[i].target)),
                         rows[i].stays);
    make("tree");
    put("tree/a", "a");
    assert_int_equal(symlink("/etc/passwd", in_folder("tree/out")), 0);
    assert_int_equal(symlink("a", in_folder("tree/in")), 0);
    bundle = write_one("x", BUNDLE_ZSTD, 0, &took, &arena);
    assert_int_equal(bundle.outside, 1);
    assert_int_equal(bundle.manifest.tree.problem_count, 1);
    assert_true(unpack_one("x", "out", &arena, &m, &err));
    assert_int_equal(lstat(in_folder("out/dataset/in"), &st), 0);
    assert_int_not_equal(lstat(in_folder("out/dataset/out"), &st), 0);
    arena_free(&arena);
}

static void test_a_file_that_changes(void **state)
{
    struct arena arena = test_arena();
    struct bundle_source source = {.name = STR("dataset/")};
    struct bundle_work work = {.kind = BUNDLE_ZSTD, .name = "x", .watch = &no_watch};
    struct bundle_took took;
    struct bundle bundle;
    struct manifest m;
    struct error err = {0};

    (void)state;
    make("tree");
    put("tree/a", "a");
    put("tree/b", "b");
    m = take("tree", &arena);
    source.tree = &m.tree;
    source.folder = in_folder("tree");
    assert_true(bundle_plan(&source, 1, &arena, &bundle, &err));
    put("tree/b", "more");
    work.fd = open(in_folder("x"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    assert_false(bundle_write(&work, &bundle, &took, &err));
    assert_string_equal(err.text, "'dataset/b' has changed meanwhile");
    assert_int_equal(unlink(in_folder("tree/b")), 0);
    assert_false(bundle_write(&work, &bundle, &took, &err));
    assert_string_equal(err.text, "'dataset/b' has changed meanwhile");
    (void)close(work.fd);
    arena_free(&arena);
}

/* Cut anywhere, or with any byte changed, it is refused and leaves nothing; or what changed is
 * of no content, such as the system's name in the header of gzip. */
static void test_damaged_ones(void **state)
{
    struct arena arena = test_arena();
    struct bundle_took took;
    struct bundle bundle;
    struct manifest m;
    struct error err;

    (void)state;
    make("tree");
    put("tree/a", "some text, some text, some text");
    put_large("tree/b", 40000, true);
    for (int k = 0; k < 2; k++) {
        struct str text;
        char *bytes;

        bundle = write_one("x", k == 0 ? BUNDLE_GZIP : BUNDLE_ZSTD, 1, &took, &arena);
        text = text_of("x", &arena);
        bytes = str_dup(text, &arena, &err);
        for (size_t len = 0; len < text.len; len += len < 100 ? 1 : 997) {
            put_bytes("y", (struct str){bytes, len});
            if (!unpack_one("y", "out", &arena, &m, &err)) {
                assert_int_equal(err.kind, ERROR_INPUT);
                assert_int_equal(names_there(), 4);
                continue;
            }
            assert_true(len + 64 > text.len);
            assert_int_equal(remove_out(), 0);
        }
        for (size_t i = 0; i < text.len; i += i < 300 ? 7 : 1409) {
            bytes[i] = (char)(bytes[i] ^ 0x10);
            put_bytes("y", (struct str){bytes, text.len});
            bytes[i] = (char)(bytes[i] ^ 0x10);
            if (!unpack_one("y", "out", &arena, &m, &err)) {
                assert_int_equal(err.kind, ERROR_INPUT);
                assert_int_equal(names_there(), 4);
                continue;
            }
            assert_memory_equal(m.digest, bundle.manifest.digest, TREE_DIGEST);
            assert_int_equal(remove_out(), 0);
        }
    }
    arena_free(&arena);
}

/* An archive that a hostile hand makes, member by member. */
struct forged {
    const struct archive_part *part;
    struct buf tar;
};

static void forge(struct forged *f, struct archive_member member, struct str content)
{
    unsigned char head[8192];
    size_t len = f->part->head(&member, head, sizeof head);

    assert_true(len > 0);
    buf_add(&f->tar, (struct str){(const char *)head, len});
    buf_add(&f->tar, content);
    buf_pad(&f->tar, 0, (512 - content.len % 512) % 512);
}

static void forge_file(struct forged *f, const char *path, const char *content)
{
    forge(f, (struct archive_member){MEMBER_FILE, path, NULL, strlen(content), 0, false},
          str_from(content));
}

/* A manifest with good sums, whatever its paths are. */
static void forge_manifest(struct forged *f, const struct tree_entry *entries, size_t count,
                           struct arena *arena)
{
    struct manifest m = {.tree = {.arena = arena}};
    struct buf text = buf_new(&alloc_system, MANIFEST_MAX);
    struct error err = {0};
    char name[] = BUNDLE_MANIFEST;

    for (size_t i = 0; i < count; i++) {
        *tree_add_entry(&m.tree, &err) = entries[i];
        m.tree.files += entries[i].kind == TREE_FILE;
        m.tree.bytes += entries[i].kind == TREE_FILE ? entries[i].stat.size : 0;
    }
    assert_true(manifest_digest(&m.tree, m.digest, &err));
    manifest_write(&m, false, &text);
    forge(f, (struct archive_member){MEMBER_FILE, name, NULL, text.len, 0, false},
          buf_text(&text));
    buf_free(&text);
}

static struct tree_entry announced(enum tree_kind kind, const char *path, const char *content)
{
    struct tree_entry e = {.kind = kind, .path = str_from(path), .hashed = true};
    struct error err = {0};

    e.stat.size = strlen(content);
    assert_true(digest_of_text(str_from(content), e.digest, &err));
    return e;
}

static struct forged begin_forged(void)
{
    struct error err = {0};

    return (struct forged){part_open("archive", ARCHIVE_PART_VERSION, &err),
                           buf_new(&alloc_system, BUF_MAX_OUTPUT)};
}

/* It is refused with these words, and neither makes nor changes anything. */
static void check_refused(struct forged *f, const char *words, struct arena *arena)
{
    struct manifest m;
    struct error err;
    size_t before;

    put("canary", "sings");
    put("y", "");
    before = names_there();
    buf_pad(&f->tar, 0, 1024);
    put_bytes("y", buf_text(&f->tar));
    buf_free(&f->tar);
    if (unpack_one("y", "out", arena, &m, &err))
        fail_msg("taken, where '%s' was expected", words);
    if (strstr(err.text, words) == NULL)
        fail_msg("'%s' instead of '%s'", err.text, words);
    assert_int_equal(names_there(), before);
    assert_true(str_eq(text_of("canary", arena), STR("sings")));
}

static void test_hostile_manifests(void **state)
{
    static const char *const paths[] = {
        "../canary", "/tmp/canary", "a/../../canary", "a//b", "./a", "a/..", ""};
    struct arena arena = test_arena();

    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct forged f = begin_forged();
        struct tree_entry e = announced(TREE_FILE, paths[i], "evil");

        forge_manifest(&f, &e, 1, &arena);
        forge_file(&f, paths[i][0] == 0 ? "x" : paths[i], "evil");
        check_refused(&f, i == 6 ? "stint.manifest:7" : "the path leads outside the folder",
                      &arena);
    }
    arena_free(&arena);
}

static void test_hostile_members(void **state)
{
    struct arena arena = test_arena();
    struct tree_entry file = announced(TREE_FILE, "d/a", "text");
    struct tree_entry inner = announced(TREE_FILE, "d/a/x", "text");
    struct tree_entry link = announced(TREE_LINK, "d/a", "../..");
    struct tree_entry huge = announced(TREE_FILE, "d/a", "text");
    struct forged f = begin_forged();

    (void)state;
    check_refused(&f, "this is no bundle of Stint", &arena);
    f = begin_forged();
    forge_file(&f, "d/a", "text");
    check_refused(&f, "this is no bundle of Stint", &arena);
    f = begin_forged(); /* another path than announced */
    forge_manifest(&f, &file, 1, &arena);
    forge_file(&f, "../canary", "text");
    check_refused(&f, "'../canary' is not what its manifest announces", &arena);
    f = begin_forged(); /* a link in place of a file */
    forge_manifest(&f, &file, 1, &arena);
    forge(&f, (struct archive_member){MEMBER_LINK, "d/a", "/etc/passwd", 0, 0, false}, STR(""));
    check_refused(&f, "'d/a' is not what its manifest announces", &arena);
    f = begin_forged(); /* more than announced: a bomb */
    forge_manifest(&f, &file, 1, &arena);
    forge_file(&f, "d/a", "text and more");
    check_refused(&f, "'d/a' is not what its manifest announces", &arena);
    f = begin_forged(); /* something else */
    forge_manifest(&f, &file, 1, &arena);
    forge_file(&f, "d/a", "TEXT");
    check_refused(&f, "'d/a' is not what its manifest says", &arena);
    f = begin_forged(); /* one more */
    forge_manifest(&f, &file, 1, &arena);
    forge_file(&f, "d/a", "text");
    forge_file(&f, "d/b", "text");
    check_refused(&f, "'d/b' is not in its manifest", &arena);
    f = begin_forged(); /* one less */
    forge_manifest(&f, &file, 1, &arena);
    check_refused(&f, "the archive is damaged or cut off", &arena);
    f = begin_forged(); /* a link that leads outside */
    forge_manifest(&f, &link, 1, &arena);
    forge(&f, (struct archive_member){MEMBER_LINK, "d/a", "../..", 0, 0, false}, STR(""));
    check_refused(&f, "'a' is a link that leads outside", &arena);
    f = begin_forged(); /* a file behind a link */
    link = announced(TREE_LINK, "d/a", "b");
    forge_manifest(&f, (struct tree_entry[]){link, inner}, 2, &arena);
    forge(&f, (struct archive_member){MEMBER_LINK, "d/a", "b", 0, 0, false}, STR(""));
    forge_file(&f, "d/a/x", "text");
    check_refused(&f, "cannot write", &arena);
    f = begin_forged(); /* larger than any disk */
    huge.stat.size = (uint64_t)1 << 60;
    forge_manifest(&f, &huge, 1, &arena);
    forge(&f, (struct archive_member){MEMBER_FILE, "d/a", NULL, huge.stat.size, 0, false},
          STR("text"));
    check_refused(&f, "are free for", &arena);
    arena_free(&arena);
}

/* A hard link and a device: tar's header says what it is in one letter. */
static void test_hostile_kinds(void **state)
{
    static const char types[] = {'1', '3', '4', '6', 'S', 'V'};
    struct arena arena = test_arena();
    struct tree_entry e = announced(TREE_FILE, "d/a", "");

    (void)state;
    for (size_t i = 0; i < sizeof types; i++) {
        struct forged f = begin_forged();
        unsigned sum = 0;
        char *head;
        size_t at;

        forge_manifest(&f, &e, 1, &arena);
        at = f.tar.len;
        forge_file(&f, "d/a", "");
        head = f.tar.at + at;
        head[156] = types[i];
        (void)snprintf(head + 157, 100, "/etc/passwd");
        memset(head + 148, ' ', 8);
        for (int c = 0; c < 512; c++)
            sum += (unsigned char)head[c];
        (void)snprintf(head + 148, 8, "%06o", sum);
        if (types[i] == 'S' || types[i] == 'V')
            buf_clear(&f.tar); /* these only must not crash */
        check_refused(&f, types[i] == 'S' || types[i] == 'V' ? "no bundle" : "announces",
                      &arena);
    }
    arena_free(&arena);
}

static bool always(void)
{
    return true;
}

static void test_it_can_be_stopped(void **state)
{
    const struct watch watch = {.stopped = always};
    struct arena arena = test_arena();
    struct bundle_took took;
    struct bundle bundle;
    struct bundle_work work = {.kind = BUNDLE_ZSTD, .name = "y", .watch = &watch};
    struct unbundle_work back = {.name = "x", .watch = &watch};
    struct fs_stream stream = {.name = "x"};
    struct manifest m;
    struct error err = {0};

    (void)state;
    make_tree();
    bundle = write_one("x", BUNDLE_ZSTD, 0, &took, &arena);
    work.fd = open(in_folder("y"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    assert_false(bundle_write(&work, &bundle, &took, &err));
    assert_int_equal(err.kind, ERROR_STOPPED);
    (void)close(work.fd);
    stream.fd = open(in_folder("x"), O_RDONLY | O_CLOEXEC);
    back.packed = fs_source(&stream);
    back.folder = in_folder("out");
    assert_false(unbundle(&back, &arena, &m, &err));
    assert_int_equal(err.kind, ERROR_STOPPED);
    (void)close(stream.fd);
    assert_false(fs_exists(in_folder("out")));
    arena_free(&arena);
}

#define FOLDER_TEST(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)

int group_bundle(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(test_gzip_comes_back),
        FOLDER_TEST(test_zstd_comes_back),
        FOLDER_TEST(test_same_bytes),
        FOLDER_TEST(test_an_empty_folder),
        FOLDER_TEST(test_links_that_lead_outside),
        FOLDER_TEST(test_a_file_that_changes),
        FOLDER_TEST(test_damaged_ones),
        FOLDER_TEST(test_hostile_manifests),
        FOLDER_TEST(test_hostile_members),
        FOLDER_TEST(test_hostile_kinds),
        FOLDER_TEST(test_it_can_be_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
