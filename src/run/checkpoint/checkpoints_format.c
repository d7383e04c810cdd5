/* What the content of a checkpoint's files says: whether they are complete, as far as their
 * formats show it without reading all of them, and what the Trainer's state names. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/num.h"
#include "run/checkpoint/checkpoints_internal.h"

#define HEADER_MOST ((uint64_t)100 * 1000 * 1000) /* of safetensors, as the format allows */
#define DOCUMENT_MOST ((uint64_t)64 << 20)
#define JSON_MOST (8 << 20) /* longer ones are not read to their end */

/* A part of a file as a stream; failures look like its end. */
struct piece {
    int fd;
    uint64_t left;
};

static ptrdiff_t read_format_piece(void *ctx, char *to, size_t room, struct error *err)
{
    struct piece *piece = ctx;
    size_t want = room < piece->left ? room : (size_t)piece->left;
    ssize_t got;

    (void)err;
    do
        got = want > 0 ? read(piece->fd, to, want) : 0;
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return 0;
    piece->left -= (uint64_t)got;
    return got;
}

/* Never a link, and never waits for the other end of a pipe. */
static int open_checkpoint_file(int folder, const char *name)
{
    return openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
}

static struct json *open_checkpoint_json(struct piece *piece, const struct alloc *alloc)
{
    struct json_options options = {.alloc = alloc};
    struct error ignored;

    return json_open((struct source){read_format_piece, piece}, &options, &ignored);
}

/* Where the data of the last tensor ends; -1 when the header is not to be read. */
static double last_offset(int fd, uint64_t header, const struct alloc *alloc)
{
    struct piece piece = {fd, header};
    struct json *json = open_checkpoint_json(&piece, alloc);
    struct json_token token = {.kind = JSON_END};
    struct error ignored;
    bool offsets = false, ok = json != NULL;
    double last = 0;

    while (ok && (ok = json_next(json, &token, &ignored)) && token.kind != JSON_END) {
        double value;

        if (token.kind == JSON_KEY)
            offsets = token.depth == 2 && str_eq(token.text, STR("data_offsets"));
        else if (offsets && token.kind == JSON_NUMBER && num_double(token.text, &value) &&
                 value > last)
            last = value;
    }
    json_close(json);
    return ok ? last : -1;
}

static const char *safetensors_doubt(int fd, const struct stat *st, const struct alloc *alloc)
{
    unsigned char head[8];
    uint64_t header = 0;
    double last;

    if (pread(fd, head, sizeof head, 0) != (ssize_t)sizeof head)
        return "no header yet";
    for (int i = 7; i >= 0; i--)
        header = header << 8 | head[i];
    if (header > HEADER_MOST || header + 8 > (uint64_t)st->st_size)
        return "shorter than its header says";
    if (lseek(fd, 8, SEEK_SET) != 8)
        return "cannot be read";
    last = last_offset(fd, header, alloc);
    if (last < 0)
        return "its header is damaged";
    return (double)st->st_size < 8.0 + (double)header + last ? "shorter than its header says"
                                                             : NULL;
}

#define ZIP_END 22 /* bytes of the record at the end of a zip archive, without its comment */

/* Is that record there, to its last byte? A cut in the middle of it leaves its mark. */
static bool has_zip_end(const unsigned char *last, size_t len)
{
    static const unsigned char mark[4] = {'P', 'K', 5, 6};

    for (size_t at = len; at-- > 0;)
        if (len - at >= ZIP_END && memcmp(last + at, mark, sizeof mark) == 0)
            return len - at - ZIP_END >= (size_t)(last[at + 20] | last[at + 21] << 8);
    return false;
}

