// section.c - the values of a winperf section
// SPDX-License-Identifier: MIT
//
//	1352457622.31 234 3579545             stamp, object, ticks a second (docs/reference/formats/winperf.md)
//	2 instances: 0_C: _Total
//	-36 0 0 rawcount
//	-28 3526915777 3526915777 average_timer
//	-28 36283 36283 average_base          belongs to the counter before it

#include "format/winperf/winperf.h"

#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "base/utf.h"
#include "model/codepage.h"
#include "model/perfdata.h"
#include "path/wellknown.h"

#define UNIX_EPOCH    (INT64_C(11644473600) * PMON_TIME_PER_SEC)
#define SIZE_MASK     0x00000300u // fields of a type word (winperf.h)
#define SIZE_DWORD    0x00000000u
#define SIZE_LARGE    0x00000100u
#define MULTI_COUNTER 0x02000000u

// The section being read.
struct section {
	const struct winperf_state *state;
	uint64_t offset; // of its text in the file
	uint64_t len;
	const char *start;
	struct pmon_table *table;
	bool is_foreign; // the object's index has no name, so its counters have none either
	bool has_instances;
	size_t n_instances;
	struct pmon_span names;
};

static void
tell_line(struct winperf *wp, const struct section *s, struct pmon_span line, const char *why)
{
	pmon_report_loss(&wp->report, s->offset + (uint64_t)(line.ptr - s->start), line.len,
			 "section %s: %s", s->state->section, why);
}

// ---- Names ----------------------------------------------------------------------------------

static struct pmon_span
title(const struct winperf *wp, int64_t index)
{
	if (index < 0 || index > UINT32_MAX)
		return (struct pmon_span){NULL, 0};
	if (wp->titles.n > 0)
		return pmon_titles_find(&wp->titles, 0, (uint32_t)index);
	return pmon_wellknown_title((uint32_t)index);
}

static void
tell_nameless(struct winperf *wp)
{
	if (wp->is_nameless_told)
		return;
	wp->is_nameless_told = true;
	pmon_report_remark(&wp->report, 0,
			   "some counters have no names here and are shown by their numbers: give "
			   "the machine's table of names (\"Counter 009\")");
}

// Indexes after those of Windows differ from machine to machine, so an object there has the name of
// its section, and its counters the numbers that the agent gives, which do not differ.
static struct pmon_span
object_name(struct winperf *wp, struct section *s, char buf[PMON_TITLE_SIZE])
{
	const struct winperf_state *state = s->state;
	struct pmon_span name = title(wp, state->stamp.object);

	s->is_foreign = name.len == 0;
	if (!s->is_foreign)
		return name;
	if (state->section[0] != '\0')
		return (struct pmon_span){state->section, strlen(state->section)};
	return pmon_title_number(state->stamp.object, buf);
}

static struct pmon_span
counter_name(struct winperf *wp, const struct section *s, int64_t offset, char buf[PMON_TITLE_SIZE])
{
	int64_t index = (int64_t)s->state->stamp.object + offset;
	struct pmon_span name = title(wp, index);
	struct pmon_text t = pmon_text_init(buf, PMON_TITLE_SIZE);

	if (name.len > 0)
		return name;
	tell_nameless(wp);
	if (!s->is_foreign && index >= 0 && index <= UINT32_MAX)
		return pmon_title_number((uint32_t)index, buf);
	if (offset >= 0)
		pmon_text_char(&t, '+');
	pmon_text_i64(&t, offset);
	return (struct pmon_span){buf, t.len};
}

// Old agents wrote the names of instances in the code page of their machine.
static bool
to_utf8(struct winperf *wp, struct pmon_span *name)
{
	bool guessed;

	if (pmon_utf8_valid(*name))
		return true;
	if (!pmon_mem_grow(wp->allocator, &wp->utf8, &wp->utf8_cap, pmon_codepage_bound(name->len),
			   1))
		return false;
	name->len = pmon_codepage_to_utf8(PMON_CODEPAGE_UTF8, (const uint8_t *)name->ptr, name->len,
					  wp->utf8, &guessed);
	name->ptr = wp->utf8;
	if (guessed && !wp->is_guess_told)
		pmon_report_remark(&wp->report, 0,
				   "instance names are not UTF-8: treating them as Windows-1252");
	wp->is_guess_told = true;
	return true;
}

