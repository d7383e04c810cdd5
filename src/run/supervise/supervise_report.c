/* What the supervisor reports: messages, hooks, the ledger. None of it may stop the run. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "doc/json_write.h"
#include "meter/tree.h"
#include "run/supervise/score.h"
#include "run/supervise/supervise_internal.h"
#include "unit/time.h"

#define TEXT_MAX 1024
/* Others that start at this moment are to see what this run pays up front; but nothing waits
 * for the ledger longer than this. */
#define FIRST_WAIT ((span){500000000})

static void print_report_text(struct supervisor *s, const char *text)
{
    struct buf line = buf_new(s->options->alloc, 4 * TEXT_MAX);
    struct error ignored;

    if (s->relay == NULL && (s->result->mid_row || relay_mid_row()))
        buf_char(&line, '\n');
    s->result->mid_row = false;
    buf_adds(&line, "stint: ");
    buf_add_safe(&line, str_from(text));
    buf_char(&line, '\n');
    if (buf_ok(&line, &ignored))
        relay_message(s->relay, buf_text(&line)); /* never waits for a reader */
    buf_free(&line);
}

void sup_print(struct supervisor *s, const char *fmt, ...)
{
    char text[TEXT_MAX];
    va_list arguments;

    va_start(arguments, fmt);
    (void)vsnprintf(text, sizeof text, fmt, arguments);
    va_end(arguments);
    print_report_text(s, text);
}

/* The ledger cannot be written: reported once, loudly; the run goes on. */
static void report_trouble(struct supervisor *s, const struct recorder_news *news)
{
    if (news->state == RECORDER_JOURNAL && s->options->receiver != NULL)
        sup_print(s,
                  "warning: %s: this run is kept in '%s'%s, and sent when the server can be "
                  "reached, by this run, the next one, or 'stint send'",
                  news->why.text, news->journal,
                  news->temporary ? " (which a restart of the machine removes)" : "");
    else if (news->state == RECORDER_JOURNAL)
        sup_print(
            s,
            "warning: %s: this run is kept in '%s'%s, and added to the ledger when it can be "
            "written, by this run or the next command ('stint runs')",
            news->why.text, news->journal,
            news->temporary ? " (which a restart of the machine removes)" : "");
    else
        sup_print(s,
                  "warning: THIS RUN IS NOT BEING RECORDED: %s; nor is there a place for a "
                  "journal: %s",
                  news->why.text, news->beside.text);
    if (news->why.hint[0] != '\0' && news->why.kind != ERROR_FAILED) /* a lock passes */
        sup_print(s, "  hint: %s", news->why.hint);
    log_write(s->options->log, LOG_WARN, "ledger: %s", news->why.text);
}

/* What a server that receives the run asks for, or has to say. */
static void report_receiver(struct supervisor *s, const struct recorder_news *news)
{
    char why[200];

    if (news->note[0] != '\0' && !s->note_reported)
        sup_print(s, "warning: %s", news->note);
    s->note_reported = s->note_reported || news->note[0] != '\0';
    if (news->stop[0] == '\0' || s->stop_reported)
        return;
    s->stop_reported = true;
    (void)snprintf(why, sizeof why, "requested by %s", news->stop);
    sup_stop_run(s, STOP_USER, why);
}

static void report_news(struct supervisor *s, const struct recorder_news *news, bool last)
{
    if (news->moved && !s->moved_reported && news->state == RECORDER_GOOD) {
        s->moved_reported = true;
        sup_print(
            s,
            "warning: the ledger '%s' was removed or replaced: this run is recorded in the "
            "one that is there now",
            s->options->ledger);
    }
    if (news->state == s->state_reported)
        return;
    if (news->state == RECORDER_GOOD)
        sup_print(s,
                  last ? "the run is recorded after all" : "the run is being recorded again");
    else if (news->lasting || last)
        report_trouble(s, news);
    else
        return;
    s->state_reported = news->state;
}

