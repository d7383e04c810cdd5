#include "spot/sim.h"

#include <assert.h>
#include <math.h>

#include "base/stop.h"
#include "spot/policy.h"
#include "spot/work.h"

#define HOUR 3600.0

/* The state of one run, and the tables behind its view. */
struct run {
    const struct sim_market *market;
    const struct sim_job *job;
    size_t ticks; /* of the deadline */
    size_t tick;
    struct work work;
    enum sim_mode mode;
    size_t zone;
    bool placed; /* it was started once, so that there is a checkpoint to move */
    struct sim_around around;
    struct sim_result *out;
};

size_t sim_deadline_ticks(const struct sim_job *job, int32_t gap)
{
    double ticks = floor(job->deadline / gap);

    return ticks < (double)(SIZE_MAX / 2) ? (size_t)ticks : SIZE_MAX / 2;
}

size_t sim_least_ticks(const struct sim_job *job, int32_t gap)
{
    struct work work = {.left = job->work, .pending = job->delay};
    double ticks = work_ticks(job, &work, gap);

    return ticks < (double)(SIZE_MAX / 2) ? (size_t)ticks : SIZE_MAX / 2;
}

static bool is_seconds_in_range(double seconds)
{
    return seconds >= 0 && seconds < 1e12;
}

bool sim_check(const struct sim_market *market, const struct sim_job *job, struct error *err)
{
    if (market->zone_count < 1 || market->zone_count > SIM_ZONES_MAX)
        return error_fail(err, ERROR_INPUT, "%zu zones: there must be 1 to %d",
                          market->zone_count, SIM_ZONES_MAX);
    if (market->gap < 1 || job->gang < 1)
        return error_fail(err, ERROR_INPUT,
                          "ticks of %d s for a gang of %d: both must be 1 "
                          "or more",
                          market->gap, job->gang);
    if (!is_seconds_in_range(job->work) || !is_seconds_in_range(job->deadline) ||
        !is_seconds_in_range(job->delay) || !is_seconds_in_range(job->save_every) ||
        !is_seconds_in_range(job->save_takes) || !is_seconds_in_range(job->notice))
        return error_fail(err, ERROR_INPUT, "a time of the job is out of range");
    if (job->save_every > 0 && job->save_every < 1)
        return error_fail(err, ERROR_INPUT, "saving every %g s is too often", job->save_every);
    for (size_t z = 0; z < market->zone_count; z++)
        if (market->zones[z].region >= market->regions || !isfinite(market->zones[z].on_demand))
            return error_fail(err, ERROR_INPUT,
                              "zone '%.*s' has no on-demand price, or no "
                              "region",
                              STR_ARG(market->zones[z].id));
    if (sim_deadline_ticks(job, market->gap) > market->ticks)
        return error_fail(err, ERROR_INPUT,
                          "the trace ends before the deadline: %zu ticks of "
                          "%d s, and the deadline is at tick %zu",
                          market->ticks, market->gap, sim_deadline_ticks(job, market->gap));
    return true;
}

static double price_at(const struct sim_zone *zone, size_t tick)
{
    return zone->price != NULL ? zone->price[tick] : zone->spot;
}

static bool is_up(const struct sim_zone *zone, const struct sim_job *job, size_t tick)
{
    return zone->nodes_at[tick] >= job->gang && !isnan(price_at(zone, tick));
}

double sim_spot_usd(const struct sim_market *market, const struct sim_job *job, size_t zone,
                    size_t tick)
{
    const struct sim_zone *z = &market->zones[zone];

    return is_up(z, job, tick) ? price_at(z, tick) * job->gang * market->gap / HOUR : NAN;
}

static double value_between_zones(const double *table, const struct sim_market *market,
                                  size_t from, size_t to)
{
    if (table == NULL)
        return 0;
    return table[market->zones[from].region * market->regions + market->zones[to].region];
}

struct sim_view sim_look(const struct sim_market *market, const struct sim_job *job,
                         size_t tick, size_t zone, bool placed, double stop_s,
                         struct sim_around *around)
{
    for (size_t z = 0; z < market->zone_count; z++) {
        const struct sim_zone *there = &market->zones[z];

        around->up[z] = tick < market->ticks && is_up(there, job, tick);
        around->spot[z] = tick < market->ticks ? price_at(there, tick) : NAN;
        around->on_demand[z] = there->on_demand;
        around->again_s[z] = job->delay + value_between_zones(market->carry, market, z, z);
        around->move_usd[z] = placed ? value_between_zones(market->egress, market, zone, z) : 0;
        around->move_s[z] = stop_s + job->delay +
                            (placed ? value_between_zones(market->carry, market, zone, z) : 0);
    }
    return (struct sim_view){
        .job = job,
        .gap = market->gap,
        .tick = tick,
        .zone = zone,
        .stop_s = stop_s,
        .zone_count = market->zone_count,
        .up = around->up,
        .spot = around->spot,
        .on_demand = around->on_demand,
        .move_usd = around->move_usd,
        .move_s = around->move_s,
        .again_s = around->again_s,
    };
}

