/* One pass over the rows of a submission of lists: reads, checks, and finds the hits on the way.

Nothing is decided here about a row that is not plain: the pass ends where it begins. */

#include "places.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* What follows a session in an id: "_" and a name of less than PADDING bytes, or nothing. */
struct ending {
    const uint8_t *text;
    uint64_t size;
};

/* What rows are read by and measured against. Of a query, `first[query]` to before `first[query +
1]` are the labels; their items are `items`, or the texts between `starts`, in order. The lists of
queries of which `kept` has a one are kept. */
struct task {
    struct places sessions;
    const struct ending *endings;
    uint64_t objectives;
    uint64_t longest_line;
    uint64_t depth;
    uint64_t text_items;
    const uint32_t *first;
    const int32_t *items;
    const uint8_t *texts;
    const int64_t *starts;
    const uint8_t *kept;
};

/* What was found, by all blocks: a one for each query that was `seen`, the 1-based rank of each
label that was found. And by one: counts, and the lists that are kept: items as `numbers`, or as
`text`, each followed by a line feed. Each array has room for a block. */
struct found {
    uint8_t *seen;
    uint16_t *ranks;
    uint32_t *queries;
    uint32_t *lengths;
    int32_t *numbers;
    uint8_t *text;
    uint64_t rows;
    uint64_t empty;
    uint64_t lists;
    uint64_t items;
    uint64_t text_size;
};

/* An item of a row: a number, or a text. */
union item {
    uint32_t number;
    struct {
        const uint8_t *text;
        size_t size;
    };
};

struct row {
    uint32_t query;
    uint32_t length;
    union item *items;
};

ALWAYS_INLINE const uint8_t *read_text_id(const struct task *task, const uint8_t *at,
                                          uint32_t *place, uint32_t *objective) {
    const uint8_t *start = at;
    at = token_end(at);
    size_t size = (size_t)(at - start);
    for (*objective = 0; *objective < task->objectives; ++*objective) {
        const struct ending *ending = task->endings + *objective;
        if (size > ending->size && !memcmp(at - ending->size, ending->text, ending->size)) {
            *place = place_of_text(&task->sessions, start, size - ending->size);
            return at;
        }
    }
    return NULL;
}

ALWAYS_INLINE const uint8_t *read_number_id(const struct task *task, const uint8_t *at,
                                            uint32_t *place, uint32_t *objective) {
    uint32_t number;
    const uint8_t *start = at;
    at = read_number(at, &number);
    if (!at || (*start == '0' && at - start > 1)) return NULL;
    *place = place_of_number(&task->sessions, number);
    for (*objective = 0; *objective < task->objectives; ++*objective) {
        const struct ending *ending = task->endings + *objective;
        const uint8_t *end = at + ending->size;
        if (!memcmp(at, ending->text, ending->size) && (*end == ',' || *end == '"')) return end;
    }
    return NULL;
}

/* Items beyond `depth` are read and forgotten. */
ALWAYS_INLINE const uint8_t *read_items(const struct task *task, const uint8_t *at,
                                        bool text_items, struct row *row) {
    row->length = 0;
    for (;;) {
        while (*at == ' ') at++;
        union item item = {0};
        const uint8_t *start = at;
        if (text_items) {
            at = token_end(at);
            if (at == start) return at;
            if (at - start > MAX_TOKEN_BYTES) return NULL;
            item.text = start;
            item.size = (size_t)(at - start);
        } else {
            if ((uint8_t)(*at - '0') > 9) return at;
            at = read_number(at, &item.number);
            if (!at) return NULL;
        }
        if (row->length < task->depth) row->items[row->length++] = item;
    }
}

ALWAYS_INLINE int compared(const struct task *task, uint32_t label, const union item *item,
                           bool text_items) {
    if (!text_items) {
        uint32_t number = (uint32_t)task->items[label];
        return (number > item->number) - (number < item->number);
    }
    size_t size = (size_t)(task->starts[label + 1] - task->starts[label]);
    int order = memcmp(task->texts + task->starts[label], item->text,
                       size < item->size ? size : item->size);
    return order ? order : (size > item->size) - (size < item->size);
}

