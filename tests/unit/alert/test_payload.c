/* What receivers get: valid JSON of the shape they document, within their limits, whatever the
 * texts are. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "alert/alert.h"
#include "doc/node.h"
#include "unit/time.h"

#define NOW ((stamp){1794700800}) /* 2026-11-15 */

static const struct alert_fact facts[] = {{{"Spent", 5}, {"$4102.05", 8}},
                                          {{"Limit", 5}, {"$5000.00", 8}}};

static struct alert_message message(void)
{
    return (struct alert_message){
        .id = STR("3.1794700800.0"),
        .dedup = STR("budget/nlp/2026-11"),
        .type = STR("budget_threshold"),
        .what = ALERT_FIRING,
        .severity = SEVERITY_WARNING,
        .title = STR("Budget nlp: 80 % spent"),
        .words = STR("$4102.05 of $5000.00 is spent."),
        .facts = facts,
        .fact_count = 2,
        .scope = STR("{\"team\":\"nlp\",\"cost-center\":\"7\",\"severity\":\"x\"}"),
        .budget = STR("{\"name\":\"nlp\",\"limit\":\"5000.00\"}"),
        .began = NOW,
        .ended = {-1},
        .link = STR("http://localhost:8080/budgets/nlp"),
    };
}

static struct alert_channel channel(enum alert_kind kind)
{
    return (struct alert_channel){.name = STR("c"),
                                  .kind = kind,
                                  .url = "https://ntfy.example.org/topic",
                                  .key = "0123456789abcdef0123456789abcdef",
                                  .from = STR("stint@example.org"),
                                  .to = STR("a@example.org,b@example.org")};
}

static char written[200000];

static const char *payload(enum alert_kind kind, const struct alert_message *m)
{
    struct alert_channel c = channel(kind);
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    if (!alert_payload(&c, m, NOW, &out, &err))
        fail_msg("%s", err.text);
    assert_true(out.len < sizeof written);
    (void)snprintf(written, sizeof written, "%.*s", (int)out.len, out.at);
    buf_free(&out);
    return written;
}

/* The value at "a.0.b"; the caller frees the arena. */
static struct str at(struct arena *arena, const char *path)
{
    struct error err = {0};
    const struct node *n = json_read(str_from(written), "payload", arena, &err);
    struct str rest = str_from(path);

    if (n == NULL)
        fail_msg("%s in %s", err.text, written);
    while (rest.len > 0) {
        struct str step = str_cut(&rest, '.');
        bool number = step.at[0] >= '0' && step.at[0] <= '9';
        const struct node *child = number ? n->first : node_get(n, step);

        for (int i = 0; number && child != NULL && i < step.at[0] - '0'; i++)
            child = child->next;
        if (child == NULL)
            return (struct str){0};
        n = child;
    }
    return n->text;
}

#define assert_at(path, expected) assert_str_equal(at(&arena, path), expected)

static void test_slack(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct alert_message m = message();

    (void)state;
    m.words = STR("<!channel> & <http://x|y> costs $5");
    (void)payload(ALERT_SLACK, &m);
    assert_at("text", "[warning] Budget nlp: 80 % spent");
    assert_at("blocks.0.type", "header");
    assert_at("blocks.0.text.type", "plain_text");
    assert_at("blocks.1.text.text", "&lt;!channel&gt; &amp; &lt;http://x|y&gt; costs $5");
    assert_at("blocks.2.fields.0.text", "*Spent*\n$4102.05");
    assert_at("blocks.3.elements.0.url", "http://localhost:8080/budgets/nlp");
    m.what = ALERT_RESOLVED;
    (void)payload(ALERT_SLACK, &m);
    assert_at("text", "[resolved] Budget nlp: 80 % spent");
    m.words = (struct str){0};
    m.link = (struct str){0};
    m.fact_count = 0;
    (void)payload(ALERT_SLACK, &m); /* no block may be empty */
    assert_at("blocks.1.type", "");
    arena_free(&arena);
}

static void test_discord(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct alert_message m = message();

    (void)state;
    m.words = STR("@everyone [x](http://y) *b*");
    (void)payload(ALERT_DISCORD, &m);
    assert_non_null(strstr(written, "\"allowed_mentions\":{\"parse\":[]}"));
    assert_at("embeds.0.description", "@everyone \\[x\\](http://y) \\*b\\*");
    assert_at("embeds.0.color", "16753920");
    assert_at("embeds.0.timestamp", "2026-11-15T00:00:00Z");
    assert_at("embeds.0.fields.1.value", "$5000.00");
    arena_free(&arena);
}

