#include "data/sync/rsync.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/num.h"
#include "data/digest.h"
#include "data/program.h"

#define WORDS_MAX 40
#define LIST_MAX ((size_t)2 << 30) /* bytes of a listing: some twenty million files */
#define SOCKET_FOLDER_MAX 60       /* bytes, so that a name of 40 digits fits behind it */
#define IDLE_SECONDS 30            /* that a connection is kept, if we end without a word */
#define PARTLY 23                  /* rsync: some files were not transferred */
#define VANISHED 24                /* some were gone before they could be */

/* Its command line. Times in UTC, messages in English. */
struct rsync_words {
    const char *at[WORDS_MAX + 1];
    size_t count;
};

static const char *const rsync_env[] = {"TZ=UTC0", "LC_ALL=C", NULL};

static void add_rsync_word(struct rsync_words *words, const char *word)
{
    if (words->count < WORDS_MAX)
        words->at[words->count++] = word;
}

static struct rsync_words rsync_with(const struct carrier *c, const char *const *options)
{
    struct rsync_words words = {.count = 0};

    add_rsync_word(&words, "rsync");
    add_rsync_word(&words, "-s"); /* names are for rsync alone, not for a shell there */
    if (c->shell != NULL) {
        add_rsync_word(&words, "-e");
        add_rsync_word(&words, c->shell);
    }
    for (; *options != NULL; options++)
        add_rsync_word(&words, *options);
    return words;
}

/* A folder as rsync takes it: ends with a slash, and is no host and no option. */
static const char *rsync_folder(const struct carrier *c, bool here, struct arena *arena,
                                struct error *err)
{
    const char *name = here ? c->here : c->there->target;
    struct buf text = buf_new(arena->alloc, LIST_MAX);
    struct str kept;

    if (name[0] != '/' && (here || c->there->kind == DATA_PLACE_FOLDER))
        buf_adds(&text, "./");
    buf_adds(&text, name);
    buf_char(&text, '/');
    buf_char(&text, 0);
    return buf_keep(&text, arena, &kept, err) ? kept.at : NULL;
}

static bool add_sides(const struct carrier *c, enum carrier_way way, struct rsync_words *words,
                      struct arena *arena, struct error *err)
{
    const char *from = rsync_folder(c, way == CARRIER_UP, arena, err);
    const char *to = from != NULL ? rsync_folder(c, way == CARRIER_DOWN, arena, err) : NULL;

    add_rsync_word(words, "--");
    add_rsync_word(words, from);
    add_rsync_word(words, to);
    return to != NULL;
}

/* Paths as rsync reads them. "./" before each: none is a comment. */
static bool write_paths(struct strs paths, const struct alloc *alloc, struct buf *out,
                        struct error *err)
{
    *out = buf_new(alloc, LIST_MAX);
    for (size_t i = 0; i < paths.len; i++) {
        struct str path = paths.at[i];

        path.len -= str_ends(path, STR("/"));
        buf_adds(out, "./");
        buf_add(out, path);
        buf_char(out, 0);
    }
    if (buf_ok(out, err))
        return true;
    buf_free(out);
    return false;
}

/* Why it failed: its first line says what, those that follow only that. */
static bool rsync_failed(const struct carrier *c, const struct program_end *end,
                         struct error *err)
{
    struct str rest = end->trouble, line = str_cut(&rest, '\n');

    line.len -= str_ends(line, STR("\r")); /* of ssh */
    if (line.len == 0)
        return error_fail(err, ERROR_FAILED, "rsync ended with status %d", end->status);
    error_set(err, ERROR_FAILED, "%.*s", (int)(line.len > 400 ? 400 : line.len), line.at);
    if (c->there->kind == DATA_PLACE_SSH &&
        (end->status == 255 || str_starts(line, STR("ssh: "))))
        error_hint(err, "try the connection: ssh %.*s true",
                   (int)strcspn(c->there->target, ":"), c->there->target);
    else if (c->there->kind == DATA_PLACE_SSH && (end->status == 127 || end->status == 12))
        error_hint(err, "'%.*s' needs rsync, too, and a login that prints nothing",
                   STR_ARG(c->there->typed));
    return false;
}

