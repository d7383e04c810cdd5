#include "op/ledger_open.h"
#include "op/context.h"

#include <math.h>

#include "ledger/runs/run_journal.h"

#define PATIENCE ((span){INT64_C(5000000000)}) /* a writer is done in milliseconds */
/* For what a command does besides what it was asked for. */
#define JOURNALS_PATIENCE ((span){INT64_C(200000000)})
#define JOURNALS_MOST ((span){INT64_C(5000000000)})

static const struct field fields[] = {
    FIELD(TEXT, run_view, id, .help = "of the run, for good"),
    FIELD(TEXT, run_view, short_id, .help = "the end of the id: enough to name the run"),
    FIELD(TEXT, run_view, name, .help = "given, or the command's"),
    FIELD(TEXT, run_view, state,
          .help = "running, done, failed, stopped, preempted, or lost without a word"),
    FIELD(TEXT, run_view, started, .help = "in UTC"),
    FIELD(TEXT, run_view, ended, .help = "null while it runs, and when nobody saw the end"),
    FIELD(SPAN, run_view, took, .help = "seconds, of all attempts"),
    FIELD(USD, run_view, cost, .help = "of all attempts"),
    FIELD(USD, run_view, budget, .help = "it was to keep to"),
    FIELD(NUMBER, run_view, of_budget, .help = "cost over budget"),
    FIELD(NUMBER, run_view, energy_kwh, .help = "of what was metered"),
    FIELD(TEXT, run_view, energy_method,
          .help = "counter, sampled, modelled, their shares, mixed, unknown"),
    FIELD(NUMBER, run_view, energy_error, .help = "of the energy, a share"),
    FIELD(NUMBER, run_view, carbon_g, .help = "grams of CO2e"),
    FIELD(TEXT, run_view, gpu, .help = "the devices it used"),
    FIELD(COUNT, run_view, gpus, .help = "how many"),
    FIELD(SHARE, run_view, gpu_busy, .help = "of the time, over the devices it used"),
    FIELD(NUMBER, run_view, score, .help = "efficiency, 0 to 100"),
    FIELD(COUNT, run_view, status, .help = "exit status, as a shell has it"),
    FIELD(TEXT, run_view, reason, .help = "why it was stopped"),
    FIELD(COUNT, run_view, attempts, .help = "at it"),
    FIELD(COUNT, run_view, preemptions, .help = "attempts that lost their machine"),
    FIELD(NUMBER, run_view, lost_s, .help = "seconds of work that had to be done again"),
    FIELD(NUMBER, run_view, step, .help = "reached"),
    FIELD(NUMBER, run_view, steps, .help = "in all"),
    FIELD(NUMBER, run_view, loss, .help = "the watched metric, at last"),
    FIELD(NUMBER, run_view, best, .help = "the watched metric, at its best"),
    FIELD(TEXT, run_view, user, .help = "who ran it"),
    FIELD(TEXT, run_view, host, .help = "where, at first"),
    FIELD(TEXT, run_view, folder, .help = "in which folder"),
    FIELD(TEXT, run_view, command, .help = "secrets taken out"),
    FIELD(TEXT, run_view, commit, .help = "of the checkout"),
    FIELD(TEXTS, run_view, tags, .help = "key=value"),
    FIELD(TEXTS, run_view, facts, .help = "of the environment of the last attempt"),
    FIELD(TEXT, run_view, offer, .help = "the machine that was paid, at first"),
    FIELD(TEXT, run_view, market, .help = "on-demand, spot or reserved"),
    FIELD(RATE, run_view, price, .help = "an hour, at first"),
    FIELD(TEXT, run_view, price_source, .help = "where the price comes from"),
    FIELD(PER_KWH, run_view, electricity, .help = "a kWh, where that is what is paid"),
    FIELD(USD, run_view, estimated_cost, .help = "before it began"),
    FIELD(SPAN, run_view, estimated_time, .help = "seconds, likewise"),
    FIELD(TEXT, run_view, origin, .help = "run under stint run, or added by hand"),
};

const struct field_set run_view_fields = FIELD_SET(struct run_view, fields);

static void say_waiting(struct op_context *ctx, const struct run_journal_result *r)
{
    struct buf text = buf_new(ctx->arena->alloc, 1024);

    buf_addf(&text, "%zu %s", r->waiting, r->waiting == 1 ? "run is" : "runs are");
    buf_adds(&text, " not in the ledger yet");
    if (r->cost.nano != MONEY_UNKNOWN) {
        buf_adds(&text, " (");
        usd_write(r->cost, &text);
        buf_adds(&text, " so far)");
    }
    buf_addf(&text, ": kept in '%s'", r->folder);
    if (r->why.kind != ERROR_NONE)
        buf_addf(&text, "; %s", r->why.text);
    if (text.failed == ERROR_NONE)
        message_warn(&ctx->messages, "%.*s", (int)text.len, text.at);
    buf_free(&text);
}