static void test_teams(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct alert_message m = message();

    (void)state;
    (void)payload(ALERT_TEAMS, &m);
    assert_at("type", "message");
    assert_at("attachments.0.contentType", "application/vnd.microsoft.card.adaptive");
    assert_at("attachments.0.content.version", "1.4");
    assert_at("attachments.0.content.body.0.text", "\\[warning\\] Budget nlp: 80 % spent");
    assert_at("attachments.0.content.body.2.facts.0.value", "$4102.05");
    assert_at("attachments.0.content.actions.0.type", "Action.OpenUrl");
    arena_free(&arena);
}

static void test_pagerduty(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct alert_message m = message();

    (void)state;
    (void)payload(ALERT_PAGERDUTY, &m);
    assert_at("routing_key", "0123456789abcdef0123456789abcdef");
    assert_at("event_action", "trigger");
    assert_at("dedup_key", "budget/nlp/2026-11");
    assert_at("payload.severity", "warning");
    assert_at("payload.source", "stint");
    assert_at("payload.custom_details.facts.Spent", "$4102.05");
    m.what = ALERT_UPDATE;
    (void)payload(ALERT_PAGERDUTY, &m);
    assert_at("event_action", "trigger");
    m.what = ALERT_ACKNOWLEDGED;
    (void)payload(ALERT_PAGERDUTY, &m);
    assert_at("event_action", "acknowledge");
    m.what = ALERT_RESOLVED;
    (void)payload(ALERT_PAGERDUTY, &m);
    assert_string_equal(written, "{\"routing_key\":\"0123456789abcdef0123456789abcdef\","
                                 "\"event_action\":\"resolve\","
                                 "\"dedup_key\":\"budget/nlp/2026-11\"}");
    arena_free(&arena);
}

static void test_ntfy(void **state)
{
    static const struct {
        const char *url, *topic, *base, *expected;
    } cases[] = {
        {"https://ntfy.sh/secret", "", "https://ntfy.sh", "secret"},
        {"https://ntfy.sh/", "cost", "https://ntfy.sh", "cost"},
        {"https://ntfy.sh", "", "https://ntfy.sh", ""},
        {"https://x.org/ntfy/cost/", "", "https://x.org/ntfy", "cost"},
    };
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct alert_message m = message();

    (void)state;
    (void)payload(ALERT_NTFY, &m);
    assert_at("topic", "topic");
    assert_at("priority", "3");
    assert_at("tags.0", "warning");
    assert_at("message", "$4102.05 of $5000.00 is spent.\nSpent: $4102.05\nLimit: $5000.00");
    arena_free(&arena);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct alert_channel c = {.url = cases[i].url, .topic = str_from(cases[i].topic)};
        struct str base, topic;

        alert_ntfy_address(&c, &base, &topic);
        assert_str_equal(base, cases[i].base);
        assert_str_equal(topic, cases[i].expected);
    }
}

static void test_webhook(void **state)
{
    struct alert_message m = message();

    (void)state;
    assert_string_equal(
        payload(ALERT_WEBHOOK, &m),
        "{\"version\":\"1\",\"id\":\"3.1794700800.0\",\"dedup_key\":\"budget/nlp/2026-11\","
        "\"status\":\"firing\",\"severity\":\"warning\",\"type\":\"budget_threshold\","
        "\"title\":\"Budget nlp: 80 % spent\",\"message\":\"$4102.05 of $5000.00 is spent.\","
        "\"starts_at\":\"2026-11-15T00:00:00Z\",\"ends_at\":null,"
        "\"scope\":{\"team\":\"nlp\",\"cost-center\":\"7\",\"severity\":\"x\"},"
        "\"budget\":{\"name\":\"nlp\",\"limit\":\"5000.00\"},"
        "\"facts\":[{\"name\":\"Spent\",\"value\":\"$4102.05\"},"
        "{\"name\":\"Limit\",\"value\":\"$5000.00\"}],"
        "\"links\":{\"page\":\"http://localhost:8080/budgets/nlp\"}}");
    m.budget = m.scope = m.link = (struct str){0};
    m.fact_count = 0;
    m.ended = NOW;
    m.what = ALERT_RESOLVED;
    (void)payload(ALERT_WEBHOOK, &m);
    assert_non_null(strstr(written, "\"status\":\"resolved\""));
    assert_non_null(strstr(written, "\"ends_at\":\"2026-11-15T00:00:00Z\",\"scope\":{},"
                                    "\"budget\":null,\"facts\":[],\"links\":{}}"));
}

