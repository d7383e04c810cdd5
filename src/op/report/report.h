/* report.h - a report as files in a folder: the request and the result of report. */
#ifndef OP_REPORT_REPORT_H
#define OP_REPORT_REPORT_H

#include "doc/field.h"
#include "op/report/report_files.h"
#include "render/figure.h"
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

/* A report that is being made: its files are written when all of them are complete. */
struct report {
    struct report_result *result;
    struct report_files files;
    struct str folder; /* where it goes unless the user named another */
    bool no_pictures;  /* the part that draws them is missing, which was reported */
};

/* Add "STEM.svg", "STEM.png" and, when `pdf`, "STEM.pdf" (report_figures.c). */
struct op_context; /* op/context.h */
bool report_add_figure(struct op_context *ctx, const char *stem,
                       const struct figure_sheet *sheet, bool pdf, struct report *out,
                       struct error *err) MUST_USE;

/* Add report.html and report.md; show a figure, whose series live as long as the document, in
 * it and add its files (report_document.c). */
struct document; /* report/document.h */
struct figure;   /* report/figure.h */
bool report_add_document(struct op_context *ctx, const struct document *d, struct report *out,
                         struct error *err) MUST_USE;
bool report_show_figure(struct op_context *ctx, struct document *d, const char *stem,
                        const struct figure *figure, struct str source, struct report *out,
                        struct error *err) MUST_USE;

/* Send the main points of a report that is written, and by mail its page and pictures; print
 * how to do so each month (report_send.c). */
bool report_send(struct op_context *ctx, const struct report_request *req,
                 const struct report *report, struct error *err) MUST_USE;
bool report_schedule(struct op_context *ctx, const struct report_request *req,
                     struct report_result *res, struct error *err) MUST_USE;

/* One function for each kind of report. */
bool report_compare(struct op_context *ctx, const struct report_request *req,
                    struct report *out, struct error *err) MUST_USE;
bool report_month(struct op_context *ctx, const struct report_request *req, struct report *out,
                  struct error *err) MUST_USE;
bool report_run(struct op_context *ctx, const struct report_request *req, struct report *out,
                struct error *err) MUST_USE;
bool report_experiment(struct op_context *ctx, const struct report_request *req,
                       struct report *out, struct error *err) MUST_USE;
bool report_plan(struct op_context *ctx, const struct report_request *req, struct report *out,
                 struct error *err) MUST_USE;

/* The newest run of the ledger or the folder in `experiments` that changed last. */
bool report_newest(struct op_context *ctx, const struct report_request *req, struct report *out,
                   struct error *err) MUST_USE;

#endif
