/* Fields of plain text, eight bytes at a time: numbers, tokens, ids of rows, the end of a row.

A reader gets the place where a field begins and gives the place behind it, or NULL where the field
is not plain: neither good nor bad, but for the strict reader to decide. The text ends in a line
feed with PADDING bytes behind it. No field holds a line feed, so no reader goes beyond the last
one, and eight bytes can be loaded from any place before it. */

#ifndef PODIUM_FIELDS_H
#define PODIUM_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the first byte of a text must be the lowest of a word"
#endif

#define PADDING 64
#define WINDOW PADDING
#define MAX_NUMBER INT32_MAX
#define MAX_TOKEN_BYTES 64

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define EACH_BYTE(byte) (0x0101010101010101u * (uint64_t)(byte))

struct text {
    const uint8_t *start;
    size_t size;
};

static inline uint64_t load(const uint8_t *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* The place of the lowest byte of which the highest bit is set; 8 if there is none. */
static inline unsigned lowest(uint64_t bits) {
    return bits ? (unsigned)__builtin_ctzll(bits) >> 3 : 8;
}

/* The highest bit of each zero byte; bytes above the lowest zero may be marked, too. */
static inline uint64_t zeros(uint64_t word) {
    return (word - EACH_BYTE(0x01)) & ~word & EACH_BYTE(0x80);
}

/* The highest bit of each byte, in one. */
static inline uint8_t highest_bits(uint64_t word) {
    return (uint8_t)(((word & EACH_BYTE(0x80)) >> 7) * 0x0102040810204080 >> 56);
}

/* The value of the first `count` bytes, 1 to 8 digits of which the "0" is taken off. */
static inline uint32_t value_of(uint64_t digits, unsigned count) {
    digits <<= 64 - 8 * count;
    digits = digits * 10 + (digits >> 8);
    return (uint32_t)((((digits & 0x000000ff000000ff) * 0x000f424000000064) +
                       (((digits >> 16) & 0x000000ff000000ff) * 0x0000271000000001)) >> 32);
}

#define EIGHT_DIGITS 100000000u

/* The last eight digits, the first one in the lowest byte. */
static inline uint64_t digits_of(uint32_t number) {
    /* All halves, quarters and eighths of a word at once: n / 100 is n * 10486 >> 20 below 10,000,
    and n / 10 is n * 103 >> 10 below 100. */
    uint64_t digits = number / 10000 | (uint64_t)(number % 10000) << 32;
    uint64_t hundreds = (digits * 10486 >> 20) & 0x0000007f0000007f;
    digits = hundreds | (digits - 100 * hundreds) << 16;
    uint64_t tens = (digits * 103 >> 10) & 0x000f000f000f000f;
    return tens | (digits - 10 * tens) << 8;
}

/* What stands in a window, a bit for each byte: digits, and what is neither a digit nor a space. */
struct window {
    uint64_t digits;
    uint64_t others;
};

static inline struct window look(const uint8_t *at) {
    struct window found = {0, 0};
#ifdef __SSE2__
    for (unsigned from = 0; from < WINDOW; from += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(at + from));
        /* Digits become the ten lowest of all signed bytes. */
        __m128i moved = _mm_add_epi8(bytes, _mm_set1_epi8((char)(0x80 - '0')));
        __m128i digits = _mm_cmplt_epi8(moved, _mm_set1_epi8((char)(0x80 + 10)));
        __m128i known = _mm_or_si128(digits, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')));
        found.digits |= (uint64_t)(uint32_t)_mm_movemask_epi8(digits) << from;
        found.others |= (uint64_t)(uint32_t)_mm_movemask_epi8(known) << from;
    }
    found.others = ~found.others;
#else
    for (unsigned from = 0; from < WINDOW; from += 8) {
        uint64_t bytes = load(at + from), moved = bytes ^ EACH_BYTE('0');
        uint64_t others = ((moved & EACH_BYTE(0x7f)) + EACH_BYTE(0x76)) | moved;
        uint64_t spaces = bytes ^ EACH_BYTE(' ');
        spaces = ~(((spaces & EACH_BYTE(0x7f)) + EACH_BYTE(0x7f)) | spaces);
        found.digits |= (uint64_t)highest_bits(~others) << from;
        found.others |= (uint64_t)highest_bits(others & ~spaces) << from;
    }
#endif
    return found;
}

/* A number of at most ten digits and at most MAX_NUMBER; leading zeros are fine. */
static inline const uint8_t *read_number(const uint8_t *at, uint32_t *number) {
    uint64_t digits = load(at) ^ EACH_BYTE('0');
    /* Adding 0x76 carries into the highest bit of a byte from ten on. */
    unsigned count = lowest(((digits + EACH_BYTE(0x76)) | digits) & EACH_BYTE(0x80));
    if (count == 0) return NULL;
    uint64_t value = value_of(digits, count);
    at += count;
    if (count == 8) {
        for (; count < 11 && (uint8_t)(*at - '0') < 10; count++) value = value * 10 + *at++ - '0';
        if (count == 11 || value > MAX_NUMBER) return NULL;
    }
    *number = (uint32_t)value;
    return at;
}

/* The end of a token: of printable ASCII without space, comma and quote. */
static inline const uint8_t *token_end(const uint8_t *at) {
    for (;; at += 8) {
        uint64_t word = load(at);
        uint64_t other = (word - EACH_BYTE(0x21)) | word | zeros(word ^ EACH_BYTE(0x7f)) |
                         zeros(word ^ EACH_BYTE('"')) | zeros(word ^ EACH_BYTE(','));
        unsigned count = lowest(other & EACH_BYTE(0x80));
        if (count < 8) return at + count;
    }
}

/* Ids of rows: a session, and behind it "_" and the name of an objective, or nothing. */

/* What follows a session in an id: "_" and a name of less than PADDING bytes, or nothing. */
struct ending {
    const uint8_t *text;
    uint64_t size;
};

/* Reads an id whose session is text: of `*session` bytes from where the id begins. */
ALWAYS_INLINE const uint8_t *read_text_id(const struct ending *endings, uint64_t objectives,
                                          const uint8_t *at, size_t *session,
                                          uint32_t *objective) {
    const uint8_t *start = at;
    at = token_end(at);
    size_t size = (size_t)(at - start);
    for (*objective = 0; *objective < objectives; ++*objective) {
        const struct ending *ending = endings + *objective;
        if (size > ending->size && !memcmp(at - ending->size, ending->text, ending->size)) {
            *session = size - ending->size;
            return at;
        }
    }
    return NULL;
}

/* Reads an id whose session is a number, without leading zeros. */
ALWAYS_INLINE const uint8_t *read_number_id(const struct ending *endings, uint64_t objectives,
                                            const uint8_t *at, uint32_t *session,
                                            uint32_t *objective) {
    const uint8_t *start = at;
    at = read_number(at, session);
    if (!at || (*start == '0' && at - start > 1)) return NULL;
    for (*objective = 0; *objective < objectives; ++*objective) {
        const struct ending *ending = endings + *objective;
        const uint8_t *end = at + ending->size;
        if (!memcmp(at, ending->text, ending->size) && (*end == ',' || *end == '"')) return end;
    }
    return NULL;
}

/* The line end, LF or CR LF. */
static inline const uint8_t *read_line_end(const uint8_t *at) {
    if (*at == '\r') at++;
    return *at == '\n' ? at + 1 : NULL;
}

#endif
