/* bills_internal.h - what the files of an import share: dictionaries, daily sums, blocks,
 * bills.
 *
 * Lines are taken in chunks. A line at its arrival is put to its bill and its thing (what it
 * says in words), and kept as a record; when a chunk is full, one short transaction finds or
 * adds the groups that are new to it, adds the lines to the daily sums and writes a block of
 * lines for each bill.
 */
#ifndef LEDGER_BILLS_INTERNAL_H
#define LEDGER_BILLS_INTERNAL_H

#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/lz.h"
#include "ledger/bills/bills.h"
#include "ledger/engine/list.h"

#define BILL_AMOUNTS 4              /* billed, effective, list, contracted */
#define BLOCK_LINES ((size_t)16384) /* of a block, at most */

/* ---- bills_dictionary.c ---- */

/* 128 bits under a secret key (SipHash-1-3): without it a collision cannot be constructed. */
struct digest {
    uint64_t at[2];
};

struct digester {
    uint64_t v[4];
    uint64_t words; /* so far: the end of the text is part of it */
};

void digest_start(struct digester *d, const uint64_t key[2]);

/* A text under a number: one without the other means something else. */
void digest_text(struct digester *d, uint32_t number, struct str text);
struct digest digest_end(struct digester *d);

/* Groups by their digests, with the keys that they have in the table; and the things that were
 * met, with their groups. */
struct entry {
    struct digest digest;
    int64_t key;   /* of a group, 0: not looked up yet; of a thing: see struct chunk */
    int64_t group; /* of a thing: the number of an entry until it is looked up, then the key */
};

/* One that the table may not have yet, or a thing whose group may not be there. */
struct fresh {
    uint32_t entry, length;
    size_t text; /* where it is */
};

struct dictionary {
    const struct alloc *alloc;
    struct entry *entries;
    uint32_t *slots; /* 1 + the number of an entry */
    struct fresh *fresh;
    size_t room, slot_count, count;
    size_t fresh_room, fresh_count, text_limit;
    struct buf texts; /* of the fresh ones */
    bool complete;    /* what is not here is in no table either */
};

bool dictionary_make(struct dictionary *d, const struct alloc *alloc, size_t memory,
                     struct error *err) MUST_USE;
void dictionary_free(struct dictionary *d);

/* The entry; `*added` when it was not there: then dictionary_fresh() follows. The caller sees
 * to it that there is room. */
uint32_t dictionary_find(struct dictionary *d, struct digest digest, bool *added);

/* The names of a group, as the table has them: the dimensions one after the other, each ended
 * by a byte of 0; those at the end that are empty are left out. `out` has views of `names`. */
void group_names(struct str names, struct dimensions *out);

/* The text of the newest entry, just written to `texts` from `start` on. */
bool dictionary_fresh(struct dictionary *d, uint32_t entry, size_t start,
                      struct error *err) MUST_USE;

/* Must it be settled before the next line? Is it best to forget it all? */
bool dictionary_full(const struct dictionary *d);
bool dictionary_spent(const struct dictionary *d);
void dictionary_forget(struct dictionary *d);

struct ledger_import;

/* In the transaction that is open: keys for every group that has none, and for the things that
 * are in them. */
bool settle_groups(struct ledger_import *import, struct error *err) MUST_USE;

/* Before it: see to it that there are keys to give out. */
bool settle_reserve(struct ledger_import *import, struct error *err) MUST_USE;

/* ---- bills_days.c ---- */

/* Amounts of a day, or of a line. A scale that is not known yet is that of zero. */
struct amounts {
    wide coefficient[BILL_AMOUNTS];
    int8_t scale[BILL_AMOUNTS];
};

struct day_sum {
    struct amounts sum;
    uint32_t bill; /* its number in the import */
    int32_t day;
    int64_t group;
    uint32_t lines;
    uint64_t marks; /* the sum of what distinguishes charges; see bills_twice.c */
};

struct day_sums {
    const struct alloc *alloc;
    struct day_sum *at;
    uint32_t *slots;
    size_t room, slot_count, count;
    int64_t part; /* of the rows that are written next */
};

