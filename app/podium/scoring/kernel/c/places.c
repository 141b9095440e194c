/* Makes the index of published ids, and that of the labels of queries; and memory for distinct
texts. */

#include <stdlib.h>

#include "places.h"

/* What the next text may take, with what is behind it. */
#define MOST_BYTES (MAX_TOKEN_BYTES + 1 + PADDING)

#define FIRST_TEXTS 1024
#define FIRST_BYTES (FIRST_TEXTS * 16 + MOST_BYTES)
#define MOST_TEXTS ((uint64_t)1 << 30)

static bool follow_each_other(const struct places *places) {
    for (uint32_t place = 0; place < places->count; place++)
        if ((uint32_t)places->numbers[place] - places->low != place) return false;
    return true;
}

/* Fills `direct`, of `span` entries, or `table`, of `mask + 1` entries, of which at least half stay
as they are: UNKNOWN, all of them. False where an id occurs twice, or, without either, where numbers
do not follow each other. */
bool podium_index_places(const struct places *places) {
    if (!places->direct && !places->table) return follow_each_other(places);
    for (uint32_t place = 0; place < places->count; place++) {
        uint64_t at;
        if (places->starts) {
            const uint8_t *text = places->texts + places->starts[place];
            size_t size = (size_t)(places->starts[place + 1] - places->starts[place]);
            at = hash_of_text(text, size);
            if (place_of_text(places, text, size, at) != UNKNOWN) return false;
        } else {
            uint32_t number = (uint32_t)places->numbers[place];
            if (place_of_number(places, number) != UNKNOWN) return false;
            if (places->direct) {
                places->direct[number - places->low] = place;
                continue;
            }
            at = hash_of_number(number);
        }
        while (places->table[at & places->mask] != UNKNOWN) at++;
        places->table[at & places->mask] = place;
    }
    return true;
}

/* Fills `first`, of `queries + 1` entries, with how many of the labels are of earlier queries. The
queries of the labels are in order, each below `queries`. */
void podium_index_labels(const uint32_t *of_labels, uint64_t labels, uint64_t queries,
                         uint32_t *first) {
    uint32_t label = 0;
    for (uint64_t query = 0; query <= queries; query++) {
        while (label < labels && of_labels[label] < query) label++;
        first[query] = label;
    }
}

/* Finds the places of sessions; returns how many come before the first one that has none. */
size_t podium_find_places(const struct places *places, const uint32_t *sessions, size_t count,
                          uint32_t *found) {
    size_t row = 0;
    while (row < count && (found[row] = place_of_number(places, sessions[row])) != UNKNOWN) row++;
    return row;
}

/* Numbers queries of a block, whose first run is `run`, by the places of all runs; without any, a
run is at the place of its number. */
void podium_place_queries(const uint32_t *queries, size_t count, const uint32_t *places,
                          uint64_t run, uint32_t objectives, uint32_t *placed) {
    uint32_t first = (uint32_t)(run * objectives);
    for (size_t row = 0; row < count; row++)
        placed[row] = places ? places[run + queries[row] / objectives] * objectives +
                                   queries[row] % objectives
                             : first + queries[row];
}

/* Marks queries as seen; returns how many come before the first one that was seen already. */
size_t podium_claim_queries(const uint32_t *queries, size_t count, uint8_t *seen) {
    size_t row = 0;
    for (; row < count && !seen[queries[row]]; row++) seen[queries[row]] = 1;
    return row;
}

static inline bool has_room(const struct dictionary *dictionary) {
    return dictionary->count < dictionary->most &&
           dictionary->room - (uint64_t)dictionary->starts[dictionary->count] >= MOST_BYTES;
}

static bool enlarge_texts(struct dictionary *dictionary) {
    uint64_t room = dictionary->room ? 2 * dictionary->room : FIRST_BYTES;
    uint8_t *texts = realloc(dictionary->texts, room);
    if (!texts) return false;
    dictionary->texts = texts;
    dictionary->room = room;
    return true;
}

