/* stint top: once as a table, or live. */
#include "cli/run/cmd_top.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/context.h"

static void print_top_events(const struct view *view, const struct top_result *res)
{
    const struct ledger_happening *events = res->details.events.at;

    for (size_t i = 0; i < res->details.events.len; i++) {
        stamp_write(events[i].at, view->out);
        buf_adds(view->out, "  ");
        buf_add_safe(view->out, events[i].kind);
        buf_adds(view->out, "  ");
        buf_add_safe(view->out, events[i].text);
        buf_char(view->out, '\n');
    }
    if (res->details.events.len > 0)
        buf_char(view->out, '\n');
}

/* One run, as the live view shows it. False when it has ended. */
static bool print_details(const struct view *view, const struct top_result *res)
{
    const struct live_run *runs = res->runs.at;
    struct top_view one = {.rows = 24,
                           .columns = view->term.width > 0 ? (int)view->term.width : 100,
                           .term = view->term,
                           .utf8 = term_utf8(),
                           .printed = true};
    struct top_line line = {
        .view = &one, .out = view->out, .text = buf_new(view->arena->alloc, (size_t)1 << 16)};
    size_t i = 0;

    while (i < res->runs.len && !str_eq(str_from(runs[i].run.start.id), res->run))
        i++;
    if (i < res->runs.len)
        top_draw_details(&line, &runs[i], res);
    buf_free(&line.text);
    return i < res->runs.len;
}

static void print_top(const struct view *view, const void *result)
{
    const struct top_result *res = result;

    if (res->run.len > 0 && print_details(view, res))
        return;
    if (res->run.len > 0)
        buf_adds(view->out, "the run has ended: see 'stint show'\n");
    if (res->runs.len > 0 && res->run.len == 0) {
        view_rows(view, &op_top, res, "runs", &live_run_columns[PLACE_TERMINAL]);
        buf_char(view->out, '\n');
    }
    print_top_events(view, res);
    if (res->run.len > 0)
        return;
    if (res->no_ledger) {
        buf_adds(view->out, "nothing has been run yet: 'stint run -- COMMAND' records it in ");
        buf_add_safe(view->out, res->ledger);
        buf_char(view->out, '\n');
        return;
    }
    if (res->runs.len == 0)
        buf_adds(view->out, "nothing is running\n\n");
    view_label(view, "now");
    buf_addf(view->out, "%lld run%s on %lld machine%s, ", (long long)res->sum.running,
             res->sum.running == 1 ? "" : "s", (long long)res->sum.machines,
             res->sum.machines == 1 ? "" : "s");
    usd_per_hour_write((usd_per_hour){usd_rounded((usd){res->sum.rate.nano}).nano}, view->out);
    if (res->sum.rate_unknown > 0)
        buf_addf(view->out, " and %lld of unknown price", (long long)res->sum.rate_unknown);
    buf_char(view->out, '\n');
    view_label(view, "today");
    usd_write(usd_rounded(res->spent.today), view->out);
    buf_adds(view->out, " since midnight UTC\n");
    view_label(view, "month");
    usd_write(usd_rounded(res->spent.month), view->out);
    if (!currency_unset(res->spent.budget.currency)) {
        buf_adds(view->out, " of ");
        money_write(&res->spent.budget, view->out);
    }
    if (!isnan(res->spent.share))
        buf_addf(view->out, " (%.0f %%)", num_percent_used(res->spent.share));
    if (res->spent.month_unknown > 0)
        buf_addf(view->out, ", without %lld of unknown cost",
                 (long long)res->spent.month_unknown);
    buf_char(view->out, '\n');
}

static bool print_once(struct op_context *ctx, const void *request, struct error *err)
{
    struct top_result result = {0};
    struct buf out = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    struct view view = {.term = term_probe(STDOUT_FILENO), .arena = ctx->arena, .out = &out};
    bool ok = op_run(ctx, &op_top, request, &result, err);

    if (ok) {
        print_top(&view, &result);
        ok = buf_ok(&out, err) && fs_write_all(STDOUT_FILENO, buf_text(&out), err);
    }
    buf_free(&out);
    return ok;
}

/* ---- live: the terminal, signals, keys, and facts each second ---- */

#define EVERY_NS INT64_C(1000000000)
/* The alternate screen, no cursor, nothing wraps; and back. */
#define ENTER "\033[?1049h\033[?25l\033[?7l\033[2J"
#define LEAVE "\033[?7h\033[?25h\033[?1049l"

struct live {
    struct op_context ctx; /* with an arena for each look */
    struct arena arena[2]; /* of what is shown, and of what is read meanwhile */
    struct top_result now;
    struct top_request request;
    struct top_view view;
    struct buf out;
    int keys; /* descriptor; -1: there is no keyboard */
    int signals;
    bool own_keys; /* opened here */
    bool shown;
    struct termios before;
    sigset_t mask_before;
    int ended_by; /* the signal; 0 */
    instant read_at;
};

