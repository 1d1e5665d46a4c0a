// header.c - the first line of a text log: zone, offset to UTC, columns
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/utf.h"

#define MARK_BOM    "\xEF\xBB\xBF"
#define MAX_BIAS    (26 * 60) // minutes; no clock is further from UTC
#define MAX_JOINED  64        // lines of a caption
#define MAX_PIECES  8         // of a name that holds separators
#define UTF8_GROWTH 3         // of a byte that is not UTF-8

// ---- The marker -----------------------------------------------------------------------------

static bool
begins(struct pmon_span text, const char *word)
{
	return text.len >= strlen(word) && memcmp(text.ptr, word, strlen(word)) == 0;
}

static struct pmon_span
skip(struct pmon_span text, size_t n)
{
	return (struct pmon_span){text.ptr + n, text.len - n};
}

static struct pmon_span
skip_mark(struct pmon_span line)
{
	return begins(line, MARK_BOM) ? skip(line, sizeof(MARK_BOM) - 1) : line;
}

bool
pmon_pdht_is_header(struct pmon_span line)
{
	line = pmon_pdht_trim(skip_mark(line));
	if (line.len > 0 && line.ptr[0] == '"')
		line = pmon_pdht_trim(skip(line, 1));
	return begins(line, "(PDH-CSV") || begins(line, "(PDH-TSV");
}

// "(-540)" at the end of text: cut it off and read it.
static bool
take_bias(struct pmon_span *text, int32_t *bias_out)
{
	size_t open = text->len;
	int64_t bias;

	if (text->len == 0 || text->ptr[text->len - 1] != ')')
		return false;
	while (open > 0 && text->ptr[open - 1] != '(')
		open--;
	if (open == 0 ||
	    !pmon_num_parse_i64(
		    pmon_pdht_trim((struct pmon_span){text->ptr + open, text->len - 1 - open}),
		    &bias) ||
	    bias < -MAX_BIAS || bias > MAX_BIAS)
		return false;
	*bias_out = (int32_t)bias;
	*text = pmon_pdht_trim((struct pmon_span){text->ptr, open - 1});
	return true;
}

bool
pmon_pdht_marker_read(struct pmon_span field, struct pdht_marker *out)
{
	const char *close;

	field = pmon_pdht_trim(field);
	*out = (struct pdht_marker){.is_tsv = begins(field, "(PDH-TSV")};
	if (!out->is_tsv && !begins(field, "(PDH-CSV"))
		return false;
	close = memchr(field.ptr, ')', field.len);
	if (close == NULL)
		return true;
	field = pmon_pdht_trim(skip(field, (size_t)(close - field.ptr) + 1));
	out->has_bias = take_bias(&field, &out->bias_min);
	if (field.len == 0 || field.ptr[0] != '(')
		return true;
	out->zone = skip(field, 1);
	out->zone_is_cut = out->zone.len == 0 || out->zone.ptr[out->zone.len - 1] != ')';
	out->zone.len -= !out->zone_is_cut;
	return true;
}

// ---- The separator --------------------------------------------------------------------------

static bool
is_separator(char c)
{
	return c == ',' || c == '\t' || c == ';' || c == '|';
}

// The position after the first field, which is quoted.
static size_t
behind_quoted(struct pmon_span line)
{
	for (size_t i = 1; i + 1 < line.len; i++)
		if (line.ptr[i] == '"' && is_separator(line.ptr[i + 1]))
			return i + 1;
	return line.len;
}

// The position after the first field, which is not quoted: before what looks like a counter path.
// The name of the zone may hold separators too.
static size_t
behind_plain(struct pmon_span line)
{
	size_t first = line.len;

	for (size_t i = 0; i + 1 < line.len; i++) {
		size_t next = line.ptr[i + 1] == '"' ? i + 2 : i + 1;

		if (!is_separator(line.ptr[i]))
			continue;
		if (next < line.len && line.ptr[next] == '\\')
			return i;
		if (first == line.len)
			first = i;
	}
	return first;
}

// Length of the first field with its quotes.
static size_t
first_length(struct pmon_span line)
{
	return line.len > 0 && line.ptr[0] == '"' ? behind_quoted(line) : behind_plain(line);
}

// ---- Columns --------------------------------------------------------------------------------

