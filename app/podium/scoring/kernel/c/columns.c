/* Memory that Polars takes over as a column, by the Arrow C data interface. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

/* Stands before the values. */
struct room {
    const void *buffers[2];
};

static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array) {
    free(array->private_data);
    array->release = NULL;
}

/* Room for values of `size` bytes, `zeros` or anything at first; NULL where there is no memory. */
void *podium_make_room(size_t size, bool zeros) {
    size += sizeof(struct room);
    struct room *room = zeros ? calloc(1, size) : malloc(size);
    return room ? room + 1 : NULL;
}

/* Gives up values that are no column. */
void podium_drop_room(void *values) {
    free((struct room *)values - 1);
}

/* Makes `count` values a column, which they belong to from now on; `format` has to stay where it
is. */
void podium_make_column(void *values, int64_t count, const char *format,
                        struct ArrowSchema *schema, struct ArrowArray *array) {
    struct room *room = (struct room *)values - 1;
    room->buffers[0] = NULL;
    room->buffers[1] = values;
    *schema = (struct ArrowSchema){.format = format, .name = "", .release = release_schema};
    *array = (struct ArrowArray){.length = count, .n_buffers = 2, .buffers = room->buffers,
                                 .release = release_array, .private_data = room};
}

#ifndef PODIUM_SOURCES
#define PODIUM_SOURCES ""
#endif

/* The SHA-256 of the sources that this was built of, in hex; empty where the builder did not say. */
const char *podium_sources(void) {
    return PODIUM_SOURCES;
}
