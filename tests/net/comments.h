/* comments.h - comments of one request on a forge, as the APIs of GitHub and GitLab serve
 * them. */
#ifndef TESTS_NET_COMMENTS_H
#define TESTS_NET_COMMENTS_H

#include "script.h"

/* "github" or "gitlab", with so many comments of others. */
void forge_open(const char *kind, int others);

/* The answer of the forge; false when there is none, or it does not know the address. The body
 * is freed by the next call. */
bool forge_answer(const struct request *req, unsigned port, struct rule *out);

#endif
