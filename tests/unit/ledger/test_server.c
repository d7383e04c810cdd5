/* A ledger on a server: outages, access rights, versions. */
#include "ledgers.h"

#include "ledger/next_version.h"

static struct error failed; /* of the last call that was to fail */

static struct ledger *open_at(const char *address, enum ledger_mode mode)
{
    failed = (struct error){0};
    return ledger_open(address, mode, (span){2000000000}, &ledger_clock, &alloc_system,
                       &failed);
}

/* The address as another user. */
static const char *address_of(const char *user)
{
    static char address[300];

    (void)snprintf(address, sizeof address, "postgres://%s:geheim%s", user,
                   strchr(server_address, '@'));
    return address;
}

static void refused(const char *user, enum ledger_mode mode, const char *words)
{
    struct ledger *l = open_at(address_of(user), mode);

    if (l != NULL)
        fail_msg("'%s' was let in", user);
    if (strstr(failed.text, words) == NULL)
        fail_msg("%s", failed.text);
    assert_null(strstr(failed.text, "geheim"));
    assert_null(strstr(failed.hint, "geheim"));
    assert_null(strchr(failed.text, '\n'));
}

static void tables_are_made(struct ledger_roles *roles)
{
    struct ledger *l = open_at(server_address, LEDGER_ADMIN);
    int before, now;

    assert_non_null(l);
    if (!ledger_init(l, roles, &before, &now, &failed))
        fail_msg("%s", failed.text);
    ledger_close(l);
}

static void forget_users(void)
{
    (void)server_does(
        "DO \\$\\$ DECLARE r text; BEGIN FOR r IN SELECT rolname FROM pg_roles WHERE rolname IN"
        " ('bob', 'carol', 'stint_reader', 'stint_writer', 'stint_admin') LOOP"
        " EXECUTE 'DROP OWNED BY ' || r || ' CASCADE; DROP ROLE ' || r;"
        " END LOOP; END \\$\\$");
}

static void restart(void)
{
    assert_int_equal(server_script("halt", NULL, 0), 0);
    assert_int_equal(server_script("again", NULL, 0), 0);
}

static void a_server_that_restarted_is_found_again(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    struct ledger_sample s = sample_at(1);
    struct error err = {0};

    (void)state;
    (void)begin_run(l, &start);
    tick_run(l, &start, 1, 1, &s);
    restart();
    s.at_s = 2;
    tick_run(l, &start, 1, 2, &s); /* a transaction */
    restart();
    assert_true(ledger_event(l, start.id, 1, ledger_now, "notice", STR("x"), &err)); /* none */
    restart();
    assert_int_equal(read_run(l, "bert").totals.cost.nano, 2 * DOLLAR); /* one that reads */
    ledger_close(l);
}

static void transaction_ends_with_a_restart(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    struct ledger_totals t = totals_after(&start, 5);
    struct error err = {0};

    (void)state;
    (void)begin_run(l, &start);
    assert_true(ledger_start_write(l, &err));
    assert_true(ledger_tick(l, start.id, 1, &t, NULL, &err));
    restart();
    t.cost.nano++;
    assert_false(ledger_tick(l, start.id, 1, &t, NULL, &err));
    assert_int_equal(err.kind, ERROR_AWAY);
    assert_non_null(strstr(err.text, "connection to the server was lost"));
    assert_false(ledger_finish(l, true, &err));
    assert_int_equal(read_run(l, "bert").totals.cost.nano, MONEY_UNKNOWN); /* all undone */
    ledger_close(l);
}

static void lost_server_is_an_error(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    struct ledger_totals t = totals_after(&start, 5);
    struct ledger_sample s = sample_at(1);
    struct error err = {0};

    (void)state;
    (void)begin_run(l, &start);
    ledger_patience(l, (span){50000000});
    assert_int_equal(server_script("halt", NULL, 0), 0);
    for (int i = 0; i < 3; i++) { /* ERROR_AWAY: what a supervisor reports to its user */
        err = (struct error){0};
        assert_false(ledger_tick(l, start.id, 1, &t, &s, &err));
        assert_int_equal(err.kind, ERROR_AWAY);
    }
    assert_null(open_at(server_address, LEDGER_READ));
    assert_int_equal(failed.kind, ERROR_AWAY);
    assert_int_equal(server_script("again", NULL, 0), 0);
    ledger_patience(l, PATIENCE); /* as at the end of a run: it tries again at once */
    end_run(l, &start, 1, 6, RUN_DONE);
    assert_int_equal(read_run(l, "bert").state, RUN_DONE);
    ledger_close(l);
}

