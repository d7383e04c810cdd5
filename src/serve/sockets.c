/* Where the server listens: at addresses of its own, or at sockets that systemd has opened. One
 * that others reach needs TLS, or the word that something before it has. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/num.h"
#include "serve/internal.h"

#define BACKLOG 511
#define SYSTEMD_FIRST 3 /* the number of the first socket that systemd passes on */

static bool is_loopback(const struct sockaddr *address)
{
    union {
        const struct sockaddr *any;
        const struct sockaddr_in *v4;
        const struct sockaddr_in6 *v6;
    } a = {.any = address};

    if (address->sa_family == AF_INET)
        return (ntohl(a.v4->sin_addr.s_addr) >> 24) == 127;
    return address->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&a.v6->sin6_addr);
}

/* "127.0.0.1:8712" -> host and port. */
static bool split_address(struct str text, char host[static 128],
                          char port[static SOCKETS_PORT], struct error *err)
{
    struct str end = str_after_last(text, ':');
    int64_t number;

    if (end.len == text.len || !num_int(end, &number) || number < 0 || number > 65535) {
        error_set(err, ERROR_USAGE, "--listen: '%.*s' is not an address and a port",
                  STR_ARG(text));
        error_hint(err, "write " SOCKETS_DEFAULT ", [::1]:8712, or :8712 for every address");
        return false;
    }
    text.len -= end.len + 1;
    if (text.len > 1 && text.at[0] == '[')
        text = (struct str){text.at + 1, text.len - 2};
    str_copy(text, host, 128);
    (void)snprintf(port, SOCKETS_PORT, "%lld", (long long)number);
    return true;
}

static int listen_on(const struct addrinfo *a)
{
    int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;
    int problem;

    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        (a->ai_family != AF_INET6 ||
         setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) == 0) &&
        bind(fd, a->ai_addr, a->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    problem = errno;
    if (fd >= 0)
        (void)close(fd);
    errno = problem;
    return -1;
}

/* For an address that others reach: false, with the error, without TLS. */
static bool check_reachable(const struct serve_request *req, struct str address,
                            struct error *err)
{
    if (req->key.len > 0 || req->unencrypted)
        return true;
    error_set(err, ERROR_USAGE, "others can reach '%.*s': tokens would be sent unencrypted",
              STR_ARG(address));
    error_hint(err, "add --certificate FILE --key FILE, or --unencrypted behind a proxy");
    return false;
}

static size_t close_sockets(const int *fds, size_t count)
{
    while (count > 0)
        (void)close(fds[--count]);
    return 0;
}

static void cannot_listen(int problem, struct error *err)
{
    error_system(err, problem, "cannot listen there");
    if (problem == EADDRINUSE)
        error_hint(err, "another program does; name another port: --listen 127.0.0.1:8713");
}

/* Every address that the name has ("localhost" has two), but one where any port will do: two
 * would have two ports. Kinds of addresses that this machine does not have are left out. */
static size_t listen_on_all(const struct serve_request *req, const struct addrinfo *found,
                            bool any_port, int fds[static SOCKETS_MOST], struct error *err)
{
    size_t count = 0, most = any_port ? 1 : SOCKETS_MOST;
    int problem = EADDRNOTAVAIL;

    for (const struct addrinfo *a = found; a != NULL && count < most; a = a->ai_next) {
        if (!is_loopback(a->ai_addr) && !check_reachable(req, req->listen, err))
            return close_sockets(fds, count);
        fds[count] = listen_on(a);
        if (fds[count] >= 0) {
            count++;
            continue;
        }
        problem = errno;
        if (problem != EAFNOSUPPORT && problem != EADDRNOTAVAIL) {
            cannot_listen(problem, err);
            return close_sockets(fds, count);
        }
    }
    if (count == 0)
        cannot_listen(problem, err);
    return count;
}

static size_t open_own(const struct serve_request *req, int fds[static SOCKETS_MOST],
                       struct error *err)
{
    struct addrinfo want = {.ai_flags = AI_PASSIVE, .ai_socktype = SOCK_STREAM}, *found = NULL;
    char host[128], port[SOCKETS_PORT];
    size_t count;
    int problem;

