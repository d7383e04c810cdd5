/* Bills of clouds, and what was metered beside what was billed. */
#include "op/account/reconcile.h"
#include "op/bill/bills.h"
#include "report/records.h"
#include "serve/view.h"

#define RUNS 20 /* that are shown */

static void link_bill_run(const void *row, struct buf *out)
{
    const struct reconcile_run *r = row;

    if (r->id.len > 0) {
        buf_adds(out, "/runs/");
        percent_encode(r->id, out);
    }
}

static void write_reconciled(struct visit *v)
{
    static const struct column sums[] = {
        COLUMN("currency", currency),
        COLUMN("billed", billed, .currency = "currency"),
        COLUMN("used by runs", matched, .currency = "currency"),
        COLUMN("idle", idle, .currency = "currency"),
        COLUMN("no run", untracked, .currency = "currency"),
        COLUMN("no machine", other, .currency = "currency"),
    };
    static const struct column runs[] = {
        COLUMN("run", name, .unknown = "(no name)"),
        COLUMN("started (UTC)", started, .optional = true),
        COLUMN("machine", machine, .unknown = "", .optional = true),
        COLUMN("estimated", estimated, .form = COLUMN_ESTIMATE, .unknown = "",
               .csv = "estimated_usd"),
        COLUMN("metered", metered, .form = COLUMN_CENTS, .csv = "metered_usd"),
        COLUMN("billed", billed, .currency = "currency"),
        COLUMN("off", difference, .form = COLUMN_CHANGE, .unknown = "", .optional = true),
        COLUMN("matched by", matched_by, .optional = true),
        COLUMN("", currency, .hidden = true),
    };
    struct reconcile_request req;
    const struct reconciliation *res = NULL;
    struct error err = {0};

    if (view_request(v, &op_reconcile, &req, &err)) {
        req.limit = view_most(v, RUNS);
        res = view_try(v, &op_reconcile, &req);
    }
    if (res == NULL)
        return;
    page_table(v, &(struct page_table){.id = "sums",
                                       .caption = STR("Where the bills' money went"),
                                       .columns = COLUMNS(sums),
                                       .rows = field_rows(op_reconcile.result, "sums", res),
                                       .none = "No bill was imported for that time.",
                                       .sorted = true});
    page_table(v, &(struct page_table){.id = "reconciled",
                                       .caption = STR("Runs, the newest first: estimated, "
                                                      "metered, billed"),
                                       .columns = COLUMNS(runs),
                                       .rows = field_rows(op_reconcile.result, "runs", res),
                                       .none = "No run in that time.",
                                       .link = link_bill_run,
                                       .sorted = true});
    if (field_rows(op_reconcile.result, "runs", res).len == RUNS)
        buf_addf(&v->out, "<p class=\"more\">The newest %d runs; the CSV file has all.</p>\n",
                 RUNS);
}

static const struct page_part reconciled_part = {
    "/bills", write_reconciled, {300 * SECOND}, PAGE_BEING_COMPUTED};

bool view_bills(struct visit *v, struct error *err)
{
    struct bills_request req;
    struct bills_result *res = arena_array(&v->arena, struct bills_result, 1, err);

    if (res == NULL || !view_request(v, &op_bills, &req, err) ||
        !visit_run(v, &op_bills, &req, res, err))
        return false;
    page_begin(v, STR("Bills"), "/bills");
    page_parts_begin(v, &reconciled_part, 1);
    page_section(v, "list", STR(""), true);
    page_table(
        v, &(struct page_table){.id = "bills",
                                .caption = STR("In the ledger"),
                                .columns = &bill_columns[PLACE_PAGE],
                                .rows = field_rows(op_bills.result, "bills", res),
                                .none = "No bill was imported: 'stint import FILE' adds one."});
    page_section_end(v);
    page_section(v, "compared", STR("Runs and bills"), true);
    page_part(v, &reconciled_part);
    page_section_end(v);
    return page_end(v, err);
}
