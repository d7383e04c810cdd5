/* ledger.copy - copy a ledger into an empty one, between any two engines. */
#include "op/ledger/ledger_copy.h"

#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

#define PATIENCE ((span){INT64_C(5000000000)})

static const struct field request[] = {
    FIELD(TEXT, ledger_copy_request, from, .value = "FROM", .operand = true, .required = true,
          .help = "source: a file, or postgres://HOST/DATABASE"),
    FIELD(TEXT, ledger_copy_request, to, .value = "TO", .operand = true, .required = true,
          .help = "new or empty file or database"),
    FIELD(FLAG, ledger_copy_request, damaged,
          .help = "copy the readable part of a damaged file, and report the rest"),
};

#define COPY(label, kind, member, ...) \
    FIELD_AS(label, kind, ledger_copy_result, copy.member, __VA_ARGS__)

static const struct field result[] = {
    FIELD(TEXT, ledger_copy_result, from, .help = "source, without a password"),
    FIELD(TEXT, ledger_copy_result, to, .help = "target, without a password"),
    COPY("version", COUNT, version, .help = "version of the tables"),
    COPY("rows", COUNT, rows, .help = "rows copied and compared with the source"),
    COPY("replaced", COUNT, replaced,
         .help = "texts that are not UTF-8, which a server does not accept"),
    COPY("lost", COUNT, lost, .help = "rows that were read but not written"),
    COPY("damaged", FLAG, damaged, .help = "part of the source could not be read"),
    COPY("tables", LIST, tables, .row = &ledger_copied_table_fields, .help = "all tables"),
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

/* What was written is in the log of a file: the last reader moves it into the file. */
static void empty_log(struct op_context *ctx, struct str to)
{
    struct error ignored = {0};
    struct str shown;

    ledger_close(open_one(ctx, to, LEDGER_READ, &shown, &ignored));
}

static bool copy_ledger(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct ledger_copy_request *req = in;
    struct ledger_copy_result *res = out;
    struct ledger *from = open_one(ctx, req->from, LEDGER_READ, &res->from, err);
    struct ledger *to =
        from != NULL ? open_one(ctx, req->to, LEDGER_WRITE, &res->to, err) : NULL;
    bool ok;

    res->copy = (struct ledger_copy){.watch = ctx->watch, .rescue = req->damaged};
    ok = to != NULL && ledger_copy(from, to, &res->copy, ctx->arena, err);
    ledger_close(to);
    ledger_close(from);
    if (!ok)
        return false;
    empty_log(ctx, req->to);
    ctx->partly |= res->copy.damaged || res->copy.lost > 0;
    if (res->copy.replaced > 0)
        message_warn(
            &ctx->messages,
            "%lld texts are not UTF-8, which a server does not accept: invalid bytes became "
            "U+FFFD there",
            (long long)res->copy.replaced);
    return true;
}

const struct op op_ledger_copy = {
    .name = "ledger.copy",
    .schema = "stint.ledger.copy/1",
    .changes = true,
    .summary = "copy a ledger into an empty one (SQLite, PostgreSQL)",
    .request = &(const struct field_set)FIELD_SET(struct ledger_copy_request, request),
    .result = &(const struct field_set)FIELD_SET(struct ledger_copy_result, result),
    .run = copy_ledger,
};
