/* import - bills from files into the ledger: all of them, or none. */
#include "op/bill_import.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/process.h"
#include "op/bill_classify.h"
#include "op/ledger_open.h"
#include "op/run_start.h"

static const struct field request[] = {
    FIELD(TEXTS, import_request, files, .value = "FILE", .operand = true, .required = true,
          .help = "bills, packed or not; folders; manifests; - is standard input"),
    FIELD(TEXT, import_request, format, .value = "FORMAT",
          .help = "what they are, when it is not recognised"),
    FIELD(FLAG, import_request, add,
          .help = "beside what is there for the same account and period, not in its place"),
    FIELD(FLAG, import_request, amortised, .help = "the files have amortised costs (Azure)"),
    FIELD(FLAG, import_request, actual, .help = "the files have actual costs (Azure)"),
    FIELD(FLAG, import_request, dry_run, .help = "read and check them; write nothing"),
};

static const struct field result[] = {
    FIELD(LIST, import_result, files, .row = &import_file_fields, .help = "as read"),
    FIELD(LIST, import_result, bills, .row = &import_bill_fields, .help = "that came in"),
    FIELD(COUNT, import_result, lines, .help = "charges in all"),
    FIELD(TEXT, import_result, ledger, .help = "where they are now"),
    FIELD(FLAG, import_result, dry_run, .help = "nothing was written"),
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
        error_hint(err, "known are %.*s", (int)all.len, all.len > 0 ? all.at : "");
    buf_free(&all);
    return false;
}

static bool read_all(struct import_work *w, const struct import_inputs *in, struct error *err)
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
    if (bills > 0)
        return true;
    error_set(err, ERROR_INPUT, "none of the files is a bill");
    error_hint(err, "'stint help import' says what is known");
    return false;
}

static bool begin(struct import_work *w, struct ledger *ledger, struct error *err)
{
    struct ledger_import_options options = {.classify = bill_classify, .add = w->req->add};
    char host[256] = "?";

    w->classifier = bill_classifier_open(w->ctx, ledger, err);
    if (w->classifier == NULL)
        return false;
    options.classify_ctx = w->classifier;
    (void)gethostname(host, sizeof host - 1);
    options.owner = run_user(w->ctx->arena);
    options.host = str_from(host);
    options.boot = run_boot(w->ctx->arena);
    options.pid = getpid();
    options.pid_started = process_start(getpid());
    w->import = ledger_import_begin(ledger, &options, err);
    return w->import != NULL;
}

static bool write_all(struct import_work *w, const struct import_inputs *in,
                      struct import_result *res, struct error *err)
{
    struct ledger *ledger = op_ledger(w->ctx, LEDGER_WRITE, err);
    struct ledger_imported imported;
    bool ok;

    if (ledger == NULL)
        return false;
    ok = op_ledger_name(w->ctx, &res->ledger, err) && begin(w, ledger, err) &&
         read_all(w, in, err);
    if (ok && w->ctx->progress != NULL)
        w->ctx->progress(w->ctx->progress_ctx, "writing the sums", 0, 0);
    if (ok)
        ok = ledger_import_commit(w->import, w->ctx->arena, &imported, err) &&
             import_tell(w->ctx, &imported, res, err);
    else
        ledger_import_abandon(w->import);
    if (ok)
        import_warn(w->ctx, ledger, &imported);
    bill_classifier_close(w->classifier);
    ledger_close(ledger);
    return ok;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct import_work w = {.ctx = ctx, .req = in};
    struct import_result *res = out;
    struct import_inputs inputs = {0};
    bool ok;

    res->dry_run = w.req->dry_run;
    res->lines = 0;
    if (w.req->amortised && w.req->actual)
        return error_fail(err, ERROR_USAGE, "--amortised and --actual exclude each other");
    if (!find_format(w.req->format, &w.format, err) ||
        !import_inputs(ctx, w.req->files, &inputs, err))
        return false;
    ok = w.req->dry_run ? read_all(&w, &inputs, err) : write_all(&w, &inputs, res, err);
    res->files = (struct rows){w.views, w.count};
    for (size_t i = 0; ok && res->dry_run && i < w.count; i++)
        res->lines += w.views[i].lines;
    return ok;
}

const struct op op_import = {
    .name = "import",
    .schema = "stint.import/1",
    .summary = "read bills from files into the ledger",
    .request = &(const struct field_set)FIELD_SET(struct import_request, request),
    .result = &(const struct field_set)FIELD_SET(struct import_result, result),
    .run = run,
};
