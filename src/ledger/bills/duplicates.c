#include "ledger/bills/duplicates.h"

#include <stdio.h>

#include "base/map.h"

#define WARNINGS_MAX 20 /* of a kind; more add nothing */

bool ledger_bill_again(const struct ledger_bill *a, const struct ledger_bill *b)
{
    return ledger_period_edge(a->period_start).s == ledger_period_edge(b->period_start).s &&
           a->amounts == b->amounts && a->coarse == b->coarse &&
           str_eq(a->provider, b->provider) && str_eq(a->account, b->account) &&
           str_eq(a->currency, b->currency);
}

/* The bills that came in, by their accounts: thousands are compared with thousands. */
struct arrivals {
    struct arena *arena;
    const struct messages *messages;
    const struct ledger_imported *in;
    struct map accounts; /* as account_key() has them; the value is a number of `bills` */
    size_t **next;       /* by number: the next of the same account; NULL: none */
    int twice, alike;    /* warnings so far */
    bool unknown;        /* some name no account */
};

/* In lower case and without blanks. False when memory runs out. */
static bool account_key(struct str account, struct arena *arena, struct str *out)
{
    struct error ignored = {0};
    char *key = arena_array(arena, char, account.len + 1, &ignored);
    size_t len = 0;

    for (size_t i = 0; key != NULL && i < account.len; i++) {
        char c = account.at[i];

        if (c != ' ' && c != '\t')
            key[len++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    *out = (struct str){key, len};
    return key != NULL;
}

static bool bills_overlap(const struct ledger_bill *new, const struct ledger_bill *old)
{
    return old->period_start.s < new->period_end.s &&new->period_start.s < old->period_end.s;
}

static bool same_days(const struct ledger_bill *a, const struct ledger_bill *b)
{
    return a->covers_first.n <= b->covers_last.n && b->covers_first.n <= a->covers_last.n;
}

/* Another bill of the account whose time is partly the same, but which was not replaced. What
 * is left of coarse data has other days than the details. */
static bool may_be_twice(const struct ledger_bill *new, const struct ledger_bill *old)
{
    return str_eq(old->account, new->account) && str_eq(old->currency, new->currency) &&
           old->amounts == new->amounts &&bills_overlap(new, old) &&
           !ledger_bill_again(old, new) && (old->coarse == new->coarse || same_days(old, new));
}

static void warn_twice(struct arrivals *a, const struct ledger_bill *new,
                       const struct ledger_bill *old)
{
    char which[40] = "the new one";

    if (a->twice++ >= WARNINGS_MAX)
        return;
    if (new->key > 0)
        (void)snprintf(which, sizeof which, "bill %lld", (long long)new->key);
    message_warn(a->messages,
                 "bill %lld of %.*s is for the same account and time as %s of %.*s: "
                 "if it is the same money, 'stint bills remove %lld --force' removes it",
                 (long long)old->key, STR_ARG(old->provider), which, STR_ARG(new->provider),
                 (long long)old->key);
}

static void warn_alike(struct arrivals *a, const struct ledger_bill *new,
                       const struct ledger_bill *old)
{
    if (a->alike++ >= WARNINGS_MAX)
        return;
    message_warn(
        a->messages,
        "the account '%.*s' differs from '%.*s' of bill %lld only in case or blanks: they "
        "are kept apart",
        STR_ARG(new->account), STR_ARG(old->account), (long long)old->key);
}

/* Of two bills of the same days only one names its account: it may be the same. */
static void compare_unknown(struct arrivals *a, const struct ledger_bill *old)
{
    for (size_t i = 0; i < a->in->count; i++) {
        const struct ledger_bill *new = &a->in->bills[i];
        bool unknown = (old->account.len == 0) != (new->account.len == 0);

        if (!unknown || old->key == new->key || old->amounts != new->amounts ||
            !str_eq(old->provider, new->provider) || !str_eq(old->currency, new->currency) ||
            !same_days(old, new) || a->twice++ >= WARNINGS_MAX)
            continue;
        message_warn(
            a->messages,
            "bill %lld of %.*s has the same days as the new one, and one of them names no "
            "account: if it is the same money, 'stint bills remove %lld --force' removes it",
            (long long)old->key, STR_ARG(old->provider), (long long)old->key);
    }
}

/* A dry run leaves coarse bills where they are. */
static bool is_bill_replaced(const struct ledger_imported *in, int64_t bill)
{
    for (size_t i = 0; i < in->overlap_count; i++)
        if (in->overlaps[i].coarse == bill)
            return true;
    for (size_t i = 0; i < in->likeness_count; i++) /* or was compared by its content */
        if (in->likenesses[i].there.key == bill)
            return true;
    return false;
}

static void compare_arrivals(struct arrivals *a, const struct ledger_bill *old)
{
    const struct map_entry *entry;
    struct str key;

    if (a->unknown || old->account.len == 0)
        compare_unknown(a, old);
    if (old->account.len == 0 || !account_key(old->account, a->arena, &key) ||
        (entry = map_find(&a->accounts, key)) == NULL)
        return;
    for (size_t *n = entry->value; n != NULL; n = a->next[*n]) {
        const struct ledger_bill *new = &a->in->bills[*n];

        if (old->key == new->key)
            continue;
        if (may_be_twice(new, old))
            warn_twice(a, new, old);
        else if (str_eq(old->provider, new->provider) && !str_eq(old->account, new->account))
            warn_alike(a, new, old);
    }
}

/* The newest of an account comes first. */
static bool gather_arrivals(struct arrivals *a, struct error *err)
{
    size_t *numbers = arena_array(a->arena, size_t, a->in->count, err);
    bool several = false;

    a->next = arena_array(a->arena, size_t *, a->in->count, err);
    for (size_t i = 0; numbers != NULL && a->next != NULL && i < a->in->count; i++) {
        const struct ledger_bill *bill = &a->in->bills[i];
        struct map_entry *entry;
        struct str key;

        if (!account_key(bill->account, a->arena, &key) ||
            (entry = map_add(&a->accounts, key, NULL, err)) == NULL)
            return false;
        numbers[i] = i;
        a->next[i] = entry->value;
        entry->value = &numbers[i];
        a->unknown |= bill->account.len == 0;
        several |= !str_eq(bill->currency, a->in->bills[0].currency);
    }
    if (several)
        message_warn(a->messages, "the bills are in several currencies: they are kept apart");
    return numbers != NULL && a->next != NULL;
}

static void write_overlap_days(const struct ledger_overlap *o, struct buf *out)
{
    day_write(o->first, out);
    if (o->last.n == o->first.n)
        return;
    buf_adds(out, " to ");
    day_write(o->last, out);
}

static const char *is_or_are(int64_t count)
{
    return count == 1 ? "is" : "are";
}

/* Of a coarse bill that was there. */
static void write_replaced(const struct ledger_overlap *o, struct buf *out)
{
    buf_addf(out, "in bill %lld (%.*s) %s replaced by the detailed bill", (long long)o->coarse,
             STR_ARG(o->format), is_or_are(o->lines));
    if (o->detailed > 0)
        buf_addf(out, " %lld", (long long)o->detailed);
    if (o->rest_lines > 0)
        buf_addf(out, "; its %lld other charge%s %s kept", (long long)o->rest_lines,
                 o->rest_lines == 1 ? "" : "s", is_or_are(o->rest_lines));
    if (o->rest > 0)
        buf_addf(out, " as bill %lld", (long long)o->rest);
}

/* Coarse data of days that a detailed bill has: one line for each. */
static void warn_overlap(const struct messages *messages, const struct ledger_overlap *o)
{
    struct buf text = buf_new(&alloc_system, 2048);

    if (o->file.len > 0)
        buf_addf(&text, "'%.*s': ", STR_ARG(o->file));
    buf_addf(&text, "%lld charge%s of ", (long long)o->lines, o->lines == 1 ? "" : "s");
    write_overlap_days(o, &text);
    buf_adds(&text, " (");
    decimal_write(o->amount, &text);
    buf_addf(&text, " %.*s) ", STR_ARG(o->currency));
    if (o->file.len > 0)
        buf_addf(&text, "%s left out: bill %lld has the same money in detail",
                 is_or_are(o->lines), (long long)o->detailed);
    else
        write_replaced(o, &text);
    message_warn(messages, "%.*s", (int)text.len, text.len > 0 ? text.at : "");
    buf_free(&text);
}

/* It may be the same money, but that is no fact. */
static void warn_likeness(const struct messages *messages, const struct ledger_imported *in,
                          const struct ledger_likeness *like)
{
    const struct ledger_bill *old = &like->there, *new = &in->bills[like->bill];
    char how[80] = "comes to the same on the same days";

    if (like->share > 0)
        (void)snprintf(how, sizeof how, "has %d %% of the same costs by resource and day",
                       (int)(100 * like->share + 0.5));
    message_warn(
        messages,
        "bill %lld (%.*s, account %.*s) %s as the new one (account %.*s): if it is the "
        "same money, 'stint bills remove %lld --force' removes it",
        (long long)old->key, STR_ARG(old->format), STR_ARG(old->account), how,
        STR_ARG(new->account), (long long)old->key);
}

void ledger_warn_duplicates(struct ledger *ledger, const struct ledger_imported *in,
                            struct arena *arena, const struct messages *messages)
{
    struct error ignored = {0};
    struct arrivals a = {
        .arena = arena, .messages = messages, .in = in, .accounts = map_in_arena(arena)};
    const struct ledger_bill *bills;
    size_t count;

    for (size_t i = 0; i < in->overlap_count && i < WARNINGS_MAX; i++)
        warn_overlap(messages, &in->overlaps[i]);
    for (size_t i = 0; i < in->likeness_count && i < WARNINGS_MAX; i++)
        if (!in->likenesses[i].replaced)
            warn_likeness(messages, in, &in->likenesses[i]);
    if (!gather_arrivals(&a, &ignored) || ledger == NULL ||
        !ledger_bills(ledger, arena, &bills, &count, &ignored))
        return;
    for (size_t k = 0; k < count; k++)
        if (!is_bill_replaced(in, bills[k].key))
            compare_arrivals(&a, &bills[k]);
    if (a.twice > WARNINGS_MAX || a.alike > WARNINGS_MAX)
        message_warn(messages, "and %d more of these",
                     (a.twice > WARNINGS_MAX ? a.twice - WARNINGS_MAX : 0) +
                         (a.alike > WARNINGS_MAX ? a.alike - WARNINGS_MAX : 0));
}