// ---- Lines ----------------------------------------------------------------------------------

static bool
next_line(struct pmon_span *text, struct pmon_span *out)
{
	const char *end;

	if (text->len == 0)
		return false;
	end = memchr(text->ptr, '\n', text->len);
	*out = (struct pmon_span){text->ptr, end != NULL ? (size_t)(end - text->ptr) : text->len};
	text->ptr += out->len + (end != NULL);
	text->len -= out->len + (end != NULL);
	return true;
}

static bool
is_blank(struct pmon_span line)
{
	struct pmon_span word;

	return !pmon_winperf_word(&line, &word);
}

static size_t
count_words(struct pmon_span text)
{
	struct pmon_span word;
	size_t n = 0;

	while (pmon_winperf_word(&text, &word))
		n++;
	return n;
}

// Load a counter's line. False when memory is short.
static bool
add_line(struct winperf *wp, struct section *s, struct pmon_span line)
{
	struct winperf_counter counter;

	if (is_blank(line))
		return true;
	if (!pmon_winperf_read_counter(line, &counter)) {
		tell_line(wp, s, line, "a line that is not a counter");
		return true;
	}
	if (counter.n_values != (s->has_instances ? s->n_instances : 1)) {
		tell_line(wp, s, line, "the numbers of values and instances differ");
		return true;
	}
	if (!pmon_mem_grow(wp->allocator, &wp->counters, &wp->counters_cap, wp->n_counters + 1,
			   sizeof(*wp->counters)))
		return false;
	wp->counters[wp->n_counters++] = counter;
	return true;
}

// Read all lines. *ok_out is false if the section is unusable.
static enum pmon_status
read_lines(struct winperf *wp, struct section *s, struct pmon_span text, bool *ok_out,
	   struct pmon_err *err)
{
	struct pmon_span line;

	wp->n_counters = 0;
	*ok_out = true;
	(void)next_line(&text, &line); // the stamp
	while (next_line(&text, &line)) {
		// A zeroed line end joins two lines into one whose beginning may look valid.
		if (line.len > 0 && memchr(line.ptr, '\0', line.len) != NULL)
			tell_line(wp, s, line, "it contains NUL bytes");
		if (wp->n_counters == 0 && !s->has_instances &&
		    pmon_winperf_read_instances(line, &s->n_instances, &s->names)) {
			s->has_instances = true;
			*ok_out = count_words(s->names) == s->n_instances;
			if (!*ok_out) {
				tell_line(wp, s, line, "the numbers of names and instances differ");
				return PMON_OK;
			}
		} else if (!add_line(wp, s, line)) {
			return pmon_err_nomem(err);
		}
	}
	return PMON_OK;
}

// ---- Clocks ---------------------------------------------------------------------------------

// Sections contain only the timestamp, not the clocks of counters. It is the same time, so it
// replaces them, converted to the ticks of the type's divisor.
enum clock {
	CLOCK_NONE,  // unknown
	CLOCK_100NS, // the stamp as FILETIME
	CLOCK_TICKS, // the stamp in ticks of the performance clock
	CLOCK_BASE,  // the base that follows
};

static enum clock
perf_clock(const struct pmon_counter_type *type, int64_t frequency)
{
	// A rate divides by seconds, regardless of the clock that counts them. The others divide
	// ticks by ticks, which must be those of the counter.
	if (type->formula == PMON_FORMULA_RATE)
		return CLOCK_100NS;
	return frequency > 0 ? CLOCK_TICKS : CLOCK_NONE;
}

static enum clock
clock_of(uint32_t word, int64_t frequency)
{
	const struct pmon_counter_type *type = pmon_type_by_word(word);

	if (type == NULL)
		return CLOCK_NONE;
	switch (type->second) {
	case PMON_SECOND_PERFTIME:
		return perf_clock(type, frequency);
	case PMON_SECOND_100NS:
		return CLOCK_100NS;
	case PMON_SECOND_OBJECT:
		// The objects of Windows that have a clock, System and Process among them, have the
		// system clock; the clock of others is unknown.
		return type->formula == PMON_FORMULA_ELAPSED ? CLOCK_100NS : CLOCK_NONE;
	case PMON_SECOND_BASE:
	case PMON_SECOND_TIMESTAMP:
		return CLOCK_BASE;
	case PMON_SECOND_NONE:
		break;
	}
	return CLOCK_NONE;
}

