/* What changed, as `diff -u` shows it. */
#include <string.h>

#include "generate/config.h"
#include "generate/lines.h"

enum { AROUND = 3 }; /* lines */

static bool split(struct str text, const char *name, struct lines *out, struct arena *arena,
                  struct error *err)
{
    size_t count = 0, at = 0;
    struct str *lines;
    bool *changed;

    for (size_t i = 0; i < text.len; i++)
        count += text.at[i] == '\n' || i + 1 == text.len;
    if (count > LINES_MAX)
        return error_fail(err, ERROR_INPUT, "%s: more than %d lines to compare", name,
                          LINES_MAX);
    lines = arena_array(arena, struct str, count + 1, err);
    out->class = lines != NULL ? arena_array(arena, unsigned, count + 1, err) : NULL;
    changed = out->class != NULL ? arena_array(arena, bool, count + 2, err) : NULL;
    if (changed == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *end = memchr(text.at + at, '\n', text.len - at);

        lines[i].at = text.at + at;
        lines[i].len = end != NULL ? (size_t)(end + 1 - lines[i].at) : text.len - at;
        at += lines[i].len;
    }
    out->at = lines;
    out->len = count;
    out->changed = changed + 1;
    return true;
}

/* "12,3"; of one line only where, of none the line before. */
static void write_range(size_t from, size_t to, struct buf *out)
{
    size_t count = to - from;

    if (count == 1)
        buf_addf(out, "%zu", from + 1);
    else
        buf_addf(out, "%zu,%zu", count > 0 ? from + 1 : from, count);
}

static void write_line(char mark, struct str line, struct buf *out)
{
    buf_char(out, mark);
    buf_add(out, line);
    if (line.at[line.len - 1] != '\n')
        buf_adds(out, "\n\\ No newline at end of file\n");
}

struct hunk {
    size_t a_from, a_to, b_from, b_to;
};

/* Changes from (i, j) on, with those that are so near that their surroundings meet. */
static struct hunk next_hunk(const struct lines *a, const struct lines *b, size_t i, size_t j)
{
    struct hunk hunk = {.a_from = i > AROUND ? i - AROUND : 0,
                        .b_from = j > AROUND ? j - AROUND : 0};
    size_t same = 0;

    while (i < a->len || j < b->len) {
        if (a->changed[i] || b->changed[j]) {
            while (a->changed[i])
                i++;
            while (b->changed[j])
                j++;
            hunk.a_to = i;
            hunk.b_to = j;
            same = 0;
        } else if (same++ == (size_t)2 * AROUND) {
            break;
        } else {
            i++;
            j++;
        }
    }
    for (size_t more = 0; more < AROUND && hunk.a_to < a->len && hunk.b_to < b->len; more++) {
        hunk.a_to++;
        hunk.b_to++;
    }
    return hunk;
}

static void write_hunk(const struct lines *a, const struct lines *b, const struct hunk *hunk,
                       struct buf *out)
{
    size_t i = hunk->a_from, j = hunk->b_from;

    buf_adds(out, "@@ -");
    write_range(hunk->a_from, hunk->a_to, out);
    buf_adds(out, " +");
    write_range(hunk->b_from, hunk->b_to, out);
    buf_adds(out, " @@\n");
    while (i < hunk->a_to || j < hunk->b_to) {
        if (i < hunk->a_to && a->changed[i]) {
            write_line('-', a->at[i++], out);
        } else if (j < hunk->b_to && b->changed[j]) {
            write_line('+', b->at[j++], out);
        } else {
            write_line(' ', a->at[i++], out);
            j++;
        }
    }
}

bool text_diff(struct str old_text, struct str new_text, const char *old_name,
               const char *new_name, struct arena *arena, struct buf *out, struct error *err)
{
    struct lines a = {0}, b = {0};
    size_t i = 0, j = 0;

    if (str_eq(old_text, new_text))
        return buf_ok(out, err);
    if (!split(old_text, old_name, &a, arena, err) ||
        !split(new_text, new_name, &b, arena, err) || !lines_compare(&a, &b, arena, err))
        return false;
    buf_addf(out, "--- %s\n+++ %s\n", old_name, new_name);
    while (i < a.len || j < b.len) {
        struct hunk hunk;

        if (!a.changed[i] && !b.changed[j]) {
            i++;
            j++;
            continue;
        }
        hunk = next_hunk(&a, &b, i, j);
        write_hunk(&a, &b, &hunk, out);
        i = hunk.a_to;
        j = hunk.b_to;
    }
    return buf_ok(out, err);
}
