/* The program around the commands: settings, log, clock, output, exit status. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/num.h"
#include "base/part.h"
#include "doc/json_write.h"
#include "doc/node.h"
#include "op/context.h"
#include "op/op.h"

struct program {
    const struct alloc *alloc;
    struct arena arena;
    struct buf out;
    struct term term;
    struct clock clock;
    stamp fixed_now;
    struct log log;
    struct term errors; /* standard error: where progress is drawn */
    struct progress progress;
    bool partly;        /* not all of it was done */
    bool aside;         /* the output is for standard error */
    bool json;          /* the output is JSON */
    bool changes;       /* the command may have changed something that stays */
    int status, signal; /* of a program that was run: passed on */
};

static void show_progress(void *ctx, const char *label, uint64_t done, uint64_t total)
{
    struct program *p = ctx;

    p->progress.label = label;
    p->progress.total = total;
    progress_show(&p->progress, done);
}

static void show_message(void *ctx, enum message_kind kind, const char *text)
{
    struct program *p = ctx;
    struct term term = term_probe(STDERR_FILENO);
    enum term_style style = kind == MESSAGE_WARNING ? STYLE_WARN : STYLE_DIM;
    struct buf line = buf_new(p->alloc, 4096);
    struct error ignored;

    progress_clear(&p->progress);
    buf_addf(&line, "%sstint: %s: ", term_style_on(&term, style),
             kind == MESSAGE_WARNING ? "warning" : "note");
    buf_add_safe(&line, str_from(text));
    buf_addf(&line, "%s\n", term_style_off(&term, style));
    if (buf_ok(&line, &ignored) && !fs_write_all(STDERR_FILENO, buf_text(&line), &ignored))
        log_write(&p->log, LOG_WARN, "%s", text); /* standard error is closed */
    buf_free(&line);
}

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number)
{
    interrupted = number;
}

/* Code that checks ends in good order. Where none does, and the second time, Ctrl-C or another
 * signal ends the program at once. */
static bool is_interrupted(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    static bool watched;
    struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND},
                     before;

    if (!watched) {
        watched = true;
        (void)sigemptyset(&action.sa_mask);
        /* In the background of a script, or below nohup, one is ignored, and stays so. */
        for (size_t i = 0; i < ARRAY_LEN(ends); i++)
            if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
                (void)sigaction(ends[i], &action, NULL);
    }
    return interrupted != 0;
}

static bool set_log(struct program *p, const struct cli_globals *globals, struct error *err)
{
    const char *level = env_get("STINT_LOG");
    char *path;
    int fd;

    p->log = (struct log){.to = stderr, .level = LOG_OFF, .clock = &p->clock};
    if (level != NULL && !log_level_parse(level, &p->log.level)) {
        error_set(err, ERROR_USAGE, "STINT_LOG: '%.60s' is not a level", level);
        error_hint(err, "use off, warn, info or debug");
        return false;
    }
    if (globals->log.len == 0)
        return true;
    path = str_dup(globals->log, &p->arena, err);
    if (path == NULL)
        return false;
    fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    p->log.to = fd >= 0 ? fdopen(fd, "a") : NULL;
    if (p->log.to == NULL) {
        error_system(err, errno, "cannot write the log '%s'", path);
        return false;
    }
    if (level == NULL)
        p->log.level = LOG_DEBUG;
    return true;
}

static void print_result(struct program *p, const struct cli_line *line, const void *result)
{
    struct view view = {.term = p->term, .arena = &p->arena, .out = &p->out};

    if (line->globals.json) {
        json_write_record(line->command->op->result, result, line->command->op->schema,
                          &p->out);
        buf_char(&p->out, '\n');
    } else {
        line->command->print(&view, result);
    }
}

static bool write_output(const struct program *p, int fd, struct error *err)
{
    return term_write(fd, buf_text(&p->out), p->json, p->alloc, err);
}

/* Print what there is so far. */
static void flush_output(struct program *p)
{
    struct error ignored;

    if (buf_ok(&p->out, &ignored))
        (void)!write_output(p, p->aside ? STDERR_FILENO : STDOUT_FILENO, &ignored);
    buf_clear(&p->out);
}

/* Checked before anything is done: the result could not be written, and a file that is opened
 * would become standard output. */
static bool check_output(const struct command *command, struct error *err)
{
    if (command->aside != NULL || fcntl(STDOUT_FILENO, F_GETFD) >= 0)
        return true;
    error_set(err, ERROR_FAILED, "standard output is closed; nothing was done");
    error_hint(err, "to see no result: >/dev/null");
    return false;
}

/* The result could not be written, but what the command changed is changed: a script that only
 * checks the exit status would repeat it. */
