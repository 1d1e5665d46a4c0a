// arena.h - memory that is freed all at once
// SPDX-License-Identifier: MIT
//
// Blocks are chained and never move, so what was got from an arena stays where it is until
// pmon_arena_free().

#ifndef PMON_BASE_ARENA_H
#define PMON_BASE_ARENA_H

#include <pmon/base.h>

struct pmon_arena_block;

struct pmon_arena {
	const struct pmon_allocator *allocator;
	struct pmon_arena_block *blocks; // newest first
};

void pmon_arena_init(struct pmon_arena *arena, const struct pmon_allocator *allocator);
void pmon_arena_free(struct pmon_arena *arena);

// size bytes, cleared, aligned for any type. NULL when memory is short.
void *pmon_arena_alloc(struct pmon_arena *arena, size_t size);

// A copy of text with a NUL after it. A span of {NULL, 0} stays that. Returns false when memory is
// short.
bool pmon_arena_copy(struct pmon_arena *arena, struct pmon_span text, struct pmon_span *out);

// All that was got from `other`, of the same allocator, belongs to arena from now on. other is empty.
void pmon_arena_take(struct pmon_arena *arena, struct pmon_arena *other);

#endif
