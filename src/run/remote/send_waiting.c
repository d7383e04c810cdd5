#include "run/remote/send_waiting.h"

#include <stdio.h>
#include <string.h>

#include "ledger/runs/run_journal.h"
#include "ledger/runs/run_journal_file.h"

struct sending {
    struct receiver *receiver;
    struct send_result *out;
    instant until;
    bool away; /* it does not answer: the others are left, too */
};

static bool send_file(struct sending *s, struct run_journal_file *file, struct error *err)
{
    struct str first, records;
    uint64_t last;
    bool refused, ok;

    if (file->unreadable)
        return error_fail(err, ERROR_INPUT, "the journal '%.200s' cannot be read", file->path);
    first = run_journal_first(file->records, &records);
    if (first.len == 0)
        return error_fail(err, ERROR_INPUT, "the journal '%.200s' cannot be read", file->path);
    records = run_journal_fit(records, 0, SIZE_MAX, &last);
    receiver_next(s->receiver, true);
    ok = receiver_send(s->receiver, first, records, NULL, &refused, err);
    s->away = !ok && !refused;
    return ok;
}

static void count_left(struct sending *s, const struct run_journal_file *file)
{
    usd cost = file->unreadable ? USD_UNKNOWN : run_journal_cost(file->records);

    if (cost.nano != MONEY_UNKNOWN)
        s->out->cost = s->out->cost.nano == MONEY_UNKNOWN ? cost : usd_add(s->out->cost, cost);
    if (s->out->waiting++ == 0)
        (void)snprintf(s->out->folder, sizeof s->out->folder, "%.*s",
                       (int)(strrchr(file->path, '/') - file->path), file->path);
}

static bool send_or_leave(void *ctx, struct run_journal_file *file)
{
    struct sending *s = ctx;
    struct error problem = {0};

    if (!s->away && clock_system.now(clock_system.ctx).ns < s->until.ns) {
        file->done = send_file(s, file, &problem);
        if (file->done && file->locked) {
            s->out->sent++;
            return true;
        }
        if (file->done) /* its run goes on, and removes it itself */
            return true;
        s->out->why = problem;
    }
    count_left(s, file);
    return true;
}

void send_waiting(struct receiver *receiver, const char *but, span most,
                  struct send_result *out)
{
    struct sending s = {.receiver = receiver,
                        .out = out,
                        .until = {clock_system.now(clock_system.ctx).ns + most.ns}};

    *out = (struct send_result){.cost = USD_UNKNOWN};
    run_journal_each(receiver_name(receiver), but, send_or_leave, &s);
}
