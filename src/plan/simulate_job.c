#include "plan/simulate_job.h"

#include <stdio.h>
#include <string.h>

#include "job/source.h"

/* Hours of one line of the costs. */
static double cost_line_hours(const struct estimate *res, enum cost_line_id line)
{
    const struct estimate_line *lines = res->cost.at;

    for (size_t i = 0; i < res->cost.len; i++)
        if (str_eq(lines[i].name, str_from(cost_line_names[line])))
            return lines[i].hours;
    return 0;
}

/* A list of one length of time. */
static bool one_span(struct arena *arena, double hours, struct strs *out, struct error *err)
{
    struct str *at = arena_array(arena, struct str, 1, err);
    char text[40];

    if (at == NULL)
        return false;
    (void)snprintf(text, sizeof text, "%.0fs", hours * 3600);
    *out = (struct strs){at, 1};
    return str_keep(str_from(text), arena, at, err);
}

static void fill_checkpoint(const struct job_checkpoint *c, const struct messages *messages,
                            struct simulate_request *req)
{
    if (req->checkpoint_size.n == UINT64_MAX)
        req->checkpoint_size = c->size;
    if (req->checkpoint_every.ns > 0)
        return;
    if (str_eq(c->resume, STR("no"))) {
        /* Nothing is kept: what is lost is all of it. */
        req->checkpoint_every = req->work;
        req->checkpoint_time = (span){0};
        message_note(messages, "the job cannot resume: an interruption loses all its work");
        return;
    }
    if (c->every.ns > 0) {
        req->checkpoint_every = c->every;
        if (req->checkpoint_time.ns < 0)
            req->checkpoint_time = c->save;
        return;
    }
    message_note(messages, "interruptions lose no work: the job does not set checkpoint.every");
}

static bool fill_times(const struct job *job, const struct estimate *res, struct arena *arena,
                       struct simulate_request *req, struct error *err)
{
    const struct job_checkpoint *c = &job->train.checkpoint;
    double setup = cost_line_hours(res, COST_SETUP);
    double restart = c->restart.ns > 0 ? span_in_hours(c->restart) : 0;

    if (req->work.ns <= 0) {
        /* Starts and saves are simulated: they are no part of the work. */
        double hours = res->wall_hours - setup - cost_line_hours(res, COST_CHECKPOINTS);

        if (!(hours > 0)) {
            error_set(err, ERROR_INPUT, "the run time of '%.*s' is unknown",
                      STR_ARG(job_shown(req->job)));
            error_hint(err, "set the amount of data (--set data.tokens=1B), or add --work 48h");
            return false;
        }
        req->work = span_hours(hours);
    }
    if (req->delays.len == 0 && !one_span(arena, setup + restart, &req->delays, err))
        return false;
    if (req->deadlines.len == 0 && job->limits.deadline.ns > 0 &&
        !one_span(arena, span_in_hours(job->limits.deadline), &req->deadlines, err))
        return false;
    return true;
}

static bool fill_prices(const struct machine *offer, struct simulate_request *req,
                        struct error *err)
{
    if (req->on_demand.nano == MONEY_UNKNOWN)
        req->on_demand = offer->on_demand;
    if (req->spot.nano == MONEY_UNKNOWN)
        req->spot = offer->spot;
    if (req->on_demand.nano != MONEY_UNKNOWN && req->spot.nano != MONEY_UNKNOWN)
        return true;
    error_set(err, ERROR_INPUT, "%.*s has no %s price", STR_ARG(offer->name),
              req->spot.nano == MONEY_UNKNOWN ? "spot" : "on-demand");
    error_hint(err, "give --on-demand and --spot, or name another --offer");
    return false;
}

bool simulate_job_fill(const struct job *job, const struct estimate *estimate,
                       const struct machine *machine, const struct messages *messages,
                       struct arena *arena, struct simulate_request *request, struct error *err)
{
    if (!fill_times(job, estimate, arena, request, err))
        return false;
    fill_checkpoint(&job->train.checkpoint, messages, request);
    return fill_prices(machine, request, err);
}
