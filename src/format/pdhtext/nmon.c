// nmon.c - recordings of nmon for Linux
// SPDX-License-Identifier: MIT
//
// A line "CPU_ALL,CPU Total web01,User%,Sys%,..." names the columns of a section. "ZZZZ,T0001,11:19:07,29-NOV-2026" begins a
// sample, and a line of each section follows: "CPU_ALL,T0001,45.7,11.4,...". Counters that pmon record has too are called as
// there, the other columns \nmon(SECTION)\NAME. Lines about processes (TOP, UARG) and the machine (AAA, BBB) have no such columns.

#include "format/pdhtext/gathered.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/scan.h"
#include "base/utf.h"

#define MOST_COLUMNS  4096 // of a line; longer ones are not read
#define MOST_SECTIONS 4096
#define KB            1024.0
#define MB            1048576.0

// A value of a line.
struct output {
	uint32_t series;
	struct pdht_sum sum;
};

struct section {
	struct pmon_span name;
	struct pmon_span names; // of its columns, in the arena
	bool is_other;          // a later line has other names: its values are not read
	uint32_t n;             // columns
	struct output *outputs;
	size_t n_outputs;
	size_t outputs_cap;
};

struct nmon {
	struct pdht_gathered base; // first
	struct section *sections;
	size_t n_sections;
	size_t sections_cap;
	struct pmon_map map; // sections by their names
	double *values;
	struct pmon_span host; // in the arena
	pmon_time time;        // of the sample whose lines follow
	bool has_time;
	char label[16]; // "T0001"
};

// ---- Cells ----------------------------------------------------------------------------------

static bool
next_cell(struct pmon_span *rest, struct pmon_span *out)
{
	const char *comma;

	if (rest->ptr == NULL)
		return false;
	comma = rest->len > 0 ? memchr(rest->ptr, ',', rest->len) : NULL;
	*out = *rest;
	if (comma == NULL) {
		*rest = (struct pmon_span){NULL, 0};
		return true;
	}
	out->len = (size_t)(comma - rest->ptr);
	*rest = (struct pmon_span){comma + 1, rest->len - out->len - 1};
	return true;
}

static bool
begins(struct pmon_span text, const char *word)
{
	return text.len >= strlen(word) && memcmp(text.ptr, word, strlen(word)) == 0;
}

static bool
is_label(struct pmon_span text)
{
	bool is_number = text.len > 1 && text.len < sizeof(((struct nmon *)0)->label);

	for (size_t i = 1; is_number && i < text.len; i++)
		is_number = pmon_is_digit(text.ptr[i]);
	return is_number && text.ptr[0] == 'T';
}

// What the kernel does not tell is negative.
static double
read_number(struct pmon_span text)
{
	double number;

	text = pmon_pdht_trim(text);
	if (pmon_pdht_number(text, '.', &number) != PDHT_NUMBER || signbit(number))
		return (double)NAN;
	return number;
}

// ---- Counters -------------------------------------------------------------------------------

static bool
clean(struct nmon *nmon, struct pmon_span text, struct pmon_span *out)
{
	if (!pmon_arena_copy(&nmon->base.arena, text, out))
		return false;
	pmon_pdht_clean((char *)(uintptr_t)out->ptr, out->len);
	return true;
}

static enum pmon_status
add_output(struct nmon *nmon, struct section *section, const struct pdht_sum *sum,
	   const char *object, struct pmon_span instance, struct pmon_span counter,
	   struct pmon_err *err)
{
	struct pmon_path path = {
		.machine = nmon->host, .object = {object, strlen(object)}, .counter = counter};
	struct output output = {.sum = *sum};
	enum pmon_status status;

	if (memchr(counter.ptr, '\\', counter.len) != NULL)
		return PMON_OK;
	if (instance.len > 0 && !clean(nmon, instance, &path.instance))
		return pmon_err_nomem(err);
	status = pmon_pdht_gathered_path(&nmon->base, &path, &output.series, err);
	if (status != PMON_OK || output.series == PMON_SERIES_NONE)
		return status;
	if (!pmon_mem_grow(nmon->base.allocator, &section->outputs, &section->outputs_cap,
			   section->n_outputs + 1, sizeof(*section->outputs)))
		return pmon_err_nomem(err);
	section->outputs[section->n_outputs++] = output;
	return PMON_OK;
}

