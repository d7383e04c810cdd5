/* RunPod's gpuTypes, as its GraphQL API answers: prices of one accelerator for an hour, in the
 * secure cloud (its own data centers) and in the community's.
 *
 * Machines are named as the catalog names them, "4x_H100-SXM_SECURE", for 1, 2, 4 and 8
 * accelerators. A price of null (or 0) is that there is none now. `lowestPrice` answers for a
 * number of accelerators and a cloud that only the request has; its prices are not taken, and
 * what comes with one accelerator only where the catalog does not know it.
 */
#include <math.h>
#include <stdio.h>

#include "feed/json_walk.h"

#define NAME_ROOM 192

struct gpu {
    struct walk_value id, title, memory, most, secure, community;
    struct walk_value secure_price, community_price, secure_spot, community_spot;
    struct walk_value vcpus, ram;
};

struct answer {
    struct gpu bare; /* of a list without an answer around it; first: gpu_members fill it */
    struct walk_value list;
};

static const struct walk_member lowest_members[] = {
    {"minVcpu", WALK_VALUE(struct gpu, vcpus)},
    {"minMemory", WALK_VALUE(struct gpu, ram)},
    {0},
};

static const struct walk_member gpu_members[] = {
    {"id", WALK_VALUE(struct gpu, id)},
    {"displayName", WALK_VALUE(struct gpu, title)},
    {"memoryInGb", WALK_VALUE(struct gpu, memory)},
    {"maxGpuCount", WALK_VALUE(struct gpu, most)},
    {"secureCloud", WALK_VALUE(struct gpu, secure)},
    {"communityCloud", WALK_VALUE(struct gpu, community)},
    {"securePrice", WALK_VALUE(struct gpu, secure_price)},
    {"communityPrice", WALK_VALUE(struct gpu, community_price)},
    {"secureSpotPrice", WALK_VALUE(struct gpu, secure_spot)},
    {"communitySpotPrice", WALK_VALUE(struct gpu, community_spot)},
    {"lowestPrice", .inside = lowest_members},
    {0},
};

/* The middle of a machine's name: "H100-SXM" of "8x_H100-SXM_SECURE". Empty when it is none. */
static struct str middle_part(struct str instance)
{
    struct str rest = instance, name;

    (void)str_cut(&rest, '_');
    name = str_cut(&rest, '_');
    return rest.len > 0 ? name : (struct str){0};
}

/* What machines with this accelerator are called: as the catalog has it, else as RunPod's title
 * without blanks. */
static void name_model(struct feed_known *known, const struct accelerator *a, struct str title,
                       char room[NAME_ROOM])
{
    const struct machine *const *machines;
    size_t count, len = 0;

    feed_machines(known, STR("runpod"), &machines, &count);
    for (size_t i = 0; a != NULL && i < count; i++) {
        struct str name = middle_part(machines[i]->instance);

        if (str_eq(machines[i]->accelerator, a->name) && name.len > 0) {
            (void)snprintf(room, NAME_ROOM, "%.*s", STR_ARG(name));
            return;
        }
    }
    for (size_t i = 0; i < title.len && len + 1 < NAME_ROOM; i++)
        if (title.at[i] != ' ')
            room[len++] = title.at[i];
    room[len] = '\0';
}

/* One cloud's machines. */
struct cloud {
    const char *suffix;
    int64_t on_demand, spot; /* of one accelerator */
};

static int64_t price_times(int64_t price, int count)
{
    return price >= 0 ? price * count : price;
}

static bool give_cloud(const struct feed_reading *feed, const struct gpu *gpu,
                       const struct cloud *cloud, const char *model, struct quote *q,
                       struct error *err)
{
    double most = walk_number(&gpu->most);
    char name[NAME_ROOM + 32];
    bool ok = true;

    if (cloud->on_demand < 0 && cloud->spot < 0)
        return true; /* nothing to have in it */
    for (int count = 1; ok && count <= 8 && (count == 1 || count <= most); count *= 2) {
        int len = snprintf(name, sizeof name, "%dx_%s_%s", count, model, cloud->suffix);
        const struct machine *known;

        q->instance = (struct str){name, (size_t)len};
        known = feed_machine(feed->known, q->provider, q->instance);
        q->count = count;
        q->vcpus = known != NULL ? known->vcpus : walk_number(&gpu->vcpus) * count;
        q->memory_gib = known != NULL ? known->memory_gib : walk_number(&gpu->ram) * count;
        q->price[MARKET_ON_DEMAND] = price_times(cloud->on_demand, count);
        q->price[MARKET_SPOT] = price_times(cloud->spot, count);
        ok = feed_give(feed, 0, q, err);
    }
    q->instance = (struct str){0}; /* the name is gone */
    return ok;
}

