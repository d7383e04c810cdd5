/* A message as each kind of receiver wants it: its texts cut to a length, with what has a
 * meaning there escaped. */
#include "alert/alert.h"

#include <string.h>

#include "base/characters.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/json.h"
#include "doc/json_write.h"
#include "net/smtp.h"
#include "unit/time.h"

const char *const alert_what_names[] = {"firing", "update", "resolved", "acknowledged",
                                        "digest", "test",   NULL};

/* --- texts -------------------------------------------------------------------------------- */

enum text_style {
    TEXT_PLAIN,
    TEXT_SLACK,    /* & < > */
    TEXT_MARKDOWN, /* of Discord and Teams */
};

/* What went wrong with a part went wrong with the message. */
static void end_part(struct buf *part, struct buf *out)
{
    if (part->failed != ERROR_NONE)
        out->failed = part->failed;
    buf_free(part);
}

/* The next character of `*rest` as it is to be written: 1 to 6 bytes; how many characters. */
static size_t next_piece(struct str *rest, enum text_style style, char out[static 8])
{
    size_t len = str_character(*rest);
    unsigned char c = (unsigned char)rest->at[0];
    const char *instead = NULL;

    if (len == 0 || len == SIZE_MAX) {
        instead = "?";
        len = 1;
    } else if ((c < ' ' && c != '\n') || c == 0x7f) {
        instead = " ";
    } else if (style == TEXT_SLACK && (c == '&' || c == '<' || c == '>')) {
        instead = c == '&' ? "&amp;" : c == '<' ? "&lt;" : "&gt;";
    }
    if (instead != NULL)
        (void)snprintf(out, 8, "%s", instead);
    else if (style == TEXT_MARKDOWN && strchr("\\*_~`|[]<>#", c) != NULL)
        (void)snprintf(out, 8, "\\%c", c);
    else
        (void)snprintf(out, 8, "%.*s", (int)len, rest->at);
    rest->at += len;
    rest->len -= len;
    return instead == NULL && len > 1 ? 1 : strlen(out);
}

static size_t written_length(struct str text, enum text_style style)
{
    size_t all = 0;
    char part[8];

    while (text.len > 0)
        all += next_piece(&text, style, part);
    return all;
}

/* At most `most` characters, "..." at the end when it had to be cut. Control characters but for
 * newlines become blanks. */
static void text_put(struct str text, size_t most, enum text_style style, struct buf *out)
{
    size_t used = 0, room = written_length(text, style) <= most ? most : most - 3;
    char part[8];

    while (text.len > 0) {
        used += next_piece(&text, style, part);
        if (used > room) {
            buf_adds(out, "...");
            return;
        }
        buf_adds(out, part);
    }
}

/* Likewise as a JSON string with its quotes, after `before`, which is written unchanged. */
static void text_json(const char *before, struct str text, size_t most, enum text_style style,
                      struct buf *out)
{
    struct buf cut = buf_new(out->alloc, BUF_MAX_OUTPUT);

    text_put(text, most, style, &cut);
    buf_adds(out, before);
    json_write_text(buf_text(&cut), out);
    end_part(&cut, out);
}

/* A title, also when there is none. */
static struct str text_title(const struct alert_message *m)
{
    return m->title.len > 0 ? m->title : STR("Stint");
}

/* "[warning] Budget nlp: 80 % spent", "[resolved] ...". */
static void text_headline(const struct alert_message *m, struct buf *out)
{
    switch (m->what) {
    case ALERT_FIRING:
        buf_addf(out, "[%s] ", severity_name(m->severity));
        break;
    case ALERT_UPDATE:
        buf_addf(out, "[%s, update] ", severity_name(m->severity));
        break;
    case ALERT_RESOLVED:
    case ALERT_ACKNOWLEDGED:
    case ALERT_DIGEST:
    case ALERT_TEST:
        buf_addf(out, "[%s] ", alert_what_names[m->what]);
        break;
    }
    buf_add(out, text_title(m));
}

static void headline_json(const char *before, const struct alert_message *m, size_t most,
                          enum text_style style, struct buf *out)
{
    struct buf line = buf_new(out->alloc, BUF_MAX_OUTPUT);

    text_headline(m, &line);
    text_json(before, buf_text(&line), most, style, out);
    end_part(&line, out);
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
        end_part(&field, out);
    }
    buf_adds(out, "]}");
}

