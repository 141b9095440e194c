/* Labels as organizers have them: lines of JSON, rows of CSV, or qrels of TREC.

The very file may publish the sessions, and blocks of it are read side by side: where a session
stands among all is known only at the end. Until then queries are numbered by runs: a run is one
line of JSON, or rows with the same session one behind the other. Sessions and items that are text
become numbers of a dictionary, which each thread has for itself. */

#include "decimals.h"
#include "fields.h"
#include "places.h"

/* Up to so many entries of a line may be for objectives of other tasks. */
#define MAX_OTHERS 16

/* What a column of a table holds, each at most once. An id ends in the name of an objective; the
name of a type is one. */
enum column { ID, SESSION, TYPE, LABELS, ITEM, RELEVANCE, SIDE };
#define MAX_LABEL_COLUMNS 5

#define SIDES 3

#define BEGINS_WITH(at, literal) (!memcmp(at, literal, sizeof literal - 1))

enum spelling { JSON_LINES, TABLE, QRELS };

/* How a file spells labels. The endings are those of ids, the names of types, or in JSON the keys of
objectives with their quotes and the colon. `is_only`: the objective needs no key, and entries for
others are left out. `sides` are the words for sides, in lower case, and no session of a table is
called `name`, which is that of their column. Relevances are `least` to `most`, and those above 0 at
least `smallest`. */
struct form {
    const struct ending *endings;
    const struct ending *sides;
    const struct ending *name;
    uint64_t objectives;
    uint64_t longest_line;
    double least;
    double most;
    double smallest;
    uint32_t spelling;
    uint32_t is_only;
    uint32_t are_texts; /* sessions */
    uint32_t are_text_items;
    uint32_t columns;
    uint32_t roles[MAX_LABEL_COLUMNS];
};

/* The session of each run, and its side, if there is an array for them; the query of each row, if
there is an array for them; query and item of each label, and its relevance, if there is an array for
them. And how many lines there were, how many entries were left out, and how many rows of one item had
none, the first of them after so many lines. Each array has room for a block. */
struct labels {
    uint32_t *sessions;
    uint8_t *sides;
    uint32_t *rows;
    uint32_t *queries;
    uint32_t *items;
    double *relevances;
    struct dictionary *known_sessions;
    struct dictionary *known_items;
    uint64_t session_count;
    uint64_t row_count;
    uint64_t label_count;
    uint64_t lines;
    uint64_t ignored;
    uint64_t empty;
    uint64_t first_empty;
    struct queue *new_sessions;
    struct queue *new_items;
    struct text last; /* the session of the last run in this block, where it is text */
};

/* The entries of a line so far: a bit for each objective, and the keys of others. */
struct entries {
    uint64_t objectives;
    size_t others;
    struct text keys[MAX_OTHERS];
};

/* The fields of a row. Its items stand behind the labels that were found before. */
struct fields {
    struct text text;
    uint32_t session;
    uint32_t objective;
    uint64_t items;
    double relevance;
    bool has_relevance;
    uint8_t side;
};

/* JSON knows no leading zeros, neither do ids. */
ALWAYS_INLINE const uint8_t *read_whole(const uint8_t *at, uint32_t *number) {
    const uint8_t *end = read_number(at, number);
    return end && *at == '0' && end - at > 1 ? NULL : end;
}

ALWAYS_INLINE const uint8_t *skip_space(const uint8_t *at) {
    return at + (*at == ' ');
}

ALWAYS_INLINE const uint8_t *read_token(const uint8_t *at, struct text *text) {
    text->start = at;
    at = token_end(at);
    text->size = (size_t)(at - text->start);
    return text->size && text->size <= MAX_TOKEN_BYTES ? at : NULL;
}

/* A string of JSON that is written as it is read, or a number, which is its own text. */
ALWAYS_INLINE const uint8_t *read_string(const uint8_t *at, struct text *text) {
    if (*at != '"') {
        uint32_t number;
        text->start = at;
        at = read_whole(at, &number);
        if (at) text->size = (size_t)(at - text->start);
        return at;
    }
    at = read_token(at + 1, text);
    if (!at || *at != '"' || memchr(text->start, '\\', text->size)) return NULL;
    return at + 1;
}

ALWAYS_INLINE const uint8_t *numbered(const uint8_t *at, const struct text *text,
                                      struct queue *queue, uint32_t *number) {
    if (at) ask_for_text(queue, text, number);
    return at;
}

ALWAYS_INLINE const uint8_t *read_json_item(const struct form *form, const uint8_t *at,
                                            uint32_t query, struct labels *found) {
    struct text text;
    uint32_t *item = found->items + found->label_count;
    found->queries[found->label_count++] = query;
    if (!form->are_text_items) return read_whole(at, item);
    return numbered(read_string(at, &text), &text, found->new_items, item);
}

