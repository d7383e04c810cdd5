/* One message over the wire: what the answer means, and no secret in its messages. */
#include "server.h"

#include "alert/alert.h"
#include "net/sign.h"
#include "net/smtp.h"

#define NOW ((stamp){1794700800})
#define MS INT64_C(1000000)

static const struct http_manners quick = {.tries = 1,
                                          .wait = {10 * MS},
                                          .patience = {10 * MS},
                                          .connect = {2000 * MS},
                                          .stall = {1000 * MS},
                                          .attempt = {1500 * MS}};
static const struct http_client client = {.alloc = &alloc_system, .manners = &quick};

static bool send_to(enum alert_kind kind, const char *url, struct alert_outcome *out)
{
    struct alert_channel c = {.kind = kind, .url = url, .key = "a-very-secret-key"};
    struct alert_message m = {.id = STR("1"),
                              .dedup = STR("d"),
                              .type = STR("test"),
                              .title = STR("Title"),
                              .began = NOW,
                              .ended = {-1}};
    bool ok = alert_send(&client, &c, &m, NOW, out);

    assert_null(strstr(out->answer, "SECRET"));
    assert_null(strstr(out->answer, "a-very-secret-key"));
    assert_null(strchr(out->answer, '\n'));
    assert_true(out->answer[0] != '\0');
    return ok;
}

static void test_taken(void **state)
{
    struct alert_outcome o;

    (void)state;
    server_start("POST /SECRETPATH/1 204\nPOST /api/v2/alerts 200\nPOST / 200\n"
                 "POST /big 200\n body 0123456789\n endless\n");
    assert_true(send_to(ALERT_DISCORD, server_url("/SECRETPATH/1"), &o));
    assert_int_equal(o.status, 204);
    assert_true(send_to(ALERT_ALERTMANAGER, server_url("/"), &o));
    assert_true(send_to(ALERT_ALERTMANAGER, server_url("/api/v2/alerts"), &o));
    assert_int_equal(server_count("POST /api/v2/alerts -> 200"), 2);
    assert_int_equal(server_count("Authorization: Bearer a-very-secret-key"), 2);
    assert_true(send_to(ALERT_NTFY, server_url("/topic"), &o));
    assert_int_equal(server_count("\"topic\":\"topic\""), 1);
    assert_true(send_to(ALERT_SLACK, server_url("/big"), &o)); /* accepted anyway */
}

static void test_refused(void **state)
{
    struct alert_outcome o;

    (void)state;
    server_start("POST /SECRETPATH/404 404\n body no_service SECRETPATH\n"
                 "POST /SECRETPATH/429 429\n header Retry-After: 90\n"
                 "POST /SECRETPATH/500 500\n"
                 "POST /SECRETPATH/302 302\n header Location: http://127.0.0.1:{port}/taken\n"
                 "POST /SECRETPATH/hang 200\n delay 4000\n"
                 "POST /SECRETPATH/cut 200\n length 50\n body x\n cut 1\n"
                 "GET /taken 200\nPOST /taken 200\n");
    assert_false(send_to(ALERT_SLACK, server_url("/SECRETPATH/404"), &o));
    assert_false(o.retry);
    assert_int_equal(o.status, 404);
    assert_non_null(strstr(o.answer, "no_service ***"));
    assert_false(send_to(ALERT_SLACK, server_url("/SECRETPATH/429"), &o));
    assert_true(o.retry);
    assert_int_equal(o.after.ns, 90 * 1000 * MS);
    assert_false(send_to(ALERT_SLACK, server_url("/SECRETPATH/500"), &o));
    assert_true(o.retry);
    assert_int_equal(o.after.ns, 0);
    assert_false(send_to(ALERT_SLACK, server_url("/SECRETPATH/302"), &o));
    assert_false(o.retry);
    assert_int_equal(server_count("/taken"), 0);
    assert_false(send_to(ALERT_SLACK, server_url("/SECRETPATH/hang"), &o));
    assert_true(o.retry);
    assert_int_equal(o.status, 0);
}

