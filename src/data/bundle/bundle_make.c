#include "data/bundle/bundle_make.h"

#include <limits.h>
#include <stdlib.h>

#include "base/fs.h"
#include "base/hex.h"
#include "base/num.h"
#include "data/bundle/bundle.h"
#include "data/named.h"

#define SCRIPTS "scripts"
#define SOURCES_MOST 3

static const struct field content_fields[] = {
    FIELD(TEXT, bundle_content, name, .help = "name in the bundle"),
    FIELD(COUNT, bundle_content, files, .help = "number of files"),
    FIELD(BYTES, bundle_content, size, .help = "size of these files"),
};

static const struct field_set content_set = FIELD_SET(struct bundle_content, content_fields);

static const struct field made_fields[] = {
    FIELD(TEXT, bundle_made, folder, .help = "folder"),
    FIELD(TEXT, bundle_made, output, .help = "bundle that was written"),
    FIELD(CHARS, bundle_made, sha256,
          .help = "SHA-256 of the content: two bundles of equal files have the same"),
    FIELD(LIST, bundle_made, contents, .row = &content_set,
          .help = "folders and files at the top of the bundle"),
    FIELD(COUNT, bundle_made, files, .help = "number of files"),
    FIELD(COUNT, bundle_made, links, .help = "number of symbolic links"),
    FIELD(COUNT, bundle_made, empty_folders, .help = "number of empty folders"),
    FIELD(COUNT, bundle_made, left_out,
          .help = "paths that are not in the bundle: see problems"),
    FIELD(BYTES, bundle_made, size, .help = "size of all files"),
    FIELD(BYTES, bundle_made, bundle_size, .help = "size of the bundle"),
    FIELD(BYTES, bundle_made, stored_size,
          .help = "size of files that were compressed already, such as pictures"),
    FIELD(NUMBER, bundle_made, compression_ratio,
          .help = "size of all files, divided by the size of the bundle"),
    FIELD(LIST, bundle_made, problems, .row = &tree_problem_fields,
          .help = "paths that could not be read, are neither files nor folders, or are links "
                  "that lead outside the folder"),
};

const struct field_set bundle_made_fields = FIELD_SET(struct bundle_made, made_fields);

/* The things to bundle, in the order of their names. */
struct bundle_things {
    struct bundle_source sources[SOURCES_MOST];
    struct manifest trees[SOURCES_MOST];
    size_t count;
};

static bool add_folder(const struct data_task *task, struct bundle_things *things,
                       struct str name, struct str folder, struct error *err)
{
    struct manifest *m = &things->trees[things->count];
    struct manifest_took took;
    const char *path = str_dup(folder, task->arena, err);

    if (path == NULL || !data_tree_named(task, folder, false, m, &took, err))
        return false;
    data_note_problems(task, folder, &m->tree);
    things->sources[things->count++] = (struct bundle_source){name, path, &m->tree};
    return true;
}

/* "config.yaml" of "jobs/train.yaml". */
static bool name_config(struct str file, struct arena *arena, struct str *out,
                        struct error *err)
{
    struct str name = str_after_last(file, '/'), ending = str_after_last(name, '.');
    struct buf text = buf_new(arena->alloc, PATH_MAX);

    buf_adds(&text, "config");
    if (ending.len + 1 < name.len && ending.len > 0) { /* ".env" has none */
        buf_char(&text, '.');
        buf_add(&text, ending);
    }
    return buf_keep(&text, arena, out, err);
}

static bool add_config(const struct data_task *task, struct bundle_things *things,
                       struct str file, struct error *err)
{
    struct bundle_source *source = &things->sources[things->count];
    struct tree *tree = &things->trees[things->count].tree;
    const char *path = str_dup(file, task->arena, err);

    if (path == NULL || !name_config(file, task->arena, &source->name, err) ||
        !bundle_file(path, task->watch, task->arena, tree, &source->folder, err))
        return false;
    source->tree = tree;
    things->count++;
    return true;
}

static bool gather_things(const struct data_task *task, const struct bundle_wish *wish,
                          struct bundle_things *things, struct error *err)
{
    return (wish->config.len == 0 || add_config(task, things, wish->config, err)) &&
           add_folder(task, things, STR("dataset/"), wish->folder, err) &&
           (!fs_is_folder(SCRIPTS) ||
            add_folder(task, things, STR(SCRIPTS "/"), STR(SCRIPTS), err));
}

/* "DIR_bundle.tar.gz"; of "." by its real name. */
static bool name_bundle(const struct data_task *task, struct str folder, struct str *out,
                        struct error *err)
{
    char real[PATH_MAX], path[PATH_MAX];
    struct buf text = buf_new(task->arena->alloc, 2 * PATH_MAX);
    struct str name;

