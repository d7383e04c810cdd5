/* Completion scripts for bash, zsh and fish, from the same tables as --help. */
#include <string.h>

#include "cli/cli.h"
#include "op/op.h"

static void option_words(const struct field_set *set, struct buf *out)
{
    for (size_t i = 0; i < set->len; i++)
        if (!set->at[i].operand) {
            buf_char(out, ' ');
            cli_option_name(&set->at[i], false, out);
        }
}

/* What may follow an option that takes a value: its choices, or nothing that we know (so that
 * the shell offers files). As `case` branches, for bash and zsh. */
static void value_cases(const struct field_set *set, const char *command, struct buf *out)
{
    for (size_t i = 0; i < set->len; i++) {
        if (set->at[i].operand || set->at[i].type == FIELD_FLAG)
            continue;
        buf_addf(out, "    '%s ", command);
        cli_option_name(&set->at[i], false, out);
        buf_adds(out, "') echo '");
        cli_choices(&set->at[i], " ", out);
        buf_adds(out, "'; return ;;\n");
    }
}

static void first_words(struct buf *out)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (cli_begins_group(cli_commands[i]))
            buf_addf(out, "%.*s ", STR_ARG(cli_group_name(cli_commands[i])));
    buf_adds(out, "help completion call --help --version");
}

static void operation_names(struct buf *out)
{
    for (size_t i = 0; i < op_count; i++)
        buf_addf(out, "%s%s", i > 0 ? " " : "", op_table[i]->name);
}

static void all_options(const struct command *command, struct buf *out)
{
    option_words(command->op->request, out);
    option_words(&cli_global_fields, out);
}

/* The second words of a group's commands; where a command has the group's name, its options
 * too. */
static void write_group_words(struct str group, struct buf *out)
{
    const struct command *leader = cli_find(group);
    bool any = false;

    for (size_t i = 0; i < cli_command_count; i++) {
        struct str rest = str_from(cli_commands[i]->name), first = str_cut(&rest, ' ');

        if (!str_eq(first, group) || rest.len == 0)
            continue;
        if (!any)
            buf_addf(out, "    '%.*s') echo '", STR_ARG(group));
        buf_addf(out, "%s%.*s", any ? " " : "", STR_ARG(rest));
        any = true;
    }
    if (any && leader != NULL)
        all_options(leader, out);
    if (any)
        buf_adds(out, "' ;;\n");
}

static void second_words(struct buf *out)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (cli_begins_group(cli_commands[i]))
            write_group_words(cli_group_name(cli_commands[i]), out);
    buf_adds(out, "    call) echo '");
    operation_names(out);
    buf_adds(out, "' ;;\n    completion) echo 'bash zsh fish' ;;\n    help) echo '--all ");
    first_words(out);
    buf_adds(out, "' ;;\n");
}

static void write_command_words(struct buf *out)
{
    for (size_t i = 0; i < cli_command_count; i++) {
        if (cli_leads_group(cli_commands[i]))
            continue;
        buf_addf(out, "    '%s') echo '", cli_commands[i]->name);
        all_options(cli_commands[i], out);
        buf_adds(out, "' ;;\n");
    }
}

/* One function in the shell language that bash and zsh share: from the words typed so far to
 * the words that may come next. The command is the longest one that the words start with. */
static void word_function(struct buf *out)
{
    buf_adds(out, "_stint_words() { # $1: the words before the one being typed\n"
                  "  local command=$1\n"
                  "  case \"$1 \" in\n");
    for (int groups = 0; groups < 2; groups++)
        for (size_t i = 0; i < cli_command_count; i++)
            if (cli_leads_group(cli_commands[i]) == (groups == 1))
                buf_addf(out, "    '%s '*) command='%s' ;;\n", cli_commands[i]->name,
                         cli_commands[i]->name);
    buf_adds(out, "  esac\n  case \"$command ${1##* }\" in\n");
    for (size_t i = 0; i < cli_command_count; i++) {
        value_cases(cli_commands[i]->op->request, cli_commands[i]->name, out);
        value_cases(&cli_global_fields, cli_commands[i]->name, out);
    }
    buf_adds(out, "  esac\n  case \"$command\" in\n    '') echo '");
    first_words(out);
    buf_adds(out, "' ;;\n");
    second_words(out);
    write_command_words(out);
    buf_adds(out, "  esac\n}\n");
}

