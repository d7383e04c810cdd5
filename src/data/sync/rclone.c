#include "data/sync/rclone.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/num.h"
#include "data/program.h"

#define WORDS_MAX 24
#define LIST_MAX ((size_t)2 << 30)
#define NOT_FOUND 3 /* rclone: no such folder */
#define DIFFERENT 1 /* rclone check: something differs */
#define ENV_MAX 16

/* Its command line and environment. */
struct rclone_words {
    const char *at[WORDS_MAX + 1];
    size_t count;
    const char *env[ENV_MAX + 1];
};

static void add_rclone_word(struct rclone_words *words, const char *word)
{
    if (words->count < WORDS_MAX)
        words->at[words->count++] = word;
}

static struct rclone_words rclone_with(const struct carrier *c, const char *command)
{
    struct rclone_words words = {.at = {"rclone", command}, .count = 2};
    const char *bundle = env_get("AWS_CA_BUNDLE");
    size_t used = 0;

    words.env[used++] = "TZ=UTC0";
    words.env[used++] = "RCLONE_ASK_PASSWORD=false";
    for (size_t i = 0; c->there->env != NULL && c->there->env[i] != NULL && used < ENV_MAX; i++)
        words.env[used++] = c->there->env[i];
    if (bundle != NULL) {
        add_rclone_word(&words, "--ca-cert");
        add_rclone_word(&words, bundle);
    }
    return words;
}

/* "--bwlimit 12345B" */
static bool add_rclone_limit(const struct carrier *c, struct rclone_words *words,
                             struct arena *arena, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 64);
    struct str kept;

    if (c->bandwidth == 0)
        return true;
    buf_addf(&text, "--bwlimit=%lluB", (unsigned long long)c->bandwidth);
    buf_char(&text, 0);
    if (!buf_keep(&text, arena, &kept, err))
        return false;
    add_rclone_word(words, kept.at);
    return true;
}

static bool write_rclone_paths(struct strs paths, const struct alloc *alloc, struct buf *out,
                               struct error *err)
{
    *out = buf_new(alloc, LIST_MAX);
    for (size_t i = 0; i < paths.len; i++) {
        buf_add(out, paths.at[i]);
        buf_char(out, '\n');
    }
    if (buf_ok(out, err))
        return true;
    buf_free(out);
    return false;
}

/* "2026/11/19 11:34:20 ERROR : a: what": the first that is no notice. */
static struct str first_trouble(struct str text)
{
    static const struct str mark = {"ERROR : ", 8};

    while (text.len > 0) {
        struct str line = str_cut(&text, '\n');

        for (size_t i = 0; i + mark.len < line.len; i++)
            if (str_starts((struct str){line.at + i, line.len - i}, mark))
                return (struct str){line.at + i + mark.len, line.len - i - mark.len};
        if (str_has_nocase(line, STR("Failed to ")) || str_starts(line, STR("Error: ")))
            return line.len > 20 && line.at[4] == '/'
                       ? (struct str){line.at + 20, line.len - 20}
                       : line;
    }
    return (struct str){0};
}

static bool rclone_failed(const struct program_end *end, struct error *err)
{
    struct str line = first_trouble(end->trouble);

    if (line.len == 0)
        return error_fail(err, ERROR_FAILED, "rclone ended with status %d", end->status);
    return error_fail(err, ERROR_FAILED, "rclone: %.*s", (int)(line.len > 400 ? 400 : line.len),
                      line.at);
}

/* ---- what a store can keep ---- */

bool rclone_can_keep(const struct tree_entry *e)
{
    struct str rest = e->path;

    if (e->kind != TREE_FILE)
        return e->trouble;
    while (rest.len > 0) {
        size_t len = str_character(rest);

        if (len == 0 || len == SIZE_MAX || (len == 1 && (unsigned char)rest.at[0] < ' '))
            return false;
        rest.at += len;
        rest.len -= len;
    }
    /* rclone trims nothing, but stores do */
    return !str_starts(e->path, STR(" ")) && !str_ends(e->path, STR(" "));
}

/* ---- listing ---- */

struct rclone_item {
    struct arena *arena;
    struct str path;
    int64_t size, modified;
    bool folder, failed;
    struct error err;
};

static bool take_rclone_member(void *ctx, struct str key, enum json_kind kind, struct str text)
{
    struct rclone_item *item = ctx;
    bool ok = true;

    if (str_eq(key, STR("Path")))
        ok = str_keep(text, item->arena, &item->path, &item->err);
    else if (str_eq(key, STR("Size")))
        ok = num_int(text, &item->size);
    else if (str_eq(key, STR("ModTime")))
        ok = carrier_listed_time(text, &item->modified);
    else if (str_eq(key, STR("IsDir")))
        item->folder = kind == JSON_TRUE;
    item->failed = item->failed || !ok;
    return ok;
}

