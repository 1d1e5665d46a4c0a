// streams.c - the streams of a source, in the order of their first samples
// SPDX-License-Identifier: MIT

#include "model/streams.h"

#include "base/hash.h"
#include "base/mem.h"

static uint64_t
hash_of(const struct pmon_streams *streams, uint32_t number)
{
	return pmon_map_mix(streams->seed, number);
}

static uint32_t
find(const struct pmon_streams *streams, uint32_t number)
{
	size_t at = 0;
	uint32_t i;

	if (streams->newest < streams->n && streams->numbers[streams->newest] == number)
		return streams->newest;
	while ((i = pmon_map_next(&streams->map, hash_of(streams, number), &at)) != PMON_MAP_NONE)
		if (streams->numbers[i] == number)
			return i;
	return PMON_STREAM_NONE;
}

uint32_t
pmon_streams_index(struct pmon_streams *streams, const struct pmon_allocator *allocator,
		   uint32_t number)
{
	uint32_t i = find(streams, number);

	if (i == PMON_STREAM_NONE) {
		if (streams->n == 0)
			streams->seed = pmon_hash_seed();
		i = (uint32_t)streams->n;
		if (!pmon_mem_grow(allocator, &streams->numbers, &streams->cap, streams->n + 1,
				   sizeof(*streams->numbers)) ||
		    !pmon_map_put(&streams->map, allocator, hash_of(streams, number), i))
			return PMON_STREAM_NONE;
		streams->numbers[streams->n++] = number;
	}
	streams->newest = i;
	return i;
}

enum pmon_status
pmon_streams_number(struct pmon_streams *streams, const struct pmon_allocator *allocator,
		    uint32_t number, uint32_t *index_out)
{
	*index_out = 0;
	if (streams->n >= PMON_STREAMS_MAX && find(streams, number) == PMON_STREAM_NONE)
		return PMON_E_LIMIT;
	*index_out = pmon_streams_index(streams, allocator, number);
	return *index_out != PMON_STREAM_NONE ? PMON_OK : PMON_E_NOMEM;
}

void
pmon_streams_clear(struct pmon_streams *streams)
{
	pmon_map_clear(&streams->map);
	streams->n = 0;
	streams->newest = 0;
}

void
pmon_streams_free(struct pmon_streams *streams, const struct pmon_allocator *allocator)
{
	pmon_map_free(&streams->map, allocator);
	pmon_mem_free(allocator, streams->numbers, streams->cap * sizeof(*streams->numbers));
	*streams = (struct pmon_streams){.n = 0};
}