static void slack_payload(const struct alert_message *m, struct buf *out)
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

static void discord_payload(const struct alert_message *m, stamp now, struct buf *out)
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

static void teams_payload(const struct alert_message *m, struct buf *out)
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

/* It holds so long unless it is resolved: longer than a month's budget can be spent. */
#define ALERTMANAGER_DAYS 35

static void put_payload_time(const char *before, stamp at, struct buf *out)
{
    buf_adds(out, before);
    if (at.s < 0) {
        buf_adds(out, "null");
        return;
    }
    buf_char(out, '"');
    stamp_write(at, out);
    buf_char(out, '"');
}

static bool named_before(const struct alert_message *m, size_t which)
{
    for (size_t i = 0; i < which; i++)
        if (str_eq(m->facts[i].name, m->facts[which].name))
            return true;
    return false;
}

static void put_facts(const struct alert_message *m, struct buf *out)
{
    buf_char(out, '{');
    for (size_t i = 0; i < m->fact_count && i < 50; i++) {
        if (named_before(m, i)) /* a key may be there once */
            continue;
        text_json(i > 0 ? "," : "", m->facts[i].name, 100, TEXT_PLAIN, out);
        text_json(":", m->facts[i].value, 1000, TEXT_PLAIN, out);
    }
    buf_char(out, '}');
}

/* --- PagerDuty, Events API v2 ------------------------------------------------------------- */

static void pagerduty_payload(const char *key, const struct alert_message *m, stamp now,
                              struct buf *out)
{
    const char *action = m->what == ALERT_RESOLVED       ? "resolve"
                         : m->what == ALERT_ACKNOWLEDGED ? "acknowledge"
                                                         : "trigger";

    text_json("{\"routing_key\":", str_from(key), 100, TEXT_PLAIN, out);
    buf_addf(out, ",\"event_action\":\"%s\"", action);
    text_json(",\"dedup_key\":", m->dedup, 255, TEXT_PLAIN, out);
    if (action[0] == 't') {
        text_json(",\"client\":\"Stint\",\"payload\":{\"summary\":", text_title(m), 1024,
                  TEXT_PLAIN, out);
        buf_addf(out, ",\"source\":\"stint\",\"severity\":\"%s\"", severity_name(m->severity));
        put_payload_time(",\"timestamp\":", now, out);
        text_json(",\"component\":\"stint\",\"class\":", m->type, 100, TEXT_PLAIN, out);
        text_json(",\"custom_details\":{\"message\":", m->words, 4000, TEXT_PLAIN, out);
        buf_adds(out, ",\"facts\":");
        put_facts(m, out);
        buf_adds(out, "}}");
        if (m->link.len > 0) {
            text_json(",\"links\":[{\"text\":\"Open\",\"href\":", m->link, 2000, TEXT_PLAIN,
                      out);
            buf_adds(out, "}]");
        }
    }
    buf_char(out, '}');
}

/* --- ntfy: a message has 4,096 bytes at most ---------------------------------------------- */

void alert_ntfy_address(const struct alert_channel *channel, struct str *base,
                        struct str *topic)
{
    struct str url = str_from(channel->url);
    size_t cut;

    while (url.len > 0 && url.at[url.len - 1] == '/')
        url.len--;
    *base = url;
    *topic = channel->topic;
    if (topic->len > 0)
        return;
    cut = url.len;
    while (cut > 0 && url.at[cut - 1] != '/')
        cut--;
    if (cut < 2 || url.at[cut - 2] == '/') /* "https://": there is no path */
        return;
    *topic = (struct str){url.at + cut, url.len - cut};
    *base = (struct str){url.at, cut - 1};
}