/* One item, or a list. */
ALWAYS_INLINE const uint8_t *read_json_items(const struct form *form, const uint8_t *at,
                                             uint32_t query, struct labels *found) {
    if (*at != '[') return read_json_item(form, at, query, found);
    if (*++at == ']') return at + 1;
    for (;;) {
        at = read_json_item(form, at, query, found);
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
        return read_json_items(form, skip_space(at + key->size), query + objective, found);
    }
    if (!form->is_only) return NULL;
    uint64_t labels = found->label_count;
    at = read_other_key(at, entries);
    if (at) at = read_json_items(form, skip_space(at), query, found);
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
    static const char SESSION_KEY[] = "{\"session\":", LABELS_KEY[] = "\"labels\":";
    struct text text;
    if (!BEGINS_WITH(at, SESSION_KEY)) return NULL;
    at = skip_space(at + sizeof SESSION_KEY - 1);
    uint32_t *session = found->sessions + found->session_count;
    at = form->are_texts ? numbered(read_string(at, &text), &text, found->new_sessions, session)
                         : read_whole(at, session);
    if (!at || *at++ != ',') return NULL;
    at = skip_space(at);
    if (!BEGINS_WITH(at, LABELS_KEY)) return NULL;
    at = skip_space(at + sizeof LABELS_KEY - 1);
    uint32_t query = (uint32_t)(found->session_count++ * form->objectives);
    if (*at == '{') at = read_entries(form, at + 1, query, found);
    else at = form->is_only ? read_json_items(form, at, query, found) : NULL;
    return at && *at == '}' ? at + 1 : NULL;
}

/* Which objective a text names, with its ending or in whole; UNKNOWN where it is none. */
ALWAYS_INLINE uint32_t objective_of(const struct form *form, const uint8_t *text, size_t size) {
    for (uint32_t objective = 0; objective < form->objectives; objective++) {
        const struct ending *ending = form->endings + objective;
        if (ending->size == size && !memcmp(text, ending->text, size)) return objective;
    }
    return UNKNOWN;
}

ALWAYS_INLINE bool is_name(const struct form *form, const uint8_t *text, size_t size) {
    return size == form->name->size && !memcmp(text, form->name->text, size);
}

/* A session, and where it is part of an id the objective. That of a file whose header is repeated is
not a session. */
ALWAYS_INLINE const uint8_t *read_session(const struct form *form, const uint8_t *at, bool is_id,
                                          struct fields *row) {
    const uint8_t *start = at, *end;
    row->text.start = start;
    if (form->are_texts && is_id) {
        at = read_text_id(form->endings, form->objectives, at, &row->text.size, &row->objective);
        if (!at || row->text.size > MAX_TOKEN_BYTES) return NULL;
    } else if (form->are_texts) {
        at = read_token(at, &row->text);
    } else {
        at = read_whole(at, &row->session);
        if (!at || !is_id) return at;
        end = token_end(at);
        row->objective = objective_of(form, at, (size_t)(end - at));
        return row->objective == UNKNOWN ? NULL : end;
    }
    return at && !is_name(form, start, (size_t)(at - start)) ? at : NULL;
}

/* Items with any number of spaces around them, at most `most`. One that begins with a bracket may be
a printed list. */
ALWAYS_INLINE const uint8_t *read_items(const struct form *form, const uint8_t *at, uint64_t most,
                                        struct labels *found, struct fields *row) {
    for (;;) {
        while (*at == ' ') at++;
        if (*at == '"' || *at == ',' || *at == '\r' || *at == '\n') return at;
        if (*at == '[' || row->items == most) return NULL;
        struct text text;
        uint32_t *item = found->items + found->label_count + row->items++;
        at = form->are_text_items ? numbered(read_token(at, &text), &text, found->new_items, item)
                                  : read_number(at, item);
        if (!at) return NULL;
    }
}

/* A relevance without an exponent. */
ALWAYS_INLINE const uint8_t *read_relevance(const struct form *form, const uint8_t *at,
                                            struct fields *row) {
    const uint8_t *end = read_decimal(at, &row->relevance);
    if (!end || memchr(at, 'e', (size_t)(end - at)) || memchr(at, 'E', (size_t)(end - at)))
        return NULL;
    row->has_relevance = true;
    if (row->relevance < form->least || row->relevance > form->most) return NULL;
    return row->relevance > 0 && row->relevance < form->smallest ? NULL : end;
}

static const uint8_t *read_side(const struct form *form, const uint8_t *at, struct fields *row) {
    for (row->side = 0; row->side < SIDES; row->side++) {
        const struct ending *word = form->sides + row->side;
        size_t letter = 0;
        while (letter < word->size && (at[letter] | 0x20) == word->text[letter]) letter++;
        if (letter == word->size) return at + letter;
    }
    return NULL;
}

