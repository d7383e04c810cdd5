/* Whose money it was: statements add up to what was spent, whatever the policy does with it. */
#include "world.h"

#include <unistd.h>

#include "base/fs.h"
#include "op/account/costs.h"
#include "op/account/statement.h"
#include "op/ledger_open.h"
#include "op/op.h"

static char folder[64], ledger_file[100];

static int make(void **state)
{
    struct world *w;

    (void)snprintf(folder, sizeof folder, "/tmp/stint-allocation-XXXXXX");
    if (mkdtemp(folder) == NULL || world_make(state) != 0)
        return 1;
    (void)snprintf(ledger_file, sizeof ledger_file, "%s/ledger.db", folder);
    w = *state;
    w->settings.ledger = str_from(ledger_file);
    return 0;
}

static int end(void **state)
{
    char command[200];
    int status = world_end(state);

    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return status != 0 ? status : system(command);
}

#define allocation_test(name) cmocka_unit_test_setup_teardown(name, make, end)

/* The answer, in the world's arena. FOLDER in the request is the folder of the test. */
static struct str answer_of(struct world *w, const char *op, const char *request)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    char text[1024];
    const char *at = strstr(request, "FOLDER");
    struct str kept;

    if (at == NULL)
        (void)snprintf(text, sizeof text, "%s", request);
    else
        (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - request), request, folder,
                       at + strlen("FOLDER"));
    if (!op_call(&w->ctx, op_find(str_from(op)), str_from(text), &out, &err))
        fail_msg("%s %s: %s (%s)", op, request, err.text, err.hint);
    assert_true(buf_keep(&out, &w->arena, &kept, &err));
    return kept;
}

static void assert_says(struct str text, const char *part)
{
    if (!str_has_nocase(text, str_from(part)))
        fail_msg("'%s' is not in:\n%.*s", part, STR_ARG(text));
}

static void ask(struct world *w, const char *op, const char *request)
{
    (void)answer_of(w, op, request);
}

static void put_file(const char *name, const char *text)
{
    char path[200];
    struct error err = {0};

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_true(fs_put(path, str_from(text), &err));
}

static const char bill[] =
    "BilledCost,EffectiveCost,ListCost,ContractedCost,BillingAccountId,BillingAccountName,"
    "BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,"
    "ChargeCategory,ChargeDescription,ProviderName,PublisherName,InvoiceIssuerName,InvoiceId,"
    "ServiceName,ServiceCategory,ResourceId,SubAccountId,Tags\n"
#define LINE(cost, charge, service, tags) \
    cost "," cost "," cost "," cost ",1234,Acme,USD,2026-10-01T00:00:00Z," \
         "2026-11-01T00:00:00Z,2026-10-05T00:00:00Z,2026-10-06T00:00:00Z," charge \
         ",words,AWS,AWS,AWS,I1," service ",Compute,r1,777,\"" tags "\"\n"
    LINE("100.000000000001", "Usage", "EC2", "{\"\"team\"\":\"\"nlp\"\"}")
        LINE("33.333333333333", "Usage", "EC2", "{\"\"team\"\":\"\"vision\"\"}")
            LINE("0.000000000007", "Usage", "EC2", "{\"\"team\"\":\"\"tiny\"\"}")
                LINE("20.1", "Usage", "AWS Support", "{}") LINE("7", "Tax", "Tax", "{}")
                    LINE("-5.55", "Credit", "EC2", "{}") LINE("11", "Usage", "S3", "{}");

static const char policy[] =
    "required: [team]\n"
    "rules:\n- {when: {service: S3}, set: {team: platform}}\n"
    "shared:\n"
    "- {name: support, when: {service: AWS Support}, split: usage}\n"
    "- {name: tax, when: {charge: Tax}, split: even}\n"
    "- {name: platform, when: {team: platform}, split: weights, weights: {nlp: 3, vision: 1}}\n"
    "- {name: credits, when: {charge: Credit}, split: usage}\n"
    "recurring:\n- {name: server, cost: $199.99/month, from: 2026-10-10, tags: {team: ops}}\n";

static void fill(struct world *w)
{
    put_file("bill.csv", bill);
    put_file("policy.yaml", policy);
    put_file("counts.csv", "what,day,count,model\npredictions,2026-10-07,1000,bert\n");
    ask(w, "import", "{\"files\":[\"FOLDER/bill.csv\"]}");
    ask(w, "allocation.set", "{\"file\":\"FOLDER/policy.yaml\"}");
    ask(w, "counts.import", "{\"file\":\"FOLDER/counts.csv\"}");
    ask(w, "runs.add",
        "{\"name\":\"train\",\"cost\":\"3.21usd\",\"start\":\"2026-10-03\","
        "\"end\":\"2026-10-04\",\"tag\":[\"team=nlp\",\"model=bert\",\"phase=train\","
        "\"experiment=e1\"]}");
    ask(w, "runs.add",
        "{\"name\":\"serve\",\"cost\":\"1.5usd\",\"start\":\"2026-10-06\","
        "\"end\":\"2026-10-09\",\"tag\":[\"team=nlp\",\"model=bert\",\"phase=inference\"]}");
}

/* What was spent in October, by itself. */
static struct decimal spent(struct world *w, bool raw)
{
    struct spending_query query = {.grain = GRAIN_ALL, .raw = raw};
    struct spending_answer answer;
    struct error err = {0};
    struct decimal sum = {0};
    struct ledger *l = op_ledger(&w->ctx, LEDGER_READ, &err);

