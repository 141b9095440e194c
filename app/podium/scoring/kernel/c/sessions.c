/* The sessions that rows are of, whatever else stands in them; and keyed hashes of sessions. */

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

#define BLOCK 64
#define WORDS 8

static const uint32_t SHA256_START[WORDS] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static const uint32_t SHA256_ROUNDS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

ALWAYS_INLINE uint32_t turned(uint32_t word, int bits) {
    return word >> bits | word << (32 - bits);
}

/* A round: of eight words, which all change their places, two change. */
ALWAYS_INLINE void change(uint32_t *s, int a, int b, int c, int d, int e, int f, int g, int h,
                          uint32_t next) {
    s[h] += (turned(s[e], 6) ^ turned(s[e], 11) ^ turned(s[e], 25)) +
            ((s[e] & s[f]) ^ (~s[e] & s[g])) + next;
    s[d] += s[h];
    s[h] += (turned(s[a], 2) ^ turned(s[a], 13) ^ turned(s[a], 22)) +
            ((s[a] & s[b]) ^ (s[a] & s[c]) ^ (s[b] & s[c]));
}

/* Takes a block of 64 bytes into a hash. */
static void take_block(uint32_t *state, const uint8_t *block) {
    uint32_t schedule[64], s[WORDS];
    for (int i = 0; i < 16; i++) {
        uint32_t word;
        memcpy(&word, block + 4 * i, 4);
        schedule[i] = __builtin_bswap32(word);
    }
    for (int i = 16; i < 64; i++) {
        uint32_t far = schedule[i - 15], near = schedule[i - 2];
        schedule[i] = schedule[i - 16] + schedule[i - 7] +
                      (turned(far, 7) ^ turned(far, 18) ^ far >> 3) +
                      (turned(near, 17) ^ turned(near, 19) ^ near >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i += 8) {
        change(s, 0, 1, 2, 3, 4, 5, 6, 7, SHA256_ROUNDS[i] + schedule[i]);
        change(s, 7, 0, 1, 2, 3, 4, 5, 6, SHA256_ROUNDS[i + 1] + schedule[i + 1]);
        change(s, 6, 7, 0, 1, 2, 3, 4, 5, SHA256_ROUNDS[i + 2] + schedule[i + 2]);
        change(s, 5, 6, 7, 0, 1, 2, 3, 4, SHA256_ROUNDS[i + 3] + schedule[i + 3]);
        change(s, 4, 5, 6, 7, 0, 1, 2, 3, SHA256_ROUNDS[i + 4] + schedule[i + 4]);
        change(s, 3, 4, 5, 6, 7, 0, 1, 2, SHA256_ROUNDS[i + 5] + schedule[i + 5]);
        change(s, 2, 3, 4, 5, 6, 7, 0, 1, SHA256_ROUNDS[i + 6] + schedule[i + 6]);
        change(s, 1, 2, 3, 4, 5, 6, 7, 0, SHA256_ROUNDS[i + 7] + schedule[i + 7]);
    }
    for (int i = 0; i < WORDS; i++) state[i] += s[i];
}

/* Takes the rest of a message into a hash, before which one block was taken. */
static void take_end(uint32_t *state, const uint8_t *text, size_t size) {
    uint8_t block[BLOCK] = {0};
    uint64_t bits = __builtin_bswap64(8 * (BLOCK + (uint64_t)size));
    for (; size >= BLOCK; text += BLOCK, size -= BLOCK) take_block(state, text);
    memcpy(block, text, size);
    block[size] = 0x80;
    if (size >= BLOCK - sizeof bits) {
        take_block(state, block);
        memset(block, 0, BLOCK);
    }
    memcpy(block + BLOCK - sizeof bits, &bits, sizeof bits);
    take_block(state, block);
}

/* Begins the hash of a message before which the key stands, all bytes of it changed. */
static void take_key(uint32_t *state, const uint8_t *key, uint8_t change) {
    uint8_t block[BLOCK];
    for (int i = 0; i < BLOCK; i++) block[i] = key[i] ^ change;
    memcpy(state, SHA256_START, sizeof SHA256_START);
    take_block(state, block);
}

/* Finds the first eight bytes of the HMAC-SHA256 of each text, as a number whose first byte is the
highest. The key has 64 bytes; text n begins at `starts[n]`, where the one before it ends. */
void podium_hash_texts(const uint8_t *key, const uint8_t *texts, const int64_t *starts,
                       size_t count, uint64_t *hashes) {
    uint32_t inner[WORDS], outer[WORDS], state[WORDS];
    uint8_t digest[4 * WORDS];
    take_key(inner, key, 0x36);
    take_key(outer, key, 0x5c);
    for (size_t n = 0; n < count; n++) {
        memcpy(state, inner, sizeof state);
        take_end(state, texts + starts[n], (size_t)(starts[n + 1] - starts[n]));
        for (int i = 0; i < WORDS; i++) {
            uint32_t word = __builtin_bswap32(state[i]);
            memcpy(digest + 4 * i, &word, 4);
        }
        memcpy(state, outer, sizeof state);
        take_end(state, digest, sizeof digest);
        hashes[n] = (uint64_t)state[0] << 32 | state[1];
    }
}
