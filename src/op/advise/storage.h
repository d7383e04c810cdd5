/* storage.h - what keeping a data set costs: the request of storage. */
#ifndef OP_ADVISE_STORAGE_H
#define OP_ADVISE_STORAGE_H

#include "advise/economics/storage_answer.h"

extern const struct op op_storage;

struct storage_request {
    struct str dataset; /* a folder or a file, whose size it is */
    struct storage_question ask;
    struct str access, svg;
};

#endif
