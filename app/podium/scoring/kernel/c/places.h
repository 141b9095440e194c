/* Published ids → their places: nothing to look up where numbers follow each other, an array where
they lie close together, else a table of hashes. And dictionaries, which number what is new. */

#ifndef PODIUM_PLACES_H
#define PODIUM_PLACES_H

#include "fields.h"

#define UNKNOWN UINT32_MAX

/* `number - low` itself where there is neither `direct` nor `table`; or `direct[number - low]`; or,
of `mask + 1` entries, `table[hash & mask]` and those behind it, up to one that is UNKNOWN. Texts lie
in `texts` one after the other, each from `starts[place]` on, with PADDING bytes behind the last. */
struct places {
    const int32_t *numbers;
    const uint8_t *texts;
    const int64_t *starts;
    uint32_t *direct;
    uint32_t *table;
    uint64_t mask;
    uint32_t low;
    uint32_t span;
    uint32_t count;
};

static inline uint64_t mixed(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_of_number(uint32_t number) {
    return mixed(number ^ 0x9e3779b97f4a7c15, 0xd1342543de82ef95);
}

static inline uint64_t hash_of_text(const uint8_t *text, size_t size) {
    uint64_t hash = size;
    for (; size >= 8; text += 8, size -= 8)
        hash = mixed(hash ^ load(text) ^ 0x9e3779b97f4a7c15, 0xd1342543de82ef95);
    uint64_t last = size ? load(text) << (64 - 8 * size) : 0;
    return mixed(hash ^ last ^ 0x9e3779b97f4a7c15, 0xa0761d6478bd642f);
}

static inline uint32_t place_of_number(const struct places *places, uint32_t number) {
    if (!places->table) {
        uint32_t at = number - places->low;
        if (at >= places->span) return UNKNOWN;
        return places->direct ? places->direct[at] : at;
    }
    for (uint64_t at = hash_of_number(number);; at++) {
        uint32_t place = places->table[at & places->mask];
        if (place == UNKNOWN || (uint32_t)places->numbers[place] == number) return place;
    }
}

static inline uint32_t place_of_text(const struct places *places, const uint8_t *text,
                                     size_t size, uint64_t hash) {
    for (uint64_t at = hash;; at++) {
        uint32_t place = places->table[at & places->mask];
        if (place == UNKNOWN) return place;
        const int64_t *start = places->starts + place;
        if ((size_t)(start[1] - start[0]) == size && !memcmp(places->texts + start[0], text, size))
            return place;
    }
}

/* Asks the memory for what a search looks at first, to have it at hand then. Always inline, since a
compiler may drop calls of functions that change nothing. */
ALWAYS_INLINE void ask_for_hash(const struct places *places, uint64_t hash) {
    __builtin_prefetch(places->table + (hash & places->mask));
}

ALWAYS_INLINE void ask_for_number(const struct places *places, uint32_t number) {
    if (places->table) ask_for_hash(places, hash_of_number(number));
    /* A number beyond the span is not looked up, and its address is only asked for. */
    else if (places->direct) __builtin_prefetch(places->direct + (uint32_t)(number - places->low));
}

/* Distinct texts, numbered from 0 as they first come: number n lies in `texts` from `starts[n]` on,
with a line feed behind it, and with PADDING bytes of room behind the last. Of the `mask + 1` entries
of `table`, at least half have no hash. All is zero before the first text. */
struct dictionary {
    uint8_t *texts;
    int64_t *starts;
    struct entry *table;
    uint64_t mask;
    uint64_t room; /* bytes */
    uint64_t most; /* texts */
    uint32_t count;
};

/* The higher half of the hash of a text, which is not 0, its number, and where it begins. */
struct entry {
    uint32_t hash;
    uint32_t number;
    uint64_t start;
};

/* The hash of a text in a dictionary. */
static inline uint64_t entry_hash(const uint8_t *text, size_t size) {
    return hash_of_text(text, size) | (uint64_t)1 << 63;
}

#define TEXTS_WAITING 64

/* Texts whose numbers are looked up together, when what that needs has come from memory. */
struct queue {
    struct dictionary *dictionary;
    size_t count;
    bool is_full; /* There is no memory for another text. */
    struct waiting {
        struct text text;
        uint64_t hash;
        uint32_t *number;
    } waiting[TEXTS_WAITING];
};

static inline void start_queue(struct queue *queue, struct dictionary *dictionary) {
    queue->dictionary = dictionary;
    queue->count = 0;
    queue->is_full = false;
}

void podium_look_up_texts(struct queue *queue);

/* Has the number of a text written when it is known. */
ALWAYS_INLINE void ask_for_text(struct queue *queue, const struct text *text, uint32_t *number) {
    uint64_t hash = entry_hash(text->start, text->size);
    const struct dictionary *dictionary = queue->dictionary;
    if (dictionary->most) __builtin_prefetch(dictionary->table + (hash & dictionary->mask));
    queue->waiting[queue->count++] = (struct waiting){*text, hash, number};
    if (queue->count == TEXTS_WAITING) podium_look_up_texts(queue);
}

#endif
