/* From a request to a list of runs, with all its mistakes reported. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "spot/sweep.h"
#include "spot/trace_files.h"

/* ---- what a run can take: zones with their prices, regions, windows ---- */

/* Moving a checkpoint, as SkyNomad measured it (arXiv 2601.06520), in bits a second: what a
 * start takes beyond the transfer inside a region, which the start delay has. */
#define SAME_REGION 9.72e9
#define SAME_CONTINENT 8.20e9
#define ELSEWHERE 3.59e9

#define MODEL_GAP 600   /* seconds of a tick of a synthetic trace */
#define MODEL_COPIES 20 /* of them, unless --synthetic is given */

static bool no_price(const struct sweep_zone *zone, const char *which, struct error *err)
{
    error_set(err, ERROR_INPUT, "the trace of '%.*s' has no %s price", STR_ARG(zone->trace.id),
              which);
    error_hint(err, "give --on-demand and --spot, such as --on-demand '$3.06/hr'");
    return false;
}

static bool price_zone(const struct sweep *s, struct sweep_zone *zone, struct error *err)
{
    const struct trace *t = &zone->trace;

    zone->on_demand = usd_per_hour_double(s->request->on_demand);
    zone->spot = usd_per_hour_double(s->request->spot);
    if (isnan(zone->on_demand))
        zone->on_demand = t->on_demand;
    if (isnan(zone->spot)) {
        zone->price = t->price;
        zone->spot = t->spot;
    }
    if (isnan(zone->on_demand))
        return no_price(zone, "on-demand", err);
    if (isnan(zone->spot) && zone->price == NULL)
        return no_price(zone, "spot", err);
    return true;
}

/* The region that the zone's name starts with: "us-west-2" of "us-west-2a_v100_1". */
static void find_sweep_region(const struct catalog *catalog, struct sweep_zone *zone)
{
    const struct rows *known = &catalog->tables[TABLE_REGIONS];
    size_t longest = 0;

    zone->region = zone->trace.id;
    for (size_t i = 0; i < known->len; i++) {
        const struct region *r = CATALOG_ROW(catalog, TABLE_REGIONS, region, i);

        if (r->region.len <= longest || str_eq(r->region, STR("*")) ||
            !str_starts(zone->trace.id, r->region))
            continue;
        longest = r->region.len;
        zone->region = r->region;
        zone->provider = r->provider;
    }
}

static void number_sweep_regions(struct sweep *s)
{
    for (size_t z = 0; z < s->zone_count; z++) {
        size_t same = 0;

        while (same < z && !str_eq(s->zones[same].region, s->zones[z].region))
            same++;
        s->zones[z].region_number = same < z ? s->zones[same].region_number : s->regions++;
    }
}

/* What moving the checkpoint from one region to another costs. */
static bool egress_between(const struct sweep *s, const struct sweep_zone *from,
                           const struct sweep_zone *to, double *out, struct error *err)
{
    bytes size = s->request->checkpoint_size;
    usd amount = {0};

    if (s->request->egress.nano != MONEY_UNKNOWN)
        amount = usd_for_bytes(s->request->egress, size.n);
    else if (from->provider.len == 0)
        amount = USD_UNKNOWN;
    else
        amount = transfer_cost(
            s->catalog, from->provider,
            str_eq(from->provider, to->provider) ? STR("inter-region") : STR("internet"), size);
    *out = usd_double(amount);
    if (!isnan(*out))
        return true;
    error_set(err, ERROR_INPUT, "what it costs to move a checkpoint from '%.*s' is not known",
              STR_ARG(from->region));
    error_hint(err, "give it: --egress '$0.02/GB'");
    return false;
}

static double carry_between(const struct sweep *s, const struct sweep_zone *from,
                            const struct sweep_zone *to)
{
    double bits = (double)s->request->checkpoint_size.n * 8;
    struct str a = from->region, b = to->region;
    bool near = str_eq(str_cut(&a, '-'), str_cut(&b, '-'));

    return bits / (near ? SAME_CONTINENT : ELSEWHERE) - bits / SAME_REGION;
}

