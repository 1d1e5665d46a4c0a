// survey.c - detect the style of a text log from its first lines
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "model/zone_rules.h"

#define BIT(mark) (1u << (mark))
#define UNCLEAR   (BIT(PDHT_MARK_POINT_OR_GROUPS) | BIT(PDHT_MARK_COMMA_OR_GROUPS))
#define CLEAR     (BIT(PDHT_MARK_POINT) | BIT(PDHT_MARK_COMMA))

#define LINES 64 // lines that are examined
#define BYTES ((uint64_t)4 << 20)

// Evidence for one order of day and month.
struct reading {
	bool is_possible;
	pmon_time first;
	pmon_time last;
	uint64_t steps_back;
	int64_t longest;  // largest step
	int64_t shortest; // smallest nonzero step; 0: none
};

// What the numbers of a column revealed.
struct seen {
	uint8_t marks;     // bits of enum pdht_mark
	uint32_t n;        // numbers
	uint32_t n_beyond; // beyond the bounds known so far
	uint32_t n_far;    // above FAR, and the largest of the others
	double largest;
};

struct survey {
	uint64_t n_lines;
	uint64_t n_stamps;
	uint64_t n_windows;       // times exactly as Windows writes them
	uint64_t n_usual;         // in the usual form of writers of these logs: month first
	uint64_t n_clear;         // dates whose order is clear
	uint64_t n_quoted;        // lines
	bool has_points;          // some number has a decimal point ...
	bool has_other_fractions; // ... or not six decimals
	char date_separator;
	struct seen *seen;          // by column of the header
	struct reading readings[2]; // by enum pdht_order
	struct reading clear;       // of times whose order is clear, or that have no date
	pmon_time last_time;        // of those without a date
	unsigned forms[PDHT_NO_TIME_FORM + 1]; // lines by the form of their times
};

// ---- Times ----------------------------------------------------------------------------------

static void
take_time(struct reading *r, pmon_time local)
{
	if (local == PMON_TIME_NONE)
		r->is_possible = false;
	if (!r->is_possible)
		return;
	if (r->last != PMON_TIME_NONE) {
		int64_t step = local - r->last;

		r->steps_back += step < 0;
		if (step > r->longest)
			r->longest = step;
		if (step > 0 && (r->shortest == 0 || step < r->shortest))
			r->shortest = step;
	} else {
		r->first = local;
	}
	r->last = local;
}

static void
read_as(struct reading *r, const struct pdht_stamp *stamp, enum pdht_order order)
{
	take_time(r, pmon_pdht_stamp_local(stamp, order));
}

static void
look_at_stamp(struct survey *s, const struct pdht_stamp *stamp, bool is_quoted)
{
	s->n_stamps++;
	s->n_windows += stamp->is_windows;
	s->n_usual += stamp->is_windows || (is_quoted && stamp->is_padded);
	if (stamp->form != PDHT_DATED) {
		s->last_time = pmon_pdht_stamp_after(stamp, s->last_time, s->n_stamps == 1);
		take_time(&s->clear, s->last_time);
		return;
	}
	if (stamp->is_clear || stamp->is_zoned) {
		s->n_clear++;
		take_time(&s->clear, stamp->is_zoned
					     ? stamp->utc
					     : pmon_pdht_stamp_local(stamp, PDHT_MONTH_FIRST));
		return;
	}
	s->date_separator = stamp->separator;
	read_as(&s->readings[PDHT_MONTH_FIRST], stamp, PDHT_MONTH_FIRST);
	read_as(&s->readings[PDHT_DAY_FIRST], stamp, PDHT_DAY_FIRST);
}

// ---- Cells ----------------------------------------------------------------------------------

// For a number: apart from the exponent, all characters other than digits are below '0'.
static unsigned
significant_digits(struct pmon_span text)
{
	unsigned n = 0;

	for (size_t i = 0; i < text.len && text.ptr[i] != 'e' && text.ptr[i] != 'E'; i++)
		n += text.ptr[i] >= (n == 0 ? '1' : '0');
	return n;
}

