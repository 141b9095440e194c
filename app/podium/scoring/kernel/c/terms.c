/* A metric query by query: what its value and the standard error of that are added up from. */

#include "fields.h"

/* Of each query the sum of its gains and the ideal one, counts (uint32_t) or numbers (double), and a
key. The metric is the mean of the ratios, `is_mean`, or the ratio of the sums. */
struct terms {
    const void *sums;
    const void *ideals;
    const uint32_t *keys;
    uint64_t count;
    uint32_t sums_are_counts;
    uint32_t ideals_are_counts;
    uint32_t is_mean;
};

/* A sum of squares, what is to be added to it for having been rounded, and how many there are. */
struct squares {
    double sum;
    double rest;
    uint64_t count;
};

/* A sum of whole numbers, how many were added, and the power of two of the largest ratio, as a float64
has it: 0 where none is above 0. */
struct exact {
    unsigned __int128 sum;
    uint64_t count;
    uint64_t power;
};

static inline double number_at(const void *numbers, uint32_t are_counts, size_t row) {
    return are_counts ? ((const uint32_t *)numbers)[row] : ((const double *)numbers)[row];
}

static inline double ratio_at(const struct terms *terms, size_t row) {
    double sum = number_at(terms->sums, terms->sums_are_counts, row);
    /* Without ideals the sums are what there is. */
    return terms->ideals ? sum / number_at(terms->ideals, terms->ideals_are_counts, row) : sum;
}

/* A query moves a total by the `pull` of its key times (sum - `value` of its key * ideal), or
(ratio - value) of a mean. */
static inline double moved(const struct terms *terms, const double *pull, const double *value,
                           size_t row) {
    uint32_t key = terms->keys[row];
    if (terms->is_mean) return pull[key] * (ratio_at(terms, row) - value[key]);
    double expected = value[key] * number_at(terms->ideals, terms->ideals_are_counts, row);
    return pull[key] * (number_at(terms->sums, terms->sums_are_counts, row) - expected);
}

/* What the queries of a run, from `first[run]` on, move together, added in their order. */
static inline double moved_by_run(const struct terms *terms, const double *pull,
                                  const double *value, const uint32_t *first, size_t runs,
                                  size_t run) {
    size_t end = run + 1 < runs ? first[run + 1] : terms->count;
    /* The first as it is, so that a negative zero stays one. */
    double sum = moved(terms, pull, value, first[run]);
    for (size_t row = first[run] + 1; row < end; row++) sum += moved(terms, pull, value, row);
    return sum;
}

void podium_add_moves(const struct terms *terms, const double *pull, const double *value,
                      const uint32_t *first, size_t runs, double *sums) {
    for (size_t run = 0; run < runs; run++)
        sums[run] = moved_by_run(terms, pull, value, first, runs, run);
}

/* Adds a square, by Neumaier's summation. */
static inline void add_square(struct squares *to, double number) {
    double square = number * number, sum = to->sum + square;
    to->rest += to->sum >= square ? to->sum - sum + square : square - sum + to->sum;
    to->sum = sum;
    to->count++;
}

/* Adds the squares of the same, each multiplied by `scale` before, to those of the run's split. */
void podium_add_moves_squared(const struct terms *terms, const double *pull, const double *value,
                              const uint32_t *first, const uint8_t *splits, size_t runs,
                              double scale, struct squares *of_splits) {
    for (size_t run = 0; run < runs; run++)
        add_square(of_splits + splits[run],
                   moved_by_run(terms, pull, value, first, runs, run) * scale);
}

/* Adds the squares of numbers, each multiplied by `scale` before. */
void podium_add_squares(const double *numbers, size_t count, double scale, struct squares *squares) {
    for (size_t row = 0; row < count; row++) add_square(squares, numbers[row] * scale);
}

static inline uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* The power of two of a number above 0. The smallest ones have no leading one. */
static inline uint64_t power_of(uint64_t bits) { return bits >> 52 ? bits >> 52 : 1; }

/* Finds the power of the largest ratio of each key. */
void podium_find_powers(const struct terms *terms, struct exact *sums) {
    for (size_t row = 0; row < terms->count; row++) {
        double ratio = ratio_at(terms, row);
        if (!(ratio > 0)) continue;
        uint64_t power = power_of(bits_of(ratio));
        struct exact *sum = sums + terms->keys[row];
        if (power > sum->power) sum->power = power;
    }
}

/* Adds all ratios above 0 to the sums of their keys, as multiples of 2^-places, rounded down. Each is
below 1 after a division by 2^(power of the key - 1022), which makes the sums exact but for what is
rounded. */
void podium_add_exactly(const struct terms *terms, int places, struct exact *sums) {
    for (size_t row = 0; row < terms->count; row++) {
        double ratio = ratio_at(terms, row);
        if (!(ratio > 0)) continue;
        uint64_t bits = bits_of(ratio), leading = (uint64_t)1 << 52;
        uint64_t mantissa = (bits & (leading - 1)) | (bits >> 52 ? leading : 0);
        struct exact *sum = sums + terms->keys[row];
        int shift = (int)power_of(bits) - (int)sum->power - 53 + places;
        sum->count++;
        if (shift >= 0) sum->sum += (unsigned __int128)mantissa << shift;
        else if (shift > -64) sum->sum += mantissa >> -shift;
    }
}

/* Adds each count to the sum of its key and its ideal: number ideal * keys + key. */
void podium_add_by_ideal(const struct terms *terms, uint64_t keys, uint64_t *sums) {
    const uint32_t *counts = terms->sums, *ideals = terms->ideals;
    for (size_t row = 0; row < terms->count; row++)
        sums[ideals[row] * keys + terms->keys[row]] += counts[row];
}
