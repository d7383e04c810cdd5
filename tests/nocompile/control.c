/* What the others do wrong, done right. It must compile, or their failures prove nothing. */
#include "unit/energy.h"
#include "unit/size.h"
#include "unit/time.h"

usd amounts_add_up(usd a, usd b);
usd_per_hour rates_multiply(usd_per_hour price);
span spans_lie_between_instants(instant from, instant to);
day stamps_have_a_day(stamp at);
void energy_is_written(joule energy, struct buf *out);
double bytes_are_counted(bytes size);
usd_per_hour electricity_is_priced_by_the_kwh(watt power, usd_per_kwh price);

usd amounts_add_up(usd a, usd b)
{
    return usd_add(a, b);
}

usd_per_hour rates_multiply(usd_per_hour price)
{
    return usd_per_hour_times(price, 8);
}

span spans_lie_between_instants(instant from, instant to)
{
    return span_between(from, to);
}

day stamps_have_a_day(stamp at)
{
    return day_of(at);
}

void energy_is_written(joule energy, struct buf *out)
{
    joule_write(energy, out);
}

double bytes_are_counted(bytes size)
{
    return bytes_gb(size);
}

usd_per_hour electricity_is_priced_by_the_kwh(watt power, usd_per_kwh price)
{
    return electricity_cost(power, price);
}
