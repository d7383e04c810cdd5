/* address.h - addresses that alerts are not sent to. Pure. */
#ifndef NET_ADDRESS_H
#define NET_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

#include "base/str.h"

/* Link-local addresses, and others at which clouds answer with the keys of the machine: for
 * this machine alone, never for a message. IPv4 inside IPv6 counts as the IPv4 address. */
bool address_is_metadata(const struct sockaddr *address);

/* The same for a host as it is written in an address: "169.254.169.254", "[fe80::1]",
 * "2852039166". A name is none: what it means is known when it has been looked up. */
bool address_text_is_metadata(struct str host);

#endif
