/* Makes the index of published ids, and that of the labels of queries. */

#include "places.h"

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