// The decimal mark of a number, or PDHT_MARK_BAD. Nearly all have a point that is not followed by
// exactly three digits.
static enum pdht_mark
find_mark(struct pmon_span text, const char *point, double *number)
{
	if (pmon_pdht_number(text, '.', number) != PDHT_NUMBER)
		return pmon_pdht_number_grouped(text, '.', number) == PDHT_NUMBER
			       ? pmon_pdht_mark(text)
			       : PDHT_MARK_BAD;
	if (point == NULL)
		return PDHT_MARK_NONE;
	return text.ptr + text.len - point == 4 ? pmon_pdht_mark(text) : PDHT_MARK_POINT;
}

static void
see_number(struct seen *seen, const struct pdht_bounds *bounds, enum pdht_mark mark, double number)
{
	seen->marks |= (uint8_t)BIT(mark);
	seen->n++;
	seen->n_beyond += number < bounds->least || number > bounds->most;
	if (number > PDHT_FAR)
		seen->n_far++;
	else if (number > seen->largest)
		seen->largest = number;
}

static void
look_at_cell(struct survey *s, struct pdht *pdht, size_t i, struct pmon_span text)
{
	const char *point = text.len > 0 ? memchr(text.ptr, '.', text.len) : NULL;
	struct pdht_style *style = &pdht->style;
	double number;
	enum pdht_mark mark = find_mark(text, point, &number);

	if (mark == PDHT_MARK_BAD)
		return;
	see_number(&s->seen[i], &pdht->columns.list[pdht->map.column[i]].bounds, mark, number);
	if (significant_digits(text) > style->digits)
		style->digits = significant_digits(text);
	if (point != NULL)
		s->has_points = true;
	if (point == NULL || text.ptr + text.len - point != 7)
		s->has_other_fractions = true;
}

// Two lines that became one have the time of the second among their cells.
static bool
has_too_many(const struct pdht *pdht, struct pdht_fields fields)
{
	struct pdht_field field;
	size_t n = 0;

	for (; pmon_pdht_field_next(&fields, &field); n++)
		if (n >= pdht->map.n && pmon_pdht_trim(field.text).len > 0)
			return true;
	return false;
}

static void
look_at_cells(struct survey *s, struct pdht *pdht, struct pdht_fields *fields)
{
	struct pdht_field field;

	if (has_too_many(pdht, *fields))
		return;
	for (size_t i = 0; i < pdht->map.n && pmon_pdht_field_next(fields, &field); i++)
		look_at_cell(s, pdht, i, pmon_pdht_trim(field.text));
}

static void
look_at_line(struct survey *s, struct pdht *pdht, const struct pdht_row *row)
{
	struct pdht_style *style = &pdht->style;
	struct pdht_fields fields = pdht_fields(row, style->separator, false);
	struct pdht_field field;
	struct pdht_stamp stamp;

	(void)pmon_pdht_field_next(&fields, &field); // every line has one
	s->forms[pmon_pdht_time_form(pmon_pdht_trim(field.text))]++;
	if (!pmon_pdht_stamp_read_form(pmon_pdht_trim(field.text), style->form, &stamp))
		return;
	s->n_lines++;
	s->n_quoted += field.is_quoted;
	style->has_no_seconds = style->has_no_seconds || !stamp.has_seconds;
	look_at_stamp(s, &stamp, field.is_quoted);
	look_at_cells(s, pdht, &fields);
}

// ---- Reading --------------------------------------------------------------------------------

// The next line, or PMON_END. Lines that are too long are skipped, and a last one that may be cut
// off, unless it is the only one.
static enum pmon_status
next_line(struct pdht *pdht, const struct survey *s, struct pdht_row *row, struct pmon_err *err)
{
	enum pmon_status status;

	do
		status = pmon_pdht_input_row(&pdht->input, row, err);
	while (status == PMON_E_LIMIT);
	return status == PMON_OK && !row->is_ended && s->n_lines > 0 ? PMON_END : status;
}

// Both readings of the dates are possible, and they differ.
static bool
are_dates_undecided(const struct survey *s)
{
	return s->forms[PDHT_DATED] > 0 && s->n_stamps > s->n_clear && s->n_usual < s->n_stamps &&
	       s->readings[0].is_possible && s->readings[1].is_possible;
}

static unsigned
marks_of_all(const struct survey *s, size_t n)
{
	unsigned all = 0;

	for (size_t i = 0; i < n; i++)
		all |= s->seen[i].marks;
	return all;
}

