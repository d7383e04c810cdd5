/* energy.h - power, energy and carbon: physics, in double; NaN is unknown and stays so. */
#ifndef UNIT_ENERGY_H
#define UNIT_ENERGY_H

#include "base/buf.h"
#include "unit/money.h"

typedef struct {
    double w;
} watt;

typedef struct {
    double j;
} joule;

typedef struct {
    double g;
} gram_co2;

#define JOULES_PER_KWH 3.6e6

/* What an hour at this power costs. Unknown when either is. */
usd_per_hour electricity_cost(watt power, usd_per_kwh price);

void watt_write(watt power, struct buf *out);          /* "350 W", "1.20 kW", "?" */
void joule_write(joule energy, struct buf *out);       /* "12.3 kWh", "450 Wh" */
void gram_co2_write(gram_co2 carbon, struct buf *out); /* "1.20 kg CO2e", "15 g CO2e" */

/* The same of what was metered, which is never nothing: "<0.001 Wh" for zero. */
void joule_write_metered(joule energy, struct buf *out);
void gram_co2_write_metered(gram_co2 carbon, struct buf *out);

#endif