bool amounts_add(struct amounts *sum, const struct amounts *more, struct error *err) MUST_USE;
struct decimal amounts_get(const struct amounts *from, int which);
void amounts_set(struct amounts *to, int which, struct decimal amount);

/* A canonical decimal as text; `room` holds DECIMAL_ROOM bytes. */
#define DECIMAL_ROOM 128
struct str decimal_text(struct decimal d, char *room);

bool days_make(struct day_sums *d, const struct alloc *alloc, size_t memory,
               struct error *err) MUST_USE;
void days_free(struct day_sums *d);

/* Twice the room, up to `limit` bytes; `*grown` says whether. */
bool days_grow(struct day_sums *d, size_t limit, bool *grown, struct error *err) MUST_USE;

/* NULL when there is none. */
const struct day_sum *days_find(const struct day_sums *d, uint32_t bill, int32_t day,
                                int64_t group);

/* False with the error set when a sum does not fit. Only when not full. */
bool days_add(struct day_sums *d, const struct day_sum *what, struct error *err) MUST_USE;
bool days_full(const struct day_sums *d);

void days_forget(struct day_sums *d);

/* ---- bills_pages.c ---- */

#define PAGE_SUMS ((size_t)4096) /* of a day, in one value, at most */

/* Write them, and forget them. `keys`: of bills by their numbers. */
bool days_write(struct day_sums *d, struct ledger *l, const int64_t *keys,
                struct error *err) MUST_USE;

/* In the transaction that is open: sums of a day that were written in several parts are added
 * up, where that saves some. `room` is empty, and may grow to `limit` bytes. */
bool days_merge(struct ledger *l, int64_t bill, struct day_sums *room, size_t limit,
                struct error *err) MUST_USE;

/* The sums of a bill, a page at a time. */
struct page_reader {
    struct ledger *l;
    struct query *q; /* of the pages that are left; NULL: there are none */
    struct buf packed;
    struct day_sum *sums; /* of the page, by group; `bill` is 0 */
    size_t count;
    struct amounts stated; /* what the table says of it: their sums, */
    int64_t lines;         /* and lines */
};

struct page_reader page_reader_make(struct ledger *l);
void page_reader_free(struct page_reader *r);

/* In a transaction: pages of days in [since, until), in the order of days. */
bool pages_ask(struct page_reader *r, int64_t bill, int64_t since, int64_t until,
               struct error *err) MUST_USE;

/* The next of them: 1; 0 when there is none, -1 with the error set: ERROR_DAMAGED when it
 * cannot be read. */
int pages_next(struct page_reader *r, struct error *err) MUST_USE;

/* ---- bills_block.c ---- */

/* The numbers of a line: amounts first. */
enum bill_number {
    BILL_BILLED,
    BILL_EFFECTIVE,
    BILL_LIST,
    BILL_CONTRACTED,
    BILL_PRICING_QUANTITY,
    BILL_CONSUMED_QUANTITY,
    BILL_PRICING_EFFECTIVE,
    BILL_COMMITMENT_QUANTITY,
    BILL_LIST_UNIT,
    BILL_CONTRACTED_UNIT,
    BILL_PRICING_LIST_UNIT,
    BILL_PRICING_CONTRACTED_UNIT,
    BILL_NUMBERS,
};

extern const enum focus_column bill_number_columns[BILL_NUMBERS];

/* A line without its words. */
struct record {
    struct amounts amounts; /* list and contracted that are not known: what was billed */
    wide more[BILL_NUMBERS - BILL_AMOUNTS];
    int8_t more_scale[BILL_NUMBERS - BILL_AMOUNTS];
    uint16_t known; /* bits of enum bill_number */
    uint32_t thing, bill;
    int64_t start, end;
};

bool record_number(const struct record *r, int which, struct decimal *out); /* is it known? */
void record_set(struct record *r, int which, struct decimal number);
void record_finish(struct record *r); /* all that is known is set */

