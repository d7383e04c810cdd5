#include "data/weights/safetensors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/json.h"
#include "base/map.h"
#include "base/num.h"
#include "doc/json_write.h"

#define ALIGNMENT 8 /* of the data, as the format's own library writes it */

struct safetensors_reader {
    struct json *json;
    struct arena *arena;
    struct safetensors *out;
    struct map names;
    size_t room, note_room;
    uint64_t data; /* bytes behind the header */
    struct error *err;
};

static bool next_token(struct safetensors_reader *r, struct json_token *token,
                       enum json_kind wanted, const char *what)
{
    if (!json_next(r->json, token, r->err))
        return false;
    return token->kind == wanted ||
           error_fail(r->err, ERROR_INPUT, "the header has no %s", what);
}

static bool add_header_note(struct safetensors_reader *r, struct str key)
{
    struct safetensors_note *list = arena_grow(r->arena, r->out->notes, r->out->note_count,
                                               sizeof *list, &r->note_room, r->err);
    struct json_token token;

    if (list == NULL)
        return false;
    r->out->notes = list;
    list += r->out->note_count++;
    *list = (struct safetensors_note){0};
    return str_keep(key, r->arena, &list->key, r->err) &&
           next_token(r, &token, JSON_STRING, "text as a note") &&
           str_keep(token.text, r->arena, &list->value, r->err);
}

/* "__metadata__": texts by name. */
static bool read_header_notes(struct safetensors_reader *r)
{
    struct json_token token;

    if (r->out->has_notes)
        return error_fail(r->err, ERROR_INPUT, "the header has '__metadata__' twice");
    r->out->has_notes = true;
    if (!next_token(r, &token, JSON_OBJECT, "object as notes"))
        return false;
    for (;;) {
        if (!json_next(r->json, &token, r->err))
            return false;
        if (token.kind == JSON_OBJECT_END)
            return true;
        if (!add_header_note(r, token.text))
            return false;
    }
}

static bool whole_number(struct str text, uint64_t *out)
{
    int64_t value;

    if (!num_int(text, &value) || value < 0)
        return false;
    *out = (uint64_t)value;
    return true;
}

/* A list of whole numbers, at most `most` of them. */
static bool read_numbers(struct safetensors_reader *r, const char *what, uint64_t *out,
                         uint32_t most, uint32_t *count)
{
    struct json_token token;

    *count = 0;
    if (!next_token(r, &token, JSON_ARRAY, what))
        return false;
    for (;;) {
        if (!json_next(r->json, &token, r->err))
            return false;
        if (token.kind == JSON_ARRAY_END)
            return true;
        if (token.kind != JSON_NUMBER || *count == most || !whole_number(token.text, out))
            return error_fail(r->err, ERROR_INPUT, "the header has no %s", what);
        out++;
        (*count)++;
    }
}

struct tensor_said {
    bool type, shape, place;
    uint64_t from, to;
};

static bool read_tensor_type(struct safetensors_reader *r, struct tensor *t)
{
    struct json_token token;

    if (!next_token(r, &token, JSON_STRING, "text as a type"))
        return false;
    t->type = tensor_type_of(token.text);
    return t->type != TENSOR_TYPES ||
           error_fail(r->err, ERROR_UNFIT, "elements of the type '%.*s', which is not known",
                      STR_ARG(token.text));
}

static bool read_tensor_shape(struct safetensors_reader *r, struct tensor *t)
{
    uint64_t shape[TENSOR_DIMENSIONS], *kept;

    if (!read_numbers(r, "list as a shape", shape, TENSOR_DIMENSIONS, &t->dimensions))
        return false;
    kept = arena_array(r->arena, uint64_t, t->dimensions, r->err);
    if (kept == NULL)
        return false;
    if (t->dimensions > 0)
        memcpy(kept, shape, t->dimensions * sizeof *kept);
    t->shape = kept;
    return true;
}

static bool read_tensor_extent(struct safetensors_reader *r, struct tensor_said *said)
{
    uint64_t ends[2];
    uint32_t count;

    if (!read_numbers(r, "two numbers as an extent", ends, 2, &count))
        return false;
    said->from = count == 2 ? ends[0] : 0;
    said->to = count == 2 ? ends[1] : 0;
    return count == 2 ||
           error_fail(r->err, ERROR_INPUT, "the header has no two numbers as an extent");
}

/* A member that is there twice, or not known, is refused. */
static bool read_tensor_member(struct safetensors_reader *r, struct tensor *t,
                               struct tensor_said *said, struct str name)
{
    bool *seen = str_eq(name, STR("dtype"))          ? &said->type
                 : str_eq(name, STR("shape"))        ? &said->shape
                 : str_eq(name, STR("data_offsets")) ? &said->place
                                                     : NULL;

