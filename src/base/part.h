/* part.h - loadable parts: code with heavy libraries, opened at its first use.
 *
 * Linking every library costs 10 ms and 10 MB before main(). A part is a shared object of ours
 * with one table of functions; the program starts without it and asks for it when it needs it.
 * A part exports one symbol, `stint_part`, of type `struct part`.
 */
#ifndef BASE_PART_H
#define BASE_PART_H

#include "base/error.h"

struct part {
    const char *name;
    unsigned version;      /* of `functions`: the part's header states it */
    const void *functions; /* a struct that the part's header declares */
};

/* The functions of part `name`, for the life of the program, or NULL with the error set. Looks
 * in $STINT_PARTS when that is set; else at the places of a build, of a prefix and of a Python
 * package, from the folder of the program or of libstint; then where it was installed. */
const void *part_open(const char *name, unsigned version, struct error *err) MUST_USE;

/* The folder that parts are taken from, where the part `compress` is; where they would have
 * been installed when there is none. False when memory runs out. */
bool part_folder(char *to, size_t room, struct error *err) MUST_USE;

#endif