/* What is packed: a version, a CRC-32C of what follows, and numbers in groups of seven bits,
 * the lowest first; signed ones as 2n or -2n - 1. A head, then what is to be packed, then its
 * checksum. */
void block_put_head(struct buf *out); /* in place of what it held */
void block_put_number(struct buf *out, uint64_t n);
void block_put_wide(struct buf *out, wide n);
void block_put_crc(struct buf *out); /* when buf_ok() */

struct block_cursor {
    const unsigned char *at, *end;
    bool bad; /* what was asked for is not there */
};

/* ERROR_DAMAGED when it is not what was written. */
bool block_open(struct str packed, struct block_cursor *out, struct error *err) MUST_USE;
uint64_t block_get_number(struct block_cursor *c);
wide block_get_wide(struct block_cursor *c);

/* How many of something follow, each of a byte at least. */
size_t block_get_count(struct block_cursor *c, uint64_t most);

/* A thing is texts one after the other, in the order of the columns. */
void block_add_text(struct buf *out, enum focus_column column, struct str text);

/* Lines of one bill that are to become a block. */
struct block_lines {
    const struct record *records;
    const uint32_t *order;    /* which of them; NULL: the first `count` */
    size_t count;             /* 1 or more */
    const struct str *things; /* by number, as the records have them */
    const int64_t *groups;    /* of the things */
    size_t thing_count;
};

struct block_writer {
    const struct alloc *alloc;
    struct buf raw;
    struct lz_table table;
    /* Set by block_write(): */
    struct buf content, groups;
    struct amounts sums;
    int64_t first, last; /* starts of lines */
};

struct block_writer *block_writer_make(const struct alloc *alloc, struct error *err) MUST_USE;
void block_writer_free(struct block_writer *writer);
bool block_write(struct block_writer *writer, const struct block_lines *lines,
                 struct error *err) MUST_USE;
void block_write_groups(const int64_t *groups, size_t count, struct buf *out);

/* A block as it was written. All lives in the arena and in nothing else. */
struct block_column {
    const struct str *texts; /* NULL: nothing has one */
    const uint32_t *which;   /* by thing: 1 + a text, 0 for none; NULL: all have the first */
};

struct block {
    struct record *lines; /* `thing` is a number below thing_count; `bill` is 0 */
    size_t count, thing_count;
    struct block_column columns[FOCUS_COUNT];
};

/* ERROR_INPUT when it is damaged. */
bool block_read(struct str content, struct arena *arena, struct block *out,
                struct error *err) MUST_USE;
bool block_read_groups(struct str groups, size_t count, int64_t *out,
                       struct error *err) MUST_USE;

/* The words of a thing: all texts are set, those that it has not to none. */
void block_thing(const struct block *b, uint32_t thing, struct bill_line *out);

/* The table of blocks. Before the first row; then one row each. */
struct bulk *blocks_open(struct ledger *l, struct error *err) MUST_USE;
bool blocks_put(struct bulk *b, int64_t bill, int64_t line, size_t lines,
                const struct block_writer *block, struct error *err) MUST_USE;

/* The blocks of a bill, one after the other. */
struct block_reader {
    struct ledger *l;
    struct arena arena; /* of the block that is read */
    struct buf content, groups;
    struct block block;
    int64_t line;        /* of its first line: those of a bill are numbered from 1 on */
    int64_t *group;      /* by thing */
    int64_t stated;      /* what the table says of it: lines, */
    struct amounts sums; /* and their sums */
};

struct block_reader block_reader_make(struct ledger *l);
void block_reader_free(struct block_reader *r);

/* The next one after the line `after` with lines that start in [since, until). 1; 0 when there
 * is none, -1 with the error set. In a transaction. */
int block_next(struct block_reader *r, int64_t bill, int64_t after, int64_t since,
               int64_t until, struct error *err) MUST_USE;

/* ---- bills_import.c ---- */

/* The lines that wait to be written, and what they are about. `stamp` counts chunks: the key of
 * a thing's entry is stamp << 32 | its number in the chunk. */