static int64_t
time_base_of(enum clock clock, int64_t frequency)
{
	switch (clock) {
	case CLOCK_100NS:
		return PMON_TIME_PER_SEC;
	case CLOCK_TICKS:
	case CLOCK_BASE:
		return frequency;
	case CLOCK_NONE:
		break;
	}
	return 0;
}

// A time in ticks since 1970, rounded down. Frequencies are below 2^32, seconds below 2^34.
static int64_t
in_ticks(pmon_time time, int64_t frequency)
{
	int64_t since = time - UNIX_EPOCH;
	int64_t seconds = since / PMON_TIME_PER_SEC;
	uint64_t part = (uint64_t)(since % PMON_TIME_PER_SEC) * (uint64_t)frequency;

	return (int64_t)((uint64_t)seconds * (uint64_t)frequency +
			 part / (uint64_t)PMON_TIME_PER_SEC);
}

static void
tell_frequency(struct winperf *wp, const struct winperf_stamp *stamp, uint32_t word)
{
	const struct pmon_counter_type *type = pmon_type_by_word(word);
	bool needs = type != NULL &&
		     (type->formula == PMON_FORMULA_AVERAGE_TIME ||
		      (type->second == PMON_SECOND_PERFTIME && type->formula != PMON_FORMULA_RATE));

	if (!needs || stamp->frequency > 0 || wp->is_frequency_told)
		return;
	wp->is_frequency_told = true;
	pmon_report_remark(&wp->report, 0,
			   "the agent does not report the frequency of the performance clock: "
			   "counters of time have no values");
}

// ---- Values ---------------------------------------------------------------------------------

static uint8_t
size_of(const struct winperf_counter *c)
{
	switch (c->type & SIZE_MASK) {
	case SIZE_DWORD:
		return 4;
	case SIZE_LARGE:
		return c->is_short ? 4 : 8;
	default:
		return 0;
	}
}

static bool
read_value(struct pmon_span *values, int64_t *out)
{
	struct pmon_span word;
	uint64_t n;

	*out = 0;
	if (!pmon_winperf_word(values, &word))
		return false;
	if (pmon_num_parse_u64(word, &n)) {
		*out = (int64_t)n;
		return true;
	}
	return pmon_num_parse_i64(word, out);
}

// An invalid start time is in ticks of an unknown clock.
static bool
is_start_time(int64_t t)
{
	return t > UNIX_EPOCH && t < 3 * UNIX_EPOCH;
}

// The raw value of one instance. Advances values and base; base may be NULL.
static void
read_raw(const struct section *s, const struct winperf_counter *c, enum clock clock,
	 struct pmon_span *values, struct pmon_span *base_values, struct pmon_raw *raw)
{
	const struct winperf_stamp *stamp = &s->state->stamp;
	int64_t base = 0;
	bool ok = read_value(values, &raw->first);

	if (base_values != NULL)
		ok = read_value(base_values, &base) && ok;
	raw->time = stamp->time;
	raw->multi = 1;
	raw->second = 0;
	if (base_values != NULL && (c->type & MULTI_COUNTER) != 0)
		raw->multi = (uint32_t)base;
	if (clock == CLOCK_BASE)
		raw->second = base;
	else if (clock == CLOCK_100NS)
		raw->second = stamp->time;
	else if (clock == CLOCK_TICKS)
		raw->second = in_ticks(stamp->time, stamp->frequency);
	if (c->type == PMON_PERF_ELAPSED_TIME && !is_start_time(raw->first))
		ok = false;
	raw->status = ok ? PMON_RAW_VALID : PMON_RAW_INVALID;
	if (!ok)
		raw->first = raw->second = 0;
	pmon_raw_zero_extend(&(struct pmon_counter){.type = c->type, .size_bytes = size_of(c)},
			     raw);
}

