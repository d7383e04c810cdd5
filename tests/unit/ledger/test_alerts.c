/* Alerts are sent once, in order, by one sender, even when senders are killed. */
#include "ledgers.h"

#include <signal.h>
#include <sys/wait.h>

#include "ledger/budgets.h"

static const struct str two[] = {{"mail", 4}, {"team", 4}};
static const struct strs both = {two, 2}, team = {two + 1, 1};

static struct ledger_finding finding_of(const char *severity, double level, const char *title)
{
    return (struct ledger_finding){
        .alert = {.dedup = STR("budget/nlp/2026-11"),
                  .kind = STR("budget_threshold"),
                  .severity = str_from(severity),
                  .title = str_from(title),
                  .words = str_from(title),
                  .facts = STR("{\"facts\":[{\"name\":\"Spent\",\"value\":\"$1\"}]}"),
                  .level = level},
        .channels = both};
}

static void find_out(struct ledger *l, const char *severity, double level, const char *title)
{
    struct ledger_finding f = finding_of(severity, level, title);
    struct error err = {0};

    assert_true(ledger_findings(l, &f, 1, ledger_now, &err));
}

static void over(struct ledger *l)
{
    struct ledger_finding f = {.alert = {.dedup = STR("budget/nlp/2026-11")}, .over = true};
    struct error err = {0};

    assert_true(ledger_findings(l, &f, 1, ledger_now, &err));
}

static const struct ledger_delivery *all(struct ledger *l, size_t *count)
{
    const struct ledger_delivery *got;
    struct error err = {0};

    assert_true(ledger_deliveries(l, (stamp){-1}, 0, &ledger_arena, &got, count, &err));
    return got;
}

static struct ledger_due due(void)
{
    return (struct ledger_due){ledger_now, {ledger_now.s - 300}};
}

static bool take(struct ledger *l, struct ledger_delivery *out)
{
    struct ledger_due now = due();
    struct error err = {0};
    bool found;

    assert_true(ledger_delivery_take(l, &now, ledger_now, &ledger_arena, out, &found, &err));
    return found;
}

static void report_result(struct ledger *l, const struct ledger_delivery *d, bool sent,
                          int64_t again)
{
    struct error err = {0};

    assert_true(ledger_delivery_told(l, d, sent, sent ? STR("200") : STR("no answer"),
                                     ledger_now, (stamp){again}, &err));
}

/* Send all that is due; how many that were. */
static int send_all(struct ledger *l)
{
    struct ledger_delivery d;
    int sent = 0;

    while (take(l, &d)) {
        report_result(l, &d, true, -1);
        sent++;
    }
    return sent;
}

static void alert_is_sent_once_and_again_when_worse(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    const struct ledger_alert *alerts;
    struct error err = {0};
    size_t count;

    (void)state;
    find_out(l, "info", 0.5, "50 %");
    assert_int_equal(send_all(l), 2);
    ledger_now.s += 60;
    find_out(l, "info", 0.5, "50 %, a little more");
    assert_int_equal(send_all(l), 0);
    ledger_now.s += 60;
    find_out(l, "warning", 0.75, "75 %");
    assert_int_equal(send_all(l), 2);
    ledger_now.s += 60;
    find_out(l, "warning", 0.8, "80 %"); /* the next threshold of the same severity */
    assert_int_equal(send_all(l), 2);
    /* A smaller value sends nothing, and the highest severity stays. */
    ledger_now.s += 60;
    find_out(l, "info", 0.5, "50 %");
    assert_int_equal(send_all(l), 0);
    ledger_now.s += 60;
    find_out(l, "warning", 0.8, "83 %"); /* its title is of now all the same */
    assert_int_equal(send_all(l), 0);
    assert_true(
        ledger_alerts(l, (stamp){-1}, ALERTS_FIRING, &ledger_arena, &alerts, &count, &err));
    assert_int_equal(count, 1);
    assert_str_equal(alerts->title, "83 %");
    assert_str_equal(alerts->severity, "warning");
    assert_int_equal(alerts->updates, 2);
    over(l);
    assert_int_equal(send_all(l), 2);
    over(l); /* again: nothing is sent */
    assert_int_equal(send_all(l), 0);
    assert_true(
        ledger_alerts(l, (stamp){-1}, ALERTS_FIRING, &ledger_arena, &alerts, &count, &err));
    assert_int_equal(count, 0);
    /* The same event later is a new one. */
    find_out(l, "info", 0.5, "50 %");
    assert_true(
        ledger_alerts(l, (stamp){-1}, ALERTS_CHANGED, &ledger_arena, &alerts, &count, &err));
    assert_int_equal(count, 2);
    assert_int_equal(send_all(l), 2);
    ledger_close(l);
}

