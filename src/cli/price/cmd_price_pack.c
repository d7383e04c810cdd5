/* stint price pack */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/price/price_pack.h"

static void print_pack(const struct view *view, const void *result)
{
    const struct price_pack_result *res = result;

    if (res->key_file.len > 0) {
        view_label(view, "private key");
        buf_add_safe(view->out, res->key_file);
        buf_adds(view->out, ": keep it where prices are packed, and nowhere else\n");
        view_label(view, "public key");
        buf_add_safe(view->out, res->key);
        buf_adds(view->out, "\n");
        view_label(view, "");
        buf_adds(view->out, "for the others: trusted_keys in config.yaml, or --trust\n");
    }
    if (res->file.len == 0)
        return;
    buf_addf(view->out, "%lld price%s of %lld offer%s, ", (long long)res->counts.prices,
             res->counts.prices == 1 ? "" : "s", (long long)res->counts.offers,
             res->counts.offers == 1 ? "" : "s");
    bytes_write(res->size, view->out);
    buf_adds(view->out, ": ");
    buf_add_safe(view->out, res->file);
    buf_char(view->out, '\n');
    if (res->counts.own > 0)
        buf_addf(view->out, "%lld price%s of your own lists left out (--own packs them)\n",
                 (long long)res->counts.own, res->counts.own == 1 ? "" : "s");
}

const struct command cmd_price_pack = {
    .name = "price pack",
    .op = &op_price_pack,
    .about = "Writes the current prices of the price store as one small file with a checksum "
             "and an Ed25519 signature, for machines without network and for teams that want "
             "the same prices: 'stint price import FILE' verifies and stores it. Prices of "
             "your own lists are left out unless --own is given.\n\n"
             "Create a key once, where prices are packed. The others pin the public key in "
             "their configuration (trusted_keys: [ed25519:...]) or give it with --trust.",
    .examples = "stint price pack --create-key team.key\n"
                "stint price pack prices.stint --key team.key\n"
                "stint price import prices.stint --trust team.key.pub",
    .print = print_pack,
};