static void test_alertmanager(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct alert_message m = message();

    (void)state;
    (void)payload(ALERT_ALERTMANAGER, &m);
    assert_at("0.labels.alertname", "StintBudget");
    assert_at("0.labels.severity", "warning");
    assert_at("0.labels.team", "nlp");
    assert_at("0.labels.cost_center", "7");
    assert_at("0.startsAt", "2026-11-15T00:00:00Z");
    assert_at("0.endsAt", "2026-12-20T00:00:00Z");
    assert_at("1.startsAt", "");
    /* Worse: those of the other severities are over. */
    m.what = ALERT_UPDATE;
    m.severity = SEVERITY_CRITICAL;
    (void)payload(ALERT_ALERTMANAGER, &m);
    assert_at("0.labels.severity", "critical");
    assert_at("0.endsAt", "2026-12-20T00:00:00Z");
    assert_at("2.labels.severity", "warning");
    assert_at("2.endsAt", "2026-11-15T00:00:00Z");
    m.what = ALERT_RESOLVED;
    (void)payload(ALERT_ALERTMANAGER, &m);
    assert_at("0.endsAt", "2026-11-15T00:00:00Z");
    assert_at("3.endsAt", "2026-11-15T00:00:00Z");
    arena_free(&arena);
}

#define LINE_OF_57 "0123456789012345678901234567890123456789012345678901234AB"

/* A report: its text, then its files, of all lengths that base64 ends differently for. */
static void test_attachments(void **state)
{
    static struct alert_attachment files[] = {
        {{"report.html", 11}, {"text/html; charset=UTF-8", 24}, {LINE_OF_57 "<", 58}},
        {{"a.png", 5}, {"image/png", 9}, {"\x89\xff", 2}},
        {{"b.png", 5}, {"image/png", 9}, {LINE_OF_57, 57}},
        {{"c.png", 5}, {"image/png", 9}, {"", 0}}};
    struct alert_message m = message();
    const char *body;

    (void)state;
    m.type = STR("report");
    m.words = STR("Report of month October 2026.");
    m.fact_count = 0;
    m.link = (struct str){0};
    m.attached = files;
    m.attached_count = ARRAY_LEN(files);
    body = strstr(payload(ALERT_EMAIL, &m), "Content-Type: multipart/mixed");
    assert_non_null(body);
#define EDGE "=_stint_6dc01d4171a5ee6a"
#define LINE_IN_BASE64 \
    "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNEFC"
    assert_string_equal(body, "Content-Type: multipart/mixed; boundary=\"" EDGE "\"\r\n\r\n"
                              "--" EDGE "\r\n"
                              "Content-Type: text/plain; charset=UTF-8\r\n"
                              "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
                              "Report of month October 2026.\r\n\r\n--=20\r\nStint.\r\n"
                              "--" EDGE "\r\n"
                              "Content-Type: text/html; charset=UTF-8\r\n"
                              "Content-Disposition: attachment; filename=\"report.html\"\r\n"
                              "Content-Transfer-Encoding: base64\r\n\r\n" LINE_IN_BASE64
                              "\r\nPA==\r\n"
                              "--" EDGE "\r\n"
                              "Content-Type: image/png\r\n"
                              "Content-Disposition: attachment; filename=\"a.png\"\r\n"
                              "Content-Transfer-Encoding: base64\r\n\r\nif8=\r\n"
                              "--" EDGE "\r\n"
                              "Content-Type: image/png\r\n"
                              "Content-Disposition: attachment; filename=\"b.png\"\r\n"
                              "Content-Transfer-Encoding: base64\r\n\r\n" LINE_IN_BASE64 "\r\n"
                              "--" EDGE "\r\n"
                              "Content-Type: image/png\r\n"
                              "Content-Disposition: attachment; filename=\"c.png\"\r\n"
                              "Content-Transfer-Encoding: base64\r\n\r\n"
                              "--" EDGE "--\r\n");
    assert_null(strstr(payload(ALERT_SLACK, &m), "report.html")); /* only mails have them */
}

#define THREAD "stint.3.1794700800.79044296f1e4cffc.budget-nlp-2026-11"