/* PyTorch's files are zip archives, whose directory is written last. Older ones are not. */
static const char *zip_doubt(int fd, const struct stat *st, bool *proven)
{
    static const char start_mark[4] = {'P', 'K', 3, 4};
    unsigned char last[1024];
    char first[4];
    size_t len = st->st_size < (off_t)sizeof last ? (size_t)st->st_size : sizeof last;

    if (pread(fd, first, sizeof first, 0) != (ssize_t)sizeof first ||
        memcmp(first, start_mark, sizeof first) != 0)
        return NULL;
    if (pread(fd, last, len, st->st_size - (off_t)len) != (ssize_t)len)
        return "cannot be read";
    *proven = has_zip_end(last, len);
    return *proven ? NULL : "its end is missing";
}

/* Reads on in a JSON document: how deep, and in a string or not. */
struct json_depth {
    long depth;
    bool text, escaped;
};

static void json_depth_read(struct json_depth *d, struct str bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        char c = bytes.at[i];

        if (d->escaped)
            d->escaped = false;
        else if (d->text && c == '\\')
            d->escaped = true;
        else if (c == '"')
            d->text = !d->text;
        else if (!d->text)
            d->depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    }
}

/* Does a JSON document end before it should? NaN and the like, as Python writes them, do not
 * matter. */
static bool json_is_cut(int folder, const char *name, const struct stat *st)
{
    int fd = st->st_size <= JSON_MOST ? open_checkpoint_file(folder, name) : -1;
    struct json_depth d = {0};
    char room[8192];
    ssize_t got;

    while (fd >= 0 && (got = read(fd, room, sizeof room)) > 0)
        json_depth_read(&d, (struct str){room, (size_t)got});
    if (fd >= 0)
        (void)close(fd);
    return d.depth > 0 || d.text;
}

