/* Command lines and texts without their secrets, and with all else. */
#include <stdio.h>
#include <string.h>

#include "run/redact.h"
#include "test.h"

#define WORDS 8

static void check_command(const char *const *argv, const char *expected)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    redact_command(argv, &out);
    buf_char(&out, '\0');
    assert_string_equal(out.at, expected);
    buf_free(&out);
}

static void check_text(const char *text, const char *expected)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    redact_text(str_from(text), &out);
    buf_char(&out, '\0');
    assert_string_equal(out.at, expected);
    buf_free(&out);
}

static void hides_values_of_options(void **state)
{
    static const struct {
        const char *argv[WORDS], *expected;
    } cases[] = {
        {{"train", "--api-key", "X123", "--lr", "1e-4"}, "train --api-key *** --lr 1e-4"},
        {{"train", "--api-key=X123"}, "train --api-key=***"},
        {{"train", "--api_key=a b"}, "train --api_key=***"},
        {{"env", "API_KEY=abc", "python", "t.py"}, "env API_KEY=*** python t.py"},
        {{"env", "HF_TOKEN=hf_x", "WANDB_API_KEY=1"}, "env HF_TOKEN=*** WANDB_API_KEY=***"},
        {{"x", "--password", "p", "--db-pass=q"}, "x --password *** --db-pass=***"},
        {{"x", "-token", "abc"}, "x -token ***"},
        {{"x", "--wandbApiKey", "abc"}, "x --wandbApiKey ***"},
        {{"x", "--token", "--verbose"}, "x --token --verbose"},
        {{"x", "--token"}, "x --token"},
        {{"x", "--token="}, "x --token="},
        {{"x", "--aws-secret-access-key", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"},
         "x --aws-secret-access-key ***"},
        {{"x", "--client-secret=s", "--auth", "u:p", "--credentials=c"},
         "x --client-secret=*** --auth *** --credentials=***"},
        {{"sshpass", "-p", "geheim", "ssh", "host"}, "sshpass -p *** ssh host"},
        {{"mysql", "-pgeheim", "-u", "root"}, "mysql -p*** -u root"},
        {{"/usr/bin/curl", "-u", "me:pw", "https://x"}, "/usr/bin/curl -u *** https://x"},
        {{"python", "-p", "8080", "-u", "t.py"}, "python -p 8080 -u t.py"},
        {{"curl", "-H", "Authorization: Bearer abc.def"},
         "curl -H 'Authorization: Bearer ***'"},
        {{"bash", "-c", "export API_KEY=abc; python t.py --hf-token abc"},
         "bash -c 'export API_KEY=***; python t.py --hf-token ***'"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_command(cases[i].argv, cases[i].expected);
}

static void leaves_what_is_no_secret(void **state)
{
    static const char *const cases[][WORDS] = {
        {"train", "--tokenizer", "gpt2", "--max-tokens", "512"},
        {"train", "--keyboard", "us", "--monkey=3", "--sort-key", "name"},
        {"train", "--pad-token", "x", "--eos_token_id=2", "--token-file", "t.txt"},
        {"train", "--author", "me", "--passes=3", "--num-pass", "2"},
        {"env", "PWD=/home/me", "PYTHONPATH=.", "KEYS=3"},
        {"train", "--key-column=id", "--primary_key=id", "--tokens=1e9"},
        {"git", "clone", "ssh://git@github.com/a/b"},
        {"train", "--data", "s3://bucket/path@2", "--time=10:30"},
        {"train", "--hf_home=/x", "--risk-level", "3", "--sk-learn"},
        {"train", "--secret-file", "x", "--auth-type=basic", "--password-file=/run/p"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char expected[256] = "";

        for (size_t k = 0; k < WORDS && cases[i][k] != NULL; k++)
            (void)snprintf(expected + strlen(expected), sizeof expected - strlen(expected),
                           "%s%s", k > 0 ? " " : "", cases[i][k]);
        check_command(cases[i], expected);
    }
}

static void quotes_for_a_shell(void **state)
{
    (void)state;
    check_command((const char *const[]){"a b", "it's", "", "x*", "a=$b", NULL},
                  "'a b' 'it'\\''s' '' 'x*' 'a=$b'");
    check_command((const char *const[]){NULL}, "");
    check_command((const char *const[]){"x", "--password=a'b c", NULL}, "x --password=***");
}

static void hides_keys_by_their_looks(void **state)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"hf_abcdefghijklmnopqrstuvwxyz", "***"},
        {"login(hf_abcdefghijklmnopqrstuvwxyz)", "login(***)"},
        {"sk-proj-abcdefghijklmnop1234", "***"},
        {"AKIAIOSFODNN7EXAMPLE", "***"},
        {"ghp_0123456789abcdefghijABCDEFGHIJ", "***"},
        {"x=xoxb-1234567890-abc", "x=***"},
        {"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN", "***"},
        {"https://user:pw@host/path", "https://***@host/path"},
        {"https://tok@host:80/p?x=1&token=abc&y=2", "https://***@host:80/p?x=1&token=***&y=2"},
        {"postgres://u:p%40@db/x", "postgres://***@db/x"},
        {"https://hooks.slack.com/services/T0/B0/xyz", "https://***"},
        {"{\"api_key\": \"abc\", \"n\": 3}", "{\"api_key\": \"***\", \"n\": 3}"},
        {"password: hunter2", "password: ***"},
        {"X-Api-Key: abc", "X-Api-Key: ***"},
        {"Authorization: Basic dXNlcjpwdw==", "Authorization: Basic ***"},
        {"-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\nrest", "***\nrest"},
        {"secret='a b c' next", "secret='***' next"},
        {"AccountName=a;AccountKey=abc==;X=1", "AccountName=a;AccountKey=***;X=1"},
        {"hf_short sk-1 AKIA eyJ.a.b token https://host/@x",
         "hf_short sk-1 AKIA eyJ.a.b token https://host/@x"},
        {"the tokenizer has 32000 tokens", "the tokenizer has 32000 tokens"},
        {"desk-abcdefghijklmnopqrstuvwxyz", "desk-abcdefghijklmnopqrstuvwxyz"},
        {"", ""},
        {"://", "://"},
        {"token=", "token="},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_text(cases[i].text, cases[i].expected);
}

/* Without memory there is no command, rather than half of one. */
static void fails_whole(void **state)
{
    const char *const argv[] = {"train", "--token", "abc", NULL};

    (void)state;
    for (size_t allow = 0; allow < 3; allow++) {
        struct failing_alloc failing = {.allow = allow};
        const struct alloc alloc = {failing_get, failing_put, &failing};
        struct buf out = buf_new(&alloc, BUF_MAX_OUTPUT);
        struct error err;

        redact_command(argv, &out);
        if (buf_ok(&out, &err))
            assert_str_equal(buf_text(&out), "train --token ***");
        else
            assert_true(allow < 2);
        buf_free(&out);
        assert_int_equal(failing.held, 0);
    }
}

int group_redact(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hides_values_of_options),
        cmocka_unit_test(leaves_what_is_no_secret),
        cmocka_unit_test(quotes_for_a_shell),
        cmocka_unit_test(hides_keys_by_their_looks),
        cmocka_unit_test(fails_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
