// by.c - groups of series: --by
// SPDX-License-Identifier: MIT

#include "verbs/stats/by.h"

#include <string.h>

#include "shell/output/out.h"

bool
by_parse(const char *text, enum by *out)
{
	static const char *const names[] = {"machine", "instance", "object", "process"};

	*out = BY_SERIES;
	if (text == NULL)
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(text, names[i]) == 0)
			*out = (enum by)(i + 1);
	return *out != BY_SERIES;
}

char *
by_text(const struct pmon_path *path, enum by by, bool without_machine)
{
	struct pmon_path pattern = *path;

	if (by != BY_MACHINE && path->machine.ptr != NULL)
		pattern.machine = PMON_SPAN("*");
	if (without_machine)
		pattern.machine = (struct pmon_span){NULL, 0};
	return out_path_text(&pattern, by != BY_INSTANCE);
}
