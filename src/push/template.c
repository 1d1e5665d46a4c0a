// template.c - statements from templates, which are in .sql files
// SPDX-License-Identifier: MIT

#include "push/template.h"

#include <string.h>

static const struct pmon_push_name *
find_name(const struct pmon_push_name *names, struct pmon_span name)
{
	for (; names != NULL && names->name != NULL; names++)
		if (strlen(names->name) == name.len && memcmp(names->name, name.ptr, name.len) == 0)
			return names;
	return NULL;
}

static void
put_name(struct pmon_text *sql, struct pmon_span name, const struct pmon_push_name *value)
{
	if (value == NULL) {
		pmon_text_char(sql, '{');
		pmon_text_span(sql, name);
		pmon_text_char(sql, '}');
	} else if (value->text != NULL) {
		pmon_text_str(sql, value->text);
	} else {
		pmon_text_i64(sql, value->number);
	}
}

void
pmon_push_fill(struct pmon_text *sql, struct pmon_span template, const struct pmon_push_name *names,
	       const struct pmon_push_name *more)
{
	const char *end = template.ptr + template.len;

	for (const char *at = template.ptr; at < end; at++) {
		const char *close = *at == '{' ? memchr(at, '}', (size_t)(end - at)) : NULL;
		const struct pmon_push_name *value;
		struct pmon_span name;

		if (close == NULL) {
			pmon_text_char(sql, *at);
			continue;
		}
		name = (struct pmon_span){at + 1, (size_t)(close - at) - 1};
		value = find_name(names, name);
		put_name(sql, name, value != NULL ? value : find_name(more, name));
		at = close;
	}
}
