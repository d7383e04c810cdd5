/* report.h - a report as files in a folder: the request and the result of report. */
#ifndef OP_REPORT_REPORT_H
#define OP_REPORT_REPORT_H

#include "doc/field.h"
#include "report/report.h"
#include "report/work.h"
#include "unit/money.h"
#include "unit/size.h"

extern const struct op op_report;

struct report_request {
    struct strs runs;      /* names or ids; none: the newest run or experiment */
    struct str experiment; /* a folder */
    struct str plan;       /* a file written by plan --save */
    bool compare;          /* `runs`, any number of them */
    struct str metric;     /* of a comparison: the metric to judge by */
    struct str month;      /* "2026-11" */
    struct strs where;     /* of a month: conditions on dimensions */
    struct str currency;   /* of a month: to convert to */
    struct strs send;      /* alert channels */
    struct str mail;       /* or the address of one */
    struct str every;      /* "month": only print how to schedule it */
    struct str output;     /* the folder of the report; empty: report_begin()'s */
    bool replace;          /* files that Stint did not write, too */
    /* What is known of an experiment or missing in the ledger. */
    span training_time;
    struct str gpu;
    double watts;       /* of the machine at work */
    usd_per_hour price; /* unknown: only electricity is paid */
    bytes model_size;
    double parameters;
    span inference_time;
};

struct report_result {
    struct str kind;  /* "run", "experiment", "plan", ... */
    struct str title; /* what it is about, in a line */
    struct str folder;
    struct rows files; /* struct report_written */
    struct strs summary;
    struct strs sent;                /* channels */
    struct str cron, service, timer; /* of a schedule */
};

/* Send the main points of a report that is written, and by mail its page and pictures; print
 * how to do so each month (report_send.c). */
struct op_context; /* op/context.h */
bool op_report_send(struct op_context *ctx, const struct report_request *req,
                    const struct report *report, struct report_result *res,
                    struct error *err) MUST_USE;
bool op_report_schedule(struct op_context *ctx, const struct report_request *req,
                        struct report_result *res, struct error *err) MUST_USE;

/* One function for each kind of report. */
bool op_report_compare(struct op_context *ctx, const struct report_request *req,
                       struct report *report, struct error *err) MUST_USE;
bool op_report_month(struct op_context *ctx, const struct report_request *req,
                     struct report *report, struct error *err) MUST_USE;
bool op_report_run(struct op_context *ctx, const struct report_request *req,
                   struct report *report, struct error *err) MUST_USE;
bool op_report_experiment(struct op_context *ctx, const struct report_request *req,
                          struct report *report, struct error *err) MUST_USE;
bool op_report_plan(struct op_context *ctx, const struct report_request *req,
                    struct report *report, struct error *err) MUST_USE;

/* The newest run of the ledger or the folder in `experiments` that changed last. */
bool op_report_newest(struct op_context *ctx, const struct report_request *req,
                      struct report *report, struct error *err) MUST_USE;

/* Of a piece of work (work.c): find its GPU in the catalog, by the name that the meters saw or
 * the user gave; add what the user gave besides the work itself; make the report, with what it
 * would cost elsewhere. */
bool op_work_find_gpu(struct op_context *ctx, struct report_work *work,
                      struct error *err) MUST_USE;
void op_work_add_given(const struct report_request *req, struct report_work *work);
bool op_work_report(struct op_context *ctx, const struct report_work *work,
                    struct report *report, struct error *err) MUST_USE;

#endif