static const struct sweep_zone *zone_in(const struct sweep *s, size_t region)
{
    const struct sweep_zone *zone = s->zones;

    while (zone->region_number != region)
        zone++;
    return zone;
}

static bool price_moves(struct sweep *s, struct error *err)
{
    size_t n = s->regions;
    double *egress, *carry;

    if (s->request->checkpoint_size.n == UINT64_MAX || n < 2)
        return true;
    egress = arena_array(s->arena, double, n *n, err);
    carry = arena_array(s->arena, double, n *n, err);
    if (egress == NULL || carry == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            const struct sweep_zone *from = zone_in(s, i), *to = zone_in(s, k);

            if (i == k)
                continue;
            carry[i * n + k] = carry_between(s, from, to);
            if (!egress_between(s, from, to, &egress[i * n + k], err))
                return false;
        }
    s->egress = egress;
    s->carry = carry;
    return true;
}

static bool same_moments(const struct trace *a, const struct trace *b, struct error *err)
{
    if (a->gap != b->gap)
        return error_fail(err, ERROR_INPUT, "--roam: '%.*s' has ticks of %d s, '%.*s' of %d s",
                          STR_ARG(a->id), a->gap, STR_ARG(b->id), b->gap);
    if (a->start.s != b->start.s && a->start.s >= 0 && b->start.s >= 0)
        return error_fail(err, ERROR_INPUT,
                          "--roam: '%.*s' and '%.*s' do not start at the same time",
                          STR_ARG(a->id), STR_ARG(b->id));
    return true;
}

/* Zones that one job moves over must be of the same moments. */
static bool check_roam(const struct sweep *s, struct error *err)
{
    if (s->zone_count > SIM_ZONES_MAX)
        return error_fail(err, ERROR_INPUT, "--roam: %zu zones are more than %d", s->zone_count,
                          SIM_ZONES_MAX);
    for (size_t z = 1; z < s->zone_count; z++)
        if (!same_moments(&s->zones[0].trace, &s->zones[z].trace, err))
            return false;
    return true;
}

static void fit_lives(struct sweep *s)
{
    for (size_t z = 0; z < s->zone_count; z++)
        lifetimes_fit(&s->zones[z].trace, s->job.gang, &s->zones[z].life);
}

/* So many at once were never requested: whether they were available is not known. */
static void warn_gang(const struct sweep *s)
{
    for (size_t z = 0; z < s->zone_count; z++) {
        const struct trace *t = &s->zones[z].trace;

        if (s->job.gang <= t->nodes)
            continue;
        message_warn(
            s->messages,
            "the trace of '%.*s' has %d at a time: a gang of %d is never available on spot",
            STR_ARG(t->id), t->nodes, s->job.gang);
        return;
    }
}

static bool describe_source(struct sweep *s, struct error *err)
{
    struct buf text = buf_new(s->arena->alloc, 64 * 1024);

    if (s->copies > 0)
        buf_addf(&text, "%zu synthetic traces of each zone (seed %lld), modeled on ", s->copies,
                 (long long)s->seed);
    if (s->modeled)
        buf_adds(&text, "machines that were watched elsewhere");
    for (size_t i = 0; i < s->request->traces.len; i++) {
        buf_adds(&text, i > 0 ? ", " : "");
        buf_add(&text, s->request->traces.at[i]);
    }
    return buf_keep(&text, s->arena, &s->source, err);
}

