/* What to change, and what it saves; findings are dismissed and restored. */
#include "op/advise/advise.h"
#include "serve/view.h"

static void write_decide(struct visit *v, const void *row)
{
    const struct finding *f = row;
    bool dismissed = f->state == FINDING_DISMISSED;

    buf_addf(&v->out, "<form method=\"post\" action=\"/advice/%s\">",
             dismissed ? "restore" : "dismiss");
    page_hidden(v, "id", str_from(f->id));
    buf_addf(&v->out, "<button type=\"submit\" aria-label=\"%s ",
             dismissed ? "Restore" : "Dismiss");
    html_element(&v->out, "", f->title,
                 dismissed ? "\">Restore</button></form>" : "\">Dismiss</button></form>");
}

static void write_how(struct visit *v, const void *row)
{
    const struct finding *f = row;

    if (f->evidence.len > 0)
        html_element(&v->out, "<div class=\"below\">", f->evidence, "</div>");
    if (f->action.len > 0)
        html_element(&v->out, "<div class=\"below\"><code>", f->action, "</code></div>");
}

static enum term_style style_of_finding(const void *row)
{
    return ((const struct finding *)row)->state == FINDING_DISMISSED ? STYLE_DIM : STYLE_PLAIN;
}

static void write_advice_total(struct visit *v, const struct advise_result *a)
{
    struct str saving = page_estimate(v, a->total.saving);
    struct page_fact facts[] = {
        {.label = "Can be saved",
         .value = saving,
         .note = page_text(v, "a %.*s, by %lld findings together", STR_ARG(a->per),
                           (long long)a->total.findings),
         .style = STYLE_GOOD},
        {.label = "Of",
         .value = page_estimate(v, a->total.spent),
         .note = page_text(v, "%lld runs", (long long)a->runs)},
        {.label = "Share", .value = page_share(v, a->total.share)},
    };

    buf_adds(&v->out, "<dl class=\"tiles\">\n");
    for (size_t i = 0; i < ARRAY_LEN(facts); i++)
        page_fact(v, &facts[i]);
    buf_adds(&v->out, "</dl>\n");
}

static void write_advice_findings(struct visit *v, bool decide)
{
    static const struct column columns[] = {
        COLUMN("what to change", title),
        COLUMN("where", subject, .optional = true),
        COLUMN("savings", savings, .form = COLUMN_ESTIMATE),
        COLUMN("from", savings_low, .form = COLUMN_ESTIMATE, .style = STYLE_DIM,
               .optional = true),
        COLUMN("to", savings_high, .form = COLUMN_ESTIMATE, .style = STYLE_DIM,
               .optional = true),
        COLUMN("effort", effort, .optional = true),
        COLUMN("risk", risk, .optional = true),
    };
    static const struct column file[] = {
        COLUMN("", id),      COLUMN("", title),       COLUMN("", subject),
        COLUMN("", savings), COLUMN("", savings_low), COLUMN("", savings_high),
        COLUMN("", effort),  COLUMN("", risk),        COLUMN("", evidence),
        COLUMN("", action),  COLUMN("", method),      COLUMN("", state),
    };
    struct advise_request req;
    const struct advise_result *a = NULL;
    struct error err = {0};

    if (view_request(v, &op_advise, &req, &err)) {
        req.filter.all = true;
        a = view_try(v, &op_advise, &req);
    }
    if (a == NULL)
        return;
    write_advice_total(v, a);
    page_table(v, &(struct page_table){.id = "findings",
                                       .caption = STR("The largest saving first; savings "
                                                      "overlap, so they do not add up"),
                                       .columns = COLUMNS(columns, .style = style_of_finding),
                                       .file = COLUMNS(file),
                                       .below = write_how,
                                       .rows = field_rows(op_advise.result, "findings", a),
                                       .none = "Nothing found that saves much for certain.",
                                       .actions = decide ? write_decide : NULL,
                                       .sorted = true});
    if (a->possible.len > 0)
        page_table(v,
                   &(struct page_table){.id = "possible",
                                        .caption = STR("May save nothing: not in the total"),
                                        .columns = COLUMNS(columns, .style = style_of_finding),
                                        .file = COLUMNS(file),
                                        .below = write_how,
                                        .rows = field_rows(op_advise.result, "possible", a),
                                        .actions = decide ? write_decide : NULL,
                                        .sorted = true});
    for (size_t i = 0; i < a->notes.len; i++)
        html_element(&v->out, "<p class=\"sub\">", a->notes.at[i], "</p>\n");
}

static void write_for_readers(struct visit *v)
{
    write_advice_findings(v, false);
}

static void write_for_writers(struct visit *v)
{
    write_advice_findings(v, true);
}

static const struct page_part advice_parts[] = {
    {"/advice", write_for_readers, {600 * SECOND}, PAGE_BEING_COMPUTED},
    {"/advice", write_for_writers, {600 * SECOND}, PAGE_BEING_COMPUTED}};

bool view_advice(struct visit *v, struct error *err)
{
    const struct page_part *part = &advice_parts[v->caller.scope >= TOKEN_WRITE];

    page_begin(v, STR("Advice"), "/advice");
    page_parts_begin(v, part, 1);
    page_section(v, "list", STR(""), true);
    page_part(v, part);
    page_section_end(v);
    return page_end(v, err);
}

bool advice_dismiss(struct visit *v, struct error *err)
{
    static const char *const names[] = {"id", "reason", NULL};

    return view_do(v, &op_advise_dismiss, names, "/advice?done=dismissed", err);
}

bool advice_restore(struct visit *v, struct error *err)
{
    static const char *const names[] = {"id", NULL};

    return view_do(v, &op_advise_restore, names, "/advice?done=restored", err);
}
