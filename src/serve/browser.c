/* Starting a browser that is signed in (`stint serve --open`). */
#include <stdio.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/spawn.h"
#include "serve/internal.h"

/* The link is a secret, and arguments of programs are seen by everybody on a machine: the
 * browser gets a file that only this user can read, which leads on. */
static const char *write_lead(struct server *s, const char *secret, struct error *err)
{
    const char *folder = env_get("XDG_RUNTIME_DIR");
    struct buf page = buf_new(&alloc_system, 4096);
    char name[64];
    const char *path;
    bool ok;

    if (folder == NULL)
        folder = env_get("TMPDIR") != NULL ? env_get("TMPDIR") : "/tmp";
    (void)snprintf(name, sizeof name, "stint-open-%lld.html", (long long)getpid());
    path = fs_join(folder, name, s->ctx.arena, err);
    buf_addf(&page,
             "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
             "<title>Stint</title>\n<meta http-equiv=\"refresh\" "
             "content=\"0; url=%s/sign-in?with=%s\"></head>\n<body></body></html>\n",
             s->address, secret);
    ok = path != NULL && fs_replace(path, buf_text(&page), err);
    buf_free(&page);
    return ok ? path : NULL;
}

void open_browser(struct server *s, const char *secret)
{
    static const char script[] = "command -v xdg-open >/dev/null || exit 3\n"
                                 "xdg-open \"$1\" >/dev/null 2>&1 &";
    struct error err = {0};
    const char *path = write_lead(s, secret, &err);
    const char *const argv[] = {"sh", "-c", script, "sh", path, NULL};
    struct str out;
    int status = 1;

    if (path == NULL || !spawn_run(argv, 64, s->ctx.arena, &out, &status, &err) || status != 0)
        message_note(&s->ctx.messages, "no browser was started: open the link yourself");
    s->lead = path;
}

void close_browser_file(struct server *s)
{
    if (s->lead != NULL)
        (void)unlink(s->lead);
}
