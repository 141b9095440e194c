/* One pass over the rows of a submission of lists: reads, checks, and finds the hits on the way.

Nothing is decided here about a row that is not plain: the pass ends where it begins. */

#include "ids.h"
#include "places.h"

/* Up to so many labels of a query are looked for one by one in its list. */
#define FEW_LABELS 8

/* A row goes on a step after so many others were read, and ends with the last of three. */
#define STEP 3
#define LAST_STEP (3 * STEP)
#define ROWS_UNDER_WAY 16
#define UNDER_WAY(row) (rows + (row) % ROWS_UNDER_WAY)

/* What rows are read by and measured against. Of a query, `first[query]` to before `first[query +
1]` are the labels; their items are `items`, or the texts between `starts`, in order. The lists of
queries of which `kept` has a one are kept. The first `distinct_items` of a list are to differ. */
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
};

/* What was found, by all blocks: a one for each query that was `seen`, the 1-based rank of each
label that was found. And by one: counts, among them that of lists of one item that may be several
`joined` by other signs than spaces; and the lists that are kept: items as `numbers`, or as `text`,
each followed by a line feed. Each array has room for a block. */
struct found {
    uint8_t *seen;
    uint16_t *ranks;
    uint32_t *queries;
    uint32_t *lengths;
    int32_t *numbers;
    uint8_t *text;
    uint64_t rows;
    uint64_t empty;
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
    bool is_empty;
    bool is_joined;
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

/* Checks numbers, and leaves their values for later: most lists have no label to look for. */
ALWAYS_INLINE const uint8_t *check_numbers(const struct task *task, struct row *row) {
    uint64_t some = 0;
    /* Windows overlap, so that a run of ten digits is seen in one of them. */
    for (const uint8_t *at = row->labels;; at += WINDOW - 9) {
        struct window window = look(at);
        uint64_t before = window.others ? (window.others & -window.others) - 1 : UINT64_MAX;
        uint64_t digits = window.digits & before;
        some |= digits;
        if (runs_of_ten(digits)) {
            const uint8_t *end = read_numbers(row, task->depth);
            row->is_empty = false;
            return end;
        }
        if (window.others) {
            row->is_empty = !some;
            return at + __builtin_ctzll(window.others);
        }
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
            row->is_empty = row->length == 0;
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

/* The order of a label and a text. */
static inline int compared(const struct task *task, uint32_t label, struct text text) {
    size_t size = (size_t)(task->starts[label + 1] - task->starts[label]);
    int order = memcmp(task->texts + task->starts[label], text.start,
                       size < text.size ? size : text.size);
    return order ? order : (size > text.size) - (size < text.size);
}

/* The label of a query that an item is, of those from `low` to before `high`; `high` if none. */
ALWAYS_INLINE uint32_t find_label(const struct task *task, const struct row *row, uint32_t place,
                                  bool text_items, uint32_t low, uint32_t high) {
    for (uint32_t end = high; low < end;) {
        uint32_t middle = low + (end - low) / 2;
        int order = text_items ? compared(task, middle, row->texts[place])
                               : (task->items[middle] > (int32_t)row->numbers[place]) -
                                     (task->items[middle] < (int32_t)row->numbers[place]);
        if (order == 0) return middle;
        if (order < 0) low = middle + 1;
        else end = middle;
    }
    return high;
}

static inline void rank(uint16_t *ranks, uint32_t label, uint32_t place) {
    /* Of an item that occurs twice the first place counts. */
    if (!__atomic_load_n(ranks + label, __ATOMIC_RELAXED))
        __atomic_store_n(ranks + label, (uint16_t)(place + 1), __ATOMIC_RELAXED);
}

ALWAYS_INLINE void find_hits(const struct task *task, const struct row *row, bool text_items,
                             uint32_t first, uint32_t end, uint16_t *ranks) {
    if (!text_items && end - first <= FEW_LABELS) {
        for (uint32_t label = first; label < end; label++) {
            uint32_t place = 0, item = (uint32_t)task->items[label];
            while (place < row->length && row->numbers[place] != item) place++;
            if (place < row->length) rank(ranks, label, place);
        }
        return;
    }
    for (uint32_t place = 0; place < row->length; place++) {
        uint32_t label = find_label(task, row, place, text_items, first, end);
        if (label < end) rank(ranks, label, place);
    }
}

/* Looks for labels among the digits of a list; false where some have more than eight. */
ALWAYS_INLINE bool match_labels(const struct task *task, const struct row *row, uint32_t first,
                                uint32_t end, uint16_t *ranks) {
    uint64_t wanted[FEW_LABELS];
    if (end - first > FEW_LABELS) return false;
    for (uint32_t label = first; label < end; label++) {
        uint32_t item = (uint32_t)task->items[label];
        if (item >= EIGHT_DIGITS) return false;
        wanted[label - first] = digits_of(item);
    }
    const uint8_t *at = row->labels;
    uint32_t place = 0;
    for (const uint8_t *window = at;; window += WINDOW) {
        for (uint64_t ends = ~look(window).digits; ends; ends &= ends - 1) {
            const uint8_t *over = window + __builtin_ctzll(ends);
            size_t digits = (size_t)(over - at);
            if (digits) {
                if (digits > 8) return false;
                uint64_t item = (load(at) ^ EACH_BYTE('0')) << (64 - 8 * digits);
                for (uint32_t label = first; label < end; label++)
                    if (wanted[label - first] == item) rank(ranks, label, place);
                if (++place == task->depth) return true;
            }
            if (*over != ' ') return true;
            at = over + 1;
        }
    }
}

ALWAYS_INLINE void keep(const struct row *row, bool text_items, struct found *found) {
    found->queries[found->lists] = row->query;
    found->lengths[found->lists++] = row->length;
    found->items += row->length;
    if (!text_items) {
        memcpy(found->numbers + found->items - row->length, row->numbers,
               row->length * sizeof *row->numbers);
        return;
    }
    for (uint32_t place = 0; place < row->length; place++) {
        memcpy(found->text + found->text_size, row->texts[place].start, row->texts[place].size);
        found->text_size += row->texts[place].size;
        found->text[found->text_size++] = '\n';
    }
}

/* Finds the query of a row, and asks for what lies there; false if the session is unknown. */
ALWAYS_INLINE bool find_query(const struct task *task, bool text_ids, struct row *row,
                              const struct found *found) {
    uint32_t place = text_ids ? place_of_text(&task->sessions, row->session.start,
                                              row->session.size, row->hash)
                              : place_of_number(&task->sessions, row->number);
    if (place == UNKNOWN) return false;
    row->query = place * (uint32_t)task->objectives + row->objective;
    __builtin_prefetch(found->seen + row->query, 1);
    if (found->ranks) __builtin_prefetch(task->first + row->query);
    return true;
}

ALWAYS_INLINE void ask_for_labels(const struct task *task, const struct row *row,
                                  bool text_items, const struct found *found) {
    if (!found->ranks) return;
    uint32_t first = task->first[row->query];
    if (first == task->first[row->query + 1]) return;
    if (text_items) __builtin_prefetch(task->starts + first);
    else __builtin_prefetch(task->items + first);
    __builtin_prefetch(found->ranks + first, 1);
}

ALWAYS_INLINE void note(const struct task *task, struct row *row, bool text_items,
                        struct found *found) {
    /* Other threads touch the same query only if the file is refused. */
    __atomic_store_n(found->seen + row->query, 1, __ATOMIC_RELAXED);
    found->rows++;
    found->empty += row->is_empty;
    if (text_items) found->joined += row->is_joined;
    uint32_t first = 0, end = 0;
    if (found->ranks) first = task->first[row->query], end = task->first[row->query + 1];
    bool kept = task->kept && task->kept[row->query];
    if (first == end && !kept) return;
    if (!text_items) {
        if (!kept && match_labels(task, row, first, end, found->ranks)) return;
        read_numbers(row, task->depth);
    }
    find_hits(task, row, text_items, first, end, found->ranks);
    if (kept) keep(row, text_items, found);
}

ALWAYS_INLINE const uint8_t *read_row(const struct task *task, const uint8_t *at, bool text_ids,
                                      bool text_items, struct row *row, struct row *spare) {
    row->start = at;
    bool quoted = *at == '"';
    at = read_id(task, at + quoted, text_ids, row);
    if (!at || (quoted && *at++ != '"') || *at++ != ',') return NULL;
    quoted = *at == '"';
    row->labels = at + quoted;
    at = text_items ? read_texts(row, task->depth) : check_numbers(task, row);
    if (!at) return NULL;
    if (task->distinct_items && repeats(row, task->distinct_items, text_items, spare)) return NULL;
    if (quoted && *at++ != '"') return NULL;
    return at - row->start > (ptrdiff_t)task->longest_line ? NULL : read_line_end(at);
}

/* What is asked for when a row is read comes while the next ones are: rows in any order of sessions
wait for memory hardly longer than those in order. */
ALWAYS_INLINE size_t read_block(const struct task *task, const uint8_t *block, size_t size,
                                bool text_ids, bool text_items, void *items,
                                struct found *found) {
    const uint8_t *at = block, *end = block + size;
    struct row rows[ROWS_UNDER_WAY + 1]; /* the last one is spare */
    for (uint64_t place = 0; place <= ROWS_UNDER_WAY; place++) {
        rows[place].numbers = (uint32_t *)items + place * task->depth;
        rows[place].texts = (struct text *)items + place * task->depth;
    }
    uint64_t good = UINT64_MAX; /* rows before the one that is not plain, or the end */
    for (uint64_t row = 0; row < good || row - good < LAST_STEP; row++) {
        if (row < good) {
            const uint8_t *next =
                at < end ? read_row(task, at, text_ids, text_items, UNDER_WAY(row),
                                    rows + ROWS_UNDER_WAY)
                         : NULL;
            if (next) at = next;
            else good = row;
        }
        uint64_t before = row - STEP;
        if (row >= STEP && before < good && !find_query(task, text_ids, UNDER_WAY(before), found)) {
            good = before;
            at = UNDER_WAY(before)->start;
        }
        before -= STEP;
        if (row >= 2 * STEP && before < good)
            ask_for_labels(task, UNDER_WAY(before), text_items, found);
        before -= STEP;
        if (row >= LAST_STEP && before < good) note(task, UNDER_WAY(before), text_items, found);
    }
    return (size_t)(at - block);
}

/* Reads a block of whole lines, each ended by a line feed, with PADDING bytes behind it. Returns
how many bytes were read; at the first of the others a row begins that is not plain. There is room
for ROWS_UNDER_WAY * `task->depth` + `task->distinct_items` numbers or texts in `items`. */
size_t podium_read_lists(const struct task *task, const uint8_t *block, size_t size,
                         void *items, struct found *found) {
    if (task->sessions.starts)
        return task->text_items ? read_block(task, block, size, true, true, items, found)
                                : read_block(task, block, size, true, false, items, found);
    return task->text_items ? read_block(task, block, size, false, true, items, found)
                            : read_block(task, block, size, false, false, items, found);
}
