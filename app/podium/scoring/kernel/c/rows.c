/* One pass over rows with one to three keys, and numbers or words or both: reads and checks them, and
either enters the numbers at the places of published keys, or hands on all fields as columns.

Nothing is decided here about a row that is not plain: the pass ends where it begins. */

#include <math.h>

#include "decimals.h"
#include "places.h"

/* Keys, words, and numbers: the first one and those after it. */
enum role { KEY0, KEY1, KEY2, USAGE, GROUP, NUMBER };

#define MAX_IDS USAGE
#define MAX_TEXTS NUMBER
#define MAX_NUMBERS 16
#define MAX_COLUMNS (NUMBER + MAX_NUMBERS)
#define MAX_WHOLE_DIGITS 15
#define BATCH 64

/* What a field of a number holds: a decimal, a whole number, or one of some words. */
enum spelling { DECIMAL, WHOLE, WORD };

/* How the numbers of a column are spelled: a word counts as its place among the `words`, and a field
that may be empty then counts as NAN. */
struct spelled {
    struct places words;
    uint32_t spelling;
    uint32_t may_be_empty;
};

/* The columns of a file: the role of each, of which none occurs twice, whether ids are text, and how
numbers are spelled. */
struct form {
    uint32_t roles[MAX_COLUMNS];
    uint32_t columns;
    uint32_t is_text[MAX_IDS];
    struct spelled numbers[MAX_NUMBERS];
};

/* An id is a number or a text. */
union id {
    uint32_t number;
    struct text text;
};

/* What one row holds lies close together where there is one number only. */
struct row {
    union id ids[MAX_IDS];
    double numbers[MAX_NUMBERS];
    struct text words[MAX_TEXTS - MAX_IDS];
};

/* The ids of one key of all published rows: `numbers`, or the texts between `starts`. */
struct ids {
    const int32_t *numbers;
    const uint8_t *texts;
    const int64_t *starts;
};

/* The published rows, by their place, each with so many `ids`. There may be an index: of `mask + 1`
entries, `table[hash & mask]` and those behind it, up to one that is UNKNOWN. */
struct published {
    struct ids ids[MAX_IDS];
    uint32_t *table;
    uint64_t mask;
    uint32_t count;
    uint32_t width;
};

/* What was entered, by all blocks: a one for each row that was `seen`, and its numbers, of which
there are `columns`. And by one: how many rows, the place after that of the last one, and whether a
row was another than the one of that place, while there is no index to find it. */
struct entered {
    uint8_t *seen;
    double *numbers[MAX_NUMBERS];
    uint64_t rows;
    uint32_t columns;
    uint32_t next;
    uint32_t astray;
};

/* Columns of rows, with room for a block: ids as numbers, of a dictionary where they are text; and
words, each followed by a line feed, one after the other. */
struct columns {
    uint32_t *ids[MAX_IDS];
    struct dictionary *known[MAX_IDS];
    double *numbers[MAX_NUMBERS];
    uint8_t *words[MAX_TEXTS - MAX_IDS];
    uint64_t sizes[MAX_TEXTS - MAX_IDS];
    uint64_t rows;
};

static inline const uint8_t *read_token(const uint8_t *at, struct text *text) {
    text->start = at;
    at = token_end(at);
    text->size = (size_t)(at - text->start);
    return text->size && text->size <= MAX_TOKEN_BYTES ? at : NULL;
}

static inline const uint8_t *read_id(const uint8_t *at, bool is_text, bool zeros, union id *id) {
    if (is_text) return read_token(at, &id->text);
    const uint8_t *start = at;
    at = read_number(at, &id->number);
    return at && (zeros || *start != '0' || at - start == 1) ? at : NULL;
}

/* A whole number with or without a sign, which a double holds exactly; none is -0.0. */
static inline const uint8_t *read_whole(const uint8_t *at, double *number) {
    bool negative = *at == '-';
    at += negative || *at == '+';
    const uint8_t *first = at;
    uint64_t value = 0;
    at = read_digits(at, &value);
    if (!at || at - first > MAX_WHOLE_DIGITS) return NULL;
    *number = (double)(negative ? -(int64_t)value : (int64_t)value);
    return at;
}

/* The end of any field: a comma, a quote or the end of the line. */
static inline const uint8_t *field_end(const uint8_t *at) {
    for (;; at += 8) {
        uint64_t word = load(at);
        unsigned count = lowest(zeros(word ^ EACH_BYTE(',')) | zeros(word ^ EACH_BYTE('"')) |
                                zeros(word ^ EACH_BYTE('\r')) | zeros(word ^ EACH_BYTE('\n')));
        if (count < 8) return at + count;
    }
}

static inline const uint8_t *read_word(const struct places *words, const uint8_t *at,
                                       double *number) {
    const uint8_t *end = field_end(at);
    size_t size = (size_t)(end - at);
    uint32_t place = place_of_text(words, at, size, hash_of_text(at, size));
    *number = place;
    return place == UNKNOWN ? NULL : end;
}

