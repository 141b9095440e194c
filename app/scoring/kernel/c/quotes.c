/* How many rows a delimited text has, counted without reading its fields.

By RFC 4180 a quote that begins a field encloses it, and is doubled where it stands within; line
ends and separators there are characters. A quote elsewhere is a character like others. */

#include "fields.h"

enum { OUTSIDE, INSIDE, CLOSED, CLOSED_CR };

/* What was counted so far. `before` is the character before the next one, a line feed at the
beginning. Fields that quotes enclose are `enclosed`, the last of which began on line `opened`;
`inner` are quotes in others. */
struct count {
    uint64_t rows;
    uint64_t lines;
    uint64_t enclosed;
    uint64_t inner;
    uint64_t opened;
    uint32_t state;
    uint8_t before;
    uint8_t separator;
};

/* The highest bit of each byte that is this one, and of no other. */
static inline uint64_t equal(uint64_t word, uint8_t byte) {
    word ^= EACH_BYTE(byte);
    return ~((((word & EACH_BYTE(0x7f)) + EACH_BYTE(0x7f)) | word) | EACH_BYTE(0x7f));
}

/* The place of the next quote, or `end`; adds the line feeds before it. */
static const uint8_t *quote_from(const uint8_t *at, const uint8_t *end, uint64_t *line_feeds) {
    for (; end - at >= 8; at += 8) {
        uint64_t word = load(at), quotes = equal(word, '"'), feeds = equal(word, '\n');
        if (quotes) feeds &= (quotes & -quotes) - 1;
        *line_feeds += ((feeds >> 7) * EACH_BYTE(0x01)) >> 56;
        if (quotes) return at + lowest(quotes);
    }
    for (; at < end && *at != '"'; at++) *line_feeds += *at == '\n';
    return at;
}

static const uint8_t *read_outside(struct count *count, const uint8_t *at, const uint8_t *end) {
    uint64_t line_feeds = 0;
    const uint8_t *quote = quote_from(at, end, &line_feeds);
    count->rows += line_feeds;
    count->lines += line_feeds;
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
            at = quote_from(at, end, &count->lines);
            if (at == end) break;
            count->state = CLOSED;
            at++;
        } else if (*at == '\n') {
            count->state = OUTSIDE;
            continue;
        } else if (count->state == CLOSED_CR) {
            return false;
        } else if (*at == '"') {
            count->state = INSIDE;
            at++;
        } else if (*at == count->separator) {
            count->state = OUTSIDE;
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
