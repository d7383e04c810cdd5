/* Whose costs are whose: the allocation policy, and the statement of each team. */
#include "op/account/allocation.h"
#include "op/account/statement.h"
#include "serve/view.h"

static void write_policy_form(struct visit *v)
{
    static const struct column columns[] = {
        COLUMN("rule", kind),
        COLUMN("line", line, .optional = true),
        COLUMN("name", name, .unknown = ""),
        COLUMN("rule", text, .unknown = ""),
    };
    struct allocation_request req;
    const struct allocation_result *res = NULL;
    struct error err = {0};

    page_section(v, "policy", STR("Policy"), true);
    if (view_request(v, &op_allocation_show, &req, &err))
        res = view_try(v, &op_allocation_show, &req);
    if (res != NULL && res->none)
        buf_adds(&v->out, "<p class=\"sub\">There is no policy: <code>stint allocation set "
                          "FILE</code> sets one.</p>\n");
    else if (res != NULL)
        page_table(
            v, &(struct page_table){.id = "policy",
                                    .caption = STR("Set from a file"),
                                    .columns = COLUMNS(columns),
                                    .rows = field_rows(op_allocation_show.result, "rows", res),
                                    .none = "It has no rules."});
    page_section_end(v);
}

static void write_month_form(struct visit *v, struct str month)
{
    buf_adds(&v->out, "<form action=\"/allocation\" data-swap><div class=\"row\">\n");
    page_field(
        v, &(struct page_field){
               .name = "month", .label = "Month", .placeholder = "2026-10", .value = month});
    buf_adds(&v->out, "<div><button type=\"submit\">Show</button></div>\n</div></form>\n");
}

static void write_statement_lines(struct visit *v, const struct statement *s, size_t number)
{
    static const struct column columns[] = {
        COLUMN("section", section),
        COLUMN("item", item, .unknown = ""),
        COLUMN("project", project, .unknown = "", .optional = true),
        COLUMN("amount", amount),
        COLUMN("before", before),
        COLUMN("change", change, .form = COLUMN_CHANGE),
    };

    buf_adds(&v->out, "<details>\n");
    html_element(&v->out, "<summary><bdi>", s->who.len > 0 ? s->who : STR("(none)"),
                 "</bdi>: ");
    html_element(&v->out, "", page_money(v, &s->total), "</summary>\n");
    page_table(
        v, &(struct page_table){.id = page_text(v, "lines-%zu", number).at,
                                .caption = page_text(v, "Statement %.*s", STR_ARG(s->number)),
                                .columns = COLUMNS(columns),
                                .rows = {&statement_line_fields, s->lines.at, s->lines.len},
                                .sorted = true});
    buf_adds(&v->out, "</details>\n");
}

static void write_statements(struct visit *v, const struct statement_result *res)
{
    static const struct column columns[] = {
        COLUMN("team", tag_value, .unknown = "(none)"),
        COLUMN("total", total),
        COLUMN("before", before),
        COLUMN("change", change, .form = COLUMN_CHANGE),
        COLUMN("not billed yet", metered, .zero_unknown = true, .unknown = "", .if_any = true),
        COLUMN("number", number),
    };
    const struct statement *all = res->set.statements.at;

    page_section(v, "statements", page_text(v, "Statements of %.*s", STR_ARG(res->set.month)),
                 true);
    page_table(
        v, &(struct page_table){.id = "statements",
                                .caption = page_text(v,
                                                     "Own costs, shared and recurring ones; "
                                                     "before: %.*s",
                                                     STR_ARG(res->set.before)),
                                .columns = COLUMNS(columns),
                                .rows = field_rows(op_statement.result, "statements", res),
                                .none = "Nothing was spent."});
    for (size_t i = 0; i < res->set.statements.len && i < 200; i++)
        write_statement_lines(v, &all[i], i + 1);
    page_section_end(v);
}

bool view_allocation(struct visit *v, struct error *err)
{
    static const char *const names[] = {"month", NULL};
    struct statement_request req;
    const struct statement_result *res;
    struct str month = params_get(&v->params, "month");

    if (!view_read(v, &op_statement, names, &req, err))
        return false;
    if (req.month.len == 0)
        req.month = month = view_month(v);
    page_begin(v, STR("Allocation"), "/allocation");
    write_month_form(v, month);
    res = view_try(v, &op_statement, &req);
    if (res != NULL)
        write_statements(v, res);
    if (v->caller.team[0] == '\0') /* the policy names others */
        write_policy_form(v);
    return page_end(v, err);
}
