/* The cache of the Hugging Face Hub as its library lays it out; tests/cli/hub.t asks a
 * server. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "net/hub.h"

static char folder[64]; /* the home of each test */

static int setup(void **state)
{
    static const char *const variables[] = {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME",
                                            "XDG_CACHE_HOME"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(variables); i++)
        (void)unsetenv(variables[i]);
    (void)snprintf(folder, sizeof folder, "/tmp/stint-hub-XXXXXX");
    return mkdtemp(folder) == NULL || setenv("HOME", folder, 1) != 0;
}

static int teardown(void **state)
{
    char command[200];

    (void)state;
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static void put(const char *name, const char *text)
{
    char path[300];
    struct error err = {0};

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    *strrchr(path, '/') = '\0';
    assert_true(fs_make_folders(path, &err));
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_true(fs_put(path, str_from(text), &err));
}

/* The path below the home, or "none". */
static void check_found(const char *model, const char *own, const char *expected)
{
    struct arena arena = test_arena();
    struct error err = {0};
    char *path;

    assert_true(hub_cached_config(str_from(model), own, &arena, &path, &err));
    if (expected == NULL) {
        assert_null(path);
    } else {
        assert_non_null(path);
        assert_string_equal(path + strlen(folder), expected);
    }
    arena_free(&arena);
}

static void finds_the_snapshot_of_main(void **state)
{
    (void)state;
    check_found("acme/my-7b", NULL, NULL);
    put(".cache/huggingface/hub/models--acme--my-7b/refs/main", "abc123\n");
    check_found("acme/my-7b", NULL, NULL); /* weights alone were fetched */
    put(".cache/huggingface/hub/models--acme--my-7b/snapshots/abc123/config.json", "{}");
    check_found("acme/my-7b", NULL,
                "/.cache/huggingface/hub/models--acme--my-7b/snapshots/abc123/config.json");
    check_found("acme/my-8b", NULL, NULL);
}

static void revisions_lead_nowhere_else(void **state)
{
    (void)state;
    put(".cache/huggingface/hub/models--acme--x/refs/main", "../../secret");
    put(".cache/huggingface/hub/models--acme--x/secret/config.json", "{}");
    check_found("acme/x", NULL, NULL);
}

static void the_environment_names_the_cache(void **state)
{
    char path[200];

    (void)state;
    put("a/models--gpt9/refs/main", "r");
    put("a/models--gpt9/snapshots/r/config.json", "{}");
    put("b/hub/models--gpt9/refs/main", "r");
    put("b/hub/models--gpt9/snapshots/r/config.json", "{}");
    (void)snprintf(path, sizeof path, "%s/b", folder);
    (void)setenv("HF_HOME", path, 1);
    check_found("gpt9", NULL, "/b/hub/models--gpt9/snapshots/r/config.json");
    (void)snprintf(path, sizeof path, "%s/a", folder);
    (void)setenv("HF_HUB_CACHE", path, 1);
    check_found("gpt9", NULL, "/a/models--gpt9/snapshots/r/config.json");
}

static void finds_what_was_fetched(void **state)
{
    char own[200];

    (void)state;
    (void)snprintf(own, sizeof own, "%s/own", folder);
    check_found("acme/my-7b", own, NULL);
    put("own/models--acme--my-7b/config.json", "{}");
    check_found("acme/my-7b", own, "/own/models--acme--my-7b/config.json");
}

static void knows_names(void **state)
{
    static const char *const names[] = {"gpt2", "meta-llama/Llama-3.1-8B", "a/b_c.d-e"};
    static const char *const others[] = {"",        "/x",  "x/",    "a/b/c", "../x", "a/../b",
                                         "a/.hide", "a b", "a/b?c", "a//b",  "a\\b", "-x"};
    char longest[300];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (!hub_names_model(str_from(names[i])))
            fail_msg("'%s' is a name", names[i]);
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (hub_names_model(str_from(others[i])))
            fail_msg("'%s' is no name", others[i]);
    memset(longest, 'a', sizeof longest);
    assert_true(hub_names_model((struct str){longest, 200}));
    assert_false(hub_names_model((struct str){longest, 201}));
}

int group_hub(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_the_snapshot_of_main, setup, teardown),
        cmocka_unit_test_setup_teardown(revisions_lead_nowhere_else, setup, teardown),
        cmocka_unit_test_setup_teardown(the_environment_names_the_cache, setup, teardown),
        cmocka_unit_test_setup_teardown(finds_what_was_fetched, setup, teardown),
        cmocka_unit_test(knows_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
