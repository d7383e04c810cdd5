/* Sending what is due takes its time, and the ledger is told which. */
#include "world.h"

#include <unistd.h>

#include "op/alert/alert_send.h"

#define NOW INT64_C(1794700800) /* 2026-11-15 */
#define DEAD 12

static char folder[64], file[100];
static stamp clock_now;

static int send_make(void **state)
{
    struct world *w;

    (void)snprintf(folder, sizeof folder, "/tmp/stint-send-XXXXXX");
    if (mkdtemp(folder) == NULL || world_make(state) != 0)
        return 1;
    (void)snprintf(file, sizeof file, "%s/ledger.db", folder);
    w = *state;
    w->settings.ledger = str_from(file);
    return 0;
}

static int send_end(void **state)
{
    char command[100];
    int status = world_end(state);

    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return status != 0 ? status : system(command);
}

/* Every look at it is half a minute after the last: as long as a receiver may take. */
static stamp slow(void *ctx)
{
    stamp *at = ctx;

    at->s += 30;
    return *at;
}

static void add_channels(struct ledger *l, struct str *names)
{
    static char text[DEAD][8];
    struct error err = {0};
    bool replaced;

    for (int i = 0; i < DEAD; i++) {
        struct ledger_channel c = {.kind = STR("webhook"),
                                   .settings = STR("{\"url\":\"http://127.0.0.1:1/\"}")};

        (void)snprintf(text[i], sizeof text[i], "c%02d", i);
        names[i] = c.name = str_from(text[i]);
        assert_true(ledger_channel_put(l, &c, &replaced, &err));
    }
}

/* A message that is taken after many dead channels is not stale at once; nor is any tried again
 * and again meanwhile. */
static void each_message_has_its_time(void **state)
{
    struct world *w = *state;
    struct error err = {0};
    struct ledger *l = op_ledger(&w->ctx, LEDGER_WRITE, &err);
    struct str names[DEAD];
    struct ledger_finding f = {.alert = {.dedup = STR("d"),
                                         .kind = STR("anomaly"),
                                         .severity = STR("info"),
                                         .title = STR("t"),
                                         .words = STR("w")},
                               .channels = {names, DEAD}};
    const struct ledger_delivery *got;
    struct alert_sent sent;
    size_t count;

    assert_non_null(l);
    add_channels(l, names);
    assert_true(ledger_findings(l, &f, 1, (stamp){NOW}, &err));
    clock_now = (stamp){NOW};
    w->clock = (struct clock){.today = slow, .now = w->clock.now, .ctx = &clock_now};
    assert_true(op_alert_deliver(&w->ctx, l, &sent, &err));
    assert_int_equal(sent.waiting, DEAD);
    assert_true(ledger_deliveries(l, (stamp){-1}, 0, &w->arena, &got, &count, &err));
    assert_int_equal(count, DEAD);
    for (size_t i = 0; i < count; i++) { /* the newest first */
        assert_int_equal(got[i].tries, 1);
        assert_true(i == 0 || got[i].tried.s < got[i - 1].tried.s);
        assert_int_equal(got[i].not_before.s, got[i].tried.s + 60);
    }
    assert_true(got[0].tried.s >= NOW + DEAD * 60);
    ledger_close(l);
}

int group_alert_send(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_message_has_its_time, send_make, send_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
