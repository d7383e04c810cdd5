/* drive.h - one run: requests sent when they are meant to be, answers timed as they arrive.
 *
 * Pure but for what `struct load_wire` does: tests give it a server and a clock of their own.
 * Times are nanoseconds since the start of the run, on a clock that no setting moves. */
#ifndef LOAD_DRIVE_H
#define LOAD_DRIVE_H

#include "base/watch.h"
#include "load/arrival.h"
#include "load/format.h"
#include "load/measure.h"
#include "load/prompt.h"
#include "load/stream.h"
#include "net/end.h"

#define LOAD_REQUESTS_MOST 5000000
#define LOAD_STREAMS_MOST 50000
#define LOAD_ANSWER_MAX ((uint64_t)64 << 20) /* bytes of one answer */

/* What became of a request. Names are for people and JSON: load_outcome_names. */
enum load_outcome {
    LOAD_ANSWERED,
    LOAD_UNREACHABLE, /* no connection */
    LOAD_TIMED_OUT,
    LOAD_REFUSED, /* 4xx */
    LOAD_BUSY,    /* 429, 503 */
    LOAD_FAILED,  /* 5xx, or an error within the answer */
    LOAD_CUT_OFF, /* it ended early */
    LOAD_FOREIGN, /* no answer of such a server */
    LOAD_EMPTY,   /* without text */
    LOAD_TOO_LARGE,
    LOAD_UNTRUSTED,  /* TLS failed */
    LOAD_UNFINISHED, /* still open when the run ended */
    LOAD_OUTCOMES,
};
extern const char *const load_outcome_names[LOAD_OUTCOMES + 1];

struct load_sample {
    int64_t intended, sent, first, last, end; /* ns; -1: not known */
    int64_t longest_gap;                      /* between two pieces; -1: there were none */
    uint64_t number;
    int32_t asked_input, asked_output;
    int32_t input, output; /* tokens by the server's count; -1: it does not say */
    int32_t pieces;        /* events with text */
    int32_t connect_us;
    uint16_t status;
    uint8_t outcome;
    bool measured; /* and not of the warm-up */
    bool at_once;  /* the answer came in one piece */
    struct str id; /* of the answer, by the server; empty: none, or not kept */
};

/* Latencies that a request must keep to, in seconds; NaN: any will do. */
struct load_target {
    double first_token, token, total;
};

/* "first_token=500ms", "token=50ms", "total=10s": one of them is set. */
bool load_target_parse(struct str text, struct load_target *out, struct error *err) MUST_USE;

/* In seconds, from the intended moment unless `sent`. INFINITY: it had no end; NaN: not known,
 * or it failed. */
double load_first_token(const struct load_sample *s, bool sent);
double load_per_token(const struct load_sample *s);
double load_total(const struct load_sample *s, bool sent);
bool load_meets(const struct load_sample *s, const struct load_target *target);

enum load_ended {
    LOAD_END_PRECISE,
    LOAD_END_TIME,
    LOAD_END_REQUESTS,
    LOAD_END_TRACE,
    LOAD_END_STOPPED, /* by the user */
    LOAD_END_FAILING, /* no request was answered */
    LOAD_END_DECIDED, /* the target is met or missed for sure */
    LOAD_ENDS,
};
extern const char *const load_end_names[LOAD_ENDS + 1];

struct load_options {
    struct arrival_plan arrivals;
    struct prompt_plan prompts;
    struct load_format format;
    double warmup_s, max_s; /* max_s: measured, besides the warm-up */
    double drain_s;         /* for answers that are open at the end */
    int64_t requests;       /* measured; 0: no limit */
    uint64_t first;         /* number of the first request */
    size_t most;            /* open at once */
    double precision;       /* end when means are known to this share; 0: never */
    struct load_target target;
    double attain; /* end as soon as the share that meets the target is surely above or below
                    * this; NaN: it does not matter */
    uint64_t seed;
    bool keep_ids; /* of answers */
    struct watch watch;
    const char *label; /* of its progress */
};

/* How requests reach the server, and what time it is. */
struct load_wire {
    void *ctx;
    int64_t (*now)(void *ctx); /* ns */
    /* Send at once; what comes is given to load_arrived() and load_done(). */
    bool (*send)(void *ctx, struct str body, void *stream, struct error *err);
    bool (*wait)(void *ctx, int64_t until, struct error *err);
};

/* What a run brought. */
struct load_run {
    struct load_sample *samples; /* by when they ended */
    size_t count, room;
    struct load_gaps gaps;
    double window_s;               /* that was measured */
    uint64_t pieces;               /* that arrived in it, of answers that stream */
    uint64_t tokens;               /* likewise, of answers in one piece */
    uint64_t came, came_by_kernel; /* pieces, and those whose time of arrival is the kernel's */
    uint64_t input;                /* tokens of requests whose first token arrived in it */
    int64_t sent, open_most;
    int64_t sent_measured,
        answered_measured; /* in the window, whenever they were meant to be */
    int64_t waited;        /* times that requests were due and too many were open */
    double whole_s;        /* until sending ended, with the warm-up */
    double longest_pause;  /* for which the client did not look, s */
    enum load_ended ended;
    char message[STREAM_MESSAGE + 64]; /* of the first failure */
};

struct load_drive;

/* NULL with the error set when memory runs out. */
struct load_drive *load_drive_new(const struct load_options *options, struct arena *arena,
                                  struct error *err) MUST_USE;

/* Run to its end. Failures of requests are in the result; false: memory, or the wire broke. */
bool load_drive(struct load_drive *drive, const struct load_wire *wire, struct load_run *out,
                struct error *err) MUST_USE;

/* What the wire reports of a stream, and when it came. False: the request is to end. */
bool load_arrived(struct load_drive *drive, void *stream, int status, struct str bytes,
                  const struct net_moment *when);
void load_done(struct load_drive *drive, void *stream, const struct net_ended *ended);

void load_drive_free(struct load_drive *drive); /* what is not in the arena; NULL is fine */

#endif
