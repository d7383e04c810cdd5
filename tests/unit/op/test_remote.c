/* What may be asked from elsewhere: the table itself, and what op_run() refuses. */
#include "world.h"

#include <ctype.h>

#include "op/op.h"
#include "op/remote.h"

/* ---- the table ---- */

/* Words that say that a value is a file, a folder, an address, a variable or a program. */
static const char *const suspicious[] = {"file",  "dir",     "path", "url",     "folder",
                                         "env",   "program", "uri",  "command", ".csv",
                                         ".json", ".svg",    NULL};

/* Names that say so, as they are. */
static const char *const suspicious_names[] = {"csv",  "svg",    "png",  "pdf",  "html", "md",
                                               "save", "output", "base", "host", NULL};

static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);

    for (; text != NULL && *text != '\0'; text++)
        if (strncasecmp(text, word, n) == 0)
            return true;
    return false;
}

static bool is_suspicious(const struct field *f)
{
    for (size_t i = 0; suspicious[i] != NULL; i++)
        if (has_word(f->name, suspicious[i]) || has_word(f->value, suspicious[i]))
            return true;
    for (size_t i = 0; suspicious_names[i] != NULL; i++)
        if (strcmp(f->name, suspicious_names[i]) == 0)
            return true;
    return false;
}

/* What looks like a file and is none, or is checked by the operation itself. */
static bool is_known(const char *op, const char *field)
{
    static const char *const known[][2] = {
        {"alert.add", "url"}, /* only for admin: where alerts are sent */
        {"infer", "traffic"}, /* a shape, or a file: op_file_read */
        {"infer", "output"},  /* tokens */
    };

    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (strcmp(known[i][0], op) == 0 && strcmp(known[i][1], field) == 0)
            return true;
    return false;
}

static void fields_that_may_name_files_are_marked(void **state)
{
    size_t remote = 0, marked = 0;

    (void)state;
    for (size_t i = 0; i < op_count; i++) {
        const struct op *op = op_table[i];

        remote += op->remote != OP_LOCAL;
        for (size_t k = 0; op->remote != OP_LOCAL && k < op->request->len; k++) {
            const struct field *f = &op->request->at[k];
            bool text = f->type == FIELD_TEXT || f->type == FIELD_TEXTS;

            marked += !op_is_remote(f);
            if (text && is_suspicious(f) && op_is_remote(f) && !is_known(op->name, f->name))
                fail_msg("%s: '%s' (%s) may name a file: mark it .local, or say why not",
                         op->name, f->name, f->value);
        }
    }
    assert_in_range(remote, 60, op_count);
    assert_in_range(marked, 60, 400);
}

/* What changes something needs more than to read; what only reads, no more. */
static void scopes_follow_what_operations_do(void **state)
{
    (void)state;
    for (size_t i = 0; i < op_count; i++) {
        const struct op *op = op_table[i];

        if (op->remote > OP_READ && !op->changes && strcmp(op->name, "alert.channels") != 0 &&
            strcmp(op->name, "token.list") != 0)
            fail_msg("%s changes nothing, and needs more than to read", op->name);
        if (op->remote == OP_READ && op->changes && strcmp(op->name, "anomalies") != 0)
            fail_msg("%s changes something, and needs only to read", op->name);
        if (op->remote == OP_LOCAL && op->team != OP_TEAM_NONE)
            fail_msg("%s is for this machine, and limited to a team", op->name);
        if (op->team == OP_TEAM_WHERE)
            assert_int_equal(field_find(op->request, STR("where"))->type, FIELD_TEXTS);
        if (op->team == OP_TEAM_TAG)
            assert_int_equal(field_find(op->request, STR("tag"))->type, FIELD_TEXTS);
    }
}