static bool enlarge_table(struct dictionary *dictionary) {
    uint64_t most = dictionary->most ? 2 * dictionary->most : FIRST_TEXTS, entries = 2 * most;
    if (most > MOST_TEXTS) return false;
    int64_t *starts = realloc(dictionary->starts, (most + 1) * sizeof *starts);
    if (!starts) return false;
    dictionary->starts = starts;
    if (!dictionary->most) *starts = 0;
    struct entry *table = calloc(entries, sizeof *table);
    if (!table) return false;
    for (uint32_t number = 0; number < dictionary->count; number++) {
        const uint8_t *text = dictionary->texts + starts[number];
        uint64_t hash = entry_hash(text, (size_t)(starts[number + 1] - starts[number] - 1));
        uint64_t at = hash;
        while (table[at & (entries - 1)].hash) at++;
        table[at & (entries - 1)] =
            (struct entry){(uint32_t)(hash >> 32), number, (uint64_t)starts[number]};
    }
    free(dictionary->table);
    dictionary->table = table;
    dictionary->mask = entries - 1;
    dictionary->most = most;
    return true;
}

/* Makes room for another text; false where there is no memory for it. */
static bool enlarge(struct dictionary *dictionary) {
    if (dictionary->count == dictionary->most && !enlarge_table(dictionary)) return false;
    return has_room(dictionary) || enlarge_texts(dictionary);
}

/* The number of a text of at most MAX_TOKEN_BYTES with its hash. It is added where it is new, for
which there has to be room. No text holds a line feed, so what ends with one has the same size. */
static inline uint32_t number_of_text(struct dictionary *dictionary, const struct text *text,
                                      uint64_t hash) {
    struct entry *entry;
    for (uint64_t at = hash; (entry = dictionary->table + (at & dictionary->mask))->hash; at++) {
        const uint8_t *known = dictionary->texts + entry->start;
        if (entry->hash == hash >> 32 && known[text->size] == '\n' &&
            !memcmp(known, text->start, text->size))
            return entry->number;
    }
    int64_t *start = dictionary->starts + dictionary->count;
    *entry = (struct entry){(uint32_t)(hash >> 32), dictionary->count, (uint64_t)start[0]};
    memcpy(dictionary->texts + start[0], text->start, text->size);
    start[1] = start[0] + (int64_t)text->size + 1;
    dictionary->texts[start[1] - 1] = '\n';
    return dictionary->count++;
}

/* Writes the numbers of all texts that wait. */
void podium_look_up_texts(struct queue *queue) {
    struct dictionary *dictionary = queue->dictionary;
    for (size_t at = 0; at < queue->count && dictionary->most; at++) {
        const struct entry *entry =
            dictionary->table + (queue->waiting[at].hash & dictionary->mask);
        if (entry->hash) __builtin_prefetch(dictionary->texts + entry->start);
    }
    for (size_t at = 0; at < queue->count && !queue->is_full; at++) {
        const struct waiting *next = queue->waiting + at;
        queue->is_full = !has_room(dictionary) && !enlarge(dictionary);
        if (!queue->is_full)
            *next->number = number_of_text(dictionary, &next->text, next->hash);
    }
    queue->count = 0;
}

/* Adds all texts of `other`, and writes the number that each now has. False where there is no
memory for them. */
bool podium_join_dictionaries(struct dictionary *dictionary, const struct dictionary *other,
                              uint32_t *numbers) {
    struct queue queue;
    start_queue(&queue, dictionary);
    for (uint32_t number = 0; number < other->count; number++) {
        const int64_t *start = other->starts + number;
        struct text text = {other->texts + start[0], (size_t)(start[1] - start[0] - 1)};
        ask_for_text(&queue, &text, numbers + number);
    }
    podium_look_up_texts(&queue);
    return !queue.is_full;
}

/* Gives up the memory of a dictionary. */
void podium_drop_dictionary(struct dictionary *dictionary) {
    free(dictionary->texts);
    free(dictionary->starts);
    free(dictionary->table);
    *dictionary = (struct dictionary){0};
}
