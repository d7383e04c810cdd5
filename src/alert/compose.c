/* What goes with a message: facts, and files of mails. */
#include "alert/alert.h"

bool alert_take_facts(struct alert_message *m, struct strs lines, struct arena *arena,
                      struct error *err)
{
    struct alert_fact *facts = arena_array(arena, struct alert_fact, lines.len, err);

    if (facts == NULL)
        return false;
    for (size_t i = 0; i < lines.len; i++) {
        struct str rest = lines.at[i];

        facts[i].name = str_cut(&rest, ':');
        facts[i].value = str_trim(rest);
    }
    m->facts = facts;
    m->fact_count = lines.len;
    return true;
}

struct str alert_attached_type(struct str name)
{
    return str_ends(name, STR(".html"))  ? STR("text/html; charset=UTF-8")
           : str_ends(name, STR(".png")) ? STR("image/png")
                                         : (struct str){0};
}

bool alert_attach(struct alert_message *m, struct str name, struct str text,
                  struct arena *arena, bool *left_out, struct error *err)
{
    size_t taken = 0;

    for (size_t i = 0; i < m->attached_count; i++)
        taken += m->attached[i].data.len;
    if (text.len > ALERT_ATTACHED_MAX - taken) {
        *left_out = true;
        return true;
    }
    m->attached = arena_grow(arena, m->attached, m->attached_count, sizeof *m->attached,
                             &m->attached_room, err);
    if (m->attached == NULL)
        return false;
    m->attached[m->attached_count++] =
        (struct alert_attachment){name, alert_attached_type(name), text};
    return true;
}
