/* What an import may have brought twice: under other names, by other periods. */
#include <string.h>

#include "base/hash.h"
#include "op/bill/bill_import.h"
#include "op/context.h"

#define SLOTS ((size_t)4096)
#define SAID_MAX 20 /* more warnings of a kind say nothing new */

/* The bills that came in, by their accounts, so that thousands meet thousands quickly. */
struct arrivals {
    struct op_context *ctx;
    const struct ledger_imported *in;
    size_t *next;        /* by number: 1 + the next in its slot */
    size_t slots[SLOTS]; /* 1 + a number */
    int twice, alike;    /* said so far */
    bool unknown;        /* some name no account */
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The next character that is no blank; 0 at the end. */
static char next_sign(struct str *s)
{
    while (s->len > 0) {
        char c = s->at[0];

        *s = (struct str){s->at + 1, s->len - 1};
        if (c != ' ' && c != '\t')
            return lower(c);
    }
    return '\0';
}

static bool same_but_for_blanks(struct str a, struct str b)
{
    for (;;) {
        char x = next_sign(&a), y = next_sign(&b);

        if (x != y)
            return false;
        if (x == '\0')
            return true;
    }
}

static size_t slot_of(struct str account)
{
    uint64_t hash = 1;

    for (char c = next_sign(&account); c != '\0'; c = next_sign(&account))
        hash = (hash ^ (unsigned char)c) * UINT64_C(0x100000001b3);
    return (size_t)(hash ^ hash >> 32) % SLOTS;
}

static bool overlaps(const struct ledger_bill *new, const struct ledger_bill *old)
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
           old->amounts == new->amounts &&overlaps(new, old) && !import_again(old, new) &&
           (old->coarse == new->coarse || same_days(old, new));
}

static void say_twice(struct arrivals *a, const struct ledger_bill *new,
                      const struct ledger_bill *old)
{
    char which[40] = "the new one";

    if (a->twice++ >= SAID_MAX)
        return;
    if (new->key > 0)
        (void)snprintf(which, sizeof which, "bill %lld", (long long)new->key);
    message_warn(&a->ctx->messages,
                 "bill %lld of %.*s is for the same account and time as %s of %.*s: "
                 "if it is the same money, 'stint bills remove %lld --force' takes it away",
                 (long long)old->key, STR_ARG(old->provider), which, STR_ARG(new->provider),
                 (long long)old->key);
}

static void say_alike(struct arrivals *a, const struct ledger_bill *new,
                      const struct ledger_bill *old)
{
    if (a->alike++ >= SAID_MAX)
        return;
    message_warn(
        &a->ctx->messages,
        "the account '%.*s' differs from '%.*s' of bill %lld only in case or blanks: they "
        "are kept apart",
        STR_ARG(new->account), STR_ARG(old->account), (long long)old->key);
}

/* Of two bills of the same days only one names its account: it may be the same. */
static void meet_unknown(struct arrivals *a, const struct ledger_bill *old)
{
    for (size_t i = 0; i < a->in->count; i++) {
        const struct ledger_bill *new = &a->in->bills[i];
        bool unknown = (old->account.len == 0) != (new->account.len == 0);

        if (!unknown || old->key == new->key || old->amounts != new->amounts ||
            !str_eq(old->provider, new->provider) || !str_eq(old->currency, new->currency) ||
            !same_days(old, new) || a->twice++ >= SAID_MAX)
            continue;
        message_warn(
            &a->ctx->messages,
            "bill %lld of %.*s has the same days as the new one, and one of them names no "
            "account: if it is the same money, 'stint bills remove %lld --force' removes it",
            (long long)old->key, STR_ARG(old->provider), (long long)old->key);
    }
}

/* A rehearsal leaves coarse bills where they are. */
static bool is_replaced(const struct ledger_imported *in, int64_t bill)
{
    for (size_t i = 0; i < in->overlap_count; i++)
        if (in->overlaps[i].coarse == bill)
            return true;
    return false;
}

