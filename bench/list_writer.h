/* list_writer.h - JSON written as AWS writes its price lists: indented by two, blanks on both
 * sides of the colon. For the generators of made-up lists; the same bytes on every machine.
 */
#ifndef BENCH_LIST_WRITER_H
#define BENCH_LIST_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct writer {
    FILE *to;
    bool compact, first;
    int depth;
    uint64_t state, bytes;
};

static inline uint32_t draw(struct writer *w, uint32_t below)
{
    w->state = w->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((w->state >> 33) % below);
}

static inline void put(struct writer *w, const char *text)
{
    w->bytes += strlen(text);
    (void)fputs(text, w->to);
}

/* Just before a member: the comma and, as AWS writes it, a line of its own. */
static inline void next_line(struct writer *w)
{
    if (!w->first)
        put(w, ",");
    w->first = false;
    if (w->compact)
        return;
    put(w, "\n");
    for (int i = 0; i < w->depth; i++)
        put(w, "  ");
}

static inline void put_key(struct writer *w, const char *key)
{
    next_line(w);
    put(w, "\"");
    put(w, key);
    put(w, w->compact ? "\":" : "\" : ");
}

static inline void put_pair(struct writer *w, const char *key, const char *value)
{
    put_key(w, key);
    put(w, "\"");
    put(w, value);
    put(w, "\"");
}

static inline void put_open(struct writer *w, const char *key)
{
    if (key != NULL)
        put_key(w, key);
    put(w, "{");
    w->depth++;
    w->first = true;
}

static inline void put_close(struct writer *w)
{
    w->depth--;
    if (!w->first) {
        w->first = true; /* no comma before it */
        next_line(w);
    }
    put(w, "}");
    w->first = false;
}

static inline void make_code(struct writer *w, char *to, int len)
{
    for (int i = 0; i < len; i++)
        to[i] = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"[draw(w, 31)];
    to[len] = '\0';
}

#endif
