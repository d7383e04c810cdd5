/* data_task.h - what the room `data` is given of a context. */
#ifndef OP_DATA_DATA_TASK_H
#define OP_DATA_DATA_TASK_H

#include "data/named.h"

struct op_context;

/* Work of an operation that is the program's own: none of its paths come from elsewhere. */
struct data_task op_data_task(struct op_context *ctx);

/* List only the first rows; how many there are. */
int64_t op_data_list(struct rows *rows, size_t limit);

#endif