static void hook_facts_of(const struct supervisor *s, const char *event, const char *text,
                          struct buf *store, struct hook_facts *out)
{
    usd cost = usd_add(account_cost(&s->account), s->before);
    size_t budget_at;

    buf_clear(store);
    if (cost.nano != MONEY_UNKNOWN)
        nano_write(cost.nano, store);
    buf_char(store, '\0');
    budget_at = store->len;
    if (s->budget.nano != MONEY_UNKNOWN)
        nano_write(s->budget.nano, store);
    buf_char(store, '\0');
    *out = (struct hook_facts){.event = event, .text = text, .id = s->result->id};
    out->cost = out->budget = out->name = "";
    if (store->failed != ERROR_NONE)
        return;
    out->cost = store->at;
    out->budget = store->at + budget_at;
    /* The name is one of the program's arguments or made by str_dup(): it ends with a 0. */
    if (s->options->start->name.len > 0)
        out->name = s->options->start->name.at;
}

/* Hooks are ours, not the run's. `ledger` is for the environment; NULL: as it is. */
static void start_report_hook(struct supervisor *s, const char *command, const char *event,
                              const char *text, const char *ledger)
{
    struct buf store = buf_new(s->options->alloc, 256);
    struct hook_facts facts;
    pid_t pid;

    hook_facts_of(s, event, text, &store, &facts);
    facts.ledger = ledger;
    pid = hooks_run(&s->hooks, command, &facts, clock_paid());
    buf_free(&store);
    if (pid <= 0 || s->options->target != NULL) /* ours are not in its tree */
        return;
    if (s->meters != NULL)
        tree_leave_out(meters_tree(s->meters), pid);
    if (s->tree != NULL)
        tree_leave_out(s->tree, pid);
}

void sup_run_hook(struct supervisor *s, const char *command, const char *event,
                  const char *text)
{
    start_report_hook(s, command, event, text, NULL);
}

/* The queue and the receivers may take their time: a process beside the job sees to them. */
void sup_send_alert(struct supervisor *s, const char *event, const char *text)
{
    const struct alert_events *alerts = &s->options->alerts;
    bool ended = strcmp(event, "ended") == 0;

    if (alerts->command == NULL ||
        (ended ? !s->alerted : (alert_on_event(event) & alerts->on) == 0))
        return;
    start_report_hook(s, alerts->command, event, text, alerts->ledger);
    s->alerted = true;
}

/* ---- for clients that listen at the socket ---- */

static void tell_line(struct supervisor *s, struct buf *line)
{
    struct error ignored;

    buf_char(line, '}');
    if (buf_ok(line, &ignored))
        inbox_tell(s->inbox, buf_text(line));
    buf_free(line);
}

/* {"stint":"event","kind":"budget-50","text":"50 % of the budget is spent ..."} */
static void tell_event(struct supervisor *s, const char *kind, const char *text)
{
    struct buf line = buf_new(s->options->alloc, INBOX_LINE - 1);

    buf_adds(&line, "{\"stint\":\"event\",\"kind\":");
    json_write_text(str_from(kind), &line);
    buf_adds(&line, ",\"text\":");
    json_write_text(str_from(text), &line);
    tell_line(s, &line);
}

void sup_tell_save(struct supervisor *s, instant now)
{
    enum stop_reason reason = s->ending ? s->result->reason : STOP_IDLE;
    double left_s = (double)(s->steps.kill.ns - now.ns) / 1e9;
    struct buf line;

    if (inbox_listeners(s->inbox) == 0)
        return;
    line = buf_new(s->options->alloc, INBOX_LINE - 1);
    buf_addf(&line, "{\"stint\":\"save\",\"stop\":%s,\"reason\":\"%s\",\"text\":",
             s->ending ? "true" : "false", stop_reason_names[reason]);
    json_write_text(str_from(s->ending ? s->result->why : "idle"), &line);
    if (s->ending && s->steps.kill.ns != MOMENT_NEVER.ns)
        buf_addf(&line, ",\"left_s\":%.3f", left_s > 0 ? left_s : 0);
    tell_line(s, &line);
}

