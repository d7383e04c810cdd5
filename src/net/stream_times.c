#include "net/stream_times.h"

#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define AGREE_NS 20000 /* two clocks were read at the same moment */
#define TRIES 4        /* to do so */
#define SET_NS 200000  /* a clock that moved by more against the other was set, */
#define SET_SHARE 1000 /* beyond a thousandth of the time since, which is how it is steered */
#define SLACK_NS 50000 /* by which moments of two clocks may be off */
#define CLOSE_NS 50000 /* segments that came within it are one */

void stream_times_ask(int fd)
{
#ifdef SO_TIMESTAMPNS
    int yes = 1;

    (void)setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes);
#else
    (void)fd;
#endif
}

/* ---- two clocks ---- */

void stream_times_compare(struct stream_times *t, int64_t real, int64_t monotonic)
{
    int64_t offset = monotonic - real, moved = offset - t->offset;
    int64_t may = SET_NS + (monotonic - t->at) / SET_SHARE;
    bool first = t->at == 0;

    t->known = first || (moved <= may && moved >= -may);
    t->offset = offset;
    t->at = monotonic;
}

static int64_t monotonic_now(void)
{
    return clock_system.now(clock_system.ctx).ns;
}

void stream_times_wake(struct stream_times *t)
{
    for (int i = 0; i < TRIES; i++) {
        int64_t before = monotonic_now(), real = clock_file_ns();
        int64_t after = monotonic_now();

        if (after - before <= AGREE_NS) {
            stream_times_compare(t, real, before + (after - before) / 2);
            return;
        }
    }
}

/* ---- what waits ---- */

/* The moment at which byte `len` - 1 of what waits came, by the real-time clock; -1: not known.
 * `got`: how much there is, up to `len`. */
static int64_t peek_at(int fd, char *to, size_t len, size_t *got)
{
    union {
        char room[128];
        struct cmsghdr first;
    } control;
    struct iovec piece = {.iov_len = len};
    struct msghdr message = {.msg_iov = &piece,
                             .msg_iovlen = 1,
                             .msg_control = control.room,
                             .msg_controllen = sizeof control.room};
    ssize_t count;

    piece.iov_base = to;
    count = recvmsg(fd, &message, MSG_PEEK | MSG_DONTWAIT);
    *got = count > 0 ? (size_t)count : 0;
#ifdef SO_TIMESTAMPNS
    for (struct cmsghdr *c = *got > 0 ? CMSG_FIRSTHDR(&message) : NULL; c != NULL;
         c = CMSG_NXTHDR(&message, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_TIMESTAMPNS) {
            struct timespec at;

            memcpy(&at, CMSG_DATA(c), sizeof at);
            return (int64_t)at.tv_sec * SECOND + at.tv_nsec;
        }
#endif
    return -1;
}

static void add_arrival_mark(struct stream_times *t, size_t end, int64_t real)
{
    t->marks[t->count].end = end;
    t->marks[t->count++].ns = real + t->offset;
}

/* Is there more than one event, as far as the end of an object at the end of a line tells? */
static bool holds_several(const struct stream_times *t)
{
    const char *at = t->bytes, *end = t->bytes + t->len;

    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        const char *last = at > t->bytes && at[-1] == '\r' ? at - 1 : at;

        if (last > t->bytes && last[-1] == '}')
            return memchr(at, '{', (size_t)(end - at)) != NULL;
        at++;
    }
    return false;
}

/* A read tells the moment of its last byte alone, so ends of segments are found by bisection:
 * rarely, since several wait only for a program that is late. */
static void mark_segments(struct stream_times *t, int fd, int64_t first, int64_t last)
{
    char room[STREAM_TIMES_BYTES];
    size_t from = 1;
    int64_t at = first;

    while (at >= 0 && last - at > CLOSE_NS && t->count + 1 < STREAM_TIMES_MARKS) {
        size_t low = from, high = t->len, got; /* low: came at `at`; high: later */
        int64_t later = last;

        while (high - low > 1) {
            size_t middle = low + (high - low) / 2;
            int64_t seen = peek_at(fd, room, middle, &got);

            if (seen == at) {
                low = middle;
            } else {
                high = middle;
                later = seen;
            }
        }
        add_arrival_mark(t, low, at);
        from = high;
        at = later;
    }
    add_arrival_mark(t, t->len, last);
}

void stream_times_look(struct stream_times *t, int fd)
{
    int64_t last = peek_at(fd, t->bytes, sizeof t->bytes, &t->len), first = last;
    size_t one;
    char byte;

    t->count = t->next = 0;
    if (last < 0 || !t->known) {
        t->len = 0;
        return;
    }
    if (!t->sealed && holds_several(t))
        first = peek_at(fd, &byte, 1, &one);
    mark_segments(t, fd, first, last);
}

void stream_times_forget(struct stream_times *t)
{
    t->len = t->next = t->count = 0;
}

/* ---- whose moments these are ---- */

/* A moment that cannot be is not believed. */
static struct net_moment believe(int64_t ns, int64_t floor)
{
    int64_t now = monotonic_now();

    if (ns < floor - SLACK_NS || ns > now + SLACK_NS)
        return (struct net_moment){now, false};
    ns = ns < floor ? floor : ns;
    return (struct net_moment){ns < now ? ns : now, true};
}

static struct net_moment by_clock(void)
{
    return (struct net_moment){monotonic_now(), false};
}

/* Where these bytes, or their beginning, are in what waited; its length: nowhere. They come in
 * its order, with HTTP's own words between them. */
static size_t place_of(const struct stream_times *t, struct str bytes)
{
    for (size_t i = t->next; i < t->len; i++) {
        size_t rest = t->len - i, len = bytes.len < rest ? bytes.len : rest;

        if (t->bytes[i] == bytes.at[0] && memcmp(t->bytes + i, bytes.at, len) == 0)
            return i;
    }
    return t->len;
}

size_t stream_times_of(struct stream_times *t, struct str bytes, int64_t floor,
                       struct net_moment *when)
{
    size_t from, mark = 0, len;

    if (t->count > 0 && t->sealed) {
        *when = believe(t->marks[t->count - 1].ns, floor);
        return bytes.len;
    }
    from = t->count > 0 ? place_of(t, bytes) : t->len;
    if (from >= t->len) { /* it came after the look */
        *when = by_clock();
        return bytes.len;
    }
    while (t->marks[mark].end <= from)
        mark++;
    len = t->marks[mark].end - from;
    len = len < bytes.len ? len : bytes.len;
    t->next = from + len;
    *when = believe(t->marks[mark].ns, floor);
    return len;
}

struct net_moment stream_times_last(const struct stream_times *t, int64_t floor)
{
    return t->count > 0 ? believe(t->marks[t->count - 1].ns, floor) : by_clock();
}
