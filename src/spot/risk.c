#include "spot/risk.h"

#include <math.h>

#include "spot/hazard.h"
#include "spot/watched.h"

#define NS INT64_C(1000000000)
#define SIGMA 1.6449 /* that many deviations either side hold SPOT_INTERVAL */

static const char *const worth_names[] = {"", "no", "yes", NULL};

static const struct field row_fields[] = {
    FIELD(TEXT, spot_risk_row, place, .help = "zone of the trace, or the offer"),
    FIELD(TEXT, spot_risk_row, method, .help = "basis of the risk"),
    FIELD(RATE, spot_risk_row, spot, .help = "spot price per machine-hour"),
    FIELD(RATE, spot_risk_row, on_demand, .help = "on-demand price per machine-hour"),
    FIELD(TIME, spot_risk_row, seen, .short_midnight = true, .empty_unknown = true,
          .help = "time when the spot price was last confirmed"),
    FIELD(SHARE, spot_risk_row, risk,
          .help = "risk of an interruption within the requested time"),
    FIELD(SHARE, spot_risk_row, risk_low, .help = "low end of the 90 % interval"),
    FIELD(SHARE, spot_risk_row, risk_high, .help = "high end of the 90 % interval"),
    FIELD(SHARE, spot_risk_row, risk_new,
          .help = "risk for a machine taken as soon as one is available again"),
    FIELD(COUNT, spot_risk_row, spells, .help = "measured: spells of availability"),
    FIELD_AS("interruptions", COUNT, spot_risk_row, losses,
             .help = "measured: spells that ended"),
    FIELD(NUMBER, spot_risk_row, watched_h, .help = "measured: hours watched"),
    FIELD(SHARE, spot_risk_row, up, .help = "share of time in which it is available"),
    FIELD(USD, spot_risk_row, mean_usd, .help = "simulated: mean cost of the job"),
    FIELD(USD, spot_risk_row, error_usd, .help = "standard error of the mean"),
    FIELD(USD, spot_risk_row, p10_usd, .help = "10th percentile of the cost"),
    FIELD(USD, spot_risk_row, p50_usd, .help = "median cost"),
    FIELD(USD, spot_risk_row, p90_usd, .help = "90th percentile of the cost"),
    FIELD(USD, spot_risk_row, on_demand_usd, .help = "cost of the job on demand only"),
    FIELD_AS("savings", NUMBER, spot_risk_row, saving,
             .help = "savings as a share of that; negative: more expensive"),
    FIELD(SHARE, spot_risk_row, on_time,
          .help = "simulated: share done by the deadline; null: no deadline"),
    FIELD(NUMBER, spot_risk_row, hours_p10,
          .help = "simulated: 10th percentile of the hours until done"),
    FIELD(NUMBER, spot_risk_row, hours_p50, .help = "median hours until done"),
    FIELD(NUMBER, spot_risk_row, hours_p90,
          .help = "90th percentile of the hours until done; null: not within the simulation"),
    FIELD(NUMBER, spot_risk_row, expected_interruptions,
          .help = "simulated: mean number of interruptions"),
    FIELD(NUMBER, spot_risk_row, overhead, .help = "machine time beyond the work, as a share"),
    FIELD(SPAN, spot_risk_row, save_every, .help = "best checkpoint interval, in work"),
    FIELD(ENUM, spot_risk_row, worth, .names = worth_names,
          .help = "yes (spot saves more than chance and finishes), no; null: not requested"),
};

static const struct field_set row_set = FIELD_SET(struct spot_risk_row, row_fields);

static const struct field fields[] = {
    FIELD(LIST, spot_risks, places, .row = &row_set, .help = "places in the requested order"),
    FIELD(NUMBER, spot_risks, hours, .help = "hours that the risk refers to"),
    FIELD(SHARE, spot_risks, interval, .help = "confidence level of risk_low to risk_high"),
    FIELD(COUNT, spot_risks, gang, .help = "machines at once"),
    FIELD(COUNT, spot_risks, runs, .help = "runs simulated for each place"),
    FIELD(NUMBER, spot_risks, work_h, .help = "hours of work of the job"),
    FIELD(NUMBER, spot_risks, deadline_h, .help = "hours until the deadline"),
    FIELD(NUMBER, spot_risks, delay_h, .help = "hours for a start"),
    FIELD(TEXT, spot_risks, policy, .help = "simulated policy"),
};

const struct field_set spot_risks_fields = FIELD_SET(struct spot_risks, fields);

struct risk_question {
    const struct risk_ask *ask;
    const struct messages *messages;
    struct arena *arena;
};

static bool risk_of_trace(const struct risk_question *q, const struct spot_place *p,
                          struct spot_risk_row *row, struct error *err)
{
    struct arena scratch = {.alloc = q->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    double hours = span_in_hours(q->ask->length);
    struct watched w;
    bool ok =
        watched_risk(p->trace, (int32_t)q->ask->gang, hours, SPOT_INTERVAL, &scratch, &w, err);

