#include "op/advise/advise_job.h"

#include "op/context.h"
#include "op/job_source.h"
#include "op/place.h"

/* What the facts refer to. */
struct job_facts {
    struct job_input job;
    struct job_place place;
    struct estimate_input input;
    struct estimate base;
    struct advise_job facts;
};

static enum advise_part part_of_line(struct str name)
{
    static const struct {
        enum cost_line_id line;
        enum advise_part part;
    } parts[] = {
        {COST_COMPUTE, PART_TRAIN},     {COST_SETUP, PART_SETUP},
        {COST_UPLOAD, PART_TRANSFER},   {COST_EVALUATION, PART_EVALUATE},
        {COST_CHECKPOINTS, PART_SAVE},  {COST_LOST, PART_LOST},
        {COST_DOWNLOAD, PART_TRANSFER}, {COST_FAILURES, PART_LOST},
        {COST_SEARCH, PART_TRAIN},      {COST_STORAGE, PART_STORAGE},
        {COST_EGRESS, PART_TRANSFER},
    };

    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (str_eq(name, str_from(cost_line_names[parts[i].line])))
            return parts[i].part;
    return PART_OTHER;
}

static void take_money(const struct estimate *e, struct advise_money *out)
{
    const struct estimate_line *lines = e->cost.at;

    for (size_t i = 0; i < e->cost.len; i++)
        if (lines[i].amount.nano != MONEY_UNKNOWN)
            out->part[part_of_line(lines[i].name)] += usd_double(lines[i].amount);
}

static bool estimate_on(struct op_context *ctx, const struct place_request *place,
                        struct job_facts *f, struct error *err)
{
    f->input = (struct estimate_input){.job = &f->job.job,
                                       .place = &f->place.place,
                                       .constants = &f->job.constants,
                                       .catalog = &ctx->catalog,
                                       .messages = &ctx->messages};
    return op_place(ctx, &f->job.job, place, 0, &f->place, err) &&
           estimate_job(&f->input, ctx->arena, &f->base, err);
}

/* On the fewest A100 that hold it. */
static bool estimate_usual(struct op_context *ctx, struct job_facts *f, struct error *err)
{
    static const char *const usual[] = {"A100",   "A100x2",  "A100x4",
                                        "A100x8", "A100x16", "A100x32"};

    for (size_t i = 0; i < ARRAY_LEN(usual); i++) {
        const struct place_request place = {.on = str_from(usual[i]),
                                            .price = USD_PER_HOUR_UNKNOWN};
        struct error why = {0};

        if (estimate_on(ctx, &place, f, &why) && f->base.fits) {
            message_note(&ctx->messages,
                         "advice is for %s: add --on GPU[xN] or --offer OFFER for where the "
                         "job runs",
                         usual[i]);
            return true;
        }
        if (why.kind != ERROR_NONE && why.kind != ERROR_UNFIT) {
            *err = why;
            return false;
        }
    }
    error_set(err, ERROR_UNFIT, "the job does not fit on 32 A100");
    error_hint(err, "add --on GPU[xN]; 'stint plan' finds where it fits");
    return false;
}

bool advise_job_facts(struct op_context *ctx, const struct job_source *source, struct str on,
                      struct str offer, struct advise_facts *out, struct error *err)
{
    const struct place_request place = {
        .on = on, .offer = offer, .price = USD_PER_HOUR_UNKNOWN};
    struct job_facts *f = arena_array(ctx->arena, struct job_facts, 1, err);
    bool named = on.len > 0 || offer.len > 0;

    if (f == NULL || !op_job_read(ctx, source, &f->job, err) ||
        !(named ? estimate_on(ctx, &place, f, err) : estimate_usual(ctx, f, err)))
        return false;
    op_place_warn(&f->place.place, ctx);
    f->facts = (struct advise_job){.input = &f->input,
                                   .given = &f->job.given,
                                   .config = f->job.config,
                                   .typed = source->job,
                                   .base = &f->base,
                                   .monthly = f->base.kind == JOB_INFER};
    *out = (struct advise_facts){.per = f->facts.monthly ? STR("month") : STR("run"),
                                 .from = STAMP_UNKNOWN,
                                 .until = STAMP_UNKNOWN,
                                 .limit = USD_UNKNOWN,
                                 .job = &f->facts,
                                 .job_name = f->base.name.len > 0 ? f->base.name : source->job,
                                 .catalog = &ctx->catalog};
    take_money(&f->base, &out->job_money);
    return true;
}