static inline const uint8_t *read_spelled(const struct spelled *form, const uint8_t *at,
                                          double *number) {
    if (form->may_be_empty && field_end(at) == at) {
        *number = NAN;
        return at;
    }
    if (form->spelling == WORD) return read_word(&form->words, at, number);
    return form->spelling == WHOLE ? read_whole(at, number) : read_decimal(at, number);
}

static inline const uint8_t *read_field(const struct form *form, uint32_t role, const uint8_t *at,
                                        struct row *row) {
    uint32_t number = role - NUMBER;
    if (role >= NUMBER) return read_spelled(form->numbers + number, at, row->numbers + number);
    if (role >= MAX_IDS) return read_token(at, row->words + (role - MAX_IDS));
    return read_id(at, form->is_text[role], role == KEY1, row->ids + role);
}

/* No plain row is longer than a line may be: each field has a longest spelling. */
ALWAYS_INLINE const uint8_t *read_row(const struct form *form, const uint8_t *at,
                                      struct row *row) {
    for (uint32_t column = 0; column < form->columns; column++) {
        if (column && *at++ != ',') return NULL;
        bool quoted = *at == '"';
        at = read_field(form, form->roles[column], at + quoted, row);
        if (!at || (quoted && *at++ != '"')) return NULL;
    }
    return read_line_end(at);
}

static inline struct text text_at(const struct ids *ids, uint32_t place) {
    const int64_t *start = ids->starts + place;
    return (struct text){ids->texts + start[0], (size_t)(start[1] - start[0])};
}

static inline bool is_at(const struct ids *ids, uint32_t place, const union id *id) {
    if (!ids->starts) return (uint32_t)ids->numbers[place] == id->number;
    struct text text = text_at(ids, place);
    return text.size == id->text.size && !memcmp(text.start, id->text.start, text.size);
}

static inline uint64_t hash_of_id(const struct ids *ids, const union id *id) {
    return ids->starts ? hash_of_text(id->text.start, id->text.size) : hash_of_number(id->number);
}

static inline uint64_t hash_of_row(const struct published *published, const union id *ids) {
    uint64_t hash = hash_of_id(published->ids, ids);
    for (uint32_t role = 1; role < published->width; role++)
        hash = mixed(hash, hash_of_id(published->ids + role, ids + role) | 0x8000000000000001);
    return hash;
}

static inline bool is_row(const struct published *published, uint32_t place,
                           const struct row *row) {
    return is_at(published->ids + KEY0, place, row->ids + KEY0) &&
           (published->width <= KEY1 || is_at(published->ids + KEY1, place, row->ids + KEY1)) &&
           (published->width <= KEY2 ||
            is_at(published->ids + KEY2, place, row->ids + KEY2));
}

static inline uint32_t place_of_row(const struct published *published, const struct row *row) {
    for (uint64_t at = hash_of_row(published, row->ids);; at++) {
        uint32_t place = published->table[at & published->mask];
        if (place == UNKNOWN || is_row(published, place, row)) return place;
    }
}

static inline void prefetch_id(const struct ids *ids, uint32_t place) {
    if (ids->starts) __builtin_prefetch(ids->starts + place);
    else __builtin_prefetch(ids->numbers + place);
}

/* Rows that come in no order lie anywhere in memory, which is waited for once for many of them. */
static void prefetch(const struct published *published, const struct entered *entered,
                     const struct row *rows, size_t count) {
    uint64_t entries[BATCH];
    for (size_t n = 0; n < count; n++) {
        entries[n] = hash_of_row(published, rows[n].ids);
        __builtin_prefetch(published->table + (entries[n] & published->mask));
    }
    for (size_t n = 0; n < count; n++) {
        uint32_t place = published->table[entries[n] & published->mask];
        if (place == UNKNOWN) continue;
        for (uint32_t role = 0; role < published->width; role++)
            prefetch_id(published->ids + role, place);
        __builtin_prefetch(entered->seen + place, 1);
        for (uint32_t column = 0; column < entered->columns; column++)
            __builtin_prefetch(entered->numbers[column] + place, 1);
    }
}

/* Enters numbers in their order; returns how many rows, up to one that is not known. */
static size_t enter(const struct published *published, const struct row *rows, size_t count,
                    struct entered *entered) {
    uint32_t place = entered->next;
    bool as_expected = place < published->count && is_row(published, place, rows);
    if (!as_expected && published->table) prefetch(published, entered, rows, count);
    size_t n = 0;
    for (; n < count; n++, place++) {
        if (place >= published->count || !is_row(published, place, rows + n)) {
            entered->astray = !published->table;
            uint32_t found = entered->astray ? UNKNOWN : place_of_row(published, rows + n);
            if (found == UNKNOWN) break;
            place = found;
        }
        /* Other threads enter the same row only if the file is refused. */
        __atomic_store_n(entered->seen + place, 1, __ATOMIC_RELAXED);
        for (uint32_t column = 0; column < entered->columns; column++) {
            double number = rows[n].numbers[column];
            __atomic_store(entered->numbers[column] + place, &number, __ATOMIC_RELAXED);
        }
    }
    entered->next = place;
    entered->rows += n;
    return n;
}

