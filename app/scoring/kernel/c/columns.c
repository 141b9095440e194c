/* Copies of arrays as columns, by the Arrow C data interface. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array) {
    free(array->private_data);
    array->release = NULL;
}

/* Makes a column of `size` bytes that are `count` values; `format` has to stay where it is. False
where there is no memory. */
bool podium_make_column(const void *values, size_t size, int64_t count, const char *format,
                        struct ArrowSchema *schema, struct ArrowArray *array) {
    struct { const void *buffers[2]; } *kept = malloc(sizeof *kept + size);
    if (!kept) return false;
    kept->buffers[0] = NULL;
    kept->buffers[1] = memcpy(kept + 1, values, size);
    *schema = (struct ArrowSchema){.format = format, .name = "", .release = release_schema};
    *array = (struct ArrowArray){.length = count, .n_buffers = 2, .buffers = kept->buffers,
                                 .release = release_array, .private_data = kept};
    return true;
}
