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

    if (s->told.relay == NULL && (s->result->mid_row || relay_mid_row()))
        buf_char(&line, '\n');
    s->result->mid_row = false;
    buf_adds(&line, "stint: ");
    buf_add_safe(&line, str_from(text));
    buf_char(&line, '\n');
    if (buf_ok(&line, &ignored))
        relay_message(s->told.relay, buf_text(&line)); /* never waits for a reader */
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

    if (news->note[0] != '\0' && !s->record.note_reported)
        sup_print(s, "warning: %s", news->note);
    s->record.note_reported = s->record.note_reported || news->note[0] != '\0';
    if (news->stop[0] == '\0' || s->record.stop_reported)
        return;
    s->record.stop_reported = true;
    (void)snprintf(why, sizeof why, "requested by %s", news->stop);
    sup_stop_run(s, STOP_USER, why);
}

static void report_news(struct supervisor *s, const struct recorder_news *news, bool last)
{
    if (news->moved && !s->record.moved_reported && news->state == RECORDER_GOOD) {
        s->record.moved_reported = true;
        sup_print(
            s,
            "warning: the ledger '%s' was removed or replaced: this run is recorded in the "
            "one that is there now",
            s->options->ledger);
    }
    if (news->state == s->record.state_reported)
        return;
    if (news->state == RECORDER_GOOD)
        sup_print(s,
                  last ? "the run is recorded after all" : "the run is being recorded again");
    else if (news->lasting || last)
        report_trouble(s, news);
    else
        return;
    s->record.state_reported = news->state;
}

static void hook_facts_of(const struct supervisor *s, const char *event, const char *text,
                          struct buf *store, struct hook_facts *out)
{
    usd cost = usd_add(account_cost(&s->money.account), s->money.before);
    size_t budget_at;

    buf_clear(store);
    if (cost.nano != MONEY_UNKNOWN)
        nano_write(cost.nano, store);
    buf_char(store, '\0');
    budget_at = store->len;
    if (s->money.budget.nano != MONEY_UNKNOWN)
        nano_write(s->money.budget.nano, store);
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
    pid = hooks_run(&s->proc.hooks, command, &facts, clock_paid());
    buf_free(&store);
    if (pid <= 0 || s->options->target != NULL) /* ours are not in its tree */
        return;
    if (s->seen.meters != NULL)
        tree_leave_out(meters_tree(s->seen.meters), pid);
    if (s->seen.tree != NULL)
        tree_leave_out(s->seen.tree, pid);
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
        (ended ? !s->guard.alerted : (alert_on_event(event) & alerts->on) == 0))
        return;
    start_report_hook(s, alerts->command, event, text, alerts->ledger);
    s->guard.alerted = true;
}

/* ---- for clients that listen at the socket ---- */

static void tell_line(struct sup_told *told, struct buf *line)
{
    struct error ignored;

    buf_char(line, '}');
    if (buf_ok(line, &ignored))
        inbox_tell(told->inbox, buf_text(line));
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
    tell_line(&s->told, &line);
}

void sup_tell_save(struct supervisor *s, instant now)
{
    enum stop_reason reason = s->end.begun ? s->result->reason : STOP_IDLE;
    double left_s = (double)(s->guard.steps.kill.ns - now.ns) / 1e9;
    struct buf line;

    if (inbox_listeners(s->told.inbox) == 0)
        return;
    line = buf_new(s->options->alloc, INBOX_LINE - 1);
    buf_addf(&line, "{\"stint\":\"save\",\"stop\":%s,\"reason\":\"%s\",\"text\":",
             s->end.begun ? "true" : "false", stop_reason_names[reason]);
    json_write_text(str_from(s->end.begun ? s->result->why : "idle"), &line);
    if (s->end.begun && s->guard.steps.kill.ns != MOMENT_NEVER.ns)
        buf_addf(&line, ",\"left_s\":%.3f", left_s > 0 ? left_s : 0);
    tell_line(&s->told, &line);
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
    if (s->record.recorder != NULL)
        recorder_event(s->record.recorder, s->options->clock->today(s->options->clock->ctx),
                       kind, str_from(text));
    if (!quiet && inbox_listeners(s->told.inbox) > 0)
        tell_event(s, kind, text);
    sup_send_alert(s, kind, text);
    if (s->options->on_event != NULL)
        sup_run_hook(s, s->options->on_event, kind, text);
}

