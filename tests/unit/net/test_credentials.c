#include "test.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "net/credentials.h"

static char folder[64]; /* the home of each test */

static int setup(void **state)
{
    static const char *const variables[] = {
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "AWS_PROFILE",
        "AWS_SHARED_CREDENTIALS_FILE",
        "LAMBDA_API_KEY",
        "RUNPOD_API_KEY",
        "VAST_API_KEY",
        "GOOGLE_API_KEY",
        "GOOGLE_OAUTH_ACCESS_TOKEN",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(variables); i++)
        (void)unsetenv(variables[i]);
    (void)snprintf(folder, sizeof folder, "/tmp/stint-keys-XXXXXX");
    return mkdtemp(folder) == NULL || setenv("HOME", folder, 1) != 0;
}

static int teardown(void **state)
{
    char command[200];

    (void)state;
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static const char *put(const char *name, const char *text)
{
    static char path[200];
    struct error err = {0};

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_true(fs_replace(path, str_from(text), &err));
    return path;
}

/* What is found: "id/secret/token", or the error's text and hint. */
static const char *found(enum credentials_of whose)
{
    static char text[2000];
    struct credentials c;
    struct error err = {0};

    if (credentials_find(whose, &c, &err))
        (void)snprintf(text, sizeof text, "%.200s/%.600s/%.600s%s", c.id, c.secret, c.token,
                       c.bearer ? " bearer" : "");
    else
        (void)snprintf(text, sizeof text, "%s: %s (%s)", error_kind_name(err.kind), err.text,
                       err.hint);
    credentials_wipe(&c);
    assert_int_equal(c.secret[0], 0);
    return text;
}

static void test_environment(void **state)
{
    (void)state;
    (void)setenv("AWS_ACCESS_KEY_ID", "AKIA1", 1);
    (void)setenv("AWS_SECRET_ACCESS_KEY", "s/+=1", 1);
    assert_string_equal(found(CREDENTIALS_AWS), "AKIA1/s/+=1/");
    (void)setenv("AWS_SESSION_TOKEN", "tok", 1);
    assert_string_equal(found(CREDENTIALS_AWS), "AKIA1/s/+=1/tok");
    (void)setenv("LAMBDA_API_KEY", "lam", 1);
    assert_string_equal(found(CREDENTIALS_LAMBDA), "/lam/");
    (void)setenv("RUNPOD_API_KEY", "run", 1);
    assert_string_equal(found(CREDENTIALS_RUNPOD), "/run/");
    (void)setenv("VAST_API_KEY", "vas", 1);
    assert_string_equal(found(CREDENTIALS_VAST), "/vas/");
    (void)setenv("GOOGLE_OAUTH_ACCESS_TOKEN", "ya29", 1);
    assert_string_equal(found(CREDENTIALS_GOOGLE), "/ya29/ bearer");
    (void)setenv("GOOGLE_API_KEY", "goo", 1);
    assert_string_equal(found(CREDENTIALS_GOOGLE), "/goo/");
}

static void test_aws_file(void **state)
{
    const char *other;

    (void)state;
    (void)put(".aws/credentials",
              "# mine\n[default]\naws_access_key_id = A1\r\n"
              "aws_secret_access_key=S1\n"
              "[ work ]\naws_access_key_id=A2\n aws_secret_access_key = S2\n"
              "aws_session_token = T2==\n[half]\naws_access_key_id=A3\n");
    assert_string_equal(found(CREDENTIALS_AWS), "A1/S1/");
    (void)setenv("AWS_PROFILE", "work", 1);
    assert_string_equal(found(CREDENTIALS_AWS), "A2/S2/T2==");
    (void)setenv("AWS_PROFILE", "half", 1);
    assert_non_null(strstr(found(CREDENTIALS_AWS), "no keys for the profile 'half'"));
    assert_non_null(strstr(found(CREDENTIALS_AWS), "absent: "));
    (void)unsetenv("AWS_PROFILE");
    other = put("other", "[default]\naws_access_key_id=A9\naws_secret_access_key=S9");
    (void)setenv("AWS_SHARED_CREDENTIALS_FILE", other, 1);
    assert_string_equal(found(CREDENTIALS_AWS), "A9/S9/");
    (void)setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent/file", 1);
    assert_non_null(strstr(found(CREDENTIALS_AWS), "/nonexistent/file"));
    /* Half in the environment is none: the file counts. */
    (void)unsetenv("AWS_SHARED_CREDENTIALS_FILE");
    (void)setenv("AWS_ACCESS_KEY_ID", "A0", 1);
    assert_string_equal(found(CREDENTIALS_AWS), "A1/S1/");
}

static void test_key_files(void **state)
{
    (void)state;
    (void)put(".lambda_cloud/lambda_keys", "api_key = secret_me_123\n");
    assert_string_equal(found(CREDENTIALS_LAMBDA), "/secret_me_123/");
    (void)put(".runpod/config.toml",
              "[other]\napi_key = \"no\"\n[default]\napi_key = \"rp\"\n");
    assert_string_equal(found(CREDENTIALS_RUNPOD), "/rp/");
    (void)put(".vast_api_key", "old\n");
    assert_string_equal(found(CREDENTIALS_VAST), "/old/");
    (void)put(".config/vastai/vast_api_key", "\n  new  \n");
    assert_string_equal(found(CREDENTIALS_VAST), "/new/");
}

static void test_absent(void **state)
{
    (void)state;
    assert_string_equal(found(CREDENTIALS_LAMBDA),
                        "absent: there is no key (set LAMBDA_API_KEY, or 'api_key = ...' in "
                        "~/.lambda_cloud/lambda_keys)");
    assert_non_null(strstr(found(CREDENTIALS_AWS), "AWS_SECRET_ACCESS_KEY"));
    assert_non_null(strstr(found(CREDENTIALS_AWS), "~/.aws/credentials"));
    assert_non_null(strstr(found(CREDENTIALS_RUNPOD), "~/.runpod/config.toml"));
    assert_non_null(strstr(found(CREDENTIALS_VAST), "vast_api_key"));
    assert_non_null(strstr(found(CREDENTIALS_GOOGLE), "GOOGLE_API_KEY"));
    (void)put(".lambda_cloud/lambda_keys", "api_key =\nother = x\n");
    assert_non_null(strstr(found(CREDENTIALS_LAMBDA), "absent: there is no key"));
    (void)unsetenv("HOME");
    assert_non_null(strstr(found(CREDENTIALS_LAMBDA), "absent: there is no key"));
    assert_non_null(strstr(found(CREDENTIALS_AWS), "absent: there is no key"));
}

/* A key that no header can carry is refused, and not shown. */
static void test_unusable(void **state)
{
    static char large[70000];
    char path[200];

    (void)state;
    (void)setenv("VAST_API_KEY", "hide\nme", 1);
    assert_non_null(strstr(found(CREDENTIALS_VAST), "input: VAST_API_KEY contains a blank"));
    assert_null(strstr(found(CREDENTIALS_VAST), "hide"));
    (void)unsetenv("VAST_API_KEY");
    (void)put(".vast_api_key", "hide me\n");
    assert_non_null(strstr(found(CREDENTIALS_VAST), "input: the key in '"));
    assert_null(strstr(found(CREDENTIALS_VAST), "hide"));
    memset(large, 'x', sizeof large - 1);
    (void)setenv("GOOGLE_API_KEY", large, 1);
    assert_non_null(strstr(found(CREDENTIALS_GOOGLE), "too long"));
    (void)put(".lambda_cloud/lambda_keys", large);
    assert_non_null(strstr(found(CREDENTIALS_LAMBDA), "too large"));
    (void)snprintf(path, sizeof path, "%s/.runpod/config.toml", folder);
    (void)put(".runpod/x", "");
    assert_int_equal(mkdir(path, 0700), 0);
    assert_non_null(strstr(found(CREDENTIALS_RUNPOD), "is a folder"));
}

static void hides(const char *secret, const char *text, const char *expected)
{
    struct credentials c = {.bearer = false};
    char room[256];

    (void)snprintf(c.secret, sizeof c.secret, "%s", secret);
    (void)snprintf(room, sizeof room, "%s", text);
    credentials_hide(&c, room);
    assert_string_equal(room, expected);
}

static void test_hide(void **state)
{
    struct credentials aws = {.id = "AKIDEXAMPLE", .secret = "s3cret/+", .token = "t0ken"};
    char text[] = "t0ken of AKIDEXAMPLE with s3cret/+ or s3cret%2F%2b";

    (void)state;
    hides("key-one", "no such key: key-one", "no such key: ***");
    hides("key-one", "key-onekey-one, key-on", "******, key-on");
    hides("key-one", "", "");
    hides("0123456789abcdef", "cut: 0123456789a...", "cut: ***...");
    hides("0123456789abcdef", "cut: 01234567", "cut: ***");
    hides("0123456789abcdef", "a number: 0123456", "a number: 0123456");
    hides("abc", "abc", "abc"); /* too short for a key */
    hides("", "abc", "abc");
    credentials_hide(&aws, text);
    assert_string_equal(text, "*** of *** with *** or ***");
}

/* A token comes first; "ada:secret" in base64; none is no mistake. */
static void an_mlflow_server_gets_a_token_or_a_login(void **state)
{
    struct credentials got;
    struct error err = {0};

    (void)state;
    (void)unsetenv("MLFLOW_TRACKING_TOKEN");
    (void)unsetenv("MLFLOW_TRACKING_USERNAME");
    assert_true(credentials_mlflow(&got, &err));
    assert_string_equal(got.secret, "");
    assert_int_equal(setenv("MLFLOW_TRACKING_USERNAME", "ada", 1), 0);
    assert_int_equal(setenv("MLFLOW_TRACKING_PASSWORD", "secret", 1), 0);
    assert_true(credentials_mlflow(&got, &err));
    assert_string_equal(got.secret, "Basic YWRhOnNlY3JldA==");
    assert_int_equal(setenv("MLFLOW_TRACKING_TOKEN", "t0ken", 1), 0);
    assert_true(credentials_mlflow(&got, &err));
    assert_string_equal(got.secret, "Bearer t0ken");
    assert_int_equal(setenv("MLFLOW_TRACKING_TOKEN", "two words", 1), 0);
    assert_false(credentials_mlflow(&got, &err));
    assert_null(strstr(err.text, "words"));
    (void)unsetenv("MLFLOW_TRACKING_TOKEN");
    (void)unsetenv("MLFLOW_TRACKING_USERNAME");
    (void)unsetenv("MLFLOW_TRACKING_PASSWORD");
}

int group_credentials(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_environment, setup, teardown),
        cmocka_unit_test_setup_teardown(test_aws_file, setup, teardown),
        cmocka_unit_test_setup_teardown(test_key_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_absent, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unusable, setup, teardown),
        cmocka_unit_test(test_hide),
        cmocka_unit_test(an_mlflow_server_gets_a_token_or_a_login),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
