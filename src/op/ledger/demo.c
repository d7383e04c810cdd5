/* demo - a throw-away ledger with a made-up quarter of a small team.
 *
 * Runs are written to it; everything else goes through the operations that a user would call,
 * on files that stay beside the ledger. The user's own ledger and configuration are not opened.
 */
#include "op/ledger/demo.h"

#include <string.h>

#include "base/fs.h"
#include "demo/demo.h"
#include "doc/json_write.h"
#include "estimate/constants.h"
#include "ledger/budgets.h"
#include "op/config.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

#define FOLDER "stint-demo"
#define FIRST_YEAR 2000
#define PATIENCE ((span){5 * SECOND})
#define PROVIDERS "aws,gcp,lambda,runpod" /* where the team has accounts */

struct making {
    struct op_context *ctx; /* the user's */
    struct op_context own;  /* with the demo's ledger */
    struct settings settings;
    const char *folder, *ledger, *train;
    struct demo demo;
    struct demo_result *out;
};

/* ---- the folder ---- */

static bool open_paths(struct making *m, const struct demo_request *req, struct error *err)
{
    struct str folder = req->folder.len > 0 ? req->folder : STR(FOLDER);

    if (ledger_is_server(folder.at))
        return error_fail(err, ERROR_USAGE, "a demo is a folder, not a server");
    while (folder.len > 1 && folder.at[folder.len - 1] == '/')
        folder.len--;
    m->folder = str_dup(folder, m->ctx->arena, err);
    m->ledger = m->folder != NULL ? fs_join(m->folder, "ledger.db", m->ctx->arena, err) : NULL;
    m->train = m->ledger != NULL ? fs_join(m->folder, DEMO_TRAIN, m->ctx->arena, err) : NULL;
    return m->train != NULL;
}

/* ---- what is in it ---- */

/* Runs, and one alert that was sent. */
static bool record_runs(struct making *m, struct error *err)
{
    struct ledger *ledger = ledger_open(m->ledger, LEDGER_WRITE, PATIENCE, m->ctx->clock,
                                        m->ctx->arena->alloc, err);
    bool ok = ledger != NULL && demo_mark(ledger, op_now(m->ctx), err) &&
              demo_record(&m->demo, ledger, m->ctx->arena, err) &&
              demo_record_alert(&m->demo, ledger, m->ctx->arena, err);

    ledger_close(ledger);
    return ok;
}

/* Call an operation on the demo's ledger, as if a user had typed it. */
static bool call_demo_op(void *making, const char *name, struct str request, day on,
                         struct error *err)
{
    struct making *m = making;
    struct buf result = buf_new(m->ctx->arena->alloc, BUF_MAX_OUTPUT);
    const struct clock *now = m->own.clock;
    stamp at = {on.n * SECONDS_PER_DAY};
    struct clock then = clock_fixed(&at);
    bool ok;

    if (on.n != DAY_UNKNOWN.n)
        m->own.clock = &then;
    ok = op_call(&m->own, op_find(str_from(name)), request, &result, err);
    if (!ok)
        error_context(err, "%s", name);
    m->own.clock = now;
    buf_free(&result);
    return ok;
}

/* Into the folder; the buffer is freed. */
static bool put_paper(struct making *m, const char *file, struct buf *text, const char **path,
                      struct error *err)
{
    bool ok;

    *path = fs_join(m->folder, file, m->ctx->arena, err);
    ok = *path != NULL && buf_ok(text, err) && fs_put(*path, buf_text(text), err);
    buf_free(text);
    return ok;
}

/* Write a file into the folder and let an operation read it. */
static bool import_demo_file(struct making *m, const struct demo_file *file, struct error *err)
{
    struct buf text = buf_new(m->ctx->arena->alloc, BUF_MAX_OUTPUT);
    struct buf request = buf_new(m->ctx->arena->alloc, 1 << 16);
    const char *path;
    bool ok;

    file->write(&m->demo, &text);
    for (size_t i = 0; file->bill && i < text.len; i++)
        m->out->charges += text.at[i] == '\n';
    m->out->charges -= file->bill; /* the heading */
    ok = put_paper(m, file->name, &text, &path, err);
    buf_adds(&request, file->bill ? "{\"files\":[" : "{\"file\":");
    if (ok)
        json_write_text(str_from(path), &request);
    buf_adds(&request, file->bill ? "]}" : "}");
    ok = ok && buf_ok(&request, err) &&
         call_demo_op(m, file->operation, buf_text(&request), DAY_UNKNOWN, err);
    buf_free(&request);
    return ok;
}

