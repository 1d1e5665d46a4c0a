// texts.c - the texts of counters with text values
// SPDX-License-Identifier: MIT

#include "model/texts.h"

#include <string.h>

#include "base/mem.h"

#define MOST    (1u << 20) // texts per source
#define LOOK_AT 64         // newest texts that a new one is compared with

void
pmon_texts_init(struct pmon_texts *texts, const struct pmon_allocator *allocator)
{
	*texts = (struct pmon_texts){.allocator = allocator};
	pmon_arena_init(&texts->arena, allocator);
}

void
pmon_texts_free(struct pmon_texts *texts)
{
	pmon_mem_free(texts->allocator, texts->list, texts->cap * sizeof(*texts->list));
	pmon_arena_free(&texts->arena);
}

// The number of an equal text among the newest; texts->n if there is none.
static size_t
find(const struct pmon_texts *texts, struct pmon_span text)
{
	size_t stop = texts->n > LOOK_AT ? texts->n - LOOK_AT : 0;

	for (size_t i = texts->n; i > stop; i--) {
		struct pmon_span have = texts->list[i - 1];

		if (have.len == text.len &&
		    (text.len == 0 || memcmp(have.ptr, text.ptr, text.len) == 0))
			return i - 1;
	}
	return texts->n;
}

enum pmon_status
pmon_texts_add(struct pmon_texts *texts, struct pmon_span text, int64_t *number_out)
{
	size_t at = find(texts, text);

	*number_out = (int64_t)at;
	if (at < texts->n)
		return PMON_OK;
	if (texts->n == MOST)
		return PMON_E_LIMIT;
	if (!pmon_mem_grow(texts->allocator, &texts->list, &texts->cap, texts->n + 1,
			   sizeof(*texts->list)) ||
	    !pmon_arena_copy(&texts->arena, text, &texts->list[texts->n]))
		return PMON_E_NOMEM;
	texts->n++;
	return PMON_OK;
}

struct pmon_span
pmon_series_text(const struct pmon_series *series, const struct pmon_raw *raw)
{
	const struct pmon_texts *texts = series->texts;

	if (texts == NULL || (raw->status != PMON_RAW_VALID && raw->status != PMON_RAW_NEW) ||
	    raw->first < 0 || (uint64_t)raw->first >= texts->n)
		return (struct pmon_span){NULL, 0};
	return texts->list[raw->first];
}
