#include "meter/cloud.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "meter/proc.h"

#define DMI "/sys/class/dmi/id"
/* Azure's own tag: Hyper-V on any desktop says "Microsoft Corporation", too. */
#define AZURE_TAG "7783-7084-3265-9085-8269-3286-77"

/* What the firmware says; empty where it says nothing. */
struct firmware {
    char vendor[128], product[128], bios[128], chassis_tag[128], board_tag[128], version[128];
};

static void read_cloud_line(int folder, const char *name, char to[128])
{
    char buffer[256];

    str_copy(proc_file_line(folder, name, buffer, sizeof buffer), to, 128);
}

static void read_firmware(const char *root, struct firmware *out)
{
    int folder = proc_folder(root, DMI);

    *out = (struct firmware){0};
    if (folder < 0)
        return;
    read_cloud_line(folder, "sys_vendor", out->vendor);
    read_cloud_line(folder, "product_name", out->product);
    read_cloud_line(folder, "product_version", out->version);
    read_cloud_line(folder, "bios_vendor", out->bios);
    read_cloud_line(folder, "chassis_asset_tag", out->chassis_tag);
    read_cloud_line(folder, "board_asset_tag", out->board_tag);
    close(folder);
}

static void cloud_found(struct cloud_facts *out, enum cloud cloud, const char *provider,
                        const char *where, const char *what)
{
    out->cloud = cloud;
    out->provider = str_from(provider);
    (void)snprintf(out->because, sizeof out->because, "%.70s says %.50s", where, what);
}

/* "g5.xlarge", "p4d.24xlarge": letters and digits, a point, letters and digits. */
static bool is_instance_type(const char *text)
{
    const char *point = strchr(text, '.');
    size_t len = strlen(text);

    return point != NULL && point != text && point[1] != '\0' && len < 32 &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789.-") == len;
}

/* Nitro: sys_vendor is "Amazon EC2", the product is the type and the board's tag the machine.
 * Xen: the product's version has "amazon" in it and the hypervisor's identity starts with
 * ec2. */
static bool is_aws(const struct firmware *f, const char *root, struct cloud_facts *out)
{
    char uuid[128] = "";
    int folder;

    if (strcmp(f->vendor, "Amazon EC2") == 0) {
        cloud_found(out, CLOUD_AWS, "aws", DMI "/sys_vendor", f->vendor);
        if (is_instance_type(f->product))
            str_copy(str_from(f->product), out->instance, sizeof out->instance);
        if (str_starts(str_from(f->board_tag), STR("i-")))
            str_copy(str_from(f->board_tag), out->id, sizeof out->id);
        return true;
    }
    folder = proc_folder(root, "/sys/hypervisor");
    if (folder >= 0) {
        read_cloud_line(folder, "uuid", uuid);
        close(folder);
    }
    if (!str_starts(str_from(uuid), STR("ec2")) ||
        !(str_has_nocase(str_from(f->version), STR("amazon")) ||
          str_has_nocase(str_from(f->bios), STR("amazon"))))
        return false;
    cloud_found(out, CLOUD_AWS, "aws", "/sys/hypervisor/uuid", uuid);
    return true;
}

static bool is_azure(const struct firmware *f, struct cloud_facts *out)
{
    if (strcmp(f->vendor, "Microsoft Corporation") != 0 ||
        strcmp(f->chassis_tag, AZURE_TAG) != 0)
        return false;
    cloud_found(out, CLOUD_AZURE, "azure", DMI "/chassis_asset_tag", f->chassis_tag);
    return true;
}

static bool is_gcp(const struct firmware *f, struct cloud_facts *out)
{
    if (strcmp(f->product, "Google Compute Engine") != 0)
        return false;
    cloud_found(out, CLOUD_GCP, "gcp", DMI "/product_name", f->product);
    return true;
}

static bool is_lambda(const struct firmware *f, struct cloud_facts *out)
{
    /* The cloud only: workstations that Lambda sells say "Lambda" alone. What machines of its
     * cloud say is not documented; one that says nothing is not recognized. */
    if (!str_starts(str_from(f->vendor), STR("Lambda Cloud")) &&
        !str_starts(str_from(f->product), STR("Lambda Cloud")) &&
        !str_starts(str_from(f->chassis_tag), STR("Lambda Cloud")))
        return false;
    cloud_found(out, CLOUD_LAMBDA, "lambda", DMI, "Lambda Cloud");
    return true;
}

/* The environment of this process, and of the container's first: shells over ssh often lack
 * what the provider set. */
struct environment {
    char first[16384];
    struct str rest;
};

static void cloud_variable(const struct environment *env, const char *name, char to[128])
{
    const char *mine = env_get(name);
    struct str key = str_from(name), text = env->rest;

    str_copy(str_from(mine), to, 128);
    while (mine == NULL && text.len > 0) {
        struct str line = str_cut(&text, '\0');

        if (!str_starts(line, key) || line.len <= key.len + 1 || line.at[key.len] != '=')
            continue;
        (void)str_cut(&line, '=');
        str_copy(line, to, 128);
        return;
    }
}

/* Containers on others' machines: only their environment shows it. The variables are those that
 * the provider itself sets; credentials (AWS_*, LAMBDA_API_KEY) prove nothing, since they are
 * set on laptops. */
static bool is_in_container(const char *root, struct cloud_facts *out)
{
    struct environment env;
    char path[1024], runpod[128], vast[128], value[128];

    if (!proc_path(path, sizeof path, root, "/proc/1/environ") ||
        !proc_read(AT_FDCWD, path, env.first, sizeof env.first, &env.rest))
        env.rest = (struct str){0};
    cloud_variable(&env, "RUNPOD_POD_ID", runpod);
    cloud_variable(&env, "VAST_CONTAINERLABEL", vast);
    if (runpod[0] != '\0') {
        cloud_found(out, CLOUD_RUNPOD, "runpod", "RUNPOD_POD_ID", runpod);
        str_copy(str_from(runpod), out->id, sizeof out->id);
        cloud_variable(&env, "RUNPOD_DC_ID", value);
        str_copy(str_from(value), out->region, sizeof out->region);
        return true;
    }
    if (vast[0] != '\0') {
        cloud_found(out, CLOUD_VAST, "vast", "VAST_CONTAINERLABEL", vast);
        str_copy(str_from(vast), out->id, sizeof out->id);
        return true;
    }
    return false;
}

void cloud_recognize(const char *root, struct cloud_facts *out)
{
    struct firmware f;

    *out = (struct cloud_facts){.cloud = CLOUD_NONE};
    /* First: such containers may run on a machine of another cloud, which is not what is
     * paid. */
    if (is_in_container(root, out))
        return;
    read_firmware(root, &f);
    if (is_aws(&f, root, out) || is_gcp(&f, out) || is_azure(&f, out) || is_lambda(&f, out))
        return;
}
