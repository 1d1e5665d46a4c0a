// gathered.h - the common part of the readers whose samples are spread over lines: rows.c, sadf.c, nmon.c
// SPDX-License-Identifier: MIT
//
// Such a reader begins with a struct pdht_gathered. It finds the series of each value by the name of its counter, and
// counts the lines that it cannot read, which are reported at the end.

#ifndef PMON_FORMAT_PDHTEXT_GATHERED_H
#define PMON_FORMAT_PDHTEXT_GATHERED_H

#include "format/pdhtext/pdhtext.h"
#include "model/gather.h"

struct pdht_counter {
	struct pmon_span name; // in the arena
	uint32_t type;
	uint32_t series; // PMON_SERIES_NONE: not wanted
};

struct pdht_gathered {
	struct pmon_source source; // first
	const struct pmon_allocator *allocator;
	struct pmon_limits limits;
	pmon_want_fn want;
	void *want_ctx;
	struct pdht_input input;
	struct pmon_report report; // opening is step 1
	struct pmon_arena arena;
	struct pmon_gather gather;
	struct pdht_clock clock; // of times without a zone
	bool has_zone;           // given by the caller
	struct pdht_counter *counters;
	size_t n_counters;
	size_t counters_cap;
	struct pmon_map counter_map; // by name and type
	uint64_t seed;               // of hashes
	uint64_t path_bytes;         // of all paths: a line may make one for each of its columns
	char *scratch;               // for names
	size_t scratch_cap;
	uint64_t n_samples;
	struct pdht_tally bad; // lines that could not be read
	uint64_t n_twice;      // values that their sample already had
};

// Take the options. The reader opens the input itself.
PMON_NODISCARD enum pmon_status pmon_pdht_gathered_open(struct pdht_gathered *g,
							const struct pmon_log_files *files,
							const struct pmon_log_options *options,
							struct pmon_err *err);

// Free everything but the reader itself.
void pmon_pdht_gathered_close(struct pdht_gathered *g);

void pmon_pdht_gathered_rewind(struct pdht_gathered *g);

// Read samples until one names counters and the machine, and rewind.
PMON_NODISCARD enum pmon_status pmon_pdht_gathered_look(struct pdht_gathered *g,
							struct pmon_err *err);

// The UTC of a local time. False if it is no possible time.
bool pmon_pdht_gathered_utc(struct pdht_gathered *g, pmon_time local, pmon_time *out);

// Memory for n bytes in scratch. False when memory is short.
PMON_NODISCARD bool pmon_pdht_gathered_scratch(struct pdht_gathered *g, size_t n);

// ---- Counters -------------------------------------------------------------------------------

// The series of a counter with this name. False if it is not known yet: *hash is for pmon_pdht_gathered_add().
bool pmon_pdht_gathered_find(const struct pdht_gathered *g, struct pmon_span name, uint32_t type,
			     uint64_t *hash, uint32_t *series);

// Add that counter. The name is valid as long as the log.
PMON_NODISCARD enum pmon_status pmon_pdht_gathered_add(struct pdht_gathered *g,
						       struct pmon_span name, uint64_t hash,
						       const struct pmon_path *path,
						       const struct pmon_counter *counter,
						       uint32_t *series, struct pmon_err *err);

// Find or add the counter with this path, of displayed values.
PMON_NODISCARD enum pmon_status pmon_pdht_gathered_path(struct pdht_gathered *g,
							const struct pmon_path *path,
							uint32_t *series, struct pmon_err *err);

// Add a displayed value to the current sample, unless it is not finite or nobody wants its series.
PMON_NODISCARD enum pmon_status pmon_pdht_gathered_value(struct pdht_gathered *g, uint32_t series,
							 double value, struct pmon_err *err);

#define PDHT_SUM 4 // columns that a value is made of, at most

// A value that is made of columns.
struct pdht_sum {
	uint32_t columns[PDHT_SUM];
	uint32_t n;
	bool is_rest; // 100 less the sum
	double factor;
	double divisor;
};

// Columns have at most two decimals.
double pmon_pdht_sum(const struct pdht_sum *sum, const double *values);

// ---- Names ----------------------------------------------------------------------------------

bool pmon_pdht_is(struct pmon_span text, const char *word);

// Whether a host or an item of a table can have this name.
#define PDHT_NAME_BYTES 255
bool pmon_pdht_is_name(struct pmon_span text);

// Replace what names of pmon record do not have.
void pmon_pdht_clean(char *text, size_t len);

// A line without blanks around it, and without a byte order mark.
struct pmon_span pmon_pdht_bare(struct pmon_span line);

// ---- Notices --------------------------------------------------------------------------------

// What the log is. has_local: it has times without a zone.
void pmon_pdht_gathered_tell(struct pdht_gathered *g, const char *what, bool has_local);

// The last line may be truncated.
void pmon_pdht_gathered_unended(struct pdht_gathered *g, const struct pdht_row *row);

// Count a line that cannot be read.
void pmon_pdht_gathered_bad(struct pdht_gathered *g, const struct pdht_row *row);

// The end was reached: report what was counted. one, many: "line has no time", "lines have no time".
void pmon_pdht_gathered_end(struct pdht_gathered *g, const char *one, const char *many);

#endif