/* The past tick: what was done in it, and whether the machine outlived it. */
static void credit(struct run *run)
{
    const struct sim_zone *zone = &run->market->zones[run->zone];
    double gap = run->market->gap;

    if (run->mode == SIM_IDLE)
        return;
    if (run->mode != SIM_SPOT || run->tick >= run->market->ticks ||
        is_up(zone, run->job, run->tick)) {
        work_go_on(run->job, &run->work, gap);
        return;
    }
    run->out->lost_s += work_lose(run->job, &run->work, gap);
    run->out->losses += run->work.left > WORK_TOLERANCE;
    run->work.pending = 0;
    run->mode = SIM_IDLE;
}

static struct sim_view look_around(struct run *run, double stop_s)
{
    struct sim_view view = sim_look(run->market, run->job, run->tick, run->zone, run->placed,
                                    stop_s, &run->around);

    view.ticks_left = run->ticks - run->tick;
    view.done = run->job->work - run->work.left;
    view.left = run->work.left;
    view.unsaved = run->work.unsaved;
    view.mode = run->mode;
    view.pending = run->work.pending;
    view.saving = run->work.saving;
    return view;
}

static double hourly_sim_price(const struct run *run)
{
    return (run->mode == SIM_SPOT ? run->around.spot : run->around.on_demand)[run->zone] *
           run->job->gang;
}

static void pay_time(struct run *run, double seconds)
{
    run->out->usd += hourly_sim_price(run) * seconds / HOUR;
    *(run->mode == SIM_SPOT ? &run->out->spot_s : &run->out->on_demand_s) += seconds;
}

/* Do what was picked: leave what runs, start something else. */
static void follow_choice(struct run *run, struct sim_choice choice, double stop_s)
{
    size_t from = run->zone;

    if (choice.mode == run->mode && (choice.mode == SIM_IDLE || choice.zone == run->zone))
        return;
    if (run->mode != SIM_IDLE)
        pay_time(run, stop_s);
    run->work = (struct work){.left = run->work.left};
    run->mode = choice.mode;
    if (choice.mode == SIM_IDLE)
        return;
    run->zone = choice.zone;
    run->work.pending = run->around.move_s[choice.zone];
    run->out->starts++;
    run->out->usd += run->around.move_usd[choice.zone];
    run->out->egress_usd += run->around.move_usd[choice.zone];
    if (run->placed &&
        run->market->zones[from].region != run->market->zones[choice.zone].region)
        run->out->moves++;
    run->placed = true;
}

static void pay_tick(struct run *run)
{
    double gap = run->market->gap;

    if (run->mode == SIM_IDLE) {
        run->out->idle_s += gap;
        return;
    }
    if (run->job->by_second) {
        struct work after = run->work;

        work_go_on(run->job, &after, gap);
        if (after.left <= WORK_TOLERANCE) {
            /* It ends within this tick; a save may fall into it. */
            double used = run->work.pending + run->work.left;

            used += work_saves(run->job, &run->work) * run->job->save_takes;
            gap = fmin(gap, used);
        }
    }
    pay_time(run, gap);
}

static void record_tick(const struct run *run, struct sim_tick *track)
{
    if (track != NULL)
        track[run->tick] = (struct sim_tick){
            .mode = (uint8_t)run->mode,
            .zone = (uint8_t)run->zone,
            .done = (float)(run->job->work - run->work.left),
        };
}

bool sim_run(const struct sim_market *market, const struct sim_job *job,
             const struct policy *policy, struct arena *arena, struct sim_tick *track,
             struct sim_result *out, struct error *err)
{
    struct run run = {.market = market, .job = job, .work = {.left = job->work}, .out = out};
    void *state;

    if (!sim_check(market, job, err))
        return false;
    state = policy->begin(policy, market, job, arena, err);
    if (state == NULL)
        return false;
    *out = (struct sim_result){0};
    run.ticks = sim_deadline_ticks(job, market->gap);
    for (;; run.tick++) {
        double stop_s;
        struct sim_view view;
        struct sim_choice choice;

        if (!stop_check(err))
            return false;
        if (run.tick > 0)
            credit(&run);
        if (run.work.left <= WORK_TOLERANCE || run.tick >= run.ticks)
            break;
        stop_s = run.mode == SIM_IDLE ? 0 : work_stop_takes(job, &run.work);
        view = look_around(&run, stop_s);
        choice = policy->pick(state, &view);
        assert(choice.mode == SIM_IDLE || choice.zone < market->zone_count);
        assert(choice.mode != SIM_SPOT || run.around.up[choice.zone]);
        follow_choice(&run, choice, stop_s);
        pay_tick(&run);
        record_tick(&run, track);
    }
    out->end = run.tick;
    out->late = run.work.left > WORK_TOLERANCE;
    out->done = job->work - run.work.left;
    return true;
}
