/* The categories of services that FOCUS knows, and what each is divided into. */
#include "bill/category.h"

#include <stddef.h>

static const struct {
    const char *category;
    const char *parts[10]; /* the last is "Other (CATEGORY)" */
} categories[] = {
    {"AI and Machine Learning",
     {"AI Platforms", "Bots", "Generative AI", "Machine Learning",
      "Natural Language Processing", "Other (AI and Machine Learning)"}},
    {"Analytics",
     {"Analytics Platforms", "Business Intelligence", "Data Processing", "Search",
      "Streaming Analytics", "Other (Analytics)"}},
    {"Business Applications",
     {"Productivity and Collaboration", "Other (Business Applications)"}},
    {"Compute",
     {"Containers", "End User Computing", "Quantum Compute", "Serverless Compute",
      "Virtual Machines", "Other (Compute)"}},
    {"Databases",
     {"Caching", "Data Warehouses", "Ledger Databases", "NoSQL Databases",
      "Relational Databases", "Time Series Databases", "Other (Databases)"}},
    {"Developer Tools",
     {"Developer Platforms", "Continuous Integration and Deployment",
      "Development Environments", "Source Code Management", "Quality Assurance",
      "Other (Developer Tools)"}},
    {"Identity", {"Identity and Access Management", "Other (Identity)"}},
    {"Integration",
     {"API Management", "Messaging", "Workflow Orchestration", "Other (Integration)"}},
    {"Internet of Things", {"IoT Analytics", "IoT Platforms", "Other (Internet of Things)"}},
    {"Management and Governance",
     {"Architecture", "Compliance", "Cost Management", "Data Governance", "Disaster Recovery",
      "Endpoint Management", "Observability", "Support", "Other (Management and Governance)"}},
    {"Media",
     {"Content Creation", "Gaming", "Media Streaming", "Mixed Reality", "Other (Media)"}},
    {"Migration", {"Data Migration", "Resource Migration", "Other (Migration)"}},
    {"Mobile", {"Other (Mobile)"}},
    {"Multicloud", {"Multicloud Integration", "Other (Multicloud)"}},
    {"Networking",
     {"Application Networking", "Content Delivery", "Network Connectivity",
      "Network Infrastructure", "Network Routing", "Network Security", "Other (Networking)"}},
    {"Security",
     {"Secret Management", "Security Posture Management", "Threat Detection and Response",
      "Other (Security)"}},
    {"Storage",
     {"Backup Storage", "Block Storage", "File Storage", "Object Storage", "Storage Platforms",
      "Other (Storage)"}},
    {"Web", {"Application Platforms", "Other (Web)"}},
    {"Other", {"Other (Other)"}},
};

static size_t find_category(struct str category)
{
    size_t i = 0;

    while (i < ARRAY_LEN(categories) && !str_eq(category, str_from(categories[i].category)))
        i++;
    return i;
}

bool category_known(struct str category)
{
    return find_category(category) < ARRAY_LEN(categories);
}

struct str category_part(struct str category, struct str part)
{
    size_t at = find_category(category);
    struct str last = {0};

    if (at == ARRAY_LEN(categories))
        return last;
    for (size_t i = 0; i < ARRAY_LEN(categories[at].parts); i++) {
        if (categories[at].parts[i] == NULL)
            break;
        last = str_from(categories[at].parts[i]);
        if (str_eq(part, last))
            break;
    }
    return last;
}
