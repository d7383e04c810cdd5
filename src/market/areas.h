/* areas.h - continents and countries where regions are asked for: "EU", "Finland", "us". */
#ifndef MARKET_AREAS_H
#define MARKET_AREAS_H

#include "catalog/catalog.h"

/* The patterns of --region, where a continent or a country (its name, or its code) also means
 * the regions that TABLE_REGIONS has there; "!EU" denies them. "EU" is the European Economic
 * Area. Others stay as they are. In the arena. */
bool areas_expand(const struct catalog *catalog, struct strs patterns, struct arena *arena,
                  struct strs *out, struct error *err) MUST_USE;

#endif
