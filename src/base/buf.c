#include "base/buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct buf buf_new(const struct alloc *alloc, size_t max)
{
    return (struct buf){.alloc = alloc, .max = max};
}

struct buf buf_within(char *memory, size_t size)
{
    return (struct buf){.at = memory, .capacity = size, .max = size - 1};
}

void buf_free(struct buf *buf)
{
    if (buf->at != NULL && buf->alloc != NULL)
        buf->alloc->put(buf->alloc->ctx, buf->at);
    *buf = (struct buf){.alloc = buf->alloc, .max = buf->max};
}

void buf_free_part(struct buf *part, struct buf *out)
{
    if (part->failed == ERROR_MEMORY)
        out->failed = ERROR_MEMORY;
    buf_free(part);
}

void buf_clear(struct buf *buf)
{
    buf->len = 0;
    buf->failed = ERROR_NONE;
}

/* Room for `more` bytes and one to spare (vsnprintf writes a NUL), or NULL. */
static char *buf_reserve(struct buf *buf, size_t more)
{
    size_t capacity = buf->capacity > 0 ? buf->capacity : 256;
    char *grown;

    if (buf->failed != ERROR_NONE)
        return NULL;
    if (more > buf->max || buf->len > buf->max - more) {
        buf->failed = ERROR_FAILED;
        return NULL;
    }
    while (capacity - 1 < buf->len + more && capacity <= SIZE_MAX / 2)
        capacity *= 2;
    if (capacity > buf->capacity) {
        grown =
            capacity - 1 < buf->len + more ? NULL : buf->alloc->get(buf->alloc->ctx, capacity);
        if (grown == NULL) {
            buf->failed = ERROR_MEMORY;
            return NULL;
        }
        if (buf->len > 0)
            memcpy(grown, buf->at, buf->len);
        if (buf->at != NULL)
            buf->alloc->put(buf->alloc->ctx, buf->at);
        buf->at = grown;
        buf->capacity = capacity;
    }
    return buf->at + buf->len;
}

void buf_char(struct buf *buf, char c)
{
    buf_add(buf, (struct str){&c, 1});
}

/* Nearly always there is: short texts are added by the million. */
static bool has_room(const struct buf *buf, size_t more)
{
    return buf->capacity - buf->len > more && more <= buf->max - buf->len &&
           buf->failed == ERROR_NONE;
}

void buf_add(struct buf *buf, struct str text)
{
    char *to = has_room(buf, text.len) ? buf->at + buf->len : buf_reserve(buf, text.len);

    if (to == NULL || text.len == 0)
        return;
    memcpy(to, text.at, text.len);
    buf->len += text.len;
}

void buf_add_safe(struct buf *buf, struct str text)
{
    while (text.len > 0) {
        size_t bad = str_unsafe(text), len = bad > 0 ? bad : str_character(text);

        buf_add(buf, bad > 0 ? STR("?") : (struct str){text.at, len});
        text.at += len;
        text.len -= len;
    }
}

/* May it be in a word of sh as it is? */
static bool is_plain_in_shell(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("%+,-./:=@_", c) != NULL);
}

void buf_add_shell(struct buf *buf, struct str text)
{
    bool plain = text.len > 0;

    for (size_t i = 0; i < text.len; i++)
        plain = plain && is_plain_in_shell(text.at[i]);
    if (plain) {
        buf_add(buf, text);
        return;
    }
    buf_char(buf, '\'');
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] == '\'')
            buf_adds(buf, "'\\''");
        else
            buf_char(buf, text.at[i]);
    buf_char(buf, '\'');
}

void buf_add_quoted(struct buf *buf, struct str text, char quote)
{
    buf_char(buf, quote);
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == quote)
            buf_char(buf, quote);
        buf_char(buf, text.at[i]);
    }
    buf_char(buf, quote);
}

void buf_adds(struct buf *buf, const char *text)
{
    buf_add(buf, str_from(text));
}

void buf_addf(struct buf *buf, const char *fmt, ...)
{
    va_list args, again;
    char *to;
    int len;

    va_start(args, fmt);
    va_copy(again, args);
    len = vsnprintf(NULL, 0, fmt, args);
    if (len < 0 && buf->failed == ERROR_NONE)
        buf->failed = ERROR_FAILED;
    to = len < 0 ? NULL : buf_reserve(buf, (size_t)len);
    if (to != NULL) {
        (void)vsnprintf(to, (size_t)len + 1, fmt, again);
        buf->len += (size_t)len;
    }
    va_end(again);
    va_end(args);
}

void buf_pad(struct buf *buf, char c, size_t count)
{
    char *to = buf_reserve(buf, count);

    if (to == NULL)
        return;
    memset(to, c, count);
    buf->len += count;
}

struct str buf_text(const struct buf *buf)
{
    return (struct str){buf->at, buf->len};
}

bool buf_ok(const struct buf *buf, struct error *err)
{
    if (buf->failed == ERROR_NONE)
        return true;
    if (buf->failed == ERROR_MEMORY)
        return error_memory(err);
    return error_fail(err, ERROR_FAILED, "the output is larger than %zu bytes", buf->max);
}

bool buf_keep(struct buf *buf, struct arena *arena, struct str *out, struct error *err)
{
    *out = (struct str){.len = buf->len};
    out->at = buf_ok(buf, err) ? str_dup(buf_text(buf), arena, err) : NULL;
    if (out->at == NULL)
        out->len = 0;
    buf_free(buf);
    return out->at != NULL;
}