// A field as clean text in scratch: valid UTF-8 without zero bytes, doubled quotes as one.
static bool
clean(struct pdht *pdht, struct pmon_span field, struct pmon_span *out)
{
	size_t need;
	size_t at = 0;
	size_t from = 0;

	if (!pmon_mul(field.len, UTF8_GROWTH, &need) || !pmon_add(need, need + 2, &need) ||
	    !pmon_mem_grow(pdht->allocator, &pdht->scratch, &pdht->scratch_cap, need, 1))
		return false;
	while (from < field.len) {
		size_t start = from;
		uint32_t c = pmon_utf8_next(field, &from);

		if (c == 0 || (c >= 0xDC80 && c <= 0xDCFF)) {
			memcpy(pdht->scratch + at, "\xEF\xBF\xBD", UTF8_GROWTH);
			at += UTF8_GROWTH;
			continue;
		}
		memcpy(pdht->scratch + at, field.ptr + start, from - start);
		at += from - start;
		if (c == '"' && from < field.len && field.ptr[from] == '"')
			from++;
	}
	*out = (struct pmon_span){pdht->scratch, at};
	return true;
}

static bool
is_whole_path(struct pmon_span text)
{
	struct pmon_path path;

	return pmon_path_parse(text, &path, NULL);
}

// Names without quotes may hold separators: a piece that begins without a backslash belongs to the
// one before it, unless it is the last, which may be the caption.
static void
join_pieces(struct pdht_fields *fields, struct pdht_field *field)
{
	struct pdht_fields ahead = *fields;
	struct pdht_field more;

	if (field->is_quoted || field->text.len == 0 || field->text.ptr[0] != '\\')
		return;
	for (int i = 0; i < MAX_PIECES && pmon_pdht_field_next(&ahead, &more); i++) {
		struct pmon_span joined = {
			field->text.ptr, (size_t)(more.text.ptr + more.text.len - field->text.ptr)};

		if (more.is_quoted || (more.text.len > 0 && more.text.ptr[0] == '\\') ||
		    (ahead.is_done && is_whole_path(pmon_pdht_trim(field->text))))
			return;
		if (is_whole_path(joined)) {
			field->text = joined;
			*fields = ahead;
		}
	}
}

// Names may end in a blank, and lines without quotes too.
static struct pmon_span
name_of(const struct pdht_field *field)
{
	struct pmon_span text = pmon_pdht_trim(field->text);

	if (field->is_quoted && text.len > 0)
		text.len = (size_t)(field->text.ptr + field->text.len - text.ptr);
	return text;
}

// The last column may be a text of the user. No text has a NUL: a counter path that was damaged may.
static bool
is_caption(const struct pdht_fields *fields, struct pmon_span text)
{
	return fields->is_done && text.len > 0 && text.ptr[0] != '\\' &&
	       memchr(text.ptr, '\0', text.len) == NULL;
}

// The columns of the header, from its second field on.
static enum pmon_status
take_columns(struct pdht *pdht, struct pdht_fields *fields, struct pmon_span *caption_out,
	     struct pmon_err *err)
{
	struct pdht_field field;
	struct pmon_span text;
	enum pmon_status status;
	uint64_t n_damaged;
	uint32_t *series;
	bool is_last;
	bool is_torn; // a zeroed separator makes one name of two

	*caption_out = (struct pmon_span){NULL, 0};
	pdht->map.n = 0;
	pdht->least = 0;
	pdht->columns.stamp++;
	while (pmon_pdht_field_next(fields, &field)) {
		join_pieces(fields, &field);
		text = name_of(&field);
		is_last = is_caption(fields, text);
		is_torn = text.len > 0 && memchr(text.ptr, '\0', text.len) != NULL;
		series = pmon_pdht_map_add(&pdht->map, pdht->allocator);
		if (series == NULL || !clean(pdht, text, &text))
			return pmon_err_nomem(err);
		if (is_last) {
			*caption_out = text;
			return PMON_OK;
		}
		if (text.len == 0)
			continue;
		n_damaged = pdht->columns.n_damaged;
		status = pmon_pdht_column_take(pdht, text, series, err);
		if (status != PMON_OK)
			return status;
		if (is_torn && pdht->columns.n_damaged == n_damaged)
			pmon_pdht_column_damaged(&pdht->columns, text);
		pdht->least = pdht->map.n;
	}
	return PMON_OK;
}

// ---- What is odd about the header -----------------------------------------------------------

static void
tell_zone(struct pdht *pdht, const struct pdht_marker *m, uint64_t offset)
{
	char text[PDHT_SAMPLE_BYTES + 1];
	const char *zone = pdht->source.info.zone;

	zone = pmon_pdht_show((struct pmon_span){zone, strlen(zone)}, text);
	if (m->zone_is_cut)
		pmon_report_remark(&pdht->report.base, offset,
				   "the time zone in the header is cut off: \"(%s\"%s", zone,
				   m->has_bias ? "" : "; its times are taken as UTC");
	else if (!m->has_bias && m->zone.ptr == NULL)
		pmon_report_remark(&pdht->report.base, offset,
				   "the header has no time zone; its times are taken as UTC");
	else if (!m->has_bias)
		pmon_report_remark(
			&pdht->report.base, offset,
			"the header has no offset from UTC for \"%s\"; its times are taken "
			"as UTC",
			zone);
}

