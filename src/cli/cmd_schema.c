/* stint schema */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/schema.h"

static void print_schemas(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("operation", name),
        COLUMN("result", schema),
        COLUMN("over HTTP", remote),
        COLUMN("what it does", summary, .shrink = true),
    };
    const struct schema_result *res = result;
    const struct schema_row *first = res->operations.at;

    if (res->folder.len > 0) {
        buf_addf(view->out, "%zu files written to ", 2 * res->operations.len);
        buf_add_safe(view->out, res->folder);
        buf_char(view->out, '\n');
    } else if (res->operations.len == 1) {
        buf_add(view->out, first->request);
        buf_char(view->out, '\n');
        buf_add(view->out, first->result);
        buf_char(view->out, '\n');
    } else {
        view_rows(view, &op_schema, res, "operations", COLUMNS(columns));
        buf_addf(view->out,
                 "\n%zu operations; 'stint schema OPERATION' prints the JSON Schema of "
                 "its request and of its result\n",
                 res->operations.len);
    }
}

const struct command cmd_schema = {
    .name = "schema",
    .op = &op_schema,
    .group = {"requests and results of operations, as JSON Schema", .stage = CLI_SETUP},
    .about = "Lists the operations of the library, which are those of the command line, or "
             "describes one of them: one line with the JSON Schema of its request, one with "
             "that of its result (the output of --json). Requests have a key for each option, "
             "with values as they are typed.",
    .examples = "stint schema\n"
                "stint schema price.compare\n"
                "stint schema -o schemas",
    .print = print_schemas,
};