struct chunk {
    struct record *records;
    size_t *starts;         /* of the texts of things */
    uint32_t *entries;      /* of things, in the dictionary */
    struct str *things;     /* these three are set when it is written */
    int64_t *groups;        /* of things */
    uint32_t *order;        /* records by bill */
    struct loading **bills; /* that have lines in it */
    struct buf texts;
    size_t room, count, thing_count, bill_count, text_limit;
    int64_t stamp;
};

/* Different numbers, each for what a charge is known by: the smallest of all of them. See
 * bills_meet.c. */
struct mark_sample {
    uint64_t *at;
    size_t count, room;
    uint64_t limit; /* those that are not above it are here; all: UINT64_MAX */
    bool *found;    /* by number: is it in what comes in, too? */
    size_t hits;    /* that are */
};

/* What a resource cost on a day: billed and effective. See bills_same.c. */
struct money_mark {
    wide coefficient[2];
    uint64_t hash;
    int32_t day;
    int8_t scale[2];
};

struct money_sample {
    struct money_mark *at; /* by hash */
    size_t count, room;
    uint64_t limit; /* those below it are here; all: UINT64_MAX */
};

struct bill_marks {
    int64_t charges;                 /* that cost something */
    int64_t bare;                    /* of those: that name no resource */
    struct mark_sample kinds, exact; /* what they are for and when; and with their amounts */
    struct money_sample money, accounts; /* by resource; by account within the bill */
};

/* A line that came, to find those of an earlier delivery among them. See bills_correct.c. */
struct line_mark {
    uint64_t kind, exact;
    uint32_t taken; /* of the first of equal ones: how many were found */
};

struct line_marks {
    struct line_mark *at;
    size_t count, room;
    bool lost; /* there were too many */
};

#define CORRECTION_CHARGES ((size_t)10) /* that are named */

/* A bill that is there came again with a few lines less. */
struct correction {
    int64_t left, changed, added;
    struct decimal left_amount;
    struct ledger_left charges[CORRECTION_CHARGES];
    size_t charge_count;
};

/* A bill that is there may be, or is, the same money as one that came. */
struct likeness {
    const struct loading *loading;
    const struct ledger_bill *there;
    double share; /* of its costs by resource and day; 0: the same total on the same days */
    bool replaced;
    bool divided; /* replaced, but what it has of other days is kept as a bill of its own */
};

/* What a bill cost on each day: billed and effective. */
struct day_totals {
    int32_t first;
    size_t count; /* 0: too many days, or not known */
    double *of[2];
};

/* How sums that came compare with a bill of sums by what each day cost: their charges may be
 * grouped by something else. */
struct regrouping {
    bool same;          /* it is the same money */
    bool total;         /* the same total alone: by month and by day, say */
    bool other_account; /* neither names its account, and hardly any day costs about the same */
};

/* A bill of the ledger that one that is being loaded may take the place of. */
struct kept_bill {
    int64_t bill;
    struct bill_marks marks;
    struct regrouping by_days;
};

/* Days that a detailed bill speaks for: one that is there, or one that is being loaded. */
struct cover {
    const struct ledger_bill *bill;
    const struct loading *loading;
    int32_t first, last;
};

/* Lines of a coarse bill that are not taken, since a detailed one has that money. */
struct left_out {
    int64_t lines;
    struct decimal amount;
    int32_t first, last;
    const struct ledger_bill *by;
};

/* A bill that is there, of which others that came take the place: a coarse one of which
 * detailed ones do, or one with the same money and more days. */
struct superseded {
    const struct ledger_bill *coarse;
    const struct loading *by;
    int64_t lines, rest_lines; /* that are replaced; that are of other days */
    struct decimal amount;
    day first, last;
    const struct loading *rest; /* the bill that has the other days now */
};

