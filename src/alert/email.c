/* Mails: RFC 5322, in lines and bytes that every server on the way takes. */
#include "alert/text.h"

#include "base/characters.h"
#include "base/hash.h"
#include "net/smtp.h"
#include "unit/time.h"

#define LINE 75     /* of an encoded header and of a body, before the mark of a soft break */
#define READABLE 40 /* bytes of an event's name in an id */

/* "Tue, 24 Mar 2026 09:00:00 +0000" */
static void put_date(stamp at, struct buf *out)
{
    static const char days[] = "ThuFriSatSunMonTueWed"; /* 1970-01-01 was a Thursday */
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    int64_t second = at.s - day_of(at).n * SECONDS_PER_DAY;
    int year, month, date, weekday = (day_of(at).n % 7 + 7) % 7;

    day_split(day_of(at), &year, &month, &date);
    buf_addf(out, "Date: %.3s, %d %.3s %04d %02d:%02d:%02d +0000\r\n", days + weekday * 3, date,
             months + (month - 1) * 3, year, (int)(second / 3600), (int)(second / 60 % 60),
             (int)(second % 60));
}

static bool is_ascii(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] < ' ' || text.at[i] >= 0x7f)
            return false;
    return true;
}

static bool is_plain(unsigned char c)
{
    return is_letter_or_digit((char)c);
}

/* A byte of an encoded word; how many it takes. */
static size_t put_byte(unsigned char c, struct buf *out)
{
    if (!is_plain(c)) {
        buf_addf(out, "=%02X", c);
        return 3;
    }
    buf_char(out, (char)c);
    return 1;
}

/* RFC 2047: words of at most 75 bytes, none of which cuts a character. */
static void put_encoded(struct str text, struct buf *out)
{
    static const char begin[] = "=?UTF-8?Q?";
    size_t column = 0;

    while (text.len > 0) {
        size_t len = str_character(text);

        len = len == 0 || len == SIZE_MAX ? 1 : len;
        if (column == 0 || column + len * 3 > LINE - 3) {
            buf_adds(out, column == 0 ? "" : "?=\r\n ");
            buf_adds(out, begin);
            column = sizeof begin - 1 + (column == 0 ? sizeof "Subject: " - 1 : 1);
        }
        for (size_t i = 0; i < len; i++)
            column += put_byte((unsigned char)text.at[i], out);
        text.at += len;
        text.len -= len;
    }
    buf_adds(out, "?=");
}

static void put_subject(const struct alert_message *m, struct buf *out)
{
    struct buf line = buf_new(out->alloc, BUF_MAX_OUTPUT), cut = buf_new(out->alloc, 4096);
    struct str text;

    text_headline(m, &line);
    text_put(buf_text(&line), 200, TEXT_PLAIN, &cut);
    for (size_t i = 0; i < cut.len; i++)
        if (cut.at[i] == '\n')
            cut.at[i] = ' ';
    text = buf_text(&cut);
    buf_adds(out, "Subject: ");
    if (is_ascii(text))
        buf_add(out, text);
    else
        put_encoded(text, out);
    buf_adds(out, "\r\n");
    if (line.failed != ERROR_NONE || cut.failed != ERROR_NONE)
        out->failed = line.failed != ERROR_NONE ? line.failed : cut.failed;
    buf_free(&line);
    buf_free(&cut);
}

/* The event as the left half of an id: "3.1794700800.5f0c6a0e1b2d3c4f.budget-nlp-2026-11". The
 * alert and when it began are its own in a ledger; the hash, of a name as long and in whatever
 * letters it is, distinguishes ledgers that count alike. The rest is for people. */
static void put_thread(const struct alert_message *m, struct buf *out)
{
    struct str alert = m->id;

    buf_adds(out, "<stint.");
    buf_add(out, str_cut(&alert, '.'));
    buf_addf(out, ".%lld.%016llx.", (long long)m->began.s,
             (unsigned long long)text_hash(0, m->dedup));
    for (size_t i = 0; i < m->dedup.len && i < READABLE; i++) {
        char c = m->dedup.at[i];

        buf_char(out, is_plain((unsigned char)c) || c == '_' ? c : '-');
    }
}

