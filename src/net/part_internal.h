/* part_internal.h - what the files of the loadable part `net` share. */
#ifndef NET_PART_INTERNAL_H
#define NET_PART_INTERNAL_H

#include <curl/curl.h>

#include "net/net_part.h"

void net_part_start(void); /* libcurl, once */

/* How a transfer ended, by libcurl's word for it. */
enum net_end net_part_end(CURLcode code);

/* Trust `named`, a file of certificates, or what this system trusts (NULL). */
bool net_part_trust(CURL *curl, const char *named);

/* ---- streams_part.c ---- */

struct stream_set *net_part_streams_open(const struct streams_place *place,
                                         const char *const *headers, size_t header_count,
                                         const struct streams_events *events);
bool net_part_streams_send(struct stream_set *streams, struct str body, void *stream);
bool net_part_streams_wait(struct stream_set *streams, instant until);
void net_part_streams_close(struct stream_set *streams);

#endif
