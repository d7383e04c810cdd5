/* Google's rows: a machine's price is that of the host and that of its accelerators, which
 * have rows of their own. TPU slices are machines. */
#include <stdlib.h>
#include <string.h>

#include "feed/skypilot_read.h"

/* Which accelerators go into which host. N1 takes any number on any size: these are the sizes
 * that SkyPilot starts. */
static const struct {
    const char *host, *card;
    int count;
} machines[] = {
    {"a2-highgpu-1g", "A100", 1},
    {"a2-highgpu-2g", "A100", 2},
    {"a2-highgpu-4g", "A100", 4},
    {"a2-highgpu-8g", "A100", 8},
    {"a2-megagpu-16g", "A100", 16},
    {"a2-ultragpu-1g", "A100-80GB", 1},
    {"a2-ultragpu-2g", "A100-80GB", 2},
    {"a2-ultragpu-4g", "A100-80GB", 4},
    {"a2-ultragpu-8g", "A100-80GB", 8},
    {"a3-highgpu-1g", "H100", 1},
    {"a3-highgpu-2g", "H100", 2},
    {"a3-highgpu-4g", "H100", 4},
    {"a3-highgpu-8g", "H100", 8},
    {"a3-edgegpu-8g", "H100", 8},
    {"a3-megagpu-8g", "H100-MEGA", 8},
    {"a3-ultragpu-8g", "H200", 8},
    {"a4-highgpu-8g", "B200", 8},
    {"a4x-highgpu-4g", "GB200", 4},
    {"g2-standard-4", "L4", 1},
    {"g2-standard-8", "L4", 1},
    {"g2-standard-12", "L4", 1},
    {"g2-standard-16", "L4", 1},
    {"g2-standard-32", "L4", 1},
    {"g2-standard-24", "L4", 2},
    {"g2-standard-48", "L4", 4},
    {"g2-standard-96", "L4", 8},
    {"g4-standard-48", "RTXPRO6000", 1},
    {"g4-standard-96", "RTXPRO6000", 2},
    {"g4-standard-192", "RTXPRO6000", 4},
    {"g4-standard-384", "RTXPRO6000", 8},
    {"n1-highmem-4", "T4", 1},
    {"n1-highmem-8", "T4", 2},
    {"n1-highmem-16", "T4", 4},
    {"n1-highmem-4", "P4", 1},
    {"n1-highmem-8", "P4", 2},
    {"n1-highmem-16", "P4", 4},
    {"n1-highmem-8", "P100", 1},
    {"n1-highmem-16", "P100", 2},
    {"n1-highmem-32", "P100", 4},
    {"n1-highmem-8", "V100", 1},
    {"n1-highmem-16", "V100", 2},
    {"n1-highmem-32", "V100", 4},
    {"n1-highmem-64", "V100", 8},
};

static bool is_host(struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(machines); i++)
        if (str_eq(name, str_from(machines[i].host)))
            return true;
    return false;
}

static bool append(struct sky_row **rows, size_t *count, size_t *room, struct sky_kept *kept,
                   const struct sky_row *row, struct error *err)
{
    struct sky_row copy = *row;

    copy.device.detail = copy.device.upstream = (struct str){0};
    if (*count == *room) {
        size_t larger = *room > 0 ? 2 * *room : 256;
        struct sky_row *grown = sky_keep(kept, larger, sizeof *grown, err);

        if (grown == NULL)
            return false;
        if (*count > 0)
            memcpy(grown, *rows, *count * sizeof *grown);
        *rows = grown;
        *room = larger;
    }
    if (!sky_keep_text(kept, &copy.device.instance, err) ||
        !sky_keep_text(kept, &copy.device.name, err) ||
        !sky_keep_text(kept, &copy.region, err) || !sky_keep_text(kept, &copy.zone, err))
        return false;
    (*rows)[(*count)++] = copy;
    return true;
}

bool sky_parts_add(struct sky_parts *parts, struct sky_kept *kept, const struct sky_row *row,
                   bool *kept_it, struct error *err)
{
    bool card = row->device.name.len > 0;

    *kept_it = card || is_host(row->device.instance);
    if (!*kept_it)
        return true;
    return card ? append(&parts->cards, &parts->card_count, &parts->card_room, kept, row, err)
                : append(&parts->hosts, &parts->host_count, &parts->host_room, kept, row, err);
}

static int compare_place(const struct sky_row *host, struct str instance, struct str region,
                         struct str zone)
{
    int order = str_cmp(host->device.instance, instance);

    if (order == 0)
        order = str_cmp(host->region, region);
    return order != 0 ? order : str_cmp(host->zone, zone);
}

/* Of a host that is there twice, the cheapest comes first. */
static int by_place(const void *a, const void *b)
{
    const struct sky_row *x = a, *y = b;
    int order = compare_place(x, y->device.instance, y->region, y->zone);

    return order != 0 ? order : (x->on_demand > y->on_demand) - (x->on_demand < y->on_demand);
}

static const struct sky_row *find_host(const struct sky_parts *parts, struct str instance,
                                       const struct sky_row *card)
{
    size_t low = 0, high = parts->host_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_place(&parts->hosts[middle], instance, card->region, card->zone) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == parts->host_count ||
        compare_place(&parts->hosts[low], instance, card->region, card->zone) != 0)
        return NULL;
    return &parts->hosts[low];
}

/* Without one of them there is no machine. A host may cost nothing: A4's is in the
 * price of its accelerators. */
static int64_t added(int64_t a, int64_t b)
{
    return a < 0 || b < 0 ? (a < b ? a : b) : a + b;
}

/* One size of host takes several kinds of accelerators on N1: the name has the kind. */
static struct str sky_machine_name(struct str host, const struct sky_row *card, char room[128])
{
    int len;

    if (!str_starts(host, STR("n1-")))
        return host;
    len = snprintf(room, 128, "%.*s+%.0fx%.*s", STR_ARG(host), card->device.count,
                   STR_ARG(card->device.name));
    return len > 0 && len < 128 ? (struct str){room, (size_t)len} : host;
}

static bool join(const struct sky_parts *parts, const struct sky_row *card,
                 bool (*take)(void *ctx, struct sky_row *row, struct error *err), void *ctx,
                 bool *used, struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(machines); i++) {
        struct str instance = str_from(machines[i].host);
        const struct sky_row *host;
        struct sky_row row = *card;
        char room[128];

        if (card->device.count != machines[i].count ||
            !str_eq(card->device.name, str_from(machines[i].card)))
            continue;
        host = find_host(parts, instance, card);
        if (host == NULL)
            continue;
        row.device.instance = sky_machine_name(instance, card, room);
        row.vcpus = host->vcpus;
        row.memory_gib = host->memory_gib;
        row.on_demand = added(host->on_demand, card->on_demand);
        row.spot = added(host->spot, card->spot);
        *used = true;
        if (!take(ctx, &row, err))
            return false;
    }
    return true;
}

bool sky_parts_join(struct sky_parts *parts,
                    bool (*take)(void *ctx, struct sky_row *row, struct error *err), void *ctx,
                    uint64_t *unused, struct error *err)
{
    if (parts->host_count > 0)
        qsort(parts->hosts, parts->host_count, sizeof *parts->hosts, by_place);
    for (size_t i = 0; i < parts->card_count; i++) {
        bool used = false;

        if (!join(parts, &parts->cards[i], take, ctx, &used, err))
            return false;
        *unused += !used;
    }
    return true;
}
