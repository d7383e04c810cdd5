/* How much a job trains on, from the little that people say about it. */
#include <math.h>

#include "base/num.h"
#include "job/job.h"

double job_epochs(const struct job *job, double *factor)
{
    /* What practitioners of fine-tuning go by: clean data is learned in fewer passes, noisy
     * data needs more. It changes a number that the user gave, so it stays small. */
    static const struct {
        const char *quality;
        double factor;
    } known[] = {{"high", 0.8}, {"medium", 1}, {"low", 1.3}};
    const struct job_train *t = &job->train;
    double given = isnan(t->epochs) ? 1 : t->epochs, epochs = given;

    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (str_eq(t->data.quality, str_from(known[i].quality)))
            epochs = given * known[i].factor;
    if (epochs < given && epochs < 1) /* good data is no reason to leave some of it out */
        epochs = fmin(given, 1);
    *factor = epochs / given;
    return epochs;
}

static double positive_or_unknown(int64_t count)
{
    return count > 0 ? (double)count : NAN;
}

/* Tokens of one example: beside examples, `tokens` means that until job_resolve() has moved
 * it. */
static double tokens_each(const struct job_data *d)
{
    return isnan(d->example_tokens) && !isnan(d->examples) ? d->tokens : d->example_tokens;
}

static double examples_of(const struct job_data *d)
{
    return d->examples * num_known_or(d->repeats, 1);
}

/* In the whole set. */
static double tokens_of(const struct job_data *d)
{
    if (!isnan(d->examples))
        return examples_of(d) * tokens_each(d);
    if (!isnan(d->tokens))
        return d->tokens;
    if (d->size.n != BYTES_UNKNOWN.n)
        return (double)d->size.n / num_known_or(d->bytes_per_token, BYTES_PER_TOKEN);
    return NAN;
}

/* Samples of one optimizer step; unknown when it depends on the GPUs. */
static double batch_of(const struct job_train *t)
{
    double accumulation = t->accumulation > 0 ? (double)t->accumulation : 1;

    if (t->global_batch > 0)
        return (double)t->global_batch;
    return positive_or_unknown(t->micro_batch) * accumulation *
           positive_or_unknown(t->parallel.data);
}

/* Tokens of one sample as it is trained on. */
static double sample_tokens(const struct job_train *t)
{
    return t->sequence > 0 ? (double)t->sequence : tokens_each(&t->data);
}

double job_tokens(const struct job *job)
{
    const struct job_train *t = &job->train;
    double factor;

    if (!isnan(t->steps))
        return t->steps * batch_of(t) * sample_tokens(t);
    return tokens_of(&t->data) * job_epochs(job, &factor);
}

double job_samples(const struct job *job)
{
    const struct job_train *t = &job->train;
    double factor;

    if (!isnan(t->steps))
        return t->steps * batch_of(t);
    if (!isnan(t->data.examples))
        return examples_of(&t->data) * job_epochs(job, &factor);
    return job_tokens(job) / sample_tokens(t);
}
