/* The contract of db.h for an engine: exact amounts, many rows, transactions. */
#include "ledgers.h"

static struct query *ask(struct ledger *l, const char *sql)
{
    struct error err = {0};
    struct query *q = ledger_query(l, sql, NO_VALUES, &err);

    if (q == NULL)
        fail_msg("%s", err.text);
    return q;
}

static void done(struct ledger *l, struct query *q)
{
    struct error err = {0};

    if (!ledger_done(l, q, "write", &err))
        fail_msg("%s", err.text);
}

static void start(struct ledger *l)
{
    struct error err = {0};

    if (!ledger_start_write(l, &err))
        fail_msg("%s", err.text);
}

static void finish(struct ledger *l)
{
    struct error err = {0};

    if (!ledger_finish(l, true, &err))
        fail_msg("%s", err.text);
}

static struct decimal decimal_of(const char *text)
{
    struct decimal d;

    assert_true(decimal_parse(str_from(text), &d));
    return d;
}

static void put_rate(struct ledger *l, int64_t day_number, const char *amount)
{
    struct decimal d = decimal_of(amount);
    struct query *q = ask(l, "INSERT INTO rates(day, currency, usd, source)"
                             " VALUES(?, ?, ?, ?)");

    query_bind(q, 1, as_int(day_number));
    query_bind(q, 2, as_text(STR("EUR")));
    query_bind(q, 3, as_amount(d));
    query_bind(q, 4, as_text(STR("here")));
    done(l, q);
}

static void check_sum(struct ledger *l, const char *wanted)
{
    struct query *q = ask(l, "SELECT SUM_AMOUNT(usd) FROM rates");
    struct error err = {0};
    struct decimal sum;

    assert_int_equal(ledger_row(l, q, "read", &err), 1);
    assert_true(column_amount(q, 0, &sum, &err));
    assert_int_equal(decimal_cmp(sum, decimal_of(wanted)), 0);
    assert_int_equal(ledger_row(l, q, "read", &err), 0);
}

static void amounts_are_exact(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct error err = {0};
    struct query *q;

    (void)state;
    start(l);
    check_sum(l, "0"); /* of nothing: NULL */
    put_rate(l, 1, "0.1");
    put_rate(l, 2, "7.0E-10");
    put_rate(l, 3, "-12345678901.0000000000000000000000000001");
    check_sum(l, "-12345678900.8999999993000000000000000001");
    finish(l);
    q = ask(l, "SELECT usd, CAST(NULL AS TEXT) FROM rates ORDER BY day");
    for (int i = 0; i < 3; i++) {
        struct decimal d;

        assert_int_equal(ledger_row(l, q, "read", &err), 1);
        assert_true(column_amount(q, 0, &d, &err));
        if (i == 1)
            assert_int_equal(decimal_cmp(d, decimal_of("0.0000000007")), 0);
        assert_true(column_amount(q, 1, &d, &err));
        assert_int_equal(decimal_cmp(d, (struct decimal){0}), 0);
        assert_true(column_null(q, 1));
    }
    query_reset(q);
    ledger_close(l);
}

