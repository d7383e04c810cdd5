#include "run/supervise/inbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/process.h"

#define FILE_MOST ((size_t)1 << 20) /* bytes of the file that are read in one look */
#define STALE_NS INT64_C(10000000000)
#define STALE_MOST 256 /* sockets that are looked at in one go */
#define FOLDER_ROOM 128
#define DRAIN_ROUNDS 512 /* of 8 clients and 8 KB each */

/* A line that has begun. */
struct partial {
    char text[INBOX_LINE];
    size_t len;
    bool skip; /* the line was too long: the rest of it is nothing */
};

struct client {
    int fd; /* -1: free */
    bool listens;
    struct partial line;
};

struct inbox {
    const struct alloc *alloc;
    struct inbox_options options;
    struct sockaddr_un address;
    char trouble[200];
    bool bound; /* the socket has its name */
    int listener, poll;
    int file;
    int64_t file_at; /* read up to here; -1: not looked at yet */
    struct partial file_line;
    struct client clients[INBOX_CLIENTS];
};

#define STOP_LINE "{\"stint\":\"stop\"}"
#define LISTEN_LINE "{\"stint\":\"listen\"}"

/* Is it this line, whatever blanks it has? Few lines are no progress. */
static bool is_request(struct str line, struct str request)
{
    size_t at = 0;

    for (size_t i = 0; i < line.len; i++) {
        if (line.at[i] == ' ' || line.at[i] == '\t' || line.at[i] == '\r')
            continue;
        if (at == request.len || line.at[i] != request.at[at++])
            return false;
    }
    return at == request.len;
}

/* Does it start with these bytes, whatever blanks it has? */
static bool starts_request(struct str line, struct str start)
{
    size_t at = 0;

    for (size_t i = 0; i < line.len && at < start.len; i++) {
        if (line.at[i] == ' ' || line.at[i] == '\t')
            continue;
        if (line.at[i] != start.at[at++])
            return false;
    }
    return at == start.len;
}

static void answer_request(struct inbox *inbox, const struct client *client, struct str line)
{
    struct buf answer = buf_new(inbox->alloc, INBOX_LINE);
    struct error ignored;

    if (!inbox->options.ask(inbox->options.ctx, line, &answer)) {
        inbox->options.refused(inbox->options.ctx, false, "there is no such request");
        buf_adds(&answer, "{\"stint\":\"refused\"}");
    }
    buf_char(&answer, '\n');
    if (buf_ok(&answer, &ignored)) /* who does not read it does without */
        (void)!send(client->fd, answer.at, answer.len, MSG_NOSIGNAL | MSG_DONTWAIT);
    buf_free(&answer);
}

static void start_listening(struct inbox *inbox, struct client *client)
{
    if (client->listens)
        return;
    client->listens = true;
    inbox->options.listens(inbox->options.ctx);
}

/* `client`: NULL for the file, which asks for nothing. */
static void line_ends(struct inbox *inbox, const struct partial *line, struct client *client)
{
    const struct inbox_options *o = &inbox->options;
    struct str text = {line->text, line->len};
    bool of_file = client == NULL;

    if (line->skip)
        o->refused(o->ctx, of_file, "the line is longer than 4096 bytes");
    else if (!of_file && is_request(text, STR(STOP_LINE)))
        o->stop(o->ctx);
    else if (!of_file && is_request(text, STR(LISTEN_LINE)))
        start_listening(inbox, client);
    else if (!of_file && starts_request(text, STR("{\"stint\":")) && client->fd >= 0)
        answer_request(inbox, client, text);
    else if (line->len > 0)
        o->line(o->ctx, text, of_file);
}

/* Bytes into lines. */
static void take_inbox_line(struct inbox *inbox, struct client *client, const char *from,
                            size_t len)
{
    struct partial *line = client != NULL ? &client->line : &inbox->file_line;

    for (const char *end = from + len; from < end;) {
        const char *stop = memchr(from, '\n', (size_t)(end - from));
        size_t part = (size_t)((stop != NULL ? stop : end) - from);

        if (line->len + part > sizeof line->text)
            line->skip = true;
        if (!line->skip) {
            memcpy(line->text + line->len, from, part);
            line->len += part;
        }
        if (stop == NULL)
            return;
        line_ends(inbox, line, client);
        *line = (struct partial){.len = 0};
        from = stop + 1;
    }
}

/* The folders for sockets: the session's own (NULL: it has none that will do), else one below
 * /tmp that only we may enter. */
