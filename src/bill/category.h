/* category.h - the categories of services that FOCUS knows, and what each is divided into. */
#ifndef BILL_CATEGORY_H
#define BILL_CATEGORY_H

#include "base/str.h"

bool category_known(struct str category); /* "Compute" */

/* The part itself when it is one of the category ("Virtual Machines" of "Compute"), else
 * "Other (Compute)". The category is known. */
struct str category_part(struct str category, struct str part);

#endif
