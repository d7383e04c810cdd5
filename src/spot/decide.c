#include "spot/decide.h"

#include <math.h>

#include "base/characters.h"
#include "spot/guard.h"
#include "spot/work.h"

#define SEEN_MAX ((size_t)100 * 1000)
#define EVERY_SECONDS 600 /* between two observations, by default */

/* Seconds after the deadline at which on-demand, from now on, is done. */
static double lateness(const struct sim_view *view)
{
    struct sim_choice rescue = guard_rescue(view);
    bool runs = view->mode == SIM_ON_DEMAND && view->zone == rescue.zone;
    struct work work = {.left = view->left,
                        .unsaved = runs ? view->unsaved : 0,
                        .pending = runs ? view->pending : view->move_s[rescue.zone]};

    return work.pending + work.left + work_saves(view->job, &work) * view->job->save_takes -
           view->job->deadline;
}

/* Seconds until on-demand must start, wherever that takes the fewest. */
static double latest_start(const struct sim_view *view)
{
    struct work work = {.left = view->left, .pending = INFINITY};

    for (size_t z = 0; z < view->zone_count; z++)
        work.pending = fmin(work.pending, view->move_s[z] - view->stop_s);
    return ((double)view->ticks_left - work_ticks(view->job, &work, view->gap)) * view->gap;
}

/* A machine that is no longer available was just taken away, with its unsaved work. */
static struct sim_view view_now(const struct sim_market *seen, const struct sim_job *job,
                                const struct decide_job *now, struct sim_around *around)
{
    struct work work = {.left = now->left, .unsaved = now->unsaved, .pending = now->pending};
    size_t tick = seen->ticks - 1;
    bool lost = now->mode == SIM_SPOT && isnan(sim_spot_usd(seen, job, now->zone, tick));
    bool idle = lost || now->mode == SIM_IDLE;
    struct sim_view view = sim_look(seen, job, tick, now->zone, now->began,
                                    idle ? 0 : work_stop_takes(job, &work), around);

    view.ticks_left = sim_deadline_ticks(job, seen->gap);
    view.left = now->left + (lost ? now->unsaved : 0);
    view.done = job->work - view.left;
    view.mode = idle ? SIM_IDLE : now->mode;
    view.unsaved = idle ? 0 : now->unsaved;
    view.pending = idle ? 0 : now->pending;
    return view;
}

bool decide(const struct sim_market *seen, const struct sim_job *job,
            const struct decide_job *now, struct arena *arena, struct decision *out,
            struct error *err)
{
    struct sim_job rest = *job;
    struct sim_around around;
    struct sim_view view;
    void *state;

    rest.deadline = now->time_left;
    view = view_now(seen, &rest, now, &around);
    state = policy_stint.begin(&policy_stint, seen, &rest, arena, err);
    if (state == NULL)
        return false;
    for (size_t i = 0; i + 1 < seen->ticks; i++) {
        bool up[SIM_ZONES_MAX];

        for (size_t z = 0; z < seen->zone_count; z++)
            up[z] = !isnan(sim_spot_usd(seen, job, z, i));
        policy_stint.see(state, up);
    }
    *out = (struct decision){.choice = policy_stint.pick(state, &view),
                             .latest_s = latest_start(&view)};
    out->count = stint_weigh(state, &view, out->options, out->all_usd);
    out->late_s = lateness(&view);
    if (out->count == 1) /* nothing to weigh: what it costs is plain, also after the deadline */
        out->all_usd[0] = view.on_demand[out->choice.zone] * rest.gang *
                          (view.job->deadline + out->late_s) / 3600;
    if (guard_allows(&view, guard_rescue(&view)))
        out->late_s = 0;
    return true;
}

/* ---- the question as the user asks it ---- */

const char *const decide_running[] = {"nothing", "spot", "on-demand", NULL};

static const char *const action_names[] = {"stay", "spot", "on-demand", "wait", NULL};

