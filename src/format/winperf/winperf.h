// winperf.h - the parts of the reader of Checkmk agents' winperf sections (private)
// SPDX-License-Identifier: MIT
//
// The Checkmk agent for Windows prints performance objects as text: a section for each, with a time
// stamp, names of instances and raw values (docs/reference/formats/winperf.md). Text becomes samples in three
// steps:
//
//	find.c     lines    -> sections, with their stamps; format/pile.h puts them in order
//	section.c  sections -> tables of values (model/tables.h)
//	line.c     lines    -> words, numbers and types
//
// winperf.c is the source that drives it all, and says which sections are a sample.
//
// Damage never stops the reader: it is reported, and reading goes on with the next intact part.
// Only short memory, a failed read and an exceeded limit are returned as a status.

#ifndef PMON_FORMAT_WINPERF_WINPERF_H
#define PMON_FORMAT_WINPERF_WINPERF_H

#include "format/pile.h"
#include "model/tables.h"
#include "model/titles.h"

struct winperf;

// ---- line.c: the words of a line ------------------------------------------------------------

// The next word of a line; false when there is none. *line is what follows.
bool pmon_winperf_word(struct pmon_span *line, struct pmon_span *out);

bool pmon_winperf_starts(struct pmon_span line, const char *with);

// "1724760575.65 234 10000000": when, the title index of the object, and ticks a second of the
// performance clock, which older agents leave out.
struct winperf_stamp {
	pmon_time time;
	uint32_t object;
	int64_t frequency; // 0 when not known
};
bool pmon_winperf_read_stamp(struct pmon_span line, struct winperf_stamp *out);

// "-36 0 0 rawcount": an index relative to that of the object, values, and a type.
struct winperf_counter {
	int64_t offset;
	uint32_t type;
	bool is_short; // the agent cuts its values to 32 bits
	struct pmon_span values;
	size_t n_values;
};
bool pmon_winperf_read_counter(struct pmon_span line, struct winperf_counter *out);

// "2 instances: 0_C: _Total"; *names_out is what follows the colon.
bool pmon_winperf_read_instances(struct pmon_span line, size_t *n_out, struct pmon_span *names_out);

// ---- find.c: sections in a file -------------------------------------------------------------

#define WINPERF_NAME_SIZE 64

// Where in an agent's output we are.
enum winperf_where {
	WINPERF_BARE,    // no header yet: the body of a section alone
	WINPERF_SECTION, // in a winperf section
	WINPERF_HEAD,    // in the section that describes the agent
	WINPERF_OTHER,   // in another one
};

// What is known at the next section of a file.
struct winperf_state {
	enum winperf_where where;
	char section[WINPERF_NAME_SIZE]; // without "winperf_"
	uint32_t agent;                  // machine
	uint32_t machine;                // agent, or the one that it speaks for
	struct winperf_stamp stamp;
};

bool pmon_winperf_probe(const uint8_t *head, size_t len);

// As pmon_pile_ops.find. A record is a stamp and the lines up to the next one or the next header.
enum pmon_status pmon_winperf_find(void *ctx, struct pmon_file *file, struct pmon_pile_record *out,
				   struct pmon_err *err);

// ---- section.c: the values of a section -----------------------------------------------------

// Take in the text of a section.
PMON_NODISCARD enum pmon_status pmon_winperf_section_load(struct winperf *wp,
							  const struct winperf_state *state,
							  const struct pmon_pile_record *record,
							  struct pmon_span text,
							  struct pmon_err *err);

// ---- winperf.c: the source ------------------------------------------------------------------

struct pmon_winperf_machine {
	struct pmon_span name; // {NULL, 0} is a machine that no line names
	uint64_t n_samples;
};

// The machine of a name.
PMON_NODISCARD enum pmon_status pmon_winperf_machine(struct winperf *wp, struct pmon_span name,
						     uint32_t *out, struct pmon_err *err);

// The first two words of a section that is in the present sample.
struct winperf_seen {
	char name[WINPERF_NAME_SIZE];
	uint32_t object;
};

struct winperf {
	struct pmon_source source; // first, as every source has it
	const struct pmon_allocator *allocator;
	size_t max_bytes; // of one section
	struct pmon_report report;
	struct pmon_pile pile;
	struct pmon_tables tables;
	struct pmon_titles titles;
	bool is_guess_told;
	bool is_frequency_told;
	bool is_nameless_told;
	enum pmon_status failure; // there is no going on
	struct pmon_err failure_err;
	char writer[WINPERF_NAME_SIZE + 16];

	struct winperf_state *states; // one a file
	struct pmon_winperf_machine *machines;
	size_t n_machines;
	size_t machines_cap;

	// the window of the file that find.c looks through
	char *look;
	size_t look_len;
	uint64_t look_offset;
	size_t look_member;

	// the section that is being read
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

	// the sample that is being put together
	struct winperf_seen *seen;
	size_t n_seen;
	size_t seen_cap;
	struct pmon_sample sample;
};

extern const struct pmon_format pmon_format_winperf;

#endif
