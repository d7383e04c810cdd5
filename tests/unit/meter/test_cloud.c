/* meter/cloud.h: each cloud by its machines' firmware, and similar machines that are none. */
#include "meter/cloud.h"

#include "machine.h"

#define DMI "/sys/class/dmi/id/"

static int forget(void **state)
{
    (void)state;
    (void)unsetenv("RUNPOD_POD_ID");
    (void)unsetenv("RUNPOD_DC_ID");
    (void)unsetenv("VAST_CONTAINERLABEL");
    return 0;
}

static void nitro(void **state)
{
    struct machine m = machine_new();
    struct cloud_facts facts;

    (void)state;
    machine_put(&m, DMI "sys_vendor", "Amazon EC2\n");
    machine_put(&m, DMI "product_name", "g5.xlarge\n");
    machine_put(&m, DMI "board_asset_tag", "i-0123456789abcdef0\n");
    cloud_recognize(m.root, &facts);
    assert_int_equal(facts.cloud, CLOUD_AWS);
    assert_string_equal(facts.provider.at, "aws");
    assert_string_equal(facts.because, "/sys/class/dmi/id/sys_vendor says Amazon EC2");
    assert_string_equal(facts.instance, "g5.xlarge");
    assert_string_equal(facts.id, "i-0123456789abcdef0");
    /* A product that is not an instance type is not reported as one. */
    machine_put(&m, DMI "product_name", "Not a Type\n");
    cloud_recognize(m.root, &facts);
    assert_int_equal(facts.cloud, CLOUD_AWS);
    assert_string_equal(facts.instance, "");
    machine_free(&m);
}

static void xen(void **state)
{
    struct machine m = machine_new();
    struct cloud_facts facts;

    (void)state;
    machine_put(&m, DMI "sys_vendor", "Xen\n");
    machine_put(&m, DMI "product_version", "4.11.amazon\n");
    machine_put(&m, "/sys/hypervisor/uuid", "ec2e1916-9099-7caf-fd21-012345abcdef\n");
    cloud_recognize(m.root, &facts);
    assert_int_equal(facts.cloud, CLOUD_AWS);
    /* One of 4096 machines under Xen has an identity that starts so. */
    machine_put(&m, DMI "product_version", "4.11\n");
    cloud_recognize(m.root, &facts);
    assert_int_equal(facts.cloud, CLOUD_NONE);
    machine_free(&m);
}

static void google(void **state)
{
    struct machine m = machine_new();
    struct cloud_facts facts;

    (void)state;
    machine_put(&m, DMI "sys_vendor", "Google\n");
    machine_put(&m, DMI "product_name", "Google Compute Engine\n");
    cloud_recognize(m.root, &facts);
    assert_int_equal(facts.cloud, CLOUD_GCP);
    assert_string_equal(facts.provider.at, "gcp");
    machine_put(&m, DMI "product_name", "Eve\n"); /* a Chromebook */
    cloud_recognize(m.root, &facts);
    assert_int_equal(facts.cloud, CLOUD_NONE);
    machine_free(&m);
}

static void microsoft(void **state)
{
    struct machine m = machine_new();
    struct cloud_facts facts;

    (void)state;
    machine_put(&m, DMI "sys_vendor", "Microsoft Corporation\n");
    machine_put(&m, DMI "product_name", "Virtual Machine\n");
    cloud_recognize(m.root, &facts);
    assert_int_equal(facts.cloud, CLOUD_NONE); /* Hyper-V on a desktop */
    machine_put(&m, DMI "chassis_asset_tag", "7783-7084-3265-9085-8269-3286-77\n");
    cloud_recognize(m.root, &facts);
    assert_int_equal(facts.cloud, CLOUD_AZURE);
    assert_string_equal(facts.provider.at, "azure");
    machine_put(&m, DMI "sys_vendor", "Unknown Vendor\n");
    cloud_recognize(m.root, &facts);
    assert_int_equal(facts.cloud, CLOUD_NONE);
    machine_free(&m);
}

static void lambda(void **state)
{
    struct machine m = machine_new();
    struct cloud_facts facts;

    (void)state;
    machine_put(&m, DMI "sys_vendor", "Lambda\n"); /* a private workstation */
    machine_put(&m, DMI "product_name", "Vector\n");
    cloud_recognize(m.root, &facts);
    assert_int_equal(facts.cloud, CLOUD_NONE);
    machine_put(&m, DMI "sys_vendor", "Lambda Cloud\n");
    cloud_recognize(m.root, &facts);
    assert_int_equal(facts.cloud, CLOUD_LAMBDA);
    assert_string_equal(facts.provider.at, "lambda");
    machine_free(&m);
}

static void containers(void **state)
{
    struct machine m = machine_new();
    struct cloud_facts facts;
    char path[128];
    static const char first[] = "PATH=/bin\0RUNPOD_DC_ID=EU-RO-1\0RUNPOD_POD_ID=abc123\0";
    FILE *file;

    (void)state;
    /* The machine may belong to another cloud: the container is what is paid for. */
    machine_put(&m, DMI "product_name", "Google Compute Engine\n");
    (void)setenv("VAST_CONTAINERLABEL", "C.12345", 1);
    cloud_recognize(m.root, &facts);
    assert_int_equal(facts.cloud, CLOUD_VAST);
    assert_string_equal(facts.id, "C.12345");
    assert_string_equal(facts.because, "VAST_CONTAINERLABEL says C.12345");
    (void)unsetenv("VAST_CONTAINERLABEL");
    (void)setenv("RUNPOD_POD_ID", "xyz", 1);
    cloud_recognize(m.root, &facts);
    assert_int_equal(facts.cloud, CLOUD_RUNPOD);
    assert_string_equal(facts.id, "xyz");
    (void)unsetenv("RUNPOD_POD_ID");
    /* A shell over ssh has only what the first process of the container was given. */
    machine_put(&m, "/proc/1/environ", "");
    (void)snprintf(path, sizeof path, "%s/proc/1/environ", m.root);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(first, 1, sizeof first - 1, file), sizeof first - 1);
    assert_int_equal(fclose(file), 0);
    cloud_recognize(m.root, &facts);
    assert_int_equal(facts.cloud, CLOUD_RUNPOD);
    assert_string_equal(facts.id, "abc123");
    assert_string_equal(facts.region, "EU-RO-1");
    machine_free(&m);
}

static void no_cloud(void **state)
{
    struct machine m = machine_new();
    struct cloud_facts facts;

    (void)state;
    (void)setenv("AWS_REGION", "eu-west-1", 1); /* set on laptops too */
    (void)setenv("LAMBDA_API_KEY", "x", 1);
    cloud_recognize(m.root, &facts);
    assert_int_equal(facts.cloud, CLOUD_NONE);
    assert_int_equal(facts.provider.len, 0);
    assert_string_equal(facts.because, "");
    machine_put(&m, DMI "sys_vendor", "Amazon EC2 \033[31m\n"); /* what is odd is cut off */
    cloud_recognize(m.root, &facts);
    assert_int_equal(facts.cloud, CLOUD_AWS);
    assert_string_equal(facts.because, "/sys/class/dmi/id/sys_vendor says Amazon EC2");
    machine_free(&m);
    (void)unsetenv("AWS_REGION");
    (void)unsetenv("LAMBDA_API_KEY");
}

int group_cloud(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nitro),     cmocka_unit_test(xen),    cmocka_unit_test(google),
        cmocka_unit_test(microsoft), cmocka_unit_test(lambda), cmocka_unit_test(containers),
        cmocka_unit_test(no_cloud),
    };

    return cmocka_run_group_tests(tests, forget, NULL);
}
