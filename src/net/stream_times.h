/* stream_times.h - when bytes reached this machine, by its kernel.
 *
 * Who reads the clock after a read measures how busy it was, too: a program that waits for a
 * processor finds old bytes and takes them for new ones. Linux notes when each segment came;
 * its moments are looked at before the bytes are read, and belong to the real-time clock, which
 * may be set: they count only where they lie between what happened before and now. Of the part
 * `net` alone. */
#ifndef NET_STREAM_TIMES_H
#define NET_STREAM_TIMES_H

#include "base/clock.h"
#include "base/str.h"
#include "net/end.h"

#define STREAM_TIMES_BYTES 4096 /* of one read, at most */
#define STREAM_TIMES_MARKS 64   /* moments of one read; what came after them has the last */

struct stream_times {
    int64_t offset; /* monotonic less real time, ns */
    int64_t at;     /* when that was found out */
    bool known;     /* it was, and the clock was not set since the last look */
    bool sealed;    /* TLS: what is read is not what came */
    /* What waits to be read from one socket: */
    char bytes[STREAM_TIMES_BYTES];
    size_t len, next; /* next: what was taken already */
    struct {
        size_t end; /* of the bytes that came then */
        int64_t ns; /* monotonic */
    } marks[STREAM_TIMES_MARKS];
    size_t count;
};

/* Ask the kernel for times of this socket. Where it has none, clocks are read. */
void stream_times_ask(int fd);

/* How do the clocks compare now? Each time that the program wakes up. Both were read at the
 * same moment. */
void stream_times_compare(struct stream_times *t, int64_t real, int64_t monotonic);

/* The same, with the system's clocks. */
void stream_times_wake(struct stream_times *t);

/* What waits in the socket, and when it came. */
void stream_times_look(struct stream_times *t, int fd);
void stream_times_forget(struct stream_times *t);

/* When did the first of these bytes come, which were just read; and how many of them came then?
 * Not before `floor`, when something was known of them last. */
size_t stream_times_of(struct stream_times *t, struct str bytes, int64_t floor,
                       struct net_moment *when);

/* When did the last of what waited come? */
struct net_moment stream_times_last(const struct stream_times *t, int64_t floor);

#endif
