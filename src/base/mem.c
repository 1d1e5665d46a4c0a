// mem.c - memory through the caller's allocator, with sizes that cannot overflow
// SPDX-License-Identifier: MIT

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void *
libc_alloc(void *ctx, size_t size)
{
	(void)ctx;
	return malloc(size);
}

static void *
libc_realloc(void *ctx, void *ptr, size_t old_size, size_t size)
{
	(void)ctx;
	(void)old_size;
	return realloc(ptr, size);
}

static void
libc_free(void *ctx, void *ptr, size_t size)
{
	(void)ctx;
	(void)size;
	free(ptr);
}

static const struct pmon_allocator libc_allocator = {libc_alloc, libc_realloc, libc_free, NULL};

const struct pmon_allocator *
pmon_mem_allocator(const struct pmon_allocator *allocator)
{
	return allocator != NULL ? allocator : &libc_allocator;
}

void *
pmon_mem_alloc(const struct pmon_allocator *allocator, size_t size)
{
	return allocator->alloc(allocator->ctx, size);
}

void *
pmon_mem_alloc0(const struct pmon_allocator *allocator, size_t size)
{
	void *ptr = pmon_mem_alloc(allocator, size);

	if (ptr != NULL)
		memset(ptr, 0, size);
	return ptr;
}

void
pmon_mem_free(const struct pmon_allocator *allocator, void *ptr, size_t size)
{
	if (ptr != NULL)
		allocator->free(allocator->ctx, ptr, size);
}

bool
pmon_mem_grow(const struct pmon_allocator *allocator, void *ptr, size_t *cap, size_t need,
	      size_t elem_size)
{
	size_t want = *cap + *cap / 2;
	size_t bytes;
	void *old;
	void *grown;

	if (need <= *cap)
		return true;
	if (want < need)
		want = need;
	if (want < 16)
		want = 16;
	if (!pmon_mul(want, elem_size, &bytes))
		return false;
	// The array is accessed through void *, because its element type is the caller's.
	memcpy(&old, ptr, sizeof(old));
	if (old == NULL)
		grown = pmon_mem_alloc(allocator, bytes);
	else
		grown = allocator->realloc(allocator->ctx, old, *cap * elem_size, bytes);
	if (grown == NULL)
		return false;
	memcpy(ptr, &grown, sizeof(grown));
	*cap = want;
	return true;
}
