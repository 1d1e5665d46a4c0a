// live.h - the interface of a live system: a table of objects, and how each is collected
// SPDX-License-Identifier: MIT
//
// A system (a folder next to this file) is a table of performance objects. Each object lists its
// counters and has one function that collects them: for each instance, it reads the system's
// numbers into the fields of a row and adds the row to the sample:
//
//	struct live_row row;
//
//	live_row_begin(&row, &reading.stamp);              // when its numbers were read
//	live_row_set(&row, USER, ticks * TICK_100NS);      // unset fields are absent
//	status = pmon_live_put(live, asked, name, &row, err);
//
// The table maps fields to typed raw values; collectors never deal with counter types.

#ifndef PMON_LIVE_LIVE_H
#define PMON_LIVE_LIVE_H

#include <pmon/live.h>

#include "base/err.h"
#include "model/source.h"
#include "model/tables.h"
#include "os/ticker.h"

#define LIVE_FIELDS   64 // maximum per row
#define LIVE_NO_FIELD 0xFF
#define LIVE_FREQ     PMON_TIME_PER_SEC // ticks a second of the performance clock of a live source

// Both clocks at the time of a reading.
struct live_stamp {
	int64_t perf_100ns; // the performance clock: time since boot
	pmon_time time;     // the system clock in 100 ns; setting it later has no effect here
};

// A start time for PERF_ELAPSED_TIME, from the time since boot. As on Windows, start times are on the
// system clock.
static inline uint64_t
live_started(const struct live_stamp *stamp, int64_t after_boot_100ns)
{
	return (uint64_t)(stamp->time - stamp->perf_100ns + after_boot_100ns);
}

// One counter of an object: a row of the table.
struct live_counter {
	const char *name;
	uint32_t type;
	int8_t scale; // default scale, a power of ten
	uint8_t field;
	uint8_t base;        // the field of its base; LIVE_NO_FIELD: none
	const char *from;    // source file and field, such as "/proc/stat: ctxt"
	const char *windows; // "=" if Windows has the same counter under this name; otherwise how
			     // the Windows counter differs; "" if Windows has no such counter
	const char *help;
};

struct live;
struct live_asked;

// One performance object.
struct live_object {
	const char *name;
	const char *help;
	bool instances;
	bool on_request;
	const struct live_counter *counters;
	size_t n_counters; // at most 255
	// Called for each sample if any of its counters is requested.
	enum pmon_status (*collect)(struct live *live, const struct live_asked *asked,
				    struct pmon_err *err);
};

// The values of one instance, to be added to the sample.
struct live_row {
	struct live_stamp stamp;
	uint64_t present; // bit f: field f is set
	int64_t field[LIVE_FIELDS];
};

static inline void
live_row_begin(struct live_row *row, const struct live_stamp *stamp)
{
	row->stamp = *stamp;
	row->present = 0;
}

static inline void
live_row_set(struct live_row *row, unsigned field, uint64_t value)
{
	row->field[field] = (int64_t)value;
	row->present |= UINT64_C(1) << field;
}

// Add to a field; an unset field counts as 0.
static inline void
live_row_add(struct live_row *row, unsigned field, uint64_t value)
{
	if ((row->present >> field & 1) == 0)
		row->field[field] = 0;
	live_row_set(row, field, (uint64_t)row->field[field] + value);
}

// Set a field to a + b if both are present.
static inline void
live_row_set_sum(struct live_row *row, unsigned field, unsigned a, unsigned b)
{
	if ((row->present >> a & row->present >> b & 1) != 0)
		live_row_set(row, field, (uint64_t)row->field[a] + (uint64_t)row->field[b]);
}

// State that a system keeps while it is open.
struct live_host;

