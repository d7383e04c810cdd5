/* Runs as rows. */
#include "ledger/ledger.h"
#include "report/records.h"
#include "unit/energy.h"

#include <string.h>

enum term_style run_state_style(enum ledger_state state)
{
    return state == RUN_RUNNING ? STYLE_GOOD : state == RUN_DONE ? STYLE_PLAIN : STYLE_WARN;
}

enum term_style run_style(const void *row)
{
    return run_state_style(((const struct ledger_run *)row)->state);
}

void run_write_why(const struct ledger_run *run, struct buf *out)
{
    bool failed = run->state == RUN_FAILED;

    if (run->state == RUN_STOPPED && str_eq(run->reason, STR(LEDGER_DETACHED)))
        buf_adds(out, "it went on, unmetered");
    else if (run->state == RUN_STOPPED && str_eq(run->reason, STR(LEDGER_EXIT_UNKNOWN)))
        buf_adds(out, "exit status unknown");
    else if (str_ends(run->reason, STR(LEDGER_PASSED)))
        buf_addf(out, "past its limit: %.*s, not stopped",
                 (int)(run->reason.len - strlen(LEDGER_PASSED)), run->reason.at);
    else if (run->reason.len > 0)
        buf_add_safe(out, run->reason);
    else if (failed && run->status > 128 && run->status < 128 + 65)
        buf_addf(out, "signal %d", run->status - 128);
    else if (failed && run->status >= 0)
        buf_addf(out, "exit %d", run->status);
    if (ledger_origin_given(run->start.origin)) {
        buf_adds(out, out->len > 0 ? ", " : "");
        buf_add(out, run->start.origin);
    }
    if (run->attempt_count > 1)
        buf_addf(out, "%s%d attempts", out->len > 0 ? ", " : "", run->attempt_count);
}

static bool write_run_why(const struct column *column, const void *row, struct buf *out)
{
    (void)column;
    run_write_why(row, out);
    return true;
}

static bool write_run_state(const struct column *column, const void *row, struct buf *out)
{
    const struct ledger_run *run = row;

    (void)column;
    buf_adds(out, ledger_state_word(run->state, run->reason));
    return true;
}

static bool write_run_energy(const struct column *column, const void *row, struct buf *out)
{
    (void)column;
    joule_write_metered((joule){((const struct ledger_run *)row)->totals.joules}, out);
    return true;
}

/* "A100-SXM4-40GB", since the maker is known. */
static bool write_run_gpu(const struct column *column, const void *row, struct buf *out)
{
    struct str gpu = ((const struct ledger_run *)row)->totals.gpu;

    (void)column;
    if (str_starts(gpu, STR("NVIDIA ")))
        gpu = (struct str){gpu.at + 7, gpu.len - 7};
    buf_add(out, gpu);
    return true;
}

/* The value of a tag, whose name is the title of the column. */
static bool write_run_tag(const struct column *column, const void *row, struct buf *out)
{
    const struct ledger_run *run = row;
    struct str name = str_from(column->title);

    for (size_t i = 0; i < run->start.tags.len; i++) {
        struct str value = run->start.tags.at[i], key = str_cut(&value, '=');

        if (str_eq_nocase(key, name))
            buf_add(out, value);
    }
    return true;
}

/* In a file, names carry the units. */
static const struct column list[] = {
    COLUMN("id", short_id, .places = ON_TERMINAL),
    COLUMN("", id, .places = IN_FILE),
    COLUMN("name", name, .shrink = true, .unknown = "(no name)"),
    COLUMN("state", state, .cell = write_run_state),
    COLUMN("started (UTC)", started, .optional = true, .csv = "started_utc"),
    COLUMN("", ended, .csv = "ended_utc", .places = IN_FILE),
    COLUMN("took", duration, .wide = true, .csv = "duration_s"),
    COLUMN("cost", cost, .form = COLUMN_FINE, .csv = "cost_usd"),
    COLUMN("", budget, .csv = "budget_usd", .places = IN_FILE),
    COLUMN("of budget", budget_share, .form = COLUMN_USED, .if_any = true, .optional = true,
           .places = ON_TERMINAL | ON_PAGE),
    COLUMN("energy", energy_kwh, .optional = true, .cell = write_run_energy),
    COLUMN("", energy_method, .places = IN_FILE),
    COLUMN("", energy_error, .csv = "energy_error_share", .places = IN_FILE),
    COLUMN("", carbon_g, .places = IN_FILE),
    COLUMN("GPU", gpu, .unknown = "", .if_any = true, .cell = write_run_gpu, .optional = true,
           .places = ON_PAGE | IN_FILE),
    COLUMN("", gpus, .places = IN_FILE),
    COLUMN("GPU busy", gpu_busy, .optional = true, .csv = "gpu_busy_share"),
    COLUMN("score", score, .optional = true),
    COLUMN("", status, .places = IN_FILE),
    COLUMN("", reason, .places = IN_FILE),
    COLUMN_CELL("why", write_run_why, .shrink = true, .places = ON_TERMINAL),
    COLUMN("", attempts, .places = IN_FILE),
    COLUMN("", interruptions, .places = IN_FILE),
    COLUMN("", lost_s, .places = IN_FILE),
    COLUMN("", step, .places = IN_FILE),
    COLUMN("", loss, .places = IN_FILE),
    COLUMN("", best, .places = IN_FILE),
    COLUMN_CELL("team", write_run_tag, .unknown = "", .if_any = true, .optional = true,
                .places = ON_PAGE),
    COLUMN_CELL("project", write_run_tag, .unknown = "", .if_any = true, .optional = true,
                .places = ON_PAGE),
    COLUMN("user", user, .unknown = "", .optional = true, .places = ON_PAGE | IN_FILE),
    COLUMN("", host, .places = IN_FILE),
    COLUMN("", folder, .places = IN_FILE),
    COLUMN("", command, .places = IN_FILE),
    COLUMN("", commit, .places = IN_FILE),
    COLUMN("", tags, .places = IN_FILE),
    COLUMN("", offer, .places = IN_FILE),
    COLUMN("", market, .places = IN_FILE),
    COLUMN("", price, .csv = "price_usd_h", .places = IN_FILE),
    COLUMN("", price_source, .places = IN_FILE),
    COLUMN("", estimated_cost, .csv = "estimated_usd", .places = IN_FILE),
    COLUMN("", estimated_time, .csv = "estimated_s", .places = IN_FILE),
    COLUMN("", origin, .places = IN_FILE),
    COLUMN("id", short_id, .optional = true, .places = ON_PAGE),
};

const struct columns run_columns[PLACES] = COLUMNS_OF_RECORD(list, run_style);
