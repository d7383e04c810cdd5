#include "alert/text.h"

#include <string.h>

#include "doc/json_write.h"

/* The next character of `*rest` as it is to be written: 1 to 6 bytes; how many characters. */
static size_t piece(struct str *rest, enum text_style style, char out[static 8])
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

static size_t length(struct str text, enum text_style style)
{
    size_t all = 0;
    char part[8];

    while (text.len > 0)
        all += piece(&text, style, part);
    return all;
}

void text_put(struct str text, size_t most, enum text_style style, struct buf *out)
{
    size_t used = 0, room = length(text, style) <= most ? most : most - 3;
    char part[8];

    while (text.len > 0) {
        used += piece(&text, style, part);
        if (used > room) {
            buf_adds(out, "...");
            return;
        }
        buf_adds(out, part);
    }
}

void text_json(const char *before, struct str text, size_t most, enum text_style style,
               struct buf *out)
{
    struct buf cut = buf_new(out->alloc, BUF_MAX_OUTPUT);

    text_put(text, most, style, &cut);
    buf_adds(out, before);
    json_write_text(buf_text(&cut), out);
    if (cut.failed != ERROR_NONE)
        out->failed = cut.failed;
    buf_free(&cut);
}

struct str text_title(const struct alert_message *m)
{
    return m->title.len > 0 ? m->title : STR("Stint");
}

void text_headline(const struct alert_message *m, struct buf *out)
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
        buf_addf(out, "[%s] ", alert_what_name(m->what));
        break;
    }
    buf_add(out, text_title(m));
}