// Some number has an ambiguous mark, and no other number resolves it. Windows writes decimal
// points.
static bool
are_marks_undecided(const struct survey *s, const struct pdht *pdht)
{
	unsigned all = marks_of_all(s, pdht->map.n);

	return (all & CLEAR) == 0 && (all & UNCLEAR) != 0 &&
	       ((all & BIT(PDHT_MARK_COMMA_OR_GROUPS)) != 0 || s->n_usual < s->n_stamps);
}

// Examine all other lines to decide what is still undecided.
static enum pmon_status
look_at_rest(struct pdht *pdht, struct survey *s, struct pmon_err *err)
{
	struct pdht_row row;
	struct pdht_fields fields;
	struct pdht_field field;
	struct pdht_stamp stamp;
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK && (are_dates_undecided(s) || are_marks_undecided(s, pdht))) {
		status = next_line(pdht, s, &row, err);
		if (status != PMON_OK)
			break;
		fields = pdht_fields(&row, pdht->style.separator, false);
		(void)pmon_pdht_field_next(&fields, &field);
		if (!pmon_pdht_stamp_read_form(pmon_pdht_trim(field.text), pdht->style.form,
					       &stamp))
			continue;
		look_at_stamp(s, &stamp, field.is_quoted);
		if (are_marks_undecided(s, pdht))
			look_at_cells(s, pdht, &fields);
	}
	return status == PMON_END ? PMON_OK : status;
}

// ---- Conclusions ----------------------------------------------------------------------------

// The order of the dates, and the reason for it.
static enum pdht_order
find_order(const struct survey *s, char separator, const char **why_out)
{
	const struct reading *month = &s->readings[PDHT_MONTH_FIRST];
	const struct reading *day = &s->readings[PDHT_DAY_FIRST];

	*why_out = "otherwise some dates would not exist";
	if (month->is_possible != day->is_possible)
		return day->is_possible ? PDHT_DAY_FIRST : PDHT_MONTH_FIRST;
	*why_out = "otherwise times would go backwards";
	if (month->steps_back != day->steps_back)
		return day->steps_back < month->steps_back ? PDHT_DAY_FIRST : PDHT_MONTH_FIRST;
	*why_out = "otherwise there would be larger gaps";
	if (month->longest != day->longest)
		return day->longest < month->longest ? PDHT_DAY_FIRST : PDHT_MONTH_FIRST;
	*why_out = "nothing in the file shows the order";
	return s->date_separator == '.' || separator == ';' ? PDHT_DAY_FIRST : PDHT_MONTH_FIRST;
}

// The form of the times: the most frequent one, if none has a date.
static enum pdht_time_form
find_form(const struct survey *s)
{
	int form = PDHT_DATED;

	for (int i = PDHT_TIME_OF_DAY; i < PDHT_NO_TIME_FORM; i++)
		if (s->forms[PDHT_DATED] == 0 && s->forms[i] > s->forms[form])
			form = i;
	return (enum pdht_time_form)form;
}

static void
tell_form(struct pdht *pdht)
{
	static const char *const words[] = {
		[PDHT_TIME_OF_DAY] = "the lines have a time of day and no date",
		[PDHT_PAST_HOUR] =
			"the lines have minutes and seconds only, as a spreadsheet shows "
			"them",
	};
	char time[PMON_TIME_SIZE];

	if (pdht->style.form == PDHT_SERIAL) {
		pmon_report_remark(&pdht->report.base, 0,
				   "times are numbers of days, as a spreadsheet keeps them");
		return;
	}
	pmon_time_local(pdht->start, 0, time);
	time[pdht->style.form == PDHT_PAST_HOUR ? 13 : 10] = '\0'; // the hour or the date
	pmon_report_remark(
		&pdht->report.base, 0, "%s; they are counted from %s%s; use --start to %s",
		words[pdht->style.form], time, pdht->style.form == PDHT_PAST_HOUR ? ":00" : "",
		pdht->has_start ? "change that" : "say when the log begins");
}

