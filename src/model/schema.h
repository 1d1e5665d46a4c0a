// schema.h - how sources build their schema
// SPDX-License-Identifier: MIT

#ifndef PMON_MODEL_SCHEMA_H
#define PMON_MODEL_SCHEMA_H

#include <pmon/model.h>

#include "base/arena.h"
#include "base/map.h"

#define PMON_SERIES_NONE UINT32_MAX // "no number": a series that is not wanted

// A list of series that only grows. Series are in the arena, so that pointers to them stay good.
struct pmon_schema {
	const struct pmon_allocator *allocator;
	struct pmon_arena arena;
	struct pmon_series **list;
	size_t n;
	size_t cap;
	struct pmon_map same_names; // series whose names stand for several counters, by their paths
	uint64_t seed;              // of its hashes
	bool in_english;            // series have their English names
	struct pmon_names *names;   // that the log or the user added, or NULL
	size_t titles_taken; // by pmon_titles_translate(), and how many of them were well-known
	size_t titles_known;
};

void pmon_schema_init(struct pmon_schema *schema, const struct pmon_allocator *allocator);
void pmon_schema_free(struct pmon_schema *schema);

// Add a series; the texts are copied. order as in struct pmon_series. *id_out is its number.
// PMON_E_NOMEM; PMON_E_LIMIT when `limit` series are there already.
PMON_NODISCARD enum pmon_status pmon_schema_add(struct pmon_schema *schema,
						const struct pmon_path *path,
						const struct pmon_counter *counter, uint64_t order,
						size_t limit, uint32_t *id_out);

// Say in err why a series could not be added: what pmon_schema_add() returned. Returns that.
enum pmon_status pmon_schema_refuse(enum pmon_status status, size_t limit, struct pmon_err *err);

// Add a series of another schema, whose arena was taken or outlives this one. It leaves that
// schema, and gets a new number and order. Otherwise as pmon_schema_add().
PMON_NODISCARD enum pmon_status pmon_schema_take(struct pmon_schema *schema,
						 struct pmon_series *series, uint64_t order,
						 size_t limit, uint32_t *id_out);

// Add a series with all that is known of it in another schema. Its texts are copied, except those
// of PERF_COUNTER_TEXT, which are valid as long as its source. As pmon_schema_add().
PMON_NODISCARD enum pmon_status pmon_schema_copy(struct pmon_schema *schema,
						 const struct pmon_series *series,
						 uint32_t *id_out);

// From now on the series has the path of `as`, whose texts must outlive the schema.
void pmon_schema_rename(struct pmon_schema *schema, uint32_t id, const struct pmon_series *as);

// The number of a series is that of another one from now on (struct pmon_series.life), which is like
// `as`. The texts of that must outlive the schema.
void pmon_schema_reuse(struct pmon_schema *schema, uint32_t id, const struct pmon_series *as);

// Say that a series is of one process (struct pmon_series.of_process); -1 where there is no number.
void pmon_schema_set_process(struct pmon_schema *schema, uint32_t id, int64_t process_id,
			     int64_t thread_id);

// Say which of several merged sources a series came from first (struct pmon_series.source).
void pmon_schema_set_source(struct pmon_schema *schema, uint32_t id, uint32_t source);

// Say where the texts of a series of PERF_COUNTER_TEXT are.
void pmon_schema_set_texts(struct pmon_schema *schema, uint32_t id, const struct pmon_texts *texts);

// Say what a series is also called: what `as` has in `english` and `logged`. The texts are copied. False when
// memory is short.
PMON_NODISCARD bool pmon_schema_set_names(struct pmon_schema *schema, uint32_t id,
					  const struct pmon_series *as);

// Names were added: look again at the series that are there. False when memory is short.
PMON_NODISCARD bool pmon_schema_use_names(struct pmon_schema *schema);

// Is a series wanted, by its path or by an English one that only the names of the log give?
bool pmon_schema_wants(const struct pmon_schema *schema, pmon_want_fn want, void *ctx,
		       const struct pmon_path *path);

// All series have their English names from now on, where these are known. False when memory is short.
PMON_NODISCARD bool pmon_schema_use_english(struct pmon_schema *schema);

// Say that the log holds displayed values of a series; known_type NULL: the log does not say its type, which
// may follow from its name.
void pmon_schema_set_formatted(struct pmon_schema *schema, uint32_t id, const uint32_t *known_type);

// Is the type of displayed values worth writing down? An inferred one is not: who reads the log infers it again.
static inline bool
pmon_series_says_type(const struct pmon_series *series)
{
	return series->type_known && !series->type_inferred;
}

#endif
