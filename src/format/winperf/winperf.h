// winperf.h - the parts of the reader of Checkmk agents' winperf sections (private)
// SPDX-License-Identifier: MIT
//
// The Checkmk agent for Windows prints performance objects as text: one section each, with a
// timestamp, instance names and raw values (docs/reference/formats/winperf.md). Reading takes three
// steps:
//
//	find.c     lines    -> sections, with their stamps; format/file_group.h puts them in order
//	section.c  sections -> tables of values (model/tables.h)
//	line.c     lines    -> words, numbers and types
//
// winperf.c is the source; it decides which sections form a sample.
//
// Damage never stops the reader: it is reported, and reading continues with the next intact part.
// Only lack of memory, a failed read or an exceeded limit are returned as a status.

#ifndef PMON_FORMAT_WINPERF_WINPERF_H
#define PMON_FORMAT_WINPERF_WINPERF_H

#include "format/file_group.h"
#include "model/pace.h"
#include "model/tables.h"
#include "model/titles.h"

struct winperf;

// ---- line.c: the words of a line ------------------------------------------------------------

// The next word of a line; false at its end. *line is the rest.
bool pmon_winperf_word(struct pmon_span *line, struct pmon_span *out);

bool pmon_winperf_starts(struct pmon_span line, const char *with);

// "1724760575.65 234 10000000": the time, the title index of the object, and the frequency of the
// performance clock, which older agents omit.
struct winperf_stamp {
	pmon_time time;
	uint32_t object;
	int64_t frequency; // 0: unknown
};
bool pmon_winperf_read_stamp(struct pmon_span line, struct winperf_stamp *out);

// "-36 0 0 rawcount": an index relative to that of the object, values, and a type.
struct winperf_counter {
	int64_t offset;
	uint32_t type;
	bool is_short; // the agent truncates its values to 32 bits
	struct pmon_span values;
	size_t n_values;
};
bool pmon_winperf_read_counter(struct pmon_span line, struct winperf_counter *out);

// "2 instances: 0_C: _Total"; *names_out is the text after the colon.
bool pmon_winperf_read_instances(struct pmon_span line, size_t *n_out, struct pmon_span *names_out);

// ---- find.c: sections in a file -------------------------------------------------------------

#define WINPERF_NAME_SIZE 64

// The current position in an agent's output.
enum winperf_where {
	WINPERF_BARE,    // no header yet: the body of a section alone
	WINPERF_SECTION, // in a winperf section
	WINPERF_HEAD,    // in the section that describes the agent
	WINPERF_OTHER,   // in another one
};

// The state at the next section of a file.
struct winperf_state {
	enum winperf_where where;
	char section[WINPERF_NAME_SIZE]; // without "winperf_"
	uint32_t agent;                  // machine
	uint32_t machine;                // agent, or the machine on whose behalf it reports
	struct winperf_stamp stamp;
};

bool pmon_winperf_probe(const uint8_t *head, size_t len);

// As pmon_file_group_ops.find. A record is a stamp and the lines up to the next one or the next
// header.
enum pmon_status pmon_winperf_find(void *ctx, struct pmon_file *file,
				   struct pmon_file_group_record *out, struct pmon_err *err);

// ---- section.c: the values of a section -----------------------------------------------------

PMON_NODISCARD enum pmon_status pmon_winperf_section_load(
	struct winperf *wp, const struct winperf_state *state,
	const struct pmon_file_group_record *record, struct pmon_span text, struct pmon_err *err);

// ---- winperf.c: the source ------------------------------------------------------------------

struct pmon_winperf_machine {
	struct pmon_span name; // {NULL, 0}: a machine that is not named
	uint64_t n_samples;
};

// The machine of a name.
PMON_NODISCARD enum pmon_status pmon_winperf_machine(struct winperf *wp, struct pmon_span name,
						     uint32_t *out, struct pmon_err *err);

// The first two words of a section in the current sample.
struct winperf_seen {
	char name[WINPERF_NAME_SIZE];
	uint32_t object;
};

struct winperf {
	struct pmon_source source; // must be first
	const struct pmon_allocator *allocator;
	size_t max_bytes; // of one section
	struct pmon_report report;
	struct pmon_file_group group;
	struct pmon_perf_place perf;
	struct pmon_tables tables;
	struct pmon_titles titles;
	bool is_guess_told;
	bool is_frequency_told;
	bool is_nameless_told;
	enum pmon_status failure; // status of a fatal error
	struct pmon_err failure_err;
	char writer[WINPERF_NAME_SIZE + 16];

	struct winperf_state *states; // one per file
	struct pmon_winperf_machine *machines;
	size_t n_machines;
	size_t machines_cap;

	// the window of the file that find.c searches
	char *look;
	size_t look_len;
	uint64_t look_offset;
	size_t look_member;

	// the current section
	char *text;
	size_t text_cap;
	struct winperf_counter *counters;
	size_t n_counters;
	size_t counters_cap;
	struct pmon_table_row **rows;
	size_t n_rows;
	size_t rows_cap;
	char *utf8; // a name that was not UTF-8
	size_t utf8_cap;

	// the current sample
	struct winperf_seen *seen;
	size_t n_seen;
	size_t seen_cap;
	struct pmon_sample sample;
};

extern const struct pmon_format pmon_format_winperf;

#endif