static void old_finding_changes_nothing(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_finding f = finding_of("critical", 1, "100 %");
    struct error err = {0};

    (void)state;
    find_out(l, "info", 0.5, "50 %");
    assert_int_equal(send_all(l), 2);
    assert_true(ledger_findings(l, &f, 1, (stamp){NOW - 1}, &err));
    assert_int_equal(send_all(l), 0);
    ledger_close(l);
}

static void unsent_message_has_the_latest_values(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    const struct ledger_delivery *got;
    struct ledger_delivery d;
    size_t count;

    (void)state;
    find_out(l, "info", 0.5, "50 %");
    find_out(l, "warning", 0.75, "75 %");
    got = all(l, &count);
    assert_int_equal(count, 2);
    assert_str_equal(got->what, "firing");
    assert_non_null(strstr(got->snapshot.at, "\"title\":\"75 %\""));
    assert_non_null(strstr(got->snapshot.at, "\"what\":\"firing\""));
    /* Over before a message was sent: none is. */
    over(l);
    assert_false(take(l, &d));
    got = all(l, &count);
    assert_int_equal(count, 2);
    assert_str_equal(got->state, "given up");
    assert_str_equal(got->answer, "not sent: it was over before");
    ledger_close(l);
}

static void postpone(struct ledger *l, const struct ledger_delivery *d)
{
    struct error err = {0};

    assert_true(ledger_delivery_postpone(l, d, STR("quiet"), (stamp){NOW + 9000}, &err));
}

/* An alert that gets worse while its message is postponed is due at once. */
static void worse_alert_is_not_postponed(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    const struct ledger_delivery *got;
    struct ledger_delivery d;
    size_t count;

    (void)state;
    find_out(l, "info", 0.5, "50 %");
    while (take(l, &d))
        postpone(l, &d);
    ledger_now.s += 60;
    find_out(l, "info", 0.5, "50 %, no worse");
    assert_false(take(l, &d));
    ledger_now.s += 60;
    find_out(l, "critical", 1, "100 %");
    assert_true(take(l, &d));
    assert_int_equal(d.not_before.s, NOW + 120);
    assert_str_equal(d.answer, "");
    assert_str_equal(d.what, "firing");
    assert_non_null(strstr(d.snapshot.at, "\"what\":\"firing\",\"severity\":\"critical\""));
    report_result(l, &d, true, -1);
    assert_int_equal(send_all(l), 1);
    (void)all(l, &count);
    assert_int_equal(count, 2);
    /* A postponed update stays an update. */
    find_out(l, "critical", 1.1, "110 %");
    while (take(l, &d))
        postpone(l, &d);
    find_out(l, "critical", 1.2, "120 %");
    assert_true(take(l, &d));
    assert_str_equal(d.what, "update");
    assert_non_null(strstr(d.snapshot.at, "\"what\":\"update\""));
    assert_non_null(strstr(d.snapshot.at, "120 %"));
    report_result(l, &d, true, -1);
    /* A message that a sender holds just then is given up in favor of the update. */
    assert_true(take(l, &d));
    find_out(l, "critical", 1.3, "130 %");
    postpone(l, &d);
    got = all(l, &count);
    for (size_t i = 0; i < count; i++)
        if (got[i].key == d.key)
            assert_str_equal(got[i].answer, "not sent: it became worse before");
    assert_int_equal(send_all(l), 2);
    ledger_close(l);
}

/* A channel that does not answer is not tried again early, whatever the severity. */
static void worse_alert_waits_for_a_failing_channel(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_finding other = finding_of("info", 0.5, "x");
    struct ledger_delivery d;
    struct error err = {0};

    (void)state;
    other.alert.dedup = STR("another");
    other.channels = team;
    assert_true(ledger_findings(l, &other, 1, ledger_now, &err));
    assert_true(take(l, &d));
    find_out(l, "info", 0.5, "50 %");
    report_result(l, &d, false, NOW + 3600); /* the channel is held */
    assert_int_equal(send_all(l), 1);
    find_out(l, "critical", 1, "100 %");
    assert_int_equal(send_all(l), 1); /* the other one */
    ledger_close(l);
}

