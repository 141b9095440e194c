/* The different items of lists: a bit for each number, a slot of a table for each text. Threads share
them, so that each item is counted once. */

#ifndef PODIUM_MARKS_H
#define PODIUM_MARKS_H

#include "places.h"

/* `words` is a bit for each number up to MAX_NUMBER, or hashes of texts in `mask + 1` slots, 0 where
there is none. `count` items are marked, when each that was marked first is added; of texts no more
are once it is above `most`, which is far below the number of slots. */
struct marks {
    uint64_t *words;
    uint64_t mask;
    uint64_t most;
    uint64_t count;
};

/* Marks a number; true if it was not yet. */
ALWAYS_INLINE bool mark_number(struct marks *marks, uint32_t number) {
    uint64_t *word = marks->words + number / 64, bit = (uint64_t)1 << number % 64;
    /* Most items were marked before, and what is only read costs the other threads nothing. */
    if (__atomic_load_n(word, __ATOMIC_RELAXED) & bit) return false;
    return !(__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit);
}

/* The hash by which a text is marked, which is never 0. */
static inline uint64_t mark_of_text(const uint8_t *text, size_t size) {
    uint64_t hash = hash_of_text(text, size);
    return hash ? hash : 1;
}

/* Marks a text; true if it was not yet. */
static inline bool mark_text(struct marks *marks, const uint8_t *text, size_t size) {
    uint64_t hash = mark_of_text(text, size);
    for (uint64_t at = hash;; at++) {
        uint64_t *slot = marks->words + (at & marks->mask);
        uint64_t held = __atomic_load_n(slot, __ATOMIC_RELAXED);
        if (held == hash) return false;
        if (held) continue;
        if (__atomic_load_n(&marks->count, __ATOMIC_RELAXED) > marks->most) return false;
        if (__atomic_compare_exchange_n(slot, &held, hash, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return true;
        if (held == hash) return false;
    }
}

#endif
