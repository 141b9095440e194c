/* Rows that lie run by run, as labels lie query by query, and queries session by session: where each
run begins, and what is counted or added up in it. */

#include "fields.h"

/* The queries that labels are of, and the sessions that these are of: of each query its number, its
first label, how many it has, split * objectives + objective, and its split; of each session its
first query and its split. There is room for one of each for every label. */
struct queries {
    uint32_t *queries;
    uint32_t *first;
    uint32_t *labels;
    uint32_t *keys;
    uint8_t *splits;
    uint32_t *first_of_sessions;
    uint8_t *splits_of_sessions;
    uint64_t count;
    uint64_t sessions;
};

/* Lists the queries and the sessions of labels, which are in the order of queries. */
void podium_list_queries(const uint32_t *of_labels, const uint8_t *splits, size_t labels,
                         uint32_t objectives, struct queries *found) {
    size_t count = 0, sessions = 0;
    uint64_t begin = 0, end = 0; /* the queries of a session */
    for (size_t label = 0, next; label < labels; label = next) {
        uint32_t query = of_labels[label];
        next = label + 1;
        while (next < labels && of_labels[next] == query) next++;
        if (query >= end) {
            begin = query - query % objectives;
            end = begin + objectives;
            found->first_of_sessions[sessions] = (uint32_t)count;
            found->splits_of_sessions[sessions++] = splits[label];
        }
        found->queries[count] = query;
        found->first[count] = (uint32_t)label;
        found->labels[count] = (uint32_t)(next - label);
        found->keys[count] = splits[label] * objectives + (uint32_t)(query - begin);
        found->splits[count++] = splits[label];
    }
    found->count = count;
    found->sessions = sessions;
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

/* Hits by run, then rank: of each its label, its run, its rank, and its place among those of its
run, from 1 on. */
struct hits {
    uint32_t *labels;
    uint32_t *runs;
    uint16_t *ranks;
    uint32_t *ordinals;
};

/* Lists the hits of all runs, the labels that have a rank; returns how many there are. A run has few
of them. */
size_t podium_order_hits(const uint16_t *ranks, size_t rows, const uint32_t *first, size_t runs,
                         struct hits *found) {
    size_t hits = 0;
    for (size_t run = 0; run < runs; run++) {
        size_t end = run + 1 < runs ? first[run + 1] : rows, start = hits;
        for (size_t row = first[run]; row < end; row++) {
            if (!ranks[row]) continue;
            size_t at = hits++;
            for (; at > start && found->ranks[at - 1] > ranks[row]; at--) {
                found->ranks[at] = found->ranks[at - 1];
                found->labels[at] = found->labels[at - 1];
            }
            found->ranks[at] = ranks[row];
            found->labels[at] = (uint32_t)row;
            found->runs[hits - 1] = (uint32_t)run;
            found->ordinals[hits - 1] = (uint32_t)(hits - start);
        }
    }
    return hits;
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

/* Adds each value to the sum of its slot, in the order of rows; slots have no order. */
void podium_add_by_slot(const uint32_t *slots, const double *values, size_t rows, double *sums) {
    for (size_t row = 0; row < rows; row++) sums[slots[row]] += values[row];
}
