#include "problems.h"

int main(void)
{
    return 0;
}