static void ntfy_payload(struct str topic, const struct alert_message *m, struct buf *out)
{
    static const int priority[] = {2, 3, 4, 5};
    struct buf text = buf_new(out->alloc, BUF_MAX_OUTPUT);

    buf_add(&text, m->words);
    for (size_t i = 0; i < m->fact_count && i < 10; i++) {
        buf_adds(&text, text.len > 0 ? "\n" : "");
        buf_add(&text, m->facts[i].name);
        buf_adds(&text, ": ");
        buf_add(&text, m->facts[i].value);
    }
    text_json("{\"topic\":", topic, 64, TEXT_PLAIN, out);
    text_json(",\"title\":", text_title(m), 200, TEXT_PLAIN, out);
    text_json(",\"message\":", text.len > 0 ? buf_text(&text) : text_title(m), 1000, TEXT_PLAIN,
              out);
    buf_addf(out, ",\"priority\":%d,\"tags\":[\"%s\",\"moneybag\"]",
             m->what == ALERT_RESOLVED ? 2 : priority[m->severity],
             m->what == ALERT_RESOLVED         ? "white_check_mark"
             : m->severity >= SEVERITY_WARNING ? "warning"
                                               : "information_source");
    if (m->link.len > 0)
        text_json(",\"click\":", m->link, 2000, TEXT_PLAIN, out);
    buf_char(out, '}');
    end_part(&text, out);
}

/* --- a webhook of one's own --------------------------------------------------------------- */

static void put_object(const char *before, struct str json, struct buf *out)
{
    buf_adds(out, before);
    buf_add(out, json.len > 0 ? json : STR("null"));
}

static void webhook_payload(const struct alert_message *m, struct buf *out)
{
    text_json("{\"version\":\"1\",\"id\":", m->id, 200, TEXT_PLAIN, out);
    text_json(",\"dedup_key\":", m->dedup, 255, TEXT_PLAIN, out);
    buf_addf(out, ",\"status\":\"%s\",\"severity\":\"%s\"", alert_what_names[m->what],
             severity_name(m->severity));
    text_json(",\"type\":", m->type, 100, TEXT_PLAIN, out);
    text_json(",\"title\":", text_title(m), 1000, TEXT_PLAIN, out);
    text_json(",\"message\":", m->words, 20000, TEXT_PLAIN, out);
    put_payload_time(",\"starts_at\":", m->began, out);
    put_payload_time(",\"ends_at\":", m->ended, out);
    put_object(",\"scope\":", m->scope.len > 0 ? m->scope : STR("{}"), out);
    put_object(",\"budget\":", m->budget, out);
    buf_adds(out, ",\"facts\":[");
    for (size_t i = 0; i < m->fact_count; i++) {
        text_json(i > 0 ? ",{\"name\":" : "{\"name\":", m->facts[i].name, 200, TEXT_PLAIN, out);
        text_json(",\"value\":", m->facts[i].value, 2000, TEXT_PLAIN, out);
        buf_char(out, '}');
    }
    buf_adds(out, "],\"links\":{");
    if (m->link.len > 0)
        text_json("\"page\":", m->link, 2000, TEXT_PLAIN, out);
    buf_adds(out, "}}");
}

/* --- Alertmanager ------------------------------------------------------------------------- */

/* A name that a label can have. */
static void put_label_name(struct str name, struct buf *out)
{
    buf_adds(out, ",\"");
    for (size_t i = 0; i < name.len && i < 64; i++) {
        char c = name.at[i];
        bool letter = is_letter(c) || c == '_';

        buf_char(out, letter || (i > 0 && is_digit(c)) ? c : '_');
    }
    buf_adds(out, "\":");
}

/* Whose names are taken already. */
static bool label_taken(struct str name)
{
    return name.len == 0 || str_eq(name, STR("alertname")) || str_eq(name, STR("severity")) ||
           str_eq(name, STR("dedup"));
}

static bool put_scope_label(void *ctx, struct str key, enum json_kind kind, struct str text)
{
    struct buf *out = ctx;

    if (label_taken(key))
        return true;
    put_label_name(key, out);
    text_json("", kind == JSON_STRING ? text : (struct str){0}, 500, TEXT_PLAIN, out);
    return true;
}

static struct str alert_name(struct str type)
{
    return str_starts(type, STR("budget"))    ? STR("StintBudget")
           : str_starts(type, STR("anomaly")) ? STR("StintAnomaly")
           : str_starts(type, STR("unit"))    ? STR("StintUnitCost")
           : str_starts(type, STR("run"))     ? STR("StintRun")
           : str_eq(type, STR("test"))        ? STR("StintTest")
                                              : STR("StintAlert");
}

