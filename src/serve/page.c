/* The frame of every page. */
#include "serve/page.h"

void html_text(struct str text, struct buf *out)
{
    while (text.len > 0) {
        size_t bad = str_unsafe(text), n = bad > 0 ? bad : str_character(text);

        if (bad > 0 && text.at[0] != '\n')
            buf_char(out, '?');
        else if (text.at[0] == '&')
            buf_adds(out, "&amp;");
        else if (text.at[0] == '<')
            buf_adds(out, "&lt;");
        else if (text.at[0] == '>')
            buf_adds(out, "&gt;");
        else if (text.at[0] == '"')
            buf_adds(out, "&quot;");
        else if (text.at[0] == '\'')
            buf_adds(out, "&#39;");
        else
            buf_add(out, (struct str){text.at, n});
        text.at += n;
        text.len -= n;
    }
}

void page_begin(struct visit *v, const char *title, const char *current)
{
    (void)current;
    v->type = "text/html; charset=utf-8";
    buf_adds(&v->out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    html_text(str_from(title), &v->out);
    buf_adds(&v->out, " - Stint</title>\n</head>\n<body>\n<h1>");
    html_text(str_from(title), &v->out);
    buf_adds(&v->out, "</h1>\n");
}

void page_end(struct visit *v)
{
    buf_adds(&v->out, "</body>\n</html>\n");
}

void page_error(struct visit *v, const struct error *err)
{
    page_begin(v, "This did not work", "");
    buf_adds(&v->out, "<p>");
    html_text(str_from(err->text), &v->out);
    buf_adds(&v->out, "</p>\n");
    if (err->hint[0] != '\0') {
        buf_adds(&v->out, "<p>");
        html_text(str_from(err->hint), &v->out);
        buf_adds(&v->out, "</p>\n");
    }
    page_end(v);
}
