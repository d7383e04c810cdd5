/* plan, as programs call it: a request in JSON, an answer in JSON; and whatever memory there
 * is. */
#include "places_world.h"

#include "doc/node.h"
#include "op/context.h"
#include "op/plan/plan.h"

static char file_a[100], file_b[100], search_file[100], serve_file[100], config_file[100];

static void put(char *path, size_t room, const char *name, const char *text)
{
    FILE *f;

    (void)snprintf(path, room, "%s/%s", market_folder, name);
    f = fopen(path, "w");
    assert_non_null(f);
    (void)fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static int make(void **state)
{
    if (market_make(state) != 0)
        return 1;
    write_facts(*state);
    put(file_a, sizeof file_a, "a.yaml",
        "name: a\ntrain: {model: gpt2, data: {tokens: 100M}, global_batch: 64}\n");
    put(file_b, sizeof file_b, "b.yaml",
        "name: b\nafter: [a]\nexperiment: {improvement: 2%, chance: 30%, value: $20000}\n"
        "train: {model: gpt2, data: {tokens: 50M}, global_batch: 64}\n");
    put(search_file, sizeof search_file, "search.yaml",
        "name: s\ntrain: {model: gpt2, data: {tokens: 20M}, global_batch: 64,\n"
        "  search: {trials: 9, scheme: asha}}\n");
    put(serve_file, sizeof serve_file, "serve.yaml",
        "name: v\ninfer: {model: gpt2, rate: 50/s, input: 128, output: 64, framework: vllm}\n");
    put(config_file, sizeof config_file, "ds.json", "{\"gradient_clipping\": 1.0}\n");
    return 0;
}

#define plan_test(name) cmocka_unit_test_setup_teardown(name, make, market_end)

/* {"jobs": [FILE], REST} */
static const char *asking(const char *file, const char *rest)
{
    static char text[8][600];
    static size_t turn;
    char *out = text[turn++ % ARRAY_LEN(text)];

    (void)snprintf(out, sizeof text[0], "{\"jobs\": [\"%s\"]%s%s}", file,
                   rest[0] != '\0' ? ", " : "", rest);
    return out;
}

static const struct node *answer(struct world *w, const char *request)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    const struct node *root;

    if (!op_call(&w->ctx, &op_plan, str_from(request), &out, &err))
        fail_msg("%s: %s | %s", request, err.text, err.hint);
    root = json_read(buf_text(&out), "the answer", &w->arena, &err);
    if (root == NULL)
        fail_msg("%s", err.text);
    buf_free(&out);
    return root;
}

/* "plans.0.cost.amount" */
static const struct node *at(const struct node *node, const char *path)
{
    struct str rest = str_from(path);

    while (rest.len > 0) {
        struct str key = str_cut(&rest, '.');

        if (node == NULL) {
            fail_msg("there is no %s", path);
            return NULL;
        }
        if (node->kind == NODE_MAP) {
            node = node_get(node, key);
        } else {
            node = node->first;
            for (long n = strtol(key.at, NULL, 10); n > 0 && node != NULL; n--)
                node = node->next;
        }
    }
    return node;
}

static struct str text_at(const struct node *root, const char *path)
{
    const struct node *node = at(root, path);

    if (node == NULL || node->kind != NODE_SCALAR) {
        fail_msg("%s is no text", path);
        return (struct str){0};
    }
    return node->text;
}

static double number_at(const struct node *root, const char *path)
{
    char text[64];

    (void)snprintf(text, sizeof text, "%.*s", STR_ARG(text_at(root, path)));
    return strtod(text, NULL);
}

static size_t length_at(const struct node *root, const char *path)
{
    size_t count = 0;

    for (const struct node *n = at(root, path)->first; n != NULL; n = n->next)
        count++;
    return count;
}

static void is_text(const struct node *root, const char *path, const char *text)
{
    struct str got = text_at(root, path);

    if (!str_eq(got, str_from(text)))
        fail_msg("%s is '%.*s', not '%s'", path, STR_ARG(got), text);
}

