#include "server.h"

#include <time.h>

#include "base/fs.h"
#include "net/http.h"
#include "sha256.h"

#define MS INT64_C(1000000)

static const struct http_manners quick = {
    .tries = 3,
    .wait = {10 * MS},
    .patience = {1200 * MS},
    .connect = {2000 * MS},
    .stall = {1000 * MS},
    .attempt = {10000 * MS},
    .altogether = {10000 * MS},
};

static const struct http_client client = {.alloc = &alloc_system, .manners = &quick};

/* The result of a request. */
struct outcome {
    bool ok;
    struct http_response response;
    struct error err;
    char body[4096];
};

static struct outcome ask_as(const struct http_client *who, const struct http_request *request)
{
    struct http_request r = *request;
    struct outcome o = {0};
    ssize_t len = 0;

    if (r.max_body == 0)
        r.max_body = 1 << 20;
    o.ok = http_get(who, &r, &o.response, &o.err);
    if (o.ok && o.response.fd >= 0)
        len = read(o.response.fd, o.body, sizeof o.body - 1);
    assert_true(len >= 0);
    o.body[len] = '\0';
    if (!o.ok) {
        assert_int_not_equal(o.err.kind, ERROR_NONE);
        assert_null(strchr(o.err.text, '\n'));
        assert_int_equal(o.response.fd, -1);
    }
    http_response_close(&o.response);
    return o;
}

static struct outcome ask(const struct http_request *request)
{
    return ask_as(&client, request);
}

static struct outcome get(const char *path)
{
    return ask(&(struct http_request){.url = server_url(path)});
}

