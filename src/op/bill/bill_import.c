/* import - bills from files into the ledger: all of them, or none. */
#include "op/bill/bill_import.h"

#include <stdio.h>
#include <unistd.h>

#include "account/classify/bill_classify.h"
#include "account/policy/ledger_policy.h"
#include "base/fs.h"
#include "base/process.h"
#include "ledger/bills/duplicates.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "unit/money.h"

static const char *const amortized_also[] = {"amortised", NULL};

static const struct field request[] = {
    FIELD(TEXTS, import_request, files, .value = "FILE", .operand = true, .required = true,
          .help = "bills, compressed or not; folders; manifests; - is standard input"),
    FIELD(TEXT, import_request, format, .value = "FORMAT",
          .help = "format of the files, if it is not recognized"),
    FIELD(TEXT, import_request, currency, .value = "CODE",
          .help = "currency of lines with none or an unknown one: EUR"),
    FIELD(TEXT, import_request, provider, .value = "NAME",
          .help = "provider of a table that does not name one: runpod, lambda"),
    FIELD(TEXT, import_request, month, .value = "MONTH",
          .help = "month of a table without dates: 2026-05"),
    FIELD(TEXTS, import_request, map, .value = "FIELD=COLUMN", .whole = true,
          .help = "map a field to a column of the table, repeatable: cost=amount, date=time"),
    FIELD(FLAG, import_request, add,
          .help = "add to bills of the same account and period instead of replacing them"),
    FIELD(FLAG, import_request, replace,
          .help = "replace a bill that is larger, or the same charges under another account"),
    FIELD(FLAG, import_request, force,
          .help = "import charges that look like duplicates: in two files, or with --add"),
    FIELD(FLAG, import_request, amortized, .also = amortized_also,
          .help = "treat the files as amortized costs (Azure)"),
    FIELD(FLAG, import_request, actual, .help = "treat the files as actual costs (Azure)"),
    FIELD(FLAG, import_request, dry_run, .help = "show what would be imported; write nothing"),
};

static const struct field file_fields[] = {
    FIELD(TEXT, import_file_view, file, .help = "file name as given"),
    FIELD(TEXT, import_file_view, format, .help = "format it was read as"),
    FIELD(TEXT, import_file_view, version, .help = "version of the format, if known"),
    FIELD(TEXT, import_file_view, amounts,
          .help = "kind of amounts: billed and effective, or amortised"),
    FIELD(COUNT, import_file_view, lines, .help = "charges in it"),
    FIELD(TEXT, import_file_view, column, .help = "column of the file with the billed amounts"),
    FIELD(MONEY, import_file_view, total, .help = "exact total of that column"),
    FIELD(FLAG, import_file_view, mixed, .help = "amounts are in several currencies: no total"),
    FIELD(FLAG, import_file_view, equal, .help = "total of what was read is the same"),
    FIELD(DAY, import_file_view, first_day, .help = "first day on which a charge starts"),
    FIELD(DAY, import_file_view, last_day, .help = "last day on which a charge starts"),
    FIELD(FLAG, import_file_view, coarse,
          .help = "coarse data, grouped by the cloud: no resources"),
    FIELD(TEXT, import_file_view, unused, .help = "columns that are not stored"),
    FIELD(TEXT, import_file_view, same_as, .help = "file it is a copy of: skipped"),
};

static const struct field charge_fields[] = {
    FIELD_AS("day", DAY, import_charge_view, on, .help = "start day"),
    FIELD(TEXT, import_charge_view, service, .help = "service that was charged"),
    FIELD(TEXT, import_charge_view, resource, .help = "resource, if known"),
    FIELD(TEXT, import_charge_view, description, .help = "description or meter"),
    FIELD(MONEY, import_charge_view, billed, .help = "amount"),
};

static const struct field_set charge_set = FIELD_SET(struct import_charge_view, charge_fields);

static const struct field bill_fields[] = {
    FIELD(RECORD, import_bill_view, bill, .row = &bill_summary_fields, .inlined = true,
          .help = "bill as it is in the ledger"),
    FIELD(COUNT, import_bill_view, replaced, .help = "bills that it replaced"),
    FIELD(COUNT, import_bill_view, replaced_lines, .help = "charges of the replaced bills"),
    FIELD(MONEY, import_bill_view, replaced_billed,
          .help = "billed amount of the replaced bills"),
    FIELD(MONEY, import_bill_view, replaced_effective,
          .help = "effective amount of the replaced bills"),
    FIELD(TIME, import_bill_view, replaced_imported,
          .help = "import time of the newest replaced bill"),
    FIELD(COUNT, import_bill_view, left,
          .help = "charges of the replaced bill missing from a correction with fewer lines"),
    FIELD(MONEY, import_bill_view, left_billed, .help = "billed amount of the missing charges"),
    FIELD(COUNT, import_bill_view, changed, .help = "charges that the correction changed"),
    FIELD(COUNT, import_bill_view, added, .help = "charges that the correction added"),
    FIELD(LIST, import_bill_view, charges, .row = &charge_set,
          .help = "first of the missing charges"),
};