static void test_email(void **state)
{
    struct alert_message m = message();

    (void)state;
    m.link = (struct str){0};
    assert_string_equal(
        payload(ALERT_EMAIL, &m),
        "From: Stint <stint@example.org>\r\n"
        "To: a@example.org,\r\n b@example.org\r\n"
        "Subject: [warning] Budget nlp: 80 % spent\r\n"
        "Date: Sun, 15 Nov 2026 00:00:00 +0000\r\n"
        "Message-ID: <" THREAD "@example.org>\r\n"
        "MIME-Version: 1.0\r\n"
        "Auto-Submitted: auto-generated\r\n"
        "Content-Type: text/plain; charset=UTF-8\r\n"
        "Content-Transfer-Encoding: quoted-printable\r\n"
        "\r\n"
        "$4102.05 of $5000.00 is spent.\r\n"
        "\r\n"
        "Spent: $4102.05\r\n"
        "Limit: $5000.00\r\n"
        "\r\n"
        "--=20\r\n"
        "Stint. 'stint alert list' shows all alerts, 'stint alert ack ID' says that =\r\n"
        "one was seen.\r\n");
    m.what = ALERT_UPDATE;
    (void)payload(ALERT_EMAIL, &m);
    assert_non_null(strstr(written, "\r\nMessage-ID: <" THREAD "."
                                    "3.1794700800.0@example.org>\r\n"));
    assert_non_null(strstr(written, "\r\nIn-Reply-To: <" THREAD "@example.org>\r\n"));
}

/* The id of a mail about an event of this name, and what it answers to: slices of `written`. */
static struct str id_of(const char *dedup, const char *alert, enum alert_what what,
                        struct str *answers)
{
    static const char first[] = "\r\nMessage-ID: ", second[] = "\r\nIn-Reply-To: ";
    struct alert_message m = message();
    struct str id, rest;
    const char *line;

    m.dedup = str_from(dedup);
    m.id = str_from(alert);
    m.what = what;
    line = strstr(payload(ALERT_EMAIL, &m), first);
    assert_non_null(line);
    rest = str_from(line + strlen(first));
    id = str_cut(&rest, '\r');
    line = strstr(written, second);
    *answers = line != NULL ? str_from(line + strlen(second)) : (struct str){0};
    *answers = str_cut(answers, '\r');
    return id;
}

/* Names that differ only far behind, or in letters that an id cannot have, and events of one
 * name: each has its own id, and later mails answer the right one. */
static void test_email_threads(void **state)
{
    static const char *const names[][2] = {
        {"budget/a-name-that-goes-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-"
         "on-and-on-and-on-1/2026-11",
         "1.1794700800.0"},
        {"budget/a-name-that-goes-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-and-"
         "on-and-on-and-on-2/2026-11",
         "1.1794700800.0"},
        {"budget/\xc3\xa4/2026-11", "1.1794700800.0"},
        {"budget/\xc3\xb6/2026-11", "1.1794700800.0"},
        {"budget/\xc3\xb6/2026-11", "2.1794700800.0"},
    };
    char ids[ARRAY_LEN(names)][300];
    struct str answers;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct str id = id_of(names[i][0], names[i][1], ALERT_FIRING, &answers);

        assert_true(id.len < sizeof ids[i]);
        memcpy(ids[i], id.at, id.len);
        ids[i][id.len] = '\0';
        assert_int_equal(answers.len, 0);
        assert_null(strstr(ids[i], "..")); /* RFC 5322 has no such atom */
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(ids[i], ids[k]);
        (void)id_of(names[i][0], names[i][1], ALERT_RESOLVED, &answers);
        assert_str_equal(answers, ids[i]);
    }
}

