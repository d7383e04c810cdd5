/* storage_read.h - tiers of providers from the catalog, and how data is read. */
#ifndef ADVISE_STORAGE_READ_H
#define ADVISE_STORAGE_READ_H

#include "advise/economics/storage.h"
#include "catalog/catalog.h"
#include "unit/size.h"

/* The tiers of a provider in a region (empty: prices that are for all), the hottest first.
 * `date`: of the oldest price. */
size_t storage_tiers_find(const struct catalog *catalog, struct str provider, struct str region,
                          struct storage_tier out[STORAGE_TIERS_MAX], day *date);

/* "100GB/month", "5GB/day": bytes a day. `option` is for errors. */
bool storage_rate_parse(struct str text, const char *option, double *bytes_day,
                        struct error *err) MUST_USE;

/* "2/month": complete reads of the data a day. */
bool storage_reads_parse(struct str text, double *reads_day, struct error *err) MUST_USE;

/* Reads by age: so many a day at first, half as many after each `half_life` days (0: they do
 * not fall). */
const double *storage_reads_decay(double reads_day, double half_life, size_t days,
                                  struct arena *arena, struct error *err) MUST_USE;

/* Likewise from CSV: columns age_days and reads (complete reads a month, from that age on). */
const double *storage_reads_file(struct str text, const char *name, size_t days,
                                 struct arena *arena, struct error *err) MUST_USE;

#endif
