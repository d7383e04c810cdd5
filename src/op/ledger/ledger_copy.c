/* ledger.copy - copy a ledger into an empty one, between any two engines. */
#include "op/ledger/ledger_copy.h"

#include <inttypes.h>
#include <stdio.h>

#include "ledger/copy/copy.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

#define PATIENCE ((span){INT64_C(5000000000)})

static const struct field request[] = {
    FIELD(TEXT, ledger_copy_request, from, .value = "FROM", .operand = true, .required = true,
          .help = "a file, or postgres://HOST/DATABASE"),
    FIELD(TEXT, ledger_copy_request, to, .value = "TO", .operand = true, .required = true,
          .help = "new or empty file or database"),
    FIELD(FLAG, ledger_copy_request, damaged,
          .help = "copy what can be read of a damaged file, and report the rest"),
};

static const struct field table_fields[] = {
    FIELD(TEXT, copied_table, table, .help = "its name"),
    FIELD(COUNT, copied_table, rows, .help = "in both"),
    FIELD(TEXT, copied_table, digest, .help = "of every value, whatever the engine"),
    FIELD(COUNT, copied_table, lost, .help = "rows that were read but not written"),
    FIELD(FLAG, copied_table, damaged, .help = "not all of it could be read"),
    FIELD(TEXT, copied_table, what, .help = "why"),
};

static const struct field_set table_set = FIELD_SET(struct copied_table, table_fields);

static const struct field result[] = {
    FIELD(TEXT, ledger_copy_result, from, .help = "without a password"),
    FIELD(TEXT, ledger_copy_result, to, .help = "without a password"),
    FIELD(COUNT, ledger_copy_result, version, .help = "of the tables"),
    FIELD(COUNT, ledger_copy_result, rows, .help = "copied, and compared with the source"),
    FIELD(COUNT, ledger_copy_result, replaced,
          .help = "texts that are not UTF-8, which a server does not accept"),
    FIELD(COUNT, ledger_copy_result, lost, .help = "rows that were read but not written"),
    FIELD(FLAG, ledger_copy_result, damaged, .help = "not all could be read"),
    FIELD(LIST, ledger_copy_result, tables, .row = &table_set, .help = "all tables"),
};

static struct ledger *open_one(struct op_context *ctx, struct str path, enum ledger_mode mode,
                               struct str *shown, struct error *err)
{
    char *name = ledger_shown(path, ctx->arena, err);
    char *address = str_dup(path, ctx->arena, err);

    if (name == NULL || address == NULL)
        return NULL;
    *shown = str_from(name);
    if (mode == LEDGER_READ) /* journals are copied, too */
        op_add_journals(ctx, address, NULL);
    return ledger_open(address, mode, PATIENCE, ctx->clock, ctx->arena->alloc, err);
}

static bool fill_table(struct op_context *ctx, const struct ledger_copied_table *t,
                       struct copied_table *out, struct error *err)
{
    char digest[40];
    char *text;

    (void)snprintf(digest, sizeof digest, "%016" PRIx64 "%016" PRIx64, t->digest.at[0],
                   t->digest.at[1]);
    text = str_dup(str_from(digest), ctx->arena, err);
    *out = (struct copied_table){.table = str_from(t->name),
                                 .rows = t->digest.rows,
                                 .digest = str_from(text),
                                 .lost = t->lost,
                                 .damaged = t->damaged,
                                 .what = ledger_known(t->what)};
    return text != NULL;
}

static bool fill_result(struct op_context *ctx, const struct ledger_copy *copy,
                        struct ledger_copy_result *res, struct error *err)
{
    struct copied_table *tables =
        arena_array(ctx->arena, struct copied_table, copy->count, err);

    if (tables == NULL)
        return false;
    for (size_t i = 0; i < copy->count; i++) {
        if (!fill_table(ctx, &copy->tables[i], &tables[i], err))
            return false;
        res->damaged |= tables[i].damaged;
    }
    res->tables = (struct rows){tables, copy->count};
    res->version = copy->version;
    res->rows = copy->rows;
    res->replaced = copy->replaced;
    res->lost = copy->lost;
    ctx->partly |= res->damaged || res->lost > 0;
    if (res->replaced > 0)
        message_warn(
            &ctx->messages,
            "%lld texts are not UTF-8, which a server does not accept: invalid bytes became "
            "U+FFFD there",
            (long long)res->replaced);
    return true;
}

/* What was written is in the log of a file: the last reader moves it into the file. */
static void empty_log(struct op_context *ctx, struct str to)
{
    struct error ignored = {0};
    struct str shown;

    ledger_close(open_one(ctx, to, LEDGER_READ, &shown, &ignored));
}

static bool copy_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct ledger_copy_request *req = in;
    struct ledger_copy_result *res = out;
    struct ledger_copy copy = {.progress = ctx->progress,
                               .progress_ctx = ctx->progress_ctx,
                               .stopped = ctx->stopped,
                               .damaged = req->damaged};
    struct ledger *from = open_one(ctx, req->from, LEDGER_READ, &res->from, err);
    struct ledger *to =
        from != NULL ? open_one(ctx, req->to, LEDGER_WRITE, &res->to, err) : NULL;
    bool ok = to != NULL && ledger_copy(from, to, &copy, ctx->arena, err);

    ledger_close(to);
    ledger_close(from);
    if (!ok)
        return false;
    empty_log(ctx, req->to);
    return fill_result(ctx, &copy, res, err);
}

const struct op op_ledger_copy = {
    .name = "ledger.copy",
    .schema = "stint.ledger.copy/1",
    .changes = true,
    .summary = "copy a ledger into an empty one (SQLite, PostgreSQL)",
    .request = &(const struct field_set)FIELD_SET(struct ledger_copy_request, request),
    .result = &(const struct field_set)FIELD_SET(struct ledger_copy_result, result),
    .run = copy_run,
};