/* One alert: its labels identify it. */
static bool put_alert(const struct alert_message *m, enum severity severity, stamp ends,
                      struct buf *out, struct error *err)
{
    text_json("{\"labels\":{\"alertname\":", alert_name(m->type), 64, TEXT_PLAIN, out);
    buf_addf(out, ",\"severity\":\"%s\"", severity_name(severity));
    text_json(",\"dedup\":", m->dedup, 255, TEXT_PLAIN, out);
    if (m->scope.len > 0 && !json_members(m->scope, out->alloc, put_scope_label, out, err))
        return false;
    text_json("},\"annotations\":{\"summary\":", text_title(m), 1000, TEXT_PLAIN, out);
    text_json(",\"description\":", m->words, 4000, TEXT_PLAIN, out);
    put_payload_time("},\"startsAt\":", m->began, out);
    put_payload_time(",\"endsAt\":", ends, out);
    if (m->link.len > 0)
        text_json(",\"generatorURL\":", m->link, 2000, TEXT_PLAIN, out);
    buf_char(out, '}');
    return true;
}

static bool alertmanager_payload(const struct alert_message *m, stamp now, struct buf *out,
                                 struct error *err)
{
    bool over = m->what == ALERT_RESOLVED;
    stamp later = {now.s + (m->what == ALERT_TEST ? 300 : ALERTMANAGER_DAYS * SECONDS_PER_DAY)};

    buf_char(out, '[');
    if (!put_alert(m, m->severity, over ? now : later, out, err))
        return false;
    /* The severity is a label: an alert that was sent with another one is over. */
    for (int s = SEVERITY_INFO;
         m->what != ALERT_FIRING && m->what != ALERT_TEST && s <= SEVERITY_CRITICAL; s++) {
        if (s == (int)m->severity)
            continue;
        buf_char(out, ',');
        if (!put_alert(m, (enum severity)s, now, out, err))
            return false;
    }
    buf_char(out, ']');
    return true;
}

/* --- mail: RFC 5322, in lines and bytes that every server on the way takes ---------------- */

#define LINE 75     /* of an encoded header and of a body, before the mark of a soft break */
#define READABLE 40 /* bytes of an event's name in an id */

/* "Tue, 24 Mar 2026 09:00:00 +0000" */
static void put_date(stamp at, struct buf *out)
{
    static const char days[] = "ThuFriSatSunMonTueWed"; /* 1970-01-01 was a Thursday */
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    int64_t second = at.s - day_of(at).n * SECONDS_PER_DAY;
    int year, month, date, weekday = (day_of(at).n % 7 + 7) % 7;

    day_split(day_of(at), &year, &month, &date);
    buf_addf(out, "Date: %.3s, %d %.3s %04d %02d:%02d:%02d +0000\r\n", days + weekday * 3, date,
             months + (month - 1) * 3, year, (int)(second / 3600), (int)(second / 60 % 60),
             (int)(second % 60));
}

static bool is_ascii(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] < ' ' || text.at[i] >= 0x7f)
            return false;
    return true;
}

static bool is_plain_url_byte(unsigned char c)
{
    return is_letter_or_digit((char)c);
}

/* A byte of an encoded word; how many it takes. */
static size_t put_escaped_byte(unsigned char c, struct buf *out)
{
    if (!is_plain_url_byte(c)) {
        buf_addf(out, "=%02X", c);
        return 3;
    }
    buf_char(out, (char)c);
    return 1;
}

/* RFC 2047: words of at most 75 bytes, none of which cuts a character. */
static void put_encoded(struct str text, struct buf *out)
{
    static const char begin[] = "=?UTF-8?Q?";
    size_t column = 0;

    while (text.len > 0) {
        size_t len = str_character(text);

        len = len == 0 || len == SIZE_MAX ? 1 : len;
        if (column == 0 || column + len * 3 > LINE - 3) {
            buf_adds(out, column == 0 ? "" : "?=\r\n ");
            buf_adds(out, begin);
            column = sizeof begin - 1 + (column == 0 ? sizeof "Subject: " - 1 : 1);
        }
        for (size_t i = 0; i < len; i++)
            column += put_escaped_byte((unsigned char)text.at[i], out);
        text.at += len;
        text.len -= len;
    }
    buf_adds(out, "?=");
}

