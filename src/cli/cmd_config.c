/* stint config */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/config.h"

static void print_settings(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("setting", name),
        COLUMN("value", value, .shrink = true),
        COLUMN("from", origin),
        COLUMN("variable", env),
        COLUMN("what it is", help, .shrink = true),
    };
    const struct config_show_result *res = result;

    view_rows(view, &op_config_show, res, "settings", COLUMNS(columns));
    if (res->path.len == 0)
        buf_adds(view->out, "\nno configuration file: there is no home folder\n");
    else
        buf_addf(view->out, "\nconfiguration file: %s%s\n", res->path.at,
                 res->found ? "" : " (not there; 'stint init' writes it)");
}

const struct command cmd_config_show = {
    .name = "config",
    .op = &op_config_show,
    .group = {"every setting, its value and its source", .stage = CLI_SETUP},
    .about = "Shows every setting, its value, and its source: the default, the configuration "
             "file, an environment variable or a flag.",
    .examples = "stint config --show\n"
                "STINT_COUNTRY=DE stint config --show",
    .print = print_settings,
};