static void write_out(const char *text)
{
    struct error ignored;

    if (!fs_write_all(STDOUT_FILENO, str_from(text), &ignored))
        return; /* the terminal is gone: so is what there is to restore */
}

static void enter_screen(struct live *live)
{
    struct termios mode = live->before;

    mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    if (live->keys >= 0)
        (void)tcsetattr(live->keys, TCSADRAIN, &mode);
    write_out(ENTER);
    live->shown = true;
}

static void leave_screen(struct live *live)
{
    if (!live->shown)
        return;
    live->shown = false;
    write_out(LEAVE);
    if (live->keys >= 0)
        (void)tcsetattr(live->keys, TCSADRAIN, &live->before);
}

static void read_size(struct live *live)
{
    struct winsize size = {0};

    (void)ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    live->view.rows = size.ws_row > 0 ? size.ws_row : 24;
    live->view.columns = size.ws_col > 0 ? size.ws_col : 80;
}

/* Read the facts again. When that fails, keep showing the old ones. */
static bool refresh(struct live *live, struct error *err)
{
    struct top_result next = {0};
    struct arena spare;

    live->read_at = clock_system.now(clock_system.ctx);
    live->request.sort = str_from(top_sorts[live->view.sort]);
    live->request.run = live->view.details ? str_from(live->view.selected) : (struct str){0};
    live->ctx.arena = &live->arena[1];
    if (!op_run(&live->ctx, &op_top, &live->request, &next, err)) {
        arena_free(&live->arena[1]);
        return false;
    }
    spare = live->arena[0];
    live->arena[0] = live->arena[1];
    live->arena[1] = spare;
    arena_free(&live->arena[1]);
    live->now = next;
    return true;
}

/* The details are of a run that runs: its id may be given by its end, or its name. */
static void find_selected(struct live *live)
{
    const struct live_run *runs = live->now.runs.at;
    struct str wanted = str_from(live->view.selected);

    for (size_t i = 0; live->view.details && i < live->now.runs.len; i++)
        if (str_eq(str_from(runs[i].run.start.id), wanted) ||
            str_eq(ledger_short(runs[i].run.start.id), wanted) ||
            str_eq(runs[i].run.start.name, wanted)) {
            (void)snprintf(live->view.selected, sizeof live->view.selected, "%s",
                           runs[i].run.start.id);
            return;
        }
    if (live->view.details) {
        live->view.details = live->view.confirm = false;
        (void)snprintf(live->view.message, sizeof live->view.message,
                       "the run has ended: see 'stint show'");
    }
}

static void refresh_quietly(struct live *live)
{
    struct error err = {0};

    if (refresh(live, &err))
        find_selected(live);
    else
        (void)snprintf(live->view.message, sizeof live->view.message, "%.190s", err.text);
}

static bool draw_screen(struct live *live)
{
    struct error ignored;

    buf_clear(&live->out);
    top_draw(&live->view, &live->now, &live->out);
    return buf_ok(&live->out, &ignored) &&
           fs_write_all(STDOUT_FILENO, buf_text(&live->out), &ignored);
}

static void stop_selected(struct live *live)
{
    const struct live_run *run = top_selected(&live->view, &live->now);
    struct error err = {0};

    if (run == NULL)
        return;
    if (run_stop(run, &err))
        (void)snprintf(live->view.message, sizeof live->view.message,
                       "asked %.*s to save and end", STR_ARG(run->run.start.name));
    else
        (void)snprintf(live->view.message, sizeof live->view.message, "%.190s", err.text);
}

/* False when the view ends. */
static bool take_keys(struct live *live)
{
    char room[256];
    ssize_t len = read(live->keys, room, sizeof room);
    struct str rest = {room, len > 0 ? (size_t)len : 0};

    if (len == 0 || (len < 0 && errno != EINTR && errno != EAGAIN))
        return false; /* the terminal is gone */
    while (rest.len > 0) {
        enum top_wish wish = top_press(&live->view, &live->now, top_key_take(&rest));

        if (wish == WISH_QUIT)
            return false;
        if (wish == WISH_STOP)
            stop_selected(live);
        else if (wish == WISH_FACTS)
            refresh_quietly(live);
    }
    return true;
}

static bool take_signal(struct live *live)
{
    struct signalfd_siginfo info;

    if (read(live->signals, &info, sizeof info) != (ssize_t)sizeof info)
        return true;
    switch ((int)info.ssi_signo) {
    case SIGWINCH:
        read_size(live);
        write_out("\033[2J");
        return true;
    case SIGTSTP:
        leave_screen(live);
        (void)raise(SIGSTOP);
        return true;
    case SIGCONT: /* by whatever means it was stopped */
        if (live->keys < 0 || tcgetpgrp(live->keys) == getpgrp()) {
            read_size(live);
            enter_screen(live);
        }
        return true;
    case SIGINT:
        return false; /* as q */
    default:
        live->ended_by = (int)info.ssi_signo;
        return false;
    }
}