    while (folder.len > 1 && folder.at[folder.len - 1] == '/')
        folder.len--;
    name = str_after_last(folder, '/');
    str_copy(folder, path, sizeof path);
    if ((str_eq(name, STR(".")) || str_eq(name, STR(".."))) && realpath(path, real) != NULL)
        folder = str_from(real);
    buf_add(&text, folder);
    buf_adds(&text, "_bundle.tar.gz");
    return buf_keep(&text, task->arena, out, err);
}

static bool bundle_kind_of(struct str output, enum bundle_kind *out, struct error *err)
{
    *out = str_ends(output, STR(".tar.zst")) || str_ends(output, STR(".tzst")) ? BUNDLE_ZSTD
                                                                               : BUNDLE_GZIP;
    if (*out == BUNDLE_ZSTD || str_ends(output, STR(".tar.gz")) ||
        str_ends(output, STR(".tgz")))
        return true;
    return error_fail_hint(err, ERROR_USAGE, "name it .tar.gz or .tar.zst",
                           "--output: '%.*s' is not the name of a bundle", STR_ARG(output));
}

/* Completely or not at all; what was there before stays until then. */
static bool write_bundle_file(const struct data_task *task, const struct bundle *bundle,
                              const char *path, enum bundle_kind kind, struct bundle_took *took,
                              struct error *err)
{
    struct fs_output file;
    struct bundle_work work = {.kind = kind, .name = path, .watch = task->watch};
    bool ok;

    if (!fs_output_open(path, &file, err))
        return false;
    work.fd = file.fd;
    ok = bundle_write(&work, bundle, took, err);
    return fs_output_close(&file, ok, err);
}

/* How many files and bytes are of each source. */
static bool count_contents(const struct data_task *task, const struct bundle *bundle,
                           struct rows *out, struct error *err)
{
    struct bundle_content *rows =
        arena_array(task->arena, struct bundle_content, bundle->source_count, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < bundle->source_count; i++) {
        const struct bundle_source *source = &bundle->sources[i];

        rows[i] = (struct bundle_content){
            source->name, (int64_t)source->tree->files, {source->tree->bytes}};
    }
    *out = (struct rows){rows, bundle->source_count};
    return true;
}

static void describe_bundle(const struct bundle *bundle, struct bundle_made *out)
{
    const struct tree *tree = &bundle->manifest.tree;

    hex_copy((struct str){(const char *)bundle->manifest.digest, TREE_DIGEST}, out->sha256);
    out->files = (int64_t)tree->files;
    out->links = (int64_t)bundle->links;
    out->empty_folders = (int64_t)tree_count(tree, TREE_EMPTY);
    out->left_out = (int64_t)bundle->left_out;
    out->size.n = tree->bytes;
    out->problems = (struct rows){tree->problems, tree->problem_count};
}

static void note_left_links(const struct data_task *task, const struct bundle *bundle)
{
    if (bundle->outside == 0)
        return;
    message_warn(task->messages, "%zu link%s left out: %s outside %s folder", bundle->outside,
                 num_plural((int64_t)bundle->outside),
                 bundle->outside == 1 ? "it leads" : "they lead",
                 bundle->outside == 1 ? "its" : "their");
    *task->partly = true;
}

bool bundle_make(const struct data_task *task, const struct bundle_wish *wish,
                 struct bundle_made *out, struct error *err)
{
    struct bundle_things *things = arena_array(task->arena, struct bundle_things, 1, err);
    const char *folder = str_dup(wish->folder, task->arena, err), *path;
    enum bundle_kind kind;
    struct bundle_took took;
    struct bundle bundle;

    out->folder = wish->folder;
    out->output = wish->output;
    if (things == NULL || folder == NULL || !data_check_folder(folder, err) ||
        (wish->output.len == 0 && !name_bundle(task, wish->folder, &out->output, err)) ||
        !bundle_kind_of(out->output, &kind, err) || !gather_things(task, wish, things, err) ||
        !bundle_plan(things->sources, things->count, task->arena, &bundle, err))
        return false;
    path = str_dup(out->output, task->arena, err);
    if (path == NULL || !bundle_check_outside(&bundle, path, err) ||
        !write_bundle_file(task, &bundle, path, kind, &took, err))
        return false;
    note_left_links(task, &bundle);
    describe_bundle(&bundle, out);
    out->bundle_size.n = took.size;
    out->stored_size.n = took.stored;
    out->compression_ratio = (double)out->size.n / (double)took.size;
    return count_contents(task, &bundle, &out->contents, err);
}