static void report_lost_output(const struct program *p, struct error *err)
{
    struct error ignored;

    error_context(err, "standard output");
    if (!p->changes)
        return;
    error_hint(err, "the command has been carried out: do not repeat it; its result is above");
    (void)!write_output(p, STDERR_FILENO, &ignored);
}

static void warn_of_settings(const struct op_context *ctx)
{
    const struct settings_origin *origin = ctx->settings_origin;
    const char *relative = settings_relative();

    if (origin->config_exposed)
        message_warn(&ctx->messages,
                     "others can read '%s', which holds a password: 'chmod 600' it",
                     origin->config_path.at);
    if (relative != NULL)
        message_warn(&ctx->messages, "%s is not an absolute path, and is ignored", relative);
}

/* The process is this program's alone. */
static struct op_context make_context(struct program *p, const struct settings *settings,
                                      const struct settings_origin *origin)
{
    return (struct op_context){.arena = &p->arena,
                               .clock = &p->clock,
                               .settings = settings,
                               .settings_origin = origin,
                               .messages = {.show = show_message, .ctx = p, .log = &p->log},
                               .own_process = true,
                               .watch = {show_progress, p, is_interrupted}};
}

static void warn_of_misplaced(const struct cli_line *line, const struct messages *messages)
{
    if (line->misplaced.len > 0)
        message_warn(messages,
                     "%.*s after the command belongs to the command and limits nothing: type "
                     "'stint %s %.*s ... -- COMMAND'",
                     STR_ARG(line->misplaced), line->command->name, STR_ARG(line->misplaced));
}

static bool run_cli_command(struct program *p, const struct cli_line *line, struct error *err)
{
    const struct op *op = line->command->op;
    struct settings_flag flags[] = {{"catalog", "--catalog", line->globals.catalog},
                                    {"prices", "--prices", line->globals.prices},
                                    {"ledger", "--ledger", line->globals.ledger}};
    struct settings_inputs inputs = {
        .flags = flags, .flag_count = ARRAY_LEN(flags), .skip_file = op->writes_config};
    struct settings_origin origin = {0};
    struct settings settings = {0};
    struct op_context ctx = make_context(p, &settings, &origin);
    void *result = arena_get(&p->arena, 1, op->result->size, alignof(max_align_t), err);
    bool ok, is_live;

    p->json = line->globals.json;
    if (!check_output(line->command, err))
        return false;
    if (line->globals.config.len > 0)
        inputs.config = str_dup(line->globals.config, &p->arena, err);
    if (result == NULL || (line->globals.config.len > 0 && inputs.config == NULL) ||
        !settings_load(&inputs, &p->arena, &settings, &origin, err))
        return false;
    warn_of_settings(&ctx);
    log_write(&p->log, LOG_DEBUG, "stint %s, configuration %s%s", line->command->name,
              origin.config_path.at != NULL ? origin.config_path.at : "none",
              origin.config_path.at != NULL && !fs_exists(origin.config_path.at)
                  ? ": no such file"
                  : "");
    if (line->command->ask != NULL && !line->answered && isatty(STDIN_FILENO) == 1 &&
        !line->command->ask(&ctx, line->request, err))
        return false;
    warn_of_misplaced(line, &ctx.messages);
    is_live = line->command->live != NULL && p->term.tty && !line->globals.json;
    ok = is_live ? line->command->live(&ctx, line->request, err)
                 : op_run(&ctx, op, line->request, result, err);
    p->changes = op->changes;
    p->partly = ok && ctx.partly;
    p->status = ctx.status;
    p->signal = ctx.signal;
    p->aside =
        line->command->aside != NULL && line->command->aside(result) && !line->globals.json;
    if (ok && !is_live)
        print_result(p, line, result); /* its texts may be the store's */
    if (ctx.then != NULL) {
        flush_output(p);
        ctx.then(&ctx);
    }
    op_done(&ctx);
    return ok;
}

/* ---- stint call: what stint_call() does, in a process of its own ---- */

#define REPLY_FD "--reply-fd="

struct call_line {
    const char *name, *request;
    int reply;
    bool text; /* the result as the command prints it, too */
};

static bool read_reply_fd(const char *text, int *out, struct error *err)
{
    int64_t fd;

    if (!num_int(str_from(text), &fd) || fd < STDOUT_FILENO || fd > INT_MAX ||
        fcntl((int)fd, F_GETFD) < 0) {
        error_set(err, ERROR_USAGE, REPLY_FD "%.40s is not an open descriptor", text);
        error_hint(err, "in a shell: stint call OPERATION REQUEST " REPLY_FD "3 3>reply.json");
        return false;
    }
    *out = (int)fd;
    return true;
}

