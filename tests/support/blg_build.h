// blg_build.h - build binary performance logs in memory, field by field
// SPDX-License-Identifier: MIT
//
// For tests: simple, literal, and able to build files that no program would write. The format is
// described in docs/reference/formats/blg.md.
//
//	struct blg_build *b = blg_build_new(NULL);
//
//	blg_build_catalogue(b, T0, entries, 2);
//	blg_build_sample_begin(b);
//	blg_build_single(b, 0, T0, 1, 2, 1);
//	blg_build_multi_begin(b, 0, T0);
//	blg_build_item(b, "C:", 1, 10, 20);
//	blg_build_multi_end(b);
//	blg_build_sample_end(b, T0);
//	bytes = blg_build_finish(b, &len);          // free() them
//
// Texts are ASCII here and UTF-16 in the log. Running out of memory ends the program.

#ifndef PMON_TESTS_BLG_BUILD_H
#define PMON_TESTS_BLG_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLG_BUILD_NONE UINT32_MAX

// Windows' SYSTEMTIME as used in time zones: year 0 is "the day-th weekday of the month".
struct blg_build_date {
	uint16_t year, month, weekday, day, hour, minute, second, ms;
};

// The header of the file. Zeros mean the defaults of blg_build_new(NULL): Windows 10 x64, buffers
// of 0x1000 bytes, parts of 8000 bytes, UTC.
struct blg_build_options {
	uint8_t os_major, os_minor; // major < 6: buffer headers as before Windows Vista
	uint32_t os_build;
	bool is_32bit;
	uint32_t buffer_bytes;
	uint32_t chunk_bytes; // the size of the parts that records are cut into
	uint32_t log_mode;
	int64_t start, end; // FILETIME UTC; end 0 is written as such: a log that was not closed
	int32_t bias;       // minutes, UTC = local time + bias
	int32_t standard_bias, daylight_bias;
	struct blg_build_date to_standard, to_daylight;
	const char *zone_name;
};

struct blg_build;

// options may be NULL.
struct blg_build *blg_build_new(const struct blg_build_options *options);

// Returns the file; release it with free(). Frees the builder.
uint8_t *blg_build_finish(struct blg_build *b, size_t *len_out);

// ---- Buffers and events ---------------------------------------------------------------------

// Begin a new buffer, even if the current one is not full. Returns its number; its position in the
// file is that number times the buffer size, unless the buffers are reordered.
size_t blg_build_flush(struct blg_build *b);

// The number of the current buffer.
size_t blg_build_where(const struct blg_build *b);

// Reorder the data buffers of a finished file: order[i] is the number of the buffer at position i +
// 1; n is their count. Sequence numbers stay with the buffers.
void blg_build_reorder(uint8_t *file, size_t len, const size_t *order, size_t n);

// A record of any type, cut into parts as on Windows.
void blg_build_record(struct blg_build *b, uint8_t type, int64_t time, const void *bytes,
		      size_t len);

// A single part of a record.
void blg_build_part(struct blg_build *b, uint8_t type, int64_t time, uint32_t part,
		    uint32_t n_parts, const void *bytes, size_t len);

// An event that PDH did not write: of another event class, or a system event.
void blg_build_foreign(struct blg_build *b, size_t payload);
void blg_build_system_event(struct blg_build *b, size_t payload);

// The following records belong to the log with this id (16 bytes).
void blg_build_log_id(struct blg_build *b, const uint8_t id[16]);

// ---- Records --------------------------------------------------------------------------------

// A table of counter names (0x24). names: index, text, index, text ..., NULL.
struct blg_build_title {
	uint32_t index;
	const char *name;
};
void blg_build_names(struct blg_build *b, int64_t time, const char *machine,
		     const struct blg_build_title *titles, size_t n);

// An entry of the catalogue. NULL: no text.
struct blg_build_entry {
	uint32_t flags; // 0x01 wildcard, 0x10 whole object
	uint32_t type;
	int64_t time_base;
	int32_t scale;
	const char *machine, *object, *instance, *parent, *counter;
	uint32_t index;
};
void blg_build_catalogue(struct blg_build *b, int64_t time, const struct blg_build_entry *entries,
			 size_t n);

// A sample; add value records to it.
void blg_build_sample_begin(struct blg_build *b);
void blg_build_sample_end(struct blg_build *b, int64_t time);

// Form 0103.
void blg_build_single(struct blg_build *b, uint32_t status, int64_t time, int64_t first,
		      int64_t second, uint32_t multi);

// Form 0203; add items to it.
void blg_build_multi_begin(struct blg_build *b, uint32_t status, int64_t time);
void blg_build_item(struct blg_build *b, const char *name, uint32_t multi, int64_t first,
		    int64_t second);
void blg_build_multi_end(struct blg_build *b);

// A value record of any form.
void blg_build_value(struct blg_build *b, uint16_t form, const void *bytes, size_t len);

// Form 0503. The value of each counter in each instance is values[instance * n_counters + counter].
struct blg_build_counter {
	uint32_t title;
	uint32_t type;
	uint32_t size; // 4 or 8 (0: no data)
	int32_t scale;
};
struct blg_build_instance {
	const char *name;
	uint32_t parent_title, parent_number;
	int32_t unique_id; // 0: none, as in most objects
};
struct blg_build_object {
	uint32_t title;
	int64_t system_time; // local
	int64_t perf_time, perf_freq, perf_time_100ns;
	int64_t object_time, object_freq;
	const struct blg_build_counter *counters;
	size_t n_counters;
	const struct blg_build_instance *instances; // NULL: an object without instances
	size_t n_instances;
	const int64_t *values;
	int32_t code_page; // not 0: names have one byte per character
	// extra bytes in each definition, which readers must skip; a multiple of 8
	uint32_t extra;
};
void blg_build_object(struct blg_build *b, const struct blg_build_object *object);

// The list of instances at the end of a log of whole objects (0x23): only its header.
void blg_build_instance_list(struct blg_build *b, int64_t time);

#endif
