#include "bill/provider.h"

#include <string.h>

#include "base/characters.h"

#define NAME_ROOM 64

/* A first word means the clouds that send bills under the names of many companies ("Oracle
 * America, Inc."): "Vast Data" is not Vast.ai. */
static const struct known_provider providers[] = {
    {"AWS",
     "Amazon Elastic Compute Cloud",
     {"aws ", "amazon ", "awsemea*", "amazonwebservices*", "ec2"}},
    {"Google Cloud", "Compute Engine", {"gcp ", "google ", "googlecloud*", "gce"}},
    {"Microsoft", "Virtual Machines", {"azure ", "microsoft ", "microsoftazure*", "msazure"}},
    {"Oracle", "Compute", {"oci ", "oracle ", "oraclecloud*"}},
    {"IBM Cloud", NULL, {"ibm", "ibmcloud"}},
    {"Alibaba Cloud", NULL, {"alibaba", "alibabacloud", "aliyun"}},
    {"Lambda", NULL, {"lambda", "lambdalabs", "lambdacloud"}},
    {"RunPod", NULL, {"runpod", "runpodio"}},
    {"Vast.ai", NULL, {"vast", "vastai"}},
    {"CoreWeave", NULL, {"coreweave"}},
    {"DigitalOcean", NULL, {"digitalocean", "do", "paperspace"}},
    {"Nebius", NULL, {"nebius", "nebiusai"}},
    {"FluidStack", NULL, {"fluidstack"}},
    {"Hyperstack", NULL, {"hyperstack", "nexgencloud"}},
    {"Cudo Compute", NULL, {"cudo", "cudocompute"}},
    {"Scaleway", NULL, {"scaleway"}},
    {"OVHcloud", NULL, {"ovh", "ovhcloud"}},
    {"Modal", NULL, {"modal", "modallabs"}},
    {"OpenAI", NULL, {"openai"}},
    {"Anthropic", NULL, {"anthropic", "anthropicpbc"}},
    {"OpenRouter", NULL, {"openrouter", "openrouterai"}},
    {"Together AI", NULL, {"together", "togetherai"}},
    {"Crusoe", NULL, {"crusoe", "crusoecloud"}},
};

/* A name as it is compared, in small letters without blanks and signs. */
struct plain {
    char room[NAME_ROOM];
    size_t len;   /* of all of it; 0: too long to be one of ours, or empty */
    size_t first; /* of its first word */
};

/* What companies add to a name: "Lambda, Inc." */
static bool is_form(struct str word)
{
    static const char *const forms[] = {"inc", "llc",  "ltd", "limited", "corp", "corporation",
                                        "co",  "gmbh", "sas", "sa",      "bv",   "plc"};

    for (size_t i = 0; i < ARRAY_LEN(forms); i++)
        if (str_eq(word, str_from(forms[i])))
            return true;
    return false;
}

static bool take_provider_word(struct plain *p, struct str word)
{
    char *to = p->room + p->len;

    if (word.len > NAME_ROOM - p->len)
        return false;
    for (size_t i = 0; i < word.len; i++)
        to[i] = to_lower(word.at[i]);
    if (p->len == 0 || !is_form((struct str){to, word.len}))
        p->len += word.len;
    if (p->first == 0)
        p->first = p->len;
    return true;
}

static struct plain plain_of(struct str name)
{
    struct plain p = {.len = 0};

    while (name.len > 0) {
        size_t len = 0;

        while (len < name.len && is_letter_or_digit(name.at[len]))
            len++;
        if (!take_provider_word(&p, (struct str){name.at, len})) {
            p.len = 0;
            return p;
        }
        len += len < name.len; /* the sign after it */
        name = (struct str){name.at + len, name.len - len};
    }
    return p;
}

static bool goes_by(const struct plain *p, const char *other)
{
    size_t len;
    bool starts, first;

    if (other[0] != p->room[0])
        return false;
    len = strlen(other) - 1;
    starts = other[len] == '*';
    first = other[len] == ' ';
    len += !starts && !first;
    if (first && p->first == len && memcmp(p->room, other, len) == 0)
        return true; /* however long the rest is */
    return (starts ? p->len >= len : p->len == len) && memcmp(p->room, other, len) == 0;
}

const struct known_provider *provider_known(struct str name)
{
    struct plain p = plain_of(name);

    for (size_t i = 0; p.first > 0 && i < ARRAY_LEN(providers); i++)
        for (size_t k = 0; k < ARRAY_LEN(providers[i].others); k++)
            if (providers[i].others[k] != NULL && goes_by(&p, providers[i].others[k]))
                return &providers[i];
    return NULL;
}

struct str provider_name(struct str name)
{
    const struct known_provider *known = provider_known(name);

    return known != NULL ? str_from(known->name) : str_trim(name);
}

bool provider_same(struct str a, struct str b)
{
    const struct known_provider *known = provider_known(a);

    return str_eq_nocase(a, b) || (known != NULL && known == provider_known(b));
}