/* ---- the record ---- */

struct ledger *sup_ledger(struct supervisor *s)
{
    struct error ignored;

    if (s->record.recorder == NULL || s->options->receiver != NULL)
        return NULL;
    if (recorder_ledger(s->record.recorder) != NULL)
        return recorder_ledger(s->record.recorder);
    if (s->record.read_ledger == NULL &&
        !ledger_is_server(s->options->ledger)) /* it may be silent */
        s->record.read_ledger = ledger_open(s->options->ledger, LEDGER_READ, RECORDER_PATIENCE,
                                            s->options->clock, s->options->alloc, &ignored);
    return s->record.read_ledger;
}

/* Likewise by the answer of a server. */
static void take_before(struct supervisor *s)
{
    const struct supervise_options *o = s->options;

    if (s->result->attempt <= 1)
        return;
    if (s->money.budget.nano == MONEY_UNKNOWN)
        s->money.budget = o->receiver_budget;
    if (o->receiver_before.nano != MONEY_UNKNOWN)
        s->money.before = o->receiver_before;
}

/* When this attempt goes on with a run: what the earlier ones cost, and the budget they had. */
static void find_run_before(struct supervisor *s)
{
    struct arena scratch = {.alloc = s->options->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct ledger_run run;
    struct error ignored;

    if (s->result->attempt > 1 && sup_ledger(s) != NULL &&
        ledger_find(sup_ledger(s), str_from(s->options->start->id), &scratch, &run, &ignored)) {
        if (s->money.budget.nano == MONEY_UNKNOWN)
            s->money.budget = run.start.budget;
        save_history_add(&s->save.history, run.totals.save_s, run.totals.save_memory, true);
        if (run.totals.cost.nano != MONEY_UNKNOWN)
            s->money.before = run.totals.cost;
        else if (s->money.budget.nano != MONEY_UNKNOWN)
            sup_print(s, "warning: what earlier attempts cost is not known: the budget counts "
                         "from here on");
    }
    arena_free(&scratch);
    if (s->options->receiver != NULL)
        take_before(s);
    if (s->money.budget.nano != MONEY_UNKNOWN &&
        account_cost(&s->money.account).nano == MONEY_UNKNOWN)
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
        s->record.recorder = recorder_open(&options, &err);
    } else {
        ledger_close(o->ledger_opened);
        ledger_opening_leave(o->ledger_opening);
    }
    if (s->record.recorder != NULL)
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
    if (s->money.before.nano > 0) {
        (void)snprintf(spent, sizeof spent, ", after ");
        sup_write_money(usd_rounded(s->money.before), spent + 8, sizeof spent - 8);
    }
    sup_print(s, "resuming run %.*s (%.*s): attempt %d%s", STR_ARG(start->name),
              STR_ARG(ledger_short(start->id)), s->result->attempt, spent);
}