// A kind of system.
struct live_system {
	const struct live_object *const *objects;
	size_t n_objects;
	// Open the system below live->root. Fills in live->host, the machine's name and live->source.info.
	enum pmon_status (*open)(struct live *live, struct pmon_err *err);
	// Begin a sample: set live->now and live->sample.time. PMON_END at the end of a recording.
	enum pmon_status (*begin)(struct live *live, struct pmon_err *err);
	// Collect the whole sample, for systems that list their objects at run time; NULL: call each object's collect().
	enum pmon_status (*collect)(struct live *live, struct pmon_err *err);
	void (*close)(struct live *live); // also called after a failed open
};

// A requested counter, prepared for lookups.
struct live_column {
	uint64_t needs; // the fields it requires (bits); it is absent if one of them is
	enum pmon_second second;
	uint8_t field;
	uint8_t base;
	uint8_t column; // in the table
};

// The requested counters of an object.
struct live_asked {
	const struct live_object *object;
	struct pmon_table *table;
	uint64_t fields; // bit f: a requested counter needs field f
	size_t n;        // requested counters
	struct live_column *columns;
};

// A live source.
struct live {
	struct pmon_source source;              // must be first
	const struct pmon_allocator *allocator; // sets is_short when memory runs out
	struct pmon_allocator noting;
	const struct pmon_allocator *given;
	bool is_short;
	struct pmon_live_options options;
	const struct live_system *system;
	struct live_host *host;
	struct pmon_arena arena;
	struct pmon_span machine;
	struct live_asked *asked; // one per object
	struct pmon_tables tables;
	struct pmon_ticker ticker; // when options.interval_100ns > 0
	uint64_t missed_told;
	bool is_left_out_told;
	bool is_due;    // pmon_live_wait() has waited for the sample already
	uint64_t taken; // samples so far
	struct live_stamp now;
	struct pmon_sample sample;
};

extern const struct live_system pmon_live_linux;
extern const struct live_system pmon_live_windows;

// Like pmon_live_open(), but for any system, not only the running one.
PMON_NODISCARD enum pmon_status pmon_live_open_system(const struct live_system *system,
						      const struct pmon_live_options *options,
						      struct pmon_source **source,
						      struct pmon_err *err);

// Derive pmon's machine id from the system's own permanent id, 32 hexadecimal digits. Any other text is ignored.
PMON_NODISCARD enum pmon_status pmon_live_give_id(struct live *live, const char *text,
						  struct pmon_err *err);

// Does a requested counter need any of these fields (bits)?
static inline bool
live_wants(const struct live_asked *asked, uint64_t fields)
{
	return (asked->fields & fields) != 0;
}

// Add a row to the sample. instance is NULL for an object without instances. If an instance name
// occurs twice in a sample, the second is numbered #1.
PMON_NODISCARD enum pmon_status pmon_live_put(struct live *live, const struct live_asked *asked,
					      const char *instance, const struct live_row *row,
					      struct pmon_err *err);

// The same with a parent, for collectors that keep the row of an instance and number instances of the
// same name themselves: call pmon_live_find() once, then pmon_live_put_at() for each sample. *out is
// NULL if there are too many instances; rows put there are dropped.
PMON_NODISCARD enum pmon_status pmon_live_find(struct live *live, const struct live_asked *asked,
					       struct pmon_span parent, struct pmon_span instance,
					       uint32_t number, struct pmon_table_row **out,
					       struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_live_put_at(struct live *live, const struct live_asked *asked,
						 struct pmon_table_row *place,
						 const struct live_row *row, struct pmon_err *err);

// The fields (bits) requested for one instance. The others need not be read; if there are none, the
// row can be skipped.
uint64_t pmon_live_fields(const struct live *live, const struct live_asked *asked,
			  struct pmon_span parent, struct pmon_span instance, uint32_t number);

// Replace, in place, the characters that have a meaning in counter paths, as .NET does: ( and ) become
// [ and ]; '#', '/' and '\' become _. Control characters and invalid UTF-8 become ?. In a file system
// path '/' and '\' stay: without parentheses they parse back unchanged.
void pmon_live_clean_name(char *name);
void pmon_live_clean_path(char *path);

#endif
