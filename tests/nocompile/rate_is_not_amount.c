/* Must not compile: dollars an hour are not dollars until a time is given. */
#include "unit/money.h"

usd total(usd spent, usd_per_hour price);

usd total(usd spent, usd_per_hour price)
{
    return usd_add(spent, price);
}
