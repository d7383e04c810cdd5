/* MLPerf Inference: offline rows are a server that is kept busy, server and interactive
 * rows one at the highest rate at which 99 of 100 requests kept the limits. */
#include "truth/mlperf.h"

#include <math.h>

#define WEIGHTS_SHARE 0.6 /* of the memory, that weights take at most: the rest is cache */
#define MLPERF_SPREAD 0.9 /* of lengths: answers to questions of all kinds */

bool row_is_mlperf(const struct rows_reader *r)
{
    return row_has(r, "scenario") && row_has(r, "samples_per_s");
}

struct str mlperf_model(struct str name)
{
    static const char *const kept[] = {"-99.9", "-99"};

    for (size_t i = 0; i < ARRAY_LEN(kept); i++)
        if (str_ends(name, str_from(kept[i])))
            return (struct str){name.at, name.len - str_from(kept[i]).len};
    return name;
}

/* Mean tokens of the questions, which the logs do not have: assumptions, by what is known
 * of the data sets; no source was found that states them. */
static double mlperf_input(struct str model)
{
    static const struct {
        const char *name;
        double tokens;
    } inputs[] = {{"llama2-70b", 294},     {"llama3_1-70b", 294}, {"llama3.1-405b", 9428},
                  {"llama3_1-405b", 9428}, {"llama3.1-8b", 778},  {"llama3_1-8b", 778},
                  {"mixtral-8x7b", 294},   {"deepseek-r1", 800}};

    for (size_t i = 0; i < ARRAY_LEN(inputs); i++)
        if (str_starts(model, str_from(inputs[i].name)))
            return inputs[i].tokens;
    return NAN;
}

/* The fewest GPUs whose memory has room beside the weights. */
static void share_mlperf_gpus(struct measured_value *p)
{
    struct serving *s = &p->serve;
    double room = WEIGHTS_SHARE * s->gpu->memory_gb * 1e9;

    s->pipeline = s->tensor = s->gpus = 1;
    while (serving_weight_bytes(s) > room && 2 * s->gpus <= p->stated.gpus &&
           s->arch->heads % (2 * s->tensor) == 0)
        s->gpus = s->tensor *= 2;
    p->copies = floor((double)p->stated.gpus / (double)s->gpus);
}

void read_mlperf(const struct rows_reader *r, struct measured_value *p)
{
    struct serving *s = &p->serve;
    double tokens = row_number(r, "tokens_per_s"), samples = row_number(r, "samples_per_s");
    bool offline = str_eq_nocase(row_text(r, "scenario"), STR("offline"));

    /* NVIDIA's code quantizes where the card can compute so: the column is of the model that it
     * begins with. */
    if (s->engine == ENGINE_TRTLLM && s->weights == WEIGHTS_FP16 && s->gpu->fp8_tflops > 0)
        s->weights = s->kv = WEIGHTS_FP8;
    s->rolling = true;
    s->input = mlperf_input(row_text(r, "model"));
    s->output = tokens / samples;
    s->spread = MLPERF_SPREAD;
    s->measured = 0;
    p->stated.has_input = p->stated.has_output = true;
    if (!offline) {
        p->stated.rate = samples;
        p->stated.first_limit = row_number(r, "ttft_limit_ms") / 1e3;
        p->stated.token_limit = row_number(r, "tpot_limit_ms") / 1e3;
    }
    if (p->reason == NULL && !(s->output >= 1))
        p->reason = "the row has no tokens a second";
    else if (p->reason == NULL && !(s->input >= 1))
        p->reason = "the length of the questions is not known";
    else if (p->reason == NULL && p->stated.gpus < 1)
        p->reason = "the number of GPUs is not given";
    if (p->reason == NULL)
        share_mlperf_gpus(p);
}
