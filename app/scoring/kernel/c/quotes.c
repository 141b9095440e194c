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

/* Where a byte stands in a window, a bit for each place. */
static inline uint64_t places_of(const uint8_t *at, uint8_t byte) {
    uint64_t found = 0;
#ifdef __SSE2__
    for (unsigned from = 0; from < WINDOW; from += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(at + from));
        __m128i same = _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)byte));
        found |= (uint64_t)(uint32_t)_mm_movemask_epi8(same) << from;
    }
#else
    for (unsigned from = 0; from < WINDOW; from += 8) {
        uint64_t other = load(at + from) ^ EACH_BYTE(byte);
        other |= (other & EACH_BYTE(0x7f)) + EACH_BYTE(0x7f);
        found |= (uint64_t)highest_bits(~other) << from;
    }
#endif
    return found;
}

static inline uint64_t ones(uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    return ((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f) * EACH_BYTE(0x01) >> 56;
}

static inline void end_row(struct count *count) {
    count->rows++;
    count->lines++;
    if (count->rows == 1) count->width = count->separators;
    else if (count->separators != count->width && !count->uneven) count->uneven = count->rows;
    count->separators = 0;
}

static inline bool may_open(const struct count *count) {
    return count->before == '\n' || count->before == count->separator;
}

/* Counts the rows that end in a window and the fields that do, by the places of their ends. */
static inline void end_rows(struct count *count, uint64_t feeds, uint64_t separators) {
    for (; feeds; feeds &= feeds - 1) {
        uint64_t below = (feeds & -feeds) - 1;
        count->separators += ones(separators & below);
        separators &= ~below;
        end_row(count);
    }
    count->separators += ones(separators);
}

/* Counts a window whose quotes all enclose fields. Returns false, and has counted nothing, where one
does not, or its end leaves that open. */
static bool count_window(struct count *count, const uint8_t *at) {
    if (count->state == CLOSED_CR) return false;
    uint64_t quotes = places_of(at, count->quote), feeds = places_of(at, '\n');
    uint64_t separators = places_of(at, count->separator), ends = feeds | separators;
    /* From each quote to before the next one, but for those that close. */
    uint64_t inside = quotes;
    for (unsigned by = 1; by < WINDOW; by *= 2) inside ^= inside << by;
    if (count->state == INSIDE) inside = ~inside;
    uint64_t opening = quotes & inside, closing = quotes & ~inside;
    bool is_closed = count->state == CLOSED;
    uint64_t closed = closing << 1 | is_closed;
    if (opening & ~(ends << 1 | closed | may_open(count))) return false;
    if (closed & ~(ends | quotes)) {
        uint64_t crs = places_of(at, '\r') & feeds >> 1;
        if (closed & ~(ends | quotes | crs)) return false;
    }
    uint64_t begun = opening & ~closed;
    if (begun) {
        uint64_t below = ((uint64_t)1 << (63 - __builtin_clzll(begun))) - 1;
        count->enclosed += ones(begun);
        count->opened = count->lines + ones(feeds & below) + 1;
    }
    count->lines += ones(feeds & inside);
    end_rows(count, feeds & ~inside, separators & ~inside);
    count->state = inside >> 63 ? INSIDE : closing >> 63 ? CLOSED : OUTSIDE;
    count->before = at[WINDOW - 1];
    return true;
}

/* Counts byte by byte. Returns false at a field that is enclosed and followed by something else than
a separator or the end of the row. */
static bool count_closely(struct count *count, const uint8_t *at, const uint8_t *end) {
    for (; at < end; count->before = *at++) {
        bool is_quote = *at == count->quote;
        if (count->state == INSIDE) {
            if (is_quote) count->state = CLOSED;
            count->lines += *at == '\n';
        } else if (*at == '\n') {
            count->state = OUTSIDE;
            end_row(count);
        } else if (count->state == CLOSED_CR) {
            return false;
        } else if (*at == count->separator) {
            count->state = OUTSIDE;
            count->separators++;
        } else if (count->state == CLOSED) {
            if (!is_quote && *at != '\r') return false;
            count->state = is_quote ? INSIDE : CLOSED_CR;
        } else if (is_quote && may_open(count)) {
            count->state = INSIDE;
            count->enclosed++;
            count->opened = count->lines + 1;
        } else {
            count->inner += is_quote;
        }
    }
    return true;
}

/* Goes on to count a text. Returns false where what is enclosed is no whole field. */
bool podium_count_rows(struct count *count, const uint8_t *text, size_t size) {
    const uint8_t *at = text, *end = text + size;
    while (at < end) {
        bool is_whole = end - at >= WINDOW;
        if (!is_whole || !count_window(count, at)) {
            if (!count_closely(count, at, is_whole ? at + WINDOW : end)) return false;
        }
        at += is_whole ? WINDOW : end - at;
    }
    return true;
}
