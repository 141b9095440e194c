/* How often the rows of one class score above those of the other in the same group, exactly.

Of each group only the class with fewer rows is sorted, as keys that are ordered as scores are; each
row of the other class is looked up among them. What lies below, between and at the keys is counted
on the way, which places the rows of the first class as well. */

#include <math.h>

#include "fields.h"

#define FEW_KEYS 32   /* are searched without a table, and sorted by insertion */
#define BATCH 32
#define PENDING 256

/* Rows of less than 2^32, each with a score that is a number, a one if it is positive, and a group
below `size`: one of `groups`, or of `small_groups`. Of each group `counts` has the negatives and the
positives, and `starts` where its keys begin; there is one more start than groups. A group of more
than FEW_KEYS keys has a table, for each two keys one entry or less. */
struct scored {
    const double *scores;
    const uint8_t *positives;
    const uint8_t *small_groups;
    const uint32_t *groups;
    uint32_t *counts;
    uint32_t *starts;
    uint64_t *keys;
    uint32_t *table;
    uint64_t size;
};

/* Keys alike, `from` one up to before `to`; none where both are the same. All before lie below. */
struct alike {
    uint32_t from;
    uint32_t to;
};

/* What is to be added to an entry of an array that other threads add to, too: few entries are added
to often. */
struct pending {
    uint64_t places[PENDING];
    uint64_t amounts[PENDING];
};

/* Equal for equal numbers, among which are -0.0 and 0.0, and in their order. */
static inline uint64_t key_of(double score) {
    uint64_t bits, sign = (uint64_t)1 << 63;
    memcpy(&bits, &score, sizeof bits);
    if (!(bits << 1)) bits = 0;
    return bits & sign ? ~bits : bits | sign;
}

static inline uint32_t group_of(const struct scored *scored, uint64_t row) {
    return scored->groups ? scored->groups[row] : scored->small_groups[row];
}

/* 1 if the keys of a group are its positives. */
static inline uint32_t class_of_keys(const struct scored *scored, uint32_t group) {
    return scored->counts[2 * (size_t)group] >= scored->counts[2 * (size_t)group + 1];
}

static inline bool is_key(const struct scored *scored, uint64_t row) {
    return class_of_keys(scored, group_of(scored, row)) == scored->positives[row];
}

ALWAYS_INLINE void settle(struct pending *pending, size_t at, void *to, bool wide) {
    uint64_t place = pending->places[at], amount = pending->amounts[at];
    if (!amount) return;
    if (wide) __atomic_fetch_add((uint64_t *)to + place, amount, __ATOMIC_RELAXED);
    else __atomic_fetch_add((uint32_t *)to + place, (uint32_t)amount, __ATOMIC_RELAXED);
    pending->amounts[at] = 0;
}

ALWAYS_INLINE void add(struct pending *pending, uint64_t place, uint64_t amount, void *to,
                       bool wide) {
    size_t at = place % PENDING;
    if (pending->places[at] != place) {
        settle(pending, at, to, wide);
        /* It is there by the time that another place takes its turn. */
        __builtin_prefetch((uint8_t *)to + place * (wide ? 8 : 4), 1);
    }
    pending->places[at] = place;
    pending->amounts[at] += amount;
}

ALWAYS_INLINE void settle_all(struct pending *pending, void *to, bool wide) {
    for (size_t at = 0; at < PENDING; at++) settle(pending, at, to, wide);
}

/* Adds some rows to the counts of their groups. */
void podium_count_classes(const struct scored *scored, uint64_t from, uint64_t end) {
    struct pending pending = {0};
    for (uint64_t row = from; row < end; row++) {
        uint64_t place = 2 * (uint64_t)group_of(scored, row) + scored->positives[row];
        add(&pending, place, 1, scored->counts, false);
    }
    settle_all(&pending, scored->counts, false);
}

/* Returns how many keys there are; `starts`, one place further, has where those of groups begin. */
uint64_t podium_start_keys(const struct scored *scored) {
    uint32_t total = 0;
    *scored->starts = 0;
    for (uint64_t group = 0; group < scored->size; group++) {
        const uint32_t *counts = scored->counts + 2 * group;
        scored->starts[group + 1] = total;
        total += counts[0] < counts[1] ? counts[0] : counts[1];
    }
    return total;
}

/* Puts the keys of all rows to their groups, and then each start to its own place. */
void podium_collect_keys(const struct scored *scored, uint64_t rows) {
    for (uint64_t row = 0; row < rows; row++) {
        if (!is_key(scored, row)) continue;
        uint32_t *next = scored->starts + group_of(scored, row) + 1;
        scored->keys[(*next)++] = key_of(scored->scores[row]);
    }
}

