/* Ids of rows: a session, and behind it "_" and the name of an objective, or nothing. */

#ifndef PODIUM_IDS_H
#define PODIUM_IDS_H

#include "fields.h"

/* What follows a session in an id: "_" and a name of less than PADDING bytes, or nothing. */
struct ending {
    const uint8_t *text;
    uint64_t size;
};

/* Reads an id whose session is text: of `*session` bytes from where the id begins. */
ALWAYS_INLINE const uint8_t *read_text_id(const struct ending *endings, uint64_t objectives,
                                          const uint8_t *at, size_t *session,
                                          uint32_t *objective) {
    const uint8_t *start = at;
    at = token_end(at);
    size_t size = (size_t)(at - start);
    for (*objective = 0; *objective < objectives; ++*objective) {
        const struct ending *ending = endings + *objective;
        if (size > ending->size && !memcmp(at - ending->size, ending->text, ending->size)) {
            *session = size - ending->size;
            return at;
        }
    }
    return NULL;
}

/* Reads an id whose session is a number, without leading zeros. */
ALWAYS_INLINE const uint8_t *read_number_id(const struct ending *endings, uint64_t objectives,
                                            const uint8_t *at, uint32_t *session,
                                            uint32_t *objective) {
    const uint8_t *start = at;
    at = read_number(at, session);
    if (!at || (*start == '0' && at - start > 1)) return NULL;
    for (*objective = 0; *objective < objectives; ++*objective) {
        const struct ending *ending = endings + *objective;
        const uint8_t *end = at + ending->size;
        if (!memcmp(at, ending->text, ending->size) && (*end == ',' || *end == '"')) return end;
    }
    return NULL;
}

#endif
