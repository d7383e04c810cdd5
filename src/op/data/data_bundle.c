/* data.bundle - a data set, its configuration and its scripts in one packed archive. */
#include "op/data/data_bundle.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/hex.h"
#include "base/num.h"
#include "data/bundle/bundle.h"
#include "op/context.h"
#include "op/data/data_tree.h"
#include "op/op.h"

#define SCRIPTS "scripts"
#define SOURCES_MOST 3

static const char *const output_names[] = {"o", NULL};

static const struct field request[] = {
    FIELD(TEXT, data_bundle_request, folder, .value = "DIR", .operand = true, .required = true,
          .local = true, .help = "folder with the data"),
    FIELD(TEXT, data_bundle_request, config, .value = "FILE", .local = true,
          .help = "configuration to add, as config.json or with its own ending"),
    FIELD(TEXT, data_bundle_request, output, .value = "FILE", .output = true,
          .also = output_names,
          .help = "bundle to write, .tar.gz or .tar.zst (default: DIR_bundle.tar.gz)"),
};

static const struct field content_fields[] = {
    FIELD(TEXT, data_bundle_content, name, .help = "name in the bundle"),
    FIELD(COUNT, data_bundle_content, files, .help = "number of files"),
    FIELD(BYTES, data_bundle_content, size, .help = "size of these files"),
};

static const struct field_set content_set =
    FIELD_SET(struct data_bundle_content, content_fields);

static const struct field result[] = {
    FIELD(TEXT, data_bundle_result, folder, .help = "folder"),
    FIELD(TEXT, data_bundle_result, output, .help = "bundle that was written"),
    FIELD(CHARS, data_bundle_result, sha256,
          .help = "SHA-256 of the content: two bundles of equal files have the same"),
    FIELD(LIST, data_bundle_result, contents, .row = &content_set,
          .help = "folders and files at the top of the bundle"),
    FIELD(COUNT, data_bundle_result, files, .help = "number of files"),
    FIELD(COUNT, data_bundle_result, links, .help = "number of symbolic links"),
    FIELD(COUNT, data_bundle_result, empty_folders, .help = "number of empty folders"),
    FIELD(COUNT, data_bundle_result, left_out,
          .help = "paths that are not in the bundle: see problems"),
    FIELD(BYTES, data_bundle_result, size, .help = "size of all files"),
    FIELD(BYTES, data_bundle_result, bundle_size, .help = "size of the bundle"),
    FIELD(BYTES, data_bundle_result, stored_size,
          .help = "size of files that were compressed already, such as pictures"),
    FIELD(NUMBER, data_bundle_result, compression_ratio,
          .help = "size of all files, divided by the size of the bundle"),
    FIELD(LIST, data_bundle_result, problems, .row = &tree_problem_fields,
          .help = "paths that could not be read, are neither files nor folders, or are links "
                  "that lead outside the folder"),
};

/* The things to bundle, in the order of their names. */
struct data_bundle_things {
    struct bundle_source sources[SOURCES_MOST];
    struct manifest trees[SOURCES_MOST];
    size_t count;
};

static bool check_bundled_folder(const char *folder, struct error *err)
{
    if (fs_is_folder(folder))
        return true;
    if (fs_exists(folder))
        return error_fail_hint(err, ERROR_INPUT, "name the folder that it is in",
                               "'%s' is not a folder", folder);
    return error_fail_hint(err, ERROR_ABSENT, "name the folder with the data",
                           "there is no folder '%s'", folder);
}

static bool add_folder(struct op_context *ctx, struct data_bundle_things *things,
                       struct str name, struct str folder, struct error *err)
{
    struct manifest *m = &things->trees[things->count];
    struct manifest_took took;
    const char *path = str_dup(folder, ctx->arena, err);

    if (path == NULL || !op_data_tree(ctx, folder, false, m, &took, err))
        return false;
    op_data_note_problems(ctx, folder, &m->tree);
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

static bool add_config(struct op_context *ctx, struct data_bundle_things *things,
                       struct str file, struct error *err)
{
    struct bundle_source *source = &things->sources[things->count];
    struct tree *tree = &things->trees[things->count].tree;
    const char *path = str_dup(file, ctx->arena, err);

    if (path == NULL || !name_config(file, ctx->arena, &source->name, err) ||
        !bundle_file(path, &ctx->watch, ctx->arena, tree, &source->folder, err))
        return false;
    source->tree = tree;
    things->count++;
    return true;
}

static bool gather_things(struct op_context *ctx, const struct data_bundle_request *req,
                          struct data_bundle_things *things, struct error *err)
{
    return (req->config.len == 0 || add_config(ctx, things, req->config, err)) &&
           add_folder(ctx, things, STR("dataset/"), req->folder, err) &&
           (!fs_is_folder(SCRIPTS) ||
            add_folder(ctx, things, STR(SCRIPTS "/"), STR(SCRIPTS), err));
}

/* "DIR_bundle.tar.gz"; of "." by its real name. */
static bool default_bundle(struct op_context *ctx, struct str folder, struct str *out,
                           struct error *err)
{
    char real[PATH_MAX], path[PATH_MAX];
    struct buf text = buf_new(ctx->arena->alloc, 2 * PATH_MAX);
    struct str name;