    assert_true(day_parse(STR("2026-10-01"), &query.since));
    assert_true(day_parse(STR("2026-11-01"), &query.until));
    assert_true(op_spending(&w->ctx, l, &query, &answer, &err));
    for (size_t i = 0; i < answer.count; i++)
        assert_true(decimal_add(sum, answer.at[i].amount, &sum));
    ledger_close(l);
    return sum;
}

/* A value with a comma is a value: it neither ends there nor brings another tag. */
static void a_comma_in_a_tag_is_a_part_of_it(void **state)
{
    struct world *w = *state;

    put_file("counts.csv", "what,day,count,model,team\npredictions,2026-10-07,1000,bert,\n"
                           "predictions,2026-10-07,5,\"bert,team=x\",\n"
                           "predictions,2026-10-07,7,bert,x\n");
    ask(w, "counts.import", "{\"file\":\"FOLDER/counts.csv\"}");
    ask(w, "counts.import", "{\"file\":\"FOLDER/counts.csv\"}");
    assert_says(answer_of(w, "counts.list", "{}"), "\"count\":3,");
    assert_says(answer_of(w, "counts.list", "{}"),
                "\"amount\":\"5\",\"tags\":[\"model=bert,team=x\"]");
    assert_says(answer_of(w, "counts.list", "{}"), "\"tags\":[\"model=bert\",\"team=x\"]");
    ask(w, "runs.add",
        "{\"name\":\"serve\",\"cost\":\"1.5usd\",\"start\":\"2026-10-06\","
        "\"end\":\"2026-10-09\",\"tag\":[\"model=bert\",\"phase=inference\"]}");
    assert_says(answer_of(w, "unit_costs", "{\"of\":\"prediction\",\"since\":\"2026-10-01\"}"),
                "\"count\":1007");
}

static void statements_add_up_to_what_was_spent(void **state)
{
    struct world *w = *state;
    struct statement_request request;
    struct statement_result result;
    struct error err = {0};
    struct decimal sum = {0}, recorded, server = {14193, 2}; /* 22 of 31 days */
    const struct statement *list;

    fill(w);
    assert_true(fields_reset(op_statement.request, &request, &w->arena, &err));
    request.month = STR("2026-10");
    assert_true(op_run(&w->ctx, &op_statement, &request, &result, &err));
    list = result.set.statements.at;
    for (size_t i = 0; i < result.set.statements.len; i++) {
        const struct statement_line *lines = list[i].lines.at;
        struct decimal one = {0};

        for (size_t k = 0; k < list[i].lines.len; k++)
            assert_true(decimal_add(one, lines[k].amount.amount, &one));
        assert_int_equal(decimal_cmp(one, list[i].total.amount), 0);
        assert_true(decimal_add(sum, one, &sum));
        assert_false(str_eq(list[i].who, STR("platform"))); /* all of it was given away */
    }
    recorded = spent(w, true);
    assert_int_equal(decimal_cmp(sum, spent(w, false)), 0);
    recorded.coefficient = -recorded.coefficient;
    assert_true(decimal_add(sum, recorded, &sum)); /* what the recurring cost added */
    assert_near(decimal_double(sum), decimal_double(server), 0.005);
}

static void a_number_stays_while_the_amounts_do(void **state)
{
    struct world *w = *state;
    struct statement_request request;
    struct statement_result first, again;
    struct error err = {0};
    const struct statement *a, *b;

    fill(w);
    assert_true(fields_reset(op_statement.request, &request, &w->arena, &err));
    request.month = STR("2026-10");
    request.team = STR("nlp");
    assert_true(op_run(&w->ctx, &op_statement, &request, &first, &err));
    assert_true(op_run(&w->ctx, &op_statement, &request, &again, &err));
    a = first.set.statements.at;
    b = again.set.statements.at;
    assert_int_equal(first.set.statements.len, 1);
    assert_true(str_eq(a->number, b->number));
    ask(w, "runs.add",
        "{\"name\":\"more\",\"cost\":\"0.01usd\",\"start\":\"2026-10-20\","
        "\"end\":\"2026-10-21\",\"tag\":[\"team=nlp\"]}");
    assert_true(op_run(&w->ctx, &op_statement, &request, &again, &err));
    b = again.set.statements.at;
    assert_false(str_eq(a->number, b->number));
}

static void want_of_memory_is_survived(void **state)
{
    static const char *const requests[][2] = {
        {"tags", "{\"month\":\"2026-10\"}"},
        {"allocation.show", "{}"},
        {"allocation.check", "{}"},
        {"statement", "{\"month\":\"2026-10\",\"csv\":\"/dev/null\",\"html\":\"/dev/null\"}"},
        {"statement", "{\"month\":\"2026-10\",\"kind\":\"chargeback\"}"},
        {"unit_costs", "{\"of\":\"experiment\"}"},
        {"unit_costs", "{\"of\":\"update\"}"},
        {"unit_costs", "{\"of\":\"prediction\"}"},
        {"counts.list", "{}"},
        {"tags.set", "{\"run\":\"serve\",\"tags\":[\"team=vision\"]}"},
        {"counts.add", "{\"what\":\"x\",\"amount\":\"5\",\"from\":\"2026-10-01\","
                       "\"tag\":[\"model=bert\"]}"},
        {"allocation.remove", "{}"},
    };
    struct world *w = *state;

    fill(w);
    world_survives(w, requests, ARRAY_LEN(requests));
}

int group_allocation(void)
{
    const struct CMUnitTest tests[] = {
        allocation_test(statements_add_up_to_what_was_spent),
        allocation_test(a_comma_in_a_tag_is_a_part_of_it),
        allocation_test(a_number_stays_while_the_amounts_do),
        allocation_test(want_of_memory_is_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