static void what_starts_programs_or_writes_files_is_local(void **state)
{
    static const char *const names[] = {
        "run",           "attach",        "watch",          "tune",
        "import",        "import.mlflow", "import.wandb",   "report",
        "export",        "config.init",   "config.show",    "demo",
        "ledger.init",   "ledger.copy",   "ledger.doctor",  "price.import",
        "price.fetch",   "price.pack",    "comment",        "validate",
        "counts.import", "rates.import",  "catalog.import", "checkpoints.prune",
        "plan.recheck",  "allocation.set"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        assert_int_equal(op_find(str_from(names[i]))->remote, OP_LOCAL);
}

/* ---- requests ---- */

static const char *ask(struct world *w, const char *name, const char *request)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    const char *reply;

    if (!op_call(&w->ctx, op_find(str_from(name)), str_from(request), &out, &err)) {
        buf_clear(&out);
        buf_addf(&out, "%s: %s | %s", error_kind_name(err.kind), err.text, err.hint);
    }
    reply = str_dup(buf_text(&out), &w->arena, &err);
    buf_free(&out);
    assert_non_null(reply);
    return reply;
}

static void files_are_refused(void **state)
{
    static const char *const requests[][3] = {
        {"estimate", "{\"job\":\"/etc/passwd\",\"on\":\"H100\"}", "files of the server"},
        {"estimate", "{\"job\":\"job.yaml\",\"on\":\"H100\"}", "files of the server"},
        {"estimate", "{\"job\":\"7B\",\"on\":\"H100\",\"set\":[\"config=/etc/passwd\"]}",
         "files of the server"},
        {"estimate", "{\"job\":\"7B\",\"on\":\"H100\",\"deepspeed\":\"/etc/passwd\"}",
         "'deepspeed' of estimate"},
        {"estimate", "{\"job\":\"no/such\",\"on\":\"H100\",\"fetch_model\":true}",
         "'fetch_model' of estimate"},
        {"plan", "{\"jobs\":[\"/etc/passwd\"]}", "files of the server"},
        {"plan", "{\"jobs\":[\"7B\"],\"save\":\"/tmp/x.json\"}", "'save' of plan"},
        {"plan", "{\"jobs\":[\"7B\"],\"write_config\":\"deepspeed\"}", "'write_config'"},
        {"infer", "{\"job\":\"llama-3.1-8b\",\"rate\":\"1/s\",\"traffic\":\"/etc/x.csv\"}",
         "files of the server"},
        {"gpu.fit", "{\"model\":\"/etc/passwd\"}", "files of the server"},
        {"storage", "{\"dataset\":\"/etc\"}", "files of the server"},
        {"tco", "{\"gpu\":\"H100x8\",\"load\":\"/etc/passwd\"}", "files of the server"},
        {"budget.split", "{\"budget\":\"100usd\",\"plans\":[\"/etc/x.json\"]}",
         "files of the server"},
        {"check", "{\"what\":\"/etc/passwd\",\"baseline\":\"x.json\"}", "files of the server"},
        {"simulate", "{\"traces\":[\"/etc/passwd\"]}", "'traces' of simulate"},
        {"simulate", "{\"slurm\":true}", "'slurm' of simulate"},
        {"spot.fleet", "{\"gpus\":8,\"jobs\":\"/etc/passwd\"}", "'jobs' of spot.fleet"},
        {"schema", "{\"output\":\"/tmp\"}", "'output' of schema"},
        {"costs", "{\"csv\":\"/tmp/x.csv\"}", "'csv' of costs"},
        {"alert.add", "{\"name\":\"x\",\"kind\":\"slack\",\"url_env\":\"HOME\"}", "'url_env'"},
        {"export", "{\"file\":\"/tmp/x\"}", "'export' needs files"},
        {"run", "{\"command\":[\"true\"]}", "'run' needs files"},
    };
    struct world *w = *state;

    w->ctx.remote = true;
    for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
        const char *reply = ask(w, requests[i][0], requests[i][1]);

        if (strstr(reply, requests[i][2]) == NULL)
            fail_msg("%s %s: %s", requests[i][0], requests[i][1], reply);
    }
}

