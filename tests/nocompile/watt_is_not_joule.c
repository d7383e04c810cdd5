/* Must not compile: power is not energy until a time is given. */
#include "unit/energy.h"

gram_co2 carbon(watt power, gram_per_kwh intensity);

gram_co2 carbon(watt power, gram_per_kwh intensity)
{
    return carbon_of(power, intensity);
}
