/* Several submissions side by side, query by query: blended into one, or compared. */

#include "fields.h"

/* The lists of one submission: that of a query has `lengths[query]` items from `items +
starts[query]` on. Where there are `names`, an item n means `names[n]`. */
struct side {
    const int32_t *items;
    const uint64_t *starts;
    const uint32_t *lengths;
    const int32_t *names;
};

/* An item of some lists of a query, the sum of what its places are worth, and a bit for each side
that has it. */
struct candidate {
    int64_t worth;
    int32_t item;
    uint32_t sides;
};

/* An item of `query - 1`, and its place among the candidates. */
struct entry {
    int32_t item;
    uint32_t query;
    uint32_t place;
};

/* Room for the items of a query: a table of `mask + 1` entries, of which at least half stay free,
all of no query at first, all candidates, and the best ones. */
struct room {
    struct entry *table;
    struct candidate *candidates;
    struct candidate *best;
    uint64_t mask;
};

/* Texts of items or sessions, each from `starts[number]` on; or if there are none, `numbers`. */
struct names {
    const int32_t *numbers;
    const uint8_t *texts;
    const int64_t *starts;
};

/* The form of rows: the names of sessions, and what follows these in the id of each objective. */
struct form {
    struct names sessions;
    const struct ending *endings;
    uint64_t objectives;
};

static inline int32_t item_at(const struct side *side, uint32_t query, uint32_t rank) {
    int32_t item = side->items[side->starts[query] + rank];
    return side->names ? side->names[item] : item;
}

/* The entry of an item, which is free if the item is new to the query. */
static inline struct entry *entry_of(const struct room *room, int32_t item, uint32_t mark) {
    uint64_t at = (uint32_t)item * 0x9e3779b97f4a7c15u >> 32;
    for (;; at++) {
        struct entry *entry = room->table + (at & room->mask);
        if (entry->query != mark || entry->item == item) return entry;
    }
}

/* Adds up the worth of each item of a query. Candidates are in the order of their best ranks, then
of the first side that has them there. Returns how many there are. */
static inline uint32_t collect(const struct side *sides, uint32_t count, uint32_t depth,
                               const int64_t *worth, uint32_t query, struct room room) {
    uint32_t mark = query + 1, found = 0, longest = 0;
    for (uint32_t side = 0; side < count; side++)
        if (sides[side].lengths[query] > longest) longest = sides[side].lengths[query];
    for (uint32_t rank = 0; rank < longest; rank++)
        for (uint32_t side = 0; side < count; side++) {
            if (rank >= sides[side].lengths[query]) continue;
            int32_t item = item_at(sides + side, query, rank);
            int64_t more = worth[side * depth + rank];
            struct entry *entry = entry_of(&room, item, mark);
            if (entry->query != mark) {
                *entry = (struct entry){item, mark, found};
                room.candidates[found++] = (struct candidate){more, item, 1u << side};
                continue;
            }
            struct candidate *candidate = room.candidates + entry->place;
            /* Of an item that occurs twice the first place counts. */
            if (candidate->sides >> side & 1) continue;
            candidate->sides |= 1u << side;
            candidate->worth += more;
        }
    return found;
}

/* Finds the candidates that are worth the most; of equal ones the first come first. Returns how
many there are, at most `most`. */
static inline uint32_t choose(struct room room, uint32_t found, uint32_t most) {
    struct candidate *best = room.best;
    int64_t least = INT64_MAX;
    uint32_t count = 0;
    for (uint32_t place = 0; place < found; place++) {
        struct candidate new = room.candidates[place];
        if (new.worth <= least) {
            /* Most candidates come in order. */
            if (count == most) continue;
            best[count++] = new;
            least = new.worth;
            continue;
        }
        uint32_t low = 0, high = count - 1;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (best[middle].worth >= new.worth) low = middle + 1;
            else high = middle;
        }
        if (count < most) count++;
        memmove(best + low + 1, best + low, (count - 1 - low) * sizeof *best);
        best[low] = new;
        least = best[count - 1].worth;
    }
    return count;
}

