/* Decimals, correctly rounded: the double next to what the text says, halves to the even one.

A decimal is m / 10^q or m * 10^q for a whole m. Up to 19 digits and small powers, as programs write
them, the quotient of 128 bits by 64 is exact but for its remainder, which decides together with the
bits behind the 53rd. All others are left to `strtod`. */

#ifndef PODIUM_DECIMALS_H
#define PODIUM_DECIMALS_H

#include <stdlib.h>

#include "fields.h"

#define MAX_DIGITS 19
#define MAX_POWER 27   /* 5^27 is the largest power below 2^63 */
#define MAX_EXACT ((uint64_t)1 << 53)
#define FAR 99999999   /* an exponent for `strtod` */
#define MAX_DECIMAL_BYTES 64
#define MAX_DECIMAL 1e100

static const uint64_t POWERS_OF_FIVE[MAX_POWER + 1] = {
    1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125, 9765625, 48828125, 244140625,
    1220703125, 6103515625, 30517578125, 152587890625, 762939453125, 3814697265625,
    19073486328125, 95367431640625, 476837158203125, 2384185791015625, 11920928955078125,
    59604644775390625, 298023223876953125, 1490116119384765625, 7450580596923828125};

/* The double of bits * 2^exponent, where `rest` says that a bit below is set; no bits are 0. */
static inline double rounded(unsigned __int128 bits, int exponent, bool rest) {
    int surplus = (bits >> 64 ? 64 - __builtin_clzll((uint64_t)(bits >> 64))
                              : -__builtin_clzll((uint64_t)bits)) + 64 - 53;
    if (surplus > 0) {
        unsigned __int128 below = bits & (((unsigned __int128)1 << surplus) - 1);
        unsigned __int128 half = (unsigned __int128)1 << (surplus - 1);
        bits >>= surplus;
        exponent += surplus;
        if (below > half || (below == half && (rest || (bits & 1)))) bits++;
    }
    /* All exponents that occur are those of normal numbers, so both factors are exact. */
    double scale;
    uint64_t word = (uint64_t)(1023 + exponent) << 52;
    memcpy(&scale, &word, sizeof scale);
    return (double)(uint64_t)bits * scale;
}

/* mantissa * 10^power for -MAX_POWER <= power <= MAX_POWER. */
static inline double scaled(uint64_t mantissa, int power) {
    static const double TENS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (mantissa == 0) return 0;
    /* Of two doubles that are exact, the quotient is rounded but once. */
    if (mantissa <= MAX_EXACT && power <= 0 && power >= -22)
        return (double)mantissa / TENS[-power];
    if (power >= 0)
        return rounded((unsigned __int128)mantissa * POWERS_OF_FIVE[power], power, false);
    uint64_t divisor = POWERS_OF_FIVE[-power];
    int shift = __builtin_clzll(mantissa), more = __builtin_clzll(divisor);
    unsigned __int128 dividend = (unsigned __int128)(mantissa << shift) << 63;
    /* The quotient has 63 or 64 bits, which is one instruction. */
    unsigned __int128 quotient = dividend / (divisor << more);
    bool rest = quotient * (divisor << more) != dividend;
    return rounded(quotient, power - shift + more - 63, rest);
}

/* One digit or more, behind those that `value` has already; the value is lost beyond MAX_DIGITS. */
static inline const uint8_t *read_digits(const uint8_t *at, uint64_t *value) {
    static const uint64_t TENS[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    const uint8_t *start = at;
    unsigned count;
    do {
        uint64_t digits = load(at) ^ EACH_BYTE('0');
        count = lowest(((digits + EACH_BYTE(0x76)) | digits) & EACH_BYTE(0x80));
        if (count) *value = *value * TENS[count] + value_of(digits, count);
        at += count;
    } while (count == 8);
    return at == start ? NULL : at;
}

/* A decimal as programs write them: sign, digits, point and digits, exponent; at most
MAX_DECIMAL_BYTES long and MAX_DECIMAL large. */
static inline const uint8_t *read_decimal(const uint8_t *at, double *decimal) {
    const uint8_t *start = at;
    bool negative = *at == '-';
    at += negative || *at == '+';
    const uint8_t *first = at;
    uint64_t mantissa = 0, exponent = 0;
    if (!(at = read_digits(at, &mantissa))) return NULL;
    ptrdiff_t digits = at - first, power = 0;
    if (*at == '.') {
        const uint8_t *point = at + 1;
        if (!(at = read_digits(point, &mantissa))) return NULL;
        power = point - at;
        digits -= power;
    }
    if ((*at | 0x20) == 'e') {
        bool below = *++at == '-';
        at += below || *at == '+';
        first = at;
        if (!(at = read_digits(at, &exponent))) return NULL;
        if (at - first > 8) exponent = FAR;
        power += below ? -(ptrdiff_t)exponent : (ptrdiff_t)exponent;
    }
    if (at - start > MAX_DECIMAL_BYTES) return NULL;
    if (digits <= MAX_DIGITS && power >= -MAX_POWER && power <= MAX_POWER) {
        double value = scaled(mantissa, (int)power);
        *decimal = negative ? -value : value;
        return at;
    }
    char *end;
    *decimal = strtod((const char *)start, &end);
    /* The end is another one where the process has a locale of decimal commas. */
    if ((const uint8_t *)end != at || !(*decimal >= -MAX_DECIMAL && *decimal <= MAX_DECIMAL))
        return NULL;
    return at;
}

#endif
