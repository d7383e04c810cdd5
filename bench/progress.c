/* What reading a program's output for its progress costs: lines without progress, lines that
 * do, and a scan of complete blocks; compared with memchr(), which only finds the ends of
 * lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run/output/metric.h"

#define BYTES ((size_t)32 << 20)
#define BLOCK ((size_t)64 * 1024)
#define ROUNDS 5

static double cpu_now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The lines, over and over in no order. */
static struct str fill(char *text, const char *const *lines, size_t count)
{
    size_t len = 0;
    unsigned dice = 1;

    for (;;) {
        const char *line = lines[(dice >> 16U) % count];
        size_t n = strlen(line);

        dice = dice * 1103515245U + 12345U;

        if (len + n + 1 > BYTES)
            return (struct str){text, len};
        memcpy(text + len, line, n);
        text[len + n] = '\n';
        len += n + 1;
    }
}

static size_t read_all(struct metric_reader *reader, struct str text, size_t *lines)
{
    struct metric_update update;
    size_t found = 0;

    for (*lines = 0; text.len > 0; (*lines)++)
        found += metric_line(reader, str_cut(&text, '\n'), &update);
    return found;
}

static size_t glance_all(const struct metric_reader *reader, struct str text)
{
    size_t maybe = 0;

    for (size_t at = 0; at + BLOCK <= text.len; at += BLOCK)
        maybe += metric_glance(reader, (struct str){text.at + at, BLOCK});
    return maybe;
}

static size_t find_ends(struct str text)
{
    size_t lines = 0;

    for (; text.len > 0; lines++)
        (void)str_cut(&text, '\n');
    return lines;
}

static void measure(struct metric_reader *reader, const char *name, struct str text)
{
    double best[3] = {1e9, 1e9, 1e9};
    size_t found = 0, lines = 0, check = 0;

    for (int round = 0; round < ROUNDS; round++) {
        double took[3], from = cpu_now();

        found = read_all(reader, text, &lines);
        took[0] = cpu_now() - from;
        from = cpu_now();
        check += glance_all(reader, text);
        took[1] = cpu_now() - from;
        from = cpu_now();
        check += find_ends(text);
        took[2] = cpu_now() - from;
        for (int i = 0; i < 3; i++)
            best[i] = took[i] < best[i] ? took[i] : best[i];
    }
    printf("%-20s %6.3f ns/byte, %5.0f ns a line, progress in %3.0f %%; glance %6.3f, ends of "
           "lines "
           "%6.3f ns/byte%s\n",
           name, best[0] * 1e9 / (double)text.len, best[0] * 1e9 / (double)lines,
           100.0 * (double)found / (double)lines, best[1] * 1e9 / (double)text.len,
           best[2] * 1e9 / (double)text.len, check == 0 ? " " : "");
}

int main(void)
{
    static const char *const prose[] = {
        "The quick brown fox jumps over the lazy dog and runs into the forest where it sleeps.",
        "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor",
        "a short line",
        "warning: implicit declaration of function 'foo' at src/main.c:123:45 [-Wimplicit]"};
    static const char *const logs[] = {
        "172.17.0.1 - - [01/May/2024:10:00:00 +0000] \"GET /items/3?x=1 HTTP/1.1\" 200 512",
        "2024-05-01 10:00:00,123 INFO worker[3]: processed request 8c1f in 12.3 ms, 3 rows",
        "{\"ts\":1714550400.123,\"level\":\"info\",\"status\":200,\"bytes\":5123,\"path\":\"/i/"
        "3\"}"};
    static const char *const bars[] = {
        " 45%|████▌     | 450/1000 [00:12<00:15, 36.2it/s, loss=0.123]",
        "Epoch 3:  45%|████▌     | 450/1000 [00:12<00:15, 36.20it/s, v_num=0, loss=0.120]"};
    static const char *const dicts[] = {
        "{'loss': 2.31, 'grad_norm': 1.2, 'learning_rate': 5e-05, 'epoch': 0.52}"};
    static const char *const pairs[] = {
        "step 100/2000 loss: 2.5 lr: 1e-4 grad_norm: 1.25 tokens/s: 12345",
        "epoch 3 step 200: train_loss=1.2 val_loss=1.4"};
    static const struct {
        const char *name;
        const char *const *lines;
        size_t count;
    } kinds[] = {
        {"prose", prose, ARRAY_LEN(prose)},
        {"logs", logs, ARRAY_LEN(logs)},
        {"progress bars", bars, ARRAY_LEN(bars)},
        {"dictionaries", dicts, ARRAY_LEN(dicts)},
        {"names and numbers", pairs, ARRAY_LEN(pairs)},
    };
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct error err;
    struct metric_reader *reader = metric_open((struct strs){NULL, 0}, &arena, &err);
    char *text = malloc(BYTES);

    if (reader == NULL || text == NULL)
        return 1;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        measure(reader, kinds[i].name, fill(text, kinds[i].lines, kinds[i].count));
    free(text);
    metric_close(reader);
    arena_free(&arena);
    return 0;
}
