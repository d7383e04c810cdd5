/* export_focus.h - bills and runs as a FOCUS file, row by row. */
#ifndef OP_ACCOUNT_EXPORT_FOCUS_H
#define OP_ACCOUNT_EXPORT_FOCUS_H

#include "account/query/charge.h"
#include "bill/focus/focus_write.h"
#include "op/account/export.h"
#include "op/spending.h"

struct op_context; /* op/context.h */

/* The first day, and the first day after; DAY_UNKNOWN: any. */
struct export_range {
    day since, until;
};

/* Write the file, and the one that describes it. */
bool export_focus(struct op_context *ctx, struct ledger *ledger,
                  const struct export_request *req, const struct export_range *range,
                  struct export_result *res, struct error *err) MUST_USE;

/* A file that is written piece by piece, and put in its place when it is whole. */
struct export_file {
    int fd;
    struct buf text;
    char *path, *temporary; /* temporary: NULL for what is no plain file */
};

bool export_open(struct op_context *ctx, struct str path, struct export_file *out,
                 struct error *err) MUST_USE;

/* Write out what has gathered, when that is much. */
bool export_flush(struct export_file *file, bool all, struct error *err) MUST_USE;

/* Put it in its place when `ok`, else leave nothing. */
bool export_close(struct export_file *file, bool ok, struct error *err) MUST_USE;

#define EXPORT_EXTRAS 5
extern const struct focus_extra export_extras[EXPORT_EXTRAS];

/* A day of a run as a line of FOCUS; texts live in `room`, which is cleared first. */
struct export_run {
    const struct ledger_charge *charge;
    const struct dimensions *of;
    day on;
    int64_t nano;   /* that it cost on the day */
    stamp from, to; /* of the day's part */
    int64_t whole;  /* seconds of all days */
};

bool export_run_line(const struct export_run *run, struct buf *room, struct bill_line *out,
                     struct str extras[EXPORT_EXTRAS], struct error *err) MUST_USE;

/* The part of a recurring cost that is of days of one month; likewise. */
struct export_recurring {
    struct policy_recurring cost;
    struct decimal amount;
    day from, until; /* the first day, and the first day after */
};

bool export_recurring_line(const struct export_recurring *recurring, struct buf *room,
                           struct bill_line *out, struct error *err) MUST_USE;

#endif
