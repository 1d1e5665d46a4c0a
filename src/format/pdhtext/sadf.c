// sadf.c - the tables of sadf -d (sysstat)
// SPDX-License-Identifier: MIT
//
// A file has sections. Each begins with a line of names, "# hostname;interval;timestamp;CPU;%user;%idle", and goes through
// all times: names in capitals are the item, such as a processor, the others are values. Samples need the lines of all
// sections that have the same time. Opening therefore reads the file once and notes where the lines of each section and
// time are; their values are read when their sample is.
//
// Counters that pmon record has too are called as there (sadf_names.c), the other columns \sysstat CPU(0)\NAME.

#include "format/pdhtext/gathered.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "base/utf.h"
#include "model/zone_rules.h"

#define MARK         "# hostname;interval;timestamp;"
#define LEAD         3                 // host, interval and time
#define MOST_COLUMNS 1024              // of a line; further ones are not read
#define RUN_BYTES    ((size_t)1 << 16) // of lines that are read at once
#define MOST_SECONDS 100000000000      // since 1970; also in pmon_time_is_sane()

// ---- The log --------------------------------------------------------------------------------

// A value that is made of the columns of a line.
struct output {
	const struct pdht_sadf_rule *rule; // NULL: a column as it is
	struct pdht_sum sum;               // of columns after the items
};

// The lines that follow a line of names.
struct section {
	struct pmon_span names; // after the time, in the arena
	struct pmon_span *columns;
	uint32_t n_items; // columns that name the item
	uint32_t n;       // columns of values
	bool is_open;     // the last one stands for any number: "CPU*"
	struct output *outputs;
	size_t n_outputs;
};

// The series of an item of a section on a host.
struct item {
	uint32_t section;
	struct pmon_span host;
	struct pmon_span text;  // its columns
	uint32_t n_values;      // columns of values
	const uint32_t *series; // of each output; PMON_SERIES_NONE: not wanted
};

// Consecutive lines of the same section and time.
struct run {
	pmon_time time;
	uint64_t offset;
	uint32_t bytes;
	uint32_t section;
};

struct sadf {
	struct pdht_gathered base; // first
	bool has_local;            // there are times without a zone
	struct section *sections;
	size_t n_sections;
	size_t sections_cap;
	struct pmon_map section_map; // by their names
	struct item *items;
	size_t n_items;
	size_t items_cap;
	struct pmon_map item_map;
	struct run *runs; // in order of time
	size_t n_runs;
	size_t runs_cap;
	size_t next; // run
	char *buf;   // the lines of a run
	size_t buf_cap;
	double *values;          // of a line; NAN: none
	uint32_t current;        // section while opening; PMON_SERIES_NONE: none that can be read
	struct pdht_tally cells; // cells without a number
	struct pdht_tally restarts;
	uint32_t restart_section; // the section that has those
};

// ---- Lines ----------------------------------------------------------------------------------

// A line of values.
struct line {
	struct pmon_span host;
	struct pmon_span interval;
	struct pmon_span time;
	struct pmon_span rest; // items and values
};

static bool
take_field(struct pmon_span *text, struct pmon_span *out)
{
	const char *end = text->len > 0 ? memchr(text->ptr, ';', text->len) : NULL;

	if (end == NULL)
		return false;
	*out = (struct pmon_span){text->ptr, (size_t)(end - text->ptr)};
	*text = (struct pmon_span){end + 1, text->len - out->len - 1};
	return true;
}

static bool
split_line(struct pmon_span text, struct line *out)
{
	return take_field(&text, &out->host) && take_field(&text, &out->interval) &&
	       take_field(&text, &out->time) && (out->rest = text).len > 0;
}

static bool
is_names(struct pmon_span line)
{
	return line.len > strlen(MARK) && memcmp(line.ptr, MARK, strlen(MARK)) == 0;
}

