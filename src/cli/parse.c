/* From words to a filled-in request. */
#include <string.h>

#include "cli/cli.h"
#include "op/job_source.h"
#include "op/op.h"

static const struct field global_fields[] = {
    FIELD(FLAG, cli_globals, json, .help = "print the result as JSON"),
    FIELD(FLAG, cli_globals, help, .help = "explain the command"),
    FIELD(TEXT, cli_globals, config, .value = "FILE", .help = "configuration file to read"),
    FIELD(TEXT, cli_globals, catalog, .value = "DIR",
          .help = "folder of your own facts and prices"),
    FIELD(TEXT, cli_globals, prices, .value = "DIR",
          .help = "folder of fetched and imported prices"),
    FIELD(TEXT, cli_globals, ledger, .value = "FILE",
          .help = "ledger of runs and bills: a file, or postgres://HOST/DB"),
    FIELD(TEXT, cli_globals, log, .value = "FILE", .help = "write a log to FILE"),
};

const struct field_set cli_global_fields = FIELD_SET(struct cli_globals, global_fields);

struct parser {
    int argc, at;
    char **argv;
    struct arena *arena;
    struct cli_line *line;
    size_t operands;             /* given so far */
    bool all_operands;           /* what follows belongs to a command that is to be run */
    bool given[CLI_MAX_OPTIONS]; /* by field of the request */
};

#define LONG_WORD 6 /* letters, from which on two that are wrong are a typing mistake */

/* The other word that was typed; NULL: it is none. */
static const char *hint_of_word(struct str typed)
{
    struct str word = str_cut(&typed, ' ');

    for (size_t i = 0; i < cli_other_word_count; i++)
        if (str_eq_nocase(str_from(cli_other_words[i].word), word))
            return cli_other_words[i].hint;
    return NULL;
}

/* The other word that is nearer to what was typed than the nearest command; NULL: none. */
static const char *hint_of_other_word(struct str typed, const struct suggestion *command)
{
    struct suggestion s = {.wanted = str_cut(&typed, ' ')};
    const char *hint = NULL;

    for (size_t i = 0; i < cli_other_word_count; i++) {
        struct str word = str_from(cli_other_words[i].word), before = s.best;

        if (typed.len == 0) /* not the second word of a group */
            suggestion_try(&s, word);
        if (!str_eq(s.best, before))
            hint = cli_other_words[i].hint;
    }
    if (s.distance > 1 && s.wanted.len < LONG_WORD)
        return NULL;
    return command->best.len == 0 || s.distance < command->distance ? hint : NULL;
}

#define MEMBERS_MOST 2 /* commands that are named; more have a word that says little */

/* The commands of groups whose second word was typed alone: "sync" is "data sync". */
static bool hint_of_member(struct str typed, struct error *err)
{
    const char *found[MEMBERS_MOST];
    size_t count = 0;

    for (size_t i = 0; i < cli_command_count; i++) {
        struct str second = str_from(cli_commands[i]->name);

        (void)str_cut(&second, ' ');
        if (second.len == 0 || !str_eq_nocase(second, typed))
            continue;
        if (count == MEMBERS_MOST)
            return false;
        found[count++] = cli_commands[i]->name;
    }
    if (count == 1)
        error_hint(err, "did you mean 'stint %s'?", found[0]);
    else if (count == 2)
        error_hint(err, "did you mean 'stint %s' or 'stint %s'?", found[0], found[1]);
    return count > 0;
}

bool cli_unknown_command(struct str typed, struct error *err)
{
    struct suggestion s = {.wanted = typed};
    const char *hint;

    for (size_t i = 0; i < cli_command_count; i++)
        suggestion_try(&s, str_from(cli_commands[i]->name));
    for (size_t i = 0; i < cli_command_count; i++)
        if (cli_begins_group(cli_commands[i]))
            suggestion_try(&s, cli_group_name(cli_commands[i]));
    suggestion_try(&s, STR("help"));
    suggestion_try(&s, STR("completion"));
    error_set(err, ERROR_USAGE, "there is no command '%.*s'", STR_ARG(typed));
    hint = hint_of_word(typed);
    if (hint == NULL && hint_of_member(typed, err))
        return false;
    if (hint == NULL)
        hint = hint_of_other_word(typed, &s);
    if (hint != NULL)
        error_hint(err, "%s", hint);
    else if (s.best.len > 0)
        error_hint(err, "did you mean 'stint %.*s'?", STR_ARG(s.best));
    else
        error_hint(err, "'stint help --all' lists the commands");
    return false;
}

