/* Rows that lie group by group, as labels lie query by query, and queries session by session: where
each group begins, and what is counted or added up in it. */

#include "fields.h"

/* Writes the first row of each run of equal values; returns how many runs there are. */
size_t podium_first_of_runs(const uint32_t *values, size_t rows, uint32_t *first) {
    size_t runs = 0;
    for (size_t row = 0; row < rows; row++) {
        /* Written in any case, as most runs are short. */
        first[runs] = (uint32_t)row;
        runs += row == 0 || values[row] != values[row - 1];
    }
    return runs;
}

/* Counts the ranks of each run from 1 to `k`; a run lasts until the next one begins. */
void podium_count_ranks(const uint16_t *ranks, size_t rows, const uint32_t *first, size_t runs,
                        uint32_t k, uint32_t *counts) {
    for (size_t run = 0; run < runs; run++) {
        size_t end = run + 1 < runs ? first[run + 1] : rows;
        uint32_t count = 0;
        /* Without a rank it is 0, and one less the largest number. */
        for (size_t row = first[run]; row < end; row++) count += ranks[row] - 1u < k;
        counts[run] = count;
    }
}

ALWAYS_INLINE double number_at(const void *numbers, size_t row, bool counts) {
    return counts ? ((const uint32_t *)numbers)[row] : ((const double *)numbers)[row];
}

ALWAYS_INLINE void add_moves(const void *above, const void *below, bool counts,
                             const uint32_t *keys, size_t rows, const double *pull,
                             const double *value, const uint32_t *first, size_t runs,
                             double *sums) {
    for (size_t run = 0; run < runs; run++) {
        size_t end = run + 1 < runs ? first[run + 1] : rows;
        double sum = 0.0;
        for (size_t row = first[run]; row < end; row++) {
            double expected = value[keys[row]] * number_at(below, row, counts);
            double moved = pull[keys[row]] * (number_at(above, row, counts) - expected);
            /* The first as it is, so that a negative zero stays one. */
            sum = row == first[run] ? moved : sum + moved;
        }
        sums[run] = sum;
    }
}

/* Each row moves a sum by the `pull` of its key times (above - `value` of its key × below); what the
rows of each run move together, added in their order. `counts` are uint32_t, other numbers double. */
void podium_add_moves(const void *above, const void *below, bool counts, const uint32_t *keys,
                      size_t rows, const double *pull, const double *value, const uint32_t *first,
                      size_t runs, double *sums) {
    if (counts) add_moves(above, below, true, keys, rows, pull, value, first, runs, sums);
    else add_moves(above, below, false, keys, rows, pull, value, first, runs, sums);
}

/* Adds each value to the sum of its key. */
void podium_add_by_key(const uint32_t *keys, const uint32_t *values, size_t rows, uint64_t *sums) {
    for (size_t row = 0; row < rows; row++) sums[keys[row]] += values[row];
}

/* Adds the values of each slot in the order of their rows; slots are in order. */
void podium_add_in_order(const uint32_t *slots, const double *values, size_t rows, double *sums) {
    for (size_t row = 0; row < rows; row++) {
        /* The first as it is, so that a negative zero stays one. */
        bool first = row == 0 || slots[row] != slots[row - 1];
        sums[slots[row]] = first ? values[row] : sums[slots[row]] + values[row];
    }
}

/* A sum of whole numbers, and how many were added. */
struct exact {
    unsigned __int128 sum;
    uint64_t count;
};

/* Adds all values above 0 to the sums of their keys, as multiples of 2^-places, rounded down. Each is
below 1 after a division by 2^exponent, which makes the sums exact but for what is rounded. */
void podium_add_exactly(const uint32_t *keys, const double *values, size_t rows, int exponent,
                        int places, struct exact *sums) {
    for (size_t row = 0; row < rows; row++) {
        if (!(values[row] > 0)) continue;
        uint64_t bits;
        memcpy(&bits, values + row, sizeof bits);
        int power = (int)(bits >> 52);
        uint64_t mantissa = bits & (((uint64_t)1 << 52) - 1);
        /* The smallest numbers have no leading one. */
        if (power) mantissa |= (uint64_t)1 << 52;
        else power = 1;
        int shift = power - 1075 - exponent + places;
        struct exact *sum = sums + keys[row];
        sum->count++;
        if (shift >= 0) sum->sum += (unsigned __int128)mantissa << shift;
        else if (shift > -64) sum->sum += mantissa >> -shift;
    }
}