static void put_subject(const struct alert_message *m, struct buf *out)
{
    struct buf line = buf_new(out->alloc, BUF_MAX_OUTPUT), cut = buf_new(out->alloc, 4096);
    struct str text;

    text_headline(m, &line);
    text_put(buf_text(&line), 200, TEXT_PLAIN, &cut);
    for (size_t i = 0; i < cut.len; i++)
        if (cut.at[i] == '\n')
            cut.at[i] = ' ';
    text = buf_text(&cut);
    buf_adds(out, "Subject: ");
    if (is_ascii(text))
        buf_add(out, text);
    else
        put_encoded(text, out);
    buf_adds(out, "\r\n");
    end_part(&cut, out);
    end_part(&line, out);
}

/* The event as the left half of an id: "3.1794700800.5f0c6a0e1b2d3c4f.budget-nlp-2026-11". The
 * alert and when it began are its own in a ledger; the hash, of a name as long and in whatever
 * letters it is, distinguishes ledgers that count alike. The rest is for people. */
static void put_thread(const struct alert_message *m, struct buf *out)
{
    struct str alert = m->id;

    buf_adds(out, "<stint.");
    buf_add(out, str_cut(&alert, '.'));
    buf_addf(out, ".%lld.%016llx.", (long long)m->began.s,
             (unsigned long long)text_hash(0, m->dedup));
    for (size_t i = 0; i < m->dedup.len && i < READABLE; i++) {
        char c = m->dedup.at[i];

        buf_char(out, is_plain_url_byte((unsigned char)c) || c == '_' ? c : '-');
    }
}

static void put_domain(struct str from, struct buf *out)
{
    (void)str_cut(&from, '@');
    buf_char(out, '@');
    buf_add(out, from);
    buf_char(out, '>');
}

/* The first message of an event has the event's id, so that all others answer to it, and one
 * that is sent twice has the same both times. */
static void put_ids(const struct alert_message *m, struct str from, struct buf *out)
{
    bool first = m->what == ALERT_FIRING;

    buf_adds(out, "Message-ID: ");
    put_thread(m, out);
    if (!first) {
        buf_char(out, '.');
        buf_add(out, m->id);
    }
    put_domain(from, out);
    buf_adds(out, "\r\n");
    if (first || m->what == ALERT_DIGEST || m->what == ALERT_TEST)
        return;
    buf_adds(out, "In-Reply-To: ");
    put_thread(m, out);
    put_domain(from, out);
    buf_adds(out, "\r\nReferences: ");
    put_thread(m, out);
    put_domain(from, out);
    buf_adds(out, "\r\n");
}

/* Quoted-printable: 7 bits, lines of at most 76. */
static void put_body(struct str text, struct buf *out)
{
    size_t column = 0;

    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        bool last = i + 1 == text.len || text.at[i + 1] == '\n';
        bool plain = (c > ' ' && c < 0x7f && c != '=') || (c == ' ' && !last);

        if (c == '\n') {
            buf_adds(out, "\r\n");
            column = 0;
            continue;
        }
        if (column + (plain ? 1 : 3) > LINE) {
            buf_adds(out, "=\r\n");
            column = 0;
        }
        if (plain)
            buf_char(out, (char)c);
        else
            buf_addf(out, "=%02X", c);
        column += plain ? 1 : 3;
    }
    buf_adds(out, "\r\n");
}

static void put_words(const struct alert_message *m, struct buf *out)
{
    text_put(m->words.len > 0 ? m->words : text_title(m), 50000, TEXT_PLAIN, out);
    buf_char(out, '\n');
    for (size_t i = 0; i < m->fact_count; i++) {
        buf_adds(out, i == 0 ? "\n" : "");
        text_put(m->facts[i].name, 200, TEXT_PLAIN, out);
        buf_adds(out, ": ");
        text_put(m->facts[i].value, 2000, TEXT_PLAIN, out);
        buf_char(out, '\n');
    }
    if (m->link.len > 0) {
        buf_char(out, '\n');
        text_put(m->link, 2000, TEXT_PLAIN, out);
        buf_char(out, '\n');
    }
    buf_adds(out, "\n-- \nStint.");
    if (!str_eq(m->type, STR("report")))
        buf_adds(out, " 'stint alert list' shows all alerts, 'stint alert ack ID' says that "
                      "one was seen.");
}

#define BASE64_LINE 57 /* bytes that a line of 76 characters has */

