// live.h - what a running system provides: a table of objects, and how each is collected
// SPDX-License-Identifier: MIT
//
// A system (a folder beside this file) is a table of performance objects. Each object lists its
// counters, and one function that collects it: it reads the system's numbers into the fields of a
// row, an instance at a time, and puts the row into the sample:
//
//	struct live_row row;
//
//	live_row_begin(&row, &reading.stamp);              // when its numbers were read
//	live_row_set(&row, USER, ticks * TICK_100NS);      // a field that is not set is absent
//	status = pmon_live_put(live, asked, name, &row, err);
//
// The table says how the fields become typed raw values; no collector knows a type.

#ifndef PMON_LIVE_LIVE_H
#define PMON_LIVE_LIVE_H

#include <pmon/live.h>

#include "base/err.h"
#include "model/source.h"
#include "model/tables.h"
#include "os/ticker.h"

#define LIVE_FIELDS   64 // of a row, at the most
#define LIVE_NO_FIELD 0xFF
#define LIVE_FREQ     PMON_TIME_PER_SEC // ticks a second of the performance clock of a live source

// The clocks at the moment at which something was read.
struct live_stamp {
	int64_t perf_100ns; // the performance clock: since the system was started
	pmon_time time;     // the system clock in 100 ns; setting it later has no effect here
};

// The start of something, for PERF_ELAPSED_TIME: what began this long after the system was started.
// Such times are on the system clock, as they are on Windows.
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
	const char *from;    // file and field that it is read from, as "/proc/stat: ctxt"
	const char *windows; // "=" when Windows has it under this name with this meaning; else how
			     // the one of Windows differs; "" when Windows has none
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
	// Called for each sample in which any counter of it is asked for.
	enum pmon_status (*collect)(struct live *live, const struct live_asked *asked,
				    struct pmon_err *err);
};

// An instance at a moment, on its way into the sample.
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

// Add to a field, which is 0 when it is not set yet: for sums.
static inline void
live_row_add(struct live_row *row, unsigned field, uint64_t value)
{
	if ((row->present >> field & 1) == 0)
		row->field[field] = 0;
	live_row_set(row, field, (uint64_t)row->field[field] + value);
}

// A sum is there when both parts are.
static inline void
live_row_set_sum(struct live_row *row, unsigned field, unsigned a, unsigned b)
{
	if ((row->present >> a & row->present >> b & 1) != 0)
		live_row_set(row, field, (uint64_t)row->field[a] + (uint64_t)row->field[b]);
}

// A host as the system's folder opened it.
struct live_host;

// A kind of system.
struct live_system {
	const struct live_object *const *objects;
	size_t n_objects;
	// The system below live->root. Fills in live->host, the machine's name and live->source.info.
	enum pmon_status (*open)(struct live *live, struct pmon_err *err);
	// A sample begins: set live->now and live->sample.time. PMON_END when a recording has ended.
	enum pmon_status (*begin)(struct live *live, struct pmon_err *err);
	// All of a sample, where the system itself says which objects it has; NULL: each object collects its own.
	enum pmon_status (*collect)(struct live *live, struct pmon_err *err);
	void (*close)(struct live *live); // after a failed open too
};

// A counter that is asked for, made ready.
struct live_column {
	uint64_t needs; // bits of the fields without which it is absent
	enum pmon_second second;
	uint8_t field;
	uint8_t base;
	uint8_t column; // of the table
};

// What is asked for of an object.
struct live_asked {
	const struct live_object *object;
	struct pmon_table *table;
	uint64_t fields; // bit f: some counter that is asked for needs field f
	size_t n;        // counters that are asked for
	struct live_column *columns;
};

// A live source.
struct live {
	struct pmon_source source;              // first, as every source has it
	const struct pmon_allocator *allocator; // which notes in is_short when there is no memory
	struct pmon_allocator noting;
	const struct pmon_allocator *given;
	bool is_short;
	struct pmon_live_options options;
	const struct live_system *system;
	struct live_host *host;
	struct pmon_arena arena;
	struct pmon_span machine;
	struct live_asked *asked; // one an object
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

// As pmon_live_open(), of a system that need not be the one that is running.
PMON_NODISCARD enum pmon_status pmon_live_open_system(const struct live_system *system,
						      const struct pmon_live_options *options,
						      struct pmon_source **source,
						      struct pmon_err *err);

// The machine has an id of its system, as 32 hexadecimal digits, that stays the same: give it one of pmon. Any other
// text is ignored.
PMON_NODISCARD enum pmon_status pmon_live_give_id(struct live *live, const char *text,
						  struct pmon_err *err);

// Is a counter asked for that needs any of these fields (bits)?
static inline bool
live_wants(const struct live_asked *asked, uint64_t fields)
{
	return (asked->fields & fields) != 0;
}

// Put a row into the sample. instance NULL is the one row of an object without instances; of the same
// instance twice in a sample the second is numbered #1.
PMON_NODISCARD enum pmon_status pmon_live_put(struct live *live, const struct live_asked *asked,
					      const char *instance, const struct live_row *row,
					      struct pmon_err *err);

// The same with a parent, and for collectors that keep the row of an instance, and give it its number
// among those of its name, themselves: first pmon_live_find(), then pmon_live_put_at() with each sample.
// *out is NULL when there are too many instances; what is put there goes nowhere.
PMON_NODISCARD enum pmon_status pmon_live_find(struct live *live, const struct live_asked *asked,
					       struct pmon_span parent, struct pmon_span instance,
					       uint32_t number, struct pmon_table_row **out,
					       struct pmon_err *err);
PMON_NODISCARD enum pmon_status pmon_live_put_at(struct live *live, const struct live_asked *asked,
						 struct pmon_table_row *place,
						 const struct live_row *row, struct pmon_err *err);

// The fields (bits) that are asked for of one instance: those that are worth reading. None: the row
// need not be put.
uint64_t pmon_live_fields(const struct live *live, const struct live_asked *asked,
			  struct pmon_span parent, struct pmon_span instance, uint32_t number);

// A name as an instance can have it: parentheses, '#', '/' and '\' would be taken for the signs of a
// counter path. As .NET does: ( and ) become [ and ], the others _; control characters, and bytes
// that are not UTF-8, become ?. In place. In a path of folders '/' and '\' stay: without
// parentheses they read back as they are written.
void pmon_live_clean_name(char *name);
void pmon_live_clean_path(char *path);

#endif