static const char *session_folder(void)
{
    const char *folder = env_get("XDG_RUNTIME_DIR");

    return folder == NULL || folder[0] != '/' || access(folder, W_OK) != 0 ||
                   strlen(folder) > 50
               ? NULL
               : folder;
}

#define OWN_FOLDER 64
static void own_inbox_folder(char to[static OWN_FOLDER])
{
    (void)snprintf(to, OWN_FOLDER, "/tmp/stint-%lu", (unsigned long)getuid());
}

static bool address_in(const char *folder, struct str id, struct sockaddr_un *out)
{
    int len;

    *out = (struct sockaddr_un){.sun_family = AF_UNIX};
    len = snprintf(out->sun_path, sizeof out->sun_path, "%s/stint-%.*s.sock", folder,
                   STR_ARG(id));
    return len > 0 && (size_t)len < sizeof out->sun_path;
}

static bool refuse_inbox_folder(struct inbox *inbox, const char *folder, const char *why)
{
    (void)snprintf(inbox->trouble, sizeof inbox->trouble, "'%s' %s", folder, why);
    return false;
}

/* Our own folder, made when it is not there. Another user's of that name is not to be
 * trusted. */
static bool make_own(struct inbox *inbox, const char *own)
{
    struct stat st;

    if (mkdir(own, 0700) != 0 && errno != EEXIST)
        return refuse_inbox_folder(inbox, own, strerror(errno));
    if (lstat(own, &st) != 0)
        return refuse_inbox_folder(inbox, own, strerror(errno));
    if (!S_ISDIR(st.st_mode))
        return refuse_inbox_folder(inbox, own, "is not a folder");
    if (st.st_uid != getuid())
        return refuse_inbox_folder(inbox, own, "belongs to another user");
    return access(own, W_OK | X_OK) == 0 || refuse_inbox_folder(inbox, own, strerror(errno));
}

static bool socket_path(struct inbox *inbox, char folder[static FOLDER_ROOM])
{
    const char *session = session_folder();
    char own[OWN_FOLDER];

    own_inbox_folder(own);
    if (session == NULL && !make_own(inbox, own))
        return false;
    (void)snprintf(folder, FOLDER_ROOM, "%s", session != NULL ? session : own);
    return address_in(folder, str_from(inbox->options.id), &inbox->address) ||
           refuse_inbox_folder(inbox, folder, "is too long a name for a socket");
}

/* Is it "stint-ID.sock"? */
static bool is_socket_name(const char *name)
{
    struct str text = str_from(name);

    return str_starts(text, STR("stint-")) && str_ends(text, STR(".sock"));
}

/* Does nothing listen there any more? Of one that is being made this is not known. */
static bool is_stale(int folder, const char *path, const char *name, int64_t oldest_ns)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct stat st;
    int fd;
    bool refused;

    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISSOCK(st.st_mode) ||
        st.st_uid != getuid() || (int64_t)st.st_ctim.tv_sec * INT64_C(1000000000) > oldest_ns ||
        (size_t)snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", path, name) >=
            sizeof address.sun_path)
        return false;
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    refused = fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) != 0 &&
              errno == ECONNREFUSED;
    if (fd >= 0)
        (void)close(fd);
    return refused;
}

/* Killed runs cannot remove theirs. That of an earlier attempt at this very run is ours,
 * however young it is. */
static void remove_stale_inbox(const struct inbox *inbox, const char *path)
{
    const char *own = inbox->address.sun_path + strlen(path) + 1;
    DIR *list = opendir(path);
    const struct dirent *entry;
    int64_t oldest = clock_file_ns() - STALE_NS;

    if (list != NULL && is_stale(dirfd(list), path, own, INT64_MAX))
        (void)unlinkat(dirfd(list), own, 0);

    for (int seen = 0; list != NULL && seen < STALE_MOST && (entry = readdir(list)) != NULL;) {
        if (!is_socket_name(entry->d_name))
            continue;
        seen++;
        if (is_stale(dirfd(list), path, entry->d_name, oldest))
            (void)unlinkat(dirfd(list), entry->d_name, 0);
    }
    if (list != NULL)
        (void)closedir(list);
}

