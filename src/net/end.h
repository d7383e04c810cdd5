/* end.h - how a transfer ended, and when. */
#ifndef NET_END_H
#define NET_END_H

#include <stdbool.h>
#include <stdint.h>

enum net_end {
    NET_ANSWERED,    /* whatever the status is */
    NET_STOPPED,     /* by progress */
    NET_UNREACHABLE, /* no such host, no connection, or it broke */
    NET_TIMED_OUT,   /* stalled, or too slow altogether */
    NET_CUT_OFF,     /* the body ended too early */
    NET_TOO_LARGE,   /* the body exceeds its limit */
    NET_HEADERS,     /* the headers exceed theirs, which is libcurl's or ours */
    NET_UNTRUSTED,   /* TLS failed: the certificate above all */
    NET_GARBAGE,     /* the answer is no HTTP, or its packing is broken */
    NET_DISK,        /* the body could not be written: `problem` has the reason */
    NET_NO_MEMORY,
    NET_FORBIDDEN, /* it leads to an address of address.h */
    NET_FAILED,    /* anything else: `problem` has what */
};

/* When something came. */
struct net_moment {
    int64_t ns;     /* of the monotonic clock */
    bool by_kernel; /* when it reached this machine; otherwise when it was read */
};

/* A request that has ended. */
struct net_ended {
    enum net_end end;
    int status;
    double connect_s;    /* of connecting and TLS; 0 on a connection that was open already */
    const char *problem; /* libcurl's words */
    struct net_moment when;
};

#endif
