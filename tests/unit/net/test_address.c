#include "test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "net/address.h"

static bool looked_up(const char *text)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
    struct sockaddr_storage any = {0};

    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1)
        memcpy(&any, &v4, sizeof v4);
    else if (inet_pton(AF_INET6, text, &v6.sin6_addr) == 1)
        memcpy(&any, &v6, sizeof v6);
    return address_is_metadata((const struct sockaddr *)&any);
}

static void test_what_a_name_leads_to(void **state)
{
    static const char *const refused[] = {
        "169.254.169.254",    "169.254.0.1",          "169.254.255.255",
        "100.100.100.200",    "192.0.0.192",          "fe80::1",
        "febf::ffff",         "fd00:ec2::254",        "::169.254.1.1",
        "::ffff:169.254.1.1", "64:ff9b::169.254.1.1", "2002:a9fe:a9fe::1",
    };
    static const char *const allowed[] = {
        "127.0.0.1", "::1",         "169.253.1.1",     "169.255.1.1",
        "10.0.0.1",  "192.168.1.1", "fec0::1",         "fd00:ec2::1",
        "fd00::1",   "2001:db8::1", "::ffff:10.0.0.1",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(refused); i++)
        if (!looked_up(refused[i]))
            fail_msg("%s", refused[i]);
    for (size_t i = 0; i < ARRAY_LEN(allowed); i++)
        if (looked_up(allowed[i]))
            fail_msg("%s", allowed[i]);
}

static void test_hosts_as_they_are_written(void **state)
{
    static const char *const refused[] = {
        "169.254.169.254", "[fe80::1]",     "2852039166",         "[::ffff:169.254.169.254]",
        "0xa9fea9fe",      "169.254.43518", "0251.0376.0251.0376"};
    static const char *const allowed[] = {
        "localhost", "169.254.169.254.example.org", "[::1]", "", "[", "10.0.0.1"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(refused); i++)
        if (!address_text_is_metadata(str_from(refused[i])))
            fail_msg("%s", refused[i]);
    for (size_t i = 0; i < ARRAY_LEN(allowed); i++)
        if (address_text_is_metadata(str_from(allowed[i])))
            fail_msg("%s", allowed[i]);
}

int group_address(void);

int group_address(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_name_leads_to),
        cmocka_unit_test(test_hosts_as_they_are_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
