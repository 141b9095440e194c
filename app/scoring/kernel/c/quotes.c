/* How many rows a delimited text has, counted without reading its fields.

By RFC 4180 a quote that begins a field encloses it, and is doubled where it stands within; line
ends and separators there are characters. A quote elsewhere is a character like others. */

#include "fields.h"

enum { OUTSIDE, INSIDE, CLOSED, CLOSED_CR };

/* What was counted so far. `before` is the character before the next one, a line feed at the
beginning. Fields that quotes enclose are `enclosed`, the last of which began on line `opened`;
`inner` are quotes in others. The first row has `width` separators, this one `separators` so far;
`uneven` is the number of the first row that had more or fewer. */
struct count {
    uint64_t rows;
    uint64_t lines;
    uint64_t width;
    uint64_t separators;
    uint64_t uneven;
    uint64_t enclosed;
    uint64_t inner;
    uint64_t opened;
    uint32_t state;
    uint8_t before;
    uint8_t separator;
    uint8_t quote;
};

/* The highest bit of each byte that is this one, and of no other. */
static inline uint64_t equal(uint64_t word, uint8_t byte) {
    word ^= EACH_BYTE(byte);
    return ~((((word & EACH_BYTE(0x7f)) + EACH_BYTE(0x7f)) | word) | EACH_BYTE(0x7f));
}

static inline unsigned ones(uint64_t bits) {
    return (unsigned)(((bits >> 7) * EACH_BYTE(0x01)) >> 56);
}

static inline void end_row(struct count *count) {
    count->rows++;
    count->lines++;
    if (count->rows == 1) count->width = count->separators;
    else if (count->separators != count->width && !count->uneven) count->uneven = count->rows;
    count->separators = 0;
}

/* Counts up to the next quote or the end, outside of enclosed fields. */
static const uint8_t *rows_from(struct count *count, const uint8_t *at, const uint8_t *end) {
    for (; end - at >= 8; at += 8) {
        uint64_t word = load(at), quotes = equal(word, count->quote);
        uint64_t before = quotes ? (quotes & -quotes) - 1 : UINT64_MAX;
        uint64_t separators = equal(word, count->separator) & before;
        for (uint64_t feeds = equal(word, '\n') & before; feeds; feeds &= feeds - 1) {
            uint64_t below = (feeds & -feeds) - 1;
            count->separators += ones(separators & below);
            separators &= ~below;
            end_row(count);
        }
        count->separators += ones(separators);
        if (quotes) return at + lowest(quotes);
    }
    for (; at < end && *at != count->quote; at++) {
        if (*at == '\n') end_row(count);
        else count->separators += *at == count->separator;
    }
    return at;
}

/* Counts the lines up to the next quote or the end, within an enclosed field. */
static const uint8_t *lines_from(struct count *count, const uint8_t *at, const uint8_t *end) {
    for (; end - at >= 8; at += 8) {
        uint64_t word = load(at), quotes = equal(word, count->quote);
        uint64_t before = quotes ? (quotes & -quotes) - 1 : UINT64_MAX;
        count->lines += ones(equal(word, '\n') & before);
        if (quotes) return at + lowest(quotes);
    }
    for (; at < end && *at != count->quote; at++) count->lines += *at == '\n';
    return at;
}

static const uint8_t *read_outside(struct count *count, const uint8_t *at, const uint8_t *end) {
    const uint8_t *quote = rows_from(count, at, end);
    if (quote == end) return end;
    uint8_t before = quote == at ? count->before : quote[-1];
    if (before == '\n' || before == count->separator) {
        count->state = INSIDE;
        count->enclosed++;
        count->opened = count->lines + 1;
    } else {
        count->inner++;
    }
    return quote + 1;
}

/* Goes on to count a text. Returns false at a field that is enclosed and followed by something else
than a separator or the end of the row. */
bool podium_count_rows(struct count *count, const uint8_t *text, size_t size) {
    const uint8_t *at = text, *end = text + size;
    while (at < end) {
        if (count->state == OUTSIDE) {
            at = read_outside(count, at, end);
        } else if (count->state == INSIDE) {
            at = lines_from(count, at, end);
            if (at == end) break;
            count->state = CLOSED;
            at++;
        } else if (*at == '\n') {
            count->state = OUTSIDE;
            continue;
        } else if (count->state == CLOSED_CR) {
            return false;
        } else if (*at == count->quote) {
            count->state = INSIDE;
            at++;
        } else if (*at == count->separator) {
            count->state = OUTSIDE;
            count->separators++;
            at++;
        } else if (*at == '\r') {
            count->state = CLOSED_CR;
            at++;
        } else {
            return false;
        }
        count->before = at[-1];
    }
    return true;
}
