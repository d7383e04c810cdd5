/* ledger.doctor - is the ledger whole, and does what it keeps agree with itself? */
#include "op/ledger/ledger_doctor.h"

#include "account/classify/bill_classify.h"
#include "ledger/copy/check.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

static const struct field request[] = {
    FIELD(FLAG, ledger_doctor_request, mend,
          .help = "sweep away what dead imports left, and make wrong sums again"),
};

static const struct field table_fields[] = {
    FIELD(TEXT, ledger_table_health, table, .help = "its name"),
    FIELD(COUNT, ledger_table_health, rows, .help = "that can be read; null when none can"),
    FIELD(FLAG, ledger_table_health, damaged, .help = "not all of it can be read"),
};

static const struct field finding_fields[] = {
    FIELD(TEXT, ledger_complaint, kind,
          .help =
              "damage, orphans, unread, total, sums, things, groups, rules, keys, import, "
              "gone, strays, runs, lost, messages, given-up, channel, indexes, rights, log, "
              "space or unused"),
    FIELD(FLAG, ledger_complaint, wrong, .help = "false: worth knowing only"),
    FIELD(TEXT, ledger_complaint, text, .help = "what it is"),
    FIELD(TEXT, ledger_complaint, run, .help = "what to do about it"),
};

static const struct field_set table_set = FIELD_SET(struct ledger_table_health, table_fields);
static const struct field_set finding_set = FIELD_SET(struct ledger_complaint, finding_fields);

static const struct field result[] = {
    FIELD(TEXT, ledger_doctor_result, ledger, .help = "where it is, without a password"),
    FIELD(TEXT, ledger_doctor_result, engine, .help = "sqlite or postgresql"),
    FIELD(TEXT, ledger_doctor_result, release, .help = "of the engine"),
    FIELD(COUNT, ledger_doctor_result, version, .help = "of the tables"),
    FIELD(BYTES, ledger_doctor_result, size, .help = "of the file, or of the tables"),
    FIELD(BYTES, ledger_doctor_result, log, .help = "of the file's log"),
    FIELD(BYTES, ledger_doctor_result, unused, .help = "of the file"),
    FIELD(BYTES, ledger_doctor_result, space, .help = "left on the file's disk"),
    FIELD(TEXT, ledger_doctor_result, journal, .help = "of a file: wal, or delete"),
    FIELD(TEXT, ledger_doctor_result, rights, .help = "of this user, on a server"),
    FIELD(LIST, ledger_doctor_result, tables, .row = &table_set, .help = "every one"),
    FIELD(LIST, ledger_doctor_result, findings, .row = &finding_set, .help = "worst first"),
    FIELD(FLAG, ledger_doctor_result, well, .help = "nothing is wrong"),
    FIELD(FLAG, ledger_doctor_result, mended,
          .help = "--mend: what is left is what it found after"),
    FIELD(COUNT, ledger_doctor_result, mended_imports, .help = "dead ones swept away"),
    FIELD(COUNT, ledger_doctor_result, mended_bills, .help = "that were gone, swept away"),
    FIELD(COUNT, ledger_doctor_result, mended_rows, .help = "of no bill, swept away"),
    FIELD(FLAG, ledger_doctor_result, mended_sums, .help = "made again from the lines"),
};

static bytes size_of(int64_t size)
{
    return size < 0 ? BYTES_UNKNOWN : (bytes){(uint64_t)size};
}

static bool tell(struct op_context *ctx, const struct ledger_health *h,
                 struct ledger_doctor_result *res, struct error *err)
{
    struct ledger_table_health *tables =
        arena_array(ctx->arena, struct ledger_table_health, h->table_count, err);
    struct ledger_complaint *findings =
        arena_array(ctx->arena, struct ledger_complaint, h->trouble_count, err);

    if (tables == NULL || findings == NULL)
        return false;
    res->engine = str_from(h->engine);
    res->release = ledger_known(h->release);
    res->journal = ledger_known(h->journal);
    res->rights = ledger_known(h->rights);
    res->version = h->version;
    res->size = size_of(h->size);
    res->log = size_of(h->log);
    res->unused = size_of(h->unused);
    res->space = size_of(h->space);
    res->well = true;
    for (size_t i = 0; i < h->table_count; i++)
        tables[i] = (struct ledger_table_health){str_from(h->tables[i].name), h->tables[i].rows,
                                                 h->tables[i].damaged};
    for (size_t i = 0; i < h->trouble_count; i++) {
        const struct ledger_trouble *t = &h->troubles[i];

        findings[i] = (struct ledger_complaint){str_from(t->kind), t->text, t->run, t->wrong};
        res->well &= !t->wrong;
    }
    res->tables = (struct rows){tables, h->table_count};
    res->findings = (struct rows){findings, h->trouble_count};
    ctx->partly |= !res->well;
    return true;
}

static bool mend(struct op_context *ctx, struct ledger *ledger,
                 const struct ledger_health *health, struct ledger_doctor_result *res,
                 struct error *err)
{
    struct ledger_mended done;

    for (size_t i = 0; i < health->trouble_count; i++)
        if (str_eq(str_from(health->troubles[i].kind), STR("damage"))) {
            error_set(err, ERROR_INPUT,
                      "the ledger '%.*s' is damaged, and cannot be mended in place",
                      STR_ARG(res->ledger));
            error_hint(err, "%.*s", (int)health->troubles[i].run.len,
                       health->troubles[i].run.at);
            return false;
        }
    if (!ledger_mend(ledger, health, &done, err) ||
        (done.sums && (!op_catalog(ctx, BILL_CLASSIFIER_TABLES, err) ||
                       !ledger_reclassify(ledger, &ctx->catalog, ctx->arena, err))))
        return false;
    res->mended = true;
    res->mended_imports = done.imports;
    res->mended_bills = done.bills;
    res->mended_rows = done.rows;
    res->mended_sums = done.sums;
    return true;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct ledger_doctor_request *req = in;
    struct ledger_doctor_result *res = out;
    struct ledger *ledger = op_ledger(ctx, req->mend ? LEDGER_WRITE : LEDGER_READ, err);
    struct ledger_health health;
    bool ok = ledger != NULL && op_ledger_name(ctx, &res->ledger, err) &&
              ledger_check(ledger, ctx->arena, &health, err);

    if (ok && req->mend)
        ok = mend(ctx, ledger, &health, res, err) &&
             ledger_check(ledger, ctx->arena, &health, err);
    ledger_close(ledger);
    return ok && tell(ctx, &health, res, err);
}

const struct op op_ledger_doctor = {
    .name = "ledger.doctor",
    .schema = "stint.ledger.doctor/1",
    .changes = true,
    .summary = "check the ledger for damage and inconsistent totals",
    .request = &(const struct field_set)FIELD_SET(struct ledger_doctor_request, request),
    .result = &(const struct field_set)FIELD_SET(struct ledger_doctor_result, result),
    .run = run,
};