// Columns that are counters of pmon record, by the name of the section without the number at its end.
static const struct known {
	const char *section;
	const char
		*column; // its name, or its end behind the instance; NULL: the name is the instance
	const char *object;
	const char *counter;
	bool is_rest;
	double factor;
} knowns[] = {
	{"CPU", "User%", "Processor", "% User Time", false, 1},
	{"CPU", "Sys%", "Processor", "% Privileged Time", false, 1},
	{"CPU", "Wait%", "Processor", "% I/O Wait Time", false, 1},
	{"CPU", "Steal%", "Processor", "% Steal Time", false, 1},
	{"MEM", "memfree", "Memory", "Free & Zero Page List Bytes", false, MB},
	{"MEM", "active", "Memory", "Active Bytes", false, MB},
	{"MEM", "inactive", "Memory", "Inactive Bytes", false, MB},
	{"MEM", "buffers", "Memory", "Buffers Bytes", false, MB},
	{"MEM", "swapcached", "Memory", "Swap Cached Bytes", false, MB},
	{"PROC", "Runnable", "System", "Threads Running", false, 1},
	{"PROC", "Blocked", "System", "Threads Blocked", false, 1},
	{"PROC", "pswitch", "System", "Context Switches/sec", false, 1},
	{"PROC", "fork", "System", "Forks/sec", false, 1},
	{"NET", "-read-KB/s", "Network Interface", "Bytes Received/sec", false, KB},
	{"NET", "-write-KB/s", "Network Interface", "Bytes Sent/sec", false, KB},
	{"NETPACKET", "-read/s", "Network Interface", "Packets Received/sec", false, 1},
	{"NETPACKET", "-write/s", "Network Interface", "Packets Sent/sec", false, 1},
	{"DISKBUSY", NULL, "PhysicalDisk", "% Idle Time", true, 1},
	{"DISKREAD", NULL, "PhysicalDisk", "Disk Read Bytes/sec", false, KB},
	{"DISKWRITE", NULL, "PhysicalDisk", "Disk Write Bytes/sec", false, KB},
	{"DISKXFER", NULL, "PhysicalDisk", "Disk Transfers/sec", false, 1},
	{"DISKBSIZE", NULL, "PhysicalDisk", "Avg. Disk Bytes/Transfer", false, KB},
};

// "CPU_ALL" and "CPU001" are CPU, "DISKREAD1" is DISKREAD. The instance is that of a processor.
static struct pmon_span
kind_of(struct pmon_span name, char number[16])
{
	struct pmon_span kind = name;
	uint32_t n = 0;
	size_t digits = 0;

	number[0] = '\0';
	while (kind.len > 0 && pmon_is_digit(kind.ptr[kind.len - 1]))
		kind.len--;
	digits = name.len - kind.len;
	for (size_t i = kind.len; i < name.len && digits < 9; i++)
		n = n * 10 + (uint32_t)(name.ptr[i] - '0');
	if (pmon_pdht_is(name, "CPU_ALL")) {
		(void)snprintf(number, 16, "_Total");
		return PMON_SPAN("CPU");
	}
	if (pmon_pdht_is(kind, "CPU") && digits > 0 && digits < 9 && n > 0)
		(void)snprintf(number, 16, "%u", (unsigned)(n - 1));
	return kind;
}

static const struct known *
find_known(struct pmon_span kind, struct pmon_span column, struct pmon_span *instance)
{
	for (size_t i = 0; i < sizeof(knowns) / sizeof(knowns[0]); i++) {
		const char *end = knowns[i].column;
		size_t len = end != NULL ? strlen(end) : 0;

		if (!pmon_pdht_is(kind, knowns[i].section) || column.len < len ||
		    (len > 0 && memcmp(column.ptr + column.len - len, end, len) != 0) ||
		    (len > 0 && end[0] != '-' && column.len != len))
			continue;
		*instance = (struct pmon_span){column.ptr, column.len - len};
		return &knowns[i];
	}
	return NULL;
}

static bool
find_column(struct pmon_span names, const char *name, uint32_t *out)
{
	struct pmon_span cell;

	for (*out = 0; next_cell(&names, &cell); ++*out)
		if (pmon_pdht_is(cell, name))
			return true;
	return false;
}

