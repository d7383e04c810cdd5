/* Must not compile: bytes have no price until one is given. */
#include "unit/money.h"
#include "unit/size.h"

usd bill(usd spent, bytes moved);

usd bill(usd spent, bytes moved)
{
    return usd_add(spent, moved);
}
