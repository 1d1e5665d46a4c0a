// header.c - the first line of a text log: zone, offset to UTC, columns
// SPDX-License-Identifier: MIT

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/scan.h"
#include "base/text.h"
#include "base/utf.h"
#include "model/zone_rules.h"
#include "model/zones.h"

#define MARK_BOM         "\xEF\xBB\xBF"
#define MAX_BIAS         (26 * 60)   // minutes; no zone is farther from UTC
#define MAX_JOINED       64          // lines of a caption
#define MAX_PIECES       8           // of a name that contains separators
#define PLAIN_OBJECT     "\\Table\\" // of columns with plain names
#define PDHT_CLOCK_BYTES 96
#define UTF8_GROWTH      3 // for an invalid UTF-8 byte

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

static bool
is_separator(char c)
{
	return c == ',' || c == '\t' || c == ';' || c == '|';
}

bool
pmon_pdht_is_header(struct pmon_span line)
{
	line = pmon_pdht_trim(skip_mark(line));
	if (line.len > 0 && line.ptr[0] == '"')
		line = pmon_pdht_trim(skip(line, 1));
	return begins(line, "(PDH-CSV") || begins(line, "(PDH-TSV");
}

static bool
begins_word(char c)
{
	return pmon_is_letter(c) || (unsigned char)c >= 0x80;
}

bool
pmon_pdht_is_table(struct pmon_span line)
{
	bool is_first = true; // field

	line = pmon_pdht_trim(skip_mark(line));
	if (line.len > 0 && line.ptr[0] == '"')
		line = skip(line, 1);
	if (line.len == 0 || !begins_word(line.ptr[0]))
		return false;
	for (size_t i = 0; i + 1 < line.len; i++) {
		size_t next = line.ptr[i + 1] == '"' ? i + 2 : i + 1;

		if (is_first && (line.ptr[i] == '(' || line.ptr[i] == '\\'))
			return false;
		if (!is_separator(line.ptr[i]))
			continue;
		is_first = false;
		if (next < line.len && line.ptr[next] == '\\')
			return true;
	}
	return false;
}

// Cut "(-540)" off the end of text, and parse it.
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

static bool
split_marker(struct pmon_span field, struct pdht_marker *out)
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

// The position after the first field, which is quoted.
static size_t
behind_quoted(struct pmon_span line)
{
	for (size_t i = 1; i + 1 < line.len; i++)
		if (line.ptr[i] == '"' && is_separator(line.ptr[i + 1]))
			return i + 1;
	return line.len;
}

// Does the text end in a bias, such as "(-540)"?
static bool
ends_in_bias(struct pmon_span text)
{
	size_t at;

	while (text.len > 0 && text.ptr[text.len - 1] == ' ')
		text.len--;
	at = text.len;
	if (at == 0 || text.ptr[--at] != ')')
		return false;
	while (at > 0 && pmon_is_digit(text.ptr[at - 1]))
		at--;
	at -= at > 0 && text.ptr[at - 1] == '-';
	return at > 0 && text.ptr[at - 1] == '(' && text.len - at > 1;
}

