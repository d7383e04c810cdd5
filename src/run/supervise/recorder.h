/* recorder.h - the record of a run: what is reported goes to the ledger, or waits in a journal.
 *
 * Nothing here waits for a disk or a server: reports are kept in memory, and a thread of the
 * recorder writes them to the ledger about once a second. While the ledger cannot be written
 * they go to a journal (ledger/runs/run_journal.h), and to the ledger when it can be written
 * again, by this process or a later one. A run that ends before its first report needs no
 * thread.
 *
 * All functions are for the supervisor's own thread. */
#ifndef RUN_SUPERVISE_RECORDER_H
#define RUN_SUPERVISE_RECORDER_H

#include "ledger/ledger.h"
#include "ledger/runs/devices.h"
#include "ledger/runs/learning.h"
#include "ledger/runs/metrics.h"
#include "run/supervise/ledger_opening.h"

struct receiver; /* run/remote/receiver.h */
struct recorder;

struct recorder_options {
    const char *path; /* of the ledger */
    struct ledger
        *ledger; /* open for writing; the recorder's from now on. NULL: not open yet */
    struct ledger_opening *opening; /* a server that has not answered yet, likewise; or NULL */
    struct error why;               /* it is not open; ERROR_NONE: not tried */
    /* A server that receives runs, instead of a ledger: `path` is its address. The recorder's
     * from now on. NULL: none. */
    struct receiver *receiver;
    const struct clock *clock;
    const struct alloc *alloc;
};

/* How long a ledger may keep the start and the end of a run: as good as not at all. */
#define RECORDER_PATIENCE ((span){INT64_C(20000000)})
/* Likewise a server, which must be reached first: then the command starts without it. */
#define RECORDER_SERVER_WAIT ((span){INT64_C(500000000)})
/* While it is opened meanwhile. */
#define RECORDER_PATIENCE_SERVER ((span){INT64_C(1000000000)})

/* A server has not answered so far. Returns false. */
bool recorder_no_answer(const char *path, struct error *err);

/* NULL with the error set when memory is out. */
struct recorder *recorder_open(const struct recorder_options *options,
                               struct error *err) MUST_USE;

/* The attempt begins: `start->id` and `attempt` are those of the run that it goes on with, if
 * there is one and the ledger can be read. Whether or not it is in the ledger afterwards, it
 * will be. A server that receives runs was asked before: `start->attempt_id` is set, and
 * `attempt` when it answered, else 0. */
void recorder_begin(struct recorder *r, struct ledger_start *start, int *attempt);

/* Is it in the ledger? */
bool recorder_begun(struct recorder *r);

/* For reading, until the first report; NULL when the ledger cannot be read. */
struct ledger *recorder_ledger(struct recorder *r);

/* Reports. Texts are copied. Of the events of one kind the first and the last are kept. */
void recorder_event(struct recorder *r, stamp at, const char *kind, struct str text);
void recorder_estimate(struct recorder *r, const struct ledger_estimate *estimate);
void recorder_checkpoint(struct recorder *r, const struct ledger_checkpoint *checkpoint);
void recorder_checkpoint_gone(struct recorder *r, struct str path, stamp when);
void recorder_metric(struct recorder *r, const struct ledger_metric *metric);
void recorder_device(struct recorder *r, const struct ledger_device *device);
void recorder_tick(struct recorder *r, const struct ledger_totals *totals,
                   const struct ledger_sample *sample);
void recorder_end(struct recorder *r, const struct ledger_ending *ending,
                  const struct ledger_totals *totals);

/* Write what was reported. Returns at once: the thread does it. */
void recorder_flush(struct recorder *r);

/* Likewise, and wait for it, but no longer than `most`. True when it is in the ledger. */
bool recorder_flush_wait(struct recorder *r, span most);

/* A question to the ledger that must not hold anything up. `ask` is called by the thread, with
 * a ledger that can be read and what it has of the cost of this attempt; it may write to `ctx`
 * until recorder_answer_wait() has returned true. False when a question is still open. */
bool recorder_ask(struct recorder *r,
                  bool (*ask)(void *ctx, struct ledger *ledger, usd recorded,
                              struct error *err),
                  void *ctx) MUST_USE;
/* Wait for the answer, no longer than `most`: `ok` is what `ask` returned, `err` its error. */
bool recorder_answer_wait(struct recorder *r, span most, bool *ok, struct error *err);

/* Readable when there is an answer or news. */
int recorder_fd(const struct recorder *r);

enum recorder_state {
    RECORDER_GOOD,    /* everything up to the last flush is in the ledger */
    RECORDER_JOURNAL, /* what is not is in a journal */
    RECORDER_MEMORY,  /* nor can that be written: it is lost if this process is killed */
};

struct recorder_news {
    enum recorder_state state;
    bool lasting;        /* so for two seconds, or for a reason that does not pass by itself */
    struct error why;    /* the ledger cannot be written */
    char journal[4096];  /* where the rest is */
    bool temporary;      /* a restart of the machine removes it */
    struct error beside; /* RECORDER_MEMORY: why there is no journal */
    bool moved;          /* the ledger was removed or replaced: a new one has the run */
    char stop[128];      /* who asks the run to end, by the server; empty: nobody */
    char note[256];      /* of the server, for the user; empty: none */
    usd cost;            /* of this attempt, that the ledger has; unknown: none */
    int attempt;         /* its number in the ledger; 0: not there yet */
};

void recorder_news(struct recorder *r, struct recorder_news *out);

/* Write what is left, to the ledger or to a journal, and free it; `out` says which. A ledger
 * that does not answer is given up on after a moment. */
void recorder_finish(struct recorder *r, struct recorder_news *out);

#endif
