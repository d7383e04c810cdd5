/* config.h - what a plan chose, merged into the user's own training configuration. */
#ifndef GENERATE_CONFIG_H
#define GENERATE_CONFIG_H

#include "base/arena.h"
#include "base/buf.h"
#include "job/choices.h"
#include "plan/plan.h"

/* Which of a model's modules are called as those of Llama: q_proj, down_proj. */
enum module_naming {
    NAMING_OTHER,
    NAMING_ATTENTION, /* those of attention are */
    NAMING_USUAL,     /* and those of the feed-forward */
};

/* Negative, NaN or COUNT: not decided, left as the file has it. */
struct config_choice {
    int64_t gpus, machines, data, tensor, pipeline;
    int64_t micro_batch, accumulation, global_batch, sequence, resolution;
    double rank; /* of LoRA */
    enum precision precision;
    enum optimizer optimizer;
    enum recompute recompute;
    enum offload offload;
    int zero;
    bool compiled;
    /* What a new file says besides, so that it is complete. */
    struct str model, targets; /* as the job has them; the model as the tool finds it */
    enum module_naming naming;
    enum method method;
    enum weights base;
    double usual_rank;      /* of adapters, where the job leaves it open */
    int64_t usual_sequence; /* the same of its length */
    double epochs, steps;   /* of the whole job; not above 0: unknown */
    struct alignment alignment;
    struct str reward; /* model that scores answers; empty: not named */
};

/* What a plan decides. What the job leaves open was assumed, and does not change what the
 * user's file says. */
struct config_choice config_choice_of(const struct job *job, const struct plan *best);

/* Is the format one for this job's model and software? ERROR_USAGE with what is. */
bool config_check_job(enum config_format format, const struct job *job,
                      struct error *err) MUST_USE;

/* `base` is the user's file (empty: none, a small complete one is written), `name` what errors
 * call it. ERROR_INPUT for a file that is not of the format, with its place. */
bool config_merge(enum config_format format, const struct config_choice *choice,
                  struct str base, const char *name, struct arena *arena, struct buf *out,
                  struct error *err) MUST_USE;

/* The difference of two texts, line by line, as `diff -u` writes it (three lines around);
 * nothing when they are the same. Lines are compared, at most 20,000 of each. */
bool text_diff(struct str old_text, struct str new_text, const char *old_name,
               const char *new_name, struct arena *arena, struct buf *out,
               struct error *err) MUST_USE;

#endif
