/* commitments_read.h - loads from CSV files, and what the catalog says is sold. */
#ifndef ADVISE_COMMITMENTS_READ_H
#define ADVISE_COMMITMENTS_READ_H

#include "advise/economics/commitments.h"
#include "catalog/catalog.h"

/* Columns hour ("2026-01-01 13:00": the hour that it is in) and amount, in any order; hours
 * that are not there are unknown. `price`: amounts count machines, each at so many dollars an
 * hour; 0: they are dollars. `name`: of the file, for errors. */
bool commitment_load_read(struct str text, const char *name, double price, struct arena *arena,
                          struct commitment_load *out, struct error *err) MUST_USE;

/* The terms of a provider (as the catalog calls it) for a family of machines (empty: any), with
 * its discount for sustained use. A row for the family counts before one for all. In the arena;
 * NULL with the error set. `count` is 0 when nothing is known. */
struct commitment_offer *commitment_offers_find(const struct catalog *catalog,
                                                struct str provider, struct str family,
                                                double unit, struct arena *arena, size_t *count,
                                                struct error *err);

#endif
