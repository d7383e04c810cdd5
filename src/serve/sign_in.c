/* Signing in: with a token, or with the link that a server prints when it starts. */
#include <string.h>

#include "serve/page.h"

/* Where to go afterwards: only to a path of ours. */
static const char *where_to(struct visit *v)
{
    struct str to = params_get(&v->params, "to");
    bool ours = to.len > 0 && to.at[0] == '/' && !str_starts(to, STR("//"));
    struct error err = {0};
    const char *path;

    for (size_t i = 0; i < to.len; i++)
        ours = ours && to.at[i] > ' ' && to.at[i] < 0x7f && to.at[i] != '\\';
    path = ours ? str_dup(to, &v->arena, &err) : NULL;
    return path != NULL ? path : "/";
}

static bool lead(struct visit *v, const char *to)
{
    v->status = 303;
    v->location = to;
    v->type = "text/plain; charset=utf-8";
    return true;
}

static void set_cookie(struct visit *v, const char *value, const char *life)
{
    v->cookie = page_text(v, "%s=%s; Path=/; HttpOnly; SameSite=Lax%s%s",
                          guard_cookie_name(v->server->guard), value,
                          guard_encrypted(v->server->guard, v->request) ? "; Secure" : "", life)
                    .at;
}

static bool show_form(struct visit *v, const struct error *problem)
{
    page_begin(v, STR("Sign in to Stint"), NULL);
    if (problem != NULL)
        html_element(&v->out, "<p class=\"remark failure\" role=\"alert\">",
                     str_from(problem->text), "</p>\n");
    buf_adds(&v->out, "<form method=\"post\" action=\"/sign-in\">\n");
    page_hidden(v, "to", str_from(where_to(v)));
    buf_adds(&v->out,
             "<p><label for=\"token\">Token</label>\n"
             "<input type=\"password\" id=\"token\" name=\"with\" required autofocus "
             "autocomplete=\"current-password\" size=\"40\"></p>\n"
             "<p><button type=\"submit\" class=\"main\">Sign in</button></p>\n</form>\n"
             "<p class=\"sub\"><code>stint token add NAME</code> makes a token. The server "
             "prints a link that signs in once when it starts; <code>stint serve --open</code> "
             "opens it.</p>\n</main>\n</body>\n</html>\n");
    return true;
}

static bool sign_in(struct visit *v, struct str secret)
{
    char cookie[TOKEN_SECRET], peer[HTTP_PEER];
    struct error problem = {0};

    guard_peer(v->server->guard, v->request, peer);
    if (!guard_sign_in(v->server->guard, peer, str_trim(secret), cookie, &problem)) {
        v->status = problem.kind == ERROR_AWAY ? 503 : 403;
        return show_form(v, &problem);
    }
    set_cookie(v, cookie, "");
    return lead(v, where_to(v));
}

bool sign_in_ask(struct visit *v, struct error *err)
{
    struct str secret = params_get(&v->params, "with");

    (void)err;
    if (secret.len > 0 && str_eq(v->request->method, STR("GET")))
        return sign_in(v, secret);
    if (v->caller.by_cookie)
        return lead(v, where_to(v));
    return show_form(v, NULL);
}

bool sign_in_send(struct visit *v, struct error *err)
{
    (void)err;
    return sign_in(v, params_get(&v->params, "with"));
}

bool sign_out(struct visit *v, struct error *err)
{
    (void)err;
    guard_sign_out(v->server->guard, v->request);
    set_cookie(v, "", "; Max-Age=0");
    return lead(v, "/sign-in");
}