// Cut the next column off the rest of a line.
static bool
next_column(struct pmon_span *rest, bool *is_last, struct pmon_span *out)
{
	if (*is_last)
		return false;
	if (!take_field(rest, out)) {
		*out = *rest;
		*is_last = true;
	}
	return true;
}

// The columns of an item, and what follows them.
static bool
take_item(const struct section *section, struct pmon_span rest, struct pmon_span *item,
	  struct pmon_span *values)
{
	struct pmon_span one;

	*values = rest;
	for (uint32_t i = 0; i < section->n_items; i++)
		if (!take_field(values, &one))
			return false;
	*item = (struct pmon_span){rest.ptr, section->n_items > 0 ? rest.len - values->len - 1 : 0};
	return true;
}

// A number; NAN if the cell has none. False if it should have one.
static bool
read_number(struct pmon_span text, double *out)
{
	text = pmon_pdht_trim(text);
	if (text.len > 0 && (pmon_pdht_number(text, '.', out) == PDHT_NUMBER ||
			     pmon_pdht_number(text, ',', out) == PDHT_NUMBER))
		return true;
	*out = (double)NAN;
	return text.len == 0;
}

// Read the values of a line into sadf->values. Returns their number; *n_bad cells were no numbers.
static uint32_t
read_values(struct sadf *sadf, struct pmon_span rest, uint64_t *n_bad)
{
	struct pmon_span cell;
	bool is_last = false;
	uint32_t n = 0;

	*n_bad = 0;
	for (; n < MOST_COLUMNS && next_column(&rest, &is_last, &cell); n++)
		*n_bad += !read_number(cell, &sadf->values[n]);
	return is_last ? n : MOST_COLUMNS + 1;
}

// ---- Times ----------------------------------------------------------------------------------

static bool
cut_word(struct pmon_span *text, const char *word)
{
	size_t n = strlen(word);

	if (text->len <= n || memcmp(text->ptr + text->len - n, word, n) != 0)
		return false;
	text->len -= n;
	return true;
}

// Seconds since 1970; a time with " UTC" after it; or local time.
static bool
read_time(struct sadf *sadf, struct pmon_span text, pmon_time *out)
{
	struct pdht_stamp stamp;
	bool is_utc = cut_word(&text, " UTC");
	uint64_t seconds;

	if (pmon_num_parse_u64(text, &seconds) && seconds < MOST_SECONDS) {
		*out = PMON_TIME_EARLIEST + (pmon_time)seconds * PMON_TIME_PER_SEC;
		return pmon_time_is_sane(*out);
	}
	if (!pmon_pdht_stamp_read(text, &stamp))
		return false;
	*out = stamp.is_zoned ? stamp.utc : pmon_pdht_stamp_local(&stamp, PDHT_MONTH_FIRST);
	if (is_utc || stamp.is_zoned)
		return pmon_time_is_sane(*out);
	sadf->has_local = true;
	return pmon_pdht_gathered_utc(&sadf->base, *out, out);
}

// ---- Sections -------------------------------------------------------------------------------

static bool
is_item(struct pmon_span name)
{
	for (size_t i = 0; i < name.len; i++)
		if (name.ptr[i] < 'A' || name.ptr[i] > 'Z')
			return false;
	return name.len > 0;
}

static bool
find_column(const struct section *section, const char *name, uint32_t *out)
{
	for (uint32_t i = 0; i < section->n; i++)
		if (pmon_pdht_is(section->columns[section->n_items + i], name)) {
			*out = i;
			return true;
		}
	return false;
}

// The columns of a rule, if the section has them all.
static bool
use_rule(const struct section *section, const struct pdht_sadf_rule *rule, struct output *out)
{
	struct pdht_sum *sum = &out->sum;

	*out = (struct output){rule, {{0}, 0, rule->is_rest, rule->factor, rule->divisor}};
	if (section->n_items > 1 ||
	    !(section->n_items == 0 ? rule->item[0] == '\0'
				    : pmon_pdht_is(section->columns[0], rule->item)) ||
	    !pmon_pdht_is(section->columns[section->n_items], rule->first))
		return false;
	for (; sum->n < PDHT_SUM && rule->columns[sum->n] != NULL; sum->n++)
		if (!find_column(section, rule->columns[sum->n], &sum->columns[sum->n]))
			return false;
	return true;
}