static bool read_rclone_item(struct str text, struct arena *arena, struct rclone_item *out,
                             struct error *err)
{
    *out = (struct rclone_item){.arena = arena, .size = -1};
    if (!json_members(text, arena->alloc, take_rclone_member, out, err))
        return false;
    if (out->failed && out->err.kind != ERROR_NONE) {
        *err = out->err;
        return false;
    }
    return !out->failed || error_fail(err, ERROR_FAILED,
                                      "rclone lists '%.*s', which is no entry", STR_ARG(text));
}

static bool is_own_path(struct str path)
{
    while (path.len > 0)
        if (tree_is_own(str_cut(&path, '/')))
            return true;
    return false;
}

static int compare_rclone_entries(const void *a, const void *b)
{
    return str_cmp(((const struct tree_entry *)a)->path, ((const struct tree_entry *)b)->path);
}

static bool add_rclone_item(const struct rclone_item *item, struct tree *tree,
                            struct error *err)
{
    struct tree_entry *e;

    if (item->folder || is_own_path(item->path))
        return true;
    if (!tree_path_stays(item->path))
        return carrier_leave_path(tree, item->path, err);
    e = tree_add_entry(tree, err);
    if (e == NULL)
        return false;
    *e = (struct tree_entry){.path = item->path, .kind = TREE_FILE};
    e->stat.size = item->size > 0 ? (uint64_t)item->size : 0;
    e->stat.modified = item->modified;
    tree->files++;
    tree->bytes += e->stat.size;
    return true;
}

bool rclone_read_list(struct str text, struct arena *arena, struct carrier_listing *out,
                      struct error *err)
{
    struct tree *tree = &out->tree;

    *out = (struct carrier_listing){.tree = {.arena = arena}, .made = true};
    while (text.len > 0) {
        struct str line = str_trim(str_cut(&text, '\n'));
        struct rclone_item item;

        line.len -= str_ends(line, STR(","));
        if (line.len < 2)
            continue; /* "[" and "]" */
        if (!read_rclone_item(line, arena, &item, err) || !add_rclone_item(&item, tree, err))
            return false;
    }
    if (tree->count > 1)
        qsort(tree->entries, tree->count, sizeof *tree->entries, compare_rclone_entries);
    return true;
}

struct program *rclone_ask_list(const struct carrier *c, struct arena *arena, struct error *err)
{
    struct rclone_words words = rclone_with(c, "lsjson");
    struct program_work work = {
        .argv = words.at, .env = words.env, .output_max = LIST_MAX, .watch = c->watch};

    /* the time that the store has from itself costs no request for each object */
    add_rclone_word(&words, "-R");
    add_rclone_word(&words, "--files-only");
    add_rclone_word(&words, "--no-mimetype");
    add_rclone_word(&words, "--use-server-modtime");
    add_rclone_word(&words, "--fast-list");
    add_rclone_word(&words, c->there->target);
    return program_start(&work, arena, err);
}

bool rclone_take_list(struct program *asked, struct arena *arena, struct carrier_listing *out,
                      struct error *err)
{
    struct program_end end;

    *out = (struct carrier_listing){.tree = {.arena = arena}, .made = true};
    if (!program_finish(asked, &end, err))
        return false;
    out->absent = end.status == NOT_FOUND;
    if (end.status != 0)
        return out->absent || rclone_failed(&end, err);
    return rclone_read_list(end.output, arena, out, err);
}

bool rclone_stat(const struct carrier *c, const char *name, struct arena *arena, int64_t *size,
                 int64_t *modified, struct error *err)
{
    struct rclone_words words = rclone_with(c, "lsjson");
    struct program_work work = {
        .argv = words.at, .env = words.env, .output_max = 65536, .watch = c->watch};
    const char *target = data_place_join(c->there, name, arena, err);
    struct program_end end;
    struct rclone_item item;

    *size = *modified = -1;
    add_rclone_word(&words, "--stat");
    add_rclone_word(&words, "--no-mimetype");
    add_rclone_word(&words, "--use-server-modtime");
    add_rclone_word(&words, target);
    if (target == NULL || !program_run(&work, arena, &end, err))
        return false;
    if (end.status != 0)
        return end.status == NOT_FOUND || rclone_failed(&end, err);
    if (!read_rclone_item(end.output, arena, &item, err))
        return false;
    *size = item.folder ? -1 : item.size;
    *modified = item.modified;
    return true;
}

/* ---- comparing ---- */