static void
tell_columns(struct pdht *pdht, struct pmon_span caption, uint64_t offset)
{
	const struct pdht_columns *c = &pdht->columns;
	char text[PDHT_SAMPLE_BYTES + 1];

	if (caption.len > 0)
		pmon_report_remark(
			&pdht->report.base, offset,
			"the last column is not a counter but the caption of the log: \"%s%s\"",
			pmon_pdht_show(caption, text),
			caption.len > PDHT_SAMPLE_BYTES ? "..." : "");
	if (c->n_strange > 0)
		pmon_report_remark(
			&pdht->report.base, offset,
			"skipped %llu column%s without a counter path; the first: \"%s\"",
			(unsigned long long)c->n_strange, c->n_strange == 1 ? "" : "s", c->strange);
	if (c->n_twice > 0)
		pmon_report_remark(&pdht->report.base, offset,
				   "%llu column%s the name of another one; they are kept apart",
				   (unsigned long long)c->n_twice,
				   c->n_twice == 1 ? " has" : "s have");
}

static void
tell_damaged(struct pdht *pdht, const struct pdht_row *row, uint64_t n)
{
	pmon_report_loss(&pdht->report.base, row->offset, 0,
			 "%llu column%s no counter path that is whole; the first: \"%s\"",
			 (unsigned long long)n, n == 1 ? " has" : "s have", pdht->columns.damaged);
}

static void
tell_form(struct pdht *pdht, const struct pdht_row *row, bool is_tsv)
{
	char usual = is_tsv ? '\t' : ',';

	if (pdht->style.separator != usual)
		pmon_report_remark(&pdht->report.base, row->offset,
				   "fields are separated by %s, not by %s",
				   pdht->style.separator == '\t'  ? "tabs"
				   : pdht->style.separator == ';' ? "semicolons"
				   : pdht->style.separator == ',' ? "commas"
								  : "vertical bars",
				   is_tsv ? "tabs" : "commas");
	if (row->line > 1 && pdht->style.begins_blank)
		pmon_report_remark(&pdht->report.base, 0,
				   "the text begins with an empty line, as typeperf prints it");
	else if (row->line > 1)
		pmon_report_remark(&pdht->report.base, 0, "%llu lines stand before the header",
				   (unsigned long long)(row->line - 1));
}

// ---- Loading --------------------------------------------------------------------------------

// Is the text after a line of a header a sample or a header?
static bool
is_no_caption(struct pmon_span text)
{
	struct pdht_stamp stamp;
	size_t len = 0;

	while (text.len > 0 && (text.ptr[0] == '\r' || text.ptr[0] == '\n'))
		text = skip(text, 1);
	if (pmon_pdht_is_header(text))
		return true;
	if (text.len > 0 && text.ptr[0] == '"')
		text = skip(text, 1);
	while (len < text.len && text.ptr[len] != '"' && !is_separator(text.ptr[len]))
		len++;
	return pmon_pdht_stamp_read((struct pmon_span){text.ptr, len}, &stamp);
}

static bool
ends_open(const struct pdht *pdht, const struct pdht_row *row)
{
	struct pdht_fields fields = pdht_fields(row, pdht->style.separator, pdht->style.is_strict);
	struct pdht_field field = {.is_open = false};
	struct pdht_field next;

	while (pmon_pdht_field_next(&fields, &next))
		field = next;
	return field.is_open;
}

// A caption may have several lines: the header goes on until its last quote is closed.
static enum pmon_status
join_lines(struct pdht *pdht, struct pdht_row *row, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	for (int i = 0; i < MAX_JOINED && ends_open(pdht, row); i++) {
		size_t len = row->len;

		status = pmon_pdht_input_join(&pdht->input, row, err);
		if (status != PMON_OK)
			return status == PMON_END ? PMON_OK : status;
		if (is_no_caption(skip((struct pmon_span){row->ptr, row->len}, len))) {
			pmon_pdht_input_part(&pdht->input, row, len);
			return PMON_OK;
		}
	}
	return PMON_OK;
}

// Where the last field of the row begins.
static size_t
last_field(const struct pdht *pdht, const struct pdht_row *row, struct pdht_field *out)
{
	struct pdht_fields fields = pdht_fields(row, pdht->style.separator, pdht->style.is_strict);
	size_t start = 0;

	do {
		start = (size_t)(fields.p - row->ptr);
		(void)pmon_pdht_field_next(&fields, out);
	} while (!fields.is_done);
	return start;
}