static bool
is_kept(const struct section *section, size_t n_rules, uint32_t column)
{
	for (size_t i = 0; i < n_rules; i++)
		if (section->outputs[i].sum.n == 1 && section->outputs[i].sum.columns[0] == column)
			return true;
	return false;
}

// The values of a line: those of the rules, then the columns that no value keeps alone.
static bool
settle_outputs(struct sadf *sadf, struct section *section)
{
	const struct pdht_sadf_rule *rule;
	struct output output;
	size_t n = section->n;

	for (size_t i = 0; (rule = pmon_pdht_sadf_rule(i)) != NULL; i++)
		n += use_rule(section, rule, &output);
	section->outputs = pmon_arena_alloc(&sadf->base.arena, n * sizeof(*section->outputs));
	if (section->outputs == NULL)
		return false;
	for (size_t i = 0; (rule = pmon_pdht_sadf_rule(i)) != NULL; i++)
		if (use_rule(section, rule, &output))
			section->outputs[section->n_outputs++] = output;
	n = section->n_outputs;
	for (uint32_t i = 0; i < section->n; i++)
		if (!is_kept(section, n, i))
			section->outputs[section->n_outputs++] =
				(struct output){NULL, {{i}, 1, false, 1, 1}};
	return true;
}

// The columns of a section by their names. *is_good is false if it has no values, or too many columns.
static bool
read_columns(struct sadf *sadf, struct section *section, bool *is_good)
{
	struct pmon_span rest = section->names;
	struct pmon_span column;
	bool is_last = false;
	size_t n = 1;

	*is_good = false;
	for (size_t i = 0; i < rest.len; i++)
		n += rest.ptr[i] == ';';
	if (n > MOST_COLUMNS)
		return true;
	section->columns = pmon_arena_alloc(&sadf->base.arena, n * sizeof(*section->columns));
	if (section->columns == NULL)
		return false;
	for (n = 0; next_column(&rest, &is_last, &column); n++) {
		column = pmon_pdht_trim(column);
		section->columns[n] = column;
		if (column.len == 0)
			return true;
		if (section->n_items == n && is_item(column))
			section->n_items++;
	}
	section->n = (uint32_t)n - section->n_items;
	section->is_open = column.ptr[column.len - 1] == '*';
	*is_good = section->n > 0;
	return true;
}

// A line of names. PMON_E_FORMAT: its section cannot be read.
static enum pmon_status
begin_section(struct sadf *sadf, struct pmon_span line, struct pmon_err *err)
{
	struct section section = {.n = 0};
	uint64_t hash;
	size_t at = 0;
	uint32_t i;
	bool is_good;

	sadf->current = PMON_SERIES_NONE;
	pmon_pdht_clock_start(&sadf->base.clock, sadf->base.source.info.utc_offset_min,
			      sadf->base.clock.zone);
	line = (struct pmon_span){line.ptr + strlen(MARK), line.len - strlen(MARK)};
	hash = pmon_map_mix_bytes(sadf->base.seed, line.ptr, line.len);
	while ((i = pmon_map_next(&sadf->section_map, hash, &at)) != PMON_MAP_NONE)
		if (sadf->sections[i].names.len == line.len &&
		    memcmp(sadf->sections[i].names.ptr, line.ptr, line.len) == 0) {
			sadf->current = i;
			return PMON_OK;
		}
	if (!pmon_utf8_valid(line) || line.len > sadf->base.limits.string_bytes ||
	    memchr(line.ptr, '\0', line.len) != NULL || memchr(line.ptr, '[', line.len) != NULL)
		return PMON_E_FORMAT;
	if (sadf->n_sections >= sadf->base.limits.series)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "more than %zu sections",
				    sadf->base.limits.series);
	if (!pmon_arena_copy(&sadf->base.arena, line, &section.names) ||
	    !read_columns(sadf, &section, &is_good) ||
	    (is_good && !settle_outputs(sadf, &section)) ||
	    !pmon_mem_grow(sadf->base.allocator, &sadf->sections, &sadf->sections_cap,
			   sadf->n_sections + 1, sizeof(*sadf->sections)))
		return pmon_err_nomem(err);
	if (!is_good)
		return PMON_E_FORMAT;
	if (!pmon_map_put(&sadf->section_map, sadf->base.allocator, hash,
			  (uint32_t)sadf->n_sections))
		return pmon_err_nomem(err);
	sadf->current = (uint32_t)sadf->n_sections;
	sadf->sections[sadf->n_sections++] = section;
	return PMON_OK;
}

