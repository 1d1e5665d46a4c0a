// arena.h - memory that is freed all at once
// SPDX-License-Identifier: MIT
//
// Blocks are chained and never move, so allocations keep their address until pmon_arena_free().

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

// size bytes, cleared, aligned for any type. NULL if out of memory.
void *pmon_arena_alloc(struct pmon_arena *arena, size_t size);

// Copy text and append a NUL. {NULL, 0} is copied as {NULL, 0}. False if out of memory.
bool pmon_arena_copy(struct pmon_arena *arena, struct pmon_span text, struct pmon_span *out);

// Move all allocations of `other`, which has the same allocator, to arena. other becomes empty.
void pmon_arena_take(struct pmon_arena *arena, struct pmon_arena *other);

#endif