static void put_domain(struct str from, struct buf *out)
{
    (void)str_cut(&from, '@');
    buf_char(out, '@');
    buf_add(out, from);
    buf_char(out, '>');
}

/* The first message of an event has the event's id, so that all others answer to it, and one
 * that is sent twice has the same both times. */
static void put_ids(const struct alert_message *m, struct str from, struct buf *out)
{
    bool first = m->what == ALERT_FIRING;

    buf_adds(out, "Message-ID: ");
    put_thread(m, out);
    if (!first) {
        buf_char(out, '.');
        buf_add(out, m->id);
    }
    put_domain(from, out);
    buf_adds(out, "\r\n");
    if (first || m->what == ALERT_DIGEST || m->what == ALERT_TEST)
        return;
    buf_adds(out, "In-Reply-To: ");
    put_thread(m, out);
    put_domain(from, out);
    buf_adds(out, "\r\nReferences: ");
    put_thread(m, out);
    put_domain(from, out);
    buf_adds(out, "\r\n");
}

/* Quoted-printable: 7 bits, lines of at most 76. */
static void put_body(struct str text, struct buf *out)
{
    size_t column = 0;

    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        bool last = i + 1 == text.len || text.at[i + 1] == '\n';
        bool plain = (c > ' ' && c < 0x7f && c != '=') || (c == ' ' && !last);

        if (c == '\n') {
            buf_adds(out, "\r\n");
            column = 0;
            continue;
        }
        if (column + (plain ? 1 : 3) > LINE) {
            buf_adds(out, "=\r\n");
            column = 0;
        }
        if (plain)
            buf_char(out, (char)c);
        else
            buf_addf(out, "=%02X", c);
        column += plain ? 1 : 3;
    }
    buf_adds(out, "\r\n");
}

static void put_words(const struct alert_message *m, struct buf *out)
{
    text_put(m->words.len > 0 ? m->words : text_title(m), 50000, TEXT_PLAIN, out);
    buf_char(out, '\n');
    for (size_t i = 0; i < m->fact_count; i++) {
        buf_adds(out, i == 0 ? "\n" : "");
        text_put(m->facts[i].name, 200, TEXT_PLAIN, out);
        buf_adds(out, ": ");
        text_put(m->facts[i].value, 2000, TEXT_PLAIN, out);
        buf_char(out, '\n');
    }
    if (m->link.len > 0) {
        buf_char(out, '\n');
        text_put(m->link, 2000, TEXT_PLAIN, out);
        buf_char(out, '\n');
    }
    buf_adds(out, "\n-- \nStint. 'stint alert list' shows all alerts, 'stint alert ack ID' "
                  "says that one was seen.");
}

static bool put_receivers(struct str to, struct buf *out, struct error *err)
{
    buf_adds(out, "To: ");
    for (size_t i = 0; to.len > 0; i++) {
        struct str one = str_trim(str_cut(&to, ','));

        if (!smtp_address_ok(one))
            return error_fail(err, ERROR_INPUT, "'%.*s' is no address of a mail box",
                              STR_ARG(one));
        buf_adds(out, i > 0 ? ",\r\n " : "");
        buf_add(out, one);
    }
    buf_adds(out, "\r\n");
    return true;
}

bool email_payload(const struct alert_channel *channel, const struct alert_message *m,
                   stamp now, struct buf *out, struct error *err)
{
    struct buf words = buf_new(out->alloc, BUF_MAX_OUTPUT);

    if (!smtp_address_ok(channel->from))
        return error_fail(err, ERROR_INPUT, "'%.*s' is no address of a mail box",
                          STR_ARG(channel->from));
    buf_adds(out, "From: Stint <");
    buf_add(out, channel->from);
    buf_adds(out, ">\r\n");
    if (!put_receivers(channel->to, out, err))
        return false;
    put_subject(m, out);
    put_date(now, out);
    put_ids(m, channel->from, out);
    buf_adds(out, "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=UTF-8\r\n"
                  "Content-Transfer-Encoding: quoted-printable\r\n"
                  "Auto-Submitted: auto-generated\r\n\r\n");
    put_words(m, &words);
    put_body(buf_text(&words), out);
    if (words.failed != ERROR_NONE)
        out->failed = words.failed;
    buf_free(&words);
    return true;
}
