#include "doc/xml.h"

#include "base/part.h"

bool xml_read(struct source source, const struct xml_handler *handler,
              const struct alloc *alloc, struct error *err)
{
    const struct xml_part *part = part_open("xml", XML_PART_VERSION, err);

    return part != NULL && part->read(source, handler, alloc, err);
}
