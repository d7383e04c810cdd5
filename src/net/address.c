#include "net/address.h"

#include <netdb.h>
#include <netinet/in.h>
#include <string.h>

#include "base/attr.h"

static bool v4_is_metadata(const unsigned char a[static 4])
{
    static const unsigned char alone[][4] = {{100, 100, 100, 200}, {192, 0, 0, 192}};

    for (size_t i = 0; i < ARRAY_LEN(alone); i++)
        if (memcmp(a, alone[i], 4) == 0)
            return true;
    return a[0] == 169 && a[1] == 254;
}

static bool v6_is_metadata(const unsigned char a[static 16])
{
    static const unsigned char ec2[16] = {0xfd, 0x00, 0x0e, 0xc2, [14] = 0x02, 0x54};
    static const unsigned char within[][12] = {
        {0},                      /* ::a.b.c.d */
        {[10] = 0xff, 0xff},      /* ::ffff:a.b.c.d */
        {0x00, 0x64, 0xff, 0x9b}, /* 64:ff9b::a.b.c.d */
    };

    for (size_t i = 0; i < ARRAY_LEN(within); i++)
        if (memcmp(a, within[i], 12) == 0 && v4_is_metadata(a + 12))
            return true;
    return (a[0] == 0xfe && (a[1] & 0xc0) == 0x80) || memcmp(a, ec2, 16) == 0 ||
           (a[0] == 0x20 && a[1] == 0x02 && v4_is_metadata(a + 2)); /* 2002:a.b:c.d:: */
}

bool address_is_metadata(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        struct sockaddr_in in;

        memcpy(&in, address, sizeof in);
        return v4_is_metadata((const unsigned char *)&in.sin_addr);
    }
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 in;

        memcpy(&in, address, sizeof in);
        return v6_is_metadata(in.sin6_addr.s6_addr);
    }
    return false;
}

bool address_text_is_metadata(struct str host)
{
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char text[64];
    bool is;

    if (host.len > 1 && host.at[0] == '[')
        host = (struct str){host.at + 1, host.len - 2};
    if (host.len == 0 || host.len >= sizeof text)
        return false;
    str_copy(host, text, sizeof text);
    if (getaddrinfo(text, NULL, &hints, &found) != 0)
        return false;
    is = address_is_metadata(found->ai_addr);
    freeaddrinfo(found);
    return is;
}
