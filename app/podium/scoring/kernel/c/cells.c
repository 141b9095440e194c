/* The rows of two columns as lines of text: an id, a comma, a list of items, a line feed.

What a line cannot hold ends the writing, as in all of this library: it is for the strict reader to
decide. A quote where a cell begins, a CR where a line ends and a line feed anywhere are all that
would mean something else in a line than in a cell; of any other byte the reader of lines says what
it says of text. */

#include "fields.h"

#define LONGEST_NUMBER 20
#define SHORT_CELL 12

/* A text of a column: in the twelve bytes themselves, or in one of the column's buffers. */
struct view {
    uint32_t size;
    union {
        uint8_t bytes[SHORT_CELL];
        struct { uint8_t prefix[4]; uint32_t buffer, offset; } elsewhere;
    } text;
};

/* Rows as the Arrow C data interface has them: texts as `views`, of which the longer ones lie in
`buffers`; or lists of `numbers`, each from `starts[row]` on. */
struct cells {
    const struct view *views;
    const uint8_t *const *buffers;
    const int64_t *starts;
    const int64_t *numbers;
};

/* The rows up to before `end` that are still to be written, from `next` on. */
struct rows {
    struct cells ids;
    struct cells labels;
    uint64_t next;
    uint64_t end;
    uint64_t longest_line;
};

static inline uint8_t *write_text(const struct cells *cells, uint64_t row, uint8_t *to) {
    const struct view *view = cells->views + row;
    if (view->size <= SHORT_CELL) {
        memcpy(to, view->text.bytes, SHORT_CELL);
        return to + view->size;
    }
    memcpy(to, cells->buffers[view->text.elsewhere.buffer] + view->text.elsewhere.offset,
           view->size);
    return to + view->size;
}

/* Writes a number below 10^8 as `digits` digits at least. */
static inline uint8_t *write_short(uint32_t number, unsigned digits, uint8_t *to) {
    uint64_t word = digits_of(number);
    unsigned zeros = lowest((word + EACH_BYTE(0x7f)) & EACH_BYTE(0x80));
    if (zeros > 8 - digits) zeros = 8 - digits;
    word = (word | EACH_BYTE('0')) >> 8 * zeros;
    memcpy(to, &word, sizeof word);
    return to + 8 - zeros;
}

static inline uint8_t *write_number(int64_t signed_number, uint8_t *to) {
    uint64_t number = (uint64_t)signed_number;
    if (signed_number < 0) {
        *to++ = '-';
        number = -number;
    }
    if (number < EIGHT_DIGITS) return write_short((uint32_t)number, 1, to);
    uint64_t high = number / EIGHT_DIGITS;
    if (high < EIGHT_DIGITS) to = write_short((uint32_t)high, 1, to);
    else {
        to = write_short((uint32_t)(high / EIGHT_DIGITS), 1, to);
        to = write_short((uint32_t)(high % EIGHT_DIGITS), 8, to);
    }
    return write_short((uint32_t)(number % EIGHT_DIGITS), 8, to);
}

static inline uint8_t *write_list(const struct cells *cells, uint64_t row, uint8_t *to) {
    int64_t at = cells->starts[row], end = cells->starts[row + 1];
    for (; at < end; at++) {
        to = write_number(cells->numbers[at], to);
        *to++ = ' ';
    }
    return cells->starts[row] < end ? to - 1 : to;
}

/* Bytes that a cell takes at most. */
static inline uint64_t most_bytes(const struct cells *cells, uint64_t row) {
    if (cells->views) return cells->views[row].size;
    return (uint64_t)(cells->starts[row + 1] - cells->starts[row]) * (LONGEST_NUMBER + 1);
}

/* Writes rows as lines, as many as there is room for, and sets `next` behind them. Returns the
size. With no line in it, though there are rows, the next one cannot be a line, or is longer than
the room. There are PADDING bytes behind the room; as many behind the lines become zeros. */
size_t podium_write_rows(struct rows *rows, uint8_t *block, size_t room) {
    uint8_t *to = block, *end = block + room;
    for (; rows->next < rows->end; rows->next++) {
        uint64_t row = rows->next, longest = most_bytes(&rows->labels, row);
        uint64_t size = rows->ids.views[row].size;
        if (size > rows->longest_line || longest > rows->longest_line * (LONGEST_NUMBER + 1) ||
            size + longest + 2 > (size_t)(end - to)) break;
        uint8_t *line = to, *at = write_text(&rows->ids, row, to);
        *at++ = ',';
        uint8_t *labels = at;
        at = rows->labels.views ? write_text(&rows->labels, row, at)
                                : write_list(&rows->labels, row, at);
        bool quoted = *line == '"' || (at > labels && *labels == '"');
        if (quoted || at[-1] == '\r' || memchr(line, '\n', (size_t)(at - line))) break;
        *at++ = '\n';
        to = at;
    }
    memset(to, 0, PADDING);
    return (size_t)(to - block);
}