/* No text can add a header, and none has bytes above 127. */
static void test_email_headers(void **state)
{
    struct alert_message m = message();
    struct alert_channel c = channel(ALERT_EMAIL);
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    size_t column = 0;

    (void)state;
    m.title =
        STR("B\xc3\xbc"
            "dget \xe2\x82\xac\r\nBcc: x@example.org\r\n\r\nbody \xff "
            "\xf0\x9f\x92\xb0 a long title that has to go over several lines of the header");
    m.dedup = STR("a\r\nb c<>");
    m.words = STR(".\n..\nB\xc3\xbc=dget \n");
    (void)payload(ALERT_EMAIL, &m);
    assert_null(strstr(written, "\r\nBcc"));
    assert_non_null(strstr(written, "Subject: =?UTF-8?Q?=5Bwarning=5D=20B=C3=BCdget=20"));
    assert_non_null(strstr(written, ".a--b-c--@example.org>"));
    assert_non_null(strstr(written, "\r\n\r\n.\r\n..\r\nB=C3=BC=3Ddget=20\r\n"));
    for (const char *p = written; *p != '\0'; p++) {
        assert_true((*p >= ' ' && *p < 0x7f) || *p == '\r' || *p == '\n');
        column = *p == '\n' ? 0 : column + 1;
        assert_true(column <= 78);
    }
    c.to = STR("a@example.org,x\r\nBcc: y@example.org");
    assert_false(alert_payload(&c, &m, NOW, &out, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    buf_free(&out);
}

/* Texts of any length are cut at a character, and the rest stays JSON. */
static void test_limits(void **state)
{
    static const struct {
        enum alert_kind kind;
        const char *path;
        size_t most;
    } limits[] = {
        {ALERT_SLACK, "blocks.0.text.text", 150},
        {ALERT_SLACK, "blocks.1.text.text", 3000},
        {ALERT_SLACK, "blocks.2.fields.0.text", 2000},
        {ALERT_DISCORD, "content", 2000},
        {ALERT_DISCORD, "embeds.0.title", 256},
        {ALERT_DISCORD, "embeds.0.description", 4096},
        {ALERT_DISCORD, "embeds.0.fields.0.name", 256},
        {ALERT_PAGERDUTY, "payload.summary", 1024},
        {ALERT_PAGERDUTY, "dedup_key", 255},
        {ALERT_NTFY, "title", 250},
        {ALERT_WEBHOOK, "dedup_key", 255},
    };
    static char text[100000];
    struct alert_fact many[60];
    struct alert_message m = message();

    (void)state;
    for (size_t i = 0; i + 4 < sizeof text; i += 3)
        memcpy(text + i, "\xe2\x82\xac", 3);
    m.title = m.words = m.dedup = str_from(text);
    for (size_t i = 0; i < ARRAY_LEN(many); i++)
        many[i] = (struct alert_fact){str_from(text), str_from(text)};
    m.facts = many;
    m.fact_count = ARRAY_LEN(many);
    for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
        struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
        struct str got;
        size_t characters = 0;

        m.fact_count = limits[i].kind == ALERT_WEBHOOK ? 2 : ARRAY_LEN(many);
        (void)payload(limits[i].kind, &m);
        got = at(&arena, limits[i].path);
        assert_true(got.len > 0);
        assert_true(str_ends(got, STR("...")));
        for (size_t k = 0; k < got.len; k++)
            characters += (got.at[k] & 0xc0) != 0x80;
        assert_true(characters <= limits[i].most);
        arena_free(&arena);
    }
    assert_true(strlen(payload(ALERT_TEAMS, &m)) < 28000);
    m.fact_count = 2;
    (void)payload(ALERT_NTFY, &m);
    assert_true(strlen(written) < 5000);
}

static void test_memory(void **state)
{
    struct alert_message m = message();

    (void)state;
    for (int kind = 0; kind < ALERT_KINDS; kind++)
        for (size_t allow = 0;; allow++) {
            struct failing_alloc failing = {.allow = allow};
            struct alloc alloc = {failing_get, failing_put, &failing};
            struct buf out = buf_new(&alloc, BUF_MAX_OUTPUT);
            struct alert_channel c = channel((enum alert_kind)kind);
            struct error err = {0};
            bool ok = alert_payload(&c, &m, NOW, &out, &err);

            assert_int_equal(err.kind, ok ? ERROR_NONE : ERROR_MEMORY);
            buf_free(&out);
            assert_int_equal(failing.held, 0);
            if (ok)
                break;
        }
}

static void test_names(void **state)
{
    enum severity severity;

    (void)state;
    assert_string_equal(alert_kind_names[ALERT_EMAIL], "email");
    assert_string_equal(alert_what_names[ALERT_TEST], "test");
    assert_true(severity_parse(STR("critical"), &severity));
    assert_int_equal(severity, SEVERITY_CRITICAL);
    assert_false(severity_parse(STR("bad"), &severity));
}

int group_payload(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slack),         cmocka_unit_test(test_discord),
        cmocka_unit_test(test_teams),         cmocka_unit_test(test_pagerduty),
        cmocka_unit_test(test_ntfy),          cmocka_unit_test(test_webhook),
        cmocka_unit_test(test_alertmanager),  cmocka_unit_test(test_email),
        cmocka_unit_test(test_attachments),   cmocka_unit_test(test_email_headers),
        cmocka_unit_test(test_email_threads), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_memory),        cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
