// asking.h - query values and averages in Prometheus and VictoriaMetrics with PromQL
// SPDX-License-Identifier: MIT
//
// OM_DESCRIPTION (format/openmetrics) says which metrics exist, and which counters they come from.
// A query is split into units: the chosen series of one family, or of one family and group. Each
// unit is one expression, which the server evaluates.

#ifndef PMON_PUSH_PROMETHEUS_ASKING_H
#define PMON_PUSH_PROMETHEUS_ASKING_H

#include "push/prometheus/engine.h"
#include "push/query.h"

// VictoriaMetrics rejects times before 1970-01-02. Samples may be ahead of our clock.
#define PROM_BEGIN_MS PROM_DAY_MS
#define PROM_AHEAD_MS PROM_DAY_MS

// A series of the schema.
struct prom_chosen {
	uint32_t family;
	uint32_t duplicate; // the number of earlier series with the same path
};

struct prom_asking {
	struct om_family *families;
	size_t n_families;
	size_t families_cap;
	struct prom_chosen *series;
	size_t series_cap;
	struct pmon_arena arena; // names
	char target[PROM_TARGET_SIZE];
	int64_t end_ms;    // of the whole time range
	bool is_half_open; // windows exclude their first moment
};

// ---- select.c: units, and their expressions ----------------------------------------------------

struct prom_unit {
	uint32_t family;
	uint32_t group;       // 0 if there are no groups
	const uint32_t *list; // numbers of series
	size_t n;
};

// The units of a query and their series. Free with pmon_prom_units_free().
struct prom_units {
	struct prom_unit *list;
	size_t n;
	size_t cap;
	uint32_t *series;
	size_t n_series;
};

PMON_NODISCARD bool pmon_prom_units_make(const struct pmon_query *q,
					 const struct pmon_query_ask *ask, struct prom_units *out);
void pmon_prom_units_free(const struct pmon_query *q, struct prom_units *units);

// Can the members of a unit be averaged together?
bool pmon_prom_adds_up(const struct pmon_query *q, const struct pmon_query_ask *ask,
		       const struct prom_unit *unit);

// The time range of the query in milliseconds, both ends included.
void pmon_prom_times(const struct prom_asking *asking, const struct pmon_query_ask *ask,
		     int64_t *from_ms, int64_t *to_ms);

enum prom_wanted {
	PROM_ANSWER,  // what is asked for, or more if that is shorter
	PROM_PRINTED, // exactly what is asked for
	PROM_COUNTS,  // the number of points
	PROM_POINTS   // the points themselves, at the end of the range
};

// False when memory is short.
PMON_NODISCARD bool pmon_prom_put_unit(const struct pmon_query *q, const struct pmon_query_ask *ask,
				       const struct prom_unit *unit, enum prom_wanted wanted,
				       struct pmon_text *out);

// ---- answer.c: requests and their answers ------------------------------------------------------

struct json_t;

// POST a form and parse the answer. *out is its "data"; free *root with json_decref().
// PMON_E_FORMAT: this is not a valid answer.
PMON_NODISCARD enum pmon_status pmon_prom_ask(struct prom_engine *e, const char *what,
					      const char *form, struct json_t **root,
					      struct json_t **out, struct pmon_err *err);

// Add "&name=text" to a form, or "name=text" if it is the first. False if memory runs out.
PMON_NODISCARD bool pmon_prom_put_field(struct prom_engine *e, struct pmon_push_bytes *form,
					const char *name, const char *text);

// Get what names a series from the labels in an answer, and its key within a family. The texts belong to the answer.
// `others` is a hash of all other labels: those of --label tell machines of one name apart.
struct prom_named {
	struct pmon_path path;
	uint32_t duplicate;
	struct pmon_hash128 others;
};
void pmon_prom_read_labels(const struct json_t *metric, struct prom_named *out);
void pmon_prom_key(const char *family, const struct prom_named *named, char key[PMON_HASH128_SIZE]);

// A pair of time and number, [1795186800.015, "1.5"]. False if it is malformed, or the number is not finite.
bool pmon_prom_read_point(const struct json_t *pair, int64_t *ms, double *number);

// ---- load.c: which counters there are, and when -------------------------------------------------

PMON_NODISCARD enum pmon_status pmon_prom_check(struct pmon_query *q, struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_prom_load(struct pmon_query *q, pmon_query_want_fn want,
					       void *ctx, size_t most, struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_prom_range(struct pmon_query *q, pmon_time *first,
						pmon_time *last, struct pmon_err *err);

#endif
