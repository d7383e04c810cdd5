#include "data/sync/sync_pair.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/hex.h"
#include "base/spawn.h"
#include "data/digest.h"
#include "data/program.h"

extern char **environ;

#define REMOTES_MAX ((size_t)1 << 20)

/* "FOLDER/REST", there. */
static bool has_rclone_file(const char *folder, const char *rest)
{
    char path[PATH_MAX];
    int len = folder != NULL ? snprintf(path, sizeof path, "%s/%s", folder, rest) : 0;

    return len > 0 && (size_t)len < sizeof path && fs_exists(path);
}

/* A configuration in the folder of the program itself. */
static bool is_beside_rclone(void)
{
    char path[PATH_MAX], real[PATH_MAX];

    if (!spawn_find("rclone", path) || realpath(path, real) == NULL)
        return false;
    *strrchr(real, '/') = 0;
    return has_rclone_file(real, "rclone.conf");
}

/* Where rclone has its remotes from: starting it only to hear that there are none takes longer
 * than many a sync. */
static bool may_have_remotes(void)
{
    for (char *const *at = environ; *at != NULL; at++)
        if (strncmp(*at, "RCLONE_CONFIG", sizeof "RCLONE_CONFIG" - 1) == 0)
            return true;
    return env_get("HOME") == NULL ||
           has_rclone_file(env_get("HOME"), ".config/rclone/rclone.conf") ||
           has_rclone_file(env_get("HOME"), ".rclone.conf") ||
           has_rclone_file(env_get("XDG_CONFIG_HOME"), "rclone/rclone.conf") ||
           is_beside_rclone();
}

bool sync_remotes(struct arena *arena, const struct watch *watch, struct strs *out,
                  struct error *err)
{
    static const char *const argv[] = {"rclone", "listremotes", NULL};
    static const char *const env[] = {"AWS_CA_BUNDLE=", NULL};
    const struct program_work work = {
        .argv = argv, .env = env, .output_max = REMOTES_MAX, .watch = watch};
    struct program_end end;
    struct str *at = NULL;
    size_t count = 0, room = 0;

    *out = (struct strs){0};
    if (spawn_refused("rclone") != 0 || !may_have_remotes())
        return true;
    if (!program_run(&work, arena, &end, err))
        return false;
    while (end.status == 0 && end.output.len > 0) {
        struct str line = str_cut(&end.output, '\n');

        if (!str_ends(line, STR(":")))
            continue;
        at = arena_grow(arena, at, count, sizeof *at, &room, err);
        if (at == NULL)
            return false;
        at[count++] = (struct str){line.at, line.len - 1};
    }
    *out = (struct strs){at, count};
    return true;
}

/* The folder itself need not be there yet; that which it is in may. */
static const char *absolute_folder(const char *name, struct arena *arena, struct error *err)
{
    char path[PATH_MAX], real[PATH_MAX];
    struct str last;
    size_t len = strlen(name);
    const char *slash;

    if (realpath(name, real) != NULL) {
        char *kept = str_dup(str_from(real), arena, err);

        return kept;
    }
    if (len >= sizeof path) {
        error_system(err, ENAMETOOLONG, "cannot use '%.80s'", name);
        return NULL;
    }
    slash = strrchr(name, '/');
    last = str_from(slash != NULL ? slash + 1 : name);
    str_copy((struct str){name, slash != NULL ? (size_t)(slash - name) : 0}, path, sizeof path);
    if (realpath(slash == NULL ? "." : path[0] == 0 ? "/" : path, real) == NULL)
        return str_dup(str_from(name), arena, err);
    return fs_join(real, last.at, arena, err);
}

static bool is_in_folder(const char *inner, const char *outer)
{
    size_t len = strlen(outer);

    return strncmp(inner, outer, len) == 0 &&
           (inner[len] == 0 || inner[len] == '/' || outer[len - 1] == '/');
}

static bool check_apart(const struct sync_pair *pair, struct error *err)
{
    if (pair->there.kind != DATA_PLACE_FOLDER ||
        (!is_in_folder(pair->here, pair->there.target) &&
         !is_in_folder(pair->there.target, pair->here)))
        return true;
    return error_fail_hint(err, ERROR_INPUT, "name a folder that is in neither",
                           "one of '%.*s' and '%.*s' is in the other",
                           STR_ARG(pair->here_typed), STR_ARG(pair->there.typed));
}

static bool name_pair(struct sync_pair *pair, struct arena *arena, struct error *err)
{
    const char *a = pair->here, *b = pair->there.target;
    struct buf text = buf_new(arena->alloc, (size_t)4 * PATH_MAX);
    unsigned char digest[TREE_DIGEST];
    bool ok;

    pair->swapped = pair->there.kind == DATA_PLACE_FOLDER && strcmp(a, b) > 0;
    /* "stint:" is made of the scheme's environment: the name as typed tells s3 from gs */
    if (pair->there.kind == DATA_PLACE_STORE)
        buf_add(&text, pair->there.typed);
    buf_adds(&text, pair->swapped ? b : a);
    buf_char(&text, 0);
    buf_adds(&text, pair->swapped ? a : b);
    ok = buf_ok(&text, err) && digest_of_text(buf_text(&text), digest, err);
    buf_free(&text);
    if (ok)
        hex_copy((struct str){(const char *)digest, sizeof digest / 2}, pair->name);
    return ok;
}

bool sync_pair_of(struct str source, struct str target, bool both, struct strs remotes,
                  struct arena *arena, struct sync_pair *out, struct error *err)
{
    struct data_place from, to;

    *out = (struct sync_pair){0};
    if (!data_place_parse(source, remotes, arena, &from, err) ||
        !data_place_parse(target, remotes, arena, &to, err))
        return false;
    if (from.kind != DATA_PLACE_FOLDER && to.kind != DATA_PLACE_FOLDER)
        return error_fail_hint(
            err, ERROR_INPUT,
            "sync to a folder here first, or run stint on one of the machines",
            "neither '%.*s' nor '%.*s' is a folder of this machine", STR_ARG(source),
            STR_ARG(target));
    out->source_here = from.kind == DATA_PLACE_FOLDER;
    out->there = out->source_here ? to : from;
    out->here_typed = out->source_here ? from.typed : to.typed;
    out->way = both ? SYNC_BOTH : out->source_here ? SYNC_UP : SYNC_DOWN;
    out->here = absolute_folder(out->source_here ? from.target : to.target, arena, err);
    if (out->here != NULL && out->there.kind == DATA_PLACE_FOLDER)
        out->there.target = absolute_folder(out->there.target, arena, err);
    return out->here != NULL && out->there.target != NULL && check_apart(out, err) &&
           name_pair(out, arena, err);
}

int sync_pair_lock(const char *state, struct arena *arena, struct error *err)
{
    struct buf text = buf_new(arena->alloc, PATH_MAX);
    struct str path;
    int fd;

    buf_addf(&text, "%s.lock", state);
    buf_char(&text, 0);
    if (!buf_keep(&text, arena, &path, err))
        return -1;
    fd = open(path.at, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) {
        error_system(err, errno, "cannot open '%s'", path.at);
        return -1;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    (void)close(fd);
    error_set(err, ERROR_AWAY, "another sync of these two is running");
    error_hint(err, "wait for it, or stop it: the next sync continues where it was");
    return -1;
}
