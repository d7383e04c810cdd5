/* part_internal.h - what the files of the part `net` share. */
#ifndef NET_PART_INTERNAL_H
#define NET_PART_INTERNAL_H

#include <curl/curl.h>

#include "net/net_part.h"

/* ---- http_part.c ---- */

/* How a transfer ended, by libcurl's word for it. */
enum net_end part_end(CURLcode code);
bool part_limits(CURL *curl, span connect, span stalled, span altogether);

/* Without SIGPIPE. */
CURLcode part_perform(CURL *curl);

/* ---- smtp_part.c ---- */

enum net_end part_mail(void *session, const struct net_mail *mail, struct net_answer *out);
bool part_hmac(struct str key, const struct str *texts, size_t count,
               unsigned char out[static NET_DIGEST]);

#endif
