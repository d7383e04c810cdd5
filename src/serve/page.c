/* What pages are made of. */
#include "serve/page.h"

#include <stdarg.h>
#include <stdio.h>

#include "unit/shown.h"
#include "unit/time.h"

void html_text(struct str text, struct buf *out)
{
    while (text.len > 0) {
        size_t bad = str_unsafe(text), n = bad > 0 ? bad : str_character(text);

        if (bad > 0 && text.at[0] != '\n' && text.at[0] != '\t')
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

void html_element(struct buf *out, const char *open, struct str text, const char *close)
{
    buf_adds(out, open);
    html_text(text, out);
    buf_adds(out, close);
}

/* ---- texts ---- */

struct buf page_buf(struct visit *v)
{
    return buf_new(v->arena.alloc, SERVE_ANSWER);
}

struct str page_keep(struct visit *v, struct buf *text)
{
    struct error err = {0};
    struct str kept = {0};

    if (!buf_keep(text, &v->arena, &kept, &err))
        v->out.failed = ERROR_MEMORY;
    return kept;
}

struct str page_text(struct visit *v, const char *fmt, ...)
{
    struct buf text = page_buf(v);
    char brief[512];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(brief, sizeof brief, fmt, args);
    va_end(args);
    buf_adds(&text, brief);
    return page_keep(v, &text);
}

/* ---- the frame ---- */

/* The views, as the navigation names them; the letter follows `g` on the keyboard. */
static const struct view_link {
    const char *path, *title;
    char key;
    bool all; /* shows what belongs to no team: not for tokens of one */
} views[] = {
    {"/", "Overview", 'o', false},       {"/runs", "Runs", 'r', false},
    {"/plan", "Plan", 'p', false},       {"/prices", "Prices", 'm', false},
    {"/budgets", "Budgets", 'b', false}, {"/alerts", "Alerts", 'a', true},
    {"/bills", "Bills", 'i', true},      {"/allocation", "Allocation", 't', false},
    {"/advice", "Advice", 'd', true},
};

static void write_page_head(struct visit *v, struct str title, bool live)
{
    html_element(
        &v->out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
        title, " - Stint</title>\n");
    buf_addf(&v->out,
             "<link rel=\"icon\" href=\"data:,\">\n"
             "<link rel=\"stylesheet\" href=\"/style.css?v=%s\">\n"
             "<script src=\"/script.js?v=%s\" defer></script>\n"
             "</head>\n<body%s>\n",
             asset_version(), asset_version(), live ? " data-live=\"yes\"" : "");
}

static void write_navigation(struct visit *v, const char *current)
{
    buf_adds(&v->out, "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n"
                      "<div class=\"frame\">\n<header class=\"side\"><div>\n"
                      "<a class=\"brand\" href=\"/\">Stint</a>\n"
                      "<nav aria-label=\"Views\"><ul class=\"views\">\n");
    for (size_t i = 0; i < ARRAY_LEN(views); i++)
        if (!views[i].all || v->caller.team[0] == '\0')
            buf_addf(&v->out, "<li><a href=\"%s\" data-key=\"%c\"%s>%s</a></li>\n",
                     views[i].path, views[i].key,
                     str_eq(str_from(views[i].path), str_from(current))
                         ? " aria-current=\"page\""
                         : "",
                     views[i].title);
    buf_adds(&v->out, "</ul></nav>\n"
                      "<form class=\"search\" role=\"search\" action=\"/runs\">"
                      "<input type=\"search\" id=\"find\" name=\"name\" "
                      "placeholder=\"Find runs\" aria-label=\"Find runs\">"
                      "<button type=\"submit\" class=\"away\">Find</button></form>\n"
                      "<form method=\"post\" action=\"/sign-out\">"
                      "<button type=\"submit\" class=\"plain\">Sign out</button></form>\n"
                      "</div></header>\n");
}

/* When it was made: an answer that was kept may be older than the look at it. */
static void write_made(struct visit *v)
{
    struct buf at = buf_new(&alloc_system, 64);
    stamp now = v->ctx.clock->today(v->ctx.clock->ctx);

    stamp_write(now, &at);
    html_element(&v->out, "<p class=\"made\" id=\"made\" data-part>As of <time datetime=\"",
                 buf_text(&at), "\">");
    buf_clear(&at);
    value_time(now, true, &at);
    html_element(&v->out, "", buf_text(&at), " UTC</time></p>\n");
    buf_free(&at);
}

/* What a form has done, in the words of page_done()'s address. */
static void write_page_notice(struct visit *v)
{
    static const char *const words[][2] = {
        {"saved", "Saved."},
        {"removed", "Removed."},
        {"acknowledged", "Acknowledged."},
        {"sent", "The test message was accepted."},
        {"dismissed", "Dismissed: it is no longer shown."},
        {"restored", "Restored: it is shown again."},
    };
    struct str done = params_get(&v->params, "done");

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_eq(done, str_from(words[i][0])))
            buf_addf(&v->out, "<p class=\"remark success\" role=\"status\">%s</p>\n",
                     words[i][1]);
}

void page_begin(struct visit *v, struct str title, const char *current)
{
    v->type = "text/html; charset=utf-8";
    write_page_head(v, title, current != NULL);
    if (current != NULL)
        write_navigation(v, current);
    buf_addf(&v->out, "<main id=\"main\"%s>\n<div class=\"top\">\n",
             current == NULL ? " class=\"bare\"" : "");
    html_element(&v->out, "<h1>", title, "</h1>\n");
    if (current != NULL)
        write_made(v);
    buf_adds(&v->out, "</div>\n");
    write_page_notice(v);
}

static void write_notes(struct visit *v)
{
    buf_adds(&v->out, "<div id=\"notes\" data-part>\n");
    for (size_t i = 0; i < v->note_count; i++) {
        bool seen = false;

        for (size_t k = 0; k < i && !seen; k++)
            seen = str_eq(v->notes[k], v->notes[i]);
        if (!seen)
            page_remark(v, STYLE_PLAIN, v->notes[i]);
    }
    buf_adds(&v->out, "</div>\n");
}

static void end_frame(struct visit *v, bool framed)
{
    if (framed)
        write_notes(v);
    buf_adds(&v->out, "</main>\n");
    if (framed)
        buf_adds(&v->out, "</div>\n");
    buf_adds(&v->out, "</body>\n</html>\n");
}

/* "attachment; filename=\"runs.csv\"": ids of tables are words of ours. */
static bool send_csv(struct visit *v, struct error *err)
{
    struct str table = params_get(&v->params, "table");

    if (!v->csv_found)
        return error_fail(err, ERROR_ABSENT, "this page has no table '%.*s'", STR_ARG(table));
    v->type = "text/csv; charset=utf-8";
    v->file = page_text(v, "attachment; filename=\"%.*s.csv\"", STR_ARG(v->csv_name)).at;
    buf_clear(&v->out);
    buf_add(&v->out, v->csv);
    return true;
}

bool page_end(struct visit *v, struct error *err)
{
    if (str_eq(params_get(&v->params, "format"), STR("csv")))
        return send_csv(v, err);
    end_frame(v, true);
    return true;
}

void page_error(struct visit *v, const struct error *err)
{
    bool known = v->caller.scope > TOKEN_NONE;

    page_begin(v,
               v->status == 404   ? STR("Not found")
               : v->status == 403 ? STR("Not allowed")
                                  : STR("Request failed"),
               known ? "" : NULL);
    html_element(&v->out, "<p class=\"remark failure\" role=\"alert\">", str_from(err->text),
                 "</p>\n");
    if (err->hint[0] != '\0')
        html_element(&v->out, "<p>", str_from(err->hint), "</p>\n");
    buf_adds(&v->out, known ? "<p><a href=\"/\">Overview</a></p>\n"
                            : "<p><a href=\"/sign-in\">Sign in</a></p>\n");
    end_frame(v, known);
}

bool page_done(struct visit *v, const char *path, struct error *err)
{
    (void)err;
    cache_changed(v->server->cache);
    v->status = 303;
    v->location = path;
    v->type = "text/plain; charset=utf-8";
    buf_clear(&v->out);
    return true;
}

/* ---- parts ---- */

void page_section(struct visit *v, const char *id, struct str title, bool both)
{
    buf_addf(&v->out, "<section id=\"%s\" class=\"card%s\" data-part>\n", id,
             both ? " wide-card" : "");
    if (title.len > 0)
        html_element(&v->out, "<header><h2>", title, "</h2></header>\n");
}

void page_section_end(struct visit *v)
{
    buf_adds(&v->out, "</section>\n");
}

void page_cards(struct visit *v)
{
    buf_adds(&v->out, "<div class=\"cards\">\n");
}

void page_cards_end(struct visit *v)
{
    buf_adds(&v->out, "</div>\n");
}

void page_remark(struct visit *v, enum term_style style, struct str text)
{
    static const char *const remarks[] = {[STYLE_PLAIN] = "",
                                          [STYLE_GOOD] = " success",
                                          [STYLE_WARN] = " warning",
                                          [STYLE_BAD] = " failure"};

    buf_addf(&v->out, "<p class=\"remark%s\">", remarks[style]);
    html_text(text, &v->out);
    buf_adds(&v->out, "</p>\n");
}

void page_fact(struct visit *v, const struct page_fact *f)
{
    html_element(&v->out, "<div><dt>", str_from(f->label), "</dt>");
    buf_addf(&v->out, "<dd class=\"value%s%s\">", f->style == STYLE_PLAIN ? "" : " ",
             page_style_class(f->style));
    if (f->link != NULL)
        html_element(&v->out, "<a href=\"", str_from(f->link), "\">");
    html_text(f->value.len > 0 ? f->value : STR("unknown"), &v->out);
    buf_adds(&v->out, f->link != NULL ? "</a></dd>" : "</dd>");
    if (f->note.len > 0)
        html_element(&v->out, "<dd class=\"how\">", f->note, "</dd>");
    buf_adds(&v->out, "</div>\n");
}

void page_facts(struct visit *v, const char *id, const struct page_fact *facts, size_t count)
{
    buf_addf(&v->out, "<dl class=\"tiles\" id=\"%s\" data-part>\n", id);
    for (size_t i = 0; i < count; i++)
        page_fact(v, &facts[i]);
    buf_adds(&v->out, "</dl>\n");
}

/* ---- figures ---- */

void page_figure(struct visit *v, const struct figure *figure, struct str caption)
{
    buf_adds(&v->out, "<figure>\n");
    figure_svg_inline(figure, false, &v->out);
    if (caption.len > 0)
        html_element(&v->out, "<figcaption>", caption, "</figcaption>\n");
    buf_adds(&v->out, "</figure>\n");
}

void page_figures(struct visit *v)
{
    buf_adds(&v->out, "<div class=\"figures\">\n");
}

void page_figure_beside(struct visit *v, const struct figure *figure)
{
    buf_adds(&v->out, "<figure>\n");
    figure_svg_inline(figure, true, &v->out);
    buf_adds(&v->out, "</figure>\n");
}

void page_figures_end(struct visit *v)
{
    buf_adds(&v->out, "</div>\n");
}

/* ---- forms ---- */

void page_form(struct visit *v, const char *action)
{
    html_element(&v->out, "<form method=\"post\" action=\"", str_from(action),
                 "\">\n<div class=\"fields\">\n");
}

void page_form_end(struct visit *v, const char *button)
{
    buf_addf(&v->out, "</div>\n<button type=\"submit\" class=\"main\">%s</button>\n</form>\n",
             button);
}

static void write_choices(struct visit *v, const struct page_field *f)
{
    buf_addf(&v->out, "<select id=\"f-%s\" name=\"%s\">", f->name, f->name);
    if (f->any != NULL)
        buf_addf(&v->out, "<option value=\"\">%s</option>", f->any);
    for (size_t i = 0; f->choices[i] != NULL; i++) {
        bool chosen = str_eq(f->value, str_from(f->choices[i]));

        html_element(&v->out, "<option value=\"", str_from(f->choices[i]), "\"");
        html_element(&v->out, chosen ? " selected>" : ">", str_from(f->choices[i]),
                     "</option>");
    }
    buf_adds(&v->out, "</select>");
}

void page_field(struct visit *v, const struct page_field *f)
{
    buf_addf(&v->out, "<div><label for=\"f-%s\">%s</label>\n", f->name, f->label);
    if (f->choices != NULL) {
        write_choices(v, f);
    } else {
        buf_addf(&v->out, "<input type=\"text\" id=\"f-%s\" name=\"%s\"%s", f->name, f->name,
                 f->required ? " required" : "");
        if (f->placeholder != NULL)
            html_element(&v->out, " placeholder=\"", str_from(f->placeholder), "\"");
        html_element(&v->out, " value=\"", f->value, "\">");
    }
    if (f->hint != NULL)
        html_element(&v->out, "<p class=\"hint\">", str_from(f->hint), "</p>");
    buf_adds(&v->out, "</div>\n");
}

void page_hidden(struct visit *v, const char *name, struct str value)
{
    buf_addf(&v->out, "<input type=\"hidden\" name=\"%s\"", name);
    html_element(&v->out, " value=\"", value, "\">\n");
}