/* The trace of a model: only its length counts, since all runs are on synthetic ones. */
static bool make_blank(struct sweep *s, struct error *err)
{
    struct trace *t = &s->model.trace;
    double longest = 0;

    for (size_t i = 0; i < s->deadline_count; i++)
        longest = fmax(longest, s->deadlines[i]);
    if (longest / t->gap >= (double)TRACE_TICKS_MAX)
        return error_fail(err, ERROR_INPUT, "a deadline of %.4g h is too far away",
                          longest / 3600);
    t->ticks = (size_t)(longest / t->gap) + 1;
    t->nodes_at = arena_array(s->arena, uint8_t, t->ticks, err);
    return t->nodes_at != NULL;
}

static bool sweep_zones(struct sweep *s, struct error *err)
{
    const struct simulate_request *req = s->request;
    struct traces all, picked = {&s->model.trace, 1};

    if (s->modeled) {
        if (!make_blank(s, err))
            return false;
    } else if (!trace_files_read(&(struct trace_files){req->traces, req->ones, req->zones},
                                 s->messages, s->arena, &all, &s->sum, err) ||
               !traces_pick(&all, req->zones, s->arena, &picked, err)) {
        return false;
    }
    s->zones = arena_array(s->arena, struct sweep_zone, picked.len, err);
    if (s->zones == NULL)
        return false;
    s->zone_count = picked.len;
    for (size_t z = 0; z < picked.len; z++) {
        s->zones[z].trace = picked.at[z];
        if (!price_zone(s, &s->zones[z], err))
            return false;
    }
    s->regions = 1;
    if (req->roam) {
        s->regions = 0;
        if (!check_roam(s, err))
            return false;
        for (size_t z = 0; z < s->zone_count; z++)
            find_sweep_region(s->catalog, &s->zones[z]);
        number_sweep_regions(s);
        if (!price_moves(s, err))
            return false;
    }
    warn_gang(s);
    if (s->modeled)
        s->zones[0].life = s->model.life;
    else
        fit_lives(s);
    return describe_source(s, err);
}

/* ---- where in the traces runs begin, and the market from there on ---- */

/* Ticks that the window of a zone has. */
static size_t sweep_window_ticks(const struct sweep *s, const struct sweep_zone *zone,
                                 size_t window)
{
    size_t rest = zone->trace.ticks - s->windows.at[window];

    return s->request->window_ticks > 0 ? (size_t)s->request->window_ticks : rest;
}

/* "24h20min": as it can be typed. Rounded to a second; `at_least`: up. */
static void write_sweep_time(double seconds, bool at_least, char *to, size_t room)
{
    double whole = at_least ? ceil(seconds - 1e-6) : round(seconds);
    long long s = (long long)whole;
    size_t at = 0;

    if (!at_least && seconds < 60 && fabs(seconds - whole) > 1e-6) {
        (void)snprintf(to, room, "%.3gs", seconds);
        return;
    }
    to[0] = '\0';
    if (s >= 3600)
        at += (size_t)snprintf(to, room, "%lldh", s / 3600);
    if (s % 3600 >= 60 && at < room)
        at += (size_t)snprintf(to + at, room - at, "%lldmin", s % 3600 / 60);
    if ((s % 60 > 0 || s == 0) && at < room)
        (void)snprintf(to + at, room - at, "%llds", s % 60);
}

static bool check_window_length(const struct sweep *s, const struct sweep_zone *zone,
                                size_t window, struct error *err)
{
    size_t start = s->windows.at[window], ticks = sweep_window_ticks(s, zone, window);
    char length[48], deadline[48];

    for (size_t i = 0; i < s->deadline_count; i++) {
        size_t least = (size_t)(s->deadlines[i] / zone->trace.gap);

        if (ticks >= least)
            continue;
        write_sweep_time((double)ticks * zone->trace.gap, false, length, sizeof length);
        write_sweep_time(s->deadlines[i], false, deadline, sizeof deadline);
        error_set(err, ERROR_INPUT,
                  "the window at tick %zu of '%.*s' is %s long, too short for a deadline of %s",
                  start, STR_ARG(zone->trace.id), length, deadline);
        error_hint(err, "that takes %zu ticks: a longer trace, or an earlier deadline", least);
        return false;
    }
    return true;
}

