// survey.c - how a text log is written, from its first lines
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#define LINES 64 // that are looked at
#define BYTES ((uint64_t)4 << 20)

// What speaks for one order of day and month.
struct reading {
	bool is_possible;
	pmon_time last;
	uint64_t steps_back;
	int64_t longest; // step
};

struct survey {
	uint64_t n_lines;
	uint64_t n_stamps;
	uint64_t n_windows;       // times exactly as Windows writes them
	uint64_t n_usual;         // in the form that all writers of these logs have: month first
	uint64_t n_year_first;    // the order of which is clear
	uint64_t n_quoted;        // lines
	bool has_points;          // some number has a decimal point ...
	bool has_commas;          // ... or a comma
	bool has_odd_commas;      // which cannot be between thousands
	bool has_other_fractions; // ... or not six decimals
	char date_separator;
	struct reading readings[2]; // by enum pdht_order
};

// ---- Times ----------------------------------------------------------------------------------

static void
read_as(struct reading *r, const struct pdht_stamp *stamp, enum pdht_order order)
{
	pmon_time local = pmon_pdht_stamp_local(stamp, order);

	if (local == PMON_TIME_NONE)
		r->is_possible = false;
	if (!r->is_possible)
		return;
	if (r->last != PMON_TIME_NONE) {
		r->steps_back += local < r->last;
		if (local - r->last > r->longest)
			r->longest = local - r->last;
	}
	r->last = local;
}