    if (seen == NULL || *seen)
        return error_fail(r->err, ERROR_INPUT, "the header says '%.*s' of a tensor",
                          STR_ARG(name));
    *seen = true;
    return seen == &said->type    ? read_tensor_type(r, t)
           : seen == &said->shape ? read_tensor_shape(r, t)
                                  : read_tensor_extent(r, said);
}

/* The members of one tensor. */
static bool read_tensor_members(struct safetensors_reader *r, struct tensor *t,
                                struct tensor_said *said)
{
    struct json_token token;

    if (!next_token(r, &token, JSON_OBJECT, "object as a tensor"))
        return false;
    for (;;) {
        if (!json_next(r->json, &token, r->err))
            return false;
        if (token.kind == JSON_OBJECT_END)
            return true;
        if (!read_tensor_member(r, t, said, token.text))
            return false;
    }
}

static bool check_tensor(const struct safetensors_reader *r, struct tensor *t,
                         const struct tensor_said *said)
{
    uint64_t size;

    if (!said->type || !said->shape || !said->place)
        return error_fail(r->err, ERROR_INPUT, "the header does not describe '%.*s'",
                          STR_ARG(t->name));
    if (said->from > said->to || said->to > r->data)
        return error_fail(r->err, ERROR_INPUT, "'%.*s' lies outside of the file",
                          STR_ARG(t->name));
    t->at = said->from;
    t->size = said->to - said->from;
    return (tensor_size(t->type, t->shape, t->dimensions, &size) && size == t->size) ||
           error_fail(r->err, ERROR_INPUT, "'%.*s' has another size than its shape",
                      STR_ARG(t->name));
}

static bool read_tensor(struct safetensors_reader *r, struct str name)
{
    struct tensor *list =
        arena_grow(r->arena, r->out->tensors, r->out->count, sizeof *list, &r->room, r->err);
    struct tensor_said said = {0};
    struct tensor *t;
    bool added;

    if (list == NULL)
        return false;
    r->out->tensors = list;
    t = &list[r->out->count];
    *t = (struct tensor){0};
    if (!str_keep(name, r->arena, &t->name, r->err) ||
        map_add(&r->names, t->name, &added, r->err) == NULL)
        return false;
    if (!added)
        return error_fail(r->err, ERROR_INPUT, "the header has '%.*s' twice", STR_ARG(name));
    r->out->count++;
    return read_tensor_members(r, t, &said) && check_tensor(r, t, &said);
}

static bool read_header(struct safetensors_reader *r)
{
    struct json_token token;

    if (!next_token(r, &token, JSON_OBJECT, "object"))
        return false;
    for (;;) {
        if (!json_next(r->json, &token, r->err))
            return false;
        if (token.kind == JSON_OBJECT_END)
            return json_next(r->json, &token, r->err); /* nothing may follow */
        if (str_eq(token.text, STR("__metadata__")) ? !read_header_notes(r)
                                                    : !read_tensor(r, token.text))
            return false;
    }
}

static int compare_extents(const void *a, const void *b)
{
    const struct tensor *one = a, *other = b;

    if (one->at != other->at)
        return one->at < other->at ? -1 : 1;
    return one->size < other->size ? -1 : one->size > other->size;
}

/* In the order of the file; neither overlaps nor gaps. */
static bool check_extents(const struct safetensors *file, uint64_t data, struct error *err)
{
    uint64_t at = 0;

    if (file->count > 1)
        qsort(file->tensors, file->count, sizeof *file->tensors, compare_extents);
    for (size_t i = 0; i < file->count; i++) {
        const struct tensor *t = &file->tensors[i];

        if (t->at != at)
            return error_fail(err, ERROR_INPUT, "'%.*s' %s", STR_ARG(t->name),
                              t->at < at ? "overlaps another tensor"
                                         : "lies behind a gap that belongs to no tensor");
        at += t->size;
    }
    return at == data ||
           error_fail(err, ERROR_INPUT, "%llu bytes at the end belong to no tensor",
                      (unsigned long long)(data - at));
}

bool safetensors_read(struct str header, uint64_t data, struct arena *arena,
                      struct safetensors *out, struct error *err)
{
    const struct json_options options = {.alloc = arena->alloc,
                                         .max_token = SAFETENSORS_HEADER_MOST};
    struct safetensors_reader r = {
        .arena = arena, .out = out, .names = map_in_arena(arena), .data = data, .err = err};
    bool ok;

    *out = (struct safetensors){0};
    if (header.len == 0 || header.at[0] != '{')
        return error_fail(err, ERROR_INPUT, "the header does not begin with '{'");
    r.json = json_open_text(header, &options, err);
    if (r.json == NULL)
        return false;
    ok = read_header(&r) && check_extents(out, data, err);
    json_close(r.json);
    return ok;
}

static bool read_exactly(int fd, uint64_t at, void *to, size_t len, struct error *err)
{
    if (fs_read_at(fd, at, to, len))
        return true;
    if (errno == 0)
        return error_fail(err, ERROR_INPUT, "shorter than its header says");
    error_system(err, errno, "cannot read the header");
    return false;
}

