/* Advice of a ledger: what is decided stays decided, and want of memory is survived. */
#include "world.h"

#include <unistd.h>

#include "op/advise/advise.h"
#include "op/op.h"

static char advise_folder[64], advise_ledger[100];

static int advise_make(void **state)
{
    struct world *w;

    (void)snprintf(advise_folder, sizeof advise_folder, "/tmp/stint-advise-XXXXXX");
    if (mkdtemp(advise_folder) == NULL || world_make(state) != 0)
        return 1;
    (void)snprintf(advise_ledger, sizeof advise_ledger, "%s/ledger.db", advise_folder);
    w = *state;
    w->settings.ledger = str_from(advise_ledger);
    return 0;
}

static int advise_end(void **state)
{
    char command[200];
    int status = world_end(state);

    (void)snprintf(command, sizeof command, "rm -r %s", advise_folder);
    return status != 0 ? status : system(command);
}

#define advise_test(name) cmocka_unit_test_setup_teardown(name, advise_make, advise_end)

static void ask(struct world *w, const char *op, const char *request)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    if (!op_call(&w->ctx, op_find(str_from(op)), str_from(request), &out, &err))
        fail_msg("%s %s: %s", op, request, err.text);
    buf_free(&out);
}

/* Two runs on a machine of a cloud. */
static void fill(struct world *w)
{
    ask(w, "runs.add",
        "{\"name\":\"bert\",\"offer\":\"aws/us-east-1/g5.xlarge\",\"start\":\"2026-11-10T10:00:"
        "00Z\",\"end\":\"2026-11-10T11:00:00Z\"}");
    ask(w, "runs.add",
        "{\"name\":\"bert\",\"offer\":\"aws/us-east-1/g5.xlarge\",\"start\":\"2026-11-11T10:00:"
        "00Z\",\"end\":\"2026-11-11T12:00:00Z\"}");
}

static void advise(struct world *w, struct advise_result *out)
{
    struct advise_request request;
    struct error err = {0};

    assert_true(fields_reset(op_advise.request, &request, &w->arena, &err));
    assert_true(fields_reset(op_advise.result, out, &w->arena, &err));
    if (!op_run(&w->ctx, &op_advise, &request, out, &err))
        fail_msg("%s", err.text);
}

static void a_dismissed_finding_stays_away(void **state)
{
    struct world *w = *state;
    struct advise_result before, after;
    const struct finding *first;
    char request[200];

    fill(w);
    advise(w, &before);
    assert_int_equal(before.runs, 2);
    assert_int_equal(before.works, 1);
    assert_true(before.possible.len > 0);
    first = before.possible.at;
    (void)snprintf(request, sizeof request, "{\"id\":\"%s\",\"reason\":\"no\"}", first->id);
    ask(w, "advise.dismiss", request);
    advise(w, &after);
    assert_int_equal(after.possible.len, before.possible.len - 1);
    assert_int_equal(after.dismissed, 1);
    (void)snprintf(request, sizeof request, "{\"id\":\"%s\"}", first->id);
    ask(w, "advise.restore", request);
    ask(w, "advise.apply", request);
    advise(w, &after);
    assert_int_equal(after.applied.len, 1);
    assert_int_equal(((const struct followup *)after.applied.at)->runs_before, 2);
}

static void want_of_memory_is_survived(void **state)
{
    static const char *const requests[][2] = {
        {"advise", "{\"svg\":\"/dev/null\"}"},
        {"advise", "{\"of\":\"bert\"}"},
        {"advise.rules", "{}"},
        {"advise.facts", "{}"},
    };
    struct world *w = *state;

    fill(w);
    world_survives(w, requests, ARRAY_LEN(requests));
}

int group_advise(void)
{
    const struct CMUnitTest tests[] = {
        advise_test(a_dismissed_finding_stays_away),
        advise_test(want_of_memory_is_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