static void groups_have_access_rights(void **state)
{
    struct ledger_roles roles = {.asked = true};
    struct ledger_start start;
    struct ledger *l;

    (void)state;
    forget_users();
    assert_true(server_does("CREATE ROLE bob LOGIN"));
    tables_are_made(&roles);
    assert_int_equal(roles.made, 3);
    assert_true(roles.owner);
    tables_are_made(&roles); /* again: nothing is new */
    assert_int_equal(roles.made, 0);
    assert_false(roles.owner);

    refused("bob", LEDGER_READ, "'bob' has no permission");
    assert_string_equal(failed.hint, "ask an administrator to run 'GRANT stint_reader TO bob'");
    assert_true(server_does("GRANT stint_reader TO bob"));
    refused("bob", LEDGER_WRITE, "'bob' may only read it");
    l = open_at(address_of("bob"), LEDGER_READ);
    assert_non_null(l);
    assert_int_equal(count_runs(l, everything), 0);
    start = start_of("x");
    {
        int attempt;

        assert_false(ledger_begin(l, &start, &attempt, &failed));
        assert_int_equal(failed.kind, ERROR_SYSTEM);
        assert_non_null(strstr(failed.hint, "GRANT stint_writer TO bob"));
    }
    ledger_close(l);

    assert_true(server_does("GRANT stint_writer TO bob"));
    l = open_at(address_of("bob"), LEDGER_WRITE);
    assert_non_null(l);
    (void)begin_run(l, &start);
    end_run(l, &start, 1, 1, RUN_DONE);
    assert_int_equal(count_runs(l, everything), 1);
    ledger_close(l);
    forget_users();
}

static void missing_rights_are_explained(void **state)
{
    struct ledger_roles roles = {.asked = true};
    struct ledger *l;
    int before, now;

    (void)state;
    forget_users();
    assert_true(server_does("CREATE ROLE bob LOGIN; CREATE ROLE carol LOGIN;"
                            "GRANT CREATE ON DATABASE postgres TO carol"));
    refused("bob", LEDGER_READ, "there is no ledger");
    refused("bob", LEDGER_WRITE, "'bob' may not create them");
    l = open_at(address_of("carol"), LEDGER_ADMIN); /* makes tables, but no roles */
    assert_non_null(l);
    assert_false(ledger_init(l, &roles, &before, &now, &failed));
    assert_non_null(strstr(failed.text, "'carol' may not create roles"));
    roles.asked = false;
    assert_true(ledger_init(l, &roles, &before, &now, &failed));
    assert_int_equal(before, 0);
    assert_int_equal(now, ledger_newest(&ledger_schema));
    ledger_close(l);
    forget_users();
}

/* As open_at(), by a Stint with newer tables. */
static struct ledger *open_next_at(const char *address, enum ledger_mode mode)
{
    failed = (struct error){0};
    return ledger_open_as(next_schema(), address, mode, (span){2000000000}, &ledger_clock,
                          &alloc_system, &failed);
}

