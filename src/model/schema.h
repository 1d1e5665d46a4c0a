// schema.h - how sources build their schema
// SPDX-License-Identifier: MIT

#ifndef PMON_MODEL_SCHEMA_H
#define PMON_MODEL_SCHEMA_H

#include <pmon/model.h>

#include "base/arena.h"
#include "base/map.h"

#define PMON_SERIES_NONE UINT32_MAX // "no number": an unwanted series

// A list of series that only grows. Series are in the arena, so pointers to them stay valid.
struct pmon_schema {
	const struct pmon_allocator *allocator;
	struct pmon_arena arena;
	struct pmon_series **list;
	size_t n;
	size_t cap;
	struct pmon_map same_names; // series with ambiguous names, by their paths
	uint64_t seed;              // of its hashes
	bool in_english;            // series get English names
	struct pmon_names *names;   // added by the log or the user, or NULL
	size_t titles_taken; // by pmon_titles_translate(), and how many of them were well-known
	size_t titles_known;
};

void pmon_schema_init(struct pmon_schema *schema, const struct pmon_allocator *allocator);
void pmon_schema_free(struct pmon_schema *schema);

// Add a series; the texts are copied. order as in struct pmon_series. *id_out is its number.
// PMON_E_NOMEM; PMON_E_LIMIT if there are already `limit` series.
PMON_NODISCARD enum pmon_status pmon_schema_add(struct pmon_schema *schema,
						const struct pmon_path *path,
						const struct pmon_counter *counter, uint64_t order,
						size_t limit, uint32_t *id_out);

// Describe in err why a series could not be added, given the status of pmon_schema_add(), and
// return that status.
enum pmon_status pmon_schema_refuse(enum pmon_status status, size_t limit, struct pmon_err *err);

// Add a series of another schema, whose arena was taken over or outlives this one. It leaves that
// schema, and gets a new number and order. Otherwise like pmon_schema_add().
PMON_NODISCARD enum pmon_status pmon_schema_take(struct pmon_schema *schema,
						 struct pmon_series *series, uint64_t order,
						 size_t limit, uint32_t *id_out);

// Add a series with everything that another schema knows about it. Its texts are copied, except
// those of PERF_COUNTER_TEXT, which are valid as long as its source. Like pmon_schema_add().
PMON_NODISCARD enum pmon_status pmon_schema_copy(struct pmon_schema *schema,
						 const struct pmon_series *series,
						 uint32_t *id_out);

// Change the path of a series to that of `as`, whose texts must outlive the schema.
void pmon_schema_rename(struct pmon_schema *schema, uint32_t id, const struct pmon_series *as);

// Reuse the number of a series for another one (struct pmon_series.life), which is like `as`. The
// strings in `as` are not copied and must outlive the schema.
void pmon_schema_reuse(struct pmon_schema *schema, uint32_t id, const struct pmon_series *as);

// Set the process of a series (struct pmon_series.of_process); -1 for a missing number.
void pmon_schema_set_process(struct pmon_schema *schema, uint32_t id, int64_t process_id,
			     int64_t thread_id);

// Set which of several merged sources a series came from first (struct pmon_series.source).
void pmon_schema_set_source(struct pmon_schema *schema, uint32_t id, uint32_t source);

// Set where the texts of a series of PERF_COUNTER_TEXT are.
void pmon_schema_set_texts(struct pmon_schema *schema, uint32_t id, const struct pmon_texts *texts);

// Set the other names of a series: `english` and `logged` of `as`. The texts are copied. False if
// out of memory.
PMON_NODISCARD bool pmon_schema_set_names(struct pmon_schema *schema, uint32_t id,
					  const struct pmon_series *as);

// Names were added: look up the existing series again. False if out of memory.
PMON_NODISCARD bool pmon_schema_use_names(struct pmon_schema *schema);

// Is a series wanted, by its path or by an English name that only the log's name table provides?
bool pmon_schema_wants(const struct pmon_schema *schema, pmon_want_fn want, void *ctx,
		       const struct pmon_path *path);

// Give all series, including later ones, their English names if known. False if out of memory.
PMON_NODISCARD bool pmon_schema_use_english(struct pmon_schema *schema);

// Mark a series as displayed values. known_type NULL: the log does not contain its type, which may
// follow from its name.
void pmon_schema_set_formatted(struct pmon_schema *schema, uint32_t id, const uint32_t *known_type);

// Should the type of displayed values be stored? Not if it is inferred: readers infer it again.
static inline bool
pmon_series_says_type(const struct pmon_series *series)
{
	return series->type_known && !series->type_inferred;
}

#endif
