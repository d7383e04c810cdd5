/* What changed, as `diff -u` shows it. */
#include <string.h>

#include "base/map.h"
#include "generate/config.h"

/* ---- which lines are not in both texts ---- */

#define LINES_MAX 20000

/* One side. `changed` has a false before the first line and one after the last. */
struct lines {
    const struct str *at; /* each with its line end, which the last may lack */
    unsigned *class;      /* the same number for the same line */
    size_t len;
    bool *changed;
};

/* Myers' comparison from both ends, in memory that grows with the lines and not with their
 * product. */

/* Past so many edits without a meeting of both ends, the furthest place is as good. */
#define PATIENCE 4096

struct comparison {
    const unsigned *a, *b;         /* classes of the lines that both sides know */
    const size_t *a_line, *b_line; /* which lines they are */
    bool *a_changed, *b_changed;   /* by line */
    ptrdiff_t *forward, *backward; /* by diagonal: how far an end has come */
};

struct box {
    ptrdiff_t a_from, a_to, b_from, b_to;
};

struct diff_point {
    ptrdiff_t a, b;
};

struct front {
    ptrdiff_t low, high; /* diagonals */
};

/* Widen by one on each side, where there is room; the place beyond is never the better one. */
static void widen_front(struct front *front, ptrdiff_t *reach, ptrdiff_t low, ptrdiff_t high,
                        ptrdiff_t never)
{
    if (front->low > low)
        reach[--front->low - 1] = never;
    else
        front->low++;
    if (front->high < high)
        reach[++front->high + 1] = never;
    else
        front->high--;
}

static bool step_forward(const struct comparison *c, const struct box *box, struct front *front,
                         const struct front *other, struct diff_point *meet)
{
    for (ptrdiff_t d = front->high; d >= front->low; d -= 2) {
        ptrdiff_t below = c->forward[d - 1], above = c->forward[d + 1];
        ptrdiff_t x = below >= above ? below + 1 : above, y = x - d;

        while (x < box->a_to && y < box->b_to && c->a[x] == c->b[y]) {
            x++;
            y++;
        }
        c->forward[d] = x;
        if (other != NULL && d >= other->low && d <= other->high && c->backward[d] <= x) {
            *meet = (struct diff_point){x, y};
            return true;
        }
    }
    return false;
}

static bool step_backward(const struct comparison *c, const struct box *box,
                          struct front *front, const struct front *other,
                          struct diff_point *meet)
{
    for (ptrdiff_t d = front->high; d >= front->low; d -= 2) {
        ptrdiff_t below = c->backward[d - 1], above = c->backward[d + 1];
        ptrdiff_t x = below < above ? below : above - 1, y = x - d;

        while (x > box->a_from && y > box->b_from && c->a[x - 1] == c->b[y - 1]) {
            x--;
            y--;
        }
        c->backward[d] = x;
        if (other != NULL && d >= other->low && d <= other->high && x <= c->forward[d]) {
            *meet = (struct diff_point){x, y};
            return true;
        }
    }
    return false;
}

/* The place on the forward front that has most behind it. */
static struct diff_point furthest(const struct comparison *c, const struct box *box,
                                  const struct front *front)
{
    struct diff_point best = {box->a_from, box->b_from};

    for (ptrdiff_t d = front->high; d >= front->low; d -= 2) {
        ptrdiff_t x = c->forward[d] < box->a_to ? c->forward[d] : box->a_to, y = x - d;

        if (y > box->b_to) {
            y = box->b_to;
            x = y + d;
        }
        if (x + y > best.a + best.b)
            best = (struct diff_point){x, y};
    }
    return best;
}

/* Where a shortest way through the box has its middle. Neither its first lines are the same nor
 * its last. */
static struct diff_point middle_of_box(const struct comparison *c, const struct box *box)
{
    ptrdiff_t low = box->a_from - box->b_to, high = box->a_to - box->b_from;
    ptrdiff_t first = box->a_from - box->b_from, last = box->a_to - box->b_to;
    struct front forward = {first, first}, backward = {last, last};
    bool odd = ((first - last) & 1) != 0;
    struct diff_point meet = {0};