    while (folder.len > 1 && folder.at[folder.len - 1] == '/')
        folder.len--;
    name = str_after_last(folder, '/');
    str_copy(folder, path, sizeof path);
    if ((str_eq(name, STR(".")) || str_eq(name, STR(".."))) && realpath(path, real) != NULL)
        folder = str_from(real);
    buf_add(&text, folder);
    buf_adds(&text, "_bundle.tar.gz");
    return buf_keep(&text, ctx->arena, out, err);
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
static bool write_bundle_file(struct op_context *ctx, const struct bundle *bundle,
                              const char *path, enum bundle_kind kind, struct bundle_took *took,
                              struct error *err)
{
    struct fs_output file;
    struct bundle_work work = {.kind = kind, .name = path, .watch = &ctx->watch};
    bool ok;

    if (!fs_output_open(path, &file, err))
        return false;
    work.fd = file.fd;
    ok = bundle_write(&work, bundle, took, err);
    return fs_output_close(&file, ok, err);
}

/* How many files and bytes are of each source. */
static bool count_contents(struct op_context *ctx, const struct bundle *bundle,
                           struct rows *out, struct error *err)
{
    struct data_bundle_content *rows =
        arena_array(ctx->arena, struct data_bundle_content, bundle->source_count, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < bundle->source_count; i++) {
        const struct bundle_source *source = &bundle->sources[i];

        rows[i] = (struct data_bundle_content){
            source->name, (int64_t)source->tree->files, {source->tree->bytes}};
    }
    *out = (struct rows){rows, bundle->source_count};
    return true;
}

static void describe_bundle(const struct bundle *bundle, struct data_bundle_result *res)
{
    const struct tree *tree = &bundle->manifest.tree;

    hex_copy((struct str){(const char *)bundle->manifest.digest, TREE_DIGEST}, res->sha256);
    res->files = (int64_t)tree->files;
    res->links = (int64_t)bundle->links;
    res->empty_folders = (int64_t)tree_count(tree, TREE_EMPTY);
    res->left_out = (int64_t)bundle->left_out;
    res->size.n = tree->bytes;
    res->problems = (struct rows){tree->problems, tree->problem_count};
}

static void note_left_links(struct op_context *ctx, const struct bundle *bundle)
{
    if (bundle->outside == 0)
        return;
    message_warn(&ctx->messages, "%zu link%s left out: %s outside %s folder", bundle->outside,
                 num_plural((int64_t)bundle->outside),
                 bundle->outside == 1 ? "it leads" : "they lead",
                 bundle->outside == 1 ? "its" : "their");
    ctx->partly = true;
}

static bool make_bundle(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct data_bundle_request *req = in;
    struct data_bundle_result *res = out;
    struct data_bundle_things *things =
        arena_array(ctx->arena, struct data_bundle_things, 1, err);
    const char *folder = str_dup(req->folder, ctx->arena, err), *path;
    enum bundle_kind kind;
    struct bundle_took took;
    struct bundle bundle;

    res->folder = req->folder;
    res->output = req->output;
    if (things == NULL || folder == NULL || !check_bundled_folder(folder, err) ||
        (req->output.len == 0 && !default_bundle(ctx, req->folder, &res->output, err)) ||
        !bundle_kind_of(res->output, &kind, err) || !gather_things(ctx, req, things, err) ||
        !bundle_plan(things->sources, things->count, ctx->arena, &bundle, err))
        return false;
    path = str_dup(res->output, ctx->arena, err);
    if (path == NULL || !bundle_check_outside(&bundle, path, err) ||
        !write_bundle_file(ctx, &bundle, path, kind, &took, err))
        return false;
    note_left_links(ctx, &bundle);
    describe_bundle(&bundle, res);
    res->bundle_size.n = took.size;
    res->stored_size.n = took.stored;
    res->compression_ratio = (double)res->size.n / (double)took.size;
    return count_contents(ctx, &bundle, &res->contents, err);
}

const struct op op_data_bundle = {
    .name = "data.bundle",
    .schema = "stint.data.bundle/1",
    .changes = true,
    .summary = "pack a data set, its configuration and scripts into one archive",
    .request = &(const struct field_set)FIELD_SET(struct data_bundle_request, request),
    .result = &(const struct field_set)FIELD_SET(struct data_bundle_result, result),
    .run = make_bundle,
};