static const struct field_set file_set = FIELD_SET(struct import_file_view, file_fields);
static const struct field_set bill_set = FIELD_SET(struct import_bill_view, bill_fields);

static const struct field result[] = {
    FIELD(LIST, import_result, files, .row = &file_set, .help = "files that were read"),
    FIELD(LIST, import_result, bills, .row = &bill_set, .help = "bills that were imported"),
    FIELD(COUNT, import_result, lines, .help = "charges in total"),
    FIELD(COUNT, import_result, left_out,
          .help = "charges of coarse data left out because detailed bills have them"),
    FIELD(TEXT, import_result, ledger, .help = "ledger that holds them"),
    FIELD(FLAG, import_result, dry_run, .help = "dry run: nothing was written"),
};

static bool find_format(struct str name, enum bill_format *out, struct error *err)
{
    struct suggestion s = {.wanted = name};
    struct buf all = buf_new(&alloc_system, 256);

    *out = BILL_FORMATS;
    if (name.len == 0)
        return true;
    for (int i = 0; i < BILL_FORMATS; i++) {
        struct str known = str_from(bill_format_name((enum bill_format)i));

        if (str_eq_nocase(known, name)) {
            *out = (enum bill_format)i;
            buf_free(&all);
            return true;
        }
        suggestion_try(&s, known);
        buf_addf(&all, "%s%.*s", i > 0 ? ", " : "", STR_ARG(known));
    }
    error_set(err, ERROR_USAGE, "--format: there is no format '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "supported: %.*s", (int)all.len, all.len > 0 ? all.at : "");
    buf_free(&all);
    return false;
}

/* In capitals, for the lines that get it. */
static bool take_currency(struct import_work *w, struct error *err)
{
    struct str code = w->req->currency;

    if (code.len == 0)
        return true;
    if (!currency_parse(code, &w->currency)) {
        error_set(err, ERROR_USAGE, "--currency: there is no currency '%.*s'", STR_ARG(code));
        error_hint(err, "it takes a code of ISO 4217: USD, EUR, JPY");
        return false;
    }
    return true;
}

static bool take_import_month(struct import_work *w, struct error *err)
{
    struct str month = w->req->month;

    if (month.len == 0 || bill_month_parse(month, &w->month_start, &w->month_end))
        return true;
    error_set(err, ERROR_USAGE, "--month: '%.*s' is not a month", STR_ARG(month));
    error_hint(err, "write it as 2026-05");
    return false;
}

static bool refuse_import_field(struct str field, struct error *err)
{
    static const char *const names[] = {
        "cost",     "date",      "month",         "end",         "currency", "provider",
        "account",  "service",   "region",        "resource",    "gpu",      "instance_type",
        "quantity", "unit",      "description",   "sku",         "pricing",  "charge",
        "rate",     "hours",     "cost_cents",    "sub_account", "tags",     "team",
        "project",  "list_cost", "effective_cost"};
    struct suggestion s = {.wanted = field};

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        suggestion_try(&s, str_from(names[i]));
    error_set(err, ERROR_USAGE, "--map: there is no field '%.*s'", STR_ARG(field));
    if (!suggestion_hint(&s, err))
        error_hint(err, "fields are cost, date, month, end, currency, provider, account, "
                        "service, region, resource, gpu, instance_type, quantity, unit, "
                        "description, pricing, charge, rate, hours and tags such as team");
    return false;
}

/* "cost=amount": the field is ours, the column is the file's, and may have an '=' itself. */
static bool take_mapping(struct import_work *w, struct str given, struct error *err)
{
    struct str column = given, field = str_trim(str_cut(&column, '='));

    column = str_trim(column);
    if (field.len == 0 || column.len == 0) {
        error_set(err, ERROR_USAGE, "--map: '%.*s' is not FIELD=COLUMN", STR_ARG(given));
        error_hint(err, "--map cost=amount --map date=time");
        return false;
    }
    if (!bill_map_knows(field))
        return refuse_import_field(field, err);
    for (size_t k = 0; k < w->map_count; k++)
        if (str_eq_nocase(w->map[k].field, field) || str_eq_nocase(w->map[k].column, column))
            return error_fail(err, ERROR_USAGE, "--map: '%.*s' is mapped twice",
                              STR_ARG(given));
    w->map[w->map_count++] = (struct bill_mapping){field, column};
    return true;
}

static bool take_map(struct import_work *w, struct error *err)
{
    struct strs map = w->req->map;

    w->map = arena_array(w->ctx->arena, struct bill_mapping, map.len, err);
    if (w->map == NULL)
        return false;
    if (map.len > 0 && w->format != BILL_FORMATS && w->format != BILL_TABLE)
        return error_fail(err, ERROR_USAGE, "--map is for tables: --format table");
    for (size_t i = 0; i < map.len; i++)
        if (!take_mapping(w, map.at[i], err))
            return false;
    return true;
}

static bool read_import_files(struct import_work *w, const struct import_inputs *in,
                              struct error *err)
{
    size_t bills = 0;

    w->views = arena_array(w->ctx->arena, struct import_file_view, in->count, err);
    w->digests = (char(*)[40])arena_get(w->ctx->arena, in->count, sizeof w->digests[0], 1, err);
    if (w->views == NULL || w->digests == NULL)
        return false;
    for (size_t i = 0; i < in->count; i++) {
        if (!import_read(w, &in->at[i], err))
            return false;
        bills += w->taken;
    }
    if (w->paged != NULL) {
        error_set(err, ERROR_INPUT, "%s: the answer has a next page, which is not here",
                  w->paged);
        error_hint(err,
                   "nothing was changed: fetch it (--next-token, nextLink), and name the pages "
                   "in their order");
        return false;
    }
    if (bills > 0)
        return true;
    error_set(err, ERROR_INPUT, "none of the files is a bill");
    error_hint(err, "'stint help import' lists the formats");
    return false;
}

static bool begin_bills_import(struct import_work *w, struct ledger *ledger, struct error *err)
{
    struct ledger_import_options options = {.classify = bill_classify,
                                            .add = w->req->add,
                                            .replace = w->req->replace,
                                            .force = w->req->force,
                                            .dry_run = w->req->dry_run,
                                            .alloc = w->ctx->arena->alloc,
                                            .clock = w->ctx->clock};
    const struct allocation_policy *policy = NULL;
    char host[256] = "?";

    if (!op_catalog(w->ctx, BILL_CLASSIFIER_TABLES, err) ||
        (ledger != NULL && !ledger_policy_read(ledger, w->ctx->arena, &policy, err)))
        return false;
    w->classifier = bill_classifier_open(&w->ctx->catalog, policy, w->ctx->arena, err);
    if (w->classifier == NULL)
        return false;
    options.classify_ctx = w->classifier;
    (void)gethostname(host, sizeof host - 1);
    options.owner = process_user(w->ctx->arena);
    options.host = str_from(host);
    options.boot = process_boot(w->ctx->arena);
    options.pid = getpid();
    options.pid_started = process_start(getpid());
    w->import = ledger_import_begin(ledger, &options, err);
    return w->import != NULL;
}

/* An import creates the ledger, a dry run does not: `*out` is
 * NULL. */
static bool open_import_ledger(const struct import_work *w, struct ledger **out,
                               struct error *err)
{
    *out = op_ledger(w->ctx, w->req->dry_run ? LEDGER_READ : LEDGER_WRITE, err);
    if (*out == NULL && w->req->dry_run && err->kind == ERROR_ABSENT) {
        *err = (struct error){0};
        return true;
    }
    return *out != NULL;
}

static void count_replaced(struct import_bill_view *v, const struct ledger_bill *old)
{
    v->replaced_lines += old->lines;
    if (v->replaced++ == 0) {
        v->replaced_billed = (struct money){old->billed, currency_from(old->currency)};
        v->replaced_effective = (struct money){old->effective, currency_from(old->currency)};
    } else if (!decimal_add(v->replaced_billed.amount, old->billed,
                            &v->replaced_billed.amount) ||
               !decimal_add(v->replaced_effective.amount, old->effective,
                            &v->replaced_effective.amount))
        v->replaced_billed.currency = v->replaced_effective.currency = currency_none;
    if (old->imported.s > v->replaced_imported.s)
        v->replaced_imported = old->imported;
}

/* What a bill replaced, together: deliveries of the same bill, and the same money under another
 * name. The ledger returns the former in the order of what came in: `*at` is the next. */
static void add_replaced(const struct ledger_imported *in, size_t number, size_t *at,
                         struct import_bill_view *v)
{
    const struct ledger_bill *bill = &in->bills[number];

    for (; *at < in->replaced_count && ledger_bill_again(&in->replaced[*at], bill); (*at)++)
        count_replaced(v, &in->replaced[*at]);
    for (size_t i = 0; i < in->likeness_count; i++)
        if (in->likenesses[i].replaced && in->likenesses[i].bill == number)
            count_replaced(v, &in->likenesses[i].there);
}

/* What left with a correction. */
static bool add_correction(struct op_context *ctx, const struct ledger_imported *in,
                           size_t number, struct import_bill_view *v, struct error *err)
{
    struct currency currency = currency_from(in->bills[number].currency);

    for (size_t i = 0; i < in->correction_count; i++) {
        const struct ledger_bill_correction *c = &in->corrections[i];
        struct import_charge_view *charges;

        if (c->bill != number)
            continue;
        charges = arena_array(ctx->arena, struct import_charge_view, c->charge_count, err);
        if (charges == NULL)
            return false;
        for (size_t n = 0; n < c->charge_count; n++)
            charges[n] = (struct import_charge_view){c->charges[n].on,
                                                     c->charges[n].service,
                                                     c->charges[n].resource,
                                                     c->charges[n].description,
                                                     {c->charges[n].amount, currency}};
        v->left = c->left;
        v->changed = c->changed;
        v->added = c->added;
        v->left_billed = (struct money){c->left_amount, currency};
        v->charges = (struct rows){charges, c->charge_count};
    }
    return true;
}

/* The bills of the ledger's answer, for the result. */
static bool describe_bills(struct op_context *ctx, const struct ledger_imported *in,
                           struct import_result *out, struct error *err)
{
    struct import_bill_view *views =
        arena_array(ctx->arena, struct import_bill_view, in->count, err);
    size_t replaced = 0;

    if (views == NULL)
        return false;
    for (size_t i = 0; i < in->count; i++) {
        views[i].replaced_imported = STAMP_UNKNOWN;
        if (!bill_summarize(&in->bills[i], ctx->arena, &views[i].bill, err) ||
            !add_correction(ctx, in, i, &views[i], err))
            return false;
        add_replaced(in, i, &replaced, &views[i]);
    }
    out->bills = (struct rows){views, in->count};
    out->lines = in->lines;
    out->left_out = 0;
    for (size_t i = 0; i < in->overlap_count; i++)
        out->left_out += in->overlaps[i].coarse == 0 ? in->overlaps[i].lines : 0;
    return true;
}

static bool import_all(struct import_work *w, const struct import_inputs *in,
                       struct import_result *res, struct error *err)
{
    struct ledger_imported imported;
    struct ledger *ledger;
    bool ok;

    if (!open_import_ledger(w, &ledger, err))
        return false;
    ok = op_ledger_name(w->ctx, &res->ledger, err) && begin_bills_import(w, ledger, err) &&
         read_import_files(w, in, err);
    if (ok && !w->req->dry_run)
        watch_progress(&w->ctx->watch, "writing the sums", 0, 0);
    if (ok)
        ok = ledger_import_commit(w->import, w->ctx->arena, &imported, err) &&
             describe_bills(w->ctx, &imported, res, err);
    else
        ledger_import_abandon(w->import);
    if (ok)
        ledger_warn_duplicates(ledger, &imported, w->ctx->arena, &w->ctx->messages);
    bill_classifier_close(w->classifier);
    ledger_close(ledger);
    return ok;
}

static bool import_bills(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct import_work w = {.ctx = ctx, .req = in, .today = op_now(ctx)};
    struct import_result *res = out;
    struct import_inputs inputs = {0};
    bool ok;

    res->dry_run = w.req->dry_run;
    res->lines = 0;
    if (w.req->amortized && w.req->actual)
        return error_fail(err, ERROR_USAGE, "--amortized and --actual exclude each other");
    if (w.req->add && w.req->replace)
        return error_fail(err, ERROR_USAGE, "--add and --replace exclude each other");
    if (!take_currency(&w, err) || !find_format(w.req->format, &w.format, err) ||
        !take_import_month(&w, err) || !take_map(&w, err) ||
        !import_inputs(ctx, w.req->files, &inputs, err))
        return false;
    ok = import_all(&w, &inputs, res, err);
    res->files = (struct rows){w.views, w.count};
    return ok;
}

const struct op op_import = {
    .name = "import",
    .schema = "stint.import/1",
    .changes = true,
    .summary = "import cloud bills from files into the ledger",
    .request = &(const struct field_set)FIELD_SET(struct import_request, request),
    .result = &(const struct field_set)FIELD_SET(struct import_result, result),
    .run = import_bills,
};
