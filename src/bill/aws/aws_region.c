/* Regions of AWS: where they are, in the words of its price lists, and the codes that usage
 * types begin with. */
#include <string.h>

#include "bill/aws/aws.h"

static const struct {
    const char *region, *code, *place;
} regions[] = {
    {"us-east-1", "USE1", "US East (N. Virginia)"},
    {"us-east-2", "USE2", "US East (Ohio)"},
    {"us-west-1", "USW1", "US West (N. California)"},
    {"us-west-2", "USW2", "US West (Oregon)"},
    {"us-gov-west-1", "UGW1", "AWS GovCloud (US-West)"},
    {"us-gov-east-1", "UGE1", "AWS GovCloud (US-East)"},
    {"ca-central-1", "CAN1", "Canada (Central)"},
    {"ca-west-1", "CAN2", "Canada West (Calgary)"},
    {"mx-central-1", "MXC1", "Mexico (Central)"},
    {"sa-east-1", "SAE1", "South America (Sao Paulo)"},
    {"eu-west-1", "EU", "Europe (Ireland)"},
    {"eu-west-1", "EUW1", "EU (Ireland)"},
    {"eu-west-2", "EUW2", "Europe (London)"},
    {"eu-west-3", "EUW3", "Europe (Paris)"},
    {"eu-central-1", "EUC1", "Europe (Frankfurt)"},
    {"eu-central-2", "EUC2", "Europe (Zurich)"},
    {"eu-north-1", "EUN1", "Europe (Stockholm)"},
    {"eu-south-1", "EUS1", "Europe (Milan)"},
    {"eu-south-2", "EUS2", "Europe (Spain)"},
    {"af-south-1", "AFS1", "Africa (Cape Town)"},
    {"me-south-1", "MES1", "Middle East (Bahrain)"},
    {"me-central-1", "MEC1", "Middle East (UAE)"},
    {"il-central-1", "ILC1", "Israel (Tel Aviv)"},
    {"ap-east-1", "APE1", "Asia Pacific (Hong Kong)"},
    {"ap-east-2", "APE2", "Asia Pacific (Taipei)"},
    {"ap-northeast-1", "APN1", "Asia Pacific (Tokyo)"},
    {"ap-northeast-2", "APN2", "Asia Pacific (Seoul)"},
    {"ap-northeast-3", "APN3", "Asia Pacific (Osaka)"},
    {"ap-southeast-1", "APS1", "Asia Pacific (Singapore)"},
    {"ap-southeast-2", "APS2", "Asia Pacific (Sydney)"},
    {"ap-south-1", "APS3", "Asia Pacific (Mumbai)"},
    {"ap-southeast-3", "APS4", "Asia Pacific (Jakarta)"},
    {"ap-south-2", "APS5", "Asia Pacific (Hyderabad)"},
    {"ap-southeast-4", "APS6", "Asia Pacific (Melbourne)"},
    {"ap-southeast-5", "APS7", "Asia Pacific (Malaysia)"},
    {"cn-north-1", "CNN1", "China (Beijing)"},
    {"cn-northwest-1", "CNW1", "China (Ningxia)"},
};

/* "EU (Frankfurt)" is what "Europe (Frankfurt)" was called. */
static struct str without_continent(struct str place)
{
    if (str_starts(place, STR("Europe ")))
        return (struct str){place.at + 7, place.len - 7};
    if (str_starts(place, STR("EU ")))
        return (struct str){place.at + 3, place.len - 3};
    return place;
}

struct str aws_region_at(struct str location)
{
    struct str wanted = without_continent(str_trim(location));

    for (size_t i = 0; i < ARRAY_LEN(regions); i++)
        if (str_eq_nocase(without_continent(str_from(regions[i].place)), wanted))
            return str_from(regions[i].region);
    return (struct str){0};
}

struct str aws_usage_region(struct str usage)
{
    struct str rest = usage, code = str_cut(&rest, '-');

    if (rest.len == 0 || code.len == usage.len)
        return (struct str){0};
    for (size_t i = 0; i < ARRAY_LEN(regions); i++)
        if (str_eq(str_from(regions[i].code), code))
            return str_from(regions[i].region);
    return (struct str){0};
}
