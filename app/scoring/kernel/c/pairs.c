/* One pass over rows of pairs, each with a number or a word or both: reads and checks them, and
either enters the numbers of published pairs, or hands on all fields as columns.

Nothing is decided here about a row that is not plain: the pass ends where it begins. */

#include "decimals.h"
#include "places.h"

enum role { USER, ITEM, NUMBER, WORD };

#define MAX_COLUMNS 4
#define BATCH 64

/* The columns of a file: the role of each, of which none occurs twice, and whether ids are text. */
struct form {
    uint32_t roles[MAX_COLUMNS];
    uint32_t columns;
    uint32_t text_users;
    uint32_t text_items;
};

/* An id is a number or a text. */
struct id {
    uint32_t number;
    struct text text;
};

struct pair {
    struct id user;
    struct id item;
    double number;
    struct text word;
};

/* The ids of all published pairs: `numbers`, or the texts between `starts`. */
struct ids {
    const int32_t *numbers;
    const uint8_t *texts;
    const int64_t *starts;
};

/* The published pairs, by their place. There may be an index: of `mask + 1` entries, `table[hash &
mask]` and those behind it, up to one that is UNKNOWN. */
struct published {
    struct ids users;
    struct ids items;
    uint32_t *table;
    uint64_t mask;
    uint32_t count;
};

/* What was entered, by all blocks: a one for each pair that was `seen`, and its number. And by one:
how many rows, the place of the pair after the last one, and whether the pair of a row was another
than that, while there is no index to find it. */
struct entered {
    uint8_t *seen;
    double *numbers;
    uint64_t rows;
    uint32_t next;
    uint32_t astray;
};

/* Columns of rows, with room for a block: ids as numbers, or texts, each followed by a line feed,
one after the other. */
struct columns {
    uint32_t *users;
    uint32_t *items;
    double *numbers;
    uint8_t *texts[MAX_COLUMNS];
    uint64_t sizes[MAX_COLUMNS];
    uint64_t rows;
};

static inline const uint8_t *read_token(const uint8_t *at, struct text *text) {
    text->start = at;
    at = token_end(at);
    text->size = (size_t)(at - text->start);
    return text->size && text->size <= MAX_TOKEN_BYTES ? at : NULL;
}

static inline const uint8_t *read_id(const uint8_t *at, bool is_text, bool zeros, struct id *id) {
    if (is_text) return read_token(at, &id->text);
    const uint8_t *start = at;
    at = read_number(at, &id->number);
    return at && (zeros || *start != '0' || at - start == 1) ? at : NULL;
}

static inline const uint8_t *read_field(const struct form *form, uint32_t role, const uint8_t *at,
                                        struct pair *pair) {
    switch (role) {
        case USER: return read_id(at, form->text_users, false, &pair->user);
        case ITEM: return read_id(at, form->text_items, true, &pair->item);
        case NUMBER: return read_decimal(at, &pair->number);
        default: return read_token(at, &pair->word);
    }
}

/* No plain row is longer than a line may be: each field has a longest spelling. */
ALWAYS_INLINE const uint8_t *read_row(const struct form *form, const uint8_t *at,
                                      struct pair *pair) {
    for (uint32_t column = 0; column < form->columns; column++) {
        if (column && *at++ != ',') return NULL;
        bool quoted = *at == '"';
        at = read_field(form, form->roles[column], at + quoted, pair);
        if (!at || (quoted && *at++ != '"')) return NULL;
    }
    return read_line_end(at);
}

static inline struct text text_at(const struct ids *ids, uint32_t place) {
    const int64_t *start = ids->starts + place;
    return (struct text){ids->texts + start[0], (size_t)(start[1] - start[0])};
}

static inline bool is_at(const struct ids *ids, uint32_t place, const struct id *id) {
    if (!ids->starts) return (uint32_t)ids->numbers[place] == id->number;
    struct text text = text_at(ids, place);
    return text.size == id->text.size && !memcmp(text.start, id->text.start, text.size);
}

static inline uint64_t hash_of_id(const struct ids *ids, const struct id *id) {
    return ids->starts ? hash_of_text(id->text.start, id->text.size) : hash_of_number(id->number);
}

static inline uint64_t hash_of_pair(const struct published *published, const struct id *user,
                                    const struct id *item) {
    return mixed(hash_of_id(&published->users, user),
                 hash_of_id(&published->items, item) | 0x8000000000000001);
}

static inline bool is_pair(const struct published *published, uint32_t place,
                           const struct pair *pair) {
    return is_at(&published->users, place, &pair->user) &&
           is_at(&published->items, place, &pair->item);
}

static inline uint32_t place_of_pair(const struct published *published, const struct pair *pair) {
    for (uint64_t at = hash_of_pair(published, &pair->user, &pair->item);; at++) {
        uint32_t place = published->table[at & published->mask];
        if (place == UNKNOWN || is_pair(published, place, pair)) return place;
    }
}

