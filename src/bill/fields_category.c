/* The category of a service, by its name. */
#include "bill/fields.h"

#include <string.h>

#include "base/characters.h"

/* The first part of a name that matches decides: so what is special comes before what is
 * general ("SQL" before "Virtual Machines": SQL Server on Virtual Machines is a database). */
static const struct {
    const char *part, *category;
} table[] = {
    {"backup", "Storage"},
    {"machine learning", "AI and Machine Learning"},
    {"vertex", "AI and Machine Learning"},
    {"gemini", "AI and Machine Learning"},
    {"openai", "AI and Machine Learning"},
    {"cognitive", "AI and Machine Learning"},
    {"foundry", "AI and Machine Learning"},
    {"bot service", "AI and Machine Learning"},
    {"botservice", "AI and Machine Learning"},
    {"machinelearning", "AI and Machine Learning"},
    {"automl", "AI and Machine Learning"},
    {"tpu", "AI and Machine Learning"},
    {"notebooks", "AI and Machine Learning"},
    {"natural language", "AI and Machine Learning"},
    {"speech", "AI and Machine Learning"},
    {"vision", "AI and Machine Learning"},
    {"translat", "AI and Machine Learning"},
    {"dialogflow", "AI and Machine Learning"},
    {"document ai", "AI and Machine Learning"},
    {"ai platform", "AI and Machine Learning"},
    {"databricks", "Analytics"},
    {"synapse", "Analytics"},
    {"stream analytics", "Analytics"},
    {"data explorer", "Analytics"},
    {"dataflow", "Analytics"},
    {"dataproc", "Analytics"},
    {"data fusion", "Analytics"},
    {"composer", "Analytics"},
    {"looker", "Analytics"},
    {"hdinsight", "Analytics"},
    {"power bi", "Analytics"},
    {"fabric", "Analytics"},
    {"data factory", "Integration"},
    {"event hub", "Integration"},
    {"event grid", "Integration"},
    {"service bus", "Integration"},
    {"logic app", "Integration"},
    {"pub/sub", "Integration"},
    {"api management", "Integration"},
    {"api gateway", "Integration"},
    {"apigee", "Integration"},
    {"maps", "Integration"},
    {"bigquery", "Databases"},
    {"sql", "Databases"},
    {"cosmos", "Databases"},
    {"documentdb", "Databases"},
    {"database", "Databases"},
    {"spanner", "Databases"},
    {"bigtable", "Databases"},
    {"firestore", "Databases"},
    {"datastore", "Databases"},
    {"memorystore", "Databases"},
    {"redis", "Databases"},
    {"cache", "Databases"},
    {"alloydb", "Databases"},
    {"mariadb", "Databases"},
    {"key vault", "Security"},
    {"keyvault", "Security"},
    {"key management", "Security"},
    {"secret manager", "Security"},
    {"security", "Security"},
    {"defender", "Security"},
    {"sentinel", "Security"},
    {"firewall", "Security"},
    {"ddos", "Security"},
    {"armor", "Security"},
    {"active directory", "Identity"},
    {"entra", "Identity"},
    {"identity", "Identity"},
    {"iot", "Internet of Things"},
    {"digital twins", "Internet of Things"},
    {"transcoder", "Media"},
    {"video", "Media"},
    {"media", "Media"},
    {"migrat", "Migration"},
    {"transfer", "Migration"},
    {"container registry", "Developer Tools"},
    {"artifact registry", "Developer Tools"},
    {"devops", "Developer Tools"},
    {"cloud build", "Developer Tools"},
    {"load test", "Developer Tools"},
    {"log analytics", "Management and Governance"},
    {"monitor", "Management and Governance"},
    {"logging", "Management and Governance"},
    {"insights", "Management and Governance"},
    {"stackdriver", "Management and Governance"},
    {"automation", "Management and Governance"},
    {"support", "Management and Governance"},
    {"cost management", "Management and Governance"},
    {"load balanc", "Networking"},
    {"network", "Networking"},
    {"bandwidth", "Networking"},
    {"vpn", "Networking"},
    {"expressroute", "Networking"},
    {"dns", "Networking"},
    {"cdn", "Networking"},
    {"content delivery", "Networking"},
    {"front door", "Networking"},
    {"application gateway", "Networking"},
    {"traffic manager", "Networking"},
    {"ip addresses", "Networking"},
    {"firebase", "Mobile"},
    {"notification hubs", "Mobile"},
    {"storage", "Storage"},
    {"filestore", "Storage"},
    {"netapp", "Storage"},
    {"managed disks", "Storage"},
    {"app service", "Compute"},
    {"virtual machine", "Compute"},
    {"compute", "Compute"},
    {"kubernetes", "Compute"},
    {"container", "Compute"},
    {"function", "Compute"},
    {"cloud run", "Compute"},
    {"app engine", "Compute"},
    {"vmware", "Compute"},
    {"anthos", "Compute"},
    {"search", "Web"},
    {"web", "Web"},
    {"analytics", "Analytics"},
};

/* The small letters of a name, as bits. */
static uint32_t letters_of(struct str name)
{
    uint32_t bits = 0;

    for (size_t i = 0; i < name.len; i++) {
        char c = to_lower(name.at[i]);

        bits |= is_lower(c) ? UINT32_C(1) << (c - 'a') : 0;
    }
    return bits;
}

struct str bill_category(struct str service)
{
    uint32_t letters = letters_of(service);

    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        if ((letters >> (table[i].part[0] - 'a') & 1) != 0 &&
            str_has_nocase(service, str_from(table[i].part)))
            return str_from(table[i].category);
    return STR("Other");
}

struct str bill_service_category(struct bill *bill, struct str service)
{
    if (bill->service_len > 0 &&
        str_eq(service, (struct str){bill->service, bill->service_len}))
        return bill->category;
    bill->category = bill_category(service);
    bill->service_len = service.len <= sizeof bill->service ? service.len : 0;
    if (bill->service_len > 0)
        memcpy(bill->service, service.at, service.len);
    return bill->category;
}