/* `count` words from `at` on, joined by blanks. */
static bool join_words(const struct parser *p, int at, int count, struct str *out,
                       struct error *err)
{
    struct buf text = buf_new(p->arena->alloc, 4096);
    bool ok;

    for (int i = at; i < at + count; i++) {
        buf_adds(&text, i > at ? " " : "");
        buf_adds(&text, p->argv[i]);
    }
    *out = (struct str){NULL, text.len};
    ok = buf_ok(&text, err) && (out->at = str_dup(buf_text(&text), p->arena, err)) != NULL;
    buf_free(&text);
    return ok;
}

static int words_at(const struct parser *p, int at)
{
    int count = 0;

    while (at + count < p->argc && p->argv[at + count][0] != '-')
        count++;
    return count;
}

/* Recognize "price list" or "init" and step over it. A group alone asks for its help. */
static bool parse_command(struct parser *p, struct error *err)
{
    int words = words_at(p, p->at);
    const struct command *group;
    struct str typed;

    for (int take = words < 2 ? words : 2; take > 0; take--) {
        struct str name;

        if (!join_words(p, p->at, take, &name, err))
            return false;
        p->line->command = cli_find(name);
        if (p->line->command != NULL) {
            p->at += take;
            return true;
        }
        if (words == 1 && cli_find_group(name) != NULL) {
            p->line->help_for = name;
            p->at++;
            return true;
        }
    }
    /* Of a known group, the second word is the wrong one: name both. */
    group = cli_find_group(str_from(p->argv[p->at]));
    return join_words(p, p->at, group != NULL ? 2 : 1, &typed, err) &&
           cli_unknown_command(typed, err);
}

/* A field's name as it is typed. */
static void with_hyphens(char *name)
{
    for (; *name != '\0'; name++)
        *name = *name == '_' ? '-' : *name;
}

static void suggest_fields(struct suggestion *s, const struct field_set *set)
{
    for (size_t i = 0; i < set->len; i++)
        if (!set->at[i].operand)
            suggestion_try(s, str_from(set->at[i].name));
}

/* The option of the command that does what the typed name does elsewhere; NULL: none. */
static const char *other_option(const struct field_set *set, struct str typed)
{
    for (size_t i = 0; i < cli_other_option_count; i++) {
        struct str word = str_from(cli_other_options[i].word);
        bool same = word.len == typed.len;

        for (size_t k = 0; same && k < word.len; k++)
            same = word.at[k] == (typed.at[k] == '-' ? '_' : typed.at[k]);
        if (same && field_find(set, str_from(cli_other_options[i].hint)) != NULL)
            return cli_other_options[i].hint;
    }
    return NULL;
}

/* What the command takes without an option: "--offer X" of 'stint spot risk X'. */
static bool hint_of_first_word(const struct command *command, struct str typed,
                               struct error *err)
{
    const char *other = other_option(command->op->request, typed);
    const struct field *field =
        field_find(command->op->request, other != NULL ? str_from(other) : typed);

    if (field == NULL || !field->operand)
        return false;
    error_hint(err, "write it without an option: 'stint %s %s'", command->name,
               field->value != NULL ? field->value : "...");
    return true;
}

/* A key of the job file, where --set takes any. */
static bool hint_of_job_key(const struct command *command, struct str typed, struct error *err)
{
    const struct field *set = field_find(command->op->request, STR("set"));
    char key[80];

    if (set == NULL || !op_job_key(typed, key, sizeof key))
        return false;
    error_hint(err, "did you mean '--set %s=...'?", key);
    return true;
}

