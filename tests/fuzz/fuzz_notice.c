/* Answers of metadata services, of which any byte may be hostile: the first byte chooses the
 * question, the rest is the answer. What is understood can be shown on a terminal, has an end,
 * and is the same each time. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "run/cloud/metadata.h"
#include "run/cloud/notice.h"

#define TEXT_MAX 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static void check_text(const char *text, size_t room)
{
    size_t len = strnlen(text, room);

    require(len < room);
    for (size_t i = 0; i < len; i++)
        require(text[i] >= ' ' && text[i] < 0x7f);
}

static void check_notice(struct notice a, struct notice b)
{
    require(a.kind == b.kind && a.at == b.at && strcmp(a.text, b.text) == 0);
    require(a.kind >= NOTICE_NONE && a.kind <= NOTICE_MAINTENANCE && a.at >= -1);
    require((a.kind == NOTICE_NONE) == (a.text[0] == '\0'));
    require(a.kind != NOTICE_NONE || (a.at == -1 && a.id[0] == '\0'));
    check_text(a.text, sizeof a.text);
    check_text(a.id, sizeof a.id);
}

static void check_words(bool ok, const struct metadata_words *words, const struct error *err)
{
    require(ok == (err->kind == ERROR_NONE));
    if (!ok)
        return;
    require(words->instance[0] != '\0' && words->region[0] != '\0');
    check_text(words->instance, sizeof words->instance);
    check_text(words->region, sizeof words->region);
    check_text(words->zone, sizeof words->zone);
    check_text(words->id, sizeof words->id);
    check_text(words->name, sizeof words->name);
    check_text(words->market, sizeof words->market);
    require(words->resource[0] == '\0' || words->resource[0] == '/');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct metadata_words words;
    struct error err = {0};
    struct str body, rest, line;

    if (size < 1 || size > TEXT_MAX)
        return 0;
    body = (struct str){(const char *)data + 1, size - 1};
    rest = body;
    line = str_cut(&rest, '\n');
    switch (data[0] % 8) {
    case 0:
        check_notice(notice_ec2_action(body), notice_ec2_action(body));
        break;
    case 1:
        check_notice(notice_ec2_rebalance(body), notice_ec2_rebalance(body));
        break;
    case 2:
        check_notice(notice_ec2_events(body), notice_ec2_events(body));
        break;
    case 3:
        check_notice(notice_gcp(line, rest), notice_gcp(line, rest));
        break;
    case 4:
        check_notice(notice_azure(rest, line), notice_azure(rest, line));
        break;
    case 5:
        check_words(metadata_ec2(rest, line, &words, &err), &words, &err);
        break;
    case 6:
        check_words(metadata_gcp(line, rest, line, rest, &words, &err), &words, &err);
        break;
    default:
        check_words(metadata_azure(body, &words, &err), &words, &err);
        line = metadata_runpod_country(line);
        require(line.len == 0 || line.len == 2);
        break;
    }
    return 0;
}
