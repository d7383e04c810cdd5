/* figures.h - the pictures that commands draw of their answers, as SVG.
 *
 * Each writes the file that its result names. */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include "advise/answer.h"
#include "advise/economics/commitments_answer.h"
#include "advise/economics/roi_answer.h"
#include "advise/economics/storage_answer.h"
#include "advise/economics/tco_answer.h"
#include "advise/explain/why_answer.h"
#include "advise/practice/answer.h"
#include "render/figure.h"

/* What a picture says below it about where it is from. */
struct figure_origin {
    day today;
    bool demo; /* it shows demo data */
};

/* Hours at each load, and the cost of a year by commitment. ERROR_ABSENT without a load. */
bool commitments_figure(const struct commitments_result *res, struct figure_origin origin,
                        struct arena *arena, struct error *err) MUST_USE;

/* The cost of a data set by provider. */
bool storage_figure(const struct storage_result *res, struct arena *arena,
                    struct error *err) MUST_USE;

/* Owning by utilization, by part and by assumption, and the ways to carry a load. */
bool tco_figure(const struct tco_result *res, day today, struct arena *arena,
                struct error *err) MUST_USE;

/* Money and time of a run by the value of an hour; or what renting saved, run by run. */
bool roi_figure(const struct roi_result *res, day today, struct arena *arena,
                struct error *err) MUST_USE;

/* The parts of a difference as a waterfall, into the files that the result names: SVG, PNG and
 * PDF. `source`: where the numbers come from. */
bool why_figure(const struct why_result *res, struct str source, struct arena *arena,
                struct error *err) MUST_USE;

/* Levels and scores as bars. `demo`: of demo data. */
bool maturity_figure(const struct maturity_result *res, bool demo, struct arena *arena,
                     struct error *err) MUST_USE;
bool targets_figure(const struct targets_result *res, bool demo, struct arena *arena,
                    struct error *err) MUST_USE;

/* What findings save. */
bool advise_figure(const struct advise_result *res, struct figure_origin origin,
                   struct arena *arena, struct error *err) MUST_USE;

/* Write a sheet of figures to a file. */
bool figure_write(const struct figure_sheet *sheet, struct str path, struct arena *arena,
                  struct error *err) MUST_USE;

#endif
