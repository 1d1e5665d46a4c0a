// plain.c - recognise tables of times and numbers whose columns have plain names
// SPDX-License-Identifier: MIT
//
// Any program may write such a table. Its first line has names, one of them for the times; the next one begins with a time
// and has a number.

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/text.h"

static struct pdht_fields
fields_of(struct pmon_span line, char separator)
{
	struct pdht_row row = {.ptr = line.ptr, .len = line.len};

	return pdht_fields(&row, separator, false);
}

static bool
is_time(struct pmon_span text)
{
	enum pdht_time_form form = pmon_pdht_time_form(text);

	return form == PDHT_DATED || form == PDHT_TIME_OF_DAY;
}

// A number is no name, and a path is that of a counter. A table with a column of counters has a row for each value.
static bool
is_name(struct pmon_span text)
{
	static const char *const others[] = {"Counter", "CounterName", "Counter Name",
					     "CounterPath"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (pmon_text_same(text, (struct pmon_span){others[i], strlen(others[i])}))
			return false;
	return text.len == 0 ||
	       (memchr(text.ptr, '\\', text.len) == NULL && pmon_pdht_mark(text) == PDHT_MARK_BAD);
}

bool
pmon_pdht_is_plain(struct pmon_span line, struct pmon_span next)
{
	char separator = pmon_pdht_separator(line);
	struct pdht_fields names = fields_of(line, separator);
	struct pdht_fields cells = fields_of(next, separator);
	struct pdht_field name;
	struct pdht_field cell;
	size_t n_numbers = 0;

	if (!pmon_pdht_field_next(&names, &name) || !pmon_pdht_field_next(&cells, &cell) ||
	    name.text.len == 0 || is_time(pmon_pdht_trim(name.text)) ||
	    !is_time(pmon_pdht_trim(cell.text)))
		return false;
	while (pmon_pdht_field_next(&names, &name)) {
		if (!is_name(pmon_pdht_trim(name.text)))
			return false;
		if (pmon_pdht_field_next(&cells, &cell))
			n_numbers += pmon_pdht_mark(pmon_pdht_trim(cell.text)) != PDHT_MARK_BAD &&
				     pmon_pdht_trim(name.text).len > 0;
	}
	return n_numbers > 0;
}
