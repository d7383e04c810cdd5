#include "test.h"

#include <string.h>

#include "net/url.h"

static void test_parts(void **state)
{
    struct error err = {0};
    struct url u;

    (void)state;
    assert_true(url_parse(STR("https://prices.azure.com/api/retail?a=1&b=2#top"), &u, &err));
    assert_true(u.tls);
    assert_int_equal(u.port, 443);
    assert_str_equal(u.host, "prices.azure.com");
    assert_str_equal(u.place, "https://prices.azure.com/api/retail");
    assert_str_equal(u.path, "/api/retail");
    assert_str_equal(u.query, "a=1&b=2");

    assert_true(url_parse(STR("http://[::1]:8080"), &u, &err));
    assert_false(u.tls);
    assert_int_equal(u.port, 8080);
    assert_str_equal(u.host, "[::1]");
    assert_int_equal(u.path.len, 0);
    assert_int_equal(u.query.len, 0);

    assert_true(url_parse(STR("http://a.b?x"), &u, &err));
    assert_str_equal(u.query, "x");
    assert_int_equal(u.port, 80);
}

static void test_refused(void **state)
{
    static const char *const bad[] = {
        "",
        "ftp://a.b/",
        "file:///etc/passwd",
        "//a.b/",
        "https://",
        "https:///path",
        "https://user@a.b/",
        "https://user:secret@a.b/",
        "https://a.b:/",
        "https://a.b:0/",
        "https://a.b:65536/",
        "https://a.b:80x/",
        "https://a.b/with blank",
        "https://a.b/new\nline",
        "https://a.b/\xc3\xa4",
        "https://a.b\\@evil.example/",
        "https://[::1/",
        "https://[evil.example]/",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct error err = {0};
        struct url u;

        assert_false(url_parse(str_from(bad[i]), &u, &err));
        assert_int_equal(err.kind, ERROR_INPUT);
        assert_null(strstr(err.text, "secret"));
    }
}

static bool loopback(const char *text)
{
    struct error err = {0};
    struct url u;

    assert_true(url_parse(str_from(text), &u, &err));
    return url_is_loopback(&u);
}

static void test_loopback(void **state)
{
    (void)state;
    assert_true(loopback("http://127.0.0.1:99/"));
    assert_true(loopback("http://127.1.2.3"));
    assert_true(loopback("http://LOCALHOST/"));
    assert_true(loopback("http://[::1]/"));
    assert_false(loopback("http://127.0.0.1.example.org/"));
    assert_false(loopback("http://127.0.0/"));
    assert_false(loopback("http://localhost.example.org/"));
    assert_false(loopback("http://10.0.0.1/"));
}

static void test_encode(void **state)
{
    struct buf out = buf_new(&alloc_system, 1000);

    (void)state;
    url_encode(STR("aZ09-_.~ /+&='\xc3\xa4"), &out);
    assert_str_equal(buf_text(&out), "aZ09-_.~%20%2F%2B%26%3D%27%C3%A4");
    buf_free(&out);
}

static void check_rebase(const char *link, const char *base, const char *expected)
{
    struct buf out = buf_new(&alloc_system, 1000);
    struct error err = {0};
    bool ok =
        url_rebase(str_from(link), str_from(base), STR("https://prices.azure.com"), &out, &err);

    assert_int_equal(ok, expected != NULL);
    if (expected != NULL)
        assert_str_equal(buf_text(&out), expected);
    else
        assert_int_equal(err.kind, ERROR_INPUT);
    buf_free(&out);
}

static void test_rebase(void **state)
{
    (void)state;
    check_rebase("/a/b.json", "https://x.y/offers", "https://x.y/a/b.json");
    check_rebase("https://prices.azure.com:443/api?$skip=1", "http://127.0.0.1:8/",
                 "http://127.0.0.1:8/api?$skip=1");
    check_rebase("http://127.0.0.1:8/api", "http://127.0.0.1:8", "http://127.0.0.1:8/api");
    check_rebase("https://evil.example/api", "https://prices.azure.com", NULL);
    check_rebase("//evil.example/api", "https://prices.azure.com", NULL);
    check_rebase("https://prices.azure.com:8443/api", "https://prices.azure.com", NULL);
    check_rebase("api?x", "https://prices.azure.com", NULL);
    check_rebase("/a", "ftp://x", NULL);
}

int group_url(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_loopback), cmocka_unit_test(test_encode),
        cmocka_unit_test(test_rebase),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