void sup_event(struct supervisor *s, const char *kind, bool quiet, const char *fmt, ...)
{
    char text[TEXT_MAX];
    va_list arguments;

    va_start(arguments, fmt);
    (void)vsnprintf(text, sizeof text, fmt, arguments);
    va_end(arguments);
    if (!quiet)
        sup_print(s, "%s", text);
    else
        sup_log(s, "%s: %s", kind, text);
    if (s->recorder != NULL)
        recorder_event(s->recorder, s->options->clock->today(s->options->clock->ctx), kind,
                       str_from(text));
    if (!quiet && inbox_listeners(s->inbox) > 0)
        tell_event(s, kind, text);
    sup_send_alert(s, kind, text);
    if (s->options->on_event != NULL)
        sup_run_hook(s, s->options->on_event, kind, text);
}

/* ---- the record ---- */

struct ledger *sup_ledger(struct supervisor *s)
{
    struct error ignored;

    if (s->recorder == NULL || s->options->receiver != NULL)
        return NULL;
    if (recorder_ledger(s->recorder) != NULL)
        return recorder_ledger(s->recorder);
    if (s->read_ledger == NULL && !ledger_is_server(s->options->ledger)) /* it may be silent */
        s->read_ledger = ledger_open(s->options->ledger, LEDGER_READ, RECORDER_PATIENCE,
                                     s->options->clock, s->options->alloc, &ignored);
    return s->read_ledger;
}

/* Likewise by the answer of a server. */
static void take_before(struct supervisor *s)
{
    const struct supervise_options *o = s->options;

    if (s->result->attempt <= 1)
        return;
    if (s->budget.nano == MONEY_UNKNOWN)
        s->budget = o->receiver_budget;
    if (o->receiver_before.nano != MONEY_UNKNOWN)
        s->before = o->receiver_before;
}