/* "= sub/a.txt": equal. */
static void take_equal(struct str text, struct strs paths, bool *differs)
{
    while (text.len > 0) {
        struct str line = str_cut(&text, '\n');
        size_t from = 0, to = paths.len;
        struct str path;

        if (line.len < 3 || line.at[0] != '=' || line.at[1] != ' ')
            continue;
        path = (struct str){line.at + 2, line.len - 2};
        while (from < to) {
            size_t middle = from + (to - from) / 2;

            if (str_cmp(paths.at[middle], path) < 0)
                from = middle + 1;
            else
                to = middle;
        }
        if (from < paths.len && str_eq(paths.at[from], path))
            differs[from] = false;
    }
}

static bool check_files(const struct carrier *c, struct str list, bool download,
                        struct arena *arena, struct program_end *end, struct error *err)
{
    struct rclone_words words = rclone_with(c, "check");
    struct program_work work = {.argv = words.at,
                                .env = words.env,
                                .input = list,
                                .output_max = LIST_MAX,
                                .watch = c->watch};

    add_rclone_word(&words, "--files-from-raw");
    add_rclone_word(&words, "-");
    add_rclone_word(&words, "--combined");
    add_rclone_word(&words, "-");
    if (download)
        add_rclone_word(&words, "--download");
    add_rclone_word(&words, c->here);
    add_rclone_word(&words, c->there->target);
    return program_run(&work, arena, end, err);
}

bool rclone_compare(const struct carrier *c, struct strs paths, struct arena *arena,
                    bool *differs, struct error *err)
{
    struct program_end end;
    struct buf list;
    bool ok;

    for (size_t i = 0; i < paths.len; i++)
        differs[i] = true;
    if (!write_rclone_paths(paths, arena->alloc, &list, err))
        return false;
    ok = check_files(c, buf_text(&list), false, arena, &end, err);
    /* a store without checksums: what it would call equal has only the same size */
    if (ok && (str_has_nocase(end.trouble, STR("no common hash")) ||
               str_has_nocase(end.trouble, STR("hashes could not be checked"))))
        ok = check_files(c, buf_text(&list), true, arena, &end, err);
    buf_free(&list);
    if (!ok || (end.status != 0 && end.status != DIFFERENT && end.status != NOT_FOUND))
        return ok && rclone_failed(&end, err);
    take_equal(end.output, paths, differs);
    return true;
}

/* ---- moving ---- */

struct rclone_moving {
    const struct carrier *c;
    struct carrier_took *took;
    struct arena *arena;
    bool error;
};

/* The number behind "\"bytes\":" in a line of its log. */
static bool log_number(struct str line, struct str key, uint64_t *out)
{
    for (size_t i = 0; i + key.len < line.len; i++) {
        if (!str_starts((struct str){line.at + i, line.len - i}, key))
            continue;
        *out = 0;
        for (i += key.len; i < line.len && line.at[i] >= '0' && line.at[i] <= '9'; i++)
            *out = *out * 10 + (uint64_t)(line.at[i] - '0');
        return true;
    }
    return false;
}

static bool take_log_member(void *ctx, struct str key, enum json_kind kind, struct str text)
{
    struct rclone_moving *m = ctx;
    struct error ignored;

    if (kind == JSON_STRING && str_eq(key, STR("level")))
        m->error = str_eq(text, STR("error"));
    else if (kind == JSON_STRING && str_eq(key, STR("msg")) && m->error &&
             m->took->trouble.len == 0)
        (void)!str_keep(text, m->arena, &m->took->trouble, &ignored);
    return true;
}

static void take_log(void *ctx, bool error, struct str line)
{
    struct rclone_moving *m = ctx;
    struct error ignored;
    uint64_t moved;

    if (!error || line.len == 0 || line.at[0] != '{')
        return;
    if (str_has_nocase(line, STR("\"stats\":{")) &&
        log_number(line, STR("\"bytes\":"), &moved)) {
        m->took->bytes = moved;
        if (m->c->moved != NULL)
            m->c->moved(m->c->ctx, moved);
        return;
    }
    m->error = false;
    (void)json_members(line, m->arena->alloc, take_log_member, m, &ignored);
}

struct rclone_copy {
    const char *from, *to;
    bool fresh; /* it is known that these differ: asking would be a request for each */
};

static bool run_copy(const struct carrier *c, const struct rclone_copy *copy, struct strs paths,
                     struct arena *arena, struct carrier_took *took, struct error *err)
{
    struct rclone_words words = rclone_with(c, "copy");
    struct rclone_moving m = {c, took, arena, false};
    struct program_work work = {
        .argv = words.at, .env = words.env, .line = take_log, .ctx = &m, .watch = c->watch};
    struct program_end end;
    struct buf list;
    bool ok;

