/* data.unbundle - unpack and verify a bundle of any origin. */
#include "op/data/data_unbundle.h"

#include <unistd.h>

#include "base/fs.h"
#include "base/hex.h"
#include "data/bundle/bundle.h"
#include "op/context.h"
#include "op/op.h"

static const char *const output_names[] = {"o", NULL};

static const struct field request[] = {
    FIELD(TEXT, data_unbundle_request, bundle, .value = "FILE", .operand = true,
          .required = true, .local = true, .help = "bundle to unpack"),
    FIELD(TEXT, data_unbundle_request, output, .value = "DIR", .output = true,
          .also = output_names, .help = "folder to make (default: FILE without its ending)"),
};

static const struct field result[] = {
    FIELD(TEXT, data_unbundle_result, bundle, .help = "bundle"),
    FIELD(TEXT, data_unbundle_result, folder, .help = "folder that was made"),
    FIELD(CHARS, data_unbundle_result, sha256,
          .help = "SHA-256 of the content, as 'stint data bundle' printed it"),
    FIELD(COUNT, data_unbundle_result, files, .help = "number of files"),
    FIELD(COUNT, data_unbundle_result, links, .help = "number of symbolic links"),
    FIELD(COUNT, data_unbundle_result, empty_folders, .help = "number of empty folders"),
    FIELD(COUNT, data_unbundle_result, left_out,
          .help = "paths that were left out when the bundle was made"),
    FIELD(BYTES, data_unbundle_result, size, .help = "size of all files"),
};

/* FILE without ".tar.gz". */
static bool default_folder(struct str bundle, struct str *out, struct error *err)
{
    static const char *const endings[] = {".tar.gz", ".tgz", ".tar.zst", ".tzst", ".tar"};

    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        struct str ending = str_from(endings[i]);

        *out = (struct str){bundle.at, bundle.len - ending.len};
        if (str_ends(bundle, ending) && out->len > 0 && !str_ends(*out, STR("/")))
            return true;
    }
    return error_fail_hint(err, ERROR_USAGE, "name the folder to make with -o",
                           "'%.*s' has no ending of a bundle", STR_ARG(bundle));
}

static void describe_unbundled(const struct manifest *m, struct data_unbundle_result *res)
{
    const struct tree *tree = &m->tree;

    hex_copy((struct str){(const char *)m->digest, TREE_DIGEST}, res->sha256);
    res->left_out = 0;
    for (size_t i = 0; i < tree->count; i++)
        res->left_out += tree->entries[i].trouble;
    res->files = (int64_t)tree->files;
    res->links = (int64_t)tree_count(tree, TREE_LINK);
    res->empty_folders = (int64_t)tree_count(tree, TREE_EMPTY);
    res->size.n = tree->bytes;
}

static bool unpack_bundle_file(struct op_context *ctx, const char *path, struct str folder,
                               struct manifest *out, struct error *err)
{
    struct fs_stream stream = {.name = path};
    struct unbundle_work work = {.name = path, .watch = &ctx->watch};
    bool ok;

    work.folder = str_dup(folder, ctx->arena, err);
    if (work.folder == NULL)
        return false;
    stream.fd = fs_open(path, err);
    if (stream.fd < 0)
        return false;
    work.packed = fs_source(&stream);
    ok = unbundle(&work, ctx->arena, out, err);
    (void)close(stream.fd);
    return ok;
}

static bool unpack_bundle(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct data_unbundle_request *req = in;
    struct data_unbundle_result *res = out;
    const char *path = str_dup(req->bundle, ctx->arena, err);
    struct manifest m;

    res->bundle = req->bundle;
    res->folder = req->output;
    while (res->folder.len > 1 && str_ends(res->folder, STR("/")))
        res->folder.len--;
    if (path == NULL ||
        (req->output.len == 0 && !default_folder(req->bundle, &res->folder, err)) ||
        !unpack_bundle_file(ctx, path, res->folder, &m, err))
        return false;
    describe_unbundled(&m, res);
    if (res->left_out > 0) {
        message_warn(&ctx->messages, "%lld path%s left out when '%s' was made",
                     (long long)res->left_out, res->left_out == 1 ? " was" : "s were", path);
        ctx->partly = true;
    }
    return true;
}

const struct op op_data_unbundle = {
    .name = "data.unbundle",
    .schema = "stint.data.unbundle/1",
    .changes = true,
    .summary = "unpack a bundle, verified, into a new folder",
    .request = &(const struct field_set)FIELD_SET(struct data_unbundle_request, request),
    .result = &(const struct field_set)FIELD_SET(struct data_unbundle_result, result),
    .run = unpack_bundle,
};