static void test_no_server(void **state)
{
    struct alert_outcome o;

    (void)state;
    assert_false(send_to(ALERT_SLACK, "http://127.0.0.1:1/SECRETPATH", &o));
    assert_true(o.retry);
    /* Secrets are not sent unencrypted. */
    assert_false(send_to(ALERT_SLACK, "http://192.0.2.1/SECRETPATH", &o));
    assert_false(o.retry);
    assert_non_null(strstr(o.answer, "plain http"));
    assert_false(send_to(ALERT_PAGERDUTY, "http://192.0.2.1/v2/enqueue", &o));
    assert_non_null(strstr(o.answer, "plain http"));
    assert_false(send_to(ALERT_WEBHOOK, "ftp://192.0.2.1/", &o));
    assert_false(o.retry);
}

/* RFC 4231, test case 2; and the header that a webhook gets. */
static void test_signature(void **state)
{
    const struct str texts[] = {STR("what do ya want "), STR("for nothing?")};
    struct alert_outcome o;
    struct error err = {0};
    char hex[SIGN_HEX];

    (void)state;
    assert_true(sign_hmac(STR("Jefe"), texts, 2, hex, &err));
    assert_string_equal(hex,
                        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    server_start("POST /hook 200\n");
    assert_true(send_to(ALERT_WEBHOOK, server_url("/hook"), &o));
    assert_int_equal(server_count("X-Stint-Timestamp: 1794700800"), 1);
    assert_int_equal(server_count("X-Signature-256: sha256="), 1);
    assert_int_equal(server_count("a-very-secret-key"), 0);
}

static void test_mail_addresses(void **state)
{
    static const char *const good[] = {"a@b", "stint+x@example.org"};
    static const char *const bad[] = {"",      "a",       "@b",    "a@",
                                      "a@b@c", "a b@c",   "a@b\n", "<a@b>",
                                      "-f@b",  "a@b,c@d", "a\"@b", "\xc3\xbc@b"};
    struct error err = {0};
    bool tls, loopback;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        assert_true(smtp_address_ok(str_from(good[i])));
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_false(smtp_address_ok(str_from(bad[i])));
    assert_true(smtp_url_ok(STR("smtp://mail.example.org:587"), &tls, &loopback, &err));
    assert_false(tls || loopback);
    assert_true(smtp_url_ok(STR("smtps://127.0.0.1"), &tls, &loopback, &err));
    assert_true(tls && loopback);
    assert_false(smtp_url_ok(STR("http://x"), &tls, &loopback, &err));
    assert_false(smtp_url_ok(STR("smtp://user:secret@x"), &tls, &loopback, &err));
    assert_null(strstr(err.text, "secret"));
    assert_false(smtp_url_ok(STR("smtp://x/path"), &tls, &loopback, &err));
}

static void test_no_mail_server(void **state)
{
    struct alert_channel c = {
        .kind = ALERT_EMAIL, .url = "smtp://127.0.0.1:1", .from = STR("a@b"), .to = STR("c@d")};
    struct alert_message m = {
        .id = STR("1"), .dedup = STR("d"), .title = STR("T"), .began = NOW, .ended = {-1}};
    struct alert_outcome o;

    (void)state;
    assert_false(alert_send(&client, &c, &m, NOW, &o));
    assert_true(o.retry);
    assert_int_equal(o.status, 0);
    assert_non_null(strstr(o.answer, "no connection"));
}

#define server_test(name) cmocka_unit_test_setup_teardown(name, server_setup, server_teardown)

int group_send(void)
{
    const struct CMUnitTest tests[] = {
        server_test(test_taken),          server_test(test_refused),
        server_test(test_no_server),      server_test(test_signature),
        server_test(test_mail_addresses), server_test(test_no_mail_server),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