static bool read_call_line(int argc, char **argv, struct call_line *out, struct error *err)
{
    *out = (struct call_line){.request = "", .reply = STDOUT_FILENO};
    for (int i = 2; i < argc; i++) {
        size_t len = sizeof REPLY_FD - 1;

        if (strncmp(argv[i], REPLY_FD, len) == 0) {
            if (!read_reply_fd(argv[i] + len, &out->reply, err))
                return false;
        } else if (strcmp(argv[i], "--text") == 0) {
            out->text = true;
        } else if (argv[i][0] == '-' || (out->name != NULL && out->request[0] != '\0')) {
            error_set(err, ERROR_USAGE, "call does not expect '%.80s'", argv[i]);
            error_hint(err, "the request is one word of JSON, quoted: '{\"gpu\":\"H100\"}'");
            return false;
        } else if (out->name == NULL) {
            out->name = argv[i];
        } else {
            out->request = argv[i];
        }
    }
    if (out->name != NULL)
        return true;
    error_set(err, ERROR_USAGE, "call needs an operation");
    error_hint(err, "'stint schema' lists them");
    return false;
}

static const struct command *find_command_of(const struct op *op)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (cli_commands[i]->op == op)
            return cli_commands[i];
    return NULL;
}

/* The result as the command prints it, for standard output; and as JSON in `reply`. */
static bool call_op_text(struct program *p, struct op_context *ctx, const struct op *op,
                         struct str request, struct buf *reply, struct error *err)
{
    struct view view = {.term = p->term, .arena = &p->arena, .out = &p->out};
    const struct command *command = find_command_of(op);
    const void *result;

    if (command == NULL)
        return error_fail(err, ERROR_USAGE, "no command prints the result of '%s'", op->name);
    if (!op_call_record(ctx, op, request, &result, err))
        return false;
    json_write_record(op->result, result, op->schema, reply);
    command->print(&view, result); /* its texts may be the store's */
    return true;
}

static bool call_operation(struct program *p, struct op_context *ctx,
                           const struct call_line *line, struct settings *settings,
                           struct settings_origin *origin, struct buf *reply, struct error *err)
{
    const struct op *op = op_find(str_from(line->name));
    struct settings_inputs inputs = {.skip_file = op != NULL && op->writes_config};
    struct str request = str_from(line->request);

    if (op == NULL)
        return op_unknown(str_from(line->name), err);
    return settings_load(&inputs, ctx->arena, settings, origin, err) &&
           (line->text ? call_op_text(p, ctx, op, request, reply, err)
                       : op_call(ctx, op, request, reply, err));
}

/* The reply is one line, of an error too: it is for a program that waits for it. Beside a text
 * on standard output there is none, unless it has a descriptor of its own. */
static bool write_reply(struct program *p, const struct call_line *line, bool done,
                        struct buf *reply, struct error *err)
{
    if (line->text && done && line->reply == STDOUT_FILENO)
        return true;
    buf_char(reply, '\n');
    progress_clear(&p->progress);
    return buf_ok(reply, err) && term_write(line->reply, buf_text(reply), true, p->alloc, err);
}

static bool run_call(struct program *p, int argc, char **argv, struct error *err)
{
    struct settings_origin origin = {0};
    struct settings settings = {0};
    struct op_context ctx = make_context(p, &settings, &origin);
    struct buf reply = buf_new(p->alloc, BUF_MAX_OUTPUT);
    struct call_line line;
    struct error why = {0};
    bool done, ok;

    if (!read_call_line(argc, argv, &line, err))
        return false;
    if (line.reply > STDERR_FILENO) /* a command that is run does not inherit it */
        (void)fcntl(line.reply, F_SETFD, FD_CLOEXEC);
    p->json = !line.text;
    done = call_operation(p, &ctx, &line, &settings, &origin, &reply, &why);
    p->partly = done && ctx.partly;
    if (!done) {
        op_write_error(&why, &reply);
        p->status = error_exit_status(why.kind);
    }
    if (ctx.status != 0)
        p->status = ctx.status;
    p->signal = ctx.signal;
    ok = write_reply(p, &line, done, &reply, err);
    buf_free(&reply);
    if (ctx.then != NULL)
        ctx.then(&ctx);
    op_done(&ctx);
    return ok;
}

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

#if defined(__aarch64__)
#define MACHINE "arm64, NEON"
#elif defined(__x86_64__)
#define MACHINE "x86-64, SSE2"
#else
#define MACHINE "portable"
#endif

