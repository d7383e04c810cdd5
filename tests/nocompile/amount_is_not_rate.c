/* Must not compile: dollars are not dollars an hour. */
#include "unit/money.h"

usd_per_hour fleet(usd spent);

usd_per_hour fleet(usd spent)
{
    return usd_per_hour_times(spent, 8);
}
