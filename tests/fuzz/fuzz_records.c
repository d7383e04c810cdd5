/* Any bytes as what another machine sends of a run: refused with a text, or added to a ledger
 * that can be read afterwards. Bytes as they are seldom have the right checks, so they are also
 * framed as records: a length of two bytes, then the body. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "ledger/runs/metrics.h"
#include "ledger/runs/run_journal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK_SEED UINT64_C(0x7374696e746a726e) /* of run_journal_record.c */
#define NOW INT64_C(1794700800)

static stamp now = {NOW};
static struct clock fixed;
static char path[64];
static struct ledger *ledger;

static void require(bool fact)
{
    if (!fact)
        abort();
}

static void remove_ledger(void)
{
    char name[80];

    ledger_close(ledger);
    for (int i = 0; i < 3; i++) {
        (void)snprintf(name, sizeof name, "%s%s", path, i == 0 ? "" : i == 1 ? "-wal" : "-shm");
        (void)unlink(name);
    }
}

static void open_ledger(void)
{
    struct error err = {0};

    if (ledger != NULL)
        return;
    fixed = clock_fixed(&now);
    (void)snprintf(path, sizeof path, "%s/stint-fuzz-%d.db",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (int)getpid());
    ledger = ledger_open(path, LEDGER_WRITE, (span){SECOND}, &fixed, &alloc_system, &err);
    require(ledger != NULL);
    (void)atexit(remove_ledger);
}

static void receive(struct str bytes, bool team)
{
    struct ledger_received post = {.latest = now, .team = team ? STR("nlp") : STR("")};
    struct error err = {0};

    if (!run_journal_split(bytes, &post.start, &post.records, &err)) {
        require(err.kind == ERROR_INPUT && err.text[0] != '\0');
        return;
    }
    ledger_apply_received(ledger, &post, 1);
    require(post.ok || (post.err.kind != ERROR_NONE && post.err.text[0] != '\0'));
    if (post.ok) {
        uint64_t last = post.last;

        ledger_apply_received(ledger, &post, 1); /* again: nothing changes */
        require(post.ok && post.last == last);
    }
}

static void read_back(void)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct ledger_query newest = {.since = {-1}, .until = {-1}, .limit = 3};
    const struct ledger_run *runs;
    struct error err = {0};
    size_t count;
    usd spent;
    int64_t unknown;

    require(ledger_runs(ledger, &newest, &arena, &runs, &count, &err));
    for (size_t i = 0; i < count; i++) {
        const struct ledger_metric *metrics;
        size_t many;

        require(ledger_metrics(ledger, runs[i].start.id, &arena, &metrics, &many, &err));
        for (size_t k = 0; k < many; k++)
            require(metrics[k].name.len > 0);
    }
    require(ledger_spent(ledger, (stamp){NOW - 86400}, &spent, &unknown, &err));
    arena_free(&arena);
}

static void frame(const uint8_t *data, size_t size, struct buf *out)
{
    while (size >= 2) {
        size_t len = (size_t)(data[0] | data[1] << 8);
        uint32_t head[2];

        data += 2;
        size -= 2;
        len = len < size ? len : size;
        head[0] = (uint32_t)len;
        head[1] = (uint32_t)text_hash(CHECK_SEED, (struct str){(const char *)data, len});
        buf_add(out, (struct str){(const char *)head, sizeof head});
        buf_add(out, (struct str){(const char *)data, len});
        data += len;
        size -= len;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf body = buf_new(&alloc_system, (size_t)1 << 22);

    if (size == 0 || size > 100000)
        return 0;
    open_ledger();
    receive((struct str){(const char *)data, size}, false);
    run_journal_put_head(&body);
    frame(data + 1, size - 1, &body);
    receive(buf_text(&body), (data[0] & 1) != 0);
    read_back();
    buf_free(&body);
    return 0;
}
