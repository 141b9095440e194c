/* Labels as organizers have them, in lines of JSON or in rows of CSV.

The very file may publish the sessions, and blocks of it are read side by side: where a session
stands among all is known only at the end. Until then queries are numbered by runs: a run is one
line of JSON, or rows of CSV with the same session one behind the other. */

#include "fields.h"
#include "places.h"

/* Up to so many entries of a line may be for objectives of other tasks. */
#define MAX_OTHERS 16

#define BEGINS_WITH(at, literal) (!memcmp(at, literal, sizeof literal - 1))

/* How a file spells labels. In JSON an ending is the key of an objective, with its quotes and the
colon. `is_long`: a row has one item at most. `is_only`: the objective needs no key, and entries for
others are left out. */
struct form {
    const struct ending *endings;
    uint64_t objectives;
    uint64_t longest_line;
    uint32_t is_json;
    uint32_t is_long;
    uint32_t is_only;
};

/* The session of each run; the query of each row, if there is an array for them; query and item of
each label; and how many entries were left out. Each array has room for a block. */
struct labels {
    uint32_t *sessions;
    uint32_t *rows;
    uint32_t *queries;
    uint32_t *items;
    uint64_t session_count;
    uint64_t row_count;
    uint64_t label_count;
    uint64_t ignored;
};

/* The entries of a line so far: a bit for each objective, and the keys of others. */
struct entries {
    uint64_t objectives;
    size_t others;
    struct text keys[MAX_OTHERS];
};

/* JSON knows no leading zeros. */
ALWAYS_INLINE const uint8_t *read_whole(const uint8_t *at, uint32_t *number) {
    const uint8_t *end = read_number(at, number);
    return end && *at == '0' && end - at > 1 ? NULL : end;
}

ALWAYS_INLINE const uint8_t *skip_space(const uint8_t *at) {
    return at + (*at == ' ');
}

ALWAYS_INLINE const uint8_t *read_item(const uint8_t *at, uint32_t query, struct labels *found) {
    found->queries[found->label_count] = query;
    return read_whole(at, found->items + found->label_count++);
}

/* One item, or a list. */
ALWAYS_INLINE const uint8_t *read_items(const uint8_t *at, uint32_t query, struct labels *found) {
    if (*at != '[') return read_item(at, query, found);
    if (*++at == ']') return at + 1;
    for (;;) {
        at = read_item(at, query, found);
        if (!at) return NULL;
        if (*at == ']') return at + 1;
        if (*at++ != ',') return NULL;
        at = skip_space(at);
    }
}

/* The key of an entry for another task, which is not that of an entry before. */
static const uint8_t *read_other_key(const uint8_t *at, struct entries *entries) {
    if (*at++ != '"' || entries->others == MAX_OTHERS) return NULL;
    struct text key = {.start = at};
    while (*at >= ' ' && *at < 0x7f && *at != '"' && *at != '\\') at++;
    key.size = (size_t)(at - key.start);
    if (*at++ != '"' || *at++ != ':') return NULL;
    for (size_t other = 0; other < entries->others; other++)
        if (entries->keys[other].size == key.size &&
            !memcmp(entries->keys[other].start, key.start, key.size))
            return NULL;
    entries->keys[entries->others++] = key;
    return at;
}

/* A key and its items. The queries of the line begin with `query`. */
ALWAYS_INLINE const uint8_t *read_entry(const struct form *form, const uint8_t *at, uint32_t query,
                                        struct entries *entries, struct labels *found) {
    for (uint32_t objective = 0; objective < form->objectives; objective++) {
        const struct ending *key = form->endings + objective;
        if (memcmp(at, key->text, key->size)) continue;
        uint64_t bit = (uint64_t)1 << objective;
        if (entries->objectives & bit) return NULL;
        entries->objectives |= bit;
        return read_items(skip_space(at + key->size), query + objective, found);
    }
    if (!form->is_only) return NULL;
    uint64_t labels = found->label_count;
    at = read_other_key(at, entries);
    if (at) at = read_items(skip_space(at), query, found);
    found->label_count = labels;
    found->ignored++;
    return at;
}

/* All entries, up to behind the brace that ends them. */
ALWAYS_INLINE const uint8_t *read_entries(const struct form *form, const uint8_t *at,
                                          uint32_t query, struct labels *found) {
    struct entries entries;
    entries.objectives = entries.others = 0;
    if (*at == '}') return at + 1;
    for (;;) {
        at = read_entry(form, at, query, &entries, found);
        if (!at) return NULL;
        if (*at == '}') return at + 1;
        if (*at++ != ',') return NULL;
        at = skip_space(at);
    }
}

ALWAYS_INLINE const uint8_t *read_json(const struct form *form, const uint8_t *at,
                                       struct labels *found) {
    static const char SESSION[] = "{\"session\":", LABELS[] = "\"labels\":";
    if (!BEGINS_WITH(at, SESSION)) return NULL;
    at = read_whole(skip_space(at + sizeof SESSION - 1), found->sessions + found->session_count);
    if (!at || *at++ != ',') return NULL;
    at = skip_space(at);
    if (!BEGINS_WITH(at, LABELS)) return NULL;
    at = skip_space(at + sizeof LABELS - 1);
    uint32_t query = (uint32_t)(found->session_count++ * form->objectives);
    if (*at == '{') at = read_entries(form, at + 1, query, found);
    else at = form->is_only ? read_items(at, query, found) : NULL;
    return at && *at == '}' ? at + 1 : NULL;
}

ALWAYS_INLINE const uint8_t *read_csv(const struct form *form, const uint8_t *at,
                                      struct labels *found) {
    uint32_t session, objective;
    at = read_number_id(form->endings, form->objectives, at, &session, &objective);
    if (!at || *at++ != ',') return NULL;
    if (!found->session_count || found->sessions[found->session_count - 1] != session)
        found->sessions[found->session_count++] = session;
    uint32_t query = (uint32_t)((found->session_count - 1) * form->objectives) + objective;
    if (found->rows) found->rows[found->row_count++] = query;
    if (*at == '\n' || *at == '\r') return at;
    for (;;) {
        at = read_item(at, query, found);
        if (!at || *at != ' ' || form->is_long) return at;
        at++;
    }
}

/* Reads a block of whole lines, each ended by a line feed, with PADDING bytes behind it. Returns
how many bytes were read; at the first of the others a line begins that is not plain. */
size_t podium_read_labels(const struct form *form, const uint8_t *block, size_t size,
                          struct labels *found) {
    const uint8_t *at = block, *end = block + size;
    while (at < end) {
        struct labels before = *found;
        const uint8_t *next = form->is_json ? read_json(form, at, found)
                                            : read_csv(form, at, found);
        if (next && next - at > (ptrdiff_t)form->longest_line) next = NULL;
        if (next) next = read_line_end(next);
        if (!next) {
            *found = before;
            break;
        }
        at = next;
    }
    return (size_t)(at - block);
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

/* How many labels come before the first one that is not behind its neighbor, by query and item. */
size_t podium_count_ascending(const uint32_t *queries, const int32_t *items, size_t count) {
    size_t row = count > 0;
    while (row < count && (queries[row] > queries[row - 1] ||
                           (queries[row] == queries[row - 1] && items[row] > items[row - 1])))
        row++;
    return row;
}