// ---- Series ---------------------------------------------------------------------------------

static void
append(struct sadf *sadf, size_t *n, struct pmon_span text)
{
	memcpy(sadf->base.scratch + *n, text.ptr, text.len);
	*n += text.len;
}

// The name of the column of an output: each of those that the last one stands for has a number.
static void
append_counter(struct sadf *sadf, size_t *n, const struct item *item, size_t i,
	       struct pmon_span *out)
{
	const struct section *section = &sadf->sections[item->section];
	size_t last = section->n_outputs - 1;
	size_t column = section->outputs[i < last ? i : last].sum.columns[0];
	char number[16] = "";

	if (section->is_open && i >= last)
		(void)snprintf(number, sizeof(number), " %u", (unsigned)(i - last));
	out->ptr = sadf->base.scratch + *n;
	append(sadf, n, section->columns[section->n_items + column]);
	append(sadf, n, (struct pmon_span){number, strlen(number)});
	out->len = (size_t)(sadf->base.scratch + *n - out->ptr);
	for (size_t k = (size_t)(out->ptr - sadf->base.scratch); k < *n; k++)
		if (sadf->base.scratch[k] == '\\')
			sadf->base.scratch[k] = '_';
}

// The name of the item: the sum of all processors is called as in Windows.
static struct pmon_span
instance_of(const struct section *section, const struct item *item)
{
	if (section->n_items == 0)
		return (struct pmon_span){NULL, 0};
	if ((pmon_pdht_is(section->columns[0], "CPU") && pmon_pdht_is(item->text, "-1")) ||
	    (pmon_pdht_is(section->columns[0], "INTR") && pmon_pdht_is(item->text, "sum")))
		return PMON_SPAN("_Total");
	return item->text;
}

static struct pmon_span
span_of(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

// The path of output i of an item, in scratch. False when memory is short.
static bool
build_path(struct sadf *sadf, const struct item *item, size_t i, struct pmon_path *out)
{
	const struct section *section = &sadf->sections[item->section];
	const struct pdht_sadf_rule *rule =
		i < section->n_outputs ? section->outputs[i].rule : NULL;
	struct pmon_span instance = instance_of(section, item);
	size_t n = 0;

	if (!pmon_pdht_gathered_scratch(&sadf->base, 2 * PDHT_NAME_BYTES + 2 * section->names.len +
							     sizeof("sysstat  4294967295")))
		return false;
	append(sadf, &n, item->host);
	if (instance.len > 0)
		append(sadf, &n, instance);
	pmon_pdht_clean(sadf->base.scratch, n);
	*out = (struct pmon_path){.machine = {sadf->base.scratch, item->host.len},
				  .instance = instance};
	if (instance.len > 0)
		out->instance.ptr = sadf->base.scratch + item->host.len;
	if (rule != NULL) {
		out->object = span_of(rule->object);
		out->counter = span_of(rule->counter);
		if (rule->instance != NULL)
			out->instance = span_of(rule->instance);
		return true;
	}
	out->object.ptr = sadf->base.scratch + n;
	append(sadf, &n, PMON_SPAN("sysstat"));
	if (section->n_items > 0) {
		append(sadf, &n, PMON_SPAN(" "));
		append(sadf, &n, section->columns[0]);
	}
	out->object.len = (size_t)(sadf->base.scratch + n - out->object.ptr);
	append_counter(sadf, &n, item, i, &out->counter);
	return true;
}

static uint64_t
hash_item(const struct sadf *sadf, uint32_t section, struct pmon_span host, struct pmon_span text)
{
	uint64_t hash = pmon_map_mix(sadf->base.seed, section);

	hash = pmon_map_mix_bytes(hash, host.ptr, host.len);
	return pmon_map_mix_bytes(pmon_map_mix(hash, host.len), text.ptr, text.len);
}

static const struct item *
find_item(const struct sadf *sadf, uint32_t section, struct pmon_span host, struct pmon_span text)
{
	uint64_t hash = hash_item(sadf, section, host, text);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&sadf->item_map, hash, &at)) != PMON_MAP_NONE) {
		const struct item *item = &sadf->items[i];

		if (item->section == section && item->host.len == host.len &&
		    item->text.len == text.len && memcmp(item->host.ptr, host.ptr, host.len) == 0 &&
		    memcmp(item->text.ptr, text.ptr, text.len) == 0)
			return item;
	}
	return NULL;
}