static void
settle_dates(struct pdht *pdht, const struct survey *s)
{
	struct pdht_style *style = &pdht->style;
	const char *why;

	style->order = find_order(s, style->separator, &why);
	if (s->n_usual == s->n_stamps && s->readings[PDHT_MONTH_FIRST].is_possible)
		style->order = PDHT_MONTH_FIRST;
	else if (s->n_clear == s->n_stamps)
		pmon_report_remark(&pdht->report.base, 0,
				   "dates are written year first or with the month's name, "
				   "unlike in Windows");
	else
		pmon_report_remark(
			&pdht->report.base, 0, "dates are read as %s: %s",
			style->order == PDHT_DAY_FIRST ? "day/month/year" : "month/day/year", why);
}

// The offset of the log is that of its first time.
static void
settle_zone(struct pdht *pdht, const struct survey *s)
{
	const struct reading *r =
		s->clear.last != PMON_TIME_NONE ? &s->clear : &s->readings[pdht->style.order];

	if (pdht->uses_zone && r->last != PMON_TIME_NONE)
		pdht->source.info.utc_offset_min =
			pmon_zone_offset_local(pdht->zone, r->first, PMON_TIME_NONE);
}

static void
settle_times(struct pdht *pdht, const struct survey *s)
{
	if (pdht->style.form == PDHT_DATED)
		settle_dates(pdht, s);
	else
		tell_form(pdht);
	settle_zone(pdht, s);
	if (pdht->style.has_no_seconds)
		pmon_report_remark(
			&pdht->report.base, 0,
			"times have no seconds: samples in the same minute have the same time");
}

// The decimal mark that all numbers together show, for columns that do not show theirs. If nothing
// shows it, it is the point, as Windows writes; but if fields are separated by semicolons, it is
// the comma.
static char
usual_mark(unsigned all, char separator)
{
	if ((all & CLEAR) == BIT(PDHT_MARK_COMMA))
		return ',';
	if ((all & CLEAR) == 0 && (all & BIT(PDHT_MARK_COMMA_OR_GROUPS)) != 0 && separator == ';')
		return ',';
	return '.';
}

// The decimal mark of a column. It is unknown if its own numbers disagree, or if they have commas
// and neither they nor other columns show their meaning.
static char
mark_of(unsigned own, unsigned all, char usual)
{
	if ((own & CLEAR) == BIT(PDHT_MARK_POINT))
		return '.';
	if ((own & CLEAR) == BIT(PDHT_MARK_COMMA))
		return ',';
	if ((own & CLEAR) == CLEAR)
		return PDHT_NO_MARK;
	if ((own & BIT(PDHT_MARK_COMMA_OR_GROUPS)) != 0 && usual == '.' &&
	    (all & CLEAR) != BIT(PDHT_MARK_POINT))
		return PDHT_NO_MARK;
	return usual;
}

static bool
has_groups(unsigned own, char mark)
{
	return mark == '.' ? (own & BIT(PDHT_MARK_COMMA_OR_GROUPS)) != 0
			   : mark == ',' && (own & BIT(PDHT_MARK_POINT_OR_GROUPS)) != 0;
}

static void
settle_numbers(struct pdht *pdht, const struct survey *s)
{
	struct pdht_style *style = &pdht->style;
	unsigned all = marks_of_all(s, pdht->map.n);
	bool have_commas = false;
	bool have_groups = false;

	style->usual_decimal = style->decimal = usual_mark(all, style->separator);
	for (size_t i = 0; i < pdht->map.n; i++) {
		char mark = mark_of(s->seen[i].marks, all, style->usual_decimal);

		pdht->columns.list[pdht->map.column[i]].decimal = mark;
		if (mark != style->usual_decimal)
			style->decimal = PDHT_NO_MARK;
		have_commas |= mark == ',';
		have_groups |= has_groups(s->seen[i].marks, mark);
	}
	if (have_commas)
		pmon_report_remark(&pdht->report.base, 0, "numbers have a decimal comma");
	if (have_groups)
		pmon_report_remark(&pdht->report.base, 0, "numbers have thousands separators");
	pdht->has_no_caption =
		pdht->caption[0] != '\0' && pdht->map.n > 0 && s->seen[pdht->map.n - 1].n > 0;
}

