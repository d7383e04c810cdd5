#include "run/supervise/run_ledger.h"

#include <string.h>

#include "base/fs.h"
#include "run/supervise/recorder.h"

/* For a server that knows which run to resume. */
#define RESUME_SERVER_WAIT ((span){INT64_C(5000000000)})

/* A server is given a moment to answer. If it does not, it is opened while the command runs. */
static void open_server(struct supervise_options *options, bool must, struct run_ledger *out)
{
    struct ledger_opened opened = {0};

    options->ledger_opening =
        ledger_opening_start(options->ledger, RECORDER_PATIENCE_SERVER, options->clock,
                             options->alloc, &options->ledger_why);
    if (options->ledger_opening != NULL &&
        ledger_opening_wait(options->ledger_opening,
                            must ? RESUME_SERVER_WAIT : RECORDER_SERVER_WAIT, &opened)) {
        options->ledger_opening = NULL;
        options->ledger_opened = opened.ledger;
        options->ledger_why = opened.why;
    } else if (options->ledger_opening != NULL) {
        (void)recorder_no_answer(options->ledger, &options->ledger_why);
    }
    *out = (struct run_ledger){.ledger = opened.ledger != NULL ? opened.ledger : opened.reader,
                               .why = options->ledger_why,
                               .reads_only = opened.ledger == NULL};
    if (out->ledger != NULL)
        ledger_patience(out->ledger, RECORDER_PATIENCE);
}

void run_ledger_open(struct supervise_options *options, bool must, struct run_ledger *out)
{
    const char *path = options->ledger;

    *out = (struct run_ledger){.why = {.kind = ERROR_ABSENT}};
    if (path == NULL)
        return;
    if (ledger_is_server(path)) {
        open_server(options, must, out);
        return;
    }
    if (!fs_exists(path)) {
        out->ledger =
            ledger_open(path, LEDGER_READ, RECORDER_PATIENCE, options->clock, options->alloc,
                        &out->why); /* the error says that there is none */
        out->reads_only = true;
        return;
    }
    out->ledger = options->ledger_opened =
        ledger_open(path, LEDGER_WRITE, RECORDER_PATIENCE, options->clock, options->alloc,
                    &options->ledger_why);
    out->why = options->ledger_why;
    if (out->ledger != NULL)
        return;
    out->ledger = ledger_open(path, LEDGER_READ, RECORDER_PATIENCE, options->clock,
                              options->alloc, &out->why);
    out->reads_only = out->ledger != NULL;
}

void run_ledger_close_reader(struct run_ledger *of)
{
    if (of->reads_only)
        ledger_close(of->ledger);
    of->ledger = NULL;
}

bool run_ledger_resume(const struct run_ledger *of, struct str wanted, struct arena *arena,
                       struct ledger_start *start, struct error *err)
{
    struct ledger_run run;

    if (of->ledger == NULL)
        *err = of->why;
    if (of->ledger == NULL || !ledger_find(of->ledger, wanted, arena, &run, err)) {
        error_context(err, "cannot resume '%.*s'", STR_ARG(wanted));
        return false;
    }
    if (run.state == RUN_RUNNING) {
        error_set(err, ERROR_INPUT, "cannot resume '%.*s': it is still running (process %lld)",
                  STR_ARG(wanted), (long long)run.start.pid);
        return false;
    }
    memcpy(start->resume_id, run.start.id, sizeof start->resume_id);
    start->name = run.start.name;
    return true;
}
