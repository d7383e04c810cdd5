#include "account/import/bill_files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "bill/bill.h"
#include "doc/compress.h"
#include "doc/files.h"

#define MANIFEST_MAX ((size_t)16 << 20)
#define COMPARE ((size_t)64 * 1024)
#define PLACES_MAX 64

static bool add_input(struct import_inputs *in, const char *path, bool listed,
                      struct error *err)
{
    in->at = arena_grow(in->arena, in->at, in->count, sizeof in->at[0], &in->room, err);
    if (in->at == NULL)
        return false;
    for (size_t i = 0; i < in->count; i++) /* named twice is read once */
        if (strcmp(in->at[i].path, path) == 0)
            return true;
    in->at[in->count++] = (struct import_input){.path = path, .listed = listed};
    return true;
}

static bool is_import_file(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Small and named so: "manifest.json", "x-Manifest.json", "_manifest.json". */
static bool may_be_manifest(const char *path)
{
    struct stat st;

    return str_has_nocase(str_from(path), STR(".json")) && stat(path, &st) == 0 &&
           S_ISREG(st.st_mode) && (size_t)st.st_size <= MANIFEST_MAX;
}

/* The folder that a file is in. */
static char *import_folder_of(const char *path, struct arena *arena, struct error *err)
{
    const char *slash = strrchr(path, '/');

    return str_dup(slash == NULL   ? STR(".")
                   : slash == path ? STR("/")
                                   : (struct str){path, (size_t)(slash - path)},
                   arena, err);
}

/* AWS's exports have metadata/MONTH/Manifest.json beside data/MONTH/: the folder that both are
 * in, or NULL when it is another layout. */
static const char *export_of(const char *folder, struct arena *arena, struct error *err)
{
    static const char name[] = "metadata";
    size_t len = sizeof name - 1;

    for (size_t at = strlen(folder); at-- > 0;) {
        bool starts = at == 0 || folder[at - 1] == '/';
        bool ends = strncmp(folder + at, name, len) == 0 &&
                    (folder[at + len] == '/' || folder[at + len] == '\0');

        if (starts && ends)
            return at == 0   ? "."
                   : at == 1 ? "/"
                             : str_dup((struct str){folder, at - 1}, arena, err);
    }
    return NULL;
}

/* The file of the manifest below the folder: under its full key, then with fewer and fewer of
 * its folders. 0 when it is not there; -1 with the error set. */
static int add_below(struct import_inputs *in, const char *folder, struct str file,
                     struct error *err)
{
    struct str place;

    for (size_t n = 0; n < PLACES_MAX && bill_manifest_place(file, n, &place); n++) {
        const char *name = str_dup(place, in->arena, err);
        const char *path = name != NULL ? fs_join(folder, name, in->arena, err) : NULL;

        if (path == NULL)
            return -1;
        if (is_import_file(path))
            return add_input(in, path, true, err) ? 1 : -1;
    }
    return 0;
}

static bool add_delivered(struct import_inputs *in, const char *manifest, struct str file,
                          struct error *err)
{
    const char *folder = import_folder_of(manifest, in->arena, err);
    const char *beside = folder != NULL ? export_of(folder, in->arena, err) : NULL;
    int added = folder != NULL ? add_below(in, folder, file, err) : -1;

    if (added == 0 && beside != NULL)
        added = add_below(in, beside, file, err);
    if (added != 0)
        return added > 0;
    error_set(err, ERROR_ABSENT, "%s: the file '%.*s' that it lists is not there", manifest,
              STR_ARG(file));
    error_hint(err, "copy the complete delivery, or name the files to import");
    return false;
}

/* Is it a manifest? Then what it lists is to be read. -1 with the error set. */
static int take_manifest(struct import_inputs *in, const char *path, struct error *err)
{
    struct bill_manifest manifest;
    struct str text;

    if (!may_be_manifest(path))
        return 0;
    if (!fs_read(path, MANIFEST_MAX, in->arena, &text, err) ||
        !unpack_text(&text, path, MANIFEST_MAX, in->arena, err))
        return -1;
    err->kind = ERROR_NONE;
    if (!bill_manifest(text, path, in->arena, &manifest, err)) {
        if (err->kind == ERROR_NONE)
            return 0;
        return -1;
    }
    for (size_t i = 0; i < manifest.file_count; i++)
        if (!add_delivered(in, path, manifest.files[i], err))
            return -1;
    if (manifest.file_count == 0)
        message_warn(in->messages, "%s lists no files", path);
    return 1;
}

/* Every file of a folder; where there are manifests, what they list. */
static bool take_import_folder(struct import_inputs *in, const char *folder, struct error *err)
{
    char **names;
    size_t count, manifests = 0, folders = 0, before = in->count;

    if (!fs_names(folder, in->arena, &names, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        char *path = fs_join(folder, names[i], in->arena, err);
        int is = path != NULL ? take_manifest(in, path, err) : -1;

        if (is < 0)
            return false;
        manifests += (size_t)is;
        names[i] = path;
    }
    for (size_t i = 0; manifests == 0 && i < count; i++) {
        if (is_import_file(names[i]) && !add_input(in, names[i], false, err))
            return false;
        folders += fs_is_folder(names[i]);
    }
    if (in->count > before) {
        if (folders > 0)
            message_note(in->messages, "%s: the folder%s below it %s not searched: name %s",
                         folder, folders == 1 ? "" : "s", folders == 1 ? "is" : "are",
                         folders == 1 ? "it" : "them");
        return true;
    }
    error_set(err, ERROR_INPUT, "'%s': there is no file in this folder%s", folder,
              folders > 0 ? ", only folders, which are not searched" : "");
    if (folders > 0)
        error_hint(err, "name them: stint import %.100s/*", folder);
    return false;
}

/* The same bytes? Two files that cannot be read are not. */
static bool same_bytes(const char *a, const char *b, char *room)
{
    struct error ignored = {0};
    struct fs_stream files[2] = {{fs_open(a, &ignored), a}, {fs_open(b, &ignored), b}};
    bool same = files[0].fd >= 0 && files[1].fd >= 0;

    for (bool more = same; more;) {
        ssize_t first = read(files[0].fd, room, COMPARE);
        ssize_t second = first > 0 ? read(files[1].fd, room + COMPARE, (size_t)first) : 0;

        more = first > 0;
        same =
            first >= 0 && second == first && memcmp(room, room + COMPARE, (size_t)first) == 0;
        more &= same;
    }
    for (int i = 0; i < 2; i++)
        if (files[i].fd >= 0)
            (void)close(files[i].fd);
    return same;
}

/* A copy of a file is not read again. Only those of the same size are compared. */
static bool find_import_copies(struct import_inputs *in, struct error *err)
{
    int64_t *sizes = arena_array(in->arena, int64_t, in->count, err);
    char *room = arena_array(in->arena, char, 2 * COMPARE, err);

    if (sizes == NULL || room == NULL)
        return false;
    for (size_t i = 0; i < in->count; i++) {
        struct stat st;

        sizes[i] = stat(in->at[i].path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0
                       ? st.st_size
                       : -1;
        for (size_t k = 0; k < i && sizes[i] > 0 && in->at[i].same_as == NULL; k++)
            if (sizes[k] == sizes[i] && in->at[k].same_as == NULL &&
                same_bytes(in->at[k].path, in->at[i].path, room))
                in->at[i].same_as = in->at[k].path;
    }
    return true;
}

bool import_inputs(struct strs operands, struct arena *arena, const struct messages *messages,
                   struct import_inputs *out, struct error *err)
{
    *out = (struct import_inputs){.arena = arena, .messages = messages};
    for (size_t i = 0; i < operands.len; i++) {
        const char *path = str_dup(operands.at[i], arena, err);
        struct stat st;
        int is;

        if (path == NULL)
            return false;
        if (strcmp(path, "-") != 0 && fs_is_folder(path)) {
            if (!take_import_folder(out, path, err))
                return false;
            continue;
        }
        if (strcmp(path, "-") != 0 && stat(path, &st) != 0) {
            error_set(err, ERROR_ABSENT, "cannot open '%s': %s", path, strerror(errno));
            return false;
        }
        is = take_manifest(out, path, err);
        if (is < 0 || (is == 0 && !add_input(out, path, true, err)))
            return false;
    }
    return find_import_copies(out, err);
}