static enum pmon_status
add_item(struct sadf *sadf, struct pmon_span host, struct pmon_span text, uint32_t n_values,
	 struct pmon_err *err)
{
	const struct section *section = &sadf->sections[sadf->current];
	size_t n = section->n_outputs + (n_values - section->n);
	struct item item = {.section = sadf->current, .n_values = n_values};
	uint32_t *series = pmon_arena_alloc(&sadf->base.arena, n * sizeof(*series));
	enum pmon_status status = PMON_OK;

	if (series == NULL || !pmon_arena_copy(&sadf->base.arena, host, &item.host) ||
	    !pmon_arena_copy(&sadf->base.arena, text, &item.text))
		return pmon_err_nomem(err);
	item.series = series;
	for (uint32_t i = 0; status == PMON_OK && i < n; i++) {
		struct pmon_path path;

		if (!build_path(sadf, &item, i, &path))
			return pmon_err_nomem(err);
		status = pmon_pdht_gathered_path(&sadf->base, &path, &series[i], err);
	}
	if (status != PMON_OK)
		return status;
	if (!pmon_mem_grow(sadf->base.allocator, &sadf->items, &sadf->items_cap, sadf->n_items + 1,
			   sizeof(*sadf->items)) ||
	    !pmon_map_put(&sadf->item_map, sadf->base.allocator,
			  hash_item(sadf, item.section, item.host, item.text),
			  (uint32_t)sadf->n_items))
		return pmon_err_nomem(err);
	sadf->items[sadf->n_items++] = item;
	return PMON_OK;
}

// ---- Opening: where the lines are -----------------------------------------------------------

static void
count(struct pdht_tally *tally, const struct pdht_row *row, uint64_t n)
{
	if (n > 0 && tally->n == 0) {
		tally->offset = row->offset;
		tally->line = row->line;
	}
	tally->n += n;
}

static enum pmon_status
add_run(struct sadf *sadf, const struct pdht_row *row, pmon_time time, struct pmon_err *err)
{
	struct run *last = sadf->n_runs > 0 ? &sadf->runs[sadf->n_runs - 1] : NULL;

	if (last != NULL && last->time == time && last->section == sadf->current &&
	    last->offset + last->bytes == row->offset && last->bytes + row->bytes <= RUN_BYTES) {
		last->bytes += (uint32_t)row->bytes;
		return PMON_OK;
	}
	if (!pmon_mem_grow(sadf->base.allocator, &sadf->runs, &sadf->runs_cap, sadf->n_runs + 1,
			   sizeof(*sadf->runs)))
		return pmon_err_nomem(err);
	sadf->runs[sadf->n_runs++] =
		(struct run){time, row->offset, (uint32_t)row->bytes, sadf->current};
	return PMON_OK;
}