static double seconds(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* --- good answers ------------------------------------------------------------------------ */

static void test_get(void **state)
{
    struct outcome o;

    (void)state;
    server_start("GET /a 200\n header ETag: \"v1\"\n header Last-Modified: Sun, 15 Nov 2026 "
                 "10:00:00 GMT\n body hello\\nyou\nGET /none 204\n");
    o = get("/a?key=value");
    assert_true(o.ok);
    assert_int_equal(o.response.status, 200);
    assert_int_equal(o.response.size, 9);
    assert_string_equal(o.body, "hello\nyou");
    assert_string_equal(o.response.etag, "\"v1\"");
    assert_string_equal(o.response.modified, "Sun, 15 Nov 2026 10:00:00 GMT");
    assert_string_equal(o.response.url, server_url("/a"));
    assert_int_equal(server_count("User-Agent: stint/"), 1);
    assert_int_equal(server_count("Accept-Encoding: gzip"), 1);
    o = get("/none");
    assert_true(o.ok);
    assert_int_equal(o.response.size, 0);
}

static void test_parameters(void **state)
{
    const struct http_parameter parameters[] = {
        {STR("b"), STR("2 &=")},
        {STR("a.10"), STR("x")},
        {STR("a"), STR("z")},
        {STR("a-b"), STR("")},
        {STR("$filter"), STR("startswith(armSkuName,'Standard_N')")},
        {STR("a"), STR("y")},
    };
    struct outcome o;

    (void)state;
    server_start("GET /p 200\n");
    o = ask(&(struct http_request){.url = server_url("/p"),
                                   .parameters = parameters,
                                   .parameter_count = ARRAY_LEN(parameters)});
    assert_true(o.ok);
    assert_non_null(strstr(
        server_log(), "GET /p?%24filter=startswith%28armSkuName%2C%27Standard_N%27%29&a=y&a="
                      "z&a-b=&a.10=x&b=2%20%26%3D -> 200\n"));
    o = ask(&(struct http_request){
        .url = server_url("/p?own=1"), .parameters = parameters + 4, .parameter_count = 1});
    assert_true(o.ok);
    assert_int_equal(server_count("GET /p?own=1&%24filter="), 1);
}

static void test_post(void **state)
{
    const struct http_header headers[] = {{"Authorization", "Bearer k3y-k3y", true},
                                          {"X-Plain", "p", false}};
    struct outcome o;

    (void)state;
    server_start("POST /q 200\n ask *gpuTypes*\n body ok\n");
    o = ask(&(struct http_request){.url = server_url("/q"),
                                   .headers = headers,
                                   .header_count = 2,
                                   .body = STR("{\"query\":\"gpuTypes\"}"),
                                   .content_type = "application/json"});
    assert_true(o.ok);
    assert_int_equal(server_count("Content-Type: application/json"), 1);
    assert_int_equal(server_count("Authorization: Bearer k3y-k3y"), 1);
    assert_int_equal(server_count("X-Plain: p"), 1);
    assert_int_equal(server_count("body: {\"query\":\"gpuTypes\"}"), 1);
}

static void test_not_changed(void **state)
{
    struct outcome o;

    (void)state;
    server_start(
        "GET /c 304\n when If-None-Match: \"v7\"\nGET /c 304\n when If-Modified-Since: "
        "Sun*\nGET /c 200\n body new\n");
    o = ask(&(struct http_request){.url = server_url("/c"), .etag = "\"v7\""});
    assert_true(o.ok);
    assert_int_equal(o.response.status, 304);
    assert_int_equal(o.response.fd, -1);
    o = ask(&(struct http_request){.url = server_url("/c"),
                                   .modified = "Sun, 15 Nov 2026 10:00:00 GMT"});
    assert_int_equal(o.response.status, 304);
    o = ask(&(struct http_request){.url = server_url("/c"), .etag = "\"v6\""});
    assert_int_equal(o.response.status, 200);
    assert_string_equal(o.body, "new");
}

static void test_gzip(void **state)
{
    struct outcome o;

    (void)state;
    server_start(
        "GET /z 200\n gzip\n body packed text\nGET /bad 200\n header Content-Encoding: "
        "gzip\n body this is not packed at all\n");
    o = get("/z");
    assert_true(o.ok);
    assert_string_equal(o.body, "packed text");
    assert_int_equal(o.response.size, 11);
    o = get("/bad");
    assert_false(o.ok);
    assert_non_null(strstr(o.err.text, "/bad: the answer is not readable as HTTP"));
}

/* The same connection can be used again; ours close, and must not confuse it. */
static void test_session(void **state)
{
    struct http_client kept = client;
    struct error err = {0};

    (void)state;
    server_start("GET /a 200\n body x\n");
    kept.session = http_session_open(&err);
    assert_non_null(kept.session);
    for (int i = 0; i < 3; i++)
        assert_true(ask_as(&kept, &(struct http_request){.url = server_url("/a")}).ok);
    http_session_close(kept.session);
    http_session_close(NULL);
    assert_int_equal(server_count("GET /a"), 3);
}

/* Proxies are for other machines: this machine is asked directly, whatever the environment
 * has. */
static void test_no_proxy(void **state)
{
    (void)state;
    server_start("GET /a 200\n body x\n");
    (void)setenv("http_proxy", "http://127.0.0.1:1", 1);
    assert_true(get("/a").ok);
    assert_false(ask(&(struct http_request){.url = "http://prices.example/"}).ok);
    (void)unsetenv("http_proxy");
}

/* A service of this machine: no proxy even for what is not loopback, no redirect, nothing on
 * the disk; any method, and a header of the answer. */
static void test_direct(void **state)
{
    struct http_request r = {.url = "http://0.0.0.0:1/x"};
    struct outcome o;

    (void)state;
    server_start("PUT /token 200\n when X-ttl: 60\n header Flavor: Lemon\n body abc\n"
                 "GET /moved 302\n header Location: /token\nGET *0.0.0.0* 200\n");
    (void)setenv("http_proxy", server_url(""), 1);
    assert_true(ask(&r).ok); /* by the proxy */
    assert_int_equal(server_count("GET http://0.0.0.0:1/x"), 1);
    r.direct = true;
    assert_false(ask(&r).ok);
    assert_int_equal(server_count("GET http://0.0.0.0:1/x"), 1);
    (void)unsetenv("http_proxy");
    (void)setenv("TMPDIR", "/nonexistent", 1);
    r = (struct http_request){.url = server_url("/token"),
                              .method = "PUT",
                              .direct = true,
                              .watch = "Flavor:",
                              .headers = &(struct http_header){"X-ttl", "60", false},
                              .header_count = 1};
    o = ask(&r);
    (void)unsetenv("TMPDIR");
    assert_true(o.ok);
    assert_string_equal(o.body, "abc");
    assert_string_equal(o.response.watched, "Lemon");
    r = (struct http_request){.url = server_url("/moved"), .direct = true};
    o = ask(&r);
    assert_false(o.ok);
    assert_int_equal(o.response.status, 302);
    assert_int_equal(server_count("GET /token"), 0);
}

/* --- failures that pass, and those that do not ------------------------------------------- */

static void test_tries(void **state)
{
    struct outcome o;

    (void)state;
    server_start(
        "GET /two 503\n times 2\nGET /two 200\n body at last\n"
        "GET /cut 200\n times 1\n cut 3\n body 0123456789\nGET /cut 200\n body complete\n"
        "GET /never 502\nGET /no 404\nGET /bad 400\n");
    o = get("/two");
    assert_true(o.ok);
    assert_string_equal(o.body, "at last");
    o = get("/cut");
    assert_true(o.ok);
    assert_string_equal(o.body, "complete"); /* and nothing of the first try */
    o = get("/never");
    assert_false(o.ok);
    assert_int_equal(server_count("GET /never"), 3);
    assert_int_equal(o.response.status, 502);
    assert_non_null(strstr(o.err.text, "(502)"));
    assert_non_null(strstr(o.err.text, "(asked 3 times)"));
    o = get("/no?secret=1");
    assert_false(o.ok);
    assert_int_equal(o.err.kind, ERROR_ABSENT);
    assert_null(strstr(o.err.text, "secret"));
    assert_int_equal(server_count("GET /no?"), 1);
    o = get("/bad");
    assert_int_equal(o.err.kind, ERROR_FAILED);
    assert_int_equal(server_count("GET /bad"), 1);
}

static void test_retry_after(void **state)
{
    struct outcome o;
    double start;

    (void)state;
    server_start("GET /s 429\n times 1\n header Retry-After: 1\nGET /s 200\n body s\n"
                 "GET /d 429\n times 1\n header Date: Sun, 15 Nov 2026 10:00:00 GMT\n"
                 " header Retry-After: Sun, 15 Nov 2026 10:00:01 GMT\nGET /d 200\n body d\n"
                 "GET /past 503\n times 1\n header Date: Sun, 15 Nov 2026 10:00:00 GMT\n"
                 " header Retry-After: Sun, 15 Nov 2026 09:00:01 GMT\nGET /past 200\n body p\n"
                 "GET /odd 503\n times 1\n header Retry-After: soon\nGET /odd 200\n body o\n"
                 "GET /long 429\n header Retry-After: 3600\n"
                 "GET /huge 429\n header Retry-After: 9223372036854775807\n");
    start = seconds();
    assert_string_equal(get("/s").body, "s");
    assert_true(seconds() - start >= 0.95);
    start = seconds();
    assert_string_equal(get("/d").body, "d");
    assert_true(seconds() - start >= 0.95);
    start = seconds();
    assert_string_equal(get("/past").body, "p");
    assert_string_equal(get("/odd").body, "o");
    o = get("/long");
    assert_false(o.ok);
    assert_int_equal(o.response.status, 429);
    assert_non_null(strstr(o.err.text, "too many requests (429)"));
    assert_non_null(strstr(o.err.hint, "asks to wait 3600 s"));
    assert_int_equal(server_count("GET /long"), 1);
    assert_false(get("/huge").ok);
    assert_true(seconds() - start < 60); /* of the 3600 s that were asked for */
}

static void test_slow(void **state)
{
    struct outcome o;
    double start = seconds();
    struct http_manners once = quick;
    struct http_client hasty = client;

    (void)state;
    once.tries = 1;
    hasty.manners = &once;
    server_start("GET /slow 200\n delay 30000\nGET /drip 200\n dribble 5\n body 0123456789\n");
    o = get("/drip"); /* slow, but it comes */
    assert_true(o.ok);
    assert_string_equal(o.body, "0123456789");
    o = ask_as(&hasty, &(struct http_request){.url = server_url("/slow")});
    assert_false(o.ok);
    assert_non_null(strstr(o.err.text, "no answer in time"));
    assert_true(seconds() - start < 25); /* of 30 s and more */
}

static void test_altogether(void **state)
{
    struct http_manners m = quick;
    struct http_client hasty = client;
    struct outcome o;

    (void)state;
    m.tries = 1;
    m.attempt.ns = 300 * MS;
    hasty.manners = &m;
    server_start(
        "GET /drip 200\n dribble 100\n body 0123456789012345678901234567890123456789\n");
    o = ask_as(&hasty, &(struct http_request){.url = server_url("/drip")});
    assert_false(o.ok);
    assert_non_null(strstr(o.err.text, "too slow an answer"));
}

/* The limit is on all tries with their waits, and on a server that always sends a little. */
static void test_altogether_with_tries(void **state)
{
    struct http_manners m = quick;
    struct http_client hasty = client;
    struct outcome o;
    double start = seconds();

    (void)state;
    m.tries = 1000;
    m.altogether.ns = 400 * MS;
    m.longer = "--timeout allows more time";
    hasty.manners = &m;
    server_start("GET /drip 200\n dribble 20\n length 9999\n body "
                 "0123456789012345678901234567890123456789012345678901234567890123456789\n"
                 "GET /bad 503\n");
    o = ask_as(&hasty, &(struct http_request){.url = server_url("/bad")});
    assert_false(o.ok);
    assert_non_null(strstr(o.err.text, "(503)"));
    o = ask_as(&hasty, &(struct http_request){.url = server_url("/drip")});
    assert_false(o.ok);
    assert_non_null(strstr(o.err.text, "no complete answer within 400ms ("));
    assert_non_null(strstr(o.err.text, " bytes arrived); --timeout allows more time"));
    assert_int_equal(server_count("GET /drip"), 1);
    assert_true(seconds() - start < 25); /* of 30 s and more */
}

/* One server's endless headers fail its request: they are no reason to end all. */
static void test_headers_too_large(void **state)
{
    struct outcome o;

    (void)state;
    server_start("GET /wide 200\n wide 20000000\n body x\nGET /many 200\n many 100000\n"
                 " body x\nGET /some 200\n wide 20000\n many 1000\n body fine\n");
    o = get("/wide");
    assert_false(o.ok);
    assert_int_equal(o.err.kind, ERROR_FAILED);
    assert_non_null(strstr(o.err.text, "/wide: the headers of the answer are too large"));
    assert_int_equal(server_count("GET /wide"), 1);
    o = get("/many");
    assert_false(o.ok);
    assert_int_equal(o.err.kind, ERROR_FAILED);
    assert_non_null(strstr(o.err.text, "/many: the headers of the answer are too large"));
    o = get("/some");
    assert_true(o.ok);
    assert_string_equal(o.body, "fine");
}

/* A part that was not asked for is not the answer. */
static void test_part(void **state)
{
    struct outcome o;

    (void)state;
    server_start("GET /p 206\n header Content-Range: bytes 0-3/99\n body part\n");
    o = get("/p");
    assert_false(o.ok);
    assert_int_equal(o.response.status, 206);
    assert_non_null(strstr(o.err.text, "/p: it sent a partial answer"));
    assert_int_equal(server_count("GET"), 1);
}

static void test_cut_off(void **state)
{
    struct outcome o;

    (void)state;
    server_start(
        "GET /cut 200\n cut 4\n body 0123456789\nGET /len 200\n length 99\n body 0123\n");
    o = get("/cut");
    assert_false(o.ok);
    assert_non_null(strstr(o.err.text, "/cut: the answer was cut off after 4 bytes"));
    assert_int_equal(server_count("GET /cut"), 3);
    o = get("/len");
    assert_false(o.ok);
    assert_non_null(strstr(o.err.text, "cut off after 4 bytes"));
}

static void test_too_large(void **state)
{
    struct outcome o;

    (void)state;
    server_start(
        "GET /endless 200\n endless\n body 0123456789\nGET /ten 200\n body 0123456789\n"
        "GET /bomb 200\n gzip\n body "
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "\n");
    o = ask(&(struct http_request){.url = server_url("/endless"), .max_body = 100000});
    assert_false(o.ok);
    assert_non_null(strstr(o.err.text, "too large: more than 100000 bytes"));
    assert_int_equal(server_count("GET /endless"), 1);
    assert_true(ask(&(struct http_request){.url = server_url("/ten"), .max_body = 10}).ok);
    assert_false(ask(&(struct http_request){.url = server_url("/ten"), .max_body = 9}).ok);
    /* The unpacked size counts. */
    assert_false(ask(&(struct http_request){.url = server_url("/bomb"), .max_body = 60}).ok);
}

static void test_garbage(void **state)
{
    struct outcome o;

    (void)state;
    server_start(
        "GET /g 200\n garbage\n body SSH-2.0-OpenSSH_9.2\\n\nGET /empty 200\n garbage\n");
    o = get("/g");
    assert_false(o.ok);
    assert_non_null(strstr(o.err.text, "/g: the answer is not readable as HTTP"));
    o = get("/empty");
    assert_false(o.ok);
    assert_non_null(strstr(o.err.text, "no connection"));
}

static void test_no_server(void **state)
{
    struct outcome o;

    (void)state;
    o = ask(&(struct http_request){.url = "http://127.0.0.1:1/x?key=hidden"});
    assert_false(o.ok);
    assert_int_equal(o.response.status, 0);
    assert_non_null(strstr(o.err.text, "http://127.0.0.1:1/x: no connection"));
    assert_null(strstr(o.err.text, "hidden"));
    assert_int_not_equal(o.err.hint[0], 0);
    o = ask(&(struct http_request){.url = "ftp://127.0.0.1/"});
    assert_int_equal(o.err.kind, ERROR_INPUT);
}

/* --- redirects --------------------------------------------------------------------------- */

static void test_redirects(void **state)
{
    struct outcome o;

    (void)state;
    server_start("GET /a 302\n header Location: /b?x=1\nGET /b?x=1 301\n header Location: "
                 "http://127.0.0.1:{port}/c\nGET /c 200\n body there\n"
                 "GET /loop 302\n header Location: /loop\nGET /nowhere 302\n"
                 "GET /ftp 302\n header Location: ftp://127.0.0.1/x\n"
                 "GET /user 302\n header Location: http://me:pw@127.0.0.1:{port}/c\n"
                 "POST /p 303\n header Location: /c\nPOST /q 307\n header Location: /r\n"
                 "POST /r 200\n body posted\n");
    o = get("/a");
    assert_true(o.ok);
    assert_string_equal(o.body, "there");
    assert_string_equal(o.response.url, server_url("/c"));
    o = get("/loop");
    assert_false(o.ok);
    assert_non_null(strstr(o.err.text, "more than 5 redirects"));
    assert_int_equal(server_count("GET /loop"), 6);
    assert_non_null(strstr(get("/nowhere").err.text, "a redirect (302) without an address"));
    o = get("/ftp");
    assert_false(o.ok);
    o = get("/user");
    assert_false(o.ok);
    assert_null(strstr(o.err.text, "pw"));
    o = ask(&(struct http_request){.url = server_url("/p"), .body = STR("b")});
    assert_string_equal(o.body, "there");
    o = ask(&(struct http_request){.url = server_url("/q"), .body = STR("b")});
    assert_string_equal(o.body, "posted");
}

/* 127.0.0.1 and localhost are different hosts, except for the resolver. */
static void test_redirect_drops_secrets(void **state)
{
    const struct http_header headers[] = {{"Authorization", "Bearer s3cret-key", true},
                                          {"X-Other", "o", false}};
    struct http_request request = {.headers = headers, .header_count = 2};
    const char *there;

    (void)state;
    server_start("GET /away 302\n header Location: http://localhost:{port}/there\n"
                 "GET /there 302\n header Location: http://127.0.0.1:{port}/back\n"
                 "GET /back 200\n body x\nGET /near 302\n header Location: /same\n"
                 "GET /same 200\n body y\n");
    request.url = server_url("/away");
    assert_true(ask(&request).ok);
    assert_int_equal(server_count("s3cret-key"), 1); /* not there, and not back again */
    assert_int_equal(server_count("X-Other: o"), 3);
    there = strstr(server_log(), "GET /there");
    assert_non_null(there);
    assert_null(strstr(there, "s3cret"));
    request.url = server_url("/near");
    assert_true(ask(&request).ok);
    assert_int_equal(server_count("s3cret-key"), 3);
}

static void test_plain_http(void **state)
{
    const struct http_header key = {"X-Goog-Api-Key", "s3cret-key", true};
    struct outcome o;

    (void)state;
    o = ask(&(struct http_request){
        .url = "http://prices.example/x", .headers = &key, .header_count = 1});
    assert_false(o.ok);
    assert_int_equal(o.err.kind, ERROR_INPUT);
    assert_non_null(strstr(o.err.text, "http://prices.example/x: refusing to send a key"));
    assert_null(strstr(o.err.text, "s3cret"));
    assert_non_null(strstr(o.err.hint, "https://"));
}

/* --- secrets ----------------------------------------------------------------------------- */

static void test_messages(void **state)
{
    const struct http_header key = {"Authorization", "Bearer s3cret-key", true};
    struct http_request r = {.headers = &key, .header_count = 1, .refused = "set THE_KEY"};
    struct outcome o;

    (void)state;
    server_start(
        "GET /json 403\n body {\"error\":{\"code\":1,\"message\":\"key not "
        "\\u001b[1mvalid\"}}\n"
        "GET /xml 401\n body <Response><Errors><Error><Code>AuthFailure</Code><Message>AWS was "
        "not able to validate</Message></Error></Errors></Response>\n"
        "GET /echo 401\n body {\"message\":\"no such key: s3cret-key\"}\n"
        "GET /lines 400\n body {\"message\":\"first\\u000asecond\"}\n"
        "GET /html 500\n body <html>what</html>\n");
    r.url = server_url("/json");
    o = ask(&r);
    assert_non_null(strstr(o.err.text, "/json: access is refused (403): key not ?[1mvalid"));
    assert_string_equal(o.err.hint, "set THE_KEY");
    r.url = server_url("/xml");
    o = ask(&r);
    assert_non_null(strstr(o.err.text, "AWS was not able to validate"));
    r.url = server_url("/echo");
    o = ask(&r);
    assert_false(o.ok);
    assert_null(strstr(o.err.text, "s3cret"));
    assert_non_null(strstr(o.err.text, "no such key: ***"));
    r.url = server_url("/lines");
    o = ask(&r);
    assert_non_null(strstr(o.err.text, "first"));
    assert_null(strstr(o.err.text, "second"));
    assert_int_equal(o.err.hint[0], 0);
    r.url = server_url("/html");
    assert_null(strstr(ask(&r).err.text, "html>"));
}

/* A server may send us to an address with the key in it. */
static void test_echo_in_address(void **state)
{
    static char text[4096];
    const struct http_header key = {"X-Key", "s3cret/key", true};
    const struct http_aws aws = {"AKIDEXAMPLE", "s3cret+aws", "t0ken-aws", "us-east-1", "ec2"};
    stamp now = {0};
    struct clock clock = clock_fixed(&now);
    FILE *to = fmemopen(text, sizeof text, "w");
    struct log log = {to, LOG_DEBUG, &clock};
    struct http_client talking = client;
    struct outcome o;

    (void)state;
    talking.log = &log;
    server_start("GET /a 302\n header Location: /for/s3cret%2Fkey/x\n"
                 "GET /for* 404\n body {\"error\":\"s3cret/key, s3cret%2fkey, s3cret/k\"}\n"
                 "GET /aws 401\n body <Message>AKIDEXAMPLE s3cret%2Baws t0ken-aws</Message>\n");
    o = ask_as(&talking, &(struct http_request){
                             .url = server_url("/a"), .headers = &key, .header_count = 1});
    assert_false(o.ok);
    assert_non_null(strstr(o.err.text, "/for/***/x: not found (404): ***, ***, "));
    assert_null(strstr(o.err.text, "s3cret/k,"));
    o = ask_as(&talking, &(struct http_request){.url = server_url("/aws"), .aws = &aws});
    assert_non_null(strstr(o.err.text, "(401): *** *** ***"));
    (void)fclose(to);
    assert_non_null(strstr(text, "/for/***/x: status 404"));
    assert_null(strstr(text, "s3cret"));
}

/* "Not changed" is only an answer to a conditional request. */
static void test_unasked_304(void **state)
{
    struct outcome o;

    (void)state;
    server_start("GET /c 304\n");
    o = get("/c");
    assert_false(o.ok);
    assert_int_equal(o.response.status, 304);
    assert_non_null(strstr(o.err.text, "'not modified'"));
    assert_int_equal(server_count("GET"), 1);
    assert_true(ask(&(struct http_request){.url = server_url("/c"), .etag = "\"a\""}).ok);
    assert_true(ask(&(struct http_request){.url = server_url("/c"),
                                           .modified = "Sat, 22 Aug 2026 10:00:00 GMT"})
                    .ok);
}

static void test_date(void **state)
{
    static const char *const bad[] = {
        "",
        "2026-08-22T10:00:00Z",
        "Sat, 22 Aug 2026 10:00:00 CET",
        "Sat, 22 Aug 2026 10:00:00 GMT+1",
        "Sat, 22 Auk 2026 10:00:00 GMT",
        "Sat, 32 Aug 2026 10:00:00 GMT",
        "Sat, 22 Aug 2026 25:00:00 GMT",
        "Saturday, 22-Aug-26 10:00 GMT",
    };
    stamp at = {0};

    (void)state;
    assert_true(http_date(STR("Sat, 22 Aug 2026 10:00:00 GMT"), &at));
    assert_int_equal(at.s, 1787392800);
    assert_true(http_date(STR("Thu, 01 Jan 2026 00:00:01 GMT"), &at));
    assert_int_equal(at.s, 1767225601);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_false(http_date(str_from(bad[i]), &at));
}

static void test_log(void **state)
{
    static char text[4096];
    const struct http_header key = {"Authorization", "Bearer s3cret-key", true};
    const struct http_parameter p = {STR("hidden"), STR("hidden")};
    stamp now = {0};
    struct clock clock = clock_fixed(&now);
    FILE *to = fmemopen(text, sizeof text, "w");
    struct log log = {to, LOG_DEBUG, &clock};
    struct http_client talking = client;

    (void)state;
    talking.log = &log;
    server_start("GET /a 503\n times 1\nGET /a 200\n");
    assert_true(ask_as(&talking, &(struct http_request){.url = server_url("/a"),
                                                        .headers = &key,
                                                        .header_count = 1,
                                                        .parameters = &p,
                                                        .parameter_count = 1})
                    .ok);
    (void)fclose(to);
    assert_non_null(strstr(text, "/a: status 200"));
    assert_non_null(strstr(text, "again in 0.0 s"));
    assert_null(strstr(text, "s3cret"));
    assert_null(strstr(text, "hidden"));
}

static void test_bad_header(void **state)
{
    const struct http_header key = {"X-Key", "two\r\nX-Other: lines", true};
    struct outcome o;

    (void)state;
    o = ask(&(struct http_request){
        .url = "http://127.0.0.1:1/", .headers = &key, .header_count = 1});
    assert_false(o.ok);
    assert_non_null(strstr(o.err.text, "the header X-Key"));
    assert_null(strstr(o.err.text, "lines"));
}

/* --- stopping ---------------------------------------------------------------------------- */

struct patience {
    uint64_t most, total;
    int calls, allow;
};

static bool watch(void *ctx, uint64_t done, uint64_t total)
{
    struct patience *p = ctx;

    p->most = done > p->most ? done : p->most;
    p->total = total > p->total ? total : p->total;
    return ++p->calls <= p->allow;
}

static void test_progress(void **state)
{
    struct patience p = {.allow = 1000000};
    struct http_client watched = client;
    struct outcome o;

    (void)state;
    watched.progress = watch;
    watched.progress_ctx = &p;
    server_start(
        "GET /ten 200\n body 0123456789\nGET /endless 200\n endless\n body 0123456789\n"
        "GET /busy 429\n header Retry-After: 1\n");
    assert_true(ask_as(&watched, &(struct http_request){.url = server_url("/ten")}).ok);
    assert_int_equal(p.most, 10);
    assert_int_equal(p.total, 10);
    p = (struct patience){.allow = 3};
    o = ask_as(&watched,
               &(struct http_request){.url = server_url("/endless"), .max_body = 1 << 30});
    assert_false(o.ok);
    assert_true(o.response.stopped);
    assert_non_null(strstr(o.err.text, "/endless: stopped"));
    p = (struct patience){.allow = 12};
    o = ask_as(&watched, &(struct http_request){.url = server_url("/busy")});
    assert_true(o.response.stopped); /* while it waited */
    assert_int_equal(server_count("GET /busy"), 1);
}

/* --- AWS signatures ---------------------------------------------------------------------- */

/* The value of a header in what the server wrote down. */
static void logged(const char *name, char *to, size_t room)
{
    char start[64];
    const char *at;

    (void)snprintf(start, sizeof start, "    %s: ", name);
    at = strcasestr(server_log(), start);
    assert_non_null(at);
    at += strlen(start);
    (void)snprintf(to, room, "%.*s", (int)strcspn(at, "\n"), at);
}

/* Sign again what arrived, by AWS's description of Signature Version 4. */
static void sign(const char *secret, const char *scope, char signature[65])
{
    char canonical[8192] = "", text[1024], query[4096], names[256], auth[1024], date[32],
         hex[65];
    char copy[256], *state = NULL, pieces[64];
    unsigned char key[64], digest[32];
    const char *log = server_log();

    (void)snprintf(query, sizeof query, "%.*s", (int)strcspn(strchr(log, '?') + 1, " "),
                   strchr(log, '?') + 1);
    logged("Authorization", auth, sizeof auth);
    assert_int_equal(sscanf(strstr(auth, "SignedHeaders="), "SignedHeaders=%255[^,]", names),
                     1);
    (void)snprintf(canonical, sizeof canonical, "GET\n/\n%s\n", query);
    (void)snprintf(copy, sizeof copy, "%s", names);
    for (char *name = strtok_r(copy, ";", &state); name != NULL;
         name = strtok_r(NULL, ";", &state)) {
        char value[1024];
        size_t used = strlen(canonical);

        logged(name, value, sizeof value);
        (void)snprintf(canonical + used, sizeof canonical - used, "%s:%s\n", name, value);
    }
    sha256("", 0, digest);
    sha256_hex(digest, hex);
    (void)snprintf(canonical + strlen(canonical), sizeof canonical - strlen(canonical),
                   "\n%s\n%s", names, hex);
    sha256(canonical, strlen(canonical), digest);
    sha256_hex(digest, hex);
    logged("X-Amz-Date", date, sizeof date);
    (void)snprintf(text, sizeof text, "AWS4-HMAC-SHA256\n%s\n%.8s/%s\n%s", date, date, scope,
                   hex);
    (void)snprintf((char *)key, sizeof key, "AWS4%s", secret);
    (void)snprintf(pieces, sizeof pieces, "%.8s", date);
    hmac_sha256(key, strlen((const char *)key), pieces, digest);
    (void)snprintf(copy, sizeof copy, "%s", scope);
    for (char *piece = strtok_r(copy, "/", &state); piece != NULL;
         piece = strtok_r(NULL, "/", &state)) {
        memcpy(key, digest, sizeof digest);
        hmac_sha256(key, sizeof digest, piece, digest);
    }
    memcpy(key, digest, sizeof digest);
    hmac_sha256(key, sizeof digest, text, digest);
    sha256_hex(digest, signature);
}

static void test_signature(void **state)
{
    const struct http_parameter parameters[] = {
        {STR("Version"), STR("2016-11-15")},
        {STR("Action"), STR("DescribeSpotPriceHistory")},
        {STR("ProductDescription.1"), STR("Linux/UNIX")},
        {STR("InstanceType.2"), STR("p4d.24xlarge")},
        {STR("InstanceType.10"), STR("g5.xlarge")},
        {STR("StartTime"), STR("2026-11-15T10:00:00Z")},
    };
    const struct http_aws aws = {"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
                                 "sess10n-token==", "us-east-1", "ec2"};
    char signature[65], auth[1024], token[128];

    (void)state;
    server_start("GET / 200\n");
    assert_true(ask(&(struct http_request){.url = server_url("/"),
                                           .parameters = parameters,
                                           .parameter_count = ARRAY_LEN(parameters),
                                           .aws = &aws})
                    .ok);
    logged("Authorization", auth, sizeof auth);
    assert_non_null(strstr(auth, "Credential=AKIDEXAMPLE/"));
    assert_non_null(strstr(auth, "/us-east-1/ec2/aws4_request"));
    assert_non_null(strstr(auth, "x-amz-security-token"));
    logged("X-Amz-Security-Token", token, sizeof token);
    assert_string_equal(token, "sess10n-token==");
    sign(aws.secret, "us-east-1/ec2/aws4_request", signature);
    assert_non_null(strstr(auth, signature));
}

static void test_signature_is_dropped(void **state)
{
    const struct http_aws aws = {"AKIDEXAMPLE", "secret", NULL, "us-east-1", "ec2"};

    (void)state;
    server_start(
        "GET /away 302\n header Location: http://localhost:{port}/there\nGET /there 200\n");
    assert_true(ask(&(struct http_request){.url = server_url("/away"), .aws = &aws}).ok);
    assert_int_equal(server_count("Authorization:"), 1);
    assert_int_equal(server_count("GET /there"), 1);
}

/* The digest itself, by FIPS 180-4 and RFC 4231 (case 2). */
static void test_sha256(void **state)
{
    unsigned char digest[32];
    char hex[65];

    (void)state;
    sha256("abc", 3, digest);
    sha256_hex(digest, hex);
    assert_string_equal(hex,
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    hmac_sha256("Jefe", 4, "what do ya want for nothing?", digest);
    sha256_hex(digest, hex);
    assert_string_equal(hex,
                        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

/* --- local failures ---------------------------------------------------------------------- */

static void test_no_memory(void **state)
{
    const struct http_header key = {"Authorization", "Bearer key", true};
    const struct http_parameter p = {STR("a"), STR("b")};
    struct http_client poor = client;
    bool ok = false;

    (void)state;
    server_start("GET /a 200\n body x\n");
    for (size_t allow = 0; !ok && allow < 100; allow++) {
        struct failing_alloc memory = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &memory};
        struct outcome o;

        poor.alloc = &alloc;
        o = ask_as(&poor, &(struct http_request){.url = server_url("/a"),
                                                 .headers = &key,
                                                 .header_count = 1,
                                                 .parameters = &p,
                                                 .parameter_count = 1});
        ok = o.ok;
        assert_true(ok || o.err.kind == ERROR_MEMORY);
        assert_int_equal(memory.held, 0);
    }
    assert_true(ok);
}

static void test_no_room(void **state)
{
    struct outcome o;

    (void)state;
    (void)setenv("TMPDIR", "/nonexistent", 1);
    o = ask(&(struct http_request){.url = "http://127.0.0.1:1/"});
    (void)unsetenv("TMPDIR");
    assert_int_equal(o.err.kind, ERROR_SYSTEM);
    assert_non_null(strstr(o.err.text, "/nonexistent"));
    assert_non_null(strstr(o.err.hint, "TMPDIR"));
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, server_setup, server_teardown)

/* What makes something is not sent again when it may have been made. */
static void test_once(void **state)
{
    struct outcome o;

    (void)state;
    server_start("POST /maybe 503\n header Retry-After: 0\n"
                 "POST /refused 429\n header Retry-After: 0\n times 1\n"
                 "POST /refused 403\n header RateLimit-Remaining: 0\n"
                 " header RateLimit-Reset: 1\n times 1\n"
                 "POST /refused 201\n");
    o = ask(
        &(struct http_request){.url = server_url("/maybe"), .body = STR("x"), .once = true});
    assert_false(o.ok);
    assert_int_equal(server_count("POST /maybe"), 1);
    o = ask(
        &(struct http_request){.url = server_url("/refused"), .body = STR("x"), .once = true});
    assert_true(o.ok);
    assert_string_equal(o.err.text, "");
    assert_int_equal(server_count("POST /refused"), 3);
}

/* 403 is a refusal for good, unless the server says when to come back. */
static void test_forbidden(void **state)
{
    struct outcome o;

    (void)state;
    server_start("GET /a 403\n header X-RateLimit-Remaining: 12\n"
                 " header X-RateLimit-Reset: 1\n body {\"message\":\"not yours\"}\n"
                 "GET /b 403\n header Retry-After: 7200\n");
    o = ask(&(struct http_request){.url = server_url("/a"), .refused = "set KEY"});
    assert_non_null(strstr(o.err.text, "access is refused (403): not yours"));
    assert_string_equal(o.err.hint, "set KEY");
    o = ask(&(struct http_request){.url = server_url("/b"), .refused = "set KEY"});
    assert_non_null(strstr(o.err.text, "too many requests (403)"));
    assert_string_equal(o.err.hint, "the server asks to wait 7200 s: try again then");
    assert_int_equal(server_count("GET "), 2);
}

int group_http(void)
{
    const struct CMUnitTest tests[] = {
        SERVED(test_get),
        SERVED(test_once),
        SERVED(test_forbidden),
        SERVED(test_parameters),
        SERVED(test_post),
        SERVED(test_not_changed),
        SERVED(test_gzip),
        SERVED(test_session),
        SERVED(test_no_proxy),
        SERVED(test_direct),
        SERVED(test_tries),
        SERVED(test_retry_after),
        SERVED(test_slow),
        SERVED(test_altogether),
        SERVED(test_altogether_with_tries),
        SERVED(test_headers_too_large),
        SERVED(test_part),
        SERVED(test_cut_off),
        SERVED(test_too_large),
        SERVED(test_garbage),
        SERVED(test_redirects),
        SERVED(test_redirect_drops_secrets),
        SERVED(test_messages),
        SERVED(test_echo_in_address),
        SERVED(test_unasked_304),
        cmocka_unit_test(test_date),
        SERVED(test_log),
        SERVED(test_progress),
        SERVED(test_signature),
        SERVED(test_signature_is_dropped),
        SERVED(test_no_memory),
        cmocka_unit_test(test_no_server),
        cmocka_unit_test(test_plain_http),
        cmocka_unit_test(test_bad_header),
        cmocka_unit_test(test_sha256),
        cmocka_unit_test(test_no_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