static bool unknown_option(const struct command *command, struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};
    char typed[80];

    if (command != NULL) {
        suggest_fields(&s, command->op->request);
        error_set(err, ERROR_USAGE, "%s has no option '--%.*s'", command->name, STR_ARG(name));
        error_hint(err, "'stint %s --help' lists the options", command->name);
    } else {
        error_set(err, ERROR_USAGE, "there is no option '--%.*s'", STR_ARG(name));
        error_hint(err, "'stint --help' lists the options");
    }
    suggest_fields(&s, &cli_global_fields);
    if (command != NULL && hint_of_first_word(command, name, err))
        return false;
    if (command != NULL && other_option(command->op->request, name) != NULL)
        s.best = str_from(other_option(command->op->request, name));
    else if (s.best.len == 0 && command != NULL && hint_of_job_key(command, name, err))
        return false;
    if (s.best.len > 0) {
        (void)snprintf(typed, sizeof typed, "%.*s", STR_ARG(s.best));
        with_hyphens(typed);
        error_hint(err, "did you mean '--%s'?", typed);
    }
    return false;
}

/* A value that is wrong on the command line is a usage error, named by its option. */
static bool store_value(const struct parser *p, const struct field *field, struct str value,
                        void *record, struct error *err)
{
    char option[80];

    if (field_parse(field, FIELD_SPELLED, value, record, p->arena, err))
        return true;
    if (err->kind == ERROR_INPUT)
        err->kind = ERROR_USAGE;
    (void)snprintf(option, sizeof option, "%s: ", field->name);
    if (str_starts(str_from(err->text), str_from(option)))
        memmove(err->text, err->text + strlen(option), strlen(err->text + strlen(option)) + 1);
    (void)snprintf(option, sizeof option, "--%s", field->name);
    with_hyphens(option);
    error_context(err, "%s", field->operand ? field->value : option);
    return false;
}

bool cli_is_own_option(const struct command *command, const struct field *global)
{
    const struct field *own = field_find(command->op->request, str_from(global->name));

    return own != NULL && !own->operand && strcmp(own->name, global->name) == 0;
}

/* The option called `name`, and the record it belongs to; NULL when there is none. An option of
 * all commands that the command has for something else is given before the command. */
static const struct field *find_option(struct parser *p, struct str name, void **record)
{
    const struct field *field = field_find(&cli_global_fields, name);
    const struct command *command = p->line->command;

    *record = &p->line->globals;
    if (command == NULL || (field != NULL && !cli_is_own_option(command, field)))
        return field;
    *record = p->line->request;
    field = field_find(command->op->request, name);
    if (field == NULL || (field->operand && field->also == NULL))
        return NULL;
    p->operands += field->operand; /* "--gpu H100" where H100 alone would do: it is given */
    p->given[field - command->op->request->at] = true;
    p->line->answered |= field->type != FIELD_FLAG; /* --force answers no question */
    return field;
}

/* Is it "-o", where the command has an option with that other name? */
static bool is_letter_option(const struct parser *p, const char *word)
{
    const struct command *command = p->line->command;

    return command != NULL && word[1] != '-' && word[2] == '\0' &&
           field_find(command->op->request, (struct str){word + 1, 1}) != NULL;
}

/* Read one "--name", "--name value", "--name=value" or "-n value". */
static bool parse_option(struct parser *p, struct error *err)
{
    const char *word = p->argv[p->at++];
    struct str value = str_from(word + (word[1] == '-' ? 2 : 1));
    bool has_value = memchr(value.at, '=', value.len) != NULL;
    struct str name = str_cut(&value, '=');
    void *record;
    const struct field *field = find_option(p, name, &record);

    if (field == NULL)
        return unknown_option(p->line->command, name, err);
    if (field->type == FIELD_FLAG && has_value)
        return error_fail(err, ERROR_USAGE, "--%.*s takes no value", STR_ARG(name));
    if (field->type != FIELD_FLAG && !has_value && p->at == p->argc) {
        error_set(err, ERROR_USAGE, "--%.*s needs a value", STR_ARG(name));
        error_hint(err, "--%.*s %s: %s", STR_ARG(name), field->value, field->help);
        return false;
    }
    if (field->type == FIELD_FLAG)
        value = STR("yes");
    else if (!has_value)
        value = str_from(p->argv[p->at++]);
    return store_value(p, field, value, record, err);
}

