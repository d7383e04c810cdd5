/* market_world.h - a context with a small price store of its own, in a folder that goes with
 * it. */
#ifndef TESTS_OP_MARKET_WORLD_H
#define TESTS_OP_MARKET_WORLD_H

#include "world.h"

#include <unistd.h>

#include "market/store.h"
#include "op/context.h"

#define TODAY INT64_C(1794700800) /* 2026-11-15, where the clock stands */
#define DAY_S INT64_C(86400)
#define DOLLAR INT64_C(1000000000)
#define CENT INT64_C(10000000)

static char market_folder[64], market_path[100];

static inline int market_make(void **state)
{
    struct world *w;

    (void)snprintf(market_folder, sizeof market_folder, "/tmp/stint-market-XXXXXX");
    if (mkdtemp(market_folder) == NULL || world_make(state) != 0)
        return 1;
    (void)snprintf(market_path, sizeof market_path, "%s/prices.db", market_folder);
    w = *state;
    w->settings.prices = str_from(market_folder);
    return 0;
}

static inline int market_end(void **state)
{
    char command[200];
    int status = world_end(state);

    (void)snprintf(command, sizeof command, "rm -r %s", market_folder);
    return status != 0 ? status : system(command);
}

#define market_test(name) cmocka_unit_test_setup_teardown(name, market_make, market_end)

static inline struct store_edit *market_edit(const char *feed, enum confidence confidence)
{
    struct feed_format format = {.name = feed, .confidence = confidence, .scope = SCOPE_ROWS};
    struct error err = {0};
    struct store_edit *edit = store_edit_new(&alloc_system, &err);

    assert_non_null(edit);
    if (!store_edit_feed(edit, &format, str_from(feed), STR("a file"), &err))
        fail_msg("%s", err.text);
    return edit;
}

/* "aws/us-east-1/use1-az1/p5.48xlarge" (or without the zone), 8 H100, at `days` before
 * today. */
static inline struct quote market_quote(const char *offer, double days)
{
    struct str rest = str_from(offer), parts[4] = {{0}};
    struct quote q = quote_blank();
    size_t count = 0;

    while (rest.len > 0 && count < 4)
        parts[count++] = str_cut(&rest, '/');
    q.provider = parts[0];
    q.region = parts[1];
    q.zone = count == 4 ? parts[2] : (struct str){0};
    q.instance = parts[count - 1];
    q.accelerator = STR("H100-SXM-80GB");
    q.count = 8;
    q.at.s = TODAY - (int64_t)(days * (double)DAY_S);
    return q;
}

static inline void market_add(struct store_edit *edit, const struct quote *q)
{
    struct error err = {0};

    if (!store_edit_quote(edit, q, &err))
        fail_msg("%s", err.text);
}

static inline void market_tell(struct store_edit *edit, const char *offer, double days,
                               enum market market, int64_t nano)
{
    struct quote q = market_quote(offer, days);

    q.price[market] = nano;
    market_add(edit, &q);
}

static inline void market_commit(struct store_edit *edit)
{
    struct store_change change;
    struct error err = {0};

    if (!store_commit(edit, market_path, (stamp){TODAY}, &change, &err))
        fail_msg("%s", err.text);
    store_edit_free(edit);
}

/* The reply to a request, in the arena; an error as "KIND text | hint". */
static inline const char *ask(struct world *w, const char *name, const char *request)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    const struct op *op = op_find(str_from(name));
    struct error err = {0};
    char *reply;

    assert_non_null(op);
    w->said[0] = '\0';
    if (!op_call(&w->ctx, op, str_from(request), &out, &err)) {
        buf_clear(&out);
        buf_addf(&out, "%s %s | %s", error_kind_name(err.kind), err.text, err.hint);
    }
    reply = str_dup(buf_text(&out), &w->arena, &err);
    buf_free(&out);
    assert_non_null(reply);
    return reply;
}

/* How often `part` stands in `text`. */
static inline size_t times(const char *text, const char *part)
{
    size_t count = 0;

    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        count++;
    return count;
}

#define assert_says(text, part) \
    do { \
        const char *text_ = (text); \
        if (strstr(text_, (part)) == NULL) \
            fail_msg("'%s' is not in:\n%s", (part), text_); \
    } while (0)

#endif
