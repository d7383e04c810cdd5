/* A process that runs already: how metering begins, what signals to us mean, how it ends. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "doc/json_write.h"
#include "doc/node.h"
#include "run/supervise/supervise_internal.h"
#include "unit/time.h"

#define FIRST_LOOK (SECOND / 50) /* the vendors' libraries are opened after the first answer */

/* {"id": ..., "name": ..., "attempt": 1, "socket": ...}, for whoever started us and waits. */
static void announce_ready(const struct supervisor *s)
{
    struct buf line = buf_new(s->options->alloc, 4096);
    struct error ignored;

    s->options->target->announced = true;
    if (s->options->ready_fd < 0)
        return;
    buf_adds(&line, "{\"id\":");
    json_write_text(str_from(s->result->id), &line);
    buf_adds(&line, ",\"name\":");
    json_write_text(s->options->start->name, &line);
    buf_addf(&line, ",\"attempt\":%d,\"socket\":", s->result->attempt);
    if (inbox_path(s->told.inbox) != NULL)
        json_write_text(str_from(inbox_path(s->told.inbox)), &line);
    else
        buf_adds(&line, "null");
    buf_adds(&line, "}\n");
    if (buf_ok(&line, &ignored)) /* fits into a pipe: who does not read it is not waited for */
        (void)!write(s->options->ready_fd, line.at, line.len);
    (void)close(s->options->ready_fd);
    buf_free(&line);
}

static void report_begin(struct supervisor *s)
{
    const struct attach_target *target = s->options->target;
    struct buf before = buf_new(s->options->alloc, 64);

    span_write(target->before, &before);
    sup_event(s, "attached", s->options->quiet,
              "metering process %d; the %.*s that it had run before are not measured",
              (int)target->pid, (int)before.len, before.len > 0 ? before.at : "");
    buf_free(&before);
}

static bool begin_process(struct supervisor *s, struct error *err)
{
    const struct attach_target *target = s->options->target;

    if (!sup_watch_fd(&s->proc, target->handle, EPOLLIN)) {
        error_system(err, errno, "cannot watch process %d", (int)target->pid);
        return false;
    }
    sup_start_clock(s);
    s->proc.child = target->pid;
    keeper_command(&s->proc.keeper, s->proc.child);
    (void)sup_tree(s); /* now: its children become others' when it ends */
    report_begin(s);
    announce_ready(s);
    s->proc.next_look = (instant){clock_paid().ns + FIRST_LOOK};
    return true;
}

/* The user lets go of it: it goes on, unmetered. */
static void detach(struct supervisor *s)
{
    s->proc.over = true;
    s->end.begun = s->end.went_on = false;
    s->result->reason = STOP_DETACHED;
    s->result->status = -1; /* how it will end is not known */
    (void)snprintf(s->result->why, sizeof s->result->why, "process %d continues, unmetered",
                   (int)s->options->target->pid);
    sup_event(s, "detached", true, "%s", s->result->why);
}

/* Was it ignored when we were started, as by nohup or for a job in the background? */
static bool is_ignored(int number)
{
    struct sigaction now;

    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

/* Signals are for us, not for the process: it has its own terminal and its own user. */
static void hear_signal(struct supervisor *s, const struct signalfd_siginfo *info)
{
    int number = (int)info->ssi_signo;

    if (number == SIGTSTP)
        sup_stop_with(&s->told, number);
    else if ((number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT) &&
             !is_ignored(number))
        detach(s);
}

static void send_signal(const struct supervisor *s, int number)
{
    (void)attach_signal(s->options->target, number);
}

void sup_target_ended(struct supervisor *s)
{
    const struct attach_target *target = s->options->target;
    int how;

    (void)epoll_ctl(s->proc.poll, EPOLL_CTL_DEL, target->handle, NULL); /* it stays readable */
    if (attach_status(target, &how)) {
        sup_ended(s, how);
    } else {
        s->proc.child = 0;
        s->result->status = -1;
    }
    sup_check_leftovers(s);
}

/* ---- requests at the socket ---- */

static void write_attach_amount(const char *name, usd amount, struct buf *out)
{
    buf_addf(out, ",\"%s\":", name);
    if (amount.nano == MONEY_UNKNOWN) {
        buf_adds(out, "null");
        return;
    }
    buf_char(out, '"');
    nano_write(amount.nano, out);
    buf_char(out, '"');
}

/* Of this attempt, as of the last look. */
static void answer_status(const struct supervisor *s, struct buf *out)
{
    buf_adds(out, "{\"stint\":\"status\",\"id\":");
    json_write_text(str_from(s->result->id), out);
    write_attach_amount("cost", account_cost(&s->money.account), out);
    write_attach_amount("budget", s->money.budget, out);
    buf_addf(out, ",\"elapsed_s\":%.3f,\"stopping\":%s}",
             span_in_seconds(span_between(s->began, s->money.account.last)),
             s->end.begun ? "true" : "false");
}

/* The block of code that was metered has ended, not the process. How, in the program's words:
 * "done", "interrupted", or "failed" with the type of the exception. */
static void end_block(struct supervisor *s, struct str state, struct str why)
{
    s->proc.over = true;
    s->result->status = str_eq(state, STR("done")) ? 0 : str_eq(state, STR("failed")) ? 1 : 130;
    if (s->result->status == 130 && !s->end.begun)
        s->result->reason = STOP_USER;
    if (s->result->status == 0)
        return;
    str_copy(why, s->told.program_why, sizeof s->told.program_why);
    if (!s->end.begun)
        str_copy(why, s->result->why, sizeof s->result->why);
    sup_event(s, s->result->status == 1 ? "exception" : "interrupted", true, "%s",
              s->told.program_why);
}

static struct str text_under(const struct node *map, struct str key)
{
    const struct node *value = node_get(map, key);

    return value != NULL && value->kind == NODE_SCALAR ? value->text : (struct str){0};
}

static bool answer_line(struct supervisor *s, const struct node *line, struct str text,
                        struct buf *answer)
{
    static const char *const states[] = {"done", "failed", "interrupted", NULL};
    struct str request = text_under(line, STR("stint")), state = text_under(line, STR("state"));

    if (str_eq(request, STR("status"))) {
        answer_status(s, answer);
        return true;
    }
    if (str_eq(request, STR("job"))) {
        if (!sup_estimate_reported(s, line, text))
            return false;
        buf_adds(answer, "{\"stint\":\"job\"}");
        return true;
    }
    /* A command that we started ends by ending. */
    if (!str_eq(request, STR("end")) || s->options->target == NULL ||
        !str_is_one_of(state, states))
        return false;
    if (!s->proc.over)
        end_block(s, state, text_under(line, STR("why")));
    buf_adds(answer, "{\"stint\":\"end\"}");
    return true;
}

bool sup_answer(void *supervisor, struct str line, struct buf *answer)
{
    struct supervisor *s = supervisor;
    struct arena scratch = {.alloc = s->options->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct error ignored;
    const struct node *map = json_read(line, "socket", &scratch, &ignored);
    bool ok = map != NULL && map->kind == NODE_MAP && answer_line(s, map, line, answer);

    arena_free(&scratch);
    return ok;
}

const struct supervised supervised_process = {
    .begin = begin_process,
    .hear = hear_signal,
    .send = send_signal,
    .noun = "the process",
    .waits = "the process has ended, processes that it started have not: waiting for them "
             "(--leftovers stop ends them, Ctrl-C detaches)",
};