/* Is this word one of the options that limit a run? The other names are common in other
 * programs (--name, --checkpoints): the note would be wrong. */
static bool is_guard(const struct field_set *set, struct str word)
{
    static const char *const guards[] = {"budget", "month-budget", "deadline",   "grace",
                                         "idle",   "early-stop",   "price",      "offer",
                                         "plan",   "electricity",  "idle-below", "idle-do"};

    if (!str_starts(word, STR("--")))
        return false;
    word = (struct str){word.at + 2, word.len - 2};
    word = str_cut(&word, '=');
    for (size_t i = 0; i < ARRAY_LEN(guards); i++)
        if (str_eq(word, str_from(guards[i])))
            return field_find(set, word) != NULL;
    return false;
}

/* An amount of money, which hardly any other program takes: "$5", "5usd". */
static bool is_money_value(struct str value)
{
    static const char *const signs[] = {"$", "usd", "eur", "\u20ac", NULL};

    return str_has_any(value, signs);
}

/* A limit after the command has no effect: the first such option with its value. After "--" the
 * user has said where the command begins: only what is hardly its own counts. */
static struct str misplaced_word(const struct field_set *set, const struct str *words,
                                 size_t count, bool after_dashes)
{
    for (size_t i = 1; i < count && !str_eq(words[i], STR("--")); i++) {
        struct str value = words[i];

        if (!is_guard(set, words[i]))
            continue;
        (void)str_cut(&value, '=');
        if (value.len == 0 && i + 1 < count)
            value = words[i + 1];
        if (!after_dashes || is_money_value(value))
            return words[i];
    }
    return (struct str){0};
}