/* A bill that is being loaded. */
struct loading {
    struct loading *next; /* in its slot */
    int64_t key;          /* 0: not in the table yet */
    size_t in_chunk;      /* lines that wait */
    size_t chunk_at;      /* where they are in its order */
    uint32_t number;
    struct str raw_provider, raw_account; /* to know it by */
    struct str provider, account, currency;
    const char *format, *version;
    enum bill_amounts amounts;
    bool coarse;
    stamp period_start, period_end, period_edge;
    int32_t first_day, last_day, last_end; /* last_end: of the charges that end last */
    bool by_day;                           /* some charge is of a day or less */
    int64_t lines, days;                   /* days: on which there is a charge */
    struct amounts total;
    uint64_t hash;
    size_t *files; /* numbers of those that it comes from */
    size_t file_count, file_room;
    struct bill_marks marks;
    struct kept_bill *kept;
    size_t kept_count, kept_room;
    bool own_names;                      /* of resources: the file is a table of the user's */
    struct line_marks line_marks;        /* while there is one bill that it may replace */
    const struct correction *correction; /* what left, when that may be; NULL */
    bool wanted;                         /* some line of it was taken */
    int64_t rest_of;                     /* the bill that it is what is left of; 0: none */
    struct str rest_files;               /* of that one */
    struct cover *covers;                /* of detailed bills that are there: of a coarse one */
    size_t cover_count, cover_room;
    struct left_out left_out;
};

struct import_file {
    struct str name, digest;
    const char *format, *version;
    enum bill_amounts amounts;
    bool coarse;
};

#define IMPORT_SLOTS 1024 /* of bills */
#define IMPORT_BILLS 65536

struct ledger_import {
    struct ledger *l;
    struct ledger none; /* that a dry run has when there is no other: neither file nor tables */
    struct ledger_import_options options;
    struct arena arena;
    int64_t key;
    uint64_t secret[2];
    int64_t grouping;
    struct dictionary things, groups;
    int64_t next_group, end_group; /* keys to give out */
    struct day_sums days;
    size_t days_limit;       /* bytes */
    struct day_sums by_day;  /* of all groups, to be compared with what is there */
    bool by_day_lost;        /* there were too many: days cannot be compared */
    struct day_sums by_file; /* the group is 1 + the number of the file */
    bool by_file_lost;
    struct chunk chunk;
    struct block_writer *writer;
    instant flushed;
    struct loading *slots[IMPORT_SLOTS], *latest;
    struct loading **bills;
    int64_t *keys; /* of bills, by number */
    size_t bill_count, bill_room;
    size_t all_count; /* with those of which everything was left out, at the end */
    struct import_file *files;
    size_t file_count, file_room;
    const struct ledger_bill *there; /* the bills that were seen when the first of these came */
    size_t there_count;
    uint32_t there_slots[IMPORT_SLOTS], *there_next; /* by account: 1 + a number */
    bool there_read;
    struct superseded *superseded;
    size_t superseded_count, superseded_room;
    const struct bill_marks **there_marks; /* of `there`, those that were needed */
    struct day_totals *there_days;
    size_t there_loads;
    struct likeness *likenesses;
    size_t likeness_count, likeness_room;
    bool failed; /* a call failed: nothing more can be written */
};

/* ---- bills_twice.c ---- */

/* A charge of the file that is being read. */
bool twice_note(struct ledger_import *import, const struct record *r, int32_t day,
                struct digest thing, struct error *err) MUST_USE;

/* Once, at the end: ERROR_INPUT when two files have the very same charges of a day, unless that
 * is wanted. */
bool twice_check(struct ledger_import *import, struct error *err) MUST_USE;

/* ---- bills_meet.c ---- */

void contain_begin(struct bill_marks *marks);

/* From now on, look for the charges of this bill of the ledger in the lines. Outside of a
 * transaction. */
bool contain_compare(struct ledger *l, struct loading *b, int64_t bill, struct arena *arena,
                     struct error *err) MUST_USE;

bool contain_note(struct loading *b, const struct bill_line *line, struct arena *arena,
                  struct error *err) MUST_USE;

/* All lines were noted: before the two below. */
void contain_settle(struct bill_marks *marks);

