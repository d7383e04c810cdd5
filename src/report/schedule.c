#include "report/schedule.h"

#include <string.h>

#include "base/buf.h"
#include "base/characters.h"
#include "base/spawn.h"

/* Who reads a line: a shell, started by cron, or systemd. Both have quotes, of different
 * kinds. */
enum line_kind {
    LINE_CRON,
    LINE_UNIT,
};

/* In a crontab % ends the command, unless it is escaped; in a unit % is a specifier and $ a
 * variable, unless they are doubled. */
static void put_mail_character(char c, enum line_kind kind, struct buf *out)
{
    if (kind == LINE_CRON && c == '\'')
        buf_adds(out, "'\\''");
    else if (kind == LINE_CRON && c == '%')
        buf_adds(out, "\\%");
    else if (kind == LINE_UNIT && (c == '"' || c == '\\'))
        buf_addf(out, "\\%c", c);
    else if (kind == LINE_UNIT && (c == '%' || c == '$'))
        buf_addf(out, "%c%c", c, c);
    else
        buf_char(out, c);
}

static bool is_plain_word(struct str word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!is_letter_or_digit(word.at[i]) &&
            (word.at[i] == '\0' || strchr("-_./:=@+,", word.at[i]) == NULL))
            return false;
    return word.len > 0;
}

static void put_mail_word(struct str word, enum line_kind kind, struct buf *out)
{
    char quote = kind == LINE_CRON ? '\'' : '"';

    if (is_plain_word(word)) {
        buf_add(out, word);
        return;
    }
    buf_char(out, quote);
    for (size_t i = 0; i < word.len; i++)
        put_mail_character(word.at[i], kind, out);
    buf_char(out, quote);
}

static void put_option(const char *name, struct str value, enum line_kind kind, struct buf *out)
{
    if (value.len == 0)
        return;
    buf_addf(out, " --%s ", name);
    put_mail_word(value, kind, out);
}

/* cron and systemd look for programs in few places: with its path, if that is known. */
static void put_command(const struct report_again *ask, enum line_kind kind, struct buf *out)
{
    char self[4096];

    put_mail_word(spawn_self(self, sizeof self) ? str_from(self) : STR("stint"), kind, out);
    buf_adds(out, " report --month last");
    for (size_t i = 0; i < ask->where.len; i++)
        put_option("where", ask->where.at[i], kind, out);
    put_option("currency", ask->currency, kind, out);
    for (size_t i = 0; i < ask->send.len; i++)
        put_option("send", ask->send.at[i], kind, out);
    put_option("mail", ask->mail, kind, out);
    put_option("output", ask->output, kind, out);
}

bool report_schedule(const struct report_again *ask, struct arena *arena,
                     struct report_schedule *out, struct error *err)
{
    struct buf cron = buf_new(arena->alloc, 1 << 20), unit = buf_new(arena->alloc, 1 << 20);

    buf_adds(&cron, "0 6 2 * * ");
    put_command(ask, LINE_CRON, &cron);
    buf_adds(&unit, "[Service]\nType=oneshot\nWorkingDirectory=%h\nExecStart=");
    put_command(ask, LINE_UNIT, &unit);
    buf_char(&unit, '\n');
    out->timer = STR("[Timer]\nOnCalendar=*-*-02 06:00 UTC\nPersistent=true\n\n"
                     "[Install]\nWantedBy=timers.target\n");
    if (buf_keep(&cron, arena, &out->cron, err))
        return buf_keep(&unit, arena, &out->service, err);
    buf_free(&unit);
    return false;
}