static void
look_at_stamp(struct survey *s, const struct pdht_stamp *stamp, bool is_quoted)
{
	s->n_stamps++;
	s->n_windows += stamp->is_windows;
	s->n_usual += stamp->is_windows || (is_quoted && stamp->is_padded);
	if (stamp->year_first || stamp->is_zoned) {
		s->n_year_first++;
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

static bool
is_group(struct pmon_span text, size_t comma)
{
	return comma > 0 && comma <= 3 && text.len - comma == 4;
}

static void
look_at_cell(struct survey *s, struct pdht_style *style, struct pmon_span text)
{
	const char *point = text.len > 0 ? memchr(text.ptr, '.', text.len) : NULL;
	const char *comma = text.len > 0 ? memchr(text.ptr, ',', text.len) : NULL;
	double number;

	if (pmon_pdht_number(text, comma != NULL ? ',' : '.', &number) != PDHT_NUMBER)
		return;
	if (significant_digits(text) > style->digits)
		style->digits = significant_digits(text);
	if (comma != NULL) {
		s->has_commas = true;
		if (!is_group(text, (size_t)(comma - text.ptr)))
			s->has_odd_commas = true;
	}
	if (point != NULL)
		s->has_points = true;
	if (point == NULL || text.ptr + text.len - point != 7)
		s->has_other_fractions = true;
}

static void
look_at_line(struct survey *s, struct pdht_style *style, const struct pdht_row *row)
{
	struct pdht_fields fields = pdht_fields(row, style->separator, false);
	struct pdht_field field;
	struct pdht_stamp stamp;

	(void)pmon_pdht_field_next(&fields, &field); // every line has one
	if (!pmon_pdht_stamp_read(pmon_pdht_trim(field.text), &stamp))
		return;
	s->n_lines++;
	s->n_quoted += field.is_quoted;
	style->has_no_seconds = style->has_no_seconds || !stamp.has_seconds;
	look_at_stamp(s, &stamp, field.is_quoted);
	while (pmon_pdht_field_next(&fields, &field))
		look_at_cell(s, style, pmon_pdht_trim(field.text));
}

// ---- Reading --------------------------------------------------------------------------------

// The next line, or PMON_END. Lines that are too long are skipped.
static enum pmon_status
next_line(struct pdht *pdht, struct pdht_row *row, struct pmon_err *err)
{
	enum pmon_status status;

	do
		status = pmon_pdht_input_row(&pdht->input, row, err);
	while (status == PMON_E_LIMIT);
	return status;
}

// Neither reading of the dates is out of the question, and they differ.
static bool
is_undecided(const struct survey *s)
{
	return s->n_stamps > s->n_year_first && s->n_usual < s->n_stamps &&
	       s->readings[0].is_possible && s->readings[1].is_possible;
}

// Look at the times of all other lines.
static enum pmon_status
look_at_rest(struct pdht *pdht, struct survey *s, struct pmon_err *err)
{
	struct pdht_row row;
	struct pdht_fields fields;
	struct pdht_field field;
	struct pdht_stamp stamp;
	enum pmon_status status = PMON_OK;

	while (is_undecided(s) && (status = next_line(pdht, &row, err)) == PMON_OK) {
		fields = pdht_fields(&row, pdht->style.separator, false);
		(void)pmon_pdht_field_next(&fields, &field);
		if (pmon_pdht_stamp_read(pmon_pdht_trim(field.text), &stamp))
			look_at_stamp(s, &stamp, field.is_quoted);
	}
	return status == PMON_END ? PMON_OK : status;
}

// ---- Conclusions ----------------------------------------------------------------------------

// Which order the dates have, and why that is thought.
static enum pdht_order
find_order(const struct survey *s, char separator, const char **why_out)
{
	const struct reading *month = &s->readings[PDHT_MONTH_FIRST];
	const struct reading *day = &s->readings[PDHT_DAY_FIRST];

	*why_out = "other dates would not exist";
	if (month->is_possible != day->is_possible)
		return day->is_possible ? PDHT_DAY_FIRST : PDHT_MONTH_FIRST;
	*why_out = "else times would go back";
	if (month->steps_back != day->steps_back)
		return day->steps_back < month->steps_back ? PDHT_DAY_FIRST : PDHT_MONTH_FIRST;
	*why_out = "else there would be larger gaps";
	if (month->longest != day->longest)
		return day->longest < month->longest ? PDHT_DAY_FIRST : PDHT_MONTH_FIRST;
	*why_out = "nothing in the file shows the order";
	return s->date_separator == '.' || separator == ';' ? PDHT_DAY_FIRST : PDHT_MONTH_FIRST;
}

static void
settle_times(struct pdht *pdht, const struct survey *s)
{
	struct pdht_style *style = &pdht->style;
	const char *why;

	style->order = find_order(s, style->separator, &why);
	if (s->n_usual == s->n_stamps && s->readings[PDHT_MONTH_FIRST].is_possible)
		style->order = PDHT_MONTH_FIRST;
	else if (s->n_year_first == s->n_stamps)
		pmon_report_remark(&pdht->report.base, 0,
				   "dates are written year first, not as Windows does");
	else
		pmon_report_remark(
			&pdht->report.base, 0, "dates are taken as %s: %s",
			style->order == PDHT_DAY_FIRST ? "day/month/year" : "month/day/year", why);
	if (style->has_no_seconds)
		pmon_report_remark(
			&pdht->report.base, 0,
			"times are whole minutes: samples of one minute have the same time");
}

static void
settle_numbers(struct pdht *pdht, const struct survey *s)
{
	struct pdht_style *style = &pdht->style;

	style->decimal = '.';
	if (!s->has_commas || s->has_points || (style->separator == ',' && !s->has_odd_commas))
		return;
	style->decimal = ',';
	pmon_report_remark(&pdht->report.base, 0, "numbers have a decimal comma");
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
	if (!style->is_quoted)
		return "re-saved by a spreadsheet or another program";
	if (s->n_windows < s->n_stamps)
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
	if (!style->is_quoted)
		pmon_report_remark(
			&pdht->report.base, 0,
			"fields are not quoted: the file was saved again by a spreadsheet or "
			"another program, and numbers may be rounded (they have at most %u "
			"digits)",
			style->digits);
	settle_times(pdht, s);
	settle_numbers(pdht, s);
}

enum pmon_status
pmon_pdht_survey(struct pdht *pdht, struct pmon_err *err)
{
	struct survey s = {.readings = {{.is_possible = true, .last = PMON_TIME_NONE},
					{.is_possible = true, .last = PMON_TIME_NONE}}};
	struct pdht_row row = {0};
	uint64_t start = 0;
	enum pmon_status status = PMON_OK;

	for (int i = 0; i < LINES && row.offset - start < BYTES; i++) {
		status = next_line(pdht, &row, err);
		if (status != PMON_OK)
			break;
		start = i == 0 ? row.offset : start;
		look_at_line(&s, &pdht->style, &row);
	}
	if (status == PMON_OK)
		status = look_at_rest(pdht, &s, err);
	if (status != PMON_OK && status != PMON_END)
		return status;
	settle(pdht, &s);
	return PMON_OK;
}