// Counters that are sums of columns.
static enum pmon_status
add_sums(struct nmon *nmon, struct section *section, struct pmon_span kind,
	 struct pmon_span instance, struct pmon_span names, struct pmon_err *err)
{
	struct pdht_sum sum = {.n = 2, .factor = 1, .divisor = 1};
	enum pmon_status status;

	if (pmon_pdht_is(kind, "CPU") && find_column(names, "Idle%", &sum.columns[0]) &&
	    find_column(names, "Wait%", &sum.columns[1])) {
		status = add_output(nmon, section, &sum, "Processor", instance,
				    PMON_SPAN("% Idle Time"), err);
		sum.is_rest = true;
		return status != PMON_OK ? status
					 : add_output(nmon, section, &sum, "Processor", instance,
						      PMON_SPAN("% Processor Time"), err);
	}
	sum.factor = MB;
	if (pmon_pdht_is(kind, "MEM") && find_column(names, "cached", &sum.columns[0]) &&
	    find_column(names, "buffers", &sum.columns[1]))
		return add_output(nmon, section, &sum, "Memory", (struct pmon_span){NULL, 0},
				  PMON_SPAN("Cache Bytes"), err);
	return PMON_OK;
}

static enum pmon_status
add_columns(struct nmon *nmon, struct section *section, struct pmon_span names,
	    struct pmon_err *err)
{
	char number[16];
	struct pmon_span kind = kind_of(section->name, number);
	struct pmon_span processor = {number, strlen(number)};
	struct pmon_span rest = names;
	struct pmon_span cell;
	enum pmon_status status = add_sums(nmon, section, kind, processor, names, err);

	for (; status == PMON_OK && next_cell(&rest, &cell); section->n++) {
		struct pdht_sum sum = {{section->n}, 1, false, 1, 1};
		struct pmon_span instance;
		const struct known *known = find_known(kind, cell, &instance);

		if (cell.len == 0)
			continue;
		if (known == NULL) {
			status = add_output(nmon, section, &sum, "nmon", section->name, cell, err);
			continue;
		}
		sum.is_rest = known->is_rest;
		sum.factor = known->factor;
		status =
			add_output(nmon, section, &sum, known->object,
				   number[0] != '\0' ? processor : instance,
				   (struct pmon_span){known->counter, strlen(known->counter)}, err);
	}
	return status;
}

// ---- Lines ----------------------------------------------------------------------------------

static struct section *
find_section(const struct nmon *nmon, struct pmon_span name)
{
	uint64_t hash = pmon_map_mix_bytes(nmon->base.seed, name.ptr, name.len);
	size_t at = 0;
	uint32_t i;

	while ((i = pmon_map_next(&nmon->map, hash, &at)) != PMON_MAP_NONE)
		if (nmon->sections[i].name.len == name.len &&
		    memcmp(nmon->sections[i].name.ptr, name.ptr, name.len) == 0)
			return &nmon->sections[i];
	return NULL;
}

// A line of names. PMON_E_FORMAT: it cannot be read.
static enum pmon_status
take_names(struct nmon *nmon, struct pmon_span name, struct pmon_span names, struct pmon_err *err)
{
	struct section section = {.n = 0};
	struct section *known;
	uint64_t hash = pmon_map_mix_bytes(nmon->base.seed, name.ptr, name.len);
	size_t n = 1;

	while (names.len > 0 && names.ptr[names.len - 1] == ',')
		names.len--;
	for (size_t i = 0; i < names.len; i++)
		n += names.ptr[i] == ',';
	known = find_section(nmon, name);
	if (known != NULL) {
		known->is_other = known->names.len != names.len ||
				  memcmp(known->names.ptr, names.ptr, names.len) != 0;
		return known->is_other ? PMON_E_FORMAT : PMON_OK;
	}
	if (!pmon_pdht_is_name(name) || n > MOST_COLUMNS || nmon->n_sections >= MOST_SECTIONS ||
	    names.len == 0 || !pmon_utf8_valid(names) || memchr(names.ptr, '\0', names.len) != NULL)
		return PMON_E_FORMAT;
	if (!pmon_arena_copy(&nmon->base.arena, name, &section.name) ||
	    !pmon_arena_copy(&nmon->base.arena, names, &section.names) ||
	    !pmon_mem_grow(nmon->base.allocator, &nmon->sections, &nmon->sections_cap,
			   nmon->n_sections + 1, sizeof(*nmon->sections)) ||
	    !pmon_map_put(&nmon->map, nmon->base.allocator, hash, (uint32_t)nmon->n_sections))
		return pmon_err_nomem(err);
	nmon->sections[nmon->n_sections++] = section;
	return add_columns(nmon, &nmon->sections[nmon->n_sections - 1], names, err);
}