// The position after the first field, which is not quoted: after the bias, or before what looks
// like a counter path. The name of the zone may contain separators too.
static size_t
behind_plain(struct pmon_span line)
{
	size_t first = line.len;

	for (size_t i = 0; i + 1 < line.len; i++) {
		size_t next = i + 1;

		if (!is_separator(line.ptr[i]))
			continue;
		while (next < line.len && line.ptr[next] == ' ')
			next++;
		next += next < line.len && line.ptr[next] == '"';
		if ((next < line.len && line.ptr[next] == '\\') ||
		    ends_in_bias((struct pmon_span){line.ptr, i}))
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

char
pmon_pdht_separator(struct pmon_span line)
{
	size_t len = first_length(line);

	return len < line.len ? line.ptr[len] : ',';
}

// ---- Columns --------------------------------------------------------------------------------

// A field as clean text in scratch: valid UTF-8 without zero bytes, doubled quotes replaced by one.
static bool
clean(struct pdht *pdht, struct pmon_span field, struct pmon_span *out)
{
	size_t need;
	size_t at = 0;
	size_t from = 0;

	if (!pmon_mul(field.len + sizeof(PLAIN_OBJECT), UTF8_GROWTH, &need) ||
	    !pmon_add(need, need + 2, &need) ||
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

// Unquoted names may contain separators: a piece without a leading backslash belongs to the
// preceding one, unless it is the last, which may be the caption.
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

// Count the remaining fields, with the pieces of a name counted as one or separately.
static size_t
count_fields(struct pdht_fields fields, bool joins)
{
	struct pdht_field field;
	size_t n = 0;

	for (; pmon_pdht_field_next(&fields, &field); n++)
		if (joins)
			join_pieces(&fields, &field);
	return n;
}

// The number of separators outside quotes.
static size_t
count_separators(struct pmon_span line, char separator)
{
	bool is_inside = false;
	size_t n = 0;

	for (size_t i = 0; i < line.len; i++) {
		is_inside ^= line.ptr[i] == '"';
		n += line.ptr[i] == separator && !is_inside;
	}
	return n;
}

// Do names of this header contain separators? Not if the following line has a cell for each
// piece.
static bool
has_pieces(const struct pdht_fields *fields, size_t n_next)
{
	size_t n = count_fields(*fields, false);

	return count_fields(*fields, true) != n && n_next != n;
}

// Names may end in a blank, and so may lines without quotes.
static struct pmon_span
name_of(const struct pdht_field *field)
{
	struct pmon_span text = pmon_pdht_trim(field->text);

	if (field->is_quoted && text.len > 0)
		text.len = (size_t)(field->text.ptr + field->text.len - text.ptr);
	return text;
}

// Is the text a counter path without its leading backslash?
static bool
is_bare_path(struct pdht *pdht, struct pmon_span text)
{
	enum pdht_path_fault fault;
	struct pmon_path path;

	return text.len > 0 && text.ptr[0] != '\\' &&
	       pmon_pdht_path_read(text, pdht->scratch + text.len, &fault, &path);
}

// The last column may be the user's text, even with backslashes; but not if other paths lack the
// leading backslash too, or if its cells are numbers. No text contains a NUL, but a damaged counter
// path may.
static bool
is_caption(struct pdht *pdht, struct pmon_span text, bool are_bare)
{
	if (pdht->has_no_caption || pdht->style.is_plain || text.len == 0 || text.ptr[0] == '\\' ||
	    memchr(text.ptr, '\0', text.len) != NULL)
		return false;
	return !are_bare || !is_bare_path(pdht, text);
}

// A path for a column with a plain name, if its cell in the first line is a number or empty. The text is in scratch.
static struct pmon_span
name_plain(struct pdht *pdht, struct pmon_span text, struct pmon_span cell)
{
	size_t len = strlen(PLAIN_OBJECT);

	if (text.len == 0 || (cell.len > 0 && pmon_pdht_mark(cell) == PDHT_MARK_BAD))
		return text;
	memmove(pdht->scratch + len, text.ptr, text.len);
	memcpy(pdht->scratch, PLAIN_OBJECT, len);
	return (struct pmon_span){pdht->scratch, len + text.len};
}

static void
set_caption(struct pdht *pdht, struct pmon_span text)
{
	(void)pmon_pdht_show(text, pdht->caption);
	pdht->caption_is_long = text.len > PDHT_SAMPLE_BYTES;
}

// A column that is neither a counter nor a caption is reported, and its cells are counted.
static enum pmon_status
take_column(struct pdht *pdht, struct pmon_span text, bool is_torn, struct pmon_err *err)
{
	uint64_t n_damaged = pdht->columns.n_damaged;
	const struct pdht_column *column;
	uint32_t number;
	enum pmon_status status = pmon_pdht_column_take(pdht, text, &number, err);

	if (status != PMON_OK)
		return status;
	column = &pdht->columns.list[number];
	if (is_torn && pdht->columns.n_damaged == n_damaged)
		pmon_pdht_column_damaged(&pdht->columns, text);
	if (!pmon_pdht_map_add(&pdht->map, number, column->series, column->has_path,
			       pdht->allocator))
		return pmon_err_nomem(err);
	if (column->has_path)
		pdht->least = pdht->map.n;
	return PMON_OK;
}

// The columns of the header, from its second field on.
static enum pmon_status
take_columns(struct pdht *pdht, struct pdht_fields *fields, struct pmon_span next,
	     struct pmon_err *err)
{
	struct pdht_row ahead = {.ptr = next.ptr, .len = next.len};
	struct pdht_fields cells = pdht_fields(&ahead, fields->separator, false);
	struct pdht_field field;
	struct pdht_field cell;
	struct pmon_span text;
	enum pmon_status status = PMON_OK;
	bool joins = has_pieces(fields, count_separators(next, fields->separator));
	bool are_bare = true; // of the paths so far
	bool is_torn;         // a zeroed separator joined two names

	pdht->caption[0] = '\0';
	pdht->map.n = 0;
	pdht->map.n_skipped = 0;
	pdht->least = 0;
	pdht->columns.stamp++;
	(void)pmon_pdht_field_next(&cells, &cell); // the time
	while (status == PMON_OK && pmon_pdht_field_next(fields, &field)) {
		if (joins)
			join_pieces(fields, &field);
		text = name_of(&field);
		is_torn = text.len > 0 && memchr(text.ptr, '\0', text.len) != NULL;
		if (!clean(pdht, text, &text))
			return pmon_err_nomem(err);
		if (fields->is_done && !is_torn && is_caption(pdht, text, are_bare)) {
			set_caption(pdht, text);
			text.len = 0;
		}
		if (pdht->style.is_plain && pmon_pdht_field_next(&cells, &cell))
			text = name_plain(pdht, text, pmon_pdht_trim(cell.text));
		are_bare = are_bare && (text.len == 0 || text.ptr[0] != '\\');
		status = take_column(pdht, text, is_torn, err);
	}
	return status;
}

// ---- What is odd about the header -----------------------------------------------------------

// Treated as: "UTC; use --log-zone to say in which zone it was written", or the clock that is known.
static const char *
clock_of(const struct pdht *pdht, char buf[PDHT_CLOCK_BYTES])
{
	char offset[PMON_TIME_SIZE];
	struct pmon_text text = pmon_text_init(buf, PDHT_CLOCK_BYTES);

	if (pdht->uses_zone) {
		pmon_text_str(&text, "treating its times as those of ");
		pmon_text_str(&text, pdht->zone->name);
		return buf;
	}
	pmon_text_str(&text, "treating its times as UTC");
	if (pdht->source.info.utc_offset_min != 0) {
		pmon_time_offset(pdht->source.info.utc_offset_min, offset);
		pmon_text_str(&text, offset);
	} else if (!pdht->has_zone) {
		pmon_text_str(&text, "; use --log-zone to specify its time zone");
	}
	return buf;
}

static void
tell_zone(struct pdht *pdht, const struct pdht_marker *m, uint64_t offset)
{
	char text[PDHT_SAMPLE_BYTES + 1];
	char clock[PDHT_CLOCK_BYTES];
	const char *zone = pdht->source.info.zone;

	zone = pmon_pdht_show((struct pmon_span){zone, strlen(zone)}, text);
	(void)clock_of(pdht, clock);
	if (pdht->style.is_table)
		pmon_report_remark(&pdht->report.base, offset,
				   "a table of counters, not written by Performance Monitor; %s",
				   clock);
	else if (m->zone_is_cut)
		pmon_report_remark(&pdht->report.base, offset,
				   "the time zone in the header is cut off: \"(%s\"%s%s", zone,
				   m->has_bias ? "" : "; ", m->has_bias ? "" : clock);
	else if (!m->has_bias && m->zone.ptr == NULL)
		pmon_report_remark(&pdht->report.base, offset, "the header has no time zone; %s",
				   clock);
	else if (!m->has_bias)
		pmon_report_remark(&pdht->report.base, offset,
				   "the header has no UTC offset for \"%s\"; %s", zone, clock);
}

void
pmon_pdht_tell_columns(struct pdht *pdht)
{
	const struct pdht_columns *c = &pdht->columns;

	if (pdht->caption[0] != '\0')
		pmon_report_remark(
			&pdht->report.base, 0,
			"the last column is not a counter but the caption of the log: \"%s%s\"",
			pdht->caption, pdht->caption_is_long ? "..." : "");
	if (c->n_strange > 0)
		pmon_report_remark(&pdht->report.base, 0,
				   "skipped %llu column%s without a counter path: %s",
				   (unsigned long long)c->n_strange,
				   pmon_text_word(c->n_strange, "", "s"), c->strange);
	if (c->n_faults[PDHT_PATH_DOUBLED] > 0)
		pmon_report_remark(&pdht->report.base, 0,
				   "backslashes in %llu counter path%s are doubled; each pair is "
				   "read as one",
				   (unsigned long long)c->n_faults[PDHT_PATH_DOUBLED],
				   pmon_text_word(c->n_faults[PDHT_PATH_DOUBLED], "", "s"));
	if (c->n_faults[PDHT_PATH_HOST] > 0)
		pmon_report_remark(
			&pdht->report.base, 0,
			"%llu counter path%s with one backslash and three names; the "
			"first is read as the machine",
			(unsigned long long)c->n_faults[PDHT_PATH_HOST],
			pmon_text_word(c->n_faults[PDHT_PATH_HOST], " begins", "s begin"));
	if (c->n_twice > 0)
		pmon_report_remark(&pdht->report.base, 0,
				   "%llu column%s the name of another one; they are kept apart",
				   (unsigned long long)c->n_twice,
				   pmon_text_word(c->n_twice, " has", "s have"));
}

static void
tell_damaged(struct pdht *pdht, const struct pdht_row *row, uint64_t n)
{
	pmon_report_loss(&pdht->report.base, row->offset, 0,
			 "%llu column%s no counter path that is whole: %s", (unsigned long long)n,
			 pmon_text_word(n, " has", "s have"), pdht->columns.damaged);
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
				   "the text begins with an empty line, as in typeperf's output");
	else if (row->line > 1)
		pmon_report_remark(&pdht->report.base, 0, "%llu %s before the header",
				   (unsigned long long)(row->line - 1),
				   pmon_text_word(row->line - 1, "line stands", "lines stand"));
}

// ---- Loading --------------------------------------------------------------------------------

// Is the text after a header line a sample or another header?
static bool
is_no_caption(struct pmon_span text)
{
	size_t len = 0;

	while (text.len > 0 && (text.ptr[0] == '\r' || text.ptr[0] == '\n'))
		text = skip(text, 1);
	if (pmon_pdht_is_header(text) || pmon_pdht_is_table(text))
		return true;
	if (text.len > 0 && text.ptr[0] == '"')
		text = skip(text, 1);
	while (len < text.len && text.ptr[len] != '"' && !is_separator(text.ptr[len]))
		len++;
	return pmon_pdht_time_form((struct pmon_span){text.ptr, len}) != PDHT_NO_TIME_FORM;
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

// A caption may have several lines: the header continues until its last quote is closed.
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

// If no line end follows the header, its last field may be incomplete.
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

// Find the style of this header's fields. Returns the length of the first with its quotes.
static size_t
find_style(struct pdht_style *style, struct pmon_span line)
{
	size_t len = first_length(line);

	style->separator = pmon_pdht_separator(line);
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

// How far the clock is ahead of UTC: by the header, the caller or the name of the zone.
static int32_t
offset_of(const struct pdht *pdht, const struct pdht_marker *marker)
{
	int32_t offset_min;

	if (marker->has_bias)
		return -marker->bias_min;
	if (pdht->zone != NULL)
		return pdht->source.info.utc_offset_min; // once the first time is known
	if (pdht->has_zone)
		return pdht->zone_offset_min;
	if (pmon_zone_offset(pmon_pdht_trim(marker->zone), marker->zone_is_cut, &offset_min))
		return offset_min;
	return 0;
}

static enum pmon_status
fill_info(struct pdht *pdht, const struct pdht_marker *marker, struct pmon_err *err)
{
	struct pmon_source_info *info = &pdht->source.info;
	struct pmon_span zone = pmon_pdht_trim(marker->zone);

	if (!clean(pdht, zone, &zone) || !pmon_arena_copy(&pdht->arena, zone, &zone))
		return pmon_err_nomem(err);
	if (pdht->style.is_table)
		info->format = marker->is_tsv ? "TSV table" : "CSV table";
	else
		info->format = marker->is_tsv ? "PDH-TSV" : "PDH-CSV";
	info->zone = zone.ptr;
	pdht->uses_zone = pdht->zone != NULL && !marker->has_bias;
	info->utc_offset_min = offset_of(pdht, marker);
	return PMON_OK;
}

// The columns after the first field, whose cells in the first line are in next, and for the first header what there is to say about it.
static enum pmon_status
load(struct pdht *pdht, const struct pdht_row *row, size_t first_len,
     const struct pdht_marker *marker, struct pmon_span next, bool is_first, struct pmon_err *err)
{
	struct pdht_fields fields = pdht_fields(row, pdht->style.separator, pdht->style.is_strict);
	uint64_t n_damaged = pdht->columns.n_damaged;
	enum pmon_status status;

	fields.is_done = first_len == row->len;
	fields.p += first_len + !fields.is_done;
	status = take_columns(pdht, &fields, next, err);
	pmon_pdht_map_index(&pdht->map, &pdht->columns);
	if (pdht->columns.n_damaged > n_damaged)
		tell_damaged(pdht, row, pdht->columns.n_damaged - n_damaged);
	if (status == PMON_OK)
		status = pmon_pdht_sample_room(pdht) ? PMON_OK : pmon_err_nomem(err);
	if (status != PMON_OK || !is_first)
		return status;
	tell_form(pdht, row, marker->is_tsv);
	tell_zone(pdht, marker, row->offset);
	return PMON_OK;
}

static void
drop_mark(struct pdht_row *row)
{
	struct pmon_span line = skip_mark((struct pmon_span){row->ptr, row->len});

	row->ptr = line.ptr;
	row->len = line.len;
}

// The first field of a table is the name of a column.
static bool
read_marker(struct pdht *pdht, const struct pdht_row *row, size_t len, bool is_first,
	    struct pdht_marker *out)
{
	struct pmon_span line = {row->ptr, row->len};

	if (is_first)
		pdht->style.is_table = pdht->style.is_plain ||
				       (!pmon_pdht_is_header(line) && pmon_pdht_is_table(line));
	if (!pdht->style.is_table)
		return split_marker(without_quotes((struct pmon_span){row->ptr, len}), out);
	*out = (struct pdht_marker){.is_tsv = pdht->style.separator == '\t'};
	return pdht->style.is_plain || pmon_pdht_is_table(line);
}

// Does the header need the line after it to be understood? Otherwise memory need not hold both.
static bool
needs_next(const struct pdht *pdht, const struct pdht_row *row)
{
	struct pdht_fields fields = pdht_fields(row, pdht->style.separator, pdht->style.is_strict);

	return pdht->style.is_plain || count_fields(fields, true) != count_fields(fields, false);
}

enum pmon_status
pmon_pdht_header_load(struct pdht *pdht, struct pdht_row *row, bool is_first, struct pmon_err *err)
{
	struct pdht_style style = pdht->style;
	struct pdht_marker marker;
	struct pmon_span next = {"", 0};
	uint64_t line = row->line;
	size_t len;
	enum pmon_status status;

	(void)find_style(&pdht->style, skip_mark((struct pmon_span){row->ptr, row->len}));
	status = join_lines(pdht, row, err);
	if (status == PMON_OK && needs_next(pdht, row))
		status = pmon_pdht_input_ahead(&pdht->input, row, &next, err);
	if (status != PMON_OK)
		return status;
	row->line = line;
	drop_mark(row);
	drop_cut_field(pdht, row);
	len = find_style(&pdht->style, (struct pmon_span){row->ptr, row->len});
	if (!read_marker(pdht, row, len, is_first, &marker)) {
		pdht->style = style; // the header is at the end of the file, so nothing is left
		return !is_first ? PMON_OK
				 : pmon_err_set(err, PMON_E_FORMAT, row->offset,
						"the header of this text log is cut off");
	}
	if (is_first)
		status = fill_info(pdht, &marker, err);
	if (status != PMON_OK)
		return status;
	pmon_pdht_clock_start(&pdht->clock, offset_of(pdht, &marker),
			      marker.has_bias ? NULL : pdht->zone);
	pdht->widest = 0;
	return load(pdht, row, len, &marker, next, is_first, err);
}