static void bash_script(struct buf *out)
{
    buf_adds(out, "# bash completion for stint; made by 'stint completion bash'\n");
    word_function(out);
    buf_adds(out, "_stint() {\n"
                  "  local current=${COMP_WORDS[COMP_CWORD]}\n"
                  "  local before=\"${COMP_WORDS[*]:1:COMP_CWORD-1}\"\n"
                  "  mapfile -t COMPREPLY < <(compgen -W \"$(_stint_words \"$before\")\" -- "
                  "\"$current\")\n"
                  "}\n"
                  "complete -o default -F _stint stint\n");
}

static void zsh_script(struct buf *out)
{
    buf_adds(out,
             "#compdef stint\n# zsh completion for stint; made by 'stint completion zsh'\n");
    word_function(out);
    buf_adds(
        out,
        "_stint() {\n"
        "  local before=\"${(j: :)words[2,CURRENT-1]}\"\n"
        "  local -a next\n"
        "  next=(${=\"$(_stint_words \"$before\")\"})\n"
        "  compadd -- $next || _files\n"
        "}\n"
        "if [ \"$funcstack[1]\" = _stint ]; then _stint \"$@\"; else compdef _stint stint; "
        "fi\n");
}

/* Options of "plan" are not those of "plan slots". */
static void fish_condition(const struct command *command, struct buf *out)
{
    buf_addf(out, "-n '__stint_in %s", command->name);
    for (size_t i = 0; i < cli_command_count; i++)
        if (cli_commands[i] != command &&
            cli_in_group(cli_commands[i], str_from(command->name)))
            buf_addf(out, "; and not __stint_in %s", cli_commands[i]->name);
    buf_char(out, '\'');
}

/* The rest of a line: what a command or an option does. Help quotes with ', which is left. */
static void fish_text(const char *text, struct buf *out)
{
    buf_adds(out, " -d \"");
    for (const char *c = text; *c != '\0'; c++)
        if (*c != '"' && *c != '$')
            buf_char(out, *c);
    buf_adds(out, "\"\n");
}

static void fish_option(const struct field *field, const struct command *command,
                        struct buf *out)
{
    buf_adds(out, "complete -c stint ");
    if (command != NULL)
        fish_condition(command, out);
    buf_adds(out, " -l ");
    cli_option_word(field, out);
    if (field->type != FIELD_FLAG)
        buf_adds(out, " -r");
    if (field_choice(field, 0) != NULL) {
        buf_adds(out, " -a '");
        cli_choices(field, " ", out);
        buf_char(out, '\'');
    }
    fish_text(field->help, out);
}

static void fish_script(struct buf *out)
{
    buf_adds(out, "# fish completion for stint; made by 'stint completion fish'\n"
                  "function __stint_after # are the words so far those given?\n"
                  "  set -l words (commandline -opc)\n"
                  "  test \"$words[2..]\" = \"$argv\"\n"
                  "end\n"
                  "function __stint_in # do the words so far start with those given?\n"
                  "  set -l words (commandline -opc)\n"
                  "  string match -q -- \"$argv*\" \"$words[2..]\"\n"
                  "end\n"
                  "complete -c stint -n '__stint_after' -f -a '");
    first_words(out);
    buf_adds(out, "'\ncomplete -c stint -n '__stint_after call' -f -a '");
    operation_names(out);
    buf_adds(out, "'\n");
    for (size_t i = 0; i < cli_command_count; i++) {
        const struct field_set *set = cli_commands[i]->op->request;
        struct str rest = str_from(cli_commands[i]->name), group = str_cut(&rest, ' ');

        if (rest.len > 0) {
            buf_addf(out, "complete -c stint -n '__stint_after %.*s' -f -a %.*s",
                     STR_ARG(group), STR_ARG(rest));
            fish_text(cli_commands[i]->op->summary, out);
        }
        for (size_t f = 0; f < set->len; f++)
            if (!set->at[f].operand)
                fish_option(&set->at[f], cli_commands[i], out);
    }
    for (size_t i = 0; i < cli_global_fields.len; i++)
        fish_option(&cli_global_fields.at[i], NULL, out);
}

bool cli_completion(struct str shell, struct buf *out, struct error *err)
{
    if (str_eq(shell, STR("bash"))) {
        bash_script(out);
    } else if (str_eq(shell, STR("zsh"))) {
        zsh_script(out);
    } else if (str_eq(shell, STR("fish"))) {
        fish_script(out);
    } else {
        error_set(err, ERROR_USAGE, "there is no completion for '%.*s'", STR_ARG(shell));
        error_hint(err, "stint completion bash, zsh or fish");
        return false;
    }
    return true;
}
