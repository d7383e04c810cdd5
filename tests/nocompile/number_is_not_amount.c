/* Must not compile: a bare number has no currency. */
#include "unit/money.h"

usd total(usd spent);

usd total(usd spent)
{
    return usd_add(spent, 100);
}
