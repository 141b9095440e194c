/* Several submissions side by side, query by query: blended into one, or compared. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The lists of one submission: that of a query has `lengths[query]` items from `items +
starts[query]` on. Where there are `names`, an item n means `names[n]`. */
struct side {
    const int32_t *items;
    const uint64_t *starts;
    const uint32_t *lengths;
    const int32_t *names;
};

/* An item that some lists of a query have: the sum of what its places are worth, its best rank ×
sides + the first side that has it there, and the last side that was seen to have it. */
struct candidate {
    int64_t worth;
    uint32_t tie;
    int32_t item;
    uint32_t side;
    uint32_t query;
};

/* Room for the candidates of a query: a table of `mask + 1` entries, of which at least half stay
free, all of no query at first, and the best ones. */
struct room {
    struct candidate *table;
    struct candidate *best;
    uint64_t mask;
};

/* Texts of items, each from `starts[item]` on. */
struct item_texts {
    const uint8_t *texts;
    const int64_t *starts;
};

static inline int32_t item_at(const struct side *side, uint32_t query, uint32_t rank) {
    int32_t item = side->items[side->starts[query] + rank];
    return side->names ? side->names[item] : item;
}

/* The entry of an item, which is free if the item is new to the query. */
static inline struct candidate *entry_of(const struct room *room, int32_t item, uint32_t mark) {
    uint64_t at = (uint32_t)item * 0x9e3779b97f4a7c15u >> 32;
    for (;; at++) {
        struct candidate *entry = room->table + (at & room->mask);
        if (entry->query != mark || entry->item == item) return entry;
    }
}

static inline bool better(const struct candidate *one, const struct candidate *other) {
    return one->worth > other->worth || (one->worth == other->worth && one->tie < other->tie);
}

/* Puts a candidate among the best `most`, of which there are `count`; returns how many there are
then. */
static inline uint32_t insert(struct candidate *best, uint32_t count, uint32_t most,
                              const struct candidate *new) {
    if (count == most && !better(new, best + count - 1)) return count;
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (better(best + middle, new)) low = middle + 1;
        else high = middle;
    }
    uint32_t moved = (count == most ? count - 1 : count) - low;
    memmove(best + low + 1, best + low, moved * sizeof *best);
    best[low] = *new;
    return low + moved + 1;
}

/* Adds up the worth of each item of a query; returns how many of the best there are. */
static uint32_t rank_items(const struct side *sides, uint32_t count, uint32_t depth,
                           const int64_t *worth, uint32_t query, const struct room *room) {
    uint32_t mark = query + 1, found = 0;
    for (uint32_t side = 0; side < count; side++)
        for (uint32_t rank = 0; rank < sides[side].lengths[query]; rank++) {
            int32_t item = item_at(sides + side, query, rank);
            struct candidate *entry = entry_of(room, item, mark);
            uint32_t tie = rank * count + side;
            if (entry->query != mark)
                *entry = (struct candidate){0, tie, item, UINT32_MAX, mark};
            /* Of an item that occurs twice the first place counts. */
            if (entry->side == side) continue;
            entry->side = side;
            entry->worth += worth[side * depth + rank];
            if (tie < entry->tie) entry->tie = tie;
        }
    /* Once more over all places, of which each item has one that is its best. */
    for (uint32_t side = 0; side < count; side++)
        for (uint32_t rank = 0; rank < sides[side].lengths[query]; rank++) {
            struct candidate *entry = entry_of(room, item_at(sides + side, query, rank), mark);
            if (entry->tie == rank * count + side) found = insert(room->best, found, depth, entry);
        }
    return found;
}

static inline uint8_t *write_number(uint8_t *at, uint32_t number) {
    uint8_t digits[10];
    unsigned count = 0;
    do digits[count++] = (uint8_t)('0' + number % 10);
    while (number /= 10);
    while (count) *at++ = digits[--count];
    return at;
}

/* Writes the best `depth` items of each query from `start` to before `stop`, separated by spaces, a
line for each query; returns the size of the text. `worth` has `depth` numbers for each side. */
size_t podium_blend(const struct side *sides, uint32_t count, uint32_t depth,
                    const int64_t *worth, uint32_t start, uint32_t stop, const struct room *room,
                    const struct item_texts *texts, uint8_t *text) {
    uint8_t *at = text;
    for (uint32_t query = start; query < stop; query++) {
        uint32_t found = rank_items(sides, count, depth, worth, query, room);
        for (uint32_t rank = 0; rank < found; rank++) {
            int32_t item = room->best[rank].item;
            if (rank) *at++ = ' ';
            if (!texts) {
                at = write_number(at, (uint32_t)item);
                continue;
            }
            size_t size = (size_t)(texts->starts[item + 1] - texts->starts[item]);
            memcpy(at, texts->texts + texts->starts[item], size);
            at += size;
        }
        *at++ = '\n';
    }
    return (size_t)(at - text);
}

/* Compares the lists of two sides for each query from `start` to before `stop`: whether they are
the `same`, and how many distinct items are in `both` and in `either`. */
void podium_overlap(const struct side *sides, uint32_t start, uint32_t stop,
                    const struct room *room, uint8_t *same, uint32_t *both, uint32_t *either) {
    for (uint32_t query = start; query < stop; query++) {
        uint32_t mark = query + 1, shared = 0, distinct = 0;
        bool equal = sides[0].lengths[query] == sides[1].lengths[query];
        for (uint32_t side = 0; side < 2; side++)
            for (uint32_t rank = 0; rank < sides[side].lengths[query]; rank++) {
                int32_t item = item_at(sides + side, query, rank);
                struct candidate *entry = entry_of(room, item, mark);
                if (entry->query != mark) {
                    *entry = (struct candidate){0, 0, item, side, mark};
                    distinct++;
                } else if (entry->side != side) {
                    entry->side = side;
                    shared++;
                }
                if (side && equal) equal = item == item_at(sides, query, rank);
            }
        same[query - start] = equal;
        both[query - start] = shared;
        either[query - start] = distinct;
    }
}