static enum pmon_status
take_values(struct nmon *nmon, struct pmon_span name, struct pmon_span label, struct pmon_span rest,
	    struct pmon_err *err)
{
	const struct section *section = find_section(nmon, name);
	struct pmon_span cell;
	uint32_t n = 0;
	enum pmon_status status = PMON_OK;

	if (section == NULL || section->is_other || !pmon_pdht_is(label, nmon->label))
		return PMON_E_FORMAT;
	for (; n < section->n && next_cell(&rest, &cell); n++)
		nmon->values[n] = read_number(cell);
	if (n < section->n || (rest.ptr != NULL && rest.len > 0))
		return PMON_E_FORMAT;
	for (size_t i = 0; status == PMON_OK && i < section->n_outputs; i++)
		status = pmon_pdht_gathered_value(
			&nmon->base, section->outputs[i].series,
			pmon_pdht_sum(&section->outputs[i].sum, nmon->values), err);
	return status;
}

// "T0001,11:19:07,29-NOV-2026". PMON_E_FORMAT: no time, and the lines of this label are lost.
static enum pmon_status
take_time(struct nmon *nmon, struct pmon_span label, struct pmon_span rest)
{
	struct pmon_span clock;
	struct pmon_span date;
	struct pdht_stamp stamp;
	char text[48];

	if (!is_label(label) || !next_cell(&rest, &clock) || !next_cell(&rest, &date) ||
	    clock.len > 16 || date.len > 16)
		return PMON_E_FORMAT;
	memcpy(text, date.ptr, date.len);
	text[date.len] = ' ';
	memcpy(text + date.len + 1, clock.ptr, clock.len);
	if (!pmon_pdht_stamp_read((struct pmon_span){text, date.len + 1 + clock.len}, &stamp) ||
	    !stamp.is_clear)
		return PMON_E_FORMAT;
	if (!pmon_pdht_gathered_utc(&nmon->base, pmon_pdht_stamp_local(&stamp, PDHT_DAY_FIRST),
				    &nmon->time))
		return PMON_E_FORMAT;
	nmon->has_time = true;
	memcpy(nmon->label, label.ptr, label.len);
	nmon->label[label.len] = '\0';
	return PMON_OK;
}

// PMON_E_FORMAT: the line cannot be read.
static enum pmon_status
take_line(struct nmon *nmon, struct pmon_span rest, struct pmon_err *err)
{
	struct pmon_span name;
	struct pmon_span second;

	if (rest.len == 0)
		return PMON_OK;
	if (!next_cell(&rest, &name) || !next_cell(&rest, &second))
		return PMON_E_FORMAT;
	if (begins(name, "BBB") || pmon_pdht_is(name, "TOP") || pmon_pdht_is(name, "UARG") ||
	    pmon_pdht_is(name, "ERROR"))
		return PMON_OK;
	if (pmon_pdht_is(name, "AAA")) {
		if (pmon_pdht_is(second, "host") && nmon->host.len == 0 &&
		    pmon_pdht_is_name(rest) && !clean(nmon, rest, &nmon->host))
			return pmon_err_nomem(err);
		return PMON_OK;
	}
	if (pmon_pdht_is(name, "ZZZZ")) {
		nmon->label[0] = '\0';
		return take_time(nmon, second, rest);
	}
	if (rest.ptr == NULL)
		return PMON_E_FORMAT;
	return is_label(second) ? take_values(nmon, name, second, rest, err)
				: take_names(nmon, name, rest, err);
}

// ---- Samples --------------------------------------------------------------------------------

