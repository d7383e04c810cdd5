#include "cli/version.h"

#include "doc/node.h"

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

#if defined(__aarch64__)
#define MACHINE "arm64, NEON"
#elif defined(__x86_64__)
#define MACHINE "x86-64, SSE2"
#else
#define MACHINE "portable"
#endif

void version_write(struct buf *out)
{
    buf_addf(out, "stint %s\n", STINT_VERSION);
    buf_addf(out, "compiler   %s\n", COMPILER);
    buf_addf(out, "machine    %s\n", MACHINE);
    buf_addf(out, "build      %s\n", STINT_BUILD);
    buf_addf(out, "libraries  %s, %s\n", json_library(), yaml_library());
    buf_addf(out, "parts      %s\n", STINT_PARTS_DIR);
}
