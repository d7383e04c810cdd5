#include "spot/lookahead.h"

#include <math.h>

#include "spot/learn.h"

/* What runs, and whether spot is available. */
enum { IDLE_UP, ON_SPOT, DEMAND_UP, IDLE_DOWN, DEMAND_DOWN, LOOK_STATES };

/* Values of one slack: in the table, and among a step's expectations, where the value of a
 * machine just lost comes after them. */
static size_t lookahead_cell(const struct lookahead *look)
{
    return LOOK_STATES * look->ages;
}

static size_t ahead_of(const struct lookahead *look)
{
    return lookahead_cell(look) + 1;
}

/* Chances for one step, by age: to stay in the bin, to go on to the next, and to end. */
struct chances {
    float stay[LOOK_AGES], on[LOOK_AGES], end[LOOK_AGES];
};

/* Where a slack lies between two of the table's. */
struct between {
    size_t at;
    float share; /* of at + 1 */
};

enum { SLACKS_MAX = LOOK_DENSE + 2 };

/* The steps that there is room for, of so many at most. */
static size_t lookahead_room(const struct lookahead *look, size_t most)
{
    return look->most < most ? look->most : most;
}

bool lookahead_init(struct lookahead *look, size_t ticks, bool fine, struct arena *arena,
                    struct error *err)
{
    size_t dense, wide;

    *look = (struct lookahead){.most = ticks < 1 ? 1 : ticks,
                               .wide_steps = fine ? LOOK_FINE_STEPS : LOOK_STEPS,
                               .wide_slacks = fine ? LOOK_FINE_SLACKS : LOOK_SLACKS,
                               .parts = fine ? LOOK_FINE_PARTS : 1};
    look->ages = AGE_BINS * look->parts;
    dense = (lookahead_room(look, LOOK_DENSE) + 1) * (lookahead_room(look, LOOK_DENSE) + 2);
    wide = (lookahead_room(look, look->wide_steps) + 1) * look->wide_slacks;
    /* One more float, since the last bin looks at the next, which it never goes on to. */
    look->usd = arena_array(arena, float,
                            (dense > wide ? dense : wide) * lookahead_cell(look) + 1, err);
    look->ahead = arena_array(arena, float, SLACKS_MAX *ahead_of(look), err);
    return look->usd != NULL && look->ahead != NULL;
}

/* With more slack than work, few steps and a slack for each; else short steps, and slacks that
 * show how many starts there is time for. */
static void choose_lookahead_steps(struct lookahead *look, double time_left, double slack)
{
    double gap = look->model.gap, ticks = fmax(ceil(time_left / gap), 1);
    double by = ceil(ticks / (double)lookahead_room(look, LOOK_DENSE));

    look->dense = 2 * slack >= time_left && (by <= 1 || by * gap <= LOOK_DENSE_STEP);
    if (!look->dense)
        by = ceil(ticks / (double)lookahead_room(look, look->wide_steps));
    look->step = by * gap;
    look->steps = (size_t)ceil(ticks / by);
}

/* Every step; or none, a few starts, and then by growing steps to the most. */
static void choose_slacks(struct lookahead *look, double most)
{
    double start = look->model.on_demand_start, least = look->model.gap / 4;
    double step = fmax(start / 2, least), at = 0;
    size_t n = 0;

    if (look->dense) {
        look->slacks = look->steps + 2;
        for (; n < look->slacks; n++)
            look->slack[n] = (double)n * look->step;
        return;
    }
    look->slack[n++] = 0;
    for (int i = 1; i <= 4 && start > 0; i++)
        look->slack[n++] = at = start * i;
    while (n < look->wide_slacks - 1) {
        double rest = (double)(look->wide_slacks - n);

        at = fmax(at + step, at * pow(most / fmax(at, step), 1 / rest));
        if (at >= most)
            break;
        look->slack[n++] = at;
    }
    look->slack[n++] = fmax(most, at + step);
    look->slacks = n;
}

static struct between find_slack(const struct lookahead *look, double slack)
{
    size_t at = 0;
    double from, to;

    while (at + 2 < look->slacks && look->slack[at + 1] <= slack)
        at++;
    from = look->slack[at];
    to = look->slack[at + 1];
    return (struct between){at, (float)fmin(fmax((slack - from) / (to - from), 0), 1)};
}

/* Where an age is among them. */
static size_t age_index(const struct lookahead *look, double hours)
{
    size_t bin = age_bin(hours), part = 0;

    if (bin + 1 < AGE_BINS)
        part = (size_t)((hours - age_edges[bin]) / (age_edges[bin + 1] - age_edges[bin]) *
                        (double)look->parts);
    return bin * look->parts + (part < look->parts ? part : look->parts - 1);
}

