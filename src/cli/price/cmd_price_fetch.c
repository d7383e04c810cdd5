/* stint price fetch */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/price/price_fetch.h"

static bool write_fetched_part(const struct column *column, const void *row, struct buf *out)
{
    const struct fetched_list *list = row;

    (void)column;
    buf_adds(out, str_eq(list->part, list->provider) ? "-" : "");
    return str_eq(list->part, list->provider);
}

static bool write_fetched_size(const struct column *column, const void *row, struct buf *out)
{
    double size = (double)((const struct fetched_list *)row)->size;

    (void)column;
    if (size >= 1e6)
        buf_addf(out, "%.1f MB", size / 1e6);
    else
        buf_addf(out, "%.1f KB", size / 1e3);
    return true;
}

static void print_fetched(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("provider", provider),
        COLUMN("list", part, .shrink = true, .cell = write_fetched_part),
        COLUMN("stored as", feed, .optional = true, .unknown = ""),
        COLUMN("", end, .unknown = ""),
        COLUMN("size", size, .optional = true, .cell = write_fetched_size),
        COLUMN("machines", quotes),
        COLUMN("new", changes.new_offers),
        COLUMN("changed", changes.changed),
        COLUMN("gone", changes.gone),
        COLUMN("bad", bad, .optional = true),
    };
    const struct price_fetch_result *res = result;
    const struct fetched_list *lists = res->update.lists.at;

    view_rows(view, &op_price_fetch, res, "lists", COLUMNS(columns));
    buf_char(view->out, '\n');
    for (size_t i = 0; i < res->update.lists.len; i++)
        if (lists[i].problem.len > 0 && lists[i].end != FETCH_EMPTY) {
            buf_add_safe(view->out, lists[i].provider);
            if (lists[i].part.len > 0 && !str_eq(lists[i].part, lists[i].provider)) {
                buf_char(view->out, ' ');
                buf_add_safe(view->out, lists[i].part);
            }
            buf_adds(view->out, " failed, and its prices stay as they were: ");
            buf_add_safe(view->out, lists[i].problem);
            buf_char(view->out, '\n');
        }
    buf_adds(view->out, "stored in ");
    buf_add_safe(view->out, res->store);
    buf_char(view->out, '\n');
}

const struct command cmd_price_fetch = {
    .name = "price fetch",
    .op = &op_price_fetch,
    .about =
        "Fetches current prices from providers into the price store. A list is stored once it "
        "was read completely; one that fails or is empty is reported, and its old prices stay. "
        "Lists that have not changed since the last time are not sent again. skypilot is a "
        "collection of the price lists of 24 clouds and needs no account.\n\n"
        "Keys are read from the default locations of the providers' own tools, never from the "
        "command line: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or ~/.aws/credentials (for "
        "spot prices; on-demand prices need none), GOOGLE_API_KEY or "
        "GOOGLE_OAUTH_ACCESS_TOKEN, LAMBDA_API_KEY or ~/.lambda_cloud/lambda_keys, "
        "RUNPOD_API_KEY or ~/.runpod/config.toml, VAST_API_KEY or "
        "~/.config/vastai/vast_api_key. Azure needs none.\n\n"
        "STINT_URL_AWS_PRICES, STINT_URL_AWS_EC2, STINT_URL_AZURE, STINT_URL_GCP, "
        "STINT_URL_LAMBDA, STINT_URL_RUNPOD, STINT_URL_VAST and STINT_URL_SKYPILOT set other "
        "addresses, such as mirrors.",
    .examples = "stint price fetch skypilot\n"
                "stint price fetch aws azure --region 'us-*,eu-west-1'\n"
                "stint price fetch --all",
    .print = print_fetched,
};
