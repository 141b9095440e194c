/* Decimals, correctly rounded: the double next to what the text says, halves to the even one.

A decimal is m / 10^q or m * 10^q for a whole m of at most 19 digits. The quotient of 128 bits by 64
is exact but for its remainder, which decides together with the bits behind the 53rd. */

#ifndef PODIUM_DECIMALS_H
#define PODIUM_DECIMALS_H

#include "fields.h"

#define MAX_DIGITS 19
#define MAX_POWER 27   /* 5^27 is the largest power below 2^63 */

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
    if (mantissa == 0) return 0;
    if (power >= 0)
        return rounded((unsigned __int128)mantissa * POWERS_OF_FIVE[power], power, false);
    int shift = __builtin_clzll(mantissa);
    unsigned __int128 dividend = (unsigned __int128)(mantissa << shift) << 64;
    uint64_t divisor = POWERS_OF_FIVE[-power];
    return rounded(dividend / divisor, power - shift - 64, dividend % divisor != 0);
}

/* Digits of a mantissa, at most MAX_DIGITS altogether, leading zeros not counted. */
static inline const uint8_t *read_digits(const uint8_t *at, uint64_t *mantissa, unsigned *count) {
    const uint8_t *start = at;
    for (; (uint8_t)(*at - '0') < 10; at++) {
        *mantissa = *mantissa * 10 + (uint8_t)(*at - '0');
        *count += *mantissa != 0;
        if (*count > MAX_DIGITS) return NULL;
    }
    return at == start ? NULL : at;
}

/* A decimal as programs write them: sign, digits, point and digits, exponent. */
static inline const uint8_t *read_decimal(const uint8_t *at, double *decimal) {
    bool negative = *at == '-';
    at += negative || *at == '+';
    uint64_t mantissa = 0;
    unsigned count = 0;
    ptrdiff_t power = 0;
    if (!(at = read_digits(at, &mantissa, &count))) return NULL;
    if (*at == '.') {
        const uint8_t *point = at + 1;
        if (!(at = read_digits(point, &mantissa, &count))) return NULL;
        power = point - at;
    }
    if ((*at | 0x20) == 'e') {
        bool below = *++at == '-';
        at += below || *at == '+';
        uint64_t exponent = 0;
        unsigned digits = 0;
        if (!(at = read_digits(at, &exponent, &digits)) || exponent > 400) return NULL;
        power += below ? -(ptrdiff_t)exponent : (ptrdiff_t)exponent;
    }
    if (power < -MAX_POWER || power > MAX_POWER) return NULL;
    double value = scaled(mantissa, (int)power);
    *decimal = negative ? -value : value;
    return at;
}

#endif