/* For each tick the next at which there was spot at an unknown price; `ticks`: none. NULL: all
 * prices are known. */
static bool find_unpriced(const struct sweep_zone *zone, struct arena *arena, uint32_t **out,
                          struct error *err)
{
    size_t ticks = zone->trace.ticks;

    *out = NULL;
    if (zone->price == NULL)
        return true;
    *out = arena_array(arena, uint32_t, ticks + 1, err);
    if (*out == NULL)
        return false;
    (*out)[ticks] = (uint32_t)ticks; /* TRACE_TICKS_MAX fits */
    for (size_t t = ticks; t-- > 0;)
        (*out)[t] =
            isnan(zone->price[t]) && zone->trace.nodes_at[t] > 0 ? (uint32_t)t : (*out)[t + 1];
    return true;
}

static bool check_window_prices(const struct sweep *s, const struct sweep_zone *zone,
                                size_t window, const uint32_t *unpriced, struct error *err)
{
    size_t start = s->windows.at[window];

    if (unpriced == NULL || unpriced[start] >= start + sweep_window_ticks(s, zone, window))
        return true;
    error_set(err, ERROR_INPUT,
              "there was spot in '%.*s' at tick %u, at a price that is not known",
              STR_ARG(zone->trace.id), unpriced[start]);
    error_hint(err, "give --spot, or windows where it is");
    return false;
}

static bool check_window(const struct sweep *s, const struct sweep_zone *zone, size_t window,
                         const uint32_t *unpriced, struct error *err)
{
    size_t start = s->windows.at[window], ticks = zone->trace.ticks;

    if (start < ticks &&
        (s->request->window_ticks <= 0 || (size_t)s->request->window_ticks <= ticks - start))
        return check_window_length(s, zone, window, err) &&
               check_window_prices(s, zone, window, unpriced, err);
    if (start < ticks)
        error_set(err, ERROR_INPUT,
                  "the window of %lld ticks at tick %zu reaches past the %zu ticks of '%.*s'",
                  (long long)s->request->window_ticks, start, ticks, STR_ARG(zone->trace.id));
    else
        error_set(err, ERROR_INPUT, "the window at tick %zu is outside the %zu ticks of '%.*s'",
                  start, ticks, STR_ARG(zone->trace.id));
    return false;
}

/* The parts of it: what is available, at which price, and when. */
static bool sweep_windows(struct sweep *s, struct error *err)
{
    static const size_t first[] = {0};

    s->windows = (struct windows){first, 1};
    if (s->request->windows.len > 0 &&
        !window_file_read(s->request->windows, s->arena, &s->windows, err))
        return false;
    if (s->windows.len == 0)
        return error_fail(err, ERROR_INPUT, "'%.*s' holds no windows",
                          STR_ARG(s->request->windows));
    return true;
}

/* The first tick of a window up to the longest deadline that was not observed; SIZE_MAX: all
 * were observed. */
static size_t first_unseen(const struct sweep *s, const struct sweep_zone *zone, size_t start)
{
    size_t end = start;

    for (size_t i = 0; i < s->deadline_count; i++) {
        double ticks = s->deadlines[i] / zone->trace.gap;

        if (ticks > (double)(end - start))
            end = start + (size_t)fmin(ticks, (double)TRACE_TICKS_MAX);
    }
    for (size_t t = start; t < end && t < zone->trace.ticks; t++)
        if (!trace_seen(&zone->trace, t))
            return t;
    return SIZE_MAX;
}

/* The zone and the tick for which a window cannot be used, if any. */
static const struct sweep_zone *zone_unseen(const struct sweep *s, size_t start, size_t *tick)
{
    for (size_t z = 0; z < s->zone_count; z++) {
        *tick = first_unseen(s, &s->zones[z], start);
        if (*tick != SIZE_MAX)
            return &s->zones[z];
    }
    return NULL;
}

