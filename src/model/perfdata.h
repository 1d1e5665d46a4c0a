// perfdata.h - walk a PERF_DATA_BLOCK
// SPDX-License-Identifier: MIT
//
// A PERF_DATA_BLOCK is what the Windows registry key HKEY_PERFORMANCE_DATA returns: performance
// objects, each with definitions of its counters, its instances and their raw values (winperf.h).
// Binary logs contain one block for each object that was logged as a whole; registry dumps contain
// one block with many objects.
//
// The walker only reads: it allocates nothing and touches no byte outside the block, whatever
// lengths and offsets the block contains.
//
//	struct pmon_perf_block block;
//	struct pmon_perf_object object;
//	struct pmon_perf_counters counters;
//	struct pmon_perf_counter counter;
//	struct pmon_perf_instance instance;
//	struct pmon_perf_value value;
//
//	pmon_perf_block_init(&block, bytes, len, file_offset);
//	while (pmon_perf_block_next(&block, &object)) {
//		... counters = pmon_perf_object_counters(&object);
//		    while (pmon_perf_counters_next(&counters, &counter))   // bases joined to their owner
//		... while (pmon_perf_object_next(&object, &instance))
//			pmon_perf_counter_read(&counter, &object, &instance, &value);
//	}
//	if (!pmon_perf_block_ok(&block) || !pmon_perf_object_ok(&object)) ... the block is damaged
//
// Names stay UTF-16 in the byte order of the block, because most callers compare them and rarely
// print them.

#ifndef PMON_MODEL_PERFDATA_H
#define PMON_MODEL_PERFDATA_H

#include <pmon/counter.h>

#include "base/rd.h"

// Text as in the block: UTF-16 without terminator, or one byte per character if unit is 1.
struct pmon_perf_name {
	const uint8_t *ptr;
	size_t len;   // in bytes
	uint8_t unit; // bytes per character: 2 or 1
};

// A block. Fields down to system_name are for the caller.
struct pmon_perf_block {
	bool big_endian;
	uint32_t n_objects;      // according to the block
	int32_t default_object;  // title index
	pmon_time system_time;   // SYSTEMTIME of the block, unconverted; PMON_TIME_NONE if invalid
	int64_t perf_time;       // the performance clock
	int64_t perf_freq;       // its ticks per second
	int64_t perf_time_100ns; // the system clock, UTC
	struct pmon_perf_name system_name; // without backslashes
	struct pmon_rd rd;                 // the whole block, positioned at the next object
	uint32_t objects_left;
};

// A performance object. Without instances n_instances is -1 (PERF_NO_INSTANCES), and iteration
// returns one instance without a name.
struct pmon_perf_object {
	const struct pmon_perf_block *block;
	uint32_t title_index; // of its name in the machine's counter names
	uint32_t help_index;
	uint32_t detail_level;
	uint32_t n_counters; // definitions, including bases
	int32_t n_instances;
	int32_t code_page; // of the instance names; 0 is UTF-16
	int64_t perf_time; // the object's own clock
	int64_t perf_freq;
	struct pmon_rd definitions; // the bytes of the definitions
	struct pmon_rd rd;          // the whole object, positioned at the next instance
	uint32_t instances_left;
};

// Where the second value of a counter comes from.
enum pmon_perf_second {
	PMON_PERF_SECOND_NONE,
	PMON_PERF_SECOND_BLOCK,  // perf_time of the block
	PMON_PERF_SECOND_100NS,  // perf_time_100ns of the block
	PMON_PERF_SECOND_OBJECT, // perf_time of the object
	PMON_PERF_SECOND_BASE,   // the base that follows
};

// A counter definition together with the base that follows it, if any.
struct pmon_perf_counter {
	uint32_t title_index;
	uint32_t help_index;
	int32_t default_scale; // power of ten
	uint32_t detail_level;
	uint32_t type;
	uint32_t size;   // bytes of the value
	uint32_t offset; // of the value in the counter block
	bool has_base;
	bool base_is_multi; // the base is the number of units, the second value a clock
	uint32_t base_size;
	uint32_t base_offset;
	enum pmon_perf_second second;
};

// An iteration over the definitions of an object.
struct pmon_perf_counters {
	struct pmon_rd rd;
	bool big_endian;
	uint32_t left;
};

struct pmon_perf_instance {
	uint32_t parent_object;   // title index; 0: none
	uint32_t parent_instance; // number of the instance in that object
	int32_t unique_id;        // -1: none
	struct pmon_perf_name name;
	struct pmon_rd values; // its counter block, including the length at its beginning
};

// The numbers of one counter of one instance, as for struct pmon_raw.
struct pmon_perf_value {
	uint32_t status; // PMON_RAW_VALID, or PMON_RAW_INVALID if it is not a number in the block
	uint32_t multi;  // number of units; 1 except for the MULTI types
	int64_t first;
	int64_t second;
};

// Begin a block of at most len bytes. Returns false if the bytes are not a block. origin is its
// offset in the input, for pmon_rd_offset().
bool pmon_perf_block_init(struct pmon_perf_block *block, const void *bytes, size_t len,
			  uint64_t origin);

// The next object. False after the last and at damage; pmon_perf_block_ok() distinguishes these.
bool pmon_perf_block_next(struct pmon_perf_block *block, struct pmon_perf_object *object);

static inline bool
pmon_perf_block_ok(const struct pmon_perf_block *block)
{
	return pmon_rd_ok(&block->rd);
}

// The counters that the object defines, each with its base. A base that follows no counter is
// skipped. pmon_perf_counters_ok() is false if a definition was truncated.
struct pmon_perf_counters pmon_perf_object_counters(const struct pmon_perf_object *object);
bool pmon_perf_counters_next(struct pmon_perf_counters *counters,
			     struct pmon_perf_counter *counter);

static inline bool
pmon_perf_counters_ok(const struct pmon_perf_counters *counters)
{
	return pmon_rd_ok(&counters->rd);
}

// The next instance. False after the last and at damage; pmon_perf_object_ok() distinguishes these.
bool pmon_perf_object_next(struct pmon_perf_object *object, struct pmon_perf_instance *instance);

static inline bool
pmon_perf_object_ok(const struct pmon_perf_object *object)
{
	return pmon_rd_ok(&object->rd);
}

// Does this type word mean a base, which belongs to the preceding definition?
bool pmon_perf_is_base(uint32_t type);

// The text of a counter of an instance: CounterSize bytes at its offset, up to the first NUL. ptr
// is NULL if the block does not contain them.
struct pmon_perf_name pmon_perf_text_read(const struct pmon_perf_counter *counter,
					  const struct pmon_perf_instance *instance);

// Does this type word mean a text, whose value is not a number?
bool pmon_perf_is_text(uint32_t type);

// Ticks per second of the clock that the type names: PerfFreq, 10^7 or the object's own. Every
// counter has one, even if it does not need it, because Windows lists them so in its logs.
int64_t pmon_perf_time_base(const struct pmon_perf_counter *counter,
			    const struct pmon_perf_object *object);

// The numbers of one counter of one instance of the object.
void pmon_perf_counter_read(const struct pmon_perf_counter *counter,
			    const struct pmon_perf_object *object,
			    const struct pmon_perf_instance *instance, struct pmon_perf_value *out);

#endif
