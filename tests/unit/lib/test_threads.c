/* The library called by several threads at once: what one thread alone is answered, each of
 * them is answered, and what they write to one ledger is all there. `./dev threads` runs this
 * under ThreadSanitizer. */
#include "test.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "stint.h"

enum { THREADS = 4, ROUNDS = 2 };

struct ask {
    const char *name, *request;
    const char *stays; /* the reply up to this text is the same each time; NULL: all of it */
    int status;
};

/* Facts, searches on threads of their own, files, loadable parts, mistakes. */
static const struct ask asks[] = {
    {"gpu.show", "{\"gpu\":\"a100\"}", NULL, 0},
    {"catalog.list", NULL, NULL, 0},
    {"price.compare", "{\"gpu\":\"H100x8\",\"hours\":24}", NULL, 0},
    {"estimate", "{\"job\":\"llama-2-7b\",\"on\":\"A100x8\",\"tokens\":\"1M\"}", NULL, 0},
    {"plan", "{\"jobs\":[\"llama-2-7b\"],\"method\":\"lora\",\"tokens\":\"1M\"}",
     "\"search_ms\"", 0},
    {"schema", "{\"operation\":\"plan\"}", NULL, 0},
    {"config.show", NULL, NULL, 0},
    {"gpu.show", "{\"gpu\":\"H1000\"}", NULL, 4},
    {"price.lst", NULL, NULL, 2},
};

struct caller {
    pthread_t thread;
    size_t first; /* each begins with another operation */
    int wrong;
    char problem[400];
};

static char *alone[ARRAY_LEN(asks)];

static size_t length_that_stays(const struct ask *ask, const char *reply)
{
    const char *end = ask->stays == NULL ? NULL : strstr(reply, ask->stays);

    return end == NULL ? strlen(reply) : (size_t)(end - reply);
}

static void compare_answer(struct caller *c, size_t i)
{
    const struct ask *ask = &asks[i];
    char *reply = NULL;
    int status = stint_call(ask->name, ask->request, &reply);
    size_t len = length_that_stays(ask, alone[i]);

    if (status != ask->status || reply == NULL || length_that_stays(ask, reply) != len ||
        memcmp(reply, alone[i], len) != 0) {
        c->wrong++;
        (void)snprintf(c->problem, sizeof c->problem, "%s: %d %.300s", ask->name, status,
                       reply == NULL ? "no reply" : reply);
    }
    stint_free(reply);
}

static void add_run(struct caller *c, int round)
{
    char request[200], *reply = NULL;
    int status;

    (void)snprintf(request, sizeof request,
                   "{\"provider\":\"Acme\",\"name\":\"work-%zu-%d\",\"cost\":\"3usd\","
                   "\"start\":\"2026-11-01T10:00:00Z\",\"end\":\"2026-11-01T11:00:00Z\"}",
                   c->first, round);
    status = stint_call("runs.add", request, &reply);
    if (status != 0) {
        c->wrong++;
        (void)snprintf(c->problem, sizeof c->problem, "runs.add: %d %.300s", status,
                       reply == NULL ? "no reply" : reply);
    }
    stint_free(reply);
}

static void *call_everything(void *arg)
{
    struct caller *c = arg;

    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < ARRAY_LEN(asks); i++)
            compare_answer(c, (c->first + i) % ARRAY_LEN(asks));
        add_run(c, round);
    }
    return NULL;
}

static size_t count_text(const char *text, const char *what)
{
    size_t count = 0;

    for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what))
        count++;
    return count;
}

static void each_thread_gets_its_own_answers(void **state)
{
    char folder[] = "/tmp/stint-threads-XXXXXX", ledger[64], config[64], command[100];
    struct caller callers[THREADS] = {0};
    char *reply = NULL;

    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(ledger, sizeof ledger, "%s/ledger.db", folder);
    (void)snprintf(config, sizeof config, "%s/config.yaml", folder);
    assert_int_equal(setenv("STINT_LEDGER", ledger, 1), 0);
    assert_int_equal(setenv("STINT_CONFIG", config, 1), 0);
    assert_int_equal(stint_call("config.init", "{\"country\":\"DE\"}", &reply), 0);
    stint_free(reply);
    for (size_t i = 0; i < ARRAY_LEN(asks); i++) {
        assert_int_equal(stint_call(asks[i].name, asks[i].request, &alone[i]), asks[i].status);
        assert_non_null(alone[i]);
    }
    for (size_t i = 0; i < THREADS; i++) {
        callers[i].first = i;
        assert_int_equal(pthread_create(&callers[i].thread, NULL, call_everything, &callers[i]),
                         0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(callers[i].thread, NULL), 0);
        if (callers[i].wrong > 0)
            fail_msg("thread %zu: %d wrong, the last: %s", i, callers[i].wrong,
                     callers[i].problem);
    }
    assert_int_equal(stint_call("runs", NULL, &reply), 0);
    if (count_text(reply, "\"name\":\"work-") != (size_t)THREADS * ROUNDS)
        fail_msg("%s", reply);
    stint_free(reply);
    for (size_t i = 0; i < ARRAY_LEN(asks); i++)
        stint_free(alone[i]);
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_thread_gets_its_own_answers),
    };

    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
