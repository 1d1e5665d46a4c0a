// names.c - which counter names the formats can store
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/scan.h"
#include "base/utf.h"
#include "format/format.h"

static bool
has_byte(struct pmon_span text, char byte)
{
	return text.len > 0 && memchr(text.ptr, byte, text.len) != NULL;
}

bool
pmon_names_are_text(const struct pmon_series *series)
{
	return pmon_utf8_valid(series->name) && !has_byte(series->name, '\0');
}

bool
pmon_names_have_machine(const struct pmon_series *series)
{
	struct pmon_span machine = series->path.machine;

	return (machine.len == 0 || machine.ptr[0] != '\\') && !has_byte(series->name, '\0');
}

// "a#0" and "a#01" mean the same as "a" and "a#1".
static bool
has_odd_index(const struct pmon_path *path)
{
	struct pmon_span name = path->instance;
	size_t at = name.len;

	while (at > 0 && pmon_is_digit(name.ptr[at - 1]))
		at--;
	return path->index == 0 && at > 0 && at < name.len && name.ptr[at - 1] == '#' &&
	       name.ptr[at] == '0';
}

bool
pmon_names_are_whole(const struct pmon_series *series)
{
	const struct pmon_path *path = &series->path;

	return pmon_names_are_text(series) && pmon_names_have_machine(series) &&
	       path->object.len > 0 && path->counter.len > 0 && !has_odd_index(path);
}

bool
pmon_names_fit_a_line(const struct pmon_series *series)
{
	struct pmon_path parsed;

	return pmon_names_are_whole(series) && !has_byte(series->name, '\n') &&
	       !has_byte(series->name, '\r') && pmon_path_parse(series->name, &parsed, NULL);
}