/* ---- the answer ---- */

/* Of a demo of another day, commands take that day for today. */
static bool tell_use(struct making *m, const struct demo_request *req, struct error *err)
{
    struct buf use = buf_new(m->ctx->arena->alloc, 1 << 16);
    struct buf remove = buf_new(m->ctx->arena->alloc, 1 << 16);
    bool pinned = req->date.n != DAY_UNKNOWN.n, ok;

    buf_adds(&use, "export STINT_LEDGER=");
    buf_adds(&use, m->folder[0] == '/' ? "" : "\"$PWD\"/");
    buf_add_shell(&use, str_from(m->ledger));
    buf_adds(&use, " STINT_PROVIDERS=" PROVIDERS);
    if (pinned) {
        buf_adds(&use, " STINT_NOW=");
        day_write(req->date, &use);
    }
    buf_adds(&remove, "unset STINT_LEDGER STINT_PROVIDERS");
    buf_adds(&remove, pinned ? " STINT_NOW; rm -r " : "; rm -r ");
    buf_add_shell(&remove, str_from(m->folder));
    ok = buf_keep(&use, m->ctx->arena, &m->out->use, err);
    return buf_keep(&remove, m->ctx->arena, &m->out->remove, err) && ok;
}

/* What runs is started by the user: nothing in the ledger only seems to. */
static bool tell_next(struct making *m, struct error *err)
{
    static const struct config_step steps[] = {
        {{"stint runs", 10}, {"what ran, and what each run cost", 32}},
        {{"stint costs --by team", 21}, {"where the money went", 20}},
        {{"stint budget list", 17}, {"one budget is spent", 19}},
        {{"stint advise", 12}, {"what to change, and what it saves", 33}},
        {{"stint report --month last", 25}, {"a page with figures", 19}},
        {{0}, {"something that runs, for 5 min", 30}},
        {{"stint top", 9}, {"what is running, and what it costs", 34}},
    };
    struct config_step *rows =
        arena_array(m->ctx->arena, struct config_step, ARRAY_LEN(steps), err);
    struct buf run = buf_new(m->ctx->arena->alloc, 1 << 16);

    if (rows == NULL)
        return false;
    memcpy(rows, steps, sizeof steps);
    m->out->next = (struct rows){rows, ARRAY_LEN(steps)};
    buf_adds(&run, "sh ");
    buf_add_shell(&run, str_from(m->train));
    buf_adds(&run, " &");
    return buf_keep(&run, m->ctx->arena, &rows[ARRAY_LEN(steps) - 2].command, err);
}

static bool write_papers(struct making *m, struct error *err)
{
    struct buf readme = buf_new(m->ctx->arena->alloc, 1 << 16);
    struct buf train = buf_new(m->ctx->arena->alloc, 1 << 16);
    const char *path;
    bool ok;

    demo_readme(m->out->use, m->out->remove, &readme);
    demo_train(&train);
    ok = put_paper(m, "README.txt", &readme, &path, err);
    return put_paper(m, DEMO_TRAIN, &train, &path, err) && ok;
}

static void describe_quarter(struct making *m)
{
    struct demo_result *out = m->out;
    const struct demo *demo = &m->demo;

    out->folder = str_from(m->folder);
    out->ledger = str_from(m->ledger);
    out->first_day = (day){demo->today.n - DEMO_DAYS};
    out->last_day = (day){demo->today.n - 1};
    out->billed_until = (day){demo->today.n - DEMO_BILL_LAG - 1};
    out->runs = (int64_t)demo->run_count;
    out->metered = money_from_usd(demo_metered(demo));
}

