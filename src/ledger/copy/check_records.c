/* Runs, budgets, channels and messages: what is without its other half, or stuck. */
#include "ledger/budgets.h"
#include "ledger/copy/check_internal.h"

#define STUCK 3600       /* s since somebody took a message to send it, and said no more */
#define LATE (24 * 3600) /* s since a message was to be sent */

static const char runs_without_attempt[] = "SELECT count(*) FROM runs r WHERE NOT EXISTS"
                                           " (SELECT 1 FROM attempts a WHERE a.run = r.run)";
static const char one_without_attempt[] = "SELECT min(id) FROM runs r WHERE NOT EXISTS"
                                          " (SELECT 1 FROM attempts a WHERE a.run = r.run)";
static const char open_attempts[] =
    "SELECT at, host, boot, pid, pid_started, pid_namespace FROM attempts WHERE ended IS NULL";
static const char stuck_sql[] =
    "SELECT count(*) FROM deliveries WHERE (state = 'sending' AND coalesce(tried, made) < ?1)"
    " OR (state = 'waiting' AND not_before < ?2)";
static const char given_up[] = "SELECT count(*) FROM deliveries WHERE state = 'given up'";

static void count_dead(struct check *c)
{
    struct error why = {0};
    struct query *q = ledger_query(c->l, open_attempts, &why);
    stamp now = c->l->clock->today(c->l->clock->ctx);
    int got = q != NULL ? 1 : -1;
    int64_t dead = 0;

    while (got > 0 && (got = ledger_row(c->l, q, "read", &why)) > 0) {
        struct ledger_supervisor who = {.heard = {column_int(q, 0)},
                                        .host = column_view(q, 1),
                                        .boot = column_view(q, 2),
                                        .pid = column_count(q, 3),
                                        .pid_started = column_count(q, 4),
                                        .namespace = column_count(q, 5)};

        dead += !ledger_alive(&who, now);
    }
    if (got < 0)
        trouble_unread(c, "attempts", &why);
    if (dead > 0)
        trouble(c, "lost", TROUBLE_NOTE,
                "%lld attempt%s ended without a word: what was told until then is kept\n"
                "stint runs --state lost",
                (long long)dead, dead == 1 ? "" : "s");
}

static void count_messages(struct check *c)
{
    struct error why = {0};
    struct query *q = ledger_query(c->l, stuck_sql, &why);
    int64_t now = c->l->clock->today(c->l->clock->ctx).s, stuck, given;
    int got = -1;

    if (q != NULL) {
        bind_int(q, 1, now - STUCK);
        bind_int(q, 2, now - LATE);
        got = ledger_row(c->l, q, "read", &why);
    }
    if (got < 0)
        trouble_unread(c, "messages", &why);
    stuck = got > 0 ? column_int(q, 0) : 0;
    query_reset(q);
    if (stuck > 0)
        trouble(c, "messages", TROUBLE_WRONG,
                "%lld alert%s should have been sent long ago, but nobody sends\n"
                "stint alert send, now and from a timer ('stint alert log' says more)",
                (long long)stuck, stuck == 1 ? "" : "s");
    given = check_number(c, "messages", given_up);
    if (given > 0)
        trouble(c, "given-up", TROUBLE_NOTE,
                "%lld alert%s could not be sent, and no more is tried\n"
                "stint alert send --given-up",
                (long long)given, given == 1 ? "" : "s");
}

static bool is_known(const struct ledger_channel *channels, size_t count, struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(channels[i].name, name))
            return true;
    return false;
}

static void check_budget(struct check *c, const struct ledger_budget *budget,
                         const struct ledger_channel *channels, size_t count)
{
    for (size_t n = 0; n < budget->channels.len; n++) {
        struct str name = budget->channels.at[n];

        if (!is_known(channels, count, name))
            trouble(c, "channel", TROUBLE_WRONG,
                    "the budget '%.*s' tells '%.*s', which is no channel: nobody hears of it\n"
                    "stint alert add %.*s KIND",
                    STR_ARG(budget->name), STR_ARG(name), STR_ARG(name));
    }
}

void check_budgets(struct check *c)
{
    const struct ledger_budget *budgets = NULL;
    const struct ledger_channel *channels = NULL;
    size_t budget_count = 0, channel_count = 0;
    struct error why = {0};

    if (!ledger_budgets(c->l, c->arena, &budgets, &budget_count, &why) ||
        !ledger_channels(c->l, c->arena, &channels, &channel_count, &why)) {
        trouble_unread(c, "budgets", &why);
        return;
    }
    for (size_t i = 0; i < budget_count; i++)
        check_budget(c, &budgets[i], channels, channel_count);
}

void check_records(struct check *c)
{
    int64_t bare = check_number(c, "runs", runs_without_attempt);

    if (bare > 0) {
        struct str one = check_text(c, "runs", one_without_attempt);

        trouble(c, "runs", TROUBLE_WRONG,
                "%lld run%s no attempt, such as %.*s: what %s cost is lost\n"
                "stint ledger copy BACKUP NEW, from an older copy if there is one",
                (long long)bare, bare == 1 ? " has" : "s have", STR_ARG(one),
                bare == 1 ? "it" : "they");
    }
    count_dead(c);
    count_messages(c);
}
