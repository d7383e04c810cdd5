/* Sending takes time, and the ledger records when each message was tried. */
#include "test.h"

#include <stdio.h>
#include <unistd.h>

#include "alert/queue.h"

#define NOW INT64_C(1794700800) /* 2026-11-15 */
#define DEAD 12

static char folder[64], file[100];
static stamp clock_now;

static int folder_make(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/stint-send-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return 1;
    (void)snprintf(file, sizeof file, "%s/ledger.db", folder);
    return 0;
}

static int folder_remove(void **state)
{
    char command[100];

    (void)state;
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* Each reading is half a minute after the last: as long as a receiver may take. */
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

/* A message that is taken after many dead channels is not stale at once; nor is any tried
 * repeatedly meanwhile. */
static void each_message_has_its_time(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct clock clock = {.today = slow, .now = clock_system.now, .ctx = &clock_now};
    struct error err = {0};
    struct ledger *l = ledger_open(file, LEDGER_WRITE, (span){INT64_C(1000000000)}, &clock,
                                   &alloc_system, &err);
    struct alert_sender with = {.ledger = l, .arena = &arena, .clock = &clock};
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

    (void)state;
    assert_non_null(l);
    add_channels(l, names);
    assert_true(ledger_findings(l, &f, 1, (stamp){NOW}, &err));
    clock_now = (stamp){NOW};
    assert_true(alert_deliver(&with, &sent, &err));
    assert_int_equal(sent.waiting, DEAD);
    assert_true(ledger_deliveries(l, (stamp){-1}, 0, &arena, &got, &count, &err));
    assert_int_equal(count, DEAD);
    for (size_t i = 0; i < count; i++) { /* the newest first */
        assert_int_equal(got[i].tries, 1);
        assert_true(i == 0 || got[i].tried.s < got[i - 1].tried.s);
        assert_int_equal(got[i].not_before.s, got[i].tried.s + 60);
    }
    assert_true(got[0].tried.s >= NOW + DEAD * 60);
    ledger_close(l);
    arena_free(&arena);
}

int group_queue(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_message_has_its_time, folder_make, folder_remove),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
