/* Must not compile: dollars a kilowatt-hour are not dollars an hour. */
#include "unit/energy.h"

usd_per_hour running(watt power, usd_per_hour price);

usd_per_hour running(watt power, usd_per_hour price)
{
    return electricity_cost(power, price);
}