static void meet(struct arrivals *a, const struct ledger_bill *old)
{
    if (a->unknown || old->account.len == 0)
        meet_unknown(a, old);
    if (old->account.len == 0)
        return;
    for (size_t n = a->slots[slot_of(old->account)]; n != 0; n = a->next[n - 1]) {
        const struct ledger_bill *new = &a->in->bills[n - 1];

        if (old->key == new->key || !same_but_for_blanks(old->account, new->account))
            continue;
        if (may_be_twice(new, old))
            say_twice(a, new, old);
        else if (str_eq(old->provider, new->provider) && !str_eq(old->account, new->account))
            say_alike(a, new, old);
    }
}

static void gather(struct arrivals *a)
{
    bool apart = false;

    for (size_t i = 0; i < a->in->count; i++) {
        size_t slot = slot_of(a->in->bills[i].account);

        a->next[i] = a->slots[slot];
        a->slots[slot] = i + 1;
        a->unknown |= a->in->bills[i].account.len == 0;
        apart |= !str_eq(a->in->bills[i].currency, a->in->bills[0].currency);
    }
    if (apart)
        message_warn(&a->ctx->messages,
                     "the bills are in several currencies: they are kept apart");
}

static void write_days(const struct ledger_overlap *o, struct buf *out)
{
    day_write(o->first, out);
    if (o->last.n == o->first.n)
        return;
    buf_adds(out, " to ");
    day_write(o->last, out);
}

/* Coarse data of days that a detailed bill has: one line for each. */
static void say_overlap(struct op_context *ctx, const struct ledger_overlap *o)
{
    struct buf text = buf_new(&alloc_system, 2048);

    if (o->file.len > 0)
        buf_addf(&text, "'%.*s': ", STR_ARG(o->file));
    buf_addf(&text, "%lld charge%s of ", (long long)o->lines, o->lines == 1 ? "" : "s");
    write_days(o, &text);
    buf_adds(&text, " (");
    decimal_write(o->amount, &text);
    buf_addf(&text, " %.*s) ", STR_ARG(o->currency));
    if (o->file.len > 0) {
        buf_addf(&text, "%s left out: bill %lld has the same money in detail",
                 o->lines == 1 ? "is" : "are", (long long)o->detailed);
    } else {
        buf_addf(&text, "in bill %lld (%.*s) %s replaced by the detailed ",
                 (long long)o->coarse, STR_ARG(o->format), o->lines == 1 ? "is" : "are");
        if (o->detailed > 0)
            buf_addf(&text, "bill %lld", (long long)o->detailed);
        else
            buf_adds(&text, "bill");
        if (o->rest_lines > 0)
            buf_addf(&text, "; its %lld other charge%s %s kept", (long long)o->rest_lines,
                     o->rest_lines == 1 ? "" : "s", o->rest_lines == 1 ? "is" : "are");
        if (o->rest > 0)
            buf_addf(&text, " as bill %lld", (long long)o->rest);
    }
    message_warn(&ctx->messages, "%.*s", (int)text.len, text.len > 0 ? text.at : "");
    buf_free(&text);
}

void import_warn(struct op_context *ctx, struct ledger *ledger,
                 const struct ledger_imported *in)
{
    struct error ignored = {0};
    struct arrivals *a = arena_array(ctx->arena, struct arrivals, 1, &ignored);
    const struct ledger_bill *bills;
    size_t count;

    if (a == NULL)
        return;
    *a = (struct arrivals){
        .ctx = ctx, .in = in, .next = arena_array(ctx->arena, size_t, in->count, &ignored)};
    if (a->next == NULL)
        return;
    for (size_t i = 0; i < in->overlap_count && i < SAID_MAX; i++)
        say_overlap(ctx, &in->overlaps[i]);
    gather(a);
    if (ledger == NULL || !ledger_bills(ledger, ctx->arena, &bills, &count, &ignored))
        return;
    for (size_t k = 0; k < count; k++)
        if (!is_replaced(in, bills[k].key))
            meet(a, &bills[k]);
    if (a->twice > SAID_MAX || a->alike > SAID_MAX)
        message_warn(&ctx->messages, "and %d more of these",
                     (a->twice > SAID_MAX ? a->twice - SAID_MAX : 0) +
                         (a->alike > SAID_MAX ? a->alike - SAID_MAX : 0));
}
