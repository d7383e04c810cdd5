/* plan_work.h - the parts of the operation `plan`, for each other. */
#ifndef OP_PLAN_PLAN_WORK_H
#define OP_PLAN_PLAN_WORK_H

#include "op/estimate/estimate_work.h"
#include "op/plan/plan.h"
#include "op/plan/plan_places.h"
#include "plan/search.h"

#define PLAN_NOTES 24

/* One job with everything that its plans need. */
struct plan_work {
    struct op_context *ctx;
    const struct plan_request *request;
    struct estimate_request asked; /* the same as estimate takes it: how the job is read */
    struct estimate_work job;
    struct plan_place *places;
    size_t place_count;
    struct plan_places_facts facts;
    const struct accelerator *measured; /* of a job that is a measured rate */
    struct plan_problem problem;
    bool weighted; /* the aim is a mix, whose units are still to be found */
    struct search *search;
    struct str start_why; /* where it is known from that another hour is cheaper */
    struct str notes[PLAN_NOTES];
    size_t note_count;
};

/* Read the job, find the places, take limits and aim from job and options. */
bool plan_prepare(struct op_context *ctx, const struct plan_request *request, struct str job,
                  struct plan_work *out, struct error *err) MUST_USE;

/* The best plan; ERROR_UNFIT with what would give one when there is none. */
bool plan_best(struct plan_work *w, struct plan *out, struct error *err) MUST_USE;

/* Simulate a plan on spot. `done` is false for other plans, and for what cannot be simulated
 * (which is noted). */
bool plan_simulate(struct plan_work *w, const struct plan *plan, struct outlook *out,
                   bool *done, struct error *err) MUST_USE;

/* There is no plan: say so, with the smallest changes that would give one. Returns false. */
bool plan_unfit(struct plan_work *w, struct error *err);

/* Say of which job it is said, unless the text names it already. */
void plan_name_job(struct error *err, struct str job);

/* Words in the context's arena; empty when memory runs out, which `err` says. */
struct str plan_words(struct plan_work *w, struct error *err, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
struct str plan_text(struct plan_work *w, const struct buf *text, struct error *err);
bool plan_note(struct plan_work *w, struct error *err, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Did somebody set a deadline, in the job or by an option? */
bool plan_has_deadline(const struct plan_work *w);

/* The setting of a plan in few words. */
struct str plan_setting(struct plan_work *w, const struct plan *plan, struct error *err);

/* What there is to do, and what a cost is of. */
bool plan_describe(struct plan_work *w, const struct plan *best, struct plan_result *res,
                   struct error *err) MUST_USE;

/* The other plans that are shown: another market, other GPUs, the front, without an account. */
bool plan_alternatives(struct plan_work *w, const struct plan *best, struct plan_result *res,
                       struct error *err) MUST_USE;

/* What is to be known of the best plan, which is `row`: how it is paid, what was assumed. */
bool plan_add_notes(struct plan_work *w, const struct plan *best, const struct plan_row *row,
                    struct error *err) MUST_USE;

/* Where the money goes, what restrictions cost, rules of thumb, what others would take. */
bool plan_explain(struct plan_work *w, const struct plan *best, struct plan_result *res,
                  struct error *err) MUST_USE;

/* What each restriction costs, and what rules of thumb say. */
bool plan_restrictions(struct plan_work *w, const struct plan *best, struct plan_result *res,
                       struct error *err) MUST_USE;

/* What else the user wants written: --save, --csv, --write-config. */
bool plan_write(struct plan_work *w, const struct plan *best, struct plan_result *res,
                struct error *err) MUST_USE;

/* Several jobs: packed into sessions, or put in order. */
bool plan_many(struct op_context *ctx, const struct plan_request *request,
               struct plan_result *res, struct error *err) MUST_USE;

#endif
