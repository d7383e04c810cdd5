/* planning.h - from a job, its places and the user's limits to a plan, and to the record of it.
 *
 * The caller reads the job, gathers the places (places.h) and fills in the first part; then
 * planning_limits(), planning_search(), plan_best() and plan_answer() in this order. Nothing
 * here does I/O: the history of prices comes through `week`.
 */
#ifndef PLAN_PLANNING_H
#define PLAN_PLANNING_H

#include "base/message.h"
#include "plan/record.h"
#include "plan/search.h"
#include "plan/week.h"

#define PLAN_NOTES 24

struct planning {
    struct arena *arena;
    const struct messages *messages;
    stamp now;
    bool accounts; /* the user listed providers with accounts */
    const struct plan_request *request;
    struct job *job; /* a configuration to be written may fix what it leaves open */
    const struct constants *constants;
    const struct catalog *catalog;
    struct plan_place *places;
    size_t place_count;
    struct price_ages ages, spot_ages;  /* of their prices */
    const struct accelerator *measured; /* of a job that is a measured rate */
    /* How the price of a place changes over a week, by its own history. */
    bool (*week)(void *ctx, const struct plan_place *place, struct offer_week *out,
                 struct error *err);
    void *week_ctx;

    /* Filled in by the functions below. */
    struct plan_problem problem;
    bool weighted; /* the aim is a mix, whose units are still to be found */
    struct search *search;
    struct plan cheapest; /* what the best plan is compared with: it may cost a little more */
    bool old_prices;      /* only offers with prices that were set aside can do it */
    bool lacking;         /* too few machines of what might be better can be rented */
    struct str start_why; /* how it is known that another hour is cheaper */
    struct str notes[PLAN_NOTES];
    size_t note_count;
};

/* Limits and aim of job and options. ERROR_USAGE and ERROR_INPUT for what makes no sense. */
bool planning_limits(struct planning *w, struct error *err) MUST_USE;

/* Begin the search; the places are known. */
bool planning_search(struct planning *w, struct error *err) MUST_USE;

/* A note of the record. */
bool plan_note(struct planning *w, struct error *err, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Where the shape of its model is approximate. */
bool plan_note_model(struct planning *w, struct error *err) MUST_USE;

/* What the user's measurements of servers have changed in what is predicted for this one. */
bool plan_note_serving(struct planning *w, const struct serving *s, struct error *err) MUST_USE;

/* The best plan; ERROR_UNFIT with what would give one when there is none. */
bool plan_best(struct planning *w, struct plan *out, struct error *err) MUST_USE;

/* There is no plan: set the error, with the smallest changes that would give one. Returns
 * false. */
bool plan_unfit(struct planning *w, struct error *err);

/* What there is to do, what a cost is of, and the plan as the only row. */
bool plan_describe(struct planning *w, const struct plan *best, struct plan_result *res,
                   struct error *err) MUST_USE;

/* The record of the best plan: other plans beside it, where the money goes, how sure it is,
 * notes; with --explain what restrictions cost, rules of thumb, and what others would
 * choose. `best` NULL: none on GPUs, of a model that serves and is deployed without. */
bool plan_answer(struct planning *w, const struct plan *best, struct plan_result *res,
                 struct error *err) MUST_USE;

/* Put the job's name before an error, unless the text has it already. */
void plan_name_job(struct error *err, struct str job);

/* ---- between the files of the module ---- */

/* Text in the arena; empty when memory runs out, and then `err` is set. */
struct str plan_words(struct planning *w, struct error *err, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
struct str plan_text(struct planning *w, const struct buf *text, struct error *err);

/* Is a deadline set, in the job or by an option? */
bool plan_has_deadline(const struct planning *w);

/* Is the number of GPUs limited only by what is usual? */
bool plan_has_usual_gpus(const struct planning *w);

/* The setting of a plan in few words. */
struct str plan_setting(struct planning *w, const struct plan *plan, struct error *err);

/* A plan as a row; `best` NULL for the best itself. */
bool plan_row_of(struct planning *w, const struct plan *plan, const char *role,
                 const struct plan *best, struct plan_row *out, struct error *err) MUST_USE;

/* The other plans that are shown: another market, other GPUs, the front, without an account. */
bool plan_alternatives(struct planning *w, const struct plan *best, struct plan_result *res,
                       struct error *err) MUST_USE;

/* What each restriction costs, and what rules of thumb say. */
bool plan_restrictions(struct planning *w, const struct plan *best, struct plan_result *res,
                       struct error *err) MUST_USE;

#endif
