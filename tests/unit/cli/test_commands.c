/* The table of commands: each prints its own operation; help finds groups and stages in order.
 * */
#include "test.h"

#include <string.h>

#include "cli/commands.h"
#include "op/op.h"

#define COMMAND(name, cli_file)
#define OPERATION(name, op_file, cli_file) extern const struct op op_##name;
#include "op/operations.def"
#undef OPERATION

static void each_command_has_the_operation_of_its_row(void **state)
{
    static const struct {
        const struct command *command;
        const struct op *op;
    } rows[] = {
#define OPERATION(name, op_file, cli_file) {&cmd_##name, &op_##name},
#include "op/operations.def"
    };

    (void)state;
    assert_int_equal(ARRAY_LEN(rows), op_count);
    for (size_t i = 0; i < op_count; i++) {
        assert_ptr_equal(rows[i].command->op, rows[i].op);
        assert_ptr_equal(op_table[i], rows[i].op);
    }
}

/* One that did not come after the others of its group would be missing from the group's help.
 * */
static void groups_are_together_and_begin_with_their_summary(void **state)
{
    (void)state;
    for (size_t i = 0; i < cli_command_count; i++) {
        struct str group = cli_group_name(cli_commands[i]);
        bool begins = i == 0 || !cli_in_group(cli_commands[i - 1], group);

        if (cli_begins_group(cli_commands[i]) != begins)
            fail_msg("%s: only the first command of a group has a summary of the group",
                     cli_commands[i]->name);
        if (begins && cli_find_group(group) != cli_commands[i])
            fail_msg("%s: its group began earlier", cli_commands[i]->name);
    }
}

/* "'stint price list' lists them": is "price list", or "price", a command? */
static bool names_a_command(const char *quoted)
{
    size_t end = strcspn(quoted, "'"), first = strcspn(quoted, " '");
    size_t second = first < end ? first + 1 + strcspn(quoted + first + 1, " '") : first;

    return cli_find((struct str){quoted, second}) != NULL ||
           cli_find((struct str){quoted, first}) != NULL;
}

static void other_words_lead_to_commands(void **state)
{
    (void)state;
    for (size_t i = 0; i < cli_other_word_count; i++) {
        const struct cli_other_word *w = &cli_other_words[i];
        struct str word = str_from(w->word);

        if (cli_find(word) != NULL || cli_find_group(word) != NULL)
            fail_msg("%s is a command", w->word);
        if (i > 0)
            assert_true(strcmp(cli_other_words[i - 1].word, w->word) < 0);
        assert_true(strstr(w->hint, "'stint ") != NULL ||
                    strstr(w->hint, "'%load_ext") != NULL);
        for (const char *at = w->hint; (at = strstr(at, "'stint ")) != NULL;) {
            at += strlen("'stint ");
            if (!names_a_command(at))
                fail_msg("%s: no command is named by '%s'", w->word, at);
        }
    }
}

static void stages_follow_each_other(void **state)
{
    enum cli_stage stage = CLI_BEFORE;
    size_t begun = 0;

    (void)state;
    for (size_t i = 0; i < cli_command_count; i++) {
        begun += cli_begins_stage(i);
        if (!cli_begins_group(cli_commands[i]))
            continue;
        assert_true(cli_commands[i]->group.stage >= stage);
        stage = cli_commands[i]->group.stage;
    }
    assert_int_equal(begun, CLI_STAGES);
}

int group_commands(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_command_has_the_operation_of_its_row),
        cmocka_unit_test(groups_are_together_and_begin_with_their_summary),
        cmocka_unit_test(other_words_lead_to_commands),
        cmocka_unit_test(stages_follow_each_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