    c->forward[first] = box->a_from;
    c->backward[last] = box->a_to;
    for (unsigned cost = 0; cost < PATIENCE; cost++) {
        widen_front(&forward, c->forward, low, high, -1);
        if (step_forward(c, box, &forward, odd ? &backward : NULL, &meet))
            return meet;
        widen_front(&backward, c->backward, low, high, PTRDIFF_MAX);
        if (step_backward(c, box, &backward, odd ? NULL : &forward, &meet))
            return meet;
    }
    return furthest(c, box, &forward);
}

/* Each half has about half the edits, so this is never deep. */
static void compare_box(const struct comparison *c, struct box box)
{
    struct diff_point middle;

    while (box.a_from < box.a_to && box.b_from < box.b_to &&
           c->a[box.a_from] == c->b[box.b_from]) {
        box.a_from++;
        box.b_from++;
    }
    while (box.a_from < box.a_to && box.b_from < box.b_to &&
           c->a[box.a_to - 1] == c->b[box.b_to - 1]) {
        box.a_to--;
        box.b_to--;
    }
    if (box.a_from == box.a_to || box.b_from == box.b_to) {
        for (ptrdiff_t i = box.a_from; i < box.a_to; i++)
            c->a_changed[c->a_line[i]] = true;
        for (ptrdiff_t i = box.b_from; i < box.b_to; i++)
            c->b_changed[c->b_line[i]] = true;
        return;
    }
    middle = middle_of_box(c, &box);
    compare_box(c, (struct box){box.a_from, middle.a, box.b_from, middle.b});
    compare_box(c, (struct box){middle.a, box.a_to, middle.b, box.b_to});
}

/* Lines that the other side lacks are changed, and of no more interest. */
static size_t keep_common(const struct lines *side, const bool *in_other, unsigned *class,
                          size_t *line)
{
    size_t kept = 0;

    for (size_t i = 0; i < side->len; i++) {
        side->changed[i] = !in_other[side->class[i]];
        if (side->changed[i])
            continue;
        class[kept] = side->class[i];
        line[kept++] = i;
    }
    return kept;
}

/* Number the lines, so that comparing two is comparing numbers. */
static bool classify_lines(struct lines *a, struct lines *b, struct arena *arena,
                           struct error *err)
{
    struct map map = map_in_arena(arena);
    size_t total = a->len + b->len;

    for (size_t i = 0; i < total; i++) {
        struct str line = i < a->len ? a->at[i] : b->at[i - a->len];
        const struct map_entry *e = map_add(&map, line, NULL, err);

        if (e == NULL)
            return false;
        *(i < a->len ? &a->class[i] : &b->class[i - a->len]) = (unsigned)(e - map.at) + 1;
    }
    return true;
}

/* A run of changed lines, from `start` to before `end`, and the line of the other side that the
 * one after it is beside. */
struct run {
    struct lines *side;
    const bool *theirs;
    size_t start, end, other;
};

/* One line up: the line before it is changed instead of its last one. */
static void move_up(struct run *r)
{
    r->side->changed[--r->start] = true;
    r->side->changed[--r->end] = false;
    do
        r->other--;
    while (r->theirs[r->other]);
}

/* As far up as the same lines allow, joined with the runs that it meets. */
static void slide_up(struct run *r)
{
    const unsigned *class = r->side->class;

    while (r->start > 0 && class[r->start - 1] == class[r->end - 1]) {
        move_up(r);
        while (r->start > 0 && r->side->changed[r->start - 1])
            r->start--;
    }
}

/* As far down; the last end at which it stood beside a run of the other side, or `none`. */
static size_t slide_down(struct run *r, size_t none)
{
    const unsigned *class = r->side->class;
    bool *changed = r->side->changed;
    size_t beside = r->other > 0 && r->theirs[r->other - 1] ? r->end : none;

    while (r->end < r->side->len && class[r->start] == class[r->end]) {
        changed[r->start++] = false;
        changed[r->end++] = true;
        while (changed[r->end])
            r->end++;
        for (r->other++; r->theirs[r->other]; r->other++)
            beside = r->end;
    }
    return beside;
}

