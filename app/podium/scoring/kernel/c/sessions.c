/* The sessions that rows are of, whatever else stands in them. */

#include "fields.h"

/* The sessions that were found, as `numbers`, or as `text`, each followed by a line feed. There is
room for those of a block. */
struct sessions {
    uint32_t *numbers;
    uint8_t *text;
    uint64_t count;
    uint64_t text_size;
    uint64_t last_size;
};

/* Adds the session of a row, unless it is that of the row before. */
static void add_number(struct sessions *found, uint32_t session) {
    if (!found->count || found->numbers[found->count - 1] != session)
        found->numbers[found->count++] = session;
}

static void add_text(struct sessions *found, const uint8_t *session, size_t size) {
    uint8_t *at = found->text + found->text_size;
    if (found->count && found->last_size == size && !memcmp(at - size - 1, session, size)) return;
    memcpy(at, session, size);
    at[size] = '\n';
    found->text_size += size + 1;
    found->last_size = size;
    found->count++;
}

/* Finds the session of each row in a block of whole lines, each ended by a line feed, with PADDING
bytes behind it. Returns how many bytes were read; at the first of the others a row begins whose id
is not plain. */
size_t podium_list_sessions(const struct ending *endings, uint64_t objectives,
                            const uint8_t *block, size_t size, struct sessions *found) {
    const uint8_t *at = block, *end = block + size;
    while (at < end) {
        bool quoted = *at == '"';
        const uint8_t *id = at + quoted, *next;
        uint32_t number = 0, objective;
        size_t length = 0;
        if (found->text) next = read_text_id(endings, objectives, id, &length, &objective);
        else next = read_number_id(endings, objectives, id, &number, &objective);
        if (!next || length > MAX_TOKEN_BYTES || (quoted && *next++ != '"') || *next != ',') break;
        if (found->text) add_text(found, id, length);
        else add_number(found, number);
        at = (const uint8_t *)memchr(next, '\n', (size_t)(end - next)) + 1;
    }
    return (size_t)(at - block);
}
