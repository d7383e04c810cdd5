/* stint config */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/config.h"

static void print(const struct view *view, const void *result)
{
    static const struct table_column columns[] = {
        {.title = "setting"},  {.title = "value", .shrink = true},      {.title = "from"},
        {.title = "variable"}, {.title = "what it is", .shrink = true},
    };
    const struct config_show_result *res = result;
    const struct config_setting *settings = res->settings.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->settings.len; i++) {
        table_text(&t, settings[i].name);
        table_text(&t, settings[i].value.len > 0 ? settings[i].value : STR("-"));
        table_text(&t, settings[i].origin);
        table_text(&t, settings[i].env);
        table_text(&t, settings[i].help);
    }
    table_write(&t, &view->term, view->out);
    if (res->path.len == 0)
        buf_adds(view->out, "\nno configuration file: there is no home folder\n");
    else
        buf_addf(view->out, "\nconfiguration file: %s%s\n", res->path.at,
                 res->found ? "" : " (not there; 'stint init' writes it)");
}

const struct command cmd_config = {
    .name = "config",
    .op = &op_config_show,
    .about =
        "Every setting, its value, and what set it: the default, the configuration file, an\n"
        "environment variable or a flag.",
    .examples = "stint config --show\n"
                "STINT_COUNTRY=DE stint config --show",
    .print = print,
};