static bool take_gpu(const struct feed_reading *feed, const struct gpu *gpu, struct error *err)
{
    struct quote q = quote_blank();
    struct cloud secure = {.suffix = "SECURE"}, community = {.suffix = "COMMUNITY"};
    const struct accelerator *a;
    struct str id = walk_name(&gpu->id), title = walk_name(&gpu->title);
    char model[NAME_ROOM];

    feed->summary->rows++;
    title = title.len > 0 ? title : id;
    if (id.len == 0 || str_eq(id, STR("unknown"))) /* a place holder that RunPod lists too */
        return feed_ignore(feed);
    if (!walk_price(&gpu->secure_price, &secure.on_demand) ||
        !walk_price(&gpu->secure_spot, &secure.spot) ||
        !walk_price(&gpu->community_price, &community.on_demand) ||
        !walk_price(&gpu->community_spot, &community.spot))
        return feed_refuse(feed, 0, err, "%.*s: one of its prices cannot be read", STR_ARG(id));
    q.provider = STR("runpod");
    q.region = STR("*"); /* the place is chosen when the machine starts; the price is one */
    q.at = feed->date;
    q.gpu_memory_gib = walk_number(&gpu->memory);
    a = feed_accelerator(feed->known, id, q.gpu_memory_gib);
    if (a == NULL)
        a = feed_accelerator(feed->known, title, q.gpu_memory_gib);
    q.accelerator = a != NULL ? a->name : title;
    name_model(feed->known, a, title, model);
    return (gpu->secure.kind == JSON_FALSE || give_cloud(feed, gpu, &secure, model, &q, err)) &&
           (gpu->community.kind == JSON_FALSE ||
            give_cloud(feed, gpu, &community, model, &q, err));
}

static bool read_gpu(struct walk *walk, void *record, const struct walk_value *value,
                     struct error *err)
{
    struct gpu gpu;
    bool object;

    (void)record;
    return walk_element(walk, value, gpu_members, &gpu, &object, err) &&
           take_gpu(walk->feed, &gpu, err);
}

static const struct walk_member data_members[] = {
    {"gpuTypes", .each = read_gpu, WALK_VALUE(struct answer, list)},
    {0},
};

static const struct walk_member refusal_members[] = {
    {"message", .each = walk_refusal},
    {0},
};

/* GraphQL returns its errors as a list of objects with a message. */
static bool read_error(struct walk *walk, void *record, const struct walk_value *value,
                       struct error *err)
{
    bool object;

    if (value->kind == JSON_STRING)
        return walk_refusal(walk, record, value, err);
    return walk_element(walk, value, refusal_members, record, &object, err);
}

static const struct walk_member answer_members[] = {
    {"data", .inside = data_members},
    {"errors", .each = read_error},
    {0},
};

/* An answer with errors may have part of the data: then what is missing is not gone. */
static bool finish_runpod_answer(struct walk *walk, void *record, struct error *err)
{
    const struct answer *answer = record;

    if (walk->refusal[0] != '\0' || answer->list.kind != JSON_ARRAY)
        return walk_missing(walk, "list 'gpuTypes'", err);
    return true;
}

/* A GPU type of a bare list. */
static bool finish_bare_runpod(struct walk *walk, void *record, struct error *err)
{
    const struct answer *answer = record;

    if (answer->bare.id.kind == JSON_END)
        return walk_missing(walk, "'id' of a GPU type", err);
    return take_gpu(walk->feed, &answer->bare, err);
}

static bool read_runpod(const struct feed_reading *feed, struct error *err)
{
    struct answer answer;

    return walk_read(feed, answer_members, finish_runpod_answer, &answer, err);
}

static bool read_runpod_list(const struct feed_reading *feed, struct error *err)
{
    struct answer answer;

    return walk_read(feed, gpu_members, finish_bare_runpod, &answer, err);
}

const struct feed_format feed_runpod = {
    .name = "runpod",
    .feed = "runpod-api",
    .provider = "runpod",
    .confidence = CONFIDENCE_OFFICIAL,
    .scope = SCOPE_PROVIDER,
    .json = (const char *const[]){"data", "gpuTypes", NULL},
    .read = read_runpod,
};

/* Someone took it out of an answer, and may have left some out. */
const struct feed_format feed_runpod_list = {
    .name = "runpod-list",
    .feed = "runpod-api",
    .provider = "runpod",
    .confidence = CONFIDENCE_OFFICIAL,
    .scope = SCOPE_ROWS,
    .json = (const char *const[]){"id", "displayName", "memoryInGb", NULL},
    .array = true,
    .read = read_runpod_list,
};