/* Writes a number, and up to seven bytes of no meaning behind it. */
static inline uint8_t *write_number(uint8_t *at, uint32_t number) {
    uint64_t digits, zeros = 0;
    if (number < EIGHT_DIGITS) {
        digits = digits_of(number);
        /* The last digit stays, even if it is a zero. */
        zeros = (uint64_t)__builtin_ctzll(digits | (uint64_t)1 << 56) / 8;
    } else {
        uint32_t first = number / EIGHT_DIGITS;
        if (first >= 10) *at++ = (uint8_t)('0' + first / 10);
        *at++ = (uint8_t)('0' + first % 10);
        digits = digits_of(number % EIGHT_DIGITS);
    }
    digits = (digits | EACH_BYTE('0')) >> 8 * zeros;
    memcpy(at, &digits, sizeof digits);
    return at + 8 - zeros;
}

static inline uint8_t *write_name(uint8_t *at, struct names names, uint32_t number) {
    if (!names.starts)
        return write_number(at, names.numbers ? (uint32_t)names.numbers[number] : number);
    size_t size = (size_t)(names.starts[number + 1] - names.starts[number]);
    memcpy(at, names.texts + names.starts[number], size);
    return at + size;
}

/* Writes the row of each query from `start` to before `stop`: its id, and its best `depth` items.
Returns the size of the text, behind which up to seven bytes have no meaning. `worth` has `depth`
numbers for each side; items are numbers themselves or those of `items`. */
size_t podium_blend(const struct side *sides, uint32_t count, uint32_t depth,
                    const int64_t *worth, uint32_t start, uint32_t stop, const struct room *room,
                    const struct form *form, const struct names *items, uint8_t *text) {
    uint8_t *at = text;
    /* Copies, as what is written here could be anything that is pointed to. */
    struct names sessions = form->sessions, texts = *items;
    struct room all = *room;
    for (uint32_t query = start; query < stop; query++) {
        uint32_t found = choose(all, collect(sides, count, depth, worth, query, all), depth);
        const struct ending *ending = form->endings + query % form->objectives;
        at = write_name(at, sessions, query / (uint32_t)form->objectives);
        memcpy(at, ending->text, ending->size);
        at += ending->size;
        *at++ = ',';
        for (uint32_t rank = 0; rank < found; rank++) {
            at = write_name(at, texts, (uint32_t)all.best[rank].item);
            *at++ = ' ';
        }
        at[found ? -1 : 0] = '\n';
        at += !found;
    }
    return (size_t)(at - text);
}

/* Compares the lists of two sides for each query from `start` to before `stop`. By objective counts
the lists that are `equal`, and in `shared`, by the number of distinct items in either list, up to
twice `depth`, adds up those in both; of two empty lists it counts one. */
void podium_overlap(const struct side *sides, uint32_t depth, uint32_t start, uint32_t stop,
                    const struct room *room, uint64_t objectives, uint64_t *equal,
                    uint64_t *shared) {
    for (uint32_t query = start; query < stop; query++) {
        uint32_t mark = query + 1, both = 0, either = 0;
        bool same = sides[0].lengths[query] == sides[1].lengths[query];
        for (uint32_t side = 0; side < 2; side++)
            for (uint32_t rank = 0; rank < sides[side].lengths[query]; rank++) {
                int32_t item = item_at(sides + side, query, rank);
                struct entry *entry = entry_of(room, item, mark);
                if (entry->query != mark) {
                    *entry = (struct entry){item, mark, side};
                    either++;
                } else if (entry->place != side) {
                    entry->place = side;
                    both++;
                }
                if (side && same) same = item == item_at(sides, query, rank);
            }
        uint64_t objective = query % objectives;
        equal[objective] += same;
        shared[objective * (2 * (uint64_t)depth + 1) + either] += either ? both : 1;
    }
}

/* Notes where lists were put that lie one behind the other from item `first` on. */
void podium_place_lists(const uint32_t *queries, const uint32_t *lengths, uint64_t lists,
                        uint64_t first, uint64_t *starts, uint32_t *of_queries) {
    for (uint64_t list = 0; list < lists; list++) {
        starts[queries[list]] = first;
        of_queries[queries[list]] = lengths[list];
        first += lengths[list];
    }
}