void op_add_journals(struct op_context *ctx, const char *path, struct ledger *ledger)
{
    struct run_journal_result result = {.waiting = 0};
    struct error ignored, why = {0};
    struct ledger *own = NULL;

    if (!ledger_address_check(str_from(path), &ignored) || run_journal_count(path) == 0)
        return;
    if (ledger == NULL)
        own = ledger_open(path, LEDGER_WRITE, JOURNALS_PATIENCE, ctx->clock, ctx->arena->alloc,
                          &why);
    else
        ledger_patience(ledger, JOURNALS_PATIENCE);
    if (ledger != NULL || own != NULL)
        ledger_apply_waiting(ledger != NULL ? ledger : own, path, NULL, JOURNALS_MOST, &result);
    else
        run_journal_look(path, &result);
    if (ledger != NULL)
        ledger_patience(ledger, PATIENCE);
    ledger_close(own);
    if (result.why.kind == ERROR_NONE)
        result.why = why;
    if (result.waiting > 0 && !ctx->journals_said)
        say_waiting(ctx, &result);
    ctx->journals_said = ctx->journals_said || result.waiting > 0;
}

struct ledger *op_ledger(struct op_context *ctx, enum ledger_mode mode, struct error *err)
{
    struct ledger *ledger;
    char *path = ctx->settings->ledger.len > 0
                     ? str_dup(ctx->settings->ledger, ctx->arena, err)
                     : settings_data(ctx->arena, err); /* says that there is no home */

    if (path == NULL)
        return NULL;
    if (mode == LEDGER_READ)
        op_add_journals(ctx, path, NULL);
    ledger = ledger_open(path, mode, PATIENCE, ctx->clock, ctx->arena->alloc, err);
    if (ledger != NULL && mode == LEDGER_WRITE)
        op_add_journals(ctx, path, ledger);
    return ledger;
}

bool op_ledger_there(struct op_context *ctx, struct ledger **out, struct error *err)
{
    *out = op_ledger(ctx, LEDGER_READ, err);
    if (*out != NULL && !ledger_hold(*out, err)) {
        ledger_close(*out);
        *out = NULL;
        return false;
    }
    if (*out != NULL)
        return true;
    if (err->kind != ERROR_ABSENT)
        return false;
    *err = (struct error){0};
    return true;
}

bool op_ledger_name(struct op_context *ctx, struct str *out, struct error *err)
{
    char *shown = ledger_shown(ctx->settings->ledger, ctx->arena, err);

    *out = str_from(shown);
    return shown != NULL;
}

struct str op_ledger_shown(const struct op_context *ctx)
{
    struct error ignored;
    const char *shown = ledger_shown(ctx->settings->ledger, ctx->arena, &ignored);

    return shown != NULL ? str_from(shown) : STR("?");
}

bool ledger_when(stamp at, struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 64);

    *out = (struct str){0};
    if (at.s < 0)
        return true;
    stamp_write(at, &text);
    return buf_keep(&text, arena, out, err);
}

struct str ledger_known(struct str text)
{
    return text.len > 0 ? text : (struct str){0};
}

usd kept_month(double size, usd_per_gb price)
{
    if (!(size >= 0 && size < 1e18))
        return USD_UNKNOWN;
    return usd_for_bytes(price, (uint64_t)size);
}

static double share_of(usd part, usd whole)
{
    return whole.nano > 0 ? usd_double(part) / usd_double(whole) : NAN;
}

bool run_view_make(const struct ledger_run *run, struct arena *arena, struct run_view *out,
                   struct error *err)
{
    const struct ledger_start *s = &run->start;
    const struct ledger_totals *t = &run->totals;
    char *id = str_dup(str_from(s->id), arena, err);

    if (id == NULL)
        return false;
    *out = (struct run_view){.id = str_from(id),
                             .short_id = ledger_short(id),
                             .name = s->name,
                             .state = str_from(ledger_state_name(run->state)),
                             .took = t->elapsed,
                             .cost = t->cost,
                             .budget = s->budget,
                             .of_budget = share_of(t->cost, s->budget),
                             .energy_kwh = t->joules / JOULES_PER_KWH,
                             .energy_method = ledger_known(t->energy_method),
                             .energy_error = t->energy_error,
                             .carbon_g = t->grams,
                             .gpu = ledger_known(t->gpu),
                             .gpus = t->gpus,
                             .gpu_busy = t->gpu_busy,
                             .score = t->score,
                             .status = run->status,
                             .reason = ledger_known(run->reason),
                             .attempts = run->attempt_count,
                             .preemptions = run->preemptions,
                             .lost_s = t->lost_s,
                             .step = t->step,
                             .steps = t->steps,
                             .loss = t->loss,
                             .best = t->best,
                             .user = ledger_known(s->user),
                             .host = ledger_known(s->host),
                             .folder = ledger_known(s->folder),
                             .command = ledger_known(s->command),
                             .commit = ledger_known(s->commit),
                             .tags = s->tags,
                             .facts = s->facts,
                             .offer = ledger_known(s->offer),
                             .market = ledger_known(s->market),
                             .price = s->rate,
                             .price_source = ledger_known(s->price_source),
                             .electricity = s->electricity,
                             .estimated_cost = s->estimated_cost,
                             .estimated_time = s->estimated_time,
                             .origin = ledger_known(s->origin)};
    return ledger_when(s->started, arena, &out->started, err) &&
           ledger_when(run->ended, arena, &out->ended, err);
}

void op_own_process(void)
{
    ledger_own_process();
}