/* "stint 0.1.0" and a line for each fact of the build. */
static bool write_version(struct buf *out, struct error *err)
{
    char parts[PATH_MAX];

    if (!part_folder(parts, sizeof parts, err))
        return false;
    buf_addf(out, "stint %s\n", STINT_VERSION);
    buf_addf(out, "compiler   %s\n", COMPILER);
    buf_addf(out, "machine    %s\n", MACHINE);
    buf_addf(out, "build      %s\n", STINT_BUILD);
    buf_addf(out, "libraries  %s\n", yaml_library());
    buf_addf(out, "parts      %s\n", parts);
    return true;
}

/* Words that are no operation: completion scripts, and the man pages the build makes. */
static bool run_special(struct program *p, int argc, char **argv, bool *done, struct error *err)
{
    struct str what = str_from(argc > 2 ? argv[2] : "");
    bool completion = argc > 1 && strcmp(argv[1], "completion") == 0;
    bool man = argc > 1 && strcmp(argv[1], "man") == 0;
    bool call = argc > 1 && strcmp(argv[1], "call") == 0;
    bool help = str_eq(what, STR("--help")) || str_eq(what, STR("-h"));

    *done = completion || man || (call && help);
    if (!*done)
        return true;
    if (help)
        return cli_help(man ? STR("") : str_from(argv[1]), &p->term, &p->out, err);
    if (man && argc == 4 && str_eq(what, STR("-o")))
        return cli_man_pages(argv[3], &p->arena, err);
    if (argc > 3)
        return error_fail(err, ERROR_USAGE, "%s does not expect '%.80s'", argv[1], argv[3]);
    return completion ? cli_completion(what, &p->out, err) : cli_man(what, &p->out, err);
}

static bool run_cli_line(struct program *p, int argc, char **argv, struct error *err)
{
    struct cli_line line;
    bool done;

    if (!op_clock(&p->fixed_now, &p->clock, err) || !run_special(p, argc, argv, &done, err))
        return false;
    if (done)
        return true;
    if (argc > 1 && strcmp(argv[1], "call") == 0)
        return set_log(p, &(struct cli_globals){0}, err) && run_call(p, argc, argv, err);
    if (!cli_parse(argc, argv, &p->arena, &line, err) || !set_log(p, &line.globals, err))
        return false;
    if (line.version)
        return write_version(&p->out, err);
    if (line.command == NULL)
        return cli_help(line.help_for, &p->term, &p->out, err);
    return run_cli_command(p, &line, err);
}

/* As if the signal had ended this program where it came. */
static void end_by_signal(int number)
{
    struct rlimit none = {0};
    sigset_t one;

    (void)setrlimit(RLIMIT_CORE, &none); /* its core, if any, is there already */
    (void)signal(number, SIG_DFL);
    (void)sigemptyset(&one);
    (void)sigaddset(&one, number);
    (void)sigprocmask(SIG_UNBLOCK, &one, NULL);
    (void)raise(number);
}

/* The exit status; a signal that ended a program that we ran ends us too, so that the
 * parent sees what it would have seen without us. So does one that stopped us, but for that of
 * Ctrl-C, which has a status. */
static int exit_as(const struct program *p, bool ok, enum error_kind kind)
{
    int stopped_by = !ok && kind == ERROR_STOPPED && interrupted != SIGINT ? interrupted : 0;

    if (p->signal != 0 || stopped_by != 0)
        end_by_signal(p->signal != 0 ? p->signal : stopped_by);
    if (p->status != 0)
        return p->status;
    return ok ? p->partly : error_exit_status(kind);
}

int cli_main(int argc, char **argv, const struct alloc *alloc)
{
    struct program p = {.alloc = alloc,
                        .arena = {.alloc = alloc, .block_size = ARENA_BLOCK_SIZE},
                        .out = buf_new(alloc, BUF_MAX_OUTPUT),
                        .term = term_probe(STDOUT_FILENO),
                        .errors = term_probe(STDERR_FILENO)};
    struct error err = {0};
    bool ok;

    p.progress = (struct progress){.to = stderr, .term = &p.errors, .clock = &clock_system};
    ok = run_cli_line(&p, argc, argv, &err) && buf_ok(&p.out, &err);
    progress_clear(&p.progress);

    if (ok && !write_output(&p, p.aside ? STDERR_FILENO : STDOUT_FILENO, &err) &&
        !p.aside) { /* a lost summary does not make a successful program fail */
        report_lost_output(&p, &err);
        ok = false;
    }
    if (!ok) {
        log_write(p.log.to != NULL ? &p.log : NULL, LOG_WARN, "%s", err.text);
        error_print(&err, stderr);
    }
    if (p.log.to != NULL && p.log.to != stderr)
        (void)fclose(p.log.to);
    buf_free(&p.out);
    arena_free(&p.arena);
    return exit_as(&p, ok, err.kind);
}
