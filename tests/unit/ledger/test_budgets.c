/* Budgets and channels are kept as they were given. */
#include "ledgers.h"

#include "ledger/budgets.h"

static struct ledger_budget budget_of(const char *name)
{
    static const struct str scope[] = {{"team=nlp", 8}, {"gpu!=\"A, B\"", 11}};
    static const struct str channels[] = {{"team", 4}};
    static const double thresholds[] = {0.5, 0.755, 1};
    struct ledger_budget b = {.name = str_from(name),
                              .amount = {.currency = {"EUR"}},
                              .period = STR("month"),
                              .scope = {scope, 2},
                              .thresholds = {thresholds, 3},
                              .channels = {channels, 1},
                              .rollover = true,
                              .zone = STR("Europe/Berlin"),
                              .first_day = DAY_UNKNOWN,
                              .last_day = {20000},
                              .owner = STR("ann"),
                              .made = {NOW},
                              .changed = {NOW}};

    assert_true(decimal_parse(STR("5000.123456789012345678"), &b.amount.amount));
    return b;
}

static void a_budget_is_kept_exactly(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_budget b = budget_of("nlp");
    const struct ledger_budget *got;
    struct error err = {0};
    struct buf text;
    size_t count;
    bool replaced;

    (void)state;
    assert_true(ledger_budgets(l, &ledger_arena, &got, &count, &err)); /* no tables yet */
    assert_int_equal(count, 0);
    assert_true(ledger_budget_put(l, &b, &replaced, &err));
    assert_false(replaced);
    b.changed.s = NOW + 5;
    b.made.s = NOW + 5; /* that stays */
    b.stops = true;
    assert_true(ledger_budget_put(l, &b, &replaced, &err));
    assert_true(replaced);
    assert_true(ledger_budgets(l, &ledger_arena, &got, &count, &err));
    assert_int_equal(count, 1);
    assert_str_equal(got->name, "nlp");
    text = buf_new(&alloc_system, 100);
    decimal_write(got->amount.amount, &text);
    assert_str_equal(buf_text(&text), "5000.123456789012345678");
    buf_free(&text);
    assert_string_equal(got->amount.currency.code, "EUR");
    assert_int_equal(got->scope.len, 2);
    assert_str_equal(got->scope.at[1], "gpu!=\"A, B\"");
    assert_int_equal(got->thresholds.len, 3);
    assert_true(got->thresholds.at[1] == 0.755);
    assert_int_equal(got->forecast.len, 0);
    assert_str_equal(got->channels.at[0], "team");
    assert_true(got->rollover && got->stops);
    assert_str_equal(got->zone, "Europe/Berlin");
    assert_int_equal(got->first_day.n, DAY_UNKNOWN.n);
    assert_int_equal(got->last_day.n, 20000);
    assert_int_equal(got->made.s, NOW);
    assert_int_equal(got->changed.s, NOW + 5);
    assert_str_equal(got->owner, "ann");
    ledger_close(l);
}

static void budgets_are_removed_by_name(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_budget b = budget_of("b"), a = budget_of("a");
    const struct ledger_budget *got;
    struct error err = {0};
    size_t count;
    bool done;

    (void)state;
    assert_true(ledger_budget_put(l, &b, &done, &err));
    assert_true(ledger_budget_put(l, &a, &done, &err));
    assert_true(ledger_budgets(l, &ledger_arena, &got, &count, &err));
    assert_int_equal(count, 2);
    assert_str_equal(got[0].name, "a");
    assert_true(ledger_budget_remove(l, STR("none"), &done, &err));
    assert_false(done);
    assert_true(ledger_budget_remove(l, STR("a"), &done, &err));
    assert_true(done);
    assert_true(ledger_budgets(l, &ledger_arena, &got, &count, &err));
    assert_int_equal(count, 1);
    ledger_close(l);
}

static void channels_are_kept(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_channel c = {
        STR("team"), STR("slack"), STR("{\"url_env\":\"SLACK_URL\"}"), {NOW}};
    const struct ledger_channel *got;
    struct error err = {0};
    size_t count;
    bool done;

    (void)state;
    assert_true(ledger_channel_put(l, &c, &done, &err));
    assert_false(done);
    c.kind = STR("discord");
    assert_true(ledger_channel_put(l, &c, &done, &err));
    assert_true(done);
    assert_true(ledger_channels(l, &ledger_arena, &got, &count, &err));
    assert_int_equal(count, 1);
    assert_str_equal(got->kind, "discord");
    assert_str_equal(got->settings, "{\"url_env\":\"SLACK_URL\"}");
    assert_true(ledger_channel_remove(l, STR("team"), &done, &err));
    assert_true(done);
    assert_true(ledger_channel_remove(l, STR("team"), &done, &err));
    assert_false(done);
    ledger_close(l);
}

static void many_are_read(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    const struct ledger_budget *got;
    struct error err = {0};
    char name[16];
    size_t count;
    bool done;

    (void)state;
    for (int i = 0; i < 100; i++) {
        struct ledger_budget b;

        (void)snprintf(name, sizeof name, "n%03d", i);
        b = budget_of(name);
        assert_true(ledger_budget_put(l, &b, &done, &err));
    }
    assert_true(ledger_budgets(l, &ledger_arena, &got, &count, &err));
    assert_int_equal(count, 100);
    assert_str_equal(got[99].name, "n099");
    ledger_close(l);
}

int group_budgets(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(a_budget_is_kept_exactly),
        ledger_test(budgets_are_removed_by_name),
        ledger_test(channels_are_kept),
        ledger_test(many_are_read),
    };

    return run_on_engines(tests);
}