/* HDF5 says at its start where it ends. */
static const char *hdf5_doubt(int fd, const struct stat *st, bool *proven)
{
    static const unsigned char mark[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char head[48];
    uint64_t end = 0;
    int at;

    if (pread(fd, head, sizeof head, 0) != (ssize_t)sizeof head ||
        memcmp(head, mark, sizeof mark) != 0)
        return NULL;
    at = head[8] >= 2 ? 28 : 40;
    if (head[head[8] >= 2 ? 9 : 13] != 8) /* bytes of an address */
        return NULL;
    for (int i = 7; i >= 0; i--)
        end = end << 8 | head[at + i];
    *proven = end <= (uint64_t)st->st_size;
    return *proven ? NULL : "shorter than its header says";
}

const char *checkpoint_file_doubt(int folder, const char *name, const struct stat *st,
                                  const struct alloc *alloc, bool *proven)
{
    struct str text = str_from(name);
    bool tensors = str_ends(text, STR(".safetensors"));
    bool zip = str_ends(text, STR(".pt")) || str_ends(text, STR(".pth")) ||
               str_ends(text, STR(".ckpt")) || str_ends(text, STR(".bin")) ||
               str_ends(text, STR(".zip")) || str_ends(text, STR(".keras")) ||
               str_ends(text, STR(".npz")) || str_ends(text, STR(".th")) ||
               str_ends(text, STR(".tar"));
    bool hdf5 = str_ends(text, STR(".h5")) || str_ends(text, STR(".hdf5"));
    const char *doubt;
    int fd;

    *proven = false;
    if (st->st_size == 0)
        return tensors || zip || hdf5 ? "no data yet" : NULL;
    if (str_ends(text, STR(".json")))
        return json_is_cut(folder, name, st) ? "a JSON file in it is cut off" : NULL;
    if (!tensors && !zip && !hdf5)
        return NULL;
    fd = open_checkpoint_file(folder, name);
    if (fd < 0)
        return "cannot be read";
    doubt = tensors ? safetensors_doubt(fd, st, alloc)
            : hdf5  ? hdf5_doubt(fd, st, proven)
                    : zip_doubt(fd, st, proven);
    *proven |= tensors && doubt == NULL;
    (void)close(fd);
    return doubt;
}

/* Is this shard there? Names that lead elsewhere are not looked for. */
static bool shard_there(int folder, struct str shard)
{
    char name[NAME_MAX + 1];
    struct stat st;

    if (shard.len == 0 || shard.len > NAME_MAX || memchr(shard.at, '/', shard.len) != NULL ||
        memchr(shard.at, '\0', shard.len) != NULL)
        return true;
    memcpy(name, shard.at, shard.len);
    name[shard.len] = '\0';
    return fstatat(folder, name, &st, 0) == 0 && st.st_size > 0;
}

const char *checkpoint_index_doubt(int folder, const char *name, const struct alloc *alloc)
{
    int fd = open_checkpoint_file(folder, name);
    struct piece piece = {fd, DOCUMENT_MOST};
    struct json *json = fd >= 0 ? open_checkpoint_json(&piece, alloc) : NULL;
    struct json_token token = {.kind = JSON_END};
    struct error ignored;
    bool map = false, ok = json != NULL, there = true;

    while (ok && there && (ok = json_next(json, &token, &ignored)) && token.kind != JSON_END) {
        if (token.kind == JSON_KEY && token.depth == 1)
            map = str_eq(token.text, STR("weight_map"));
        else if (map && token.kind == JSON_STRING && token.depth == 2)
            there = shard_there(folder, token.text);
    }
    json_close(json);
    if (fd >= 0)
        (void)close(fd);
    if (!ok)
        return "its index cannot be read";
    return there ? NULL : "a shard that its index names is missing";
}

/* ---- the Trainer's state ---- */

/* What one walk through it finds. */
struct state_reader {
    struct str wanted;
    double last, best;    /* of the history; of "best_metric" */
    struct str best_name; /* best_model_checkpoint; empty: none */
    struct arena *arena;
    enum { OTHER, BEST_METRIC, BEST_NAME, HISTORY, VALUE } at;
};

static void see_state_key(struct state_reader *r, const struct json_token *token)
{
    if (token->depth == 1)
        r->at = str_eq(token->text, STR("best_metric"))             ? BEST_METRIC
                : str_eq(token->text, STR("best_model_checkpoint")) ? BEST_NAME
                : str_eq(token->text, STR("log_history"))           ? HISTORY
                                                                    : OTHER;
    else if (token->depth == 3 && (r->at == HISTORY || r->at == VALUE))
        r->at =
            r->wanted.len > 0 && checkpoint_metric_is(r->wanted, token->text) ? VALUE : HISTORY;
}

static void see_state(struct state_reader *r, const struct json_token *token)
{
    double value;

    if (token->kind == JSON_KEY)
        see_state_key(r, token);
    else if (token->kind == JSON_NUMBER && num_double(token->text, &value)) {
        if (r->at == VALUE)
            r->last = value;
        else if (r->at == BEST_METRIC)
            r->best = value;
    } else if (token->kind == JSON_STRING && r->at == BEST_NAME) {
        struct error ignored;
        char *copy = str_dup(token->text, r->arena, &ignored);

        if (copy != NULL)
            r->best_name = (struct str){copy, token->text.len};
    }
}

void checkpoint_state_read(int folder, const char *name, const struct checkpoint_look *look,
                           struct str best_of, struct checkpoint_trainer_state *out)
{
    int fd = open_checkpoint_file(folder, name);
    struct piece piece = {fd, DOCUMENT_MOST};
    struct json *json = fd >= 0 ? open_checkpoint_json(&piece, look->arena->alloc) : NULL;
    struct state_reader r = {
        .wanted = look->metric, .last = NAN, .best = NAN, .arena = look->arena};
    struct json_token token = {.kind = JSON_END};
    struct error ignored;
    bool ok = json != NULL;

    while (ok && (ok = json_next(json, &token, &ignored)) && token.kind != JSON_END)
        see_state(&r, &token);
    json_close(json);
    if (fd >= 0)
        (void)close(fd);
    if (ok && isnan(r.last) && str_eq(str_after_last(r.best_name, '/'), best_of))
        r.last = r.best;
    *out = (struct checkpoint_trainer_state){.metric = r.last, .best_name = r.best_name};
}
