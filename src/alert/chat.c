/* Messages that people read in a chat: Slack, Discord, Teams. */
#include "alert/text.h"

#include "doc/json_write.h"
#include "unit/time.h"

static void headline_json(const char *before, const struct alert_message *m, size_t most,
                          enum text_style style, struct buf *out)
{
    struct buf line = buf_new(out->alloc, BUF_MAX_OUTPUT);

    text_headline(m, &line);
    if (line.failed != ERROR_NONE)
        out->failed = line.failed;
    text_json(before, buf_text(&line), most, style, out);
    buf_free(&line);
}

/* --- Slack: header <= 150, fields <= 10 of 2,000, a section's text <= 3,000 --------------- */

static void slack_fields(const struct alert_message *m, struct buf *out)
{
    buf_adds(out, ",{\"type\":\"section\",\"fields\":[");
    for (size_t i = 0; i < m->fact_count && i < 10; i++) {
        struct buf field = buf_new(out->alloc, BUF_MAX_OUTPUT);

        buf_char(&field, '*');
        text_put(m->facts[i].name, 100, TEXT_SLACK, &field);
        buf_adds(&field, "*\n");
        text_put(m->facts[i].value, 1800, TEXT_SLACK, &field);
        buf_adds(out, i > 0 ? "," : "");
        buf_adds(out, "{\"type\":\"mrkdwn\",\"text\":");
        json_write_text(buf_text(&field), out);
        buf_char(out, '}');
        if (field.failed != ERROR_NONE)
            out->failed = field.failed;
        buf_free(&field);
    }
    buf_adds(out, "]}");
}

void slack_payload(const struct alert_message *m, struct buf *out)
{
    headline_json("{\"text\":", m, 1000, TEXT_SLACK, out);
    headline_json(",\"blocks\":[{\"type\":\"header\",\"text\":{\"type\":\"plain_text\","
                  "\"emoji\":false,\"text\":",
                  m, 150, TEXT_PLAIN, out);
    buf_adds(out, "}}");
    if (m->words.len > 0) {
        text_json(",{\"type\":\"section\",\"text\":{\"type\":\"mrkdwn\",\"text\":", m->words,
                  2900, TEXT_SLACK, out);
        buf_adds(out, "}}");
    }
    if (m->fact_count > 0)
        slack_fields(m, out);
    if (m->link.len > 0) {
        text_json(
            ",{\"type\":\"actions\",\"elements\":[{\"type\":\"button\",\"text\":{\"type\":"
            "\"plain_text\",\"text\":\"Open\"},\"url\":",
            m->link, 3000, TEXT_PLAIN, out);
        buf_adds(out, "}]}");
    }
    buf_adds(out, "]}");
}

/* --- Discord: title <= 256, description <= 4,096, fields <= 25, 6,000 in all -------------- */

static int color_of(const struct alert_message *m)
{
    static const int of[] = {3447003, 16753920, 15105570, 15158332};

    return m->what == ALERT_RESOLVED ? 3066993 : of[m->severity];
}

void discord_payload(const struct alert_message *m, stamp now, struct buf *out)
{
    headline_json("{\"username\":\"Stint\",\"content\":", m, 500, TEXT_MARKDOWN, out);
    text_json(",\"embeds\":[{\"title\":", text_title(m), 250, TEXT_MARKDOWN, out);
    if (m->words.len > 0)
        text_json(",\"description\":", m->words, 2500, TEXT_MARKDOWN, out);
    if (m->link.len > 0)
        text_json(",\"url\":", m->link, 2000, TEXT_PLAIN, out);
    buf_addf(out, ",\"color\":%d,\"timestamp\":\"", color_of(m));
    stamp_write(now, out);
    buf_adds(out, "\",\"fields\":[");
    for (size_t i = 0; i < m->fact_count && i < 10; i++) {
        text_json(i > 0 ? ",{\"name\":" : "{\"name\":", m->facts[i].name, 60, TEXT_MARKDOWN,
                  out);
        text_json(",\"value\":", m->facts[i].value.len > 0 ? m->facts[i].value : STR("-"), 200,
                  TEXT_MARKDOWN, out);
        buf_adds(out, ",\"inline\":true}");
    }
    /* A name in a bill must not mention anyone. */
    buf_adds(out, "]}],\"allowed_mentions\":{\"parse\":[]}}");
}

/* --- Teams: an adaptive card 1.4, 28 KB in all -------------------------------------------- */

void teams_payload(const struct alert_message *m, struct buf *out)
{
    headline_json(
        "{\"type\":\"message\",\"attachments\":[{\"contentType\":"
        "\"application/vnd.microsoft.card.adaptive\",\"contentUrl\":null,\"content\":{"
        "\"$schema\":\"http://adaptivecards.io/schemas/adaptive-card.json\","
        "\"type\":\"AdaptiveCard\",\"version\":\"1.4\",\"body\":[{\"type\":"
        "\"TextBlock\",\"size\":\"Large\",\"weight\":\"Bolder\",\"wrap\":true,\"text\":",
        m, 300, TEXT_MARKDOWN, out);
    buf_char(out, '}');
    if (m->words.len > 0) {
        text_json(",{\"type\":\"TextBlock\",\"wrap\":true,\"text\":", m->words, 3000,
                  TEXT_MARKDOWN, out);
        buf_char(out, '}');
    }
    if (m->fact_count > 0) {
        buf_adds(out, ",{\"type\":\"FactSet\",\"facts\":[");
        for (size_t i = 0; i < m->fact_count && i < 20; i++) {
            text_json(i > 0 ? ",{\"title\":" : "{\"title\":", m->facts[i].name, 60,
                      TEXT_MARKDOWN, out);
            text_json(",\"value\":", m->facts[i].value, 200, TEXT_MARKDOWN, out);
            buf_char(out, '}');
        }
        buf_adds(out, "]}");
    }
    buf_char(out, ']');
    if (m->link.len > 0) {
        text_json(",\"actions\":[{\"type\":\"Action.OpenUrl\",\"title\":\"Open\",\"url\":",
                  m->link, 2000, TEXT_PLAIN, out);
        buf_adds(out, "}]");
    }
    buf_adds(out, "}}]}");
}