/* Of an item that occurs twice the first place counts. */
ALWAYS_INLINE void find_hits(const struct task *task, const struct row *row, bool text_items,
                             uint16_t *ranks) {
    uint32_t first = task->first[row->query], end = task->first[row->query + 1];
    if (first == end) return;
    for (uint32_t place = 0; place < row->length; place++) {
        for (uint32_t low = first, high = end; low < high;) {
            uint32_t middle = low + (high - low) / 2;
            int order = compared(task, middle, row->items + place, text_items);
            if (order == 0) {
                if (!__atomic_load_n(ranks + middle, __ATOMIC_RELAXED))
                    __atomic_store_n(ranks + middle, (uint16_t)(place + 1), __ATOMIC_RELAXED);
                break;
            }
            if (order < 0) low = middle + 1;
            else high = middle;
        }
    }
}

ALWAYS_INLINE void keep(const struct row *row, bool text_items, struct found *found) {
    found->queries[found->lists] = row->query;
    found->lengths[found->lists++] = row->length;
    for (uint32_t place = 0; place < row->length; place++) {
        const union item *item = row->items + place;
        if (text_items) {
            memcpy(found->text + found->text_size, item->text, item->size);
            found->text_size += item->size;
            found->text[found->text_size++] = '\n';
        } else {
            found->numbers[found->items] = (int32_t)item->number;
        }
        found->items++;
    }
}

ALWAYS_INLINE void note(const struct task *task, const struct row *row, bool text_items,
                        struct found *found) {
    /* Other threads touch the same query only if the file is refused. */
    __atomic_store_n(found->seen + row->query, 1, __ATOMIC_RELAXED);
    found->rows++;
    found->empty += row->length == 0;
    if (found->ranks) find_hits(task, row, text_items, found->ranks);
    if (task->kept && task->kept[row->query]) keep(row, text_items, found);
}

ALWAYS_INLINE const uint8_t *read_row(const struct task *task, const uint8_t *at, bool text_ids,
                                      bool text_items, struct row *row) {
    const uint8_t *start = at;
    uint32_t place = UNKNOWN, objective = 0;
    bool quoted = *at == '"';
    at = text_ids ? read_text_id(task, at + quoted, &place, &objective)
                  : read_number_id(task, at + quoted, &place, &objective);
    if (!at || place == UNKNOWN || (quoted && *at++ != '"') || *at++ != ',') return NULL;
    row->query = place * (uint32_t)task->objectives + objective;
    quoted = *at == '"';
    at = read_items(task, at + quoted, text_items, row);
    if (!at || (quoted && *at++ != '"')) return NULL;
    return at - start > (ptrdiff_t)task->longest_line ? NULL : read_line_end(at);
}

ALWAYS_INLINE size_t read_block(const struct task *task, const uint8_t *block, size_t size,
                                bool text_ids, bool text_items, struct row *row,
                                struct found *found) {
    const uint8_t *at = block, *end = block + size;
    while (at < end) {
        const uint8_t *next = read_row(task, at, text_ids, text_items, row);
        if (!next) break;
        note(task, row, text_items, found);
        at = next;
    }
    return (size_t)(at - block);
}

/* Reads a block of whole lines, each ended by a line feed, with PADDING bytes behind it. Returns
how many bytes were read; at the first of the others a row begins that is not plain. There is room
for `task->depth` items in `items`. */
size_t podium_read_lists(const struct task *task, const uint8_t *block, size_t size,
                         union item *items, struct found *found) {
    struct row row = {.items = items};
    if (task->sessions.starts)
        return task->text_items ? read_block(task, block, size, true, true, &row, found)
                                : read_block(task, block, size, true, false, &row, found);
    return task->text_items ? read_block(task, block, size, false, true, &row, found)
                            : read_block(task, block, size, false, false, &row, found);
}