static bool open_all(struct live *live, struct error *err)
{
    static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
    sigset_t mask;

    live->keys = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : -1;
    if (live->keys < 0) {
        live->keys = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
        live->own_keys = live->keys >= 0;
    }
    if (live->keys >= 0 && tcgetattr(live->keys, &live->before) != 0) {
        error_system(err, errno, "cannot read the terminal's settings");
        return false;
    }
    (void)sigemptyset(&mask);
    for (size_t i = 0; i < ARRAY_LEN(watched); i++)
        (void)sigaddset(&mask, watched[i]);
    if (sigprocmask(SIG_BLOCK, &mask, &live->mask_before) != 0 ||
        (live->signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK)) < 0) {
        error_system(err, errno, "cannot wait for signals");
        return false;
    }
    return true;
}

static void close_live(struct live *live)
{
    leave_screen(live);
    if (live->own_keys)
        (void)close(live->keys);
    if (live->signals >= 0) {
        (void)close(live->signals);
        (void)sigprocmask(SIG_SETMASK, &live->mask_before, NULL);
    }
    if (live->ended_by != 0) { /* end as one would without a view */
        (void)signal(live->ended_by, SIG_DFL);
        (void)raise(live->ended_by);
    }
    buf_free(&live->out);
    arena_free(&live->arena[0]);
    arena_free(&live->arena[1]);
}

static void live_loop(struct live *live)
{
    bool goes_on = true;

    while (goes_on) {
        struct pollfd fds[] = {{.fd = live->signals, .events = POLLIN},
                               {.fd = live->keys, .events = POLLIN}};
        instant now = clock_system.now(clock_system.ctx);
        int64_t wait_ms = (live->read_at.ns + EVERY_NS - now.ns) / 1000000 + 1;

        if (live->shown && !draw_screen(live))
            return;
        if (!live->shown) /* in the background: until a signal */
            fds[1].fd = -1;
        wait_ms = !live->shown ? -1 : wait_ms > 0 ? wait_ms : 0;
        (void)poll(fds, ARRAY_LEN(fds), (int)wait_ms);
        if (fds[0].revents != 0)
            goes_on = take_signal(live);
        if (goes_on && fds[1].revents != 0)
            goes_on = take_keys(live);
        now = clock_system.now(clock_system.ctx);
        if (goes_on && live->shown && now.ns - live->read_at.ns >= EVERY_NS)
            refresh_quietly(live);
    }
}

/* Until q, Ctrl-C or a signal that ends the process; the terminal is then as it was. */
static bool top_live(struct op_context *ctx, const struct top_request *request,
                     struct error *err)
{
    struct live live = {.ctx = *ctx,
                        .request = *request,
                        .view = {.term = term_probe(STDOUT_FILENO), .utf8 = term_utf8()},
                        .out = buf_new(ctx->arena->alloc, (size_t)1 << 22),
                        .keys = -1,
                        .signals = -1};
    bool ok;

    live.ctx.messages = (struct messages){0}; /* nothing is written beside the view */
    for (int i = 0; i < 2; i++)
        live.arena[i] =
            (struct arena){.alloc = ctx->arena->alloc, .block_size = ctx->arena->block_size};
    for (size_t i = 0; i < 4; i++)
        if (str_eq(request->sort, str_from(top_sorts[i])))
            live.view.sort = i;
    str_copy(request->run, live.view.selected, sizeof live.view.selected);
    live.view.details = request->run.len > 0;
    read_size(&live);
    ok = refresh(&live, err) && open_all(&live, err);
    if (ok) {
        find_selected(&live);
        enter_screen(&live);
        live_loop(&live);
    }
    close_live(&live);
    return ok;
}

/* On a terminal that can move its cursor. */
static bool show_live(struct op_context *ctx, const void *request, struct error *err)
{
    const struct top_request *req = request;
    const char *name = env_get("TERM");
    bool once = req->once || name == NULL || strcmp(name, "dumb") == 0;

    return once ? print_once(ctx, request, err) : top_live(ctx, req, err);
}

const struct command cmd_top = {
    .name = "top",
    .op = &op_top,
    .group = {"what is running and what it costs", CLI_DURING, .first = true},
    .about = "Shows all running jobs in this ledger, on this machine or on others that share "
             "it, with their cost: live on a terminal, once elsewhere. Unknown values are left "
             "empty; times are UTC.\n\n"
             "Keys: arrows or j and k select a run; Enter shows details and events; s sorts by "
             "cost, rate, time or name; x, then y, asks the selected run to save and exit, as "
             "'stint stop' does, if it is on this machine; q quits.",
    .examples = "stint top\n"
                "stint top --once --sort rate\n"
                "stint top --json | jq '.runs[] | {name, cost}'\n",
    .print = print_top,
    .live = show_live,
};
