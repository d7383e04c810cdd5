/* engines.h - the same tests on SQLite and on the test's own PostgreSQL server. */
#ifndef TESTS_LEDGER_ENGINES_H
#define TESTS_LEDGER_ENGINES_H

#include "tap.h"
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The address of the server while tests run on it; NULL: SQLite. */
static const char *test_server;
static char server_address[160], server_folder[64];
static pid_t server_owner;

/* tests/ledger/postgres.sh; its first line of output into `to`. Its exit status. */
static inline int server_script(const char *what, char *to, size_t room)
{
    const char *root = getenv("STINT_SOURCE_ROOT");
    char command[600];
    FILE *out;
    int status;

    (void)snprintf(command, sizeof command, "sh '%s/tests/ledger/postgres.sh' %s '%s'",
                   root != NULL ? root : ".", what, server_folder);
    if (strcmp(what, "start") == 0) /* it ends with this program */
        (void)snprintf(command + strlen(command), sizeof command - strlen(command), " %d",
                       (int)getpid());
    out = popen(command, "r");
    if (out == NULL)
        return -1;
    if (to != NULL && fgets(to, (int)room, out) != NULL)
        to[strcspn(to, "\n")] = '\0';
    status = pclose(out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Execute SQL on the server as superuser. True on success. */
static inline bool server_does(const char *sql)
{
    char command[1200];

    (void)snprintf(command, sizeof command,
                   "psql -qX -v ON_ERROR_STOP=1 -d '%s' -c \"%s\" 2>&1", server_address, sql);
    return system(command) == 0;
}

/* Start a server, or count a skipped test and return false. */
static inline bool server_start(void)
{
    (void)snprintf(server_folder, sizeof server_folder, "/tmp/stint-postgres-XXXXXX");
    if (mkdtemp(server_folder) == NULL)
        return false;
    server_owner = getpid();
    if (server_script("start", server_address, sizeof server_address) == 0)
        return true;
    tap_skipped("on PostgreSQL", "it is not installed, or does not start");
    (void)rmdir(server_folder);
    return false;
}

/* By the process that started it: tests fork. */
static inline void server_stop(void)
{
    if (server_owner == getpid())
        (void)server_script("stop", NULL, 0);
}

/* Likewise, but the one that an earlier group of this program started, which ends with the
 * program: making one takes longer than most groups. Names are passed on in the environment,
 * since each group is a file of its own. */
static inline bool server_share(void)
{
    const char *address = getenv("STINT_TEST_POSTGRES");

    if (address != NULL) {
        (void)snprintf(server_address, sizeof server_address, "%s", address);
        return true;
    }
    return server_start() && atexit(server_stop) == 0 &&
           setenv("STINT_TEST_POSTGRES", server_address, 1) == 0;
}

static inline int sqlite_setup(CMFixtureFunction make)
{
    test_server = NULL;
    return make(NULL);
}

static inline int server_setup(CMFixtureFunction make)
{
    test_server = server_address;
    return server_does("SET client_min_messages TO error; DROP SCHEMA IF EXISTS stint CASCADE")
               ? make(NULL)
               : 1;
}

/* All of them on a server alone, which is theirs: they make roles and stop it. */
static inline int server_tests(const struct CMUnitTest *tests, size_t count)
{
    int failed;

    if (!server_start())
        return 0;
    failed = _cmocka_run_group_tests("tests", tests, count, NULL, NULL);
    server_stop();
    return failed;
}

#define ENGINE_TESTS 64

/* Those of `tests` whose setup is `both` run twice; the others once. `on_server` is the setup
 * for the second time. */
static inline int engine_tests(const struct CMUnitTest *tests, size_t count,
                               CMFixtureFunction both, CMFixtureFunction on_server)
{
    static struct CMUnitTest all[ENGINE_TESTS];
    static char names[ENGINE_TESTS][120];
    size_t len = 0;
    bool server = server_share();

    for (size_t i = 0; i < count && len < ENGINE_TESTS; i++)
        if (server || tests[i].setup_func != on_server)
            all[len++] = tests[i];
    for (size_t i = 0; server && i < count; i++) {
        if (tests[i].setup_func != both)
            continue;
        assert_true(len < ENGINE_TESTS);
        (void)snprintf(names[len], sizeof names[len], "%s on PostgreSQL", tests[i].name);
        all[len] = tests[i];
        all[len].name = names[len];
        all[len++].setup_func = on_server;
    }
    return _cmocka_run_group_tests("tests", all, len, NULL, NULL);
}

#endif