/* When this attempt goes on with a run: what the earlier ones cost, and the budget they had. */
static void find_run_before(struct supervisor *s)
{
    struct arena scratch = {.alloc = s->options->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct ledger_run run;
    struct error ignored;

    if (s->result->attempt > 1 && sup_ledger(s) != NULL &&
        ledger_find(sup_ledger(s), str_from(s->options->start->id), &scratch, &run, &ignored)) {
        if (s->budget.nano == MONEY_UNKNOWN)
            s->budget = run.start.budget;
        save_history_add(&s->save_history, run.totals.save_s, run.totals.save_memory, true);
        if (run.totals.cost.nano != MONEY_UNKNOWN)
            s->before = run.totals.cost;
        else if (s->budget.nano != MONEY_UNKNOWN)
            sup_print(s, "warning: what earlier attempts cost is not known: the budget counts "
                         "from here on");
    }
    arena_free(&scratch);
    if (s->options->receiver != NULL)
        take_before(s);
    if (s->budget.nano != MONEY_UNKNOWN && account_cost(&s->account).nano == MONEY_UNKNOWN)
        sup_print(s,
                  "warning: the budget of the run cannot be enforced: the price is not known");
}

/* An address that names no ledger is none: a journal for it would wait for ever. */
static bool open_recorder(struct supervisor *s)
{
    const struct supervise_options *o = s->options;
    struct recorder_options options = {.path = o->ledger,
                                       .ledger = o->ledger_opened,
                                       .opening = o->ledger_opening,
                                       .why = o->ledger_why,
                                       .receiver = o->receiver,
                                       .clock = o->clock,
                                       .alloc = o->alloc};
    struct error err = {0};

    if (o->receiver != NULL || ledger_address_check(str_from(o->ledger), &err)) {
        s->recorder = recorder_open(&options, &err);
    } else {
        ledger_close(o->ledger_opened);
        ledger_opening_leave(o->ledger_opening);
    }
    if (s->recorder != NULL)
        return true;
    sup_print(s, "warning: THIS RUN IS NOT BEING RECORDED: %s", err.text);
    if (err.hint[0] != '\0')
        sup_print(s, "  hint: %s", err.hint);
    return false;
}

/* The same name in the same folder resumes a run, which not everyone expects. */
static void report_resumed(struct supervisor *s)
{
    const struct ledger_start *start = s->options->start;
    char spent[48] = "";

    if (s->options->quiet)
        return;
    if (s->before.nano > 0) {
        (void)snprintf(spent, sizeof spent, ", after ");
        sup_write_money(usd_rounded(s->before), spent + 8, sizeof spent - 8);
    }
    sup_print(s, "resuming run %.*s (%.*s): attempt %d%s", STR_ARG(start->name),
              STR_ARG(ledger_short(start->id)), s->result->attempt, spent);
}

void sup_record_start(struct supervisor *s)
{
    struct ledger_start *start = s->options->start;

    s->month_before = USD_UNKNOWN;
    if (start->id[0] == '\0')
        ledger_new_id(s->options->clock->today(s->options->clock->ctx), start->id);
    if (s->options->ledger != NULL && open_recorder(s)) {
        if (s->options->receiver != NULL)
            s->result->attempt = s->options->receiver_attempt;
        recorder_begin(s->recorder, start, &s->result->attempt);
        find_run_before(s);
        if (s->result->attempt > 1) { /* paid at the first one */
            s->account.charge.extra = USD_UNKNOWN;
            report_resumed(s);
        }
    }
    memcpy(s->result->id, start->id, sizeof s->result->id);
}

#define BOARD_LEAST_S 2 /* of which the power of a board is a mean */

/* Means over time of how the devices were used, and the totals of the tree. */
static void device_totals(const struct supervisor *s, struct ledger_totals *out)
{
    double joules = 0;
    bool any = false;

    for (size_t i = 0; i < s->sample.gpus; i++) {
        if (s->sample.gpu[i].use == GPU_VISIBLE)
            continue;
        any = true;
        joules += s->sample.gpu[i].joules * s->sample.gpu[i].share;
    }
    out->gpu_joules = any ? joules : NAN;
    out->gpu_busy = score_busy(&s->score);
    out->gpu_memory_peak = s->gpu_s > 0 ? s->gpu_memory_peak : NAN;
    out->gpu_memory_total = s->gpu_s > 0 ? s->gpu_memory_total : NAN;
    out->gpu_memory_run = s->gpu_memory_run > 0 ? s->gpu_memory_run : NAN;
    out->gpu_watts = s->board_s > BOARD_LEAST_S ? s->board_joules / s->board_s : NAN;
    out->gpus = s->gpus_most;
    out->gpu = str_from(s->result->gpu);
}

static void fill_totals(struct supervisor *s, struct ledger_totals *out)
{
    const struct run_charge *charge = &s->account.charge;
    enum meter_method worst;
    double error = NAN;

    *out = (struct ledger_totals){
        .at = s->options->clock->today(s->options->clock->ctx),
        .elapsed = span_between(s->began, s->account.last),
        .cost = account_cost(&s->account),
        .compute = s->account.compute,
        .setup = charge->setup,
        .storage = charge->storage,
        .transfer = charge->transfer,
        .extra = charge->extra,
        .joules = NAN,
        .cpu_joules = s->sampled ? s->sample.power.tree_joules : NAN,
        .energy_error = NAN,
        .grams = NAN,
        .cpu_s = s->sampled ? s->sample.tree.cpu_s : NAN,
        .memory_peak = s->memory_peak > 0 ? s->memory_peak : NAN,
        .read = s->sampled ? s->sample.tree.read : NAN,
        .written = s->sampled ? s->sample.tree.written : NAN,
        .received = s->sampled ? s->sample.host.received : NAN,
        .sent = s->sampled ? s->sample.host.sent : NAN,
        .score = score_now(&s->score),
        .seed_score = score_seed(&s->score),
        .step = s->progress.step,
        .steps = s->progress.steps,
        .step_s = progress_step_s(&s->progress),
        .startup_s = progress_startup_s(&s->progress, s->began),
        .loss = s->watched,
        .best = s->options->stops_early ? (s->stopping.count > 0 ? s->stopping.best : NAN)
                                        : s->watched_best,
        .checkpoint_bytes =
            s->checkpoints != NULL ? checkpoint_watch_bytes(s->checkpoints) : NAN,
        .save_s = s->save_history.earlier ? NAN : s->save_history.longest,
        .save_memory = s->save_history.earlier ? NAN : s->save_history.longest_memory,
        .reserve_s = s->result->reserve.ns < 0 ? NAN : span_in_seconds(s->result->reserve),
        .reserve_why = str_from(s->result->reserve_why),
        .lost_s = NAN,
        .pays = str_from(sup_share_pays(s)),
        .paid = SPAN_UNKNOWN,
        .share = NAN,
        .sharers = -1,
        .sharers_most = -1,
        .gpu_memory_run = NAN,
    };
    for (size_t i = 0; i < PHASE_COUNT; i++)
        out->phase[i] =
            s->account.compute.nano == MONEY_UNKNOWN ? USD_UNKNOWN : s->account.phase[i];
    if (s->sampled) {
        out->joules = meter_tree_joules(&s->sample, &worst, &error);
        meter_tree_methods(&s->sample, s->result->energy_method);
        out->energy_error = error;
        out->grams = account_grams(&s->account);
    }
    if (out->pays.len > 0) {
        out->paid = s->machine.paid;
        out->share = s->machine.part;
        out->sharers = s->machine.runs;
        out->sharers_most = s->sharers_most;
    }
    out->energy_method = str_from(s->result->energy_method);
    device_totals(s, out);
}

/* Bytes in use of the device that is fullest, and those of the run on the device where it uses
 * most; NaN without one. */
static double fullest_device(const struct supervisor *s, bool of_run)
{
    double most = NAN;

    for (size_t i = 0; i < s->sample.gpus; i++)
        if (s->sample.gpu[i].use != GPU_VISIBLE)
            most = fmax(most, of_run ? s->sample.gpu[i].tree_memory : s->sample.gpu[i].memory);
    return most;
}

static void record_devices(struct supervisor *s, bool last)
{
    const struct ledger_device *device;

    while ((device = device_watch_changed(&s->devices, last)) != NULL)
        recorder_device(s->recorder, device);
}

void sup_record_tick(struct supervisor *s)
{
    struct ledger_totals totals;
    struct ledger_sample sample;
    struct run_facts facts;

    if (s->recorder == NULL)
        return;
    fill_totals(s, &totals);
    sup_facts(s, &facts);
    sample = (struct ledger_sample){.at_s = span_in_seconds(totals.elapsed),
                                    .cost = usd_double(totals.cost),
                                    .watts = facts.watts,
                                    .gpu_busy = facts.gpu_busy,
                                    .gpu_memory = fullest_device(s, false),
                                    .cpu_cores = facts.cpu_cores,
                                    .memory = facts.memory,
                                    .step = facts.step,
                                    .loss = s->watched,
                                    .rate = s->progress.rate,
                                    .gpu_memory_run = fullest_device(s, true)};
    device_watch_fill(&s->devices, &sample);
    record_devices(s, false);
    recorder_tick(s->recorder, &totals, &sample);
    recorder_flush(s->recorder);
}

void sup_record_first(struct supervisor *s)
{
    struct ledger_totals totals;

    if (s->recorder == NULL)
        return;
    fill_totals(s, &totals);
    recorder_tick(s->recorder, &totals, NULL);
    (void)recorder_flush_wait(s->recorder, FIRST_WAIT);
}

/* In the ledger. */
static const char *const passed_names[STOP_REASONS] = {[STOP_NONE] = "",
                                                       [STOP_BUDGET] = "budget-passed",
                                                       [STOP_MONTH] = "month-passed",
                                                       [STOP_DEADLINE] = "deadline-passed",
                                                       [STOP_IDLE] = "idle-passed",
                                                       [STOP_EARLY] = "early-stop-passed",
                                                       [STOP_DIVERGED] = "divergence-passed",
                                                       [STOP_NOTICE] = "notice-passed",
                                                       [STOP_USER] = "user",
                                                       [STOP_DETACHED] = ""};

static const char *end_reason(const struct supervisor *s)
{
    if (s->result->passed)
        return passed_names[s->result->reason];
    if (s->result->reason != STOP_NONE)
        return stop_reason_names[s->result->reason];
    return s->result->status < 0 ? LEDGER_EXIT_UNKNOWN : s->program_why;
}

void sup_record_end(struct supervisor *s, enum ledger_state state)
{
    struct ledger_totals *totals = &s->result->totals;

    fill_totals(s, totals);
    if (s->recorder == NULL)
        return;
    record_devices(s, true);
    recorder_end(s->recorder, &(struct ledger_ending){state, s->result->status, end_reason(s)},
                 totals);
}

void sup_record_news(struct supervisor *s)
{
    struct recorder_news news;

    if (s->recorder == NULL)
        return;
    recorder_news(s->recorder, &news);
    report_news(s, &news, false);
    report_receiver(s, &news);
}

void sup_record_finish(struct supervisor *s)
{
    struct recorder_news news;

    ledger_close(s->read_ledger);
    s->read_ledger = NULL;
    if (s->recorder == NULL)
        return;
    recorder_finish(s->recorder, &news);
    s->recorder = NULL;
    s->result->recorded = news.state == RECORDER_GOOD;
    report_news(s, &news, true);
}

/* How long the budget lasts if things go on as they are. The limit itself is nearer where
 * others share the machine: they may end at any moment. */
static span budget_lasts(const struct supervisor *s)
{
    usd spent = usd_add(account_cost(&s->account), s->before);
    instant at = s->limit;

    if (s->limit_reason == STOP_BUDGET && spent.nano != MONEY_UNKNOWN &&
        s->budget.nano != MONEY_UNKNOWN)
        at = guard_spent_at(s->account.last, (usd){s->budget.nano - spent.nano},
                            s->account.rate);
    return at.ns == MOMENT_NEVER.ns ? SPAN_UNKNOWN : span_between(s->account.last, at);
}

void sup_facts(const struct supervisor *s, struct run_facts *out)
{
    const struct meter_sample *sample = &s->sample;
    double left = progress_left(&s->progress, s->account.last);
    usd cost = usd_add(account_cost(&s->account), s->before);
    double busy = 0, memory = 0, memory_total = 0;

    *out = (struct run_facts){
        .elapsed = span_between(s->began, s->account.last),
        .cost = cost,
        .budget = s->budget,
        .rate = s->account.rate,
        .projected = USD_UNKNOWN,
        .left = isnan(left) ? SPAN_UNKNOWN : span_hours(left / 3600),
        .budget_left = budget_lasts(s),
        .step = s->progress.step,
        .steps = s->progress.steps,
        .loss = s->progress.loss,
        .gpu_busy = NAN,
        .gpu_memory_share = NAN,
        .gpu_memory_total = NAN,
        .cpu_cores = s->cpu_cores,
        .memory = s->sampled ? sample->tree.memory : NAN,
        .watts = s->watts,
        .score = score_now(&s->score),
        .phase = s->phase,
    };
    if (!isnan(left) && s->account.rate.nano != MONEY_UNKNOWN)
        out->projected =
            usd_add(cost, usd_from(usd_per_hour_double(s->account.rate) * left / 3600));
    for (size_t i = 0; s->sampled && i < sample->gpus; i++) {
        if (sample->gpu[i].use == GPU_VISIBLE)
            continue;
        out->gpus++;
        busy += sample->gpu[i].busy;
        memory += sample->gpu[i].memory;
        memory_total += sample->gpu[i].memory_total;
    }
    if (out->gpus > 0) {
        out->gpu_busy = busy / out->gpus;
        out->gpu_memory_share = memory / memory_total;
        out->gpu_memory_total = memory_total;
    }
}