/* Leave out the windows of which a part was not observed in one of the zones: what a run would
 * have cost in it is not known. */
static bool drop_unseen_windows(struct sweep *s, struct error *err)
{
    size_t *kept = arena_array(s->arena, size_t, s->windows.len, err), count = 0, tick = 0;
    const struct sweep_zone *zone = NULL;

    if (kept == NULL)
        return false;
    assert(s->windows.len > 0); /* sweep_windows() */
    for (size_t w = 0; w < s->windows.len; w++) {
        zone = zone_unseen(s, s->windows.at[w], &tick);
        if (zone == NULL)
            kept[count++] = s->windows.at[w];
    }
    if (count == 0) {
        error_set(err, ERROR_INPUT, "there are no data for tick %zu of '%.*s'", tick,
                  STR_ARG(zone->trace.id));
        error_hint(err, "give --windows that start elsewhere, or other zones");
        return false;
    }
    if (count < s->windows.len)
        message_note(s->messages,
                     "%zu of %zu windows left out: a part of them was not observed",
                     s->windows.len - count, s->windows.len);
    s->windows = (struct windows){kept, count};
    return true;
}

static bool sweep_check_windows(const struct sweep *s, struct error *err)
{
    struct arena scratch = {.alloc = s->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    bool ok = true;

    for (size_t z = 0; ok && z < s->zone_count; z++) {
        uint32_t *unpriced;

        ok = find_unpriced(&s->zones[z], &scratch, &unpriced, err);
        for (size_t w = 0; ok && w < s->windows.len; w++)
            ok = check_window(s, &s->zones[z], w, unpriced, err);
        arena_free(&scratch);
    }
    return ok;
}

/* A trace like that of the zone, the same for every run of this copy: 1 where the complete gang
 * is available. A trace that never had so many is no model of when it can. */
bool sweep_made_up(const struct sweep *s, size_t zone, size_t copy, struct arena *arena,
                   const uint8_t **out, struct error *err)
{
    const struct sweep_zone *z = &s->zones[zone];
    /* Far apart for neighbors: the dice spread the seed. */
    struct dice dice =
        dice_seed((uint64_t)s->seed ^ (uint64_t)(zone + 1) * UINT64_C(0x9E3779B97F4A7C15) ^
                  (uint64_t)(copy + 1) * UINT64_C(0xD1B54A32D192ED03));
    struct trace drawn;

    if (z->trace.nodes < s->job.gang) {
        *out = arena_array(arena, uint8_t, z->trace.ticks, err);
        return *out != NULL;
    }
    if (!lifetimes_draw(&z->life, &dice, z->trace.gap, z->trace.ticks, arena, &drawn, err))
        return false;
    *out = drawn.nodes_at;
    return true;
}

/* On a synthetic trace one machine represents the gang, at the price of all: a tick of a trace
 * cannot count as many as a gang may have. */
static bool stand_for_gang(const struct sweep *s, size_t ticks, struct arena *arena,
                           struct sim_zone *zone, struct error *err)
{
    double *price;

    zone->spot *= s->job.gang;
    zone->on_demand *= s->job.gang;
    if (zone->price == NULL)
        return true;
    price = arena_array(arena, double, ticks, err);
    for (size_t t = 0; price != NULL && t < ticks; t++)
        price[t] = zone->price[t] * s->job.gang;
    zone->price = price;
    return price != NULL;
}

static bool fill_zone(const struct sweep *s, const struct sweep_run *run, size_t zone,
                      struct arena *arena, struct sim_zone *out, struct error *err)
{
    const struct sweep_zone *z = &s->zones[zone];
    size_t start = s->windows.at[run->window];
    const uint8_t *nodes = z->trace.nodes_at;

    if (s->copies > 0 && !sweep_made_up(s, zone, run->copy, arena, &nodes, err))
        return false;
    *out = (struct sim_zone){.id = z->trace.id,
                             .nodes_at = nodes + start,
                             .price = z->price != NULL ? z->price + start : NULL,
                             .spot = z->spot,
                             .on_demand = z->on_demand,
                             .region = z->region_number,
                             .life = &z->life};
    return s->copies == 0 ||
           stand_for_gang(s, sweep_window_ticks(s, z, run->window), arena, out, err);
}

bool sweep_market(const struct sweep *s, const struct sweep_run *run, struct arena *arena,
                  struct sim_market *market, struct sim_job *job, struct error *err)
{
    size_t first = s->request->roam ? 0 : run->zone;
    size_t count = s->request->roam ? s->zone_count : 1;
    struct sim_zone *zones = arena_array(arena, struct sim_zone, count, err);

    if (zones == NULL)
        return false;
    *market = (struct sim_market){.zones = zones,
                                  .zone_count = count,
                                  .gap = s->zones[first].trace.gap,
                                  .ticks = SIZE_MAX,
                                  .regions = s->request->roam ? s->regions : 1,
                                  .egress = s->egress,
                                  .carry = s->carry};
    for (size_t i = 0; i < count; i++) {
        size_t ticks = sweep_window_ticks(s, &s->zones[first + i], run->window);

        if (!fill_zone(s, run, first + i, arena, &zones[i], err))
            return false;
        market->ticks = ticks < market->ticks ? ticks : market->ticks;
    }
    *job = s->job;
    job->deadline = run->deadline;
    job->delay = run->delay;
    if (s->copies > 0)
        job->gang = 1;
    return true;
}

/* ---- the runs ---- */

static double seconds(span s)
{
    return (double)s.ns / 1e9;
}

/* "52h,70h". */
static bool read_spans(struct sweep *s, struct strs texts, bool is_deadline, double **out,
                       size_t *count, struct error *err)
{
    double *at = arena_array(s->arena, double, texts.len + 1, err);
    const char *option = is_deadline ? "deadline" : "delay";

    if (at == NULL)
        return false;
    for (size_t i = 0; i < texts.len; i++) {
        double hours;
        span length;

        /* As of --work, hours; of a start, "6" may well mean minutes. */
        if (is_deadline && num_double(texts.at[i], &hours) && hours >= 0) {
            length = span_hours(hours);
        } else if (!span_parse(texts.at[i], &length, err)) {
            error_context(err, "--%s", option);
            err->kind = ERROR_USAGE;
            return false;
        }
        if (length.ns < 0 || (length.ns == 0 && is_deadline))
            return error_fail(err, ERROR_USAGE, "--%s: '%.*s' is not a length of time", option,
                              STR_ARG(texts.at[i]));
        at[i] = seconds(length);
    }
    *out = at;
    *count = texts.len;
    return true;
}

static bool require_option(const char *option, const char *what, struct error *err)
{
    error_set(err, ERROR_USAGE, "simulate needs %s: %s", option, what);
    error_hint(err, "stint simulate --traces F.trc --work 48h --deadline 52h,70h --delay 0.1h");
    return false;
}

static bool read_sweep_times(struct sweep *s, struct error *err)
{
    const struct simulate_request *req = s->request;

    if (req->traces.len == 0 && !s->modeled)
        return require_option("--traces, or a JOB", "when there was spot", err);
    if (req->work.ns <= 0)
        return require_option("--work", "hours of work of the job without interruptions", err);
    if (req->deadlines.len == 0)
        return require_option("--deadline", "how long it may take in all", err);
    if (req->delays.len == 0)
        return require_option("--delay", "how long a machine takes to start", err);
    s->job = (struct sim_job){
        .work = seconds(req->work), .gang = (int32_t)req->gang, .by_second = req->by_second};
    if (req->gang > INT32_MAX)
        return error_fail(err, ERROR_USAGE, "--gang: %lld machines are too many",
                          (long long)req->gang);
    if (req->checkpoint_every.ns > 0)
        s->job.save_every = seconds(req->checkpoint_every);
    if (req->checkpoint_time.ns > 0)
        s->job.save_takes = seconds(req->checkpoint_time);
    if (req->notice.ns > 0)
        s->job.notice = seconds(req->notice);
    if (s->job.save_every == 0 && (s->job.save_takes > 0 || s->job.notice > 0))
        return error_fail(err, ERROR_USAGE,
                          "--checkpoint-time and --notice need --checkpoint-every");
    if (s->job.notice > 0 && s->job.notice < s->job.save_takes)
        message_note(
            s->messages,
            "the notice does nothing: it is shorter than the time that a checkpoint takes");
    return read_spans(s, req->deadlines, true, &s->deadlines, &s->deadline_count, err) &&
           read_spans(s, req->delays, false, &s->delays, &s->delay_count, err);
}

/* "time-sliced:8". */
static struct str whole_name(const struct policy *policy, char *to, size_t room)
{
    (void)snprintf(to, room, "%s:%d", policy->name, policy->number);
    return str_from(to);
}

static bool add_policy(struct sweep *s, struct str name, struct error *err)
{
    struct policy policy;
    char whole[48];

    if (!policy_named(name, &policy, err))
        return false;
    if (s->request->roam && str_eq(name, str_from(policy_informed.name))) {
        error_set(err, ERROR_USAGE, "policy 'informed' is for one zone at a time");
        error_hint(err, "leave it, or --roam, out");
        return false;
    }
    if (str_eq(name, str_from(policy_time_sliced.name)))
        name = whole_name(&policy, whole, sizeof whole);
    for (size_t i = 0; i < s->policy_count; i++)
        if (str_eq(str_from(s->policies[i].name), name))
            return true;
    if (s->policy_count == SWEEP_POLICIES_MAX)
        return error_fail(err, ERROR_USAGE, "--policy: more than %d are too many",
                          SWEEP_POLICIES_MAX);
    policy.name = str_dup(name, s->arena, err);
    if (policy.name == NULL)
        return false;
    s->policies[s->policy_count++] = policy;
    return true;
}

static size_t policy_index(const struct sweep *s, const char *name)
{
    size_t i = 0;

    while (i < s->policy_count && strcmp(s->policies[i].name, name) != 0)
        i++;
    return i;
}

/* Those that were named, and those that all are compared with. */
static bool read_policies(struct sweep *s, struct error *err)
{
    static const struct str all[] = {{"all", 3}};
    struct strs wanted = s->request->policies;

    if (wanted.len == 0)
        wanted = (struct strs){all, 1};
    for (size_t i = 0; i < wanted.len; i++) {
        if (!str_eq_nocase(wanted.at[i], STR("all"))) {
            if (!add_policy(s, wanted.at[i], err))
                return false;
            continue;
        }
        for (size_t k = 0; k < policy_count; k++)
            if (!(s->request->roam && policies[k] == &policy_informed) &&
                !add_policy(s, str_from(policies[k]->name), err))
                return false;
    }
    s->shown = s->policy_count;
    if (!add_policy(s, str_from(policy_on_demand.name), err) ||
        !add_policy(s, str_from(policy_up.name), err) ||
        !add_policy(s, str_from(policy_optimal.name), err))
        return false;
    s->on_demand = policy_index(s, policy_on_demand.name);
    s->up = policy_index(s, policy_up.name);
    s->optimal = policy_index(s, policy_optimal.name);
    return true;
}

/* Can on-demand alone make it, from a start at the first tick? */
static bool check_feasible(const struct sweep *s, double deadline, double delay, int32_t gap,
                           struct error *err)
{
    struct sim_job job = s->job;
    char limit[48], work[48], start[48], least[48], slack[48], tick[48];
    size_t ticks;

    job.deadline = deadline;
    job.delay = delay;
    ticks = sim_least_ticks(&job, gap);
    if (ticks <= sim_deadline_ticks(&job, gap))
        return true;
    write_sweep_time(deadline, false, limit, sizeof limit);
    write_sweep_time(job.work, true, work, sizeof work);
    write_sweep_time(delay, false, start, sizeof start);
    write_sweep_time(deadline - job.work, false, slack, sizeof slack);
    write_sweep_time(gap, false, tick, sizeof tick);
    write_sweep_time((double)ticks * gap, true, least, sizeof least);
    if (deadline > job.work && delay > deadline - job.work)
        error_set(err, ERROR_UNFIT,
                  "a start of %s is longer than the slack of %s that a deadline of %s leaves "
                  "to %s of work, in ticks of %s",
                  start, slack, limit, work, tick);
    else
        error_set(err, ERROR_UNFIT,
                  "no policy finishes %s of work in %s with a start of %s, in ticks of %s",
                  work, limit, start, tick);
    error_hint(err, "the earliest deadline that on-demand meets is %s", least);
    return false;
}

static bool check_sweep_times(const struct sweep *s, struct error *err)
{
    for (size_t z = 0; z < s->zone_count; z++) {
        int32_t gap = s->zones[z].trace.gap;

        if (z > 0 && gap == s->zones[z - 1].trace.gap)
            continue;
        for (size_t i = 0; i < s->deadline_count; i++)
            for (size_t k = 0; k < s->delay_count; k++)
                if (!check_feasible(s, s->deadlines[i], s->delays[k], gap, err))
                    return false;
    }
    return true;
}

static bool count_sweep_runs(struct sweep *s, struct error *err)
{
    size_t factors[] = {s->request->roam ? 1 : s->zone_count, s->copies > 0 ? s->copies : 1,
                        s->windows.len, s->deadline_count, s->delay_count};

    s->runs = 1;
    for (size_t i = 0; i < ARRAY_LEN(factors); i++)
        if (__builtin_mul_overflow(s->runs, factors[i], &s->runs) ||
            s->runs > SWEEP_OUTCOMES_MAX / s->policy_count) {
            error_set(err, ERROR_INPUT, "these are more than %zu runs of %zu policies",
                      SWEEP_OUTCOMES_MAX / s->policy_count, s->policy_count);
            error_hint(err, "use fewer zones, windows, deadlines, delays or synthetic traces");
            return false;
        }
    return true;
}

bool sweep_plan(struct sweep *s, struct error *err)
{
    if (s->request->synthetic > 0)
        s->copies = (size_t)s->request->synthetic;
    s->seed = s->request->seed >= 0 ? s->request->seed : 1;
    return read_sweep_times(s, err) && read_policies(s, err) && sweep_zones(s, err) &&
           check_sweep_times(s, err) && sweep_windows(s, err) && drop_unseen_windows(s, err) &&
           count_sweep_runs(s, err) && sweep_check_windows(s, err);
}

struct sweep_run sweep_run_of(const struct sweep *s, size_t index)
{
    size_t copies = s->copies > 0 ? s->copies : 1;
    struct sweep_run run;

    run.delay = s->delays[index % s->delay_count];
    index /= s->delay_count;
    run.deadline = s->deadlines[index % s->deadline_count];
    index /= s->deadline_count;
    run.window = index % s->windows.len;
    index /= s->windows.len;
    run.copy = index % copies;
    run.zone = index / copies;
    return run;
}

void sweep_use_model(struct sweep *s, struct str name, const struct lifetimes *life,
                     struct simulate_request *request)
{
    s->modeled = true;
    s->model = (struct sweep_zone){.life = *life,
                                   .trace = {.id = name,
                                             .gap = MODEL_GAP,
                                             .nodes = (int32_t)request->gang,
                                             .start = STAMP_UNKNOWN,
                                             .on_demand = NAN,
                                             .spot = NAN}};
    if (request->synthetic <= 0)
        request->synthetic = MODEL_COPIES;
}