static void not_done(struct world *w, const char *request, enum error_kind kind,
                     const char *text)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    assert_false(op_call(&w->ctx, &op_plan, str_from(request), &out, &err));
    if (err.kind != kind || strstr(err.text, text) == NULL)
        fail_msg("'%s' (%d) does not say '%s' (%d)", err.text, (int)err.kind, text, (int)kind);
    assert_int_equal(out.len, 0);
    buf_free(&out);
}

/* Every key that the result is made of is there, whatever was asked. */
static void has_every_key(const struct node *root)
{
    is_text(root, "schema", "stint.plan/1");
    for (size_t i = 0; i < plan_result_fields.len; i++)
        if (node_get(root, str_from(plan_result_fields.at[i].name)) == NULL)
            fail_msg("there is no '%s'", plan_result_fields.at[i].name);
    if (at(root, "plans")->first != NULL)
        for (size_t i = 0; i < plan_row_fields.len; i++)
            if (node_get(at(root, "plans.0"), str_from(plan_row_fields.at[i].name)) == NULL)
                fail_msg("a plan has no '%s'", plan_row_fields.at[i].name);
}

static void a_training(void **state)
{
    struct world *w = *state;
    const struct node *r = answer(w, asking(file_a, "\"provider\": [\"acme\"]"));

    has_every_key(r);
    is_text(r, "name", "a");
    is_text(r, "kind", "train");
    is_text(r, "model", "gpt2");
    is_text(r, "unit", "job");
    is_text(r, "aim", "cost");
    is_text(r, "work", "100 M tokens");
    is_text(r, "plans.0.role", "best");
    is_text(r, "plans.0.provider", "acme");
    is_text(r, "plans.0.market", "on-demand");
    is_text(r, "plans.1.role", "on spot");
    is_text(r, "plans.1.offer", "acme/eu-1/a");
    assert_near(number_at(r, "plans.0.global_batch"), 64, 0);
    assert_true(number_at(r, "plans.0.cost.amount") > 0);
    assert_true(number_at(r, "plans.0.hours.low") < number_at(r, "plans.0.hours.high"));
    assert_near(number_at(r, "plans.0.gpus"),
                number_at(r, "plans.0.data") * number_at(r, "plans.0.tensor") *
                    number_at(r, "plans.0.pipeline"),
                0);
    assert_true(length_at(r, "restrictions") == 0 && length_at(r, "naive") == 0);
}

/* What is asked for is what limits it. */
static void requests_are_heard(void **state)
{
    struct world *w = *state;
    const struct node *r;

    r = answer(w, asking(file_a, "\"provider\": [\"acme\"], \"market\": \"spot\""));
    is_text(r, "plans.0.market", "spot");
    is_text(r, "plans.0.offer", "acme/eu-1/a");
    r = answer(w, asking(file_a, "\"provider\": [\"acme\"], \"gpu\": [\"T4\"]"));
    is_text(r, "plans.0.accelerator", "T4");
    r = answer(w, asking(file_a, "\"provider\": [\"acme\"], \"region\": [\"us-*\"], "
                                 "\"gpu\": [\"!T4\"]"));
    is_text(r, "plans.0.offer", "acme/us-1/a");
    r = answer(w, asking(file_a, "\"provider\": [\"acme\"], \"min_gpus\": 16"));
    assert_true(number_at(r, "plans.0.gpus") >= 16);
    r = answer(w,
               asking(file_a, "\"provider\": [\"acme\"], \"aim\": \"time\", \"max_gpus\": 8"));
    assert_near(number_at(r, "plans.0.gpus"), 8, 0);
    is_text(r, "plans.0.accelerator", "H100-SXM-80GB");
    r = answer(w,
               asking(file_a, "\"provider\": [\"acme\"], \"owned\": [\"acme/eu-1/a=100h\"]"));
    is_text(r, "plans.0.offer", "acme/eu-1/a");
    is_text(r, "plans.0.cost.amount", "0");
    r = answer(w, asking(file_a, "\"platform\": \"Acme Train\", \"explain\": true"));
    is_text(r, "plans.0.provider", "acme");
    assert_true(length_at(r, "rules") > 5);
    r = answer(w, asking(file_a, "\"provider\": [\"acme\"], \"limit\": 2"));
    assert_int_equal(length_at(r, "plans"), 2);
    assert_true(length_at(r, "front") <= 2);
}