/* The chance to go on to the next part within so many hours. */
static double part_step(const struct lookahead *look, size_t age, double hours)
{
    return fmin(age_step(age / look->parts, hours * (double)look->parts), 1);
}

static void find_lookahead_chances(const struct lookahead *look, const double *by_tick,
                                   struct chances *out)
{
    double ticks = look->step / look->model.gap;

    for (size_t i = 0; i < look->ages; i++) {
        double keep = pow(1 - by_tick[i / look->parts], ticks),
               on = part_step(look, i, look->step / 3600);

        out->stay[i] = (float)(keep * (1 - on));
        out->on[i] = (float)(keep * on);
        out->end[i] = (float)(1 - keep);
    }
}

/* Most of a policy's time goes into the loops below. The inner ones go over as many ages as
 * there are bins: a number that the compiler knows, so that it makes vectors of them. */

/* out = what is expected a step before: the spell goes on, or ends with value `ended`. */
static void expect_lookahead(const struct chances *chances, size_t ages,
                             const float *restrict usd, float ended, float *restrict out)
{
    for (size_t from = 0; from < ages; from += AGE_BINS) {
        const float *stay = chances->stay + from, *on = chances->on + from,
                    *end = chances->end + from, *now = usd + from;

        for (size_t i = 0; i < AGE_BINS; i++)
            out[from + i] = stay[i] * now[i] + on[i] * now[i + 1] + end[i] * ended;
    }
}

/* A table for one solution: what a step costs and where each slack goes. */
struct step {
    struct chances up, down;
    float spot_usd, demand_usd, other;
    float start_usd; /* of the first step on spot */
    bool can_wait[SLACKS_MAX], can_spot[SLACKS_MAX], can_stay[SLACKS_MAX];
    struct between waited[SLACKS_MAX]; /* the slack after a step of waiting */
    struct between spot[SLACKS_MAX];   /* after a start on spot */
    struct between demand[SLACKS_MAX]; /* after one on on-demand */
    float short_usd[SLACKS_MAX]; /* what is missing for an on-demand start, as its price */
    struct between broken[SLACKS_MAX]; /* after a spot start that is lost within the step */
    size_t done;                       /* from this slack on the work is done after the step */
};

/* Towards the end the work left is what counts: a value between one with work and one without
 * is that of the work, since a started step is paid in full. */
static struct between with_work(const struct lookahead *look, struct between at, size_t done)
{
    if (look->dense && at.at + 1 == done)
        at.share = 0;
    return at;
}

static void prepare_step(const struct lookahead *look, struct step *step)
{
    const struct look_model *m = &look->model;

    find_lookahead_chances(look, m->lose, &step->up);
    find_lookahead_chances(look, m->gain, &step->down);
    step->spot_usd = (float)(m->spot * look->step / 3600);
    step->demand_usd = (float)(m->on_demand * look->step / 3600);
    step->start_usd = step->spot_usd + (float)m->start_usd;
    step->other = (float)m->other;
    for (size_t i = 0; i < look->slacks; i++) {
        double slack = look->slack[i], missing = fmax(m->on_demand_start - slack, 0);

        step->can_stay[i] = missing <= 0;
        step->can_spot[i] = slack >= m->spot_start + m->on_demand_start;
        step->can_wait[i] = slack >= look->step + m->on_demand_start;
        step->waited[i] = find_slack(look, slack - look->step);
        step->spot[i] = find_slack(look, slack - m->spot_start);
        step->demand[i] = find_slack(look, slack - m->on_demand_start);
        step->broken[i] = find_slack(look, slack - fmin(m->spot_start, look->step));
        step->short_usd[i] = (float)(missing / 3600 * m->on_demand);
    }
}

/* out = the blend of two rows, and a cost. */
static void blend(const struct lookahead *look, const float *restrict rows, struct between at,
                  float usd, float *restrict out)
{
    const float *a = rows + at.at * ahead_of(look), *b = a + ahead_of(look);

    for (size_t from = 0; from < look->ages; from += AGE_BINS)
        for (size_t i = 0; i < AGE_BINS; i++)
            out[from + i] = a[from + i] + at.share * (b[from + i] - a[from + i]) + usd;
}

/* out = a row, and a cost. */
static void add_usd_to_row(size_t ages, const float *restrict row, float usd,
                           float *restrict out)
{
    for (size_t from = 0; from < ages; from += AGE_BINS)
        for (size_t i = 0; i < AGE_BINS; i++)
            out[from + i] = row[from + i] + usd;
}