/* A job in the request is the same as one in a file. */
static void jobs_come_in_the_request(void **state)
{
    static const char *const jobs[] = {
        "{\"job\":\"train:\\n  model: llama-3.1-8b\\n  data: {tokens: "
        "10M}\\n\",\"on\":\"H100\"}",
        "{\"job\":\"{\\\"train\\\":{\\\"model\\\":\\\"llama-3.1-8b\\\",\\\"data\\\":{"
        "\\\"tokens\\\":"
        "\\\"10M\\\"}}}\",\"on\":\"H100\"}",
        "{\"job\":\"llama-3.1-8b\",\"set\":[\"data.tokens=10M\"],\"on\":\"H100\"}",
    };
    struct world *w = *state;
    const char *cost[ARRAY_LEN(jobs)];

    w->ctx.remote = true;
    for (size_t i = 0; i < ARRAY_LEN(jobs); i++) {
        const char *reply = ask(w, "estimate", jobs[i]);

        cost[i] = strstr(reply, "\"total\":");
        if (cost[i] == NULL)
            fail_msg("%s: %s", jobs[i], reply);
        assert_memory_equal(cost[0], cost[i], 60);
    }
}

static void a_broken_job_is_placed(void **state)
{
    struct world *w = *state;
    const char *reply =
        ask(w, "estimate", "{\"job\":\"train:\\n  modle: llama-3.1-8b\\n\",\"on\":\"H100\"}");

    assert_non_null(strstr(reply, "the job:2:3: "));
    assert_non_null(strstr(reply, "did you mean 'model'"));
}

/* ---- teams ---- */

static void a_team_is_a_name(void **state)
{
    struct error err = {0};

    (void)state;
    assert_true(op_team_name(STR("nlp"), &err));
    assert_true(op_team_name(STR("R&D Z\xc3\xbcrich"), &err));
    assert_false(op_team_name(STR("nlp*"), &err));
    assert_false(op_team_name(STR("a,b"), &err));
    assert_false(op_team_name(STR("a=b"), &err));
}

static void what_cannot_be_limited_is_refused(void **state)
{
    struct world *w = *state;

    w->ctx.remote = true;
    w->ctx.team = STR("nlp");
    for (size_t i = 0; i < op_count; i++) {
        const struct op *op = op_table[i];
        struct error err = {0};
        const void *request;
        void *in = arena_get(&w->arena, 1, op->request->size, alignof(max_align_t), &err);

        if (op->remote == OP_LOCAL)
            continue;
        assert_true(fields_reset(op->request, in, &w->arena, &err));
        request = in;
        assert_int_equal(op_admit(&w->ctx, op, &request, &err), op->team != OP_TEAM_NONE);
        if (op->team == OP_TEAM_WHERE || op->team == OP_TEAM_TAG) {
            const struct field *f =
                field_find(op->request, op->team == OP_TEAM_WHERE ? STR("where") : STR("tag"));
            struct strs have;

            memcpy(&have, (const unsigned char *)request + f->offset, sizeof have);
            assert_ptr_not_equal(request, in);
            assert_int_equal(have.len, 1);
            assert_memory_equal(have.at[0].at, "team=nlp", 8);
        }
    }
}

static void runs_are_entered_for_the_own_team(void **state)
{
    struct world *w = *state;
    const char *reply;

    w->ctx.remote = true;
    w->ctx.team = STR("nlp");
    reply = ask(w, "runs.add",
                "{\"start\":\"2026-11-14\",\"end\":\"2026-11-15\",\"cost\":\"5usd\",\"name\":"
                "\"x\",\"tag\":[\"team=vision\"]}");
    assert_non_null(strstr(reply, "'team=vision': this token is for the team 'nlp'"));
}

int group_remote(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_that_may_name_files_are_marked),
        cmocka_unit_test(scopes_follow_what_operations_do),
        cmocka_unit_test(what_starts_programs_or_writes_files_is_local),
        cmocka_unit_test_setup_teardown(files_are_refused, world_make, world_end),
        cmocka_unit_test_setup_teardown(jobs_come_in_the_request, world_make, world_end),
        cmocka_unit_test_setup_teardown(a_broken_job_is_placed, world_make, world_end),
        cmocka_unit_test(a_team_is_a_name),
        cmocka_unit_test_setup_teardown(what_cannot_be_limited_is_refused, world_make,
                                        world_end),
        cmocka_unit_test_setup_teardown(runs_are_entered_for_the_own_team, world_make,
                                        world_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