static void insert_each(uint64_t *keys, size_t count) {
    for (size_t at = 1; at < count; at++) {
        uint64_t key = keys[at];
        size_t to = at;
        for (; to && keys[to - 1] > key; to--) keys[to] = keys[to - 1];
        keys[to] = key;
    }
}

/* Sorts keys in place, by the eight highest bits in which some differ, and then each part. */
static void sort(uint64_t *keys, size_t count) {
    if (count <= FEW_KEYS) {
        insert_each(keys, count);
        return;
    }
    uint64_t differing = 0;
    for (size_t at = 1; at < count; at++) differing |= keys[at] ^ *keys;
    if (!differing) return;
    int bits = 64 - __builtin_clzll(differing), shift = bits > 8 ? bits - 8 : 0;
    size_t ends[256] = {0}, next[256], total = 0;
    for (size_t at = 0; at < count; at++) ends[keys[at] >> shift & 255]++;
    for (size_t part = 0; part < 256; part++) {
        next[part] = total;
        total = ends[part] += total;
    }
    for (size_t part = 0; part < 256; part++) {
        while (next[part] < ends[part]) {
            uint64_t key = keys[next[part]];
            size_t of;
            while ((of = key >> shift & 255) != part) {
                uint64_t other = keys[next[of]];
                keys[next[of]++] = key;
                key = other;
            }
            keys[next[part]++] = key;
        }
    }
    for (size_t part = 0, from = 0; shift && part < 256; from = ends[part++])
        sort(keys + from, ends[part] - from);
}

/* By how much differences from the lowest of some keys are shifted to become entries of a table,
which with its end has at most half as many as there are keys. */
static inline int shift_of(const uint64_t *keys, uint32_t count) {
    uint64_t span = keys[count - 1] - *keys;
    int bits = span ? 64 - __builtin_clzll(span) : 0, most = 30 - __builtin_clz(count - 3);
    return bits > most ? bits - most : 0;
}

/* The first key of each entry; the last entry is the end of all keys. */
static void fill_table(uint32_t *table, const uint64_t *keys, uint32_t from, uint32_t count) {
    int shift = shift_of(keys, count);
    uint64_t entry = 0;
    for (uint32_t at = 0; at < count; at++)
        for (; entry <= (keys[at] - *keys) >> shift; entry++) table[entry] = from + at;
    table[entry] = from + count;
}

/* Sorts the keys of some groups, each for itself. */
void podium_sort_keys(const struct scored *scored, uint64_t from, uint64_t end) {
    for (uint64_t group = from; group < end; group++) {
        uint32_t start = scored->starts[group], count = scored->starts[group + 1] - start;
        sort(scored->keys + start, count);
        if (count > FEW_KEYS)
            fill_table(scored->table + start / 2, scored->keys + start, start, count);
    }
}

/* The part of the keys of a group among which a key is, or would be. */
static inline const uint32_t *entry_of(const struct scored *scored, uint32_t group, uint64_t key) {
    uint32_t from = scored->starts[group], count = scored->starts[group + 1] - from;
    const uint64_t *keys = scored->keys + from;
    if (count <= FEW_KEYS || key < *keys || key > keys[count - 1]) return NULL;
    return scored->table + from / 2 + ((key - *keys) >> shift_of(keys, count));
}

static inline struct alike alike_of(const struct scored *scored, uint32_t group, uint64_t key,
                                    const uint32_t *entry) {
    const uint64_t *keys = scored->keys;
    uint32_t from = scored->starts[group], end = scored->starts[group + 1];
    if (entry) {
        from = entry[0];
        end = entry[1];
    } else if (end - from > FEW_KEYS) {
        from = end = key < keys[from] ? from : end;
    }
    /* Without branches that nobody could predict. */
    if (from < end && keys[from] < key) {
        uint32_t count = end - ++from;
        for (; count > 1; count -= count / 2)
            from += keys[from + count / 2 - 1] < key ? count / 2 : 0;
        if (count) from += keys[from] < key;
    }
    /* Scores of few kinds have an entry each, at the end of which no search is needed. */
    if (from == end || keys[from] != key) return (struct alike){from, from};
    if (keys[end - 1] == key) return (struct alike){from, end};
    uint32_t last = from;
    for (uint32_t to = end - 1; to - last > 1;) {
        uint32_t middle = last + (to - last) / 2;
        if (keys[middle] == key) last = middle;
        else to = middle;
    }
    return (struct alike){from, last + 1};
}

/* Rows that were looked up together: keys lie anywhere in memory, which is waited for once for many
of them. */
struct batch {
    uint64_t rows[BATCH];
    uint64_t keys[BATCH];
    const uint32_t *entries[BATCH];
    struct alike found[BATCH];
    uint32_t groups[BATCH];
    size_t count;
};

