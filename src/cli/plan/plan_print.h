/* plan_print.h - a plan as a person reads it: a table in five seconds, the rest below it. */
#ifndef CLI_PLAN_PRINT_H
#define CLI_PLAN_PRINT_H

#include "cli/view.h"
#include "op/plan/plan.h"

/* What every section needs. */
struct plan_look {
    const struct view *view;
    const struct plan_result *res;
    bool utf8; /* may more than ASCII be drawn? Names are written as they are in any case */
};

/* The complete answer of `stint plan`. */
void plan_print(const struct view *view, const struct plan_result *res, bool utf8);

/* Words. Each writes "?" for what is not known. */
/* "8x A100-SXM-80GB"; "2 of 8x A100-SXM-80GB" where only so many are used. */
void plan_view_gpus(const struct plan_row *row, struct buf *out);
/* Does it fit, but not surely? */
bool plan_view_tight(const struct plan_row *row);
/* "15.6 GB (12.5 to 19.4) of 17.0", without the range where there is none. */
void plan_view_memory(const struct plan_row *row, struct buf *out);
void plan_view_dollars(double dollars, struct buf *out); /* "$62.1"; without a sign */
bool plan_view_serving(const struct plan_result *res);   /* no hours, but latency */
bool plan_view_role_is(const struct plan_row *row, const char *role);
/* The first with this role; NULL when there is none. */
const struct plan_row *plan_view_with_role(const struct plan_result *res, const char *role);

/* "a CPU machine", "serverless", "scale to zero" */
void plan_view_deployment(struct str deployment, struct buf *out);
/* "3.24/s", "6.00/min", "12.0/day": in the largest unit of time that it takes. */
void plan_view_rate(double rate, struct buf *out);
/* Under which condition a way costs what it costs; nothing where there is none. */
void plan_view_condition(const struct plan_look *look, const struct plan_deployment *row);

/* "serverless is cheapest below 3.24/s (8.40 M a month), a CPU machine up to ..., ... above" */
void plan_view_volumes(const struct plan_volume *rows, size_t count, struct buf *out);

/* Columns of a table of plans; the time is the latency of what serves. */
struct column plan_view_time(const struct plan_result *res);
#define PLAN_COLUMN_GPUS \
    COLUMN("GPUs", accelerator, .times = "gpus", .of = "rented_gpus", .unknown = "?")
#define PLAN_COLUMN_WHERE(...) \
    COLUMN("where", provider, .under = {"region"}, .otherwise = "offer", .unknown = "?", \
           __VA_ARGS__)

/* A part of a line that one of the writers above fills. */
struct buf plan_view_text(const struct plan_look *look);

/* As long as `share` of `width` columns; whatever is more than nothing has one. */
void plan_view_bar(const char *mark, double share, size_t width, struct buf *out);
const char *plan_view_bar_mark(const struct plan_look *look);

/* "why             lowest cost; ...", wrapped as wide as the terminal, and freed; without a
 * text, nothing. */
void plan_view_line(const struct plan_look *look, struct str label, enum term_style style,
                    struct buf *text);

/* A blank line and the title of a section. */
void plan_view_heading(const struct plan_look *look, const char *title);

/* The sections, in their order. Each is left out when it has nothing to say. */
void plan_print_platforms(const struct plan_look *look); /* beside plain machines */
void plan_print_deployments(const struct plan_look *look);
void plan_print_excluded(const struct plan_look *look);
void plan_print_trials(const struct plan_look *look);
void plan_print_sessions(const struct plan_look *look);
void plan_print_queue(const struct plan_look *look);
void plan_print_explain(const struct plan_look *look);
#endif