    if (!split_address(req->listen, host, port, err))
        return 0;
    problem = getaddrinfo(host[0] != '\0' ? host : NULL, port, &want, &found);
    if (problem != 0) {
        error_set(err, ERROR_USAGE, "--listen: '%s': %s", host, gai_strerror(problem));
        return 0;
    }
    count = listen_on_all(req, found, strcmp(port, "0") == 0, fds, err);
    freeaddrinfo(found);
    return count;
}

/* Sockets that systemd has opened for us; 0: none. */
static size_t systemd_sockets(void)
{
    const char *pid = env_get("LISTEN_PID"), *count = env_get("LISTEN_FDS");
    int64_t number;

    if (pid == NULL || count == NULL || !num_int(str_from(pid), &number) ||
        number != (int64_t)getpid() || !num_int(str_from(count), &number) || number < 1)
        return 0;
    return number < SOCKETS_MOST ? (size_t)number : SOCKETS_MOST;
}

/* "0.0.0.0:8712", "[::]:8712" */
static struct str write_address(const struct sockaddr *at, socklen_t size, char *text,
                                size_t room)
{
    char host[96] = "?", port[SOCKETS_PORT] = "?";

    (void)getnameinfo(at, size, host, sizeof host, port, sizeof port,
                      NI_NUMERICHOST | NI_NUMERICSERV);
    (void)snprintf(text, room, strchr(host, ':') != NULL ? "[%s]:%s" : "%s:%s", host, port);
    return str_from(text);
}

/* They are ours alone; and one that others reach needs TLS, as one that we open does. */
static bool adopt_sockets(const struct serve_request *req, const int *fds, size_t count,
                          struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        struct sockaddr_storage at = {0};
        socklen_t size = sizeof at;
        char text[128];
        union {
            struct sockaddr_storage *all;
            struct sockaddr *any;
        } a = {.all = &at};

        if (getsockname(fds[i], a.any, &size) != 0 || fcntl(fds[i], F_SETFD, FD_CLOEXEC) != 0 ||
            fcntl(fds[i], F_SETFL, O_NONBLOCK) != 0) {
            error_system(err, errno, "the socket from systemd is not usable");
            return false;
        }
        if (at.ss_family != AF_UNIX && !is_loopback(a.any) &&
            !check_reachable(req, write_address(a.any, size, text, sizeof text), err))
            return false;
    }
    return true;
}

size_t sockets_open(const struct serve_request *req, int fds[static SOCKETS_MOST],
                    struct error *err)
{
    size_t passed = systemd_sockets();

    if (passed == 0)
        return open_own(req, fds, err);
    for (size_t i = 0; i < passed; i++)
        fds[i] = SYSTEMD_FIRST + (int)i;
    return adopt_sockets(req, fds, passed, err) ? passed : 0;
}

/* The name of a certificate is the first that we were given. */
static void name_host(const struct serve_request *req, char *host, size_t size)
{
    struct str name = req->key.len > 0 && req->names.len > 0 ? req->names.at[0] : STR("");

    if (name.len > 0)
        str_copy(str_cut(&name, ':'), host, size);
    else if (strcmp(host, "0.0.0.0") == 0)
        str_copy(STR("127.0.0.1"), host, size);
    else if (strcmp(host, "::") == 0)
        str_copy(STR("::1"), host, size);
}

void sockets_address(struct server *s, int fd, char port[static SOCKETS_PORT])
{
    struct sockaddr_storage at = {0};
    socklen_t size = sizeof at;
    char host[96] = "127.0.0.1";
    union {
        struct sockaddr_storage *all;
        struct sockaddr *any;
    } a = {.all = &at};

    if (getsockname(fd, a.any, &size) == 0)
        (void)getnameinfo(a.any, size, host, sizeof host, port, SOCKETS_PORT,
                          NI_NUMERICHOST | NI_NUMERICSERV);
    s->everywhere = strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0;
    name_host(&s->request, host, sizeof host);
    (void)snprintf(s->address, sizeof s->address,
                   strchr(host, ':') != NULL ? "%s://[%s]:%s" : "%s://%s:%s",
                   s->request.key.len > 0 ? "https" : "http", host, port);
}
