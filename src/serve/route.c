/* Every path of the server. */
#include "serve/page.h"

#include "op/run/receive.h"
#include "serve/receive.h"

#define SHORT_LIVED \
    { \
        1 * SECOND \
    } /* states of runs change with time alone */

const struct route serve_routes[] = {
    {.method = "GET",
     .path = "/",
     .scope = TOKEN_READ,
     .make = view_overview,
     .page = true,
     .fresh = {2 * SECOND},
     .stale = {30 * SECOND}},
    {.method = "GET",
     .path = "/runs",
     .scope = TOKEN_READ,
     .make = view_runs,
     .page = true,
     .fresh = SHORT_LIVED},
    {.method = "GET",
     .path = "/runs/*",
     .scope = TOKEN_READ,
     .make = view_run,
     .page = true,
     .fresh = SHORT_LIVED},
    {.method = "GET",
     .path = "/compare",
     .scope = TOKEN_READ,
     .make = view_compare,
     .page = true,
     .fresh = SHORT_LIVED},
    {.method = "GET",
     .path = "/plan",
     .scope = TOKEN_READ,
     .make = view_plan,
     .page = true,
     .fresh = {60 * SECOND}},
    {.method = "GET",
     .path = "/prices",
     .scope = TOKEN_READ,
     .make = view_prices,
     .page = true,
     .fresh = {60 * SECOND}},
    {.method = "GET",
     .path = "/prices/*",
     .scope = TOKEN_READ,
     .make = view_price_history,
     .page = true,
     .fresh = {60 * SECOND}},
    {.method = "GET",
     .path = "/budgets",
     .scope = TOKEN_READ,
     .make = view_budgets,
     .page = true,
     .fresh = {10 * SECOND},
     .stale = {60 * SECOND}},
    {.method = "GET",
     .path = "/budgets/*",
     .scope = TOKEN_READ,
     .make = view_budget,
     .page = true,
     .fresh = SHORT_LIVED},
    {.method = "POST",
     .path = "/budgets",
     .scope = TOKEN_ADMIN,
     .make = budget_save,
     .page = true},
    {.method = "POST",
     .path = "/budgets/remove",
     .scope = TOKEN_ADMIN,
     .make = budget_drop,
     .page = true},
    {.method = "GET",
     .path = "/alerts",
     .scope = TOKEN_READ,
     .make = view_alerts,
     .page = true,
     .fresh = SHORT_LIVED},
    {.method = "POST",
     .path = "/alerts/acknowledge",
     .scope = TOKEN_WRITE,
     .make = alert_acknowledge,
     .page = true},
    {.method = "POST",
     .path = "/alerts/test",
     .scope = TOKEN_ADMIN,
     .make = alert_test,
     .page = true},
    {.method = "GET",
     .path = "/bills",
     .scope = TOKEN_READ,
     .make = view_bills,
     .page = true,
     .fresh = SHORT_LIVED},
    {.method = "GET",
     .path = "/allocation",
     .scope = TOKEN_READ,
     .make = view_allocation,
     .page = true,
     .fresh = {10 * SECOND},
     .stale = {60 * SECOND}},
    {.method = "GET",
     .path = "/advice",
     .scope = TOKEN_READ,
     .make = view_advice,
     .page = true,
     .fresh = SHORT_LIVED},
    {.method = "POST",
     .path = "/advice/dismiss",
     .scope = TOKEN_WRITE,
     .make = advice_dismiss,
     .page = true},
    {.method = "POST",
     .path = "/advice/restore",
     .scope = TOKEN_WRITE,
     .make = advice_restore,
     .page = true},
    {.method = "GET",
     .path = "/sign-in",
     .scope = TOKEN_NONE,
     .make = sign_in_ask,
     .page = true},
    {.method = "POST",
     .path = "/sign-in",
     .scope = TOKEN_NONE,
     .make = sign_in_send,
     .page = true,
     .body_most = 4096},
    {.method = "POST",
     .path = "/sign-out",
     .scope = TOKEN_NONE,
     .make = sign_out,
     .page = true,
     .body_most = 4096},
    {.method = "GET", .path = "/style.css", .scope = TOKEN_NONE, .make = asset_style},
    {.method = "GET", .path = "/script.js", .scope = TOKEN_NONE, .make = asset_script},
    {.method = "GET", .path = "/events", .scope = TOKEN_READ, .stream = true},
    {.method = "GET",
     .path = "/healthz",
     .scope = TOKEN_NONE,
     .make = api_health,
     .fresh = SHORT_LIVED},
    {.method = "GET",
     .path = "/metrics",
     .scope = TOKEN_READ,
     .make = metrics_make,
     .variant = metrics_variant,
     .fresh = SHORT_LIVED},
    {.method = "POST",
     .path = RECEIPT_PATH,
     .scope = TOKEN_WRITE,
     .take = receive_post,
     .body_most = RECEIPT_BODY},
    {.method = "GET", .path = "/api/v1/work/*", .scope = TOKEN_READ, .make = api_work_show},
    {.method = "POST", .path = "/api/v1/work/*", .scope = TOKEN_READ, .make = api_work},
    {.method = "DELETE",
     .path = "/api/v1/work/*",
     .scope = TOKEN_READ,
     .make = api_work_cancel},
    {.method = "GET", .path = "/api/v1/", .scope = TOKEN_READ, .make = api_list},
    {.method = "GET",
     .path = "/api/v1/openapi.json",
     .scope = TOKEN_READ,
     .make = api_openapi,
     .fresh = {60 * SECOND}},
    {.method = "GET",
     .path = "/api/v1/*",
     .scope = TOKEN_READ,
     .make = api_call,
     .fresh = SHORT_LIVED},
    {.method = "POST", .path = "/api/v1/*", .scope = TOKEN_READ, .make = api_call},
};
const size_t serve_route_count = ARRAY_LEN(serve_routes);

static bool path_matches(const char *pattern, struct str path, struct str *rest)
{
    struct str p = str_from(pattern);

    *rest = (struct str){0};
    if (p.at[p.len - 1] != '*')
        return str_eq(p, path);
    p.len--;
    if (!str_starts(path, p) || path.len == p.len)
        return false;
    *rest = (struct str){path.at + p.len, path.len - p.len};
    return true;
}

const struct route *route_find(struct str method, struct str path, struct str *rest,
                               const char **allow)
{
    bool head = str_eq(method, STR("HEAD"));

    *allow = NULL;
    for (size_t i = 0; i < serve_route_count; i++) {
        const struct route *r = &serve_routes[i];

        if (!path_matches(r->path, path, rest))
            continue;
        if (str_eq(method, str_from(r->method)) ||
            (head && str_eq(STR("GET"), str_from(r->method))))
            return r;
        *allow = *allow != NULL ? "GET, HEAD, POST" : r->method;
    }
    return NULL;
}
