/* The library as a program that embeds it sees it. */
#include "test.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "stint.h"

static void answers_in_the_schema_of_the_command(void **state)
{
    char *reply = NULL;

    (void)state;
    assert_int_equal(stint_call("price.compare", "{\"gpu\":\"H100x8\",\"hours\":24}", &reply),
                     0);
    assert_non_null(reply);
    assert_int_equal(strncmp(reply,
                             "{\"schema\":\"stint.price.compare/"
                             "1\",\"accelerator\":\"H100-SXM-80GB\",\"gpus\":8,",
                             71),
                     0);
    assert_non_null(strstr(reply, "\"currency\":\"USD\""));
    stint_free(reply);
}

static void takes_no_request_for_all_defaults(void **state)
{
    char *reply = NULL;

    (void)state;
    assert_int_equal(stint_call("catalog.list", NULL, &reply), 0);
    assert_non_null(strstr(reply, "\"table\":\"offers\""));
    stint_free(reply);
    assert_int_equal(stint_call("gpu.list", "", &reply), 0);
    stint_free(reply);
}

static void failures_are_json_with_the_exit_status(void **state)
{
    static const struct {
        const char *name, *request, *reply;
        int status;
    } cases[] = {
        {"price.lst", NULL,
         "{\"schema\":\"stint.error/1\",\"kind\":\"usage\",\"text\":\"there is no operation "
         "'price.lst'\",\"hint\":\"did you mean 'price.list'?\"}",
         2},
        {"gpu.show", "{\"gpu\":\"H1000\"}",
         "{\"schema\":\"stint.error/1\",\"kind\":\"absent\",\"text\":\"there is no accelerator "
         "'H1000'\",\"hint\":\"did you mean 'H100'? 'stint gpu list' shows all\"}",
         4},
        {"gpu.show", NULL,
         "{\"schema\":\"stint.error/1\",\"kind\":\"input\",\"text\":\"request: 'gpu' is "
         "missing\",\"hint\":\"gpu: GPU by any of its names\"}",
         3},
        {"price.list", "{\"max_pirce\":\"3usd/hr\"}",
         "{\"schema\":\"stint.error/1\",\"kind\":\"input\",\"text\":\"request: there is no key "
         "'max_pirce'\",\"hint\":\"did you mean 'max_price'?\"}",
         3},
        {"price.list", "{\"limit\":0}",
         "{\"schema\":\"stint.error/1\",\"kind\":\"input\",\"text\":\"request: limit: '0' is "
         "not 1 or "
         "more\",\"hint\":null}",
         3},
        {"run", "{\"command\":[\"true\"]}",
         "{\"schema\":\"stint.error/1\",\"kind\":\"usage\",\"text\":\"'run' needs a process of "
         "its own: it supervises other processes, and would take signals and children of this "
         "program\",\"hint\":\"start the program: stint call run REQUEST\"}",
         2},
        {"price.list", "[]",
         "{\"schema\":\"stint.error/1\",\"kind\":\"input\",\"text\":\"request: expected keys "
         "and "
         "values\",\"hint\":null}",
         3},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char *reply = NULL;

        assert_int_equal(stint_call(cases[i].name, cases[i].request, &reply), cases[i].status);
        assert_string_equal(reply, cases[i].reply);
        stint_free(reply);
    }
}

static void *call_often(void *arg)
{
    int *failures = arg;

    for (int i = 0; i < 20; i++) {
        char *reply = NULL;

        if (stint_call("gpu.show", "{\"gpu\":\"a100\"}", &reply) != 0)
            ++*failures;
        stint_free(reply);
    }
    return NULL;
}

static void threads_do_not_disturb_each_other(void **state)
{
    pthread_t threads[4];
    int failures[4] = {0};

    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call_often, &failures[i]), 0);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(failures[i], 0);
    }
}

static void *write_often(void *arg)
{
    int *failures = arg;

    for (int i = 0; i < 10; i++) {
        char *reply = NULL;

        if (stint_call("config.init", "{\"force\":true,\"country\":\"DE\"}", &reply) != 0)
            ++*failures;
        stint_free(reply);
    }
    return NULL;
}

static void threads_write_one_file_completely(void **state)
{
    char folder[] = "/tmp/stint-lib-XXXXXX", path[64], backup[80];
    pthread_t threads[4];
    int failures[4] = {0};
    char *reply = NULL;

    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/config.yaml", folder);
    (void)snprintf(backup, sizeof backup, "%s.bak", path);
    assert_int_equal(setenv("STINT_CONFIG", path, 1), 0);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_often, &failures[i]), 0);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(failures[i], 0);
    }
    assert_int_equal(stint_call("config.show", NULL, &reply), 0);
    assert_non_null(strstr(reply, "\"name\":\"country\",\"value\":\"DE\""));
    stint_free(reply);
    assert_int_equal(unsetenv("STINT_CONFIG"), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(backup), 0);
    assert_int_equal(rmdir(folder), 0); /* and nothing is left behind */
}

static void reports_its_version(void **state)
{
    (void)state;
    assert_string_equal(stint_version(), "0.1.0");
    stint_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_in_the_schema_of_the_command),
        cmocka_unit_test(takes_no_request_for_all_defaults),
        cmocka_unit_test(failures_are_json_with_the_exit_status),
        cmocka_unit_test(threads_do_not_disturb_each_other),
        cmocka_unit_test(threads_write_one_file_completely),
        cmocka_unit_test(reports_its_version),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