// A counter, with the base after it, if any.
static enum pmon_status
load_counter(struct winperf *wp, struct section *s, const struct winperf_counter *c,
	     const struct winperf_counter *base, struct pmon_err *err)
{
	enum clock clock = clock_of(c->type, s->state->stamp.frequency);
	struct pmon_counter counter = {
		.type = c->type,
		.size_bytes = size_of(c),
		.time_base = time_base_of(clock, s->state->stamp.frequency),
	};
	struct pmon_span values = c->values;
	struct pmon_span base_values = base != NULL ? base->values : values;
	char buf[PMON_TITLE_SIZE];
	uint32_t column;
	enum pmon_status status;

	tell_frequency(wp, &s->state->stamp, c->type);
	status = pmon_table_column(&wp->tables, s->table, c->offset,
				   counter_name(wp, s, c->offset, buf), &counter, &column, err);
	for (size_t i = 0; status == PMON_OK && i < wp->n_rows; i++) {
		struct pmon_raw raw;

		read_raw(s, c, clock, &values, base != NULL ? &base_values : NULL, &raw);
		status = pmon_table_put(&wp->tables, s->table, wp->rows[i], column, &raw, err);
	}
	return status;
}

// A base belongs to the counter before it, as in the registry.
static enum pmon_status
load_counters(struct winperf *wp, struct section *s, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && i < wp->n_counters; i++) {
		const struct winperf_counter *c = &wp->counters[i];
		const struct winperf_counter *base = i + 1 < wp->n_counters ? c + 1 : NULL;

		if (pmon_perf_is_base(c->type) || pmon_perf_is_text(c->type))
			continue;
		if (base != NULL && !pmon_perf_is_base(base->type))
			base = NULL;
		status = load_counter(wp, s, c, base, err);
	}
	return status;
}

static enum pmon_status
load_rows(struct winperf *wp, struct section *s, struct pmon_err *err)
{
	const struct pmon_span none = {NULL, 0};
	size_t n = s->has_instances ? s->n_instances : 1;
	struct pmon_span names = s->names;
	enum pmon_status status = PMON_OK;

	wp->n_rows = 0;
	if (!pmon_mem_grow(wp->allocator, &wp->rows, &wp->rows_cap, n + 1, sizeof(*wp->rows)))
		return pmon_err_nomem(err);
	while (status == PMON_OK && wp->n_rows < n) {
		struct pmon_span name = none;

		if (s->has_instances && pmon_winperf_word(&names, &name) && !to_utf8(wp, &name))
			return pmon_err_nomem(err);
		status = pmon_table_row(&wp->tables, s->table, none, name, &wp->rows[wp->n_rows],
					err);
		if (status == PMON_OK)
			wp->n_rows++;
	}
	return status;
}

static enum pmon_status
load_table(struct winperf *wp, struct section *s, struct pmon_err *err)
{
	struct pmon_span machine = wp->machines[s->state->machine].name;
	char buf[PMON_TITLE_SIZE];
	enum pmon_status status;

	status = pmon_tables_find(&wp->tables, machine, object_name(wp, s, buf), &s->table, err);
	if (status != PMON_OK)
		return status;
	if (pmon_table_is_begun(&wp->tables, s->table)) {
		pmon_report_loss(&wp->report, s->offset, s->len,
				 "section %s: its object is already in the sample; using the first",
				 s->state->section);
		return PMON_OK;
	}
	pmon_table_begin(&wp->tables, s->table);
	status = load_rows(wp, s, err);
	return status == PMON_OK ? load_counters(wp, s, err) : status;
}

enum pmon_status
pmon_winperf_section_load(struct winperf *wp, const struct winperf_state *state,
			  const struct pmon_file_group_record *record, struct pmon_span text,
			  struct pmon_err *err)
{
	struct section s = {
		.state = state, .offset = record->offset, .len = record->len, .start = text.ptr};
	struct pmon_err why = {.status = PMON_OK};
	size_t n_before = wp->tables.n;
	enum pmon_status status;
	bool ok;

	status = read_lines(wp, &s, text, &ok, err);
	if (status != PMON_OK || !ok)
		return status;
	status = load_table(wp, &s, &why);
	if (status == PMON_E_FORMAT) {
		wp->tables.n = n_before;
		pmon_report_loss(&wp->report, record->offset, record->len, "section %s: %s",
				 state->section, why.msg);
		return PMON_OK;
	}
	if (why.offset == 0)
		why.offset = record->offset;
	if (status != PMON_OK && err != NULL)
		*err = why;
	return status;
}