// A line without a value for each name, such as "web01;-1;2026-02-25 10:00:00 UTC;LINUX-RESTART (4 CPU)".
static bool
is_restart(struct sadf *sadf, const struct pdht_row *row, const struct line *line)
{
	static const char word[] = "LINUX-RESTART";

	if (line->rest.len < sizeof(word) - 1 ||
	    memcmp(line->rest.ptr, word, sizeof(word) - 1) != 0)
		return false;
	if (sadf->restarts.n == 0)
		sadf->restart_section = sadf->current;
	count(&sadf->restarts, row, sadf->restart_section == sadf->current);
	return true;
}

static bool
is_comment(const struct line *line)
{
	return pmon_pdht_is(line->interval, "-1") && line->rest.len > 4 &&
	       memcmp(line->rest.ptr, "COM ", 4) == 0;
}

// PMON_E_FORMAT: the line cannot be read.
static enum pmon_status
see_line(struct sadf *sadf, const struct pdht_row *row, struct pmon_span text, struct pmon_err *err)
{
	const struct section *section;
	const struct item *item;
	struct line line;
	struct pmon_span name;
	struct pmon_span values;
	pmon_time time;
	uint64_t n_bad;
	uint32_t n;
	enum pmon_status status = PMON_OK;

	if (!split_line(text, &line))
		return PMON_E_FORMAT;
	if (is_restart(sadf, row, &line) || is_comment(&line))
		return PMON_OK;
	if (sadf->current == PMON_SERIES_NONE || !pmon_pdht_is_name(line.host))
		return PMON_E_FORMAT;
	section = &sadf->sections[sadf->current];
	if (!take_item(section, line.rest, &name, &values) ||
	    (section->n_items > 0 && !pmon_pdht_is_name(name)) ||
	    !read_time(sadf, line.time, &time))
		return PMON_E_FORMAT;
	n = read_values(sadf, values, &n_bad);
	item = find_item(sadf, sadf->current, line.host, name);
	if (n > MOST_COLUMNS || n < section->n || (n > section->n && !section->is_open) ||
	    (item != NULL && n != item->n_values))
		return PMON_E_FORMAT;
	if (item == NULL)
		status = add_item(sadf, line.host, name, n, err);
	if (status != PMON_OK)
		return status;
	count(&sadf->cells, row, n_bad);
	pmon_pdht_gathered_unended(&sadf->base, row);
	return add_run(sadf, row, time, err);
}

static enum pmon_status
see_row(struct sadf *sadf, const struct pdht_row *row, struct pmon_err *err)
{
	struct pmon_span text = pmon_pdht_bare((struct pmon_span){row->ptr, row->len});

	if (row->bytes > RUN_BYTES)
		return PMON_E_FORMAT;
	if (text.len == 0)
		return PMON_OK;
	return is_names(text) ? begin_section(sadf, text, err) : see_line(sadf, row, text, err);
}

static enum pmon_status
see_rows(struct sadf *sadf, struct pmon_err *err)
{
	struct pdht_row row = {.ptr = ""};
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK) {
		status = pmon_pdht_input_row(&sadf->base.input, &row, err);
		if (status == PMON_OK)
			status = see_row(sadf, &row, err);
		else if (status == PMON_E_LIMIT)
			status = PMON_E_FORMAT;
		if (status == PMON_E_FORMAT) {
			pmon_pdht_gathered_bad(&sadf->base, &row);
			status = PMON_OK;
		}
	}
	return status == PMON_END ? PMON_OK : status;
}

