/* What answers of metadata services mean. Any of them may be a captive portal's page. */
#include <stdio.h>
#include <string.h>

#include "base/characters.h"
#include "doc/node.h"
#include "run/cloud/metadata.h"

bool metadata_word(struct str text, char *to, size_t room)
{
    to[0] = '\0';
    if (text.len == 0 || text.len >= room)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        if (!(is_letter_or_digit(c) || c == '-' || c == '_' || c == '.' || c == '+'))
            return false;
    }
    memcpy(to, text.at, text.len);
    to[text.len] = '\0';
    return true;
}

struct str metadata_line(struct str body)
{
    return str_trim(str_cut(&body, '\n'));
}

/* The text under a key of a map; empty when it is not there, or no text. */
static struct str text_of(const struct node *map, const char *key)
{
    const struct node *value = map->kind == NODE_MAP ? node_get(map, str_from(key)) : NULL;

    return value != NULL && value->kind == NODE_SCALAR ? value->text : (struct str){0};
}

static bool odd(struct error *err, const char *what)
{
    return error_fail(err, ERROR_INPUT, "the metadata service tells no %s that can be one",
                      what);
}

bool metadata_ec2(struct str document, struct str life_cycle, struct metadata_words *out,
                  struct error *err)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    const struct node *root = json_read(document, "the identity document", &arena, err);
    bool ok = root != NULL;

    *out = (struct metadata_words){.instance = ""};
    life_cycle = metadata_line(life_cycle);
    if (ok &&
        !metadata_word(text_of(root, "instanceType"), out->instance, sizeof out->instance))
        ok = odd(err, "instance type");
    if (ok && !metadata_word(text_of(root, "region"), out->region, sizeof out->region))
        ok = odd(err, "region");
    if (ok) {
        (void)metadata_word(text_of(root, "availabilityZone"), out->zone, sizeof out->zone);
        (void)metadata_word(text_of(root, "instanceId"), out->id, sizeof out->id);
        memcpy(out->name, out->id, sizeof out->id);
    }
    if (ok && str_eq(life_cycle, STR("spot")))
        (void)snprintf(out->market, sizeof out->market, "spot");
    else if (ok && (str_eq(life_cycle, STR("on-demand")) || str_eq(life_cycle, STR("normal"))))
        (void)snprintf(out->market, sizeof out->market, "on-demand");
    arena_free(&arena);
    return ok;
}

/* What follows the last slash. */
static struct str last_part(struct str path)
{
    const char *slash;

    path = metadata_line(path);
    slash = path.len > 0 ? memrchr(path.at, '/', path.len) : NULL;
    if (slash == NULL)
        return path;
    return (struct str){slash + 1, (size_t)(path.at + path.len - slash - 1)};
}

bool metadata_gcp(struct str machine_type, struct str zone, struct str preemptible,
                  struct str id, struct metadata_words *out, struct error *err)
{
    const char *dash;

    *out = (struct metadata_words){.instance = ""};
    preemptible = metadata_line(preemptible);
    if (!metadata_word(last_part(machine_type), out->instance, sizeof out->instance))
        return odd(err, "machine type");
    if (!metadata_word(last_part(zone), out->zone, sizeof out->zone))
        return odd(err, "zone");
    dash = strrchr(out->zone, '-');
    if (dash == NULL || dash == out->zone)
        return odd(err, "zone");
    (void)metadata_word((struct str){out->zone, (size_t)(dash - out->zone)}, out->region,
                        sizeof out->region);
    (void)metadata_word(metadata_line(id), out->id, sizeof out->id);
    memcpy(out->name, out->id, sizeof out->id);
    if (str_eq_nocase(preemptible, STR("TRUE")))
        (void)snprintf(out->market, sizeof out->market, "spot");
    else if (str_eq_nocase(preemptible, STR("FALSE")))
        (void)snprintf(out->market, sizeof out->market, "on-demand");
    return true;
}

static void azure_market(struct str priority, struct metadata_words *out)
{
    bool spot = str_eq_nocase(priority, STR("Spot")) || str_eq_nocase(priority, STR("Low"));

    /* Machines from before there was another kind have no priority at all. */
    (void)snprintf(out->market, sizeof out->market, "%s", spot ? "spot" : "on-demand");
}

/* A path of words: "/subscriptions/1/resourceGroups/rg (old)/providers/...". Nothing when it is
 * anything else, or does not fit. */
static void take_path(struct str path, char to[static METADATA_PATH])
{
    to[0] = '\0';
    if (path.len < 2 || path.len >= METADATA_PATH || path.at[0] != '/')
        return;
    for (size_t i = 0; i < path.len; i++) {
        char c = path.at[i];

        if (!(is_letter_or_digit(c) || strchr("/-_.()", c) != NULL) || c == '\0')
            return;
    }
    memcpy(to, path.at, path.len);
    to[path.len] = '\0';
}

/* Bills name a machine by its path, not by vmId. Older services tell its parts alone. */
static void azure_resource(const struct node *compute, struct metadata_words *out)
{
    struct str path = text_of(compute, "resourceId");
    struct str account = text_of(compute, "subscriptionId");
    struct str group = text_of(compute, "resourceGroupName"), name = text_of(compute, "name");
    char made[METADATA_PATH];
    int len;

    if (path.len == 0 && account.len > 0 && group.len > 0 && name.len > 0 &&
        text_of(compute, "vmScaleSetName").len == 0) {
        len = snprintf(made, sizeof made,
                       "/subscriptions/%.*s/resourceGroups/%.*s/providers/Microsoft.Compute/"
                       "virtualMachines/%.*s",
                       STR_ARG(account), STR_ARG(group), STR_ARG(name));
        if (len > 0 && (size_t)len < sizeof made)
            path = str_from(made);
    }
    take_path(path, out->resource);
}

bool metadata_azure(struct str body, struct metadata_words *out, struct error *err)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    const struct node *root = json_read(body, "the instance's metadata", &arena, err);
    const struct node *compute =
        root != NULL && root->kind == NODE_MAP ? node_get(root, STR("compute")) : NULL;
    bool ok = root != NULL;

    *out = (struct metadata_words){.instance = ""};
    if (compute == NULL)
        compute = root;
    if (ok && !metadata_word(text_of(compute, "vmSize"), out->instance, sizeof out->instance))
        ok = odd(err, "size");
    if (ok && !metadata_word(text_of(compute, "location"), out->region, sizeof out->region))
        ok = odd(err, "location");
    if (ok) {
        (void)metadata_word(text_of(compute, "zone"), out->zone, sizeof out->zone);
        (void)metadata_word(text_of(compute, "vmId"), out->id, sizeof out->id);
        (void)metadata_word(text_of(compute, "name"), out->name, sizeof out->name);
        azure_market(text_of(compute, "priority"), out);
        azure_resource(compute, out);
    }
    arena_free(&arena);
    return ok;
}

struct str metadata_runpod_country(struct str centre)
{
    static const char *const continents[] = {"EU", "EUR", "AP", "OC", "SEA", "AS", "AF", "ME"};
    struct str rest = centre, part = str_cut(&rest, '-');

    for (size_t i = 0; i < ARRAY_LEN(continents); i++)
        if (str_eq(part, str_from(continents[i])))
            part = str_cut(&rest, '-');
    for (size_t i = 0; i < part.len; i++)
        if (part.at[i] < 'A' || part.at[i] > 'Z')
            return (struct str){0};
    return part.len == 2 ? part : (struct str){0};
}
