/* Manifests: what a cloud wrote beside the files of one delivery. */
#include <string.h>

#include "bill/internal.h"
#include "unit/time.h"

#define FILES_MAX ((size_t)100000)

struct manifest_reader {
    struct json *json;
    struct arena *arena;
    struct bill_manifest *out;
    struct str *files;
    size_t count, room;
    bool inclusive; /* Azure names the last day, the others the first after */
    bool known;     /* it is a manifest: it has named a file */
};

/* Never out of the folder that the manifest is in. */
static bool is_inside_folder(struct str path)
{
    while (path.len > 0) {
        struct str part = str_cut(&path, '/');

        if (str_eq(part, STR("..")) || memchr(part.at, '\0', part.len) != NULL)
            return false;
    }
    return true;
}

/* "s3://bucket/key" without the bucket; "/key" without the slash. */
static struct str key_of(struct str file)
{
    for (size_t i = 0; i + 2 < file.len; i++)
        if (memcmp(file.at + i, "://", 3) == 0) {
            file = (struct str){file.at + i + 3, file.len - i - 3};
            (void)str_cut(&file, '/');
            break;
        }
    while (file.len > 0 && file.at[0] == '/')
        file = (struct str){file.at + 1, file.len - 1};
    return file;
}

static bool add_manifest_file(struct manifest_reader *r, struct str file, struct error *err)
{
    file = key_of(file);
    if (file.len == 0)
        return true;
    r->known = true;
    if (!is_inside_folder(file))
        return error_fail(err, ERROR_INPUT, "the manifest names a file outside of its folder");
    if (r->count >= FILES_MAX)
        return error_fail(err, ERROR_INPUT, "the manifest names too many files");
    r->files = arena_grow(r->arena, r->files, r->count, sizeof *r->files, &r->room, err);
    if (r->files == NULL)
        return false;
    return str_keep(file, r->arena, &r->files[r->count++], err);
}

static bool is_one_of_names(struct str name, const char *const *names)
{
    for (; *names != NULL; names++)
        if (str_eq_nocase(name, str_from(*names)))
            return true;
    return false;
}

/* {"blobName":"...","byteCount":1}: the name of a file among facts of it. */
static bool read_file_object(struct manifest_reader *r, struct error *err)
{
    static const char *const names[] = {"blobName", "key", "path", "name",
                                        "fileName", "url", NULL};
    struct json_token token;

    for (;;) {
        bool name;

        if (!json_next(r->json, &token, err))
            return false;
        if (token.kind != JSON_KEY)
            return true;
        name = is_one_of_names(token.text, names);
        if (!json_next(r->json, &token, err))
            return false;
        if (token.kind == JSON_OBJECT || token.kind == JSON_ARRAY) {
            if (!json_leave(r->json, token.depth, err))
                return false;
        } else if (name && token.kind == JSON_STRING &&
                   !add_manifest_file(r, token.text, err)) {
            return false;
        }
    }
}

static bool read_manifest_files(struct manifest_reader *r, struct error *err)
{
    struct json_token token;

    if (!json_next(r->json, &token, err))
        return false;
    if (token.kind != JSON_ARRAY)
        return token.kind != JSON_OBJECT || json_leave(r->json, token.depth, err);
    for (;;) {
        if (!json_next(r->json, &token, err))
            return false;
        if (token.kind == JSON_ARRAY_END)
            return true;
        if (token.kind == JSON_STRING && !add_manifest_file(r, token.text, err))
            return false;
        if (token.kind == JSON_OBJECT && !read_file_object(r, err))
            return false;
        if (token.kind == JSON_ARRAY && !json_leave(r->json, token.depth, err))
            return false;
    }
}