/* The sample as text. */
bool contain_write(const struct bill_marks *marks, struct buf *out, struct error *err) MUST_USE;

/* The samples of a bill that is there. Outside of a transaction. */
bool contain_load(struct ledger *l, int64_t bill, struct bill_marks *marks, struct arena *arena,
                  struct error *err) MUST_USE;

/* Is it a table of one's own, in which the names of accounts and resources need not be those of
 * the cloud? */
bool contain_own_names(struct str format);

/* What a line is known by: what it is for, and that with its amounts. */
struct line_mark contain_mark(const struct bill_line *line);

/* ---- bills_same.c ---- */

void money_sample_begin(struct money_sample *sample);

/* A charge, to both samples. `own_names`: only ids that look as if a cloud gave them count. */
bool money_note(struct bill_marks *marks, const struct bill_line *line, bool own_names,
                struct arena *arena, struct error *err) MUST_USE;
void money_sample_write(const struct money_sample *sample, struct buf *out);

/* 1: read; 0: it is none; -1 with the error set. */
int money_sample_read(struct str text, struct money_sample *sample, struct arena *arena,
                      struct error *err) MUST_USE;

/* Do they mean the same account, however they are written? */
bool same_account(struct str a, struct str b);

/* All lines were read; outside of a transaction. ERROR_INPUT when what came is the same
 * money as a bill of another account or format, and is not to replace it. */
bool same_meet(struct ledger_import *i, struct error *err) MUST_USE;

/* In the transaction that is open: those that are replaced are gone. */
bool same_bury(struct ledger_import *i, struct error *err) MUST_USE;

/* ---- bills_same_days.c ---- */

/* What each day of a bill cost. That of one that is there: outside of a transaction. */
bool same_days_there(struct ledger_import *i, const struct ledger_bill *bill,
                     struct day_totals *out, struct error *err) MUST_USE;
bool same_days_loading(struct ledger_import *i, const struct loading *b, struct day_totals *out,
                       struct error *err) MUST_USE;
double same_days_sum(const struct day_totals *totals, int which, int32_t first, int32_t last);

/* The days from the first to the last that both have. */
struct same_days {
    size_t days;     /* with money in one of them */
    size_t equal;    /* to the cent */
    size_t both;     /* with money in both */
    size_t near;     /* of those: within a twentieth */
    size_t distinct; /* amounts among those */
};

struct same_days same_days_compare(const struct day_totals *a, const struct day_totals *b,
                                   int which);

/* All but little of the days cost the same; and so different from each other that it cannot be
 * chance. */
bool same_days_agree(const struct same_days *days);
bool same_days_telling(const struct same_days *days);

/* ---- bills_correct.c ---- */

bool correct_note(struct loading *b, uint64_t kind, uint64_t exact, struct arena *arena,
                  struct error *err) MUST_USE;

/* All lines were read; outside of a transaction. Sets `correction` of those that have a few
 * lines less than the bill that they replace. */
bool correct_meet(struct ledger_import *i, struct error *err) MUST_USE;

/* ---- bills_coarse.c ---- */

/* A coarse bill begins: which of its days are covered? `there` was read. */
bool coarse_begin(struct ledger_import *i, struct loading *b, struct error *err) MUST_USE;

/* Is the line one of a day that a detailed bill covers? Then it is counted as left out. */
bool coarse_leave_out(struct loading *b, const struct bill_line *line, bool *out,
                      struct error *err) MUST_USE;

/* All lines were read; outside of a transaction. Finds the coarse bills that are replaced, and
 * adds what is left of them to the import. ERROR_INPUT when the amounts are far apart. */
bool coarse_meet(struct ledger_import *i, struct error *err) MUST_USE;

/* In the transaction that is open: what was left out is there in about the same amount. */
bool coarse_check(struct ledger_import *i, struct error *err) MUST_USE;

/* In the transaction that is open: those that are replaced are gone. */
bool coarse_bury(struct ledger_import *i, struct error *err) MUST_USE;

