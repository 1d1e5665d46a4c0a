// jsonl.h - performance logs as JSON lines
// SPDX-License-Identifier: MIT
//
// One object per line: a raw value or a displayed one. docs/reference/formats/jsonl.md lists the
// keys.

#ifndef PMON_FORMAT_JSONL_H
#define PMON_FORMAT_JSONL_H

#include "base/map.h"
#include "format/format.h"
#include "format/lines.h"
#include "model/gather.h"
#include "model/machine.h"
#include "model/pace.h"
#include "model/report.h"
#include "model/streams.h"

#define JSONL_LINE_MAX    ((size_t)1 << 20) // longest line that is read, in bytes
#define JSONL_NUMBER_NONE UINT64_MAX        // the line does not number its series

// ---- readscan.c: the members of a line --------------------------------------------------------

// The keys that are read, in the order in which pmon writes them.
enum jsonl_key {
	JSONL_PATH,
	JSONL_TYPE,
	JSONL_TIME,
	JSONL_VALUE,
	JSONL_STATUS,
	JSONL_FIRST,
	JSONL_SECOND,
	JSONL_MULTI,
	JSONL_TIME_BASE,
	JSONL_UNIT,
	JSONL_SERIES,
	JSONL_SAMPLE,
	JSONL_STREAM,
	JSONL_SAMPLE_TIME,
	JSONL_UTC_OFFSET_MIN,
	JSONL_PRECEDING,
	JSONL_LINE,
	JSONL_ORDER,
	JSONL_MACHINE,
	JSONL_OBJECT,
	JSONL_PARENT,
	JSONL_INSTANCE,
	JSONL_INDEX,
	JSONL_COUNTER,
	JSONL_TYPE_WORD,
	JSONL_SIZE,
	JSONL_SCALE,
	JSONL_WILDCARD,
	JSONL_FORMATTED,
	JSONL_KNOWN_TYPE,
	JSONL_LOG_WRITER,
	JSONL_LOG_CONVERTER,
	JSONL_LOG_SAMPLED_BY_PMON,
	JSONL_LOG_MACHINE,
	JSONL_LOG_ZONE,
	JSONL_LOG_START,
	JSONL_LOG_END,
	JSONL_LOG_LAST,
	JSONL_LAST,
	JSONL_KEYS
};

enum jsonl_kind {
	JSONL_ABSENT,
	JSONL_NULL,
	JSONL_TRUE,
	JSONL_INTEGER,
	JSONL_REAL,
	JSONL_STRING,
	JSONL_OTHER // false, an array, an object
};

struct jsonl_member {
	enum jsonl_kind kind;
	bool is_escaped; // the text has escapes
	union {
		int64_t integer;
		double real;
		struct pmon_span text;
	};
};

struct jsonl_members {
	struct jsonl_member list[JSONL_KEYS];
};

extern const struct pmon_span pmon_jsonl_keys[JSONL_KEYS];

// Read the members of a line exactly in the form that pmon writes. Texts point into the line, whose
// escapes are replaced. False, with the line unchanged, for any other form.
PMON_NODISCARD bool pmon_jsonl_scan(struct jsonl_members *members, char *text, size_t len);

// ---- readline.c: what one line says -------------------------------------------------------------

// A parsed line. Texts point into its bytes, or into a document that is freed with it.
struct jsonl_line {
	uint64_t offset; // in the file
	void *document;  // of the library, if it parsed the line; or NULL
	bool is_value;   // a displayed value, not a raw one
	bool is_empty;   // a sample without values, so without a counter
	bool is_unused;  // a counter that never had a value, so without a sample
	struct pmon_span path;
	struct pmon_path parts; // for paths that would otherwise be parsed differently
	bool has_parts;
	uint64_t number; // of the series
	struct pmon_counter counter;
	uint64_t order;
	bool has_order;
	bool wildcard;
	bool formatted;
	bool type_known;
	uint32_t known_type;
	struct pmon_raw raw;
	pmon_time sample_time;
	bool has_ordinal;
	uint64_t ordinal;
	uint32_t stream;
	int32_t utc_offset_min;
	bool preceding;
	uint64_t place;          // number of the line in its writer's output, from 1; 0: unknown
	bool is_last;            // the last of these lines
	bool tells_last;         // the last of these lines is marked as such
	struct pmon_span writer; // of the first line; or absent
	struct pmon_span converter;
	bool sampled_by_pmon;
	struct pmon_span machine;
	const void *machine_ids; // a JSON object, or NULL
	struct pmon_span zone;
	pmon_time log_start;
	pmon_time log_end;
};

// Parse a line, whose bytes may change. PMON_E_FORMAT, with the reason in err->msg; PMON_E_NOMEM.
// Free the line after PMON_OK.
PMON_NODISCARD enum pmon_status pmon_jsonl_line_read(struct jsonl_line *line, char *text,
						     size_t len, struct pmon_err *err);
// The same with the library alone, which takes ten times as long.
PMON_NODISCARD enum pmon_status pmon_jsonl_line_load(struct jsonl_line *line, const char *text,
						     size_t len, struct pmon_err *err);
void pmon_jsonl_line_free(struct jsonl_line *line);

// Add the machine IDs of the line. False when memory is short.
PMON_NODISCARD bool pmon_jsonl_line_machines(const struct jsonl_line *line,
					     struct pmon_machines *machines);

// ---- read.c: the source ---------------------------------------------------------------------

// A series, identified by the path, number and type of its lines.
struct jsonl_counter {
	struct pmon_span path;
	uint64_t number;
	uint64_t named_at; // file offset after the line that named it
	uint32_t type;
	int64_t time_base;
	uint32_t series; // PMON_SERIES_NONE: not wanted
};

// A value to be added to a sample.
struct jsonl_value {
	uint32_t series;
	struct pmon_raw raw;
	int64_t perf_100ns; // the performance clock, if the value contains it; otherwise 0
	pmon_time time;     // of the sample
	bool has_ordinal;
	uint64_t ordinal;
	uint32_t stream;
	int32_t utc_offset_min;
	bool preceding;
};

struct jsonl {
	struct pmon_source source; // must be first
	const struct pmon_allocator *allocator;
	size_t series_limit; // asked for
	size_t wanted_limit;
	size_t string_limit;
	bool ignores_changes; // of processes
	pmon_want_fn want;
	void *want_ctx;
	struct pmon_file *file;
	struct pmon_report report;
	struct pmon_arena arena;

	struct pmon_lines lines;

	struct jsonl_counter *counters; // that lines have named
	size_t n_counters;
	size_t counters_cap;
	struct pmon_map counter_map;
	uint64_t seed; // for its hashes
	struct pmon_streams streams;

	uint64_t n_lines; // of the writer, up to the one that was read last
	bool tells_last;  // the last line is marked as the last
	bool is_last;     // the last line read was marked so
	bool is_ended;    // the end of the input was reached

	bool has_next; // the first value of the next sample
	bool is_cut;   // the last line has no newline, and is ignored
	struct jsonl_value next;
	uint64_t n_ordinals; // for samples without an ordinal
	struct pmon_gather gather;
	size_t perf_counter; // the counter with the performance clock, wanted or not
	bool has_perf_counter;
};

extern const struct pmon_format pmon_format_jsonl; // write.c

// Members of struct pmon_format. read.c, which needs a library.
bool pmon_jsonl_probe(const uint8_t *head, size_t len);
enum pmon_status pmon_jsonl_open(struct pmon_source *source, const struct pmon_log_files *files,
				 const struct pmon_log_options *options, struct pmon_err *err);
extern const struct pmon_source_ops pmon_jsonl_source_ops;

#endif
