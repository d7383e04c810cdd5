/* data_bundle.h - folders in one packed archive: request and result of data.bundle are those of
 * bundle_make(). */
#ifndef OP_DATA_DATA_BUNDLE_H
#define OP_DATA_DATA_BUNDLE_H

#include "data/bundle/bundle_make.h"

extern const struct op op_data_bundle;

#endif
