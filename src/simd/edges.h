// edges.h - find the ends of cells from the separators and quotes in blocks of 64 bytes
// SPDX-License-Identifier: MIT

#ifndef PMON_SIMD_EDGES_H
#define PMON_SIMD_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EDGES_BLOCK 64 // bytes that are processed together
#define EDGES_FIRST UINT64_C(1)
#define EDGES_LAST  (EDGES_FIRST << (EDGES_BLOCK - 1))

// The bytes of a block, as bits.
struct edges_block {
	uint64_t separators;
	uint64_t quotes;
	uint64_t before; // those after a quote
	uint64_t behind; // those before a quote
	uint64_t begin;  // the first, if a cell begins with it
	uint64_t end;    // the last, if a separator or the end of the line follows it
};

// Find the neighbours of a block whose separators and quotes are known. It begins at p, which is
// not the beginning of the line, and `left` bytes of the line remain.
static inline void
edges_look_beside(struct edges_block *block, const char *p, size_t left, char separator,
		  bool is_begin)
{
	block->before = block->quotes << 1 | (p[-1] == '"');
	block->behind = block->quotes >> 1;
	block->begin = is_begin ? EDGES_FIRST : 0;
	block->end = 0;
	if (left <= EDGES_BLOCK)
		block->end = EDGES_FIRST << (left - 1);
	else if (p[EDGES_BLOCK] == separator)
		block->end = EDGES_LAST;
	else if (p[EDGES_BLOCK] == '"')
		block->behind |= EDGES_LAST;
}

// The separators that end cells: between quoted cells, those with quotes on both sides. Only those
// before the first other separator, and before the first quote that does not begin or end a cell,
// or does both; *is_odd is set if there is such a separator or quote.
static inline uint64_t
edges_in(const struct edges_block *block, bool is_quoted, bool *is_odd)
{
	uint64_t good = block->separators;
	uint64_t others = block->quotes;

	if (is_quoted) {
		uint64_t begins;
		uint64_t ends;

		good &= block->before & block->behind;
		begins = good << 1 | block->begin;
		ends = good >> 1 | block->end;
		others &= ~(begins ^ ends);
		others |= block->separators & ~good;
	}
	*is_odd = others != 0;
	return good & ((others & (0 - others)) - 1);
}

#endif