/* ---- the connection ---- */

bool rsync_shell(const struct carrier *c, struct arena *arena, const char **out,
                 struct error *err)
{
    const char *chosen = env_get("RSYNC_RSH");
    struct str rest = str_from(chosen != NULL ? chosen : "ssh");
    struct buf text = buf_new(arena->alloc, LIST_MAX);
    struct str kept;

    *out = NULL;
    /* a socket has a short name */
    if (!str_eq(str_after_last(str_cut(&rest, ' '), '/'), STR("ssh")) ||
        strlen(c->scratch) > SOCKET_FOLDER_MAX || strchr(c->scratch, ' ') != NULL)
        return true;
    buf_adds(&text, chosen != NULL ? chosen : "ssh");
    buf_addf(&text, " -o ControlMaster=auto -o ControlPersist=%d -o ControlPath=%s/%%C",
             IDLE_SECONDS, c->scratch);
    buf_char(&text, 0);
    if (!buf_keep(&text, arena, &kept, err))
        return false;
    *out = kept.at;
    return true;
}

void rsync_hang_up(const struct carrier *c, struct arena *arena)
{
    static const struct watch nobody = {0};
    struct buf text = buf_new(arena->alloc, LIST_MAX);
    struct str target = str_from(c->there->target), script, host;
    const char *argv[] = {"sh", "-c", NULL, NULL, NULL};
    const struct program_work work = {.argv = argv, .watch = &nobody};
    struct program_end end;
    struct error ignored;

    buf_addf(&text, "%s -O exit -- \"$0\"", c->shell);
    buf_char(&text, 0);
    if (!buf_keep(&text, arena, &script, &ignored))
        return;
    host = str_cut(&target, ':');
    argv[2] = script.at;
    argv[3] = str_dup(host, arena, &ignored);
    if (argv[3] != NULL)
        (void)!program_run(&work, arena, &end, &ignored);
}

/* ---- listing ---- */

/* "\#012" is a byte. */
static bool unescape_name(struct str text, struct arena *arena, struct str *out,
                          struct error *err)
{
    char *to = arena_get(arena, 1, text.len + 1, 1, err);
    size_t len = 0;

    if (to == NULL)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        int value = 0;
        size_t k = 2;

        to[len++] = text.at[i];
        if (text.at[i] != '\\' || text.len - i < 5 || text.at[i + 1] != '#')
            continue;
        for (; k < 5 && text.at[i + k] >= '0' && text.at[i + k] <= '7'; k++)
            value = value * 8 + text.at[i + k] - '0';
        if (k < 5 || value > 255)
            continue;
        to[len - 1] = (char)value;
        i += 4;
    }
    *out = (struct str){to, len};
    return true;
}

/* What Stint keeps there is no data. */
static bool is_own(struct carrier_listing *out, struct str path)
{
    if (str_eq(path, STR(TREE_OWN "/tmp")))
        out->made = true;
    while (path.len > 0)
        if (tree_is_own(str_cut(&path, '/')))
            return true;
    return false;
}

static bool add_special(struct tree *tree, struct str path, struct error *err)
{
    struct tree_entry *e = tree_add_entry(tree, err);

    if (e == NULL)
        return false;
    *e = (struct tree_entry){.path = path, .trouble = true};
    return tree_add_problem(tree, TREE_SPECIAL, path, "neither a file nor a folder", err);
}

/* "l -> k -> x -> y": its target has `size` bytes. */
static bool set_link(struct tree_entry *e, struct error *err)
{
    struct str target;

    if (e->path.len < e->stat.size + 4)
        return error_fail(err, ERROR_FAILED, "rsync lists the link '%.*s' without its target",
                          STR_ARG(e->path));
    target = (struct str){e->path.at + e->path.len - e->stat.size, (size_t)e->stat.size};
    e->path.len -= target.len + 4;
    e->kind = TREE_LINK;
    e->hashed = true;
    return digest_of_text(target, e->digest, err);
}