static const struct field option_fields[] = {
    FIELD(ENUM, decide_option, action, .names = action_names,
          .help = "action: stay, spot, on-demand or wait"),
    FIELD(TEXT, decide_option, zone, .help = "zone; null for wait"),
    FIELD_AS("expected_usd", USD, decide_option, expected,
             .help = "expected cost from now to the end of the job"),
    FIELD(FLAG, decide_option, chosen, .help = "recommended action"),
};

static const struct field_set option_set = FIELD_SET(struct decide_option, option_fields);

static const struct field fields[] = {
    FIELD(ENUM, decide_answer, action, .names = action_names,
          .help = "action: stay, spot, on-demand or wait"),
    FIELD(TEXT, decide_answer, zone, .help = "zone; null for wait"),
    FIELD_AS("expected_usd", USD, decide_answer, expected,
             .help = "expected cost from now to the end of the job"),
    FIELD(LIST, decide_answer, options, .row = &option_set,
          .help = "options that keep the deadline, on-demand first"),
    FIELD(SPAN, decide_answer, ask_again, .help = "time until the next decision"),
    FIELD_AS("latest_on_demand", SPAN, decide_answer, latest,
             .help = "latest time to switch to on-demand; null: too late"),
    FIELD(SPAN, decide_answer, late_by,
          .help = "delay beyond the deadline with on-demand from now on; null: in time"),
};

const struct field_set decide_answer_fields = FIELD_SET(struct decide_answer, fields);

static span span_of(double s)
{
    return span_hours(s / 3600);
}

static int32_t gap_seconds(const struct decide_ask *ask)
{
    return ask->every.ns > 0 ? (int32_t)span_in_seconds(ask->every) : EVERY_SECONDS;
}

/* "us-east-1a=1101": one zone, a digit for each observation: machines available then; '?'
 * where it was not observed. */
static bool read_seen(const struct decide_ask *ask, struct arena *arena, struct str text,
                      struct trace *out, struct error *err)
{
    struct str rest = text, id = str_cut(&rest, '=');
    uint8_t *nodes;
    bool *unseen;

    if (id.len == 0 || id.len == text.len || rest.len == 0 || rest.len > SEEN_MAX)
        return error_fail(err, ERROR_USAGE, "--seen '%.*s' is not ZONE=1101...",
                          (int)(text.len < 60 ? text.len : 60), text.at);
    nodes = arena_array(arena, uint8_t, rest.len, err);
    unseen = arena_array(arena, bool, rest.len, err);
    if (nodes == NULL || unseen == NULL)
        return false;
    for (size_t i = 0; i < rest.len; i++) {
        char c = rest.at[i];

        if (is_digit(c)) {
            nodes[i] = (uint8_t)(c - '0');
        } else if (is_lower(c)) {
            nodes[i] = (uint8_t)(c - 'a' + 10);
        } else if (c == '?') {
            unseen[i] = true;
        } else {
            error_set(err, ERROR_USAGE, "--seen %.*s: '%c' at place %zu is not a count",
                      STR_ARG(id), c >= ' ' && c < 127 ? c : '?', i + 1);
            error_hint(err,
                       "one digit for each observation: 0 for none, 1 for one, ... z for 35; ? "
                       "where there was none");
            return false;
        }
    }
    *out = (struct trace){.id = id,
                          .gap = gap_seconds(ask),
                          .nodes = 35,
                          .ticks = rest.len,
                          .start = STAMP_UNKNOWN,
                          .on_demand = NAN,
                          .spot = NAN,
                          .nodes_at = nodes,
                          .unseen = unseen};
    return true;
}

static bool seen_once(const struct trace *traces, size_t last, struct error *err)
{
    for (size_t i = 0; i < last; i++)
        if (str_eq(traces[i].id, traces[last].id))
            return error_fail(err, ERROR_USAGE, "--seen has zone '%.*s' twice",
                              STR_ARG(traces[i].id));
    return true;
}