static void take_smaller_floats(size_t ages, float *restrict least, const float *restrict other)
{
    for (size_t from = 0; from < ages; from += AGE_BINS)
        for (size_t i = 0; i < AGE_BINS; i++) {
            float a = least[from + i], b = other[from + i];

            least[from + i] = b < a ? b : a;
        }
}

static float blend_one(const float *rows, size_t stride, struct between at)
{
    float a = rows[at.at * stride], b = rows[(at.at + 1) * stride];

    return a + at.share * (b - a);
}

static void look_ahead(const struct lookahead *look, const struct step *step, const float *usd)
{
    size_t ages = look->ages, other = age_index(look, look->model.other_age);

    for (size_t j = 0; j < look->slacks; j++) {
        const float *v = usd + j * lookahead_cell(look);
        float *e = look->ahead + j * ahead_of(look);
        float lost = v[IDLE_DOWN * ages], gone = v[DEMAND_DOWN * ages];

        lost += step->other * (v[IDLE_UP * ages + other] - lost);
        gone += step->other * (v[DEMAND_UP * ages + other] - gone);
        expect_lookahead(&step->up, ages, v + IDLE_UP * ages, lost, e + IDLE_UP * ages);
        expect_lookahead(&step->up, ages, v + ON_SPOT * ages, lost, e + ON_SPOT * ages);
        expect_lookahead(&step->up, ages, v + DEMAND_UP * ages, gone, e + DEMAND_UP * ages);
        expect_lookahead(&step->down, ages, v + IDLE_DOWN * ages, v[IDLE_UP * ages],
                         e + IDLE_DOWN * ages);
        expect_lookahead(&step->down, ages, v + DEMAND_DOWN * ages, v[DEMAND_UP * ages],
                         e + DEMAND_DOWN * ages);
        e[lookahead_cell(look)] = lost;
    }
}

/* Starting on spot: a machine that is lost in its first step has not wasted a full start. */
static void start_on_spot(const struct lookahead *look, const struct step *step, size_t j,
                          float *restrict out)
{
    const float *lost = look->ahead + lookahead_cell(look);
    size_t stride = ahead_of(look);
    float more = blend_one(lost, stride, with_work(look, step->broken[j], step->done)) -
                 blend_one(lost, stride, with_work(look, step->spot[j], step->done));

    blend(look, look->ahead + ON_SPOT * look->ages, with_work(look, step->spot[j], step->done),
          step->start_usd, out);
    for (size_t from = 0; from < look->ages; from += AGE_BINS)
        for (size_t i = 0; i < AGE_BINS; i++)
            out[from + i] += step->up.end[from + i] * more;
}

/* The least for each state at one slack. */
static void decide_lookahead_step(const struct lookahead *look, const struct step *step,
                                  size_t j, float *v)
{
    size_t ages = look->ages;
    const float *ahead = look->ahead, *e = ahead + j * ahead_of(look);
    float *idle_up = v + IDLE_UP * ages, *on_spot = v + ON_SPOT * ages,
          *demand_up = v + DEMAND_UP * ages, *idle_down = v + IDLE_DOWN * ages,
          *demand_down = v + DEMAND_DOWN * ages, option[LOOK_AGES];
    float usd = step->demand_usd + step->short_usd[j];
    struct between demand = with_work(look, step->demand[j], step->done),
                   waited = with_work(look, step->waited[j], step->done);

    blend(look, ahead + DEMAND_UP * ages, demand, usd, idle_up);
    blend(look, ahead + DEMAND_DOWN * ages, demand, usd, idle_down);
    add_usd_to_row(ages, idle_up, 0, on_spot);
    add_usd_to_row(ages, e + DEMAND_UP * ages, step->demand_usd, demand_up);
    add_usd_to_row(ages, e + DEMAND_DOWN * ages, step->demand_usd, demand_down);
    if (step->can_stay[j]) {
        add_usd_to_row(ages, e + ON_SPOT * ages, step->spot_usd, option);
        take_smaller_floats(ages, on_spot, option);
    }
    if (step->can_spot[j]) {
        start_on_spot(look, step, j, option);
        take_smaller_floats(ages, idle_up, option);
        take_smaller_floats(ages, demand_up, option);
    }
    if (step->can_wait[j]) {
        blend(look, ahead + IDLE_UP * ages, waited, 0, option);
        take_smaller_floats(ages, idle_up, option);
        take_smaller_floats(ages, on_spot, option);
        take_smaller_floats(ages, demand_up, option);
        blend(look, ahead + IDLE_DOWN * ages, waited, 0, option);
        take_smaller_floats(ages, idle_down, option);
        take_smaller_floats(ages, demand_down, option);
    }
}