/* The bills that came and are the same money as this one, with the days that they replace: what
 * it has of other days is added to the import as a bill of its own. `divided`: there is such a
 * rest. ERROR_INPUT when it has too many charges to be divided. */
bool coarse_divide(struct ledger_import *i, const struct ledger_bill *bill,
                   const struct cover *covers, size_t count, bool *divided,
                   struct error *err) MUST_USE;

/* The days that a bill that came speaks for. */
struct cover coarse_cover(const struct loading *b, stamp now);

/* Less than four fifths of an amount that is above zero: exactly, where it fits. */
bool coarse_far_below(struct decimal now, struct decimal before);

/* ---- bills_line.c ---- */

/* A line of a bill that is there, to the bill that is made of its rest: `*rest`, NULL
 * before the first. */
bool import_rest_line(struct ledger_import *i, const struct ledger_bill *of,
                      const struct bill_line *line, struct loading **rest,
                      struct error *err) MUST_USE;

/* The digest of what a line says in words. */
struct digest record_digest(const uint64_t secret[2], const struct bill_line *line,
                            const struct record *r);

/* The entry of the group that the line's thing belongs to, as the rules say now. */
bool import_classify(struct ledger_import *import, const struct bill_line *line, uint32_t *out,
                     struct error *err) MUST_USE;

/* Must what waits be written before the next line? */
bool import_due(const struct ledger_import *import);

/* Write what waits, in one transaction. */
bool import_flush(struct ledger_import *import, struct error *err) MUST_USE;

struct outcome {
    struct ledger_bill *bills, *replaced;
    size_t replaced_count, replaced_room;
    struct ledger_overlap *overlaps;
    size_t overlap_count;
    const struct ledger_bill_correction *corrections;
    size_t correction_count;
    const struct ledger_likeness *likenesses;
    size_t likeness_count;
};

/* In the transaction that is open: the bills that this one replaces, or is kept
 * beside. Those are gone afterwards, but for a dry run. */
bool meet_same(struct ledger_import *i, const struct loading *loading,
               const struct ledger_bill *bill, struct arena *arena, struct outcome *o,
               struct error *err) MUST_USE;

/* ---- bills_import.c: what is left behind ---- */

/* In the transaction that is open: what imports that died loaded is gone. */
bool sweep_dead(struct ledger *l, struct error *err) MUST_USE;

/* The next import above `after` that died; 0 when there is none, -1 on failure. */
int64_t sweep_next_dead(struct ledger *l, int64_t after, struct error *err) MUST_USE;

/* Take away bills that are gone, a short transaction at a time. What is not swept for a failure
 * will be by the next who does so. */
bool sweep_gone(struct ledger *l, struct error *err);

/* ---- bills.c ---- */

/* From when to when bills of the same period start: see ledger_period_edge(). */
struct period_starts {
    int64_t first, last;
};
struct period_starts period_starts_of(stamp start);

/* Which days it speaks for, from what is known of it. */
void bill_cover(struct ledger_bill *bill);

/* In the transaction that is open: of an account's bills for a period, which are paired? */
bool bills_pair(struct ledger *l, const struct ledger_bill *of, struct error *err) MUST_USE;

/* In the transaction that is open: every bill that is seen. */
bool bills_read(struct ledger *l, struct arena *arena, const struct ledger_bill **out,
                size_t *count, struct error *err) MUST_USE;

/* The columns that bill_row() reads, of `bills b JOIN imports i`. */
#define BILL_COLUMNS \
    "b.bill, b.provider, b.account, b.currency, b.format, b.version, b.files, b.amounts," \
    " b.paired, b.period_start, b.period_end, b.first_day, b.last_day, i.finished, b.lines," \
    " b.billed, b.effective, (SELECT g.names FROM bill_days d" \
    " JOIN bill_groups g ON g.grp = d.grp WHERE d.bill = b.bill" \
    " ORDER BY d.day, d.grp LIMIT 1), b.coarse"
bool bill_row(struct query *q, struct arena *arena, struct ledger_bill *out,
              struct error *err) MUST_USE;

#endif