static inline void prefetch_id(const struct ids *ids, uint32_t place) {
    if (ids->starts) __builtin_prefetch(ids->starts + place);
    else __builtin_prefetch(ids->numbers + place);
}

/* Pairs that come in no order lie anywhere in memory, which is waited for once for many of them. */
static void prefetch(const struct published *published, const struct entered *entered,
                     const struct pair *pairs, size_t count) {
    uint64_t entries[BATCH];
    for (size_t row = 0; row < count; row++) {
        entries[row] = hash_of_pair(published, &pairs[row].user, &pairs[row].item);
        __builtin_prefetch(published->table + (entries[row] & published->mask));
    }
    for (size_t row = 0; row < count; row++) {
        uint32_t place = published->table[entries[row] & published->mask];
        if (place == UNKNOWN) continue;
        prefetch_id(&published->users, place);
        prefetch_id(&published->items, place);
        __builtin_prefetch(entered->seen + place, 1);
        __builtin_prefetch(entered->numbers + place, 1);
    }
}

/* Enters numbers in their order; returns how many, up to one the pair of which is not known. */
static size_t enter(const struct published *published, const struct pair *pairs, size_t count,
                    struct entered *entered) {
    uint32_t place = entered->next;
    bool as_expected = place < published->count && is_pair(published, place, pairs);
    if (!as_expected && published->table) prefetch(published, entered, pairs, count);
    size_t row = 0;
    for (; row < count; row++, place++) {
        if (place >= published->count || !is_pair(published, place, pairs + row)) {
            entered->astray = !published->table;
            uint32_t found = entered->astray ? UNKNOWN : place_of_pair(published, pairs + row);
            if (found == UNKNOWN) break;
            place = found;
        }
        /* Other threads enter the same pair only if the file is refused. */
        __atomic_store_n(entered->seen + place, 1, __ATOMIC_RELAXED);
        double number = pairs[row].number;
        __atomic_store(entered->numbers + place, &number, __ATOMIC_RELAXED);
    }
    entered->next = place;
    entered->rows += row;
    return row;
}

/* Reads a block of whole lines, each ended by a line feed, with PADDING bytes behind it, and enters
the numbers. Returns how many bytes were read; at the first of the others a row begins that is not
plain, or the pair of which is not published or `astray`. */
size_t podium_enter_pairs(const struct form *form, const struct published *published,
                          const uint8_t *block, size_t size, struct entered *entered) {
    struct pair pairs[BATCH];
    const uint8_t *starts[BATCH + 1] = {block}, *end = block + size;
    size_t rows;
    do {
        size_t count = 0;
        while (count < BATCH && starts[count] < end) {
            const uint8_t *next = read_row(form, starts[count], pairs + count);
            if (!next) break;
            starts[++count] = next;
        }
        rows = count ? enter(published, pairs, count, entered) : 0;
        *starts = starts[rows];
    } while (rows == BATCH);
    return (size_t)(*starts - block);
}

static inline struct id id_at(const struct ids *ids, uint32_t place) {
    if (ids->starts) return (struct id){.text = text_at(ids, place)};
    return (struct id){.number = (uint32_t)ids->numbers[place]};
}

/* Fills `table`, of `mask + 1` entries, of which at least half stay as they are: UNKNOWN, all. */
void podium_index_pairs(const struct published *published) {
    for (uint32_t place = 0; place < published->count; place++) {
        struct id user = id_at(&published->users, place), item = id_at(&published->items, place);
        uint64_t at = hash_of_pair(published, &user, &item);
        while (published->table[at & published->mask] != UNKNOWN) at++;
        published->table[at & published->mask] = place;
    }
}

static inline void put_text(struct columns *columns, uint32_t role, struct text text) {
    uint8_t *at = columns->texts[role] + columns->sizes[role];
    memcpy(at, text.start, text.size);
    at[text.size] = '\n';
    columns->sizes[role] += text.size + 1;
}

static inline void put_field(const struct form *form, uint32_t role, const struct pair *pair,
                             struct columns *columns) {
    if (role == NUMBER) columns->numbers[columns->rows] = pair->number;
    else if (role == WORD) put_text(columns, role, pair->word);
    else if (role == USER && form->text_users) put_text(columns, role, pair->user.text);
    else if (role == ITEM && form->text_items) put_text(columns, role, pair->item.text);
    else if (role == USER) columns->users[columns->rows] = pair->user.number;
    else columns->items[columns->rows] = pair->item.number;
}

/* Reads a block as `podium_enter_pairs` does, but hands on its fields. */
size_t podium_read_pairs(const struct form *form, const uint8_t *block, size_t size,
                         struct columns *columns) {
    const uint8_t *at = block, *end = block + size;
    while (at < end) {
        struct pair pair;
        const uint8_t *next = read_row(form, at, &pair);
        if (!next) break;
        for (uint32_t column = 0; column < form->columns; column++)
            put_field(form, form->roles[column], &pair, columns);
        columns->rows++;
        at = next;
    }
    return (size_t)(at - block);
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