static void put_base64(struct str data, struct buf *out)
{
    for (size_t i = 0; i < data.len; i += BASE64_LINE) {
        size_t left = data.len - i;

        base64_write((struct str){data.at + i, left < BASE64_LINE ? left : BASE64_LINE}, out);
        buf_adds(out, "\r\n");
    }
}

/* No line of an encoded body begins with "--=_": '=' is followed by hexadecimal digits in the
 * text and ends base64. */
static void put_boundary(const struct alert_message *m, const char *end, struct buf *out)
{
    buf_addf(out, "--=_stint_%016llx%s\r\n", (unsigned long long)text_hash(0, m->id), end);
}

static void put_text_part(struct str words, struct buf *out)
{
    buf_adds(out, "Content-Type: text/plain; charset=UTF-8\r\n"
                  "Content-Transfer-Encoding: quoted-printable\r\n\r\n");
    put_body(words, out);
}

/* The text, and the files behind it. */
static void put_parts(const struct alert_message *m, struct str words, struct buf *out)
{
    buf_addf(out, "Content-Type: multipart/mixed; boundary=\"=_stint_%016llx\"\r\n\r\n",
             (unsigned long long)text_hash(0, m->id));
    put_boundary(m, "", out);
    put_text_part(words, out);
    for (size_t i = 0; i < m->attached_count; i++) {
        const struct alert_attachment *file = &m->attached[i];

        put_boundary(m, "", out);
        buf_addf(out,
                 "Content-Type: %.*s\r\nContent-Disposition: attachment; "
                 "filename=\"%.*s\"\r\nContent-Transfer-Encoding: base64\r\n\r\n",
                 STR_ARG(file->type), STR_ARG(file->name));
        put_base64(file->data, out);
    }
    put_boundary(m, "--", out);
}

static bool put_receivers(struct str to, struct buf *out, struct error *err)
{
    buf_adds(out, "To: ");
    for (size_t i = 0; to.len > 0; i++) {
        struct str one = str_trim(str_cut(&to, ','));

        if (!smtp_address_ok(one))
            return error_fail(err, ERROR_INPUT, "'%.*s' is not an email address", STR_ARG(one));
        buf_adds(out, i > 0 ? ",\r\n " : "");
        buf_add(out, one);
    }
    buf_adds(out, "\r\n");
    return true;
}

static bool email_payload(const struct alert_channel *channel, const struct alert_message *m,
                          stamp now, struct buf *out, struct error *err)
{
    struct buf words = buf_new(out->alloc, BUF_MAX_OUTPUT);

    if (!smtp_address_ok(channel->from))
        return error_fail(err, ERROR_INPUT, "'%.*s' is not an email address",
                          STR_ARG(channel->from));
    buf_adds(out, "From: Stint <");
    buf_add(out, channel->from);
    buf_adds(out, ">\r\n");
    if (!put_receivers(channel->to, out, err))
        return false;
    put_subject(m, out);
    put_date(now, out);
    put_ids(m, channel->from, out);
    buf_adds(out, "MIME-Version: 1.0\r\nAuto-Submitted: auto-generated\r\n");
    put_words(m, &words);
    if (m->attached_count > 0)
        put_parts(m, buf_text(&words), out);
    else
        put_text_part(buf_text(&words), out);
    end_part(&words, out);
    return true;
}

/* --- all of them -------------------------------------------------------------------------- */

bool alert_payload(const struct alert_channel *channel, const struct alert_message *message,
                   stamp now, struct buf *out, struct error *err)
{
    struct str base, topic;
    bool ok = true;

    switch (channel->kind) {
    case ALERT_SLACK:
        slack_payload(message, out);
        break;
    case ALERT_DISCORD:
        discord_payload(message, now, out);
        break;
    case ALERT_TEAMS:
        teams_payload(message, out);
        break;
    case ALERT_PAGERDUTY:
        pagerduty_payload(channel->key, message, now, out);
        break;
    case ALERT_NTFY:
        alert_ntfy_address(channel, &base, &topic);
        ntfy_payload(topic, message, out);
        break;
    case ALERT_WEBHOOK:
        webhook_payload(message, out);
        break;
    case ALERT_ALERTMANAGER:
        ok = alertmanager_payload(message, now, out, err);
        break;
    case ALERT_EMAIL:
        ok = email_payload(channel, message, now, out, err);
        break;
    case ALERT_KINDS:
        break;
    }
    return ok && buf_ok(out, err);
}
