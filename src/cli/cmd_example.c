/* stint example */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/example.h"

static void print_example_list(const struct view *view, const struct example_result *res)
{
    static const struct column columns[] = {
        COLUMN("name", name),
        COLUMN("file", file),
        COLUMN("what it is", about, .shrink = true),
    };

    view_rows(view, &op_example, res, "examples", COLUMNS(columns));
    buf_adds(view->out,
             "\n'stint example NAME' writes one into this folder, --all writes all of them\n"
             "into the folder examples\n");
}

static void print_written(const struct view *view, const struct example_result *res)
{
    const struct example_row *rows = res->examples.at;

    for (size_t i = 0; i < res->examples.len; i++) {
        buf_adds(view->out, "wrote ");
        buf_add_safe(view->out, rows[i].path);
        if (res->examples.len == 1 && str_eq(rows[i].path, rows[i].file)) {
            buf_adds(view->out, "; try it: ");
            buf_add(view->out, rows[i].command);
        }
        buf_char(view->out, '\n');
    }
}

static void print_examples(const struct view *view, const void *result)
{
    const struct example_result *res = result;
    const struct example_row *first = res->examples.at;

    if (first->path.len == 0) {
        print_example_list(view, res);
    } else if (res->folder.len > 0) {
        buf_addf(view->out, "wrote %zu files to ", res->examples.len);
        buf_add_safe(view->out, res->folder);
        buf_char(view->out, '\n');
    } else {
        print_written(view, res);
    }
}

const struct command cmd_example = {
    .name = "example",
    .op = &op_example,
    .group = {"example files: jobs, configurations, a bill", CLI_SETUP, .first = true},
    .about = "Writes files to try Stint with into the current folder: jobs, configurations of "
             "training tools, a bill, traces of spot machines. They are part of the program. "
             "Without a name, lists them. Existing files are not replaced.",
    .examples = "stint example\n"
                "stint example lora\n"
                "stint example --all",
    .print = print_examples,
};
