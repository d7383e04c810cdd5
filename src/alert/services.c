/* Messages that programs read: PagerDuty, ntfy, a webhook, Alertmanager. */
#include "alert/text.h"

#include "base/characters.h"
#include "base/json.h"
#include "doc/json_write.h"
#include "unit/time.h"

#define DAY INT64_C(86400)
/* It holds so long unless it is resolved: longer than a month's budget can be spent. */
#define ALERTMANAGER_DAYS 35

static void when(const char *before, stamp at, struct buf *out)
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

static void facts_object(const struct alert_message *m, struct buf *out)
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

void pagerduty_payload(const char *key, const struct alert_message *m, stamp now,
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
        when(",\"timestamp\":", now, out);
        text_json(",\"component\":\"stint\",\"class\":", m->type, 100, TEXT_PLAIN, out);
        text_json(",\"custom_details\":{\"message\":", m->words, 4000, TEXT_PLAIN, out);
        buf_adds(out, ",\"facts\":");
        facts_object(m, out);
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

void ntfy_payload(struct str topic, const struct alert_message *m, struct buf *out)
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
    if (text.failed != ERROR_NONE)
        out->failed = text.failed;
    buf_free(&text);
}

/* --- a webhook of one's own --------------------------------------------------------------- */

static void object(const char *before, struct str json, struct buf *out)
{
    buf_adds(out, before);
    buf_add(out, json.len > 0 ? json : STR("null"));
}

void webhook_payload(const struct alert_message *m, struct buf *out)
{
    text_json("{\"version\":\"1\",\"id\":", m->id, 200, TEXT_PLAIN, out);
    text_json(",\"dedup_key\":", m->dedup, 255, TEXT_PLAIN, out);
    buf_addf(out, ",\"status\":\"%s\",\"severity\":\"%s\"", alert_what_name(m->what),
             severity_name(m->severity));
    text_json(",\"type\":", m->type, 100, TEXT_PLAIN, out);
    text_json(",\"title\":", text_title(m), 1000, TEXT_PLAIN, out);
    text_json(",\"message\":", m->words, 20000, TEXT_PLAIN, out);
    when(",\"starts_at\":", m->began, out);
    when(",\"ends_at\":", m->ended, out);
    object(",\"scope\":", m->scope.len > 0 ? m->scope : STR("{}"), out);
    object(",\"budget\":", m->budget, out);
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
static void label_name(struct str name, struct buf *out)
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

static bool scope_labels(struct str scope, struct buf *out, struct error *err)
{
    struct json *json = json_open_text(scope, &(struct json_options){.alloc = out->alloc}, err);
    struct json_token token = {0};
    bool ok = json != NULL, wanted = false;

    while (ok && (ok = json_next(json, &token, err)) && token.kind != JSON_END) {
        if (token.kind == JSON_KEY) {
            wanted = token.depth == 1 && !label_taken(token.text);
            if (wanted)
                label_name(token.text, out);
        } else if (wanted) {
            text_json("", token.kind == JSON_STRING ? token.text : (struct str){0}, 500,
                      TEXT_PLAIN, out);
            wanted = false;
        }
    }
    json_close(json);
    return ok;
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
static bool one(const struct alert_message *m, enum severity severity, stamp ends,
                struct buf *out, struct error *err)
{
    text_json("{\"labels\":{\"alertname\":", alert_name(m->type), 64, TEXT_PLAIN, out);
    buf_addf(out, ",\"severity\":\"%s\"", severity_name(severity));
    text_json(",\"dedup\":", m->dedup, 255, TEXT_PLAIN, out);
    if (m->scope.len > 0 && !scope_labels(m->scope, out, err))
        return false;
    text_json("},\"annotations\":{\"summary\":", text_title(m), 1000, TEXT_PLAIN, out);
    text_json(",\"description\":", m->words, 4000, TEXT_PLAIN, out);
    when("},\"startsAt\":", m->began, out);
    when(",\"endsAt\":", ends, out);
    if (m->link.len > 0)
        text_json(",\"generatorURL\":", m->link, 2000, TEXT_PLAIN, out);
    buf_char(out, '}');
    return true;
}

bool alertmanager_payload(const struct alert_message *m, stamp now, struct buf *out,
                          struct error *err)
{
    bool over = m->what == ALERT_RESOLVED;
    stamp later = {now.s + (m->what == ALERT_TEST ? 300 : ALERTMANAGER_DAYS * DAY)};

    buf_char(out, '[');
    if (!one(m, m->severity, over ? now : later, out, err))
        return false;
    /* The severity is a label: an alert that was sent with another one is over. */
    for (int s = SEVERITY_INFO;
         m->what != ALERT_FIRING && m->what != ALERT_TEST && s <= SEVERITY_CRITICAL; s++) {
        if (s == (int)m->severity)
            continue;
        buf_char(out, ',');
        if (!one(m, (enum severity)s, now, out, err))
            return false;
    }
    buf_char(out, ']');
    return true;
}
