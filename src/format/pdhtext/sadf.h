// sadf.h - private parts of the reader of sadf -d: sadf.c, sadf_sections.c, sadf_items.c, sadf_names.c
// SPDX-License-Identifier: MIT

#ifndef PMON_FORMAT_PDHTEXT_SADF_H
#define PMON_FORMAT_PDHTEXT_SADF_H

#include "format/pdhtext/gathered.h"

#define SADF_MARK    "# hostname;interval;timestamp;"
#define SADF_COLUMNS 1024 // of a line; further ones are not read

// ---- sadf_names.c: the counters -------------------------------------------------------------

// A counter that pmon record has too, and the columns that it is made of.
struct sadf_rule {
	const char
		*item; // the first column after the time: "CPU"; "": the section has no instances
	const char *first;    // its first column of values
	const char *object;   // of the counter
	const char *instance; // NULL: the item
	const char *counter;
	const char *columns[PDHT_SUM]; // which are added up
	bool is_rest;                  // 100 less their sum
	double factor;
	double divisor;
};

// Rule i. NULL after the last.
const struct sadf_rule *pmon_sadf_rule(size_t i);

// ---- sadf_sections.c ------------------------------------------------------------------------

// A value that is made of the columns of a line.
struct sadf_output {
	const struct sadf_rule *rule; // NULL: a column as it is
	struct pdht_sum sum;          // of columns after the items
};

// The lines that follow a line of names.
struct sadf_section {
	struct pmon_span names; // after the time, in the arena
	struct pmon_span *columns;
	uint32_t n_items; // columns that name the item
	uint32_t n;       // columns of values
	bool is_open;     // the last one stands for any number: "CPU*"
	struct sadf_output *outputs;
	size_t n_outputs;
};

// The series of an item of a section on a host.
struct sadf_item {
	uint32_t section;
	struct pmon_span host;
	struct pmon_span text;  // its columns
	uint32_t n_values;      // columns of values
	const uint32_t *series; // of each output; PMON_SERIES_NONE: not wanted
};

struct sadf_sections {
	struct sadf_section *list;
	size_t n;
	size_t cap;
	struct pmon_map map; // by their names
	struct sadf_item *items;
	size_t n_items;
	size_t items_cap;
	struct pmon_map item_map;
};

// Cut off the text before the next semicolon. False if there is none.
bool pmon_sadf_field(struct pmon_span *text, struct pmon_span *out);

// Cut off the next column. False after the last. *is_last is false before the first.
bool pmon_sadf_column(struct pmon_span *rest, bool *is_last, struct pmon_span *out);

// Whether it is a line of names.
bool pmon_sadf_is_names(struct pmon_span line);

// Find or add the section of a line of names. PMON_E_FORMAT: it cannot be read, and *out is PMON_MAP_NONE.
PMON_NODISCARD enum pmon_status pmon_sadf_section_take(struct pdht_gathered *g,
						       struct sadf_sections *sections,
						       struct pmon_span line, uint32_t *out,
						       struct pmon_err *err);

// Free the items too.
void pmon_sadf_sections_free(struct sadf_sections *sections,
			     const struct pmon_allocator *allocator);

// ---- sadf_items.c ---------------------------------------------------------------------------

// NULL if the item is not known yet. text: its columns.
const struct sadf_item *pmon_sadf_item_find(const struct pdht_gathered *g,
					    const struct sadf_sections *sections, uint32_t section,
					    struct pmon_span host, struct pmon_span text);

// Add it, with the series of all its values.
PMON_NODISCARD enum pmon_status pmon_sadf_item_add(struct pdht_gathered *g,
						   struct sadf_sections *sections, uint32_t number,
						   struct pmon_span host, struct pmon_span text,
						   uint32_t n_values, struct pmon_err *err);

#endif
