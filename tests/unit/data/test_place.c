#include "test.h"

#include "base/buf.h"
#include "data/sync/place.h"

static struct str remotes[] = {{"nas", 3}, {"minio", 5}};

/* "ssh gpu7:data", "error: ..." */
static const char *place_of(const char *text)
{
    static const char *const kinds[] = {"folder", "ssh", "store"};
    static char memory[600];
    struct buf out = buf_within(memory, sizeof memory - 1);
    struct arena arena = test_arena();
    struct data_place place;
    struct error err = {0};

    if (data_place_parse(str_from(text), (struct strs){remotes, 2}, &arena, &place, &err))
        buf_addf(&out, "%s %s", kinds[place.kind], place.target);
    else
        buf_addf(&out, "error: %s", err.text);
    memory[out.len] = 0;
    arena_free(&arena);
    return memory;
}

static const char *env_of(const char *text)
{
    static char memory[1000];
    struct buf out = buf_within(memory, sizeof memory - 1);
    struct arena arena = test_arena();
    struct data_place place;
    struct error err = {0};

    assert_true(
        data_place_parse(str_from(text), (struct strs){remotes, 2}, &arena, &place, &err));
    for (size_t i = 0; place.env != NULL && place.env[i] != NULL; i++)
        buf_addf(&out, "%s%s", i > 0 ? " " : "", place.env[i]);
    buf_addf(&out, "; %.*s %.*s", STR_ARG(place.provider), STR_ARG(place.region));
    memory[out.len] = 0;
    arena_free(&arena);
    return memory;
}

static void test_places_as_people_type_them(void **state)
{
    (void)state;
    assert_string_equal(place_of("dataset"), "folder dataset");
    assert_string_equal(place_of("dataset//"), "folder dataset");
    assert_string_equal(place_of("/"), "folder /");
    assert_string_equal(place_of("./a:b"), "folder ./a:b");
    assert_string_equal(place_of("/mnt/a:b"), "folder /mnt/a:b");
    assert_string_equal(place_of("gpu7:data/"), "ssh gpu7:data");
    assert_string_equal(place_of("me@gpu7:/mnt/x"), "ssh me@gpu7:/mnt/x");
    assert_string_equal(place_of("gpu7:~/x"), "ssh gpu7:x");
    assert_string_equal(place_of("gpu7:"), "ssh gpu7:.");
    assert_string_equal(place_of("nas:data"), "store nas:data");
    assert_string_equal(place_of("me@nas:data"), "ssh me@nas:data");
    assert_string_equal(place_of(":local:/mnt"), "store :local:/mnt");
}

static void test_places_that_are_none(void **state)
{
    (void)state;
    assert_string_equal(place_of(""), "error: the name of a place is empty");
    assert_string_equal(place_of("-oProxyCommand=x:y"),
                        "error: '-oProxyCommand=x' is not the name of a host");
    assert_string_equal(place_of("https://x/y"),
                        "error: 'https://x/y' is not a place for data");
    assert_string_equal(place_of("rsync://x/y"),
                        "error: 'rsync://x/y' is not a place for data");
    assert_string_equal(place_of("host::module"),
                        "error: 'host::module' is not a place for data");
    assert_string_equal(place_of("s3:/bucket/a"),
                        "error: 's3:/bucket/a' is not a place for data");
    assert_string_equal(place_of("me@s3:/data"), "ssh me@s3:/data");
    assert_string_equal(place_of("s3://"), "error: 's3://' has no bucket");
    assert_string_equal(place_of("s3:///x"), "error: 's3:///x' has no bucket");
    assert_string_equal(place_of("az://x"),
                        "error: 'az://x': the environment has no credentials for az://");
}

static int without_credentials(void **state)
{
    static const char *const names[] = {
        "AWS_ENDPOINT_URL_S3",   "AWS_ENDPOINT_URL",  "AWS_REGION",
        "AWS_DEFAULT_REGION",    "AWS_CA_BUNDLE",     "GOOGLE_APPLICATION_CREDENTIALS",
        "AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN",
    };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        (void)unsetenv(names[i]);
    return 0;
}

static void test_stores_are_configured_by_the_environment(void **state)
{
    (void)state;
    assert_string_equal(place_of("s3://bucket/a/"), "store stint:bucket/a");
    assert_string_equal(env_of("s3://b"),
                        "RCLONE_CONFIG_STINT_TYPE=s3 RCLONE_CONFIG_STINT_PROVIDER=AWS "
                        "RCLONE_CONFIG_STINT_ENV_AUTH=true "
                        "RCLONE_CONFIG_STINT_NO_CHECK_BUCKET=true "
                        "RCLONE_CONFIG_STINT_NO_HEAD=true; aws ");
    (void)setenv("AWS_DEFAULT_REGION", "eu-west-1", 1);
    (void)setenv("AWS_CA_BUNDLE", "/x.pem", 1);
    assert_string_equal(env_of("s3://b"),
                        "RCLONE_CONFIG_STINT_TYPE=s3 RCLONE_CONFIG_STINT_PROVIDER=AWS "
                        "RCLONE_CONFIG_STINT_ENV_AUTH=true "
                        "RCLONE_CONFIG_STINT_NO_CHECK_BUCKET=true "
                        "RCLONE_CONFIG_STINT_NO_HEAD=true "
                        "RCLONE_CONFIG_STINT_REGION=eu-west-1 AWS_CA_BUNDLE=; aws eu-west-1");
    assert_string_equal(env_of("nas:x"), "AWS_CA_BUNDLE=;  ");
    (void)setenv("AZURE_STORAGE_ACCOUNT", "acc", 1);
    (void)setenv("AZURE_STORAGE_SAS_TOKEN", "?sv=1&sig=2", 1);
    assert_string_equal(env_of("az://c/x"),
                        "RCLONE_CONFIG_STINT_TYPE=azureblob RCLONE_CONFIG_STINT_SAS_URL="
                        "https://acc.blob.core.windows.net/?sv=1&sig=2; azure ");
    (void)setenv("AZURE_STORAGE_KEY", "k", 1);
    assert_string_equal(env_of("az://c/x"),
                        "RCLONE_CONFIG_STINT_TYPE=azureblob RCLONE_CONFIG_STINT_ACCOUNT=acc "
                        "RCLONE_CONFIG_STINT_KEY=k; azure ");
    (void)setenv("GOOGLE_APPLICATION_CREDENTIALS", "/k.json", 1);
    assert_string_equal(env_of("gs://b"),
                        "RCLONE_CONFIG_STINT_TYPE=google cloud storage "
                        "RCLONE_CONFIG_STINT_BUCKET_POLICY_ONLY=true "
                        "RCLONE_CONFIG_STINT_SERVICE_ACCOUNT_FILE=/k.json; gcp ");
}

int group_place(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_places_as_people_type_them, without_credentials,
                                        without_credentials),
        cmocka_unit_test_setup_teardown(test_places_that_are_none, without_credentials,
                                        without_credentials),
        cmocka_unit_test_setup_teardown(test_stores_are_configured_by_the_environment,
                                        without_credentials, without_credentials),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
