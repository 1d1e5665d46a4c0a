// mutate.h - mutate the structure of logs, for fuzz targets
// SPDX-License-Identifier: MIT
//
// Changing a random byte seldom gets past a reader's first checks. These functions know records,
// lengths, counts, rows and keys, and change one of them:
//
//	struct mutate m = {data, size, max_size, seed};
//
//	mutate_log(&m);    // one change
//	return m.size;
//
// They do not trust the bytes, because the log may have been mutated before.

#ifndef PMON_TESTS_MUTATE_H
#define PMON_TESTS_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mutate {
	uint8_t *data;
	size_t size;
	size_t max; // the capacity of data
	uint64_t state;
};

// Make one change, according to the format that the first bytes indicate. False if there was
// nothing to change.
bool mutate_log(struct mutate *m);

// For each format. False if the log contains nothing of the kind.
bool mutate_blg(struct mutate *m);
bool mutate_sqlite(struct mutate *m);
bool mutate_lines(struct mutate *m);   // text, JSON lines
bool mutate_offsets(struct mutate *m); // blocks whose lengths and offsets are 32-bit words

// ---- For those ------------------------------------------------------------------------------

size_t mutate_random(struct mutate *m, size_t below); // 0 when below is 0
uint64_t mutate_get(const struct mutate *m, size_t at, size_t width);
void mutate_put(struct mutate *m, size_t at, size_t width, uint64_t value);

// A new value for an integer field of `width` bytes: near the old one, or at an end of some range.
bool mutate_field(struct mutate *m, size_t at, size_t width);

bool mutate_remove(struct mutate *m, size_t at, size_t n);
bool mutate_insert(struct mutate *m, size_t at, const void *bytes, size_t n);
bool mutate_copy(struct mutate *m, size_t from, size_t n, size_t to); // insert a copy
bool mutate_fill(struct mutate *m, size_t at, size_t n, uint8_t byte);

#endif
