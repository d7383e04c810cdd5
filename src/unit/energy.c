#include "unit/energy.h"

#include <math.h>

#include "base/num.h"

usd_per_hour electricity_cost(watt power, usd_per_kwh price)
{
    double nano = power.w / 1000 * (double)price.nano;

    if (price.nano == MONEY_UNKNOWN || !(fabs(nano) < 9.2e18))
        return USD_PER_HOUR_UNKNOWN;
    return (usd_per_hour){(int64_t)llround(nano)};
}

/* "12.3 kWh": the value in the larger unit from 1000 on. */
#define LEAST 0.001 /* less is printed as "less than" */
#define LEAST_TEXT "0.001"

/* One decimal; of what is next to nothing two digits, so that it is not mistaken for it. */
static int energy_decimals(double value)
{
    if (value == floor(value))
        return 0;
    return fabs(value) >= 0.1 || fabs(value) < LEAST ? 1 : 1 - (int)floor(log10(fabs(value)));
}

static void write_scaled(double value, const char *small, const char *large, struct buf *out)
{
    if (isnan(value)) {
        buf_char(out, '?');
    } else if (fabs(value) >= 1000) {
        num_write_fixed(value / 1000, 2, out);
        buf_addf(out, " %s", large);
    } else if (value > 0 && value < LEAST) {
        buf_addf(out, "<%s %s", LEAST_TEXT, small);
    } else {
        num_write_fixed(value, energy_decimals(value), out);
        buf_addf(out, " %s", small);
    }
}

void watt_write(watt power, struct buf *out)
{
    write_scaled(power.w, "W", "kW", out);
}

void joule_write(joule energy, struct buf *out)
{
    write_scaled(energy.j / JOULES_PER_KWH * 1000, "Wh", "kWh", out);
}

void gram_co2_write(gram_co2 carbon, struct buf *out)
{
    write_scaled(carbon.g, "g CO2e", "kg CO2e", out);
}

static double at_least_some(double value)
{
    return value == 0 ? LEAST / 2 : value;
}

void joule_write_metered(joule energy, struct buf *out)
{
    joule_write((joule){at_least_some(energy.j)}, out);
}

void gram_co2_write_metered(gram_co2 carbon, struct buf *out)
{
    gram_co2_write((gram_co2){at_least_some(carbon.g)}, out);
}