static bool add_listed(char type, struct str name, const struct tree_stat *stat,
                       struct carrier_listing *out, struct error *err)
{
    struct tree *tree = &out->tree;
    struct tree_entry made = {.kind = TREE_FILE, .stat = *stat}, *e;

    if (!unescape_name(name, tree->arena, &made.path, err))
        return false;
    if (type == 'l' && !set_link(&made, err))
        return false;
    if (str_eq(made.path, STR(".")) || is_own(out, made.path))
        return true;
    if (!tree_path_stays(made.path))
        return carrier_leave_path(tree, made.path, err);
    if (type != '-' && type != 'd' && type != 'l')
        return add_special(tree, made.path, err);
    if (type == 'd') { /* unescape_name() left room for the slash */
        char *end;

        memcpy(&end, &made.path.at, sizeof end);
        end[made.path.len++] = '/';
        made.kind = TREE_EMPTY;
        made.hashed = true;
        made.stat.size = 0;
    }
    e = tree_add_entry(tree, err);
    if (e == NULL)
        return false;
    *e = made;
    if (made.kind == TREE_FILE) {
        tree->files++;
        tree->bytes += made.stat.size;
    }
    return true;
}

/* "-rw-r--r--   12345678 2026/11/19 10:49:32 sub/big" */
static bool read_listed(struct str line, struct carrier_listing *out, struct error *err)
{
    struct str whole = line, size, date, hour;
    struct tree_stat stat = {0};
    int64_t bytes;

    if (line.len == 0 || strchr("-dlpcbs", line.at[0]) == NULL)
        return true; /* a message of the login */
    (void)str_cut(&line, ' ');
    while (str_take(&line, ' '))
        continue;
    size = str_cut(&line, ' ');
    date = str_cut(&line, ' ');
    hour = str_cut(&line, ' ');
    if (!num_int(size, &bytes) || bytes < 0 || line.len == 0 ||
        date.at + date.len + 1 != hour.at ||
        !carrier_listed_time((struct str){date.at, date.len + 1 + hour.len}, &stat.modified))
        return error_fail(err, ERROR_FAILED, "rsync lists '%.*s', which is no entry",
                          STR_ARG(whole));
    stat.size = (uint64_t)bytes;
    return add_listed(whole.at[0], line, &stat, out, err);
}

static int compare_listed_entries(const void *a, const void *b)
{
    return str_cmp(((const struct tree_entry *)a)->path, ((const struct tree_entry *)b)->path);
}

/* In the order of trees, with only those folders that have nothing in them. */
static void order_listing(struct tree *tree)
{
    size_t kept = 0;

    if (tree->count > 1)
        qsort(tree->entries, tree->count, sizeof *tree->entries, compare_listed_entries);
    for (size_t i = 0; i < tree->count; i++) {
        const struct tree_entry *e = &tree->entries[i];

        if (e->kind == TREE_EMPTY && i + 1 < tree->count &&
            str_starts(tree->entries[i + 1].path, e->path))
            continue;
        tree->entries[kept++] = *e;
    }
    tree->count = kept;
}

bool rsync_read_list(struct str text, struct arena *arena, struct carrier_listing *out,
                     struct error *err)
{
    *out = (struct carrier_listing){.tree = {.arena = arena}};
    while (text.len > 0)
        if (!read_listed(str_cut(&text, '\n'), out, err))
            return false;
    order_listing(&out->tree);
    return true;
}

struct program *rsync_ask_list(const struct carrier *c, struct arena *arena, struct error *err)
{
    static const char *const options[] = {"--list-only", "-rl8", "--no-h", NULL};
    struct rsync_words words = rsync_with(c, options);
    struct program_work work = {
        .argv = words.at, .env = rsync_env, .output_max = LIST_MAX, .watch = c->watch};
    const char *there = rsync_folder(c, false, arena, err);

    add_rsync_word(&words, "--");
    add_rsync_word(&words, there);
    return there != NULL ? program_start(&work, arena, err) : NULL;
}

bool rsync_take_list(const struct carrier *c, struct program *asked, struct arena *arena,
                     struct carrier_listing *out, struct error *err)
{
    struct program_end end;

