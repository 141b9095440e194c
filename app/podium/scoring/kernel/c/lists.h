/* A row of a submission of lists: what it is read by, what is found in it, and the reading of its
fields. */

#ifndef PODIUM_LISTS_H
#define PODIUM_LISTS_H

#include "fields.h"
#include "places.h"

/* The different items of lists. Threads share them, so that each item is counted once. `words` is a
bit for each number up to MAX_NUMBER, or hashes of texts in `mask + 1` slots, 0 where there is none.
`count` items are marked, when each that was marked first is added; of texts no more are once it is
above `most`, which is far below the number of slots. */
struct marks {
    uint64_t *words;
    uint64_t mask;
    uint64_t most;
    uint64_t count;
};

/* Marks a number; true if it was not yet. */
ALWAYS_INLINE bool mark_number(struct marks *marks, uint32_t number) {
    uint64_t *word = marks->words + number / 64, bit = (uint64_t)1 << number % 64;
    /* Most items were marked before, and what is only read costs the other threads nothing. */
    if (__atomic_load_n(word, __ATOMIC_RELAXED) & bit) return false;
    return !(__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit);
}

/* The hash by which a text is marked, which is never 0. */
static inline uint64_t mark_of_text(const uint8_t *text, size_t size) {
    uint64_t hash = hash_of_text(text, size);
    return hash ? hash : 1;
}