// Without a line end after the header its last field may be only a part of one.
static void
drop_cut_field(struct pdht *pdht, struct pdht_row *row)
{
	struct pdht_field field;
	size_t start;

	if (row->is_ended)
		return;
	start = last_field(pdht, row, &field);
	if (!field.is_open && (field.is_quoted || !pdht->style.is_strict))
		return;
	pmon_report_loss(&pdht->report.base, row->offset + start, row->len - start,
			 "the file is cut off in its header");
	row->len = start > 0 ? start - 1 : 0;
}

// How the fields of this header are written. Returns the length of the first with its quotes.
static size_t
find_style(struct pdht_style *style, struct pmon_span line)
{
	size_t len = first_length(line);

	style->separator = ',';
	if (len < line.len)
		style->separator = line.ptr[len];
	style->is_strict = len + 1 < line.len && line.ptr[0] == '"' && line.ptr[len + 1] == '"';
	return len;
}

static struct pmon_span
without_quotes(struct pmon_span field)
{
	if (field.len > 0 && field.ptr[0] == '"')
		field = skip(field, 1);
	if (field.len > 0 && field.ptr[field.len - 1] == '"')
		field.len--;
	return field;
}

static enum pmon_status
fill_info(struct pdht *pdht, const struct pdht_marker *marker, struct pmon_err *err)
{
	struct pmon_source_info *info = &pdht->source.info;
	struct pmon_span zone = pmon_pdht_trim(marker->zone);

	if (!clean(pdht, zone, &zone) || !pmon_arena_copy(&pdht->arena, zone, &zone))
		return pmon_err_nomem(err);
	info->format = marker->is_tsv ? "PDH-TSV" : "PDH-CSV";
	info->zone = zone.ptr;
	info->utc_offset_min = marker->has_bias ? -marker->bias_min : 0;
	return PMON_OK;
}

// The columns after the first field, and for the first header what there is to say about it.
static enum pmon_status
load(struct pdht *pdht, const struct pdht_row *row, size_t first_len,
     const struct pdht_marker *marker, bool is_first, struct pmon_err *err)
{
	struct pdht_fields fields = pdht_fields(row, pdht->style.separator, pdht->style.is_strict);
	uint64_t n_damaged = pdht->columns.n_damaged;
	struct pmon_span caption;
	enum pmon_status status;

	fields.is_done = first_len == row->len;
	fields.p += first_len + !fields.is_done;
	status = take_columns(pdht, &fields, &caption, err);
	pmon_pdht_map_index(&pdht->map);
	if (pdht->columns.n_damaged > n_damaged)
		tell_damaged(pdht, row, pdht->columns.n_damaged - n_damaged);
	if (status == PMON_OK)
		status = pmon_pdht_sample_room(pdht) ? PMON_OK : pmon_err_nomem(err);
	if (status != PMON_OK || !is_first)
		return status;
	tell_form(pdht, row, marker->is_tsv);
	tell_zone(pdht, marker, row->offset);
	tell_columns(pdht, caption, row->offset);
	return PMON_OK;
}

static void
drop_mark(struct pdht_row *row)
{
	struct pmon_span line = skip_mark((struct pmon_span){row->ptr, row->len});

	row->ptr = line.ptr;
	row->len = line.len;
}

enum pmon_status
pmon_pdht_header_load(struct pdht *pdht, struct pdht_row *row, bool is_first, struct pmon_err *err)
{
	struct pdht_style style = pdht->style;
	struct pdht_marker marker;
	uint64_t line = row->line;
	size_t len;
	enum pmon_status status;

	(void)find_style(&pdht->style, skip_mark((struct pmon_span){row->ptr, row->len}));
	status = join_lines(pdht, row, err);
	if (status != PMON_OK)
		return status;
	row->line = line;
	drop_mark(row);
	drop_cut_field(pdht, row);
	len = find_style(&pdht->style, (struct pmon_span){row->ptr, row->len});
	if (!pmon_pdht_marker_read(without_quotes((struct pmon_span){row->ptr, len}), &marker)) {
		pdht->style =
			style; // of a header that begins at the end of the file nothing is left
		return !is_first ? PMON_OK
				 : pmon_err_set(err, PMON_E_FORMAT, row->offset,
						"the header of this text log is cut off");
	}
	if (is_first)
		status = fill_info(pdht, &marker, err);
	if (status != PMON_OK)
		return status;
	pmon_pdht_clock_start(&pdht->clock, marker.has_bias ? -marker.bias_min : 0);
	pdht->widest = 0;
	return load(pdht, row, len, &marker, is_first, err);
}