/* An acknowledgement that was not sent yet does not delay a worse alert. */
static void acknowledgement_does_not_delay_a_worse_alert(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_seen seen = {.by = STR("ann"), .channels = both};
    struct ledger_delivery d;
    struct error err = {0};
    bool found;

    (void)state;
    find_out(l, "info", 0.5, "50 %");
    assert_true(take(l, &d));
    report_result(l, &d, false, -1); /* sent to one channel, not to the other */
    assert_int_equal(send_all(l), 1);
    assert_true(ledger_alert_acknowledge(l, 1, &seen, ledger_now, &found, &err));
    assert_true(take(l, &d));
    assert_str_equal(d.what, "acknowledged");
    postpone(l, &d);
    assert_false(take(l, &d)); /* no acknowledgement to a channel that got no alert */
    find_out(l, "critical", 1, "100 %");
    assert_true(take(l, &d));
    assert_str_equal(d.what, "update");
    report_result(l, &d, true, -1);
    assert_int_equal(send_all(l), 1);
    ledger_close(l);
}

static void resolved_waits_for_firing(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_delivery d;

    (void)state;
    find_out(l, "info", 0.5, "50 %");
    assert_true(take(l, &d));
    report_result(l, &d, false, NOW + 3600); /* may have arrived */
    over(l);
    assert_false(take(l, &d)); /* the other channel was never tried; this one waits */
    ledger_now.s = NOW + 3600;
    assert_true(take(l, &d));
    assert_str_equal(d.what, "firing");
    assert_int_equal(d.tries, 2);
    report_result(l, &d, true, -1);
    assert_true(take(l, &d));
    assert_str_equal(d.what, "resolved");
    assert_non_null(strstr(d.snapshot.at, "\"ended\":1794700800"));
    report_result(l, &d, true, -1);
    assert_false(take(l, &d));
    ledger_close(l);
}

static void message_belongs_to_one_sender_until_stale(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE), *other = open_ledger(LEDGER_WRITE);
    struct ledger_delivery first, second, third;
    const struct ledger_delivery *got;
    size_t count;

    (void)state;
    find_out(l, "info", 0.5, "50 %");
    assert_true(take(l, &first));
    assert_true(take(other, &second));
    assert_int_not_equal(first.key, second.key);
    assert_false(take(other, &third));
    ledger_now.s += 299;
    assert_false(take(other, &third));
    ledger_now.s += 1;
    assert_true(take(other, &third)); /* its sender is assumed dead */
    assert_int_equal(third.key, first.key);
    report_result(l, &first, false, -1); /* too late to report */
    got = all(l, &count);
    assert_str_equal(got[1].state, "sending");
    report_result(other, &third, true, -1);
    got = all(l, &count);
    assert_str_equal(got[1].state, "sent");
    assert_int_equal(got[1].tries, 2);
    ledger_close(l);
    ledger_close(other);
}

static void failing_channel_is_not_tried_early(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_finding f = finding_of("info", 0.5, "x");
    struct ledger_delivery d;
    struct error err = {0};

    (void)state;
    f.channels = team;
    assert_true(ledger_findings(l, &f, 1, ledger_now, &err));
    f.alert.dedup = STR("another");
    assert_true(ledger_findings(l, &f, 1, ledger_now, &err));
    assert_true(take(l, &d));
    report_result(l, &d, false, NOW + 60);
    assert_false(take(l, &d));
    ledger_now.s = NOW + 60;
    assert_int_equal(send_all(l), 2);
    ledger_close(l);
}

static void message_is_returned_untried(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    const struct ledger_delivery *more;
    struct ledger_delivery d;
    struct error err = {0};
    size_t count;
    int64_t revived;

    (void)state;
    find_out(l, "info", 0.5, "50 %");
    assert_true(take(l, &d));
    assert_true(ledger_delivery_postpone(l, &d, STR("quiet"), (stamp){NOW + 100}, &err));
    more = all(l, &count);
    assert_int_equal(more[1].tries, 0);
    assert_str_equal(more[1].answer, "quiet");
    assert_int_equal(send_all(l), 1);
    ledger_now.s = NOW + 100;
    assert_true(take(l, &d));
    report_result(l, &d, false, -1);
    assert_true(ledger_delivery_revive(l, ledger_now, &revived, &err));
    assert_int_equal(revived, 1);
    assert_int_equal(send_all(l), 1);
    ledger_close(l);
}

