#include "op/alert/alert_message.h"

#include "doc/json_restore.h"
#include "doc/json_write.h"

/* A message as the ledger has it: written by ledger/alerts.c. */
struct snapshot {
    struct str id, dedup, kind, what, severity, title, words;
    int64_t began, ended;
    struct alert_detail detail;
};

static const struct field fact_fields[] = {
    FIELD(TEXT, alert_fact, name, .help = "what it is"),
    FIELD(TEXT, alert_fact, value, .help = "how much"),
};
static const struct field_set fact_set = FIELD_SET(struct alert_fact, fact_fields);

static const struct field detail_fields[] = {
    FIELD(LIST, alert_detail, facts, .row = &fact_set, .help = "beside the words"),
    FIELD(TEXT, alert_detail, scope, .help = "JSON"),
    FIELD(TEXT, alert_detail, budget, .help = "JSON"),
    FIELD(TEXT, alert_detail, link, .help = "of a page"),
};
static const struct field_set detail_set = FIELD_SET(struct alert_detail, detail_fields);

static const struct field snapshot_fields[] = {
    FIELD(TEXT, snapshot, id, .help = "of the message"),
    FIELD(TEXT, snapshot, dedup, .help = "of the event"),
    FIELD(TEXT, snapshot, kind, .help = "of the event"),
    FIELD(TEXT, snapshot, what, .help = "happened"),
    FIELD(TEXT, snapshot, severity, .help = "of it"),
    FIELD(TEXT, snapshot, title, .help = "a line"),
    FIELD(TEXT, snapshot, words, .help = "a sentence or more"),
    FIELD(COUNT, snapshot, began, .help = "seconds since 1970"),
    FIELD(COUNT, snapshot, ended, .help = "likewise; null while it goes on"),
    FIELD(RECORD, snapshot, detail, .row = &detail_set, .help = "more"),
};
static const struct field_set snapshot_set = FIELD_SET(struct snapshot, snapshot_fields);

bool alert_detail_write(struct op_context *ctx, const struct alert_detail *detail,
                        struct str *out, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);

    json_write_record(&detail_set, detail, NULL, &text);
    return buf_keep(&text, ctx->arena, out, err);
}

bool alert_message_read(struct op_context *ctx, const struct ledger_delivery *d,
                        struct alert_message *out, struct error *err)
{
    struct snapshot s;
    const struct node *root = json_read(d->snapshot, "message", ctx->arena, err);

    if (root == NULL || !json_restore(&snapshot_set, root, "message", &s, ctx->arena, err))
        return false;
    *out = (struct alert_message){.id = s.id,
                                  .dedup = s.dedup,
                                  .type = s.kind,
                                  .title = s.title,
                                  .words = s.words,
                                  .facts = s.detail.facts.at,
                                  .fact_count = s.detail.facts.len,
                                  .scope = s.detail.scope,
                                  .budget = s.detail.budget,
                                  .link = s.detail.link,
                                  .began = {s.began},
                                  .ended = {s.ended}};
    if (alert_what_parse(s.what, &out->what) && severity_parse(s.severity, &out->severity))
        return true;
    return error_fail(err, ERROR_INPUT, "a newer Stint made it");
}

bool alert_message_digest(struct op_context *ctx, const struct alert_message *messages,
                          size_t count, stamp now, struct alert_message *out, struct error *err)
{
    struct buf title = buf_new(ctx->arena->alloc, 200), id = buf_new(ctx->arena->alloc, 1000),
               words = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    bool ok;

    *out = (struct alert_message){
        .what = ALERT_DIGEST, .type = STR("digest"), .began = now, .ended = {-1}};
    for (size_t i = 0; i < count; i++) {
        const struct alert_message *m = &messages[i];

        if (m->severity > out->severity)
            out->severity = m->severity;
        buf_addf(&words, "%s- [%s] ", i > 0 ? "\n" : "",
                 m->what == ALERT_RESOLVED ? "resolved" : severity_name(m->severity));
        buf_add(&words, m->title);
        if (m->words.len > 0) {
            buf_adds(&words, ". ");
            buf_add(&words, m->words);
        }
    }
    buf_addf(&title, "%zu alerts", count);
    buf_adds(&id, "digest.");
    buf_add(&id, count > 0 ? messages[0].id : STR("none"));
    ok = buf_keep(&title, ctx->arena, &out->title, err);
    ok = buf_keep(&id, ctx->arena, &out->id, err) && ok; /* all are freed */
    out->dedup = out->id;
    return buf_keep(&words, ctx->arena, &out->words, err) && ok;
}
