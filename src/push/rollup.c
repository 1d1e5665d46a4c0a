// rollup.c - sums of whole hours: what engines share
// SPDX-License-Identifier: MIT

#include "push/rollup.h"

#include <string.h>

static const struct pmon_rollup_name *
find_name(const struct pmon_rollup_name *names, const char *begin, size_t len)
{
	for (; names->name != NULL; names++)
		if (strlen(names->name) == len && memcmp(names->name, begin, len) == 0)
			return names;
	return NULL;
}

void
pmon_rollup_fill(struct pmon_text *sql, const char *template, const struct pmon_rollup_name *names)
{
	while (*template != '\0') {
		size_t len = strcspn(template, "{");
		const struct pmon_rollup_name *name;
		size_t name_len;

		pmon_text_span(sql, (struct pmon_span){template, len});
		if (template[len] == '\0')
			return;
		name_len = strcspn(template + len + 1, "}");
		name = find_name(names, template + len + 1, name_len);
		if (name != NULL && name->text != NULL)
			pmon_text_str(sql, name->text);
		else if (name != NULL)
			pmon_text_i64(sql, name->number);
		template += len + name_len + 2;
	}
}