/* What a platform takes is its share of what machines cost. */
static void lines_add_up(void **state)
{
    struct world *w = *state;
    const struct node *r =
        answer(w, asking(file_a, "\"platform\": \"Acme Train\", "
                                 "\"region\": [\"us-1\"], \"gpu\": [\"T4\"]"));
    double sum = 0, markup = 0;
    char path[64];

    for (size_t i = 0; i < length_at(r, "money"); i++) {
        (void)snprintf(path, sizeof path, "money.%zu.amount.amount", i);
        sum += number_at(r, path);
        (void)snprintf(path, sizeof path, "money.%zu.name", i);
        if (str_eq(text_at(r, path), STR("markup"))) {
            (void)snprintf(path, sizeof path, "money.%zu.amount.amount", i);
            markup = number_at(r, path);
        }
    }
    assert_near(sum, number_at(r, "plans.0.cost.amount"), 1e-8);
    assert_near(markup, 0.25 * (sum - markup), 0.01 * sum);
}

static void a_serving(void **state)
{
    struct world *w = *state;
    const struct node *r = answer(w, asking(serve_file, "\"provider\": [\"acme\"]"));

    has_every_key(r);
    is_text(r, "kind", "infer");
    is_text(r, "unit", "month");
    is_text(r, "work", "50 requests/s for a month of 30 days");
    assert_true(number_at(r, "plans.0.p95_s") > 0);
    assert_true(number_at(r, "plans.0.copies") >= 1);
    assert_near(number_at(r, "plans.0.per_million_tokens.amount"),
                number_at(r, "plans.0.cost.amount") / (50 * 64 * 3600.0 * 720) * 1e6, 0.0001);
    r = answer(w, "{\"jobs\": [\"gpt2\"], \"serve\": true, \"provider\": [\"acme\"]}");
    is_text(r, "unit", "million tokens");
    is_text(r, "plans.0.rate_unit", "tokens/s");
}

static void a_search(void **state)
{
    struct world *w = *state;
    const struct node *r = answer(w, asking(search_file, "\"provider\": [\"acme\"]"));

    has_every_key(r);
    assert_near(number_at(r, "trials.trials"), 9, 0);
    is_text(r, "trials.scheme", "asha");
    assert_true(number_at(r, "trials.stopped") > 0.5);
    assert_true(number_at(r, "trials.cost.amount") < number_at(r, "plans.0.cost.amount"));
    assert_near(number_at(r, "trials.each.amount"), number_at(r, "trials.cost.amount") / 9,
                1e-6);
    assert_true(number_at(r, "trials.hours") <= number_at(r, "plans.0.hours.value"));
}

static void several_jobs(void **state)
{
    struct world *w = *state;
    char request[400];
    const struct node *r;

    (void)snprintf(request, sizeof request,
                   "{\"jobs\": [\"%s\", \"%s\"], \"provider\": [\"acme\"]}", file_b, file_a);
    r = answer(w, request);
    has_every_key(r);
    assert_int_equal(length_at(r, "slots"), 2);
    is_text(r, "slots.0.job", "a");
    is_text(r, "slots.1.job", "b");
    assert_true(number_at(r, "slots.1.start_h") >= number_at(r, "slots.0.end_h") - 1e-9);
    assert_true(number_at(r, "together.amount") <= number_at(r, "alone.amount"));
    (void)snprintf(request, sizeof request,
                   "{\"jobs\": [\"%s\", \"%s\"], \"provider\": [\"acme\"], \"queue\": true}",
                   file_b, file_a);
    r = answer(w, request);
    assert_true(length_at(r, "stages") >= 2);
    assert_near(number_at(r, "stages.0.order"), 1, 0);
    assert_non_null(strstr(w->said, "improvement per dollar"));
}

/* The user's configuration is changed, and kept; asked again, it stays. */
static void a_configuration(void **state)
{
    struct world *w = *state;
    char rest[300], kept[120];
    const struct node *r;

    (void)snprintf(
        rest, sizeof rest,
        "\"provider\": [\"acme\"], \"write_config\": \"deepspeed\", \"base\": \"%s\"",
        config_file);
    r = answer(w, asking(file_a, rest));
    assert_true(str_has_nocase(text_at(r, "diff"), STR("train_micro_batch_size_per_gpu")));
    (void)snprintf(kept, sizeof kept, "%s.bak", config_file);
    assert_int_equal(access(kept, R_OK), 0);
    assert_non_null(strstr(w->said, "changed "));
    (void)answer(w, asking(file_a, rest));
    assert_non_null(strstr(w->said, "needs no changes"));
}

