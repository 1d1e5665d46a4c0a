// mem.h - memory through the caller's allocator, with sizes that cannot overflow
// SPDX-License-Identifier: MIT

#ifndef PMON_BASE_MEM_H
#define PMON_BASE_MEM_H

#include <pmon/base.h>

// The allocator to use: libc's if allocator is NULL.
const struct pmon_allocator *pmon_mem_allocator(const struct pmon_allocator *allocator);

// size > 0. NULL if out of memory. alloc0 clears the memory.
void *pmon_mem_alloc(const struct pmon_allocator *allocator, size_t size);
void *pmon_mem_alloc0(const struct pmon_allocator *allocator, size_t size);

// ptr may be NULL; size is its size when it was allocated.
void pmon_mem_free(const struct pmon_allocator *allocator, void *ptr, size_t size);

// Make room for `need` elements of `elem_size` bytes in the array *ptr of *cap elements, growing it
// by at least half. Returns false if out of memory, with the array unchanged.
bool pmon_mem_grow(const struct pmon_allocator *allocator, void *ptr, size_t *cap, size_t need,
		   size_t elem_size);

// a * b and a + b; false on overflow.
static inline bool
pmon_mul(size_t a, size_t b, size_t *out)
{
	if (b != 0 && a > SIZE_MAX / b)
		return false;
	*out = a * b;
	return true;
}

static inline bool
pmon_add(size_t a, size_t b, size_t *out)
{
	if (a > SIZE_MAX - b)
		return false;
	*out = a + b;
	return true;
}

#endif
