/* How many rows a delimited text has, counted without reading its fields.

By RFC 4180 a quote that begins a field encloses it, and is doubled where it stands within; line
ends and separators there are characters. A quote elsewhere is a character like others. */

#include "fields.h"

#if defined(__x86_64__) && !defined(NARROW)
#define WIDE __attribute__((target("avx2,popcnt,pclmul")))
#include <cpuid.h>
#include <immintrin.h>
#endif

enum { OUTSIDE, INSIDE, CLOSED, CLOSED_CR };

/* What was counted so far. `before` is the character before the next one, a line feed at the
beginning. It `encloses` where quotes enclose some field, of which the last began on line `opened`,
and `has_inner` where they stand in others. The first row has `width` separators, this one
`separators` so far; `uneven` is the number of the first row that had more or fewer. */
struct count {
    uint64_t rows;
    uint64_t lines;
    uint64_t width;
    uint64_t separators;
    uint64_t uneven;
    uint64_t opened;
    uint32_t state;
    bool encloses;
    bool has_inner;
    uint8_t before;
    uint8_t separator;
    uint8_t quote;
};

/* Where signs stand in a window, a bit for each place. `between` begins with the first quote, ends
before the second, and so on. */
struct signs {
    uint64_t quotes;
    uint64_t between;
    uint64_t feeds;
    uint64_t separators;
};

/* The last window in which enclosed fields begin: where they do, and its line feeds, of which
`lines` came before. The line is counted when it is asked for. */
struct opening {
    uint64_t begun;
    uint64_t feeds;
    uint64_t lines;
};

ALWAYS_INLINE uint64_t places_of(const uint8_t *at, uint8_t byte) {
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

ALWAYS_INLINE uint64_t ones(uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    return ((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f) * EACH_BYTE(0x01) >> 56;
}

ALWAYS_INLINE void end_row(struct count *count) {
    count->rows++;
    count->lines++;
    if (count->rows == 1) count->width = count->separators;
    else if (count->separators != count->width && !count->uneven) count->uneven = count->rows;
    count->separators = 0;
}

ALWAYS_INLINE bool may_open(const struct count *count) {
    return count->before == '\n' || count->before == count->separator;
}

/* Counts the rows that end in a window and the fields that do, by the places of their ends. */
ALWAYS_INLINE void end_rows(struct count *count, uint64_t feeds, uint64_t separators) {
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
ALWAYS_INLINE bool count_window(struct count *count, const uint8_t *at, struct signs in,
                                struct opening *last) {
    uint64_t quotes = in.quotes, feeds = in.feeds, ends = feeds | in.separators;
    uint64_t inside = count->state == INSIDE ? ~in.between : in.between;
    uint64_t opening = quotes & inside, closing = quotes & ~inside;
    bool is_closed = count->state == CLOSED;
    uint64_t closed = closing << 1 | is_closed;
    if (opening & ~(ends << 1 | closed | may_open(count))) return false;
    if (closed & ~(ends | quotes)) {
        uint64_t crs = places_of(at, '\r') & feeds >> 1;
        if (closed & ~(ends | quotes | crs)) return false;
    }
    uint64_t begun = opening & ~closed;
    if (begun) *last = (struct opening){begun, feeds, count->lines};
    if (feeds & inside) count->lines += ones(feeds & inside);
    end_rows(count, feeds & ~inside, in.separators & ~inside);
    count->state = inside >> 63 ? INSIDE : closing >> 63 ? CLOSED : OUTSIDE;
    count->before = at[WINDOW - 1];
    return true;
}

/* Counts windows up to the first one that is not to be counted as such, and returns it. */
static const uint8_t *count_windows(struct count *count, const uint8_t *at, const uint8_t *end,
                                    struct opening *last) {
    for (; end - at >= WINDOW; at += WINDOW) {
        uint64_t quotes = places_of(at, count->quote), between = quotes;
        for (unsigned by = 1; by < WINDOW; by *= 2) between ^= between << by;
        struct signs signs = {quotes, between, places_of(at, '\n'),
                              places_of(at, count->separator)};
        if (!count_window(count, at, signs, last)) break;
    }
    return at;
}

#ifdef WIDE
static bool is_wide;

/* Sees once whether the processor has vectors of 32 bytes, and the system keeps them. Not every
compiler has this answer at hand. */
__attribute__((constructor)) static void look_at_processor(void) {
    unsigned a, b, c, d, kept, rest;
    unsigned needed = bit_OSXSAVE | bit_POPCNT | bit_PCLMUL;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & needed) != needed) return;
    __asm__("xgetbv" : "=a"(kept), "=d"(rest) : "c"(0));
    is_wide = (kept & 6) == 6 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_AVX2;
}

WIDE static inline uint64_t wide_places_of(const uint8_t *at, uint8_t byte) {
    __m256i same = _mm256_set1_epi8((char)byte);
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)at);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(at + 32));
    uint32_t lower = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, same));
    uint32_t higher = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, same));
    return (uint64_t)higher << 32 | lower;
}

/* The same as count_windows. */
WIDE static const uint8_t *count_wide_windows(struct count *count, const uint8_t *at,
                                              const uint8_t *end, struct opening *last) {
    for (; end - at >= WINDOW; at += WINDOW) {
        uint64_t quotes = wide_places_of(at, count->quote);
        __m128i bits = _mm_cvtsi64_si128((int64_t)quotes);
        /* Multiplied without carry by ones, each bit is the parity of all up to it. */
        bits = _mm_clmulepi64_si128(bits, _mm_set1_epi8(-1), 0);
        struct signs signs = {quotes, (uint64_t)_mm_cvtsi128_si64(bits), wide_places_of(at, '\n'),
                              wide_places_of(at, count->separator)};
        if (!count_window(count, at, signs, last)) break;
    }
    return at;
}
#else
#define is_wide false
#define count_wide_windows count_windows
#endif

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
            count->encloses = true;
            count->opened = count->lines + 1;
        } else {
            count->has_inner |= is_quote;
        }
    }
    return true;
}

/* Goes on to count a text. Returns false where what is enclosed is no whole field. */
bool podium_count_rows(struct count *count, const uint8_t *text, size_t size) {
    const uint8_t *at = text, *end = text + size;
    while (at < end) {
        struct opening last = {0, 0, 0};
        if (count->state != CLOSED_CR)
            at = (is_wide ? count_wide_windows : count_windows)(count, at, end, &last);
        if (last.begun) {
            uint64_t below = ((uint64_t)1 << (63 - __builtin_clzll(last.begun))) - 1;
            count->encloses = true;
            count->opened = last.lines + ones(last.feeds & below) + 1;
        }
        const uint8_t *next = end - at > WINDOW ? at + WINDOW : end;
        if (!count_closely(count, at, next)) return false;
        at = next;
    }
    return true;
}
