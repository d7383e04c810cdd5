/* data.manifest - size, time and SHA-256 of everything in a folder. */
#include "op/data/data_manifest.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/hex.h"
#include "op/context.h"
#include "op/data/data_task.h"
#include "op/op.h"

static const char *const output_names[] = {"o", NULL};

static const struct field request[] = {
    FIELD(TEXT, data_manifest_request, folder, .value = "DIR", .operand = true,
          .required = true, .local = true, .help = "folder with the data"),
    FIELD(TEXT, data_manifest_request, output, .value = "FILE", .output = true,
          .also = output_names, .help = "file to write the manifest to"),
    FIELD(FLAG, data_manifest_request, reread, .local = true,
          .help = "read every file, not only those whose size or time has changed"),
};

static const struct field result[] = {
    FIELD(TEXT, data_manifest_result, folder, .help = "folder"),
    FIELD(TEXT, data_manifest_result, output, .empty_unknown = true,
          .help = "file that was written"),
    FIELD(CHARS, data_manifest_result, sha256,
          .help = "SHA-256 of the content: two equal trees have the same"),
    FIELD(COUNT, data_manifest_result, files, .help = "number of files"),
    FIELD(BYTES, data_manifest_result, size, .help = "size of all files"),
    FIELD(COUNT, data_manifest_result, links, .help = "number of symbolic links"),
    FIELD(COUNT, data_manifest_result, empty_folders, .help = "number of empty folders"),
    FIELD(COUNT, data_manifest_result, known_files,
          .help = "files that have not changed since the last manifest and were not read"),
    FIELD(COUNT, data_manifest_result, read_files, .help = "files that were read"),
    FIELD(BYTES, data_manifest_result, read_size, .help = "size of what was read"),
    FIELD(LIST, data_manifest_result, problems, .row = &tree_problem_fields,
          .help = "paths that could not be read, or are neither files nor folders"),
};

static void describe_tree(const struct manifest *m, const struct manifest_took *took,
                          struct data_manifest_result *res)
{
    const struct tree *tree = &m->tree;

    hex_copy((struct str){(const char *)m->digest, TREE_DIGEST}, res->sha256);
    res->files = (int64_t)tree->files;
    res->size.n = tree->bytes;
    res->links = (int64_t)tree_count(tree, TREE_LINK);
    res->empty_folders = (int64_t)tree_count(tree, TREE_EMPTY);
    res->known_files = (int64_t)took->known_files;
    res->read_files = (int64_t)took->read_files;
    res->read_size.n = took->read_bytes;
    res->problems = (struct rows){tree->problems, tree->problem_count};
}

static bool write_manifest_file(struct str path, const struct manifest *m,
                                const struct alloc *alloc, struct error *err)
{
    struct buf text = buf_new(alloc, MANIFEST_MAX);

    manifest_write(m, false, &text);
    return fs_put_buf(path, &text, err);
}

/* It is part of what it lists, so that the next one is different. */
static void warn_inside(struct op_context *ctx, const char *folder, struct str output)
{
    char inner[PATH_MAX], outer[PATH_MAX], name[PATH_MAX];
    size_t len;

    str_copy(output, name, sizeof name);
    if (output.len == 0 || realpath(folder, outer) == NULL || realpath(name, inner) == NULL)
        return;
    len = strlen(outer);
    if (strncmp(inner, outer, len) == 0 && (inner[len] == '/' || len == 1))
        message_warn(&ctx->messages,
                     "'%.*s' is in '%s', and will be in its next manifest: name a file "
                     "elsewhere",
                     STR_ARG(output), folder);
}

static bool make_manifest(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct data_manifest_request *req = in;
    struct data_manifest_result *res = out;
    const struct data_task task = op_data_task(ctx);
    struct manifest_took took;
    struct manifest m;
    char *folder = str_dup(req->folder, ctx->arena, err);

    if (folder == NULL)
        return false;
    if (!data_check_folder(folder, err) ||
        !data_tree_named(&task, req->folder, req->reread, &m, &took, err) ||
        (req->output.len > 0 && !write_manifest_file(req->output, &m, ctx->arena->alloc, err)))
        return false;
    warn_inside(ctx, folder, req->output);
    res->folder = req->folder;
    res->output = req->output;
    describe_tree(&m, &took, res);
    data_note_problems(&task, req->folder, &m.tree);
    return true;
}

const struct op op_data_manifest = {
    .name = "data.manifest",
    .schema = "stint.data.manifest/1",
    .summary = "list size, time and SHA-256 of every file of a folder",
    .request = &(const struct field_set)FIELD_SET(struct data_manifest_request, request),
    .result = &(const struct field_set)FIELD_SET(struct data_manifest_result, result),
    .run = make_manifest,
};
