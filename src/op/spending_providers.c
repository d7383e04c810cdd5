/* Providers go by other names on bills than in offers: one table says who is who. */
#include "op/spending_work.h"

#define NAME_MAX_LEN 64

/* Names are compared in small letters, without blanks and signs; one that ends with '*' is the
 * start of a longer one: "amazonwebservicesemeasarl". */
static const struct spending_provider providers[] = {
    {"AWS",
     "Amazon Elastic Compute Cloud",
     {"aws", "amazon", "awsemea*", "amazonwebservices*", "ec2"}},
    {"Google Cloud", "Compute Engine", {"gcp", "google", "googlecloud*", "googlellc", "gce"}},
    {"Microsoft",
     "Virtual Machines",
     {"azure", "microsoft", "microsoftazure", "microsoftcorporation", "msazure"}},
    {"Oracle", "Compute", {"oci", "oracle", "oraclecloud*"}},
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
};

/* Small letters and digits only; empty when it is too long to be one of ours. */
static struct str plain(struct str name, char room[NAME_MAX_LEN])
{
    size_t len = 0;

    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];

        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')))
            continue;
        if (len == NAME_MAX_LEN)
            return (struct str){0};
        room[len++] = c;
    }
    return (struct str){room, len};
}

const struct spending_provider *spending_provider(struct str name)
{
    char room[NAME_MAX_LEN];
    struct str wanted = plain(name, room);

    for (size_t i = 0; wanted.len > 0 && i < ARRAY_LEN(providers); i++)
        for (size_t k = 0; k < ARRAY_LEN(providers[i].others); k++) {
            const char *other = providers[i].others[k];

            if (other != NULL && str_glob(wanted, str_from(other)))
                return &providers[i];
        }
    return NULL;
}

bool spending_provider_same(struct str a, struct str b)
{
    const struct spending_provider *known = spending_provider(a);

    return str_eq_nocase(a, b) || (known != NULL && known == spending_provider(b));
}