static bool find_traces(const struct decide_ask *ask, const struct messages *messages,
                        struct arena *arena, struct traces *out, struct error *err)
{
    struct traces all;

    if ((ask->seen.len > 0) == (ask->traces.len > 0)) {
        error_set(err, ERROR_USAGE, "what was seen so far is needed, once");
        error_hint(err,
                   "give --seen us-east-1a=1101 (1: spot was available), or --traces FILE");
        return false;
    }
    if (ask->traces.len > 0 && ask->every.ns > 0)
        return error_fail(err, ERROR_USAGE, "--every is for --seen: traces have ticks");
    if (ask->traces.len > 0)
        return trace_files_read(&(struct trace_files){ask->traces, ask->ones, ask->zones},
                                messages, arena, &all, NULL, err) &&
               traces_pick(&all, ask->zones, arena, out, err);
    if (ask->every.ns > 0 &&
        (ask->every.ns % 1000000000 != 0 || span_in_seconds(ask->every) > 86400))
        return error_fail(err, ERROR_USAGE, "--every must be whole seconds, up to 24 h");
    out->at = arena_array(arena, struct trace, ask->seen.len, err);
    out->len = ask->seen.len;
    for (size_t i = 0; out->at != NULL && i < out->len; i++)
        if (!read_seen(ask, arena, ask->seen.at[i], &out->at[i], err) ||
            !seen_once(out->at, i, err))
            return false;
    return out->at != NULL;
}

static bool same_times(const struct traces *traces, struct error *err)
{
    if (traces->len > SIM_ZONES_MAX)
        return error_fail(err, ERROR_USAGE, "%zu zones: there can be %d at most", traces->len,
                          SIM_ZONES_MAX);
    for (size_t i = 1; i < traces->len; i++)
        if (traces->at[i].gap != traces->at[0].gap ||
            traces->at[i].ticks != traces->at[0].ticks) {
            error_set(err, ERROR_INPUT,
                      "'%.*s' was seen %zu times every %d s, '%.*s' %zu times every %d s",
                      STR_ARG(traces->at[i].id), traces->at[i].ticks, traces->at[i].gap,
                      STR_ARG(traces->at[0].id), traces->at[0].ticks, traces->at[0].gap);
            error_hint(err, "zones must be seen at the same times, the last of which is now");
            return false;
        }
    return true;
}

/* What was seen before a gap is of another time: only the observations since then count. */
static bool skip_gaps(struct traces *traces, struct error *err)
{
    size_t from = 0;

    for (size_t z = 0; z < traces->len; z++)
        for (size_t i = 0; i < traces->at[z].ticks; i++)
            if (!trace_seen(&traces->at[z], i) && i + 1 > from)
                from = i + 1;
    if (from == traces->at[0].ticks) {
        error_set(err, ERROR_USAGE, "the last observation is missing: what is available now");
        error_hint(err, "observe every zone once more, then ask");
        return false;
    }
    for (size_t z = 0; z < traces->len; z++) {
        traces->at[z].nodes_at += from;
        traces->at[z].ticks -= from;
        traces->at[z].unseen = NULL;
        if (traces->at[z].price != NULL)
            traces->at[z].price += from;
    }
    return true;
}

static bool find_zone(const struct traces *traces, struct str id, size_t *out,
                      struct error *err)
{
    *out = 0;
    for (size_t i = 0; i < traces->len; i++)
        if (str_eq(traces->at[i].id, id)) {
            *out = i;
            return true;
        }
    error_set(err, ERROR_ABSENT, "zone '%.*s' is not among those observed", STR_ARG(id));
    error_hint(err, "the first of %zu is '%.*s'", traces->len, STR_ARG(traces->at[0].id));
    return false;
}