void lookahead_solve(struct lookahead *look, const struct look_model *model, double time_left,
                     double slack)
{
    struct step step;
    size_t row;

    look->model = *model;
    choose_lookahead_steps(look, time_left, slack);
    choose_slacks(look, fmax(slack, 4 * model->on_demand_start + 2 * model->gap));
    prepare_step(look, &step);
    step.done = 0;
    row = look->slacks * lookahead_cell(look);
    for (size_t i = 0; i < row; i++)
        look->usd[i] = 0;
    for (size_t n = 1; n <= look->steps; n++) {
        float *usd = look->usd + n * row;

        while (step.done < look->slacks &&
               look->slack[step.done] < (double)(n - 1) * look->step)
            step.done++;
        look_ahead(look, &step, usd - row);
        for (size_t j = 0; j < look->slacks; j++) {
            float *v = usd + j * lookahead_cell(look);

            if ((double)n * look->step > look->slack[j]) {
                decide_lookahead_step(look, &step, j, v);
            } else { /* more slack than time: it is done */
                for (size_t i = 0; i < lookahead_cell(look); i++)
                    v[i] = 0;
            }
        }
    }
}

/* At the end of one of the table's steps. */
static double lookahead_value_at(const struct lookahead *look, double steps, double slack,
                                 size_t cell)
{
    size_t row = look->slacks * lookahead_cell(look);
    struct between at = find_slack(look, slack);

    if (slack >= steps * look->step)
        return 0;
    if (look->slack[at.at + 1] >= steps * look->step)
        at = with_work(look, at, at.at + 1);
    return (double)blend_one(look->usd + (size_t)steps * row + cell, lookahead_cell(look), at);
}

static double value(const struct lookahead *look, double time_left, double slack, size_t state,
                    size_t age)
{
    size_t cell = state * look->ages + age;
    double steps = fmin(fmax(time_left / look->step, 0), (double)look->steps),
           low = floor(steps);
    double a = lookahead_value_at(look, low, slack, cell);

    if (steps - low < 1e-6)
        return a;
    return a + (steps - low) * (lookahead_value_at(look, low + 1, slack, cell) - a);
}

/* What it is worth when spot is lost: elsewhere there may be some. */
static double lost_value(const struct lookahead *look, double time_left, double slack,
                         bool on_demand)
{
    double down = value(look, time_left, slack, on_demand ? DEMAND_DOWN : IDLE_DOWN, 0);

    if (look->model.other <= 0)
        return down;
    return down +
           look->model.other * (value(look, time_left, slack, on_demand ? DEMAND_UP : IDLE_UP,
                                      age_index(look, look->model.other_age)) -
                                down);
}

double lookahead_usd(const struct lookahead *look, const struct look_at *at)
{
    bool demand = at->mode == SIM_ON_DEMAND;
    size_t age = age_index(look, at->age), next = age + 1 < look->ages ? age + 1 : age;
    double on = part_step(look, age, look->model.gap / 3600), end, same, ended;
    size_t state;

    if (at->up) {
        state = demand ? DEMAND_UP : at->mode == SIM_SPOT ? ON_SPOT : IDLE_UP;
        end = look->model.lose[age / look->parts];
        ended = lost_value(look, at->time_left, at->lost_slack, demand);
    } else {
        state = demand ? DEMAND_DOWN : IDLE_DOWN;
        end = look->model.gain[age / look->parts];
        ended = value(look, at->time_left, at->slack, demand ? DEMAND_UP : IDLE_UP, 0);
    }
    same = (1 - on) * value(look, at->time_left, at->slack, state, age) +
           on * value(look, at->time_left, at->slack, state, next);
    return (1 - end) * same + end * ended;
}

double lookahead_now(const struct lookahead *look, const struct look_at *at)
{
    size_t state;

    if (at->mode == SIM_SPOT)
        state = ON_SPOT;
    else if (at->mode == SIM_ON_DEMAND)
        state = at->up ? DEMAND_UP : DEMAND_DOWN;
    else
        state = at->up ? IDLE_UP : IDLE_DOWN;
    return value(look, at->time_left, at->slack, state, age_index(look, at->age));
}

double lookahead_loss(const struct lookahead *look, double time_left, double slack, double age)
{
    return lost_value(look, time_left, slack, false) -
           value(look, time_left, slack, ON_SPOT, age_index(look, age));
}
