/* One pass over the rows of a submission of lists: reads, checks, and finds the hits on the way.

Nothing is decided here about a row that is not plain: the pass ends where it begins. */

#include "lists.h"

/* Up to so many labels of a query are looked for one by one in its list. */
#define FEW_LABELS 8

/* A row goes on a step after so many others were read, and ends with the last of three. */
#define STEP 3
#define LAST_STEP (3 * STEP)
#define ROWS_UNDER_WAY 16
#define UNDER_WAY(row) (rows + (row) % ROWS_UNDER_WAY)

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

/* Marks the items of a list that count; returns how many were not marked yet. */
ALWAYS_INLINE uint64_t mark_items(const struct task *task, const struct row *row,
                                  bool text_items) {
    uint32_t left = row->length, limit = task->limits[row->objective];
    uint64_t first = 0;
    if (left > limit) left = limit;
    if (text_items) {
        for (const struct text *text = row->texts; left; left--, text++)
            first += mark_text(task->marks, text->start, text->size);
        return first;
    }
    const uint8_t *at = row->labels;
    for (const uint8_t *window = at; left; window += WINDOW) {
        for (uint64_t ends = ~look(window).digits; ends && left; ends &= ends - 1) {
            const uint8_t *end = window + __builtin_ctzll(ends);
            size_t digits = (size_t)(end - at);
            if (digits) {
                uint32_t number = 0;
                if (digits <= 8) number = value_of(load(at) ^ EACH_BYTE('0'), (unsigned)digits);
                else read_number(at, &number);
                first += mark_number(task->marks, number);
                left--;
            }
            at = end + 1;
        }
    }
    return first;
}

/* Finds the query of a row, and asks for what lies there; false if the session is unknown. */
ALWAYS_INLINE bool find_query(const struct task *task, bool text_ids, struct row *row,
                              const struct found *found) {
    uint32_t place = text_ids ? place_of_text(&task->sessions, row->session.start,
                                              row->session.size, row->hash)
                              : place_of_number(&task->sessions, row->number);
    if (place == UNKNOWN) return false;
    row->query = place * (uint32_t)task->objectives + row->objective;
    row->is_marked = task->marks && !(place & task->unmarked);
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
    if (text_items) found->joined += row->is_joined;
    found->lengths_of[row->objective * (task->depth + 1) + row->length]++;
    if (row->is_marked) {
        uint64_t first_marked = mark_items(task, row, text_items);
        if (first_marked)
            __atomic_fetch_add(&task->marks->count, first_marked, __ATOMIC_RELAXED);
    }
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

static bool is_marked_text(const struct marks *marks, const uint8_t *text, size_t size) {
    uint64_t hash = mark_of_text(text, size);
    for (uint64_t at = hash;; at++) {
        uint64_t held = marks->words[at & marks->mask];
        if (held == hash || !held) return held == hash;
    }
}

/* How many of the numbers, each from 0 to MAX_NUMBER, are marked. */
size_t podium_count_marked_numbers(const struct marks *marks, const uint32_t *numbers,
                                   size_t count) {
    size_t marked = 0;
    for (size_t at = 0; at < count; at++)
        marked += marks->words[numbers[at] / 64] >> numbers[at] % 64 & 1;
    return marked;
}

/* How many of the texts between the `count + 1` starts are marked. */
size_t podium_count_marked_texts(const struct marks *marks, const uint8_t *texts,
                                 const int64_t *starts, size_t count) {
    size_t marked = 0;
    for (size_t at = 0; at < count; at++)
        marked += is_marked_text(marks, texts + starts[at], (size_t)(starts[at + 1] - starts[at]));
    return marked;
}