static bool listen_here(struct inbox *inbox)
{
    struct epoll_event event = {.events = EPOLLIN, .data = {.u32 = INBOX_CLIENTS}};

    inbox->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    inbox->poll = epoll_create1(EPOLL_CLOEXEC);
    inbox->bound = inbox->listener >= 0 && inbox->poll >= 0 &&
                   bind(inbox->listener, (const struct sockaddr *)&inbox->address,
                        sizeof inbox->address) == 0;
    return inbox->bound && chmod(inbox->address.sun_path, 0600) == 0 &&
           listen(inbox->listener, 16) == 0 &&
           epoll_ctl(inbox->poll, EPOLL_CTL_ADD, inbox->listener, &event) == 0;
}

static void close_socket(struct inbox *inbox)
{
    if (inbox->listener >= 0) {
        (void)close(inbox->listener);
        if (inbox->bound) /* not one that another made */
            (void)unlink(inbox->address.sun_path);
    }
    if (inbox->poll >= 0)
        (void)close(inbox->poll);
    inbox->listener = inbox->poll = -1;
}

static void open_inbox_socket(struct inbox *inbox)
{
    char folder[FOLDER_ROOM];

    if (!socket_path(inbox, folder))
        return;
    remove_stale_inbox(inbox, folder);
    if (listen_here(inbox))
        return;
    (void)refuse_inbox_folder(inbox, folder, strerror(errno));
    close_socket(inbox);
}

struct inbox *inbox_open(const struct inbox_options *options, const struct alloc *alloc,
                         struct error *err)
{
    struct inbox *inbox = alloc->get(alloc->ctx, sizeof *inbox);

