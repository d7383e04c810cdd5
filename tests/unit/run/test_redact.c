/* Command lines and texts without their secrets, and with all else. */
#include <stdio.h>
#include <string.h>

#include "run/supervise/redact.h"
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

/* Typical commands: by program, and by what a value looks like. */
static void redacts_command_lines(void **state)
{
    static const struct {
        const char *argv[12], *expected;
    } cases[] = {
        /* passwords */
        {{"mysql", "-u", "root", "-phunter2", "db"}, "mysql -u root -p*** db"},
        {{"mysql", "-u", "root", "-p", "hunter2"}, "mysql -u root -p ***"},
        {{"mysqldump", "--password=x", "db"}, "mysqldump --password=*** db"},
        {{"mariadb", "-pa", "-e", "select 1"}, "mariadb -p*** -e 'select 1'"},
        {{"./tool", "-p", "SECRET"}, "./tool -p ***"},
        {{"./tool", "-p", "hunter2"}, "./tool -p ***"},
        {{"./tool", "-p", "Tr0ub4dor&3"}, "./tool -p ***"},
        {{"./tool", "-u", "me", "-p", "swordfish"}, "./tool -u me -p ***"},
        {{"./tool", "-p", "swordfish", "--user", "me"}, "./tool -p *** --user me"},
        {{"./tool", "-u", "me", "-p", "12345678"}, "./tool -u me -p ***"},
        {{"python", "t.py", "-p", "MyPassw0rd"}, "python t.py -p ***"},
        {{"python", "-u", "t.py", "-p", "my-secret"}, "python -u t.py -p ***"},
        {{"sshpass", "-pgeheim", "ssh", "-p", "2222", "host"},
         "sshpass -p*** ssh -p 2222 host"},
        {{"docker", "login", "-u", "me", "-p", "swordfish"}, "docker login -u me -p ***"},
        {{"docker", "login", "nvcr.io", "-u", "$oauthtoken", "-p", "abc"},
         "docker login nvcr.io -u '$oauthtoken' -p ***"},
        {{"az", "login", "--service-principal", "-u", "id", "-p", "abc"},
         "az login --service-principal -u id -p ***"},
        {{"mongosh", "-u", "me", "-p", "abc"}, "mongosh -u me -p ***"},
        {{"redis-cli", "-p", "6379", "-a", "abc"}, "redis-cli -p 6379 -a ***"},
        {{"ldapsearch", "-D", "cn=me", "-w", "abc"}, "ldapsearch -D cn=me -w ***"},
        {{"smbclient", "-U", "me%abc", "//host/x"}, "smbclient -U *** //host/x"},
        {{"unzip", "-P", "abc", "a.zip"}, "unzip -P *** a.zip"},
        {{"7z", "x", "-pabc", "a.7z"}, "7z x -p*** a.7z"},
        {{"gpg", "--passphrase", "abc", "-d", "x"}, "gpg --passphrase *** -d x"},
        {{"openssl", "rsa", "-passin", "pass:abc"}, "openssl rsa -passin pass:***"},
        {{"plink", "-pw", "abc", "host"}, "plink -pw *** host"},
        {{"wget", "--http-password=abc", "http://x"}, "wget --http-password=*** http://x"},
        {{"x", "--password", "abc"}, "x --password ***"},
        /* users with passwords */
        {{"curl", "-u", "me:pw", "https://x"}, "curl -u *** https://x"},
        {{"curl", "-ume:pw", "https://x"}, "curl -u*** https://x"},
        {{"curl", "--user", "me:pw", "https://x"}, "curl --user *** https://x"},
        {{"curl", "--user=me:pw", "https://x"}, "curl --user=*** https://x"},
        {{"./tool", "-u", "me:pw"}, "./tool -u ***"},
        {{"http", "-a", "me:pw", "https://x"}, "http -a *** https://x"},
        /* tokens */
        {{"curl", "-H", "X-Auth-Token: abc"}, "curl -H 'X-Auth-Token: ***'"},
        {{"curl", "--header=Authorization: token abc"},
         "curl '--header=Authorization: token ***'"},
        {{"curl", "https://x/?api_key=abc&n=1"}, "curl 'https://x/?api_key=***&n=1'"},
        {{"git", "clone", "https://oauth2:abc@host/r.git"}, "git clone https://***@host/r.git"},
        {{"git", "config", "--global", "github.token", "abc"},
         "git config --global github.token ***"},
        {{"wandb", "login", "0123456789abcdef0123456789abcdef01234567"}, "wandb login ***"},
        {{"huggingface-cli", "login", "--token", "abc"}, "huggingface-cli login --token ***"},
        {{"x", "hf_abcdefghijklmnopqrstuvwxyz"}, "x ***"},
        {{"ngrok", "config", "add-authtoken", "abc"}, "ngrok config add-authtoken ***"},
        {{"aws", "configure", "set", "aws_secret_access_key", "abc"},
         "aws configure set aws_secret_access_key ***"},
        {{"x", "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"},
         "x *** ***"},
        {{"env", "API_KEY=x", "DB_PASSWORD=y", "cmd"}, "env API_KEY=*** DB_PASSWORD=*** cmd"},
        {{"docker", "run", "-e", "HF_TOKEN=abc", "img"}, "docker run -e HF_TOKEN=*** img"},
        {{"kubectl", "create", "secret", "generic", "s", "--from-literal=password=abc"},
         "kubectl create secret generic s --from-literal=password=***"},
        /* of a program that another one starts */
        {{"sudo", "-u", "me", "./tool", "-p", "hunter2"}, "sudo -u me ./tool -p ***"},
        {{"srun", "-p", "gpuA100", "python", "t.py", "-p", "hunter2"},
         "srun -p gpuA100 python t.py -p ***"},
        {{"ssh", "-p", "22", "me@host", "./tool", "-p", "hunter2"},
         "ssh -p 22 me@host ./tool -p ***"},
        /* in a shell */
        {{"sh", "-c", "mysql -u root -phunter2 db | wc"},
         "sh -c 'mysql -u root -p*** db | wc'"},
        {{"sh", "-c", "curl -u 'me:pw' https://x; ls"},
         "sh -c 'curl -u '\\''***'\\'' https://x; ls'"},
        {{"sh", "-c", "mkdir -p out1 && ./tool -p hunter2"},
         "sh -c 'mkdir -p out1 && ./tool -p ***'"},
        /* no secrets */
        {{"./tool", "-p", "8080"}, "./tool -p 8080"},
        {{"./tool", "-u", "me", "-p", "3306"}, "./tool -u me -p 3306"},
        {{"mkdir", "-p", "Run2Outputs"}, "mkdir -p Run2Outputs"},
        {{"sh", "-c", "mkdir -p Run2Outputs; python t.py -p out/x1"},
         "sh -c 'mkdir -p Run2Outputs; python t.py -p out/x1'"},
        {{"python", "-p", "train"}, "python -p train"},
        {{"python", "t.py", "-p", "config2.yaml"}, "python t.py -p config2.yaml"},
        {{"python", "t.py", "-p", "gpt2-medium", "-P", "bf16"},
         "python t.py -p gpt2-medium -P bf16"},
        {{"docker", "run", "-p", "8080:80", "-u", "app:staff", "img"},
         "docker run -p 8080:80 -u app:staff img"},
        {{"docker", "run", "-u", "1000:1000", "img"}, "docker run -u 1000:1000 img"},
        {{"srun", "-p", "gpuA100", "-u", "t.sh"}, "srun -p gpuA100 -u t.sh"},
        {{"ssh", "-p", "2222", "me@host1"}, "ssh -p 2222 me@host1"},
        {{"psql", "-U", "me", "-p", "5432", "Db1Main"}, "psql -U me -p 5432 Db1Main"},
        {{"papermill", "a.ipynb", "-p", "LearnRate1", "3"},
         "papermill a.ipynb -p LearnRate1 3"},
        {{"cp", "-p", "Model42Best", "x"}, "cp -p Model42Best x"},
        {{"sh", "-c", "./tool -p $PASS1word"}, "sh -c './tool -p $PASS1word'"},
        {{"x", "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
         "x da39a3ee5e6b4b0d3255bfef95601890afd80709"},
        {{"x", "data/ImageNet2012/train/JPEGImages/n0144"},
         "x data/ImageNet2012/train/JPEGImages/n0144"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_command(cases[i].argv, cases[i].expected);
}

static void leaves_other_values(void **state)
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

static void hides_keys_by_their_form(void **state)
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
static void out_of_memory_gives_no_command(void **state)
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
        cmocka_unit_test(redacts_command_lines),
        cmocka_unit_test(leaves_other_values),
        cmocka_unit_test(quotes_for_a_shell),
        cmocka_unit_test(hides_keys_by_their_form),
        cmocka_unit_test(out_of_memory_gives_no_command),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