// Read lines up to the next time. PMON_END: there is none.
static enum pmon_status
next_time(struct nmon *nmon, struct pmon_err *err)
{
	struct pdht_row row = {.ptr = ""};
	enum pmon_status status = PMON_OK;

	nmon->has_time = false;
	while (status == PMON_OK && !nmon->has_time) {
		status = pmon_pdht_input_row(&nmon->base.input, &row, err);
		if (status == PMON_OK || status == PMON_E_LIMIT) {
			nmon->base.report.here++;
			nmon->base.source.info.bytes_read = row.offset + row.bytes;
		}
		if (status == PMON_OK) {
			pmon_pdht_gathered_unended(&nmon->base, &row);
			status = take_line(
				nmon, pmon_pdht_trim((struct pmon_span){row.ptr, row.len}), err);
		} else if (status == PMON_E_LIMIT) {
			status = PMON_E_FORMAT;
		}
		if (status == PMON_E_FORMAT) {
			pmon_pdht_gathered_bad(&nmon->base, &row);
			status = PMON_OK;
		}
	}
	return status;
}

static enum pmon_status
nmon_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct nmon *nmon = (struct nmon *)source;
	enum pmon_status status = nmon->has_time ? PMON_OK : next_time(nmon, err);
	struct pmon_sample head = {.time = nmon->time,
				   .ordinal = nmon->base.n_samples,
				   .utc_offset_min = nmon->base.clock.offset_min};

	if (status == PMON_END)
		pmon_pdht_gathered_end(&nmon->base,
				       "line has no time, or not a value for each name",
				       "lines have no time, or not a value for each name");
	if (status != PMON_OK)
		return status;
	nmon->base.n_samples++;
	pmon_gather_begin(&nmon->base.gather, &head);
	status = next_time(nmon, err);
	if (status != PMON_OK && status != PMON_END)
		return status;
	*sample = &nmon->base.gather.sample;
	return PMON_OK;
}

static enum pmon_status
nmon_rewind(struct pmon_source *source, struct pmon_err *err)
{
	struct nmon *nmon = (struct nmon *)source;

	(void)err;
	pmon_pdht_gathered_rewind(&nmon->base);
	for (size_t i = 0; i < nmon->n_sections; i++)
		nmon->sections[i].is_other = false;
	nmon->has_time = false;
	nmon->label[0] = '\0';
	return PMON_OK;
}

// ---- Opening and closing --------------------------------------------------------------------

static void
nmon_close(struct pmon_source *source)
{
	struct nmon *nmon = (struct nmon *)source;
	const struct pmon_allocator *allocator = nmon->base.allocator;

	for (size_t i = 0; i < nmon->n_sections; i++)
		pmon_mem_free(allocator, nmon->sections[i].outputs,
			      nmon->sections[i].outputs_cap * sizeof(struct output));
	pmon_mem_free(allocator, nmon->sections, nmon->sections_cap * sizeof(*nmon->sections));
	pmon_map_free(&nmon->map, allocator);
	pmon_pdht_gathered_close(&nmon->base);
	pmon_mem_free(allocator, nmon, sizeof(*nmon));
}

static enum pmon_status
nmon_open(struct pmon_source *source, const struct pmon_log_files *files,
	  const struct pmon_log_options *options, struct pmon_err *err)
{
	struct nmon *nmon = (struct nmon *)source;
	enum pmon_status status = pmon_pdht_gathered_open(&nmon->base, files, options, err);

	if (status != PMON_OK)
		return status;
	source->info.format = "nmon";
	nmon->values = pmon_arena_alloc(&nmon->base.arena, MOST_COLUMNS * sizeof(*nmon->values));
	if (nmon->values == NULL)
		return pmon_err_nomem(err);
	status = pmon_pdht_input_open(&nmon->base.input, options->encoding, err);
	if (status != PMON_OK)
		return status;
	pmon_pdht_gathered_tell(&nmon->base, "a recording of nmon", true);
	return pmon_pdht_gathered_look(&nmon->base, err);
}

static bool
probe(const uint8_t *head, size_t len)
{
	static const char first[] = "AAA,progname,";

	return len >= sizeof(first) - 1 && memcmp(head, first, sizeof(first) - 1) == 0;
}

static const struct pmon_source_ops nmon_ops = {nmon_next, nmon_rewind, nmon_close};

const struct pmon_format pmon_format_nmon = {
	.name = "nmon",
	.probe = probe,
	.open = nmon_open,
	.source_bytes = sizeof(struct nmon),
	.ops = &nmon_ops,
	.is_forward = true,
	.is_asked_last = true,
};