    if (inbox == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    memset(inbox, 0, sizeof *inbox);
    inbox->alloc = alloc;
    inbox->options = *options;
    inbox->listener = inbox->poll = inbox->file = -1;
    inbox->file_at = -1;
    for (size_t i = 0; i < INBOX_CLIENTS; i++)
        inbox->clients[i].fd = -1;
    open_inbox_socket(inbox);
    inbox_look(inbox); /* what is in the file already is of another run */
    return inbox;
}

const char *inbox_path(const struct inbox *inbox)
{
    return inbox->listener >= 0 ? inbox->address.sun_path : NULL;
}

const char *inbox_trouble(const struct inbox *inbox)
{
    return inbox->trouble;
}

bool inbox_has_file(const struct inbox *inbox)
{
    return inbox->file >= 0;
}

int inbox_fd(const struct inbox *inbox)
{
    return inbox->poll;
}

static void accept_peer(struct inbox *inbox)
{
    int fd = accept4(inbox->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    if (fd < 0)
        return;
    for (uint32_t i = 0; i < INBOX_CLIENTS; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data = {.u32 = i}};

        if (inbox->clients[i].fd >= 0)
            continue;
        if (epoll_ctl(inbox->poll, EPOLL_CTL_ADD, fd, &event) != 0)
            break;
        inbox->clients[i] = (struct client){.fd = fd};
        return;
    }
    (void)close(fd); /* too many: a closed socket shows it */
}

static void disconnect_client(struct client *client)
{
    if (client->fd >= 0)
        (void)close(client->fd);
    client->fd = -1;
    client->listens = false;
}

static void read_peer(struct inbox *inbox, struct client *client)
{
    char text[8192];
    ssize_t got = read(client->fd, text, sizeof text);

    if (got > 0) {
        take_inbox_line(inbox, client, text, (size_t)got);
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        take_inbox_line(inbox, client, "\n", 1); /* a last line without its end counts */
        disconnect_client(client);
    }
}

/* Read what has arrived. False when there was nothing. */
static bool read_inbox_events(struct inbox *inbox)
{
    struct epoll_event events[8];
    int count = epoll_wait(inbox->poll, events, (int)ARRAY_LEN(events), 0);

    for (int i = 0; i < count; i++) {
        if (events[i].data.u32 == INBOX_CLIENTS)
            accept_peer(inbox);
        else
            read_peer(inbox, &inbox->clients[events[i].data.u32]);
    }
    return count > 0;
}

size_t inbox_listeners(const struct inbox *inbox)
{
    size_t count = 0;

    for (size_t i = 0; inbox != NULL && i < INBOX_CLIENTS; i++)
        count += inbox->clients[i].listens;
    return count;
}

void inbox_tell(struct inbox *inbox, struct str line)
{
    char text[INBOX_LINE];
    size_t len = line.len + 1;

    if (len > sizeof text)
        return;
    memcpy(text, line.at, line.len);
    text[line.len] = '\n';
    for (size_t i = 0; i < INBOX_CLIENTS; i++) {
        struct client *client = &inbox->clients[i];

        /* A part of a line would make nonsense of the next one. */
        if (client->listens &&
            send(client->fd, text, len, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)len)
            disconnect_client(client);
    }
}

void inbox_ready(struct inbox *inbox)
{
    (void)read_inbox_events(inbox);
}

void inbox_drain(struct inbox *inbox)
{
    for (int rounds = 0; rounds < DRAIN_ROUNDS && read_inbox_events(inbox); rounds++)
        continue;
}

void inbox_look(struct inbox *inbox)
{
    bool first = inbox->file_at < 0;
    struct stat st;
    char text[8192];
    ssize_t got;

    if (inbox->options.file == NULL)
        return;
    if (inbox->file < 0)
        inbox->file = open(inbox->options.file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (inbox->file < 0 || fstat(inbox->file, &st) != 0) {
        inbox->file_at = first ? 0 : inbox->file_at; /* it comes later: from its start on */
        return;
    }
    if (first)
        inbox->file_at = st.st_size;
    if (st.st_size < inbox->file_at) /* begun again */
        inbox->file_at = 0;
    for (size_t total = 0; total < FILE_MOST; total += (size_t)got) {
        got = pread(inbox->file, text, sizeof text, inbox->file_at);
        if (got <= 0)
            return;
        inbox->file_at += got;
        take_inbox_line(inbox, NULL, text, (size_t)got);
    }
}

void inbox_close(struct inbox *inbox)
{
    if (inbox == NULL)
        return;
    for (size_t i = 0; i < INBOX_CLIENTS; i++)
        disconnect_client(&inbox->clients[i]);
    if (inbox->file >= 0)
        (void)close(inbox->file);
    close_socket(inbox);
    inbox->alloc->put(inbox->alloc->ctx, inbox);
}

static bool ask_at(const char *folder, struct str id)
{
    struct sockaddr_un address;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool ok =
        fd >= 0 && address_in(folder, id, &address) &&
        connect(fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
        send(fd, STOP_LINE "\n", sizeof STOP_LINE, MSG_NOSIGNAL) == (ssize_t)sizeof STOP_LINE;

    if (fd >= 0)
        (void)close(fd);
    return ok;
}

bool inbox_ask_stop(struct str id, struct error *err)
{
    /* The run may have been started in a session with another folder than ours. */
    const char *session = session_folder();
    char own[OWN_FOLDER], login[OWN_FOLDER];

    own_inbox_folder(own);
    (void)snprintf(login, sizeof login, "/run/user/%lu", (unsigned long)getuid());
    return (session != NULL && ask_at(session, id)) || ask_at(own, id) || ask_at(login, id) ||
           error_fail(err, ERROR_ABSENT, "no supervisor listens for this run");
}

bool inbox_answers(struct str path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool ok = fd >= 0 && path.len < sizeof address.sun_path;

    if (ok) {
        memcpy(address.sun_path, path.at, path.len);
        ok = connect(fd, (const struct sockaddr *)&address, sizeof address) == 0;
    }
    if (fd >= 0)
        (void)close(fd);
    return ok;
}

/* By its socket, so that the supervisor takes the guards' steps: a checkpoint, SIGTERM,
 * SIGKILL. One without a socket passes SIGTERM on. The signal goes to the process of the
 * handle: its number may belong to another one by then. */
bool run_stop(const struct live_run *run, struct error *err)
{
    const struct ledger_start *start = &run->run.start;
    struct error ignored;
    bool ours;
    int handle;

    if (run->pid <= 0)
        return error_fail(err, ERROR_FAILED, "'%.*s' runs on %.*s: stop it there",
                          STR_ARG(start->name), STR_ARG(run->host));
    handle = (int)syscall(SYS_pidfd_open, (pid_t)run->pid, 0);
    ours = handle >= 0 && run->pid_started >= 0 && process_start(run->pid) == run->pid_started;
    if (!ours) {
        error_set(err, ERROR_ABSENT, "'%.*s' has ended", STR_ARG(start->name));
    } else if (!inbox_ask_stop(str_from(start->id), &ignored) &&
               syscall(SYS_pidfd_send_signal, handle, SIGTERM, NULL, 0) != 0) {
        error_system(err, errno, "cannot stop '%.*s'", STR_ARG(start->name));
        ours = false;
    }
    if (handle >= 0)
        (void)close(handle);
    return ours;
}