static void bad_requests(void **state)
{
    struct world *w = *state;

    not_done(w, "{}", ERROR_INPUT, "jobs");
    not_done(w, asking("none.yaml", ""), ERROR_ABSENT, "none.yaml");
    not_done(w, asking(file_a, "\"aim\": \"best\""), ERROR_USAGE, "is not an aim");
    not_done(w, asking(file_a, "\"market\": \"black\""), ERROR_INPUT, "market");
    not_done(w, asking(file_a, "\"provider\": [\"acme\"], \"deadline\": \"1s\""), ERROR_UNFIT,
             "no plan meets these limits");
    not_done(w, asking(file_a, "\"nothing\": 1"), ERROR_INPUT, "nothing");
    not_done(w, asking(file_a, "\"base\": \"x.json\""), ERROR_USAGE, "--base");
}

/* Ends well, or for want of memory with none kept, however soon it runs out. Facts that were
 * read stay: reading them is the same for all. */
static void survives(const struct world *w, const char *request, size_t step)
{
    bool ok = false;

    for (size_t allow = 0; !ok; allow += step) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc, .block_size = ARENA_BLOCK_SIZE};
        struct op_context ctx = w->ctx;
        struct buf out = buf_new(&alloc, BUF_MAX_OUTPUT);
        struct error err = {0};

        assert_true(allow < 2000);
        ctx.arena = &arena;
        ctx.store = NULL; /* each has its own */
        ok = op_call(&ctx, &op_plan, str_from(request), &out, &err);
        assert_int_equal(err.kind, ok ? ERROR_NONE : ERROR_MEMORY);
        op_done(&ctx);
        buf_free(&out);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
}

static void nobody_minds_how_much_memory_there_is(void **state)
{
    struct world *w = *state;
    char text[700];

    (void)answer(w, asking(file_a, "\"provider\": [\"acme\"], \"gpu\": [\"T4\"]"));
    survives(w,
             asking(file_a, "\"provider\": [\"acme\"], \"market\": \"any\", \"explain\": true, "
                            "\"max_gpus\": 8"),
             40); /* it takes a while: a plan on spot is simulated */
    survives(w, asking(serve_file, "\"provider\": [\"acme\"]"), 1);
    survives(w, "{\"jobs\": [\"bert-base\"], \"serve\": true, \"set\": [\"rate=1/min\"]}", 3);
    survives(w, asking(search_file, "\"provider\": [\"acme\"], \"gpu\": [\"T4\"]"), 1);
    (void)snprintf(text, sizeof text,
                   "{\"jobs\": [\"%s\", \"%s\"], \"provider\": [\"acme\"], \"gpu\": [\"T4\"]}",
                   file_a, file_b);
    survives(w, text, 1);
    (void)snprintf(text, sizeof text,
                   "{\"jobs\": [\"%s\", \"%s\"], \"provider\": [\"acme\"], \"gpu\": [\"T4\"], "
                   "\"queue\": true}",
                   file_a, file_b);
    survives(w, text, 1);
    (void)snprintf(
        text, sizeof text,
        "{\"jobs\": [\"%s\"], \"provider\": [\"acme\"], \"gpu\": [\"T4\"], "
        "\"write_config\": \"deepspeed\", \"base\": \"%s\", \"save\": \"%s/p.json\", "
        "\"csv\": \"%s/p.csv\"}",
        file_a, config_file, market_folder, market_folder);
    survives(w, text, 1);
}

int group_plan(void)
{
    const struct CMUnitTest tests[] = {
        plan_test(a_training),
        plan_test(requests_are_heard),
        plan_test(lines_add_up),
        plan_test(a_serving),
        plan_test(a_search),
        plan_test(several_jobs),
        plan_test(a_configuration),
        plan_test(bad_requests),
        plan_test(nobody_minds_how_much_memory_there_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