/* Reads a block of whole lines, each ended by a line feed, with PADDING bytes behind it, and enters
the numbers. Returns how many bytes were read; at the first of the others a row begins that is not
plain, or that is not published or `astray`. */
size_t podium_enter_rows(const struct form *form, const struct published *published,
                         const uint8_t *block, size_t size, struct entered *entered) {
    struct row rows[BATCH];
    const uint8_t *starts[BATCH + 1] = {block}, *end = block + size;
    size_t known;
    do {
        size_t count = 0;
        while (count < BATCH && starts[count] < end) {
            const uint8_t *next = read_row(form, starts[count], rows + count);
            if (!next) break;
            starts[++count] = next;
        }
        known = count ? enter(published, rows, count, entered) : 0;
        *starts = starts[known];
    } while (known == BATCH);
    return (size_t)(*starts - block);
}

static inline union id id_at(const struct ids *ids, uint32_t place) {
    if (ids->starts) return (union id){.text = text_at(ids, place)};
    return (union id){.number = (uint32_t)ids->numbers[place]};
}

/* Puts the places from `start` up to `end` into `table`, of `mask + 1` entries, of which at least
half stay as they are: UNKNOWN, all. Several threads may do so at the same time. */
void podium_index_rows(const struct published *published, uint32_t start, uint32_t end) {
    uint64_t entries[BATCH];
    for (uint64_t from = start; from < end; from += BATCH) {
        uint64_t count = end - from < BATCH ? end - from : BATCH;
        for (uint32_t row = 0; row < count; row++) {
            union id ids[MAX_IDS];
            for (uint32_t role = 0; role < published->width; role++)
                ids[role] = id_at(published->ids + role, (uint32_t)from + row);
            entries[row] = hash_of_row(published, ids);
            __builtin_prefetch(published->table + (entries[row] & published->mask), 1);
        }
        for (uint32_t row = 0; row < count; row++) {
            uint32_t *entry, unknown;
            do {
                entry = published->table + (entries[row]++ & published->mask);
                unknown = UNKNOWN;
            } while (!__atomic_compare_exchange_n(entry, &unknown, (uint32_t)from + row, false,
                                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        }
    }
}

static inline void put_word(struct columns *columns, uint32_t word, struct text text) {
    uint8_t *at = columns->words[word] + columns->sizes[word];
    memcpy(at, text.start, text.size);
    at[text.size] = '\n';
    columns->sizes[word] += text.size + 1;
}

static inline void put_field(const struct form *form, uint32_t role, const struct row *row,
                             struct columns *columns, struct queue *texts) {
    if (role >= NUMBER) columns->numbers[role - NUMBER][columns->rows] = row->numbers[role - NUMBER];
    else if (role >= MAX_IDS) put_word(columns, role - MAX_IDS, row->words[role - MAX_IDS]);
    else if (!form->is_text[role]) columns->ids[role][columns->rows] = row->ids[role].number;
    else ask_for_text(texts + role, &row->ids[role].text, columns->ids[role] + columns->rows);
}

/* Reads a block as `podium_enter_rows` does, but hands on its fields. Nothing is plain where there is
no memory for texts. */
size_t podium_read_rows(const struct form *form, const uint8_t *block, size_t size,
                        struct columns *columns) {
    const uint8_t *at = block, *end = block + size;
    struct queue texts[MAX_IDS];
    for (uint32_t role = 0; role < MAX_IDS; role++) start_queue(texts + role, columns->known[role]);
    while (at < end) {
        struct row row;
        const uint8_t *next = read_row(form, at, &row);
        if (!next) break;
        for (uint32_t column = 0; column < form->columns; column++)
            put_field(form, form->roles[column], &row, columns, texts);
        columns->rows++;
        at = next;
    }
    bool is_full = false;
    for (uint32_t role = 0; role < MAX_IDS; role++) {
        podium_look_up_texts(texts + role);
        is_full |= texts[role].is_full;
    }
    return is_full ? 0 : (size_t)(at - block);
}

/* The number of line feeds in a text with PADDING bytes behind it, none of them one. */
size_t podium_count_lines(const uint8_t *text, size_t size) {
    size_t count = 0;
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = load(text + at) ^ EACH_BYTE('\n');
        uint64_t others = ((word & EACH_BYTE(0x7f)) + EACH_BYTE(0x7f)) | word;
        count += (((~others & EACH_BYTE(0x80)) >> 7) * EACH_BYTE(0x01)) >> 56;
    }
    return count;
}