/* Prices for all zones, or for one of them. */
static bool set_prices(const struct traces *traces, bool spot, struct strs prices,
                       struct sim_zone *zones, struct error *err)
{
    for (size_t i = 0; i < prices.len; i++) {
        struct str rest = prices.at[i], id = {0}, text = prices.at[i];
        usd_per_hour price;
        size_t from = 0, to = traces->len;

        id = str_cut(&rest, '=');
        if (id.len < prices.at[i].len) {
            text = rest;
            if (!find_zone(traces, id, &from, err)) {
                error_context(err, "%s", spot ? "--spot" : "--on-demand");
                return false;
            }
            to = from + 1;
        }
        if (!usd_per_hour_parse(text, &price, err)) {
            error_context(err, "%s", spot ? "--spot" : "--on-demand");
            return false;
        }
        for (size_t z = from; z < to; z++) {
            double value = usd_per_hour_double(price);

            if (spot) {
                zones[z].spot = value;
                zones[z].price = NULL;
            } else {
                zones[z].on_demand = value;
            }
        }
    }
    return true;
}

static bool make_market(const struct decide_ask *ask, struct arena *arena,
                        const struct traces *traces, struct sim_market *out, struct error *err)
{
    struct sim_zone *zones = arena_array(arena, struct sim_zone, traces->len, err);

    if (zones == NULL)
        return false;
    for (size_t z = 0; z < traces->len; z++)
        zones[z] = (struct sim_zone){.id = traces->at[z].id,
                                     .nodes_at = traces->at[z].nodes_at,
                                     .price = traces->at[z].price,
                                     .spot = traces->at[z].spot,
                                     .on_demand = traces->at[z].on_demand};
    if (!set_prices(traces, true, ask->spot, zones, err) ||
        !set_prices(traces, false, ask->on_demand, zones, err))
        return false;
    for (size_t z = 0; z < traces->len; z++) {
        bool spot = zones[z].price != NULL || !isnan(zones[z].spot);

        if (spot && !isnan(zones[z].on_demand))
            continue;
        error_set(err, ERROR_USAGE, "the %s price of '%.*s' is not known",
                  spot ? "on-demand" : "spot", STR_ARG(zones[z].id));
        error_hint(err, "add %s", spot ? "--on-demand '$3.06/hr'" : "--spot '$0.97/hr'");
        return false;
    }
    *out = (struct sim_market){.zones = zones,
                               .zone_count = traces->len,
                               .gap = traces->at[0].gap,
                               .ticks = traces->at[0].ticks,
                               .regions = 1};
    return true;
}

static bool check_decide_times(const struct decide_ask *ask, struct error *err)
{
    if (ask->done.ns >= ask->work.ns)
        return error_fail(err, ERROR_USAGE, "--done equals --work: there is nothing to decide");
    if (ask->unsaved.ns > ask->done.ns)
        return error_fail(err, ERROR_USAGE, "--unsaved is more than --done");
    if (!str_eq(ask->running, STR("nothing")) && ask->starting.ns < 0) {
        error_set(err, ERROR_USAGE, "--running %.*s needs --starting", STR_ARG(ask->running));
        error_hint(err,
                   "add --starting 0s when it works, or the time until its start completes");
        return false;
    }
    if (ask->starting.ns > ask->delay.ns)
        return error_fail(err, ERROR_USAGE,
                          "--starting is more than --delay, the time of a complete start");
    if (ask->checkpoint_every.ns <= 0 &&
        (ask->unsaved.ns > 0 || ask->checkpoint_time.ns > 0 || ask->notice.ns > 0)) {
        error_set(err, ERROR_USAGE, "work that can be lost needs --checkpoint-every");
        error_hint(err, "add --checkpoint-every 30min, or leave out --unsaved, "
                        "--checkpoint-time and --notice");
        return false;
    }
    if (ask->gang > 35)
        return error_fail(err, ERROR_USAGE, "a gang of %lld: --seen counts to 35",
                          (long long)ask->gang);
    return true;
}