/* A command that is to be run: it and all that follows, unchanged. */
static bool parse_program(struct parser *p, const struct field *field, struct error *err)
{
    size_t count = (size_t)(p->argc - --p->at);
    struct str *words = arena_array(p->arena, struct str, count, err);
    struct strs all = {words, count};

    if (words == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        words[i] = str_from(p->argv[p->at++]);
    memcpy((char *)p->line->request + field->offset, &all, sizeof all);
    p->line->misplaced =
        misplaced_word(p->line->command->op->request, words, count, p->all_operands);
    return true;
}

/* "costs trnd": the name of another command, perhaps. */
static bool unexpected_word(const struct command *command, struct str word, struct error *err)
{
    struct str own = str_from(command->name);
    struct suggestion s = {.wanted = word};

    for (size_t i = 0; i < cli_command_count; i++) {
        struct str name = str_from(cli_commands[i]->name);

        if (name.len > own.len && str_starts(name, own) && name.at[own.len] == ' ')
            suggestion_try(&s, (struct str){name.at + own.len + 1, name.len - own.len - 1});
    }
    error_set(err, ERROR_USAGE, "%s does not expect '%.*s'", command->name, STR_ARG(word));
    if (s.best.len > 0)
        error_hint(err, "did you mean 'stint %s %.*s'?", command->name, STR_ARG(s.best));
    else
        error_hint(err, "'stint %s --help' shows what it takes; quote values with blanks",
                   command->name);
    return false;
}

static bool parse_operand(struct parser *p, struct error *err)
{
    const struct field_set *set = p->line->command->op->request;
    struct str value = str_from(p->argv[p->at++]);
    size_t nth = 0;

    for (size_t i = 0; i < set->len; i++) {
        if (!set->at[i].operand || nth++ < p->operands)
            continue;
        if (set->at[i].type != FIELD_TEXTS) /* a list takes all that follow */
            p->operands++;
        p->given[i] = true;
        if (set->at[i].whole)
            return parse_program(p, &set->at[i], err);
        return store_value(p, &set->at[i], value, p->line->request, err);
    }
    return unexpected_word(p->line->command, value, err);
}

static bool check_complete(const struct parser *p, struct error *err)
{
    const struct command *command = p->line->command;

    for (size_t i = 0; i < command->op->request->len; i++) {
        const struct field *field = &command->op->request->at[i];

        if (!field->required || p->given[i])
            continue;
        if (field->operand)
            error_set(err, ERROR_USAGE, "%s needs %s %s", command->name,
                      strchr("AEIOU", field->value[0]) != NULL ? "an" : "a", field->value);
        else
            error_set(err, ERROR_USAGE, "%s needs --%s %s", command->name, field->name,
                      field->value);
        error_hint(err, "%s", command->examples);
        err->hint[strcspn(err->hint, "\n")] = '\0'; /* the first example is enough */
        return false;
    }
    return true;
}

/* The words after the command: options, and operands in their order. */
static bool parse_words(struct parser *p, struct error *err)
{
    while (p->at < p->argc) {
        const char *word = p->argv[p->at];
        bool dash = !p->all_operands && word[0] == '-' && word[1] != '\0';

        if (dash && strcmp(word, "--") == 0) {
            p->all_operands = true;
            p->at++;
        } else if (dash && strcmp(word, "-h") == 0) {
            p->line->globals.help = true;
            p->at++;
        } else if (dash && (strncmp(word, "--", 2) == 0 || is_letter_option(p, word))) {
            if (!parse_option(p, err))
                return false;
        } else if (dash || p->line->command == NULL) {
            return error_fail(err, ERROR_USAGE, "did not expect '%.80s'", word);
        } else if (!parse_operand(p, err)) {
            return false;
        }
    }
    return true;
}

/* A request with its defaults, for the command that was found. */
static bool make_request(struct parser *p, struct error *err)
{
    const struct field_set *set = p->line->command->op->request;

    p->line->request = arena_get(p->arena, 1, set->size, alignof(max_align_t), err);
    return p->line->request != NULL && fields_reset(set, p->line->request, p->arena, err);
}

/* "stint help", "stint help --all", "stint help price list". */
static bool parse_help(struct parser *p, struct error *err)
{
    int words = words_at(p, 2), next = 2 + words;

    if (next == 2 && p->argc > 2 &&
        (strcmp(p->argv[2], "--all") == 0 || strcmp(p->argv[2], "--markdown") == 0)) {
        p->line->help_for = str_from(p->argv[2]);
        next = 3;
    } else if (!join_words(p, 2, words, &p->line->help_for, err)) {
        return false;
    }
    if (next >= p->argc || strcmp(p->argv[next], "-h") == 0 ||
        strcmp(p->argv[next], "--help") == 0)
        return true;
    error_set(err, ERROR_USAGE, "did not expect '%.80s'", p->argv[next]);
    error_hint(err, "'stint help COMMAND' explains one, 'stint help --all' lists all");
    return false;
}

bool cli_parse(int argc, char **argv, struct arena *arena, struct cli_line *out,
               struct error *err)
{
    struct parser p = {.argc = argc, .at = 1, .argv = argv, .arena = arena, .line = out};

    *out = (struct cli_line){0};
    if (!fields_reset(&cli_global_fields, &out->globals, arena, err))
        return false;
    /* "stint", "stint -h", "stint --version", "stint help ...". */
    if (argc < 2 || strcmp(argv[1], "-h") == 0)
        return true;
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0 ||
        strcmp(argv[1], "version") == 0) {
        out->version = true;
        return true;
    }
    if (strcmp(argv[1], "help") == 0)
        return parse_help(&p, err);
    while (p.at < argc && strncmp(argv[p.at], "--", 2) == 0)
        if (!parse_option(&p, err))
            return false;
    if (p.at < argc && argv[p.at][0] != '-' && !parse_command(&p, err))
        return false;
    if ((out->command != NULL && !make_request(&p, err)) || !parse_words(&p, err))
        return false;
    if (out->command != NULL && out->globals.help) {
        out->help_for = str_from(out->command->name);
        out->command = NULL;
    }
    return out->command == NULL || check_complete(&p, err);
}