static void only_an_administrator_upgrades_tables(void **state)
{
    static const enum ledger_mode modes[] = {LEDGER_READ, LEDGER_CHANGE, LEDGER_WRITE};
    struct ledger_roles roles = {.asked = true};
    struct ledger *l;
    int before, now;

    (void)state;
    forget_users();
    tables_are_made(&roles);
    assert_true(server_does("CREATE ROLE bob LOGIN; GRANT stint_admin TO bob;"
                            "CREATE ROLE carol LOGIN; GRANT stint_writer TO carol"));
    for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
        assert_null(open_next_at(server_address, modes[i]));
        assert_non_null(strstr(failed.text, "has version 1, but this stint writes 3"));
        assert_non_null(strstr(failed.hint, "'stint ledger init' upgrades it"));
    }
    l = open_next_at(address_of("carol"), LEDGER_ADMIN);
    if (l != NULL) {
        assert_false(ledger_init(l, &roles, &before, &now, &failed));
        ledger_close(l);
    }
    assert_int_equal(failed.kind, ERROR_SYSTEM);

    /* Another administrator: what is made then is the group's, for all of them. */
    l = open_next_at(address_of("bob"), LEDGER_ADMIN);
    assert_non_null(l);
    roles.asked = false;
    if (!ledger_init(l, &roles, &before, &now, &failed))
        fail_msg("%s", failed.text);
    assert_int_equal(before, ledger_newest(&ledger_schema));
    assert_int_equal(now, ledger_newest(next_schema()));
    ledger_close(l);
    assert_true(server_does("SET ROLE carol; INSERT INTO stint.moods VALUES(1, 'good')"));
    assert_true(server_does("DO \\$\\$ BEGIN ASSERT (SELECT tableowner FROM pg_tables"
                            " WHERE tablename = 'moods') = 'stint_admin'; END \\$\\$"));
    refused("carol", LEDGER_WRITE, "but this stint knows only");
    forget_users();
}

static void another_programs_tables_are_left_alone(void **state)
{
    (void)state;
    assert_true(server_does("CREATE SCHEMA stint; CREATE TABLE stint.photos(x TEXT)"));
    assert_null(open_at(server_address, LEDGER_WRITE));
    assert_non_null(strstr(failed.text, "belongs to another program"));
}

static void unreachable_addresses_are_errors(void **state)
{
    static const char *const addresses[] = {
        "postgres://ann:geheim@127.0.0.1:1/db",       "postgres://ann:geheim@[::1/db",
        "postgres://ann:geheim@127.0.0.1:1/db?odd=1", "postgres://ann:ge%zzheim@h/db",
        "postgres://ann:geheim@/db?sslmode=odd",      "postgres://ann:ge@heim@127.0.0.1:1/db",
        "postgres://ann:ge/heim@127.0.0.1:1/db",      "postgres://ann:1/geheim@127.0.0.1:1/db",
        "postgres://ann:ge?heim@127.0.0.1:1/db"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(addresses); i++) {
        assert_null(open_at(addresses[i], LEDGER_WRITE));
        assert_true(failed.kind == ERROR_AWAY || failed.kind == ERROR_INPUT);
        assert_null(strstr(failed.text, "heim"));
        assert_null(strchr(failed.text, '\n'));
    }
}

/* Numbers of every size come back as they were. */
static void query_may_have_many_rows(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct error err = {0};
    struct query *q = ledger_query(l, "SELECT n FROM generate_series(1, CAST(? AS BIGINT)) n",
                                   NO_VALUES, &err);
    int64_t sum = 0;
    int row;

    (void)state;
    query_bind(q, 1, as_int(200000));
    while ((row = ledger_row(l, q, "read", &err)) > 0)
        sum += column_int(q, 0);
    assert_int_equal(row, 0);
    assert_int_equal(sum, INT64_C(200000) * 200001 / 2);
    query_bind(q, 1, as_int(100000)); /* stopped early: the next is not disturbed */
    assert_int_equal(ledger_row(l, q, "read", &err), 1);
    query_reset(q);
    query_bind(q, 1, as_int(1));
    assert_int_equal(ledger_row(l, q, "read", &err), 1);
    assert_int_equal(ledger_row(l, q, "read", &err), 0);
    ledger_close(l);
}

int group_server(void)
{
    const struct CMUnitTest tests[] = {
        server_test(a_server_that_restarted_is_found_again),
        server_test(transaction_ends_with_a_restart),
        server_test(lost_server_is_an_error),
        server_test(groups_have_access_rights),
        server_test(missing_rights_are_explained),
        server_test(only_an_administrator_upgrades_tables),
        server_test(another_programs_tables_are_left_alone),
        server_test(unreachable_addresses_are_errors),
        server_test(query_may_have_many_rows),
    };

    return server_tests(tests, ARRAY_LEN(tests));
}