/* The value after a key, when it is a text; else stepped over. */
static bool read_manifest_text(struct manifest_reader *r, struct str *out, struct error *err)
{
    struct json_token token;

    *out = (struct str){0};
    if (!json_next(r->json, &token, err))
        return false;
    if (token.kind == JSON_OBJECT || token.kind == JSON_ARRAY)
        return json_leave(r->json, token.depth, err);
    if (token.kind != JSON_STRING)
        return true;
    return str_keep(token.text, r->arena, out, err);
}

static bool read_manifest_time(struct manifest_reader *r, stamp *out, struct error *err)
{
    struct str text;

    if (!read_manifest_text(r, &text, err))
        return false;
    if (text.len > 0 && !bill_time_parse(text, out, NULL, NULL))
        return error_fail(err, ERROR_INPUT, "the manifest's period '%.*s' is not a time",
                          STR_ARG(text));
    return true;
}

/* Keys mean the same wherever they are: at the top, in billingPeriod, in runInfo. */
static bool read_manifest_key(struct manifest_reader *r, struct str key, struct error *err)
{
    static const char *const lists[] = {"reportKeys", "dataFiles", "blobs", "files", NULL};
    static const char *const ids[] = {"assemblyId", "runId", "executionId", NULL};
    struct str text;

    if (is_one_of_names(key, lists))
        return read_manifest_files(r, err);
    if (is_one_of_names(key, ids)) {
        if (!read_manifest_text(r, &text, err))
            return false;
        if (r->out->delivery.len == 0)
            r->out->delivery = text;
        return true;
    }
    if (str_eq(key, STR("start")) || str_eq(key, STR("startDate")))
        return read_manifest_time(r, &r->out->period_start, err);
    if (str_eq(key, STR("endDate")))
        r->inclusive = true;
    if (str_eq(key, STR("end")) || str_eq(key, STR("endDate")))
        return read_manifest_time(r, &r->out->period_end, err);
    if (str_eq(key, STR("billingPeriod")) || str_eq(key, STR("runInfo")))
        return true; /* its members come next */
    return json_skip(r->json, err);
}

static bool read_manifest(struct manifest_reader *r, struct error *err)
{
    struct json_token token;

    for (;;) {
        if (!json_next(r->json, &token, err))
            return false;
        if (token.kind == JSON_END)
            return true;
        if (token.kind == JSON_KEY && !read_manifest_key(r, token.text, err))
            return false;
        if (token.kind == JSON_ARRAY && !json_leave(r->json, token.depth, err))
            return false;
    }
}

bool bill_manifest(struct str text, const char *name, struct arena *arena,
                   struct bill_manifest *out, struct error *err)
{
    struct json_options options = {.alloc = arena->alloc};
    struct manifest_reader r = {.arena = arena, .out = out};
    struct error why = {0};
    bool read;

    *out = (struct bill_manifest){.period_start = STAMP_UNKNOWN, .period_end = STAMP_UNKNOWN};
    if (text.len >= 3 && memcmp(text.at, "\xef\xbb\xbf", 3) == 0)
        text = (struct str){text.at + 3, text.len - 3};
    if (str_trim(text).len == 0)
        return false;
    r.json = json_open_text(text, &options, err);
    if (r.json == NULL)
        return false;
    read = read_manifest(&r, &why);
    json_close(r.json);
    if (!read) {
        /* Data that are not JSON, or are of some other shape, are no manifest; one that names
         * files and then breaks is. */
        if (why.kind == ERROR_MEMORY || r.known) {
            *err = why;
            error_place(err, name);
        }
        return false;
    }
    if (r.inclusive && out->period_end.s != STAMP_UNKNOWN.s)
        out->period_end.s += SECONDS_PER_DAY;
    out->files = r.files;
    out->file_count = r.count;
    return r.count > 0;
}

bool bill_manifest_place(struct str file, size_t n, struct str *out)
{
    for (; n > 0 && file.len > 0; n--)
        if (str_cut(&file, '/').len == 0 && file.len == 0)
            return false;
    *out = file;
    return file.len > 0;
}
