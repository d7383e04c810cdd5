#include "data/named.h"

#include <limits.h>
#include <stdlib.h>

#include "base/fs.h"
#include "base/hex.h"
#include "base/num.h"
#include "data/digest.h"

bool data_kept_manifest(const struct data_task *task, const char *folder, const char **out,
                        struct error *err)
{
    char real[PATH_MAX], name[2 * TREE_DIGEST + 1];
    unsigned char digest[TREE_DIGEST];
    const char *manifests;

    *out = NULL;
    if (task->home == NULL || realpath(folder, real) == NULL)
        return true;
    if (!digest_of_text(str_from(real), digest, err))
        return false;
    hex_copy((struct str){(const char *)digest, sizeof digest / 2}, name);
    manifests = fs_join(task->home, "manifests", task->arena, err);
    if (manifests != NULL)
        manifest_forget_old(manifests, sizeof digest);
    *out = manifests != NULL ? fs_join(manifests, name, task->arena, err) : NULL;
    return *out != NULL;
}

bool data_check_folder(const char *name, struct error *err)
{
    if (fs_is_folder(name))
        return true;
    if (fs_exists(name))
        return error_fail_hint(err, ERROR_INPUT, "name the folder that it is in",
                               "'%s' is not a folder", name);
    return error_fail_hint(err, ERROR_ABSENT, "name the folder with the data",
                           "there is no folder '%s'", name);
}

static bool read_manifest_file(const struct data_task *task, const char *path,
                               struct manifest *out, struct error *err)
{
    struct str text;

    if (!fs_read(path, MANIFEST_MAX, task->arena, &text, err)) {
        if (err->kind == ERROR_ABSENT)
            error_hint(err, "name a folder, or a manifest that 'stint data manifest' wrote");
        return false;
    }
    if (manifest_read(text, task->arena, out, err))
        return true;
    error_place(err, path);
    return false;
}

bool data_tree_named(const struct data_task *task, struct str name, bool reread,
                     struct manifest *out, struct manifest_took *took, struct error *err)
{
    struct manifest_work work = {
        .reread = reread, .watch = task->watch, .now = {clock_file_ns() / SECOND}};
    char *path = str_dup(name, task->arena, err);

    *took = (struct manifest_took){0};
    if (path == NULL)
        return false;
    if (!fs_is_folder(path))
        return read_manifest_file(task, path, out, err);
    work.folder = path;
    return data_kept_manifest(task, path, &work.kept, err) &&
           manifest_take(&work, task->arena, out, took, err);
}

/* A folder's own name: what "." and "photos/.." are called elsewhere, and no slashes at the
 * end. */
static struct str own_folder_name(const char *folder, char real[static PATH_MAX])
{
    struct str name = str_from(folder), last = str_after_last(name, '/');

    if ((last.len == 0 || str_eq(last, STR(".")) || str_eq(last, STR(".."))) &&
        realpath(folder, real) != NULL)
        name = str_from(real);
    return name;
}

bool data_folder_beside(const char *folder, const char *end, struct arena *arena,
                        const char **out, struct error *err)
{
    struct buf name = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    char real[PATH_MAX];
    struct str text;

    buf_add(&name, own_folder_name(folder, real));
    buf_adds(&name, end);
    if (!buf_keep(&name, arena, &text, err))
        return false;
    *out = str_dup(text, arena, err);
    return *out != NULL;
}

void data_note_problems(const struct data_task *task, struct str name, const struct tree *tree)
{
    const struct tree_problem *first = NULL;
    size_t unread = 0;

    for (size_t i = 0; i < tree->problem_count; i++) {
        if (tree->problems[i].kind == TREE_SPECIAL)
            continue;
        first = first != NULL ? first : &tree->problems[i];
        unread++;
    }
    if (first != NULL) {
        message_warn(task->messages, "%zu path%s in '%.*s' could not be read: '%.*s': %.*s",
                     unread, num_plural((int64_t)unread), STR_ARG(name), STR_ARG(first->path),
                     STR_ARG(first->reason));
        *task->partly = true;
    }
    if (tree->problem_count > unread)
        message_note(task->messages,
                     "%zu path%s in '%.*s' left out: neither a file nor a folder",
                     tree->problem_count - unread,
                     num_plural((int64_t)(tree->problem_count - unread)), STR_ARG(name));
}
