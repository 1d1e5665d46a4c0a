// jsonl.h - performance logs as JSON lines
// SPDX-License-Identifier: MIT
//
// One object a line, each a raw value or a displayed one. docs/reference/formats/jsonl.md has the keys.

#ifndef PMON_FORMAT_JSONL_H
#define PMON_FORMAT_JSONL_H

#include "base/map.h"
#include "format/format.h"
#include "model/gather.h"
#include "model/machine.h"
#include "model/report.h"

#define JSONL_LINE_MAX    ((size_t)1 << 20) // bytes of a line that is read
#define JSONL_NUMBER_NONE UINT64_MAX        // the line does not number its series

// ---- readline.c: what one line says -------------------------------------------------------------

// A parsed line. Texts point into the line's document, which is freed with it.
struct jsonl_line {
	void *document;
	bool is_value; // a displayed value, not a raw one
	struct pmon_span path;
	struct pmon_path parts; // where the path alone would be read otherwise
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
	bool lead_in;
	uint64_t place;     // number of the line in what its writer wrote, from 1; 0: not told
	bool is_last;       // of these lines
	bool tells_last;    // one of them will say that it is the last
	const char *writer; // of the first line; or NULL
	const char *converter;
	bool sampled_by_pmon;
	const char *machine;
	const void *machine_ids; // a JSON object, or NULL
	const char *zone;
	pmon_time log_start;
	pmon_time log_end;
};

// Read a line. PMON_E_FORMAT, with the reason in err->msg; PMON_E_NOMEM. To be freed if PMON_OK.
PMON_NODISCARD enum pmon_status pmon_jsonl_line_read(struct jsonl_line *line, const char *text,
						     size_t len, struct pmon_err *err);
void pmon_jsonl_line_free(struct jsonl_line *line);

// Add the ids of machines that the line has. False when memory is short.
PMON_NODISCARD bool pmon_jsonl_line_machines(const struct jsonl_line *line,
					     struct pmon_machines *machines);

// ---- read.c: the source ---------------------------------------------------------------------

// A series by the path, number and type that its lines have.
struct jsonl_counter {
	struct pmon_span path;
	uint64_t number;
	uint64_t named_at; // where in the file the line that named it ends
	uint32_t type;
	int64_t time_base;
	uint32_t series; // PMON_SERIES_NONE: not wanted
};

// A value that is on its way into a sample.
struct jsonl_value {
	uint32_t series;
	struct pmon_raw raw;
	pmon_time time; // of the sample
	bool has_ordinal;
	uint64_t ordinal;
	uint32_t stream;
	int32_t utc_offset_min;
	bool lead_in;
};

struct jsonl {
	struct pmon_source source; // first, as every source has it
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

	char *buf; // what was read and is not taken yet
	size_t buf_cap;
	size_t buf_at;
	size_t buf_len;
	uint64_t offset; // of buf[buf_at] in the input

	struct jsonl_counter *counters; // that lines have named
	size_t n_counters;
	size_t counters_cap;
	struct pmon_map counter_map;
	uint64_t seed; // of its hashes

	uint64_t n_lines; // of the writer, up to the one that was read last
	bool tells_last;  // the last of them says that it is
	bool is_last;     // the one that was read last did
	bool is_ended;    // the end of the input was met

	bool has_next; // the first value of the next sample
	bool is_cut;   // the last line has no newline, and does not count
	struct jsonl_value next;
	uint64_t n_ordinals; // of samples that do not say theirs
	struct pmon_gather gather;
};

extern const struct pmon_format pmon_format_jsonl; // write.c

// As struct pmon_format has them. read.c, which needs a library.
bool pmon_jsonl_probe(const uint8_t *head, size_t len);
enum pmon_status pmon_jsonl_open(struct pmon_source *source, const struct pmon_log_files *files,
				 const struct pmon_log_options *options, struct pmon_err *err);
extern const struct pmon_source_ops pmon_jsonl_source_ops;

#endif