    add_rclone_word(&words, "--files-from-raw");
    add_rclone_word(&words, "-");
    add_rclone_word(&words, "--use-json-log");
    add_rclone_word(&words, "--stats=500ms");
    add_rclone_word(&words, "--stats-log-level=NOTICE");
    add_rclone_word(&words, "--transfers=16");
    if (copy->fresh)
        add_rclone_word(&words, "--no-check-dest");
    if (!add_rclone_limit(c, &words, arena, err) ||
        !write_rclone_paths(paths, arena->alloc, &list, err))
        return false;
    add_rclone_word(&words, copy->from);
    add_rclone_word(&words, copy->to);
    work.input = buf_text(&list);
    ok = program_run(&work, arena, &end, err);
    buf_free(&list);
    if (!ok)
        return false;
    took->all = end.status == 0;
    if (!took->all && took->trouble.len == 0)
        return rclone_failed(&end, err);
    return true;
}

/* Make the folders of a path below the one that `from` bytes name. */
static bool make_parents(char *path, size_t from)
{
    for (char *at = strchr(path + from + 1, '/'); at != NULL; at = strchr(at + 1, '/')) {
        int bad;

        *at = 0;
        bad = mkdir(path, 0777) != 0 ? errno : 0;
        *at = '/';
        if (bad != 0 && bad != EEXIST)
            return false;
    }
    return true;
}

/* What has arrived gets its place. What has not is found out by who looks at the folder. */
static bool place_arrived(const char *tmp, const char *here, struct strs paths,
                          struct arena *arena, struct error *err)
{
    struct buf from = buf_new(arena->alloc, LIST_MAX), to = buf_new(arena->alloc, LIST_MAX);

    for (size_t i = 0; i < paths.len; i++) {
        buf_clear(&from);
        buf_clear(&to);
        buf_addf(&from, "%s/", tmp);
        buf_add(&from, paths.at[i]);
        buf_char(&from, 0);
        buf_addf(&to, "%s/", here);
        buf_add(&to, paths.at[i]);
        buf_char(&to, 0);
        if (!buf_ok(&from, err) || !buf_ok(&to, err))
            break;
        if (access(from.at, F_OK) == 0 && make_parents(to.at, strlen(here)))
            (void)rename(from.at, to.at);
    }
    buf_free_part(&from, &to);
    if (buf_ok(&to, err)) {
        buf_free(&to);
        return true;
    }
    buf_free(&to);
    return false;
}

bool rclone_move(const struct carrier *c, enum carrier_way way, struct strs paths,
                 struct arena *arena, struct carrier_took *took, struct error *err)
{
    struct rclone_copy up = {c->here, c->there->target, true},
                       down = {c->there->target, NULL, false};

    if (way == CARRIER_UP) {
        if (!run_copy(c, &up, paths, arena, took, err))
            return false;
        took->sent = took->bytes;
        return true;
    }
    down.to = fs_join(c->here, TREE_OWN "/tmp", arena, err);
    if (down.to == NULL || !run_copy(c, &down, paths, arena, took, err))
        return false;
    took->received = took->bytes;
    return place_arrived(down.to, c->here, paths, arena, err);
}

static bool delete_here(const struct carrier *c, struct strs paths, struct arena *arena,
                        struct error *err)
{
    struct buf path = buf_new(arena->alloc, LIST_MAX);
    bool ok = true;

    for (size_t i = 0; ok && i < paths.len; i++) {
        buf_clear(&path);
        buf_addf(&path, "%s/", c->here);
        buf_add(&path, paths.at[i]);
        buf_char(&path, 0);
        ok = buf_ok(&path, err);
        if (ok && str_ends(paths.at[i], STR("/")))
            (void)rmdir(path.at);
        else if (ok && unlink(path.at) != 0 && errno != ENOENT) {
            error_system(err, errno, "cannot delete '%.*s'", STR_ARG(paths.at[i]));
            ok = false;
        }
    }
    buf_free(&path);
    return ok;
}

bool rclone_delete(const struct carrier *c, enum carrier_way way, struct strs paths,
                   struct arena *arena, struct error *err)
{
    struct rclone_words words = rclone_with(c, "delete");
    struct program_work work = {.argv = words.at, .env = words.env, .watch = c->watch};
    struct program_end end;
    struct buf list;
    bool ok;

    if (way == CARRIER_DOWN)
        return delete_here(c, paths, arena, err);
    if (str_ends(paths.at[0], STR("/")))
        return true; /* a store has no folders */
    add_rclone_word(&words, "--files-from-raw");
    add_rclone_word(&words, "-");
    add_rclone_word(&words, c->there->target);
    if (!write_rclone_paths(paths, arena->alloc, &list, err))
        return false;
    work.input = buf_text(&list);
    ok = program_run(&work, arena, &end, err);
    buf_free(&list);
    return ok && (end.status == 0 || rclone_failed(&end, err));
}