static int
compare_runs(const void *a, const void *b)
{
	const struct run *x = a;
	const struct run *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

static void
tell_opening(struct sadf *sadf)
{
	pmon_pdht_gathered_tell(&sadf->base, "a table of sadf -d", sadf->has_local);
	if (sadf->restarts.n > 0)
		pmon_report_remark(&sadf->base.report, sadf->restarts.offset,
				   "the machine restarted %llu %s; the first is line %llu",
				   (unsigned long long)sadf->restarts.n,
				   pmon_text_word(sadf->restarts.n, "time", "times"),
				   (unsigned long long)sadf->restarts.line);
	if (sadf->cells.n > 0)
		pmon_report_remark(&sadf->base.report, sadf->cells.offset,
				   "%llu %s no number; the first is in line %llu",
				   (unsigned long long)sadf->cells.n,
				   pmon_text_word(sadf->cells.n, "cell is", "cells are"),
				   (unsigned long long)sadf->cells.line);
}

// ---- Samples --------------------------------------------------------------------------------

static enum pmon_status
take_line(struct sadf *sadf, uint32_t number, struct pmon_span text, struct pmon_err *err)
{
	const struct section *section = &sadf->sections[number];
	const struct item *item;
	struct line line;
	struct pmon_span name;
	struct pmon_span values;
	uint64_t n_bad;
	enum pmon_status status = PMON_OK;

	if (!split_line(text, &line) || !take_item(section, line.rest, &name, &values))
		return PMON_OK;
	item = find_item(sadf, number, line.host, name);
	if (item == NULL || read_values(sadf, values, &n_bad) != item->n_values)
		return PMON_OK;
	for (size_t i = 0; status == PMON_OK && i < section->n_outputs; i++)
		status = pmon_pdht_gathered_value(
			&sadf->base, item->series[i],
			pmon_pdht_sum(&section->outputs[i].sum, sadf->values), err);
	for (uint32_t i = section->n; status == PMON_OK && i < item->n_values; i++)
		status = pmon_pdht_gathered_value(
			&sadf->base, item->series[section->n_outputs + (i - section->n)],
			sadf->values[i], err);
	return status;
}

static enum pmon_status
take_run(struct sadf *sadf, const struct run *run, struct pmon_err *err)
{
	size_t got;
	size_t start = 0;
	enum pmon_status status;

	if (!pmon_mem_grow(sadf->base.allocator, &sadf->buf, &sadf->buf_cap, RUN_BYTES, 1))
		return pmon_err_nomem(err);
	status = pmon_file_read(sadf->base.input.file, run->offset, sadf->buf, run->bytes, &got,
				err);
	for (size_t i = 0; status == PMON_OK && i <= got; i++) {
		if (i < got && sadf->buf[i] != '\n' && sadf->buf[i] != '\r')
			continue;
		status = take_line(sadf, run->section,
				   pmon_pdht_bare((struct pmon_span){sadf->buf + start, i - start}),
				   err);
		start = i + 1;
	}
	sadf->base.source.info.bytes_read += run->bytes;
	return status;
}

static enum pmon_status
end(struct sadf *sadf)
{
	sadf->base.source.info.bytes_read = sadf->base.source.info.size_bytes;
	pmon_pdht_gathered_end(&sadf->base,
			       "line has no readable time, or not a value for each name",
			       "lines have no readable time, or not a value for each name");
	return PMON_END;
}

static enum pmon_status
sadf_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct sadf *sadf = (struct sadf *)source;
	struct pmon_sample head = {.ordinal = sadf->base.n_samples};
	enum pmon_status status = PMON_OK;

	if (sadf->next == sadf->n_runs)
		return end(sadf);
	sadf->base.n_samples++;
	sadf->base.report.here++;
	head.time = sadf->runs[sadf->next].time;
	head.utc_offset_min = sadf->base.clock.zone != NULL
				      ? pmon_zone_offset_at(sadf->base.clock.zone, head.time)
				      : source->info.utc_offset_min;
	pmon_gather_begin(&sadf->base.gather, &head);
	while (status == PMON_OK && sadf->next < sadf->n_runs &&
	       sadf->runs[sadf->next].time == head.time)
		status = take_run(sadf, &sadf->runs[sadf->next++], err);
	*sample = &sadf->base.gather.sample;
	return status;
}