/* Marks a text; true if it was not yet. */
static inline bool mark_text(struct marks *marks, const uint8_t *text, size_t size) {
    uint64_t hash = mark_of_text(text, size);
    for (uint64_t at = hash;; at++) {
        uint64_t *slot = marks->words + (at & marks->mask);
        uint64_t held = __atomic_load_n(slot, __ATOMIC_RELAXED);
        if (held == hash) return false;
        if (held) continue;
        if (__atomic_load_n(&marks->count, __ATOMIC_RELAXED) > marks->most) return false;
        if (__atomic_compare_exchange_n(slot, &held, hash, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return true;
        if (held == hash) return false;
    }
}

/* What rows are read by and measured against. Of a query, `first[query]` to before `first[query +
1]` are the labels; their items are `items`, or the texts between `starts`, in order. The lists of
queries of which `kept` has a one are kept. The first `distinct_items` of a list are to differ. Of
each objective `limits` is how many items of a list are marked, where there are `marks`, and if the
place of its session has none of the bits of `unmarked`. */
struct task {
    struct places sessions;
    const struct ending *endings;
    uint64_t objectives;
    uint64_t longest_line;
    uint64_t depth;
    uint64_t text_items;
    uint64_t distinct_items;
    const uint32_t *first;
    const int32_t *items;
    const uint8_t *texts;
    const int64_t *starts;
    const uint8_t *kept;
    const uint32_t *limits;
    struct marks *marks;
    uint32_t unmarked;
};

/* What was found, by all blocks: a one for each query that was `seen`, the 1-based rank of each
label that was found. And by one: counts, among them that of lists of one item that may be several
`joined` by other signs than spaces, and in `lengths_of` for each objective those of its lists with
no item, one, and so on up to `depth`; and the lists that are kept: items as `numbers`, or as `text`,
each followed by a line feed. Each array has room for a block. */
struct found {
    uint8_t *seen;
    uint16_t *ranks;
    uint32_t *queries;
    uint32_t *lengths;
    int32_t *numbers;
    uint8_t *text;
    uint64_t *lengths_of;
    uint64_t rows;
    uint64_t joined;
    uint64_t lists;
    uint64_t items;
    uint64_t text_size;
};

/* A row that begins at `start`, and its items at `labels`. Its session is a text or a number, its
`length` items, once read, are `texts` or `numbers`; the query is known once the session's place was
found. */
struct row {
    const uint8_t *start;
    const uint8_t *labels;
    struct text session;
    uint64_t hash;
    uint32_t number;
    uint32_t objective;
    uint32_t query;
    uint32_t length;
    bool is_joined;
    bool is_marked;
    uint32_t *numbers;
    struct text *texts;
};

/* Reads an id, and asks for the place of its session. */
ALWAYS_INLINE const uint8_t *read_id(const struct task *task, const uint8_t *at, bool text_ids,
                                     struct row *row) {
    const uint8_t *end;
    if (text_ids) {
        row->session.start = at;
        end = read_text_id(task->endings, task->objectives, at, &row->session.size,
                           &row->objective);
        if (end) row->hash = hash_of_text(at, row->session.size);
        if (end) ask_for_hash(&task->sessions, row->hash);
    } else {
        end = read_number_id(task->endings, task->objectives, at, &row->number, &row->objective);
        if (end) ask_for_number(&task->sessions, row->number);
    }
    return end;
}

/* Bytes of a window that the next one begins with. */
#define OVERLAP 9

/* Bits of ten digits in a row, more than fit into every number. */
static inline uint64_t runs_of_ten(uint64_t digits) {
    uint64_t two = digits & digits >> 1, four = two & two >> 2;
    return four & four >> 4 & two >> 8;
}

/* Reads numbers; items beyond `depth` are read and forgotten. */
ALWAYS_INLINE const uint8_t *read_numbers(struct row *row, uint64_t depth) {
    const uint8_t *at = row->labels;
    row->length = 0;
    for (const uint8_t *window = at;; window += WINDOW) {
        for (uint64_t ends = ~look(window).digits; ends; ends &= ends - 1) {
            const uint8_t *end = window + __builtin_ctzll(ends);
            size_t digits = (size_t)(end - at);
            if (digits) {
                uint32_t number;
                if (digits <= 8) number = value_of(load(at) ^ EACH_BYTE('0'), (unsigned)digits);
                else if (read_number(at, &number) != end) return NULL;
                if (row->length < depth) row->numbers[row->length++] = number;
            }
            if (*end != ' ') return end;
            at = end + 1;
        }
    }
}

/* How many bits are set, of which no two are neighbors. */
static inline uint32_t count_apart(uint64_t bits) {
    bits = (bits | bits >> 1) & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (uint32_t)(bits * 0x0101010101010101 >> 56);
}

/* Counts and checks numbers, and leaves their values for later: most lists have no label to look
for. */
ALWAYS_INLINE const uint8_t *check_numbers(const struct task *task, struct row *row) {
    uint32_t length = 0;
    /* Windows overlap, so that a run of ten digits is seen in one of them. */
    for (const uint8_t *at = row->labels;; at += WINDOW - OVERLAP) {
        struct window window = look(at);
        uint64_t before = window.others ? (window.others & -window.others) - 1 : UINT64_MAX;
        uint64_t digits = window.digits & before, lasts = digits & ~(digits >> 1);
        if (runs_of_ten(digits)) return read_numbers(row, task->depth);
        if (window.others) {
            length += count_apart(lasts);
            row->length = length < task->depth ? length : (uint32_t)task->depth;
            return at + __builtin_ctzll(window.others);
        }
        length += count_apart(lasts << OVERLAP);
    }
}

/* A list of one text that holds a sign which often separates items, or one that begins with a
bracket: whether such lists are meant so is decided where all of them are counted. */
static inline bool may_be_joined(const struct row *row, uint64_t items) {
    if (!items) return false;
    const struct text *text = row->texts;
    return *text->start == '[' || (items == 1 && (memchr(text->start, '|', text->size) ||
                                                  memchr(text->start, ';', text->size)));
}

ALWAYS_INLINE const uint8_t *read_texts(struct row *row, uint64_t depth) {
    uint64_t items = 0;
    row->length = 0;
    for (const uint8_t *at = row->labels;; at++) {
        const uint8_t *end = token_end(at);
        if (end - at > MAX_TOKEN_BYTES) return NULL;
        if (end > at && items++ < depth)
            row->texts[row->length++] = (struct text){at, (size_t)(end - at)};
        if (*end != ' ') {
            row->is_joined = may_be_joined(row, items);
            return end;
        }
        at = end;
    }
}

static inline bool is_same_item(const struct row *row, uint32_t one, uint32_t other, bool text_items) {
    if (!text_items) return row->numbers[one] == row->numbers[other];
    const struct text *texts = row->texts;
    return texts[one].size == texts[other].size &&
           !memcmp(texts[one].start, texts[other].start, texts[one].size);
}

/* Up to so many items are compared with each other; of more, those that share a slot of a table with
room for twice as many as any metric looks at. */
#define FEW_ITEMS 32
#define SLOTS 2048

/* Whether an item occurs twice among the first `most` of a list, which are read into `spare`. */
static inline bool repeats(const struct row *row, uint64_t most, bool text_items,
                           struct row *spare) {
    spare->labels = row->labels;
    if (text_items) read_texts(spare, most);
    else read_numbers(spare, most);
    uint16_t table[SLOTS]; /* places in the list, from 1 on */
    if (spare->length > FEW_ITEMS) memset(table, 0, sizeof table);
    for (uint32_t place = 0; place < spare->length; place++) {
        if (spare->length <= FEW_ITEMS) {
            for (uint32_t before = 0; before < place; before++)
                if (is_same_item(spare, before, place, text_items)) return true;
            continue;
        }
        const struct text *text = spare->texts + place;
        uint64_t slot = (text_items ? hash_of_text(text->start, text->size)
                                    : hash_of_number(spare->numbers[place])) % SLOTS;
        for (; table[slot]; slot = (slot + 1) % SLOTS)
            if (is_same_item(spare, table[slot] - 1u, place, text_items)) return true;
        table[slot] = (uint16_t)(place + 1);
    }
    return false;
}

#endif
