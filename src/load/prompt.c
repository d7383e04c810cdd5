#include "load/prompt.h"

#include <math.h>

/* Frequent English words: each is one token, with the blank before it, of the tokenizers of
 * current models. */
static const char *const words[] = {
    "the",     "of",    "and",   "to",     "in",    "is",     "that",    "for",  "it",
    "as",      "was",   "with",  "be",     "by",    "on",     "not",     "he",   "his",
    "but",     "at",    "are",   "this",   "have",  "from",   "or",      "had",  "an",
    "they",    "which", "one",   "you",    "were",  "all",    "her",     "she",  "there",
    "would",   "their", "we",    "him",    "been",  "has",    "when",    "who",  "will",
    "no",      "more",  "if",    "out",    "so",    "said",   "what",    "up",   "its",
    "about",   "than",  "into",  "them",   "can",   "only",   "other",   "time", "new",
    "some",    "could", "these", "two",    "may",   "first",  "then",    "do",   "any",
    "like",    "my",    "now",   "over",   "such",  "our",    "man",     "me",   "even",
    "most",    "made",  "after", "also",   "well",  "did",    "many",    "must", "years",
    "much",    "where", "your",  "way",    "down",  "should", "because", "long", "each",
    "just",    "state", "those", "people", "how",   "too",    "little",  "good", "world",
    "make",    "very",  "year",  "still",  "see",   "work",   "life",    "get",  "here",
    "between", "both",  "being", "under",  "three", "never",  "know",    "same", "last",
    "another", "while",
};
_Static_assert(ARRAY_LEN(words) == 128, "seven bits choose one");

/* Kinds of text from one seed, so that none repeats another. */
enum { FROM_LENGTH = 1, FROM_GROUP, FROM_BLOCK, FROM_REQUEST };

static struct dice dice_of(const struct prompt_plan *plan, uint64_t kind, uint64_t number)
{
    struct dice dice = dice_seed(plan->seed ^ kind << 60);

    return dice_seed(dice_roll(&dice) + number);
}

struct prompt_ask prompt_of(const struct prompt_plan *plan, uint64_t number)
{
    struct dice dice = dice_of(plan, FROM_LENGTH, number);
    struct prompt_ask ask = {.number = number};
    const struct trace_row *row;

    ask.group = (uint32_t)(dice_roll(&dice) % (uint64_t)plan->prefix_groups);
    if (plan->rows == NULL) {
        ask.input = length_draw(&plan->input, &dice);
        ask.output = length_draw(&plan->output, &dice);
    } else {
        row = &plan->rows->rows[plan->in_order ? number % plan->rows->count
                                               : dice_roll(&dice) % plan->rows->count];
        ask.input = row->input;
        ask.output = row->output;
        ask.blocks = row->ranges > 0 ? &plan->rows->ranges[row->range] : NULL;
        ask.block_ranges = row->ranges;
    }
    ask.prefix = (int32_t)fmin((double)plan->prefix, LOAD_TOKENS_MAX - ask.input);
    ask.input += ask.prefix;
    return ask;
}

/* So many tokens' worth of words. A fraction of a word is rounded. */
static void write_words(const struct prompt_plan *plan, struct dice *dice, double tokens,
                        struct buf *out)
{
    int64_t count = (int64_t)floor(tokens * plan->words_per_token + 0.5);
    uint64_t bits = 0;

    for (int64_t i = 0; i < count; i++) {
        if (i % 9 == 0)
            bits = dice_roll(dice);
        if (out->len > 0)
            buf_char(out, ' ');
        buf_adds(out, words[bits & 127]);
        bits >>= 7;
    }
}

/* The blocks of a trace's row, and how many tokens that is at most. */
static int64_t write_prompt_blocks(const struct prompt_plan *plan, const struct prompt_ask *ask,
                                   struct buf *out)
{
    int64_t left = ask->input;

    for (uint32_t r = 0; r < ask->block_ranges; r++)
        for (uint64_t id = ask->blocks[r].first; id <= ask->blocks[r].last && left > 0; id++) {
            struct dice dice = dice_of(plan, FROM_BLOCK, id);
            int64_t tokens = left < LOAD_BLOCK_TOKENS ? left : LOAD_BLOCK_TOKENS;

            write_words(plan, &dice, (double)tokens, out);
            left -= tokens;
        }
    return ask->input - left;
}

void prompt_write(const struct prompt_plan *plan, const struct prompt_ask *ask, struct buf *out)
{
    struct buf text = *out;
    struct dice dice;
    int64_t done = ask->prefix;

    text = buf_new(out->alloc, out->max);
    if (ask->prefix > 0) {
        dice = dice_of(plan, FROM_GROUP, ask->group);
        write_words(plan, &dice, ask->prefix, &text);
    } else if (ask->block_ranges > 0) {
        done = write_prompt_blocks(plan, ask, &text);
    }
    dice = dice_of(plan, FROM_REQUEST, ask->number);
    write_words(plan, &dice, (double)(ask->input - done), &text);
    buf_add(out, buf_text(&text));
    buf_free_part(&text, out);
}