static void a_digest_takes_all_that_is_due(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    const struct ledger_delivery *more;
    struct ledger_delivery d;
    struct error err = {0};
    size_t count;

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct ledger_finding f = finding_of("info", 0.5, "x");
        char name[8];

        (void)snprintf(name, sizeof name, "e%d", i);
        f.alert.dedup = str_from(name);
        f.channels = team;
        assert_true(ledger_findings(l, &f, 1, ledger_now, &err));
    }
    assert_true(take(l, &d));
    assert_true(
        ledger_delivery_take_more(l, &d, ledger_now, &ledger_arena, &more, &count, &err));
    assert_int_equal(count, 2);
    for (size_t i = 0; i < count; i++)
        report_result(l, &more[i], true, -1);
    report_result(l, &d, true, -1);
    assert_false(take(l, &d));
    ledger_close(l);
}

static void acknowledged_alert_is_sent_again_only_when_worse(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    const struct str pagers[] = {STR("mail"), STR("never used")};
    struct ledger_seen seen = {STR("ann"), true, {pagers, 2}};
    const struct ledger_alert *alerts;
    struct ledger_delivery d;
    struct error err = {0};
    size_t count;
    bool found;

    (void)state;
    find_out(l, "info", 0.5, "50 %");
    assert_int_equal(send_all(l), 2);
    assert_true(ledger_alert_acknowledge(l, 1, &seen, ledger_now, &found, &err));
    assert_true(found);
    assert_true(take(l, &d)); /* the pager alone */
    assert_str_equal(d.what, "acknowledged");
    report_result(l, &d, true, -1);
    assert_false(take(l, &d));
    seen.false_alarm = false;
    assert_true(ledger_alert_acknowledge(l, 1, &seen, ledger_now, &found, &err));
    assert_false(take(l, &d)); /* once is enough */
    find_out(l, "info", 0.6, "60 %");
    assert_int_equal(send_all(l), 0);
    find_out(l, "critical", 1, "100 %");
    assert_int_equal(send_all(l), 2);
    assert_true(
        ledger_alerts(l, (stamp){-1}, ALERTS_CHANGED, &ledger_arena, &alerts, &count, &err));
    assert_true(alerts->acknowledged && alerts->false_alarm);
    assert_str_equal(alerts->acknowledged_by, "ann");
    assert_true(ledger_alert_acknowledge(l, 99, &seen, ledger_now, &found, &err));
    assert_false(found);
    ledger_close(l);
}

static void a_removed_channel_gets_nothing(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_delivery d;
    struct error err = {0};
    bool found;

    (void)state;
    find_out(l, "info", 0.5, "50 %");
    assert_true(ledger_channel_remove(l, STR("team"), &found, &err));
    assert_true(take(l, &d));
    assert_str_equal(d.channel, "mail");
    report_result(l, &d, true, -1);
    assert_false(take(l, &d));
    ledger_close(l);
}

/* Alerts that ended long ago are removed with their messages; firing or unsent ones are not. */
static void old_alerts_are_removed(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_finding firing = finding_of("info", 0.5, "y");
    const struct ledger_alert *alerts;
    struct ledger_delivery d;
    struct error err = {0};
    size_t count;

    (void)state;
    find_out(l, "info", 0.5, "50 %");
    firing.alert.dedup = STR("another");
    assert_true(ledger_findings(l, &firing, 1, ledger_now, &err));
    assert_int_equal(send_all(l), 4);
    ledger_now.s = NOW + 10;
    over(l);
    assert_true(take(l, &d));
    report_result(l, &d, true, -1);
    assert_true(ledger_alerts_forget(l, (stamp){NOW + 11}, &err)); /* one message is left */
    (void)all(l, &count);
    assert_int_equal(count, 6);
    assert_int_equal(send_all(l), 1);
    assert_true(ledger_alerts_forget(l, (stamp){NOW + 10}, &err)); /* not before */
    (void)all(l, &count);
    assert_int_equal(count, 6);
    assert_true(ledger_alerts_forget(l, (stamp){NOW + 11}, &err));
    (void)all(l, &count);
    assert_int_equal(count, 2);
    assert_true(ledger_alerts(l, (stamp){NOW + 1}, ALERTS_CHANGED_OR_FIRING, &ledger_arena,
                              &alerts, &count, &err));
    assert_int_equal(count, 1);
    assert_str_equal(alerts->dedup, "another");
    assert_true(ledger_alerts(l, (stamp){NOW + 1}, ALERTS_FIRING, &ledger_arena, &alerts,
                              &count, &err));
    assert_int_equal(count, 0);
    assert_true(ledger_alerts(l, (stamp){NOW + 1}, ALERTS_CHANGED, &ledger_arena, &alerts,
                              &count, &err));
    assert_int_equal(count, 0);
    ledger_close(l);
}