void sup_record_start(struct supervisor *s)
{
    struct ledger_start *start = s->options->start;

    s->month.before = USD_UNKNOWN;
    if (start->id[0] == '\0')
        ledger_new_id(s->options->clock->today(s->options->clock->ctx), start->id);
    if (s->options->ledger != NULL && open_recorder(s)) {
        if (s->options->receiver != NULL)
            s->result->attempt = s->options->receiver_attempt;
        recorder_begin(s->record.recorder, start, &s->result->attempt);
        find_run_before(s);
        if (s->result->attempt > 1) { /* paid at the first one */
            s->money.account.charge.extra = USD_UNKNOWN;
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

    for (size_t i = 0; i < s->seen.sample.gpus; i++) {
        if (s->seen.sample.gpu[i].use == GPU_VISIBLE)
            continue;
        any = true;
        joules += s->seen.sample.gpu[i].joules * s->seen.sample.gpu[i].share;
    }
    out->gpu_joules = any ? joules : NAN;
    out->gpu_busy = score_busy(&s->seen.score);
    out->gpu_memory_peak = s->seen.gpu_s > 0 ? s->seen.gpu_memory_peak : NAN;
    out->gpu_memory_total = s->seen.gpu_s > 0 ? s->seen.gpu_memory_total : NAN;
    out->gpu_memory_run = s->seen.gpu_memory_run > 0 ? s->seen.gpu_memory_run : NAN;
    out->gpu_watts =
        s->seen.board_s > BOARD_LEAST_S ? s->seen.board_joules / s->seen.board_s : NAN;
    out->gpus = s->seen.gpus_most;
    out->gpu = str_from(s->result->gpu);
}

static void fill_totals(struct supervisor *s, struct ledger_totals *out)
{
    const struct run_charge *charge = &s->money.account.charge;
    enum meter_method worst;
    double error = NAN;

    *out = (struct ledger_totals){
        .at = s->options->clock->today(s->options->clock->ctx),
        .elapsed = span_between(s->began, s->money.account.last),
        .cost = account_cost(&s->money.account),
        .compute = s->money.account.compute,
        .setup = charge->setup,
        .storage = charge->storage,
        .transfer = charge->transfer,
        .extra = charge->extra,
        .joules = NAN,
        .cpu_joules = s->seen.sampled ? s->seen.sample.power.tree_joules : NAN,
        .energy_error = NAN,
        .grams = NAN,
        .cpu_s = s->seen.sampled ? s->seen.sample.tree.cpu_s : NAN,
        .memory_peak = s->seen.memory_peak > 0 ? s->seen.memory_peak : NAN,
        .read = s->seen.sampled ? s->seen.sample.tree.read : NAN,
        .written = s->seen.sampled ? s->seen.sample.tree.written : NAN,
        .received = s->seen.sampled ? s->seen.sample.host.received : NAN,
        .sent = s->seen.sampled ? s->seen.sample.host.sent : NAN,
        .score = score_now(&s->seen.score),
        .seed_score = score_seed(&s->seen.score),
        .step = s->told.progress.step,
        .steps = s->told.progress.steps,
        .step_s = progress_step_s(&s->told.progress),
        .startup_s = progress_startup_s(&s->told.progress, s->began),
        .loss = s->told.watched,
        .best = s->options->stops_early
                    ? (s->guard.stopping.count > 0 ? s->guard.stopping.best : NAN)
                    : s->told.watched_best,
        .checkpoint_bytes =
            s->save.checkpoints != NULL ? checkpoint_watch_bytes(s->save.checkpoints) : NAN,
        .save_s = s->save.history.earlier ? NAN : s->save.history.longest,
        .save_memory = s->save.history.earlier ? NAN : s->save.history.longest_memory,
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
        out->phase[i] = s->money.account.compute.nano == MONEY_UNKNOWN
                            ? USD_UNKNOWN
                            : s->money.account.phase[i];
    if (s->seen.sampled) {
        out->joules = meter_tree_joules(&s->seen.sample, &worst, &error);
        meter_tree_methods(&s->seen.sample, s->result->energy_method);
        out->energy_error = error;
        out->grams = account_grams(&s->money.account);
    }
    if (out->pays.len > 0) {
        out->paid = s->money.machine.paid;
        out->share = s->money.machine.part;
        out->sharers = s->money.machine.runs;
        out->sharers_most = s->money.sharers_most;
    }
    out->energy_method = str_from(s->result->energy_method);
    device_totals(s, out);
}

/* Bytes in use of the device that is fullest, and those of the run on the device where it uses
 * most; NaN without one. */
static double fullest_device(const struct sup_seen *seen, bool of_run)
{
    double most = NAN;

    for (size_t i = 0; i < seen->sample.gpus; i++)
        if (seen->sample.gpu[i].use != GPU_VISIBLE)
            most = fmax(most,
                        of_run ? seen->sample.gpu[i].tree_memory : seen->sample.gpu[i].memory);
    return most;
}

static void record_devices(const struct sup_record *record, struct sup_seen *seen, bool last)
{
    const struct ledger_device *device;

    while ((device = device_watch_changed(&seen->devices, last)) != NULL)
        recorder_device(record->recorder, device);
}

void sup_record_tick(struct supervisor *s)
{
    struct ledger_totals totals;
    struct ledger_sample sample;
    struct run_facts facts;

    if (s->record.recorder == NULL)
        return;
    fill_totals(s, &totals);
    sup_facts(s, &facts);
    sample = (struct ledger_sample){.at_s = span_in_seconds(totals.elapsed),
                                    .cost = usd_double(totals.cost),
                                    .watts = facts.watts,
                                    .gpu_busy = facts.gpu_busy,
                                    .gpu_memory = fullest_device(&s->seen, false),
                                    .cpu_cores = facts.cpu_cores,
                                    .memory = facts.memory,
                                    .step = facts.step,
                                    .loss = s->told.watched,
                                    .rate = s->told.progress.rate,
                                    .gpu_memory_run = fullest_device(&s->seen, true)};
    device_watch_fill(&s->seen.devices, &sample);
    record_devices(&s->record, &s->seen, false);
    recorder_tick(s->record.recorder, &totals, &sample);
    recorder_flush(s->record.recorder);
}

void sup_record_first(struct supervisor *s)
{
    struct ledger_totals totals;

    if (s->record.recorder == NULL)
        return;
    fill_totals(s, &totals);
    recorder_tick(s->record.recorder, &totals, NULL);
    (void)recorder_flush_wait(s->record.recorder, FIRST_WAIT);
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
    return s->result->status < 0 ? LEDGER_EXIT_UNKNOWN : s->told.program_why;
}

void sup_record_end(struct supervisor *s, enum ledger_state state)
{
    struct ledger_totals *totals = &s->result->totals;

    fill_totals(s, totals);
    if (s->record.recorder == NULL)
        return;
    record_devices(&s->record, &s->seen, true);
    recorder_end(s->record.recorder,
                 &(struct ledger_ending){state, s->result->status, end_reason(s)}, totals);
}

void sup_record_news(struct supervisor *s)
{
    struct recorder_news news;

    if (s->record.recorder == NULL)
        return;
    recorder_news(s->record.recorder, &news);
    report_news(s, &news, false);
    report_receiver(s, &news);
}

void sup_record_finish(struct supervisor *s)
{
    struct recorder_news news;

    ledger_close(s->record.read_ledger);
    s->record.read_ledger = NULL;
    if (s->record.recorder == NULL)
        return;
    recorder_finish(s->record.recorder, &news);
    s->record.recorder = NULL;
    s->result->recorded = news.state == RECORDER_GOOD;
    report_news(s, &news, true);
}

/* How long the budget lasts if things go on as they are. The limit itself is nearer where
 * others share the machine: they may end at any moment. */
static span budget_lasts(const struct sup_money *money, const struct sup_guards *guard)
{
    usd spent = usd_add(account_cost(&money->account), money->before);
    instant at = guard->limit;

    if (guard->limit_reason == STOP_BUDGET && spent.nano != MONEY_UNKNOWN &&
        money->budget.nano != MONEY_UNKNOWN)
        at = guard_spent_at(money->account.last, (usd){money->budget.nano - spent.nano},
                            money->account.rate);
    return at.ns == MOMENT_NEVER.ns ? SPAN_UNKNOWN : span_between(money->account.last, at);
}

void sup_facts(const struct supervisor *s, struct run_facts *out)
{
    const struct meter_sample *sample = &s->seen.sample;
    double left = progress_left(&s->told.progress, s->money.account.last);
    usd cost = usd_add(account_cost(&s->money.account), s->money.before);
    double busy = 0, memory = 0, memory_total = 0;

    *out = (struct run_facts){
        .elapsed = span_between(s->began, s->money.account.last),
        .cost = cost,
        .budget = s->money.budget,
        .rate = s->money.account.rate,
        .projected = USD_UNKNOWN,
        .left = isnan(left) ? SPAN_UNKNOWN : span_hours(left / 3600),
        .budget_left = budget_lasts(&s->money, &s->guard),
        .step = s->told.progress.step,
        .steps = s->told.progress.steps,
        .loss = s->told.progress.loss,
        .gpu_busy = NAN,
        .gpu_memory_share = NAN,
        .gpu_memory_total = NAN,
        .cpu_cores = s->seen.cpu_cores,
        .memory = s->seen.sampled ? sample->tree.memory : NAN,
        .watts = s->seen.watts,
        .score = score_now(&s->seen.score),
        .phase = s->told.phase,
    };
    if (!isnan(left) && s->money.account.rate.nano != MONEY_UNKNOWN)
        out->projected =
            usd_add(cost, usd_from(usd_per_hour_double(s->money.account.rate) * left / 3600));
    for (size_t i = 0; s->seen.sampled && i < sample->gpus; i++) {
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