static enum decide_action action_of(const struct decide_job *now, struct sim_choice choice)
{
    if (choice.mode == SIM_IDLE)
        return DECIDE_WAIT;
    if (choice.mode == now->mode && choice.zone == now->zone)
        return DECIDE_STAY;
    return choice.mode == SIM_SPOT ? DECIDE_SPOT : DECIDE_ON_DEMAND;
}

static bool same_choice(struct sim_choice a, struct sim_choice b)
{
    return a.mode == b.mode && (a.mode == SIM_IDLE || a.zone == b.zone);
}

static bool list_options(const struct sim_market *market, const struct decide_job *now,
                         const struct decision *d, struct arena *arena,
                         struct decide_answer *res, struct error *err)
{
    struct decide_option *rows = arena_array(arena, struct decide_option, d->count, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < d->count; i++) {
        struct sim_choice option = d->options[i];

        rows[i] = (struct decide_option){.action = action_of(now, option),
                                         .expected = usd_about(d->all_usd[i]),
                                         .chosen = same_choice(option, d->choice)};
        if (option.mode != SIM_IDLE)
            rows[i].zone = market->zones[option.zone].id;
        if (rows[i].chosen)
            res->expected = rows[i].expected;
    }
    res->options = (struct rows){rows, d->count};
    res->action = action_of(now, d->choice);
    if (d->choice.mode != SIM_IDLE)
        res->zone = market->zones[d->choice.zone].id;
    res->ask_again = span_of(market->gap);
    if (d->latest_s >= 0)
        res->latest = span_of(d->latest_s);
    if (d->late_s > 0)
        res->late_by = span_of(d->late_s);
    return true;
}

/* A gang that was never there may be a 1 that was meant as "yes". */
static void warn_never(const struct messages *messages, const struct traces *traces,
                       int32_t gang)
{
    for (size_t z = 0; z < traces->len; z++)
        for (size_t i = 0; i < traces->at[z].ticks; i++)
            if (traces->at[z].nodes_at[i] >= gang || gang == 1)
                return;
    message_warn(messages, "a gang of %d was never there: digits are counts of machines", gang);
}

bool decide_answer(const struct decide_ask *ask, const struct messages *messages,
                   struct arena *arena, struct decide_answer *out, struct error *err)
{
    struct traces traces;
    struct sim_market market;
    struct sim_job job = {
        .work = span_in_seconds(ask->work),
        .delay = span_in_seconds(ask->delay),
        .gang = (int32_t)ask->gang,
        .save_every = span_in_seconds(ask->checkpoint_every),
        .save_takes = span_in_seconds(ask->checkpoint_time),
        .notice = span_in_seconds(ask->notice),
    };
    struct decide_job now = {
        .left = span_in_seconds(ask->work) - span_in_seconds(ask->done),
        .unsaved = span_in_seconds(ask->unsaved),
        .time_left = span_in_seconds(ask->left),
        .mode = str_eq(ask->running, STR("spot"))        ? SIM_SPOT
                : str_eq(ask->running, STR("on-demand")) ? SIM_ON_DEMAND
                                                         : SIM_IDLE,
        .pending = span_in_seconds(ask->starting),
        .began = ask->done.ns > 0 || !str_eq(ask->running, STR("nothing")),
    };
    struct decision decision;

    if (!check_decide_times(ask, err) || !find_traces(ask, messages, arena, &traces, err) ||
        !same_times(&traces, err) || !skip_gaps(&traces, err) ||
        (ask->zone.len > 0 && !find_zone(&traces, ask->zone, &now.zone, err)) ||
        !make_market(ask, arena, &traces, &market, err) ||
        !decide(&market, &job, &now, arena, &decision, err))
        return false;
    warn_never(messages, &traces, job.gang);
    if (decision.late_s > 0)
        message_warn(messages, "too late: on-demand from now on misses the deadline by %.3g h",
                     decision.late_s / 3600);
    return list_options(&market, &now, &decision, arena, out, err);
}
