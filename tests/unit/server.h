/* server.h - the scripted web server of tests/net/server.c, for one test at a time. */
#ifndef TESTS_SERVER_H
#define TESTS_SERVER_H

#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct server {
    char folder[64];
    pid_t pid;
    int leash; /* the server ends when it is closed */
    unsigned port;
};

static struct server server;

static inline const char *server_file(const char *name)
{
    static char path[2][128];
    static unsigned turn;

    turn ^= 1;
    (void)snprintf(path[turn], sizeof path[turn], "%s/%s", server.folder, name);
    return path[turn];
}

/* Become the program, in the emulator that meson names in a build for another architecture. */
static inline void server_exec(const char *program)
{
    const char *emulator = getenv("MESON_EXE_WRAPPER");
    const char *script = server_file("script"), *log = server_file("log");

    if (emulator != NULL)
        (void)execl(emulator, emulator, program, script, log, (char *)NULL);
    else
        (void)execl(program, program, script, log, (char *)NULL);
    _exit(127);
}

/* Run it on this script; tests call it once. */
static inline void server_start(const char *script)
{
    const char *program = getenv("STINT_TEST_SERVER");
    char port[16] = "";
    int in[2], out[2];
    FILE *file;

    assert_non_null(program);
    file = fopen(server_file("script"), "w");
    assert_non_null(file);
    assert_true(fputs(script, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    server.pid = fork();
    assert_true(server.pid >= 0);
    if (server.pid == 0) {
        (void)dup2(in[0], 0);
        (void)dup2(out[1], 1);
        server_exec(program);
    }
    (void)close(in[0]);
    (void)close(out[1]);
    server.leash = in[1];
    assert_true(read(out[0], port, sizeof port - 1) > 0);
    (void)close(out[0]);
    server.port = (unsigned)strtoul(port, NULL, 10);
    assert_true(server.port > 0);
}

/* "http://HOST:PORT" with what follows, until eight calls later. */
static inline const char *server_url_at(const char *host, const char *rest)
{
    static char urls[8][512];
    static unsigned next;
    char *url = urls[next++ % 8];

    (void)snprintf(url, sizeof urls[0], "http://%s:%u%s", host, server.port, rest);
    return url;
}

static inline const char *server_url(const char *rest)
{
    return server_url_at("127.0.0.1", rest);
}

/* The requests so far, until the next call. */
static inline const char *server_log(void)
{
    static char text[65536];
    FILE *file = fopen(server_file("log"), "r");
    size_t len = 0;

    if (file != NULL) {
        len = fread(text, 1, sizeof text - 1, file);
        (void)fclose(file);
    }
    text[len] = '\0';
    return text;
}

/* How often `text` occurs in the requests so far. */
static inline unsigned server_count(const char *text)
{
    unsigned count = 0;

    for (const char *at = server_log(); (at = strstr(at, text)) != NULL; at += strlen(text))
        count++;
    return count;
}

static inline int server_setup(void **state)
{
    (void)state;
    server = (struct server){.leash = -1};
    (void)snprintf(server.folder, sizeof server.folder, "/tmp/stint-net-XXXXXX");
    return mkdtemp(server.folder) == NULL;
}

static inline int server_teardown(void **state)
{
    char command[200];

    (void)state;
    if (server.pid > 0) {
        (void)close(server.leash);
        (void)kill(server.pid, SIGKILL);
        (void)waitpid(server.pid, NULL, 0);
    }
    (void)snprintf(command, sizeof command, "rm -r %s", server.folder);
    return system(command);
}

#endif