static void many_rows_go_in_at_once(void **state)
{
    static const char *const columns[] = {"started", "ended", "amount",
                                          "source",  "what",  "tags"};
    static const char odd[] = "a\tb\\c\nd\re'f\"g\x01 \xc3\xa9 \xff.";
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct error err = {0};
    struct bulk *b;
    struct query *q;

    (void)state;
    start(l);
    b = bulk_open(l, "counts", columns, ARRAY_LEN(columns), &err);
    assert_non_null(b);
    for (int i = 0; i < 5000; i++) {
        bulk_put(b, as_int(INT64_MIN + i));
        bulk_put(b, as_int(INT64_MAX - i));
        bulk_put(b, as_text_or_null(STR("1.50")));
        bulk_put(b, as_text(STR("s")));
        bulk_put(b, as_text(i % 2 == 0 ? STR("") : STR("\\N")));
        bulk_put(b, as_text(STR(odd)));
        assert_true(bulk_row(b, &err));
    }
    assert_true(bulk_close(b, true, &err));
    finish(l);
    q = ask(l, "SELECT amount, ended, what, tags FROM counts WHERE started = ?");
    query_bind(q, 1, as_int(INT64_MIN + 5000)); /* one too many */
    assert_int_equal(ledger_row(l, q, "read", &err), 0);
    query_bind(q, 1, as_int(INT64_MIN));
    assert_int_equal(ledger_row(l, q, "read", &err), 1);
    assert_int_equal(column_view(q, 2).len, 0);
    assert_false(column_null(q, 2));
    query_reset(q);
    query_bind(q, 1, as_int(INT64_MIN + 4999));
    assert_int_equal(ledger_row(l, q, "read", &err), 1);
    assert_string_equal(column_word(q, 0), "1.50");
    assert_int_equal(column_int(q, 1), INT64_MAX - 4999);
    assert_string_equal(column_word(q, 2), "\\N");
    /* PostgreSQL keeps UTF-8 only. */
    assert_string_equal(column_word(q, 3), test_server != NULL
                                               ? "a\tb\\c\nd\re'f\"g\x01 \xc3\xa9 \xef\xbf\xbd."
                                               : odd);
    query_reset(q);
    ledger_close(l);
}

static void invalid_row_is_refused_and_nothing_is_kept(void **state)
{
    static const char *const columns[] = {"day", "currency", "usd", "source"};
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct error err = {0};
    struct bulk *b;
    bool ok = true;

    (void)state;
    start(l);
    finish(l);
    start(l);
    b = bulk_open(l, "rates", columns, ARRAY_LEN(columns), &err);
    assert_non_null(b);
    for (int i = 0; ok && i < 2; i++) { /* the same day twice */
        bulk_put(b, as_int(1));
        bulk_put(b, as_text(STR("EUR")));
        bulk_put(b, as_text_or_null(STR("1.1")));
        bulk_put(b, as_text(STR("here")));
        ok = bulk_row(b, &err);
    }
    assert_false(bulk_close(b, ok, &err));
    assert_int_equal(err.kind, ERROR_FAILED);
    assert_false(ledger_finish(l, false, &err));
    start(l);
    check_sum(l, "0");
    finish(l);
    ledger_close(l);
}

static void unfinished_transaction_is_undone(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct error err = {0};

    (void)state;
    start(l);
    finish(l);
    assert_true(ledger_start_alone(l, &err));
    put_rate(l, 1, "5");
    check_sum(l, "5");
    assert_false(ledger_finish(l, false, &err));
    assert_int_equal(ledger_start_read(l, &err), 1);
    check_sum(l, "0");
    finish(l);
    ledger_close(l);
}

/* A query inside another query, repeatedly. */
static void nested_queries_work(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct error err = {0};
    struct query *outer;
    int64_t seen = 0;

    (void)state;
    start(l);
    for (int i = 0; i < 400; i++)
        put_rate(l, i, "1");
    finish(l);
    assert_int_equal(ledger_start_read(l, &err), 1);
    outer = ask(l, "SELECT day FROM rates ORDER BY day");
    while (ledger_row(l, outer, "read", &err) > 0) {
        struct query *inner = ask(l, "SELECT count(*) FROM rates WHERE day <= ?");

        assert_int_equal(column_int(outer, 0), seen);
        query_bind(inner, 1, as_int(seen++));
        assert_int_equal(ledger_row(l, inner, "read", &err), 1);
        assert_int_equal(column_int(inner, 0), seen);
        query_reset(inner);
        assert_int_equal(column_int(outer, 0), seen - 1);
    }
    assert_int_equal(seen, 400);
    finish(l);
    ledger_close(l);
}

/* However many statements there are, each is prepared once and kept. */
static void any_number_of_statements_is_kept(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    static char texts[300][32];
    struct query *first[300];
    struct error err = {0};

    (void)state;
    start(l); /* makes the tables */
    finish(l);
    assert_int_equal(ledger_start_read(l, &err), 1);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 300; i++) {
            struct query *q;

            (void)snprintf(texts[i], sizeof texts[i], "SELECT %d", i);
            q = ask(l, texts[i]);
            assert_true(round == 0 || q == first[i]);
            first[i] = q;
            assert_int_equal(ledger_row(l, q, "read", &err), 1);
            assert_int_equal(column_int(q, 0), i);
            query_reset(q);
        }
    finish(l);
    ledger_close(l);
}