/* Runs of changed lines that could as well be elsewhere are joined with those that they
 * meet, and end up as far down as they can, or beside a run of the other side. */
static void settle_lines(struct lines *side, const struct lines *other)
{
    struct run r = {.side = side, .theirs = other->changed};

    while (r.end < side->len) {
        size_t length, beside;

        while (r.theirs[r.other])
            r.other++;
        r.start = r.end;
        while (side->changed[r.end])
            r.end++;
        if (r.start == r.end) {
            r.other++;
            r.end++;
            continue;
        }
        do {
            length = r.end - r.start;
            slide_up(&r);
            beside = slide_down(&r, side->len);
        } while (length != r.end - r.start);
        while (beside < r.end)
            move_up(&r);
    }
}

/* Mark the lines that are taken away from `a` and those that are put into `b`: as few as can be
 * found in a bounded time, and each run of them as far down as possible. */
static bool lines_compare(struct lines *a, struct lines *b, struct arena *arena,
                          struct error *err)
{
    size_t total = a->len + b->len;
    unsigned *classes = arena_array(arena, unsigned, total + 1, err);
    size_t *lines = classes != NULL ? arena_array(arena, size_t, total + 1, err) : NULL;
    bool *in_a = lines != NULL ? arena_array(arena, bool, total + 1, err) : NULL;
    bool *in_b = in_a != NULL ? arena_array(arena, bool, total + 1, err) : NULL;
    ptrdiff_t *reach =
        in_b != NULL ? arena_array(arena, ptrdiff_t, 2 * (total + 3), err) : NULL;
    struct comparison c = {.a = classes, .a_line = lines};
    size_t a_kept, b_kept;

    if (reach == NULL || !classify_lines(a, b, arena, err))
        return false;
    for (size_t i = 0; i < a->len; i++)
        in_a[a->class[i]] = true;
    for (size_t i = 0; i < b->len; i++)
        in_b[b->class[i]] = true;
    a_kept = keep_common(a, in_b, classes, lines);
    b_kept = keep_common(b, in_a, classes + a_kept, lines + a_kept);
    c.b = classes + a_kept;
    c.b_line = lines + a_kept;
    c.a_changed = a->changed;
    c.b_changed = b->changed;
    c.forward = reach + b_kept + 1;
    c.backward = c.forward + total + 3;
    compare_box(&c, (struct box){0, (ptrdiff_t)a_kept, 0, (ptrdiff_t)b_kept});
    settle_lines(a, b);
    settle_lines(b, a);
    return true;
}

/* ---- the difference, with lines around it ---- */

enum { AROUND = 3 }; /* lines */

static bool split_lines(struct str text, const char *name, struct lines *out,
                        struct arena *arena, struct error *err)
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
static void write_diff_range(size_t from, size_t to, struct buf *out)
{
    size_t count = to - from;

    if (count == 1)
        buf_addf(out, "%zu", from + 1);
    else
        buf_addf(out, "%zu,%zu", count > 0 ? from + 1 : from, count);
}

static void write_diff_line(char mark, struct str line, struct buf *out)
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
    write_diff_range(hunk->a_from, hunk->a_to, out);
    buf_adds(out, " +");
    write_diff_range(hunk->b_from, hunk->b_to, out);
    buf_adds(out, " @@\n");
    while (i < hunk->a_to || j < hunk->b_to) {
        if (i < hunk->a_to && a->changed[i]) {
            write_diff_line('-', a->at[i++], out);
        } else if (j < hunk->b_to && b->changed[j]) {
            write_diff_line('+', b->at[j++], out);
        } else {
            write_diff_line(' ', a->at[i++], out);
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
    if (!split_lines(old_text, old_name, &a, arena, err) ||
        !split_lines(new_text, new_name, &b, arena, err) || !lines_compare(&a, &b, arena, err))
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
