/* Huffman codes of a JPEG from a part of the picture. The best codes for all of it need all of
 * its coefficients at once, six bytes a pixel, and a second pass; those of a part of it are
 * hardly longer. */
#include <string.h>

#include "data/images/image_libjpeg.h"

#define SYMBOLS 257     /* and one that keeps the code of ones alone free */
#define LONGEST 16      /* bits of a code in a file */
#define LONGEST_MADE 32 /* before they are made shorter */

/* A Huffman tree while it is made: section K.2 of the JPEG standard. */
struct code_tree {
    uint32_t weights[SYMBOLS]; /* 0: not a symbol, or part of another one */
    uint8_t lengths[SYMBOLS];
    int16_t next[SYMBOLS]; /* symbols of the same subtree; -1: the last */
};

static int lightest_code(const struct code_tree *tree, int except)
{
    int found = -1;

    for (int i = 0; i < SYMBOLS; i++)
        if (tree->weights[i] > 0 && i != except &&
            (found < 0 || tree->weights[i] <= tree->weights[found]))
            found = i;
    return found;
}

/* All symbols of the subtree are a bit longer; returns its last one. */
static int lengthen_codes(struct code_tree *tree, int at)
{
    tree->lengths[at]++;
    while (tree->next[at] >= 0) {
        at = tree->next[at];
        tree->lengths[at]++;
    }
    return at;
}

static void grow_code_tree(struct code_tree *tree)
{
    memset(tree->lengths, 0, sizeof tree->lengths);
    for (int i = 0; i < SYMBOLS; i++)
        tree->next[i] = -1;
    for (;;) {
        int one = lightest_code(tree, -1), other = lightest_code(tree, one);

        if (other < 0)
            return;
        tree->weights[one] += tree->weights[other];
        tree->weights[other] = 0;
        tree->next[lengthen_codes(tree, one)] = (int16_t)other;
        (void)lengthen_codes(tree, other);
    }
}

/* At most LONGEST bits, and without the symbol that is none, which has the longest. */
static void limit_codes(unsigned counts[static LONGEST_MADE + 1])
{
    int len = LONGEST_MADE;

    for (; len > LONGEST; len--)
        while (counts[len] > 0) {
            int shorter = len - 2;

            while (counts[shorter] == 0)
                shorter--;
            counts[len] -= 2;
            counts[len - 1]++;
            counts[shorter + 1] += 2;
            counts[shorter]--;
        }
    while (counts[len] == 0)
        len--;
    counts[len]--;
}

static void write_codes(const struct code_tree *tree, JHUFF_TBL *out)
{
    unsigned counts[LONGEST_MADE + 1] = {0};
    size_t used = 0;

    for (int i = 0; i < SYMBOLS; i++)
        counts[tree->lengths[i]] += tree->lengths[i] > 0;
    limit_codes(counts);
    for (int len = 1; len <= LONGEST; len++)
        out->bits[len] = (UINT8)counts[len];
    for (int len = 1; len <= LONGEST_MADE; len++)
        for (int i = 0; i < SYMBOLS - 1; i++)
            if (tree->lengths[i] == len)
                out->huffval[used++] = (UINT8)i;
}

/* Add the symbols that the part did not need, with the longest codes. */
static void complete_codes(JHUFF_TBL *codes, bool ac)
{
    struct code_tree tree = {0};
    size_t at = 0;

    for (int len = 1; len <= LONGEST; len++)
        for (unsigned i = 0; i < codes->bits[len]; i++)
            tree.weights[codes->huffval[at++]] = 4u << (LONGEST - len);
    for (int run = 0; run < (ac ? 16 : 1); run++)
        for (int size = ac ? 1 : 0; size <= (ac ? 10 : 11); size++)
            tree.weights[run * 16 + size] += tree.weights[run * 16 + size] == 0;
    if (ac) { /* the end of a block, and sixteen zeros */
        tree.weights[0x00] += tree.weights[0x00] == 0;
        tree.weights[0xf0] += tree.weights[0xf0] == 0;
    }
    tree.weights[SYMBOLS - 1] = 1;
    grow_code_tree(&tree);
    write_codes(&tree, codes);
}

void jpeg_codes_take(const struct jpeg_compress_struct *from, struct jpeg_codes *out)
{
    *out = (struct jpeg_codes){.count = from->num_components > 1 ? 2 : 1};
    for (unsigned i = 0; i < out->count; i++) {
        out->dc[i] = *from->dc_huff_tbl_ptrs[i];
        out->ac[i] = *from->ac_huff_tbl_ptrs[i];
        complete_codes(&out->dc[i], false);
        complete_codes(&out->ac[i], true);
        out->dc[i].sent_table = out->ac[i].sent_table = FALSE;
    }
}

void jpeg_codes_set(struct jpeg_compress_struct *to, const struct jpeg_codes *codes)
{
    for (unsigned i = 0; i < codes->count; i++) {
        *to->dc_huff_tbl_ptrs[i] = codes->dc[i];
        *to->ac_huff_tbl_ptrs[i] = codes->ac[i];
    }
}