/* Takes rows from `row` on which are keys, or which are none; returns where to go on. */
ALWAYS_INLINE uint64_t look_up(const struct scored *scored, uint64_t row, uint64_t end, bool keys,
                               struct batch *batch) {
    size_t count = 0;
    for (; row < end && count < BATCH; row++) {
        batch->rows[count] = row;
        count += is_key(scored, row) == keys;
    }
    for (size_t at = 0; at < count; at++) {
        batch->groups[at] = group_of(scored, batch->rows[at]);
        batch->keys[at] = key_of(scored->scores[batch->rows[at]]);
        batch->entries[at] = entry_of(scored, batch->groups[at], batch->keys[at]);
        if (batch->entries[at]) __builtin_prefetch(batch->entries[at]);
    }
    for (size_t at = 0; at < count; at++)
        if (batch->entries[at]) __builtin_prefetch(scored->keys + *batch->entries[at]);
    for (size_t at = 0; at < count; at++)
        batch->found[at] = alike_of(scored, batch->groups[at], batch->keys[at], batch->entries[at]);
    batch->count = count;
    return row;
}

/* Twice the number of keys that a row of the other class beats, or loses to if it is negative; a key
alike counts one. */
static inline uint64_t twice_of(const struct scored *scored, uint32_t group, struct alike found) {
    uint64_t start = scored->starts[group], end = scored->starts[(size_t)group + 1];
    uint64_t others = class_of_keys(scored, group) ? end - found.to : found.from - start;
    return 2 * others + (found.to - found.from);
}

/* Adds up by group, twice, the pairs of a positive and a negative in which the positive scores
higher, and once those in which both score the same. All are less than 2^63. */
void podium_add_wins(const struct scored *scored, uint64_t from, uint64_t end, uint64_t *sums) {
    struct pending pending = {0};
    struct batch batch;
    while (from < end) {
        from = look_up(scored, from, end, false, &batch);
        for (size_t at = 0; at < batch.count; at++) {
            uint32_t group = batch.groups[at];
            add(&pending, group, twice_of(scored, group, batch.found[at]), sums, true);
        }
    }
    settle_all(&pending, sums, true);
}

static inline double share(uint64_t twice, uint64_t others) {
    return others ? (double)twice / (double)(2 * others) : NAN;
}

/* Gives the rows that are no keys their shares, and counts them: in `gaps` those directly below a
key and above the one before, in `ties` those at the first one of keys alike. */
void podium_place_others(const struct scored *scored, uint64_t from, uint64_t end, uint32_t *gaps,
                         uint32_t *ties, double *shares) {
    struct pending below = {0}, same = {0};
    struct batch batch;
    while (from < end) {
        from = look_up(scored, from, end, false, &batch);
        for (size_t at = 0; at < batch.count; at++) {
            size_t group = batch.groups[at];
            struct alike found = batch.found[at];
            uint32_t start = scored->starts[group], last = scored->starts[group + 1];
            uint64_t twice = twice_of(scored, (uint32_t)group, found);
            shares[batch.rows[at]] = share(twice, last - start);
            if (found.from < found.to) add(&same, found.from, 1, ties, false);
            else if (found.from < last) add(&below, found.from, 1, gaps, false);
        }
    }
    settle_all(&same, ties, false);
    settle_all(&below, gaps, false);
}

/* Makes of the `gaps` of some groups how many rows lie below each first one of keys alike. */
void podium_add_gaps(const struct scored *scored, uint64_t from, uint64_t end, uint32_t *gaps,
                     const uint32_t *ties) {
    for (uint64_t group = from; group < end; group++) {
        uint32_t below = 0;
        for (uint32_t at = scored->starts[group]; at < scored->starts[group + 1]; at++) {
            gaps[at] = below += gaps[at];
            below += ties[at];
        }
    }
}

/* Gives the rows that are keys their shares. */
void podium_place_keys(const struct scored *scored, uint64_t from, uint64_t end,
                       const uint32_t *gaps, const uint32_t *ties, double *shares) {
    struct batch batch;
    while (from < end) {
        from = look_up(scored, from, end, true, &batch);
        for (size_t at = 0; at < batch.count; at++) {
            __builtin_prefetch(gaps + batch.found[at].from);
            __builtin_prefetch(ties + batch.found[at].from);
        }
        for (size_t at = 0; at < batch.count; at++) {
            size_t group = batch.groups[at];
            uint32_t key = batch.found[at].from, positive = class_of_keys(scored, (uint32_t)group);
            uint64_t others = scored->counts[2 * group + !positive], alike = ties[key];
            uint64_t beaten = positive ? gaps[key] : others - gaps[key] - alike;
            shares[batch.rows[at]] = share(2 * beaten + alike, others);
        }
    }
}