ALWAYS_INLINE const uint8_t *read_field(const struct form *form, uint32_t role, const uint8_t *at,
                                        struct labels *found, struct fields *row) {
    const uint8_t *end;
    if (role == ID || role == SESSION) return read_session(form, at, role == ID, row);
    if (role == LABELS || role == ITEM)
        return read_items(form, at, role == ITEM ? 1 : UINT64_MAX, found, row);
    if (role == SIDE) return read_side(form, at, row);
    if (role == TYPE) {
        end = token_end(at);
        row->objective = objective_of(form, at, (size_t)(end - at));
        return row->objective == UNKNOWN ? NULL : end;
    }
    /* Of a row without an item, no relevance is looked at. */
    if (*at == ',' || *at == '"' || *at == '\r' || *at == '\n') return at;
    return read_relevance(form, at, row);
}

/* Adds what a row holds. */
ALWAYS_INLINE bool add_row(const struct form *form, const struct fields *row,
                           struct labels *found) {
    uint64_t run = found->session_count;
    bool goes_on = run && (form->are_texts
                               ? found->last.size == row->text.size &&
                                     !memcmp(found->last.start, row->text.start, row->text.size)
                               : found->sessions[run - 1] == row->session);
    if (!goes_on) {
        found->sessions[run] = row->session;
        if (form->are_texts) ask_for_text(found->new_sessions, &row->text, found->sessions + run);
        if (found->sides) found->sides[run] = row->side;
        found->last = row->text;
        found->session_count = ++run;
    } else if (found->sides && found->sides[run - 1] != row->side) {
        return false;
    }
    uint32_t query = (uint32_t)((run - 1) * form->objectives) + row->objective;
    if (found->rows) found->rows[found->row_count++] = query;
    for (uint64_t item = 0; item < row->items; item++, found->label_count++) {
        found->queries[found->label_count] = query;
        if (found->relevances) found->relevances[found->label_count] = row->relevance;
    }
    return true;
}

ALWAYS_INLINE const uint8_t *read_row(const struct form *form, const uint8_t *at,
                                      struct labels *found) {
    struct fields row = {.items = 0};
    for (uint32_t column = 0; column < form->columns; column++) {
        if (column && *at++ != ',') return NULL;
        bool quoted = *at == '"';
        at = read_field(form, form->roles[column], at + quoted, found, &row);
        if (!at || (quoted && *at++ != '"')) return NULL;
    }
    if (!found->rows && !row.items && !found->empty++) found->first_empty = found->lines;
    if (found->relevances && row.items && !row.has_relevance) return NULL;
    return add_row(form, &row, found) ? at : NULL;
}

ALWAYS_INLINE const uint8_t *skip_gap(const uint8_t *at) {
    if (!at || (*at != ' ' && *at != '\t')) return NULL;
    while (*at == ' ' || *at == '\t') at++;
    return at;
}

/* topic iteration docno relevance, of which the iteration may be any token. */
ALWAYS_INLINE const uint8_t *read_judgment(const struct form *form, const uint8_t *at,
                                           struct labels *found) {
    struct fields row = {.items = 1};
    struct text text;
    uint32_t *item = found->items + found->label_count;
    if (*at == '#') return NULL;
    at = skip_gap(read_session(form, at, false, &row));
    if (at) at = skip_gap(read_token(at, &text));
    if (!at) return NULL;
    at = form->are_text_items ? numbered(read_token(at, &text), &text, found->new_items, item)
                              : read_number(at, item);
    at = skip_gap(at);
    if (at) at = read_relevance(form, at, &row);
    if (!at) return NULL;
    while (*at == ' ' || *at == '\t') at++;
    return add_row(form, &row, found) ? at : NULL;
}

/* Reads a block of whole lines, each ended by a line feed, with PADDING bytes behind it. Returns
how many bytes were read; at the first of the others a line begins that is not plain. */
size_t podium_read_labels(const struct form *form, const uint8_t *block, size_t size,
                          struct labels *found) {
    const uint8_t *at = block, *end = block + size;
    struct queue sessions, items;
    start_queue(&sessions, found->known_sessions);
    start_queue(&items, found->known_items);
    found->new_sessions = &sessions;
    found->new_items = &items;
    while (at < end) {
        struct labels before = *found;
        const uint8_t *next = form->spelling == JSON_LINES ? read_json(form, at, found)
                              : form->spelling == TABLE    ? read_row(form, at, found)
                                                           : read_judgment(form, at, found);
        if (next && next - at > (ptrdiff_t)form->longest_line) next = NULL;
        if (next) next = read_line_end(next);
        if (!next) {
            *found = before;
            break;
        }
        found->lines++;
        at = next;
    }
    podium_look_up_texts(&sessions);
    podium_look_up_texts(&items);
    return sessions.is_full || items.is_full ? 0 : (size_t)(at - block);
}
