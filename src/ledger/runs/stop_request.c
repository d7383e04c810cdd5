#include "ledger/runs/stop_request.h"

#include "ledger/engine/list.h"

static const char last_attempt_sql[] =
    "SELECT max(a.attempt) FROM runs r JOIN attempts a ON a.run = r.run WHERE r.id = ?";
static const char asked_sql[] =
    "SELECT 1 FROM events WHERE attempt = ? AND kind = '" STOP_REQUEST_KIND "' LIMIT 1";
static const char open_requests_sql[] =
    "SELECT r.id, e.words FROM attempts a JOIN runs r ON r.run = a.run"
    " JOIN events e ON e.attempt = a.attempt"
    " WHERE a.ended IS NULL AND e.kind = '" STOP_REQUEST_KIND "' ORDER BY e.event";

bool stop_request_reaches(const struct ledger_run *run)
{
    return ledger_fact(run, STOP_REQUEST_FACT).len > 0;
}

static bool put_request(struct ledger *l, const char *id, struct str by, stamp now,
                        struct error *err)
{
    struct ledger_happening event = {
        .at = now, .kind = STR(STOP_REQUEST_KIND), .text = by, .left_out = -1};
    struct query *q = ledger_query(l, last_attempt_sql, VALUES(as_text(str_from(id))), err);
    int row = ledger_row(l, q, "read", err);
    int64_t attempt = row > 0 ? column_count(q, 0) : -1;
    bool asked;

    query_reset(q);
    if (row < 0 || attempt < 0)
        return row >= 0 && error_fail(err, ERROR_ABSENT, "there is no run '%.40s'", id);
    return ledger_finds(l, asked_sql, VALUES(as_int(attempt)), &asked, err) &&
           (asked || ledger_put_event(l, attempt, &event, err));
}

bool stop_request_put(struct ledger *l, const char *id, struct str by, stamp now,
                      struct error *err)
{
    return ledger_start_write(l, err) &&
           ledger_finish(l, put_request(l, id, by, now, err), err);
}

bool stop_requests_read(struct ledger *l, struct arena *arena,
                        const struct ledger_stop_request **out, size_t *count,
                        struct error *err)
{
    static const struct field members[] = {
        MEMBER(TEXT, ledger_stop_request, run),
        MEMBER(TEXT, ledger_stop_request, by),
    };
    static const struct ledger_list list = LEDGER_LIST(struct ledger_stop_request, members);

    return ledger_list_all(l, open_requests_sql, NO_VALUES, &list, arena, LIST_OUT(out, count),
                           err);
}