    *out = (struct carrier_listing){.tree = {.arena = arena}};
    if (!program_finish(asked, &end, err))
        return false;
    if (end.status == PARTLY && end.output.len == 0 &&
        str_has_nocase(end.trouble, STR("change_dir")) &&
        str_has_nocase(end.trouble, STR("(2)"))) {
        out->absent = true;
        return true;
    }
    /* what is not listed would be taken for deleted */
    if (end.status != 0 && end.status != VANISHED)
        return rsync_failed(c, &end, err);
    return rsync_read_list(end.output, arena, out, err);
}

/* ---- comparing ---- */

struct rsync_differing {
    struct strs paths;
    bool *differs;
    struct arena *arena;
    bool failed;
    struct error err;
};

static size_t find_path(struct strs paths, struct str path)
{
    size_t from = 0, to = paths.len;

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if (str_cmp(paths.at[middle], path) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* ">fcst...... sub/a.txt": what would be done with it. Permissions and the times of folders are
 * not content. */
static void take_differing(void *ctx, bool error, struct str line)
{
    struct rsync_differing *d = ctx;
    struct str path;
    size_t at;

    if (error || d->failed || line.len < 13 || line.at[11] != ' ' ||
        (line.at[0] == '.' && line.at[2] != '+'))
        return;
    path = (struct str){line.at + 12, line.len - 12};
    if (!unescape_name(path, d->arena, &path, &d->err)) {
        d->failed = true;
        return;
    }
    at = find_path(d->paths, path);
    if (at < d->paths.len && str_eq(d->paths.at[at], path))
        d->differs[at] = true;
}

bool rsync_compare(const struct carrier *c, enum carrier_way way, struct strs paths,
                   bool content, struct arena *arena,
                   bool *differs, /* NOLINT(readability-non-const-parameter) */
                   struct error *err)
{
    static const char *const options[] = {"-nlt8", "--out-format=%i %n", "--from0",
                                          "--files-from=-", NULL};
    struct rsync_words words = rsync_with(c, options);
    struct rsync_differing d = {.paths = paths, .differs = differs, .arena = arena};
    struct program_work work = {.argv = words.at,
                                .env = rsync_env,
                                .line = take_differing,
                                .ctx = &d,
                                .watch = c->watch};
    struct program_end end;
    struct buf list;
    bool ok;

    add_rsync_word(&words, content ? "--checksum" : "--modify-window=-1");
    if (!add_sides(c, way, &words, arena, err) || !write_paths(paths, arena->alloc, &list, err))
        return false;
    work.input = buf_text(&list);
    ok = program_run(&work, arena, &end, err);
    buf_free(&list);
    if (ok && d.failed)
        *err = d.err;
    return ok && !d.failed &&
           (end.status == 0 || end.status == VANISHED || end.status == PARTLY ||
            rsync_failed(c, &end, err));
}

/* ---- moving ---- */

bool rsync_prepare(const struct carrier *c, struct arena *arena, struct error *err)
{
    static const char *const options[] = {"-r", "--mkpath", NULL};
    struct rsync_words words = rsync_with(c, options);
    struct program_work work = {.argv = words.at, .env = rsync_env, .watch = c->watch};
    struct carrier skeleton = *c;
    const char *own;
    struct program_end end;
    bool ok, made;

    skeleton.here = fs_join(c->scratch, "new", arena, err);
    own = skeleton.here != NULL ? fs_join(skeleton.here, TREE_OWN "/tmp", arena, err) : NULL;
    if (own == NULL || !fs_make_output_folder(own, &made, err))
        return false;
    ok = add_sides(&skeleton, CARRIER_UP, &words, arena, err) &&
         program_run(&work, arena, &end, err) &&
         (end.status == 0 || rsync_failed(c, &end, err));
    (void)rmdir(own);
    own = fs_join(skeleton.here, TREE_OWN, arena, err);
    if (own != NULL)
        (void)rmdir(own);
    (void)rmdir(skeleton.here);
    return ok && own != NULL;
}

struct rsync_moving {
    const struct carrier *c;
    struct carrier_took *took;
};

/* "Total bytes sent: 1,234" */
static bool take_stat(struct str line, struct str label, uint64_t *out)
{
    uint64_t value = 0;

    if (!str_starts(line, label))
        return false;
    for (size_t i = label.len; i < line.len && line.at[i] != 'b'; i++)
        if (line.at[i] >= '0' && line.at[i] <= '9')
            value = value * 10 + (uint64_t)(line.at[i] - '0');
    *out = value;
    return true;
}

/* "     12345678  45%  117.74MB/s    0:00:01" */
static void take_progress(void *ctx, bool error, struct str line)
{
    struct rsync_moving *m = ctx;
    int64_t bytes;

    if (error || take_stat(line, STR("Total transferred file size: "), &m->took->bytes) ||
        take_stat(line, STR("Total bytes sent: "), &m->took->sent) ||
        take_stat(line, STR("Total bytes received: "), &m->took->received))
        return;
    line = str_trim(line);
    if (m->c->moved != NULL && memchr(line.at, '%', line.len) != NULL &&
        num_int(str_cut(&line, ' '), &bytes) && bytes >= 0)
        m->c->moved(m->c->ctx, (uint64_t)bytes);
}

static bool add_rsync_limit(const struct carrier *c, struct rsync_words *words,
                            struct arena *arena, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 64);
    struct str kept;

    if (c->bandwidth == 0)
        return true;
    buf_addf(&text, "--bwlimit=%llu",
             (unsigned long long)(c->bandwidth / 1024 > 0 ? c->bandwidth / 1024 : 1));
    buf_char(&text, 0);
    if (!buf_keep(&text, arena, &kept, err))
        return false;
    add_rsync_word(words, kept.at);
    return true;
}

bool rsync_move(const struct carrier *c, enum carrier_way way, struct strs paths,
                struct arena *arena, struct carrier_took *took, struct error *err)
{
    /* -I: it is known that these differ, though they may have the same size and second */
    static const char *const options[] = {"-lptI",
                                          "--no-h",
                                          "--stats",
                                          "--info=progress2",
                                          "--from0",
                                          "--files-from=-",
                                          "--temp-dir=" TREE_OWN "/tmp",
                                          "--partial-dir=" TREE_PARTIAL,
                                          NULL};
    struct rsync_words words = rsync_with(c, options);
    struct rsync_moving m = {c, took};
    struct program_work work = {.argv = words.at,
                                .env = rsync_env,
                                .line = take_progress,
                                .ctx = &m,
                                .watch = c->watch};
    struct program_end end;
    struct buf list;
    bool ok;

    if (c->holes)
        add_rsync_word(&words, "--sparse");
    if (!add_rsync_limit(c, &words, arena, err) || !add_sides(c, way, &words, arena, err) ||
        !write_paths(paths, arena->alloc, &list, err))
        return false;
    work.input = buf_text(&list);
    ok = program_run(&work, arena, &end, err);
    buf_free(&list);
    if (!ok)
        return false;
    took->all = end.status == 0;
    took->trouble = end.trouble;
    return end.status == 0 || end.status == PARTLY || end.status == VANISHED ||
           rsync_failed(c, &end, err);
}

bool rsync_delete(const struct carrier *c, enum carrier_way way, struct strs paths,
                  struct arena *arena, struct error *err)
{
    static const char *const options[] = {"--delete-missing-args", "--from0", "--files-from=-",
                                          NULL};
    struct rsync_words words = rsync_with(c, options);
    struct program_work work = {.argv = words.at, .env = rsync_env, .watch = c->watch};
    struct program_end end;
    struct buf list;
    const char *to;
    bool ok;

    to = rsync_folder(c, way == CARRIER_DOWN, arena, err);
    add_rsync_word(&words, "--");
    add_rsync_word(&words, c->scratch);
    add_rsync_word(&words, to);
    if (to == NULL || !write_paths(paths, arena->alloc, &list, err))
        return false;
    work.input = buf_text(&list);
    ok = program_run(&work, arena, &end, err);
    buf_free(&list);
    /* an empty folder has nothing to send: that all is gone from it is what deletes it there */
    return ok && (end.status == 0 || end.status == VANISHED || rsync_failed(c, &end, err));
}
