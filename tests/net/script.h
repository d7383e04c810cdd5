/* script.h - the script of the tests' server: server.c explains the language. */
#ifndef TESTS_NET_SCRIPT_H
#define TESTS_NET_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#define REQUEST 262144 /* bytes of one request */

struct rule {
    char method[8], path[512], query[512];
    int status;
    char headers[2048], when[256], ask[256];
    bool when_not, gzip, endless, garbage, limited, nevertheless;
    char *body;
    size_t body_len;
    long times, delay, cut, dribble, length, wide, many;
};

struct request {
    char text[REQUEST + 1];
    size_t len;
    char method[8], target[8192];
    char *head_end, *body;
};

/* Print the error and exit. */
_Noreturn void fail(const char *what, const char *which);

/* Read the rules; {port} in them is `port`. */
void read_script(const char *script, unsigned port);

/* The rule that answers, or NULL. It counts as used. */
const struct rule *find_rule(const struct request *req);

#endif
