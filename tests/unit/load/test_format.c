/* Requests, as each server takes them. */
#include "test.h"

#include "doc/node.h"
#include "load/format.h"

static void addresses_say_which_server_it_is(void **state)
{
    (void)state;
    for (int api = 0; api < API_COUNT; api++)
        assert_int_equal(load_api_of(str_from(load_api_path((enum load_api)api))), api);
    assert_int_equal(load_api_of(STR("/openai/v1/chat/completions")), API_CHAT);
    assert_int_equal(load_api_of(STR("/v2/models/llama/generate_stream")), API_TRITON);
    assert_int_equal(load_api_of(STR("/")), API_COUNT);
    assert_int_equal(load_api_of(STR("/v1")), API_COUNT);
}

/* All are JSON that says how many tokens are wanted. */
static void bodies_are_json(void **state)
{
    static const char *const tokens[API_COUNT][2] = {{"max_tokens"},
                                                     {"max_tokens"},
                                                     {"parameters", "max_new_tokens"},
                                                     {"n_predict"},
                                                     {"options", "num_predict"},
                                                     {"sampling_params", "max_new_tokens"},
                                                     {"max_tokens"}};

    (void)state;
    for (int api = 0; api < 2 * API_COUNT; api++) {
        const struct load_format format = {.api = (enum load_api)(api % API_COUNT),
                                           .model = STR("a\"b"),
                                           .exact = api >= API_COUNT,
                                           .stream = true};
        struct buf body = buf_new(&alloc_system, 4096);
        struct arena arena = test_arena();
        const struct node *node;
        struct error err;

        load_body_write(&format, STR("the of"), 77, &body);
        node = json_read(buf_text(&body), "body", &arena, &err);
        assert_non_null(node);
        for (int i = 0; i < 2 && tokens[format.api][i] != NULL; i++) {
            node = node_get(node, str_from(tokens[format.api][i]));
            assert_non_null(node);
        }
        assert_str_equal(node->text, "77");
        buf_free(&body);
        arena_free(&arena);
    }
}

static void the_first_model_is_read_with_its_owner(void **state)
{
    struct arena arena = test_arena();
    struct load_model model = {0};
    struct error err;

    (void)state;
    assert_true(load_model_read(STR("{\"object\":\"list\",\"data\":[{\"id\":\"a\","
                                    "\"owned_by\":\"vllm\"},{\"id\":\"b\"}]}"),
                                &arena, &model, &err));
    assert_str_equal(model.id, "a");
    assert_str_equal(model.owner, "vllm");
    assert_false(load_model_read(STR("<html>"), &arena, &model, &err));
    arena_free(&arena);
}

int group_format(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_say_which_server_it_is),
        cmocka_unit_test(bodies_are_json),
        cmocka_unit_test(the_first_model_is_read_with_its_owner),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
