/* Rows that lie run by run, as labels lie query by query, and queries session by session: where each
run begins, what is counted or added up in it, the order in it, and the items of a list joined. */

#include <stdlib.h>

#include "decimals.h"

#define SHORT_RUN 32

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

/* A label of a query. */
struct label {
    uint32_t item;
    double relevance;
};

static int compare(const void *one, const void *other) {
    const struct label *a = one, *b = other;
    if (a->item != b->item) return a->item < b->item ? -1 : 1;
    return (a->relevance < b->relevance) - (a->relevance > b->relevance);
}

static void sort_labels(struct label *labels, size_t count) {
    if (count > SHORT_RUN) {
        qsort(labels, count, sizeof *labels, compare);
        return;
    }
    for (size_t next = 1; next < count; next++) {
        struct label label = labels[next];
        size_t at = next;
        for (; at && compare(labels + at - 1, &label) > 0; at--) labels[at] = labels[at - 1];
        labels[at] = label;
    }
}

static void sort_run(uint32_t *items, double *relevances, size_t count, struct label *labels) {
    for (size_t at = 0; at < count; at++)
        labels[at] = (struct label){items[at], relevances ? relevances[at] : 0};
    sort_labels(labels, count);
    for (size_t at = 0; at < count; at++) {
        items[at] = labels[at].item;
        if (relevances) relevances[at] = labels[at].relevance;
    }
}

static bool is_sorted(const uint32_t *items, size_t count) {
    for (size_t at = 1; at < count; at++)
        if (items[at] <= items[at - 1]) return false;
    return true;
}

/* Sorts the labels of each query, which stand one behind the other, by item, and equal ones by
relevance, if there is any, the highest first. False where there is no memory for it. */
bool podium_sort_labels(const uint32_t *queries, uint32_t *items, double *relevances,
                        size_t count) {
    struct label few[SHORT_RUN], *labels = few;
    size_t room = SHORT_RUN;
    for (size_t start = 0, end; start < count; start = end) {
        for (end = start + 1; end < count && queries[end] == queries[start];) end++;
        size_t run = end - start;
        if (is_sorted(items + start, run)) continue;
        if (run > room) {
            if (labels != few) free(labels);
            room = run;
            labels = malloc(room * sizeof *labels);
            if (!labels) return false;
        }
        sort_run(items + start, relevances ? relevances + start : NULL, run, labels);
    }
    if (labels != few) free(labels);
    return true;
}

/* How many labels come before the first one that is not behind its neighbor, by query and item. */
size_t podium_count_ascending(const uint32_t *queries, const int32_t *items, size_t count) {
    size_t row = count > 0;
    while (row < count && (queries[row] > queries[row - 1] ||
                           (queries[row] == queries[row - 1] && items[row] > items[row - 1])))
        row++;
    return row;
}

/* The columns of rows of one item, besides id and item: none, a rank, or a score. The first `depth`
items of a list are written; items are texts or numbers. */
struct item_rows {
    uint64_t has_rank;
    uint64_t has_score;
    uint64_t depth;
    uint64_t text_items;
};

/* Reads what orders a row, behind its item; NULL where it does not come after `*last`. */
ALWAYS_INLINE const uint8_t *read_order(const struct item_rows *form, const uint8_t *at,
                                        bool is_first, double *last) {
    double order;
    if (!form->has_rank && !form->has_score) return at;
    if (*at++ != ',') return NULL;
    if (form->has_rank) {
        uint32_t rank;
        const uint8_t *start = at;
        at = read_number(at, &rank);
        if (!at || at - start > 9 || (*start == '0' && at - start > 1)) return NULL;
        order = -(double)rank;
        if (!is_first && order >= *last) return NULL;
    } else {
        if (!(at = read_decimal(at, &order)) || (!is_first && order > *last)) return NULL;
        /* From here on, two whole numbers may be one double: the strict reader decides. */
        if (order >= (double)MAX_EXACT || order <= -(double)MAX_EXACT) return NULL;
    }
    *last = order;
    return at;
}

/* The end of an item, which may be empty. */
ALWAYS_INLINE const uint8_t *item_end(const struct item_rows *form, const uint8_t *at) {
    uint32_t number;
    if (*at == ',' || *at == '\n' || *at == '\r') return at;
    if (!form->text_items) return read_number(at, &number);
    const uint8_t *end = token_end(at);
    return end == at || end - at > MAX_TOKEN_BYTES ? NULL : end;
}

/* Writes rows of one item, each ended by a line feed, with PADDING bytes behind them, as rows of
lists: an id, a comma, and the items of the rows that follow each other with this id. Returns how
many bytes there are, or SIZE_MAX where a row is not plain. `lists` has room for all rows, and
PADDING bytes more. */
size_t podium_join_items(const struct item_rows *form, const uint8_t *rows, size_t size,
                         uint8_t *lists) {
    const uint8_t *at = rows, *end = rows + size, *id = rows;
    uint8_t *to = lists;
    size_t id_size = 0; /* with its comma */
    uint64_t length = 0;
    bool is_empty = false;
    double last = 0;
    while (at < end) {
        bool is_first = !id_size || (size_t)(end - at) < id_size || memcmp(at, id, id_size);
        if (is_first) {
            const uint8_t *start = at;
            at = token_end(at);
            if (at == start || at - start > PADDING + MAX_TOKEN_BYTES || *at++ != ',') return SIZE_MAX;
            if (id_size) *to++ = '\n';
            id = start, id_size = (size_t)(at - start), length = 0;
            memcpy(to, id, id_size);
            to += id_size;
        } else {
            if (is_empty) return SIZE_MAX;
            at += id_size;
        }
        const uint8_t *item = at;
        if (!(at = item_end(form, at))) return SIZE_MAX;
        size_t item_size = (size_t)(at - item);
        is_empty = !item_size;
        if (is_empty && !is_first) return SIZE_MAX;
        if (length++ < form->depth) {
            if (!is_first) *to++ = ' ';
            memcpy(to, item, 16);
            if (item_size > 16) memcpy(to, item, item_size);
            to += item_size;
        }
        if (!(at = read_order(form, at, is_first, &last)) || !(at = read_line_end(at)))
            return SIZE_MAX;
    }
    if (id_size) *to++ = '\n';
    return (size_t)(to - lists);
}
