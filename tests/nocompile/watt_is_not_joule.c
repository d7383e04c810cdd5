/* Must not compile: power is not energy until a time is given. */
#include "unit/energy.h"

void energy(watt power, struct buf *out);

void energy(watt power, struct buf *out)
{
    joule_write(power, out);
}