static enum pmon_status
sadf_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct sadf *sadf = (struct sadf *)source;

	(void)err;
	pmon_pdht_gathered_rewind(&sadf->base);
	sadf->next = 0;
	return PMON_OK;
}

// ---- Opening and closing --------------------------------------------------------------------

static void
sadf_close(struct pmon_source *source)
{
	struct sadf *sadf = (struct sadf *)source;
	const struct pmon_allocator *allocator = sadf->base.allocator;

	pmon_mem_free(allocator, sadf->sections, sadf->sections_cap * sizeof(*sadf->sections));
	pmon_mem_free(allocator, sadf->items, sadf->items_cap * sizeof(*sadf->items));
	pmon_mem_free(allocator, sadf->runs, sadf->runs_cap * sizeof(*sadf->runs));
	pmon_mem_free(allocator, sadf->buf, sadf->buf_cap);
	pmon_map_free(&sadf->section_map, allocator);
	pmon_map_free(&sadf->item_map, allocator);
	pmon_pdht_gathered_close(&sadf->base);
	pmon_mem_free(allocator, sadf, sizeof(*sadf));
}

static enum pmon_status
see_file(struct sadf *sadf, const char *encoding, struct pmon_err *err)
{
	enum pmon_status status = pmon_pdht_input_open(&sadf->base.input, encoding, err);

	if (status == PMON_OK && sadf->base.input.decoder.form != PDHT_BYTES)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "a table of sadf -d in another encoding: convert it to UTF-8 "
				    "first (iconv)");
	sadf->values = pmon_arena_alloc(&sadf->base.arena, MOST_COLUMNS * sizeof(*sadf->values));
	if (status == PMON_OK && sadf->values == NULL)
		return pmon_err_nomem(err);
	if (status == PMON_OK)
		status = see_rows(sadf, err);
	if (status == PMON_OK && sadf->n_sections == 0)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "a table of sadf -d without columns that can be read: write "
				    "it without the option -h");
	if (status == PMON_OK && sadf->n_runs > 0)
		qsort(sadf->runs, sadf->n_runs, sizeof(*sadf->runs), compare_runs);
	return status;
}

static enum pmon_status
sadf_open(struct pmon_source *source, const struct pmon_log_files *files,
	  const struct pmon_log_options *options, struct pmon_err *err)
{
	struct sadf *sadf = (struct sadf *)source;
	enum pmon_status status = pmon_pdht_gathered_open(&sadf->base, files, options, err);

	if (status != PMON_OK)
		return status;
	source->info.format = "sadf";
	source->info.lists_series = true;
	sadf->current = PMON_SERIES_NONE;
	status = see_file(sadf, options->encoding, err);
	if (status != PMON_OK)
		return status;
	if (sadf->base.clock.zone != NULL && sadf->n_runs > 0)
		source->info.utc_offset_min =
			pmon_zone_offset_at(sadf->base.clock.zone, sadf->runs[0].time);
	tell_opening(sadf);
	return PMON_OK;
}

// A line of names near the beginning: lines about restarts may precede it.
static bool
probe(const uint8_t *head, size_t len)
{
	char text[PMON_PROBE_BYTES];
	size_t n = pmon_pdht_take_head(head, len < sizeof(text) ? len : sizeof(text), text);
	size_t start = 0;

	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\n' || text[i] == '\r')
			start = i + 1;
		else if (i - start == strlen(MARK) &&
			 is_names((struct pmon_span){text + start, strlen(MARK) + 1}))
			return true;
	}
	return false;
}

static const struct pmon_source_ops sadf_ops = {sadf_next, sadf_rewind, sadf_close};

const struct pmon_format pmon_format_sadf = {
	.name = "sadf",
	.probe = probe,
	.open = sadf_open,
	.source_bytes = sizeof(struct sadf),
	.ops = &sadf_ops,
	.is_asked_last = true,
};
