#include "cli/cli.h"
#include "op/context.h"

int main(int argc, char **argv)
{
    op_own_process();
    return cli_main(argc, argv, &alloc_system);
}
