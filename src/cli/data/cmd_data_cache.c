/* stint data cache */
#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/data/data_cache.h"

static bool is_of_command(const void *result)
{
    const struct cached_result *res = result;

    return res->outcome != CACHED_LISTED && res->outcome != CACHED_CLEARED;
}

static void print_entries(const struct view *view, const struct cached_result *res)
{
    static const struct column columns[] = {
        COLUMN("used (UTC)", used),
        COLUMN("took", duration),
        COLUMN("kept", kept),
        COLUMN("command", command, .shrink = true),
    };

    if (res->entries.len == 0) {
        buf_adds(view->out, "nothing is kept\n");
        return;
    }
    if (res->outcome == CACHED_CLEARED) {
        buf_addf(view->out, "%lld of %zu removed, ", (long long)res->removed, res->entries.len);
        bytes_write(res->kept, view->out);
        buf_char(view->out, '\n');
        return;
    }
    view_rows(view, &op_data_cache, res, "entries", COLUMNS(columns));
    buf_addf(view->out, "\n%zu command%s, ", res->entries.len,
             num_plural((int64_t)res->entries.len));
    bytes_write(res->kept, view->out);
    buf_char(view->out, '\n');
}

static void print_cache_outputs(const struct view *view, const struct cached_result *res)
{
    const struct cache_output *outputs = res->outputs.at;

    for (size_t i = 0; i < res->outputs.len; i++) {
        buf_adds(view->out, i > 0 ? ", " : "");
        buf_add_safe(view->out, outputs[i].path);
        buf_adds(view->out, " (");
        bytes_write(outputs[i].size, view->out);
        buf_char(view->out, ')');
    }
}

static void print_data_cache(const struct view *view, const void *result)
{
    static const char *const heads[] = {"kept ", "restored ", "unchanged: "};
    const struct cached_result *res = result;

    if (!is_of_command(result)) {
        print_entries(view, res);
        return;
    }
    if (res->outcome == CACHED_FAILED)
        return;
    buf_adds(view->out, "stint: ");
    buf_adds(view->out, heads[res->outcome]);
    print_cache_outputs(view, res);
    if (res->outcome == CACHED_RAN) {
        buf_adds(view->out, " for the next time: the command took ");
        span_write(res->duration, view->out);
    } else {
        buf_adds(view->out, ", in place of a command that took ");
        span_write(res->saved, view->out);
    }
    buf_char(view->out, '\n');
}

const struct command cmd_data_cache = {
    .name = "data cache",
    .op = &op_data_cache,
    .about =
        "Runs a command that makes files out of others, and keeps what it made. The next time "
        "its inputs, its arguments, the program, files among its arguments (scripts, "
        "configurations) and the variables of --env are the same, the outputs come from the "
        "cache. Contents are compared, not times. Its output and exit status pass through.\n"
        "Outputs that were there before, and did not come from the cache, stop it, unless "
        "--replace is given. When the command fails, they are as before. Files that changed "
        "meanwhile in the working folder and are no outputs are reported. What a script "
        "imports "
        "is an input that has to be named.",
    .examples =
        "stint data cache --input raw --output tokens -- python tokenize.py raw tokens\n"
        "stint data cache --input raw --output a.bin --output b.bin --env SEED -- ./prep\n"
        "stint data cache --list",
    .print = print_data_cache,
    .aside = is_of_command,
};
