// titles.h - names by title index: a machine's own table
// SPDX-License-Identifier: MIT
//
// The registry value "Counter 009" (009 is English) of a machine names its objects and counters: a
// REG_MULTI_SZ of UTF-16 strings, an index as decimal text and the name in turn, to an empty string
// or the end.

#ifndef PMON_MODEL_TITLES_H
#define PMON_MODEL_TITLES_H

#include "base/arena.h"

struct pmon_title;

struct pmon_titles {
	const struct pmon_allocator *allocator;
	struct pmon_arena arena;
	struct pmon_title *list; // by index
	size_t n;
	size_t cap;
};

void pmon_titles_init(struct pmon_titles *titles, const struct pmon_allocator *allocator);
void pmon_titles_free(struct pmon_titles *titles);

// Take in a table, little- or big-endian, with or without a byte order mark. If an index has
// several names, the first is taken. PMON_E_FORMAT when it is not such a table, or ends inside a
// pair; what comes before is kept. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_titles_load(struct pmon_titles *titles, const void *bytes,
						 size_t len, struct pmon_err *err);

// The name of an index, or {NULL, 0}. Valid until the titles are freed.
struct pmon_span pmon_titles_find(const struct pmon_titles *titles, uint32_t index);

// An index as tables of names have it: decimal digits only, in UTF-16 (little-endian) of `len` bytes, which is
// even. False when it is something else.
bool pmon_title_index(const uint8_t *utf16, size_t len, uint32_t *out);

// "#<index>": what is shown where there is no name.
#define PMON_TITLE_SIZE 16
struct pmon_span pmon_title_number(uint32_t index, char buf[PMON_TITLE_SIZE]);

#endif