// Set the bounds for the values of each column, by its type and the first lines: values far above
// all others are impossible if there are few and they look like those of counters that went back.
static void
settle_bounds(struct pdht *pdht, const struct survey *s)
{
	const struct reading *r = s->n_clear == s->n_stamps || pdht->style.form != PDHT_DATED
					  ? &s->clear
					  : &s->readings[pdht->style.order];

	pdht->style.interval = r->shortest;
	for (size_t i = 0; i < pdht->map.n; i++) {
		const struct seen *seen = &s->seen[i];

		pmon_pdht_set_bounds(pdht, &pdht->columns.list[pdht->map.column[i]],
				     seen->n == 0 || seen->n_far * 8 > seen->n ? NAN
									       : seen->largest,
				     seen->n_beyond * 2 > seen->n);
	}
}

static bool
is_esxtop(const struct pdht_columns *columns)
{
	for (size_t i = 0; i < columns->n; i++)
		if (pmon_text_match(PMON_SPAN("\\\\*\\Physical Cpu*\\*"), columns->list[i].text) ||
		    pmon_text_match(PMON_SPAN("\\\\*\\Group Cpu*\\*"), columns->list[i].text))
			return true;
	return false;
}

static const char *
writer_of(const struct pdht_style *style, const struct survey *s)
{
	if (style->is_esxtop)
		return style->is_quoted ? "VMware esxtop"
					: "VMware esxtop, re-saved by a spreadsheet";
	if (style->is_table)
		return "another program";
	if (!style->is_quoted)
		return "re-saved by a spreadsheet or another program";
	if (s->n_windows < s->n_stamps || style->form != PDHT_DATED)
		return "not Windows itself";
	if (style->begins_blank || style->is_fixed)
		return "typeperf console";
	if (style->digits > 17)
		return "Windows (PDH text, %.20g)";
	return style->digits > 15 ? "Windows (PDH text, %.17g)" : "Windows (PDH text)";
}

static void
settle(struct pdht *pdht, const struct survey *s)
{
	struct pdht_style *style = &pdht->style;

	if (s->n_lines == 0)
		return;
	style->is_quoted = s->n_quoted > 0;
	style->is_fixed = s->has_points && !s->has_other_fractions;
	style->is_esxtop = is_esxtop(&pdht->columns);
	pdht->source.info.writer = writer_of(style, s);
	if (!style->is_quoted && !style->is_table)
		pmon_report_remark(
			&pdht->report.base, 0,
			"fields are not quoted: the file was re-saved by a spreadsheet or another "
			"program, and numbers may be rounded (they have at most %u digits)",
			style->digits);
	settle_times(pdht, s);
	settle_numbers(pdht, s);
	settle_bounds(pdht, s);
}

static enum pmon_status
survey(struct pdht *pdht, struct survey *s, struct pmon_err *err)
{
	struct pdht_row row = {0};
	uint64_t start = 0;
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; i < pdht->columns.n; i++) // for all processors of the header
		pmon_pdht_set_bounds(pdht, &pdht->columns.list[i], NAN, false);
	for (int i = 0; i < LINES && row.offset - start < BYTES; i++) {
		status = next_line(pdht, s, &row, err);
		if (status != PMON_OK)
			break;
		start = i == 0 ? row.offset : start;
		look_at_line(s, pdht, &row);
	}
	if (status == PMON_OK)
		status = look_at_rest(pdht, s, err);
	if (status != PMON_OK && status != PMON_END)
		return status;
	pdht->style.form = find_form(s);
	settle(pdht, s);
	return PMON_OK;
}

enum pmon_status
pmon_pdht_survey(struct pdht *pdht, struct pmon_err *err)
{
	struct survey s = {.readings = {{.is_possible = true, .last = PMON_TIME_NONE},
					{.is_possible = true, .last = PMON_TIME_NONE}},
			   .clear = {.is_possible = true, .last = PMON_TIME_NONE},
			   .last_time = pdht->start};
	size_t bytes = (pdht->map.n + 1) * sizeof(*s.seen);
	enum pmon_status status;

	s.seen = pmon_mem_alloc0(pdht->allocator, bytes);
	status = s.seen == NULL ? pmon_err_nomem(err) : survey(pdht, &s, err);
	pmon_mem_free(pdht->allocator, s.seen, bytes);
	return status;
}