    arena_free(&scratch);
    if (!ok)
        return false;
    row->risk = w.risk;
    row->risk_low = w.low;
    row->risk_high = w.high;
    row->spells = (int64_t)w.spells;
    row->losses = (int64_t)w.losses;
    row->watched_h = w.hours;
    row->up = w.up_hours / w.hours;
    if (w.losses < WATCHED_FEWEST)
        row->risk_new = NAN; /* that would be the typical risk, not the watched one */
    if (q->ask->length.ns < (int64_t)p->trace->gap * NS)
        message_warn(
            q->messages,
            "'%.*s' was watched every %d s only: its risk is within that time, not less",
            STR_ARG(p->name), p->trace->gap);
    if (isnan(w.risk) && w.up_hours > 0)
        message_note(q->messages,
                     "'%.*s' was watched for %.4g h: too short for a risk within "
                     "%.4g h",
                     STR_ARG(p->name), w.hours, hours);
    else if (isnan(w.risk))
        message_note(q->messages, "'%.*s' was never available for a gang of %lld",
                     STR_ARG(p->name), (long long)q->ask->gang);
    return true;
}

static void risk_of_model(const struct risk_question *q, const struct spot_place *p,
                          struct spot_risk_row *row)
{
    double hours = span_in_hours(q->ask->length);

    row->up = p->life.up;
    if (p->model.basis == BASIS_NONE) { /* a rate that was given */
        row->risk = row->risk_new;
        row->up = NAN;
        return;
    }
    row->risk = spot_place_risk(p, hours, 0);
    row->risk_low = spot_place_risk(p, hours, -SIGMA);
    row->risk_high = spot_place_risk(p, hours, SIGMA);
}

static bool simulate_job(const struct risk_question *q, const struct spot_place *p,
                         struct spot_risk_row *row, struct error *err)
{
    struct arena scratch = {.alloc = q->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct outlook_ask ask = q->ask->job;
    struct outlook o;
    bool ok;

    ask.spot = p->spot;
    ask.on_demand = p->on_demand;
    ask.life = &p->life;
    ok = outlook_run(&ask, &scratch, &o, err);
    arena_free(&scratch);
    if (!ok)
        return false;
    row->mean_usd = usd_about(o.usd);
    row->error_usd = usd_about(o.usd_error);
    row->p10_usd = usd_about(o.usd_p10);
    row->p50_usd = usd_about(o.usd_p50);
    row->p90_usd = usd_about(o.usd_p90);
    row->on_demand_usd = usd_about(o.on_demand_usd);
    row->saving = o.saving;
    if (ask.job.deadline > 0)
        row->on_time = o.on_time;
    row->hours_p10 = o.hours_p10;
    row->hours_p50 = o.hours_p50;
    row->hours_p90 = o.hours_p90;
    row->expected_interruptions = o.losses;
    row->overhead = o.overhead;
    if (ask.policy == NULL || !str_eq(str_from(ask.policy->name), STR("on-demand")))
        row->worth = o.worth ? WORTH_YES : WORTH_NO;
    if (o.save_every > 0 && isfinite(o.save_every))
        row->save_every = span_hours(o.save_every / 3600);
    if (o.unfinished > 0)
        message_warn(q->messages,
                     "%.0f %% of the runs on '%.*s' were not done when the "
                     "simulation ended: its cost is too low",
                     o.unfinished * 100, STR_ARG(p->name));
    return true;
}

static bool risk_of_place(const struct risk_question *q, const struct spot_place *p,
                          struct spot_risk_row *row, struct error *err)
{
    struct hazard h = hazard_of(p->life.lose);
    double seen =
        p->trace != NULL ? p->trace->gap / 3600.0 : 0; /* no shorter time was watched */

    row->place = p->name;
    row->method = p->method;
    row->spot.nano = usd_from(p->spot).nano;
    row->on_demand.nano = usd_from(p->on_demand).nano;
    row->seen = p->seen;
    row->risk_new = 1 - hazard_survive(&h, fmax(span_in_hours(q->ask->length), seen));
    if (p->trace == NULL)
        risk_of_model(q, p, row);
    else if (!risk_of_trace(q, p, row, err))
        return false;
    if (q->ask->job.job.work <= 0)
        return true;
    if (isnan(p->spot) || isnan(p->on_demand)) {
        error_set(err, ERROR_USAGE, "what a job costs needs both prices%s%.*s",
                  p->name.len > 0 ? " of " : "", STR_ARG(p->name));
        error_hint(err, "add --spot '$0.97/hr' --on-demand '$3.06/hr'");
        return false;
    }
    return simulate_job(q, p, row, err);
}

bool spot_risks(const struct risk_ask *ask, const struct spot_place *places, size_t count,
                const struct messages *messages, struct arena *arena, struct spot_risks *out,
                struct error *err)
{
    struct risk_question q = {.ask = ask, .messages = messages, .arena = arena};
    struct spot_risk_row *rows = arena_array(arena, struct spot_risk_row, count, err);

    for (size_t i = 0; rows != NULL && i < count; i++)
        if (!fields_reset(&row_set, &rows[i], arena, err) ||
            !risk_of_place(&q, &places[i], &rows[i], err))
            return false;
    if (rows == NULL)
        return false;
    out->places = (struct rows){rows, count};
    out->hours = span_in_hours(ask->length);
    out->interval = SPOT_INTERVAL;
    out->gang = ask->gang;
    return true;
}