bool safetensors_read_file(int fd, uint64_t size, struct arena *arena, struct safetensors *out,
                           struct error *err)
{
    unsigned char length[SAFETENSORS_LENGTH];
    uint64_t header = 0;
    char *text;

    if (size < sizeof length)
        return error_fail(err, ERROR_INPUT, "too short for a header");
    if (!read_exactly(fd, 0, (char *)length, sizeof length, err))
        return false;
    for (int i = SAFETENSORS_LENGTH - 1; i >= 0; i--)
        header = header << 8 | length[i];
    if (header > size - sizeof length)
        return error_fail(err, ERROR_INPUT, "shorter than its header says");
    if (header > SAFETENSORS_HEADER_MOST)
        return error_fail(err, ERROR_INPUT, "a header of more than 100 MB");
    text = arena_get(arena, header, 1, 1, err);
    if (text == NULL || !read_exactly(fd, sizeof length, text, header, err) ||
        !safetensors_read((struct str){text, header}, size - sizeof length - header, arena, out,
                          err))
        return false;
    for (size_t i = 0; i < out->count; i++)
        out->tensors[i].at += sizeof length + header;
    return true;
}

/* ---- writing ---- */

struct ordered_tensor {
    struct tensor *tensor;
    size_t number;
};

static int compare_widths(const void *a, const void *b)
{
    const struct ordered_tensor *one = a, *other = b;
    unsigned width = tensor_kinds[one->tensor->type].bits;
    unsigned other_width = tensor_kinds[other->tensor->type].bits;

    if (width != other_width)
        return width > other_width ? -1 : 1;
    return one->number < other->number ? -1 : 1;
}

static bool order_tensors(struct safetensors *file, struct arena *arena, struct error *err)
{
    struct ordered_tensor *order = arena_array(arena, struct ordered_tensor, file->count, err);
    struct tensor *sorted = arena_array(arena, struct tensor, file->count, err);

    if (order == NULL || sorted == NULL)
        return false;
    for (size_t i = 0; i < file->count; i++)
        order[i] = (struct ordered_tensor){&file->tensors[i], i};
    if (file->count > 1)
        qsort(order, file->count, sizeof *order, compare_widths);
    for (size_t i = 0; i < file->count; i++)
        sorted[i] = *order[i].tensor;
    file->tensors = sorted;
    return true;
}

static void write_tensor_entry(const struct tensor *t, struct buf *out)
{
    uint64_t end = t->at + t->size;

    json_write_text(t->name, out);
    buf_addf(out, ":{\"dtype\":\"%s\",\"shape\":[", tensor_kinds[t->type].name);
    for (uint32_t i = 0; i < t->dimensions; i++)
        buf_addf(out, "%s%llu", i > 0 ? "," : "", (unsigned long long)t->shape[i]);
    buf_addf(out, "],\"data_offsets\":[%llu,%llu]}", (unsigned long long)t->at,
             (unsigned long long)end);
}

static void write_header_notes(const struct safetensors *file, struct buf *out)
{
    buf_adds(out, "\"__metadata__\":{");
    for (size_t i = 0; i < file->note_count; i++) {
        if (i > 0)
            buf_char(out, ',');
        json_write_text(file->notes[i].key, out);
        buf_char(out, ':');
        json_write_text(file->notes[i].value, out);
    }
    buf_char(out, '}');
}

bool safetensors_write(struct safetensors *file, struct arena *arena, struct buf *out,
                       uint64_t *size, struct error *err)
{
    uint64_t at = 0, header;

    if (!order_tensors(file, arena, err))
        return false;
    buf_pad(out, '\0', SAFETENSORS_LENGTH);
    buf_char(out, '{');
    if (file->has_notes)
        write_header_notes(file, out);
    for (size_t i = 0; i < file->count; i++) {
        struct tensor *t = &file->tensors[i];

        if (!tensor_size(t->type, t->shape, t->dimensions, &t->size))
            return error_fail(err, ERROR_INPUT, "'%.*s' is too large", STR_ARG(t->name));
        t->at = at;
        at += t->size;
        if (i > 0 || file->has_notes)
            buf_char(out, ',');
        write_tensor_entry(t, out);
    }
    buf_char(out, '}');
    buf_pad(out, ' ', (ALIGNMENT - out->len % ALIGNMENT) % ALIGNMENT);
    if (!buf_ok(out, err))
        return false;
    header = out->len - SAFETENSORS_LENGTH;
    for (int i = 0; i < SAFETENSORS_LENGTH; i++)
        out->at[i] = (char)(header >> (8 * i) & 0xff);
    for (size_t i = 0; i < file->count; i++)
        file->tensors[i].at += out->len;
    *size = out->len + at;
    return true;
}
