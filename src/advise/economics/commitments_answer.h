/* commitments_answer.h - what `stint commitments` answers: the loads, what to commit to for
 * each of them, and what is left out.
 *
 * Pure: loads of a file or of the account (account/costs/hourly.h) and what the catalog sells
 * in.
 */
#ifndef ADVISE_COMMITMENTS_ANSWER_H
#define ADVISE_COMMITMENTS_ANSWER_H

#include "account/costs/hourly.h"
#include "advise/economics/commitments.h"
#include "catalog/catalog.h"

struct commitments_result {
    struct str source; /* "ledger", or the file */
    day since, until;  /* the first and the last day */
    int64_t hours;     /* between them */
    struct rows loads, options, held;
    double covered; /* share of the use of machines that commitments cover now */
    double spot, others;
    double idle, unused; /* of machines on bills: left out */
    double moved;        /* likewise: on spot, elsewhere or newer they cost less */
    struct strs notes;
    struct str svg;
    struct rows hourly; /* struct commitment_load, one for each load: for the figure */
};

extern const struct field_set commitments_fields;

/* A load in a file (commitment_load_read), and the machine that it is of. */
struct commitment_file {
    struct str text;
    const char *path;
    double price; /* of a machine; NaN: the file has dollars */
    struct str provider, family;
};

/* The load of the file as the only one. */
bool commitments_of_file(const struct commitment_file *file, struct arena *arena,
                         struct commitments_result *out, struct error *err) MUST_USE;

/* The loads of the account from `since` to before `until`, with those of them that are left
 * out. */
bool commitments_of_use(const struct hourly_use *use, day since, day until, struct arena *arena,
                        struct commitments_result *out, struct error *err) MUST_USE;

/* What the user knows better than the catalog. */
struct commitment_terms {
    double discount; /* that was quoted; NaN: those of the catalog */
    int64_t months;  /* -1: all terms */
    double price;    /* of a machine, which it is sold by; NaN: sold in any amount */
    day today;
};

/* Add the options for one of the loads. `provider`: as the catalog calls it. */
bool commitments_add_options(size_t load, struct str provider,
                             const struct commitment_terms *terms,
                             const struct catalog *catalog, struct arena *arena,
                             struct commitments_result *out, struct error *err) MUST_USE;

/* Say what the loads do not know or leave out. */
bool commitments_add_notes(struct arena *arena, struct commitments_result *out,
                           struct error *err) MUST_USE;

#endif