static void keys_go_on_after_those_that_were_given(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct error err = {0};
    struct query *q;
    int64_t key;

    (void)state;
    start(l);
    q = ask(l, "INSERT INTO channels(channel, name, kind, settings, made)"
               " VALUES(70, 'a', 'slack', '', 1)");
    done(l, q);
    assert_true(ledger_next_keys(l, "channels", "channel", &err));
    assert_true(ledger_insert(l,
                              "INSERT INTO channels(name, kind, settings, made)"
                              " VALUES('b', 'slack', '', 1) RETURNING channel",
                              NO_VALUES, &key, &err));
    assert_int_equal(key, 71);
    finish(l);
    ledger_close(l);
}

static void check_shown(const char *path, const char *wanted)
{
    struct error err = {0};
    char *shown = ledger_shown(str_from(path), &ledger_arena, &err);

    assert_non_null(shown);
    assert_string_equal(shown, wanted);
}

static void passwords_are_never_shown(void **state)
{
    (void)state;
    check_shown("/home/ann:secret@x/ledger.db", "/home/ann:secret@x/ledger.db");
    check_shown("postgres://host/db", "postgres://host/db");
    check_shown("postgres://ann@host/db", "postgres://ann@host/db");
    check_shown("postgres://ann:secret@host:5432/db", "postgres://ann:***@host:5432/db");
    check_shown("postgres://ann:@host/db", "postgres://ann:***@host/db");
    check_shown("PostgreSQL://ann:se/c@ret@host/db?sslmode=require",
                "PostgreSQL://ann:***@host/db?sslmode=require");
    check_shown("postgresql://host/db?user=ann&password=secret&connect_timeout=3",
                "postgresql://host/db?user=ann&password=***&connect_timeout=3");
    check_shown("postgresql:///db?pass%77ord=secret&sslpassword=x",
                "postgresql:///db?pass%77ord=***&sslpassword=***");
    check_shown("postgres://:secret@host", "postgres://:***@host");
    check_shown("postgres://ann:se?cret@host/db", "postgres://ann:***@host/db");
    check_shown("postgres://", "postgres://");
    assert_true(ledger_is_server("postgresql://x"));
    assert_false(ledger_is_server("postgres.db"));
}

static void invalid_addresses_are_refused(void **state)
{
    static const struct {
        const char *path;
        bool fine;
        const char *public;
    } cases[] = {
        {"/data/host=a/ledger.db", true, "/data/host=a/ledger.db"},
        {"postgres.db", true, "postgres.db"},
        {"postgres://ann:s@h/db?password=x&sslmode=require", true,
         "postgres://ann@h/db?sslmode=require"},
        {"postgres://h/db?password=x", true, "postgres://h/db"},
        {"postgres:h/db", false, ""},
        {"PostgreSQL:ann:s@h", false, ""},
        {"host=h dbname=costs", false, ""},
        {"sslmode=require PASSWORD=s", false, ""},
    };
    struct error err = {0};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str path = str_from(cases[i].path);

        assert_int_equal(ledger_address_check(path, &err), cases[i].fine);
        assert_string_equal(ledger_public(path, &ledger_arena, &err), cases[i].public);
        assert_null(strstr(err.text, "s@h"));
    }
    assert_false(ledger_address_check(STR(" ledger.db"), &err));
    check_shown("host=h password=secret", "***");
}

int group_db(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(amounts_are_exact),
        ledger_test(many_rows_go_in_at_once),
        ledger_test(invalid_row_is_refused_and_nothing_is_kept),
        ledger_test(unfinished_transaction_is_undone),
        ledger_test(nested_queries_work),
        ledger_test(any_number_of_statements_is_kept),
        ledger_test(keys_go_on_after_those_that_were_given),
        ledger_test(passwords_are_never_shown),
        ledger_test(invalid_addresses_are_refused),
    };

    return run_on_engines(tests);
}