static bool make_story(struct making *m, struct error *err)
{
    char version[CONSTANTS_VERSION];
    struct constants constants;
    struct op_context *ctx = m->ctx;
    struct str kept;

    if (!op_catalog(ctx, DEMO_TABLES | TABLE_BIT(TABLE_CONSTANTS), err) ||
        !constants_load(&ctx->catalog, &constants, err))
        return false;
    constants_version(&constants, version);
    return str_keep(str_from(version), ctx->arena, &kept, err) &&
           demo_make(&ctx->catalog, op_today(ctx), kept, ctx->arena, &m->demo, err);
}

static bool make_demo(struct op_context *ctx, const struct demo_request *req,
                      struct demo_result *result, struct error *err)
{
    struct making m = {.ctx = ctx, .settings = *ctx->settings, .out = result};
    struct arena arena = {.alloc = ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    bool ok;

    *m.out = (struct demo_result){0};
    if (!open_paths(&m, req, err) || !make_story(&m, err) ||
        !demo_claim_folder(m.folder, m.ledger, req->force, ctx->clock, ctx->arena, err))
        return false;
    m.own = op_apart(ctx, &arena, true);
    m.settings.ledger = str_from(m.ledger);
    m.own.settings = &m.settings;
    ok = record_runs(&m, err);
    for (size_t i = 0; ok && i < DEMO_FILES; i++)
        ok = import_demo_file(&m, &demo_files[i], err);
    ok = ok && demo_set_up(&m.demo, call_demo_op, &m, err);
    op_done(&m.own);
    arena_free(&arena);
    if (!ok)
        return false;
    describe_quarter(&m);
    return tell_use(&m, req, err) && tell_next(&m, err) && write_papers(&m, err);
}

static bool run_demo(struct op_context *ctx, const void *request, void *result,
                     struct error *err)
{
    const struct demo_request *req = request;
    const struct clock *now = ctx->clock;
    stamp at = {req->date.n * SECONDS_PER_DAY};
    struct clock then = clock_fixed(&at);
    bool ok;

    if (req->date.n == DAY_UNKNOWN.n)
        return make_demo(ctx, req, result, err);
    if (req->date.n < day_make(FIRST_YEAR, 1, 1).n) {
        error_set(err, ERROR_USAGE, "--date: a demo begins in %d or later", FIRST_YEAR);
        error_hint(err, "write it as 2026-11-15");
        return false;
    }
    ctx->clock = &then;
    ok = make_demo(ctx, req, result, err);
    ctx->clock = now;
    return ok;
}

static const struct field request_fields[] = {
    FIELD(TEXT, demo_request, folder, .value = "FOLDER", .operand = true,
          .help = "folder to create for it (default: " FOLDER ")"),
    FIELD(DAY, demo_request, date, .value = "DATE",
          .help = "date used as today; the same date always makes the same demo (default: "
                  "today)"),
    FIELD(FLAG, demo_request, force, .help = "replace an existing demo"),
};

static const struct field result_fields[] = {
    FIELD(TEXT, demo_result, folder, .help = "folder of the demo"),
    FIELD(TEXT, demo_result, ledger, .help = "ledger file"),
    FIELD(DAY, demo_result, first_day, .help = "first day of the quarter"),
    FIELD(DAY, demo_result, last_day, .help = "last day of the quarter"),
    FIELD(DAY, demo_result, billed_until, .help = "last day of the bills"),
    FIELD(COUNT, demo_result, runs, .help = "recorded runs"),
    FIELD(COUNT, demo_result, charges, .help = "bill lines"),
    FIELD(MONEY, demo_result, metered, .help = "cost of all runs"),
    FIELD(TEXT, demo_result, use, .help = "command to use it"),
    FIELD(TEXT, demo_result, remove, .help = "command to remove it"),
    FIELD(LIST, demo_result, next, .row = &config_step_fields, .help = "commands to type next"),
};

const struct op op_demo = {
    .name = "demo",
    .schema = "stint.demo/1",
    .changes = true,
    .summary = "create a throwaway ledger of a fictional team",
    .request = &(const struct field_set)FIELD_SET(struct demo_request, request_fields),
    .result = &(const struct field_set)FIELD_SET(struct demo_result, result_fields),
    .run = run_demo,
};
