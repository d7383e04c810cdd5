/* Any bytes are a page of comments, or are refused with a text. What was read has an id that
 * may be a part of an address, and begins with the marker. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "net/forge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system};
    struct str text = {(const char *)data, size}, marker = STR("<!-- stint:cost -->");
    struct forge_page page;
    struct error err = {0};

    if (forge_page_parse(text, "page", marker, &arena, &page, &err)) {
        require(page.count <= page.all);
        for (size_t i = 0; i < page.count; i++) {
            struct str id = page.at[i].id;

            require(str_starts(page.at[i].body, marker) && id.len > 0);
            for (size_t j = 0; j < id.len; j++)
                require(id.at[j] >= '0' && id.at[j] <= '9');
        }
    } else {
        require(err.kind == ERROR_INPUT && strncmp(err.text, "page:", 5) == 0);
    }
    arena_free(&arena);
    return 0;
}
