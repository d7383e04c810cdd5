#include "estimate/step/latent.h"

/* Of one pixel: FLOP, and the bytes that norms, activations and convolutions of few channels
 * move beside them. */
#define ENCODE_FLOP 4.4e6
#define ENCODE_BYTES 7.6e4
#define DECODE_FLOP 9.8e6
#define DECODE_BYTES 2.3e5
#define ENCODE_HELD 1575
#define DECODE_HELD 2100

#define PICTURE_PARAMS 84e6
#define SMALL_TEXT 1e9 /* parameters: CLIP's; T5's are more */

/* Text encoders: tokens of a text, how much of the rate their narrow products reach, and the
 * host's seconds: of a pass, and of a parameter, since large ones have more layers. */
#define SMALL_TOKENS 77.0
#define LARGE_TOKENS 512.0
#define TEXT_RATE 0.4
#define TEXT_HOST 2.5e-3
#define TEXT_HOST_PARAM 5e-12

bool arch_is_latent(const struct arch *arch)
{
    return arch->text_params > 0;
}

static double text_time(const struct arch *arch, const struct rates *r, double texts)
{
    double tokens = arch->text_params > SMALL_TEXT ? LARGE_TOKENS : SMALL_TOKENS;
    double device = 2 * arch->text_params * tokens * texts / (r->products * TEXT_RATE);

    return longer(device, TEXT_HOST + arch->text_params * TEXT_HOST_PARAM);
}

double latent_encode_time(const struct arch *arch, const struct rates *r, double pictures,
                          double side)
{
    double pixels = pictures * side * side;

    return pixels * (ENCODE_FLOP / r->products + ENCODE_BYTES / r->memory) +
           text_time(arch, r, pictures);
}

double latent_decode_time(const struct rates *r, double pictures, double side)
{
    return pictures * side * side * (DECODE_FLOP / r->products + DECODE_BYTES / r->memory);
}

double latent_encode_bytes(double pictures, double side)
{
    return pictures * side * side * ENCODE_HELD;
}

double latent_decode_bytes(double pictures, double side)
{
    return pictures * side * side * DECODE_HELD;
}

double latent_training_params(const struct arch *arch)
{
    return PICTURE_PARAMS + (arch->text_params > SMALL_TEXT ? 0 : arch->text_params);
}

double latent_serving_params(const struct arch *arch)
{
    return PICTURE_PARAMS + arch->text_params;
}
