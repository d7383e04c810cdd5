#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <yajl/yajl_parse.h>

#include "json_bench.h"

/* --- jansson: the complete tree, then a walk over it --- */

static void walk(json_t *value, struct tally *tally)
{
    const char *key;
    json_t *child;
    size_t i;

    if (json_is_object(value)) {
        tally->tokens += 2;
        json_object_foreach(value, key, child)
        {
            tally_key(tally, str_from(key));
            walk(child, tally);
        }
    } else if (json_is_array(value)) {
        tally->tokens += 2;
        json_array_foreach(value, i, child) walk(child, tally);
    } else if (json_is_string(value)) {
        tally_string(tally, (struct str){json_string_value(value), json_string_length(value)});
    } else {
        tally->tokens++;
    }
}

bool read_jansson(const char *path, struct tally *tally)
{
    json_error_t err;
    json_t *root = json_load_file(path, JSON_DECODE_ANY, &err);

    if (root == NULL) {
        (void)fprintf(stderr, "jansson: line %d: %s\n", err.line, err.text);
        return false;
    }
    walk(root, tally);
    json_decref(root);
    return true;
}

/* --- yajl: callbacks --- */

static int on_other(void *ctx)
{
    ((struct tally *)ctx)->tokens++;
    return 1;
}

static int on_boolean(void *ctx, int value)
{
    (void)value;
    return on_other(ctx);
}

static int on_number(void *ctx, const char *at, size_t len)
{
    (void)at;
    (void)len;
    return on_other(ctx);
}

static int on_string(void *ctx, const unsigned char *at, size_t len)
{
    tally_string(ctx, (struct str){(const char *)at, len});
    return 1;
}

static int on_key(void *ctx, const unsigned char *at, size_t len)
{
    tally_key(ctx, (struct str){(const char *)at, len});
    return 1;
}

bool read_yajl(const char *path, struct tally *tally)
{
    static const yajl_callbacks calls = {
        .yajl_null = on_other,
        .yajl_boolean = on_boolean,
        .yajl_number = on_number,
        .yajl_string = on_string,
        .yajl_start_map = on_other,
        .yajl_map_key = on_key,
        .yajl_end_map = on_other,
        .yajl_start_array = on_other,
        .yajl_end_array = on_other,
    };
    yajl_handle yajl = yajl_alloc(&calls, NULL, tally);
    unsigned char *piece = malloc(BENCH_BATCH);
    int fd = open(path, O_RDONLY);
    bool ok = yajl != NULL && piece != NULL && fd >= 0;
    ssize_t got;

    while (ok && (got = read(fd, piece, BENCH_BATCH)) > 0)
        ok = yajl_parse(yajl, piece, (size_t)got) == yajl_status_ok;
    ok = ok && yajl_complete_parse(yajl) == yajl_status_ok;
    if (!ok)
        (void)fprintf(stderr, "yajl: failed\n");
    yajl_free(yajl);
    free(piece);
    (void)close(fd);
    return ok;
}