/* Many processes evaluate and send the same at once and are killed: each alert is sent once, to
 * all channels or to none. */
static void work_until_killed(void)
{
    struct error err = {0};
    struct ledger *l =
        ledger_open(ledger_file, LEDGER_WRITE, PATIENCE, &ledger_clock, &alloc_system, &err);

    for (int i = 0; l != NULL && i < 300; i++) {
        struct ledger_finding f[2] = {finding_of("info", i, "x"), finding_of("info", i, "y")};
        struct ledger_due now = due();
        struct ledger_delivery d;
        bool found;

        f[1].alert.dedup = STR("second");
        if (!ledger_findings(l, f, 2, ledger_now, &err))
            break;
        if (ledger_delivery_take(l, &now, ledger_now, &ledger_arena, &d, &found, &err) && found)
            (void)!ledger_delivery_told(l, &d, true, STR("200"), ledger_now, (stamp){-1}, &err);
    }
    _exit(0);
}

static void killed_evaluations_leave_all_or_nothing(void **state)
{
    const struct ledger_alert *alerts;
    const struct ledger_delivery *d;
    struct error err = {0};
    struct ledger *l;
    size_t count, sent[2] = {0};
    struct ledger_finding last[2] = {finding_of("info", 0, "x"), finding_of("info", 0, "y")};

    (void)state;
    for (int round = 0; round < 8; round++) {
        pid_t pids[3];

        for (int i = 0; i < 3; i++) {
            pids[i] = fork();
            assert_true(pids[i] >= 0);
            if (pids[i] == 0)
                work_until_killed();
        }
        (void)usleep((test_server != NULL ? 60000 : 3000) + (useconds_t)round * 2000);
        for (int i = 0; i < 3; i++)
            (void)kill(pids[i], SIGKILL);
        for (int i = 0; i < 3; i++)
            (void)waitpid(pids[i], NULL, 0);
    }
    l = open_ledger(LEDGER_WRITE);
    last[1].alert.dedup = STR("second");
    assert_true(ledger_findings(l, last, 2, ledger_now, &err));
    assert_true(
        ledger_alerts(l, (stamp){-1}, ALERTS_FIRING, &ledger_arena, &alerts, &count, &err));
    assert_int_equal(count, 2);
    assert_true(alerts[0].level == alerts[1].level); /* both or none */
    assert_int_equal(alerts[0].updates, alerts[1].updates);
    d = all(l, &count);
    for (size_t i = 0; i < count; i++)
        sent[d[i].alert == alerts[0].key] += str_eq(d[i].what, STR("firing"));
    assert_int_equal(sent[0], 2); /* one for each channel */
    assert_int_equal(sent[1], 2);
    ledger_close(l);
}

int group_alerts(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(alert_is_sent_once_and_again_when_worse),
        ledger_test(old_finding_changes_nothing),
        ledger_test(unsent_message_has_the_latest_values),
        ledger_test(worse_alert_is_not_postponed),
        ledger_test(worse_alert_waits_for_a_failing_channel),
        ledger_test(acknowledgement_does_not_delay_a_worse_alert),
        ledger_test(resolved_waits_for_firing),
        ledger_test(message_belongs_to_one_sender_until_stale),
        ledger_test(failing_channel_is_not_tried_early),
        ledger_test(message_is_returned_untried),
        ledger_test(a_digest_takes_all_that_is_due),
        ledger_test(acknowledged_alert_is_sent_again_only_when_worse),
        ledger_test(a_removed_channel_gets_nothing),
        ledger_test(old_alerts_are_removed),
        ledger_test(killed_evaluations_leave_all_or_nothing),
    };

    return run_on_engines(tests);
}
