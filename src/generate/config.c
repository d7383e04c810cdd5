#include "generate/config.h"

const char *const config_format_names[] = {"deepspeed", "accelerate", "kohya", "hf-trainer",
                                           NULL};
