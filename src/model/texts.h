// texts.h - the texts of counters with text values
// SPDX-License-Identifier: MIT
//
// A raw value of PERF_COUNTER_TEXT is the number of its text in the table that its series points to
// (struct pmon_series.texts). A table only grows; repeated texts are stored once.

#ifndef PMON_MODEL_TEXTS_H
#define PMON_MODEL_TEXTS_H

#include <pmon/model.h>

#include "base/arena.h"

struct pmon_texts {
	const struct pmon_allocator *allocator;
	struct pmon_arena arena;
	struct pmon_span *list;
	size_t n;
	size_t cap;
};

void pmon_texts_init(struct pmon_texts *texts, const struct pmon_allocator *allocator);
void pmon_texts_free(struct pmon_texts *texts);

// Add a text, which is copied, and return its number. PMON_E_LIMIT if there are too many;
// PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_texts_add(struct pmon_texts *texts, struct pmon_span text,
					       int64_t *number_out);

#endif
